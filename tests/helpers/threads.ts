// Threads of tests: workers that are late or end at random, and worlds whose threads are all there.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createWorld, type World, type WorldOptions } from '../../src/index';
import type { WorkerLike } from '../../src/platform/scope';
import { threadPool } from '../../src/threads/pool';

const text = readFileSync(resolve(import.meta.dirname, '../../src/threads/thread_code.js'), 'utf8');

/** Code of a worker that runs `before` whenever the core is asked for tasks, outside of any, and `failed` where one breaks down. */
function textWith(before: string, failed: string): string {
  const wrap = `
    const Real = WebAssembly.Instance;
    WebAssembly.Instance = function (module, imports) {
      const exports = { ...new Real(module, imports).exports };
      for (const name of ['serve', 'serveCounting']) {
        const call = exports[name];
        exports[name] = (looks) => {
          ${before}
          try {
            return call(looks);
          } catch (error) {
            ${failed};
          }
        };
      }
      return { exports };
    };
  `;
  return wrap + text;
}

/** Starts such workers. */
export function threadsWith(before: string, failed = 'throw error'): () => WorkerLike {
  const code = textWith(before, failed);
  return () => new Worker(code, { eval: true, execArgv: [] });
}

const late = `
  const luck = Math.random();
  const late = luck < 0.01 ? 20 : luck < 0.25 ? 8 * luck : 0;
  for (const start = performance.now(); performance.now() - start < late; );
`;
/** Late by up to 2 ms in one case of four, and by 20 in one of a hundred. */
export const LATE = threadsWith(late);
/** The code of such a worker. */
export const LATE_TEXT = textWith(late, 'throw error');

export const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Until the pool has this many workers. */
export async function workersAre(count: number): Promise<void> {
  for (let i = 0; threadPool().workers.length !== count; i++) {
    if (i > 1000) throw new Error(`there are ${threadPool().workers.length} workers, not ${count}`);
    await sleep(10);
  }
}

/** Steps a world whose choice is `always` until its threads take part. Returns the steps. */
export async function stepUntilShared(world: World, threads: number): Promise<number> {
  for (let steps = 1; ; steps++) {
    world.step();
    if (world.profile.threads === threads) return steps;
    if (steps > 2000) throw new Error('no threads came');
    await sleep(5);
  }
}

/** An empty world at step 0 whose threads are all there, and late. */
export async function sharedWorld(threads: number, settings?: WorldOptions): Promise<World> {
  const made = await createWorld({ ...settings, threads, threadChoice: 'always', threadWorker: LATE });
  const empty = made.snapshot();
  await stepUntilShared(made, threads);
  made.restore(empty);
  return made;
}
