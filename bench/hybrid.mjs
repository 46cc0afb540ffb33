// Measures the cost of the GPU path on the main thread: milliseconds of its parts, bytes up and down, and dispatches, while a scene lands
// and at rest. Beside it stands the WASM solver on the same steps. A second table shows how full the groups of lanes are that solve the cells.
//
//   node bench/hybrid.mjs [--scene boxes] [--scale 1] [--land 90] [--rest 600] [--steps 12] [--dist dist] [--lanes] [--save]
//
// `--land 0` or `--rest 0` leaves that phase out. `--lanes` only counts lanes, in freshly cut cells, for one or more scenes separated by
// commas. It needs no adapter.
//
// The scene runs on WASM up to step `land`, and on to step `rest`. From each of these moments the GPU solves `steps` steps; the first one
// uploads everything and does not count. This happens twice from the same state. The first run records the results of the real adapter.
// The second run uses a mock device that does no work and returns the recorded results (lib/replay.mjs). Only the second run is timed, so
// `main` is all work of the main thread for a step, without the adapter's own time. Figures are medians.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { populate } from './engines/talus.mjs';
import { readArgs } from './lib/args.mjs';
import { openAdapter } from './lib/gpu.mjs';
import { addLanes, countLanes, share } from './lib/lanes.mjs';
import { recordResults, replayDevice } from './lib/replay.mjs';
import { provenance, save, table } from './lib/report.mjs';
import { restDevice } from './lib/rest_device.mjs';
import { buildScene } from './lib/scenes.mjs';
import { median } from './lib/stats.mjs';

const args = readArgs(
  {
    scene: { type: 'string', default: 'boxes' },
    scale: { type: 'string', default: '1' },
    land: { type: 'string', default: '90' },
    rest: { type: 'string', default: '600' },
    steps: { type: 'string', default: '12' },
    lanes: { type: 'boolean', default: false },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
    save: { type: 'boolean', default: false },
  },
  { scale: '0.02', land: '3', rest: '0', steps: '2' },
);
const load = (name) => import(pathToFileURL(resolve(args.dist, name)).href);
await load('gpu.js'); // makes the backend 'webgpu' known
const { createWorld } = await load('index.js');

const PARTS = ['broadphase', 'contacts', 'partition', 'pack', 'upload', 'encode', 'readback', 'apply', 'finish', 'total'];
const steps = Number(args.steps);
const ms = (value) => (value === undefined ? '–' : value.toFixed(2));
const phases = [
  ['landing', Number(args.land)],
  ['rest', Number(args.rest)],
].filter(([, start]) => start > 0);

/** A world that has run on WASM for so many steps. */
async function worldAt(scene, step) {
  const world = await createWorld({ gravity: scene.gravity ?? [0, -9.81, 0], sleep: false });
  populate(world, scene);
  for (let i = 0; i < step; i++) world.step();
  return world;
}

/** What the steps on a device cost the main thread. `each` is called after a step. */
async function stepOn(world, device, each = () => {}) {
  await world.setBackend('webgpu', device);
  const seen = [];
  for (let i = 0; i < steps; i++) {
    await world.stepAsync();
    if (world.profile.backend !== 'webgpu') throw new Error('the step was not solved on the GPU');
    if (i > 0) {
      seen.push({ ...world.profile });
      each(world);
    }
  }
  return seen;
}

/** Bits of all positions. */
const bitsOf = (world) => Buffer.from(new Float32Array(world.positions).buffer).toString('base64');

const isOfCells = (label) => label === 'talus cells';
const wordsOf = (bytes) => new Uint32Array(bytes.slice().buffer);

/** What a table says about the lanes of so many steps. */
const laneCells = (lanes, steps) => [
  Math.round(lanes.cells / steps),
  (lanes.links / Math.max(lanes.cells, 1)).toFixed(0),
  (lanes.rounds / Math.max(lanes.cells, 1)).toFixed(1),
  lanes.mostRounds,
  `${share(lanes.links, lanes.rounds).toFixed(0)} %`,
  `${share(lanes.sweptLinks, lanes.sweptRounds).toFixed(0)} %`,
];

function printLanes(rows) {
  console.log('lanes at work in the groups of 32 that solve cells');
  console.log(table(['', 'cells', 'links a cell', 'rounds a cell', 'most', 'lanes at work', 'by sweeps'], rows));
}

if (args.lanes) {
  const laneRows = [];
  for (const name of args.scene.split(',')) {
    for (const [phase, start] of phases) {
      const world = await worldAt(buildScene(name, { seed: 1, scale: Number(args.scale) }), start);
      let cells = new Uint32Array(0);
      const device = restDevice(0, (label, bytes) => {
        if (isOfCells(label)) cells = wordsOf(bytes);
      });
      await world.setBackend('webgpu', device);
      await world.stepAsync();
      const lanes = countLanes(cells, world.profile.substeps, world.settings.sweeps);
      laneRows.push([`${name}, ${world.profile.bodies} bodies, ${phase}`, ...laneCells(lanes, 1)]);
      world.dispose();
    }
  }
  printLanes(laneRows);
  process.exit(0);
}

const adapter = await openAdapter();
if (!adapter.name) throw new Error(adapter.reason);
const scene = buildScene(args.scene, { seed: 1, scale: Number(args.scale) });
const rows = [];
const laneRows = [];
for (const [phase, start] of phases) {
  const first = await worldAt(scene, start);
  const device = await adapter.requestDevice();
  const { limits, adapterInfo } = device;
  const results = recordResults(device);
  await stepOn(first, device);
  const expected = bitsOf(first);
  first.dispose();
  device.destroy();

  const world = await worldAt(scene, start);
  let cells = new Uint32Array(0);
  const written = (label, _at, bytes) => {
    if (isOfCells(label)) cells = wordsOf(bytes);
  };
  const lanes = {};
  const seen = await stepOn(world, replayDevice({ limits, adapterInfo }, results, written), ({ profile, settings }) => {
    addLanes(lanes, countLanes(cells, profile.substeps, settings.sweeps));
  });
  if (bitsOf(world) !== expected) throw new Error('the second run differs from the first one');
  const { bodies } = world.profile;
  await world.setBackend('wasm');
  const wasm = [];
  for (let i = 0; i < steps; i++) {
    world.step();
    wasm.push(world.profile.total);
  }
  const part = (name) => median(seen.map((p) => p[name]));
  rows.push([
    phase,
    ...PARTS.map((name) => ms(seen[0][name] === undefined ? undefined : part(name))),
    ms(median(wasm)),
    Math.round(part('bytesUp') / 1000),
    Math.round(part('bytesDown') / 1000),
    Math.round(part('bytesDown') / bodies),
    part('dispatches'),
  ]);
  laneRows.push([phase, ...laneCells(lanes, seen.length)]);
  world.dispose();
}
const head = ['', ...PARTS.slice(0, -1), 'main', 'WASM step', 'kB up', 'kB down', 'B down per body', 'dispatches'];
console.log(`${args.scene}, ${scene.bodies.count} bodies, results of ${adapter.name}; ms on the main thread`);
console.log(table(head, rows));
printLanes(laneRows);
if (args.save) {
  const results = rows.map((row) => Object.fromEntries(row.map((value, i) => [head[i] || 'phase', value])));
  save(
    `hybrid-${scene.bodies.count}`,
    { ...provenance('node bench/hybrid.mjs'), adapter: adapter.name, scene: args.scene },
    results,
  );
}
process.exit(0);
