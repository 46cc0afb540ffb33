// The form of a joint: which axes it locks and drives, and how it is solved. Joints of one form share groups. The form alone
// determines the length of a group and where its sections lie.
// Input: Joint records. Output: FORM_* (layout.ts).
import {
  FACTOR_LANES_STRIDE,
  JOINT_DISTANCE,
  JOINT_FREE,
  JOINT_GEAR,
  JOINT_GROUP_STRIDE,
  JOINT_PULLEY,
  JOINT_UNIT_STRIDE,
  Joint,
  LOCKED_ROWS_STRIDE,
  TREE_PIVOT_STRIDE,
  TREE_SECTION_STRIDE,
} from '../layout.generated';
import {
  FORM_DISTANCE,
  FORM_DRIVEN_SHIFT,
  FORM_FLOATS,
  FORM_FRICTION,
  FORM_GEAR,
  FORM_HELD,
  FORM_LOCKED,
  FORM_PULLEY,
  FORM_TREE,
  driven,
  isBall,
  isCoupling,
} from './layout';

const AXIS_BYTES: usize = offsetof<Joint>('lower1') - offsetof<Joint>('lower0');

/** A joint as one of its axes sees it: the settings of that axis stand in the fields of axis 0. */
export function axisOf(joint: Joint, axis: u32): Joint {
  return changetype<Joint>(changetype<usize>(joint) + <usize>axis * AXIS_BYTES);
}

/** FORM_* of a joint, without FORM_TREE. */
export function formOf(joint: Joint): u32 {
  if (joint.kind == JOINT_GEAR) return FORM_GEAR;
  if (joint.kind == JOINT_PULLEY) return FORM_PULLEY;
  let form: u32 = (joint.locked & FORM_LOCKED) | (joint.driven << FORM_DRIVEN_SHIFT);
  if (joint.kind == JOINT_DISTANCE) form |= FORM_DISTANCE;
  const turns: bool = (joint.locked & 56) != 56;
  if (turns && (joint.frictionLever > 0 || joint.frictionTorque > 0)) form |= FORM_FRICTION;
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
  return JOINT_GROUP_STRIDE + <usize>unitsOf(form) * JOINT_UNIT_STRIDE;
}

/** Offset of the rows of locked axes by themselves: behind the tree's where a group has both. */
export function blockOf(form: u32): usize {
  return sectionOf(form) + ((form & FORM_TREE) != 0 ? treeBytes(form) : 0);
}

function treeBytes(form: u32): usize {
  return TREE_SECTION_STRIDE + (isBall(form) ? 0 : <usize>freeAxes(form) * TREE_PIVOT_STRIDE);
}

/** Bytes of a group. */
export function groupBytes(form: u32): usize {
  let bytes: usize = blockOf(form);
  if ((form & FORM_LOCKED) != 0 && (form & FORM_FLOATS) == 0 && ((form & FORM_TREE) == 0 || (form & FORM_HELD) != 0))
    bytes += isBall(form) ? FACTOR_LANES_STRIDE : LOCKED_ROWS_STRIDE;
  return bytes;
}
