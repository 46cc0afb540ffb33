// Jobs and tasks on real threads (assembly/testing/jobs.ts): every task once, whoever comes late, ends or breaks down.
import { readFileSync } from 'node:fs';
import { afterEach, expect, inject, test } from 'vitest';
import { ERROR_LOST_THREAD, Header } from '../../src/layout.generated';
import { compileShared, makeSharedMemory } from '../../src/platform/shared_core';
import { threadPool } from '../../src/threads/pool';
import { ThreadTeam } from '../../src/threads/team';
import type { ThreadWorker } from '../../src/threads/types';
import type { CoreExports } from '../../src/wasm/core';
import { LinearMemory } from '../../src/wasm/memory';
import { seeded } from '../helpers/random';
import { LATE, sleep, threadsWith, workersAre } from '../helpers/threads';

const NONE = -1;
const TASKS = 300;

type TestCore = CoreExports & {
  runCounting(counts: number, doers: number, tasks: number, pauses: number, broken: number): number;
};

let module: WebAssembly.Module | undefined;
const teams: ThreadTeam[] = [];
afterEach(() => {
  for (const team of teams.splice(0)) team.dispose();
});

class Job {
  readonly memory: LinearMemory;
  readonly core: TestCore;
  readonly team: ThreadTeam;
  readonly counts: number;
  readonly doers: number;
  /** Tasks by thread. */
  readonly done: number[];

  constructor(shared: WebAssembly.Module, threads: number, own?: ThreadWorker) {
    const instantiate = (memory: WebAssembly.Memory) =>
      new WebAssembly.Instance(shared, { env: { memory }, team: { nap: () => undefined }, own: { solve: () => undefined } })
        .exports as unknown as CoreExports;
    this.memory = new LinearMemory(instantiate, makeSharedMemory());
    this.core = this.memory.tenant.exports as TestCore;
    this.core.initWorld();
    this.counts = this.core.allocate(4 * 65536) >>> 0;
    this.doers = this.core.allocate(4 * 65536) >>> 0;
    this.team = new ThreadTeam(this.memory, this.core, shared, threads, true, own, 'serveCounting');
    this.done = new Array(threads).fill(0);
    teams.push(this.team);
  }

  /** A step of some jobs; each task of each must have been done once. */
  step(jobs: number, tasks: number, pauses: number, broken = NONE): void {
    this.team.open(true);
    let error = 0;
    const { u32 } = this.memory;
    u32.fill(0, this.counts / 4, this.counts / 4 + tasks);
    for (let i = 0; i < jobs && error === 0; i++) error = this.core.runCounting(this.counts, this.doers, tasks, pauses, broken);
    this.team.close(true, error);
    for (let i = 0; i < tasks; i++) {
      if (u32[this.counts / 4 + i] !== jobs) throw new Error(`task ${i} was done ${u32[this.counts / 4 + i]} times, not ${jobs}`);
      this.done[u32[this.doers / 4 + i]!]!++;
    }
  }

  async ready(): Promise<void> {
    for (let i = 0; i < 2000; i++) {
      this.step(1, 1, 0);
      if (this.team.used > 1) return;
      await sleep(5);
    }
    throw new Error('no threads came');
  }
}

async function job(threads: number, own?: ThreadWorker): Promise<Job> {
  module ??= await compileShared(new Uint8Array(readFileSync(inject('testWasm'))));
  return new Job(module, threads, own);
}

test('with one thread there are no jobs; with several each does tasks, and each task is done once', async () => {
  const alone = await job(1);
  alone.step(3, TASKS, 0);
  expect(alone.done).toEqual([TASKS]);
  expect(threadPool().workers.length).toBe(0);
  const four = await job(4);
  await four.ready();
  for (let i = 0; i < 40; i++) four.step(1, TASKS, 200);
  expect(Math.min(...four.done)).toBeGreaterThan(0);
  expect(threadPool().workers.length).toBe(3);
});

test('many short jobs, and pauses between jobs and steps in which threads fall asleep', async () => {
  const one = await job(4);
  await one.ready();
  const random = seeded(1);
  for (let i = 0; i < 120; i++) {
    one.step(1 + Math.floor(40 * random()), 1 + Math.floor(60 * random()), Math.floor(4 * random()));
    if (random() < 0.2) for (const start = performance.now(); performance.now() - start < 6 * random(); );
    if (random() < 0.1) await sleep(3);
  }
  // Within a step: as long as naps are.
  for (let i = 0; i < 5; i++) {
    one.team.open(true);
    for (let k = 0; k < 3; k++) {
      for (const start = performance.now(); performance.now() - start < 4 + 30 * random(); );
      expect(one.core.runCounting(one.counts, one.doers, 64, 30, NONE)).toBe(0);
    }
    one.team.close(true, 0);
  }
});

test('threads that are late', async () => {
  const one = await job(7, LATE);
  await one.ready();
  for (let i = 0; i < 60; i++) one.step(5, TASKS, i % 20);
  expect(one.done.slice(1).reduce((sum, tasks) => sum + tasks, 0)).toBeGreaterThan(100);
});

test('several worlds share the threads, in any order, with numbers of their own', async () => {
  const jobs = await Promise.all([2, 5, 3].map((threads) => job(threads)));
  for (const one of jobs) await one.ready();
  expect(threadPool().workers.length).toBe(4);
  const random = seeded(5);
  for (let i = 0; i < 200; i++) jobs[Math.floor(3 * random())]!.step(3, 50, 5);
  // Nobody beyond the number of a world has worked for it.
  for (const one of jobs) expect(one.done.length).toBe(one.team.most);
});

test('threads that end between jobs: steps go on without them, and others come in their place', async () => {
  const one = await job(4, threadsWith('if ((globalThis.calls = (globalThis.calls ?? 0) + 1) === 20) process.exit(0);'));
  await one.ready();
  let shared = 0;
  // Longer where other programs have the cores, and threads come to few tasks.
  for (let i = 0; i < 600 || (threadPool().trouble === '' && i < 6000); i++) {
    one.step(2, 60, 5);
    if (one.team.used > 1) shared++;
    if (i % 5 === 0) await sleep(2);
  }
  expect(shared).toBeGreaterThan(5);
  expect(threadPool().trouble).toMatch(/it ended with code 0/);
});

test('threads that are terminated from outside, also without a turn of the event loop', async () => {
  const one = await job(3);
  await one.ready();
  for (let i = 0; i < 5; i++) {
    for (const worker of threadPool().workers) worker.terminate();
    for (let k = 0; k < 20; k++) one.step(1, 40, 5);
    await workersAre(0);
    one.step(1, 40, 5);
    await sleep(20);
  }
});

test.each([
  ['breaks down', undefined],
  // Nobody hears of it: those who wait give up after some seconds.
  ['ends', threadsWith('', 'process.exit(1)')],
])(
  'a thread that %s in a task: the step ends with an error, memory is left for other',
  async (_, own) => {
    const one = await job(3, own);
    await one.ready();
    const { memory } = one.memory;
    let code = '';
    for (let i = 0; i < 200 && code === ''; i++) {
      try {
        one.step(1, TASKS, 300, 7 + i);
      } catch (error) {
        code = (error as { code: string }).code;
      }
    }
    expect(code).toBe('worker');
    expect(one.memory.headerU32(Header.error)).toBe(ERROR_LOST_THREAD);
    expect(() => one.team.check()).toThrow(/restore a snapshot/);
    expect(() => one.team.rest()).toThrow(/restore a snapshot/);
    expect(one.team.clear()).toBe(true);
    one.team.settle();
    expect(one.memory.memory).not.toBe(memory);
    one.team.check();
  },
  120_000,
);

test('threads that never begin: one thread does it all', async () => {
  const one = await job(3, () => {
    throw new Error('not here');
  });
  for (let i = 0; i < 5; i++) one.step(1, 20, 0);
  expect(one.team.used).toBe(1);
  expect(one.team.threads).toBe(1);
  expect(one.team.reason).toMatch(/not here/);
  // Others that can be started are.
  const two = await job(3);
  await two.ready();
});

test('workers end with the last world that they know', async () => {
  const a = await job(3);
  const b = await job(2);
  await a.ready();
  await b.ready();
  a.team.dispose();
  expect(threadPool().workers.length).toBe(0);
  await b.ready();
  expect(threadPool().workers.length).toBe(1);
  b.step(5, 60, 3);
  b.team.dispose();
  expect(threadPool().workers.length).toBe(0);
});
