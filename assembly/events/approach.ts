// The closing speeds of contacts: at the start of a step, before the solver changed the velocities, and after it.
// Input: BodyRow, manifolds. Output: Header.startVelocities of the requested bodies.
import { rowAt } from '../bodies/rows';
import { pointOf } from '../constraints/manifolds';
import { separationOf } from '../lanes/state';
import {
  BODY_ROW_STRIDE,
  BODY_VELOCITY_STRIDE,
  BodyRow,
  BodyVelocity,
  Header,
  Manifold,
  ManifoldPoint,
} from '../layout.generated';
import { addW, cross3, dot3, subW } from '../math/lane';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { vectorAt } from '../memory/words';

/** Room for the velocities of all bodies. False without memory (header error set). */
export function reserveVelocities(): bool {
  const base: usize = changetype<usize>(header()) + offsetof<Header>('startVelocities');
  return ensureArray(base, BODY_VELOCITY_STRIDE, header().bodyCapacity);
}

/** Keeps the velocity of a body. */
export function keepVelocity(body: u32): void {
  const from: BodyRow = rowAt(body),
    to = changetype<BodyVelocity>(<usize>header().startVelocities + <usize>body * BODY_VELOCITY_STRIDE);
  to.v = from.v;
  to.w = from.w;
}

/** Of the points of a manifold the one with the least separation. */
export function deepestPoint(m: Manifold): u32 {
  let best: u32 = 0;
  for (let i: u32 = 1; i < m.count; i++) if (separationOf(m, i) < separationOf(m, best)) best = i;
  return best;
}

/** m/s along the normal, positive if the bodies approach each other at a point: as they are now. */
export function speedNow(m: Manifold, point: u32): f32 {
  return approachSpeed(m, point, header().bodyRows, BODY_ROW_STRIDE);
}

/** The same at the start of the step; the velocities of both bodies must have been kept. */
export function speedBefore(m: Manifold, point: u32): f32 {
  return approachSpeed(m, point, header().startVelocities, BODY_VELOCITY_STRIDE);
}

function approachSpeed(m: Manifold, point: u32, rows: usize, stride: usize): f32 {
  const a: usize = rows + <usize>m.bodyA * stride,
    b: usize = rows + <usize>m.bodyB * stride;
  const p: ManifoldPoint = pointOf(m, point);
  const vb: v128 = addW(vectorAt(b, 0), cross3(vectorAt(b, 1), p.rb));
  const va: v128 = addW(vectorAt(a, 0), cross3(vectorAt(a, 1), p.ra));
  return dot3(m.n, subW(va, vb));
}
