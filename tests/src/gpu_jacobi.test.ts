// Jacobi on WebGPU through the public API: options, the twin's results, changes of solver while it runs, calls while a step is
// in flight, a lost device, sums out of range.
import { expect, inject, test } from 'vitest';
import { createWorld, type WorldOptions } from '../../src/study/index';
import { useDevice } from '../helpers/gpu';
import { faultsOf, NO_FAULTS } from '../helpers/ground';
import { callsInFlight, impacts, isTooLarge, losesDevice, pile, same } from '../helpers/row_scenes';

const gpu = useDevice();

const onGpu = (options: WorldOptions): WorldOptions => ({ backend: 'webgpu', device: gpu.device, ...options });

test('a Jacobi solver on WebGPU gives what it gives on WASM, with the same settings', async () => {
  const options: WorldOptions = { solver: 'jacobi-accumulate', preset: 'fast' };
  const world = await pile(onGpu(options));
  const twin = await pile(options);
  expect(world.settings).toEqual(twin.settings);
  expect(world.settings.accumulation).toBe('segmented');
  for (let i = 0; i < 24; i++) {
    await world.stepAsync();
    twin.step();
    if (inject('adapter').software) expect(impacts(world)).toEqual(impacts(twin));
  }
  expect(world.profile.backend).toBe('webgpu');
  // 10 substeps of 4 sweeps with relax: prepare, apply, and two dispatches for each sweep.
  expect(world.profile.dispatches).toBeGreaterThan(10 * (1 + 1 + 2 * 4 + 1 + 2 * 4));
  expect(world.profile.bytesUp).toBeGreaterThan(0);
  expect(world.profile.bytesDown).toBeGreaterThan(0);
  expect(world.gpuPoses?.count).toBe(25);
  same(world, twin);
  expect(world.readLabels('cell').every((label) => label === 0xffffffff)).toBe(true);
  world.dispose();
});

test('solvers, sums and backends change as a world runs', async () => {
  const world = await pile(onGpu({}));
  const twin = await pile({ solver: 'cell-split' });
  const both = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await world.stepAsync();
      twin.step();
    }
  };
  await both(4);
  const oneStep = {
    integration: 'one-step',
    iterations: 12,
    stabilization: 'baumgarte',
    frictionModel: 'random-tangent',
  } as const;
  for (const w of [world, twin]) w.set({ solver: 'jacobi-assembled', ...oneStep });
  // The kernels are compiled first: stepAsync waits for them.
  await both(4);
  expect(world.profile.backend).toBe('webgpu');
  for (const w of [world, twin]) w.set({ solver: 'scalar-split' });
  await both(3);
  same(world, twin, 'scalar-split');
  world.set({ solver: 'jacobi-accumulate', accumulation: 'compare-exchange' });
  await world.stepAsync();
  world.set({ accumulation: 'fixed-point' });
  await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  await expect(world.setBackend('wasm')).rejects.toMatchObject({ code: 'unsupported' });
  world.set({ accumulation: 'segmented' });
  await world.setBackend('wasm');
  await world.stepAsync();
  expect(world.profile.backend).toBe('wasm');
  await world.setBackend('webgpu');
  world.set({ solver: 'cell-split', stabilization: 'soft', frictionModel: 'patch', integration: 'substeps', relax: true });
  await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  expect(faultsOf(world)).toEqual(NO_FAULTS);
  world.dispose();
});

test('step never waits: until the kernels are there WASM does the work', async () => {
  const world = await pile(onGpu({}), 4);
  world.set({ solver: 'jacobi-accumulate' });
  expect(world.step()).toBe(true);
  expect(world.profile.backend).toBe('wasm');
  expect(world.stepCount).toBe(1);
  await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  world.dispose();
});

test('calls while a step is in flight', () => callsInFlight(onGpu({ solver: 'jacobi-accumulate' }), 'jacobi-assembled'));

test('a lost device: the step goes on with WASM, nothing is lost', () =>
  losesDevice({ solver: 'jacobi-accumulate', preset: 'fast', permutation: true }, { solver: 'scalar-split' }));

test('fixed-point sums out of range are told, and the step is solved on WASM', async () => {
  const options: WorldOptions = { solver: 'jacobi-accumulate', preset: 'fast' };
  const world = await pile(onGpu({ ...options, accumulation: 'fixed-point' }));
  const twin = await pile(options);
  // Worlds choose ranges that suffice; here the flag of the shader is set by hand.
  const { backend } = world as unknown as { backend: { solvers: Map<string, { take(result: Uint8Array): boolean }> } };
  const solver = backend.solvers.get('rows')!;
  const take = solver.take.bind(solver);
  solver.take = (result) => {
    result[result.length - 16] = 1;
    return take(result);
  };
  for (let i = 0; i < 10; i++) {
    await world.stepAsync();
    twin.step();
    expect(world.profile.backend).toBe('wasm');
  }
  expect(world.faults.saturated).toBe(10);
  expect(world.faults.deviceLost).toBe(null);
  expect(world.positions).toEqual(twin.positions);
  world.dispose();
});

test('a scene that is too large for the device is solved on WASM', () =>
  // With an order drawn anew each step: the twin must draw that of the step that was packed.
  isTooLarge(gpu.device, { solver: 'jacobi-accumulate', preset: 'fast', permutation: true }));

test('what there is not is refused', async () => {
  const refused = { code: 'unsupported' };
  await expect(createWorld({ solver: 'jacobi-accumulate', accumulation: 'fixed-point' })).rejects.toMatchObject(refused);
  await expect(createWorld(onGpu({ solver: 'jacobi-line-search' }))).rejects.toMatchObject(refused);
  await expect(createWorld(onGpu({ solver: 'pgs' }))).rejects.toMatchObject(refused);
  await expect(createWorld(onGpu({ solver: 'jacobi-accumulate', shockPropagation: 0.5 }))).rejects.toMatchObject(refused);
  await expect(createWorld(onGpu({ permutation: true }))).rejects.toMatchObject(refused);
  await expect(createWorld(onGpu({ accumulation: 'atomic' as never }))).rejects.toThrow(/'compare-exchange'/);
  const world = await pile(onGpu({ solver: 'jacobi-accumulate', permutation: true }), 2);
  expect(() => world.set({ solver: 'cell-split' })).toThrow(expect.objectContaining(refused));
  expect(world.settings.solver).toBe('jacobi-accumulate');
  world.dispose();
});
