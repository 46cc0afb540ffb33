// Measures the cost of changing one body in a pile at rest: removal, another mass, another material, a teleport to its own place, a wake
// call. Median and 95th percentile over many bodies, and the share of the host.
//
//   node bench/remove.mjs [--count 10000] [--changes 400] [--settle 240] [--sleep] [--dist dist]
//
// Times are per call through the public API; `core` is the call of the core alone, repeated on a copy of the same world.
// `next step` is the first step after all changes of a kind; `step` is one before them.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArgs } from './lib/args.mjs';
import { table } from './lib/report.mjs';

const args = readArgs(
  {
    count: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '400' },
    settle: { type: 'string', default: '240' },
    sleep: { type: 'boolean', default: false },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
  },
  { count: '100', changes: '4', settle: '4' },
);
const { createWorld } = await import(pathToFileURL(resolve(args.dist, 'index.js')).href);
const count = Number(args.count);
const changes = Number(args.changes);

/** Brick walls, ten courses high and a meter apart: a box inside rests on two and carries two. */
async function pile() {
  const world = await createWorld({ sleep: args.sleep });
  const brick = world.createShape({ type: 'box', halfExtents: [0.5, 0.25, 0.25] });
  const floor = world.createShape({ type: 'box', halfExtents: [100, 1, 100] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const length = Math.ceil(Math.sqrt(count / 10));
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const course = i % 10;
    const place = Math.floor(i / 10);
    const x = (place % length) * 1.02 + (course % 2) * 0.51;
    positions.set([x, 0.25 + course * 0.5, Math.floor(place / length)], 3 * i);
  }
  const ids = world.createBodies({ count, shape: brick, positions });
  for (let i = 0; i < Number(args.settle); i++) world.step();
  return { world, ids };
}

const percentile = (times, p) => [...times].sort((a, b) => a - b)[Math.floor(p * (times.length - 1))];
const { world, ids } = await pile();
// Bodies all over the pile, in an order that caches do not foresee.
const chosen = Array.from({ length: changes }, (_, i) => ids[(i * 7919 + 13) % count]);
console.log(
  `${count} boxes, ${world.profile.pairs} pairs, ${world.profile.contactCount} contacts, ${world.sleepingCount} asleep`,
);

const kinds = [
  ['remove', (w, id) => w.removeBody(id), (core, slot) => core.removeBody(slot)],
  ['setMass', (w, id) => w.setMass(id, 130), (core, slot) => core.setMassProperties(slot, 130, 0, 0, 0, 5, 5, 5, 0, 0, 0)],
  ['setMaterial', (w, id) => w.setMaterial(w.collidersOf(id)[0], { friction: 0.5 }), null],
  ['teleport', (w, id) => w.teleport(id, w.getPosition(id, [0, 0, 0])), null],
  ['wake', (w, id) => w.wake(id), (core, slot) => core.wakeBody(slot)],
];

function time(call) {
  const times = [];
  for (const id of chosen) {
    const start = performance.now();
    call(id);
    times.push(1000 * (performance.now() - start));
  }
  return times;
}

const rows = [];
for (const [name, call, inCore] of kinds) {
  const one = await world.clone();
  const two = await world.clone();
  one.step();
  const usual = one.profile.total;
  const times = time((id) => call(one, id));
  one.step();
  const after = one.profile.total;
  two.step();
  const alone = inCore ? time((id) => inCore(two.core, two.indexOf(id))) : [];
  const f = (x) => (x === undefined ? '' : x.toFixed(2));
  rows.push([
    name,
    f(percentile(times, 0.5)),
    f(percentile(times, 0.95)),
    f(percentile(alone, 0.5)),
    f(percentile(alone, 0.95)),
    f(usual),
    f(after),
  ]);
  one.dispose();
  two.dispose();
}
console.log(table(['change', 'median us', '95 % us', 'core us', 'core 95 %', 'step ms', 'next step ms'], rows));
process.exit(0);
