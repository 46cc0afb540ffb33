// The Jacobi family: all rows of an iteration see the same velocities. They differ by the masses, by omega and by the length of
// the step. Sources: Tonge, Benevolenski, Voroshilov 2012 (T), Datta 2017 (D).
import { MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { applySteps } from './jacobi_apply';
import { stepRows } from './jacobi_rows';
import { PARTS_ROWS, RowMethod } from './method';
import { extrapolateAtOnce } from './momentum';
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
    stepRows(s, pass, from, to, pass == 0 ? s.omega0 : s.omega1);
    applySteps(s, from, to, 1);
  }
  extrapolate(s: MethodState): void {
    extrapolateAtOnce(s);
  }
  start(s: MethodState, onGpu: bool): bool {
    setFactor(s);
    return true;
  }
}

/** The omega of the settings. */
function setFactor(s: MethodState): void {
  const h = header();
  const omega: f32 = h.omegaFactor > 0 ? h.omegaFactor : 1;
  s.omega0 *= omega;
  s.omega1 *= omega;
  h.omega = s.omega0;
}

/** T eq. 11: scaled by the spectral radius. */
export class SpectralJacobi extends Jacobi {
  start(s: MethodState, onGpu: bool): bool {
    if (!setOmega()) return false;
    setFactor(s);
    return true;
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
