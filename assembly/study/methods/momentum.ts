// Nesterov's momentum on the iterations of a method: each starts from y = z + beta (z - z before). Velocities move likewise: they
// are linear in the impulses. A row moves on when its turn comes, so friction takes its bounds from impulses within theirs.
// beta = (k - 1) / (k + 2) after iteration k; k begins again where momentum has carried the impulses too far:
//   all rows at once   the steps of all rows and their motion point apart (O'Donoghue and Candes 2015, gradient test). Its sum is
//                      known before the velocities change, so kernels need no dispatch for it
//   rows in an order   the objective has risen. A sweep is no gradient step, not even in a block of four rows, and the gradient
//                      test misses its errors
// The sum is that of the kernels: lanes of 64 by halves, groups of lanes one after the other. Twin: shaders/shared/momentum.wgsl.
// Input: rows, velocities. Output: MethodState.momentumFactor, velocities.
import { METHOD_ROW_STRIDE, MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32 } from '../../memory/words';
import { ROW_PAIR, nextRow, rowSpeed, solveRow } from './row';
import { methodRoom, methodRow } from './state';

/** Lanes of a workgroup (ROW_LANES of src/study/gpu/row_pipelines.ts). */
const LANES: u32 = 64;

/** Room for momentum. False without memory. */
export function reserveMomentum(s: MethodState): bool {
  if (header().nesterov == 0) return true;
  return (
    methodRoom(offsetof<MethodState>('momentumShares'), 4, 2 * (s.rowCount + LANES) + LANES) &&
    methodRoom(offsetof<MethodState>('momentumVelocities'), 32, s.world + 1)
  );
}

/** Before the first iteration. */
export function beginMomentum(s: MethodState): void {
  s.momentumAge = 1;
  s.momentumFactor = 0;
  for (let r: u32 = 0; r < s.rowCount; r++) methodRow(r).before = methodRow(r).z;
  memory.copy(s.momentumVelocities, s.velocities, (<usize>s.world + 1) << 5);
}

/** Where a row leaves from; its impulse is that now. */
export function moveOn(s: MethodState, row: MethodRow): f32 {
  const z: f32 = row.z;
  row.z = z + s.momentumFactor * (z - row.before);
  row.before = z;
  return row.z;
}

/** Share of a row that has left from y in the restart test: positive where its step and its motion point apart. */
export function turnOfRow(row: MethodRow, y: f32, z: f32): f32 {
  return row.split * (y - z) * (z - row.before);
}

/** Solves a unit from where momentum takes it, on the velocities at `base`. */
export function solveMoved(s: MethodState, unit: u32, base: usize): void {
  const row: MethodRow = methodRow(at32(s.units, unit));
  if (row.active != 1) return;
  moveOn(s, row);
  if (row.kind == ROW_PAIR) moveOn(s, nextRow(row));
  solveRow(row, base);
}

/** Address of the share of a row in a pass; behind those of pass 1 room for the sums of lanes. */
function shareAt(s: MethodState, pass: u32, row: u32): usize {
  return <usize>s.momentumShares + ((<usize>(pass * (s.rowCount + LANES) + row)) << 2);
}

/** Before a pass: no shares. */
export function clearShares(s: MethodState, pass: u32): void {
  memory.fill(shareAt(s, pass, 0), 0, (<usize>(s.rowCount + LANES)) << 2);
}

/** Keeps the share of the unit that begins with a row. */
export function keepShare(s: MethodState, pass: u32, row: u32, share: f32): void {
  store<f32>(shareAt(s, pass, row), share);
}

/** Sum of 64 numbers by halves, in place. */
function sumLanes(at: usize): f32 {
  for (let width: u32 = LANES / 2; width > 0; width >>= 1) {
    for (let i: u32 = 0; i < width; i++) {
      const to: usize = at + ((<usize>i) << 2);
      store<f32>(to, load<f32>(to) + load<f32>(to + ((<usize>width) << 2)));
    }
  }
  return load<f32>(at);
}

/** The sum of all shares: of groups first, of which each lane then takes every 64th. */
function sumShares(s: MethodState): f32 {
  const groups: u32 = (s.rowCount + LANES - 1) / LANES;
  const sums: usize = shareAt(s, 2, 0);
  memory.fill(sums, 0, LANES << 2);
  for (let pass: u32 = 0; pass < s.passes; pass++) {
    for (let g: u32 = 0; g < groups; g++) {
      const to: usize = sums + ((<usize>(g % LANES)) << 2);
      store<f32>(to, load<f32>(to) + sumLanes(shareAt(s, pass, g * LANES)));
    }
  }
  return sumLanes(sums);
}

/** Change of the objective in the last iteration: impulses times the mean speed of their rows before and after it. */
function rise(s: MethodState): f64 {
  let sum: f64 = 0;
  for (let u: u32 = 0; u < s.units1; u++) {
    let row: MethodRow = methodRow(at32(s.units, u));
    if (row.active != 1) continue;
    const rows: u32 = row.kind == ROW_PAIR ? 2 : 1;
    for (let k: u32 = 0; k < rows; k++) {
      const dz: f32 = row.z - row.before;
      if (dz != 0) {
        const speed: f32 = <f32>0.5 * (rowSpeed(row, s.momentumVelocities) + rowSpeed(row, s.velocities));
        sum += <f64>dz * <f64>(speed + row.bias + <f32>0.5 * row.gamma * (row.z + row.before));
      }
      row = changetype<MethodRow>(changetype<usize>(row) + METHOD_ROW_STRIDE);
    }
  }
  return sum;
}

/** After an iteration of rows in an order, but the last. */
export function extrapolateOrdered(s: MethodState): void {
  extrapolate(s, s.momentumAge > 1 && rise(s) > 0);
}

/** After an iteration of all rows at once, but the last. */
export function extrapolateAtOnce(s: MethodState): void {
  extrapolate(s, sumShares(s) > 0);
}

/** Velocities from which the next iteration leaves. */
function extrapolate(s: MethodState, anew: bool): void {
  const age: f32 = anew ? 1 : s.momentumAge;
  const factor: f32 = (age - 1) / (age + 2);
  s.momentumAge = age + 1;
  s.momentumFactor = factor;
  const share: v128 = f32x4.splat(factor);
  const end: usize = (<usize>header().bodyCount) << 5;
  for (let at: usize = 0; at < end; at += 16) {
    const now: v128 = v128.load(<usize>s.velocities + at);
    const last: v128 = v128.load(<usize>s.momentumVelocities + at);
    v128.store(<usize>s.momentumVelocities + at, now);
    v128.store(<usize>s.velocities + at, f32x4.add(now, f32x4.mul(share, f32x4.sub(now, last))));
  }
}
