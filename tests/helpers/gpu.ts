// Devices for tests on the adapter that the setup found: useDevice() for a file or a group of tests. A test that loses or breaks its
// device opens one by itself: testDevice(). Validation errors that nobody waits for fail the test.
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { create, globals } from 'webgpu';
import { paceDawn } from '../../scripts/pace_dawn.mjs';
import { type GpuDevice, openDevice } from '../../src/gpu/device';

if (inject('adapter').software) paceDawn();
Object.assign(globalThis, globals);
// Held for the life of the process: Dawn goes away with its entry object. Without the zeroing of workgroup memory software
// adapters compile in a third of the time, and kernels that count on it would show.
const gpu: GPU = create(['enable-dawn-features=disable_workgroup_init']);

/** A device with a list of its uncaptured errors. */
export type TestDevice = GpuDevice & { errors: string[] };

/** A fresh device with a list of its uncaptured errors; the caller destroys it. */
export async function testDevice(): Promise<TestDevice> {
  const opened = await openDevice({ gpu });
  const errors: string[] = [];
  opened.device.addEventListener('uncapturederror', (event) => {
    errors.push((event as GPUUncapturedErrorEvent).error.message);
  });
  return Object.assign(opened, { errors });
}

/**
 * Gives the tests of a file or of a `describe` a device. Call it where tests are declared; its fields are there from `beforeAll` on. It is
 * destroyed after the last of them: a process whose files shared one got slower from file to file. A test fails if the device has an
 * uncaptured error after it.
 */
export function useDevice(): TestDevice {
  const used = {} as TestDevice;
  beforeAll(async () => {
    Object.assign(used, await testDevice());
  });
  // Emptied, so that an error fails the tests that made it, not all after them.
  const check = () => expect(used.errors.splice(0)).toEqual([]);
  afterEach(check);
  afterAll(() => {
    check();
    used.device.destroy();
  });
  return used;
}

/** Copies a buffer back. */
export async function readBuffer(device: GPUDevice, buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
  const size = Math.max(Math.ceil(bytes / 16) * 16, 16);
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, Math.min(size, buffer.size));
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const copy = staging.getMappedRange().slice(0, bytes);
  staging.destroy();
  return copy;
}
