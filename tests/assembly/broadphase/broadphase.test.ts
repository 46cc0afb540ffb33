// Trees against brute force over boxes, pairs against brute force over fat boxes, through motion and removal.
import { expect, test } from 'vitest';
import { Random } from '../../../scenes/random';
import { Aabb, BODY_STATIC, Header, NONE, PairCold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

function boxOf(world: BoxWorld, collider: number): number[] {
  return Array.from(new Float32Array(world.memory.buffer, world.u32(Header.aabbs) + collider * Aabb.STRIDE, 8));
}
function overlap(a: number[], b: number[]): boolean {
  return [0, 1, 2].every((k) => a[k] <= b[k + 4] && b[k] <= a[k + 4]);
}

/** Pairs in the store, as "a,b" with a < b. */
function storedPairs(world: BoxWorld): string[] {
  const count = world.u32(Header.pairCount);
  const pairs = new Uint32Array(world.memory.buffer, world.u32(Header.pairColds), (count * PairCold.STRIDE) / 4);
  const list: string[] = [];
  for (let i = 0; i < count; i++) {
    const [a, b] = [pairs[(i * PairCold.STRIDE) / 4], pairs[(i * PairCold.STRIDE) / 4 + 1]];
    expect(world.core.testFindPair(a, b)).toBe(i);
    list.push(a < b ? `${a},${b}` : `${b},${a}`);
  }
  expect(new Set(list).size).toBe(count);
  return list;
}

test('a tree query finds exactly the overlapping boxes', () => {
  const world = new BoxWorld();
  const random = new Random(7);
  for (let i = 0; i < 700; i++) {
    const position = [random.range(-20, 20), random.range(-3, 3), random.range(-20, 20)];
    const half = [random.range(0.05, 1.5), random.range(0.05, 1.5), random.range(0.05, 1.5)];
    world.box(position, half, { type: i % 3 === 0 ? BODY_STATIC : 2 });
  }
  world.core.stepBroadphase();
  for (let k = 0; k < 200; k++) {
    const lo = [random.range(-22, 20), random.range(-4, 3), random.range(-22, 20)];
    const hi = lo.map((x) => x + random.range(0, 6));
    for (const statics of [0, 1]) {
      const count = world.core.testQueryTree(statics, ...lo, ...hi);
      const found = Array.from(new Uint32Array(world.memory.buffer, world.core.hitsPtr() >>> 0, count)).sort((a, b) => a - b);
      const expected: number[] = [];
      for (let i = 0; i < 700; i++) {
        if ((i % 3 === 0) === (statics === 1) && overlap(boxOf(world, i), [...lo, 0, ...hi, 0])) expected.push(i);
      }
      expect(found).toEqual(expected);
    }
  }
});

test('pairs hold every overlap of moving boxes through motion, removal and reuse of slots', () => {
  const world = new BoxWorld();
  const random = new Random(11);
  const place = () => [random.range(-6, 6), random.range(-6, 6), random.range(-6, 6)];
  const size = () => [random.range(0.2, 0.8), random.range(0.2, 0.8), random.range(0.2, 0.8)];
  const alive = new Map<number, boolean>();
  const create = () => {
    const fixed = random.unit() < 0.3;
    alive.set(world.box(place(), size(), { type: fixed ? BODY_STATIC : 2 }), fixed);
  };
  for (let i = 0; i < 150; i++) create();
  world.setF32(Header.gravityY, 0);
  for (let step = 0; step < 60; step++) {
    for (const body of [...alive.keys()]) {
      if (random.unit() < 0.05) {
        world.core.removeBody(body);
        alive.delete(body);
      } else if (random.unit() < 0.05) {
        world.core.setPose(body, ...place(), 0, 0, 0, 1);
      } else if (!alive.get(body)) {
        world.core.setVelocity(body, random.range(-9, 9), random.range(-9, 9), random.range(-9, 9), 0, 0, 0);
      }
    }
    while (alive.size < 150) create();
    world.step();
    const stored = new Set(storedPairs(world));
    // Boxes are refreshed at the start of a step: every overlap of the boxes as they stand must be known.
    const bodies = [...alive.keys()];
    for (let i = 0; i < bodies.length; i++) {
      for (let j = 0; j < i; j++) {
        if (alive.get(bodies[i]) && alive.get(bodies[j])) continue;
        const key = bodies[i] < bodies[j] ? `${bodies[i]},${bodies[j]}` : `${bodies[j]},${bodies[i]}`;
        if (overlap(boxOf(world, bodies[i]), boxOf(world, bodies[j]))) expect(stored.has(key)).toBe(true);
      }
    }
  }
  for (const body of alive.keys()) world.core.removeBody(body);
  expect(world.u32(Header.pairCount)).toBe(0);
  expect(world.u32(Header.manifoldAlive)).toBe(0);
  expect(world.core.testFindPair(0, 1) >>> 0).toBe(NONE);
});

test('boxes at rest take no part in the broad phase', () => {
  const world = new BoxWorld();
  world.box([0, -0.5, 0], [20, 0.5, 20], { type: BODY_STATIC });
  for (let i = 0; i < 30; i++) world.box([(i % 6) * 2 - 5, 0.5, Math.floor(i / 6) * 2], [0.5, 0.5, 0.5]);
  world.step(120);
  expect(world.u32(Header.movedColliders)).toBe(0);
  expect(world.u32(Header.pairVisits)).toBe(0);
  expect(world.u32(Header.pairCount)).toBe(30);
});
