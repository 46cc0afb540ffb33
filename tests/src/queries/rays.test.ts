// Ray casts against the world: known hits, and the same answer as asking every body by brute force.
import { expect, test } from 'vitest';
import { createWorld, TalusError, type World } from '../../../src/index';

const close = (actual: number, expected: number, tolerance = 1e-5) => expect(Math.abs(actual - expected)).toBeLessThan(tolerance);

test('a ray finds the nearest surface with point, normal and fraction', async () => {
  const world = await createWorld();
  const sphere = world.createShape({ type: 'sphere', radius: 1 });
  const near = world.createBody({ shape: sphere, position: [5, 0, 0] });
  const far = world.createBody({ shape: sphere, position: [10, 0, 0], category: 2 });
  for (const step of [false, true]) {
    if (step) {
      world.set({ gravity: [0, 0, 0] });
      world.step();
    }
    const hit = world.castRay([0, 0, 0], [3, 0, 0], { maxDistance: 20 })!;
    expect(hit.body).toBe(near);
    expect(hit.collider).toBe(world.collidersOf(near)[0]);
    close(hit.distance, 4);
    close(hit.fraction, 0.2);
    close(hit.point[0], 4);
    close(hit.normal[0], -1);
    expect(world.castRay([0, 0, 0], [1, 0, 0], { mask: 2 })!.body).toBe(far);
    expect(world.castRay([0, 0, 0], [1, 0, 0], { mask: 4 })).toBe(null);
    expect(world.castRay([0, 0, 0], [1, 0, 0], { maxDistance: 3.9 })).toBe(null);
    expect(world.castRay([0, 0, 0], [-1, 0, 0])).toBe(null);
    expect(world.castRay([0, 5, 0], [0, 1e-20, 0])).toBe(null);
    const inside = world.castRay([5, 0, 0], [0, 1, 0])!;
    expect(inside.distance).toBe(0);
    close(inside.normal[1], -1);
  }
});

test('colliders away from the centre of mass, meshes and heightfields', async () => {
  const world = await createWorld();
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const cone = world.createShape({ type: 'cone', radius: 1, halfHeight: 1 });
  const s = Math.SQRT1_2;
  world.createBody({
    position: [0, 10, 0],
    rotation: [0, 0, s, s],
    colliders: [
      { shape: cone, position: [0, 2, 0] },
      { shape: cube, position: [3, 0, 0] },
    ],
  });
  // The body is turned a quarter about z: its +x is world +y, its +y world -x.
  close(world.castRay([0, 20, 0], [0, -1, 0])!.distance, 20 - 13.5);
  close(world.castRay([-10, 10, 0], [1, 0, 0])!.distance, 7);
  const mesh = world.createShape({
    type: 'mesh',
    positions: [-5, 0, -5, -5, 0, 5, 5, 0, -5, 5, 0, 5],
    indices: [0, 1, 2, 2, 1, 3],
  });
  const ground = world.createBody({ type: 'static', shape: mesh, position: [0, 1, 0] });
  const hit = world.castRay([3, 5, 3], [0, -1, 0])!;
  expect(hit.body).toBe(ground);
  close(hit.distance, 4);
  expect(hit.feature).toBe(1);
  close(hit.normal[1], 1);
  const heights = Float32Array.from({ length: 9 }, () => 2);
  const field = world.createShape({ type: 'heightfield', heights, nx: 3, nz: 3, spacing: 10 });
  world.createBody({ type: 'static', shape: field, position: [20, 0, 0] });
  close(world.castRay([25, 5, 5], [0, -2, 0])!.distance, 3);
});

test('sensors are passed through', async () => {
  const world = await createWorld();
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: cube, sensor: true });
  expect(world.castRay([-5, 0, 0], [1, 0, 0])).toBe(null);
});

/** Nearest ball by the quadratic formula in double precision. */
function nearestBall(world: World, radius: number, o: number[], d: number[]): { distance: number; index: number } {
  let best = { distance: Infinity, index: -1 };
  for (let i = 0; i < world.slotCount; i++) {
    if (world.bodyAt(i) === null) continue;
    const p = world.positions.subarray(4 * i, 4 * i + 3);
    const m = [o[0]! - p[0]!, o[1]! - p[1]!, o[2]! - p[2]!];
    const b = m[0]! * d[0]! + m[1]! * d[1]! + m[2]! * d[2]!;
    const c = m[0]! ** 2 + m[1]! ** 2 + m[2]! ** 2 - radius * radius;
    if (c < 0) return { distance: 0, index: i };
    const disc = b * b - c;
    if (disc < 0) continue;
    const t = -b - Math.sqrt(disc);
    if (t >= 0 && t < best.distance) best = { distance: t, index: i };
  }
  return best;
}

test('rays through a moving cloud agree with brute force, before and after steps, removals and teleports', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const radius = 0.7;
  const shape = world.createShape({ type: 'sphere', radius });
  let state = 12345;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const count = 400;
  const positions = Float32Array.from({ length: 3 * count }, () => random() * 15);
  const linearVelocities = Float32Array.from({ length: 3 * count }, () => random() * 20);
  const ids = world.createBodies({ count, shape, positions, linearVelocities });
  let hits = 0;
  for (let round = 0; round < 6; round++) {
    for (let k = 0; k < 100; k++) {
      const o = [random() * 20, random() * 20, random() * 20].map(Math.fround);
      const d = o.map((x) => random() * 8 - x);
      const length = Math.hypot(...d);
      const unit = d.map((x) => x / length);
      const expected = nearestBall(world, radius, o, unit);
      const hit = world.castRay(o, d);
      if (expected.index < 0) {
        expect(hit).toBe(null);
        continue;
      }
      hits++;
      // A grazing ray may differ: by less than rounding allows at the distance.
      close(hit!.distance, expected.distance, 2e-3);
    }
    world.removeBody(ids[round]!);
    world.teleport(ids[50 + round]!, [random() * 15, random() * 15, random() * 15]);
    if (round === 2) ids.push(world.createBody({ shape, position: [16, 16, 16] }));
    world.step();
    world.teleport(ids[70 + round]!, [random() * 15, random() * 15, random() * 15]);
  }
  expect(hits).toBeGreaterThan(200);
});

test('queries do not change a simulation', async () => {
  const run = async (query: boolean) => {
    const world = await createWorld();
    const cube = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'box', halfExtents: [10, 1, 10] }),
      position: [0, -1, 0],
    });
    const positions = Float32Array.from({ length: 150 }, (_, i) => (i % 3 === 1 ? 1 + i / 40 : Math.sin(i * 5) * 1.5));
    world.createBodies({ count: 50, shape: cube, positions });
    for (let i = 0; i < 60; i++) {
      world.step();
      if (query) for (let k = 0; k < 5; k++) world.castRay([k - 2, 10, 0], [0, -1, 0.1]);
    }
    return world.positions.slice();
  };
  expect(await run(true)).toEqual(await run(false));
});

test('bad rays are refused', async () => {
  const world = await createWorld();
  expect(() => world.castRay([0, 0, 0], [0, 0, 0])).toThrow(/zero/);
  expect(() => world.castRay([0, Number.NaN, 0], [0, 1, 0])).toThrow(TalusError);
  expect(() => world.castRay([0, 0, 0], [0, 1, 0], { maxDistance: -1 })).toThrow(/maxDistance/);
  expect(() => world.castRay([0, 0, 0], [0, 1, 0], { mask: 1.5 })).toThrow(/mask/);
  expect(() => world.castRay([0, 0, 0], [0, 1, 0], { max: 4 } as object)).toThrow(/no 'max'/);
});
