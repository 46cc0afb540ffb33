// Hands on the impulses of impacts: that of a link goes to its manifold for the events of the step (events/impacts.ts). None of
// it warm-starts the next step, since an impact is not a load.
// Input: links after solve.ts. Output: stepImpulse and impulses of manifolds, on lanes too; WatchedPair.separation.
import { ImpactLink, Manifold, NONE, PairCold } from '../layout.generated';
import { noteChange } from '../constraints/held';
import { manifoldAt } from '../constraints/manifolds';
import { pairCold, watchedAt } from '../constraints/pair_rows';
import { addStepImpulse, clearImpulses, clearState, hit } from '../lanes/state';
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
  giveBack(link);
  hit(m, impulse);
  const cold: PairCold = pairCold(m.pair);
  if (cold.watch != 0) watchedAt(cold.watch - 1).separation = 0;
}

/** The next step starts without the impulses of a manifold. */
export function forgetImpulses(index: u32): void {
  const m: Manifold = manifoldAt(index);
  clearImpulses(m);
  noteChange(index);
}

/** Drops the impulse of a manifold in this step too: its bodies meet elsewhere. */
export function forgetStep(index: u32): void {
  const m: Manifold = manifoldAt(index);
  clearState(m);
  m.maxDrift = 0;
  noteChange(index);
}
