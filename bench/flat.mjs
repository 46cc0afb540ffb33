// Measures whether the time per body grows with the world: stacks of five boxes, and one pile in a box, of 1,000 to 100,000 bodies.
//
//   node bench/flat.mjs [--counts 1000,10000,100000] [--scenes stacks,pile] [--land 60] [--rest 40] [--settle 240] [--dist dist]
//
// Microseconds per body and step, median of the steps: `land` from the first step on, `rest` after `settle` more. Sleeping is off.
// Stacks begin 2 cm apart at different heights, so they land in different steps.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArgs } from './lib/args.mjs';
import { table } from './lib/report.mjs';

const args = readArgs(
  {
    counts: { type: 'string', default: '1000,10000,100000' },
    scenes: { type: 'string', default: 'stacks,pile' },
    land: { type: 'string', default: '60' },
    rest: { type: 'string', default: '40' },
    settle: { type: 'string', default: '240' },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
  },
  { counts: '100', land: '3', rest: '3', settle: '3' },
);
const { createWorld } = await import(pathToFileURL(resolve(args.dist, 'index.js')).href);

/** Stacks of five, 1.6 m apart. */
function stacks(world, count) {
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const side = Math.ceil(Math.sqrt(count / 5));
  const half = side;
  const floor = world.createShape({ type: 'box', halfExtents: [half, 1, half] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const stack = Math.floor(i / 5);
    const layer = i % 5;
    const drop = 0.05 + 0.4 * (((stack * 7919) % 97) / 97);
    positions.set(
      [((stack % side) - side / 2) * 1.6, drop + 0.5 + 1.02 * layer, (Math.floor(stack / side) - side / 2) * 1.6],
      3 * i,
    );
  }
  world.createBodies({ count, shape: box, positions });
}

/** One pile: layers of boxes fall into a box twenty layers high. */
function pile(world, count) {
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const side = Math.ceil(Math.sqrt(count / 20));
  const half = (side * 1.3) / 2 + 0.5;
  const floor = world.createShape({ type: 'box', halfExtents: [half + 2, 1, half + 2] });
  const wall = world.createShape({ type: 'box', halfExtents: [1, 40, half + 2] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    const rotation = x === 0 ? [0, Math.SQRT1_2, 0, Math.SQRT1_2] : [0, 0, 0, 1];
    world.createBody({ type: 'static', shape: wall, position: [x * (half + 1), 38, z * (half + 1)], rotation });
  }
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const layer = Math.floor(i / (side * side));
    const place = i % (side * side);
    const jitter = (k) => (((i * 7919 + k * 104729) % 1009) / 1009 - 0.5) * 0.25;
    positions.set(
      [
        ((place % side) - (side - 1) / 2) * 1.3 + jitter(1),
        0.6 + 1.2 * layer,
        (Math.floor(place / side) - (side - 1) / 2) * 1.3 + jitter(2),
      ],
      3 * i,
    );
  }
  world.createBodies({ count, shape: box, positions });
}

const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
const rows = [];
for (const name of args.scenes.split(',')) {
  for (const count of args.counts.split(',').map(Number)) {
    const world = await createWorld({ sleep: false });
    (name === 'stacks' ? stacks : pile)(world, count);
    const run = (steps) => {
      const times = [];
      for (let s = 0; s < steps; s++) {
        const start = performance.now();
        world.step();
        times.push(((performance.now() - start) * 1e3) / count);
      }
      return times;
    };
    const land = run(Number(args.land));
    run(Number(args.settle));
    const rest = run(Number(args.rest));
    rows.push([name, count, median(land).toFixed(2), median(rest).toFixed(2), world.profile.substeps]);
    world.dispose();
  }
}
console.log(table(['scene', 'bodies', 'land us', 'rest us', 'substeps'], rows));
