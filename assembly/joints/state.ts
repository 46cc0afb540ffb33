// The joint stage's own block: rows of bodies, groups, and where each run of the solver finds its own: batch by batch.
import {
  BLOCK_JOINTS,
  BLOCK_JOINT_SCRATCH,
  BODY_ROW_STRIDE,
  Header,
  JOINT_BATCH_STRIDE,
  JOINT_STATE_STRIDE,
  JointBatch,
  JointParameters,
  JointScratch,
  JointState,
  NONE,
} from '../layout.generated';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';
import { threadBlock } from '../threads/team';

export function jointState(): JointState {
  return changetype<JointState>(<usize>header().jointState);
}
export function jointBatchAt(i: u32): JointBatch {
  return changetype<JointBatch>(<usize>jointState().batches + <usize>i * JOINT_BATCH_STRIDE);
}

/** The ground of the joints of a batch, a BodyRow of zeros, and behind it one that unused lanes move. */
export function groundOf(batch: u32): usize {
  return <usize>jointState().grounds + <usize>batch * (2 * BODY_ROW_STRIDE);
}
/** Of the substep (parameters.ts), for this thread. */
export function jointParameters(): JointParameters {
  return changetype<JointParameters>(threadBlock() + BLOCK_JOINTS);
}
/** Columns of one group at work, of this thread. */
export function jointScratch(): JointScratch {
  return changetype<JointScratch>(threadBlock() + BLOCK_JOINT_SCRATCH);
}

/** With the first joint. False without memory (header error set). */
export function initJointState(): bool {
  const h: Header = header();
  if (h.jointState != 0) return true;
  h.jointState = <u32>allocate(JOINT_STATE_STRIDE);
  if (h.jointState == 0) return false;
  jointState().stamp = NONE;
  return true;
}
