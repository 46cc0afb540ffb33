// Bodies of a contact row and the pieces of its K = J M^-1 J'.
import { BodyInertia, BodyRow, Manifold } from '../layout.generated';
import { LOCK_DROP, lockShares, locksOf } from '../bodies/locks';
import { inertiaAt, rowAt } from '../bodies/rows';
import { inverseOf } from '../math/number';
import { x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';

/** a . I^-1 b with the symmetric inverse inertia. */
export function inertiaDot(i: BodyInertia, ax: f32, ay: f32, az: f32, bx: f32, by: f32, bz: f32): f32 {
  const ix: f32 = i.xx * bx + i.xy * by + i.xz * bz;
  const iy: f32 = i.xy * bx + i.yy * by + i.yz * bz;
  const iz: f32 = i.xz * bx + i.yz * by + i.zz * bz;
  return ax * ix + ay * iy + az * iz;
}

/** One body's part of K between directions d and e at arm r: d.e / m + (r x d) . I^-1 (r x e). */
export function effective(body: u32, rx: f32, ry: f32, rz: f32, dx: f32, dy: f32, dz: f32, ex: f32, ey: f32, ez: f32): f32 {
  let dot: f32 = dx * ex + dy * ey + dz * ez;
  const locks: u32 = header().anyLocks != 0 ? locksOf(body) & 7 : 0;
  if (locks != 0) {
    const s: v128 = lockShares(locks);
    dot = x3(s) * dx * ex + y3(s) * dy * ey + z3(s) * dz * ez;
  }
  return (
    rowAt(body).invMass * dot +
    inertiaDot(
      inertiaAt(body),
      ry * dz - rz * dy,
      rz * dx - rx * dz,
      rx * dy - ry * dx,
      ry * ez - rz * ey,
      rz * ex - rx * ez,
      rx * ey - ry * ex,
    )
  );
}

/** K between directions d and e at the arms of both bodies of a manifold; kA, kB: how many sub-bodies each is split into. */
export function effectivePair(
  m: Manifold,
  kA: f32,
  kB: f32,
  rax: f32,
  ray: f32,
  raz: f32,
  rbx: f32,
  rby: f32,
  rbz: f32,
  dx: f32,
  dy: f32,
  dz: f32,
  ex: f32,
  ey: f32,
  ez: f32,
): f32 {
  return (
    kA * effective(m.bodyA, rax, ray, raz, dx, dy, dz, ex, ey, ez) +
    kB * effective(m.bodyB, rbx, rby, rbz, dx, dy, dz, ex, ey, ez)
  );
}

/** Velocity of B against A at the arms, along d. */
export function speedAlong(
  m: Manifold,
  rax: f32,
  ray: f32,
  raz: f32,
  rbx: f32,
  rby: f32,
  rbz: f32,
  dx: f32,
  dy: f32,
  dz: f32,
): f32 {
  const a: BodyRow = rowAt(m.bodyA);
  const b: BodyRow = rowAt(m.bodyB);
  const x: f32 = b.vx + (b.wy * rbz - b.wz * rby) - (a.vx + (a.wy * raz - a.wz * ray));
  const y: f32 = b.vy + (b.wz * rbx - b.wx * rbz) - (a.vy + (a.wz * rax - a.wx * raz));
  const z: f32 = b.vz + (b.wx * rby - b.wy * rbx) - (a.vz + (a.wx * ray - a.wy * rax));
  return dx * x + dy * y + dz * z;
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
