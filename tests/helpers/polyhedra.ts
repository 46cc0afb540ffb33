// Double-precision oracle for polyhedron pairs: brute force over all axes and all features, no pruning.
import type { Columns } from './random';

export type Point = [number, number, number];
/** A convex polyhedron with merged faces, in any frame. */
export interface Polyhedron {
  vertices: Point[];
  planes: [number, number, number, number][];
  edges: [number, number][];
}

export const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const sub = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const mad = (a: Point, b: Point, k: number): Point => [a[0] + b[0] * k, a[1] + b[1] * k, a[2] + b[2] * k];
export const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Box of half extents h. */
export function boxPolyhedron(h: Point): Polyhedron {
  const vertices: Point[] = [];
  for (let i = 0; i < 8; i++) vertices.push([i & 1 ? h[0] : -h[0], i & 2 ? h[1] : -h[1], i & 4 ? h[2] : -h[2]]);
  const planes: Polyhedron['planes'] = [
    [-1, 0, 0, h[0]],
    [1, 0, 0, h[0]],
    [0, -1, 0, h[1]],
    [0, 1, 0, h[1]],
    [0, 0, -1, h[2]],
    [0, 0, 1, h[2]],
  ];
  const edges: [number, number][] = [];
  for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) edges.push([i, i | bit]);
  return { vertices, planes, edges };
}

/** From a cooked hull (src/shapes/hull.ts), with vertices as the core sees them. */
export function hullPolyhedron(hull: {
  vertices: ArrayLike<number>;
  planes: ArrayLike<number>;
  edges: ArrayLike<number>;
}): Polyhedron {
  const vertices: Point[] = [];
  for (let i = 0; i < hull.vertices.length; i += 3) {
    vertices.push([Math.fround(hull.vertices[i]!), Math.fround(hull.vertices[i + 1]!), Math.fround(hull.vertices[i + 2]!)]);
  }
  const planes: Polyhedron['planes'] = [];
  for (let i = 0; i < hull.planes.length; i += 4)
    planes.push([hull.planes[i]!, hull.planes[i + 1]!, hull.planes[i + 2]!, hull.planes[i + 3]!]);
  const edges: [number, number][] = [];
  for (let i = 0; i < hull.edges.length; i += 4) edges.push([hull.edges[i]!, hull.edges[i + 1]!]);
  return { vertices, planes, edges };
}

/** The polyhedron moved by R p + t. */
export function posed(p: Polyhedron, r: Columns, t: Point): Polyhedron {
  const turn = (v: Point): Point => [
    r[0][0] * v[0] + r[1][0] * v[1] + r[2][0] * v[2],
    r[0][1] * v[0] + r[1][1] * v[1] + r[2][1] * v[2],
    r[0][2] * v[0] + r[1][2] * v[1] + r[2][2] * v[2],
  ];
  return {
    vertices: p.vertices.map((v) => mad(turn(v), t, 1)),
    planes: p.planes.map(([x, y, z, d]) => {
      const n = turn([x, y, z]);
      return [n[0], n[1], n[2], d + dot(n, t)];
    }),
    edges: p.edges,
  };
}

/** Separation of b from a along the unit vector n: negative if their shadows overlap. */
export function separationAlong(a: Polyhedron, b: Polyhedron, n: Point): number {
  let top = -Infinity;
  let bottom = Infinity;
  for (const v of a.vertices) top = Math.max(top, dot(n, v));
  for (const v of b.vertices) bottom = Math.min(bottom, dot(n, v));
  return bottom - top;
}

/** Best separating axis over faces of both and all edge crosses: separation and unit normal from a to b. */
export function bestAxis(a: Polyhedron, b: Polyhedron): { separation: number; normal: Point } {
  let separation = -Infinity;
  let normal: Point = [0, 0, 0];
  const test = (n: Point): void => {
    const s = separationAlong(a, b, n);
    if (s > separation) {
      separation = s;
      normal = n;
    }
  };
  for (const [x, y, z] of a.planes) test([x, y, z]);
  for (const [x, y, z] of b.planes) test([-x, -y, -z]);
  for (const [i, j] of a.edges) {
    const u = sub(a.vertices[j]!, a.vertices[i]!);
    for (const [k, l] of b.edges) {
      const v = sub(b.vertices[l]!, b.vertices[k]!);
      const n = cross(u, v);
      const length = Math.hypot(...n);
      if (length < 1e-7 * Math.hypot(...u) * Math.hypot(...v)) continue;
      const e: Point = [n[0] / length, n[1] / length, n[2] / length];
      test(e);
      test([-e[0], -e[1], -e[2]]);
    }
  }
  return { separation, normal };
}

/** Distance of two segments p1 q1, p2 q2. */
function segmentDistance(p1: Point, q1: Point, p2: Point, q2: Point): number {
  const d1 = sub(q1, p1);
  const d2 = sub(q2, p2);
  const r = sub(p1, p2);
  const a = dot(d1, d1);
  const e = dot(d2, d2);
  const b = dot(d1, d2);
  const c = dot(d1, r);
  const f = dot(d2, r);
  const denominator = a * e - b * b;
  const clamp = (x: number): number => Math.max(0, Math.min(1, x));
  const at = (s: number, t: number): number => Math.hypot(...sub(mad(p1, d1, s), mad(p2, d2, t)));
  let best = Infinity;
  const s0 = denominator > 1e-14 * a * e ? clamp((b * f - c * e) / denominator) : 0;
  for (const s of [s0, 0, 1]) best = Math.min(best, at(s, clamp((b * s + f) / e)));
  for (const t of [0, 1, clamp((b * s0 + f) / e)]) best = Math.min(best, at(clamp((b * t - c) / a), t));
  return best;
}

/** Distance of two disjoint convex polyhedra: all edge pairs, and vertices over faces. */
export function distance(a: Polyhedron, b: Polyhedron): number {
  let best = Infinity;
  for (const [i, j] of a.edges) {
    for (const [k, l] of b.edges)
      best = Math.min(best, segmentDistance(a.vertices[i]!, a.vertices[j]!, b.vertices[k]!, b.vertices[l]!));
  }
  const vertexFace = (p: Polyhedron, q: Polyhedron): void => {
    for (const v of q.vertices) {
      for (const [x, y, z, d] of p.planes) {
        const height = x * v[0] + y * v[1] + z * v[2] - d;
        if (height <= 0 || height >= best) continue;
        // The foot lies on the face if it is inside of all other half spaces.
        const foot = mad(v, [x, y, z], -height);
        if (p.planes.every(([px, py, pz, pd]) => px * foot[0] + py * foot[1] + pz * foot[2] - pd <= 1e-9)) best = height;
      }
    }
  };
  vertexFace(a, b);
  vertexFace(b, a);
  return best;
}

/** Largest height of p over the planes of a polyhedron: 0 on the surface, negative inside. */
export function heightOver(a: Polyhedron, p: Point): number {
  let top = -Infinity;
  for (const [x, y, z, d] of a.planes) top = Math.max(top, x * p[0] + y * p[1] + z * p[2] - d);
  return top;
}
