// End of a step: impulses and end separations of the links to manifolds and joints. Twin: shaders/collect.wgsl, which puts them
// into the order in which a result has them (constraints/results.ts reads that).
// Input: SplitState.impulses, joints. Output: Manifold, Joint.
import { JOINT_ROW_IMPULSES, NONE, SPLIT_LINK_ROW, SplitState } from '../layout.generated';
import { unpackImpulses } from '../constraints/results';
import { jointRows, unpackJoint } from './joint_rows';
import { impulsesOf, memberAt } from './packed';

/** Impulses and end separations of the links. */
export function collectImpulses(s: SplitState): void {
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const manifold: u32 = memberAt(l).manifold;
    if (memberAt(l).room == NONE) {
      unpackJoint(manifold, jointRows(manifold) + ((<usize>JOINT_ROW_IMPULSES) << 4));
      continue;
    }
    const impulses: usize = impulsesOf(s, manifold);
    unpackImpulses(manifold, impulses, 4, 16, impulses + ((<usize>SPLIT_LINK_ROW) << 4));
  }
}
