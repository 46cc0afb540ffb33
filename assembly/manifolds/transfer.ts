// Transfers contact impulses from one fixed collider to the next, so that a body that slides from box to box stays loaded.
//
// transferImpulse   takes the impulse of a point from the fixed collider that carried it so far
// offerImpulse      keeps the impulse that a pair drops, within the step, for the pair that carries the point from now on
// Input: manifolds of the pairs of one collider. Output: impulses; points removed from other pairs.
import { colliderAt, typeOf } from '../bodies/rows';
import { endContact } from '../constraints/contact';
import { noteChange } from '../constraints/held';
import { excessIn, manifoldAt, pointOf as manifoldPoint, setContactCount } from '../constraints/manifolds';
import { firstEnd, nextEnd } from '../constraints/pair_lists';
import { pairCold } from '../constraints/pair_rows';
import { unwatch } from '../events/impacts';
import { enterLane, removeLane } from '../lanes/lanes';
import { copyState, impulseOf } from '../lanes/state';
import {
  BODY_STATIC,
  CONTACT_MARKS,
  ContactMarks,
  Header,
  MANIFOLD_POINT_STRIDE,
  MAX_OFFERS,
  Manifold,
  ManifoldPoint,
  NONE,
  OFFERS,
  OFFER_STRIDE,
  Offer,
  PairCold,
  SHAPE_BOX,
  SHAPE_HULL,
  Shape,
} from '../layout.generated';
import { dot3 } from '../math/lane';
import { withW3 } from '../math/vec3';
import { header } from '../memory/header';
import { contactMarks, contactState } from '../scratch/contact_state';
import { voidTest } from '../scratch/tests';
import { fixedAt, shapeOf } from './neighbors';

/** How far from each other (m) points of B are one: round shapes roll, corners stay. */
export function reachOf(b: Shape): f32 {
  return (b.type == SHAPE_BOX || b.type == SHAPE_HULL ? <f32>0.02 : <f32>0.2) * b.extent;
}

/**
 * The point of the pair at `end` of B near `at` (body frame of B) with the world normal n (towards B): manifold << 2 | index,
 * NONE if there is none.
 */
export function pointNear(end: u32, at: v128, n: v128, reach: f32): u32 {
  const ofB: usize = (end & 1) != 0 ? offsetof<ManifoldPoint>('lbx') : 0;
  let k: u32 = pairCold(end >> 1).manifold;
  let best: f32 = reach * reach;
  let found: u32 = NONE;
  for (; k != NONE; k = manifoldAt(k).next) {
    const m: Manifold = manifoldAt(k);
    const cosine: f32 = dot3(n, m.n);
    if (((end & 1) != 0 ? cosine : -cosine) < <f32>0.99) continue;
    for (let i: u32 = 0; i < m.count; i++) {
      const e: v128 = f32x4.sub(v128.load(changetype<usize>(manifoldPoint(m, i)) + ofB), at);
      if (dot3(e, e) >= best) continue;
      best = dot3(e, e);
      found = (k << 2) | i;
    }
  }
  return found;
}

/**
 * A pair drops manifold `m` in this step: the impulse of a fixed collider waits for the collider that carries the point from now
 * on.
 */
export function offerImpulse(cold: PairCold, m: Manifold): void {
  const a: bool = typeOf(m.bodyA) == BODY_STATIC;
  if (!a && typeOf(m.bodyB) != BODY_STATIC) return;
  const n: v128 = withW3(m.n, 0);
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = manifoldPoint(m, i);
    const impulse: f32 = impulseOf(m, i);
    if (impulse <= 0) continue;
    const count: u32 = offerCount();
    contactMarks().offers = count + 1;
    const point: Offer = offerAt(contactState(), count % MAX_OFFERS);
    const at: usize = changetype<usize>(point);
    v128.store(at, v128.load(changetype<usize>(p) + (a ? offsetof<ManifoldPoint>('lbx') : 0)));
    point.n = a ? n : f32x4.neg(n);
    point.impulse = impulse;
    point.collider = a ? cold.colliderB : cold.colliderA;
  }
}

/** Point i offered in this step, in the scratch of a thread. */
function offerAt(scratch: usize, i: u32): Offer {
  return changetype<Offer>(scratch + OFFERS + <usize>i * OFFER_STRIDE);
}

/** Points offered in this step; the last MAX_OFFERS of them are kept. */
function offerCount(): u32 {
  return contactMarks().offers;
}

/** Starts a new step: earlier offers are dropped. */
export function forgetOffers(): void {
  contactMarks().offers = 0;
}

/** Whether a point of a collider was offered and not taken. */
function hasOffer(b: u32): bool {
  const walk: usize = header().contactState;
  const count: u32 = min<u32>(changetype<ContactMarks>(walk + CONTACT_MARKS).offers, MAX_OFFERS);
  for (let i: u32 = 0; i < count; i++) if (offerAt(walk, i).collider == b) return true;
  return false;
}

/** Takes a point that was offered near `at`: its impulse, 0 if there is none. */
function takeOffer(b: u32, at: v128, n: v128, reach: f32): f32 {
  let best: f32 = reach * reach,
    found: Offer | null = null;
  const scratch: usize = contactState();
  const count: u32 = min<u32>(offerCount(), MAX_OFFERS);
  for (let i: u32 = 0; i < count; i++) {
    const point: Offer = offerAt(scratch, i);
    const row: usize = changetype<usize>(point);
    if (point.collider != b || dot3(point.n, n) < <f32>0.99) continue;
    const e: v128 = f32x4.sub(v128.load(row), at);
    if (dot3(e, e) >= best) continue;
    best = dot3(e, e);
    found = point;
  }
  if (found === null) return 0;
  found.collider = NONE;
  return found.impulse;
}

/**
 * Whether a collider touches no other fixed collider than t, nor had points on one: nothing continues the surface of t, and there
 * are no impulses to take over. Any thread may call it, while the walk waits.
 */
export function isOnlyOn(b: u32, t: u32): bool {
  for (let end: u32 = firstEnd(b); end != NONE; end = nextEnd(end)) {
    const cold: PairCold = pairCold(end >> 1);
    if (cold.colliderA != t && cold.colliderB != t && fixedAt(end) !== null) return false;
  }
  return !hasOffer(b);
}

/**
 * Takes the point of a body near `at` (body frame) from the other fixed colliders that its collider `b` touches: the impulse, 0
 * if none has it. n: world normal towards the body.
 */
export function transferImpulse(b: u32, t: u32, at: v128, n: v128): f32 {
  const h: Header = header();
  const reach: f32 = reachOf(shapeOf(colliderAt(b)));
  for (let end: u32 = firstEnd(b); end != NONE; end = nextEnd(end)) {
    const cold: PairCold = pairCold(end >> 1);
    if (cold.manifold == NONE || cold.colliderA == t || cold.colliderB == t) continue;
    const near: u32 = fixedAt(end) === null ? NONE : pointNear(end, at, n, reach);
    if (near == NONE) continue;
    const index: u32 = near >> 2,
      point: u32 = near & 3;
    const m: Manifold = manifoldAt(index);
    if (m.count == 1 && cold.manifold != index) continue; // the last one of a second manifold stays: that is seldom
    voidTest(end >> 1);
    // A manifold with fewer points has another lane: its record is where it is made.
    copyState(m, m);
    const impulse: f32 = manifoldPoint(m, point).impulse;
    const last: u32 = m.count - 1;
    store<f32>(excessIn(m, point), load<f32>(excessIn(m, last)));
    if (point != last)
      memory.copy(changetype<usize>(manifoldPoint(m, point)), changetype<usize>(manifoldPoint(m, last)), MANIFOLD_POINT_STRIDE);
    setContactCount(m, last);
    m.maxDrift = -1;
    if (last != 0) {
      noteChange(index);
      if (m.lane != NONE) enterLane(index);
      return impulse;
    }
    cold.manifold = m.next;
    removeLane(index);
    endContact(index);
    if (cold.manifold == NONE) unwatch(cold);
    return impulse;
  }
  return takeOffer(b, at, n, reach);
}
