// Jacobi on the GPU against its twin in WASM (assembly/study/methods) in running worlds: equal with segmented sums on a
// software adapter, where every operation is rounded once; within a tolerance with atomic sums and elsewhere.
import { afterAll, describe, expect, inject, it } from 'vitest';
import {
  BodyRow,
  FRICTION_PATCH,
  FRICTION_PYRAMID,
  FRICTION_PYRAMID_STAGGERED,
  FRICTION_RANDOM_TANGENT,
  JacobiBody,
  MethodState,
  SOLVER_EXTERNAL,
  SOLVER_JACOBI,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_PGS,
  SOLVER_SCALAR_SPLIT,
  STABILIZE_PROJECTION,
} from '../../src/layout.generated';
import { rowBindings } from '../../src/study/gpu/row_pipelines';
import { FLAG, MODE, planStep } from '../../src/study/gpu/row_plan';
import { type RowCore, RowSolver } from '../../src/study/gpu/row_solver';
import { rowKernels, rowShared, rowSource } from '../../src/study/gpu/shader';
import type { Accumulation } from '../../src/study/methods';
import { boxWorld, type CoreWorld, dropBoxes } from '../helpers/core_world';
import { readBuffer, testDevice, useDevice } from '../helpers/gpu';
import { everyNth, isLong } from '../helpers/long';
import type { Vec3 } from '../helpers/manifold_builder';
import {
  boxes,
  configure,
  difference,
  follow,
  freeBatch,
  ONE_STEP,
  rowSolver,
  SOFT,
  solveOnGpu,
  stepOnGpu,
} from '../helpers/row_worlds';
import type { Settings } from '../helpers/settings';

const gpu = useDevice();
/** One solver a world; all share the compiled kernels of one device. */
const solvers: RowSolver[] = [];
/** Velocities of one step: fused operations differ by this, m/s. Software adapters only flush what is smaller than 1e-38. */
const tolerance = () => (inject('adapter').software ? 1e-37 : 5e-4);

afterAll(() => {
  for (const solver of solvers) solver.destroy();
});

async function solverOf(world: CoreWorld, method: number, accumulation?: Accumulation, core?: RowCore): Promise<RowSolver> {
  const solver = await rowSolver(gpu, world, method, accumulation, core);
  solvers.push(solver);
  return solver;
}

const methods: [string, number, Settings][] = [
  ['accumulate', SOLVER_JACOBI_ACCUMULATE, SOFT],
  ['accumulate, patch friction, one step', SOLVER_JACOBI_ACCUMULATE, { ...ONE_STEP, frictionModel: FRICTION_PATCH }],
  ['accumulate, pyramid', SOLVER_JACOBI_ACCUMULATE, { ...SOFT, frictionModel: FRICTION_PYRAMID }],
  ['accumulate, staggered', SOLVER_JACOBI_ACCUMULATE, { ...SOFT, frictionModel: FRICTION_PYRAMID_STAGGERED }],
  ['accumulate, random tangent', SOLVER_JACOBI_ACCUMULATE, { ...ONE_STEP, frictionModel: FRICTION_RANDOM_TANGENT }],
  [
    'accumulate, projection',
    SOLVER_JACOBI_ACCUMULATE,
    { ...ONE_STEP, stabilization: STABILIZE_PROJECTION, stabilizationFactor: 0.8, linearSlop: 0.001 },
  ],
  [
    'accumulate, projection and relax, order drawn, weights amplified',
    SOLVER_JACOBI_ACCUMULATE,
    { ...SOFT, stabilization: STABILIZE_PROJECTION, stabilizationFactor: 0.8, permutation: 1, weightAmplification: 1.4 },
  ],
  [
    'accumulate, aggressive sleep',
    SOLVER_JACOBI_ACCUMULATE,
    { ...ONE_STEP, aggressiveSleep: 1, sleepSpeed: 0.05, sleepTime: 0.05 },
  ],
  ['assembled', SOLVER_JACOBI_ASSEMBLED, SOFT],
  ['assembled, one step', SOLVER_JACOBI_ASSEMBLED, ONE_STEP],
  ['assembled, staggered', SOLVER_JACOBI_ASSEMBLED, { ...ONE_STEP, frictionModel: FRICTION_PYRAMID_STAGGERED }],
  ['assembled, projection', SOLVER_JACOBI_ASSEMBLED, { ...ONE_STEP, stabilization: STABILIZE_PROJECTION }],
  ['scalar split', SOLVER_SCALAR_SPLIT, ONE_STEP],
  ['spectral, norm', SOLVER_JACOBI_SPECTRAL, ONE_STEP],
  ['spectral, power', SOLVER_JACOBI_SPECTRAL, { ...ONE_STEP, powerIterations: 10, frictionModel: FRICTION_PYRAMID_STAGGERED }],
  ['average', SOLVER_JACOBI_AVERAGE, ONE_STEP],
  // Diverges on piles; one iteration is all that can be compared.
  ['plain', SOLVER_JACOBI, { ...ONE_STEP, sweeps: 1 }],
];

it.each(everyNth(methods, 2))('%s: every step is that of the twin', async (_, method, settings) => {
  const world = boxWorld(dropBoxes(16, 5));
  configure(world, settings, SOLVER_EXTERNAL);
  const solver = await solverOf(world, method);
  const { worst } = await follow(world, solver, method, settings, 14);
  expect(worst).toBeLessThanOrEqual(tolerance());
  expect(world.header('contactCount')).toBeGreaterThan(20);
  solver.destroy();
});

it('rows between bodies at rest are fixed on the GPU as on the twin', async () => {
  const settings: Settings = { ...ONE_STEP, sweeps: 200, aggressiveSleep: 1, sleepSpeed: 0.05, sleepTime: 0.015 };
  const world = boxWorld(boxes(3, (i) => [0, 0.5 + i, 0]));
  // Comes to rest on the twin.
  configure(world, settings, SOLVER_JACOBI_ACCUMULATE);
  for (let i = 0; i < 60; i++) world.core.step();
  const solver = await solverOf(world, SOLVER_JACOBI_ACCUMULATE);
  let fixed = 0;
  for (let i = 0; i < 6; i++) {
    const { worst, twin } = await follow(world, solver, SOLVER_JACOBI_ACCUMULATE, settings, 1);
    fixed += twin.header('fixedRows');
    expect(worst).toBeLessThanOrEqual(tolerance());
  }
  expect(fixed).toBeGreaterThan(0);
});

it('boxes that bounce, with relax, projection and neither', async () => {
  const projection = { ...SOFT, stabilization: STABILIZE_PROJECTION, stabilizationFactor: 0.8 };
  for (const settings of everyNth<Settings>([SOFT, ONE_STEP, { ...projection, relax: 0 }, projection], 2)) {
    const world = boxWorld(dropBoxes(9, 3));
    for (let i = 0; i < 10; i++) world.core.setCollider(i, 0.5, 0.8, 0, 0, 0xffffffff, 0xffffffff);
    configure(world, settings, SOLVER_EXTERNAL);
    for (let i = 1; i < 10; i++) world.core.setVelocity(i, 0.3, -4, 0, 0, 1, 0);
    const solver = await solverOf(world, SOLVER_JACOBI_ACCUMULATE);
    let bounced = 0;
    for (let i = 0; i < 12; i++) {
      const { worst } = await follow(world, solver, SOLVER_JACOBI_ACCUMULATE, settings, 1);
      const rows = new Float32Array(world.memory.buffer, world.header('bodyRows'), 10 * (BodyRow.STRIDE / 4));
      for (let b = 1; b < 10; b++) if (rows[(b * BodyRow.STRIDE + BodyRow.vy) / 4] > 2) bounced++;
      expect(worst, `step ${i}`).toBeLessThanOrEqual(tolerance());
    }
    expect(bounced).toBeGreaterThan(0);
  }
});

it('bodies come and go, kinematic bodies move, methods change: a free run stays with the twin', () =>
  freeBatch(gpu, (i) => (i < 33 ? SOLVER_JACOBI_ACCUMULATE : i < 40 ? SOLVER_JACOBI_ASSEMBLED : SOLVER_JACOBI_SPECTRAL)));

it('an empty world steps, and bodies without contacts fall', async () => {
  const world = boxWorld([]);
  configure(world, SOFT, SOLVER_EXTERNAL);
  const solver = await solverOf(world, SOLVER_JACOBI_ASSEMBLED);
  await stepOnGpu(world, solver);
  // Enough bodies that every buffer grows.
  for (let i = 0; i < 40; i++) {
    const body = world.core.createBody(2, 3 + i, 8, 0, 0, 0, 0, 1) >>> 0;
    world.core.setMassProperties(body, 10, 0, 0, 0, 1, 1, 1, 0, 0, 0);
  }
  await stepOnGpu(world, solver);
  for (let i = 1; i < 41; i++) expect(world.state()[i * 20 + 1]).toBeCloseTo(-9.81 / 60, 5);
  expect(solver.stats.dispatches).toBeGreaterThan(0);
});

it('poses for renderers are those of the world', async () => {
  const world = boxWorld(dropBoxes(12, 2));
  configure(world, SOFT, SOLVER_EXTERNAL);
  const solver = await solverOf(world, SOLVER_JACOBI_ACCUMULATE);
  for (let i = 0; i < 8; i++) await stepOnGpu(world, solver);
  const n = world.header('bodyCount');
  const poses = new Float32Array(await readBuffer(gpu.device, solver.poseBuffer, n * 32));
  const positions = new Float32Array(world.memory.buffer, world.header('positions'), n * 4);
  const rotations = new Float32Array(world.memory.buffer, world.header('rotations'), n * 4);
  for (let i = 0; i < n; i++) {
    expect(difference(poses.subarray(i * 8, i * 8 + 4), positions.subarray(i * 4, i * 4 + 4))).toBeLessThan(1e-5);
    expect(difference(poses.subarray(i * 8 + 4, i * 8 + 8), rotations.subarray(i * 4, i * 4 + 4))).toBeLessThan(1e-4);
  }
});

describe('sums of rows', () => {
  const STEPS = isLong ? 20 : 14;
  const run = async (accumulation: Accumulation, steps: number) => {
    const world = boxWorld(dropBoxes(16, 5));
    configure(world, SOFT, SOLVER_EXTERNAL);
    const solver = await solverOf(world, SOLVER_JACOBI_ACCUMULATE, accumulation);
    for (let i = 0; i < steps; i++) await stepOnGpu(world, solver);
    expect(solver.saturated).toBe(0);
    return world;
  };

  it.each(['segmented', 'fixed-point'] as const)('%s: the same bits twice', async (accumulation) => {
    const [first, second] = [await run(accumulation, STEPS), await run(accumulation, STEPS)];
    expect(first.header('contactCount')).toBeGreaterThan(20);
    expect(first.state()).toEqual(second.state());
  });

  // Fixed point rounds every addend to half a count, 1.5e-8 m/s at best; exchange only adds in another order. Both in m/s and
  // in rad/s of bodies of 20 cm, whose angular speeds are counted coarser by as much.
  const sums: [Accumulation, number, Settings][] = [
    ['fixed-point', 4e-5, SOFT],
    ['compare-exchange', 5e-6, SOFT],
    ['fixed-point', 4e-5, { ...ONE_STEP, frictionModel: FRICTION_PYRAMID_STAGGERED }],
    ['compare-exchange', 5e-6, { ...ONE_STEP, frictionModel: FRICTION_PYRAMID_STAGGERED }],
    ['fixed-point', 4e-5, { ...ONE_STEP, stabilization: STABILIZE_PROJECTION }],
  ];
  it.each(everyNth(sums, 3))('%s: every step within %f of the twin', async (accumulation, most, settings) => {
    const world = boxWorld(dropBoxes(16, 5));
    configure(world, settings, SOLVER_EXTERNAL);
    const solver = await solverOf(world, SOLVER_JACOBI_ACCUMULATE, accumulation);
    const { worst, largest } = await follow(world, solver, SOLVER_JACOBI_ACCUMULATE, settings, STEPS);
    expect(worst).toBeLessThan(inject('adapter').software ? most : Math.max(most, tolerance()));
    expect(largest).toBeGreaterThan(0);
  });

  it('a fixed-point sum out of range is found, and the twin solves the step', async () => {
    const start = boxes(4, (i) => [0, 0.49 + 0.99 * i, 0]);
    const world = boxWorld(start);
    const twin = boxWorld(start);
    configure(world, SOFT, SOLVER_EXTERNAL);
    configure(twin, SOFT, SOLVER_JACOBI_ACCUMULATE);
    const core = world.core as unknown as RowCore;
    const solver = await solverOf(world, SOLVER_JACOBI_ACCUMULATE, 'fixed-point', {
      // Counts so small that the impulses of a stack leave the range.
      packRows: (method) => {
        const packed = core.packRows(method);
        const view = new DataView(world.memory.buffer);
        const state = world.header('methodState');
        const bodies = view.getUint32(state + MethodState.gpuBodies, true);
        for (let i = 0; i < 5; i++) {
          const scale = bodies + i * JacobiBody.STRIDE + JacobiBody.scales;
          view.setFloat32(scale, view.getFloat32(scale, true) * 2 ** 12, true);
        }
        return packed;
      },
      applyRows: () => core.applyRows(),
      dropRows: () => core.dropRows(),
    });
    world.core.stepBroadphase();
    world.core.stepContacts();
    expect(solver.submit()).toBe(true);
    expect(await solver.result()).toBe('ready');
    expect(solver.apply()).toBe(false);
    expect(solver.saturated).toBe(1);
    expect(solver.poll()).toBe('idle');
    world.core.setSolver(solver.twin);
    expect(world.core.stepSolve()).toBe(0);
    expect(world.core.stepEnd()).toBe(0);
    twin.core.step();
    expect(world.state()).toEqual(twin.state());
    // The other ways take it.
    for (const accumulation of ['segmented', 'compare-exchange'] as const) {
      solver.configure(SOLVER_JACOBI_ACCUMULATE, accumulation);
      await stepOnGpu(world, solver);
    }
    expect(solver.saturated).toBe(1);
  });

  it('the range follows the step: fast bodies, heavy loads and small bodies are no saturation', async () => {
    const size = (h: number): Vec3 => [h, h, h];
    const world = boxWorld([
      { at: [0, 0.005, 0], half: size(0.005) },
      { at: [0, 1.01, 0], half: size(1) },
      { at: [5, 0.5, 0], half: size(0.5) },
    ]);
    configure(world, { ...ONE_STEP, sweeps: 30 }, SOLVER_EXTERNAL);
    const solver = await solverOf(world, SOLVER_JACOBI_ACCUMULATE, 'fixed-point');
    await stepOnGpu(world, solver);
    world.core.setVelocity(3, 40, -400, 0, 0, 100, 0);
    for (let i = 0; i < 10; i++) await stepOnGpu(world, solver);
    expect(solver.saturated).toBe(0);
    expect(world.rms()).toBeGreaterThan(1);
  });
});

it('with many iterations all of them end where Gauss-Seidel ends', async () => {
  // Without friction the solution is one: velocities of a pile that meets its impact, in one step.
  const pile = () => {
    const world = boxWorld(
      boxes(6, (i) => [0.45 * (i % 3), 0.5 + Math.floor(i / 3), 0.4 * (i % 2)].map((x, k) => (k === 1 ? x : 2.3 * x)) as Vec3),
    );
    for (let i = 0; i < 7; i++) world.core.setCollider(i, 0, 0, 0, 0, 0xffffffff, 0xffffffff);
    for (let i = 1; i < 7; i++) world.core.setVelocity(i, 0.2 * i, -2 - 0.3 * i, 0, 0.3, 0, 0.2 * i);
    return world;
  };
  const settings = (sweeps: number): Settings => ({ ...ONE_STEP, stabilizationFactor: 0, sweeps });
  const velocities = (world: CoreWorld) => world.state().filter((_, i) => i % 20 < 8);
  const oracle = pile();
  configure(oracle, settings(4000), SOLVER_PGS);
  // The solvers alone: what the stage of restitution makes of an impact depends on the points that carried load on the way.
  oracle.core.stepBroadphase();
  oracle.core.stepContacts();
  oracle.core.stepSolve();
  const start = Math.max(...velocities(oracle).map(Math.abs));
  const ways: [number, Accumulation][] = [
    [SOLVER_JACOBI_ACCUMULATE, 'segmented'],
    [SOLVER_JACOBI_ACCUMULATE, 'fixed-point'],
    [SOLVER_JACOBI_ACCUMULATE, 'compare-exchange'],
    [SOLVER_JACOBI_ASSEMBLED, 'segmented'],
  ];
  for (const [method, accumulation] of everyNth(ways, 2, 1)) {
    const world = pile();
    configure(world, settings(isLong ? 3000 : 800), SOLVER_EXTERNAL);
    const solver = await solverOf(world, method, accumulation);
    await solveOnGpu(world, solver);
    expect(world.header('contactCount')).toBeGreaterThan(12);
    expect(difference(velocities(world), velocities(oracle)) / start, accumulation).toBeLessThan(4e-3);
  }
});

it('a lost device loses no state: the same step goes on in WASM', async () => {
  // With orders drawn anew each step: the twin must draw the same one for the step that was packed.
  const settings: Settings = { ...SOFT, permutation: 1 };
  const start = dropBoxes(16, 6);
  const own = await testDevice();
  const world = boxWorld(start);
  configure(world, settings, SOLVER_EXTERNAL);
  const solver = await RowSolver.create(own, world.memory, world.core as unknown as RowCore);
  solver.configure(SOLVER_JACOBI_ACCUMULATE, 'segmented');
  const twin = boxWorld(start);
  configure(twin, settings, SOLVER_JACOBI_ACCUMULATE);
  for (let i = 0; i < 5; i++) {
    await stepOnGpu(world, solver);
    twin.core.step();
  }
  const events: string[] = [];
  solver.onLost = (loss) => events.push(loss.reason);
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(solver.submit()).toBe(true);
  own.device.destroy();
  await own.lost;
  await solver.result();
  expect(solver.poll()).toBe('lost');
  expect(solver.apply()).toBe(false);
  expect(solver.submit()).toBe(false);
  expect(events).toEqual(['destroyed']);
  world.core.setSolver(solver.twin);
  expect(world.core.stepSolve()).toBe(0);
  expect(world.core.stepEnd()).toBe(0);
  twin.core.step();
  const close = inject('adapter').software ? 1e-37 : 1e-3;
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(close);
  // A new device takes over.
  const again = await solverOf(world, SOLVER_JACOBI_ACCUMULATE);
  await stepOnGpu(world, again);
  twin.core.step();
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(close);
});

describe('plan of a step', () => {
  const base = {
    substeps: 1,
    sweeps: 30,
    relax: false,
    projection: false,
    staggered: false,
    assembled: false,
    atomic: false,
    rest: false,
    pairs: false,
    meanAPass: false,
    colors: null,
    momentum: false,
    backwards: true,
  };
  const kernels = (settings: Partial<typeof base>) => planStep({ ...base, ...settings }).passes.map((pass) => pass.kernel);

  it('approach 1 takes two dispatches an iteration, approach 2 one', () => {
    expect(kernels({})).toHaveLength(2 + 2 * 30 + 1);
    expect(kernels({ atomic: true })).toHaveLength(2 + 1 + 2 * 30 + 1);
    expect(kernels({ assembled: true })).toHaveLength(1 + 2 + 1 + 30 + 1 + 1);
    expect(kernels({ staggered: true })).toHaveLength(2 + 4 * 30 + 1);
  });

  it('has few kinds of passes, whatever the number of iterations', () => {
    const plan = planStep({ ...base, substeps: 20, sweeps: 4, relax: true });
    expect(plan.passes.length).toBeGreaterThan(300);
    expect(plan.kinds.length).toBeLessThan(20);
    expect(Math.max(...plan.passes.map((pass) => pass.kind))).toBe(plan.kinds.length - 1);
  });

  it('impulses alternate between their halves', () => {
    expect(planStep({ ...base, sweeps: 3 }).half).toBe(1);
    expect(planStep({ ...base, sweeps: 3, staggered: true }).half).toBe(0);
  });
});

describe('shader text', () => {
  it('constants are those of the plan', () => {
    const value = (name: string) => Number(new RegExp(`const ${name} = (\\d+)u`).exec(rowShared.rows)![1]);
    for (const [name, mode] of Object.entries(MODE)) expect(value(`MODE_${name}`), name).toBe(mode);
    for (const [name, flag] of Object.entries(FLAG)) expect(value(name), name).toBe(flag);
    expect(value('REST')).toBe(11);
  });

  it('keeps the default limits, and imports once', () => {
    for (const name of Object.keys(rowKernels) as (keyof typeof rowKernels)[]) {
      const list = rowBindings[name];
      expect(list.filter(([, type]) => type !== 'uniform').length, name).toBeLessThanOrEqual(8);
      const text = rowSource(name);
      expect(text).not.toContain('#import');
      expect(text.split('struct JacobiStep').length).toBe(2);
      const bound = [...text.matchAll(/@binding\((\d)\) var<([^>]+)> (\w+)/g)].map((match) => match.slice(1));
      const access = { uniform: 'uniform', 'read-only-storage': 'storage, read', storage: 'storage, read_write' } as const;
      const expected = list.map(([buffer, type], i) => [String(i), access[type], buffer === 'steps' ? 'params' : buffer]);
      expect(bound).toEqual(expected);
    }
    expect(gpu.device.limits.maxStorageBuffersPerShaderStage).toBe(8);
  });
});
