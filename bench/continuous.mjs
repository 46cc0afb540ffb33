// Fast bodies: what passes through walls, and what is hit though it passes by.
//
//   node bench/continuous.mjs [--engines talus,rapier,havok,jolt] [--count 20] [--solver wide] [--wasm build/talus.wasm]
//
// Walls: bodies that spin at 30 rad/s fly at a plate (box of 1 cm and 10 cm, triangles, heightfield; for talus also plates that
// are kinematic and move, at bodies that rest) from `count` distances within one step. A body that is ever behind has passed.
// Passing by: boxes over a ridge, spheres past a wall, at gaps from 1 cm on. Any change of velocity is a hit by thin air.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from './lib/report.mjs';
import { createState } from './lib/state.mjs';

const { values: args } = parseArgs({
  options: {
    engines: { type: 'string', default: 'talus' },
    count: { type: 'string', default: '20' },
    solver: { type: 'string' },
    wasm: { type: 'string' },
    walls: { type: 'string', default: '1cm,10cm,mesh,field,kinematic' },
  },
});
const COUNT = Number(args.count);
const DT = 1 / 60;
const SPEEDS = [10, 20, 30, 50, 100, 200, 500];

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
function direction(next) {
  const z = 2 * next() - 1;
  const a = 2 * Math.PI * next();
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(a), r * Math.sin(a), z];
}
function quaternion(next) {
  const u = next();
  const a = 2 * Math.PI * next();
  const b = 2 * Math.PI * next();
  const s = Math.sqrt(1 - u);
  const t = Math.sqrt(u);
  return [s * Math.sin(a), s * Math.cos(a), t * Math.sin(b), t * Math.cos(b)];
}

const hullPoints = () => {
  const next = random(7);
  return Float32Array.from(Array.from({ length: 20 }, () => direction(next).map((x) => 0.15 * x)).flat());
};
const BODIES = {
  sphere: { type: 'sphere', radius: 0.1 },
  box: { type: 'box', halfExtents: [0.1, 0.15, 0.2] },
  capsule: { type: 'capsule', radius: 0.08, halfHeight: 0.2 },
  hull: { type: 'hull', points: hullPoints() },
  rod: { type: 'box', halfExtents: [0.02, 0.5, 0.02] },
  needle: { type: 'capsule', radius: 0.01, halfHeight: 0.5 },
  sheet: { type: 'box', halfExtents: [0.4, 0.005, 0.4] },
};

/** Flat triangles, 5 x 5 m in cells of 0.5 m. */
function flatMesh() {
  const positions = [];
  const indices = [];
  const n = 10;
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) positions.push((i - n / 2) / 2, 0, (j - n / 2) / 2);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + n + 2, a, a + n + 2, a + 1);
    }
  }
  return { type: 'mesh', positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}
const flatField = () => ({
  type: 'heightfield',
  nx: 11,
  nz: 11,
  spacing: 0.5,
  originX: -2.5,
  originZ: -2.5,
  heights: new Float32Array(121),
});
const plate = (half) => ({ type: 'box', halfExtents: [2.5, half, 2.5] });
const WALLS = {
  '1cm': { shape: plate(0.005), top: 0.005 },
  '10cm': { shape: plate(0.05), top: 0.05 },
  mesh: { shape: flatMesh(), top: 0 },
  field: { shape: flatField(), top: 0 },
  kinematic: { shape: plate(0.005), top: 0.005, moves: true },
};

/** A scene of bodies; each is { type, shape, position, rotation, velocity, spin }. */
function sceneOf(shapes, list) {
  const bodies = {
    count: list.length,
    type: Uint8Array.from(list, (b) => b.type),
    shape: Uint32Array.from(list, (b) => b.shape),
    position: Float32Array.from(list.flatMap((b) => b.position)),
    rotation: Float32Array.from(list.flatMap((b) => b.rotation ?? [0, 0, 0, 1])),
    linearVelocity: Float32Array.from(list.flatMap((b) => b.velocity ?? [0, 0, 0])),
    angularVelocity: Float32Array.from(list.flatMap((b) => b.spin ?? [0, 0, 0])),
    density: Float32Array.from(list, (b) => (b.type === 2 ? 1000 : 0)),
    friction: new Float32Array(list.length).fill(0.5),
    restitution: new Float32Array(list.length),
  };
  const bounds = { min: [-1e9, -1e9, -1e9], max: [1e9, 1e9, 1e9] };
  const checks = { dynamicCount: list.length, triangles: 0, touching: false, stands: false, bounds };
  return { name: 'continuous', title: '', seed: 1, gravity: [0, 0, 0], dt: DT, shapes, bodies, checks };
}

async function run(engine, scene, steps, look) {
  const { create } = await import(`./engines/${engine}.mjs`);
  const wasm = args.wasm && engine === 'talus' ? readFileSync(args.wasm) : undefined;
  const world = await create(scene, { solver: engine === 'talus' ? args.solver : undefined, wasm });
  const state = createState(scene.bodies.count);
  for (let i = 0; i < steps; i++) {
    world.step();
    world.read(state);
    look(state, i);
  }
  world.dispose?.();
}

/** Bodies that were ever behind the plate in front of which they started. */
async function passed(engine, body, wall, speed) {
  const next = random(speed * 31 + body.length);
  const list = [];
  const { shape, top, moves } = WALLS[wall];
  for (let k = 0; k < COUNT; k++) {
    const x = 100 * (k - COUNT / 2);
    list.push({ type: moves ? 1 : 0, shape: 1, position: [x, 0, 0], velocity: [0, moves ? speed : 0, 0] });
    const height = top + 0.6 + (speed * DT * k) / COUNT;
    const spin = direction(next).map((c) => 30 * c);
    const side = k % 2 === 0 ? 0 : 0.1 * Math.min(speed, 20);
    const velocity = moves ? [0, 0, 0] : [side, -speed, 0];
    list.push({ type: 2, shape: 0, position: [x, height, 0], rotation: quaternion(next), velocity, spin });
  }
  const behind = new Set();
  const steps = Math.ceil((0.6 + 2 * speed * DT) / (speed * DT)) + 8;
  await run(engine, sceneOf([BODIES[body], shape], list), steps, (state) => {
    for (let k = 0; k < COUNT; k++) {
      const offset = [0, 1, 2].map((c) => state.position[6 * k + 3 + c] - state.position[6 * k + c]);
      // Beside the plate nothing holds a body.
      if (offset[1] < -0.02 && Math.hypot(offset[0], offset[2]) < 2) behind.add(k);
    }
  });
  return behind.size;
}

const half = Math.SQRT1_2;
/** Bodies whose velocity changed although they pass by. */
async function deflected(engine, kind, gap, speed) {
  const list = [];
  const c = Math.cos(Math.PI / 8);
  const s = Math.sin(Math.PI / 8);
  const travel = speed * DT;
  const shapes =
    kind === 'ridge'
      ? [
          { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
          { type: 'box', halfExtents: [2, 2, 2] },
        ]
      : [
          { type: 'sphere', radius: 0.1 },
          { type: 'box', halfExtents: [0.1, 2, 2] },
        ];
  for (let k = 0; k < COUNT; k++) {
    const z = 100 * (k - COUNT / 2);
    const x = -3 - (travel * k) / COUNT;
    if (kind === 'ridge') {
      list.push({ type: 0, shape: 1, position: [0, -4 * half, z], rotation: [0, 0, s, c] });
      list.push({ type: 2, shape: 0, position: [x, 0.5 + gap, z], velocity: [speed, 0, 0] });
    } else {
      list.push({ type: 0, shape: 1, position: [0, -2, z] });
      list.push({ type: 2, shape: 0, position: [x, 0.1 + gap, z], velocity: [speed, 0, 0] });
    }
  }
  const hit = new Set();
  await run(engine, sceneOf(shapes, list), Math.ceil(7 / travel) + 2, (state) => {
    for (let k = 0; k < COUNT; k++) {
      const i = 6 * k + 3;
      if (Math.hypot(state.linear[i] - speed, state.linear[i + 1], state.linear[i + 2]) > 1e-3 * speed) hit.add(k);
    }
  });
  return hit.size;
}

const engines = args.engines.split(',');
for (const engine of engines) {
  const rows = [];
  for (const wall of args.walls.split(',')) {
    if (WALLS[wall].moves && engine !== 'talus') continue;
    for (const body of Object.keys(BODIES)) {
      const row = [wall, body];
      for (const speed of SPEEDS) row.push(String(await passed(engine, body, wall, speed)));
      rows.push(row);
    }
  }
  console.log(`\n${engine}: of ${COUNT} bodies that spin at 30 rad/s, passed`);
  console.log(table(['wall', 'body', ...SPEEDS.map((v) => `${v} m/s`)], rows));
}
const PASSING = [1, 2, 5, 10, 20, 50];
for (const engine of engines) {
  const rows = [];
  for (const kind of ['ridge', 'wall']) {
    for (const gap of [0.005, 0.01, 0.02, 0.05]) {
      const row = [kind, `${1000 * gap} mm`];
      for (const speed of PASSING) row.push(String(await deflected(engine, kind, gap, speed)));
      rows.push(row);
    }
  }
  console.log(`\n${engine}: of ${COUNT} bodies that pass by, hit`);
  console.log(table(['past', 'gap', ...PASSING.map((v) => `${v} m/s`)], rows));
}
