// Every query against slow, obvious code over all colliders: rays and balls by marching along exact distances, other shapes by the
// certificate of a separating plane.
import { expect, test } from 'vitest';
import { type ColliderId, createBatchHits, createQueryHit, type QueryHit, type ShapeDesc } from '../../../src/index';
import { add, back, dot, length, march, pointDistance, type Q, random, sub, turn, type V } from './oracle';
import { CONVEX, cloud, distanceTo, type Placed } from './scene';

const near = (a: number, b: number, tolerance: number, what = '') => {
  if (!(Math.abs(a - b) <= tolerance)) throw new Error(`${what}: ${a} is not ${b} within ${tolerance}`);
};
const v = (x: unknown) => x as V;

test('rays: nearest, any and all are those of marching along the distance to every collider', async () => {
  const { world, placed } = await cloud(1, 60, 4);
  const rng = random(11);
  const hit = createQueryHit();
  const all: QueryHit[] = [];
  let met = 0;
  for (const stepped of [false, true]) {
    if (stepped) world.step();
    for (let k = 0; k < 60; k++) {
      const o = rng.vector(6);
      const d = rng.direction();
      const expected = placed
        .map((thing) => ({
          thing,
          t: march((t) => Math.abs(distanceTo(thing, add(o, d, t))), 25, 1e-5),
          inside: distanceTo(thing, o) < 0,
        }))
        .map(({ thing, t, inside }) => ({ thing, t: inside ? 0 : t }))
        .filter(({ t }) => t < 25)
        .sort((a, b) => a.t - b.t);
      const count = world.castRayAll(o, d, { maxDistance: 25 }, all);
      const found = all.slice(0, count);
      for (let i = 1; i < count; i++) expect(found[i]!.distance).toBeGreaterThanOrEqual(found[i - 1]!.distance);
      expect(world.castRayAny(o, d, { maxDistance: 25 })).toBe(count > 0);
      const first = world.castRay(o, d, { maxDistance: 25 }, hit);
      expect(first === null).toBe(count === 0);
      if (first) {
        expect(first).toEqual(found[0]);
        near(length(sub(add(o, d, first.distance), v(first.point))), 0, 1e-4, 'point');
        expect(dot(v(first.normal), d)).toBeLessThanOrEqual(1e-6);
        near(length(v(first.normal)), 1, 1e-5, 'normal');
      }
      // A ray that grazes may be met by one of the two alone.
      for (const { thing, t } of expected) {
        const own = found.find((h) => h.collider === thing.collider);
        const graze = Math.abs(dot(d, own ? v(own.normal) : [0, 0, 0])) < 0.03;
        if (own && !graze) near(own.distance, t, 1e-3, `ray on ${thing.desc.type}`);
        if (!own) expect(distanceTo(thing, add(o, d, t + 2e-3))).toBeGreaterThan(-1e-4);
        met++;
      }
      for (const h of found) expect(expected.some(({ thing }) => thing.collider === h.collider)).toBe(true);
    }
  }
  expect(met).toBeGreaterThan(80);
});

test('balls that are cast meet what marching says, singly, all and in a batch', async () => {
  const { world, placed } = await cloud(2, 60, 4);
  world.step();
  const rng = random(12);
  const radius = 0.4;
  const ball = world.createShape({ type: 'sphere', radius });
  const all: QueryHit[] = [];
  const positions: number[] = [];
  const ways: number[] = [];
  const singles: (QueryHit | null)[] = [];
  let met = 0;
  for (let k = 0; k < 80; k++) {
    const o = rng.vector(6);
    const way = rng.direction().map((x) => x * 12) as V;
    const d = way.map((x) => x / 12) as V;
    positions.push(...o);
    ways.push(...way);
    const count = world.castShapeAll(ball, o, null, way, {}, all);
    const hit = world.castShape(ball, o, null, way);
    singles.push(hit);
    expect(hit).toEqual(count === 0 ? null : all[0]);
    expect(world.castShapeAny(ball, o, null, way)).toBe(count > 0);
    for (const thing of placed) {
      const start = distanceTo(thing, o) - radius;
      const t = march((s) => distanceTo(thing, add(o, d, s)) - radius, 12);
      const own = all.slice(0, count).find((h) => h.collider === thing.collider);
      if (start < -1e-3) {
        expect(own!.distance).toBe(0);
        near(own!.penetration, -start, 2e-3 + (start + radius < 0 ? 0.02 : 0), `depth in ${thing.desc.type}`);
        met++;
        continue;
      }
      if (!own) {
        if (t < 12) expect(distanceTo(thing, add(o, d, t + 0.01)) - radius).toBeGreaterThan(-1e-3);
        continue;
      }
      const p = add(o, d, own.distance);
      near(distanceTo(thing, p), radius, 2e-4, `ball on ${thing.desc.type}`);
      if (dot(v(own.normal), d) < -0.03) near(own.distance, t, 1e-3, `ball on ${thing.desc.type}`);
      near(length(sub(v(own.point), p)), radius, 2e-4, 'point');
      near(distanceTo(thing, v(own.point)), 0, 2e-4, 'point on the surface');
      met++;
    }
  }
  expect(met).toBeGreaterThan(70);
  const out = createBatchHits(80);
  const hits = world.castShapes(ball, positions, null, ways, {}, out);
  expect(hits).toBe(singles.filter((hit) => hit !== null).length);
  singles.forEach((hit, i) => {
    expect(out.colliders[i]).toBe(hit?.collider ?? 0);
    near(Math.min(out.distances[i]!, 1e9), hit?.distance ?? 1e9, 1e-5, 'batch');
    if (hit) near(length(sub([...out.normals.subarray(3 * i, 3 * i + 3)] as V, v(hit.normal))), 0, 3e-3, 'batch');
  });
});

test('closest points, contained points and balls that overlap', async () => {
  const { world, placed } = await cloud(3, 150, 5);
  world.step();
  const rng = random(13);
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const hits: QueryHit[] = [];
  const ids: ColliderId[] = [];
  let inside = 0;
  for (let k = 0; k < 150; k++) {
    const p = rng.vector(5.5);
    const expected = placed.map((thing) => ({ thing, d: distanceTo(thing, p) })).sort((a, b) => a.d - b.d);
    const least = expected[0]!;
    const hit = world.closestPoint(p)!;
    near(hit.distance, least.d, 5e-4, `distance to ${least.thing.desc.type}`);
    near(length(sub(v(hit.point), p)), Math.abs(least.d), 1e-3, 'way');
    const own = placed.find((thing) => thing.collider === hit.collider)!;
    near(distanceTo(own, v(hit.point)), 0, 5e-4, `on ${own.desc.type}`);
    if (Math.abs(hit.distance) > 1e-2) {
      const to = sub(p, v(hit.point)).map((x) => x / hit.distance) as V;
      near(dot(to, v(hit.normal)), 1, 1e-3, 'normal');
    }
    const within = expected.filter(({ d }) => d < 1.5).length;
    expect(world.closestPointAll(p, { maxDistance: 1.5 }, hits)).toBe(within);
    expect(world.closestPoint(p, { maxDistance: Math.max(0, least.d * 0.9 - 0.01) }) === null).toBe(least.d > 0);
    const containing = expected.filter(({ d }) => d < 0).map(({ thing }) => thing.collider);
    inside += containing.length;
    expect(ids.slice(0, world.overlapPoint(p, {}, ids)).sort()).toEqual(containing.sort());
    if (expected.some(({ d }) => Math.abs(d - 0.5) < 1e-4)) continue;
    const touching = expected.filter(({ d }) => d <= 0.5).map(({ thing }) => thing.collider);
    const count = world.overlapShape(ball, p, null, {}, ids);
    expect(ids.slice(0, count).sort()).toEqual(touching.sort());
    expect(world.overlapShapeAny(ball, p, null)).toBe(touching.length > 0);
    expect(world.contactShape(ball, p, null, {}, hits)).toBeGreaterThanOrEqual(touching.length > 0 ? 1 : 0);
  }
  expect(inside).toBeGreaterThan(10);
});

/** Farthest reach of a convex shape along n, shape frame. */
function reach(shape: ShapeDesc, n: V): number {
  const rho = Math.hypot(n[0], n[2]);
  switch (shape.type) {
    case 'sphere':
      return shape.radius * length(n);
    case 'box':
      return [0, 1, 2].reduce((sum, k) => sum + Math.abs(n[k]!) * (shape.halfExtents as ArrayLike<number>)[k]!, 0);
    case 'capsule':
      return Math.abs(n[1]) * shape.halfHeight + shape.radius * length(n);
    case 'cylinder':
      return Math.abs(n[1]) * shape.halfHeight + rho * shape.radius;
    case 'cone':
      return Math.max(n[1] * shape.halfHeight, rho * shape.radius - n[1] * shape.halfHeight);
    default: {
      const points = (shape as unknown as { points: Float32Array }).points;
      let most = -Infinity;
      for (let i = 0; i < points.length; i += 3) most = Math.max(most, dot([...points.subarray(i, i + 3)] as V, n));
      return most;
    }
  }
}
/** How far apart two shapes are along a direction: a lower bound of their distance whatever it is. */
const gapAlong = (a: ShapeDesc, pa: V, qa: Q, b: Placed, n: V) =>
  dot(n, sub(b.p, pa)) - reach(a, back(qa, n)) - reach(b.desc, back(b.q, n.map((x) => -x) as V));

test('any two convex shapes: a separating plane proves the distance, casts end where they touch', async () => {
  const { world, placed } = await cloud(4, 40, 4);
  world.step();
  const rng = random(14);
  let casts = 0;
  let deep = 0;
  for (const desc of CONVEX) {
    const shape = world.createShape(desc);
    for (let k = 0; k < 25; k++) {
      const p = rng.vector(5).map(Math.fround) as V;
      const q = rng.rotation();
      const convex = (hit: QueryHit | null) =>
        placed.find((thing) => thing.collider === hit?.collider && !('nx' in thing.desc) && thing.desc.type !== 'mesh');
      const hit = world.closestToShape(shape, p, q)!;
      const thing = convex(hit);
      if (thing) {
        const n = v(hit.normal).map((x) => -x) as V;
        near(gapAlong(desc, p, q, thing, n), hit.distance, 1e-3, `${desc.type} and ${thing.desc.type}`);
        if (hit.distance < -1e-2) {
          deep++;
          for (let i = 0; i < 200; i++) {
            expect(gapAlong(desc, p, q, thing, rng.direction())).toBeLessThan(hit.distance * 0.95 + 2e-3);
          }
        }
      }
      // A cast: free just before the end, touching just behind it.
      const way = rng.direction().map((x) => x * 8) as V;
      const cast = world.castShape(shape, p, q, way);
      const at = (t: number) => add(p, way, t / 8);
      if (!cast) {
        for (let i = 0; i <= 20; i++) expect(world.overlapShapeAny(shape, at((8 * i) / 20), q)).toBe(false);
        continue;
      }
      casts++;
      if (cast.penetration > 0) {
        expect(cast.distance).toBe(0);
        expect(world.overlapShapeAny(shape, p, q)).toBe(true);
        continue;
      }
      for (let i = 0; i < 20; i++) {
        const t = (cast.distance * i) / 20 - 1e-3;
        if (t > 0) expect(world.overlapShapeAny(shape, at(t), q)).toBe(false);
      }
      const touching = world.closestToShape(shape, at(cast.distance), q)!;
      near(touching.distance, 0, 1e-3, `${desc.type} at the end of a cast`);
      const other = convex(cast);
      if (other) {
        const n = v(cast.normal).map((x) => -x) as V;
        near(gapAlong(desc, at(cast.distance), q, other, n), 0, 2e-3, `plane of ${desc.type} on ${other.desc.type}`);
      }
    }
  }
  expect(casts).toBeGreaterThan(60);
  expect(deep).toBeGreaterThan(10);
});

test('contacts of two shapes at two poses, in either order, mesh and heightfield too', async () => {
  const { world, placed } = await cloud(5, 12, 4);
  const rng = random(15);
  const mesh = placed.find(({ desc }) => desc.type === 'mesh')!.desc;
  const shapes = [...CONVEX, mesh].map((desc) => ({ desc, id: world.createShape(desc) }));
  let met = 0;
  for (let k = 0; k < 300; k++) {
    const [a, b] = [shapes[Math.floor(rng.between(0, 7))]!, shapes[Math.floor(rng.between(0, 7))]!];
    const [pa, pb] = [rng.vector(0.8), rng.vector(0.8)];
    const [qa, qb] = [rng.rotation(), rng.rotation()];
    if (a.desc.type === 'mesh' && b.desc.type === 'mesh') {
      expect(() => world.contactPair(a.id, pa, qa, b.id, pb, qb)).toThrow(/convex/);
      continue;
    }
    const one = world.contactPair(a.id, pa, qa, b.id, pb, qb, { maxDistance: 0.3 });
    const two = world.contactPair(b.id, pb, qb, a.id, pa, qa, { maxDistance: 0.3 });
    expect(one === null).toBe(two === null);
    if (!one || !two) continue;
    met++;
    near(one.distance, two.distance, 1e-3 + 0.05 * Math.abs(one.distance), `${a.desc.type} ${b.desc.type}`);
    const gap = sub(one.pointB, one.pointA);
    near(dot(gap, one.normal), one.distance, 1e-4, 'way from A to B');
    near(length(one.normal), 1, 1e-4, 'normal');
    if (one.distance > 0.01) near(length(gap), one.distance, 1e-4, 'nearest points');
    if (b.desc.type !== 'mesh' && b.desc.type !== 'hull') {
      near(
        pointDistance(b.desc, back(qb, sub(one.pointB, pb))),
        0,
        3e-3 + 0.05 * Math.abs(Math.min(one.distance, 0)),
        `on ${b.desc.type}`,
      );
    }
    expect(one.points.length).toBeGreaterThanOrEqual(3 * one.count);
    // Triangles of a mesh are left by the side that the shape is on: deeper than the shortest way.
    if (a.desc.type === 'mesh' || b.desc.type === 'mesh') continue;
    for (let i = 0; i < one.count; i++) expect(one.separations[i]!).toBeGreaterThan(one.distance - 0.05);
  }
  expect(met).toBeGreaterThan(100);
});

test('boxes along the axes: those whose bounds touch', async () => {
  const { world, placed } = await cloud(6, 80, 6);
  world.step();
  const rng = random(16);
  const ids: ColliderId[] = [];
  for (let k = 0; k < 50; k++) {
    const low = rng.vector(6);
    const high = low.map((x) => x + rng.between(0, 4)) as V;
    const found = new Set(ids.slice(0, world.overlapBounds(low, high, {}, ids)));
    for (const thing of placed) {
      if (thing.desc.type === 'mesh' || thing.desc.type === 'heightfield') continue;
      const gaps = [0, 1, 2].map((axis) => {
        const n = [0, 0, 0].map((_, i) => (i === axis ? 1 : 0)) as V;
        const above = thing.p[axis]! + reach(thing.desc, back(thing.q, n));
        const below = thing.p[axis]! - reach(thing.desc, back(thing.q, n.map((x) => -x) as V));
        return Math.max(low[axis]! - above, below - high[axis]!);
      });
      const gap = Math.max(...gaps);
      if (Math.abs(gap) > 1e-4) expect(found.has(thing.collider)).toBe(gap < 0);
    }
  }
  expect(turn([0, 0, 0, 1], [1, 2, 3])).toEqual([1, 2, 3]);
});

test('a batch of rays gives what single rays give', async () => {
  const { world } = await cloud(7, 100, 8);
  world.step();
  const rng = random(17);
  const n = 2500; // more than two blocks
  const origins = Float32Array.from({ length: 3 * n }, () => rng.between(-9, 9));
  const directions = Float64Array.from({ length: 3 * n }, () => rng.between(-3, 3));
  const out = createBatchHits(n);
  const met = world.castRays(origins, directions, { maxDistance: 30 }, out);
  const only = { distances: new Float32Array(n) };
  expect(world.castRays([...origins], [...directions], { maxDistance: 30, any: true }, only)).toBe(met);
  let hits = 0;
  for (let i = 0; i < n; i++) {
    const hit = world.castRay(origins.subarray(3 * i, 3 * i + 3), directions.subarray(3 * i, 3 * i + 3), { maxDistance: 30 });
    expect(only.distances[i]! < Infinity).toBe(hit !== null);
    if (!hit) {
      expect([out.distances[i], out.colliders[i], out.bodies[i]]).toEqual([Infinity, 0, 0]);
      continue;
    }
    hits++;
    // Directions of a batch are rounded to single precision before they are made unit vectors.
    near(out.distances[i]!, hit.distance, 1e-3, 'distance');
    if (out.colliders[i] === hit.collider) {
      expect(out.bodies[i]).toBe(hit.body);
      near(length(sub([...out.points.subarray(3 * i, 3 * i + 3)] as V, hit.point)), 0, 2e-3, 'point');
    }
  }
  expect(met).toBe(hits);
});
