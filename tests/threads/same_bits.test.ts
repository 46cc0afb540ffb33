// The same bits with any number of threads, late ones among them, on cold code and on warm: states, events and queries of scenes of
// the library, with bodies that come and go, joints, sleep and waking between. TALUS_THREADS_STEPS sets the length of the runs.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { populate } from '../../scenes/stage';
import { type BodyId, createWorld, type World, type WorldOptions } from '../../src/index';
import { threadPool } from '../../src/threads/pool';
import { seeded } from '../helpers/random';
import { LATE, stepUntilShared } from '../helpers/threads';

const STEPS = Number(process.env.TALUS_THREADS_STEPS ?? 60);
const COUNTS = [2, 3, 4, 7, 8, 16];
/** Name, bodies, settings. */
const SCENES: [string, number | undefined, WorldOptions][] = [
  ['mixed', 200, {}],
  ['boxes-small', 250, { sleep: false }],
  ['spheres', 300, {}],
  ['hulls', 80, {}],
  ['pyramid', undefined, {}],
  ['ragdolls150', 12, {}],
  ['rubble', undefined, {}],
  ['bridge', undefined, {}],
  ['conveyor', undefined, {}],
  ['bullets', undefined, {}],
  ['mixed', 150, { solver: 'cell-split' }],
];

let world: World | undefined;
afterEach(() => world?.dispose());
afterAll(() => expect(threadPool().workers.length).toBe(0));

/** Ids of worlds differ. */
const slot = (id: number) => id % 2 ** 24;

/** All that a caller can see of a run, as text. */
function play(world: World, name: string, count: number | undefined): string[] {
  const seen: string[] = [];
  const random = seeded(7);
  populate(world, buildScene(name, { seed: 1, ...(count ? { count } : {}) }));
  const ball = world.createShape({ type: 'sphere', radius: 0.3 });
  const extra: BodyId[] = [];
  for (let i = 0; i < STEPS; i++) {
    if (i % 10 === 3) extra.push(world.createBody({ shape: ball, position: [4 * random() - 2, 6, 4 * random() - 2] }));
    if (i % 30 === 20) world.removeBody(extra.shift()!);
    if (i % 40 === 14) for (const body of extra) world.applyImpulse(body, [0, 50, 0]);
    if (i % 50 === 30) {
      const at = extra.length - 1;
      if (at > 0) world.createJoint({ type: 'ball', bodyA: extra[at - 1]!, bodyB: extra[at]!, anchor: [0, 5, 0] });
    }
    world.step();
    for (const event of world.events) seen.push(`${i} ${event.kind} ${slot(event.bodyA)} ${slot(event.bodyB)}`);
    if (i % 5 === 0) {
      const hit = world.castRay([8 * random() - 4, 20, 8 * random() - 4], [0, -1, 0]);
      seen.push(`${i} ${world.hash()} ${world.sleepingCount} ${hit && slot(hit.body)} ${hit?.distance}`);
    }
  }
  seen.push(`${world.profile.contactCount} ${world.measure().kineticEnergy}`);
  return seen;
}

/** An empty world at step 0 whose threads are all there. */
async function sharedWorld(threads: number, settings: WorldOptions): Promise<World> {
  const made = await createWorld({ ...settings, threads, threadChoice: 'always', threadWorker: LATE });
  const empty = made.snapshot();
  await stepUntilShared(made, threads);
  made.restore(empty);
  return made;
}

describe.each(SCENES)('%s', (name, count, settings) => {
  test(
    'has the same states, events and hits',
    async () => {
      world = await createWorld(settings);
      const expected = play(world, name, count);
      world.dispose();
      expect(expected.length).toBeGreaterThan(STEPS / 5);
      for (const threads of COUNTS) {
        world = await sharedWorld(threads, settings);
        expect(play(world, name, count), `${threads} threads`).toEqual(expected);
        expect(world.profile.threads).toBe(threads);
        world.dispose();
      }
    },
    Math.max(240_000, 10_000 * STEPS),
  );
});

test('threads as the clock has them: another number in every other step', async () => {
  world = await createWorld();
  const expected = play(world, 'mixed', 400);
  world.dispose();
  world = await createWorld({ threads: 4, threadWorker: LATE });
  expect(play(world, 'mixed', 400)).toEqual(expected);
});
