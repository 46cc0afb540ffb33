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
  SOLVER_SCALAR_SPLIT,
} from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { isBlockSplit } from './build';
import { applySteps } from './jacobi_apply';
import { iterateAssembled } from './jacobi_product';
import { stepRows } from './jacobi_rows';
import { ROW_NORMAL, ROW_PAIR, nextRow, pushRow, rowSpeed } from './row';
import { methodRow, methodState } from './state';
import { sweepUnits } from './sweep_color';
import { blockPass } from './sweep_pair';

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
      else sweepUnits(s, from, to);
    }
  }
}

/** One Jacobi iteration on the units [from, to). */
function jacobiPass(s: MethodState, from: u32, to: u32, omega: f32): void {
  stepRows(s, from, to, omega);
  applySteps(s, from, to, s.method == SOLVER_JACOBI_LINE_SEARCH ? searchLine(s, from, to) : <f32>1);
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
