// What queries against the world take and give.

import { fail } from '../checks/validate';
import type { BodyId, BodyType, ColliderId, Vec3Sink } from '../types';

/** Which colliders a query is put to; the same for all queries. */
export interface QueryFilter {
  /** Categories that are asked for, 32 bits; default all. */
  mask?: number;
  /** Category of what asks, 32 bits: only colliders whose own mask has a bit of it. Default: their masks do not matter. */
  category?: number;
  /** Not this body, such as the body that asks. */
  excludeBody?: BodyId | null;
  /** Not this collider. */
  excludeCollider?: ColliderId | null;
  /** Only bodies of these types; default all. */
  types?: readonly BodyType[];
  /** Whether sensors are asked, too, or `'only'` they; default false. */
  sensors?: boolean | 'only';
  /** Has the last word on each answer, nearest first. It may put queries of its own, but must not change the world. */
  filter?: (collider: ColliderId, body: BodyId) => boolean;
}

/** Options of ray casts. */
export interface RayOptions extends QueryFilter {
  /** m, more than 0; default 1000. */
  maxDistance?: number;
  /** Whether convex shapes are solid: a ray that starts inside hits at distance 0. If not, it meets the far side. Default true. */
  solid?: boolean;
  /** Whether triangles of meshes and heightfields are hit from behind, too; default true. */
  backFaces?: boolean;
}

/** Options of shape casts. */
export interface ShapeCastOptions extends QueryFilter {
  /**
   * Whether a collider that overlaps the shape at the start is hit, at distance 0, also where the shape moves out of it; default
   * true. If not, only one that it moves deeper into is.
   */
  stopAtPenetration?: boolean;
}

/** Options of `closestPoint`, `closestToShape`, `contactShape` and `contactPair`. */
export interface DistanceOptions extends QueryFilter {
  /** How far apart they may be, m; default 1000 for closest points, 0 (touching) for contacts. */
  maxDistance?: number;
}

/** Options of batches: the filter without the callback. */
export interface BatchOptions extends Omit<RayOptions, 'filter'>, Omit<ShapeCastOptions, 'filter'> {
  /** Any hit will do, not just the nearest: for lines of sight. Default false. */
  any?: boolean;
}

/** One answer. Made by queries, or by `createQueryHit` to be written over again and again. */
export interface QueryHit {
  body: BodyId;
  collider: ColliderId;
  /** On the surface of the collider, world, m. */
  point: Vec3Sink;
  /**
   * Unit normal of that surface, world: out of a shape that is met, never along a ray; against a ray that starts inside. From closest
   * points and contacts it points to what asked.
   */
  normal: Vec3Sink;
  /** m: along the ray or cast; between the surfaces for closest points and contacts, negative inside. */
  distance: number;
  /** distance over the length of the ray or cast, or over `maxDistance`; 0 where that is 0. */
  fraction: number;
  /** How deep a cast shape overlapped at the start, m, along the normal; then the distance is 0. Else 0. */
  penetration: number;
  /** Triangle of a mesh (as in its indices) or heightfield; face of a box (+x -x +y -y +z -z) or hull; 0 for other shapes. */
  feature: number;
}

/** A QueryHit with arrays, as queries make it. */
export interface QueryHitArrays extends QueryHit {
  point: [number, number, number];
  normal: [number, number, number];
}

/** Contact of two shapes: `contactPair`. World frame. */
export interface ShapeContact {
  /** Between the surfaces, m; negative: how deep they overlap along the normal. */
  distance: number;
  /** Unit, from A to B. */
  normal: Vec3Sink;
  /** Nearest point of A, or deepest, m. */
  pointA: Vec3Sink;
  pointB: Vec3Sink;
  /** Triangle, where one of them is a mesh or heightfield, else the face of a box or hull that is nearest the normal. */
  feature: number;
  /** Points of the contact manifolds, as many as there are within `maxDistance`; the arrays may be longer. */
  count: number;
  /** On B, m: x y z each. */
  points: number[];
  /** Unit, from A to B: x y z each. */
  normals: number[];
  /** m, negative inside. */
  separations: number[];
}

/** A ShapeContact with arrays, as queries make it. */
export interface ShapeContactArrays extends ShapeContact {
  normal: [number, number, number];
  pointA: [number, number, number];
  pointB: [number, number, number];
}

/** Where batches write: `createBatchHits`, or only the arrays that are wanted. One entry (or three numbers) a ray or cast. */
export interface BatchHits {
  /** m along the ray or cast; Infinity for a miss. */
  distances: Float32Array;
  /** Ids; 0 for a miss. */
  colliders?: Float64Array;
  bodies?: Float64Array;
  /** World, m; of a miss they stay as they are. */
  points?: Float32Array;
  normals?: Float32Array;
  features?: Uint32Array;
  /** Of shape casts, m. */
  penetrations?: Float32Array;
}

/** An empty hit to pass as `out`. */
export function createQueryHit(): QueryHitArrays {
  return {
    body: 0 as BodyId,
    collider: 0 as ColliderId,
    point: [0, 0, 0],
    normal: [0, 0, 0],
    distance: 0,
    fraction: 0,
    penetration: 0,
    feature: 0,
  };
}

/** An empty contact to pass as `out`. */
export function createShapeContact(): ShapeContactArrays {
  return {
    distance: 0,
    normal: [0, 0, 0],
    pointA: [0, 0, 0],
    pointB: [0, 0, 0],
    feature: 0,
    count: 0,
    points: [],
    normals: [],
    separations: [],
  };
}

/**
 * Arrays for a batch of `count` rays or shape casts.
 * @throws TalusError `invalid-argument`
 */
export function createBatchHits(count: number): Required<BatchHits> {
  if (!(Number.isInteger(count) && count >= 0)) fail('count', 'a whole number', count);
  return {
    distances: new Float32Array(count),
    colliders: new Float64Array(count),
    bodies: new Float64Array(count),
    points: new Float32Array(3 * count),
    normals: new Float32Array(3 * count),
    features: new Uint32Array(count),
    penetrations: new Float32Array(count),
  };
}
