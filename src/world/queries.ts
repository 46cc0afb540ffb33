// A world, part: rays, casts, overlaps, distances. See queries/queries.ts.
import { QUERY_ALL, QUERY_ANY, QUERY_CLOSEST, QUERY_CONTACT, QUERY_DISTANCE } from '../layout.generated';
import type { EditionTypes } from '../options/options';
import { Queries } from '../queries/queries';
import type {
  BatchHits,
  BatchOptions,
  DistanceOptions,
  QueryFilter,
  QueryHit,
  QueryHitArrays,
  RayOptions,
  ShapeCastOptions,
  ShapeContact,
  ShapeContactArrays,
} from '../queries/types';
import type { ColliderId, Quat, ShapeId, Vec3 } from '../types';
import { JointWorld } from './joints';

/** Part of `World`: queries. */
export abstract class QueryWorld<T extends EditionTypes> extends JointWorld<T> {
  private readonly queries = new Queries(this.core, this.memory, this.registry);

  /**
   * Returns the nearest hit of a ray from `origin` (world, m) along `direction` (any length), or null. Writes the hit to `out` if
   * given. All queries see the world as the views show it, including changes since the last step, and change nothing. Sensors are
   * ignored unless you ask for them.
   * @throws TalusError `invalid-argument`, `stale-handle` (of the filter), as all queries
   */
  castRay<H extends QueryHit>(origin: Vec3, direction: Vec3, options: RayOptions | undefined, out: H): H | null;
  castRay(origin: Vec3, direction: Vec3, options?: RayOptions): QueryHitArrays | null;
  castRay(origin: Vec3, direction: Vec3, options?: RayOptions, out?: QueryHit): QueryHit | null {
    this.alive();
    return this.queries.castRay(origin, direction, options, out);
  }

  /** Returns whether a ray hits anything; faster than the nearest hit. */
  castRayAny(origin: Vec3, direction: Vec3, options?: RayOptions): boolean {
    this.alive();
    return this.queries.castRayAny(origin, direction, options);
  }

  /**
   * Finds the first hit of a ray with each collider, nearest first, and returns how many there are. Writes them to the objects in
   * `out`, and adds objects if it is too short. Entries beyond the returned number are old.
   */
  castRayAll(origin: Vec3, direction: Vec3, options: RayOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.castRayAll(origin, direction, options, out);
  }

  /**
   * Casts many rays in one call, and returns how many hit. `origins` (m) and `directions` (any length) have three numbers per
   * ray.
   * @throws TalusError `invalid-argument`, `stale-handle`, `out-of-memory`
   */
  castRays(origins: ArrayLike<number>, directions: ArrayLike<number>, options: BatchOptions, out: BatchHits): number {
    this.alive();
    return this.queries.castRays(origins, directions, options, out);
  }

  /**
   * Returns the first hit of a convex shape that starts at a pose (world, m; `rotation` null: none) and moves by `translation`
   * (m) without rotating, or null. If it overlaps something at the start, the distance is 0 and `penetration` is the depth.
   * Touching is not overlap.
   * @throws TalusError `unsupported` (a mesh, heightfield or plane that would move), and as castRay
   */
  castShape<H extends QueryHit>(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options: ShapeCastOptions | undefined,
    out: H,
  ): H | null;
  castShape(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options?: ShapeCastOptions,
  ): QueryHitArrays | null;
  castShape(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options?: ShapeCastOptions,
    out?: QueryHit,
  ): QueryHit | null {
    this.alive();
    return this.queries.castShape(QUERY_CLOSEST, shape, position, rotation, translation, options, out) as QueryHit | null;
  }

  /** Returns whether a shape cast hits anything. */
  castShapeAny(shape: ShapeId, position: Vec3, rotation: Quat | null, translation: Vec3, options?: ShapeCastOptions): boolean {
    this.alive();
    return this.queries.castShape(QUERY_ANY, shape, position, rotation, translation, options) !== 0;
  }

  /** Finds the first hit of a shape cast with each collider, nearest first. `out` and result are as for castRayAll. */
  castShapeAll(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options: ShapeCastOptions,
    out: QueryHit[],
  ): number {
    this.alive();
    return this.queries.castShape(QUERY_ALL, shape, position, rotation, translation, options, out) as number;
  }

  /**
   * Casts one shape many times in one call, and returns how many casts hit. Positions and translations have three numbers per
   * cast, rotations four. As castRays.
   */
  castShapes(
    shape: ShapeId,
    positions: ArrayLike<number>,
    rotations: ArrayLike<number> | null,
    translations: ArrayLike<number>,
    options: BatchOptions,
    out: BatchHits,
  ): number {
    this.alive();
    return this.queries.castShapes(shape, positions, rotations, translations, options, out);
  }

  /**
   * Finds the colliders that a convex shape touches at a pose, in the order of slots, and returns their number. Writes them to
   * `out`; entries beyond the returned number are old.
   */
  overlapShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapShape(QUERY_ALL, shape, position, rotation, options, out);
  }

  /** Returns whether a convex shape touches anything at a pose. */
  overlapShapeAny(shape: ShapeId, position: Vec3, rotation: Quat | null, options?: QueryFilter): boolean {
    this.alive();
    return this.queries.overlapShape(QUERY_ANY, shape, position, rotation, options) !== 0;
  }

  /**
   * Finds the colliders that contain a point (world, m). Meshes and heightfields are surfaces and contain nothing. `out` and
   * result are as for overlapShape.
   */
  overlapPoint(point: Vec3, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapPoint(point, options, out);
  }

  /**
   * Finds the colliders whose bounding boxes (along the world's axes) touch the box from `min` to `max` (world, m). `out` and
   * result are as for overlapShape.
   */
  overlapBounds(min: Vec3, max: Vec3, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapBounds(min, max, options, out);
  }

  /**
   * Returns the point on any collider that is nearest to a point (world, m), or null if there is none within `maxDistance`.
   * Inside a convex shape the distance is negative: the distance to its surface.
   */
  closestPoint<H extends QueryHit>(point: Vec3, options: DistanceOptions | undefined, out: H): H | null;
  closestPoint(point: Vec3, options?: DistanceOptions): QueryHitArrays | null;
  closestPoint(point: Vec3, options?: DistanceOptions, out?: QueryHit): QueryHit | null {
    this.alive();
    return this.queries.closest(null, point, null, options, out);
  }

  /**
   * Finds the nearest point on each collider within `maxDistance` of a point, nearest first. `out` and result are as for
   * castRayAll.
   */
  closestPointAll(point: Vec3, options: DistanceOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.contacts(QUERY_DISTANCE, null, point, null, options, out);
  }

  /**
   * Returns the collider nearest to a convex shape at a pose, with the point on it, or null. A negative distance is the depth of
   * the overlap.
   */
  closestToShape<H extends QueryHit>(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    options: DistanceOptions | undefined,
    out: H,
  ): H | null;
  closestToShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options?: DistanceOptions): QueryHitArrays | null;
  closestToShape(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    options?: DistanceOptions,
    out?: QueryHit,
  ): QueryHit | null {
    this.alive();
    return this.queries.closest(shape, position, rotation, options, out);
  }

  /**
   * Finds the planes that a convex shape touches, or that are within `maxDistance`, deepest first. There is one hit per convex
   * collider, and one per plane of a mesh or heightfield. To separate the shape from all of them, move it along each normal by
   * the amount by which the distance is below 0.
   */
  contactShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options: DistanceOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.contacts(QUERY_CONTACT, shape, position, rotation, options, out);
  }

  /**
   * Returns the contact of two shapes at two poses (world, m): distance or depth, nearest points, and the points of the
   * manifolds. Null if they are farther apart than `maxDistance` (default 0). Bodies that use the shapes do not matter. One of
   * the two may be a mesh or heightfield.
   */
  contactPair<C extends ShapeContact>(
    shapeA: ShapeId,
    positionA: Vec3,
    rotationA: Quat | null,
    shapeB: ShapeId,
    positionB: Vec3,
    rotationB: Quat | null,
    options: { maxDistance?: number } | undefined,
    out: C,
  ): C | null;
  contactPair(
    shapeA: ShapeId,
    positionA: Vec3,
    rotationA: Quat | null,
    shapeB: ShapeId,
    positionB: Vec3,
    rotationB: Quat | null,
    options?: { maxDistance?: number },
  ): ShapeContactArrays | null;
  contactPair(
    shapeA: ShapeId,
    positionA: Vec3,
    rotationA: Quat | null,
    shapeB: ShapeId,
    positionB: Vec3,
    rotationB: Quat | null,
    options?: { maxDistance?: number },
    out?: ShapeContact,
  ): ShapeContact | null {
    this.alive();
    return this.queries.contactPair(shapeA, positionA, rotationA, shapeB, positionB, rotationB, options, out);
  }
}
