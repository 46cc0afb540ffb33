// Joints in double precision, plainly: where a joint stands, the rows of its locked axes, and one exact pass over all of them.
//
// In: bodies (mass, world inertia, pose, velocity), joints (frames in the bodies, locked axes). Out: velocities and impulses.
// `projectVelocities` builds the dense J and M and finds the velocities that satisfy all locked rows exactly while v - v0 costs the
// least kinetic energy: M (v - v0) = J' z, J v = -bias. Rows that repeat others (closed loops) are left out by pivoting: velocities
// are unique, the impulses of such joints are not.
// Source of measures and axes: docs/joint_solver.md, "Six axes"; Boyd and Vandenberghe, Convex Optimization, section 10.1 (the KKT system).
import {
  add,
  conjugate,
  cross,
  dot,
  multiply,
  norm,
  rotationVector,
  scale,
  solveSymmetric,
  sub,
  turned,
  type Vec,
} from './vectors';

export interface OracleBody {
  /** kg; Infinity: impulses do not move it. */
  mass: number;
  /** About the center of mass, world axes, [xx, yy, zz, xy, xz, yz], kg m2. */
  inertia: Vec;
  /** Origin, world, m. */
  position: Vec;
  /** Unit quaternion x y z w. */
  rotation: Vec;
  /** Center of mass in the body frame, m; default 0 0 0. */
  center?: Vec;
  /** Of the center of mass, world, m/s. */
  velocity: Vec;
  /** World, rad/s. */
  spin: Vec;
}

export interface OracleJoint {
  /** Index of a body, -1: the world. */
  bodyA: number;
  bodyB: number;
  /** From the origin, body frame (the world: world), m. */
  anchorA: Vec;
  anchorB: Vec;
  /** Rotation of the joint's frame in the body, default none. */
  frameA?: Vec;
  frameB?: Vec;
  /** Bits 0-5: axes x y z of frame A, swing about x, swing about y, twist about z. */
  locked: number;
  /** Joints whose rows are others: the distance of the anchors, the sum of two spins, the length of a rope over two wheels. */
  kind?: 'distance' | 'gear' | 'pulley';
  /** Of a gear or a pulley. */
  ratio?: number;
  /** World points of the wheels of a pulley. */
  groundA?: Vec;
  groundB?: Vec;
  /** Length of a rod or the rope of a pulley, m. */
  length?: number;
}

/** One equation on velocities: linearA v_A + angularA w_A + linearB v_B + angularB w_B. */
export interface OracleRow {
  /** 0-5. */
  axis: number;
  bodyA: number;
  bodyB: number;
  linearA: Vec;
  angularA: Vec;
  linearB: Vec;
  angularB: Vec;
  /** What the row lets grow, m or rad. */
  error: number;
}

export interface Measure {
  /** Anchor B seen from anchor A, world, m. */
  gap: Vec;
  /** Swing as a rotation vector on the axes x and y of frame A, rad. */
  swing: [number, number];
  /** Its length, 0 to pi. */
  angle: number;
  /** About z, -pi to pi. */
  twist: number;
  /** Axes of frame A, world. */
  axes: [Vec, Vec, Vec];
  /** z of frame B, world. */
  zB: Vec;
  /** d angle / dt = swingAxis . (w_B - w_A), world, unit length. */
  swingAxis: Vec;
  /** d twist / dt = twistAxis . (w_B - w_A), world; longer than 1 where there is swing. */
  twistAxis: Vec;
}

export interface Projection {
  /** vx vy vz wx wy wz a body. */
  velocities: Float64Array;
  /** Of all rows in the order of the joints, axes ascending, N s or N m s, on B. */
  impulses: Float64Array;
  rows: OracleRow[];
  /** Rows that are independent of the others. */
  rank: number;
}

const NO_TURN: Vec = [0, 0, 0, 1];

/** Inertia of principal moments in a body that is turned, world axes, [xx, yy, zz, xy, xz, yz]. */
export function turnedInertia(moments: Vec, rotation: Vec): Vec {
  const columns = [0, 1, 2].map((i) =>
    turned(
      rotation,
      [0, 1, 2].map((k) => (k === i ? 1 : 0)),
    ),
  );
  const at = (r: number, c: number) => columns.reduce((sum, column, i) => sum + moments[i]! * column[r]! * column[c]!, 0);
  return [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)];
}

/** From the center of mass to a point of the body frame, world. */
function leverOf(body: OracleBody | undefined, point: Vec): Vec {
  return body === undefined ? [0, 0, 0] : turned(body.rotation, sub(point, body.center ?? [0, 0, 0]));
}

function placeOf(body: OracleBody | undefined, point: Vec): Vec {
  return body === undefined ? point : add(body.position, turned(body.rotation, point));
}

function frameOf(body: OracleBody | undefined, frame: Vec): Vec {
  return body === undefined ? frame : multiply(body.rotation, frame);
}

/** Swing and twist of one frame (world rotation) against another, and the axes along which they change. */
export function swingTwist(frameA: Vec, frameB: Vec): Omit<Measure, 'gap'> {
  let g = multiply(conjugate(frameA), frameB);
  if (g[3]! < 0) g = scale(g, -1);
  const axes: [Vec, Vec, Vec] = [turned(frameA, [1, 0, 0]), turned(frameA, [0, 1, 0]), turned(frameA, [0, 0, 1])];
  const zB = turned(frameB, [0, 0, 1]);
  const angle = 2 * Math.atan2(Math.hypot(g[0]!, g[1]!), Math.hypot(g[2]!, g[3]!));
  const twist = 2 * Math.atan2(g[2]!, g[3]!);
  const c = cross(axes[2], zB);
  const s = norm(c);
  const swingAxis = s < 1e-6 ? axes[0] : scale(c, 1 / s);
  const swing: [number, number] = [dot(swingAxis, axes[0]) * angle, dot(swingAxis, axes[1]) * angle];
  const twistAxis = scale(add(axes[2], zB), 1 / Math.max(1 + dot(axes[2], zB), 0.05));
  return { swing, angle, twist, axes, zB, swingAxis, twistAxis };
}

/**
 * d swing / dt for a relative spin w_B - w_A seen along the axes of frame A, exactly: along the swing its own axis, across it
 * sigma cot(sigma) and the turn about z. The unit rows of a locked hinge leave out what is of first order in the swing.
 */
export function swingRate(swing: Vec, relative: Vec): [number, number] {
  const sigma = Math.hypot(swing[0]!, swing[1]!);
  if (sigma < 1e-9) return [relative[0]!, relative[1]!];
  const n = [swing[0]! / sigma, swing[1]! / sigma];
  const p = [n[1]!, -n[0]!]; // z of B leans along p: Z x p = n
  const along = n[0]! * relative[0]! + n[1]! * relative[1]!;
  const across = (sigma / Math.tan(sigma)) * (p[0]! * relative[0]! + p[1]! * relative[1]!) - sigma * relative[2]!;
  return [n[0]! * along + p[0]! * across, n[1]! * along + p[1]! * across];
}

/** Where a joint stands. */
export function measureOf(bodies: readonly OracleBody[], joint: OracleJoint): Measure {
  const a = bodies[joint.bodyA];
  const b = bodies[joint.bodyB];
  const gap = sub(placeOf(b, joint.anchorB), placeOf(a, joint.anchorA));
  return { gap, ...swingTwist(frameOf(a, joint.frameA ?? NO_TURN), frameOf(b, joint.frameB ?? NO_TURN)) };
}

/** The rows of the locked axes of a joint. */
export function rowsOf(bodies: readonly OracleBody[], joint: OracleJoint): OracleRow[] {
  const { bodyA, bodyB, locked } = joint;
  const rA = leverOf(bodies[bodyA], joint.anchorA);
  const rB = leverOf(bodies[bodyB], joint.anchorB);
  const m = measureOf(bodies, joint);
  const linear = (axis: number, d: Vec, lever: Vec, error: number): OracleRow => ({
    axis,
    bodyA,
    bodyB,
    linearA: scale(d, -1),
    angularA: scale(cross(lever, d), -1),
    linearB: d,
    angularB: cross(rB, d),
    error,
  });
  const angular = (axis: number, d: Vec, error: number): OracleRow => ({
    axis,
    bodyA,
    bodyB,
    linearA: [0, 0, 0],
    angularA: scale(d, -1),
    linearB: [0, 0, 0],
    angularB: d,
    error,
  });
  if (joint.kind === 'distance') {
    const length = norm(m.gap);
    return [linear(0, scale(m.gap, 1 / length), rA, length - (joint.length ?? 0))];
  }
  if (joint.kind === 'gear') {
    const ratio = joint.ratio ?? 1;
    return [{ ...angular(5, m.axes[2], 0), angularA: m.axes[2], angularB: scale(m.zB, ratio) }];
  }
  if (joint.kind === 'pulley') {
    const ratio = joint.ratio ?? 1;
    const toA = sub(placeOf(bodies[bodyA], joint.anchorA), joint.groundA ?? [0, 0, 0]);
    const toB = sub(placeOf(bodies[bodyB], joint.anchorB), joint.groundB ?? [0, 0, 0]);
    const u = scale(toA, 1 / norm(toA));
    const w = scale(toB, ratio / norm(toB));
    const error = norm(toA) + ratio * norm(toB) - (joint.length ?? 0);
    return [{ axis: 0, bodyA, bodyB, linearA: u, angularA: cross(rA, u), linearB: w, angularB: cross(rB, w), error }];
  }
  const rows: OracleRow[] = [];
  // All three: the rate of the gap in the world. Some: axes turn with A, so its lever ends at anchor B.
  const whole = (locked & 7) === 7;
  for (let i = 0; i < 3; i++) {
    if ((locked & (1 << i)) === 0) continue;
    const d = m.axes[i]!;
    rows.push(linear(i, d, whole ? rA : add(rA, m.gap), dot(d, m.gap)));
  }
  const g = multiply(conjugate(frameOf(bodies[bodyA], joint.frameA ?? NO_TURN)), frameOf(bodies[bodyB], joint.frameB ?? NO_TURN));
  const all = (locked & 0b111000) === 0b111000 ? rotationVector(g) : null;
  for (let i = 0; i < 2; i++) {
    if ((locked & (8 << i)) !== 0) rows.push(angular(3 + i, m.axes[i]!, all ? all[i]! : m.swing[i]!));
  }
  if ((locked & 32) !== 0) rows.push(all ? angular(5, m.axes[2], all[2]!) : angular(5, m.twistAxis, m.twist));
  return rows;
}

/** M^-1 times a wrench on a body. */
function accelerate(body: OracleBody | undefined, linear: Vec, angular: Vec): Vec {
  if (body === undefined || !Number.isFinite(body.mass)) return [0, 0, 0, 0, 0, 0];
  return [...scale(linear, 1 / body.mass), ...solveSymmetric(body.inertia, angular)];
}

/**
 * S z = r for a positive semidefinite S (row by row, overwritten): Cholesky with the largest pivot first. Rows whose pivot falls
 * below `tolerance` of the largest get 0.
 */
export function solveSemidefinite(s: Float64Array[], r: Float64Array, tolerance = 1e-11): { z: Float64Array; rank: number } {
  const n = r.length;
  const order = Array.from({ length: n }, (_, i) => i);
  const largest = s.reduce((most, row, i) => Math.max(most, row[i]!), 0);
  let rank = 0;
  for (; rank < n; rank++) {
    let best = rank;
    for (let i = rank + 1; i < n; i++) if (s[order[i]!]![order[i]!]! > s[order[best]!]![order[best]!]!) best = i;
    [order[rank], order[best]] = [order[best]!, order[rank]!];
    const p = order[rank]!;
    const pivot = s[p]![p]!;
    if (pivot <= tolerance * largest) break;
    for (let i = rank + 1; i < n; i++) {
      const row = s[order[i]!]!;
      const factor = row[p]! / pivot;
      if (factor === 0) continue;
      for (let k = rank + 1; k < n; k++) row[order[k]!]! -= factor * s[p]![order[k]!]!;
      r[order[i]!]! -= factor * r[p]!;
    }
  }
  const z = new Float64Array(n);
  for (let i = rank - 1; i >= 0; i--) {
    const p = order[i]!;
    let sum = r[p]!;
    for (let k = i + 1; k < rank; k++) sum -= s[p]![order[k]!]! * z[order[k]!]!;
    z[p] = sum / s[p]![p]!;
  }
  return { z, rank };
}

/**
 * Velocities after one exact pass over all locked rows, and its impulses. `bias` is added to each row's velocity (m/s, rad/s), in
 * the order of `rows`; default 0.
 */
export function projectVelocities(
  bodies: readonly OracleBody[],
  joints: readonly OracleJoint[],
  bias?: (row: OracleRow) => number,
): Projection {
  const rows = joints.flatMap((joint) => rowsOf(bodies, joint));
  const velocities = Float64Array.from(bodies.flatMap((body) => [...body.velocity, ...body.spin]));
  const entries = rows.map((row) =>
    (
      [
        [row.bodyA, row.linearA, row.angularA],
        [row.bodyB, row.linearB, row.angularB],
      ] as const
    ).map(([body, linear, angular]) => ({
      body,
      j: [...linear, ...angular],
      mj: accelerate(bodies[body], linear, angular),
    })),
  );
  const onBody = new Map<number, { row: number; end: (typeof entries)[0][0] }[]>();
  entries.forEach((ends, row) => {
    for (const end of ends) {
      if (end.body < 0) continue;
      const list = onBody.get(end.body) ?? [];
      list.push({ row, end });
      onBody.set(end.body, list);
    }
  });
  const s = rows.map(() => new Float64Array(rows.length));
  for (const list of onBody.values()) {
    for (const a of list) for (const b of list) s[a.row]![b.row]! += dot(a.end.j, b.end.mj);
  }
  const r = Float64Array.from(entries, (ends, i) => {
    const v = ends.reduce((sum, { body, j }) => {
      if (body < 0) return sum;
      return sum + j.reduce((part, x, k) => part + x * velocities[6 * body + k]!, 0);
    }, 0);
    return -(v + (bias?.(rows[i]!) ?? 0));
  });
  const { z, rank } = solveSemidefinite(s, r);
  entries.forEach((ends, i) => {
    for (const { body, mj } of ends) {
      if (body < 0) continue;
      for (let k = 0; k < 6; k++) velocities[6 * body + k]! += mj[k]! * z[i]!;
    }
  });
  return { velocities, impulses: z, rows, rank };
}

/** J v of a row for velocities as `projectVelocities` gives them. */
export function rowVelocity(row: OracleRow, velocities: ArrayLike<number>): number {
  let sum = 0;
  for (const [body, linear, angular] of [
    [row.bodyA, row.linearA, row.angularA],
    [row.bodyB, row.linearB, row.angularB],
  ] as const) {
    if (body < 0) continue;
    for (let k = 0; k < 3; k++) sum += linear[k]! * velocities[6 * body + k]! + angular[k]! * velocities[6 * body + 3 + k]!;
  }
  return sum;
}

/** Kinetic energy of velocities as `projectVelocities` gives them, J. */
export function kineticEnergy(bodies: readonly OracleBody[], velocities: ArrayLike<number>): number {
  let sum = 0;
  bodies.forEach((body, i) => {
    if (!Number.isFinite(body.mass)) return;
    const v = [0, 1, 2].map((k) => velocities[6 * i + k]!);
    const w = [0, 1, 2].map((k) => velocities[6 * i + 3 + k]!);
    const [xx, yy, zz, xy, xz, yz] = body.inertia as [number, number, number, number, number, number];
    const l = [xx * w[0]! + xy * w[1]! + xz * w[2]!, xy * w[0]! + yy * w[1]! + yz * w[2]!, xz * w[0]! + yz * w[1]! + zz * w[2]!];
    sum += 0.5 * (body.mass * dot(v, v) + dot(w, l));
  });
  return sum;
}
