// Which impacts are hits: thresholds of colliders, and that of the world for colliders without.
// Input: Header.hitSpeed, hitThresholds. Both colliders of a pair may ask; one of them is enough.
import { colliderAt } from '../bodies/rows';
import { COLLIDER_HITS, Collider, HIT_THRESHOLD_STRIDE, HitThreshold, PairCold } from '../layout.generated';
import { header } from '../memory/header';

/** Bits of PairCold.flags: requests of its colliders (COLLIDER_PERSISTS, COLLIDER_HITS >> 4), and facts about this step. */
export const PERSISTS: u32 = 4;
export const HITS: u32 = 8;
export const FOLLOWED: u32 = 16;
export const CARRIED: u32 = 32;

// Least speed (m/s) of a collider that has a threshold of the impulse alone, in a world without.
const USUAL_SPEED: f32 = 1;

/** HITS if pairs send hits whose colliders do not ask for them. */
export function hitsOfAll(): u32 {
  return header().hitSpeed < Infinity ? HITS : 0;
}

/** Whether an impact at this speed (m/s) and with this impulse (N s) is a hit of a pair. */
export function isHit(cold: PairCold, speed: f32, impulse: f32): bool {
  const least: f32 = header().hitSpeed;
  if ((cold.flags & HITS) == 0) return speed >= least;
  return passes(cold.colliderA, speed, impulse, least) || passes(cold.colliderB, speed, impulse, least);
}

function passes(collider: u32, speed: f32, impulse: f32, least: f32): bool {
  const c: Collider = colliderAt(collider);
  if ((c.flags & COLLIDER_HITS) == 0) return speed >= least;
  const threshold = changetype<HitThreshold>(<usize>header().hitThresholds + <usize>collider * HIT_THRESHOLD_STRIDE);
  const own: f32 = threshold.speed;
  return speed >= (own >= 0 ? own : least < Infinity ? least : USUAL_SPEED) && impulse >= threshold.impulse;
}
