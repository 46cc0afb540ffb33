// Jacobi with a line search (Tonge 2012, eq. 10).
// Input: rows, velocities. Output: impulses of the rows, velocities.
import { MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { Jacobi } from './jacobi';
import { applySteps } from './jacobi_apply';
import { stepRows } from './jacobi_rows';
import { ROW_LIMIT, ROW_LOCK, ROW_NORMAL, ROW_PAIR, ROW_PULLEY, nextRow, pushRow, rowSpeed } from './row';
import { methodRow } from './state';

/** Steps of Jacobi, all times one factor: the best one. */
export class LineSearchJacobi extends Jacobi {
  pass(s: MethodState, pass: u32, from: u32, to: u32): void {
    stepRows(s, pass, from, to, pass == 0 ? s.omega0 : s.omega1);
    applySteps(s, from, to, searchLine(s, from, to));
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
      // Friction ends at bounds that move with the normals: no step beyond the projected one. Nor with bounded drives.
      if (row.kind == ROW_NORMAL || row.kind == ROW_LIMIT || row.kind == ROW_PULLEY) {
        if (step * row.z < 0) most = min<f32>(most, -row.z / step);
      } else if (row.kind != ROW_LOCK) {
        most = min<f32>(most, 1);
      }
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
