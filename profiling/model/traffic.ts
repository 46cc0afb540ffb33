// Bytes that each kernel of a step reads and writes, from the counts of the step and the sizes of the structs (src/layout.generated.ts).
// A record counts whole where a kernel touches it, as memory moves it in sectors. Workgroup memory and uniforms are no traffic. If you
// change what a kernel touches, change its entry here: tests/profile/model.test.ts compares the buffers with those that it binds.
import type { BufferName } from '../../src/gpu/pipelines';
import type { KernelName } from '../../src/gpu/shader';
import {
  GPU_JOINT_ROWS,
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
  SplitPoint,
  SplitRow,
  SplitSlot,
  SplitSlotState,
} from '../../src/layout.generated';
import { type CellCounts, islandPasses, type Passes, type StepCounts, visitsOf } from './counts';

/** Bytes of the structs, by name. A measurement keeps those of its build. */
export type Strides = Record<(typeof STRUCTS)[number], number>;

const STRUCTS = [
  'SplitLink',
  'SplitPoint',
  'SplitSlot',
  'SplitSlotState',
  'SplitRow',
  'SplitMember',
  'GpuContact',
  'GpuEdit',
  'GpuBody',
  'GpuTraits',
  'GpuMotion',
  'GpuPose',
] as const;

/** Strides of this build. */
export const STRIDES: Strides = {
  SplitLink: SplitLink.STRIDE,
  SplitPoint: SplitPoint.STRIDE,
  SplitSlot: SplitSlot.STRIDE,
  SplitSlotState: SplitSlotState.STRIDE,
  SplitRow: SplitRow.STRIDE,
  SplitMember: SplitMember.STRIDE,
  GpuContact: GpuContact.STRIDE,
  GpuEdit: GpuEdit.STRIDE,
  GpuBody: GpuBody.STRIDE,
  GpuTraits: GpuTraits.STRIDE,
  GpuMotion: GpuMotion.STRIDE,
  GpuPose: GpuPose.STRIDE,
};

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

/** A manifold has impulses of this many points, and then its own. */
const POINT_ROWS = SPLIT_LINK_ROW;

const pointsOfLink = ({ points, links }: StepCounts) => (links > 0 ? points / links : 0);

/** Bytes of impulses that a sweep touches for a mean manifold. */
const impulsesOfSweep = (counts: StepCounts) => ROW * (pointsOfLink(counts) + counts.linkRows);

/** Passes of `solve` or `island` over their cells. */
function cellTraffic(counts: StepCounts, set: CellCounts, passes: Passes, s: Strides): Touch[] {
  const dispatched = passes.warm + passes.soft + passes.relax + passes.substep;
  const visits = visitsOf(passes, counts.sweeps) * set.links;
  const rows = impulsesOfSweep(counts);
  const border = set === counts.solve ? 1 : 0;
  const means = border * counts.borderReads * (passes.soft + passes.relax + passes.substep);
  const ends = border * counts.borderSlots * (dispatched + passes.substep);
  return [
    touch('cells', set.cells * dispatched, WORD * (CELL_WORDS + set.meanRounds)),
    touch('links', visits, s.SplitLink),
    touch('points', visits * pointsOfLink(counts), s.SplitPoint),
    touch('impulses', visits, rows, rows),
    touch('slots', set.slots * dispatched, s.SplitSlot),
    touch('slotStates', set.slots * dispatched, s.SplitSlotState, MOVING),
    { buffer: 'rows', read: means * s.SplitRow, write: ends * s.SplitRow },
  ];
}

/** Traffic of every kernel of a step. */
export function trafficOf(counts: StepCounts, s: Strides = STRIDES): Traffic {
  const { bodies, links, points, joints, slots, borderSlots, edits, passes, dispatches } = counts;
  const rows = impulsesOfSweep(counts);
  const all = ROW * (pointsOfLink(counts) + counts.impulseRows - POINT_ROWS);
  const edited = ROW * counts.impulseRows;
  const turned = joints * (dispatches.turn ?? 0);
  const jointSweeps = joints * visitsOf(passes, counts.sweeps);
  const turnedRows = ROW * (GPU_JOINT_ROWS - JOINT_ROW_ARMS);
  const jointRows = ROW * JOINT_STATE_ROWS;
  return {
    edit: [touch('edits', edits, s.GpuEdit), touch('contacts', edits, 0, s.GpuContact), touch('impulses', edits, 0, edited)],
    spread: [
      touch('slots', slots, s.SplitSlot),
      touch('bodies', slots, s.GpuBody),
      touch('traits', slots, s.GpuTraits),
      touch('slotStates', slots, 0, s.SplitSlotState),
    ],
    prepare: [
      touch('members', links, s.SplitMember),
      touch('contacts', links, s.GpuContact),
      touch('slotStates', 2 * links, MASSES),
      touch('links', links, 0, s.SplitLink),
      touch('points', points, 0, s.SplitPoint),
      touch('impulses', links, all, all),
    ],
    joint: [
      touch('members', joints, s.SplitMember),
      touch('bodies', 2 * joints, s.GpuBody),
      touch('slotStates', 2 * joints, MASSES),
      touch('links', joints, 0, ROW),
      touch('joints', joints, ROW * JOINT_TOLD_ROWS, ROW * (JOINT_ROW_ARMS - JOINT_ROW_START) + jointRows),
    ],
    turn: [
      touch('members', turned, s.SplitMember),
      touch('slotStates', 2 * turned, s.SplitSlotState),
      touch('slots', 2 * turned, s.SplitSlot),
      touch('rows', 2 * turned, s.SplitRow),
      touch('joints', turned, ROW * JOINT_ROW_ARMS, turnedRows),
    ],
    island: cellTraffic(counts, counts.island, islandPasses(counts.substeps), s),
    solve: [...cellTraffic(counts, counts.solve, passes, s), touch('joints', jointSweeps, turnedRows + jointRows, jointRows)],
    finalise: [
      touch('owners', bodies, WORD),
      touch('slots', bodies, s.SplitSlot),
      touch('slotStates', bodies, MOVING),
      touch('rows', borderSlots * (passes.substep > 0 ? 2 : 1), s.SplitRow),
      touch('bodies', bodies, s.GpuBody, s.GpuBody),
      touch('motions', bodies, 0, s.GpuMotion),
      touch('poses', bodies, 0, s.GpuPose),
    ],
    collect: [
      touch('members', links + joints, s.SplitMember),
      touch('impulses', links, rows),
      touch('joints', joints, jointRows),
      touch('results', 1, 0, links * rows + joints * jointRows),
    ],
  };
}

/** Bytes of a kernel. */
export function bytesOf(touches: readonly Touch[]): number {
  return touches.reduce((sum, { read, write }) => sum + read + write, 0);
}

/** Bytes of a step. */
export function stepBytes(counts: StepCounts, strides: Strides = STRIDES): number {
  return Object.values(trafficOf(counts, strides)).reduce((sum, touches) => sum + bytesOf(touches), 0);
}

/** Bytes that the passes go over again and again: a cache that holds them serves all passes but the first. */
export function workingSet(counts: StepCounts, s: Strides = STRIDES): number {
  const { links, points, slots, borderSlots, joints } = counts;
  const contacts = links * (s.SplitLink + impulsesOfSweep(counts)) + points * s.SplitPoint;
  const bodies = slots * (s.SplitSlot + s.SplitSlotState) + 2 * borderSlots * s.SplitRow;
  return contacts + bodies + joints * ROW * GPU_JOINT_ROWS;
}
