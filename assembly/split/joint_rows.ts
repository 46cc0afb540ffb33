// Rows of joints for solvers that work on pairs of bodies: mass splitting (solve.ts) and the scalar oracle (study/pgs_joints.ts).
// This file makes room for them, and converts joints to rows and back. The work on rows is in files with a twin in shaders/ each:
// once per step joint.ts; before the sweeps of a pass turn.ts; its effect and the sweeps joints.ts; used by them joint_axes.ts
// and joint_answers.ts.
// Input: Joint. Output: SplitState.joints, impulses of Joint.
import { jointAt } from '../constraints/joints';
import {
  GPU_JOINT_ROWS,
  JOINT_PULLEY,
  JOINT_ROW_ANCHORS,
  JOINT_ROW_AXES,
  JOINT_ROW_DRIVES,
  JOINT_ROW_FRICTION,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_LIMITS,
  JOINT_ROW_PEAKS,
  JOINT_ROW_RUBS,
  Joint,
  NONE,
  SPLIT_JOINT_STRIDE,
  SplitState,
} from '../layout.generated';
import { splatW } from '../math/lane';
import { header } from '../memory/header';
import { splitRoom, splitState } from '../memory/split_state';
import { vectorAt } from '../memory/words';
import { MOST, numberOf, putRow } from './joint_block';
import { xyz } from './local_body';

/** Rows of a joint in SplitState.joints. */
export function jointRows(index: u32): usize {
  return <usize>splitState().joints + <usize>index * ((<usize>GPU_JOINT_ROWS) << 4);
}

/** Room for the rows of all joints. False without memory. */
export function reserveJointRows(): bool {
  if (!splitRoom(offsetof<SplitState>('jointScratch'), 1, <u32>SPLIT_JOINT_STRIDE)) return false;
  return splitRoom(offsetof<SplitState>('joints'), (<usize>GPU_JOINT_ROWS) << 4, header().jointsCapacity);
}

function finite(v: v128): v128 {
  return f32x4.pmax(f32x4.pmin(v, splatW(MOST)), splatW(-MOST));
}

/** Writes what the solver takes of a joint, impulses and all: JOINT_TOLD_ROWS rows. */
export function packJoint(index: u32, rows: usize): void {
  const joint: Joint = jointAt(index);
  const from: usize = changetype<usize>(joint);
  const a: f32 = joint.bodyA == NONE ? -1 : <f32>joint.bodyA;
  putRow(rows, 0, f32x4(a, <f32>joint.bodyB, <f32>(joint.locked | (joint.driven << 6)), <f32>joint.kind));
  memory.copy(rows + ((<usize>JOINT_ROW_ANCHORS) << 4), from + offsetof<Joint>('anchorAx'), 64);
  for (let i: u32 = 0; i < 6; i++) {
    const axis: usize = from + offsetof<Joint>('lower0') + ((<usize>i) << 5);
    const mode: f32 = <f32>load<u32>(axis, offsetof<Joint>('mode0') - offsetof<Joint>('lower0'));
    putRow(rows, JOINT_ROW_AXES + 2 * i, f32x4.replace_lane(finite(vectorAt(axis, 0)), 2, mode));
    putRow(rows, JOINT_ROW_AXES + 2 * i + 1, finite(vectorAt(axis, 1)));
  }
  putRow(rows, JOINT_ROW_FRICTION, finite(f32x4(joint.frictionLever, joint.frictionTorque, 0, 0)));
  memory.copy(rows + ((<usize>JOINT_ROW_IMPULSES) << 4), from + offsetof<Joint>('jx'), 48);
  const limits: usize = from + offsetof<Joint>('limit0'),
    drives: usize = from + offsetof<Joint>('drive0'),
    rubs: usize = from + offsetof<Joint>('rub0');
  const limit0: f32 = joint.kind == JOINT_PULLEY ? -joint.limit0 : joint.limit0; // what its row pulls with
  putRow(rows, JOINT_ROW_LIMITS, f32x4.replace_lane(vectorAt(limits, 0), 0, limit0));
  putRow(rows, JOINT_ROW_LIMITS + 1, xyz(vectorAt(limits, 1)));
  putRow(rows, JOINT_ROW_DRIVES, v128.load(drives));
  putRow(rows, JOINT_ROW_DRIVES + 1, f32x4(joint.drive4, joint.drive5, 0, 0));
  putRow(rows, JOINT_ROW_RUBS, v128.load(rubs));
  putRow(rows, JOINT_ROW_RUBS + 1, f32x4(joint.rub4, joint.rub5, 0, 0));
  putRow(rows, JOINT_ROW_PEAKS, f32x4(0, 0, joint.twist, joint.twist));
}

/** Row of a joint in what the solver changes of it. */
function stateRow(state: usize, row: u32): usize {
  return state + ((<usize>(row - JOINT_ROW_IMPULSES)) << 4);
}

/** Writes back what the solver changes: `state` are the JOINT_STATE_ROWS from JOINT_ROW_IMPULSES on. */
export function unpackJoint(index: u32, state: usize): void {
  const joint: Joint = jointAt(index);
  const to: usize = changetype<usize>(joint);
  memory.copy(to + offsetof<Joint>('jx'), state, 48);
  memory.copy(to + offsetof<Joint>('limit0'), stateRow(state, JOINT_ROW_LIMITS), 28);
  if (joint.kind == JOINT_PULLEY) joint.limit0 = -joint.limit0;
  memory.copy(to + offsetof<Joint>('drive0'), stateRow(state, JOINT_ROW_DRIVES), 24);
  memory.copy(to + offsetof<Joint>('rub0'), stateRow(state, JOINT_ROW_RUBS), 24);
  const peaks: usize = stateRow(state, JOINT_ROW_PEAKS);
  joint.peakForce = numberOf(peaks, 0, 0);
  joint.peakTorque = numberOf(peaks, 0, 1);
  joint.twist = numberOf(peaks, 0, 3);
}
