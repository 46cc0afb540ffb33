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

/** Bytes of objects that a round may add. */
const OBJECTS_A_ROUND = 40_000;
/** The browser compiles most code in the first minute. */
const HEAP = 3e6;
/** Changes of the renderer, of which each left 19 KB and a canvas behind before the cure; the plots may fill up meanwhile. */
const CHANGES = 6;
const OBJECTS = 85_000;

let watch: MemoryWatch;

test('nothing is left behind by switching', { timeout: 300_000 }, async () => {
  watch = await MemoryWatch.open(demo);
  // The first round fills caches: pipelines, shaders, the profiling panel.
  for (let i = 0; i < 3; i++) await watch.next();
  const samples = watch.samples.slice(1);
  expect(growth(samples, HEAP, OBJECTS_A_ROUND * (samples.length - 1))).toEqual([]);
  const last = samples.at(-1)!;
  // One scene on WASM: one world, and no device that nobody uses.
  expect(last.wasmMemories).toBe(1);
  expect(last.gpuDevices).toBe(1);
  expect(last.gpuBuffers).toBeGreaterThan(3);
  expect(last.gpuBuffers).toBeLessThan(60);
  expect(demo.errors).toEqual([]);
});

test('nothing is left behind by changing the renderer', async () => {
  const before = await watch.changeRenderer(2);
  const after = await watch.changeRenderer(CHANGES);
  expect(after.objects - before.objects).toBeLessThan(OBJECTS);
  // A canvas that is kept would be one each.
  expect(after.canvases - before.canvases).toBeLessThan(CHANGES / 2);
  expect(after.listeners).toBeLessThanOrEqual(before.listeners + 2);
  // Drawn with WebGL there is nothing of the canvas' size on WebGPU.
  expect(after.gpuTexturesLeft).toBeLessThanOrEqual(1);
  expect(after.gpuBuffersLeft).toBe(before.gpuBuffersLeft);
  expect(demo.errors).toEqual([]);
});

test('the watch sees what is kept', async () => {
  const sample = watch.samples.at(-1)!;
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
