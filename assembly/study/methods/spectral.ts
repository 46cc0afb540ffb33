// omega of scaled Jacobi, from the spectral radius rho of D^-1 A, D the diagonal of A: bound by the largest absolute row sum
// (Datta 2017, section 3.7, with the norm of D^-1 A, which has no units, in place of that of A), or an estimate by power
// iteration. omega < 2 / rho (Tonge 2012, eq. 11): the bound is kept to 1.98, the estimate, which comes from below, to 1.8.
// Input: rows, MethodState.matrix. Output: MethodState.omega0 and 1.
import { MatrixEntry, MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { assemble } from './jacobi_assemble';
import { ROW_PAIR, isFriction, nextRow, pushRow, rowSpeed } from './row';
import { entryAt, methodRow, methodState } from './state';

/** Largest absolute row sum of D^-1 A over a pass: rows of the other pass do not count. */
function normBound(s: MethodState, pass: u32): f32 {
  let most: f32 = 1;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    if (s.passes == 2 && isFriction(row.kind) != (pass == 1)) continue;
    let sum: f32 = 0;
    const end: u32 = at32(s.matrixStarts, r + 1);
    for (let i: u32 = at32(s.matrixStarts, r); i < end; i++) {
      const at: MatrixEntry = entryAt(s, i);
      if (s.passes == 2 && isFriction(methodRow(at.column).kind) != (pass == 1)) continue;
      sum += abs<f32>(at.value);
    }
    if (row.split > 0) most = max<f32>(most, sum / row.split);
  }
  return most;
}

/** Largest eigenvalue of D^-1 A over a pass by power iteration with velocities: no matrix is needed. */
function powerEstimate(s: MethodState, from: u32, to: u32, iterations: u32): f32 {
  const response: usize = s.sums;
  const bodies: u32 = header().bodyCount;
  for (let u: u32 = from; u < to; u++) {
    const row: MethodRow = methodRow(at32(s.units, u));
    row.step = 1;
    if (row.kind == ROW_PAIR) nextRow(row).step = 1;
  }
  let rho: f32 = 1;
  for (let i: u32 = 0; i < iterations; i++) {
    memory.fill(response, 0, (<usize>bodies) << 5);
    // Rayleigh quotient x'Ax / x'Dx, in the product of D for which D^-1 A is symmetric.
    let product: f64 = 0;
    let size: f64 = 0;
    for (let u: u32 = from; u < to; u++) {
      let row: MethodRow = methodRow(at32(s.units, u));
      const rows: u32 = row.kind == ROW_PAIR ? 2 : 1;
      for (let k: u32 = 0; k < rows; k++) {
        pushRow(row, response, row.step);
        row = nextRow(row);
      }
    }
    let largest: f32 = 0;
    for (let u: u32 = from; u < to; u++) {
      let row: MethodRow = methodRow(at32(s.units, u));
      const rows: u32 = row.kind == ROW_PAIR ? 2 : 1;
      for (let k: u32 = 0; k < rows; k++) {
        const y: f32 = rowSpeed(row, response);
        product += <f64>row.step * <f64>y;
        size += <f64>row.step * <f64>row.step * <f64>row.split;
        row.step = row.split > 0 ? y / row.split : <f32>0;
        largest = max<f32>(largest, abs<f32>(row.step));
        row = nextRow(row);
      }
    }
    if (!(size > 0) || !(largest > 0)) return 1;
    rho = <f32>(product / size);
    const scale: f32 = <f32>1 / largest;
    for (let u: u32 = from; u < to; u++) {
      const row: MethodRow = methodRow(at32(s.units, u));
      row.step *= scale;
      if (row.kind == ROW_PAIR) nextRow(row).step *= scale;
    }
  }
  return max<f32>(rho, 1);
}

/** omega of scaled Jacobi for each pass. False without memory. */
export function setOmega(): bool {
  const s: MethodState = methodState();
  const iterations: u32 = header().powerIterations;
  if (iterations == 0 && !assemble()) return false;
  for (let pass: u32 = 0; pass < s.passes; pass++) {
    const from: u32 = pass == 0 ? 0 : s.units0;
    const to: u32 = pass == 0 ? s.units0 : s.units1;
    // With momentum only omega < 1 / rho is sound.
    const most: f32 = header().nesterov != 0 ? <f32>0.5 : <f32>1;
    const omega: f32 =
      iterations == 0 ? (<f32>1.98 * most) / normBound(s, pass) : (<f32>1.8 * most) / powerEstimate(s, from, to, iterations);
    if (pass == 0) s.omega0 = omega;
    else s.omega1 = omega;
  }
  header().omega = s.omega0;
  return true;
}
