// Joints of AVBD. Places, axes and errors are those of the present poses, by the same measure as in the other solvers
// (split/joint_axes.ts); angular errors count as motion at an arm (armOf), so that one ramp of penalties suits all rows.
//   locked    C = error - alpha (error at the start of the substep)               (AVBD eq. 18)
//   limit     C = way to the limit where there is one, else as a locked axis; forces of at least 0
//   motor     C = place - place at the start - speed h, force within the motor's
//   spring    C = the place where spring and damper are at rest, no lambda, stiffness k + c / h  (sec. 3.3)
//   friction  C = place - place at the start, force within the friction
// Geometric stiffness (sec. 3.5): of the linear rows.
// Input: Joint, AvbdJoint, AvbdBody. Output: AvbdRow; impulses, twist and peaks of Joint, AvbdJoint.
import { jointAt } from '../../constraints/joints';
import {
  AVBD_JOINT_STRIDE,
  AVBD_ROW_STRIDE,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  AvbdBody,
  AvbdJoint,
  AvbdRow,
  JOINT_ANGLES,
  JOINT_ANGULAR,
  JOINT_COLUMNS,
  JOINT_CONE,
  JOINT_DISTANCE,
  JOINT_GAP,
  JOINT_GEAR,
  JOINT_LINEAR,
  JOINT_PLACES,
  JOINT_PULLEY,
  JOINT_ROW_ANCHORS,
  JOINT_ROW_ARMS,
  JOINT_ROW_AXES,
  JOINT_ROW_DRIVES,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_LIMITS,
  JOINT_ROW_PEAKS,
  JOINT_ROW_RUBS,
  JOINT_ROW_START,
  JOINT_TURN,
  Joint,
  JointCone,
  Rotation,
} from '../../layout.generated';
import { addW, cross3, dot3, subW, vec3W } from '../../math/lane';
import { quatFromRotationVector, quatMul, rotate3, storeRotation } from '../../math/quat';
import { scale3, withW3, x3, y3, z3 } from '../../math/vec3';
import { header } from '../../memory/header';
import { limitSide, ropeLength, ropeShare } from '../../rows/joint_drive';
import { prepareJoint } from '../../split/joint';
import { measureAxes } from '../../split/joint_axes';
import {
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
import { jointRows, packJoint, reserveJointRows, unpackJoint } from '../../split/joint_rows';
import { xyz } from '../../split/local_body';
import { countTurns } from '../../split/turn';
import { stampDiagonal, stampGeometry, stampRow } from './block';
import { angularArm, unitOf } from './bodies';
import { SLOT_ANGULAR, SLOT_DRIVE, SLOT_LIMIT, SLOT_LOAD, SLOT_RUB, slotsOf } from './joint_rows';
import { ROW_CONE, ROW_SOFT, ROW_UPPER, coneShare, rowForce, updateCone, updateRow } from './row';
import { avbdBody, avbdJoint, avbdRow, avbdState, firstRow } from './state';

/** Byte offset of the gradient on body B. */
const ON_B: usize = offsetof<AvbdRow>('bx');
const TWO_PI: f64 = 6.283185307179586;

/** Room for the rows of all joints. False without memory. */
export function reserveJoints(): bool {
  return header().jointAlive == 0 || reserveJointRows();
}

/** A joint at the start of a step: its rows, with the forces and penalties that it carries. */
export function fillJoint(set: u32, index: u32, h: f32): void {
  const joint: Joint = jointAt(index);
  const rows: usize = jointRows(index);
  packJoint(index, rows);
  prepareJoint(rows, 1, 1, h);
  const record: AvbdJoint = avbdJoint(index);
  if (record.generation != joint.generation + 1 || record.kind != joint.kind) {
    memory.fill(changetype<usize>(record), 0, AVBD_JOINT_STRIDE);
    record.generation = joint.generation + 1;
    record.kind = joint.kind;
  }
  const arm: f64 = armOf(joint);
  const unit: f64 = unitOf(joint.bodyA, joint.bodyB);
  let at: u32 = firstRow(set);
  for (let bits: u32 = slotsOf(joint); bits != 0; bits &= bits - 1) {
    const slot: u32 = ctz<u32>(bits);
    const row: AvbdRow = avbdRow(at++);
    memory.fill(changetype<usize>(row), 0, AVBD_ROW_STRIDE);
    const carried: usize = changetype<usize>(record) + ((<usize>slot) << 2);
    const lambda: f64 = load<f32>(carried, offsetof<AvbdJoint>('lambda0'));
    row.slot = slot;
    row.lambda = lambda;
    row.penalty = load<f32>(carried, offsetof<AvbdJoint>('penalty0'));
    row.stiffness = Infinity;
    row.unit = unit;
    row.least = f64.NEGATIVE_INFINITY;
    row.most = Infinity;
    if (slot >= SLOT_LOAD) {
      row.flags = ROW_CONE;
    } else if (slot >= SLOT_DRIVE) {
      const isRub: bool = slot >= SLOT_RUB;
      const u: u32 = slot - (isRub ? SLOT_RUB : SLOT_DRIVE);
      const most: f64 = <f64>numberOf(rows, JOINT_ROW_AXES + 2 * u + 1, isRub ? 3 : 2) / (u < 3 ? 1 : arm);
      row.most = most;
      row.least = -most;
      if (!isRub && (modeOf(rows, u) & AXIS_POSITION) != 0) {
        row.flags = ROW_SOFT;
        row.lambda = 0;
      }
    } else if (slot >= SLOT_LIMIT && joint.kind != JOINT_GEAR) {
      row.least = 0;
      row.lambda = abs<f64>(lambda);
      if (lambda < 0) row.flags = ROW_UPPER;
    }
  }
}

function armOf(joint: Joint): f64 {
  return angularArm(avbdBody(joint.bodyA), avbdBody(joint.bodyB));
}

function modeOf(rows: usize, u: u32): u32 {
  return <u32>numberOf(rows, JOINT_ROW_AXES + 2 * u, 2);
}

/** Frames, arms and axes of a joint for the poses of now: to its rows and to the scratch of joints. */
function turnAxes(rows: usize, a: AvbdBody, b: AvbdBody): void {
  const t: usize = jointScratch();
  const kind: u32 = kindOf(rows);
  const startA: v128 = xyz(jointRow(rows, JOINT_ROW_START)),
    startB: v128 = xyz(jointRow(rows, JOINT_ROW_START + 1));
  const turnA: v128 = quatFromRotationVector(turnOf(a)),
    turnB: v128 = quatFromRotationVector(turnOf(b));
  storeRotation(turnA, t + JOINT_COLUMNS);
  const rA: v128 = rotate3(t + JOINT_COLUMNS, startA);
  storeRotation(turnB, t + JOINT_COLUMNS);
  const rB: v128 = rotate3(t + JOINT_COLUMNS, startB);
  putRow(rows, JOINT_ROW_ARMS, xyz(rA));
  putRow(rows, JOINT_ROW_ARMS + 1, xyz(rB));
  if (kind >= JOINT_GEAR) return;
  const way: v128 = vec3W(<f32>(b.dx - a.dx), <f32>(b.dy - a.dy), <f32>(b.dz - a.dz));
  const gap: v128 = xyz(addW(addW(jointRow(rows, JOINT_ROW_START + 4), way), subW(subW(rB, startB), subW(rA, startA))));
  // Both bodies take their force at anchor B: else it would turn them as a pair.
  putRow(rows, JOINT_ROW_ARMS, xyz(addW(rA, gap)));
  const locked: u32 = lockedOf(rows),
    driven: u32 = drivenOf(rows);
  const qa: v128 = quatMul(turnA, jointRow(rows, JOINT_ROW_START + 2)),
    qb: v128 = quatMul(turnB, jointRow(rows, JOINT_ROW_START + 3));
  measureAxes(t, kind, locked, driven, qa, qb, gap);
  if ((locked & 32) != 0 || (locked == 7 && driven == 0)) return;
  countTurns(rows, t);
}

function turnOf(body: AvbdBody): v128 {
  return vec3W(<f32>body.px, <f32>body.py, <f32>body.pz);
}

function setLinear(row: AvbdRow, onA: v128, onB: v128, rA: v128, rB: v128): void {
  const tA: v128 = cross3(rA, onA),
    tB: v128 = cross3(rB, onB);
  row.ax = x3(onA);
  row.ay = y3(onA);
  row.az = z3(onA);
  row.atx = x3(tA);
  row.aty = y3(tA);
  row.atz = z3(tA);
  row.bx = x3(onB);
  row.by = y3(onB);
  row.bz = z3(onB);
  row.btx = x3(tB);
  row.bty = y3(tB);
  row.btz = z3(tB);
}

function setAngular(row: AvbdRow, onA: v128, onB: v128, arm: f64): void {
  row.atx = arm * <f64>x3(onA);
  row.aty = arm * <f64>y3(onA);
  row.atz = arm * <f64>z3(onA);
  row.btx = arm * <f64>x3(onB);
  row.bty = arm * <f64>y3(onB);
  row.btz = arm * <f64>z3(onB);
}

/** Sets the gradient of a row of axis u (6: the cone), by `side` times the direction of the axis. */
function setAxis(rows: usize, row: AvbdRow, u: u32, side: f32, arm: f64): void {
  const t: usize = jointScratch();
  const c: v128 = scale3(xyz(v128.load(t + JOINT_LINEAR + ((<usize>u) << 4))), side); // linear, angular, cone
  const back: v128 = scale3(c, -1);
  if (u < 3) setLinear(row, back, c, jointRow(rows, JOINT_ROW_ARMS), jointRow(rows, JOINT_ROW_ARMS + 1));
  else setAngular(row, back, c, arm);
}

/** Place of axis u: m, rad. */
function placeOf(u: u32): f64 {
  const t: usize = jointScratch();
  return load<f32>((u < 3 ? t + JOINT_PLACES : t + JOINT_ANGLES - 12) + ((<usize>u) << 2));
}

/** Sets the gradient of a row for the poses of now, and returns its error or place (m). */
function readRow(row: AvbdRow, joint: Joint, rows: usize, a: AvbdBody, b: AvbdBody, arm: f64): f64 {
  const t: usize = jointScratch();
  const slot: u32 = row.slot;
  if (joint.kind >= JOINT_GEAR) return joint.kind == JOINT_GEAR ? readGear(row, rows, a, b, arm) : readPulley(row, rows, a, b);
  if (slot < SLOT_LIMIT) {
    if (slot >= SLOT_ANGULAR) {
      const way: v128 = xyz(v128.load(t + JOINT_ANGULAR + ((<usize>(slot - SLOT_ANGULAR)) << 4)));
      setAngular(row, scale3(way, -1), way, arm);
      return arm * <f64>dot3(way, v128.load(t + JOINT_TURN));
    }
    const c: v128 = xyz(v128.load(t + JOINT_LINEAR + ((<usize>slot) << 4)));
    setAxis(rows, row, slot, 1, arm);
    if (joint.kind == JOINT_DISTANCE) return <f64>load<f32>(t + JOINT_PLACES) - <f64>numberOf(rows, JOINT_ROW_AXES, 3);
    return dot3(c, v128.load(t + JOINT_GAP));
  }
  if (slot < SLOT_DRIVE) {
    const u: u32 = slot - SLOT_LIMIT;
    const isUpper: bool = (row.flags & ROW_UPPER) != 0;
    // The axis of the cone points to where the swing falls.
    setAxis(rows, row, u, u < 6 && isUpper ? -1 : 1, arm);
    if (u == 6) return arm * (<f64>numberOf(rows, JOINT_ROW_ANCHORS, 3) - <f64>changetype<JointCone>(t + JOINT_CONE).swing);
    const axis: u32 = JOINT_ROW_AXES + 2 * u;
    const way: f64 = isUpper ? <f64>numberOf(rows, axis, 1) - placeOf(u) : placeOf(u) - <f64>numberOf(rows, axis, 0);
    return way * (u < 3 ? 1 : arm);
  }
  if (slot < SLOT_LOAD) {
    const u: u32 = slot - (slot < SLOT_RUB ? SLOT_DRIVE : SLOT_RUB);
    setAxis(rows, row, u, 1, arm);
    return placeOf(u) * (u < 3 ? 1 : arm);
  }
  const u: u32 = slot - SLOT_LOAD;
  const c: v128 = xyz(v128.load(t + JOINT_ANGULAR + ((<usize>u) << 4)));
  setAngular(row, scale3(c, -1), c, arm);
  return (
    row.btx * (b.px - b.startPx - a.px + a.startPx) +
    row.bty * (b.py - b.startPy - a.py + a.startPy) +
    row.btz * (b.pz - b.startPz - a.pz + a.startPz)
  );
}

function readGear(row: AvbdRow, rows: usize, a: AvbdBody, b: AvbdBody, arm: f64): f64 {
  const t: usize = jointScratch();
  const turnA: v128 = turnOf(a),
    turnB: v128 = turnOf(b);
  storeRotation(quatMul(quatFromRotationVector(turnA), jointRow(rows, JOINT_ROW_START + 2)), t + JOINT_COLUMNS);
  const onA: v128 = changetype<Rotation>(t + JOINT_COLUMNS).z;
  storeRotation(quatMul(quatFromRotationVector(turnB), jointRow(rows, JOINT_ROW_START + 3)), t + JOINT_COLUMNS);
  const onB: v128 = scale3(changetype<Rotation>(t + JOINT_COLUMNS).z, numberOf(rows, JOINT_ROW_ANCHORS + 1, 3));
  // How far the bodies have turned is added up.
  const error: f32 = numberOf(rows, JOINT_ROW_PEAKS, 2) + (dot3(onA, turnA) + dot3(onB, turnB));
  setNumberOf(rows, JOINT_ROW_PEAKS, 3, error);
  setAngular(row, onA, onB, arm);
  return arm * <f64>error;
}

function readPulley(row: AvbdRow, rows: usize, a: AvbdBody, b: AvbdBody): f64 {
  const rA: v128 = jointRow(rows, JOINT_ROW_ARMS),
    rB: v128 = jointRow(rows, JOINT_ROW_ARMS + 1);
  const ratio: f32 = numberOf(rows, JOINT_ROW_ANCHORS + 1, 3);
  const wayA: v128 = vec3W(<f32>a.dx, <f32>a.dy, <f32>a.dz),
    wayB: v128 = vec3W(<f32>b.dx, <f32>b.dy, <f32>b.dz);
  const lineA: v128 = addW(addW(jointRow(rows, JOINT_ROW_START + 2), wayA), subW(rA, xyz(jointRow(rows, JOINT_ROW_START)))),
    lineB: v128 = addW(addW(jointRow(rows, JOINT_ROW_START + 3), wayB), subW(rB, xyz(jointRow(rows, JOINT_ROW_START + 1))));
  const lengthA: f32 = lengthOf(lineA),
    lengthB: f32 = lengthOf(lineB);
  setLinear(row, scale3(lineA, ropeShare<f32>(-1, lengthA)), scale3(lineB, ropeShare<f32>(-ratio, lengthB)), rA, rB);
  return <f64>numberOf(rows, JOINT_ROW_AXES, 1) - <f64>ropeLength<f32>(lengthA, lengthB, ratio);
}

/** The start of a substep: errors and places, the sides of limits, springs. */
export function placeJoint(set: u32, index: u32): void {
  const joint: Joint = jointAt(index);
  const rows: usize = jointRows(index);
  const a: AvbdBody = avbdBody(joint.bodyA),
    b: AvbdBody = avbdBody(joint.bodyB);
  turnAxes(rows, a, b);
  const arm: f64 = armOf(joint);
  const end: u32 = firstRow(set + 1);
  for (let r: u32 = firstRow(set); r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    const slot: u32 = row.slot;
    if (slot >= SLOT_LIMIT && slot < SLOT_LIMIT + 6 && joint.kind < JOINT_GEAR) chooseSide(row, rows, slot - SLOT_LIMIT);
    if ((row.flags & ROW_SOFT) != 0)
      row.stiffness = springOf(rows, slot - SLOT_DRIVE, arm) + damperOf(rows, slot - SLOT_DRIVE, arm);
    row.start = readRow(row, joint, rows, a, b, arm);
  }
}

/** The nearer limit; a force of the other one is lost. */
function chooseSide(row: AvbdRow, rows: usize, u: u32): void {
  const axis: u32 = JOINT_ROW_AXES + 2 * u;
  const place: f32 = <f32>placeOf(u);
  const side: f32 = limitSide<f32>(place - numberOf(rows, axis, 0), numberOf(rows, axis, 1) - place);
  const flag: u32 = side < 0 ? ROW_UPPER : 0;
  if ((row.flags & ROW_UPPER) == flag) return;
  row.flags = (row.flags & ~ROW_UPPER) | flag;
  row.lambda = 0;
}

/** Stiffness of the spring of axis u, N/m at the arm. */
function springOf(rows: usize, u: u32, arm: f64): f64 {
  const firm: f64 = numberOf(rows, JOINT_ROW_AXES + 2 * u + 1, 0);
  const omega: f64 = TWO_PI * firm;
  return atArm(u, arm) * (byStiffness(rows, u) ? firm : heldMass(rows, u) * omega * omega);
}

/** Its damping over the substep, N/m at the arm. */
function damperOf(rows: usize, u: u32, arm: f64): f64 {
  const firm: f64 = numberOf(rows, JOINT_ROW_AXES + 2 * u + 1, 0),
    damping: f64 = numberOf(rows, JOINT_ROW_AXES + 2 * u + 1, 1);
  const share: f64 = atArm(u, arm) / avbdState().h;
  return share * (byStiffness(rows, u) ? damping : 2 * damping * TWO_PI * firm * heldMass(rows, u));
}

/** Factor from N m/rad to N/m at the arm; 1 of linear axes. */
function atArm(u: u32, arm: f64): f64 {
  return u < 3 ? 1 : 1 / (arm * arm);
}

function byStiffness(rows: usize, u: u32): bool {
  return (modeOf(rows, u) & AXIS_STIFFNESS) != 0;
}

/** Mass along axis u while the locked axes hold. */
function heldMass(rows: usize, u: u32): f64 {
  return numberOf(rows, JOINT_ROW_START + 5 + (u >> 2), u & 3);
}

/** C and gradients of all rows for the poses of now. */
export function measureJoint(set: u32, index: u32): void {
  const joint: Joint = jointAt(index);
  const rows: usize = jointRows(index);
  const a: AvbdBody = avbdBody(joint.bodyA),
    b: AvbdBody = avbdBody(joint.bodyB);
  turnAxes(rows, a, b);
  const arm: f64 = armOf(joint);
  const alpha: f64 = avbdState().errorKept;
  const end: u32 = firstRow(set + 1);
  for (let r: u32 = firstRow(set); r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    const slot: u32 = row.slot;
    const x: f64 = readRow(row, joint, rows, a, b, arm);
    if (slot < SLOT_LIMIT) row.value = x - alpha * row.start;
    // Where a way is left it may be gone; a gear has no way.
    else if (slot < SLOT_DRIVE) row.value = row.least == 0 && row.start > 0 ? x : x - alpha * row.start;
    else if (slot >= SLOT_LOAD) row.value = x;
    else row.value = x - row.start;
    if (slot < SLOT_DRIVE || slot >= SLOT_RUB) continue;
    const u: u32 = slot - SLOT_DRIVE;
    const target: f64 = <f64>numberOf(rows, JOINT_ROW_AXES + 2 * u, 3) * (u < 3 ? 1 : arm);
    if ((row.flags & ROW_SOFT) == 0) {
      row.value -= target * avbdState().h;
    } else if (row.stiffness > 0) {
      const k: f64 = springOf(rows, u, arm);
      row.value = (k * (x - target) + (row.stiffness - k) * (x - row.start)) / row.stiffness;
    }
  }
}

/** Bound of the friction by load of a joint: over the arm of its rows. */
function loadBoundOf(set: u32, joint: Joint, arm: f64): f64 {
  let x: f64 = 0,
    y: f64 = 0,
    z: f64 = 0;
  const end: u32 = firstRow(set + 1);
  for (let r: u32 = firstRow(set); r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    if (row.slot >= SLOT_ANGULAR) break;
    const force: f64 = rowForce(row);
    x += force * row.bx;
    y += force * row.by;
    z += force * row.bz;
  }
  return (<f64>joint.frictionLever * sqrt<f64>(x * x + y * y + z * z) + <f64>joint.frictionTorque) / arm;
}

/** Number of rows at the end of a joint that are its friction by load. */
function loadRows(set: u32): u32 {
  const first: u32 = firstRow(set);
  let count: u32 = 0;
  for (let r: u32 = firstRow(set + 1); r > first && avbdRow(r - 1).slot >= SLOT_LOAD; r--) count++;
  return count;
}

/** Adds a joint to the system of one of its bodies. */
export function stampJoint(set: u32, index: u32, side: usize): void {
  const joint: Joint = jointAt(index);
  const rows: usize = jointRows(index);
  const gradient: usize = side * ON_B;
  const loads: u32 = loadRows(set);
  const end: u32 = firstRow(set + 1) - loads;
  let fx: f64 = 0,
    fy: f64 = 0,
    fz: f64 = 0;
  for (let r: u32 = firstRow(set); r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    const z: f64 = rowForce(row);
    stampRow(changetype<usize>(row) + gradient, row.penalty, z);
    fx += z * row.bx;
    fy += z * row.by;
    fz += z * row.bz;
  }
  const arm: v128 = jointRow(rows, JOINT_ROW_ARMS + <u32>side);
  stampGeometry(fx, fy, fz, x3(arm), y3(arm), z3(arm));
  if (joint.kind == JOINT_DISTANCE) stampRod(sqrt<f64>(fx * fx + fy * fy + fz * fz), arm);
  if (loads == 0) return;
  const share: f64 = coneShare(avbdRow(end), AVBD_ROW_STRIDE, loads, loadBoundOf(set, joint, armOf(joint)));
  for (let r: u32 = end; r < end + loads; r++) {
    const row: AvbdRow = avbdRow(r);
    stampRow(changetype<usize>(row) + gradient, row.penalty, share * (row.lambda - row.penalty * row.value));
  }
}

/** A force in a rod also turns the rod: its stiffness across, over the length. */
function stampRod(force: f64, arm: v128): void {
  const length: f64 = load<f32>(jointScratch() + JOINT_PLACES);
  if (length < 1e-3) return;
  const k: f64 = force / length;
  const square: f64 = dot3(arm, arm);
  for (let i: u32 = 0; i < 3; i++) {
    stampDiagonal(i, k);
    stampDiagonal(i + 3, k * square);
  }
}

/** Dual update of a joint. */
export function updateJoint(set: u32, index: u32): void {
  const joint: Joint = jointAt(index);
  const ramp: f64 = avbdState().ramp;
  const loads: u32 = loadRows(set);
  const end: u32 = firstRow(set + 1) - loads;
  for (let r: u32 = firstRow(set); r < end; r++) updateRow(avbdRow(r), ramp);
  if (loads == 0) return;
  updateCone(avbdRow(end), AVBD_ROW_STRIDE, loads, loadBoundOf(set, joint, armOf(joint)), ramp);
}

/** The force that a row ends with: lambda, of a spring what it gives. */
function endForce(row: AvbdRow): f64 {
  return (row.flags & ROW_SOFT) != 0 ? rowForce(row) : row.lambda;
}

/** Impulses of the locked axes on B; `angular`: of the angular ones. */
function lockedImpulse(set: u32, angular: bool): v128 {
  const h: f64 = avbdState().h;
  let sum: v128 = f32x4.splat(0);
  const end: u32 = firstRow(set + 1);
  for (let r: u32 = firstRow(set); r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    if (row.slot >= SLOT_LIMIT) break;
    if (row.slot >= SLOT_ANGULAR != angular) continue;
    const z: f64 = row.lambda * h;
    if (angular) sum = addW(sum, vec3W(<f32>(z * row.btx), <f32>(z * row.bty), <f32>(z * row.btz)));
    else sum = addW(sum, vec3W(<f32>(z * row.bx), <f32>(z * row.by), <f32>(z * row.bz)));
  }
  return sum;
}

/** The end of a substep: largest force and torque. */
export function endJoint(set: u32, index: u32): void {
  const rows: usize = jointRows(index);
  const kind: u32 = jointAt(index).kind;
  const rate: f32 = <f32>(1 / avbdState().h);
  let force: f32 = rate * lengthOf(lockedImpulse(set, false)),
    torque: f32 = rate * lengthOf(lockedImpulse(set, true));
  if (kind == JOINT_PULLEY) force = <f32>avbdRow(firstRow(set)).lambda;
  if (kind == JOINT_GEAR) torque = <f32>(abs<f64>(avbdRow(firstRow(set)).lambda) * armOf(jointAt(index)));
  setNumberOf(rows, JOINT_ROW_PEAKS, 0, max<f32>(numberOf(rows, JOINT_ROW_PEAKS, 0), force));
  setNumberOf(rows, JOINT_ROW_PEAKS, 1, max<f32>(numberOf(rows, JOINT_ROW_PEAKS, 1), torque));
}

/** The end of the step: impulses to the joint, the rest to its record. */
export function keepJoint(set: u32, index: u32): void {
  const joint: Joint = jointAt(index);
  const rows: usize = jointRows(index);
  const record: AvbdJoint = avbdJoint(index);
  const arm: f64 = armOf(joint);
  const h: f64 = avbdState().h;
  const push: v128 = lockedImpulse(set, false),
    twist: v128 = lockedImpulse(set, true);
  let load3: v128 = f32x4.splat(0);
  memory.fill(rows + ((<usize>JOINT_ROW_LIMITS) << 4), 0, (<usize>(JOINT_ROW_PEAKS - JOINT_ROW_LIMITS)) << 4);
  memory.fill(changetype<usize>(record) + offsetof<AvbdJoint>('lambda0'), 0, AVBD_JOINT_STRIDE - offsetof<AvbdJoint>('lambda0'));
  const end: u32 = firstRow(set + 1);
  for (let r: u32 = firstRow(set); r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    const slot: u32 = row.slot;
    const z: f64 = endForce(row);
    const side: f64 = (row.flags & ROW_UPPER) != 0 ? -1 : 1;
    const carried: usize = changetype<usize>(record) + ((<usize>slot) << 2);
    store<f32>(carried, <f32>(side * row.lambda), offsetof<AvbdJoint>('lambda0'));
    store<f32>(carried, <f32>row.penalty, offsetof<AvbdJoint>('penalty0'));
    if (slot < SLOT_LIMIT) continue;
    if (slot >= SLOT_LOAD) {
      load3 = addW(load3, vec3W(<f32>(z * h * row.btx), <f32>(z * h * row.bty), <f32>(z * h * row.btz)));
      continue;
    }
    const first: u32 = slot < SLOT_DRIVE ? SLOT_LIMIT : slot < SLOT_RUB ? SLOT_DRIVE : SLOT_RUB;
    const to: u32 = slot < SLOT_DRIVE ? JOINT_ROW_LIMITS : slot < SLOT_RUB ? JOINT_ROW_DRIVES : JOINT_ROW_RUBS;
    const u: u32 = slot - first;
    const isLinear: bool = joint.kind == JOINT_PULLEY || (joint.kind != JOINT_GEAR && u < 3);
    setNumberOf(rows, to + (u >> 2), u & 3, <f32>(side * z * h * (isLinear ? 1 : arm)));
  }
  putRow(rows, JOINT_ROW_IMPULSES, withW3(push, lengthOf(push)));
  putRow(rows, JOINT_ROW_IMPULSES + 1, withW3(twist, lengthOf(twist)));
  putRow(rows, JOINT_ROW_IMPULSES + 2, withW3(load3, <f32>h));
  unpackJoint(index, rows + ((<usize>JOINT_ROW_IMPULSES) << 4));
}
