// Parameters of a substep for joints, in all four lanes each: byte offsets in the block of the step (JointState.parameters).
// Input: lengths of the substep and of that which joints are soft for. Output: that block. Source: docs/solvers.md, "Soft
// contacts" and "Blocks".
import { divW, maxW, minW, splatW, sqrtW } from '../math/lane';

export const JOINT_H: usize = 0; // length of a substep
export const JOINT_INV_H: usize = 16;
export const JOINT_RATE: usize = 32; // soft blocks and limits: speed of recovery a unit of error (1/s)
export const JOINT_MASS_SCALE: usize = 48;
export const JOINT_IMPULSE_SCALE: usize = 64;
export const JOINT_TREE_RATE: usize = 80; // trees
export const JOINT_PARAMETERS: usize = 96;

/** Errors are taken out at no more than this speed (m/s, rad/s). */
export const PUSH: f32 = 10;
/** Soft blocks: frequency as a share of the substep rate, and damping ratio (docs/solvers.md, "Blocks"). */
export const HERTZ_RATIO: f32 = 0.25;
export const DAMPING_RATIO: f32 = 2;
// The share of its error that a tree takes out in a substep.
const TREE_SHARE: f32 = 0.28;

export function storeJointParameters(at: usize, h: f32, soft: f32): void {
  const omega: f32 = (<f32>6.2831855 * HERTZ_RATIO) / soft;
  const a1: f32 = 2 * DAMPING_RATIO + h * omega;
  const a2: f32 = h * omega * a1;
  v128.store(at, splatW(h), JOINT_H);
  v128.store(at, splatW(1 / h), JOINT_INV_H);
  v128.store(at, splatW(omega / a1), JOINT_RATE);
  v128.store(at, splatW(a2 / (1 + a2)), JOINT_MASS_SCALE);
  v128.store(at, splatW(1 / (1 + a2)), JOINT_IMPULSE_SCALE);
  v128.store(at, splatW(TREE_SHARE / h), JOINT_TREE_RATE);
}

/** The rate, less where a squared error would be taken out faster than PUSH. */
// @ts-ignore: decorator
@inline
export function cappedRate(rate: v128, square: v128): v128 {
  return minW(rate, divW(splatW(PUSH), maxW(sqrtW(square), splatW(1e-30))));
}
