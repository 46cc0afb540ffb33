// The part of the impulses of locked axes that answers impulses of single axes. Twin: shaders/shared/joint_answers.wgsl.
import {
  JOINT_ROW_DRIVES,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_LIMITS,
  JOINT_ROW_RUBS,
  JOINT_ROW_UNITS,
  JointAnswers,
} from '../layout.generated';
import { addW, splatW } from '../math/lane';
import { scale3 } from '../math/vec3';
import { jointRow, numberOf, putRow } from './joint_block';
import { xyz } from './local_body';

/** Writes the part of the impulses of locked axes that answers impulses of single axes to `out`: linear, followed by angular. */
export function answersOf(rows: usize, driven: u32, out: JointAnswers): void {
  let force: v128 = splatW(0),
    torque: v128 = splatW(0);
  for (let u: u32 = 0; u < 7; u++) {
    if (((driven >> u) & 1) == 0) continue;
    const group: u32 = u >> 2,
      lane: u32 = u & 3,
      at: u32 = JOINT_ROW_UNITS + 5 * u;
    const z: f32 =
      numberOf(rows, JOINT_ROW_LIMITS + group, lane) +
      numberOf(rows, JOINT_ROW_DRIVES + group, lane) +
      numberOf(rows, JOINT_ROW_RUBS + group, lane);
    force = addW(force, scale3(jointRow(rows, at + 3), z));
    torque = addW(torque, scale3(jointRow(rows, at + 4), z));
  }
  out.push = xyz(force);
  out.twist = xyz(torque);
}

/** The answer of the locked axes to an impulse of a single one. */
export function addAnswer(rows: usize, force: v128, torque: v128): void {
  putRow(rows, JOINT_ROW_IMPULSES, addW(jointRow(rows, JOINT_ROW_IMPULSES), xyz(force)));
  putRow(rows, JOINT_ROW_IMPULSES + 1, addW(jointRow(rows, JOINT_ROW_IMPULSES + 1), xyz(torque)));
}
