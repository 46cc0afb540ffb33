// Parameters of a substep for joints.
// Input: lengths of the substep and of that which joints are soft for. Output: JointParameters. Source: docs/solvers.md, "Soft
// contacts" and "Blocks".
import { JointParameters } from '../layout.generated';
import { splatW } from '../math/lane';
import { jointFirmness, jointRate } from '../rows/joint_softness';

// The share of its error that a tree takes out in a substep.
const TREE_SHARE: f32 = 0.28;

export function storeJointParameters(p: JointParameters, h: f32, soft: f32): void {
  const a2: f32 = jointFirmness(h, soft);
  p.h = splatW(h);
  p.invH = splatW(1 / h);
  p.rate = splatW(jointRate(h, soft));
  p.massScale = splatW(a2 / (1 + a2));
  p.impulseScale = splatW(1 / (1 + a2));
  p.treeRate = splatW(TREE_SHARE / h);
}
