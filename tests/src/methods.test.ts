// Published methods by name on the public API: every one runs, stacks stand where they should, refusals.
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../scenes/index';
import { Header, SOLVER_COLOR_ORDER } from '../../src/layout.generated';
import { createWorld, type SolverName, type World, type WorldOptions, type WorldSettings } from '../../src/study/index';
import { SOLVER_NAMES } from '../../src/study/options';
import { SOLVERS } from '../../src/study/solvers';
import type { LinearMemory } from '../../src/wasm/memory';
import { everyNth } from '../helpers/long';
import { sceneWorld } from '../helpers/scene_world';

/** A stack of five boxes on a floor. */
async function stacked(options: WorldOptions, boxes = 5): Promise<World> {
  const world = await createWorld(options);
  const floor = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
  const positions = Array.from({ length: boxes }, (_, i) => [0, 0.5 + i, 0]).flat();
  world.createBodies({ count: boxes, shape: cube, positions });
  return world;
}

const top = (world: World) => world.positions[4 * (world.slotCount - 1) + 1]!;
const run = (world: World, steps: number) => {
  for (let i = 0; i < steps; i++) world.step();
  return world;
};

const standing: SolverName[] = [
  'wide',
  'colored',
  'pgs',
  'cell-order',
  'nncg',
  'pair-split',
  'cell-split',
  'jacobi-line-search',
  'jacobi-spectral',
  'scalar-split',
  'jacobi-assembled',
  'jacobi-accumulate',
];

describe('one step of many iterations', () => {
  it.each(standing)('%s holds three boxes with projection and staggered friction', async (solver) => {
    const world = await stacked(
      { solver, integration: 'one-step', iterations: 60, stabilization: 'projection', frictionModel: 'pyramid-staggered' },
      3,
    );
    expect(top(run(world, 120))).toBeCloseTo(2.5, 1);
    expect(world.faults.notFinite).toBe(false);
  });

  it('jacobi and the printed form run, whatever they do', async () => {
    for (const solver of ['jacobi', 'jacobi-average', 'pair-split-printed'] as const) {
      const world = run(await stacked({ solver, integration: 'one-step', iterations: 10, stabilization: 'baumgarte' }), 20);
      expect(world.stepCount).toBe(20);
    }
  });
});

it.each([
  [{ stabilization: 'baumgarte' }],
  [{ stabilization: 'projection', linearSlop: 0.002 }],
  [{ frictionModel: 'pyramid' }],
  [{ frictionModel: 'random-tangent' }],
  [{ permutation: true, seed: 7 }],
  [{ shockPropagation: 0.5 }],
  [{ weightAmplification: 1.4 }],
  [{ aggressiveSleep: true }],
  [{ relax: false }],
  [{ solver: 'jacobi-spectral', spectralRadius: 'power' }],
] as [WorldOptions][])('a stack stands with %o', async (options) => {
  const world = await stacked(options);
  expect(top(run(world, 120))).toBeCloseTo(4.5, 1);
});

it.each(['scalar-split', 'jacobi-accumulate', 'jacobi-spectral'] as const)(
  '%s: its preset brings a wall to rest',
  async (solver) => {
    const world = await createWorld({ solver });
    const floor = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
    const brick = world.createShape({ type: 'box', halfExtents: [0.5, 0.25, 0.25] });
    world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
    const positions = Array.from({ length: 20 }, (_, i) => {
      const layer = Math.floor(i / 4);
      return [(i % 4) - 1.5 + (layer & 1 ? 0.125 : -0.125), 0.25 + 0.5 * layer, 0];
    });
    world.createBodies({ count: 20, shape: brick, positions: positions.flat() });
    expect(run(world, 180).measure().rmsSpeed).toBeLessThan(1e-4);
  },
);

it.each(everyNth(['fast', 'balanced'] as const, 2))('pair-split: preset %s rests a wall of eight layers', async (preset) => {
  const scene = buildScene('wall', { seed: 1, scale: 8 / 30 });
  const world = await sceneWorld(scene, { solver: 'pair-split', preset, sleep: false });
  const start = Float32Array.from(world.positions);
  run(world, 600);
  expect(world.measure().rmsSpeed).toBeLessThan(1e-4);
  const moved = (i: number) => Math.hypot(...[0, 1, 2].map((k) => world.positions[4 * i + k]! - start[4 * i + k]!));
  // The softest one gives way by 6.3 mm at the top.
  for (let i = 0; i < world.slotCount; i++) expect(moved(i)).toBeLessThan(0.01);
});

it.each(['pair-split', 'cell-split'] as const)('%s: iterations of one step spread over all cells', async (solver) => {
  // A stack of ten in cells of one or two contacts, from zero impulses: load comes down one cell an iteration.
  const residual = async (iterations: number) => {
    const world = await stacked({ solver, granularity: 2, integration: 'one-step', iterations, warmStart: 0 }, 10);
    return run(world, 1).measure().residualRms;
  };
  const few = await residual(4);
  expect(few).toBeGreaterThan(0.01);
  expect(await residual(1000)).toBeLessThan(0.01 * few);
});

it('the residual goes to zero with iterations, also where contacts close a gap within the step', async () => {
  for (const stabilization of ['baumgarte', 'projection'] as const) {
    const options: WorldOptions = { solver: 'pgs', integration: 'one-step', iterations: 400, stabilization };
    const world = await stacked(options, 3);
    // Half a centimeter above the floor or each other: 1 m/s closes it within the step.
    for (let i = 1; i < world.slotCount; i++) {
      const body = world.bodyAt(i)!;
      world.teleport(body, [0, 0.505 + 1.005 * (i - 1), 0]);
      world.setVelocity(body, [0, -1 - 0.5 * i, 0]);
    }
    world.step();
    expect(world.measure().touchingCount).toBeGreaterThan(0);
    expect(world.measure().residualRms, stabilization).toBeLessThan(1e-5);
  }
});

describe('aggressive sleep', () => {
  const options: WorldOptions = {
    solver: 'pgs',
    integration: 'one-step',
    iterations: 5,
    stabilization: 'baumgarte',
    linearSlop: 0.005,
    aggressiveSleep: true,
  };
  const impulses = (world: World) => {
    const contacts = world.readContacts();
    return Array.from(contacts.impulses.subarray(0, contacts.count));
  };

  it('repeats impulses of bodies at rest, not those that have just stopped a body', async () => {
    // Fixed for slowness alone, rows push a body until it is faster than sleepSpeed, 3 cm/s, and start again.
    const world = run(await stacked(options), 300);
    for (let i = 0; i < 120; i++) expect(run(world, 1).measure().maxSpeed).toBeLessThan(0.006);
    expect(top(world)).toBeCloseTo(4.5, 1);
  });

  it('keeps rows as they were, until a body is pushed', async () => {
    const world = run(await stacked({ ...options, iterations: 20 }), 300);
    // Rows are solved again now and then.
    let kept = 0;
    for (let i = 0; i < 40; i++) {
      const before = impulses(world);
      const after = impulses(run(world, 1));
      if (before.every((z, k) => z === after[k])) kept++;
    }
    expect(kept).toBeGreaterThan(10);
    const before = impulses(world);
    world.setVelocity(world.bodyAt(5)!, [0, -0.5, 0]);
    const after = impulses(run(world, 1));
    expect(after.every((z, k) => z === before[k])).toBe(false);
    expect(run(world, 200).measure().maxSpeed).toBeLessThan(0.006);
  });
});

it('methods can be changed at any time', async () => {
  const world = await stacked({});
  run(world, 30);
  world.set({ permutation: true });
  run(world, 30);
  world.set({ permutation: false, solver: 'colored', frictionModel: 'pyramid' });
  run(world, 30);
  world.set({ solver: 'wide', frictionModel: 'patch' });
  expect(top(run(world, 30))).toBeCloseTo(4.5, 1);
  expect(world.settings.stabilizationFactor).toBe(0.2);
});

it('impulses follow the length of a substep: nothing jumps when it changes', async () => {
  for (const solver of ['wide', 'colored', 'pgs', 'cell-split'] as const) {
    const world = run(await stacked({ solver, integration: 'one-step', iterations: 100, stabilization: 'projection' }), 60);
    world.set({ integration: 'substeps', stabilization: 'soft', substeps: 20 });
    for (let i = 0; i < 20; i++) {
      world.step();
      expect(world.measure().maxSpeed, solver).toBeLessThan(0.3);
    }
    world.set({ substeps: 2 });
    for (let i = 0; i < 5; i++) {
      world.step();
      expect(world.measure().maxSpeed, solver).toBeLessThan(0.3);
    }
  }
});

describe('acceleration', () => {
  const ONE: WorldOptions = {
    integration: 'one-step',
    stabilization: 'baumgarte',
    warmStart: 0,
    frictionModel: 'pyramid-staggered',
  };

  it.each([
    'pair-split',
    'cell-split',
    'scalar-split',
    'jacobi-spectral',
    'jacobi-average',
    'pgs',
    'cell-order',
    'colored',
    'wide',
  ] as const)('%s: the residual falls sooner', async (solver) => {
    // A stack of ten from zero impulses.
    const residual = async (nesterov: boolean) => {
      const world = await stacked({ ...ONE, solver, granularity: 4, iterations: 120, nesterov }, 10);
      return run(world, 1).measure().residualRms;
    };
    expect(await residual(true)).toBeLessThan(0.5 * (await residual(false)));
  });

  it('is refused where it is not sound', async () => {
    for (const solver of ['jacobi', 'jacobi-line-search', 'jacobi-assembled', 'pair-split-printed'] as const) {
      await expect(createWorld({ solver, nesterov: true })).rejects.toThrow(/'pair-split'/);
    }
    for (const solver of ['colored', 'cell-split', 'auto'] as const) {
      await expect(createWorld({ solver, nesterov: true, backend: 'webgpu' })).rejects.toMatchObject({ code: 'unsupported' });
    }
    const world = await stacked({ solver: 'pair-split', nesterov: true });
    expect(() => world.set({ solver: 'jacobi' })).toThrow(/nesterov/);
    expect(world.settings.solver).toBe('pair-split');
  });

  it('a wall rests with it in substeps', async () => {
    const scene = buildScene('wall', { seed: 1, scale: 8 / 30 });
    const world = await sceneWorld(scene, { solver: 'pair-split', preset: 'fast', nesterov: true, sleep: false });
    expect(run(world, 400).measure().rmsSpeed).toBeLessThan(1e-4);
  });
});

it('omega shortens the steps of Jacobi: it still converges, later', async () => {
  const residual = async (omega: number) => {
    const options: WorldOptions = { solver: 'scalar-split', integration: 'one-step', stabilization: 'baumgarte', warmStart: 0 };
    return run(await stacked({ ...options, iterations: 100, omega }, 3), 1).measure().residualRms;
  };
  expect(await residual(0.5)).toBeGreaterThan(1.1 * (await residual(1)));
  await expect(createWorld({ omega: 0 })).rejects.toThrow(/omega/);
  await expect(createWorld({ omega: 1.5 })).rejects.toThrow(/omega/);
});

it('the mean: after every iteration by default, once a pass on request; cells the other way round', async () => {
  const mean = async (options: WorldOptions) => (await stacked(options, 1)).settings.mean;
  expect(await mean({ solver: 'pair-split' })).toBe('iteration');
  expect(await mean({ solver: 'pair-split', mean: 'pass' })).toBe('pass');
  expect(await mean({ solver: 'cell-split' })).toBe('pass');
  expect(await mean({ solver: 'cell-split', nesterov: true })).toBe('iteration');
  const end = async (options: WorldOptions) => Array.from(run(await stacked({ solver: 'pair-split', ...options }), 30).positions);
  expect(await end({ mean: 'pass' })).not.toEqual(await end({}));
  // Rows obey it too.
  const rows: WorldOptions = { weightAmplification: 1.1 };
  expect(await end({ ...rows, mean: 'pass' })).not.toEqual(await end(rows));
  await expect(createWorld({ mean: 'sweep' as never })).rejects.toThrow(/'iteration'/);
});

it('refuses what is none', async () => {
  await expect(createWorld({ stabilization: 'spring' as never })).rejects.toThrow(/'soft'/);
  await expect(createWorld({ permutation: 1 as never })).rejects.toThrow(/permutation/);
  await expect(createWorld({ iterations: 0 })).rejects.toThrow(/iterations/);
  await expect(createWorld({ backend: 'webgpu', shockPropagation: 0.5 })).rejects.toThrow(/wasm/);
  await expect(createWorld({ backend: 'auto', frictionModel: 'random-tangent' })).rejects.toThrow(/wasm/);
});

describe('orderings', () => {
  it('report rows per batch: all rows once, independent within a batch', async () => {
    const world = run(await stacked({ granularity: 4 }, 20), 5);
    const contacts = world.measure().contactCount;
    const geometric = world.orderingReport('geometric');
    const algebraic = world.orderingReport('algebraic');
    const cells = world.orderingReport('cell-like');
    for (const report of [geometric, algebraic, cells]) {
      expect(report.rows).toHaveLength(report.batches);
      expect(report.rows.reduce((sum, rows) => sum + rows, 0)).toBe(3 * contacts);
      expect(Math.min(...report.blocks)).toBeGreaterThan(0);
    }
    // A stack is a path: two colors of links, which are 24 of rows (12 a link, and its two neighbors share the other 12).
    expect(geometric.batches).toBe(2);
    expect(geometric.rows).toEqual([120, 120]);
    expect(algebraic.batches).toBe(24);
    expect(algebraic.rows).toEqual(new Array(24).fill(10));
    expect(cells.batches).toBeLessThanOrEqual(geometric.batches);
  });

  it('knows its names', async () => {
    const world = await stacked({});
    expect(() => world.orderingReport('random' as never)).toThrow(/'algebraic'/);
    expect(world.orderingReport('geometric').batches).toBe(0);
  });
});

it.each(['pair-split', 'cell-split', 'scalar-split', 'pgs'] as SolverName[])(
  '%s on rows carries impulses at their true size',
  async (solver) => {
    // A pyramid: bodies in several blocks. Impulses applied too strongly would throw it up.
    const world = await createWorld({
      solver,
      granularity: 2,
      stabilization: 'projection',
      integration: 'one-step',
      iterations: 40,
    });
    const floor = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
    world.createBodies({
      count: 6,
      shape: cube,
      positions: [-1, 0.5, 0, 0, 0.5, 0, 1, 0.5, 0, -0.5, 1.5, 0, 0.5, 1.5, 0, 0, 2.5, 0],
    });
    for (let i = 0; i < 60; i++) {
      world.step();
      expect(world.measure().maxSpeed).toBeLessThan(0.2);
    }
  },
);

describe('activeSolver says what runs', () => {
  const OPTIONS: WorldSettings[] = [
    {},
    { frictionModel: 'pyramid' },
    { frictionModel: 'pyramid-staggered' },
    { frictionModel: 'random-tangent' },
    { stabilization: 'baumgarte' },
    { stabilization: 'projection' },
    { relax: false },
    { permutation: true },
    { weightAmplification: 1.4 },
    { shockPropagation: 0.5 },
    { aggressiveSleep: true },
    { integration: 'one-step' },
    { spectralRadius: 'power' },
    { sleep: true },
  ];

  it.each(SOLVER_NAMES)('%s with every option', async (solver) => {
    const world = await stacked({ solver }, 1);
    const { memory } = world as unknown as { memory: LinearMemory };
    const codes: Record<string, number> = { 'color-order': SOLVER_COLOR_ORDER };
    for (const [name, { code }] of Object.entries(SOLVERS)) codes[name] = code;
    for (const options of OPTIONS) {
      const neutral: WorldSettings = {
        frictionModel: 'patch',
        stabilization: 'soft',
        relax: true,
        permutation: false,
        weightAmplification: 1,
        shockPropagation: 0,
        aggressiveSleep: false,
        integration: 'substeps',
      };
      // It has contacts and friction of its own.
      if (solver === 'avbd' && Object.keys(options).some((key) => key in neutral && key !== 'integration')) {
        expect(() => world.set({ ...neutral, ...options })).toThrow(/'avbd'/);
        continue;
      }
      world.set({ ...neutral, ...options });
      const active = world.activeSolver;
      expect(world.settings.solver).toBe(solver);
      world.step();
      expect(codes[active], JSON.stringify(options)).toBe(memory.headerU32(Header.solver));
      expect(world.activeSolver).toBe(active);
      const same = solver === 'auto' ? 'wide' : solver;
      if (Object.keys(options).length === 0) expect(active).toBe(same);
      if (options.frictionModel) expect(active).toBe(same === 'wide' ? 'pgs' : same === 'colored' ? 'color-order' : same);
    }
  });

  it('wide with pyramid friction takes the steps of pgs, bit for bit', async () => {
    const [a, b] = await Promise.all(
      (['wide', 'pgs'] as const).map(async (solver) => run(await stacked({ solver, frictionModel: 'pyramid' }, 3), 30)),
    );
    expect(a!.activeSolver).toBe('pgs');
    expect(a!.positions).toEqual(b!.positions);
  });
});
