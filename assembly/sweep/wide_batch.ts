// A batch (lanes/batches.ts) through all substeps of a step, pass by pass: the plain loop of PGS on lanes. schedule.ts does the
// same for several threads.
// Input: bodies, groups and joints of the batch. Output: BodyRow, BodyDelta, impulses and separations in the lanes.
import { BLOCK_STEP, Header, ImpactState, SolverBatch, BatchState, STEP_TIME } from '../layout.generated';
import { softLength, substepsInStep } from '../constraints/soft_step';
import { NO_JOINTS, beginJoints, endJoints, jointsOfBatch, moveJoints, solveJoints, startJoints } from '../joints/solve';
import { laneState } from '../lanes/lane_layout';
import { batchAt, batchState } from '../lanes/batches';
import { splatW } from '../math/lane';
import { header } from '../memory/header';
import { threadBlock } from '../threads/team';
import { changesSubsteps, moveBodies, repeatBodies, setSubsteps, startBodies, storeParameters } from './wide_bodies';
import { ADVANCE, LAST } from './solve_group';
import {
  BOUNCING,
  SPECIAL,
  WATCHED,
  markBounces,
  recordImpulses,
  relaxGroups,
  rescaleGroups,
  softGroups,
  warmGroups,
} from './wide_sweep';

/** Impulses of a batch for substeps of h seconds. Before anything of the step. */
export function prepareBatch(h: f32, bodies: usize, count: u32, words: usize, end: usize): void {
  if (!changesSubsteps(bodies, count, h)) return;
  rescaleGroups(words, end, h, threadBlock() + BLOCK_STEP);
  setSubsteps(bodies, count, h);
}

/** Rows at the start of a substep, by body. */
export function startRows(): usize {
  return laneState().startRows;
}

/** Whether impulses of contacts are summed up in this step. */
export function isWatched(): bool {
  const h: Header = header();
  if ((h.watchedCount | h.followedCount) != 0) return true;
  return h.impactState != 0 && changetype<ImpactState>(<usize>h.impactState).linkCount != 0;
}

/** Whether surfaces may move, or bodies have locked axes. */
export function isSpecial(): bool {
  return (header().anyLocks | header().anySurface) != 0;
}

/**
 * Takes bodies, the groups named in [words, end) and the joints of a batch through all substeps of a step; in one of
 * Header.softStep they are `asked`.
 */
export function solveBatch(asked: u32, bodies: usize, count: u32, words: usize, end: usize, joints: u32): void {
  const hd: Header = header();
  const rows: usize = hd.bodyRows,
    starts: usize = startRows(),
    deltas: usize = hd.bodyDeltas;
  const sweeps: u32 = hd.sweeps;
  const substeps: u32 = substepsInStep(asked);
  const h: f32 = hd.dt / <f32>substeps,
    soft: f32 = softLength(asked);
  const hW: v128 = splatW(h);
  const params: usize = threadBlock() + BLOCK_STEP;
  storeParameters(params, h, soft);
  const bouncing: bool = markBounces(words, end);
  const special: bool = isSpecial();
  // Flags of all relax passes.
  const always: u32 = (isWatched() ? WATCHED : 0) | (bouncing ? BOUNCING : 0) | (special ? SPECIAL : 0);
  prepareBatch(h, bodies, count, words, end);
  startBodies(bodies, count, rows, starts, hd.bodyAccels, hW);
  warmGroups(words, end, rows, params, special);
  const jointed: bool = joints != NO_JOINTS;
  if (jointed) beginJoints(joints, h, soft);
  for (let s: u32 = 0; s < substeps; s++) {
    if (s != 0) repeatBodies(bodies, count, rows, starts);
    if (jointed) startJoints(joints, s == 0);
    store<f32>(params, (<f32>s + 0.5) * h, STEP_TIME);
    for (let k: u32 = 0; k < sweeps; k++) {
      softGroups(words, end, rows, params, bouncing, special);
      if (jointed) solveJoints(joints, true);
    }
    if (bouncing) recordImpulses(words, end);
    moveBodies(bodies, count, rows, deltas, hW);
    if (jointed) moveJoints(joints, h);
    // The next step corrects what the last substep leaves.
    const left: usize = s + 1 < substeps ? starts : 0;
    for (let k: u32 = 0; k < sweeps; k++) {
      // An impact may be met by a relax pass alone: its impulse is out of the warm start before the next soft pass.
      const first: u32 = k == 0 ? ADVANCE : 0,
        last: u32 = k == sweeps - 1 ? LAST : 0;
      relaxGroups(words, end, rows, params, left, first | last | always);
      if (jointed) solveJoints(joints, false);
    }
  }
  if (jointed) endJoints(joints, h);
}

/** All of the batch with number `index`, if it has bodies. */
export function solveWhole(index: u32): void {
  const batches: BatchState = batchState();
  const batch: SolverBatch = batchAt(index);
  if (batch.bodyEnd == batch.firstBody) return;
  const first: usize = <usize>batches.bodies + ((<usize>batch.firstBody) << 2),
    words: usize = <usize>batches.words + ((<usize>batch.firstGroup) << 2),
    end: usize = <usize>batches.words + ((<usize>batch.groupEnd) << 2);
  solveBatch(batch.substeps, first, batch.bodyEnd - batch.firstBody, words, end, jointsOfBatch(index));
}
