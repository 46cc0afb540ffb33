import { beforeAll, describe, expect, it } from 'vitest';
import { ManifoldOut } from '../../../src/layout.generated';
import { type CoreExports, loadCore } from '../../helpers/core';
import { columnsOf, seeded } from '../../helpers/random';

type Row = [number, number, number, number];

let core: CoreExports;
let f: Float32Array;
let u: Uint32Array;
let polygon: number;
let face: number;
let work: number;
let out: number;
beforeAll(() => {
  const loaded = loadCore();
  core = loaded.core;
  core.initPolyhedra();
  out = core.allocate(ManifoldOut.STRIDE);
  polygon = core.polygonBufferA();
  face = core.polygonBufferB();
  work = core.polygonWork();
  f = new Float32Array(loaded.memory.buffer);
  u = new Uint32Array(loaded.memory.buffer);
});

const write = (at: number, rows: readonly (readonly number[])[]): void => {
  rows.forEach((r, i) => {
    f.set([r[0]!, r[1]!, r[2]!, r[3] ?? 0], at / 4 + 4 * i);
  });
};
const read = (at: number, count: number): Row[] =>
  Array.from({ length: count }, (_, i) => [...f.subarray(at / 4 + 4 * i, at / 4 + 4 * i + 4)] as Row);

/** Area of a polygon in the plane z = const. */
const area = (rows: readonly (readonly number[])[]): number => {
  let sum = 0;
  rows.forEach((p, i) => {
    const q = rows[(i + 1) % rows.length]!;
    sum += p[0]! * q[1]! - p[1]! * q[0]!;
  });
  return sum / 2;
};

const regular = (n: number, radius: number, turn: number, x = 0, y = 0): number[][] =>
  Array.from({ length: n }, (_, i) => [
    x + radius * Math.cos(turn + (2 * Math.PI * i) / n),
    y + radius * Math.sin(turn + (2 * Math.PI * i) / n),
    0.5,
  ]);

/** Convex polygons cut in double precision. */
function clipExact(p: number[][], q: number[][]): number[][] {
  let rows = p;
  q.forEach((a, i) => {
    const b = q[(i + 1) % q.length]!;
    const side = (v: number[]): number => (b[1]! - a[1]!) * (v[0]! - a[0]!) - (b[0]! - a[0]!) * (v[1]! - a[1]!);
    const next: number[][] = [];
    rows.forEach((v, k) => {
      const w = rows[(k + 1) % rows.length]!;
      if (side(v) <= 0) next.push(v);
      if (side(v) < 0 !== side(w) < 0) {
        const t = side(v) / (side(v) - side(w));
        next.push(v.map((x, c) => x + (w[c]! - x) * t));
      }
    });
    rows = next;
  });
  return rows;
}

describe('clipping', () => {
  it('cuts a square by a half space', () => {
    write(polygon, [
      [1, 1, 0],
      [-1, 1, 0],
      [-1, -1, 0],
      [1, -1, 0],
    ]);
    const count = core.clipPolygonByPlane(polygon, 4, work, 2, 0, 0, 1);
    expect(read(work, count).map((r) => r.slice(0, 2))).toEqual([
      [0.5, 1],
      [-1, 1],
      [-1, -1],
      [0.5, -1],
    ]);
    expect(core.clipPolygonByPlane(polygon, 4, work, 1, 0, 0, -2)).toBe(0);
    expect(core.clipPolygonByPlane(polygon, 4, work, 1, 0, 0, 2)).toBe(4);
    expect(core.clipPolygonByPlane(polygon, 0, work, 1, 0, 0, 2)).toBe(0);
  });

  it('has the area of the exact intersection for random polygons', () => {
    const random = seeded(21);
    for (let k = 0; k < 1000; k++) {
      const p = regular(3 + Math.floor(random() * 30), 0.3 + random(), random() * 7, random() - 0.5, random() - 0.5);
      const q = regular(3 + Math.floor(random() * 30), 0.3 + random(), random() * 7);
      write(polygon, p);
      write(face, q);
      const count = core.clipPolygonToFace(polygon, p.length, face, q.length, 0, 0, 1, work);
      expect(count).toBeLessThanOrEqual(p.length + q.length);
      expect(Math.abs(area(read(polygon, count)) - area(clipExact(p, q)))).toBeLessThan(5e-4);
    }
  });

  it('does not cut edges that run along the sides, whatever the rounding', () => {
    const random = seeded(22);
    const square = [
      [1, 1, 0],
      [-1, 1, 0],
      [-1, -1, 0],
      [1, -1, 0],
    ];
    for (let k = 0; k < 300; k++) {
      write(
        polygon,
        square.map((r) => r.map((x) => x + (random() - 0.5) * 1e-5)),
      );
      write(face, square);
      const count = core.clipPolygonToFace(polygon, 4, face, 4, 0, 0, 1, work);
      expect(count).toBe(4);
    }
  });

  it('measures heights over the reference plane and moves points onto it', () => {
    write(polygon, [
      [1, 1, 0.31],
      [-1, 1, 0.3],
      [-1, -1, 0.29],
      [1, -1, 0.5],
    ]);
    const count = core.keepNearPlane(polygon, 4, 0, 0, 1, 0.3, 0.02, 1);
    expect(count).toBe(3);
    const rows = read(polygon, 3);
    for (const [i, s] of [0.01, 0, -0.01].entries()) {
      expect(rows[i]![2]).toBeCloseTo(0.3, 6);
      expect(rows[i]![3]).toBeCloseTo(s, 6);
    }
  });
});

describe('reducePoints', () => {
  const reduce = (rows: readonly Row[], n: readonly number[] = [0, 0, 1], near = 0): Row[] => {
    write(polygon, rows);
    f.set(n, (out + ManifoldOut.nx) / 4);
    const count = core.reducePoints(polygon, rows.length, out, near) >>> 0;
    expect(u[out / 4]).toBe(count);
    return read(out + ManifoldOut.x0, count);
  };

  it('keeps up to four points as they come', () => {
    const rows: Row[] = [
      [1, 1, 0, 0],
      [-1, 1, 0, -1],
      [-1, -1, 0, 0],
      [1, -1, 0, 0],
    ];
    for (let n = 1; n <= 4; n++) expect(reduce(rows.slice(0, n))).toEqual(rows.slice(0, n));
    expect(reduce([])).toEqual([]);
  });

  it('welds near-duplicates and keeps the deepest of them', () => {
    const rows: Row[] = [
      [1, 0, 0, 0],
      [1.00001, 0, 0, -1],
      [-1, 0, 0, 0],
    ];
    const kept = reduce(rows);
    expect(kept.length).toBe(2);
    expect(kept.some((r) => r[3] === -1)).toBe(true);
    expect(
      reduce([
        [1, 2, 3, 0],
        [1, 2, 3, 0],
        [1, 2, 3, -0.5],
      ]),
    ).toEqual([[1, 2, 3, -0.5]]);
    expect(reduce(Array.from({ length: 30 }, (_, i): Row => [1, 2, 3, -i])).length).toBe(1);
    // All on a line: the two ends, and the deepest between them.
    const row = (deepest: number): Row[] => Array.from({ length: 20 }, (_, i): Row => [i, 2 * i, 0, i === deepest ? -1 : 0]);
    expect(reduce(row(5)).map((r) => r[0])).toEqual([0, 5, 19]);
    expect(reduce(row(19)).map((r) => r[0])).toEqual([0, 19]);
  });

  it('keeps four corners when the deepest and the farthest lie on one side of the patch', () => {
    const trapezoid: Row[] = [
      [0, 0, 0, -1],
      [2, 0, 0, 0],
      [4, 0, 0, 0],
      [3, 1, 0, 0],
      [1, 1, 0, 0],
    ];
    for (const n of [
      [0, 0, 1],
      [0, 0, -1],
    ])
      expect(reduce(trapezoid, n).map((r) => r[0])).toEqual([0, 4, 3, 1]);
  });

  it('follows the rule: deepest, farthest from it, largest triangle, largest addition; near points first', () => {
    const random = seeded(30);
    for (let k = 0; k < 500; k++) {
      const r = columnsOf([random() - 0.5, random() - 0.5, random() - 0.5, random()]);
      const n = r[2];
      const plane: (readonly [number, number])[] = [];
      const rows: Row[] = Array.from({ length: 5 + Math.floor(random() * 60) }, () => {
        const [x, y] = [random() - 0.5, random() - 0.5];
        plane.push([x, y]);
        return [0, 1, 2].map((i) => r[0][i]! * x + r[1][i]! * y).concat(-random()) as unknown as Row;
      });
      const near = k % 3 === 0 ? 0 : k % 3 === 1 ? 0.3 : 2;
      const kept = reduce(rows, n, near);
      const at = (p: Row): number => rows.findIndex((q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < 1e-6);
      const indices = kept.map(at);
      expect([...indices].sort((a, b) => a - b)).toEqual(indices);

      const all = rows.map((_, i) => i);
      const depth = Math.min(...rows.map((q) => q[3]));
      const close = all.filter((i) => rows[i]![3] <= depth + near);
      const distance = (i: number, [x, y]: readonly [number, number]): number => Math.hypot(plane[i]![0] - x, plane[i]![1] - y);
      const turn = (a: number, b: number, c: number): number =>
        (plane[b]![0] - plane[a]![0]) * (plane[c]![1] - plane[a]![1]) -
        (plane[b]![1] - plane[a]![1]) * (plane[c]![0] - plane[a]![0]);
      const most = (score: (i: number) => number, least: number): number => {
        for (const set of [close, all]) {
          const best = set.reduce((b, i) => (score(i) > score(b) ? i : b), set[0]!);
          if (score(best) > least) return best;
        }
        return -1;
      };
      const middle = [0, 1].map((c) => plane.reduce((sum, p) => sum + p[c]!, 0) / plane.length) as [number, number];
      const first = all
        .filter((i) => rows[i]![3] <= depth + Math.min(0.01 * near, 2e-5))
        .reduce((b, i) => (distance(i, middle) > distance(b, middle) ? i : b));
      const size = Math.max(...all.map((i) => distance(i, plane[first]!)));
      const second = most((i) => distance(i, plane[first]!), 2e-4 * size);
      const third = most((i) => Math.abs(turn(first, second, i)), 2e-3 * size ** 2);
      const [p, q] = turn(first, second, third) > 0 ? [first, second] : [second, first];
      const fourth = most((i) => Math.max(-turn(p, q, i), -turn(q, third, i), -turn(third, p, i)), 2e-3 * size ** 2);
      const rule = [first, second, third, fourth].filter((i) => i >= 0).sort((a, b) => a - b);
      expect(indices, `${k}`).toEqual(rule);
    }
  });
});

describe('writePoints', () => {
  const write2 = (rows: readonly Row[], near: number): Row[][] => {
    write(polygon, rows);
    f.set([0, 0, 1], (out + ManifoldOut.nx) / 4);
    const manifolds = core.writePoints(polygon, rows.length, out, near) >>> 0;
    return Array.from({ length: manifolds }, (_, i) => {
      const at = out + i * ManifoldOut.STRIDE;
      expect(Array.from(f.subarray((at + ManifoldOut.nx) / 4, (at + ManifoldOut.nx) / 4 + 3))).toEqual([0, 0, 1]);
      return read(at + ManifoldOut.x0, u[at / 4]!);
    });
  };
  const square: Row[] = [
    [1, 1, 0, 0],
    [-1, 1, 0, 0],
    [-1, -1, 0, 0],
    [1, -1, 0, 0],
  ];

  it('is one manifold where four points stand in for all', () => {
    expect(write2([], 0.002)).toEqual([]);
    expect(write2(square, 0.002).length).toBe(1);
    // More points in the plane, inside and a little outside; points above it; points too far to matter yet.
    const more: Row[] = [
      [0, 0, 0, 0],
      [0, 1.2, 0, 0],
      [0.3, 0.2, 0, 1e-3],
      [1, 0, 0, 0],
      [0, 0.5, 0, 0.1],
    ];
    expect(write2([...square, ...more], 0.002).length).toBe(1);
    expect(write2([...square, ...more], 0.002)[0]!.length).toBe(4);
    // A line.
    expect(
      write2(
        Array.from({ length: 9 }, (_, i): Row => [i, 0, 0, i === 4 ? -1e-4 : 0]),
        0.002,
      ).length,
    ).toBe(1);
  });

  it('gives the points that bulge out of the patch a manifold of their own', () => {
    const bumps: Row[] = [
      [0.2, 0.1, 0, -3e-4],
      [-0.3, 0.2, 0, -4e-4],
    ];
    const [first, second] = write2([...square, ...bumps], 0.002);
    expect([...first!, ...second!].map((r) => r[3]).filter((s) => s < 0).length).toBe(2);
    // What is left out of both is held up by one of them.
    expect(first!.length).toBe(4);
    expect(second!.length).toBeGreaterThan(0);
  });
});
