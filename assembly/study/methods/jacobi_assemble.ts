// The matrix A = J M^-1 J' of the study methods, sparse (Datta 2017, algorithm 2, first loop): rows that share a dynamic body
// have an entry. Twin: shaders/jacobi_assemble.wgsl.
// Input: rows. Output: MethodState.bodyRowStarts, bodyRowList, matrixStarts, matrix.
import { inertiaAt, rowAt } from '../../bodies/rows';
import { MatrixEntry, MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { x3, y3, z3 } from '../../math/vec3';
import { inertiaDot } from '../../rows/mass';
import { directionOn, turnOf } from './row';
import { entryAt, methodRoom, methodRow, methodState, movesByImpulses } from './state';

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
    if (movesByImpulses(row.bodyA)) put32(starts, row.bodyA, at32(starts, row.bodyA) + 1);
    if (movesByImpulses(row.bodyB)) put32(starts, row.bodyB, at32(starts, row.bodyB) + 1);
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
      if (!movesByImpulses(body)) continue;
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
  const d: v128 = directionOn(r, rB),
    e: v128 = directionOn(q, qB);
  return (
    rs *
    qs *
    (rowAt(body).invMass * (x3(d) * x3(e) + y3(d) * y3(e) + z3(d) * z3(e)) +
      inertiaDot(inertiaAt(body), turnOf(r, rB), turnOf(q, qB)))
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
      if (movesByImpulses(body)) entries += at32(s.bodyRowStarts, body + 1) - at32(s.bodyRowStarts, body);
    }
  }
  if (!methodRoom(offsetof<MethodState>('matrix'), 8, entries)) return false;
  let n: u32 = 0;
  for (let r: u32 = 0; r < rows; r++) {
    put32(s.matrixStarts, r, n);
    const row: MethodRow = methodRow(r);
    const a: u32 = movesByImpulses(row.bodyA) ? row.bodyA : u32.MAX_VALUE;
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = side == 0 ? row.bodyA : row.bodyB;
      const other: u32 = side == 0 ? row.bodyB : row.bodyA;
      if (!movesByImpulses(body)) continue;
      const end: u32 = at32(s.bodyRowStarts, body + 1);
      for (let i: u32 = at32(s.bodyRowStarts, body); i < end; i++) {
        const column: u32 = at32(s.bodyRowList, i);
        const q: MethodRow = methodRow(column);
        const both: bool = movesByImpulses(other) && (q.bodyA == other || q.bodyB == other);
        if (side == 1 && both && a != u32.MAX_VALUE) continue; // already there with both parts
        const to: MatrixEntry = entryAt(s, n++);
        to.column = column;
        to.value = entry(row, q, body) + (both ? entry(row, q, other) : <f32>0);
      }
    }
  }
  put32(s.matrixStarts, rows, n);
  return true;
}
