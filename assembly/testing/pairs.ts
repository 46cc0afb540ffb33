// Test entry of the pairs and of the events.
import { colliderAt, rotationOf } from '../bodies/rows';
import { manifoldAt } from '../constraints/manifolds';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { deepestPoint, keepVelocity, reserveVelocities, speedBefore, speedNow } from '../events/approach';
import { BODY_A_COLUMNS, BODY_B_COLUMNS, CONTACT_MARKS, Collider, ContactMarks, OUTPUTS } from '../layout.generated';
import { dropInternalEdges } from '../manifolds/internal_edges';
import { storePairPose } from '../manifolds/pair_pose';
import { vec3W } from '../math/lane';
import { storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { apartBudget, centerDifference, isRecycled, measureMotion, motionOf, pairMotion, runTest } from '../pairs/motion';
import { holdOverlap, isDeep, limitOverlap } from '../pairs/overlap_limiter';
import { forbidRecycling, renewContacts } from '../pairs/renew';
import { dropStopped } from '../pairs/stopped';
import { testWindow } from '../pairs/test';
import { contactState } from '../scratch/contact_state';
import { reserveTests, testOf } from '../scratch/tests';

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
/** Poses of two colliders to the contact scratch. */
function placePair(ca: Collider, cb: Collider): void {
  const s: usize = contactState();
  storeRotation(rotationOf(ca.body), s + BODY_A_COLUMNS);
  storeRotation(rotationOf(cb.body), s + BODY_B_COLUMNS);
  storePairPose(s, ca, cb, centerDifference(ca.body, cb.body));
}
/** Address of the outputs of the narrow phase. */
export function testOutputs(): usize {
  return contactState() + OUTPUTS;
}
/** Fills the outputs for two colliders at their poses; returns their number. */
export function testRun(a: u32, b: u32, margin: f32): u32 {
  const cache: usize = contactState() + CONTACT_MARKS + offsetof<ContactMarks>('cache');
  placePair(colliderAt(a), colliderAt(b));
  store<u32>(cache, 0);
  return runTest(colliderAt(a), colliderAt(b), cache, margin);
}
/** What neighbors leave of the outputs that lie there for a pair. */
export function testDropEdges(pair: u32, found: u32, margin: f32, gap: f32): u32 {
  const cold = pairCold(pair);
  const ca: Collider = colliderAt(cold.colliderA),
    cb: Collider = colliderAt(cold.colliderB);
  placePair(ca, cb);
  return dropInternalEdges(cold, ca, cb, found, margin, gap);
}
/** Tests all pairs as ahead of the walk. */
export function testAhead(): bool {
  return reserveTests(header().awakePairs) && testWindow(0, header().awakePairs);
}
/** Kind of the row of a pair. */
export function testKindOf(pair: u32): u32 {
  return testOf(pair).kind;
}
export function testRenewContacts(collider: u32, wakes: bool): void {
  renewContacts(collider, wakes);
}
export function testForbidRecycling(collider: u32): void {
  forbidRecycling(collider);
}
export function testDropStopped(wild: bool): void {
  dropStopped(wild);
}
