// The layout of a group of joints, and the forms of groups.
//
// A JointBody is the data that joints need of a body through the substeps of a step. Every batch of the solver has its own, even
// for bodies that impulses do not move.
// A group is columns of 16 bytes, one lane per joint: the head (JointGroup), then units (JointUnit: driven and limited axes),
// then a section for the locked axes: as part of a tree (TreeSection and TreePivot), alone (FactorLanes for anchors alone, else
// LockedRows), or both. All joints of a group lock and drive the same axes, so no code branches by lane. Unused lanes join the
// ground, which never moves, to a row of their own.
import {
  AddressLanes,
  BallMass,
  BodyInertia,
  BodyRow,
  FactorLanes,
  JOINT_BODY_STRIDE,
  JOINT_GROUP_STRIDE,
  JOINT_UNIT_STRIDE,
  JointBody,
  JointGroup,
  JointScratch,
  JointUnit,
  LockedRows,
  SymmetricLanes,
  TREE_PIVOT_STRIDE,
  TREE_SECTION_STRIDE,
  TreeMass,
  TreePivot,
  TreeSection,
  VECTOR_LANES_STRIDE,
  VectorLanes,
} from '../layout.generated';

/** Byte offset of the angular velocity in a BodyRow; its linear one comes first. */
export const ROW_SPIN: usize = offsetof<BodyRow>('wx');

// Impulses lie side by side, those of the substep before among them: bytes of a head; of a unit.
export const IMPULSES: usize = offsetof<JointGroup>('impulseX');
export const IMPULSES_END: usize = offsetof<JointGroup>('frictionArm');
export const UNIT_IMPULSES: usize = offsetof<JointUnit>('limit');
export const UNIT_IMPULSES_END: usize = offsetof<JointUnit>('shareX');

// Parts of a group.
/** Addresses of JointBody; of BodyRow. */
export function bodiesA(g: JointGroup): AddressLanes {
  return changetype<AddressLanes>(changetype<usize>(g) + offsetof<JointGroup>('bodyA'));
}
export function bodiesB(g: JointGroup): AddressLanes {
  return changetype<AddressLanes>(changetype<usize>(g) + offsetof<JointGroup>('bodyB'));
}
export function rowsA(g: JointGroup): AddressLanes {
  return changetype<AddressLanes>(changetype<usize>(g) + offsetof<JointGroup>('rowA'));
}
export function rowsB(g: JointGroup): AddressLanes {
  return changetype<AddressLanes>(changetype<usize>(g) + offsetof<JointGroup>('rowB'));
}
export function armA(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('armAX'));
}
export function armB(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('armBX'));
}
export function linearImpulse(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('impulseX'));
}
export function angularImpulse(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('angularImpulseX'));
}
export function givenA(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('givenAX'));
}
export function givenB(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('givenBX'));
}
export function givenTurnA(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('givenTurnAX'));
}
export function givenTurnB(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('givenTurnBX'));
}
export function givenSpinA(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('givenSpinAX'));
}
export function givenSpinB(g: JointGroup): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(g) + offsetof<JointGroup>('givenSpinBX'));
}
export function inverseA(g: JointGroup): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(g) + offsetof<JointGroup>('inverseAXX'));
}
export function inverseB(g: JointGroup): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(g) + offsetof<JointGroup>('inverseBXX'));
}
export function frictionMass(g: JointGroup): FactorLanes {
  return changetype<FactorLanes>(changetype<usize>(g) + offsetof<JointGroup>('frictionMass0'));
}
/** Axis 0-2 of the frame of the axes, the same for the linear (0-2) and the angular axis (3-5). */
export function axisAt(g: JointGroup, axis: u32): VectorLanes {
  const at: usize = offsetof<JointGroup>('axesXX') + <usize>(axis < 3 ? axis : axis - 3) * VECTOR_LANES_STRIDE;
  return changetype<VectorLanes>(changetype<usize>(g) + at);
}

/** The rows of locked axes: of anchors alone; of other forms. */
export function ballBlockOf(g: JointGroup): FactorLanes {
  return changetype<FactorLanes>(changetype<usize>(g) + <usize>g.block);
}
export function lockedRowsOf(g: JointGroup): LockedRows {
  return changetype<LockedRows>(changetype<usize>(g) + <usize>g.block);
}

/** Angular error along axis 0-2. */
export function errorAt(g: JointGroup, axis: u32): v128 {
  return v128.load(changetype<usize>(g) + ((<usize>axis) << 4), offsetof<JointGroup>('errorX'));
}

// Units.
export function firstUnit(g: JointGroup): JointUnit {
  return changetype<JointUnit>(changetype<usize>(g) + JOINT_GROUP_STRIDE);
}
export function nextUnit(unit: JointUnit): JointUnit {
  return changetype<JointUnit>(changetype<usize>(unit) + JOINT_UNIT_STRIDE);
}
export function linearA(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('linearAX'));
}
export function linearB(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('linearBX'));
}
export function angularA(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('angularAX'));
}
export function angularB(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('angularBX'));
}
export function spinA(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('spinAX'));
}
export function spinB(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('spinBX'));
}
export function shareOf(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('shareX'));
}
export function heldA(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('heldAX'));
}
export function heldB(unit: JointUnit): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(unit) + offsetof<JointUnit>('heldBX'));
}

// Trees.
export function treeSection(g: JointGroup): TreeSection {
  return changetype<TreeSection>(changetype<usize>(g) + <usize>g.tree);
}
/** Addresses of JointBody, of BodyRow, of JointBody. */
export function children(t: TreeSection): AddressLanes {
  return changetype<AddressLanes>(changetype<usize>(t) + offsetof<TreeSection>('child'));
}
export function childRows(t: TreeSection): AddressLanes {
  return changetype<AddressLanes>(changetype<usize>(t) + offsetof<TreeSection>('childRow'));
}
export function parents(t: TreeSection): AddressLanes {
  return changetype<AddressLanes>(changetype<usize>(t) + offsetof<TreeSection>('parent'));
}
/** Mass of the children, of anchors alone and roots in the second form. */
export function treeMass(t: TreeSection): TreeMass {
  return changetype<TreeMass>(changetype<usize>(t) + offsetof<TreeSection>('linearXX'));
}
export function ballMassOf(t: TreeSection): BallMass {
  return changetype<BallMass>(changetype<usize>(t) + offsetof<TreeSection>('linearXX'));
}
export function ballInverse(m: BallMass): FactorLanes {
  return changetype<FactorLanes>(changetype<usize>(m) + offsetof<BallMass>('inverse0'));
}
/** Row 0, 1 or 2 of BallMass.ratio. */
export function ratioOf(m: BallMass, row: usize): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(m) + offsetof<BallMass>('ratio00') + row * VECTOR_LANES_STRIDE);
}
export function ballLinear(t: TreeSection): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(ballMassOf(t)) + offsetof<BallMass>('linearXX'));
}
export function linearOf(m: TreeMass): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(m) + offsetof<TreeMass>('linearXX'));
}
export function angularOf(m: TreeMass): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(m) + offsetof<TreeMass>('angularXX'));
}
/** Row 0, 1 or 2 of the linear-angular mass. */
export function crossRow(m: TreeMass, row: usize): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(m) + offsetof<TreeMass>('cross00') + row * VECTOR_LANES_STRIDE);
}
export function freeOf(t: TreeSection): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(t) + offsetof<TreeSection>('freeX'));
}
export function pullOf(t: TreeSection): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(t) + offsetof<TreeSection>('pullX'));
}
export function firstPivot(t: TreeSection): TreePivot {
  return changetype<TreePivot>(changetype<usize>(t) + TREE_SECTION_STRIDE);
}
export function pivotAfter(p: TreePivot, count: usize): TreePivot {
  return changetype<TreePivot>(changetype<usize>(p) + count * TREE_PIVOT_STRIDE);
}

// Bodies.
/** Present inverse inertia. */
export function inverseOfBody(b: JointBody): BodyInertia {
  return changetype<BodyInertia>(changetype<usize>(b) + offsetof<JointBody>('inverse'));
}

/** Body k behind a body in the array. */
export function bodyAfter(b: JointBody, k: usize): JointBody {
  return changetype<JointBody>(changetype<usize>(b) + k * JOINT_BODY_STRIDE);
}
/** Address of the angular part of its articulated mass: xx yy zz xy xz yz. */
export function angularMassOf(b: JointBody): usize {
  return changetype<usize>(b) + offsetof<JointBody>('mass4') - sizeof<f32>();
}

// Scratch.
/** Relative velocity of the anchors. */
export function response(s: JointScratch): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(s) + offsetof<JointScratch>('responseX'));
}
/** Angular velocities of A and B at work; what their rows are still to get. */
export function scratchSpinA(s: JointScratch): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(s) + offsetof<JointScratch>('spinAX'));
}
export function scratchSpinB(s: JointScratch): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(s) + offsetof<JointScratch>('spinBX'));
}
export function addedA(s: JointScratch): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(s) + offsetof<JointScratch>('addedAX'));
}
export function addedB(s: JointScratch): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(s) + offsetof<JointScratch>('addedBX'));
}
export function angularResponse(s: JointScratch): VectorLanes {
  return changetype<VectorLanes>(changetype<usize>(s) + offsetof<JointScratch>('angularResponseX'));
}
export function scratchMass(s: JointScratch): TreeMass {
  return changetype<TreeMass>(changetype<usize>(s) + offsetof<JointScratch>('linearXX'));
}
/** Angular masses of carried.ts. */
export function aloneMass(s: JointScratch): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(s) + offsetof<JointScratch>('aloneXX'));
}
export function wholeMass(s: JointScratch): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(s) + offsetof<JointScratch>('wholeXX'));
}
/** Address of the columns of locked rows. */
export function scratchRows(s: JointScratch): usize {
  return changetype<usize>(s) + offsetof<JointScratch>('row0');
}

// Form of a group.
export const FORM_LOCKED: u32 = 63; // bits 0-5: locked axes
export const FORM_DRIVEN_SHIFT: u32 = 6; // bits 6-12: units; 6 more is the cone
export const FORM_DISTANCE: u32 = 1 << 13;
export const FORM_GEAR: u32 = 1 << 14;
export const FORM_PULLEY: u32 = 1 << 15;
export const FORM_FRICTION: u32 = 1 << 16; // friction by load
export const FORM_HELD: u32 = 1 << 17; // units and locked axes: the mass of a unit is that with the locked axes held
export const FORM_TREE: u32 = 1 << 18;
export const FORM_FLOATS: u32 = 1 << 19; // a root that nothing holds
// JointChunk.units: the rows before its locked axes.
export const FRICTION_ALONE: u32 = 1; // friction by load
export const LIMITS_OR_DRIVES: u32 = 2; // too
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
/** Anchors alone, solved alone, with friction by load or without (ball.ts): of these only arms and masses turn. */
export function isPlain(form: u32): bool {
  return (form & ~FORM_FRICTION) == LINEAR_AXES;
}
/** Whether a group needs the angles between its frames, or axes at all. */
export function hasAxes(form: u32): bool {
  return (
    (form & (FORM_LOCKED & ~LINEAR_AXES)) != 0 ||
    driven(form) != 0 ||
    ((form & LINEAR_AXES) != LINEAR_AXES && (form & LINEAR_AXES) != 0)
  );
}
