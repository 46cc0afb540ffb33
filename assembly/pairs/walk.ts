// The pair walk: which pairs are looked at, in which order, and what follows from the result.
//
// A pair is looked at only when the motion of its two bodies has used up its budget. For a pair that was apart, that is when the
// relative motion of its bodies may have closed the gap; for a touching pair, when its geometry has moved by REFRESH. Then it is
// tested (test.ts). If the bodies moved little relative to each other since the last full test, its manifolds are recycled:
// normal, anchors and separations follow the bodies (contact recycling, Erin Catto, Box3D, 2026). Otherwise the narrow phase
// runs, and impulses pass to the nearest new points. Separations of recycled points are carried over from the solver where they
// agree with the poses to a micrometer: the solver's sum is far more exact than a difference of f32 positions, and resting piles
// need that.
// Input: pairs, poses. Output: manifolds, ends of touching, watched pairs, lanes of the colored solver.
import {
  FilledTest,
  GapTest,
  Header,
  MANIFOLD_STRIDE,
  Manifold,
  NONE,
  PAIR_TEST_STRIDE,
  PairCold,
  PairHot,
  PairTest,
  TestRange,
  TestsAhead,
  WALK_TEST,
} from '../layout.generated';
import { colliderAt } from '../bodies/rows';
import { boxesOverlap } from '../broadphase/broadphase';
import { manifoldAt, setContactCount } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { wakeAcross, wakeTouching } from '../constraints/sleep';
import { separationsOf, stateStride } from '../lanes/state';
import { header } from '../memory/header';
import { isAlone } from '../threads/team';
import { REFRESH, TOUCH_END, commitWindow, takeGap, takeImage } from './commit';
import { isDeep } from './overlap_limiter';
import { endPair, releaseManifolds, setTouching } from './end_pair';
import { forgetOffers } from '../manifolds/transfer';
import { TOUCH_BEGIN, unwatch, watch } from '../events/impacts';
import { endRest, markManifold, successor } from '../manifolds/replace';
import { forgetSharedFaces, keepsNoFace } from '../manifolds/shared_faces';
import { contactState } from '../scratch/contact_state';
import { substepsOfBoth, testPair, testWindow } from './test';
import { apartBudget, motionOf } from './motion';
import {
  RANGE,
  TEST_APART,
  TEST_FILLED,
  TEST_GAP,
  TEST_HEAD,
  TEST_HOLDS,
  TEST_LEFT,
  TEST_OUTPUTS,
  TEST_OWN,
  TEST_RECYCLED,
  TEST_STILL_APART,
  nextInWalk,
  rangeAt,
  reserveTests,
  testOf,
  testsAhead,
} from '../scratch/tests';

// Fewer pairs than this are not worth the word to other threads.
const LEAST_SHARED: u32 = 256;

/** Smallest separation over the manifolds of a pair. */
function closest(cold: PairCold): f32 {
  let s: f32 = f32.MAX_VALUE;
  let index: u32 = cold.manifold;
  while (index != NONE) {
    const m: Manifold = manifoldAt(index);
    const at: usize = separationsOf(m),
      stride: usize = stateStride(m);
    for (let i: u32 = 0; i < m.count; i++) s = min<f32>(s, load<f32>(at + <usize>i * stride));
    index = m.next;
  }
  return s;
}

/** Ends the touching of a pair with manifolds, or watches for its begin. False without memory. */
function updateTouching(pair: u32, cold: PairCold, extent: f32): bool {
  const separation: f32 = closest(cold);
  if (isDeep(separation, extent)) header().deepVisits++;
  if ((cold.flags & 1) != 0) {
    if (separation <= TOUCH_END) return true;
    setTouching(cold, false);
  } else if (separation <= TOUCH_BEGIN) wakeTouching(colliderAt(cold.colliderA).body, colliderAt(cold.colliderB).body);
  return watch(pair, cold, separation);
}

/** A pair has no manifolds: it is apart, carried by neighbors, or that of a sensor. */
function endContacts(cold: PairCold, touching: bool, beside: bool): void {
  if (cold.manifold != NONE) releaseManifolds(cold);
  if (!beside) setTouching(cold, touching);
  unwatch(cold);
}

/** Whether swept bodies still have the number of substeps that they had then, and no shared face is in the way. */
function areAsThen(pair: u32, substeps: u32, face: u32): bool {
  if (face != 0 && !keepsNoFace(face - 1)) return false;
  return substeps == 0 || substeps == substepsOfBoth(pairHot(pair).bodyA, pairHot(pair).bodyB);
}

/** Images that another thread has made become the manifolds of a pair. False without memory. */
function takeImages(pair: u32, test: PairTest): bool {
  let current: u32 = pairCold(pair).manifold,
    previous: u32 = NONE;
  for (let k: u32 = 0; k < <u32>test.found; k++) {
    previous = successor(pair, previous, current);
    if (previous == NONE) return false;
    const m: Manifold = manifoldAt(previous);
    if (current != NONE) current = m.next;
    const image: usize = <usize>test.at + TEST_HEAD + <usize>k * MANIFOLD_STRIDE;
    setContactCount(m, changetype<Manifold>(image).count);
    takeImage(m, image);
    if (!markManifold(previous)) return false;
  }
  endRest(previous, current);
  return true;
}

/** Applies the row of a pair, with its manifolds. As visit. */
function settle(pair: u32, test: PairTest): u32 {
  const h: Header = header();
  const hot: PairHot = pairHot(pair);
  const cold: PairCold = pairCold(pair);
  h.pairVisits++;
  if (test.kind == TEST_GAP) {
    h.fullTests++;
    const gap: GapTest = changetype<GapTest>(<usize>test.at);
    endContacts(cold, gap.touching != 0, gap.beside != 0);
    takeGap(pair, test);
    return 0;
  }
  const head: FilledTest = changetype<FilledTest>(<usize>test.at);
  if (test.kind == TEST_FILLED) h.fullTests++;
  cold.cache = head.cache;
  if (!updateTouching(pair, cold, head.extent)) return 2;
  wakeAcross(hot.bodyA, hot.bodyB);
  hot.budget = head.meets != 0 ? test.budget : test.budget + REFRESH;
  return 0;
}

/**
 * Looks at one pair whose budget is used up; `test`: its row, with outputs or nothing. Returns 0 done, 1 pair removed, 2 out of
 * memory.
 */
function visit(pair: u32, test: PairTest): u32 {
  const cold: PairCold = pairCold(pair);
  if (!boxesOverlap(cold.colliderA, cold.colliderB)) {
    endPair(pair);
    return 1;
  }
  test.kind = testPair(pair, test, true);
  return test.kind == TEST_LEFT ? 2 : settle(pair, test);
}

/** Looks at a pair without stored results. As visit. */
function visitAnew(pair: u32): u32 {
  const test: PairTest = changetype<PairTest>(contactState() + WALK_TEST);
  test.kind = TEST_LEFT;
  return visit(pair, test);
}

/** Looks at a pair if its budget is used up. As visit. */
function look(pair: u32): u32 {
  const hot: PairHot = pairHot(pair);
  const motion: f64 = motionOf(hot);
  if (motion < hot.budget) return 0;
  if (pairCold(pair).manifold == NONE) {
    const budget: f64 = apartBudget(pair, hot, motion);
    if (budget >= 0) {
      hot.budget = budget;
      return 0;
    }
  }
  return visitAnew(pair);
}

/** Applies the result of a tested pair in the walk. As visit. */
function take(pair: u32, test: PairTest): u32 {
  switch (<u32>test.kind) {
    case <u32>TEST_HOLDS:
    case <u32>TEST_APART:
    case <u32>TEST_STILL_APART:
      return 0;
    case <u32>TEST_OWN:
      if (header().anySurface == testsAhead().anySurface) return 0;
      test.kind = TEST_LEFT;
      return visitAnew(pair);
    case <u32>TEST_GAP: {
      const g: GapTest = changetype<GapTest>(<usize>test.at);
      return areAsThen(pair, g.substeps, g.face) ? settle(pair, test) : visitAnew(pair);
    }
    case <u32>TEST_OUTPUTS: {
      const walked: PairTest = changetype<PairTest>(contactState() + WALK_TEST);
      memory.copy(changetype<usize>(walked), changetype<usize>(test), PAIR_TEST_STRIDE);
      return visit(pair, walked);
    }
    case <u32>TEST_FILLED:
    case <u32>TEST_RECYCLED: {
      const head: FilledTest = changetype<FilledTest>(<usize>test.at);
      // Surfaces that are carried along may have begun with a pair before this one.
      const same: bool = header().anySurface == testsAhead().anySurface && areAsThen(pair, head.substeps, head.face);
      if (!same) return visitAnew(pair);
      return takeImages(pair, test) ? settle(pair, test) : 2;
    }
    default:
      return visitAnew(pair);
  }
}

/**
 * The next pair from i on that the walk has to look at, or one behind the range of i. If surfaces that are carried along have
 * begun since it was tested, that is every one.
 */
function nextOf(t: TestsAhead, i: u32): u32 {
  const k: u32 = (i - t.first) % RANGE;
  const r: TestRange = rangeAt((i - t.first) / RANGE);
  if (r.due == 0) return i - k + RANGE;
  return header().anySurface == t.anySurface ? i - k + nextInWalk(r, k) : i;
}

/**
 * Pairs `first` to end - 1, which were tested. Returns the pair to go on with, NONE if memory ran out. The last pair of all takes
 * the place of one that ends, and was not tested there.
 */
function walkWindow(first: u32, end: u32): u32 {
  const h: Header = header();
  const t: TestsAhead = testsAhead();
  let i: u32 = first;
  let fresh: bool = true;
  while (i < end) {
    const next: u32 = fresh ? nextOf(t, i) : i;
    if (next != i) {
      i = min<u32>(next, end);
      continue;
    }
    t.at = i;
    const result: u32 = fresh ? take(i, testOf(i)) : look(i);
    if (result == 2) return NONE;
    fresh = result == 0;
    if (fresh) {
      i++;
      continue;
    }
    // Pairs that wake may move to the places of the last pairs.
    end = min<u32>(end, h.awakePairs);
    t.end = end;
  }
  return i;
}

/** The pair walk. Returns false if memory ran out (header error set; the pair that failed is visited again). */
export function updateContacts(): bool {
  const h: Header = header();
  h.fullTests = 0;
  h.pairVisits = 0;
  h.deepVisits = 0;
  forgetOffers();
  forgetSharedFaces();
  const shared: bool = !isAlone() && h.awakePairs >= LEAST_SHARED;
  if (shared && !reserveTests(h.awakePairs)) return false;
  let i: u32 = 0;
  while (i < h.awakePairs) {
    if (shared) {
      const end: u32 = min<u32>(i + testsAhead().capacity, h.awakePairs);
      if (!testWindow(i, end)) return false;
      i = walkWindow(i, end);
      const committed: bool = commitWindow();
      if (i == NONE || !committed) return false;
      continue;
    }
    const result: u32 = look(i);
    if (result == 2) return false;
    if (result == 0) i++;
  }
  return true;
}
