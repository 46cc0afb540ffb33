// A collider that reaches far must not make the others of its body dear to sweep: a motion is bounded by the reach of the shape
// that is swept, not by that of the whole body.
import { expect, test } from 'vitest';
import { sweepRounds } from '../helpers/step_work';
import { createWorld } from '../helpers/worlds';

/** Rounds of advancement of 30 steps in which balls fly past a box that turns by 1.5 rad a step; `far`: its other colliders. */
async function roundsBeside(far: object[]): Promise<number> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const box = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
  const ball = world.createShape({ type: 'sphere', radius: 0.1 });
  const colliders = [
    { shape: box },
    ...far.map((one) => ({ shape: world.createShape({ type: 'box', halfExtents: [1, 1, 1] }), ...one })),
  ];
  world.createBody({ type: 'kinematic', colliders, angularVelocity: [0, 90, 0] });
  for (let k = 0; k < 24; k++) {
    const [s, c] = [Math.sin(k), Math.cos(k)];
    world.createBody({ shape: ball, position: [3 * c, 0.2 * (k % 3), 3 * s], linearVelocity: [-60 * c, 0, -60 * s] });
  }
  const before = sweepRounds(world);
  for (let i = 0; i < 30; i++) world.step();
  return (sweepRounds(world) - before) >>> 0;
}

test('a far collider of a body that spins does not make the sweeps of its near one longer', async () => {
  const alone = await roundsBeside([]);
  const beside = await roundsBeside([{ position: [0, 1e5, 0] }]);
  expect(alone).toBeGreaterThan(50);
  expect(beside).toBeLessThan(1.5 * alone);
});
