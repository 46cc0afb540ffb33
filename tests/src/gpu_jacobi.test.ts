// Jacobi on WebGPU through the public API: options, the twin's results, changes of solver while it runs, calls while a step is
// in flight, a lost device, sums out of range.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../../src/study/index';
import { testDevice } from '../helpers/gpu';
import { faultsOf, NO_FAULTS } from '../helpers/ground';

let gpu: Awaited<ReturnType<typeof testDevice>>;

beforeAll(async () => {
  gpu = await testDevice();
});
afterAll(() => {
  expect(gpu.errors).toEqual([]);
  gpu.device.destroy();
});

async function pile(options: WorldOptions, count = 24): Promise<World> {
  const world = await createWorld(options);
  const cube = world.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] });
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? 0.5 + i / 12 : Math.sin(i * 3) * 1.2));
  world.createBodies({ count, shape: cube, positions });
  return world;
}

const onGpu = (options: WorldOptions): WorldOptions => ({ backend: 'webgpu', device: gpu.device, ...options });

/** Events of a step without ids. */
const impacts = (world: World) => [...world.events].map(({ kind, impulse, approachSpeed }) => ({ kind, impulse, approachSpeed }));

/** Equal positions on a software adapter. */
function same(a: World, b: World, message?: string): void {
  if (inject('adapter').software) expect(a.positions, message).toEqual(b.positions);
}

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

test('calls while a step is in flight', async () => {
  const world = await pile(onGpu({ solver: 'jacobi-accumulate', gravity: [0, 0, 0] }), 6);
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
  world.set({ substeps: 4, solver: 'jacobi-assembled' });
  await world.stepAsync();
  await world.stepAsync();
  expect(world.getPosition(fresh, [0, 0, 0])[0]).toBeCloseTo(50.2, 4);
  expect(world.getPosition(ids[1]!, [0, 0, 0])[1]).toBeCloseTo(0.1, 4);
  expect(world.profile.backend).toBe('webgpu');
  world.dispose();
});

test('a lost device: the step goes on with WASM, nothing is lost', async () => {
  const own = await testDevice();
  const options: WorldOptions = { solver: 'jacobi-accumulate', preset: 'fast', permutation: true };
  const world = await pile({ ...options, backend: 'webgpu', device: own.device });
  const twin = await pile(options);
  for (let i = 0; i < 8; i++) {
    await world.stepAsync();
    twin.step();
  }
  expect(world.step()).toBe(true);
  // What is asked for now belongs to the next step: the one in flight is that of the packed solver.
  world.set({ solver: 'scalar-split' });
  own.device.destroy();
  await world.stepAsync();
  expect(world.stepCount).toBe(10);
  expect(world.profile.backend).toBe('wasm');
  expect(world.faults.deviceLost).not.toBe(null);
  twin.step();
  twin.set({ solver: 'scalar-split' });
  twin.step();
  same(world, twin);
  for (let i = 0; i < 20; i++) expect(world.step()).toBe(true);
  expect(world.faults.notFinite).toBe(false);
  world.dispose();
});

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

test('a scene that is too large for the device is solved on WASM', async () => {
  // With an order drawn anew each step: the twin must draw that of the step that was packed.
  const options: WorldOptions = { solver: 'jacobi-accumulate', preset: 'fast', permutation: true };
  const world = await pile(onGpu(options));
  const twin = await pile(options);
  const { backend } = world as unknown as { backend: { solvers: Map<string, { reserve(): void }> } };
  backend.solvers.get('rows')!.reserve = () => {
    throw new RangeError('too large');
  };
  for (let i = 0; i < 10; i++) {
    await world.stepAsync();
    twin.step();
    expect(world.profile.backend).toBe('wasm');
  }
  expect(world.positions).toEqual(twin.positions);
  world.dispose();
});

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
