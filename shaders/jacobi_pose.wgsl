// End of a step, one lane a body: its new pose for renderers. The CPU integrates poses too, from the deltas. Twin:
// assembly/bodies/integrate.ts, of all solvers.
#import rows
#import quaternion

@group(0) @binding(0) var<uniform> params: JacobiStep;
@group(0) @binding(1) var<storage, read> bodies: array<JacobiBody>;
@group(0) @binding(2) var<storage, read> bodyStates: array<JacobiBodyState>;
@group(0) @binding(3) var<storage, read_write> poses: array<GpuPose>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let body = id.x;
  if (body >= params.bodyCount) { return; }
  let com = vec3f(bodies[body].v.w, bodies[body].w.w, bodies[body].inertia1.w);
  var center = bodies[body].center.xyz;
  var rotation = bodies[body].rotation;
  if (bodies[body].inertia1.z > 0.0) {
    center = center + bodyStates[body].d.xyz;
    rotation = quat_normalize(quat_mul(quat_from_rotation_vector(bodyStates[body].p.xyz), rotation));
  }
  poses[body] = GpuPose(vec4f(center - quat_rotate(rotation, com), 1.0), rotation);
}
