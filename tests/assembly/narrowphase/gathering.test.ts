// How candidates become manifolds (clip.ts, patch.ts, cluster.ts, reduce.ts), and small parts of GJK and EPA, against closed forms and
// searches in double precision.
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_MESH_MANIFOLDS, ManifoldOut, SHAPE_SPHERE } from '../../../src/layout.generated';
import { convexHull } from '../../../src/shapes/hull';
import { coreConstant, coreOffsets } from '../../helpers/core_layout';
import { signedDistance } from './depth_oracle';
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
  poseOf,
  random,
  randomDirection,
  randomRotation,
  rotate,
  type Solid,
  separationAlong,
  sphere,
  sub,
  unit,
  unrotate,
  type Vec,
} from './round_oracle';

const SURFACE = coreOffsets('Surface');
const CLUSTER = coreOffsets('Cluster');
const [CLUSTERS, CLUSTER_STRIDE, CLUSTER_ROWS] = ['SURFACE_CLUSTERS', 'CLUSTER_STRIDE', 'CLUSTER_ROWS'].map(coreConstant) as [
  number,
  number,
  number,
];
const f = Math.fround;
type Row = [number, number, number, number];
let driver: Driver;
let core: Driver['core'];
let rows: number;
let manifolds: number;
let out: number;
beforeAll(() => {
  driver = new Driver();
  core = driver.core;
  rows = core.allocate(16 * 256);
  manifolds = core.allocate(ManifoldOut.STRIDE * MAX_MESH_MANIFOLDS);
  out = core.allocate(64);
});

const floats = (at: number, count = 4) => new Float32Array(driver.memory.buffer, at, count);
const words = (at: number, count = 1) => new Uint32Array(driver.memory.buffer, at, count);
const write = (at: number, list: readonly (readonly number[])[]) => {
  for (const [i, row] of list.entries()) floats(at + 16 * i).set([...row, 0].slice(0, 4));
};
const read = (at: number, count: number): Row[] => Array.from({ length: count }, (_, i) => [...floats(at + 16 * i)] as Row);
const pointsOf = (manifold: number): Row[] => read(manifold + ManifoldOut.x0, words(manifold)[0]!);
const frame = (rnd: () => number) => poseOf(...randomRotation(rnd), [0, 0, 0]);

describe('clipping', () => {
  test('keeps a vertex that lies on the plane, whichever side the polygon comes from', () => {
    const corners: Vec[] = [
      [1, 0, 0.5],
      [0, 1, 0.5],
      [-1, 0, 0.5],
    ];
    for (let first = 0; first < 3; first++) {
      const turned = [0, 1, 2].map((i) => corners[(first + i) % 3]!);
      write(rows, turned);
      const count = core.clipPolygonByPlane(rows, 3, core.polygonWork(), 1, 0, 0, 0) >>> 0;
      const left = read(core.polygonWork(), count).map(([x, y]) => `${x + 0} ${y + 0}`);
      expect([...left].sort()).toEqual(['-1 0', '0 0', '0 1']);
    }
  });

  test('by a face in any plane gives the vertices of both that lie in the other, and no others', () => {
    const rnd = random(31);
    for (let i = 0; i < 60; i++) {
      const { c } = frame(rnd);
      const center = mul(randomDirection(rnd), 2);
      const place = ([x, y]: readonly [number, number], height: number): Vec =>
        add(center, add(add(mul(c[0], x), mul(c[1], y)), mul(c[2], height)));
      // Rectangles along the same axes: the part that they share is one, too.
      const [w, h, x, y] = [0.3 + rnd(), 0.3 + rnd(), 0.6 * (rnd() - 0.5), 0.6 * (rnd() - 0.5)];
      const rect = (x0: number, y0: number, x1: number, y1: number) =>
        [
          [x0, y0],
          [x1, y0],
          [x1, y1],
          [x0, y1],
        ] as const;
      const height = rnd() - 0.5;
      const face = core.polygonBufferB();
      write(
        core.polygonBufferA(),
        rect(-w, -h, w, h).map((p) => place(p, height)),
      );
      write(
        face,
        rect(x - 0.5, y - 0.6, x + 0.5, y + 0.6).map((p) => place(p, 0)),
      );
      const left = core.clipPolygonToFace(core.polygonBufferA(), 4, face, 4, ...c[2], core.polygonWork()) >>> 0;
      const wanted = rect(Math.max(-w, x - 0.5), Math.max(-h, y - 0.6), Math.min(w, x + 0.5), Math.min(h, y + 0.6)).map((p) =>
        place(p, height),
      );
      expect(left).toBe(4);
      const clipped = read(core.polygonBufferA(), 4).map((row) => row.slice(0, 3) as unknown as Vec);
      for (const p of wanted) expect(Math.min(...clipped.map((q) => len(sub(p, q))))).toBeLessThan(2e-6);
    }
  });
});

describe('the patch beside an edge', () => {
  /** A manifold of one point of separation s at `manifolds`, and the normal of the next. */
  const begin = (s: number, n: Vec) => {
    floats(manifolds, ManifoldOut.STRIDE / 2).fill(Number.NaN);
    words(manifolds)[0] = 1;
    floats(manifolds + ManifoldOut.gap, 1)[0] = 0.125;
    floats(manifolds + ManifoldOut.s0, 1)[0] = s;
    floats(manifolds + ManifoldOut.STRIDE + ManifoldOut.nx, 3).set(n);
  };

  test('has the candidates about as deep as the edge, in their order, as a manifold of its own', () => {
    const row = (i: number, s: number): Row => [i % 2, Math.floor(i / 2), 0.25 * i, s];
    const s0 = 0.01;
    const list = [
      row(0, 0.02),
      row(1, -0.5),
      row(2, 0.005),
      row(3, 0.3),
      row(4, 0.011),
      row(5, 0.0095),
      row(6, -0.001),
      row(7, 0),
    ];
    begin(s0, [0, 0, 1]);
    write(rows, list);
    // The last row is not asked for.
    expect(core.writePatch(rows, 7, manifolds, 0.006, 0.1, 0.01) >>> 0).toBe(1);
    const second = manifolds + ManifoldOut.STRIDE;
    expect(pointsOf(second)).toEqual([0, 2, 4, 5].map((i) => list[i]!.map(f)));
    expect(floats(second + ManifoldOut.gap, 1)[0]).toBe(0.125);
    expect(words(second + ManifoldOut.feature)[0]).toBe(1);
    begin(s0, [0, 0, 1]);
    write(rows, list.slice(1, 2));
    expect(core.writePatch(rows, 1, manifolds, 0.006, 0.1, 0.01) >>> 0).toBe(0);
  });

  test('is for faces whose normal, of either sign, is near that of the edge', () => {
    const rnd = random(32);
    for (let i = 0; i < 200; i++) {
      const [n, m] = [randomDirection(rnd), randomDirection(rnd)];
      const near = unit(add(mul(n, i % 2 === 0 ? 1 : -1), mul(m, 0.3 * rnd())));
      floats(manifolds + ManifoldOut.nx, 3).set(n);
      const cosine = 0.99;
      if (Math.abs(Math.abs(dot(n, near)) - cosine) < 1e-5) continue;
      expect(core.testNearlyParallel(manifolds, ...near, cosine)).toBe(Number(Math.abs(dot(n, near)) > cosine));
    }
  });
});

test('a touching point beside the patch has a manifold of its own where the patch reaches into the air, and only there', () => {
  // Three corners that touch, a fourth, and one more point that touches a little outside of the sides of the four.
  for (const height of [0.2, 0]) {
    const corners: Row[] = [
      [0, 0, 0, 0],
      [4, 0, 0, 0],
      [0, 4, 0, 0],
    ];
    const fourth: Row = [5, 5, 0, height];
    const beside: Row = [2, -0.4, 0, 0];
    for (let place = 0; place < 4; place++) {
      for (const list of [
        [...corners.slice(0, place), fourth, ...corners.slice(place), beside],
        [beside, ...corners.slice(0, place), fourth, ...corners.slice(place)],
      ]) {
        write(rows, list);
        floats(manifolds + ManifoldOut.nx, 3).set([0, 0, 1]);
        const written = core.writePoints(rows, list.length, manifolds, 0.5) >>> 0;
        expect(pointsOf(manifolds)).toEqual(list.filter((row) => row !== beside).map((row) => row.map(f)));
        expect(written).toBe(height > 0 ? 2 : 1);
        if (height > 0) expect(pointsOf(manifolds + ManifoldOut.STRIDE)).toEqual([beside.map(f)]);
      }
    }
  }
});

describe('clusters of contacts', () => {
  const surface = () => core.testSurfaceState() >>> 0;
  const cluster = (i: number) => surface() + CLUSTERS + i * CLUSTER_STRIDE;
  const count = () => words(surface() + SURFACE.clusterCount!)[0]!;
  const start = (type = 2) => {
    words(surface() + SURFACE.clusterCount!)[0] = 0;
    words(surface() + SURFACE.typeA!)[0] = type;
    floats(surface() + SURFACE.planeTolerance!, 1)[0] = 0.05;
    floats(surface() + SURFACE.margin!, 1)[0] = 0.02;
    floats(surface() + SURFACE.extent!, 1)[0] = 1;
    floats(surface() + SURFACE.sideSign!, 1)[0] = 1;
  };
  const addPoints = (n: Vec, list: readonly Row[], triangle: number) => {
    write(rows, list);
    words(surface() + SURFACE.triangle!)[0] = triangle;
    core.testAddContacts(...n, rows, list.length);
  };

  test('take points of one plane, whatever its height and side, and part planes at different heights or angles', () => {
    const rnd = random(33);
    for (const height of [0.8, 0.02, -0.02, -0.7]) {
      const { c } = frame(rnd);
      const n = c[2];
      const at = (x: number, y: number, h: number): Row =>
        [...add(add(mul(c[0], x), mul(c[1], y)), mul(n, h)), 0.001] as unknown as Row;
      start();
      addPoints(n, [at(0.1, 0.2, height), at(0.4, -0.3, height)], 3);
      addPoints(n, [at(-0.6, 0.5, height + 0.01)], 4);
      expect(count()).toBe(1);
      expect(words(cluster(0) + CLUSTER.count!)[0]).toBe(3);
      addPoints(n, [at(0.5, 0.5, height + 0.2)], 5);
      expect(count()).toBe(2);
      addPoints(unit(add(n, mul(c[0], 0.02))), [at(0, 0, height)], 6);
      expect(count()).toBe(3);
      addPoints(n, [at(0.55, 0.5, height + 0.21), at(0.2, -0.5, height + 0.2)], 7);
      expect([0, 1, 2].map((i) => words(cluster(i) + CLUSTER.count!)[0])).toEqual([3, 3, 1]);
      // Used again, they start empty.
      start();
      addPoints(n, [at(0, 0, 0)], 1);
      expect(words(cluster(0) + CLUSTER.count!)[0]).toBe(1);
    }
  });

  test('keep the deepest point and the outermost ones to eight sides when there are too many', () => {
    const rnd = random(34);
    for (let round = 0; round < 8; round++) {
      const { c } = frame(rnd);
      // Points within a circle, and eight far out, some step of directions apart, among them.
      const inner: Row[] = Array.from({ length: 200 }, () => {
        const [x, y] = [rnd() - 0.5, rnd() - 0.5];
        return [...add(mul(c[0], x), mul(c[1], y)), 0.001 * rnd()] as unknown as Row;
      });
      const corners = Array.from({ length: 16 }, (_, i): Row => {
        const turn = (i * Math.PI) / 8 + 0.05;
        return [...add(mul(c[0], 3 * Math.cos(turn)), mul(c[1], 3 * Math.sin(turn))), 0.0015] as unknown as Row;
      });
      const list = [...inner];
      for (const [i, corner] of corners.entries()) list.splice((i * 37) % 60, 0, corner);
      list.splice(17, 0, [0.01, 0.02, -0.01, -0.004]);
      start();
      for (let at = 0; at < list.length; at += 9) addPoints(c[2], list.slice(at, at + 9), at);
      expect(count()).toBe(1);
      const kept = words(cluster(0) + CLUSTER.count!)[0]!;
      expect(kept).toBeLessThanOrEqual(64);
      const held = read(cluster(0) + CLUSTER_ROWS, kept);
      expect(held.some((row) => row[3] === f(-0.004))).toBe(true);
      // To each side the points reach as far as the corners do, but for the step between eight directions.
      for (let i = 0; i < 32; i++) {
        const turn = (i * Math.PI) / 16;
        const side = add(mul(c[0], Math.cos(turn)), mul(c[1], Math.sin(turn)));
        const reach = Math.max(...held.map((row) => dot(side, row as unknown as Vec)));
        expect(reach, `${turn}`).toBeGreaterThan(3 * Math.cos(Math.PI / 8) - 0.01);
      }
    }
  });

  test('become manifolds: the deepest triangle is remembered, a sphere has one point, reports of one point are one', () => {
    const n: Vec = [0, 0, 1];
    start();
    floats(surface() + SURFACE.sideSign!, 1)[0] = -1;
    addPoints(n, [[1, 0, 0, 0.003]], 8);
    addPoints(n, [[1, 0, 0, -0.002]], 11);
    addPoints([0, 1, 0], [[0.2, 0.5, 0.1, 0.001]], 5);
    expect(core.testWriteManifolds(manifolds, out) >>> 0).toBe(2);
    expect(words(out)[0]).toBe((12 << 1) | 1);
    expect(pointsOf(manifolds)).toEqual([[1, 0, 0, f(-0.002)]]);
    expect(words(manifolds + ManifoldOut.feature)[0]).toBe(11);
    expect(floats(manifolds + ManifoldOut.gap, 1)[0]).toBe(f(-0.002));
    start(SHAPE_SPHERE);
    addPoints(n, [[0, 0, -1, 0.004]], 2);
    addPoints(n, [[0.001, 0, -1, 0.001]], 3);
    addPoints(n, [[0, 0.001, -1, 0.002]], 4);
    expect(core.testWriteManifolds(manifolds, out) >>> 0).toBe(1);
    expect(pointsOf(manifolds)).toEqual([[0.001, 0, -1, 0.001].map(f)]);
    expect(words(out)[0]).toBe(4 << 1);
    start();
    expect(core.testWriteManifolds(manifolds, out) >>> 0).toBe(0);
    expect(words(out)[0]).toBe(0);
  });

  test('give way to deeper ones when all are taken', () => {
    start();
    const rnd = random(35);
    const normals = Array.from({ length: MAX_MESH_MANIFOLDS + 1 }, () => randomDirection(rnd));
    const depth = (i: number) => f(0.01 - 0.0001 * ((i * 7) % MAX_MESH_MANIFOLDS));
    normals.slice(0, -1).forEach((n, i) => {
      addPoints(n, [[0, 0, 0.1 * i, depth(i)]], i);
    });
    expect(count()).toBe(MAX_MESH_MANIFOLDS);
    addPoints(normals.at(-1)!, [[9, 9, 9, 0.011]], 90);
    addPoints(normals.at(-1)!, [[7, 7, 7, -0.1]], 91);
    expect(core.testWriteManifolds(manifolds, out) >>> 0).toBe(MAX_MESH_MANIFOLDS);
    const all = Array.from({ length: MAX_MESH_MANIFOLDS }, (_, i) => pointsOf(manifolds + i * ManifoldOut.STRIDE)).flat();
    expect(all.length).toBe(MAX_MESH_MANIFOLDS);
    expect(all.filter((row) => row[0] === 7).length).toBe(1);
    // The shallowest is the one that is gone.
    expect(Math.max(...all.map((row) => row[3]))).toBe(f(0.0099));
    expect(words(out)[0]).toBe(92 << 1);
  });
});

test('a packed direction is the same direction', () => {
  const rnd = random(36);
  for (let i = 0; i < 600; i++) {
    const axis = [0, 0, 0].map((_, k) => (k === i % 3 ? (i % 2) * 2 - 1 : 0)) as unknown as Vec;
    const n = i < 12 ? axis : randomDirection(rnd);
    const packed = core.testPackDirection(...n) >>> 0;
    expect(packed).not.toBe(0);
    core.testUnpackDirection(packed, out);
    expect(len(sub([...floats(out, 3)] as unknown as Vec, n))).toBeLessThan(1.5e-4);
  }
});

const rnd = random(37);
const size = () => f(0.3 + rnd());
const cloud = (points = 12): Solid => {
  const [x, y, z] = [size(), size(), size()];
  const list = Array.from({ length: points }, () => randomDirection(rnd)).flatMap((u) => [f(u[0] * x), f(u[1] * y), f(u[2] * z)]);
  return hullOf(convexHull(list));
};
const flat = [() => box(size(), size(), size()), () => cloud(8 + Math.floor(10 * rnd()))];
const makers = [
  ...flat,
  () => cylinder(size(), size()),
  () => cone(size(), size()),
  () => capsule(size(), size()),
  () => sphere(size()),
];

test('the points that GJK finds are those of both shapes that are nearest to each other', () => {
  for (let i = 0; i < 130; i++) {
    const [a, b] = [makers[i % makers.length]!(), makers[Math.floor(i / makers.length) % makers.length]!()];
    driver.setShape(0, a);
    driver.setShape(1, b);
    const pose = driver.setPose(
      poseOf(...randomRotation(rnd), mul(randomDirection(rnd), (extentOf(a) + extentOf(b)) * (0.8 + 0.4 * rnd()))),
    );
    const apart = core.testGjk(driver.shapeA, driver.shapeB, driver.rel, out) === 0;
    if (!apart) continue;
    const v = [...floats(out + 16, 3)] as unknown as Vec;
    if (len(v) < 0.02) continue;
    const radius = (s: Solid) => (s.type <= 1 ? s.p[0] : 0);
    const onA = [...floats(out, 3)] as unknown as Vec;
    const onB = unrotate(pose, sub(sub(onA, v), pose.t));
    const scale = extentOf(a) + extentOf(b);
    expect(pointDistance(a, onA) + radius(a), `${i}`).toBeLessThan(1e-4 * scale);
    expect(pointDistance(b, onB) + radius(b), `${i}`).toBeLessThan(1e-4 * scale);
    const exact = signedDistance(a, b, pose).most + radius(a) + radius(b);
    expect(Math.abs(len(v) - exact)).toBeLessThan(1e-4 * scale);
  }
});

describe('EPA', () => {
  const depthOf = (
    a: Solid,
    b: Solid,
    pose: ReturnType<typeof poseOf>,
  ): { depth: number; exact: number; along: number; size: number } => {
    driver.setShape(0, a);
    driver.setShape(1, b);
    const rounded = driver.setPose(pose);
    core.testEpa(driver.shapeA, driver.shapeB, driver.rel, out);
    const [x, y, z, depth] = [...floats(out)] as Row;
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 5);
    const along = -separationAlong(a, b, rounded, [x, y, z]);
    return { depth, exact: -signedDistance(a, b, rounded).least, along, size: extentOf(a) + extentOf(b) };
  };

  test('finds the least depth of polyhedra that overlap', () => {
    for (let i = 0; i < 120; i++) {
      const [a, b] = [flat[i % 2]!(), flat[Math.floor(i / 2) % 2]!()];
      const pose = poseOf(...randomRotation(rnd), mul(randomDirection(rnd), 0.35 * rnd() * (extentOf(a) + extentOf(b))));
      const { depth, exact, along, size: scale } = depthOf(a, b, pose);
      expect(Math.abs(depth - along)).toBeLessThan(3e-6 * scale);
      if (exact < 1e-3) continue;
      expect(depth - exact, `${i}`).toBeLessThan(1e-4 * scale + 2e-3 * exact);
    }
  });

  test('starts with a body of its own whichever corner lies ahead', () => {
    // Slivers and wedges, whose long edge lies along the way between the centers, on any side of it.
    for (let i = 0; i < 120; i++) {
      const turn = randomRotation(rnd);
      const [side, thick] = [0.2 + rnd(), 0.05 + 0.5 * rnd()];
      const wedge = [0, 1, 0, 0, -1, 0, side, 0.2 * (rnd() - 0.5), thick, side, 0.3 * rnd(), -thick];
      const placed = poseOf(...turn, [0, 0, 0]);
      const points = [0, 3, 6, 9].flatMap((k) => rotate(placed, wedge.slice(k, k + 3) as unknown as Vec).map(f));
      const a = hullOf(convexHull(points));
      const b = box(0.002, 0.003, 0.0025);
      // B on the long edge, a little inside.
      const along = rotate(placed, [0.01 + 0.05 * rnd(), 0.8 * (rnd() - 0.5), 0]);
      const { depth, exact, size: scale } = depthOf(a, b, poseOf(...randomRotation(rnd), along));
      if (exact < 1e-3) continue;
      expect(depth - exact, `${i}`).toBeLessThan(1e-4 * scale + 2e-3 * exact);
    }
  });
});
