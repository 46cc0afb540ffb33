// The counts of a measured step. A report tells contacts, cells, colors and dispatches; the rest is that of the counted scene of the same
// name, or of boxes, in proportion to the contact points.
import type { Result } from '../types';
import { type CellCounts, NO_CELLS, type Step, scaled, withDispatches } from './counts';
import { DATA, type ModelData, stepAt } from './scenes';

/** A measured step of cell splitting on a GPU, or null if that is not what it was. */
export function stepOfResult(result: Result, from: ModelData = DATA): Step | null {
  const { gpu, counts } = result;
  if (!gpu?.substeps || !gpu.sweeps || !counts || counts.cells === 0) return null;
  const isCounted = from.results.some((one) => one.scene === result.scene);
  const like = stepAt(isCounted ? result.scene : 'boxes', result.bodies, from);
  const base = scaled(like, (like.bodies * counts.contacts) / like.points);
  const isWhole = counts.splitBodies === 0;
  const whole = base.island.cells > 0 && isWhole ? base.island : base.solve;
  const roundsOfColor = whole.colors > 0 ? whole.rounds / whole.colors : 1;
  const all: CellCounts = {
    cells: counts.cells,
    links: base.links,
    slots: base.slots,
    colors: counts.colors,
    rounds: counts.colors * roundsOfColor,
    meanRounds: whole.rounds > 0 ? (counts.colors * roundsOfColor * whole.meanRounds) / whole.rounds : 0,
    lanes: whole.lanes,
  };
  const estimated: Step = {
    ...base,
    bodies: result.bodies,
    substeps: gpu.substeps,
    sweeps: gpu.sweeps,
    island: isWhole ? all : like.island,
    solve: isWhole ? NO_CELLS : { ...all, cells: Math.max(1, counts.cells - like.island.cells) },
    bytesUp: gpu.bytesUp,
    bytesDown: gpu.bytesDown,
  };
  return withDispatches(estimated, gpu.dispatches);
}
