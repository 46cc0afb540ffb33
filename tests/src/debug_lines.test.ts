// The world as lines: every shape where it is, colors by what bodies do, contacts, joints and bounds; arrays that are used again.
import { beforeEach, expect, test } from 'vitest';
import { createWorld, type ShapeDesc, type World } from '../../src/index';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
const only = { shapes: false, contacts: false, joints: false };
const SHAPES: [ShapeDesc, number][] = [
  [{ type: 'box', halfExtents: [1, 2, 3] }, 12],
  [{ type: 'sphere', radius: 1.5 }, 72],
  [{ type: 'capsule', radius: 0.5, halfHeight: 1 }, 100],
  [{ type: 'cylinder', radius: 0.5, halfHeight: 1 }, 52],
  [{ type: 'cone', radius: 0.5, halfHeight: 1 }, 28],
  [{ type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] }, 6],
  [{ type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1], indices: [0, 2, 1, 0, 3, 2] }, 5],
  [{ type: 'heightfield', heights: [0, 1, 0, 1, 0, Number.NaN], nx: 3, nz: 2, spacing: 1 }, 5],
];

test.each(SHAPES)('outline %#', (desc, segments) => {
  const body = world.createBody({ type: 'static', shape: world.createShape(desc), position: [10, 20, 30] });
  world.setCollider(world.collidersOf(body)[0]!, { position: [1, 0, 0], rotation: [0, 1, 0, 1] });
  const { count, positions, colors } = world.readDebugLines({ contacts: false });
  expect(count).toBe(2 * segments);
  const bounds = world.readDebugLines({ ...only, bounds: true });
  expect(bounds.count).toBe(24);
  for (let k = 0; k < 3; k++) {
    const of = (array: Float32Array, n: number) => Array.from({ length: n }, (_, i) => array[3 * i + k]!);
    const [low, high] = [Math.min(...of(bounds.positions, 24)), Math.max(...of(bounds.positions, 24))];
    for (const x of of(positions, count)) {
      expect(x).toBeGreaterThan(low - 1e-3);
      expect(x).toBeLessThan(high + 1e-3);
    }
    for (const x of of(colors, count)) expect(x).toBeCloseTo(0.6, 6);
  }
});

test('of a plane that has no end a piece about its foot is drawn', () => {
  world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'plane', normal: [0, 2, 0], offset: 3 }),
    position: [0, 1, 0],
  });
  const { count, positions } = world.readDebugLines();
  expect(count).toBe(46);
  for (let i = 0; i < count - 1; i++) expect(positions[3 * i + 1]).toBeCloseTo(4, 5);
  expect(positions[3 * (count - 1) + 1]).toBeCloseTo(5, 5); // its normal
  expect(world.readDebugLines({ ...only, bounds: true }).count).toBe(0);
});

test('an outline turns and moves with its body, about an origin that is not the center of mass', () => {
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const body = world.createBody({
    colliders: [{ shape: box, position: [2, 0, 0] }],
    position: [1, 2, 3],
    rotation: [0, 0, 1, 1],
  });
  const { count, positions } = world.readDebugLines();
  const mean = [0, 1, 2].map(
    (k) => Array.from({ length: count }, (_, i) => positions[3 * i + k]!).reduce((a, b) => a + b) / count,
  );
  expect(mean[0]).toBeCloseTo(1, 5);
  expect(mean[1]).toBeCloseTo(4, 5);
  expect(mean[2]).toBeCloseTo(3, 5);
  world.removeBody(body);
  expect(world.readDebugLines().count).toBe(0);
});

test('colors tell what bodies do; callers may choose them', () => {
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const floor = world.createShape({ type: 'box', halfExtents: [9, 0.5, 9] });
  const colors = {
    awake: [0.1, 0, 0],
    asleep: [0.2, 0, 0],
    kinematic: [0.3, 0, 0],
    static: [0.4, 0, 0],
    sensor: [0.5, 0, 0],
    disabled: [0.6, 0, 0],
  } as const;
  world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
  const crate = world.createBody({ shape: box, position: [0, 0.5, 0] });
  world.createBody({ type: 'kinematic', shape: box, position: [5, 5, 0] });
  world.createBody({ type: 'static', shape: box, sensor: true, position: [-5, 5, 0] });
  world.createBody({ type: 'static', colliders: [{ shape: box, enabled: false }], position: [0, 9, 0] });
  const seen = () => {
    const lines = world.readDebugLines({ colors, contacts: false });
    return Array.from({ length: lines.count / 24 }, (_, i) => Math.round(10 * lines.colors[72 * i]!));
  };
  expect(seen()).toEqual([4, 1, 3, 5, 6]);
  world.step();
  world.sleep(crate);
  expect(seen()[1]).toBe(2);
});

test('contacts and joints, as their own calls have them', () => {
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const a = world.createBody({ type: 'static', shape: box });
  const b = world.createBody({ shape: box, position: [0, 1, 0] });
  world.createJoint({ type: 'hinge', bodyA: a, bodyB: b, anchor: [0, 0.5, 0], axis: [0, 0, 1], collide: true });
  for (let i = 0; i < 5; i++) world.step();
  const contacts = world.readContacts();
  expect(contacts.count).toBeGreaterThan(0);
  const lines = world.readDebugLines({ ...only, contacts: true, size: 0.5 });
  expect(lines.count).toBe(8 * contacts.count);
  // The last segment of each is the normal.
  for (let k = 0; k < 3; k++) {
    expect(lines.positions[18 + k]).toBeCloseTo(contacts.points[k]!, 5);
    expect(lines.positions[21 + k]! - lines.positions[18 + k]!).toBeCloseTo(0.5 * contacts.normals[k]!, 5);
  }
  const joints = world.readJointLines({ size: 0.5 });
  const drawn = world.readDebugLines({ ...only, joints: true, size: 0.5 });
  expect(drawn.count).toBe(joints.count);
  expect(drawn.positions.subarray(0, 3 * drawn.count)).toEqual(joints.positions);
});

test('outlines lie between the last two steps', () => {
  const ball = world.createShape({ type: 'sphere', radius: 1 });
  world.createBody({ shape: ball, linearVelocity: [6, 0, 0], gravityScale: 0 });
  world.advance(1 / 60);
  world.advance(1.5 / 60);
  const x = (alpha?: number) => Math.max(...world.readDebugLines(alpha === undefined ? {} : { alpha }).positions.subarray(0, 72));
  expect(x(1) - x()).toBeCloseTo(0.05, 4);
  expect(x() - x(0)).toBeCloseTo(0.05, 4);
});

test('arrays are used again as long as they have room; the world stays as it was', () => {
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ shape: box });
  const hash = world.hash();
  const first = world.readDebugLines();
  const { positions } = first;
  expect(world.readDebugLines({}, first)).toBe(first);
  expect(first.positions).toBe(positions);
  for (let i = 0; i < 9; i++) world.createBody({ shape: box, position: [3 * i, 9, 0] });
  world.readDebugLines({}, first);
  expect(first.positions).not.toBe(positions);
  expect(first.count).toBe(240);
  expect(first.positions.length % 6).toBe(0);
  expect(hash).not.toBe(world.hash());
});

test('refusals', () => {
  const call = (options: unknown, out?: unknown) => () => world.readDebugLines(options as never, out as never);
  expect(call({ shape: true })).toThrow(/no 'shape'/);
  expect(call({ shapes: 1 })).toThrow(/options.shapes/);
  expect(call({ size: -1 })).toThrow(/options.size/);
  expect(call({ alpha: 2 })).toThrow(/options.alpha/);
  expect(call({ colors: { awake: 'red' } })).toThrow(/colors.awake/);
  expect(call({ colors: { red: [1, 0, 0] } })).toThrow(/no 'red'/);
  expect(call({}, [])).toThrow(/out.positions/);
  expect(call({}, Object.freeze({ count: 0, positions: new Float32Array(0), colors: new Float32Array(0) }))).toThrow(/written/);
});

test('colors that are none are refused', async () => {
  const world = await createWorld();
  for (const awake of [[1n, 0, 0], [Symbol('red'), 0, 0], ['1', 0, 0], [Number.NaN, 0, 0], [2, 0, 0], [1, 0], 'red', null]) {
    expect(() => world.readDebugLines({ colors: { awake: awake as never } })).toThrow(
      expect.objectContaining({ name: 'TalusError', code: 'invalid-argument' }),
    );
  }
});
