// Tests one pair whose budget is used up. The decisions, the narrow phase and the resulting manifolds are in this one place.
// Either the walk tests one pair after the other (walk.ts), or several threads test a window of pairs ahead of it.
//
// In the walk, everything that pairs have to do with each other is settled, and results are written to their final place. Ahead
// of it only the pair itself counts, and manifolds are images in an arena. Work that depends on more than the pair is left to the
// walk: neighbors that continue a surface, points taken over from them, passages, sleeping bodies. Sweeps need the substeps of
// the batches of both bodies, which the walk may join: it checks whether they are unchanged.
// Input: pairs, poses, velocities, lanes. Output: a row per pair with its gap or its manifolds (tests.ts).
import {
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  BODY_STATIC,
  BoxTree,
  COLLIDER_ONE_WAY,
  CONTACT_MARKS,
  CONTACT_STATE_STRIDE,
  Collider,
  ContactMarks,
  FilledTest,
  GAP_TEST_STRIDE,
  GapTest,
  Header,
  MANIFOLD_OUT_STRIDE,
  MANIFOLD_POINT_STRIDE,
  MANIFOLD_STRIDE,
  Manifold,
  ManifoldOut,
  NONE,
  OUTPUTS,
  PairCold,
  PairHot,
  PairMotion,
  PairTest,
  SHAPE_A_COLUMNS,
  SHAPE_MESH,
  TestRange,
  TestsAhead,
  WALK_HEAD,
} from '../layout.generated';
import { coldAt, colliderAt, isAsleep, isDynamic, isMoved, rotationOf, typeOf } from '../bodies/rows';
import { boxesOverlap } from '../broadphase/broadphase';
import { broadphaseState } from '../broadphase/state';
import { manifoldAt, setContactCount } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { copyState, stateStride, separationsOf } from '../lanes/state';
import { substepsOf } from '../lanes/batches';
import { dot3 } from '../math/lane';
import { rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { shapeAt } from '../shapes/shapes';
import { JOB_PAIRS, closeJob, finishTask, openJob, takeTask, team } from '../threads/team';
import { REFRESH, isOwn } from './commit';
import { noteCrossing } from '../ccd/crossings';
import { ASK, ASK_LATER, ASK_NOBODY, fillManifold, refreshManifold, separationsIn } from '../manifolds/make';
import { saveOld } from '../manifolds/match';
import { isOnlyOn } from '../manifolds/transfer';
import { dropInternalEdges } from '../manifolds/internal_edges';
import { carriesSurface, easeFriction, openSide, takeMaterial, takeSurface } from '../manifolds/material';
import { storePairPose } from '../manifolds/pair_pose';
import { endRest, markCarried, markManifold, successor } from '../manifolds/replace';
import { BORNE_BESIDE } from '../manifolds/shared_faces';
import { contactMarks, contactState } from '../scratch/contact_state';
import { PASSING, SLOW, SWEEPS, enterMeeting, keptNow, lookAhead, settleAhead } from '../ccd/speculative';
import { apartBudget, centerDifference, isRecycled, measureMotion, motionOf, pairMotion, runTest, turnPath } from './motion';
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
  leaveToWalk,
  rangeAt,
  takeArena,
  testOf,
  testsAhead,
} from '../scratch/tests';

// For one-way colliders: smallest cosine of a normal of the front, largest overlap of a landing body (m).
const FRONT: f32 = 0.5;
const LANDING: f32 = 0.01;

/**
 * Whether a body passes through a one-way collider: it does, unless it touches the front, or reaches it, no deeper than a landing
 * may be. A body with contacts keeps them as long as it is in front.
 */
function isPassing(cold: PairCold, ca: Collider, cb: Collider, found: u32): bool {
  const out: usize = contactState() + OUTPUTS;
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

/**
 * Tests a pair that is due: returns the kind of its row, and fills the data of the row. In the walk the kind is TEST_GAP,
 * TEST_FILLED or TEST_RECYCLED, manifolds are written in place, and TEST_LEFT means that there was no memory; a row with outputs
 * is filled in.
 */
export function testPair(pair: u32, test: PairTest, inWalk: bool): u16 {
  const h: Header = header();
  const hot: PairHot = pairHot(pair);
  const cold: PairCold = pairCold(pair);
  const a: u32 = hot.bodyA,
    b: u32 = hot.bodyB;
  if (!inWalk && h.sleepingCount != 0 && (isAsleep(a) || isAsleep(b))) return TEST_LEFT;
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
  const tested: bool = inWalk && test.kind == TEST_OUTPUTS;
  const fills: bool = inWalk || (!sensor && (testsAhead().anySurface != 0 || !carriesSurface(ca, cb)));
  if (hasOwn && !tested && isRecycled(cold, ca, cb, d)) return fills ? recycle(pair, test, ca, cb, d, inWalk) : TEST_LEFT;
  storePairPose(s, ca, cb, d);
  measureMotion(ca, cb, sensor);
  const p: PairMotion = pairMotion();
  const cache: usize = s + CONTACT_MARKS + offsetof<ContactMarks>('cache');
  if (!tested) store<u32>(cache, cold.cache);
  let found: u32 = tested ? takeOutputs(test) : runTest(ca, cb, cache, p.margin);
  const open: bool = !sensor && ((ca.flags | cb.flags) & COLLIDER_ONE_WAY) != 0;
  const first: ManifoldOut = changetype<ManifoldOut>(s + OUTPUTS);
  const free: bool = isMoved(a) && isMoved(b);
  let ask: u32 = ASK,
    face: u32 = 0,
    sweeps: bool = true;
  if (inWalk) {
    // A pair whose manifolds were dropped is looked at again after the same motion as a touching pair.
    const again: f32 = <f32>REFRESH + h.speculativeMargin * <f32>0.5;
    if (!sensor && (found != 0 || hasOwn)) found = dropInternalEdges(cold, ca, cb, found, p.margin, again);
  } else {
    // Of fixed colliders beside this one others may continue its surface, or have had its points.
    const alone: bool = testsAhead().fixed < (typeOf(a) == BODY_STATIC || typeOf(b) == BODY_STATIC ? <u32>2 : <u32>1);
    const mover: u32 = isMoved(a) ? cold.colliderA : cold.colliderB,
      other: u32 = isMoved(a) ? cold.colliderB : cold.colliderA;
    const solo: bool = alone || (!free && isOnlyOn(mover, other));
    const dynamic: bool = isDynamic(a) && isDynamic(b);
    const onMesh: bool = shapeAt(colliderAt(other).shape).type >= SHAPE_MESH;
    const nothing: bool = found == 0 && !hasOwn;
    // With one tile alone no face is shared; but the place of one that another collider has would be taken.
    face = alone || dynamic || onMesh || nothing ? 0 : mover + 1;
    if (!(solo || dynamic || nothing || onMesh) || sensor || open || (found != 0 && !fills)) return keepOutputs(test, found);
    ask = solo ? ASK_NOBODY : ASK_LATER;
    // The result of a sweep may have points that other pairs have.
    sweeps = fills && (solo || free);
  }
  let passes: bool = open && found != 0 && isPassing(cold, ca, cb, found);
  let left: u32 = found,
    substeps: u32 = 0;
  // Manifolds from `meeting` on are those of a meeting later in the step.
  let meeting: u32 = NONE;
  if (p.travel > SLOW && !sensor && !passes && (found != 0 || first.gap < p.travel)) {
    let ahead: u32 = lookAhead(ca, cb, cache, d, found, p.travel, p.margin, !inWalk);
    if (ahead == SWEEPS) {
      if (!sweeps) return keepOutputs(test, found);
      substeps = substepsOfBoth(a, b);
      ahead = lookAhead(ca, cb, cache, d, found, p.travel, p.margin, false);
    }
    if (ahead != NONE) {
      left = ahead;
      meeting = keptNow();
    }
  }
  passes = passes || (open && meeting != NONE && isPassing(cold, ca, cb, left));
  if (passes) {
    left = 0;
    first.gap = 0;
  }
  if (left == 0 || sensor) {
    const crosses: bool = sensor && left == 0 && p.travel > SLOW && first.gap < p.travel;
    if (crosses && !noteCrossing(cold.colliderA, cold.colliderB)) return TEST_LEFT;
    if (!keepGap(test, ca, cb, d, left, inWalk)) return TEST_LEFT;
    const gap: GapTest = changetype<GapTest>(<usize>test.at);
    gap.substeps = substeps;
    gap.face = face;
    const still: bool = !inWalk && free && !hasOwn && substeps == 0 && (cold.flags & 1) == 0 && cold.watch == 0;
    return still ? TEST_STILL_APART : TEST_GAP;
  }
  if (!fill(pair, test, ca, cb, d, left, meeting, ask, inWalk))
    return inWalk || substeps != 0 ? TEST_LEFT : keepOutputs(test, found);
  if (inWalk) return TEST_FILLED;
  const head: FilledTest = changetype<FilledTest>(<usize>test.at);
  head.substeps = substeps;
  head.face = face;
  return free && isOwn(test, cold) ? TEST_OWN : TEST_FILLED;
}

/** Substeps of two bodies, in a word that is not 0. */
export function substepsOfBoth(a: u32, b: u32): u32 {
  return (substepsOf(a) << 16) | substepsOf(b);
}

/**
 * Returns room for the data of a row: `bytes` of the arena, or in the walk the block of this thread, which has room for a head. 0
 * without room.
 */
function roomFor(test: PairTest, bytes: usize, inWalk: bool): usize {
  const at: usize = inWalk ? contactState() + WALK_HEAD : takeArena(<u32>bytes);
  test.at = <u32>at;
  return at;
}

/** The gap of a pair that is apart, or of a sensor with `touching` outputs. False without room. */
function keepGap(test: PairTest, ca: Collider, cb: Collider, d: v128, touching: u32, inWalk: bool): bool {
  const at: usize = roomFor(test, GAP_TEST_STRIDE, inWalk);
  if (at == 0) return false;
  const first: ManifoldOut = changetype<ManifoldOut>(contactState() + OUTPUTS);
  // Motion that may close the gap down to half the speculative margin; from there on the pair is tested again.
  const reach: f32 = touching != 0 ? 0 : max<f32>(first.gap - header().speculativeMargin * <f32>0.5, 0);
  const g: GapTest = changetype<GapTest>(at);
  v128.store(at, f32x4.replace_lane(d, 3, reach));
  g.turn = turnPath(ca.body) + turnPath(cb.body);
  g.cache = contactMarks().cache;
  g.touching = touching != 0 ? 1 : 0;
  g.beside = touching == 0 && first.pad0 == BORNE_BESIDE ? 1 : 0;
  // Of two static bodies none moves until a call looks at the pair again.
  test.budget = typeOf(ca.body) + typeOf(cb.body) == BODY_STATIC ? Infinity : test.budget + <f64>reach;
  return true;
}

function keepOutputs(test: PairTest, found: u32): u16 {
  const s: usize = contactState();
  // Without outputs the first one says how far the shapes are apart.
  const bytes: usize = MANIFOLD_OUT_STRIDE * <usize>max<u32>(found, 1);
  const at: usize = roomFor(test, TEST_HEAD + bytes, false);
  if (at == 0) return TEST_LEFT;
  store<u32>(at, contactMarks().cache);
  memory.copy(at + TEST_HEAD, s + OUTPUTS, bytes);
  test.found = <u16>found;
  return TEST_OUTPUTS;
}

/** Outputs that another thread has made, to where this one's would be. Returns their number. */
function takeOutputs(test: PairTest): u32 {
  const from: usize = test.at;
  const found: u32 = test.found;
  contactMarks().cache = load<u32>(from);
  memory.copy(contactState() + OUTPUTS, from + TEST_HEAD, MANIFOLD_OUT_STRIDE * <usize>max<u32>(found, 1));
  return found;
}

/** The head before `count` manifolds, with room for their images ahead of the walk; null without. */
function takeHead(test: PairTest, count: u32, cache: u32, extent: f32, inWalk: bool): FilledTest | null {
  const at: usize = roomFor(test, TEST_HEAD + <usize>count * MANIFOLD_STRIDE, inWalk);
  if (at == 0) return null;
  const head: FilledTest = changetype<FilledTest>(at);
  head.cache = cache;
  head.extent = extent;
  head.substeps = 0;
  head.meets = 0;
  head.face = 0;
  head.recycled = 0;
  test.found = <u16>count;
  return head;
}

/** Image k of a row: a copy of a manifold, of one that is new for NONE. */
function imageOf(test: PairTest, k: u32, index: u32): Manifold {
  const image: usize = <usize>test.at + TEST_HEAD + <usize>k * MANIFOLD_STRIDE;
  if (index != NONE) {
    memory.copy(image, changetype<usize>(manifoldAt(index)), MANIFOLD_STRIDE);
    copyState(manifoldAt(index), changetype<Manifold>(image));
  } else {
    memory.fill(image, 0, MANIFOLD_STRIDE);
  }
  return changetype<Manifold>(image);
}

/** The manifolds that come of outputs. False without room, or ahead of the walk if they do not depend on the pair alone. */
function fill(
  pair: u32,
  test: PairTest,
  ca: Collider,
  cb: Collider,
  d: v128,
  found: u32,
  meeting: u32,
  ask: u32,
  inWalk: bool,
): bool {
  const s: usize = contactState();
  const p: PairMotion = pairMotion();
  const cold: PairCold = pairCold(pair);
  const head: FilledTest | null = takeHead(test, found, contactMarks().cache, p.extent, inWalk);
  if (head === null) return false;
  head.meets = meeting == NONE ? 0 : 1;
  const olds: u32 = saveOld(cold);
  let from: v128 = d;
  let current: u32 = cold.manifold,
    previous: u32 = NONE;
  for (let k: u32 = 0; k < found; k++) {
    const out: usize = s + OUTPUTS + <usize>k * MANIFOLD_OUT_STRIDE;
    const count: u32 = changetype<ManifoldOut>(out).count;
    if (inWalk) {
      previous = successor(pair, previous, current);
      if (previous == NONE) return false;
      setContactCount(manifoldAt(previous), count);
    }
    const m: Manifold = inWalk ? manifoldAt(previous) : imageOf(test, k, current);
    if (current != NONE) current = manifoldAt(current).next;
    m.count = count;
    if (k == meeting) from = enterMeeting();
    if (!fillManifold(m, out, cold, ca, cb, from, olds, ask)) return false;
    if (meeting != NONE) settleAhead(m, k);
    if (p.passing != 0) m.maxDrift = min<f32>(m.maxDrift, PASSING);
    if (inWalk && !markManifold(previous)) return false;
  }
  if (inWalk) endRest(previous, current);
  return true;
}

/** The manifolds of a pair that moved little. */
function recycle(pair: u32, test: PairTest, ca: Collider, cb: Collider, d: v128, inWalk: bool): u16 {
  const cold: PairCold = pairCold(pair);
  let count: u32 = 0;
  for (let index: u32 = cold.manifold; index != NONE && !inWalk; index = manifoldAt(index).next) count++;
  const extent: f32 = min<f32>(coldAt(ca.body).extent, coldAt(cb.body).extent);
  const head: FilledTest | null = takeHead(test, count, cold.cache, extent, inWalk);
  if (head === null) return TEST_LEFT;
  let k: u32 = 0;
  for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
    const own: Manifold = manifoldAt(index);
    const m: Manifold = inWalk ? own : imageOf(test, k++, index);
    takeMaterial(m, ca, cb);
    const separations: usize = inWalk ? separationsOf(m) : separationsIn(m),
      stride: usize = inWalk ? stateStride(m) : MANIFOLD_POINT_STRIDE;
    refreshManifold(m, d, separations, stride, true);
    easeFriction(m, ca.body, cb.body, separations, stride);
    takeSurface(m, ca, cb);
    if (!inWalk) continue;
    if (!markCarried(index)) return TEST_LEFT;
  }
  head.recycled = 1;
  return !inWalk && isMoved(ca.body) && isMoved(cb.body) && isOwn(test, cold) ? TEST_OWN : TEST_RECYCLED;
}

/** Tests the pairs first to end - 1. False (header error set) if a thread was lost. */
export function testWindow(first: u32, end: u32): bool {
  const t: TestsAhead = testsAhead();
  const statics: BoxTree = changetype<BoxTree>(<usize>broadphaseState().statics);
  t.used = 0;
  t.own = 0;
  t.first = first;
  t.end = end;
  t.anySurface = header().anySurface;
  t.fixed = statics.leafCount - statics.empty;
  const scratch: usize = header().contactState;
  for (let i: u32 = 0; i < team().capacity; i++) {
    const marks = changetype<ContactMarks>(scratch + <usize>i * CONTACT_STATE_STRIDE + CONTACT_MARKS);
    marks.arenaAt = 0;
    marks.arenaEnd = 0;
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
    const test: PairTest = testOf(pair);
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
    const meets: bool = boxesOverlap(cold.colliderA, cold.colliderB);
    test.kind = meets ? testPair(pair, test, false) : TEST_LEFT;
    if (test.kind == TEST_OWN || test.kind == TEST_STILL_APART) r.own = 1;
    else leaveToWalk(r, pair - first);
  }
  if (r.own != 0) t.own = 1;
}
