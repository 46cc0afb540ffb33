// A step on WASM allocates no JavaScript objects: only the numbers of the clock, which V8 boxes.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createWorld } from '../../src/index';

/** Bytes that a call of `work` leaves on the heap, once it is compiled. */
function bytesPerCall(work: () => void, collect: () => void): number {
  const calls = 5000;
  for (let i = 0; i < 4 * calls; i++) work();
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < calls; i++) work();
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / calls);
  }
  return least;
}

test('a step leaves a few boxed numbers behind, and so does reading its results', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const world = await createWorld();
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const floor = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = Float32Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? 0.6 + i / 3 : (i % 5) / 4));
  const ids = world.createBodies({ count: 20, shape: cube, positions });
  const out = new Float32Array(4);
  const step = bytesPerCall(() => world.step(), collect);
  // Six readings of the clock and what else the compiler boxes, 16 bytes each. A view of memory or a closure would be seen.
  expect(step).toBeLessThan(10 * 16);
  let sum = 0;
  const read = bytesPerCall(() => {
    sum += world.positions[4]! + world.rotations[4]! + world.velocities[16]!;
    for (let k = 0; k < ids.length; k++) sum += world.getPosition(ids[k]!, out)[1]!;
    for (let k = 0; k < world.events.count; k++) sum += world.events.point(k, out)[0]!;
  }, collect);
  expect(Number.isFinite(sum)).toBe(true);
  expect(read / ids.length).toBeLessThan(2 * 16);
});
