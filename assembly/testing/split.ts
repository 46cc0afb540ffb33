// The scalar and splitting solvers for tests.
import { awakeChanged, listAwake } from '../bodies/awake';
import { prepareBounces as prepare } from '../solver/restitution';

export * from './ordering';
export { bounce } from '../solver/restitution';
export { solveCellOrder, solvePgs } from '../solver/pgs';
export { layOutGpu, packSplit, packSplitPairs } from '../solver/split_pack';
export { solveCellSplit, solvePairSplit, solvePasses, unpackSplit } from '../solver/split_solve';
export { applyGpuResult, forgetGpu, packGpu } from '../solver/gpu_pack';

/** As in a step, where the bodies that are awake have been listed: tests write rows. */
export function prepareBounces(): bool {
  awakeChanged();
  return listAwake() && prepare();
}
