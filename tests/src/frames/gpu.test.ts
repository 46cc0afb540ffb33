// world.advance on WebGPU: it goes on with what has landed and never waits; time that a slow GPU takes is made up for or let go.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultyDevice } from '../../helpers/faulty_device';
import { testDevice } from '../../helpers/gpu';
import { createWorld } from '../../helpers/worlds';

let gpu: Awaited<ReturnType<typeof testDevice>>;

beforeAll(async () => {
  gpu = await testDevice();
});
afterAll(() => {
  expect(gpu.errors).toEqual([]);
  gpu.device.destroy();
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
  const faulty = new FaultyDevice(gpu.device);
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
  while (world.advance(0, calls).alpha > 0.5) await idle();
  expect(order.slice(0, 3)).toEqual(['before', 'after 2', 'before']);
  // The time that waited, 0.1 s, is six steps; the last of them is on the GPU.
  const after = order.filter((name) => name.startsWith('after')).length;
  expect(order.filter((name) => name === 'before').length).toBe(after + 1);
  expect(world.stepCount).toBe(1 + after);
  expect(after).toBe(6);
  await world.stepAsync();
  world.dispose();
});

test('the warning says that the backend makes one step per call, not that the scene is too large', async () => {
  const told: string[] = [];
  const short = await createWorld({ backend: 'webgpu', device: gpu.device, dt: 1 / 120, warn: (message) => told.push(message) });
  short.createBody({ shape: short.createShape({ type: 'sphere', radius: 0.5 }) });
  for (let i = 0; i < 60; i++) {
    expect(short.advance(1 / 60).steps).toBe(1);
    await short.settle();
  }
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/one step per call.* 2 steps of dt = 0\.00833 s.*world\.set\(\{ dt: 1 \/ 60 \}\).*backend: 'wasm'/);
  expect(told[0]).not.toMatch(/fewer|sleep|simpler/);
  short.dispose();
});

test('the warning tells of results that come too late, every second frame', async () => {
  const told: string[] = [];
  const world = await createWorld({ backend: 'webgpu', device: gpu.device, warn: (message) => told.push(message) });
  world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }) });
  await world.stepAsync();
  const landed = (world as unknown as { landed(): boolean }).landed.bind(world);
  let frame = 0;
  (world as unknown as { landed(): boolean }).landed = () => frame % 2 === 0 && landed();
  for (; frame < 90; frame++) {
    await idle();
    world.advance(1 / 60);
  }
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/the GPU takes longer for a step than the time between two calls/);
  (world as unknown as { landed(): boolean }).landed = landed;
  await world.settle();
  world.dispose();
});

test('pictures lie between the last two steps that landed', async () => {
  const { world, body } = await open(gpu.device);
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
