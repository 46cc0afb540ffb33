// Measures single rays, batches of rays, shape casts, overlaps and closest points, against Rapier on the same scenes.
//
//   node bench/queries.mjs [--rays 20000] [--rounds 9] [--dist dist] [--against other/dist] [--save] [--json file]
//
// Scenes: 5,000 boxes at random poses, and a terrain of 8,192 triangles. Engines take turns with a block of queries each, in rotating
// order. Figures are medians over the rounds, in processor time. The answers are compared first: hits, misses and distances. Single rays
// request the normal on both sides and read it; Rapier creates an object per answer, talus writes into one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import RAPIER from '@dimforge/rapier3d-simd-compat';
import { readArgs } from './lib/args.mjs';
import { packageVersion } from './lib/package_version.mjs';
import { table } from './lib/report.mjs';

const args = readArgs(
  {
    rays: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '9' },
    dist: { type: 'string', default: resolve(import.meta.dirname, '../dist') },
    against: { type: 'string' },
    json: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
  { rays: '100', rounds: '1', json: undefined },
);
const COUNT = Number(args.rays);
const ROUNDS = Number(args.rounds);
await RAPIER.init();
const { createWorld, createQueryHit, createBatchHits } = await import(pathToFileURL(resolve(args.dist, 'index.js')).href);

/** mulberry32 */
function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

function turn(next) {
  const q = [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5];
  const k = 1 / Math.hypot(...q);
  return q.map((x) => x * k);
}

/** 5,000 boxes in a cloud of 60 x 20 x 60 m. */
async function boxes() {
  const next = random(1);
  const world = await createWorld({ gravity: [0, 0, 0] });
  const rapier = new RAPIER.World({ x: 0, y: 0, z: 0 });
  const shapes = Array.from({ length: 16 }, () => [0.2 + next() * 0.6, 0.2 + next() * 0.6, 0.2 + next() * 0.6]);
  const ids = shapes.map((halfExtents) => world.createShape({ type: 'box', halfExtents }));
  for (let i = 0; i < 5000; i++) {
    const position = [60 * next() - 30, 20 * next(), 60 * next() - 30].map(Math.fround);
    const rotation = turn(next).map(Math.fround);
    world.createBody({ type: 'static', shape: ids[i % 16], position, rotation });
    const [x, y, z, w] = rotation;
    const body = rapier.createRigidBody(
      RAPIER.RigidBodyDesc.fixed()
        .setTranslation(...position)
        .setRotation({ x, y, z, w }),
    );
    rapier.createCollider(RAPIER.ColliderDesc.cuboid(...shapes[i % 16]), body);
  }
  world.step();
  rapier.step();
  const points = () => [90 * next() - 45, 30 * next() - 5, 90 * next() - 45];
  return { name: '5,000 boxes', world, rapier, ...rays(points, points) };
}

/** A terrain of 64 x 64 cells, two triangles each. */
async function terrain() {
  const next = random(2);
  const positions = [];
  const indices = [];
  const n = 64;
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) positions.push(i - n / 2, 2 * Math.sin(i * 0.3) * Math.cos(j * 0.21) + 0.3 * next(), j - n / 2);
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + n + 2, a, a + n + 2, a + 1);
    }
  }
  const world = await createWorld();
  const mesh = world.createShape({ type: 'mesh', positions: Float32Array.from(positions), indices: Uint32Array.from(indices) });
  world.createBody({ type: 'static', shape: mesh });
  const rapier = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  rapier.createCollider(RAPIER.ColliderDesc.trimesh(Float32Array.from(positions), Uint32Array.from(indices)));
  world.step();
  rapier.step();
  const above = () => [60 * next() - 30, 5 + 10 * next(), 60 * next() - 30];
  const below = () => [60 * next() - 30, -3, 60 * next() - 30];
  return { name: '8,192 triangles', world, rapier, ...rays(above, below) };
}

/** The same, straight down, as ground checks are. */
async function ground() {
  const scene = await terrain();
  const next = random(3);
  const above = () => [60 * next() - 30, 5 + 10 * next(), 60 * next() - 30];
  const { origins } = rays(above, above);
  const directions = Float32Array.from({ length: 3 * COUNT }, (_, i) => (i % 3 === 1 ? -1 : 0));
  return { ...scene, name: '8,192 triangles, down', origins, directions };
}

/** COUNT rays from points to points, unit directions. */
function rays(from, to) {
  const origins = new Float32Array(3 * COUNT);
  const directions = new Float32Array(3 * COUNT);
  for (let i = 0; i < COUNT; i++) {
    const o = from();
    const d = to().map((x, k) => x - o[k]);
    const k = 1 / Math.hypot(...d);
    origins.set(o, 3 * i);
    directions.set(
      d.map((x) => x * k),
      3 * i,
    );
  }
  return { origins, directions };
}

const REACH = 60;
let sink = 0;

function talusRays({ world, origins, directions }) {
  const hit = createQueryHit();
  const o = [0, 0, 0];
  const d = [0, 0, 0];
  const options = { maxDistance: REACH };
  return () => {
    for (let i = 0; i < 3 * COUNT; i += 3) {
      o[0] = origins[i];
      o[1] = origins[i + 1];
      o[2] = origins[i + 2];
      d[0] = directions[i];
      d[1] = directions[i + 1];
      d[2] = directions[i + 2];
      if (world.castRay(o, d, options, hit)) sink += hit.distance + hit.normal[1];
    }
  };
}

function rapierRays({ rapier, origins, directions }) {
  const ray = new RAPIER.Ray({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 });
  return () => {
    for (let i = 0; i < 3 * COUNT; i += 3) {
      ray.origin.x = origins[i];
      ray.origin.y = origins[i + 1];
      ray.origin.z = origins[i + 2];
      ray.dir.x = directions[i];
      ray.dir.y = directions[i + 1];
      ray.dir.z = directions[i + 2];
      const hit = rapier.castRayAndGetNormal(ray, REACH, true);
      if (hit) sink += hit.timeOfImpact + hit.normal.y;
    }
  };
}

/** Whether both hit, at the same distance. */
function compare({ world, rapier, origins, directions }) {
  let hits = 0;
  let differ = 0;
  for (let i = 0; i < 3 * COUNT; i += 3) {
    const o = origins.subarray(i, i + 3);
    const d = directions.subarray(i, i + 3);
    const ours = world.castRay(o, d, { maxDistance: REACH });
    const ray = new RAPIER.Ray({ x: o[0], y: o[1], z: o[2] }, { x: d[0], y: d[1], z: d[2] });
    const theirs = rapier.castRayAndGetNormal(ray, REACH, true);
    if (ours) hits++;
    if (!ours !== !theirs || (ours && Math.abs(ours.distance - theirs.timeOfImpact) > 1e-3)) differ++;
  }
  return { hits, differ };
}

/** Balls of 0.3 m along the first part of each ray. */
const CASTS = 0.1;
const RADIUS = 0.3;
const WAY = 10;
function talusCasts({ world, origins, directions }) {
  const ball = world.createShape({ type: 'sphere', radius: RADIUS });
  const hit = createQueryHit();
  const o = [0, 0, 0];
  const d = [0, 0, 0];
  return () => {
    for (let i = 0; i < 3 * COUNT * CASTS; i += 3) {
      for (let k = 0; k < 3; k++) {
        o[k] = origins[i + k];
        d[k] = WAY * directions[i + k];
      }
      if (world.castShape(ball, o, null, d, undefined, hit)) sink += hit.distance;
    }
  };
}
function rapierCasts({ rapier, origins, directions }) {
  const ball = new RAPIER.Ball(RADIUS);
  const o = { x: 0, y: 0, z: 0 };
  const d = { x: 0, y: 0, z: 0 };
  const q = { x: 0, y: 0, z: 0, w: 1 };
  return () => {
    for (let i = 0; i < 3 * COUNT * CASTS; i += 3) {
      [o.x, o.y, o.z] = origins.subarray(i, i + 3);
      [d.x, d.y, d.z] = directions.subarray(i, i + 3);
      const hit = rapier.castShape(o, q, d, ball, 0, WAY, true);
      if (hit) sink += hit.time_of_impact;
    }
  };
}
function talusClosest({ world, origins }) {
  const hit = createQueryHit();
  const o = [0, 0, 0];
  const options = { maxDistance: 100 };
  return () => {
    for (let i = 0; i < 3 * COUNT * CASTS; i += 3) {
      for (let k = 0; k < 3; k++) o[k] = origins[i + k];
      if (world.closestPoint(o, options, hit)) sink += hit.distance;
    }
  };
}
function rapierClosest({ rapier, origins }) {
  const o = { x: 0, y: 0, z: 0 };
  return () => {
    for (let i = 0; i < 3 * COUNT * CASTS; i += 3) {
      [o.x, o.y, o.z] = origins.subarray(i, i + 3);
      const hit = rapier.projectPoint(o, true);
      if (hit) sink += hit.point.x;
    }
  };
}
function talusBatch({ world, origins, directions }) {
  const out = createBatchHits(COUNT);
  const options = { maxDistance: REACH };
  return () => {
    sink += world.castRays(origins, directions, options, out);
  };
}
function talusBatchCasts({ world, origins, directions }) {
  const ball = world.createShape({ type: 'sphere', radius: RADIUS });
  const n = 3 * COUNT * CASTS;
  const out = createBatchHits(COUNT * CASTS);
  const ways = directions.slice(0, n).map((x) => WAY * x);
  const starts = origins.slice(0, n);
  return () => {
    sink += world.castShapes(ball, starts, null, ways, {}, out);
  };
}

/** Medians of the time of one query, microseconds of the processor: what other programs take does not count. */
function race(entries, count) {
  const times = entries.map(() => []);
  for (const entry of entries) entry.run();
  for (let round = 0; round < ROUNDS; round++) {
    for (let k = 0; k < entries.length; k++) {
      const e = (k + round) % entries.length;
      const start = process.cpuUsage();
      entries[e].run();
      const { user, system } = process.cpuUsage(start);
      times[e].push(user + system);
    }
  }
  return times.map((list) => ({ median: median(list) / count, best: Math.min(...list) / count }));
}

const results = [];
for (const make of [boxes, terrain, ground]) {
  const scene = await make();
  const { hits, differ } = compare(scene);
  console.log(`${scene.name}: ${hits} of ${COUNT} rays hit, ${differ} answers differ`);
  const [ours, theirs, batch] = race([{ run: talusRays(scene) }, { run: rapierRays(scene) }, { run: talusBatch(scene) }], COUNT);
  const [cast, theirCast, batchCast, closest, theirClosest] = race(
    [talusCasts, rapierCasts, talusBatchCasts, talusClosest, rapierClosest].map((f) => ({ run: f(scene) })),
    COUNT * CASTS,
  );
  results.push({
    scene: scene.name,
    hits,
    differ,
    rays: COUNT,
    ours,
    theirs,
    batch,
    cast,
    theirCast,
    batchCast,
    closest,
    theirClosest,
  });
}
const us = ({ median }) => median.toFixed(3);
const line = (r, name, ours, theirs, batch) => [
  r.scene,
  name,
  us(ours),
  us(theirs),
  (theirs.median / ours.median).toFixed(2),
  batch ? us(batch) : '',
  batch ? `${(1 / batch.median).toFixed(2)} M` : '',
  batch ? `${(1 / batch.best).toFixed(2)} M` : '',
];
console.log(
  table(
    ['scene', 'query', 'talus us', 'rapier us', 'ratio', 'batch us', 'per second', 'best round'],
    results.flatMap((r) => [
      line(r, 'ray', r.ours, r.theirs, r.batch),
      line(r, 'ball cast', r.cast, r.theirCast, r.batchCast),
      line(r, 'closest point', r.closest, r.theirClosest),
    ]),
  ),
);
const cpu = cpus()[0]?.model ?? 'cpu';
const report = {
  date: new Date().toISOString(),
  machine: `${cpu}, ${cpus().length} cores`,
  load: loadavg()[0],
  rapier: packageVersion('@dimforge/rapier3d-simd-compat'),
  results,
};
if (args.json) writeFileSync(args.json, `${JSON.stringify(report, null, 2)}\n`);
if (args.save) {
  const maker = /amd|epyc/i.test(cpu) ? 'amd-epyc' : 'intel-xeon';
  const folder = join(import.meta.dirname, 'results', `${report.date.slice(0, 10)}_${maker}-${cpus().length}-cores`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'queries.json'), `${JSON.stringify(report, null, 2)}\n`);
}
if (!Number.isFinite(sink)) console.log(sink);
