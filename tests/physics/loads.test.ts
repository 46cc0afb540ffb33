// Light bodies under heavy ones: islands that bear far more than their mass take the substeps that hold it, others keep theirs.
import { describe, expect, test } from 'vitest';
import { type BodyId, createWorld, type World, type WorldOptions } from '../../src/index';
import { isLong } from '../helpers/long';
import { seeded } from '../helpers/random';

const SEEDS = Array.from({ length: isLong ? 12 : 3 }, (_, i) => i + 1);

type Put = (at: [number, number, number], halfExtents: [number, number, number], mass: number, turn?: number) => BodyId;

/** A ground with its top at y = 0, and what puts boxes on it. */
async function open(options: WorldOptions = {}): Promise<{ world: World; put: Put }> {
  const world = await createWorld({ sleep: false, warn: false, ...options });
  const ground = world.createShape({ type: 'box', halfExtents: [50, 0.5, 50] });
  world.createBody({ type: 'static', shape: ground, position: [0, -0.5, 0], friction: 1 });
  const put: Put = (position, halfExtents, mass, turn = 0) =>
    world.createBody({
      shape: world.createShape({ type: 'box', halfExtents }),
      position,
      rotation: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)],
      mass,
    });
  return { world, put };
}

/** How far a body sinks in `steps`, m. */
function sinks(world: World, body: BodyId, steps: number): number {
  const y = world.getPosition(body, [0, 0, 0])[1]!;
  for (let i = 0; i < steps; i++) world.step();
  return y - world.getPosition(body, [0, 0, 0])[1]!;
}

/** 20 plates of 1 kg, each turned by 9 degrees, under a block. */
function plates(put: Put, mass: number): BodyId {
  for (let i = 0; i < 20; i++) put([0, 0.25 + 0.5 * i, 0], [2, 0.25, 3], 1, 0.05 * Math.PI * i);
  return put([0, 11, 0], [4, 1, 4], mass);
}

describe.each(['wide', 'cell-split'] as const)('20 plates of 1 kg, %s', (solver) => {
  test('bear 100 kg with the defaults, and sink by less than 2 cm', async () => {
    const { world, put } = await open({ solver });
    expect(sinks(world, plates(put, 100), 1200)).toBeLessThan(0.02);
  });

  test("bear 1,000 kg with preset 'high'", async () => {
    const { world, put } = await open({ solver, preset: 'high' });
    const block = plates(put, 1000);
    expect(sinks(world, block, isLong ? 1200 : 600)).toBeLessThan(0.1);
    expect(Math.hypot(...world.getLinearVelocity(block, [0, 0, 0]))).toBeLessThan(1e-3);
  });
});

/** What bears a load, where its parts lie a little askew; the load, and how far it may sink. */
const LOADS: Record<string, [(put: Put, random: () => number) => BodyId, number]> = {
  'a box under one of 100 times its mass': [
    (put, random) => {
      put([0, 0.25, 0], [0.25, 0.25, 0.25], 1);
      return put([0.05 * random(), 0.75, 0], [0.25, 0.25, 0.25], 100);
    },
    5e-4,
  ],
  'a column of ten under 100 kg': [
    (put, random) => {
      for (let i = 0; i < 10; i++) put([0.02 * random(), 0.25 + 0.5 * i, 0.02 * random()], [0.25, 0.25, 0.25], 1);
      return put([0, 5.25, 0], [0.25, 0.25, 0.25], 100);
    },
    5e-3,
  ],
  'a table with legs of 1 kg under 200 kg': [
    (put, random) => {
      for (const x of [-0.9, 0.9])
        for (const z of [-0.4, 0.4]) put([x + 0.02 * random(), 0.35, z + 0.02 * random()], [0.05, 0.35, 0.05], 1);
      put([0, 0.725, 0], [1, 0.025, 0.5], 5);
      return put([0.1 * random(), 1, 0.1 * random()], [0.25, 0.25, 0.25], 200);
    },
    2e-3,
  ],
  'walls of bricks under a lintel of 100 times a brick': [
    (put, random) => {
      for (let y = 0; y < 8; y++)
        for (const side of [-1, 1])
          for (let x = 0; x < 3; x++)
            put([side * (1 + 0.41 * x) + (y & 1) * 0.1 + 0.005 * random(), 0.1 + 0.2 * y, 0], [0.2, 0.1, 0.15], 2);
      return put([0.05, 1.75, 0], [2.2, 0.15, 0.15], 200);
    },
    2e-3,
  ],
};

describe.each(Object.entries(LOADS))('%s', (_, [build, most]) => {
  test('stands still', async () => {
    for (const seed of SEEDS) {
      const { world, put } = await open();
      const load = build(put, seeded(seed));
      expect(sinks(world, load, 600)).toBeLessThan(most);
      expect(Math.hypot(...world.getLinearVelocity(load, [0, 0, 0]))).toBeLessThan(2e-3);
      world.dispose();
    }
  });
});

describe('substeps', () => {
  test('an island under a load takes more than 20, one of equal boxes its own number, and many bodies no more than they can afford', async () => {
    const { world, put } = await open();
    plates(put, 100);
    sinks(world, put([20, 0.5, 0], [0.5, 0.5, 0.5], 1000), 60);
    expect(world.profile.substeps).toBe(64);

    const equal = await open();
    for (let i = 0; i < 30; i++) equal.put([0, 0.5 + i, 0], [0.5, 0.5, 0.5], 1);
    sinks(equal.world, equal.put([20, 0.5, 0], [0.5, 0.5, 0.5], 1), 60);
    expect(equal.world.profile.substeps).toBe(14);

    // 400 feet of 1 kg under one slab: one island.
    const many = await open();
    for (let i = 0; i < 400; i++) many.put([(i % 20) - 9.5, 0.25, Math.floor(i / 20) - 9.5], [0.25, 0.25, 0.25], 1);
    sinks(many.world, many.put([0, 1, 0], [10, 0.5, 10], 1e5), 60);
    expect(many.world.profile.substeps).toBe(27);
  });

  test("preset 'high' has 20 at least, also where nothing asks for them", async () => {
    for (const solver of ['wide', 'cell-split'] as const) {
      const { world, put } = await open({ solver, preset: 'high' });
      sinks(world, put([0, 0.5, 0], [0.5, 0.5, 0.5], 1), 60);
      expect(world.profile.substeps).toBe(20);
      world.set({ substeps: 9 });
      world.step();
      expect(world.profile.substeps).toBe(9);
    }
  });
});
