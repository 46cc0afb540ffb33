// The number of threads by measured time, on simulated machines: fast where they help, never far behind one thread where they do not.
import { describe, expect, test } from 'vitest';
import { ThreadChoice } from '../../src/threads/choose';
import { seeded } from '../helpers/random';

/** ms of a step by so many threads; `step` counts from 0. */
type Machine = (threads: number, step: number) => number;

interface Run {
  total: number;
  /** Steps by number of threads. */
  counts: Map<number, number>;
  threads: number[];
}

function run(machine: Machine, steps: number, most: number, { work = 1000, noise = 0.03, seed = 1 } = {}): Run {
  const choice = new ThreadChoice(most);
  const random = seeded(seed);
  const counts = new Map<number, number>();
  const threads: number[] = [];
  let total = 0;
  for (let i = 0; i < steps; i++) {
    const k = choice.next(work);
    // Now and then something else takes 5 ms.
    const ms = machine(k, i) * (1 + noise * random()) + (random() < 0.005 ? 5 : 0);
    choice.took(k, ms);
    total += ms;
    threads.push(k);
    counts.set(k, (counts.get(k) ?? 0) + 1);
  }
  return { total, counts, threads };
}

/** The same machine with the same number of threads in all steps. */
function always(machine: Machine, steps: number, threads: number, seed = 1): number {
  const random = seeded(seed);
  let total = 0;
  for (let i = 0; i < steps; i++) total += machine(threads, i) * (1 + 0.03 * random()) + (random() < 0.005 ? 5 : 0);
  return total;
}

const scaling =
  (one: number, part = 0.9, overhead = 0.05): Machine =>
  (k) =>
    one * (1 - part + part / k) + overhead * (k - 1);

describe.each([2, 4, 8])('%i threads', (most) => {
  test('that help are used', () => {
    for (const one of [1, 4, 40]) {
      const machine = scaling(one);
      const made = run(machine, 3000, most);
      const best = Math.min(...Array.from({ length: most }, (_, i) => always(machine, 3000, i + 1)));
      expect(made.total, `${one} ms`).toBeLessThan(1.1 * best);
      expect(made.threads.slice(0, 30).some((k) => k > 1)).toBe(true);
    }
  });

  test('that get in each other’s way cost a tenth at most, whatever they take', () => {
    for (const factor of [1.02, 1.2, 2, 20, 180]) {
      const machine: Machine = (k) => (k === 1 ? 4 : 4 * factor);
      const made = run(machine, 5000, most);
      expect(made.total / always(machine, 5000, 1), `times ${factor}`).toBeLessThan(1.1);
    }
  });

  test('other work that comes and goes: in the end no slower than one thread by a tenth', () => {
    for (const period of [7, 50, 300, 2000]) {
      // Half of the time threads are 20 times as slow.
      const machine: Machine = (k, i) => (k === 1 ? 4 : Math.floor(i / period) % 2 === 0 ? 0.3 * 4 : 20 * 4);
      const made = run(machine, 12_000, most);
      expect(made.total / always(machine, 12_000, 1), `every ${period}`).toBeLessThan(1.1);
    }
  });

  test('a machine that becomes busy: two slow steps and a look at one thread, and it is one', () => {
    const machine: Machine = (k, i) => (k === 1 ? 10 : i < 1000 ? 10 / k + 0.2 : 60);
    const { threads } = run(machine, 1010, most);
    expect(threads.slice(970, 1000).filter((k) => k > 1).length).toBeGreaterThan(20);
    expect(threads.slice(1000).filter((k) => k > 1).length).toBeLessThanOrEqual(4);
    expect(threads.at(-1)).toBe(1);
  });

  test('a machine that is free again is found out', () => {
    const machine: Machine = (k, i) => (k === 1 ? 5 : i < 2000 ? 30 : 5 / k + 0.2);
    const { threads } = run(machine, 6000, most);
    expect(threads.slice(5000).filter((k) => k > 1).length).toBeGreaterThan(900);
  });

  test('small worlds wake nobody', () => {
    expect([...run(scaling(0.2), 2000, most).counts.keys()]).toEqual([1]);
    expect([...run(scaling(8), 2000, most, { work: 60 }).counts.keys()]).toEqual([1]);
  });
});

test('big and little cores: as many threads as there are big ones', () => {
  // From five on all wait for a core that is six times as slow.
  const machine: Machine = (k) => 12 * (k <= 4 ? 0.1 + 0.9 / k : 0.8) + 0.05 * k;
  const made = run(machine, 4000, 8);
  expect(made.total).toBeLessThan(1.12 * always(machine, 4000, 4));
  expect(made.counts.get(4)! + (made.counts.get(3) ?? 0)).toBeGreaterThan(3200);
});

test('a scene that grows and comes to rest', () => {
  const choice = new ThreadChoice(8);
  const used: number[] = [];
  for (let i = 0; i < 6000; i++) {
    const bodies = i < 1000 ? 50 : i < 4000 ? 5000 : 300;
    const k = choice.next(bodies);
    const one = bodies / 500;
    choice.took(k, one * (0.1 + 0.9 / k) + 0.1 * (k - 1));
    used.push(k);
  }
  expect(Math.max(...used.slice(0, 1000))).toBe(1);
  expect(used.slice(1200, 4000).filter((k) => k === 8).length).toBeGreaterThan(2600);
  expect(used.slice(4300).filter((k) => k > 4).length).toBeLessThan(60);
});

test('threads that are not there yet are waited for, and cost nothing', () => {
  const choice = new ThreadChoice(4);
  const wanted: number[] = [];
  for (let i = 0; i < 400; i++) {
    const k = choice.next(1000);
    const there = i > 200 ? k : 1;
    choice.took(there, 8 / there);
    wanted.push(k);
  }
  expect(wanted.slice(10, 200).filter((k) => k === 4).length).toBeGreaterThan(150);
  expect(choice.threads).toBe(4);
});

test('fewer threads by the setting at once, and one for a world of one', () => {
  const choice = new ThreadChoice(8);
  for (let i = 0; i < 200; i++) {
    const k = choice.next(1000);
    choice.took(k, 8 / k);
  }
  expect(choice.threads).toBe(8);
  choice.most = 2;
  for (let i = 0; i < 50; i++) {
    const k = choice.next(1000);
    expect(k).toBeLessThanOrEqual(2);
    choice.took(k, 8 / k);
  }
  choice.most = 1;
  for (let i = 0; i < 50; i++) expect(choice.next(1000)).toBe(1);
});
