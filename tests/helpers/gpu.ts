// Devices for tests on the adapter that the setup found: useDevice() for a file or a group of tests. A test that loses its device asks for
// one by itself: losableDevice(), or testDevice() where it has to be a device of its own. Validation errors that nobody waits for fail the
// test.
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { create, globals } from 'webgpu';
import { paceDawn } from '../../scripts/pace_dawn.mjs';
import { type DeviceLoss, type GpuDevice, openDevice } from '../../src/gpu/device';
import { over } from './faulty_device';
import { isLong } from './long';

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

/** The device of this process: files that run in one share it, with the kernels that it has compiled. */
let shared: Promise<TestDevice> | undefined;

function sharedDevice(): Promise<TestDevice> {
  shared ??= testDevice();
  return shared;
}

/**
 * Gives the tests of a file or of a `describe` a device. Call it where tests are declared; its fields are there from `beforeAll` on. Files
 * share it: a software adapter compiles the kernels of a device for ten seconds. A test fails if the device has an uncaptured error after it.
 */
export function useDevice(): TestDevice {
  const used = {} as TestDevice;
  beforeAll(async () => {
    Object.assign(used, await sharedDevice());
  });
  // Emptied, so that an error fails the tests that made it, not all after them.
  const check = () => expect(used.errors.splice(0)).toEqual([]);
  afterEach(check);
  afterAll(check);
  return used;
}

/**
 * A device to lose: `device.destroy()`. In the long form it is one of its own. In the short one it works on the shared device, whose kernels
 * are compiled, and goes alone: it says that it is lost, maps fail and submits do nothing.
 */
export async function losableDevice(): Promise<TestDevice> {
  if (isLong) return testDevice();
  const { device: real, errors } = await sharedDevice();
  let isLost = false;
  let lose = (_loss: DeviceLoss): void => {};
  const lost = new Promise<DeviceLoss>((resolve) => {
    lose = resolve;
  });
  const abort = () => {
    throw new DOMException('the device is lost', 'AbortError');
  };
  const device = over(real, {
    lost,
    queue: over(real.queue, { submit: (buffers: GPUCommandBuffer[]) => isLost || real.queue.submit(buffers) }),
    createBuffer: (descriptor: GPUBufferDescriptor) => {
      const buffer = real.createBuffer(descriptor);
      const mapAsync = buffer.mapAsync.bind(buffer);
      buffer.mapAsync = async (...range) => (isLost ? abort() : Promise.race([mapAsync(...range), lost.then(abort)]));
      return buffer;
    },
    destroy: () => {
      isLost = true;
      lose({ reason: 'destroyed', message: 'it was destroyed' });
    },
  });
  return Object.assign(await openDevice({ device }), { errors });
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
