// One query against one collider: ray, shape cast, overlap, distance, contact or bounds, in the frame of the shape, with its
// result in the world.
import { centerAt } from '../bodies/rows';
import {
  Aabb,
  BodyCenter,
  COLLIDER_ALIGNED,
  Collider,
  Header,
  HullBlob,
  MANIFOLD_OUT_STRIDE,
  MESH_TRIANGLE_STRIDE,
  ManifoldOut,
  MeshBlob,
  MeshTriangle,
  NONE,
  QUERY_BOUNDS,
  QUERY_CAST,
  QUERY_CONTACT,
  QUERY_FRONT,
  QUERY_HOLLOW,
  QUERY_LEAVES,
  QUERY_OVERLAP,
  QUERY_RAY,
  QueryState,
  Ray,
  RayHit,
  RelPose,
  SHAPE_BOX,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { dot3, vec3W } from '../math/lane';
import { inverseRotate3, quatMul, rotate3, storeRotation } from '../math/quat';
import { w3 } from '../math/vec3';
import { header } from '../memory/header';
import { collide } from '../narrowphase/dispatch';
import { castOf, distanceOf, setPair, touches } from '../narrowphase/distance';
import { planeDistance, rayPlane } from '../narrowphase/plane';
import { rayHeightfield, rayMesh } from '../narrowphase/ray_mesh';
import { rayShape } from '../narrowphase/ray_shapes';
import { colliderBounds } from '../shapes/bounds';
import { boundsOf, keep, outputsOf } from './state';
import { askSurface } from './surfaces';

/** A cast that starts less than this deep in a plane (share of the extent) touches it. */
const PLANE_TOUCH: f32 = 2e-5;

/** Face of a box or hull that looks along n (frame of the shape); 0 for other shapes. */
function faceOf(shape: usize, n: v128): u32 {
  const s = changetype<Shape>(shape);
  if (s.type == SHAPE_BOX) {
    const a: v128 = f32x4.abs(n);
    const x: f32 = f32x4.extract_lane(a, 0),
      y: f32 = f32x4.extract_lane(a, 1),
      z: f32 = f32x4.extract_lane(a, 2);
    if (x >= y && x >= z) return f32x4.extract_lane(n, 0) > 0 ? 0 : 1;
    if (y >= z) return f32x4.extract_lane(n, 1) > 0 ? 2 : 3;
    return f32x4.extract_lane(n, 2) > 0 ? 4 : 5;
  }
  let best: u32 = 0;
  if (s.type == SHAPE_HULL) {
    const h = changetype<HullBlob>(<usize>s.dataPtr);
    let most: f32 = -Infinity;
    for (let i: u32 = 0; i < h.faceCount; ++i) {
      const d: f32 = dot3(n, v128.load(<usize>s.dataPtr + <usize>h.planesOffset + ((<usize>i) << 4)));
      if (d > most) {
        most = d;
        best = i;
      }
    }
  }
  return best;
}

/**
 * The pose of the present collider: originB, columns b0 b1 b2. Rays of a batch mostly hit the same collider as the ray before.
 */
function place(q: QueryState, c: Collider): void {
  if (q.placed == q.collider) return;
  q.placed = q.collider;
  const h: Header = header();
  const body: usize = c.body;
  const columns: usize = changetype<usize>(q) + offsetof<QueryState>('b0');
  const center: BodyCenter = centerAt(c.body);
  const rotation: v128 = v128.load(<usize>h.rotations + (body << 4));
  let origin: v128 = f32x4.add(center.xyz, center.l);
  storeRotation(rotation, columns);
  if ((c.flags & COLLIDER_ALIGNED) == 0) {
    origin = f32x4.add(origin, rotate3(columns, c.xyz));
    storeRotation(quatMul(rotation, c.q), columns);
  }
  q.originB = f32x4.replace_lane(origin, 3, 0);
}

function castRayAt(q: QueryState, shape: usize): void {
  const at: usize = changetype<usize>(q);
  const columns: usize = at + offsetof<QueryState>('b0');
  const ray: usize = at + offsetof<QueryState>('ray0');
  const out: usize = at + offsetof<QueryState>('rayHit');
  const feature: usize = at + offsetof<QueryState>('foundFeature');
  const start: v128 = q.o;
  const way: v128 = f32x4.replace_lane(q.d, 3, 0);
  const o: v128 = inverseRotate3(columns, f32x4.sub(start, q.originB));
  const d: v128 = inverseRotate3(columns, way);
  const r: Ray = changetype<Ray>(ray);
  r.xyz = o;
  r.d = d;
  const hit: RayHit = changetype<RayHit>(out);
  r.maxT = q.best;
  const type: u32 = q.typeB;
  const front: bool = (q.flags & QUERY_FRONT) != 0;
  let t: f32;
  let index: u32 = 0;
  if (type == SHAPE_MESH) {
    t = rayMesh(shape, ray, out, feature, front);
    if (t >= 0) index = featureOf(q, shape, q.foundFeature);
  } else if (type == SHAPE_HEIGHTFIELD) {
    t = rayHeightfield(shape, ray, out, feature, front);
    index = q.foundFeature;
  } else if (type == SHAPE_PLANE) {
    t = rayPlane(shape, ray, out, (q.flags & QUERY_HOLLOW) != 0);
  } else {
    t = rayShape(shape, ray, out);
    let side: v128 = vec3W(hit.nx, hit.ny, hit.nz);
    if (t == 0 && (q.flags & QUERY_HOLLOW) != 0) {
      // Back from beyond the far side: where that ray enters, this one leaves.
      const beyond: f32 = 2 * changetype<Shape>(shape).extent + sqrt<f32>(dot3(o, o));
      r.xyz = f32x4.add(o, f32x4.mul(d, f32x4.splat(beyond)));
      r.d = f32x4.neg(d);
      r.maxT = beyond;
      const back: f32 = rayShape(shape, ray, out);
      if (back < 0 || beyond - back > q.best) return;
      t = beyond - back;
      side = vec3W(hit.nx, hit.ny, hit.nz);
      hit.nx = -hit.nx;
      hit.ny = -hit.ny;
      hit.nz = -hit.nz;
    }
    if (t >= 0 && type >= SHAPE_BOX && type <= SHAPE_HULL) index = faceOf(shape, side);
  }
  if (t < 0) return;
  const n: v128 = rotate3(columns, vec3W(hit.nx, hit.ny, hit.nz));
  keep(q, t, 0, index, n, f32x4.add(start, f32x4.mul(way, f32x4.splat(t))));
}

/**
 * Stores a result of the narrow phase, in the frame of the querying shape: normal n from there, point p on it, `gap` to the
 * collider.
 */
function answer(q: QueryState, shape: usize, distance: f32, depth: f32, feature: u32, n: v128, p: v128, gap: f32): void {
  const at: usize = changetype<usize>(q);
  const columns: usize = at + offsetof<QueryState>('a0');
  const normal: v128 = f32x4.replace_lane(f32x4.neg(rotate3(columns, n)), 3, 0);
  let point: v128 = rotate3(columns, f32x4.add(p, f32x4.mul(n, f32x4.splat(gap))));
  point = f32x4.add(q.o, point);
  if (q.kind == QUERY_CAST) {
    point = f32x4.add(point, f32x4.mul(q.d, f32x4.splat(distance)));
  }
  if (feature == NONE) feature = faceOf(shape, inverseRotate3(at + offsetof<QueryState>('b0'), normal));
  keep(q, distance, depth, feature, normal, point);
}

/** Prepares the present collider in the frame of the querying shape: relative pose and displacement. */
function relate(q: QueryState): usize {
  const at: usize = changetype<usize>(q);
  const a: usize = at + offsetof<QueryState>('a0');
  const rel: usize = at + offsetof<QueryState>('rel0');
  const o: v128 = inverseRotate3(a, f32x4.sub(q.originB, q.o));
  const pose = changetype<RelPose>(rel);
  pose.c0 = f32x4.replace_lane(inverseRotate3(a, q.b0), 3, f32x4.extract_lane(o, 0));
  pose.c1 = f32x4.replace_lane(inverseRotate3(a, q.b1), 3, f32x4.extract_lane(o, 1));
  pose.c2 = f32x4.replace_lane(inverseRotate3(a, q.b2), 3, f32x4.extract_lane(o, 2));
  return rel;
}

/** The same in the frame of a surface: the bounds of the querying shape, and its displacement. */
function relateSurface(q: QueryState, shape: usize, rel: usize): void {
  const at: usize = changetype<usize>(q);
  const a: usize = at + offsetof<QueryState>('a0'),
    b: usize = at + offsetof<QueryState>('b0');
  const s = changetype<Shape>(<usize>q.shapeA);
  const low: v128 = vec3W(s.minX, s.minY, s.minZ),
    high: v128 = vec3W(s.maxX, s.maxY, s.maxZ);
  const half: v128 = f32x4.mul(f32x4.sub(high, low), f32x4.splat(0.5));
  const middle: v128 = rotate3(a, f32x4.mul(f32x4.add(high, low), f32x4.splat(0.5)));
  const start: v128 = f32x4.sub(q.o, q.originB);
  q.centerB = inverseRotate3(b, f32x4.add(start, middle));
  // A hair more than its bounds: the turn is rounded.
  const k: v128 = f32x4.splat(1.00001);
  const pose = changetype<RelPose>(rel);
  q.halfB = vec3W(
    dot3(f32x4.mul(f32x4.abs(pose.c0), k), half),
    dot3(f32x4.mul(f32x4.abs(pose.c1), k), half),
    dot3(f32x4.mul(f32x4.abs(pose.c2), k), half),
  );
  q.wayB = inverseRotate3(b, q.d);
  q.blob = changetype<Shape>(shape).dataPtr;
  q.found = q.best;
}

/** Index that the caller knows a triangle of a manifold by. */
function featureOf(q: QueryState, shape: usize, triangle: u32): u32 {
  if (q.typeB != SHAPE_MESH) return triangle;
  const blob: usize = changetype<Shape>(shape).dataPtr;
  const row: usize = blob + changetype<MeshBlob>(blob).trianglesOffset + <usize>triangle * MESH_TRIANGLE_STRIDE;
  return changetype<MeshTriangle>(row).source;
}

/**
 * Answers with the manifolds of the shape at hand within q.reach: all their points, or the deepest of each (`one`). If there
 * are.
 */
function askManifolds(q: QueryState, shape: usize, one: bool): bool {
  const out: usize = outputsOf(q);
  const at: usize = changetype<usize>(q);
  const cache: usize = at + offsetof<QueryState>('cache');
  store<u32>(cache, 0);
  const count: u32 = collide(q.shapeA, shape, at + offsetof<QueryState>('rel0'), out, cache, q.reach);
  for (let i: u32 = 0; i < count; ++i) {
    const row: usize = out + <usize>i * MANIFOLD_OUT_STRIDE;
    const m = changetype<ManifoldOut>(row);
    const feature: u32 = q.typeB >= SHAPE_MESH ? featureOf(q, shape, m.feature) : NONE;
    const n: v128 = f32x4(m.nx, m.ny, m.nz, 0);
    let deepest: v128 = v128.load(row, offsetof<ManifoldOut>('x0'));
    for (let k: u32 = 0; k < m.count; ++k) {
      const p: v128 = v128.load(row + ((<usize>k) << 4), offsetof<ManifoldOut>('x0'));
      if (!one) answer(q, shape, w3(p), 0, feature, n, p, w3(p));
      else if (w3(p) < w3(deepest)) deepest = p;
    }
    if (one && w3(deepest) <= q.best) answer(q, shape, w3(deepest), 0, feature, n, deepest, w3(deepest));
  }
  return count != 0;
}

/** The points of all manifolds of the shape at hand: askShape with QUERY_DISTANCE first. */
export function askPoints(q: QueryState, shape: usize): void {
  askManifolds(q, shape, false);
}

/** Runs the query against a plane: everything follows from the lowest point of the querying shape. */
function askPlane(q: QueryState, shape: usize, rel: usize): void {
  const out: usize = outputsOf(q);
  let distance: f32 = planeDistance(q.shapeA, shape, rel, out);
  let depth: f32 = 0;
  if (q.kind == QUERY_OVERLAP) {
    if (distance <= 0) keep(q, 0, 0, 0, f32x4.splat(0), f32x4.splat(0));
    return;
  }
  const n: v128 = f32x4.replace_lane(v128.load(out, offsetof<ManifoldOut>('nx')), 3, 0);
  if (q.kind == QUERY_CAST) {
    const rate: f32 = -dot3(n, q.way);
    const touch: f32 = PLANE_TOUCH * max<f32>(changetype<Shape>(<usize>q.shapeA).extent, <f32>0.01);
    if (distance < -touch) {
      if ((q.flags & QUERY_LEAVES) != 0 && rate <= 0) return;
      depth = -distance;
      distance = 0;
    } else {
      if (!(rate > 0)) return;
      distance = max<f32>(0, distance) / rate;
    }
  }
  if (distance > q.best) return;
  const p: v128 = v128.load(out, offsetof<ManifoldOut>('x0'));
  answer(q, shape, distance, depth, 0, n, p, q.kind == QUERY_CAST ? -depth : distance);
}

/** Puts the question to a shape at originB, b0 b1 b2; q.collider and q.typeB are set. */
export function askShape(q: QueryState, shape: usize): void {
  const at: usize = changetype<usize>(q);
  const rel: usize = relate(q);
  const out: usize = outputsOf(q);
  const cache: usize = at + offsetof<QueryState>('cache');
  const kind: u32 = q.kind;
  if (kind == QUERY_CAST) {
    const way: v128 = q.d;
    q.way = f32x4.replace_lane(f32x4.neg(inverseRotate3(at + offsetof<QueryState>('a0'), way)), 3, 0);
  }
  if (q.typeB == SHAPE_PLANE) {
    askPlane(q, shape, rel);
    return;
  }
  if (q.typeB >= SHAPE_MESH) {
    if (kind == QUERY_CONTACT) {
      if (askManifolds(q, shape, true)) return;
      // It may touch where a neighbor covers the contact: then the nearest triangle is the result.
    }
    relateSurface(q, shape, rel);
    setPair(q.shapeA, 0, at + offsetof<QueryState>('t0'), rel);
    askSurface(q);
    if (q.foundFeature == NONE) return;
    const gap: f32 = kind == QUERY_CAST ? -q.foundDepth : q.found;
    if (kind == QUERY_OVERLAP) keep(q, 0, 0, q.foundFeature, f32x4.splat(0), f32x4.splat(0));
    else answer(q, shape, q.found, q.foundDepth, q.foundFeature, q.foundNormal, q.foundPoint, gap);
    return;
  }
  setPair(q.shapeA, shape, 0, rel);
  if (kind == QUERY_OVERLAP) {
    if (touches()) keep(q, 0, 0, 0, f32x4.splat(0), f32x4.splat(0));
    return;
  }
  let distance: f32;
  let depth: f32 = 0;
  if (kind == QUERY_CAST) {
    const pose = changetype<RelPose>(rel);
    const o: v128 = vec3W(pose.tx, pose.ty, pose.tz);
    const o2: f32 = dot3(o, o);
    const guess: v128 = o2 > <f32>1e-20 ? f32x4.mul(o, f32x4.splat(<f32>1 / sqrt<f32>(o2))) : vec3W(0, 1, 0);
    distance = castOf(q.shapeA, shape, 0, rel, out, cache, q.way, q.best, guess, (q.flags & QUERY_LEAVES) != 0);
    if (distance < 0) return;
    depth = 0 - changetype<ManifoldOut>(out).s0;
  } else {
    distance = distanceOf(q.shapeA, shape, 0, rel, out, cache, q.best);
    if (distance > q.best) return;
  }
  const n: v128 = v128.load(out, offsetof<ManifoldOut>('nx'));
  const p: v128 = v128.load(out, offsetof<ManifoldOut>('x0'));
  answer(q, shape, distance, depth, NONE, f32x4.replace_lane(n, 3, 0), p, kind == QUERY_CAST ? -depth : distance);
}

/** Puts the question to a collider that it admits. */
export function ask(q: QueryState, c: Collider, index: u32): void {
  q.collider = index;
  if (q.kind == QUERY_BOUNDS) {
    const box: usize = boundsOf(q);
    colliderBounds(index, box);
    const o: v128 = q.o,
      half: v128 = q.d;
    const apart: v128 = v128.or(
      f32x4.gt(changetype<Aabb>(box).min, f32x4.add(o, half)),
      f32x4.lt(changetype<Aabb>(box).max, f32x4.sub(o, half)),
    );
    if ((i32x4.bitmask(apart) & 7) == 0) keep(q, 0, 0, 0, f32x4.splat(0), f32x4.splat(0));
    return;
  }
  place(q, c);
  const shape: usize = <usize>header().shapes + <usize>c.shape * SHAPE_STRIDE;
  q.typeB = changetype<Shape>(shape).type;
  if (q.kind == QUERY_RAY) castRayAt(q, shape);
  else askShape(q, shape);
}
