// world.advance on WebGPU: it never waits; steps that are due begin as soon as the one before them has arrived, between calls, too;
// time that a slow GPU takes is made up for or dropped.
import { beforeAll, describe, expect, test } from 'vitest';
import { createKernels } from '../../../src/gpu/pipelines';
import type { StepSolver } from '../../../src/gpu/step_solver';
import { FaultyDevice } from '../../helpers/faulty_device';
import { useDevice } from '../../helpers/gpu';
import { createWorld } from '../../helpers/worlds';

const gpu = useDevice();
/** One for all: kernels are compiled once per device. */
let faulty: FaultyDevice;

beforeAll(async () => {
  faulty = new FaultyDevice(gpu.device);
  await createKernels(faulty.device);
});

async function open(device: GPUDevice) {
  const world = await createWorld({ backend: 'webgpu', device });
  const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape, position: [0, -0.5, 0] });
  const body = world.createBody({ shape, position: [0, 0.5, 0] });
  return { world, body };
}

const idle = () => new Promise((resolve) => setTimeout(resolve, 1));

test('a step that has not landed leaves the time for the next call, up to the bound', async () => {
  const { world } = await open(faulty.device);
  await world.stepAsync();
  faulty.fault = 'hang';
  const order: string[] = [];
  const calls = { beforeStep: () => order.push('before'), afterStep: () => order.push(`after ${world.stepCount}`) };
  expect(world.advance(1 / 60, calls)).toMatchObject({ steps: 1, waiting: false });
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    const frame = world.advance(1 / 60, calls);
    expect(frame).toMatchObject({ steps: 0, waiting: true, alpha: 1, dropped: 0 });
    expect(performance.now() - start).toBeLessThan(500);
  }
  // It began once, and finished nothing.
  expect(order).toEqual(['before']);
  const late = world.advance(10, calls);
  expect(late.dropped).toBeCloseTo(10 - 1 / 60, 4);
  expect(world.stepCount).toBe(1);
  faulty.fault = null;
  faulty.release();
  await world.settle();
  // The time that waited, 0.1 s, is six steps, made one after the other without another call. The last one landed with `settle`.
  expect(order).toEqual(['before', ...[2, 3, 4, 5, 6, 7].flatMap((step) => [`after ${step}`, 'before'])]);
  expect(world.stepCount).toBe(8);
  expect(world.advance(0, calls)).toMatchObject({ steps: 6, waiting: false });
  expect(world.profile.pace).toBeLessThan(0.1);
  world.dispose();
});

/** A page of `frames` frames of 1/60 s whose GPU answers `latency` ms after each submit, in simulated milliseconds. */
async function page(world: Awaited<ReturnType<typeof createWorld>>, latency: number, frames: number) {
  const flying = () => (world as unknown as { flying: object | null }).flying !== null;
  const made: number[] = [];
  let [begun, dropped, steps] = [0, 0, -1];
  const look = (now: number) => {
    if (!flying() || world.stepCount === steps) return;
    begun = now;
    steps = world.stepCount;
  };
  for (let ms = 0, frame = 0; frame < frames; ms++) {
    if (flying() && ms - begun >= latency && steps === world.stepCount) {
      // Its result arrives; what it lets begin begins at once, or nothing is due and it lands with the next call.
      const solver = (world as unknown as { flying: StepSolver }).flying;
      faulty.release();
      await solver.result();
      await Promise.resolve();
      await idle();
    }
    look(ms);
    if (ms < (frame * 1000) / 60) continue;
    frame++;
    const result = world.advance(1 / 60);
    made.push(result.steps);
    dropped += result.dropped;
    look(ms);
  }
  faulty.fault = null;
  faulty.release();
  await world.settle();
  return { made, dropped };
}

describe('steps that are due begin when the result before them arrives', () => {
  test.each([
    [60, 1],
    [60, 5],
    [60, 8],
    [120, 1],
    [120, 5],
    [240, 1],
  ])('dt = 1/%i, answers after %i ms: all are made, and no warning is given', async (rate, latency) => {
    const told: string[] = [];
    const world = await createWorld({
      backend: 'webgpu',
      device: faulty.device,
      dt: 1 / rate,
      warn: (message) => told.push(message),
    });
    world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }) });
    await world.stepAsync();
    faulty.fault = 'hang';
    const { made, dropped } = await page(world, latency, 40);
    expect(dropped).toBe(0);
    expect(world.stepCount - 1).toBe((40 * rate) / 60);
    expect(made.slice(2).every((steps) => steps === rate / 60)).toBe(true);
    expect(world.profile.pace).toBe(1);
    expect(told).toEqual([]);
    world.dispose();
  });

  test.each([
    [240, 5],
    [240, 8],
  ])('dt = 1/%i, answers after %i ms: as many as the latency allows, and the warning says so', async (rate, latency) => {
    const told: string[] = [];
    const world = await createWorld({
      backend: 'webgpu',
      device: faulty.device,
      dt: 1 / rate,
      warn: (message) => told.push(message),
    });
    world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }) });
    await world.stepAsync();
    faulty.fault = 'hang';
    const frames = 80;
    const { made } = await page(world, latency, frames);
    const perFrame = made.slice(20).reduce((sum, steps) => sum + steps, 0) / (frames - 20);
    // The clock of this page has whole milliseconds.
    expect(perFrame).toBeGreaterThan(1000 / 60 / latency - 0.2);
    expect(perFrame).toBeLessThanOrEqual(1000 / 60 / latency + 0.1);
    expect(world.profile.pace).toBeLessThan(0.95);
    expect(world.profile.pace).toBeGreaterThan(perFrame / 4 - 0.1);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /the GPU answers .* ms after a step has begun, so it makes [\d.]+ steps per call, and 4 steps of dt = 0\.00417 s are due/,
    );
    expect(told[0]).not.toMatch(/fewer|sleep|simpler/);
    world.dispose();
  });

  test('pictures move evenly, a frame behind', async () => {
    const world = await createWorld({ backend: 'webgpu', device: faulty.device, dt: 1 / 130, gravity: [0, 0, 0] });
    const body = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), linearVelocity: [0, 60, 0] });
    await world.stepAsync();
    const at = [0, 0, 0];
    const heights: number[] = [];
    const advance = world.advance.bind(world);
    world.advance = (seconds: number) => {
      const frame = advance(seconds);
      world.getPose(body, at, null);
      heights.push(at[1]!);
      return frame;
    };
    faulty.fault = 'hang';
    await page(world, 2, 30);
    for (let i = 4; i < heights.length; i++) expect(heights[i]! - heights[i - 1]!, `frame ${i}`).toBeCloseTo(1, 3);
    world.dispose();
  });

  test('what callbacks throw between two calls is thrown by the next call, and nothing is lost', async () => {
    const world = await createWorld({ backend: 'webgpu', device: faulty.device, dt: 1 / 240 });
    world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }) });
    await world.stepAsync();
    let calls = 0;
    const end = world.addController({
      afterStep: () => {
        if (++calls === 2) throw new Error('mine');
      },
    });
    world.advance(1 / 60);
    await world.settle();
    expect(() => world.advance(0)).toThrow('mine');
    end();
    expect(world.advance(0).steps).toBe(0);
    await world.settle();
    // The step that threw is done; those after it were made up for by the call that threw.
    expect(world.stepCount).toBe(5);
    expect(calls).toBeGreaterThanOrEqual(2);
    world.dispose();
  });

  test('bounds of a call hold for the steps after it; a disposed world makes none', async () => {
    const { world } = await open(faulty.device);
    await world.stepAsync();
    world.set({ dt: 1 / 240 });
    world.advance(1 / 60, { maxSteps: 2 });
    await world.settle();
    expect(world.stepCount).toBe(3);
    world.advance(1 / 60, { maxMs: 0 });
    await world.settle();
    expect(world.stepCount).toBe(4);
    world.advance(1 / 60);
    world.dispose();
    await idle();
  });
});

test('the warning tells of results that come too late, every second frame', async () => {
  const told: string[] = [];
  const world = await createWorld({ backend: 'webgpu', device: faulty.device, warn: (message) => told.push(message) });
  world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }) });
  await world.stepAsync();
  faulty.fault = 'hang';
  await page(world, 30, 90);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/the GPU answers .* ms after a step has begun, so it makes 0\.[3-7] steps per call/);
  world.dispose();
});

test('pictures lie between the last two steps that landed', async () => {
  const { world, body } = await open(faulty.device);
  world.set({ gravity: [0, 0, 0] });
  world.setVelocity(body, [0, 60, 0]);
  world.advance(0);
  for (let i = 0; i < 4; i++) await world.stepAsync();
  const at = [0, 0, 0];
  for (const alpha of [0, 0.5, 1]) {
    world.getPose(body, at, null, alpha);
    expect(at[1]).toBeCloseTo(0.5 + 3 + alpha, 4);
  }
  // A jump while a step is in flight takes effect when that has landed, and is not shown on the way.
  expect(world.step()).toBe(true);
  world.teleport(body, [0, 100, 0]);
  await world.stepAsync();
  world.getPose(body, at, null, 0);
  expect(at[1]).toBeCloseTo(100, 3);
  world.dispose();
});
