// Test entry of the oracle of SOLVER_WIDE (study/wide_oracle.ts): it takes the place of the solvers in a world.
import { header } from '../memory/header';
import { manifoldAt } from '../constraints/manifolds';
import { laneGroup, laneSide } from '../lanes/state';
import { StepSolver } from '../solvers/step_solver';
import { solveWideOracle } from '../study/wide_oracle';

class OracleSolver extends StepSolver {
  solve(solver: u32): void {
    solveWideOracle();
  }
}

/** From now on steps are solved by the oracle. */
export function useWideOracle(): void {
  header().stepSolver = idof<OracleSolver>();
}
/** Where the words of the lane of a manifold lie, in its group and beside it. */
export function testLaneGroup(manifold: u32): u32 {
  return <u32>laneGroup(manifoldAt(manifold).lane);
}
export function testLaneSide(manifold: u32): u32 {
  return <u32>laneSide(manifoldAt(manifold).lane);
}
