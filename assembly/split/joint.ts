// Rows of joints at the start of a step: arms, frames and gaps from the poses of the bodies, masses of driven axes, impulses
// scaled to the substeps of this step. Twin: shaders/joint.wgsl, the same operations in the same order.
// Input: rows as packJoint leaves them (joint_rows.ts), body poses. Output: rows from JOINT_ROW_START on.
import { lockShares, locksOf } from '../bodies/locks';
import { centerAt, coldAt, inertiaAt, rotationOf, rowAt } from '../bodies/rows';
import { softLength } from '../constraints/soft_step';
import {
  BodyCold,
  GPU_JOINT_ROWS,
  JOINT_ARMS,
  JOINT_COLUMNS,
  JOINT_COUPLED,
  JOINT_GEAR,
  JOINT_LINEAR,
  JOINT_PART_A,
  JOINT_PART_B,
  JOINT_PULLEY,
  JOINT_ROW_ANCHORS,
  JOINT_ROW_FRAMES,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_PEAKS,
  JOINT_ROW_START,
  JointArms,
  NONE,
  SPLIT_LINK_STRIDE,
  SplitLink,
  SplitMember,
  SplitState,
  SplitStep,
  SymmetricRows,
} from '../layout.generated';
import { addW, dot3, mulW, splatW, subW, vec3W } from '../math/lane';
import { quatMul, rotate3, storeRotation } from '../math/quat';
import { withW3 } from '../math/vec3';
import { header } from '../memory/header';
import { jointFirmness, jointOmega, jointRate } from '../rows/joint_softness';
import { inverse } from '../rows/mass';
import { anchorBlock, invertBlock, invertHeldSpins, measureAxes, slipOf, spinOf, spinOfTorque } from './joint_axes';
import { drivenOf, jointRow, jointScratch, kindOf, lockedOf, numberOf, putRow, setNumberOf } from './joint_block';
import { jointRows, packJoint } from './joint_rows';
import { linkMarks } from './link';
import { symmetric, xyz } from './local_body';
import { linkAt, stepAt } from './packed';

/** Parameters of the joints of a step with substeps of h seconds: they are soft for those of the longer steps (softLength). */
export function softenJoints(step: SplitStep, h: f32): void {
  const omega: f32 = jointOmega(softLength(max<u32>(header().substeps, 1)));
  step.jointRate = jointRate(h, omega);
  step.jointGamma = <f32>1 / jointFirmness(h, omega);
}

/** Of a body at the start of the step: arm of an anchor; in the world `position` too. */
function leverOf(t: usize, body: u32, anchor: v128): v128 {
  if (body == NONE) return xyz(anchor);
  const cold: BodyCold = coldAt(body);
  storeRotation(rotationOf(body), t + JOINT_COLUMNS);
  return rotate3(t + JOINT_COLUMNS, subW(xyz(anchor), vec3W(cold.comX, cold.comY, cold.comZ)));
}

/** Center of mass: high part. */
function centerOf(body: u32): v128 {
  return body == NONE ? splatW(0) : xyz(centerAt(body).xyz);
}

/** And low part. */
function centerLowOf(body: u32): v128 {
  return body == NONE ? splatW(0) : xyz(centerAt(body).l);
}

function inertiaPart(body: u32, part: u32): v128 {
  if (body == NONE) return splatW(0);
  const i = inertiaAt(body);
  return part == 0 ? f32x4(i.xx, i.xy, i.xz, i.yy) : f32x4(i.yz, i.zz, rowAt(body).invMass, 0);
}

/** 1 / mass along x y z. */
function massOf(body: u32): v128 {
  return body == NONE ? splatW(0) : xyz(mulW(splatW(rowAt(body).invMass), lockShares(locksOf(body))));
}

/** Start of a step. kA, kB: sub-bodies of the bodies. h: substep. Twin: shaders/joint.wgsl. */
export function prepareJoint(rows: usize, kA: f32, kB: f32, h: f32): void {
  const t: usize = jointScratch();
  const kind: u32 = kindOf(rows);
  const bodyA: u32 = numberOf(rows, 0, 0) < 0 ? NONE : <u32>numberOf(rows, 0, 0),
    bodyB: u32 = <u32>numberOf(rows, 0, 1);
  const rA: v128 = leverOf(t, bodyA, jointRow(rows, JOINT_ROW_ANCHORS)),
    rB: v128 = leverOf(t, bodyB, jointRow(rows, JOINT_ROW_ANCHORS + 1));
  putRow(rows, JOINT_ROW_START, withW3(rA, <f32>1 / kA));
  putRow(rows, JOINT_ROW_START + 1, withW3(rB, <f32>1 / kB));
  const gap: v128 = addW(
    addW(subW(centerOf(bodyB), centerOf(bodyA)), subW(centerLowOf(bodyB), centerLowOf(bodyA))),
    subW(rB, rA),
  );
  putRow(rows, JOINT_ROW_START + 4, gap);
  let qa: v128 = jointRow(rows, JOINT_ROW_FRAMES),
    qb: v128 = jointRow(rows, JOINT_ROW_FRAMES + 1);
  if (kind == JOINT_PULLEY) {
    qa = addW(addW(subW(centerOf(bodyA), xyz(qa)), centerLowOf(bodyA)), rA);
    qb = addW(addW(subW(centerOf(bodyB), xyz(qb)), centerLowOf(bodyB)), rB);
  } else {
    if (bodyA != NONE) qa = quatMul(rotationOf(bodyA), qa);
    qb = quatMul(rotationOf(bodyB), qb);
  }
  putRow(rows, JOINT_ROW_START + 2, qa);
  putRow(rows, JOINT_ROW_START + 3, qb);
  // Impulses belong to substeps of one length.
  const before: f32 = numberOf(rows, JOINT_ROW_IMPULSES + 2, 3);
  const scale: v128 = splatW(before > 0 ? h / before : 0);
  for (let i: u32 = JOINT_ROW_IMPULSES; i < JOINT_ROW_PEAKS; i++) putRow(rows, i, mulW(jointRow(rows, i), scale));
  setNumberOf(rows, JOINT_ROW_IMPULSES + 2, 3, h);
  putRow(rows, JOINT_ROW_PEAKS, f32x4(0, 0, numberOf(rows, JOINT_ROW_PEAKS, 3), numberOf(rows, JOINT_ROW_PEAKS, 3)));
  if (kind >= JOINT_GEAR) return;
  const j = changetype<JointArms>(t + JOINT_ARMS);
  j.armA = addW(rA, gap);
  j.armB = rB;
  heldMasses(rows, j, bodyA, bodyB, qa, qb, gap);
}

/** Mass along each driven axis once the locked axes hold. */
function heldMasses(rows: usize, j: JointArms, bodyA: u32, bodyB: u32, qa: v128, qb: v128, gap: v128): void {
  const t: usize = jointScratch();
  const driven: u32 = drivenOf(rows),
    locked: u32 = lockedOf(rows);
  putRow(rows, JOINT_ROW_START + 5, splatW(0));
  putRow(rows, JOINT_ROW_START + 6, splatW(0));
  if (driven == 0) return;
  measureAxes(t, kindOf(rows), locked, driven, qa, qb, gap);
  j.inertiaA0 = inertiaPart(bodyA, 0);
  j.inertiaA1 = inertiaPart(bodyA, 1);
  j.inertiaB0 = inertiaPart(bodyB, 0);
  j.inertiaB1 = inertiaPart(bodyB, 1);
  const partA = changetype<SymmetricRows>(t + JOINT_PART_A),
    partB = changetype<SymmetricRows>(t + JOINT_PART_B),
    coupled = changetype<SymmetricRows>(t + JOINT_COUPLED);
  anchorBlock(massOf(bodyA), j.inertiaA0, j.inertiaA1, j.armA, partA);
  anchorBlock(massOf(bodyB), j.inertiaB0, j.inertiaB1, j.armB, partB);
  const p0: v128 = addW(partA.row0, partB.row0),
    p1: v128 = addW(partA.row1, partB.row1);
  invertBlock(p0, p1, t + JOINT_LINEAR, locked & 7, t + JOINT_COUPLED);
  const linear0: v128 = coupled.row0,
    linear1: v128 = coupled.row1;
  invertHeldSpins(j, linear0, linear1, t, locked >> 3);
  for (let i: u32 = 0; i < 7; i++) {
    if (((driven >> i) & 1) == 0) continue;
    const c: v128 = xyz(v128.load(t + JOINT_LINEAR + ((<usize>i) << 4)));
    const isLinear: bool = i < 3;
    const p: v128 = isLinear ? symmetric(p0, p1, c) : slipOf(j, c);
    const r: v128 = isLinear ? spinOf(j, c) : spinOfTorque(j, c);
    const rest: v128 = subW(r, spinOf(j, symmetric(linear0, linear1, p)));
    const torque: v128 = symmetric(coupled.row0, coupled.row1, rest);
    const force: v128 = symmetric(linear0, linear1, subW(p, slipOf(j, torque)));
    const k: f32 = dot3(c, isLinear ? p : r) - dot3(p, force) - dot3(r, torque);
    setNumberOf(rows, JOINT_ROW_START + 5 + (i >> 2), i & 3, inverse(k));
  }
}

/** Link and rows of a joint: twin of joint.wgsl. */
export function prepareJointLink(s: SplitState, l: u32, member: SplitMember): void {
  const out: SplitLink = linkAt(s, l);
  memory.fill(changetype<usize>(out), 0, SPLIT_LINK_STRIDE);
  out.marks = linkMarks(member.locals, 0, 0, 1);
  out.impulses = member.manifold * GPU_JOINT_ROWS;
  const rows: usize = jointRows(member.manifold);
  packJoint(member.manifold, rows);
  prepareJoint(rows, member.kA, member.kB, stepAt(0).h);
}
