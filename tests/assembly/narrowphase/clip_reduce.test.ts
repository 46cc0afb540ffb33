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
  const reduce = (rows: readonly Row[], n: readonly number[] = [0, 0, 1]): Row[] => {
    write(polygon, rows);
    f.set(n, (out + ManifoldOut.nx) / 4);
    const count = core.reducePoints(polygon, rows.length, out) >>> 0;
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

  it('follows the rule: deepest, farthest from it, largest triangle on either side', () => {
    const random = seeded(30);
    for (let k = 0; k < 500; k++) {
      const r = columnsOf([random() - 0.5, random() - 0.5, random() - 0.5, random()]);
      const n = r[2];
      const rows: Row[] = Array.from({ length: 5 + Math.floor(random() * 60) }, () => {
        const [x, y] = [random() - 0.5, random() - 0.5];
        return [0, 1, 2].map((i) => r[0][i]! * x + r[1][i]! * y).concat(-random()) as unknown as Row;
      });
      const kept = reduce(rows, n);
      const at = (p: Row): number => rows.findIndex((q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < 1e-6);
      const indices = kept.map(at);
      expect([...indices].sort((a, b) => a - b)).toEqual(indices);
      const first = rows.reduce((b, q, i) => (q[3] < rows[b]![3] ? i : b), 0);
      const far = (i: number): number => Math.hypot(...[0, 1, 2].map((c) => rows[i]![c]! - rows[first]![c]!));
      const second = rows.reduce((b, _, i) => (far(i) > far(b) ? i : b), first);
      const u0 = [0, 1, 2].map((c) => rows[second]![c]! - rows[first]![c]!) as [number, number, number];
      const side = (i: number): number => {
        const v = [0, 1, 2].map((c) => rows[i]![c]! - rows[first]![c]!) as [number, number, number];
        return n[0] * (u0[1] * v[2] - u0[2] * v[1]) + n[1] * (u0[2] * v[0] - u0[0] * v[2]) + n[2] * (u0[0] * v[1] - u0[1] * v[0]);
      };
      const left = rows.reduce((b, _, i) => (side(i) > side(b) ? i : b), first);
      const right = rows.reduce((b, _, i) => (side(i) < side(b) ? i : b), first);
      const rule = new Set([first, second, left, right]);
      for (const i of rule) expect(indices).toContain(i);
      if (rule.size === 4) expect(indices.length).toBe(4);
    }
  });
});
