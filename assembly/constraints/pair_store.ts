// The store of pairs. Rows are dense, and pairs that the pair walk has to look at come first. From Header.awakePairs on, both
// bodies of a pair sleep or are static, so sleeping bodies cost the walk nothing. Pairs change places to keep it so; the map, the
// lists of the colliders, manifolds and watched pairs are updated.
//
// A new pair is among those that are walked. It is set aside when its bodies have come to rest (restPairs), and moved back when
// one wakes (walkPairs).
// Input: colliders. Output: pairHots, pairColds, pairLinks, PairGap, pairCount, awakePairs.
import {
  BODY_STATIC,
  COLLIDER_HITS,
  COLLIDER_PERSISTS,
  COLLIDER_SENSOR,
  Collider,
  Header,
  NONE,
  PAIR_BLOCK,
  PAIR_COLD_STRIDE,
  PAIR_GAP_STRIDE,
  PAIR_HOT_STRIDE,
  PAIR_LINKS_STRIDE,
  PairCold,
  PairHot,
} from '../layout.generated';
import { colliderAt, isAsleep, typeOf } from '../bodies/rows';
import { growArray, grownCapacity } from '../memory/allocator';
import { ensureBlocks } from '../memory/blocks';
import { header } from '../memory/header';
import { manifoldAt } from './manifolds';
import { firstEndOf, linkPair, moveLinks, nextEndOf, unlinkPair } from './pair_lists';
import { erasePair, findPair, insertPair, renamePair, reservePairMap } from './pair_map';
import { gapAt, pairCold, pairHot, watchedAt } from './pair_rows';

/** Room for one more pair, and for one beside it: two pairs change places over it. False without memory. */
function reservePairs(): bool {
  const h: Header = header();
  const needed: u32 = h.pairCount + 2;
  const base: usize = changetype<usize>(h);
  if (!ensureBlocks(base + offsetof<Header>('pairGapBlocks'), needed, PAIR_BLOCK, PAIR_GAP_STRIDE)) return false;
  if (needed <= h.pairCapacity) return true;
  const capacity: u32 = h.pairCapacity,
    grown: u32 = grownCapacity(capacity, needed, PAIR_COLD_STRIDE);
  // The longest rows first: the others find room where they were.
  if (!growArray(base + offsetof<Header>('pairColds'), PAIR_COLD_STRIDE, capacity, grown)) return false;
  if (!growArray(base + offsetof<Header>('pairHots'), PAIR_HOT_STRIDE, capacity, grown)) return false;
  if (!growArray(base + offsetof<Header>('pairLinks'), PAIR_LINKS_STRIDE, capacity, grown)) return false;
  h.pairCapacity = grown;
  return true;
}

/**
 * Keeps a pair of colliders (type of the shape of a <= that of b) unless it is there; the next walk tests it. False without
 * memory (header error set).
 */
export function storePair(a: u32, b: u32): bool {
  const h: Header = header();
  if (!reservePairMap(h.pairCount + 1)) return false;
  if (findPair(a, b) != NONE) return true;
  if (!reservePairs()) return false;
  const index: u32 = h.pairCount;
  const ca: Collider = colliderAt(a),
    cb: Collider = colliderAt(b);
  const hot: PairHot = pairHot(index);
  hot.bodyA = ca.body;
  hot.bodyB = cb.body;
  hot.budget = -1;
  const cold: PairCold = pairCold(index);
  cold.colliderA = a;
  cold.colliderB = b;
  cold.manifold = NONE;
  cold.cache = 0;
  cold.flags = (((ca.flags | cb.flags) & COLLIDER_SENSOR) << 1) | asksOf(ca, cb);
  cold.watch = 0;
  gapAt(index).reach = 0;
  h.pairCount = index + 1;
  linkPair(index);
  insertPair(a, b, index);
  exchange(index, h.awakePairs);
  h.awakePairs++;
  return true;
}

/** Bits of PairCold.flags that tell which events its colliders ask for. */
export function asksOf(a: Collider, b: Collider): u32 {
  return ((a.flags | b.flags) & (COLLIDER_PERSISTS | COLLIDER_HITS)) >> 4;
}

/** A pair takes another index that no pair has. */
function movePair(from: u32, to: u32): void {
  const cold: PairCold = pairCold(to);
  memory.copy(changetype<usize>(cold), changetype<usize>(pairCold(from)), PAIR_COLD_STRIDE);
  memory.copy(changetype<usize>(gapAt(to)), changetype<usize>(gapAt(from)), PAIR_GAP_STRIDE);
  memory.copy(changetype<usize>(pairHot(to)), changetype<usize>(pairHot(from)), PAIR_HOT_STRIDE);
  renamePair(cold.colliderA, cold.colliderB, from, to);
  moveLinks(from, to);
  for (let m: u32 = cold.manifold; m != NONE; m = manifoldAt(m).next) manifoldAt(m).pair = to;
  if (cold.watch != 0) watchedAt(cold.watch - 1).pair = to;
}

/** Two pairs change places. */
function exchange(a: u32, b: u32): void {
  if (a == b) return;
  const free: u32 = header().pairCount;
  movePair(a, free);
  movePair(b, a);
  movePair(free, b);
}

/** A body has come to sleep: those of its pairs whose other body sleeps or is static are not walked any more. */
export function restPairs(body: u32): void {
  const h: Header = header();
  for (let end: u32 = firstEndOf(body); end != NONE; end = nextEndOf(end)) {
    const pair: u32 = end >> 1;
    if (pair >= h.awakePairs) continue;
    const hot: PairHot = pairHot(pair);
    if (!isStill(hot.bodyA) || !isStill(hot.bodyB)) continue;
    h.awakePairs--;
    exchange(pair, h.awakePairs);
    end = (h.awakePairs << 1) | (end & 1); // it has moved, with its place in the list
  }
}

/** A body has been woken: all its pairs are walked. */
export function walkPairs(body: u32): void {
  for (let end: u32 = firstEndOf(body); end != NONE; end = nextEndOf(end)) end = walkPair(end);
}

/** The pair of an end is walked; returns the end, which has moved with it. */
export function walkPair(end: u32): u32 {
  const h: Header = header();
  if (end >> 1 < h.awakePairs) return end;
  exchange(end >> 1, h.awakePairs);
  return (h.awakePairs++ << 1) | (end & 1);
}

/** Whether a body sleeps or is static. */
function isStill(body: u32): bool {
  return isAsleep(body) || typeOf(body) == BODY_STATIC;
}

/** A pair without manifolds goes; the last pair of its part takes its index. */
export function dropPair(pair: u32): void {
  const h: Header = header();
  erasePair(pairCold(pair).colliderA, pairCold(pair).colliderB, pair);
  unlinkPair(pair);
  let hole: u32 = pair;
  if (pair < h.awakePairs) {
    h.awakePairs--;
    if (pair != h.awakePairs) movePair(h.awakePairs, pair);
    hole = h.awakePairs;
  }
  h.pairCount--;
  if (hole != h.pairCount) movePair(h.pairCount, hole);
}

/** Where pair `other` is once `pair` has been removed: the last ones of both parts take the places that come free. */
export function placeAfter(pair: u32, other: u32): u32 {
  const h: Header = header();
  const walked: bool = pair < h.awakePairs;
  if (walked && other == h.awakePairs - 1) return pair;
  if (other == h.pairCount - 1) return walked ? h.awakePairs - 1 : pair;
  return other;
}
