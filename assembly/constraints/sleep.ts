// Sleeping by island (Tsuda 2009, "Sleep"). Bodies that touch, directly or through others, fall asleep together once all of them
// have been slower than sleepSpeed for sleepTime, by their velocity or by their motion in the step. A sleeping body is at rest:
// no gravity, no contacts between sleeping bodies in any solver's list, nothing to integrate. Its pairs stay untouched, since
// nothing moves.
//
// Under gravity nothing falls asleep in the air: an island must touch something fixed or asleep, hang from it by a joint, or
// float. An island (islands.ts) is exact when it falls asleep, and nothing in it begins or ends before it wakes. It wakes as a
// whole:
// - when an awake dynamic body or a moving kinematic one gets a contact with it;
// - when one of its contacts ends, because its support was removed;
// - on forces, impulses, velocities, teleports, and changes of mass, shape, type or gravity (settings.ts).
// Input: velocities, islands, constraints. Output: FLAG_ASLEEP, pairs set aside, bodies that woke (SleepState.woken).
import {
  BODY_ACCEL_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BODY_ROW_STRIDE,
  BodyCold,
  BodyDelta,
  BodyNode,
  BodyRow,
  Header,
  NONE,
  SLEEP_STATE_STRIDE,
  SleepState,
} from '../layout.generated';
import { awakeBody, awakeChanged } from '../bodies/awake';
import {
  FLAG_ALIVE,
  FLAG_ASLEEP,
  FLAG_DOZED,
  FLAG_LAID,
  FLAG_SLEEPLESS,
  FLAG_SLEPT,
  FLAG_TYPE,
  coldAt,
  deltaAt,
  hasVelocity,
  isAsleep,
  rowAt,
} from '../bodies/rows';
import { allocate, ensureArray } from '../memory/allocator';
import { dot3 } from '../math/lane';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { isTouching } from './contact';
import { islandOf, nextInIsland, splitIsland } from './islands';
import { firstJoint, isEnabled, nextJoint, otherSide } from './joints';
import { firstConstraint, nextConstraint, nodeAt, otherBody } from './lists';
import { restPairs, walkPairs } from './pair_store';

// A floating body is at rest in its fields (fields.ts) if they and its weight cancel to this share of them.
const BALANCE: f32 = 0.01;
// Steps between two splits of an island of which a part is at rest, and the whole is not.
const SPLIT_EVERY: u32 = 8;

export function sleepState(): SleepState {
  return changetype<SleepState>(<usize>header().sleepState);
}
/** Part of initWorld. False without memory. */
export function initSleep(): bool {
  header().sleepState = <u32>allocate(SLEEP_STATE_STRIDE);
  return header().sleepState != 0;
}

/** Wakes a body with its island; an awake one counts as moving from now on. */
export function wakeBody(body: u32): void {
  const h: Header = header();
  nodeAt(body).calm = 0;
  if (!isAsleep(body)) return;
  const s: SleepState = sleepState();
  let member: u32 = body;
  do {
    const cold: BodyCold = coldAt(member);
    // Bodies that began to touch the island belong to it already, and are awake.
    if ((cold.flags & FLAG_ASLEEP) != 0) {
      cold.flags = cold.flags & ~FLAG_ASLEEP;
      walkPairs(member);
      nodeAt(member).calm = 0;
      h.sleepingCount--;
      // A body is in the list once: it sleeps again only after the list was read.
      store<u32>(<usize>s.woken + ((<usize>s.wokenCount) << 2), member);
      s.wokenCount++;
    }
    member = nextInIsland(member);
  } while (member != body);
  awakeChanged();
}

/** Wakes all bodies. */
export function wakeAll(): void {
  for (let i: u32 = 0; header().sleepingCount != 0 && i < header().bodyCount; i++) if (isAsleep(i)) wakeBody(i);
}

/** Whether contact with a body wakes. */
function rouses(body: u32): bool {
  const flags: u32 = coldAt(body).flags;
  const type: u32 = flags & FLAG_TYPE;
  if (type == BODY_DYNAMIC) return (flags & FLAG_ASLEEP) == 0;
  return type == BODY_KINEMATIC && hasVelocity(body);
}

/** Two bodies have contacts: one that sleeps wakes if the other is awake, or kinematic and in motion. */
export function wakeAcross(a: u32, b: u32): void {
  if (header().sleepingCount == 0 || isAsleep(a) == isAsleep(b)) return;
  const sleeper: u32 = isAsleep(a) ? a : b;
  if (rouses(sleeper == a ? b : a)) wakeBody(sleeper);
}

/** A kinematic body that moves wakes all that it has contacts with. */
function wakeAround(body: u32): void {
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) wakeAcross(body, otherBody(end));
  for (let end: u32 = firstJoint(body); end != NONE; end = nextJoint(end)) {
    if (isEnabled(end >> 1) && otherSide(end) != NONE) wakeAcross(body, otherSide(end));
  }
}

/** After the contacts stage: wakes islands with a new contact to a moving body. */
export function wakeTouched(): void {
  const h: Header = header();
  const s: SleepState = sleepState();
  if (h.sleepingCount != 0) {
    if (h.sleep == 0) wakeAll();
    for (let k: u32 = 0; h.sleepingCount != 0 && k < h.awakeCount; k++) {
      const body: u32 = awakeBody(k);
      if ((coldAt(body).flags & FLAG_TYPE) == BODY_KINEMATIC && hasVelocity(body)) wakeAround(body);
    }
  }
  if (s.laidCount != 0) restLaid();
}

/** The walk has found the contacts of bodies that a call put to sleep: sets pairs between bodies that still sleep aside. */
function restLaid(): void {
  sleepState().laidCount = 0;
  for (let i: u32 = 0; i < header().bodyCount; i++) {
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & FLAG_LAID) == 0) continue;
    cold.flags &= ~FLAG_LAID;
    if ((cold.flags & FLAG_ASLEEP) != 0) restPairs(i);
  }
}

/**
 * Two bodies begin to touch: sleepers among them wake, even if the other lies still, since it was put there. Contacts that a
 * sleeper had when a call put it to sleep, and that no step had found by then, wake nothing: a level that is built asleep
 * sleeps on.
 */
export function wakeTouching(a: u32, b: u32): void {
  if (header().sleepingCount == 0) return;
  if (((coldAt(a).flags | coldAt(b).flags) & FLAG_LAID) != 0 && !rouses(a) && !rouses(b)) return;
  wakeBody(a);
  wakeBody(b);
}

/** Room in the list of bodies that woke. False without memory. */
function reserveWoken(): bool {
  const woken: usize = changetype<usize>(sleepState());
  return ensureArray(woken, 4, header().bodyCount);
}

/** Between steps: puts the island of a dynamic body to sleep in place. False without memory (header error set). */
export function putToSleep(body: u32): bool {
  if (isAsleep(body)) return true;
  if (!reserveWoken()) return false;
  const s: SleepState = sleepState();
  splitIsland(body, 0);
  layDown(body);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < s.wokenCount; i++) {
    const woken: u32 = at32(s.woken, i);
    if (!isAsleep(woken)) put32(s.woken, kept++, woken);
  }
  s.wokenCount = kept;
  let member: u32 = body;
  do {
    coldAt(member).flags |= FLAG_LAID;
    s.laidCount++;
    restPairs(member);
    member = nextInIsland(member);
  } while (member != body);
  awakeChanged();
  return true;
}

/** Of a linear and an angular velocity: the fastest that a point of a body with this extent is at most. */
function fastestPoint(v: v128, w: v128, extent: f32): f32 {
  const linear: v128 = f32x4.replace_lane(v, 3, 0),
    angular: v128 = f32x4.replace_lane(w, 3, 0);
  return sqrt<f32>(dot3(linear, linear)) + sqrt<f32>(dot3(angular, angular)) * extent;
}

/**
 * At the end of a step: counts how long bodies have been at rest, and puts islands to sleep. False without memory. A body that
 * has not moved is at rest, even if it ends the step with a velocity: where a contact and a joint work against each other, the
 * relax pass leaves one that the next soft pass removes.
 */
export function updateSleep(): bool {
  const h: Header = header();
  if (h.sleep == 0 || h.awakeCount == 0) return true;
  if (!reserveWoken()) return false;
  const dt: f32 = h.dt,
    farthest: f32 = h.sleepSpeed * dt;
  let ready: bool = false;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const i: u32 = awakeBody(k);
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & FLAG_TYPE) != BODY_DYNAMIC) continue;
    const row: BodyRow = rowAt(i);
    const node: BodyNode = nodeAt(i);
    const delta: BodyDelta = deltaAt(i);
    const moves: bool =
      fastestPoint(row.v, row.w, cold.extent) >= h.sleepSpeed && fastestPoint(delta.d, delta.p, cold.extent) >= farthest;
    const still: bool = !moves && (cold.flags & FLAG_SLEEPLESS) == 0;
    const calm: f32 = still ? node.calm + dt : <f32>0;
    node.calm = calm;
    ready = ready || calm >= h.sleepTime;
  }
  if (ready) sleepIslands();
  return true;
}

/**
 * Puts islands to sleep that are calm throughout and lie on something, or have no weight: a body that starts to fall slowly must
 * not stay in the air.
 */
function sleepIslands(): void {
  const h: Header = header();
  const count: u32 = h.awakeCount;
  splitReady();
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    if (!isAwakeDynamic(i)) continue;
    const root: BodyNode = nodeAt(islandOf(i));
    root.least = min<f32>(root.least, nodeAt(i).calm);
  }
  const before: u32 = h.sleepingCount;
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    const root: BodyNode = nodeAt(islandOf(i));
    const least: f32 = root.least;
    if (least == f32.MAX_VALUE) continue; // judged, at another of its bodies
    root.least = f32.MAX_VALUE;
    if (least >= h.sleepTime && root.cuts == 0 && mayRest(i)) layDown(i);
  }
  if (h.sleepingCount == before) return;
  awakeChanged();
  for (let k: u32 = 0; k < count; k++) if (isAsleep(awakeBody(k))) restPairs(awakeBody(k));
}

/** Makes islands exact that have bodies at rest, unless that was done a short while ago. */
function splitReady(): void {
  const h: Header = header();
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const i: u32 = awakeBody(k);
    if (nodeAt(i).calm >= h.sleepTime && isAwakeDynamic(i)) splitIsland(i, SPLIT_EVERY);
  }
}

/**
 * Whether an exact island that has come to rest, with `body` in it, may fall asleep: nothing moves it, and something supports it.
 * The time of a body that something moves starts again at 0, so that its island is not judged in every step.
 */
function mayRest(body: u32): bool {
  let borne: bool = false;
  let net: v128 = f32x4.splat(0); // N
  let fields: f32 = 0; // N
  let member: u32 = body;
  do {
    const cold: BodyCold = coldAt(member);
    const field: f32 = sqrt<f32>(cold.restX * cold.restX + cold.restY * cold.restY + cold.restZ * cold.restZ);
    borne = borne || (field == 0 && isWeightless(member));
    fields += field;
    const accel: v128 = v128.load(<usize>header().bodyAccels + <usize>member * BODY_ACCEL_STRIDE);
    net = f32x4.add(net, f32x4.mul(accel, f32x4.splat(cold.mass)));
    for (let end: u32 = firstConstraint(member); end != NONE; end = nextConstraint(end)) {
      const other: u32 = otherBody(end);
      if (isAwakeDynamic(other)) continue;
      if (rouses(other)) {
        nodeAt(member).calm = 0;
        return false;
      }
      borne = borne || isTouching(end >> 1);
    }
    for (let end: u32 = firstJoint(member); end != NONE; end = nextJoint(end)) {
      const other: u32 = otherSide(end);
      if (!isEnabled(end >> 1) || (other != NONE && isAwakeDynamic(other))) continue;
      if (other != NONE && rouses(other)) {
        nodeAt(member).calm = 0;
        return false;
      }
      borne = true;
    }
    member = nextInIsland(member);
  } while (member != body);
  return borne || sqrt<f32>(dot3(net, net)) < BALANCE * fields;
}

function isAwakeDynamic(body: u32): bool {
  return (coldAt(body).flags & (FLAG_TYPE | FLAG_ALIVE | FLAG_ASLEEP)) == (BODY_DYNAMIC | FLAG_ALIVE);
}

/** Whether nothing pulls on a body: it may rest anywhere. */
function isWeightless(body: u32): bool {
  const h: Header = header();
  return coldAt(body).gravityScale == 0 || (h.gravityX == 0 && h.gravityY == 0 && h.gravityZ == 0);
}

/** Puts the island of a body to rest. */
export function layDown(body: u32): void {
  const h: Header = header();
  const dozed: u32 = sleepState().fields != 0 ? FLAG_DOZED : 0;
  let member: u32 = body;
  do {
    const cold: BodyCold = coldAt(member);
    const row: BodyRow = rowAt(member);
    cold.flags = cold.flags | FLAG_ASLEEP | FLAG_SLEPT | dozed;
    const invMass: f32 = row.invMass;
    memory.fill(changetype<usize>(row), 0, BODY_ROW_STRIDE);
    row.invMass = invMass;
    memory.fill(<usize>h.bodyDeltas + <usize>member * BODY_DELTA_STRIDE, 0, BODY_DELTA_STRIDE);
    memory.fill(<usize>h.bodyAccels + <usize>member * BODY_ACCEL_STRIDE, 0, BODY_ACCEL_STRIDE);
    // It is not going to move: budgets of its pairs hold.
    const offset: usize = (<usize>member) << 3;
    store<f64>(<usize>h.motions + offset, load<f64>(<usize>h.paths + offset));
    h.sleepingCount++;
    member = nextInIsland(member);
  } while (member != body);
}
