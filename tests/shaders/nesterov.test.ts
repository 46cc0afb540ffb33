// Nesterov's acceleration of the methods on rows on the GPU against their twins in WASM: equal on a software adapter, restarts
// included; and it pays.
import { expect, inject, it } from 'vitest';
import {
  FRICTION_PATCH,
  FRICTION_PYRAMID,
  FRICTION_PYRAMID_STAGGERED,
  SOLVER_EXTERNAL,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_SCALAR_SPLIT,
  STABILIZE_PROJECTION,
} from '../../src/layout.generated';
import { planStep } from '../../src/study/gpu/row_plan';
import { boxWorld, dropBoxes } from '../helpers/core_world';
import { useDevice } from '../helpers/gpu';
import { everyNth, isLong } from '../helpers/long';
import { boxes, configure, difference, follow, ONE_STEP, rowSolver, SOFT, stepOnGpu } from '../helpers/row_worlds';
import type { Settings } from '../helpers/settings';

const gpu = useDevice();
const tolerance = () => (inject('adapter').software ? 1e-37 : 2e-3);

const STAGGERED: Settings = { ...ONE_STEP, sweeps: 24, frictionModel: FRICTION_PYRAMID_STAGGERED, nesterov: 1 };
const PATCH: Settings = { ...ONE_STEP, sweeps: 24, frictionModel: FRICTION_PATCH, nesterov: 1 };

const cases: [string, number, Settings][] = [
  ['scalar split, staggered', SOLVER_SCALAR_SPLIT, STAGGERED],
  ['scalar split, order drawn', SOLVER_SCALAR_SPLIT, { ...PATCH, permutation: 1 }],
  [
    'scalar split in substeps with relax, pyramid',
    SOLVER_SCALAR_SPLIT,
    { ...SOFT, frictionModel: FRICTION_PYRAMID, nesterov: 1 },
  ],
  ['spectral, norm', SOLVER_JACOBI_SPECTRAL, PATCH],
  ['spectral, power, half of omega', SOLVER_JACOBI_SPECTRAL, { ...STAGGERED, powerIterations: 10, omegaFactor: 0.5 }],
  ['average', SOLVER_JACOBI_AVERAGE, PATCH],
  [
    'accumulate, projection',
    SOLVER_JACOBI_ACCUMULATE,
    { ...PATCH, stabilization: STABILIZE_PROJECTION, stabilizationFactor: 0.8 },
  ],
];

it.each(everyNth(cases, 2))('%s: every step is that of the twin', async (_, method, settings) => {
  const world = boxWorld(dropBoxes(16, 5));
  configure(world, settings, SOLVER_EXTERNAL);
  const solver = await rowSolver(gpu, world, method);
  const { worst } = await follow(world, solver, method, settings, 12);
  expect(worst).toBeLessThanOrEqual(tolerance());
  expect(world.header('contactCount')).toBeGreaterThan(20);
  solver.destroy();
});

it('more rows than a workgroup has lanes squared, a body of many', async () => {
  const method = SOLVER_SCALAR_SPLIT;
  const world = boxWorld([
    ...boxes(80, (i) => [1.2 * (i % 10), 0.5, 1.2 * Math.floor(i / 10)]),
    { at: [5.4, 1.25, 3.6], half: [5.9, 0.25, 4.2] },
  ]);
  configure(world, STAGGERED, SOLVER_EXTERNAL);
  const solver = await rowSolver(gpu, world, method);
  const { worst } = await follow(world, solver, method, STAGGERED, isLong ? 4 : 2);
  expect(worst).toBeLessThanOrEqual(tolerance());
  solver.destroy();
});

it('sums in fixed point and by compare-exchange stay near', async () => {
  const ends = [];
  for (const accumulation of ['segmented', 'fixed-point', 'compare-exchange'] as const) {
    const world = boxWorld(dropBoxes(9, 3));
    configure(world, PATCH, SOLVER_EXTERNAL);
    const solver = await rowSolver(gpu, world, SOLVER_SCALAR_SPLIT, accumulation);
    for (let i = 0; i < 6; i++) await stepOnGpu(world, solver);
    ends.push(world.state());
    solver.destroy();
  }
  expect(difference(ends[0]!, ends[1]!)).toBeLessThan(1e-2);
  expect(difference(ends[0]!, ends[2]!)).toBeLessThan(1e-2);
});

it('takes no dispatch more', () => {
  const base = {
    substeps: 2,
    sweeps: 30,
    relax: true,
    projection: true,
    staggered: true,
    assembled: false,
    atomic: false,
    rest: false,
    pairs: false,
    meanAPass: false,
    colors: null,
    backwards: true,
  };
  const plain = planStep({ ...base, momentum: false });
  const moved = planStep({ ...base, momentum: true });
  expect(moved.passes.map((pass) => pass.kernel)).toEqual(plain.passes.map((pass) => pass.kernel));
  // Kinds of passes do not grow with the number of iterations.
  expect(moved.kinds.length).toBe(planStep({ ...base, momentum: true, sweeps: 300 }).kinds.length);
});
