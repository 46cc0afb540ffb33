// Matrices of the instances of a mesh: the poses of their bodies between two steps, times their scales, in the frame of the mesh.
// The result is the one of `World.readMatrices`. One lane per instance.

const LANES = 64u;
// Slot of an instance without a body.
const NONE = 0xffffffffu;

struct Frame {
  // From the world to the frame of the mesh.
  home: mat4x4f,
  // Where the sets of poses begin, in vec4: after the last step, and before.
  now: u32,
  before: u32,
  count: u32,
  // 1 for the poses after the last step, 0 for those before.
  blend: f32,
}

struct Instance {
  scale: vec3f,
  slot: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> poses: array<vec4f>;
@group(0) @binding(2) var<storage, read> instances: array<Instance>;
@group(0) @binding(3) var<storage, read_write> matrices: array<mat4x4f>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= frame.count) { return; }
  let instance = instances[i];
  // Without a body, all vertices of the instance fall on one point and nothing is drawn.
  matrices[i] = mat4x4f();
  if (instance.slot == NONE) { return; }
  let at = 2u * instance.slot;
  let position = poses[frame.now + at];
  let rotation = poses[frame.now + at + 1u];
  if (position.w < 0.5) { return; }
  // A body that was not there before the step stands at its present pose.
  let earlier = poses[frame.before + at];
  let was_there = earlier.w > 0.5;
  var turned = select(rotation, poses[frame.before + at + 1u], was_there);
  if (dot(rotation, turned) < 0.0) { turned = -turned; }
  let q = normalize(mix(turned, rotation, frame.blend));
  let p = mix(select(position.xyz, earlier.xyz, was_there), position.xyz, frame.blend);

  let d = q.xyz + q.xyz;
  let x = q.x * d;
  let y = q.y * d;
  let z = q.z * d;
  let w = q.w * d;
  let s = instance.scale;
  matrices[i] = frame.home * mat4x4f(
    vec4f(1.0 - (y.y + z.z), x.y + w.z, x.z - w.y, 0.0) * s.x,
    vec4f(x.y - w.z, 1.0 - (x.x + z.z), y.z + w.x, 0.0) * s.y,
    vec4f(x.z + w.y, y.z - w.x, 1.0 - (x.x + y.y), 0.0) * s.z,
    vec4f(p, 1.0),
  );
}
