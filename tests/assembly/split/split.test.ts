// The scalar and the splitting solvers: same fixed point, momentum, order independence, rest, friction, bounce.
import { describe, expect, it } from 'vitest';
import { BodyRow } from '../../../src/layout.generated';
import { type CoreExports, loadCore } from '../../helpers/core';
import { isLong } from '../../helpers/long';
import { Problem, pile, plate, random, sphereHeap, stack, wall } from '../../helpers/manifold_builder';

type Solver = 'solvePgs' | 'solveCellOrder' | 'solvePairSplit' | 'solveCellSplit';
const solvers: Solver[] = ['solvePgs', 'solveCellOrder', 'solvePairSplit', 'solveCellSplit'];
/** Every solver, and cell splitting with one mean a substep (Header.oneMean) besides. */
const forms: [Solver, number][] = [...solvers.map((solver): [Solver, number] => [solver, 0]), ['solveCellSplit', 1]];

function placeIn(problem: Problem): CoreExports {
  const { core, memory } = loadCore();
  problem.write(core, memory);
  return core;
}

/** A rigid one-step problem: no softness, one substep. */
function rigid(problem: Problem, sweeps: number): void {
  problem.setHeader('substeps', 1);
  problem.setHeader('sweeps', sweeps);
  problem.setHeaderFloat('contactHertzRatio', 1e4);
}

/** Velocities after `steps` solves of the same step, each warm started by the one before. */
function converge(make: () => Problem, solver: Solver, steps: number, prepare: (p: Problem) => void): Float64Array {
  const problem = make();
  // All contacts just touch: then soft and relax passes have the same fixed point.
  for (const m of problem.manifolds) for (const p of m.points) p.separation = 0;
  const core = placeIn(problem);
  prepare(problem);
  for (let i = 0; i < steps; i++) {
    if (i > 0) problem.reset(false);
    core[solver]();
    expect(problem.header('error')).toBe(0);
  }
  return problem.velocities();
}

/** Steps with frozen anchors: separations and velocities go on, as they do for contacts that are recycled. */
function simulate(problem: Problem, core: CoreExports, solver: Solver, steps: number): void {
  for (let i = 0; i < steps; i++) {
    problem.clearDeltas();
    core.findImpacts();
    core[solver]();
    core.solveImpacts();
  }
}

/** Pair splitting converges slowly: it holds only soft contacts at one or two sweeps a pass. */
const pairHertz = 0.04;

const rms = (values: Float64Array) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);
const difference = (a: Float64Array, b: Float64Array) => rms(a.map((v, i) => v - b[i]));

describe('one fixed point', () => {
  it.each([
    ['pile', () => pile(isLong ? 40 : 24, 11), 300],
    ['plate', () => plate(6), 400],
    ['stack', () => stack(6), 600],
    ['wall', () => wall(4, 4), 500],
    ['spheres', () => sphereHeap(isLong ? 30 : 18, 2), 300],
  ] as [string, () => Problem, number][])('%s without friction: all solvers agree', (_, make, steps) => {
    const frictionless = (p: Problem) => {
      rigid(p, 4);
      p.setHeader('granularity', 16);
      for (let i = 0; i < p.manifolds.length; i++) p.setManifold(i, 'friction', 0);
    };
    const oracle = converge(make, 'solvePgs', steps, frictionless);
    const start = converge(make, 'solvePgs', 1, frictionless);
    expect(rms(start)).toBeGreaterThan(0);
    for (const [solver, oneMean] of forms.slice(1)) {
      const v = converge(make, solver, solver === 'solvePairSplit' ? steps * 8 : steps, (p) => {
        frictionless(p);
        p.setHeader('oneMean', oneMean);
      });
      expect(difference(v, oracle), `${solver} ${oneMean}`).toBeLessThan(2e-4);
    }
  });

  it.each([
    ['pile', () => pile(isLong ? 40 : 24, 12), 300],
    ['stack', () => stack(6), 600],
    ['spheres', () => sphereHeap(isLong ? 30 : 18, 3), 300],
  ] as [string, () => Problem, number][])('%s with friction: all solvers agree', (_, make, steps) => {
    for (const frictionModel of [0, 1]) {
      const prepare = (p: Problem) => {
        rigid(p, 4);
        p.setHeader('granularity', 16);
        p.setHeader('frictionModel', frictionModel);
      };
      const oracle = converge(make, 'solvePgs', steps, prepare);
      for (const [solver, oneMean] of forms.slice(1)) {
        const v = converge(make, solver, solver === 'solvePairSplit' ? steps * 8 : steps, (p) => {
          prepare(p);
          p.setHeader('oneMean', oneMean);
        });
        expect(difference(v, oracle), `${solver} ${oneMean} friction model ${frictionModel}`).toBeLessThan(2e-3);
      }
    }
  });

  it('one cell that holds everything is sequential PGS in its order', () => {
    // Manifolds sorted by the color they get: then the cell walks them in the order of the oracle.
    const make = () => {
      const problem = stack(12);
      const sorted = [...problem.manifolds.filter((_, i) => i % 2 === 0), ...problem.manifolds.filter((_, i) => i % 2 === 1)];
      problem.manifolds.splice(0, problem.manifolds.length, ...sorted);
      return problem;
    };
    for (const frictionModel of [0, 1]) {
      const prepare = (p: Problem) => p.setHeader('frictionModel', frictionModel);
      expect(difference(converge(make, 'solveCellSplit', 3, prepare), converge(make, 'solvePgs', 3, prepare))).toBeLessThan(1e-6);
    }
  });
});

/** Boxes in space that run into each other: the pile without its floor. */
function cluster(): Problem {
  const problem = pile(80, 21, 2);
  problem.gravity = 0;
  const touching = problem.manifolds.filter((m) => m.bodyA !== 0);
  problem.manifolds.splice(0, problem.manifolds.length, ...touching);
  return problem;
}

it.each(forms)('%s (one mean: %i) conserves momentum and angular momentum to rounding', (solver, oneMean) => {
  for (const frictionModel of [0, 1]) {
    const problem = cluster();
    const core = placeIn(problem);
    problem.setHeader('granularity', 16);
    problem.setHeader('frictionModel', frictionModel);
    problem.setHeader('oneMean', oneMean);
    const before = problem.momentum();
    core[solver]();
    const after = problem.momentum();
    const size = problem.bodies.reduce((sum, b) => sum + b.mass, 0) * 2;
    const deltas = problem.deltas();
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(after.linear[k] - before.linear[k]) / size).toBeLessThan(1e-6);
      // The common center of mass moves with it.
      const moved = problem.bodies.reduce((sum, b, i) => sum + (b.mass > 0 ? b.mass * deltas[6 * i + k] : 0), 0);
      expect(Math.abs(moved * 60 - before.linear[k]) / size).toBeLessThan(1e-6);
      // Anchors of A and B differ by the separation along the normal, and friction acts at both: allow that lever.
      expect(Math.abs(after.angular[k] - before.angular[k]) / (size * 5)).toBeLessThan(2e-5);
    }
  }
});

/**
 * Block mass splitting of normal rows in double precision, as a check of its form: `share` is what an impulse does to a
 * sub-body, k M^-1 (corrected) or M^-1 (as Algorithm 1 prints it); effective masses are those of sub-bodies in both.
 */
function splitNormals(problem: Problem, corrected: boolean, iterations: number): number[] {
  interface Row {
    a: number;
    b: number;
    block: string;
    ja: number[];
    jb: number[];
  }
  const rows: Row[] = problem.manifolds.flatMap((m) =>
    m.points.map((p) => {
      const lever = (body: number) => p.at.map((x, k) => x - problem.bodies[body].position[k]);
      const turn = (r: number[]) => [
        r[1] * m.normal[2] - r[2] * m.normal[1],
        r[2] * m.normal[0] - r[0] * m.normal[2],
        r[0] * m.normal[1] - r[1] * m.normal[0],
      ];
      return {
        a: m.bodyA,
        b: m.bodyB,
        block: `${m.bodyA},${m.bodyB}`,
        ja: [...m.normal, ...turn(lever(m.bodyA))].map((x) => -x),
        jb: [...m.normal, ...turn(lever(m.bodyB))],
      };
    }),
  );
  const inverse = problem.bodies.map((body) => {
    if (body.mass === 0) return [0, 0, 0, 0, 0, 0];
    const [x, y, z] = (body.half as number[]).map((h) => h * h);
    const i = 1 / body.mass;
    return [i, i, i, (3 * i) / (y + z), (3 * i) / (x + z), (3 * i) / (x + y)];
  });
  const dot = (j: number[], v: number[]) => j.reduce((sum, x, k) => sum + x * v[k], 0);
  const energy = (j: number[], m: number[]) => j.reduce((sum, x, k) => sum + x * x * m[k], 0);
  const blocks = [...new Set(rows.map((r) => r.block))];
  const k = problem.bodies.map((_, body) => blocks.filter((name) => name.split(',').includes(String(body))).length);
  const v = problem.bodies.map((body) => [0, body.mass > 0 ? problem.gravity / 60 : 0, 0, 0, 0, 0]);
  const z = rows.map(() => 0);
  const errors: number[] = [];
  for (let iteration = 0; iteration < iterations; iteration++) {
    const start = v.map((x) => [...x]);
    for (const block of blocks) {
      const u = start.map((x) => [...x]);
      rows.forEach((row, i) => {
        if (row.block !== block) return;
        const mass = k[row.a] * energy(row.ja, inverse[row.a]) + k[row.b] * energy(row.jb, inverse[row.b]);
        const next = Math.max(0, z[i] - (dot(row.ja, u[row.a]) + dot(row.jb, u[row.b])) / mass);
        const step = next - z[i];
        z[i] = next;
        for (let c = 0; c < 6; c++) {
          u[row.a][c] += (corrected ? k[row.a] : 1) * inverse[row.a][c] * row.ja[c] * step;
          u[row.b][c] += (corrected ? k[row.b] : 1) * inverse[row.b][c] * row.jb[c] * step;
          v[row.a][c] += inverse[row.a][c] * row.ja[c] * step;
          v[row.b][c] += inverse[row.b][c] * row.jb[c] * step;
        }
      });
    }
    errors.push(Math.max(...v.flat().map(Math.abs)));
  }
  return errors;
}

describe('plate on six pillars', () => {
  it('the corrected form converges, the printed one does not', () => {
    const corrected = splitNormals(plate(6, 0, 5), true, 200);
    const printed = splitNormals(plate(6, 0, 5), false, 200);
    expect(corrected[199]).toBeLessThan(1e-3);
    expect(printed[199]).toBeGreaterThan(0.05);
  });

  it('the engine uses the corrected form', () => {
    const problem = plate(6, 0, 5);
    const core = placeIn(problem);
    problem.setHeaderFloat('contactHertzRatio', pairHertz);
    simulate(problem, core, 'solvePairSplit', 120);
    expect(Math.max(...problem.velocities().map(Math.abs))).toBeLessThan(1e-3);
  });
});

it('pair splitting does not depend on the order of bodies and manifolds', () => {
  const problem = pile(120, 31);
  const core = placeIn(problem);
  core.solvePairSplit();
  const straight = problem.velocities();

  const next = random(7);
  const order = [...problem.bodies.keys()].slice(1);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  order.unshift(0);
  const place_ = new Map(order.map((old, now) => [old, now]));
  const shuffled = new Problem();
  for (const old of order) shuffled.addBody(problem.bodies[old]);
  const manifolds = problem.manifolds.map((m) => ({ ...m, bodyA: place_.get(m.bodyA)!, bodyB: place_.get(m.bodyB)! }));
  manifolds.sort(() => next() - 0.5);
  for (const m of manifolds) shuffled.addManifold(m);
  const core2 = placeIn(shuffled);
  core2.solvePairSplit();
  const other = shuffled.velocities();
  let worst = 0;
  order.forEach((old, now) => {
    for (let k = 0; k < 6; k++) worst = Math.max(worst, Math.abs(straight[old * 6 + k] - other[now * 6 + k]));
  });
  expect(worst).toBeLessThan(2e-5);
});

describe.each(forms)('%s in time, one mean: %i', (solver, oneMean) => {
  const place = (problem: Problem): CoreExports => {
    const core = placeIn(problem);
    problem.setHeader('oneMean', oneMean);
    return core;
  };

  it('a stack comes to rest at small depth', () => {
    const problem = stack(5);
    const core = place(problem);
    if (solver === 'solvePairSplit') problem.setHeaderFloat('contactHertzRatio', pairHertz);
    simulate(problem, core, solver, 400);
    expect(rms(problem.velocities())).toBeLessThan(1e-5);
    for (let i = 0; i < problem.manifolds.length; i++) {
      const s = problem.manifold(i, 'separation0');
      expect(s).toBeLessThan(1e-4);
      expect(s).toBeGreaterThan(solver === 'solvePairSplit' ? -1e-2 : -2e-3);
    }
    // The bottom contact carries the weight of five boxes, shared by four points, in each of 8 substeps.
    const weight = (5 * 1000 * 9.81) / 60 / 8 / 4;
    expect(problem.manifold(0, 'impulse0') / weight).toBeCloseTo(1, 2);
  });

  it.each([0, 1])('a sliding box is slowed by mu g, friction model %i', (frictionModel) => {
    const problem = new Problem();
    problem.addBody({ position: [0, -1, 0], half: [500, 1, 500], mass: 0 });
    problem.addBody({ position: [0, 0.2, 0], half: [1, 0.2, 1], mass: 500, velocity: [3, 0, 0] });
    problem.touchBoxes(0.5);
    const core = place(problem);
    problem.setHeader('frictionModel', frictionModel);
    simulate(problem, core, solver, 30);
    // x or z tangent: the pyramid may be stronger across, but the box slides along one of its axes.
    expect(problem.velocities()[6]).toBeCloseTo(3 - 0.5 * 9.81 * 0.5, 1);
    simulate(problem, core, solver, 60);
    expect(Math.abs(problem.velocities()[6])).toBeLessThan(1e-4);
  });

  it('a spinning sphere is stopped by the twist row', () => {
    const problem = new Problem();
    problem.addBody({ position: [0, -1, 0], half: [500, 1, 500], mass: 0 });
    problem.addBody({ position: [0, 0.5, 0], half: 0.5, mass: 500, spin: [0, 0.5, 0] });
    problem.touchSpheres();
    const core = place(problem);
    simulate(problem, core, solver, 10);
    const early = problem.velocities()[10];
    // Torque mu m g * 5 mm over the inertia 0.4 m r^2.
    expect((0.5 - early) / (10 / 60)).toBeCloseTo((0.6 * 9.81 * 0.005) / 0.1, 1);
  });

  it('bounces with its restitution, and not below the threshold', () => {
    for (const [speed, expected] of [
      [5, 2.5],
      [0.5, 0],
    ]) {
      const problem = new Problem();
      problem.gravity = 0;
      problem.addBody({ position: [0, -1, 0], half: [500, 1, 500], mass: 0 });
      problem.addBody({ position: [0, 0.5, 0], half: 0.5, mass: 500, velocity: [0, -speed, 0] });
      problem.touchSpheres();
      problem.manifolds[0].restitution = 0.5;
      const core = place(problem);
      simulate(problem, core, solver, 1);
      expect(problem.velocities()[7]).toBeCloseTo(expected, 3);
    }
  });

  it('the impulse of an impact is not repeated by the warm start', () => {
    const run = (change: number) => {
      const problem = new Problem();
      problem.gravity = 0;
      problem.addBody({ position: [0, -1, 0], half: [50, 1, 50], mass: 0 });
      problem.addBody({ position: [0, 0.5, 0], half: [0.5, 0.5, 0.5], mass: 1000, velocity: [0, -2, 0] });
      problem.touchBoxes();
      const core = place(problem);
      problem.setHeader('substeps', 1);
      problem.setHeader('sweeps', 100);
      simulate(problem, core, solver, 1);
      problem.setHeader('sweeps', 1);
      const impulses = [0, 1, 2, 3].map((i) => problem.manifold(0, `impulse${i}` as 'impulse0'));
      expect(Math.max(...impulses)).toBeGreaterThan(100);
      for (let i = 0; i < 4; i++) {
        problem.setManifold(0, `impulse${i}` as 'impulse0', impulses[i] * change);
        // Whoever gives a point another impulse says that none of it is excess.
        if (change !== 1) problem.setManifold(0, `excess${i}` as 'excess0', 0);
      }
      simulate(problem, core, solver, 1);
      return rms(problem.velocities());
    };
    expect(run(1)).toBeLessThan(1e-3);
    // Impulses that come from elsewhere are loads that last: repeated, and with one sweep not undone.
    expect(run(1.0001)).toBeGreaterThan(0.01);
  });

  it('a body without contacts falls by the substep formula', () => {
    const problem = stack(1);
    const free = problem.addBody({ position: [9, 50, 0], half: 0.5, mass: 3, velocity: [1, 2, 0], spin: [0, 0, 4] });
    const core = place(problem);
    simulate(problem, core, solver, 1);
    const v = problem.velocities().slice(free * 6, free * 6 + 6);
    const d = problem.deltas().slice(free * 6, free * 6 + 6);
    const h = 1 / 60 / 8;
    expect(v[1]).toBeCloseTo(2 - 9.81 / 60, 5);
    expect(d[1]).toBeCloseTo(2 / 60 - (9.81 * h * h * 8 * 9) / 2, 6);
    expect(d[0]).toBeCloseTo(1 / 60, 6);
    expect(d[5]).toBeCloseTo(4 / 60, 6);
  });

  it('a kinematic platform carries a box', () => {
    const problem = new Problem();
    const platform = problem.addBody({ position: [0, -0.5, 0], half: [5, 0.5, 5], mass: 0, velocity: [1, 0, 0] });
    problem.addBody({ position: [0, 0.5, 0], half: [0.5, 0.5, 0.5], mass: 1000 });
    problem.touchBoxes();
    problem.manifolds.push({
      bodyA: platform,
      bodyB: 1,
      normal: [0, 1, 0],
      points:
        problem.bodies.length === 2
          ? [0, 1, 2, 3].map((i) => ({ at: [i & 1 ? 0.5 : -0.5, 0, i & 2 ? 0.5 : -0.5], separation: 0 }))
          : [],
      friction: 0.6,
    });
    problem.manifolds.splice(0, problem.manifolds.length - 1);
    const core = place(problem);
    simulate(problem, core, solver, 60);
    const v = problem.velocities();
    expect(v[0]).toBe(1);
    expect(v[6]).toBeCloseTo(1, 4);
    expect(problem.deltas()[0]).toBeCloseTo(1 / 60, 6);
  });

  it('repeats to the bit', () => {
    const run = () => {
      const problem = pile(80, 5);
      const core = place(problem);
      problem.setHeader('granularity', 24);
      simulate(problem, core, solver, 3);
      return problem.velocities();
    };
    expect(run()).toEqual(run());
  });

  it('writes nothing to static bodies', () => {
    const problem = pile(40, 6);
    const core = place(problem);
    const bytes = () => problem.bytes('bodyRows', BodyRow.STRIDE);
    const before = bytes();
    simulate(problem, core, solver, 2);
    expect(bytes()).toEqual(before);
  });
});

it('reports what the split cost', () => {
  const problem = wall(10, 30);
  const core = placeIn(problem);
  core.solveCellSplit();
  expect(problem.header('cellCount')).toBeGreaterThan(3);
  const split = problem.header('splitBodyCount');
  expect(split).toBeGreaterThan(0);
  expect(problem.header('slotCount')).toBeGreaterThan(300 + split - 1);
  core.solvePairSplit();
  expect(problem.header('splitBodyCount')).toBeGreaterThan(280);
});
