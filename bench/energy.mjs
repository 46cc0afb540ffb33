// Measures energy and angular momentum of colliding bodies over a minute: how much a solver adds or loses.
//
//   node bench/energy.mjs [--solver wide] [--bodies 500] [--seconds 60] [--restitution 1] [--half 10] [--seed 1]
//
// A closed box without gravity and friction: kinetic energy relative to the start, the largest and at each tenth of the run.
// A cloud of 300 spheres that collide in free space for 10 s: drift of the angular momentum over the sum of m |v| |r| at the start.
import { loadTalus } from './engines/talus.mjs';
import { readArgs } from './lib/args.mjs';

const args = readArgs(
  {
    solver: { type: 'string', default: 'wide' },
    bodies: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    restitution: { type: 'string', default: '1' },
    half: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
  { bodies: '20', seconds: '0.2' },
);
const { createWorld } = await loadTalus(args.solver);

/** Numbers in [0, 1) from a seed (mulberry32). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

async function closedBox() {
  const half = Number(args.half);
  const count = Number(args.bodies);
  const material = { friction: 0, restitution: Number(args.restitution) };
  const world = await createWorld({ solver: args.solver, gravity: [0, 0, 0] });
  for (let axis = 0; axis < 3; axis++) {
    const shape = world.createShape({ type: 'box', halfExtents: [0, 1, 2].map((k) => (k === axis ? 2 : half + 4)) });
    for (const side of [-1, 1]) {
      const position = [0, 1, 2].map((k) => (k === axis ? side * (half + 2) : 0));
      world.createBody({ type: 'static', shape, position, ...material });
    }
  }
  const shapes = [
    world.createShape({ type: 'box', halfExtents: [0.5, 0.3, 0.4] }),
    world.createShape({ type: 'sphere', radius: 0.4 }),
    world.createShape({ type: 'capsule', radius: 0.3, halfHeight: 0.3 }),
  ];
  const next = seeded(Number(args.seed));
  const side = Math.ceil(Math.cbrt(count));
  for (let i = 0; i < count; i++) {
    const cell = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    world.createBody({
      shape: shapes[i % 3],
      position: cell.map((k) => ((k - (side - 1) / 2) * (2 * half - 2)) / side + 0.2 * (next() - 0.5)),
      rotation: [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5],
      linearVelocity: [0, 1, 2].map(() => 10 * (next() - 0.5)),
      angularVelocity: [0, 1, 2].map(() => 10 * (next() - 0.5)),
      ...material,
    });
  }
  const steps = Math.round(Number(args.seconds) * 60);
  const first = world.measure().kineticEnergy;
  let most = 1;
  const shares = [];
  for (let i = 1; i <= steps; i++) {
    world.step();
    const share = world.measure().kineticEnergy / first;
    most = Math.max(most, share);
    if (i % Math.max(1, Math.round(steps / 10)) === 0) shares.push(share.toFixed(4));
  }
  console.log(`closed box, ${count} bodies: E / E0 at most ${most.toFixed(4)}; ${shares.join(' ')}`);
}

async function cloud(friction) {
  const world = await createWorld({ solver: args.solver, gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'sphere', radius: 0.4 });
  const next = seeded(Number(args.seed));
  const ids = [];
  for (let i = 0; i < 300; i++) {
    const position = [i % 7, Math.floor(i / 7) % 7, Math.floor(i / 49)].map((k) => 1.6 * (k - 3) + 0.2 * next());
    const linearVelocity = position.map((x) => -1.5 * x + 4 * (next() - 0.5));
    ids.push(world.createBody({ shape, position, linearVelocity, friction, restitution: 0.5 }));
  }
  const [x, v, w] = [[], [], []];
  const inertia = 0.4 * world.getMass(ids[0]) * 0.4 * 0.4;
  const momentum = () => {
    const sum = [0, 0, 0];
    let size = 0;
    for (const id of ids) {
      world.getPosition(id, x);
      world.getLinearVelocity(id, v);
      world.getAngularVelocity(id, w);
      const m = world.getMass(id);
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        sum[k] += m * (x[i] * v[j] - x[j] * v[i]) + inertia * w[k];
      }
      size += m * Math.hypot(...x) * Math.hypot(...v);
    }
    return { sum, size };
  };
  const before = momentum();
  for (let i = 0; i < (args.quick ? 10 : 600); i++) world.step();
  const drift = Math.hypot(...momentum().sum.map((l, k) => l - before.sum[k])) / before.size;
  console.log(`300 spheres, friction ${friction}: drift of angular momentum ${drift.toExponential(2)}`);
}

await cloud(0);
await cloud(0.5);
await closedBox();
