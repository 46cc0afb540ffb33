// Planes: the half-space n . x <= d, against convex shapes, along a line, and against rays. All closed forms.
//
// A convex shape touches a plane by its lowest vertices, each of which is a point with its own height; a round one by the lowest
// points of its core less the radius. Vertices above the middle of the shape are under its weight in no motion of a step and are
// left out, so a thin plate lies on one face and not on both.
// In: the Shape of the plane (unit normal in p0 p1 p2, a point of it in minX minY minZ), a RelPose or a Ray. Out: ManifoldOut, t.
import {
  FEATURE_A,
  HullBlob,
  Ray,
  RayHit,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_HULL,
  SHAPE_SPHERE,
  Shape,
  SupportRow,
} from '../layout.generated';
import { dot3, vec3W } from '../math/lane';
import { addScaled3, length3, scale3, w3, withW3, x3, y3, z3 } from '../math/vec3';
import { putVector } from '../memory/words';
import { featureA } from './features';
import { SOLIDS, supportA } from './gjk';
import { writeGap, writeHead, writeSingle } from './manifold_out';
import { poseDirection, posePoint, vertexOf } from './polyhedron';
import { RAY_MISS } from './ray_shapes';
import { nearOf, reducePoints, writePoints } from './reduce';
import { narrowState } from './state';
import { writeSupport } from './support';

/** Vertices less than this share of the extent above the middle count as below it. */
const LEVEL: f32 = 1e-3;
/** Sine of the tilt above which only the lower end of a capsule is in reach. */
const UPRIGHT: f32 = 0.9;

/** Outward unit normal of a plane, in its own frame. */
export function planeNormal(shape: usize): v128 {
  return withW3(v128.load(shape, offsetof<Shape>('p0')), 0);
}

/** A point of a plane, in its own frame. */
export function planePoint(shape: usize): v128 {
  return withW3(v128.load(shape, offsetof<Shape>('minX')), 0);
}

/** Normal (x y z) and offset (w) of plane B in the frame of A. */
function planeIn(shape: usize, rel: usize): v128 {
  const n: v128 = poseDirection(rel, planeNormal(shape));
  return withW3(n, dot3(n, posePoint(rel, planePoint(shape))));
}

/** Lowest point of A, x y z, and how far above the plane it is; the true shape must be in the rows SOLIDS. */
function lowest(g: usize, plane: v128): v128 {
  const n: v128 = withW3(plane, 0);
  const p: v128 = addScaled3(supportA(g, SOLIDS, f32x4.neg(n)), n, -changetype<SupportRow>(g + SOLIDS).margin);
  return withW3(p, dot3(n, p) - w3(plane));
}

/** Points by which A may stand on a plane with normal n: rows at FEATURE_A, of round shapes those of the core. */
function footing(g: usize, shape: usize, n: v128): u32 {
  const s = changetype<Shape>(shape);
  const out: usize = g + FEATURE_A;
  const level: f32 = LEVEL * s.extent;
  let to: usize = out;
  switch (s.type) {
    case SHAPE_SPHERE: {
      v128.store(out, f32x4.splat(0));
      return 1;
    }
    case SHAPE_CAPSULE: {
      const end: v128 = vec3W(0, y3(n) > 0 ? -s.p1 : s.p1, 0);
      putVector(out, 0, end);
      putVector(out, 1, f32x4.neg(end));
      return abs<f32>(y3(n)) > UPRIGHT ? 1 : 2;
    }
    case SHAPE_BOX: {
      for (let k: u32 = 0; k < 8; k++) {
        const p: v128 = vec3W((k & 1) != 0 ? s.p0 : -s.p0, (k & 2) != 0 ? s.p1 : -s.p1, (k & 4) != 0 ? s.p2 : -s.p2);
        if (dot3(n, p) > level) continue;
        v128.store(to, p);
        to += 16;
      }
      return <u32>((to - out) >> 4);
    }
    case SHAPE_HULL: {
      const h = changetype<HullBlob>(<usize>s.dataPtr);
      const most: f32 = level + dot3(n, vec3W(h.centroidX, h.centroidY, h.centroidZ));
      for (let k: u32 = 0; k < h.vertexCount; k++) {
        const p: v128 = vertexOf(s.dataPtr, k);
        if (dot3(n, p) > most) continue;
        v128.store(to, p);
        to += 16;
      }
      return <u32>((to - out) >> 4);
    }
    default:
      return featureA(g, f32x4.neg(n));
  }
}

/** Convex shape A against plane B: contract of the narrow phase, at most two manifolds. `cache` is not used. */
export function collideConvexPlane(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const g: usize = narrowState().roundScratch;
  writeSupport(g + SOLIDS, shapeA, false);
  const plane: v128 = planeIn(shapeB, rel);
  const n: v128 = withW3(plane, 0);
  const low: v128 = lowest(g, plane);
  const least: f32 = w3(low);
  if (!(least <= margin)) return writeGap(out, least);
  const radius: f32 = changetype<SupportRow>(g + SOLIDS).margin;
  const rows: usize = g + FEATURE_A;
  const end: usize = rows + ((<usize>footing(g, shapeA, n)) << 4);
  let to: usize = rows;
  for (let at: usize = rows; at < end; at += 16) {
    const p: v128 = addScaled3(v128.load(at), n, -radius);
    const separation: f32 = dot3(n, p) - w3(plane);
    if (!(separation <= margin)) continue;
    v128.store(to, withW3(p, separation));
    to += 16;
  }
  const count: u32 = <u32>((to - rows) >> 4);
  if (count == 0) return writeSingle(out, f32x4.neg(n), low, least);
  writeHead(out, count, f32x4.neg(n), least);
  const type: u32 = changetype<Shape>(shapeA).type;
  if (type == SHAPE_BOX || type == SHAPE_HULL) return writePoints(rows, count, out, nearOf(margin));
  reducePoints(rows, count, out, nearOf(margin));
  return 1;
}

/** Distance of A from plane B, negative inside; the ManifoldOut at `out` has the normal and the lowest point of A. */
export function planeDistance(shapeA: usize, shapeB: usize, rel: usize, out: usize): f32 {
  const g: usize = narrowState().roundScratch;
  writeSupport(g + SOLIDS, shapeA, false);
  const plane: v128 = planeIn(shapeB, rel);
  const low: v128 = lowest(g, plane);
  writeSingle(out, f32x4.neg(withW3(plane, 0)), low, w3(low));
  return w3(low);
}

/**
 * t in [0, maxT] at which the Ray at `ray` (frame of the plane) enters the half-space: 0 inside, with the normal against the ray.
 * `hollow`: from inside where it leaves, with the normal inward. RAY_MISS if it does not; then nothing is written.
 */
export function rayPlane(shape: usize, ray: usize, out: usize, hollow: bool): f32 {
  const r = changetype<Ray>(ray);
  const n: v128 = planeNormal(shape);
  const d: v128 = vec3W(r.dx, r.dy, r.dz);
  const height: f32 = dot3(n, f32x4.sub(vec3W(r.x, r.y, r.z), planePoint(shape)));
  const rate: f32 = -dot3(n, d);
  const inside: bool = height < 0;
  let t: f32 = 0;
  let normal: v128 = n;
  if (inside && !hollow) {
    const length: f32 = length3(d);
    if (!(length > 0)) return RAY_MISS;
    normal = scale3(d, <f32>-1 / length);
  } else {
    if (!(inside ? rate < 0 : rate > 0)) return RAY_MISS;
    t = height / rate;
    if (inside) normal = f32x4.neg(n);
  }
  if (!(t <= r.maxT)) return RAY_MISS;
  const h = changetype<RayHit>(out);
  h.nx = x3(normal);
  h.ny = y3(normal);
  h.nz = z3(normal);
  h.t = t;
  return t;
}
