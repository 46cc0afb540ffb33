// What every method on rows has to go through on WebGPU by the public API (tests/src/gpu_jacobi.test.ts, gpu_sweeps.test.ts).
import { expect, inject, vi } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../../src/study/index';
import { losableDevice } from './gpu';

/** A heap of boxes, the lower ones inside each other. `begin` is called before there are any. */
export async function pile(options: WorldOptions, count = 24): Promise<World> {
  const world = await createWorld(options);
  const cube = world.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] });
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? 0.5 + i / 12 : Math.sin(i * 3) * 1.2));
  world.createBodies({ count, shape: cube, positions });
  return world;
}

/** Events of a step without ids. */
export const impacts = (world: World) =>
  [...world.events].map(({ kind, impulse, approachSpeed }) => ({ kind, impulse, approachSpeed }));

/** Equal positions on a software adapter. */
export function same(a: World, b: World, message?: string): void {
  if (inject('adapter').software) expect(a.positions, message).toEqual(b.positions);
}

/** Bodies go, come and are moved, settings change while a step is in flight: it does not reach them. */
export async function callsInFlight(options: WorldOptions, next: WorldOptions['solver']): Promise<void> {
  const world = await pile({ ...options, gravity: [0, 0, 0] }, 6);
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
  world.set({ substeps: 4, ...(next && { solver: next }) });
  await world.stepAsync();
  await world.stepAsync();
  expect(world.getPosition(fresh, [0, 0, 0])[0]).toBeCloseTo(50.2, 4);
  expect(world.getPosition(ids[1]!, [0, 0, 0])[1]).toBeCloseTo(0.1, 4);
  expect(world.profile.backend).toBe('webgpu');
  world.dispose();
}

/** The device goes while a step is in flight, which the twin then solves; `next` belongs to the step after it. */
export async function losesDevice(options: WorldOptions, next: WorldOptions): Promise<void> {
  const own = await losableDevice();
  const world = await pile({ ...options, backend: 'webgpu', device: own.device });
  const twin = await pile(options);
  for (let i = 0; i < 8; i++) {
    await world.stepAsync();
    twin.step();
  }
  expect(world.step()).toBe(true);
  world.set(next);
  own.device.destroy();
  await world.stepAsync();
  expect(world.stepCount).toBe(10);
  expect(world.profile.backend).toBe('wasm');
  expect(world.faults.deviceLost).not.toBe(null);
  twin.step();
  twin.set(next);
  twin.step();
  same(world, twin);
  for (let i = 0; i < 20; i++) expect(world.step()).toBe(true);
  expect(world.faults.notFinite).toBe(false);
  world.dispose();
  twin.dispose();
}

/** No buffer is large enough: WASM solves what was packed, in the order that was drawn for it. */
export async function isTooLarge(device: GPUDevice, options: WorldOptions): Promise<void> {
  const world = await pile({ ...options, backend: 'webgpu', device });
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
}
