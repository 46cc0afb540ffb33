// The parts of linear memory in a snapshot: all blocks except holes, unused capacity of arrays, and large scratch.
//
// Anything that is not named here counts as live, so a forgotten block is copied, never lost. Unused capacity and scratch are 0
// after clearDead, as in a new world: a step writes them before it reads them.
// Input: header, address books of the stages, holes. Output: LiveState, a list of ranges of whole cache lines; their sum, in
// scratch that no snapshot contains.
import { broadphaseState } from '../broadphase/state';
import { jointState } from '../joints/state';
import { batchState } from '../lanes/batches';
import { CLASSES, classOf, groupStride, laneState, sideStride } from '../lanes/lane_layout';
import {
  AABB_STRIDE,
  ArrayField,
  BODY_CENTER_STRIDE,
  BODY_COLD_STRIDE,
  BODY_INERTIA_STRIDE,
  BODY_NODE_STRIDE,
  BODY_ROW_STRIDE,
  BroadphaseState,
  COLLIDER_STRIDE,
  CONTACT_STATE_STRIDE,
  EVENT_ROW_STRIDE,
  FOUND_RANGE_STRIDE,
  GPU_EDIT_STRIDE,
  GroupClass,
  HEADER_PTR,
  Header,
  Hole,
  IMPACT_BLOCK,
  IMPACT_BODY_STRIDE,
  IMPACT_BOUND_STRIDE,
  IMPACT_LINK_STRIDE,
  ImpactState,
  JOINT_STRIDE,
  LINE_SUM_STRIDE,
  LIVE_STATE_STRIDE,
  LineSum,
  LiveRange,
  LiveState,
  MANIFOLD_STRIDE,
  MAX_LIVE,
  NARROW_STATE_STRIDE,
  NarrowState,
  PAIR_COLD_STRIDE,
  PAIR_HOT_STRIDE,
  PAIR_LINKS_STRIDE,
  PGS_LINK_STRIDE,
  POLYGON_A,
  POLYHEDRON_SCRATCH_STRIDE,
  ROUND_SCRATCH_STRIDE,
  SHAPE_STRIDE,
  SPLIT_LINK_STRIDE,
  SPLIT_ROW_STRIDE,
  SPLIT_SLOT_STATE_STRIDE,
  STAGING_BYTES,
  Shape,
  SplitState,
  WATCHED_PAIR_STRIDE,
} from '../layout.generated';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';
import { splitState } from '../memory/split_state';
import { at32, vectorAt } from '../memory/words';
import { narrowState } from '../narrowphase/state';
import { testsBytes } from '../scratch/tests';
import { team } from '../threads/team';

// Shorter dead ranges are copied: a range costs about as much as its bytes then.
const LEAST: usize = 2048;
const LINE: usize = 64;
if (POLYGON_A + STAGING_BYTES + 128 > POLYHEDRON_SCRATCH_STRIDE || POLYGON_A % LINE != 0) ERROR('LiveState.staging');

function liveState(): LiveState {
  return changetype<LiveState>(<usize>header().liveState);
}

/** Address of the k-th range: its first byte and the first byte behind it. */
function rangeAt(k: u32): LiveRange {
  return changetype<LiveRange>(changetype<usize>(liveState()) + LIVE_STATE_STRIDE + ((<usize>k) << 3));
}

function setRange(k: u32, from: u32, end: u32): void {
  const range: LiveRange = rangeAt(k);
  range.from = from;
  range.end = end;
}

/** Room for the ranges and the sum. False without memory (header error set). */
function initLive(): bool {
  const h: Header = header();
  if (h.liveState != 0) return true;
  h.liveState = <u32>allocate(LIVE_STATE_STRIDE + ((<usize>MAX_LIVE + 1) << 3));
  if (h.liveState == 0) return false;
  liveState().staging = narrowState().hullScratch + <u32>POLYGON_A;
  return true;
}

/** Adds a dead range, of whole lines; the list stays in order of addresses. A range without room in the list stays live. */
function addDead(from: usize, end: usize): void {
  from = (from + LINE - 1) & ~(LINE - 1);
  end &= ~(LINE - 1);
  const s: LiveState = liveState();
  if (end < from + LEAST) return;
  let k: u32 = s.count;
  if (k == MAX_LIVE) return;
  s.count++;
  for (; k > 0 && rangeAt(k - 1).from > <u32>from; k--) setRange(k, rangeAt(k - 1).from, rangeAt(k - 1).end);
  setRange(k, <u32>from, <u32>end);
}

/** Adds the unused capacity of an array beyond `count` elements. */
function addRest(base: usize, stride: usize, count: u32, capacity: u32): void {
  if (base != 0) addDead(base + <usize>count * stride, base + <usize>capacity * stride);
}

/** All of an array whose address and capacity lie at `at`. */
function addScratch(at: usize, stride: usize): void {
  const array = changetype<ArrayField>(at);
  addRest(array.at, stride, 0, array.capacity);
}

/** Blobs of shapes, which nothing changes while a shape lives; most were made one after the other. */
function listGeometry(): void {
  const h: Header = header();
  let from: usize = 0,
    end: usize = 0;
  for (let i: u32 = 0; i < h.shapeCount; i++) {
    const shape: Shape = changetype<Shape>(<usize>h.shapes + <usize>i * SHAPE_STRIDE);
    if ((shape.flags & 1) == 0 || shape.dataPtr == 0) continue;
    if (<usize>shape.dataPtr != end) {
      addDead(from, end);
      from = shape.dataPtr;
    }
    end = (<usize>shape.dataPtr + shape.dataBytes + LINE - 1) & ~(LINE - 1);
  }
  addDead(from, end);
}

/** Lists dead memory, except holes. */
function listDead(): void {
  const h: Header = header();
  addRest(h.bodyRows, BODY_ROW_STRIDE, h.bodyCount, h.bodyCapacity);
  addRest(h.bodyInertias, BODY_INERTIA_STRIDE, h.bodyCount, h.bodyCapacity);
  addRest(h.bodyCenters, BODY_CENTER_STRIDE, h.bodyCount, h.bodyCapacity);
  addRest(h.bodyColds, BODY_COLD_STRIDE, h.bodyCount, h.bodyCapacity);
  addRest(h.bodyNodes, BODY_NODE_STRIDE, h.bodyCount, h.bodyCapacity);
  addRest(h.colliders, COLLIDER_STRIDE, h.colliderCount, h.colliderCapacity);
  addRest(h.aabbs, AABB_STRIDE, h.colliderCount, h.colliderCapacity);
  addRest(h.shapes, SHAPE_STRIDE, h.shapeCount, h.shapesCapacity);
  addRest(h.pairHots, PAIR_HOT_STRIDE, h.pairCount, h.pairCapacity);
  addRest(h.pairColds, PAIR_COLD_STRIDE, h.pairCount, h.pairCapacity);
  addRest(h.pairLinks, PAIR_LINKS_STRIDE, h.pairCount, h.pairCapacity);
  addRest(h.watchedPairs, WATCHED_PAIR_STRIDE, h.watchedCount, h.watchedPairsCapacity);
  addRest(h.events, EVENT_ROW_STRIDE, h.eventCount, h.eventsCapacity);
  addRest(h.joints, JOINT_STRIDE, h.jointCount, h.jointsCapacity);
  addRest(h.startVelocities, BODY_ROW_STRIDE / 2, 0, h.startVelocitiesCapacity);
  listOfStages();
  if (h.impactState != 0) listImpacts();
  if (h.splitState != 0) listSplit();
}

function listOfStages(): void {
  for (let k: u32 = 1; k <= CLASSES; k++) {
    const c: GroupClass = classOf(k);
    addRest(c.groups, groupStride(k), c.count, c.groupsCapacity);
    addRest(c.sides, sideStride(k), c.count, c.sidesCapacity);
  }
  addRest(laneState().startRows, BODY_ROW_STRIDE / 2, 0, laneState().startRowsCapacity);
  const n = narrowState();
  addDead(<usize>n.hullScratch + POLYGON_A, <usize>n.hullScratch + POLYHEDRON_SCRATCH_STRIDE);
  addRest(n.roundScratch, ROUND_SCRATCH_STRIDE, 0, 1);
  listOfThreads();
  const b: usize = changetype<usize>(broadphaseState());
  addScratch(b + offsetof<BroadphaseState>('keys'), 4);
  addScratch(b + offsetof<BroadphaseState>('hits'), 4);
  addScratch(b + offsetof<BroadphaseState>('found'), FOUND_RANGE_STRIDE);
  addRest(broadphaseState().histogram, 8192, 0, 1);
  const r = batchState();
  addRest(r.order, 4, 0, r.orderCapacity);
  if (header().jointState == 0) return;
  const j = jointState();
  addRest(j.entries, 16, 0, j.entriesCapacity);
  addRest(j.bodyWords, 16, 0, j.bodyWordsCapacity);
}

/** Scratch of the helper threads. */
function listOfThreads(): void {
  const h: Header = header();
  const threads: u32 = team().capacity;
  addRest(h.contactState, CONTACT_STATE_STRIDE, 1, threads);
  for (let k: u32 = 1; k < threads; k++) {
    const n = changetype<NarrowState>(<usize>h.narrowState + <usize>k * NARROW_STATE_STRIDE);
    addDead(<usize>n.hullScratch + POLYGON_A, <usize>n.hullScratch + POLYHEDRON_SCRATCH_STRIDE);
  }
  // Its head, which says how long it is, stays.
  if (h.testsAhead != 0) addDead(<usize>h.testsAhead + LINE, <usize>h.testsAhead + testsBytes());
}

/** Impacts are over when a step is. */
function listImpacts(): void {
  const s: ImpactState = changetype<ImpactState>(<usize>header().impactState);
  const at: usize = changetype<usize>(s);
  for (let i: u32 = 0; i < s.linkCapacity / IMPACT_BLOCK; i++)
    addRest(at32(s.linkBlocks, i), IMPACT_LINK_STRIDE, 0, IMPACT_BLOCK);
  addScratch(at + offsetof<ImpactState>('bodies'), IMPACT_BODY_STRIDE);
  addScratch(at + offsetof<ImpactState>('taken'), 4);
  addScratch(at + offsetof<ImpactState>('bounds'), IMPACT_BOUND_STRIDE);
  addScratch(at + offsetof<ImpactState>('metLinks'), IMPACT_LINK_STRIDE);
  addScratch(at + offsetof<ImpactState>('metContacts'), MANIFOLD_STRIDE);
}

/** Arrays that splitting and scalar solvers compute again in every step. */
function listSplit(): void {
  const s: usize = changetype<usize>(splitState());
  addScratch(s + offsetof<SplitState>('links'), SPLIT_LINK_STRIDE);
  addScratch(s + offsetof<SplitState>('points'), 16);
  addScratch(s + offsetof<SplitState>('slotStates'), SPLIT_SLOT_STATE_STRIDE);
  addScratch(s + offsetof<SplitState>('rows'), SPLIT_ROW_STRIDE);
  addScratch(s + offsetof<SplitState>('edits'), GPU_EDIT_STRIDE);
  addScratch(s + offsetof<SplitState>('pgsLinks'), PGS_LINK_STRIDE);
  addScratch(s + offsetof<SplitState>('readback'), 1);
}

/**
 * Lists the live ranges, in order of addresses, from the header to the last block; each hole keeps its first line, which says
 * how long it is. Without geometry, blobs of shapes are left out. Returns the address of LiveState, 0 without memory (header
 * error set).
 */
export function listLive(geometry: bool): u32 {
  if (!initLive()) return 0;
  const s: LiveState = liveState();
  s.count = 0;
  if (!geometry) listGeometry();
  listDead();
  for (let hole: usize = header().firstHole; hole != 0; ) {
    const free = changetype<Hole>(hole);
    const next: usize = free.next;
    // Behind the last hole there is nothing: it ends all.
    if (next == 0) s.end = <u32>(hole + LINE);
    else addDead(hole + LINE, hole + free.bytes);
    hole = next;
  }
  // Turns dead ranges into live ones, in place: the k-th live range ends where the k-th dead one starts.
  let from: u32 = <u32>HEADER_PTR;
  for (let k: u32 = 0; k < s.count; k++) {
    const dead: LiveRange = rangeAt(k);
    const behind: u32 = dead.end;
    setRange(k, from, dead.from);
    from = behind;
  }
  setRange(s.count++, from, s.end);
  return header().liveState;
}

/** Zeros what listLive has left out between the blocks' elements. Returns LiveState as `listLive`. */
export function clearDead(): u32 {
  if (!initLive()) return 0;
  const s: LiveState = liveState();
  s.count = 0;
  listDead();
  for (let k: u32 = 0; k < s.count; k++) {
    const dead: LiveRange = rangeAt(k);
    memory.fill(dead.from, 0, dead.end - dead.from);
  }
  return header().liveState;
}

/** Starts a sum. */
export function beginSum(): void {
  memory.fill(<usize>liveState().staging + STAGING_BYTES, 0, LINE_SUM_STRIDE);
}

/** Bytes are rotated by five: differences in high bits, which sums lose first, move down. */
// @ts-ignore: decorator
@inline
function turned(b: v128): v128 {
  return v128.shuffle<u8>(b, b, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4);
}

/**
 * Adds bytes, whole cache lines, to the sum: sums of the words in their places, and sums of these sums, so that the order counts
 * (J. Fletcher, An arithmetic checksum for serial transmissions, 1982, on words of 32 bits).
 */
export function addSum(from: usize, bytes: u32): void {
  const sum = changetype<LineSum>(<usize>liveState().staging + STAGING_BYTES);
  let a0: v128 = sum.a0,
    a1: v128 = sum.a1,
    a2: v128 = sum.a2,
    a3: v128 = sum.a3,
    b0: v128 = sum.b0,
    b1: v128 = sum.b1,
    b2: v128 = sum.b2,
    b3: v128 = sum.b3;
  for (const end: usize = from + bytes; from < end; from += LINE) {
    a0 = i32x4.add(a0, vectorAt(from, 0));
    a1 = i32x4.add(a1, vectorAt(from, 1));
    a2 = i32x4.add(a2, vectorAt(from, 2));
    a3 = i32x4.add(a3, vectorAt(from, 3));
    b0 = i32x4.add(turned(b0), a0);
    b1 = i32x4.add(turned(b1), a1);
    b2 = i32x4.add(turned(b2), a2);
    b3 = i32x4.add(turned(b3), a3);
  }
  sum.a0 = a0;
  sum.a1 = a1;
  sum.a2 = a2;
  sum.a3 = a3;
  sum.b0 = b0;
  sum.b1 = b1;
  sum.b2 = b2;
  sum.b3 = b3;
}

/** Adds all ranges of the list. */
export function sumLive(): void {
  const count: u32 = liveState().count;
  for (let k: u32 = 0; k < count; k++) addSum(rangeAt(k).from, rangeAt(k).end - rangeAt(k).from);
}
