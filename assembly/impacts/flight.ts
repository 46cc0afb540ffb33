// Flight of a free pair: free motion (bodies/turn.ts, accelerations as in the substeps) from one impact of their shapes to the
// next, which conservative advancement finds.
// Input: velocities before the solver, BodyAccel, poses, pairs. Output: Flyer; BodyRow, world inertia; at the end BodyDelta.
import { updateWorldInertia } from '../bodies/integrate';
import { FLAG_ANISOTROPIC, FLAG_HELD, accelAt, coldAt, colliderAt, deltaAt, rotationOf, rowAt } from '../bodies/rows';
import { turnBody } from '../bodies/turn';
import { between, duePairs } from '../ccd/against_static';
import { motionBlock } from '../ccd/speculative';
import { firstEndOf, nextEndOf } from '../constraints/pair_lists';
import { pairCold, pairHot } from '../constraints/pair_rows';
import {
  BODY_ACCEL_STRIDE,
  BODY_VELOCITY_STRIDE,
  BodyAccel,
  BodyCold,
  BodyDelta,
  BodyRow,
  BodyVelocity,
  COLLIDER_ALIGNED,
  Collider,
  Flyer,
  Header,
  ImpactState,
  Motion,
  NONE,
  PairCold,
  PairHot,
  SUPPORT_ROW_STRIDE,
  TurnedBody,
} from '../layout.generated';
import { addW, dot3, mulW, splatW, subW, vec3W } from '../math/lane';
import {
  quatConjugate,
  quatFromRotationVector,
  quatMul,
  quatNormalize,
  rotate3,
  rotationVectorOf,
  storeRotation,
} from '../math/quat';
import { length3, x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { NEVER, advance, gjkOf, writeSweptCore } from '../narrowphase/advance';
import { CORES } from '../narrowphase/gjk';
import { extentOf } from '../shapes/bounds';
import { shapeAt } from '../shapes/shapes';
import { spinOf, velocityOf } from './rows';
import { flyerAt } from './state';

// Shapes count as meeting when they overlap by this share of the shrinking of their cores; shapes that overlap by more, when they
// get that much deeper, up to the most.
const OVERLAP: f32 = 0.1;
const DEEPER: f32 = 0.15;
const DEEPEST: f32 = 0.85;
// Bit of PairCold.flags.
export const SENSOR: u32 = 2;

/** The other body of an end in the list of a collider of a body. */
export function otherOf(end: u32, body: u32): u32 {
  const hot: PairHot = pairHot(end >> 1);
  return hot.bodyA == body ? hot.bodyB : hot.bodyA;
}

/** From an end of A on the first of a pair with B in which bodies meet, NONE without. */
export function withPartner(end: u32, a: u32, b: u32): u32 {
  while (end != NONE && (otherOf(end, a) != b || (pairCold(end >> 1).flags & SENSOR) != 0)) end = nextEndOf(end);
  return end;
}

export function flyerOf(s: ImpactState, body: u32): Flyer {
  return flyerAt(s, flyerAt(s, 0).body == body ? 0 : 1);
}

/** Columns of the rotation of a body on its way. */
export function columnsOf(f: Flyer): usize {
  return changetype<usize>(f) + offsetof<Flyer>('column0');
}

/** A body as it was at the start of the step. */
export function begin(f: Flyer, body: u32): void {
  const row: BodyRow = rowAt(body);
  const from = changetype<BodyVelocity>(<usize>header().startVelocities + <usize>body * BODY_VELOCITY_STRIDE);
  row.v = from.v;
  row.w = from.w;
  f.body = body;
  f.way = splatW(0);
  f.q = rotationOf(body);
  storeRotation(f.q, columnsOf(f));
}

/** Free motion for a time, with accelerations as in substeps of h1. */
export function fly(f: Flyer, time: f32, h1: f32): void {
  if (!(time > 0)) return;
  const h: Header = header();
  const body: u32 = f.body;
  const cold: BodyCold = coldAt(body);
  const row: BodyRow = rowAt(body);
  const accel: BodyAccel = accelAt(body);
  const t: v128 = splatW(time);
  const gain: v128 = mulW(f32x4.replace_lane(accel.a, 3, 0), t),
    turnGain: v128 = mulW(f32x4.replace_lane(accel.b, 3, 0), t);
  f.way = addW(f.way, addW(mulW(velocityOf(body), t), mulW(gain, splatW(<f32>0.5 * (time + h1)))));
  row.v = addW(row.v, gain);
  let w: v128 = addW(spinOf(body), turnGain);
  const p: v128 = mulW(w, t);
  const turned: usize = <usize>h.scratch + 48;
  if ((cold.flags & FLAG_ANISOTROPIC) != 0 && dot3(p, p) > 0 && turnBody(cold, f.q, w, p, time, turned) < <f32>1e15) {
    f.q = v128.load(turned, offsetof<TurnedBody>('rotation'));
    const low: v128 = v128.load(turned, offsetof<TurnedBody>('low'));
    w = v128.load(turned, offsetof<TurnedBody>('velocity'));
    cold.wlx = x3(low);
    cold.wly = y3(low);
    cold.wlz = z3(low);
  } else f.q = quatNormalize(quatMul(quatFromRotationVector(p), f.q));
  row.w = w;
  storeRotation(f.q, columnsOf(f));
  updateWorldInertia(body, columnsOf(f));
}

/** x_B - x_A now. */
export function apart(s: ImpactState, a: u32, b: u32): v128 {
  return addW(between(a, b), subW(flyerOf(s, b).way, flyerOf(s, a).way));
}

/** From the center of a body to the origin of a collider of it. */
export function originOf(c: Collider, columns: usize): v128 {
  if ((c.flags & COLLIDER_ALIGNED) != 0) return splatW(0);
  return f32x4.replace_lane(rotate3(columns, c.xyz), 3, 0);
}

function turnOf(c: Collider, q: v128): v128 {
  return (c.flags & COLLIDER_ALIGNED) != 0 ? q : quatMul(q, c.q);
}

/**
 * When the shapes of the two bodies meet in the next `time` seconds, NEVER if they do not; 0: they are inside each other.
 * `depth`: least separation of their contacts now (m).
 */
export function nextMeeting(s: ImpactState, time: f32, h1: f32, depth: f32): f32 {
  let first: f32 = NEVER;
  const bodyA: u32 = flyerAt(s, 0).body,
    bodyB: u32 = flyerAt(s, 1).body;
  for (
    let end: u32 = withPartner(firstEndOf(bodyA), bodyA, bodyB);
    end != NONE;
    end = withPartner(nextEndOf(end), bodyA, bodyB)
  ) {
    const t: f32 = meetingOf(s, pairCold(end >> 1), time, h1, depth);
    if (t >= 0 && (first < 0 || t < first)) first = t;
  }
  return first;
}

/** The same of two colliders. */
function meetingOf(s: ImpactState, cold: PairCold, time: f32, h1: f32, depth: f32): f32 {
  const ca: Collider = colliderAt(cold.colliderA),
    cb: Collider = colliderAt(cold.colliderB);
  const a: Flyer = flyerOf(s, ca.body),
    b: Flyer = flyerOf(s, cb.body);
  const m: Motion = motionBlock();
  m.qa = turnOf(ca, a.q);
  m.qb = turnOf(cb, b.q);
  m.oa = originOf(ca, columnsOf(a));
  m.ob = originOf(cb, columnsOf(b));
  m.d = apart(s, a.body, b.body);
  const accels: usize = header().bodyAccels;
  const da: v128 = subW(
    v128.load(accels + <usize>b.body * BODY_ACCEL_STRIDE),
    v128.load(accels + <usize>a.body * BODY_ACCEL_STRIDE),
  );
  m.dv = addW(subW(velocityOf(b.body), velocityOf(a.body)), f32x4.replace_lane(mulW(da, splatW(<f32>0.5 * (time + h1))), 3, 0));
  m.wa = spinOf(a.body);
  m.wb = spinOf(b.body);
  const d: f32 = length3(m.d);
  m.n = d > 0 ? mulW(m.d, splatW(1 / d)) : vec3W(0, 1, 0);
  m.reachA = extentOf(ca);
  m.reachB = extentOf(cb);
  const cores: usize = gjkOf(m) + CORES;
  m.skin =
    writeSweptCore(cores, changetype<usize>(shapeAt(ca.shape))) +
    writeSweptCore(cores + SUPPORT_ROW_STRIDE, changetype<usize>(shapeAt(cb.shape)));
  m.target = min<f32>(-OVERLAP * m.skin, depth - DEEPER * m.skin);
  m.strict = 0;
  m.at = f32.NaN;
  return m.target < -DEEPEST * m.skin ? <f32>0 : advance(m, 0, time);
}

/** The way of a body becomes its motion of the step. */
export function finish(f: Flyer): void {
  const delta: BodyDelta = deltaAt(f.body);
  delta.d = f.way;
  delta.p = rotationVectorOf(quatMul(f.q, quatConjugate(rotationOf(f.body))));
  coldAt(f.body).flags |= FLAG_HELD;
  duePairs(f.body);
}
