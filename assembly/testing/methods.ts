// Test entry of the study methods.
export { solveMethod } from '../study/methods/solve';
export { initAvbd, avbdState } from '../study/avbd/state';
export { startBlock, stampRow, stampGeometry, solveBlock } from '../study/avbd/block';
export { rowForce, updateRow } from '../study/avbd/row';
