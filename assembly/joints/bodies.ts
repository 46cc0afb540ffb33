// Bodies of joints through a substep, four at once: their present poses and inertia, and the rotation of a body with unequal
// moments.
//
// Contacts keep arms and inertia for a step. Joints do not, because that would add energy (docs/joint_solver.md). So a body with
// joints carries its own rotation. In each substep it turns by its velocity after the soft pass, within the speed limit, by the
// implicit midpoint rule for Euler's equation in the frame of the body, with one step of Newton's method. The change that the
// rule makes to the angular velocity is stored separately (JointBody.gyro): the next substep repeats impulses (v_end - v_start),
// and this is none.
// Input: BodyRow, JointBody. Output: JointBody; BodyRow.w; at the end BodyDelta and FLAG_HELD.
// Source: Catto, "Numerical Methods" (GDC 2015) for Newton's step; the midpoint rule as in bodies/turn.ts.
import {
  BODY_DELTA_STRIDE,
  BodyCold,
  BodyDelta,
  BodyInertia,
  BodyRow,
  Header,
  JOINT_BODY_STRIDE,
  JointBody,
  JointScratch,
  NONE,
} from '../layout.generated';
import { applyLocks, lockInertia, lockShares, locksOf } from '../bodies/locks';
import { limitedTo, speedLimit, spinLimit } from '../bodies/limits';
import { FLAG_HELD, coldAt, isMoved, rowAt } from '../bodies/rows';
import { cosineW, sincW } from '../math/angle';
import {
  addW,
  divW,
  joinHighW,
  joinLowW,
  maxW,
  minW,
  mulAddW,
  mulW,
  negW,
  splatW,
  sqrtW,
  subW,
  zipHighW,
  zipLowW,
} from '../math/lane';
import { quatConjugate, quatMul, rotationVectorOf } from '../math/quat';
import { invertSymmetric } from '../math/symmetric';
import { header } from '../memory/header';
import { columnW, columnX, columnY, columnZ } from '../lanes/columns';
import { COLUMN, crossW, symX } from './columns';
import { ROW_SPIN, angularMassOf, bodyAfter, inverseOfBody } from './layout';
import { jointScratch } from './state';

// Speeds are put just inside their limit.
const INSIDE: f32 = 0.999;
// Components of the quaternions of bodies that are turned as the last step left them differ by less.
const SAME_TURN: f32 = 1e-5;
// Slower spin than this (rad a substep, squared) has no gyroscopic effect worth its cost: at 2 ms 5 mrad/s, which precess by 25
// microradians a second.
const GYRO_MIN_ANGLE2: f32 = 1e-10;
// No body turns farther in a substep (rad): rows could not follow a faster rotation.
const MOST_TURN: f32 = 2.6;

/** A row for a body (NONE: the ground) whose BodyRow lies at `row`. */
export function initJointBody(at: usize, body: u32, row: usize): void {
  memory.fill(at, 0, JOINT_BODY_STRIDE);
  const b: JointBody = changetype<JointBody>(at);
  b.row = <u32>row;
  b.body = body;
  b.rotation = f32x4(0, 0, 0, 1);
  b.inertia = f32x4(1, 1, 1, 0);
  if (body == NONE || !isMoved(body)) return;
  takeInertia(b, body);
  b.invMass = rowAt(body).invMass;
  b.mass = coldAt(body).mass;
}

/** The inertia of a body is its own. */
function takeInertia(b: JointBody, body: u32): void {
  const cold: BodyCold = coldAt(body);
  // With a locked rotation: that of a ball, which turns at a constant velocity.
  const isFree: bool = locksOf(body) < 8;
  b.inertia = isFree ? f32x4(cold.ixx, cold.iyy, cold.izz, cold.ixy) : f32x4(1, 1, 1, 0);
  b.inertiaRest = isFree ? f32x4(cold.ixz, cold.iyz, 0, 0) : splatW(0);
  b.local = f32x4(cold.jxx, cold.jyy, cold.jzz, cold.jxy);
  b.localXZ = cold.jxz;
  b.localYZ = cold.jyz;
  b.raise = 0;
  b.raised = 0;
}

/** Applies axis locks: removes the motion of bodies along their locked axes. */
export function keepJointBodies(first: usize, end: usize): void {
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const locks: u32 = jointLocks(b);
    if (locks != 0) applyLocks(<usize>b.row, locks);
  }
}

function jointLocks(b: JointBody): u32 {
  const body: u32 = b.body;
  return body == NONE ? 0 : locksOf(body);
}

/** Inverse inertia and articulated masses of bodies with locked axes: heavy along these. */
function lockMasses(first: usize, end: usize): void {
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const locks: u32 = jointLocks(b);
    if (locks == 0) continue;
    const m: f32 = b.mass;
    b.mass0 = f32x4.replace_lane(f32x4.div(splatW(m), lockShares(locks)), 3, 0);
    if (locks < 8) continue;
    const i: BodyInertia = inverseOfBody(b);
    lockInertia(i, locks);
    // Its inverse in double precision: locked axes are far from the others.
    invertSymmetric(<f64>i.xx, <f64>i.yy, <f64>i.zz, <f64>i.xy, <f64>i.xz, <f64>i.yz, angularMassOf(b));
  }
}

/** The most that bodies turn at (rad/s) in substeps of h seconds. */
function fastestTurn(h: f32): f32 {
  return min<f32>(header().maxAngularSpeed * INSIDE, MOST_TURN / h);
}

/**
 * Start of a step with substeps of `step` seconds: poses, inertia without loads. Returns whether all are turned as the last step
 * left them.
 */
export function beginJointBodies(first: usize, end: usize, step: f32): bool {
  const h: Header = header();
  const fastest: f32 = fastestTurn(step);
  let off: v128 = splatW(0);
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const body: u32 = b.body;
    if (body != NONE) {
      const q: v128 = v128.load(<usize>h.rotations + ((<usize>body) << 4)),
        left: v128 = b.rotation;
      // A quaternion and its opposite are one rotation.
      off = f32x4.max(off, f32x4.min(f32x4.abs(subW(q, left)), f32x4.abs(addW(q, left))));
      b.rotation = q;
    }
    if (b.raised != 0) takeInertia(b, body);
    b.lent = 0;
    b.travel = f32x4.splat(0);
    b.gyro = f32x4.splat(0);
    b.spin = limitedTo(v128.load(<usize>b.row, ROW_SPIN), fastest);
  }
  return i32x4.all_true(f32x4.lt(off, splatW(SAME_TURN)));
}

/**
 * Start of a substep but the first: what the turn did to velocities was repeated with the impulses; it is taken back. Returns
 * a bound of the speeds of all.
 */
export function dropGyros(first: usize, end: usize): f32 {
  let most: v128 = splatW(0);
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const row: usize = <usize>b.row;
    const w: v128 = subW(v128.load(row, ROW_SPIN), b.gyro);
    v128.store(row, w, ROW_SPIN);
    most = f32x4.max(most, speedOf(row, w));
  }
  return largest(most);
}

/** A bound of the speeds of all, linear and angular; NaN if one is none. */
export function fastestOf(first: usize, end: usize): f32 {
  let most: v128 = splatW(0);
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const row: usize = <usize>b.row;
    most = f32x4.max(most, speedOf(row, v128.load(row, ROW_SPIN)));
  }
  return largest(most);
}

/** Largest components of the velocity of a row and of its spin; not the fourth. max, not pmax: NaN comes through. */
// @ts-ignore: decorator
@inline
function speedOf(row: usize, w: v128): v128 {
  return f32x4.max(f32x4.abs(f32x4.replace_lane(v128.load(row), 3, 0)), f32x4.abs(w));
}

/** No speed is longer than twice its largest component. */
function largest(most: v128): f32 {
  return 2 * max<f32>(max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)), f32x4.extract_lane(most, 2));
}

/**
 * Bodies that got out of the hands of their joints (solve.ts) are back within their limits of speed, at poses within them.
 */
export function holdJointBodies(first: usize, end: usize): void {
  const h: Header = header();
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const row: usize = <usize>b.row;
    const body: u32 = b.body;
    const isFree: bool = body != NONE && isMoved(body);
    const speed: f32 = isFree ? speedLimit(coldAt(body)) : Infinity,
      spin: f32 = isFree ? spinLimit(coldAt(body)) : Infinity;
    v128.store(row, f32x4.replace_lane(limitedTo(finite(v128.load(row)), speed), 3, changetype<BodyRow>(row).invMass));
    v128.store(row, limitedTo(finite(v128.load(row, ROW_SPIN)), spin), ROW_SPIN);
    b.gyro = splatW(0);
    b.spin = splatW(0);
    if (!isFree) continue;
    const delta: usize = <usize>h.bodyDeltas + <usize>body * BODY_DELTA_STRIDE;
    const way: v128 = limitedTo(finite(v128.load(delta)), speed * h.dt);
    v128.store(delta, way);
    b.travel = way;
    const q: v128 = b.rotation;
    if (v128.any_true(f32x4.ne(q, q))) b.rotation = v128.load(<usize>h.rotations + ((<usize>body) << 4));
  }
}

/** 0 where a component is no finite number. */
function finite(v: v128): v128 {
  return v128.and(v, f32x4.lt(f32x4.abs(v), splatW(Infinity)));
}

/** Inertia at the present poses; articulated masses (`trees`: needed) are those of the bodies alone. */
export function turnJointBodies(first: usize, end: usize, trees: bool): void {
  const s: JointScratch = jointScratch();
  for (let at: usize = first; at < end; at += 4 * JOINT_BODY_STRIDE) {
    const body0: JointBody = changetype<JointBody>(at),
      body1: JointBody = bodyAfter(body0, 1),
      body2: JointBody = bodyAfter(body0, 2),
      body3: JointBody = bodyAfter(body0, 3);
    const q0: v128 = body0.rotation,
      q1: v128 = body1.rotation,
      q2: v128 = body2.rotation,
      q3: v128 = body3.rotation;
    const x: v128 = columnX(q0, q1, q2, q3),
      y: v128 = columnY(q0, q1, q2, q3),
      z: v128 = columnZ(q0, q1, q2, q3),
      w: v128 = columnW(q0, q1, q2, q3);
    const x2: v128 = addW(x, x),
      y2: v128 = addW(y, y),
      z2: v128 = addW(z, z);
    const xx: v128 = mulW(x, x2),
      yy: v128 = mulW(y, y2),
      zz: v128 = mulW(z, z2),
      xy: v128 = mulW(x, y2),
      xz: v128 = mulW(x, z2),
      yz: v128 = mulW(y, z2),
      wx: v128 = mulW(w, x2),
      wy: v128 = mulW(w, y2),
      wz: v128 = mulW(w, z2);
    const one: v128 = splatW(1);
    // Rows of R.
    s.turn00 = subW(one, addW(yy, zz));
    s.turn01 = subW(xy, wz);
    s.turn02 = addW(xz, wy);
    s.turn10 = addW(xy, wz);
    s.turn11 = subW(one, addW(xx, zz));
    s.turn12 = subW(yz, wx);
    s.turn20 = subW(xz, wy);
    s.turn21 = addW(yz, wx);
    s.turn22 = subW(one, addW(xx, yy));
    turnTensor(body0, false, s);
    if (trees) turnTensor(body0, true, s);
  }
  if (header().anyLocks != 0) lockMasses(first, end);
}

/** R T R' of four bodies, R in the scratch: present inverse inertia; with `mass`: inertia as part of an articulated mass. */
// @ts-ignore: decorator
@inline
function turnTensor(b: JointBody, mass: bool, s: JointScratch): void {
  const r00: v128 = s.turn00,
    r01: v128 = s.turn01,
    r02: v128 = s.turn02;
  const r10: v128 = s.turn10,
    r11: v128 = s.turn11,
    r12: v128 = s.turn12;
  const r20: v128 = s.turn20,
    r21: v128 = s.turn21,
    r22: v128 = s.turn22;
  const body1: JointBody = bodyAfter(b, 1),
    body2: JointBody = bodyAfter(b, 2),
    body3: JointBody = bodyAfter(b, 3);
  const from: usize = mass ? offsetof<JointBody>('inertia') : offsetof<JointBody>('local');
  const t0: v128 = v128.load(changetype<usize>(b) + from),
    t1: v128 = v128.load(changetype<usize>(body1) + from),
    t2: v128 = v128.load(changetype<usize>(body2) + from),
    t3: v128 = v128.load(changetype<usize>(body3) + from);
  const u0: v128 = v128.load(changetype<usize>(b) + from + COLUMN),
    u1: v128 = v128.load(changetype<usize>(body1) + from + COLUMN),
    u2: v128 = v128.load(changetype<usize>(body2) + from + COLUMN),
    u3: v128 = v128.load(changetype<usize>(body3) + from + COLUMN);
  const xx: v128 = columnX(t0, t1, t2, t3),
    yy: v128 = columnY(t0, t1, t2, t3),
    zz: v128 = columnZ(t0, t1, t2, t3),
    xy: v128 = columnW(t0, t1, t2, t3),
    xz: v128 = columnX(u0, u1, u2, u3),
    yz: v128 = columnY(u0, u1, u2, u3);
  // Rows of R T, then the six of the product.
  const a0: v128 = symX(xx, xy, xz, r00, r01, r02),
    a1: v128 = symX(xy, yy, yz, r00, r01, r02),
    a2: v128 = symX(xz, yz, zz, r00, r01, r02);
  const b0: v128 = symX(xx, xy, xz, r10, r11, r12),
    b1: v128 = symX(xy, yy, yz, r10, r11, r12),
    b2: v128 = symX(xz, yz, zz, r10, r11, r12);
  const c0: v128 = symX(xx, xy, xz, r20, r21, r22),
    c1: v128 = symX(xy, yy, yz, r20, r21, r22),
    c2: v128 = symX(xz, yz, zz, r20, r21, r22);
  const nxx: v128 = symX(a0, a1, a2, r00, r01, r02),
    nyy: v128 = symX(b0, b1, b2, r10, r11, r12),
    nzz: v128 = symX(c0, c1, c2, r20, r21, r22),
    nxy: v128 = symX(a0, a1, a2, r10, r11, r12),
    nxz: v128 = symX(a0, a1, a2, r20, r21, r22),
    nyz: v128 = symX(b0, b1, b2, r20, r21, r22);
  if (mass) {
    storeMass(b, 0, nxx, nyy, nzz, nxy, nxz, nyz);
    storeMass(body1, 1, nxx, nyy, nzz, nxy, nxz, nyz);
    storeMass(body2, 2, nxx, nyy, nzz, nxy, nxz, nyz);
    storeMass(body3, 3, nxx, nyy, nzz, nxy, nxz, nyz);
  } else {
    storeInverse(b, nxx, nyy, nzz, nxy, nxz, nyz);
  }
}

// @ts-ignore: decorator
@inline
function storeInverse(b: JointBody, xx: v128, yy: v128, zz: v128, xy: v128, xz: v128, yz: v128): void {
  const l0: v128 = zipLowW(xx, yy),
    h0: v128 = zipHighW(xx, yy),
    l1: v128 = zipLowW(zz, xy),
    h1: v128 = zipHighW(zz, xy);
  b.inverse = joinLowW(l0, l1);
  bodyAfter(b, 1).inverse = joinHighW(l0, l1);
  bodyAfter(b, 2).inverse = joinLowW(h0, h1);
  bodyAfter(b, 3).inverse = joinHighW(h0, h1);
  // Mass and its inverse behind them stay.
  const low: v128 = zipLowW(xz, yz),
    high: v128 = zipHighW(xz, yz);
  v128.store64_lane(changetype<usize>(b), low, 0, offsetof<JointBody>('inverseXZ'));
  v128.store64_lane(changetype<usize>(bodyAfter(b, 1)), low, 1, offsetof<JointBody>('inverseXZ'));
  v128.store64_lane(changetype<usize>(bodyAfter(b, 2)), high, 0, offsetof<JointBody>('inverseXZ'));
  v128.store64_lane(changetype<usize>(bodyAfter(b, 3)), high, 1, offsetof<JointBody>('inverseXZ'));
}

/** The articulated mass of a body alone. */
// @ts-ignore: decorator
@inline
function storeMass(b: JointBody, lane: u8, xx: v128, yy: v128, zz: v128, xy: v128, xz: v128, yz: v128): void {
  const m: f32 = b.mass;
  const zero: v128 = splatW(0);
  b.mass0 = f32x4(m, m, m, 0);
  b.mass1 = zero;
  b.mass2 = zero;
  b.mass3 = f32x4.replace_lane(zero, 3, pick(xx, lane));
  b.mass4 = f32x4(pick(yy, lane), pick(zz, lane), pick(xy, lane), pick(xz, lane));
  b.mass5 = f32x4.replace_lane(zero, 0, pick(yz, lane));
}

// @ts-ignore: decorator
@inline
function pick(v: v128, lane: u8): f32 {
  return lane == 0
    ? f32x4.extract_lane(v, 0)
    : lane == 1
      ? f32x4.extract_lane(v, 1)
      : lane == 2
        ? f32x4.extract_lane(v, 2)
        : f32x4.extract_lane(v, 3);
}

/**
 * After the soft pass: poses of the next substep. h: its length (s), in all lanes. Returns a bound of the speeds of all, linear
 * and angular.
 */
export function moveJointBodies(first: usize, end: usize, h: v128): f32 {
  let most: v128 = splatW(0);
  const fastest: v128 = splatW(fastestTurn(f32x4.extract_lane(h, 0)));
  for (let at: usize = first; at < end; at += 4 * JOINT_BODY_STRIDE) {
    const body0: JointBody = changetype<JointBody>(at),
      body1: JointBody = bodyAfter(body0, 1),
      body2: JointBody = bodyAfter(body0, 2),
      body3: JointBody = bodyAfter(body0, 3);
    const row0: usize = body0.row,
      row1: usize = body1.row,
      row2: usize = body2.row,
      row3: usize = body3.row;
    travel(body0, row0, h);
    travel(body1, row1, h);
    travel(body2, row2, h);
    travel(body3, row3, h);
    const w0: v128 = v128.load(row0, ROW_SPIN),
      w1: v128 = v128.load(row1, ROW_SPIN),
      w2: v128 = v128.load(row2, ROW_SPIN),
      w3: v128 = v128.load(row3, ROW_SPIN);
    most = f32x4.max(
      most,
      f32x4.max(f32x4.max(speedOf(row0, w0), speedOf(row1, w1)), f32x4.max(speedOf(row2, w2), speedOf(row3, w3))),
    );
    const still: v128 = f32x4.eq(v128.or(v128.or(w0, w1), v128.or(w2, w3)), splatW(0));
    if (i32x4.all_true(v128.or(still, i32x4(0, 0, 0, -1)))) {
      for (let k: usize = 0; k < 4; k++) {
        bodyAfter(body0, k).spin = splatW(0);
        bodyAfter(body0, k).gyro = splatW(0);
      }
      continue;
    }
    const ox: v128 = columnX(w0, w1, w2, w3),
      oy: v128 = columnY(w0, w1, w2, w3),
      oz: v128 = columnZ(w0, w1, w2, w3);
    // Within the limit of the world, or the end of the step would turn back what the joints hold.
    const square: v128 = symX(ox, oy, oz, ox, oy, oz);
    const slow: v128 = minW(splatW(1), divW(fastest, maxW(sqrtW(square), splatW(1e-30))));
    const wx: v128 = mulW(ox, slow),
      wy: v128 = mulW(oy, slow),
      wz: v128 = mulW(oz, slow);
    body0.spin = mulW(w0, v128.shuffle<f32>(slow, slow, 0, 0, 0, 0));
    body1.spin = mulW(w1, v128.shuffle<f32>(slow, slow, 1, 1, 1, 1));
    body2.spin = mulW(w2, v128.shuffle<f32>(slow, slow, 2, 2, 2, 2));
    body3.spin = mulW(w3, v128.shuffle<f32>(slow, slow, 3, 3, 3, 3));
    const q0: v128 = body0.rotation,
      q1: v128 = body1.rotation,
      q2: v128 = body2.rotation,
      q3: v128 = body3.rotation;
    const x: v128 = columnX(q0, q1, q2, q3),
      y: v128 = columnY(q0, q1, q2, q3),
      z: v128 = columnZ(q0, q1, q2, q3),
      w: v128 = columnW(q0, q1, q2, q3);
    // Into the frame of the body: v - 2 w t + 2 u x t with t = u x v.
    const lx: v128 = unturnX(x, y, z, w, wx, wy, wz),
      ly: v128 = unturnX(y, z, x, w, wy, wz, wx),
      lz: v128 = unturnX(z, x, y, w, wz, wx, wy);
    const t0: v128 = body0.inertia,
      t1: v128 = body1.inertia,
      t2: v128 = body2.inertia,
      t3: v128 = body3.inertia;
    const s0: v128 = body0.inertiaRest,
      s1: v128 = body1.inertiaRest,
      s2: v128 = body2.inertiaRest,
      s3: v128 = body3.inertiaRest;
    let ixx: v128 = columnX(t0, t1, t2, t3),
      iyy: v128 = columnY(t0, t1, t2, t3),
      izz: v128 = columnZ(t0, t1, t2, t3),
      ixy: v128 = columnW(t0, t1, t2, t3),
      ixz: v128 = columnX(s0, s1, s2, s3),
      iyz: v128 = columnY(s0, s1, s2, s3);
    const k: v128 = mulW(h, splatW(0.5));
    let nx: v128 = lx,
      ny: v128 = ly,
      nz: v128 = lz;
    // Four that are balls or hardly turn keep their angular velocity.
    const even: v128 = v128.and(f32x4.eq(ixx, iyy), f32x4.eq(iyy, izz)),
      ball: v128 = v128.and(even, f32x4.eq(v128.or(ixy, v128.or(ixz, iyz)), splatW(0)));
    const round: bool = i32x4.all_true(v128.or(ball, f32x4.lt(mulW(mulW(h, h), square), splatW(GYRO_MIN_ANGLE2))));
    if (!round) {
      // Their ratios alone count: made smaller than 2 by a power of two, which is exact, so that products of three have numbers.
      const size: v128 = divW(splatW(1), v128.and(maxW(ixx, maxW(iyy, izz)), i32x4.splat(0x7f800000)));
      ixx = mulW(size, ixx);
      iyy = mulW(size, iyy);
      izz = mulW(size, izz);
      ixy = mulW(size, ixy);
      ixz = mulW(size, ixz);
      iyz = mulW(size, iyz);
      // Residual h w x L, Jacobian J = I + h / 2 ([w] I - [L]), L = I w.
      const ax: v128 = symX(ixx, ixy, ixz, lx, ly, lz),
        ay: v128 = symX(ixy, iyy, iyz, lx, ly, lz),
        az: v128 = symX(ixz, iyz, izz, lx, ly, lz);
      const fx: v128 = mulW(h, crossW(ly, az, lz, ay)),
        fy: v128 = mulW(h, crossW(lz, ax, lx, az)),
        fz: v128 = mulW(h, crossW(lx, ay, ly, ax));
      const j00: v128 = mulAddW(k, crossW(ly, ixz, lz, ixy), ixx),
        j10: v128 = mulAddW(k, subW(crossW(lz, ixx, lx, ixz), az), ixy),
        j20: v128 = mulAddW(k, addW(crossW(lx, ixy, ly, ixx), ay), ixz);
      const j01: v128 = mulAddW(k, addW(crossW(ly, iyz, lz, iyy), az), ixy),
        j11: v128 = mulAddW(k, crossW(lz, ixy, lx, iyz), iyy),
        j21: v128 = mulAddW(k, subW(crossW(lx, iyy, ly, ixy), ax), iyz);
      const j02: v128 = mulAddW(k, subW(crossW(ly, izz, lz, iyz), ay), ixz),
        j12: v128 = mulAddW(k, addW(crossW(lz, ixz, lx, izz), ax), iyz),
        j22: v128 = mulAddW(k, crossW(lx, iyz, ly, ixz), izz);
      // Cramer's rule.
      const m0: v128 = crossW(j11, j22, j21, j12),
        m1: v128 = crossW(j21, j02, j01, j22),
        m2: v128 = crossW(j01, j12, j11, j02);
      const inverse: v128 = divW(splatW(1), addW(addW(mulW(j00, m0), mulW(j10, m1)), mulW(j20, m2)));
      const n0: v128 = crossW(j20, j12, j10, j22),
        n1: v128 = crossW(j00, j22, j20, j02),
        n2: v128 = crossW(j10, j02, j00, j12);
      const o0: v128 = crossW(j10, j21, j20, j11),
        o1: v128 = crossW(j20, j01, j00, j21),
        o2: v128 = crossW(j00, j11, j10, j01);
      const ex: v128 = mulW(inverse, symX(m0, m1, m2, fx, fy, fz)),
        ey: v128 = mulW(inverse, symX(n0, n1, n2, fx, fy, fz)),
        ez: v128 = mulW(inverse, symX(o0, o1, o2, fx, fy, fz));
      nx = subW(lx, ex);
      ny = subW(ly, ey);
      nz = subW(lz, ez);
    }
    // q exp(h (w + w') / 2), in the frame of the body: half of it is k times the mean.
    const half: v128 = splatW(0.5);
    const dx: v128 = mulW(k, mulW(half, addW(lx, nx))),
      dy: v128 = mulW(k, mulW(half, addW(ly, ny))),
      dz: v128 = mulW(k, mulW(half, addW(lz, nz)));
    const angle2: v128 = symX(dx, dy, dz, dx, dy, dz);
    const sine: v128 = sincW(angle2),
      c: v128 = cosineW(angle2);
    const px: v128 = mulW(sine, dx),
      py: v128 = mulW(sine, dy),
      pz: v128 = mulW(sine, dz);
    let qx: v128 = addW(mulAddW(w, px, mulW(x, c)), crossW(y, pz, z, py)),
      qy: v128 = addW(mulAddW(w, py, mulW(y, c)), crossW(z, px, x, pz)),
      qz: v128 = addW(mulAddW(w, pz, mulW(z, c)), crossW(x, py, y, px)),
      qw: v128 = subW(mulW(w, c), symX(x, y, z, px, py, pz));
    const scale: v128 = divW(splatW(1), sqrtW(addW(mulW(qw, qw), symX(qx, qy, qz, qx, qy, qz))));
    qx = mulW(qx, scale);
    qy = mulW(qy, scale);
    qz = mulW(qz, scale);
    qw = mulW(qw, scale);
    const a0: v128 = zipLowW(qx, qy),
      a1: v128 = zipHighW(qx, qy),
      b0: v128 = zipLowW(qz, qw),
      b1: v128 = zipHighW(qz, qw);
    body0.rotation = joinLowW(a0, b0);
    body1.rotation = joinHighW(a0, b0);
    body2.rotation = joinLowW(a1, b1);
    body3.rotation = joinHighW(a1, b1);
    // Back into the world with the new rotation, minus the old spin.
    const nqx: v128 = negW(qx),
      nqy: v128 = negW(qy),
      nqz: v128 = negW(qz);
    const gx: v128 = subW(round ? wx : unturnX(nqx, nqy, nqz, qw, nx, ny, nz), ox),
      gy: v128 = subW(round ? wy : unturnX(nqy, nqz, nqx, qw, ny, nz, nx), oy),
      gz: v128 = subW(round ? wz : unturnX(nqz, nqx, nqy, qw, nz, nx, ny), oz);
    const moved: v128 = movedLanes(body0);
    const zero: v128 = splatW(0);
    const c0: v128 = zipLowW(v128.and(gx, moved), v128.and(gy, moved)),
      c1: v128 = zipHighW(v128.and(gx, moved), v128.and(gy, moved)),
      d0: v128 = zipLowW(v128.and(gz, moved), zero),
      d1: v128 = zipHighW(v128.and(gz, moved), zero);
    addGyro(body0, row0, joinLowW(c0, d0));
    addGyro(body1, row1, joinHighW(c0, d0));
    addGyro(body2, row2, joinLowW(c1, d1));
    addGyro(body3, row3, joinHighW(c1, d1));
  }
  return largest(most);
}

/** A motion is tried: what moveJointBodies changes is kept. Returns a bound of the spins of all. */
export function keepPoses(first: usize, end: usize): f32 {
  let most: v128 = splatW(0);
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const w: v128 = v128.load(<usize>b.row, ROW_SPIN);
    b.triedRotation = b.rotation;
    b.triedTravel = b.travel;
    b.triedVelocity = w;
    b.triedSpin = b.spin;
    b.triedGyro = b.gyro;
    most = f32x4.max(most, f32x4.abs(w));
  }
  return largest(most);
}

/** All is as it was before the motion. */
export function restorePoses(first: usize, end: usize): void {
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    b.rotation = b.triedRotation;
    b.travel = b.triedTravel;
    v128.store(<usize>b.row, b.triedVelocity, ROW_SPIN);
    b.spin = b.triedSpin;
    b.gyro = b.triedGyro;
  }
}

/** All ones where impulses move a body. */
// @ts-ignore: decorator
@inline
function movedLanes(b: JointBody): v128 {
  const m: v128 = f32x4(b.invMass, bodyAfter(b, 1).invMass, bodyAfter(b, 2).invMass, bodyAfter(b, 3).invMass);
  return f32x4.gt(m, splatW(0));
}

// @ts-ignore: decorator
@inline
function addGyro(b: JointBody, row: usize, gyro: v128): void {
  b.gyro = gyro;
  v128.store(row, addW(v128.load(row, ROW_SPIN), gyro), ROW_SPIN);
}

// @ts-ignore: decorator
@inline
function travel(b: JointBody, row: usize, h: v128): void {
  const v: v128 = f32x4.replace_lane(v128.load(row), 3, 0);
  b.travel = mulAddW(h, v, b.travel);
}

/** x of the vector v turned by the inverse of the quaternion (x, y, z, w); the others by turning the letters. */
// @ts-ignore: decorator
@inline
function unturnX(x: v128, y: v128, z: v128, w: v128, vx: v128, vy: v128, vz: v128): v128 {
  const tx: v128 = crossW(y, vz, z, vy),
    ty: v128 = crossW(z, vx, x, vz),
    tz: v128 = crossW(x, vy, y, vx);
  const r: v128 = subW(crossW(y, tz, z, ty), mulW(w, tx));
  return addW(vx, addW(r, r));
}

/** End of a step: what the bodies have turned, to BodyDelta, for a pose that is exactly the one joints were solved for. */
export function endJointBodies(first: usize, end: usize): void {
  const h: Header = header();
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const body: u32 = b.body;
    if (body == NONE || !isMoved(body)) continue;
    const start: v128 = v128.load(<usize>h.rotations + ((<usize>body) << 4));
    const turn: v128 = rotationVectorOf(quatMul(b.rotation, quatConjugate(start)));
    // Locked axes: finishBodies.
    v128.store(<usize>h.bodyDeltas + <usize>body * BODY_DELTA_STRIDE, turn, offsetof<BodyDelta>('px'));
    coldAt(body).flags |= FLAG_HELD;
  }
}
