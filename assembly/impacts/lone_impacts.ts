// Impacts of two bodies that nothing else is near, each at the moment in which they meet.
//
// Rows have the levers, normals and inertia of one pose a step. Where bodies go or turn far before they meet, and go on from
// there for the rest of the step, no single pose is right, and angular momentum comes from nowhere. Two free bodies need no rows:
// they act on each other alone. What the solver has made of them is left aside, and from the start of the step on
//   - they fly (bodies/turn.ts, accelerations as in the substeps) to where their shapes meet, by conservative advancement;
//   - there each contact is one point of the world, at which both get the impulse: 0 <= Z, u+ + e u- >= 0, one of them 0
//     (Moreau), by Gauss-Seidel; friction is bound by mu Z, and left out where it would add energy;
//   - they fly on with what they have then, until they meet again or the step is over.
// So momentum, and angular momentum about any point, are kept to rounding for all shapes and speeds, wherever they meet.
//
//   beginLoneImpacts  before the solver: lists such pairs, and keeps the velocities of their bodies
//   meetAlone         after it
//
// Input: BodyRow, BodyAccel, poses, contacts. Output: BodyRow; BodyDelta as the whole motion of the step (FLAG_HELD); the
// impulses of the step, of which none goes to the next one.
import {
  BODY_ACCEL_STRIDE,
  BODY_DELTA_STRIDE,
  BOUNCE_STATE_STRIDE,
  BOUNCE_SWEEPS,
  BodyCold,
  BodyRow,
  BounceState,
  COLLIDER_ALIGNED,
  COLLIDER_ONE_WAY,
  COLLIDER_SURFACE,
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
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { updateWorldInertia } from '../bodies/integrate';
import { limitedTo, speedLimit, spinLimit } from '../bodies/limits';
import {
  FLAG_ANISOTROPIC,
  FLAG_ASLEEP,
  FLAG_HELD,
  FLAG_LOCKS,
  FLAG_LONE,
  coldAt,
  colliderAt,
  inertiaAt,
  inverseInertia,
  isDynamic,
  rotationOf,
  rowAt,
} from '../bodies/rows';
import { TURN_LOW, TURN_ROTATION, TURN_VELOCITY, turnBody } from '../bodies/turn';
import { noteChange } from '../constraints/held';
import { firstJoint } from '../constraints/joints';
import { ManifoldPoint, excessIn, manifoldAt, pointOf } from '../constraints/manifolds';
import { firstEndOf, nextEndOf } from '../constraints/pair_lists';
import { pairCold, pairHot, watchedAt } from '../constraints/pair_rows';
import { VELOCITY_STRIDE, keepVelocity, reserveVelocities } from '../events/approach';
import { between, duePairs } from '../ccd/against_static';
import { takeMaterial } from '../manifolds/material';
import { storePairPose } from '../manifolds/pair_pose';
import { BODY_A_COLUMNS, BODY_B_COLUMNS, OUTPUTS, REL_POSE, SHAPE_A_COLUMNS, contactState } from '../scratch/contact_state';
import { motionBlock, swingOf } from '../ccd/speculative';
import { addStepImpulse, clearLane, copyState, hitLane } from '../lanes/state';
import { substepRateOf } from '../lanes/runs';
import { addW, cross3, dot3, mulW, negW, splatW, subW, vec3W } from '../math/lane';
import {
  quatConjugate,
  quatFromRotationVector,
  quatMul,
  quatNormalize,
  rotate3,
  rotationVectorOf,
  storeRotation,
} from '../math/quat';
import { x3, y3, z3 } from '../math/vec3';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { Motion, NEVER, advance, gjkOf, writeSweptCore } from '../narrowphase/advance';
import { collide } from '../narrowphase/dispatch';
import { CORES } from '../narrowphase/gjk';
import { SUPPORT_ROW_STRIDE } from '../narrowphase/support';
import { oneCircleRow, rigidNormalRow } from '../rows/row';
import { effective, inverse } from '../rows/mass';

// Where no point of a body is faster (m/s) nothing is far.
const LEAST_SPEED: f32 = 3;
// Bodies that go this share of the smaller inner radius against each other in a step go far.
const FAR: f32 = 0.8;
// Contacts that are apart by less than this (m) have met.
const MET: f32 = 1e-3;
// Shapes meet when they overlap by this share of what their cores are shrunk by; what overlaps by more, when it gets that much
// deeper, up to the most.
const OVERLAP: f32 = 0.1;
const DEEPER: f32 = 0.15;
const DEEPEST: f32 = 0.85;
// Contacts that close slower than this (m/s, share of the speed of the bodies) do not meet.
const CLOSES: f32 = 1e-3;
const CLOSES_SHARE: f32 = 1e-4;
// Longest turn of a flight for which it is taken for a turn about one axis (rad), and most flights of a step.
const TURN: f32 = 0.5;
const FLIGHTS: u32 = 48;
// What is inside each other flies this share of the smaller inner radius at a time, so often at most.
const INSIDE: f32 = 0.4;
const FLIGHTS_INSIDE: u32 = 512;
// A sweep that changes no speed by more than this share of the impact was the last.
const SETTLED: f32 = 1e-6;
// What moves slower along the surface (m/s) sticks: friction has done no work.
const STICKS: f32 = 1e-3;
// Bits of PairCold.flags.
const TOUCHING: u32 = 1;
const SENSOR: u32 = 2;
// Levers this near (sine, squared) to the normal lie along it.
const ALONG: f32 = 1e-10;
const MOST_POINTS: u32 = 16;

/** A body on its way through the step. */
@unmanaged
class Flyer {
  way: v128; // since the start of the step
  q: v128;
  c0: v128; // columns of q
  c1: v128;
  c2: v128;
  v: v128; // velocities before the impact at hand
  w: v128;
  body: u32;
  pad0: u32;
  pad1: u32;
  pad2: u32;
}
/** A contact at a meeting. */
@unmanaged
class Point {
  n: v128; // from A to B
  t1: v128;
  t2: v128;
  ra: v128; // to one point of the world, from both centers
  rb: v128;
  block: v128; // inverse of K of the tangents: 11, 12, 22
  mass: f32; // 1 / K along n
  target: f32; // u+ is at least this
  friction: f32;
  restitution: f32;
  z: f32; // impulses
  z1: f32;
  z2: f32;
  came: f32; // u- along the normal and the tangents
  came1: f32;
  came2: f32;
  bodyA: u32;
  bodyB: u32;
  pair: u32;
  separation: f32;
  pad1: u32;
  pad2: u32;
}
const FLYER: usize = offsetof<Flyer>();
const POINT: usize = offsetof<Point>();
const POINTS: usize = 2 * FLYER;
const MATERIAL: usize = POINTS + POINT * <usize>MOST_POINTS; // a manifold
const SCRATCH_BYTES: usize = MATERIAL + MANIFOLD_STRIDE;

function state(): BounceState {
  return changetype<BounceState>(<usize>header().bounceState);
}
function flyer(side: u32): Flyer {
  return changetype<Flyer>(<usize>state().loneScratch + <usize>side * FLYER);
}
function flyerOf(body: u32): Flyer {
  return flyer(flyer(0).body == body ? 0 : 1);
}
function columnsOf(f: Flyer): usize {
  return changetype<usize>(f) + offsetof<Flyer>('c0');
}
function pointAt(i: u32): Point {
  return changetype<Point>(<usize>state().loneScratch + POINTS + <usize>i * POINT);
}
function velocityOf(body: u32): v128 {
  return f32x4.replace_lane(v128.load(changetype<usize>(rowAt(body))), 3, 0);
}
function spinOf(body: u32): v128 {
  return f32x4.replace_lane(v128.load(changetype<usize>(rowAt(body)), 16), 3, 0);
}
function length3(v: v128): f32 {
  return sqrt<f32>(dot3(v, v));
}

/** Makes room for what bounces. False without memory (header error set). */
export function reserveBounces(): bool {
  const h: Header = header();
  if (h.bounceState == 0) h.bounceState = <u32>allocate(BOUNCE_STATE_STRIDE);
  return h.bounceState != 0;
}

/** Way (m) of two bodies against each other in the step, turns left aside. */
function wayBetween(a: u32, b: u32): f32 {
  return length3(subW(velocityOf(b), velocityOf(a))) * header().dt;
}

/** The other body of an end in the list of a collider of a body. */
function otherOf(end: u32, body: u32): u32 {
  const hot: PairHot = pairHot(end >> 1);
  return hot.bodyA == body ? hot.bodyB : hot.bodyA;
}

/** The one body that a free body may come to in the step; NONE if there are more, or none, or if anything holds it. */
function partnerOf(body: u32): u32 {
  const cold: BodyCold = coldAt(body);
  if (!isDynamic(body) || (cold.flags & (FLAG_LOCKS | FLAG_ASLEEP)) != 0 || !(rowAt(body).invMass > 0)) return NONE;
  if (header().jointAlive != 0 && firstJoint(body) != NONE) return NONE;
  let partner: u32 = NONE;
  for (let end: u32 = firstEndOf(body); end != NONE; end = nextEndOf(end)) {
    const other: u32 = otherOf(end, body);
    const pair: PairCold = pairCold(end >> 1);
    if (other == partner || (pair.flags & SENSOR) != 0) continue;
    if (pair.manifold == NONE) {
      if (!isDynamic(other)) continue;
      const d: v128 = between(body, other);
      if (length3(d) > cold.extent + coldAt(other).extent + wayBetween(body, other)) continue;
    }
    if (partner != NONE) return NONE;
    partner = other;
  }
  return partner;
}

/** From an end of A on the first of a pair with B in which bodies meet, NONE without. */
function withPartner(end: u32, a: u32, b: u32): u32 {
  while (end != NONE && (otherOf(end, a) != b || (pairCold(end >> 1).flags & SENSOR) != 0)) end = nextEndOf(end);
  return end;
}

/** What only rows know: one-way sides, surfaces that move, meshes. */
function isPlain(c: Collider): bool {
  return (c.flags & (COLLIDER_ONE_WAY | COLLIDER_SURFACE)) == 0 && changetype<Shape>(shapeOf(c)).type < SHAPE_MESH;
}

/** Whether two bodies go far against each other in the step: of what touches, only what comes in or slides so counts. */
function goesFar(a: u32, b: u32): bool {
  const dt: f32 = header().dt;
  const extent: f32 = min<f32>(coldAt(a).extent, coldAt(b).extent);
  const far: f32 = FAR * min<f32>(coldAt(a).inner, coldAt(b).inner);
  const way: f32 = wayBetween(a, b) + (swingOf(coldAt(a), spinOf(a)) + swingOf(coldAt(b), spinOf(b))) * dt;
  if (!(way > far)) return false;
  let touching: bool = false,
    goes: bool = length3(subW(spinOf(b), spinOf(a))) * extent * dt > far;
  for (let end: u32 = withPartner(firstEndOf(a), a, b); end != NONE; end = withPartner(nextEndOf(end), a, b)) {
    const cold: PairCold = pairCold(end >> 1);
    if (!isPlain(colliderAt(cold.colliderA)) || !isPlain(colliderAt(cold.colliderB))) return false;
    if ((cold.flags & TOUCHING) != 0) touching = true;
    for (let index: u32 = cold.manifold; index != NONE; index = manifoldAt(index).next) {
      const m: Manifold = manifoldAt(index);
      for (let k: u32 = 0; k < m.count; k++) {
        const p: usize = changetype<usize>(pointOf(m, k));
        const ra: v128 = v128.load(p, offsetof<ManifoldPoint>('rax')),
          rb: v128 = v128.load(p, offsetof<ManifoldPoint>('rbx'));
        if (length3(slip(m.bodyA, ra, m.bodyB, rb)) * dt > far) goes = true;
      }
    }
  }
  return goes || !touching;
}

/** Lists pairs of bodies that meet alone and far. Returns false without memory (header error set). */
export function beginLoneImpacts(): bool {
  const h: Header = header();
  if (h.bounceState != 0) dropList(); // of a step that ended early
  if (!(h.fastest + h.hardest > LEAST_SPEED)) return true;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const a: u32 = awakeBody(k);
    const cold: BodyCold = coldAt(a);
    if ((cold.flags & FLAG_LONE) != 0) continue;
    if (!((length3(velocityOf(a)) + length3(spinOf(a)) * cold.extent) * h.dt > <f32>0.5 * FAR * cold.inner)) continue;
    const b: u32 = partnerOf(a);
    if (b == NONE || partnerOf(b) != a || !goesFar(a, b)) continue;
    if (!reserveVelocities() || !reserveBounces()) return false;
    const s: BounceState = state();
    const base: usize = changetype<usize>(s) + offsetof<BounceState>('lonePairs');
    if (s.loneScratch == 0) s.loneScratch = <u32>allocate(SCRATCH_BYTES);
    if (s.loneScratch == 0 || !ensureArray(base, 8, s.loneCount + 1)) return false;
    put32(s.lonePairs, 2 * s.loneCount, a);
    put32(s.lonePairs, 2 * s.loneCount + 1, b);
    s.loneCount++;
    keepVelocity(a);
    keepVelocity(b);
    coldAt(a).flags |= FLAG_LONE;
    coldAt(b).flags |= FLAG_LONE;
  }
  return true;
}

function dropList(): void {
  const s: BounceState = state();
  for (let i: u32 = 0; i < 2 * s.loneCount; i++) {
    const body: u32 = at32(s.lonePairs, i);
    if (body != NONE) coldAt(body).flags &= ~FLAG_LONE;
  }
  s.loneCount = 0;
}

/** Takes the pairs of the list through the step. */
export function meetAlone(): void {
  if (header().bounceState == 0) return;
  const s: BounceState = state();
  for (let i: u32 = 0; i < s.loneCount; i++) {
    // What was inside each other is looked at again (ccd/against_moving.ts).
    if (!meet(at32(s.lonePairs, 2 * i), at32(s.lonePairs, 2 * i + 1))) put32(s.lonePairs, 2 * i + 1, NONE);
  }
}

/** Takes two bodies through the step. Returns false where they were inside each other and flew too long to look at all of it. */
function meet(a: u32, b: u32): bool {
  const h: Header = header();
  begin(0, a);
  begin(1, b);
  for (let end: u32 = withPartner(firstEndOf(a), a, b); end != NONE; end = withPartner(nextEndOf(end), a, b)) {
    for (let index: u32 = pairCold(end >> 1).manifold; index != NONE; index = manifoldAt(index).next) forget(index);
  }
  const h1: f32 = 1 / substepRateOf(a, b);
  const inner: f32 = min<f32>(coldAt(a).inner, coldAt(b).inner);
  let left: f32 = h.dt;
  let inside: u32 = 0;
  for (let k: u32 = 0; k < FLIGHTS && left > 0; ) {
    const depth: f32 = impact();
    const turns: f32 = length3(spinOf(a)) * coldAt(a).extent + length3(spinOf(b)) * coldAt(b).extent;
    const spin: f32 = max<f32>(length3(spinOf(a)), length3(spinOf(b)));
    let time: f32 = min<f32>(left, max<f32>(TURN / max<f32>(spin, <f32>1e-6), (2 * h.dt) / <f32>FLIGHTS));
    const met: f32 = nextMeeting(time, h1, depth);
    if (met > 0) time = met;
    if (met == 0 && inside++ < FLIGHTS_INSIDE) {
      time = min<f32>(time, (INSIDE * inner) / (length3(subW(velocityOf(b), velocityOf(a))) + turns + <f32>1e-6));
    } else k++;
    fly(flyer(0), time, h1);
    fly(flyer(1), time, h1);
    left -= time;
  }
  fly(flyer(0), left, h1);
  fly(flyer(1), left, h1);
  finish(flyer(0));
  finish(flyer(1));
  return inside < FLIGHTS_INSIDE;
}

/** A body as it was at the start of the step. */
function begin(side: u32, body: u32): void {
  const f: Flyer = flyer(side);
  const row: usize = changetype<usize>(rowAt(body));
  const from: usize = <usize>header().startVelocities + <usize>body * VELOCITY_STRIDE;
  v128.store(row, v128.load(from));
  v128.store(row, v128.load(from, 16), 16);
  f.body = body;
  f.way = splatW(0);
  f.q = rotationOf(body);
  storeRotation(f.q, columnsOf(f));
}

/** What a contact has borne is void: the solver has met it somewhere else. */
function forget(index: u32): void {
  copyState(manifoldAt(index), manifoldAt(index));
  const m: Manifold = manifoldAt(index);
  for (let k: u32 = 0; k < m.count; k++) {
    pointOf(m, k).impulse = 0;
    pointOf(m, k).maxImpulse = 0;
  }
  v128.store(excessIn(m, 0), f32x4.splat(0));
  m.tangentImpulse1 = 0;
  m.tangentImpulse2 = 0;
  m.twistImpulse = 0;
  m.rollImpulse1 = 0;
  m.rollImpulse2 = 0;
  m.stepImpulse = 0;
  m.maxDrift = 0;
  noteChange(index);
  if (m.lane != NONE) clearLane(m);
}

/** Free motion for a time, with accelerations as in substeps of h1. */
function fly(f: Flyer, time: f32, h1: f32): void {
  if (!(time > 0)) return;
  const h: Header = header();
  const body: u32 = f.body;
  const cold: BodyCold = coldAt(body);
  const row: usize = changetype<usize>(rowAt(body));
  const accel: usize = <usize>h.bodyAccels + <usize>body * BODY_ACCEL_STRIDE;
  const t: v128 = splatW(time);
  const gain: v128 = mulW(f32x4.replace_lane(v128.load(accel), 3, 0), t),
    turnGain: v128 = mulW(f32x4.replace_lane(v128.load(accel, 16), 3, 0), t);
  f.way = addW(f.way, addW(mulW(velocityOf(body), t), mulW(gain, splatW(<f32>0.5 * (time + h1)))));
  v128.store(row, addW(v128.load(row), gain));
  let w: v128 = addW(spinOf(body), turnGain);
  const p: v128 = mulW(w, t);
  const turned: usize = <usize>h.scratch + 48;
  if ((cold.flags & FLAG_ANISOTROPIC) != 0 && dot3(p, p) > 0 && turnBody(cold, f.q, w, p, time, turned) < <f32>1e15) {
    f.q = v128.load(turned, TURN_ROTATION);
    const low: v128 = v128.load(turned, TURN_LOW);
    w = v128.load(turned, TURN_VELOCITY);
    cold.wlx = x3(low);
    cold.wly = y3(low);
    cold.wlz = z3(low);
  } else f.q = quatNormalize(quatMul(quatFromRotationVector(p), f.q));
  v128.store(row, w, 16);
  storeRotation(f.q, columnsOf(f));
  updateWorldInertia(body, columnsOf(f));
}

/** x_B - x_A now. */
function apart(a: u32, b: u32): v128 {
  return addW(between(a, b), subW(flyerOf(b).way, flyerOf(a).way));
}

/** From the center of a body to the origin of a collider of it. */
function originOf(c: Collider, columns: usize): v128 {
  if ((c.flags & COLLIDER_ALIGNED) != 0) return splatW(0);
  return f32x4.replace_lane(rotate3(columns, v128.load(changetype<usize>(c), offsetof<Collider>('x'))), 3, 0);
}
function shapeOf(c: Collider): usize {
  return <usize>header().shapes + <usize>c.shape * SHAPE_STRIDE;
}
function turnOf(c: Collider, q: v128): v128 {
  return (c.flags & COLLIDER_ALIGNED) != 0 ? q : quatMul(q, v128.load(changetype<usize>(c), offsetof<Collider>('qx')));
}

/**
 * When the shapes of the two bodies meet in the next `time` seconds, NEVER if they do not; 0: they are inside each other.
 * `depth`: least separation of their contacts now (m).
 */
function nextMeeting(time: f32, h1: f32, depth: f32): f32 {
  const h: Header = header();
  let first: f32 = NEVER;
  const bodyA: u32 = flyer(0).body,
    bodyB: u32 = flyer(1).body;
  for (
    let end: u32 = withPartner(firstEndOf(bodyA), bodyA, bodyB);
    end != NONE;
    end = withPartner(nextEndOf(end), bodyA, bodyB)
  ) {
    const cold: PairCold = pairCold(end >> 1);
    const ca: Collider = colliderAt(cold.colliderA),
      cb: Collider = colliderAt(cold.colliderB);
    const a: Flyer = flyerOf(ca.body),
      b: Flyer = flyerOf(cb.body);
    const m: Motion = motionBlock();
    m.qa = turnOf(ca, a.q);
    m.qb = turnOf(cb, b.q);
    m.oa = originOf(ca, columnsOf(a));
    m.ob = originOf(cb, columnsOf(b));
    m.d = apart(a.body, b.body);
    const accels: usize = h.bodyAccels;
    const da: v128 = subW(
      v128.load(accels + <usize>b.body * BODY_ACCEL_STRIDE),
      v128.load(accels + <usize>a.body * BODY_ACCEL_STRIDE),
    );
    m.dv = addW(subW(velocityOf(b.body), velocityOf(a.body)), f32x4.replace_lane(mulW(da, splatW(<f32>0.5 * (time + h1))), 3, 0));
    m.wa = spinOf(a.body);
    m.wb = spinOf(b.body);
    const d: f32 = length3(m.d);
    m.n = d > 0 ? mulW(m.d, splatW(1 / d)) : vec3W(0, 1, 0);
    m.reachA = coldAt(a.body).extent;
    m.reachB = coldAt(b.body).extent;
    const cores: usize = gjkOf(m) + CORES;
    m.skin = writeSweptCore(cores, shapeOf(ca)) + writeSweptCore(cores + SUPPORT_ROW_STRIDE, shapeOf(cb));
    m.target = min<f32>(-OVERLAP * m.skin, depth - DEEPER * m.skin);
    m.strict = 0;
    m.at = f32.NaN;
    const t: f32 = m.target < -DEEPEST * m.skin ? <f32>0 : advance(m, 0, time);
    if (t >= 0 && (first < 0 || t < first)) first = t;
  }
  return first;
}

/** A lever that lies along the normal but for rounding lies along it: nothing turns a ball without friction. */
function straight(r: v128, n: v128): v128 {
  const arm: v128 = cross3(r, n);
  return dot3(arm, arm) > ALONG * dot3(r, r) ? r : mulW(n, splatW(dot3(r, n)));
}

/** The contacts of the two bodies as they are now: their number. */
function findPoints(): u32 {
  const s: usize = contactState();
  let count: u32 = 0;
  const bodyA: u32 = flyer(0).body,
    bodyB: u32 = flyer(1).body;
  for (
    let end: u32 = withPartner(firstEndOf(bodyA), bodyA, bodyB);
    end != NONE;
    end = withPartner(nextEndOf(end), bodyA, bodyB)
  ) {
    const cold: PairCold = pairCold(end >> 1);
    const ca: Collider = colliderAt(cold.colliderA),
      cb: Collider = colliderAt(cold.colliderB);
    const d: v128 = apart(ca.body, cb.body);
    memory.copy(s + BODY_A_COLUMNS, columnsOf(flyerOf(ca.body)), 48);
    memory.copy(s + BODY_B_COLUMNS, columnsOf(flyerOf(cb.body)), 48);
    storePairPose(s, ca, cb, d);
    const origin: v128 = originOf(ca, s + BODY_A_COLUMNS);
    const cache: usize = changetype<usize>(cold) + offsetof<PairCold>('cache');
    const material: Manifold = changetype<Manifold>(<usize>state().loneScratch + MATERIAL);
    takeMaterial(material, ca, cb);
    const found: u32 = collide(shapeOf(ca), shapeOf(cb), s + REL_POSE, s + OUTPUTS, cache, MET);
    for (let k: u32 = 0; k < found; k++) {
      const out: usize = s + OUTPUTS + <usize>k * MANIFOLD_OUT_STRIDE;
      const n: v128 = rotate3(s + SHAPE_A_COLUMNS, f32x4.replace_lane(v128.load(out, offsetof<ManifoldOut>('nx')), 3, 0));
      for (let i: u32 = 0; i < changetype<ManifoldOut>(out).count && count < MOST_POINTS; i++) {
        const raw: v128 = v128.load(out + ((<usize>i) << 4), offsetof<ManifoldOut>('x0'));
        const separation: f32 = f32x4.extract_lane(raw, 3);
        if (separation > MET) continue;
        const onA: v128 = addW(rotate3(s + SHAPE_A_COLUMNS, f32x4.replace_lane(raw, 3, 0)), origin);
        const p: Point = pointAt(count++);
        p.n = f32x4.replace_lane(n, 3, 0);
        const ra: v128 = f32x4.replace_lane(addW(onA, mulW(n, splatW(<f32>0.5 * separation))), 3, 0);
        p.ra = straight(ra, p.n);
        p.rb = straight(f32x4.replace_lane(subW(ra, d), 3, 0), p.n);
        p.bodyA = ca.body;
        p.bodyB = cb.body;
        p.pair = end >> 1;
        p.separation = separation;
        p.friction = material.friction;
        p.restitution = material.restitution;
      }
    }
  }
  return count;
}

/** Motion of B against A at levers. */
function slip(a: u32, ra: v128, b: u32, rb: v128): v128 {
  return subW(addW(velocityOf(b), cross3(spinOf(b), rb)), addW(velocityOf(a), cross3(spinOf(a), ra)));
}
function slipAt(p: Point): v128 {
  return slip(p.bodyA, p.ra, p.bodyB, p.rb);
}

/** K between directions d and e at a point. */
function responseAt(p: Point, d: v128, e: v128): f32 {
  return (
    effective(p.bodyA, x3(p.ra), y3(p.ra), z3(p.ra), x3(d), y3(d), z3(d), x3(e), y3(e), z3(e)) +
    effective(p.bodyB, x3(p.rb), y3(p.rb), z3(p.rb), x3(d), y3(d), z3(d), x3(e), y3(e), z3(e))
  );
}

/** Impulse f on B at a point, -f on A. */
function push(p: Point, f: v128): void {
  pushBody(p.bodyA, negW(f), p.ra);
  pushBody(p.bodyB, f, p.rb);
}
function pushBody(body: u32, f: v128, r: v128): void {
  const row: usize = changetype<usize>(rowAt(body));
  v128.store(row, addW(v128.load(row), mulW(f, splatW(changetype<BodyRow>(row).invMass))));
  v128.store(row, addW(v128.load(row, 16), inverseInertia(inertiaAt(body), cross3(r, f))), 16);
}

/** The impact of the two bodies where they are, if they close there. Returns the least separation of their contacts (m). */
function impact(): f32 {
  const h: Header = header();
  const count: u32 = findPoints();
  let hardest: f32 = 0,
    fastest: f32 = 0,
    depth: f32 = MET;
  for (let i: u32 = 0; i < count; i++) {
    const u: v128 = slipAt(pointAt(i));
    depth = min<f32>(depth, pointAt(i).separation);
    hardest = min<f32>(hardest, dot3(pointAt(i).n, u));
    fastest = max<f32>(fastest, length3(u));
  }
  if (!(hardest < -max<f32>(CLOSES, CLOSES_SHARE * fastest))) return depth;
  for (let side: u32 = 0; side < 2; side++) {
    const f: Flyer = flyer(side);
    f.v = velocityOf(f.body);
    f.w = spinOf(f.body);
  }
  let rubs: bool = false;
  for (let i: u32 = 0; i < count; i++) {
    const p: Point = pointAt(i);
    const u: v128 = slipAt(p);
    const across: v128 = abs<f32>(x3(p.n)) < <f32>0.6 ? vec3W(1, 0, 0) : vec3W(0, 1, 0);
    const t: v128 = cross3(p.n, across);
    p.t1 = mulW(t, splatW(1 / length3(t)));
    p.t2 = cross3(p.n, p.t1);
    p.came = dot3(p.n, u);
    p.came1 = dot3(p.t1, u);
    p.came2 = dot3(p.t2, u);
    p.mass = inverse(responseAt(p, p.n, p.n));
    // What is too deep gets out of it within a step.
    const out: f32 = (-p.separation - MET) / h.dt;
    p.target = max<f32>(p.came < -h.restitutionThreshold ? -p.restitution * p.came : 0, out);
    rubs = rubs || p.friction > 0;
    const k11: f32 = responseAt(p, p.t1, p.t1),
      k12: f32 = responseAt(p, p.t1, p.t2),
      k22: f32 = responseAt(p, p.t2, p.t2);
    const k: f32 = inverse(k11 * k22 - k12 * k12);
    p.block = f32x4(k22 * k, -k12 * k, k11 * k, 0);
  }
  sweepPoints(count, rubs, -hardest);
  if (rubs && hasGained(count)) {
    for (let side: u32 = 0; side < 2; side++) {
      const f: Flyer = flyer(side);
      const row: usize = changetype<usize>(rowAt(f.body));
      v128.store(row, f32x4.replace_lane(f.v, 3, changetype<BodyRow>(row).invMass));
      v128.store(row, f.w, 16);
    }
    sweepPoints(count, false, -hardest);
  }
  for (let i: u32 = 0; i < count; i++) tell(pairCold(pointAt(i).pair), pointAt(i).z);
  for (let side: u32 = 0; side < 2; side++) limit(flyer(side).body);
  return depth;
}

/** Sweeps over the contacts of an impact of a speed. */
function sweepPoints(count: u32, rubs: bool, speed: f32): void {
  for (let i: u32 = 0; i < count; i++) {
    pointAt(i).z = 0;
    pointAt(i).z1 = 0;
    pointAt(i).z2 = 0;
  }
  for (let k: u32 = 0; k < 4 * BOUNCE_SWEEPS; k++) {
    let most: f32 = 0;
    for (let i: u32 = 0; i < count; i++) {
      const p: Point = pointAt(i);
      let u: v128 = slipAt(p);
      if (rubs && p.friction > 0) {
        const old1: f32 = p.z1,
          old2: f32 = p.z2;
        const impulses: usize = changetype<usize>(p) + offsetof<Point>('z1');
        const block: v128 = p.block;
        oneCircleRow(impulses, x3(block), y3(block), z3(block), dot3(p.t1, u), dot3(p.t2, u), p.friction * p.z);
        const d1: f32 = p.z1 - old1,
          d2: f32 = p.z2 - old2;
        push(p, addW(mulW(p.t1, splatW(d1)), mulW(p.t2, splatW(d2))));
        most = max<f32>(most, (abs<f32>(d1) + abs<f32>(d2)) * inverse(p.mass));
        u = slipAt(p);
      }
      const z: f32 = rigidNormalRow<f32>(p.z, dot3(p.n, u) - p.target, p.mass, 0);
      const d: f32 = z - p.z;
      if (d == 0) continue;
      p.z = z;
      push(p, mulW(p.n, splatW(d)));
      most = max<f32>(most, abs<f32>(d) * inverse(p.mass));
    }
    if (!(most > SETTLED * speed)) break;
  }
}

/** Whether friction has added energy: impulses do the work Z (u- + u+) / 2 (Kane and Levinson). */
function hasGained(count: u32): bool {
  let work: f32 = 0,
    sum: f32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const p: Point = pointAt(i);
    const u: v128 = slipAt(p);
    work += p.z1 * (p.came1 + dot3(p.t1, u)) + p.z2 * (p.came2 + dot3(p.t2, u));
    sum += abs<f32>(p.z1) + abs<f32>(p.z2);
  }
  return work > STICKS * sum;
}

/** A contact was hit: for the events of the step. */
function tell(cold: PairCold, impulse: f32): void {
  if (!(impulse > 0) || cold.manifold == NONE) return;
  const m: Manifold = manifoldAt(cold.manifold);
  const first: ManifoldPoint = pointOf(m, 0);
  first.maxImpulse = max<f32>(first.maxImpulse, impulse);
  first.separation = min<f32>(first.separation, 0);
  addStepImpulse(m, impulse);
  if (m.lane != NONE) hitLane(m, first.maxImpulse);
  if (cold.watch != 0) watchedAt(cold.watch - 1).separation = 0;
}

/** Speed limits hold at once. */
function limit(body: u32): void {
  const row: usize = changetype<usize>(rowAt(body));
  const cold: BodyCold = coldAt(body);
  const v: v128 = velocityOf(body),
    w: v128 = spinOf(body);
  const maxSpeed: f32 = speedLimit(cold),
    maxSpin: f32 = spinLimit(cold);
  if (dot3(v, v) <= maxSpeed * maxSpeed && dot3(w, w) <= maxSpin * maxSpin) return;
  header().limitedCount++;
  v128.store(row, f32x4.replace_lane(limitedTo(v, maxSpeed), 3, changetype<BodyRow>(row).invMass));
  v128.store(row, limitedTo(w, maxSpin), 16);
}

/** The way of a body becomes its motion of the step. */
function finish(f: Flyer): void {
  const delta: usize = <usize>header().bodyDeltas + <usize>f.body * BODY_DELTA_STRIDE;
  v128.store(delta, f.way);
  v128.store(delta, rotationVectorOf(quatMul(f.q, quatConjugate(rotationOf(f.body)))), 16);
  coldAt(f.body).flags |= FLAG_HELD;
  duePairs(f.body);
}
