// Locked axes of dynamic bodies: translation along x y z of the world, rotation about them. locksOf returns them as bits 0-5.
//
// A locked axis is solved as if the body were LOCK_SHARE^-1 times as heavy along it, so that no matrix of a row is singular.
// After each group of contacts or joint, before anything reads the velocity, the part along locked axes is removed. So it is
// exactly zero at all times, and other bodies respond as to an infinite mass along that axis. The inverse inertia of a body with
// locked rotations is the inverse of the block of its free axes. Contact rows whose mass comes almost only from locked axes
// (LOCK_DROP) do not push: they could not move the body.
// Input: BodyCold.flags. Output: BodyInertia, BodyRow, BodyAccel, BodyDelta.
import { BODY_DYNAMIC, BodyInertia, LOCK_SHIFT } from '../layout.generated';
import { putVector, vectorAt } from '../memory/words';
import { FLAG_LOCKS, FLAG_TYPE, coldAt, rowAt } from './rows';

/** Share of its inverse mass that a body has along a locked axis, in the matrices of rows. */
export const LOCK_SHARE: f32 = 1e-4;
/** Rows with less than this share of the inverse masses of their bodies push nothing. */
export const LOCK_DROP: f32 = 2e-3;

/** Locks of a body: 0 unless it is dynamic. */
export function locksOf(body: u32): u32 {
  const flags: u32 = coldAt(body).flags;
  return (flags & FLAG_TYPE) == BODY_DYNAMIC ? (flags & FLAG_LOCKS) >> LOCK_SHIFT : 0;
}

/** All ones in the lanes of axes that are free, and in the fourth. */
export function freeLanes(locks: u32): v128 {
  return i32x4((locks & 1) - 1, ((locks >> 1) & 1) - 1, ((locks >> 2) & 1) - 1, -1);
}

/**
 * The same for a rotation, whose fourth lane does not belong to the body: it becomes zero, since its content might not be finite.
 */
export function freeTurns(locks: u32): v128 {
  return i32x4(((locks >> 3) & 1) - 1, ((locks >> 4) & 1) - 1, ((locks >> 5) & 1) - 1, 0);
}

/** Shares of the inverse mass along x y z. */
export function lockShares(locks: u32): v128 {
  return v128.bitselect(f32x4.splat(1), f32x4.splat(LOCK_SHARE), freeLanes(locks));
}

/** Takes what locked axes have got off two vectors, linear and angular, that lie behind each other. */
export function applyLocks(at: usize, locks: u32): void {
  putVector(at, 0, v128.and(vectorAt(at, 0), freeLanes(locks)));
  putVector(at, 1, v128.and(vectorAt(at, 1), freeTurns(locks)));
}

/** The same of the velocity of a body. */
export function keepBody(body: u32): void {
  const locks: u32 = locksOf(body);
  if (locks != 0) applyLocks(changetype<usize>(rowAt(body)), locks);
}

/** Takes axis a out of an inverse inertia; b and c are the others: offsets of the moments, of the products a b, a c, b c. */
function lockAxis(i: usize, a: usize, b: usize, c: usize, ab: usize, ac: usize, bc: usize): void {
  const x: f32 = load<f32>(i + a),
    y: f32 = load<f32>(i + ab),
    z: f32 = load<f32>(i + ac);
  const k: f32 = x > 0 ? 1 / x : 0;
  store<f32>(i + b, load<f32>(i + b) - y * y * k);
  store<f32>(i + c, load<f32>(i + c) - z * z * k);
  store<f32>(i + bc, load<f32>(i + bc) - y * z * k);
  store<f32>(i + a, x * LOCK_SHARE);
  store<f32>(i + ab, 0);
  store<f32>(i + ac, 0);
}

/** Takes the locked rotations out of an inverse inertia, one after the other. */
export function lockInertia(inertia: BodyInertia, locks: u32): void {
  const i: usize = changetype<usize>(inertia);
  const xx: usize = offsetof<BodyInertia>('xx'),
    yy: usize = offsetof<BodyInertia>('yy'),
    zz: usize = offsetof<BodyInertia>('zz');
  const xy: usize = offsetof<BodyInertia>('xy'),
    xz: usize = offsetof<BodyInertia>('xz'),
    yz: usize = offsetof<BodyInertia>('yz');
  if ((locks & 8) != 0) lockAxis(i, xx, yy, zz, xy, xz, yz);
  if ((locks & 16) != 0) lockAxis(i, yy, xx, zz, xy, yz, xz);
  if ((locks & 32) != 0) lockAxis(i, zz, xx, yy, xz, yz, xy);
}
