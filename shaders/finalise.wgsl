// End of a step, one lane per body: the mean of its sub-bodies, its deltas for the CPU, its new pose for renderers. Bodies
// without contacts run their substeps here. The CPU integrates poses too, from the deltas and with effects that only it computes
// (gyroscopic torque, speed limit). It uploads a body whose state then differs from this one. Twin: assembly/split/finalise.ts.
#import layout
#import quaternion
#import groups

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> owners: array<u32>;
@group(0) @binding(2) var<storage, read> slots: array<SplitSlot>;
@group(0) @binding(3) var<storage, read> slotStates: array<SplitSlotState>;
@group(0) @binding(4) var<storage, read> rows: array<SplitRow>;
@group(0) @binding(5) var<storage, read_write> bodies: array<GpuBody>;
@group(0) @binding(6) var<storage, read_write> motions: array<GpuMotion>;
@group(0) @binding(7) var<storage, read_write> poses: array<GpuPose>;

// Writes the result for the CPU, with a hash of the body, lane by lane, so that the CPU can check whether it comes to the same
// state (hashOf in gpu_pack.ts).
fn write_motion(body: u32, d: vec3f, p: vec3f) {
  let b = bodies[body];
  let hash = (bitcast<vec4u>(b.center) * 0x9e3779b1u)
    ^ (bitcast<vec4u>(b.centerLow) * 0x85ebca77u)
    ^ (bitcast<vec4u>(b.rotation) * 0xc2b2ae3du)
    ^ (bitcast<vec4u>(b.v) * 0x27d4eb2fu)
    ^ (bitcast<vec4u>(b.w) * 0x165667b1u);
  motions[body] = GpuMotion(
    vec4u(bitcast<vec3u>(b.v.xyz), hash.x),
    vec4u(bitcast<vec3u>(b.w.xyz), hash.y),
    vec4u(bitcast<vec3u>(d), hash.z),
    vec4u(bitcast<vec3u>(p), hash.w),
  );
}

// The same bits. A compiler that takes sums apart does not see through it: zero it learns with the step.
fn rounded(x: vec3f) -> vec3f {
  return bitcast<vec3f>(bitcast<vec3u>(x) ^ vec3u(params.zero));
}

// The mean of a body's sub-bodies, in row order.
fn mean_row(base: u32, k: u32, share: f32) -> SplitRow {
  var v = rows[base].v;
  var w = rows[base].w;
  for (var j = 1u; j < k; j++) {
    v = v + rows[base + j].v;
    w = w + rows[base + j].w;
  }
  return SplitRow(v * share, w * share);
}

fn write_pose(body: u32, center: vec3f, rotation: vec4f) {
  let com = vec3f(bodies[body].centerLow.w, bodies[body].v.w, bodies[body].w.w);
  poses[body].position = vec4f(center - quat_rotate(rotation, com), 1.0);
  poses[body].rotation = rotation;
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let body = index_of(id, LANES);
  if (body >= params.count) { return; }
  let slot = owners[body];
  if (slot == NONE) {
    write_motion(body, vec3f(), vec3f());
    write_pose(body, bodies[body].center.xyz, bodies[body].rotation);
    return;
  }
  let ids = slots[slot].ids;
  var v: vec4f;
  var w: vec4f;
  var d: vec4f;
  var p: vec4f;
  if (ids.y == 0u) {
    v = slotStates[slot].vStart;
    w = slotStates[slot].wStart;
    d = vec4f();
    p = vec4f();
    let a = params.h * slotStates[slot].accel;
    let b = params.h * slotStates[slot].angularAccel;
    for (var i = 0u; i < params.substeps; i++) {
      v = v + a;
      w = w + b;
      d = d + params.h * v;
      p = p + params.h * w;
    }
  } else {
    d = slotStates[slot].d;
    p = slotStates[slot].p;
    if (ids.y == 1u) {
      v = slotStates[slot].v;
      w = slotStates[slot].w;
    } else {
      let base = params.rowRead + ids.x;
      let share = slotStates[slot].inertia1.w;
      let mean = mean_row(base, ids.y, share);
      v = mean.v;
      w = mean.w;
      if (params.softRows != 0u) {
        let soft = mean_row(base + params.softRows, ids.y, share);
        d = d + params.h * soft.v;
        p = p + params.h * soft.w;
      }
    }
  }
  bodies[body].v = vec4f(v.xyz, bodies[body].v.w);
  bodies[body].w = vec4f(w.xyz, bodies[body].w.w);
  let rotation = quat_normalize(quat_mul(quat_from_rotation_vector(p.xyz), bodies[body].rotation));
  bodies[body].rotation = rotation;
  // Two-sum: center + d = high + low. WGSL lets compilers reassociate, which would make low zero.
  let x = bodies[body].center.xyz;
  let y = rounded(d.xyz + bodies[body].centerLow.xyz);
  let sum = rounded(x + y);
  let yy = rounded(sum - x);
  let xx = rounded(sum - yy);
  let low = rounded(x - xx) + rounded(y - yy);
  bodies[body].center = vec4f(sum, bodies[body].center.w);
  bodies[body].centerLow = vec4f(low, bodies[body].centerLow.w);
  write_motion(body, d.xyz, p.xyz);
  write_pose(body, sum, rotation);
}
