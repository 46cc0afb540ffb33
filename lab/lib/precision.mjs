// A dynamic run whose poses, velocities and impulses are kept in double or in single precision: what rounding has to do with jitter. The
// engine, which is single, only finds the contacts: each frame it gets the poses and steps without gravity, without speed and without
// stabilization, so that nothing moves. Contact points and normals are therefore rounded to single in both.
import { METHODS } from '../methods/index.mjs';
import { applyRow, extractProblem } from './problem.mjs';
import { breathe, oneStep, open } from './run.mjs';

/** Share of an overlap that is pushed out in a step (Baumgarte), as in the engine by default. */
const PUSH = 0.2;
/** At most this speed by stabilization, m/s. */
const MOST_PUSH = 3;

/** Impulses of the last frame for the points of this one: manifolds with as many points between the same bodies. */
function carry(problem, before, z) {
  for (const link of problem.links) {
    const old = before?.links.get(`${link.slotA},${link.slotB}`);
    if (old?.points.length !== link.points.length) continue;
    link.points.forEach((i, k) => {
      const from = old.points[k];
      z[i] = before.z[from];
      for (const t of [0, 1]) z[problem.points + 2 * i + t] = before.z[before.points + 2 * from + t];
    });
  }
}

/**
 * Mean kinetic energy of a body by frame, J.
 * @param {object} scene Bodies whose center of mass is their origin.
 * @param {{ method: string, iterations: number, precision: 'single' | 'double', steps: number, sample: number }} options `sample`: every
 *   so many frames; all of the last 60 are in `tail`.
 */
export async function energyRun(scene, { method, iterations, precision, steps, sample }) {
  const Real = precision === 'double' ? Float64Array : Float32Array;
  const still = { ...(await oneStep(1)), stabilizationFactor: 0, warmStart: 0, recycleDistance: 0 };
  const gravity = [0, -9.81, 0];
  const dt = 1 / 60;
  const run = await open(scene, { solver: 'pgs', ...still, gravity: [0, 0, 0] });
  const { world, indices } = run;
  const moving = run.motion.moving;
  const ids = moving.map((i) => world.bodyAt(indices[i]));
  const n = moving.length;
  const center = new Real(3 * n);
  const turn = new Real(4 * n);
  const v = new Real(6 * n);
  moving.forEach((i, b) => {
    center.set(scene.bodies.position.subarray(3 * i, 3 * i + 3), 3 * b);
    turn.set(scene.bodies.rotation.subarray(4 * i, 4 * i + 4), 4 * b);
    v.set(scene.bodies.linearVelocity.subarray(3 * i, 3 * i + 3), 6 * b);
    v.set(scene.bodies.angularVelocity.subarray(3 * i, 3 * i + 3), 6 * b + 3);
  });
  const { masses } = run.motion;
  let before = null;
  const curve = [];
  const tail = [];
  for (let step = 1; step <= steps; step++) {
    for (let b = 0; b < n; b++) {
      world.teleport(ids[b], center.subarray(3 * b, 3 * b + 3), turn.subarray(4 * b, 4 * b + 4));
      world.setVelocity(ids[b], [0, 0, 0], [0, 0, 0]);
    }
    world.step();
    const problem = extractProblem(run);
    for (let i = 0; i < problem.points; i++) {
      const gap = problem.separation[i];
      problem.bias[i] = gap > 0 ? gap / dt : Math.max((PUSH * gap) / dt, -MOST_PUSH);
    }
    for (let b = 0; b < n; b++) for (let k = 0; k < 3; k++) v[6 * b + k] += dt * gravity[k];
    const z = new Real(problem.rows);
    carry(problem, before, z);
    for (let row = 0; row < problem.rows; row++) if (z[row] !== 0) applyRow(problem, row, v, z[row]);
    const { iterate } = METHODS[method](problem);
    for (let k = 0; k < iterations; k++) iterate(v, z);
    before = {
      links: new Map(problem.links.map((link) => [`${link.slotA},${link.slotB}`, link])),
      points: problem.points,
      z,
    };
    let energy = 0;
    for (let b = 0; b < n; b++) {
      energy += energyOf(v, 6 * b, turn, 4 * b, masses[moving[b]]) / n;
      for (let k = 0; k < 3; k++) center[3 * b + k] += dt * v[6 * b + k];
      rotateBy(turn, 4 * b, v, 6 * b + 3, dt);
    }
    if (step % sample === 0) curve.push([step, energy]);
    if (step > steps - 60) tail.push(energy);
    if (step % 8 === 0) await breathe();
  }
  run.dispose();
  return { curve, tail };
}

/** Kinetic energy of a body: the spin is turned into its own frame, by the conjugate of its rotation. */
function energyOf(v, at, q, from, { mass, inertia }) {
  const [x, y, z, w] = [-q[from], -q[from + 1], -q[from + 2], q[from + 3]];
  const [a, b, c] = [v[at + 3], v[at + 4], v[at + 5]];
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  const s = [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
  let spin = 0;
  for (let i = 0; i < 3; i++) for (let k = 0; k < 3; k++) spin += s[i] * inertia[3 * i + k] * s[k];
  return 0.5 * (mass * (v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2) + spin);
}

/** q <- q + dt / 2 (0, w) q, made a unit again. */
function rotateBy(q, at, v, from, dt) {
  const [x, y, z, w] = [q[at], q[at + 1], q[at + 2], q[at + 3]];
  const [a, b, c] = [0.5 * dt * v[from], 0.5 * dt * v[from + 1], 0.5 * dt * v[from + 2]];
  const next = [x + a * w + b * z - c * y, y + b * w + c * x - a * z, z + c * w + a * y - b * x, w - a * x - b * y - c * z];
  const length = Math.hypot(...next);
  for (let k = 0; k < 4; k++) q[at + k] = next[k] / length;
}
