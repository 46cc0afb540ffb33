// Finds the bodies that do not come to rest, and their contacts. Use it to find the cause of the last jitter in a pile.
//
//   node bench/restless.mjs --scene boxes-small --seed 3 [--seconds 20] [--top 3] [--trace 30] [--wasm build/talus.wasm]
//
// Runs talus and ranks bodies by rms speed over the last 2 s. Then it follows the worst body for some steps and prints its distance to
// everything within 3 mm (mesh triangles `t`, bodies `b`; negative = overlap), measured independently of the engine. If a distance falls
// below -0.3 mm before the speed changes, the engine missed that contact.
import { readFileSync } from 'node:fs';
import { create } from './engines/talus.mjs';
import { readArgs } from './lib/args.mjs';
import { collidersOf, convexDepth, coreDistance, placed } from './lib/convex.mjs';
import { groundTriangles } from './lib/ground.mjs';
import { short, table } from './lib/report.mjs';
import { buildScene } from './lib/scenes.mjs';
import { createState } from './lib/state.mjs';
import { add, cross, dot, length, matrixOf, multiply, rotate, scale, sub } from './lib/vec.mjs';

const REACH = 0.003;

const args = readArgs(
  {
    scene: { type: 'string', default: 'boxes-small' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '20' },
    top: { type: 'string', default: '3' },
    trace: { type: 'string', default: '30' },
    solver: { type: 'string' },
    preset: { type: 'string' },
    wasm: { type: 'string' },
  },
  { seconds: '0.1', trace: '1' },
);

const seed = Number(args.seed);
const scene = buildScene(args.scene, { seed });
const { bodies, shapes } = scene;
const wasm = args.wasm ? readFileSync(args.wasm) : undefined;
const engine = await create(scene, { seed, solver: args.solver, preset: args.preset, wasm });
const state = createState(bodies.count);
const steps = Math.round(Number(args.seconds) / scene.dt);
const window = Math.min(steps, 120);
for (let i = 0; i < steps - window; i++) engine.step();

const squares = new Float64Array(bodies.count);
engine.read(state);
const before = state.position.slice();
for (let i = 0; i < window; i++) {
  engine.step();
  engine.read(state);
  for (let b = 0; b < bodies.count; b++) squares[b] += length(state.linear.subarray(3 * b, 3 * b + 3)) ** 2 / window;
}
const order = [...squares.keys()].filter((b) => bodies.density[b] > 0).sort((a, b) => squares[b] - squares[a]);
const above = (speed) => order.filter((b) => squares[b] > speed * speed).length;
console.log(`rms over 1e-6 m/s: ${above(1e-6)} bodies, over 1e-4: ${above(1e-4)}, over 1e-2: ${above(1e-2)}`);
const net = (b) =>
  length(sub(state.position.subarray(3 * b, 3 * b + 3), before.subarray(3 * b, 3 * b + 3))) / (window * scene.dt);
const place = (b) => Array.from(state.position.subarray(3 * b, 3 * b + 3), (c) => c.toFixed(2)).join(' ');
const top = order.slice(0, Number(args.top));
console.log(
  table(
    ['body', 'rms m/s', 'net m/s', 'position'],
    top.map((b) => [b, short(Math.sqrt(squares[b])), short(net(b)), place(b)]),
  ),
);

/** Overlap of a convex piece with one triangle along the normals of both and the crossed edges, m. */
function triangleOverlap(piece, vertices) {
  const edges = [0, 1, 2].map((k) => sub(vertices[(k + 1) % 3], vertices[k]));
  const axes = [cross(edges[0], edges[1]), ...piece.piece.faces.map((n) => rotate(piece.m, n))];
  for (const e of piece.piece.edges) {
    const d = sub(piece.vertices[e.b], piece.vertices[e.a]);
    for (const f of edges) axes.push(cross(d, f));
  }
  let best = Infinity;
  for (const axis of axes) {
    const size = length(axis);
    if (size < 1e-6) continue;
    const n = scale(axis, 1 / size);
    const a = piece.vertices.map((v) => dot(v, n));
    const b = vertices.map((v) => dot(v, n));
    best = Math.min(best, Math.max(...a) - Math.min(...b), Math.max(...b) - Math.min(...a));
  }
  return best + piece.radius;
}

const colliders = collidersOf(scene);
const worst = top[0];
const ground = shapes.find((s) => s.type === 'mesh' || s.type === 'heightfield');
const { positions, indices } = ground ? groundTriangles(ground) : { positions: [], indices: [] };
for (let i = 0; i < Number(args.trace); i++) {
  engine.step();
  engine.read(state);
  const put = (c) => {
    const m = matrixOf(state.rotation, 4 * c.body);
    const p = add(state.position.subarray(3 * c.body, 3 * c.body + 3), rotate(m, c.childPosition));
    return placed(c.piece, multiply(m, c.childMatrix), p);
  };
  const found = [];
  for (const mine of colliders.filter((c) => c.body === worst).map(put)) {
    const apart = (low, high) => [0, 1, 2].some((k) => low[k] > mine.high[k] + REACH || mine.low[k] > high[k] + REACH);
    for (let t = 0; t < indices.length; t += 3) {
      const v = [0, 1, 2].map((k) => Array.from(positions.subarray(3 * indices[t + k], 3 * indices[t + k] + 3)));
      const bound = (pick) => [0, 1, 2].map((k) => pick(v[0][k], v[1][k], v[2][k]));
      if (apart(bound(Math.min), bound(Math.max))) continue;
      const distance = coreDistance(mine, { vertices: v });
      const gap = distance > 0 ? distance - mine.radius : -triangleOverlap(mine, v);
      if (gap < REACH) found.push(`t${t / 3}:${(1000 * gap).toFixed(2)}`);
    }
    for (const c of colliders) {
      if (c.body === worst || length(sub(state.position.subarray(3 * c.body, 3 * c.body + 3), mine.p)) > 3) continue;
      const other = put(c);
      if (apart(other.low, other.high)) continue;
      const distance = coreDistance(mine, other);
      const gap = distance > 0 ? distance - mine.radius - other.radius : -convexDepth(mine, other);
      if (gap < REACH) found.push(`b${c.body}:${(1000 * gap).toFixed(2)}`);
    }
  }
  const speed = length(state.linear.subarray(3 * worst, 3 * worst + 3));
  console.log(`step ${steps + i + 1} body ${worst} ${speed.toFixed(4)} m/s  mm ${found.join(' ')}`);
}
