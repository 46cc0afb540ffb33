// Bodies of a contact row and the pieces of its K = J M^-1 J'. Vectors are v128 x y z _ (math/vec3.ts).
import { BodyInertia, BodyRow, Manifold } from '../layout.generated';
import { LOCK_DROP, lockShares, locksOf } from '../bodies/locks';
import { inertiaAt, inverseInertia, rowAt } from '../bodies/rows';
import { addW, cross3, dot3, mulW, subW } from '../math/lane';
import { inverseOf } from '../math/number';
import { header } from '../memory/header';

/** a . I^-1 b with the symmetric inverse inertia. */
export function inertiaDot(i: BodyInertia, a: v128, b: v128): f32 {
  return dot3(a, inverseInertia(i, b));
}

/** One body's part of K between directions d and e at arm r: d.e / m + (r x d) . I^-1 (r x e). */
export function effective(body: u32, r: v128, d: v128, e: v128): f32 {
  const locks: u32 = header().anyLocks != 0 ? locksOf(body) & 7 : 0;
  const along: f32 = locks != 0 ? dot3(mulW(lockShares(locks), d), e) : dot3(d, e);
  return rowAt(body).invMass * along + inertiaDot(inertiaAt(body), cross3(r, d), cross3(r, e));
}

/** K between directions d and e at the arms of both bodies of a manifold; kA, kB: how many sub-bodies each is split into. */
export function effectivePair(m: Manifold, kA: f32, kB: f32, rA: v128, rB: v128, d: v128, e: v128): f32 {
  return kA * effective(m.bodyA, rA, d, e) + kB * effective(m.bodyB, rB, d, e);
}

/** Velocity of B against A at the arms, along d. */
export function speedAlong(m: Manifold, rA: v128, rB: v128, d: v128): f32 {
  const a: usize = changetype<usize>(rowAt(m.bodyA)),
    b: usize = changetype<usize>(rowAt(m.bodyB));
  const onA: v128 = addW(v128.load(a), cross3(v128.load(a, offsetof<BodyRow>('wx')), rA)),
    onB: v128 = addW(v128.load(b), cross3(v128.load(b, offsetof<BodyRow>('wx')), rB));
  return dot3(d, subW(onB, onA));
}

/**
 * Whether a normal row of K = k could move its bodies along locked axes alone, and pushes nothing; kA, kB: their sub-bodies.
 */
export function isBarred(m: Manifold, k: f32, kA: f32, kB: f32): bool {
  return k < LOCK_DROP * (kA * rowAt(m.bodyA).invMass + kB * rowAt(m.bodyB).invMass);
}

/** 1 / k, or 0 where nothing can move. */
export function inverse(k: f32): f32 {
  return inverseOf<f32>(k);
}
