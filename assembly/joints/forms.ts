// The form of a joint: which axes it locks and drives, and how it is solved. Joints of one form share groups; the form alone says
// how long a group is and where its sections lie.
// Input: Joint records. Output: FORM_* (layout.ts).
import { JOINT_DISTANCE, JOINT_FREE, JOINT_GEAR, JOINT_PULLEY, Joint } from '../layout.generated';
import {
  BLOCK_BYTES,
  BLOCK_ROWS_BYTES,
  FORM_DISTANCE,
  FORM_DRIVEN_SHIFT,
  FORM_FLOATS,
  FORM_GEAR,
  FORM_HELD,
  FORM_LOCKED,
  FORM_PULLEY,
  FORM_RUB,
  FORM_TREE,
  HEAD_BYTES,
  PIVOT_BYTES,
  T_PIVOTS,
  UNIT_BYTES,
  driven,
  isCoupling,
  isBall,
} from './layout';

const AXIS_BYTES: usize = offsetof<Joint>('lower1') - offsetof<Joint>('lower0');

/** Address of the settings of an axis: lower, upper, mode, target, stiffness, damping, largest force, friction. */
export function axisOf(joint: Joint, axis: u32): usize {
  return changetype<usize>(joint) + offsetof<Joint>('lower0') + <usize>axis * AXIS_BYTES;
}

/** FORM_* of a joint, without FORM_TREE. */
export function formOf(joint: Joint): u32 {
  if (joint.kind == JOINT_GEAR) return FORM_GEAR;
  if (joint.kind == JOINT_PULLEY) return FORM_PULLEY;
  let form: u32 = (joint.locked & FORM_LOCKED) | (joint.driven << FORM_DRIVEN_SHIFT);
  if (joint.kind == JOINT_DISTANCE) form |= FORM_DISTANCE;
  const turns: bool = (joint.locked & 56) != 56;
  if (turns && (joint.frictionLever > 0 || joint.frictionTorque > 0)) form |= FORM_RUB;
  if ((joint.locked & FORM_LOCKED) == 0) return form;
  return joint.driven == 0 ? form : form | FORM_HELD;
}

/** Whether a joint of this form can be part of a tree. */
export function mayBeTree(joint: Joint): bool {
  return (formOf(joint) & FORM_LOCKED) != 0 && (joint.flags & JOINT_FREE) == 0;
}

/** Units of a form. */
export function unitsOf(form: u32): u32 {
  return isCoupling(form) ? 1 : <u32>popcnt<u32>(driven(form));
}

/** Free axes of a form. */
export function freeAxes(form: u32): u32 {
  return 6 - <u32>popcnt<u32>(form & FORM_LOCKED);
}

/** Offset of the section of the locked axes in a group. */
export function sectionOf(form: u32): usize {
  return HEAD_BYTES + <usize>unitsOf(form) * UNIT_BYTES;
}

/** Offset of the rows of locked axes by themselves: behind the tree's where a group has both. */
export function blockOf(form: u32): usize {
  return sectionOf(form) + ((form & FORM_TREE) != 0 ? treeBytes(form) : 0);
}

function treeBytes(form: u32): usize {
  return T_PIVOTS + (isBall(form) ? 0 : <usize>freeAxes(form) * PIVOT_BYTES);
}

/** Bytes of a group. */
export function groupBytes(form: u32): usize {
  let bytes: usize = blockOf(form);
  if ((form & FORM_LOCKED) != 0 && (form & FORM_FLOATS) == 0 && ((form & FORM_TREE) == 0 || (form & FORM_HELD) != 0))
    bytes += isBall(form) ? BLOCK_BYTES : BLOCK_ROWS_BYTES;
  return bytes;
}
