// An iteration of Jacobi, first half: the step of every row from the velocities of its bodies (Datta 2017, approach 1, eq.
// 2-3). Twin: shaders/jacobi_rows.wgsl.
// Input: rows, velocities. Output: MethodRow.step.
import { MethodRow, MethodState } from '../../layout.generated';
import { at32 } from '../../memory/words';
import { ROW_PAIR, nextRow, rowSpeed, stepRow } from './row';
import { methodRow } from './state';

/** Steps of the units [from, to), all from the present velocities. */
export function stepRows(s: MethodState, from: u32, to: u32, omega: f32): void {
  const velocities: usize = s.velocities;
  for (let u: u32 = from; u < to; u++) {
    const row: MethodRow = methodRow(at32(s.units, u));
    if (row.active != 1) continue;
    stepRow(row, rowSpeed(row, velocities), row.kind == ROW_PAIR ? rowSpeed(nextRow(row), velocities) : 0, omega);
  }
}
