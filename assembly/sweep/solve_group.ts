// Solves a group of four manifolds in one visit: load their bodies, solve rows in the frames of the manifolds, store one wrench.
//
// The relative twist of the bodies at the mean point is read once. Friction, then the normal rows in order, use it together with
// the changes by earlier rows, through their couplings (docs/contact_rows.md, "A manifold in its own frame"). Vectors are given
// along t, u, n as x, y, z: velocity v, spin w, impulses of friction (the third about n), normal impulses (z their sum, x and y
// their sums times the offsets of the points along t and u).
// Input: a group (lane_rows.ts), BodyRow, parameters. Output: velocities in BodyRow, impulses and separations in the group.
import {
  CONTACT_POINTS_STRIDE,
  CONTACT_ROWS_STRIDE,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  ContactSidePoints,
  STEP_H,
  STEP_INV_H,
  STEP_PUSH,
  STEP_SLOP,
  STEP_SOFT,
  STEP_SOFT_STATIC,
  STEP_WARM_START,
} from '../layout.generated';
import { nextPoints, nextRows, pointsOf, rowsOf, sidePointsOf } from '../lanes/lane_layout';
import { addW, blendW, mulAddW, mulW, splatW, subW } from '../math/lane';
import { VectorW, cross, minus, opposite, plus, times, zeroVector } from '../math/vector';
import { FrameW, frameBy, frictionChange, inFrame, pointSpeed } from '../rows/frame';
import { boundRow, circleRow, gapBias, growthExcess, rigidNormalRow, softBias, softNormalRow } from '../rows/row';
import {
  AddressW,
  MOVED,
  SPIN,
  addTo,
  armDifference,
  armOfB,
  behind,
  differences,
  groupRowsA,
  groupRowsB,
  inertiaA,
  inertiaB,
  pushApart,
  symmetricTimes,
  vectorsAt,
} from './group_bodies';

// Passes of solveGroup. A relax pass has two additions to its rows: ADVANCE first updates separations by the motion that the
// bodies have just integrated; LAST finds the excess of impulses.
export const SOFT: u32 = 0;
export const RELAX: u32 = 1;
export const ADVANCE: u32 = 1;
export const LAST: u32 = 2;
/** The cold part for a pass that finds no excess. */
export const NO_SIDE: ContactSide = changetype<ContactSide>(0);

/** Coefficients of the soft normal rows of a group. */
@value
class SoftW {
  constructor(
    public rate: v128,
    public massScale: v128,
    public impulseScale: v128,
    public pushShare: v128,
  ) {}
}

/**
 * A soft or relax pass over a group with k points; `single`: one, known when this is compiled. `mode`: ADVANCE, LAST. Returns the
 * excess found, all points or-ed together.
 */
// @ts-ignore: decorator
@inline
export function solveGroup(
  pass: u32,
  single: bool,
  k: u32,
  g: ContactGroup,
  side: ContactSide,
  rows: usize,
  step: usize,
  mode: u32,
): v128 {
  const last: bool = pass == RELAX && (mode & LAST) != 0;
  const a: AddressW = groupRowsA(g, rows, 0),
    b: AddressW = groupRowsB(g, rows, 0);
  const frame: FrameW = frameOf(g);
  if (pass == RELAX && (mode & ADVANCE) != 0) advanceGroup(single, k, g, step, behind(a, MOVED), behind(b, MOVED), frame);

  // Velocity at the mean point and spin of B against A, along t, u, n.
  const spin: VectorW = differences(behind(a, SPIN), behind(b, SPIN));
  let v: VectorW = inFrame(frame, velocityAtMean(g, a, b, spin)),
    w: VectorW = inFrame(frame, spin);
  const zero: v128 = splatW(0);
  let p: ContactPoints = pointsOf(g, single ? 1 : 2),
    r: ContactRows = changetype<ContactRows>(changetype<usize>(p) + <usize>k * CONTACT_POINTS_STRIDE);
  const couplings: usize = changetype<usize>(r) + <usize>k * CONTACT_ROWS_STRIDE;
  const old1: v128 = p.impulse;
  const old2: v128 = !single ? pointsOf(g, 2, 1).impulse : zero;
  const old3: v128 = k > 2 ? pointsOf(g, 2, 2).impulse : zero;
  const old4: v128 = k > 3 ? pointsOf(g, 2, 3).impulse : zero;
  let pressed: v128 = old1;
  if (!single) pressed = addW(pressed, old2);
  if (k > 2) pressed = addW(pressed, old3);
  if (k > 3) pressed = addW(pressed, old4);

  // Friction. The relax pass of a single point goes backwards, normal first: friction so knows the impulse of an impact that
  // this pass has met.
  let friction: VectorW = zeroVector();
  if (pass == SOFT || !single) {
    const before: VectorW = frictionOf(g);
    solveFriction(g, v.x, v.y, w.z, pressed);
    friction = minus(frictionOf(g), before);
    v.z = addW(v.z, changeBy(friction, changetype<usize>(g) + offsetof<ContactGroup>('couplingN1')));
    if (!single) {
      w.x = addW(w.x, changeBy(friction, changetype<usize>(g) + offsetof<ContactGroup>('couplingT1')));
      w.y = addW(w.y, changeBy(friction, changetype<usize>(g) + offsetof<ContactGroup>('couplingU1')));
    }
  }

  let excess: v128 = zero;
  // Normal rows in order; each sees what those before it have changed, by its couplings with them.
  const soft: SoftW = pass == SOFT ? softOf(g, step) : new SoftW(zero, zero, zero, zero);
  let speed: v128 = single ? v.z : speedAt(r, v, w);
  const z1: v128 = solveNormal(pass, p, r, step, speed, old1, soft),
    d1: v128 = subW(z1, old1);
  if (last) excess = findExcess(sidePointsOf(side), z1);
  let normals: VectorW = single ? new VectorW(zero, zero, d1) : normalWrench(r, d1);
  if (!single) {
    p = nextPoints(p);
    r = nextRows(r);
    speed = mulAddW(v128.load(couplings), d1, speedAt(r, v, w));
    const z2: v128 = solveNormal(pass, p, r, step, speed, old2, soft),
      d2: v128 = subW(z2, old2);
    if (last) excess = v128.or(excess, findExcess(sidePointsOf(side, 1), z2));
    normals = plus(normals, normalWrench(r, d2));
    if (k > 2) {
      p = nextPoints(p);
      r = nextRows(r);
      speed = mulAddW(v128.load(couplings, 16), d1, speedAt(r, v, w));
      speed = mulAddW(v128.load(couplings, 32), d2, speed);
      const z3: v128 = solveNormal(pass, p, r, step, speed, old3, soft),
        d3: v128 = subW(z3, old3);
      if (last) excess = v128.or(excess, findExcess(sidePointsOf(side, 2), z3));
      normals = plus(normals, normalWrench(r, d3));
      if (k > 3) {
        p = nextPoints(p);
        r = nextRows(r);
        speed = mulAddW(v128.load(couplings, 48), d1, speedAt(r, v, w));
        speed = mulAddW(v128.load(couplings, 64), d2, speed);
        speed = mulAddW(v128.load(couplings, 80), d3, speed);
        const z4: v128 = solveNormal(pass, p, r, step, speed, old4, soft),
          d4: v128 = subW(z4, old4);
        if (last) excess = v128.or(excess, findExcess(sidePointsOf(side, 3), z4));
        normals = plus(normals, normalWrench(r, d4));
      }
    }
  }

  if (pass == RELAX && single) {
    // Effect of the normal impulses on the motion that friction holds; the couplings are symmetric.
    v.x = addW(v.x, mulW(g.couplingN1, normals.z));
    v.y = addW(v.y, mulW(g.couplingN2, normals.z));
    w.z = addW(w.z, mulW(g.couplingN3, normals.z));
    const before: VectorW = frictionOf(g);
    solveFriction(g, v.x, v.y, w.z, addW(pressed, normals.z));
    friction = minus(frictionOf(g), before);
  }
  applyWrench(single, g, a, b, frame, friction, normals);
  return excess;
}

/** Axes of the manifolds of a group. */
function frameOf(g: ContactGroup): FrameW {
  return frameBy(new VectorW(g.normalX, g.normalY, g.normalZ), new VectorW(g.tangentX, g.tangentY, g.tangentZ));
}

/** Velocity of B against A at the mean point, v_B - v_A + e x rB + w_A x (rB - rA), with e = w_B - w_A. */
function velocityAtMean(g: ContactGroup, a: AddressW, b: AddressW, e: VectorW): VectorW {
  const spinA: VectorW = vectorsAt(behind(a, SPIN));
  return plus(differences(a, b), plus(cross(e, armOfB(g)), cross(spinA, armDifference(g))));
}

/** Separations follow the motion of the substep: the velocities that the bodies moved with, rows at a and b. */
// @ts-ignore: decorator
@inline
function advanceGroup(single: bool, k: u32, g: ContactGroup, step: usize, a: AddressW, b: AddressW, frame: FrameW): void {
  const spin: VectorW = differences(behind(a, SPIN), behind(b, SPIN));
  const v: VectorW = inFrame(frame, velocityAtMean(g, a, b, spin)),
    w: VectorW = inFrame(frame, spin);
  const h: v128 = v128.load(step, STEP_H);
  const p: ContactPoints = pointsOf(g, single ? 1 : 2),
    r: ContactRows = changetype<ContactRows>(changetype<usize>(p) + <usize>k * CONTACT_POINTS_STRIDE);
  if (single) {
    p.separation = mulAddW(h, v.z, p.separation);
    return;
  }
  advancePoint(p, r, h, v, w);
  advancePoint(nextPoints(p), nextRows(r), h, v, w);
  if (k > 2) advancePoint(pointsOf(g, 2, 2), nextRows(nextRows(r)), h, v, w);
  if (k > 3) advancePoint(pointsOf(g, 2, 3), nextRows(nextRows(nextRows(r))), h, v, w);
}
// @ts-ignore: decorator
@inline
function advancePoint(p: ContactPoints, r: ContactRows, h: v128, v: VectorW, w: VectorW): void {
  p.separation = mulAddW(h, speedAt(r, v, w), p.separation);
}

/** Speed along the normal at a point. */
// @ts-ignore: decorator
@inline
function speedAt(r: ContactRows, v: VectorW, w: VectorW): v128 {
  return pointSpeed<v128>(r.alongT, r.alongU, v.z, w.x, w.y);
}

/** Impulses of friction: along t and u, about n. */
function frictionOf(g: ContactGroup): VectorW {
  return new VectorW(g.tangentImpulse1, g.tangentImpulse2, g.twistImpulse);
}

/** Effect of the impulses on a row with couplings at `c`. */
// @ts-ignore: decorator
@inline
function changeBy(friction: VectorW, c: usize): v128 {
  return frictionChange<v128>(c, friction.x, friction.y, friction.z);
}

/** Friction of a group at its mean point, then spin about the normal, bound by the normal impulses; impulses in place. */
// @ts-ignore: decorator
@inline
function solveFriction(g: ContactGroup, v1: v128, v2: v128, w3: v128, normals: v128): void {
  const at: usize = changetype<usize>(g) + offsetof<ContactGroup>('tangentImpulse1');
  const m11: v128 = g.tangentMass11,
    m12: v128 = g.tangentMass12,
    m22: v128 = g.tangentMass22;
  circleRow<v128>(at, m11, m12, m22, v1, v2, mulW(g.friction, normals));
  const twist: v128 = subW(g.twistImpulse, mulW(g.twistMass, w3));
  g.twistImpulse = boundRow<v128>(twist, mulW(g.twistFriction, normals));
}

function softOf(g: ContactGroup, step: usize): SoftW {
  return new SoftW(softness(g, step, 0), softness(g, step, 16), softness(g, step, 32), g.pushShare);
}
/** A coefficient of each lane; `offset` in STEP_SOFT. */
// @ts-ignore: decorator
@inline
function softness(g: ContactGroup, step: usize, offset: usize): v128 {
  return blendW(g.isStatic, v128.load(step + STEP_SOFT_STATIC + offset), v128.load(step + STEP_SOFT + offset));
}

/** Normal row of a point that sees this speed along the normal: its new impulse, in place. */
// @ts-ignore: decorator
@inline
function solveNormal(pass: u32, p: ContactPoints, r: ContactRows, step: usize, speed: v128, old: v128, soft: SoftW): v128 {
  const z: v128 = pass == SOFT ? softImpulse(p, r, step, speed, old, soft) : relaxImpulse(p, r, step, speed, old);
  p.impulse = z;
  return z;
}

// @ts-ignore: decorator
@inline
function softImpulse(p: ContactPoints, r: ContactRows, step: usize, speed: v128, old: v128, soft: SoftW): v128 {
  const s: v128 = p.separation;
  const invH: v128 = v128.load(step, STEP_INV_H),
    slop: v128 = v128.load(step, STEP_SLOP),
    push: v128 = v128.load(step, STEP_PUSH);
  const bias: v128 = softBias<v128>(s, invH, soft.rate, slop, push, soft.pushShare);
  const mass: v128 = r.mass;
  return softNormalRow<v128>(s, old, addW(speed, bias), mass, mulW(mass, soft.massScale), soft.impulseScale);
}

/** Rigid, without push. */
// @ts-ignore: decorator
@inline
function relaxImpulse(p: ContactPoints, r: ContactRows, step: usize, speed: v128, old: v128): v128 {
  const bias: v128 = gapBias<v128>(p.separation, v128.load(step, STEP_INV_H));
  return rigidNormalRow<v128>(old, addW(speed, bias), r.mass, splatW(0));
}

/** Growth clamp of the impulse that a pass ends with: the excess is left out of the next warm start. */
// @ts-ignore: decorator
@inline
export function findExcess(q: ContactSidePoints, z: v128): v128 {
  const excess: v128 = growthExcess<v128>(z, q.previous);
  q.excess = excess;
  q.previous = z;
  return excess;
}

/** The wrench at the mean point of a normal impulse at a point. */
function normalWrench(r: ContactRows, z: v128): VectorW {
  return new VectorW(mulW(r.alongT, z), mulW(r.alongU, z), z);
}

/**
 * Applies the wrench of a manifold at its mean point to the bodies: the force t f1 + u f2 + n sum and the torque n f3 + t (sum
 * along u) - u (sum along t).
 */
// @ts-ignore: decorator
@inline
function applyWrench(
  single: bool,
  g: ContactGroup,
  a: AddressW,
  b: AddressW,
  frame: FrameW,
  friction: VectorW,
  normals: VectorW,
): void {
  // Force along the surface, apart: an arm along the normal gets no torque from normal impulses, not by rounding either.
  const along: VectorW = plus(times(frame.t, friction.x), times(frame.u, friction.y));
  pushApart(a, b, plus(along, times(frame.n, normals.z)));
  let torque: VectorW = times(frame.n, friction.z);
  if (!single) torque = plus(torque, minus(times(frame.t, normals.y), times(frame.u, normals.x)));
  const armB: VectorW = armOfB(g);
  const onB: VectorW = plus(torque, torqueOf(armB, along, frame.n, normals.z));
  addTo(behind(b, SPIN), symmetricTimes(inertiaB(g), onB));
  const armA: VectorW = minus(armB, armDifference(g));
  const onA: VectorW = opposite(plus(torque, torqueOf(armA, along, frame.n, normals.z)));
  addTo(behind(a, SPIN), symmetricTimes(inertiaA(g), onA));
}

/** r x (f + n s). */
function torqueOf(r: VectorW, f: VectorW, n: VectorW, s: v128): VectorW {
  return plus(cross(r, f), times(cross(r, n), s));
}

/**
 * Rolling resistance of a group, after its contact rows: relative spins about t and u, bound by the arm times the normal
 * impulses (docs/contact_rows.md, "Rolling resistance").
 */
export function rollGroup(k: u32, g: ContactGroup, side: ContactSide, rows: usize): void {
  let borne: v128 = pointsOf(g, k).impulse;
  for (let i: u32 = 1; i < k; i++) borne = addW(borne, pointsOf(g, k, i).impulse);
  const old1: v128 = side.rollImpulse1,
    old2: v128 = side.rollImpulse2;
  const bound: v128 = mulW(g.rollArm, borne);
  if (!v128.any_true(v128.or(v128.or(bound, old1), old2))) return;
  const a: AddressW = behind(groupRowsA(g, rows, 0), SPIN),
    b: AddressW = behind(groupRowsB(g, rows, 0), SPIN);
  const frame: FrameW = frameOf(g);
  const w: VectorW = inFrame(frame, differences(a, b));
  const m11: v128 = side.rollMass11,
    m12: v128 = side.rollMass12,
    m22: v128 = side.rollMass22;
  circleRow<v128>(changetype<usize>(side) + offsetof<ContactSide>('rollImpulse1'), m11, m12, m22, w.x, w.y, bound);
  const d1: v128 = subW(side.rollImpulse1, old1),
    d2: v128 = subW(side.rollImpulse2, old2);
  const torque: VectorW = plus(times(frame.t, d1), times(frame.u, d2));
  addTo(b, symmetricTimes(inertiaB(g), torque));
  addTo(a, opposite(symmetricTimes(inertiaA(g), torque)));
}

/**
 * Applies stored impulses of a group. Warm start: all of them, less their excess, times the factor; else the excess, backwards in
 * time, and the stored ones lose it. `half`: 1 if the rows are half as long as BodyRow.
 */
export function applyStored(warm: bool, k: u32, g: ContactGroup, side: ContactSide, rows: usize, half: u32, step: usize): void {
  const factor: v128 = v128.load(step, STEP_WARM_START);
  let friction: VectorW = zeroVector();
  if (warm) {
    friction = times(frictionOf(g), factor);
    g.tangentImpulse1 = friction.x;
    g.tangentImpulse2 = friction.y;
    g.twistImpulse = friction.z;
  }
  let normals: VectorW = zeroVector();
  for (let i: u32 = 0; i < k; i++) {
    const p: ContactPoints = pointsOf(g, k, i),
      q: ContactSidePoints = sidePointsOf(side, i),
      r: ContactRows = rowsOf(g, k, i);
    const old: v128 = p.impulse,
      excess: v128 = q.excess;
    let change: v128;
    if (warm) {
      change = mulW(subW(old, excess), factor);
      p.impulse = change;
      q.excess = splatW(0);
    } else {
      // The start that would have led to where the substep ended without it: further on.
      change = excess;
      p.impulse = subW(old, excess);
    }
    if (k > 1) normals = plus(normals, normalWrench(r, change));
    else normals.z = addW(normals.z, change);
  }
  if (warm && v128.any_true(g.rollArm)) {
    const roll1: v128 = mulW(side.rollImpulse1, factor),
      roll2: v128 = mulW(side.rollImpulse2, factor);
    side.rollImpulse1 = roll1;
    side.rollImpulse2 = roll2;
    normals.y = addW(normals.y, roll1);
    normals.x = subW(normals.x, roll2);
  }
  applyWrench(false, g, groupRowsA(g, rows, half), groupRowsB(g, rows, half), frameOf(g), friction, normals);
}
