// Sleeping by island (Tsuda 2009, "Sleep"): bodies that touch, directly or through others, sleep together once all of them
// have been slower than sleepSpeed for sleepTime. Asleep, a body is at rest: no gravity, no contacts between sleepers in any
// solver's list, nothing to integrate; its pairs stay, untouched, since nothing moves.
//
// Nothing sleeps in the air, under gravity: an island must touch something fixed or asleep.
// An island wakes whole: when an awake dynamic body or a moving kinematic one has a contact with it, when a contact of it
// goes (its support was removed), on forces, impulses, velocities, teleports, changes of mass, shape, type or gravity.
// Members of a sleeping island are a ring through SleepState.ring. Input: velocities, manifolds. Output: FLAG_ASLEEP.
import {
  BODY_ACCEL_STRIDE,
  BODY_COLD_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BodyCold,
  BodyRow,
  Header,
  Manifold,
  NONE,
  PAIR_COLD_STRIDE,
  PAIR_HOT_STRIDE,
  PairCold,
  PairHot,
  SLEEP_STATE_STRIDE,
  SleepState,
  BODY_ROW_STRIDE,
} from '../layout.generated';
import { broadphaseState } from '../broadphase/state';
import { firstEndOf, nextEndOf } from '../broadphase/pair_lists';
import { restPairs, walkPairs } from '../broadphase/pair_store';
import { join, rootOf } from '../math/union_find';
import { allocate, ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { adoptAllLanes, adoptLanesOf, releaseLanesOf, usesLanes } from '../solver/lanes';
import { awakeBody, awakeChanged } from './awake';
import { FLAG_ALIVE, FLAG_ASLEEP, FLAG_TYPE } from './integrate';

function sleepState(): SleepState {
  return changetype<SleepState>(<usize>header().sleepState);
}
function coldAt(body: u32): BodyCold {
  return changetype<BodyCold>(<usize>header().bodyColds + <usize>body * BODY_COLD_STRIDE);
}
function rowAt(body: u32): BodyRow {
  return changetype<BodyRow>(<usize>header().bodyRows + <usize>body * BODY_ROW_STRIDE);
}
function floatAt(base: u32, body: u32): f32 {
  return load<f32>(<usize>base + ((<usize>body) << 2));
}
function setFloat(base: u32, body: u32, value: f32): void {
  store<f32>(<usize>base + ((<usize>body) << 2), value);
}
function wordAt(base: u32, body: u32): u32 {
  return load<u32>(<usize>base + ((<usize>body) << 2));
}
function setWord(base: u32, body: u32, value: u32): void {
  store<u32>(<usize>base + ((<usize>body) << 2), value);
}

/** Part of initWorld. False without memory. */
export function initSleep(): bool {
  header().sleepState = <u32>allocate(SLEEP_STATE_STRIDE);
  return header().sleepState != 0;
}

/** Entries for all body slots. False without memory (header error set). */
function reserve(): bool {
  const count: u32 = header().bodyCount;
  const s: SleepState = sleepState();
  const at: usize = changetype<usize>(s);
  for (let field: usize = 0; field < 6; field++) {
    const base: usize = at + offsetof<SleepState>('calm') + (field << 3);
    if (!ensureCapacity(base, base + 4, 4, count)) return false;
  }
  for (let i: u32 = s.known; i < count; i++) {
    setFloat(s.calm, i, 0);
    setWord(s.ring, i, i);
  }
  s.known = max<u32>(s.known, count);
  return true;
}

/** Whether a body sleeps. */
export function isAsleep(body: u32): bool {
  return (coldAt(body).flags & FLAG_ASLEEP) != 0;
}

/** Whether no solver has to look at a manifold: one body sleeps, and the other does too or is not dynamic. */
export function isResting(m: Manifold): bool {
  const a: u32 = coldAt(m.bodyA).flags;
  const b: u32 = coldAt(m.bodyB).flags;
  if (((a | b) & FLAG_ASLEEP) == 0) return false;
  const restA: bool = (a & FLAG_ASLEEP) != 0 || (a & FLAG_TYPE) != BODY_DYNAMIC;
  const restB: bool = (b & FLAG_ASLEEP) != 0 || (b & FLAG_TYPE) != BODY_DYNAMIC;
  return restA && restB;
}

/** Wakes a body with its island; an awake one counts as moving from now on. */
export function wakeBody(body: u32): void {
  const h: Header = header();
  if (h.sleepState == 0) return;
  const s: SleepState = sleepState();
  if (body >= s.known) return;
  setFloat(s.calm, body, 0);
  if (!isAsleep(body)) return;
  let member: u32 = body;
  do {
    const next: u32 = wordAt(s.ring, member);
    const cold: BodyCold = coldAt(member);
    cold.flags = cold.flags & ~FLAG_ASLEEP;
    walkPairs(member);
    setFloat(s.calm, member, 0);
    setWord(s.ring, member, member);
    h.sleepingCount--;
    // A body is in the list once: it sleeps again only after the list was read.
    setWord(s.woken, s.wokenCount++, member);
    member = next;
  } while (member != body);
  awakeChanged();
}

/** Wakes all bodies. */
export function wakeAll(): void {
  for (let i: u32 = 0; header().sleepingCount != 0 && i < header().bodyCount; i++) if (isAsleep(i)) wakeBody(i);
}

function moves(body: u32): bool {
  const row: BodyRow = rowAt(body);
  return row.vx != 0 || row.vy != 0 || row.vz != 0 || row.wx != 0 || row.wy != 0 || row.wz != 0;
}

/** Whether contact with a body wakes. */
function rouses(body: u32): bool {
  const flags: u32 = coldAt(body).flags;
  const type: u32 = flags & FLAG_TYPE;
  if (type == BODY_DYNAMIC) return (flags & FLAG_ASLEEP) == 0;
  return type == BODY_KINEMATIC && moves(body);
}

/** Two bodies have contacts: one that sleeps wakes if the other is awake, or kinematic and in motion. */
export function wakeAcross(a: u32, b: u32): void {
  if (header().sleepingCount == 0 || isAsleep(a) == isAsleep(b)) return;
  const sleeper: u32 = isAsleep(a) ? a : b;
  if (rouses(sleeper == a ? b : a)) wakeBody(sleeper);
}

/** A kinematic body that moves wakes all that it has contacts with. */
function wakeAround(body: u32): void {
  const h: Header = header();
  for (let end: u32 = firstEndOf(body); end != NONE; end = nextEndOf(end)) {
    if (changetype<PairCold>(<usize>h.pairColds + <usize>(end >> 1) * PAIR_COLD_STRIDE).manifold == NONE) continue;
    // Pairs with a kinematic body are walked all the time: they keep their places.
    const hot: PairHot = changetype<PairHot>(<usize>h.pairHots + <usize>(end >> 1) * PAIR_HOT_STRIDE);
    wakeAcross(hot.bodyA, hot.bodyB);
  }
}

/** After the contacts stage: wakes what moves on; gives manifolds of woken bodies their lanes back. False without memory. */
export function wakeTouched(): bool {
  const h: Header = header();
  const s: SleepState = sleepState();
  if (h.sleepingCount != 0) {
    const changed: bool = s.gravityX != h.gravityX || s.gravityY != h.gravityY || s.gravityZ != h.gravityZ;
    if (h.sleep == 0 || changed) wakeAll();
    for (let k: u32 = 0; h.sleepingCount != 0 && k < h.awakeCount; k++) {
      const body: u32 = awakeBody(k);
      if ((coldAt(body).flags & FLAG_TYPE) == BODY_KINEMATIC && moves(body)) wakeAround(body);
    }
  }
  s.gravityX = h.gravityX;
  s.gravityY = h.gravityY;
  s.gravityZ = h.gravityZ;
  const woken: u32 = s.wokenCount;
  if (woken != 0 && usesLanes(h.solver)) {
    if (woken > h.bodyCount >> 2) {
      if (!adoptAllLanes()) return false;
    } else {
      for (let i: u32 = 0; i < woken; i++) {
        const body: u32 = wordAt(s.woken, i);
        // It may have been removed since.
        if ((coldAt(body).flags & FLAG_ALIVE) != 0 && !adoptLanesOf(body)) return false;
      }
    }
  }
  s.wokenCount = 0;
  return true;
}

/** At the end of a step: counts how long bodies have been at rest, puts islands to sleep. False without memory. */
export function updateSleep(): bool {
  const h: Header = header();
  if (h.sleep == 0 || h.awakeCount == 0) return true;
  if (!reserve()) return false;
  const s: SleepState = sleepState();
  const dt: f32 = h.dt;
  let ready: bool = false;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const i: u32 = awakeBody(k);
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & FLAG_TYPE) != BODY_DYNAMIC) continue;
    const row: BodyRow = rowAt(i);
    const v: f32 = sqrt<f32>(row.vx * row.vx + row.vy * row.vy + row.vz * row.vz);
    const w: f32 = sqrt<f32>(row.wx * row.wx + row.wy * row.wy + row.wz * row.wz);
    const calm: f32 = v + w * cold.extent < h.sleepSpeed ? floatAt(s.calm, i) + dt : <f32>0;
    setFloat(s.calm, i, calm);
    ready = ready || calm >= h.sleepTime;
  }
  if (ready) sleepIslands(s);
  return true;
}

/**
 * Islands over the contacts between awake dynamic bodies; those sleep that are calm throughout and lie on something, or have no
 * weight: what starts to fall slowly does not stay in the air.
 */
function sleepIslands(s: SleepState): void {
  const h: Header = header();
  const parents: u32 = s.parents;
  const least: u32 = s.least;
  const count: u32 = h.awakeCount;
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    setWord(parents, i, i);
    setFloat(least, i, f32.MAX_VALUE);
    setWord(s.borne, i, isWeightless(i) ? 1 : 0);
  }
  for (let i: u32 = 0; i < h.awakePairs; i++) {
    const cold: PairCold = changetype<PairCold>(<usize>h.pairColds + <usize>i * PAIR_COLD_STRIDE);
    if (cold.manifold == NONE) continue;
    const hot: PairHot = changetype<PairHot>(<usize>h.pairHots + <usize>i * PAIR_HOT_STRIDE);
    const bodyA: u32 = hot.bodyA,
      bodyB: u32 = hot.bodyB;
    const a: bool = isAwakeDynamic(bodyA),
      b: bool = isAwakeDynamic(bodyB);
    if (a && b) {
      join(parents, bodyA, bodyB);
    } else if (a) {
      if (rouses(bodyB)) setFloat(s.calm, bodyA, 0);
      else if ((cold.flags & 1) != 0) setWord(s.borne, bodyA, 1);
    } else if (b) {
      if (rouses(bodyA)) setFloat(s.calm, bodyB, 0);
      else if ((cold.flags & 1) != 0) setWord(s.borne, bodyB, 1);
    }
  }
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    if (!isAwakeDynamic(i)) continue;
    const root: u32 = rootOf(parents, i);
    setFloat(least, root, min<f32>(floatAt(least, root), floatAt(s.calm, i)));
    setWord(s.borne, root, wordAt(s.borne, root) | wordAt(s.borne, i));
  }
  const before: u32 = h.sleepingCount;
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    if (!isAwakeDynamic(i)) continue;
    const root: u32 = rootOf(parents, i);
    if (floatAt(least, root) >= h.sleepTime && wordAt(s.borne, root) != 0) layDown(s, i, root);
  }
  if (h.sleepingCount == before) return;
  awakeChanged();
  const lanes: bool = usesLanes(h.solver);
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    if (!isAsleep(i)) continue;
    restPairs(i);
    if (lanes) releaseLanesOf(i);
  }
}

function isAwakeDynamic(body: u32): bool {
  return (coldAt(body).flags & (FLAG_TYPE | FLAG_ALIVE | FLAG_ASLEEP)) == (BODY_DYNAMIC | FLAG_ALIVE);
}

/** Whether nothing pulls on a body: it may rest anywhere. */
function isWeightless(body: u32): bool {
  const h: Header = header();
  return coldAt(body).gravityScale == 0 || (h.gravityX == 0 && h.gravityY == 0 && h.gravityZ == 0);
}

/** Puts one body to rest and into the ring of its island, whose root has the smallest index. */
function layDown(s: SleepState, body: u32, root: u32): void {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  const row: BodyRow = rowAt(body);
  cold.flags = cold.flags | FLAG_ASLEEP;
  const invMass: f32 = row.invMass;
  memory.fill(changetype<usize>(row), 0, BODY_ROW_STRIDE);
  row.invMass = invMass;
  memory.fill(<usize>h.bodyDeltas + <usize>body * BODY_DELTA_STRIDE, 0, BODY_DELTA_STRIDE);
  memory.fill(<usize>h.bodyAccels + <usize>body * BODY_ACCEL_STRIDE, 0, BODY_ACCEL_STRIDE);
  // It is not going to move: budgets of its pairs hold.
  const offset: usize = (<usize>body) << 3;
  store<f64>(<usize>h.motions + offset, load<f64>(<usize>broadphaseState().paths + offset));
  if (body != root) {
    setWord(s.ring, body, wordAt(s.ring, root));
    setWord(s.ring, root, body);
  }
  h.sleepingCount++;
}
