// Time of impact of fast bodies against static and kinematic shapes, after the solver and before bodies move: the last guard
// against tunneling.
//
// Impacts of free motion are known before the solver runs (speculative.ts). But the real motion may differ. One end of a body
// hits and the other end swings on; rows treat a rotation as straight motion; forces may change within the step. So a collider of
// a dynamic body that moves farther than its inner radius is swept over the real motion, gyroscopic rotation included, against
// every static and kinematic shape around it.
//
// Its core, shrunk by half of its inner radius, must not enter them: where it would, the motion of the body ends, and for the
// rest of the step the body moves along with the shape it met. Velocities stay: the next step finds the contact and stops the
// body for good. Because the core is so much smaller, contacts nearly always act first, and sliding bodies are left alone.
// - A core that was inside at the start is shrunk further. If even that core was inside, the center of the body is kept outside.
//   A center that was inside at the start is ignored.
// - A body that was held up in the last step too, since the solver did not stop it, also loses its closing velocity.
// - Sensors and filtered pairs never stop anything.
// Input: BodyDelta, poses, trees. Output: BodyDelta of the bodies that are held up, their spin; rarely their velocity.
import { awakeBody } from '../bodies/awake';
import { limitedTo, sweptSpin } from '../bodies/limits';
import {
  FLAG_ANISOTROPIC,
  FLAG_BULLET,
  FLAG_HELD,
  FLAG_LONE,
  FLAG_TYPE,
  centerAt,
  coldAt,
  colliderAt,
  deltaAt,
  inertiaAt,
  inverseInertia,
  isDynamic,
  rotationOf,
  rowAt,
} from '../bodies/rows';
import { turnBody } from '../bodies/turn';
import { mayCollide } from '../broadphase/broadphase';
import { queryTree } from '../broadphase/bvh4';
import { broadphaseState } from '../broadphase/state';
import { pairCold, pairHot } from '../constraints/pair_rows';
import {
  AHEAD_OUTPUTS,
  BODY_CENTER_STRIDE,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyRow,
  BoxTree,
  COLLIDER_ALIGNED,
  COLLIDER_DISABLED,
  COLLIDER_ONE_WAY,
  COLLIDER_SENSOR,
  Collider,
  Header,
  HullBlob,
  Motion,
  NONE,
  PairCold,
  PairHot,
  Ray,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_STRIDE,
  SUPPORT_ROW_STRIDE,
  SWEEP_ARM,
  SWEEP_AXIS,
  SWEEP_COLUMNS,
  SWEEP_HIT,
  SWEEP_RAY,
  SWEEP_TURN,
  SWEEP_TURNED,
  Shape,
  SupportRow,
  TurnedBody,
} from '../layout.generated';
import { openSide } from '../manifolds/material';
import { cross3, dot3, vec3W } from '../math/lane';
import {
  inverseRotate3,
  quatConjugate,
  quatFromRotationVector,
  quatMul,
  quatNormalize,
  rotate3,
  rotationVectorOf,
  storeRotation,
} from '../math/quat';
import { header } from '../memory/header';
import { advance, gjkOf, markMeeting } from '../narrowphase/advance';
import { advanceSurface, forgetTouches, isNearSurface, touchedAtStart } from '../narrowphase/advance_surface';
import { CORES } from '../narrowphase/gjk';
import { rayPlane } from '../narrowphase/plane';
import { rayHeightfield, rayMesh } from '../narrowphase/ray_mesh';
import { rayShape } from '../narrowphase/ray_shapes';
import { innerRadius, writeShrunk } from '../narrowphase/support';
import { contactState } from '../scratch/contact_state';
import { extentOf } from '../shapes/bounds';
import { holdJointed } from './hold_jointed';
import { motionBlock, swingOf } from './speculative';

// Motions below this (m) are never looked at.
const LEAST: f32 = 0.02;
// A middle that goes less than this share of the inner radius has no way through anything.
export const SHARE: f32 = 0.8;
// Distance (share of its inner radius) that a body that is held up keeps from the shape that its center would enter.
const HOLD: f32 = 0.1;
// Depths (share of the inner radius) at which a body is held up: a body that reaches the second one was beyond the first at the
// start.
const DEPTH: f32 = 0.5;
const DEEP: f32 = 0.9;
// Surfaces that close by less than this (m) in the step are slid along, not met.
const LEAST_CLOSING: f32 = 5e-3;
// Path (m) by which all pairs of a body that was held up are due: separations of the solver do not hold for it.
const DUE: f64 = 1e-3;

function scratch(): usize {
  return contactState() + AHEAD_OUTPUTS;
}
export function shift(body: u32): v128 {
  return deltaAt(body).d;
}
export function turn(body: u32): v128 {
  return deltaAt(body).p;
}
function turnedBy(p: v128, q: v128): v128 {
  return quatNormalize(quatMul(quatFromRotationVector(p), q));
}
function offsetOf(c: Collider): v128 {
  return f32x4.replace_lane(c.xyz, 3, 0);
}

/** Rotation vector of the turn that finishBodies will make, about one axis. */
function wholeTurn(body: u32): v128 {
  const p: v128 = f32x4.replace_lane(turn(body), 3, 0);
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & (FLAG_ANISOTROPIC | FLAG_HELD)) != FLAG_ANISOTROPIC) return p;
  const q: v128 = rotationOf(body);
  const out: usize = scratch() + SWEEP_TURNED;
  const w: v128 = rowAt(body).w;
  if (!(turnBody(cold, q, w, p, h.dt, out) < <f32>1e15)) return p;
  return rotationVectorOf(quatMul(v128.load(out, offsetof<TurnedBody>('rotation')), quatConjugate(q)));
}

/** The turn of the body that a swept one may meet: of a dynamic one as finishBodies will make it. */
export function otherTurn(body: u32): v128 {
  return isDynamic(body) ? wholeTurn(body) : f32x4.replace_lane(turn(body), 3, 0);
}

/** A point well inside a convex shape, in its frame. */
function middleOf(shape: usize): v128 {
  const s = changetype<Shape>(shape);
  if (s.type == SHAPE_HULL) {
    const h = changetype<HullBlob>(<usize>s.dataPtr);
    return vec3W(h.centroidX, h.centroidY, h.centroidZ);
  }
  return s.type == SHAPE_CONE ? vec3W(0, innerRadius(shape) - s.p1, 0) : f32x4.splat(0);
}

/** Middle of the shape of a collider relative to the center of mass of its body, in the frame of the body. */
function middleInBody(c: Collider, shape: usize): v128 {
  const p: v128 = middleOf(shape);
  if ((c.flags & COLLIDER_ALIGNED) != 0) return p;
  storeRotation(c.q, scratch() + SWEEP_COLUMNS);
  return f32x4.add(rotate3(scratch() + SWEEP_COLUMNS, p), offsetOf(c));
}

/**
 * Returns the position, relative to the origin of collider `o` and in its frame, of a point at `p` from the center of its body.
 */
function toCollider(o: Collider, rotation: v128, p: v128): v128 {
  const columns: usize = scratch() + SWEEP_COLUMNS;
  storeRotation(rotation, columns);
  let r: v128 = inverseRotate3(columns, p);
  if ((o.flags & COLLIDER_ALIGNED) == 0) {
    storeRotation(o.q, columns);
    r = inverseRotate3(columns, f32x4.sub(r, offsetOf(o)));
  }
  return r;
}

/** x of body `to` less x of body `from`, at the start of the step. */
export function between(from: u32, to: u32): v128 {
  const p: BodyCenter = centerAt(from),
    q: BodyCenter = centerAt(to);
  return f32x4.replace_lane(f32x4.add(f32x4.sub(q.xyz, p.xyz), f32x4.sub(q.l, p.l)), 3, 0);
}

/** Share of the motion of the step at which the middle of collider c enters collider o, 1 if it does not; `d` = x_o - x_c. */
function crossing(c: Collider, o: Collider, d: v128): f32 {
  const h: Header = header();
  const middle: v128 = middleInBody(c, <usize>h.shapes + <usize>c.shape * SHAPE_STRIDE);
  const columns: usize = scratch() + SWEEP_COLUMNS;
  storeRotation(rotationOf(c.body), columns);
  const from: v128 = rotate3(columns, middle);
  storeRotation(turnedBy(v128.load(scratch() + SWEEP_TURN), rotationOf(c.body)), columns);
  const to: v128 = f32x4.add(rotate3(columns, middle), f32x4.replace_lane(shift(c.body), 3, 0));
  const start: v128 = toCollider(o, rotationOf(o.body), f32x4.sub(from, d));
  const end: v128 = toCollider(o, turnedBy(otherTurn(o.body), rotationOf(o.body)), f32x4.sub(to, f32x4.add(d, shift(o.body))));
  const way: v128 = f32x4.sub(end, start);
  const length: f32 = sqrt<f32>(dot3(way, way));
  if (!(length > LEAST)) return 1;
  const s: usize = scratch();
  const ray = changetype<Ray>(s + SWEEP_RAY);
  ray.xyz = f32x4.replace_lane(start, 3, 1);
  ray.d = f32x4.replace_lane(way, 3, 0);
  const shapeO: usize = <usize>h.shapes + <usize>o.shape * SHAPE_STRIDE;
  const type: u32 = changetype<Shape>(shapeO).type;
  let t: f32;
  if (type == SHAPE_MESH) t = rayMesh(shapeO, s + SWEEP_RAY, s + SWEEP_HIT, s + SWEEP_HIT + 16, false);
  else if (type == SHAPE_HEIGHTFIELD) t = rayHeightfield(shapeO, s + SWEEP_RAY, s + SWEEP_HIT, s + SWEEP_HIT + 16, false);
  else if (type == SHAPE_PLANE) t = rayPlane(shapeO, s + SWEEP_RAY, s + SWEEP_HIT, false);
  else t = rayShape(shapeO, s + SWEEP_RAY, s + SWEEP_HIT);
  if (!(t > 0 && t < 1)) return 1;
  return max<f32>(0, t - (HOLD * innerRadius(<usize>h.shapes + <usize>c.shape * SHAPE_STRIDE)) / length);
}

/**
 * First share of the motion at which o is deeper in c than `share` of c's inner radius, NEVER if it never is, 0 if it is at the
 * start; triangles in which c is that deep at the start are left out (touchedAtStart).
 */
function meetingWithin(m: Motion, shapeC: usize, shapeO: usize, swap: bool, share: f32): f32 {
  const rowA: usize = gjkOf(m) + CORES,
    rowB: usize = rowA + SUPPORT_ROW_STRIDE;
  const depth: f32 = share * innerRadius(shapeC);
  const rowC: usize = swap ? rowB : rowA;
  writeShrunk(rowC, shapeC, share);
  // Round cores keep the rest of their radius, others lose the ball around them.
  changetype<SupportRow>(rowC).margin = changetype<Shape>(shapeC).type <= SHAPE_CAPSULE ? innerRadius(shapeC) - depth : 0;
  m.target = 0;
  m.skin = depth;
  m.strict = share == DEEP ? 1 : 0;
  m.at = f32.NaN;
  if (changetype<Shape>(shapeO).type >= SHAPE_MESH)
    return advanceSurface(m, shapeC, shapeO, 1, m.strict != 0 ? 0 : LEAST_CLOSING, NONE);
  forgetTouches(m);
  writeShrunk(swap ? rowA : rowB, shapeO, 0);
  const t: f32 = advance(m, 0, 1);
  if (t > 0) markMeeting(m);
  return t;
}

/**
 * The motion of collider cb against ca in this step, its unit of time the step; `d` = x_b - x_a. The turns are left to the
 * caller.
 */
export function beginMotion(ca: Collider, cb: Collider, d: v128): Motion {
  const s: usize = scratch();
  const m: Motion = motionBlock();
  m.qa = rotationOf(ca.body);
  m.qb = rotationOf(cb.body);
  m.oa = f32x4.splat(0);
  m.ob = f32x4.splat(0);
  if ((ca.flags & COLLIDER_ALIGNED) == 0) {
    storeRotation(m.qa, s + SWEEP_COLUMNS);
    m.oa = rotate3(s + SWEEP_COLUMNS, offsetOf(ca));
    m.qa = quatMul(m.qa, ca.q);
  }
  if ((cb.flags & COLLIDER_ALIGNED) == 0) {
    storeRotation(m.qb, s + SWEEP_COLUMNS);
    m.ob = rotate3(s + SWEEP_COLUMNS, offsetOf(cb));
    m.qb = quatMul(m.qb, cb.q);
  }
  m.d = d;
  m.dv = f32x4.replace_lane(f32x4.sub(shift(cb.body), shift(ca.body)), 3, 0);
  // Of these shapes, not of all that their bodies have: a plane or a far collider reaches as far as one likes.
  m.reachA = extentOf(ca);
  m.reachB = extentOf(cb);
  return m;
}

/** First guess of the axis of a motion: against it. */
export function guessAxis(m: Motion): void {
  m.n = f32x4.mul(m.dv, f32x4.splat(-1 / sqrt<f32>(dot3(m.dv, m.dv) + <f32>1e-20)));
  if (!(dot3(m.n, m.n) > <f32>0.5)) m.n = vec3W(0, 1, 0);
}

/** Share of the motion of the step after which collider c must stop before collider o; 1 if it need not. */
export function holdUp(c: Collider, o: Collider): f32 {
  const h: Header = header();
  const d: v128 = between(c.body, o.body);
  const s: usize = scratch();
  v128.store(s + SWEEP_AXIS, f32x4.splat(0));
  const shapeC: usize = <usize>h.shapes + <usize>c.shape * SHAPE_STRIDE,
    shapeO: usize = <usize>h.shapes + <usize>o.shape * SHAPE_STRIDE;
  // The Motion goes from A to B, A the lower type; its unit of time is the step.
  const type: u32 = changetype<Shape>(shapeO).type;
  const swap: bool = changetype<Shape>(shapeC).type > type;
  const ca: Collider = swap ? o : c,
    cb: Collider = swap ? c : o;
  const m: Motion = beginMotion(ca, cb, swap ? f32x4.neg(d) : d);
  const other: v128 = sweptSpin(otherTurn(o.body), 1);
  if (type >= SHAPE_MESH && !(dot3(other, other) > 0) && !isNearSurface(m, shapeC, shapeO)) return 1;
  const own: v128 = wholeTurn(c.body);
  v128.store(s + SWEEP_TURN, own);
  const swept: v128 = sweptSpin(own, 1);
  m.wa = swap ? other : swept;
  m.wb = swap ? swept : other;
  guessAxis(m);
  // A core that is that deep at the start is shrunk further, and at last to its center.
  const met: f32 = meetingWithin(m, shapeC, shapeO, swap, DEPTH);
  let best: f32 = met > 0 ? met : 1;
  if (met != 0 && !touchedAtStart(m)) return best;
  const deep: f32 = meetingWithin(m, shapeC, shapeO, swap, DEEP);
  if (deep > 0 && deep <= best) {
    best = deep;
    const n: v128 = m.n;
    const onB: v128 = f32x4.sub(m.arm, f32x4.add(m.d, f32x4.mul(m.dv, f32x4.splat(deep))));
    v128.store(s + SWEEP_AXIS, swap ? f32x4.neg(n) : n);
    v128.store(s + SWEEP_ARM, swap ? onB : m.arm);
  }
  return deep != 0 && !touchedAtStart(m) ? best : min<f32>(best, crossing(c, o, d));
}

/** Whether collider o may stop collider c, of a dynamic body. */
function mayStop(c: Collider, o: Collider): bool {
  if (((c.flags | o.flags) & COLLIDER_SENSOR) != 0 || !mayCollide(c, o)) return false;
  const flags: u32 = coldAt(o.body).flags;
  if ((o.flags & COLLIDER_ONE_WAY) != 0 && dot3(openSide(o), f32x4.sub(shift(c.body), shift(o.body))) >= 0) return false;
  return (flags & FLAG_TYPE) != BODY_DYNAMIC;
}

/**
 * Removes the closing velocity at `arm` along n, against a shape that moves at `velocity`; `columns` hold the body's rotation of
 * this step. A body that closes only by the bend of its path loses half of its spin.
 */
function absorb(body: u32, n: v128, arm: v128, velocity: v128, columns: usize): void {
  const row: BodyRow = rowAt(body);
  const v: v128 = row.v,
    w: v128 = row.w;
  const turning: v128 = cross3(arm, n);
  const spin: v128 = rotate3(columns, inverseInertia(inertiaAt(body), inverseRotate3(columns, turning)));
  const closing: f32 = dot3(n, f32x4.sub(v, velocity)) + dot3(w, turning);
  if (!(closing > 0)) {
    row.w = f32x4.mul(w, f32x4.splat(0.5));
    return;
  }
  const im: f32 = row.invMass;
  const impulse: f32 = closing / (im + dot3(turning, spin));
  row.v = f32x4.sub(v, f32x4.replace_lane(f32x4.mul(n, f32x4.splat(im * impulse)), 3, 0));
  row.w = f32x4.sub(w, f32x4.replace_lane(f32x4.mul(spin, f32x4.splat(impulse)), 3, 0));
}

/** All pairs of a body are due: separations of the solver do not hold for it. */
export function duePairs(body: u32): void {
  const path: usize = <usize>header().paths + ((<usize>body) << 3),
    turned: usize = <usize>header().turnPaths + ((<usize>body) << 3);
  store<f64>(path, load<f64>(path) + DUE);
  store<f64>(turned, load<f64>(turned) + DUE);
}

/** A body of a free pair has the spin of the end of its rotation: the spin follows another rotation p. */
export function followTurn(body: u32, p: v128): void {
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & FLAG_LONE) == 0) return;
  cold.flags &= ~FLAG_LONE;
  const row: BodyRow = rowAt(body);
  const columns: usize = scratch() + SWEEP_COLUMNS;
  storeRotation(quatNormalize(quatMul(quatFromRotationVector(p), quatConjugate(quatFromRotationVector(turn(body))))), columns);
  row.w = rotate3(columns, row.w);
}

/**
 * The body goes the share k of its motion, from there on it goes with body o. Where `axis` is not 0 its velocity at `arm` along
 * that axis ends, too: the solver took the turn of a step for a straight motion, and would do so again.
 */
export function stopAt(body: u32, k: f32, o: u32, axis: v128, arm: v128): void {
  const delta: BodyDelta = deltaAt(body);
  const share: v128 = f32x4.splat(k),
    rest: v128 = f32x4.splat(1 - k);
  const d: v128 = f32x4.mul(shift(body), share);
  const carrier: v128 = f32x4.replace_lane(f32x4.mul(turn(o), rest), 3, 0);
  const columns: usize = scratch() + SWEEP_COLUMNS;
  storeRotation(quatNormalize(quatFromRotationVector(carrier)), columns);
  const r: v128 = f32x4.sub(f32x4.sub(d, f32x4.mul(shift(o), share)), between(body, o));
  const swing: v128 = f32x4.sub(rotate3(columns, r), r);
  delta.d = f32x4.replace_lane(f32x4.add(f32x4.add(d, f32x4.mul(shift(o), rest)), swing), 3, 0);
  const p: v128 = f32x4.add(f32x4.mul(v128.load(scratch() + SWEEP_TURN), share), carrier);
  followTurn(body, p);
  delta.p = p;
  // The spin goes with the body: a body of unequal moments would gain energy if it turned and its spin did not.
  const cold: BodyCold = coldAt(body);
  const row: BodyRow = rowAt(body);
  storeRotation(quatNormalize(quatFromRotationVector(p)), columns);
  if ((cold.flags & (FLAG_ANISOTROPIC | FLAG_HELD)) == FLAG_ANISOTROPIC) {
    row.w = rotate3(columns, row.w);
  }
  cold.flags |= FLAG_HELD;
  if (dot3(axis, axis) > 0) {
    const carried: BodyRow = rowAt(o);
    absorb(body, axis, arm, f32x4.add(carried.v, cross3(carried.w, f32x4.add(r, arm))), columns);
  }
  duePairs(body);
}

/** How far a body moves in the step: its center, and the parts that stick out of it by more than its inner radius. */
export function reachOfMotion(body: u32, cold: BodyCold): f32 {
  return sqrt<f32>(dot3(shift(body), shift(body))) + swingOf(cold, turn(body));
}

/** Whether a body moves so far that it may also pass through moving bodies (against_moving.ts). */
export function isSwift(cold: BodyCold, reach: f32): bool {
  return reach > ((cold.flags & FLAG_BULLET) != 0 ? max<f32>(LEAST, SHARE * cold.inner) : 2 * cold.extent);
}

/** Checks the path of a dynamic body against all fixed shapes. */
function limitBody(body: u32, cold: BodyCold, trees: u32): void {
  const h: Header = header();
  const s: usize = scratch();
  const state = broadphaseState();
  const center: v128 = v128.load(<usize>h.bodyCenters + <usize>body * BODY_CENTER_STRIDE);
  let best: f32 = 1;
  let carrier: u32 = NONE;
  let axis: v128 = f32x4.splat(0),
    arm: v128 = axis;
  for (let index: u32 = cold.firstCollider; index != NONE; index = colliderAt(index).next) {
    const c: Collider = colliderAt(index);
    const shape: usize = <usize>h.shapes + <usize>c.shape * SHAPE_STRIDE;
    if ((c.flags & (COLLIDER_SENSOR | COLLIDER_DISABLED)) != 0 || changetype<Shape>(shape).type >= SHAPE_MESH) continue;
    if (reachOfMotion(body, cold) <= SHARE * innerRadius(shape)) continue;
    const reach: v128 = f32x4.splat(cold.extent);
    const low: v128 = f32x4.sub(f32x4.add(center, f32x4.pmin(f32x4.splat(0), shift(body))), reach),
      high: v128 = f32x4.add(f32x4.add(center, f32x4.pmax(f32x4.splat(0), shift(body))), reach);
    for (let tree: u32 = 0; tree < trees; tree++) {
      const found: u32 = queryTree(changetype<BoxTree>(<usize>(tree == 0 ? state.statics : state.moving)), low, high, state.hits);
      for (let k: u32 = 0; k < found; k++) {
        const o: Collider = colliderAt(load<u32>(<usize>state.hits + ((<usize>k) << 2)));
        if (!mayStop(c, o)) continue;
        const share: f32 = holdUp(c, o);
        if (share >= best) continue;
        best = share;
        carrier = o.body;
        axis = v128.load(s + SWEEP_AXIS);
        arm = v128.load(s + SWEEP_ARM);
      }
    }
  }
  if (carrier == NONE) return;
  stopAt(body, best, carrier, axis, arm);
  holdJointed(body, best);
}

/**
 * Whether a collider moves so little over a surface, in the frame of the surface, that it cannot pass through: it rides on the
 * mesh. The surface turns about the center of its body.
 */
function staysOn(c: Collider, o: Collider, shape: usize): bool {
  const h: Header = header();
  if (changetype<Shape>(<usize>h.shapes + <usize>o.shape * SHAPE_STRIDE).type < SHAPE_MESH) return false;
  const w: v128 = f32x4.replace_lane(turn(o.body), 3, 0);
  const r: v128 = between(o.body, c.body);
  const way: v128 = f32x4.replace_lane(f32x4.sub(f32x4.sub(shift(c.body), shift(o.body)), cross3(w, r)), 3, 0);
  const angle: f32 = sqrt<f32>(dot3(w, w));
  const bend: f32 = angle * (angle * sqrt<f32>(dot3(r, r)) + 2 * sqrt<f32>(dot3(way, way)));
  const cold: BodyCold = coldAt(c.body);
  const turns: f32 = angle * cold.extent + swingOf(cold, wholeTurn(c.body));
  return sqrt<f32>(dot3(way, way)) + bend + turns <= SHARE * innerRadius(shape);
}

/** A body in the way of a fast kinematic body need not move itself: checks pairs of kinematic with dynamic bodies. */
function limitPairs(): void {
  const h: Header = header();
  const s: usize = scratch();
  for (let i: u32 = 0; i < h.awakePairs; i++) {
    const hot: PairHot = pairHot(i);
    const a: u32 = coldAt(hot.bodyA).flags & FLAG_TYPE,
      b: u32 = coldAt(hot.bodyB).flags & FLAG_TYPE;
    if (a + b != BODY_KINEMATIC + BODY_DYNAMIC) continue;
    const cold: PairCold = pairCold(i);
    const c: Collider = colliderAt(a == BODY_DYNAMIC ? cold.colliderA : cold.colliderB),
      o: Collider = colliderAt(a == BODY_DYNAMIC ? cold.colliderB : cold.colliderA);
    const shape: usize = <usize>h.shapes + <usize>c.shape * SHAPE_STRIDE;
    if (!mayStop(c, o) || changetype<Shape>(shape).type >= SHAPE_MESH || staysOn(c, o, shape)) continue;
    const share: f32 = holdUp(c, o);
    if (share >= 1) continue;
    stopAt(c.body, share, o.body, v128.load(s + SWEEP_AXIS), v128.load(s + SWEEP_ARM));
    holdJointed(c.body, share);
  }
}

function hasKinematic(): bool {
  const h: Header = header();
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const flags: u32 = coldAt(awakeBody(k)).flags;
    if ((flags & FLAG_TYPE) == BODY_KINEMATIC) return true;
  }
  return false;
}

/**
 * Shortens the motion of fast bodies that would pass through fixed shapes. Call it before finishBodies. Returns whether any body
 * moves so far that it may pass through moving bodies.
 */
export function limitMotion(): bool {
  const h: Header = header();
  const count: u32 = h.awakeCount;
  let sweeping: bool = false,
    swift: bool = false;
  let trees: u32 = 0; // 1: only the static tree, 2: some body is kinematic; found when it is first asked for
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = awakeBody(k);
    const d2: f32 = dot3(shift(i), shift(i)),
      p2: f32 = dot3(turn(i), turn(i));
    if (!(d2 + p2 > LEAST * LEAST && d2 + p2 < <f32>1e12)) continue;
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & FLAG_TYPE) == BODY_KINEMATIC) sweeping = true;
    const reach: f32 = reachOfMotion(i, cold);
    if ((cold.flags & FLAG_TYPE) != BODY_KINEMATIC && reach > max<f32>(LEAST, SHARE * cold.inner)) {
      // The motion that is checked is the limited one (limits.ts), which bodies will really make.
      const delta: BodyDelta = deltaAt(i);
      delta.d = limitedTo(shift(i), h.maxLinearSpeed * h.dt);
      delta.p = limitedTo(turn(i), h.maxAngularSpeed * h.dt);
      if (trees == 0) trees = hasKinematic() ? 2 : 1;
      swift = swift || isSwift(cold, reach);
      limitBody(i, cold, trees);
    }
  }
  if (sweeping) limitPairs();
  return swift;
}
