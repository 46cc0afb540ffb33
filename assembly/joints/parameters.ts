// Parameters of a substep for joints.
// Input: length of the substep, and length of the substeps that joints are soft for. Output: JointParameters. Source:
// docs/solvers.md, "Soft contacts", and docs/joint_trees.md, "Blocks".
import { JointParameters } from '../layout.generated';
import { splatW } from '../math/lane';
import { jointFirmness, jointOmega, jointRate } from '../rows/joint_softness';

// The share of its error that a tree takes out in a substep.
const TREE_SHARE: f32 = 0.28;

export function storeJointParameters(p: JointParameters, h: f32, soft: f32): void {
  const omega: f32 = jointOmega(soft);
  const a2: f32 = jointFirmness(h, omega);
  p.h = splatW(h);
  p.invH = splatW(1 / h);
  p.rate = splatW(jointRate(h, omega));
  p.massScale = splatW(a2 / (1 + a2));
  p.impulseScale = splatW(1 / (1 + a2));
  p.treeRate = splatW(TREE_SHARE / h);
}
