// What shapes turn towards a direction, against closed forms and support functions in double precision: faces, lines and points for the
// convex tests (features.ts) and for the tests of triangles (surface_feature.ts), normals of faces, and cores (support.ts).
import { beforeAll, describe, expect, test } from 'vitest';
import { SHAPE_BOX, SHAPE_CAPSULE, SHAPE_CONE, SHAPE_CYLINDER, SHAPE_HULL, SHAPE_SPHERE } from '../../../src/layout.generated';
import { convexHull } from '../../../src/shapes/hull';
import { coreConstant, coreOffsets } from '../../helpers/core_layout';
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
  pointDistance,
  poseOf,
  random,
  randomDirection,
  randomRotation,
  rotate,
  type Solid,
  sphere,
  sub,
  support,
  toWorld,
  unit,
  unrotate,
  type Vec,
} from './round_oracle';

const FEATURE_A = coreConstant('FEATURE_A');
const FEATURE_B = coreConstant('FEATURE_B');
const FEATURE_NORMALS = coreConstant('FEATURE_NORMALS');
const SURFACE_FEATURE = coreConstant('SURFACE_FEATURE');
const SURFACE = coreOffsets('Surface');
const f = Math.fround;
let driver: Driver;
let round: number;
let surface: number;
let out: number;
let triangleAt: number;
beforeAll(() => {
  driver = new Driver();
  out = driver.core.allocate(64);
  triangleAt = driver.core.allocate(64);
  round = new DataView(driver.memory.buffer).getUint32(driver.core.testNarrowState(), true);
  surface = driver.core.testSurfaceState() >>> 0;
});

const rowsAt = (at: number, count: number): Vec[] => {
  const view = new Float32Array(driver.memory.buffer, at, 4 * count);
  return Array.from({ length: count }, (_, i) => [view[4 * i]!, view[4 * i + 1]!, view[4 * i + 2]!]);
};
const rowAt = (at: number): Vec => rowsAt(at, 1)[0]!;
const laneAt = (at: number): number => new Float32Array(driver.memory.buffer, at, 4)[3]!;

const rnd = random(4);
const size = () => f(0.2 + rnd());
const cloud = (): Solid =>
  hullOf(
    convexHull(
      Array.from({ length: 18 }, () => randomDirection(rnd)).flatMap((u) => [f(0.8 * u[0]), f(0.5 * u[1]), f(1.1 * u[2])]),
    ),
  );
const solids: Solid[] = Array.from({ length: 3 }, () => [
  sphere(size()),
  capsule(size(), size()),
  box(size(), size(), size()),
  cloud(),
  cylinder(size(), size()),
  cone(size(), size()),
]).flat();

/** Directions: random ones, along the axes of the shape, hardly tilted against them. */
const directions = (): Vec[] => {
  const axes: Vec[] = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ];
  const near = axes.flatMap((a) => [0.003, 0.03, 0.3].map((tilt) => unit(add(a, mul(randomDirection(rnd), tilt)))));
  return [...axes, ...near, ...Array.from({ length: 20 }, () => randomDirection(rnd))].map((d) => d.map(f) as unknown as Vec);
};
const areaAbout = (rows: readonly Vec[], n: Vec): number =>
  rows.reduce((sum, p, i) => sum + dot(n, cross(sub(p, rows[0]!), sub(rows[(i + 1) % rows.length]!, rows[0]!))) / 2, 0);

/** The outward normals that a shape has in the half plane of n: flat faces, and the side of a cylinder or cone. */
function normalsOf(s: Solid, n: Vec): { flat: Vec[]; side: Vec[] } {
  const rho = Math.hypot(n[0], n[2]);
  const round: Vec = rho > 0 ? [n[0] / rho, 0, n[2] / rho] : [1, 0, 0];
  const [a, b] = s.p;
  const all: Vec[] = [0, 1, 2].flatMap((k) =>
    [1, -1].map((sign) => [0, 1, 2].map((i) => (i === k ? sign : 0)) as unknown as Vec),
  );
  if (s.type === SHAPE_BOX) return { flat: all, side: [] };
  if (s.type === SHAPE_CYLINDER) return { flat: all.slice(2, 4), side: [round] };
  if (s.type === SHAPE_CONE) return { flat: [all[3]!], side: [unit([2 * b * round[0], a, 2 * b * round[2]])] };
  const { planes } = s.hull!;
  return {
    flat: Array.from({ length: planes.length / 4 }, (_, i) => [...planes.subarray(4 * i, 4 * i + 3)] as unknown as Vec),
    side: [],
  };
}
const most = (list: readonly Vec[], n: Vec): number => Math.max(...list.map((one) => dot(one, n)));

/** A polygon is a whole face: on the supporting plane of the normal, counterclockwise about it without a turn back, of the right area. */
function checkFace(s: Solid, rows: readonly Vec[], normal: Vec, n: Vec, sides: number): void {
  const scale = extentOf(s);
  const height = dot(support(s, normal), normal);
  const off = rows.map((p) => Math.max(Math.abs(dot(p, normal) - height), Math.abs(pointDistance(s, p))));
  expect(Math.max(...off)).toBeLessThan(3e-6 * scale);
  const turns = rows.map((p, i) => {
    const [q, r] = [rows[(i + 1) % rows.length]!, rows[(i + 2) % rows.length]!];
    return dot(normal, cross(sub(q, p), sub(r, q)));
  });
  expect(Math.min(...turns)).toBeGreaterThan(0);
  const area = areaAbout(rows, normal);
  const [a, b, c] = s.p;
  if (s.type === SHAPE_BOX) {
    const face = 4 * (Math.abs(normal[0]) * b * c + Math.abs(normal[1]) * a * c + Math.abs(normal[2]) * a * b);
    expect(area / face).toBeCloseTo(1, 5);
  } else if (s.type !== SHAPE_HULL) {
    const regular = (sides / 2) * a * a * Math.sin((2 * Math.PI) / sides);
    expect(area).toBeGreaterThan(0.99999 * regular);
    expect(area).toBeLessThan(1.03 * regular);
    // The lowest point of a rim that leans is among them.
    const rho = Math.hypot(n[0], n[2]);
    if (rho > 0.06) expect(Math.max(...rows.map((p) => p[0] * n[0] + p[2] * n[2]))).toBeGreaterThan(0.99999 * a * rho);
  }
}

describe('features of the convex tests', () => {
  test('of solids are the face, side line or tip that looks most along the direction', () => {
    for (const s of solids) {
      driver.setShape(0, s);
      for (const n of directions()) {
        const count = driver.core.testFeatureA(driver.shapeA, 0, ...n) >>> 0;
        const rows = rowsAt(round + FEATURE_A, count);
        const normal = rowAt(round + FEATURE_NORMALS);
        const rho = Math.hypot(n[0], n[2]);
        if (s.type === SHAPE_SPHERE) {
          expect(rows).toEqual([[0, 0, 0]]);
        } else if (s.type === SHAPE_CAPSULE) {
          const ends = Math.abs(n[1]) > 0.9 ? [Math.sign(n[1])] : [-1, 1];
          expect(rows).toEqual(ends.map((sign) => [0, sign * s.p[1], 0]));
        } else if (count >= 3) {
          const { flat, side } = normalsOf(s, n);
          expect(flat.some((one) => len(sub(one, normal)) < 1e-6)).toBe(true);
          expect(dot(normal, n)).toBeGreaterThan(most([...flat, ...side], n) - 1e-5);
          checkFace(s, rows, normal, n, 16);
        } else {
          expect(normal).toEqual([0, 0, 0]);
          const { flat, side } = normalsOf(s, n);
          expect(most(side, n)).toBeGreaterThan(most(flat, n) - 1e-6);
          const [r, h] = s.p;
          const rim = (y: number): Vec => [(r * n[0]) / rho, y, (r * n[2]) / rho];
          const tip: Vec = [0, h, 0];
          const isTip = s.type === SHAPE_CONE && (rho < 0.02 || (most(side, n) < 0.9 && 2 * h * n[1] > rho * r));
          const wanted = isTip ? [tip] : [rim(-h), s.type === SHAPE_CONE ? tip : rim(h)];
          expect(rows.length).toBe(wanted.length);
          for (const [i, p] of wanted.entries()) expect(len(sub(p, rows[i]!))).toBeLessThan(1e-5);
        }
      }
    }
  });

  test('of B are those of A, posed', () => {
    for (const s of solids) {
      driver.setShape(0, s);
      driver.setShape(1, s);
      for (let i = 0; i < 6; i++) {
        const pose = driver.setPose(poseOf(...randomRotation(rnd), [rnd(), -rnd(), 2 * rnd()]));
        const n = randomDirection(rnd).map(f) as unknown as Vec;
        const count = driver.core.testFeatureB(driver.shapeB, 0, driver.rel, ...n) >>> 0;
        const rows = rowsAt(round + FEATURE_B, count);
        const normal = rowAt(round + FEATURE_NORMALS + 16);
        const local = unrotate(pose, mul(n, -1)).map(f) as unknown as Vec;
        expect(driver.core.testFeatureA(driver.shapeA, 0, ...local) >>> 0).toBe(count);
        const wanted = rowsAt(round + FEATURE_A, count);
        for (const [k, p] of wanted.entries()) expect(len(sub(toWorld(pose, p), rows[k]!))).toBeLessThan(1e-4);
        expect(len(sub(rotate(pose, rowAt(round + FEATURE_NORMALS)), normal))).toBeLessThan(1e-5);
      }
    }
  });

  test('of a triangle are its corners, wound and turned towards the direction', () => {
    for (let i = 0; i < 60; i++) {
      const corners = [0, 1, 2].map(() => mul(randomDirection(rnd), 0.5 + rnd()).map(f) as unknown as Vec);
      const view = new Float32Array(driver.memory.buffer, triangleAt, 12);
      corners.forEach((p, k) => {
        view.set(p, 4 * k);
      });
      const n = randomDirection(rnd).map(f) as unknown as Vec;
      const face = unit(cross(sub(corners[1]!, corners[0]!), sub(corners[2]!, corners[0]!)));
      const towards = mul(face, Math.sign(dot(face, n)));
      expect(driver.core.testFeatureA(0, triangleAt, ...n) >>> 0).toBe(3);
      const rows = rowsAt(round + FEATURE_A, 3);
      for (const p of corners) expect(rows).toContainEqual(p);
      expect(len(sub(rowAt(round + FEATURE_NORMALS), towards))).toBeLessThan(1e-4);
      expect(areaAbout(rows, towards)).toBeGreaterThan(0);
      driver.core.testFaceNormal(0, triangleAt, ...n, out);
      expect(len(sub(rowAt(out), towards))).toBeLessThan(1e-4);
      expect(laneAt(out)).toBe(0);
      driver.core.testSupport(0, triangleAt, 0, ...n, out);
      expect(dot(rowAt(out), n)).toBeCloseTo(most(corners, n), 6);
      expect(corners).toContainEqual(rowAt(out));
    }
  });
});

test('the nearest face or side is the one that looks most along the direction', () => {
  for (const s of solids) {
    driver.setShape(0, s);
    for (const n of directions()) {
      driver.core.testFaceNormal(driver.shapeA, 0, ...n, out);
      const normal = rowAt(out);
      if (s.type <= SHAPE_CAPSULE) {
        expect([...normal, laneAt(out)]).toEqual([...n, 1]);
        continue;
      }
      const { flat, side } = normalsOf(s, n);
      if (Math.hypot(n[0], n[2]) < 1e-6 && s.type === SHAPE_CONE && n[1] > 0) continue;
      expect(dot(normal, n)).toBeGreaterThan(most([...flat, ...side], n) - 1e-5);
      const list = laneAt(out) === 0 ? flat : side;
      expect(Math.min(...list.map((one) => len(sub(one, normal))))).toBeLessThan(1e-5);
    }
  }
});

test('solids reach as far as they are, and shrunk cores with their margin not beyond, nor much less', () => {
  for (const s of solids) {
    driver.setShape(0, s);
    const inner = driver.core.innerRadius(driver.shapeA);
    for (const n of directions()) {
      const reach = dot(support(s, n), n) / len(n);
      driver.core.testSupport(driver.shapeA, 0, 0, ...n, out);
      expect(Math.abs(dot(rowAt(out), n) + laneAt(out) - reach)).toBeLessThan(2e-6 * extentOf(s));
      driver.core.testSupport(driver.shapeA, 0, 1, ...n, out);
      const rounded = dot(rowAt(out), n) + laneAt(out);
      expect(rounded).toBeLessThan(reach + 2e-6 * extentOf(s));
      expect(reach - rounded).toBeLessThan(0.11 * extentOf(s));
      // What the core loses at faces and sides, the margin gives back.
      const { flat, side } = s.type <= SHAPE_CAPSULE ? { flat: [], side: [n] } : normalsOf(s, n);
      if (s.type !== SHAPE_HULL && most([...flat, ...side], n) > 1 - 1e-7) {
        expect(Math.abs(rounded - reach)).toBeLessThan(1e-4 * extentOf(s));
      }
      if (s.type > SHAPE_CAPSULE) expect(laneAt(out)).toBeCloseTo(0.1 * inner, 6);
    }
  }
});

describe('features of the tests of triangles', () => {
  const word = (name: string): number => new Uint32Array(driver.memory.buffer, surface + SURFACE[name]!, 1)[0]!;
  const number = (name: string): number => new Float32Array(driver.memory.buffer, surface + SURFACE[name]!, 1)[0]!;

  test('reach and farthest points are those of the shape', () => {
    for (const s of solids) {
      driver.setShape(0, s);
      driver.core.testSetShape(driver.shapeA);
      const radius = s.type === SHAPE_CAPSULE ? s.p[0] : 0;
      expect(number('featureRadius')).toBe(radius);
      expect(word('featureCount')).toBe(0);
      // A ball that fits in, not much smaller than the largest.
      const largest = driver.core.innerRadius(driver.shapeA);
      expect(number('inner')).toBeLessThan(1.00001 * largest);
      expect(number('inner')).toBeGreaterThan(0.4 * largest);
      if (s.type === SHAPE_CONE)
        expect(driver.core.testSideRadius()).toBeCloseTo((s.p[0] * Math.hypot(s.p[0], 2 * s.p[1])) / (2 * s.p[1]), 5);
      else if (s.type === SHAPE_CYLINDER) expect(driver.core.testSideRadius()).toBe(s.p[0]);
      for (const n of directions()) {
        const reach = dot(support(s, n), n) / len(n);
        expect(Math.abs(driver.core.testReach(...n) - reach)).toBeLessThan(3e-6 * extentOf(s));
        if (![SHAPE_CAPSULE, SHAPE_CYLINDER, SHAPE_CONE].includes(s.type)) continue;
        driver.core.testFarthest(...n, out);
        expect(Math.abs(dot(rowAt(out), n) + radius - reach)).toBeLessThan(3e-6 * extentOf(s));
        expect(pointDistance(s, rowAt(out)) + radius).toBeLessThan(3e-6 * extentOf(s));
      }
    }
  });

  test('the feature along a direction is a whole face or a line of the side, with its plane', () => {
    for (const s of solids.filter(({ type }) => type !== SHAPE_SPHERE)) {
      driver.setShape(0, s);
      driver.core.testSetShape(driver.shapeA);
      for (const n of directions()) {
        const count = driver.core.testSurfaceFeature(...n) >>> 0;
        expect(word('featureCount')).toBe(count);
        const rows = rowsAt(surface + SURFACE_FEATURE, count);
        const [r, h] = s.p;
        if (count > 2) {
          const plane = rowAt(surface + SURFACE.featurePlane!);
          const { flat, side } = normalsOf(s, n);
          expect(Math.min(...flat.map((one) => len(sub(one, plane))))).toBeLessThan(1e-6);
          expect(dot(plane, n)).toBeGreaterThan(
            (s.type === SHAPE_CYLINDER ? Math.min(0.7, most([...flat], n)) : most([...flat, ...side], n)) - 1e-5,
          );
          expect(Math.abs(laneAt(surface + SURFACE.featurePlane!) - dot(support(s, plane), plane))).toBeLessThan(
            2e-6 * extentOf(s),
          );
          checkFace(s, rows, plane, n, 32);
        } else if (s.type === SHAPE_CAPSULE) {
          expect(rows).toEqual([
            [0, -h, 0],
            [0, h, 0],
          ]);
        } else {
          const rho = Math.hypot(n[0], n[2]);
          if (s.type === SHAPE_CYLINDER) expect(Math.abs(n[1])).toBeLessThan(0.7 + 1e-6);
          const around: Vec = rho > 1e-9 ? [n[0] / rho, 0, n[2] / rho] : [1, 0, 0];
          const low = add(mul(around, r), [0, -h, 0]);
          const high: Vec = s.type === SHAPE_CONE ? [0, h, 0] : add(mul(around, r), [0, h, 0]);
          expect(len(sub(rows[0]!, low)) + len(sub(rows[1]!, high))).toBeLessThan(1e-5);
        }
      }
    }
  });

  test('caps on demand look to the side that is asked for', () => {
    for (const s of solids.filter(({ type }) => type === SHAPE_CYLINDER || type === SHAPE_CONE)) {
      driver.setShape(0, s);
      driver.core.testSetShape(driver.shapeA);
      for (const up of s.type === SHAPE_CONE ? [0] : [0, 1]) {
        const n = unit([rnd() - 0.5, up ? 1 : -1, rnd() - 0.5]).map(f) as unknown as Vec;
        const count = driver.core.testCapFeature(up, ...n) >>> 0;
        expect(rowAt(surface + SURFACE.featurePlane!)).toEqual([0, up ? 1 : -1, 0]);
        expect(count).toBe(32);
        checkFace(s, rowsAt(surface + SURFACE_FEATURE, count), [0, up ? 1 : -1, 0], n, 32);
      }
    }
  });
});
