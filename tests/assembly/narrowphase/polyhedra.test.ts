import { beforeAll, describe, expect, it } from 'vitest';
import { convexHull } from '../../../src/shapes/hull';
import { Collider, type Result, roundPose } from '../../helpers/collide';
import { isLong } from '../../helpers/long';
import {
  bestAxis,
  boxPolyhedron,
  distance,
  dot,
  heightOver,
  hullPolyhedron,
  mad,
  type Point,
  type Polyhedron,
  posed,
  separationAlong,
} from '../../helpers/polyhedra';
import { type Columns, columnsOf, randomRotation, seeded } from '../../helpers/random';

const IDENTITY: Columns = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const MARGIN = 0.02;

let collider: Collider;
beforeAll(() => {
  collider = new Collider();
});

const finite = (r: Result): boolean =>
  [r.gap, ...(r.manifolds ? [...r.normal, ...r.contacts.flatMap((c) => [...c.point, c.separation])] : [])].every(Number.isFinite);

/** Least width over the face normals. */
const width = (p: Polyhedron): number =>
  Math.min(...p.planes.map(([x, y, z, d]) => d - Math.min(...p.vertices.map((v) => dot([x, y, z], v)))));
const extent = (p: Polyhedron): number => Math.max(...p.vertices.map((v) => Math.hypot(...v)));

/** Checks one result against brute force; `size` scales rounding errors (m). */
function check(r: Result, a: Polyhedron, b: Polyhedron, margin: number, label: string): void {
  const size = Math.max(extent(a), extent(b));
  const noise = 4e-6 * size;
  const best = bestAxis(a, b);
  const bias = 0.5e-3 * Math.min(width(a), width(b)) + 0.02 * Math.max(0, -best.separation);
  if (!finite(r)) throw new Error(`${label}: not finite ${JSON.stringify(r)}`);
  if (r.manifolds === 0) {
    const apart = best.separation > 0 ? distance(a, b) : 0;
    if (best.separation < -noise) throw new Error(`${label}: missed an overlap of ${best.separation}`);
    if (r.gap > apart + noise) throw new Error(`${label}: gap ${r.gap} exceeds the distance ${apart}`);
    if (best.separation > margin + noise && r.gap <= margin)
      throw new Error(`${label}: gap ${r.gap} although ${best.separation} apart`);
    return;
  }
  const n = r.normal;
  if (Math.abs(Math.hypot(...n) - 1) > 1e-5) throw new Error(`${label}: normal ${n}`);
  const along = separationAlong(a, b, n);
  if (along < best.separation - 2.1 * bias - noise) throw new Error(`${label}: axis ${along}, best ${best.separation}`);
  if (r.contacts.length < 1 || r.contacts.length > 4) throw new Error(`${label}: ${r.contacts.length} points`);
  const deepest = Math.min(...r.contacts.map((c) => c.separation));
  // An axis that hysteresis or the preference for faces holds although another is a little better may have its deepest
  // vertex beyond the rim of the reference face; the points within are less deep. So may shapes that are still apart.
  const second = along > 0 ? margin : along < best.separation - noise ? 0.3 * Math.abs(along) : 0;
  if (deepest < along - noise || deepest > along + noise + bias + second)
    throw new Error(`${label}: deepest ${deepest}, along the normal ${along}, best ${best.separation}`);
  for (const { point, separation } of r.contacts) {
    if (separation > margin) throw new Error(`${label}: point above the margin`);
    // Clipping keeps points up to 1e-4 of a face outside of it. Edges apart may be closest at an end of one of them: then
    // the point along the axis misses the edge by less than the distance.
    const slack = noise + 1.5e-4 * size + (r.contacts.length === 1 ? Math.max(0, along) : 0);
    if (Math.abs(heightOver(a, point)) > slack) throw new Error(`${label}: point ${heightOver(a, point)} off the surface of A`);
    if (Math.abs(heightOver(b, mad(point, n, separation))) > slack)
      throw new Error(
        `${label}: point ${heightOver(b, mad(point, n, separation))} off the surface of B ${JSON.stringify(r)} best ${JSON.stringify(best)}`,
      );
  }
}

/** A pose of b about `gap` away from a random side of a (negative: that deep): moved along the best axis of a first guess. */
function placed(random: () => number, a: Polyhedron, b: Polyhedron, rotation: Columns, gap: number): { r: Columns; t: Point } {
  const d = randomRotation(random)[0];
  const guess = mad([0, 0, 0], d, -separationAlong(a, posed(b, rotation, [0, 0, 0]), d) * (0.6 + 0.4 * random()));
  const best = bestAxis(a, posed(b, rotation, guess));
  return roundPose(rotation, mad(guess, best.normal, gap - best.separation));
}

function randomHull(random: () => number, count: number, scale: Point): ReturnType<typeof convexHull> {
  const points: number[] = [];
  for (let i = 0; i < count; i++) {
    const p = randomRotation(random)[0];
    for (let k = 0; k < 3; k++) points.push(p[k]! * scale[k]!);
  }
  return convexHull(Float32Array.from(points));
}

describe('box against box', () => {
  it('agrees with brute force on thousands of pairs, fresh and with any cache', () => {
    const random = seeded(1);
    for (let k = 0; k < 4000; k++) {
      const unit = 10 ** (random() * 4 - 2);
      const ratio = 10 ** (random() * 3);
      const ha = [0, 1, 2].map(() => Math.fround(unit * (0.2 + random()))) as Point;
      const hb = [0, 1, 2].map(() => Math.fround((unit / ratio) * (0.2 + random()))) as Point;
      const swap = random() < 0.5;
      const a = boxPolyhedron(swap ? hb : ha);
      const b = boxPolyhedron(swap ? ha : hb);
      const rotation =
        k % 4 === 0 ? IDENTITY : k % 4 === 1 ? columnsOf([1e-3 * random(), 1e-4 * random(), 0, 1]) : randomRotation(random);
      const small = unit / ratio;
      const margin = Math.fround(0.02 * small);
      const { r, t } = placed(random, a, b, rotation, small * [0.5, 0.01, 0, -0.01, -0.1, -0.5, 1.5][k % 7]!);
      collider.setBox(0, swap ? hb : ha);
      collider.setBox(1, swap ? ha : hb);
      collider.setPose(r, t);
      collider.cache = k % 3 === 0 ? 0 : Math.floor(random() * 32) % 32;
      const label = `case ${k}`;
      const turned = posed(b, r, t);
      check(collider.run('collideBoxBox', margin), a, turned, margin, label);
      check(collider.run('collideBoxBox', margin), a, turned, margin, `${label} again`);
    }
  });

  it('puts the four corners of the overlap under stacked boxes', () => {
    collider.setBox(0, [1, 0.5, 2]);
    collider.setBox(1, [1.5, 0.25, 1]);
    collider.setPose(IDENTITY, [0.75, 0.7499, 0.5]);
    collider.cache = 0;
    const r = collider.run('collideBoxBox', MARGIN);
    expect(r.normal).toEqual([0, 1, 0]);
    expect(r.contacts.length).toBe(4);
    const corners = r.contacts.map((c) => c.point.map((x) => Math.round(x * 1e4) / 1e4).join()).sort();
    expect(corners).toEqual(['-0.75,0.5,-0.5', '-0.75,0.5,1.5', '1,0.5,-0.5', '1,0.5,1.5']);
    for (const c of r.contacts) expect(c.separation).toBeCloseTo(-1e-4, 6);
  });

  it('turns a stacked square by 45 degrees: four points of the octagon', () => {
    collider.setBox(0, [1, 1, 1]);
    collider.setBox(1, [1, 1, 1]);
    const s = Math.SQRT1_2;
    collider.setPose(
      [
        [s, 0, -s],
        [0, 1, 0],
        [s, 0, s],
      ],
      [0, 2, 0],
    );
    collider.cache = 0;
    const r = collider.run('collideBoxBox', MARGIN);
    expect(r.contacts.length).toBe(4);
    for (const c of r.contacts) {
      const [x, , z] = c.point.map(Math.abs) as Point;
      expect(Math.max(x, z)).toBeCloseTo(1, 5);
      expect(Math.min(x, z)).toBeCloseTo(Math.SQRT2 - 1, 4);
    }
  });

  it('finds the crossing of two edges', () => {
    // A and B as diamonds about z and about x: their ridges cross at a right angle above the centre of A.
    const s = Math.SQRT1_2;
    const qa: Columns = [
      [s, s, 0],
      [-s, s, 0],
      [0, 0, 1],
    ];
    const qb: Columns = [
      [1, 0, 0],
      [0, s, s],
      [0, -s, s],
    ];
    const t: Point = [0.1, 2 * Math.SQRT2 - 0.01, 0.2];
    const into = (v: Point): Point => [dot(qa[0], v), dot(qa[1], v), dot(qa[2], v)];
    collider.setBox(0, [1, 1, 1]);
    collider.setBox(1, [1, 1, 1]);
    collider.setPose([into(qb[0]), into(qb[1]), into(qb[2])], into(t));
    collider.cache = 0;
    for (const name of ['collideBoxBox', 'collideHullHull']) {
      collider.cache = 0;
      const r = collider.run(name, MARGIN);
      expect(r.contacts.length).toBe(1);
      expect(r.contacts[0]!.separation).toBeCloseTo(-0.01, 5);
      expect(r.normal[0]).toBeCloseTo(s, 5);
      expect(r.normal[1]).toBeCloseTo(s, 5);
      // World point (0, sqrt 2, 0.2) is (1, 1, 0.2) in the frame of A.
      for (const [i, x] of [1, 1, 0.2].entries()) expect(r.contacts[0]!.point[i]).toBeCloseTo(x, 5);
    }
  });

  it('stays finite with unit normals for equal, coplanar and parallel poses', () => {
    const turns = [
      IDENTITY,
      columnsOf([0, Math.SQRT1_2, 0, Math.SQRT1_2]),
      columnsOf([1e-7, 0, 1e-7, 1]),
      columnsOf([1, 0, 0, 0]),
    ];
    const shifts: Point[] = [
      [0, 0, 0],
      [1e-20, 0, 0],
      [0, 2, 0],
      [2, 2, 0],
      [2, 2, 2],
      [2, 0, 0],
      [1, 0, 0],
      [0, 2.01, 0],
      [2.01, 2.01, 2.01],
    ];
    for (const scale of [1e-3, 1, 1e3]) {
      const h: Point = [scale, scale, scale];
      collider.setBox(0, h);
      collider.setBox(1, h);
      for (const r of turns) {
        for (const shift of shifts) {
          const pose = roundPose(r, shift.map((x) => x * scale) as Point);
          collider.setPose(pose.r, pose.t);
          for (const name of ['collideBoxBox', 'collideHullHull']) {
            collider.cache = 0;
            const result = collider.run(name, MARGIN * scale);
            check(
              result,
              boxPolyhedron(h),
              posed(boxPolyhedron(h), pose.r, pose.t),
              MARGIN * scale,
              `${name} ${scale} ${shift} ${r}`,
            );
          }
        }
      }
    }
  });

  it('follows a box that tips over its edge without a jump of normal or depth', () => {
    collider.setBox(0, [3, 1, 3]);
    collider.setBox(1, [1, 0.7, 0.5]);
    for (const name of ['collideBoxBox', 'collideHullHull']) {
      collider.cache = 0;
      for (let k = 0; k <= 1000; k++) {
        const angle = (k / 1000) * Math.PI;
        const rotation = columnsOf([0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]);
        const lowest = Math.min(...posed(boxPolyhedron([1, 0.7, 0.5]), rotation, [0, 0, 0]).vertices.map((v) => v[1]));
        const pose = roundPose(rotation, [0.4, 1 - lowest - 0.001, 0.3]);
        collider.setPose(pose.r, pose.t);
        const r = collider.run(name, MARGIN);
        expect(r.manifolds).toBe(1);
        expect(r.normal[1]).toBeGreaterThan(0.9999999);
        expect(r.contacts.length === 2 || r.contacts.length === 4).toBe(true);
        // Two points are always the edge it stands on.
        const edge = r.contacts.filter((c) => Math.abs(c.separation + 0.001) < 2e-6);
        expect(edge.length).toBeGreaterThanOrEqual(2);
        if (edge.length === 2) expect(Math.abs(edge[0]!.point[2] - edge[1]!.point[2])).toBeCloseTo(1, 5);
      }
    }
  });

  it('keeps axis and points while a resting box trembles', () => {
    const random = seeded(8);
    collider.setBox(0, [1, 1, 1]);
    collider.setBox(1, [1, 1, 1]);
    for (const name of ['collideBoxBox', 'collideHullHull']) {
      collider.cache = 0;
      let axis = 0;
      for (let k = 0; k < 500; k++) {
        const noise = (): number => (random() - 0.5) * 1e-5;
        const pose = roundPose(columnsOf([noise(), noise(), noise(), 1]), [noise(), 1.9999 + noise(), noise()]);
        collider.setPose(pose.r, pose.t);
        const r = collider.run(name, MARGIN);
        if (k === 0) axis = collider.cache;
        expect(collider.cache).toBe(axis);
        expect(r.contacts.length).toBe(4);
        // The same corner comes at the same place in the list.
        const signs = r.contacts.map((c) => `${Math.sign(c.point[0])}${Math.sign(c.point[2])}`).join();
        expect(new Set(signs.split(',')).size).toBe(4);
        for (const c of r.contacts) expect(Math.min(Math.abs(c.point[0]), Math.abs(c.point[2]))).toBeGreaterThan(0.999);
      }
    }
  });
});

describe('corners that pass by', () => {
  it('give the true distance beyond the margin and one point within it, at any margin', () => {
    const random = seeded(40);
    const a = boxPolyhedron([1, 1, 1]);
    let points = 0;
    for (let k = 0; k < 600; k++) {
      const h = [0, 1, 2].map(() => Math.fround(0.2 + random())) as Point;
      const rotation = k % 2 === 0 ? IDENTITY : randomRotation(random);
      const corner = [0, 1, 2].map(() => 1 + h[0]! * 1.2 + random() * 0.6) as Point;
      const { r, t } = roundPose(rotation, corner);
      const turned = posed(boxPolyhedron(h), r, t);
      const apart = bestAxis(a, turned).separation > 0 ? distance(a, turned) : 0;
      const margin = Math.fround(0.05 + random());
      collider.setBox(0, [1, 1, 1]);
      collider.setBox(1, h);
      collider.setPose(r, t);
      for (const name of ['collideBoxBox', 'collideHullHull']) {
        collider.cache = 0;
        const result = collider.run(name, margin);
        expect(finite(result)).toBe(true);
        if (result.manifolds === 0) {
          expect(result.gap).toBeGreaterThan(margin);
          expect(result.gap).toBeLessThanOrEqual(apart + 1e-5);
        } else {
          points++;
          // No point claims less room than there is along its normal, and none is beyond the margin.
          for (const c of result.contacts) {
            expect(c.separation).toBeLessThanOrEqual(margin);
            expect(c.separation).toBeGreaterThanOrEqual(separationAlong(a, turned, result.normal) - 1e-5);
          }
        }
        if (apart > 2 * margin) expect(result.manifolds).toBe(0);
      }
    }
    expect(points).toBeGreaterThan(200);
  });
});

describe('hulls', () => {
  it('agree with the box test on boxes: depth, gap and points', () => {
    const random = seeded(2);
    const count = { touching: 0, same: 0 };
    for (let k = 0; k < 3000; k++) {
      const ha = [0, 1, 2].map(() => Math.fround(0.2 + random())) as Point;
      const hb = [0, 1, 2].map(() => Math.fround(0.2 + random())) as Point;
      const a = boxPolyhedron(ha);
      const b = boxPolyhedron(hb);
      const { r, t } = placed(random, a, b, k % 3 === 0 ? IDENTITY : randomRotation(random), [0.3, 0.005, -0.005, -0.05][k % 4]!);
      collider.setBox(0, ha);
      collider.setBox(1, hb);
      collider.setPose(r, t);
      collider.cache = 0;
      const box = collider.run('collideBoxBox', MARGIN);
      collider.cache = 0;
      const hull = collider.run('collideHullHull', MARGIN);
      const turned = posed(b, r, t);
      check(hull, a, turned, MARGIN, `case ${k}`);
      if (box.manifolds === 0 || hull.manifolds === 0) {
        const gap = Math.min(box.gap, hull.gap);
        if (box.manifolds !== hull.manifolds) expect(gap).toBeGreaterThan(-1e-5);
        continue;
      }
      count.touching++;
      if (dot(box.normal, hull.normal) < 0.99999) continue;
      count.same++;
      expect(hull.contacts.length).toBe(box.contacts.length);
      const depth = (x: Result): number => Math.min(...x.contacts.map((c) => c.separation));
      expect(depth(hull)).toBeCloseTo(depth(box), 4);
      // Among more than four candidates rounding may choose between equals differently.
      if (k % 3 !== 0 && box.contacts.length > 2) continue;
      for (const c of box.contacts) {
        const near = Math.min(
          ...hull.contacts.map((d) => Math.hypot(d.point[0] - c.point[0], d.point[1] - c.point[1], d.point[2] - c.point[2])),
        );
        if (near > 1e-3) throw new Error(`case ${k}: point ${near} away\n${JSON.stringify(box)}\n${JSON.stringify(hull)}`);
      }
    }
    expect(count.touching).toBeGreaterThan(1000);
    expect(count.same / count.touching).toBeGreaterThan(0.95);
  });

  it('agree with brute force: random hulls of 4 to 32 vertices, boxes, size ratios to 1:1000', () => {
    const random = seeded(3);
    for (let k = 0; k < (isLong ? 1200 : 240); k++) {
      const unit = 10 ** (random() * 2 - 1);
      const ratio = k % 3 === 0 ? 1 : 10 ** (random() * 3);
      const scale = (s: number): Point => [s * (0.3 + random()), s * (0.3 + random()), s * (0.3 + random())];
      const boxFirst = k % 4 === 0;
      const ha = scale(unit).map(Math.fround) as Point;
      const hullA = randomHull(random, 4 + Math.floor(random() * 29), scale(unit));
      const hullB = randomHull(random, 4 + Math.floor(random() * 29), scale(unit / ratio));
      const a = boxFirst ? boxPolyhedron(ha) : hullPolyhedron(hullA);
      const b = hullPolyhedron(hullB);
      const small = unit / ratio;
      const margin = Math.fround(0.02 * small);
      const { r, t } = placed(random, a, b, randomRotation(random), small * [0.4, 0.01, 0, -0.01, -0.1, -0.3][k % 6]!);
      if (boxFirst) collider.setBox(0, ha);
      else collider.setHull(0, hullA);
      collider.setHull(1, hullB);
      collider.setPose(r, t);
      collider.cache = k % 2 === 0 ? 0 : Math.floor(random() * 4294967296);
      const name = boxFirst ? 'collideBoxHull' : 'collideHullHull';
      const turned = posed(b, r, t);
      check(collider.run(name, margin), a, turned, margin, `case ${k}`);
      check(collider.run(name, margin), a, turned, margin, `case ${k} again`);
    }
  });

  it('find the axis of brute force and of a test without a memory, step by step, while one tumbles over the other', () => {
    const random = seeded(11);
    let edges = 0;
    let looked = 0;
    let worse = 0;
    const pairs = isLong ? 150 : 12;
    for (let k = 0; k < pairs; k++) {
      const scale = (): Point => [0.3 + random(), 0.3 + random(), 0.3 + random()];
      const hullA = randomHull(random, 4 + Math.floor(random() * 29), scale());
      const hullB = randomHull(random, 4 + Math.floor(random() * 29), scale());
      const a = hullPolyhedron(hullA);
      const b = hullPolyhedron(hullB);
      collider.setHull(0, hullA);
      collider.setHull(1, hullB);
      const rotation = [...randomRotation(random)[0], 1];
      const spin = randomRotation(random)[0];
      const rate = 10 ** (random() * 3 - 3.5);
      let memory = 0;
      for (let step = 0; step < 40; step++) {
        const turned = columnsOf(rotation.map((q, c) => q + (c < 3 ? rate * step * spin[c]! : 0)));
        const at = bestAxis(a, posed(b, turned, mad([0, 0, 0], spin, 3)));
        const depth = [0.01, 0, -0.003, -0.02][step & 3]!;
        const { r, t } = roundPose(turned, mad(mad([0, 0, 0], spin, 3), at.normal, depth - at.separation));
        const other = posed(b, r, t);
        collider.setPose(r, t);
        collider.cache = memory;
        const kept = collider.run('collideHullHull', MARGIN);
        memory = collider.cache;
        collider.cache = 0;
        const fresh = collider.run('collideHullHull', MARGIN);
        if (kept.manifolds === 0 || fresh.manifolds === 0) continue;
        if (memory >>> 30 === 3) edges++;
        // All are the best axis but for the bias.
        const best = bestAxis(a, other).separation;
        if (best > 0) continue;
        const faces = [
          ...a.planes.map(([x, y, z]) => separationAlong(a, other, [x, y, z])),
          ...other.planes.map(([x, y, z]) => separationAlong(a, other, [-x, -y, -z])),
        ];
        const bias = 0.5e-3 * Math.min(width(a), width(b)) - 0.02 * Math.max(...faces);
        for (const { normal } of [kept, fresh]) {
          const along = separationAlong(a, other, normal);
          looked++;
          if (along < best - 1.1 * bias - 8e-6) worse++;
        }
      }
    }
    expect(edges).toBeGreaterThan(3 * pairs);
    // Corners beyond the rim of a face bear along another axis (few).
    expect(worse / looked).toBeLessThan(0.005);
  });

  it('stand on polygons: a prism of 24 sides on a box rests on four of its corners', () => {
    const points: number[] = [];
    for (let i = 0; i < 24; i++)
      for (const y of [-0.5, 0.5]) points.push(Math.cos((i * Math.PI) / 12), y, Math.sin((i * Math.PI) / 12));
    collider.setBox(0, [5, 0.5, 5]);
    collider.setHull(1, convexHull(points));
    collider.setPose(IDENTITY, [0.3, 0.999, -0.2]);
    collider.cache = 0;
    const r = collider.run('collideBoxHull', MARGIN);
    expect(r.contacts.length).toBe(4);
    expect(r.normal).toEqual([0, 1, 0]);
    for (const c of r.contacts) {
      expect(Math.hypot(c.point[0] - 0.3, c.point[2] + 0.2)).toBeCloseTo(1, 5);
      expect(c.separation).toBeCloseTo(-0.001, 6);
    }
    // Spread: the centre lies well inside of the four.
    const mean = [0, 2].map((i) => r.contacts.reduce((sum, c) => sum + c.point[i]!, 0) / 4);
    expect(Math.hypot(mean[0]! - 0.3, mean[1]! + 0.2)).toBeLessThan(0.3);
  });

  it('take the deepest vertex when the most opposed face does not hold it', () => {
    // A long spike: its side faces look away more than a far chamfer does.
    const spike = convexHull([0, -2, 0, 0.3, 0, 0.3, -0.3, 0, 0.3, 0.3, 0, -0.3, -0.3, 0, -0.3, 1.5, 0.5, 0.2, 1.5, 0.5, -0.2]);
    collider.setBox(0, [4, 1, 4]);
    collider.setHull(1, spike);
    collider.setPose(IDENTITY, [0, 2.99, 0]);
    collider.cache = 0;
    const r = collider.run('collideBoxHull', MARGIN);
    expect(r.normal).toEqual([0, 1, 0]);
    expect(Math.min(...r.contacts.map((c) => c.separation))).toBeCloseTo(-0.01, 5);
  });

  it('bound a turned hull exactly', () => {
    const random = seeded(9);
    for (let k = 0; k < 100; k++) {
      const hull = randomHull(random, 4 + k, [1, 2, 0.5]);
      collider.setHull(0, hull);
      const r = roundPose(randomRotation(random), [0, 0, 0]).r;
      const bounds = collider.hullBounds(0, r);
      const turned = posed(hullPolyhedron(hull), r, [0, 0, 0]).vertices;
      for (let i = 0; i < 3; i++) {
        expect(bounds[i]).toBeCloseTo(Math.min(...turned.map((v) => v[i]!)), 5);
        expect(bounds[3 + i]).toBeCloseTo(Math.max(...turned.map((v) => v[i]!)), 5);
      }
    }
  });
});
