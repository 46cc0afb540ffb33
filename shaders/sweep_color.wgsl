// Gauss-Seidel by graph colors (Tonge 2012, section 3.4.1), one lane a link, one dispatch a color: links of a color share no
// dynamic body, so that each lane writes its own. Colors follow each other by dispatches. Twin:
// assembly/study/methods/sweep_color.ts.
#import sweep

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> rows: array<JacobiRow>;
@group(0) @binding(2) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(3) var<storage, read_write> bodyStates: array<JacobiBodyState>;
@group(0) @binding(4) var<storage, read_write> states: array<f32>;
// Rows of the links, color by color.
@group(0) @binding(5) var<storage, read> links: array<vec2u>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = params.first + id.x;
  if (i >= params.last) { return; }
  let span = links[i];
  let ids = rows[span.x].ids;
  var pair = array(ids.x, ids.y);
  for (var side = 0u; side < 2u; side++) {
    blockV[side] = bodyStates[pair[side]].v.xyz;
    blockW[side] = bodyStates[pair[side]].w.xyz;
  }
  sweep_link(span, ids.x);
  for (var side = 0u; side < 2u; side++) {
    let body = pair[side];
    // Bodies that impulses do not move are read by other lanes.
    if (bodies[body].center.w == 0.0) { continue; }
    bodyStates[body].v = vec4f(blockV[side], 0.0);
    bodyStates[body].w = vec4f(blockW[side], 0.0);
  }
}
