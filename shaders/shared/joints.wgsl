// Joints of a cell: the effect of turned rows on repeated impulses, and a sweep. Twin: assembly/split/joints.ts, the same
// operations in the same order. Rows of a joint are touched by one lane of its cell only, and by turn.wgsl between passes.
#import joint_answers
#import joint_drive

// GPU_JOINT_ROWS a joint, from ids.y of its link on.
@group(0) @binding(8) var<storage, read_write> joints: array<vec4f>;

// Start of a substep: the bodies take what turn.wgsl has found.
fn kick_joint(l: u32) {
  let ids = links[l].ids;
  let kick = ids.y + JOINT_ROW_KICK;
  var pair = load_pair(ids.x);
  pair.va = pair.va + joints[kick].xyz * mass_of(pair.traitsA);
  pair.wa = pair.wa + turned(pair.a, joints[kick + 1u].xyz);
  pair.vb = pair.vb + joints[kick + 2u].xyz * mass_of(pair.traitsB);
  pair.wb = pair.wb + turned(pair.b, joints[kick + 3u].xyz);
  keep_pair(&pair);
  store_pair(pair);
}

fn solve_pair_row(rows: u32, pair: ptr<function, Pair>, kind: u32, mode: u32, isLast: bool) {
  let isPulley = kind == JOINT_PULLEY;
  let onA = joints[rows + JOINT_ROW_UNITS].xyz;
  let onB = joints[rows + JOINT_ROW_UNITS + 3u].xyz;
  let rA = joints[rows + JOINT_ROW_ARMS].xyz;
  let rB = joints[rows + JOINT_ROW_ARMS + 1u].xyz;
  var u = dot(onA, (*pair).wa) + dot(onB, (*pair).wb);
  if (isPulley) { u = dot(onA, (*pair).va + cross((*pair).wa, rA)) + dot(onB, (*pair).vb + cross((*pair).wb, rB)); }
  let masses = joints[rows + JOINT_ROW_UNITS + 1u];
  let old = joints[rows + JOINT_ROW_LIMITS].x;
  var z = old - masses.y * (u + joints[rows + JOINT_ROW_UNITS + 2u].x);
  if (mode == SPLIT_SOFT) { z = old - masses.x * (u + masses.w + masses.z * old); }
  if (isPulley) { z = max(z, 0.0); }
  joints[rows + JOINT_ROW_LIMITS].x = z;
  let d = z - old;
  let a = (*pair).a;
  let b = (*pair).b;
  if (isPulley) {
    (*pair).va = (*pair).va + onA * (d * mass_of((*pair).traitsA));
    (*pair).vb = (*pair).vb + onB * (d * mass_of((*pair).traitsB));
    (*pair).wa = (*pair).wa + turned(a, cross(rA, onA) * d);
    (*pair).wb = (*pair).wb + turned(b, cross(rB, onB) * d);
  } else {
    (*pair).wa = (*pair).wa + turned(a, onA * d);
    (*pair).wb = (*pair).wb + turned(b, onB * d);
  }
  if (mode != SPLIT_RELAX || !isLast) { return; }
  var peaks = joints[rows + JOINT_ROW_PEAKS];
  let load = abs(z) * params.invH;
  if (isPulley) {
    peaks.x = max(peaks.x, load);
  } else {
    peaks.y = max(peaks.y, load);
  }
  joints[rows + JOINT_ROW_PEAKS] = peaks;
}

fn block_at(at: u32) -> Block {
  return Block(joints[at], joints[at + 1u]);
}

// New impulse of a block whose axes move at `u`.
fn solve_block(at: u32, old: vec3f, answers: vec3f, u: vec3f, bias: vec4f, soft: bool) -> vec3f {
  if (!soft) { return old - symmetric(block_at(at + 2u), u); }
  let pushed = u + bias.xyz;
  if (bias.w == 0.0) { return old - symmetric(block_at(at + 2u), pushed); }
  return old - symmetric(block_at(at), pushed + symmetric(block_at(at + 4u), old - answers));
}

// Friction of the free angular axes, bound by the load of the anchor.
fn slip_joint(rows: u32, pair: ptr<function, Pair>) {
  let friction = joints[rows + JOINT_ROW_FRICTION];
  if (!(friction.x > 0.0 || friction.y > 0.0)) { return; }
  let most = load_bound(friction.x, length_of(joints[rows + JOINT_ROW_IMPULSES].xyz), friction.y, params.h);
  let old = joints[rows + JOINT_ROW_IMPULSES + 2u];
  let spin = (*pair).wb - (*pair).wa;
  let slip = block_at(rows + JOINT_ROW_SLIP);
  var z = old.xyz - symmetric(slip, spin);
  if (length_of(z) > most) {
    if (slip.i1.z > 0.0) { z = old.xyz - spin * slip.i1.z; }
    z = z * bounded_share(length_of(z), most);
  }
  joints[rows + JOINT_ROW_IMPULSES + 2u] = vec4f(z, old.w);
  twist_pair(pair, z - old.xyz);
}

// A single axis: dry friction, then the motor, the spring, and last the limit, so that no drive is stronger.
fn solve_unit(rows: u32, pair: ptr<function, Pair>, soft: bool, u: u32, rA: vec3f, rB: vec3f) {
  let at = rows + JOINT_ROW_UNITS + 5u * u;
  let group = rows + (u >> 2u);
  let lane = u & 3u;
  let isLinear = u < 3u;
  let unit = joints[at];
  let masses = joints[at + 1u];
  let more = joints[at + 2u];
  let force = joints[at + 3u].xyz;
  let torque = joints[at + 4u].xyz;
  let c = unit.xyz;
  let slip = relative_at(pair, rA, rB);
  let spin = (*pair).wb - (*pair).wa;
  // The speed that the axis has when the locked ones hold.
  var speed = dot(c, select(spin, slip, isLinear)) + (dot(force, slip) + dot(torque, spin));
  let mass = masses.y;
  var change = 0.0;
  var isMotor = false;
  if (u < 6u) {
    let axis = joints[rows + JOINT_ROW_AXES + 2u * u];
    let strength = joints[rows + JOINT_ROW_AXES + 2u * u + 1u];
    let mode = u32(axis.z);
    isMotor = (mode & AXIS_VELOCITY) != 0u;
    let rub = strength.w * params.h;
    if (rub > 0.0) {
      let old = joints[group + JOINT_ROW_RUBS][lane];
      let z = driven_row(old, speed, mass, rub);
      joints[group + JOINT_ROW_RUBS][lane] = z;
      change = z - old;
      speed = speed + speed_gain(z - old, mass);
    }
    let most = strength.z * params.h;
    let old = joints[group + JOINT_ROW_DRIVES][lane];
    var z = old;
    if (isMotor) { z = driven_row(old, speed - axis.w, mass, most); }
    if (soft && (mode & AXIS_POSITION) != 0u) {
      z = bound_row(spring_row(old, speed, mass, more.y, more.z), most);
    }
    joints[group + JOINT_ROW_DRIVES][lane] = z;
    change = change + (z - old);
    speed = speed + speed_gain(z - old, mass);
  }
  let side = unit.w;
  if (side != 0.0) {
    let old = joints[group + JOINT_ROW_LIMITS][lane];
    let push = side * old;
    var pushed = push - mass * (side * speed + more.x);
    if (soft) { pushed = push - masses.x * (side * speed + masses.w + masses.z * push); }
    let z = side * max(pushed, 0.0);
    change = change + (z - old);
    // A motor that runs against its limit would push ever harder, and the limit with it: the part that cancels is dropped.
    let drive = select(0.0, joints[group + JOINT_ROW_DRIVES][lane], isMotor);
    let both = cancelling(drive, z);
    joints[group + JOINT_ROW_LIMITS][lane] = z + both;
    if (both != 0.0) { joints[group + JOINT_ROW_DRIVES][lane] = drive - both; }
  }
  let held = force * change;
  let turn = torque * change;
  joints[rows + JOINT_ROW_IMPULSES] = joints[rows + JOINT_ROW_IMPULSES] + vec4f(held, 0.0);
  joints[rows + JOINT_ROW_IMPULSES + 1u] = joints[rows + JOINT_ROW_IMPULSES + 1u] + vec4f(turn, 0.0);
  let own = c * change;
  push_pair(pair, rA, rB, select(held, held + own, isLinear));
  twist_pair(pair, select(turn + own, turn, isLinear));
}

// One sweep over a joint.
fn solve_joint(l: u32, mode: u32, isLast: bool) {
  let ids = links[l].ids;
  let rows = ids.y;
  var pair = load_pair(ids.x);
  let head = joints[rows];
  let kind = u32(head.w);
  if (kind >= JOINT_GEAR) {
    solve_pair_row(rows, &pair, kind, mode, isLast);
    keep_pair(&pair);
    store_pair(pair);
    return;
  }
  let locked = u32(head.z) & 63u;
  let driven = u32(head.z) >> 6u;
  let soft = mode == SPLIT_SOFT;
  let rA = joints[rows + JOINT_ROW_ARMS].xyz;
  let rB = joints[rows + JOINT_ROW_ARMS + 1u].xyz;
  slip_joint(rows, &pair);
  if (driven != 0u) {
    for (var u = 0u; u < 7u; u++) {
      if (bit(driven, u)) { solve_unit(rows, &pair, soft, u, rA, rB); }
    }
  }
  let at = rows + JOINT_ROW_IMPULSES;
  var peaks = joints[rows + JOINT_ROW_PEAKS];
  // Locked axes give way to loads of their own only.
  let answers = answers_of(rows, select(0u, driven, soft));
  if (locked >> 3u != 0u) {
    let old = joints[at + 1u];
    let turn = joints[rows + JOINT_ROW_BIAS + 1u];
    let z = solve_block(rows + JOINT_ROW_ANGULAR, old.xyz, answers.torque, pair.wb - pair.wa, turn, soft);
    joints[at + 1u] = vec4f(z, old.w);
    twist_pair(&pair, z - old.xyz);
    peaks.y = max(peaks.y, length_of(z) * params.invH);
  }
  if ((locked & 7u) != 0u) {
    let old = joints[at];
    let close = joints[rows + JOINT_ROW_BIAS];
    let z = solve_block(rows + JOINT_ROW_LINEAR, old.xyz, answers.force, relative_at(&pair, rA, rB), close, soft);
    joints[at] = vec4f(z, old.w);
    push_pair(&pair, rA, rB, z - old.xyz);
    peaks.x = max(peaks.x, length_of(z) * params.invH);
  }
  if (!soft && isLast) { joints[rows + JOINT_ROW_PEAKS] = peaks; }
  keep_pair(&pair);
  store_pair(pair);
}
