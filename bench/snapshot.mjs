// Measures saving and restoring: bytes and milliseconds of whole and local snapshots, the time of a hash and of a step. Also measures a
// delta against the snapshot of the step before: the pages of 1 KiB that differ.
//
//   node bench/snapshot.mjs [--steps 150] [--rounds 60] [--ring 8] [--out file.json]
//
// Snapshots use a ring of buffers in turn, as rollback does. Figures are medians and least times over the rounds.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { loadTalus, populate } from './engines/talus.mjs';
import { readArgs } from './lib/args.mjs';
import { table } from './lib/report.mjs';
import { buildScene } from './lib/scenes.mjs';

const args = readArgs(
  {
    steps: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '60' },
    ring: { type: 'string', default: '8' },
    out: { type: 'string' },
  },
  { steps: '3', rounds: '3', ring: '2', out: undefined },
);
const [steps, rounds, ring] = [args.steps, args.rounds, args.ring].map(Number);
const { createWorld } = await loadTalus();

/** Median and least of some times. */
const of = (times) => ({ median: times.toSorted((a, b) => a - b)[times.length >> 1], least: Math.min(...times) });

function time(call) {
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    call(i);
    times.push(performance.now() - start);
  }
  return of(times);
}

/** Milliseconds of saving and restoring, one after the other around a ring. */
function both(world, options) {
  const buffers = Array.from({ length: ring }, () => world.snapshot(undefined, options));
  const save = time((i) => {
    buffers[i % ring] = world.snapshot(buffers[i % ring], options);
  });
  const load = time((i) => world.restore(buffers[i % ring]));
  return { bytes: buffers[0].length, save, load };
}

/** Share of pages that differ from the snapshot before, and bytes of all of them after brotli. */
function delta(before, after) {
  const page = 1024;
  const pages = Math.ceil(after.length / page);
  const changed = [];
  for (let i = 0; i < pages; i++) {
    const [a, b] = [before, after].map((bytes) => bytes.subarray(i * page, (i + 1) * page));
    if (Buffer.compare(a, b) !== 0) changed.push(b);
  }
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  return { share: changed.length / pages, packed: brotliCompressSync(Buffer.concat(changed), fast).length };
}

const SCENES = [
  ['boxes-small', { count: 1000 }],
  ['mixed', { count: 1000 }],
  ['mixed', { count: 5000 }],
  ['ragdolls150', { count: 50 }],
  ['ragdolls150', {}],
  ['bridge', {}],
];
const results = [];
for (const [name, options] of SCENES) {
  const world = await createWorld({ sleep: false });
  populate(world, buildScene(name, { seed: 1, ...options }));
  for (let i = 0; i < steps; i++) world.step();
  const before = world.snapshot();
  const step = time(() => world.step());
  world.restore(before);
  world.step();
  const next = delta(before, world.snapshot());
  const whole = both(world, {});
  const local = both(world, { local: true });
  const hash = time(() => world.hash());
  results.push({ name, bodies: world.bodyCount, contacts: world.profile.contactCount, step, whole, local, hash, delta: next });
}

const ms = ({ median, least }) => `${median.toFixed(3)} (${least.toFixed(3)})`;
console.log('milliseconds: median (least)');
console.log(
  table(
    ['scene', 'bodies', 'contacts', 'MB', 'save', 'restore', 'local MB', 'save', 'restore', 'hash', 'step', 'pages', 'packed MB'],
    results.map(({ name, bodies, contacts, step, whole, local, hash, delta: d }) => [
      name,
      bodies,
      contacts,
      (whole.bytes / 1e6).toFixed(2),
      ms(whole.save),
      ms(whole.load),
      (local.bytes / 1e6).toFixed(2),
      ms(local.save),
      ms(local.load),
      ms(hash),
      ms(step),
      `${(100 * d.share).toFixed(0)} %`,
      (d.packed / 1e6).toFixed(2),
    ]),
  ),
);
if (args.out)
  writeFileSync(resolve(args.out), `${JSON.stringify({ steps, rounds, ring, node: process.version, results }, null, 2)}\n`);
