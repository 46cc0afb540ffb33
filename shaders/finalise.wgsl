// End of a step, one lane per body: the mean of its sub-bodies, its motion, its new pose for renderers. Bodies without contacts
// run their substeps here.
//
// A body that has moved, or changed its speed, by more than a tolerance since its GpuBody was set gets a new one, and is
// reported to the CPU. All others are quiet: their GpuMotion sums up how they move, and the CPU hears nothing. Every body
// reports after GPU_REPORT_BEAT steps at the latest, and when the CPU has just changed it.
//
// The CPU integrates poses too, from the reports and with effects that only it computes (gyroscopic torque, speed limit). It
// uploads a body whose state then differs from this one. Twin: assembly/split/finalise.ts.
#import layout
#import body_hash
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

struct BodyReports {
  count: atomic<u32>,
  step: u32,
  pad0: u32,
  pad1: u32,
  list: array<GpuMotion>,
}
@group(0) @binding(8) var<storage, read_write> reports: BodyReports;

fn motion_of(v: vec3f, w: vec3f, d: vec3f, p: vec3f, hash: vec4u) -> GpuMotion {
  return GpuMotion(
    vec4u(bitcast<vec3u>(v), hash.x),
    vec4u(bitcast<vec3u>(w), hash.y),
    vec4u(bitcast<vec3u>(d), hash.z),
    vec4u(bitcast<vec3u>(p), hash.w),
  );
}

// Whether a body is quiet, with its velocity now and its motion since its GpuBody was set. False for what is not finite, by its
// bits: compilers may take comparisons for numbers.
fn is_quiet(body: u32, marks: vec4f, v: vec3f, w: vec3f, d: vec3f, p: vec3f) -> bool {
  if (marks.w == 0.0 || params.reportDistance < 0.0) { return false; }
  if (((body + reports.step) & (GPU_REPORT_BEAT - 1u)) == 0u) { return false; }
  let dv = v - bodies[body].v.xyz;
  let dw = (w - bodies[body].w.xyz) * marks.z;
  let turn = p * marks.z;
  let speed2 = params.reportSpeed * params.reportSpeed;
  let distance2 = params.reportDistance * params.reportDistance;
  let sum = square(dv) + square(dw) + square(d) + square(turn);
  if ((bitcast<u32>(sum) & 0x7f800000u) == 0x7f800000u) { return false; }
  if (marks.z < 0.0) { return sum == 0.0; }
  return square(dv) <= speed2 && square(dw) <= speed2 && square(d) <= distance2 && square(turn) <= distance2;
}

fn square(v: vec3f) -> f32 {
  return v.x * v.x + v.y * v.y + v.z * v.z;
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
  let marks = slotStates[slot].marks;
  if (marks.w == 1.0) {
    d = d + vec4f(bitcast<vec3f>(motions[body].d.xyz), 0.0);
    p = p + vec4f(bitcast<vec3f>(motions[body].p.xyz), 0.0);
  }
  let rotation = quat_normalize(quat_mul(quat_from_rotation_vector(p.xyz), bodies[body].rotation));
  if (is_quiet(body, marks, v.xyz, w.xyz, d.xyz, p.xyz)) {
    var hash = hash_of(motions[body]);
    if (marks.w != 1.0) { hash = body_hash(bodies[body], body); }
    motions[body] = motion_of(v.xyz, w.xyz, d.xyz, p.xyz, hash);
    write_pose(body, bodies[body].center.xyz + d.xyz, rotation);
    return;
  }
  bodies[body].v = vec4f(v.xyz, bodies[body].v.w);
  bodies[body].w = vec4f(w.xyz, bodies[body].w.w);
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
  let hash = body_hash(bodies[body], body);
  motions[body] = motion_of(v.xyz, w.xyz, vec3f(), vec3f(), hash);
  reports.list[atomicAdd(&reports.count, 1u)] = motion_of(v.xyz, w.xyz, d.xyz, p.xyz, hash);
  write_pose(body, sum, rotation);
}
