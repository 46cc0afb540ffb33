// Impacts far ahead in a step (PASSING) of two dynamic bodies that move far relative to each other, one of which other bodies
// touch. The substeps end the step with the velocities of stopped bodies. A body with nothing else near it bounces where it met
// the other one, and moves on with its new velocity for the rest of the step. The impulse acts where both bodies were at the
// impact, so angular momentum is kept. A body that cannot move on stays in place. The arm of the larger body leads to the same
// point as the other arm.
// Input: manifolds, BodyCenter, BodyDelta. Output: restA and restB of links, arms, BodyDelta.
import { coldAt, rowAt } from '../bodies/rows';
import { PASSING } from '../ccd/speculative';
import { firstJoint } from '../constraints/joints';
import { firstConstraint, nextConstraint, otherBody } from '../constraints/lists';
import { pointOf } from '../constraints/manifolds';
import { separationOf } from '../lanes/state';
import {
  BODY_CENTER_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_ROW_STRIDE,
  ImpactBody,
  ImpactLink,
  ImpactState,
  Manifold,
  ManifoldPoint,
  NONE,
} from '../layout.generated';
import { addW, dot3, mulW, splatW, subW } from '../math/lane';
import { header } from '../memory/header';
import { putXyz } from '../memory/words';
import { pointSpeed, velocityOf } from './rows';
import { bodyAt } from './state';

/** Whether two dynamic bodies go far against each other in the step. */
function isPassing(m: Manifold): bool {
  return m.maxDrift <= PASSING && rowAt(m.bodyA).invMass > 0 && rowAt(m.bodyB).invMass > 0;
}

/** Whether a body may go on as it bounced from another one: nothing else is near it or holds it. */
function goesOn(body: u32, other: u32): bool {
  if (header().jointAlive != 0 && firstJoint(body) != NONE) return false;
  for (let end: u32 = firstConstraint(body); end != NONE; end = nextConstraint(end)) if (otherBody(end) != other) return false;
  return true;
}

/** Notes how much of the step is left when two bodies meet that go far in it. Before the solver. */
export function setRest(link: ImpactLink, m: Manifold): void {
  if (!isPassing(m)) return;
  const dt: f32 = header().dt;
  // Normal and arms are those of a meeting that a sweep has found; others are met when a row closes.
  let rest: f32 = m.maxDrift < PASSING ? dt - (PASSING - m.maxDrift) : 0;
  for (let k: u32 = 0; k < m.count && m.maxDrift == PASSING; k++) {
    const p: ManifoldPoint = pointOf(m, k);
    const u: f32 = pointSpeed(m, p);
    if (u < 0) rest = max<f32>(rest, dt - max<f32>(separationOf(m, k), 0) / -u);
  }
  if (rest <= 0) return;
  if (goesOn(m.bodyA, m.bodyB)) link.restA = rest;
  if (goesOn(m.bodyB, m.bodyA)) link.restB = rest;
}

/** Moves the bodies that go on by their velocity for the rest of the step, or back. */
export function moveRest(s: ImpactState, sign: f32): void {
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const entry: ImpactBody = bodyAt(s, i);
    if (entry.rest == 0) continue;
    const delta: usize = <usize>header().bodyDeltas + <usize>entry.body * BODY_DELTA_STRIDE;
    v128.store(delta, addW(v128.load(delta), mulW(velocityOf(entry.body), splatW(sign * entry.rest))));
  }
}

/** Displacement of a body up to its bounce: a body that moves on from there was there `rest` before the end of the step. */
function wayOf(body: u32, rest: f32): v128 {
  const b: usize = <usize>body;
  const way: v128 = mulW(v128.load(<usize>header().bodyRows + b * BODY_ROW_STRIDE), splatW(rest));
  return subW(v128.load(<usize>header().bodyDeltas + b * BODY_DELTA_STRIDE), way);
}

/**
 * Where bodies have moved on since they met, the arms of the meeting no longer lead to one point, and a bounce would change the
 * angular momentum. The arm of the larger body goes to where the other one's leads.
 */
export function alignArms(link: ImpactLink, m: Manifold): void {
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
    const arm: v128 = toA ? addW(rb, d) : subW(ra, d);
    if (!(dot3(arm, arm) <= reach * reach)) return; // they have parted
    putXyz(p + field, arm);
  }
  if (link.friction <= 0) return;
  if (toA) link.centerA = addW(link.centerB, d);
  else link.centerB = subW(link.centerA, d);
}
