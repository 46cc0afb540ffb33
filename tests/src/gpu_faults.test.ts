// What goes wrong on a device, made by hand: nothing of a void step reaches the world, the twin on WASM solves it, the world says what
// happened, and the GPU path goes on if it can.
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createKernels } from '../../src/gpu/pipelines';
import { createWorld, type World, type WorldOptions } from '../../src/index';
import { type FaultName, FaultyDevice } from '../helpers/faulty_device';
import { losableDevice, useDevice } from '../helpers/gpu';
import { isLong, onlyLong } from '../helpers/long';

const gpu = useDevice();
let faulty: FaultyDevice;

beforeAll(async () => {
  faulty = new FaultyDevice(gpu.device, { vendor: 'acme' });
  // Compiled here, once a device.
  await createKernels(faulty.device);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  faulty.fault = null;
  faulty.release();
  for (const name of Object.keys(faulty.limits)) delete faulty.limits[name as keyof GPUSupportedLimits];
  // Every error of a step was caught.
});

async function pile(options: WorldOptions, count = 24): Promise<World> {
  // All is read back, so that results are those of the twin to the bit.
  const world = await createWorld({ substeps: 4, readbackTolerance: 0, ...options });
  const cube = world.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] });
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? 0.5 + i / 12 : Math.sin(i * 3) * 1.2));
  world.createBodies({ count, shape: cube, positions });
  return world;
}

const onGpu = () => pile({ backend: 'webgpu', device: faulty.device });
const twinOf = () => pile({ solver: 'cell-split' });

/** Both worlds make a step; on a software adapter they stay equal to the bit. */
async function stepBoth(world: World, twin: World, backend: 'wasm' | 'webgpu', what: string): Promise<void> {
  await world.stepAsync();
  twin.step();
  expect(world.profile.backend, what).toBe(backend);
  expect(world.stepCount).toBe(twin.stepCount);
  if (inject('adapter').software) {
    expect(world.positions, what).toEqual(twin.positions);
    expect(world.rotations, what).toEqual(twin.rotations);
  }
}

describe.each([
  ['invalid', /./],
  ['memory', /not enough memory/],
  ['internal', /something broke/],
  ['swallow', /stamp/],
  ['blind', /no scope/],
  ['throw', /no encoder/],
] as [FaultName, RegExp][])('%s', (fault, message) => {
  test('one step is void, WASM solves it, the next one is solved on the GPU', async () => {
    const world = await onGpu();
    const twin = await twinOf();
    // Bodies are made, so that buffers grow in the step at fault.
    for (let round = 1; round < 4; round++) {
      for (let i = 0; i < 3; i++) await stepBoth(world, twin, 'webgpu', `before fault ${round}`);
      for (const w of [world, twin]) {
        const shape = w.createShape({ type: 'sphere', radius: 0.3 });
        const positions = Float32Array.from({ length: 180 * round }, (_, i) => (i % 3 === 1 ? 2 * round : i));
        w.createBodies({ count: 60 * round, shape, positions });
      }
      faulty.fault = fault;
      await stepBoth(world, twin, 'wasm', `fault ${round}`);
      faulty.fault = null;
      expect(world.faults.gpuFailures).toBe(round);
      expect(world.faults.gpuError).toMatch(message);
      expect(world.backendReport).toMatchObject({ asked: 'webgpu', active: 'webgpu', lastError: world.faults.gpuError });
      expect(world.gpuPoses).toBeNull();
    }
    await stepBoth(world, twin, 'webgpu', 'after all');
    expect(world.gpuPoses).toMatchObject({ step: 13, since: 13 });
    expect(world.faults.deviceLost).toBeNull();
    world.dispose();
  });

  test('three in a row: the GPU is given up, and comes back when it is asked for', async () => {
    const world = await onGpu();
    const twin = await twinOf();
    await stepBoth(world, twin, 'webgpu', 'first');
    faulty.fault = fault;
    for (let i = 0; i < 3; i++) await stepBoth(world, twin, 'wasm', `fault ${i}`);
    faulty.fault = null;
    expect(world.activeBackend).toBe('wasm');
    expect(world.backendReport.reason).toMatch(/^WebGPU was given up: /);
    expect(world.faults.gpuFailures).toBe(3);
    // From here on WASM solves as it would by itself.
    twin.set({ solver: 'auto' });
    await stepBoth(world, twin, 'wasm', 'given up');
    await world.setBackend('webgpu');
    twin.set({ solver: 'cell-split' });
    await stepBoth(world, twin, 'webgpu', 'asked for');
    expect(world.backendReport.reason).toBe('it was asked for');
    world.dispose();
  });
});

test('a step with `step` is told of errors too', async () => {
  const world = await onGpu();
  const twin = await twinOf();
  for (let i = 0; i < 4; i++) {
    faulty.fault = i === 2 ? 'invalid' : null;
    while (!world.step()) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  faulty.fault = null;
  for (let i = 0; i < 4; i++) twin.step();
  while (world.stepCount < 4) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    world.step();
  }
  expect(world.faults.gpuFailures).toBe(1);
  if (inject('adapter').software) expect(world.positions).toEqual(twin.positions);
  world.dispose();
});

describe('a map that does not end', () => {
  test('after a while WASM solves the step; a result that comes after all is ignored, and the GPU is in use again', async () => {
    const world = await onGpu();
    const twin = await twinOf();
    for (let i = 0; i < 3; i++) await stepBoth(world, twin, 'webgpu', 'before');
    faulty.fault = 'hang';
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    expect(world.step()).toBe(true);
    const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
    // This thread was away: what has arrived meanwhile gets its turn.
    now += 11_000;
    expect(world.step()).toBe(false);
    await turn();
    now += 5;
    expect(world.step()).toBe(false);
    expect(world.stepCount).toBe(3);
    now += 6;
    // Takes the void step over on WASM, and begins no other one on this device.
    expect(world.step()).toBe(true);
    expect(world.stepCount).toBe(5);
    expect(world.profile.backend).toBe('wasm');
    expect(world.faults).toMatchObject({ gpuFailures: 1, gpuError: 'no result in 11011 ms', deviceLost: null });
    expect(world.backendReport).toMatchObject({ active: 'wasm', reason: 'a result of WebGPU is late: no result in 11011 ms' });
    twin.step();
    twin.set({ solver: 'auto' });
    twin.step();
    if (inject('adapter').software) expect(world.positions).toEqual(twin.positions);
    await stepBoth(world, twin, 'wasm', 'no device');
    faulty.fault = null;
    faulty.release();
    await vi.waitFor(() => expect(world.activeBackend).toBe('webgpu'), 5000);
    twin.set({ solver: 'cell-split' });
    for (let i = 0; i < 3; i++) await stepBoth(world, twin, 'webgpu', 'after');
    world.dispose();
  });

  test('stepAsync does not wait for ever', async () => {
    const world = await onGpu();
    const twin = await twinOf();
    await stepBoth(world, twin, 'webgpu', 'before');
    faulty.fault = 'hang';
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 100;
      return now;
    });
    faulty.nudges = 0;
    await stepBoth(world, twin, 'wasm', 'hung');
    expect(world.faults.gpuError).toMatch(/no result in \d+ ms/);
    // Browsers that deliver maps only when they see work have been shown some all the while.
    expect(faulty.nudges).toBeGreaterThan(10);
    world.dispose();
  });

  test('a device that is lost with such a map', async () => {
    const own = await losableDevice();
    const hanging = new FaultyDevice(own.device);
    const world = await pile({ backend: 'webgpu', device: hanging.device });
    const twin = await twinOf();
    await stepBoth(world, twin, 'webgpu', 'before');
    hanging.fault = 'hang';
    expect(world.step()).toBe(true);
    own.device.destroy();
    await own.lost;
    await world.stepAsync();
    // The step that was begun by the twin, one more by WASM as by itself.
    twin.step();
    twin.set({ solver: 'auto' });
    twin.step();
    expect(world.stepCount).toBe(3);
    if (inject('adapter').software) expect(world.positions).toEqual(twin.positions);
    expect(world.faults.deviceLost).not.toBeNull();
    expect(world.backendReport.reason).toMatch(/^there is no WebGPU device: /);
    world.dispose();
  });
});

test('a scene beyond the limits is reported once, and comes back when it is smaller', async () => {
  const world = await onGpu();
  const twin = await twinOf();
  for (let i = 0; i < 40; i++) await stepBoth(world, twin, 'webgpu', 'before');
  const { backend } = world as unknown as { backend: { solvers: Map<string, { pack(): number }> } };
  const pack = vi.spyOn(backend.solvers.get('cells')!, 'pack');
  faulty.limits.maxStorageBufferBindingSize = 4096;
  const spare = [24, 23, 22, 21, 20, 19, 18, 17, 16, 15].map((slot) => world.bodyAt(slot)!);
  // Buffers that are there are not asked for again, those of more bodies are.
  for (const w of [world, twin]) {
    const shape = w.createShape({ type: 'sphere', radius: 0.3 });
    w.createBodies({ count: 300, shape, positions: Float32Array.from({ length: 900 }, (_, i) => (i % 3 === 1 ? 9 : i)) });
  }
  await stepBoth(world, twin, 'wasm', 'too large');
  expect(pack).toHaveBeenCalledTimes(1);
  expect(world.faults).toMatchObject({ gpuFailures: 1, gpuError: expect.stringMatching(/bytes, the device takes at most 4096/) });
  expect(world.backendReport.reason).toMatch(/^WebGPU was given up: talus .* at most 4096/);
  twin.set({ solver: 'auto' });
  for (let i = 0; i < 5; i++) await stepBoth(world, twin, 'wasm', 'given up');
  expect(world.faults.gpuFailures).toBe(1);
  expect(backend.solvers.size).toBe(0);
  delete faulty.limits.maxStorageBufferBindingSize;
  for (const id of spare) world.removeBody(id);
  await vi.waitFor(async () => {
    await world.stepAsync();
    expect(world.profile.backend).toBe('webgpu');
  }, 20_000);
  world.dispose();
});

describe('auto, with a clock that only the solvers move', () => {
  const WASM_MS = 20;
  let now: number;
  let world: World;
  let gpuMs: number;
  let start: Float32Array;

  /** Boxes on a floor, 1,200 contacts. */
  async function field(): Promise<World> {
    // A software adapter takes as many times as long as there are substeps.
    const substeps = isLong ? 4 : 2;
    const made = await createWorld({ backend: 'auto', device: faulty.device, substeps, sleep: false });
    const cube = made.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] });
    const floor = made.createShape({ type: 'box', halfExtents: [20, 1, 20] });
    made.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
    const positions = Float32Array.from({ length: 900 }, (_, i) => {
      const place = Math.floor(i / 3);
      return [place % 20, 0.4, Math.floor(place / 20)][i % 3]!;
    });
    made.createBodies({ count: 300, shape: cube, positions });
    start = made.positions.slice();
    await vi.waitFor(() => expect(made.backendReport.reason).toBe('there are fewer than 1000 contacts'), 20_000);
    now = 1000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    faulty.onMapped = () => {
      now += gpuMs;
    };
    const open = made as unknown as { core: { stepSolve(): number } };
    const { core } = open;
    open.core = {
      ...core,
      stepSolve: () => {
        now += WASM_MS;
        return core.stepSolve();
      },
    };
    return made;
  }

  /** Steps to the end of a count of steps; returns how many were solved on the GPU. */
  async function steps(count: number): Promise<number> {
    let onGpu = 0;
    for (let i = 0; i < count; i++) {
      await world.stepAsync();
      if (world.profile.backend === 'webgpu') onGpu++;
    }
    return onGpu;
  }

  /** Largest distance of a body from where it was made, m. */
  const moved = () => world.positions.reduce((most, x, i) => Math.max(most, Math.abs(x - start[i]!)), 0);

  afterEach(() => {
    faulty.onMapped = () => {};
    world.dispose();
  });

  test('a fast device is chosen, a device that slows down is left; nothing moves', async () => {
    gpuMs = 5;
    world = await field();
    // Nine steps on WASM, a first step on the GPU, nine that count, and two more.
    expect(await steps(21)).toBe(12);
    expect(world.backendReport).toMatchObject({
      asked: 'auto',
      active: 'webgpu',
      reason: 'WebGPU was faster',
      wasmMs: 20,
      gpuMs: 5,
      wasmSteps: 9,
      gpuSteps: 9,
      nextTrial: null,
      lastError: null,
    });
    expect(moved()).toBeLessThan(1e-3);
    gpuMs = 60;
    expect(await steps(10)).toBe(5);
    expect(world.backendReport).toMatchObject({ active: 'wasm', reason: 'WebGPU has become slower', gpuMs: 60 });
    expect(world.backendReport.nextTrial).toBeGreaterThan(world.stepCount + 500);
    expect(moved()).toBeLessThan(1e-3);
    expect(world.faults).toMatchObject({ gpuFailures: 0, deviceLost: null });
  });

  test.each(onlyLong('where two steps per frame are due'))(
    '%s, a device that answers in time makes both and is chosen',
    async () => {
      gpuMs = 0.5;
      world = await field();
      world.set({ dt: 1 / 120 });
      let onGpu = 0;
      for (let frame = 0; frame < 60; frame++) {
        world.advance(1 / 60);
        await world.settle();
        if (world.profile.backend === 'webgpu') onGpu++;
      }
      expect(onGpu).toBeGreaterThan(40);
      expect(world.stepCount).toBe(120);
      expect(world.backendReport).toMatchObject({ active: 'webgpu', reason: 'WebGPU was faster' });
    },
  );

  test('with a device that does not answer a trial costs four frames', async () => {
    gpuMs = 0;
    world = await field();
    await steps(10);
    expect(world.backendReport).toMatchObject({ isTrial: true });
    faulty.fault = 'hang';
    const done: number[] = [];
    for (let frame = 0; frame < 12; frame++) {
      now += 1000 / 60;
      await new Promise((resolve) => setTimeout(resolve, 1));
      world.step();
      done.push(world.stepCount);
    }
    // The step of the trial is begun in the first frame, overdue after 40 ms, and solved on WASM in the frame after that.
    expect(done).toEqual([10, 10, 10, 10, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(world.backendReport).toMatchObject({
      active: 'wasm',
      isTrial: false,
      reason: expect.stringMatching(/^WebGPU failed: no result in/),
    });
    expect(moved()).toBeLessThan(1e-3);
  });
});

test('more workgroups than fit in a row go on in the next ones', async () => {
  const few = new FaultyDevice(gpu.device);
  few.limits.maxComputeWorkgroupsPerDimension = 2;
  const world = await pile({ backend: 'webgpu', device: few.device, granularity: 4 }, 160);
  const twin = await pile({ solver: 'cell-split', granularity: 4 }, 160);
  for (let i = 0; i < (isLong ? 12 : 2); i++) await stepBoth(world, twin, 'webgpu', `step ${i}`);
  expect(world.profile.splitBodies).toBeGreaterThan(0);
  expect(few.groups[0]).toBe(2);
  // Lanes of links and bodies, and cells: an odd number of rows, one longer than what is left.
  expect(few.groups[1]).toBeGreaterThan(5);
  world.dispose();
});
