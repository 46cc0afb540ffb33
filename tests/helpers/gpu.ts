// Devices for tests on the adapter that the setup found. Files share one device for the life of their process, since kernels are
// compiled once a device: useDevice(). A test that loses or breaks its device opens its own: testDevice(). Validation errors that
// nobody waits for fail the test.
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { create, globals } from 'webgpu';
import { type GpuDevice, openDevice } from '../../src/gpu/device';

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

/** The device of this process, once a file has asked. */
let shared: Promise<TestDevice> | undefined;

/**
 * Gives the tests of a file or of a `describe` the device that all files of this process share. Call it where tests are declared; its
 * fields are there from `beforeAll` on. Nobody destroys the device. With `own`, it is a device for these tests alone, destroyed after
 * them. A test fails if the device has an uncaptured error after it.
 */
export function useDevice({ own = false } = {}): TestDevice {
  const used = {} as TestDevice;
  beforeAll(async () => {
    if (!own) shared ??= testDevice();
    Object.assign(used, await (own ? testDevice() : shared));
  });
  // Emptied, so that an error fails the tests that made it, not all after them.
  const check = () => expect(used.errors.splice(0)).toEqual([]);
  afterEach(check);
  afterAll(() => {
    check();
    if (own) used.device.destroy();
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
