// Gauss-Seidel over all rows, in any order: with the links color by color (Tonge 2012, section 3.4.1) that of the GPU. Twin:
// shaders/sweep_color.wgsl.
// Input: rows, velocities. Output: impulses of the rows, velocities.
import { MethodState } from '../../layout.generated';
import { solveUnit } from './sweep';

/** One iteration over the units [from, to) in their order. */
export function sweepUnits(s: MethodState, from: u32, to: u32): void {
  for (let u: u32 = from; u < to; u++) solveUnit(s, u, s.velocities);
}
