// Bytes that each kernel of a step reads and writes, from the counts of the step and the sizes of the structs (src/layout.generated.ts).
// A record counts whole where a kernel touches it, as memory moves it in sectors. Workgroup memory and uniforms are no traffic. If you
// change what a kernel touches, change its entry here: tests/profile/model.test.ts compares the buffers with those that it binds.
import type { BufferName } from '../../src/gpu/pipelines';
import type { KernelName } from '../../src/gpu/shader';
import {
  GPU_JOINT_ROWS,
  GPU_REPORTED_ROWS,
  GpuBody,
  GpuContact,
  GpuEdit,
  GpuMotion,
  GpuPose,
  GpuTraits,
  JOINT_ROW_ARMS,
  JOINT_ROW_START,
  JOINT_STATE_ROWS,
  JOINT_TOLD_ROWS,
  SPLIT_LINK_ROW,
  SplitLink,
  SplitMember,
  SplitPoints,
  SplitRow,
  SplitSlot,
  SplitSlotState,
} from '../../src/layout.generated';
import { type CellCounts, islandPasses, NO_CELLS, type Passes, type Step, type StepCounts, visitsOf } from './counts';
import { keptLinks } from './workgroup';

/** Bytes of a row: a vec4 of 32-bit words. */
const ROW = 16;
const WORD = 4;
/** Words of a SplitCell; one more for each color. */
const CELL_WORDS = 8;
/** Fields of a SplitSlotState that passes change: velocity, its start, motion. They come first. */
const MOVING = SplitSlotState.marks - SplitSlotState.v;
/** Fields that `prepare` reads of each of its two sub-bodies: inertia, mass and locks. */
const MASSES = SplitSlotState.accel - SplitSlotState.marks;

/** Traffic of a kernel with one buffer in a step, bytes. */
export interface Touch {
  buffer: BufferName;
  read: number;
  write: number;
}

export type Traffic = Record<KernelName, Touch[]>;

const touch = (buffer: BufferName, times: number, read: number, write = 0): Touch => ({
  buffer,
  read: times * read,
  write: times * write,
});

/** A manifold has four rows of impulses of its points, number by number, and then its own. */
const POINT_ROWS = SPLIT_LINK_ROW;
/** Bytes of the points of a link that every sweep reads, and with the separation at the start, which the first one of a pass reads. */
const SWEPT = SplitPoints.separation - SplitPoints.places;
const PREPARED = SplitPoints.surface - SplitPoints.places;

/** Bytes of impulses that a pass reads of a manifold, and writes: impulses of the points, separations or excess, its own. */
const impulsesOfPass = (counts: StepCounts) => ROW * (KEPT_OF_POINTS + counts.linkRows);
const KEPT_OF_POINTS = 3;
const KEPT = keptLinks();

/** Passes of `solve` or the kernels of islands over their cells. */
function cellTraffic(counts: StepCounts, set: CellCounts, passes: Passes): Touch[] {
  const dispatched = passes.warm + passes.soft + passes.relax + passes.substep;
  const visits = visitsOf(passes, counts.sweeps) * set.links;
  const rows = impulsesOfPass(counts);
  // A pass keeps impulses in workgroup memory from its first sweep to its last.
  const parts = passes.warm + passes.soft + passes.relax + 2 * passes.substep;
  // The first links of a cell; those behind them go to storage in every sweep.
  const kept = set.links > 0 ? Math.min(1, (KEPT * set.cells) / set.links) : 1;
  const stored = kept * set.links * parts + (1 - kept) * visits;
  const border = set === counts.solve ? 1 : 0;
  const means = border * counts.borderReads * (passes.soft + passes.relax + passes.substep);
  const ends = border * counts.borderSlots * (dispatched + passes.substep);
  return [
    touch('cells', set.cells * dispatched, WORD * (CELL_WORDS + set.meanRounds)),
    touch('links', visits, SplitLink.STRIDE),
    touch('points', visits, SWEPT),
    touch('points', set.links * (parts - passes.warm), PREPARED - SWEPT),
    touch('impulses', stored, rows, rows),
    touch('slots', set.slots * dispatched, SplitSlot.STRIDE),
    touch('slotStates', set.slots * dispatched, SplitSlotState.STRIDE, MOVING),
    { buffer: 'rows', read: means * SplitRow.STRIDE, write: ends * SplitRow.STRIDE },
  ];
}

/** Traffic of every kernel of a step. */
export function trafficOf(counts: StepCounts): Traffic {
  const { bodies, links, joints, slots, borderSlots, edits, passes, dispatches } = counts;
  const rows = ROW * (POINT_ROWS + counts.linkRows);
  const all = ROW * counts.impulseRows;
  const edited = ROW * counts.impulseRows;
  const whole = islandPasses(counts.substeps);
  const { islandJoints = { ...NO_CELLS, joints: 0 } } = counts;
  const open = joints - islandJoints.joints;
  const turned = open * (dispatches.turn ?? 0);
  // The first soft pass goes on from the warm one, which has turned them.
  const turnedWhole = islandJoints.joints * (whole.warm + whole.soft + whole.relax - 1);
  const sweptRows = (count: number, by: Passes) =>
    touch('joints', count * visitsOf(by, counts.sweeps), turnedRows + jointRows, jointRows);
  const turnedRows = ROW * (GPU_JOINT_ROWS - JOINT_ROW_ARMS);
  const jointRows = ROW * JOINT_STATE_ROWS;
  return {
    edit: [
      touch('edits', edits, GpuEdit.STRIDE),
      touch('contacts', edits, 0, GpuContact.STRIDE),
      touch('impulses', edits, 0, edited),
      touch('reported', edits, 0, ROW * GPU_REPORTED_ROWS),
    ],
    spread: [
      touch('slots', slots, SplitSlot.STRIDE),
      touch('bodies', slots, GpuBody.STRIDE),
      touch('motions', slots, GpuMotion.STRIDE),
      touch('traits', slots, GpuTraits.STRIDE),
      touch('slotStates', slots, 0, SplitSlotState.STRIDE),
    ],
    prepare: [
      touch('members', links, SplitMember.STRIDE),
      touch('contacts', links, GpuContact.STRIDE),
      touch('slotStates', 2 * links, MASSES),
      touch('links', links, 0, SplitLink.STRIDE),
      touch('points', links, 0, PREPARED),
      touch('impulses', links, all, all),
    ],
    joint: [
      touch('members', joints, SplitMember.STRIDE),
      touch('bodies', 2 * joints, GpuBody.STRIDE),
      touch('slotStates', 2 * joints, MASSES),
      touch('links', joints, 0, ROW),
      touch('joints', joints, ROW * JOINT_TOLD_ROWS, ROW * (JOINT_ROW_ARMS - JOINT_ROW_START) + jointRows),
    ],
    turn: [
      touch('members', turned, SplitMember.STRIDE),
      touch('slotStates', 2 * turned, SplitSlotState.STRIDE),
      touch('slots', 2 * turned, SplitSlot.STRIDE),
      touch('rows', 2 * turned, SplitRow.STRIDE),
      touch('joints', turned, ROW * JOINT_ROW_ARMS, turnedRows),
    ],
    island: cellTraffic(counts, counts.island, whole),
    island_joints: [
      ...cellTraffic(counts, islandJoints, whole),
      touch('joints', turnedWhole, ROW * JOINT_ROW_ARMS, turnedRows),
      sweptRows(islandJoints.joints, whole),
    ],
    solve: [...cellTraffic(counts, counts.solve, passes), sweptRows(open, passes)],
    finalise: [
      touch('owners', bodies, WORD),
      touch('slots', bodies, SplitSlot.STRIDE),
      touch('slotStates', bodies, MOVING),
      touch('rows', borderSlots * (passes.substep > 0 ? 2 : 1), SplitRow.STRIDE),
      touch('bodies', bodies, GpuBody.STRIDE, GpuBody.STRIDE),
      touch('motions', bodies, GpuMotion.STRIDE, GpuMotion.STRIDE),
      touch('poses', bodies, 0, GpuPose.STRIDE),
      touch('bodyReports', 0, 0), // at rest nearly nothing is reported
    ],
    collect: [
      touch('members', links + joints, SplitMember.STRIDE),
      touch('impulses', links, rows),
      touch('joints', joints, jointRows),
      touch('slotStates', 2 * links, MASSES),
      touch('reported', links, ROW * GPU_REPORTED_ROWS),
      touch('jointResults', joints, 0, jointRows),
      touch('linkReports', 0, 0),
    ],
  };
}

/** Bytes of a kernel. */
export function bytesOf(touches: readonly Touch[]): number {
  return touches.reduce((sum, { read, write }) => sum + read + write, 0);
}

/** Bytes of a step. */
export function stepBytes(counts: StepCounts): number {
  return Object.values(trafficOf(counts)).reduce((sum, touches) => sum + bytesOf(touches), 0);
}

/** Bytes that the passes go over again and again: a cache that holds them serves all passes but the first. */
export function workingSet(counts: StepCounts): number {
  const { links, slots, borderSlots, joints } = counts;
  const contacts = links * (SplitLink.STRIDE + PREPARED + ROW * (POINT_ROWS + counts.linkRows));
  const bodies = slots * (SplitSlot.STRIDE + SplitSlotState.STRIDE) + 2 * borderSlots * SplitRow.STRIDE;
  return contacts + bodies + joints * ROW * GPU_JOINT_ROWS;
}

/** The step of these counts by this build. */
export function stepOf(counts: StepCounts): Step {
  return { ...counts, bytes: stepBytes(counts), workingSet: workingSet(counts) };
}
