// Test entry of the manifolds: matching, materials, poses of pairs, points that pass from collider to collider.
import { colliderAt } from '../bodies/rows';
import { manifoldAt } from '../constraints/manifolds';
import { pairCold } from '../constraints/pair_rows';
import { Manifold, Neighborhood } from '../layout.generated';
import { easeFriction, rollingCurvature, takeMaterial, takeSurface } from '../manifolds/material';
import { alike, oldExcess, oldImpulse, saveOld, takeManifold, takePoint } from '../manifolds/match';
import { holds, neighborhoodOf } from '../manifolds/neighbors';
import { refreshManifold } from '../manifolds/make';
import { storePairPose } from '../manifolds/pair_pose';
import { isOnlyOn, offerImpulse, pointNear, reachOf, transferImpulse, forgetOffers } from '../manifolds/transfer';
import { vec3W } from '../math/lane';
import { contactState, oldManifold } from '../scratch/contact_state';
import { shapeAt } from '../shapes/shapes';

export function testContactState(): usize {
  return contactState();
}
export function testSaveOld(pair: u32): u32 {
  return saveOld(pairCold(pair));
}
export function testOldManifold(k: u32): usize {
  return changetype<usize>(oldManifold(k));
}
export function testAlike(count: u32, x: f32, y: f32, z: f32): u32 {
  return alike(count, vec3W(x, y, z));
}
export function testTakeManifold(bits: u32, x: f32, y: f32, z: f32): u32 {
  return takeManifold(bits, vec3W(x, y, z));
}
export function testTakePoint(bits: u32, x: f32, y: f32, z: f32, reach2: f32): u32 {
  return takePoint(bits, vec3W(x, y, z), reach2);
}
export function testOldImpulse(point: u32): f32 {
  return oldImpulse(point);
}
export function testOldExcess(point: u32): f32 {
  return oldExcess(point);
}
/** Fills the material of a block of the size of a Manifold. */
export function testMaterial(m: usize, a: u32, b: u32): void {
  takeMaterial(changetype<Manifold>(m), colliderAt(a), colliderAt(b));
}
export function testSurface(m: usize, a: u32, b: u32): void {
  takeSurface(changetype<Manifold>(m), colliderAt(a), colliderAt(b));
}
export function testRollingCurvature(a: u32, b: u32): f32 {
  return rollingCurvature(colliderAt(a), colliderAt(b));
}
export function testPairPose(at: usize, a: u32, b: u32, x: f32, y: f32, z: f32): void {
  storePairPose(at, colliderAt(a), colliderAt(b), vec3W(x, y, z));
}
export function testRefresh(m: usize, x: f32, y: f32, z: f32, separations: usize, stride: usize, carry: bool): void {
  refreshManifold(changetype<Manifold>(m), vec3W(x, y, z), separations, stride, carry);
}
export function testHolds(shape: u32, x: f32, y: f32, z: f32, tolerance: f32): bool {
  return holds(shapeAt(shape), vec3W(x, y, z), tolerance);
}
export function testReachOf(shape: u32): f32 {
  return reachOf(shapeAt(shape));
}
export function testPointNear(end: u32, x: f32, y: f32, z: f32, nx: f32, ny: f32, nz: f32, reach: f32): u32 {
  return pointNear(end, vec3W(x, y, z), vec3W(nx, ny, nz), reach);
}
export function testOffer(pair: u32, manifold: u32): void {
  offerImpulse(pairCold(pair), manifoldAt(manifold));
}
export function testForgetOffers(): void {
  forgetOffers();
}
export function testTransfer(b: u32, t: u32, x: f32, y: f32, z: f32, nx: f32, ny: f32, nz: f32): f32 {
  return transferImpulse(b, t, vec3W(x, y, z), vec3W(nx, ny, nz));
}
export function testIsOnlyOn(b: u32, t: u32): bool {
  return isOnlyOn(b, t);
}
export function testEaseFriction(m: usize, a: u32, b: u32, separations: usize, stride: usize): void {
  easeFriction(changetype<Manifold>(m), a, b, separations, stride);
}
/**
 * How far from it a point counts as on the neighbor of a fixed collider, m; writes the origin and the center of mass of what lies
 * on it. Rotations of both bodies lie in the contact scratch.
 */
export function testNeighborhood(pair: u32, to: usize): f32 {
  const cold = pairCold(pair);
  const near: Neighborhood | null = neighborhoodOf(cold, colliderAt(cold.colliderA), colliderAt(cold.colliderB), 0);
  if (near === null) return -1;
  const c: Neighborhood = near;
  v128.store(to, c.originB);
  v128.store(to + 16, c.centerB);
  return c.near;
}
