// The scalar and splitting solvers for tests.
import { awakeChanged, listAwake } from '../bodies/awake';
import { findImpacts as find } from '../impacts/find';

export * from './ordering';
export { solveImpacts } from '../impacts/bounce';
export { solveCellOrder, solvePgs } from '../study/pgs';
export { packSplitPairs, solvePairSplit } from '../study/pair_split';
export { layOutGpu, packSplit } from '../split/pack';
export { solveCellSplit, solvePasses, unpackSplit } from '../split/solve';
export { applyGpuResult, forgetGpu, packGpu } from '../split/gpu_pack';

/** As in a step, where the bodies that are awake have been listed: tests write rows. */
export function findImpacts(): bool {
  awakeChanged();
  return listAwake() && find();
}
