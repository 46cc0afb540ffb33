// Spheres and capsules in closed form, exact bounds, and the contacts that round shapes make in rest: each case with the
// number a hand calculation gives, or with the double-precision reference.
import { beforeAll, describe, expect, test } from 'vitest';
import { Aabb } from '../../../src/layout.generated';
import { convexHull } from '../../../src/shapes/hull';
import { isLong } from '../../helpers/long';
import {
  add,
  bestSeparation,
  box,
  capsule,
  cone,
  cross,
  cylinder,
  Driver,
  distance,
  dot,
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
  support,
  unrotate,
  type Vec,
} from './round_oracle';

const MARGIN = 0.02;
const f = Math.fround;
let driver: Driver;
beforeAll(() => {
  driver = new Driver();
});

function collide(name: string, a: Solid, b: Solid, pose: Pose, margin = MARGIN): { result: Result; pose: Pose } {
  driver.setShape(0, a);
  driver.setShape(1, b);
  const exact = driver.setPose(pose);
  driver.setCache(0);
  return { result: driver.run(name, margin), pose: exact };
}
const identity = (t: Vec): Pose => poseOf(0, 0, 0, 1, t);
const turned = (axis: Vec, angle: number, t: Vec): Pose => poseOf(...mul(axis, Math.sin(angle / 2)), Math.cos(angle / 2), t);

/** Checks what every result must satisfy; returns the separation along the normal (or the gap). */
function checkContract(a: Solid, b: Solid, pose: Pose, r: Result, margin: number, scale: number): number {
  if (r.manifolds === 0) {
    expect(r.gap).toBeGreaterThan(margin);
    return r.gap;
  }
  expect(r.manifolds).toBe(1);
  expect(r.count).toBeGreaterThanOrEqual(1);
  expect(r.count).toBeLessThanOrEqual(4);
  expect(Math.abs(len(r.n) - 1)).toBeLessThan(1e-5);
  const s = separationAlong(a, b, pose, r.n);
  for (const point of r.points) {
    expect(Number.isFinite(point.s + len(point.p))).toBe(true);
    expect(point.s).toBeLessThanOrEqual(margin);
    expect(point.s).toBeGreaterThanOrEqual(s - 3e-6 * scale);
  }
  return s;
}

describe.each<[string, (r: () => number) => Solid, (r: () => number) => Solid]>([
  ['collideSphereSphere', (r) => sphere(f(0.1 + r())), (r) => sphere(f(0.1 + r()))],
  ['collideSphereCapsule', (r) => sphere(f(0.1 + r())), (r) => capsule(f(0.1 + r()), f(r()))],
  ['collideSphereBox', (r) => sphere(f(0.1 + r())), (r) => box(f(0.1 + r()), f(0.1 + r()), f(0.1 + r()))],
  ['collideCapsuleCapsule', (r) => capsule(f(0.1 + r()), f(r())), (r) => capsule(f(0.1 + r()), f(r()))],
])('%s', (name, makeA, makeB) => {
  test.each([0.001, 1, 1000])('equals the reference, unit of length %d m', (unit) => {
    const rnd = random(5);
    for (let i = 0; i < (isLong ? 800 : 300); i++) {
      const scaled = (s: Solid): Solid => ({ ...s, p: s.p.map((x) => f(x * unit)) as unknown as Vec });
      const a = scaled(makeA(rnd));
      const b = scaled(makeB(rnd));
      const reach = extentOf(a) + extentOf(b);
      const { result, pose } = collide(
        name,
        a,
        b,
        poseOf(...randomRotation(rnd), mul(randomDirection(rnd), reach * 1.05 * rnd())),
        MARGIN * unit,
      );
      const s = checkContract(a, b, pose, result, MARGIN * unit, reach);
      const apart = distance(a, b, pose);
      if (result.manifolds === 0) {
        expect(Math.abs(s - apart)).toBeLessThan(2e-6 * reach);
        continue;
      }
      expect(Math.abs(Math.min(...result.points.map((p) => p.s)) - s)).toBeLessThan(
        result.count === 1 ? 2e-6 * reach : 0.01 * reach,
      );
      if (apart > 1e-4 * reach) expect(Math.abs(s - apart)).toBeLessThan(3e-6 * reach);
      else if (i % 5 === 0) expect(s).toBeGreaterThan(bestSeparation(a, b, pose, rnd) - 1e-5 * reach);
      if (result.count === 1) {
        const [{ p, s: depth }] = result.points;
        expect(Math.abs(pointDistance(a, p))).toBeLessThan(3e-6 * reach);
        const q = unrotate(pose, sub(add(p, mul(result.n, depth)), pose.t));
        expect(Math.abs(pointDistance(b, q))).toBeLessThan(1e-5 * reach);
      }
    }
  });

  test('coinciding centres give a unit normal and the least depth', () => {
    const rnd = random(6);
    for (let i = 0; i < 100; i++) {
      const a = makeA(rnd);
      const b = makeB(rnd);
      const { result, pose } = collide(name, a, b, i % 2 ? poseOf(...randomRotation(rnd), [0, 0, 0]) : identity([0, 0, 0]));
      const s = checkContract(a, b, pose, result, MARGIN, 3);
      expect(s).toBeGreaterThan(bestSeparation(a, b, pose, rnd) - 1e-4);
    }
  });
});

test('sizes a million times apart', () => {
  const { result } = collide('collideSphereSphere', sphere(1000), sphere(0.001), identity([0, 1000, 0]));
  expect(result.count).toBe(1);
  expect(result.points[0].s).toBeCloseTo(-0.001, 4);
  const onBox = collide('collideSphereBox', sphere(0.001), box(1000, 1000, 1000), identity([400, -1000.0005, 300])).result;
  expect(onBox.n[1]).toBeCloseTo(-1, 6);
  expect(onBox.points[0].s).toBeLessThan(0.0001);
});

describe('capsule on capsule', () => {
  test('parallel: two points at the ends of the overlap', () => {
    const { result } = collide('collideCapsuleCapsule', capsule(0.25, 1), capsule(0.25, 1), identity([0.5, 0.5, 0]));
    expect(result.count).toBe(2);
    expect(result.n[0]).toBeCloseTo(1, 6);
    expect(result.points.map(({ p }) => p[1]).sort()).toEqual([-0.5, 1]);
    for (const { p, s } of result.points) {
      expect(p[0]).toBeCloseTo(0.25, 6);
      expect(s).toBeCloseTo(0, 6);
    }
  });

  test('crossing: one point', () => {
    const { result } = collide(
      'collideCapsuleCapsule',
      capsule(0.25, 1),
      capsule(0.25, 1),
      turned([1, 0, 0], Math.PI / 2, [0.49, 0.3, 0.1]),
    );
    expect(result.count).toBe(1);
    expect(result.points[0].p[0]).toBeCloseTo(0.25, 6);
    expect(result.points[0].p[1]).toBeCloseTo(0.3, 6);
    expect(result.points[0].s).toBeCloseTo(-0.01, 6);
  });

  test('end to end: one point', () => {
    const { result } = collide('collideCapsuleCapsule', capsule(0.25, 1), capsule(0.25, 1), identity([0, 2.49, 0]));
    expect(result.count).toBe(1);
    expect(result.n[1]).toBeCloseTo(1, 6);
    expect(result.points[0].s).toBeCloseTo(-0.01, 6);
  });
});

describe('capsule on polyhedra', () => {
  const cube = hullOf(convexHull([-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1]));
  test.each([
    ['collideCapsuleBox', box(1, 1, 1)],
    ['collideCapsuleHull', cube],
  ] as const)('%s', (name, target) => {
    // B below A's side: the capsule's y axis lies in the top face of B.
    const pose = turned([0, 0, 1], Math.PI / 2, [1.25 - 0.01, 0.2, 0.1]);
    const { result } = collide(name, capsule(0.25, 0.5), target, pose);
    expect(result.count).toBe(2);
    expect(result.n[0]).toBeCloseTo(1, 6);
    for (const { s, p } of result.points) {
      expect(s).toBeCloseTo(-0.01, 5);
      expect(p[0]).toBeCloseTo(0.25, 5);
    }
    expect(result.points.map(({ p }) => p[1]).sort((x, y) => x - y)[0]).toBeCloseTo(-0.5, 5);
    // Longer than the face: cut at its borders.
    const long = collide(name, capsule(0.25, 5), target, pose).result;
    expect(long.count).toBe(2);
    const ys = long.points.map(({ p }) => p[1]).sort((x, y) => x - y);
    expect(ys[0]).toBeCloseTo(-0.8, 3);
    expect(ys[1]).toBeCloseTo(1.2, 3);
    // Along an edge: still two points.
    const onEdge = collide(
      name,
      capsule(0.25, 0.5),
      target,
      turned([0, 1, 0], Math.PI / 4, [Math.SQRT2 + 0.25 - 0.005, 0, 0]),
    ).result;
    expect(onEdge.count).toBe(2);
    expect(onEdge.n[0]).toBeCloseTo(1, 4);
    for (const { s } of onEdge.points) expect(s).toBeCloseTo(-0.005, 4);
    // Standing: one point.
    const standing = collide(name, capsule(0.25, 0.5), target, identity([0.3, -1.75 + 0.01, 0.2])).result;
    expect(standing.count).toBe(1);
    expect(standing.n[1]).toBeCloseTo(-1, 6);
    expect(standing.points[0].s).toBeCloseTo(-0.01, 5);
    // Core inside: out through the nearest face.
    const inside = collide(name, capsule(0.1, 0.2), target, identity([0.5, 0.1, 0.2])).result;
    expect(inside.n[0]).toBeCloseTo(1, 6); // B lies at +x of A and goes that way: A leaves through the face at -x
    expect(Math.min(...inside.points.map(({ s }) => s))).toBeCloseTo(-0.6, 5);
  });
});

describe('standing, lying and rolling', () => {
  const ground = box(10, 1, 10);
  // A is the ground, B the shape on top.
  test('a standing cylinder has four well spread points', () => {
    for (let k = 0; k < 20; k++) {
      const { result } = collide(
        'collideConvexConvex',
        ground,
        cylinder(0.5, 0.75),
        turned([0, 1, 0], k * 0.3, [1, 1.75 - 0.003, -2]),
      );
      expect(result.count).toBe(4);
      expect(result.n).toEqual([0, 1, 0]);
      const center = result.points.reduce<Vec>((c, { p }) => add(c, mul(p, 0.25)), [0, 0, 0]);
      expect(Math.hypot(center[0] - 1, center[2] + 2)).toBeLessThan(0.05);
      for (const { p, s } of result.points) {
        expect(s).toBeCloseTo(-0.003, 5);
        expect(p[1]).toBeCloseTo(1, 5);
        expect(Math.hypot(p[0] - 1, p[2] + 2)).toBeCloseTo(0.5, 4);
      }
    }
  });

  test('a standing cylinder keeps its points under noise', () => {
    const rnd = random(31);
    let first: Vec[] | undefined;
    for (let k = 0; k < 200; k++) {
      const noise = () => 2e-5 * (rnd() - 0.5);
      const pose = poseOf(noise(), Math.sin(0.2), noise(), Math.cos(0.2), [1 + noise(), 1.75 - 0.001 + noise(), -2 + noise()]);
      const { result } = collide('collideConvexConvex', ground, cylinder(0.5, 0.75), pose);
      expect(result.n).toEqual([0, 1, 0]);
      const points = result.points.map(({ p }) => p);
      first ??= points;
      points.forEach((p, i) => {
        expect(len(sub(p, (first as Vec[])[i]))).toBeLessThan(1e-4);
      });
    }
  });

  test('a tilting cylinder changes depth and points continuously', () => {
    let previous = 0;
    for (let k = 0; k <= 4000; k++) {
      const angle = k * 1e-5;
      // Tilted about z through the rim point at x = -0.5, which stays 1 mm deep.
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const center: Vec = [-0.5 + 0.5 * c - 0.75 * s, 1 - 0.001 + 0.5 * s + 0.75 * c, 0];
      const { result, pose } = collide('collideConvexConvex', ground, cylinder(0.5, 0.75), turned([0, 0, 1], angle, center));
      const deepest = Math.min(...result.points.map(({ s: depth }) => depth));
      const along = separationAlong(ground, cylinder(0.5, 0.75), pose, result.n);
      expect(Math.abs(deepest - along)).toBeLessThan(5e-5);
      expect(Math.abs(deepest + 0.001)).toBeLessThan(8e-5);
      if (k > 0) expect(Math.abs(deepest - previous)).toBeLessThan(8e-5);
      previous = deepest;
    }
  });

  test('a standing cone has four points, on its apex one', () => {
    const standing = collide(
      'collideConvexConvex',
      ground,
      cone(0.5, 0.75),
      turned([0, 1, 0], 0.3, [1, 1.75 - 0.003, -2]),
    ).result;
    expect(standing.count).toBe(4);
    expect(standing.n).toEqual([0, 1, 0]);
    for (const { s } of standing.points) expect(s).toBeCloseTo(-0.003, 5);
    const onApex = collide(
      'collideConvexConvex',
      ground,
      cone(0.5, 0.75),
      turned([1, 0, 0], Math.PI, [1, 1.75 - 0.003, -2]),
    ).result;
    expect(onApex.count).toBe(1);
    expect(onApex.n).toEqual([0, 1, 0]);
    expect(onApex.points[0].s).toBeCloseTo(-0.003, 5);
    expect(onApex.points[0].p[0]).toBeCloseTo(1, 5);
  });

  test('a rolling cylinder has two points, the exact normal and the exact depth at every angle', () => {
    for (let k = 0; k < 200; k++) {
      const spin = k * 0.0317;
      // Yaw, lay down, spin about the own axis.
      const [cy, sy] = [Math.cos(0.2), Math.sin(0.2)];
      const [cs, ss] = [Math.cos(spin / 2), Math.sin(spin / 2)];
      const h = Math.SQRT1_2;
      // quaternion (yaw about y) * (90 degrees about x) * (spin about y)
      const lay = [cy * h, sy * h, -sy * h, cy * h]; // x y z w of yaw * lay
      const q: [number, number, number, number] = [
        lay[0] * cs - lay[2] * ss,
        lay[3] * ss + lay[1] * cs,
        lay[2] * cs + lay[0] * ss,
        lay[3] * cs - lay[1] * ss,
      ];
      const { result } = collide('collideConvexConvex', ground, cylinder(0.5, 0.75), poseOf(...q, [1, 1.5 - 0.003, -2]));
      expect(result.count).toBe(2);
      expect(result.n).toEqual([0, 1, 0]);
      for (const { s, p } of result.points) {
        expect(s).toBeCloseTo(-0.003, 5);
        expect(Math.hypot(p[0] - 1, p[2] + 2)).toBeCloseTo(0.75, 4);
      }
    }
  });

  test('a cone lying on its side has two points along the side line', () => {
    const [r, h] = [0.5, 0.75];
    // Axis tilted so that the side lies flat: the side line makes the half angle with the axis.
    const half = Math.atan2(r, 2 * h);
    // Height of the centre over the plane of the side: the side's normal is (cos, sin) in (radius, axis), the apex at h.
    const offset = Math.sin(half) * h;
    for (let k = 0; k < 40; k++) {
      const spin = k * 0.157;
      // Columns: the cone's y axis, and two that spin about it.
      const axis: Vec = [Math.cos(half), -Math.sin(half), 0];
      const u: Vec = [Math.sin(half), Math.cos(half), 0];
      const w: Vec = [0, 0, 1];
      const x = add(mul(u, Math.cos(spin)), mul(w, Math.sin(spin)));
      const pose: Pose = { c: [x, axis, cross(x, axis)], t: [0, 1 + offset - 0.003, 0] };
      const lowest = support(cone(r, h), unrotate(pose, [0, -1, 0]));
      expect(
        add(pose.t, add(add(mul(pose.c[0], lowest[0]), mul(pose.c[1], lowest[1])), mul(pose.c[2], lowest[2])))[1],
      ).toBeCloseTo(1 - 0.003, 6);
      const { result } = collide('collideConvexConvex', ground, cone(r, h), pose);
      expect(result.count).toBe(2);
      expect(result.n).toEqual([0, 1, 0]);
      for (const { s } of result.points) expect(s).toBeCloseTo(-0.003, 5);
      expect(len(sub(result.points[0].p, result.points[1].p))).toBeCloseTo(Math.hypot(r, 2 * h), 3);
    }
  });

  test('the lowest point of a tilted cap moves with the tilt', () => {
    let previous: Vec | undefined;
    for (let k = 0; k <= 100; k++) {
      const turn = k * 0.01;
      const { result, pose } = collide(
        'collideConvexConvex',
        ground,
        cylinder(0.5, 0.75),
        turned([Math.cos(turn), 0, Math.sin(turn)], 0.3, [0, 1.864, 0]),
      );
      const deepest = result.points.reduce((x, y) => (y.s < x.s ? y : x));
      const s = separationAlong(ground, cylinder(0.5, 0.75), pose, result.n);
      expect(deepest.s).toBeCloseTo(s, 5);
      expect(result.n).toEqual([0, 1, 0]);
      if (previous) expect(len(sub(deepest.p, previous))).toBeLessThan(0.02);
      previous = deepest.p;
    }
  });

  test('cap on cap: four points, of the smaller cap', () => {
    const { result } = collide(
      'collideConvexConvex',
      cylinder(1, 0.5),
      cylinder(0.5, 0.5),
      turned([0, 1, 0], 0.2, [0.1, 0.999, 0.2]),
    );
    expect(result.count).toBe(4);
    expect(result.n).toEqual([0, 1, 0]);
    for (const { p, s } of result.points) {
      expect(s).toBeCloseTo(-0.001, 5);
      expect(Math.hypot(p[0] - 0.1, p[2] - 0.2)).toBeCloseTo(0.5, 3);
    }
  });

  test('side on side: two points in parallel, one crossing', () => {
    const parallel = collide('collideConvexConvex', cylinder(0.5, 1), cylinder(0.5, 1), identity([0.999, 0.5, 0])).result;
    expect(parallel.count).toBe(2);
    expect(parallel.n[0]).toBeCloseTo(1, 6);
    for (const { s } of parallel.points) expect(s).toBeCloseTo(-0.001, 5);
    const crossing = collide(
      'collideConvexConvex',
      cylinder(0.5, 1),
      cylinder(0.5, 1),
      turned([1, 0, 0], 1, [0.999, 0.1, 0.2]),
    ).result;
    expect(crossing.count).toBe(1);
    expect(crossing.points[0].s).toBeCloseTo(-0.001, 5);
    expect(crossing.points[0].p[0]).toBeCloseTo(0.5, 5);
  });
});

describe('bounds', () => {
  test('equal the supports along the axes', () => {
    const rnd = random(9);
    const rotation = driver.core.allocate(48);
    const out = driver.core.allocate(Aabb.STRIDE);
    for (let i = 0; i < 500; i++) {
      const v = () => f(10 ** (6 * rnd() - 3));
      const s = [sphere(v()), capsule(v(), v()), box(v(), v(), v()), cylinder(v(), v()), cone(v(), v())][i % 5];
      driver.setShape(0, s);
      const q = i % 7 === 0 ? ([0, 0, 0, 1] as const) : i % 7 === 1 ? ([1, 0, 0, 1] as const) : randomRotation(rnd);
      const exact = poseOf(...(q as [number, number, number, number]), [0, 0, 0]);
      const c = new Float32Array(driver.memory.buffer, rotation, 12);
      for (let k = 0; k < 3; k++) c.set([...exact.c[k], 0], 4 * k);
      expect(driver.core.roundBounds(driver.shapeA, rotation, out)).toBe(1);
      const b = new Float32Array(driver.memory.buffer, out, 8);
      for (let k = 0; k < 3; k++) {
        const axis: Vec = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
        const high = dot(support(s, unrotate(exact, axis)), unrotate(exact, axis));
        const low = dot(support(s, unrotate(exact, mul(axis, -1))), unrotate(exact, axis));
        expect(Math.abs(b[4 + k] - high)).toBeLessThan(2e-6 * extentOf(s));
        expect(Math.abs(b[k] - low)).toBeLessThan(2e-6 * extentOf(s));
      }
    }
  });

  test('other shapes are refused', () => {
    driver.setShape(0, { type: 6, p: [1, 1, 1] });
    expect(driver.core.roundBounds(driver.shapeA, driver.rel, driver.out)).toBe(0);
  });
});
