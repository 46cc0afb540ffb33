// A pair with a fixed collider and the neighbors of that collider, for internal_edges.ts and shared_faces.ts.
//
// Collider B of a body touches the fixed collider T; K is another fixed collider that may continue the surface of T. Vectors are
// in world axes about the origin of T's shape, from differences of centers in high and low parts: the distance from the world's
// origin costs no precision.
// Input: a pair with its poses in the contact scratch. Output: the block NEIGHBORHOOD of the scratch.
import { centerAt, colliderAt, isDynamic, typeOf } from '../bodies/rows';
import { findPair } from '../constraints/pair_map';
import { pairCold } from '../constraints/pair_rows';
import {
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  BODY_STATIC,
  BodyCenter,
  COLLIDER_ALIGNED,
  Collider,
  Header,
  HullBlob,
  K_BODY,
  K_COLUMNS,
  ManifoldOut,
  NEIGHBORHOOD,
  NONE,
  Neighborhood,
  PLANE_STRIDE,
  PairCold,
  Plane,
  RelPose,
  SHAPE_A_COLUMNS,
  SHAPE_BOX,
  SHAPE_B_COLUMNS,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_SPHERE,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { dot3 } from '../math/lane';
import { inverseRotate3, rotate3, storeRotation } from '../math/quat';
import { addScaled3, withW3, x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { contactState } from '../scratch/contact_state';

/** A collider that rises above its neighbor by less than this (m) is flush with it. */
export const FLUSH: f32 = 5e-4;
/** Normals nearer than this (cosine of 2 mrad, the slack of meshes) are one and the same. */
export const SAME_NORMAL: f32 = 0.999998;
// A point lies on the neighbor within this fraction of the size of B (extent), up to a bound (m): no gap that B would feel.
const ON_FRACTION: f32 = 0.01;
const ON_MAX: f32 = 5e-3;

export function shapeOf(c: Collider): Shape {
  return changetype<Shape>(<usize>header().shapes + <usize>c.shape * SHAPE_STRIDE);
}

/** Collider at the other end of a pair, which must be fixed and no sensor; null if it is not. */
export function fixedAt(end: u32): Collider | null {
  const cold: PairCold = pairCold(end >> 1);
  const other: Collider = colliderAt((end & 1) != 0 ? cold.colliderA : cold.colliderB);
  return (cold.flags & 2) == 0 && typeOf(other.body) == BODY_STATIC ? other : null;
}

/**
 * Returns the view of the present pair, of which one body is fixed; `margin` is that of its outputs. Null if the fixed collider
 * is not a convex shape.
 */
export function neighborhoodOf(cold: PairCold, ca: Collider, cb: Collider, margin: f32): Neighborhood | null {
  const dynamicA: bool = isDynamic(ca.body);
  const s: usize = contactState();
  const c = changetype<Neighborhood>(s + NEIGHBORHOOD);
  const t: Collider = dynamicA ? cb : ca;
  c.shapeT = shapeOf(t);
  if (c.shapeT.type >= SHAPE_MESH) return null;
  c.t = t;
  c.shapeB = shapeOf(dynamicA ? ca : cb);
  c.indexB = dynamicA ? cold.colliderA : cold.colliderB;
  c.indexT = dynamicA ? cold.colliderB : cold.colliderA;
  c.dynamicA = dynamicA;
  c.hasSupport = false;
  c.margin = margin;
  c.near = max<f32>(FLUSH, min<f32>(ON_MAX, ON_FRACTION * c.shapeB.extent));
  c.columnsA = s + SHAPE_A_COLUMNS;
  c.columnsT = s + (dynamicA ? SHAPE_B_COLUMNS : SHAPE_A_COLUMNS);
  c.columnsB = s + (dynamicA ? SHAPE_A_COLUMNS : SHAPE_B_COLUMNS);
  c.originT = f32x4.splat(0);
  if ((t.flags & COLLIDER_ALIGNED) == 0) c.originT = rotate3(s + (dynamicA ? BODY_B_COLUMNS : BODY_A_COLUMNS), t.xyz);
  c.bodyB = s + (dynamicA ? BODY_A_COLUMNS : BODY_B_COLUMNS);
  const own: Collider = dynamicA ? ca : cb;
  c.originB = placeNeighbor(c, own);
  c.centerB = c.originB;
  if ((own.flags & COLLIDER_ALIGNED) == 0) c.centerB = f32x4.sub(c.originB, rotate3(c.bodyB, own.xyz));
  return c;
}

/** Whether the point p (frame of the shape) is in the convex shape grown by `tolerance`. */
export function holds(shape: Shape, p: v128, tolerance: f32): bool {
  const x: f32 = x3(p),
    y: f32 = y3(p),
    z: f32 = z3(p);
  const p0: f32 = shape.p0,
    p1: f32 = shape.p1;
  switch (shape.type) {
    case SHAPE_BOX:
      return abs<f32>(x) <= p0 + tolerance && abs<f32>(y) <= p1 + tolerance && abs<f32>(z) <= shape.p2 + tolerance;
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE: {
      const over: f32 = shape.type == SHAPE_CAPSULE ? max<f32>(0, abs<f32>(y) - p1) : y;
      return sqrt<f32>(x * x + over * over + z * z) <= p0 + tolerance;
    }
    case SHAPE_CYLINDER:
      return abs<f32>(y) <= p1 + tolerance && sqrt<f32>(x * x + z * z) <= p0 + tolerance;
    case SHAPE_CONE: {
      // Distance to the side is along its normal (2 p1, p0) / side.
      const side: f32 = sqrt<f32>(p0 * p0 + 4 * p1 * p1);
      const over: f32 = (2 * p1 * sqrt<f32>(x * x + z * z) + p0 * (y - p1)) / side;
      return y >= -p1 - tolerance && over <= tolerance;
    }
    case SHAPE_HULL: {
      const blob: usize = <usize>shape.dataPtr;
      const h = changetype<HullBlob>(blob);
      let plane: usize = blob + <usize>h.planesOffset;
      const end: usize = plane + ((<usize>h.faceCount) << 4);
      for (; plane < end; plane += PLANE_STRIDE) {
        const face = changetype<Plane>(plane);
        if (dot3(face.n, p) - face.d > tolerance) return false;
      }
      return true;
    }
  }
  return false;
}

/** Writes the world columns of the shape of K, or of any other collider; returns its origin. */
export function placeNeighbor(c: Neighborhood, k: Collider): v128 {
  const h: Header = header();
  const columns: usize = changetype<usize>(c) + K_COLUMNS,
    body: usize = changetype<usize>(c) + K_BODY;
  const pt: BodyCenter = centerAt(c.t.body),
    pk: BodyCenter = centerAt(k.body);
  // High and low parts of the centers.
  let d: v128 = f32x4.add(f32x4.sub(pk.xyz, pt.xyz), f32x4.sub(pk.l, pt.l));
  storeRotation(v128.load(<usize>h.rotations + ((<usize>k.body) << 4)), body);
  if ((k.flags & COLLIDER_ALIGNED) != 0) {
    memory.copy(columns, body, 48);
  } else {
    storeRotation(k.q, columns);
    for (let i: usize = 0; i < 48; i += 16) v128.store(columns + i, rotate3(body, v128.load(columns + i)));
    d = f32x4.add(d, rotate3(body, k.xyz));
  }
  return withW3(f32x4.sub(d, c.originT), 0);
}

/** RelPose of a shape (columns q) in the frame of another (columns p), `t` from that to this in that frame. */
export function storePose(rel: usize, p: usize, q: usize, t: v128): void {
  for (let i: usize = 0; i < 48; i += 16) v128.store(rel + i, inverseRotate3(p, v128.load(q + i)));
  const pose = changetype<RelPose>(rel);
  pose.tx = x3(t);
  pose.ty = y3(t);
  pose.tz = z3(t);
}

/** End in B's list of its pair with the collider k, NONE if they are no pair. */
export function endBeside(c: Neighborhood, k: u32): u32 {
  const typeK: u32 = shapeOf(colliderAt(k)).type,
    typeB: u32 = c.shapeB.type;
  const first: bool = typeK == typeB ? k < c.indexB : typeK < typeB;
  const pair: u32 = first ? findPair(k, c.indexB) : findPair(c.indexB, k);
  return pair == NONE ? NONE : (pair << 1) | <u32>first;
}

/** Normal of a manifold of the pair at hand, from T to B. */
export function normalOf(c: Neighborhood, out: usize): v128 {
  const n: v128 = rotate3(c.columnsA, v128.load(out, offsetof<ManifoldOut>('nx')));
  return withW3(c.dynamicA ? f32x4.neg(n) : n, 0);
}

/** Point j of a manifold of the pair at hand, on T. */
export function pointOf(c: Neighborhood, out: usize, j: u32): v128 {
  const raw: v128 = v128.load(out + ((<usize>j) << 4), offsetof<ManifoldOut>('x0'));
  if (!c.dynamicA) return withW3(rotate3(c.columnsA, raw), 0);
  const onB: v128 = addScaled3(raw, v128.load(out, offsetof<ManifoldOut>('nx')), f32x4.extract_lane(raw, 3));
  return withW3(f32x4.add(c.originB, rotate3(c.columnsA, onB)), 0);
}
