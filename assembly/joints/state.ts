// The joint stage's own block: rows of bodies, groups, and where each run of the solver finds its own.
import { BODY_ROW_STRIDE, Header, NONE } from '../layout.generated';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';
import { JOINT_PARAMETERS } from './parameters';

/** Of JointState.scratch. */
const SCRATCH_BYTES: usize = 16 * 64;

/** Arrays are a base and a capacity each. */
@unmanaged
export class JointState {
  bodies: u32; // JointBody[], run by run, each run's a multiple of four
  bodyCapacity: u32;
  groups: u32; // bytes: groups one behind the other
  groupCapacity: u32;
  order: u32; // u32[]: addresses of groups, run by run: those that lock no axis, blocks, trees from the leaves to the roots
  orderCapacity: u32;
  entries: u32; // u64[2] an entry: key, what it is (build.ts)
  entryCapacity: u32;
  runs: u32; // JointRun[]
  runCapacity: u32;
  bodyWords: u32; // u32[4] a body: scratch of trees.ts
  bodyWordCapacity: u32;
  queue: u32; // u32[]: bodies, scratch of trees.ts
  queueCapacity: u32;
  entryCount: u32;
  groupCount: u32;
  runCount: u32;
  ground: u32; // a BodyRow of zeros
  idle: u32; // another one: what unused lanes move
  parameters: u32; // of the substep (parameters.ts)
  scratch: u32; // columns of one group at work
  stamp: u32; // Header.jointStamp of the groups
  awakeLists: u32; // Header.awakeLists of the groups
  layouts: u32; // RunState.layouts of the groups
  rows: u32; // Header.bodyRows of the groups
  partJoints: u32; // scratch of trees.ts: joints of a part
  ends: u32; // those that lead to a body that is not moved
  rootEnd: u32; // end of the joint that holds the root of the last tree, at the root; NONE: it floats
  treeCount: u32; // bodies of the last tree, in the queue
}

/** What a run of the solver has of joints. Groups are places in JointState.order. */
@unmanaged
export class JointRun {
  root: u32; // of the run (lanes/runs.ts)
  firstBody: u32; // address of its first JointBody
  bodyEnd: u32;
  firstGroup: u32;
  firstBlock: u32;
  firstTree: u32;
  groupEnd: u32;
  pad: u32;
}
export const JOINT_RUN_BYTES: usize = 32;
if (offsetof<JointRun>() != JOINT_RUN_BYTES) ERROR('JointRun: size');

export function jointState(): JointState {
  return changetype<JointState>(<usize>header().jointState);
}
export function jointRunAt(i: u32): JointRun {
  return changetype<JointRun>(<usize>jointState().runs + <usize>i * JOINT_RUN_BYTES);
}

/** With the first joint. False without memory (header error set). */
export function initJointState(): bool {
  const h: Header = header();
  if (h.jointState != 0) return true;
  const row: usize = allocate(2 * BODY_ROW_STRIDE + JOINT_PARAMETERS + SCRATCH_BYTES);
  h.jointState = row == 0 ? 0 : <u32>allocate(offsetof<JointState>());
  if (h.jointState == 0) return false;
  jointState().ground = <u32>row;
  jointState().idle = <u32>(row + BODY_ROW_STRIDE);
  jointState().parameters = <u32>(row + 2 * BODY_ROW_STRIDE);
  jointState().scratch = <u32>(row + 2 * BODY_ROW_STRIDE + JOINT_PARAMETERS);
  jointState().stamp = NONE;
  return true;
}
