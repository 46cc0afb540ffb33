// Iterations on the assembled matrix (Datta 2017, algorithm 2, second loop): a_i = A_i z, all impulses at once, velocities at
// the end. Twin: shaders/jacobi_product.wgsl.
// Input: MethodState.matrix, rows. Output: impulses of the rows, velocities.
import { MatrixEntry, MethodRow, MethodState } from '../../layout.generated';
import { at32 } from '../../memory/words';
import { ROW_PAIR, nextRow, pushRow, rowSpeed, stepRow } from './row';
import { entryAt, methodRow, methodState } from './state';

/** A_i times the impulses. */
function rowProduct(s: MethodState, r: u32): f32 {
  let sum: f32 = 0;
  const end: u32 = at32(s.matrixStarts, r + 1);
  for (let i: u32 = at32(s.matrixStarts, r); i < end; i++) {
    const at: MatrixEntry = entryAt(s, i);
    sum += at.value * methodRow(at.column).z;
  }
  return sum;
}

/** Jacobi on the assembled matrix. */
export function iterateAssembled(count: u32): void {
  const s: MethodState = methodState();
  // u = J v0 + A z, and the velocities hold what z does now: J v0 = u - A z.
  for (let r: u32 = 0; r < s.rowCount; r++) methodRow(r).free = rowSpeed(methodRow(r), s.velocities) - rowProduct(s, r);
  for (let r: u32 = 0; r < s.rowCount; r++) methodRow(r).before = methodRow(r).z;
  for (let i: u32 = 0; i < count; i++) {
    for (let pass: u32 = 0; pass < s.passes; pass++) {
      const from: u32 = pass == 0 ? 0 : s.units0;
      const to: u32 = pass == 0 ? s.units0 : s.units1;
      for (let u: u32 = from; u < to; u++) {
        const r: u32 = at32(s.units, u);
        const row: MethodRow = methodRow(r);
        if (row.active != 1) continue;
        const u2: f32 = row.kind == ROW_PAIR ? methodRow(r + 1).free + rowProduct(s, r + 1) : 0;
        stepRow(row, row.free + rowProduct(s, r), u2, pass == 0 ? s.omega0 : s.omega1);
      }
      for (let u: u32 = from; u < to; u++) {
        const row: MethodRow = methodRow(at32(s.units, u));
        if (row.active != 1) continue;
        row.z += row.step;
        row.most = max<f32>(row.most, row.z);
        if (row.kind == ROW_PAIR) nextRow(row).z += nextRow(row).step;
      }
    }
  }
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    pushRow(row, s.velocities, row.z - row.before);
  }
}
