// Commits tested pairs that concern no other pairs. These are pairs of two awake moving bodies, with as many manifolds and points
// as before, that begin or end nothing (TEST_OWN); or pairs that stay apart. Several threads write their results after the walk.
// Not during it: a pair that changes its place in the walk is looked at again there.
//
// The load that a pair loses is taken off the contacts below it (unload.ts), with their manifolds at that time: earlier pairs of
// the walk have new ones, later pairs old ones. So code that looks at manifolds of other pairs during the walk first calls
// commitWalked.
// Input: rows and images of a window. Output: manifolds, budgets, separations of watched pairs.
import {
  FilledTest,
  GapTest,
  Header,
  MANIFOLD_STRIDE,
  Manifold,
  NONE,
  PairCold,
  PairGap,
  PairHot,
  PairTest,
  TestsAhead,
} from '../layout.generated';
import { isHeld } from '../constraints/held';
import { manifoldAt, pointOf } from '../constraints/manifolds';
import { gapAt, pairCold, pairHot, watchedAt } from '../constraints/pair_rows';
import { markDirtyShared, usesLanes } from '../lanes/lanes';
import { setSummed, storeState } from '../lanes/state';
import { header } from '../memory/header';
import { JOB_COMMIT, closeJob, finishTask, openJob, takeTask } from '../threads/team';
import { isDeep } from './overlap_limiter';
import { TOUCH_BEGIN } from '../events/impacts';
import {
  RANGE,
  TEST_APART,
  TEST_HEAD,
  TEST_HOLDS,
  TEST_OWN,
  TEST_STILL_APART,
  rangeAt,
  rowOf,
  testOf,
  testsAhead,
} from '../scratch/tests';

// Motion (m) after which the world-frame data of a manifold is computed again. The solver integrates separations to first order,
// so the error is the square of this over the size of a body: well below a nanometer.
export const REFRESH: f64 = 5e-4;
// End of touching (m): its distance from TOUCH_BEGIN keeps events from flickering.
export const TOUCH_END: f32 = 3e-3;
/** Bytes of a Manifold that images leave as they are: who it is, its lists and its lane. */
const IMAGE_FROM: usize = offsetof<Manifold>('nx');
/** First byte behind the points. */
const POINTS_END: usize = offsetof<Manifold>('surface1');

/**
 * Whether a pair that was filled, or recycled, concerns no other pairs. Then its lanes are marked: their data are in the
 * manifolds. Both bodies move and are awake, and the filled data depend on the pair alone. Any thread may call it.
 */
export function isOwn(test: PairTest, cold: PairCold): bool {
  const h: Header = header();
  const head: FilledTest = changetype<FilledTest>(<usize>test.at);
  if (head.meets != 0 || head.substeps != 0 || head.face != 0) return false;
  let image: usize = <usize>test.at + TEST_HEAD;
  let index: u32 = cold.manifold;
  let separation: f32 = f32.MAX_VALUE;
  for (let k: u32 = 0; k < <u32>test.found; k++) {
    if (index == NONE) return false;
    const m: Manifold = manifoldAt(index);
    const next: Manifold = changetype<Manifold>(image);
    if (m.count != next.count || isHeld(m)) return false;
    for (let i: u32 = 0; i < next.count; i++) separation = min<f32>(separation, pointOf(next, i).separation);
    image += MANIFOLD_STRIDE;
    index = m.next;
  }
  if (index != NONE) return false;
  if ((cold.flags & 1) != 0) {
    if (separation > TOUCH_END) return false;
  } else if (cold.watch == 0 || (h.sleepingCount != 0 && separation <= TOUCH_BEGIN)) {
    return false;
  }
  head.separation = separation;
  if (usesLanes(h.solver)) {
    for (index = cold.manifold; index != NONE; index = manifoldAt(index).next) {
      if (manifoldAt(index).lane == NONE) return false;
    }
    for (index = cold.manifold; index != NONE; index = manifoldAt(index).next) markDirtyShared(manifoldAt(index));
  }
  return true;
}

/** Stores the result of a test in a pair that is apart. */
export function takeGap(pair: u32, test: PairTest): void {
  const g: GapTest = changetype<GapTest>(<usize>test.at);
  pairCold(pair).cache = g.cache;
  pairHot(pair).budget = test.budget;
  const rest: PairGap = gapAt(pair);
  v128.store(changetype<usize>(rest), g.d);
  rest.turn = g.turn;
}

/** An image becomes the manifold that it is of; who that is, its lists and its lane stay. */
export function takeImage(m: Manifold, image: usize): void {
  const to: usize = changetype<usize>(m);
  const held: u32 = m.held,
    index: u32 = m.index;
  m.feature = changetype<Manifold>(image).feature;
  const points: usize = offsetof<Manifold>('lax0') + ((<usize>m.count) << 6);
  for (let k: usize = IMAGE_FROM; k < points; k += 16) v128.store(to + k, v128.load(image + k));
  for (let k: usize = POINTS_END; k < MANIFOLD_STRIDE; k += 16) v128.store(to + k, v128.load(image + k));
  m.held = held;
  m.index = index;
}

/** Stores the result of a test in its pair. Returns 1 if it is deep, as a visit counts it. */
function commit(pair: u32, test: PairTest): u32 {
  const hot: PairHot = pairHot(pair);
  const cold: PairCold = pairCold(pair);
  const head: FilledTest = changetype<FilledTest>(<usize>test.at);
  const touches: bool = (cold.flags & 1) != 0;
  let image: usize = <usize>test.at + TEST_HEAD;
  cold.cache = head.cache;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    const m: Manifold = manifoldAt(index);
    takeImage(m, image);
    if (m.lane != NONE) storeState(m);
    image += MANIFOLD_STRIDE;
    if (touches) continue;
    setSummed(m, true);
    m.stepImpulse = 0;
  }
  if (!touches) watchedAt(cold.watch - 1).separation = head.separation;
  hot.budget = test.budget + REFRESH;
  test.kind = TEST_HOLDS;
  return isDeep(head.separation, head.extent) ? 1 : 0;
}

/** Before code looks at the manifolds of a pair in the walk: commits its result if the walk has passed it. */
export function commitWalked(pair: u32): void {
  const test: PairTest | null = rowOf(pair);
  if (test === null || test.kind != TEST_OWN || pair >= testsAhead().at) return;
  count(changetype<FilledTest>(<usize>test.at).recycled ^ 1, 1, commit(pair, test));
}

/** Counts visits, as the walk does. */
function count(fullTests: u32, visits: u32, deep: u32): void {
  const h: Header = header();
  if (fullTests != 0) atomic.add<u32>(changetype<usize>(h) + offsetof<Header>('fullTests'), fullTests);
  atomic.add<u32>(changetype<usize>(h) + offsetof<Header>('pairVisits'), visits);
  if (deep != 0) atomic.add<u32>(changetype<usize>(h) + offsetof<Header>('deepVisits'), deep);
}

/** All of the window, which is closed. False (header error set) if a thread was lost. */
export function commitWindow(): bool {
  const t: TestsAhead = testsAhead();
  let done: bool = true;
  if (t.own != 0) {
    openJob(JOB_COMMIT, (t.end - t.first + RANGE - 1) / RANGE);
    for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
      commitRange(task);
      finishTask();
    }
    done = closeJob();
  }
  t.first = 0;
  t.end = 0;
  return done;
}

/** A task of the job. */
export function commitRange(task: u32): void {
  if (rangeAt(task).due == 0 || rangeAt(task).own == 0) return;
  const t: TestsAhead = testsAhead();
  const first: u32 = t.first + task * RANGE;
  const end: u32 = min<u32>(first + RANGE, t.end);
  let fullTests: u32 = 0,
    visits: u32 = 0,
    deep: u32 = 0;
  for (let pair: u32 = first; pair < end; pair++) {
    const test: PairTest = testOf(pair);
    switch (<u32>test.kind) {
      case <u32>TEST_APART:
        pairHot(pair).budget = test.budget;
        break;
      case <u32>TEST_STILL_APART:
        visits++;
        fullTests++;
        takeGap(pair, test);
        break;
      case <u32>TEST_OWN:
        visits++;
        fullTests += changetype<FilledTest>(<usize>test.at).recycled ^ 1;
        deep += commit(pair, test);
        break;
    }
  }
  if (visits != 0) count(fullTests, visits, deep);
}
