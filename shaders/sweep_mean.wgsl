// Mass splitting by body pair, second half of an iteration, one lane a body: the mean of its sub-bodies (Tonge 2012, eq. 38) or,
// as printed, the body and all of their changes (eq. 16), in the order of the pairs; then what follows the iteration. Twin:
// assembly/study/methods/sweep_mean.ts.
#import row_motion

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(2) var<storage, read_write> bodyStates: array<JacobiBodyState>;
@group(0) @binding(3) var<storage, read> subs: array<vec4f>;
// First entry of each body and the end of the last, then sub-bodies.
@group(0) @binding(4) var<storage, read> parts: array<u32>;
// Velocities while positions are projected, two a body.
@group(0) @binding(5) var<storage, read_write> saved: array<vec4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let body = id.x;
  if (body >= params.bodyCount) { return; }
  if (bodies[body].inertia1.z == 0.0) { return; }
  let v = bodyStates[body].v.xyz;
  let w = bodyStates[body].w.xyz;
  let share = 1.0 / bodies[body].scales.w;
  var changeV = vec3f();
  var changeW = vec3f();
  let base = params.bodyCount + 1u;
  let end = parts[body + 1u];
  for (var i = parts[body]; i < end; i++) {
    let part = parts[base + i] * 2u;
    changeV = changeV + (subs[part].xyz - v) * share;
    changeW = changeW + (subs[part + 1u].xyz - w) * share;
  }
  move_body(body, v + changeV, w + changeW);
}
