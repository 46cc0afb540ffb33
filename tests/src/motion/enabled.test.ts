// Bodies and colliders that are taken out and back in, sensors that become solid and the other way: what is felt, what is told.
import { describe, expect, test } from 'vitest';
import type { World } from '../../../src/index';
import { useDevice } from '../../helpers/gpu';
import { onlyLong } from '../../helpers/long';
import { createWorld } from '../../helpers/worlds';

const gpu = useDevice();

const cases = [
  { name: 'wide', options: { solver: 'wide' } },
  { name: 'cell-split', options: { solver: 'cell-split' } },
  { name: 'WebGPU', options: {} },
] as const;

async function scene(index: number) {
  const { name, options } = cases[index]!;
  const world: World = (await createWorld(
    name === 'WebGPU' ? { backend: 'webgpu', device: gpu.device } : options,
  )) as unknown as World;
  const slab = world.createShape({ type: 'box', halfExtents: [5, 0.5, 5] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const floor = world.createBody({ type: 'static', shape: slab, position: [0, -0.5, 0] });
  const lower = world.createBody({ shape: cube, position: [0, 0.5, 0] });
  const upper = world.createBody({ shape: cube, position: [0, 1.5, 0] });
  const told: string[] = [];
  const names = new Map<number, string>([
    [floor, 'floor'],
    [lower, 'lower'],
    [upper, 'upper'],
  ]);
  const advance = async (steps: number) => {
    for (let i = 0; i < steps; i++) {
      await world.stepAsync();
      for (const event of world.events) {
        told.push(`${event.kind} ${[names.get(event.bodyA), names.get(event.bodyB)].sort().join(' ')}`);
      }
    }
    return told.splice(0).sort();
  };
  const y = (id: typeof floor) => world.getPosition(id, [0, 0, 0])[1]!;
  return { world, floor, lower, upper, advance, y };
}

describe.each([0, 1, 2])('case %i', (index) => {
  test('a body that is disabled lets what lay on it fall, and comes back', async () => {
    const { world, lower, upper, advance, y } = await scene(index);
    expect(await advance(2)).toEqual(['begin floor lower', 'begin lower upper']);
    await advance(90);
    expect(world.sleepingCount).toBe(2);
    world.setEnabled(lower, false);
    expect(world.isEnabled(lower)).toBe(false);
    expect(world.castRay([0, 0.5, 5], [0, 0, -1])).toBeNull();
    expect(await advance(60)).toEqual(['begin floor upper', 'end floor lower', 'end lower upper']);
    expect(y(upper)).toBeCloseTo(0.5, 2);
    expect(y(lower)).toBeCloseTo(0.5, 2);
    world.teleport(lower, [0, 3, 0]);
    await advance(30);
    expect(y(lower)).toBe(3);
    world.setEnabled(lower, true);
    expect(await advance(90)).toEqual(['begin lower upper']);
    expect(y(lower)).toBeCloseTo(1.5, 2);
    world.setEnabled(upper, false);
    world.removeBody(upper);
    expect(await advance(60)).toEqual(['begin floor lower', 'end floor upper', 'end lower upper']);
  });

  test.each(index < 2 ? ['a collider'] : onlyLong('a collider'))(
    '%s that is disabled, and one that becomes a sensor',
    async () => {
      const { world, floor, lower, upper, advance, y } = await scene(index);
      await advance(60);
      const [collider] = world.collidersOf(lower);
      world.setCollider(collider!, { enabled: false });
      const told = await advance(10);
      expect(told).toEqual(['end floor lower', 'end lower upper']);
      expect(y(lower)).toBeLessThan(0.45);
      expect(world.readBounds().length).toBe(12);
      world.setCollider(collider!, { enabled: true, sensor: true });
      const overlaps = await advance(3);
      expect(overlaps).toContain('sensor-begin floor lower');
      world.teleport(lower, [0, 0.5, 0]);
      world.teleport(upper, [0, 1.5, 0]);
      world.setLinearVelocity(lower, [0, 0, 0]);
      world.setLinearVelocity(upper, [0, 0, 0]);
      world.setCollider(collider!, { sensor: false });
      const solid = await advance(60);
      expect(solid).toContain('sensor-end floor lower');
      expect(solid).toContain('begin floor lower');
      expect(solid).toContain('begin lower upper');
      expect(y(upper)).toBeCloseTo(1.5, 2);
      world.setCollider(world.collidersOf(floor)[0]!, { shape: world.getCollider(collider!).shape });
      await advance(90);
      // A cube of 1 m now, its center at -0.5 as before.
      expect(y(upper)).toBeCloseTo(1.5, 2);
    },
  );
});

test('joints of a body that is disabled rest, and are at work again with it', async () => {
  const world = await createWorld({});
  const ball = world.createShape({ type: 'sphere', radius: 0.2 });
  const arm = world.createBody({ shape: ball, position: [0, 0, 0] });
  const weight = world.createBody({ shape: ball, position: [0, -1, 0] });
  const top = world.createJoint({ type: 'ball', bodyB: arm, anchor: [0, 0, 0] });
  const link = world.createJoint({ type: 'ball', bodyA: arm, bodyB: weight, anchor: [0, 0, 0] });
  const y = () => world.getPosition(weight, [0, 0, 0])[1]!;
  for (let i = 0; i < 60; i++) world.step();
  expect(y()).toBeCloseTo(-1, 3);
  world.setEnabled(arm, false);
  expect(world.getJoint(link).enabled).toBe(true);
  world.setJoint(link, { enabled: true });
  for (let i = 0; i < 30; i++) world.step();
  expect(y()).toBeCloseTo(-1 - 0.125 * 9.81, 1);
  world.teleport(weight, [0, -1, 0]);
  world.setVelocity(weight, [0, 0, 0], [0, 0, 0]);
  world.setJoint(top, { enabled: false });
  world.setEnabled(arm, true);
  expect([world.getJoint(top).enabled, world.getJoint(link).enabled]).toEqual([false, true]);
  for (let i = 0; i < 30; i++) world.step();
  const gap = world.getPosition(arm, [0, 0, 0])[1]! - y();
  expect(gap).toBeCloseTo(1, 2);
  expect(y()).toBeLessThan(-2);
});
