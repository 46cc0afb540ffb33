// Bodies that are made and removed between two steps, over and over: they leave nothing behind.
import { expect, test } from 'vitest';
import { createWorld } from '../../src/index';

const box = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;

test.each(['static', 'dynamic'] as const)('thousands between the making of %s bodies, without a step', async (type) => {
  const world = await createWorld({ warn: false });
  const shape = world.createShape(box);
  for (let i = 0; i < 3000; i++) {
    for (const enabled of [true, false]) world.removeBody(world.createBody({ shape, enabled }));
    world.createBody({ shape, type, position: [2 * i, 0, 0] });
  }
  for (let i = 0; i < 3; i++) world.step();
  expect(world.bodyCount).toBe(3000);
  expect(world.castRayAll([-5, 0, 0], [1, 0, 0], { maxDistance: 1e4 }, [])).toBe(3000);
  world.dispose();
});

test('the slot of a collider that is gone finds the contacts of the next one', async () => {
  const runs: string[] = [];
  for (const churn of [0, 5000]) {
    const world = await createWorld({ warn: false });
    const shape = world.createShape(box);
    world.createBody({
      shape: world.createShape({ type: 'box', halfExtents: [50, 1, 50] }),
      type: 'static',
      position: [0, -1, 0],
    });
    for (let i = 0; i < churn; i++) world.removeBody(world.createBody({ shape, position: [0, 0.4, 0] }));
    const bodies = Array.from({ length: 20 }, (_, i) =>
      world.createBody({ shape, position: [1.5 * (i % 5), 0.6 + Math.floor(i / 5) * 1.1, 0] }),
    );
    for (let i = 0; i < 90; i++) world.step();
    runs.push(bodies.map((body) => Array.from(world.getPosition(body, [0, 0, 0])).map((x) => x.toFixed(3))).join(' '));
    expect(world.getPosition(bodies[0]!, [0, 0, 0])[1]).toBeCloseTo(0.5, 2);
    world.dispose();
  }
  expect(runs[1]).toBe(runs[0]);
});
