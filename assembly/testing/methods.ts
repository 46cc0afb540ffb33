// Test entry of the study methods.
export { solveMethod } from '../study/methods/solve';
