// Random worlds on random numbers of threads, late ones among them, another number in every few steps: the bits, events and answers of
// one thread, and no hang.
//
// TALUS_THREADS_WORLDS sets the number of worlds (2,000 take about ten minutes on two cores, 12,000 an hour); TALUS_THREADS_SEED plays one alone.
import { afterAll, expect, test } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../../src/index';
import { threadPool } from '../../src/threads/pool';
import { type Played, play } from '../helpers/played';
import { seeded } from '../helpers/random';
import { sharedWorld } from '../helpers/threads';

const total = Number(process.env.TALUS_THREADS_WORLDS ?? 6);
const only = process.env.TALUS_THREADS_SEED;
const seeds = only === undefined ? Array.from({ length: total }, (_, i) => i) : [Number(only)];

/** Scenes, with the fewest and the most bodies; those without are of one size. */
const SCENES: [string, number?, number?][] = [
  ['mixed', 30, 400],
  ['boxes-small', 30, 400],
  ['spheres', 30, 500],
  ['hulls', 20, 150],
  ['pyramid'],
  ['ragdolls150', 2, 14],
  ['rubble'],
  ['bridge'],
  ['conveyor'],
  ['bullets'],
];
/** More threads than cores wait for each other most of the time, so those are seldom. */
const COUNTS = [2, 2, 2, 2, 3, 3, 4, 7, 8, 16];

let world: World | undefined;
afterAll(() => {
  world?.dispose();
  expect(threadPool().workers.length).toBe(0);
});

test(`${seeds.length} worlds`, { timeout: 60_000 * (1 + seeds.length) }, async () => {
  for (const seed of seeds) {
    const random = seeded(1000 + seed);
    const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const threads = any(COUNTS);
    const [name, least, most] = any(SCENES);
    const steps = 20 + Math.floor((random() * 80) / threads);
    const count = least === undefined ? undefined : Math.floor(least + random() * (most! - least));
    const settings: WorldOptions = {
      sleep: random() < 0.7,
      substeps: any(['auto', 4, 12] as const),
      preset: any(['balanced', 'high'] as const),
      solver: random() < 0.1 ? 'cell-split' : 'auto',
    };
    const played: Played = { name, count, steps, seed };
    const what = `TALUS_THREADS_SEED=${seed}: ${threads} threads, ${JSON.stringify({ ...played, ...settings })}`;
    if (total > 100) console.log(what);
    world = await createWorld(settings);
    const expected = play(world, played);
    world.dispose();
    world = await sharedWorld(threads, settings);
    let shared = 0;
    const before = (of: World, step: number) => {
      shared += of.profile.threads - 1;
      if (step % 8 === 7) of.set({ threads: 1 + Math.floor(random() * threads) });
    };
    expect(play(world, { ...played, before }), what).toEqual(expected);
    expect(shared, what).toBeGreaterThan(0);
    world.dispose();
  }
});
