// Arguments and results of queries against the world.

import { fail } from '../checks/validate';
import type { BodyId, BodyType, ColliderId, Vec3Sink } from '../types';

/** Which colliders a query considers; the same for all queries. */
export interface QueryFilter {
  /** Categories of colliders to consider, 32 bits; default all. */
  mask?: number;
  /**
   * Category of the query itself, 32 bits: only colliders whose mask contains one of its bits. Default: their masks do not
   * matter.
   */
  category?: number;
  /** A body to ignore, such as the body of the player who shoots. */
  excludeBody?: BodyId | null;
  /** A collider to ignore. */
  excludeCollider?: ColliderId | null;
  /** Types of bodies to consider; default all. */
  types?: readonly BodyType[];
  /** Whether sensors are considered too, or only they (`'only'`); default false. */
  sensors?: boolean | 'only';
  /**
   * Decides on each result, nearest first: return false to ignore it. It may make queries of its own, but must not change the
   * world.
   */
  filter?: (collider: ColliderId, body: BodyId) => boolean;
}

/** Options of ray casts. */
export interface RayOptions extends QueryFilter {
  /** Length of the ray, m, more than 0; default 1000. */
  maxDistance?: number;
  /** Whether convex shapes are solid: a ray that starts inside hits at distance 0. If not, it hits the far side. Default true. */
  solid?: boolean;
  /** Whether triangles of meshes and heightfields are also hit from behind; default true. */
  backFaces?: boolean;
}

/** Options of shape casts. */
export interface ShapeCastOptions extends QueryFilter {
  /**
   * Whether a collider that overlaps the shape at the start is hit, at distance 0, even if the shape moves out of it; default
   * true. If false, it is hit only if the shape moves deeper into it.
   */
  stopAtPenetration?: boolean;
}

/** Options of `closestPoint`, `closestToShape`, `contactShape` and `contactPair`. */
export interface DistanceOptions extends QueryFilter {
  /** Largest distance to consider, m; default 1000 for closest points, 0 (touching) for contacts. */
  maxDistance?: number;
}

/** Options of batches: those of single queries without the callback. */
export interface BatchOptions extends Omit<RayOptions, 'filter'>, Omit<ShapeCastOptions, 'filter'> {
  /** Whether any hit will do, not only the nearest, as for lines of sight; default false. */
  any?: boolean;
}

/** A result of a query. Queries create it, or you create one by `createQueryHit` and reuse it. */
export interface QueryHit {
  body: BodyId;
  collider: ColliderId;
  /** Point on the surface of the collider (world, m). */
  point: Vec3Sink;
  /**
   * Unit normal of that surface (world). It points out of a hit shape and never along a ray; if a ray starts inside, it points
   * against the ray. For closest points and contacts it points towards the query's point or shape.
   */
  normal: Vec3Sink;
  /** Distance along the ray or cast, m; for closest points and contacts the distance between the surfaces, negative inside. */
  distance: number;
  /** Distance divided by the length of the ray or cast, or by `maxDistance`; 0 if that is 0. */
  fraction: number;
  /** Depth of the overlap of a cast shape at the start, m, along the normal; the distance is then 0. Otherwise 0. */
  penetration: number;
  /** Triangle of a mesh (as in its indices) or heightfield; face of a box (+x -x +y -y +z -z) or hull; 0 for other shapes. */
  feature: number;
}

/** A QueryHit with arrays, as queries create it. */
export interface QueryHitArrays extends QueryHit {
  point: [number, number, number];
  normal: [number, number, number];
}

/** Contact of two shapes (world frame): result of `contactPair`. */
export interface ShapeContact {
  /** Distance between the surfaces, m; if negative, the depth of the overlap along the normal. */
  distance: number;
  /** Unit normal from A to B. */
  normal: Vec3Sink;
  /** Nearest (or deepest) point of A, m. */
  pointA: Vec3Sink;
  pointB: Vec3Sink;
  /** Triangle, if one of them is a mesh or heightfield; otherwise the face of a box or hull closest to the normal. */
  feature: number;
  /** Number of points of the contact manifolds within `maxDistance`; the arrays may be longer. */
  count: number;
  /** Points on B, m: x y z each. */
  points: number[];
  /** Unit normals from A to B: x y z each. */
  normals: number[];
  /** Separations, m; negative where the shapes overlap. */
  separations: number[];
}

/** A ShapeContact with arrays, as queries create it. */
export interface ShapeContactArrays extends ShapeContact {
  normal: [number, number, number];
  pointA: [number, number, number];
  pointB: [number, number, number];
}

/**
 * Arrays that a batch writes to: those of `createBatchHits`, or only the ones you need. One entry (or three numbers) per ray or
 * cast.
 */
export interface BatchHits {
  /** Distance along the ray or cast, m; Infinity for a miss. */
  distances: Float32Array;
  /** Ids of the hit colliders; 0 for a miss. */
  colliders?: Float64Array;
  bodies?: Float64Array;
  /** Points (world, m); unchanged for a miss. */
  points?: Float32Array;
  normals?: Float32Array;
  features?: Uint32Array;
  /** Penetrations of shape casts, m. */
  penetrations?: Float32Array;
}

/** Creates an empty hit to pass as `out`. */
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

/** Creates an empty contact to pass as `out`. */
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
 * Creates arrays for a batch of `count` rays or shape casts.
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
