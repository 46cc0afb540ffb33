// Joints of a cell: the effect of turned rows on repeated impulses, and a sweep. Twin: shaders/shared/joints.wgsl, the same
// operations in the same order.
//
// A sweep solves friction by load, axis by axis dry friction, motor, spring, limit, then the locked angular axes as a block, last
// the locked linear ones. Springs are swept in the soft pass only. Impulses of blocks are kept in world axes. Both linear
// impulses act at anchor B, so that angular momentum is kept however wide the gap.
// Input: rows (turn.ts), LocalBody. Output: impulses in the rows, velocities of LocalBody.
import {
  AXIS_POSITION,
  AXIS_VELOCITY,
  JOINT_GEAR,
  JOINT_PART_A,
  JOINT_PULLEY,
  JOINT_ROW_ANGULAR,
  JOINT_ROW_ARMS,
  JOINT_ROW_AXES,
  JOINT_ROW_BIAS,
  JOINT_ROW_DRIVES,
  JOINT_ROW_FRICTION,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_KICK,
  JOINT_ROW_LIMITS,
  JOINT_ROW_LINEAR,
  JOINT_ROW_PEAKS,
  JOINT_ROW_RUBS,
  JOINT_ROW_SLIP,
  JOINT_ROW_UNITS,
  JointAnswers,
  LocalBody,
  SPLIT_RELAX,
  SPLIT_SOFT,
  SplitLink,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { addW, cross3, dot3, mulW, splatW, subW } from '../math/lane';
import { scale3, w3, withW3, x3, y3, z3 } from '../math/vec3';
import { cancelling, drivenRow, loadBound, speedGain, springRow } from '../rows/joint_drive';
import { boundRow, boundedShare, rigidNormalRow } from '../rows/row';
import { addAnswer, answersOf } from './joint_answers';
import { drivenOf, jointRow, jointScratch, kindOf, lengthOf, lockedOf, numberOf, putRow, setNumberOf } from './joint_block';
import { bodyA, bodyB, rowsOfJoint } from './link';
import { keepPair, pushPair, relative, symmetric, turned, twistPair, xyz } from './local_body';
import { linkAt } from './packed';

/** Applies the impulses that turnJoint found to the bodies. */
export function kickJoint(rows: usize, a: LocalBody, b: LocalBody): void {
  a.v = addW(a.v, mulW(jointRow(rows, JOINT_ROW_KICK), a.mass));
  a.w = addW(a.w, turned(a, jointRow(rows, JOINT_ROW_KICK + 1)));
  b.v = addW(b.v, mulW(jointRow(rows, JOINT_ROW_KICK + 2), b.mass));
  b.w = addW(b.w, turned(b, jointRow(rows, JOINT_ROW_KICK + 3)));
}

function solvePairRow(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, kind: u32, mode: u32, isLast: bool): void {
  const isPulley: bool = kind == JOINT_PULLEY;
  const onA: v128 = xyz(jointRow(rows, JOINT_ROW_UNITS)),
    onB: v128 = xyz(jointRow(rows, JOINT_ROW_UNITS + 3));
  const rA: v128 = jointRow(rows, JOINT_ROW_ARMS),
    rB: v128 = jointRow(rows, JOINT_ROW_ARMS + 1);
  const u: f32 = isPulley
    ? dot3(onA, addW(a.v, cross3(a.w, rA))) + dot3(onB, addW(b.v, cross3(b.w, rB)))
    : dot3(onA, a.w) + dot3(onB, b.w);
  const masses: v128 = jointRow(rows, JOINT_ROW_UNITS + 1);
  const old: f32 = numberOf(rows, JOINT_ROW_LIMITS, 0);
  let z: f32 =
    mode == SPLIT_SOFT
      ? old - x3(masses) * (u + w3(masses) + z3(masses) * old)
      : old - y3(masses) * (u + numberOf(rows, JOINT_ROW_UNITS + 2, 0));
  if (isPulley) z = max<f32>(z, 0);
  setNumberOf(rows, JOINT_ROW_LIMITS, 0, z);
  const d: f32 = z - old;
  if (isPulley) {
    a.v = addW(a.v, mulW(onA, mulW(splatW(d), a.mass)));
    b.v = addW(b.v, mulW(onB, mulW(splatW(d), b.mass)));
    a.w = addW(a.w, turned(a, scale3(cross3(rA, onA), d)));
    b.w = addW(b.w, turned(b, scale3(cross3(rB, onB), d)));
  } else {
    a.w = addW(a.w, turned(a, scale3(onA, d)));
    b.w = addW(b.w, turned(b, scale3(onB, d)));
  }
  if (mode != SPLIT_RELAX || !isLast) return;
  const lane: u32 = isPulley ? 0 : 1;
  setNumberOf(rows, JOINT_ROW_PEAKS, lane, max<f32>(numberOf(rows, JOINT_ROW_PEAKS, lane), abs<f32>(z) * step.invH));
}

/** One sweep over a joint; `isLast` of its pass. */
export function solveJoint(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, mode: u32, isLast: bool): void {
  const kind: u32 = kindOf(rows);
  if (kind >= JOINT_GEAR) {
    solvePairRow(rows, a, b, step, kind, mode, isLast);
    return;
  }
  const locked: u32 = lockedOf(rows),
    driven: u32 = drivenOf(rows);
  const soft: bool = mode == SPLIT_SOFT;
  const rA: v128 = jointRow(rows, JOINT_ROW_ARMS),
    rB: v128 = jointRow(rows, JOINT_ROW_ARMS + 1);
  slipJoint(rows, a, b, step.h);
  if (driven != 0) {
    for (let u: u32 = 0; u < 7; u++) {
      if (((driven >> u) & 1) != 0) solveUnit(rows, a, b, step, soft, u, rA, rB);
    }
  }
  // Locked axes give way to loads of their own only: what single axes ask of them they answer hard, or a motor at a long arm
  // would find nothing to stand on.
  const answers = changetype<JointAnswers>(jointScratch() + JOINT_PART_A);
  answersOf(rows, soft ? driven : 0, answers);
  if (locked >> 3 != 0) {
    const old: v128 = jointRow(rows, JOINT_ROW_IMPULSES + 1);
    const spin: v128 = subW(b.w, a.w);
    const z: v128 = solveBlock(rows, JOINT_ROW_ANGULAR, xyz(old), answers.twist, spin, jointRow(rows, JOINT_ROW_BIAS + 1), soft);
    putRow(rows, JOINT_ROW_IMPULSES + 1, withW3(z, w3(old)));
    twistPair(a, b, subW(z, xyz(old)));
    if (!soft && isLast)
      setNumberOf(rows, JOINT_ROW_PEAKS, 1, max<f32>(numberOf(rows, JOINT_ROW_PEAKS, 1), lengthOf(z) * step.invH));
  }
  if ((locked & 7) != 0) {
    const old: v128 = jointRow(rows, JOINT_ROW_IMPULSES);
    const slip: v128 = relative(a, b, rA, rB);
    const z: v128 = solveBlock(rows, JOINT_ROW_LINEAR, xyz(old), answers.push, slip, jointRow(rows, JOINT_ROW_BIAS), soft);
    putRow(rows, JOINT_ROW_IMPULSES, withW3(z, w3(old)));
    pushPair(a, b, rA, rB, subW(z, xyz(old)));
    if (!soft && isLast)
      setNumberOf(rows, JOINT_ROW_PEAKS, 0, max<f32>(numberOf(rows, JOINT_ROW_PEAKS, 0), lengthOf(z) * step.invH));
  }
}

/** New impulse of a block whose axes move at `u`. */
function solveBlock(rows: usize, at: u32, old: v128, answers: v128, u: v128, bias: v128, soft: bool): v128 {
  if (!soft) return xyz(subW(old, symmetric(jointRow(rows, at + 2), jointRow(rows, at + 3), u)));
  const pushed: v128 = addW(u, bias);
  if (w3(bias) == 0) return xyz(subW(old, symmetric(jointRow(rows, at + 2), jointRow(rows, at + 3), pushed)));
  const yielding: v128 = addW(pushed, symmetric(jointRow(rows, at + 4), jointRow(rows, at + 5), subW(old, answers)));
  return xyz(subW(old, symmetric(jointRow(rows, at), jointRow(rows, at + 1), yielding)));
}

/** Friction of the free angular axes, bound by the load of the anchor. */
function slipJoint(rows: usize, a: LocalBody, b: LocalBody, h: f32): void {
  const friction: v128 = jointRow(rows, JOINT_ROW_FRICTION);
  if (!(x3(friction) > 0 || y3(friction) > 0)) return;
  const most: f32 = loadBound<f32>(x3(friction), lengthOf(jointRow(rows, JOINT_ROW_IMPULSES)), y3(friction), h);
  const old: v128 = jointRow(rows, JOINT_ROW_IMPULSES + 2);
  const spin: v128 = subW(b.w, a.w);
  let z: v128 = xyz(subW(old, symmetric(jointRow(rows, JOINT_ROW_SLIP), jointRow(rows, JOINT_ROW_SLIP + 1), spin)));
  if (lengthOf(z) > most) {
    const step: f32 = numberOf(rows, JOINT_ROW_SLIP + 1, 2);
    if (step > 0) z = xyz(subW(old, scale3(spin, step)));
    z = scale3(z, boundedShare<f32>(lengthOf(z), most));
  }
  putRow(rows, JOINT_ROW_IMPULSES + 2, withW3(z, w3(old)));
  twistPair(a, b, subW(z, xyz(old)));
}

/** A single axis: dry friction, then the motor, the spring, and last the limit, so that no drive is stronger. */
function solveUnit(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, soft: bool, u: u32, rA: v128, rB: v128): void {
  const at: u32 = JOINT_ROW_UNITS + 5 * u,
    axis: u32 = JOINT_ROW_AXES + 2 * u,
    group: u32 = u >> 2,
    lane: u32 = u & 3;
  const isLinear: bool = u < 3;
  const unit: v128 = jointRow(rows, at),
    masses: v128 = jointRow(rows, at + 1),
    more: v128 = jointRow(rows, at + 2),
    force: v128 = jointRow(rows, at + 3),
    torque: v128 = jointRow(rows, at + 4);
  const c: v128 = xyz(unit);
  const slip: v128 = relative(a, b, rA, rB),
    spin: v128 = subW(b.w, a.w);
  // The speed that the axis has when the locked ones hold.
  let speed: f32 = dot3(c, isLinear ? slip : spin) + (dot3(force, slip) + dot3(torque, spin));
  const mass: f32 = y3(masses);
  let change: f32 = 0;
  const mode: u32 = u == 6 ? 0 : <u32>numberOf(rows, axis, 2);
  if (u < 6) {
    const rub: f32 = numberOf(rows, axis + 1, 3) * step.h;
    if (rub > 0) {
      const old: f32 = numberOf(rows, JOINT_ROW_RUBS + group, lane);
      const z: f32 = drivenRow<f32>(old, speed, mass, rub);
      setNumberOf(rows, JOINT_ROW_RUBS + group, lane, z);
      change = z - old;
      speed = speed + speedGain<f32>(z - old, mass);
    }
    const most: f32 = numberOf(rows, axis + 1, 2) * step.h;
    const old: f32 = numberOf(rows, JOINT_ROW_DRIVES + group, lane);
    let z: f32 = old;
    if ((mode & AXIS_VELOCITY) != 0) z = old - mass * (speed - numberOf(rows, axis, 3));
    if (soft && (mode & AXIS_POSITION) != 0) z = springRow<f32>(old, speed, mass, y3(more), z3(more));
    if ((mode & (AXIS_VELOCITY | AXIS_POSITION)) != 0) z = boundRow<f32>(z, most);
    setNumberOf(rows, JOINT_ROW_DRIVES + group, lane, z);
    change = change + (z - old);
    speed = speed + speedGain<f32>(z - old, mass);
  }
  const side: f32 = w3(unit);
  if (side != 0) {
    const old: f32 = numberOf(rows, JOINT_ROW_LIMITS + group, lane);
    const push: f32 = side * old;
    const along: f32 = soft ? side * speed + w3(masses) + z3(masses) * push : side * speed + x3(more);
    const z: f32 = side * rigidNormalRow<f32>(push, along, soft ? x3(masses) : mass, 0);
    change = change + (z - old);
    // A motor that runs against its limit would push ever harder, and the limit with it: the part that cancels is dropped.
    const drive: f32 = (mode & AXIS_VELOCITY) != 0 ? numberOf(rows, JOINT_ROW_DRIVES + group, lane) : 0;
    const both: f32 = cancelling<f32>(drive, z);
    setNumberOf(rows, JOINT_ROW_LIMITS + group, lane, z + both);
    if (both != 0) setNumberOf(rows, JOINT_ROW_DRIVES + group, lane, drive - both);
  }
  const locked: v128 = scale3(force, change),
    turn: v128 = scale3(torque, change);
  addAnswer(rows, locked, turn);
  const own: v128 = xyz(scale3(c, change));
  pushPair(a, b, rA, rB, isLinear ? addW(locked, own) : locked);
  twistPair(a, b, isLinear ? turn : addW(turn, own));
}

/** Applies the impulses of a joint's update to its bodies. */
export function kickLink(s: SplitState, l: u32): void {
  const link: SplitLink = linkAt(s, l);
  kickJoint(rowsOfJoint(s, link), bodyA(link), bodyB(link));
  keepPair(bodyA(link), bodyB(link));
}

/** One sweep over a joint. */
export function sweepJoint(s: SplitState, step: SplitStep, mode: u32, l: u32, isLast: bool): void {
  const link: SplitLink = linkAt(s, l);
  solveJoint(rowsOfJoint(s, link), bodyA(link), bodyB(link), step, mode, isLast);
  keepPair(bodyA(link), bodyB(link));
}
