// Any positive shares of a body's mass are sound: sub-bodies of mass w_a M, w_a > 0 and sum w_a = 1, on random contact graphs with
// random sub-bodies (also several of a body in one cell), in double precision. The steps of the proof in docs/mass_splitting.md ("Why it
// converges"): 1 the joints, 2 the solutions, 3 the majorant and descent of a pass, 4 when shares may change.
import { describe, expect, it } from 'vitest';
import { everyNth } from '../helpers/long';
import { seeded } from '../helpers/random';
import { average, interleaved, type Shares, type Split, splitMatrix, splitParts, spread, weld } from './splitting';
import {
  add,
  apply,
  combine,
  dot,
  eigenvalues,
  largest,
  norm,
  objective,
  randomSystem,
  residual,
  type System,
  solve,
  solveLcp,
  transpose,
  type Vector,
} from './system';

/** Shares in proportion to what `draw` gives. */
function proportional(draw: () => number): Shares {
  return (_, count) => {
    const raw = Array.from({ length: count }, draw);
    const sum = raw.reduce((total, value) => total + value, 0);
    return raw.map((value) => value / sum);
  };
}

/** Shares by kind; `tiny` ones are down to a thousandth of the others. */
const KINDS: [string, (next: () => number) => Shares][] = [
  ['even', () => proportional(() => 1)],
  ['random', (next) => proportional(() => 0.1 + next())],
  ['tiny', (next) => proportional(() => 1000 ** -next())],
];

/** A random graph, each contact on one of up to `parts` sub-bodies of each of its bodies. */
function problem(seed: number, parts: number) {
  const system = randomSystem(seed, 3 + (seed % 4), 6 + (seed % 5), 1 + (seed % 3), 10);
  const next = seeded(seed + 100);
  const choice = new Map<string, number>();
  const partOf = (contact: number, body: number) => {
    const key = `${contact},${body}`;
    if (!choice.has(key)) choice.set(key, Math.floor(parts * next()));
    return choice.get(key)!;
  };
  return { system, next, partOf };
}

const inverse = (m: number[][]) =>
  solve(
    m,
    m.map((_, i) => m.map((__, k) => (i === k ? 1 : 0))),
  );

/** Momentum of each body, summed over its sub-bodies: sum w_a M v_a. */
function momenta(system: System, split: Split, v: Vector): Vector[] {
  return split.ofBody.map((list, body) => {
    const sum = list.reduce<Vector>(
      (total, sub) => add(total, v.slice(6 * sub, 6 * sub + 6), split.subs[sub]!.weight),
      new Array(6).fill(0),
    );
    return apply(inverse(system.inverseMasses[body]!), sum);
  });
}

/** v = v0 + M^-1 J'z. */
function velocityOf(system: System, z: Vector): Vector {
  const force = apply(transpose(system.J), z);
  const change = system.inverseMasses.flatMap((m, body) => apply(m, force.slice(6 * body, 6 * body + 6)));
  return add(system.v0, change);
}

/**
 * `sweeps` sweeps on the sub-bodies, then the joints, from velocities of whole bodies. Changes z; answers the velocities and
 * sum Ns_ii step^2 / 2, by which the objective must have fallen at least.
 */
function pass(split: Split, z: Vector, whole: Vector, sweeps: number): { whole: Vector; gain: number; parts: Vector } {
  let u = spread(split, whole);
  let gain = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const old = [...z];
    u = interleaved(split, z, u, (_, v) => v);
    gain += z.reduce((sum, value, i) => sum + 0.5 * split.diagonal[i]! * (value - old[i]!) ** 2, 0);
  }
  const merged = average(split, u);
  const out = [...whole];
  split.ofBody.forEach((list, body) => {
    if (list.length > 0) for (let k = 0; k < 6; k++) out[6 * body + k] = merged[6 * list[0]! + k]!;
  });
  return { whole: out, gain, parts: u };
}

const seeds = Array.from({ length: 8 }, (_, i) => i + 1);

describe.each(KINDS)('%s shares', (_, make) => {
  it.each(seeds)('1. the mean with the shares solves the joints and keeps the momentum (graph %i)', (seed) => {
    const { system, next, partOf } = problem(seed, 3);
    const split = splitParts(system, partOf, make(next));
    const v = split.subs.flatMap(() => Array.from({ length: 6 }, () => 2 * next() - 1));
    const merged = average(split, v);
    expect(norm(add(merged, weld(split, v), -1))).toBeLessThan(1e-8 * norm(v));
    const before = momenta(system, split, v);
    momenta(system, split, merged).forEach((p, body) => {
      expect(norm(add(p, before[body]!, -1))).toBeLessThan(1e-11 * (1 + norm(before[body]!)));
    });
  });

  it.each(seeds)('1. in a pass every body gains the momentum of its contacts, whatever the shares (graph %i)', (seed) => {
    const { system, next, partOf } = problem(seed, 3);
    const split = splitParts(system, partOf, make(next));
    const z: Vector = new Array(system.q.length).fill(0);
    let whole = system.v0;
    for (let i = 0; i < 5; i++) {
      const old = [...z];
      const now = pass(split, z, whole, 3).whole;
      system.inverseMasses.forEach((m, body) => {
        const gained = apply(inverse(m), add(now, whole, -1).slice(6 * body, 6 * body + 6));
        const given = apply(transpose(system.J), add(z, old, -1)).slice(6 * body, 6 * body + 6);
        expect(norm(add(gained, given, -1))).toBeLessThan(1e-10 * (1 + norm(given)));
      });
      whole = now;
    }
  });

  it.each(seeds)('2. a solution of the unsplit problem stays where it is (graph %i)', (seed) => {
    const { system, next, partOf } = problem(seed, 3);
    const solution = solveLcp(system.N, system.q);
    const split = splitParts(system, partOf, make(next));
    const z = [...solution];
    const start = velocityOf(system, z);
    const { whole } = pass(split, z, start, 4);
    expect(norm(add(z, solution, -1))).toBeLessThan(1e-6 * (1 + norm(solution)));
    expect(norm(add(whole, start, -1))).toBeLessThan(1e-6);
  });

  it.each(seeds)('2. what a sweep leaves alone solves the unsplit problem: its steps are the residual (graph %i)', (seed) => {
    const { system, next, partOf } = problem(seed, 3);
    const split = splitParts(system, partOf, make(next));
    for (let trial = 0; trial < 10; trial++) {
      const z = system.q.map(() => Math.max(0, 2 * next() - 1));
      const u = add(apply(system.N, z), system.q);
      const v = spread(split, velocityOf(system, z));
      z.forEach((value, i) => {
        // The step of row i from velocities of whole bodies: no share is in its condition, only in its length.
        const step = Math.max(0, value - dot(split.C[i]!, v) / split.diagonal[i]!) - value;
        expect(step).toBeCloseTo(-Math.min(value, u[i]! / split.diagonal[i]!), 9);
      });
    }
  });

  it.each(seeds)('3. N <= Ns (graph %i)', (seed) => {
    for (const parts of [2, 3, 6]) {
      const { system, next, partOf } = problem(seed, parts);
      const difference = combine(splitMatrix(splitParts(system, partOf, make(next))), system.N, -1);
      expect(eigenvalues(difference)[0]).toBeGreaterThan(-1e-11 * (largest(system.N) + largest(difference)));
    }
  });

  it.each([1, 2, 4])('3. a pass of %i sweeps lowers the objective by at least sum Ns_ii step^2 / 2', (sweeps) => {
    for (const seed of seeds) {
      const { system, next, partOf } = problem(seed, 3);
      const split = splitParts(system, partOf, make(next));
      const z: Vector = new Array(system.q.length).fill(0);
      let whole = system.v0;
      let before = 0;
      for (let i = 0; i < 60; i++) {
        const { whole: now, gain } = pass(split, z, whole, sweeps);
        whole = now;
        const f = objective(system.N, system.q, z);
        expect(f).toBeLessThanOrEqual(before - gain + 1e-11 * (1 + Math.abs(before)));
        before = f;
      }
      // Velocities are those that the impulses give to whole bodies.
      expect(norm(add(whole, velocityOf(system, z), -1))).toBeLessThan(1e-10 * (1 + norm(whole)));
    }
  });
});

describe('4. shares that change after every mean', () => {
  it.each(everyNth(seeds, 5))('lead to the solution of the unsplit problem (graph %i)', (seed) => {
    const { system, next, partOf } = problem(seed, 3);
    const { N, q } = system;
    const z: Vector = new Array(q.length).fill(0);
    let whole = system.v0;
    let before = 0;
    for (let i = 0; i < 3000; i++) {
      const split = splitParts(system, partOf, KINDS[1]![1](next));
      whole = pass(split, z, whole, 2).whole;
      const f = objective(N, q, z);
      expect(f).toBeLessThanOrEqual(before + 1e-10 * (1 + Math.abs(before)));
      before = f;
    }
    expect(residual(N, q, z)).toBeLessThan(1e-5);
    expect(norm(add(velocityOf(system, z), velocityOf(system, solveLcp(N, q)), -1))).toBeLessThan(1e-4);
    expect(norm(add(whole, velocityOf(system, z), -1))).toBeLessThan(1e-8 * (1 + norm(whole)));
  });

  it('between means they change the momentum, as the plain mean of unequal shares does', () => {
    const { system, next, partOf } = problem(3, 3);
    const split = splitParts(system, partOf, KINDS[1]![1](next));
    const other = splitParts(system, partOf, KINDS[1]![1](next));
    const v = split.subs.flatMap(() => Array.from({ length: 6 }, () => 2 * next() - 1));
    const body = split.ofBody.findIndex((list) => list.length > 1);
    const lost = (merged: Vector, by: Split) =>
      norm(add(momenta(system, by, merged)[body]!, momenta(system, split, v)[body]!, -1));
    expect(lost(average(other, v), other)).toBeGreaterThan(1e-2);
    const even = splitParts(system, partOf);
    expect(lost(average(even, v), split)).toBeGreaterThan(1e-2);
    expect(lost(average(split, v), split)).toBeLessThan(1e-12);
  });
});
