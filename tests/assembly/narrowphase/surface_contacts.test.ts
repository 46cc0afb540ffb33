// Meshes and heightfields against closed forms and double precision: a slope that a heightfield makes of many cells, contacts on both
// surfaces around ridges and valleys, balls that meet surfaces which turn, and limits that are reached exactly.
import { beforeAll, describe, expect, test } from 'vitest';
import { ManifoldOut, SHAPE_HEIGHTFIELD, SHAPE_MESH } from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { convexHull } from '../../../src/shapes/hull';
import { cookMesh } from '../../../src/shapes/mesh';
import { gridMesh } from '../../helpers/surfaces';
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
  support,
  toWorld,
  unit,
  unrotate,
  type Vec,
} from './round_oracle';

const f = Math.fround;
const MARGIN = f(0.02);
let driver: Driver;
beforeAll(() => {
  driver = new Driver();
});

interface Contact {
  n: Vec;
  p: Vec;
  s: number;
}
/** All contacts of the shapes that are set, with A at a pose in the frame of B; in the frame of B. */
function contactsAt(pose: Pose, margin = MARGIN): { contacts: Contact[]; gap: number } {
  const { core, memory, shapeA, shapeB, rel, out, cache } = driver;
  const back: [Vec, Vec, Vec] = [0, 1, 2].map((k) => [pose.c[0][k]!, pose.c[1][k]!, pose.c[2][k]!]) as unknown as [Vec, Vec, Vec];
  driver.setPose({ c: back, t: mul(unrotate(pose, pose.t), -1) });
  driver.setCache(0);
  const count = core.collide(shapeA, shapeB, rel, out, cache, margin) >>> 0;
  const contacts: Contact[] = [];
  const v = new Float32Array(memory.buffer, out, (Math.max(count, 1) * ManifoldOut.STRIDE) / 4);
  const u = new Uint32Array(memory.buffer, out, v.length);
  for (let m = 0; m < count; m++) {
    const at = (m * ManifoldOut.STRIDE) / 4;
    const n = rotate(pose, [...v.subarray(at + ManifoldOut.nx / 4, at + ManifoldOut.nx / 4 + 3)] as unknown as Vec);
    for (let k = 0; k < u[at]!; k++) {
      const [x, y, z, s] = v.subarray(
        at + ManifoldOut.x0 / 4 + 4 * k,
        at + ManifoldOut.x0 / 4 + 4 * k + 4,
      ) as unknown as number[];
      contacts.push({ n, p: toWorld(pose, [x!, y!, z!]), s: s! });
    }
  }
  return { contacts, gap: v[ManifoldOut.gap / 4]! };
}

const rnd = random(55);
const size = () => f(0.2 + 0.3 * rnd());
const makers: [string, () => Solid][] = [
  ['sphere', () => sphere(size())],
  ['capsule', () => capsule(size(), size())],
  ['box', () => box(size(), size(), size())],
  [
    'hull',
    () =>
      hullOf(
        convexHull(
          Array.from({ length: 12 }, () => randomDirection(rnd)).flatMap((d) => [f(0.5 * d[0]), f(0.3 * d[1]), f(0.4 * d[2])]),
        ),
      ),
  ],
  ['cylinder', () => cylinder(size(), size())],
  ['cone', () => cone(size(), size())],
];

test.each(makers)('a %s over any cell of a slope is as far from it as from its plane', (_name, make) => {
  for (const [nx, nz] of [
    [4, 19],
    [19, 4],
    [11, 12],
  ] as const) {
    const [sx, sz] = [0.5, 0.7];
    const origin: Vec = [-1.5, 0.25, 2];
    const slope = [0.21, -0.34];
    const heights = Array.from({ length: nx * nz }, (_, i) => slope[0]! * (i % nx) * sx + slope[1]! * Math.floor(i / nx) * sz);
    const field = cookHeightfield(heights, { nx, nz, spacing: [sx, sz], origin: [...origin] });
    const positions = heights.flatMap((y, i) => [origin[0] + (i % nx) * sx, origin[1] + y, origin[2] + Math.floor(i / nx) * sz]);
    const corners = heights.map((_, i) => i).filter((i) => i % nx < nx - 1 && i < nx * (nz - 1));
    const mesh = cookMesh(
      positions,
      corners.flatMap((i) => [i, i + nx, i + nx + 1, i, i + nx + 1, i + 1]),
    );
    const n = unit([-slope[0]!, 1, -slope[1]!]);
    const a = make();
    driver.setShape(0, a);
    for (let i = 0; i < 36; i++) {
      if (i === 0) driver.setSurface(SHAPE_HEIGHTFIELD, field);
      else if (i === 18) driver.setSurface(SHAPE_MESH, mesh);
      const pose = poseOf(...randomRotation(rnd), [0, 0, 0]);
      const [x, z] = [(0.02 + 0.96 * rnd()) * (nx - 1) * sx, (0.02 + 0.96 * rnd()) * (nz - 1) * sz];
      const ground: Vec = [origin[0] + x, origin[1] + slope[0]! * x + slope[1]! * z, origin[2] + z];
      // The lowest point of A stands over the cell, that far above the plane.
      const gap = [0.011, -0.004, 0.05][i % 3]!;
      const lowest = rotate(pose, support(a, unrotate(pose, mul(n, -1))));
      const at: Pose = { c: pose.c, t: sub(add(ground, mul(n, gap)), lowest) };
      const { contacts, gap: bound } = contactsAt(at);
      const label = `${nx} ${nz} ${x} ${z} ${gap}`;
      if (gap > MARGIN) {
        expect(contacts.length, label).toBe(0);
        expect(bound, label).toBeLessThan(gap + 1e-5);
        expect(bound, label).toBeGreaterThan(MARGIN);
        continue;
      }
      expect(contacts.length, label).toBeGreaterThan(0);
      expect(Math.abs(Math.min(...contacts.map(({ s }) => s)) - gap), label).toBeLessThan(2e-4);
      const deepest = contacts.reduce((least, one) => (one.s < least.s ? one : least));
      expect(dot(deepest.n, n), label).toBeLessThan(-0.99999);
      // Its point is on A, and as far from the plane as it says.
      expect(Math.abs(dot(sub(deepest.p, ground), n) - gap), label).toBeLessThan(3e-4);
    }
  }
});

/** Distance of a point from a triangle. */
function toTriangle(p: Vec, [a, b, c]: readonly Vec[]): number {
  const corners = [a!, b!, c!];
  const n = unit(cross(sub(b!, a!), sub(c!, a!)));
  if (corners.every((v, k) => dot(cross(n, sub(corners[(k + 1) % 3]!, v)), sub(p, v)) >= 0)) return Math.abs(dot(n, sub(p, a!)));
  const distances = corners.map((v, k) => {
    const e = sub(corners[(k + 1) % 3]!, v);
    const t = Math.max(0, Math.min(1, dot(sub(p, v), e) / dot(e, e)));
    return len(sub(p, add(v, mul(e, t))));
  });
  return Math.min(...distances);
}
const trianglesOf = (positions: readonly number[], indices: readonly number[]): Vec[][] =>
  Array.from({ length: indices.length / 3 }, (_, i) =>
    [0, 1, 2].map((k) => positions.slice(3 * indices[3 * i + k]!, 3 * indices[3 * i + k]! + 3) as unknown as Vec),
  );

test.each(makers)('contacts of a %s at ridges, valleys and borders lie on both surfaces', (name, make) => {
  /** Distance of a point from the surface of A; of a capsule that leans from where its core line is shifted along the normal. */
  const fromA = (a: Solid, p: Vec, n: Vec): number => {
    if (name !== 'capsule') return Math.abs(pointDistance(a, p));
    const [x, y, z] = sub(p, mul(n, a.p[0]));
    return Math.hypot(x, Math.max(Math.abs(y) - a.p[1], 0), z);
  };
  let touching = 0;
  for (let i = 0; i < 72; i++) {
    // A roof or a ditch of four triangles, out of the axes.
    const turn = poseOf(...randomRotation(rnd), [0, 0, 0]);
    const rise = [0.6, -0.4, 0.25, 0][i % 4]!;
    const points: Vec[] = [
      [-1, 0, -0.9],
      [0.1, rise, -1],
      [1.2, 0.1, -0.8],
      [-0.9, 0.1, 1.1],
      [0.05, rise, 1],
      [0.8, 0, 0.9],
    ];
    const positions = points.flatMap((p) => rotate(turn, p)).map(f);
    const indices = [0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2];
    const triangles = trianglesOf(positions, indices);
    driver.setSurface(SHAPE_MESH, cookMesh(positions, indices));
    const a = make();
    driver.setShape(0, a);
    const pose = poseOf(...randomRotation(rnd), [0, 0, 0]);
    const up = unit(add(rotate(turn, [0, 1, 0]), mul(randomDirection(rnd), 0.5)));
    const lowest = rotate(pose, support(a, unrotate(pose, mul(up, -1))));
    const ground = rotate(turn, [0.3 * (rnd() - 0.5), rise, 1.6 * (rnd() - 0.5)]);
    const at: Pose = { c: pose.c, t: sub(add(ground, mul(up, [0.01, -0.01, -0.002][i % 3]!)), lowest) };
    const scale = extentOf(a);
    const { contacts } = contactsAt(at);
    if (contacts.length > 0) touching++;
    for (const { n, p, s } of contacts) {
      expect(Math.abs(len(n) - 1)).toBeLessThan(1e-5);
      expect(s).toBeLessThan(MARGIN + 1e-6);
      expect(fromA(a, unrotate(at, sub(p, at.t)), unrotate(at, n)), `${i}: on A`).toBeLessThan(6e-3 * scale);
      const q = add(p, mul(n, s));
      expect(Math.min(...triangles.map((one) => toTriangle(q, one))), `${i}: on B`).toBeLessThan(2e-3 * scale);
    }
  }
  expect(touching).toBeGreaterThan(30);
});

describe('a ball that meets a surface which turns', () => {
  type Quat = readonly [number, number, number, number];
  const turnBy = (w: Vec, t: number): Quat => {
    const a = len(w) * t;
    const k = a > 0 ? (Math.sin(a / 2) * t) / a : 0;
    return [w[0] * k, w[1] * k, w[2] * k, Math.cos(a / 2)];
  };
  const NEVER = -1;

  test.each(['triangle', 'mesh', 'heightfield'])('meets it when samples of the motion say so: %s', (kind) => {
    const { core, memory, shapeA, shapeB } = driver;
    const motion = core.sweepMotion() as number;
    const next = random(kind.length * 17);
    const scaled = (k: number): Vec => randomDirection(next).map((x) => f(x * k)) as unknown as Vec;
    let [met, missed] = [0, 0];
    for (let trial = 0; trial < 80; trial++) {
      let triangles: Vec[][];
      if (kind === 'heightfield') {
        const [nx, nz, spacing] = [4, 3, 0.35];
        const heights = Array.from({ length: nx * nz }, () => f(0.25 * next()));
        driver.setSurface(SHAPE_HEIGHTFIELD, cookHeightfield(heights, { nx, nz, spacing }));
        const at = (i: number, j: number): Vec => [i * spacing, heights[j * nx + i]!, j * spacing];
        const cells = Array.from({ length: (nx - 1) * (nz - 1) }, (_, k) => [k % (nx - 1), Math.floor(k / (nx - 1))] as const);
        triangles = cells.flatMap(([i, j]) => [
          [at(i, j), at(i, j + 1), at(i + 1, j + 1)],
          [at(i, j), at(i + 1, j + 1), at(i + 1, j)],
        ]);
      } else {
        const grid = gridMesh(2, 0.5, (x, z) => 0.3 * Math.sin(4 * x + trial) * z);
        const corners = [0, 1, 2].map(() => scaled(0.3 + 0.7 * next()));
        const positions = (kind === 'triangle' ? corners.flat() : grid.positions).map(f);
        const indices = kind === 'triangle' ? [0, 1, 2] : grid.indices;
        triangles = trianglesOf(positions, indices);
        driver.setSurface(SHAPE_MESH, cookMesh(positions, indices));
      }
      const r = f(0.05 + 0.25 * next());
      driver.setShape(0, sphere(r));
      const [qa, qb] = [[0, 0, 0, 1], unitRotation(next)];
      const oa = trial % 3 === 0 ? scaled(0.4 * next()) : ([0, 0, 0] as Vec);
      const ob = trial % 2 === 0 ? scaled(0.6 * next()) : ([0, 0, 0] as Vec);
      const d = scaled(0.4 + 0.8 * next());
      const dv = trial % 4 === 0 ? ([0, 0, 0] as Vec) : scaled(1.5 * next());
      const [wa, wb] = [trial % 3 === 0 ? scaled(4 * next()) : ([0, 0, 0] as Vec), scaled(6 * next())];
      const place = (t: number): Vec => {
        const turnedB = poseOf(...turnBy(wb, t), [0, 0, 0]);
        const center = sub(rotate(poseOf(...turnBy(wa, t), [0, 0, 0]), oa), add(add(d, mul(dv, t)), rotate(turnedB, ob)));
        return unrotate(poseOf(...(qb as unknown as Quat), [0, 0, 0]), unrotate(turnedB, center));
      };
      const gapAt = (t: number): number => Math.min(...triangles.map((one) => toTriangle(place(t), one))) - r;
      if (gapAt(0) < 0.02) continue;
      const view = new Float32Array(memory.buffer, motion, 36);
      view.fill(0);
      for (const [i, row] of [qa, qb, oa, ob, d, dv, wa, wb, [0, 1, 0]].entries()) view.set(row as number[], 4 * i);
      const reachB = Math.max(...triangles.flat().map(len)) + len(ob);
      const t = core.sweepMeeting(motion, shapeA, shapeB, r + len(oa), reachB, 1, 0) as number;
      const [target, skin] = [core.sweepTarget(motion) as number, core.sweepSkin(motion) as number];
      const end = t === NEVER ? 1 : t;
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < 50; k++) least = Math.min(least, gapAt((end * k) / 50));
      expect(least, `${trial}: nothing before ${t}`).toBeGreaterThan(target - 1e-3);
      if (t === NEVER) missed++;
      else {
        met++;
        expect(Math.abs(gapAt(t) - target), `${trial}`).toBeLessThan(0.15 * skin + 1e-4);
      }
    }
    expect(met).toBeGreaterThan(6);
    expect(missed).toBeGreaterThan(8);
  });

  test.each([1, -1])('meets a wall out of its way where it comes by in the middle of an arc, turning by %s', (sign) => {
    const { core, memory, shapeA, shapeB } = driver;
    const motion = core.sweepMotion() as number;
    // The wall turns about the origin, a ball's radius from the center of the ball: seen from the wall the ball goes round.
    const r = 0.5;
    const wall = 1.8 * r;
    const positions = [wall, -1.5, -1.5, wall, -1.5, 1.5, wall, 2.5, 0];
    driver.setSurface(SHAPE_MESH, cookMesh(positions, [0, 1, 2]));
    driver.setShape(0, sphere(r));
    const spin = 1.98;
    const start: Vec = [r * Math.cos(1), 0, -sign * r * Math.sin(1)];
    const view = new Float32Array(memory.buffer, motion, 36);
    view.fill(0);
    view.set([0, 0, 0, 1, 0, 0, 0, 1]);
    view.set(mul(start, -1), 16);
    view.set([0, sign * spin, 0], 28);
    view.set([0, 1, 0], 32);
    const t = core.sweepMeeting(motion, shapeA, shapeB, r, 4, 1, 0) as number;
    // Where the center is 0.8 of the radius on the way to the wall.
    const wanted = (1 - Math.acos(0.8)) / spin;
    expect(t).toBeGreaterThan(wanted - 1e-4);
    expect(t).toBeLessThan(wanted + 0.01);
  });

  const unitRotation = (next: () => number): Quat => {
    const q = randomRotation(next);
    return q.map((x) => f(x / Math.hypot(...q))) as unknown as Quat;
  };
});
