// Free rotation: energy and angular momentum of boxes from cubes to 1:100, 0.1 to 100 rad/s, in many directions, for a minute.
// `npm run build && node bench/free_motion.mjs [--seconds 60] [--directions 20] [--speeds 0.1,1,10] [--aspects 1,10,100]`
// prints the worst of each kind, aspect and speed: energy above and below that of the start, momentum vector, and then the
// worst of all. Exits with 1 if energy ever is 0.1 % above or 2 % below the start, or the momentum 0.1 % off.
import { createWorld } from '../dist/index.js';
import { readArgs } from './lib/args.mjs';

const values = readArgs(
  {
    seconds: { type: 'string', default: '60' },
    directions: { type: 'string', default: '20' },
    speeds: { type: 'string', default: '0.1,0.3,1,3,5,10,20,30,60,100' },
    aspects: { type: 'string', default: '1,2,5,10,20,50,100' },
    kinds: { type: 'string', default: 'rod,plate,bar,lath,board' },
  },
  { seconds: '0.2', directions: '1', speeds: '1', aspects: '1,10' },
);
const list = (text) => text.split(',').map(Number);

/** Edges of a box, m, by the ratio of the longest to the shortest. */
const KINDS = {
  rod: (a) => [1, 1 / a, 1 / a],
  plate: (a) => [1, 1, 1 / a],
  bar: (a) => [1, Math.min(1, 2 / a), 1 / a],
  lath: (a) => [1, 1 / Math.sqrt(a), 1 / a],
  board: (a) => [1, (1 + 1 / a) / 2, 1 / a],
};
const ENERGY_UP = 1e-3;
const ENERGY_DOWN = 2e-2;
const MOMENTUM = 1e-3;

/** Direction i of n, evenly over the sphere and on none of its axes. */
function direction(i, n) {
  const y = 1 - (2 * i + 1) / n;
  const angle = i * Math.PI * (3 - Math.sqrt(5)) + 0.3;
  const r = Math.sqrt(1 - y * y);
  return [r * Math.cos(angle), y, r * Math.sin(angle)];
}

/** Angular momentum (3) and energy (world, double precision) of body i of a world, at `out`. */
function measure(world, i, [ia, ib, ic], out) {
  const q = world.rotations;
  let [x, y, z, s] = [q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]];
  const n = 1 / Math.sqrt(x * x + y * y + z * z + s * s);
  x *= n;
  y *= n;
  z *= n;
  s *= n;
  const v = world.velocities;
  const [wx, wy, wz] = [v[16 * i + 4], v[16 * i + 5], v[16 * i + 6]];
  let [tx, ty, tz] = [2 * (wy * z - wz * y), 2 * (wz * x - wx * z), 2 * (wx * y - wy * x)];
  const a = wx + s * tx + (ty * z - tz * y);
  const b = wy + s * ty + (tz * x - tx * z);
  const c = wz + s * tz + (tx * y - ty * x);
  const [la, lb, lc] = [ia * a, ib * b, ic * c];
  tx = 2 * (y * lc - z * lb);
  ty = 2 * (z * la - x * lc);
  tz = 2 * (x * lb - y * la);
  out[0] = la + s * tx + (y * tz - z * ty);
  out[1] = lb + s * ty + (z * tx - x * tz);
  out[2] = lc + s * tz + (x * ty - y * tx);
  out[3] = 0.5 * (a * la + b * lb + c * lc);
}

const directions = Number(values.directions);
const steps = Math.round(Number(values.seconds) * 60);
const rows = [];
for (const kind of values.kinds.split(',')) {
  for (const aspect of list(values.aspects)) {
    const edges = KINDS[kind](aspect);
    const world = await createWorld({ gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'box', halfExtents: edges.map((e) => e / 2) });
    const bodies = [];
    for (const speed of list(values.speeds)) {
      for (let i = 0; i < directions; i++) {
        const id = world.createBody({
          shape,
          mask: 0,
          position: [4 * i, 4 * bodies.length, 0],
          rotation: [...direction(directions - 1 - i, directions), 0.7],
          angularVelocity: direction(i, directions).map((x) => x * speed),
        });
        const [x, y, z] = edges.map((e) => e * e);
        const m = world.getMass(id) / 12;
        const moments = [m * (y + z), m * (x + z), m * (x + y)];
        const start = new Float64Array(4);
        const index = world.indexOf(id);
        measure(world, index, moments, start);
        bodies.push({ speed, index, moments, start, up: 0, down: 0, momentum: 0 });
      }
    }
    const now = new Float64Array(4);
    for (let k = 0; k < steps; k++) {
      world.step();
      for (const body of bodies) {
        const { start } = body;
        measure(world, body.index, body.moments, now);
        const energy = now[3] / start[3] - 1;
        // Not a number counts as the worst.
        if (!(energy <= body.up)) body.up = energy;
        if (!(-energy <= body.down)) body.down = -energy;
        const d = Math.hypot(now[0] - start[0], now[1] - start[1], now[2] - start[2]) / Math.hypot(start[0], start[1], start[2]);
        if (!(d <= body.momentum)) body.momentum = d;
      }
    }
    for (const speed of list(values.speeds)) {
      const of = bodies.filter((body) => body.speed === speed);
      const worst = (key) => of.reduce((most, body) => (body[key] <= most ? most : body[key]), 0);
      rows.push({ kind, aspect, speed, up: worst('up'), down: worst('down'), momentum: worst('momentum') });
    }
  }
}
const percent = (x) => `${(100 * x).toPrecision(2)} %`;
console.log('| box | 1 : | rad/s | energy above | below | momentum |\n|---|---|---|---|---|---|');
for (const r of rows)
  console.log(`| ${r.kind} | ${r.aspect} | ${r.speed} | ${percent(r.up)} | ${percent(r.down)} | ${percent(r.momentum)} |`);
const worst = (key) => rows.reduce((most, row) => (row[key] <= most ? most : row[key]), 0);
console.log(
  `worst: energy ${percent(worst('up'))} above, ${percent(worst('down'))} below, momentum ${percent(worst('momentum'))}`,
);
if (!(worst('up') <= ENERGY_UP && worst('down') <= ENERGY_DOWN && worst('momentum') <= MOMENTUM)) process.exitCode = 1;
