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

/** `World`, part: queries. */
export abstract class QueryWorld<T extends EditionTypes> extends JointWorld<T> {
  private readonly queries = new Queries(this.core, this.memory, this.registry);

  /**
   * Nearest hit of a ray from `origin` (world, m) along `direction` (any length), written to `out` if that is given; or null. All
   * queries see the world as the views show it, with what was done since the last step, and change nothing of it; sensors are passed
   * through unless asked for.
   * @throws TalusError `invalid-argument`, `stale-handle` (of the filter), as all queries
   */
  castRay<H extends QueryHit>(origin: Vec3, direction: Vec3, options: RayOptions | undefined, out: H): H | null;
  castRay(origin: Vec3, direction: Vec3, options?: RayOptions): QueryHitArrays | null;
  castRay(origin: Vec3, direction: Vec3, options?: RayOptions, out?: QueryHit): QueryHit | null {
    this.alive();
    return this.queries.castRay(origin, direction, options, out);
  }

  /** Whether a ray hits anything: faster than the nearest hit. */
  castRayAny(origin: Vec3, direction: Vec3, options?: RayOptions): boolean {
    this.alive();
    return this.queries.castRayAny(origin, direction, options);
  }

  /**
   * The first hit of a ray with each collider, nearest first, written to the hits of `out` one after another, which gets new ones
   * where it is too short. Returns their number; hits behind them are old.
   */
  castRayAll(origin: Vec3, direction: Vec3, options: RayOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.castRayAll(origin, direction, options, out);
  }

  /**
   * Nearest hits of many rays in one call: three numbers an origin (m) and direction (any length). Returns how many hit.
   * @throws TalusError `invalid-argument`, `stale-handle`, `out-of-memory`
   */
  castRays(origins: ArrayLike<number>, directions: ArrayLike<number>, options: BatchOptions, out: BatchHits): number {
    this.alive();
    return this.queries.castRays(origins, directions, options, out);
  }

  /**
   * What a convex shape meets first that starts at a pose (world, m; `rotation` null: none) and moves by `translation` (m) without
   * turning; or null. Where it overlaps something at the start the distance is 0 and `penetration` says how deep; touching is no
   * overlap.
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

  /** Whether a shape cast hits anything. */
  castShapeAny(shape: ShapeId, position: Vec3, rotation: Quat | null, translation: Vec3, options?: ShapeCastOptions): boolean {
    this.alive();
    return this.queries.castShape(QUERY_ANY, shape, position, rotation, translation, options) !== 0;
  }

  /** The first hit of a shape cast with each collider, nearest first; `out` and result as castRayAll. */
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

  /** Nearest hits of many casts of one shape in one call: three numbers a position and translation, four a rotation. As castRays. */
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

  /** Colliders that a convex shape touches at a pose, by slot, written to `out`. Returns their number; entries behind them are old. */
  overlapShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapShape(QUERY_ALL, shape, position, rotation, options, out);
  }

  /** Whether a convex shape touches anything at a pose. */
  overlapShapeAny(shape: ShapeId, position: Vec3, rotation: Quat | null, options?: QueryFilter): boolean {
    this.alive();
    return this.queries.overlapShape(QUERY_ANY, shape, position, rotation, options) !== 0;
  }

  /** Colliders that contain a point (world, m). Meshes and heightfields are surfaces and contain nothing. As overlapShape. */
  overlapPoint(point: Vec3, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapPoint(point, options, out);
  }

  /** Colliders whose bounds (along the world's axes) touch the box from `min` to `max` (world, m). As overlapShape. */
  overlapBounds(min: Vec3, max: Vec3, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapBounds(min, max, options, out);
  }

  /**
   * The point on any collider that is nearest to a point (world, m), or null within `maxDistance`. Inside of a convex shape the
   * distance is negative: how far it is out.
   */
  closestPoint<H extends QueryHit>(point: Vec3, options: DistanceOptions | undefined, out: H): H | null;
  closestPoint(point: Vec3, options?: DistanceOptions): QueryHitArrays | null;
  closestPoint(point: Vec3, options?: DistanceOptions, out?: QueryHit): QueryHit | null {
    this.alive();
    return this.queries.closest(null, point, null, options, out);
  }

  /** The nearest point on each collider within `maxDistance` of a point, nearest first; `out` and result as castRayAll. */
  closestPointAll(point: Vec3, options: DistanceOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.contacts(QUERY_DISTANCE, null, point, null, options, out);
  }

  /** The collider nearest to a convex shape at a pose, with the point on it; negative distance: how deep they overlap. Or null. */
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
   * Planes that a convex shape touches, or that are within `maxDistance`: one hit a convex collider, one a plane of a mesh or
   * heightfield, deepest first. To get out of all, move it along each normal by what the distance is below 0.
   */
  contactShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options: DistanceOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.contacts(QUERY_CONTACT, shape, position, rotation, options, out);
  }

  /**
   * Contact of two shapes at two poses (world, m): distance or depth, nearest points and the points of the manifolds. Bodies that use
   * the shapes do not matter. Null if they are farther apart than `maxDistance` (default 0). One of them may be a mesh or
   * heightfield.
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
