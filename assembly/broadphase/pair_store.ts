// Pairs: where they are kept. Rows are dense, and those that the pair walk has to look at come first: behind Header.awakePairs
// both bodies of a pair sleep or are static, so that sleepers cost the walk nothing. Pairs change places to keep it so; the
// map, the lists of the colliders, manifolds and watched pairs follow.
//
// A pair comes in walked. It is laid aside when its bodies have come to rest (restPairs), and back when one wakes (walkPairs).
// Input: colliders. Output: pairHots, pairColds, pairLinks, PairGap, pairCount, awakePairs.
import {
  BODY_COLD_STRIDE,
  BODY_STATIC,
  BodyCold,
  COLLIDER_SENSOR,
  COLLIDER_STRIDE,
  Collider,
  Header,
  NONE,
  PAIR_BLOCK,
  PAIR_COLD_STRIDE,
  PAIR_GAP_STRIDE,
  PAIR_HOT_STRIDE,
  PAIR_LINKS_STRIDE,
  PairCold,
  PairGap,
  PairHot,
} from '../layout.generated';
import { FLAG_ASLEEP, FLAG_TYPE } from '../bodies/integrate';
import { wakeBody } from '../constraints/sleep';
import { releasePairContacts } from '../contacts/contacts';
import { renameWatched } from '../contacts/impacts';
import { manifoldAt } from '../constraints/manifolds';
import { growArray, grownCapacity } from '../memory/allocator';
import { ensureBlocks, rowInBlocks } from '../memory/blocks';
import { header } from '../memory/header';
import { firstEndOf, linkPair, moveLinks, nextEndOf, unlinkPair } from './pair_lists';
import { erasePair, findPair, insertPair, renamePair, reservePairMap } from './pair_map';

function collider(index: u32): Collider {
  return changetype<Collider>(<usize>header().colliders + <usize>index * COLLIDER_STRIDE);
}
function hotAt(pair: u32): PairHot {
  return changetype<PairHot>(<usize>header().pairHots + <usize>pair * PAIR_HOT_STRIDE);
}
function coldAt(pair: u32): PairCold {
  return changetype<PairCold>(<usize>header().pairColds + <usize>pair * PAIR_COLD_STRIDE);
}

/** The last test of a pair that found nothing. */
export function gapAt(pair: u32): PairGap {
  return changetype<PairGap>(rowInBlocks(header().pairGapBlocks, pair, PAIR_BLOCK, PAIR_GAP_STRIDE));
}

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
  const ca: Collider = collider(a),
    cb: Collider = collider(b);
  const hot: PairHot = hotAt(index);
  hot.bodyA = ca.body;
  hot.bodyB = cb.body;
  hot.budget = -1;
  const cold: PairCold = coldAt(index);
  cold.colliderA = a;
  cold.colliderB = b;
  cold.manifold = NONE;
  cold.cache = 0;
  cold.flags = ((ca.flags | cb.flags) & COLLIDER_SENSOR) != 0 ? 2 : 0;
  cold.watch = 0;
  gapAt(index).reach = 0;
  h.pairCount = index + 1;
  linkPair(index);
  insertPair(a, b, index);
  exchange(index, h.awakePairs);
  h.awakePairs++;
  return true;
}

/** A pair takes another index that no pair has. */
function movePair(from: u32, to: u32): void {
  const cold: PairCold = coldAt(to);
  memory.copy(changetype<usize>(cold), changetype<usize>(coldAt(from)), PAIR_COLD_STRIDE);
  memory.copy(changetype<usize>(gapAt(to)), changetype<usize>(gapAt(from)), PAIR_GAP_STRIDE);
  memory.copy(changetype<usize>(hotAt(to)), changetype<usize>(hotAt(from)), PAIR_HOT_STRIDE);
  renamePair(cold.colliderA, cold.colliderB, from, to);
  moveLinks(from, to);
  for (let m: u32 = cold.manifold; m != NONE; m = manifoldAt(m).next) manifoldAt(m).pair = to;
  renameWatched(cold, to);
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
    const hot: PairHot = hotAt(pair);
    if (!isStill(hot.bodyA) || !isStill(hot.bodyB)) continue;
    h.awakePairs--;
    exchange(pair, h.awakePairs);
    end = (h.awakePairs << 1) | (end & 1); // it has moved, with its place in the list
  }
}

/** A body has been woken: all its pairs are walked. */
export function walkPairs(body: u32): void {
  const h: Header = header();
  for (let end: u32 = firstEndOf(body); end != NONE; end = nextEndOf(end)) {
    if (end >> 1 < h.awakePairs) continue;
    exchange(end >> 1, h.awakePairs);
    end = (h.awakePairs << 1) | (end & 1);
    h.awakePairs++;
  }
}

/** Whether a body sleeps or is static. */
function isStill(body: u32): bool {
  const flags: u32 = changetype<BodyCold>(<usize>header().bodyColds + <usize>body * BODY_COLD_STRIDE).flags;
  return (flags & FLAG_ASLEEP) != 0 || (flags & FLAG_TYPE) == BODY_STATIC;
}

/** What lay on a body that goes, or is about to be filtered, must not hang in the air. Returns whether anything woke. */
export function wakePair(index: u32): bool {
  const h: Header = header();
  const sleepers: u32 = h.sleepingCount;
  if (sleepers == 0) return false;
  if (coldAt(index).manifold == NONE) return false;
  const hot: PairHot = hotAt(index);
  const b: u32 = hot.bodyB;
  wakeBody(hot.bodyA);
  wakeBody(b);
  return h.sleepingCount != sleepers;
}

/** Drops a pair with its manifolds (an end event is sent if it touched); the last pair of its part takes its index. */
export function removePair(pair: u32): void {
  const h: Header = header();
  const a: u32 = coldAt(pair).colliderA,
    b: u32 = coldAt(pair).colliderB;
  const index: u32 = wakePair(pair) ? findPair(a, b) : pair;
  releasePairContacts(index);
  erasePair(a, b, index);
  unlinkPair(index);
  let hole: u32 = index;
  if (index < h.awakePairs) {
    h.awakePairs--;
    if (index != h.awakePairs) movePair(h.awakePairs, index);
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
