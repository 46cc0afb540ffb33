// Counts what a step of a resting scene asks of a GPU, kernel by kernel: bytes from the sizes of the structs, lanes that work from the colors of
// the cells. No GPU is needed: the step goes to an empty device (lib/step_counts.mjs).
//
//   node bench/kernels.mjs [--scene boxes:5160,towers:5040,bricks:110000] [--rest 600] [--steps 60] [--save] [--json file]
//
// Scenes are those of the profiling runs, by size, and `bricks`: walls of 40 courses. `rest`: steps on WASM before; a tenth of it for towers
// and bricks, which stand from the start. `steps`: steps on the empty device; the last one counts. `main` is the least time of the main
// thread, and `WASM` the median processor time of a step on WASM, on this machine. `--save` writes what the model and the docs take
// (profiling/model/scenes.json); then run `node scripts/figures.mjs`. `--json` writes it elsewhere, beside a measurement of this build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runnerImport } from 'vite';
import { readArgs } from './lib/args.mjs';
import { layBricks } from './lib/bricks.mjs';
import { compactJson, provenance, table } from './lib/report.mjs';
import { median } from './lib/stats.mjs';
import { countStep } from './lib/step_counts.mjs';

const SCENES = 'boxes:1000,boxes:5160,boxes:20000,towers:5040,towers:50040,bricks:110000';
const args = readArgs(
  {
    scene: { type: 'string', default: SCENES },
    rest: { type: 'string', default: '600' },
    steps: { type: 'string', default: '60' },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
    save: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
  { scene: 'boxes:20,bricks:80', rest: '10', steps: '2' },
);
const load = (name) => import(pathToFileURL(resolve(args.dist, name)).href);
await load('gpu.js');
const { createWorld } = await load('index.js');
const root = resolve(import.meta.dirname, '..');
const typescript = async (name) => (await runnerImport(resolve(root, name), { configFile: false, logLevel: 'error' })).module;
const layout = await typescript('src/layout.generated.ts');
const { buildProfileScene } = await typescript('profiling/matrix.ts');
const { populate } = await typescript('profiling/engine.ts');
const { kernelTable } = await typescript('profiling/model/kernels.ts');
const { stepOf } = await typescript('profiling/model/traffic.ts');
const WASM_STEPS = 10;

const results = [];
for (const text of args.scene.split(',')) {
  const [name, size] = text.split(':');
  const world = await createWorld({ sleep: false, warn: false });
  if (name === 'bricks') layBricks(world, Number(size));
  else populate(world, buildProfileScene(name, Number(size)));
  const rest = name === 'boxes' || name === 'mixed' ? Number(args.rest) : Math.ceil(Number(args.rest) / 10);
  const times = [];
  for (let i = 0; i < rest; i++) {
    const before = process.cpuUsage();
    world.step();
    const { user, system } = process.cpuUsage(before);
    if (i >= rest - WASM_STEPS) times.push((user + system) / 1000);
  }
  const wasmMs = median(times);
  const counts = await countStep(world, layout, Number(args.steps));
  world.dispose();
  results.push({ scene: name, size: Number(size), wasmMs, ...stepOf(counts) });
  const { head, rows } = kernelTable(counts);
  console.log(`\n${name}, ${counts.bodies} bodies: main ${counts.mainMs.toFixed(2)} ms, WASM ${wasmMs.toFixed(2)} ms`);
  console.log(table(head, rows));
}

/** Steps that were measured on a GPU and on WASM: the newest run of bench/gpu_clock.mjs, at full clock. */
function measuredSteps() {
  const folder = readdirSync(resolve(root, 'bench/results')).sort();
  const found = folder.findLast((one) => existsSync(resolve(root, 'bench/results', one, 'gpu-clock.json')));
  const from = `bench/results/${found}/gpu-clock.json`;
  const { adapter, machine, results: rows } = JSON.parse(readFileSync(resolve(root, from), 'utf8'));
  const steps = rows
    .filter(({ way }) => way === 'WebGPU, awake')
    .map(({ scene, bodies, main }) => {
      const of = (way) => rows.find((row) => row.scene === scene && row.bodies === bodies && row.way === way).step;
      return { scene, bodies, main, wasm: of('WASM, 1 thread'), threads: of('WASM, 8 threads') };
    });
  return { from, adapter, cpu: machine.cpu, steps };
}

const file = { ...provenance('node bench/kernels.mjs'), measured: measuredSteps(), results };
// In the form of our formatter.
const formatted = `${JSON.stringify(JSON.parse(compactJson(file)), null, 2)}\n`;
if (args.save) writeFileSync(resolve(root, 'profiling/model/scenes.json'), formatted);
if (args.json) writeFileSync(args.json, compactJson(file));
process.exit(0);
