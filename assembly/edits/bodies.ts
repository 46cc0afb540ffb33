// Body and collider slots: the host's calls between steps to create, remove, move and push bodies.
//
// Bodies are rows in parallel arrays (BodyRow, BodyDelta, ...) of one capacity; a free slot is linked through
// BodyCold.firstCollider, and `generation` counts reuses so that stale ids are detected. Colliders of a body are a list through
// Collider.next; a free collider is linked the same way. The host checks every argument. The calls here fail only if memory is
// out, and then change nothing. Solvers use the center of mass, the host the body origin: setMassProperties and setPose keep the
// two together.
import { awakeChanged } from '../bodies/awake';
import { updateWorldInertia } from '../bodies/integrate';
import { applyLocks, locksOf } from '../bodies/locks';
import { foreseeMotion, resetMotion } from '../bodies/motions';
import { forgetPastPose } from '../bodies/past_poses';
import {
  FLAG_ALIVE,
  FLAG_ANISOTROPIC,
  FLAG_BULLET,
  FLAG_FORCED,
  FLAG_MASS_CHANGED,
  FLAG_TYPE,
  centerAt,
  coldAt,
  colliderAt,
  inertiaAt,
  isDisabled,
  rowAt,
  typeOf,
} from '../bodies/rows';
import { addProxy, markMoved, moveProxy, removeProxy, resetBox } from '../broadphase/broadphase';
import { broadphaseBytes, reserveBroadphase } from '../broadphase/state';
import { initNode } from '../constraints/islands';
import { wakeBody } from '../constraints/sleep';
import {
  AABB_STRIDE,
  BODY_ACCEL_STRIDE,
  BODY_CENTER_STRIDE,
  BODY_COLD_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_DYNAMIC,
  BODY_INERTIA_STRIDE,
  BODY_NODE_STRIDE,
  BODY_ROW_STRIDE,
  BODY_STATIC,
  BodyCenter,
  BodyCold,
  BodyInertia,
  BodyRow,
  COLLIDER_ALIGNED,
  COLLIDER_STRIDE,
  Collider,
  Header,
  NONE,
  SHAPE_MESH,
} from '../layout.generated';
import { cross3 } from '../math/lane';
import { quatConjugate, quatMul, quatNormalize, rotate3, rotationVectorOf, storeRotation } from '../math/quat';
import { invertSymmetric } from '../math/symmetric';
import { blockBytes, ensureRoom, growArray, grownCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { innerRadius } from '../narrowphase/support';
import { dropForbidden, endPairsOf } from '../pairs/end_pair';
import { moveAnchors, renewBodyContacts, renewContacts, renewPairs } from '../pairs/renew';
import { unloadWeight } from '../pairs/unload';
import { extentOf } from '../shapes/bounds';
import { shapeAt } from '../shapes/shapes';
import { cutJointsOf, removeJointsOf, renewJointsOf } from './joints';

// Arrays with an entry a body: the first belong to a life of the slot, the others go on from one to the next.
const CLEARED_ARRAYS: u32 = 8;
const BODY_ARRAYS: u32 = 15;

/** Bits 8-31 of Collider.flags count reuses of the slot. */
const GENERATION_MASK: u32 = 0xffffff00;

// @ts-ignore: decorator
@inline
function bodyArray(base: usize, stride: usize): u32 {
  return <u32>(base | (stride << 16));
}

/** An array with an entry a body: offset of its address in the header; bytes a body << 16. */
function bodyArrayAt(k: u32): u32 {
  switch (k) {
    case 0:
      return bodyArray(offsetof<Header>('bodyRows'), BODY_ROW_STRIDE);
    case 1:
      return bodyArray(offsetof<Header>('bodyDeltas'), BODY_DELTA_STRIDE);
    case 2:
      return bodyArray(offsetof<Header>('bodyAccels'), BODY_ACCEL_STRIDE);
    case 3:
      return bodyArray(offsetof<Header>('bodyInertias'), BODY_INERTIA_STRIDE);
    case 4:
      return bodyArray(offsetof<Header>('bodyCenters'), BODY_CENTER_STRIDE);
    case 5:
      return bodyArray(offsetof<Header>('bodyColds'), BODY_COLD_STRIDE);
    case 6:
      return bodyArray(offsetof<Header>('positions'), 16);
    case 7:
      return bodyArray(offsetof<Header>('rotations'), 16);
    case 8:
      return bodyArray(offsetof<Header>('motions'), 8);
    case 9:
      return bodyArray(offsetof<Header>('paths'), 8);
    case 10:
      return bodyArray(offsetof<Header>('turnPaths'), 8);
    case 11:
      return bodyArray(offsetof<Header>('bodyNodes'), BODY_NODE_STRIDE);
    case 12:
      return bodyArray(offsetof<Header>('islandParents'), 4);
    case 13:
      return bodyArray(offsetof<Header>('islandMembers'), 4);
    default:
      return bodyArray(offsetof<Header>('tags'), 4);
  }
}

/** Empties the free lists; part of initWorld. */
export function initBodies(): void {
  header().bodyFree = NONE;
  header().colliderFree = NONE;
}

/** Bytes that arrays for so many bodies and colliders would take at most; 0 if there is room for as many. */
export function slotBytes(bodies: u32, colliders: u32): u64 {
  const h: Header = header();
  let bytes: u64 = 0;
  if (bodies > h.bodyCapacity) {
    for (let i: u32 = 0; i < BODY_ARRAYS; i++) bytes += blockBytes(<u64>(bodyArrayAt(i) >> 16) * <u64>bodies);
  }
  if (colliders > h.colliderCapacity) {
    bytes += blockBytes(<u64>AABB_STRIDE * <u64>colliders) + blockBytes(<u64>COLLIDER_STRIDE * <u64>colliders);
  }
  return bytes == 0 ? 0 : bytes + broadphaseBytes(bodies, colliders);
}

/** Capacity for `count` bodies in all. */
export function bodyCapacityFor(count: u32): u32 {
  const capacity: u32 = header().bodyCapacity;
  return count <= capacity ? capacity : grownCapacity(capacity, count, BODY_ROW_STRIDE);
}
/** The same for colliders. */
export function colliderCapacityFor(count: u32): u32 {
  const capacity: u32 = header().colliderCapacity;
  return count <= capacity ? capacity : grownCapacity(capacity, count, COLLIDER_STRIDE);
}

/** Makes room for `count` bodies in all. Returns false (header error set, nothing changed) without memory. */
export function reserveBodies(count: u32): bool {
  const h: Header = header();
  const old: u32 = h.bodyCapacity,
    grown: u32 = bodyCapacityFor(count);
  if (grown == old) return true;
  // Room for all arrays first: a half-grown world would be a broken one.
  if (!ensureRoom(slotBytes(grown, h.colliderCapacity))) return false;
  for (let i: u32 = 0; i < BODY_ARRAYS; i++) {
    const array: u32 = bodyArrayAt(i);
    growArray(changetype<usize>(h) + <usize>(array & 0xffff), <usize>(array >> 16), old, grown);
  }
  h.bodyCapacity = grown;
  return reserveBroadphase();
}

/** Makes room for `count` colliders in all. Returns false (header error set, nothing changed) without memory. */
export function reserveColliders(count: u32): bool {
  const h: Header = header();
  const old: u32 = h.colliderCapacity,
    grown: u32 = colliderCapacityFor(count);
  if (grown == old) return true;
  if (!ensureRoom(slotBytes(h.bodyCapacity, grown))) return false;
  growArray(changetype<usize>(h) + offsetof<Header>('aabbs'), AABB_STRIDE, old, grown);
  growArray(changetype<usize>(h) + offsetof<Header>('colliders'), COLLIDER_STRIDE, old, grown);
  h.colliderCapacity = grown;
  return reserveBroadphase();
}

/**
 * Recomputes the values that depend on a pose: center of mass, world inverse inertia. `body` must have rotations and positions.
 */
export function refreshPose(body: u32): void {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  const rotation: usize = <usize>header().scratch;
  storeRotation(v128.load(<usize>h.rotations + ((<usize>body) << 4)), rotation);
  const origin: v128 = v128.load(<usize>h.positions + ((<usize>body) << 4));
  const center: BodyCenter = centerAt(body);
  const com: v128 = rotate3(rotation, f32x4(cold.comX, cold.comY, cold.comZ, 0));
  center.xyz = f32x4.replace_lane(f32x4.add(origin, com), 3, 0);
  center.l = f32x4.splat(0);
  updateWorldInertia(body, rotation);
}

/** Largest distance of any point of any collider from the center of mass (a bound). */
export function refreshExtent(body: u32): void {
  const cold: BodyCold = coldAt(body);
  let extent: f32 = 0;
  let inner: f32 = f32.MAX_VALUE;
  for (let i: u32 = cold.firstCollider; i != NONE; i = colliderAt(i).next) {
    const c: Collider = colliderAt(i);
    extent = max<f32>(extent, extentOf(c));
    if (shapeAt(c.shape).type < SHAPE_MESH) inner = min<f32>(inner, innerRadius(changetype<usize>(shapeAt(c.shape))));
  }
  cold.extent = extent;
  cold.inner = inner;
}

/** A collider leaves the broad phase; its contacts end. */
export function withdraw(index: u32): void {
  endPairsOf(index);
  removeProxy(index);
}

/** Marks the colliders of a body as moved for the broad phase: the next step finds its contacts again. */
export function moveColliders(body: u32): void {
  wakeBody(body);
  for (let i: u32 = coldAt(body).firstCollider; i != NONE; i = colliderAt(i).next) {
    moveProxy(i);
    renewPairs(i);
  }
}

/**
 * A new body with its origin at (px, py, pz), world frame, m, and a rotation (any length > 0), at rest, without mass and
 * colliders. Returns its index, NONE (header error set) without memory.
 */
export function createBody(type: u32, px: f32, py: f32, pz: f32, qx: f32, qy: f32, qz: f32, qw: f32): u32 {
  const h: Header = header();
  let body: u32 = h.bodyFree;
  if (body == NONE) {
    if (!reserveBodies(h.bodyCount + 1)) return NONE;
    body = h.bodyCount++;
    initNode(body);
  } else {
    h.bodyFree = coldAt(body).firstCollider;
  }
  const cold: BodyCold = coldAt(body);
  cold.flags = type | FLAG_ALIVE | FLAG_MASS_CHANGED;
  cold.firstCollider = NONE;
  cold.gravityScale = 1;
  // A solver that was at work when the last owner of the slot was removed may have written there since.
  memory.fill(changetype<usize>(rowAt(body)), 0, BODY_ROW_STRIDE);
  memory.fill(<usize>h.bodyDeltas + <usize>body * BODY_DELTA_STRIDE, 0, BODY_DELTA_STRIDE);
  store<u32>(<usize>h.tags + ((<usize>body) << 2), 0);
  v128.store(<usize>h.positions + ((<usize>body) << 4), f32x4(px, py, pz, 1));
  v128.store(<usize>h.rotations + ((<usize>body) << 4), quatNormalize(f32x4(qx, qy, qz, qw)));
  refreshPose(body);
  resetMotion(body);
  resetBox(body);
  forgetPastPose(body);
  awakeChanged();
  h.bodyAlive++;
  return body;
}

/** Frees a body, its joints and its colliders; contacts with it end. */
export function removeBody(body: u32): void {
  removeJointsOf(body);
  wakeBody(body);
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  while (cold.firstCollider != NONE) removeCollider(cold.firstCollider);
  const generation: u32 = cold.generation + 1;
  const disabled: bool = isDisabled(body);
  for (let i: u32 = 0; i < CLEARED_ARRAYS; i++) {
    const array: u32 = bodyArrayAt(i);
    const stride: usize = array >> 16;
    const base: usize = load<u32>(changetype<usize>(h) + <usize>(array & 0xffff));
    memory.fill(base + <usize>body * stride, 0, stride);
  }
  if (disabled) h.disabledCount--;
  awakeChanged();
  cold.generation = generation;
  cold.firstCollider = h.bodyFree;
  h.bodyFree = body;
  h.bodyAlive--;
}

/**
 * Smallest principal moment divided by the sum of all: rods 900 times as long as thick have 1e-6. Thinner bodies get this much
 * more about all axes, which matters about the thin one alone.
 */
const FARTHEST_MOMENTS: f64 = 1e-6;

/**
 * Sets mass (kg, 0 = infinite), center of mass (body frame, m) and inertia about it (kg m2, body axes) of a body. The motion of
 * its points stays: the velocity is moved to the new center. Doubles, since inverting loses digits. A body that is not dynamic
 * gets no mass, whatever the arguments: only bodies in an island are moved by impulses.
 */
export function setMassProperties(
  body: u32,
  mass: f64,
  comX: f64,
  comY: f64,
  comZ: f64,
  ixx: f64,
  iyy: f64,
  izz: f64,
  ixy: f64,
  ixz: f64,
  iyz: f64,
): void {
  const cold: BodyCold = coldAt(body);
  const row: BodyRow = rowAt(body);
  if (typeOf(body) != BODY_DYNAMIC) mass = 0;
  const cx: f32 = <f32>comX,
    cy: f32 = <f32>comY,
    cz: f32 = <f32>comZ;
  const dx: f32 = cx - cold.comX,
    dy: f32 = cy - cold.comY,
    dz: f32 = cz - cold.comZ;
  const moved: bool = dx != 0 || dy != 0 || dz != 0;
  if (moved) {
    for (let i: u32 = cold.firstCollider; i != NONE; i = colliderAt(i).next) {
      const c: Collider = colliderAt(i);
      c.x -= dx;
      c.y -= dy;
      c.z -= dz;
      markAligned(c);
    }
    const rotation: usize = <usize>header().scratch;
    storeRotation(v128.load(<usize>header().rotations + ((<usize>body) << 4)), rotation);
    const d: v128 = rotate3(rotation, f32x4(dx, dy, dz, 0));
    const rx: f32 = f32x4.extract_lane(d, 0),
      ry: f32 = f32x4.extract_lane(d, 1),
      rz: f32 = f32x4.extract_lane(d, 2);
    row.vx += row.wy * rz - row.wz * ry;
    row.vy += row.wz * rx - row.wx * rz;
    row.vz += row.wx * ry - row.wy * rx;
    header().speedsSet = 1;
    cold.comX = cx;
    cold.comY = cy;
    cold.comZ = cz;
  }
  const lost: f32 = cold.mass - <f32>mass;
  // Moments too far apart for single precision: turned to world axes the inverse would not be positive any more.
  const least: f64 = ixx * (iyy + izz) + iyy * izz - ixy * ixy - ixz * ixz - iyz * iyz;
  const apart: f64 = FARTHEST_MOMENTS * (ixx + iyy + izz);
  if (ixx * (iyy * izz - iyz * iyz) + ixy * (ixz * iyz - ixy * izz) + ixz * (ixy * iyz - ixz * iyy) < apart * least) {
    ixx += apart;
    iyy += apart;
    izz += apart;
  }
  cold.mass = <f32>mass;
  row.invMass = mass > 0 ? <f32>(1.0 / mass) : 0;
  cold.ixx = <f32>ixx;
  cold.iyy = <f32>iyy;
  cold.izz = <f32>izz;
  cold.ixy = <f32>ixy;
  cold.ixz = <f32>ixz;
  cold.iyz = <f32>iyz;
  const inverse: usize = changetype<usize>(cold) + offsetof<BodyCold>('jxx');
  if (mass > 0) invertSymmetric(ixx, iyy, izz, ixy, ixz, iyz, inverse);
  else memory.fill(inverse, 0, 24);
  // Gyroscopic torque vanishes where all principal moments agree (to f32).
  const tolerance: f64 = 1e-6 * (ixx + iyy + izz);
  const products: f64 = abs<f64>(ixy) + abs<f64>(ixz) + abs<f64>(iyz);
  const isotropic: bool = abs<f64>(ixx - iyy) <= tolerance && abs<f64>(iyy - izz) <= tolerance && products <= tolerance;
  cold.flags = (cold.flags & ~FLAG_ANISOTROPIC) | FLAG_MASS_CHANGED | (isotropic ? 0 : FLAG_ANISOTROPIC);
  refreshPose(body);
  refreshExtent(body);
  if (moved) {
    moveAnchors(body, dx, dy, dz);
    moveColliders(body);
  } else {
    renewBodyContacts(body);
  }
  renewJointsOf(body, false);
  if (lost > 0 && mass > 0) unloadWeight(body, lost);
}

/**
 * Changes the type of a body (BODY_*). Mass properties must be set after it; static bodies are put to rest, forces that wait
 * for a step are dropped unless it is dynamic.
 */
export function setBodyType(body: u32, type: u32): void {
  wakeBody(body);
  const cold: BodyCold = coldAt(body);
  for (let i: u32 = cold.firstCollider; i != NONE; i = colliderAt(i).next) withdraw(i);
  cutJointsOf(body);
  cold.flags = (cold.flags & ~FLAG_TYPE) | type;
  awakeChanged();
  memory.fill(<usize>header().bodyDeltas + <usize>body * BODY_DELTA_STRIDE, 0, BODY_DELTA_STRIDE);
  memory.fill(<usize>header().bodyAccels + <usize>body * BODY_ACCEL_STRIDE, 0, BODY_ACCEL_STRIDE);
  for (let i: u32 = cold.firstCollider; i != NONE; i = colliderAt(i).next) addProxy(i);
  if (type != BODY_DYNAMIC) {
    setMassProperties(body, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    // Forces wait for a step that the body is dynamic in: these would wait for long.
    cold.fx = cold.fy = cold.fz = 0;
    cold.tx = cold.ty = cold.tz = 0;
  }
  renewJointsOf(body, true);
  if (type == BODY_STATIC) setVelocity(body, 0, 0, 0, 0, 0, 0);
}

/**
 * Teleports a body: origin (m) and rotation (any length > 0) in the world. Velocities stay; the next step finds contacts again.
 */
export function setPose(body: u32, px: f32, py: f32, pz: f32, qx: f32, qy: f32, qz: f32, qw: f32): void {
  const h: Header = header();
  v128.store(<usize>h.positions + ((<usize>body) << 4), f32x4(px, py, pz, 1));
  v128.store(<usize>h.rotations + ((<usize>body) << 4), quatNormalize(f32x4(qx, qy, qz, qw)));
  refreshPose(body);
  forgetPastPose(body);
  moveColliders(body);
}

/** Linear velocity of the center of mass (m/s) and angular velocity (rad/s), world frame. */
export function setVelocity(body: u32, vx: f32, vy: f32, vz: f32, wx: f32, wy: f32, wz: f32): void {
  wakeBody(body);
  header().speedsSet = 1;
  const row: BodyRow = rowAt(body);
  const locks: u32 = locksOf(body);
  row.vx = vx;
  row.vy = vy;
  row.vz = vz;
  row.wx = wx;
  row.wy = wy;
  row.wz = wz;
  // The velocity that the last substep integrated starts the next step: it has to jump too.
  row.svx = vx;
  row.svy = vy;
  row.svz = vz;
  row.swx = wx;
  row.swy = wy;
  row.swz = wz;
  if (locks != 0) {
    applyLocks(changetype<usize>(row), locks);
    applyLocks(changetype<usize>(row) + offsetof<BodyRow>('svx'), locks);
  }
  foreseeMotion(body);
}

/** Adds a force at the center of mass (N) and a torque (N m), world frame, to the next step. */
export function addForce(body: u32, fx: f32, fy: f32, fz: f32, tx: f32, ty: f32, tz: f32): void {
  wakeBody(body);
  const cold: BodyCold = coldAt(body);
  cold.fx += fx;
  cold.fy += fy;
  cold.fz += fz;
  cold.tx += tx;
  cold.ty += ty;
  cold.tz += tz;
  cold.flags |= FLAG_FORCED;
}

/** Moment of a force (or an impulse) at a world point about the center of mass of a body. */
function momentAt(body: u32, force: v128, point: v128): v128 {
  return cross3(f32x4.sub(point, v128.load(changetype<usize>(centerAt(body)))), force);
}

/** Adds a force (N) at a world point (m) to the next step. */
export function addForceAt(body: u32, fx: f32, fy: f32, fz: f32, px: f32, py: f32, pz: f32): void {
  const t: v128 = momentAt(body, f32x4(fx, fy, fz, 0), f32x4(px, py, pz, 0));
  addForce(body, fx, fy, fz, f32x4.extract_lane(t, 0), f32x4.extract_lane(t, 1), f32x4.extract_lane(t, 2));
}

/** A velocity that single precision squares without overflow: callers read it before the step limits it. 0 for no number. */
function bounded(v: f32): f32 {
  return v == v ? max<f32>(min<f32>(v, 1e15), -1e15) : 0;
}

/** Changes the velocities at once by an impulse at the center of mass (N s) and an angular impulse (N m s), world frame. */
export function applyImpulse(body: u32, jx: f32, jy: f32, jz: f32, lx: f32, ly: f32, lz: f32): void {
  const row: BodyRow = rowAt(body);
  const m: f32 = row.invMass;
  const i: BodyInertia = inertiaAt(body);
  setVelocity(
    body,
    bounded(row.vx + jx * m),
    bounded(row.vy + jy * m),
    bounded(row.vz + jz * m),
    bounded(row.wx + i.xx * lx + i.xy * ly + i.xz * lz),
    bounded(row.wy + i.xy * lx + i.yy * ly + i.yz * lz),
    bounded(row.wz + i.xz * lx + i.yz * ly + i.zz * lz),
  );
}

/** Applies an impulse (N s) at a world point (m). */
export function applyImpulseAt(body: u32, jx: f32, jy: f32, jz: f32, px: f32, py: f32, pz: f32): void {
  const l: v128 = momentAt(body, f32x4(jx, jy, jz, 0), f32x4(px, py, pz, 0));
  applyImpulse(body, jx, jy, jz, f32x4.extract_lane(l, 0), f32x4.extract_lane(l, 1), f32x4.extract_lane(l, 2));
}

/**
 * Gravity factor and damping (1/s): velocities fall by the factor 1 / (1 + damping dt) a step. Another gravity wakes; damping
 * does nothing to a body at rest.
 */
export function setMotion(body: u32, gravityScale: f32, linearDamping: f32, angularDamping: f32): void {
  const cold: BodyCold = coldAt(body);
  if (cold.gravityScale != gravityScale) wakeBody(body);
  cold.gravityScale = gravityScale;
  cold.linearDamping = linearDamping;
  cold.angularDamping = angularDamping;
  if (gravityScale != 1 || linearDamping != 0 || angularDamping != 0) cold.flags |= FLAG_FORCED;
}

/** Whether a body is swept against all that moves, however slow it is. */
export function setBullet(body: u32, bullet: bool): void {
  const cold: BodyCold = coldAt(body);
  cold.flags = bullet ? cold.flags | FLAG_BULLET : cold.flags & ~FLAG_BULLET;
}

/**
 * Velocities of a kinematic body that bring its origin to a pose (world, m; unit quaternion) at the end of a step of
 * `dt` seconds, along the shorter arc.
 */
export function moveKinematic(body: u32, px: f32, py: f32, pz: f32, qx: f32, qy: f32, qz: f32, qw: f32, dt: f32): void {
  const h: Header = header();
  const p: v128 = v128.load(<usize>h.positions + ((<usize>body) << 4));
  const q: v128 = v128.load(<usize>h.rotations + ((<usize>body) << 4));
  const turn: v128 = rotationVectorOf(quatMul(f32x4(qx, qy, qz, qw), quatConjugate(q)));
  const rate: f32 = <f32>1 / dt;
  setVelocity(
    body,
    (px - f32x4.extract_lane(p, 0)) * rate,
    (py - f32x4.extract_lane(p, 1)) * rate,
    (pz - f32x4.extract_lane(p, 2)) * rate,
    f32x4.extract_lane(turn, 0) * rate,
    f32x4.extract_lane(turn, 1) * rate,
    f32x4.extract_lane(turn, 2) * rate,
  );
}

/** Sets or clears COLLIDER_ALIGNED: whether the shape's frame is the body's frame at its center of mass. */
export function markAligned(c: Collider): void {
  const aligned: bool = c.x == 0 && c.y == 0 && c.z == 0 && c.qx == 0 && c.qy == 0 && c.qz == 0;
  c.flags = aligned ? c.flags | COLLIDER_ALIGNED : c.flags & ~COLLIDER_ALIGNED;
}

/**
 * A new collider on a body: shape pose in the body frame relative to the body origin (m, rotation of any length > 0),
 * material, filter, flags (COLLIDER_SENSOR or 0), density (kg/m3, kept for the host). Mass properties are set apart from it.
 * Returns its index, NONE (header error set) without memory.
 */
export function createCollider(
  body: u32,
  shape: u32,
  x: f32,
  y: f32,
  z: f32,
  qx: f32,
  qy: f32,
  qz: f32,
  qw: f32,
  friction: f32,
  restitution: f32,
  rollingResistance: f32,
  combine: u32,
  category: u32,
  mask: u32,
  flags: u32,
  density: f32,
): u32 {
  const h: Header = header();
  let index: u32 = h.colliderFree;
  if (index == NONE) {
    if (!reserveColliders(h.colliderCount + 1)) return NONE;
    index = h.colliderCount++;
    colliderAt(index).flags = 0;
  } else {
    h.colliderFree = colliderAt(index).next;
  }
  wakeBody(body);
  const cold: BodyCold = coldAt(body);
  const c: Collider = colliderAt(index);
  c.body = body;
  c.shape = shape;
  c.flags = (c.flags & GENERATION_MASK) | flags;
  c.category = category;
  c.mask = mask;
  c.friction = friction;
  c.restitution = restitution;
  if (restitution > 0) h.anyRestitution = 1;
  c.combine = combine;
  c.firstPair = NONE;
  c.leaf = NONE;
  c.density = density;
  memory.fill(changetype<usize>(c) + offsetof<Collider>('surfaceX'), 0, COLLIDER_STRIDE - offsetof<Collider>('surfaceX'));
  c.x = x - cold.comX;
  c.y = y - cold.comY;
  c.z = z - cold.comZ;
  c.rollingResistance = rollingResistance;
  v128.store(changetype<usize>(c) + offsetof<Collider>('qx'), quatNormalize(f32x4(qx, qy, qz, qw)));
  markAligned(c);
  c.next = cold.firstCollider;
  cold.firstCollider = index;
  cold.colliderCount++;
  shapeAt(shape).users++;
  refreshExtent(body);
  addProxy(index);
  return index;
}

/** Frees a collider; its contacts end. Mass properties are set apart from it. */
export function removeCollider(index: u32): void {
  const h: Header = header();
  const c: Collider = colliderAt(index);
  wakeBody(c.body);
  withdraw(index);
  const cold: BodyCold = coldAt(c.body);
  if (cold.firstCollider == index) {
    cold.firstCollider = c.next;
  } else {
    let i: u32 = cold.firstCollider;
    while (colliderAt(i).next != index) i = colliderAt(i).next;
    colliderAt(i).next = c.next;
  }
  cold.colliderCount--;
  shapeAt(c.shape).users--;
  const body: u32 = c.body;
  const flags: u32 = (c.flags & GENERATION_MASK) + 0x100;
  memory.fill(changetype<usize>(c), 0, COLLIDER_STRIDE);
  c.flags = flags;
  c.body = NONE;
  c.next = h.colliderFree;
  h.colliderFree = index;
  refreshExtent(body);
}

/**
 * Sets material and filter of a collider. Its contacts get the material in the next step. Another friction or rolling resistance
 * wakes the bodies it touches; another restitution wakes nothing. Pairs that the filter forbids are removed, and their bodies
 * wake.
 */
export function setCollider(
  index: u32,
  friction: f32,
  restitution: f32,
  rollingResistance: f32,
  combine: u32,
  category: u32,
  mask: u32,
): void {
  const c: Collider = colliderAt(index);
  const slides: bool =
    c.friction != friction || c.rollingResistance != rollingResistance || ((c.combine ^ combine) & 0xffff00ff) != 0;
  const filtered: bool = c.category != category || c.mask != mask;
  if (slides || filtered) wakeBody(c.body);
  c.friction = friction;
  c.restitution = restitution;
  c.rollingResistance = rollingResistance;
  if (restitution > 0) header().anyRestitution = 1;
  c.combine = combine;
  c.category = category;
  c.mask = mask;
  renewContacts(index, slides);
  if (filtered) {
    dropForbidden(index);
    markMoved(index);
  }
}
