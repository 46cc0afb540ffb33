// Joints of a cell: what turned rows do to repeated impulses, and a sweep. Twin: assembly/solver/joint_rows.ts, the same
// operations in the same order. Rows of a joint are touched by one lane of its cell only, and by turn.wgsl between passes.
#import joint_block

// GPU_JOINT_ROWS a joint, from ids.y of its link on.
@group(0) @binding(8) var<storage, read_write> joints: array<vec4f>;

// Start of a substep: the bodies take what turn.wgsl has found.
fn kick_joint(l: u32) {
  let ids = links[l].ids;
  let kick = ids.y + JOINT_ROW_KICK;
  var pair = load_pair(ids.x);
  pair.va = pair.va + joints[kick].xyz * mass_of(pair.a);
  pair.wa = pair.wa + turned(pair.a, joints[kick + 1u].xyz);
  pair.vb = pair.vb + joints[kick + 2u].xyz * mass_of(pair.b);
  pair.wb = pair.wb + turned(pair.b, joints[kick + 3u].xyz);
  keep_pair(&pair);
  store_pair(pair);
}

fn solve_pair_row(rows: u32, pair: ptr<function, Pair>, kind: u32, mode: u32, isLast: bool) {
  let isPulley = kind == JOINT_PULLEY;
  let onA = joints[rows + JOINT_ROW_UNITS].xyz;
  let onB = joints[rows + JOINT_ROW_UNITS + 3u].xyz;
  let rA = joints[rows + JOINT_ROW_LEVERS].xyz;
  let rB = joints[rows + JOINT_ROW_LEVERS + 1u].xyz;
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
    (*pair).va = (*pair).va + onA * (d * mass_of(a));
    (*pair).vb = (*pair).vb + onB * (d * mass_of(b));
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
fn solve_block(at: u32, old: vec3f, u: vec3f, bias: vec4f, soft: bool) -> vec3f {
  if (!soft) { return old - symmetric(block_at(at + 2u), u); }
  let pushed = u + bias.xyz;
  if (bias.w == 0.0) { return old - symmetric(block_at(at + 2u), pushed); }
  return old - symmetric(block_at(at), pushed + symmetric(block_at(at + 4u), old));
}

// Friction of the free angular axes, bound by the load of the anchor.
fn slip_joint(rows: u32, pair: ptr<function, Pair>) {
  let friction = joints[rows + JOINT_ROW_FRICTION];
  if (!(friction.x > 0.0 || friction.y > 0.0)) { return; }
  let most = friction.x * length_of(joints[rows + JOINT_ROW_IMPULSES].xyz) + friction.y * params.h;
  let old = joints[rows + JOINT_ROW_IMPULSES + 2u];
  let spin = (*pair).wb - (*pair).wa;
  let slip = block_at(rows + JOINT_ROW_SLIP);
  var z = old.xyz - symmetric(slip, spin);
  if (length_of(z) > most) {
    if (slip.i1.z > 0.0) { z = old.xyz - spin * slip.i1.z; }
    z = z * min(most / max(length_of(z), 1e-15), 1.0);
  }
  joints[rows + JOINT_ROW_IMPULSES + 2u] = vec4f(z, old.w);
  twist_pair(pair, z - old.xyz);
}

// part 0 dry friction, 1 limit, 2 motor, 3 spring of a unit.
fn solve_unit(rows: u32, pair: ptr<function, Pair>, soft: bool, part: u32, u: u32, rA: vec3f, rB: vec3f) {
  let at = rows + JOINT_ROW_UNITS + 3u * u;
  let unit = joints[at];
  let side = unit.w;
  var axis = vec4f();
  var strength = vec4f();
  if (u < 6u) {
    axis = joints[rows + JOINT_ROW_AXES + 2u * u];
    strength = joints[rows + JOINT_ROW_AXES + 2u * u + 1u];
  }
  let mode = u32(axis.z);
  var most = 0.0;
  var place = rows + JOINT_ROW_DRIVES;
  if (part == 0u) {
    most = strength.w * params.h;
    place = rows + JOINT_ROW_RUBS;
    if (!(most > 0.0)) { return; }
  } else if (part == 1u) {
    place = rows + JOINT_ROW_LIMITS;
    if (side == 0.0) { return; }
  } else {
    if ((mode & select(AXIS_POSITION, AXIS_VELOCITY, part == 2u)) == 0u) { return; }
    most = strength.z * params.h;
  }
  place = place + (u >> 2u);
  let isLinear = u < 3u;
  let c = unit.xyz;
  let masses = joints[at + 1u];
  let more = joints[at + 2u];
  var speed = dot(c, (*pair).wb - (*pair).wa);
  if (isLinear) { speed = dot(c, relative_at(pair, rA, rB)); }
  let old = joints[place][u & 3u];
  var z: f32;
  if (part == 1u) {
    let push = side * old;
    var pushed = push - masses.y * (side * speed + more.x);
    if (soft) { pushed = push - masses.x * (side * speed + masses.w + masses.z * push); }
    z = side * max(pushed, 0.0);
  } else {
    z = old - masses.y * (speed - select(0.0, axis.w, part == 2u));
    if (part == 3u) { z = old - more.y * (speed + more.w + more.z * old); }
    z = min(max(z, -most), most);
  }
  joints[place][u & 3u] = z;
  if (isLinear) { push_pair(pair, rA, rB, c * (z - old)); } else { twist_pair(pair, c * (z - old)); }
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
  let rA = joints[rows + JOINT_ROW_LEVERS].xyz;
  let rB = joints[rows + JOINT_ROW_LEVERS + 1u].xyz;
  slip_joint(rows, &pair);
  if (driven != 0u) {
    let parts = select(3u, 4u, soft);
    for (var part = 0u; part < parts; part++) {
      for (var u = 0u; u < 7u; u++) {
        if (bit(driven, u)) { solve_unit(rows, &pair, soft, part, u, rA, rB); }
      }
    }
  }
  let at = rows + JOINT_ROW_IMPULSES;
  var peaks = joints[rows + JOINT_ROW_PEAKS];
  if (locked >> 3u != 0u) {
    let old = joints[at + 1u];
    let z = solve_block(rows + JOINT_ROW_ANGULAR, old.xyz, pair.wb - pair.wa, joints[rows + JOINT_ROW_BIAS + 1u], soft);
    joints[at + 1u] = vec4f(z, old.w);
    twist_pair(&pair, z - old.xyz);
    peaks.y = max(peaks.y, length_of(z) * params.invH);
  }
  if ((locked & 7u) != 0u) {
    let old = joints[at];
    let z = solve_block(rows + JOINT_ROW_LINEAR, old.xyz, relative_at(&pair, rA, rB), joints[rows + JOINT_ROW_BIAS], soft);
    joints[at] = vec4f(z, old.w);
    push_pair(&pair, rA, rB, z - old.xyz);
    peaks.x = max(peaks.x, length_of(z) * params.invH);
  }
  if (!soft && isLast) { joints[rows + JOINT_ROW_PEAKS] = peaks; }
  keep_pair(&pair);
  store_pair(pair);
}
