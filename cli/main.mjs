#!/usr/bin/env node
// `npm start`: simulates a scene (5,160 boxes on a mesh of 8,192 triangles) on WASM and, where there is an adapter, on
// WebGPU, and prints a column for each: milliseconds by stage, contacts, calm, overlap, GPU traffic.
//
//   npm start -- [--scene boxes] [--solver auto] [--preset balanced] [--steps 600] [--json out.json]
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import cliProgress from 'cli-progress';
import { create } from '../bench/engines/talus.mjs';
import { openAdapter } from '../bench/lib/gpu.mjs';
import { compactJson, machine, millimetres, provenance, short, table } from '../bench/lib/report.mjs';
import { buildScene, SCENE_NAMES } from '../bench/lib/scenes.mjs';
import { createState, Motion } from '../bench/lib/state.mjs';
import { median, quantile } from '../bench/lib/stats.mjs';

const SOLVERS = ['auto', 'colored', 'pgs', 'cell-order', 'pair-split', 'cell-split'];
const PRESETS = ['fast', 'balanced', 'high'];
const BACKENDS = ['wasm', 'webgpu'];
/** Stages of a step as `world.profile` names them. */
const STAGES = ['broadphase', 'contacts', 'solve', 'gpu', 'gpuPass', 'finish', 'total'];
/** Steps on a software adapter: enough for a median, few enough to wait for. */
const SOFTWARE_STEPS = 12;
const SOFTWARE_SECONDS = 30;
/** How many times as long as on WASM a step takes there, and what starting takes, s: roughly, as SwiftShader does with two cores. */
const SOFTWARE_FACTOR = 200;
const SOFTWARE_START_SECONDS = 20;
const CALM_SECONDS = 2;

const OPTIONS = {
  scene: { type: 'string', default: 'boxes', short: 's' },
  solver: { type: 'string', default: 'auto' },
  preset: { type: 'string', default: 'balanced' },
  backend: { type: 'string', default: BACKENDS.join(',') },
  steps: { type: 'string', default: '600', short: 'n' },
  scale: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  json: { type: 'string' },
  quick: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
};

function usage() {
  return `Usage: npm start -- [options]
  --scene    ${SCENE_NAMES.join(', ')}   [boxes]
  --solver   ${SOLVERS.join(', ')}   [auto]
  --preset   ${PRESETS.join(', ')}   [balanced]
  --backend  ${BACKENDS.join(', ')}, or both with a comma   [wasm,webgpu]
  --steps    steps of 1/60 s   [600]
  --scale    size of the scene, 0.1 for a quick look   [1]
  --seed     seed of the scene   [1]
  --json     file to write the results to
  --quick    three steps of a small scene on WASM, to check that the program works`;
}

function fail(message) {
  console.error(`${message}\n\n${usage()}`);
  process.exit(1);
}

/** One of a list, or the end of the program. */
function checked(value, list, option) {
  if (!list.includes(value)) fail(`--${option}: '${value}' is not one of ${list.join(', ')}`);
  return value;
}

function positive(value, option, whole) {
  const number = Number(value);
  if (!(number > 0) || (whole && !Number.isInteger(number)))
    fail(`--${option} must be a positive ${whole ? 'integer' : 'number'}`);
  return number;
}

/** Runs `asked` steps, or as many as `seconds` allow (at least two), and returns the values of a column. */
async function simulate(scene, backend, asked, seconds, options) {
  const begun = performance.now();
  const engine = await create(scene, { ...options, backend });
  const { world } = engine;
  const createMs = performance.now() - begun;
  const state = createState(scene.bodies.count);
  const motion = new Motion(scene);
  const window = Math.max(1, Math.min(Math.round(CALM_SECONDS / scene.dt), Math.floor(asked / 2)));
  const stages = Object.fromEntries(STAGES.map((stage) => [stage, []]));
  const wall = [];
  const bar = new cliProgress.SingleBar(
    { format: `${backend.padEnd(6)} {bar} {value}/{total} steps | {ms} ms per step | {eta_formatted} left`, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(asked, 0, { ms: '-' });
  const from = performance.now();
  for (let i = 0; i < asked && (i < 2 || performance.now() - from < 1000 * seconds); i++) {
    const start = performance.now();
    await engine.step();
    wall.push(performance.now() - start);
    for (const stage of STAGES) stages[stage].push(world.profile[stage] ?? 0);
    if (i >= asked - window) {
      engine.read(state);
      motion.sample(state);
    }
    // Yield to the terminal and to signals: step() on WASM is synchronous.
    if (i % 8 === 7) await new Promise((resolve) => setImmediate(resolve));
    bar.update(i + 1, { ms: wall.at(-1).toFixed(1) });
  }
  bar.stop();
  engine.read(state);
  if (motion.samples.length === 0) motion.sample(state);
  const steps = wall.length;
  const half = Math.floor(steps / 2);
  const settled = (values) => median(values.slice(half));
  const result = {
    backend: world.profile.backend,
    steps,
    createMs,
    ms: Object.fromEntries(STAGES.map((stage) => [stage, settled(stages[stage])])),
    wallMs: settled(wall),
    wallP95: quantile(wall.slice(half), 0.95),
    profile: { ...world.profile },
    measures: world.measure(),
    calm: motion.calm(),
    lost: motion.lost(state),
    stands: scene.checks.stands ? motion.displacement(state) : null,
  };
  engine.dispose();
  return { result, state };
}

/** The scene with its bodies where another run left them. */
function continued(scene, state) {
  return {
    ...scene,
    bodies: {
      ...scene.bodies,
      position: Float32Array.from(state.position),
      rotation: Float32Array.from(state.rotation),
      linearVelocity: Float32Array.from(state.linear),
      angularVelocity: Float32Array.from(state.angular),
    },
  };
}

/** Minutes that a run on a software adapter takes: as many steps as are asked for, those of its time limit, or two. */
function softwareMinutes(wasmMs, steps) {
  const step = (SOFTWARE_FACTOR * wasmMs) / 1000;
  const seconds = Math.min(steps * step, Math.max(SOFTWARE_SECONDS, 2 * step));
  return Math.max(1, Math.round((SOFTWARE_START_SECONDS + seconds) / 60));
}

/** Says what the program waits for, before a software adapter begins. */
function announceSoftware(name, wasmMs, steps) {
  const minutes = softwareMinutes(wasmMs, steps);
  console.log(`WebGPU runs on a software adapter (${name}): this takes about ${minutes} minute${minutes === 1 ? '' : 's'}.`);
  console.log('Ctrl-C stops; the WASM column above is complete. `npm start -- --backend wasm` leaves WebGPU out.\n');
}

function summaryTable(scene, results) {
  const rows = [];
  const row = (label, value) => {
    const cells = results.map(value);
    if (cells.some((cell) => cell !== '-')) rows.push([label, ...cells]);
  };
  const mega = (bytes) => (bytes === undefined ? '-' : `${(bytes / 2 ** 20).toFixed(2)} MB`);
  row('steps', (r) => r.steps);
  row('ms per step, median of 2nd half', (r) => short(r.wallMs));
  row('ms per step, 95th percentile', (r) => short(r.wallP95));
  row('  broad phase', (r) => short(r.ms.broadphase));
  row('  narrow phase and contacts', (r) => short(r.ms.contacts));
  row('  solver', (r) => short(r.ms.solve));
  row('  from submission to result', (r) => (r.backend === 'webgpu' ? short(r.ms.gpu) : '-'));
  row('  compute pass, by the GPU clock', (r) => (r.backend === 'webgpu' ? short(r.ms.gpuPass) : '-'));
  row('  resolution of that clock', (r) => (r.backend === 'webgpu' ? short(r.profile.gpuTick) : '-'));
  row('  poses and views', (r) => short(r.ms.finish));
  row('  all stages, on this thread', (r) => short(r.ms.total));
  row('pairs', (r) => r.profile.pairs);
  row('contacts (touching)', (r) => `${r.measures.contactCount} (${r.measures.touchingCount})`);
  row('colors / cells', (r) => `${r.profile.colors} / ${r.profile.cells}`);
  row('rms speed over the last 2 s, m/s', (r) => short(r.calm.rmsSpeed));
  row('kinetic energy per body, J', (r) => short(r.calm.energyMean));
  row('overlap, mm: mean / p99 / max', (r) => {
    const m = r.measures;
    return `${millimetres(m.penetrationMean)} / ${millimetres(m.penetrationP99)} / ${millimetres(m.penetrationMax)}`;
  });
  if (scene.checks.stands) row('largest motion sideways, cm', (r) => short(r.stands.sideways * 100));
  row('bodies lost', (r) => r.lost);
  row('dispatches per step', (r) => r.profile.dispatches || '-');
  row('uploaded per step', (r) => mega(r.profile.bytesUp || undefined));
  row('read back per step', (r) => mega(r.profile.bytesDown || undefined));
  row('memory', (r) => mega(r.profile.memory));
  return table(['', ...results.map((r) => r.label)], rows);
}

let args;
try {
  args = parseArgs({ options: OPTIONS }).values;
} catch (error) {
  fail(error.message);
}
if (args.quick) args = { ...args, scale: '0.02', steps: '3', backend: 'wasm' };
if (args.help) {
  console.log(usage());
  process.exit(0);
}
const scene = buildScene(checked(args.scene, SCENE_NAMES, 'scene'), {
  seed: positive(args.seed, 'seed', true),
  scale: positive(args.scale, 'scale', false),
});
const steps = positive(args.steps, 'steps', true);
const options = { solver: checked(args.solver, SOLVERS, 'solver'), preset: checked(args.preset, PRESETS, 'preset') };
const backends = args.backend.split(',').map((name) => checked(name, BACKENDS, 'backend'));
const { cpu, cores, node } = machine();
console.log(`${scene.title}: ${scene.checks.dynamicCount} bodies, ${scene.checks.triangles} triangles`);
console.log(`${cpu}, ${cores} cores, Node ${node}; one thread, sleeping off\n`);

const results = [];
const notes = [];
let last = null;
if (backends.includes('wasm')) {
  const { result, state } = await simulate(scene, 'wasm', steps, Infinity, options);
  results.push({ ...result, label: `WASM (${args.solver})` });
  last = state;
  // WebGPU may take minutes on a software adapter: do not hold this column back.
  if (backends.includes('webgpu')) console.log(`\n${summaryTable(scene, results)}\n`);
}
if (backends.includes('webgpu')) {
  const found = await openAdapter();
  if (found.name === null) notes.push(`No WebGPU column: ${found.reason}`);
  else {
    // A software adapter shows correctness, not speed: it continues from the last state of WASM, for a few steps.
    const brief = found.software && last !== null;
    const gpuSteps = found.software ? Math.min(SOFTWARE_STEPS, steps) : steps;
    const device = await found.requestDevice();
    const limit = found.software ? SOFTWARE_SECONDS : Infinity;
    if (brief) announceSoftware(found.name, results[0].wallMs, gpuSteps);
    const run = await simulate(brief ? continued(scene, last) : scene, 'webgpu', gpuSteps, limit, {
      ...options,
      solver: 'auto',
      device,
    });
    device.destroy();
    results.push({ ...run.result, label: 'WebGPU (cell-split)' });
    if (run.result.backend !== 'webgpu') notes.push('You asked for WebGPU, but the steps ran on WASM.');
    notes.push(`WebGPU adapter: ${found.name}${found.software ? ', a software driver' : ''}`);
    if (found.software) {
      const from = brief ? ', from the last state of the WASM run' : '';
      notes.push(`It ran only ${run.result.steps} steps${from}. Its milliseconds say nothing about a hardware GPU.`);
    }
  }
}
const isPrinted = backends.includes('wasm') && backends.includes('webgpu') && results.length === 1;
if (!isPrinted) console.log(`\n${summaryTable(scene, results)}`);
for (const note of notes) console.log(note);
if (args.json) {
  writeFileSync(args.json, compactJson({ ...provenance('npm start --'), scene: scene.name, options, notes, results }));
  console.log(`written to ${args.json}`);
}
// Otherwise Dawn's threads would keep the process alive.
process.exit(0);
