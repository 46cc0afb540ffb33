// Growing buffers: contents kept where asked for, refusal beyond the limits of the device; the ring of staging buffers.
import { expect, it } from 'vitest';
import { GrowingBuffer, StagingRing } from '../../src/gpu/buffers';
import { readBuffer, useDevice } from '../helpers/gpu';

const gpu = useDevice();

it('grows, keeps its contents if asked to, and tells', async () => {
  let replaced = 0;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const growing = new GrowingBuffer(gpu.device, 'growing', usage, () => {
    replaced++;
  });
  gpu.device.queue.writeBuffer(growing.buffer, 0, Uint32Array.from([1, 2, 3, 4]));
  growing.ensure(100);
  expect(replaced).toBe(0);
  growing.ensure(1000, true);
  expect(replaced).toBe(1);
  expect(growing.buffer.size).toBeGreaterThanOrEqual(1000);
  // What is written after the growth is not overwritten by the copy.
  gpu.device.queue.writeBuffer(growing.buffer, 4, Uint32Array.from([9]));
  expect([...new Uint32Array(await readBuffer(gpu.device, growing.buffer, 16))]).toEqual([1, 9, 3, 4]);
  const { buffer } = growing;
  expect(() => growing.ensure(2 ** 50)).toThrow(RangeError);
  expect(growing.buffer).toBe(buffer);
  growing.destroy();
});

it('gives staging buffers in turn and none that waits', () => {
  const ring = new StagingRing(gpu.device, 3);
  const taken = [0, 1, 2].map(() => {
    const staging = ring.take(5000);
    expect(staging.buffer.size).toBeGreaterThanOrEqual(5000);
    return staging;
  });
  expect(new Set(taken).size).toBe(3);
  expect(ring.hasFree).toBe(false);
  expect(() => ring.take(16)).toThrow('wait');
  expect(() => ring.take(2 ** 50)).toThrow('wait');
  ring.free(taken[1]);
  expect(() => ring.take(2 ** 50)).toThrow(RangeError);
  expect(ring.take(16)).toBe(taken[1]);
  // One that may be invalid is replaced.
  const { buffer } = taken[2];
  ring.free(taken[2], true);
  expect(ring.take(16).buffer).not.toBe(buffer);
  ring.destroy();
});
