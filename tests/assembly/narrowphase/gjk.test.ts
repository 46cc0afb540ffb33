// The generic convex test (GJK, SAT, EPA, manifolds from features) against double-precision references, for every pair of
// convex shapes: distance while apart, least overlap when deep, the manifold contract always; then touching, parallel,
// coinciding and extreme cases, and the caches.
import { beforeAll, describe, expect, test } from 'vitest';
import { convexHull } from '../../../src/shapes/hull';
import { isLong } from '../../helpers/long';
import {
  add,
  bestSeparation,
  box,
  capsule,
  cone,
  cylinder,
  Driver,
  distance,
  extentOf,
  hullOf,
  len,
  mul,
  type Pose,
  pointDistance,
  poseOf,
  type Result,
  random,
  randomDirection,
  randomRotation,
  type Solid,
  separationAlong,
  sphere,
  sub,
  unrotate,
  type Vec,
} from './round_oracle';

const f = Math.fround;
const generic = 'collideConvexConvex';
let driver: Driver;
beforeAll(() => {
  driver = new Driver();
});

const size = (r: () => number): number => f(0.2 + r());
const cloud = (r: () => number): Solid => {
  const p: number[] = [];
  const [x, y, z] = [size(r), size(r), size(r)];
  for (let i = 8 + Math.floor(16 * r()); i > 0; i--) {
    const u = randomDirection(r);
    p.push(f(u[0] * x), f(u[1] * y), f(u[2] * z));
  }
  return hullOf(convexHull(p));
};
const makers: [string, (r: () => number) => Solid][] = [
  ['sphere', (r) => sphere(size(r))],
  ['capsule', (r) => capsule(f(size(r) / 2), size(r))],
  ['box', (r) => box(size(r), size(r), size(r))],
  ['hull', cloud],
  ['cylinder', (r) => cylinder(size(r), size(r))],
  ['cone', (r) => cone(size(r), size(r))],
];
const pairs = makers.flatMap(([nameA, a], i) => makers.slice(i).map(([nameB, b]) => [nameA, nameB, a, b] as const));
/** A shape with a radius of its own: its pairs are exact. Rounded cores may lose some per cent of the size in depth at edges. */
const isRound = (s: Solid) => s.type < 2;

function checkManifold(a: Solid, b: Solid, pose: Pose, r: Result, margin: number, scale: number): number {
  expect(r.manifolds).toBe(1);
  expect(r.count).toBeGreaterThanOrEqual(1);
  expect(r.count).toBeLessThanOrEqual(4);
  expect(Math.abs(len(r.n) - 1)).toBeLessThan(1e-5);
  const s = separationAlong(a, b, pose, r.n);
  let least = Number.POSITIVE_INFINITY;
  for (const point of r.points) {
    expect(Number.isFinite(point.s + len(point.p))).toBe(true);
    expect(point.s).toBeLessThanOrEqual(margin);
    // No point is deeper than the axis, and the deepest is as deep.
    expect(point.s).toBeGreaterThanOrEqual(s - 1e-5 * scale);
    least = Math.min(least, point.s);
  }
  expect(least - s).toBeLessThan(0.002 * margin + 2e-5 * scale);
  return s;
}

describe.each(pairs)('%s on %s', (_nameA, _nameB, makeA, makeB) => {
  test('equals the references', () => {
    const rnd = random(21);
    const margin = 0.05;
    let touching = 0;
    let worst = 0;
    for (let i = 0; i < (isLong ? 80 : 30); i++) {
      const a = makeA(rnd);
      const b = makeB(rnd);
      const reach = extentOf(a) + extentOf(b);
      driver.setShape(0, a);
      driver.setShape(1, b);
      for (let k = 0; k < 3; k++) {
        const far = reach * (k === 0 ? 0.3 * rnd() : 0.4 + 0.6 * rnd());
        const pose = driver.setPose(poseOf(...randomRotation(rnd), mul(randomDirection(rnd), far)));
        driver.setCache(0);
        const r = driver.run(generic, margin);
        const apart = distance(a, b, pose);
        if (r.manifolds === 0) {
          expect(r.gap).toBeGreaterThan(margin);
          expect(r.gap).toBeLessThanOrEqual(apart + 1e-6 * reach);
          expect(r.gap).toBeGreaterThan(0.93 * apart - 1e-3 * reach);
          continue;
        }
        touching++;
        const s = checkManifold(a, b, pose, r, margin, reach);
        if (apart > 0.01 * reach) expect(apart - s).toBeLessThan(1e-3 * reach);
        else if (apart === 0 && k === 0 && i % 2 === 0) worst = Math.max(worst, (bestSeparation(a, b, pose, rnd) - s) / reach);
        for (const { p, s: separation } of r.points) {
          // On or in the surface: a chord of a cap, or the line of a leaning capsule, may lie inside.
          expect(pointDistance(a, p)).toBeLessThan(0.05 * reach);
          expect(pointDistance(b, unrotate(pose, sub(add(p, mul(r.n, separation)), pose.t)))).toBeLessThan(0.05 * reach);
        }
      }
    }
    expect(touching).toBeGreaterThan(40);
    expect(worst).toBeLessThan(isRound(makeA(random(1))) ? 1e-4 : 0.03);
  });

  test('is finite for coinciding, parallel and touching shapes of any size', () => {
    const rnd = random(22);
    const quarter = Math.SQRT1_2;
    const rotations: [number, number, number, number][] = [
      [0, 0, 0, 1],
      [1, 0, 0, 0],
      [quarter, 0, 0, quarter],
      [0, 0, quarter, quarter],
      [0.5, 0.5, 0.5, 0.5],
      [1e-4, 0, 1e-5, 1],
    ];
    for (const unit of [0.001, 1, 1000]) {
      const scaled = (s: Solid): Solid =>
        s.hull
          ? hullOf(convexHull(Array.from(s.hull.vertices, (x) => f(x * unit))))
          : { ...s, p: s.p.map((x) => f(x * unit)) as unknown as Vec };
      for (let i = 0; i < (isLong ? 5 : 2); i++) {
        const a = scaled(makeA(rnd));
        const b = i % 2 && a.type === makeB(random(1)).type ? a : scaled(makeB(rnd));
        driver.setShape(0, a);
        driver.setShape(1, b);
        const reach = extentOf(a) + extentOf(b);
        for (const q of rotations) {
          for (const direction of [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
            [0, -1, 0],
            [0, 0, 1e-7],
          ] as Vec[]) {
            let pose = poseOf(...q, mul(direction, 1e-6 * reach));
            if (len(direction) === 1) {
              // Moved until they just touch along the axis.
              const s = separationAlong(a, b, poseOf(...q, [0, 0, 0]), direction);
              pose = poseOf(...q, mul(direction, -s));
            }
            pose = driver.setPose(pose);
            driver.setCache(0);
            for (let again = 0; again < 2; again++) {
              const r = driver.run(generic, 0.02 * unit);
              // Supporting planes that touch do not make the shapes touch.
              if (r.manifolds === 0) {
                expect(len(direction)).toBe(1);
                expect(r.gap).toBeGreaterThan(0.02 * unit);
                expect(r.gap).toBeLessThan(distance(a, b, pose) + 1e-5 * reach);
                continue;
              }
              const s = checkManifold(a, b, pose, r, 0.02 * unit, reach);
              if (len(direction) === 1) expect(s).toBeGreaterThan(-1e-3 * reach);
            }
          }
        }
      }
    }
  });
});

test('the cached axis answers for shapes that stay apart', () => {
  const rnd = random(23);
  for (let i = 0; i < 300; i++) {
    const a = cylinder(size(rnd), size(rnd));
    const b = cone(size(rnd), size(rnd));
    driver.setShape(0, a);
    driver.setShape(1, b);
    const q = randomRotation(rnd);
    const t = mul(randomDirection(rnd), (extentOf(a) + extentOf(b)) * (1.05 + rnd()));
    driver.setPose(poseOf(...q, t));
    driver.setCache(0);
    const first = driver.run(generic, 0.02);
    const pose = driver.setPose(poseOf(...q, add(t, mul(randomDirection(rnd), 0.01))));
    const second = driver.run(generic, 0.02);
    expect(first.manifolds + second.manifolds).toBe(0);
    expect(second.gap).toBeLessThanOrEqual(distance(a, b, pose) + 1e-6);
    expect(second.gap).toBeGreaterThan(first.gap - 0.011);
  }
});

test('any cache content gives the same contact', () => {
  const rnd = random(24);
  for (let i = 0; i < 300; i++) {
    driver.setShape(0, box(1, 1, 1));
    driver.setShape(1, cylinder(0.5, 0.5));
    driver.setPose(poseOf(...randomRotation(rnd), mul(randomDirection(rnd), 1.3)));
    driver.setCache(0);
    const cold = driver.run(generic, 0.02);
    for (const cache of [0x80000000, 0xffffffff, 0x80000001 + Math.floor(rnd() * 0x7ffffff0)]) {
      driver.setCache(cache);
      const warm = driver.run(generic, 0.02);
      if (cold.manifolds === 0 || warm.manifolds === 0) continue;
      // Exact where the contact is unique; edges may differ by the rounding of cores.
      expect(warm.gap).toBeGreaterThan(cold.gap - 0.02);
    }
  }
});

test('small on large: a cylinder of centimetres on a ground of a kilometre', () => {
  const ground = box(1000, 1, 1000);
  const rnd = random(25);
  for (let i = 0; i < 200; i++) {
    const b = i % 2 ? cylinder(0.05, 0.04) : cone(0.05, 0.04);
    driver.setShape(0, ground);
    driver.setShape(1, b);
    const yaw = rnd() * 3;
    const [x, z] = [f(800 * rnd() - 400), f(800 * rnd() - 400)];
    const pose = driver.setPose(poseOf(0, Math.sin(yaw), 0, Math.cos(yaw), [x, 1.04 - 0.0005, z]));
    driver.setCache(0);
    const r = driver.run(generic, 0.01);
    expect(r.n).toEqual([0, 1, 0]);
    expect(r.count).toBe(4);
    for (const { p, s } of r.points) {
      expect(s).toBeCloseTo(-0.0005, 5);
      expect(Math.hypot(p[0] - pose.t[0], p[2] - pose.t[2])).toBeLessThan(0.0502);
    }
  }
});

test('a triangle under every shape', () => {
  const vertices = driver.core.allocate(48);
  new Float32Array(driver.memory.buffer, vertices, 12).set([-3, 0, -3, 0, 3, 0, -3, 0, 0, 0, 3, 0]);
  const place = (s: Solid, height: number, q: [number, number, number, number]) => {
    // B is the triangle, turned by q about A; A's frame is that of the shape.
    driver.setShape(0, s);
    const c = poseOf(...q, [0, 0, 0]);
    driver.setPose({ c: c.c, t: mul(c.c[1], -height) });
    driver.setCache(0);
    const out = driver.core.collideConvexTriangle(driver.shapeA, vertices, driver.rel, driver.out, driver.cache, 0.02);
    const view = new DataView(driver.memory.buffer, driver.out, 96);
    return {
      out,
      count: view.getUint32(0, true),
      n: [16, 20, 24].map((o) => view.getFloat32(o, true)) as unknown as Vec,
      down: mul(c.c[1], -1),
      view,
    };
  };
  const cases: [Solid, number, number][] = [
    [sphere(0.5), 0.5, 1],
    [capsule(0.25, 0.5), 0.75, 1],
    [box(0.5, 0.5, 0.5), 0.5, 4],
    [cylinder(0.5, 0.5), 0.5, 4],
    [cone(0.5, 0.5), 0.5, 4],
  ];
  for (const [s, half, count] of cases) {
    const got = place(s, half - 0.003, [0, 0.3, 0, 1]);
    expect(got.out).toBe(1);
    expect(got.count).toBe(count);
    expect(len(sub(got.n, got.down))).toBeLessThan(1e-5);
    for (let i = 0; i < count; i++) expect(got.view.getFloat32(32 + 16 * i + 12, true)).toBeCloseTo(-0.003, 5);
    expect(place(s, half + 0.1, [0, 0.3, 0, 1]).out).toBe(0);
  }
  // Lying: two points.
  const quarter = Math.SQRT1_2;
  for (const s of [capsule(0.25, 0.5), cylinder(0.25, 0.5)]) {
    const got = place(s, 0.25 - 0.003, [quarter, 0, 0, quarter]);
    expect(got.count).toBe(2);
    expect(len(sub(got.n, got.down))).toBeLessThan(1e-5);
  }
});
