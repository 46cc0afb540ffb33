// PGS on lanes, four manifolds at once: sequential (SOLVER_WIDE, the default on the CPU) or graph-colored (SOLVER_COLORED).
//
// Soft contacts in substeps, each with one soft and one relax pass; friction per manifold at the mean of its points with a
// circular bound, and a twist row; all rows frozen during the step (docs/solvers.md). The four lanes of a group share no
// dynamic body; the groups of one color do not either.
// The world goes through its substeps run by run (runs.ts), each with a number of its own; colored, all at once. Here runs are
// listed and handed out, to this thread (wide_run.ts) or to several (schedule.ts). Passes over bodies are in wide_bodies.ts,
// those over contacts in wide_sweep.ts.
// Input: lanes (lanes.ts), runs, BodyRow, BodyAccel. Output: BodyRow, BodyDelta, impulses and separations in the lanes.
import { Header, SOLVER_COLORED, SOLVER_WIDE } from '../layout.generated';
import { countSubsteps } from '../constraints/soft_step';
import { STUDY } from '../edition';
import { HIT_LIST, LISTS, OVERFLOW, SEQUENTIAL, START_ROWS, colorList } from '../lanes/lane_layout';
import { Run, RunState, listRuns, openSubsteps, runAt, runState } from '../lanes/runs';
import { jointsOfRun, prepareJoints } from '../joints/solve';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { isAlone } from '../threads/team';
import { prepareGroups } from './lane_rows';
import { solveTogether } from './schedule';
import { moveFixed } from './wide_bodies';
import { solveRun, solveWhole } from './wide_run';

/**
 * Puts the groups of all colors into the list of the runs: overflow, colors (those against static bodies last). Returns
 * its end.
 */
function listColors(): usize {
  let out: usize = runState().words,
    colors: u32 = 0;
  for (let c: u32 = 0; c < SEQUENTIAL; c++) {
    const list: usize = colorList(c == 0 ? OVERFLOW : c - 1);
    const bytes: usize = (<usize>load<u32>(list, 8)) << 2;
    memory.copy(out, load<u32>(list), bytes);
    if (bytes != 0) colors++;
    out += bytes;
  }
  header().colorCount = colors;
  return out;
}

/** Runs all substeps of a step. Returns false without memory (nothing was solved). */
export function solveLanes(): bool {
  const hd: Header = header();
  const state: usize = hd.laneState;
  const runs: RunState = runState();
  let groups: u32 = 0;
  for (let c: u32 = 0; c < LISTS; c++) groups += load<u32>(colorList(c), 8);
  if (!ensureArray(state + START_ROWS, 32, hd.bodyCount)) return false;
  if (!ensureArray(state + HIT_LIST, 4, groups)) return false;
  const words: usize = changetype<usize>(runs) + offsetof<RunState>('words');
  if (!prepareJoints(hd.solver == SOLVER_WIDE) || !listRuns() || !ensureArray(words, 4, groups)) return false;
  prepareGroups();
  store<u32>(state, 0, HIT_LIST + 8);
  const bodies: usize = runs.bodies;
  moveFixed(bodies + ((<usize>runs.listed) << 2), hd.awakeCount - runs.listed);
  hd.colorCount = 0;
  if (STUDY && hd.solver == SOLVER_COLORED) {
    solveRun(hd.substeps, bodies, runs.listed, runs.words, listColors(), jointsOfRun(0));
    return true;
  }
  if (!isAlone() && hd.sweeps == 1) {
    if (!solveTogether()) return false;
  } else {
    for (let i: u32 = 0; i < runs.count; i++) solveWhole(i);
  }
  let most: u32 = openSubsteps();
  for (let i: u32 = 0; i < runs.count; i++) if (runAt(i).bodyEnd != runAt(i).firstBody) most = max<u32>(most, runAt(i).substeps);
  if (hd.autoSubsteps != 0) hd.substeps = most;
  countSubsteps();
  return true;
}
