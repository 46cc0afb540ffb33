// Worlds of the core whose rows are solved on the GPU, step by step beside the twin in WASM (tests of shaders).
import { expect, inject } from 'vitest';
import type { GpuDevice } from '../../src/gpu/device';
import { FRICTION_PYRAMID, SOLVER_EXTERNAL, STABILIZE_BAUMGARTE, STABILIZE_PROJECTION } from '../../src/layout.generated';
import { type RowCore, RowSolver } from '../../src/study/gpu/row_solver';
import type { Accumulation } from '../../src/study/methods';
import { boxWorld, type CoreWorld, dropBoxes } from './core_world';
import type { Vec3 } from './manifold_builder';
import { copyWorld, SPREADS, spreadOf } from './nudge';
import { applySettings, type Settings } from './settings';

/** Soft contacts with relax, four substeps of three sweeps. */
export const SOFT: Settings = { substeps: 4, sweeps: 3, relax: 1, contactHertzRatio: 0.08, meanEachSweep: 1 };
/** One step of many iterations, as in the papers. */
export const ONE_STEP: Settings = {
  substeps: 1,
  sweeps: 12,
  meanEachSweep: 1,
  stabilization: STABILIZE_BAUMGARTE,
  stabilizationFactor: 0.2,
};

export function configure(world: CoreWorld, settings: Settings, solver: number): void {
  world.core.setSolver(solver);
  applySettings(world, settings);
}

/** Solves the rows of a world by a SOLVER_* code. */
export async function rowSolver(
  gpu: GpuDevice,
  world: CoreWorld,
  method: number,
  accumulation: Accumulation = 'segmented',
  core = world.core as unknown as RowCore,
): Promise<RowSolver> {
  // The device belongs to the whole file.
  const solver = await RowSolver.create({ ...gpu, isOwned: false }, world.memory, core, { timestamps: true });
  solver.configure(method, accumulation);
  return solver;
}

export async function stepOnGpu(world: CoreWorld, solver: RowSolver): Promise<void> {
  await solveOnGpu(world, solver);
  expect(world.core.stepEnd()).toBe(0);
}

export async function solveOnGpu(world: CoreWorld, solver: RowSolver): Promise<void> {
  world.core.setSolver(SOLVER_EXTERNAL);
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(solver.submit()).toBe(true);
  expect(solver.submit()).toBe(false);
  expect(await solver.result()).toBe('ready');
  expect(solver.apply()).toBe(true);
}

/** Largest difference of two states. */
export function difference(a: Float32Array, b: Float32Array): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return Number.isNaN(a[0]) ? Number.NaN : worst;
}

export const boxes = (count: number, at: (i: number) => Vec3) =>
  Array.from({ length: count }, (_, i) => ({ at: at(i), half: [0.5, 0.5, 0.5] as Vec3 }));

/**
 * Steps a world on the GPU and each step on the twin too. `largest` is the largest difference of any step, `worst` the same
 * less what last bits make of that step on an adapter that is not a software one.
 */
export async function follow(world: CoreWorld, solver: RowSolver, method: number, settings: Settings, steps: number) {
  const twin = boxWorld([]);
  let worst = 0;
  let largest = 0;
  for (let i = 0; i < steps; i++) {
    // Each step starts from the state of the GPU's world, so that rounding on other adapters does not add up.
    copyWorld(world, twin);
    configure(twin, settings, method);
    const step = (copy: CoreWorld) => {
      configure(copy, settings, method);
      copy.core.step();
    };
    const spread = inject('adapter').software ? 0 : SPREADS * spreadOf(twin, step);
    twin.core.step();
    await stepOnGpu(world, solver);
    const apart = difference(world.state(), twin.state());
    largest = Math.max(largest, apart);
    worst = Number.isNaN(apart) ? Number.NaN : Math.max(worst, apart - spread);
    expect(world.header('contactCount')).toBe(twin.header('contactCount'));
  }
  return { worst, largest, twin };
}

/** A free run: in step `i` bodies come, go and are moved, one becomes kinematic. */
function disturb({ core }: CoreWorld, i: number): void {
  if (i === 12) core.removeBody(4);
  if (i === 12) core.setBodyType(6, 1);
  if (i === 16) core.setVelocity(6, 0.5, 0, 0.2, 0, 1, 0);
  if (i === 30) core.createBody(2, 0, 9, 0, 0, 0, 0, 1);
  if (i === 36) core.setPose(8, 0, 4, 0, 0, 0.6, 0, 0.8);
}

/**
 * Runs a heap for 48 steps on the GPU and on its twin, while bodies are disturbed and settings change; `methodAt`: SOLVER_* of a
 * step.
 */
export async function freeBatch(gpu: GpuDevice, methodAt: (step: number) => number): Promise<void> {
  const start = dropBoxes(14, 3);
  const world = boxWorld(start);
  const twin = boxWorld(start);
  const solver = await rowSolver(gpu, world, methodAt(0));
  let settings: Settings = SOFT;
  for (let i = 0; i < 48; i++) {
    for (const w of [world, twin]) disturb(w, i);
    if (i === 20) settings = { ...SOFT, frictionModel: FRICTION_PYRAMID };
    if (i === 26) settings = { ...ONE_STEP, relax: 0, stabilization: STABILIZE_PROJECTION };
    solver.configure(methodAt(i), 'segmented');
    configure(world, settings, SOLVER_EXTERNAL);
    configure(twin, settings, methodAt(i));
    await stepOnGpu(world, solver);
    twin.core.step();
    if (inject('adapter').software) expect(difference(world.state(), twin.state()), `step ${i}`).toBeLessThanOrEqual(1e-37);
    else expect(Number.isFinite(world.rms())).toBe(true);
  }
  solver.destroy();
}
