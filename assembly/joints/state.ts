// The joint stage's own block: rows of bodies, groups, and where each run of the solver finds its own: batch by batch.
import {
  BODY_ROW_STRIDE,
  Header,
  JOINT_PARAMETERS_STRIDE,
  JOINT_SCRATCH_STRIDE,
  JointParameters,
  JointScratch,
  NONE,
} from '../layout.generated';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';
import { BLOCK_JOINTS, BLOCK_PAUSE, threadBlock } from '../threads/team';

if (BLOCK_JOINTS + JOINT_PARAMETERS_STRIDE + JOINT_SCRATCH_STRIDE > BLOCK_PAUSE) ERROR('scratch of joints');

/** Arrays are a base and a capacity each. */
@unmanaged
export class JointState {
  bodies: u32; // JointBody[], batch by batch, each one's a multiple of four
  bodyCapacity: u32;
  groups: u32; // bytes: groups one behind the other
  groupCapacity: u32;
  order: u32; // u32[]: addresses of groups, batch by batch: those that lock no axis, blocks, trees from the leaves to the roots
  orderCapacity: u32;
  entries: u32; // u64[2] an entry: key, what it is (build.ts)
  entryCapacity: u32;
  batches: u32; // JointBatch[]
  batchCapacity: u32;
  heads: u32; // u32[] a run of the solver: its newest batch, NONE
  headCapacity: u32;
  parts: u32; // u32[2] a body: sets of what joints connect (math/union_find.ts), then the batch of each set, NONE
  partCapacity: u32;
  bodyWords: u32; // u32[4] a body: scratch of trees.ts
  bodyWordCapacity: u32;
  queue: u32; // u32[]: bodies, scratch of trees.ts
  queueCapacity: u32;
  entryCount: u32;
  groupCount: u32;
  batchCount: u32;
  headCount: u32;
  grounds: u32; // BodyRow[2] a batch: zeros, and what unused lanes move
  groundCapacity: u32;
  builds: u32; // times that groups were made
  stamp: u32; // Header.jointStamp of the groups
  awakeLists: u32; // Header.awakeLists of the groups
  layouts: u32; // RunState.layouts of the groups
  rows: u32; // Header.bodyRows of the groups
  partJoints: u32; // scratch of trees.ts: joints of a part
  ends: u32; // those that lead to a body that is not moved
  rootEnd: u32; // end of the joint that holds the root of the last tree, at the root; NONE: it floats
  treeCount: u32; // bodies of the last tree, in the queue
}

/**
 * Joints that go through each stage of a substep together: some of those of a run, few enough to stay in the cache and to come to
 * rest together. No joint couples two batches. Groups are places in JointState.order.
 */
@unmanaged
export class JointBatch {
  next: u32; // batch of the same run, NONE
  firstBody: u32; // address of its first JointBody
  bodyEnd: u32;
  firstGroup: u32;
  firstBlock: u32;
  firstTree: u32;
  groupEnd: u32;
  parts: u32; // connected parts
  entries: u32; // joints, and roots that float
  rests: u32; // 1: rows may stay as they are while nothing moves
  moved: f32; // bound of what its bodies have moved and turned since the last turn of its rows (m, rad)
  turned: u32; // 1: rows were turned in this substep
  units: u32; // 1: something comes before the locked axes (units.ts)
  grown: u32; // 1: a load has grown in the last soft pass (loads.ts)
  raised: u32; // 1: a body has raised inertia in this step (loads.ts)
  gained: f32; // kinetic energy (J) that its trees have added in this step where `raised`
}
export const JOINT_BATCH_BYTES: usize = offsetof<JointBatch>();

export function jointState(): JointState {
  return changetype<JointState>(<usize>header().jointState);
}
export function jointBatchAt(i: u32): JointBatch {
  return changetype<JointBatch>(<usize>jointState().batches + <usize>i * JOINT_BATCH_BYTES);
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
  return changetype<JointScratch>(threadBlock() + BLOCK_JOINTS + JOINT_PARAMETERS_STRIDE);
}

/** With the first joint. False without memory (header error set). */
export function initJointState(): bool {
  const h: Header = header();
  if (h.jointState != 0) return true;
  h.jointState = <u32>allocate(offsetof<JointState>());
  if (h.jointState == 0) return false;
  jointState().stamp = NONE;
  return true;
}
