// Bodies made inside each other come apart, and without bursting; what touches them by twos is pushed as ever.
import { describe, expect, test } from 'vitest';
import { SOLVERS, speed } from '../helpers/ground';
import { createWorld } from '../helpers/worlds';

describe.each(SOLVERS)('%s', (solver) => {
  test('40 boxes at one point come apart below 28 m/s', async () => {
    const world = await createWorld({ solver, gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const ids = Array.from({ length: 40 }, () => world.createBody({ shape }));
    let most = 0;
    for (let i = 0; i < 180; i++) {
      world.step();
      for (const id of ids) most = Math.max(most, speed(world, id));
    }
    expect(world.faults.notFinite).toBe(false);
    expect(most).toBeLessThan(28);
    expect(world.measure().penetrationMax).toBeLessThan(0.05);
  });
});

test('two boxes inside each other are pushed apart at the speed of one contact', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const ids = [0, 0.3].map((x) => world.createBody({ shape, position: [x, 0, 0] }));
  const at = () => world.getPosition(ids[1]!, [0, 0, 0])[0]! - world.getPosition(ids[0]!, [0, 0, 0])[0]!;
  world.step();
  expect((at() - 0.3) * 60).toBeCloseTo(3, 0);
  for (let i = 0; i < 120; i++) world.step();
  expect(at()).toBeGreaterThan(0.99);
});
