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
  BODY_CENTER_STRIDE,
  BODY_KINEMATIC,
  BODY_ROW_STRIDE,
  BODY_STATIC,
  BodyCold,
  COLLIDER_ALIGNED,
  COLLIDER_ONE_WAY,
  Collider,
  Header,
  MANIFOLD_OUT_STRIDE,
  Manifold,
  ManifoldOut,
  NONE,
  PairCold,
  PairGap,
  PairHot,
  SHAPE_MESH,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { FLAG_BULLET, coldAt, colliderAt, isMoved, rotationOf, typeOf } from '../bodies/rows';
import { boxesOverlap } from '../broadphase/broadphase';
import { beginContact, endContact } from '../constraints/contact';
import { noteChange } from '../constraints/held';
import { ManifoldPoint, isResting, manifoldAt, pointOf, setContactCount } from '../constraints/manifolds';
import { gapAt, pairCold, pairHot } from '../constraints/pair_rows';
import { wakeAcross, wakeBody } from '../constraints/sleep';
import { fetchLane, markLane, releaseLane, usesLanes } from '../lanes/lanes';
import { dot3 } from '../math/lane';
import { inverseRotate3, quatConjugate, quatMul, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { collide } from '../narrowphase/dispatch';
import { isDeep } from './crowds';
import { endPair, releaseManifolds, setTouching } from './end_pair';
import { forgetGivenUp, takeOver } from './hand_over';
import { TOUCH_BEGIN, unwatch, watch } from './impacts';
import { dropInternalEdges } from './internal_edges';
import { openSide, rollingCurvature, takeMaterial, takeSurface } from './material';
import { storePairPose } from './pair_pose';
import { BORNE_BESIDE, forgetSharedFaces } from './shared_faces';
import {
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  LOCAL_A_COLUMNS,
  OUTPUTS,
  OldManifold,
  OldPoint,
  REL_POSE,
  SHAPE_A_COLUMNS,
  contactState,
  oldManifold,
  oldPoint,
} from './state';
import { PASSING, enterMeeting, keptNow, lookAhead, settleAhead } from './sweep';

// Motion (m) after which the world-frame data of a manifold is made anew. The solver integrates separations to first
// order, so the error is the square of this over the size of a body: well below a nanometre.
const REFRESH: f64 = 5e-4;
// Largest turn (rad) under which a manifold is recycled.
const RECYCLE_ANGLE: f32 = 0.1745;
// Recycling also ends at this fraction of the smaller body's extent.
const RECYCLE_FRACTION: f32 = 0.05;
// And at this fraction of the rolling radius: a point that has stayed behind by d lets a ball sink by d^2 / 2r, which the next
// test pushes out again, as if it rolled down a slope of d / 2r.
const ROLL_FRACTION: f32 = 0.004;
// Separations of solver and poses that agree to this (m) are the same; the solver's is kept.
const CARRY: f32 = 1e-6;
// End of touching (m): its distance from TOUCH_BEGIN keeps events from flickering.
const TOUCH_END: f32 = 3e-3;
// Bodies that move less than this against each other in a step (m) are not swept.
const SLOW: f32 = 5e-3;
// Mask of the steps between two looks at the boxes of a pair that is known to be apart.
const BOXES_EVERY: u32 = 7;
// Of colliders that are open to one side: least cosine of a normal of the front, largest overlap of what lands on it (m).
const FRONT: f32 = 0.5;
const LANDING: f32 = 0.01;
// Shortest lever of the twist row (m) (docs/solvers.md).
const TWIST_RADIUS_MIN: f32 = 0.005;

/** x_B - x_A of two bodies from high and low parts of their centers. */
function centerDifference(a: u32, b: u32): v128 {
  const centers: usize = header().bodyCenters;
  const pa: usize = centers + <usize>a * BODY_CENTER_STRIDE,
    pb: usize = centers + <usize>b * BODY_CENTER_STRIDE;
  return f32x4.add(f32x4.sub(v128.load(pb), v128.load(pa)), f32x4.sub(v128.load(pb, 16), v128.load(pa, 16)));
}

/** Length that any point of a body may have gone so far by its rotation (m). */
function turnPath(body: u32): f64 {
  return load<f64>(<usize>header().turnPaths + ((<usize>body) << 3));
}

/** A unit vector perpendicular to n. */
function anyTangent(n: v128): v128 {
  const x: f32 = f32x4.extract_lane(n, 0),
    y: f32 = f32x4.extract_lane(n, 1),
    z: f32 = f32x4.extract_lane(n, 2);
  if (abs<f32>(x) < <f32>0.6) {
    const k: f32 = 1 / sqrt<f32>(y * y + z * z);
    return f32x4(0, z * k, -y * k, 0);
  }
  const k: f32 = 1 / sqrt<f32>(x * x + y * y);
  return f32x4(y * k, -x * k, 0, 0);
}

/**
 * World-frame data of a manifold from its anchors: normal, tangent, rA, rB, separations. Rotations of both bodies must
 * lie in the scratch columns. `carry` keeps the solver's separations where poses agree.
 */
function refreshManifold(m: Manifold, d: v128, carry: bool): void {
  const p: usize = changetype<usize>(m);
  const a: usize = contactState() + BODY_A_COLUMNS,
    b: usize = contactState() + BODY_B_COLUMNS;
  const n: v128 = rotate3(a, v128.load(p, offsetof<Manifold>('lnx')));
  const t: v128 = rotate3(a, v128.load(p, offsetof<Manifold>('ltx')));
  v128.store(p, f32x4.replace_lane(n, 3, m.friction), offsetof<Manifold>('nx'));
  v128.store(p, f32x4.replace_lane(t, 3, m.restitution), offsetof<Manifold>('tx'));
  for (let i: u32 = 0; i < m.count; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const at: usize = changetype<usize>(point);
    const ra: v128 = rotate3(a, v128.load(at, offsetof<ManifoldPoint>('lax')));
    const rb: v128 = rotate3(b, v128.load(at, offsetof<ManifoldPoint>('lbx')));
    const s: f32 = point.adjust + dot3(n, f32x4.add(d, f32x4.sub(rb, ra)));
    v128.store(at, f32x4.replace_lane(ra, 3, point.impulse), offsetof<ManifoldPoint>('rax'));
    v128.store(at, f32x4.replace_lane(rb, 3, point.maxImpulse), offsetof<ManifoldPoint>('rbx'));
    if (!carry || abs<f32>(s - point.separation) > CARRY) point.separation = s;
  }
}

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
  } else if (separation <= TOUCH_BEGIN && header().sleepingCount != 0) {
    // What comes to touch a sleeper wakes it, even if it lies still itself: it was put there.
    wakeBody(colliderAt(cold.colliderA).body);
    wakeBody(colliderAt(cold.colliderB).body);
  }
  return watch(pair, cold, separation);
}

/** Saves normals, tangents, impulses and anchors of a pair's manifolds for matching. Returns the number of points. */
function saveOld(cold: PairCold): u32 {
  let points: u32 = 0,
    k: u32 = 0;
  let index: u32 = cold.manifold;
  while (index != NONE) {
    fetchLane(index);
    const m: Manifold = manifoldAt(index);
    const p: usize = changetype<usize>(m);
    const old: OldManifold = oldManifold(k);
    const o: usize = changetype<usize>(old);
    v128.store(o, v128.load(p, offsetof<Manifold>('lnx')), offsetof<OldManifold>('nx'));
    v128.store(o, v128.load(p, offsetof<Manifold>('ltx')), offsetof<OldManifold>('tx'));
    old.tangentImpulse1 = m.tangentImpulse1;
    old.tangentImpulse2 = m.tangentImpulse2;
    old.twistImpulse = m.twistImpulse;
    old.rollImpulse1 = m.rollImpulse1;
    old.rollImpulse2 = m.rollImpulse2;
    old.taken = 0;
    const field: usize = !isMoved(m.bodyA) ? offsetof<ManifoldPoint>('lbx') : 0;
    for (let i: u32 = 0; i < m.count; i++) {
      const point: ManifoldPoint = pointOf(m, i);
      const saved: OldPoint = oldPoint(points);
      v128.store(changetype<usize>(saved), f32x4.replace_lane(v128.load(changetype<usize>(point) + field), 3, point.impulse));
      saved.manifold = k;
      saved.taken = 0;
      points++;
    }
    k++;
    index = m.next;
  }
  return points;
}

/** Fills a manifold from a narrow-phase output. `old` points were saved; impulses go to the nearest new point. */
function fillManifold(m: Manifold, out: usize, cold: PairCold, ca: Collider, cb: Collider, d: v128, oldPoints: u32): void {
  const s: usize = contactState();
  const p: usize = changetype<usize>(m);
  const bodyA: usize = s + BODY_A_COLUMNS,
    bodyB: usize = s + BODY_B_COLUMNS,
    shapeA: usize = s + SHAPE_A_COLUMNS;
  const result: ManifoldOut = changetype<ManifoldOut>(out);
  const alignedA: bool = (ca.flags & COLLIDER_ALIGNED) != 0;
  const offsetA: v128 = v128.load(changetype<usize>(ca), offsetof<Collider>('x'));

  let n: v128 = f32x4.replace_lane(v128.load(out, offsetof<ManifoldOut>('nx')), 3, 0);
  if (!alignedA) n = rotate3(s + LOCAL_A_COLUMNS, n);
  const coldA: BodyCold = coldAt(ca.body),
    coldB: BodyCold = coldAt(cb.body);
  const extent: f32 = min<f32>(coldA.extent, coldB.extent);

  // The old manifold whose normal is nearest gives the tangent (so that friction impulses keep their meaning) and the
  // friction impulses themselves.
  let best: u32 = NONE;
  let bestDot: f32 = <f32>0.9;
  const oldManifolds: u32 = oldPoints == 0 ? 0 : oldPoint(oldPoints - 1).manifold + 1;
  for (let k: u32 = 0; k < oldManifolds; k++) {
    if (oldManifold(k).taken != 0) continue;
    const dot: f32 = dot3(n, v128.load(changetype<usize>(oldManifold(k)), offsetof<OldManifold>('nx')));
    if (dot > bestDot) {
      bestDot = dot;
      best = k;
    }
  }
  let t: v128;
  if (best != NONE) {
    const old: OldManifold = oldManifold(best);
    t = v128.load(changetype<usize>(old), offsetof<OldManifold>('tx'));
    t = f32x4.sub(t, f32x4.mul(n, f32x4.splat(dot3(t, n))));
    const length2: f32 = dot3(t, t);
    t = length2 > <f32>0.01 ? f32x4.mul(t, f32x4.splat(1 / sqrt<f32>(length2))) : anyTangent(n);
    m.tangentImpulse1 = old.tangentImpulse1;
    m.tangentImpulse2 = old.tangentImpulse2;
    m.twistImpulse = old.twistImpulse;
    m.rollImpulse1 = old.rollImpulse1;
    m.rollImpulse2 = old.rollImpulse2;
    old.taken = 1;
  } else {
    t = anyTangent(n);
    m.tangentImpulse1 = 0;
    m.tangentImpulse2 = 0;
    m.twistImpulse = 0;
    m.rollImpulse1 = 0;
    m.rollImpulse2 = 0;
  }
  v128.store(p, f32x4.replace_lane(n, 3, 0), offsetof<Manifold>('lnx'));
  v128.store(
    p,
    f32x4.replace_lane(
      t,
      3,
      min<f32>(min<f32>(header().recycleDistance, extent * RECYCLE_FRACTION), ROLL_FRACTION / rollingCurvature(ca, cb)),
    ),
    offsetof<Manifold>('ltx'),
  );

  setContactCount(m, result.count);
  m.feature = result.feature;
  takeMaterial(m, ca, cb);

  // Anchors in the frames of both bodies. All of it is done in the frame of A around the difference of the centers, so that
  // distance from the world's origin costs no precision.
  const rel: v128 = inverseRotate3(bodyA, d);
  const reach2: f32 = extent * extent * <f32>0.04;
  const fixedA: bool = !isMoved(ca.body); // points are found again in the frame of what moves
  let center: v128 = f32x4.splat(0);
  for (let i: u32 = 0; i < result.count; i++) {
    const raw: v128 = v128.load(out + ((<usize>i) << 4), offsetof<ManifoldOut>('x0'));
    const separation: f32 = f32x4.extract_lane(raw, 3);
    let la: v128 = f32x4.replace_lane(raw, 3, 0);
    if (!alignedA) la = f32x4.add(rotate3(s + LOCAL_A_COLUMNS, la), f32x4.replace_lane(offsetA, 3, 0));
    const onB: v128 = f32x4.sub(f32x4.add(la, f32x4.mul(n, f32x4.splat(separation))), rel); // relative to x_B, frame of A
    const lb: v128 = inverseRotate3(bodyB, rotate3(bodyA, onB));

    // Nearest old point that is still free.
    let found: u32 = NONE;
    let nearest: f32 = reach2;
    for (let k: u32 = 0; k < oldPoints; k++) {
      const old: OldPoint = oldPoint(k);
      if (old.taken != 0) continue;
      const e: v128 = f32x4.sub(v128.load(changetype<usize>(old)), fixedA ? lb : la);
      const e2: f32 = dot3(e, e);
      const oldNormal: usize = changetype<usize>(oldManifold(old.manifold)) + offsetof<OldManifold>('nx');
      if (e2 < nearest && dot3(n, v128.load(oldNormal)) > <f32>0.9) {
        nearest = e2;
        found = k;
      }
    }
    let impulse: f32 = 0;
    if (found != NONE) {
      impulse = oldPoint(found).impulse;
      oldPoint(found).taken = 1;
    } else if (fixedA || !isMoved(cb.body)) {
      // What a fixed collider beside this one has borne up to now.
      const ofA: bool = !fixedA;
      const up: v128 = rotate3(bodyA, ofA ? f32x4.neg(n) : n);
      impulse = takeOver(ofA ? cold.colliderA : cold.colliderB, ofA ? cold.colliderB : cold.colliderA, ofA ? la : lb, up);
    }
    const point: ManifoldPoint = pointOf(m, i);
    v128.store(changetype<usize>(point), f32x4.replace_lane(la, 3, 0), offsetof<ManifoldPoint>('lax'));
    v128.store(changetype<usize>(point), f32x4.replace_lane(lb, 3, separation), offsetof<ManifoldPoint>('lbx'));
    point.impulse = impulse;
    point.maxImpulse = 0;
    center = f32x4.add(center, la);
  }
  const inverseCount: f32 = 1 / <f32>result.count;
  center = f32x4.mul(center, f32x4.splat(inverseCount));
  let spread: f32 = 0;
  for (let i: u32 = 0; i < result.count; i++) {
    const e: v128 = f32x4.sub(
      f32x4.replace_lane(v128.load(changetype<usize>(pointOf(m, i)), offsetof<ManifoldPoint>('lax')), 3, 0),
      center,
    );
    spread += sqrt<f32>(dot3(e, e));
  }
  m.patchRadius = max<f32>(spread * inverseCount, TWIST_RADIUS_MIN);
  v128.store(p, f32x4.replace_lane(rel, 3, m.pushCut), offsetof<Manifold>('relX'));
  v128.store(p, quatMul(quatConjugate(rotationOf(ca.body)), rotationOf(cb.body)), offsetof<Manifold>('relQx'));

  // `adjust` makes the separation from anchors equal to the one the narrow phase measured.
  refreshManifold(m, d, false);
  takeSurface(m, ca, cb);
  for (let i: u32 = 0; i < result.count; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const separation: f32 = load<f32>(out + ((<usize>i) << 4), offsetof<ManifoldOut>('s0'));
    point.adjust = separation - point.separation;
    point.separation = separation;
  }
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

/** Runs the narrow phase for a pair and replaces its manifolds. Returns false without memory. */
function fullTest(pair: u32, cold: PairCold, ca: Collider, cb: Collider, d: v128, path: f64): bool {
  const h: Header = header();
  const s: usize = contactState();
  h.fullTests++;
  storePairPose(s, ca, cb, d);
  const rowA: usize = <usize>h.bodyRows + <usize>ca.body * BODY_ROW_STRIDE,
    rowB: usize = <usize>h.bodyRows + <usize>cb.body * BODY_ROW_STRIDE;
  const dv: v128 = f32x4.sub(v128.load(rowB), v128.load(rowA));
  const wa: v128 = v128.load(rowA, 16),
    wb: v128 = v128.load(rowB, 16);
  const travel: f32 =
    (sqrt<f32>(dot3(dv, dv)) +
      sqrt<f32>(dot3(wa, wa)) * coldAt(ca.body).extent +
      sqrt<f32>(dot3(wb, wb)) * coldAt(cb.body).extent) *
    h.dt;
  const sensor: bool = (cold.flags & 2) != 0;
  // The margin follows the approach within one step, so that fast bodies meet what they are about to hit.
  const extent: f32 = min<f32>(coldAt(ca.body).extent, coldAt(cb.body).extent);
  const bullet: bool = ((coldAt(ca.body).flags | coldAt(cb.body).flags) & FLAG_BULLET) != 0;
  const passing: bool = isMoved(ca.body) && isMoved(cb.body) && sqrt<f32>(dot3(dv, dv)) * h.dt > extent;
  const approach: f32 = bullet || !isMoved(ca.body) || !isMoved(cb.body) ? travel : sqrt<f32>(dot3(dv, dv)) * h.dt;
  const margin: f32 = sensor ? 0 : h.speculativeMargin + min<f32>(approach, extent);
  const out: usize = s + OUTPUTS;
  const shapeA: usize = <usize>h.shapes + <usize>ca.shape * SHAPE_STRIDE,
    shapeB: usize = <usize>h.shapes + <usize>cb.shape * SHAPE_STRIDE;
  changetype<ManifoldOut>(out).gap = 0;
  changetype<ManifoldOut>(out).pad0 = 0;
  const cache: usize = changetype<usize>(cold) + offsetof<PairCold>('cache');
  let found: u32 = collide(shapeA, shapeB, s + REL_POSE, out, cache, margin);
  // A pair without what was dropped is looked at again after the motion that a touching pair is.
  if (!sensor && (found != 0 || cold.manifold != NONE))
    found = dropInternalEdges(cold, ca, cb, found, margin, <f32>REFRESH + h.speculativeMargin * <f32>0.5);
  const isOpen: bool = !sensor && ((ca.flags | cb.flags) & COLLIDER_ONE_WAY) != 0;
  const passes: bool = isOpen && found != 0 && isPassing(cold, ca, cb, out, found);
  const hot: PairHot = pairHot(pair);
  // Manifolds from `meeting` on are those of a meeting later in the step.
  let meeting: u32 = NONE;
  if (travel > SLOW && !sensor && !passes && (found != 0 || changetype<ManifoldOut>(out).gap < travel)) {
    const total: u32 = lookAhead(ca, cb, cache, d, found, travel, margin);
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
    if (cold.manifold != NONE) releaseManifolds(cold);
    if (found != 0 || changetype<ManifoldOut>(out).pad0 != BORNE_BESIDE) setTouching(cold, found != 0);
    unwatch(cold);
    // Motion that may close the gap down to half the speculative margin; from there on the pair is tested again.
    const gap: f32 = found != 0 ? 0 : changetype<ManifoldOut>(out).gap;
    const reach: f32 = max<f32>(gap - h.speculativeMargin * <f32>0.5, 0);
    // Of two static bodies none moves until a call looks at the pair again.
    hot.budget = typeOf(ca.body) + typeOf(cb.body) == BODY_STATIC ? Infinity : path + <f64>reach;
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
    let index: u32 = current;
    if (index == NONE) {
      index = beginContact(pair, ca.body, cb.body);
      if (index == NONE) return false;
      if (previous == NONE) cold.manifold = index;
      else manifoldAt(previous).next = index;
    } else {
      current = manifoldAt(index).next;
    }
    const m: Manifold = manifoldAt(index);
    if (k == meeting) from = enterMeeting();
    fillManifold(m, out + <usize>k * MANIFOLD_OUT_STRIDE, cold, ca, cb, from, oldPoints);
    if (meeting != NONE) settleAhead(m, k);
    if (passing) m.maxDrift = min<f32>(m.maxDrift, PASSING);
    noteChange(index);
    if (usesLanes(h.solver) && !isResting(m) && !markLane(index)) return false;
    previous = index;
  }
  // Manifolds that found no successor.
  manifoldAt(previous).next = NONE;
  while (current != NONE) {
    const next: u32 = manifoldAt(current).next;
    releaseLane(current);
    endContact(current);
    current = next;
  }
  if (!updateTouching(pair, cold, extent)) return false;
  wakeAcross(ca.body, cb.body);
  hot.budget = meeting == NONE ? path + REFRESH : path;
  return true;
}

/**
 * Whether a pair that was apart stays so in this step, by the motion of its bodies against each other: two bodies that fall
 * side by side use up no gap. If so, what is left of its reach is its budget. Boxes that parted are found now and then.
 */
function staysApart(pair: u32, hot: PairHot, motion: f64): bool {
  const h: Header = header();
  const gap: PairGap = gapAt(pair);
  if (hot.budget < 0 || gap.reach == 0 || ((h.stepCount + pair) & BOXES_EVERY) == 0) return false;
  const a: u32 = hot.bodyA,
    b: u32 = hot.bodyB;
  const paths: usize = h.paths,
    rows: usize = h.bodyRows;
  const va: v128 = v128.load(rows + <usize>a * BODY_ROW_STRIDE),
    vb: v128 = v128.load(rows + <usize>b * BODY_ROW_STRIDE);
  const moved: v128 = f32x4.sub(centerDifference(a, b), v128.load(changetype<usize>(gap)));
  const ahead: v128 = f32x4.add(moved, f32x4.mul(f32x4.sub(vb, va), f32x4.splat(h.dt)));
  const path: f64 = load<f64>(paths + ((<usize>a) << 3)) + load<f64>(paths + ((<usize>b) << 3));
  const turned: f32 = <f32>(turnPath(a) + turnPath(b) - gap.turn);
  const turns: f32 = <f32>(motion - path) - (sqrt<f32>(dot3(va, va)) + sqrt<f32>(dot3(vb, vb))) * h.dt;
  const used: f32 = sqrt<f32>(dot3(moved, moved)) + turned;
  if (max<f32>(used, sqrt<f32>(dot3(ahead, ahead)) + turned + max<f32>(turns, 0)) >= gap.reach) return false;
  hot.budget = path + <f64>(gap.reach - used);
  return true;
}

function isSurface(c: Collider): bool {
  return changetype<Shape>(<usize>header().shapes + <usize>c.shape * SHAPE_STRIDE).type >= SHAPE_MESH;
}

/**
 * How far A has gone over a surface B that moves since the last full test, in the frame of B: a large one that turns brings other
 * triangles under what stands still. Rotations of both bodies must lie in the scratch columns.
 */
function driftOn(m: Manifold, d: v128): v128 {
  const p: usize = changetype<usize>(m);
  const b: usize = contactState() + BODY_B_COLUMNS,
    old: usize = contactState() + LOCAL_A_COLUMNS;
  storeRotation(v128.load(p, offsetof<Manifold>('relQx')), old);
  const now: v128 = inverseRotate3(b, d),
    then: v128 = inverseRotate3(old, f32x4.replace_lane(v128.load(p, offsetof<Manifold>('relX')), 3, 0));
  return f32x4.sub(f32x4.replace_lane(now, 3, 0), then);
}

/** Looks at one pair whose budget is used up. Returns 0 done, 1 pair removed, 2 out of memory. */
function visit(pair: u32): u32 {
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
  const qa: v128 = rotationOf(ca.body),
    qb: v128 = rotationOf(cb.body);
  storeRotation(qa, s + BODY_A_COLUMNS);
  storeRotation(qb, s + BODY_B_COLUMNS);
  const d: v128 = centerDifference(ca.body, cb.body);
  if (cold.manifold != NONE) {
    const first: Manifold = manifoldAt(cold.manifold);
    const p: usize = changetype<usize>(first);
    let e: v128 = f32x4.sub(inverseRotate3(s + BODY_A_COLUMNS, d), v128.load(p, offsetof<Manifold>('relX')));
    if (typeOf(cb.body) == BODY_KINEMATIC && isSurface(cb)) e = driftOn(first, d);
    const turn: v128 = quatMul(quatConjugate(v128.load(p, offsetof<Manifold>('relQx'))), quatMul(quatConjugate(qa), qb));
    const angle: f32 = 2 * sqrt<f32>(dot3(turn, turn)); // 2 sin(angle / 2): equal to the angle to 0.2 % below 10 degrees
    const extent: f32 = min<f32>(coldAt(ca.body).extent, coldAt(cb.body).extent);
    const limit: f32 = min<f32>(first.maxDrift, h.recycleDistance);
    if (angle < RECYCLE_ANGLE && sqrt<f32>(dot3(e, e)) + angle * extent < limit) {
      let index: u32 = cold.manifold;
      const lanes: bool = usesLanes(h.solver) && !isResting(first);
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
      if (!updateTouching(pair, cold, extent)) return 2;
      wakeAcross(ca.body, cb.body);
      pairHot(pair).budget = path + REFRESH;
      return 0;
    }
  }
  return fullTest(pair, cold, ca, cb, d, path) ? 0 : 2;
}

/** The pair walk. Returns false if memory ran out (header error set; the pair that failed is visited again). */
export function updateContacts(): bool {
  const h: Header = header();
  h.fullTests = 0;
  h.pairVisits = 0;
  h.deepVisits = 0;
  forgetGivenUp();
  forgetSharedFaces();
  const motions: usize = h.motions;
  let i: u32 = 0;
  while (i < h.awakePairs) {
    const hot: PairHot = pairHot(i);
    const motion: f64 = load<f64>(motions + ((<usize>hot.bodyA) << 3)) + load<f64>(motions + ((<usize>hot.bodyB) << 3));
    if (motion < hot.budget) {
      i++;
      continue;
    }
    const cold: PairCold = pairCold(i);
    if (cold.manifold == NONE && staysApart(i, hot, motion)) {
      i++;
      continue;
    }
    const result: u32 = visit(i);
    if (result == 2) return false;
    if (result == 0) i++;
  }
  return true;
}
