// The state of the joint stage: rows of bodies, groups, and where each batch of the solver finds its own, chunk by chunk.
import {
  BLOCK_JOINTS,
  BLOCK_JOINT_SCRATCH,
  BODY_ROW_STRIDE,
  Header,
  JOINT_CHUNK_STRIDE,
  JOINT_STATE_STRIDE,
  JointChunk,
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
export function jointChunkAt(i: u32): JointChunk {
  return changetype<JointChunk>(<usize>jointState().chunks + <usize>i * JOINT_CHUNK_STRIDE);
}

/** The ground of the joints of a chunk, a BodyRow of zeros, and behind it one that unused lanes move. */
export function groundOf(chunk: u32): usize {
  return <usize>jointState().grounds + <usize>chunk * (2 * BODY_ROW_STRIDE);
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
