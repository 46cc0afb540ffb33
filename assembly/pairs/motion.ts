// Decides about one pair whose budget is used up: does it stay apart, can its manifolds be recycled, or must the narrow phase
// run? All of it depends only on poses, velocities and the stored data of the pair, and changes only the scratch of the thread.
// Input: pair, bodies, colliders. Output: poses and outputs in the contact scratch, PairMotion.
import { FLAG_BULLET, centerAt, coldAt, isMoved, rotationOf, rowAt, typeOf } from '../bodies/rows';
import { manifoldAt } from '../constraints/manifolds';
import { gapAt } from '../constraints/pair_rows';
import {
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  BODY_KINEMATIC,
  BODY_ROW_STRIDE,
  BodyCenter,
  BodyRow,
  Collider,
  Header,
  LOCAL_A_COLUMNS,
  MANIFOLD_OUT_STRIDE,
  MAX_OUTPUTS,
  Manifold,
  ManifoldOut,
  OUTPUTS,
  PAIR_MOTION,
  PairCold,
  PairGap,
  PairHot,
  PairMotion,
  REL_POSE,
  SHAPE_A_COLUMNS,
  SHAPE_CYLINDER,
  SHAPE_MESH,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { inverseRotate3, quatConjugate, quatMul, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { collide } from '../narrowphase/dispatch';
import { poseDirection, posePoint } from '../narrowphase/polyhedron';
import { contactState } from '../scratch/contact_state';

// Largest turn (rad) under which a manifold is recycled.
const RECYCLE_ANGLE: f32 = 0.1745;
// Sine of the tilt from which on a cylinder rolls on its rim; below it stands or lies.
const LEAST_TILT: f32 = 0.02;
// A cylinder rolls where its lowest point goes round the rim so many times as fast as its axis tips over.
const ROLLS: f32 = 4;
// Largest turn (rad) of the axis of such a cylinder up to the middle of the step.
const FARTHEST: f32 = 0.25;
// Mask of the steps between two looks at the boxes of a pair that is known to be apart.
const BOXES_EVERY: u32 = 7;
// Outputs of tests that do not say which feature it was.
const FEATURES: u32 = 4;

/** Result of measureMotion. */
export function pairMotion(): PairMotion {
  return changetype<PairMotion>(contactState() + PAIR_MOTION);
}

/** x_B - x_A of two bodies from high and low parts of their centers. */
export function centerDifference(a: u32, b: u32): v128 {
  const pa: BodyCenter = centerAt(a),
    pb: BodyCenter = centerAt(b);
  return f32x4.add(f32x4.sub(pb.xyz, pa.xyz), f32x4.sub(pb.l, pa.l));
}

/**
 * The value to compare with the budget of a pair: the paths of its bodies at the end of the step at their present velocities (m).
 */
export function motionOf(hot: PairHot): f64 {
  const motions: usize = header().motions;
  return load<f64>(motions + ((<usize>hot.bodyA) << 3)) + load<f64>(motions + ((<usize>hot.bodyB) << 3));
}

/** Length that any point of a body may have gone so far by its rotation (m). */
export function turnPath(body: u32): f64 {
  return load<f64>(<usize>header().turnPaths + ((<usize>body) << 3));
}

/**
 * The new budget of a pair that was apart if it stays so in this step, by the motion of its bodies against each other: two
 * bodies that fall side by side use up no gap. Else -1. Boxes that parted are found now and then.
 */
export function apartBudget(pair: u32, hot: PairHot, motion: f64): f64 {
  const h: Header = header();
  const gap: PairGap = gapAt(pair);
  if (hot.budget < 0 || gap.reach == 0 || ((h.stepCount + pair) & BOXES_EVERY) == 0) return -1;
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
  if (max<f32>(used, sqrt<f32>(dot3(ahead, ahead)) + turned + max<f32>(turns, 0)) >= gap.reach) return -1;
  return path + <f64>(gap.reach - used);
}

function isSurface(c: Collider): bool {
  return changetype<Shape>(<usize>header().shapes + <usize>c.shape * SHAPE_STRIDE).type >= SHAPE_MESH;
}

/**
 * How far A has moved over a surface B since the last full test, in the frame of B: a large surface that turns brings other
 * triangles under a body at rest. Rotations of both bodies must lie in the scratch columns.
 */
function driftOn(m: Manifold, d: v128): v128 {
  const b: usize = contactState() + BODY_B_COLUMNS,
    old: usize = contactState() + LOCAL_A_COLUMNS;
  storeRotation(m.relQ, old);
  const now: v128 = inverseRotate3(b, d),
    then: v128 = inverseRotate3(old, f32x4.replace_lane(m.rel, 3, 0));
  return f32x4.sub(f32x4.replace_lane(now, 3, 0), then);
}

/** Whether the bodies of a pair with manifolds moved little since its last test. Scratch as for driftOn. */
export function isRecycled(cold: PairCold, ca: Collider, cb: Collider, d: v128): bool {
  const s: usize = contactState();
  const first: Manifold = manifoldAt(cold.manifold);
  let e: v128 = f32x4.sub(inverseRotate3(s + BODY_A_COLUMNS, d), first.rel);
  if (typeOf(cb.body) == BODY_KINEMATIC && isSurface(cb)) e = driftOn(first, d);
  const qa: v128 = rotationOf(ca.body),
    qb: v128 = rotationOf(cb.body);
  const turn: v128 = quatMul(quatConjugate(first.relQ), quatMul(quatConjugate(qa), qb));
  const angle: f32 = 2 * sqrt<f32>(dot3(turn, turn)); // 2 sin(angle / 2): equal to the angle to 0.2 % below 10 degrees
  const extent: f32 = min<f32>(coldAt(ca.body).extent, coldAt(cb.body).extent);
  const limit: f32 = min<f32>(first.maxDrift, header().recycleDistance);
  return angle < RECYCLE_ANGLE && sqrt<f32>(dot3(e, e)) + angle * extent < limit;
}

/** Fills pairMotion(). */
export function measureMotion(ca: Collider, cb: Collider, sensor: bool): void {
  const h: Header = header();
  const rowA: BodyRow = rowAt(ca.body),
    rowB: BodyRow = rowAt(cb.body);
  const dv: v128 = f32x4.sub(rowB.v, rowA.v);
  const wa: v128 = rowA.w,
    wb: v128 = rowB.w;
  const speed: f32 = sqrt<f32>(dot3(dv, dv));
  const extentA: f32 = coldAt(ca.body).extent,
    extentB: f32 = coldAt(cb.body).extent;
  const travel: f32 = (speed + sqrt<f32>(dot3(wa, wa)) * extentA + sqrt<f32>(dot3(wb, wb)) * extentB) * h.dt;
  // The margin follows the approach within one step, so that fast bodies get contacts with obstacles ahead.
  const extent: f32 = min<f32>(extentA, extentB);
  const bullet: bool = ((coldAt(ca.body).flags | coldAt(cb.body).flags) & FLAG_BULLET) != 0;
  const free: bool = isMoved(ca.body) && isMoved(cb.body);
  const approach: f32 = bullet || !free ? travel : speed * h.dt;
  const m: PairMotion = pairMotion();
  m.travel = travel;
  m.margin = sensor ? 0 : h.speculativeMargin + min<f32>(approach, extent);
  m.extent = extent;
  m.passing = free && speed * h.dt > extent ? 1 : 0;
}

/** The narrow phase at the poses in the scratch, `cache` that of the pair or a copy. Returns the number of outputs. */
export function runTest(ca: Collider, cb: Collider, cache: usize, margin: f32): u32 {
  const h: Header = header();
  const s: usize = contactState();
  const out: usize = s + OUTPUTS;
  const shapeA: usize = <usize>h.shapes + <usize>ca.shape * SHAPE_STRIDE,
    shapeB: usize = <usize>h.shapes + <usize>cb.shape * SHAPE_STRIDE;
  changetype<ManifoldOut>(out).gap = 0;
  changetype<ManifoldOut>(out).pad0 = 0;
  // Not all tests say which feature it was: nothing of the pair before may stay.
  for (let k: u32 = 0; k < FEATURES; k++) changetype<ManifoldOut>(out + <usize>k * MANIFOLD_OUT_STRIDE).feature = 0;
  let count: u32 = collide(shapeA, shapeB, s + REL_POSE, out, cache, margin);
  if (changetype<Shape>(shapeA).type == SHAPE_CYLINDER) count = keepRim(ca, cb, changetype<Shape>(shapeA), false, count);
  if (changetype<Shape>(shapeB).type == SHAPE_CYLINDER) count = keepRim(ca, cb, changetype<Shape>(shapeB), true, count);
  return count;
}

/**
 * A cylinder that is tilted, and will be at the end of the step, touches by the lowest point of its rim, and rolls on. That point
 * is a manifold of its own: a manifold has its friction at the mean of its points, which would brake the roll. Its arm is that of
 * the middle of the step, since the solver keeps it. The other points of the rim, a second manifold, stop the cylinder if it
 * falls onto them. They move round too. The solver assumes that they move along their tangent and so below the surface, although
 * they only come down on it; so the lift by the rotation of the step is added to their separations. Returns the number of
 * manifolds.
 */
function keepRim(ca: Collider, cb: Collider, shape: Shape, isB: bool, count: u32): u32 {
  const h: Header = header();
  const s: usize = contactState();
  let found: u32 = count;
  const rowA: BodyRow = rowAt(ca.body),
    rowB: BodyRow = rowAt(cb.body);
  const v: v128 = inverseRotate3(s + SHAPE_A_COLUMNS, f32x4.sub(rowB.v, rowA.v));
  const spin: v128 = inverseRotate3(s + SHAPE_A_COLUMNS, f32x4.sub(rowB.w, rowA.w));
  const w: v128 = isB ? spin : f32x4.neg(spin);
  const y: v128 = vec3W(0, 1, 0);
  const axis: v128 = isB ? poseDirection(s + REL_POSE, y) : y;
  const turn: v128 = cross3(w, axis);
  const center: v128 = isB ? posePoint(s + REL_POSE, splatW(0)) : splatW(0);
  const fall: f32 = h.dt * h.dt * sqrt<f32>(h.gravityX * h.gravityX + h.gravityY * h.gravityY + h.gravityZ * h.gravityZ);
  const half: v128 = splatW(min<f32>(0.5 * h.dt, FARTHEST / max<f32>(sqrt<f32>(dot3(turn, turn)), <f32>1e-6)));
  for (let k: u32 = 0; k < count; k++) {
    const out: usize = s + OUTPUTS + <usize>k * MANIFOLD_OUT_STRIDE;
    const m: ManifoldOut = changetype<ManifoldOut>(out);
    if (m.count < 2) continue;
    const n: v128 = vec3W(m.nx, m.ny, m.nz);
    const down: v128 = isB ? f32x4.neg(n) : n;
    // Sines of the angles from lying on the side and from standing on a cap, and how far they may go back in the step.
    const side: f32 = dot3(n, axis);
    const lying: f32 = abs<f32>(side),
      standing: f32 = sqrt<f32>(max<f32>(1 - side * side, 0));
    const rate: f32 = (side < 0 ? -h.dt : h.dt) * dot3(n, turn);
    const fallen: f32 = h.dt * max<f32>(-dot3(n, v), 0) + fall;
    // How fast the lowest point goes round the rim: its direction turns with the axis, the rim with its spin.
    const low: v128 = f32x4.mul(
      f32x4.sub(down, f32x4.mul(axis, splatW(dot3(axis, down)))),
      splatW(1 / max<f32>(standing, LEAST_TILT)),
    );
    const round: f32 = (dot3(turn, cross3(axis, low)) * dot3(axis, down)) / max<f32>(standing, LEAST_TILT) + dot3(w, axis);
    // A body that tips over more than it rolls will come down on the points ahead.
    if (!(abs<f32>(round * h.dt) * standing * standing > ROLLS * abs<f32>(rate))) continue;
    if (!(standing > LEAST_TILT + max<f32>(rate, 0) / max<f32>(standing, LEAST_TILT) + fallen / shape.p0)) continue;
    if (!(lying > LEAST_TILT + max<f32>(-rate, 0) / max<f32>(standing, LEAST_TILT) + fallen / shape.p1)) continue;
    let deepest: u32 = 0;
    for (let i: u32 = 1; i < m.count; i++) {
      if (separationOf(out, i) < separationOf(out, deepest)) deepest = i;
    }
    const raw: v128 = v128.load(out + ((<usize>deepest) << 4), offsetof<ManifoldOut>('x0'));
    const way: v128 = f32x4.sub(rimAt(shape, down, f32x4.add(axis, f32x4.mul(turn, half))), rimAt(shape, down, axis));
    if (found < MAX_OUTPUTS) {
      const share: f32 = <f32>0.5 * standing * (round * h.dt) * (round * h.dt);
      const rest: usize = s + OUTPUTS + <usize>found * MANIFOLD_OUT_STRIDE;
      found++;
      memory.copy(rest, out, offsetof<ManifoldOut>('x0'));
      let to: usize = rest;
      for (let i: u32 = 0; i < m.count; i++) {
        if (i == deepest) continue;
        const p: v128 = v128.load(out + ((<usize>i) << 4), offsetof<ManifoldOut>('x0'));
        const lift: f32 = share * max<f32>(dot3(low, f32x4.sub(p, center)), 0);
        v128.store(to, f32x4.replace_lane(p, 3, f32x4.extract_lane(p, 3) + lift), offsetof<ManifoldOut>('x0'));
        to += 16;
      }
      changetype<ManifoldOut>(rest).count = m.count - 1;
    }
    v128.store(out, f32x4.add(raw, way), offsetof<ManifoldOut>('x0'));
    m.count = 1;
  }
  return found;
}

/** The point of the rim of a cylinder that lies farthest along `down`, from its middle; `axis` need not be of length 1. */
function rimAt(shape: Shape, down: v128, axis: v128): v128 {
  const a: v128 = f32x4.mul(axis, splatW(1 / sqrt<f32>(dot3(axis, axis))));
  const along: f32 = dot3(down, a);
  const t: v128 = f32x4.sub(down, f32x4.mul(a, splatW(along)));
  const out: v128 = f32x4.mul(t, splatW(shape.p0 / sqrt<f32>(max<f32>(dot3(t, t), <f32>1e-12))));
  return f32x4.replace_lane(f32x4.add(out, f32x4.mul(a, splatW(along > 0 ? shape.p1 : -shape.p1))), 3, 0);
}

function separationOf(out: usize, point: u32): f32 {
  return load<f32>(out + ((<usize>point) << 4), offsetof<ManifoldOut>('s0'));
}
