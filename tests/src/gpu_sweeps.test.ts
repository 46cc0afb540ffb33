// Mass splitting by body pair and colored Gauss-Seidel on WebGPU through the public API: how they are chosen, the twin's results,
// changes of solver while a world runs, a lost device, scenes that are too large, a wall at rest.
import { expect, inject, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { createWorld, type World, type WorldOptions } from '../../src/study/index';
import { useDevice } from '../helpers/gpu';
import { faultsOf, NO_FAULTS } from '../helpers/ground';
import { isLong } from '../helpers/long';
import { callsInFlight, impacts, isTooLarge, losesDevice, pile } from '../helpers/row_scenes';
import { sceneWorld } from '../helpers/scene_world';

const gpu = useDevice();

const onGpu = (options: WorldOptions): WorldOptions => ({ backend: 'webgpu', device: gpu.device, ...options });
const exact = () => inject('adapter').software;

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

test('presets are those of WASM, and so is what they do, nearly', async () => {
  for (const solver of ['pair-split', 'colored'] as const) {
    const world = await pile(onGpu({ solver, preset: 'fast' }), 8);
    const twin = await pile({ solver, preset: 'fast' }, 8);
    expect(world.settings).toEqual(twin.settings);
    // WASM has a solver of its own for each, with SIMD or packed cells; WebGPU works on rows.
    expect(world.activeSolver).toBe(solver === 'colored' ? 'color-order' : 'pair-split');
    expect(twin.activeSolver).toBe(solver);
    for (let i = 0; i < 12; i++) {
      await world.stepAsync();
      twin.step();
    }
    expect(world.profile.contactCount).toBeGreaterThan(4);
    // The points of a packed link share one softness and the mean of both arms (docs/gpu.md, Bytes of a sweep); those of rows do not.
    expect(apart(world, twin), solver).toBeLessThan(solver === 'pair-split' ? 1e-2 : 1e-3);
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

test('the mean once a pass: as on WASM, in fewer dispatches', async () => {
  const options: WorldOptions = { solver: 'pair-split', preset: 'fast', mean: 'pass' };
  const world = await pile(onGpu(options), 8);
  const twin = await pile(options, 8);
  for (let i = 0; i < 12; i++) {
    await world.stepAsync();
    twin.step();
  }
  // Ten substeps: two before the sweeps and two for them, one before the rigid ones and two for them; excess and poses.
  expect(world.profile.dispatches).toBe(10 * 7 + 2);
  expect(apart(world, twin)).toBeLessThan(1e-2);
  world.dispose();
  twin.dispose();
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
  for (let i = 0; i < 120; i++) world.step();
  const start = Float32Array.from(world.positions);
  await world.setBackend('webgpu', gpu.device);
  for (let i = 0; i < (isLong ? 12 : 4); i++) {
    await world.stepAsync();
    expect(world.profile.backend).toBe('webgpu');
  }
  expect(world.measure().rmsSpeed).toBeLessThan(1e-4);
  expect(world.positions.reduce((most, x, i) => Math.max(most, Math.abs(x - start[i]!)), 0)).toBeLessThan(1e-4);
  world.dispose();
});

test('calls while a step is in flight', () => callsInFlight(onGpu({ solver: 'pair-split' }), 'colored'));

test.each(['pair-split', 'colored'] as const)('%s: a lost device, the step goes on with WASM', (solver) =>
  losesDevice({ ...ONE_STEP, solver, permutation: true }, { solver: solver === 'colored' ? 'pair-split' : 'colored' }),
);

test.each(['pair-split', 'colored'] as const)('%s: a scene that is too large for the device is solved on WASM', (solver) =>
  isTooLarge(gpu.device, { ...ONE_STEP, solver, permutation: true }),
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
