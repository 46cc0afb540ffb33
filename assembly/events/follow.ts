// Track persist: persist events, and hits of bodies that touch already (a rocking box, an impact on top of it).
//
// A pair is tracked in a step if one of its colliders requests persist events or hits, or the world requests hits, and one of its
// dynamic bodies is awake. Before the solver the sums of the impulses of its manifolds are started (beginFollowing). After it,
// collectFollowed emits a persist with their sum. A hit is an impulse at a point that was closing fast at the start of the step.
// As for begins, an impact ahead of the surface waits for the next step (hitCarries) and is then emitted whole.
// Worlds without such requests pay nothing; others look at the flags of all awake pairs.
// Input: PairCold.flags, stepImpulse. Output: EVENT_PERSIST and EVENT_HIT rows, in the order of pairs.
import { BODY_DYNAMIC, HIT_CARRY_STRIDE, Header, HitCarry, Manifold, NONE, PairCold, PairHot } from '../layout.generated';
import { FLAG_ASLEEP, FLAG_TYPE, coldAt } from '../bodies/rows';
import { manifoldAt } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { impulseOf, largestImpulseOf, setSummed, stepImpulse } from '../lanes/state';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { deepestPoint, keepVelocity, reserveVelocities, speedBefore } from './approach';
import { EVENT_HIT, EVENT_PERSIST, pushEvent, reserveEvents, setImpact } from './events';
import { CARRIED, FOLLOWED, HITS, PERSISTS, hitsOfAll, isHit } from './hits';
import { goesOn } from './impacts';

function carryAt(i: u32): HitCarry {
  return changetype<HitCarry>(<usize>header().hitCarries + <usize>i * HIT_CARRY_STRIDE);
}

function isActive(body: u32): bool {
  return (coldAt(body).flags & (FLAG_TYPE | FLAG_ASLEEP)) == BODY_DYNAMIC;
}

/** Before the solver. False without memory (header error set). */
export function beginFollowing(): bool {
  const h: Header = header();
  const all: u32 = hitsOfAll();
  h.followedCount = 0;
  if (((h.eventsAsked & 1) | all) == 0) return true;
  if (!reserveVelocities()) return false;
  let count: u32 = 0;
  for (let i: u32 = 0; i < h.awakePairs; i++) {
    const cold: PairCold = pairCold(i);
    const asked: u32 = (cold.flags | all) & (PERSISTS | HITS);
    cold.flags &= ~FOLLOWED;
    const hot: PairHot = pairHot(i);
    if (asked == 0 || (cold.flags & 3) != 1 || (!isActive(hot.bodyA) && !isActive(hot.bodyB))) continue;
    cold.flags |= FOLLOWED;
    count++;
    for (let m: u32 = cold.manifold; m != NONE; m = manifoldAt(m).next) {
      setSummed(manifoldAt(m), true);
      manifoldAt(m).stepImpulse = 0;
    }
    if ((asked & HITS) == 0) continue;
    keepVelocity(hot.bodyA);
    keepVelocity(hot.bodyB);
  }
  h.followedCount = count;
  const base: usize = changetype<usize>(h) + offsetof<Header>('hitCarries');
  return count == 0 || (reserveEvents(2 * count) && ensureArray(base, HIT_CARRY_STRIDE, h.hitCarryCount + count));
}

/** Emits persist events and hits, after the solver and before the bodies move. Room for them is reserved. */
export function collectFollowed(): void {
  const h: Header = header();
  if (((h.eventsAsked & 1) | hitsOfAll()) == 0) return;
  const old: u32 = h.hitCarryCount;
  for (let i: u32 = 0; i < h.awakePairs; i++) {
    const cold: PairCold = pairCold(i);
    if ((cold.flags & FOLLOWED) != 0) tell(cold, old);
  }
  const kept: u32 = h.hitCarryCount - old;
  if (old != 0 && kept != 0) memory.copy(h.hitCarries, changetype<usize>(carryAt(old)), <usize>kept * HIT_CARRY_STRIDE);
  h.hitCarryCount = kept;
}

/** Sends what a pair has to tell; `old` entries of hitCarries are of the last step. */
function tell(cold: PairCold, old: u32): void {
  cold.flags &= ~FOLLOWED;
  let impulse: f32 = 0,
    most: f32 = 0;
  let hardest: u32 = cold.manifold;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    const z: f32 = max<f32>(stepImpulse(manifoldAt(index)), 0);
    impulse += z;
    if (z <= most) continue;
    most = z;
    hardest = index;
  }
  if ((cold.flags & PERSISTS) != 0 && reserveEvents(1)) {
    const point: u32 = hardest == NONE ? 0 : deepestPoint(manifoldAt(hardest));
    setImpact(pushEvent(EVENT_PERSIST, cold.colliderA, cold.colliderB), hardest, point, impulse, 0);
  }
  if (((cold.flags | hitsOfAll()) & HITS) != 0) tellHit(cold, old, impulse);
  // Groups of lanes are listed by their first sum above 0 (wide_sweep.ts): none may stay so.
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) setSummed(manifoldAt(index), false);
}

/** Whether a point closed as fast as a hit, whatever its impulse. */
function isFast(cold: PairCold, m: Manifold): bool {
  for (let k: u32 = 0; k < m.count; k++) if (isHit(cold, speedBefore(m, k), Infinity)) return true;
  return false;
}

function tellHit(cold: PairCold, old: u32, step: f32): void {
  const h: Header = header();
  let carry: u32 = NONE;
  if ((cold.flags & CARRIED) != 0) {
    cold.flags &= ~CARRIED;
    for (let i: u32 = 0; i < old && carry == NONE; i++) {
      if (carryAt(i).colliderA == cold.colliderA && carryAt(i).colliderB == cold.colliderB) carry = i;
    }
  }
  // A stored impulse is void without an impulse in this step: something else has kept the bodies apart.
  if (step <= 0) return;
  let fastest: u32 = NONE,
    at: u32 = 0;
  let speed: f32 = 0;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    if (!(stepImpulse(manifoldAt(index)) > 0) || (carry == NONE && !isFast(cold, manifoldAt(index)))) continue;
    const m: Manifold = manifoldAt(index);
    for (let k: u32 = 0; k < m.count; k++) {
      if (!(largestImpulseOf(m, k) > 0) && !(impulseOf(m, k) > 0)) continue;
      const s: f32 = speedBefore(m, k);
      if (fastest != NONE && s <= speed) continue;
      speed = s;
      fastest = index;
      at = k;
    }
  }
  if (fastest == NONE) return;
  const impulse: f32 = carry == NONE ? step : step + carryAt(carry).impulse;
  if (carry != NONE) speed = max<f32>(speed, carryAt(carry).speed);
  if (!isHit(cold, speed, Infinity)) return;
  if (!goesOn(manifoldAt(fastest), at, speed)) {
    if (!isHit(cold, speed, impulse) || !reserveEvents(1)) return;
    setImpact(pushEvent(EVENT_HIT, cold.colliderA, cold.colliderB), fastest, at, impulse, speed);
    return;
  }
  cold.flags |= CARRIED;
  const entry: HitCarry = carryAt(h.hitCarryCount++);
  entry.colliderA = cold.colliderA;
  entry.colliderB = cold.colliderB;
  entry.impulse = impulse;
  entry.speed = speed;
}
