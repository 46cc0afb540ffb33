// Measures how many of the steps that are due a page gets: 60 frames per second, one call of `advance` per frame, steps of 1/60, 1/120 and
// 1/240 s, on WASM and on WebGPU. A GPU answers a while after each step; the next step begins when it has.
//
//   node bench/pace.mjs [--bodies 1000,5000] [--dt 60,120,240] [--seconds 3] [--rest 300] [--latency 5] [--dist dist] [--save]
//
// Boxes lie in stacks of ten. They have run for `rest` steps on WASM before; sleeping is off. `made`: share of the due steps that were made,
// `per frame`: most steps of a frame, `dropped`: seconds that `advance` gave up, `answer`: median ms from a submission to its result,
// `main`: median ms of a step on the main thread. `--latency` puts an empty device in place of the adapter, which answers after so many ms
// that nothing has moved: the pace of a GPU of that latency, on any machine.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArgs } from './lib/args.mjs';
import { openAdapter } from './lib/gpu.mjs';
import { provenance, save, short, table } from './lib/report.mjs';
import { restDevice } from './lib/rest_device.mjs';
import { median } from './lib/stats.mjs';

const args = readArgs(
  {
    bodies: { type: 'string', default: '1000,5000' },
    dt: { type: 'string', default: '60,120,240' },
    seconds: { type: 'string', default: '3' },
    rest: { type: 'string', default: '300' },
    latency: { type: 'string' },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
    save: { type: 'boolean', default: false },
  },
  { bodies: '20', dt: '120', seconds: '0.3', rest: '2', latency: '1' },
);
const load = (name) => import(pathToFileURL(resolve(args.dist, name)).href);
await load('gpu.js');
const { createWorld } = await load('index.js');
const FRAME = 1000 / 60;
const HEIGHT = 10;

const adapter = args.latency === undefined ? await openAdapter() : { name: `an empty device, ${args.latency} ms` };
if (!adapter.name) throw new Error(adapter.reason);
const makeDevice = () => (args.latency === undefined ? adapter.requestDevice() : restDevice(Number(args.latency)));

async function stacks(bodies, rate) {
  const world = await createWorld({ dt: 1 / rate, sleep: false, warn: false });
  const half = 0.5;
  const edge = Math.ceil(Math.sqrt(bodies / HEIGHT));
  const ground = world.createShape({ type: 'plane' });
  world.createBody({ type: 'static', shape: ground });
  const shape = world.createShape({ type: 'box', halfExtents: [half, half, half] });
  const positions = new Float32Array(3 * bodies);
  for (let i = 0; i < bodies; i++) {
    const stack = Math.floor(i / HEIGHT);
    positions.set([1.5 * (stack % edge), half + (i % HEIGHT), 1.5 * Math.floor(stack / edge)], 3 * i);
  }
  world.createBodies({ count: bodies, shape, positions });
  for (let i = 0; i < Number(args.rest); i++) world.step();
  return world;
}

/** A page of some seconds. */
async function page(world, seconds, rate) {
  const frames = Math.round(seconds * 60);
  const first = world.stepCount;
  const [answers, mains] = [[], []];
  let [dropped, most] = [0, 0];
  const begin = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    const result = world.advance(1 / 60);
    dropped += result.dropped;
    most = Math.max(most, result.steps);
    answers.push(world.profile.gpu);
    mains.push(world.profile.total);
    const wait = begin + (frame + 1) * FRAME - performance.now();
    await new Promise((done) => setTimeout(done, Math.max(0, wait)));
  }
  const took = (performance.now() - begin) / 1000;
  const made = world.stepCount - first;
  // A machine that gives this page fewer than 60 frames per second owes the steps of the whole time.
  return { made: made / (Math.max(took, seconds) * rate), most, dropped, answer: median(answers), main: median(mains) };
}

const rows = [];
for (const bodies of args.bodies.split(',').map(Number)) {
  for (const rate of args.dt.split(',').map(Number)) {
    for (const backend of ['wasm', 'webgpu']) {
      const world = await stacks(bodies, rate);
      if (backend === 'webgpu') {
        await world.setBackend('webgpu', await makeDevice());
        await page(world, Math.min(1, Number(args.seconds)), rate);
      }
      rows.push({ bodies, dt: `1/${rate}`, backend, ...(await page(world, Number(args.seconds), rate)) });
      await world.settle();
      world.dispose();
    }
  }
}
console.log(`WebGPU: ${adapter.name}`);
const head = ['bodies', 'dt', 'backend', 'made', 'per frame', 'dropped, s', 'answer, ms', 'main, ms'];
const percent = (share) => `${Math.round(100 * share)} %`;
console.log(
  table(
    head,
    rows.map((r) => [r.bodies, r.dt, r.backend, percent(r.made), r.most, short(r.dropped), short(r.answer), short(r.main)]),
  ),
);
if (args.save) save('pace', { ...provenance('node bench/pace.mjs'), adapter: adapter.name }, rows);
process.exit(0);
