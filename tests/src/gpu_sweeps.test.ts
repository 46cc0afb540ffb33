// Mass splitting by body pair and colored Gauss-Seidel on WebGPU through the public API: how they are chosen, the twin's results,
// changes of solver while a world runs, a lost device, scenes that are too large, a wall at rest.
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { buildScene } from '../../scenes/index';
import { Header } from '../../src/layout.generated';
import type { LinearMemory } from '../../src/memory';
import { createWorld, type World, type WorldOptions } from '../../src/study/index';
import { testDevice } from '../helpers/gpu';
import { faultsOf, NO_FAULTS } from '../helpers/ground';
import { sceneWorld } from '../helpers/scene_world';

let gpu: Awaited<ReturnType<typeof testDevice>>;

beforeAll(async () => {
  gpu = await testDevice();
});
afterAll(() => {
  expect(gpu.errors).toEqual([]);
  gpu.device.destroy();
});

async function pile(options: WorldOptions, count = 24, begin: (world: World) => void = () => {}): Promise<World> {
  const world = await createWorld(options);
  begin(world);
  const cube = world.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] });
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? 0.5 + i / 12 : Math.sin(i * 3) * 1.2));
  world.createBodies({ count, shape: cube, positions });
  return world;
}

const onGpu = (options: WorldOptions): WorldOptions => ({ backend: 'webgpu', device: gpu.device, ...options });
const exact = () => inject('adapter').software;

/**
 * With substeps WASM takes the mean of `pair-split` once a pass, WebGPU after every sweep: now both do. The first step writes the
 * settings, so there is one before.
 */
function meanEachSweep(world: World): void {
  world.step();
  (world as unknown as { memory: LinearMemory }).memory.setHeaderU32(Header.meanEachSweep, 1);
}

/** Largest distance of two worlds' bodies, m. */
function apart(a: World, b: World): number {
  return a.positions.reduce((most, x, i) => Math.max(most, Math.abs(x - b.positions[i]!)), 0);
}

// With one step of Baumgarte's stabilization all of them work on rows on WASM too.
const ONE_STEP: WorldOptions = { integration: 'one-step', iterations: 12, stabilization: 'baumgarte' };

test.each(['pair-split', 'pair-split-printed', 'colored'] as const)(
  '%s on WebGPU gives what its rows give on WASM',
  async (solver) => {
    const world = await pile(onGpu({ ...ONE_STEP, solver }));
    const twin = await pile({ ...ONE_STEP, solver });
    expect(world.settings).toEqual(twin.settings);
    expect(world.activeSolver).toBe(twin.activeSolver);
    for (let i = 0; i < 24; i++) {
      await world.stepAsync();
      twin.step();
      const impacts = (w: World) => [...w.events].map(({ kind, impulse, approachSpeed }) => ({ kind, impulse, approachSpeed }));
      if (exact()) expect(impacts(world)).toEqual(impacts(twin));
    }
    expect(world.profile.backend).toBe('webgpu');
    expect(world.gpuPoses?.count).toBe(25);
    if (exact()) expect(world.positions).toEqual(twin.positions);
    expect(faultsOf(world)).toEqual(NO_FAULTS);
    world.dispose();
    twin.dispose();
  },
);

test('presets are those of WASM, and so is what they do, to rounding', async () => {
  for (const solver of ['pair-split', 'colored'] as const) {
    const world = await pile(onGpu({ solver, preset: 'fast' }), 8);
    const twin = await pile({ solver, preset: 'fast' }, 8, meanEachSweep);
    expect(world.settings).toEqual(twin.settings);
    // WASM has a solver of its own for each, with SIMD or packed cells; WebGPU works on rows.
    expect(world.activeSolver).toBe(solver === 'colored' ? 'color-order' : 'pair-split');
    expect(twin.activeSolver).toBe(solver);
    for (let i = 0; i < 12; i++) {
      await world.stepAsync();
      twin.step();
    }
    expect(world.profile.contactCount).toBeGreaterThan(4);
    expect(apart(world, twin), solver).toBeLessThan(1e-3);
    world.dispose();
    twin.dispose();
  }
});

test('dispatches: two a sweep by pairs, one a color and sweep by colors', async () => {
  const pairs = await pile(onGpu({ ...ONE_STEP, solver: 'pair-split' }));
  const colors = await pile(onGpu({ ...ONE_STEP, solver: 'colored' }));
  for (const world of [pairs, colors]) for (let i = 0; i < 20; i++) await world.stepAsync();
  // Before them the warm start and gravity, after them the poses.
  expect(pairs.profile.dispatches).toBe(2 + 2 * 12 + 1);
  expect(colors.profile.colors).toBeGreaterThan(2);
  expect(colors.profile.dispatches).toBe(2 + 12 * colors.profile.colors + 1 + 1);
  pairs.dispose();
  colors.dispose();
});

test('solvers change as a world runs: from cells to pairs in the background, among rows at once', async () => {
  const world = await pile(onGpu({}));
  const twin = await pile({ solver: 'cell-split' });
  for (let i = 0; i < 4; i++) {
    await world.stepAsync();
    twin.step();
  }
  for (const w of [world, twin]) w.set({ solver: 'pair-split', ...ONE_STEP, frictionModel: 'random-tangent' });
  // step() never waits: its twin does the work until the kernels are there; stepAsync waits for them.
  expect(world.step()).toBe(true);
  twin.step();
  expect(world.profile.backend).toBe('wasm');
  for (const solver of ['pair-split', 'colored', 'pair-split-printed', 'jacobi-accumulate', 'colored'] as const) {
    for (const w of [world, twin]) w.set({ solver });
    for (let i = 0; i < 2; i++) {
      await world.stepAsync();
      twin.step();
      expect(world.profile.backend, solver).toBe('webgpu');
    }
    if (exact()) expect(world.positions, solver).toEqual(twin.positions);
  }
  await world.setBackend('wasm');
  await world.stepAsync();
  expect(world.profile.backend).toBe('wasm');
  await world.setBackend('webgpu');
  world.set({ solver: 'cell-split', stabilization: 'soft', frictionModel: 'patch', integration: 'substeps', relax: true });
  await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  expect(faultsOf(world)).toEqual(NO_FAULTS);
  world.dispose();
  twin.dispose();
});

test('a wall of eight layers that rests with pairs on WASM rests on WebGPU', async () => {
  const scene = buildScene('wall', { seed: 1, scale: 8 / 30 });
  const world = await sceneWorld(scene, { solver: 'pair-split', preset: 'fast', sleep: false });
  meanEachSweep(world);
  for (let i = 0; i < 120; i++) world.step();
  const start = Float32Array.from(world.positions);
  await world.setBackend('webgpu', gpu.device);
  for (let i = 0; i < 12; i++) {
    await world.stepAsync();
    expect(world.profile.backend).toBe('webgpu');
  }
  expect(world.measure().rmsSpeed).toBeLessThan(1e-4);
  expect(world.positions.reduce((most, x, i) => Math.max(most, Math.abs(x - start[i]!)), 0)).toBeLessThan(1e-4);
  world.dispose();
});

test('calls while a step is in flight', async () => {
  const world = await pile(onGpu({ solver: 'pair-split', gravity: [0, 0, 0] }), 6);
  const ids = Array.from({ length: 6 }, (_, i) => world.bodyAt(i + 1)!);
  const cube = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
  await world.stepAsync();
  expect(world.step()).toBe(true);
  const slot = world.indexOf(ids[0]!);
  world.removeBody(ids[0]!);
  const fresh = world.createBody({ shape: cube, position: [50, 0, 0], linearVelocity: [6, 0, 0] });
  expect(world.indexOf(fresh)).toBe(slot);
  world.teleport(ids[1]!, [30, 0, 0]);
  world.setVelocity(ids[1]!, [0, 3, 0]);
  world.orderingReport('geometric');
  world.set({ substeps: 4, solver: 'colored' });
  await world.stepAsync();
  await world.stepAsync();
  expect(world.getPosition(fresh, [0, 0, 0])[0]).toBeCloseTo(50.2, 4);
  expect(world.getPosition(ids[1]!, [0, 0, 0])[1]).toBeCloseTo(0.1, 4);
  expect(world.profile.backend).toBe('webgpu');
  world.dispose();
});

test.each(['pair-split', 'colored'] as const)('%s: a lost device, the step goes on with WASM', async (solver) => {
  const own = await testDevice();
  const options: WorldOptions = { ...ONE_STEP, solver, permutation: true };
  const world = await pile({ ...options, backend: 'webgpu', device: own.device });
  const twin = await pile(options);
  for (let i = 0; i < 8; i++) {
    await world.stepAsync();
    twin.step();
  }
  expect(world.step()).toBe(true);
  // What is asked for now belongs to the next step: the one in flight is that of the packed solver.
  const next: WorldOptions = { solver: solver === 'colored' ? 'pair-split' : 'colored' };
  world.set(next);
  own.device.destroy();
  await world.stepAsync();
  expect(world.stepCount).toBe(10);
  expect(world.profile.backend).toBe('wasm');
  expect(world.faults.deviceLost).not.toBe(null);
  twin.step();
  twin.set(next);
  twin.step();
  if (exact()) expect(world.positions).toEqual(twin.positions);
  for (let i = 0; i < 20; i++) expect(world.step()).toBe(true);
  expect(world.faults.notFinite).toBe(false);
  world.dispose();
  twin.dispose();
});

test.each(['pair-split', 'colored'] as const)(
  '%s: a scene that is too large for the device is solved on WASM',
  async (solver) => {
    const options: WorldOptions = { ...ONE_STEP, solver, permutation: true };
    const world = await pile(onGpu(options));
    const twin = await pile(options);
    const { backend } = world as unknown as { backend: { solvers: Map<string, { reserve(): void }> } };
    // Of all solvers: the scene is tried again as it gets smaller.
    const reserve = vi.spyOn(Object.getPrototypeOf(backend.solvers.get('rows')), 'reserve').mockImplementation(() => {
      throw new RangeError('too large');
    });
    for (let i = 0; i < 10; i++) {
      await world.stepAsync();
      twin.step();
      expect(world.profile.backend).toBe('wasm');
    }
    expect(reserve).toHaveBeenCalled();
    reserve.mockRestore();
    expect(world.positions).toEqual(twin.positions);
    world.dispose();
    twin.dispose();
  },
);

test('what there is not is refused', async () => {
  const refused = { code: 'unsupported' };
  for (const solver of ['pgs', 'cell-order', 'jacobi-line-search'] as const) {
    await expect(createWorld(onGpu({ solver }))).rejects.toMatchObject(refused);
  }
  for (const solver of ['pair-split', 'colored'] as const) {
    await expect(createWorld(onGpu({ solver, shockPropagation: 0.5 }))).rejects.toMatchObject(refused);
  }
});
