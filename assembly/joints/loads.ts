// Light links under heavy loads: more inertia where a load swings a body faster than substeps can follow.
//
// A force F on a body at a lever r turns it back like a spring of (F.r) 1 - (F r' + r F') / 2 (geometric stiffness). The warm
// start gives F again with the lever of now, so that this spring is explicit: beyond 2 rad of its swing in a substep it gains
// energy without bound. The trace of inverse inertia times stiffness bounds the squares of its frequencies; where half of it
// passes MOST_SWING in a substep, the body has that much more inertia for all joints until the end of the step. A place of
// rest does not depend on inertia, and how a body turns freely not on its scale.
// Loads are weighed at the start of a step, and again in a substep in which one has grown to more than twice.
// What raised inertia adds to the kinetic energy is lent, and returned at the end of the step.
// A tree is factored in single precision: what is left of the mass of a light link under a heavy one is rounding from some ratio
// on, and a solve by such masses gains energy. So no body is handed more than MOST_RATIO times the mass with which it resists a
// turn. Where inertia is raised, what the trees of a batch add to the kinetic energy is counted, and goes with what was lent.
// Input: impulses, levers, JointBody. Output: B_INERTIA, B_INVERSE_LOCAL, B_RAISE, J_BEARS.
// Source: Tournier et al., "Stable Constrained Dynamics" (2015), for the stiffness.
import { addW, blendW, divW, dot3, dotW, greaterW, maxW, mulW, splatW, sqrtW, subW } from '../math/lane';
import { isMoved } from '../bodies/rows';
import { NONE } from '../layout.generated';
import { inverseRotate3, storeRotation } from '../math/quat';
import { withW3, x3, y3, z3 } from '../math/vec3';
import { col, setCol, symX } from './columns';
import {
  B_INERTIA,
  B_INVERSE,
  B_INVERSE_LOCAL,
  B_LENT,
  B_RAISE,
  B_RAISED,
  B_ROW,
  FORM_FLOATS,
  JOINT_BODY_BYTES,
  J_BEARS,
  J_BODY_A,
  J_BODY_B,
  J_FORM,
  J_IMPULSE,
  J_INVERSE_A,
  J_INVERSE_B,
  J_LEVER_A,
  J_LEVER_B,
  J_SIDE,
  J_TORQUE,
  T_LEVER,
  T_PARENT,
} from './layout';
import { jointScratch } from './state';
import { handedMass } from './tree';
import { addHeld } from './turn';

// Largest square of the angle (rad) of a swing in a substep.
const MOST_SWING: f32 = 1;
// Most that inertia is raised by. What asks for more is no load but joints that contradict each other.
const MOST: f32 = 1000;
// Least share of the energy of bodies that is left when what was lent is returned, and most.
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
function squareOf(g: usize): v128 {
  const x: v128 = col(g, J_IMPULSE, 0),
    y: v128 = col(g, J_IMPULSE, 1),
    z: v128 = col(g, J_IMPULSE, 2);
  return dotW(x, y, z, x, y, z);
}

/** Adds what the groups named in [list, end) bear to B_RAISE of their bodies. h: length of the substeps (s). */
export function weighLoads(list: usize, end: usize, h: f32): void {
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_FLOATS) != 0) continue;
    for (let k: usize = 0; k < 6; k++) setCol(g, J_TORQUE, k, splatW(0));
    addHeld(g, form, splatW(1), true);
    const a: v128 = weighSide(g, J_BODY_A, 0, J_LEVER_A, g + J_INVERSE_A, splatW(-0.5 * h));
    const b: v128 = weighSide(g, J_BODY_B, 3, J_LEVER_B, g + J_INVERSE_B, splatW(0.5 * h));
    const least: v128 = divW(splatW((SHARE * MOST_SWING) / h), maxW(maxW(a, b), splatW(1e-12)));
    v128.store(g, maxW(mulW(splatW(4), squareOf(g)), mulW(least, least)), J_BEARS);
    for (let k: usize = 0; k < 12; k++) setCol(g, J_TORQUE, k, splatW(0));
  }
}

/** Of one side; returns |lever| times the trace of the inverse inertia. */
function weighSide(g: usize, bodies: usize, part: usize, lever: usize, inverse: usize, scale: v128): v128 {
  const fx: v128 = col(g, J_TORQUE, part),
    fy: v128 = col(g, J_TORQUE, part + 1),
    fz: v128 = col(g, J_TORQUE, part + 2);
  const rx: v128 = col(g, lever, 0),
    ry: v128 = col(g, lever, 1),
    rz: v128 = col(g, lever, 2);
  const xx: v128 = v128.load(inverse),
    yy: v128 = v128.load(inverse, 16),
    zz: v128 = v128.load(inverse, 32),
    xy: v128 = v128.load(inverse, 48),
    xz: v128 = v128.load(inverse, 64),
    yz: v128 = v128.load(inverse, 80);
  const trace: v128 = addW(addW(xx, yy), zz);
  const all: v128 = mulW(dotW(fx, fy, fz, rx, ry, rz), trace);
  const axial: v128 = dotW(fx, fy, fz, symX(xx, xy, xz, rx, ry, rz), symX(xy, yy, yz, rx, ry, rz), symX(xz, yz, zz, rx, ry, rz));
  const square: v128 = maxW(splatW(0), mulW(scale, subW(all, axial)));
  addRaise(load<u32>(g + bodies), f32x4.extract_lane(square, 0));
  addRaise(load<u32>(g + bodies, 4), f32x4.extract_lane(square, 1));
  addRaise(load<u32>(g + bodies, 8), f32x4.extract_lane(square, 2));
  addRaise(load<u32>(g + bodies, 12), f32x4.extract_lane(square, 3));
  return mulW(trace, sqrtW(dotW(rx, ry, rz, rx, ry, rz)));
}

/** B_RAISE of the parents in the trees whose groups are named in [list, end): no less than what they carry asks for. */
export function weighRatios(list: usize, end: usize): void {
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_FLOATS) != 0) continue;
    const t: usize = g + load<u32>(g, J_FORM + 8);
    const carried: v128 = handedMass(t, form);
    const isB: v128 = greaterW(v128.load(g, J_SIDE), splatW(0));
    const rx: v128 = col(t, T_LEVER, 3),
      ry: v128 = col(t, T_LEVER, 4),
      rz: v128 = col(t, T_LEVER, 5);
    const xx: v128 = blendW(isB, col(g, J_INVERSE_A, 0), col(g, J_INVERSE_B, 0)),
      yy: v128 = blendW(isB, col(g, J_INVERSE_A, 1), col(g, J_INVERSE_B, 1)),
      zz: v128 = blendW(isB, col(g, J_INVERSE_A, 2), col(g, J_INVERSE_B, 2)),
      xy: v128 = blendW(isB, col(g, J_INVERSE_A, 3), col(g, J_INVERSE_B, 3)),
      xz: v128 = blendW(isB, col(g, J_INVERSE_A, 4), col(g, J_INVERSE_B, 4)),
      yz: v128 = blendW(isB, col(g, J_INVERSE_A, 5), col(g, J_INVERSE_B, 5));
    const all: v128 = mulW(dotW(rx, ry, rz, rx, ry, rz), addW(addW(xx, yy), zz));
    const tx: v128 = symX(xx, xy, xz, rx, ry, rz),
      ty: v128 = symX(xy, yy, yz, rx, ry, rz),
      tz: v128 = symX(xz, yz, zz, rx, ry, rz);
    const axial: v128 = dotW(rx, ry, rz, tx, ty, tz);
    const share: v128 = mulW(splatW(MOST_SWING / MOST_RATIO), mulW(carried, subW(all, axial)));
    atLeast(load<u32>(t, T_PARENT), f32x4.extract_lane(share, 0));
    atLeast(load<u32>(t, T_PARENT + 4), f32x4.extract_lane(share, 1));
    atLeast(load<u32>(t, T_PARENT + 8), f32x4.extract_lane(share, 2));
    atLeast(load<u32>(t, T_PARENT + 12), f32x4.extract_lane(share, 3));
  }
}

// @ts-ignore: decorator
@inline
function atLeast(body: u32, square: f32): void {
  store<f32>(body, max<f32>(load<f32>(body, B_RAISE), square), B_RAISE);
}

// @ts-ignore: decorator
@inline
function addRaise(body: u32, square: f32): void {
  store<f32>(body, load<f32>(body, B_RAISE) + square, B_RAISE);
}

/** Before loads are weighed. */
export function dropRaises(first: usize, end: usize): void {
  for (let b: usize = first; b < end; b += JOINT_BODY_BYTES) store<f32>(b, 0, B_RAISE);
}

/** Inertia of the bodies of a run by what was weighed; B_RAISE becomes the factor. Returns whether any was raised. */
export function raiseInertia(first: usize, end: usize): bool {
  let any: bool = false;
  for (let b: usize = first; b < end; b += JOINT_BODY_BYTES) {
    const before: f32 = max<f32>(1, load<f32>(b, B_RAISED));
    const raise: f32 = min<f32>(load<f32>(b, B_RAISE) / MOST_SWING, MOST / before);
    const raised: bool = raise > 1;
    store<f32>(b, raised ? raise : 1, B_RAISE);
    if (!raised) continue;
    any = true;
    store<f32>(b, before * raise, B_RAISED);
    store<f32>(b, load<f32>(b, B_LENT) + before * (raise - 1) * spinEnergy(b, before), B_LENT);
    scaleTensor(b + B_INERTIA, raise);
    scaleTensor(b + B_INVERSE_LOCAL, 1 / raise);
  }
  return any;
}

/** Kinetic energy (J) of the spin of a body with its own inertia, of which B_INERTIA is `raised` times. */
function spinEnergy(b: usize, raised: f32): f32 {
  const s: usize = jointScratch();
  storeRotation(v128.load(b), s);
  const w: v128 = inverseRotate3(s, v128.load(<usize>load<u32>(b, B_ROW), 16));
  const i0: v128 = v128.load(b, B_INERTIA),
    i1: v128 = v128.load(b, B_INERTIA + 16);
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
  for (let b: usize = first; b < end; b += JOINT_BODY_BYTES) {
    const row: usize = <usize>load<u32>(b, B_ROW);
    const body: u32 = load<u32>(b, B_ROW + 4);
    if (body == NONE || !isMoved(body)) continue;
    const v: v128 = v128.load(row);
    all += <f64>(0.5 * load<f32>(b, B_INVERSE + 28) * dot3(v, v) + spinEnergy(b, 1));
  }
  return all;
}

/**
 * End of a step of bodies that all hang from something at rest: raised inertia came with kinetic energy that the bodies do not
 * have, and goes with what is left of it. The difference has gone into their motion or out of it; their velocities are scaled to
 * what it should be, which the rows of joints allow. Without this heavy ends of light chains gain or lose as much as they have.
 * gained: what their trees have added, which joints that do no work cannot (J); what they took out is not given back.
 */
export function returnLent(first: usize, end: usize, gained: f32): void {
  let lent: f32 = max<f32>(0, gained),
    all: f32 = 0;
  let any: bool = false;
  for (let b: usize = first; b < end; b += JOINT_BODY_BYTES) any = any || load<f32>(b, B_RAISED) != 0;
  if (!any) return;
  for (let b: usize = first; b < end; b += JOINT_BODY_BYTES) {
    const row: usize = <usize>load<u32>(b, B_ROW);
    const body: u32 = load<u32>(b, B_ROW + 4);
    if (body == NONE) continue;
    const v: v128 = v128.load(row);
    if (!isMoved(body)) {
      const moves: v128 = v128.or(withW3(v, 0), withW3(v128.load(row, 16), 0));
      if (v128.any_true(f32x4.ne(moves, splatW(0)))) return;
      continue;
    }
    const raised: f32 = max<f32>(1, load<f32>(b, B_RAISED));
    const spin: f32 = spinEnergy(b, raised);
    lent += load<f32>(b, B_LENT) - (raised - 1) * spin;
    all += 0.5 * load<f32>(b, B_INVERSE + 28) * dot3(v, v) + spin;
  }
  if (!(all > 0)) return;
  const scale: v128 = f32x4.replace_lane(splatW(sqrt<f32>(min<f32>(max<f32>(1 - lent / all, LEAST_LEFT), MOST_LEFT))), 3, 1);
  for (let b: usize = first; b < end; b += JOINT_BODY_BYTES) {
    const row: usize = <usize>load<u32>(b, B_ROW);
    const body: u32 = load<u32>(b, B_ROW + 4);
    if (body == NONE || !isMoved(body)) continue;
    v128.store(row, mulW(scale, v128.load(row)));
    v128.store(row, mulW(scale, v128.load(row, 16)), 16);
  }
}

function scaleTensor(at: usize, scale: f32): void {
  v128.store(at, mulW(v128.load(at), splatW(scale)));
  v128.store64_lane(at, mulW(v128.load(at, 16), splatW(scale)), 0, 16);
}
