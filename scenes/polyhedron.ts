// Convex polyhedra as lists of faces, cut by half-spaces: what the Voronoi cells of the fracture scene and the rings of the
// lathe are made of. Double precision; only + - * / and Math.sqrt, so that scenes are the same bit by bit everywhere.
import type { Vec3 } from './types';

/** Faces as polygons, counter-clockwise seen from outside. */
export type Polyhedron = Vec3[][];

const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** `count` points (a power of two, 4 at least) on the unit circle in the plane of x and z, by halving angles. */
export function unitCircle(count: number): [number, number][] {
  let points: [number, number][] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  while (points.length < count) {
    const finer: [number, number][] = [];
    for (let i = 0; i < points.length; i++) {
      const a = points[i];
      const b = points[(i + 1) % points.length];
      const x = a[0] + b[0];
      const z = a[1] + b[1];
      const k = 1 / Math.sqrt(x * x + z * z);
      finer.push(a, [x * k, z * k]);
    }
    points = finer;
  }
  return points;
}

/** Prism with `sides` (a power of two) around the y axis, from y = 0 to `height`. */
export function prism(radius: number, height: number, sides: number): Polyhedron {
  const ring = unitCircle(sides).map(([x, z]): Vec3 => [radius * x, 0, radius * z]);
  const top = ring.map(([x, , z]): Vec3 => [x, height, z]);
  const faces: Polyhedron = [ring, [...top].reverse()];
  for (let i = 0; i < sides; i++) {
    const j = (i + 1) % sides;
    faces.push([ring[j], ring[i], top[i], top[j]]);
  }
  return faces;
}

/**
 * What of a polyhedron lies where normal . x <= offset; empty if nothing does. Corners closer to the plane than `tolerance`
 * count as on it, so that a plane through a corner makes no slivers.
 */
export function clip(cell: Polyhedron, normal: Vec3, offset: number, tolerance: number): Polyhedron {
  const side = (p: Vec3) => {
    const d = dot(normal, p) - offset;
    return d > tolerance ? 1 : d < -tolerance ? -1 : 0;
  };
  if (cell.every((face) => face.every((p) => side(p) <= 0))) return cell;
  const out: Polyhedron = [];
  const rim: Vec3[] = [];
  for (const face of cell) {
    const kept: Vec3[] = [];
    for (let i = 0; i < face.length; i++) {
      const p = face[i];
      const q = face[(i + 1) % face.length];
      const sp = side(p);
      const sq = side(q);
      if (sp <= 0) kept.push(p);
      if (sp === 0) rim.push(p);
      if (sp * sq < 0) {
        // From the inner to the outer end, whichever face asks: both faces of an edge get the same point.
        const [from, to] = sp < 0 ? [p, q] : [q, p];
        const a = dot(normal, from) - offset;
        const b = dot(normal, to) - offset;
        const t = a / (a - b);
        const hit: Vec3 = [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), from[2] + t * (to[2] - from[2])];
        kept.push(hit);
        rim.push(hit);
      }
    }
    if (kept.length >= 3 && kept.some((p) => side(p) < 0)) out.push(kept);
  }
  if (out.length === 0) return [];
  const cap = orderRound(distinct(rim, tolerance), normal);
  if (cap.length >= 3) out.push(cap);
  return out;
}

/** Points without those closer than `tolerance` to an earlier one. */
export function distinct(points: Vec3[], tolerance: number): Vec3[] {
  const kept: Vec3[] = [];
  for (const p of points) if (!kept.some((q) => dot(sub(p, q), sub(p, q)) <= tolerance * tolerance)) kept.push(p);
  return kept;
}

/** Coplanar points of a convex polygon, counter-clockwise seen against `normal`, by signs of areas alone. */
function orderRound(points: Vec3[], normal: Vec3): Vec3[] {
  if (points.length < 3) return [];
  const start = points.reduce((a, b) => ((b[0] - a[0] || b[1] - a[1] || b[2] - a[2]) < 0 ? b : a));
  const rest = points.filter((p) => p !== start);
  // Seen from an extreme point all others lie within half a turn, so the sign of the area orders them.
  rest.sort((a, b) => -dot(cross(sub(a, start), sub(b, start)), normal));
  return [start, ...rest];
}

/** Volume (m3) and centroid. */
export function volumeOf(cell: Polyhedron): { volume: number; center: Vec3 } {
  const o = cell[0][0];
  let volume = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  for (const face of cell) {
    for (let i = 1; i + 1 < face.length; i++) {
      const a = sub(face[0], o);
      const b = sub(face[i], o);
      const c = sub(face[i + 1], o);
      const v = dot(a, cross(b, c)) / 6;
      volume += v;
      x += (v * (a[0] + b[0] + c[0])) / 4;
      y += (v * (a[1] + b[1] + c[1])) / 4;
      z += (v * (a[2] + b[2] + c[2])) / 4;
    }
  }
  return { volume, center: [o[0] + x / volume, o[1] + y / volume, o[2] + z / volume] };
}

/** Corners without repeats. */
export function cornersOf(cell: Polyhedron, tolerance: number): Vec3[] {
  return distinct(cell.flat(), tolerance);
}

/** The part of `region` nearer to `sites[i]` than to any other site, for each site; parts may be empty. */
export function voronoi(region: Polyhedron, sites: Vec3[], tolerance: number): Polyhedron[] {
  return sites.map((site, i) => {
    let cell = region;
    // Nearest sites first: they cut most, and what they leave is small.
    const others = sites.filter((_, j) => j !== i);
    others.sort((a, b) => dot(sub(a, site), sub(a, site)) - dot(sub(b, site), sub(b, site)));
    for (const other of others) {
      const d = sub(other, site);
      const length = Math.sqrt(dot(d, d));
      // A site more than twice as far as the farthest corner cuts nothing, nor do those behind it.
      let reach = 0;
      for (const face of cell) for (const p of face) reach = Math.max(reach, dot(sub(p, site), sub(p, site)));
      if (length * length > 4 * reach) break;
      const n: Vec3 = [d[0] / length, d[1] / length, d[2] / length];
      const middle: Vec3 = [(site[0] + other[0]) / 2, (site[1] + other[1]) / 2, (site[2] + other[2]) / 2];
      cell = clip(cell, n, dot(n, middle), tolerance);
      if (cell.length === 0) break;
    }
    return cell;
  });
}
