// Finds impacts of contacts before the solver: which manifolds may have one in this step, and their closing speeds.
//
// A point closes fast if its contact has restitution and the speed is beyond the threshold, or if it ends the fall of bodies that
// nothing touches yet. Fast manifolds are listed, and so are the other manifolds of their bodies: a bounce may reach them.
// Everything else is looked at only as closely as necessary: bounds of the speeds of both bodies, whether anything touches them,
// then their points. In a world of slow bodies the stage ends at once.
// If all contacts of both bodies are among the impacts (`whole`), friction is left to that stage: the solver knows the impulse of
// an impact only after the friction of that pass.
//
// Input: manifolds (arms and normals of the step), BodyRow, BodyAccel, watched pairs. Output: links in the order of the
// candidates, each with the impact speed at its points; friction and marks of their manifolds.
import { FLAG_LONE, accelAt, coldAt, rowAt } from '../bodies/rows';
import { isTouching } from '../constraints/contact';
import { noteChange } from '../constraints/held';
import { firstConstraint, nextConstraint } from '../constraints/lists';
import { isResting, manifoldAt, pointOf } from '../constraints/manifolds';
import { pairCold, pairHot, watchedAt } from '../constraints/pair_rows';
import { FOLLOWED } from '../events/hits';
import { substepRateOf } from '../lanes/batches';
import { separationOf, setLaneFriction, setStruck, setSummed } from '../lanes/state';
import {
  BODY_ACCEL_STRIDE,
  BodyAccel,
  BodyRow,
  Header,
  IMPACT_BLOCK,
  IMPACT_BODY_STRIDE,
  IMPACT_BOUND_STRIDE,
  IMPACT_LINK_STRIDE,
  ImpactBound,
  ImpactLink,
  ImpactState,
  Manifold,
  ManifoldPoint,
  NONE,
  PairCold,
  PairHot,
} from '../layout.generated';
import { addW, cross3, dot3, mulW, splatW, subW } from '../math/lane';
import { length3 } from '../math/vec3';
import { ensureBlocks } from '../memory/blocks';
import { header } from '../memory/header';
import { put32 } from '../memory/words';
import { meanArmA, meanArmB } from '../rows/friction_block';
import { setRest } from './passing';
import { keepSlip, normalOf, pointSpeed, relative } from './rows';
import { bodyAt, impactState, linkAt, reserveState, room, valueOf } from './state';

// Way in a substep (m) above which an impact on several points settles them at once: unsettled, it ends a fortieth of that short.
const FLAT_IMPACT: f32 = 15e-3;
// Slower impacts (m/s) without restitution are left to the solver.
const IMPACT_SPEED: f32 = 0.5;
// Points may lie outside of the bounds of their bodies by a little: a bound of speeds counts from this share of a threshold on.
const SLACK: f32 = 0.9;
// Share of the speeds of two bodies by which a speed along a normal may be off that was summed up in another order.
const ROUNDING: f32 = 1e-5;
// Bits of ImpactBound.known: its speed; that nothing touches it, or that something does.
const SPEED: u32 = 1;
const LOOSE: u32 = 2;
const TOUCHED: u32 = 4;

/** Returns the bounds of a body in this step; older ones are cleared. */
function boundOf(s: ImpactState, body: u32): ImpactBound {
  const bound: ImpactBound = changetype<ImpactBound>(<usize>s.bounds + <usize>body * IMPACT_BOUND_STRIDE);
  if (bound.search == s.searches) return bound;
  bound.known = 0;
  bound.fast = 0;
  bound.search = s.searches;
  return bound;
}

/** Acceleration of B against A along the normal at a point. */
function accelerationAlong(m: Manifold, p: ManifoldPoint): f32 {
  const ra: v128 = p.ra,
    rb: v128 = p.rb;
  return dot3(normalOf(m), relative(m, ra, rb, header().bodyAccels, BODY_ACCEL_STRIDE));
}

/** Speed of the impact at a point: that at the start of the step, plus what the accelerations add over the gap. */
function impactSpeed(m: Manifold, k: u32): f32 {
  const p: ManifoldPoint = pointOf(m, k);
  const u: f32 = pointSpeed(m, p);
  if (u >= 0) return u;
  const a: f32 = accelerationAlong(m, p);
  const squared: f32 = u * u - 2 * a * max<f32>(separationOf(m, k), 0);
  if (squared <= 0) return 0;
  return max<f32>(-sqrt<f32>(squared), u + min<f32>(a, 0) * header().dt);
}

/** Whether a point that comes in gets to the surface in this step, as the substeps would move free bodies. */
function isMet(m: Manifold, k: u32): bool {
  const p: ManifoldPoint = pointOf(m, k);
  const h: Header = header();
  const path: f32 = pointSpeed(m, p) * h.dt;
  const fall: f32 = <f32>0.5 * accelerationAlong(m, p) * h.dt * (h.dt + 1 / substepRateOf(m.bodyA, m.bodyB));
  return separationOf(m, k) + path + fall <= 0;
}

/** Whether an impact on a manifold would tilt it, if its points took it one after the other. */
function wouldTilt(m: Manifold, hardest: f32): bool {
  return m.count > 1 && -hardest > FLAT_IMPACT * substepRateOf(m.bodyA, m.bodyB);
}

/** Whether something touches a body that can move. */
function isTouched(body: u32): bool {
  if (rowAt(body).invMass == 0) return false;
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) if (isTouching(end >> 1)) return true;
  return false;
}

/** Whether nothing touches a body yet, or nothing can move it. */
function isLoose(s: ImpactState, body: u32): bool {
  const bound: ImpactBound = boundOf(s, body);
  if ((bound.known & (LOOSE | TOUCHED)) == 0) bound.known |= isTouched(body) ? TOUCHED : LOOSE;
  return (bound.known & LOOSE) != 0;
}

/** Friction of a manifold in the solver of this step. */
export function setFriction(index: u32, friction: f32): void {
  const m: Manifold = manifoldAt(index);
  m.friction = friction;
  setLaneFriction(m);
  noteChange(index);
}

/** Lists a manifold; false without memory. */
function list(s: ImpactState, index: u32, watched: bool): bool {
  const h: Header = header();
  const m: Manifold = manifoldAt(index);
  if (!ensureBlocks(changetype<usize>(s), s.linkCount + 1, IMPACT_BLOCK, IMPACT_LINK_STRIDE)) return false;
  const link: ImpactLink = linkAt(s, s.linkCount++);
  memory.fill(changetype<usize>(link), 0, IMPACT_LINK_STRIDE);
  link.contact = <u32>changetype<usize>(m);
  link.manifold = index;
  setSummed(m, true);
  let hardest: f32 = 0;
  for (let k: u32 = 0; k < m.count; k++) {
    const u: f32 = impactSpeed(m, k);
    store<f32>(valueOf(link, offsetof<ImpactLink>('approach0'), k), u);
    hardest = min<f32>(hardest, u);
  }
  const whole: bool = watched && hardest < -IMPACT_SPEED && isLoose(s, m.bodyA) && isLoose(s, m.bodyB);
  for (let k: u32 = 0; k < m.count; k++) {
    const at: usize = valueOf(link, offsetof<ImpactLink>('approach0'), k);
    const u: f32 = load<f32>(at);
    const bounces: bool = m.restitution > 0 && u < -h.restitutionThreshold;
    if (!bounces) store<f32>(at, max<f32>(u, 0));
    if (bounces || (whole && u < -IMPACT_SPEED)) link.fast |= 1 << k;
    // A body that bounces off another one may meet it sooner, since that one may be stopped on its way.
    const waits: bool = !bounces || rowAt(m.bodyA).invMass == 0 || rowAt(m.bodyB).invMass == 0;
    if (whole && waits && u < -IMPACT_SPEED && !isMet(m, k)) link.ahead |= 1 << k;
  }
  link.whole = whole ? 1 : 0;
  if (wouldTilt(m, hardest)) setStruck(index, true);
  setRest(link, m);
  if (whole && m.friction > 0) {
    link.friction = m.friction;
    setFriction(index, 0);
    link.centerA = meanArmA(m);
    link.centerB = meanArmB(m);
    keepSlip(link, m);
  }
  return true;
}

/** Lists the impacts that this step may have. Returns false without memory (header error set). */
export function findImpacts(): bool {
  const h: Header = header();
  if (h.impactState != 0) dropImpacts(impactState());
  if (h.anyRestitution == 0 && h.watchedCount == 0) return true;
  // Where all is slow no point comes in fast.
  const least: f32 = h.anyRestitution != 0 ? min<f32>(IMPACT_SPEED, h.restitutionThreshold) : IMPACT_SPEED;
  if (h.fastest + h.hardest < <f32>0.5 * least) return true;
  if (!reserveState() || !reserveBodies(impactState())) return false;
  const s: ImpactState = impactState();
  s.searches++;
  if (!overCandidates(s, least, true)) return true;
  if (!overCandidates(s, least, false)) return false;
  if (!anyFast(s)) {
    endSums(s);
    s.linkCount = 0;
  }
  return room(s, offsetof<ImpactState>('taken'), 4, s.linkCount);
}

/** Nothing is listed. A step that ended early leaves marks. */
function dropImpacts(s: ImpactState): void {
  for (let i: u32 = 0; i < s.bodyCount; i++) put32(s.marks, bodyAt(s, i).body, 0);
  s.linkCount = 0;
  s.takenCount = 0;
  s.bodyCount = 0;
}

/** Makes room for the bounds of each body; new room is 0. False without memory. */
function reserveBodies(s: ImpactState): bool {
  const h: Header = header();
  const marked: u32 = s.marksCapacity,
    bounded: u32 = s.boundsCapacity;
  if (!room(s, offsetof<ImpactState>('marks'), 4, h.bodyCapacity)) return false;
  if (s.marksCapacity != marked) memory.fill(<usize>s.marks, 0, (<usize>s.marksCapacity) << 2);
  if (!room(s, offsetof<ImpactState>('bounds'), IMPACT_BOUND_STRIDE, h.bodyCapacity)) return false;
  if (s.boundsCapacity != bounded) memory.fill(<usize>s.bounds, 0, <usize>s.boundsCapacity * IMPACT_BOUND_STRIDE);
  return room(s, offsetof<ImpactState>('bodies'), IMPACT_BODY_STRIDE, h.bodyCapacity);
}

/**
 * Marks the bodies of manifolds in which a point may come in faster than `least`, and returns whether there are any; or else
 * lists the manifolds of the marked bodies: others cannot be part of an impact. False then: no memory.
 */
function overCandidates(s: ImpactState, least: f32, marking: bool): bool {
  const h: Header = header();
  const asleep: bool = h.sleepingCount != 0;
  let any: bool = false;
  if (h.anyRestitution != 0) {
    for (let i: u32 = 0; i < h.manifoldCount; i++) {
      const m: Manifold = manifoldAt(i);
      if (m.count == 0) continue;
      if (marking ? !mayHit(s, m.bodyA, m.bodyB, least, m.restitution > 0) : !isMarked(s, m.bodyA, m.bodyB)) continue;
      const watched: bool = pairCold(m.pair).watch != 0;
      if ((!watched && m.restitution <= 0) || (asleep && isResting(m))) continue;
      if (marking) any = markFast(s, m, watched) || any;
      else if (!list(s, i, watched)) return false;
    }
    return any || !marking;
  }
  for (let w: u32 = 0; w < h.watchedCount; w++) {
    const pair: u32 = watchedAt(w).pair;
    const hot: PairHot = pairHot(pair);
    if (marking ? !mayHit(s, hot.bodyA, hot.bodyB, least, false) : !isMarked(s, hot.bodyA, hot.bodyB)) continue;
    for (let i: u32 = pairCold(pair).manifold; i != NONE; i = manifoldAt(i).next) {
      const m: Manifold = manifoldAt(i);
      if (asleep && isResting(m)) continue;
      if (marking) any = markFast(s, m, true) || any;
      else if (!list(s, i, true)) return false;
    }
  }
  return any || !marking;
}

/**
 * Whether two bodies may close faster than `least`, by bounds of their speeds, in a way that matters: a contact with restitution,
 * the end of a fall of both, or an impact that would tilt a body that touches something already.
 */
function mayHit(s: ImpactState, a: u32, b: u32, least: f32, bounces: bool): bool {
  const boundA: ImpactBound = speedOf(s, a),
    boundB: ImpactBound = speedOf(s, b);
  const speed: f32 = boundA.speed + boundB.speed;
  if (!(speed >= SLACK * least)) return false;
  // Facts about them that are not known yet are found when a point closes fast (markFast).
  if (bounces || ((boundA.known | boundB.known) & TOUCHED) == 0) return true;
  return speed >= SLACK * FLAT_IMPACT * substepRateOf(a, b);
}

/** Marks the bodies of a manifold if a point of it may come in fast: other manifolds cannot begin an impact. */
function markFast(s: ImpactState, m: Manifold, watched: bool): bool {
  // Impacts of free pairs are treated in meetings.ts.
  if ((coldAt(m.bodyA).flags & FLAG_LONE) != 0) return false;
  const speed: f32 = leastSpeed(m) - ROUNDING * (boundOf(s, m.bodyA).speed + boundOf(s, m.bodyB).speed);
  const bounces: bool = m.restitution > 0 && speed < -SLACK * header().restitutionThreshold;
  const falls: bool = watched && speed < -SLACK * IMPACT_SPEED;
  if (!bounces && !(falls && ((isLoose(s, m.bodyA) && isLoose(s, m.bodyB)) || wouldTilt(m, speed * (1 / SLACK))))) return false;
  if (rowAt(m.bodyA).invMass > 0) boundOf(s, m.bodyA).fast = 1;
  if (rowAt(m.bodyB).invMass > 0) boundOf(s, m.bodyB).fast = 1;
  return true;
}

/** No point of a manifold comes in faster: at the speeds of the start of the step, or at those of its end without contacts. */
function leastSpeed(m: Manifold): f32 {
  const h: Header = header();
  const n: v128 = normalOf(m),
    dt: v128 = splatW(h.dt);
  const rowA: BodyRow = rowAt(m.bodyA),
    rowB: BodyRow = rowAt(m.bodyB),
    accelA: BodyAccel = accelAt(m.bodyA),
    accelB: BodyAccel = accelAt(m.bodyB);
  const along: f32 = dot3(n, subW(rowB.v, rowA.v)),
    gain: f32 = dot3(n, subW(accelB.a, accelA.a)) * h.dt;
  // n.(w x r) = r.(n x w)
  const turnA: v128 = cross3(n, rowA.w),
    turnB: v128 = cross3(n, rowB.w);
  const endA: v128 = addW(turnA, mulW(cross3(n, accelA.b), dt)),
    endB: v128 = addW(turnB, mulW(cross3(n, accelB.b), dt));
  let least: f32 = Infinity;
  for (let k: u32 = 0; k < m.count; k++) {
    const p: usize = changetype<usize>(pointOf(m, k));
    const ra: v128 = v128.load(p, offsetof<ManifoldPoint>('rax')),
      rb: v128 = v128.load(p, offsetof<ManifoldPoint>('rbx'));
    const start: f32 = along + (dot3(rb, turnB) - dot3(ra, turnA)),
      end: f32 = along + gain + (dot3(rb, endB) - dot3(ra, endA));
    least = min<f32>(least, min<f32>(start, end));
  }
  return least;
}

function isMarked(s: ImpactState, a: u32, b: u32): bool {
  return (boundOf(s, a).fast | boundOf(s, b).fast) != 0;
}

/** A body with the bound of its speed in this step. */
function speedOf(s: ImpactState, body: u32): ImpactBound {
  const bound: ImpactBound = boundOf(s, body);
  if ((bound.known & SPEED) != 0) return bound;
  const h: Header = header();
  const row: BodyRow = rowAt(body),
    accel: BodyAccel = accelAt(body);
  const linear: f32 = length3(row.v) + length3(accel.a) * h.dt,
    angular: f32 = length3(row.w) + length3(accel.b) * h.dt;
  bound.speed = angular > 0 ? linear + angular * coldAt(body).extent : linear;
  bound.known |= SPEED;
  return bound;
}

/** Ends the sums of normal impulses that only this stage asked for. */
export function endSums(s: ImpactState): void {
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const index: u32 = linkAt(s, l).manifold;
    const m: Manifold = manifoldAt(index);
    const cold: PairCold = pairCold(m.pair);
    setStruck(index, false);
    if (cold.watch == 0 && (cold.flags & FOLLOWED) == 0) setSummed(m, false);
  }
}

function anyFast(s: ImpactState): bool {
  for (let l: u32 = 0; l < s.linkCount; l++) if (linkAt(s, l).fast != 0) return true;
  return false;
}
