// Which solver takes a step: with the hook of the study and without, the external one, and conservation of momentum by each.
import { expect, test } from 'vitest';
import {
  BodyDelta,
  BodyRow,
  Header,
  SHAPE_SPHERE,
  SOLVER_CELL_SPLIT,
  SOLVER_COLORED,
  SOLVER_EXTERNAL,
  SOLVER_PGS,
  SOLVER_WIDE,
} from '../../../src/layout.generated';
import { type CoreBodies, coreBodies } from '../../helpers/core_bodies';
import { farthest } from '../../helpers/core_memory';
import { cross } from '../../helpers/vectors';

const MASSES = [3, 1.25, 2];
const RADII = [0.6, 0.4, 0.5];

/**
 * Two spheres of unequal masses that touch and meet off their axis, and a third one alone; without gravity. There is no gap, so
 * both bodies have the arms of one point.
 */
function meeting(solver: number, hook = true): CoreBodies {
  const world = coreBodies();
  const { core } = world;
  if (!hook) world.setHeader(Header.stepSolver, 0);
  core.setSolver(solver);
  world.setHeaderFloat(Header.gravityY, 0);
  const places = [
    [0, 0, 0],
    [0.8, 0.48, -0.36],
    [9, 8, 7],
  ];
  const speeds = [
    [1.5, 0.5, -0.25, 0.5, -1, 2],
    [-2, -0.75, 1, -0.5, 0.25, 1],
    [1, 2, 3, 0.1, 0.2, 0.3],
  ];
  for (let i = 0; i < 3; i++) {
    const r = RADII[i]!;
    const moment = 0.4 * MASSES[i]! * r * r;
    const shape = core.createShape(SHAPE_SPHERE, r, 0, 0, r, 0, 0, -r, -r, -r, r, r, r) >>> 0;
    const body = world.body({ at: places[i]!, mass: MASSES[i]!, inertia: [moment, moment, moment, 0, 0, 0] });
    core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, 0.5, 0, 0, 0, 1, 1, 0, 1);
    core.setVelocity(body, ...speeds[i]!);
  }
  return world;
}
const velocities = (world: CoreBodies) => [0, 1, 2].flatMap((i) => [...world.get('row', i), ...world.get('row', i, BodyRow.wx)]);
const deltas = (world: CoreBodies) =>
  [0, 1, 2].flatMap((i) => [...world.get('delta', i), ...world.get('delta', i, BodyDelta.px)]);

/** Momentum, and angular momentum about the origin, of the first two. */
function momenta(world: CoreBodies, centers: number[][]): number[] {
  const out = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < 2; i++) {
    const p = world.get('row', i).map((x) => x * MASSES[i]!);
    const w = world.get('row', i, BodyRow.wx);
    const l = cross(centers[i]!, p);
    for (let k = 0; k < 3; k++) {
      out[k]! += p[k]!;
      out[3 + k]! += l[k]! + 0.4 * MASSES[i]! * RADII[i]! ** 2 * w[k]!;
    }
  }
  return out;
}
/** Speed with which the first two come nearer. */
function approach(world: CoreBodies): number {
  const [a, b] = [world.get('center', 0), world.get('center', 1)];
  const n = b.map((x, k) => x - a[k]!);
  const [va, vb] = [world.get('row', 0), world.get('row', 1)];
  return n.reduce((sum, x, k) => sum + (x / Math.hypot(...n)) * (va[k]! - vb[k]!), 0);
}

const SOLVERS: [string, number, boolean][] = [
  ['wide', SOLVER_WIDE, true],
  ['wide of the product', SOLVER_WIDE, false],
  ['cell-split', SOLVER_CELL_SPLIT, true],
  ['cell-split of the product', SOLVER_CELL_SPLIT, false],
  ['colored', SOLVER_COLORED, true],
  ['sequential', SOLVER_PGS, true],
];

for (const [name, solver, hook] of SOLVERS) {
  test(`the ${name} solver ends the approach and keeps momentum and angular momentum`, () => {
    const world = meeting(solver, hook);
    const centers = [0, 1].map((i) => world.get('center', i));
    const before = momenta(world, centers);
    expect(approach(world)).toBeGreaterThan(1);
    const dt = world.headerFloat(Header.dt);
    const alone = velocities(world).slice(12);
    expect(world.core.step()).toBe(0);
    expect(world.header(Header.pairCount)).toBe(1);
    expect(approach(world)).toBeLessThan(0.05);
    // Arms are those at the start of the step.
    expect(farthest(momenta(world, centers), before)).toBeLessThan(2e-5);
    expect(velocities(world).slice(12)).toEqual(alone);
    const gone = world.get('center', 2).map((x, k) => x - [9, 8, 7][k]!);
    expect(
      farthest(
        gone,
        alone.slice(0, 3).map((x) => x * dt),
      ),
    ).toBeLessThan(2e-6);
  });
}

/** Stages up to the solver. */
function untilSolver(world: CoreBodies): void {
  expect(world.core.stepBroadphase()).toBe(0);
  expect(world.core.stepContacts()).toBe(0);
}

test('a step of the external solver, or of one that a product does not have, leaves bodies to whoever solves it', () => {
  for (const [solver, hook] of [
    [SOLVER_EXTERNAL, true],
    [SOLVER_EXTERNAL, false],
    [SOLVER_PGS, false],
  ] as const) {
    const world = meeting(solver, hook);
    const before = velocities(world);
    untilSolver(world);
    expect(world.core.stepSolve()).toBe(0);
    expect(velocities(world)).toEqual(before);
    expect(deltas(world)).toEqual(new Array(18).fill(0));
    // What the host writes is what the end of the step moves by.
    world.set('delta', 2, 0, [0.5, 0.25, -0.125]);
    expect(world.core.stepEnd()).toBe(0);
    expect(farthest(world.get('center', 2), [9.5, 8.25, 6.875])).toBe(0);
  }
});

test('solvers of the product are the same with the hook of the study and without', () => {
  for (const solver of [SOLVER_WIDE, SOLVER_CELL_SPLIT]) {
    const [study, product] = [true, false].map((hook) => {
      const world = meeting(solver, hook);
      untilSolver(world);
      world.core.stepSolve();
      return [...velocities(world), ...deltas(world)];
    }) as [number[], number[]];
    expect(product).toEqual(study);
  }
});

test('a solver that takes over from another has its pairs and goes on without a loss of momentum', () => {
  const world = meeting(SOLVER_WIDE);
  for (const [steps, solver] of [SOLVER_CELL_SPLIT, SOLVER_PGS, SOLVER_COLORED, SOLVER_WIDE].entries()) {
    const centers = [0, 1].map((i) => world.get('center', i));
    const before = momenta(world, centers);
    world.core.setSolver(solver);
    expect(world.header(Header.solver)).toBe(solver);
    expect(world.header(Header.pairCount)).toBe(steps > 0 ? 1 : 0);
    world.core.step();
    const after = momenta(world, centers);
    expect(farthest(after.slice(0, 3), before.slice(0, 3))).toBeLessThan(1e-5);
    expect(farthest(after, before)).toBeLessThan(2e-3);
    expect(approach(world)).toBeLessThan(0.05);
  }
});
