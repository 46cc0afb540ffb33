// Solvers in JavaScript on the rows of the core (defineSolver): what they compute, and what they are refused.
import { describe, expect, it, test } from 'vitest';
import { conjugateGradient } from '../../lab/methods/nncg.mjs';
import { buildScene } from '../../scenes/index';
import * as product from '../../src/index';
import { createWorld, defineSolver, type RowIteration, type Rows, type World, type WorldOptions } from '../../src/study/index';
import { SOLVER_NAMES } from '../../src/study/options';
import { sceneWorld } from '../helpers/scene_world';

const sweep = (rows: Rows) => {
  for (const stage of rows.stages) for (const row of stage) rows.solve(row);
};
const gaussSeidel = defineSolver({ name: 'gauss-seidel', start: (rows) => ({ iterate: () => sweep(rows) }) });

/** A solver whose callbacks are those of the test at hand. */
let callbacks: (rows: Rows) => RowIteration;
const free = defineSolver({ name: 'free', start: (rows) => callbacks(rows) });

/** A stack of boxes on a floor. */
async function stacked(options: WorldOptions, boxes = 5): Promise<World> {
  const world = await createWorld(options);
  const floor = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
  const positions = Array.from({ length: boxes }, (_, i) => [0, 0.5 + i, 0]).flat();
  world.createBodies({ count: boxes, shape: cube, positions });
  return world;
}
const run = (world: World, steps: number) => {
  for (let i = 0; i < steps; i++) world.step();
  return world;
};
const top = (world: World) => world.positions[4 * (world.slotCount - 1) + 1]!;
const ONE_STEP = { integration: 'one-step', iterations: 20, stabilization: 'baumgarte' } as const;

describe('Gauss-Seidel in JavaScript', () => {
  it.each([
    ['one step', ONE_STEP],
    ['one step, projection', { integration: 'one-step', iterations: 20, stabilization: 'projection' }],
    ['pyramid', { ...ONE_STEP, frictionModel: 'pyramid' }],
    ['random tangents', { ...ONE_STEP, frictionModel: 'random-tangent' }],
    ['permutation', { ...ONE_STEP, permutation: true }],
    ['weight amplification', { ...ONE_STEP, weightAmplification: 1.4 }],
    ['shock propagation', { ...ONE_STEP, shockPropagation: 0.5 }],
    ['aggressive sleep', { ...ONE_STEP, aggressiveSleep: true, linearSlop: 0.005 }],
    ['substeps', { sweeps: 3 }],
  ] as [string, WorldOptions][])('is that of the core to rounding: %s', async (_, options) => {
    const scene = buildScene('wall', { seed: 1, scale: 4 / 30 });
    const shared: WorldOptions = { frictionModel: 'pyramid-staggered', sleep: false, ...options };
    const own = await sceneWorld(scene, { ...shared, solver: gaussSeidel }, createWorld);
    const built = await sceneWorld(scene, { ...shared, solver: 'pgs' }, createWorld);
    expect(own.activeSolver).toBe('gauss-seidel');
    let moved = 0;
    for (let i = 0; i < 20; i++) {
      const before = Float32Array.from(own.velocities);
      own.step();
      built.step();
      moved = Math.max(moved, ...own.velocities.map((x, k) => Math.abs(x - before[k]!)));
    }
    expect(moved).toBeGreaterThan(1e-4);
    let apart = 0;
    for (const [k, x] of own.velocities.entries()) apart = Math.max(apart, Math.abs(x - built.velocities[k]!));
    expect(apart).toBeLessThan(2e-4);
    for (const [k, x] of own.positions.entries()) expect(Math.abs(x - built.positions[k]!)).toBeLessThan(1e-5);
  });

  it('feels the motion of bodies that impulses do not move', async () => {
    const world = await createWorld({ ...ONE_STEP, solver: gaussSeidel });
    const [slab, cube] = [
      world.createShape({ type: 'box', halfExtents: [5, 0.5, 5] }),
      world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }),
    ];
    const belt = world.createBody({ type: 'kinematic', shape: slab, position: [0, -0.5, 0] });
    world.createBody({ shape: cube, position: [0, 0.5, 0] });
    world.setVelocity(belt, [1, 0, 0]);
    run(world, 60);
    expect(world.velocities[16]).toBeCloseTo(1, 2);
  });

  it('gives the same bits every time, on threads and in a clone too', async () => {
    const scene = buildScene('boxes-small', { seed: 2, count: 30 });
    const worlds = await Promise.all(
      [1, 1, 2].map((threads) => sceneWorld(scene, { ...ONE_STEP, solver: gaussSeidel, threads }, createWorld)),
    );
    for (const world of worlds) run(world, 40);
    worlds.push(await worlds[0]!.clone());
    for (const world of worlds) run(world, 20);
    expect(new Set(worlds.map((world) => world.hash())).size).toBe(1);
    expect(worlds[3]!.activeSolver).toBe('gauss-seidel');
    for (const world of worlds) world.dispose();
  });
});

describe('the rows', () => {
  it('are those of the contacts: bounds, diagonal, residual', async () => {
    let seen = 0;
    callbacks = (rows) => ({
      iterate() {
        expect(rows.stages.length).toBe(2);
        const [normals, tangents] = rows.stages as [Int32Array, Int32Array];
        expect(tangents.length).toBe(2 * normals.length);
        expect(rows.count).toBe(3 * normals.length);
        for (const row of normals) {
          expect(rows.normal[row]).toBe(-1);
          expect([rows.bound(row, -1), rows.bound(row, 2)]).toEqual([0, 2]);
          const before = rows.residual(row);
          rows.push(row, 1);
          // The diagonal is what a unit impulse changes.
          expect(rows.residual(row) - before).toBeCloseTo(rows.k(row), 10);
          rows.push(row, -1);
          expect(rows.residual(row)).toBeCloseTo(before, 10);
        }
        for (const row of tangents) {
          const most = rows.mu[row]! * rows.z[rows.normal[row]!]!;
          expect([rows.bound(row, 1e9), rows.bound(row, -1e9)]).toEqual([most, -most]);
          expect(rows.link[row]).toBe(rows.link[rows.normal[row]!]);
        }
        sweep(rows);
        seen++;
      },
    });
    run(await stacked({ ...ONE_STEP, solver: free }, 2), 3);
    expect(seen).toBe(60);
  });

  it('begin comes before each problem: two of a substep, one of a step', async () => {
    const calls: string[] = [];
    callbacks = (rows) => {
      calls.push('start');
      return {
        begin: () => calls.push('begin'),
        iterate() {
          calls.push('iterate');
          sweep(rows);
        },
      };
    };
    const world = await stacked({ solver: free, substeps: 2, sweeps: 2 }, 1);
    world.step();
    const problem = ['begin', 'iterate', 'iterate'];
    expect(calls).toEqual(['start', ...problem, ...problem, ...problem, ...problem]);
    calls.length = 0;
    world.set({ integration: 'one-step', iterations: 2, stabilization: 'baumgarte' });
    world.step();
    expect(calls).toEqual(['start', ...problem]);
  });

  it('a step without contacts calls nothing', async () => {
    callbacks = () => {
      throw new Error('called');
    };
    const world = await createWorld({ ...ONE_STEP, solver: free });
    world.createBody({ shape: world.createShape({ type: 'sphere', radius: 1 }), position: [0, 5, 0] });
    expect(run(world, 3).stepCount).toBe(3);
  });
});

describe('conjugate gradients', () => {
  it('leave less of the residual of a stack than Gauss-Seidel, from zero impulses', async () => {
    const residual = async (solver: WorldOptions['solver'], iterations: number) => {
      const world = await stacked({ ...ONE_STEP, iterations, solver, warmStart: 0, frictionModel: 'pyramid-staggered' }, 10);
      return run(world, 1).measure().residualRms;
    };
    for (const iterations of [30, 60]) {
      const [cg, gs, built] = [
        await residual(conjugateGradient, iterations),
        await residual(gaussSeidel, iterations),
        await residual('pgs', iterations),
      ];
      expect(gs / built).toBeCloseTo(1, 2);
      expect(cg).toBeLessThan(0.2 * gs);
      expect(cg / (await residual('nncg', iterations))).toBeCloseTo(1, 1);
    }
  });

  it.each(['nncg', conjugateGradient])('hold a stack: %o', async (solver) => {
    const world = run(await stacked({ solver, sweeps: 4 }), 240);
    expect(top(world)).toBeCloseTo(4.5, 2);
    expect(world.measure().rmsSpeed).toBeLessThan(1e-3);
  });
});

describe('what goes wrong', () => {
  test.each([
    ['nothing', undefined, /definition must be an object/],
    ['no name', { start: () => ({}) }, /name must be a word/],
    ['a name with spaces', { name: 'My solver', start: () => ({}) }, /lower case/],
    ['a name of the package', { name: 'pgs', start: () => ({}) }, /solver of talus\/study, 'pgs'/],
    ['auto', { name: 'auto', start: () => ({}) }, /choose another/],
    ['a name that is taken', { name: 'conjugate-gradient', start: () => ({}) }, /'conjugate-gradient' was defined before/],
    ['no start', { name: 'x' }, /start must be a function/],
    ['another key', { name: 'x', start: () => ({}), iterate: () => 0 }, /no 'iterate'/],
  ])('defineSolver refuses %s', (_, definition, message) => {
    expect(() => defineSolver(definition as never)).toThrow(message);
    expect(() => defineSolver(definition as never)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  test.each([
    ['a definition that was not defined', { solver: { name: 'y', start: () => ({}) } }, 'invalid-argument', /defineSolver/],
    ['WebGPU', { solver: gaussSeidel, backend: 'webgpu' }, 'unsupported', /'wasm'/],
    ['a backend by measurement', { solver: gaussSeidel, backend: 'auto' }, 'unsupported', /'wasm'/],
    ['friction in a circle', { solver: gaussSeidel, frictionModel: 'patch' }, 'unsupported', /'pyramid'/],
  ])('createWorld refuses %s', async (_, options, code, message) => {
    const made = createWorld(options as WorldOptions);
    await expect(made).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('a world with joints refuses it, and the product has none', async () => {
    const world = await createWorld({ solver: 'wide' });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const [bodyA, bodyB] = [world.createBody({ shape }), world.createBody({ shape, position: [2, 0, 0] })];
    world.createJoint({ type: 'distance', bodyA, bodyB, anchorA: [0, 0, 0], anchorB: [0, 0, 0] });
    expect(() => world.set({ solver: gaussSeidel })).toThrow(/'gauss-seidel' takes no joints/);
    await expect(product.createWorld({ solver: gaussSeidel } as never)).rejects.toMatchObject({ code: 'invalid-argument' });
  });

  const broken: [string, () => RowIteration, RegExp][] = [
    [
      'throws at the start',
      () => {
        throw new Error('no start');
      },
      /no start/,
    ],
    ['returns nothing', () => undefined as never, /returns \{ iterate\(\) \}, got undefined/],
    ['returns no iterate', () => ({ begin: () => undefined }) as never, /must return \{ iterate\(\) \}/],
    [
      'throws in begin',
      () => ({
        begin: () => {
          throw new Error('no begin');
        },
        iterate: () => undefined,
      }),
      /no begin/,
    ],
  ];
  it.each(broken)('a solver that %s: the step ends, the call throws it, the world goes on', async (_, made, message) => {
    callbacks = made;
    const world = await stacked({ ...ONE_STEP, solver: free });
    expect(() => world.step()).toThrow(message);
    expect(world.stepCount).toBe(1);
    world.set({ solver: 'pgs' });
    expect(top(run(world, 60))).toBeCloseTo(4.5, 2);
  });

  it('what an iteration did before it threw is void', async () => {
    callbacks = (rows) => ({
      iterate() {
        rows.v.fill(1000);
        rows.z.fill(1000);
        throw new TypeError('half done');
      },
    });
    const world = await stacked({ ...ONE_STEP, solver: free });
    world.once('wake', () => undefined);
    for (let i = 0; i < 3; i++) expect(() => world.step()).toThrow(new TypeError('half done'));
    // Only gravity has acted.
    expect(world.measure().maxSpeed).toBeLessThan(3.1 * (9.81 / 60));
    expect(world.stepCount).toBe(3);
    callbacks = (rows) => ({ iterate: () => sweep(rows) });
    expect(top(run(world, 120))).toBeCloseTo(4.5, 1);
  });

  it('velocities that are not numbers stop their bodies, as a fault', async () => {
    callbacks = (rows) => ({ iterate: () => void rows.v.fill(Number.NaN) });
    const world = await stacked({ ...ONE_STEP, solver: free });
    world.step();
    expect(world.faults.notFinite).toBe(true);
    expect(world.positions.every(Number.isFinite)).toBe(true);
    callbacks = (rows) => ({ iterate: () => sweep(rows) });
    run(world, 60);
    expect(top(world)).toBeCloseTo(4.5, 1);
    callbacks = (rows) => ({ iterate: () => void rows.z.fill(Number.NaN) });
    world.step();
    world.set({ solver: 'pgs' });
    expect(run(world, 60).velocities.every(Number.isFinite)).toBe(true);
    expect(top(world)).toBeCloseTo(4.5, 1);
  });

  it('the world refuses calls from inside; another world may step', async () => {
    const other = await stacked({ ...ONE_STEP, solver: gaussSeidel }, 2);
    const messages: string[] = [];
    callbacks = (rows) => ({
      iterate() {
        for (const call of [() => world.step(), () => world.snapshot(), () => world.dispose()]) {
          try {
            call();
          } catch (error) {
            messages.push((error as { code: string }).code);
          }
        }
        other.step();
        sweep(rows);
      },
    });
    const world = await stacked({ ...ONE_STEP, iterations: 5, solver: free }, 2);
    world.step();
    expect(messages).toEqual(Array(15).fill('busy'));
    expect(other.stepCount).toBe(5);
    const alone = run(await stacked({ ...ONE_STEP, solver: gaussSeidel }, 2), 5);
    expect(other.hash()).toBe(alone.hash());
    const same = run(await stacked({ ...ONE_STEP, iterations: 5, solver: gaussSeidel }, 2), 1);
    expect(world.hash()).toBe(same.hash());
  });
});

describe('state', () => {
  it('settings hold the solver, snapshots its name', async () => {
    const world = await stacked({ ...ONE_STEP, solver: gaussSeidel });
    expect(world.settings.solver).toBe(gaussSeidel);
    expect(world.settings.frictionModel).toBe('pyramid-staggered');
    world.set({ iterations: 10 });
    expect(world.settings).toMatchObject({ solver: gaussSeidel, iterations: 10 });
    run(world, 5);
    const bytes = world.snapshot();
    const other = await createWorld();
    other.restore(bytes);
    expect([other.activeSolver, other.settings.solver]).toEqual(['gauss-seidel', gaussSeidel]);
    expect(run(other, 20).hash()).toBe(run(world, 20).hash());
    other.set({ solver: 'auto' });
    expect([other.activeSolver, other.settings.frictionModel]).toEqual(['pgs', 'patch']);
  });

  it('a page that has not defined it refuses the snapshot', async () => {
    const world = await stacked({ ...ONE_STEP, solver: gaussSeidel });
    const { checkBackend } = await import('../../src/study/options');
    expect(() => checkBackend('wasm', JSON.parse('{"solver":"elsewhere"}'))).toThrow(/'elsewhere' is not defined here/);
    expect(JSON.stringify(world.settings)).toContain('"solver":"gauss-seidel"');
    expect(SOLVER_NAMES).not.toContain('gauss-seidel');
  });
});
