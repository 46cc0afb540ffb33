// The effect of a change between two steps on the contacts of a body: which pairs the next step looks at, what their manifolds
// keep, which bodies wake. The cost is that of the pairs of the body, found through the lists of its colliders.
//
// A pair that is due is recycled or tested by the pair walk (walk.ts), which computes materials, masses and frames again in both
// cases. Impulses stay with their points: a change of one body in a pile must not make the pile start from nothing.
import { Manifold, ManifoldPoint, NONE, PairHot } from '../layout.generated';
import { coldAt, colliderAt, isAsleep } from '../bodies/rows';
import { noteChange } from '../constraints/held';
import { firstConstraint, nextConstraint } from '../constraints/lists';
import { manifoldAt, pointOf } from '../constraints/manifolds';
import { firstEnd, nextEnd } from '../constraints/pair_lists';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { walkPair } from '../constraints/pair_store';
import { wakeBody } from '../constraints/sleep';
import { header } from '../memory/header';

/**
 * The next step computes the contacts of a collider again, with its surface at that time. `wakes`: bodies that it touches wake.
 */
export function renewContacts(collider: u32, wakes: bool): void {
  for (let end: u32 = firstEnd(collider); end != NONE; end = nextEnd(end)) {
    if (pairCold(end >> 1).manifold != NONE) pairHot(end >> 1).budget = -1;
  }
  if (wakes) wakeNeighbors(collider);
}

/** Wakes all that has contacts with a collider, and its own body with them. */
function wakeNeighbors(collider: u32): void {
  let end: u32 = firstEnd(collider);
  while (end != NONE && header().sleepingCount != 0) {
    const hot: PairHot = pairHot(end >> 1);
    const a: u32 = hot.bodyA,
      b: u32 = hot.bodyB;
    if (pairCold(end >> 1).manifold == NONE || (!isAsleep(a) && !isAsleep(b))) {
      end = nextEnd(end);
      continue;
    }
    wakeBody(a);
    wakeBody(b);
    end = firstEnd(collider); // pairs have changed places
  }
}

/**
 * The next step computes the contacts of a body again, with its mass and frame at that time; it and the bodies it touches wake.
 */
export function renewBodyContacts(body: u32): void {
  wakeBody(body);
  for (let c: u32 = coldAt(body).firstCollider; c != NONE; c = colliderAt(c).next) renewContacts(c, true);
}

/** Which contacts a collider may have has changed: the next step tests its contacts instead of recycling them. */
export function forbidRecycling(collider: u32): void {
  for (let end: u32 = firstEnd(collider); end != NONE; end = nextEnd(end)) {
    for (let index: u32 = pairCold(end >> 1).manifold; index != NONE; index = manifoldAt(index).next) {
      manifoldAt(index).maxDrift = -1;
      noteChange(index);
    }
  }
}

/** A collider was moved to another place: the next step looks at all its pairs, and bodies that it touched wake. */
export function renewPairs(collider: u32): void {
  renewContacts(collider, true);
  for (let end: u32 = firstEnd(collider); end != NONE; end = nextEnd(end)) {
    end = walkPair(end); // beside a sleeper it was laid aside
    pairHot(end >> 1).budget = -1;
  }
}

/** The center of mass of a body moves by (dx, dy, dz), body frame: anchors follow, pairs are tested in the next step. */
export function moveAnchors(body: u32, dx: f32, dy: f32, dz: f32): void {
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) {
    const m: Manifold = manifoldAt(end >> 1);
    m.maxDrift = -1;
    noteChange(end >> 1);
    for (let i: u32 = 0; i < m.count; i++) {
      const p: ManifoldPoint = pointOf(m, i);
      if ((end & 1) == 0) {
        p.lax -= dx;
        p.lay -= dy;
        p.laz -= dz;
      } else {
        p.lbx -= dx;
        p.lby -= dy;
        p.lbz -= dz;
      }
    }
  }
}
