// The same bits with any number of threads, late ones among them, on cold code and on warm: states, events and queries of scenes of
// the library, with bodies that come and go, joints, sleep and waking between. TALUS_THREADS_STEPS sets the length of the runs;
// TALUS_THREADS_SCENES=all takes the whole library, and all numbers of threads for scenes that take long.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../src/index';
import { threadPool } from '../../src/threads/pool';
import { LIBRARY, PLAYED, play } from '../helpers/played';
import { LATE, sharedWorld } from '../helpers/threads';

const STEPS = Number(process.env.TALUS_THREADS_STEPS ?? 100);
const COUNTS = [2, 3, 4, 7, 8, 16];
const isAll = process.env.TALUS_THREADS_SCENES === 'all';
const SCENES = isAll ? LIBRARY : PLAYED;
/** Scenes that take tens of seconds with all numbers of threads. */
const LONG = ['rubble', 'pyramid'];

let world: World | undefined;
afterEach(() => world?.dispose());
afterAll(() => expect(threadPool().workers.length).toBe(0));

describe.each(SCENES)('$name $settings', ({ settings, ...scene }) => {
  test(
    'has the same states, events and hits',
    async () => {
      world = await createWorld(settings);
      const expected = play(world, { ...scene, steps: STEPS });
      world.dispose();
      expect(expected.length).toBeGreaterThan(STEPS / 5);
      const counts = isAll || !LONG.includes(scene.name) ? COUNTS : [2, 7];
      for (const threads of counts) {
        world = await sharedWorld(threads, settings);
        expect(play(world, { ...scene, steps: STEPS }), `${threads} threads`).toEqual(expected);
        expect(world.profile.threads).toBe(threads);
        world.dispose();
      }
    },
    Math.max(240_000, 10_000 * STEPS),
  );
});

test('threads as the clock has them: another number in every other step', async () => {
  world = await createWorld();
  const expected = play(world, { name: 'mixed', count: 400, steps: STEPS });
  world.dispose();
  world = await createWorld({ threads: 4, threadWorker: LATE });
  expect(play(world, { name: 'mixed', count: 400, steps: STEPS })).toEqual(expected);
});
