// The rows of a single axis of a joint: what impulse a motor, a spring, dry friction and friction by load take, and the sides of
// a limit. T is f32 for one joint, v128 for four (math/number.ts), with the same bits. Twin: shaders/shared/joint_drive.wgsl, the
// same names.
//
// Not here, since the two solvers differ: what a limit does once it is passed. In `wide` it is the more rigid the deeper it is
// passed (joints/units.ts), in `cell-split` a spring of one softness (split/turn.ts). A gear is rigid in `wide`, soft there.
// Source: docs/joint_solver.md.
import { add, div, ifGreater, least, most, mul, neg, numberOf, sub } from '../math/number';
import { boundRow } from './row';

const TWO_PI: f32 = 6.2831855;
// Square of (omega h), and zeta omega h, below which a substep follows the exact motion of a spring.
const SHORT_STEP: f32 = 0.25;
/** Keeps 0 / 0 away. */
const LEAST: f32 = 1e-30;
/** m: a shorter vector has no direction. */
const SHORTEST: f32 = 1e-6;

/** Row of a bounded impulse that brings the speed u to 0: dry friction; with the speed less that of a motor, the motor. */
export function drivenRow<T>(old: T, u: T, mass: T, bound: T): T {
  return boundRow<T>(sub<T>(old, mul<T>(mass, u)), bound);
}

/** Change of speed by an impulse d on a row of the mass `mass`. */
export function speedGain<T>(d: T, mass: T): T {
  return div<T>(d, most<T>(mass, numberOf<T>(LEAST)));
}

/** A spring in a substep h: `square` is (omega h)^2, `damping` zeta omega h. */
@value
export class Spring<T> {
  constructor(
    public square: T,
    public damping: T,
  ) {}
}

/** A spring of a frequency (Hz) and a damping ratio, in a substep h. */
export function springByFrequency<T>(h: T, frequency: T, ratio: T): Spring<T> {
  const x: T = mul<T>(mul<T>(numberOf<T>(TWO_PI), h), frequency);
  return new Spring<T>(mul<T>(x, x), mul<T>(x, ratio));
}

/** A spring of a stiffness and a damping (SI) on a mass. */
export function springByStiffness<T>(h: T, mass: T, stiffness: T, damping: T): Spring<T> {
  const inverse: T = div<T>(numberOf<T>(1), most<T>(mass, numberOf<T>(LEAST)));
  return new Spring<T>(
    mul<T>(mul<T>(h, h), mul<T>(inverse, stiffness)),
    mul<T>(mul<T>(numberOf<T>(0.5), h), mul<T>(inverse, damping)),
  );
}

/**
 * Returns how firmly a spring holds the speed, divided by its mass: h (c + h k) / m. It is e^(2 d) - 1, d the damping, which
 * damps as much as the exact motion does; if the substep is long for the spring, that of implicit Euler. h^2 k / m is unchanged,
 * so the place of rest is too.
 */
// @ts-ignore: decorator
@inline
export function springHold<T>(s: Spring<T>): T {
  const d: T = s.damping;
  const p: T = add<T>(mul<T>(d, add<T>(mul<T>(d, numberOf<T>(1 / 24)), numberOf<T>(1 / 6))), numberOf<T>(0.5));
  const e: T = mul<T>(d, add<T>(mul<T>(d, p), numberOf<T>(1))); // e^d - 1
  const short: T = numberOf<T>(SHORT_STEP);
  const exact: T = mul<T>(e, add<T>(e, numberOf<T>(2)));
  const implicit: T = add<T>(mul<T>(numberOf<T>(2), d), s.square);
  return ifGreater<T>(short, s.square, ifGreater<T>(short, d, exact, implicit), implicit);
}

/**
 * Row of a spring: u speed, `hold` springHold times the mass of the spring, `pull` its force times h. z' = z - (u + pull gamma +
 * gamma z) / (1 / mass + gamma), gamma = 1 / hold; written without dividing by it.
 */
// @ts-ignore: decorator
@inline
export function springRow<T>(old: T, u: T, mass: T, hold: T, pull: T): T {
  const all: T = add<T>(pull, add<T>(mul<T>(hold, u), old));
  return sub<T>(old, div<T>(mul<T>(mass, all), most<T>(add<T>(mass, hold), numberOf<T>(LEAST))));
}

/** Side on which a limit is nearer: 1 at the lower end, which is `lower` away, -1 at the upper one. */
// @ts-ignore: decorator
@inline
export function limitSide<T>(lower: T, upper: T): T {
  return ifGreater<T>(lower, upper, numberOf<T>(-1), numberOf<T>(1));
}

/**
 * The common part of a motor's impulse and the impulse of a limit that it runs against: both would grow without end. The motor
 * loses it, the limit gains it.
 */
// @ts-ignore: decorator
@inline
export function cancelling<T>(motor: T, limit: T): T {
  const zero: T = numberOf<T>(0);
  const forth: T = least<T>(most<T>(motor, zero), most<T>(neg<T>(limit), zero)),
    back: T = least<T>(most<T>(neg<T>(motor), zero), most<T>(limit, zero));
  return sub<T>(forth, back);
}

/**
 * Returns the largest impulse of friction by load in a substep h: arm times the impulse of the locked axes, and its own torque.
 */
// @ts-ignore: decorator
@inline
export function loadBound<T>(arm: T, load: T, torque: T, h: T): T {
  return add<T>(mul<T>(arm, load), mul<T>(h, torque));
}

/** The factor that makes the vector from a wheel of a pulley to its anchor a row that pulls with `pull`. */
export function ropeShare<T>(pull: T, length: T): T {
  return div<T>(pull, most<T>(length, numberOf<T>(SHORTEST)));
}

/** Length of the rope of a pulley. */
// @ts-ignore: decorator
@inline
export function ropeLength<T>(a: T, b: T, ratio: T): T {
  return add<T>(mul<T>(ratio, b), a);
}
