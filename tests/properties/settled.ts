// Where bodies go: out of overlaps slowly, never through ground and walls, and to rest only on something that bears them.
import type { BodyId, World } from '../../src/index';
import { length } from '../helpers/ground';
import { figure } from './figures';
import type { Property } from './property';
import { drawScene, GROUND, gravityOf, Meter, play, type Scene } from './scene';

const LEVEL = ['plane', 'box'] as const;
const PUSH_SPEED = 3;

/**
 * Bodies that start inside each other, of one shape each, leave at the push speed; a body with several overlaps gets up to four times as
 * much (docs/solvers.md). Not so compounds: parts that push a body to and fro squeeze it out sideways, at up to 270 m/s.
 */
const overlaps: Property = {
  name: 'overlaps',
  draw(seed) {
    const scene = drawScene(seed, {
      grounds: seed % 2 ? ['none'] : LEVEL,
      gravity: seed % 2 === 0,
      count: [2, 12],
      steps: [60, 120],
      placing: 'overlapping',
      restitution: 0,
      speed: 0,
      shapes: ['sphere', 'box', 'capsule', 'cylinder', 'cone', 'hull'],
    });
    return scene;
  },
  async check(scene) {
    const { world, ids } = await play(scene);
    const g = gravityOf(scene);
    const meter = new Meter(world, ids);
    const top = Math.max(...scene.bodies.map(({ position, radius }) => position[1] + radius));
    let most = 0;
    for (let i = 0; i < scene.steps; i++) {
      world.step();
      const fall = Math.sqrt(2 * g * Math.max(0, top));
      for (const { velocity } of meter.motions()) most = Math.max(most, length(velocity) - fall);
    }
    world.dispose();
    figure('overlaps', most / PUSH_SPEED);
    return most > 4 * PUSH_SPEED ? `a body leaves an overlap at ${most} m/s` : null;
  },
};

/** Fast bodies in a closed room stay inside. */
const room: Property = {
  name: 'room',
  draw: (seed) => drawScene(seed, { grounds: ['room'], gravity: seed % 2 === 0, count: [5, 20], steps: [60, 120], speed: 100 }),
  async check(scene) {
    const { world, ids } = await play(scene);
    const meter = new Meter(world, ids);
    let most = 0;
    for (let i = 0; i < scene.steps; i++) {
      world.step();
      for (const { center } of meter.motions()) most = Math.max(most, ...center.map(Math.abs));
    }
    world.dispose();
    figure('room', most - GROUND);
    return most > GROUND ? `a center is ${most - GROUND} m inside a wall` : null;
  },
};

/** Height of the ground below or above a place, m. */
function groundAt(world: World, x: number, z: number): number {
  const hit = world.castRay([x, 1000, z], [0, -1, 0], { maxDistance: 2000, types: ['static'] });
  return hit === null ? -Infinity : hit.point[1]!;
}

/** No center of mass ends below the ground, and none passes it. */
const ground: Property = {
  name: 'ground',
  draw: (seed) =>
    drawScene(seed, {
      grounds: ['plane', 'box', 'mesh', 'heightfield'],
      gravity: true,
      count: [5, 20],
      steps: [90, 150],
      speed: 40,
    }),
  async check(scene) {
    const { world, ids } = await play(scene);
    const meter = new Meter(world, ids);
    let worst = 0;
    for (let i = 0; i < scene.steps; i++) {
      world.step();
      if (i % 10 !== 9) continue;
      for (const { center } of meter.motions()) {
        const [x, y, z] = center;
        if (Math.max(Math.abs(x), Math.abs(z)) < GROUND) worst = Math.max(worst, groundAt(world, x, z) - y);
      }
    }
    world.dispose();
    figure('ground', worst);
    return worst > 0 ? `a center is ${worst} m below the ground` : null;
  },
};

interface Touch {
  other: BodyId;
  point: number[];
  normal: number[];
  impulse: number;
  separation: number;
}

/** Contacts of each body; normals point to it. */
function touchesOf(world: World): Map<BodyId, Touch[]> {
  const contacts = world.readContacts();
  const all = new Map<BodyId, Touch[]>();
  for (let i = 0; i < contacts.count; i++) {
    const [a, b] = [world.bodyAt(contacts.bodyA[i]!)!, world.bodyAt(contacts.bodyB[i]!)!];
    const at = (values: Float32Array) => [...values.subarray(3 * i, 3 * i + 3)];
    const [impulse, separation] = [contacts.impulses[i]!, contacts.separations[i]!];
    const [point, normal] = [at(contacts.points), at(contacts.normals)];
    for (const [who, other, sign] of [
      [b, a, 1],
      [a, b, -1],
    ] as const) {
      if (!all.has(who)) all.set(who, []);
      all.get(who)!.push({ other, point, normal: normal.map((x) => sign * x), impulse, separation });
    }
  }
  return all;
}

/** How far a point lies outside the convex hull of points of a plane; 0 inside. */
function outside(hull: readonly (readonly [number, number])[], [x, z]: readonly [number, number]): number {
  // The separating axis of most separation, among the directions from each point and across each pair.
  let most = -Infinity;
  const axes: [number, number][] = [];
  for (const [i, [ax, az]] of hull.entries()) {
    axes.push([x - ax, z - az]);
    for (const [bx, bz] of hull.slice(i + 1)) axes.push([az - bz, bx - ax], [bz - az, ax - bx]);
  }
  for (const [u, w] of axes) {
    const size = Math.hypot(u, w);
    if (size < 1e-9) continue;
    const reach = Math.max(...hull.map(([px, pz]) => (px * u + pz * w) / size));
    most = Math.max(most, (x * u + z * w) / size - reach);
  }
  return Math.max(0, most);
}

/** Sleeping bodies on level ground: their contacts reach the ground and bear their weight. */
const asleep: Property = {
  name: 'asleep',
  draw(seed) {
    const scene = drawScene(seed, {
      grounds: LEVEL,
      gravity: true,
      count: [3, 10],
      steps: [200, 240],
      restitution: 0.3,
      speed: 1,
      sizes: [0.1, 2],
    });
    return { ...scene, options: { ...scene.options, sleep: true } };
  },
  async check(scene) {
    const {
      world,
      ids,
      ground: [floor],
    } = await play(scene);
    for (let i = 0; i < scene.steps; i++) world.step();
    const found = supportFault(scene, world, ids, floor!);
    world.dispose();
    return found;
  },
};

function supportFault(scene: Scene, world: World, ids: readonly BodyId[], floor: BodyId): string | null {
  const touches = touchesOf(world);
  const motions = new Meter(world, ids).motions();
  const weight = gravityOf(scene) / 60;
  const margin = 0.02;
  const reached = new Set<BodyId>();
  let sleepers = 0;
  for (const [i, id] of ids.entries()) {
    if (!world.isAsleep(id) || reached.has(id)) continue;
    // The island: bodies joined by contacts that carry something or touch.
    const island = [id];
    reached.add(id);
    let [onFloor, borne, mass] = [0, 0, 0];
    for (const member of island) {
      mass += motions[ids.indexOf(member)]!.mass;
      for (const { other, impulse, separation, normal } of touches.get(member) ?? []) {
        if (impulse === 0 && separation > 0) continue;
        if (other === floor) {
          onFloor++;
          borne += impulse * normal[1]!;
        } else if (!reached.has(other)) {
          reached.add(other);
          island.push(other);
        }
      }
    }
    sleepers += island.length;
    if (onFloor === 0) return `body ${i} and its island of ${island.length} sleep in the air`;
    figure('borne', Math.abs(borne / (mass * weight) - 1));
    if (Math.abs(borne / (mass * weight) - 1) > 0.1) {
      return `the ground bears ${borne / (mass * weight)} of the weight of the island of body ${i}`;
    }
    if (island.length > 1) continue;
    const [x, , z] = motions[i]!.center;
    const off = outside(
      (touches.get(id) ?? []).filter(({ other }) => other === floor).map(({ point }) => [point[0]!, point[2]!] as const),
      [x, z],
    );
    figure('off', off);
    if (off > margin) return `the center of body ${i} is ${off} m outside its support`;
  }
  figure('sleepers', sleepers / ids.length);
  return null;
}

export const SETTLED: Property[] = [overlaps, room, ground, asleep];
