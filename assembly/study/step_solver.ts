// The solvers of talus/study beside those of the product, by their codes. Those that do not work on rows are listed here, the
// methods on rows in methods/registry.ts.
import {
  SOLVER_AVBD,
  SOLVER_CELL_ORDER,
  SOLVER_CELL_SPLIT,
  SOLVER_COLORED,
  SOLVER_EXTERNAL,
  SOLVER_PAIR_SPLIT,
  SOLVER_PGS,
  SOLVER_WIDE,
} from '../layout.generated';
import { header } from '../memory/header';
import { StepSolver } from '../solvers/step_solver';
import { solveAvbd } from './avbd/solve';
import { solveColored } from './colored';
import { methodClass } from './methods/registry';
import { solveMethod } from './methods/solve';
import { solvePairSplit } from './pair_split';
import { solveCellOrder, solvePgs } from './pgs';

class StudySolver extends StepSolver {
  solve(solver: u32): void {
    // Settings that only the rows have: those of the same solver, if it has any.
    if (header().onRows != 0 && methodClass(solver) != 0) {
      solveMethod(solver);
      return;
    }
    // These have joints in their order on rows alone. The host does so for SOLVER_COLORED, whose contacts live in lanes.
    if (header().jointAlive != 0 && (solver == SOLVER_CELL_ORDER || solver == SOLVER_PAIR_SPLIT)) {
      solveMethod(solver);
      return;
    }
    switch (solver) {
      case SOLVER_AVBD:
        solveAvbd();
        break;
      case SOLVER_COLORED:
        solveColored();
        break;
      case SOLVER_PGS:
        solvePgs();
        break;
      case SOLVER_CELL_ORDER:
        solveCellOrder();
        break;
      case SOLVER_PAIR_SPLIT:
        solvePairSplit();
        break;
      case SOLVER_WIDE:
      case SOLVER_CELL_SPLIT:
      case SOLVER_EXTERNAL:
        super.solve(solver);
        break;
      default:
        solveMethod(solver);
    }
  }
}

export function initStudySolver(): void {
  header().stepSolver = idof<StudySolver>();
}
