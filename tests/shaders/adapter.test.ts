// The adapter that all shader tests use: it exists, gives a device with the default limits and computes.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);
let gpu: GPU | undefined;
let device: GPUDevice;

beforeAll(async () => {
  gpu = create([]);
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error('the adapter that the setup found is gone');
  device = await adapter.requestDevice();
});

afterAll(() => {
  device?.destroy();
  gpu = undefined;
});

test('the adapter has a name and the default limits', () => {
  expect(inject('adapter').vendor + inject('adapter').architecture).not.toBe('');
  expect(device.limits.maxStorageBuffersPerShaderStage).toBe(8);
  expect(device.limits.maxComputeWorkgroupStorageSize).toBe(16384);
});

test('a compute pass squares numbers', async () => {
  const code = `
    @group(0) @binding(0) var<storage, read_write> values: array<f32>;
    @compute @workgroup_size(32) fn main(@builtin(global_invocation_id) id: vec3u) { values[id.x] *= values[id.x]; }`;
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code }) } });
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: 128, usage });
  const staging = device.createBuffer({ size: 128, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  device.queue.writeBuffer(
    buffer,
    0,
    Float32Array.from({ length: 32 }, (_, i) => i),
  );
  const bindGroup = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer } }],
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindGroup);
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, 128);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  expect([...new Float32Array(staging.getMappedRange())]).toEqual(Array.from({ length: 32 }, (_, i) => i * i));
});
