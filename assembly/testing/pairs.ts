// Test entry of the pairs and of the events.
import { colliderAt } from '../bodies/rows';
import { manifoldAt } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { deepestPoint, keepVelocity, reserveVelocities, speedBefore, speedNow } from '../events/approach';
import { vec3W } from '../math/lane';
import { apartBudget, isRecycled, measureMotion, motionOf, pairMotion } from '../pairs/motion';
import { holdOverlap, isDeep, limitOverlap } from '../pairs/overlap_limiter';

/** Fills the PairMotion at the address returned. */
export function testMeasureMotion(a: u32, b: u32, sensor: bool): usize {
  measureMotion(colliderAt(a), colliderAt(b), sensor);
  return changetype<usize>(pairMotion());
}
export function testMotionOf(pair: u32): f64 {
  return motionOf(pairHot(pair));
}
export function testApartBudget(pair: u32, motion: f64): f64 {
  return apartBudget(pair, pairHot(pair), motion);
}
/** Rotations of both bodies lie in the contact scratch. */
export function testIsRecycled(pair: u32, x: f32, y: f32, z: f32): bool {
  const cold = pairCold(pair);
  return isRecycled(cold, colliderAt(cold.colliderA), colliderAt(cold.colliderB), vec3W(x, y, z));
}
export function testIsDeep(separation: f32, extent: f32): bool {
  return isDeep(separation, extent);
}
export function testLimitOverlap(): bool {
  return limitOverlap();
}
export function testHoldOverlap(): void {
  holdOverlap();
}
export function testKeepVelocity(body: u32): bool {
  if (!reserveVelocities()) return false;
  keepVelocity(body);
  return true;
}
export function testDeepestPoint(manifold: u32): u32 {
  return deepestPoint(manifoldAt(manifold));
}
export function testSpeedNow(manifold: u32, point: u32): f32 {
  return speedNow(manifoldAt(manifold), point);
}
export function testSpeedBefore(manifold: u32, point: u32): f32 {
  return speedBefore(manifoldAt(manifold), point);
}
