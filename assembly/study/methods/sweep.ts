// Gauss-Seidel (Tonge 2012, eq. 14) over the rows of a block, in the order that listUnits of build.ts makes. Twin:
// shaders/shared/sweep.wgsl.
// Input: rows, velocities. Output: impulses of the rows, velocities.
import { MethodRow, MethodState } from '../../layout.generated';
import { at32 } from '../../memory/words';
import { solveRow } from './row';
import { methodRow } from './state';

/** Solves a unit, a row or a pair of tangents, on the velocities at `base`. */
export function solveUnit(s: MethodState, unit: u32, base: usize): void {
  const row: MethodRow = methodRow(at32(s.units, unit));
  if (row.active == 1) solveRow(row, base);
}
