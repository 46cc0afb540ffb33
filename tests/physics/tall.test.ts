// Tall towers that nothing but their contacts hold: a push at the top dies away instead of growing until they fall. Too few substeps
// make contacts so soft that a column buckles under its own weight, which takes half a minute to be seen.
import { expect, test } from 'vitest';
import { type BodyId, createWorld, type World } from '../../src/index';

/** Root mean square of the speeds across, m/s. */
function swaying(world: World, bodies: BodyId[]): number {
  const v = [0, 0, 0];
  let sum = 0;
  for (const id of bodies) {
    world.getLinearVelocity(id, v);
    sum += v[2]! ** 2;
  }
  return Math.sqrt(sum / bodies.length);
}

test.each([20, 40, 50, 60, 80])('a tower of %i cubes that never sleeps is pushed and stands still again', async (height) => {
  const world = await createWorld({ sleep: false });
  world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'box', halfExtents: [40, 0.5, 40] }),
    position: [0, -0.5, 0],
  });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const bodies = Array.from({ length: height }, (_, i) => world.createBody({ shape: cube, position: [0, 0.5 + i, 0] }));
  for (let i = 0; i < 60; i++) world.step();
  for (const [i, id] of bodies.entries()) world.setVelocity(id, [0, 0, 0.002 * ((i + 1) / height) ** 2]);
  const pushed = swaying(world, bodies);
  let late = 0;
  for (let i = 0; i < 1200; i++) {
    world.step();
    if (i >= 900) late = Math.max(late, swaying(world, bodies));
  }
  expect(late).toBeLessThan(0.7 * pushed);
  const top = world.getPosition(bodies.at(-1)!, [0, 0, 0]);
  expect(Math.abs(top[2]!)).toBeLessThan(0.02);
  world.dispose();
});
