// All passes of a step for cells of whole islands, which share no body with other cells, cell by cell. Twin: shaders/island.wgsl,
// and shaders/island_joints.wgsl where joints are among their links. Results equal the passes of solve.ts.
import { SplitState } from '../layout.generated';
import { stepAt } from './packed';
import { clearDummy, solveCell } from './split';

/** All passes of a step over the cells of whole islands, one after the other. Returns how many these are. */
export function solveIslands(s: SplitState): u32 {
  const islands: u32 = s.closedCellCount;
  clearDummy();
  for (let cell: u32 = 0; cell < islands; cell++) {
    for (let i: u32 = 0; i < s.passCount; i++) solveCell(s, stepAt(i), cell);
  }
  return islands;
}
