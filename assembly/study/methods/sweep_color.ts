// Gauss-Seidel over all rows, in any order: with the links color by color (Tonge 2012, section 3.4.1) that of the GPU. Twin:
// shaders/sweep_color.wgsl.
// Input: rows, velocities. Output: impulses of the rows, velocities.
import { MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { solveMoved } from './momentum';
import { solveUnit } from './sweep';

/** One iteration over the units [from, to) in their order. */
export function sweepUnits(s: MethodState, from: u32, to: u32): void {
  const moved: bool = header().nesterov != 0;
  for (let u: u32 = from; u < to; u++) {
    if (moved) solveMoved(s, u, s.velocities);
    else solveUnit(s, u, s.velocities);
  }
}
