// Joints as scalar rows of the study methods. A step lists the joints at work, updates each to the poses of its start
// (../../split/joint.ts, turn.ts, as for the other solvers), and writes their rows behind those of the manifolds. Like the rows
// of contacts they keep their directions during the step, and errors follow the motion linearly.
//
// Rows of a joint, in this order:
//   LOAD    friction of the free angular axes, |z| <= arm times the impulse of the locked linear axes, plus a torque
//   DRIVE   dry friction of an axis (target 0), then its motor: |z| <= bound
//   SPRING  drive to a place, implicit; not in relax passes
//   LIMIT   of an axis, or of the cone: z >= 0 at its lower end, z <= 0 at its upper one. Only where the step may reach it
//   LOCK    locked angular axes, locked linear axes, along the principal axes of their K; a gear
//   PULLEY  z >= 0
// The rows of a single axis include the answer of the locked axes to them, as in ../../split/joints.ts: an axis at a long arm
// would otherwise have hundreds of times the mobility that its joint leaves it, and no number of iterations would suffice.
//
// Stabilization (error e, see solve.ts): soft by the softness of joints, softer where contacts are (contactHertzRatio); baumgarte
// factor e / h; projection by the second solve. No slop: that of contacts keeps them closed. `pushSpeed` is for contacts too,
// joints have PUSH. With `relax`, directions are those of the middle of the step, as bodies would get there freely, and u of
// locked axes takes the turn of their arms before and after it into account: directions of the start would add energy to whatever
// swings, or take it away. As published (relax off) rows have the directions of the start.
// Input: joints at work, BodyRow, BodyDelta. Output: rows; impulses, peaks and twists of joints.
import { isEnabled, jointAt } from '../../constraints/joints';
import { softLength } from '../../constraints/soft_step';
import {
  AXIS_LIMITED,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  AXIS_VELOCITY,
  JOINT_ANGLES,
  JOINT_ANGULAR,
  JOINT_CONE,
  JOINT_DISTANCE,
  JOINT_GAP,
  JOINT_GEAR,
  JOINT_LINEAR,
  JOINT_PART_A,
  JOINT_PART_B,
  JOINT_PLACES,
  JOINT_PULLEY,
  JOINT_ROW_ANCHORS,
  JOINT_ROW_ARMS,
  JOINT_ROW_AXES,
  JOINT_ROW_DRIVES,
  JOINT_ROW_FRICTION,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_LIMITS,
  JOINT_ROW_PEAKS,
  JOINT_ROW_RUBS,
  JOINT_ROW_START,
  JOINT_ROW_UNITS,
  JOINT_TURN,
  Joint,
  JointAnswers,
  JointCone,
  LocalBody,
  METHOD_ROW_STRIDE,
  MethodRow,
  MethodState,
  NONE,
  OrderState,
  STABILIZE_BAUMGARTE,
  STABILIZE_SOFT,
  SymmetricRows,
} from '../../layout.generated';
import { addW, cross3, dot3, splatW, subW, vec3W } from '../../math/lane';
import { scale3, w3, withW3, x3, y3 } from '../../math/vec3';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { orderState } from '../../ordering/state';
import { Spring, cancelling, ropeLength, springByFrequency, springByStiffness, springHold } from '../../rows/joint_drive';
import { PUSH, jointFirmness, jointOmega, jointRate } from '../../rows/joint_softness';
import { boundRow, growthExcess } from '../../rows/row';
import { answersOf } from '../../split/joint_answers';
import { anchorBlock, isRegularAt } from '../../split/joint_axes';
import {
  MOST,
  drivenOf,
  jointRow,
  jointScratch,
  kindOf,
  lengthOf,
  lockedOf,
  numberOf,
  putRow,
  setNumberOf,
} from '../../split/joint_block';
import { jointRows, unpackJoint } from '../../split/joint_rows';
import { xyz } from '../../split/local_body';
import { tellMotion, turnRows } from '../../split/turn';
import { local, parameters, prepareListed, takeBody } from './joint_bodies';
import { PASS_MAIN, PASS_PROJECT, PASS_RELAX } from './passes';
import { PRINCIPAL_BYTES, findPrincipal, principalAxis, principalPart } from './principal_axes';
import { ROW_DRIVE, ROW_LIMIT, ROW_LOAD, ROW_LOCK, ROW_PULLEY, ROW_SPRING, rowMotion, rowSpeed } from './row';
import { methodRoom, methodRow, methodState } from './state';

// A limit that the step would not reach at twice the present speed plus this (m/s, rad/s) has no row in it.
const REACH: f32 = 5;
/** contactHertzRatio that the softness of joints goes with. */
const USUAL_RATIO: f32 = 0.125;
/** Turn of a body in a step, rad, up to which its rows take it into account in full. */
const SLOW: f32 = 0.2;
/** Bit of MethodRow.point: dry friction of the axis, not its motor. */
const RUB: u32 = 8;
// Bits of MethodRow.active.
const NO_PROJECTION: u32 = 2;
const NO_RELAX: u32 = 4;
/** Bytes that measureAxes writes, from JOINT_ANGULAR on. */
const MEASURED: u32 = <u32>(JOINT_TURN + 16 - JOINT_ANGULAR);

/** Updates the joints of jointLinks to the start of a step with substeps of h seconds. False without memory. */
export function prepareJointRows(h: f32): bool {
  const s: MethodState = methodState();
  const o: OrderState = orderState();
  s.jointCount = o.jointCount;
  if (!methodRoom(offsetof<MethodState>('jointList'), 8, o.jointCount)) return false;
  if (!methodRoom(offsetof<MethodState>('jointStart'), 1, MEASURED + PRINCIPAL_BYTES)) return false;
  if (o.jointCount == 0) return true;
  if (!prepareListed(h)) return false;
  // Methods that need softer contacts need softer joints too.
  const share: f32 = min<f32>(header().contactHertzRatio / USUAL_RATIO, 1);
  const omega: f32 = jointOmega(softLength(max<u32>(header().substeps, 1))) * share;
  s.jointRate = jointRate(h, omega);
  s.jointGamma = <f32>1 / jointFirmness(h, omega);
  for (let i: u32 = 0; i < o.jointCount; i++) {
    const index: u32 = at32(o.jointLinks, i);
    put32(s.jointList, 2 * i, index);
    put32(s.jointList, 2 * i + 1, jointAt(index).generation);
  }
  return true;
}

/** The most rows that the joints of the step may have. */
export function mostJointRows(s: MethodState): u32 {
  let most: u32 = 0;
  for (let i: u32 = 0; i < s.jointCount; i++) {
    const rows: usize = jointRows(at32(s.jointList, 2 * i));
    most += 3 + <u32>popcnt<u32>(lockedOf(rows)) + 3 * <u32>popcnt<u32>(drivenOf(rows)) + 1;
  }
  return most;
}

/** Writes the rows of all joints from row `first` on, links from `link` on, and the starts of those links. Returns the end. */
export function writeJoints(s: MethodState, link: u32, first: u32): u32 {
  let next: u32 = first;
  for (let i: u32 = 0; i < s.jointCount; i++) {
    put32(s.linkRows, link + i, next);
    next = writeJoint(s, link + i, at32(s.jointList, 2 * i), next);
  }
  return next;
}

/** A row of joint `rows` with the direction (d; a on A, b on B), for axis `axis`. */
function writeRow(s: MethodState, link: u32, rows: usize, at: u32, kind: u32, axis: u32, d: v128, a: v128, b: v128): MethodRow {
  const row: MethodRow = methodRow(at);
  memory.fill(changetype<usize>(row), 0, METHOD_ROW_STRIDE);
  const bodyA: f32 = numberOf(rows, 0, 0);
  row.bodyA = bodyA < 0 ? s.world : <u32>bodyA;
  row.bodyB = <u32>numberOf(rows, 0, 1);
  row.kind = kind;
  row.link = link;
  row.point = axis;
  row.d = xyz(d);
  row.a = xyz(a);
  row.b = xyz(b);
  row.active = 1;
  return row;
}

/** Rows of a joint from `at` on; returns their end. */
function writeJoint(s: MethodState, link: u32, index: u32, at: u32): u32 {
  const rows: usize = jointRows(index);
  const joint: Joint = jointAt(index);
  const a: LocalBody = local(0),
    b: LocalBody = local(1);
  takeBody(joint.bodyA, a);
  takeBody(joint.bodyB, b);
  tellMotion(a, b);
  turnRows(rows, a, b, parameters(), true);
  const zero: v128 = splatW(0);
  let next: u32;
  if (kindOf(rows) >= JOINT_GEAR) {
    next = writePair(s, link, rows, at);
  } else {
    // Errors are those of the start.
    memory.copy(s.jointStart, jointScratch() + JOINT_ANGULAR, <usize>MEASURED);
    const share: f32 = header().relax != 0 ? middleShare(a, b) : 0;
    if (share > 0) toMiddle(rows, a, b, share * middle());
    next = writeAxes(s, link, rows, at, a, b, share);
  }
  // A link without rows would have no bodies.
  if (next == at) writeRow(s, link, rows, next++, ROW_LOCK, 0, zero, zero, zero);
  return next;
}

/** Time from the start of the step to its middle, as velocities see it: those of a substep are half a substep ahead. */
function middle(): f32 {
  return <f32>0.5 * (header().dt - parameters().h);
}

/**
 * How far to the middle of the step the directions go: all the way for bodies that turn by less than SLOW in it, not at all from
 * twice that on. What turns faster would leave any direction of the step, and gain energy from the turn that was foreseen;
 * directions of the start take it away.
 */
function middleShare(a: LocalBody, b: LocalBody): f32 {
  const spin: f32 = sqrt<f32>(max<f32>(dot3(a.w, a.w), dot3(b.w, b.w)));
  return min<f32>(max<f32>(2 - (spin * header().dt) / SLOW, 0), 1);
}

/** Directions `half` seconds after the start of the step. */
function toMiddle(rows: usize, a: LocalBody, b: LocalBody, half: f32): void {
  a.d = scale3(a.v, half);
  a.p = scale3(a.w, half);
  b.d = scale3(b.v, half);
  b.p = scale3(b.w, half);
  const twist: f32 = numberOf(rows, JOINT_ROW_PEAKS, 3);
  turnRows(rows, a, b, parameters(), false);
  setNumberOf(rows, JOINT_ROW_PEAKS, 2, twist);
  setNumberOf(rows, JOINT_ROW_PEAKS, 3, twist);
}

/** Gear or pulley. */
function writePair(s: MethodState, link: u32, rows: usize, at: u32): u32 {
  const onA: v128 = xyz(jointRow(rows, JOINT_ROW_UNITS)),
    onB: v128 = xyz(jointRow(rows, JOINT_ROW_UNITS + 3));
  const z: f32 = numberOf(rows, JOINT_ROW_LIMITS, 0);
  if (kindOf(rows) != JOINT_PULLEY) {
    const gear: MethodRow = writeRow(s, link, rows, at, ROW_LOCK, 0, splatW(0), subW(splatW(0), onA), onB);
    gear.error = numberOf(rows, JOINT_ROW_PEAKS, 3);
    gear.z = z;
    return at + 1;
  }
  const rA: v128 = jointRow(rows, JOINT_ROW_ARMS),
    rB: v128 = jointRow(rows, JOINT_ROW_ARMS + 1);
  const row: MethodRow = writeRow(s, link, rows, at, ROW_PULLEY, 0, onB, cross3(onA, rA), cross3(rB, onB));
  row.onA = withW3(addW(onA, onB), 0);
  const ratio: f32 = numberOf(rows, JOINT_ROW_ANCHORS + 1, 3);
  const length: f32 = ropeLength<f32>(
    lengthOf(jointRow(rows, JOINT_ROW_START + 2)),
    lengthOf(jointRow(rows, JOINT_ROW_START + 3)),
    ratio,
  );
  row.error = numberOf(rows, JOINT_ROW_AXES, 1) - length;
  row.room = MOST;
  row.z = max<f32>(z, 0);
  return at + 1;
}

/** All other kinds. `share`: how far the directions are on the way to the middle of the step; the turn of arms counts as much. */
function writeAxes(s: MethodState, link: u32, rows: usize, at: u32, bodyA: LocalBody, bodyB: LocalBody, share: f32): u32 {
  const t: usize = jointScratch();
  const locked: u32 = lockedOf(rows),
    driven: u32 = drivenOf(rows);
  const zero: v128 = splatW(0);
  const rA: v128 = xyz(jointRow(rows, JOINT_ROW_ARMS)),
    rB: v128 = xyz(jointRow(rows, JOINT_ROW_ARMS + 1));
  // What the impulses of locked axes answer to those of single ones is part of the rows of these.
  const answers = changetype<JointAnswers>(t + JOINT_PART_A);
  answersOf(rows, driven, answers);
  const push: v128 = subW(xyz(jointRow(rows, JOINT_ROW_IMPULSES)), answers.push),
    twist: v128 = subW(xyz(jointRow(rows, JOINT_ROW_IMPULSES + 1)), answers.twist);
  let next: u32 = writeLoad(s, link, rows, at);
  const loads: u32 = next - at;
  for (let u: u32 = 0; u < 7; u++) {
    if (((driven >> u) & 1) != 0) next = writeAxis(s, link, rows, next, u, rA, rB);
  }
  const half: f32 = share * middle();
  const start: usize = startOf(s);
  const wA: v128 = xyz(bodyA.w),
    wB: v128 = xyz(bodyB.w);
  const angular: u32 = locked >> 3,
    linear: u32 = locked & 7;
  const m: usize = <usize>s.jointStart + MEASURED;
  if (angular != 0) {
    const axes: usize = t + JOINT_ANGULAR,
      old: usize = start + JOINT_ANGULAR;
    findPrincipal(m, axes, angular, addW(bodyA.inertia0, bodyB.inertia0), addW(bodyA.inertia1, bodyB.inertia1));
    const turn: v128 = v128.load(start + JOINT_TURN);
    const bend: v128 = cross3(subW(wB, wA), wA);
    for (let i: u32 = 0; i < 3; i++) {
      if (((angular >> i) & 1) == 0) continue;
      const c: v128 = principalAxis(m, axes, i);
      const row: MethodRow = writeRow(s, link, rows, next++, ROW_LOCK, 3 + i, zero, c, c);
      row.error = partOf(m, i, angular, old, turn);
      row.rate = share * dot3(c, bend);
      row.hold = half;
      row.z = partOf(m, i, angular, axes, twist);
    }
  }
  const first: u32 = next;
  if (linear != 0) {
    const axes: usize = t + JOINT_LINEAR,
      old: usize = start + JOINT_LINEAR;
    const partA = changetype<SymmetricRows>(t + JOINT_PART_A),
      partB = changetype<SymmetricRows>(t + JOINT_PART_B);
    anchorBlock(bodyA.mass, bodyA.inertia0, bodyA.inertia1, rA, partA);
    anchorBlock(bodyB.mass, bodyB.inertia0, bodyB.inertia1, rB, partB);
    findPrincipal(m, axes, linear, addW(partA.row0, partB.row0), addW(partA.row1, partB.row1));
    const isDistance: bool = kindOf(rows) == JOINT_DISTANCE;
    const gap: v128 = v128.load(start + JOINT_GAP);
    const bend: v128 = subW(cross3(wB, cross3(wB, rB)), cross3(wA, cross3(wA, rA)));
    for (let i: u32 = 0; i < 3; i++) {
      if (((linear >> i) & 1) == 0) continue;
      const c: v128 = principalAxis(m, axes, i);
      const row: MethodRow = writeRow(s, link, rows, next++, ROW_LOCK, i, c, cross3(rA, c), cross3(rB, c));
      row.error = isDistance
        ? load<f32>(start + JOINT_PLACES) - numberOf(rows, JOINT_ROW_AXES, 3)
        : partOf(m, i, linear, old, gap);
      row.rate = share * dot3(c, bend);
      row.hold = half;
      row.z = partOf(m, i, linear, axes, push);
    }
  }
  for (let i: u32 = 0; i < loads; i++) {
    methodRow(at + i).firstNormal = first;
    methodRow(at + i).normalCount = next - first;
  }
  return next;
}

/** What was measured at the start of the step, as it lay in the scratch of a joint. */
function startOf(s: MethodState): usize {
  return <usize>s.jointStart - JOINT_ANGULAR;
}

/** Part along principal axis i of a vector on the axes at `basis`; `unit`: 1 / the square of the third. */
function partOf(m: usize, i: u32, mask: u32, basis: usize, v: v128): f32 {
  return principalPart(
    m,
    i,
    (mask & 1) != 0 ? dot3(axisAt(basis, 0), v) : 0,
    (mask & 2) != 0 ? dot3(axisAt(basis, 1), v) : 0,
    (mask & 4) != 0 ? dot3(axisAt(basis, 2), v) : 0,
  );
}

function axisAt(basis: usize, i: u32): v128 {
  return xyz(v128.load(basis + ((<usize>i) << 4)));
}

/** Friction of the free angular axes. Each is bound by itself, as in a pyramid of friction. */
function writeLoad(s: MethodState, link: u32, rows: usize, at: u32): u32 {
  const friction: v128 = jointRow(rows, JOINT_ROW_FRICTION);
  if (!(x3(friction) > 0 || y3(friction) > 0)) return at;
  const free: u32 = 7 & ~(lockedOf(rows) >> 3);
  const h: f32 = parameters().h;
  const old: v128 = jointRow(rows, JOINT_ROW_IMPULSES + 2);
  let next: u32 = at;
  for (let i: u32 = 0; i < 3; i++) {
    if (((free >> i) & 1) == 0) continue;
    const c: v128 = free == 7 ? vec3W(i == 0 ? 1 : 0, i == 1 ? 1 : 0, i == 2 ? 1 : 0) : axisAt(jointScratch() + JOINT_ANGULAR, i);
    const row: MethodRow = writeRow(s, link, rows, next++, ROW_LOAD, i, splatW(0), c, c);
    row.mu = x3(friction);
    row.bound = min<f32>(y3(friction) * h, MOST);
    row.z = dot3(c, old);
  }
  return next;
}

/** Dry friction, drive and limit of axis u, or the cone (6). */
function writeAxis(s: MethodState, link: u32, rows: usize, at: u32, u: u32, rA: v128, rB: v128): u32 {
  const t: usize = startOf(s);
  const h: f32 = parameters().h;
  const unit: u32 = JOINT_ROW_UNITS + 5 * u,
    axis: u32 = JOINT_ROW_AXES + 2 * u,
    group: u32 = u >> 2,
    lane: u32 = u & 3;
  const isLinear: bool = u < 3;
  if (!isRegularAt(t, rows, u)) return at;
  const c: v128 = xyz(jointRow(rows, unit)),
    force: v128 = xyz(jointRow(rows, unit + 3)),
    torque: v128 = xyz(jointRow(rows, unit + 4));
  const d: v128 = isLinear ? addW(c, force) : force,
    spin: v128 = isLinear ? torque : addW(c, torque);
  const onA: v128 = addW(cross3(rA, d), spin),
    onB: v128 = addW(cross3(rB, d), spin);
  const mode: u32 = u == 6 ? AXIS_LIMITED : <u32>numberOf(rows, axis, 2);
  let next: u32 = at;
  let place: f32 = 0,
    above: f32,
    below: f32 = MOST;
  if (u == 6) {
    above = numberOf(rows, JOINT_ROW_ANCHORS, 3) - changetype<JointCone>(t + JOINT_CONE).swing;
  } else {
    place = load<f32>((isLinear ? t + JOINT_PLACES : t + JOINT_ANGLES - 12) + ((<usize>u) << 2));
    above = place - numberOf(rows, axis, 0);
    below = numberOf(rows, axis, 1) - place;
    const rub: f32 = numberOf(rows, axis + 1, 3) * h;
    if (rub > 0) {
      const row: MethodRow = writeRow(s, link, rows, next++, ROW_DRIVE, u | RUB, d, onA, onB);
      row.bound = min<f32>(rub, MOST);
      row.z = numberOf(rows, JOINT_ROW_RUBS + group, lane);
    }
    const most: f32 = min<f32>(numberOf(rows, axis + 1, 2) * h, MOST);
    const drive: f32 = numberOf(rows, JOINT_ROW_DRIVES + group, lane);
    const target: f32 = numberOf(rows, axis, 3);
    if ((mode & AXIS_VELOCITY) != 0) {
      const row: MethodRow = writeRow(s, link, rows, next++, ROW_DRIVE, u, d, onA, onB);
      row.error = target;
      row.bound = most;
      row.z = drive;
    } else if ((mode & AXIS_POSITION) != 0) {
      const mass: f32 = numberOf(rows, JOINT_ROW_START + 5 + group, lane);
      const firm: f32 = numberOf(rows, axis + 1, 0),
        damping: f32 = numberOf(rows, axis + 1, 1);
      const byMass: Spring<f32> = springByStiffness<f32>(h, mass, firm, damping),
        bySwing: Spring<f32> = springByFrequency<f32>(h, firm, damping);
      const byStiffness: bool = (mode & AXIS_STIFFNESS) != 0;
      const square: f32 = byStiffness ? byMass.square : bySwing.square;
      const hold: f32 = mass * springHold<f32>(new Spring<f32>(square, byStiffness ? byMass.damping : bySwing.damping));
      if (hold > 0) {
        const row: MethodRow = writeRow(s, link, rows, next++, ROW_SPRING, u, d, onA, onB);
        row.error = place - target;
        row.rate = (mass * square) / (h * hold);
        row.hold = <f32>1 / hold;
        row.bound = most;
        row.z = drive;
      }
    }
  }
  if ((mode & AXIS_LIMITED) == 0) return next;
  const row: MethodRow = writeRow(s, link, rows, next, ROW_LIMIT, u, d, onA, onB);
  row.error = above;
  row.room = below;
  row.z = numberOf(rows, JOINT_ROW_LIMITS + group, lane);
  const reach: f32 = header().dt * (<f32>2 * abs<f32>(rowSpeed(row, methodState().velocities)) + REACH);
  return min<f32>(above, below) < reach || row.z != 0 ? next + 1 : next;
}

/** The rows of joints of a pass: which are solved, bias and compliance. `dt`: substep. Twin: shaders/jacobi_prepare.wgsl. */
export function setJointBias(s: MethodState, pass: u32, dt: f32): void {
  if (s.jointCount == 0) return;
  const h = header();
  for (let r: u32 = s.contactRows; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    const kind: u32 = row.kind;
    row.bias = 0;
    row.gamma = 0;
    if (kind == ROW_SPRING) row.active = pass == PASS_RELAX ? row.active | NO_RELAX : row.active & ~NO_RELAX;
    if (kind == ROW_DRIVE) row.bias = -row.error;
    if (kind == ROW_DRIVE || kind == ROW_LOAD) continue;
    const way: f32 = row.error + rowMotion(row);
    if (kind == ROW_SPRING) {
      row.bias = row.rate * way;
      row.gamma = row.hold;
      continue;
    }
    if (kind == ROW_LOCK) {
      // The path of the anchors bends: along the row it goes to and fro about the middle of the step.
      const past: f32 = <f32>s.substep * dt;
      const bend: f32 = row.rate * (past + <f32>0.5 * dt - row.hold);
      if (pass == PASS_RELAX) row.bias = bend;
      else if (pass == PASS_PROJECT) row.bias = (h.stabilizationFactor * way) / dt;
      else {
        const bent: f32 = <f32>0.5 * row.rate * past * (past - (row.hold + row.hold));
        setPush(s, row, way + bent, bend, dt);
      }
      continue;
    }
    const below: f32 = row.room - rowMotion(row);
    row.side = below < way ? -1 : 1;
    const gap: f32 = min<f32>(way, below);
    if (gap > 0) row.bias = min<f32>(gap, MOST) / dt;
    else if (pass == PASS_PROJECT) row.bias = (h.stabilizationFactor * gap) / dt;
    else if (pass == PASS_MAIN) setPush(s, row, gap, 0, dt);
    row.bias *= row.side;
  }
}

/** Bias and compliance that take out an error; `bend` is added to the bias. */
function setPush(s: MethodState, row: MethodRow, error: f32, bend: f32, dt: f32): void {
  const h = header();
  if (h.stabilization == STABILIZE_SOFT) {
    const push: f32 = s.jointRate * error;
    row.bias = boundRow<f32>(push, PUSH) + bend;
    row.gamma = abs<f32>(push) > PUSH ? 0 : row.k * s.jointGamma;
  } else if (h.stabilization == STABILIZE_BAUMGARTE) {
    row.bias = boundRow<f32>((h.stabilizationFactor * error) / dt, PUSH) + bend;
  }
}

/** Starts the records of the step. */
export function startJointClamp(s: MethodState): void {
  for (let r: u32 = s.contactRows; r < s.rowCount; r++) {
    methodRow(r).previous = methodRow(r).z;
    methodRow(r).excess = 0;
  }
}

/** Takes the part of an impulse that grew beyond twice its value off those that are about to be repeated (growth_clamp.ts). */
export function dropJointExcess(s: MethodState): void {
  for (let r: u32 = s.contactRows; r < s.rowCount; r++) methodRow(r).z -= methodRow(r).excess;
}

/** After a substep: that part of every impulse. */
export function findJointExcess(s: MethodState): void {
  for (let r: u32 = s.contactRows; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    const excess: f32 = growthExcess<f32>(abs<f32>(row.z), abs<f32>(row.previous));
    row.excess = row.z < 0 ? -excess : excess;
    row.previous = row.z;
  }
}

/** Before a substep: the largest impulse of each row so far. */
export function keepJointPeaks(s: MethodState, first: bool): void {
  for (let r: u32 = s.contactRows; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    row.peak = first ? 0 : max<f32>(row.peak, abs<f32>(row.z));
  }
}

/** Impulses, peaks and twists back to the joints that are still there. */
export function finishJoints(s: MethodState): void {
  if (s.jointCount == 0) return;
  const contacts: u32 = header().activeCount;
  for (let i: u32 = 0; i < s.jointCount; i++) {
    const index: u32 = at32(s.jointList, 2 * i);
    if (!isEnabled(index) || jointAt(index).generation != at32(s.jointList, 2 * i + 1)) continue;
    finishJoint(jointRows(index), at32(s.linkRows, contacts + i), at32(s.linkRows, contacts + i + 1));
    unpackJoint(index, jointRows(index) + ((<usize>JOINT_ROW_IMPULSES) << 4));
  }
}

function finishJoint(rows: usize, first: u32, end: u32): void {
  const kind: u32 = kindOf(rows);
  const invH: f32 = parameters().invH;
  const zero: v128 = splatW(0);
  let push: v128 = zero,
    twist: v128 = zero,
    load: v128 = zero;
  let force: f32 = 0,
    moment: f32 = 0;
  for (let i: u32 = JOINT_ROW_LIMITS; i < JOINT_ROW_PEAKS; i++) putRow(rows, i, zero);
  for (let r: u32 = first; r < end; r++) {
    const row: MethodRow = methodRow(r);
    const z: f32 = row.z;
    const peak: f32 = max<f32>(row.peak, abs<f32>(z));
    const u: u32 = row.point & ~RUB;
    const group: u32 = u >> 2,
      lane: u32 = u & 3;
    if (row.kind == ROW_LOCK && kind < JOINT_GEAR) {
      if (u < 3) push = addW(push, scale3(row.d, z));
      else twist = addW(twist, scale3(row.b, z));
      if (u < 3) force += peak * peak;
      else moment += peak * peak;
    } else if (row.kind == ROW_LOCK || row.kind == ROW_PULLEY) {
      setNumberOf(rows, JOINT_ROW_LIMITS, 0, z);
      if (kind == JOINT_PULLEY) force = peak * peak;
      else moment = peak * peak;
      if (kind == JOINT_GEAR) setNumberOf(rows, JOINT_ROW_PEAKS, 3, row.error + rowMotion(row));
    } else if (row.kind == ROW_LOAD) {
      load = addW(load, scale3(row.b, z));
    } else if (row.kind == ROW_LIMIT) {
      setNumberOf(rows, JOINT_ROW_LIMITS + group, lane, z);
    } else {
      setNumberOf(rows, ((row.point & RUB) != 0 ? JOINT_ROW_RUBS : JOINT_ROW_DRIVES) + group, lane, z);
    }
  }
  if (kind < JOINT_GEAR) {
    const driven: u32 = drivenOf(rows);
    // A motor that runs against its limit would push ever harder, and the limit with it: the part that cancels is dropped.
    for (let u: u32 = 0; u < 6; u++) {
      if (((driven >> u) & 1) == 0 || (<u32>numberOf(rows, JOINT_ROW_AXES + 2 * u, 2) & AXIS_VELOCITY) == 0) continue;
      const drive: f32 = numberOf(rows, JOINT_ROW_DRIVES + (u >> 2), u & 3),
        limit: f32 = numberOf(rows, JOINT_ROW_LIMITS + (u >> 2), u & 3);
      const both: f32 = cancelling<f32>(drive, limit);
      setNumberOf(rows, JOINT_ROW_DRIVES + (u >> 2), u & 3, drive - both);
      setNumberOf(rows, JOINT_ROW_LIMITS + (u >> 2), u & 3, limit + both);
    }
    const answers = changetype<JointAnswers>(jointScratch() + JOINT_PART_A);
    answersOf(rows, driven, answers);
    push = addW(push, answers.push);
    twist = addW(twist, answers.twist);
    force = max<f32>(force, dot3(push, push));
    moment = max<f32>(moment, dot3(twist, twist));
    putRow(rows, JOINT_ROW_IMPULSES, withW3(push, lengthOf(push)));
    putRow(rows, JOINT_ROW_IMPULSES + 1, withW3(twist, lengthOf(twist)));
    putRow(rows, JOINT_ROW_IMPULSES + 2, withW3(load, w3(jointRow(rows, JOINT_ROW_IMPULSES + 2))));
  }
  setNumberOf(rows, JOINT_ROW_PEAKS, 0, sqrt<f32>(force) * invH);
  setNumberOf(rows, JOINT_ROW_PEAKS, 1, sqrt<f32>(moment) * invH);
}

/** Whether rows of this kind are solved while positions are projected. */
export function isProjected(kind: u32): bool {
  return kind == ROW_LOCK || kind == ROW_LIMIT || kind == ROW_PULLEY;
}
