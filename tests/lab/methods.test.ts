// The laboratory's own numerics: problems from the engine, the papers' iterations on them, orderings, and that a small
// experiment gives all its files.
import { describe, expect, it } from 'vitest';
import { normsOf } from '../../lab/experiments/datta.mjs';
import { barProblem, splitRadius } from '../../lab/experiments/proofs.mjs';
import { islandsOf, substepsFor } from '../../lab/lib/islands.mjs';
import {
  algebraicColors,
  bisect,
  cellLike,
  geometricColors,
  histogram,
  leftByPrintedCondition,
  permutation,
} from '../../lab/lib/orderings.mjs';
import { figures, lines } from '../../lab/lib/plot.mjs';
import { energyRun } from '../../lab/lib/precision.mjs';
import { extractProblem, massDistance, rowSpeed, violation } from '../../lab/lib/problem.mjs';
import { cellSplitting, iterate, METHODS, spectralRadius } from '../../lab/methods/index.mjs';
import { buildScene } from '../../scenes/index';
import { isLong } from '../helpers/long';
import { sceneWorld } from '../helpers/scene_world';

/** What the tests read of a problem. */
interface Problem {
  bodies: number;
  points: number;
  links: { a: number; b: number }[];
  friction: number;
  v0: Float64Array;
}

async function problemOf(name: string, options: object, steps: number): Promise<Problem> {
  const scene = buildScene(name, { seed: 1, ...options });
  const world = await sceneWorld(scene, { solver: 'pgs' });
  for (let i = 0; i < steps; i++) world.step();
  return extractProblem({ world, scene, indices: Uint32Array.from({ length: scene.bodies.count }, (_, i) => i) });
}

describe('problems and methods', () => {
  it('a block at rest: its weight is carried, nothing else', async () => {
    const p = await problemOf('rest', {}, 60);
    expect([p.bodies, p.links.length, p.points]).toEqual([1, 1, 4]);
    expect(violation(p, p.v0)).toBeCloseTo(9.81 / 60, 4);
    const { z, v } = iterate(p, METHODS.PGS, 200, () => 0);
    const total = z.slice(0, 4).reduce((a: number, b: number) => a + b, 0);
    expect(total).toBeCloseTo((1000 * 9.81) / 60, 2);
    for (const x of v) expect(Math.abs(x)).toBeLessThan(1e-6);
  });

  it('all convergent methods agree in the end; plain Jacobi does not get there', async () => {
    // How far slow methods get hangs on how a heap has come to lie: the middle of three heaps.
    const heaps = await Promise.all([1, 2, 3].map((seed) => problemOf('boxes-small', { count: isLong ? 30 : 18, seed }, 200)));
    const ends: Record<string, number[]> = {};
    for (const p of heaps) {
      p.friction = 0;
      const exact = iterate(p, METHODS.PGS, 3000, () => 0).v;
      const start = massDistance(p, p.v0, exact);
      for (const name of [
        'PGS, colored',
        'PGS, cell-like 64',
        'pair splitting',
        'cells of 16',
        'scalar splitting',
        'Jacobi, line search',
        'Jacobi, spectral',
      ]) {
        const { values } = iterate(p, METHODS[name], 1500, (v: Float64Array) => massDistance(p, v, exact) / start);
        ends[name] = [...(ends[name] ?? []), values.at(-1)];
        expect(values[100], name).toBeLessThan(values[10]);
      }
    }
    for (const [name, values] of Object.entries(ends)) expect(values.toSorted((a, b) => a - b)[1], name).toBeLessThan(0.02);
    const p = heaps[0];
    expect(spectralRadius(p, 0)).toBeGreaterThan(2);
    expect(spectralRadius(p, 0, true)).toBeGreaterThanOrEqual(spectralRadius(p, 0) * 0.999);
    expect(iterate(p, METHODS.Jacobi, 60, (v: Float64Array) => violation(p, v)).values.at(-1)).toBeGreaterThan(
      violation(p, p.v0),
    );
  });

  it('one cell is Gauss-Seidel; the order of links does not matter to pairs', async () => {
    const p = await problemOf('stack', { scale: 0.3 }, 30);
    const pgs = iterate(p, METHODS.PGS, 5, () => 0).v;
    expect(massDistance(p, pgs, iterate(p, cellSplitting(1e6), 5, () => 0).v)).toBeLessThan(1e-12);
    const pair = iterate(p, METHODS['pair splitting'], 5, () => 0).v;
    const order = permutation(p.links.length, 3);
    const q = { ...p, links: Array.from(order as Int32Array, (l) => p.links[l]) };
    expect(massDistance(p, pair, iterate(q, METHODS['pair splitting'], 5, () => 0).v)).toBeLessThan(1e-12);
    expect(rowSpeed(p, 0, p.v0)).toBeLessThan(0);
  });
});

describe('as printed', () => {
  it('eq. 10: the printed line search takes the step of least energy wherever it ends; the others stop at bounds and at 1', () => {
    // One contact of a bar, approaching: the unbounded least is the whole step of Jacobi; three at one place need a third of it.
    const objective = (p: object, method: string) => {
      const { v, z } = iterate(p, METHODS[method], 1, () => 0);
      return { v, z };
    };
    const three = barProblem([0.3, 0.3, 0.3]);
    for (const method of ['Jacobi, line search as printed', 'Jacobi, line search', 'Jacobi, line search to 1']) {
      const { v, z } = objective(three, method);
      expect(rowSpeed(three, 0, v), method).toBeCloseTo(0, 12);
      expect(z[0]).toBeCloseTo(z[1], 12);
    }
    // A bar on its ends: each row alone asks for too little where they hinder each other (1 + x y / I < 0), so alpha is above 1.
    const ends = barProblem([-1, 1], { inertia: 0.25 });
    const whole = iterate(ends, METHODS.Jacobi, 1, () => 0).z[0];
    expect(objective(ends, 'Jacobi, line search to 1').z[0]).toBeCloseTo(whole, 12);
    expect(objective(ends, 'Jacobi, line search as printed').z[0]).toBeGreaterThan(1.5 * whole);
  });

  it('eq. 10 as printed may leave the bounds of the impulses, which the bounded form does not', async () => {
    const p = await problemOf('boxes-small', { count: 30, seed: 2 }, 200);
    const least = (method: string) => {
      let smallest = 0;
      iterate(p, METHODS[method], 40, (_v: Float64Array, z: Float64Array) => {
        for (let i = 0; i < p.points; i++) smallest = Math.min(smallest, z[i]!);
        return 0;
      });
      return smallest;
    };
    expect(least('Jacobi, line search as printed')).toBeLessThan(-1e-3);
    expect(least('Jacobi, line search')).toBeGreaterThan(-1e-12);
  });

  it('eq. 12 divided by bodies diverges on a stack of ten; divided by contacts it does not', async () => {
    const p = await problemOf('stack', { scale: 0.5 }, 60);
    const left = (method: string) => {
      const { values } = iterate(p, METHODS[method], 100, (v: Float64Array) => violation(p as never, v));
      return values[100] / values[0];
    };
    expect(left('Jacobi, averaged by bodies')).toBeGreaterThan(5);
    expect(left('Jacobi, averaged')).toBeLessThan(1);
  });

  it('eq. 8 of Datta: the 2-norm is below root n times the 1-norm, and below the 1-norm itself; it is the spectral radius', async () => {
    const p = await problemOf('boxes-small', { count: 40, seed: 3 }, 200);
    const { n, one, two } = normsOf(p);
    expect(n).toBe(p.points);
    expect(two).toBeLessThanOrEqual(Math.sqrt(n) * one);
    expect(two).toBeLessThanOrEqual(one);
    expect(two).toBeCloseTo(spectralRadius(p, 0), 1);
  });

  it('the theorem of the supplement on a pile: E^-1 - N is positive semidefinite', async () => {
    const p = await problemOf('boxes-small', { count: 40, seed: 3 }, 200);
    expect(splitRadius(p)).toBeLessThanOrEqual(1 + 1e-9);
    expect(splitRadius(p)).toBeGreaterThan(0.3);
  });
});

it('the run in single and double precision: a box at rest stays, and differs by rounding only', async () => {
  const run = (precision: string) =>
    energyRun(buildScene('rest', {}), { method: 'PGS', iterations: 20, precision, steps: 70, sample: 10 });
  const [single, double] = [await run('single'), await run('double')];
  expect(double.curve).toHaveLength(7);
  expect(double.tail).toHaveLength(60);
  // 1000 kg at less than a micrometer per second.
  for (const energy of [...single.tail, ...double.tail]) expect(energy).toBeLessThan(1e-6);
  expect(single.tail).not.toEqual(double.tail);
});

it('accelerated methods: nearer after 100 iterations, and those at once as free of order as before', async () => {
  const p = await problemOf('stack', { scale: 0.5 }, 30);
  const end = (name: string, q = p) => iterate(q, METHODS[name], 100, (v: Float64Array) => violation(q, v));
  const q = { ...p, links: Array.from(permutation(p.links.length, 5) as Int32Array, (l) => p.links[l]) };
  for (const name of ['PGS', 'pair splitting', 'scalar splitting', 'cells of 128', 'Jacobi, spectral']) {
    expect(end(`${name}, accelerated`).values.at(-1), name).toBeLessThan(0.1 * end(name).values.at(-1));
  }
  for (const name of ['pair splitting, accelerated', 'scalar splitting, accelerated']) {
    expect(massDistance(p, end(name).v, end(name, q).v), name).toBeLessThan(1e-10);
  }
});

describe('orderings', () => {
  it('figure 2 of Tonge: seven constraints, three colors, Δ of 3', () => {
    // Bodies 0 to 5; colors {0, 1, 2}, {3, 5}, {4, 6}.
    const seven = [
      { a: 0, b: 1 },
      { a: 2, b: 3 },
      { a: 4, b: 5 },
      { a: 1, b: 2 },
      { a: 1, b: 4 },
      { a: 3, b: 4 },
      { a: 3, b: 5 },
    ];
    const colors = Array.from(geometricColors(seven) as Int32Array);
    expect(colors).toEqual([0, 0, 0, 1, 2, 1, 2]);
    const degree = Math.max(...[0, 1, 2, 3, 4, 5].map((body) => seven.filter(({ a, b }) => a === body || b === body).length));
    expect(degree).toBe(3);
    // Vizing: Δ or Δ + 1 would do.
    expect(Math.max(...colors) + 1).toBe(3);
  });

  it('greedy colors: at least as many as a body has links, at most 2 Δ - 1', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const draw = Array.from(permutation(60, seed) as Int32Array);
      // Random graphs without loops; body -1 is static and may have any number of links.
      const graph = draw.map((x, i) => ({
        a: x % (3 + (seed % 9)),
        b: i % 7 === 0 ? -1 : 20 + ((x * 7 + i) % (4 + (seed % 11))),
      }));
      const degree = new Map<number, number>();
      for (const { a, b } of graph) for (const body of [a, b]) if (body >= 0) degree.set(body, (degree.get(body) ?? 0) + 1);
      const most = Math.max(...degree.values());
      const used = Math.max(...Array.from(geometricColors(graph) as Int32Array)) + 1;
      expect(used).toBeGreaterThanOrEqual(most);
      expect(used).toBeLessThanOrEqual(2 * most - 1);
    }
  });

  it('Tsuda’s condition as printed leaves links out for ever', () => {
    // A chain of four in blocks of one link: the second batch may touch no body of the first.
    const chain = [0, 1, 2].map((a) => ({ a, b: a + 1 }));
    expect(cellLike(chain, 1).flat(2).sort()).toEqual([0, 1, 2]);
    expect(leftByPrintedCondition(chain, 1)).toBe(1);
    expect(leftByPrintedCondition(chain, 10)).toBe(0);
  });

  // A chain of bodies on the ground: 0-1, 1-2, 2-3, and each against the ground.
  const links = [{ a: 0, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 3 }, ...[0, 1, 2, 3].map((b) => ({ a: -1, b }))];

  it('colors share no body', () => {
    const colors = geometricColors(links);
    expect(Array.from(colors)).toEqual([0, 1, 0, 1, 2, 2, 1]);
    expect(histogram(colors)).toEqual([2, 3, 2]);
    expect(algebraicColors([links[0], links[0], links[0]])).toEqual(Int32Array.from([0, 1, 2]));
  });

  it('cell-like blocks of a batch share no body and hold every link once', () => {
    for (const g of [1, 2, 4, 100]) {
      const batches = cellLike(links, g);
      expect(batches.flat(2).sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
      for (const batch of batches) {
        const seen = new Set<number>();
        for (const block of batch) {
          expect(block.length).toBeLessThanOrEqual(g);
          const bodies = new Set(block.flatMap((l: number) => [links[l].a, links[l].b]).filter((x: number) => x >= 0));
          for (const b of bodies) {
            expect(seen.has(b as number)).toBe(false);
            seen.add(b as number);
          }
        }
      }
    }
    expect(cellLike(links, 100).length).toBe(1);
  });

  it('bisection keeps to the size', () => {
    const points = Array.from({ length: 100 }, (_, i) => ({ middle: [i % 10, Math.floor(i / 10), 0] }));
    const sizes = histogram(bisect(points, 16));
    expect(sizes.reduce((a: number, b: number) => a + b, 0)).toBe(100);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
    expect(sizes.length).toBe(7);
  });
});

describe('islands', () => {
  const settled = async (name: string, options: object) => {
    const scene = buildScene(name, { seed: 1, ...options });
    const world = await sceneWorld(scene);
    for (let i = 0; i < 60; i++) world.step();
    return islandsOf({ world, scene, indices: Uint32Array.from({ length: scene.bodies.count }, (_, i) => i) });
  };

  it('a tower is as high as it has boxes, and they bear (n + 1) / 2 on average', async () => {
    const [tower, ...others] = await settled('stack', { scale: 0.4 });
    expect(others).toEqual([]);
    expect(tower).toMatchObject({ count: 8, height: 8, load: 8, meanLoad: 4.5, massRatio: 1 });
  });

  it('towers that do not touch are islands of their own', async () => {
    const islands = await settled('boxes720', { scale: 0.125 });
    expect(islands.length).toBe(9);
    for (const island of islands) expect(island).toMatchObject({ count: 10, height: 10 });
  });

  it('a heavy block on slabs: all of it is borne by each slab below', async () => {
    const [slabs] = await settled('slabs', { massRatio: 10 });
    expect(slabs.height).toBe(6);
    expect(slabs.massRatio).toBeCloseTo(10, 4);
    expect(slabs.load).toBeCloseTo(15, 4);
    expect(slabs.meanLoad).toBeCloseTo((1 + 11 + 12 + 13 + 14 + 15) / 6, 4);
  });

  it('the rule asks for more substeps the higher an island and the heavier its top', () => {
    const rule = (height: number, meanLoad: number) => substepsFor({ height, meanLoad });
    expect([1, 5, 10, 20, 30].map((h) => rule(h, (h + 1) / 2))).toEqual([3, 6, 8, 11, 13]);
    expect(rule(6, 11)).toBeGreaterThan(rule(6, 3.5));
    expect(rule(1000, 1)).toBe(20);
  });
});

it('plots are SVG that stands on its own', () => {
  const svg = lines(
    [
      { x: 0, y: 1, series: 'a <b>' },
      { x: 1, y: 10, series: 'a <b>' },
    ],
    { xLabel: 'x', yLabel: 'y', logY: true },
  );
  expect(svg).toMatch(/^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg).toContain('a &lt;b&gt;');
});

it('at most six curves a plot: the picked ones first, the others behind', () => {
  const data = Array.from({ length: 15 }, (_, i) => [0, 1].map((x) => ({ x, y: x + i, series: `s${i}` }))).flat();
  const plots = figures('f', 'Curves.', data, { xLabel: 'x', yLabel: 'y' }, ['s9', 's3']);
  expect(plots.map((plot: { name: string }) => plot.name)).toEqual(['f', 'f-2', 'f-3', 'f-4']);
  expect(plots.map((plot: { behind: boolean }) => plot.behind)).toEqual([false, true, true, true]);
  const series = plots.map((plot: { svg: string }) => plot.svg.match(/>s\d+</g)!.length);
  expect(series).toEqual([2, 6, 6, 1]);
});
