// Nesterov's acceleration of scalar mass splitting, on random systems in double precision: the supplement's E^-1 - N >= 0 (Tonge 2012,
// section 2) is the condition of FISTA (Beck and Teboulle 2009) with the metric E^-1, so its bound holds (docs/solvers.md).
import { describe, expect, it } from 'vitest';
import { seeded } from '../helpers/random';
import {
  add,
  apply,
  combine,
  diagonal,
  dot,
  effective,
  eigenvalues,
  largest,
  type Matrix,
  objective,
  randomSystem,
  residual,
  type System,
  solveLcp,
  type Vector,
} from './system';

const systems = [1, 2, 3, 4, 5, 6].map(
  (seed) => [seed, randomSystem(seed, 3 + (seed % 4), 6 + 2 * seed, 1 + (seed % 3), 10)] as [number, System],
);

/** The diagonal of E^-1: of each row its bodies' inverse masses times the number of their rows (eq. 15). */
function scalarE(system: System): Vector {
  const count = new Array(system.bodyCount).fill(0);
  for (const c of system.contacts) for (const body of c.bodies) count[body]++;
  return system.contacts.map((_, i) => effective(system, i, (body) => count[body]));
}

/** z after `iterations` from zero, as assembly/study/methods/momentum.ts accelerates; `step` in units of E. Visits every z. */
function accelerate(
  N: Matrix,
  q: Vector,
  E: Vector,
  iterations: number,
  { step = 1, restart = false, visit = (_k: number, _z: Vector) => undefined as unknown } = {},
): Vector {
  let z: Vector = new Array(q.length).fill(0);
  let y = z;
  let age = 1;
  for (let k = 1; k <= iterations; k++) {
    const u = add(apply(N, y), q);
    const next = y.map((value, i) => Math.max(0, value - (step * u[i]!) / E[i]!));
    visit(k, next);
    const turned = next.reduce((sum, value, i) => sum + E[i]! * (y[i]! - value) * (value - z[i]!), 0);
    if (restart && turned > 0) age = 1;
    const factor = (age - 1) / (age + 2);
    age++;
    y = next.map((value, i) => value + factor * (value - z[i]!));
    z = next;
  }
  return z;
}

describe.each(systems)('system %i', (seed, system) => {
  const { N, q } = system;
  const E = scalarE(system);
  const solution = solveLcp(N, q);
  const least = objective(N, q, solution);
  /** |z0 - z*|^2 in the metric E^-1, from z0 = 0. */
  const distance = solution.reduce((sum, z, i) => sum + E[i]! * z * z, 0);
  const rounding = 1e-12 * (1 + Math.abs(least));

  it('the condition holds: E^-1 - N is positive semidefinite', () => {
    expect(eigenvalues(combine(diagonal(E), N, -1))[0]).toBeGreaterThan(-1e-12 * largest(N));
  });

  it('the objective is at most 2 |z0 - z*|^2 / (k + 1)^2 above its least value after k iterations', () => {
    const over: number[] = [];
    accelerate(N, q, E, 600, {
      visit: (k, z) => {
        const above = objective(N, q, z) - least;
        expect(above).toBeGreaterThan(-rounding);
        expect(above).toBeLessThanOrEqual((2 * distance) / (k + 1) ** 2 + rounding);
        over.push((above * (k + 1) ** 2) / (2 * distance));
      },
    });
    // Not by far more than it says.
    expect(Math.max(...over)).toBeGreaterThan(1e-3);
  });

  it('without acceleration it is at most |z0 - z*|^2 / (2 k) above', () => {
    let z: Vector = new Array(q.length).fill(0);
    for (let k = 1; k <= 600; k++) {
      const u = add(apply(N, z), q);
      z = z.map((value, i) => Math.max(0, value - u[i]! / E[i]!));
      expect(objective(N, q, z) - least).toBeLessThanOrEqual(distance / (2 * k) + rounding);
    }
  });

  it('with restarts it ends at the solution, sooner than without acceleration', () => {
    let plain: Vector = new Array(q.length).fill(0);
    for (let k = 0; k < 400; k++) {
      const u = add(apply(N, plain), q);
      plain = plain.map((value, i) => Math.max(0, value - u[i]! / E[i]!));
    }
    const fast = accelerate(N, q, E, 400, { restart: true });
    expect(residual(N, q, fast)).toBeLessThan(Math.max(0.1 * residual(N, q, plain), 1e-9));
    expect(residual(N, q, accelerate(N, q, E, 4000, { restart: true }))).toBeLessThan(1e-9);
  });

  it('the numbering of the contacts does not matter, to rounding', () => {
    const next = seeded(seed);
    const order = q.map((_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(next() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    const M = order.map((i) => order.map((j) => N[i]![j]!));
    const one = accelerate(N, q, E, 60, { restart: true });
    const two = accelerate(
      M,
      order.map((i) => q[i]!),
      order.map((i) => E[i]!),
      60,
      { restart: true },
    );
    const size = Math.sqrt(dot(one, one));
    for (const [k, i] of order.entries()) expect(Math.abs(two[k]! - one[i]!)).toBeLessThan(1e-11 * size);
  });
});

describe('a long chain of loads', () => {
  // Second differences: N = tridiagonal -1 2 -1 with a load at the end, E^-1 = 4: the slowest direction needs hundreds of iterations.
  const n = 60;
  const N: Matrix = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0)),
  );
  const q: Vector = Array.from({ length: n }, (_, i) => (i === n - 1 ? -1 : 0));
  const E: Vector = new Array(n).fill(4);
  const solution = solveLcp(N, q);
  const least = objective(N, q, solution);
  const distance = solution.reduce((sum, z) => sum + 4 * z * z, 0);

  it('keeps the bound, which plain iterations leave by far', () => {
    let plain: Vector = new Array(n).fill(0);
    let worst = 0;
    for (let k = 1; k <= 600; k++) {
      const u = add(apply(N, plain), q);
      plain = plain.map((z, i) => Math.max(0, z - u[i]! / 4));
      worst = Math.max(worst, ((objective(N, q, plain) - least) * (k + 1) ** 2) / (2 * distance));
    }
    expect(worst).toBeGreaterThan(3);
    accelerate(N, q, E, 600, {
      visit: (k, z) => expect(objective(N, q, z) - least).toBeLessThanOrEqual((2 * distance) / (k + 1) ** 2 + 1e-12),
    });
  });

  it('bears a step of 1 / rho, not those up to 2 / rho that plain iterations bear', () => {
    const rho = eigenvalues(N)[n - 1]! / 4;
    const above = (step: number) => objective(N, q, accelerate(N, q, E, 400, { step })) - least;
    expect(above(1 / rho)).toBeLessThan(1e-2);
    expect(above(1.9 / rho)).toBeGreaterThan(1e3);
  });
});
