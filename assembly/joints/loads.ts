// Light links under heavy loads: raises the inertia of a body whose loads swing it faster than substeps can follow.
//
// A force F on a body at an arm r turns it back like a spring of (F.r) 1 - (F r' + r F') / 2 (geometric stiffness). The warm
// start applies F again with the present arm, so this spring is explicit. Beyond 2 rad of its swing per substep it gains energy
// without bound. The trace of inverse inertia times stiffness bounds the squares of its frequencies. Where half of it exceeds
// MOST_SWING per substep, the body has that much more inertia for all joints until the end of the step. Inertia does not change
// where bodies rest, and its scale does not change how a body turns freely.
// Loads are weighed at the start of a step, and again in a substep in which one has more than doubled.
// The kinetic energy that raised inertia adds is a loan, returned at the end of the step.
// A tree is factored in single precision. Beyond some mass ratio, the remaining mass of a light link under a heavy one is
// rounding, and a solve with such masses gains energy. So no body is handed more than MOST_RATIO times the mass with which it
// resists a turn. If inertia is raised, the kinetic energy that the trees of a batch add is counted, and returned with the loan.
// Input: impulses, arms, JointBody. Output: JointBody, JointGroup.bears.
// Source: Tournier et al., "Stable Constrained Dynamics" (2015), for the stiffness.
import {
  AddressLanes,
  JOINT_BODY_STRIDE,
  JointBody,
  JointGroup,
  NONE,
  SymmetricLanes,
  TreeSection,
  VectorLanes,
} from '../layout.generated';
import { addW, blendW, divW, dot3, dotW, greaterW, maxW, mulW, splatW, sqrtW, subW } from '../math/lane';
import { isMoved } from '../bodies/rows';
import { inverseRotate3, storeRotation } from '../math/quat';
import { withW3, x3, y3, z3 } from '../math/vec3';
import { symX } from './columns';
import {
  FORM_FLOATS,
  ROW_SPIN,
  armA,
  armB,
  bodiesA,
  bodiesB,
  givenA,
  givenB,
  inverseA,
  inverseB,
  parents,
  treeSection,
} from './layout';
import { jointScratch } from './state';
import { handedMass } from './tree';
import { addHeld, clearGiven } from './turn';

// Largest square of the angle (rad) of a swing in a substep.
const MOST_SWING: f32 = 1;
// Largest factor on inertia. A larger demand is not a load, but joints that contradict each other.
const MOST: f32 = 1000;
// Smallest and largest share of the energy of bodies that may remain when the loan is returned.
const LEAST_LEFT: f32 = 0.01;
const MOST_LEFT: f32 = 4;
// Largest ratio of the mass that a joint hands to a body to that with which the body resists a turn at the anchor. Rounding is
// then below a thousandth of the smaller one; 1:1000 at the end of a chain of rods is 0.7 of it.
const MOST_RATIO: f32 = 1e4;
// A load that gives no more than this share of it does not count.
const SHARE: f32 = 0.125;

/** |linear impulse of the locked axes|^2. */
// @ts-ignore: decorator
@inline
function squareOf(g: JointGroup): v128 {
  const x: v128 = g.impulseX,
    y: v128 = g.impulseY,
    z: v128 = g.impulseZ;
  return dotW(x, y, z, x, y, z);
}

/** Adds what the groups named in [list, end) bear to JointBody.raise of their bodies. h: length of the substeps (s). */
export function weighLoads(list: usize, end: usize, h: f32): void {
  for (; list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    const form: u32 = g.form;
    if ((form & FORM_FLOATS) != 0) continue;
    clearGiven(g);
    addHeld(g, form, splatW(1), true);
    const a: v128 = weighSide(bodiesA(g), givenA(g), armA(g), inverseA(g), splatW(-0.5 * h));
    const b: v128 = weighSide(bodiesB(g), givenB(g), armB(g), inverseB(g), splatW(0.5 * h));
    const least: v128 = divW(splatW((SHARE * MOST_SWING) / h), maxW(maxW(a, b), splatW(1e-12)));
    g.bears = maxW(mulW(splatW(4), squareOf(g)), mulW(least, least));
    clearGiven(g);
  }
}

/** Of one side; returns |arm| times the trace of the inverse inertia. */
function weighSide(bodies: AddressLanes, force: VectorLanes, arm: VectorLanes, inverse: SymmetricLanes, scale: v128): v128 {
  const fx: v128 = force.x,
    fy: v128 = force.y,
    fz: v128 = force.z;
  const rx: v128 = arm.x,
    ry: v128 = arm.y,
    rz: v128 = arm.z;
  const xx: v128 = inverse.xx,
    yy: v128 = inverse.yy,
    zz: v128 = inverse.zz,
    xy: v128 = inverse.xy,
    xz: v128 = inverse.xz,
    yz: v128 = inverse.yz;
  const trace: v128 = addW(addW(xx, yy), zz);
  const all: v128 = mulW(dotW(fx, fy, fz, rx, ry, rz), trace);
  const axial: v128 = dotW(fx, fy, fz, symX(xx, xy, xz, rx, ry, rz), symX(xy, yy, yz, rx, ry, rz), symX(xz, yz, zz, rx, ry, rz));
  const square: v128 = maxW(splatW(0), mulW(scale, subW(all, axial)));
  addRaise(changetype<JointBody>(bodies.at0), f32x4.extract_lane(square, 0));
  addRaise(changetype<JointBody>(bodies.at1), f32x4.extract_lane(square, 1));
  addRaise(changetype<JointBody>(bodies.at2), f32x4.extract_lane(square, 2));
  addRaise(changetype<JointBody>(bodies.at3), f32x4.extract_lane(square, 3));
  return mulW(trace, sqrtW(dotW(rx, ry, rz, rx, ry, rz)));
}

/** Raises JointBody.raise of the parents in the trees whose groups are named in [list, end) to what the carried masses need. */
export function weighRatios(list: usize, end: usize): void {
  for (; list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    const form: u32 = g.form;
    if ((form & FORM_FLOATS) != 0) continue;
    const t: TreeSection = treeSection(g);
    const carried: v128 = handedMass(t, form);
    const isB: v128 = greaterW(g.side, splatW(0));
    const rx: v128 = t.parentArmX,
      ry: v128 = t.parentArmY,
      rz: v128 = t.parentArmZ;
    const xx: v128 = blendW(isB, g.inverseAXX, g.inverseBXX),
      yy: v128 = blendW(isB, g.inverseAYY, g.inverseBYY),
      zz: v128 = blendW(isB, g.inverseAZZ, g.inverseBZZ),
      xy: v128 = blendW(isB, g.inverseAXY, g.inverseBXY),
      xz: v128 = blendW(isB, g.inverseAXZ, g.inverseBXZ),
      yz: v128 = blendW(isB, g.inverseAYZ, g.inverseBYZ);
    const all: v128 = mulW(dotW(rx, ry, rz, rx, ry, rz), addW(addW(xx, yy), zz));
    const tx: v128 = symX(xx, xy, xz, rx, ry, rz),
      ty: v128 = symX(xy, yy, yz, rx, ry, rz),
      tz: v128 = symX(xz, yz, zz, rx, ry, rz);
    const axial: v128 = dotW(rx, ry, rz, tx, ty, tz);
    const share: v128 = mulW(splatW(MOST_SWING / MOST_RATIO), mulW(carried, subW(all, axial)));
    atLeast(changetype<JointBody>(parents(t).at0), f32x4.extract_lane(share, 0));
    atLeast(changetype<JointBody>(parents(t).at1), f32x4.extract_lane(share, 1));
    atLeast(changetype<JointBody>(parents(t).at2), f32x4.extract_lane(share, 2));
    atLeast(changetype<JointBody>(parents(t).at3), f32x4.extract_lane(share, 3));
  }
}

// @ts-ignore: decorator
@inline
function atLeast(body: JointBody, square: f32): void {
  body.raise = max<f32>(body.raise, square);
}

// @ts-ignore: decorator
@inline
function addRaise(body: JointBody, square: f32): void {
  body.raise += square;
}

/** Before loads are weighed. */
export function dropRaises(first: usize, end: usize): void {
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) changetype<JointBody>(at).raise = 0;
}

/** Raises the inertia of bodies by the weighed factors (JointBody.raise). Returns whether any was raised. */
export function raiseInertia(first: usize, end: usize): bool {
  let any: bool = false;
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const before: f32 = max<f32>(1, b.raised);
    const raise: f32 = min<f32>(b.raise / MOST_SWING, MOST / before);
    if (!(raise > 1)) continue;
    any = true;
    b.raised = before * raise;
    b.lent += before * (raise - 1) * spinEnergy(b, before);
    b.inertia = mulW(b.inertia, splatW(raise));
    b.inertiaRest = mulW(b.inertiaRest, splatW(raise));
    const scale: f32 = 1 / raise;
    b.local = mulW(b.local, splatW(scale));
    b.localXZ *= scale;
    b.localYZ *= scale;
  }
  return any;
}

/** Kinetic energy (J) of the spin of a body with its own inertia; the present one is `raised` times as large. */
function spinEnergy(b: JointBody, raised: f32): f32 {
  const s: usize = changetype<usize>(jointScratch());
  storeRotation(b.rotation, s);
  const w: v128 = inverseRotate3(s, v128.load(b.row, ROW_SPIN));
  const i0: v128 = b.inertia,
    i1: v128 = b.inertiaRest;
  const x: f32 = x3(w),
    y: f32 = y3(w),
    z: f32 = z3(w);
  const even: f32 = x * x * f32x4.extract_lane(i0, 0) + y * y * f32x4.extract_lane(i0, 1) + z * z * f32x4.extract_lane(i0, 2);
  const odd: f32 = x * y * f32x4.extract_lane(i0, 3) + x * z * f32x4.extract_lane(i1, 0) + y * z * f32x4.extract_lane(i1, 1);
  return (0.5 * even + odd) / raised;
}

/** Kinetic energy (J) of bodies with the inertia that they have now. */
export function energyOf(first: usize, end: usize): f64 {
  let all: f64 = 0;
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const row: usize = <usize>b.row;
    const body: u32 = b.body;
    if (body == NONE || !isMoved(body)) continue;
    const v: v128 = v128.load(row);
    all += <f64>(0.5 * b.mass * dot3(v, v) + spinEnergy(b, 1));
  }
  return all;
}

/**
 * At the end of a step, for bodies that all hang from something at rest: raised inertia came with kinetic energy that the bodies
 * do not have, and takes the remainder away. The difference has gone into their motion or out of it. So their velocities are
 * scaled to the energy that they should have, which the rows of joints allow. Without this, heavy ends of light chains gain or
 * lose as much as they have. gained: energy that their trees have added, which joints that do no work cannot add (J); energy that
 * they removed is not returned.
 */
export function returnLent(first: usize, end: usize, gained: f32): void {
  let lent: f32 = max<f32>(0, gained),
    all: f32 = 0;
  let any: bool = false;
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) any = any || changetype<JointBody>(at).raised != 0;
  if (!any) return;
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const row: usize = <usize>b.row;
    const body: u32 = b.body;
    if (body == NONE) continue;
    const v: v128 = v128.load(row);
    if (!isMoved(body)) {
      const moves: v128 = v128.or(withW3(v, 0), withW3(v128.load(row, ROW_SPIN), 0));
      if (v128.any_true(f32x4.ne(moves, splatW(0)))) return;
      continue;
    }
    const raised: f32 = max<f32>(1, b.raised);
    const spin: f32 = spinEnergy(b, raised);
    lent += b.lent - (raised - 1) * spin;
    all += 0.5 * b.mass * dot3(v, v) + spin;
  }
  if (!(all > 0)) return;
  const scale: v128 = f32x4.replace_lane(splatW(sqrt<f32>(min<f32>(max<f32>(1 - lent / all, LEAST_LEFT), MOST_LEFT))), 3, 1);
  for (let at: usize = first; at < end; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    const row: usize = <usize>b.row;
    const body: u32 = b.body;
    if (body == NONE || !isMoved(body)) continue;
    v128.store(row, mulW(scale, v128.load(row)));
    v128.store(row, mulW(scale, v128.load(row, ROW_SPIN)), ROW_SPIN);
  }
}
