// What impacts leave behind: the impulse of a link goes to its manifold for the events of the step (events/impacts.ts), and none
// of it starts the next step, since an impact is no load.
// Input: links behind solve.ts. Output: stepImpulse and impulses of manifolds, on lanes too; WatchedPair.separation.
import { ImpactLink, Manifold, NONE, PairCold } from '../layout.generated';
import { noteChange } from '../constraints/held';
import { ManifoldPoint, manifoldAt, pointOf } from '../constraints/manifolds';
import { pairCold, watchedAt } from '../constraints/pair_rows';
import { addStepImpulse, clearLane, fetchLane, hitLane } from '../lanes/lanes';
import { sumOf } from './rows';

/** A contact that the solver has met: it knows the rest. */
export function giveBack(link: ImpactLink): void {
  addStepImpulse(manifoldAt(link.manifold), sumOf(link));
}

/** A contact that was met elsewhere than the solver did (meeting.ts): it was hit, and at its first point. */
export function giveMet(link: ImpactLink): void {
  const impulse: f32 = sumOf(link);
  if (!(impulse > 0) || link.manifold == NONE) return;
  const m: Manifold = manifoldAt(link.manifold);
  const first: ManifoldPoint = pointOf(m, 0);
  first.maxImpulse = max<f32>(first.maxImpulse, impulse);
  first.separation = min<f32>(first.separation, 0);
  giveBack(link);
  if (m.lane != NONE) hitLane(m, first.maxImpulse);
  const cold: PairCold = pairCold(m.pair);
  if (cold.watch != 0) watchedAt(cold.watch - 1).separation = 0;
}

/** The next step starts without the impulses of a manifold. */
export function forgetImpulses(index: u32): void {
  const m: Manifold = manifoldAt(index);
  for (let k: u32 = 0; k < m.count; k++) pointOf(m, k).impulse = 0;
  m.tangentImpulse1 = 0;
  m.tangentImpulse2 = 0;
  m.twistImpulse = 0;
  m.rollImpulse1 = 0;
  m.rollImpulse2 = 0;
  noteChange(index);
  if (m.lane != NONE) clearLane(m);
}

/** What a manifold has borne in this step is void, too: its bodies meet elsewhere. */
export function forgetStep(index: u32): void {
  fetchLane(index);
  const m: Manifold = manifoldAt(index);
  for (let k: u32 = 0; k < m.count; k++) pointOf(m, k).maxImpulse = 0;
  m.stepImpulse = 0;
  m.maxDrift = 0;
  forgetImpulses(index);
}
