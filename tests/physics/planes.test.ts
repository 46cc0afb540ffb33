// Planes by closed forms: where every shape rests and slides, what rays, casts and nearest points say, and what a plane costs the trees.
import { describe, expect, test } from 'vitest';
import { type QueryHit, type ShapeDesc, TalusError } from '../../src/index';
import { DT, faultsOf, GRAVITY, length, NO_FAULTS, position, SOLVERS, speed, steps, type V3, velocity } from '../helpers/ground';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

type Quat = [number, number, number, number];
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z): V3 => [0.4 * x, 0.3 * y, 0.5 * z])));
const SHAPES: ShapeDesc[] = [
  { type: 'sphere', radius: 0.4 },
  { type: 'box', halfExtents: [0.4, 0.3, 0.5] },
  { type: 'capsule', radius: 0.2, halfHeight: 0.4 },
  { type: 'cylinder', radius: 0.4, halfHeight: 0.3 },
  { type: 'cone', radius: 0.4, halfHeight: 0.5 },
  { type: 'hull', points: CORNERS.flat() },
];
const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const unit = (v: readonly number[]) => v.map((x) => x / length(v)) as V3;

function turn([x, y, z, w]: Quat, v: readonly number[]): V3 {
  const c = [y * v[2]! - z * v[1]! + w * v[0]!, z * v[0]! - x * v[2]! + w * v[1]!, x * v[1]! - y * v[0]! + w * v[2]!];
  return [v[0]! + 2 * (y * c[2]! - z * c[1]!), v[1]! + 2 * (z * c[0]! - x * c[2]!), v[2]! + 2 * (x * c[1]! - y * c[0]!)];
}

/** How far a shape with rotation q reaches from its origin against the unit vector n. */
function reach(desc: ShapeDesc, q: Quat, n: readonly number[]): number {
  const d = turn([-q[0], -q[1], -q[2], q[3]], n).map((x) => -x);
  const across = Math.hypot(d[0]!, d[2]!);
  switch (desc.type) {
    case 'sphere':
      return desc.radius;
    case 'capsule':
      return desc.radius + Math.abs(d[1]!) * desc.halfHeight;
    case 'cylinder':
      return Math.abs(d[1]!) * desc.halfHeight + across * desc.radius;
    case 'cone':
      return Math.max(d[1]! * desc.halfHeight, -d[1]! * desc.halfHeight + across * desc.radius);
    default:
      return Math.max(...CORNERS.map((p) => dot(p, d)));
  }
}

function rotations(count: number): Quat[] {
  const random = seeded(3);
  return Array.from({ length: count }, () => unit4([random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]));
}
const unit4 = (q: number[]) => q.map((x) => Math.fround(x / Math.hypot(...q))) as Quat;
const NORMALS: V3[] = [
  [0, 1, 0],
  [0, -2, 0],
  [1, 0, 0],
  [1, 2, -3],
  [-0.2, 1, 0.1],
];

describe('queries', () => {
  test.each(NORMALS)('normal %d %d %d: distance, casts, overlap, contacts of every shape', async (...normal) => {
    const world = await createWorld();
    const n = unit(normal);
    const offset = 0.7;
    const plane = world.createShape({ type: 'plane', normal, offset });
    const origin: V3 = [2, -1, 3];
    const floor = world.createBody({ type: 'static', shape: plane, position: origin });
    const [collider] = world.collidersOf(floor);
    const depthOf = (p: readonly number[]) => dot(n, p) - dot(n, origin) - offset;
    const random = seeded(8);
    for (const desc of SHAPES) {
      const shape = world.createShape(desc);
      for (const q of rotations(8)) {
        const p = [4 * random() - 2, 4 * random() - 2, 4 * random() - 2];
        const gap = depthOf(p) - reach(desc, q, n);
        const near = world.closestToShape(shape, p, q, { maxDistance: 50 })!;
        expect(near.collider).toBe(collider);
        expect(near.distance).toBeCloseTo(gap, 4);
        for (let k = 0; k < 3; k++) expect(near.normal[k]).toBeCloseTo(n[k]!, 5);
        expect(depthOf(Array.from(near.point))).toBeCloseTo(0, 4);
        expect(world.overlapShapeAny(shape, p, q)).toBe(gap <= 0);
        const list: QueryHit[] = [];
        expect(world.contactShape(shape, p, q, { maxDistance: 50 }, list)).toBe(1);
        expect(list[0]!.distance).toBeCloseTo(gap, 4);
        const pair = world.contactPair(plane, origin, null, shape, p, q, { maxDistance: 50 })!;
        expect(pair.distance).toBeCloseTo(gap, 4);
        // A cast down, along the plane, and up.
        const way = [random() - 0.5, random() - 0.5, random() - 0.5].map((x, k) => 20 * x - 10 * n[k]!);
        const rate = -dot(n, way) / length(way);
        const cast = world.castShape(shape, p, q, way);
        if (gap < -1e-3) expect([cast!.distance, cast!.penetration]).toEqual([0, expect.closeTo(-gap, 3)]);
        else if (rate > 0 && gap / rate < length(way)) {
          expect(cast!.distance).toBeCloseTo(gap / rate, 3);
          expect(depthOf(Array.from(cast!.point))).toBeCloseTo(0, 3);
        } else expect(cast).toBe(null);
      }
    }
  });

  test.each(NORMALS)('normal %d %d %d: rays from both sides, solid and hollow; points', async (...normal) => {
    const world = await createWorld();
    const n = unit(normal);
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', normal }), position: [0, 0.5, 0] });
    const height = (p: readonly number[]) => dot(n, [p[0]!, p[1]! - 0.5, p[2]!]);
    const random = seeded(4);
    let [outside, inside] = [0, 0];
    for (let i = 0; i < 200; i++) {
      const o = [6 * random() - 3, 6 * random() - 3, 6 * random() - 3];
      const d = unit([random() - 0.5, random() - 0.5, random() - 0.5]);
      const h = height(o);
      const rate = -dot(n, d);
      const hit = world.castRay(o, d, { maxDistance: 100 });
      const hollow = world.castRay(o, d, { maxDistance: 100, solid: false });
      expect(world.closestPoint(o, { maxDistance: 10 })!.distance).toBeCloseTo(h, 4);
      const reached = h / rate > 0 && h / rate < 99;
      if (h < 0) {
        expect(hit!.distance).toBe(0);
        for (let k = 0; k < 3; k++) expect(hit!.normal[k]).toBeCloseTo(-d[k]!, 5);
        if (!reached) continue;
        inside++;
        expect(hollow!.distance).toBeCloseTo(h / rate, 2);
        for (let k = 0; k < 3; k++) expect(hollow!.normal[k]).toBeCloseTo(-n[k]!, 5);
      } else if (reached) {
        outside++;
        expect(Math.abs(hit!.distance / (h / rate) - 1)).toBeLessThan(1e-4);
        for (let k = 0; k < 3; k++) expect(hit!.normal[k]).toBeCloseTo(n[k]!, 5);
      } else if (rate < 0) expect(hit).toBe(null);
    }
    expect(Math.min(outside, inside)).toBeGreaterThan(20);
  });
});

describe('contacts', () => {
  for (const solver of SOLVERS) {
    test(`${solver}: every shape comes to rest at its height, on the ground and far from its origin`, async () => {
      const world = await createWorld({ solver });
      world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', offset: 0.5 }), position: [0, -0.5, 0] });
      const heights = [0.4, 0.3, 0.6, 0.3, 0.5, 0.3];
      const ids = SHAPES.flatMap((desc, i) =>
        [0, 5000].map((x) => world.createBody({ shape: world.createShape(desc), position: [x + 3 * i, heights[i]! + 0.05, x] })),
      );
      steps(world, 240);
      for (const [k, id] of ids.entries()) {
        expect(Math.abs(position(world, id)[1] - heights[k >> 1]!)).toBeLessThan(1e-3);
        expect(speed(world, id)).toBeLessThan(1e-4);
      }
      expect(faultsOf(world)).toEqual(NO_FAULTS);
    });
  }

  test('a ball that falls meets it when it should, and bounces by its restitution', async () => {
    const world = await createWorld({ sleep: false });
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }), restitution: 0.5 });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [0, 5.5, 0] });
    let least = Infinity;
    let rebound = 0;
    for (let i = 0; i < 120; i++) {
      world.step();
      least = Math.min(least, position(world, ball)[1]);
      rebound = Math.max(rebound, velocity(world, ball)[1]);
    }
    const impact = Math.sqrt(2 * GRAVITY * 5);
    expect(Math.abs(rebound / (0.5 * impact) - 1)).toBeLessThan(0.02);
    expect(least).toBeGreaterThan(0.499);
  });

  test('a box slides down a tilted plane as g (sin a - mu cos a), and stays below the angle of friction', async () => {
    const angle = Math.PI / 6;
    const world = await createWorld({ sleep: false });
    const normal = [-Math.sin(angle), Math.cos(angle), 0];
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', normal }), friction: 1 });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.25, 0.5] });
    const put = (z: number, friction: number) =>
      world.createBody({
        shape,
        friction: friction ** 2, // the geometric mean with 1
        position: [normal[0]! * 0.25, normal[1]! * 0.25, z],
        rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
      });
    const [slides, stays] = [put(0, 0.3), put(3, 0.7)];
    steps(world, 120);
    const a = GRAVITY * (Math.sin(angle) - 0.3 * Math.cos(angle));
    expect(Math.abs(speed(world, slides) / (a * 2) - 1)).toBeLessThan(2e-3);
    expect(speed(world, stays)).toBeLessThan(1e-3);
    expect(Math.abs(dot(normal, position(world, slides)) - 0.25)).toBeLessThan(1e-3);
  });

  test('thin plates, needles and what is put below the surface come up and rest', async () => {
    const world = await createWorld();
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }) });
    const plate = world.createShape({ type: 'box', halfExtents: [0.5, 0.004, 0.5] });
    const needle = world.createShape({ type: 'capsule', radius: 0.01, halfHeight: 0.3 });
    const ids = [
      world.createBody({ shape: plate, position: [0, 0.5, 0], rotation: [0.2, 0, 0.1, 1] }),
      world.createBody({ shape: needle, position: [2, 0.5, 0], rotation: [0.4, 0, 0.6, 1] }),
      world.createBody({ shape: plate, position: [4, -0.3, 0], rotation: [0.05, 0, 0.02, 1] }),
    ];
    steps(world, 400);
    for (const [k, half] of [0.004, 0.01, 0.004].entries()) {
      expect(Math.abs(position(world, ids[k]!)[1] - half)).toBeLessThan(1e-3);
      expect(speed(world, ids[k]!)).toBeLessThan(1e-3);
    }
  });

  test('at any speed nothing gets below: still, moving and turning planes', async () => {
    for (const [move, spin] of [
      [0, 0],
      [30, 0],
      [0, 2],
    ] as const) {
      const world = await createWorld({ gravity: [0, 0, 0] });
      const plane = world.createBody({
        type: move + spin > 0 ? 'kinematic' : 'static',
        shape: world.createShape({ type: 'plane' }),
        ...(move + spin > 0 ? { linearVelocity: [0, move, 0], angularVelocity: [0, 0, spin] } : {}),
      });
      const random = seeded(5);
      const ids = SHAPES.flatMap((desc) =>
        [10, 100, 500].map((v) =>
          world.createBody({
            shape: world.createShape(desc),
            position: [4 * random() - 2, 3 + random(), 4 * random() - 2],
            rotation: rotations(1)[0]!,
            linearVelocity: [0, -v, 0],
            angularVelocity: [20 * random(), 20 * random(), 20 * random()],
          }),
        ),
      );
      for (let i = 0; i < 30; i++) {
        world.step();
        const n = turn(world.getRotation(plane, [0, 0, 0, 1]) as Quat, [0, 1, 0]);
        const o = position(world, plane);
        for (const id of ids) expect(dot(n, position(world, id)) - dot(n, o)).toBeGreaterThan(-0.05);
      }
    }
  });
});

describe('a plane among others', () => {
  async function field(plane: 'none' | 'level' | 'tilted') {
    const world = await createWorld();
    const shape = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
    for (let i = 0; i < 20; i++) {
      for (let j = 0; j < 20; j++) world.createBody({ type: 'static', shape, position: [i, 0, j] });
    }
    for (let i = 0; i < 200; i++) world.createBody({ shape, position: [i % 20, 3 + (i % 7), (i * 7) % 20] });
    if (plane !== 'none') {
      const normal = plane === 'level' ? [0, 1, 0] : [0.01, 1, 0];
      world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', normal, offset: -40 }) });
    }
    return world;
  }

  test('what does not come near it moves as without it, bit for bit', async () => {
    const runs = await Promise.all((['none', 'level', 'tilted'] as const).map((plane) => field(plane)));
    for (const world of runs) steps(world, 90);
    const [none, ...others] = runs.map((world) => Array.from(world.positions.subarray(0, 4 * 600)));
    for (const positions of others) expect(positions).toEqual(none);
  });

  test('filters, sensors, events and one-way sides hold for planes', async () => {
    const world = await createWorld();
    const shape = world.createShape({ type: 'plane' });
    world.createBody({ type: 'static', shape, category: 2, mask: 2 });
    world.createBody({ type: 'static', shape, sensor: true, position: [0, 1, 0], category: 1 });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.2 }), position: [0, 2, 0] });
    const kinds: string[] = [];
    for (let i = 0; i < 60; i++) {
      world.step();
      for (const event of world.events) kinds.push(event.kind);
    }
    expect(position(world, ball)[1]).toBeLessThan(-1);
    expect(kinds).toEqual(['sensor-begin']);
  });

  test('is refused on bodies that move by forces, with wrong arguments, and as what asks', async () => {
    const world = await createWorld();
    const plane = world.createShape({ type: 'plane' });
    const refused = (call: () => unknown, code: string, text: RegExp) => {
      try {
        call();
      } catch (error) {
        expect(error).toBeInstanceOf(TalusError);
        expect((error as TalusError).code).toBe(code);
        expect((error as TalusError).message).toMatch(text);
        return;
      }
      throw new Error('accepted');
    };
    refused(() => world.createBody({ shape: plane }), 'unsupported', /plane .* kinematic or static/);
    refused(() => world.createShape({ type: 'plane', normal: [0, 0, 0] }), 'invalid-argument', /normal/);
    refused(() => world.createShape({ type: 'plane', offset: Number.NaN }), 'invalid-argument', /offset/);
    refused(() => world.createShape({ type: 'plane', normals: [0, 1, 0] } as never), 'invalid-argument', /normals/);
    refused(() => world.overlapShapeAny(plane, [0, 0, 0], null), 'unsupported', /plane/);
    const floor = world.createBody({ type: 'static', shape: plane });
    refused(() => world.setType(floor, 'dynamic'), 'unsupported', /plane/);
    expect(world.getType(floor)).toBe('static');
    steps(world, 2);
    expect(world.readBounds().length).toBe(6);
  });

  test('a plane that falls away lets go, one that comes up lifts', async () => {
    const world = await createWorld();
    const floor = world.createBody({ type: 'kinematic', shape: world.createShape({ type: 'plane' }) });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [0, 0.5, 0] });
    steps(world, 120);
    world.teleport(floor, [0, -2, 0]);
    steps(world, 30);
    expect(Math.abs(velocity(world, ball)[1] + GRAVITY * 30 * DT)).toBeLessThan(0.2);
    steps(world, 100);
    expect(Math.abs(position(world, ball)[1] + 1.5)).toBeLessThan(1e-3);
    world.setLinearVelocity(floor, [0, 1, 0]);
    steps(world, 60);
    expect(Math.abs(position(world, ball)[1] - (position(world, floor)[1] + 0.5))).toBeLessThan(1e-3);
  });
});
