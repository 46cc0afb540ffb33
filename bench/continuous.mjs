// Measures fast bodies: do they pass through walls, and are they deflected by walls that they only pass by?
//
//   node bench/continuous.mjs [--engines talus,rapier,havok,jolt] [--count 20] [--solver wide] [--wasm build/talus.wasm]
//                             [--only walls,moving,passing] [--restitution 0] [--ccd]
//
// walls    Bodies that spin at 30 rad/s fly at a plate (box of 1 cm and 10 cm, triangles, heightfield), from `count` distances within
//          one step. For talus, kinematic plates also move at resting bodies. A body that is ever behind the plate has passed.
// moving   Balls of 10 cm fly at a plate of 2 cm on two joints, at a door that turns by 10 rad/s on its hinge, and at a falling box.
//          The table has the passed balls, and the largest loss of momentum in the step of a hit and the next one, as a share of the
//          sum of both. For jointed targets that is angular momentum about their axis; the joints have no friction.
// passing  Boxes fly over a ridge and spheres past a wall, at gaps from 1 cm on. Any change of velocity is a false hit.
//
// `--ccd` turns on continuous collision in Rapier.
import { readFileSync } from 'node:fs';
import { readArgs } from './lib/args.mjs';
import { table } from './lib/report.mjs';
import { createState } from './lib/state.mjs';

const args = readArgs(
  {
    engines: { type: 'string', default: 'talus' },
    count: { type: 'string', default: '20' },
    solver: { type: 'string' },
    wasm: { type: 'string' },
    only: { type: 'string', default: 'walls,moving,passing' },
    restitution: { type: 'string', default: '0' },
    ccd: { type: 'boolean', default: false },
    walls: { type: 'string', default: '1cm,10cm,mesh,field,kinematic' },
  },
  { count: '1', only: 'passing', walls: '1cm' },
);
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
  const world = await create(scene, engine === 'talus' ? { solver: args.solver, wasm } : { ccd: args.ccd });
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

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
function rotate(q, v) {
  const t = cross(q, v).map((x) => 2 * x);
  const u = cross(q, t);
  return v.map((x, k) => x + q[3] * t[k] + u[k]);
}
const unrotate = ([x, y, z, w], v) => rotate([-x, -y, -z, w], v);
function between(a, b, f) {
  const dot = a.reduce((sum, x, i) => sum + x * b[i], 0);
  const to = dot < 0 ? b.map((x) => -x) : b;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  if (angle < 1e-6) return b;
  return a.map((x, i) => (x * Math.sin((1 - f) * angle) + to[i] * Math.sin(f * angle)) / Math.sin(angle));
}
const NO_TURN = [0, 0, 0, 1];
const SPIN = 10;
/** Half sizes, the thin axis, the axis of the joint; body and joints of a target that is met after `time` s. */
const TARGETS = {
  plate: {
    half: [0.01, 1, 1],
    thin: 0,
    axis: 2,
    body: () => ({ position: [0, -1, 0] }),
    joints: [-0.9, 0.9].map((z) => ({ type: 'ball', anchorA: [0, 0, z], anchorB: [0, 1, z], frameA: NO_TURN, frameB: NO_TURN })),
  },
  door: {
    half: [0.5, 1, 0.02],
    thin: 2,
    axis: 1,
    body: () => ({ position: [0.5, 0, 0], velocity: [0, 0, -SPIN / 2], spin: [0, SPIN, 0] }),
    joints: [
      {
        type: 'hinge',
        anchorA: [0, 0, 0],
        anchorB: [-0.5, 0, 0],
        frameA: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        frameB: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      },
    ],
  },
  box: {
    half: [0.25, 0.25, 0.25],
    thin: 0,
    axis: -1,
    body: (time) => ({ position: [0, 10 * time, 0], velocity: [0, -10, 0] }),
    joints: [],
  },
};

/** One ball at a target that moves: whether it passed, and the momentum lost. */
async function shot(engine, name, speed, k) {
  const target = TARGETS[name];
  const { half, thin, axis } = target;
  const next = random(100 * k + speed);
  const [y, z] = [0.6 * (next() - 0.5), 0.6 * (next() - 0.5)];
  const way = 0.6 + (speed * DT * k) / COUNT;
  let direction = [1, 0, 0];
  let at = name === 'plate' ? [0, -1 + y, z] : [-0.2, 0.5 * y, 0.5 * z];
  if (name === 'door') {
    const angle = (SPIN * way) / speed;
    const side = k % 2 === 0 ? 1 : -1;
    direction = [side * Math.sin(angle), 0, side * Math.cos(angle)];
    const r = 0.3 + 0.3 * next();
    at = [r * Math.cos(angle), y, -r * Math.sin(angle)];
  }
  const ball = {
    type: 2,
    shape: 0,
    position: at.map((c, i) => c - way * direction[i]),
    velocity: direction.map((c) => speed * c),
  };
  const list = [ball, { type: 2, shape: 1, ...target.body(way / speed) }];
  const scene = sceneOf(
    [
      { type: 'sphere', radius: 0.1 },
      { type: 'box', halfExtents: half },
    ],
    list,
  );
  scene.bodies.restitution.fill(Number(args.restitution));
  scene.joints = target.joints.map((joint) => ({ bodyA: -1, bodyB: 1, collide: false, frictionLever: 0, ...joint }));
  const masses = [(1000 * 4 * Math.PI * 0.001) / 3, 8000 * half[0] * half[1] * half[2]];
  const squares = half.map((h) => h * h);
  const moments = squares.map((_, i) => (masses[1] / 3) * (squares[0] + squares[1] + squares[2] - squares[i]));
  const read = (state, i) => ({
    x: [...state.position.subarray(3 * i, 3 * i + 3)],
    q: [...state.rotation.subarray(4 * i, 4 * i + 4)],
    v: [...state.linear.subarray(3 * i, 3 * i + 3)],
    w: [...state.angular.subarray(3 * i, 3 * i + 3)],
  });
  const momenta = (b, i) => {
    const p = b.v.map((c) => masses[i] * c);
    const own =
      i === 0
        ? b.w.map((c) => 0.004 * masses[0] * c)
        : rotate(
            b.q,
            unrotate(b.q, b.w).map((c, j) => moments[j] * c),
          );
    return { p, l: cross(b.x, p).map((c, j) => c + own[j]) };
  };
  const local = (x, o, q) =>
    unrotate(
      q,
      x.map((c, i) => c - o[i]),
    );
  let last = list.map((b) => ({ x: b.position, q: NO_TURN, v: b.velocity ?? [0, 0, 0], w: b.spin ?? [0, 0, 0] }));
  const start = last.map(momenta);
  const brought = axis < 0 ? masses[0] * speed : start.reduce((sum, m) => sum + Math.abs(m.l[axis]), 0);
  let passed = false;
  let lost = 0;
  let window = -1;
  await run(engine, scene, Math.ceil((way + 0.6) / (speed * DT)) + 5, (state) => {
    const now = [read(state, 0), read(state, 1)];
    let before = local(last[0].x, last[1].x, last[1].q);
    for (let part = 1; part <= 32; part++) {
      const f = part / 32;
      const lerp = (i) => last[i].x.map((c, j) => c + f * (now[i].x[j] - c));
      const here = local(lerp(0), lerp(1), between(last[1].q, now[1].q, f));
      if (Math.sign(here[thin]) !== Math.sign(before[thin])) {
        const t = before[thin] / (before[thin] - here[thin]);
        const where = before.map((c, j) => c + t * (here[j] - c));
        if (where.every((c, j) => j === thin || Math.abs(c) < half[j] - 0.02)) passed = true;
      }
      before = here;
    }
    if (window < 0 && Math.hypot(...now[0].v.map((c, j) => c - last[0].v[j])) > 1e-3 * speed) window = 2;
    if (window-- > 0) {
      const [a, b] = [last.map(momenta), now.map(momenta)];
      const change = (of, j) => b[0][of][j] + b[1][of][j] - a[0][of][j] - a[1][of][j];
      lost += (axis < 0 ? Math.hypot(...[0, 1, 2].map((j) => change('p', j))) : Math.abs(change('l', axis))) / brought;
    }
    last = now;
  });
  return { passed, lost };
}

const only = args.only.split(',');
const engines = args.engines.split(',');
for (const engine of only.includes('moving') ? engines : []) {
  const rows = [];
  for (const name of Object.keys(TARGETS)) {
    const row = [name];
    for (const speed of SPEEDS) {
      const shots = [];
      for (let k = 0; k < COUNT; k++) shots.push(await shot(engine, name, speed, k));
      const most = Math.max(...shots.map((s) => s.lost));
      row.push(`${shots.filter((s) => s.passed).length}, ${(100 * most).toFixed(2)} %`);
    }
    rows.push(row);
  }
  console.log(`\n${engine}${args.ccd ? ' (ccd)' : ''}: of ${COUNT} balls at moving targets: passed; largest loss of momentum`);
  console.log(table(['target', ...SPEEDS.map((v) => `${v} m/s`)], rows));
}
for (const engine of only.includes('walls') ? engines : []) {
  const rows = [];
  for (const wall of args.walls.split(',')) {
    if (WALLS[wall].moves && engine !== 'talus') continue;
    for (const body of Object.keys(BODIES)) {
      const row = [wall, body];
      for (const speed of SPEEDS) row.push(String(await passed(engine, body, wall, speed)));
      rows.push(row);
    }
  }
  console.log(`\n${engine}: of ${COUNT} bodies that spin at 30 rad/s: passed`);
  console.log(table(['wall', 'body', ...SPEEDS.map((v) => `${v} m/s`)], rows));
}
const PASSING = [1, 2, 5, 10, 20, 50];
for (const engine of only.includes('passing') ? engines : []) {
  const rows = [];
  for (const kind of ['ridge', 'wall']) {
    for (const gap of [0.005, 0.01, 0.02, 0.05]) {
      const row = [kind, `${1000 * gap} mm`];
      for (const speed of PASSING) row.push(String(await deflected(engine, kind, gap, speed)));
      rows.push(row);
    }
  }
  console.log(`\n${engine}: of ${COUNT} bodies that pass by: hit`);
  console.log(table(['past', 'gap', ...PASSING.map((v) => `${v} m/s`)], rows));
}
