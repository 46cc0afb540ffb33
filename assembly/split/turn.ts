// Joints before the sweeps of a pass. Twin: shaders/turn.wgsl, the same operations in the same order.
//
// - Before the relax pass, after bodies have moved: arms, axes, errors and masses are updated to the new poses.
// - Before the soft pass: the pass has to correct the effect of repeated impulses (v = 2 v_end - v_start) along outdated rows,
//   and the part of impulses beyond twice their previous value (kickJoint).
// - In the warm pass, the first of a step: rows are those of its start, and the stored impulses are not applied yet.
// Locked axes are soft in the soft pass, with the compliance of whole bodies, so that the fixed point does not depend on how they
// are split; they are rigid and without bias in the relax pass. Steps along single axes take the locked axes into account: these
// hold meanwhile, and have nothing to undo.
// Input: rows of the start of the step (joint.ts), motion of LocalBody. Output: rows, JOINT_ROW_KICK.
import {
  AXIS_LIMITED,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  JOINT_ANGLES,
  JOINT_ANGULAR,
  JOINT_ARMS,
  JOINT_COLUMNS,
  JOINT_CONE,
  JOINT_COUPLED,
  JOINT_DISTANCE,
  JOINT_GAP,
  JOINT_GEAR,
  JOINT_LINEAR,
  JOINT_MOTION,
  JOINT_NEW,
  JOINT_OLD,
  JOINT_PART_A,
  JOINT_PART_B,
  JOINT_PLACES,
  JOINT_PULLEY,
  JOINT_ROW_ANCHORS,
  JOINT_ROW_ANGULAR,
  JOINT_ROW_ARMS,
  JOINT_ROW_AXES,
  JOINT_ROW_BEFORE,
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
  JOINT_ROW_START,
  JOINT_ROW_UNITS,
  JOINT_SPLIT,
  JOINT_TURN,
  JOINT_WHOLE,
  JOINT_WRENCH_STRIDE,
  JointAngles,
  JointAnswers,
  JointArms,
  JointBasis,
  JointCone,
  JointMotion,
  JointWrench,
  LocalBody,
  NONE,
  Rotation,
  SPLIT_RELAX,
  SPLIT_SLOT_STATE_STRIDE,
  SPLIT_SOFT,
  SPLIT_WARM,
  SplitLink,
  SplitMember,
  SplitSlotState,
  SplitState,
  SplitStep,
  SymmetricRows,
} from '../layout.generated';
import { addW, cross3, dot3, mulW, negW, splatW, subW } from '../math/lane';
import { quatFromRotationVector, quatMul, rotate3, storeRotation } from '../math/quat';
import { scale3, w3, withW3, x3, y3 } from '../math/vec3';
import { countedTwist } from '../rows/joint_angles';
import { Spring, limitSide, ropeLength, ropeShare, springByFrequency, springByStiffness, springHold } from '../rows/joint_drive';
import { PUSH, cappedRate } from '../rows/joint_softness';
import { inverse } from '../rows/mass';
import { boundRow } from '../rows/row';
import { addAnswer, answersOf } from './joint_answers';
import { anchorBlock, invertBlock, invertHeldSpins, isRegularAt, measureAxes } from './joint_axes';
import { MOST, drivenOf, jointRow, jointScratch, kindOf, lengthOf, lockedOf, numberOf, putRow, setNumberOf } from './joint_block';
import { bodyA, bodyB, rowsOfJoint } from './link';
import { symmetric, turned, xyz } from './local_body';
import { linkAt, memberAt } from './packed';

/** Impulses and angular impulses of a joint on A and on B. */
function wrenchOf(rows: usize, kind: u32, driven: u32, out: JointWrench): void {
  const rA: v128 = xyz(jointRow(rows, JOINT_ROW_ARMS)),
    rB: v128 = xyz(jointRow(rows, JOINT_ROW_ARMS + 1));
  if (kind >= JOINT_GEAR) {
    const z: f32 = numberOf(rows, JOINT_ROW_LIMITS, 0);
    const onA: v128 = scale3(xyz(jointRow(rows, JOINT_ROW_UNITS)), z),
      onB: v128 = scale3(xyz(jointRow(rows, JOINT_ROW_UNITS + 3)), z);
    const isGear: bool = kind == JOINT_GEAR;
    out.pushA = isGear ? splatW(0) : onA;
    out.twistA = isGear ? onA : cross3(rA, onA);
    out.pushB = isGear ? splatW(0) : onB;
    out.twistB = isGear ? onB : cross3(rB, onB);
    return;
  }
  let push: v128 = xyz(jointRow(rows, JOINT_ROW_IMPULSES)),
    twist: v128 = addW(xyz(jointRow(rows, JOINT_ROW_IMPULSES + 1)), xyz(jointRow(rows, JOINT_ROW_IMPULSES + 2)));
  for (let u: u32 = 0; u < 7; u++) {
    if (((driven >> u) & 1) == 0) continue;
    const group: u32 = u >> 2,
      lane: u32 = u & 3;
    const z: f32 =
      numberOf(rows, JOINT_ROW_LIMITS + group, lane) +
      numberOf(rows, JOINT_ROW_DRIVES + group, lane) +
      numberOf(rows, JOINT_ROW_RUBS + group, lane);
    const c: v128 = scale3(xyz(jointRow(rows, JOINT_ROW_UNITS + 5 * u)), z);
    if (u < 3) push = addW(push, c);
    else twist = addW(twist, c);
  }
  out.pushA = negW(push);
  out.twistA = negW(addW(cross3(rA, push), twist));
  out.pushB = push;
  out.twistB = addW(cross3(rB, push), twist);
}

/** An impulse in world axes, repeated: its own part, without the answers to single axes, at most twice the one before. */
function repeat(rows: usize, i: u32, factor: f32, answer: v128, repeated: v128): void {
  const z: v128 = jointRow(rows, i);
  const own: v128 = subW(z, answer);
  const length: f32 = lengthOf(own),
    most: f32 = w3(z) + w3(z);
  // Not boundedShare: an impulse too short for a length is repeated whole.
  const kept: v128 = addW(scale3(own, (length > most ? most / length : <f32>1) * factor), repeated);
  putRow(rows, i, withW3(kept, lengthOf(z) * factor));
}

/** Impulses that a substep begins with; the first of a step has none but those carried, and no rows yet. */
function repeatImpulses(rows: usize, driven: u32, factor: f32, isStart: bool): void {
  const before = changetype<JointAnswers>(jointScratch() + JOINT_PART_A),
    now = changetype<JointAnswers>(jointScratch() + JOINT_PART_B);
  answersOf(rows, isStart ? 0 : driven, before);
  const load: v128 = jointRow(rows, JOINT_ROW_IMPULSES + 2);
  putRow(rows, JOINT_ROW_IMPULSES + 2, withW3(scale3(load, factor), w3(load)));
  for (let i: u32 = JOINT_ROW_DRIVES; i < JOINT_ROW_PEAKS; i++) putRow(rows, i, scale3(jointRow(rows, i), factor));
  for (let i: u32 = 0; i < 2; i++) {
    const z: v128 = jointRow(rows, JOINT_ROW_LIMITS + i);
    const last: v128 = jointRow(rows, JOINT_ROW_BEFORE + i);
    const most: v128 = f32x4.abs(addW(last, last));
    putRow(rows, JOINT_ROW_BEFORE + i, scale3(z, factor));
    putRow(rows, JOINT_ROW_LIMITS + i, scale3(boundRow<v128>(z, most), factor));
  }
  answersOf(rows, isStart ? 0 : driven, now);
  repeat(rows, JOINT_ROW_IMPULSES, factor, before.push, now.push);
  repeat(rows, JOINT_ROW_IMPULSES + 1, factor, before.twist, now.twist);
}

/** The part of an impulse along the axes in `mask` of a basis; `unit`: 1 / the square of the third. */
function project(rows: usize, i: u32, basis: usize, mask: u32): void {
  if (mask == 7) return;
  const z: v128 = jointRow(rows, i);
  const axes = changetype<JointBasis>(basis);
  const a: v128 = xyz(axes.x),
    b: v128 = xyz(axes.y),
    c: v128 = xyz(axes.z);
  const kept: v128 = addW(
    addW(scale3(a, (mask & 1) != 0 ? dot3(a, z) : 0), scale3(b, (mask & 2) != 0 ? dot3(b, z) : 0)),
    scale3(c, (mask & 4) != 0 ? dot3(c, z) : 0),
  );
  putRow(rows, i, withW3(kept, w3(z)));
}

/** Stores blocks of three axes: the divisors of a soft step and a rigid one, and the compliance. `k` split and whole. */
function storeBlocks(rows: usize, at: u32, k: SymmetricRows, whole: SymmetricRows, gamma: f32, basis: usize, mask: u32): void {
  const g0: v128 = scale3(whole.row0, gamma),
    g1: v128 = scale3(whole.row1, gamma);
  const k0: v128 = k.row0,
    k1: v128 = k.row1;
  invertBlock(addW(k0, g0), addW(k1, g1), basis, mask, rows + ((<usize>at) << 4));
  invertBlock(k0, k1, basis, mask, rows + ((<usize>at + 2) << 4));
  putRow(rows, at + 4, g0);
  putRow(rows, at + 5, g1);
}

/** Velocity that takes an error out; lane 3: 1 if it is soft. */
function pushOf(error: v128, rate: f32): v128 {
  const capped: f32 = cappedRate<f32>(rate, dot3(error, error));
  return withW3(scale3(error, capped), capped < rate ? 0 : 1);
}

/**
 * Half of what the turn of arms and axes does to the relative velocity within a substep: the anchors go along the chord of
 * their way and meet at its end, not off its tangent. With rows of the new poses in the relax pass (RATTLE) that keeps energy.
 */
function bent(push: v128, bend: v128, h: f32): v128 {
  return addW(push, scale3(xyz(bend), <f32>0.5 * h));
}

/**
 * The same for a distance of length L along `axis` n, whose direction turns: half of h L'', at most PUSH either way.
 * L'' = n . bend + |d|^2 / L + 2 slip . (wA x n); d: the part of `slip` across n. slip, bend: of both bodies at anchor B, where
 * the arm of A ends.
 */
function bentLength(axis: v128, length: f32, slip: v128, wA: v128, bend: v128, h: f32): f32 {
  const along: f32 = dot3(slip, axis);
  const across: f32 = max<f32>(dot3(slip, slip) - along * along, 0);
  const sum: f32 = dot3(axis, bend) + across / max<f32>(length, 1e-3) + 2 * dot3(slip, cross3(wA, axis));
  return max<f32>(min<f32>(<f32>0.5 * h * sum, PUSH), -PUSH);
}

/** Masses of a single row: K of the split bodies and of whole ones, its error; `bounded`: it only pushes. */
function storeUnit(rows: usize, at: u32, step: SplitStep, split: f32, whole: f32, error: f32, bounded: bool): void {
  const rigid: f32 = inverse(split);
  let gamma: f32 = whole * step.jointGamma,
    bias: f32 = step.jointRate * error,
    soft: f32 = inverse(split + gamma),
    relax: f32 = 0;
  if (bounded && error > 0) {
    bias = min<f32>(error, MOST) * step.invH;
    relax = bias;
    gamma = 0;
    soft = rigid;
  } else if (bias > PUSH || bias < -PUSH) {
    bias = bias > 0 ? PUSH : -PUSH;
    gamma = 0;
    soft = rigid;
  }
  putRow(rows, at, f32x4(soft, rigid, gamma, bias));
  putRow(rows, at + 1, f32x4(relax, 0, 0, 0));
}

/**
 * Updates a joint before the sweeps of a pass. SPLIT_WARM, the first of a step: rows at its start; the stored impulses are not
 * applied yet. Relax: the bodies have moved, and rows are updated to the new poses; impulses of the soft pass acted along the old
 * ones, which the start of the next substep corrects. Soft: velocities have repeated all impulses; those that are too large are
 * removed. Before it: tellMotion.
 */
export function turnJoint(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, mode: u32): void {
  const t: usize = jointScratch();
  const kind: u32 = kindOf(rows),
    driven: u32 = drivenOf(rows);
  if (mode == SPLIT_WARM) {
    memory.fill(t + JOINT_OLD, 0, JOINT_WRENCH_STRIDE);
    putRow(rows, JOINT_ROW_BEFORE, jointRow(rows, JOINT_ROW_LIMITS));
    putRow(rows, JOINT_ROW_BEFORE + 1, jointRow(rows, JOINT_ROW_LIMITS + 1));
  } else {
    wrenchOf(rows, kind, driven, changetype<JointWrench>(t + JOINT_OLD));
  }
  if (mode != SPLIT_RELAX) repeatImpulses(rows, driven, mode == SPLIT_WARM ? step.warmStart : 1, mode == SPLIT_WARM);
  if (mode != SPLIT_SOFT) turnRows(rows, a, b, step, mode == SPLIT_WARM);
  wrenchOf(rows, kind, driven, changetype<JointWrench>(t + JOINT_NEW));
  for (let i: u32 = 0; i < 4; i++) {
    const at: usize = t + ((<usize>i) << 4);
    const kick: v128 = subW(v128.load(at, JOINT_NEW), v128.load(at, JOINT_OLD));
    putRow(rows, JOINT_ROW_KICK + i, mode == SPLIT_SOFT ? addW(jointRow(rows, JOINT_ROW_KICK + i), kick) : kick);
  }
}

/** Updates arms, axes, errors and masses to the present poses; `isStart`: of the start of the step. Before it: tellMotion. */
export function turnRows(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, isStart: bool): void {
  const t: usize = jointScratch();
  const kind: u32 = kindOf(rows),
    driven: u32 = drivenOf(rows),
    locked: u32 = lockedOf(rows);
  const zero: v128 = splatW(0);
  const motion = changetype<JointMotion>(t + JOINT_MOTION);
  motion.dA = isStart ? zero : xyz(a.d);
  motion.dB = isStart ? zero : xyz(b.d);
  motion.pA = isStart ? zero : xyz(a.p);
  motion.pB = isStart ? zero : xyz(b.p);
  motion.turnA = quatFromRotationVector(motion.pA);
  motion.turnB = quatFromRotationVector(motion.pB);
  const startA: v128 = xyz(jointRow(rows, JOINT_ROW_START)),
    startB: v128 = xyz(jointRow(rows, JOINT_ROW_START + 1));
  storeRotation(motion.turnA, t + JOINT_COLUMNS);
  let rA: v128 = rotate3(t + JOINT_COLUMNS, startA);
  storeRotation(motion.turnB, t + JOINT_COLUMNS);
  const rB: v128 = rotate3(t + JOINT_COLUMNS, startB);
  const way: v128 = subW(motion.dB, motion.dA);
  const gap: v128 = xyz(addW(addW(jointRow(rows, JOINT_ROW_START + 4), way), subW(subW(rB, startB), subW(rA, startA))));
  if (kind < JOINT_GEAR) rA = addW(rA, gap);
  putRow(rows, JOINT_ROW_ARMS, xyz(rA));
  putRow(rows, JOINT_ROW_ARMS + 1, xyz(rB));
  if (kind >= JOINT_GEAR) {
    turnPair(rows, t, a, b, step, motion);
    return;
  }
  const qa: v128 = quatMul(motion.turnA, jointRow(rows, JOINT_ROW_START + 2)),
    qb: v128 = quatMul(motion.turnB, jointRow(rows, JOINT_ROW_START + 3));
  measureAxes(t, kind, locked, driven, qa, qb, gap);
  if ((locked & 32) == 0 && (locked != 7 || driven != 0)) countTurns(rows, t);
  turnBlocks(rows, t, a, b, step);
  if (driven != 0) turnUnits(rows, t, a, b, step);
}

/** Blocks and errors of the locked axes, and the bounds of the friction of free ones. */
function turnBlocks(rows: usize, t: usize, a: LocalBody, b: LocalBody, step: SplitStep): void {
  const locked: u32 = lockedOf(rows);
  const motion = changetype<JointMotion>(t + JOINT_MOTION);
  const wA: v128 = motion.wA,
    wB: v128 = motion.wB;
  const rA: v128 = jointRow(rows, JOINT_ROW_ARMS),
    rB: v128 = jointRow(rows, JOINT_ROW_ARMS + 1);
  const invKA: f32 = numberOf(rows, JOINT_ROW_START, 3),
    invKB: f32 = numberOf(rows, JOINT_ROW_START + 1, 3);
  const partA = changetype<SymmetricRows>(t + JOINT_PART_A),
    partB = changetype<SymmetricRows>(t + JOINT_PART_B),
    whole = changetype<SymmetricRows>(t + JOINT_WHOLE),
    split = changetype<SymmetricRows>(t + JOINT_SPLIT);
  const linear: u32 = locked & 7,
    angular: u32 = locked >> 3;
  project(rows, JOINT_ROW_IMPULSES, t + JOINT_LINEAR, linear);
  project(rows, JOINT_ROW_IMPULSES + 1, t + JOINT_ANGULAR, angular);
  if (linear != 0) {
    anchorBlock(a.mass, a.inertia0, a.inertia1, rA, partA);
    anchorBlock(b.mass, b.inertia0, b.inertia1, rB, partB);
    whole.row0 = addW(scale3(partA.row0, invKA), scale3(partB.row0, invKB));
    whole.row1 = addW(scale3(partA.row1, invKA), scale3(partB.row1, invKB));
    split.row0 = addW(partA.row0, partB.row0);
    split.row1 = addW(partA.row1, partB.row1);
    storeBlocks(rows, JOINT_ROW_LINEAR, split, whole, step.jointGamma, t + JOINT_LINEAR, linear);
    const bend: v128 = subW(cross3(wB, cross3(wB, rB)), cross3(wA, cross3(wA, rA)));
    if (kindOf(rows) == JOINT_DISTANCE) {
      const axis: v128 = v128.load(t + JOINT_LINEAR);
      const length: f32 = load<f32>(t + JOINT_PLACES);
      const slip: v128 = subW(addW(motion.vB, cross3(wB, rB)), addW(motion.vA, cross3(wA, rA)));
      const error: v128 = scale3(axis, length - numberOf(rows, JOINT_ROW_AXES, 3));
      const gain: f32 = bentLength(axis, length, slip, wA, bend, step.h);
      putRow(rows, JOINT_ROW_BIAS, addW(pushOf(error, step.jointRate), scale3(axis, gain)));
    } else {
      putRow(rows, JOINT_ROW_BIAS, bent(pushOf(v128.load(t + JOINT_GAP), step.jointRate), bend, step.h));
    }
  }
  const friction: v128 = jointRow(rows, JOINT_ROW_FRICTION);
  const free: u32 = x3(friction) > 0 || y3(friction) > 0 ? 7 & ~angular : 0;
  if (angular != 0 || free != 0) {
    const s0: v128 = addW(a.inertia0, b.inertia0),
      s1: v128 = addW(a.inertia1, b.inertia1);
    whole.row0 = addW(scale3(a.inertia0, invKA), scale3(b.inertia0, invKB));
    whole.row1 = addW(scale3(a.inertia1, invKA), scale3(b.inertia1, invKB));
    split.row0 = s0;
    split.row1 = s1;
    if (angular != 0) {
      storeBlocks(rows, JOINT_ROW_ANGULAR, split, whole, step.jointGamma, t + JOINT_ANGULAR, angular);
      const bend: v128 = cross3(subW(wB, wA), wA);
      putRow(rows, JOINT_ROW_BIAS + 1, bent(pushOf(v128.load(t + JOINT_TURN), step.jointRate), bend, step.h));
    }
    invertBlock(s0, s1, t + JOINT_ANGULAR, free, rows + ((<usize>JOINT_ROW_SLIP) << 4));
    // With all axes free, slipping friction opposes the motion: the inverse of the trace is a step that is short enough.
    const trace: f32 = x3(s0) + w3(s0) + y3(s1);
    setNumberOf(rows, JOINT_ROW_SLIP + 1, 2, free == 7 ? inverse(trace) : 0);
  }
  project(rows, JOINT_ROW_IMPULSES + 2, t + JOINT_ANGULAR, free);
}

/** Whole turns of the twist are counted, where it is regular. */
export function countTurns(rows: usize, t: usize): void {
  const angles = changetype<JointAngles>(t + JOINT_ANGLES);
  const last: f32 = numberOf(rows, JOINT_ROW_PEAKS, 2);
  const twist: f32 = countedTwist<f32>(angles.twist, last);
  const kept: f32 = angles.regular > 0 ? twist : last;
  setNumberOf(rows, JOINT_ROW_PEAKS, 2, kept);
  setNumberOf(rows, JOINT_ROW_PEAKS, 3, kept);
  angles.twist = twist;
}

/**
 * Limits, drives and friction of single axes, and the cone. A step along one of them includes the answer of the locked axes, all
 * at once. A sweep over axis and blocks in turn would reach the same in the end, but never does if an arm is long: an axis by
 * itself then has hundreds of times the mobility of one whose joint is held.
 */
function turnUnits(rows: usize, t: usize, a: LocalBody, b: LocalBody, step: SplitStep): void {
  const driven: u32 = drivenOf(rows),
    locked: u32 = lockedOf(rows);
  const rA: v128 = jointRow(rows, JOINT_ROW_ARMS),
    rB: v128 = jointRow(rows, JOINT_ROW_ARMS + 1);
  const invKA: f32 = numberOf(rows, JOINT_ROW_START, 3),
    invKB: f32 = numberOf(rows, JOINT_ROW_START + 1, 3);
  const hasLinear: bool = (locked & 7) != 0;
  const linear0: v128 = hasLinear ? jointRow(rows, JOINT_ROW_LINEAR + 2) : splatW(0),
    linear1: v128 = hasLinear ? jointRow(rows, JOINT_ROW_LINEAR + 3) : splatW(0);
  const j = changetype<JointArms>(t + JOINT_ARMS);
  j.inertiaA0 = a.inertia0;
  j.inertiaA1 = a.inertia1;
  j.inertiaB0 = b.inertia0;
  j.inertiaB1 = b.inertia1;
  j.armA = rA;
  j.armB = rB;
  invertHeldSpins(j, linear0, linear1, t, locked >> 3);
  const angular0: v128 = changetype<SymmetricRows>(t + JOINT_COUPLED).row0,
    angular1: v128 = changetype<SymmetricRows>(t + JOINT_COUPLED).row1;
  for (let u: u32 = 0; u < 7; u++) {
    if (((driven >> u) & 1) == 0) continue;
    const at: u32 = JOINT_ROW_UNITS + 5 * u;
    const isLinear: bool = u < 3;
    const c: v128 = xyz(v128.load(t + JOINT_LINEAR + ((<usize>u) << 4))); // linear, angular, cone
    const own: v128 = isLinear ? c : splatW(0);
    const turn: v128 = isLinear ? splatW(0) : c;
    const slip: v128 = slipFrom(a, b, rA, rB, own, turn),
      spin: v128 = spinFrom(a, b, rA, rB, own, turn);
    const rest: v128 = subW(spin, spinFrom(a, b, rA, rB, symmetric(linear0, linear1, slip), splatW(0)));
    const torque: v128 = negW(symmetric(angular0, angular1, rest));
    const force: v128 = negW(symmetric(linear0, linear1, addW(slip, slipFrom(a, b, rA, rB, splatW(0), torque))));
    const push: v128 = addW(own, force),
      twist: v128 = addW(turn, torque);
    const kA: f32 = wrenchK(a, rA, push, twist),
      kB: f32 = wrenchK(b, rB, push, twist);
    let side: f32 = 0,
      error: f32 = 0,
      place: f32 = 0;
    const regular: bool = isRegularAt(t, rows, u);
    if (u == 6) {
      side = 1;
      error = numberOf(rows, JOINT_ROW_ANCHORS, 3) - changetype<JointCone>(t + JOINT_CONE).swing;
    } else if (regular) {
      place = load<f32>((isLinear ? t + JOINT_PLACES : t + JOINT_ANGLES - 12) + ((<usize>u) << 2));
      const mode: u32 = <u32>numberOf(rows, JOINT_ROW_AXES + 2 * u, 2);
      if ((mode & AXIS_LIMITED) != 0) {
        const above: f32 = place - numberOf(rows, JOINT_ROW_AXES + 2 * u, 0),
          below: f32 = numberOf(rows, JOINT_ROW_AXES + 2 * u, 1) - place;
        side = limitSide<f32>(above, below);
        error = min<f32>(above, below);
      }
    }
    putRow(rows, at, withW3(c, side));
    storeUnit(rows, at + 1, step, regular ? kA + kB : 0, regular ? kA * invKA + kB * invKB : 0, error, true);
    putRow(rows, at + 3, xyz(force));
    putRow(rows, at + 4, xyz(torque));
    const group: u32 = u >> 2,
      lane: u32 = u & 3;
    const limit: f32 = numberOf(rows, JOINT_ROW_LIMITS + group, lane);
    const kept: f32 = side * max<f32>(side * limit, 0);
    setNumberOf(rows, JOINT_ROW_LIMITS + group, lane, kept);
    let change: f32 = kept - limit;
    if (!regular) {
      // Near a singularity nothing limits or drives the angle.
      change = change - (numberOf(rows, JOINT_ROW_DRIVES + group, lane) + numberOf(rows, JOINT_ROW_RUBS + group, lane));
      setNumberOf(rows, JOINT_ROW_DRIVES + group, lane, 0);
      setNumberOf(rows, JOINT_ROW_RUBS + group, lane, 0);
    }
    addAnswer(rows, scale3(force, change), scale3(torque, change));
    if (u < 6) turnSpring(rows, at + 2, u, step, place);
  }
}

/** Velocity of B against A at the anchors from an impulse there and an angular impulse. */
function slipFrom(a: LocalBody, b: LocalBody, rA: v128, rB: v128, push: v128, twist: v128): v128 {
  const onA: v128 = addW(mulW(push, a.mass), cross3(turned(a, addW(cross3(rA, push), twist)), rA)),
    onB: v128 = addW(mulW(push, b.mass), cross3(turned(b, addW(cross3(rB, push), twist)), rB));
  return addW(onA, onB);
}

/** Spin of B against A from them. */
function spinFrom(a: LocalBody, b: LocalBody, rA: v128, rB: v128, push: v128, twist: v128): v128 {
  return addW(turned(a, addW(cross3(rA, push), twist)), turned(b, addW(cross3(rB, push), twist)));
}

/** Effect of such impulses on one body along themselves; a sum of squares, which no rounding makes negative. */
function wrenchK(body: LocalBody, r: v128, push: v128, twist: v128): f32 {
  const arm: v128 = addW(cross3(r, push), twist);
  return dot3(mulW(push, body.mass), push) + dot3(arm, turned(body, arm));
}

/** The spring of an axis, by the mass that it has at the start of the step. */
function turnSpring(rows: usize, at: u32, u: u32, step: SplitStep, place: f32): void {
  const axis: u32 = JOINT_ROW_AXES + 2 * u;
  const mode: u32 = <u32>numberOf(rows, axis, 2);
  if ((mode & AXIS_POSITION) == 0) return;
  const h: f32 = step.h,
    firm: f32 = numberOf(rows, axis + 1, 0),
    damping: f32 = numberOf(rows, axis + 1, 1),
    mass: f32 = numberOf(rows, JOINT_ROW_START + 5 + (u >> 2), u & 3);
  const byStiffness: bool = (mode & AXIS_STIFFNESS) != 0;
  const byMass: Spring<f32> = springByStiffness<f32>(h, mass, firm, damping),
    bySwing: Spring<f32> = springByFrequency<f32>(h, firm, damping);
  const spring: Spring<f32> = byStiffness ? byMass : bySwing;
  const pull: f32 = mass * spring.square * (step.invH * (place - numberOf(rows, axis, 3)));
  setNumberOf(rows, at, 1, mass * springHold<f32>(spring));
  setNumberOf(rows, at, 2, pull);
}

/** Gear and pulley: one row of two directions, that on A in the first unit and that on B in the second. */
function turnPair(rows: usize, t: usize, a: LocalBody, b: LocalBody, step: SplitStep, motion: JointMotion): void {
  const rA: v128 = jointRow(rows, JOINT_ROW_ARMS),
    rB: v128 = jointRow(rows, JOINT_ROW_ARMS + 1);
  const ratio: f32 = numberOf(rows, JOINT_ROW_ANCHORS + 1, 3);
  const isPulley: bool = kindOf(rows) == JOINT_PULLEY;
  let onA: v128, onB: v128;
  let error: f32;
  if (isPulley) {
    const lineA: v128 = addW(
      addW(jointRow(rows, JOINT_ROW_START + 2), motion.dA),
      subW(rA, xyz(jointRow(rows, JOINT_ROW_START))),
    );
    const lineB: v128 = addW(
      addW(jointRow(rows, JOINT_ROW_START + 3), motion.dB),
      subW(rB, xyz(jointRow(rows, JOINT_ROW_START + 1))),
    );
    const lengthA: f32 = lengthOf(lineA),
      lengthB: f32 = lengthOf(lineB);
    onA = scale3(lineA, ropeShare<f32>(-1, lengthA));
    onB = scale3(lineB, ropeShare<f32>(-ratio, lengthB));
    error = numberOf(rows, JOINT_ROW_AXES, 1) - ropeLength<f32>(lengthA, lengthB, ratio);
  } else {
    storeRotation(quatMul(motion.turnA, jointRow(rows, JOINT_ROW_START + 2)), t + JOINT_COLUMNS);
    onA = changetype<Rotation>(t + JOINT_COLUMNS).z;
    storeRotation(quatMul(motion.turnB, jointRow(rows, JOINT_ROW_START + 3)), t + JOINT_COLUMNS);
    onB = scale3(changetype<Rotation>(t + JOINT_COLUMNS).z, ratio);
    // How far the bodies have turned is added up.
    error = numberOf(rows, JOINT_ROW_PEAKS, 2) + (dot3(onA, motion.pA) + dot3(onB, motion.pB));
    setNumberOf(rows, JOINT_ROW_PEAKS, 3, error);
  }
  putRow(rows, JOINT_ROW_UNITS, xyz(onA));
  putRow(rows, JOINT_ROW_UNITS + 3, xyz(onB));
  const zero: v128 = splatW(0);
  const kA: f32 = wrenchK(a, rA, isPulley ? onA : zero, isPulley ? zero : onA),
    kB: f32 = wrenchK(b, rB, isPulley ? onB : zero, isPulley ? zero : onB);
  const whole: f32 = kA * numberOf(rows, JOINT_ROW_START, 3) + kB * numberOf(rows, JOINT_ROW_START + 1, 3);
  storeUnit(rows, JOINT_ROW_UNITS + 1, step, kA + kB, whole, error, isPulley);
}

/** Before the sweeps of a pass. */
export function turnLink(s: SplitState, step: SplitStep, l: u32, mode: u32): void {
  const link: SplitLink = linkAt(s, l);
  const rows: usize = rowsOfJoint(s, link);
  const a: LocalBody = bodyA(link),
    b: LocalBody = bodyB(link);
  const member: SplitMember = memberAt(l);
  // At the start of a step the bodies of the cell are at rest until the carried impulses come.
  if (mode == SPLIT_WARM) tellStart(s, member);
  else tellMotion(a, b);
  turnJoint(rows, a, b, step, mode);
}

/** Notes the velocities of two bodies for their joint. */
export function tellMotion(a: LocalBody, b: LocalBody): void {
  const motion = changetype<JointMotion>(jointScratch() + JOINT_MOTION);
  motion.vA = a.v;
  motion.wA = a.w;
  motion.vB = b.v;
  motion.wB = b.w;
}

/** The same of the start of the step. */
function tellStart(s: SplitState, member: SplitMember): void {
  const motion = changetype<JointMotion>(jointScratch() + JOINT_MOTION);
  motion.vA = motion.wA = motion.vB = motion.wB = splatW(0);
  if (member.slotA != NONE) {
    const a = slotState(s, member.slotA);
    motion.vA = a.vStart;
    motion.wA = a.wStart;
  }
  if (member.slotB != NONE) {
    const b = slotState(s, member.slotB);
    motion.vB = b.vStart;
    motion.wB = b.wStart;
  }
}

function slotState(s: SplitState, slot: u32): SplitSlotState {
  return changetype<SplitSlotState>(<usize>s.slotStates + <usize>slot * SPLIT_SLOT_STATE_STRIDE);
}
