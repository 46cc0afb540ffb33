// Lanes: where every manifold lives in solver form, from its first touch to its last.
//
// A manifold gets a lane in a group of four manifolds with as many points as it has. The lane holds the rows in the manifold's
// own frame, effective masses, impulses and separations; all of it stays from step to step and is written again only when the
// manifold was refreshed. A manifold whose number of points changes moves to another group.
//
// Groups are solved one after the other in the order in which they were opened, cell by cell, and only the four lanes of a group
// must be independent. A manifold goes to the newest open group of its cell (runs.ts) whose lanes share no dynamic body with it.
// This keeps the convergence of sequential PGS: on a pyramid of 1,830 boxes at rest an order by colors leaves a hundred times the
// speed that any sequential order does, at the same number of sweeps. Where what lies in a group: lane_layout.ts. What is written
// there: lane_rows.ts. Groups are solved by wide.ts and wide_sweep.ts.
import {
  BODY_ROW_STRIDE,
  CONTACT_SIDE_STRIDE,
  ContactGroup,
  ContactPoints,
  ContactSide,
  ContactSidePoints,
  Header,
  Manifold,
  NONE,
  SOLVER_WIDE,
  SleepState,
} from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { isAsleep, isMoved } from '../bodies/rows';
import { noteChange } from '../constraints/held';
import { firstConstraint, nextConstraint } from '../constraints/lists';
import { ManifoldPoint, isResting, manifoldAt, pointOf } from '../constraints/manifolds';
import { fetchResult } from '../constraints/results';
import { sleepState } from '../constraints/sleep';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { hookAt } from '../memory/hook';
import { at32 } from '../memory/words';
import {
  CLASSES,
  C_COUNT,
  C_GROUPS,
  C_SIDES,
  LANES_USED,
  MARKED,
  STATE_BYTES,
  classOf,
  groupAt,
  groupList,
  groupStride,
  groupWord,
  lanesUsed,
  pointsOf,
  pointsOfGroup,
  rowOfA,
  rowOfB,
  sideAt,
  sidePointsOf,
  sideStride,
} from './lane_layout';
import { cellBetween, cellOfGroup, closeRuns, openGroups, runFor, runState, sparePlaces } from './runs';

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
    return insertInRun(m);
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
  header().laneState = <u32>allocate(STATE_BYTES);
  return header().laneState != 0;
}

/** Whether a solver works on lanes. */
export function usesLanes(solver: u32): bool {
  return laneOrder().serves(solver);
}

/** Address of the words of lane `lane` (Manifold.lane) in its group: a column lies at this address + its offset. */
function laneGroup(lane: u32): usize {
  return changetype<usize>(groupAt(lane >> 2)) + ((<usize>(lane & 3)) << 2);
}
/** The same beside the group. */
function laneSide(lane: u32): usize {
  return changetype<usize>(sideAt(lane >> 2)) + ((<usize>(lane & 3)) << 2);
}

/** Words of point i of a lane of a group of k points, and beside it. */
function lanePoint(lane: usize, k: u32, i: u32): usize {
  return changetype<usize>(pointsOf(changetype<ContactGroup>(lane), k, i));
}
function laneSidePoint(lane: usize, i: u32): usize {
  return changetype<usize>(sidePointsOf(changetype<ContactSide>(lane), i));
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

/** Appends a word to a list { address, capacity, count }. Returns false without memory. */
export function append(list: usize, word: u32): bool {
  const count: u32 = load<u32>(list, 8);
  if (!ensureArray(list, 4, count + 1)) return false;
  store<u32>(<usize>load<u32>(list) + ((<usize>count) << 2), word);
  store<u32>(list, count + 1, 8);
  return true;
}

/**
 * A new, empty group of manifolds with k points at the end of a list { address, capacity, count }, where its cell (NONE: none)
 * has a place for it, or behind all. Returns its word, NONE without memory.
 */
export function openGroup(list: usize, k: u32, cell: u32): u32 {
  const record: usize = classOf(k);
  const spare: usize = cell == NONE ? 0 : sparePlaces(cell, k);
  const isSpare: bool = spare != 0 && load<u32>(spare) < load<u32>(spare, 16);
  const index: u32 = isSpare ? load<u32>(spare) : load<u32>(record, C_COUNT);
  if (!ensureArray(record + C_GROUPS, <u32>groupStride(k), index + 1)) return NONE;
  if (!ensureArray(record + C_SIDES, <u32>sideStride(k), index + 1)) return NONE;
  const word: u32 = groupWord(k, index);
  if (!append(list, word)) return NONE;
  // All of them may be marked in one step: room for that now, so that memory goes with the number of groups alone.
  const marked: usize = <usize>header().laneState + MARKED;
  if (!ensureArray(marked, 4, load<u32>(list, 8))) return NONE;
  if (isSpare) {
    store<u32>(spare, index + 1);
  } else {
    store<u32>(record, index + 1, C_COUNT);
    runState().strayed++;
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
function insertInRun(m: Manifold): bool {
  const k: u32 = m.count;
  const a: u32 = movedRow(m.bodyA),
    b: u32 = movedRow(m.bodyB);
  const bodyA: u32 = a == NOBODY ? NONE : m.bodyA,
    bodyB: u32 = b == NOBODY ? NONE : m.bodyB;
  if (runFor(bodyA, bodyB) == NONE) return false;
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
      if (used == 0) runState().stale = 1;
      return true;
    }
    from = changetype<usize>(sideAt(word)) + offsetof<ContactSide>('next');
  }
  const word: u32 = openGroup(groupList(), k, cell);
  if (word == NONE) return false;
  openAgain(cell, word, k);
  runState().stale = 1;
  runState().changed = 1;
  m.lane = word << 2;
  return true;
}

/** Groups of k points of a class so far. */
export function groupsMade(k: u32): u32 {
  return load<u32>(classOf(k), C_COUNT);
}

/** Keeps `count` places for groups of k points of a cell behind all that are there. False without memory. */
export function keepPlaces(cell: u32, k: u32, count: u32): bool {
  const record: usize = classOf(k);
  const first: u32 = load<u32>(record, C_COUNT);
  if (!ensureArray(record + C_GROUPS, <u32>groupStride(k), first + count)) return false;
  if (!ensureArray(record + C_SIDES, <u32>sideStride(k), first + count)) return false;
  store<u32>(record, first + count, C_COUNT);
  store<u32>(sparePlaces(cell, k), first);
  store<u32>(sparePlaces(cell, k), first + count, 16);
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
  const state: usize = header().laneState;
  store<u32>(state, load<u32>(state, LANES_USED) + 1, LANES_USED);
  runState().claims++;
  const group: usize = laneGroup(m.lane);
  store<u32>(group, m.bodyA * <u32>BODY_ROW_STRIDE, offsetof<ContactGroup>('bodyA'));
  store<u32>(group, m.bodyB * <u32>BODY_ROW_STRIDE, offsetof<ContactGroup>('bodyB'));
  store<u32>(laneSide(m.lane), index, offsetof<ContactSide>('manifold'));
  store<f32>(laneSide(m.lane), f32.NEGATIVE_INFINITY, offsetof<ContactSide>('stepImpulse'));
  if ((m.lane & 3) == 0) repeatFirst(groupAt(m.lane >> 2), 1);
  return true;
}

/**
 * The manifold was made anew: its lane, in a group of as many points as it has, is written from it before the next solve
 * (lane_rows.ts). Until then impulses and separations are those in the manifold. Returns false without memory.
 */
export function markLane(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (m.lane != NONE && pointsOfGroup(m.lane >> 2) != m.count) releaseLane(index);
  if (m.lane == NONE && !insertLane(index)) return false;
  const word: u32 = m.lane >> 2;
  const side: ContactSide = sideAt(word);
  if (side.listed == 0) {
    if (!append(<usize>header().laneState + MARKED, word)) return false;
    side.listed = 1;
  }
  store<u32>(laneSide(m.lane), ~0, offsetof<ContactSide>('mark'));
  return true;
}

/** As markLane, by any thread and beside others: the manifold keeps its lane. */
export function markLaneShared(index: u32): void {
  const lane: u32 = manifoldAt(index).lane;
  store<u32>(laneSide(lane), ~0, offsetof<ContactSide>('mark'));
  if (atomic.xchg<u32>(changetype<usize>(sideAt(lane >> 2)) + offsetof<ContactSide>('listed'), 1) != 0) return;
  // There is room for all groups.
  const list: usize = <usize>header().laneState + MARKED;
  store<u32>(<usize>load<u32>(list) + ((<usize>atomic.add<u32>(list + 8, 1)) << 2), lane >> 2);
}

/** Copies impulses and separations of a manifold from its lane, or from a result of the GPU, unless they are there. */
export function fetchLane(index: u32): void {
  const m: Manifold = manifoldAt(index);
  if (m.lane == NONE) {
    if (header().results != 0) fetchResult(index);
    return;
  }
  if (load<u32>(laneSide(m.lane), offsetof<ContactSide>('mark')) != 0) return;
  const g: usize = laneGroup(m.lane),
    side: usize = laneSide(m.lane);
  const k: u32 = m.count;
  m.tangentImpulse1 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse1'));
  m.tangentImpulse2 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse2'));
  m.twistImpulse = load<f32>(g, offsetof<ContactGroup>('twistImpulse'));
  m.rollImpulse1 = load<f32>(side, offsetof<ContactSide>('rollImpulse1'));
  m.rollImpulse2 = load<f32>(side, offsetof<ContactSide>('rollImpulse2'));
  for (let i: u32 = 0; i < k; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const p: usize = lanePoint(g, k, i);
    point.separation = load<f32>(p, offsetof<ContactPoints>('separation'));
    point.impulse = load<f32>(p, offsetof<ContactPoints>('impulse'));
    point.maxImpulse = max<f32>(load<f32>(laneSidePoint(side, i), offsetof<ContactSidePoints>('maxImpulse')), point.impulse);
  }
}

/** Friction of a manifold as it stands now, to its lane. */
export function setLaneFriction(m: Manifold): void {
  if (m.lane == NONE) return;
  store<f32>(laneGroup(m.lane), m.friction, offsetof<ContactGroup>('friction'));
  store<f32>(laneGroup(m.lane), m.friction * m.twistRadius, offsetof<ContactGroup>('twistFriction'));
}

/** Whether a fast impact is awaited in a manifold in this step: its points are then settled where they are struck. */
export function setStruck(index: u32, struck: bool): void {
  const m: Manifold = manifoldAt(index);
  if (m.lane == NONE) {
    if ((m.struck != 0) == struck) return;
    fetchLane(index);
    m.struck = struck ? 1 : 0;
    noteChange(index);
    return;
  }
  const side: ContactSide = sideAt(m.lane >> 2);
  const bit: u32 = 1 << (m.lane & 3);
  side.struck = struck ? side.struck | bit : side.struck & ~bit;
}

/** Whether the impulses of a manifold are summed up in the next step; the sum starts at 0. */
export function setSummed(m: Manifold, summed: bool): void {
  if (m.lane != NONE) store<f32>(laneSide(m.lane), summed ? <f32>0 : f32.NEGATIVE_INFINITY, offsetof<ContactSide>('stepImpulse'));
}

/** N s: normal impulse that the step has just given a manifold that is summed: points, substeps, restitution. */
export function stepImpulse(index: u32): f32 {
  const m: Manifold = manifoldAt(index);
  if (m.lane != NONE) return load<f32>(laneSide(m.lane), offsetof<ContactSide>('stepImpulse'));
  fetchLane(index);
  return m.stepImpulse;
}

/** Adds what came after the substeps, restitution, to the impulse of the step. */
export function addStepImpulse(m: Manifold, impulse: f32): void {
  if (m.lane == NONE) {
    m.stepImpulse += impulse;
    return;
  }
  const side: usize = laneSide(m.lane);
  // -infinity where nothing is summed.
  const before: f32 = load<f32>(side, offsetof<ContactSide>('stepImpulse'));
  store<f32>(side, before + impulse, offsetof<ContactSide>('stepImpulse'));
}

/** Forgets all impulses of a lane. */
export function clearLane(m: Manifold): void {
  const g: usize = laneGroup(m.lane),
    side: usize = laneSide(m.lane);
  store<f32>(g, 0, offsetof<ContactGroup>('tangentImpulse1'));
  store<f32>(g, 0, offsetof<ContactGroup>('tangentImpulse2'));
  store<f32>(g, 0, offsetof<ContactGroup>('twistImpulse'));
  store<f32>(side, 0, offsetof<ContactSide>('rollImpulse1'));
  store<f32>(side, 0, offsetof<ContactSide>('rollImpulse2'));
  if (load<f32>(side, offsetof<ContactSide>('stepImpulse')) != f32.NEGATIVE_INFINITY)
    store<f32>(side, 0, offsetof<ContactSide>('stepImpulse'));
  for (let i: u32 = 0; i < m.count; i++) {
    store<f32>(lanePoint(g, m.count, i), 0, offsetof<ContactPoints>('impulse'));
    const q: usize = laneSidePoint(side, i);
    store<f32>(q, 0, offsetof<ContactSidePoints>('previous'));
    store<f32>(q, 0, offsetof<ContactSidePoints>('excess'));
    store<f32>(q, 0, offsetof<ContactSidePoints>('maxImpulse'));
  }
}

/** An impulse that came after the substeps is the largest of a manifold in the step; it has met at its first point. */
export function hitLane(m: Manifold, impulse: f32): void {
  store<f32>(laneSidePoint(laneSide(m.lane), 0), impulse, offsetof<ContactSidePoints>('maxImpulse'));
  const p: usize = lanePoint(laneGroup(m.lane), m.count, 0);
  store<f32>(p, min<f32>(load<f32>(p, offsetof<ContactPoints>('separation')), 0), offsetof<ContactPoints>('separation'));
}

/** Takes a manifold out of its lane; the last lane in use of the group takes its place, the group is open again. */
export function releaseLane(index: u32): void {
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
  for (let f: usize = offsetof<ContactSide>('mark'); f < offsetof<ContactSide>('next'); f += 16) store<u32>(side + last + f, 0);
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
  const state: usize = header().laneState;
  const left: u32 = load<u32>(state, LANES_USED) - 1;
  store<u32>(state, left, LANES_USED);
  laneOrder().left(m, word, used);
  if (left == 0) {
    dropGroups();
    return;
  }
  if (cell != NONE) openAgain(cell, word, k);
}

/** Takes every manifold out of its lane with its impulses (another solver goes on). */
export function releaseAllLanes(): void {
  const h: Header = header();
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0 || m.lane == NONE) continue;
    fetchLane(i);
    m.lane = NONE;
  }
  emptyLanes();
}

/** No manifold has a lane any more. */
export function emptyLanes(): void {
  store<u32>(<usize>header().laneState, 0, LANES_USED);
  dropGroups();
}

/** All that a lane holds goes to its manifold, which leaves it; emptyLanes must follow. What a spike left is left out. */
export function takeOut(index: u32): void {
  const m: Manifold = manifoldAt(index);
  const side: usize = laneSide(m.lane);
  fetchLane(index);
  if (load<u32>(side, offsetof<ContactSide>('mark')) == 0) {
    for (let i: u32 = 0; i < m.count; i++)
      pointOf(m, i).impulse -= load<f32>(laneSidePoint(side, i), offsetof<ContactSidePoints>('excess'));
  }
  m.stepImpulse = load<f32>(side, offsetof<ContactSide>('stepImpulse'));
  m.lane = NONE;
}

/** A new lane for a manifold that was taken out. False without memory. */
export function putBack(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (!markLane(index)) return false;
  store<f32>(laneSide(m.lane), m.stepImpulse, offsetof<ContactSide>('stepImpulse'));
  return true;
}

/** No lane is in use: groups and lists start anew. */
function dropGroups(): void {
  for (let k: u32 = 1; k <= CLASSES; k++) store<u32>(classOf(k), 0, C_COUNT);
  store<u32>(groupList(), 0, 8);
  laneOrder().forget();
  store<u32>(<usize>header().laneState, 0, MARKED + 8);
  closeRuns();
  runState().stale = 1;
}

/** Gives every manifold a lane with the impulses it has (a solver on lanes takes over). Returns false without memory. */
export function adoptAllLanes(): bool {
  const h: Header = header();
  for (let i: u32 = 0; i < h.manifoldCount; i++) if (!adoptLane(i)) return false;
  return true;
}

/** Manifolds of bodies that woke since the last step get their lanes back, if the solver has lanes. False without memory. */
export function adoptWoken(): bool {
  const s: SleepState = sleepState();
  const count: u32 = usesLanes(header().solver) ? s.wokenCount : 0;
  for (let i: u32 = 0; i < count; i++) {
    // A slot that has come free since has no constraints.
    let end: u32 = firstConstraint(at32(s.woken, i));
    for (; end != NONE; end = nextConstraint(end)) if (!adoptLane(end >> 1)) return false;
  }
  s.wokenCount = 0;
  return true;
}

/** Takes the manifolds of bodies that have just come to sleep out of their lanes, with their impulses. */
export function releaseSleepers(): void {
  const count: u32 = header().awakeCount;
  for (let k: u32 = 0; k < count; k++) if (isAsleep(awakeBody(k))) releaseLanesOf(awakeBody(k));
}

/** Takes the manifolds at rest of a body out of their lanes, with their impulses. */
export function releaseLanesOf(body: u32): void {
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) {
    const index: u32 = end >> 1;
    if (manifoldAt(index).lane == NONE || !isResting(manifoldAt(index))) continue;
    fetchLane(index);
    releaseLane(index);
  }
}

function adoptLane(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  return m.count == 0 || m.lane != NONE || isResting(m) || markLane(index);
}
