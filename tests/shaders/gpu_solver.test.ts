// The GPU solver in a running world, collision on the CPU: against the twin step by step, what is moved, loss of the device.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type GpuCore, GpuSolver } from '../../src/gpu/gpu_solver';
import { SOLVER_CELL_SPLIT, SOLVER_EXTERNAL } from '../../src/layout.generated';
import { boxWorld, type CoreWorld, dropBoxes } from '../helpers/core_world';
import { readBuffer, testDevice } from '../helpers/gpu';
import type { Vec3 } from '../helpers/manifold_builder';

let gpu: Awaited<ReturnType<typeof testDevice>>;
const solvers: GpuSolver[] = [];

beforeAll(async () => {
  gpu = await testDevice();
});
afterEach(() => {
  expect(gpu.errors).toEqual([]);
});
afterAll(() => {
  for (const solver of solvers) solver.destroy();
});

function configure(world: CoreWorld, solver: number): void {
  world.core.setSolver(solver);
  world.setHeader('substeps', 8);
  world.setHeader('sweeps', 2);
  world.setHeaderFloat('contactHertzRatio', 0.16);
}

async function solverOf(world: CoreWorld): Promise<GpuSolver> {
  configure(world, SOLVER_EXTERNAL);
  // The device belongs to the whole file.
  const solver = await GpuSolver.create({ ...gpu, isOwned: false }, world.memory, world.core as unknown as GpuCore, {
    timestamps: true,
  });
  solvers.push(solver);
  return solver;
}

async function stepOnGpu(world: CoreWorld, solver: GpuSolver): Promise<void> {
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(solver.submit()).toBe(true);
  expect(solver.submit()).toBe(false);
  expect(await solver.result()).toBe('ready');
  expect(solver.poll()).toBe('ready');
  expect(solver.apply()).toBe(true);
  expect(world.core.stepEnd()).toBe(0);
}

/** Largest difference of two states. */
function difference(a: Float32Array, b: Float32Array): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
}

/** Makes the state of a CPU world that of a GPU world: the next step of both starts from the same bytes. */
function copyWorld(from: CoreWorld, to: CoreWorld): void {
  const missing = from.memory.buffer.byteLength - to.memory.buffer.byteLength;
  if (missing > 0) to.memory.grow(missing / 65536);
  new Uint8Array(to.memory.buffer).set(new Uint8Array(from.memory.buffer));
}

describe('a pile of boxes', () => {
  it('follows the twin, and moves little once it lies', async () => {
    const boxes = dropBoxes(60, 9);
    const world = boxWorld(boxes);
    const solver = await solverOf(world);
    const twin = boxWorld(boxes);
    configure(twin, SOLVER_CELL_SPLIT);
    for (const w of [world, twin]) w.setHeader('granularity', 40);
    let shared = 0;
    for (let i = 0; i < 45; i++) {
      // Each step starts from the state of the GPU's world, so that rounding on other adapters does not add up.
      copyWorld(world, twin);
      configure(twin, SOLVER_CELL_SPLIT);
      twin.core.step();
      await stepOnGpu(world, solver);
      const d = difference(world.state(), twin.state());
      expect(d, `step ${i}`).toBeLessThanOrEqual(inject('adapter').software ? 0 : 5e-4);
      shared = Math.max(shared, world.header('splitBodyCount'));
    }
    expect(shared).toBeGreaterThan(0);
    expect(solver.stats.dispatches).toBeLessThanOrEqual(6 + 17);
    for (let i = 0; i < 60; i++) await stepOnGpu(world, solver);
    expect(solver.stats.edits).toBeLessThan(world.header('activeCount') / 4);
    expect(solver.stats.uploadBytes).toBeGreaterThan(0);
    if (!Number.isNaN(solver.stats.gpuMs)) expect(solver.stats.gpuMs).toBeGreaterThan(0);
  });

  it('a free run on a software adapter stays equal to the twin', async () => {
    const boxes = dropBoxes(24, 4);
    const world = boxWorld(boxes);
    const solver = await solverOf(world);
    const twin = boxWorld(boxes);
    configure(twin, SOLVER_CELL_SPLIT);
    for (let i = 0; i < 120; i++) {
      await stepOnGpu(world, solver);
      twin.core.step();
    }
    if (inject('adapter').software) expect(difference(world.state(), twin.state())).toBe(0);
    expect(world.rms()).toBeLessThan(2);
  });

  it('a stack comes to rest, and then the GPU holds everything', async () => {
    const world = boxWorld(Array.from({ length: 5 }, (_, i) => ({ at: [0, 0.5 + i, 0] as Vec3, half: [0.5, 0.5, 0.5] as Vec3 })));
    const solver = await solverOf(world);
    for (let i = 0; i < 200; i++) await stepOnGpu(world, solver);
    expect(world.rms()).toBeLessThan(1e-4);
    expect(solver.stats.edits).toBe(0);
    if (inject('adapter').software) expect(solver.stats.dirtyBodies).toBe(0);
    expect(solver.stats.uploadBytes).toBe(0);
    expect(solver.stats.dispatches).toBe(5);
  });

  it('poses for renderers are those of the world', async () => {
    const world = boxWorld(dropBoxes(20, 2));
    const solver = await solverOf(world);
    for (let i = 0; i < 10; i++) await stepOnGpu(world, solver);
    const n = world.header('bodyCount');
    const poses = new Float32Array(await readBuffer(gpu.device, solver.poseBuffer, n * 32));
    const positions = new Float32Array(world.memory.buffer, world.header('positions'), n * 4);
    const rotations = new Float32Array(world.memory.buffer, world.header('rotations'), n * 4);
    for (let i = 0; i < n; i++) {
      expect(difference(poses.subarray(i * 8, i * 8 + 4), positions.subarray(i * 4, i * 4 + 4))).toBeLessThan(1e-5);
      expect(difference(poses.subarray(i * 8 + 4, i * 8 + 8), rotations.subarray(i * 4, i * 4 + 4))).toBeLessThan(1e-4);
    }
  });
});

it('what the CPU changes between steps reaches the GPU; new bodies too', async () => {
  const boxes: { at: Vec3; half: Vec3 }[] = [{ at: [0, 5, 0], half: [0.5, 0.5, 0.5] }];
  const world = boxWorld(boxes);
  const solver = await solverOf(world);
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(2);
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(0);
  world.core.setVelocity(1, 7, 0, 0, 0, 0, 0);
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(1);
  expect(world.state()[20]).toBeCloseTo(7, 5);
  // Enough bodies that every buffer grows.
  for (let i = 0; i < 40; i++) {
    const body = world.core.createBody(2, 3 + i, 8, 0, 0, 0, 0, 1) >>> 0;
    world.core.setMassProperties(body, 10, 0, 0, 0, 1, 1, 1, 0, 0, 0);
  }
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(40);
  expect(world.state()[20]).toBeCloseTo(7, 5);
  const fallen = world.state();
  for (let i = 2; i < 42; i++) expect(fallen[i * 20 + 1]).toBeCloseTo(-9.81 / 60, 5);
});

it('bodies come and go, kinematic bodies move, the friction model changes: the twin follows', async () => {
  const boxes = dropBoxes(18, 3);
  const world = boxWorld(boxes);
  const solver = await solverOf(world);
  const twin = boxWorld(boxes);
  const both = [world, twin];
  configure(twin, SOLVER_CELL_SPLIT);
  for (const w of both) w.setHeader('granularity', 12);
  const change = (step: number) => {
    for (const w of both) {
      if (step === 20) w.core.removeBody(4);
      if (step === 20) w.core.setBodyType(6, 1);
      if (step === 24) w.core.setVelocity(6, 0.5, 0, 0.2, 0, 1, 0);
      if (step === 30) w.setHeader('frictionModel', 1);
      if (step === 45) w.setHeader('frictionModel', 0);
      if (step === 50) w.core.createBody(2, 0, 9, 0, 0, 0, 0, 1);
      if (step === 55) w.core.setPose(8, 0, 4, 0, 0, 0.6, 0, 0.8);
      // One step of many sweeps, with the mean after each.
      if (step === 70) w.setHeader('substeps', 1);
      if (step === 70) w.setHeader('sweeps', 9);
      if (step === 70) w.setHeader('meanEachSweep', 1);
    }
  };
  for (let i = 0; i < 85; i++) {
    change(i);
    await stepOnGpu(world, solver);
    twin.core.step();
    if (inject('adapter').software) expect(difference(world.state(), twin.state()), `step ${i}`).toBe(0);
  }
});

it('an empty world steps', async () => {
  const world = boxWorld([]);
  const solver = await solverOf(world);
  await stepOnGpu(world, solver);
  await stepOnGpu(world, solver);
  expect(solver.stats.dispatches).toBeLessThan(4);
});

it('a lost device loses no state: the same step goes on in WASM', async () => {
  const boxes = dropBoxes(30, 6);
  const own = await testDevice();
  const world = boxWorld(boxes);
  configure(world, SOLVER_EXTERNAL);
  const solver = await GpuSolver.create(own, world.memory, world.core as unknown as GpuCore);
  const twin = boxWorld(boxes);
  configure(twin, SOLVER_CELL_SPLIT);
  for (let i = 0; i < 5; i++) {
    await stepOnGpu(world, solver);
    twin.core.step();
  }
  const events: string[] = [];
  solver.onLost = (loss) => events.push(loss.reason);
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(solver.submit()).toBe(true);
  own.device.destroy();
  await own.lost;
  await solver.result();
  expect(solver.poll()).toBe('lost');
  expect(solver.apply()).toBe(false);
  expect(solver.submit()).toBe(false);
  expect(events).toEqual(['destroyed']);
  // The step that was in flight, solved here instead.
  world.core.setSolver(SOLVER_CELL_SPLIT);
  expect(world.core.stepSolve()).toBe(0);
  expect(world.core.stepEnd()).toBe(0);
  twin.core.step();
  const tolerance = inject('adapter').software ? 0 : 1e-3;
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(tolerance);
  world.core.step();
  twin.core.step();
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(tolerance);
  // A new device takes over.
  const again = await solverOf(world);
  await stepOnGpu(world, again);
  twin.core.step();
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(tolerance);
});
