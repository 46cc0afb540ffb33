// Blocks on sub-bodies, first half of an iteration: Gauss-Seidel over the rows of a block, on sub-bodies of its own that start
// with the velocities of the bodies (Tonge 2012, eq. 35-37; as printed: Algorithm 1, line 18). Twin: shaders/sweep_pair.wgsl.
// Input: rows, velocities. Output: impulses of the rows, sub-bodies.
import { MethodRow, MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { solveMoved } from './momentum';
import { methodRow } from './state';
import { solveUnit } from './sweep';
import { addAll, collectChanges } from './sweep_mean';

/** All blocks of a pass from the same velocities, each with Gauss-Seidel on its own sub-bodies; then the means. */
export function blockPass(s: MethodState, pass: u32, from: u32, takesMean: bool): void {
  const h = header();
  memory.fill(s.sums, 0, (<usize>h.bodyCount) << 5);
  const moved: bool = h.nesterov != 0 && s.sweepsEach == 1;
  let unit: u32 = from;
  const first: u32 = pass == 0 ? 0 : s.blocks0;
  const last: u32 = pass == 0 ? s.blocks0 : s.blocks1;
  for (let block: u32 = first; block < last; block++) {
    const end: u32 = at32(s.blockEnds, block);
    s.stamp++;
    let touched: u32 = 0;
    for (let u: u32 = unit; u < end; u++) {
      const row: MethodRow = methodRow(at32(s.units, u));
      touched = enter(s, row.bodyA, touched);
      touched = enter(s, row.bodyB, touched);
    }
    for (let sweep: u32 = 0; sweep < s.sweepsEach; sweep++) {
      for (let u: u32 = unit; u < end; u++) {
        if (moved) solveMoved(s, u, s.subs);
        else solveUnit(s, u, s.subs);
      }
    }
    unit = end;
    collectChanges(s, pass, touched, takesMean);
  }
  addAll(s.velocities, s.sums, h.bodyCount, 1);
}

/** Gives a body of the block its sub-body, once. */
function enter(s: MethodState, body: u32, touched: u32): u32 {
  if (at32(s.stamps, body) == s.stamp) return touched;
  put32(s.stamps, body, s.stamp);
  memory.copy(<usize>s.subs + ((<usize>body) << 5), <usize>s.velocities + ((<usize>body) << 5), 32);
  put32(s.touched, touched, body);
  return touched + 1;
}
