// Rows of joints at the start of a step: one lane a link. Arms, frames and gaps from the poses of the bodies, masses of
// driven axes, impulses scaled to the substeps of this step. Twin: assembly/split/joint.ts.
#import layout
#import link
#import locks
#import groups
#import joint_axes

override LANES: u32 = 64u;

@group(0) @binding(0) var<uniform> params: SplitStep;
@group(0) @binding(1) var<storage, read> members: array<SplitMember>;
@group(0) @binding(2) var<storage, read> bodies: array<GpuBody>;
@group(0) @binding(3) var<storage, read> slotStates: array<SplitSlotState>;
@group(0) @binding(4) var<storage, read_write> links: array<SplitLink>;
@group(0) @binding(5) var<storage, read_write> joints: array<vec4f>;

// A body at the start of the step; the world is at rest at 0.
struct Pose {
  center: vec3f,
  low: vec3f,
  arm: vec3f,
}

fn pose_of(body: f32, anchor: vec3f) -> Pose {
  if (body < 0.0) { return Pose(vec3f(), vec3f(), anchor); }
  let b = bodies[u32(body)];
  let com = vec3f(b.centerLow.w, b.v.w, b.w.w);
  return Pose(b.center.xyz, b.centerLow.xyz, quat_rotate(b.rotation, anchor - com));
}

// Inertia of a body, its inverse mass in i1.z, its locks in i1.w.
fn inertia_of(slot: u32) -> Block {
  if (slot == NONE) { return Block(vec4f(), vec4f()); }
  return Block(slotStates[slot].inertia0, vec4f(slotStates[slot].inertia1.xyz, slotStates[slot].marks.y));
}

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let link = index_of(id, LANES);
  if (link >= params.count) { return; }
  let member = members[link];
  if (member.room != NONE) { return; }
  let rows = member.manifold * GPU_JOINT_ROWS;
  links[link].ids = vec4u(link_marks(member.locals, 0u, 0u, 1.0), rows, 0u, 0u);
  let ids = joints[rows];
  let kind = u32(ids.w);
  let locked = u32(ids.z) & 63u;
  let driven = u32(ids.z) >> 6u;
  let a = pose_of(ids.x, joints[rows + JOINT_ROW_ANCHORS].xyz);
  let b = pose_of(ids.y, joints[rows + JOINT_ROW_ANCHORS + 1u].xyz);
  joints[rows + JOINT_ROW_START] = vec4f(a.arm, 1.0 / member.kA);
  joints[rows + JOINT_ROW_START + 1u] = vec4f(b.arm, 1.0 / member.kB);
  let gap = ((b.center - a.center) + (b.low - a.low)) + (b.arm - a.arm);
  joints[rows + JOINT_ROW_START + 4u] = vec4f(gap, 0.0);
  var qa = joints[rows + JOINT_ROW_FRAMES];
  var qb = joints[rows + JOINT_ROW_FRAMES + 1u];
  if (kind == JOINT_PULLEY) {
    qa = vec4f(((a.center - qa.xyz) + a.low) + a.arm, 0.0);
    qb = vec4f(((b.center - qb.xyz) + b.low) + b.arm, 0.0);
  } else {
    if (ids.x >= 0.0) { qa = quat_mul(bodies[u32(ids.x)].rotation, qa); }
    qb = quat_mul(bodies[u32(ids.y)].rotation, qb);
  }
  joints[rows + JOINT_ROW_START + 2u] = qa;
  joints[rows + JOINT_ROW_START + 3u] = qb;
  let before = joints[rows + JOINT_ROW_IMPULSES + 2u].w;
  let scale = select(0.0, params.h / before, before > 0.0);
  for (var i = JOINT_ROW_IMPULSES; i < JOINT_ROW_PEAKS; i++) { joints[rows + i] = joints[rows + i] * scale; }
  joints[rows + JOINT_ROW_IMPULSES + 2u].w = params.h;
  let twist = joints[rows + JOINT_ROW_PEAKS].w;
  joints[rows + JOINT_ROW_PEAKS] = vec4f(0.0, 0.0, twist, twist);
  if (kind >= JOINT_GEAR) { return; }

  // Mass along each driven axis once the locked axes hold.
  joints[rows + JOINT_ROW_START + 5u] = vec4f();
  joints[rows + JOINT_ROW_START + 6u] = vec4f();
  if (driven == 0u) { return; }
  var axes = measure_axes(kind, locked, driven, qa, qb, gap);
  let c = Coupling(inertia_of(member.slotA), inertia_of(member.slotB), a.arm + gap, b.arm);
  let near = anchor_block(c.a.i1.z * lock_shares(c.a.i1.w), c.a, c.rA);
  let p = block_sum(near, anchor_block(c.b.i1.z * lock_shares(c.b.i1.w), c.b, c.rB));
  let linear = invert_block(p, axes.basis[0], axes.basis[1], axes.basis[2], locked & 7u);
  let angular = invert_held_spins(c, linear, axes.basis[7], axes.basis[8], axes.basis[9], locked >> 3u);
  for (var i = 0u; i < 7u; i++) {
    if (!bit(driven, i)) { continue; }
    let axis = axes.basis[i];
    let isLinear = i < 3u;
    var slip = slip_of(c, axis);
    var spin = symmetric(c.a, axis) + symmetric(c.b, axis);
    if (isLinear) {
      slip = symmetric(p, axis);
      spin = spin_of(c, axis);
    }
    let rest = spin - spin_of(c, symmetric(linear, slip));
    let torque = symmetric(angular, rest);
    let force = symmetric(linear, slip - slip_of(c, torque));
    let k = dot(axis, select(spin, slip, isLinear)) - dot(slip, force) - dot(spin, torque);
    joints[rows + JOINT_ROW_START + 5u + (i >> 2u)][i & 3u] = inverse_of(k);
  }
}
