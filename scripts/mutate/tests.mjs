// Runs test files against a mutant, one at a time, in a process of its own with a warm Vitest (test_process.mjs).
// Input: test files in order. Output: the first that fails, or that passes its limit. A hung process is ended with its workers, and the
// next run starts a new one.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Seconds of processor time that a test file may take with a fault: so many at least, and so many times those without one. Time on the
 * clock would call mutants killed on a busy machine. `wall`: milliseconds on the clock after which a run ends in any case.
 */
const LIMIT = { least: 20, times: 5, wall: 1_800_000 };
/** Milliseconds between two looks at the processor time. */
const LOOK = 1000;

/** Fields of a process after its name, by /proc of Linux: state, parent, group, and so on; null where it has ended. */
function fieldsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}

/** Seconds of processor time of a process group: of its processes, and of the leader's children that have ended. Not on Linux: 0. */
function secondsOfGroup(leader) {
  if (!existsSync('/proc')) return 0;
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? fieldsOf(name) : null;
    if (fields?.[2] !== `${leader}`) continue;
    for (const at of name === `${leader}` ? [11, 12, 13, 14] : [11, 12]) ticks += Number(fields[at]);
  }
  return ticks / 100;
}

/** Test runs on the tree at `tree` with the binaries in `cores` (test_process.mjs). */
export class TestRuns {
  #tree;
  #cores;
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /** Seconds of processor time of processes that were ended. */
  #ended = 0;
  /** Seconds of processor time that files take without a fault. */
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
    return this.#ended + (this.#child?.pid ? secondsOfGroup(this.#child.pid) : 0);
  }

  /** Ends the process with its workers. */
  end() {
    const child = this.#child;
    this.#child = null;
    if (!child?.pid || child.exitCode !== null) return;
    this.#ended += secondsOfGroup(child.pid);
    try {
      // Its group: workers that hang do not read messages.
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  }

  /** Resolves with the next message; null after `limit` seconds of processor time, or where the process ends. */
  #answer(child, limit) {
    return new Promise((done) => {
      const [start, before] = [performance.now(), secondsOfGroup(child.pid)];
      const finish = (answer) => {
        clearInterval(timer);
        child.off('message', finish).off('exit', onExit);
        done(answer);
      };
      const onExit = () => finish(null);
      const timer = setInterval(() => {
        if (secondsOfGroup(child.pid) - before > limit || performance.now() - start > LIMIT.wall) finish(null);
      }, LOOK);
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
    if ((await this.#answer(child, Infinity)) === null) throw new Error('the process of the tests does not start');
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

  /** Seconds of processor time that a file takes without a fault; 0 where it has not run. */
  usual(file) {
    return this.#usual.get(file) ?? 0;
  }

  /**
   * Runs one file. Resolves with name and message of its first failed test, `test` 'timeout' past the limit; null where all pass. The
   * first run of a file is without a fault: it sets the limit.
   */
  async run(file) {
    const child = this.#child ?? (await this.#start());
    const usual = this.#usual.get(file);
    const answer = this.#answer(child, usual === undefined ? Infinity : Math.max(LIMIT.least, LIMIT.times * usual));
    const before = this.seconds;
    child.send({ file, changed: this.#changed.splice(0) });
    const message = await answer;
    if (message === null) {
      this.end();
      return { test: 'timeout', message: '' };
    }
    if (usual === undefined && message.failure === null) this.#usual.set(file, this.seconds - before);
    return message.failure;
  }
}
