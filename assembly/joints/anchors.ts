// The bodies of four joints at their anchors: inverse inertia, relative velocity, and the effect of impulses. The inverse inertia
// is copied to columns once per update of the rows, so that all passes read it in sequence.
// Input: columns of turn.ts, BodyRow, JointBody. Output: columns of the head and of the scratch, BodyRow.
import { AddressLanes, BodyRow, JointBody, JointGroup, JointScratch, SymmetricLanes, VectorLanes } from '../layout.generated';
import { addColumns, columnW, columnX, columnY, columnZ, differenceOf, push } from '../lanes/columns';
import { dotW, greaterW, maxW, mulW, subW } from '../math/lane';
import { crossAddW, crossW, symX } from './columns';
import { ROW_SPIN, bodiesA, bodiesB, inverseA, inverseB, rowsA, rowsB } from './layout';
import { jointScratch } from './state';

/** Inverse inertia and masses to the head. */
export function loadBodies(g: JointGroup): void {
  g.invMassA = loadSide(bodiesA(g), inverseA(g));
  g.invMassB = loadSide(bodiesB(g), inverseB(g));
}

/** Of one side; returns 1 / m. */
function loadSide(bodies: AddressLanes, to: SymmetricLanes): v128 {
  const p0: JointBody = changetype<JointBody>(bodies.at0),
    p1: JointBody = changetype<JointBody>(bodies.at1),
    p2: JointBody = changetype<JointBody>(bodies.at2),
    p3: JointBody = changetype<JointBody>(bodies.at3);
  const s0: v128 = p0.inverse,
    s1: v128 = p1.inverse,
    s2: v128 = p2.inverse,
    s3: v128 = p3.inverse;
  const t0: v128 = secondRow(p0),
    t1: v128 = secondRow(p1),
    t2: v128 = secondRow(p2),
    t3: v128 = secondRow(p3);
  to.xx = columnX(s0, s1, s2, s3);
  to.yy = columnY(s0, s1, s2, s3);
  to.zz = columnZ(s0, s1, s2, s3);
  to.xy = columnW(s0, s1, s2, s3);
  to.xz = columnX(t0, t1, t2, t3);
  to.yz = columnY(t0, t1, t2, t3);
  return columnZ(t0, t1, t2, t3);
}
/** xz yz 1/m m. */
function secondRow(b: JointBody): v128 {
  return v128.load(changetype<usize>(b), offsetof<JointBody>('inverseXZ'));
}

/**
 * Response of the anchors, B - A, to turns (ax, ay, az) of A and (bx, by, bz) of B: the angular one, and the linear one added to
 * what the scratch has.
 */
export function respond(g: JointGroup, s: JointScratch, ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): void {
  const px: v128 = g.armAX,
    py: v128 = g.armAY,
    pz: v128 = g.armAZ;
  const qx: v128 = g.armBX,
    qy: v128 = g.armBY,
    qz: v128 = g.armBZ;
  s.responseX = subW(crossAddW(by, qz, bz, qy, s.responseX), crossW(ay, pz, az, py));
  s.responseY = subW(crossAddW(bz, qx, bx, qz, s.responseY), crossW(az, px, ax, pz));
  s.responseZ = subW(crossAddW(bx, qy, by, qx, s.responseZ), crossW(ax, py, ay, px));
  s.angularResponseX = subW(bx, ax);
  s.angularResponseY = subW(by, ay);
  s.angularResponseZ = subW(bz, az);
}

/** Relative velocity of the anchors, B - A, linear and angular, to the response of the scratch. */
export function relativeVelocity(g: JointGroup, s: JointScratch): void {
  const rowsOfA: AddressLanes = rowsA(g);
  const a0: usize = rowsOfA.at0,
    a1: usize = rowsOfA.at1,
    a2: usize = rowsOfA.at2,
    a3: usize = rowsOfA.at3;
  const rowsOfB: AddressLanes = rowsB(g);
  const b0: usize = rowsOfB.at0,
    b1: usize = rowsOfB.at1,
    b2: usize = rowsOfB.at2,
    b3: usize = rowsOfB.at3;
  const wa0: v128 = v128.load(a0, ROW_SPIN),
    wa1: v128 = v128.load(a1, ROW_SPIN),
    wa2: v128 = v128.load(a2, ROW_SPIN),
    wa3: v128 = v128.load(a3, ROW_SPIN);
  const wb0: v128 = v128.load(b0, ROW_SPIN),
    wb1: v128 = v128.load(b1, ROW_SPIN),
    wb2: v128 = v128.load(b2, ROW_SPIN),
    wb3: v128 = v128.load(b3, ROW_SPIN);
  const v0: v128 = differenceOf(a0, b0),
    v1: v128 = differenceOf(a1, b1),
    v2: v128 = differenceOf(a2, b2),
    v3: v128 = differenceOf(a3, b3);
  s.responseX = columnX(v0, v1, v2, v3);
  s.responseY = columnY(v0, v1, v2, v3);
  s.responseZ = columnZ(v0, v1, v2, v3);
  respond(
    g,
    s,
    columnX(wa0, wa1, wa2, wa3),
    columnY(wa0, wa1, wa2, wa3),
    columnZ(wa0, wa1, wa2, wa3),
    columnX(wb0, wb1, wb2, wb3),
    columnY(wb0, wb1, wb2, wb3),
    columnZ(wb0, wb1, wb2, wb3),
  );
}

/** I^-1 (x, y, z), added to the angular velocities of one side. */
export function spinSide(inverse: SymmetricLanes, rows: AddressLanes, x: v128, y: v128, z: v128): void {
  const xy: v128 = inverse.xy,
    xz: v128 = inverse.xz,
    yz: v128 = inverse.yz;
  addSpins(rows, symX(inverse.xx, xy, xz, x, y, z), symX(xy, inverse.yy, yz, x, y, z), symX(xz, yz, inverse.zz, x, y, z));
}
/** Added to the angular velocities of one side. */
// @ts-ignore: decorator
@inline
export function addSpins(rows: AddressLanes, x: v128, y: v128, z: v128): void {
  const r0: usize = <usize>rows.at0,
    r1: usize = <usize>rows.at1,
    r2: usize = <usize>rows.at2,
    r3: usize = <usize>rows.at3;
  addColumns(r0 + ROW_SPIN, r1 + ROW_SPIN, r2 + ROW_SPIN, r3 + ROW_SPIN, x, y, z);
}

/** |impulse|^2 of a group after a pass: of the last one the largest of the step is kept, else whether its load has grown. */
// @ts-ignore: decorator
@inline
export function noteImpulse(g: JointGroup, square: v128, last: bool): void {
  if (last) {
    g.peak = maxW(g.peak, square);
    return;
  }
  const s: JointScratch = jointScratch();
  s.grown = v128.or(s.grown, greaterW(square, g.bears));
}

/** Pushes the bodies of four joints by an impulse, on B, and against it, on A. */
export function pushBodies(g: JointGroup, x: v128, y: v128, z: v128): void {
  const a: AddressLanes = rowsA(g),
    b: AddressLanes = rowsB(g);
  push(a.at0, a.at1, a.at2, a.at3, b.at0, b.at1, b.at2, b.at3, x, y, z);
}

/** v += z / m along a direction, for the bodies of one side. */
export function pushSide(rows: AddressLanes, direction: VectorLanes, z: v128): void {
  const r0: BodyRow = changetype<BodyRow>(rows.at0),
    r1: BodyRow = changetype<BodyRow>(rows.at1),
    r2: BodyRow = changetype<BodyRow>(rows.at2),
    r3: BodyRow = changetype<BodyRow>(rows.at3);
  const k: v128 = mulW(f32x4(r0.invMass, r1.invMass, r2.invMass, r3.invMass), z);
  const x: v128 = mulW(k, direction.x),
    y: v128 = mulW(k, direction.y);
  addColumns(rows.at0, rows.at1, rows.at2, rows.at3, x, y, mulW(k, direction.z));
}

/** Speed of the centers of four bodies along a direction. */
export function speedAlong(rows: AddressLanes, direction: VectorLanes): v128 {
  const r0: v128 = v128.load(<usize>rows.at0),
    r1: v128 = v128.load(<usize>rows.at1),
    r2: v128 = v128.load(<usize>rows.at2),
    r3: v128 = v128.load(<usize>rows.at3);
  const x: v128 = columnX(r0, r1, r2, r3),
    y: v128 = columnY(r0, r1, r2, r3);
  return dotW(x, y, columnZ(r0, r1, r2, r3), direction.x, direction.y, direction.z);
}
