// Runs of the solver on lanes: islands with a number of substeps each, batches of small ones, impulses that follow the number.
import { expect, test } from 'vitest';
import { Manifold, SOLVER_EXTERNAL, SOLVER_WIDE } from '../../../src/layout.generated';
import { boxWorld, type CoreWorld } from '../../helpers/core_world';
import type { Vec3 } from '../../helpers/manifold_builder';

const HALF: Vec3 = [0.5, 0.5, 0.5];

/** Columns of boxes of 1 m, 3 m apart, of so many boxes each; bodies count from 1, column by column. */
function columns(counts: number[]): CoreWorld {
  const boxes = counts.flatMap((count, c) =>
    Array.from({ length: count }, (_, i) => ({ at: [3 * (c % 20) - 30, 0.5 + i, 3 * Math.floor(c / 20)] as Vec3, half: HALF })),
  );
  const world = boxWorld(boxes);
  world.setHeader('autoSubsteps', 1);
  return world;
}

function step(world: CoreWorld, steps: number): void {
  for (let i = 0; i < steps; i++) expect(world.core.step()).toBe(0);
}

test('a tower has its own batch and number; small islands share batches', () => {
  const world = columns([14, ...Array.from({ length: 100 }, () => 4)]);
  step(world, 120);
  const { core } = world;
  for (let body = 1; body <= 14; body++) {
    expect(core.testBatchOf(body)).toBe(core.testBatchOf(1));
    expect(core.testSubstepsOf(body)).toBe(10);
  }
  const sizes = new Map<number, number>();
  for (let body = 15; body <= 414; body++) {
    expect(core.testSubstepsOf(body)).toBe(6);
    const batch = core.testBatchOf(body);
    expect(batch).toBe(core.testBatchOf(15 + 4 * Math.floor((body - 15) / 4)));
    sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
  }
  expect(sizes.has(core.testBatchOf(1))).toBe(false);
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(128);
  expect(sizes.size).toBe(4);
  expect(world.header('substeps')).toBe(10);
});

test('all of it stays calm while batches are laid out, and where one is: no jump at the change of the number', () => {
  const world = columns([14, ...Array.from({ length: 40 }, () => 5)]);
  for (let i = 0; i < 240; i++) {
    step(world, 1);
    if (i > 120) expect(world.rms()).toBeLessThan(1e-3);
  }
  expect(world.rms()).toBeLessThan(1e-3);
});

test('a bridge makes one batch of two, with the larger number at once', () => {
  const world = columns([14, 3]);
  const { core } = world;
  step(world, 120);
  expect(core.testBatchOf(1)).not.toBe(core.testBatchOf(15));
  expect(core.testSubstepsOf(15)).toBe(6);
  // The top box of the low column goes to the side of the tower.
  core.setPose(17, -29, 2.5, 0, 0, 0, 0, 1);
  core.setPose(15, -28, 0.5, 0, 0, 0, 0, 1);
  core.setPose(16, -28, 1.5, 0, 0, 0, 0, 1);
  step(world, 2);
  expect(core.testBatchOf(15)).toBe(core.testBatchOf(1));
  expect(core.testSubstepsOf(15)).toBe(10);
});

test('impulses follow another length of the substep and another solver', () => {
  const world = columns([14, 3, 3]);
  step(world, 240);
  const { core } = world;
  const moved = (change: () => void) => {
    change();
    let most = 0;
    for (let i = 0; i < 10; i++) {
      step(world, 1);
      most = Math.max(most, world.rms());
    }
    return most;
  };
  expect(world.rms()).toBeLessThan(1e-3);
  expect(moved(() => world.setHeaderFloat('dt', 1 / 63))).toBeLessThan(1e-2);
  expect(moved(() => world.setHeaderFloat('dt', 1 / 60))).toBeLessThan(1e-2);
  step(world, 120);
  // The solver goes: impulses of all batches become those of one substep, and bear the columns as before.
  expect(core.testSubstepsOf(1)).toBe(10);
  expect(core.testSubstepsOf(15)).toBe(6);
  core.setSolver(SOLVER_EXTERNAL);
  const view = new DataView(world.memory.buffer);
  const borne = new Map<number, number>();
  for (let i = 0; i < world.header('manifoldCount'); i++) {
    const at = core.manifoldAt(i) >>> 0;
    if (view.getUint32(at + Manifold.bodyA, true) !== 0) continue;
    let sum = 0;
    for (let k = 0; k < view.getUint32(at + Manifold.count, true); k++)
      sum += view.getFloat32(at + Manifold.impulse0 + k * 64, true);
    borne.set(view.getUint32(at + Manifold.bodyB, true), (sum * world.header('substeps')) / ((1000 * 9.81) / 60));
  }
  expect(borne.get(1)).toBeCloseTo(14, 2);
  expect(borne.get(15)).toBeCloseTo(3, 2);
  expect(borne.get(18)).toBeCloseTo(3, 2);
  core.setSolver(SOLVER_WIDE);
  expect(moved(() => {})).toBeLessThan(1e-3);
});
