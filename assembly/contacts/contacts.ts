// From pairs to manifolds: the pair walk, recycling, full tests, matching.
//
// Walk: a pair is looked at only when the motion of its two bodies has used up its budget. A pair that was apart holds until
// the gap may have closed by the motion of its bodies against each other; a touching pair until its geometry moved by REFRESH.
// Then:
//   - if the bodies moved little against each other since the last full test, its manifolds are recycled: normal, anchors
//     and separations follow the bodies (contact recycling, Erin Catto, Box3D, 2026);
//   - otherwise the narrow phase runs, and impulses pass to the nearest new points.
// Separations of recycled points are carried over from the solver where they agree with the poses to a micrometre: the
// solver's sum is far more exact than a difference of f32 positions, and resting piles need that.
// Input: pairs, poses. Output: manifolds, ends of touching, pairs whose begin is watched for, lanes of the colored solver.
import {
  BODY_STATIC,
  COLLIDER_ONE_WAY,
  Collider,
  Header,
  MANIFOLD_OUT_STRIDE,
  MANIFOLD_STRIDE,
  Manifold,
  ManifoldOut,
  NONE,
  PairCold,
  PairGap,
  PairHot,
} from '../layout.generated';
import { coldAt, colliderAt, rotationOf, typeOf } from '../bodies/rows';
import { boxesOverlap } from '../broadphase/broadphase';
import { beginContact, endContact } from '../constraints/contact';
import { noteChange } from '../constraints/held';
import { isResting, manifoldAt, pointOf, setContactCount } from '../constraints/manifolds';
import { gapAt, pairCold, pairHot } from '../constraints/pair_rows';
import { wakeAcross, wakeTouching } from '../constraints/sleep';
import { fetchLane, markLane, releaseLane, usesLanes } from '../lanes/lanes';
import { dot3 } from '../math/lane';
import { rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { isAlone } from '../threads/team';
import { REFRESH, TOUCH_END, commitWindow, takeGap, takeImage } from './commit';
import { noteCrossing } from './crossings';
import { isDeep } from './crowds';
import { endPair, releaseManifolds, setTouching } from './end_pair';
import { ASK, fillManifold, refreshManifold, saveOld } from './fill';
import { forgetGivenUp } from './hand_over';
import { TOUCH_BEGIN, unwatch, watch } from './impacts';
import { dropInternalEdges } from './internal_edges';
import { openSide, takeMaterial, takeSurface } from './material';
import { storePairPose } from './pair_pose';
import { BORNE_BESIDE, forgetSharedFaces, keepsNoFace } from './shared_faces';
import { BODY_A_COLUMNS, BODY_B_COLUMNS, OUTPUTS, SHAPE_A_COLUMNS, contactState } from './state';
import { PASSING, SLOW, enterMeeting, keptNow, lookAhead, settleAhead } from './sweep';
import { substepsOfBoth, testWindow } from './test_ahead';
import {
  PairMotion,
  apartBudget,
  centerDifference,
  isRecycled,
  measureMotion,
  motionOf,
  pairMotion,
  runTest,
  turnPath,
} from './test_pair';
import {
  FilledTest,
  GapTest,
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
  Test,
  TestRange,
  TestsAhead,
  nextInWalk,
  rangeAt,
  reserveTests,
  testOf,
  testsAhead,
} from './tested';

// Of colliders that are open to one side: least cosine of a normal of the front, largest overlap of what lands on it (m).
const FRONT: f32 = 0.5;
const LANDING: f32 = 0.01;
// Fewer pairs than this are not worth the word to other threads.
const LEAST_SHARED: u32 = 256;

/** Smallest separation over the manifolds of a pair. */
function closest(cold: PairCold): f32 {
  let s: f32 = f32.MAX_VALUE;
  let index: u32 = cold.manifold;
  while (index != NONE) {
    const m: Manifold = manifoldAt(index);
    for (let i: u32 = 0; i < m.count; i++) s = min<f32>(s, pointOf(m, i).separation);
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

/**
 * Whether a body goes through a collider that is open to one side: unless it touches its front, or comes to it, no deeper than
 * what may be a landing. What has contacts keeps them as long as it is before the front.
 */
function isPassing(cold: PairCold, ca: Collider, cb: Collider, out: usize, found: u32): bool {
  for (let side: u32 = 0; side < 2; side++) {
    const c: Collider = side == 0 ? ca : cb;
    if ((c.flags & COLLIDER_ONE_WAY) == 0) continue;
    const open: v128 = openSide(c);
    for (let k: u32 = 0; k < found; k++) {
      const o: ManifoldOut = changetype<ManifoldOut>(out + <usize>k * MANIFOLD_OUT_STRIDE);
      const n: v128 = rotate3(contactState() + SHAPE_A_COLUMNS, f32x4(o.nx, o.ny, o.nz, 0));
      if (!((side == 0 ? dot3(n, open) : -dot3(n, open)) > FRONT)) return true;
      for (let i: u32 = 0; i < o.count && cold.manifold == NONE; i++) {
        if (load<f32>(changetype<usize>(o) + ((<usize>i) << 4), offsetof<ManifoldOut>('s0')) < -LANDING) return true;
      }
    }
  }
  return false;
}

/** Runs the narrow phase for a pair, unless it was tested, and replaces its manifolds. Returns false without memory. */
function fullTest(pair: u32, cold: PairCold, ca: Collider, cb: Collider, d: v128, path: f64, test: Test | null): bool {
  const h: Header = header();
  const s: usize = contactState();
  h.fullTests++;
  storePairPose(s, ca, cb, d);
  const sensor: bool = (cold.flags & 2) != 0;
  measureMotion(ca, cb, sensor);
  const motion: PairMotion = pairMotion();
  const travel: f32 = motion.travel,
    margin: f32 = motion.margin,
    extent: f32 = motion.extent;
  const passing: bool = motion.passing != 0;
  const out: usize = s + OUTPUTS;
  const cache: usize = changetype<usize>(cold) + offsetof<PairCold>('cache');
  let found: u32 = test === null ? runTest(ca, cb, cache, margin) : takeOutputs(test, cold);
  // A pair without what was dropped is looked at again after the motion that a touching pair is.
  if (!sensor && (found != 0 || cold.manifold != NONE))
    found = dropInternalEdges(cold, ca, cb, found, margin, <f32>REFRESH + h.speculativeMargin * <f32>0.5);
  const isOpen: bool = !sensor && ((ca.flags | cb.flags) & COLLIDER_ONE_WAY) != 0;
  const passes: bool = isOpen && found != 0 && isPassing(cold, ca, cb, out, found);
  // Manifolds from `meeting` on are those of a meeting later in the step.
  let meeting: u32 = NONE;
  if (travel > SLOW && !sensor && !passes && (found != 0 || changetype<ManifoldOut>(out).gap < travel)) {
    const total: u32 = lookAhead(ca, cb, cache, d, found, travel, margin, false);
    if (total != NONE) {
      found = total;
      meeting = keptNow();
    }
  }
  if (passes || (isOpen && meeting != NONE && isPassing(cold, ca, cb, out, found))) {
    found = 0;
    changetype<ManifoldOut>(out).gap = 0;
  }
  if (found == 0 || sensor) {
    const beside: bool = found == 0 && changetype<ManifoldOut>(out).pad0 == BORNE_BESIDE;
    endContacts(cold, found != 0, beside);
    // Motion that may close the gap down to half the speculative margin; from there on the pair is tested again.
    const gap: f32 = found != 0 ? 0 : changetype<ManifoldOut>(out).gap;
    if (sensor && found == 0 && travel > SLOW && gap < travel && !noteCrossing(cold.colliderA, cold.colliderB)) return false;
    const reach: f32 = max<f32>(gap - h.speculativeMargin * <f32>0.5, 0);
    // Of two static bodies none moves until a call looks at the pair again.
    pairHot(pair).budget = typeOf(ca.body) + typeOf(cb.body) == BODY_STATIC ? Infinity : path + <f64>reach;
    const rest: PairGap = gapAt(pair);
    v128.store(changetype<usize>(rest), f32x4.replace_lane(d, 3, reach));
    rest.turn = turnPath(ca.body) + turnPath(cb.body);
    return true;
  }
  const oldPoints: u32 = saveOld(cold);
  let current: u32 = cold.manifold;
  let previous: u32 = NONE;
  let from: v128 = d;
  for (let k: u32 = 0; k < found; k++) {
    const index: u32 = successor(pair, cold, ca.body, cb.body, previous, current);
    if (index == NONE) return false;
    if (index == current) current = manifoldAt(index).next;
    const m: Manifold = manifoldAt(index);
    if (k == meeting) from = enterMeeting();
    const result: usize = out + <usize>k * MANIFOLD_OUT_STRIDE;
    setContactCount(m, changetype<ManifoldOut>(result).count);
    fillManifold(m, result, cold, ca, cb, from, oldPoints, ASK);
    if (meeting != NONE) settleAhead(m, k);
    if (passing) m.maxDrift = min<f32>(m.maxDrift, PASSING);
    noteChange(index);
    if (usesLanes(h.solver) && !isResting(m) && !markLane(index)) return false;
    previous = index;
  }
  endRest(previous, current);
  if (!updateTouching(pair, cold, extent)) return false;
  wakeAcross(ca.body, cb.body);
  pairHot(pair).budget = meeting == NONE ? path + REFRESH : path;
  return true;
}

/** The manifold that is next in a pair: `current`, or if there are no more, a new one behind `previous`. NONE without memory. */
function successor(pair: u32, cold: PairCold, bodyA: u32, bodyB: u32, previous: u32, current: u32): u32 {
  if (current != NONE) return current;
  const index: u32 = beginContact(pair, bodyA, bodyB);
  if (index == NONE) return NONE;
  if (previous == NONE) cold.manifold = index;
  else manifoldAt(previous).next = index;
  return index;
}

/** Manifolds that found no successor. */
function endRest(last: u32, current: u32): void {
  manifoldAt(last).next = NONE;
  while (current != NONE) {
    const next: u32 = manifoldAt(current).next;
    releaseLane(current);
    endContact(current);
    current = next;
  }
}

/** A pair has no manifolds: it is apart, borne beside, or that of a sensor. */
function endContacts(cold: PairCold, touching: bool, beside: bool): void {
  if (cold.manifold != NONE) releaseManifolds(cold);
  if (!beside) setTouching(cold, touching);
  unwatch(cold);
}

/** Outputs that another thread has made, to where this one's would be. Returns their number. */
function takeOutputs(test: Test, cold: PairCold): u32 {
  const from: usize = test.at;
  const found: u32 = test.found;
  cold.cache = load<u32>(from);
  memory.copy(contactState() + OUTPUTS, from + TEST_HEAD, MANIFOLD_OUT_STRIDE * <usize>max<u32>(found, 1));
  return found;
}

/** Whether bodies that were swept go through as many substeps as they did then, and no shared face is in the way. */
function areAsThen(pair: u32, substeps: u32, face: u32): bool {
  if (face != 0 && !keepsNoFace(face - 1)) return false;
  return substeps == 0 || substeps == substepsOfBoth(pairHot(pair).bodyA, pairHot(pair).bodyB);
}

/** A pair whose manifolds another thread has filled. False without memory. */
function takeFilled(pair: u32, test: Test): bool {
  const h: Header = header();
  const hot: PairHot = pairHot(pair);
  const cold: PairCold = pairCold(pair);
  const at: usize = test.at;
  h.pairVisits++;
  if (test.kind == TEST_FILLED) h.fullTests++;
  const head: FilledTest = changetype<FilledTest>(at);
  cold.cache = head.cache;
  const a: u32 = hot.bodyA,
    b: u32 = hot.bodyB;
  const lanes: bool = usesLanes(h.solver);
  let current: u32 = cold.manifold;
  let previous: u32 = NONE;
  for (let k: u32 = 0; k < <u32>test.found; k++) {
    const index: u32 = successor(pair, cold, a, b, previous, current);
    if (index == NONE) return false;
    if (index == current) current = manifoldAt(index).next;
    const m: Manifold = manifoldAt(index);
    const image: usize = at + TEST_HEAD + <usize>k * MANIFOLD_STRIDE;
    setContactCount(m, changetype<Manifold>(image).count);
    takeImage(m, image);
    noteChange(index);
    if (lanes && (h.sleepingCount == 0 || !isResting(m)) && !markLane(index)) return false;
    previous = index;
  }
  endRest(previous, current);
  if (!updateTouching(pair, cold, head.extent)) return false;
  wakeAcross(a, b);
  hot.budget = head.meets != 0 ? test.budget : test.budget + REFRESH;
  return true;
}

/** Looks at one pair whose budget is used up, and was tested or not. Returns 0 done, 1 pair removed, 2 out of memory. */
function visit(pair: u32, test: Test | null): u32 {
  const h: Header = header();
  const cold: PairCold = pairCold(pair);
  if (!boxesOverlap(cold.colliderA, cold.colliderB)) {
    endPair(pair);
    return 1;
  }
  h.pairVisits++;
  const ca: Collider = colliderAt(cold.colliderA),
    cb: Collider = colliderAt(cold.colliderB);
  const s: usize = contactState();
  const paths: usize = h.paths;
  const path: f64 = load<f64>(paths + ((<usize>ca.body) << 3)) + load<f64>(paths + ((<usize>cb.body) << 3));
  storeRotation(rotationOf(ca.body), s + BODY_A_COLUMNS);
  storeRotation(rotationOf(cb.body), s + BODY_B_COLUMNS);
  const d: v128 = centerDifference(ca.body, cb.body);
  if (test === null && cold.manifold != NONE && isRecycled(cold, ca, cb, d)) {
    let index: u32 = cold.manifold;
    const lanes: bool = usesLanes(h.solver) && !isResting(manifoldAt(index));
    while (index != NONE) {
      const m: Manifold = manifoldAt(index);
      fetchLane(index);
      takeMaterial(m, ca, cb);
      refreshManifold(m, d, true);
      takeSurface(m, ca, cb);
      noteChange(index);
      if (lanes && !markLane(index)) return 2;
      index = m.next;
    }
    if (!updateTouching(pair, cold, min<f32>(coldAt(ca.body).extent, coldAt(cb.body).extent))) return 2;
    wakeAcross(ca.body, cb.body);
    pairHot(pair).budget = path + REFRESH;
    return 0;
  }
  return fullTest(pair, cold, ca, cb, d, path, test) ? 0 : 2;
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
  return visit(pair, null);
}

/** What the walk makes of a pair that was tested. As visit. */
function take(pair: u32, test: Test): u32 {
  switch (<u32>test.kind) {
    case <u32>TEST_HOLDS:
    case <u32>TEST_APART:
    case <u32>TEST_STILL_APART:
      return 0;
    case <u32>TEST_OWN:
      if (header().anySurface == testsAhead().anySurface) return 0;
      test.kind = TEST_LEFT;
      return visit(pair, null);
    case <u32>TEST_GAP: {
      const g: GapTest = changetype<GapTest>(<usize>test.at);
      if (!areAsThen(pair, g.substeps, g.face)) return visit(pair, null);
      header().pairVisits++;
      header().fullTests++;
      endContacts(pairCold(pair), false, false);
      takeGap(pair, test);
      return 0;
    }
    case <u32>TEST_OUTPUTS:
      return visit(pair, test);
    case <u32>TEST_FILLED:
    case <u32>TEST_RECYCLED: {
      const head: FilledTest = changetype<FilledTest>(<usize>test.at);
      // Surfaces that are carried along may have begun with a pair before this one.
      const same: bool = header().anySurface == testsAhead().anySurface && areAsThen(pair, head.substeps, head.face);
      if (!same) return visit(pair, null);
      return takeFilled(pair, test) ? 0 : 2;
    }
    default:
      return visit(pair, null);
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
    // What wakes may come to where the last pairs were.
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
  forgetGivenUp();
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
