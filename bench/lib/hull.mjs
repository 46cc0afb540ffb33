// Convex hull of a small point set by plain incremental insertion, in double precision: triangles with outward normals.
// For measuring only (mass properties and depth), independent of the engine's own hull code.
import { cross, dot, length, scale, sub } from './vec.mjs';

function plane(points, a, b, c) {
  const n = cross(sub(points[b], points[a]), sub(points[c], points[a]));
  const size = length(n);
  const normal = size > 0 ? scale(n, 1 / size) : [0, 0, 0];
  return { v: [a, b, c], normal, offset: dot(normal, points[a]) };
}

/**
 * @param {number[][]} points At least four, not in one plane.
 * @returns {{ v: number[], normal: number[], offset: number }[]} Triangles, counter-clockwise from outside.
 */
export function convexHull(points) {
  const extent = Math.max(...points.flat().map(Math.abs));
  const epsilon = 1e-10 * extent;
  // A start tetrahedron as large as four greedy choices make it.
  const farthest = (value) => points.reduce((best, _, i) => (value(points[i]) > value(points[best]) ? i : best), 0);
  const a = farthest((p) => -p[0]);
  const b = farthest((p) => length(sub(p, points[a])));
  const u = sub(points[b], points[a]);
  const c = farthest((p) => length(cross(u, sub(p, points[a]))));
  const base = plane(points, a, b, c);
  const d = farthest((p) => Math.abs(dot(base.normal, p) - base.offset));
  if (Math.abs(dot(base.normal, points[d]) - base.offset) <= epsilon) throw new Error('the points lie in one plane');
  const order = dot(base.normal, points[d]) > base.offset ? [a, c, b, d] : [a, b, c, d];
  let faces = [
    plane(points, order[0], order[1], order[2]),
    plane(points, order[0], order[3], order[1]),
    plane(points, order[1], order[3], order[2]),
    plane(points, order[2], order[3], order[0]),
  ];
  for (let i = 0; i < points.length; i++) {
    const visible = faces.filter((f) => dot(f.normal, points[i]) > f.offset + epsilon);
    if (visible.length === 0) continue;
    const edges = new Set();
    for (const f of visible) for (let k = 0; k < 3; k++) edges.add(`${f.v[k]},${f.v[(k + 1) % 3]}`);
    faces = faces.filter((f) => !visible.includes(f));
    for (const key of edges) {
      const [from, to] = key.split(',').map(Number);
      if (!edges.has(`${to},${from}`)) faces.push(plane(points, from, to, i));
    }
  }
  return faces;
}
