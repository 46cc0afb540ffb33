// Speculative contacts: contacts with a gap are kept only if the motion of this step closes them, and recomputed for the time of
// impact.
//
// A contact with a gap is a row that stops motion along a normal frozen at the start of the step (speculative contacts; Firth,
// 2011; Catto, Box2D). For fast bodies this goes wrong in two ways. A body that only passes by is stopped by a normal that is
// outdated when it gets there. And the narrow phase does not find obstacles beyond its margin, so a body passes through them. So:
//   - A row is dropped if its point crosses the border of the face it comes from and the shapes then miss each other.
//   - A row is kept if this motion does not reach it. It is also kept if its two contact points are within CLEAR of each other
//     when it closes, or if two flat patches still overlap by then: the frozen normal is right. Slow pairs end here.
//   - Any other pair is swept over the free motion of the step, rotation included (narrowphase/advance.ts).
//   - Without an impact, rows that would act on the free motion get a larger separation until they do not act. They still guard
//     against motion that the solver adds.
//   - For an impact at time t, the ordinary narrow phase runs at the poses of t. Normal, anchors and arms are those of the
//     impact. Each separation is moved back along the free motion, so that the linear row is exact at t.
// Bodies that move farther relative to each other than the smaller one's size are also swept if nothing was found within the
// margin.
// Input: outputs of the narrow phase, poses, velocities, forces. Output: outputs at t after those of now, corrected manifolds.
import { sweptSpin } from '../bodies/limits';
import { freeLanes, locksOf } from '../bodies/locks';
import { FLAG_ASLEEP, FLAG_FORCED, FLAG_TYPE, coldAt, inertiaAt, isMoved, rotationOf, rowAt } from '../bodies/rows';
import { firstJoint, jointAt, nextJoint, otherSide } from '../constraints/joints';
import { pointOf } from '../constraints/manifolds';
import { leastSubsteps, substepsOf } from '../lanes/batches';
import {
  AHEAD,
  AHEAD_MOTION,
  AHEAD_OUTPUTS,
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  BODY_DYNAMIC,
  BODY_ROW_STRIDE,
  BodyCold,
  BodyInertia,
  BodyRow,
  COLLIDER_ALIGNED,
  Collider,
  Header,
  JOINT_ENABLED,
  Joint,
  LOOK_AHEAD,
  LookAhead,
  MANIFOLD_OUT_STRIDE,
  MAX_OUTPUTS,
  MESH_TRIANGLE_STRIDE,
  Manifold,
  ManifoldOut,
  ManifoldPoint,
  MeshBlob,
  MeshTriangle,
  Motion,
  NONE,
  OUTPUTS,
  PAIR_POSES_STRIDE,
  REL_POSE,
  RelPose,
  SHAPE_A_COLUMNS,
  SHAPE_BOX,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_STRIDE,
  SUPPORT_ROW_STRIDE,
  Shape,
} from '../layout.generated';
import { storePairPose } from '../manifolds/pair_pose';
import { cross3, dot3 } from '../math/lane';
import { inverseRotate3, quatFromRotationVector, quatMul, quatNormalize, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { NEVER, advance, gjkOf, writeSweptCore } from '../narrowphase/advance';
import { advanceSurface } from '../narrowphase/advance_surface';
import { collide } from '../narrowphase/dispatch';
import { CORES } from '../narrowphase/gjk';
import { innerRadius } from '../narrowphase/support';
import { contactState } from '../scratch/contact_state';
import { extentOf } from '../shapes/bounds';
import { shapeAt } from '../shapes/shapes';

// A manifold with a point nearer than this (m) is as good as touching.
const NEAR: f32 = 2e-3;
// Largest distance (m) of the contact points at the moment when a row says that they meet.
const CLEAR: f32 = 5e-3;
// Most that shapes may overlap (share of the inner radius) where a row that closes is verified.
const DEEPEST: f32 = 0.1;
// Cosine above which a normal is that of a side.
const FLAT: f32 = 0.99999;
// A sum is above another one if it is so by more than rounding.
const ROUNDING: f32 = 1.00001;
// A raised row stays open by this (m) in free motion.
const OPEN: f32 = 1e-4;
// Joint.locked of joints that hold their anchors together.
const ANCHORS: u32 = 7;
// Largest overlap (m) of a shape that a body may still pass by.
const GRAZE: f32 = 2e-3;
// Rows that would take more steps than this to show whether their face goes on are slow: their effect is small.
const STEPS_PAST: f32 = 4;
// The same for points nearer than TOUCHES (m), which may carry the body: fewer steps.
const TOUCHES: f32 = 5e-4;
const STEPS_HELD: f32 = 2;
// A row that adds more than this to the speed of a body (m/s) is checked for the border of its face.
const PUSH: f32 = 0.01;
/** Bodies that move less than this against each other in a step (m) are not swept. */
export const SLOW: f32 = 5e-3;
// Shapes meet when they overlap by this share of what their cores are shrunk by.
const OVERLAP: f32 = 0.6;

/**
 * Manifold.maxDrift of bodies that go far against each other in the step, less the time of their meeting (s) where a sweep has
 * found it; like 0 it ends recycling.
 */
export const PASSING: f32 = -1;

function ahead(): LookAhead {
  return changetype<LookAhead>(contactState() + AHEAD);
}

/** The Motion that lookAhead works on, free for others outside of the contacts stage. */
export function motionBlock(): Motion {
  return changetype<Motion>(contactState() + AHEAD_MOTION);
}

/** Number of outputs of the present poses among those of the last lookAhead. */
export function keptNow(): u32 {
  return ahead().kept;
}

/** Time ahead (s) that rows see: the last relax pass asks for one more substep. */
function rowHorizon(): f32 {
  const h: Header = header();
  return h.dt + h.dt / <f32>leastSubsteps();
}

/** Mean velocity of a body in free motion over the step: v and half of the change by forces. Times dt it is the displacement. */
function freeVelocity(body: u32): v128 {
  const h: Header = header();
  const row: usize = <usize>h.bodyRows + <usize>body * BODY_ROW_STRIDE;
  const v: v128 = f32x4.replace_lane(v128.load(row), 3, 0);
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & (FLAG_TYPE | FLAG_ASLEEP)) != BODY_DYNAMIC) return v;
  const n: f32 = <f32>substepsOf(body);
  const half: f32 = (h.dt * (n + 1)) / (2 * n);
  let a: v128 = f32x4(h.gravityX, h.gravityY, h.gravityZ, 0);
  if ((cold.flags & FLAG_FORCED) != 0) {
    const force: v128 = f32x4(cold.fx, cold.fy, cold.fz, 0);
    const damping: f32 = cold.linearDamping / (1 + cold.linearDamping * h.dt);
    a = f32x4.add(f32x4.mul(a, f32x4.splat(cold.gravityScale)), f32x4.mul(force, f32x4.splat(changetype<BodyRow>(row).invMass)));
    a = f32x4.sub(a, f32x4.mul(v, f32x4.splat(damping)));
  }
  a = v128.and(a, freeLanes(locksOf(body)));
  return f32x4.add(v, f32x4.mul(a, f32x4.splat(half)));
}

/** The same of its rotation. */
function freeSpin(body: u32): v128 {
  const h: Header = header();
  const w: v128 = f32x4.replace_lane(rowAt(body).w, 3, 0);
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & (FLAG_TYPE | FLAG_ASLEEP | FLAG_FORCED)) != (BODY_DYNAMIC | FLAG_FORCED)) return w;
  const n: f32 = <f32>substepsOf(body);
  const half: f32 = (h.dt * (n + 1)) / (2 * n);
  const i: BodyInertia = inertiaAt(body);
  const tx: f32 = cold.tx,
    ty: f32 = cold.ty,
    tz: f32 = cold.tz;
  const damping: f32 = cold.angularDamping / (1 + cold.angularDamping * h.dt);
  const a: v128 = f32x4(
    i.xx * tx + i.xy * ty + i.xz * tz,
    i.xy * tx + i.yy * ty + i.yz * tz,
    i.xz * tx + i.yz * ty + i.zz * tz,
    0,
  );
  const change: v128 = f32x4.mul(f32x4.sub(a, f32x4.mul(w, f32x4.splat(damping))), f32x4.splat(half));
  return f32x4.add(w, v128.and(change, freeLanes(locksOf(body) >> 3)));
}

/** Brings what doubtfulAt needs to the frame of shape A, whose pose lies in the block at `pose`. */
function beginJudging(pose: usize, ca: Collider, d: v128, dv: v128, wa: v128, wb: v128): void {
  const s: LookAhead = ahead();
  const columns: usize = pose + SHAPE_A_COLUMNS;
  s.wa = wa;
  s.wb = wb;
  s.comA = (ca.flags & COLLIDER_ALIGNED) != 0 ? f32x4.splat(0) : f32x4.neg(rotate3(pose + BODY_A_COLUMNS, ca.xyz));
  s.comB = f32x4.add(s.comA, d);
  s.base = inverseRotate3(columns, f32x4.add(dv, f32x4.sub(cross3(wa, s.comA), cross3(wb, s.comB))));
  s.swing = inverseRotate3(columns, f32x4.sub(wb, wa));
}

function pointAt(out: usize, i: u32): v128 {
  return v128.load(out + ((<usize>i) << 4), offsetof<ManifoldOut>('x0'));
}

/** Least separation of an output, or the first one up to `enough`. */
function leastSeparation(out: usize, enough: f32): f32 {
  let least: f32 = f32.MAX_VALUE;
  const end: usize = out + ((<usize>changetype<ManifoldOut>(out).count) << 4);
  for (let p: usize = out; p < end && least > enough; p += 16)
    least = min<f32>(least, load<f32>(p, offsetof<ManifoldOut>('x0') + 12));
  return least;
}

/** Whether p lies over the side of a box of half extents h whose normal is n, `rim` inside, all in the frame of the box. */
function isOverSide(h: v128, n: v128, p: v128, rim: f32): bool {
  const flat: v128 = f32x4.gt(f32x4.abs(n), f32x4.splat(FLAT));
  const inside: v128 = f32x4.le(f32x4.abs(p), f32x4.sub(h, f32x4.splat(rim)));
  return (i32x4.bitmask(flat) & 7) != 0 && (i32x4.bitmask(v128.or(flat, inside)) & 7) == 7;
}

/** Whether p is inside of an edge by `rim`; `inward` is any vector across it. */
function isInside(inward: v128, p: v128, rim: f32): bool {
  const height: f32 = dot3(inward, p);
  return height >= 0 && height * height >= rim * rim * dot3(inward, inward);
}

/** The same for a triangle of a mesh, of either side. */
function isOverTriangle(blob: usize, index: u32, n: v128, p: v128, rim: f32): bool {
  const h = changetype<MeshBlob>(blob);
  const t = changetype<MeshTriangle>(blob + h.trianglesOffset + <usize>index * MESH_TRIANGLE_STRIDE);
  const vertices: usize = blob + h.verticesOffset;
  const a: v128 = v128.load(vertices + ((<usize>t.a) << 4)),
    b: v128 = v128.load(vertices + ((<usize>t.b) << 4)),
    c: v128 = v128.load(vertices + ((<usize>t.c) << 4));
  const ab: v128 = f32x4.sub(b, a),
    bc: v128 = f32x4.sub(c, b),
    ca: v128 = f32x4.sub(a, c);
  const m: v128 = cross3(ab, bc);
  const along: f32 = dot3(m, n);
  if (along * along < FLAT * FLAT * dot3(m, m)) return false;
  return (
    isInside(cross3(m, ab), f32x4.sub(p, a), rim) &&
    isInside(cross3(m, bc), f32x4.sub(p, b), rim) &&
    isInside(cross3(m, ca), f32x4.sub(p, c), rim)
  );
}

/**
 * Whether a contact at point p of A is with a side of B (or of A) along the normal n, and stays over that side when B moves by
 * `shift`, at least `rim` inside of its border: boxes and meshes. Frame of A, whose pose lies in the block at `pose`.
 */
function staysOverSide(pose: usize, shapeA: usize, shapeB: usize, feature: u32, n: v128, p: v128, shift: v128, rim: f32): bool {
  const a = changetype<Shape>(shapeA),
    b = changetype<Shape>(shapeB);
  if (a.type == SHAPE_BOX && isOverSide(v128.load(shapeA, offsetof<Shape>('p0')), n, f32x4.add(p, shift), rim)) return true;
  if (b.type == SHAPE_PLANE) return true;
  if (b.type != SHAPE_BOX && b.type != SHAPE_MESH) return false;
  const rel: usize = pose + REL_POSE;
  const at = changetype<RelPose>(rel);
  const origin: v128 = f32x4(at.tx, at.ty, at.tz, 0);
  const nB: v128 = inverseRotate3(rel, n),
    pB: v128 = inverseRotate3(rel, f32x4.sub(f32x4.sub(p, shift), origin));
  if (b.type == SHAPE_BOX) return isOverSide(v128.load(shapeB, offsetof<Shape>('p0')), nB, pB, rim);
  return isOverTriangle(b.dataPtr, feature, nB, pB, rim);
}

/**
 * When a manifold has a row that closes within `time` although the shapes may not meet where it says: that time. Else
 * NEVER.
 */
function doubtfulAt(out: usize, time: f32, pose: usize, shapeA: usize, shapeB: usize): f32 {
  const s: LookAhead = ahead();
  const result: ManifoldOut = changetype<ManifoldOut>(out);
  const n: v128 = v128.load(out, offsetof<ManifoldOut>('nx'));
  const count: u32 = result.count;
  // Along n the points of B move against those of A by an affine function of the point.
  const closing0: f32 = -dot3(n, s.base);
  const tilt: v128 = cross3(n, s.swing);
  let first: f32 = time;
  let at: v128 = n;
  let closing: f32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const p: v128 = pointAt(out, i);
    const separation: f32 = f32x4.extract_lane(p, 3);
    if (separation <= NEAR) return NEVER;
    const c: f32 = closing0 - dot3(tilt, p);
    if (c * first <= separation) continue;
    first = separation / c;
    at = p;
    closing = c;
  }
  if (!(closing > 0)) return NEVER;
  // When the row closes, the points are apart by their way across the normal and by the bend of their paths. B's lies at
  // p + n separation.
  const columns: usize = pose + SHAPE_A_COLUMNS;
  const beyond: v128 = cross3(inverseRotate3(columns, s.wb), f32x4.mul(n, f32x4.splat(f32x4.extract_lane(at, 3))));
  const v: v128 = f32x4.add(f32x4.add(s.base, cross3(s.swing, at)), beyond);
  const velocity: v128 = f32x4.add(v, f32x4.mul(n, f32x4.splat(closing)));
  const across: f32 = sqrt<f32>(dot3(velocity, velocity)) * first;
  const arm: v128 = rotate3(columns, at);
  const ra: v128 = f32x4.sub(arm, s.comA),
    rb: v128 = f32x4.sub(arm, s.comB);
  const bend: f32 =
    <f32>0.5 * first * first * (dot3(s.wa, s.wa) * sqrt<f32>(dot3(ra, ra)) + dot3(s.wb, s.wb) * sqrt<f32>(dot3(rb, rb)));
  if (across + bend <= CLEAR) return NEVER;
  if (bend > CLEAR) return first;
  const shift: v128 = f32x4.mul(velocity, f32x4.splat(first));
  if (staysOverSide(pose, shapeA, shapeB, result.feature, n, at, shift, 0)) return NEVER;
  if (count < 3) return first;
  // A flat patch that closes all at once: the patch of A, shifted, must still overlap that of B. Both are taken for the ellipse
  // of the second moments of the points.
  const u: v128 = f32x4.mul(velocity, f32x4.splat(first / across));
  const w: v128 = cross3(n, u);
  let a: f32 = 0,
    b: f32 = 0,
    aa: f32 = 0,
    bb: f32 = 0,
    ab: f32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const p: v128 = pointAt(out, i);
    if (f32x4.extract_lane(p, 3) - (closing0 - dot3(tilt, p)) * first > CLEAR) return first;
    const x: f32 = dot3(p, u),
      y: f32 = dot3(p, w);
    a += x;
    b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  const k: f32 = 1 / <f32>count;
  aa = aa * k - a * k * (a * k);
  bb = bb * k - b * k * (b * k);
  ab = ab * k - a * k * (b * k);
  return across * across * bb > aa * bb - ab * ab ? first : NEVER;
}

/** How far the rotation of a step moves the parts that stick out of a body by more than its inner radius. */
export function swingOf(cold: BodyCold, turn: v128): f32 {
  return sqrt<f32>(dot3(turn, turn)) * max<f32>(0, cold.extent - 2 * cold.inner);
}

/**
 * Whether two bodies go past what the margin of the narrow phase holds, which is the approach up to the size of the smaller
 * body: they may pass through each other.
 */
function mayPass(a: u32, b: u32, d: v128, dv: v128, rowA: BodyRow, rowB: BodyRow, margin: f32): bool {
  const h: Header = header();
  const fixedA: bool = rowA.invMass == 0;
  if (fixedA != (rowB.invMass == 0)) {
    // A shape that turns at a given speed slides past a body that it turns about itself.
    const u: v128 = f32x4.sub(dv, cross3(fixedA ? rowA.w : rowB.w, d));
    return sqrt<f32>(dot3(u, u)) * h.dt + h.speculativeMargin > margin * ROUNDING;
  }
  const way: f32 = sqrt<f32>(dot3(dv, dv)) * h.dt;
  const coldA: BodyCold = coldAt(a),
    coldB: BodyCold = coldAt(b);
  const swing: f32 = (swingOf(coldA, rowA.w) + swingOf(coldB, rowB.w)) * h.dt;
  const size: f32 = min<f32>(coldA.extent, coldB.extent);
  return way > size || way + swing > 2 * size;
}

/**
 * The point that a joint holds to something fixed, from the center of its body (world); 0 without one. A body swings about it: a
 * door that turns by 0.2 rad would be 2 % of its half width out of place on the straight way.
 */
function pivotOf(body: u32): v128 {
  const none: v128 = f32x4.splat(0);
  const cold: BodyCold = coldAt(body);
  if (header().jointAlive == 0 || (cold.flags & (FLAG_TYPE | FLAG_ASLEEP)) != BODY_DYNAMIC) return none;
  for (let end: u32 = firstJoint(body); end != NONE; end = nextJoint(end)) {
    const joint: Joint = jointAt(end >> 1);
    const other: u32 = otherSide(end);
    if (!holdsAnchors(joint)) continue;
    if (other != NONE && isMoved(other)) continue;
    return anchorAt(body, end);
  }
  return none;
}

/** Whether a joint at work holds its anchors together. */
export function holdsAnchors(joint: Joint): bool {
  return (joint.flags & JOINT_ENABLED) != 0 && (joint.locked & ANCHORS) == ANCHORS;
}

/** Vector from the center of a body to the anchor at its end of a joint, world, at the present pose. */
export function anchorAt(body: u32, end: u32): v128 {
  const at: usize =
    changetype<usize>(jointAt(end >> 1)) + ((end & 1) == 0 ? offsetof<Joint>('anchorAx') : offsetof<Joint>('anchorBx'));
  const columns: usize = contactState() + LOOK_AHEAD + REL_POSE;
  const cold: BodyCold = coldAt(body);
  storeRotation(rotationOf(body), columns);
  return rotate3(columns, f32x4.replace_lane(f32x4.sub(v128.load(at), f32x4(cold.comX, cold.comY, cold.comZ, 0)), 3, 0));
}

/** Velocity of a point of a body. */
function velocityAt(body: u32, r: v128): v128 {
  const row: BodyRow = rowAt(body);
  return f32x4.replace_lane(f32x4.add(row.v, cross3(row.w, r)), 3, 0);
}

/** r after `time` at angular velocity w. */
export function turnedAfter(w: v128, time: f32, r: v128): v128 {
  const columns: usize = contactState() + LOOK_AHEAD + REL_POSE;
  storeRotation(quatNormalize(quatFromRotationVector(f32x4.mul(w, f32x4.splat(time)))), columns);
  return rotate3(columns, r);
}

/** Fills the Motion of the pair: free motion of both bodies from the present poses. */
function beginMotion(ca: Collider, cb: Collider, d: v128, guess: v128): Motion {
  const h: Header = header();
  const s: usize = contactState();
  const m: Motion = changetype<Motion>(s + AHEAD_MOTION);
  const rotations: usize = h.rotations;
  m.qa = v128.load(rotations + ((<usize>ca.body) << 4));
  m.qb = v128.load(rotations + ((<usize>cb.body) << 4));
  m.oa = f32x4.splat(0);
  m.ob = f32x4.splat(0);
  const a: usize = changetype<usize>(ca),
    b: usize = changetype<usize>(cb);
  if ((ca.flags & COLLIDER_ALIGNED) == 0) {
    m.oa = f32x4.replace_lane(rotate3(s + BODY_A_COLUMNS, ca.xyz), 3, 0);
    m.qa = quatMul(m.qa, ca.q);
  }
  if ((cb.flags & COLLIDER_ALIGNED) == 0) {
    m.ob = f32x4.replace_lane(rotate3(s + BODY_B_COLUMNS, v128.load(b, offsetof<Collider>('x'))), 3, 0);
    m.qb = quatMul(m.qb, v128.load(b, offsetof<Collider>('qx')));
  }
  m.d = d;
  m.dv = f32x4.sub(freeVelocity(cb.body), freeVelocity(ca.body));
  m.wa = sweptSpin(freeSpin(ca.body), h.dt);
  m.wb = sweptSpin(freeSpin(cb.body), h.dt);
  m.n = guess;
  // Of these shapes, not of all that their bodies have: a plane or a far collider reaches as far as one likes.
  m.reachA = extentOf(ca);
  m.reachB = extentOf(cb);
  const pa: v128 = pivotOf(ca.body),
    pb: v128 = pivotOf(cb.body);
  const held: LookAhead = ahead();
  held.jointed = 0;
  if (!(dot3(pa, pa) + dot3(pb, pb) > 0)) return m;
  // They turn about their pivots.
  held.jointed = 1;
  held.pivotA = pa;
  held.pivotB = pb;
  m.oa = f32x4.sub(m.oa, pa);
  m.ob = f32x4.sub(m.ob, pb);
  m.d = f32x4.add(d, f32x4.sub(pb, pa));
  const va: v128 = dot3(pa, pa) > 0 ? velocityAt(ca.body, pa) : freeVelocity(ca.body);
  const vb: v128 = dot3(pb, pb) > 0 ? velocityAt(cb.body, pb) : freeVelocity(cb.body);
  m.dv = f32x4.sub(vb, va);
  m.reachA += sqrt<f32>(dot3(pa, pa));
  m.reachB += sqrt<f32>(dot3(pb, pb));
  return m;
}

/** First meeting of two shapes within `time`, NEVER if there is none. m.n must be a first guess of the axis. */
export function meetingOf(m: Motion, shapeA: usize, shapeB: usize, time: f32, slow: f32, hint: u32): f32 {
  return sweepTo(m, f32.MAX_VALUE, shapeA, shapeB, time, slow, hint);
}

/** The same where they meet when they overlap by `depth` already. */
function sweepTo(m: Motion, depth: f32, shapeA: usize, shapeB: usize, time: f32, slow: f32, hint: u32): f32 {
  const cores: usize = gjkOf(m) + CORES;
  m.skin = writeSweptCore(cores, shapeA);
  const onSurface: bool = changetype<Shape>(shapeB).type >= SHAPE_MESH;
  if (!onSurface) m.skin += writeSweptCore(cores + SUPPORT_ROW_STRIDE, shapeB);
  m.target = -min<f32>(depth, OVERLAP * m.skin);
  m.strict = 0;
  m.at = f32.NaN;
  return onSurface ? advanceSurface(m, shapeA, shapeB, time, slow, hint) : advance(m, 0, time);
}

/** Poses of both bodies after `time` of free motion, to the block at LOOK_AHEAD. */
function poseAhead(m: Motion, ca: Collider, cb: Collider, d: v128, time: f32): void {
  const pose: usize = contactState() + LOOK_AHEAD;
  const rotations: usize = header().rotations;
  const k: v128 = f32x4.splat(time);
  const qa: v128 = quatMul(quatFromRotationVector(f32x4.mul(m.wa, k)), v128.load(rotations + ((<usize>ca.body) << 4)));
  const qb: v128 = quatMul(quatFromRotationVector(f32x4.mul(m.wb, k)), v128.load(rotations + ((<usize>cb.body) << 4)));
  storeRotation(quatNormalize(qa), pose + BODY_A_COLUMNS);
  storeRotation(quatNormalize(qb), pose + BODY_B_COLUMNS);
  const s: LookAhead = ahead();
  s.d = f32x4.add(d, f32x4.mul(m.dv, k));
  if (s.jointed != 0) {
    const swung: v128 = f32x4.sub(turnedAfter(m.wa, time, s.pivotA), turnedAfter(m.wb, time, s.pivotB));
    s.d = f32x4.add(f32x4.add(m.d, f32x4.mul(m.dv, k)), swung);
    s.moved = f32x4.sub(s.d, d);
  }
  s.time = time;
  storePairPose(pose, ca, cb, s.d);
}

/** Takes the outputs of the bits of `doubts` out of `found` ones; returns how many are left. */
function dropDoubts(out: usize, found: u32, doubts: u32): u32 {
  let kept: u32 = 0;
  for (let k: u32 = 0; k < found; k++) {
    if ((doubts & (1 << k)) != 0) continue;
    if (kept != k) {
      memory.copy(out + <usize>kept * MANIFOLD_OUT_STRIDE, out + <usize>k * MANIFOLD_OUT_STRIDE, MANIFOLD_OUT_STRIDE);
    }
    kept++;
  }
  if (kept == 0) changetype<ManifoldOut>(out).gap = 0; // nothing is known of the distance but that it is small
  ahead().guards = 0;
  ahead().kept = kept;
  return kept;
}

/** Which of `count` outputs at the poses of time t are in doubt for the rest of the step: bits. */
function judgeAhead(ca: Collider, m: Motion, t: f32, outputs: usize, count: u32, shapeA: usize, shapeB: usize): u32 {
  const pose: usize = contactState() + LOOK_AHEAD;
  beginJudging(pose, ca, ahead().d, m.dv, m.wa, m.wb);
  let doubts: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    if (doubtfulAt(outputs + <usize>k * MANIFOLD_OUT_STRIDE, rowHorizon() - t, pose, shapeA, shapeB) >= 0) doubts |= 1 << k;
  }
  return doubts;
}

/**
 * For an output with a row that would push although its point comes near the border of its face: returns the time by which the
 * shapes would overlap by more than GRAZE if that face went on; otherwise 0. The frozen plane is endless, the face is not, and a
 * body that moves level with its rim would be thrown up by a surface that is not there.
 */
function batchesOut(out: usize, pose: usize, shapeA: usize, shapeB: usize): f32 {
  const s: LookAhead = ahead();
  const result: ManifoldOut = changetype<ManifoldOut>(out);
  const n: v128 = v128.load(out, offsetof<ManifoldOut>('nx'));
  const horizon: f32 = rowHorizon();
  const dt: f32 = header().dt;
  const push: f32 = PUSH * (horizon - dt);
  const closing0: f32 = -dot3(n, s.base);
  const tilt: v128 = cross3(n, s.swing);
  let time: f32 = 0;
  for (let i: u32 = 0; i < result.count; i++) {
    const p: v128 = pointAt(out, i);
    const separation: f32 = f32x4.extract_lane(p, 3);
    const closing: f32 = closing0 - dot3(tilt, p);
    if (closing * horizon - push <= separation) continue;
    // Slow points, and points that are inside already, are accurate enough.
    const late: f32 = max<f32>(0, separation) + 2 * GRAZE;
    if (separation < -GRAZE || late > (separation > TOUCHES ? STEPS_PAST : STEPS_HELD) * dt * closing) return 0;
    const across: v128 = f32x4.add(f32x4.add(s.base, cross3(s.swing, p)), f32x4.mul(n, f32x4.splat(closing)));
    const shift: v128 = f32x4.mul(across, f32x4.splat(horizon));
    if (staysOverSide(pose, shapeA, shapeB, result.feature, n, p, shift, GRAZE)) return 0;
    time = max<f32>(time, late / closing);
  }
  return time;
}

/**
 * Whether the shapes overlap by no more than GRAZE up to `time` at their present velocities: without the gravity of the step,
 * which their support takes up. The sweep has rounded corners and edges, so the shapes themselves are tested at the end.
 */
function goesPast(m: Motion, ca: Collider, cb: Collider, d: v128, dv: v128, cache: usize, time: f32, hint: u32): bool {
  const shapeA: usize = changetype<usize>(shapeAt(ca.shape)),
    shapeB: usize = changetype<usize>(shapeAt(cb.shape));
  const freeDv: v128 = m.dv,
    freeA: v128 = m.wa,
    freeB: v128 = m.wb,
    guess: v128 = m.n;
  if (ahead().jointed == 0) m.dv = f32x4.replace_lane(dv, 3, 0);
  m.wa = f32x4.replace_lane(rowAt(ca.body).w, 3, 0);
  m.wb = f32x4.replace_lane(rowAt(cb.body).w, 3, 0);
  let past: bool = sweepTo(m, GRAZE, shapeA, shapeB, time, 0, hint) < 0;
  if (past) {
    const state: usize = contactState();
    const later: usize = state + AHEAD_OUTPUTS;
    poseAhead(m, ca, cb, d, time);
    const count: u32 = collide(shapeA, shapeB, state + LOOK_AHEAD + REL_POSE, later, cache, 0);
    for (let k: u32 = 0; k < count && past; k++) {
      past = leastSeparation(later + <usize>k * MANIFOLD_OUT_STRIDE, -f32.MAX_VALUE) >= -GRAZE;
    }
  }
  m.dv = freeDv;
  m.wa = freeA;
  m.wb = freeB;
  m.n = guess;
  return past;
}

/** Result of lookAhead for a pair that needs a sweep, if it may not sweep. */
export const SWEEPS: u32 = 0xfffffffe;

/**
 * Looks at the motion of this step. `found` outputs of the present poses lie at OUTPUTS, `travel` is a bound of the relative
 * motion of the bodies, `margin` that of the narrow phase; without outputs their gap is below `travel`. Returns the number of
 * outputs, keptNow() of which are of the present poses; 0xffffffff if nothing changes. With `briefly` it sweeps nothing and
 * returns SWEEPS instead.
 */
export function lookAhead(
  ca: Collider,
  cb: Collider,
  cache: usize,
  d: v128,
  found: u32,
  travel: f32,
  margin: f32,
  briefly: bool,
): u32 {
  const h: Header = header();
  const state: usize = contactState();
  const s: LookAhead = ahead();
  const out: usize = state + OUTPUTS;
  const shapeA: usize = <usize>h.shapes + <usize>ca.shape * SHAPE_STRIDE,
    shapeB: usize = <usize>h.shapes + <usize>cb.shape * SHAPE_STRIDE;
  const surface: bool = changetype<Shape>(shapeB).type >= SHAPE_MESH;
  let open: u32 = 0;
  for (let k: u32 = 0; k < found; k++) {
    const least: f32 = leastSeparation(out + <usize>k * MANIFOLD_OUT_STRIDE, NEAR);
    if (least > NEAR && least < travel) open |= 1 << k;
  }
  const rowA: BodyRow = rowAt(ca.body),
    rowB: BodyRow = rowAt(cb.body);
  const held: bool = found != 0 && (rowA.invMass == 0) != (rowB.invMass == 0);
  if (open == 0 && found != 0 && !surface && !held) return 0xffffffff;
  const dt: f32 = h.dt;
  let doubts: u32 = 0;
  let ends: u32 = 0; // outputs with rows whose side may run out
  let until: f32 = 0; // when it would be seen that it does not
  let first: f32 = f32.MAX_VALUE; // when the first doubtful row closes
  let guess: v128 = d;
  const dv: v128 = f32x4.sub(rowB.v, rowA.v);
  const passes: bool = mayPass(ca.body, cb.body, d, dv, rowA, rowB, margin);
  if (found != 0) {
    const passing: bool = surface && passes;
    if (open == 0 && !passing && !held) return 0xffffffff;
    beginJudging(state, ca, d, dv, rowA.w, rowB.w);
    for (let k: u32 = 0; held && k < found; k++) {
      const by: f32 = batchesOut(out + <usize>k * MANIFOLD_OUT_STRIDE, state, shapeA, shapeB);
      if (by > 0) ends |= 1 << k;
      until = max<f32>(until, by);
    }
    for (; open != 0; open &= open - 1) {
      const k: u32 = ctz<u32>(open);
      const closes: f32 = doubtfulAt(out + <usize>k * MANIFOLD_OUT_STRIDE, rowHorizon(), state, shapeA, shapeB);
      if (closes < 0) continue;
      doubts |= 1 << k;
      first = min<f32>(first, closes);
    }
    if (doubts == 0 && !passing && ends == 0) return 0xffffffff;
    if (passing) first = f32.MAX_VALUE;
    guess = rotate3(state + SHAPE_A_COLUMNS, v128.load(out, offsetof<ManifoldOut>('nx')));
  } else {
    if (!passes || !(dot3(d, d) > 0)) return 0xffffffff;
    guess = f32x4.mul(d, f32x4.splat(1 / sqrt<f32>(dot3(d, d))));
  }
  if (briefly) return SWEEPS;
  s.passes = passes ? 1 : 0;
  const m: Motion = beginMotion(ca, cb, d, f32x4.replace_lane(guess, 3, 0));
  s.kept = found;
  s.guards = doubts;
  if (ends != 0) {
    const hint: u32 = passes ? NONE : changetype<ManifoldOut>(out + <usize>ctz<u32>(ends) * MANIFOLD_OUT_STRIDE).feature;
    if (goesPast(m, ca, cb, d, dv, cache, until, hint)) return dropDoubts(out, found, doubts | ends);
    if (doubts == 0 && !(surface && passes)) return 0xffffffff;
  }
  const later: usize = state + AHEAD_OUTPUTS;
  let more: u32 = 0;
  let time: f32 = first;
  // Most doubts end here: when the row closes, the shapes do touch, on any side, or are known to stay apart.
  if (!passes) {
    poseAhead(m, ca, cb, d, first);
    more = collide(shapeA, shapeB, state + LOOK_AHEAD + REL_POSE, later, cache, margin);
    if (more == 0 && changetype<ManifoldOut>(later).gap >= travel) return dropDoubts(out, found, doubts);
    let least: f32 = f32.MAX_VALUE;
    for (let k: u32 = 0; k < more; k++)
      least = min<f32>(least, leastSeparation(later + <usize>k * MANIFOLD_OUT_STRIDE, -f32.MAX_VALUE));
    const inner: f32 = innerRadius(shapeA);
    const deepest: f32 = max<f32>(CLEAR, DEEPEST * (surface ? inner : min<f32>(inner, innerRadius(shapeB))));
    if (least < -deepest || (least > CLEAR && judgeAhead(ca, m, first, later, more, shapeA, shapeB) != 0)) more = 0;
  }
  if (more == 0) {
    // The sweep finds shapes a little late, when they overlap: so shapes that touch at the end of the step are found after it.
    const speed: f32 = travel / dt;
    const hint: u32 =
      doubts != 0 && !passes ? changetype<ManifoldOut>(out + <usize>ctz<u32>(doubts) * MANIFOLD_OUT_STRIDE).feature : NONE;
    const slow: f32 = (<f32>0.25 * h.speculativeMargin) / dt;
    time = meetingOf(m, shapeA, shapeB, dt + min<f32>(dt, <f32>0.02 / speed), slow, hint);
    if (time == 0) return 0xffffffff;
    if (time < 0) {
      return doubts == 0 ? <u32>0xffffffff : dropDoubts(out, found, doubts);
    }
    poseAhead(m, ca, cb, d, time);
    more = collide(shapeA, shapeB, state + LOOK_AHEAD + REL_POSE, later, cache, margin);
    if (more == 0) return doubts != 0 ? found : <u32>0xffffffff;
  }
  // Only trusted outputs of the present poses stay; those at the impact follow them.
  const kept: u32 = dropDoubts(out, found, doubts);
  more = min<u32>(more, MAX_OUTPUTS - kept);
  s.guards = judgeAhead(ca, m, time, later, more, shapeA, shapeB) << kept;
  memory.copy(out + <usize>kept * MANIFOLD_OUT_STRIDE, later, <usize>more * MANIFOLD_OUT_STRIDE);
  return kept + more;
}

/** Makes the poses of the impact those that manifolds are computed from. Returns x_B - x_A there. */
export function enterMeeting(): v128 {
  const state: usize = contactState();
  memory.copy(state, state + LOOK_AHEAD, PAIR_POSES_STRIDE);
  return ahead().d;
}

/** Corrects the separations of manifold m, made from output k. It is never recycled. */
export function settleAhead(m: Manifold, k: u32): void {
  const s: LookAhead = ahead();
  const motion: Motion = changetype<Motion>(contactState() + AHEAD_MOTION);
  const n: v128 = m.n;
  const met: bool = k >= s.kept,
    guard: bool = (s.guards & (1 << k)) != 0;
  m.maxDrift = met && s.passes != 0 ? PASSING - s.time : 0;
  if (!met && !guard) return;
  for (let i: u32 = 0; i < m.count; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const ra: v128 = point.ra,
      rb: v128 = point.rb;
    const closing: f32 = -dot3(n, f32x4.sub(f32x4.add(motion.dv, cross3(motion.wb, rb)), cross3(motion.wa, ra)));
    if (met && s.jointed != 0) {
      const turns: v128 = f32x4.sub(cross3(motion.wb, rb), cross3(motion.wa, ra));
      point.separation += max<f32>(0, -dot3(n, f32x4.add(s.moved, f32x4.mul(turns, f32x4.splat(s.time)))));
    } else if (met) point.separation += max<f32>(0, closing * s.time);
    if (guard) point.separation = max<f32>(point.separation, closing * rowHorizon() + OPEN);
  }
}
