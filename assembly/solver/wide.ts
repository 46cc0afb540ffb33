// PGS on lanes, four manifolds at once: sequential (SOLVER_WIDE, the default on the CPU) or graph-coloured (SOLVER_COLORED).
//
// Soft contacts in substeps, each with one soft and one relax pass; friction per manifold at the mean of its points with a
// circular bound, and a twist row; all rows frozen during the step (docs/solvers.md). The four lanes of a group share no
// dynamic body; the groups of one color do not either.
// Because rows, masses and accelerations are frozen, the impulses that a substep ended with act on a body exactly as
// v_end - v_start of that substep did: the warm start of the next substep is u = v_end + (v_end - v_start), a pass over
// bodies instead of one over contacts.
// Here are the passes over bodies and the order of all passes; those over contacts are in wide_sweep.ts.
// Input: lanes (lanes.ts), BodyRow, BodyAccel. Output: BodyRow, BodyDelta, impulses and separations in the lanes.
import { BODY_ACCEL_STRIDE, BODY_DELTA_STRIDE, BODY_ROW_STRIDE, Header, SOLVER_COLORED } from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { STUDY } from '../edition';
import { addW, mulAddW, splatW, subW } from '../math/lane';
import { ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { HIT_LIST, LISTS, OVERFLOW, PARAMS, SEQUENTIAL, SPIKE_LIST, START_ROWS, colorList, groupsEnd } from './lane_layout';
import { prepareGroups } from './lane_rows';
import {
  STEP_H,
  STEP_INV_H,
  STEP_PUSH,
  STEP_SLOP,
  STEP_SOFT,
  STEP_SOFT_STATIC,
  STEP_WARM_START,
  bounces,
  clearLargest,
  recordImpulses,
  relaxGroups,
  softGroups,
  takeBackSpikes,
  warmGroups,
} from './wide_sweep';

// First substep: v_start = v, v += h a.
function startBodies(rows: usize, starts: usize, accels: usize, count: u32, h: v128): void {
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = <usize>awakeBody(k);
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
function repeatBodies(rows: usize, starts: usize, count: u32): void {
  for (let k: u32 = 0; k < count; k++) {
    const row: usize = rows + <usize>awakeBody(k) * BODY_ROW_STRIDE;
    const v: v128 = v128.load(row),
      w: v128 = v128.load(row, 16);
    v128.store(row, addW(v, subW(v, v128.load(starts))));
    v128.store(row, addW(w, subW(w, v128.load(starts, 16))), 16);
    v128.store(starts, v);
    v128.store(starts, w, 16);
    starts += 32;
  }
}

// Positions: the velocity is kept in the row for the relax pass, the motion is summed in the delta.
function moveBodies(rows: usize, deltas: usize, count: u32, h: v128): void {
  const xyz: v128 = i32x4(-1, -1, -1, 0);
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = <usize>awakeBody(k);
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

/** Soft-contact coefficients for angular frequency omega: bias rate, mass scale, impulse scale. */
function storeSoftness(params: usize, omega: f32, zeta: f32, h: f32): void {
  const a1: f32 = 2 * zeta + h * omega;
  const a2: f32 = h * omega * a1;
  v128.store(params, splatW(omega / a1));
  v128.store(params, splatW(a2 / (1 + a2)), 16);
  v128.store(params, splatW(1 / (1 + a2)), 32);
}

function storeParameters(params: usize, h: f32): void {
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

/** Lists in the order of soft and relax passes: overflow, colors (those against static bodies last), sequential. */
function listInOrder(c: u32): usize {
  return colorList(c == SEQUENTIAL ? c : c == 0 ? OVERFLOW : c - 1);
}

function softPass(rows: usize, params: usize): void {
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: usize = listInOrder(c);
    softGroups(load<u32>(list), groupsEnd(list), rows, params);
  }
}

/** Returns the end of the list of groups with an excess, which starts at `spiked` (relaxGroups). */
function relaxPass(rows: usize, params: usize, advance: bool, last: bool, watched: bool, spiked: usize): usize {
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: usize = listInOrder(c);
    spiked = relaxGroups(load<u32>(list), groupsEnd(list), rows, params, advance, last, watched, spiked);
  }
  return spiked;
}

function recordAll(): void {
  for (let c: u32 = 0; c < LISTS; c++) recordImpulses(load<u32>(colorList(c)), groupsEnd(colorList(c)));
}

/** Number of lists in use to the header. Returns whether anything bounces: then largest impulses are kept. */
function beginLists(): bool {
  const hd: Header = header();
  let colors: u32 = 0,
    bouncing: bool = false;
  for (let c: u32 = 0; c < LISTS; c++) {
    const base: usize = load<u32>(colorList(c)),
      end: usize = groupsEnd(colorList(c));
    if (end == base) continue;
    colors++;
    for (let at: usize = base; at < end && !bouncing; at += 4) bouncing = bounces(load<u32>(at));
    if (bouncing) clearLargest(base, end);
  }
  hd.colorCount = STUDY && hd.solver == SOLVER_COLORED ? colors : 0;
  return bouncing;
}

/** Runs all substeps of a step. Returns false without memory (nothing was solved). */
export function solveLanes(): bool {
  const hd: Header = header();
  const state: usize = hd.coloredState;
  const count: u32 = hd.awakeCount;
  if (!ensureCapacity(state + START_ROWS, state + START_ROWS + 4, 32, count)) return false;
  prepareGroups();
  let groups: u32 = 0;
  for (let c: u32 = 0; c < LISTS; c++) groups += load<u32>(colorList(c), 8);
  if (!ensureCapacity(state + SPIKE_LIST, state + SPIKE_LIST + 4, 4, groups)) return false;
  if (!ensureCapacity(state + HIT_LIST, state + HIT_LIST + 4, 4, groups)) return false;
  store<u32>(state, 0, HIT_LIST + 8);
  const rows: usize = hd.bodyRows,
    starts: usize = load<u32>(state, START_ROWS),
    deltas: usize = hd.bodyDeltas,
    spikes: usize = load<u32>(state, SPIKE_LIST);
  const substeps: u32 = hd.substeps,
    sweeps: u32 = hd.sweeps;
  const h: f32 = hd.dt / <f32>substeps;
  const hW: v128 = splatW(h);
  const params: usize = state + PARAMS;
  storeParameters(params, h);
  const bouncing: bool = beginLists();
  const watched: bool = hd.watchedCount != 0;

  startBodies(rows, starts, hd.bodyAccels, count, hW);
  for (let c: u32 = 0; c < LISTS; c++) warmGroups(load<u32>(colorList(c)), groupsEnd(colorList(c)), rows, params);
  let spiked: usize = spikes;
  for (let s: u32 = 0; s < substeps; s++) {
    if (s != 0) {
      repeatBodies(rows, starts, count);
      takeBackSpikes(spikes, spiked, rows, params);
    }
    for (let k: u32 = 0; k < sweeps; k++) softPass(rows, params);
    if (bouncing) recordAll();
    moveBodies(rows, deltas, count, hW);
    spiked = spikes;
    for (let k: u32 = 0; k < sweeps; k++) spiked = relaxPass(rows, params, k == 0, k == sweeps - 1, watched, spiked);
    // An impact may be met by a relax pass alone: its impulse is out of the warm start before the next soft pass.
    if (bouncing) recordAll();
  }
  return true;
}
