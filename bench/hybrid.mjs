// What the GPU path costs the main thread: milliseconds of its parts, bytes up and down, dispatches, while a scene lands and at
// rest, beside the WASM solver on the same steps.
//
//   node bench/hybrid.mjs [--scene boxes] [--scale 1] [--land 90] [--rest 600] [--steps 12] [--dist dist] [--save]
//
// The scene runs on WASM up to step `land`, and on to step `rest`; from each moment on `steps` steps are solved on the GPU, the
// first of which tells it everything and is left out. Medians. On a software adapter the time of the GPU itself says nothing, and
// its threads slow the others down; what the main thread does is the same on every adapter. `main` is all of it, without waiting.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { populate } from './engines/talus.mjs';
import { openAdapter } from './lib/gpu.mjs';
import { provenance, save, table } from './lib/report.mjs';
import { buildScene } from './lib/scenes.mjs';

const { values: args } = parseArgs({
  options: {
    scene: { type: 'string', default: 'boxes' },
    scale: { type: 'string', default: '1' },
    land: { type: 'string', default: '90' },
    rest: { type: 'string', default: '600' },
    steps: { type: 'string', default: '12' },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
    save: { type: 'boolean', default: false },
  },
});
const { createWorld } = await import(pathToFileURL(resolve(args.dist, 'index.js')).href);
const adapter = await openAdapter();
if (!adapter.name) throw new Error(adapter.reason);

const PARTS = ['broadphase', 'contacts', 'partition', 'pack', 'upload', 'encode', 'readback', 'apply', 'finish', 'total'];
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const ms = (value) => (value === undefined ? '–' : value.toFixed(2));

const scene = buildScene(args.scene, { seed: 1, scale: Number(args.scale) });
const rows = [];
for (const [phase, start] of [
  ['landing', Number(args.land)],
  ['rest', Number(args.rest)],
]) {
  const [sx, sy, sz] = scene.gravity ?? [0, -9.81, 0];
  const world = await createWorld({ gravity: [sx, sy, sz], sleep: false });
  populate(world, scene);
  for (let i = 0; i < start; i++) world.step();
  const wasm = [];
  for (let i = 0; i < Number(args.steps); i++) {
    world.step();
    wasm.push(world.profile.solve);
  }
  await world.setBackend('webgpu', await adapter.requestDevice());
  const seen = [];
  for (let i = 0; i < Number(args.steps); i++) {
    await world.stepAsync();
    if (world.profile.backend !== 'webgpu') throw new Error('the step was not solved on the GPU');
    if (i > 0) seen.push({ ...world.profile });
  }
  const part = (name) => median(seen.map((p) => p[name]));
  rows.push([
    phase,
    ...PARTS.map((name) => ms(seen[0][name] === undefined ? undefined : part(name))),
    ms(part('solve')),
    ms(median(wasm)),
    Math.round(part('bytesUp') / 1000),
    Math.round(part('bytesDown') / 1000),
    part('dispatches'),
  ]);
  world.dispose();
}
const head = ['', ...PARTS, 'solve', 'WASM solve', 'kB up', 'kB down', 'dispatches'];
console.log(`${args.scene}, ${scene.bodies.count} bodies, ${adapter.name}; ms on the main thread`);
console.log(table(head, rows));
if (args.save) {
  const results = rows.map((row) => Object.fromEntries(row.map((value, i) => [head[i] || 'phase', value])));
  save('hybrid', { ...provenance('node bench/hybrid.mjs'), adapter: adapter.name, scene: args.scene }, results);
}
process.exit(0);
