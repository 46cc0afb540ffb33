// Raw results that outlive the process: `raw/<experiment>.jsonl` in the folder of results, one line a run of one seed, written as soon as
// it is done. The first line is a fingerprint of all that decides what comes out: the built engine, the sources of the experiment and of
// what it measures with, and the scenes. If it differs, the file is begun again.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const root = resolve(import.meta.dirname, '../..');

/** These only tell what was measured. */
const TELLERS = ['claims.mjs', 'report.mjs', 'plot.mjs', 'keep.mjs'];

/** Thrown before a new run once the time of `--budget` is over. */
export class BudgetSpent extends Error {
  name = 'BudgetSpent';
}

const filesOf = (folder, wanted) =>
  readdirSync(join(root, folder))
    .filter(wanted)
    .sort()
    .map((name) => join(root, folder, name));

/** Fingerprint of the engine as built, and of the scenes and measures; the same for all experiments. */
export function buildFingerprint() {
  const hash = createHash('sha256');
  const files = [
    join(root, 'dist/study.js'),
    ...filesOf('lab/lib', (name) => name.endsWith('.mjs') && !TELLERS.includes(name)),
    ...filesOf('lab/methods', (name) => name.endsWith('.mjs')),
    ...filesOf('scenes', (name) => name.endsWith('.ts')),
    ...['mass', 'state', 'joints', 'scenes', 'vec'].map((name) => join(root, `bench/lib/${name}.mjs`)),
    join(root, 'bench/engines/talus.mjs'),
  ];
  for (const path of files) if (existsSync(path)) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/** Fingerprint of one experiment: of the build and of the source file that has its name. */
export function experimentFingerprint(name, build) {
  const [source] = filesOf('lab/experiments', (file) => file.endsWith('.mjs')).filter((path) =>
    readFileSync(path, 'utf8').includes(`name: '${name}'`),
  );
  const hash = createHash('sha256').update(build);
  if (source) hash.update(readFileSync(source));
  return hash.digest('hex').slice(0, 16);
}

const SPECIAL = { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, '-Infinity': Number.NEGATIVE_INFINITY };
/** Numbers with seven digits; JSON knows no NaN and no infinity. */
const write = (_key, v) =>
  typeof v !== 'number' ? v : Number.isFinite(v) ? (Number.isInteger(v) ? v : Number(v.toPrecision(7))) : `#${v}`;
const read = (_key, v) => (typeof v === 'string' && v[0] === '#' && v.slice(1) in SPECIAL ? SPECIAL[v.slice(1)] : v);

/** The raw results of one experiment in a folder. */
export class Keeper {
  /**
   * @param {string} folder
   * @param {string} name Of the experiment.
   * @param {string} fingerprint
   * @param {{ fresh?: boolean, mayGoOn?: () => boolean }} [options] `fresh` forgets earlier results; `mayGoOn` is asked before each run.
   */
  constructor(folder, name, fingerprint, { fresh = false, mayGoOn = () => true } = {}) {
    this.path = join(folder, 'raw', `${name}.jsonl`);
    this.mayGoOn = mayGoOn;
    this.results = new Map();
    /** Runs taken from the file and made now, and the processor seconds of both. */
    this.found = 0;
    this.made = 0;
    this.secondsFound = 0;
    this.secondsMade = 0;
    const lines = !fresh && existsSync(this.path) ? readFileSync(this.path, 'utf8').split('\n').filter(Boolean) : [];
    const head = { experiment: name, fingerprint };
    if (lines[0] !== JSON.stringify(head)) {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(this.path, `${JSON.stringify(head)}\n`);
      return;
    }
    for (const line of lines.slice(1)) {
      // A line that was cut off when the process ended counts for nothing.
      try {
        const { key, seconds, value } = JSON.parse(line, read);
        this.results.set(key, { seconds, value });
      } catch {
        appendFileSync(this.path, '\n');
      }
    }
  }

  /**
   * The result of a run: from the file if it is there, otherwise computed and written.
   * @template T
   * @param {object} key All that tells this run from others of the experiment: scene, size, method, settings, steps, seed.
   * @param {() => Promise<T> | T} compute Answers plain data.
   * @returns {Promise<T>}
   */
  async run(key, compute) {
    const text = JSON.stringify(key);
    const kept = this.results.get(text);
    if (kept) {
      this.found++;
      this.secondsFound += kept.seconds;
      return kept.value;
    }
    if (!this.mayGoOn()) throw new BudgetSpent('the time is over');
    const begun = process.cpuUsage();
    const wall = performance.now();
    const value = JSON.parse(JSON.stringify((await compute()) ?? null, write), read);
    const { user, system } = process.cpuUsage(begun);
    const seconds = Math.round((user + system) / 1e4) / 100;
    this.made++;
    this.secondsMade += seconds;
    const line = { key: text, seconds, wall: Math.round((performance.now() - wall) / 10) / 100, value };
    appendFileSync(this.path, `${JSON.stringify(line, write)}\n`);
    this.results.set(text, { seconds, value });
    return value;
  }
}
