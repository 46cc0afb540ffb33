// Random calls over the whole public API of a world, well-formed, extreme and wrong: no trap, nothing thrown but TalusError, no
// number that is not finite, a refused call changes nothing, and a model kept beside the world agrees with it (fuzz/driver.ts).
//
// `npm run fuzz` plays more of the same worlds, and shrinks the calls of one that fails (shrink.test.ts).
import { expect, test } from 'vitest';
import { isLong } from '../helpers/long';
import { worldSources } from '../helpers/world_class';
import { CALLS, PROPERTIES, REASONS } from './fuzz/calls';
import { noCounts, playWorld } from './fuzz/driver';
import { isOfWorld } from './fuzz/invoke';

const CALLS_A_WORLD = 1000;
const TOTAL = isLong ? 60_000 : 20_000;

/** Public methods and getters of the class World, from its sources. */
function publicNames(): { methods: string[]; getters: string[] } {
  const methods = new Set<string>();
  const getters = new Set<string>();
  for (const source of worldSources()) {
    const lines = source.split('\n');
    const start = lines.findIndex((line) => /^export (abstract )?class \w*World</.test(line));
    if (start < 0) throw new Error(`no class in "${lines[0]}"`);
    let isInternal = false;
    for (const line of lines.slice(start + 1)) {
      if (line === '}') break;
      if (line.startsWith('  /**')) isInternal = false;
      if (/^ {2}(\/\*\*| \*).*@internal/.test(line)) isInternal = true;
      const member = /^ {2}(?:async )?(get )?([a-z]\w*)(?:<.*>)?\(/.exec(line);
      if (!member || isInternal || member[2] === 'constructor') continue;
      (member[1] ? getters : methods).add(member[2]!);
    }
  }
  return { methods: [...methods].sort(), getters: [...getters].sort() };
}

test('every public method and getter of World is in the table, or there is a reason', () => {
  const { methods, getters } = publicNames();
  expect(methods.length).toBeGreaterThan(100);
  expect(methods).toContain('createBody');
  const calls = CALLS.map(({ method }) => method).filter(isOfWorld);
  const known = [...new Set([...calls, ...Object.keys(REASONS)])].sort();
  expect(known).toEqual(methods);
  expect(Object.keys(PROPERTIES).sort()).toEqual(getters);
});

test(`${TOTAL} random calls`, { timeout: 5 * TOTAL }, async () => {
  const counts = noCounts();
  const worlds = Math.ceil(TOTAL / CALLS_A_WORLD);
  for (let seed = 0; seed < worlds; seed++) {
    const { fault } = await playWorld(seed, CALLS_A_WORLD, counts);
    if (fault) throw new Error(`seed ${seed} (npm run fuzz -- --seed ${seed} shrinks it to a script): ${fault.message}`);
  }
  expect(counts.calls).toBeGreaterThanOrEqual(TOTAL);
  expect(counts.refused / counts.spoiled).toBeGreaterThan(0.5);
  expect(counts.declined / counts.calls).toBeLessThan(0.2);
  expect(counts.steps / counts.calls).toBeGreaterThan(0.2);
  expect(counts.contacts / counts.steps).toBeGreaterThan(5);
  expect(counts.events).toBeGreaterThan(counts.steps / 100);
  expect(counts.restored).toBeGreaterThan(worlds);
  expect(counts.playerSteps).toBeGreaterThan(counts.steps / 10);
  expect(counts.frames).toBeGreaterThan(counts.steps / 50);
  expect(counts.rigs).toBeGreaterThan(worlds / 2);
});
