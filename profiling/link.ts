// Measures the link to a WebGPU device without any solving: the time of an empty round trip, and the speed of transfers both ways. This is
// the least cost of a step on the GPU.
import { summarize } from './statistics';
import type { LinkProbe } from './types';

const SIZES = [2 ** 16, 2 ** 20, 2 ** 23];

/** Runs `repeats` of each transfer after two that do not count. Takes well under a second on hardware. */
export async function probeLink(device: GPUDevice, repeats = 15): Promise<LinkProbe> {
  const { queue } = device;
  const times = async (task: () => Promise<void>) => {
    const ms: number[] = [];
    for (let i = 0; i < repeats + 2; i++) {
      const start = performance.now();
      await task();
      if (i >= 2) ms.push(performance.now() - start);
    }
    return summarize(ms);
  };
  const back = (source: GPUBuffer, staging: GPUBuffer, bytes: number) => async () => {
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 0, staging, 0, bytes);
    queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ, 0, bytes);
    staging.unmap();
  };
  const measure = async (bytes: number) => {
    const source = device.createBuffer({ size: bytes, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
    const staging = device.createBuffer({ size: bytes, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const data = new Uint8Array(bytes);
    const upload = await times(async () => {
      queue.writeBuffer(source, 0, data);
      await queue.onSubmittedWorkDone();
    });
    const readback = await times(back(source, staging, bytes));
    source.destroy();
    staging.destroy();
    return { bytes, upload, readback };
  };
  const { readback } = await measure(16);
  const transfers = [];
  for (const bytes of SIZES) transfers.push(await measure(bytes));
  return { roundTrip: readback, transfers };
}
