// Impulses of a manifold as the splitting solver leaves them, here or on the GPU.
// Input: rows of SplitState.impulses, or of a report of the GPU. Output: impulses and separations of manifolds, their excess
// and tangent impulses.
import {
  Manifold,
  ManifoldPoint,
  PatchImpulse,
  PointImpulses,
  RollImpulse,
  SPLIT_LINK_ROW,
  SplitState,
} from '../layout.generated';
import { splitState } from '../memory/split_state';
import { excessIn, manifoldAt, pointOf } from './manifolds';
import { pointFriction } from './point_friction';

/** Impulses and end separations of a manifold, from its rows as in SplitState.impulses. */
export function unpackImpulses(manifold: u32, impulses: usize): void {
  const s: SplitState = splitState();
  const m: Manifold = manifoldAt(manifold);
  const count: u32 = m.count;
  memory.fill(excessIn(m, 0), 0, 16);
  for (let i: u32 = 0; i < count; i++) {
    const from: usize = impulses + ((<usize>i) << 2);
    const p: ManifoldPoint = pointOf(m, i);
    p.impulse = load<f32>(from);
    p.maxImpulse = load<f32>(from, offsetof<PointImpulses>('largest'));
    p.separation = load<f32>(from, offsetof<PointImpulses>('separation'));
    store<f32>(excessIn(m, i), load<f32>(from, offsetof<PointImpulses>('excess')));
  }
  const link: usize = impulses + ((<usize>SPLIT_LINK_ROW) << 4);
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
