// Softness of the locked axes and limits of joints: an implicit spring whose stiffness follows the substep (docs/joint_trees.md,
// "Blocks"). h: substep (s); soft: length of the substeps that joints are soft for (softLength).
import { div, least, most, numberOf, root } from '../math/number';

/** Errors are taken out at no more than this speed (m/s, rad/s). */
export const PUSH: f32 = 10;
/** Frequency as a share of the substep rate, and damping ratio. */
const HERTZ_RATIO: f32 = 0.25;
const DAMPING_RATIO: f32 = 2;

/** Frequency of the joints that are soft for substeps of the length `soft`, rad/s. */
export function jointOmega(soft: f32): f32 {
  return (<f32>6.2831855 * HERTZ_RATIO) / soft;
}

/** Velocity that takes out the error of a joint, per metre or radian, 1/s. */
export function jointRate(h: f32, omega: f32): f32 {
  return omega / (2 * DAMPING_RATIO + h * omega);
}

/** K / gamma: the compliance of a soft row is its K over this. */
export function jointFirmness(h: f32, omega: f32): f32 {
  return h * omega * (2 * DAMPING_RATIO + h * omega);
}

/** The rate, less where a squared error would be taken out faster than PUSH. */
// @ts-ignore: decorator
@inline
export function cappedRate<T>(rate: T, square: T): T {
  return least<T>(rate, div<T>(numberOf<T>(PUSH), most<T>(root<T>(square), numberOf<T>(1e-30))));
}
