// The laboratory's command line: the list of experiments, what it refuses, that it goes on where it stopped, and that a quick run decides
// nothing that depends on chance.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { everyNth } from '../helpers/long';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function temporary() {
  const folder = mkdtempSync(join(tmpdir(), 'talus-lab-'));
  folders.push(folder);
  return folder;
}

function lab(...args: string[]) {
  return spawnSync(process.execPath, [resolve(import.meta.dirname, '../../lab/main.mjs'), ...args], { encoding: 'utf8' });
}

it('lists the experiments', () => {
  const { status, stdout } = lab('--help');
  expect(status).toBe(0);
  for (const name of [
    'tonge-convergence',
    'tonge-table1',
    'tsuda-rest',
    'tsuda-batches',
    'datta-tangent',
    'creep',
    '--quick',
    '--budget',
  ])
    expect(stdout).toContain(name);
});

it('refuses an experiment, a chapter and numbers it does not have', () => {
  const refused: [string[], string][] = [
    [['moon'], "unknown experiment 'moon'"],
    [['--chapters', 'tonge2012,moon'], "unknown chapter 'moon'"],
    [['--seeds', '0'], '--seeds needs a positive number'],
    [['--seeds', '1.5'], '--seeds needs a whole number'],
    [['--budget', 'long'], '--budget needs a positive number'],
  ];
  for (const [args, words] of everyNth(refused, 3)) {
    const { status, stderr } = lab(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(words);
  }
});

describe('quick runs', () => {
  const folder = temporary();
  const names = ['tonge-averaged', 'tonge-colors', 'tsuda-batches', 'datta-norm', 'tonge-talk'];
  interface Result {
    mode: string;
    section: { claims: { claim: string; verdict: string; chance: boolean; n: number; why: string; interval: unknown }[] };
  }
  const resultOf = (name: string): Result => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const linesOf = (name: string) =>
    readFileSync(join(folder, 'raw', `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n');

  it('every row has a verdict, and none that depends on chance is decided', () => {
    const { status, stdout, stderr } = lab('--quick', '--out', folder, ...names);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('index.html');
    for (const name of names) {
      const { mode, section } = resultOf(name);
      expect(mode).toBe('quick');
      expect(section.claims.length).toBeGreaterThan(0);
      for (const row of section.claims) {
        expect(['agrees', 'contradicts', 'undecided', 'measured'], row.claim).toContain(row.verdict);
        if (!row.chance) continue;
        expect(['undecided', 'measured'], row.claim).toContain(row.verdict);
        if (row.verdict === 'undecided') expect(row.why).toMatch(/^only \d+ of at least 12 seeds$/);
      }
    }
    const front = readFileSync(join(folder, 'index.html'), 'utf8');
    for (const word of [
      'paper',
      'ours',
      '95 % interval',
      'verdict',
      '? undecided',
      '✓ agrees',
      '✗ contradicts',
      'prefers-color-scheme:dark',
    ])
      expect(front).toContain(word);
    expect(front).toContain('sections are quick runs');
  });

  it('what the papers state of these is what comes out', () => {
    const verdict = (name: string, words: string) =>
      resultOf(name).section.claims.find((row) => row.claim.includes(words))!.verdict;
    expect(verdict('tonge-averaged', 'divided by the bodies')).toBe('agrees');
    expect(verdict('tsuda-batches', 'rows by color add up')).toBe('contradicts');
    for (const row of resultOf('tonge-talk').section.claims) expect(row.verdict, row.claim).toBe('agrees');
  });

  it('goes on where it stopped, and begins again if the experiment is another', () => {
    const first = linesOf('datta-norm');
    expect(first.length).toBe(3);
    expect(lab('--quick', '--out', folder, 'datta-norm').stdout).toContain('done before with this build');
    // A third seed; the last line was cut off when the process ended.
    writeFileSync(join(folder, 'raw/datta-norm.jsonl'), `${first.slice(0, 2).join('\n')}\n${first[2]!.slice(0, 100)}`);
    expect(lab('--quick', '--seeds', '3', '--out', folder, 'datta-norm').status).toBe(0);
    const second = linesOf('datta-norm').filter((line) => line.endsWith('}'));
    expect(second.slice(0, 2)).toEqual(first.slice(0, 2));
    expect(second.length).toBe(4);
    const key = (line: string) => JSON.parse(JSON.parse(line).key).seed;
    expect(second.slice(1).map(key)).toEqual([1, 2, 3]);
    // Another fingerprint.
    writeFileSync(join(folder, 'raw/datta-norm.jsonl'), `{"experiment":"datta-norm","fingerprint":"other"}\n${first[1]}\n`);
    expect(lab('--quick', '--seeds', '2', '--out', folder, 'datta-norm').status).toBe(0);
    expect(linesOf('datta-norm')[0]).toBe(first[0]);
    expect(linesOf('datta-norm').length).toBe(3);
  });

  it('stops when its time is over, with what was done kept', () => {
    const other = temporary();
    const { status, stdout } = lab('--quick', '--out', other, '--budget', '0.0000001', 'datta-norm', 'tonge-talk');
    expect(status).toBe(0);
    expect(stdout).toContain('The same command goes on where this one stopped');
    expect(readdirSync(other)).toEqual(['raw']);
  });
});
