// Test entry of round shapes, GJK/EPA and ray casts against convex shapes.
export {
  collideSphereSphere,
  collideSphereCapsule,
  collideSphereBox,
  collideCapsuleCapsule,
} from '../narrowphase/sphere_capsule';
export { roundBounds } from '../shapes/round_bounds';
export {
  collideConvexConvex,
  collideConvexTriangle,
  collideSphereHull,
  collideCapsuleBox,
  collideCapsuleHull,
  initConvex,
} from '../narrowphase/convex';
export { rayShape } from '../narrowphase/ray_shapes';
export { collide, initNarrowPhase } from '../narrowphase/dispatch';
