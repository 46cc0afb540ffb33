// An iteration of Jacobi, first half: the step of every row from the velocities of its bodies (Datta 2017, approach 1, eq.
// 2-3). Twin: shaders/jacobi_rows.wgsl.
// Input: rows, velocities. Output: MethodRow.step.
import { MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { ROW_PAIR, nextRow, rowSpeed, stepRow } from './row';
import { clearShares, keepShare, moveOn, turnOfRow } from './momentum';
import { methodRow } from './state';

/** Steps of the units [from, to), all from the present velocities. */
export function stepRows(s: MethodState, pass: u32, from: u32, to: u32, omega: f32): void {
  const velocities: usize = s.velocities;
  if (header().nesterov != 0) {
    stepMoved(s, pass, from, to, omega);
    return;
  }
  for (let u: u32 = from; u < to; u++) {
    const row: MethodRow = methodRow(at32(s.units, u));
    if (row.active != 1) continue;
    stepRow(row, rowSpeed(row, velocities), row.kind == ROW_PAIR ? rowSpeed(nextRow(row), velocities) : 0, omega);
  }
}

/** The same from where momentum takes the rows: a unit leaves from there when its turn comes. */
function stepMoved(s: MethodState, pass: u32, from: u32, to: u32, omega: f32): void {
  const velocities: usize = s.velocities;
  clearShares(s, pass);
  for (let u: u32 = from; u < to; u++) {
    const r: u32 = at32(s.units, u);
    const row: MethodRow = methodRow(r);
    if (row.active != 1) continue;
    const pair: bool = row.kind == ROW_PAIR;
    const y: f32 = moveOn(s, row);
    const y2: f32 = pair ? moveOn(s, nextRow(row)) : 0;
    stepRow(row, rowSpeed(row, velocities), pair ? rowSpeed(nextRow(row), velocities) : 0, omega);
    let share: f32 = turnOfRow(row, y, y + row.step);
    if (pair) share += turnOfRow(nextRow(row), y2, y2 + nextRow(row).step);
    keepShare(s, pass, r, share);
  }
}
