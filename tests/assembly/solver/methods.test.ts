// The methods of the papers on scalar rows: the same rows as the oracle, the same fixed point, their stabilizations and aids.
import { describe, expect, it } from 'vitest';
import {
  FRICTION_PATCH,
  FRICTION_PYRAMID,
  FRICTION_PYRAMID_STAGGERED,
  FRICTION_RANDOM_TANGENT,
  SOLVER_CELL_ORDER,
  SOLVER_CELL_SPLIT,
  SOLVER_COLOR_ORDER,
  SOLVER_JACOBI,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_LINE_SEARCH,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_PAIR_SPLIT,
  SOLVER_PAIR_SPLIT_PRINTED,
  SOLVER_PGS,
  SOLVER_SCALAR_SPLIT,
  STABILIZE_BAUMGARTE,
  STABILIZE_PROJECTION,
} from '../../../src/layout.generated';
import { type CoreExports, loadCore } from '../../helpers/core';
import { Problem, pile, plate, sphereHeap, stack, wall } from '../../helpers/manifold_builder';
import { applySettings, type Settings } from '../../helpers/settings';

function place(problem: Problem, settings: Settings): CoreExports {
  const { core, memory } = loadCore();
  problem.write(core, memory);
  applySettings(problem, { meanEachSweep: 1, ...settings });
  return core;
}

/** One step of `sweeps` rigid iterations without stabilization, contacts that just touch. */
const oneStep = (sweeps: number): Settings => ({ substeps: 1, sweeps, stabilization: STABILIZE_BAUMGARTE, powerIterations: 0 });

/** Velocities after one cold step. */
function run(make: () => Problem, method: number, settings: Settings, prepare: (p: Problem) => void = () => undefined) {
  const problem = make();
  for (const m of problem.manifolds) for (const p of m.points) p.separation = 0;
  const core = place(problem, settings);
  prepare(problem);
  core.solveMethod(method);
  expect(problem.header('error')).toBe(0);
  return problem;
}

const rms = (values: Float64Array) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
const difference = (a: Float64Array, b: Float64Array) => rms(a.map((v, i) => v - b[i]!));
const frictionless = (p: Problem) => {
  for (let i = 0; i < p.manifolds.length; i++) p.setManifold(i, 'friction', 0);
};

/** All contacts overlap a little, so that rounding does not decide which of them are soft. */
function pressed(problem: Problem): Problem {
  for (const m of problem.manifolds) for (const p of m.points) p.separation = -0.005;
  return problem;
}

it.each([FRICTION_PATCH, FRICTION_PYRAMID])('Gauss-Seidel on rows is the oracle, friction model %i', (frictionModel) => {
  for (const make of [() => stack(6), () => pile(40, 7), () => wall(4, 4)]) {
    const oracle = pressed(make());
    const rows = pressed(make());
    // One substep: the oracle's warm start leaves out part of an impact between substeps, the rows carry all of it.
    const a = place(oracle, { frictionModel, substeps: 1, sweeps: 8 });
    const b = place(rows, { frictionModel, substeps: 1, sweeps: 8, relax: 1 });
    a.solvePgs();
    b.solveMethod(SOLVER_PGS);
    expect(difference(oracle.velocities(), rows.velocities())).toBeLessThan(2e-5);
    expect(difference(oracle.deltas(), rows.deltas())).toBeLessThan(1e-6);
    expect(rows.manifold(0, 'impulse0')).toBeCloseTo(oracle.manifold(0, 'impulse0'), -1);
  }
});

it('Gauss-Seidel on rows repeats impulses between substeps and steps as the oracle does, without what stopped an impact', () => {
  for (const make of [() => stack(6), () => pile(40, 7), () => wall(4, 4)]) {
    const oracle = pressed(make());
    const rows = pressed(make());
    const a = place(oracle, { substeps: 6, sweeps: 2 });
    const b = place(rows, { substeps: 6, sweeps: 2, relax: 1 });
    for (let step = 0; step < 3; step++) {
      oracle.clearDeltas();
      rows.clearDeltas();
      a.solvePgs();
      b.solveMethod(SOLVER_PGS);
      expect(difference(oracle.velocities(), rows.velocities())).toBeLessThan(2e-4 * Math.max(1, rms(oracle.velocities())));
      expect(difference(oracle.deltas(), rows.deltas())).toBeLessThan(1e-5);
    }
  }
});

it('cell order and color order on rows hold a stack like the sequential order does', () => {
  for (const method of [SOLVER_CELL_ORDER, SOLVER_COLOR_ORDER]) {
    const problem = stack(8);
    const core = place(problem, { relax: 1 });
    for (let step = 0; step < 120; step++) {
      problem.clearDeltas();
      core.solveMethod(method);
    }
    expect(rms(problem.velocities()), String(method)).toBeLessThan(1e-3);
  }
});

describe('one fixed point without friction', () => {
  const convergent: [string, number, number, Settings][] = [
    ['Jacobi with line search', SOLVER_JACOBI_LINE_SEARCH, 6000, {}],
    ['Jacobi scaled by the norm', SOLVER_JACOBI_SPECTRAL, 20000, {}],
    ['Jacobi scaled by power iteration', SOLVER_JACOBI_SPECTRAL, 8000, { powerIterations: 50 }],
    ['scalar splitting', SOLVER_SCALAR_SPLIT, 20000, {}],
    ['assembled', SOLVER_JACOBI_ASSEMBLED, 20000, {}],
    ['accumulated', SOLVER_JACOBI_ACCUMULATE, 20000, {}],
    ['pair splitting', SOLVER_PAIR_SPLIT, 8000, {}],
    ['cell splitting', SOLVER_CELL_SPLIT, 3000, { granularity: 8 }],
    ['cell order', SOLVER_CELL_ORDER, 2000, { granularity: 8 }],
    ['color order', SOLVER_COLOR_ORDER, 2000, {}],
    ['Gauss-Seidel in a drawn order', SOLVER_PGS, 2000, { permutation: 1 }],
    // Accelerated, in a tenth of the iterations.
    ['scalar splitting, accelerated', SOLVER_SCALAR_SPLIT, 2000, { nesterov: 1 }],
    ['Jacobi scaled by the norm, accelerated', SOLVER_JACOBI_SPECTRAL, 2000, { nesterov: 1 }],
    ['pair splitting, accelerated', SOLVER_PAIR_SPLIT, 800, { nesterov: 1 }],
    ['cell splitting, accelerated', SOLVER_CELL_SPLIT, 300, { granularity: 8, nesterov: 1 }],
    ['Gauss-Seidel, accelerated', SOLVER_PGS, 200, { nesterov: 1 }],
  ];
  it.each([
    ['pile', () => pile(16, 11)],
    ['plate', () => plate(4)],
    ['spheres', () => sphereHeap(12, 2)],
  ] as [string, () => Problem][])('%s', (_, make) => {
    const oracle = run(make, SOLVER_PGS, oneStep(4000), frictionless).velocities();
    const start = rms(run(make, SOLVER_PGS, oneStep(1), frictionless).velocities());
    for (const [name, method, iterations, settings] of convergent) {
      const v = run(make, method, { ...oneStep(iterations), ...settings }, frictionless).velocities();
      expect(difference(v, oracle) / start, name).toBeLessThan(4e-3);
    }
  });
});

it('both approaches of Datta give the same iterates', () => {
  for (const frictionModel of [FRICTION_PATCH, FRICTION_PYRAMID, FRICTION_PYRAMID_STAGGERED]) {
    for (const iterations of [1, 5, 40]) {
      const settings = { ...oneStep(iterations), frictionModel };
      const a = run(() => pile(30, 5), SOLVER_JACOBI_ASSEMBLED, settings).velocities();
      const b = run(() => pile(30, 5), SOLVER_JACOBI_ACCUMULATE, settings).velocities();
      const c = run(() => pile(30, 5), SOLVER_SCALAR_SPLIT, settings).velocities();
      expect(difference(a, b)).toBeLessThan(1e-5);
      expect(difference(b, c)).toBe(0);
    }
  }
});

it('plain Jacobi and the printed form of block splitting diverge on a plate on six supports, the corrected form does not', () => {
  const speed = (method: number, iterations: number) =>
    rms(run(() => plate(6, 0, 5), method, oneStep(iterations), frictionless).velocities());
  expect(speed(SOLVER_PAIR_SPLIT, 200)).toBeLessThan(1e-3);
  expect(speed(SOLVER_PAIR_SPLIT_PRINTED, 200)).toBeGreaterThan(0.01);
  expect(speed(SOLVER_JACOBI, 200)).toBeGreaterThan(0.01);
  expect(speed(SOLVER_SCALAR_SPLIT, 2000)).toBeLessThan(1e-3);
});

it('averaging (eq. 12) by rows is scalar splitting (eq. 15) of bodies that are as many times heavier, and converges', () => {
  for (const make of [() => pile(16, 11), () => plate(6, 0, 5), () => sphereHeap(12, 2)]) {
    // Rows on each body: a twist, two tangents and the normals of every manifold.
    const rows: number[] = [];
    for (const m of make().manifolds) for (const body of [m.bodyA, m.bodyB]) rows[body] = (rows[body] ?? 0) + 3 + m.points.length;
    const heavier = () => {
      const problem = make();
      problem.bodies.forEach((body, i) => {
        body.mass *= rows[i] ?? 1;
      });
      return problem;
    };
    for (const iterations of [1, 7, 60]) {
      const averaged = run(make, SOLVER_JACOBI_AVERAGE, oneStep(iterations)).velocities();
      const split = run(heavier, SOLVER_SCALAR_SPLIT, oneStep(iterations)).velocities();
      expect(difference(averaged, split)).toBeLessThan(1e-5);
    }
    const limit = run(heavier, SOLVER_PGS, oneStep(4000), frictionless).velocities();
    const start = rms(run(heavier, SOLVER_PGS, oneStep(1), frictionless).velocities());
    const v = run(make, SOLVER_JACOBI_AVERAGE, oneStep(20000), frictionless).velocities();
    expect(difference(v, limit) / start).toBeLessThan(1e-2);
  }
});

it('block splitting on rows is the splitting solver, at one sweep a pass', () => {
  for (const [method, solver] of [
    [SOLVER_PAIR_SPLIT, 'solvePairSplit'],
    [SOLVER_CELL_SPLIT, 'solveCellSplit'],
  ] as const) {
    const a = pressed(pile(40, 3));
    const b = pressed(pile(40, 3));
    const settings = { granularity: 16, substeps: 1, sweeps: 1 };
    const coreA = place(a, settings);
    const coreB = place(b, { ...settings, relax: 1 });
    coreA[solver]();
    coreB.solveMethod(method);
    expect(difference(a.velocities(), b.velocities())).toBeLessThan(1e-4);
  }
});

it('staggered friction (eq. 40-41) settles on velocities like those of coupled friction', () => {
  const settled = (frictionModel: number, method: number) =>
    run(() => pile(20, 9), method, { ...oneStep(3000), frictionModel }).velocities();
  const coupled = settled(FRICTION_PYRAMID, SOLVER_PGS);
  expect(difference(settled(FRICTION_PYRAMID_STAGGERED, SOLVER_PGS), coupled)).toBeLessThan(2e-2);
  expect(difference(settled(FRICTION_PYRAMID_STAGGERED, SOLVER_PAIR_SPLIT), coupled)).toBeLessThan(3e-2);
});

/** A box that slides on the floor. */
function slider(): Problem {
  const problem = new Problem();
  problem.addBody({ position: [0, -1, 0], half: [500, 1, 500], mass: 0 });
  problem.addBody({ position: [0, 0.5, 0], half: [0.5, 0.5, 0.5], mass: 1000, velocity: [4, 0, 0] });
  problem.touchBoxes(0.3);
  return problem;
}

it('one random tangent with mu pi / 2 slows a sliding box like two tangents do, on average', () => {
  const slow = (frictionModel: number, seed: number) => {
    const problem = slider();
    const core = place(problem, { ...oneStep(20), frictionModel, seed });
    for (let step = 0; step < 40; step++) {
      problem.setHeader('stepCount', step);
      problem.clearDeltas();
      core.solveMethod(SOLVER_PGS);
    }
    return 4 - problem.velocities()[6]!;
  };
  const expected = (0.3 * 9.81 * 40) / 60;
  expect(slow(FRICTION_PYRAMID, 1)).toBeCloseTo(expected, 1);
  const mean = [1, 2, 3, 4, 5, 6].reduce((sum, seed) => sum + slow(FRICTION_RANDOM_TANGENT, seed) / 6, 0);
  expect(Math.abs(mean - expected)).toBeLessThan(0.2 * expected);
});

/** A box that lies a centimetre deep in the floor. */
function sunk(): Problem {
  const problem = stack(1);
  for (const m of problem.manifolds) for (const p of m.points) p.separation = -0.01;
  return problem;
}

it('Baumgarte takes the overlap out by velocity, projection leaves the velocity alone', () => {
  for (const [stabilization, speed] of [
    [STABILIZE_BAUMGARTE, 0.2 * 0.01 * 60],
    [STABILIZE_PROJECTION, 0],
  ] as const) {
    const problem = sunk();
    const core = place(problem, { substeps: 1, sweeps: 60, stabilization, stabilizationFactor: 0.2 });
    core.solveMethod(SOLVER_PGS);
    expect(problem.velocities()[7]).toBeCloseTo(speed, 4);
    expect(problem.manifold(0, 'separation0')).toBeCloseTo(-0.008, 5);
  }
});

it('overlap within the slop is left alone', () => {
  const problem = sunk();
  const core = place(problem, {
    substeps: 1,
    sweeps: 60,
    stabilization: STABILIZE_PROJECTION,
    stabilizationFactor: 0.8,
    linearSlop: 0.02,
  });
  core.solveMethod(SOLVER_PGS);
  expect(problem.manifold(0, 'separation0')).toBeCloseTo(-0.01, 5);
});

it('a drawn order is the same for the same seed and step, and another one otherwise', () => {
  const v = (seed: number, stepCount: number) =>
    run(() => pile(40, 3), SOLVER_PGS, { ...oneStep(2), permutation: 1, seed, stepCount }).velocities();
  expect(difference(v(1, 5), v(1, 5))).toBe(0);
  expect(difference(v(1, 5), v(2, 5))).toBeGreaterThan(1e-4);
  expect(difference(v(1, 5), v(1, 6))).toBeGreaterThan(1e-4);
});

it('shock propagation and weight amplification hold a tall stack up with few iterations', () => {
  const fall = (settings: Settings) =>
    rms(run(() => stack(20), SOLVER_PGS, { ...oneStep(6), permutation: 1, ...settings }).velocities());
  const plain = fall({});
  expect(plain).toBeGreaterThan(0.02);
  expect(fall({ shockPropagation: 1 })).toBeLessThan(0.1 * plain);
  expect(fall({ shockPropagation: 0.5 })).toBeLessThan(0.6 * plain);
  expect(fall({ weightAmplification: 1.4 })).toBeLessThan(plain);
});
