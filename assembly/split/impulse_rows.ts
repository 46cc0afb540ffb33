// Impulses and gaps of a manifold as rows: PointImpulses, PatchImpulse, those of friction per point, RollImpulse. So they lie in
// SplitState.impulses, in edits for the GPU and in its reports.
// Input and output: Manifold, its excess; rows.
import { excessIn, manifoldAt, pointOf } from '../constraints/manifolds';
import { pointFriction } from '../constraints/point_friction';
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
import { rollRow } from './packed';

/** Address of the row behind those of the points: PatchImpulse. */
export function patchRow(impulses: usize): usize {
  return impulses + ((<usize>SPLIT_LINK_ROW) << 4);
}

/** Writes what a manifold knows; `mark` goes to the place of its impulse of the step. */
export function packImpulses(s: SplitState, manifold: u32, impulses: usize, mark: f32): void {
  const m: Manifold = manifoldAt(manifold);
  memory.fill(impulses, 0, offsetof<PointImpulses>());
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const to: usize = impulses + ((<usize>i) << 2);
    store<f32>(to, p.impulse);
    store<f32>(to, p.separation, offsetof<PointImpulses>('separation'));
    store<f32>(to, load<f32>(excessIn(m, i)), offsetof<PointImpulses>('excess'));
  }
  const link: usize = patchRow(impulses);
  v128.store(link, f32x4(m.tangentImpulse1, m.tangentImpulse2, m.twistImpulse, mark));
  v128.store(rollRow(s, impulses), f32x4(m.rollImpulse1, m.rollImpulse2, 0, 0));
  if (pointFriction().isOn()) pointFriction().carry(manifold, link);
}

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
  const link: usize = patchRow(impulses);
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
