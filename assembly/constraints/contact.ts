// The life of a contact as a constraint: one record for each manifold of a pair, from the first step in which the bodies may meet
// to the last.
// Input: pairs (manifolds/replace.ts). Output: Manifold records, lists of their bodies, islands.
import { Manifold, NONE } from '../layout.generated';
import { couple, cut } from './islands';
import { link, unlink } from './lists';
import { allocateManifold, freeManifold, manifoldAt } from './manifolds';
import { pairCold } from './pair_rows';

/** A new manifold between two bodies, without points. Returns its index, NONE without memory (header error set). */
export function beginContact(pair: u32, bodyA: u32, bodyB: u32): u32 {
  const index: u32 = allocateManifold();
  if (index == NONE) return NONE;
  const m: Manifold = manifoldAt(index);
  m.pair = pair;
  m.bodyA = bodyA;
  m.bodyB = bodyB;
  link(index);
  couple(bodyA, bodyB);
  return index;
}

/** Whether the colliders of a manifold touch. */
export function isTouching(index: u32): bool {
  return (pairCold(manifoldAt(index).pair).flags & 1) != 0;
}

/** A manifold goes; it has no lane any more. */
export function endContact(index: u32): void {
  cut(manifoldAt(index).bodyA, manifoldAt(index).bodyB);
  unlink(index);
  freeManifold(index);
}
