// Finds new pairs: colliders that left their padded boxes query the trees for present overlaps.
//
// Several threads query ranges of colliders and note overlaps that are not pairs yet. These are then stored one after the other,
// in the order in which a single thread would find them.
// Input: BroadphaseState.moved, trees. Output: pairs (pair_store.ts).
import { boxAt, colliderAt, typeOf } from '../bodies/rows';
import { forgetMoved, hasMoved, mayCollide, movedCollider } from '../broadphase/broadphase';
import { queryTree } from '../broadphase/bvh4';
import { broadphaseState, ownHits } from '../broadphase/state';
import {
  BODY_STATIC,
  BoxTree,
  BroadphaseState,
  FOUND_PAIRS,
  FOUND_RANGE_STRIDE,
  FoundRange,
  Header,
  MOST_FOUND,
  NONE,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { isBeyondPlane } from '../shapes/bounds';
import { JOB_BOXES, closeJob, finishTask, isAlone, openJob, takeTask, threadBlock } from '../threads/team';
import { keepsApart } from './joints';
import { findPair } from './pair_map';
import { storePair } from './pair_store';

// Colliders of a task.
const RANGE: u32 = 16;

/** No pair. */
const NOTHING: u64 = ~0;

/**
 * Two boxes overlap: the pair, A in the low word, or NOTHING if the colliders cannot interact or a joint keeps their bodies
 * apart.
 */
function pairOf(i: u32, j: u32): u64 {
  const shapes: usize = header().shapes;
  let a: u32 = i,
    b: u32 = j;
  const ti: u32 = changetype<Shape>(shapes + <usize>colliderAt(i).shape * SHAPE_STRIDE).type;
  const tj: u32 = changetype<Shape>(shapes + <usize>colliderAt(j).shape * SHAPE_STRIDE).type;
  if (ti > tj || (ti == tj && i > j)) {
    a = j;
    b = i;
  }
  if (ti >= SHAPE_MESH && tj >= SHAPE_MESH) return NOTHING;
  if (!mayCollide(colliderAt(a), colliderAt(b)) || keepsApart(colliderAt(a).body, colliderAt(b).body)) return NOTHING;
  // A plane that is not level has the whole world for a box. Where it never moves, boxes on its far side stay there.
  if (max<u32>(ti, tj) == SHAPE_PLANE && typeOf(colliderAt(b).body) == BODY_STATIC) {
    if (isBeyondPlane(b, boxAt(a).min, boxAt(a).max, threadBlock())) return NOTHING;
  }
  return ((<u64>b) << 32) | <u64>a;
}

/** Stores a pair, or notes it if it is new; false without room for that. */
function addPair(i: u32, j: u32, found: FoundRange | null): bool {
  const pair: u64 = pairOf(i, j);
  if (pair == NOTHING) return true;
  const a: u32 = <u32>pair,
    b: u32 = <u32>(pair >> 32);
  if (found === null) return storePair(a, b);
  if (header().pairMapCapacity != 0 && findPair(a, b) != NONE) return true;
  if (found.count == MOST_FOUND) return false;
  store<u64>(changetype<usize>(found) + ((<usize>found.count) << 3), pair, FOUND_PAIRS);
  found.count++;
  return true;
}

/** Pairs of entry k of the list of colliders that moved. */
function findPairsOf(k: u32, hits: usize, noted: FoundRange | null): bool {
  const h: Header = header();
  const s: BroadphaseState = broadphaseState();
  const index: u32 = movedCollider(k);
  if (index == NONE) return true;
  const lo: v128 = boxAt(index).min,
    hi: v128 = boxAt(index).max;
  const isStatic: bool = typeOf(colliderAt(index).body) == BODY_STATIC;
  const found: u32 = queryTree(changetype<BoxTree>(<usize>s.moving), lo, hi, hits);
  for (let j: u32 = 0; j < found; j++) {
    const other: u32 = load<u32>(hits + ((<usize>j) << 2));
    if (other == index) continue;
    // Two moved colliders find each other: the one with the larger index adds the pair, a static one leaves it to the other.
    if ((isStatic || other > index) && hasMoved(other)) continue;
    if (!addPair(index, other, noted)) return false;
  }
  if (!isStatic || (h.eventsAsked & 2) != 0) {
    const walls: u32 = queryTree(changetype<BoxTree>(<usize>s.statics), lo, hi, hits);
    for (let j: u32 = 0; j < walls; j++) {
      if (!addPair(index, load<u32>(hits + ((<usize>j) << 2)), noted)) return false;
    }
  }
  return true;
}

function rangeAt(task: u32): FoundRange {
  return changetype<FoundRange>(<usize>broadphaseState().found + <usize>task * FOUND_RANGE_STRIDE);
}

/** A task of the job. */
export function findRange(task: u32): void {
  const found: FoundRange = rangeAt(task);
  const end: u32 = min<u32>((task + 1) * RANGE, broadphaseState().movedCount);
  const hits: usize = ownHits();
  found.count = 0;
  found.from = end;
  for (let k: u32 = task * RANGE; k < end; k++) {
    const before: u32 = found.count;
    if (findPairsOf(k, hits, found)) continue;
    found.count = before;
    found.from = k;
    return;
  }
}

/** Pairs of the colliders that moved. False without memory (header error set): they are asked for again in the next step. */
export function findPairs(): bool {
  const s: BroadphaseState = broadphaseState();
  const movedCount: u32 = s.movedCount;
  const tasks: u32 = (movedCount + RANGE - 1) / RANGE;
  const base: usize = changetype<usize>(s) + offsetof<BroadphaseState>('found');
  const shared: bool = !isAlone() && tasks >= 4;
  if (shared) {
    if (!ensureArray(base, <u32>FOUND_RANGE_STRIDE, tasks)) return false;
    openJob(JOB_BOXES, tasks);
    for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
      findRange(task);
      finishTask();
    }
    if (!closeJob()) return false;
  }
  for (let task: u32 = 0; task < tasks; task++) {
    let k: u32 = task * RANGE;
    if (shared) {
      const found: FoundRange = rangeAt(task);
      for (let i: u32 = 0; i < found.count; i++) {
        const pair: u64 = load<u64>(changetype<usize>(found) + ((<usize>i) << 3), FOUND_PAIRS);
        if (!storePair(<u32>pair, <u32>(pair >> 32))) return false;
      }
      k = found.from;
    }
    const end: u32 = min<u32>((task + 1) * RANGE, movedCount);
    for (; k < end; k++) if (!findPairsOf(k, s.hits, null)) return false;
  }
  forgetMoved();
  return true;
}
