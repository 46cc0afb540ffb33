// The contact problem of one frame in double precision, taken from a world through the public API: z = LCP(N, J v0) of Tonge
// 2012 eq. 6 with pyramid friction (eq. 39-41). Rows 0..m-1 are normals, rows m + 2i and m + 2i + 1 the tangents of point i.
//
// A row has a direction d and arms a = r x d: speed = d.(v_B - v_A) + a_B.w_B - a_A.w_A (normal from A to B, so approach is
// negative). Bodies are the dynamic ones; everything else is body -1 and does not move.
import { rowSpeed } from 'talus/study';
import { bodyMasses } from '../../bench/lib/mass.mjs';
import { matrixOf, rotate } from '../../bench/lib/vec.mjs';

export { applyRow, rowSpeed } from 'talus/study';

/** Inverse of a symmetric 3 x 3 matrix, row-major. */
function inverse3(m) {
  const [a, b, c, , d, e, , , f] = m;
  const [A, B, C] = [d * f - e * e, c * e - b * f, b * e - c * d];
  const k = 1 / (a * A + b * B + c * C);
  const [D, E, F] = [a * f - c * c, b * c - a * e, a * d - b * b];
  return [A * k, B * k, C * k, B * k, D * k, E * k, C * k, E * k, F * k];
}

/**
 * @param {{ world: object, scene: object, indices: Uint32Array, friction: number }} run A world after a step.
 * @returns Arrays of the problem of the next step, before stabilization.
 */
export function extractProblem({ world, scene, indices, friction = scene.bodies.friction[0] }) {
  const masses = bodyMasses(scene);
  const { dt, gravity } = world.settings;
  const { positions, rotations, velocities } = world;
  const bodyOfSlot = new Map();
  for (let i = 0; i < scene.bodies.count; i++) if (masses[i].mass > 0) bodyOfSlot.set(indices[i], bodyOfSlot.size);
  const bodies = bodyOfSlot.size;
  const invMass = new Float64Array(bodies);
  const invInertia = new Float64Array(9 * bodies);
  const center = new Float64Array(3 * bodies);
  const v0 = new Float64Array(6 * bodies);
  for (let i = 0; i < scene.bodies.count; i++) {
    const b = bodyOfSlot.get(indices[i]);
    if (b === undefined) continue;
    const s = indices[i];
    const m = matrixOf(rotations, 4 * s);
    const { mass, center: com, inertia } = masses[i];
    const inverse = inverse3(inertia);
    invMass[b] = 1 / mass;
    const c = rotate(m, com);
    for (let k = 0; k < 3; k++) {
      center[3 * b + k] = positions[4 * s + k] + c[k];
      v0[6 * b + k] = velocities[16 * s + k] + dt * gravity[k];
      v0[6 * b + 3 + k] = velocities[16 * s + 4 + k];
      for (let l = 0; l < 3; l++) {
        let sum = 0;
        for (let p = 0; p < 3; p++) for (let q = 0; q < 3; q++) sum += m[3 * k + p] * inverse[3 * p + q] * m[3 * l + q];
        invInertia[9 * b + 3 * k + l] = sum;
      }
    }
  }

  const contacts = world.readContacts();
  const points = [];
  const links = [];
  for (let i = 0; i < contacts.count; i++) {
    const a = bodyOfSlot.get(contacts.bodyA[i]) ?? -1;
    const b = bodyOfSlot.get(contacts.bodyB[i]) ?? -1;
    if (a < 0 && b < 0) continue;
    const n = Array.from(contacts.normals.subarray(3 * i, 3 * i + 3));
    const at = Array.from(contacts.points.subarray(3 * i, 3 * i + 3));
    const last = links.at(-1);
    // Points of a manifold follow each other and share its normal.
    const same =
      last && last.slotA === contacts.bodyA[i] && last.slotB === contacts.bodyB[i] && last.normal.every((x, k) => x === n[k]);
    if (!same) links.push({ a, b, slotA: contacts.bodyA[i], slotB: contacts.bodyB[i], normal: n, points: [], middle: at });
    const link = links.length - 1;
    links[link].points.push(points.length);
    points.push({ a, b, n, at, link, separation: contacts.separations[i] });
  }

  const m = points.length;
  const rows = 3 * m;
  const problem = {
    name: scene.name,
    bodies,
    points: m,
    rows,
    links,
    dt,
    friction,
    v0,
    invMass,
    invInertia,
    center,
    a: new Int32Array(rows),
    b: new Int32Array(rows),
    d: new Float64Array(3 * rows),
    leverA: new Float64Array(3 * rows),
    leverB: new Float64Array(3 * rows),
    turnA: new Float64Array(3 * rows),
    turnB: new Float64Array(3 * rows),
    invA: new Float64Array(rows),
    invB: new Float64Array(rows),
    kA: new Float64Array(rows),
    kB: new Float64Array(rows),
    bias: new Float64Array(rows),
    separation: Float64Array.from(points, (point) => point.separation),
    link: new Int32Array(rows),
  };
  for (let i = 0; i < m; i++) {
    const { a, b, n, at, link, separation } = points[i];
    problem.bias[i] = Math.max(separation, 0) / dt;
    const t = tangent(n);
    const s = [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]];
    [n, t, s].forEach((d, k) => {
      const row = k === 0 ? i : m + 2 * i + k - 1;
      problem.link[row] = link;
      problem.a[row] = a;
      problem.b[row] = b;
      problem.invA[row] = a < 0 ? 0 : invMass[a];
      problem.invB[row] = b < 0 ? 0 : invMass[b];
      problem.d.set(d, 3 * row);
      problem.kA[row] = side(problem, row, a, at, d, center, problem.leverA, problem.turnA);
      problem.kB[row] = side(problem, row, b, at, d, center, problem.leverB, problem.turnB);
    });
  }
  return problem;
}

/** A unit vector across a unit vector. */
function tangent(n) {
  const t = Math.abs(n[1]) < 0.7 ? [n[2], 0, -n[0]] : [0, -n[2], n[1]];
  const k = 1 / Math.hypot(...t);
  return t.map((x) => x * k);
}

/** Lever and I^-1 lever of one side of a row; answers its part of J M^-1 J'. */
function side(problem, row, body, at, d, center, levers, turns) {
  if (body < 0) return 0;
  const r = [0, 1, 2].map((k) => at[k] - center[3 * body + k]);
  const lever = [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]];
  let k = problem.invMass[body];
  for (let i = 0; i < 3; i++) {
    levers[3 * row + i] = lever[i];
    let sum = 0;
    for (let j = 0; j < 3; j++) sum += problem.invInertia[9 * body + 3 * i + j] * lever[j];
    turns[3 * row + i] = sum;
    k += lever[i] * sum;
  }
  return k;
}

/** Mean over contacts of the speed at which they still approach more than their gap allows, m/s (Tonge 2012, figure 6 middle). */
export function violation(p, v) {
  let sum = 0;
  for (let i = 0; i < p.points; i++) sum += Math.max(0, -(rowSpeed(p, i, v) + p.bias[i]));
  return sum / Math.max(1, p.points);
}

/** Largest difference of two velocities in the mass norm relative to that of `scale`: sqrt of kinetic energies. */
export function massDistance(p, v, w) {
  let sum = 0;
  for (let b = 0; b < p.bodies; b++) {
    const d = [0, 1, 2].map((k) => v[6 * b + k] - w[6 * b + k]);
    sum += (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / p.invMass[b];
  }
  return Math.sqrt(sum);
}
