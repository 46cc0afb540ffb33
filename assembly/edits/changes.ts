// The host's changes of existing bodies and colliders between steps: whether they take part, how a body may move, the shape and
// pose of a collider. The host checks every argument.
// Output: flags and limits of BodyCold, Collider, broad phase, joints of a body that is enabled or disabled.
import {
  BODY_ACCEL_STRIDE,
  BodyCold,
  BodyRow,
  COLLIDER_ONE_WAY,
  COLLIDER_SURFACE,
  CONTACT_RULE_STRIDE,
  Collider,
  ContactRule,
  Header,
  LOCK_SHIFT,
  NONE,
  RULE_GROUPS,
} from '../layout.generated';
import { awakeChanged } from '../bodies/awake';
import { locksOf } from '../bodies/locks';
import { FLAG_DISABLED, FLAG_LIMITED, FLAG_LOCKS, FLAG_SLEEPLESS, coldAt, colliderAt, isDisabled, rowAt } from '../bodies/rows';
import { addProxy, markMoved } from '../broadphase/broadphase';
import { nextInIsland } from '../constraints/islands';
import { followSettings } from '../constraints/settings';
import { putToSleep, wakeBody } from '../constraints/sleep';
import { dropForbidden } from '../pairs/end_pair';
import { forbidRecycling, renewBodyContacts, renewContacts, renewPairs } from '../pairs/renew';
import { removeLanesOf, usesLanes } from '../lanes/lanes';
import { quatNormalize } from '../math/quat';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';
import { shapeAt } from '../shapes/shapes';
import { markAligned, refreshExtent, refreshPose, setVelocity, withdraw } from './bodies';
import { renewJointsOf, suspendJointsOf } from './joints';

/**
 * A body takes part from now on, or in nothing any more: no collisions, no queries, no joints, no motion; its contacts end and it
 * is at rest then.
 */
export function enableBody(body: u32, on: bool): void {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  if (isDisabled(body) != on) return;
  if (on) {
    cold.flags &= ~FLAG_DISABLED;
    h.disabledCount--;
    for (let i: u32 = cold.firstCollider; i != NONE; i = colliderAt(i).next) addProxy(i);
    suspendJointsOf(body);
    wakeBody(body);
  } else {
    wakeBody(body);
    for (let i: u32 = cold.firstCollider; i != NONE; i = colliderAt(i).next) withdraw(i);
    setVelocity(body, 0, 0, 0, 0, 0, 0);
    memory.fill(<usize>h.bodyAccels + <usize>body * BODY_ACCEL_STRIDE, 0, BODY_ACCEL_STRIDE);
    cold.flags |= FLAG_DISABLED;
    cold.fx = cold.fy = cold.fz = 0;
    cold.tx = cold.ty = cold.tz = 0;
    h.disabledCount++;
    suspendJointsOf(body);
  }
  awakeChanged();
}

/** Limits of the speed (m/s) and of the angular speed (rad/s) of a body, beside those of the world. */
export function limitBody(body: u32, linear: f32, angular: f32): void {
  const cold: BodyCold = coldAt(body);
  cold.maxLinearSpeed = linear;
  cold.maxAngularSpeed = angular;
  cold.flags = (cold.flags & ~FLAG_LIMITED) | (min<f32>(linear, angular) < Infinity ? FLAG_LIMITED : 0);
  header().speedsSet = 1;
}

/** Axes along which a body does not move and about which it does not turn (locksOf), while it is dynamic. */
export function setLocks(body: u32, locks: u32): void {
  const cold: BodyCold = coldAt(body);
  if (locks != 0) header().anyLocks = 1;
  cold.flags = (cold.flags & ~FLAG_LOCKS) | (locks << LOCK_SHIFT);
  renewBodyContacts(body);
  renewJointsOf(body, false);
  refreshPose(body);
  if (locksOf(body) == 0) return;
  const row: BodyRow = rowAt(body);
  setVelocity(body, row.vx, row.vy, row.vz, row.wx, row.wy, row.wz);
}

/** Whether a body may fall asleep. */
export function allowSleep(body: u32, on: bool): void {
  coldAt(body).flags = (coldAt(body).flags & ~FLAG_SLEEPLESS) | (on ? 0 : FLAG_SLEEPLESS);
  if (!on) wakeBody(body);
}

/** Lays a dynamic body to rest with its island. False without memory (header error set). */
export function sleepBody(body: u32): bool {
  followSettings();
  if (!putToSleep(body)) return false;
  if (!usesLanes(header().solver)) return true;
  let member: u32 = body;
  do {
    removeLanesOf(member);
    member = nextInIsland(member);
  } while (member != body);
  return true;
}

/**
 * Another shape, pose (body frame, from the body origin, m; rotation of any length > 0; NaN keeps it) or flags (COLLIDER_SENSOR,
 * COLLIDER_DISABLED) of a collider. Its contacts end; mass properties are set apart from it.
 */
export function changeCollider(
  index: u32,
  shape: u32,
  x: f32,
  y: f32,
  z: f32,
  qx: f32,
  qy: f32,
  qz: f32,
  qw: f32,
  flags: u32,
): void {
  const c: Collider = colliderAt(index);
  const cold: BodyCold = coldAt(c.body);
  wakeBody(c.body);
  withdraw(index);
  shapeAt(c.shape).users--;
  shapeAt(shape).users++;
  c.shape = shape;
  c.flags = (c.flags & 0xffffff00) | flags;
  if (x == x) {
    c.x = x - cold.comX;
    c.y = y - cold.comY;
    c.z = z - cold.comZ;
    v128.store(changetype<usize>(c) + offsetof<Collider>('qx'), quatNormalize(f32x4(qx, qy, qz, qw)));
  }
  markAligned(c);
  refreshExtent(c.body);
  addProxy(index);
}

/** Sets the velocity of a surface (shape frame, m/s, rad/s about its origin): friction carries touching bodies along. */
export function setSurface(index: u32, vx: f32, vy: f32, vz: f32, wx: f32, wy: f32, wz: f32): void {
  const c: Collider = colliderAt(index);
  c.surfaceX = vx;
  c.surfaceY = vy;
  c.surfaceZ = vz;
  c.surfaceWx = wx;
  c.surfaceWy = wy;
  c.surfaceWz = wz;
  const moves: bool = vx != 0 || vy != 0 || vz != 0 || wx != 0 || wy != 0 || wz != 0;
  c.flags = (c.flags & ~COLLIDER_SURFACE) | (moves ? COLLIDER_SURFACE : 0);
  if (moves) header().anySurface = 1;
  renewContacts(index, true);
}

/** Direction in which bodies pass (shape frame, unit; zero: none do), group of contact rules, spinning friction (m). */
export function setPassage(index: u32, x: f32, y: f32, z: f32, group: u32, spinningFriction: f32): void {
  const c: Collider = colliderAt(index);
  if (c.openX != x || c.openY != y || c.openZ != z) forbidRecycling(index);
  c.openX = x;
  c.openY = y;
  c.openZ = z;
  c.group = group;
  c.spinningFriction = spinningFriction;
  if (spinningFriction > 0) header().anySurface = 1;
  c.flags = (c.flags & ~COLLIDER_ONE_WAY) | (x != 0 || y != 0 || z != 0 ? COLLIDER_ONE_WAY : 0);
  renewPairs(index);
  dropForbidden(index);
  markMoved(index);
}

/** Sets the contact rule of two groups (RULE_*). False without memory (header error set). */
export function setContactRule(a: u32, b: u32, flags: u32, friction: f32, restitution: f32, rolling: f32, spinning: f32): bool {
  const h: Header = header();
  if (h.rules == 0) {
    const bytes: u32 = RULE_GROUPS * RULE_GROUPS * <u32>CONTACT_RULE_STRIDE;
    h.rules = <u32>allocate(bytes);
    if (h.rules == 0) return false;
    memory.fill(h.rules, 0, bytes);
  }
  const at: usize = <usize>h.rules + <usize>(min<u32>(a, b) * RULE_GROUPS + max<u32>(a, b)) * CONTACT_RULE_STRIDE;
  const rule: ContactRule = changetype<ContactRule>(at);
  rule.flags = flags;
  rule.friction = friction;
  rule.restitution = restitution;
  rule.rollingResistance = rolling;
  rule.spinningFriction = spinning;
  if (restitution > 0) h.anyRestitution = 1;
  if (spinning > 0) h.anySurface = 1;
  for (let i: u32 = 0; i < h.colliderCount; i++) {
    const c: Collider = colliderAt(i);
    if (c.body == NONE || (c.group != a && c.group != b)) continue;
    renewContacts(i, true);
    dropForbidden(i);
    markMoved(i);
  }
  return true;
}
