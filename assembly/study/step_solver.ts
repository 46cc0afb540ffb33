// The solvers of talus/study beside those of the product.
import {
  SOLVER_AVBD,
  SOLVER_CELL_ORDER,
  SOLVER_COLORED,
  SOLVER_JACOBI,
  SOLVER_PAIR_ROWS,
  SOLVER_PAIR_SPLIT,
  SOLVER_PGS,
} from '../layout.generated';
import { header } from '../memory/header';
import { StepSolver } from '../solvers/step_solver';
import { solveAvbd } from './avbd/solve';
import { solveColored } from './colored';
import { solveMethod } from './methods/solve';
import { solvePairSplit } from './pair_split';
import { solveCellOrder, solvePgs } from './pgs';

class StudySolver extends StepSolver {
  solve(solver: u32): void {
    if (solver == SOLVER_AVBD) solveAvbd();
    else if (header().onRows != 0 || (solver >= SOLVER_JACOBI && solver <= SOLVER_PAIR_ROWS)) solveMethod(solver);
    else if (solver == SOLVER_COLORED) solveColored();
    else if (solver == SOLVER_PGS) solvePgs();
    else if (solver == SOLVER_CELL_ORDER) solveCellOrder();
    else if (solver == SOLVER_PAIR_SPLIT) solvePairSplit();
    else super.solve(solver);
  }
}

export function initStudySolver(): void {
  header().stepSolver = idof<StudySolver>();
}
