// The triangle at hand (surface.ts, closest.ts) against searches in double precision: closest points of a point and of a line, the
// directions that its edges allow, and on which side of a surface a shape is.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  EDGE_BOUNDARY,
  EDGE_CONCAVE,
  EDGE_CONVEX,
  EDGE_FLAT,
  HeightfieldBlob,
  SHAPE_HEIGHTFIELD,
  SHAPE_MESH,
} from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { cookMesh } from '../../../src/shapes/mesh';
import { coreConstant, coreOffsets } from '../../helpers/core_layout';
import { add, cross, Driver, dot, len, mul, random, randomDirection, sub, unit, type Vec } from './round_oracle';

const SURFACE = coreOffsets('Surface');
const WORK = coreOffsets('SurfaceWork');
const SURFACE_WORK = coreConstant('SURFACE_WORK');
const [FACE, EDGE, VERTEX] = [0, 1, 2];
const f = Math.fround;
const rounded = (p: Vec): Vec => p.map(f) as unknown as Vec;
let driver: Driver;
let surface: number;
let out: number;
beforeAll(() => {
  driver = new Driver();
  out = driver.core.allocate(64);
  surface = driver.core.testSurfaceState() >>> 0;
});

const floats = (at: number, count = 4) => new Float32Array(driver.memory.buffer, at, count);
const words = (at: number, count = 1) => new Uint32Array(driver.memory.buffer, at, count);
const field = (name: string): number => surface + SURFACE[name]!;
const rowAt = (at: number): Vec => [...floats(at, 3)] as unknown as Vec;
const work = (name: string): number => surface + SURFACE_WORK + WORK[name]!;

/** Sets the triangle at hand and its normal. */
function setTriangle(corners: readonly Vec[]): Vec {
  const n = unit(cross(sub(corners[1]!, corners[0]!), sub(corners[2]!, corners[0]!)));
  for (const [k, p] of corners.entries()) floats(field(`v${k}`)).set([...p, 0]);
  floats(field('n')).set([...n, 0]);
  return n;
}

interface Nearest {
  distance: number;
  point: Vec;
  region: number;
  index: number;
}
/** The point of a triangle nearest to p, by all of its features. */
function nearestOn(corners: readonly Vec[], n: Vec, p: Vec): Nearest {
  const list: Nearest[] = corners.map((v, index) => ({ distance: len(sub(p, v)), point: v, region: VERTEX, index }));
  const inside = corners.every((v, k) => dot(cross(n, sub(corners[(k + 1) % 3]!, v)), sub(p, v)) > 0);
  if (inside) {
    const height = dot(n, sub(p, corners[0]!));
    list.push({ distance: Math.abs(height), point: add(p, mul(n, -height)), region: FACE, index: 0 });
  }
  for (const [index, v] of corners.entries()) {
    const e = sub(corners[(index + 1) % 3]!, v);
    const t = dot(sub(p, v), e) / dot(e, e);
    if (t <= 0 || t >= 1) continue;
    const point = add(v, mul(e, t));
    list.push({ distance: len(sub(p, point)), point, region: EDGE, index });
  }
  return list.reduce((best, one) => (one.distance < best.distance ? one : best));
}
const triangles = (count: number, rnd: () => number): Vec[][] =>
  Array.from({ length: count }, () => {
    const center = mul(randomDirection(rnd), 1.2 * rnd());
    return [0, 1, 2].map(() => rounded(add(center, mul(randomDirection(rnd), 0.3 + rnd()))));
  });

describe('closest points', () => {
  test('of a triangle to a point lie on the feature that is named', () => {
    const rnd = random(11);
    const met = [0, 0, 0];
    for (const corners of triangles(120, rnd)) {
      const n = setTriangle(corners);
      for (let i = 0; i < 12; i++) {
        const p = rounded(mul(randomDirection(rnd), 2.5 * rnd()));
        const wanted = nearestOn(corners, n, p);
        driver.core.testClosestOnTriangle(...p, out);
        expect(len(sub(rowAt(out), p)) - wanted.distance).toBeLessThan(1e-5);
        expect(len(sub(rowAt(out), wanted.point))).toBeLessThan(1e-3);
        const [region, index] = [words(work('region'))[0]!, words(work('index'))[0]!];
        // Near the border of two regions either will do.
        if (region !== wanted.region) continue;
        met[region]!++;
        if (region !== FACE) expect(index).toBe(wanted.index);
      }
    }
    expect(Math.min(...met)).toBeGreaterThan(100);
    expect(met.reduce((sum, one) => sum + one)).toBeGreaterThan(1430);
  });

  test('of a triangle and the core line of a capsule are the nearest of all, with the feature on which they lie', () => {
    const rnd = random(12);
    const met = [0, 0, 0];
    for (const corners of triangles(200, rnd)) {
      const n = setTriangle(corners);
      const h = f(0.1 + rnd());
      // A leaf of an older call must not stay.
      words(work('region'))[0] = 9;
      words(work('index'))[0] = 9;
      driver.core.testSegmentTriangle(h);
      const [p, q] = [rowAt(work('point')), rowAt(work('found'))];
      const [region, index] = [words(work('region'))[0]!, words(work('index'))[0]!];
      expect(Math.hypot(p[0], p[2]) + Math.max(Math.abs(p[1]) - h, 0)).toBeLessThan(1e-6);
      // The line cut into many pieces, then the best of them again.
      let [low, high] = [-h, h];
      let best = nearestOn(corners, n, [0, -h, 0]);
      let at = -h;
      for (let round = 0; round < 6; round++) {
        for (let i = 0; i <= 12; i++) {
          const y = low + ((high - low) * i) / 12;
          const one = nearestOn(corners, n, [0, y, 0]);
          if (one.distance < best.distance) {
            best = one;
            at = y;
          }
        }
        const step = (high - low) / 12;
        [low, high] = [Math.max(-h, at - step), Math.min(h, at + step)];
      }
      expect(Math.abs(len(sub(p, q)) - best.distance)).toBeLessThan(3e-4);
      const own = nearestOn(corners, n, q);
      expect(own.distance).toBeLessThan(1e-5);
      expect([FACE, EDGE, VERTEX]).toContain(region);
      met[region]!++;
      if (region === VERTEX) expect(len(sub(q, corners[index]!))).toBeLessThan(1e-5);
      else if (region === EDGE) {
        const [v, w] = [corners[index]!, corners[(index + 1) % 3]!];
        expect(len(cross(sub(q, v), unit(sub(w, v))))).toBeLessThan(1e-5);
        expect(Math.min(len(sub(q, v)), len(sub(q, w)))).toBeGreaterThan(1e-6);
      } else if (best.distance > 1e-3) expect(best.region).toBe(FACE);
    }
    expect(Math.min(...met)).toBeGreaterThan(15);
  });

  test('beside a line that is parallel to an edge, and of a line without length', () => {
    const corners: Vec[] = [
      [1, -0.5, 0.2],
      [1, 0.5, 0.2],
      [2.5, 0.1, 0.7],
    ];
    setTriangle(corners);
    driver.core.testSegmentTriangle(0.25);
    expect(len(sub(rowAt(work('point')), rowAt(work('found'))))).toBeCloseTo(Math.hypot(1, 0.2), 6);
    expect([words(work('region'))[0], words(work('index'))[0]]).toEqual([EDGE, 0]);
    driver.core.testSegmentTriangle(0);
    expect(len(rowAt(work('point')))).toBe(0);
    expect(rowAt(work('found'))[0]).toBeCloseTo(1, 6);
    expect(rowAt(work('found'))[2]).toBeCloseTo(0.2, 6);
  });
});

describe('directions at an edge', () => {
  const kinds = { flat: EDGE_FLAT, convex: EDGE_CONVEX, concave: EDGE_CONCAVE, boundary: EDGE_BOUNDARY };

  /** An edge between two triangles that meet at an angle (positive: a ridge), the first with a random frame. */
  function fold(rnd: () => number, k: number, angle: number, side: number, kind: number) {
    const corners = triangles(1, rnd)[0]!;
    const n = setTriangle(corners);
    driver.core.testFrameEdges();
    const d = unit(sub(corners[(k + 1) % 3]!, corners[k]!));
    const inward = cross(n, d);
    // The neighbor's normal leans away from the triangle over a ridge.
    const neighbor = add(mul(n, Math.cos(angle)), mul(inward, -Math.sin(angle)));
    floats(field(`nn${k}`)).set([...neighbor, 0]);
    words(field('edges'))[0] = kind << (2 * k);
    floats(field('sideSign'), 1)[0] = side;
    floats(field('knownSide'), 1)[0] = 0;
    return { n, d, inward, neighbor };
  }
  const clamped = (k: number, m: Vec): Vec => {
    driver.core.testClampToEdge(k, ...m, out);
    return rowAt(out);
  };

  test('that a ridge allows lie between the normals of its triangles, and the nearest of them is taken', () => {
    const rnd = random(13);
    for (let i = 0; i < 120; i++) {
      const k = i % 3;
      const angle = 0.2 + 2 * rnd();
      // A valley is a ridge seen from below.
      const isRidge = i % 2 === 0;
      const { n, d, inward, neighbor } = fold(
        rnd,
        k,
        isRidge ? angle : -angle,
        isRidge ? 1 : -1,
        isRidge ? kinds.convex : kinds.concave,
      );
      const sign = isRidge ? 1 : -1;
      const between = (t: number): Vec => mul(add(mul(n, Math.cos(t * angle)), mul(inward, -Math.sin(t * angle) * sign)), sign);
      expect(len(sub(between(1), mul(neighbor, sign)))).toBeLessThan(1e-6);
      // Directions across the edge, then tilted along it.
      const turn = 2 * Math.PI * rnd() - Math.PI;
      const across = mul(add(mul(n, Math.cos(turn)), mul(inward, -Math.sin(turn) * sign)), sign);
      const isBetween = turn > 0 && turn < angle;
      if (Math.min(Math.abs(turn), Math.abs(turn - angle)) > 0.01) {
        expect(driver.core.testEdgeAllows(k, ...across), `${turn} of ${angle}`).toBe(Number(isBetween));
      }
      const m = unit(add(across, mul(d, rnd() - 0.5)));
      let best = between(0);
      for (let t = 0; t <= 1; t += 1 / 512) if (dot(between(t), m) > dot(best, m)) best = between(t);
      // Opposite to the middle of them the two ends are equally far.
      if (Math.abs(dot(between(0), m) - dot(between(1), m)) < 0.02 && !isBetween) continue;
      if (Math.cos(turn - angle / 2) < 0) continue;
      expect(dot(clamped(k, m), m)).toBeGreaterThan(dot(best, m) - 1e-4);
      expect(len(clamped(k, m))).toBeCloseTo(1, 5);
      expect(Math.abs(dot(clamped(k, m), d))).toBeLessThan(1e-5);
      expect(Math.max(...[0, 0.25, 0.5, 0.75, 1].map((t) => dot(clamped(k, m), between(t))))).toBeGreaterThan(
        Math.cos(angle / 8) - 1e-5,
      );
    }
  });

  test('that a border allows lead outward on the side of the shape', () => {
    const rnd = random(14);
    for (let i = 0; i < 90; i++) {
      const k = i % 3;
      const side = i % 2 === 0 ? 1 : -1;
      const { n, d, inward } = fold(rnd, k, 0.5, side, kinds.boundary);
      const turn = Math.PI * (2 * rnd() - 1);
      // From the shape's side of the face (0) over the outside (a right angle) to the other side.
      const m = add(mul(n, Math.cos(turn) * side), mul(inward, -Math.sin(turn)));
      if (Math.abs(Math.sin(turn)) < 0.01 || Math.abs(Math.cos(turn)) < 0.01) continue;
      const allowed = turn > 0 && turn < Math.PI / 2;
      expect(driver.core.testEdgeAllows(k, ...m)).toBe(Number(allowed));
      const wanted = turn < 0 ? mul(n, side) : allowed ? m : mul(inward, -1);
      expect(len(sub(clamped(k, unit(add(m, mul(d, 0.3)))), wanted))).toBeLessThan(1e-5);
    }
  });

  test('that a flat edge, and a valley from above, allow are the normal of the face', () => {
    const rnd = random(15);
    for (let i = 0; i < 30; i++) {
      const k = i % 3;
      const isFlat = i % 2 === 0;
      const { n, inward } = fold(rnd, k, isFlat ? 0 : -0.7, 1, isFlat ? kinds.flat : kinds.concave);
      const m = unit(add(n, mul(inward, -0.4 - rnd())));
      expect(driver.core.testEdgeAllows(k, ...m)).toBe(0);
      expect(len(sub(clamped(k, m), n))).toBeLessThan(1e-6);
    }
  });
});

describe('whether a shape is outside, around a ridge', () => {
  /** Puts the center of A at p, in the frame of the surface, which is that of A. */
  const place = (p: Vec) => {
    driver.setPose({
      c: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      t: [0, 0, 0],
    });
    words(field('rel'))[0] = driver.rel;
    floats(field('center')).set([...p, 0]);
    floats(field('centerB')).set([...p, 0]);
  };
  const setSurface = (type: number, cooked: { blob: ArrayBuffer; min: readonly number[]; max: readonly number[] }): number => {
    driver.setSurface(type, cooked);
    const blob = driver.core.allocate(cooked.blob.byteLength) >>> 0;
    new Uint8Array(driver.memory.buffer).set(new Uint8Array(cooked.blob), blob);
    words(field('typeB'))[0] = type;
    words(field('blob'))[0] = blob;
    return blob;
  };

  test('of a heightfield is whether its center is above it', () => {
    const rnd = random(16);
    const [nx, nz] = [5, 4];
    const spacing = 0.7;
    const heights = Array.from({ length: nx * nz }, () => f(rnd()));
    const blob = setSurface(SHAPE_HEIGHTFIELD, cookHeightfield(heights, { nx, nz, spacing }));
    const origin = [floats(blob + HeightfieldBlob.originX, 1)[0]!, floats(blob + HeightfieldBlob.originZ, 1)[0]!];
    const at = (i: number, j: number) => heights[j * nx + i]!;
    for (let i = 0; i < 400; i++) {
      const [x, z] = [6 * rnd() - 1, 5 * rnd() - 1];
      const y = rnd();
      const [ci, cj] = [Math.floor(x), Math.floor(z)];
      const inside = ci >= 0 && cj >= 0 && ci < nx - 1 && cj < nz - 1;
      let height = Number.POSITIVE_INFINITY;
      if (inside) {
        const [u, w] = [x - ci, z - cj];
        const [a, d] = [at(ci, cj), at(ci + 1, cj + 1)];
        // Two triangles: a, (i, j + 1), d and a, d, (i + 1, j).
        const e = w > u ? at(ci, cj + 1) : at(ci + 1, cj);
        height = w > u ? a + (e - a) * w + (d - e) * u : a + (e - a) * u + (d - e) * w;
      }
      if (Math.abs(y - height) < 1e-4) continue;
      place([origin[0]! + x * spacing, y, origin[1]! + z * spacing]);
      expect(driver.core.testOutsideAround(), `${x} ${y} ${z}`).toBe(Number(y > height));
    }
  });

  test('of the sides of a block is whether its center is above the top or before another side', () => {
    const at = (x: number, y: number, z: number): Vec => [x * 1, y * 0.6, z * 1.4];
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => at(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    const quads = [
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 2, 3, 1],
      [4, 5, 7, 6],
    ];
    const indices = quads.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]);
    setSurface(SHAPE_MESH, cookMesh(corners.flat(), indices));
    const rnd = random(17);
    let outside = 0;
    for (let i = 0; i < 300; i++) {
      const p: Vec = [3 * rnd() - 1.5, 2 * rnd() - 1, 4 * rnd() - 2];
      place(p);
      const index = Math.floor(12 * rnd());
      driver.core.testLoadTriangle(index);
      const n = rowAt(field('n'));
      const axis = n.findIndex((x) => Math.abs(x) > 0.5);
      // Behind the side at hand, as in decideSide.
      if (dot(n, sub(p, rowAt(field('v0')))) > 0) continue;
      const size = [1, 0.6, 1.4];
      // Faces that meet the triangle's corners: all but the one opposite.
      const loaded = [0, 1, 2].map((k) => rowAt(field(`v${k}`)));
      const touched = [0, 1, 2]
        .flatMap((k) => (k === axis ? [] : [1, -1].map((sign) => [k, sign] as const)))
        .filter(([k, sign]) => loaded.some((v) => v[k] * sign > 0.99 * size[k]!));
      const isOutside = touched.some(([k, sign]) => p[k]! * sign > size[k]!);
      if (isOutside) outside++;
      expect(driver.core.testOutsideAround(), `${p} ${index}`).toBe(Number(isOutside));
    }
    expect(outside).toBeGreaterThan(50);
  });

  test.each([
    ['wound alike', [0, 1, 3]],
    ['wound against each other', [1, 0, 3]],
  ] as const)(
    'of a ridge of two triangles is whether its center is before the other one, over any edge: %s',
    (_name, neighbor) => {
      const corners: Vec[] = [
        [0, 0, -1],
        [0, 0, 1],
        [-1, 0, 0.2],
        [0.5, -1, 0.1],
      ];
      const top = [1, 0, 2];
      for (let first = 0; first < 3; first++) {
        const turned = [0, 1, 2].map((k) => top[(first + k) % 3]!);
        setSurface(SHAPE_MESH, cookMesh(corners.flat(), [...turned, ...neighbor]));
        const index = [0, 1].find((i) => {
          driver.core.testLoadTriangle(i);
          return [0, 1, 2].some((k) => rowAt(field(`v${k}`))[0] < -0.5 || Math.abs(rowAt(field('n'))[1]) > 0.99);
        })!;
        for (const [p, outside] of [
          [[1, -0.5, 0.1], 1],
          [[0.4, -0.3, -0.4], 1],
          [[-0.3, -0.4, 0], 0],
          [[0.1, -0.4, 0.3], 0],
        ] as const) {
          place(p);
          driver.core.testLoadTriangle(index);
          expect(rowAt(field('n'))[1]).toBeCloseTo(1, 6);
          expect(driver.core.testOutsideAround(), `${first} ${p}`).toBe(outside);
        }
      }
    },
  );
});
