// Memory stays flat while scenes, backends, solvers and views are switched: the short form of `npm run demo:memory`, which
// does the same for ten minutes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DemoBrowser } from './browser';
import { growth, MemoryWatch } from './memory_watch';

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterAll(() => demo?.close());

test('nothing is left behind by switching', { timeout: 600_000 }, async () => {
  const watch = await MemoryWatch.open(demo);
  // The first round fills caches: pipelines, shaders, the profiling panel. The heap goes on doing so for some more, with code
  // that is compiled when it is first called.
  for (let i = 0; i < 4; i++) await watch.next();
  const samples = watch.samples.slice(1);
  expect(growth(samples, 3e6)).toEqual([]);
  const last = samples.at(-1)!;
  // One scene on WASM: one world, and no device that nobody uses.
  expect(last.wasmMemories).toBe(1);
  expect(last.gpuDevices).toBe(1);
  expect(last.gpuBuffers).toBeGreaterThan(3);
  expect(last.gpuBuffers).toBeLessThan(60);
  expect(demo.errors).toEqual([]);
});

test('the watch sees what is kept', async () => {
  const watch = await MemoryWatch.open(demo);
  const sample = { ...(await watch.next()) };
  const leaking = [0, 1, 2].map((k) => ({
    ...sample,
    wasmMemories: sample.wasmMemories + k,
    gpuBuffers: 4 * k,
    heap: sample.heap + 1e6 * k,
  }));
  expect(growth(leaking).map((line) => line.split(':')[0])).toEqual(['heap', 'wasmMemories', 'gpuBuffers']);
  const page = demo.context.pages().at(-1)!;
  const kept = await page.evaluate(`(async () => {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice();
    const before = window.memoryWatch();
    const buffers = [1, 2, 3].map((k) => device.createBuffer({ size: 1024 * k, usage: GPUBufferUsage.COPY_DST }));
    window.keptForTest = { buffers, memory: new WebAssembly.Memory({ initial: 2 }) };
    buffers[0].destroy();
    const after = window.memoryWatch();
    const count = (watch, kind, what) => watch[kind]?.[what] ?? 0;
    const change = (kind, what) => count(after, kind, what) - count(before, kind, what);
    const result = [change('gpuBuffer', 'count'), change('gpuBuffer', 'bytes'), change('wasm', 'count'), change('wasm', 'bytes')];
    device.destroy();
    const end = window.memoryWatch();
    return [...result, count(end, 'gpuBuffer', 'count') - count(before, 'gpuBuffer', 'count'), count(end, 'device', 'count') - count(before, 'device', 'count')];
  })()`);
  expect(kept).toEqual([2, 5 * 1024, 1, 2 * 65536, 0, -1]);
});
