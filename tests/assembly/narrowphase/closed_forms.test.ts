// Pairs and rays whose result has a closed form: balls deep in other shapes, cylinders that lie side by side, limits that are reached
// exactly, and what a ray reports.
import { beforeAll, describe, expect, test } from 'vitest';
import { Ray, RayHit, SHAPE_HEIGHTFIELD, SHAPE_MESH, SHAPE_PLANE, Shape } from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { convexHull } from '../../../src/shapes/hull';
import { cookMesh } from '../../../src/shapes/mesh';
import { coreOffsets } from '../../helpers/core_layout';
import {
  add,
  box,
  capsule,
  cone,
  cross,
  cylinder,
  Driver,
  dot,
  extentOf,
  hullOf,
  len,
  mul,
  type Pose,
  pointDistance,
  poseOf,
  random,
  randomDirection,
  randomRotation,
  rotate,
  type Solid,
  sphere,
  sub,
  unrotate,
  type Vec,
} from './round_oracle';

const f = Math.fround;
let driver: Driver;
beforeAll(() => {
  driver = new Driver();
});
const rnd = random(66);
const size = () => f(0.4 + 0.6 * rnd());
const cloud = (): Solid =>
  hullOf(
    convexHull(
      Array.from({ length: 14 }, () => randomDirection(rnd)).flatMap((d) => [f(0.9 * d[0]), f(0.6 * d[1]), f(0.7 * d[2])]),
    ),
  );

test.each<[string, () => Solid]>([
  ['box', () => box(size(), size(), size())],
  ['hull', cloud],
  ['cylinder', () => cylinder(size(), size())],
  ['cone', () => cone(size(), size())],
])('a ball deep in a %s leaves by the shortest way', (_name, make) => {
  let inside = 0;
  for (let i = 0; i < 120 && inside < 30; i++) {
    const b = make();
    const r = f(0.05 + 0.3 * rnd());
    const center = mul(randomDirection(rnd), 0.6 * rnd());
    const depth = pointDistance(b, center);
    if (depth > -0.02) continue;
    inside++;
    driver.setShape(0, sphere(r));
    driver.setShape(1, b);
    const { c } = poseOf(...randomRotation(rnd), [0, 0, 0]);
    const pose = driver.setPose({ c, t: mul(rotate({ c, t: [0, 0, 0] }, center), -1) });
    driver.setCache(0);
    const result = driver.run('collide', 0.01);
    const scale = extentOf(b) + r;
    expect([result.manifolds, result.count]).toEqual([1, 1]);
    const { p, s } = result.points[0]!;
    expect(Math.abs(s - (depth - r)), `${i}`).toBeLessThan(3e-6 * scale);
    expect(len(sub(p, mul(result.n, r)))).toBeLessThan(3e-6 * scale);
    // The center comes to the surface against the normal.
    const out = unrotate(pose, sub(mul(result.n, depth), pose.t));
    expect(Math.abs(pointDistance(b, out))).toBeLessThan(5e-6 * scale);
  }
  expect(inside).toBeGreaterThan(15);
});

test.each([
  ['cylinders', cylinder],
  ['capsules', capsule],
])('%s side by side touch at the ends of what they share', (_name, make) => {
  for (const [h, other, y] of [
    [1, 0.7, 0.6],
    [0.5, 1.2, -0.9],
    [1, 0.3, 0.2],
    [0.4, 1.5, 0.3],
  ] as const) {
    for (const flip of [1, -1]) {
      driver.setShape(0, make(0.5, f(h)));
      driver.setShape(1, make(0.25, f(other)));
      driver.setPose({
        c: [
          [flip, 0, 0],
          [0, flip, 0],
          [0, 0, 1],
        ],
        t: [0.45, f(y), 0.6],
      });
      driver.setCache(0);
      const { count, points, n } = driver.run('collide', 0.05);
      expect(count).toBe(2);
      expect(Math.abs(dot(n, [0.6, 0, 0.8]) - 1)).toBeLessThan(1e-6);
      const heights = points.map(({ p }) => p[1]).sort((a, b) => a - b);
      expect(heights[0]).toBeCloseTo(Math.max(-h, y - other), 5);
      expect(heights[1]).toBeCloseTo(Math.min(h, y + other), 5);
      for (const { p, s } of points) {
        expect(s).toBeCloseTo(0, 5);
        expect(Math.hypot(p[0] - 0.3, p[2] - 0.4)).toBeLessThan(1e-5);
      }
    }
  }
});

describe('limits that are reached exactly', () => {
  const identity = (t: Vec): Pose => poseOf(0, 0, 0, 1, t);
  test('two balls just within the margin touch, those beyond have that gap', () => {
    driver.setShape(0, sphere(1));
    driver.setShape(1, sphere(0.5));
    driver.setPose(identity([0, 1.75, 0]));
    driver.setCache(0);
    const within = driver.run('collide', 0.25);
    expect([within.manifolds, within.points[0]!.s, within.n[1]]).toEqual([1, 0.25, 1]);
    const beyond = driver.run('collide', 0.125);
    expect([beyond.manifolds, beyond.gap]).toEqual([0, 0.25]);
  });

  test('a ball in the middle of a box leaves as a short capsule does there', () => {
    for (const [k, h] of [
      [0.5, 1, 2],
      [1, 0.5, 2],
      [2, 1, 0.5],
    ].entries()) {
      driver.setShape(1, box(h[0]!, h[1]!, h[2]!));
      driver.setPose(identity([0, 0, 0]));
      driver.setShape(0, sphere(0.25));
      driver.setCache(0);
      const ball = driver.run('collide', 0.01);
      driver.setShape(0, capsule(0.25, 2 ** -10));
      driver.setCache(0);
      const short = driver.run('collide', 0.01);
      expect(ball.n).toEqual(short.n);
      expect(Math.abs(ball.n[k]!)).toBe(1);
      expect(ball.points[0]!.s).toBe(-0.75);
    }
  });

  test('two capsules without length touch in one point, as balls do', () => {
    driver.setShape(0, capsule(1, 0));
    driver.setShape(1, capsule(0.5, 0));
    driver.setPose(identity([1.25, 0, 0.5]));
    driver.setCache(0);
    const r = driver.run('collide', 0.1);
    expect([r.manifolds, r.count]).toEqual([1, 1]);
    expect(r.points[0]!.s).toBeCloseTo(Math.hypot(1.25, 0.5) - 1.5, 6);
  });
});

describe('a cast', () => {
  const cast = (d: Vec, most: number, leaving: number): number =>
    driver.core.testCast(driver.shapeA, driver.shapeB, driver.rel, driver.out, driver.cache, ...d, most, leaving) as number;

  test.each([0.005, 0.3, 40])(
    'of boxes of size %d along each other meets nothing where they touch, and is met where they overlap',
    (unit) => {
      driver.setShape(0, box(unit, f(0.7 * unit), f(1.3 * unit)));
      driver.setShape(1, box(f(2 * unit), f(0.5 * unit), f(1.5 * unit)));
      const extent = unit * Math.hypot(1, 0.7, 1.3);
      const at = (gap: number) => driver.setPose(poseOf(0, 0, 0, 1, [0.1 * unit, -1.2 * unit - gap, 0.2 * unit]));
      // B moves. By rounding they overlap a little.
      at(-6e-6 * extent);
      expect(cast([unit, 0, 0], 1, 0)).toBe(-1);
      expect(cast([0, -unit, 0], 1, 0)).toBe(-1);
      expect(cast([0, unit, 0], 1, 0)).toBe(0);
      at(-0.01 * extent);
      expect(cast([unit, 0, 0], 1, 0)).toBe(0);
      expect(cast([unit, 0, 0], 1, 1)).toBe(-1);
    },
  );

  test('ends where shapes meet', () => {
    driver.setShape(0, box(0.5, 0.7, 0.6));
    driver.setShape(1, cylinder(0.4, 0.3));
    driver.setPose(poseOf(0, 0, 0, 1, [0.1, -1.5, 0.2]));
    expect(cast([0.1, 2, -0.2], 1, 0)).toBeCloseTo(0.25, 4);
    expect(cast([0.1, 2, -0.2], 0.24, 0)).toBe(-1);
    expect(cast([0, -2, 0], 1, 0)).toBe(-1);
  });
});

describe('a ray', () => {
  const SURFACE = coreOffsets('Surface');
  let ray: number;
  let hit: number;
  beforeAll(() => {
    ray = driver.core.allocate(Ray.STRIDE + 64);
    hit = driver.core.allocate(RayHit.STRIDE + 64);
  });
  const floats = (at: number, count: number) => new Float32Array(driver.memory.buffer, at, count);
  const words = (at: number, count = 1) => new Uint32Array(driver.memory.buffer, at, count);
  const setRay = (o: Vec, d: Vec, maxT: number) => {
    floats(ray + Ray.x, 3).set(o);
    floats(ray + Ray.dx, 3).set(d);
    floats(ray + Ray.maxT, 1)[0] = maxT;
    floats(hit, 8).fill(Number.NaN);
  };
  const written = (): { t: number; n: Vec; triangle: number } => ({
    t: floats(hit + RayHit.t, 1)[0]!,
    n: [...floats(hit + RayHit.nx, 3)] as unknown as Vec,
    triangle: words(hit + RayHit.STRIDE)[0]!,
  });

  test('reaches a plane at its very end, and writes what it returns', () => {
    words(driver.shapeB + Shape.type)[0] = SHAPE_PLANE;
    floats(driver.shapeB + Shape.p0, 3).set([0, 1, 0]);
    floats(driver.shapeB + Shape.minX, 3).set([3, 0.5, -2]);
    setRay([1, 2.5, 4], [0.5, -1, 0.25], 2);
    expect(driver.core.rayPlane(driver.shapeB, ray, hit, 0)).toBe(2);
    expect(written().t).toBe(2);
    expect(written().n).toEqual([0, 1, 0]);
    setRay([1, 2.5, 4], [0.5, -1, 0.25], 1.999);
    expect(driver.core.rayPlane(driver.shapeB, ray, hit, 0)).toBe(-1);
    expect(written().t).toBeNaN();
  });

  test('hits each shape from outside where it comes to its surface, with the normal there', () => {
    for (const s of [sphere(0.6), capsule(0.3, 0.5), box(0.5, 0.3, 0.7), cloud(), cylinder(0.4, 0.5), cone(0.5, 0.6)]) {
      driver.setShape(0, s);
      for (let i = 0; i < 25; i++) {
        const o = mul(randomDirection(rnd), 2 + rnd()).map(f) as unknown as Vec;
        const d = mul(sub(mul(randomDirection(rnd), 0.15), o), 0.7).map(f) as unknown as Vec;
        setRay(o, d, 5);
        const t = driver.core.rayShape(driver.shapeA, ray, hit) as number;
        const { t: stored, n } = written();
        expect(stored).toBe(t);
        expect(Math.abs(len(n) - 1)).toBeLessThan(1e-5);
        expect(dot(n, d)).toBeLessThan(0);
        expect(Math.abs(pointDistance(s, add(o, mul(d, t))))).toBeLessThan(1e-5);
        const before = Array.from({ length: 20 }, (_, k) => pointDistance(s, add(o, mul(d, (t * k) / 20.5))));
        expect(Math.min(...before)).toBeGreaterThan(0);
        // A little out along the normal is as far away.
        expect(Math.abs(pointDistance(s, add(add(o, mul(d, t)), mul(n, 0.01))) - 0.01)).toBeLessThan(2e-5);
      }
    }
  });

  test('onto the tip of a cone finds it, with the normal along the axis', () => {
    driver.setShape(0, cone(0.5, 0.75));
    setRay([0, 2, 0], [0, -0.5, 0], 5);
    expect(driver.core.rayShape(driver.shapeA, ray, hit)).toBe(2.5);
    expect(written().n).toEqual([0, 1, 0]);
  });

  test('names the triangle of a mesh and of a heightfield that it hits', () => {
    const [nx, nz] = [6, 5];
    const heights = Array.from({ length: nx * nz }, () => f(0.3 * rnd()));
    const positions = heights.flatMap((y, i) => [i % nx, y, Math.floor(i / nx)]);
    const corners = heights.map((_, i) => i).filter((i) => i % nx < nx - 1 && i < nx * (nz - 1));
    const indices = corners.flatMap((i) => [i, i + nx, i + nx + 1, i, i + nx + 1, i + 1]);
    const surface = driver.core.testSurfaceState() >>> 0;
    driver.setPose(poseOf(0, 0, 0, 1, [0, 0, 0]));
    for (const type of [SHAPE_MESH, SHAPE_HEIGHTFIELD]) {
      const isMesh = type === SHAPE_MESH;
      if (isMesh) driver.setSurface(type, cookMesh(positions, indices));
      else driver.setSurface(type, cookHeightfield(heights, { nx, nz, spacing: 1 }));
      for (let i = 0; i < 60; i++) {
        const [x, z] = [f((nx - 1) * (0.01 + 0.98 * rnd())), f((nz - 1) * (0.01 + 0.98 * rnd()))];
        setRay([x, 3, z], [0, -1, 0], 10);
        const cast = isMesh ? driver.core.rayMesh : driver.core.rayHeightfield;
        const t = cast(driver.shapeB, ray, hit, hit + RayHit.STRIDE, 0) as number;
        const { triangle, t: stored, n } = written();
        expect(stored).toBe(t);
        words(surface + SURFACE.rel!)[0] = driver.rel;
        words(surface + SURFACE.blob!)[0] = words(driver.shapeB + Shape.dataPtr)[0]!;
        words(surface + SURFACE.typeB!)[0] = type;
        floats(surface + SURFACE.center!, 8).fill(0);
        expect(driver.core.testLoadTriangle(triangle)).toBe(1);
        const [a, b, c] = [0, 1, 2].map((k) => [...floats(surface + SURFACE[`v${k}`]!, 3)] as unknown as Vec) as [Vec, Vec, Vec];
        const normal = cross(sub(b, a), sub(c, a));
        const p: Vec = [x, 3 - t, z];
        expect(Math.abs(dot(sub(p, a), normal))).toBeLessThan(1e-5);
        for (const [u, v] of [
          [a, b],
          [b, c],
          [c, a],
        ] as const) {
          expect(dot(cross(normal, sub(v, u)), sub(p, u))).toBeGreaterThan(-1e-4);
        }
        expect(len(sub(n, mul(normal, 1 / len(normal))))).toBeLessThan(1e-5);
      }
    }
  });
});
