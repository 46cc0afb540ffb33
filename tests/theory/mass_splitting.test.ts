// Theorems behind mass splitting, on random systems in double precision.
// Tonge, Benevolenski, Voroshilov 2012, supplement: section 2 (scalar form), 3 (exact joints), 4 (closed form), 5 (the split
// system solves the original one). Then the extension to cells: the same for blocks of any size and any shares of the mass.
import { describe, expect, it } from 'vitest';
import { seeded } from '../helpers/random';
import { average, interleaved, type Partition, pairPartition, splitMatrix, splitSystem, spread, weld } from './splitting';
import {
  add,
  apply,
  combine,
  diagonal,
  dot,
  effective,
  eigenvalues,
  largest,
  norm,
  objective,
  randomSystem,
  residual,
  type System,
  solveLcp,
  transpose,
  type Vector,
} from './system';

const seeds = [1, 2, 3];
const systems = seeds.map((seed) => [seed, randomSystem(seed, 3 + seed, 5 + seed, 1 + seed, 10)] as [number, System]);

/** E^-1 of the scalar form (eq. 15): bodies' inverse masses times the number of their contacts. */
function scalarE(system: System): Vector {
  const count = new Array(system.bodyCount).fill(0);
  for (const c of system.contacts) for (const body of c.bodies) count[body]++;
  return system.contacts.map((_, i) => effective(system, i, (body) => count[body]));
}

/** Contacts dealt at random to `blocks` cells. */
function randomPartition(system: System, blocks: number, seed: number): Partition {
  const next = seeded(seed);
  const cells: Partition = Array.from({ length: blocks }, () => []);
  system.contacts.forEach((_, i) => {
    cells[Math.floor(next() * blocks)]!.push(i);
  });
  return cells.filter((cell) => cell.length > 0);
}

/** Shares that are all different and sum to one. */
function randomWeights(seed: number): (body: number, count: number) => Vector {
  const next = seeded(seed);
  return (_, count) => {
    const raw = Array.from({ length: count }, () => 0.1 + next());
    const sum = raw.reduce((total, value) => total + value, 0);
    return raw.map((value) => value / sum);
  };
}

describe.each(systems)('system %i', (seed, system) => {
  const { N, q } = system;
  const scale = largest(N);
  const solution = solveLcp(N, q);
  const velocityOf = (z: Vector) =>
    add(
      system.v0,
      apply(transpose(system.J), z).map((_, i, force) => {
        const body = Math.floor(i / 6);
        return dot(system.inverseMasses[body]![i % 6]!, force.slice(6 * body, 6 * body + 6));
      }),
    );

  it('scalar form: 2 E^-1 - N is positive definite, E^-1 - N positive semidefinite (supplement, section 2)', () => {
    const E = diagonal(scalarE(system));
    expect(eigenvalues(combine(E, N, -1))[0]).toBeGreaterThan(-1e-12 * scale);
    expect(
      eigenvalues(
        combine(
          E.map((row) => row.map((x) => 2 * x)),
          N,
          -1,
        ),
      )[0],
    ).toBeGreaterThan(0);
  });

  it('scalar form: the iteration converges to the LCP and its objective never rises', () => {
    const E = scalarE(system);
    let z: Vector = new Array(q.length).fill(0);
    let before = objective(N, q, z);
    for (let i = 0; i < 8000; i++) {
      const u = add(apply(N, z), q);
      z = z.map((value, k) => Math.max(0, value - u[k]! / E[k]!));
      if (i >= 200) continue;
      const now = objective(N, q, z);
      expect(now).toBeLessThanOrEqual(before + 1e-12);
      before = now;
    }
    expect(residual(N, q, z)).toBeLessThan(1e-6);
    expect(norm(add(velocityOf(z), velocityOf(solution), -1))).toBeLessThan(1e-4);
  });

  const partitions: [string, Partition, ((body: number, count: number) => Vector) | undefined][] = [
    ['body pairs', pairPartition(system), undefined],
    ['single contacts', system.contacts.map((_, i) => [i]), undefined],
    ['3 random cells', randomPartition(system, 3, seed), undefined],
    ['5 random cells, unequal shares', randomPartition(system, 5, seed + 10), randomWeights(seed)],
    ['body pairs, unequal shares', pairPartition(system), randomWeights(seed + 20)],
    ['one cell', [system.contacts.map((_, i) => i)], undefined],
  ];

  describe.each(partitions)('%s', (_, partition, weights) => {
    const split = splitSystem(system, partition, weights);

    it('the fixed joints have a closed form: the mean (eq. 38; supplement, section 4)', () => {
      const next = seeded(seed + 30);
      const v = split.subs.flatMap(() => Array.from({ length: 6 }, () => 2 * next() - 1));
      const merged = average(split, v);
      expect(norm(add(merged, weld(split, v), -1))).toBeLessThan(1e-9 * norm(v));
      // Momentum is what it was.
      const momentum = (u: Vector, body: number) =>
        split.ofBody[body]!.reduce<Vector>(
          (sum, sub) => add(sum, u.slice(6 * sub, 6 * sub + 6), split.subs[sub]!.weight),
          new Array(6).fill(0),
        );
      for (let body = 0; body < system.bodyCount; body++) {
        expect(norm(add(momentum(merged, body), momentum(v, body), -1))).toBeLessThan(1e-12 * (1 + norm(v)));
      }
    });

    it('N <= split N: splitting overestimates what contacts do to each other', () => {
      expect(eigenvalues(combine(splitMatrix(split), N, -1))[0]).toBeGreaterThan(-1e-11 * scale);
    });

    it('sweeps in the cells and exact joints: the objective falls, the limit solves the original LCP (sections 3 and 5)', () => {
      const z: Vector = new Array(q.length).fill(0);
      let u = spread(split, system.v0);
      let before = 0;
      for (let i = 0; i < 3000; i++) {
        const old = [...z];
        u = interleaved(split, z, u, average);
        if (i >= 100) continue;
        // f(z+) <= f(z) - 1/2 sum Nt_ii step_i^2
        const gain = z.reduce((sum, value, k) => sum + 0.5 * split.diagonal[k]! * (value - old[k]!) ** 2, 0);
        const now = objective(N, q, z);
        expect(now).toBeLessThanOrEqual(before - gain + 1e-10 * (1 + Math.abs(before)));
        before = now;
      }
      expect(residual(N, q, z)).toBeLessThan(1e-5);
      // The velocities of the sub-bodies are those that the impulses give to whole bodies, and the LCP's own.
      expect(norm(add(u, spread(split, velocityOf(z)), -1))).toBeLessThan(1e-8);
      expect(norm(add(velocityOf(z), velocityOf(solution), -1))).toBeLessThan(1e-4);
    });

    it('a solution of the LCP is a fixed point', () => {
      const z = [...solution];
      const u = interleaved(split, z, spread(split, velocityOf(z)), average);
      expect(norm(add(z, solution, -1))).toBeLessThan(1e-6 * (1 + norm(solution)));
      expect(norm(add(u, spread(split, velocityOf(solution)), -1))).toBeLessThan(1e-6);
    });
  });

  it('averaging and the linear solve of the joints give the same iteration', () => {
    const split = splitSystem(system, pairPartition(system));
    const za: Vector = new Array(q.length).fill(0);
    const zb: Vector = new Array(q.length).fill(0);
    let ua = spread(split, system.v0);
    let ub = ua;
    for (let i = 0; i < 10; i++) {
      ua = interleaved(split, za, ua, average);
      ub = interleaved(split, zb, ub, weld);
    }
    expect(norm(add(za, zb, -1))).toBeLessThan(1e-8 * (1 + norm(za)));
  });
});

/** k blocks of c contacts at one point of a body on the world: N is all ones for unit mass. */
function nearlyCoincident(blocks: number, perBlock: number): { N: number[][]; q: Vector } {
  const m = blocks * perBlock;
  return { N: Array.from({ length: m }, () => new Array(m).fill(1)), q: new Array(m).fill(-1) };
}

describe('plain Jacobi and Algorithm 1 as printed', () => {
  it('projected Jacobi (eq. 7) diverges where 2D - N is not positive definite', () => {
    const { N, q } = nearlyCoincident(1, 3);
    expect(eigenvalues(combine(diagonal([2, 2, 2]), N, -1))[0]).toBeLessThan(0);
    let z: Vector = [0, 0, 0];
    for (let i = 0; i < 50; i++) {
      const u = add(apply(N, z), q);
      z = z.map((value, k) => Math.max(0, value - u[k]!));
    }
    // It jumps between all and nothing.
    expect(residual(N, q, z)).toBeGreaterThan(0.5);
  });

  it.each([
    [2, 4, -0.875],
    [3, 4, -1.4074],
  ])('eq. 16 with the full inverse mass inside the block: %i blocks of %i contacts', (k, c, factor) => {
    // One iteration multiplies the contact velocity by 1 - k (1 - (1 - 1/k)^c), as long as no impulse is clamped.
    const step = (w: number) => {
      let total = 0;
      for (let block = 0; block < k; block++) {
        let u = w;
        for (let i = 0; i < c; i++) {
          const dz = -u / k; // effective mass of the split body
          u += dz; // as printed: M^-1, not n M^-1
          total += dz;
        }
      }
      return w + total;
    };
    expect(step(1)).toBeCloseTo(factor, 3);
    expect(step(1)).toBeCloseTo(1 - k * (1 - (1 - 1 / k) ** c), 12);
    // With n M^-1 inside (eq. 36) and the mean of the sub-bodies (eq. 38) one iteration is exact here.
    let mean = 0;
    for (let block = 0; block < k; block++) {
      let u = 1;
      for (let i = 0; i < c; i++) u += k * (-u / k);
      mean += u / k;
    }
    expect(mean).toBe(0);
  });

  it('the matrix of one corrected iteration is a contraction where the printed one is not', () => {
    const { N } = nearlyCoincident(3, 4);
    const blockSize = 4;
    // Iteration matrix of sweeps in blocks without clamping: z+ = z - B (N z + q).
    const sweepMatrix = (inside: number) => {
      const m = N.length;
      const B = Array.from({ length: m }, () => new Array(m).fill(0));
      for (let start = 0; start < m; start += blockSize) {
        // Rows of B: dz_i = -(u_i + inside * sum of earlier dz of the block) / 3
        for (let i = start; i < start + blockSize; i++) {
          B[i]![i] = 1 / 3;
          for (let j = start; j < i; j++) for (let l = start; l < start + blockSize; l++) B[i]![l] -= (inside * B[j]![l]) / 3;
        }
      }
      return B;
    };
    const velocityFactor = (inside: number) => {
      const B = sweepMatrix(inside);
      // All contacts share one velocity: its factor is 1 - sum of B.
      return 1 - B.flat().reduce((sum, value) => sum + value, 0);
    };
    expect(Math.abs(velocityFactor(3))).toBeLessThan(1e-12);
    expect(Math.abs(velocityFactor(1))).toBeGreaterThan(1.4);
  });
});
