// Iterations of the study methods on the rows of MethodState: Gauss-Seidel in any order, blocks on sub-bodies, Jacobi.
// Sources: Tonge, Benevolenski, Voroshilov 2012 (T), Datta 2017 (D).
//   Gauss-Seidel: T eq. 14. Blocks: T eq. 35-38 (mean of the sub-bodies) or, as printed, eq. 16 (sum of the changes).
//   Jacobi: T eq. 9; with line search eq. 10; scaled eq. 11; Bridson's eq. 12; scalar splitting eq. 15: they differ by
//   the masses that build.ts sets, by omega and by the length of the step. D approach 1 is eq. 9 with the masses of eq. 15.
//   Staggered friction: T eq. 40-41, one iteration on the normals, then one on the friction with the new bounds.
import {
  MethodRow,
  MethodState,
  SOLVER_JACOBI,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_LINE_SEARCH,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_PAIR_SPLIT_PRINTED,
  SOLVER_SCALAR_SPLIT,
} from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { isBlockSplit } from './build';
import { iterateAssembled } from './matrix';
import { ROW_NORMAL, ROW_PAIR, applyStep, nextRow, pushRow, rowSpeed, solveRow, stepRow } from './row';
import { BodyVelocity, methodRow, methodState, velocityAt } from './state';

/** Whether all rows of an iteration see the same velocities. */
export function isJacobi(method: u32): bool {
  return (
    method == SOLVER_JACOBI ||
    method == SOLVER_JACOBI_LINE_SEARCH ||
    method == SOLVER_JACOBI_SPECTRAL ||
    method == SOLVER_JACOBI_AVERAGE ||
    method == SOLVER_SCALAR_SPLIT ||
    method == SOLVER_JACOBI_ACCUMULATE
  );
}

/** `count` iterations over all rows. */
export function iterate(count: u32): void {
  const s: MethodState = methodState();
  header().iterationCount += count;
  if (s.method == SOLVER_JACOBI_ASSEMBLED) {
    iterateAssembled(count);
    return;
  }
  const jacobi: bool = isJacobi(s.method);
  const blocks: bool = isBlockSplit(s.method);
  for (let i: u32 = 0; i < count; i++) {
    for (let pass: u32 = 0; pass < s.passes; pass++) {
      const from: u32 = pass == 0 ? 0 : s.units0;
      const to: u32 = pass == 0 ? s.units0 : s.units1;
      if (jacobi) jacobiPass(s, from, to, pass == 0 ? s.omega0 : s.omega1);
      else if (blocks) blockPass(s, pass, from);
      else for (let u: u32 = from; u < to; u++) solveUnit(s, u, s.velocities);
    }
  }
}

function solveUnit(s: MethodState, unit: u32, base: usize): void {
  const row: MethodRow = methodRow(at32(s.units, unit));
  if (row.active == 1) solveRow(row, base);
}

/** All blocks of a pass from the same velocities, each with Gauss-Seidel on its own sub-bodies; then the joints. */
function blockPass(s: MethodState, pass: u32, from: u32): void {
  const h = header();
  const printed: bool = s.method == SOLVER_PAIR_SPLIT_PRINTED;
  const velocities: usize = s.velocities;
  const sums: usize = s.sums;
  const subs: usize = s.subs;
  memory.fill(sums, 0, (<usize>h.bodyCount) << 5);
  let unit: u32 = from;
  const first: u32 = pass == 0 ? 0 : s.blocks0;
  const last: u32 = pass == 0 ? s.blocks0 : s.blocks1;
  for (let block: u32 = first; block < last; block++) {
    const end: u32 = at32(s.blockEnds, block);
    s.stamp++;
    let touched: u32 = 0;
    for (let u: u32 = unit; u < end; u++) {
      const row: MethodRow = methodRow(at32(s.units, u));
      touched = enter(s, row.bodyA, touched);
      touched = enter(s, row.bodyB, touched);
    }
    for (; unit < end; unit++) solveUnit(s, unit, subs);
    for (let i: u32 = 0; i < touched; i++) {
      const body: u32 = at32(s.touched, i);
      const n: u32 = at32(s.counts, body * 2 + pass);
      const weight: f32 = printed ? <f32>1 : <f32>1 / <f32>max<u32>(n, 1);
      const sub: usize = subs + ((<usize>body) << 5);
      const old: usize = velocities + ((<usize>body) << 5);
      const sum: usize = sums + ((<usize>body) << 5);
      const share: v128 = f32x4.splat(weight);
      for (let k: usize = 0; k < 32; k += 16) {
        const change: v128 = f32x4.sub(v128.load(sub + k), v128.load(old + k));
        v128.store(sum + k, f32x4.add(v128.load(sum + k), f32x4.mul(change, share)));
      }
    }
  }
  addAll(velocities, sums, h.bodyCount, 1);
}

/** Gives a body of the block its sub-body, once. */
function enter(s: MethodState, body: u32, touched: u32): u32 {
  if (at32(s.stamps, body) == s.stamp) return touched;
  put32(s.stamps, body, s.stamp);
  memory.copy(<usize>s.subs + ((<usize>body) << 5), <usize>s.velocities + ((<usize>body) << 5), 32);
  put32(s.touched, touched, body);
  return touched + 1;
}

/** velocities += scale * changes; the inverse masses stay. */
export function addAll(velocities: usize, changes: usize, bodies: u32, scale: f32): void {
  for (let b: u32 = 0; b < bodies; b++) {
    const v: BodyVelocity = velocityAt(velocities, b);
    const c: BodyVelocity = velocityAt(changes, b);
    v.vx += scale * c.vx;
    v.vy += scale * c.vy;
    v.vz += scale * c.vz;
    v.wx += scale * c.wx;
    v.wy += scale * c.wy;
    v.wz += scale * c.wz;
  }
}

/** One Jacobi iteration on the units [from, to). */
function jacobiPass(s: MethodState, from: u32, to: u32, omega: f32): void {
  const velocities: usize = s.velocities;
  for (let u: u32 = from; u < to; u++) {
    const row: MethodRow = methodRow(at32(s.units, u));
    if (row.active != 1) continue;
    stepRow(row, rowSpeed(row, velocities), row.kind == ROW_PAIR ? rowSpeed(nextRow(row), velocities) : 0, omega);
  }
  const alpha: f32 = s.method == SOLVER_JACOBI_LINE_SEARCH ? searchLine(s, from, to) : <f32>1;
  for (let u: u32 = from; u < to; u++) {
    const row: MethodRow = methodRow(at32(s.units, u));
    if (row.active == 1) applyStep(row, velocities, alpha);
  }
}

/**
 * Length of the step d that minimizes f(z + alpha d) = 1/2 z'Nz + q'z over alpha >= 0 as long as z + alpha d keeps its
 * bounds: eq. 10 leaves the upper bound out, but beyond it z would leave the feasible set.
 */
function searchLine(s: MethodState, from: u32, to: u32): f32 {
  const velocities: usize = s.velocities;
  const response: usize = s.sums;
  memory.fill(response, 0, (<usize>header().bodyCount) << 5);
  let slope: f64 = 0;
  let most: f32 = f32.MAX_VALUE;
  for (let u: u32 = from; u < to; u++) {
    let row: MethodRow = methodRow(at32(s.units, u));
    if (row.active != 1) continue;
    const rows: u32 = row.kind == ROW_PAIR ? 2 : 1;
    for (let k: u32 = 0; k < rows; k++) {
      const step: f32 = row.step;
      slope += <f64>step * <f64>(rowSpeed(row, velocities) + row.bias + row.gamma * row.z);
      pushRow(row, response, step);
      // Friction ends at bounds that move with the normals: no step beyond the projected one.
      if (row.kind != ROW_NORMAL) most = min<f32>(most, 1);
      else if (step < 0) most = min<f32>(most, -row.z / step);
      row = nextRow(row);
    }
  }
  let curvature: f64 = 0;
  for (let u: u32 = from; u < to; u++) {
    let row: MethodRow = methodRow(at32(s.units, u));
    if (row.active != 1) continue;
    const rows: u32 = row.kind == ROW_PAIR ? 2 : 1;
    for (let k: u32 = 0; k < rows; k++) {
      curvature += <f64>row.step * <f64>(rowSpeed(row, response) + row.gamma * row.step);
      row = nextRow(row);
    }
  }
  if (!(slope < 0) || !(curvature > 0)) return 0;
  return min<f32>(<f32>(-slope / curvature), max<f32>(most, 1));
}
