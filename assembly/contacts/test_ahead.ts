// Pairs ahead of the walk, by several threads: the walk's decisions, the narrow phase and the manifolds that come of it, as far
// as they depend on the pair alone. The walk takes them in the order of pairs (contacts.ts), so that all that pairs have to do
// with each other goes on as it does on one thread: manifolds that begin and end, lanes, events, what passes between pairs.
//
// What does not depend on the pair alone is left to the walk: neighbors that continue a surface, points taken over from them,
// passages, sleepers. Sweeps need the substeps of the runs of both bodies, which the walk may join: it looks whether they are as
// they were.
// Input: pairs of a window, poses, velocities, lanes. Output: rows and arena (tested.ts).
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
  PairHot,
  SHAPE_MESH,
} from '../layout.generated';
import { coldAt, colliderAt, isAsleep, isDynamic, isMoved, rotationOf, typeOf } from '../bodies/rows';
import { boxesOverlap } from '../broadphase/broadphase';
import { Tree, broadphaseState } from '../broadphase/state';
import { manifoldAt } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { fetchLane } from '../lanes/lanes';
import { substepsOf } from '../lanes/runs';
import { storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { shapeAt } from '../shapes/shapes';
import { JOB_PAIRS, closeJob, finishTask, openJob, takeTask, team } from '../threads/team';
import { isOwn } from './commit';
import { ASK_LATER, ASK_NOBODY, fillManifold, refreshManifold, saveOld } from './fill';
import { isOnlyOn } from './hand_over';
import { carriesSurface, takeMaterial, takeSurface } from './material';
import { storePairPose } from './pair_pose';
import { ARENA_AT, ARENA_END, BODY_A_COLUMNS, BODY_B_COLUMNS, CACHE_COPY, OUTPUTS, STATE_BYTES, contactState } from './state';
import { PASSING, SLOW, SWEEPS, enterMeeting, keptNow, lookAhead, settleAhead } from './sweep';
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
  leaveToWalk,
  rangeAt,
  takeArena,
  testOf,
  testsAhead,
} from './tested';

/** Tests the pairs first to end - 1. False (header error set) if a thread was lost. */
export function testWindow(first: u32, end: u32): bool {
  const t: TestsAhead = testsAhead();
  const statics: Tree = changetype<Tree>(<usize>broadphaseState().statics);
  t.used = 0;
  t.own = 0;
  t.first = first;
  t.end = end;
  t.anySurface = header().anySurface;
  t.fixed = statics.leafCount - statics.empty;
  const scratch: usize = header().contactState;
  for (let i: u32 = 0; i < team().capacity; i++) {
    store<u32>(scratch + <usize>i * STATE_BYTES, 0, ARENA_AT);
    store<u32>(scratch + <usize>i * STATE_BYTES, 0, ARENA_END);
  }
  openJob(JOB_PAIRS, (end - first + RANGE - 1) / RANGE);
  for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
    testRange(task);
    finishTask();
  }
  return closeJob();
}

/** A task of the job. */
export function testRange(task: u32): void {
  const t: TestsAhead = testsAhead();
  const first: u32 = t.first + task * RANGE;
  const end: u32 = min<u32>(first + RANGE, t.end);
  let pair: u32 = first;
  while (pair < end && motionOf(pairHot(pair)) < pairHot(pair).budget) pair++;
  const r: TestRange = rangeAt(task);
  r.due = pair == end ? 0 : 1;
  r.own = 0;
  r.walk0 = 0;
  r.walk1 = 0;
  if (pair == end) return;
  for (let k: u32 = first; k < pair; k++) testOf(k).kind = TEST_HOLDS;
  for (; pair < end; pair++) {
    const test: Test = testOf(pair);
    const hot: PairHot = pairHot(pair);
    const motion: f64 = motionOf(hot);
    test.kind = TEST_HOLDS;
    if (motion < hot.budget) continue;
    const cold: PairCold = pairCold(pair);
    if (cold.manifold == NONE) {
      const budget: f64 = apartBudget(pair, hot, motion);
      test.kind = TEST_APART;
      test.budget = budget;
      r.own = 1;
      if (budget >= 0) continue;
    }
    test.kind = testPair(t, test, hot, cold);
    if (test.kind == TEST_OWN || test.kind == TEST_STILL_APART) r.own = 1;
    else leaveToWalk(r, pair - first);
  }
  if (r.own != 0) t.own = 1;
}

/** What can be said of a pair that is due: its kind. */
function testPair(t: TestsAhead, test: Test, hot: PairHot, cold: PairCold): u16 {
  const h: Header = header();
  const a: u32 = hot.bodyA,
    b: u32 = hot.bodyB;
  if (!boxesOverlap(cold.colliderA, cold.colliderB)) return TEST_LEFT;
  if (h.sleepingCount != 0 && (isAsleep(a) || isAsleep(b))) return TEST_LEFT;
  const ca: Collider = colliderAt(cold.colliderA),
    cb: Collider = colliderAt(cold.colliderB);
  const s: usize = contactState();
  storeRotation(rotationOf(a), s + BODY_A_COLUMNS);
  storeRotation(rotationOf(b), s + BODY_B_COLUMNS);
  const d: v128 = centerDifference(a, b);
  const path: f64 = load<f64>(<usize>h.paths + ((<usize>a) << 3)) + load<f64>(<usize>h.paths + ((<usize>b) << 3));
  test.budget = path;
  const sensor: bool = (cold.flags & 2) != 0;
  const hasOwn: bool = cold.manifold != NONE;
  // What lies in a result of the GPU is fetched by the walk.
  const fills: bool = !sensor && (!hasOwn || h.results == 0) && (t.anySurface != 0 || !carriesSurface(ca, cb));
  if (hasOwn && isRecycled(cold, ca, cb, d)) return fills ? recycle(test, cold, ca, cb, d) : TEST_LEFT;
  storePairPose(s, ca, cb, d);
  measureMotion(ca, cb, sensor);
  const p: PairMotion = pairMotion();
  store<u32>(s, cold.cache, CACHE_COPY);
  const found: u32 = runTest(ca, cb, s + CACHE_COPY, p.margin);
  // Of fixed colliders beside this one others may continue its surface, or have had its points.
  const alone: bool = t.fixed < (typeOf(a) == BODY_STATIC || typeOf(b) == BODY_STATIC ? <u32>2 : <u32>1);
  const ofA: bool = isMoved(a);
  const mover: u32 = ofA ? cold.colliderA : cold.colliderB,
    other: u32 = ofA ? cold.colliderB : cold.colliderA;
  const free: bool = ofA && isMoved(b);
  const solo: bool = alone || (!free && isOnlyOn(mover, other));
  const dynamic: bool = isDynamic(a) && isDynamic(b);
  const type: u32 = shapeAt(colliderAt(other).shape).type;
  const own: bool = solo || dynamic || (found == 0 && !hasOwn) || type >= SHAPE_MESH;
  // With one tile alone no face is shared; but the place of one that another collider has would be taken.
  const face: u32 = alone || dynamic || type >= SHAPE_MESH || (found == 0 && !hasOwn) ? 0 : mover + 1;
  const open: bool = ((ca.flags | cb.flags) & COLLIDER_ONE_WAY) != 0;
  if (!own || sensor || open || (found != 0 && !fills)) return keepOutputs(test, found);
  let left: u32 = found,
    meeting: u32 = NONE,
    substeps: u32 = 0;
  const first: usize = s + OUTPUTS;
  if (p.travel > SLOW && (found != 0 || changetype<ManifoldOut>(first).gap < p.travel)) {
    let ahead: u32 = lookAhead(ca, cb, s + CACHE_COPY, d, found, p.travel, p.margin, true);
    if (ahead == SWEEPS) {
      // What comes of that may have points that other pairs have.
      if (!fills || !(solo || free)) return keepOutputs(test, found);
      substeps = substepsOfBoth(a, b);
      ahead = lookAhead(ca, cb, s + CACHE_COPY, d, found, p.travel, p.margin, false);
    }
    if (ahead != NONE) {
      left = ahead;
      meeting = keptNow();
    }
  }
  if (left == 0) {
    const kind: u16 = keepGap(test, ca, cb, d, changetype<ManifoldOut>(first).gap, path, substeps, face);
    const still: bool = free && !hasOwn && substeps == 0 && (cold.flags & 1) == 0 && cold.watch == 0;
    return still && kind == TEST_GAP ? TEST_STILL_APART : kind;
  }
  if (fill(test, cold, ca, cb, d, left, meeting, substeps, solo ? ASK_NOBODY : ASK_LATER)) {
    changetype<FilledTest>(<usize>test.at).face = face;
    return free && isOwn(test, cold) ? TEST_OWN : TEST_FILLED;
  }
  return substeps == 0 ? keepOutputs(test, found) : TEST_LEFT;
}

/** Substeps of two bodies, in a word that is not 0. */
export function substepsOfBoth(a: u32, b: u32): u32 {
  return (substepsOf(a) << 16) | substepsOf(b);
}

function keepGap(test: Test, ca: Collider, cb: Collider, d: v128, gap: f32, path: f64, substeps: u32, face: u32): u16 {
  const at: usize = takeArena(<u32>offsetof<GapTest>());
  if (at == 0) return TEST_LEFT;
  const reach: f32 = max<f32>(gap - header().speculativeMargin * <f32>0.5, 0);
  const g: GapTest = changetype<GapTest>(at);
  v128.store(at, f32x4.replace_lane(d, 3, reach));
  g.turn = turnPath(ca.body) + turnPath(cb.body);
  g.cache = load<u32>(contactState(), CACHE_COPY);
  g.substeps = substeps;
  g.face = face;
  test.at = <u32>at;
  test.budget = typeOf(ca.body) + typeOf(cb.body) == BODY_STATIC ? Infinity : path + <f64>reach;
  return TEST_GAP;
}

function keepOutputs(test: Test, found: u32): u16 {
  const s: usize = contactState();
  // Without outputs the first one says how far the shapes are apart.
  const bytes: usize = MANIFOLD_OUT_STRIDE * <usize>max<u32>(found, 1);
  const at: usize = takeArena(<u32>(TEST_HEAD + bytes));
  if (at == 0) return TEST_LEFT;
  store<u32>(at, load<u32>(s, CACHE_COPY));
  memory.copy(at + TEST_HEAD, s + OUTPUTS, bytes);
  test.at = <u32>at;
  test.found = <u16>found;
  return TEST_OUTPUTS;
}

/** Room for images of manifolds; 0 without. */
function takeImages(test: Test, count: u32, cache: u32, extent: f32): usize {
  const at: usize = takeArena(<u32>(TEST_HEAD + <usize>count * MANIFOLD_STRIDE));
  if (at == 0) return 0;
  const head: FilledTest = changetype<FilledTest>(at);
  head.cache = cache;
  head.extent = extent;
  head.substeps = 0;
  head.meets = 0;
  head.face = 0;
  head.recycled = 0;
  test.at = <u32>at;
  test.found = <u16>count;
  return at + TEST_HEAD;
}

/** An image of a manifold, of one that is new for NONE. */
function imageOf(image: usize, index: u32): Manifold {
  if (index != NONE) {
    memory.copy(image, changetype<usize>(manifoldAt(index)), MANIFOLD_STRIDE);
  } else {
    memory.fill(image, 0, MANIFOLD_STRIDE);
  }
  return changetype<Manifold>(image);
}

/** The manifolds that come of outputs, as images. False if there is no room, or they do not depend on the pair alone. */
function fill(
  test: Test,
  cold: PairCold,
  ca: Collider,
  cb: Collider,
  d: v128,
  found: u32,
  meeting: u32,
  substeps: u32,
  ask: u32,
): bool {
  const s: usize = contactState();
  const p: PairMotion = pairMotion();
  const images: usize = takeImages(test, found, load<u32>(s, CACHE_COPY), p.extent);
  if (images == 0) return false;
  const head: FilledTest = changetype<FilledTest>(images - TEST_HEAD);
  head.substeps = substeps;
  head.meets = meeting == NONE ? 0 : 1;
  const oldPoints: u32 = saveOld(cold);
  let from: v128 = d;
  let index: u32 = cold.manifold;
  for (let k: u32 = 0; k < found; k++) {
    const out: usize = s + OUTPUTS + <usize>k * MANIFOLD_OUT_STRIDE;
    const m: Manifold = imageOf(images + <usize>k * MANIFOLD_STRIDE, index);
    if (index != NONE) index = manifoldAt(index).next;
    m.count = changetype<ManifoldOut>(out).count;
    if (k == meeting) from = enterMeeting();
    if (!fillManifold(m, out, cold, ca, cb, from, oldPoints, ask)) return false;
    if (meeting != NONE) settleAhead(m, k);
    if (p.passing != 0) m.maxDrift = min<f32>(m.maxDrift, PASSING);
  }
  return true;
}

/** The manifolds of a pair that moved little, as images. */
function recycle(test: Test, cold: PairCold, ca: Collider, cb: Collider, d: v128): u16 {
  let count: u32 = 0;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) count++;
  let image: usize = takeImages(test, count, cold.cache, min<f32>(coldAt(ca.body).extent, coldAt(cb.body).extent));
  if (image == 0) return TEST_LEFT;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    fetchLane(index);
    const m: Manifold = imageOf(image, index);
    takeMaterial(m, ca, cb);
    refreshManifold(m, d, true);
    takeSurface(m, ca, cb);
    image += MANIFOLD_STRIDE;
  }
  changetype<FilledTest>(<usize>test.at).recycled = 1;
  return isMoved(ca.body) && isMoved(cb.body) && isOwn(test, cold) ? TEST_OWN : TEST_RECYCLED;
}
