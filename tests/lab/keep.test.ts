// Raw results that outlive the process.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BudgetSpent, buildFingerprint, experimentFingerprint, Keeper } from '../../lab/lib/keep.mjs';

const folder = mkdtempSync(join(tmpdir(), 'talus-keep-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a run is computed once, and the same numbers come from the file', async () => {
  let count = 0;
  const value = { speed: 1 / 3, apart: Number.POSITIVE_INFINITY, none: Number.NaN, text: '#x', list: [1, null] };
  const compute = () => {
    count++;
    return value;
  };
  const first = await new Keeper(folder, 'a', 'f').run({ seed: 1 }, compute);
  const keeper = new Keeper(folder, 'a', 'f');
  const second = await keeper.run({ seed: 1 }, compute);
  expect(count).toBe(1);
  expect(keeper).toMatchObject({ found: 1, made: 0 });
  expect(second).toEqual(first);
  expect(second).toEqual({ ...value, speed: 0.3333333 });
  await keeper.run({ seed: 2 }, compute);
  expect(count).toBe(2);
});

it('another fingerprint and --fresh forget', async () => {
  const keep = async (fingerprint: string, options = {}) => {
    const keeper = new Keeper(folder, 'b', fingerprint, options);
    await keeper.run({ seed: 1 }, () => 1);
    return keeper.made;
  };
  expect(await keep('one')).toBe(1);
  expect(await keep('one')).toBe(0);
  expect(await keep('one', { fresh: true })).toBe(1);
  expect(await keep('two')).toBe(1);
  expect(readFileSync(join(folder, 'raw/b.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2);
});

it('no new run once the time is over; kept ones are still answered', async () => {
  await new Keeper(folder, 'c', 'f').run({ seed: 1 }, () => 7);
  const keeper = new Keeper(folder, 'c', 'f', { mayGoOn: () => false });
  expect(await keeper.run({ seed: 1 }, () => 8)).toBe(7);
  await expect(keeper.run({ seed: 2 }, () => 9)).rejects.toThrow(BudgetSpent);
});

it('the fingerprint of an experiment is that of its build and its source', () => {
  const build = buildFingerprint();
  expect(build).toMatch(/^[0-9a-f]{16}$/);
  expect(buildFingerprint()).toBe(build);
  expect(experimentFingerprint('order', build)).not.toBe(experimentFingerprint('creep', build));
  expect(experimentFingerprint('order', build)).not.toBe(experimentFingerprint('order', 'another'));
});
