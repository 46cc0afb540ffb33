// Gauss-Seidel over the rows of a block by one lane (Tonge 2012, eq. 14): the block is a manifold or a joint, or all of a body
// pair. Its two bodies stay in registers. Twin: assembly/study/methods/sweep.ts, order of the rows as listUnits in
// build.ts makes it. Kernels declare `params`, `rows`, `bodies`, `bodyStates` and `states` (read_write); impulses stay in the
// half that is read.
#import row_step
#import row_push

// Velocities of the bodies of the block; the first one is A of its first row.
var<private> blockV: array<vec3f, 2>;
var<private> blockW: array<vec3f, 2>;

// Velocity of a row whose body A is number `a` of the block.
fn block_speed(r: u32, a: u32) -> f32 {
  let v = blockV[1u - a] - blockV[a];
  let wa = blockW[a];
  let wb = blockW[1u - a];
  let d = rows[r].d;
  let la = rows[r].a;
  let lb = rows[r].b;
  let u = d.x * v.x + d.y * v.y + d.z * v.z + (lb.x * wb.x + lb.y * wb.y + lb.z * wb.z)
    - (la.x * wa.x + la.y * wa.y + la.z * wa.z);
  if (kind_of(rows[r].ids) != PULLEY) { return u; }
  let e = rope_of(r);
  let va = blockV[a];
  return u + (e.x * va.x + e.y * va.y + e.z * va.z);
}

fn push_side(r: u32, body: u32, side: u32, dz: f32) {
  if (bodies[body].center.w == 0.0) { return; }
  let change = change_of(r, body, dz, 1.0);
  blockV[side] = blockV[side] + change.v;
  blockW[side] = blockW[side] + change.w;
}

// The impulse of a row is z now; it has moved by dz.
fn push_row(r: u32, a: u32, z: f32, dz: f32) {
  states[params.zRead + r] = z;
  let ids = rows[r].ids;
  if (kind_of(ids) == NORMAL) { states[at(MOST, r)] = max(states[at(MOST, r)], z); }
  if (dz == 0.0) { return; }
  push_side(r, ids.x, a, dz);
  push_side(r, ids.y, 1u - a, dz);
}

// Both tangents of a manifold by their 2x2 block K; a slipping pair opposes its motion, by one step length for both.
fn sweep_pair(r: u32, a: u32) {
  let u1 = block_speed(r, a);
  let u2 = block_speed(r + 1u, a);
  let old1 = states[params.zRead + r];
  let old2 = states[params.zRead + r + 1u];
  let k11 = rows[r].a.w;
  let k22 = rows[r + 1u].a.w;
  let k12 = rows[r].more.z;
  let d = k11 * k22 - k12 * k12;
  let free = vec2f(old1 - quotient(k22 * u1 - k12 * u2, d), old2 - quotient(k11 * u2 - k12 * u1, d));
  let slip = slip_step(quotient(k22, d), quotient(-k12, d), quotient(k11, d));
  let z = in_circle(free, vec2f(old1, old2), slip, vec2f(u1, u2), friction_limit(r));
  // From memory once more: a compiler may make z of old + (z - old), whose last bit differs.
  let step1 = z.x - old1;
  let step2 = z.y - old2;
  push_row(r, a, states[params.zRead + r] + step1, step1);
  push_row(r + 1u, a, states[params.zRead + r + 1u] + step2, step2);
}

fn sweep_row(r: u32, a: u32) {
  let kind = kind_of(rows[r].ids);
  if (kind == PAIR) {
    sweep_pair(r, a);
    return;
  }
  let old = states[params.zRead + r];
  let z = scalar_row(r, old, block_speed(r, a), quotient(1.0, rows[r].a.w + states[at(GAMMA, r)]));
  push_row(r, a, z, z - old);
}

// Rows [span.x, span.y) of a link, friction before normals: those of this pass, in order.
fn sweep_link(span: vec2u, firstBody: u32) {
  let a = select(1u, 0u, rows[span.x].ids.x == firstBody);
  let count = span.y - span.x;
  // Normals are the last rows of a manifold: there is one if the row before the last is not a normal.
  let single = kind_of(rows[span.y - 1u].ids) == NORMAL && kind_of(rows[span.y - 2u].ids) != NORMAL;
  let start = select(0u, count - 1u, has(BACKWARDS) && single);
  for (var i = 0u; i < count; i++) {
    let r = span.x + (start + i) % count;
    if (kind_of(rows[r].ids) == SECOND || !takes_part(r)) { continue; }
    sweep_row(r, a);
  }
}
