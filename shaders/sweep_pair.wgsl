// Mass splitting by body pair, first half of an iteration, one lane a pair: Gauss-Seidel over the rows of the pair, a sweep or all
// sweeps of a pass, on sub-bodies of its own, which start with the velocities of the bodies (Tonge 2012, eq. 35-37; as printed: Algorithm 1, line 18). Which of
// the two: the factors in the rows. The second half is sweep_mean.wgsl. Twin: assembly/study/methods/sweep_pair.ts.
#import sweep

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> rows: array<JacobiRow>;
@group(0) @binding(2) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(3) var<storage, read> bodyStates: array<JacobiBodyState>;
@group(0) @binding(4) var<storage, read_write> states: array<f32>;
// Rows of the links, pair by pair.
@group(0) @binding(5) var<storage, read> links: array<vec2u>;
// First link of each pair, and the end of the last.
@group(0) @binding(6) var<storage, read> blocks: array<u32>;
// Velocities of the sub-bodies, four vectors a pair: v and w of its first body, v and w of its second.
@group(0) @binding(7) var<storage, read_write> subs: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let block = id.x;
  if (block >= params.last) { return; }
  let end = blocks[block + 1u];
  let ids = rows[links[blocks[block]].x].ids;
  var pair = array(ids.x, ids.y);
  for (var side = 0u; side < 2u; side++) {
    blockV[side] = bodyStates[pair[side]].v.xyz;
    blockW[side] = bodyStates[pair[side]].w.xyz;
  }
  for (var sweep = 0u; sweep < params.sweeps; sweep++) {
    for (var i = blocks[block]; i < end; i++) { sweep_link(links[i], ids.x); }
  }
  for (var side = 0u; side < 2u; side++) {
    subs[block * 4u + side * 2u] = vec4f(blockV[side], 0.0);
    subs[block * 4u + side * 2u + 1u] = vec4f(blockW[side], 0.0);
  }
}
