// Which rows a joint has in AVBD. A row has one of 28 slots, by which its force and penalty are carried (AvbdJoint); the rows of
// a joint lie in the order of their slots.
//   0-5    locked axes, linear and angular: hard rows
//   6-12   limits of the six axes and of the cone: hard rows that push one way; gear and pulley: their row, in the first slot
//   13-18  drives: a hard row with bounds for a motor, a spring of finite stiffness for a place
//   19-24  dry friction of an axis: a hard row with bounds
//   25-27  friction by load of the free angular axes: a cone
// Input: Joint. Output: masks of slots.
import { jointAt } from '../../constraints/joints';
import { AXIS_LIMITED, AXIS_POSITION, AXIS_VELOCITY, JOINT_GEAR, Joint } from '../../layout.generated';

export const SLOT_ANGULAR: u32 = 3;
export const SLOT_LIMIT: u32 = 6;
export const SLOT_DRIVE: u32 = 13;
export const SLOT_RUB: u32 = 19;
export const SLOT_LOAD: u32 = 25;

/** Settings of axis u of a joint: those of the returned joint’s axis 0. */
export function axisOfJoint(joint: Joint, u: u32): Joint {
  return changetype<Joint>(changetype<usize>(joint) + (offsetof<Joint>('lower1') - offsetof<Joint>('lower0')) * <usize>u);
}

/** Bits of the slots of a joint. */
export function slotsOf(joint: Joint): u32 {
  if (joint.kind >= JOINT_GEAR) return 1 << SLOT_LIMIT;
  let bits: u32 = joint.locked;
  for (let u: u32 = 0; u < 6; u++) {
    if (((joint.driven >> u) & 1) == 0) continue;
    const axis: Joint = axisOfJoint(joint, u);
    if ((axis.mode0 & AXIS_LIMITED) != 0) bits |= 1 << (SLOT_LIMIT + u);
    if ((axis.mode0 & (AXIS_VELOCITY | AXIS_POSITION)) != 0) bits |= 1 << (SLOT_DRIVE + u);
    if (axis.friction0 > 0) bits |= 1 << (SLOT_RUB + u);
  }
  if ((joint.driven & 64) != 0) bits |= 1 << (SLOT_LIMIT + 6);
  if (joint.frictionLever > 0 || joint.frictionTorque > 0) bits |= (7 & ~(joint.locked >> 3)) << SLOT_LOAD;
  return bits;
}

/** Number of rows of a joint. */
export function rowsOfAvbdJoint(joint: u32): u32 {
  return popcnt<u32>(slotsOf(jointAt(joint)));
}
