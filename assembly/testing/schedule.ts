// Test entry of the solver on lanes: the passes of a batch as tasks of one body or one group each, to be done in any order that
// keeps what each body sees. All bodies must be in one batch, nothing bounces.
import { BLOCK_STEP, Header, LaneState } from '../layout.generated';
import { laneState } from '../lanes/lane_layout';
import { listBatches, batchAt, batchState } from '../lanes/batches';
import { splatW } from '../math/lane';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { prepareGroups } from '../sweep/lane_rows';
import { moveBodies, repeatBodies, startBodies, storeParameters } from '../sweep/wide_bodies';
import { ADVANCE, LAST } from '../sweep/solve_group';
import { relaxGroups, rescaleGroups, softGroups, warmGroups } from '../sweep/wide_sweep';
import { threadBlock } from '../threads/team';

export { moveFixed } from '../sweep/wide_bodies';

/** Begins a solve by tasks. Returns the number of bodies, 0 without memory or where there is more than one batch. */
export function testBeginTasks(): u32 {
  const h: Header = header();
  const startRows: usize = changetype<usize>(laneState()) + offsetof<LaneState>('startRows');
  if (!listBatches() || !ensureArray(startRows, 32, h.bodyCount)) return 0;
  prepareGroups();
  const substep: f32 = h.dt / <f32>h.substeps;
  storeParameters(threadBlock() + BLOCK_STEP, substep, substep);
  for (let i: u32 = 1; i < batchState().count; i++) if (batchAt(i).bodyEnd != batchAt(i).firstBody) return 0;
  return batchState().listed;
}
export function testTaskBody(at: u32): u32 {
  return load<u32>(<usize>batchState().bodies + ((<usize>at) << 2));
}
export function testTaskGroups(): u32 {
  return batchAt(0).groupEnd;
}
export function testTaskGroup(at: u32): u32 {
  return load<u32>(<usize>batchState().words + ((<usize>at) << 2));
}

/** A pass over the body at place `at`: first substep, a later one, motion. */
export function testBodyTask(pass: u32, at: u32): void {
  const h: Header = header();
  const body: usize = <usize>batchState().bodies + ((<usize>at) << 2),
    starts: usize = laneState().startRows;
  const step: v128 = splatW(h.dt / <f32>h.substeps);
  if (pass == 0) startBodies(body, 1, h.bodyRows, starts, h.bodyAccels, step);
  else if (pass == 1) repeatBodies(body, 1, h.bodyRows, starts);
  else moveBodies(body, 1, h.bodyRows, h.bodyDeltas, step);
}

/** A pass over the group at place `at`: warm start, soft, relax, relax of the last substep. */
export function testGroupTask(pass: u32, at: u32): void {
  const h: Header = header();
  const word: usize = <usize>batchState().words + ((<usize>at) << 2);
  const params: usize = threadBlock() + BLOCK_STEP;
  const starts: usize = pass == 3 ? 0 : laneState().startRows;
  if (pass == 0) warmGroups(word, word + 4, h.bodyRows, params, false);
  else if (pass == 1) softGroups(word, word + 4, h.bodyRows, params, false, false);
  else relaxGroups(word, word + 4, h.bodyRows, params, starts, ADVANCE | LAST);
}

/** Impulses of the group at place `at` become those of substeps of h seconds. */
export function testRescaleGroup(at: u32, h: f32): void {
  const word: usize = <usize>batchState().words + ((<usize>at) << 2);
  rescaleGroups(word, word + 4, h, threadBlock() + BLOCK_STEP);
}
