// One scalar row of the study methods: velocity, impulse, the step that solves it, its bounds.
//   step = clamp(z - omega (u + bias + gamma z) / (split + gamma)) - z, by the rows of ../row.ts
// Rows of joints (joint_rows.ts) are of the same form with bounds of their own.
// Bounds: normals z >= 0; a tangent |z| <= mu z_n; a twist |z| <= mu r N; a pair of tangents |(z1, z2)| <= mu N, with N the
// sum of the normal impulses of the manifold (Tonge 2012, eq. 39: the box of a BLCP; eq. 41: its bounds).
import { inertiaAt } from '../../bodies/rows';
import { BodyDelta, BodyInertia, BodyVelocity, METHOD_ROW_STRIDE, MethodRow } from '../../layout.generated';
import { boundRow, inCircle, normalRow, slipStep, toCircle } from '../../rows/row';
import { rootOf } from '../../split/joint_block';
import { deltaOf, methodRow, methodState, velocityAt } from './state';

export const ROW_NORMAL: u32 = 0;
export const ROW_TANGENT: u32 = 1;
export const ROW_TWIST: u32 = 2;
export const ROW_PAIR: u32 = 3; // first tangent of a manifold; the next row is the second one
export const ROW_SECOND: u32 = 4;
// Of joints: see joint_rows.ts.
export const ROW_LOCK: u32 = 5;
export const ROW_LIMIT: u32 = 6;
export const ROW_DRIVE: u32 = 7;
export const ROW_SPRING: u32 = 8;
export const ROW_LOAD: u32 = 9;
export const ROW_PULLEY: u32 = 10;

/** Whether rows of this kind are solved with the friction where normals and friction are solved in turn. */
export function isFriction(kind: u32): bool {
  return (kind != ROW_NORMAL && kind < ROW_LOCK) || kind == ROW_LOAD;
}

export function nextRow(row: MethodRow): MethodRow {
  return changetype<MethodRow>(changetype<usize>(row) + METHOD_ROW_STRIDE);
}

/** Angular part of a row for one of its bodies, x y z. Lane 3 has no meaning. */
export function turnOf(row: MethodRow, ofB: bool): v128 {
  return v128.load(changetype<usize>(row) + (ofB ? offsetof<MethodRow>('bx') : offsetof<MethodRow>('ax')));
}

/** Direction of a row on one of its bodies, x y z. Lane 3 has no meaning. */
export function directionOn(row: MethodRow, ofB: bool): v128 {
  return row.kind == ROW_PULLEY && !ofB ? f32x4.sub(row.d, row.onA) : row.d;
}

/** u of a row with the velocities at `base`. */
export function rowSpeed(row: MethodRow, base: usize): f32 {
  const a: BodyVelocity = velocityAt(base, row.bodyA);
  const b: BodyVelocity = velocityAt(base, row.bodyB);
  const u: f32 =
    row.dx * (b.vx - a.vx) +
    row.dy * (b.vy - a.vy) +
    row.dz * (b.vz - a.vz) +
    (row.bx * b.wx + row.by * b.wy + row.bz * b.wz) -
    (row.ax * a.wx + row.ay * a.wy + row.az * a.wz);
  // The rope of a pulley has another direction on A.
  return row.kind == ROW_PULLEY ? u + (row.onAx * a.vx + row.onAy * a.vy + row.onAz * a.vz) : u;
}

/** Motion along a row since the start of the step. */
export function rowMotion(row: MethodRow): f32 {
  const a: BodyDelta = deltaOf(row.bodyA);
  const b: BodyDelta = deltaOf(row.bodyB);
  const way: f32 =
    row.dx * (b.dx - a.dx) +
    row.dy * (b.dy - a.dy) +
    row.dz * (b.dz - a.dz) +
    (row.bx * b.px + row.by * b.py + row.bz * b.pz) -
    (row.ax * a.px + row.ay * a.py + row.az * a.pz);
  return row.kind == ROW_PULLEY ? way + (row.onAx * a.dx + row.onAy * a.dy + row.onAz * a.dz) : way;
}

function pushSide(base: usize, body: u32, scale: f32, dx: f32, dy: f32, dz: f32, lx: f32, ly: f32, lz: f32): void {
  const invMass: f32 = velocityAt(methodState().velocities, body).invMass;
  if (invMass == 0 || scale == 0) return;
  const v: BodyVelocity = velocityAt(base, body);
  const i: BodyInertia = inertiaAt(body);
  const m: f32 = invMass * scale;
  v.vx += dx * m;
  v.vy += dy * m;
  v.vz += dz * m;
  v.wx += scale * (i.xx * lx + i.xy * ly + i.xz * lz);
  v.wy += scale * (i.xy * lx + i.yy * ly + i.yz * lz);
  v.wz += scale * (i.xz * lx + i.yz * ly + i.zz * lz);
}

/** Adds M^-1 J' dz, each side times its factor, to the velocities at `base`. */
export function pushRow(row: MethodRow, base: usize, dz: f32): void {
  if (dz == 0) return;
  const x: f32 = row.dx * dz;
  const y: f32 = row.dy * dz;
  const z: f32 = row.dz * dz;
  if (row.kind == ROW_PULLEY) {
    const e: f32 = row.onAx * dz - x,
      f: f32 = row.onAy * dz - y,
      g: f32 = row.onAz * dz - z;
    pushSide(base, row.bodyA, row.scaleA, e, f, g, -row.ax * dz, -row.ay * dz, -row.az * dz);
  } else {
    pushSide(base, row.bodyA, row.scaleA, -x, -y, -z, -row.ax * dz, -row.ay * dz, -row.az * dz);
  }
  pushSide(base, row.bodyB, row.scaleB, x, y, z, row.bx * dz, row.by * dz, row.bz * dz);
}

/** Bound of a friction row from the impulses that load it, as they stand. */
export function frictionLimit(row: MethodRow): f32 {
  const first: u32 = row.firstNormal;
  let total: f32 = 0;
  if (row.kind == ROW_LOAD) {
    for (let i: u32 = 0; i < row.normalCount; i++) total += methodRow(first + i).z * methodRow(first + i).z;
    return row.mu * rootOf(total) + row.bound;
  }
  for (let i: u32 = 0; i < row.normalCount; i++) total += methodRow(first + i).z;
  return row.mu * total;
}

function quotient(x: f32, k: f32): f32 {
  return k > 0 ? x / k : <f32>0;
}

/** Impulse that a scalar row takes next, given its velocity. */
function nextImpulse(row: MethodRow, u: f32, omega: f32): f32 {
  const old: f32 = row.z;
  const mass: f32 = omega * quotient(1, row.split + row.gamma);
  if (row.kind == ROW_NORMAL) return normalRow<f32>(old, u + row.bias, mass, mass * row.gamma);
  return inBounds(row, old - mass * (u + row.bias) - mass * row.gamma * old);
}

/** An impulse moved to the bounds of a scalar row. */
export function inBounds(row: MethodRow, z: f32): f32 {
  switch (row.kind) {
    case ROW_NORMAL:
      return max<f32>(z, 0);
    case ROW_LOCK:
      return z;
    case ROW_LIMIT:
    case ROW_PULLEY:
      return row.side > 0 ? max<f32>(z, 0) : min<f32>(z, 0);
    case ROW_DRIVE:
    case ROW_SPRING:
      return boundRow<f32>(z, row.bound);
    default:
      return boundRow<f32>(z, frictionLimit(row));
  }
}

/** Writes the steps of a row (of both rows of a pair) to `step`, given velocities u1 and u2; scalar (Jacobi) form. */
export function stepRow(row: MethodRow, u1: f32, u2: f32, omega: f32): void {
  if (row.kind != ROW_PAIR) {
    row.step = nextImpulse(row, u1, omega) - row.z;
    return;
  }
  const second: MethodRow = nextRow(row);
  const z1: f32 = row.z - omega * quotient(u1, row.split);
  const z2: f32 = second.z - omega * quotient(u2, second.split);
  keepInCircle(row, second, z1, z2, u1, u2, omega * quotient(1, max<f32>(row.split, second.split)));
}

/**
 * Steps of a pair that end at (z1, z2), or in its circle: a pair that slips with u1 and u2 opposes its motion, by `slip` (kg) for
 * both tangents (slipStep).
 */
function keepInCircle(row: MethodRow, second: MethodRow, z1: f32, z2: f32, u1: f32, u2: f32, slip: f32): void {
  const limit: f32 = frictionLimit(row);
  const s1: f32 = row.z - slip * u1,
    s2: f32 = second.z - slip * u2;
  const scale: f32 = toCircle<f32>(s1, s2, limit);
  row.step = inCircle<f32>(z1, z2, limit, z1, s1 * scale) - row.z;
  second.step = inCircle<f32>(z1, z2, limit, z2, s2 * scale) - second.z;
}

/** Solves a row (a pair by its 2x2 block) with the velocities at `base` and applies the impulse there. */
export function solveRow(row: MethodRow, base: usize): void {
  const u: f32 = rowSpeed(row, base);
  if (row.kind != ROW_PAIR) {
    const z: f32 = nextImpulse(row, u, 1);
    const dz: f32 = z - row.z;
    row.z = z;
    row.most = max<f32>(row.most, z);
    pushRow(row, base, dz);
    return;
  }
  const second: MethodRow = nextRow(row);
  const u2: f32 = rowSpeed(second, base);
  const k11: f32 = row.split;
  const k22: f32 = second.split;
  const k12: f32 = row.cross;
  const d: f32 = k11 * k22 - k12 * k12;
  const slip: f32 = slipStep<f32>(quotient(k22, d), quotient(-k12, d), quotient(k11, d));
  const z1: f32 = row.z - quotient(k22 * u - k12 * u2, d);
  const z2: f32 = second.z - quotient(k11 * u2 - k12 * u, d);
  keepInCircle(row, second, z1, z2, u, u2, slip);
  applyStep(row, base, 1);
}

/** z += alpha step, with its velocities, for a row or a pair. */
export function applyStep(row: MethodRow, base: usize, alpha: f32): void {
  const dz: f32 = alpha * row.step;
  row.z += dz;
  row.most = max<f32>(row.most, row.z);
  pushRow(row, base, dz);
  if (row.kind != ROW_PAIR) return;
  const second: MethodRow = nextRow(row);
  const dz2: f32 = alpha * second.step;
  second.z += dz2;
  pushRow(second, base, dz2);
}
