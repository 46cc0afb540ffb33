// Block mass splitting by body pair (SOLVER_PAIR_SPLIT): mass splitting (split/solve.ts) with one cell a body pair.
// Input, output: as there.
import { initSplit } from '../memory/split_state';
import { header } from '../memory/header';
import { buildGraph } from '../ordering/graph';
import { partitionPairs } from '../ordering/partition';
import { orderState } from '../ordering/state';
import { layOut, prepare } from '../split/pack';
import { solvePacked } from '../split/solve';

/** Packs the active manifolds, one cell a body pair. False without memory. */
export function packSplitPairs(): bool {
  if (!initSplit() || !buildGraph() || !partitionPairs()) return false;
  orderState().cellsChanged = 1;
  header().oneMean = 0; // was tried on cells alone
  return layOut(true) && prepare();
}

/** One step. */
export function solvePairSplit(): void {
  if (packSplitPairs()) solvePacked();
}
