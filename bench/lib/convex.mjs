// Exact depth of two convex bodies in double precision, independent of every engine.
// A convex piece is a polyhedral core grown by a radius: sphere = point, capsule = segment, box and hull = polyhedron
// with radius 0; cylinder and cone = polyhedron with 64 sides of the circle's radius (flat by 0.12 % of the radius).
// Cores apart: GJK distance. Cores that overlap: the separating axis theorem over faces and edge pairs, edge pairs culled
// by the Gauss map (Gregorius, GDC 2013), which gives the penetration depth of polyhedra exactly.
import { convexHull } from './hull.mjs';
import { cross, dot, length, matrixOf, rotate, scale, sub } from './vec.mjs';

const SIDES = 64;

function withEdges(vertices, triangles, radius) {
  const faces = [];
  const edges = new Map();
  for (const f of triangles) {
    if (!faces.some((g) => dot(g, f.normal) > 1 - 1e-12)) faces.push(f.normal);
    for (let k = 0; k < 3; k++) {
      const a = f.v[k];
      const b = f.v[(k + 1) % 3];
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      const twin = edges.get(key);
      if (twin) twin.n2 = f.normal;
      else edges.set(key, { a, b, n1: f.normal, n2: f.normal });
    }
  }
  // Edges inside a flat face are none.
  return { vertices, faces, edges: [...edges.values()].filter((e) => dot(e.n1, e.n2) < 1 - 1e-9), radius };
}

function ring(radius, y) {
  const points = [];
  for (let i = 0; i < SIDES; i++) {
    const a = (2 * Math.PI * i) / SIDES;
    points.push([radius * Math.cos(a), y, radius * Math.sin(a)]);
  }
  return points;
}

/** Convex piece of a shape in its own frame; null for meshes, heightfields and compounds. */
export function convexPiece(shape) {
  switch (shape.type) {
    case 'sphere':
      return { vertices: [[0, 0, 0]], faces: [], edges: [], radius: shape.radius };
    case 'capsule': {
      const ends = [
        [0, -shape.halfHeight, 0],
        [0, shape.halfHeight, 0],
      ];
      return { vertices: ends, faces: [], edges: [{ a: 0, b: 1, n1: null, n2: null }], radius: shape.radius };
    }
    case 'box': {
      const [x, y, z] = shape.halfExtents;
      const points = [];
      for (let i = 0; i < 8; i++) points.push([i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]);
      const piece = withEdges(points, convexHull(points), 0);
      piece.half = shape.halfExtents;
      return piece;
    }
    case 'cylinder': {
      const points = [...ring(shape.radius, -shape.halfHeight), ...ring(shape.radius, shape.halfHeight)];
      return withEdges(points, convexHull(points), 0);
    }
    case 'cone': {
      const points = [...ring(shape.radius, -shape.halfHeight), [0, shape.halfHeight, 0]];
      return withEdges(points, convexHull(points), 0);
    }
    case 'hull': {
      const points = [];
      for (let i = 0; i < shape.points.length; i += 3) points.push([shape.points[i], shape.points[i + 1], shape.points[i + 2]]);
      return withEdges(points, convexHull(points), 0);
    }
    default:
      return null;
  }
}

/** A piece moved to the world by the row-major rotation `m` and the position `p`. */
export function placed(piece, m, p) {
  const move = (v) => {
    const r = rotate(m, v);
    return [r[0] + p[0], r[1] + p[1], r[2] + p[2]];
  };
  const vertices = piece.vertices.map(move);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const v of vertices) {
    for (let k = 0; k < 3; k++) {
      if (v[k] - piece.radius < low[k]) low[k] = v[k] - piece.radius;
      if (v[k] + piece.radius > high[k]) high[k] = v[k] + piece.radius;
    }
  }
  return { piece, m, p, vertices, low, high, radius: piece.radius, center: move(piece.center ?? [0, 0, 0]), turned: null };
}

/** World face normals and edges of a placed piece, computed when first needed. */
function turned(body) {
  if (body.turned === null) {
    const turn = (n) => (n === null ? null : rotate(body.m, n));
    body.turned = {
      faces: body.piece.faces.map(turn),
      edges: body.piece.edges.map((e) => {
        const from = body.vertices[e.a];
        return { from, dir: sub(body.vertices[e.b], from), n1: turn(e.n1), n2: turn(e.n2) };
      }),
    };
  }
  return body.turned;
}

function supportIndex(vertices, n) {
  let best = 0;
  let value = -Infinity;
  for (let i = 0; i < vertices.length; i++) {
    const d = vertices[i][0] * n[0] + vertices[i][1] * n[1] + vertices[i][2] * n[2];
    if (d > value) {
      value = d;
      best = i;
    }
  }
  return best;
}

/** Width of the gap along the unit vector n (from A to B), negative when the projections overlap. */
function gapAlong(a, b, n) {
  const top = dot(a.vertices[supportIndex(a.vertices, n)], n);
  const back = [-n[0], -n[1], -n[2]];
  return dot(b.vertices[supportIndex(b.vertices, back)], n) - top;
}

// --- GJK -------------------------------------------------------------------------------------------------------------

/** Closest point to the origin on the segment or triangle `s`; answers the point and the vertices that carry it. */
function closestOnSegment(s) {
  const ab = sub(s[1], s[0]);
  const t = -dot(s[0], ab) / Math.max(dot(ab, ab), 1e-300);
  if (t <= 0) return { point: s[0], keep: [s[0]] };
  if (t >= 1) return { point: s[1], keep: [s[1]] };
  return { point: [s[0][0] + t * ab[0], s[0][1] + t * ab[1], s[0][2] + t * ab[2]], keep: s };
}

function closestOnTriangle(s) {
  const [a, b, c] = s;
  const n = cross(sub(b, a), sub(c, a));
  const nn = dot(n, n);
  if (nn > 1e-300) {
    // Barycentric coordinates of the projection of the origin; inside if all three are positive.
    const u = dot(cross(b, c), n);
    const v = dot(cross(c, a), n);
    const w = dot(cross(a, b), n);
    if (u >= 0 && v >= 0 && w >= 0) return { point: scale(n, dot(a, n) / nn), keep: s };
  }
  return nearest([closestOnSegment([a, b]), closestOnSegment([b, c]), closestOnSegment([c, a])]);
}

function nearest(candidates) {
  return candidates.reduce((best, c) => (dot(c.point, c.point) < dot(best.point, best.point) ? c : best));
}

function closestOnTetrahedron(s) {
  const [a, b, c, d] = s;
  const sides = [
    [a, b, c, d],
    [a, c, d, b],
    [a, d, b, c],
    [b, d, c, a],
  ];
  let inside = true;
  const outer = [];
  for (const [p, q, r, opposite] of sides) {
    const n = cross(sub(q, p), sub(r, p));
    const toOpposite = dot(n, sub(opposite, p));
    if (-dot(n, p) * toOpposite <= 0) {
      inside = false;
      outer.push(closestOnTriangle([p, q, r]));
    }
  }
  return inside ? { point: [0, 0, 0], keep: s } : nearest(outer);
}

/** Distance of the cores; 0 if they touch or overlap. */
export function coreDistance(a, b) {
  let v = sub(b.vertices[0], a.vertices[0]);
  let simplex = [v];
  for (let iteration = 0; iteration < 64; iteration++) {
    const vv = dot(v, v);
    if (vv < 1e-24) return 0;
    const n = [-v[0], -v[1], -v[2]];
    // Support of B - A towards the origin.
    const w = sub(b.vertices[supportIndex(b.vertices, n)], a.vertices[supportIndex(a.vertices, v)]);
    if (vv - dot(v, w) <= 1e-12 * vv + 1e-18) return Math.sqrt(vv);
    if (simplex.some((s) => s[0] === w[0] && s[1] === w[1] && s[2] === w[2])) return Math.sqrt(vv);
    simplex.push(w);
    const closest =
      simplex.length === 2
        ? closestOnSegment(simplex)
        : simplex.length === 3
          ? closestOnTriangle(simplex)
          : closestOnTetrahedron(simplex);
    if (simplex.length === 4 && closest.keep.length === 4) return 0;
    simplex = closest.keep.slice();
    v = closest.point;
  }
  return length(v);
}

// --- separating axes -------------------------------------------------------------------------------------------------

/** Overlap of two oriented boxes by the fifteen axes; negative when apart. */
function boxOverlap(a, b) {
  const ha = a.piece.half;
  const hb = b.piece.half;
  const axesA = [0, 1, 2].map((k) => [a.m[k], a.m[3 + k], a.m[6 + k]]);
  const axesB = [0, 1, 2].map((k) => [b.m[k], b.m[3 + k], b.m[6 + k]]);
  const d = sub(b.p, a.p);
  const reach = (axes, half, n) =>
    half[0] * Math.abs(dot(axes[0], n)) + half[1] * Math.abs(dot(axes[1], n)) + half[2] * Math.abs(dot(axes[2], n));
  let overlap = Infinity;
  const test = (n) => {
    const o = reach(axesA, ha, n) + reach(axesB, hb, n) - Math.abs(dot(d, n));
    if (o < overlap) overlap = o;
  };
  for (const n of axesA) test(n);
  for (const n of axesB) test(n);
  if (overlap < 0) return overlap;
  for (const u of axesA) {
    for (const v of axesB) {
      const n = cross(u, v);
      const size = length(n);
      if (size > 1e-4) test(scale(n, 1 / size));
    }
  }
  return overlap;
}

/** Overlap of two polyhedra; negative when a separating axis was found. */
function polyhedronOverlap(a, b) {
  let overlap = Infinity;
  const A = turned(a);
  const B = turned(b);
  for (const n of A.faces) overlap = Math.min(overlap, -gapAlong(a, b, n));
  for (const n of B.faces) overlap = Math.min(overlap, -gapAlong(b, a, n));
  if (overlap < 0) return overlap;
  const flatA = A.edges.length > 0 && A.edges[0].n1 !== null;
  const flatB = B.edges.length > 0 && B.edges[0].n1 !== null;
  const toB = sub(b.center, a.center);
  for (const e of A.edges) {
    const de = flatA ? cross(e.n2, e.n1) : null;
    for (const f of B.edges) {
      if (flatA && flatB) {
        const c1 = -dot(f.n1, de);
        const c2 = -dot(f.n2, de);
        if (c1 * c2 >= 0) continue;
        const df = cross(f.n2, f.n1);
        const a1 = dot(e.n1, df);
        const a2 = dot(e.n2, df);
        if (a1 * a2 >= 0 || c1 * a2 <= 0) continue;
      }
      const n = cross(e.dir, f.dir);
      const size = length(n);
      if (size < 1e-6 * length(e.dir) * length(f.dir)) continue;
      // The normal points out of A: to the side of the sum of the two face normals (an arc may be wider than 90 degrees).
      const outward = flatA ? dot(n, e.n1) + dot(n, e.n2) : dot(n, toB);
      const unit = scale(n, (outward < 0 ? -1 : 1) / size);
      // With both arcs crossing, the edges are the supports; without a Gauss map the projections are measured.
      const gap = flatA && flatB ? dot(unit, sub(f.from, e.from)) : Math.max(gapAlong(a, b, unit), gapAlong(b, a, unit));
      overlap = Math.min(overlap, -gap);
    }
  }
  return overlap;
}

/**
 * Depth of two placed convex pieces, m; 0 or less when they do not overlap (then no distance is promised).
 */
export function convexDepth(a, b) {
  const radius = a.radius + b.radius;
  if (a.piece.half && b.piece.half) return boxOverlap(a, b);
  const distance = coreDistance(a, b);
  if (distance > 0) return radius - distance;
  if (a.vertices.length === 1 && b.vertices.length === 1) return radius;
  return radius + Math.max(0, polyhedronOverlap(a, b));
}

/** All convex pieces of a scene by body: [{ body, piece, childMatrix, childPosition }]. */
export function collidersOf(scene) {
  const cache = new Map();
  const pieceOf = (index) => {
    if (!cache.has(index)) {
      const piece = convexPiece(scene.shapes[index]);
      if (piece && piece.faces.length > 0) {
        const sum = piece.vertices.reduce((s, v) => [s[0] + v[0], s[1] + v[1], s[2] + v[2]], [0, 0, 0]);
        piece.center = scale(sum, 1 / piece.vertices.length);
      }
      cache.set(index, piece);
    }
    return cache.get(index);
  };
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const out = [];
  for (let body = 0; body < scene.bodies.count; body++) {
    const index = scene.bodies.shape[body];
    const shape = scene.shapes[index];
    if (shape.type === 'compound') {
      for (const c of shape.children) {
        out.push({ body, piece: pieceOf(c.shape), childMatrix: matrixOf(c.rotation), childPosition: c.position });
      }
    } else if (shape.type !== 'mesh' && shape.type !== 'heightfield') {
      out.push({ body, piece: pieceOf(index), childMatrix: identity, childPosition: [0, 0, 0] });
    }
  }
  return out;
}
