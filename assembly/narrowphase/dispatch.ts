// Picks the narrow-phase test of a pair of shapes. Types are ordered: type(A) <= type(B).
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import { collideBoxBox } from './box_box';
import { collideCapsuleBox, collideCapsuleHull, collideConvexConvex, collideSphereHull, initConvex } from './convex';
import { collideConvexHeightfield } from './heightfield';
import { collideBoxHull, collideHullHull } from './hull_hull';
import { collideConvexMesh, initMeshTests } from './mesh';
import { collideConvexPlane } from './plane';
import { initPolyhedra } from './polyhedron';
import { collideCapsuleCapsule, collideSphereBox, collideSphereCapsule, collideSphereSphere } from './sphere_capsule';
import { initNarrowState } from './state';

/** Scratch of all tests. Returns false without memory. */
export function initNarrowPhase(): bool {
  initNarrowState();
  return initPolyhedra() && initConvex() && initMeshTests();
}

/**
 * Tests shape A against shape B; `rel` is the RelPose of B in the frame of A. Writes ManifoldOut elements from `out` on and
 * returns their number; with none, out[0].gap is a lower bound of the distance. `cache` is the pair's axis cache.
 */
export function collide(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const a: u32 = changetype<Shape>(shapeA).type,
    b: u32 = changetype<Shape>(shapeB).type;
  if (b == SHAPE_MESH) return collideConvexMesh(shapeA, shapeB, rel, out, cache, margin);
  if (b == SHAPE_HEIGHTFIELD) return collideConvexHeightfield(shapeA, shapeB, rel, out, cache, margin);
  if (b == SHAPE_PLANE) return collideConvexPlane(shapeA, shapeB, rel, out, cache, margin);
  if (b >= SHAPE_CYLINDER) return collideConvexConvex(shapeA, shapeB, rel, out, cache, margin);
  switch (a) {
    case SHAPE_SPHERE:
      if (b == SHAPE_SPHERE) return collideSphereSphere(shapeA, shapeB, rel, out, cache, margin);
      if (b == SHAPE_CAPSULE) return collideSphereCapsule(shapeA, shapeB, rel, out, cache, margin);
      if (b == SHAPE_BOX) return collideSphereBox(shapeA, shapeB, rel, out, cache, margin);
      return collideSphereHull(shapeA, shapeB, rel, out, cache, margin);
    case SHAPE_CAPSULE:
      if (b == SHAPE_CAPSULE) return collideCapsuleCapsule(shapeA, shapeB, rel, out, cache, margin);
      if (b == SHAPE_BOX) return collideCapsuleBox(shapeA, shapeB, rel, out, cache, margin);
      return collideCapsuleHull(shapeA, shapeB, rel, out, cache, margin);
    case SHAPE_BOX:
      if (b == SHAPE_BOX) return collideBoxBox(shapeA, shapeB, rel, out, cache, margin);
      return collideBoxHull(shapeA, shapeB, rel, out, cache, margin);
    default:
      return collideHullHull(shapeA, shapeB, rel, out, cache, margin);
  }
}
