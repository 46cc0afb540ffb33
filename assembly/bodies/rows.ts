// Access to the rows of bodies and colliders, and to the meaning of their flags.
import {
  AABB_STRIDE,
  Aabb,
  BODY_ACCEL_STRIDE,
  BODY_ALIVE,
  BODY_ASLEEP,
  BODY_BULLET,
  BODY_CENTER_STRIDE,
  BODY_COLD_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_DISABLED,
  BODY_DYNAMIC,
  BODY_INERTIA_STRIDE,
  BODY_LIMITED,
  BODY_ROW_STRIDE,
  BODY_SLEEPLESS,
  BODY_TYPE_BITS,
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyInertia,
  BodyRow,
  COLLIDER_STRIDE,
  Collider,
  LOCK_SHIFT,
} from '../layout.generated';
import { rotate3 } from '../math/vec3';
import { header } from '../memory/header';

// BodyCold.flags, from the lowest bit on; bits that the host reads too are in the layout.
export const FLAG_TYPE: u32 = BODY_TYPE_BITS;
export const FLAG_ALIVE: u32 = BODY_ALIVE;
export const FLAG_ANISOTROPIC: u32 = 1 << 9;
export const FLAG_FORCED: u32 = 1 << 10;
export const FLAG_MASS_CHANGED: u32 = 1 << 11;
export const FLAG_ASLEEP: u32 = BODY_ASLEEP;
/** The body was stopped in this step (limits.ts); cleared at its end. */
export const FLAG_STOPPED: u32 = 1 << 13;
/** BodyDelta is the whole motion of this step, gyroscopic turn included (ccd/against_static.ts); until finishBodies. */
export const FLAG_HELD: u32 = 1 << 14;
/** Scratch of walks over joints; clear between them. */
export const FLAG_MET: u32 = 1 << 15;
/** The body has slept since it was created, and its waking was not reported yet. */
export const FLAG_SLEPT: u32 = 1 << 16;
/** It meets one other body alone in this step (impacts/meetings.ts); until finishBodies. */
export const FLAG_LONE: u32 = 1 << 17;
/** A call put the body to sleep since the last pair walk, which may find contacts for it that it had before. */
export const FLAG_LAID: u32 = 1 << 18;
/** It fell asleep by itself since fields were last looked at (constraints/fields.ts). */
export const FLAG_DOZED: u32 = 1 << 19;
/** A field has added a force to the next step; clear within steps. */
export const FLAG_FIELD: u32 = 1 << 2;
/** The host wants the body swept against all that moves, however slow it is (ccd/against_moving.ts). */
export const FLAG_BULLET: u32 = BODY_BULLET;
/** It is not left to sleep. */
export const FLAG_SLEEPLESS: u32 = BODY_SLEEPLESS;
/** It has speed limits of its own (BodyCold.maxLinearSpeed, maxAngularSpeed). */
export const FLAG_LIMITED: u32 = BODY_LIMITED;
/** It takes part in nothing. */
export const FLAG_DISABLED: u32 = BODY_DISABLED;
/** Bits of the locks: translation along x y z of the world, rotation about them. */
export const LOCKS: u32 = 63;
export const FLAG_LOCKS: u32 = LOCKS << LOCK_SHIFT;
/** Why a body was stopped, in the last two bits: STOPPED_BY_*. */
export const STOPPED_SHIFT: u32 = 30;
export const STOPPED_BY: u32 = 3 << STOPPED_SHIFT;
/** The velocity at the start of the step. */
export const STOPPED_BY_VELOCITY: u32 = 0;
/** The sum of forces and torques. */
export const STOPPED_BY_FORCE: u32 = 1;
/** By the result of contacts and joints. */
export const STOPPED_BY_MOTION: u32 = 2;

export function rowAt(body: u32): BodyRow {
  return changetype<BodyRow>(<usize>header().bodyRows + <usize>body * BODY_ROW_STRIDE);
}
export function coldAt(body: u32): BodyCold {
  return changetype<BodyCold>(<usize>header().bodyColds + <usize>body * BODY_COLD_STRIDE);
}
export function inertiaAt(body: u32): BodyInertia {
  return changetype<BodyInertia>(<usize>header().bodyInertias + <usize>body * BODY_INERTIA_STRIDE);
}
export function deltaAt(body: u32): BodyDelta {
  return changetype<BodyDelta>(<usize>header().bodyDeltas + <usize>body * BODY_DELTA_STRIDE);
}
export function accelAt(body: u32): BodyAccel {
  return changetype<BodyAccel>(<usize>header().bodyAccels + <usize>body * BODY_ACCEL_STRIDE);
}
export function centerAt(body: u32): BodyCenter {
  return changetype<BodyCenter>(<usize>header().bodyCenters + <usize>body * BODY_CENTER_STRIDE);
}
/** Fat box of a collider. */
export function boxAt(collider: u32): Aabb {
  return changetype<Aabb>(<usize>header().aabbs + <usize>collider * AABB_STRIDE);
}
export function colliderAt(collider: u32): Collider {
  return changetype<Collider>(<usize>header().colliders + <usize>collider * COLLIDER_STRIDE);
}

/** Rotation of a body, a unit quaternion. */
export function rotationOf(body: u32): v128 {
  return v128.load(<usize>header().rotations + ((<usize>body) << 4));
}

/** BODY_* */
export function typeOf(body: u32): u32 {
  return coldAt(body).flags & FLAG_TYPE;
}
/** Whether a body sleeps. */
export function isAsleep(body: u32): bool {
  return (coldAt(body).flags & FLAG_ASLEEP) != 0;
}
/** Whether a body takes part in nothing. */
export function isDisabled(body: u32): bool {
  return (coldAt(body).flags & FLAG_DISABLED) != 0;
}
/** Whether a body is alive and dynamic. */
export function isDynamic(body: u32): bool {
  return (coldAt(body).flags & (FLAG_TYPE | FLAG_ALIVE)) == (BODY_DYNAMIC | FLAG_ALIVE);
}
/** Whether impulses move a body. */
export function isMoved(body: u32): bool {
  return rowAt(body).invMass > 0;
}

/** Whether a body has a velocity. */
export function hasVelocity(body: u32): bool {
  const row: BodyRow = rowAt(body);
  const zero: v128 = f32x4.splat(0);
  const v: v128 = f32x4.ne(f32x4.replace_lane(row.v, 3, 0), zero);
  return v128.any_true(v128.or(v, f32x4.ne(row.w, zero)));
}

/** I^-1 l: the change of spin by an angular impulse. */
export function inverseInertia(i: BodyInertia, l: v128): v128 {
  return rotate3(f32x4(i.xx, i.xy, i.xz, 0), f32x4(i.xy, i.yy, i.yz, 0), f32x4(i.xz, i.yz, i.zz, 0), l);
}
