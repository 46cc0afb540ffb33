// All five solvers in a running world: closed forms that do not depend on the solver.
import { describe, expect, it } from 'vitest';
import {
  SOLVER_CELL_ORDER,
  SOLVER_CELL_SPLIT,
  SOLVER_COLORED,
  SOLVER_PAIR_SPLIT,
  SOLVER_PGS,
} from '../../../src/layout.generated';
import { boxWorld, type CoreWorld } from '../../helpers/core_world';
import type { Vec3 } from '../../helpers/manifold_builder';

const solvers: [string, number][] = [
  ['colored', SOLVER_COLORED],
  ['pgs', SOLVER_PGS],
  ['cell-order', SOLVER_CELL_ORDER],
  ['pair-split', SOLVER_PAIR_SPLIT],
  ['cell-split', SOLVER_CELL_SPLIT],
];

function run(boxes: { at: Vec3; half: Vec3 }[], solver: number, prepare: (w: CoreWorld) => void, steps: number): CoreWorld {
  const world = boxWorld(boxes);
  world.core.setSolver(solver);
  world.setHeader('substeps', 8);
  world.setHeader('sweeps', 2);
  // Pair splitting converges slowly and holds only softer contacts.
  world.setHeaderFloat('contactHertzRatio', solver === SOLVER_PAIR_SPLIT ? 0.04 : 0.16);
  prepare(world);
  for (let i = 0; i < steps; i++) expect(world.core.step()).toBe(0);
  return world;
}

/** Centre of a body. */
const center = (world: CoreWorld, body: number): Vec3 => {
  const s = world.state();
  return [s[body * 20 + 8], s[body * 20 + 9], s[body * 20 + 10]];
};

describe.each(solvers)('%s', (name, solver) => {
  it('a stack stands where it was put', () => {
    const boxes = Array.from({ length: 5 }, (_, i) => ({ at: [0, 0.5 + i, 0] as Vec3, half: [0.5, 0.5, 0.5] as Vec3 }));
    const world = run(boxes, solver, () => {}, 400);
    expect(world.rms()).toBeLessThan(2e-5);
    const depth = name === 'pair-split' ? 0.02 : 0.004;
    for (let i = 0; i < 5; i++) {
      const [x, y, z] = center(world, i + 1);
      expect(Math.hypot(x, z)).toBeLessThan(0.005);
      expect(y).toBeLessThan(0.5 + i + 1e-4);
      expect(y).toBeGreaterThan(0.5 + i - depth);
    }
  });

  it('a sliding box stops after v^2 / (2 mu g)', () => {
    const world = run(
      [{ at: [0, 0.2, 0], half: [0.6, 0.2, 0.6] }],
      solver,
      (w) => {
        for (let i = 0; i < 20; i++) w.core.step();
        w.core.setVelocity(1, 4, 0, 0, 0, 0, 0);
      },
      90,
    );
    expect(center(world, 1)[0]).toBeCloseTo(16 / (2 * 0.6 * 9.81), 1);
    expect(world.rms()).toBeLessThan(1e-4);
  });

  it('boxes that collide in space keep their momentum', () => {
    const half: Vec3 = [0.5, 0.5, 0.5];
    const world = run(
      [
        { at: [0, 20, 0], half },
        { at: [1.1, 20.3, 0.2], half },
        { at: [2.2, 19.9, -0.1], half },
      ],
      solver,
      (w) => {
        w.setHeaderFloat('gravityY', 0);
        w.core.setVelocity(1, 3, 0, 0, 0, 0, 0);
      },
      60,
    );
    const s = world.state();
    const sum = [0, 1, 2].map((k) => s[20 + k] + s[40 + k] + s[60 + k]);
    expect(sum[0]).toBeCloseTo(3, 4);
    expect(sum[1]).toBeCloseTo(0, 4);
    expect(sum[2]).toBeCloseTo(0, 4);
    expect(s[60]).toBeGreaterThan(0.1);
  });
});

it('solvers take over from each other without a jolt', () => {
  const boxes = Array.from({ length: 6 }, (_, i) => ({ at: [0, 0.5 + i, 0] as Vec3, half: [0.5, 0.5, 0.5] as Vec3 }));
  const world = run(boxes, SOLVER_COLORED, () => {}, 300);
  for (const next of [SOLVER_CELL_SPLIT, SOLVER_PGS, SOLVER_COLORED, SOLVER_CELL_ORDER, SOLVER_COLORED, SOLVER_CELL_SPLIT]) {
    world.core.setSolver(next);
    for (let i = 0; i < 10; i++) {
      world.core.step();
      expect(world.rms(), `solver ${next}`).toBeLessThan(2e-4);
    }
  }
});

it('a body that is not dynamic has no mass, whatever is said: what impulses move is in an island', () => {
  const at = (x: number): { at: Vec3; half: Vec3 } => ({ at: [x, 0.5, 0], half: [0.5, 0.5, 0.5] });
  const world = boxWorld([at(0), at(0.995), at(1.99)]);
  world.core.setSolver(SOLVER_CELL_SPLIT);
  world.core.setBodyType(2, 1);
  world.core.setMassProperties(2, 5, 0, 0, 0, 1, 1, 1, 0, 0, 0);
  world.core.applyImpulse(1, 900, 0, 0, 0, 0, 0);
  for (let i = 0; i < 30; i++) expect(world.core.step()).toBe(0);
  expect(center(world, 2)).toEqual([Math.fround(0.995), 0.5, 0]);
  expect(world.core.testIslandOf(1)).toBe(1);
  expect(world.core.testIslandOf(3)).toBe(3);
});
