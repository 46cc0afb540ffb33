// Which solver takes a step: a hook (memory/hook.ts), since talus/study has more of them (assembly/study/step_solver.ts).
import { Header, SOLVER_CELL_SPLIT, SOLVER_WIDE } from '../layout.generated';
import { hookAt } from '../memory/hook';
import { solveCellSplit } from '../split/solve';
import { solveLanes } from '../sweep/wide';

export class StepSolver {
  /** Solves a step with the solver of a SOLVER_* code; of SOLVER_EXTERNAL the host has done so. */
  solve(solver: u32): void {
    if (solver == SOLVER_WIDE) solveLanes();
    else if (solver == SOLVER_CELL_SPLIT) solveCellSplit();
  }
}

export function stepSolver(): StepSolver {
  return hookAt<StepSolver>(offsetof<Header>('stepSolver'));
}
