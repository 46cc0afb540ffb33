// Impacts, one stage for all solvers: they leave with e times the speed they came in with, have friction for all of their
// impulse, and give no energy from nowhere. The solver has stopped them (u >= 0); this puts them right. docs/solvers.md has
// the equations.
//
//   prepareBounces  before the solver: manifolds with restitution or of pairs that do not touch yet, speed u- of the impact at
//                   each of their points. Where all contacts of both bodies are among these, friction is left to this stage:
//                   the solver knows the impulse of an impact when the friction of that pass is over
//   bounce          after the solver, in its frozen frame: 0 <= Z, u + e u- >= 0, one of them 0 at every point that carried
//                   load in the step (Moreau), by Gauss-Seidel. Z is the impulse of the whole step, so a point may give back
//                   what the solver gave it: the points of one face, and of bodies in one impact, agree on one bounce.
//                   Friction is bound by mu Z in the same sweeps, and left out where it would add energy
//                   What meets far ahead in the step with nothing else around (PASSING) goes on as it bounced for the rest of
//                   the step: the impulse acts where both bodies were when they met, so angular momentum is kept
//   settleBounces   after rotations were advanced: angular momentum is kept there, but with the turn of before the impact the
//                   new inertia does not belong to the new spin. The energy that this has added or lost is put right along
//                   the impulses of restitution, so that momentum stays what it is.
//
// Input: manifolds (levers and normals of the step, impulses), BodyRow, BodyAccel, BodyInertia. Output: BodyRow, BodyDelta; the
// impulses carried to the next step are left alone, since an impact is no load.
// Source: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988.
import {
  BODY_ACCEL_STRIDE,
  BODY_CENTER_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_ROW_STRIDE,
  BOUNCE_BLOCK,
  BOUNCE_BODY_STRIDE,
  BOUNCE_LINK_STRIDE,
  BOUNCE_SWEEPS,
  BodyCold,
  BodyRow,
  BounceBody,
  BounceLink,
  BounceState,
  Header,
  Manifold,
  NONE,
  PairCold,
  PairHot,
  WATCHED_PAIR_STRIDE,
  WatchedPair,
} from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { limitVelocity } from '../bodies/limits';
import { keepBody } from '../bodies/locks';
import { foreseeMotion } from '../bodies/motions';
import { FLAG_ANISOTROPIC, FLAG_LONE, coldAt, inertiaAt, inverseInertia, rowAt } from '../bodies/rows';
import { isTouching } from '../constraints/contact';
import { noteChange } from '../constraints/held';
import { firstJoint } from '../constraints/joints';
import { firstConstraint, nextConstraint, otherBody } from '../constraints/lists';
import { ManifoldPoint, excessIn, isResting, manifoldAt, pointOf } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { FOLLOWED } from '../events/hits';
import { PASSING } from '../ccd/speculative';
import { addStepImpulse, clearLane, copyState, setLaneFriction, setStruck, setSummed, stepImpulse } from '../lanes/state';
import { substepRateOf } from '../lanes/runs';
import { addW, cross3, dot3, mulW, negW, splatW, subW, vec3W } from '../math/lane';
import { inverseRotate3, storeRotation } from '../math/quat';
import { x3, y3, z3 } from '../math/vec3';
import { ensureArray } from '../memory/allocator';
import { ensureBlocks, rowInBlocks } from '../memory/blocks';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { frictionBlock, meanLeverA, meanLeverB, twistMass } from '../rows/friction_block';
import { reserveBounces } from './lone_impacts';
import { boundRow, oneCircleRow, rigidNormalRow, slipStep } from '../rows/row';
import { effectivePair, inertiaDot, inverse, isBarred } from '../rows/mass';

// A sweep that changes no speed by more than this was the last, m/s.
const SETTLED: f32 = 1e-5;
// What moves slower along the surface (m/s, rad/s) sticks: friction has done no work.
const STICKS: f32 = 1e-3;
// Way in a substep (m) above which an impact on several points settles them at once: unsettled, it ends a fortieth of that short.
const FLAT_IMPACT: f32 = 15e-3;
// Slower impacts (m/s) without restitution are left to the solver.
const IMPACT_SPEED: f32 = 0.5;
// Points may lie outside of the bounds of their bodies by a little: a bound of speeds counts from this share of a threshold on.
const SLACK: f32 = 0.9;

function bounceState(): BounceState {
  return changetype<BounceState>(<usize>header().bounceState);
}
function linkAt(s: BounceState, i: u32): BounceLink {
  return changetype<BounceLink>(rowInBlocks(s.linkBlocks, i, BOUNCE_BLOCK, BOUNCE_LINK_STRIDE));
}
function bodyAt(s: BounceState, i: u32): BounceBody {
  return changetype<BounceBody>(<usize>s.bodies + <usize>i * BOUNCE_BODY_STRIDE);
}
/** Address of the value of point i in the row of four that starts at `field`. */
function valueOf(link: BounceLink, field: usize, i: u32): usize {
  return changetype<usize>(link) + field + ((<usize>i) << 2);
}
function room(s: BounceState, field: usize, stride: usize, needed: u32): bool {
  const at: usize = changetype<usize>(s) + field;
  return ensureArray(at, stride, needed);
}

function normalOf(m: Manifold): v128 {
  return f32x4.replace_lane(v128.load(changetype<usize>(m), offsetof<Manifold>('nx')), 3, 0);
}

/**
 * Motion of B against A at levers, of what lies at `rows`: velocities or accelerations of center and rotation, 16 bytes
 * each.
 */
function relative(m: Manifold, ra: v128, rb: v128, rows: usize, stride: usize): v128 {
  const a: usize = rows + <usize>m.bodyA * stride,
    b: usize = rows + <usize>m.bodyB * stride;
  return subW(addW(v128.load(b), cross3(v128.load(b, 16), rb)), addW(v128.load(a), cross3(v128.load(a, 16), ra)));
}

/** The same along the normal at a point. */
function alongNormal(m: Manifold, p: ManifoldPoint, rows: usize, stride: usize): f32 {
  const at: usize = changetype<usize>(p);
  const ra: v128 = v128.load(at, offsetof<ManifoldPoint>('rax')),
    rb: v128 = v128.load(at, offsetof<ManifoldPoint>('rbx'));
  return dot3(normalOf(m), relative(m, ra, rb, rows, stride));
}

/** Acceleration of B against A along the normal at a point. */
function accelerationAlong(m: Manifold, p: ManifoldPoint): f32 {
  return alongNormal(m, p, header().bodyAccels, BODY_ACCEL_STRIDE);
}

/** Speed of the impact at a point: that of the start of the step, and what the accelerations add on the way there. */
function impactSpeed(m: Manifold, p: ManifoldPoint): f32 {
  const u: f32 = pointSpeed(m, p);
  if (u >= 0) return u;
  const a: f32 = accelerationAlong(m, p);
  const squared: f32 = u * u - 2 * a * max<f32>(p.separation, 0);
  if (squared <= 0) return 0;
  return max<f32>(-sqrt<f32>(squared), u + min<f32>(a, 0) * header().dt);
}

/** Whether a point that comes in gets to the surface in this step, as the substeps would move free bodies. */
function isMet(m: Manifold, p: ManifoldPoint): bool {
  const h: Header = header();
  const path: f32 = pointSpeed(m, p) * h.dt;
  const fall: f32 = <f32>0.5 * accelerationAlong(m, p) * h.dt * (h.dt + 1 / substepRateOf(m.bodyA, m.bodyB));
  return p.separation + path + fall <= 0;
}

function pointSpeed(m: Manifold, p: ManifoldPoint): f32 {
  return alongNormal(m, p, header().bodyRows, BODY_ROW_STRIDE);
}

/** Whether nothing touches a body yet, or nothing can move it. */
function isLoose(body: u32): bool {
  if (rowAt(body).invMass == 0) return true;
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) if (isTouching(end >> 1)) return false;
  return true;
}

/** Whether a body may go on as it bounced from another one: nothing else is near it or holds it. */
function goesOn(body: u32, other: u32): bool {
  if (header().jointAlive != 0 && firstJoint(body) != NONE) return false;
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) if (otherBody(end) != other) return false;
  return true;
}

/** Notes how much of the step is left when two bodies meet that go far in it. Before the solver. */
function setRest(link: BounceLink, m: Manifold): void {
  if (!isPassing(m)) return;
  const dt: f32 = header().dt;
  // Normal and levers are those of a meeting that a sweep has found; others are met when a row closes.
  let rest: f32 = m.maxDrift < PASSING ? dt - (PASSING - m.maxDrift) : 0;
  for (let k: u32 = 0; k < m.count && m.maxDrift == PASSING; k++) {
    const p: ManifoldPoint = pointOf(m, k);
    const u: f32 = pointSpeed(m, p);
    if (u < 0) rest = max<f32>(rest, dt - max<f32>(p.separation, 0) / -u);
  }
  if (rest <= 0) return;
  if (goesOn(m.bodyA, m.bodyB)) link.restA = rest;
  if (goesOn(m.bodyB, m.bodyA)) link.restB = rest;
}

/** Whether two dynamic bodies go far against each other in the step. */
function isPassing(m: Manifold): bool {
  return m.maxDrift <= PASSING && rowAt(m.bodyA).invMass > 0 && rowAt(m.bodyB).invMass > 0;
}

/** Friction of a manifold in the solver of this step. */
function setFriction(index: u32, friction: f32): void {
  const m: Manifold = manifoldAt(index);
  m.friction = friction;
  setLaneFriction(m);
  noteChange(index);
}

/** Lists a manifold; false without memory. */
function list(s: BounceState, index: u32, watched: bool): bool {
  const h: Header = header();
  const m: Manifold = manifoldAt(index);
  if ((coldAt(m.bodyA).flags & FLAG_LONE) != 0) return true;
  if (!ensureBlocks(changetype<usize>(s), s.linkCount + 1, BOUNCE_BLOCK, BOUNCE_LINK_STRIDE)) return false;
  const link: BounceLink = linkAt(s, s.linkCount++);
  memory.fill(changetype<usize>(link), 0, BOUNCE_LINK_STRIDE);
  link.manifold = index;
  copyState(manifoldAt(index), manifoldAt(index));
  setSummed(m, true);
  let hardest: f32 = 0;
  for (let k: u32 = 0; k < m.count; k++) {
    const u: f32 = impactSpeed(m, pointOf(m, k));
    store<f32>(valueOf(link, offsetof<BounceLink>('approach0'), k), u);
    hardest = min<f32>(hardest, u);
  }
  const whole: bool = watched && hardest < -IMPACT_SPEED && isLoose(m.bodyA) && isLoose(m.bodyB);
  for (let k: u32 = 0; k < m.count; k++) {
    const at: usize = valueOf(link, offsetof<BounceLink>('approach0'), k);
    const u: f32 = load<f32>(at);
    const bounces: bool = m.restitution > 0 && u < -h.restitutionThreshold;
    if (!bounces) store<f32>(at, max<f32>(u, 0));
    if (bounces || (whole && u < -IMPACT_SPEED)) link.fast |= 1 << k;
    // What bounces off another body may be met sooner, since that one may be stopped on its way.
    const waits: bool = !bounces || rowAt(m.bodyA).invMass == 0 || rowAt(m.bodyB).invMass == 0;
    if (whole && waits && u < -IMPACT_SPEED && !isMet(m, pointOf(m, k))) link.ahead |= 1 << k;
  }
  link.whole = whole ? 1 : 0;
  // What comes in farther than that in a substep would be tilted by it, if its points took the impact one after the other.
  if (m.count > 1 && -hardest > FLAT_IMPACT * substepRateOf(m.bodyA, m.bodyB)) setStruck(index, true);
  setRest(link, m);
  if (whole && m.friction > 0) {
    link.friction = m.friction;
    setFriction(link.manifold, 0);
    link.centerA = meanLeverA(m);
    link.centerB = meanLeverB(m);
    const came: v128 = slipOf(link, m);
    link.came1 = x3(came);
    link.came2 = y3(came);
    link.cameTwist = z3(came);
  }
  return true;
}

/** Lists manifolds in which a point may come in fast. Returns false without memory (header error set). */
export function prepareBounces(): bool {
  const h: Header = header();
  if (h.anyRestitution == 0 && h.watchedCount == 0) {
    if (h.bounceState != 0) bounceState().linkCount = 0;
    return true;
  }
  if (!reserveBounces()) return false;
  const s: BounceState = bounceState();
  s.linkCount = 0;
  s.bodyCount = 0;
  // Where all is slow no point comes in fast.
  const least: f32 = h.anyRestitution != 0 ? min<f32>(IMPACT_SPEED, h.restitutionThreshold) : IMPACT_SPEED;
  if (h.fastest + h.hardest < <f32>0.5 * least) return true;
  if (!room(s, offsetof<BounceState>('marks'), 4, h.bodyCapacity)) return false;
  if (!room(s, offsetof<BounceState>('bodies'), BOUNCE_BODY_STRIDE, h.bodyCapacity)) return false;
  if (!room(s, offsetof<BounceState>('speeds'), 4, h.bodyCapacity)) return false;
  boundSpeeds(s);
  if (!overCandidates(s, least, true)) return true;
  const listed: bool = overCandidates(s, least, false);
  memory.fill(<usize>s.marks, 0, (<usize>h.bodyCount) << 2);
  if (listed && !anyFast(s)) {
    endSums(s);
    s.linkCount = 0;
  }
  return listed;
}

/**
 * Marks the bodies of manifolds in which a point may come in faster than `least`, and returns whether there are any; or else
 * lists the manifolds of the marked bodies: others cannot be part of an impact. False then: no memory.
 */
function overCandidates(s: BounceState, least: f32, marking: bool): bool {
  const h: Header = header();
  const asleep: bool = h.sleepingCount != 0;
  let any: bool = false;
  if (h.anyRestitution != 0) {
    for (let i: u32 = 0; i < h.manifoldCount; i++) {
      const m: Manifold = manifoldAt(i);
      if (m.count == 0 || (asleep && isResting(m))) continue;
      const watched: bool = pairCold(m.pair).watch != 0;
      if (!watched && m.restitution <= 0) continue;
      if (marking) any = markFast(s, m.bodyA, m.bodyB, least) || any;
      else if (isMarked(s, m.bodyA, m.bodyB) && !list(s, i, watched)) return false;
    }
    return any || !marking;
  }
  for (let w: u32 = 0; w < h.watchedCount; w++) {
    const pair: u32 = changetype<WatchedPair>(<usize>h.watchedPairs + <usize>w * WATCHED_PAIR_STRIDE).pair;
    const hot: PairHot = pairHot(pair);
    if (marking) {
      any = markFast(s, hot.bodyA, hot.bodyB, least) || any;
    } else if (isMarked(s, hot.bodyA, hot.bodyB)) {
      let i: u32 = pairCold(pair).manifold;
      for (; i != NONE; i = manifoldAt(i).next) if (!(asleep && isResting(manifoldAt(i))) && !list(s, i, true)) return false;
    }
  }
  return any || !marking;
}

/** Marks two bodies if a point of one may come in faster than `least` to the other. */
function markFast(s: BounceState, a: u32, b: u32, least: f32): bool {
  if (!(speedBound(s, a) + speedBound(s, b) >= SLACK * least)) return false;
  if (rowAt(a).invMass > 0) put32(s.marks, a, 1);
  if (rowAt(b).invMass > 0) put32(s.marks, b, 1);
  return true;
}

function isMarked(s: BounceState, a: u32, b: u32): bool {
  return (at32(s.marks, a) | at32(s.marks, b)) != 0;
}

/** No point of a body is faster (m/s) when it meets something in this step. */
function speedBound(s: BounceState, body: u32): f32 {
  return load<f32>(<usize>s.speeds + ((<usize>body) << 2));
}

function boundSpeeds(s: BounceState): void {
  const h: Header = header();
  memory.fill(<usize>s.speeds, 0, (<usize>h.bodyCount) << 2);
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const body: u32 = awakeBody(k);
    const row: usize = changetype<usize>(rowAt(body)),
      accel: usize = <usize>h.bodyAccels + <usize>body * BODY_ACCEL_STRIDE;
    const linear: f32 = length3(v128.load(row)) + length3(v128.load(accel)) * h.dt,
      angular: f32 = length3(v128.load(row, 16)) + length3(v128.load(accel, 16)) * h.dt;
    store<f32>(<usize>s.speeds + ((<usize>body) << 2), angular > 0 ? linear + angular * coldAt(body).extent : linear);
  }
}

function length3(v: v128): f32 {
  return sqrt<f32>(dot3(v, v));
}

/** Ends the sums of normal impulses that only this stage asked for. */
function endSums(s: BounceState): void {
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const m: Manifold = manifoldAt(linkAt(s, l).manifold);
    const cold: PairCold = pairCold(m.pair);
    setStruck(linkAt(s, l).manifold, false);
    if (cold.watch == 0 && (cold.flags & FOLLOWED) == 0) setSummed(m, false);
  }
}

function anyFast(s: BounceState): bool {
  for (let l: u32 = 0; l < s.linkCount; l++) if (linkAt(s, l).fast != 0) return true;
  return false;
}

/** Marks a body as one that bounces, and goes on so for `rest` of the step. */
function mark(s: BounceState, body: u32, rest: f32): void {
  if (rowAt(body).invMass == 0) return;
  const known: u32 = at32(s.marks, body);
  if (known != 0) {
    bodyAt(s, known - 1).rest = min<f32>(bodyAt(s, known - 1).rest, rest);
    return;
  }
  const entry: BounceBody = bodyAt(s, s.bodyCount++);
  memory.fill(changetype<usize>(entry), 0, BOUNCE_BODY_STRIDE);
  entry.body = body;
  entry.rest = rest;
  put32(s.marks, body, s.bodyCount);
}

/** Points of a link that carried load in the step: bits. Their masses go to the link. */
function take(link: BounceLink, m: Manifold): void {
  let taking: u32 = 0;
  let sum: f32 = 0;
  for (let k: u32 = 0; k < m.count; k++) sum += max<f32>(pointOf(m, k).maxImpulse, 0);
  link.borne = stepImpulse(manifoldAt(link.manifold));
  for (let k: u32 = 0; k < m.count; k++) {
    const p: ManifoldPoint = pointOf(m, k);
    if (p.maxImpulse <= 0) continue;
    taking |= 1 << k;
    // The sum is known of all points together; each may give back its share, or what it got in one substep.
    store<f32>(valueOf(link, offsetof<BounceLink>('given0'), k), p.maxImpulse * max<f32>(link.borne / sum, 1));
    const whole: f32 = effectivePair(m, 1, 1, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, m.nx, m.ny, m.nz, m.nx, m.ny, m.nz);
    if (isBarred(m, whole, 1, 1)) taking &= ~(1 << k);
    store<f32>(valueOf(link, offsetof<BounceLink>('mass0'), k), inverse(whole));
  }
  link.taking = taking;
  link.rate = substepRateOf(m.bodyA, m.bodyB);
  if (link.friction <= 0) return;
  v128.store(
    changetype<usize>(link),
    f32x4.replace_lane(frictionBlock(m, 1, 1, link.centerA, link.centerB), 3, twistMass(m, 1, 1)),
    offsetof<BounceLink>('block11'),
  );
}

/** Impulses and levers of a link as the solver left them, and the points that carried load. */
function takeLink(link: BounceLink, m: Manifold): void {
  copyState(manifoldAt(link.manifold), manifoldAt(link.manifold));
  alignLevers(link, m);
  take(link, m);
}

/** How far a body has come where it bounces: what goes on from there is where it was `rest` before the end of the step. */
function wayOf(body: u32, rest: f32): v128 {
  const h: Header = header();
  const b: usize = <usize>body;
  const way: v128 = mulW(v128.load(<usize>h.bodyRows + b * BODY_ROW_STRIDE), splatW(rest));
  return subW(v128.load(<usize>h.bodyDeltas + b * BODY_DELTA_STRIDE), way);
}

/** Moves what goes on by its velocity for the rest of the step, or back. */
function moveRest(s: BounceState, sign: f32): void {
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const entry: BounceBody = bodyAt(s, i);
    if (entry.rest == 0) continue;
    const delta: usize = <usize>header().bodyDeltas + <usize>entry.body * BODY_DELTA_STRIDE;
    const v: v128 = f32x4.replace_lane(v128.load(changetype<usize>(rowAt(entry.body))), 3, 0);
    v128.store(delta, addW(v128.load(delta), mulW(v, splatW(sign * entry.rest))));
  }
}

/**
 * Where bodies met far ahead in the step (PASSING), they have moved on since, and what cannot go on as it bounced stays where it
 * is: the levers of the meeting no longer lead to one point, and a bounce would change the angular momentum. The lever of the
 * larger body goes to where the other one's leads.
 */
function alignLevers(link: BounceLink, m: Manifold): void {
  if (!isPassing(m)) return;
  const centers: usize = header().bodyCenters;
  const d: v128 = addW(
    subW(v128.load(centers + <usize>m.bodyB * BODY_CENTER_STRIDE), v128.load(centers + <usize>m.bodyA * BODY_CENTER_STRIDE)),
    subW(wayOf(m.bodyB, link.restB), wayOf(m.bodyA, link.restA)),
  );
  const extentA: f32 = coldAt(m.bodyA).extent,
    extentB: f32 = coldAt(m.bodyB).extent;
  const toA: bool = extentA >= extentB;
  const reach: f32 = max<f32>(extentA, extentB);
  const field: usize = toA ? offsetof<ManifoldPoint>('rax') : offsetof<ManifoldPoint>('rbx');
  for (let k: u32 = 0; k < m.count; k++) {
    const p: usize = changetype<usize>(pointOf(m, k));
    const ra: v128 = v128.load(p, offsetof<ManifoldPoint>('rax')),
      rb: v128 = v128.load(p, offsetof<ManifoldPoint>('rbx'));
    const lever: v128 = toA ? addW(rb, d) : subW(ra, d);
    if (!(dot3(lever, lever) <= reach * reach)) return; // they have parted
    v128.store(p + field, f32x4.replace_lane(lever, 3, load<f32>(p + field, 12)));
  }
  if (link.friction <= 0) return;
  if (toA) link.centerA = addW(link.centerB, d);
  else link.centerB = subW(link.centerA, d);
}

/** Restitution in the frozen frame of the solver. Velocities of BodyRow only. */
export function bounce(): void {
  const h: Header = header();
  if (h.bounceState == 0) return;
  const s: BounceState = bounceState();
  if (s.linkCount == 0) return;
  solveImpacts(s);
  endSums(s);
}

function solveImpacts(s: BounceState): void {
  // Links with a point that came in fast and was hit, then what else touches their bodies.
  let any: bool = false;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: BounceLink = linkAt(s, l);
    if (link.fast == 0 && link.friction <= 0) continue;
    const m: Manifold = manifoldAt(link.manifold);
    if (link.friction > 0) setFriction(link.manifold, link.friction);
    takeLink(link, m);
    if ((link.fast & link.taking) == 0 && (link.friction <= 0 || link.taking == 0)) continue;
    any = true;
    mark(s, m.bodyA, link.restA);
    mark(s, m.bodyB, link.restB);
  }
  if (!any) return;
  const hit: u32 = s.bodyCount;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: BounceLink = linkAt(s, l);
    if ((link.fast & link.taking) != 0 || link.friction > 0) continue;
    const m: Manifold = manifoldAt(link.manifold);
    const a: u32 = at32(s.marks, m.bodyA),
      b: u32 = at32(s.marks, m.bodyB);
    if ((a == 0 || a > hit) && (b == 0 || b > hit)) {
      link.taking = 0;
      continue;
    }
    if (link.fast == 0) takeLink(link, m);
    if (link.taking == 0) continue;
    mark(s, m.bodyA, 0);
    mark(s, m.bodyB, 0);
  }
  moveRest(s, -1);
  sweepAll(s);
  let dropped: bool = false;
  for (let l: u32 = 0; l < s.linkCount; l++) dropped = dropFriction(linkAt(s, l)) || dropped;
  if (dropped) sweepAll(s);
  moveRest(s, 1);
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: BounceLink = linkAt(s, l);
    if (link.taking == 0) continue;
    addStepImpulse(manifoldAt(link.manifold), sumOf(link));
  }
  for (let i: u32 = 0; i < s.bodyCount; i++) bodyAt(s, i).energy = spinEnergy(bodyAt(s, i).body);
}

/**
 * Energy of rotation of a body with unequal moments of inertia, w.I(q) w / 2; 0 for others, whose rotation does not change it.
 */
function spinEnergy(body: u32): f32 {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & FLAG_ANISOTROPIC) == 0) return 0;
  const columns: usize = h.scratch;
  storeRotation(v128.load(<usize>h.rotations + ((<usize>body) << 4)), columns);
  const w: v128 = inverseRotate3(columns, v128.load(changetype<usize>(rowAt(body)), offsetof<BodyRow>('wx')));
  const x: f32 = f32x4.extract_lane(w, 0),
    y: f32 = f32x4.extract_lane(w, 1),
    z: f32 = f32x4.extract_lane(w, 2);
  return (
    <f32>0.5 * (cold.ixx * x * x + cold.iyy * y * y + cold.izz * z * z) + cold.ixy * x * y + cold.ixz * x * z + cold.iyz * y * z
  );
}

function sweepAll(s: BounceState): void {
  for (let k: u32 = 0; k < BOUNCE_SWEEPS; k++) {
    let most: f32 = 0;
    for (let l: u32 = 0; l < s.linkCount; l++) most = max<f32>(most, sweep(linkAt(s, l)));
    if (most < SETTLED) break;
  }
}

/** Motion of B against A at the mean point of a link: along the tangents (m/s), about the normal (rad/s). */
function slipOf(link: BounceLink, m: Manifold): v128 {
  const n: v128 = normalOf(m),
    t: v128 = v128.load(changetype<usize>(m), offsetof<Manifold>('tx'));
  const d: v128 = relative(m, link.centerA, link.centerB, header().bodyRows, BODY_ROW_STRIDE);
  const slip: v128 = vec3W(dot3(t, d), dot3(cross3(n, t), d), dot3(n, subW(spinOf(m.bodyB), spinOf(m.bodyA))));
  if (header().anySurface == 0) return slip;
  return addW(slip, vec3W(m.surface1, m.surface2, m.surfaceTwist));
}

function spinOf(body: u32): v128 {
  return v128.load(changetype<usize>(rowAt(body)), offsetof<BodyRow>('wx'));
}

/** Friction impulses on the bodies of a link: along the tangents and about the normal. */
function rub(link: BounceLink, m: Manifold, d1: f32, d2: f32, dw: f32): void {
  const n: v128 = normalOf(m),
    t: v128 = f32x4.replace_lane(v128.load(changetype<usize>(m), offsetof<Manifold>('tx')), 3, 0);
  const p: v128 = addW(mulW(t, splatW(d1)), mulW(cross3(n, t), splatW(d2)));
  const turn: v128 = mulW(n, splatW(dw));
  applyAt(m.bodyA, link.centerA, negW(p), negW(turn));
  applyAt(m.bodyB, link.centerB, p, turn);
}

/** Impulse at a lever, and angular impulse, on a body. */
function applyAt(body: u32, r: v128, p: v128, turn: v128): void {
  apply(body, p, addW(cross3(r, p), turn));
}

/** Friction rows of a link, bound by the impulse of the step as it stands. Returns the largest change of a speed. */
function sweepFriction(link: BounceLink, m: Manifold): f32 {
  const limit: f32 = link.friction * max<f32>(link.borne + sumOf(link), 0);
  const slip: v128 = slipOf(link, m);
  const twistLimit: f32 = limit * m.twistRadius;
  const old1: f32 = link.tangent1,
    old2: f32 = link.tangent2;
  const impulses: usize = changetype<usize>(link) + offsetof<BounceLink>('tangent1');
  oneCircleRow(impulses, link.block11, link.block12, link.block22, x3(slip), y3(slip), limit);
  const d1: f32 = link.tangent1 - old1,
    d2: f32 = link.tangent2 - old2,
    dw: f32 = boundRow<f32>(link.twist - link.twistMass * z3(slip), twistLimit) - link.twist;
  link.twist += dw;
  rub(link, m, d1, d2, dw);
  return max<f32>(abs<f32>(d1), abs<f32>(d2)) * inverse(slipStep<f32>(link.block11, link.block12, link.block22));
}

/**
 * Takes the friction of a link away where it has added energy: the impulses of an impact do the work Z (u- + u+) / 2. Where
 * sliding turns round that may be more than nothing (Kane and Levinson). Returns whether there was any.
 */
function dropFriction(link: BounceLink): bool {
  if (link.friction <= 0 || link.taking == 0) return false;
  const m: Manifold = manifoldAt(link.manifold);
  const slip: v128 = slipOf(link, m);
  const work: f32 =
    link.tangent1 * (link.came1 + x3(slip)) + link.tangent2 * (link.came2 + y3(slip)) + link.twist * (link.cameTwist + z3(slip));
  // What sticks moves by what the sweeps have left.
  if (work <= STICKS * (abs<f32>(link.tangent1) + abs<f32>(link.tangent2) + abs<f32>(link.twist))) return false;
  rub(link, m, -link.tangent1, -link.tangent2, -link.twist);
  link.tangent1 = 0;
  link.tangent2 = 0;
  link.twist = 0;
  link.friction = 0;
  return true;
}

/** Impulses that the impact adds at the points of a link. */
function sumOf(link: BounceLink): f32 {
  let sum: f32 = 0;
  for (let k: u32 = 0; k < 4; k++) sum += load<f32>(valueOf(link, offsetof<BounceLink>('impulse0'), k));
  return sum;
}

/** One sweep over the rows of a link. Returns the largest change of a speed. */
function sweep(link: BounceLink): f32 {
  const taking: u32 = link.taking;
  if (taking == 0) return 0;
  const m: Manifold = manifoldAt(link.manifold);
  let most: f32 = link.friction > 0 ? sweepFriction(link, m) : 0;
  for (let k: u32 = 0; k < m.count; k++) {
    if ((taking & (1 << k)) == 0) continue;
    const p: ManifoldPoint = pointOf(m, k);
    const at: usize = valueOf(link, 0, k);
    const mass: f32 = load<f32>(at, offsetof<BounceLink>('mass0'));
    const old: f32 = load<f32>(at, offsetof<BounceLink>('impulse0'));
    if ((link.ahead & (1 << k)) != 0) {
      // The last relax pass has braked it: that waits for the step in which they meet.
      if (old != 0 || p.impulse == 0) continue;
      store<f32>(at, -p.impulse, offsetof<BounceLink>('impulse0'));
      push(m, p, -p.impulse);
      most = max<f32>(most, p.impulse / mass);
      continue;
    }
    const came: f32 = load<f32>(at, offsetof<BounceLink>('approach0'));
    let target: f32 = max<f32>(p.separation, 0) * link.rate;
    if ((link.fast & (1 << k)) != 0) target = m.restitution * came;
    else if (came > 0) target = came;
    // No more than was given: by the point in a substep or its share, and by all points of the manifold in the step.
    const least: f32 = max<f32>(-load<f32>(at, offsetof<BounceLink>('given0')), old - sumOf(link) - link.borne);
    const z: f32 = rigidNormalRow<f32>(old, pointSpeed(m, p) + target, mass, least);
    const d: f32 = z - old;
    if (d == 0) continue;
    store<f32>(at, z, offsetof<BounceLink>('impulse0'));
    push(m, p, d);
    most = max<f32>(most, abs<f32>(d) / mass);
  }
  return most;
}

/**
 * Impulse d on both bodies along the normal at a point. Arm first: it is exactly zero where the lever lies along the
 * normal.
 */
function push(m: Manifold, p: ManifoldPoint, d: f32): void {
  const n: v128 = normalOf(m),
    z: v128 = splatW(d);
  const at: usize = changetype<usize>(p);
  apply(m.bodyA, negW(mulW(n, z)), negW(mulW(cross3(v128.load(at, offsetof<ManifoldPoint>('rax')), n), z)));
  apply(m.bodyB, mulW(n, z), mulW(cross3(v128.load(at, offsetof<ManifoldPoint>('rbx')), n), z));
}

/** Impulse and angular impulse on a body; lane 3 of `p` is 0. */
function apply(body: u32, p: v128, l: v128): void {
  const row: BodyRow = rowAt(body);
  if (row.invMass == 0) return;
  const at: usize = changetype<usize>(row);
  v128.store(at, addW(v128.load(at), mulW(p, splatW(row.invMass))));
  v128.store(at, addW(v128.load(at, 16), inverseInertia(inertiaAt(body), l)), 16);
  if (header().anyLocks != 0) keepBody(body);
}

/** Takes off the energy that advancing rotations has added, along the impulses of restitution; ends the stage. */
export function settleBounces(): void {
  const h: Header = header();
  if (h.bounceState == 0) return;
  const s: BounceState = bounceState();
  if (s.bodyCount == 0) return;
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const entry: BounceBody = bodyAt(s, i);
    const gain: f32 = spinEnergy(entry.body) - entry.energy;
    entry.gain = abs<f32>(gain) < <f32>1e30 ? gain : 0;
  }
  for (let l: u32 = 0; l < s.linkCount; l++) {
    settle(s, linkAt(s, l));
    forget(linkAt(s, l));
  }
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const body: u32 = bodyAt(s, i).body;
    put32(s.marks, body, 0);
    limitVelocity(body);
    foreseeMotion(body);
  }
  s.bodyCount = 0;
}

/** Lengthens or shortens the impulses of restitution of a link by one factor, so that they take off the gain of its bodies. */
function settle(s: BounceState, link: BounceLink): void {
  const m: Manifold = manifoldAt(link.manifold);
  if (link.taking == 0 || m.restitution <= 0) return;
  const markA: u32 = at32(s.marks, m.bodyA),
    markB: u32 = at32(s.marks, m.bodyB);
  const gain: f32 = (markA != 0 ? bodyAt(s, markA - 1).gain : 0) + (markB != 0 ? bodyAt(s, markB - 1).gain : 0);
  if (gain == 0) return;
  let total: f32 = 0;
  let ra: v128 = splatW(0),
    rb: v128 = splatW(0);
  for (let k: u32 = 0; k < 4; k++) {
    const z: f32 = load<f32>(valueOf(link, offsetof<BounceLink>('impulse0'), k));
    const at: usize = changetype<usize>(pointOf(m, k));
    total += z;
    ra = addW(ra, mulW(v128.load(at, offsetof<ManifoldPoint>('rax')), splatW(z)));
    rb = addW(rb, mulW(v128.load(at, offsetof<ManifoldPoint>('rbx')), splatW(z)));
  }
  if (total <= 0) return;
  // Impulses, and angular impulses r x n z.
  const p: v128 = mulW(normalOf(m), splatW(total)),
    la: v128 = cross3(ra, normalOf(m)),
    lb: v128 = cross3(rb, normalOf(m));
  const a: BodyRow = rowAt(m.bodyA),
    b: BodyRow = rowAt(m.bodyB);
  const u: f32 =
    dot3(p, subW(v128.load(changetype<usize>(b)), v128.load(changetype<usize>(a)))) +
    dot3(lb, spinOf(m.bodyB)) -
    dot3(la, spinOf(m.bodyA));
  const k: f32 = total * total * (a.invMass + b.invMass) + turning(m.bodyA, la) + turning(m.bodyB, lb);
  if (u <= 0 || k <= 0) return;
  // u f + k f^2 / 2 = -gain; the root near 0, or the f that takes off the most.
  const root: f32 = u * u - 2 * k * gain;
  if (!(abs<f32>(root) < Infinity)) return; // squares beyond single precision
  const f: f32 = min<f32>(root > 0 ? (-2 * gain) / (u + sqrt<f32>(root)) : -u / k, 1);
  const factor: v128 = splatW(f);
  apply(m.bodyA, negW(mulW(p, factor)), negW(mulW(la, factor)));
  apply(m.bodyB, mulW(p, factor), mulW(lb, factor));
  const rest: f32 = gain + (u + <f32>0.5 * k * f) * f;
  if (markA != 0) bodyAt(s, markA - 1).gain = rest;
  if (markB != 0) bodyAt(s, markB - 1).gain = markA != 0 ? <f32>0 : rest;
}

/** l.I^-1 l */
function turning(body: u32, l: v128): f32 {
  const x: f32 = f32x4.extract_lane(l, 0),
    y: f32 = f32x4.extract_lane(l, 1),
    z: f32 = f32x4.extract_lane(l, 2);
  return inertiaDot(inertiaAt(body), x, y, z, x, y, z);
}

/** What stopped a body that was loose is no load: the next step starts without it. */
function forget(link: BounceLink): void {
  if (link.whole == 0 || link.taking == 0) return;
  const m: Manifold = manifoldAt(link.manifold);
  for (let k: u32 = 0; k < m.count; k++) pointOf(m, k).impulse = 0;
  v128.store(excessIn(m, 0), f32x4.splat(0));
  m.tangentImpulse1 = 0;
  m.tangentImpulse2 = 0;
  m.twistImpulse = 0;
  noteChange(link.manifold);
  if (m.lane != NONE) clearLane(m);
}
