// A joint before the sweeps of a pass: its rows at the poses of the moment, its impulses, and what bodies have to take for both.
//
// Before the relax pass, after bodies have moved, arms, axes, errors and masses are updated to the new poses. Before the soft
// pass, that pass is prepared to correct the effect of repeated impulses along outdated rows, and the part of impulses beyond
// twice their previous value. In the warm pass, the first of a step, rows are those of its start and the stored impulses are not
// applied yet.
// Kernels declare `params`, `joints` (read_write) and share_of(). Twin: assembly/split/turn.ts.
#import layout
#import locks
#import joint_axes
#import joint_drive
#import joint_answers

const JOINT_MOST = 1e30;

// A body of a joint: its share of the mass, its motion since the start of the step, the spin of its last motion.
struct Share {
  inertia: Block, // inverse mass in i1.z, locks in i1.w
  d: vec3f,
  p: vec3f,
  v: vec3f,
  w: vec3f,
}

// Impulses and angular impulses of a joint on A and B.
struct Wrench {
  pushA: vec3f,
  twistA: vec3f,
  pushB: vec3f,
  twistB: vec3f,
}

fn wrench_of(rows: u32, kind: u32, driven: u32) -> Wrench {
  let rA = joints[rows + JOINT_ROW_ARMS].xyz;
  let rB = joints[rows + JOINT_ROW_ARMS + 1u].xyz;
  if (kind >= JOINT_GEAR) {
    let z = joints[rows + JOINT_ROW_LIMITS].x;
    let onA = joints[rows + JOINT_ROW_UNITS].xyz * z;
    let onB = joints[rows + JOINT_ROW_UNITS + 3u].xyz * z;
    if (kind == JOINT_GEAR) { return Wrench(vec3f(), onA, vec3f(), onB); }
    return Wrench(onA, cross(rA, onA), onB, cross(rB, onB));
  }
  var push = joints[rows + JOINT_ROW_IMPULSES].xyz;
  var twist = joints[rows + JOINT_ROW_IMPULSES + 1u].xyz + joints[rows + JOINT_ROW_IMPULSES + 2u].xyz;
  if (driven != 0u) {
    for (var u = 0u; u < 7u; u++) {
      if (!bit(driven, u)) { continue; }
      let group = rows + (u >> 2u);
      let lane = u & 3u;
      let pushed = joints[group + JOINT_ROW_LIMITS][lane] + joints[group + JOINT_ROW_DRIVES][lane];
      let z = pushed + joints[group + JOINT_ROW_RUBS][lane];
      let c = joints[rows + JOINT_ROW_UNITS + 5u * u].xyz * z;
      if (u < 3u) { push = push + c; } else { twist = twist + c; }
    }
  }
  return Wrench(-push, -(cross(rA, push) + twist), push, cross(rB, push) + twist);
}

// An impulse in world axes, repeated: its own part, without the answers to single axes, at most twice the one before.
fn repeated(z: vec4f, factor: f32, answer: vec3f, now: vec3f) -> vec4f {
  let own = z.xyz - answer;
  let size = length_of(own);
  let most = z.w + z.w;
  return vec4f(own * (select(1.0, most / size, size > most) * factor) + now, length_of(z.xyz) * factor);
}

// Impulses that a substep begins with; the first of a step has none but those carried, and no rows yet.
fn repeat_impulses(rows: u32, driven: u32, factor: f32, isStart: bool) {
  let answered = select(driven, 0u, isStart);
  let before = answers_of(rows, answered);
  let at = rows + JOINT_ROW_IMPULSES;
  let load = joints[at + 2u];
  joints[at + 2u] = vec4f(load.xyz * factor, load.w);
  for (var i = JOINT_ROW_DRIVES; i < JOINT_ROW_PEAKS; i++) { joints[rows + i] = joints[rows + i] * factor; }
  for (var i = 0u; i < 2u; i++) {
    let z = joints[rows + JOINT_ROW_LIMITS + i];
    let last = joints[rows + JOINT_ROW_BEFORE + i];
    let most = abs(last + last);
    joints[rows + JOINT_ROW_BEFORE + i] = z * factor;
    joints[rows + JOINT_ROW_LIMITS + i] = max(-most, min(most, z)) * factor;
  }
  let now = answers_of(rows, answered);
  joints[at] = repeated(joints[at], factor, before.force, now.force);
  joints[at + 1u] = repeated(joints[at + 1u], factor, before.torque, now.torque);
}

// The part of an impulse along the axes in `mask`.
fn projected(z: vec4f, a: vec3f, b: vec3f, c: vec3f, mask: u32) -> vec4f {
  if (mask == 7u) { return z; }
  let kept = (a * select(0.0, dot(a, z.xyz), bit(mask, 0u)) + b * select(0.0, dot(b, z.xyz), bit(mask, 1u)))
    + c * select(0.0, dot(c, z.xyz), bit(mask, 2u));
  return vec4f(kept, z.w);
}

fn store_blocks(rows: u32, split: Block, whole: Block, a: vec3f, b: vec3f, c: vec3f, mask: u32) {
  let g = Block(whole.i0 * params.jointGamma, whole.i1 * params.jointGamma);
  let soft = invert_block(block_sum(split, g), a, b, c, mask);
  let rigid = invert_block(split, a, b, c, mask);
  joints[rows] = soft.i0;
  joints[rows + 1u] = soft.i1;
  joints[rows + 2u] = rigid.i0;
  joints[rows + 3u] = rigid.i1;
  joints[rows + 4u] = g.i0;
  joints[rows + 5u] = g.i1;
}

// Velocity that takes an error out; w 1: soft.
fn push_of(error: vec3f) -> vec4f {
  let capped = capped_rate(params.jointRate, dot(error, error));
  return vec4f(error * capped, select(1.0, 0.0, capped < params.jointRate));
}

// Half of what the turn of arms and axes does to the relative velocity within a substep.
fn bent(push: vec4f, bend: vec3f) -> vec4f {
  return push + vec4f(bend * (0.5 * params.h), 0.0);
}

// The same for a distance along `axis`, whose direction turns.
fn bent_length(axis: vec3f, length: f32, slip: vec3f, wA: vec3f, bend: vec3f) -> f32 {
  let along = dot(slip, axis);
  let across = max(dot(slip, slip) - along * along, 0.0);
  let sum = dot(axis, bend) + across / max(length, 1e-3) + 2.0 * dot(slip, cross(wA, axis));
  return clamp(0.5 * params.h * sum, -JOINT_PUSH, JOINT_PUSH);
}

fn whole_block(a: Block, b: Block, invKA: f32, invKB: f32) -> Block {
  return Block(a.i0 * invKA + b.i0 * invKB, a.i1 * invKA + b.i1 * invKB);
}

fn turn_blocks(rows: u32, axes: ptr<function, Axes>, sideA: Share, sideB: Share, kind: u32, locked: u32, rA: vec3f, rB: vec3f) {
  let a = sideA.inertia;
  let b = sideB.inertia;
  let wA = sideA.w;
  let wB = sideB.w;
  let linear = locked & 7u;
  let angular = locked >> 3u;
  let invKA = joints[rows + JOINT_ROW_START].w;
  let invKB = joints[rows + JOINT_ROW_START + 1u].w;
  let la = (*axes).basis[0];
  let lb = (*axes).basis[1];
  let lc = (*axes).basis[2];
  let aa = (*axes).basis[7];
  let ab = (*axes).basis[8];
  let ac = (*axes).basis[9];
  let at = rows + JOINT_ROW_IMPULSES;
  joints[at] = projected(joints[at], la, lb, lc, linear);
  joints[at + 1u] = projected(joints[at + 1u], aa, ab, ac, angular);
  if (linear != 0u) {
    let ka = anchor_block(a.i1.z * lock_shares(a.i1.w), a, rA);
    let kb = anchor_block(b.i1.z * lock_shares(b.i1.w), b, rB);
    store_blocks(rows + JOINT_ROW_LINEAR, block_sum(ka, kb), whole_block(ka, kb, invKA, invKB), la, lb, lc, linear);
    let bend = cross(wB, cross(wB, rB)) - cross(wA, cross(wA, rA));
    if (kind == JOINT_DISTANCE) {
      let length = (*axes).places[0];
      let slip = (sideB.v + cross(wB, rB)) - (sideA.v + cross(wA, rA));
      let gain = bent_length(la, length, slip, wA, bend);
      joints[rows + JOINT_ROW_BIAS] = push_of(la * (length - joints[rows + JOINT_ROW_AXES].w)) + vec4f(la * gain, 0.0);
    } else {
      joints[rows + JOINT_ROW_BIAS] = bent(push_of((*axes).gap), bend);
    }
  }
  let friction = joints[rows + JOINT_ROW_FRICTION];
  let free = select(0u, 7u & ~angular, friction.x > 0.0 || friction.y > 0.0);
  if (angular != 0u || free != 0u) {
    let split = block_sum(a, b);
    if (angular != 0u) {
      store_blocks(rows + JOINT_ROW_ANGULAR, split, whole_block(a, b, invKA, invKB), aa, ab, ac, angular);
      joints[rows + JOINT_ROW_BIAS + 1u] = bent(push_of((*axes).turn), cross(wB - wA, wA));
    }
    let slip = invert_block(split, aa, ab, ac, free);
    let trace = split.i0.x + split.i0.w + split.i1.y;
    joints[rows + JOINT_ROW_SLIP] = slip.i0;
    joints[rows + JOINT_ROW_SLIP + 1u] = vec4f(slip.i1.xy, select(0.0, inverse_of(trace), free == 7u), 0.0);
  }
  joints[at + 2u] = projected(joints[at + 2u], aa, ab, ac, free);
}

fn free_mass(body: Block) -> vec3f {
  return body.i1.z * lock_shares(body.i1.w);
}
// Velocity of B against A at the anchors from an impulse there and an angular impulse.
fn slip_from(c: Coupling, push: vec3f, twist: vec3f) -> vec3f {
  let onA = push * free_mass(c.a) + cross(symmetric(c.a, cross(c.rA, push) + twist), c.rA);
  let onB = push * free_mass(c.b) + cross(symmetric(c.b, cross(c.rB, push) + twist), c.rB);
  return onA + onB;
}
// Spin of B against A from them.
fn spin_from(c: Coupling, push: vec3f, twist: vec3f) -> vec3f {
  return symmetric(c.a, cross(c.rA, push) + twist) + symmetric(c.b, cross(c.rB, push) + twist);
}
// Effect of such impulses on one body along themselves.
fn wrench_k(body: Block, r: vec3f, push: vec3f, twist: vec3f) -> f32 {
  let arm = cross(r, push) + twist;
  return dot(push * free_mass(body), push) + dot(arm, symmetric(body, arm));
}

fn store_unit(at: u32, split: f32, whole: f32, error: f32, bounded: bool) {
  let rigid = inverse_of(split);
  var gamma = whole * params.jointGamma;
  var bias = params.jointRate * error;
  var soft = inverse_of(split + gamma);
  var relax = 0.0;
  if (bounded && error > 0.0) {
    bias = min(error, JOINT_MOST) * params.invH;
    relax = bias;
    gamma = 0.0;
    soft = rigid;
  } else if (bias > JOINT_PUSH || bias < -JOINT_PUSH) {
    bias = select(-JOINT_PUSH, JOINT_PUSH, bias > 0.0);
    gamma = 0.0;
    soft = rigid;
  }
  joints[at] = vec4f(soft, rigid, gamma, bias);
  joints[at + 1u] = vec4f(relax, 0.0, 0.0, 0.0);
}

// The spring of an axis, by the mass that it has at the start of the step.
fn turn_spring(rows: u32, at: u32, u: u32, place: f32) {
  let axis = joints[rows + JOINT_ROW_AXES + 2u * u];
  let mode = u32(axis.z);
  if ((mode & AXIS_POSITION) == 0u) { return; }
  let drive = joints[rows + JOINT_ROW_AXES + 2u * u + 1u];
  let mass = joints[rows + JOINT_ROW_START + 5u + (u >> 2u)][u & 3u];
  var spring = spring_by_frequency(params.h, drive.x, drive.y);
  if ((mode & AXIS_STIFFNESS) != 0u) { spring = spring_by_stiffness(params.h, mass, drive.x, drive.y); }
  let pull = mass * spring.x * (params.invH * (place - axis.w));
  joints[at] = vec4f(joints[at].x, mass * spring_hold(spring), pull, 0.0);
}

// Whole turns of the twist are counted, where it is regular.
fn count_turns(rows: u32, axes: ptr<function, Axes>) {
  let peaks = joints[rows + JOINT_ROW_PEAKS];
  let twist = counted_twist((*axes).places[5], peaks.z);
  let kept = select(peaks.z, twist, (*axes).regular);
  joints[rows + JOINT_ROW_PEAKS] = vec4f(peaks.xy, kept, kept);
  (*axes).places[5] = twist;
}

// Limits, drives and friction of single axes, and the cone; each with what the locked axes answer to it.
fn turn_units(rows: u32, axes: ptr<function, Axes>, a: Block, b: Block, driven: u32, locked: u32, rA: vec3f, rB: vec3f) {
  let invKA = joints[rows + JOINT_ROW_START].w;
  let invKB = joints[rows + JOINT_ROW_START + 1u].w;
  let c = Coupling(a, b, rA, rB);
  var linear = Block(vec4f(), vec4f());
  if ((locked & 7u) != 0u) { linear = Block(joints[rows + JOINT_ROW_LINEAR + 2u], joints[rows + JOINT_ROW_LINEAR + 3u]); }
  let angular = invert_held_spins(c, linear, (*axes).basis[7], (*axes).basis[8], (*axes).basis[9], locked >> 3u);
  for (var u = 0u; u < 7u; u++) {
    if (!bit(driven, u)) { continue; }
    let at = rows + JOINT_ROW_UNITS + 5u * u;
    let isLinear = u < 3u;
    let axis = (*axes).basis[u];
    let own = select(vec3f(), axis, isLinear);
    let turn = select(axis, vec3f(), isLinear);
    let slip = slip_from(c, own, turn);
    let spin = spin_from(c, own, turn);
    let rest = spin - spin_from(c, symmetric(linear, slip), vec3f());
    let torque = -symmetric(angular, rest);
    let force = -symmetric(linear, slip + slip_from(c, vec3f(), torque));
    let kA = wrench_k(a, rA, own + force, turn + torque);
    let kB = wrench_k(b, rB, own + force, turn + torque);
    var side = 0.0;
    var error = 0.0;
    var place = 0.0;
    let regular = (*axes).regular || !has_singularity(u, locked);
    if (u == 6u) {
      side = 1.0;
      error = joints[rows + JOINT_ROW_ANCHORS].w - (*axes).swing;
    } else if (regular) {
      place = (*axes).places[u];
      let told = joints[rows + JOINT_ROW_AXES + 2u * u];
      if ((u32(told.z) & AXIS_LIMITED) != 0u) {
        let above = place - told.x;
        let below = told.y - place;
        side = limit_side(above, below);
        error = min(above, below);
      }
    }
    joints[at] = vec4f(axis, side);
    store_unit(at + 1u, select(0.0, kA + kB, regular), select(0.0, kA * invKA + kB * invKB, regular), error, true);
    joints[at + 3u] = vec4f(force, 0.0);
    joints[at + 4u] = vec4f(torque, 0.0);
    let group = rows + JOINT_ROW_LIMITS + (u >> 2u);
    let limit = joints[group][u & 3u];
    let kept = side * max(side * limit, 0.0);
    joints[group][u & 3u] = kept;
    var change = kept - limit;
    if (!regular) {
      // Near a singularity nothing limits or drives the angle.
      let drives = rows + JOINT_ROW_DRIVES + (u >> 2u);
      let rubs = rows + JOINT_ROW_RUBS + (u >> 2u);
      change = change - (joints[drives][u & 3u] + joints[rubs][u & 3u]);
      joints[drives][u & 3u] = 0.0;
      joints[rubs][u & 3u] = 0.0;
    }
    let answered = rows + JOINT_ROW_IMPULSES;
    joints[answered] = joints[answered] + vec4f(force * change, 0.0);
    joints[answered + 1u] = joints[answered + 1u] + vec4f(torque * change, 0.0);
    if (u < 6u) { turn_spring(rows, at + 2u, u, place); }
  }
}

// Gear and pulley: one row of two directions.
fn turn_pair(rows: u32, a: Share, b: Share, kind: u32, turnA: vec4f, turnB: vec4f, rA: vec3f, rB: vec3f) {
  let ratio = joints[rows + JOINT_ROW_ANCHORS + 1u].w;
  let start = rows + JOINT_ROW_START;
  let isPulley = kind == JOINT_PULLEY;
  var onA: vec3f;
  var onB: vec3f;
  var error: f32;
  if (isPulley) {
    let lineA = (joints[start + 2u].xyz + a.d) + (rA - joints[start].xyz);
    let lineB = (joints[start + 3u].xyz + b.d) + (rB - joints[start + 1u].xyz);
    let lengthA = length_of(lineA);
    let lengthB = length_of(lineB);
    onA = lineA * rope_share(-1.0, lengthA);
    onB = lineB * rope_share(-ratio, lengthB);
    error = joints[rows + JOINT_ROW_AXES].y - rope_length(lengthA, lengthB, ratio);
  } else {
    onA = quat_columns(quat_mul(turnA, joints[start + 2u])).c2;
    onB = quat_columns(quat_mul(turnB, joints[start + 3u])).c2 * ratio;
    // How far the bodies have turned is added up.
    error = joints[rows + JOINT_ROW_PEAKS].z + (dot(onA, a.p) + dot(onB, b.p));
    joints[rows + JOINT_ROW_PEAKS].w = error;
  }
  joints[rows + JOINT_ROW_ARMS] = vec4f(rA, 0.0);
  joints[rows + JOINT_ROW_ARMS + 1u] = vec4f(rB, 0.0);
  joints[rows + JOINT_ROW_UNITS] = vec4f(onA, 0.0);
  joints[rows + JOINT_ROW_UNITS + 3u] = vec4f(onB, 0.0);
  let kA = wrench_k(a.inertia, rA, select(vec3f(), onA, isPulley), select(onA, vec3f(), isPulley));
  let kB = wrench_k(b.inertia, rB, select(vec3f(), onB, isPulley), select(onB, vec3f(), isPulley));
  store_unit(rows + JOINT_ROW_UNITS + 1u, kA + kB, kA * joints[start].w + kB * joints[start + 1u].w, error, isPulley);
}

// Updates arms, axes, errors and masses to the present poses.
fn turn_rows(rows: u32, a: Share, b: Share, kind: u32, locked: u32, driven: u32) {
  let turnA = quat_from_rotation_vector(a.p);
  let turnB = quat_from_rotation_vector(b.p);
  let startA = joints[rows + JOINT_ROW_START].xyz;
  let startB = joints[rows + JOINT_ROW_START + 1u].xyz;
  let rA0 = quat_rotate(turnA, startA);
  let rB = quat_rotate(turnB, startB);
  if (kind >= JOINT_GEAR) {
    turn_pair(rows, a, b, kind, turnA, turnB, rA0, rB);
    return;
  }
  let gap = (joints[rows + JOINT_ROW_START + 4u].xyz + (b.d - a.d)) + ((rB - startB) - (rA0 - startA));
  let rA = rA0 + gap;
  joints[rows + JOINT_ROW_ARMS] = vec4f(rA, 0.0);
  joints[rows + JOINT_ROW_ARMS + 1u] = vec4f(rB, 0.0);
  let qa = quat_mul(turnA, joints[rows + JOINT_ROW_START + 2u]);
  let qb = quat_mul(turnB, joints[rows + JOINT_ROW_START + 3u]);
  var axes = measure_axes(kind, locked, driven, qa, qb, gap);
  if ((locked & 32u) == 0u && (locked != 7u || driven != 0u)) { count_turns(rows, &axes); }
  turn_blocks(rows, &axes, a, b, kind, locked, rA, rB);
  if (driven != 0u) { turn_units(rows, &axes, a.inertia, b.inertia, driven, locked, rA, rB); }
}

// The joint whose rows these are. Its bodies lie where share_of() finds them; kA and kB: sub-bodies of theirs.
fn turn_joint(rows: u32, endA: u32, endB: u32, kA: f32, kB: f32, mode: u32) {
  let head = joints[rows];
  let kind = u32(head.w);
  let locked = u32(head.z) & 63u;
  let driven = u32(head.z) >> 6u;
  var old = Wrench(vec3f(), vec3f(), vec3f(), vec3f());
  if (mode == SPLIT_WARM) {
    joints[rows + JOINT_ROW_BEFORE] = joints[rows + JOINT_ROW_LIMITS];
    joints[rows + JOINT_ROW_BEFORE + 1u] = joints[rows + JOINT_ROW_LIMITS + 1u];
  } else {
    old = wrench_of(rows, kind, driven);
  }
  if (mode != SPLIT_RELAX) {
    let warm = mode == SPLIT_WARM;
    repeat_impulses(rows, driven, select(1.0, params.warmStart, warm), warm);
  }
  if (mode != SPLIT_SOFT) {
    turn_rows(rows, share_of(endA, kA, mode), share_of(endB, kB, mode), kind, locked, driven);
  }
  let now = wrench_of(rows, kind, driven);
  var before = array<vec4f, 4>();
  if (mode == SPLIT_SOFT) {
    for (var i = 0u; i < 4u; i++) { before[i] = joints[rows + JOINT_ROW_KICK + i]; }
  }
  joints[rows + JOINT_ROW_KICK] = before[0] + vec4f(now.pushA - old.pushA, 0.0);
  joints[rows + JOINT_ROW_KICK + 1u] = before[1] + vec4f(now.twistA - old.twistA, 0.0);
  joints[rows + JOINT_ROW_KICK + 2u] = before[2] + vec4f(now.pushB - old.pushB, 0.0);
  joints[rows + JOINT_ROW_KICK + 3u] = before[3] + vec4f(now.twistB - old.twistB, 0.0);
}
