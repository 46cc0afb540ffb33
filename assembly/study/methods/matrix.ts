// The matrix A = J M^-1 J' of the study methods, sparse: rows that share a dynamic body have an entry.
//   Jacobi on the assembled matrix (Datta 2017, algorithm 2): a_i = A_i z, all impulses at once, velocities at the end.
//   Spectral radius of D^-1 A, D its diagonal: bound by the largest absolute row sum (Datta 2017, section 3.7, with the
//   norm of D^-1 A, which has no units, in place of that of A), or an estimate by power iteration.
//   omega < 2 / rho (Tonge 2012, eq. 11): the bound is kept to 1.98, the estimate, which comes from below, to 1.8.
import { MethodRow, MethodState } from '../../layout.generated';
import { inertiaAt, isMoved, rowAt } from '../../bodies/rows';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { inertiaDot } from '../../rows/mass';
import { ROW_PAIR, nextRow, pushRow, rowSpeed, stepRow } from './row';
import { methodRoom, methodRow, methodState } from './state';

/** Rows of each dynamic body, ascending. False without memory. */
export function listBodyRows(s: MethodState): bool {
  const bodies: u32 = header().bodyCount;
  const rows: u32 = s.rowCount;
  if (!methodRoom(offsetof<MethodState>('bodyRowStarts'), 4, bodies + 1)) return false;
  if (!methodRoom(offsetof<MethodState>('bodyRowList'), 4, rows * 2)) return false;
  const starts: usize = s.bodyRowStarts;
  memory.fill(starts, 0, (<usize>bodies + 1) << 2);
  for (let r: u32 = 0; r < rows; r++) {
    const row: MethodRow = methodRow(r);
    if (isMoved(row.bodyA)) put32(starts, row.bodyA, at32(starts, row.bodyA) + 1);
    if (isMoved(row.bodyB)) put32(starts, row.bodyB, at32(starts, row.bodyB) + 1);
  }
  let sum: u32 = 0;
  for (let b: u32 = 0; b < bodies; b++) {
    sum += at32(starts, b);
    put32(starts, b, sum);
  }
  put32(starts, bodies, sum);
  for (let r: u32 = rows; r > 0; r--) {
    const row: MethodRow = methodRow(r - 1);
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = side == 0 ? row.bodyB : row.bodyA;
      if (!isMoved(body)) continue;
      const slot: u32 = at32(starts, body) - 1;
      put32(starts, body, slot);
      put32(s.bodyRowList, slot, r - 1);
    }
  }
  return true;
}

/** One side's part of an entry: what an impulse on row q does, by body `body`, to the velocity of row r. */
function entry(r: MethodRow, q: MethodRow, body: u32): f32 {
  const rB: bool = r.bodyB == body;
  const qB: bool = q.bodyB == body;
  const rs: f32 = rB ? <f32>1 : <f32>-1;
  const qs: f32 = qB ? q.scaleB : -q.scaleA;
  return (
    rs *
    qs *
    (rowAt(body).invMass * (r.dx * q.dx + r.dy * q.dy + r.dz * q.dz) +
      inertiaDot(
        inertiaAt(body),
        rB ? r.bx : r.ax,
        rB ? r.by : r.ay,
        rB ? r.bz : r.az,
        qB ? q.bx : q.ax,
        qB ? q.by : q.ay,
        qB ? q.bz : q.az,
      ))
  );
}

/** Builds A. False without memory. */
export function assemble(): bool {
  const s: MethodState = methodState();
  if (!listBodyRows(s)) return false;
  const rows: u32 = s.rowCount;
  if (!methodRoom(offsetof<MethodState>('matrixStarts'), 4, rows + 1)) return false;
  let entries: u32 = 0;
  for (let r: u32 = 0; r < rows; r++) {
    const row: MethodRow = methodRow(r);
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = side == 0 ? row.bodyA : row.bodyB;
      if (isMoved(body)) entries += at32(s.bodyRowStarts, body + 1) - at32(s.bodyRowStarts, body);
    }
  }
  if (!methodRoom(offsetof<MethodState>('matrix'), 8, entries)) return false;
  const matrix: usize = s.matrix;
  let n: u32 = 0;
  for (let r: u32 = 0; r < rows; r++) {
    put32(s.matrixStarts, r, n);
    const row: MethodRow = methodRow(r);
    const a: u32 = isMoved(row.bodyA) ? row.bodyA : u32.MAX_VALUE;
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = side == 0 ? row.bodyA : row.bodyB;
      const other: u32 = side == 0 ? row.bodyB : row.bodyA;
      if (!isMoved(body)) continue;
      const end: u32 = at32(s.bodyRowStarts, body + 1);
      for (let i: u32 = at32(s.bodyRowStarts, body); i < end; i++) {
        const column: u32 = at32(s.bodyRowList, i);
        const q: MethodRow = methodRow(column);
        const both: bool = isMoved(other) && (q.bodyA == other || q.bodyB == other);
        if (side == 1 && both && a != u32.MAX_VALUE) continue; // already there with both parts
        store<u32>(matrix + ((<usize>n) << 3), column);
        store<f32>(matrix + ((<usize>n) << 3), entry(row, q, body) + (both ? entry(row, q, other) : <f32>0), 4);
        n++;
      }
    }
  }
  put32(s.matrixStarts, rows, n);
  return true;
}

/** A_i times the impulses. */
function rowProduct(s: MethodState, r: u32): f32 {
  let sum: f32 = 0;
  const end: u32 = at32(s.matrixStarts, r + 1);
  for (let i: u32 = at32(s.matrixStarts, r); i < end; i++) {
    const at: usize = <usize>s.matrix + ((<usize>i) << 3);
    sum += load<f32>(at, 4) * methodRow(load<u32>(at)).z;
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
        stepRow(row, row.free + rowProduct(s, r), u2, 1);
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

/** Largest absolute row sum of D^-1 A over a pass: rows of the other pass do not count. */
function normBound(s: MethodState, pass: u32): f32 {
  let most: f32 = 1;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    if (s.passes == 2 && (row.kind == 0) != (pass == 0)) continue;
    let sum: f32 = 0;
    const end: u32 = at32(s.matrixStarts, r + 1);
    for (let i: u32 = at32(s.matrixStarts, r); i < end; i++) {
      const at: usize = <usize>s.matrix + ((<usize>i) << 3);
      if (s.passes == 2 && (methodRow(load<u32>(at)).kind == 0) != (pass == 0)) continue;
      sum += abs<f32>(load<f32>(at, 4));
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
    const omega: f32 = iterations == 0 ? <f32>1.98 / normBound(s, pass) : <f32>1.8 / powerEstimate(s, from, to, iterations);
    if (pass == 0) s.omega0 = omega;
    else s.omega1 = omega;
  }
  header().omega = s.omega0;
  return true;
}
