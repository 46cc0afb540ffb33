// The methods on rows, by the codes of solvers: the one list of them in the core. A new method is a class (method.ts) in its own
// file, a line here, its code in scripts/layout/constants.mjs and its entry in src/study/solvers.ts.
import {
  SOLVER_CELL_ORDER,
  SOLVER_CELL_SPLIT,
  SOLVER_COLOR_ORDER,
  SOLVER_JACOBI,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_LINE_SEARCH,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_NNCG,
  SOLVER_OWN,
  SOLVER_PAIR_ROWS,
  SOLVER_PAIR_SPLIT,
  SOLVER_PAIR_SPLIT_PRINTED,
  SOLVER_PGS,
  SOLVER_SCALAR_SPLIT,
} from '../../layout.generated';
import { AssembledJacobi } from './assembled';
import { CellSplit, PairSplit, PrintedPairSplit } from './blocks';
import { AverageJacobi, Jacobi, ScalarSplit, SpectralJacobi } from './jacobi';
import { LineSearchJacobi } from './line_search';
import { RowMethod } from './method';
import { CellOrder, ColorOrder } from './orders';
import { ConjugateGradient } from './nncg';
import { OwnMethod } from './own';

/** Id of the class of a method, 0 for a solver that does not work on rows. */
export function methodClass(solver: u32): u32 {
  switch (solver) {
    case SOLVER_PGS:
      return idof<RowMethod>();
    case SOLVER_CELL_ORDER:
      return idof<CellOrder>();
    case SOLVER_COLOR_ORDER:
      return idof<ColorOrder>();
    case SOLVER_JACOBI:
      return idof<Jacobi>();
    case SOLVER_JACOBI_LINE_SEARCH:
      return idof<LineSearchJacobi>();
    case SOLVER_JACOBI_SPECTRAL:
      return idof<SpectralJacobi>();
    case SOLVER_JACOBI_AVERAGE:
      return idof<AverageJacobi>();
    case SOLVER_SCALAR_SPLIT:
    case SOLVER_JACOBI_ACCUMULATE:
      return idof<ScalarSplit>();
    case SOLVER_JACOBI_ASSEMBLED:
      return idof<AssembledJacobi>();
    case SOLVER_PAIR_SPLIT:
    case SOLVER_PAIR_ROWS:
      return idof<PairSplit>();
    case SOLVER_PAIR_SPLIT_PRINTED:
      return idof<PrintedPairSplit>();
    case SOLVER_CELL_SPLIT:
      return idof<CellSplit>();
    case SOLVER_NNCG:
      return idof<ConjugateGradient>();
    case SOLVER_OWN:
      return idof<OwnMethod>();
    default:
      return 0;
  }
}
