// Slots of shapes: what a new shape holds, and reuse of slots, generations and blobs against a list kept by the test.
import { expect, test } from 'vitest';
import { HEADER_PTR, Header, NONE, SHAPE_BOX, SHAPE_HULL, SHAPE_SPHERE, Shape } from '../../../src/layout.generated';
import { coreMemory } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';

const make = () => {
  const at = coreMemory();
  const header = (field: number) => new DataView(at.memory.buffer).getUint32(HEADER_PTR + field, true);
  const row = (shape: number) => new DataView(at.memory.buffer, header(Header.shapes) + shape * Shape.STRIDE, Shape.STRIDE);
  const word = (shape: number, field: number) => row(shape).getUint32(field, true);
  const float = (shape: number, field: number) => row(shape).getFloat32(field, true);
  return { ...at, header, word, float };
};

test('a shape keeps every number that it is made of', () => {
  const { core, word, float } = make();
  core.createShape(SHAPE_SPHERE, 1, 0, 0, 1, 0, 0, -1, -1, -1, 1, 1, 1);
  const data = core.allocate(96) >>> 0;
  const shape = core.createShape(SHAPE_HULL, 0.5, 0.25, 0.125, 9, data, 96, -1.5, -2.5, -3.5, 4.5, 5.5, 6.5) >>> 0;
  expect(shape).toBe(1);
  expect([Shape.type, Shape.users, Shape.dataPtr, Shape.dataBytes].map((k) => word(shape, k))).toEqual([SHAPE_HULL, 0, data, 96]);
  expect(word(shape, Shape.flags)).toBe(1);
  const floats = [Shape.p0, Shape.p1, Shape.p2, Shape.extent, Shape.minX, Shape.minY, Shape.minZ];
  expect(floats.map((k) => float(shape, k))).toEqual([0.5, 0.25, 0.125, 9, -1.5, -2.5, -3.5]);
  expect([Shape.maxX, Shape.maxY, Shape.maxZ].map((k) => float(shape, k))).toEqual([4.5, 5.5, 6.5]);
  expect(float(0, Shape.p0)).toBe(1);
});

test('free slots are taken again, the last one freed first, and each reuse is another generation', () => {
  const { core, header, word, float } = make();
  const random = seeded(41);
  const alive = new Map<number, number>();
  const free: number[] = [];
  const generations: number[] = [];
  for (let round = 0; round < 150; round++) {
    if (alive.size > 0 && random() < 0.45) {
      const shapes = [...alive.keys()];
      const shape = shapes[Math.floor(random() * shapes.length)]!;
      core.removeShape(shape);
      alive.delete(shape);
      free.push(shape);
      generations[shape]!++;
      expect(word(shape, Shape.flags)).toBe(0);
      expect(header(Header.shapeFree)).toBe(shape);
    } else {
      const size = 0.5 + round;
      const expected = free.pop() ?? generations.length;
      const shape = core.createShape(SHAPE_BOX, size, 1, 2, size + 3, 0, 0, -size, -1, -2, size, 1, 2) >>> 0;
      expect(shape).toBe(expected);
      if (shape === generations.length) generations.push(0);
      alive.set(shape, size);
    }
    expect(header(Header.shapeCount)).toBe(generations.length);
    const live = [...alive.keys()];
    expect(live.map((shape) => float(shape, Shape.p0))).toEqual([...alive.values()]);
    expect(live.every((shape) => word(shape, Shape.flags) === 1 && word(shape, Shape.users) === 0)).toBe(true);
    expect(generations.map((_, shape) => word(shape, Shape.generation))).toEqual(generations);
  }
  expect(Math.max(...generations)).toBeGreaterThan(3);
  // The list of free slots ends with the one that was freed first.
  let last = header(Header.shapeFree);
  for (const shape of [...free].reverse()) {
    expect(last).toBe(shape);
    last = word(shape, Shape.users);
  }
  expect(last).toBe(NONE);
});

test('a removed shape gives its blob back, so that another takes the place', () => {
  const { core } = make();
  const data = core.allocate(4096) >>> 0;
  const shape = core.createShape(SHAPE_HULL, 0, 0, 0, 1, data, 4096, 0, 0, 0, 1, 1, 1) >>> 0;
  core.removeShape(shape);
  expect(core.allocate(4096) >>> 0).toBe(data);
});

test('a collider counts as a user of its shape while it lives or until it takes another', () => {
  const { core, word } = make();
  const [a, b] = [1, 2].map((r) => core.createShape(SHAPE_SPHERE, r, 0, 0, r, 0, 0, -r, -r, -r, r, r, r) >>> 0) as [
    number,
    number,
  ];
  const body = core.createBody(2, 0, 0, 0, 0, 0, 0, 1) >>> 0;
  const collider = (shape: number) => core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, 0.5, 0, 0, 0, 1, 1, 0, 1) >>> 0;
  const users = () => [word(a, Shape.users), word(b, Shape.users)];
  const first = collider(a);
  collider(a);
  collider(b);
  expect(users()).toEqual([2, 1]);
  core.changeCollider(first, b, Number.NaN, 0, 0, 0, 0, 0, 1, 0);
  expect(users()).toEqual([1, 2]);
  core.removeCollider(first);
  expect(users()).toEqual([1, 1]);
  core.removeBody(body);
  expect(users()).toEqual([0, 0]);
});

test('room for shapes is made without a change of those there are', () => {
  const { core, header, float } = make();
  core.createShape(SHAPE_SPHERE, 0.75, 0, 0, 0.75, 0, 0, -1, -1, -1, 1, 1, 1);
  expect(core.reserveShapes(500)).toBe(1);
  expect(header(Header.shapeCount)).toBe(1);
  expect(float(0, Shape.p0)).toBe(0.75);
  const rows = header(Header.shapes);
  for (let i = 1; i < 500; i++) core.createShape(SHAPE_SPHERE, i, 0, 0, i, 0, 0, -i, -i, -i, i, i, i);
  expect(header(Header.shapes)).toBe(rows);
});
