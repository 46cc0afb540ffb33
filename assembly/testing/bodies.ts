// Test entry of motion and bounds of bodies: vectors are at addresses (16 bytes each), so is the result.
import { listAwake } from '../bodies/awake';
import { limitSpeeds, limitVelocity, limitedTo, sweptSpin } from '../bodies/limits';
import { freeLanes, freeTurns, keepBody, lockInertia, lockShares } from '../bodies/locks';
import { coldAt, colliderAt, hasVelocity, inertiaAt, inverseInertia, isMoved } from '../bodies/rows';
import { turnBody } from '../bodies/turn';
import { BodyInertia } from '../layout.generated';
import { colliderBounds, extentOf, isBeyondPlane } from '../shapes/bounds';

export { beginBodies, finishBodies } from '../bodies/integrate';
export { forgetPastPose, growPastPoses, storePastPoses } from '../bodies/past_poses';
export { foreseeMotion } from '../bodies/motions';
export { colliderBounds, keepBody, limitSpeeds, limitVelocity, listAwake, isMoved, hasVelocity };

/** Free motion of a body: rotation, velocity and turn at the addresses; a TurnedBody at `out`; the angle gone. */
export function testTurnBody(body: u32, q: usize, w: usize, p: usize, dt: f32, out: usize): f32 {
  return turnBody(coldAt(body), v128.load(q), v128.load(w), v128.load(p), dt, out);
}
export function testLimitedTo(v: usize, limit: f32, out: usize): void {
  v128.store(out, limitedTo(v128.load(v), limit));
}
export function testSweptSpin(w: usize, time: f32, out: usize): void {
  v128.store(out, sweptSpin(v128.load(w), time));
}
export function testLockInertia(inertia: usize, locks: u32): void {
  lockInertia(changetype<BodyInertia>(inertia), locks);
}
/** Masks of free axes, of free turns, shares: 48 bytes. */
export function testLockLanes(locks: u32, out: usize): void {
  v128.store(out, freeLanes(locks));
  v128.store(out + 16, freeTurns(locks));
  v128.store(out + 32, lockShares(locks));
}
export function testInverseInertia(body: u32, l: usize, out: usize): void {
  v128.store(out, inverseInertia(inertiaAt(body), v128.load(l)));
}
export function testExtentOf(collider: u32): f32 {
  return extentOf(colliderAt(collider));
}
export function testIsBeyondPlane(collider: u32, low: usize, high: usize, scratch: usize): bool {
  return isBeyondPlane(collider, v128.load(low), v128.load(high), scratch);
}
