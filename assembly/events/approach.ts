// How fast contacts close: at the start of a step, before the solver changed the velocities, and after it.
// Input: BodyRow, manifolds. Output: Header.startVelocities of the bodies that were asked for.
import { BODY_ROW_STRIDE, BODY_VELOCITY_STRIDE, Header, Manifold, ManifoldPoint } from '../layout.generated';
import { pointOf } from '../constraints/manifolds';
import { separationOf } from '../lanes/state';
import { addW, cross3, dot3, subW } from '../math/lane';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';

/** Room for the velocities of all bodies. False without memory (header error set). */
export function reserveVelocities(): bool {
  const base: usize = changetype<usize>(header()) + offsetof<Header>('startVelocities');
  return ensureArray(base, BODY_VELOCITY_STRIDE, header().bodyCapacity);
}

/** Keeps the velocity of a body. */
export function keepVelocity(body: u32): void {
  const from: usize = <usize>header().bodyRows + <usize>body * BODY_ROW_STRIDE,
    to: usize = <usize>header().startVelocities + <usize>body * BODY_VELOCITY_STRIDE;
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
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
  const p: usize = changetype<usize>(pointOf(m, point));
  const vb: v128 = addW(v128.load(b), cross3(v128.load(b, 16), v128.load(p, offsetof<ManifoldPoint>('rbx'))));
  const va: v128 = addW(v128.load(a), cross3(v128.load(a, 16), v128.load(p, offsetof<ManifoldPoint>('rax'))));
  return dot3(v128.load(changetype<usize>(m), offsetof<Manifold>('nx')), subW(va, vb));
}
