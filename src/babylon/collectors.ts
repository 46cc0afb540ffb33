// The calls of Babylon.js's PhysicsCharacterController beyond the plugin interface: collectors of hits, with the names of the
// plugin that it was written for.

import type { Turn, Vector } from '../rigs/turns';
import type { BodyId } from '../types';
import { EVENT_BITS } from './bodies';
import type { Origin } from './origin';
import { type BabylonQueries, dataOf, type ShapeHit } from './queries';

/** Collects the hits of one query. */
interface Collector {
  most: number;
  hits: ShapeHit[];
}
/** Shape, position, rotation, largest distance, whether triggers count, ignored body. */
type ProximityInput = readonly [unknown, Vector, Turn, number, boolean, readonly [BodyId]];
/** Shape, rotation, start, end, whether triggers count, ignored body. */
type CastInput = readonly [unknown, Turn, Vector, Vector, boolean, readonly [BodyId]];

const OK = 0;

/** Returns body, shape, unused entry, point, normal and triangle of a hit in the scene. */
const ofScene = (hit: ShapeHit, origin: Origin) =>
  [[hit.body], [hit.collider], null, origin.leave(hit.point), hit.normal, hit.feature] as const;
const ofShape = (hit: ShapeHit) => [[0], [0], null, hit.own.point, hit.own.normal, -1] as const;

export function collectors(queries: BabylonQueries) {
  const { origin } = queries;
  const enter = ([x, y, z]: Vector): Vector => origin.enter({ x, y, z });
  return {
    EventType: Object.fromEntries(Object.entries(EVENT_BITS).map(([name, value]) => [name, { value }])),
    HP_QueryCollector_Create: (most: number) => [OK, { most, hits: [] } as Collector] as const,
    HP_QueryCollector_Release: () => OK,
    HP_QueryCollector_GetNumHits: ({ hits }: Collector) => [OK, hits.length] as const,
    HP_QueryCollector_GetShapeProximityResult({ hits }: Collector, index: number) {
      const hit = hits[index]!;
      return [OK, [hit.distance, ofShape(hit), ofScene(hit, origin)]] as const;
    },
    HP_QueryCollector_GetShapeCastResult({ hits }: Collector, index: number) {
      const hit = hits[index]!;
      return [OK, [hit.fraction, ofShape(hit), ofScene(hit, origin)]] as const;
    },
    HP_World_ShapeProximityWithCollector(_world: unknown, collector: Collector, input: ProximityInput) {
      const [shape, position, rotation, maxDistance, triggers, [body]] = input;
      const found = queries.contacts(dataOf(shape), enter(position), rotation, maxDistance, queries.filter(triggers, body));
      collector.hits = found.slice(0, collector.most);
      return OK;
    },
    HP_World_ShapeCastWithCollector(_world: unknown, collector: Collector, input: CastInput) {
      const [shape, rotation, from, to, triggers, [body]] = input;
      // Present overlaps are found by the proximity query; a cast finds the shapes that it moves into.
      const filter = { ...queries.filter(triggers, body), stopAtPenetration: false };
      collector.hits = queries.cast(dataOf(shape), enter(from), enter(to), rotation, filter).slice(0, collector.most);
      return OK;
    },
  };
}
