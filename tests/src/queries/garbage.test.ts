// Queries into the caller's objects leave no garbage. In a file of its own: how V8 keeps the numbers of a hit follows from all hits that
// a process has made.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { type ColliderId, createQueryHit, type QueryHit } from '../../../src/index';
import { cloud } from './scene';

test('queries into the caller’s objects leave no garbage', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { world } = await cloud(31, 60, 5);
  world.step();
  const hit = createQueryHit();
  const hits: QueryHit[] = [];
  const ids: ColliderId[] = [];
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const options = { maxDistance: 20 };
  const filtered = { filter: (collider: ColliderId) => collider !== 5 };
  const o = [0, 0, 0];
  const d = [0.3, 1, 0.2];
  const work = () => {
    o[0] = (o[0]! + 0.37) % 4;
    world.castRay(o, d, options, hit);
    world.castRayAny(o, d, options);
    world.castRayAll(o, d, options, hits);
    world.castRay(o, d, filtered, hit);
    world.castShape(ball, o, null, d, undefined, hit);
    world.overlapShape(ball, o, null, {}, ids);
    world.closestPoint(o, options, hit);
    world.contactShape(ball, o, null, options, hits);
  };
  for (let i = 0; i < 4000; i++) work();
  // Ids are boxed numbers of 16 bytes in lists and hits; a hit, a vector or a view would be more for each of the eight calls.
  const most = 60 * 16;
  // What the engine itself allocates while it still compiles comes on top.
  let least = Infinity;
  for (let round = 0; round < 12 && least >= most; round++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1000; i++) work();
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 1000);
  }
  expect(least).toBeLessThan(most);
});
