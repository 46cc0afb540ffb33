// Replaces the manifolds of a pair, one after the other, by those of a test: present ones are reused first, then new ones are
// added.
// Input: pair. Output: manifolds, with their lanes marked.
import { Manifold, NONE, PairCold, PairHot } from '../layout.generated';
import { beginContact, endContact } from '../constraints/contact';
import { noteChange } from '../constraints/held';
import { isResting, manifoldAt } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { enterLane, markDirty, removeLane, usesLanes } from '../lanes/lanes';
import { header } from '../memory/header';

/** The manifold that is next in a pair: `current`, or if there are no more, a new one behind `previous`. NONE without memory. */
export function successor(pair: u32, previous: u32, current: u32): u32 {
  if (current != NONE) return current;
  const hot: PairHot = pairHot(pair);
  const index: u32 = beginContact(pair, hot.bodyA, hot.bodyB);
  if (index == NONE) return NONE;
  const cold: PairCold = pairCold(pair);
  if (previous == NONE) cold.manifold = index;
  else manifoldAt(previous).next = index;
  return index;
}

/** Manifolds from `current` on found no successor; `last` is the last one of the pair. */
export function endRest(last: u32, current: u32): void {
  manifoldAt(last).next = NONE;
  while (current != NONE) {
    const next: u32 = manifoldAt(current).next;
    removeLane(current);
    endContact(current);
    current = next;
  }
}

/** The record of a manifold was filled again: solvers update their copy. False without memory. */
export function markManifold(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  noteChange(index);
  if (!usesLanes(header().solver) || (header().sleepingCount != 0 && isResting(m))) return true;
  return enterLane(index);
}

/** A manifold goes on with the same points, and the state that it has: only its rows are old. False without memory. */
export function markCarried(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (m.lane == NONE) return markManifold(index);
  noteChange(index);
  return markDirty(m);
}
