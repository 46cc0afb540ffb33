// Plays every property on random scenes: 50 seeds in the suite. `npm run properties -- --seeds 1000 [--only NAME] [--seed N]`
// sets
// TALUS_PROPERTIES_SEEDS, TALUS_PROPERTIES_ONLY and TALUS_PROPERTIES_SEED for more seeds, one property, or one seed of it.
import { expect, test } from 'vitest';
import { CONSERVED } from './conserved';
import { CONTROLLERS } from './controllers';
import { FRAMES } from './frames';
import { LASTING } from './lasting';
import { judge, playSeeds } from './property';
import { SETTABLE } from './setters';
import { SETTLED } from './settled';

const PROPERTIES = [...CONSERVED, ...SETTLED, ...FRAMES, ...SETTABLE, ...LASTING, ...CONTROLLERS];

const count = Number(process.env.TALUS_PROPERTIES_SEEDS ?? 50);
const only = process.env.TALUS_PROPERTIES_ONLY;
const one = process.env.TALUS_PROPERTIES_SEED;
const seeds = one === undefined ? Array.from({ length: count }, (_, i) => i) : [Number(one)];
const chosen = PROPERTIES.filter(({ name }) => only === undefined || name === only);

test('the properties have names of their own', () => {
  expect(new Set(PROPERTIES.map(({ name }) => name)).size).toBe(PROPERTIES.length);
  expect(
    chosen.map(({ name }) => name),
    `properties: ${PROPERTIES.map(({ name }) => name).join(', ')}`,
  ).not.toEqual([]);
});

test.each(chosen.map((property) => [property.name, property] as const))(
  '%s',
  { timeout: 60_000 + 2000 * count },
  async (_, property) => {
    const outcome = await playSeeds(property, seeds);
    await judge(property, outcome);
  },
);
