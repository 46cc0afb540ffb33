// Parameters of a substep for joints.
// Input: lengths of the substep and of that which joints are soft for. Output: JointParameters. Source: docs/solvers.md, "Soft
// contacts" and "Blocks".
import { JointParameters } from '../layout.generated';
import { divW, maxW, minW, splatW, sqrtW } from '../math/lane';

/** Errors are taken out at no more than this speed (m/s, rad/s). */
export const PUSH: f32 = 10;
/** Soft blocks: frequency as a share of the substep rate, and damping ratio (docs/joint_trees.md, "Blocks"). */
export const HERTZ_RATIO: f32 = 0.25;
export const DAMPING_RATIO: f32 = 2;
// The share of its error that a tree takes out in a substep.
const TREE_SHARE: f32 = 0.28;

export function storeJointParameters(p: JointParameters, h: f32, soft: f32): void {
  const omega: f32 = (<f32>6.2831855 * HERTZ_RATIO) / soft;
  const a1: f32 = 2 * DAMPING_RATIO + h * omega;
  const a2: f32 = h * omega * a1;
  p.h = splatW(h);
  p.invH = splatW(1 / h);
  p.rate = splatW(omega / a1);
  p.massScale = splatW(a2 / (1 + a2));
  p.impulseScale = splatW(1 / (1 + a2));
  p.treeRate = splatW(TREE_SHARE / h);
}

/** The rate, less where a squared error would be taken out faster than PUSH. */
// @ts-ignore: decorator
@inline
export function cappedRate(rate: v128, square: v128): v128 {
  return minW(rate, divW(splatW(PUSH), maxW(sqrtW(square), splatW(1e-30))));
}
