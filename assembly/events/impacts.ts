// Track begin: pairs that begin to touch, with the impact that made them touch.
//
// Contacts are speculative: manifolds exist before the bodies touch, and the solver lets the bodies meet inside a step. So
// whether a pair begins to touch, and how hard, is known only after the solver. Pairs that have manifolds and do not touch yet
// are watched: the pair walk adds them (watch), velocities are stored before the solver (beginImpacts), and after it
// collectImpacts looks at the impulses of the step. It emits a begin for
//   - a pair that was hit: its contacts got a normal impulse;
//   - a pair that overlapped at the start of the step, or was within TOUCH_BEGIN then and still is.
// The last relax pass of a step may brake a body just ahead of a surface that it reaches in the next step. While a pair that was
// hit is still apart and approaching, its impulse is stored. The begin comes in the step in which the bodies meet, with the
// impulse of both steps and the approach speed before the first.
// Input from solvers: stepImpulse of a manifold. Solvers on lanes sum it only for watched and tracked pairs (setSummed) and list
// the groups that were hit, so a watched pair without an impact costs 16 bytes. Output: EVENT_BEGIN rows, bit 0 of
// PairCold.flags; EVENT_HIT rows for impacts above the thresholds (hits.ts).
import { ContactSide, Header, Manifold, NONE, PairCold, PairHot, WATCHED_PAIR_STRIDE, WatchedPair } from '../layout.generated';
import { manifoldAt } from '../constraints/manifolds';
import { pairCold, pairHot, watchedAt } from '../constraints/pair_rows';
import { hitGroups, manifoldOf, sideAt } from '../lanes/lane_layout';
import { usesLanes } from '../lanes/lanes';
import { separationOf, setSummed, stepImpulse } from '../lanes/state';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { deepestPoint, keepVelocity, reserveVelocities, speedBefore, speedNow } from './approach';
import { EVENT_BEGIN, EVENT_HIT, pushEvent, reserveEvents, setImpact } from './events';
import { FOLLOWED, isHit } from './hits';

// Separation (m) below which bodies touch. They end to touch farther out, so that events do not flicker (walk.ts).
export const TOUCH_BEGIN: f32 = 1e-3;
// The rest of an impact counts as none if it is slower than this share of the approach, or than this speed (m/s).
const REST_SHARE: f32 = 0.01;
const REST_SPEED: f32 = 1e-3;
// WatchedPair.separation of a pair that was hit in this step, on lanes.
const HIT: f32 = -f32.MAX_VALUE;

/** Watches a pair that does not touch; `separation` is the smallest one of its points now. False without memory. */
export function watch(pair: u32, cold: PairCold, separation: f32): bool {
  if (cold.watch == 0) {
    const h: Header = header();
    const list: usize = changetype<usize>(h) + offsetof<Header>('watchedPairs');
    if (!ensureArray(list, WATCHED_PAIR_STRIDE, h.watchedCount + 1)) return false;
    const entry: WatchedPair = watchedAt(h.watchedCount);
    entry.pair = pair;
    entry.impulse = 0;
    entry.speed = 0;
    cold.watch = ++h.watchedCount;
  }
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    const m: Manifold = manifoldAt(index);
    setSummed(m, true);
    m.stepImpulse = 0; // no solver looks at contacts between sleepers: what they carried when they were solved last is no impact
  }
  watchedAt(cold.watch - 1).separation = separation;
  return true;
}

/** The pair touches, or is apart. The last entry takes its place. */
export function unwatch(cold: PairCold): void {
  if (cold.watch == 0) return;
  const h: Header = header();
  const index: u32 = cold.watch - 1;
  const last: u32 = --h.watchedCount;
  cold.watch = 0;
  if (index == last) return;
  memory.copy(changetype<usize>(watchedAt(index)), changetype<usize>(watchedAt(last)), WATCHED_PAIR_STRIDE);
  pairCold(watchedAt(index).pair).watch = index + 1;
}

/** Before the solver: keeps the velocities of the bodies of watched pairs. False without memory (header error set). */
export function beginImpacts(): bool {
  const h: Header = header();
  if (h.watchedCount == 0) return true;
  if (!reserveVelocities()) return false;
  for (let i: u32 = 0; i < h.watchedCount; i++) {
    const hot: PairHot = pairHot(watchedAt(i).pair);
    keepVelocity(hot.bodyA);
    keepVelocity(hot.bodyB);
  }
  return true;
}

/**
 * After the solver, before the bodies move: sends the begins of the step. Without memory (header error set) the others follow
 * in the next step.
 */
export function collectImpacts(): void {
  const h: Header = header();
  const count: u32 = h.watchedCount;
  const lanes: bool = usesLanes(h.solver);
  if (lanes && count != 0) markHits();
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const entry: WatchedPair = watchedAt(i);
    const cold: PairCold = pairCold(entry.pair);
    const calm: bool = lanes && entry.separation > TOUCH_BEGIN; // not hit
    if (calm) entry.impulse = 0;
    if (calm || !hasBegun(entry, cold)) {
      if (kept != i) {
        memory.copy(changetype<usize>(watchedAt(kept)), changetype<usize>(entry), WATCHED_PAIR_STRIDE);
        cold.watch = kept + 1;
      }
      kept++;
      continue;
    }
    cold.flags |= 1;
    cold.watch = 0;
    for (let m: u32 = cold.manifold; m != NONE; m = manifoldAt(m).next) setSummed(manifoldAt(m), false);
  }
  h.watchedCount = kept;
}

/** Finds the pairs of the lanes that were hit. */
function markHits(): void {
  const list: usize = hitGroups().words;
  const count: u32 = hitGroups().count;
  for (let i: u32 = 0; i < count; i++) {
    const side: ContactSide = sideAt(load<u32>(list + ((<usize>i) << 2)));
    for (let lane: usize = 0; lane < 4; lane++) {
      if (!(load<f32>(changetype<usize>(side) + (lane << 2), offsetof<ContactSide>('stepImpulse')) > 0)) continue;
      const m: Manifold = manifoldAt(manifoldOf(side, lane));
      const cold: PairCold = pairCold(m.pair);
      if (cold.watch != 0) watchedAt(cold.watch - 1).separation = HIT;
      else if ((cold.flags & FOLLOWED) == 0) setSummed(m, false);
    }
  }
}

/** Whether a watched pair touches now: its begin is sent. */
function hasBegun(entry: WatchedPair, cold: PairCold): bool {
  let impulse: f32 = 0,
    most: f32 = 0;
  let hardest: u32 = NONE;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    const z: f32 = max<f32>(stepImpulse(manifoldAt(index)), 0);
    impulse += z;
    if (z <= most) continue;
    most = z;
    hardest = index;
  }
  const hit: bool = impulse > 0;
  if (!hit) entry.impulse = 0; // what was put aside: something else has kept the bodies apart
  if (!hit && entry.separation > TOUCH_BEGIN) return false;
  if (!hit) hardest = closestManifold(cold);
  const m: Manifold = manifoldAt(hardest);
  const deepest: u32 = deepestPoint(m);
  const separation: f32 = separationOf(m, deepest);
  if (!hit && entry.separation > 0 && separation > TOUCH_BEGIN) return false;
  if (entry.impulse == 0) entry.speed = speedBefore(m, deepest);
  entry.impulse += impulse;
  if (!reserveEvents(2) || (hit && goesOn(m, deepest, entry.speed))) {
    entry.separation = separation;
    for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) setSummed(manifoldAt(index), true);
    return false;
  }
  setImpact(pushEvent(EVENT_BEGIN, cold.colliderA, cold.colliderB), hardest, deepest, entry.impulse, entry.speed);
  if (entry.impulse > 0 && isHit(cold, entry.speed, entry.impulse)) {
    setImpact(pushEvent(EVENT_HIT, cold.colliderA, cold.colliderB), hardest, deepest, entry.impulse, entry.speed);
  }
  return true;
}

/** Whether an impact that came in at `speed` was met ahead of the surface: the bodies are apart at a point and still approach. */
export function goesOn(m: Manifold, point: u32, speed: f32): bool {
  return separationOf(m, point) > 0 && speedNow(m, point) > max<f32>(REST_SHARE * speed, REST_SPEED);
}

/** The manifold of a pair with the deepest point. */
function closestManifold(cold: PairCold): u32 {
  let best: u32 = cold.manifold;
  let least: f32 = f32.MAX_VALUE;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    const m: Manifold = manifoldAt(index);
    const separation: f32 = separationOf(m, deepestPoint(m));
    if (separation >= least) continue;
    least = separation;
    best = index;
  }
  return best;
}
