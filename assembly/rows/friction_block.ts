// Friction of a manifold as three rows at the mean of its points: arms, 2x2 block of the tangents, twist row.
//
// For the scalar and the splitting solvers (lanes.ts writes the same rows in the form of lanes). kA, kB: how many sub-bodies
// each body is split into, 1 for whole bodies; sub-bodies have k times the inverse mass (docs/mass_splitting.md).
import { Manifold, ManifoldPoint } from '../layout.generated';
import { inertiaAt } from '../bodies/rows';
import { pointOf } from '../constraints/manifolds';
import { cross3 } from '../math/lane';
import { effectivePair, inertiaDot, inverse } from './mass';

/** Mean arm of the points on body A, relative to its center of mass: x y z, m. Lane 3 has no meaning. */
export function meanArmA(m: Manifold): v128 {
  return meanOfPoints(m, offsetof<ManifoldPoint>('rax'));
}

/** Mean arm of the points on body B. */
export function meanArmB(m: Manifold): v128 {
  return meanOfPoints(m, offsetof<ManifoldPoint>('rbx'));
}

function meanOfPoints(m: Manifold, field: usize): v128 {
  const count: u32 = m.count;
  let sum: v128 = f32x4.splat(0);
  for (let i: u32 = 0; i < count; i++) sum = f32x4.add(sum, v128.load(changetype<usize>(pointOf(m, i)) + field));
  return f32x4.mul(sum, f32x4.splat(<f32>1 / <f32>max<u32>(count, 1)));
}

/** Inverse of K of the two tangents t and n x t at arms rA, rB: 11, 12, 22, 0, kg. Zero where nothing can move. */
export function frictionBlock(m: Manifold, kA: f32, kB: f32, rA: v128, rB: v128): v128 {
  return frictionBlockAlong(m, kA, kB, rA, rB, v128.load(changetype<usize>(m), offsetof<Manifold>('tx')));
}

/** The same of another unit tangent t. */
export function frictionBlockAlong(m: Manifold, kA: f32, kB: f32, rA: v128, rB: v128, t: v128): v128 {
  const u: v128 = cross3(v128.load(changetype<usize>(m), offsetof<Manifold>('nx')), t);
  const k11: f32 = effectivePair(m, kA, kB, rA, rB, t, t);
  const k12: f32 = effectivePair(m, kA, kB, rA, rB, t, u);
  const k22: f32 = effectivePair(m, kA, kB, rA, rB, u, u);
  const d: f32 = inverse(k11 * k22 - k12 * k12);
  return f32x4(k22 * d, -k12 * d, k11 * d, 0);
}

/** Effective inertia of the twist row about the normal, kg m2. Zero where nothing can turn. */
export function twistMass(m: Manifold, kA: f32, kB: f32): f32 {
  const n: v128 = v128.load(changetype<usize>(m), offsetof<Manifold>('nx'));
  return inverse(kA * inertiaDot(inertiaAt(m.bodyA), n, n) + kB * inertiaDot(inertiaAt(m.bodyB), n, n));
}
