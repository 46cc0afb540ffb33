// PGS on lanes, four manifolds at once: sequential (SOLVER_WIDE, the default on the CPU) or graph-colored (SOLVER_COLORED).
//
// Soft contacts in substeps, each with one soft and one relax pass; friction per manifold at the mean of its points with a
// circular bound, and a twist row; all rows frozen during the step (docs/solvers.md). The four lanes of a group share no
// dynamic body; the groups of one color do not either.
// Because rows, masses and accelerations are frozen, the impulses that a substep ended with act on a body exactly as
// v_end - v_start of that substep did: the warm start of the next substep is u = v_end + (v_end - v_start), a pass over
// bodies instead of one over contacts.
// Here are the passes over bodies and the order of all passes; those over contacts are in wide_sweep.ts.
// The world goes through its substeps run by run (runs.ts), each with a number of its own; colored, all at once.
// Input: lanes (lanes.ts), runs, BodyRow, BodyAccel. Output: BodyRow, BodyDelta, impulses and separations in the lanes.
import { BODY_ACCEL_STRIDE, BODY_DELTA_STRIDE, BODY_ROW_STRIDE, Header, SOLVER_COLORED, SOLVER_WIDE } from '../layout.generated';
import { STUDY } from '../edition';
import { HIT_LIST, LISTS, OVERFLOW, PARAMS, SEQUENTIAL, SPIKE_LIST, START_ROWS, colorList } from '../lanes/lane_layout';
import { Run, RunState, leastSubsteps, listRuns, runAt, runState } from '../lanes/runs';
import { addW, boundSpinW, boundW, mulAddW, splatW, subW } from '../math/lane';
import {
  NO_JOINTS,
  beginJoints,
  endJoints,
  jointsOfRun,
  moveJoints,
  prepareJoints,
  solveJoints,
  startJoints,
} from '../joints/solve';
import { ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { prepareGroups } from './lane_rows';
import {
  STEP_H,
  STEP_INV_H,
  STEP_PUSH,
  STEP_SLOP,
  STEP_SOFT,
  STEP_SOFT_STATIC,
  STEP_TIME,
  STEP_WARM_START,
  bounces,
  clearLargest,
  recordImpulses,
  relaxGroups,
  rescaleGroups,
  softGroups,
  takeBackSpikes,
  warmGroups,
} from './wide_sweep';

function bodyAt(bodies: usize, k: u32): usize {
  return <usize>load<u32>(bodies + ((<usize>k) << 2));
}

// First substep: v_start = v, v += h a.
export function startBodies(bodies: usize, count: u32, rows: usize, starts: usize, accels: usize, h: v128): void {
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = bodyAt(bodies, k);
    const row: usize = rows + i * BODY_ROW_STRIDE,
      accel: usize = accels + i * BODY_ACCEL_STRIDE;
    const v: v128 = v128.load(row),
      w: v128 = v128.load(row, 16);
    v128.store(starts, v);
    v128.store(starts, w, 16);
    v128.store(row, mulAddW(h, v128.load(accel), v));
    v128.store(row, mulAddW(h, v128.load(accel, 16), w), 16);
    starts += 32;
  }
}

// Later substeps: gravity, forces and the impulses of the last substep at once.
export function repeatBodies(bodies: usize, count: u32, rows: usize, starts: usize): void {
  for (let k: u32 = 0; k < count; k++) {
    const row: usize = rows + bodyAt(bodies, k) * BODY_ROW_STRIDE;
    const v: v128 = boundW(v128.load(row)),
      w: v128 = boundSpinW(v128.load(row, 16));
    v128.store(row, addW(v, subW(v, v128.load(starts))));
    v128.store(row, addW(w, subW(w, v128.load(starts, 16))), 16);
    v128.store(starts, v);
    v128.store(starts, w, 16);
    starts += 32;
  }
}

// Positions: the velocity is kept in the row for the relax pass, the motion is summed in the delta.
export function moveBodies(bodies: usize, count: u32, rows: usize, deltas: usize, h: v128): void {
  const xyz: v128 = i32x4(-1, -1, -1, 0);
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = bodyAt(bodies, k);
    const row: usize = rows + i * BODY_ROW_STRIDE,
      delta: usize = deltas + i * BODY_DELTA_STRIDE;
    const v: v128 = v128.and(v128.load(row), xyz),
      w: v128 = v128.load(row, 16);
    v128.store(row, v, 32);
    v128.store(row, w, 48);
    v128.store(delta, mulAddW(h, v, v128.load(delta)));
    v128.store(delta, mulAddW(h, w, v128.load(delta, 16)), 16);
  }
}

// Bodies that contacts do not move go through the step at once, before the others, which see their velocities.
function moveFixed(bodies: usize, count: u32): void {
  const h: Header = header();
  const dt: v128 = splatW(h.dt);
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = bodyAt(bodies, k);
    const row: usize = <usize>h.bodyRows + i * BODY_ROW_STRIDE,
      accel: usize = <usize>h.bodyAccels + i * BODY_ACCEL_STRIDE;
    v128.store(row, mulAddW(dt, v128.load(accel), v128.load(row)));
    v128.store(row, mulAddW(dt, v128.load(accel, 16), v128.load(row, 16)), 16);
  }
  moveBodies(bodies, count, h.bodyRows, h.bodyDeltas, dt);
}

/** Whether impulses on bodies belong to substeps of another length than h. */
function changesSubsteps(bodies: usize, count: u32, h: f32): bool {
  const lengths: usize = header().bodySubsteps;
  for (let k: u32 = 0; k < count; k++) if (load<f32>(lengths + (bodyAt(bodies, k) << 2)) != h) return true;
  return false;
}

function setSubsteps(bodies: usize, count: u32, h: f32): void {
  const lengths: usize = header().bodySubsteps;
  for (let k: u32 = 0; k < count; k++) store<f32>(lengths + (bodyAt(bodies, k) << 2), h);
}

/** Soft-contact coefficients for angular frequency omega: bias rate, mass scale, impulse scale. */
function storeSoftness(params: usize, omega: f32, zeta: f32, h: f32): void {
  const a1: f32 = 2 * zeta + h * omega;
  const a2: f32 = h * omega * a1;
  v128.store(params, splatW(omega / a1));
  v128.store(params, splatW(a2 / (1 + a2)), 16);
  v128.store(params, splatW(1 / (1 + a2)), 32);
}

export function storeParameters(params: usize, h: f32): void {
  const hd: Header = header();
  const omega: f32 = (<f32>6.2831853 * hd.contactHertzRatio) / h;
  v128.store(params, splatW(h), STEP_H);
  v128.store(params, splatW(1 / h), STEP_INV_H);
  storeSoftness(params + STEP_SOFT, omega, hd.dampingRatio, h);
  storeSoftness(params + STEP_SOFT_STATIC, 2 * omega, hd.dampingRatio, h);
  v128.store(params, splatW(-hd.pushSpeed), STEP_PUSH);
  v128.store(params, splatW(hd.linearSlop), STEP_SLOP);
  v128.store(params, splatW(hd.warmStart), STEP_WARM_START);
}

/** Returns whether anything bounces: then largest impulses are kept. */
function beginGroups(words: usize, end: usize): bool {
  for (let at: usize = words; at < end; at += 4) {
    if (!bounces(load<u32>(at))) continue;
    clearLargest(words, end);
    return true;
  }
  return false;
}

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

/** Takes bodies, the groups named in [words, end) and the joints of a run through all substeps of a step. */
function solveRun(substeps: u32, bodies: usize, count: u32, words: usize, end: usize, joints: u32): void {
  const hd: Header = header();
  const state: usize = hd.laneState;
  const rows: usize = hd.bodyRows,
    starts: usize = load<u32>(state, START_ROWS),
    deltas: usize = hd.bodyDeltas,
    spikes: usize = load<u32>(state, SPIKE_LIST);
  const sweeps: u32 = hd.sweeps;
  const h: f32 = hd.dt / <f32>substeps;
  const hW: v128 = splatW(h);
  const params: usize = state + PARAMS;
  storeParameters(params, h);
  const bouncing: bool = beginGroups(words, end);
  const watched: bool = (hd.watchedCount | hd.followedCount) != 0,
    special: bool = (hd.anyLocks | hd.anySurface) != 0;

  if (changesSubsteps(bodies, count, h)) {
    rescaleGroups(words, end, h, params);
    setSubsteps(bodies, count, h);
  }
  startBodies(bodies, count, rows, starts, hd.bodyAccels, hW);
  warmGroups(words, end, rows, params, special);
  const jointed: bool = joints != NO_JOINTS;
  if (jointed) beginJoints(joints, h);
  let spiked: usize = spikes;
  for (let s: u32 = 0; s < substeps; s++) {
    if (s != 0) {
      repeatBodies(bodies, count, rows, starts);
      takeBackSpikes(spikes, spiked, rows, params, special);
    }
    if (jointed) startJoints(joints, s == 0);
    store<f32>(params, (<f32>s + 0.5) * h, STEP_TIME);
    for (let k: u32 = 0; k < sweeps; k++) {
      softGroups(words, end, rows, params, special);
      if (jointed) solveJoints(joints, true);
    }
    if (bouncing) recordImpulses(words, end);
    moveBodies(bodies, count, rows, deltas, hW);
    if (jointed) moveJoints(joints, h);
    spiked = spikes;
    for (let k: u32 = 0; k < sweeps; k++) {
      spiked = relaxGroups(words, end, rows, params, k == 0, k == sweeps - 1, watched, spiked, special);
      if (jointed) solveJoints(joints, false);
    }
    // An impact may be met by a relax pass alone: its impulse is out of the warm start before the next soft pass.
    if (bouncing) recordImpulses(words, end);
  }
  if (jointed) endJoints(joints, h);
}

/** Runs all substeps of a step. Returns false without memory (nothing was solved). */
export function solveLanes(): bool {
  const hd: Header = header();
  const state: usize = hd.laneState;
  const runs: RunState = runState();
  let groups: u32 = 0;
  for (let c: u32 = 0; c < LISTS; c++) groups += load<u32>(colorList(c), 8);
  if (!ensureCapacity(state + START_ROWS, state + START_ROWS + 4, 32, hd.awakeCount)) return false;
  if (!ensureCapacity(state + SPIKE_LIST, state + SPIKE_LIST + 4, 4, groups)) return false;
  if (!ensureCapacity(state + HIT_LIST, state + HIT_LIST + 4, 4, groups)) return false;
  const words: usize = changetype<usize>(runs) + offsetof<RunState>('words');
  if (!prepareJoints(hd.solver == SOLVER_WIDE) || !listRuns() || !ensureCapacity(words, words + 4, 4, groups)) return false;
  prepareGroups();
  store<u32>(state, 0, HIT_LIST + 8);
  const bodies: usize = runs.bodies;
  moveFixed(bodies + ((<usize>runs.listed) << 2), hd.awakeCount - runs.listed);
  hd.colorCount = 0;
  if (STUDY && hd.solver == SOLVER_COLORED) {
    solveRun(hd.substeps, bodies, runs.listed, runs.words, listColors(), jointsOfRun(0));
    return true;
  }
  let most: u32 = leastSubsteps();
  for (let i: u32 = 0; i < runs.count; i++) {
    const run: Run = runAt(i);
    if (run.bodyEnd == run.firstBody) continue;
    const first: usize = bodies + ((<usize>run.firstBody) << 2),
      words: usize = <usize>runs.words + ((<usize>run.firstGroup) << 2),
      end: usize = <usize>runs.words + ((<usize>run.groupEnd) << 2);
    solveRun(run.substeps, first, run.bodyEnd - run.firstBody, words, end, jointsOfRun(i));
    most = max<u32>(most, run.substeps);
  }
  if (hd.autoSubsteps != 0) hd.substeps = most;
  return true;
}
