// Impulses of a manifold as the splitting solver leaves them, here or on the GPU.
// Input: rows of SplitState.impulses, or of a report of the GPU. Output: impulses and separations of manifolds, their excess and tangent
// impulses.
import {
  Manifold,
  ManifoldPoint,
  PatchImpulse,
  PointImpulse,
  RollImpulse,
  SPLIT_LINK_ROW,
  SplitState,
} from '../layout.generated';
import { splatW } from '../math/lane';
import { splitState } from '../memory/split_state';
import { excessIn, manifoldAt, pointOf } from './manifolds';
import { pointFriction } from './point_friction';

/**
 * Impulses and end separations of a manifold, from the rows of its points and those of the link, as in SplitState.impulses.
 */
export function unpackImpulses(manifold: u32, points: usize, link: usize): void {
  const s: SplitState = splitState();
  const m: Manifold = manifoldAt(manifold);
  const count: u32 = m.count;
  let excess: v128 = splatW(0);
  for (let i: u32 = 0; i < count; i++) {
    const at: usize = points + ((<usize>i) << 4);
    excess = v128.shuffle<f32>(excess, v128.load(at), 1, 2, 3, 7);
    const p: ManifoldPoint = pointOf(m, i);
    const from = changetype<PointImpulse>(at);
    p.impulse = from.impulse;
    p.maxImpulse = from.largest;
    p.separation = from.separation;
  }
  for (let i: u32 = count; i < 4; i++) excess = v128.shuffle<f32>(excess, splatW(0), 1, 2, 3, 7);
  v128.store(excessIn(m, 0), excess);
  const patch = changetype<PatchImpulse>(link);
  m.stepImpulse = patch.step;
  if (s.rolling != 0) {
    const roll: usize = link + ((<usize>(s.impulseStride - 1 - SPLIT_LINK_ROW)) << 4);
    m.rollImpulse1 = changetype<RollImpulse>(roll).roll1;
    m.rollImpulse2 = changetype<RollImpulse>(roll).roll2;
  }
  if (pointFriction().keep(s, manifold, link)) return;
  m.tangentImpulse1 = patch.tangent1;
  m.tangentImpulse2 = patch.tangent2;
  m.twistImpulse = patch.twist;
}
