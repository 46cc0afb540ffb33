// Picks the narrow-phase test of a pair of shapes. Types are ordered: type(A) <= type(B).
import { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_SPHERE, Shape } from '../layout.generated';
import { collideBoxBox } from './box_box';
import { collideCapsuleCapsule, collideSphereBox, collideSphereCapsule, collideSphereSphere } from './sphere_capsule';

/**
 * Tests shape A against shape B; `rel` is the RelPose of B in the frame of A. Writes ManifoldOut elements from `out` on and
 * returns their number; with none, out[0].gap is a lower bound of the distance. `cache` is the pair's axis cache.
 */
export function collide(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const a: u32 = changetype<Shape>(shapeA).type, b: u32 = changetype<Shape>(shapeB).type;
  switch (a) {
    case SHAPE_SPHERE:
      if (b == SHAPE_SPHERE) return collideSphereSphere(shapeA, shapeB, rel, out, cache, margin);
      if (b == SHAPE_CAPSULE) return collideSphereCapsule(shapeA, shapeB, rel, out, cache, margin);
      return collideSphereBox(shapeA, shapeB, rel, out, cache, margin);
    case SHAPE_CAPSULE:
      return collideCapsuleCapsule(shapeA, shapeB, rel, out, cache, margin);
    default:
      return collideBoxBox(shapeA, shapeB, rel, out, cache, margin);
  }
}
