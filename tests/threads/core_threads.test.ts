// The core on several threads: the same bits, events and answers as on one, however tasks are shared out. (On machines of fewer
// cores than threads the system takes turns with them, which shares tasks out in many ways.)
import { describe, expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { populate } from '../../scenes/stage';
import { type BodyId, createWorld, type World } from '../../src/index';
import { everyNth, isLong } from '../helpers/long';
import { seeded } from '../helpers/random';
import { shareMemory, Team } from '../helpers/team';

shareMemory();

/** What a run is compared by: the state every few steps, and all events. */
interface Run {
  states: number[];
  events: string[];
  tasks: number;
}

/** Steps of a world that `make` fills; what it returns is called before each step. */
async function run(
  steps: number,
  threads: number,
  delays: boolean,
  make: (world: World) => ((step: number) => void) | undefined,
): Promise<Run> {
  const world = await createWorld({ solver: 'wide' });
  const act = make(world);
  const team = new Team();
  if (threads > 1) await team.begin(threads, delays);
  const states: number[] = [];
  const events: string[] = [];
  for (let i = 0; i < steps; i++) {
    act?.(i);
    // Any number of threads may help in any step.
    if (threads > 2 && i % 20 === 19) team.use(1 + (((i / 20) % threads) | 0));
    await world.step();
    for (const { kind, point, normal, impulse } of world.events) {
      events.push(`${i} ${kind} ${point.join(' ')} ${normal.join(' ')} ${impulse}`);
    }
    if (i % 5 === 4) states.push(world.hash());
  }
  const tasks = threads > 1 ? await team.end() : 0;
  world.dispose();
  return { states, events, tasks };
}

/** A scene of the library. */
const scene = (name: string, count?: number) => (world: World) => {
  const built = buildScene(name, { seed: 2, ...(count ? { count } : {}) });
  populate(world, built);
  return undefined;
};

/** Boxes, balls and capsules that slide and fall over a floor of tiles that lie side by side. */
function tiles(world: World): undefined {
  const random = seeded(5);
  const tile = world.createShape({ type: 'box', halfExtents: [0.5, 0.1, 0.5] });
  for (let i = 0; i < 144; i++) {
    const position: [number, number, number] = [(i % 12) - 6, -0.1, Math.floor(i / 12) - 6];
    world.createBody({ type: 'static', position, colliders: [{ shape: tile }] });
  }
  const shapes = [
    world.createShape({ type: 'box', halfExtents: [0.3, 0.2, 0.25] }),
    world.createShape({ type: 'sphere', radius: 0.25 }),
    world.createShape({ type: 'capsule', radius: 0.15, halfHeight: 0.2 }),
  ];
  for (let i = 0; i < 240; i++) {
    world.createBody({
      type: 'dynamic',
      position: [random() * 8 - 4, 0.5 + (i >> 5) * 0.7, random() * 8 - 4],
      linearVelocity: [random() * 6 - 3, 0, random() * 6 - 3],
      colliders: [{ shape: shapes[i % 3]! }],
    });
  }
}

/** A pile that rests and sleeps in part, on which more falls, from which bodies go. */
function busy(world: World): (step: number) => void {
  const random = seeded(9);
  const ground = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
  world.createBody({ type: 'static', position: [0, -1, 0], colliders: [{ shape: ground }] });
  const turntable = world.createShape({ type: 'cylinder', radius: 3, halfHeight: 0.2 });
  const plate = { type: 'kinematic', position: [0, 0.2, 0], angularVelocity: [0, 1, 0] } as const;
  world.createBody({ ...plate, colliders: [{ shape: turntable }] });
  const box = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
  const bodies: BodyId[] = [];
  const drop = (count: number) => {
    for (let i = 0; i < count; i++) {
      const position: [number, number, number] = [random() * 6 - 3, 1 + random() * 3, random() * 6 - 3];
      bodies.push(world.createBody({ type: 'dynamic', position, colliders: [{ shape: box, density: 200 + 2000 * random() }] }));
    }
  };
  drop(300);
  return (step) => {
    if (step % 40 === 30) drop(20);
    if (step % 25 !== 20) return;
    for (let i = 0; i < 15; i++) world.removeBody(bodies.splice(Math.floor(random() * bodies.length), 1)[0]!);
  };
}

const SCENES: [string, number, (world: World) => ((step: number) => void) | undefined][] = [
  ['boxes-small on a mesh', 150, scene('boxes-small')],
  ['all shapes on a mesh', 150, scene('mixed', 300)],
  ['spheres', 120, scene('spheres', 500)],
  ['hulls', 100, scene('hulls', 200)],
  ['ragdolls', 100, scene('ragdolls150', 20)],
  ['a floor of tiles', 150, tiles],
  ['bodies that come and go, a turntable, sleep', 200, busy],
];

describe.each(SCENES)('%s', (_, steps, make) => {
  test('the same on any number of threads, with delays and without', async () => {
    const count = isLong ? steps : Math.ceil(0.6 * steps);
    const one = await run(count, 1, false, make);
    expect(new Set(one.states).size).toBeGreaterThan(10);
    const teams = [
      [2, false],
      [3, true],
      [4, true],
    ] as const;
    for (const [threads, delays] of everyNth(teams, 2)) {
      const many = await run(count, threads, delays, make);
      expect(many.states, `${threads} threads`).toEqual(one.states);
      expect(many.events, `${threads} threads`).toEqual(one.events);
      expect(many.tasks, `${threads} threads`).toBeGreaterThan(0);
    }
  });
});

test('batches of rays and shape casts have the same answers', async () => {
  const answers: Record<string, number[]>[] = [];
  for (const threads of [1, 3]) {
    const world = await createWorld({ solver: 'wide' });
    scene('mixed', 200)(world);
    const team = new Team();
    if (threads > 1) await team.begin(threads, true);
    for (let i = 0; i < 60; i++) await world.step();
    const random = seeded(3);
    const count = 1000;
    const origins = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? 6 : 8 * random() - 4));
    const directions = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? -12 : 4 * random() - 2));
    const turns = Float32Array.from({ length: 4 * count }, () => random() - 0.5);
    const hits = () => ({
      distances: new Float32Array(count),
      points: new Float32Array(3 * count),
      normals: new Float32Array(3 * count),
      features: new Uint32Array(count),
    });
    const rays = hits(),
      casts = hits();
    const met = [world.castRays(origins, directions, { maxDistance: 20 }, rays)];
    const shape = world.createShape({ type: 'box', halfExtents: [0.1, 0.2, 0.3] });
    met.push(world.castShapes(shape, origins, turns, directions, {}, casts));
    const all: Record<string, number[]> = { met };
    for (const [name, one] of [
      ['rays', rays],
      ['casts', casts],
    ] as const) {
      for (const [field, values] of Object.entries(one)) all[`${name} ${field}`] = Array.from(values);
    }
    answers.push(all);
    if (threads > 1) await team.end();
    world.dispose();
  }
  expect(answers[0]!.met![0]).toBeGreaterThan(500);
  expect(answers[1]).toEqual(answers[0]);
});
