// Nonsmooth nonlinear conjugate gradients (Silcowitz, Niebe, Erleben 2010): the change of a Gauss-Seidel sweep is the negative
// gradient of a Fletcher-Reeves iteration, which starts again where the gradient grows. Each step ends within the bounds. The
// same in JavaScript, with scalar friction: lab/methods/nncg.mjs.
// Input: rows, velocities. Output: impulses of the rows, velocities. `before` of a row is its impulse before a sweep, `free` the
// direction.
import { MethodRow, MethodState } from '../../layout.generated';
import { at32 } from '../../memory/words';
import { toCircle } from '../../rows/row';
import { RowMethod } from './method';
import { ROW_PAIR, applyStep, frictionLimit, inBounds, nextRow } from './row';
import { methodRow } from './state';

export class ConjugateGradient extends RowMethod {
  iterate(s: MethodState, count: u32): void {
    let lastSquare: f64 = 0;
    for (let r: u32 = 0; r < s.rowCount; r++) methodRow(r).free = 0;
    for (let i: u32 = 0; i < count; i++) {
      for (let r: u32 = 0; r < s.rowCount; r++) methodRow(r).before = methodRow(r).z;
      super.iterate(s, 1);
      let square: f64 = 0;
      for (let r: u32 = 0; r < s.rowCount; r++) {
        const change: f64 = methodRow(r).z - methodRow(r).before;
        square += change * change;
      }
      const beta: f64 = lastSquare > 0 ? square / lastSquare : 0;
      lastSquare = square;
      if (beta > 1) for (let r: u32 = 0; r < s.rowCount; r++) methodRow(r).free = 0;
      else for (let u: u32 = 0; u < s.units1; u++) advance(s, methodRow(at32(s.units, u)), <f32>beta);
    }
  }
}

/** Turns the direction of a unit, a row or a pair of tangents, and steps along the old one within its bounds. */
function advance(s: MethodState, row: MethodRow, beta: f32): void {
  if (row.active != 1) return;
  const goal: f32 = turn(row, beta);
  if (row.kind == ROW_PAIR) {
    const second: MethodRow = nextRow(row);
    const other: f32 = turn(second, beta);
    const scale: f32 = toCircle<f32>(goal, other, frictionLimit(row));
    row.step = goal * scale - row.z;
    second.step = other * scale - second.z;
  } else {
    row.step = inBounds(row, goal) - row.z;
  }
  applyStep(row, s.velocities, 1);
}

/** Turns the direction of a row by the change of the sweep. Returns the impulse that the old direction leads to. */
function turn(row: MethodRow, beta: f32): f32 {
  const goal: f32 = row.z + beta * row.free;
  row.free = beta * row.free + (row.z - row.before);
  return goal;
}
