// What drawing 10,000 bodies costs a frame: matrices between two steps in the layout of THREE.InstancedMesh, from the core, against
// three.js composing them from what the world gives; and what keeping the poses before each step costs the step.
//
//   node bench/frames.mjs [--count 10000] [--rounds 400] [--dist dist] [--save]
//
// All ways take turns in one process, the first matrices right after a step of their world, as in a frame. ms a frame, median and
// 95th percentile; writing into the caller's array is timed with it.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { provenance, save, short, table } from './lib/report.mjs';

const { values: args } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '400' },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
    save: { type: 'boolean', default: false },
  },
});
const { createWorld } = await import(pathToFileURL(resolve(args.dist, 'index.js')).href);
const count = Number(args.count);
const rounds = Number(args.rounds);

/** Spheres that spin and fly apart: every one of them moves in every step. */
async function swarm(kept) {
  const world = await createWorld({ gravity: [0, 0, 0], sleep: false });
  const shape = world.createShape({ type: 'sphere', radius: 0.1 });
  const edge = Math.ceil(Math.cbrt(count));
  const place = (i) => [i % edge, Math.floor(i / edge) % edge, Math.floor(i / edge ** 2)];
  const positions = Float32Array.from({ length: 3 * count }, (_, k) => place(Math.floor(k / 3))[k % 3]);
  const spins = Float32Array.from({ length: 3 * count }, (_, k) => 5 * Math.sin(k));
  const speeds = positions.map((x) => 0.1 * (x - edge / 2));
  const ids = world.createBodies({ count, shape, positions, linearVelocities: speeds, angularVelocities: spins });
  if (kept) world.advance(0);
  for (let i = 0; i < 3; i++) world.step();
  return { world, ids };
}

const { world, ids } = await swarm(true);
const plain = await swarm(false);
const slots = Uint32Array.from(ids, (id) => world.indexOf(id));
const scales = Float32Array.from({ length: 3 * count }, (_, k) => 1 + (k % 7) / 10);
const out = new Float32Array(16 * count);
const [positions, rotations] = [new Float32Array(4 * count), new Float32Array(4 * count)];
const [position, rotation, scale, matrix] = [new Vector3(), new Quaternion(), new Vector3(1, 1, 1), new Matrix4()];
const pastPositions = new Float32Array(4 * count);
const pastRotations = new Float32Array(4 * count);
const [pastPosition, pastRotation] = [new Vector3(), new Quaternion()];
world.readPoses(pastPositions, pastRotations, { alpha: 0 });

const ways = {
  step: () => plain.world.step(),
  'step, poses kept': () => world.step(),
  'readMatrices, all': () => world.readMatrices(out, { alpha: 0.4 }),
  'readMatrices, list': () => world.readMatrices(out, { alpha: 0.4, bodies: slots }),
  'readMatrices, list and scales': () => world.readMatrices(out, { alpha: 0.4, bodies: slots, scales }),
  readPoses: () => world.readPoses(positions, rotations, { alpha: 0.4 }),
  'getPosition, getRotation, compose (no interpolation)': () => {
    for (let i = 0; i < count; i++) {
      world.getPosition(ids[i], position);
      world.getRotation(ids[i], rotation);
      matrix.compose(position, rotation, scale).toArray(out, 16 * i);
    }
  },
  'getPose, compose': () => {
    for (let i = 0; i < count; i++) {
      world.getPose(ids[i], position, rotation, 0.4);
      matrix.compose(position, rotation, scale).toArray(out, 16 * i);
    }
  },
  'views, lerp, slerp, compose': () => {
    const { positions: now, rotations: turned } = world;
    for (let i = 0; i < count; i++) {
      pastPosition.fromArray(pastPositions, 4 * i);
      pastRotation.fromArray(pastRotations, 4 * i);
      position.fromArray(now, 4 * i);
      rotation.fromArray(turned, 4 * i);
      matrix.compose(pastPosition.lerp(position, 0.4), pastRotation.slerp(rotation, 0.4), scale).toArray(out, 16 * i);
    }
  },
};

const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const start = performance.now();
    way();
    if (round >= rounds / 4) times[name].push(performance.now() - start);
  }
}
const at = (list, p) => [...list].sort((a, b) => a - b)[Math.floor(p * (list.length - 1))];
const rows = Object.entries(times).map(([name, list]) => ({ way: name, median: at(list, 0.5), p95: at(list, 0.95) }));
console.log(`${count} bodies, ms`);
console.log(
  table(
    ['', 'median', '95 %'],
    rows.map(({ way, median, p95 }) => [way, short(median), short(p95)]),
  ),
);
if (args.save) save('frames', { ...provenance('node bench/frames.mjs'), count, rounds }, rows);
