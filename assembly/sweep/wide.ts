// PGS on lanes, four manifolds at once (SOLVER_WIDE, the default on the CPU).
//
// Soft contacts in substeps, each with one soft and one relax pass; friction per manifold at the mean of its points with a
// circular bound, and a twist row; all rows frozen during the step (docs/solvers.md). The four lanes of a group share no
// dynamic body. The world goes through its substeps batch by batch (batches.ts), each with a number of its own. Here batches
// are listed and handed out, to this thread (wide_batch.ts) or to several (schedule.ts). Passes over bodies are in
// wide_bodies.ts, those over contacts in wide_sweep.ts.
// Input: lanes (lanes.ts), batches, BodyRow, BodyAccel. Output: BodyRow, BodyDelta, impulses and separations in the lanes.
import { Header, LaneState, BatchState } from '../layout.generated';
import { countSubsteps } from '../constraints/soft_step';
import { groupList, hitGroups, laneState } from '../lanes/lane_layout';
import { listBatches, openSubsteps, batchAt, batchState } from '../lanes/batches';
import { prepareJoints } from '../joints/solve';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { isAlone } from '../threads/team';
import { prepareGroups } from './lane_rows';
import { solveTogether } from './schedule';
import { moveFixed } from './wide_bodies';
import { solveWhole } from './wide_batch';
import { wordRoom } from '../lanes/lanes';

/**
 * Readies a step of so many groups: batches, joints (by batch or all together), rows of lanes; moves the bodies that no
 * constraint does. Returns false without memory (nothing was solved).
 */
export function beginLanes(groups: u32, byBatch: bool): bool {
  const hd: Header = header();
  const batches: BatchState = batchState();
  const startRows: usize = changetype<usize>(laneState()) + offsetof<LaneState>('startRows');
  if (!ensureArray(startRows, 32, hd.bodyCount) || !wordRoom(hitGroups(), groups)) return false;
  const words: usize = changetype<usize>(batches) + offsetof<BatchState>('words');
  if (!prepareJoints(byBatch) || !listBatches() || !ensureArray(words, 4, groups)) return false;
  prepareGroups();
  hitGroups().count = 0;
  moveFixed(<usize>batches.bodies + ((<usize>batches.listed) << 2), hd.awakeCount - batches.listed);
  hd.colorCount = 0;
  return true;
}

/** Batches all substeps of a step. Returns false without memory (nothing was solved). */
export function solveLanes(): bool {
  const hd: Header = header();
  const batches: BatchState = batchState();
  if (!beginLanes(groupList().count, true)) return false;
  if (!isAlone() && hd.sweeps == 1) {
    if (!solveTogether()) return false;
  } else {
    for (let i: u32 = 0; i < batches.count; i++) solveWhole(i);
  }
  endLanes();
  return true;
}

/** Tells how many substeps the step had. */
export function endLanes(): void {
  const hd: Header = header();
  const batches: BatchState = batchState();
  let most: u32 = openSubsteps();
  for (let i: u32 = 0; i < batches.count; i++)
    if (batchAt(i).bodyEnd != batchAt(i).firstBody) most = max<u32>(most, batchAt(i).substeps);
  if (hd.autoSubsteps != 0) hd.substeps = most;
  countSubsteps();
}
