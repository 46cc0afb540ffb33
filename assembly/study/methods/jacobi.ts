// The Jacobi family: all rows of an iteration see the same velocities. They differ by the masses, by omega and by the length of
// the step. Sources: Tonge, Benevolenski, Voroshilov 2012 (T), Datta 2017 (D).
import { MethodState } from '../../layout.generated';
import { applySteps } from './jacobi_apply';
import { stepRows } from './jacobi_rows';
import { PARTS_ROWS, RowMethod } from './method';
import { setOmega } from './spectral';

/** T eq. 9. */
export class Jacobi extends RowMethod {
  permutesRows(): bool {
    return false;
  }
  // There is no order, but sums that a GPU must find again.
  isOrdered(): bool {
    return false;
  }
  pass(s: MethodState, pass: u32, from: u32, to: u32): void {
    stepRows(s, from, to, pass == 0 ? s.omega0 : s.omega1);
    applySteps(s, from, to, 1);
  }
}

/** T eq. 11: scaled by the spectral radius. */
export class SpectralJacobi extends Jacobi {
  start(s: MethodState, onGpu: bool): bool {
    return setOmega();
  }
}

/** T eq. 12: Bridson's average. */
export class AverageJacobi extends Jacobi {
  parts(): u32 {
    return PARTS_ROWS;
  }
  inEffect(n: f32): f32 {
    return <f32>1 / n;
  }
}

/** T eq. 15; D approach 1 with the masses of D 3.7 is the same. */
export class ScalarSplit extends Jacobi {
  parts(): u32 {
    return PARTS_ROWS;
  }
  inDivisor(n: f32): f32 {
    return n;
  }
}
