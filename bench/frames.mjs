// Measures the time to prepare 10,000 bodies for a frame: interpolated matrices in the layout of THREE.InstancedMesh. Compares four ways:
// the core, talus/three, three.js composing matrices from the world's arrays, and three.js with the getters of Rapier's bodies. Also
// measures how much a step takes longer because it keeps the poses before it.
//
//   node bench/frames.mjs [--count 10000] [--rounds 400] [--dist dist] [--save]
//
// All ways take turns in one process. The first after a step finds poses and matrices out of the caches, as in a frame; the later ones
// find them there. Times are ms per frame: lower quartile (least disturbed by a busy machine), median and 95th percentile. They include
// writing into the mesh's array, but not the upload to the GPU.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import RAPIER from '@dimforge/rapier3d-simd-compat';
import { BoxGeometry, InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three';
import { readArgs } from './lib/args.mjs';
import { packageVersion } from './lib/package_version.mjs';
import { provenance, save, short, table } from './lib/report.mjs';

const args = readArgs(
  {
    count: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '400' },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
    save: { type: 'boolean', default: false },
  },
  { count: '100', rounds: '4' },
);
const entry = (name) => import(pathToFileURL(resolve(args.dist, name)).href);
const { createWorld } = await entry('index.js');
const { ThreePhysics } = await entry('three.js');
const count = Number(args.count);
const rounds = Number(args.rounds);

// Spheres that spin and fly apart: every one of them moves in every step.
const edge = Math.ceil(Math.cbrt(count));
const place = (i) => [i % edge, Math.floor(i / edge) % edge, Math.floor(i / edge ** 2)];
const starts = Float32Array.from({ length: 3 * count }, (_, k) => place(Math.floor(k / 3))[k % 3]);
const spins = Float32Array.from({ length: 3 * count }, (_, k) => 5 * Math.sin(k));
const speeds = starts.map((x) => 0.1 * (x - edge / 2));

async function swarm(kept) {
  const world = await createWorld({ gravity: [0, 0, 0], sleep: false });
  const shape = world.createShape({ type: 'sphere', radius: 0.1 });
  const ids = world.createBodies({ count, shape, positions: starts, linearVelocities: speeds, angularVelocities: spins });
  if (kept) world.advance(0);
  for (let i = 0; i < 3; i++) world.step();
  return { world, ids };
}

/** The same in Rapier. */
async function rapierSwarm() {
  await RAPIER.init();
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
  const at = (list, i) => ({ x: list[3 * i], y: list[3 * i + 1], z: list[3 * i + 2] });
  const bodies = Array.from({ length: count }, (_, i) => {
    const { x, y, z } = at(starts, i);
    const desc = RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false);
    const { x: vx, y: vy, z: vz } = at(speeds, i);
    const body = world.createRigidBody(desc.setLinvel(vx, vy, vz).setAngvel(at(spins, i)));
    world.createCollider(RAPIER.ColliderDesc.ball(0.1), body);
    return body;
  });
  for (let i = 0; i < 3; i++) world.step();
  return { world, bodies };
}

const rapier = await rapierSwarm();
const { world, ids } = await swarm(true);
const plain = await swarm(false);
const slots = Uint32Array.from(ids, (id) => world.indexOf(id));
const scales = Float32Array.from({ length: 3 * count }, (_, k) => 1 + (k % 7) / 10);
const [positions, rotations] = [new Float32Array(4 * count), new Float32Array(4 * count)];
const [position, rotation, scale, matrix] = [new Vector3(), new Quaternion(), new Vector3(1, 1, 1), new Matrix4()];
const pastPositions = new Float32Array(4 * count);
const pastRotations = new Float32Array(4 * count);
const [pastPosition, pastRotation] = [new Vector3(), new Quaternion()];
world.readPoses(pastPositions, pastRotations, { alpha: 0 });

// As an application has it: a mesh that is bound to its bodies.
const physics = new ThreePhysics(world);
const mesh = new InstancedMesh(new BoxGeometry(), undefined, count);
physics.bind(mesh, ids);
const out = mesh.instanceMatrix.array;

const ways = {
  step: () => plain.world.step(),
  'step, poses kept': () => world.step(),
  'talus/three: sync of an InstancedMesh, right after the step': () => physics.sync(0.4),
  'talus/three: sync of an InstancedMesh': () => physics.sync(0.4),
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
  // As the addons of three.js do.
  'Rapier: translation, rotation, compose (no interpolation)': () => {
    for (let i = 0; i < count; i++) {
      const body = rapier.bodies[i];
      position.copy(body.translation());
      rotation.copy(body.rotation());
      matrix.compose(position, rotation, scale).toArray(out, 16 * i);
    }
  },
};

const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  rapier.world.step();
  for (const [name, way] of Object.entries(ways)) {
    const start = performance.now();
    way();
    if (round >= rounds / 4) times[name].push(performance.now() - start);
  }
}
const at = (list, p) => [...list].sort((a, b) => a - b)[Math.floor(p * (list.length - 1))];
const rows = Object.entries(times).map(([name, list]) => ({
  way: name,
  p25: at(list, 0.25),
  median: at(list, 0.5),
  p95: at(list, 0.95),
}));
console.log(`${count} bodies, ms`);
console.log(
  table(
    ['', '25 %', 'median', '95 %'],
    rows.map(({ way, p25, median, p95 }) => [way, short(p25), short(median), short(p95)]),
  ),
);
if (args.save)
  save(
    'frames',
    { ...provenance('node bench/frames.mjs'), rapier: packageVersion('@dimforge/rapier3d-simd-compat'), count, rounds },
    rows,
  );
