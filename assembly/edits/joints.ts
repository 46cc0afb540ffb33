// Joint slots: what the host calls between steps to make, change and remove joints. The host writes the fields of a Joint
// between createJoint and renewJoint, and checks them; the calls here only fail for want of memory, and then change nothing.
import { JOINT_ALIVE, JOINT_COLLIDES, JOINT_ENABLED, JOINT_SUSPENDED, Joint, NONE } from '../layout.generated';
import { coldAt, colliderAt, isDisabled } from '../bodies/rows';
import { markMoved } from '../broadphase/broadphase';
import { couple, cut } from '../constraints/islands';
import {
  allocateJoint,
  firstJoint,
  forgetImpulses,
  freeJoint,
  isEnabled,
  jointAt,
  jointsChanged,
  linkJoint,
  nextJoint,
  otherSide,
  unlinkJoint,
} from '../constraints/joints';
import { wakeBody } from '../constraints/sleep';
import { dropForbidden } from '../pairs/end_pair';
import { initJointState } from '../joints/state';

export { reserveJoints } from '../constraints/joints';

function wakeBoth(joint: Joint): void {
  if (joint.bodyA != NONE) wakeBody(joint.bodyA);
  wakeBody(joint.bodyB);
}

/** Pairs of two bodies that a joint begins or ends to keep apart: dropped, or found in the next step. */
function filterPairs(joint: Joint): void {
  const body: u32 = joint.bodyB;
  if (joint.bodyA == NONE) return;
  for (let i: u32 = coldAt(body).firstCollider; i != NONE; i = colliderAt(i).next) {
    dropForbidden(i);
    markMoved(i);
  }
}

/**
 * A new joint between two bodies, `bodyA` NONE for the world; not enabled. Returns its index, NONE (header error set) without
 * memory.
 */
export function createJoint(bodyA: u32, bodyB: u32): u32 {
  if (!initJointState()) return NONE;
  const index: u32 = allocateJoint();
  if (index == NONE) return NONE;
  const joint: Joint = jointAt(index);
  joint.bodyA = bodyA;
  joint.bodyB = bodyB;
  joint.breakForce = Infinity;
  joint.breakTorque = Infinity;
  linkJoint(index);
  return index;
}

/**
 * JOINT_ENABLED, COLLIDES, BROKEN, FREE of a joint. One that is enabled again starts without impulses; with a body that is not
 * enabled it is JOINT_SUSPENDED instead. Both bodies wake.
 */
export function setJointFlags(index: u32, flags: u32): void {
  const joint: Joint = jointAt(index);
  const was: u32 = joint.flags;
  wakeBoth(joint);
  if ((flags & (JOINT_ENABLED | JOINT_SUSPENDED)) != 0) {
    const off: bool = isDisabled(joint.bodyB) || (joint.bodyA != NONE && isDisabled(joint.bodyA));
    flags = (flags & ~(JOINT_ENABLED | JOINT_SUSPENDED)) | (off ? JOINT_SUSPENDED : JOINT_ENABLED);
  }
  joint.flags = flags | JOINT_ALIVE;
  if (((was ^ flags) & JOINT_ENABLED) != 0) {
    if ((flags & JOINT_ENABLED) != 0) {
      forgetImpulses(joint);
      couple(joint.bodyA, joint.bodyB);
    } else {
      cut(joint.bodyA, joint.bodyB);
    }
  }
  if (((was ^ flags) & (JOINT_ENABLED | JOINT_COLLIDES)) != 0) filterPairs(joint);
  jointsChanged();
}

/** Applies the written fields of a joint: both bodies wake, and the solver copies it again. */
export function renewJoint(index: u32): void {
  wakeBoth(jointAt(index));
  jointsChanged();
}

/** A body was enabled or disabled: so are its joints. */
export function suspendJointsOf(body: u32): void {
  for (let end: u32 = firstJoint(body); end != NONE; end = nextJoint(end)) setJointFlags(end >> 1, jointAt(end >> 1).flags);
}

/** Removes a joint; its bodies wake, and collide from the next step on. */
export function removeJoint(index: u32): void {
  setJointFlags(index, 0);
  unlinkJoint(index);
  freeJoint(index);
}

/** A body goes: its joints go before. */
export function removeJointsOf(body: u32): void {
  while (firstJoint(body) != NONE) removeJoint(firstJoint(body) >> 1);
}

/** The type of a body is about to change: its joints couple nothing until they couple it again (renewJointsOf). */
export function cutJointsOf(body: u32): void {
  for (let end: u32 = firstJoint(body); end != NONE; end = nextJoint(end)) if (isEnabled(end >> 1)) cut(body, otherSide(end));
}

/**
 * Mass, center of mass or type of a body have changed: the solver copies its joints again. `type`: their coupling may have
 * changed too.
 */
export function renewJointsOf(body: u32, type: bool): void {
  for (let end: u32 = firstJoint(body); end != NONE; end = nextJoint(end)) {
    jointsChanged();
    if (type && isEnabled(end >> 1)) couple(body, otherSide(end));
  }
}
