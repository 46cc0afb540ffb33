// The team of threads on one thread: tasks of a job against a plain count, blocks of scratch that do not overlap, threads that are lost.
import { describe, expect, it } from 'vitest';
import { ERROR_LOST_THREAD, HEADER_PTR, Header, NONE, Team } from '../../../src/layout.generated';
import { loadCore } from '../../helpers/core';

function fresh() {
  const { core, memory } = loadCore();
  const view = () => new DataView(memory.buffer);
  return {
    core,
    view,
    field: (name: keyof typeof Team) => view().getUint32((core.testTeam() >>> 0) + Team[name], true),
    header: (name: keyof typeof Header) => view().getUint32(HEADER_PTR + Header[name], true),
    setHeader: (name: keyof typeof Header, value: number) => view().setUint32(HEADER_PTR + Header[name], value, true),
  };
}

describe('jobs', () => {
  it('give every task once, in ascending order, then none', () => {
    const { core, field } = fresh();
    for (const [kind, count] of [
      [3, 5],
      [6, 1],
      [1, 17],
    ] as const) {
      const before = [field('number'), field('bell')];
      core.testOpenJob(kind, count);
      expect([field('kind'), field('count'), field('done')]).toEqual([kind, count, 0]);
      expect([field('number'), field('bell')]).toEqual([before[0]! + 1, before[1]! + 1]);
      const taken: number[] = [];
      for (let left = count; ; left--) {
        expect(core.testTasksLeft() >>> 0).toBe(left);
        const task = core.testTakeTask() >>> 0;
        if (task === NONE) break;
        taken.push(task);
        core.testFinishTask();
        expect(field('done')).toBe(taken.length);
      }
      expect(taken).toEqual(Array.from({ length: count }, (_, i) => i));
      expect(core.testTakeTask() >>> 0).toBe(NONE);
      expect(core.testCloseJob()).toBe(1);
      expect(field('number')).toBe(before[0]! + 1);
    }
  });

  it('of no tasks close at once', () => {
    const { core } = fresh();
    core.testOpenJob(2, 0);
    expect(core.testTakeTask() >>> 0).toBe(NONE);
    expect(core.testCloseJob()).toBe(1);
  });

  it('fail and say so where a thread was lost in the middle of a task', () => {
    const { core, field, header, setHeader } = fresh();
    setHeader('error', 1 << 30);
    core.testOpenJob(4, 3);
    for (let i = 0; i < 3; i++) core.testTakeTask();
    core.testFinishTask();
    core.testFinishTask();
    core.testLoseThread();
    expect(field('lost')).toBe(1);
    expect(header('error')).toBe(((1 << 30) | ERROR_LOST_THREAD) >>> 0);
    setHeader('error', 0);
    expect(core.testCloseJob()).toBe(0);
    expect(header('error')).toBe(ERROR_LOST_THREAD);
    // The last task is done all the same: the job is whole.
    core.testFinishTask();
    expect(core.testCloseJob()).toBe(1);
  });
});

it('a wait for a word ends at the value itself and above it', () => {
  const { core, view } = fresh();
  const at = core.allocate(64) >>> 0;
  view().setUint32(at, 7, true);
  expect(core.testWaitFor(at, 7)).toBe(1);
  expect(core.testWaitFor(at, 3)).toBe(1);
  core.testLoseThread();
  expect(core.testWaitFor(at, 7)).toBe(1);
  expect(core.testWaitFor(at, 8)).toBe(0);
});

it('a word is raised to the larger value and never lowered, as numbers without sign', () => {
  const { core, view } = fresh();
  const at = core.allocate(64) >>> 0;
  let most = 0;
  view().setUint32(at, 0, true);
  view().setUint32(at + 4, 99, true);
  for (const value of [3, 2, 11, 11, 0, 0x80000001, 12, 0x7fffffff, 0xfffffff0]) {
    core.testRaise(at, value);
    most = Math.max(most, value);
    expect(view().getUint32(at, true)).toBe(most);
  }
  expect(view().getUint32(at + 4, true)).toBe(99);
});

describe('blocks of scratch', () => {
  it('are one a thread, apart from each other, behind the team', () => {
    const { core, view, field } = fresh();
    expect(field('capacity')).toBe(1);
    expect(core.testReserveThreads(4)).toBe(1);
    expect(field('capacity')).toBe(4);
    const team = core.testTeam() >>> 0;
    const blocks = [0, 1, 2, 3].map((i) => core.testBlockOf(i) >>> 0);
    expect(blocks[0]).toBeGreaterThanOrEqual(team + Team.STRIDE);
    const size = blocks[1]! - blocks[0]!;
    expect(size).toBeGreaterThanOrEqual(64);
    for (let i = 1; i < 4; i++) expect(blocks[i]! - blocks[i - 1]!).toBe(size);
    // The next allocation is behind or before all of them.
    const next = core.allocate(256) >>> 0;
    expect(next + 256 <= team || next >= blocks[3]! + size).toBe(true);
    for (const thread of [2, 0, 3]) {
      core.joinTeam(thread);
      expect(core.testThisThread()).toBe(thread);
      expect(core.testThreadBlock() >>> 0).toBe(blocks[thread]);
    }
    core.joinTeam(0);
    expect(view().byteLength).toBeGreaterThan(blocks[3]! + size);
  });

  it('are kept where there is room for as many already', () => {
    const { core, field } = fresh();
    core.testReserveThreads(3);
    const at = core.testTeam();
    expect(core.testReserveThreads(2)).toBe(1);
    expect(core.testReserveThreads(3)).toBe(1);
    expect(core.testTeam()).toBe(at);
    expect(field('capacity')).toBe(3);
  });
});

it('a world has one thread until it is given more', () => {
  const { core, header, setHeader } = fresh();
  expect(header('threads')).toBe(1);
  expect(core.testIsAlone()).toBe(1);
  setHeader('threads', 2);
  expect(core.testIsAlone()).toBe(0);
});
