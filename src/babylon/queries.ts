// Rays, casts and distances in the form of Babylon.js.

import type { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { CastingResult } from '@babylonjs/core/Physics/castingResult.js';
import type { IPhysicsPointProximityQuery } from '@babylonjs/core/Physics/physicsPointProximityQuery.js';
import { type IRaycastQuery, PhysicsRaycastResult } from '@babylonjs/core/Physics/physicsRaycastResult.js';
import type { IPhysicsShapeCastQuery } from '@babylonjs/core/Physics/physicsShapeCastQuery.js';
import type { IPhysicsShapeProximityCastQuery } from '@babylonjs/core/Physics/physicsShapeProximityCastQuery.js';
import type { ProximityCastResult } from '@babylonjs/core/Physics/proximityCastResult.js';
import type { ShapeCastResult } from '@babylonjs/core/Physics/shapeCastResult.js';
import type { PhysicsBody } from '@babylonjs/core/Physics/v2/physicsBody.js';
import { TalusError } from '../checks/errors';
import type { QueryFilter, QueryHitArrays, ShapeCastOptions, World } from '../index';
import { createQueryHit } from '../queries/types';
import { conjugate, multiply, type Turn, turn, type Vector } from '../rigs/turns';
import type { BodyId } from '../types';
import type { BodyData } from './bodies';
import type { Origin } from './origin';
import type { Part, ShapeData } from './shapes';
import { turnOf, vectorOf } from './vectors';

/** A ray shorter than this stays where it begins: inside the shape that it begins in. */
const NOWHERE = 1e-6;

export interface ShapeHit extends QueryHitArrays {
  /** Point and normal of the cast shape, in its own frame. */
  own: { point: Vector; normal: Vector };
}

export class BabylonQueries {
  /** Largest number of hits of a ray into an empty array. */
  maxHits = Number.POSITIVE_INFINITY;
  private readonly hits: QueryHitArrays[] = [];

  constructor(
    private readonly world: World,
    private readonly bodies: ReadonlyMap<BodyId, BodyData>,
    private readonly flush: () => void,
    readonly origin: Origin,
  ) {}

  /** Returns the filter for a query of Babylon.js. */
  filter(triggers: boolean | undefined, ignored: PhysicsBody | BodyId | undefined, groups?: IRaycastQuery): QueryFilter {
    const filter: QueryFilter = { sensors: triggers ?? false };
    if (groups?.collideWith !== undefined) filter.mask = groups.collideWith >>> 0;
    if (groups?.membership !== undefined) filter.category = groups.membership >>> 0;
    if (typeof ignored === 'number') {
      if (this.bodies.has(ignored)) filter.excludeBody = ignored;
    } else if (ignored) filter.filter = (_, body) => this.bodies.get(body)?.body !== ignored;
    return filter;
  }

  raycast(from: Vector3, to: Vector3, result: PhysicsRaycastResult | PhysicsRaycastResult[], query?: IRaycastQuery): void {
    this.flush();
    const results = Array.isArray(result) ? result : [result];
    // An empty array takes all there are, up to the limit.
    const most = results.length === 0 ? this.maxHits : results.length;
    for (const one of results) one.reset(from, to);
    const way = vectorOf(to.subtract(from));
    const maxDistance = Math.hypot(...way);
    if (!(maxDistance > 0)) return;
    const { hits } = this;
    const options = { ...this.filter(query?.shouldHitTriggers, query?.ignoreBody, query), maxDistance };
    const count = this.world.castRayAll(this.origin.enter(from), way, options, hits);
    let found = 0;
    for (let i = 0; i < count; i++) {
      // A ray does not meet the shape that it begins in.
      if (hits[i]!.distance < NOWHERE) continue;
      if (found === most) break;
      if (found === results.length) {
        const one = new PhysicsRaycastResult();
        one.reset(from, to);
        results.push(one);
      }
      const one = results[found++]!;
      this.fill(one, hits[i]!);
      one.setHitDistance(hits[i]!.distance);
    }
  }

  pointProximity(query: IPhysicsPointProximityQuery, result: ProximityCastResult): void {
    this.flush();
    result.reset();
    const filter = this.filter(query.shouldHitTriggers, query.ignoreBody, query.collisionFilter);
    const hit = this.world.closestPoint(this.origin.enter(query.position), { ...filter, maxDistance: query.maxDistance });
    if (!hit) return;
    this.fill(result, hit);
    result.setHitDistance(hit.distance);
  }

  shapeProximity(query: IPhysicsShapeProximityCastQuery, input: ProximityCastResult, hit: ProximityCastResult): void {
    input.reset();
    hit.reset();
    const filter = this.filter(query.shouldHitTriggers, query.ignoreBody);
    const shape = dataOf(query.shape._pluginData);
    const near = this.nearest(shape, this.origin.enter(query.position), turnOf(query.rotation), query.maxDistance, filter);
    if (!near) return;
    this.fillBoth(input, hit, near);
    input.setHitDistance(near.distance);
    hit.setHitDistance(near.distance);
  }

  shapeCast(query: IPhysicsShapeCastQuery, input: ShapeCastResult, hit: ShapeCastResult): void {
    input.reset();
    hit.reset();
    const filter = this.filter(query.shouldHitTriggers, query.ignoreBody);
    const [from, to] = [this.origin.enter(query.startPosition), this.origin.enter(query.endPosition)];
    const first = this.cast(dataOf(query.shape._pluginData), from, to, turnOf(query.rotation), filter)[0];
    if (!first) return;
    this.fillBoth(input, hit, first);
    input.setHitFraction(first.fraction);
    hit.setHitFraction(first.fraction);
  }

  /** Returns the first hit of a shape cast with each body, nearest first; all in the world frame. */
  cast(shape: ShapeData, from: Vector, to: Vector, rotation: Turn, filter: ShapeCastOptions): ShapeHit[] {
    this.flush();
    const way: Vector = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const found: ShapeHit[] = [];
    for (const part of shape.parts(true)) {
      const at = placeOf(part, from, rotation);
      const count = this.world.castShapeAll(part.shape, at, multiply(rotation, part.rotation), way, filter, this.hits);
      for (const hit of this.hits.slice(0, count)) {
        const there: Vector = [0, 1, 2].map((i) => from[i]! + hit.fraction * way[i]!) as Vector;
        found.push(shapeHit(hit, there, rotation, 0));
      }
    }
    return found.sort((a, b) => a.fraction - b.fraction);
  }

  /** Returns the planes that a shape touches or is near to, deepest first; all in the world frame. */
  contacts(shape: ShapeData, position: Vector, rotation: Turn, maxDistance: number, filter: QueryFilter): ShapeHit[] {
    this.flush();
    const found: ShapeHit[] = [];
    for (const part of shape.parts(true)) {
      const at = placeOf(part, position, rotation);
      const options = { ...filter, maxDistance };
      const count = this.world.contactShape(part.shape, at, multiply(rotation, part.rotation), options, this.hits);
      for (const hit of this.hits.slice(0, count)) found.push(shapeHit(hit, position, rotation, hit.distance));
    }
    return found.sort((a, b) => a.distance - b.distance);
  }

  private nearest(shape: ShapeData, position: Vector, rotation: Turn, maxDistance: number, filter: QueryFilter): ShapeHit | null {
    this.flush();
    let best: ShapeHit | null = null;
    for (const part of shape.parts(true)) {
      const at = placeOf(part, position, rotation);
      const turned = multiply(rotation, part.rotation);
      const hit = this.world.closestToShape(part.shape, at, turned, { ...filter, maxDistance }, createQueryHit());
      if (hit && (!best || hit.distance < best.distance)) best = shapeHit(hit, position, rotation, hit.distance);
    }
    return best;
  }

  private fillBoth(input: CastingResult, hit: CastingResult, found: ShapeHit): void {
    const [p, n] = [found.own.point, found.own.normal];
    input.setHitData({ x: n[0], y: n[1], z: n[2] }, { x: p[0], y: p[1], z: p[2] });
    this.fill(hit, found);
  }

  private fill(result: CastingResult, hit: QueryHitArrays): void {
    const body = this.bodies.get(hit.body);
    const source = body?.sourceOf(hit.collider);
    if (body) {
      result.body = body.body;
      result.bodyIndex = body.index;
    }
    if (source) result.shape = source.owner;
    const [n, p] = [hit.normal, this.origin.leave(hit.point)];
    const isSurface = source?.desc?.type === 'mesh' || source?.desc?.type === 'heightfield';
    result.setHitData({ x: n[0], y: n[1], z: n[2] }, { x: p[0], y: p[1], z: p[2] }, isSurface ? hit.feature : -1);
  }
}

function placeOf(part: Part, position: Vector, rotation: Turn): Vector {
  const p = turn(rotation, part.position);
  return [position[0] + p[0], position[1] + p[1], position[2] + p[2]];
}

/** Returns a copy of a hit, with the point of the cast shape across the gap, in its own frame. */
function shapeHit(hit: QueryHitArrays, at: Vector, rotation: Turn, gap: number): ShapeHit {
  const point: Vector = [...hit.point];
  const normal: Vector = [...hit.normal];
  const back = conjugate(rotation);
  const own: Vector = [0, 1, 2].map((i) => point[i]! + gap * normal[i]! - at[i]!) as Vector;
  return { ...hit, point, normal, own: { point: turn(back, own), normal: turn(back, [-normal[0], -normal[1], -normal[2]]) } };
}

/** Returns the data behind a shape, if it belongs to this plugin. */
export function dataOf(data: unknown): ShapeData {
  if (data === null || data === undefined) throw new TalusError('stale-handle', 'the PhysicsShape is disposed');
  return data as ShapeData;
}
