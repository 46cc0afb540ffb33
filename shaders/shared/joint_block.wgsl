// Shared by all passes over joints. Twin: assembly/split/joint_block.ts.

// A symmetric matrix xx xy xz yy, yz zz.
struct Block {
  i0: vec4f,
  i1: vec4f,
}

fn symmetric(s: Block, l: vec3f) -> vec3f {
  return vec3f(
    s.i0.x * l.x + s.i0.y * l.y + s.i0.z * l.z,
    s.i0.y * l.x + s.i0.w * l.y + s.i1.x * l.z,
    s.i0.z * l.x + s.i1.x * l.y + s.i1.y * l.z,
  );
}

fn block_sum(a: Block, b: Block) -> Block {
  return Block(a.i0 + b.i0, a.i1 + b.i1);
}

fn inverse_of(k: f32) -> f32 {
  return select(0.0, 1.0 / max(k, 1e-35), k > 0.0);
}

// Returns a square; 0 where adapters may flush it: such a short vector has no direction.
fn without_flushed(square: f32) -> f32 {
  return select(0.0, square, square > 1e-30);
}

// Root of a square, or 0 if adapters may flush it.
fn root_of(square: f32) -> f32 {
  return sqrt(without_flushed(square));
}

fn length_of(v: vec3f) -> f32 {
  return root_of(dot(v, v));
}

fn bit(mask: u32, i: u32) -> bool {
  return ((mask >> i) & 1u) != 0u;
}
