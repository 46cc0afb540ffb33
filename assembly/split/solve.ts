// Mass splitting on the CPU, on the bytes that the GPU works on (split.ts). Twin: shaders/solve.wgsl.
//
// Entry points: solveCellSplit (pack, all passes, back to bodies and manifolds); solvePacked where it is packed already;
// solvePasses for tests.
import { SplitState, SplitStep } from '../layout.generated';
import { splitState } from '../memory/split_state';
import { collectImpulses } from './collect';
import { finaliseBodies } from './finalise';
import { solveIslands } from './island';
import { packSplit } from './pack';
import { stepAt } from './packed';
import { clearDummy, solveCell } from './split';

/** Cell mass splitting, one step. */
export function solveCellSplit(): void {
  if (packSplit()) solvePacked();
}

/** The same for a packed step. */
export function solvePacked(): void {
  const s: SplitState = splitState();
  const islands: u32 = solveIslands(s);
  solvePasses(0, s.passCount, islands);
  unpackSplit();
}

/** Runs `count` passes from pass `first` on over the cells from `firstCell` on. */
export function solvePasses(first: u32, count: u32, firstCell: u32): void {
  const s: SplitState = splitState();
  clearDummy();
  for (let i: u32 = 0; i < count; i++) {
    const step: SplitStep = stepAt(first + i);
    for (let cell: u32 = firstCell; cell < s.cellCount; cell++) solveCell(s, step, cell);
  }
}

/** Writes velocities, deltas, impulses and end separations back to bodies and manifolds. */
export function unpackSplit(): void {
  const s: SplitState = splitState();
  finaliseBodies(s);
  collectImpulses(s);
}
