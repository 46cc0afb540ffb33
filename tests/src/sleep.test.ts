// Sleeping: islands go to sleep and cost the solver nothing; everything that should wake them does.
import { describe, expect, it } from 'vitest';
import {
  type BodyId,
  createWorld as createStudy,
  type ShapeId,
  type SolverName,
  type World,
  type WorldOptions,
} from '../../src/study/index';
import { createWorld } from '../helpers/worlds';

interface Scene {
  world: World;
  cube: ShapeId;
  floor: BodyId;
  stack: BodyId[];
  lone: BodyId;
}

/** Two islands on a floor: a stack of three boxes and, four meters away, a single one. */
async function scene(options: WorldOptions = {}, create = createWorld): Promise<Scene> {
  const world = await create({ sleep: true, ...options });
  const slab = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const floor = world.createBody({ type: 'static', shape: slab, position: [0, -0.5, 0] });
  const stack = world.createBodies({ count: 3, shape: cube, positions: [0, 0.5, 0, 0, 1.5, 0, 0, 2.5, 0] });
  const lone = world.createBody({ shape: cube, position: [4, 0.5, 0] });
  return { world, cube, floor, stack, lone };
}

const run = (world: World, steps: number) => {
  for (let i = 0; i < steps; i++) world.step();
};

async function asleep(options: WorldOptions = {}, create = createWorld): Promise<Scene> {
  const s = await scene(options, create);
  run(s.world, 120);
  expect(s.world.sleepingCount).toBe(4);
  return s;
}

const y = (world: World, id: BodyId) => world.getPosition(id, [0, 0, 0])[1]!;

describe.each(['wide', 'colored', 'pgs', 'cell-split', 'pair-split'] as SolverName[])('%s', (solver) => {
  it('sleeps, stays where it is, and wakes by a contact, island by island', async () => {
    const { world, cube, stack, lone } = await asleep({ solver });
    const before = [...world.positions];
    run(world, 100);
    expect([...world.positions]).toEqual(before);
    const ball = world.createBody({ shape: cube, position: [0, 5, 0] });
    run(world, 120);
    expect(world.isAsleep(lone)).toBe(true);
    expect(world.getLinearVelocity(lone, [0, 0, 0])).toEqual([0, 0, 0]);
    expect(y(world, ball)).toBeCloseTo(3.5, 1);
    run(world, 240);
    expect(world.sleepingCount).toBe(5);
    world.removeBody(stack[0]!);
    world.step();
    expect(world.isAsleep(stack[1]!)).toBe(false);
    expect(world.isAsleep(lone)).toBe(true);
    run(world, 120);
    expect(y(world, ball)).toBeCloseTo(2.5, 1);
  });
});

const disturbances: [string, (s: Scene) => void][] = [
  ['a force', (s) => s.world.addForce(s.stack[2]!, [0, 1, 0])],
  ['an impulse', (s) => s.world.applyImpulse(s.stack[2]!, [1, 0, 0])],
  ['a velocity', (s) => s.world.setVelocity(s.stack[2]!, [0, 1, 0])],
  ['a teleport', (s) => s.world.teleport(s.stack[1]!, [-4, 3, 0])],
  ['a new gravity', (s) => s.world.set({ gravity: [0, -5, 0] })],
  ['sleep turned off', (s) => s.world.set({ sleep: false })],
  ['a call', (s) => s.world.wake(s.stack[0]!)],
  ['the removal of the floor', (s) => s.world.removeBody(s.floor)],
  ['a floor that is moved away', (s) => s.world.teleport(s.floor, [0, -20, 0])],
  ['another mass', (s) => s.world.setMass(s.stack[0]!, { mass: 5000, center: [0, 0, 0], inertia: [800, 800, 800, 0, 0, 0] })],
  ['another type', (s) => s.world.setType(s.stack[0]!, 'static')],
  ['gravity scale', (s) => s.world.setGravityScale(s.stack[0]!, 0)],
];

it.each(disturbances)('%s wakes the stack', async (_, disturb) => {
  const s = await asleep();
  disturb(s);
  s.world.step();
  expect(s.world.isAsleep(s.stack[2]!)).toBe(false);
});

it('a kinematic body wakes what it touches only while it moves', async () => {
  const s = await scene();
  const pusher = s.world.createBody({ type: 'kinematic', shape: s.cube, position: [5.01, 0.5, 0] });
  run(s.world, 120);
  expect(s.world.isAsleep(s.lone)).toBe(true);
  s.world.moveKinematic(pusher, [4.9, 0.5, 0]);
  s.world.step();
  expect(s.world.isAsleep(s.lone)).toBe(false);
  run(s.world, 20);
  expect(s.world.getPosition(s.lone, [0, 0, 0])[0]).toBeLessThan(3.95);
});

it('changing the solver keeps sleepers asleep, and they stand when they wake', async () => {
  const s = await asleep({}, createStudy);
  for (const solver of ['pgs', 'colored', 'wide'] as SolverName[]) {
    s.world.set({ solver });
    s.world.step();
    expect(s.world.sleepingCount).toBe(4);
  }
  s.world.wake(s.stack[0]!);
  run(s.world, 20);
  expect(y(s.world, s.stack[2]!)).toBeCloseTo(2.5, 2);
});

it('nothing sleeps by default, nor what moves slowly but for good', async () => {
  const still = await scene({ sleep: false });
  run(still.world, 120);
  expect(still.world.sleepingCount).toBe(0);
  const drifting = await scene({ gravity: [0, 0, 0] });
  drifting.world.setVelocity(drifting.lone, [0.05, 0, 0]);
  run(drifting.world, 240);
  expect(drifting.world.isAsleep(drifting.lone)).toBe(false);
  expect(drifting.world.isAsleep(drifting.stack[0]!)).toBe(true);
});

it.each(['wide', 'colored'] as SolverName[])('one of many sleeping stacks wakes alone, and stands: %s', async (solver) => {
  const world = await createWorld({ sleep: true, solver });
  const slab = world.createShape({ type: 'box', halfExtents: [100, 0.5, 10] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: slab, position: [0, -0.5, 0] });
  const positions = Float32Array.from({ length: 120 }, (_, i) => {
    const box = Math.floor(i / 3);
    return [4 * Math.floor(box / 2) - 40, 0.5 + (box % 2), 0][i % 3]!;
  });
  const ids = world.createBodies({ count: 40, shape: cube, positions });
  run(world, 120);
  expect(world.sleepingCount).toBe(40);
  world.wake(ids[20]!);
  for (let i = 0; i < 20; i++) {
    world.step();
    expect(world.sleepingCount).toBe(38);
    expect(Math.abs(y(world, ids[21]!) - 1.5)).toBeLessThan(2e-3);
    expect(Math.hypot(...world.getLinearVelocity(ids[21]!, [0, 0, 0]))).toBeLessThan(1e-3);
  }
  run(world, 60);
  expect(world.sleepingCount).toBe(40);
});

describe.each(['wide', 'cell-split'] as SolverName[])('a level that is built asleep, %s', (solver) => {
  /** A stack, a lone box, a row of boxes that touch, a lamp on a joint and a box in the air, asleep before any step. */
  async function level() {
    const s = await scene({ solver });
    const { world, cube } = s;
    const row = world.createBodies({ count: 3, shape: cube, positions: [-6, 0.5, 0, -5, 0.5, 0, -4, 0.5, 0] });
    const beam = world.createBody({ type: 'static', shape: cube, position: [8, 8, 0] });
    const lamp = world.createBody({ shape: cube, position: [8, 5, 0] });
    const chain = world.createBody({ shape: cube, position: [8, 6.5, 0] });
    world.createJoint({ type: 'ball', bodyA: beam, bodyB: chain, anchor: [8, 7.25, 0] });
    world.createJoint({ type: 'ball', bodyA: chain, bodyB: lamp, anchor: [8, 5.75, 0] });
    const high = world.createBody({ shape: cube, position: [-8, 6, 0] });
    const all = [...s.stack, s.lone, ...row, lamp, chain, high];
    for (const id of all) world.sleep(id);
    expect(world.sleepingCount).toBe(all.length);
    return { ...s, row, lamp, chain, high, all };
  }

  it('stays asleep, and where it is', async () => {
    const { world, all } = await level();
    const before = [...world.positions];
    world.step();
    expect(world.sleepingCount).toBe(all.length);
    run(world, 60);
    expect(world.sleepingCount).toBe(all.length);
    expect([...world.positions]).toEqual(before);
    world.set({ gravity: [0, -5, 0] });
    for (const id of all) world.sleep(id);
    run(world, 3);
    expect(world.sleepingCount).toBe(all.length);
  });

  it('wakes by what touches it, island by island, and stands', async () => {
    const { world, cube, stack, lone, row, lamp, chain, high } = await level();
    run(world, 2);
    world.createBody({ shape: cube, position: [0, 3.6, 0] });
    run(world, 20);
    expect(stack.map((id) => world.isAsleep(id))).toEqual([false, false, false]);
    for (const id of [lone, ...row, lamp, chain, high]) expect(world.isAsleep(id)).toBe(true);
    run(world, 200);
    expect(y(world, stack[2]!)).toBeCloseTo(2.5, 2);
    world.removeBody(stack[0]!);
    run(world, 60);
    expect(y(world, stack[2]!)).toBeCloseTo(1.5, 1);
  });

  it('wakes where its support goes, before and after its first step', async () => {
    for (const steps of [0, 1, 30]) {
      const { world, floor, stack, lone, row, lamp, chain, high } = await level();
      run(world, steps);
      world.removeBody(stack[0]!);
      run(world, 30);
      // Before the first step nobody knows what lay on the box.
      if (steps > 0) for (const id of stack.slice(1)) expect(world.isAsleep(id)).toBe(false);
      world.wake(row[0]!);
      world.step();
      for (const id of row) expect(world.isAsleep(id)).toBe(false);
      world.removeBody(floor);
      world.step();
      expect(world.isAsleep(lone)).toBe(false);
      world.wake(lamp);
      expect(world.isAsleep(chain)).toBe(false);
      expect(world.isAsleep(high)).toBe(true);
    }
  });

  it('wakes beside bodies that are awake', async () => {
    const { world, stack, lone, high } = await level();
    world.wake(stack[1]!);
    world.step();
    expect(stack.map((id) => world.isAsleep(id))).toEqual([false, false, false]);
    expect(world.isAsleep(lone) && world.isAsleep(high)).toBe(true);
  });

  it('bodies put asleep onto sleepers wake nothing; awake ones do', async () => {
    const { world, cube, stack } = await level();
    run(world, 5);
    const top = world.createBody({ shape: cube, position: [0, 3.5, 0] });
    world.sleep(top);
    run(world, 5);
    expect([top, ...stack].map((id) => world.isAsleep(id))).toEqual([true, true, true, true]);
    world.removeBody(stack[0]!);
    world.step();
    expect(world.isAsleep(top)).toBe(false);
  });
});
