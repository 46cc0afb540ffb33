// A device for shader tests on the adapter that the setup found; validation errors that nobody waits for fail the run.
import { create, globals } from 'webgpu';
import { type GpuDevice, openDevice } from '../../src/gpu/device';

Object.assign(globalThis, globals);
// Held for the life of the process: Dawn goes away with its entry object. Without the zeroing of workgroup memory software
// adapters compile in a third of the time, and kernels that count on it would show.
const gpu: GPU = create(['enable-dawn-features=disable_workgroup_init']);

/** A fresh device with a list of its uncaptured errors. */
export async function testDevice(): Promise<GpuDevice & { errors: string[] }> {
  const opened = await openDevice({ gpu });
  const errors: string[] = [];
  opened.device.addEventListener('uncapturederror', (event) => {
    errors.push((event as GPUUncapturedErrorEvent).error.message);
  });
  return Object.assign(opened, { errors });
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
