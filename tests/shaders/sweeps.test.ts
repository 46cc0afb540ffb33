// Mass splitting by body pair and Gauss-Seidel by graph colors on the GPU against their twins in WASM (assembly/study/methods):
// equal on a software adapter, step by step and in free runs, with every setting that they support; within a tolerance elsewhere.
import { afterAll, describe, expect, inject, it } from 'vitest';
import {
  BodyRow,
  FRICTION_PATCH,
  FRICTION_PYRAMID,
  FRICTION_PYRAMID_STAGGERED,
  FRICTION_RANDOM_TANGENT,
  Manifold,
  SHAPE_BOX,
  SOLVER_COLOR_ORDER,
  SOLVER_EXTERNAL,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_PAIR_ROWS,
  SOLVER_PAIR_SPLIT_PRINTED,
  SOLVER_PGS,
  STABILIZE_BAUMGARTE,
  STABILIZE_PROJECTION,
} from '../../src/layout.generated';
import { planStep } from '../../src/study/gpu/row_plan';
import { type RowCore, RowSolver } from '../../src/study/gpu/row_solver';
import { boxWorld, type CoreWorld, dropBoxes } from '../helpers/core_world';
import { losableDevice, useDevice } from '../helpers/gpu';
import { everyNth } from '../helpers/long';
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
const solvers: RowSolver[] = [];
/** Largest difference of a step, m/s: a software adapter rounds every operation once and flushes what is below 1e-38. */
const tolerance = () => (inject('adapter').software ? 1e-37 : 2e-3);

afterAll(() => {
  for (const solver of solvers) solver.destroy();
});

const solverOf = async (world: CoreWorld, method: number) => {
  const solver = await rowSolver(gpu, world, method);
  solvers.push(solver);
  return solver;
};

const METHODS: [string, number][] = [
  ['pairs', SOLVER_PAIR_ROWS],
  ['pairs as printed', SOLVER_PAIR_SPLIT_PRINTED],
  ['colors', SOLVER_COLOR_ORDER],
];

const SETTINGS: [string, Settings][] = [
  ['soft with relax', SOFT],
  ['soft with relax, pyramid', { ...SOFT, frictionModel: FRICTION_PYRAMID }],
  ['soft with relax, staggered', { ...SOFT, frictionModel: FRICTION_PYRAMID_STAGGERED }],
  ['soft without relax, random tangent', { ...SOFT, relax: 0, frictionModel: FRICTION_RANDOM_TANGENT }],
  ['one step', { ...ONE_STEP, frictionModel: FRICTION_PATCH }],
  ['one step, staggered, no warm start', { ...ONE_STEP, frictionModel: FRICTION_PYRAMID_STAGGERED, warmStart: 0 }],
  ['one step, random tangent, slop', { ...ONE_STEP, frictionModel: FRICTION_RANDOM_TANGENT, linearSlop: 0.002 }],
  [
    'Baumgarte in substeps with relax, warm start 0.9',
    { ...SOFT, stabilization: STABILIZE_BAUMGARTE, stabilizationFactor: 0.1, warmStart: 0.9 },
  ],
  ['projection', { ...ONE_STEP, stabilization: STABILIZE_PROJECTION, stabilizationFactor: 0.8, linearSlop: 0.001 }],
  [
    'projection and relax, staggered, order drawn, weights amplified',
    {
      ...SOFT,
      stabilization: STABILIZE_PROJECTION,
      stabilizationFactor: 0.8,
      frictionModel: FRICTION_PYRAMID_STAGGERED,
      permutation: 1,
      weightAmplification: 1.4,
    },
  ],
  ['order drawn', { ...SOFT, permutation: 1 }],
  ['weights amplified', { ...SOFT, weightAmplification: 1.4 }],
  ['the mean once a pass', { ...SOFT, meanEachSweep: 0 }],
  ['the mean once a pass, staggered', { ...SOFT, meanEachSweep: 0, frictionModel: FRICTION_PYRAMID_STAGGERED }],
  ['aggressive sleep', { ...ONE_STEP, aggressiveSleep: 1, sleepSpeed: 0.05, sleepTime: 0.05 }],
];

describe.each(METHODS)('%s', (_, method) => {
  // In the short form a method has some of the settings, and all methods together have all of them.
  const place = METHODS.findIndex(([, one]) => one === method);
  /** A test of every method; in the short form of one, which `turn` chooses. */
  const some = (name: string, turn: number) => everyNth([name], METHODS.length, place + turn);
  it.each(everyNth(SETTINGS, METHODS.length, place))('%s: every step is that of the twin', async (_, settings) => {
    const world = boxWorld(dropBoxes(16, 5));
    configure(world, settings, SOLVER_EXTERNAL);
    const solver = await solverOf(world, method);
    const { worst } = await follow(world, solver, method, settings, 14);
    expect(worst).toBeLessThanOrEqual(tolerance());
    expect(world.header('contactCount')).toBeGreaterThan(20);
    solver.destroy();
  });

  it.each(some('rows between bodies at rest', 0))('%s are fixed as on the twin', async () => {
    const settings: Settings = { ...ONE_STEP, sweeps: 40, aggressiveSleep: 1, sleepSpeed: 0.05, sleepTime: 0.015 };
    const world = boxWorld(boxes(3, (i) => [0, 0.5 + i, 0]));
    configure(world, settings, method);
    for (let i = 0; i < 60; i++) world.core.step();
    const solver = await solverOf(world, method);
    let fixed = 0;
    for (let i = 0; i < 6; i++) {
      const { worst, twin } = await follow(world, solver, method, settings, 1);
      fixed += twin.header('fixedRows');
      expect(worst).toBeLessThanOrEqual(tolerance());
    }
    expect(fixed).toBeGreaterThan(0);
  });

  it.each(some('boxes', 1))('%s bounce', async () => {
    for (const settings of [SOFT, ONE_STEP]) {
      const world = boxWorld(dropBoxes(9, 3));
      for (let i = 0; i < 10; i++) world.core.setCollider(i, 0.5, 0.8, 0, 0, 0xffffffff, 0xffffffff);
      configure(world, settings, SOLVER_EXTERNAL);
      for (let i = 1; i < 10; i++) world.core.setVelocity(i, 0.3, -4, 0, 0, 1, 0);
      const solver = await solverOf(world, method);
      let bounced = 0;
      for (let i = 0; i < 12; i++) {
        const { worst } = await follow(world, solver, method, settings, 1);
        const rows = new Float32Array(world.memory.buffer, world.header('bodyRows'), 10 * (BodyRow.STRIDE / 4));
        for (let b = 1; b < 10; b++) if (rows[(b * BodyRow.STRIDE + BodyRow.vy) / 4]! > 2) bounced++;
        expect(worst, `step ${i}`).toBeLessThanOrEqual(tolerance());
      }
      expect(bounced).toBeGreaterThan(0);
    }
  });

  it.each(some('a pair', 0))('%s of several manifolds, whose bodies change sides', async () => {
    const world = plates();
    configure(world, SOFT, SOLVER_EXTERNAL);
    const solver = await solverOf(world, method);
    const { worst } = await follow(world, solver, method, SOFT, 20);
    expect(worst).toBeLessThanOrEqual(tolerance());
    const order = pairsOf(world);
    expect(order).toContain('1 2');
    expect(order).toContain('2 1');
    expect(order.filter((pair) => pair === '1 2').length).toBeGreaterThan(1);
  });

  it.each(some('more links', 1))('%s than a workgroup has lanes, and more colors than a word has bits', async () => {
    // 80 boxes on the ground, and a slab that lies on 70 of them: a color of 80 links, and one body with 70.
    const world = boxWorld([
      ...boxes(80, (i) => [1.2 * (i % 10), 0.5, 1.2 * Math.floor(i / 10)]),
      { at: [5.4, 1.25, 3.6], half: [5.9, 0.25, 4.2] },
    ]);
    configure(world, ONE_STEP, SOLVER_EXTERNAL);
    const solver = await solverOf(world, method);
    const { worst, twin } = await follow(world, solver, method, ONE_STEP, 3);
    expect(worst).toBeLessThanOrEqual(tolerance());
    if (method === SOLVER_COLOR_ORDER) expect(twin.header('colorCount')).toBeGreaterThan(64);
  });

  it.each(some('a free run', 2))('%s stays with the twin: bodies come and go, kinematic ones move, settings change', () =>
    freeBatch(gpu, (i) => (i < 33 ? method : i < 38 ? SOLVER_JACOBI_ACCUMULATE : i < 43 ? SOLVER_COLOR_ORDER : SOLVER_PAIR_ROWS)),
  );

  it.each(some('the same bits', 2))('%s twice', async () => {
    const run = async () => {
      const world = boxWorld(dropBoxes(16, 5));
      configure(world, SOFT, SOLVER_EXTERNAL);
      const solver = await solverOf(world, method);
      for (let i = 0; i < 20; i++) await stepOnGpu(world, solver);
      return world.state();
    };
    expect(await run()).toEqual(await run());
  });

  it.each(some('an empty world', 0))('%s steps, and bodies without contacts fall', async () => {
    const world = boxWorld([]);
    configure(world, SOFT, SOLVER_EXTERNAL);
    const solver = await solverOf(world, method);
    await stepOnGpu(world, solver);
    for (let i = 0; i < 40; i++) {
      const body = world.core.createBody(2, 3 + i, 8, 0, 0, 0, 0, 1) >>> 0;
      world.core.setMassProperties(body, 10, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    }
    await stepOnGpu(world, solver);
    for (let i = 1; i < 41; i++) expect(world.state()[i * 20 + 1]).toBeCloseTo(-9.81 / 60, 5);
  });

  it.each(some('a lost device', 0))('%s loses no state: the same step goes on in WASM', async () => {
    // With orders drawn anew each step: the twin must draw the same one for the step that was packed.
    const settings: Settings = { ...SOFT, permutation: 1 };
    const start = dropBoxes(16, 6);
    const own = await losableDevice();
    const world = boxWorld(start);
    configure(world, settings, SOLVER_EXTERNAL);
    const solver = await RowSolver.create(own, world.memory, world.core as unknown as RowCore);
    solver.configure(method, 'segmented');
    const twin = boxWorld(start);
    configure(twin, settings, method);
    for (let i = 0; i < 3; i++) {
      await stepOnGpu(world, solver);
      twin.core.step();
    }
    world.core.stepBroadphase();
    world.core.stepContacts();
    expect(solver.submit()).toBe(true);
    own.device.destroy();
    await own.lost;
    await solver.result();
    expect(solver.poll()).toBe('lost');
    expect(solver.apply()).toBe(false);
    world.core.setSolver(solver.twin);
    expect(world.core.stepSolve()).toBe(0);
    expect(world.core.stepEnd()).toBe(0);
    twin.core.step();
    const close = inject('adapter').software ? 1e-37 : 1e-2;
    expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(close);
  });
});

it('pairs and colors end where sequential Gauss-Seidel ends', async () => {
  // Without friction the solution is one: velocities of a pile that meets its impact, in one step.
  const pile = () => {
    const world = boxWorld(boxes(6, (i) => [1.035 * (i % 3), 0.5 + Math.floor(i / 3), 0.92 * (i % 2)]));
    for (let i = 0; i < 7; i++) world.core.setCollider(i, 0, 0, 0, 0, 0xffffffff, 0xffffffff);
    for (let i = 1; i < 7; i++) world.core.setVelocity(i, 0.2 * i, -2 - 0.3 * i, 0, 0.3, 0, 0.2 * i);
    return world;
  };
  const settings = (sweeps: number): Settings => ({ ...ONE_STEP, stabilizationFactor: 0, sweeps });
  const velocities = (world: CoreWorld) => world.state().filter((_, i) => i % 20 < 8);
  const oracle = pile();
  configure(oracle, settings(4000), SOLVER_PGS);
  oracle.core.stepBroadphase();
  oracle.core.stepContacts();
  oracle.core.stepSolve();
  const start = Math.max(...velocities(oracle).map(Math.abs));
  for (const [method, sweeps] of [
    [SOLVER_PAIR_ROWS, 2000],
    [SOLVER_COLOR_ORDER, 400],
  ] as const) {
    const world = pile();
    configure(world, settings(sweeps), SOLVER_EXTERNAL);
    await solveOnGpu(world, await solverOf(world, method));
    expect(world.header('contactCount')).toBeGreaterThan(12);
    expect(difference(velocities(world), velocities(oracle)) / start).toBeLessThan(4e-3);
  }
});

it('as printed it diverges on a slab on six posts, corrected it rests', async () => {
  // The slab reaches far beyond its posts: six pairs of four contacts at nearly one place, whose changes add up.
  const speed = async (method: number) => {
    const world = boxWorld([
      ...boxes(6, (i) => [0.5 * i - 1.25, 0.5, 0]).map(({ at }) => ({ at, half: [0.05, 0.5, 0.05] as Vec3 })),
      { at: [0, 1.05, 0], half: [6.5, 0.05, 5.3] },
    ]);
    for (let i = 0; i < 8; i++) world.core.setCollider(i, 0, 0, 0, 0, 0xffffffff, 0xffffffff);
    // Posts that nothing moves; contacts with static ones in a plane would be reduced to the four outermost.
    for (let i = 1; i < 7; i++) world.core.setMassProperties(i, 1e7, 0, 0, 0, 1e7, 1e7, 1e7, 0, 0, 0);
    configure(world, { ...ONE_STEP, sweeps: 200, stabilizationFactor: 0, warmStart: 0 }, SOLVER_EXTERNAL);
    await solveOnGpu(world, await solverOf(world, method));
    return world.rms();
  };
  expect(await speed(SOLVER_PAIR_ROWS)).toBeLessThan(1e-3);
  expect(await speed(SOLVER_PAIR_SPLIT_PRINTED)).toBeGreaterThan(0.1);
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
    colors: null as number | null,
    momentum: false,
    backwards: true,
  };
  const count = (settings: Partial<typeof base>) => planStep({ ...base, ...settings }).passes.length;

  it('pairs take two dispatches a sweep whatever touches, colors one each', () => {
    expect(count({ pairs: true })).toBe(2 + 2 * 30 + 1);
    expect(count({ pairs: true, staggered: true })).toBe(2 + 4 * 30 + 1);
    expect(count({ colors: 9 })).toBe(2 + 9 * 30 + 1 + 1);
    expect(count({ colors: 9, staggered: true })).toBe(2 + 18 * 30 + 1 + 1);
    expect(count({ colors: 0 })).toBe(2 + 1 + 1);
  });

  it('pairs take two dispatches a pass if the mean comes once a pass', () => {
    expect(count({ pairs: true, meanAPass: true })).toBe(2 + 2 + 1);
    expect(count({ pairs: true, meanAPass: true, relax: true, substeps: 10, sweeps: 4 })).toBe(10 * (2 + 2 + 1 + 2) + 1 + 1);
  });

  it('relax passes go backwards where no order is drawn', () => {
    const flags = (backwards: boolean) =>
      planStep({ ...base, pairs: true, relax: true, backwards }).kinds.filter((kind) => (kind.flags & 4096) !== 0).length;
    expect(flags(true)).toBe(1);
    expect(flags(false)).toBe(0);
  });

  it('has a kind of pass for each color, whatever the number of sweeps', () => {
    const few = planStep({ ...base, colors: 12, sweeps: 2, substeps: 2, relax: true });
    const many = planStep({ ...base, colors: 12, sweeps: 9, substeps: 9, relax: true });
    expect(many.kinds.length).toBe(few.kinds.length);
    expect(many.half).toBe(0);
  });
});

/** Two plates of two boxes each, one on the other; their colliders are made in turn, so that each is A of some manifolds. */
function plates(): CoreWorld {
  const half: Vec3 = [0.5, 0.2, 0.5];
  const world = boxWorld([
    { at: [0, 0.2, 0], half },
    { at: [0.3, 0.59, 0.1], half },
  ]);
  const { core } = world;
  const shape = core.createShape(SHAPE_BOX, ...half, Math.hypot(...half), 0, 0, ...half.map((h) => -h), ...half) >>> 0;
  for (const body of [1, 2]) {
    core.createCollider(body, shape, 1, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, 0xffffffff, 0xffffffff, 0, 1000);
  }
  return world;
}

/** Bodies A and B of every manifold, by index. */
function pairsOf(world: CoreWorld): string[] {
  const view = new DataView(world.memory.buffer);
  const list = world.header('activeManifolds');
  // All lie in the first block of rows.
  const first = view.getUint32(world.header('manifoldBlocks'), true);
  return Array.from({ length: world.header('activeCount') }, (_, i) => {
    const at = first + view.getUint32(list + 4 * i, true) * Manifold.STRIDE;
    return `${view.getUint32(at + Manifold.bodyA, true)} ${view.getUint32(at + Manifold.bodyB, true)}`;
  });
}
