// substeps 'auto': the number follows what stands in the world, is the same on every backend, and changes unseen.
import { expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import type { BodyId, SolverName, World, WorldOptions } from '../../src/study/index';
import { sceneWorld } from '../helpers/scene_world';
import { createWorld } from '../helpers/worlds';

const floorAnd = async (options: WorldOptions = {}): Promise<World> => {
  const world = await createWorld(options);
  const shape = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
  world.createBody({ type: 'static', shape, position: [0, -1, 0] });
  return world;
};

/** A column of boxes of 1 m at x, of a density from the bottom up. */
function column(world: World, x: number, count: number, density = (_: number) => 1000): BodyId[] {
  const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  return Array.from({ length: count }, (_, i) => world.createBody({ shape, position: [x, 0.5 + i, 0], density: density(i) }));
}

function run(world: World, steps: number): number {
  for (let i = 0; i < steps; i++) world.step();
  return world.profile.substeps;
}

test('it is ceil(2.5 e sqrt(H)), 6 to 20, and up to 64 under a load', async () => {
  const world = await floorAnd();
  expect(run(world, 1)).toBe(6);
  column(world, 0, 5);
  expect(run(world, 3)).toBe(6);
  column(world, 3, 14);
  expect(run(world, 3)).toBe(10); // 2.5 sqrt(14) = 9.4
  column(world, 6, 20);
  expect(run(world, 3)).toBe(12); // 11.2
  // A block on three boxes of a hundredth of its mass: they bear 101 to 103 times their own, 20 times what a column bears.
  column(world, 9, 4, (i) => (i === 3 ? 100_000 : 1000));
  expect(run(world, 3)).toBe(64);
});

test('what would buckle takes more than 20: 0.068 H^1.5', async () => {
  const world = await floorAnd();
  column(world, 0, 36);
  expect(run(world, 3)).toBe(15); // 2.5 sqrt(36)
  column(world, 3, 50);
  expect(run(world, 3)).toBe(25); // 24.04; 2.5 sqrt(50) is 17.7
});

test('fewer come one by one, after a while; a tower that goes or sleeps asks for nothing, one that wakes at once', async () => {
  const world = await floorAnd({ sleep: true });
  column(world, 0, 1);
  const tower = column(world, 3, 14);
  expect(run(world, 3)).toBe(10);
  expect(run(world, 400)).toBe(6);
  expect(world.isAsleep(tower[0]!)).toBe(true);
  world.wake(tower[0]!);
  expect(run(world, 1)).toBe(10);
  // What is left of it is another island's worth, and settles to that.
  for (const body of tower.slice(5)) world.removeBody(body);
  world.set({ sleep: false });
  const seen = Array.from({ length: 100 }, () => run(world, 1));
  for (let i = 1; i < seen.length; i++) expect(seen[i - 1]! - seen[i]!).toBeLessThanOrEqual(1);
  expect(seen.slice(-1)).toEqual([6]);
  expect(seen.filter((n) => n === 9).length).toBe(16);
});

test('what tumbles asks for the fewest: a heap that lands takes little more than one that lies', async () => {
  const world = await sceneWorld(buildScene('boxes-small', { seed: 1, scale: 0.3 }), { sleep: false });
  const seen = Array.from({ length: 240 }, () => run(world, 1));
  expect(Math.max(...seen)).toBeLessThan(10);
  expect(seen.filter((n) => n > 6).length).toBeLessThan(80);
  expect(seen.slice(-1)).toEqual([6]);
});

test('a tower that rides along is at rest', async () => {
  const world = await createWorld({ sleep: false });
  const board = world.createShape({ type: 'box', halfExtents: [3, 0.1, 3] });
  const platform = world.createBody({ type: 'kinematic', shape: board, position: [0, -0.1, 0] });
  const boxes = column(world, 0, 14);
  for (const id of boxes) world.setVelocity(id, [4, 0, 0]);
  const ride = () => {
    const [x, y, z] = world.getPosition(platform, [0, 0, 0]) as [number, number, number];
    world.moveKinematic(platform, [x + 4 / 60, y, z]);
    return run(world, 1);
  };
  for (let i = 0; i < 3; i++) ride();
  for (let i = 0; i < 60; i++) expect(ride()).toBeGreaterThanOrEqual(10);
  for (const id of boxes.slice(5)) world.removeBody(id);
  const seen = Array.from({ length: 100 }, ride);
  for (let i = 1; i < seen.length; i++) expect(seen[i - 1]! - seen[i]!).toBeLessThanOrEqual(1);
  expect(seen.slice(-1)).toEqual([6]);
});

test('an island that is taken away takes its number with it', async () => {
  const world = await floorAnd({ sleep: false });
  column(world, 0, 2);
  const tower = column(world, 3, 14);
  expect(run(world, 140)).toBe(10);
  for (const body of tower) world.removeBody(body);
  expect(run(world, 1)).toBe(6);
});

test('a number that is given stays; one-step keeps its own; auto can be taken up again', async () => {
  const world = await floorAnd({ substeps: 3 });
  column(world, 0, 20);
  expect(run(world, 5)).toBe(3);
  world.set({ substeps: 'auto' });
  expect(run(world, 1)).toBe(12);
  world.set({ preset: 'fast' });
  expect(run(world, 1)).toBe(6);
  await expect(createWorld({ substeps: 'most' as never })).rejects.toThrow(/substeps/);
});

test.each<SolverName>(['wide', 'cell-split'])('%s: a column at rest does not see the number change', async (solver) => {
  const world = await floorAnd({ solver, sleep: false });
  const boxes = column(world, 0, 5);
  const tower = column(world, 5, 14);
  expect(run(world, 300)).toBe(10);
  for (const body of tower) world.removeBody(body);
  const y = () => world.getPosition(boxes[4]!, [0, 0, 0])[1]!;
  let last = y();
  let least = 10;
  for (let i = 0; i < 120; i++) {
    least = Math.min(least, run(world, 1));
    expect(Math.abs(y() - last)).toBeLessThan(1e-4); // 6 mm/s
    last = y();
  }
  expect(least).toBe(6);
  expect(world.measure().rmsSpeed).toBeLessThan(2e-4);
});

test('two worlds and a clone agree to the last bit through changes of the number', async () => {
  // A heap, and a tower that loses what stood on it.
  const scene = buildScene('boxes-small', { seed: 2, scale: 0.1 });
  const make = async () => {
    const world = await sceneWorld(scene, { sleep: false });
    const shape = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
    world.createBody({ type: 'static', shape, position: [200, -1, 0] });
    const tower = column(world, 200, 14);
    run(world, 60);
    for (const body of tower.slice(5)) world.removeBody(body);
    return world;
  };
  const worlds = [await make(), await make()];
  const used = new Set<number>();
  for (let i = 0; i < 30; i++) for (const world of worlds) used.add(run(world, 1));
  worlds.push(await worlds[0]!.clone());
  for (let i = 0; i < 60; i++) for (const world of worlds) used.add(run(world, 1));
  expect(used.size).toBeGreaterThan(1);
  for (const world of worlds) expect(world.positions.slice()).toEqual(worlds[0]!.positions.slice());
});

test.each([
  ['boxes-small', { scale: 0.2 }, 1e-4],
  ['hulls', { count: 100 }, 1e-4],
  ['cardhouse', {}, 1e-4],
  ['chess', { scale: 0.1 }, 1e-4],
])('%s: calm and shallow', async (name, options, limit) => {
  const world = await sceneWorld(buildScene(name, { seed: 1, ...options }), {});
  run(world, 480);
  const m = world.measure();
  expect(m.rmsSpeed).toBeLessThan(limit);
  expect(m.penetrationMean).toBeLessThan(1e-3);
  expect(m.penetrationP99).toBeLessThan(5e-3);
  expect(m.penetrationMax).toBeLessThan(2e-2);
});
