// Every run of the golden table on one thread in Node has the committed hashes, so nobody changes the physics without knowing it. Scenes
// that take long are played smaller; TALUS_GOLDEN=full plays them at full size too. The short form plays every fourth run to its end, the
// others for 200 steps. Other numbers of threads are in
// tests/threads/same_bits.test.ts, Chromium in tests/threads/chromium_bits.test.ts.
import { expect, test } from 'vitest';
import { isLong } from '../helpers/long';
import { createWorld } from '../helpers/worlds';
import { ADVICE, changesOf } from './compare';
import { isFull } from './full';
import { type Checkpoint, type GoldenRun, playGolden, settingsOf } from './run';
import { ALL_RUNS, FULL_RUNS, PRODUCT_RUNS, STUDY_RUNS } from './runs';
import { TABLE } from './table';

const RUNS = [...PRODUCT_RUNS, ...STUDY_RUNS, ...(isFull ? FULL_RUNS : [])].map((run, i) =>
  isFull || isLong || i % 4 === 0 ? run : { ...run, steps: run.steps.filter((step) => step <= 200) },
);

test.each(RUNS)('$name', { timeout: 600_000 }, async (run) => {
  const world = await createWorld(settingsOf(run));
  const seen = playGolden(world, run);
  world.dispose();
  expect(changesOf(run.name, TABLE[run.name], seen), ADVICE).toBe('');
});

test('the table has these runs and no others', () => {
  const names = (runs: readonly GoldenRun[]) => runs.map(({ name }) => name);
  expect(Object.keys(TABLE), ADVICE).toEqual(expect.arrayContaining(names([...PRODUCT_RUNS, ...STUDY_RUNS])));
  expect(names(ALL_RUNS), ADVICE).toEqual(expect.arrayContaining(Object.keys(TABLE)));
});

test('a run that parts from the table says from which step on, and what became of it', () => {
  const at = (hash: string, depth: number, contacts: number): Checkpoint => ({
    hash,
    contactHash: '0',
    depth,
    speed: 0.5,
    asleep: 3,
    contacts,
  });
  const table = { 1: at('a', 1, 8), 60: at('b', 1, 8), 200: at('c', 2, 8), 600: at('d', 2.5, 9) };
  expect(changesOf('pile', table, table)).toBe('');
  expect(changesOf('pile', table, { 1: at('a', 1, 8), 60: at('b', 1, 8) })).toBe('');
  expect(changesOf('pile', table, { ...table, 200: at('x', 2, 8), 600: at('y', 3, 9) })).toBe(
    'pile: differs from a step between 61 and 200 on\n' +
      '  at step 600: depth 2.5 -> 3 mm, rms speed 0.5 mm/s, asleep 3, contacts 9',
  );
  expect(changesOf('pile', table, { 60: { ...at('b', 1, 8), contactHash: '1' } })).toContain('between 1 and 60');
  expect(changesOf('pile', undefined, table)).toBe('pile: not in the table');
});
