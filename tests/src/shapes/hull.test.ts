import { describe, expect, it } from 'vitest';
import { TalusError } from '../../../src/checks/errors';
import { HullBlob } from '../../../src/layout.generated';
import { type ConvexHull, convexHull, cookHull } from '../../../src/shapes/hull';
import { randomRotation, seeded } from '../../helpers/random';

const cube = [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1];

/** Points on a unit sphere, evenly spread. */
function sphere(count: number): number[] {
  const out: number[] = [];
  for (let i = 0; i < count; i++) {
    const y = 1 - (2 * i + 1) / count;
    const a = i * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - y * y);
    out.push(r * Math.cos(a), y, r * Math.sin(a));
  }
  return out;
}

/** Checks that a hull is a closed convex polyhedron that holds all points to within `slack` (m). */
function expectHullOf(hull: ConvexHull, points: ArrayLike<number>, slack: number): void {
  const v = hull.vertices.length / 3;
  expect(v - hull.edges.length / 4 + hull.faces.length).toBe(2);
  expect(hull.faces.reduce((sum, f) => sum + f.length, 0)).toBe(hull.edges.length / 2);
  let worst = 0;
  for (let f = 0; f < hull.faces.length; f++) {
    const [nx, ny, nz, d] = hull.planes.subarray(4 * f, 4 * f + 4) as unknown as [number, number, number, number];
    expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 12);
    const height = (p: ArrayLike<number>, i: number): number => nx * p[i]! + ny * p[i + 1]! + nz * p[i + 2]! - d;
    for (let i = 0; i < points.length; i += 3) worst = Math.max(worst, height(points, i));
    for (const i of hull.faces[f]!) worst = Math.max(worst, Math.abs(height(hull.vertices, 3 * i)));
  }
  expect(worst).toBeLessThanOrEqual(slack);
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof TalusError) {
      expect(error.message.length).toBeGreaterThan(30);
      return error.code;
    }
    throw error;
  }
  return 'none';
}

describe('convexHull', () => {
  it('makes 8 vertices, 6 quads and 12 edges of a cube', () => {
    const hull = convexHull(cube);
    expect(hull.vertices.length / 3).toBe(8);
    expect(hull.faces.map((f) => f.length)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(hull.edges.length / 4).toBe(12);
    expect(hull.mass.mass).toBeCloseTo(8, 12);
  });

  it('leaves out points inside, on faces, on edges and twice given', () => {
    const grid: number[] = [];
    for (let x = 0; x <= 6; x++)
      for (let y = 0; y <= 6; y++) for (let z = 0; z <= 6; z++) grid.push(x / 3 - 1, y / 3 - 1, z / 3 - 1);
    const hull = convexHull([...grid, ...grid, ...cube]);
    expect(hull.vertices.length / 3).toBe(8);
    expect(hull.faces.length).toBe(6);
    expect(hull.mass.mass).toBeCloseTo(8, 12);
  });

  it('finds the same box in single precision under any rotation, shift and size', () => {
    const random = seeded(5);
    for (let k = 0; k < 200; k++) {
      const r = randomRotation(random);
      const scale = 10 ** (random() * 6 - 3);
      const shift = [random() * 3, random() * 3, random() * 3].map((x) => x * scale) as [number, number, number];
      const long = 1 + 99 * random();
      const points: number[] = [];
      for (let x = 0; x < 4; x++) {
        for (let y = 0; y < 4; y++) {
          for (let z = 0; z < 4; z++) {
            const p = [((x / 3) * 2 - 1) * long, (y / 3) * 2 - 1, (z / 3) * 2 - 1] as [number, number, number];
            for (let i = 0; i < 3; i++) points.push(shift[i]! + scale * (r[0][i]! * p[0] + r[1][i]! * p[1] + r[2][i]! * p[2]));
          }
        }
      }
      const hull = convexHull(Float32Array.from(points));
      expect(hull.vertices.length / 3).toBe(8);
      expect(hull.faces.length).toBe(6);
      expect(hull.mass.mass / (8 * long * scale ** 3)).toBeCloseTo(1, 4);
    }
  });

  it('holds all points of random clouds', () => {
    const random = seeded(11);
    for (let k = 0; k < 200; k++) {
      const count = 4 + Math.floor(random() * 60);
      const points = Float32Array.from(
        { length: count * 3 },
        (_, i) => (random() - 0.5) * (i % 3 === 0 ? 1 : i % 3 === 1 ? 2 : 0.1),
      );
      const hull = convexHull(points);
      expectHullOf(hull, points, 4e-5);
    }
  });

  it('takes clouds full of coplanar and collinear points: coordinates from a small set', () => {
    const random = seeded(12);
    for (let k = 0; k < 300; k++) {
      const count = 10 + Math.floor(random() * 100);
      const points = Float32Array.from({ length: count * 3 }, () => Math.floor(random() * 4) / 3);
      expectHullOf(convexHull(points), points, 1e-4);
    }
  });

  it('takes crowds of points that nearly coincide', () => {
    const random = seeded(13);
    for (let k = 0; k < 300; k++) {
      const spread = 10 ** (-8 + 5 * random());
      const base = Array.from({ length: 36 }, () => random());
      const points = Float32Array.from({ length: 36 * 8 }, (_, i) => base[i % 36]! + spread * (random() - 0.5));
      expectHullOf(convexHull(points, { maxVertices: 128 }), points, 5e-3);
    }
  });

  it('merges the facets of a prism into two caps and its sides', () => {
    const points: number[] = [];
    for (let i = 0; i < 32; i++)
      for (const y of [-1, 1]) points.push(Math.cos((i * Math.PI) / 16), y, Math.sin((i * Math.PI) / 16));
    const hull = convexHull(Float32Array.from(points));
    expect(hull.faces.length).toBe(34);
    expect(hull.faces.filter((f) => f.length === 32).length).toBe(2);
    expect(hull.edges.length / 4).toBe(96);
  });

  it('keeps 128 vertices, and asks for maxVertices beyond', () => {
    const points = sphere(128);
    expect(convexHull(points).vertices.length / 3).toBe(128);
    expect(convexHull(points).faces.length).toBeLessThanOrEqual(255);
    expect(codeOf(() => convexHull(sphere(129)))).toBe('invalid-argument');
  });

  it('simplifies to maxVertices from inside, losing little', () => {
    const points = sphere(3000);
    for (const maxVertices of [8, 16, 32, 64, 128]) {
      const hull = convexHull(points, { maxVertices });
      expect(hull.vertices.length / 3).toBeLessThanOrEqual(maxVertices);
      expectHullOf(hull, hull.vertices, 1e-4);
      const loss = 1 - hull.mass.mass / ((4 / 3) * Math.PI);
      expect(loss).toBeGreaterThan(0);
      expect(loss).toBeLessThan(8 / maxVertices);
    }
  });

  it('refuses clouds without volume, and says which', () => {
    const line = Float32Array.from({ length: 30 }, (_, i) => Math.floor(i / 3) * [1, 2, -0.3][i % 3]!);
    const plane = Float32Array.from({ length: 60 }, (_, i) => Math.sin(i * 7.3) * (i % 3 === 2 ? 0 : 1));
    expect(codeOf(() => convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0]))).toBe('degenerate-shape');
    expect(codeOf(() => convexHull(new Float32Array(30).fill(2)))).toBe('degenerate-shape');
    expect(() => convexHull(line)).toThrow(/line/);
    expect(() => convexHull(plane)).toThrow(/plane/);
    for (const thickness of [1e-9, 1e-7, 1e-6, 1e-5, 9e-5]) {
      const thin = cube.map((x, i) => (i % 3 === 1 ? (x * thickness) / 2 : x));
      expect(codeOf(() => convexHull(thin))).toBe('degenerate-shape');
    }
    const plate = convexHull(cube.map((x, i) => (i % 3 === 1 ? x * 5e-4 : x)));
    expect(plate.faces.length).toBe(6);
  });

  it('refuses wrong arguments', () => {
    expect(codeOf(() => convexHull(cube.slice(1)))).toBe('invalid-argument');
    expect(codeOf(() => convexHull([...cube.slice(1), Number.NaN]))).toBe('invalid-argument');
    expect(codeOf(() => convexHull([...cube.slice(1), Infinity]))).toBe('invalid-argument');
    expect(codeOf(() => convexHull(cube, { maxVertices: 3 }))).toBe('invalid-argument');
    expect(codeOf(() => convexHull(cube, { maxVertices: 500 }))).toBe('invalid-argument');
  });
});

describe('cookHull', () => {
  it('writes arrays that agree with each other', () => {
    const random = seeded(3);
    const points = Float32Array.from({ length: 90 }, () => random() * 3 + 5);
    const hull = convexHull(points);
    const blob = cookHull(hull);
    const u32 = new Uint32Array(blob);
    const f32 = new Float32Array(blob);
    const u16 = new Uint16Array(blob);
    const u8 = new Uint8Array(blob);
    const field = (offset: number): number => u32[offset / 4]!;
    const vertexCount = field(HullBlob.vertexCount);
    const faceCount = field(HullBlob.faceCount);
    const edgeCount = field(HullBlob.edgeCount);
    expect(field(HullBlob.blobBytes)).toBe(blob.byteLength);
    expect(blob.byteLength % 16).toBe(0);
    expect(vertexCount - edgeCount + faceCount).toBe(2);
    const vertices = field(HullBlob.verticesOffset) / 4;
    const lanes = field(HullBlob.verticesWOffset) / 4;
    for (let i = 0; i < field(HullBlob.vertexGroups) * 4; i++) {
      const from = Math.min(i, vertexCount - 1);
      for (let k = 0; k < 3; k++) expect(f32[lanes + (i >> 2) * 12 + 4 * k + (i & 3)]).toBe(f32[vertices + 4 * from + k]);
    }
    const planes = field(HullBlob.planesOffset) / 4;
    for (let f = 0; f < faceCount; f++) {
      const [nx, ny, nz, d] = f32.subarray(planes + 4 * f, planes + 4 * f + 4) as unknown as [number, number, number, number];
      let top = -Infinity;
      for (let i = 0; i < vertexCount; i++)
        top = Math.max(top, nx * f32[vertices + 4 * i]! + ny * f32[vertices + 4 * i + 1]! + nz * f32[vertices + 4 * i + 2]!);
      expect(top).toBeCloseTo(d, 5);
    }
    const starts = field(HullBlob.loopStartsOffset) / 2;
    expect(u16[starts + faceCount]).toBe(2 * edgeCount);
    const edges = field(HullBlob.edgesOffset);
    const loops = field(HullBlob.loopsOffset);
    const loopOf = (f: number): number[] => [...u8.subarray(loops + u16[starts + f]!, loops + u16[starts + f + 1]!)];
    for (let e = 0; e < edgeCount; e++) {
      const [a, b, f, g] = u8.subarray(edges + 4 * e, edges + 4 * e + 4) as unknown as [number, number, number, number];
      const left = loopOf(f);
      const right = loopOf(g);
      expect(left[(left.indexOf(a) + 1) % left.length]).toBe(b);
      expect(right[(right.indexOf(b) + 1) % right.length]).toBe(a);
    }
    expect(f32[HullBlob.innerRadius / 4]).toBeGreaterThan(0.2);
    expect(f32[HullBlob.outerRadius / 4]).toBeLessThan(3);
  });
});
