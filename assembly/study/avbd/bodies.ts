// Bodies of AVBD: mass and inertia of a step, where a substep begins and where inertia would take a body, velocities at its end.
// The start value of the iterations takes forces in by the share with which the body has fallen in the last step: a body that
// rests does not begin its step with a fall (the adaptive start of Vertex Block Descent, Chen et al. 2024, sec. 3.7).
// Input: BodyRow, BodyAccel, BodyCold. Output: AvbdBody; BodyRow, BodyDelta.
import { awakeBody } from '../../bodies/awake';
import { locksOf } from '../../bodies/locks';
import { accelAt, coldAt, deltaAt, isMoved, rotationOf, rowAt } from '../../bodies/rows';
import { AvbdBody, BodyAccel, BodyCold, BodyDelta, BodyRow, NONE, Rotation } from '../../layout.generated';
import { storeRotation } from '../../math/quat';
import { header } from '../../memory/header';
import { isMoving } from '../../ordering/state';
import { avbdBody, avbdState } from './state';

/** Shortest arm of angular rows, m. */
const LEAST_ARM: f64 = 0.01;
/** Bytes of AvbdBody before what it carries from step to step. */
const MOTION: usize = offsetof<AvbdBody>('lastVx');

/** All bodies at the start of a step with substeps of h seconds. */
export function startBodies(h: f64): void {
  const count: u32 = header().bodyCount;
  for (let b: u32 = 0; b <= count; b++) memory.fill(changetype<usize>(avbdBody(b)), 0, MOTION);
  for (let k: u32 = 0; k < header().awakeCount; k++) {
    const b: u32 = awakeBody(k);
    const body: AvbdBody = avbdBody(b);
    if (!isMoving(b) || !isMoved(b)) continue;
    body.locks = locksOf(b);
    weigh(body, b, 1 / (h * h));
  }
}

/** Mass and inertia in world axes, over h^2. */
function weigh(body: AvbdBody, b: u32, share: f64): void {
  const cold: BodyCold = coldAt(b);
  const columns: usize = header().scratch;
  storeRotation(rotationOf(b), columns);
  const r = changetype<Rotation>(columns);
  body.mass = <f64>cold.mass * share;
  const xx: f64 = cold.ixx,
    yy: f64 = cold.iyy,
    zz: f64 = cold.izz,
    xy: f64 = cold.ixy,
    xz: f64 = cold.ixz,
    yz: f64 = cold.iyz;
  // Rows of R; the element i j of R I R' is row i times I times row j.
  const x0: f64 = f32x4.extract_lane(r.x, 0),
    x1: f64 = f32x4.extract_lane(r.y, 0),
    x2: f64 = f32x4.extract_lane(r.z, 0);
  const y0: f64 = f32x4.extract_lane(r.x, 1),
    y1: f64 = f32x4.extract_lane(r.y, 1),
    y2: f64 = f32x4.extract_lane(r.z, 1);
  const z0: f64 = f32x4.extract_lane(r.x, 2),
    z1: f64 = f32x4.extract_lane(r.y, 2),
    z2: f64 = f32x4.extract_lane(r.z, 2);
  const ax: f64 = xx * x0 + xy * x1 + xz * x2,
    ay: f64 = xy * x0 + yy * x1 + yz * x2,
    az: f64 = xz * x0 + yz * x1 + zz * x2;
  const bx: f64 = xx * y0 + xy * y1 + xz * y2,
    by: f64 = xy * y0 + yy * y1 + yz * y2,
    bz: f64 = xz * y0 + yz * y1 + zz * y2;
  const cx: f64 = xx * z0 + xy * z1 + xz * z2,
    cy: f64 = xy * z0 + yy * z1 + yz * z2,
    cz: f64 = xz * z0 + yz * z1 + zz * z2;
  body.ixx = share * (x0 * ax + x1 * ay + x2 * az);
  body.iyy = share * (y0 * bx + y1 * by + y2 * bz);
  body.izz = share * (z0 * cx + z1 * cy + z2 * cz);
  body.ixy = share * (x0 * bx + x1 * by + x2 * bz);
  body.ixz = share * (x0 * cx + x1 * cy + x2 * cz);
  body.iyz = share * (y0 * cx + y1 * cy + y2 * cz);
}

/**
 * Factor on the penalties between two bodies (NONE: the world): their reduced mass in kg, at the substep of 1/60 s for which
 * penalties are made; in shorter ones inertia over h^2 is so much larger. 1 without the setting.
 */
export function unitOf(a: u32, b: u32): f64 {
  if (header().avbdByMass == 0) return 1;
  const inverse: f64 = (a == NONE ? 0 : <f64>rowAt(a).invMass) + (b == NONE ? 0 : <f64>rowAt(b).invMass);
  return inverse > 0 ? stepShare() / inverse : 1;
}

/**
 * Arm at which angular rows of two bodies count as motion, m: that at which the bodies, turned against each other, are as heavy
 * as pulled apart. So one ramp of penalties suits both kinds of rows.
 */
export function angularArm(a: AvbdBody, b: AvbdBody): f64 {
  const inverse: f64 = (a.mass > 0 ? 1 / a.mass : 0) + (b.mass > 0 ? 1 / b.mass : 0);
  return max<f64>(sqrt<f64>(inverse / (mobilityOf(a) + mobilityOf(b))), LEAST_ARM);
}

/** 1 / the mean of the moments of inertia of a body, over h^2; 0 where it does not turn. */
function mobilityOf(body: AvbdBody): f64 {
  const sum: f64 = body.ixx + body.iyy + body.izz;
  return sum > 0 ? 3 / sum : 0;
}

/** Square of 1/60 s over the substep. */
export function stepShare(): f64 {
  const x: f64 = 1 / (60 * avbdState().h);
  return x * x;
}

/** The start of a substep. */
export function startSubstep(h: f64): void {
  for (let k: u32 = 0; k < header().awakeCount; k++) {
    const b: u32 = awakeBody(k);
    if (!isMoving(b)) continue;
    const body: AvbdBody = avbdBody(b);
    const row: BodyRow = rowAt(b);
    const accel: BodyAccel = accelAt(b);
    body.startDx = body.dx;
    body.startDy = body.dy;
    body.startDz = body.dz;
    body.startPx = body.px;
    body.startPy = body.py;
    body.startPz = body.pz;
    const weight: f64 = body.mass == 0 ? 1 : fallen(body, b, row, accel, h);
    const h2: f64 = h * h;
    body.targetDx = body.dx + h * <f64>row.vx + h2 * <f64>accel.ax;
    body.targetDy = body.dy + h * <f64>row.vy + h2 * <f64>accel.ay;
    body.targetDz = body.dz + h * <f64>row.vz + h2 * <f64>accel.az;
    body.targetPx = body.px + h * <f64>row.wx + h2 * <f64>accel.bx;
    body.targetPy = body.py + h * <f64>row.wy + h2 * <f64>accel.by;
    body.targetPz = body.pz + h * <f64>row.wz + h2 * <f64>accel.bz;
    const left: f64 = h2 * (1 - weight);
    body.dx = body.targetDx - left * <f64>accel.ax;
    body.dy = body.targetDy - left * <f64>accel.ay;
    body.dz = body.targetDz - left * <f64>accel.az;
    body.px = body.targetPx - left * <f64>accel.bx;
    body.py = body.targetPy - left * <f64>accel.by;
    body.pz = body.targetPz - left * <f64>accel.bz;
    body.generation = coldAt(b).generation + 1;
    body.lastVx = row.vx;
    body.lastVy = row.vy;
    body.lastVz = row.vz;
  }
}

/** Share of the acceleration by forces that a body has followed since the start of the last substep, 0 to 1. */
function fallen(body: AvbdBody, b: u32, row: BodyRow, accel: BodyAccel, h: f64): f64 {
  if (body.generation != coldAt(b).generation + 1) return 0;
  const ax: f64 = accel.ax,
    ay: f64 = accel.ay,
    az: f64 = accel.az;
  const square: f64 = ax * ax + ay * ay + az * az;
  if (square == 0) return 0;
  const x: f64 = <f64>row.vx - <f64>body.lastVx,
    y: f64 = <f64>row.vy - <f64>body.lastVy,
    z: f64 = <f64>row.vz - <f64>body.lastVz;
  return max<f64>(min<f64>((x * ax + y * ay + z * az) / (h * square), 1), 0);
}

/** Velocities from the motion of the substep. */
export function findVelocities(h: f64): void {
  const rate: f64 = 1 / h;
  for (let k: u32 = 0; k < header().awakeCount; k++) {
    const b: u32 = awakeBody(k);
    const body: AvbdBody = avbdBody(b);
    if (body.mass == 0) continue;
    const row: BodyRow = rowAt(b);
    row.vx = <f32>(rate * (body.dx - body.startDx));
    row.vy = <f32>(rate * (body.dy - body.startDy));
    row.vz = <f32>(rate * (body.dz - body.startDz));
    row.wx = <f32>(rate * (body.px - body.startPx));
    row.wy = <f32>(rate * (body.py - body.startPy));
    row.wz = <f32>(rate * (body.pz - body.startPz));
  }
}

/** Motion of the step, and the velocity of the last substep. */
export function finishBodiesOfAvbd(): void {
  const rate: f64 = 1 / avbdState().h;
  for (let k: u32 = 0; k < header().awakeCount; k++) {
    const b: u32 = awakeBody(k);
    if (!isMoving(b)) continue;
    const body: AvbdBody = avbdBody(b);
    const row: BodyRow = rowAt(b);
    const delta: BodyDelta = deltaAt(b);
    delta.dx = <f32>body.dx;
    delta.dy = <f32>body.dy;
    delta.dz = <f32>body.dz;
    delta.px = <f32>body.px;
    delta.py = <f32>body.py;
    delta.pz = <f32>body.pz;
    row.svx = <f32>(rate * (body.dx - body.startDx));
    row.svy = <f32>(rate * (body.dy - body.startDy));
    row.svz = <f32>(rate * (body.dz - body.startDz));
    row.swx = <f32>(rate * (body.px - body.startPx));
    row.swy = <f32>(rate * (body.py - body.startPy));
    row.swz = <f32>(rate * (body.pz - body.startPz));
  }
}
