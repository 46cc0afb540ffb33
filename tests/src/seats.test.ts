// More worlds than memories: those that move out and in again are as if they had one of their own; a thousand in a page of Chromium.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { createWorld, type World } from '../../src/index';
import { createWorld as createStudy } from '../../src/study/index';
import { setMostSeats } from '../../src/wasm/seats';
import { withPackagePage } from '../helpers/chromium';
import { seeded } from '../helpers/random';
import { sceneWorld } from '../helpers/scene_world';

/** A box on a floor and one above it, pushed by a number of its own. */
async function small(push: number, options = {}): Promise<World> {
  const world = await createWorld(options);
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: box, position: [0, -0.5, 0] });
  world.createBody({ shape: box, position: [0, 0.6, 0] });
  world.createBody({ shape: box, position: [0.1, 1.9, 0], linearVelocity: [0, 0, push] });
  return world;
}

describe('two seats', () => {
  let before: number;
  beforeEach(() => {
    before = setMostSeats(2);
  });
  afterEach(() => {
    setMostSeats(before);
  });

  test('many worlds in any order: each as if it were alone', async () => {
    const worlds = await Promise.all(Array.from({ length: 9 }, (_, i) => small(i / 10)));
    const hashes: number[][] = worlds.map(() => []);
    const random = seeded(3);
    while (hashes.some((list) => list.length < 60)) {
      const i = Math.floor(random() * worlds.length);
      worlds[i]!.step();
      hashes[i]!.push(worlds[i]!.hash());
    }
    setMostSeats(Infinity);
    for (const [i, list] of hashes.entries()) {
      const alone = await small(i / 10);
      for (const hash of list.slice(0, 60)) {
        alone.step();
        expect(alone.hash()).toBe(hash);
      }
    }
    expect(new Set(hashes.map((list) => list[59])).size).toBe(9);
  });

  test('a world that is out answers every call: ids, views, events, clones, snapshots', async () => {
    const worlds: World[] = [];
    for (let i = 0; i < 24; i++) worlds.push(await small(0)); // worlds of the test before have seats, too
    const [one] = worlds;
    const id = one!.bodyAt(1)!;
    const { positions } = one!;
    for (const world of worlds) for (let k = 0; k < 40; k++) world.step();
    // Of `one` nothing is in a memory now: what was held of it is empty, not another world's.
    expect(positions.length).toBe(0);
    expect(one!.isAlive(id)).toBe(true);
    expect(one!.positions.length).toBe(12);
    expect(one!.castRay([0, 9, 0], [0, -1, 0])?.body).toBe(one!.bodyAt(2));
    for (const world of worlds) expect(world.hash()).toBe(one!.hash());
    const twin = await one!.clone();
    for (const world of worlds) world.step();
    twin.step();
    expect(twin.hash()).toBe(worlds[4]!.hash());
    worlds[3]!.restore(worlds[2]!.snapshot());
    worlds[5]!.wake(worlds[5]!.bodyAt(2)!);
    worlds[0]!.removeBody(id);
    worlds[1]!.step();
    worlds[2]!.step();
    worlds[0]!.step();
    expect([...worlds[0]!.events].map((event) => event.kind)).toContain('end');
  });

  test('worlds grow in borrowed seats, dispose of theirs, and both entries share them', async () => {
    const scene = buildScene('mixed', { seed: 1, count: 50 });
    const [a, b, c] = [await sceneWorld(scene), await createStudy({ solver: 'pgs' }), await sceneWorld(scene)];
    const shape = b.createShape({ type: 'sphere', radius: 1 });
    b.createBody({ shape });
    for (let i = 0; i < 40; i++) for (const world of [a, b, c]) world.step();
    expect(a.hash()).toBe(c.hash());
    expect(b.stepCount).toBe(40);
    b.createBodies({ count: 3000, shape, positions: new Float32Array(9000).map((_, i) => 3 * i) });
    a.step();
    c.step();
    b.step();
    expect([b.bodyCount, a.bodyCount]).toEqual([3001, c.bodyCount]);
    a.dispose();
    const d = await small(0);
    d.step();
    expect(() => a.step()).toThrow(expect.objectContaining({ code: 'disposed' }));
    expect(b.bodyCount).toBe(3001);
    expect(c.stepCount).toBe(41);
  });
});

test('a thousand live worlds in one page', async () => {
  await withPackagePage(async (page) => {
    const seen = await page.evaluate(async () => {
      const make = (globalThis as unknown as { createWorld: typeof createWorld }).createWorld;
      const worlds = await Promise.all(
        Array.from({ length: 1000 }, async () => {
          const world = await make();
          const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
          world.createBody({ type: 'static', shape: box, position: [0, -0.5, 0] });
          for (let k = 0; k < 4; k++) world.createBody({ shape: box, position: [0.05 * k, 0.6 + 1.1 * k, 0] });
          return world;
        }),
      );
      const start = performance.now();
      for (let i = 0; i < 10; i++) for (const world of worlds) world.step();
      const ms = (performance.now() - start) / 10_000;
      // There is room for others.
      const other = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
      return {
        hashes: new Set(worlds.map((world) => world.hash())).size,
        count: worlds.length,
        ms,
        other: other.buffer.byteLength,
      };
    });
    expect(seen).toMatchObject({ hashes: 1, count: 1000, other: 65536 });
    console.log(`1,000 worlds: ${(seen.ms * 1000).toFixed(0)} us a step and move`);
  });
});
