// Ray casts against convex shapes: a double-precision search along the ray is the reference. A convex shape's distance is a
// convex function along a line, so its minimum and its first zero can be bracketed.
import { beforeAll, describe, expect, test } from 'vitest';
import { Ray, RayHit } from '../../../src/layout.generated';
import { convexHull } from '../../../src/shapes/hull';
import {
  add,
  box,
  capsule,
  cone,
  cylinder,
  Driver,
  dot,
  extentOf,
  hullOf,
  len,
  mul,
  pointDistance,
  random,
  randomDirection,
  type Solid,
  sphere,
  unit,
  type Vec,
} from './round_oracle';

let driver: Driver;
let rayPtr: number;
let hitPtr: number;
beforeAll(() => {
  driver = new Driver();
  rayPtr = driver.core.allocate(Ray.STRIDE);
  hitPtr = driver.core.allocate(RayHit.STRIDE);
});

function cast(o: Vec, d: Vec, maxT: number): { t: number; n: Vec } {
  new Float32Array(driver.memory.buffer, rayPtr, 8).set([...o, maxT, ...d, 0]);
  const t = driver.core.rayShape(driver.shapeA, rayPtr, hitPtr);
  const h = new Float32Array(driver.memory.buffer, hitPtr, 4);
  if (t >= 0) expect(h[3]).toBe(t);
  return { t, n: [h[0], h[1], h[2]] };
}

/** Reference: first t >= 0 at which the ray is in the shape, and how deep it goes; the start is outside. */
function reference(s: Solid, o: Vec, d: Vec): { t: number; depth: number } {
  const f = (t: number) => pointDistance(s, add(o, mul(d, t)));
  let [lo, hi] = [0, (len(o) + 2 * extentOf(s)) / len(d)];
  for (let i = 0; i < 200; i++) {
    const [a, b] = [lo + (hi - lo) / 3, hi - (hi - lo) / 3];
    if (f(a) < f(b)) hi = b;
    else lo = a;
  }
  const depth = -f(lo);
  let [out, inside] = [0, lo];
  for (let i = 0; i < 100; i++) {
    const mid = (out + inside) / 2;
    if (f(mid) > 0) out = mid;
    else inside = mid;
  }
  return { t: inside, depth };
}

const f = Math.fround;
const cloud = (rnd: () => number, size: number): Solid => {
  const p: number[] = [];
  for (let i = 0; i < 20; i++) p.push(...randomDirection(rnd).map((x) => f(x * size * (0.7 + 0.3 * rnd()))));
  return hullOf(convexHull(p));
};
const shapes: [string, (rnd: () => number, size: number) => Solid][] = [
  ['sphere', (_, s) => sphere(f(s))],
  ['capsule', (r, s) => capsule(f(s * (0.2 + r())), f(s * (0.2 + r())))],
  ['box', (r, s) => box(f(s * (0.2 + r())), f(s * (0.2 + r())), f(s * (0.2 + r())))],
  ['hull', cloud],
  ['cylinder', (r, s) => cylinder(f(s * (0.2 + r())), f(s * (0.2 + r())))],
  ['cone', (r, s) => cone(f(s * (0.2 + r())), f(s * (0.2 + r())))],
];

describe.each(shapes)('ray against %s', (_, make) => {
  test.each([0.001, 1, 1000])('equals the reference, size %d m', (size) => {
    const rnd = random(11);
    let hits = 0;
    for (let i = 0; i < 400; i++) {
      const s = make(rnd, size);
      if (i % 10 === 0 || !s.hull) driver.setShape(0, s);
      else continue;
      const e = extentOf(s);
      for (let k = 0; k < (s.hull ? 10 : 1); k++) {
        const o = mul(randomDirection(rnd), e * (1.01 + 20 * rnd() ** 3)).map(f) as unknown as Vec;
        const target = mul(randomDirection(rnd), e * 1.1 * rnd());
        let d = add(target, mul(o, -1));
        if (rnd() < 0.2) d = d.map((x, j) => (j === Math.floor(rnd() * 3) ? 0 : x)) as unknown as Vec;
        d = mul(unit(d), 0.01 + 10 * rnd()).map(f) as unknown as Vec;
        const want = reference(s, o, d);
        const got = cast(o, d, 1e9);
        const tolerance = 3e-6 * (len(o) + e);
        if (want.depth > tolerance) {
          hits++;
          expect(got.t).toBeGreaterThanOrEqual(0);
          const p = add(o, mul(d, got.t));
          // Grazing rays are ill-conditioned along the ray, never across it.
          expect(Math.abs(pointDistance(s, p))).toBeLessThan(tolerance);
          expect(Math.abs(len(got.n) - 1)).toBeLessThan(1e-5);
          expect(dot(got.n, d)).toBeLessThanOrEqual(1e-3 * len(d));
          if (dot(got.n, unit(d)) < -0.1) expect(Math.abs(got.t - want.t) * len(d)).toBeLessThan(12 * tolerance);
          // The normal is the way out.
          expect(pointDistance(s, add(p, mul(got.n, 0.01 * e)))).toBeGreaterThan(0.005 * e * (s.hull ? 0.1 : 0.5));
          // maxT cuts.
          expect(cast(o, d, got.t * 0.999).t).toBe(-1);
          expect(cast(o, d, got.t).t).toBe(got.t);
        } else if (want.depth < -tolerance) {
          expect(got.t).toBe(-1);
        }
      }
    }
    expect(hits).toBeGreaterThan(100);
  });

  test('a start inside reports t = 0 and the normal against the ray', () => {
    const rnd = random(3);
    for (let i = 0; i < 200; i++) {
      const s = make(rnd, 1);
      driver.setShape(0, s);
      const o = randomDirection(rnd).map((x) => f(x * 0.05)) as unknown as Vec;
      if (!(pointDistance(s, o) < -1e-3)) continue;
      const d = mul(randomDirection(rnd), 3);
      const { t, n } = cast(o, d, 5);
      expect(t).toBe(0);
      expect(len(add(n, unit(d)))).toBeLessThan(1e-5);
    }
  });

  test('rays away from the shape miss', () => {
    const rnd = random(4);
    for (let i = 0; i < 100; i++) {
      const s = make(rnd, 1);
      driver.setShape(0, s);
      const u = randomDirection(rnd);
      expect(cast(mul(u, extentOf(s) * 1.01), u, 1e6).t).toBe(-1);
    }
  });
});

describe('special rays', () => {
  test('along the axis of cylinder, cone and capsule', () => {
    driver.setShape(0, cylinder(0.5, 1));
    expect(cast([0.3, 3, 0.3], [0, -1, 0], 10)).toEqual({ t: 2, n: [0, 1, 0] });
    expect(cast([0.6, 3, 0], [0, -1, 0], 10).t).toBe(-1);
    driver.setShape(0, capsule(0.5, 1));
    expect(cast([0, 3, 0], [0, -1, 0], 10)).toEqual({ t: 1.5, n: [0, 1, 0] });
    driver.setShape(0, cone(0.5, 1));
    expect(cast([0, 3, 0], [0, -1, 0], 10).t).toBeCloseTo(2, 5);
    expect(cast([0.2, -3, 0], [0, 1, 0], 10)).toEqual({ t: 2, n: [0, -1, 0] });
    // Parallel to a side line: the quadratic has one root.
    const got = cast([-1, -0.5, 0], [0.5, -2, 0].map((x) => x) as unknown as Vec, 10);
    expect(got.t).toBe(-1);
    const inward = cast([-0.25 - 0.5, 1, 0], [0.5, -1, 0], 10);
    expect(inward.t).toBeGreaterThan(0);
  });

  test('on the surface: inwards is a hit at once, outwards a miss', () => {
    for (const s of [sphere(0.5), box(0.5, 0.5, 0.5), cylinder(0.5, 0.5), capsule(0.5, 1)]) {
      driver.setShape(0, s);
      const inwards = cast([0.5, 0, 0], [-1, 0, 0], 10);
      expect(inwards.t).toBe(0);
      expect(inwards.n[0]).toBeCloseTo(1, 6);
      expect(cast([0.5, 0, 0], [1, 0, 0], 10).t).toBe(-1);
    }
  });

  test('any length of direction, and none', () => {
    driver.setShape(0, sphere(1));
    expect(cast([3, 0, 0], [-1e-20, 0, 0], 1e30).t / 2e20).toBeCloseTo(1, 5);
    expect(cast([3, 0, 0], [-1e20, 0, 0], 1e30).t * 1e20).toBeCloseTo(2, 5);
    expect(cast([3, 0, 0], [0, 0, 0], 1).t).toBe(-1);
  });
});
