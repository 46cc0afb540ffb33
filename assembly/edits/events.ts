// The host's calls to request events for a collider, between steps.
// Input: a collider. Output: its flags, Header.hitThresholds; flags of its pairs; pairs of static sensors are added or removed.
import { colliderAt } from '../bodies/rows';
import { markMoved } from '../broadphase/broadphase';
import { firstEnd, nextEnd } from '../constraints/pair_lists';
import { pairCold } from '../constraints/pair_rows';
import { asksOf } from '../constraints/pair_store';
import { HITS, PERSISTS } from '../events/hits';
import {
  COLLIDER_HITS,
  COLLIDER_PERSISTS,
  COLLIDER_SEES_STATIC,
  Collider,
  HIT_THRESHOLD_STRIDE,
  Header,
  HitThreshold,
  NONE,
  PairCold,
} from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { dropForbidden } from '../pairs/end_pair';

const ASKED: u32 = COLLIDER_SEES_STATIC | COLLIDER_PERSISTS | COLLIDER_HITS;

/** Room for the thresholds of `count` colliders in all. False (header error set) without memory. */
export function reserveHits(count: u32): bool {
  const base: usize = changetype<usize>(header()) + offsetof<Header>('hitThresholds');
  return ensureArray(base, 8, count);
}

/**
 * Events of a collider (COLLIDER_SEES_STATIC, COLLIDER_PERSISTS, COLLIDER_HITS) and its thresholds of hits (m/s, N s), for which
 * there must be room. Wakes nothing.
 */
export function setColliderEvents(index: u32, flags: u32, hitSpeed: f32, hitImpulse: f32): void {
  const h: Header = header();
  const c: Collider = colliderAt(index);
  const before: u32 = c.flags;
  c.flags = (before & ~ASKED) | flags;
  if ((flags & COLLIDER_HITS) != 0) {
    const least = changetype<HitThreshold>(<usize>h.hitThresholds + <usize>index * HIT_THRESHOLD_STRIDE);
    least.speed = hitSpeed;
    least.impulse = hitImpulse;
  }
  if ((flags & (COLLIDER_PERSISTS | COLLIDER_HITS)) != 0) h.eventsAsked |= 1;
  if ((flags & COLLIDER_SEES_STATIC) != 0) h.eventsAsked |= 2;
  for (let end: u32 = firstEnd(index); end != NONE; end = nextEnd(end)) {
    const cold: PairCold = pairCold(end >> 1);
    cold.flags = (cold.flags & ~(PERSISTS | HITS)) | asksOf(colliderAt(cold.colliderA), colliderAt(cold.colliderB));
  }
  if (((before ^ flags) & COLLIDER_SEES_STATIC) == 0) return;
  dropForbidden(index);
  markMoved(index);
}
