// Ends a pair: removes its contacts, takes their load off the contacts below, and wakes bodies that lay on it.
// Input: pairs whose boxes parted, colliders that are removed or filtered. Output: manifolds, ends of touching, pairs.
import { Collider, Header, NONE, PairCold } from '../layout.generated';
import { colliderAt } from '../bodies/rows';
import { mayCollide } from '../broadphase/broadphase';
import { endContact } from '../constraints/contact';
import { keepsApart } from '../constraints/joints';
import { manifoldAt } from '../constraints/manifolds';
import { firstEnd, nextEnd } from '../constraints/pair_lists';
import { findPair } from '../constraints/pair_map';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { dropPair, placeAfter } from '../constraints/pair_store';
import { wakeBody } from '../constraints/sleep';
import { removeLane } from '../lanes/lanes';
import { header } from '../memory/header';
import { EVENT_END, EVENT_SENSOR_BEGIN, EVENT_SENSOR_END, pushEvent } from '../events/events';
import { offerImpulse } from '../manifolds/transfer';
import { unwatch } from '../events/impacts';
import { impulseOnB, unload } from './unload';

/** Drops all manifolds of a pair, and says so if it touched. */
function releasePairContacts(pair: u32): void {
  const cold: PairCold = pairCold(pair);
  releaseManifolds(cold);
  setTouching(cold, false);
  unwatch(cold);
}

/** Drops the manifolds of a pair; their load is taken off the contacts below. */
export function releaseManifolds(cold: PairCold): void {
  let index: u32 = cold.manifold;
  if (index == NONE) return;
  const a: u32 = manifoldAt(index).bodyA,
    b: u32 = manifoldAt(index).bodyB;
  let impulse: v128 = f32x4.splat(0);
  while (index != NONE) {
    const next: u32 = manifoldAt(index).next;
    offerImpulse(cold, manifoldAt(index));
    impulse = f32x4.add(impulse, impulseOnB(manifoldAt(index)));
    removeLane(index);
    endContact(index);
    index = next;
  }
  cold.manifold = NONE;
  unload(a, f32x4.neg(impulse));
  unload(b, impulse);
}

/** Sensors begin and end here; other pairs only end: their begin is sent after the solver (impacts.ts). */
export function setTouching(cold: PairCold, touching: bool): void {
  const was: bool = (cold.flags & 1) != 0;
  if (was == touching) return;
  const sensor: bool = (cold.flags & 2) != 0;
  cold.flags ^= 1;
  pushEvent(touching ? EVENT_SENSOR_BEGIN : sensor ? EVENT_SENSOR_END : EVENT_END, cold.colliderA, cold.colliderB);
}

/**
 * A body that lay on one that is removed, or is about to be filtered, must not hang in the air. Returns whether anything woke.
 */
function wakePair(index: u32): bool {
  const h: Header = header();
  const sleepers: u32 = h.sleepingCount;
  if (sleepers == 0) return false;
  if (pairCold(index).manifold == NONE) return false;
  const hot = pairHot(index);
  const b: u32 = hot.bodyB;
  wakeBody(hot.bodyA);
  wakeBody(b);
  return h.sleepingCount != sleepers;
}

/** Drops a pair with its manifolds (an end event is sent if it touched); the last pair of its part takes its index. */
export function endPair(pair: u32): void {
  const a: u32 = pairCold(pair).colliderA,
    b: u32 = pairCold(pair).colliderB;
  const index: u32 = wakePair(pair) ? findPair(a, b) : pair;
  releasePairContacts(index);
  dropPair(index);
}

/** Drops all pairs of a collider. */
export function endPairsOf(collider: u32): void {
  const c: Collider = colliderAt(collider);
  while (c.firstPair != NONE) endPair(c.firstPair >> 1);
}

/** The filter of a collider or the joints of its body changed: pairs that these forbid go, others stay as they are. */
export function dropForbidden(collider: u32): void {
  let end: u32 = firstEnd(collider);
  while (end != NONE) {
    const pair: u32 = end >> 1;
    const cold: PairCold = pairCold(pair);
    const a: Collider = colliderAt(cold.colliderA),
      b: Collider = colliderAt(cold.colliderB);
    if (mayCollide(a, b) && !keepsApart(a.body, b.body)) {
      end = nextEnd(end);
      continue;
    }
    if (wakePair(pair)) {
      end = firstEnd(collider); // pairs have changed places
      continue;
    }
    const next: u32 = nextEnd(end);
    const place: u32 = placeAfter(pair, next >> 1);
    endPair(pair);
    end = next == NONE ? NONE : (place << 1) | (next & 1);
  }
}
