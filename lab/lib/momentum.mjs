// Nesterov's acceleration of any iteration of methods.mjs: before each, impulses and velocities move on by a share of what the last one
// changed. Velocities are linear in impulses, so both extrapolate by the same factor and no row is applied again.
//
// The factor after iteration k since the last restart is (k - 1) / (k + 2). Bounds of friction come from impulses within their bounds,
// those of normals as the iteration leaves them; extrapolated impulses may lie outside until their row is solved.
import { rowSpeed } from './problem.mjs';

/** Restart tests: whether the impulses have been carried too far. */
const RESTARTS = {
  /** The step from y and the motion point apart, in the metric of the diagonal (O'Donoghue and Candes 2015). */
  gradient({ kA, kB, rows }, y, before, z) {
    let sum = 0;
    for (let r = 0; r < rows; r++) sum += (kA[r] + kB[r]) * (y[r] - z[r]) * (z[r] - before[r]);
    return sum > 0;
  },
  /** The objective z'Nz / 2 + q'z has risen: impulses times the mean speed of their rows before and after. */
  objective(p, _, before, z, last, v) {
    let rise = 0;
    for (let r = 0; r < p.rows; r++) rise += (z[r] - before[r]) * ((rowSpeed(p, r, last) + rowSpeed(p, r, v)) / 2 + p.bias[r]);
    return rise > 0;
  },
};

/**
 * A method, accelerated. Where rows are solved in an order, its sweep is no proximal step, and the gradient test misses what goes
 * wrong: then `objective` is the test to take.
 * @param {(p: object) => { iterate(v: Float64Array, z: Float64Array): void }} method Of methods.mjs.
 * @param {{ restart?: keyof typeof RESTARTS, most?: number }} options Restart test; largest factor.
 */
export function accelerated(method, { restart = 'gradient', most = 1 } = {}) {
  const test = RESTARTS[restart];
  return (p) => {
    const inner = method(p);
    const before = new Float64Array(p.rows);
    const y = new Float64Array(p.rows);
    const last = new Float64Array(6 * p.bodies);
    let age = 0;
    return {
      ...inner,
      iterate(v, z) {
        const factor = age === 0 ? 0 : Math.min(most, (age - 1) / (age + 2));
        for (let r = 0; r < p.rows; r++) {
          y[r] = z[r] + factor * (z[r] - before[r]);
          before[r] = z[r];
          z[r] = y[r];
        }
        for (let k = 0; k < v.length; k++) {
          const now = v[k];
          v[k] += factor * (now - last[k]);
          last[k] = now;
        }
        inner.iterate(v, z);
        age = age > 0 && test(p, y, before, z, last, v) ? 1 : age + 1;
      },
    };
  };
}
