// Results of other threads about the next pairs of the walk: a window of awake pairs, a head for each range of them, a row of 16
// bytes for each pair, and an arena for the data of rows: outputs of the narrow phase, gaps, images of manifolds.
//
// Threads take the arena in pieces. If it is used up, or a pair cannot be tested beside the walk, its row says so, and the walk
// tests the pair as on one thread. So none of this changes a result.
// Output: TestsAhead at Header.testsAhead, which no snapshot contains.
import {
  ContactMarks,
  FILLED_TEST_STRIDE,
  Header,
  PAIR_TEST_STRIDE,
  PairTest,
  TESTS_AHEAD_STRIDE,
  TEST_RANGES,
  TEST_RANGE_STRIDE,
  TestRange,
  TestsAhead,
} from '../layout.generated';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';
import { isAlone } from '../threads/team';
import { contactMarks } from './contact_state';

/** Pairs of a task. */
export const RANGE: u32 = 128;
// Most pairs of a window: every window waits for its last task. A row, and of the arena four times what pairs take on average.
const MOST_PAIRS: u32 = 16384;
const GROWTH: u32 = 1024;
const ARENA_SHARE: u32 = 256;
const PIECE_BYTES: u32 = 16 << 10;

if (TEST_RANGES + <usize>(MOST_PAIRS / RANGE) * TEST_RANGE_STRIDE != TESTS_AHEAD_STRIDE) ERROR('TestsAhead: ranges');

if (RANGE != 128) ERROR('TestRange: walk0, walk1');

/** The walk looks at it. */
export const TEST_LEFT: u16 = 0;
/** Its budget holds. */
export const TEST_HOLDS: u16 = 1;
/** It stays apart by the motion of its bodies: a new budget. */
export const TEST_APART: u16 = 2;
/** Tested, found apart as before: GapTest. */
export const TEST_STILL_APART: u16 = 3;
/** Tested, found apart: GapTest. */
export const TEST_GAP: u16 = 4;
/** Tested: cache, then outputs. */
export const TEST_OUTPUTS: u16 = 5;
/** Tested, or recycled: FilledTest, then images of its manifolds. */
export const TEST_FILLED: u16 = 6;
export const TEST_RECYCLED: u16 = 7;
/** As these, and nothing of it concerns other pairs. commit.ts takes it, as TEST_APART and TEST_STILL_APART. */
export const TEST_OWN: u16 = 8;

export const TEST_HEAD: usize = FILLED_TEST_STRIDE;

/** Bytes of the block. */
export function testsBytes(): usize {
  return header().testsAhead == 0 ? 0 : TESTS_AHEAD_STRIDE + <usize>testsAhead().capacity * (PAIR_TEST_STRIDE + ARENA_SHARE);
}

/** Room for windows of a walk over so many pairs. False without memory (header error set). */
export function reserveTests(pairs: u32): bool {
  const h: Header = header();
  const capacity: u32 = min<u32>((pairs + GROWTH - 1) & ~(GROWTH - 1), MOST_PAIRS);
  if (h.testsAhead != 0 && testsAhead().capacity >= capacity) return true;
  if (h.testsAhead != 0) release(h.testsAhead, testsBytes());
  h.testsAhead = <u32>allocate(TESTS_AHEAD_STRIDE + <usize>capacity * (PAIR_TEST_STRIDE + ARENA_SHARE));
  if (h.testsAhead == 0) return false;
  testsAhead().capacity = capacity;
  return true;
}

export function testsAhead(): TestsAhead {
  return changetype<TestsAhead>(<usize>header().testsAhead);
}

export function rangeAt(range: u32): TestRange {
  return changetype<TestRange>(changetype<usize>(testsAhead()) + TEST_RANGES + <usize>range * TEST_RANGE_STRIDE);
}

/** The walk has to look at pair k of a range. */
// @ts-ignore: decorator
@inline
export function leaveToWalk(r: TestRange, k: u32): void {
  const at: usize = changetype<usize>(r) + ((<usize>k >> 6) << 3);
  store<u64>(at, load<u64>(at, offsetof<TestRange>('walk0')) | ((<u64>1) << (<u64>k & 63)), offsetof<TestRange>('walk0'));
}

/** The first pair of a range from k on that the walk has to look at, RANGE without one. */
export function nextInWalk(r: TestRange, k: u32): u32 {
  if (k < 64) {
    const left: u64 = r.walk0 >> <u64>k;
    if (left != 0) return k + <u32>ctz<u64>(left);
    k = 64;
  }
  const left: u64 = k == RANGE ? 0 : r.walk1 >> (<u64>k & 63);
  return left == 0 ? RANGE : k + <u32>ctz<u64>(left);
}

/** Row of a pair of the window. */
export function testOf(pair: u32): PairTest {
  const t: TestsAhead = testsAhead();
  return changetype<PairTest>(changetype<usize>(t) + TESTS_AHEAD_STRIDE + <usize>(pair - t.first) * PAIR_TEST_STRIDE);
}

/** Row of a pair, null if there is none or nothing in it. */
export function rowOf(pair: u32): PairTest | null {
  if (isAlone() || header().testsAhead == 0) return null;
  const t: TestsAhead = testsAhead();
  if (pair < t.first || pair >= t.end || rangeAt((pair - t.first) / RANGE).due == 0) return null;
  return testOf(pair);
}

/** Other code has changed the manifolds of a pair: its test result is void. */
export function voidTest(pair: u32): void {
  const test: PairTest | null = rowOf(pair);
  if (test === null || test.kind < TEST_GAP) return;
  test.kind = TEST_LEFT;
  const at: u32 = pair - testsAhead().first;
  leaveToWalk(rangeAt(at / RANGE), at % RANGE);
}

/** Bytes of the arena for this thread, 0 if it is used up. */
export function takeArena(bytes: u32): usize {
  const own: ContactMarks = contactMarks();
  const at: u32 = own.arenaAt;
  if (at + bytes <= own.arenaEnd) {
    own.arenaAt = at + bytes;
    return at;
  }
  if (bytes > PIECE_BYTES) return 0;
  const tests: usize = header().testsAhead;
  const capacity: u32 = testsAhead().capacity;
  const from: u32 = atomic.add<u32>(tests, PIECE_BYTES);
  if (from + PIECE_BYTES > capacity * ARENA_SHARE) {
    atomic.sub<u32>(tests, PIECE_BYTES);
    return 0;
  }
  const piece: usize = tests + TESTS_AHEAD_STRIDE + <usize>(capacity * <u32>PAIR_TEST_STRIDE + from);
  own.arenaAt = <u32>piece + bytes;
  own.arenaEnd = <u32>piece + PIECE_BYTES;
  return piece;
}
