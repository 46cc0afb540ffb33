// Sleeping by island (Tsuda 2009, "Sleep"): bodies that touch, directly or through others, sleep together once all of them
// have been slower than sleepSpeed for sleepTime. Asleep, a body is at rest: no gravity, no contacts between sleepers in any
// solver's list, nothing to integrate; its pairs stay, untouched, since nothing moves.
//
// An island wakes whole: when an awake dynamic body or a moving kinematic one has a contact with it, when a contact of it
// goes (its support was removed), on forces, impulses, velocities, teleports, changes of mass, shape, type or gravity.
// Members of a sleeping island are a ring through SleepState.ring. Input: velocities, manifolds. Output: FLAG_ASLEEP.
import {
  BODY_COLD_STRIDE,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BodyCold,
  BodyRow,
  Header,
  Manifold,
  NONE,
  SLEEP_STATE_STRIDE,
  SleepState,
  BODY_ROW_STRIDE,
} from '../layout.generated';
import { broadphaseState } from '../broadphase/state';
import { manifoldAt } from '../contacts/manifolds';
import { allocate, ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { adoptAllLanes, adoptLanesOf, fetchLane, releaseLane, usesLanes } from '../solver/lanes';
import { FLAG_ALIVE, FLAG_ASLEEP, FLAG_TYPE } from './integrate';

// @ts-ignore: decorator
@inline
function sleepState(): SleepState {
  return changetype<SleepState>(<usize>header().sleepState);
}
// @ts-ignore: decorator
@inline
function coldAt(body: u32): BodyCold {
  return changetype<BodyCold>(<usize>header().bodyColds + <usize>body * BODY_COLD_STRIDE);
}
// @ts-ignore: decorator
@inline
function rowAt(body: u32): BodyRow {
  return changetype<BodyRow>(<usize>header().bodyRows + <usize>body * BODY_ROW_STRIDE);
}
// @ts-ignore: decorator
@inline
function floatAt(base: u32, body: u32): f32 {
  return load<f32>(<usize>base + ((<usize>body) << 2));
}
// @ts-ignore: decorator
@inline
function setFloat(base: u32, body: u32, value: f32): void {
  store<f32>(<usize>base + ((<usize>body) << 2), value);
}
// @ts-ignore: decorator
@inline
function wordAt(base: u32, body: u32): u32 {
  return load<u32>(<usize>base + ((<usize>body) << 2));
}
// @ts-ignore: decorator
@inline
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
  for (let field: usize = 0; field < 5; field++) {
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
// @ts-ignore: decorator
@inline
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
    setFloat(s.calm, member, 0);
    setWord(s.ring, member, member);
    h.sleepingCount--;
    // A body is in the list once: it sleeps again only after the list was read.
    setWord(s.woken, s.wokenCount++, member);
    member = next;
  } while (member != body);
}

function wakeAll(): void {
  for (let i: u32 = 0; i < header().bodyCount; i++) if (isAsleep(i)) wakeBody(i);
}

// @ts-ignore: decorator
@inline
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

/** After the contacts stage: wakes what was touched; gives manifolds of woken bodies their lanes back. False without memory. */
export function wakeTouched(): bool {
  const h: Header = header();
  const s: SleepState = sleepState();
  if (h.sleepingCount != 0) {
    const changed: bool = s.gravityX != h.gravityX || s.gravityY != h.gravityY || s.gravityZ != h.gravityZ;
    if (h.sleep == 0 || changed) wakeAll();
    for (let i: u32 = 0; h.sleepingCount != 0 && i < h.manifoldCount; i++) {
      const m: Manifold = manifoldAt(i);
      if (m.count == 0 || isAsleep(m.bodyA) == isAsleep(m.bodyB)) continue;
      const sleeper: u32 = isAsleep(m.bodyA) ? m.bodyA : m.bodyB;
      if (rouses(sleeper == m.bodyA ? m.bodyB : m.bodyA)) wakeBody(sleeper);
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
      for (let i: u32 = 0; i < woken; i++) if (!adoptLanesOf(wordAt(s.woken, i))) return false;
    }
  }
  s.wokenCount = 0;
  return true;
}

function rootOf(parents: u32, body: u32): u32 {
  let at: u32 = body;
  while (wordAt(parents, at) != at) {
    const above: u32 = wordAt(parents, wordAt(parents, at));
    setWord(parents, at, above);
    at = above;
  }
  return at;
}

/** At the end of a step: counts how long bodies have been at rest, puts islands to sleep. False without memory. */
export function updateSleep(): bool {
  const h: Header = header();
  if (h.sleep == 0) return true;
  if (!reserve()) return false;
  const s: SleepState = sleepState();
  const count: u32 = h.bodyCount;
  const dt: f32 = h.dt;
  let ready: bool = false;
  for (let i: u32 = 0; i < count; i++) {
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & (FLAG_TYPE | FLAG_ALIVE | FLAG_ASLEEP)) != (BODY_DYNAMIC | FLAG_ALIVE)) continue;
    const row: BodyRow = rowAt(i);
    const v: f32 = sqrt<f32>(row.vx * row.vx + row.vy * row.vy + row.vz * row.vz);
    const w: f32 = sqrt<f32>(row.wx * row.wx + row.wy * row.wy + row.wz * row.wz);
    const calm: f32 = v + w * cold.extent < h.sleepSpeed ? floatAt(s.calm, i) + dt : <f32>0;
    setFloat(s.calm, i, calm);
    ready = ready || calm >= h.sleepTime;
  }
  if (ready) sleepIslands(s, count);
  return true;
}

/** Islands over the contacts between awake dynamic bodies; those that are calm throughout sleep. */
function sleepIslands(s: SleepState, count: u32): void {
  const h: Header = header();
  const parents: u32 = s.parents;
  const least: u32 = s.least;
  for (let i: u32 = 0; i < count; i++) {
    setWord(parents, i, i);
    setFloat(least, i, f32.MAX_VALUE);
  }
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0) continue;
    const a: bool = (coldAt(m.bodyA).flags & FLAG_TYPE) == BODY_DYNAMIC;
    const b: bool = (coldAt(m.bodyB).flags & FLAG_TYPE) == BODY_DYNAMIC;
    if (a && b) {
      const rootA: u32 = rootOf(parents, m.bodyA);
      const rootB: u32 = rootOf(parents, m.bodyB);
      setWord(parents, max<u32>(rootA, rootB), min<u32>(rootA, rootB));
    } else if (a && rouses(m.bodyB)) {
      setFloat(s.calm, m.bodyA, 0);
    } else if (b && rouses(m.bodyA)) {
      setFloat(s.calm, m.bodyB, 0);
    }
  }
  for (let i: u32 = 0; i < count; i++) {
    if (!isAwakeDynamic(i)) continue;
    const root: u32 = rootOf(parents, i);
    setFloat(least, root, min<f32>(floatAt(least, root), floatAt(s.calm, i)));
  }
  let slept: bool = false;
  for (let i: u32 = 0; i < count; i++) {
    if (!isAwakeDynamic(i)) continue;
    const root: u32 = rootOf(parents, i);
    if (floatAt(least, root) < h.sleepTime) continue;
    layDown(s, i, root);
    slept = true;
  }
  if (!slept || !usesLanes(h.solver)) return;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0 || m.lane == NONE || !isResting(m)) continue;
    fetchLane(i);
    releaseLane(i);
  }
}

function isAwakeDynamic(body: u32): bool {
  return (coldAt(body).flags & (FLAG_TYPE | FLAG_ALIVE | FLAG_ASLEEP)) == (BODY_DYNAMIC | FLAG_ALIVE);
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
  // It is not going to move: budgets of its pairs hold.
  const offset: usize = (<usize>body) << 3;
  store<f64>(<usize>h.motions + offset, load<f64>(<usize>broadphaseState().paths + offset));
  if (body != root) {
    setWord(s.ring, body, wordAt(s.ring, root));
    setWord(s.ring, root, body);
  }
  h.sleepingCount++;
}
