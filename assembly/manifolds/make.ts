// Fills manifolds from outputs of the narrow phase: frames, anchors, and impulses that pass from old points to the nearest new
// ones.
//
// A manifold is filled in its row, or in an image of it by another thread (test.ts). So nothing here except transferImpulse looks
// at other pairs.
// Input: outputs and poses in the contact scratch, present manifolds of the pair. Output: Manifold.
import { coldAt, isMoved, rotationOf } from '../bodies/rows';
import { excessIn, pointOf } from '../constraints/manifolds';
import {
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  BodyCold,
  COLLIDER_ALIGNED,
  Collider,
  LOCAL_A_COLUMNS,
  MANIFOLD_POINT_STRIDE,
  Manifold,
  ManifoldOut,
  ManifoldPoint,
  NONE,
  PairCold,
  SHAPE_A_COLUMNS,
} from '../layout.generated';
import { dot3 } from '../math/lane';
import { inverseRotate3, quatConjugate, quatMul, rotate3 } from '../math/quat';
import { header } from '../memory/header';
import { contactState, oldManifold } from '../scratch/contact_state';
import { alike, oldExcess, oldImpulse, takeManifold, takePoint } from './match';
import { easeFriction, rollingCurvature, takeMaterial, takeSurface } from './material';
import { transferImpulse } from './transfer';

// Recycling also ends at this fraction of the smaller body's extent.
const RECYCLE_FRACTION: f32 = 0.05;
// And at this fraction of the rolling radius: a point that has stayed behind by d lets a ball sink by d^2 / 2r, which the next
// test pushes out again, as if it rolled down a slope of d / 2r.
const ROLL_FRACTION: f32 = 0.004;
// Separations of solver and poses that agree to this (m) are the same; the solver's is kept.
const CARRY: f32 = 1e-6;
// A point goes on as one that is nearer than a fifth of the smaller body's extent; squared.
const REACH2: f32 = 0.04;
// Shortest arm of the twist row (m) (docs/contact_rows.md).
const TWIST_RADIUS_MIN: f32 = 0.005;

/** Whether to take impulses from neighboring fixed colliders: yes; no, since there is none; not by this thread. */
export const ASK: u32 = 0;
export const ASK_NOBODY: u32 = 1;
export const ASK_LATER: u32 = 2;

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

/** Address of the separation of the first point in a record. */
export function separationsIn(m: Manifold): usize {
  return changetype<usize>(pointOf(m, 0)) + offsetof<ManifoldPoint>('separation');
}

/**
 * World-frame data of a manifold from its anchors: normal, tangent, rA, rB; and separations, which lie at an address, `stride`
 * bytes apart. Rotations of both bodies must lie in the scratch columns. `carry` keeps separations of the solver where poses
 * agree.
 */
export function refreshManifold(m: Manifold, d: v128, separations: usize, stride: usize, carry: bool): void {
  const a: usize = contactState() + BODY_A_COLUMNS,
    b: usize = contactState() + BODY_B_COLUMNS;
  const n: v128 = rotate3(a, m.ln);
  const t: v128 = rotate3(a, m.lt);
  m.n = f32x4.replace_lane(n, 3, m.friction);
  m.t = f32x4.replace_lane(t, 3, m.restitution);
  for (let i: u32 = 0; i < m.count; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const ra: v128 = rotate3(a, point.la);
    const rb: v128 = rotate3(b, point.lb);
    const s: f32 = point.adjust + dot3(n, f32x4.add(d, f32x4.sub(rb, ra)));
    point.ra = f32x4.replace_lane(ra, 3, point.impulse);
    point.rb = f32x4.replace_lane(rb, 3, point.maxImpulse);
    const separation: usize = separations + <usize>i * stride;
    if (!carry || abs<f32>(s - load<f32>(separation)) > CARRY) store<f32>(separation, s);
  }
}

/**
 * The old manifold whose normal is nearest gives the tangent, which is returned, so that friction impulses keep their meaning,
 * and the friction impulses themselves.
 */
function takeFriction(m: Manifold, near: u32, n: v128): v128 {
  const best: u32 = takeManifold(near, n);
  let t: v128 = f32x4.splat(0),
    friction: v128 = f32x4.splat(0),
    rolling: v128 = f32x4.splat(0);
  if (best != NONE) {
    t = oldManifold(best).tangent;
    t = f32x4.sub(t, f32x4.mul(n, f32x4.splat(dot3(t, n))));
    friction = oldManifold(best).friction;
    rolling = oldManifold(best).rolling;
  }
  const length2: f32 = dot3(t, t);
  m.tangentImpulse1 = f32x4.extract_lane(friction, 0);
  m.tangentImpulse2 = f32x4.extract_lane(friction, 1);
  m.twistImpulse = f32x4.extract_lane(friction, 2);
  m.rollImpulse1 = f32x4.extract_lane(rolling, 0);
  m.rollImpulse2 = f32x4.extract_lane(rolling, 1);
  return length2 > <f32>0.01 ? f32x4.mul(t, f32x4.splat(1 / sqrt<f32>(length2))) : anyTangent(n);
}

/** Mean distance of the points of a manifold from their mean, of which `sum` is the sum, m. */
function patchRadiusOf(m: Manifold, count: u32, sum: v128): f32 {
  const inverseCount: f32 = 1 / <f32>count;
  const center: v128 = f32x4.mul(sum, f32x4.splat(inverseCount));
  let spread: f32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const e: v128 = f32x4.sub(f32x4.replace_lane(pointOf(m, i).la, 3, 0), center);
    spread += sqrt<f32>(dot3(e, e));
  }
  return max<f32>(spread * inverseCount, TWIST_RADIUS_MIN);
}

/**
 * Fills a manifold, whose number of points is set, from a narrow-phase output. `olds` manifolds were saved; impulses go to the
 * nearest new point, and from other pairs as `ask` says. False if one would have to be asked that may not be.
 */
export function fillManifold(
  m: Manifold,
  out: usize,
  cold: PairCold,
  ca: Collider,
  cb: Collider,
  d: v128,
  olds: u32,
  ask: u32,
): bool {
  const s: usize = contactState();
  const bodyA: usize = s + BODY_A_COLUMNS,
    bodyB: usize = s + BODY_B_COLUMNS,
    shapeA: usize = s + SHAPE_A_COLUMNS;
  const result: ManifoldOut = changetype<ManifoldOut>(out);
  const alignedA: bool = (ca.flags & COLLIDER_ALIGNED) != 0;
  const offsetA: v128 = ca.xyz;

  let n: v128 = f32x4.replace_lane(v128.load(out, offsetof<ManifoldOut>('nx')), 3, 0);
  if (!alignedA) n = rotate3(s + LOCAL_A_COLUMNS, n);
  const coldA: BodyCold = coldAt(ca.body),
    coldB: BodyCold = coldAt(cb.body);
  const extent: f32 = min<f32>(coldA.extent, coldB.extent);

  const near: u32 = alike(olds, n);
  const t: v128 = takeFriction(m, near, n);
  m.ln = f32x4.replace_lane(n, 3, 0);
  m.lt = f32x4.replace_lane(
    t,
    3,
    min<f32>(min<f32>(header().recycleDistance, extent * RECYCLE_FRACTION), ROLL_FRACTION / rollingCurvature(ca, cb)),
  );

  m.feature = result.feature;
  takeMaterial(m, ca, cb);

  // Anchors in the frames of both bodies. All of it is done in the frame of A around the difference of the centers, so that
  // distance from the world's origin costs no precision.
  const rel: v128 = inverseRotate3(bodyA, d);
  const reach2: f32 = extent * extent * REACH2;
  const fixedA: bool = !isMoved(ca.body); // points are found again in the frame of what moves
  let center: v128 = f32x4.splat(0);
  for (let i: u32 = 0; i < result.count; i++) {
    const raw: v128 = v128.load(out + ((<usize>i) << 4), offsetof<ManifoldOut>('x0'));
    const separation: f32 = f32x4.extract_lane(raw, 3);
    let la: v128 = f32x4.replace_lane(raw, 3, 0);
    if (!alignedA) la = f32x4.add(rotate3(s + LOCAL_A_COLUMNS, la), f32x4.replace_lane(offsetA, 3, 0));
    const onB: v128 = f32x4.sub(f32x4.add(la, f32x4.mul(n, f32x4.splat(separation))), rel); // relative to x_B, frame of A
    const lb: v128 = inverseRotate3(bodyB, rotate3(bodyA, onB));

    const found: u32 = takePoint(near, fixedA ? lb : la, reach2);
    let impulse: f32 = 0,
      excess: f32 = 0;
    if (found != NONE) {
      impulse = oldImpulse(found);
      excess = oldExcess(found);
    } else if (fixedA || !isMoved(cb.body)) {
      if (ask == ASK_LATER) return false;
      // The impulse that a neighboring fixed collider has carried so far.
      const ofA: bool = !fixedA;
      const up: v128 = rotate3(bodyA, ofA ? f32x4.neg(n) : n);
      if (ask == ASK)
        impulse = transferImpulse(
          ofA ? cold.colliderA : cold.colliderB,
          ofA ? cold.colliderB : cold.colliderA,
          ofA ? la : lb,
          up,
        );
    }
    const point: ManifoldPoint = pointOf(m, i);
    point.la = f32x4.replace_lane(la, 3, 0);
    point.lb = f32x4.replace_lane(lb, 3, separation);
    point.impulse = impulse;
    point.maxImpulse = 0;
    store<f32>(excessIn(m, i), excess);
    center = f32x4.add(center, la);
  }
  m.patchRadius = patchRadiusOf(m, result.count, center);
  m.rel = f32x4.replace_lane(rel, 3, m.pushCut);
  m.relQ = quatMul(quatConjugate(rotationOf(ca.body)), rotationOf(cb.body));

  // `adjust` makes the separation from anchors equal to the one the narrow phase measured.
  refreshManifold(m, d, separationsIn(m), MANIFOLD_POINT_STRIDE, false);
  easeFriction(m, ca.body, cb.body, separationsIn(m), MANIFOLD_POINT_STRIDE);
  takeSurface(m, ca, cb);
  for (let i: u32 = 0; i < result.count; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const separation: f32 = load<f32>(out + ((<usize>i) << 4), offsetof<ManifoldOut>('s0'));
    point.adjust = separation - point.separation;
    point.separation = separation;
  }
  return true;
}
