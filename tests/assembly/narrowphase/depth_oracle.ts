// Signed distance of two convex solids in double precision, as a bracket: the distance by GJK (Gilbert, Johnson, Keerthi 1988) while they
// are apart, the least depth by the expanding polytope algorithm (van den Bergen 2001) where they overlap. Radii of spheres and capsules
// are taken off first: then both are exact for them.
import { SHAPE_CAPSULE, SHAPE_SPHERE } from '../../../src/layout.generated';
import {
  cross,
  dot,
  extentOf,
  len,
  mul,
  nearest,
  type Pose,
  type Solid,
  sub,
  support,
  toWorld,
  unrotate,
  type Vec,
} from './round_oracle';

/** What is known of the signed distance (m, negative inside): `least` is that along a direction, so it never exceeds the true one. */
export interface Bracket {
  least: number;
  most: number;
}

const radiusOf = (s: Solid): number => (s.type === SHAPE_SPHERE || s.type === SHAPE_CAPSULE ? s.p[0] : 0);

/** Farthest point along d of a solid without its radius. */
function coreSupport(s: Solid, d: Vec): Vec {
  if (s.type === SHAPE_SPHERE) return [0, 0, 0];
  if (s.type === SHAPE_CAPSULE) return [0, d[1] >= 0 ? s.p[1] : -s.p[1], 0];
  return support(s, d);
}

/** A face of the polytope: corners in turn about the outer normal, and the distance of its plane from the origin. */
interface Face {
  corners: [Vec, Vec, Vec];
  n: Vec;
  d: number;
}

function faceOf(a: Vec, b: Vec, c: Vec): Face | undefined {
  const n = cross(sub(b, a), sub(c, a));
  const length = len(n);
  if (!(length > 0)) return undefined;
  const unit = mul(n, 1 / length);
  return { corners: [a, b, c], n: unit, d: dot(unit, a) };
}

/** The hull with one more point; undefined where rounding leaves no closed surface. */
function withPoint(faces: readonly Face[], p: Vec, hair: number): Face[] | undefined {
  const kept: Face[] = [];
  const open = new Map<Vec, Map<Vec, boolean>>();
  const mark = (from: Vec, to: Vec) => {
    // An edge between two faces that are both removed comes in both directions.
    if (open.get(to)?.delete(from)) return;
    let ends = open.get(from);
    if (!ends) {
      ends = new Map();
      open.set(from, ends);
    }
    ends.set(to, true);
  };
  for (const face of faces) {
    if (dot(face.n, p) <= face.d + hair) {
      kept.push(face);
      continue;
    }
    const [a, b, c] = face.corners;
    mark(a, b);
    mark(b, c);
    mark(c, a);
  }
  if (kept.length === faces.length) return undefined;
  for (const [from, ends] of open) {
    for (const to of ends.keys()) {
      const face = faceOf(from, to, p);
      if (!face) return undefined;
      kept.push(face);
    }
  }
  return kept;
}

/** A tetrahedron of support points; undefined if the body is flat. */
function tetrahedron(reach: (d: Vec) => Vec, hair: number): Face[] | undefined {
  const directions: Vec[] = [
    [1, 0.1, 0.2],
    [-0.2, 1, 0.1],
    [0.1, -0.2, 1],
  ];
  const points = directions.flatMap((d) => [reach(d), reach(mul(d, -1))]);
  const farthest = (measure: (p: Vec) => number) => points.reduce((best, p) => (measure(p) > measure(best) ? p : best));
  const a = points[0]!;
  const b = farthest((p) => len(sub(p, a)));
  const ab = sub(b, a);
  const c = farthest((p) => len(cross(ab, sub(p, a))));
  const n = cross(ab, sub(c, a));
  if (len(n) <= hair * hair) return undefined;
  const axis = mul(n, 1 / len(n));
  points.push(reach(axis), reach(mul(axis, -1)));
  const d = farthest((p) => Math.abs(dot(axis, sub(p, a))));
  const height = dot(axis, sub(d, a));
  if (Math.abs(height) <= hair) return undefined;
  const [x, y] = height > 0 ? [c, b] : [b, c];
  const faces = [faceOf(a, x, y), faceOf(a, y, d), faceOf(y, x, d), faceOf(x, a, d)];
  return faces.includes(undefined) ? undefined : (faces as Face[]);
}

/** Bracket of the least depth of the origin in a convex body that contains it, given by its farthest points. */
function depthOf(reach: (d: Vec) => Vec, size: number): { least: number; most: number } {
  const hair = 1e-13 * size;
  let faces = tetrahedron(reach, 1e-9 * size);
  if (!faces) return { least: 0, most: 0 };
  let most = Number.POSITIVE_INFINITY;
  let least = 0;
  for (let k = 0; k < 400; k++) {
    const face = faces.reduce((best, one) => (one.d < best.d ? one : best));
    least = Math.max(face.d, 0);
    const p = reach(face.n);
    most = Math.min(most, Math.max(dot(face.n, p), 0));
    if (most - least <= 1e-8 * size) break;
    const grown = withPoint(faces, p, hair);
    if (!grown) break;
    faces = grown;
  }
  return { least, most };
}

/** Signed distance of B, posed in the frame of A, from A. */
export function signedDistance(a: Solid, b: Solid, pose: Pose): Bracket {
  const size = extentOf(a) + extentOf(b);
  const radii = radiusOf(a) + radiusOf(b);
  const reach = (d: Vec): Vec => sub(coreSupport(a, d), toWorld(pose, coreSupport(b, unrotate(pose, mul(d, -1)))));
  let simplex = [reach(len(pose.t) > 0 ? pose.t : [0, 1, 0])];
  let v = simplex[0]!;
  let least = 0;
  for (let i = 0; i < 300; i++) {
    const vv = dot(v, v);
    // Distances are differences of coordinates: below this they are rounding.
    if (vv < (1e-13 * size) ** 2) break;
    const w = reach(mul(v, -1));
    least = Math.max(least, dot(v, w) / Math.sqrt(vv));
    if (vv - dot(v, w) <= 1e-13 * vv) break;
    const next = nearest([...simplex, w]);
    if (dot(next.v, next.v) >= vv) break;
    v = next.v;
    simplex = next.used;
    if (simplex.length === 4) break;
  }
  if (simplex.length < 4 && len(v) > 1e-12 * size) return { least: least - radii, most: len(v) - radii };
  const depth = depthOf(reach, size);
  return { least: -depth.most - radii, most: -depth.least - radii };
}
