// The impact of a free pair at its place in the step: each contact is one point of the world, and a link of its own with friction
// at that point.
// Input: Flyer, pairs, BodyRow. Output: BodyRow; impulses of the step.
import { limitVelocity } from '../bodies/limits';
import { colliderAt } from '../bodies/rows';
import { pointOf } from '../constraints/manifolds';
import { firstEndOf, nextEndOf } from '../constraints/pair_lists';
import { pairCold } from '../constraints/pair_rows';
import {
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  Collider,
  Header,
  IMPACT_LINK_STRIDE,
  IMPACT_SWEEPS,
  ImpactLink,
  ImpactState,
  MANIFOLD_OUT_STRIDE,
  MANIFOLD_STRIDE,
  Manifold,
  ManifoldOut,
  ManifoldPoint,
  NONE,
  OUTPUTS,
  PairCold,
  REL_POSE,
  SHAPE_A_COLUMNS,
} from '../layout.generated';
import { takeMaterial } from '../manifolds/material';
import { storePairPose } from '../manifolds/pair_pose';
import { addW, cross3, dot3, mulW, splatW, subW } from '../math/lane';
import { rotate3 } from '../math/quat';
import { length3, perpendicular3 } from '../math/vec3';
import { header } from '../memory/header';
import { put32 } from '../memory/words';
import { collide } from '../narrowphase/dispatch';
import { contactState } from '../scratch/contact_state';
import { shapeAt } from '../shapes/shapes';
import { apart, columnsOf, flyerOf, originOf, withPartner } from './flight';
import { giveMet } from './give_back';
import { keepSlip, normalOf, pointSpeed, slipAt, takeFriction, takePoint } from './rows';
import { solveLinks } from './solve';
import { contactOf, flyerAt } from './state';

// Contacts that are apart by less than this (m) have met.
const MET: f32 = 1e-3;
// Contacts that close slower than this (m/s, share of the speed of the bodies) do not meet.
const CLOSES: f32 = 1e-3;
const CLOSES_SHARE: f32 = 1e-4;
// A sweep that changes no speed by more than this share of the impact was the last. The impacts of two bodies are few: they get
// that near with more sweeps than others have.
const SETTLED: f32 = 1e-6;
const SWEEPS: u32 = 4 * IMPACT_SWEEPS;
// Arms this near (sine, squared) to the normal lie along it.
const ALONG: f32 = 1e-10;
export const MOST_POINTS: u32 = 16;

function metLink(s: ImpactState, i: u32): ImpactLink {
  return changetype<ImpactLink>(<usize>s.metLinks + <usize>i * IMPACT_LINK_STRIDE);
}

/** An arm that lies along the normal but for rounding lies along it: nothing turns a ball without friction. */
function straight(r: v128, n: v128): v128 {
  const arm: v128 = cross3(r, n);
  return dot3(arm, arm) > ALONG * dot3(r, r) ? r : mulW(n, splatW(dot3(r, n)));
}

/** The contacts of the two bodies as they are now: the number of their links. */
function findContacts(s: ImpactState): u32 {
  let count: u32 = 0;
  const a: u32 = flyerAt(s, 0).body,
    b: u32 = flyerAt(s, 1).body;
  for (let end: u32 = withPartner(firstEndOf(a), a, b); end != NONE; end = withPartner(nextEndOf(end), a, b)) {
    count = findOfPair(s, end >> 1, count);
  }
  return count;
}

/** Adds those of a pair to `count` links. */
function findOfPair(s: ImpactState, pair: u32, count: u32): u32 {
  const c: usize = contactState();
  const cold: PairCold = pairCold(pair);
  const ca: Collider = colliderAt(cold.colliderA),
    cb: Collider = colliderAt(cold.colliderB);
  const d: v128 = apart(s, ca.body, cb.body);
  memory.copy(c + BODY_A_COLUMNS, columnsOf(flyerOf(s, ca.body)), 48);
  memory.copy(c + BODY_B_COLUMNS, columnsOf(flyerOf(s, cb.body)), 48);
  storePairPose(c, ca, cb, d);
  const origin: v128 = originOf(ca, c + BODY_A_COLUMNS);
  const cache: usize = changetype<usize>(cold) + offsetof<PairCold>('cache');
  const shapeA: usize = changetype<usize>(shapeAt(ca.shape)),
    shapeB: usize = changetype<usize>(shapeAt(cb.shape));
  const found: u32 = collide(shapeA, shapeB, c + REL_POSE, c + OUTPUTS, cache, MET);
  for (let k: u32 = 0; k < found; k++) {
    const out: usize = c + OUTPUTS + <usize>k * MANIFOLD_OUT_STRIDE;
    const n: v128 = rotate3(c + SHAPE_A_COLUMNS, f32x4.replace_lane(v128.load(out, offsetof<ManifoldOut>('nx')), 3, 0));
    for (let i: u32 = 0; i < changetype<ManifoldOut>(out).count && count < MOST_POINTS; i++) {
      const raw: v128 = v128.load(out + ((<usize>i) << 4), offsetof<ManifoldOut>('x0'));
      const separation: f32 = f32x4.extract_lane(raw, 3);
      if (separation > MET) continue;
      const onA: v128 = addW(rotate3(c + SHAPE_A_COLUMNS, f32x4.replace_lane(raw, 3, 0)), origin);
      const m: Manifold = beginLink(s, count++, cold.manifold);
      m.pair = pair;
      m.bodyA = ca.body;
      m.bodyB = cb.body;
      takeMaterial(m, ca, cb);
      placePoint(m, n, onA, d, separation);
    }
  }
  return count;
}

/** A link with an empty contact; its impulse goes to manifold `index`. */
function beginLink(s: ImpactState, i: u32, index: u32): Manifold {
  const link: ImpactLink = metLink(s, i);
  memory.fill(changetype<usize>(link), 0, IMPACT_LINK_STRIDE);
  link.contact = s.metContacts + i * <u32>MANIFOLD_STRIDE;
  link.manifold = index;
  put32(s.metList, i, <u32>changetype<usize>(link));
  const m: Manifold = contactOf(link);
  memory.fill(changetype<usize>(m), 0, MANIFOLD_STRIDE);
  m.lane = NONE;
  m.count = 1;
  return m;
}

/** The point of a contact, half way between both surfaces; `onA` from the center of A, `d` from there to that of B. */
function placePoint(m: Manifold, normal: v128, onA: v128, d: v128, separation: f32): void {
  const n: v128 = f32x4.replace_lane(normal, 3, 0),
    at: usize = changetype<usize>(m);
  v128.store(at, f32x4.replace_lane(n, 3, m.friction), offsetof<Manifold>('nx'));
  v128.store(at, f32x4.replace_lane(perpendicular3(n), 3, m.restitution), offsetof<Manifold>('tx'));
  const ra: v128 = f32x4.replace_lane(addW(onA, mulW(normal, splatW(<f32>0.5 * separation))), 3, 0);
  const p: ManifoldPoint = pointOf(m, 0);
  p.ra = straight(ra, n);
  p.rb = straight(f32x4.replace_lane(subW(ra, d), 3, 0), n);
  p.impulse = 0;
  p.maxImpulse = 0;
  p.separation = separation;
}

/** Rows of a link for the motion that its bodies have now. */
function take(link: ImpactLink, m: Manifold): void {
  const h: Header = header();
  const p: ManifoldPoint = pointOf(m, 0);
  const came: f32 = dot3(normalOf(m), slipAt(m, p));
  takePoint(link, m, 0);
  // A point that is too deep leaves the overlap within a step.
  const out: f32 = (-p.separation - MET) / h.dt;
  link.bias0 = -max<f32>(came < -h.restitutionThreshold ? -m.restitution * came : 0, out);
  link.friction = m.friction;
  if (!(m.friction > 0)) return;
  link.centerA = p.ra;
  link.centerB = p.rb;
  keepSlip(link, m);
  takeFriction(link, m);
}

/** The impact of the two bodies where they are, if they close there. Returns the least separation of their contacts (m). */
export function meet(s: ImpactState): f32 {
  const count: u32 = findContacts(s);
  let hardest: f32 = 0,
    fastest: f32 = 0,
    depth: f32 = MET;
  for (let i: u32 = 0; i < count; i++) {
    const m: Manifold = contactOf(metLink(s, i));
    depth = min<f32>(depth, m.separation0);
    hardest = min<f32>(hardest, pointSpeed(m, pointOf(m, 0)));
    fastest = max<f32>(fastest, length3(slipAt(m, pointOf(m, 0))));
  }
  if (!(hardest < -max<f32>(CLOSES, CLOSES_SHARE * fastest))) return depth;
  for (let i: u32 = 0; i < count; i++) take(metLink(s, i), contactOf(metLink(s, i)));
  solveLinks(s.metList, count, -SETTLED * hardest, SWEEPS);
  for (let i: u32 = 0; i < count; i++) giveMet(metLink(s, i));
  for (let side: u32 = 0; side < 2; side++) limitVelocity(flyerAt(s, side).body);
  return depth;
}
