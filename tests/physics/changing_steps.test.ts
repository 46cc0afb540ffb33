// Steps whose length changes from one to the next: what rests stays at rest, since contacts and joints are as soft in short steps as in
// the long ones before them, and what is carried is scaled with the substep.
import { describe, expect, test } from 'vitest';
import type { BodyId, World } from '../../src/index';
import { isLong } from '../helpers/long';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

type Random = () => number;

const SEEDS = Array.from({ length: isLong ? 12 : 2 }, (_, i) => i + 1);
const SOLVERS = ['wide', 'cell-split'] as const;

/** Lengths of steps by a random number in [0, 1). */
const LAWS: Record<string, (random: Random) => number> = {
  'from 1/240 to 1/30': (random) => 1 / 240 + (1 / 30 - 1 / 240) * random(),
  '1/240 or 1/30': (random) => (random() < 0.5 ? 1 / 240 : 1 / 30),
};

function box(world: World, at: number[], halfExtents: [number, number, number]): BodyId {
  return world.createBody({ shape: world.createShape({ type: 'box', halfExtents }), position: at });
}

const SCENES: Record<string, (world: World, random: Random) => BodyId[]> = {
  stack: (world) => Array.from({ length: 10 }, (_, i) => box(world, [0, 0.5 + i, 0], [0.5, 0.5, 0.5])),
  pile: (world, random) =>
    Array.from({ length: 30 }, (_, i) => box(world, [random() - 0.5, 0.5 + 0.4 * i, random() - 0.5], [0.25, 0.25, 0.25])),
  wall: (world) =>
    Array.from({ length: 10 }, (_, row) =>
      Array.from({ length: 8 }, (_, i) => box(world, [1.02 * (i + 0.5 * (row & 1)) - 4, 0.25 + 0.5 * row, 0], [0.5, 0.25, 0.25])),
    ).flat(),
  chain: (world) => {
    const shape = world.createShape({ type: 'capsule', radius: 0.05, halfHeight: 0.15 });
    const bodies: BodyId[] = [];
    for (let i = 0; i < 12; i++) {
      const bodyB = world.createBody({ shape, position: [5, 9.8 - 0.4 * i, 0] });
      const anchorB = [0, 0.2, 0];
      if (i === 0) world.createJoint({ type: 'ball', bodyB, anchorA: [5, 10, 0], anchorB });
      else world.createJoint({ type: 'ball', bodyA: bodies[i - 1]!, bodyB, anchorA: [0, -0.2, 0], anchorB });
      bodies.push(bodyB);
    }
    return bodies;
  },
};

/** Largest speed of any body after `wait` steps of 1/60 s and 300 steps by a law, in 200 more. */
async function restlessness(solver: (typeof SOLVERS)[number], scene: string, law: string, seed: number, wait: number) {
  const random = seeded(seed);
  const world = (await createWorld({ solver, sleep: false })) as unknown as World;
  const ground = world.createShape({ type: 'box', halfExtents: [20, 0.5, 20] });
  world.createBody({ type: 'static', shape: ground, position: [0, -0.5, 0] });
  const bodies = SCENES[scene]!(world, random);
  for (let i = 0; i < wait; i++) world.step();
  const v: [number, number, number] = [0, 0, 0];
  let most = 0;
  for (let i = 0; i < 500; i++) {
    world.set({ dt: LAWS[law]!(random) });
    world.step();
    if (i < 300) continue;
    for (const body of bodies) most = Math.max(most, Math.hypot(...world.getLinearVelocity(body, v)));
  }
  world.dispose();
  return most;
}

describe.each(SOLVERS)('%s', (solver) => {
  describe.each(Object.keys(LAWS))('steps %s', (law) => {
    test.each(Object.keys(SCENES))('%s', async (scene) => {
      const speeds = [];
      for (const seed of SEEDS) speeds.push(await restlessness(solver, scene, law, seed, scene === 'pile' ? 240 : 0));
      // Of piles on cell-split one box in one of 12 slips off what bears it: 2 of 24 in 1,500 steps, none with steps of one length.
      const slips = speeds.filter((speed) => speed >= 0.1).length;
      expect(slips, `${speeds}`).toBeLessThanOrEqual(scene === 'pile' && solver === 'cell-split' ? 1 : 0);
    });
  });
});

test('a single long step among short ones throws nothing up', async () => {
  const world = (await createWorld({ sleep: false })) as unknown as World;
  world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'box', halfExtents: [20, 0.5, 20] }),
    position: [0, -0.5, 0],
  });
  const bodies = SCENES.stack!(world, () => 0);
  world.set({ dt: 1 / 120 });
  for (let i = 0; i < 240; i++) world.step();
  let most = 0;
  for (let i = 0; i < 120; i++) {
    world.set({ dt: i === 0 ? 1 / 15 : 1 / 120 });
    world.step();
    for (const body of bodies) most = Math.max(most, world.getLinearVelocity(body, [0, 0, 0])[1]!);
  }
  expect(most).toBeLessThan(0.02);
});

test.each(SOLVERS)('%s: short steps among long ones have fewer substeps, others as many as were asked for', async (solver) => {
  const world = (await createWorld({ solver, substeps: 8 })) as unknown as World;
  const counts = (dt: number, steps: number) => {
    world.set({ dt });
    for (let i = 0; i < steps; i++) world.step();
    return world.profile.substeps;
  };
  expect(counts(1 / 60, 1)).toBe(8);
  expect(counts(1 / 120, 1)).toBe(5); // 4.02: what is usual has become a little shorter
  expect(counts(1 / 1000, 1)).toBe(1);
  expect(counts(1 / 30, 1)).toBe(8); // a longer one, at once
  expect(counts(1 / 120, 1)).toBeLessThan(8);
  expect(counts(1 / 120, 1500)).toBe(8); // in time these are the usual ones
  world.dispose();
});

test.each(SOLVERS)('%s: a world restored amid changing steps goes on to the bit', async (solver) => {
  const worlds = [];
  for (let i = 0; i < 2; i++) worlds.push((await createWorld({ solver })) as unknown as World);
  const [one, other] = worlds as [World, World];
  SCENES.pile!(one, seeded(1));
  const random = seeded(2);
  const step = (dt: number, ...of: World[]) => {
    for (const world of of) {
      world.set({ dt });
      world.step();
    }
  };
  for (let i = 0; i < 60; i++) step(LAWS['1/240 or 1/30']!(random), one);
  other.restore(one.snapshot());
  for (let i = 0; i < 60; i++) step(LAWS['1/240 or 1/30']!(random), one, other);
  expect(other.hash()).toBe(one.hash());
  for (const world of worlds) world.dispose();
});
