// What is seen of scenes in a page of Chromium, on one thread and on several, late ones among them, is what is seen in Node, bit by bit:
// the hashes of the golden table, and events and queries of scenes with bodies that come and go. TALUS_THREADS_STEPS sets the length of the
// latter. TALUS_GOLDEN=full takes all runs of the product in the table, and all numbers of threads.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld } from '../../src/index';
import { ADVICE, changesOf } from '../golden/compare';
import { isFull } from '../golden/full';
import { PRODUCT_RUNS, SHORT_RUNS } from '../golden/runs';
import { TABLE } from '../golden/table';
import { everyNth, isLong } from '../helpers/long';
import { openPage, type TestPage } from '../helpers/page';
import { PLAYED, play } from '../helpers/played';
import { LATE_TEXT } from '../helpers/threads';
import type { BitsPage, PageGolden, PageRun } from './bits_page';

const STEPS = Number(process.env.TALUS_THREADS_STEPS ?? 100);
/** Scenes that take tens of seconds. */
const LARGE = ['rubble', 'pyramid'];
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

let opened: TestPage;
beforeAll(async () => {
  opened = await openPage('tests/threads/bits_page.ts', { headers: ISOLATED });
});
afterAll(async () => {
  await opened?.close();
});

test.each(isFull ? PRODUCT_RUNS : everyNth(SHORT_RUNS, 2))(
  '$name has its golden hashes',
  { timeout: 600_000 },
  async (golden) => {
    for (const threads of isFull || isLong ? [1, 3] : [3]) {
      const asked: PageGolden = { golden, threads, text: LATE_TEXT };
      const { used, seen } = await opened.page.evaluate((run) => (globalThis as unknown as BitsPage).runGolden(run), asked);
      expect(used).toBe(threads);
      expect(changesOf(golden.name, TABLE[golden.name], seen), `${threads} threads. ${ADVICE}`).toBe('');
    }
    expect(opened.errors).toEqual([]);
  },
);

// The short form leaves out what takes long, and every other one of the rest.
const SCENES = isFull ? PLAYED : everyNth(PLAYED, 2, 1).filter(({ name }) => isLong || !LARGE.includes(name));

test.each(SCENES)('$name $settings', { timeout: Math.max(240_000, 10_000 * STEPS) }, async ({ settings, ...scene }) => {
  const world = await createWorld(settings);
  const expected = play(world, { ...scene, steps: STEPS });
  world.dispose();
  for (const threads of isFull ? [1, 2, 3, 4, 7, 8, 16] : isLong ? [1, 3] : [3]) {
    const asked: PageRun = { scene: { ...scene, settings, steps: STEPS }, threads, text: LATE_TEXT };
    const { used, seen } = await opened.page.evaluate((run) => (globalThis as unknown as BitsPage).run(run), asked);
    expect(used).toBe(threads);
    expect(seen, `${threads} threads`).toEqual(expected);
  }
  expect(opened.errors).toEqual([]);
});
