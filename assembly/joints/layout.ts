// Where things lie while joints are solved: the rows of their bodies, and groups of four joints of one form.
//
// A JointBody is what joints need of a body through the substeps of a step: its pose of now, its inertia turned with it, and
// the sums of the exact solve of trees. Every run of the solver has its own, also of bodies that impulses do not move.
// A group is columns of 16 bytes, one lane a joint: the head, then units (driven and limited axes), then what solves the
// locked axes, alone (block) or as part of a tree. All joints of a group lock and drive the same axes, so no code branches by
// lane. Unused lanes lie between the ground, which never moves, and a row of their own.

// JointBody, bytes: rows of a body.
export const B_ROTATION: usize = 0; // quaternion of now
export const B_TRAVEL: usize = 16; // translation since the start of the step (m), 0
export const B_INVERSE: usize = 32; // inverse inertia of now, world: xx yy zz xy | xz yz 1/m m
export const B_GYRO: usize = 64; // what the turn of the last substep did to the angular velocity (rad/s), 0
export const B_INERTIA: usize = 80; // inertia, body frame: xx yy zz xy | xz yz 0 0; identity where impulses do not move it
export const B_INVERSE_LOCAL: usize = 112; // its inverse, the same; zero where impulses do not move it
export const B_RAISE: usize = 136; // squared swing of its loads in a substep, then by how much that raised its inertia (loads.ts)
export const B_RAISED: usize = 140; // by how much it has risen in this step; 0: its inertia is its own
export const B_MASS: usize = 144; // articulated mass: linear xx yy zz xy | xz yz, linear-angular 00 01 | 02 10 11 12 |
//                                   20 21 22, angular xx | yy zz xy xz | yz 0 0 0
export const B_FORCE: usize = 240; // articulated impulse: linear xyz 0 | angular xyz 0
export const B_CHANGE: usize = 272; // change of velocity by the tree: linear xyz 0 | angular xyz 0
export const B_SPIN: usize = 304; // angular velocity with which it last turned, 0
export const B_ROW: usize = 320; // address of its BodyRow, body (NONE: the ground)
export const B_LENT: usize = 328; // kinetic energy (J) that came with raised inertia in this step
export const B_TRIED: usize = 336; // rotation, travel, spin, spin of the last motion, B_GYRO before a motion that is tried
export const JOINT_BODY_BYTES: usize = 416;

// Head of a group, byte offsets of columns.
export const J_BODY_A: usize = 0; // addresses of JointBody
export const J_BODY_B: usize = 16;
export const J_ROW_A: usize = 32; // addresses of BodyRow
export const J_ROW_B: usize = 48;
export const J_JOINT: usize = 64; // joint, NONE in unused lanes and in those that let the root of a tree float
export const J_FORM: usize = 80; // form (below), units, offsets of the section of the tree and of the rows of locked axes
export const J_SIDE: usize = 96; // tree: 1 where the child is body B, -1 where it is A
export const J_REST: usize = 112; // of a distance that is locked: its length (m)
export const J_ANCHOR_A: usize = 128; // 3, from the center of mass, body frame
export const J_ANCHOR_B: usize = 176;
export const J_FRAME_A: usize = 224; // quaternion in the body frame, 4
export const J_FRAME_B: usize = 288;
export const J_BETWEEN: usize = 352; // centers of mass at the start of the step, B - A, 3
export const J_LEVER_A: usize = 400; // from A's center of mass to anchor B, world, 3
export const J_LEVER_B: usize = 448;
export const J_GAP: usize = 496; // anchor B - anchor A, world, 3
export const J_AXES: usize = 544; // x, y, z of the frame of the axes, world, 9
export const J_ERROR: usize = 688; // angular errors along these axes, 3
export const J_IMPULSE: usize = 736; // of the locked axes on B: linear 3, angular 3, world
export const J_PREVIOUS: usize = 832; // length of both at the end of the last substep, 2
export const J_RUB: usize = 864; // impulse of friction by load, world, 3
export const J_RUB_LEVER: usize = 912;
export const J_RUB_TORQUE: usize = 928;
export const J_RUB_MASS: usize = 944; // factors of the angular mobility, 6
export const J_RUB_STEP: usize = 1040; // 1 / its trace
export const J_PEAK: usize = 1056; // largest squared impulses of the step, linear, angular
export const J_TWIST: usize = 1088; // twist, whole turns counted; of a gear: its error
export const J_SWING: usize = 1104; // swing in all
export const J_TORQUE: usize = 1120; // what velocities get at the start of a substep: impulses on A, B, torques on A, B, 12
export const J_FADE: usize = 1312; // 1, less where swing nears half a turn and twist means nothing
export const J_BEARS: usize = 1328; // square of the impulse up to which loads are as they were weighed (loads.ts)
export const J_INVERSE_A: usize = 1344; // inverse inertia of now, world: xx yy zz xy xz yz
export const J_INVERSE_B: usize = 1440;
export const J_MASSES: usize = 1536; // 1 / m of A and B
export const J_MISS: usize = 1568; // speed by which the anchors would miss each other at the end of the motion, 3
export const HEAD_BYTES: usize = 1616;

// Unit: a driven or limited axis. u = linB . vB - linA . vA + angB . wB - angA . wA
export const U_LINEAR_A: usize = 0;
export const U_LINEAR_B: usize = 48;
export const U_ANGULAR_A: usize = 96;
export const U_ANGULAR_B: usize = 144;
export const U_SPIN_A: usize = 192; // inverse inertia times U_ANGULAR_A
export const U_SPIN_B: usize = 240;
export const U_MASS: usize = 288; // 1 / K
export const U_MASS_HELD: usize = 304; // 1 / K with the locked axes held
export const U_PLACE: usize = 320;
export const U_LOWER: usize = 336; // -infinity without limit
export const U_UPPER: usize = 352;
export const U_TARGET: usize = 368;
export const U_VELOCITY: usize = 384; // all ones: driven to a velocity
export const U_SPRING: usize = 400; // all ones: driven to a place
export const U_BY_STIFFNESS: usize = 416; // all ones: stiffness and damping, else frequency and damping ratio
export const U_STIFFNESS: usize = 432;
export const U_DAMPING: usize = 448;
export const U_MOST: usize = 464; // largest force of the drive
export const U_RUB_MOST: usize = 480; // dry friction
export const U_LIMIT: usize = 496; // impulses: limit, drive, friction, and the limit's of the substep before
export const U_DRIVE: usize = 512;
export const U_RUB: usize = 528;
export const U_PREVIOUS: usize = 544;
export const U_BASE: usize = 560; // of the limit: what it has borne for long
export const U_LOCKED_SHARE: usize = 576; // shares of the anchors' relative velocity that holding the locked axes takes from u, 6
export const UNIT_BYTES: usize = 672;

// Section of locked axes that are part of a tree.
export const T_CHILD: usize = 0; // addresses of the JointBody of the child, of its BodyRow, of the JointBody of the parent
export const T_CHILD_ROW: usize = 16;
export const T_PARENT: usize = 32;
export const T_MASS: usize = 48; // 21: linear xx yy zz xy xz yz, linear-angular 9 by rows, angular 6, at anchor B; what the joint
//                                  hands on. Of anchors alone and of roots: see tree.ts
export const T_RATE: usize = 384; // velocity that is to vanish, child - parent, 6
export const T_PULL: usize = 480; // impulse that is handed to the parent, 6
export const T_FREE: usize = 576; // of anchors alone: turn of the child by its own impulse, 3
export const T_LEVER: usize = 624; // from the center of the child to anchor B, 3, of the parent, 3
export const T_PIVOTS: usize = 720; // a free axis: direction 3, column 6, 1 / pivot, value
export const PIVOT_BYTES: usize = 176;

// Section of locked axes that are solved alone.
export const K_INVERSE: usize = 0; // 3x3: factors 6; else rows: see block.ts
export const BLOCK_BYTES: usize = 96;
export const BLOCK_ROWS_BYTES: usize = 16 * 27;

// Form of a group.
export const FORM_LOCKED: u32 = 63; // bits 0-5: locked axes
export const FORM_DRIVEN_SHIFT: u32 = 6; // bits 6-12: units; 6 more is the cone
export const FORM_DISTANCE: u32 = 1 << 13;
export const FORM_GEAR: u32 = 1 << 14;
export const FORM_PULLEY: u32 = 1 << 15;
export const FORM_RUB: u32 = 1 << 16; // friction by load
export const FORM_HELD: u32 = 1 << 17; // units and locked axes: the mass of a unit is that with the locked axes held
export const FORM_TREE: u32 = 1 << 18;
export const FORM_FLOATS: u32 = 1 << 19; // a root that nothing holds
/** Locked axes of a ball. */
export const LINEAR_AXES: u32 = 7;

/** Whether a form is a gear or a pulley: one row between two bodies, and no axes. */
export function isCoupling(form: u32): bool {
  return (form & (FORM_GEAR | FORM_PULLEY)) != 0;
}
export function driven(form: u32): u32 {
  return (form >> FORM_DRIVEN_SHIFT) & 127;
}
/** Whether the linear axes alone are locked, all of them: solved by 3x3 blocks along the axes of the world. */
export function isBall(form: u32): bool {
  return (form & FORM_LOCKED) == LINEAR_AXES;
}
/** Anchors alone, solved alone, with friction by load or without (ball.ts): of these only levers and masses turn. */
export function isPlain(form: u32): bool {
  return (form & ~FORM_RUB) == LINEAR_AXES;
}
/** Whether a group needs the angles between its frames, or axes at all. */
export function hasAxes(form: u32): bool {
  return (
    (form & (FORM_LOCKED & ~LINEAR_AXES)) != 0 ||
    driven(form) != 0 ||
    ((form & LINEAR_AXES) != LINEAR_AXES && (form & LINEAR_AXES) != 0)
  );
}
