// Lanes: the place of every manifold in solver form, from its first touch to its last.
//
// A manifold gets a lane in a group of four manifolds with as many points as it has. The lane holds the rows in the manifold's
// own frame and effective masses, which are written again only when the manifold was refreshed. While the manifold has the lane,
// its impulses and separations are there too (state.ts). A manifold whose number of points changes moves to another group.
//
// Groups are solved one after the other in the order in which they were opened, cell by cell; only the four lanes of a group must
// be independent. A manifold goes to the newest open group of its cell (batches.ts) whose lanes share no dynamic body with it.
// This keeps the convergence of sequential PGS: on a pyramid of 1,830 boxes at rest an order by colors leaves a hundred times the
// speed that any sequential order does, at the same number of sweeps. The layout of a group: lane_layout.ts. Its contents:
// lane_rows.ts. Groups are solved by wide.ts and wide_sweep.ts.
import { awakeBody } from '../bodies/awake';
import { isAsleep, isMoved } from '../bodies/rows';
import { firstConstraint, nextConstraint } from '../constraints/lists';
import { isResting, manifoldAt, pointOf } from '../constraints/manifolds';
import { sleepState } from '../constraints/sleep';
import {
  BODY_ROW_STRIDE,
  CONTACT_SIDE_STRIDE,
  ContactGroup,
  ContactSide,
  ContactSidePoints,
  GroupClass,
  Header,
  LANE_STATE_STRIDE,
  Manifold,
  NONE,
  SOLVER_WIDE,
  SleepState,
  WordList,
} from '../layout.generated';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { hookAt } from '../memory/hook';
import { at32, put32 } from '../memory/words';
import { batchFor, batchState, cellBetween, cellOfGroup, closeBatches, openGroups, spareEnd, sparePlaces } from './batches';
import {
  CLASSES,
  classOf,
  groupAt,
  groupList,
  groupStride,
  groupWord,
  laneState,
  lanesUsed,
  markedGroups,
  pointsOfGroup,
  rowOfA,
  rowOfB,
  sideAt,
  sideStride,
} from './lane_layout';
import { copyState, laneGroup, laneSide, laneSidePoint, storeState } from './state';

// Open groups that are tried for a new manifold before another one is opened.
export const OPEN_WINDOW: u32 = 32;
// In place of the offset of a row: no lane names it, and an empty group neither (it names NONE).
const NOBODY: u32 = 0xfffffffe;

/** Which lanes manifolds get (a hook, memory/hook.ts). Here: cell by cell, for SOLVER_WIDE. */
export class LaneOrder {
  /** Whether a solver works on lanes. */
  serves(solver: u32): bool {
    return solver == SOLVER_WIDE;
  }
  /** Takes a lane for a manifold: writes Manifold.lane. False without memory. */
  place(m: Manifold): bool {
    return insertInBatch(m);
  }
  /** The cell to which a group belongs that is full and loses a manifold, NONE: its free lane is known to no cell. */
  cellOf(group: ContactGroup): u32 {
    return cellOfGroup(group);
  }
  /** A manifold has left its lane in a group of which `used` were in use. */
  left(m: Manifold, word: u32, used: u32): void {}
  /** No lane is in use any more. */
  forget(): void {}
}

function laneOrder(): LaneOrder {
  return hookAt<LaneOrder>(offsetof<Header>('laneOrder'));
}

export function initLanes(): bool {
  header().laneState = <u32>allocate(LANE_STATE_STRIDE);
  return header().laneState != 0;
}

/** Whether a solver works on lanes. */
export function usesLanes(solver: u32): bool {
  return laneOrder().serves(solver);
}

/**
 * Whether a lane of the group has one of the two bodies, which are offsets of rows or NOBODY. Unused lanes name those of
 * lane 0.
 */
export function sharesBody(group: ContactGroup, a: u32, b: u32): bool {
  const ofA: v128 = group.bodyA,
    ofB: v128 = group.bodyB;
  const first: v128 = i32x4.splat(a),
    second: v128 = i32x4.splat(b);
  const inA: v128 = v128.or(i32x4.eq(ofA, first), i32x4.eq(ofA, second)),
    inB: v128 = v128.or(i32x4.eq(ofB, first), i32x4.eq(ofB, second));
  return v128.any_true(v128.or(inA, inB));
}

/** Lanes from `used` on name the bodies of lane 0. */
function repeatFirst(group: ContactGroup, used: u32): void {
  for (let k: usize = <usize>used; k < 4; k++) {
    const lane: usize = changetype<usize>(group) + (k << 2);
    store<u32>(lane, rowOfA(group, 0), offsetof<ContactGroup>('bodyA'));
    store<u32>(lane, rowOfB(group, 0), offsetof<ContactGroup>('bodyB'));
  }
}

/** Room for so many words in a list. False without memory. */
export function wordRoom(list: WordList, count: u32): bool {
  const at: usize = changetype<usize>(list) + offsetof<WordList>('words');
  return ensureArray(at, 4, count);
}

/** Appends a word to a list. Returns false without memory. */
export function append(list: WordList, word: u32): bool {
  const count: u32 = list.count;
  if (!wordRoom(list, count + 1)) return false;
  put32(list.words, count, word);
  list.count = count + 1;
  return true;
}

/** Room for so many groups of k points. False without memory. */
function groupRoom(k: u32, count: u32): bool {
  const record: usize = changetype<usize>(classOf(k));
  return (
    ensureArray(record + offsetof<GroupClass>('groups'), <u32>groupStride(k), count) &&
    ensureArray(record + offsetof<GroupClass>('sides'), <u32>sideStride(k), count)
  );
}

/**
 * A new, empty group of manifolds with k points at the end of a list, where its cell (NONE: none)
 * has a place for it, or behind all. Returns its word, NONE without memory.
 */
export function openGroup(list: WordList, k: u32, cell: u32): u32 {
  const record: GroupClass = classOf(k);
  const spare: usize = cell == NONE ? 0 : sparePlaces(cell, k);
  const isSpare: bool = spare != 0 && load<u32>(spare) < load<u32>(spareEnd(cell, k));
  const index: u32 = isSpare ? load<u32>(spare) : record.count;
  if (!groupRoom(k, index + 1)) return NONE;
  const word: u32 = groupWord(k, index);
  if (!append(list, word)) return NONE;
  // All of them may be marked in one step: room for that now, so that memory goes with the number of groups alone.
  if (!wordRoom(markedGroups(), list.count)) return NONE;
  if (isSpare) {
    store<u32>(spare, index + 1);
  } else {
    record.count = index + 1;
    batchState().strayed++;
  }
  memory.fill(changetype<usize>(groupAt(word)), 0, groupStride(k));
  memory.fill(changetype<usize>(sideAt(word)), 0, sideStride(k));
  sideAt(word).manifold = i32x4.splat(NONE);
  return word;
}

/** Offset of the row of a body that contacts move, NOBODY of another. */
export function movedRow(body: u32): u32 {
  return isMoved(body) ? body * <u32>BODY_ROW_STRIDE : NOBODY;
}

/**
 * A lane for a manifold in the newest open group of its cell that has no dynamic body in common with it, else in a new one.
 * False without memory.
 */
function insertInBatch(m: Manifold): bool {
  const k: u32 = m.count;
  const a: u32 = movedRow(m.bodyA),
    b: u32 = movedRow(m.bodyB);
  const bodyA: u32 = a == NOBODY ? NONE : m.bodyA,
    bodyB: u32 = b == NOBODY ? NONE : m.bodyB;
  if (batchFor(bodyA, bodyB) == NONE) return false;
  const cell: u32 = cellBetween(bodyA, bodyB);
  let from: usize = openGroups(cell, k);
  for (let i: u32 = 0; i < OPEN_WINDOW; i++) {
    const word: u32 = load<u32>(from);
    if (word == NONE) break;
    if (!sharesBody(groupAt(word), a, b)) {
      const used: u32 = lanesUsed(sideAt(word));
      m.lane = (word << 2) + used;
      if (used == 3) store<u32>(from, sideAt(word).next);
      // The lists leave empty groups out.
      if (used == 0) batchState().stale = 1;
      return true;
    }
    from = changetype<usize>(sideAt(word)) + offsetof<ContactSide>('next');
  }
  const word: u32 = openGroup(groupList(), k, cell);
  if (word == NONE) return false;
  openAgain(cell, word, k);
  batchState().stale = 1;
  batchState().changed = 1;
  m.lane = word << 2;
  return true;
}

/** Groups of k points of a class so far. */
export function groupsMade(k: u32): u32 {
  return classOf(k).count;
}

/** Keeps `count` places for groups of k points of a cell behind all that are there. False without memory. */
export function keepPlaces(cell: u32, k: u32, count: u32): bool {
  const first: u32 = classOf(k).count;
  if (!groupRoom(k, first + count)) return false;
  classOf(k).count = first + count;
  store<u32>(sparePlaces(cell, k), first);
  store<u32>(spareEnd(cell, k), first + count);
  return true;
}

/** A group of a cell has a free lane. */
function openAgain(cell: u32, word: u32, k: u32): void {
  sideAt(word).next = load<u32>(openGroups(cell, k));
  store<u32>(openGroups(cell, k), word);
}

/** Gives a manifold a lane; its data is written by prepareGroups. Bodies and owner of the lane are known from here on. */
function insertLane(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (!laneOrder().place(m)) return false;
  laneState().lanesUsed++;
  batchState().claims++;
  const group: usize = laneGroup(m.lane);
  store<u32>(group, m.bodyA * <u32>BODY_ROW_STRIDE, offsetof<ContactGroup>('bodyA'));
  store<u32>(group, m.bodyB * <u32>BODY_ROW_STRIDE, offsetof<ContactGroup>('bodyB'));
  store<u32>(laneSide(m.lane), index, offsetof<ContactSide>('manifold'));
  store<f32>(laneSide(m.lane), f32.NEGATIVE_INFINITY, offsetof<ContactSide>('stepImpulse'));
  if ((m.lane & 3) == 0) repeatFirst(groupAt(m.lane >> 2), 1);
  return true;
}

/**
 * The record of a manifold was filled again: its lane, in a group of as many points as it has, gets its state, and its rows are
 * computed before the next solve (lane_rows.ts). Returns false without memory.
 */
export function enterLane(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (m.lane != NONE && pointsOfGroup(m.lane >> 2) != m.count) removeLane(index);
  if (m.lane == NONE && !insertLane(index)) return false;
  storeState(m);
  return markDirty(m);
}

/** Geometry or material of a manifold has changed: its rows are computed again before the next solve. False without memory. */
export function markDirty(m: Manifold): bool {
  if (m.lane == NONE) return true;
  const word: u32 = m.lane >> 2;
  const side: ContactSide = sideAt(word);
  if (side.listed != 0) return true;
  side.listed = 1;
  return append(markedGroups(), word);
}

/** As markDirty, by any thread and beside others. */
export function markDirtyShared(m: Manifold): void {
  const word: u32 = m.lane >> 2;
  if (atomic.xchg<u32>(changetype<usize>(sideAt(word)) + offsetof<ContactSide>('listed'), 1) != 0) return;
  // There is room for all groups.
  const list: WordList = markedGroups();
  put32(list.words, atomic.add<u32>(changetype<usize>(list) + offsetof<WordList>('count'), 1), word);
}

/** Takes a manifold out of its lane; the last lane in use of the group takes its place, the group is open again. */
export function removeLane(index: u32): void {
  const m: Manifold = manifoldAt(index);
  const lane: u32 = m.lane;
  if (lane == NONE) return;
  m.lane = NONE;
  const word: u32 = lane >> 2;
  const k: u32 = pointsOfGroup(word);
  const g: ContactGroup = groupAt(word);
  const beside: ContactSide = sideAt(word);
  const group: usize = changetype<usize>(g),
    side: usize = changetype<usize>(beside);
  const used: u32 = lanesUsed(beside);
  const cell: u32 = used == 4 ? laneOrder().cellOf(g) : NONE;
  const last: usize = (<usize>(used - 1)) << 2,
    hole: usize = (<usize>(lane & 3)) << 2;
  if (hole != last) {
    for (let f: usize = 0; f < groupStride(k); f += 16) store<u32>(group + hole + f, load<u32>(group + last + f));
    for (let f: usize = 0; f < sideStride(k); f += 16)
      if (f != offsetof<ContactSide>('next')) store<u32>(side + hole + f, load<u32>(side + last + f));
    manifoldAt(load<u32>(side + hole, offsetof<ContactSide>('manifold'))).lane = lane;
  }
  for (let f: usize = offsetof<ContactGroup>('normalX'); f < groupStride(k); f += 16) store<u32>(group + last + f, 0);
  for (let f: usize = offsetof<ContactSide>('restitution'); f < offsetof<ContactSide>('next'); f += 16)
    store<u32>(side + last + f, 0);
  for (let f: usize = CONTACT_SIDE_STRIDE; f < sideStride(k); f += 16) store<u32>(side + last + f, 0);
  store<u32>(side + last, NONE, offsetof<ContactSide>('manifold'));
  const locked: u32 = beside.locked,
    moved: u32 = hole != last ? ((locked >> (used - 1)) & 0x11) << (lane & 3) : 0;
  beside.locked = (locked & ~((0x11 << (used - 1)) | (0x11 << (lane & 3)))) | moved;
  if (used == 1) {
    // Sweeps leave empty groups out, and any manifold may come to them.
    store<u32>(group, NONE, offsetof<ContactGroup>('bodyA'));
    store<u32>(group, NONE, offsetof<ContactGroup>('bodyB'));
  }
  repeatFirst(g, used - 1);
  const left: u32 = --laneState().lanesUsed;
  laneOrder().left(m, word, used);
  if (left == 0) {
    dropGroups();
    return;
  }
  if (cell != NONE) openAgain(cell, word, k);
}

/** Takes every manifold out of its lane with its impulses (another solver goes on). */
export function removeAllLanes(): void {
  const h: Header = header();
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0 || m.lane == NONE) continue;
    copyState(m, m);
    m.lane = NONE;
  }
  emptyLanes();
}

/** No manifold has a lane any more. */
export function emptyLanes(): void {
  laneState().lanesUsed = 0;
  dropGroups();
}

/** All that a lane holds goes to the record of its manifold, which leaves it; emptyLanes must follow. Excess is left out. */
export function takeOut(index: u32): void {
  const m: Manifold = manifoldAt(index);
  const side: usize = laneSide(m.lane);
  copyState(m, m);
  for (let i: u32 = 0; i < m.count; i++)
    pointOf(m, i).impulse -= load<f32>(laneSidePoint(side, i), offsetof<ContactSidePoints>('excess'));
  m.stepImpulse = load<f32>(side, offsetof<ContactSide>('stepImpulse'));
  m.lane = NONE;
}

/** A new lane for a manifold that was taken out. False without memory. */
export function putBack(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (!enterLane(index)) return false;
  store<f32>(laneSide(m.lane), m.stepImpulse, offsetof<ContactSide>('stepImpulse'));
  return true;
}

/** Empties all lanes: groups and lists start again. */
function dropGroups(): void {
  for (let k: u32 = 1; k <= CLASSES; k++) classOf(k).count = 0;
  groupList().count = 0;
  laneOrder().forget();
  markedGroups().count = 0;
  closeBatches();
  batchState().stale = 1;
}

/** Gives every manifold a lane with the impulses it has (a solver on lanes takes over). Returns false without memory. */
export function insertAllLanes(): bool {
  const h: Header = header();
  for (let i: u32 = 0; i < h.manifoldCount; i++) if (!insertAwake(i)) return false;
  return true;
}

/** Manifolds of bodies that woke since the last step get their lanes back, if the solver has lanes. False without memory. */
export function insertWoken(): bool {
  const s: SleepState = sleepState();
  const count: u32 = usesLanes(header().solver) ? s.wokenCount : 0;
  for (let i: u32 = 0; i < count; i++) {
    // A slot that has come free since has no constraints.
    let end: u32 = firstConstraint(at32(s.woken, i));
    for (; end != NONE; end = nextConstraint(end)) if (!insertAwake(end >> 1)) return false;
  }
  s.wokenCount = 0;
  return true;
}

/** Takes the manifolds of bodies that have just come to sleep out of their lanes, with their impulses. */
export function removeSleepers(): void {
  const count: u32 = header().awakeCount;
  for (let k: u32 = 0; k < count; k++) if (isAsleep(awakeBody(k))) removeLanesOf(awakeBody(k));
}

/** Takes the manifolds at rest of a body out of their lanes, with their impulses. */
export function removeLanesOf(body: u32): void {
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) {
    const index: u32 = end >> 1;
    const m: Manifold = manifoldAt(index);
    if (m.lane == NONE || !isResting(m)) continue;
    copyState(m, m);
    removeLane(index);
  }
}

function insertAwake(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  return m.count == 0 || m.lane != NONE || isResting(m) || enterLane(index);
}
