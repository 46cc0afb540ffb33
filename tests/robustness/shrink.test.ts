// The shrinker of random worlds with planted faults: what is left is what the fault needs, and the script of it runs and shows it.
import { expect, test } from 'vitest';
import * as controllers from '../../src/controllers/index';
import * as talus from '../../src/index';
import * as rigs from '../../src/rigs/index';
import { everyNth } from '../helpers/long';
import { noCounts, type Outcome, type Plant, playWorld, replayCalls, shrinkWorld } from './fuzz/driver';
import { playRounds } from './fuzz/main';
import { scriptOf, scriptText } from './fuzz/script';
import { ddmin } from './fuzz/shrink';

/** Runs a script on the package; rejects with what it throws. */
async function run(outcome: Outcome): Promise<void> {
  const { imports, code } = scriptOf(outcome.calls, outcome.fault!);
  const names = Object.values(imports).flat();
  const all: Record<string, unknown> = { ...talus, ...controllers, ...rigs };
  const main = new Function('console', ...names, `return (async () => {\n${code}\n})();`);
  await main({ log: () => undefined }, ...names.map((name) => all[name]));
}

/** Plays a seed until the planted fault, and shrinks it. */
async function found(seed: number, plant: Plant): Promise<{ large: Outcome; small: Outcome }> {
  const large = await playWorld(seed, 1000, noCounts(), plant);
  expect(large.fault?.kind).toBe('planted');
  return { large, small: await shrinkWorld(seed, large, 3000, plant) };
}

test('ddmin finds the items that a failure needs', async () => {
  const items = Array.from({ length: 200 }, (_, i) => i);
  let tries = 0;
  const needed = [3, 71, 72, 190];
  const fails = async (some: readonly number[]) => {
    tries++;
    return needed.every((one) => some.includes(one));
  };
  expect(await ddmin(items, fails)).toEqual(needed);
  expect(tries).toBeLessThan(150);
});

test('a body with a mass of its own is removed after a joint was made: a handful of calls', async () => {
  const plant: Plant = (driver, call) => {
    if (call.method !== 'removeBody' || call.isRefused) return;
    const [body] = call.args;
    const isWeighed = driver.calls.some(({ method, args: [id, mass] }) => {
      const isSame = method === 'setMass' && JSON.stringify(id) === JSON.stringify(body);
      return isSame && mass !== undefined && 'plain' in mass && Number(mass.plain) > 7;
    });
    if (isWeighed && driver.calls.some(({ method, isRefused }) => method === 'createJoint' && !isRefused)) driver.fail('planted');
  };
  const SEED = 6;
  const { large, small } = await found(SEED, plant);
  expect(large.calls.length).toBeGreaterThan(100);
  const methods = small.calls.map(({ method }) => method);
  expect(methods.length).toBeLessThanOrEqual(7);
  expect(new Set(methods)).toEqual(new Set(['createShape', 'createBody', 'createJoint', 'setMass', 'removeBody']));
  expect(methods.at(-1)).toBe('removeBody');
  // Arguments are simple, and the calls fail again on another world.
  expect(JSON.stringify(small.calls).length).toBeLessThan(2500);
  expect((await replayCalls(SEED, small.calls, plant)).fault?.kind).toBe('planted');
  expect((await replayCalls(SEED, small.calls)).fault).toBeNull();
  // The check is not in the package: the script runs through.
  await run(small);
  const text = scriptText(SEED, small.calls, small.fault!);
  expect(text).toContain("from '../../dist/index.js'");
  expect(text.match(/^const body\d+ = world\.createBody\(.*\);$/gm)!.length).toBeLessThanOrEqual(2);
});

test('a script shows a read that is wrong, a call that must be refused, and events of steps', async () => {
  const seed = 3;
  const plant: Plant = (driver, call) => {
    if (call.method !== 'setTag' || call.isRefused || call.isSpoiled) return;
    driver.fail('planted', '', {
      proof: { check: 'checkAgrees', what: 'the tag', read: { method: 'getTag', args: [call.args[0]!] }, wanted: { plain: -5 } },
    });
  };
  const { small } = await found(seed, plant);
  expect(small.calls.map(({ method }) => method)).toEqual(['createShape', expect.stringMatching(/^createBod/), 'setTag']);
  await expect(run(small)).rejects.toThrow('the tag: ');

  const refused: Plant = (driver, call) => {
    if (call.method === 'wake') driver.fail('planted', '', { mustRefuse: 'unsupported' });
  };
  const second = (await found(seed, refused)).small;
  expect(second.calls.length).toBeLessThanOrEqual(3);
  await expect(run(second)).rejects.toThrow('not refused');
});

test.each(everyNth([0, 1, 3, 11], 2))('the script of a whole world runs through (seed %i)', async (seed) => {
  const whole = await playWorld(seed, 300, noCounts());
  expect(whole.fault).toBeNull();
  const end = whole.calls.findIndex(({ method }) => method === '#work');
  const calls = whole.calls.slice(0, end);
  await run({ calls, fault: { kind: 'none', message: '' } as never });
  expect((await replayCalls(seed, calls)).calls.map(({ method }) => method)).toEqual(calls.map(({ method }) => method));
});

test('rounds of a soak leave nothing behind', async () => {
  const { outcome, grew } = await playRounds(0, noCounts(), () => false, 3);
  expect(outcome.fault?.message).toBeUndefined();
  expect(grew).toBeNull();
});
