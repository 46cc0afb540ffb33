// What is seen of scenes in a page of Chromium, on one thread and on several, late ones among them, is what is seen in Node, bit by bit.
// TALUS_THREADS_STEPS sets the length of the runs; TALUS_THREADS_SCENES=all takes the whole library and all numbers of threads.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld } from '../../src/index';
import { openPage, type TestPage } from '../helpers/page';
import { LIBRARY, PLAYED, play } from '../helpers/played';
import { LATE_TEXT } from '../helpers/threads';
import type { BitsPage, PageRun } from './bits_page';

const STEPS = Number(process.env.TALUS_THREADS_STEPS ?? 100);
const ALL = process.env.TALUS_THREADS_SCENES === 'all';
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

let opened: TestPage;
beforeAll(async () => {
  opened = await openPage('tests/threads/bits_page.ts', { headers: ISOLATED });
}, 120_000);
afterAll(async () => {
  await opened?.close();
});

test.each(ALL ? LIBRARY : PLAYED)(
  '$name $settings',
  { timeout: Math.max(240_000, 10_000 * STEPS) },
  async ({ settings, ...scene }) => {
    const world = await createWorld(settings);
    const expected = play(world, { ...scene, steps: STEPS });
    world.dispose();
    for (const threads of ALL ? [1, 2, 3, 4, 7, 8, 16] : [1, 3]) {
      const asked: PageRun = { scene: { ...scene, settings, steps: STEPS }, threads, text: LATE_TEXT };
      const { used, seen } = await opened.page.evaluate((run) => (globalThis as unknown as BitsPage).run(run), asked);
      expect(used).toBe(threads);
      expect(seen, `${threads} threads`).toEqual(expected);
    }
    expect(opened.errors).toEqual([]);
  },
);
