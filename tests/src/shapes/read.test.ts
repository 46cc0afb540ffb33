// What a shape was made from is read back, and makes the same shape again.
import { expect, test } from 'vitest';
import { createWorld, type ShapeDesc, TalusError } from '../../../src/index';

const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z])));
const SHAPES: ShapeDesc[] = [
  { type: 'sphere', radius: 0.5 },
  { type: 'box', halfExtents: [1, 2, 3] },
  { type: 'capsule', radius: 0.25, halfHeight: 1 },
  { type: 'cylinder', radius: 0.5, halfHeight: 2 },
  { type: 'cone', radius: 0.5, halfHeight: 0.75 },
  { type: 'hull', points: cube },
  { type: 'mesh', positions: [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0.5, 1], indices: [0, 1, 2, 2, 1, 3] },
  { type: 'heightfield', heights: [0, 1, 2, Number.NaN, 0.5, 0.25], nx: 2, nz: 3, spacing: [1, 2], origin: [-3, 0, 5] },
  { type: 'plane' },
  { type: 'plane', normal: [0, 0, -4], offset: -2.5 },
];

test.each(SHAPES)('$type', async (desc) => {
  const world = await createWorld();
  const read = world.getShape(world.createShape(desc));
  expect(read.type).toBe(desc.type);
  const again = world.getShape(world.createShape(read));
  expect(again).toEqual(read);
  for (const [key, value] of Object.entries(desc)) {
    const got = read[key as keyof typeof read] as unknown;
    const plain = (x: unknown) => (ArrayBuffer.isView(x) ? Array.from(x as Float32Array) : x);
    if (key === 'normal') expect(got).toEqual([0, 0, -1]);
    else if (key === 'points') {
      const rows = (list: number[]) => Array.from({ length: 8 }, (_, i) => list.slice(3 * i, 3 * i + 3).join()).sort();
      expect(rows(plain(got) as number[])).toEqual(rows(plain(value) as number[]));
    } else expect(plain(got)).toEqual(plain(value));
  }
  if (desc.type === 'plane' && desc.normal === undefined) expect(read).toEqual({ type: 'plane', normal: [0, 1, 0], offset: 0 });
});

test('welded vertices are one, and triangles keep their order', async () => {
  const world = await createWorld();
  // Two triangles a strip, each with corners of its own.
  const positions: number[] = [];
  for (let i = 0; i < 20; i++) positions.push(i, 0, 0, i, 0, 1, i + 1, 0, 0, i + 1, 0, 0, i, 0, 1, i + 1, 0, 1);
  const indices = Array.from({ length: 120 }, (_, i) => i);
  const read = world.getShape(world.createShape({ type: 'mesh', positions, indices }));
  if (read.type !== 'mesh') throw new Error(read.type);
  for (let i = 0; i < 120; i++) {
    const v = 3 * read.indices[i]!;
    expect(Array.from(read.positions).slice(v, v + 3)).toEqual(positions.slice(3 * i, 3 * i + 3));
  }
});

test('a shape that was removed has none', async () => {
  const world = await createWorld();
  const id = world.createShape({ type: 'plane' });
  world.removeShape(id);
  expect(() => world.getShape(id)).toThrow(TalusError);
});
