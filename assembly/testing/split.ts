// The scalar and splitting solvers for tests.
export * from './ordering';
export { bounce, prepareBounces } from '../solver/restitution';
export { solveCellOrder, solvePgs } from '../solver/pgs';
export { layOutGpu, packSplit, packSplitPairs } from '../solver/split_pack';
export { solveCellSplit, solvePairSplit, solvePasses, unpackSplit } from '../solver/split_solve';
export { applyGpuResult, forgetGpu, packGpu } from '../solver/gpu_pack';
