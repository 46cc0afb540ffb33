// Measures whole steps on the GPU beside WASM on one thread and on several, at different GPU clocks. A GPU with only a few milliseconds of
// work per frame lowers its clock, and every step then takes longer. So each scene is stepped in three ways:
//
//   paced      60 steps per second, as in a page that does nothing else on the GPU
//   through    one step after the other
//   awake      one after the other, right after a second of other work that raises the clock
//
//   node bench/gpu_clock.mjs [--scene boxes:5160,boxes:20000,towers:5000] [--rest 600] [--steps 90] [--threads 8] [--json file]
//
// Scenes are those of the profiling runs, by size. `rest`: steps on WASM before; a tenth of it for towers, which stand from the start.
// Times are medians in ms: `step` is from the call to the finished step, `main` the part of this thread, `pass` the compute pass by the
// GPU's clock. The first ten steps of each way do not count. If nvidia-smi is installed, `MHz` is the clock right after the steps.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runnerImport } from 'vite';
import { readArgs } from './lib/args.mjs';
import { openAdapter } from './lib/gpu.mjs';
import { compactJson, provenance, table } from './lib/report.mjs';
import { median } from './lib/stats.mjs';

const args = readArgs(
  {
    scene: { type: 'string', default: 'boxes:5160,boxes:20000,towers:5000' },
    rest: { type: 'string', default: '600' },
    steps: { type: 'string', default: '90' },
    threads: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    json: { type: 'string' },
  },
  { scene: 'boxes:20', rest: '3', steps: '12' },
);
const load = (name) => import(pathToFileURL(resolve(import.meta.dirname, '../dist', name)).href);
await load('gpu.js');
const { createWorld } = await load('index.js');
const typescript = async (name) =>
  (await runnerImport(resolve(import.meta.dirname, '..', name), { configFile: false, logLevel: 'error' })).module;
const { buildProfileScene } = await typescript('profiling/matrix.ts');
const { populate } = await typescript('profiling/engine.ts');
const adapter = await openAdapter();
if (!adapter.name) throw new Error(adapter.reason);
const device = await adapter.requestDevice();
const [threads, steps, rest] = [args.threads, args.steps, args.rest].map(Number);
const LEFT_OUT = 10;
const FRAME = 1000 / 60;
/** Rounds of the work that raises the clock. */
const ROUNDS = args.quick ? 20 : 20_000;

/** Clock of the GPU, MHz, or null where nothing tells. */
function clock() {
  try {
    return Number(execFileSync('nvidia-smi', ['--query-gpu=clocks.sm', '--format=csv,noheader,nounits'], { encoding: 'utf8' }));
  } catch {
    return null;
  }
}

const WORK = `
  @group(0) @binding(0) var<storage, read_write> x: array<f32>;
  @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
    var y = x[id.x];
    for (var i = 0; i < ${ROUNDS}; i++) { y = y * 0.999 + 0.001; }
    x[id.x] = y;
  }`;
const LANES = 64 * 2048;
const pipeline = device.createComputePipeline({
  layout: 'auto',
  compute: { module: device.createShaderModule({ code: WORK }) },
});
const buffer = device.createBuffer({ size: 4 * LANES, usage: GPUBufferUsage.STORAGE });
const group = device.createBindGroup({
  layout: pipeline.getBindGroupLayout(0),
  entries: [{ binding: 0, resource: { buffer } }],
});

/** Keeps the GPU busy. */
async function work(ms) {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(LANES / 64);
    pass.end();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
  }
}

/** Medians of steps, each begun `frame` ms after the last one at the earliest. */
async function measure(world, onGpu, frame = 0) {
  const seen = { step: [], main: [], pass: [] };
  for (let i = 0; i < steps + LEFT_OUT; i++) {
    const start = performance.now();
    if (onGpu) await world.stepAsync();
    else world.step();
    const ms = performance.now() - start;
    if (i >= LEFT_OUT) {
      seen.step.push(ms);
      seen.main.push(world.profile.total);
      if (onGpu) seen.pass.push(world.profile.gpuPass);
    }
    if (onGpu && world.profile.backend !== 'webgpu') throw new Error('a step was solved on WASM');
    if (frame > ms) await new Promise((done) => setTimeout(done, frame - ms));
  }
  const { contactCount, dispatches, cells, colors, substeps } = world.profile;
  const { step, main, pass } = seen;
  const result = { step: median(step), main: median(main), pass: onGpu ? median(pass) : null };
  return { ...result, least: onGpu ? Math.min(...pass) : null, contactCount, dispatches, cells, colors, substeps };
}

const rows = [];
const header = { ...provenance('node bench/gpu_clock.mjs'), adapter: adapter.name, rest, steps };
for (const text of args.scene.split(',')) {
  const [name, size] = text.split(':');
  const scene = buildProfileScene(name, Number(size));
  const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, sleep: false, threads });
  populate(world, scene);
  for (let i = 0; i < (name === 'towers' ? rest / 10 : rest); i++) world.step();
  const bodies = scene.checks.dynamicCount;
  const note = (way, result, mhz = null) => rows.push({ scene: name, bodies, way, ...result, mhz });
  note(`WASM, ${threads} threads`, await measure(world, false));
  world.set({ threads: 1 });
  note('WASM, 1 thread', await measure(world, false));
  await world.setBackend('webgpu', device);
  note('WebGPU, paced', await measure(world, true, FRAME), clock());
  note('WebGPU, through', await measure(world, true), clock());
  await work(1000);
  note('WebGPU, awake', await measure(world, true), clock());
  world.dispose();
  // After every scene: a run that is cut short has those before.
  if (args.json) writeFileSync(args.json, compactJson({ ...header, results: rows }));
}
const ms = (value) => (value === null ? '' : value.toFixed(2));
const head = ['scene', 'bodies', 'way', 'step', 'main', 'pass', 'least pass', 'MHz'];
console.log(`${adapter.name}; ms`);
console.log(
  table(
    head,
    rows.map((r) => [r.scene, r.bodies, r.way, ms(r.step), ms(r.main), ms(r.pass), ms(r.least), r.mhz ?? '']),
  ),
);
process.exit(0);
