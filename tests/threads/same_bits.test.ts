// The same bits with any number of threads, late ones among them, on cold code and on warm: runs of the golden table with its hashes, and
// states, events and queries of scenes with bodies that come and go, joints, sleep and waking between. TALUS_THREADS_STEPS sets the length
// of the latter. TALUS_GOLDEN=full takes all runs of the product in the table, and all numbers of threads for scenes that take long.
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../../src/index';
import { threadPool } from '../../src/threads/pool';
import { ADVICE, changesOf } from '../golden/compare';
import { isFull } from '../golden/full';
import { playGolden, settingsOf } from '../golden/run';
import { PRODUCT_RUNS, SHORT_RUNS } from '../golden/runs';
import { TABLE } from '../golden/table';
import { everyNth, isLong } from '../helpers/long';
import { PLAYED, play } from '../helpers/played';
import { LATE, sharedWorld } from '../helpers/threads';

const STEPS = Number(process.env.TALUS_THREADS_STEPS ?? 100);
const isWhole = isFull || isLong;
/** In the short form the table is for one number. */
const GOLDEN_COUNTS = isWhole ? [2, 3, 8] : [3];
const COUNTS = isWhole ? [2, 3, 4, 7, 8, 16] : [2, 7];
/** Scenes that take tens of seconds. */
const LARGE = ['rubble', 'pyramid'];

let world: World | undefined;
afterEach(() => world?.dispose());
afterAll(() => expect(threadPool().workers.length).toBe(0));

test.each(isFull ? PRODUCT_RUNS : SHORT_RUNS)(
  '$name has its golden hashes with several threads',
  { timeout: 600_000 },
  async (run) => {
    for (const threads of GOLDEN_COUNTS) {
      world = await sharedWorld(threads, settingsOf(run) as WorldOptions);
      const seen = playGolden(world as never, run);
      expect(changesOf(run.name, TABLE[run.name], seen), `${threads} threads. ${ADVICE}`).toBe('');
      expect(world.profile.threads).toBe(threads);
      world.dispose();
    }
  },
);

describe.each(PLAYED)('$name $settings', ({ settings, ...scene }) => {
  // The short form has one number of threads for a scene, each in turn.
  const place = PLAYED.findIndex((one) => one.name === scene.name && one.settings === settings);
  test(
    'has the same states, events and hits',
    async () => {
      world = await createWorld(settings);
      const isShort = !isWhole && LARGE.includes(scene.name);
      const steps = isShort ? STEPS / 2 : STEPS;
      const expected = play(world, { ...scene, steps });
      world.dispose();
      expect(expected.length).toBeGreaterThan(steps / 5);
      const counts = isWhole ? COUNTS : everyNth(COUNTS, COUNTS.length, place);
      for (const threads of counts) {
        world = await sharedWorld(threads, settings);
        expect(play(world, { ...scene, steps }), `${threads} threads`).toEqual(expected);
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
