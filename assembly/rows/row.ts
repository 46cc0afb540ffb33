// The rows of a contact: what impulse each takes, given the velocity that it sees. Every solver of the core calls these; T is f32
// for one row, v128 for the same row of four manifolds (math/number.ts), with the same bits.
//
// Normal row: z = max(0, z' - m (u + b) - c z'), with z' the impulse so far, u the velocity along the normal, m the effective
// mass, b the bias, c the share that softness takes of z'. Bound row: |z| <= bound (twist, a side of a friction pyramid). Circle
// row: two tangents, |(z1, z2)| <= bound (friction, rolling). Growth clamp: what a warm start repeats of an impulse.
// Source: docs/solvers.md, contact_rows.md; E. Catto, Solver2D, 2024 (soft step); A. Tonge et al. 2012, eqs. 39 to 41 (bounds).
import {
  add,
  anyGreater,
  div,
  ifGreater,
  keepNumber,
  least,
  magnitude,
  most,
  mul,
  neg,
  numberAt,
  numberOf,
  root,
  sub,
} from '../math/number';

/**
 * Impulse of a normal row of effective mass `mass`: u with its bias; `share`: the share that softness takes of the old impulse.
 */
// @ts-ignore: decorator
@inline
export function normalRow<T>(old: T, u: T, mass: T, share: T): T {
  return most<T>(numberOf<T>(0), sub<T>(sub<T>(old, mul<T>(mass, u)), mul<T>(share, old)));
}

/** The same of a rigid row, with the least impulse that it may have: 0, or what an impact may take back. */
// @ts-ignore: decorator
@inline
export function rigidNormalRow<T>(old: T, u: T, mass: T, from: T): T {
  return most<T>(from, sub<T>(old, mul<T>(mass, u)));
}

/** Bias of a rigid normal row, m/s: a gap s (m) may close within the substep 1 / invH. */
// @ts-ignore: decorator
@inline
export function gapBias<T>(s: T, invH: T): T {
  return mul<T>(most<T>(s, numberOf<T>(0)), invH);
}

/**
 * Bias of a soft normal row, m/s: gapBias if the point is apart (s > 0); else the push, `rate` (1/s) times the depth beyond
 * `slop` (m), at most -`push` (m/s, negative), times the `pushShare` of the contact.
 */
// @ts-ignore: decorator
@inline
export function softBias<T>(s: T, invH: T, rate: T, slop: T, push: T, pushShare: T): T {
  const zero: T = numberOf<T>(0);
  const pushed: T = most<T>(mul<T>(rate, least<T>(add<T>(s, slop), zero)), push);
  return ifGreater<T>(s, zero, mul<T>(s, invH), mul<T>(pushed, pushShare));
}

/** Soft normal row; `softMass` and `share` are those of its spring, which acts where the point is not apart. */
// @ts-ignore: decorator
@inline
export function softNormalRow<T>(s: T, old: T, u: T, mass: T, softMass: T, share: T): T {
  const zero: T = numberOf<T>(0);
  return normalRow<T>(old, u, ifGreater<T>(s, zero, mass, softMass), ifGreater<T>(s, zero, zero, share));
}

/** The part of impulse z above twice that of the substep before: a warm start leaves it out (docs/solvers.md, "Warm start"). */
// @ts-ignore: decorator
@inline
export function growthExcess<T>(z: T, before: T): T {
  return most<T>(numberOf<T>(0), sub<T>(z, add<T>(before, before)));
}

/** Share of an impulse that the last sweep over the rows of a face that is struck may still change (FACE_SWEEPS). */
const FACE_SETTLED: f32 = 1e-6;

/** Share by which an impulse of a contact that is struck differs from its warm start. */
const STRUCK: f32 = 0.25;

/** Whether a sweep over such a face has changed an impulse from `old` to z by more than that, in any lane. */
export function isUnsettled<T>(z: T, old: T): bool {
  return anyGreater<T>(magnitude<T>(sub<T>(z, old)), mul<T>(numberOf<T>(FACE_SETTLED), most<T>(z, old)));
}

/** Whether impulse z is so far from its warm start that something strikes there, in any lane. */
export function isStruckRow<T>(z: T, warm: T): bool {
  return anyGreater<T>(magnitude<T>(sub<T>(z, warm)), mul<T>(numberOf<T>(STRUCK), most<T>(z, warm)));
}

/** z within -bound to bound. */
// @ts-ignore: decorator
@inline
export function boundRow<T>(z: T, bound: T): T {
  return most<T>(neg<T>(bound), least<T>(bound, z));
}

/**
 * Step length for friction that slips, kg: the smaller eigenvalue of the inverse (m11 m12 m22) of its 2x2 block K. The projection
 * of z - step v to the circle of Coulomb's bound stands still where z is opposite to the motion v; with the block it would be
 * opposite to K^-1 v. A longer step would overshoot in the stiffer direction, and the mean of sub-bodies then never settles.
 */
// @ts-ignore: decorator
@inline
export function slipStep<T>(m11: T, m12: T, m22: T): T {
  const d: T = sub<T>(m11, m22);
  const length: T = root<T>(add<T>(mul<T>(d, d), mul<T>(numberOf<T>(4), mul<T>(m12, m12))));
  // 0: no number has their squares.
  return most<T>(numberOf<T>(0), mul<T>(numberOf<T>(0.5), sub<T>(add<T>(m11, m22), length)));
}

/** Factor that brings an impulse of this length back to `bound`; 1 within it. */
// @ts-ignore: decorator
@inline
export function boundedShare<T>(length: T, bound: T): T {
  return least<T>(numberOf<T>(1), div<T>(bound, most<T>(length, numberOf<T>(1e-30)))); // 1e-30 keeps 0 / 0 away
}

/** Factor that brings (z1, z2) back to the circle of radius `bound`; 1 inside of it. */
// @ts-ignore: decorator
@inline
export function toCircle<T>(z1: T, z2: T, bound: T): T {
  return boundedShare<T>(root<T>(add<T>(mul<T>(z1, z1), mul<T>(z2, z2))), bound);
}

/** z where (z1, z2) is in the circle of radius `bound`, else s. */
// @ts-ignore: decorator
@inline
export function inCircle<T>(z1: T, z2: T, bound: T, z: T, s: T): T {
  return ifGreater<T>(add<T>(mul<T>(z1, z1), mul<T>(z2, z2)), mul<T>(bound, bound), s, z);
}

/**
 * Writes new impulses of a circle row, in place of the old ones at `at`: those that end the motion (v1, v2), with the inverse
 * (m11, m12, m22) of its block K. If it slips, the impulse opposes the motion: one step length for both directions converges
 * there, the block would not.
 */
// @ts-ignore: decorator
@inline
export function circleRow<T>(at: usize, m11: T, m12: T, m22: T, v1: T, v2: T, bound: T): void {
  const z1: T = sub<T>(numberAt<T>(at), add<T>(mul<T>(m11, v1), mul<T>(m12, v2))),
    z2: T = sub<T>(numberAt<T>(at + sizeof<T>()), add<T>(mul<T>(m12, v1), mul<T>(m22, v2)));
  if (anyGreater<T>(add<T>(mul<T>(z1, z1), mul<T>(z2, z2)), mul<T>(bound, bound))) {
    slide<T>(at, slipStep<T>(m11, m12, m22), v1, v2, bound, z1, z2);
    return;
  }
  keepNumber<T>(at, z1);
  keepNumber<T>(at + sizeof<T>(), z2);
}

/** A circle row as a function, for solvers that take one row after the other. */
export function oneCircleRow(at: usize, m11: f32, m12: f32, m22: f32, v1: f32, v2: f32, bound: f32): void {
  circleRow<f32>(at, m11, m12, m22, v1, v2, bound);
}

/** The rest of circleRow where a row slips; a function of its own, as most rows hold. `slip`: step length, kg. */
function slide<T>(at: usize, slip: T, v1: T, v2: T, bound: T, z1: T, z2: T): void {
  const s1: T = sub<T>(numberAt<T>(at), mul<T>(slip, v1)),
    s2: T = sub<T>(numberAt<T>(at + sizeof<T>()), mul<T>(slip, v2));
  const scale: T = toCircle<T>(s1, s2, bound);
  keepNumber<T>(at, inCircle<T>(z1, z2, bound, z1, mul<T>(s1, scale)));
  keepNumber<T>(at + sizeof<T>(), inCircle<T>(z1, z2, bound, z2, mul<T>(s2, scale)));
}
