// Queries with every kind of filter on bodies of several colliders, against all colliders one by one: a collider is met if its own
// distance says so and the rule of the filter lets it through.
import { expect, test } from 'vitest';
import {
  type BodyId,
  type BodyType,
  type ColliderId,
  createWorld,
  type QueryFilter,
  type QueryHit,
  type World,
} from '../../../src/index';
import { add, march, poseOf, type Q, random, sub, turn, unit, type V } from './oracle';
import { CONVEX, distanceTo, type Placed } from './scene';

/** A rotation after another. */
const after = ([ax, ay, az, aw]: Q, [bx, by, bz, bw]: Q): Q => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];

interface Part extends Placed {
  body: BodyId;
  type: BodyType;
  category: number;
  mask: number;
  sensor: boolean;
}

/** Bodies of 2 to 5 colliders each, of every type, with 4 categories, random masks and sensors; some removed, added and moved later. */
async function compounds(seed: number): Promise<{ world: World; parts: Part[] }> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const rng = random(seed);
  const shapes = CONVEX.map((desc) => world.createShape(desc));
  const int = (below: number) => Math.floor(rng.between(0, below));
  const parts: Part[] = [];
  const partsOf = () => ({
    shape: int(6),
    position: rng.vector(1.2),
    rotation: rng.rotation(),
    category: 1 << int(4),
    mask: 1 + int(15),
    sensor: rng.between(0, 1) < 0.25,
  });
  const known = new Map<ColliderId, { body: BodyId; type: BodyType; one: ReturnType<typeof partsOf> }>();
  for (let i = 0; i < 14; i++) {
    const type = (['static', 'kinematic', 'dynamic'] as const)[i % 3]!;
    const list = Array.from({ length: 2 + int(4) }, partsOf);
    const body = world.createBody({
      type,
      position: rng.vector(4),
      rotation: rng.rotation(),
      mass: type === 'dynamic' ? { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } : undefined,
      colliders: list.map((one) => ({ ...one, shape: shapes[one.shape]! })),
    });
    for (const [k, collider] of world.collidersOf(body).entries()) known.set(collider, { body, type, one: list[k]! });
  }
  world.step();
  const first = [...known][3]!;
  world.removeCollider(first[0]);
  known.delete(first[0]);
  const later = partsOf();
  known.set(world.addCollider(first[1].body, { ...later, shape: shapes[later.shape]! }), { ...first[1], one: later });
  const moved = [...known.values()][12]!.body;
  world.teleport(moved, rng.vector(4), rng.rotation());
  for (const [collider, { body, type, one }] of known) {
    const { p, q } = poseOf(world, collider);
    const place = { p: add(p, turn(q, one.position)), q: after(q, one.rotation) };
    parts.push({ collider, body, type, ...one, desc: CONVEX[one.shape]!, ...place });
  }
  return { world, parts };
}

test.each([1, 2, 3])('a collider is met if its distance and its own filter say so (seed %i)', async (seed) => {
  const { world, parts } = await compounds(seed);
  const rng = random(seed + 100);
  const int = (below: number) => Math.floor(rng.between(0, below));
  const hits: QueryHit[] = [];
  const ids: ColliderId[] = [];
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const met = { ray: 0, cast: 0, near: 0, inside: 0, hidden: 0 };
  for (let k = 0; k < 60; k++) {
    const odd = parts[int(parts.length)]!;
    const filter: QueryFilter = {
      ...(int(3) === 0 ? { mask: 1 + int(15) } : {}),
      ...(int(3) === 0 ? { category: 1 + int(15) } : {}),
      ...(int(3) ? {} : { excludeBody: odd.body }),
      ...(int(3) ? {} : { excludeCollider: parts[int(parts.length)]!.collider }),
      ...(int(3) ? {} : { types: (['static', 'kinematic', 'dynamic'] as BodyType[]).filter(() => int(3) > 0) }),
      ...(int(3) === 0 ? { sensors: ([true, false, 'only'] as const)[int(3)]! } : {}),
      ...(int(3)
        ? {}
        : { filter: (collider: ColliderId, body: BodyId) => collider !== odd.collider && body % 2 === odd.body % 2 }),
    };
    const { sensors = false } = filter;
    const passes = (part: Part) =>
      ((filter.mask ?? -1) & part.category) !== 0 &&
      (filter.category === undefined || (filter.category & part.mask) !== 0) &&
      part.body !== filter.excludeBody &&
      part.collider !== filter.excludeCollider &&
      (filter.types === undefined || filter.types.includes(part.type)) &&
      (sensors === 'only' ? part.sensor : sensors || !part.sensor) &&
      (filter.filter === undefined || filter.filter(part.collider, part.body));
    const seen = parts.filter(passes);
    met.hidden += parts.length - seen.length;
    const o = rng.vector(6);
    const target = (seen[int(seen.length)] ?? odd).p;
    const d = unit(sub(add(target, rng.vector(0.8)), o));
    /** What was found is exactly what passes and is met; `isSure` leaves out what only grazes. */
    const check = (found: Set<ColliderId>, isMet: (part: Part) => boolean | null, what: string) => {
      for (const part of parts) {
        const expected = passes(part) ? isMet(part) : false;
        if (expected !== null) expect(found.has(part.collider), `${what} ${part.desc.type} of query ${k}`).toBe(expected);
      }
      return found.size;
    };
    const path = (radius: number, most: number) => (part: Part) => {
      const distance = (t: number) => distanceTo(part, add(o, d, t)) - radius;
      if (distance(0) < -1e-3) return true;
      if (march(distance, most) < most - 1e-2) {
        // A path that grazes may be met by one of the two alone.
        let least = Number.POSITIVE_INFINITY;
        for (let t = 0; t <= most; t += 0.02) least = Math.min(least, distance(t));
        return least < -2e-2 ? true : null;
      }
      return null;
    };
    const apart = (radius: number, most: number) => (part: Part) => {
      const hit = path(radius, most)(part);
      if (hit !== null) return hit;
      let least = Number.POSITIVE_INFINITY;
      for (let t = 0; t <= most; t += 0.02) least = Math.min(least, distanceTo(part, add(o, d, t)) - radius);
      return least > 2e-2 ? false : null;
    };
    const found = (count: number) => new Set(hits.slice(0, count).map((hit) => hit.collider));
    met.ray += check(found(world.castRayAll(o, d, { maxDistance: 9, ...filter }, hits)), apart(0, 9), 'ray');
    const nearest = world.castRay(o, d, { maxDistance: 9, ...filter });
    if (world.castRayAll(o, d, { maxDistance: 9, ...filter }, hits) > 0) expect(nearest).toEqual(hits[0]);
    else expect(nearest).toBeNull();
    const way = d.map((x) => 7 * x) as V;
    met.cast += check(found(world.castShapeAll(ball, o, null, way, filter, hits)), apart(0.5, 7), 'cast');
    const around = (distance: number) => (part: Part) => {
      const away = distanceTo(part, o) - distance;
      return Math.abs(away) < 1e-3 ? null : away < 0;
    };
    met.near += check(found(world.closestPointAll(o, { maxDistance: 2, ...filter }, hits)), around(2), 'nearest');
    check(new Set(ids.slice(0, world.overlapShape(ball, o, null, filter, ids))), around(0.5), 'ball');
    const p = add(target, rng.vector(0.4));
    const contains = (part: Part) => (Math.abs(distanceTo(part, p)) < 1e-3 ? null : distanceTo(part, p) < 0);
    met.inside += check(new Set(ids.slice(0, world.overlapPoint(p, filter, ids))), contains, 'point');
    const least = Math.min(...seen.map((part) => distanceTo(part, o)));
    const closest = world.closestPoint(o, filter);
    if (closest) expect(Math.abs(closest.distance - least)).toBeLessThan(1e-3);
    else expect(least).toBeGreaterThan(900);
  }
  expect(Math.min(...Object.values(met))).toBeGreaterThan(10);
});
