// Test entry of the study methods.
export { solveMethod } from '../solver/methods/solve';
