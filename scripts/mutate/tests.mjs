// Runs test files against a mutant, one at a time, in a process of its own with a warm Vitest (test_process.mjs).
// Input: test files in order. Output: the first that fails, or that passes its limit. A hung process is ended with its workers, and the
// next run starts a new one.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds that a test file may take: so many at least, and so many times those it takes without a fault. */
const LIMIT = { least: 25_000, times: 8 };

/** Seconds of processor time of a process and of its children that have ended, on Linux; 0 elsewhere. */
export function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

/** Test runs on the tree at `tree` with the binaries in `cores` (test_process.mjs). */
export class TestRuns {
  #tree;
  #cores;
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /** Seconds of processor time of processes that were ended. */
  #ended = 0;
  /** Milliseconds that files take without a fault. */
  #usual = new Map();
  /** Sources that changed since the last run. @type {string[]} */
  #changed = [];

  constructor(tree, cores) {
    this.#tree = tree;
    this.#cores = cores;
    process.on('exit', () => this.end());
  }

  /** Seconds of processor time so far. */
  get seconds() {
    return this.#ended + (this.#child?.pid ? processorSeconds(this.#child.pid) : 0);
  }

  /** Ends the process with its workers. */
  end() {
    const child = this.#child;
    this.#child = null;
    if (!child?.pid || child.exitCode !== null) return;
    this.#ended += processorSeconds(child.pid);
    try {
      // Its group: workers that hang do not read messages.
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  }

  /** Resolves with the next message; null after `limit` ms or where the process ends. */
  #answer(child, limit) {
    return new Promise((done) => {
      const finish = (answer) => {
        clearTimeout(timer);
        child.off('message', finish).off('exit', onExit);
        done(answer);
      };
      const onExit = () => finish(null);
      const timer = setTimeout(() => finish(null), limit);
      child.on('message', finish).on('exit', onExit);
    });
  }

  async #start() {
    const script = join(import.meta.dirname, 'test_process.mjs');
    const child = spawn(process.execPath, [script, this.#tree, this.#cores], {
      cwd: this.#tree,
      detached: true,
      stdio: ['ignore', 'ignore', process.env.TALUS_MUTATE_DEBUG ? 'inherit' : 'ignore', 'ipc'],
    });
    this.#child = child;
    if ((await this.#answer(child, 120_000)) === null) throw new Error('the process of the tests does not start');
    return child;
  }

  /** Notes that a source of the tree has changed: the next run reads it again. */
  change(file) {
    this.#changed.push(file);
  }

  /** Whether a file has passed without a fault, so that its limit is known. */
  knows(file) {
    return this.#usual.has(file);
  }

  /**
   * Runs one file. Resolves with name and message of its first failed test, `test` 'timeout' past the limit; null where all pass. The first run of a file
   * is without a fault: it sets the limit.
   */
  async run(file) {
    const child = this.#child ?? (await this.#start());
    const usual = this.#usual.get(file);
    const answer = this.#answer(child, usual === undefined ? 300_000 : Math.max(LIMIT.least, LIMIT.times * usual));
    const start = performance.now();
    child.send({ file, changed: this.#changed.splice(0) });
    const message = await answer;
    if (message === null) {
      this.end();
      return { test: 'timeout', message: '' };
    }
    if (usual === undefined && message.failure === null) this.#usual.set(file, performance.now() - start);
    return message.failure;
  }
}
