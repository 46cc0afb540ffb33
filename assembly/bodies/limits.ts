// Speed limits, and bodies whose motion is not finite. Whatever input passed the host's checks, no pose may become infinite or
// NaN, and no body may move farther in a step than its limits allow.
//
// The limits apply four times in a step:
// 1. limitSpeeds, before anything reads a velocity: velocities that the host has set since the last step.
// 2. limitAcceleration, in beginBodies: the velocity at the end of the step without contacts, v + a dt.
// 3. finishBodies, before it computes a pose: velocity and motion of the step, after contacts changed them.
// 4. limitVelocity, after later changes of velocities, such as restitution.
// Directions are kept. Kinematic bodies are not limited: they go where the caller sends them.
//
// A velocity, motion or new pose may become infinite or NaN: by sums of forces beyond single precision, or by contacts between
// extreme sizes and masses. Such a body is stopped at its old pose in that very step. Its contacts drop their stored impulses,
// which could lead the next step to the same end. Header.limitedCount, stoppedCount and stoppedBody tell the host, and one event
// row per body tells the cause.
import { BODY_DELTA_STRIDE, BODY_DYNAMIC, BODY_ROW_STRIDE, BodyAccel, BodyCold, BodyRow, Header } from '../layout.generated';
import { header } from '../memory/header';
import { raise } from '../threads/team';
import {
  FLAG_ALIVE,
  FLAG_LIMITED,
  FLAG_STOPPED,
  FLAG_TYPE,
  STOPPED_BY_FORCE,
  STOPPED_BY_VELOCITY,
  STOPPED_SHIFT,
  coldAt,
  rowAt,
} from './rows';

// Velocities that the limits change are put just inside them, so that rounding does not limit them again later in the step.
const INSIDE: f64 = 1 - 1e-6;

// In double precision, where no square of a float overflows.
function length(x: f64, y: f64, z: f64): f64 {
  return sqrt<f64>(x * x + y * y + z * z);
}

/** Limit of the speed of a body, m/s. */
export function speedLimit(cold: BodyCold): f32 {
  const limit: f32 = header().maxLinearSpeed;
  return (cold.flags & FLAG_LIMITED) != 0 ? min<f32>(limit, cold.maxLinearSpeed) : limit;
}
/** Limit of the angular speed of a body, rad/s. */
export function spinLimit(cold: BodyCold): f32 {
  const limit: f32 = header().maxAngularSpeed;
  return (cold.flags & FLAG_LIMITED) != 0 ? min<f32>(limit, cold.maxAngularSpeed) : limit;
}

/** v (x y z _), scaled down to a length if it is longer. */
export function limitedTo(v: v128, limit: f32): v128 {
  const n: f64 = length(<f64>f32x4.extract_lane(v, 0), <f64>f32x4.extract_lane(v, 1), <f64>f32x4.extract_lane(v, 2));
  if (!(n > <f64>limit)) return v;
  return f32x4.mul(v, f32x4.splat(<f32>(<f64>limit / n)));
}

/**
 * Start of a step: velocities that were set by the host since the last one, Header.speedsSet. Forgets the counts of the last
 * step.
 */
export function limitSpeeds(): void {
  const h: Header = header();
  h.limitedCount = 0;
  h.stoppedCount = 0;
  h.stoppedBody = 0;
  if (h.speedsSet == 0) return;
  h.speedsSet = 0;
  h.fastest = Infinity;
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & (FLAG_TYPE | FLAG_ALIVE)) != (BODY_DYNAMIC | FLAG_ALIVE)) continue;
    const row: BodyRow = rowAt(i);
    const maxSpeed: f64 = <f64>speedLimit(cold),
      maxSpin: f64 = <f64>spinLimit(cold);
    const speed: f64 = length(<f64>row.vx, <f64>row.vy, <f64>row.vz);
    const spin: f64 = length(<f64>row.wx, <f64>row.wy, <f64>row.wz);
    if (speed <= maxSpeed && spin <= maxSpin) continue;
    if (!(speed + spin < Infinity)) {
      stopBody(i, STOPPED_BY_VELOCITY);
      continue;
    }
    h.limitedCount++;
    if (speed > maxSpeed) {
      const k: f64 = (maxSpeed * INSIDE) / speed;
      row.vx = row.svx = <f32>(<f64>row.vx * k);
      row.vy = row.svy = <f32>(<f64>row.vy * k);
      row.vz = row.svz = <f32>(<f64>row.vz * k);
    }
    if (spin > maxSpin) {
      const k: f64 = (maxSpin * INSIDE) / spin;
      row.wx = row.swx = <f32>(<f64>row.wx * k);
      row.wy = row.swy = <f32>(<f64>row.wy * k);
      row.wz = row.swz = <f32>(<f64>row.wz * k);
    }
  }
}

/** Accelerations of a body in this step, changed so that v + a dt is within the limits. */
export function limitAcceleration(body: u32, accel: BodyAccel): void {
  const h: Header = header();
  const row: BodyRow = rowAt(body);
  const dt: f64 = <f64>h.dt;
  const maxSpeed: f64 = <f64>speedLimit(coldAt(body)),
    maxSpin: f64 = <f64>spinLimit(coldAt(body));
  const vx: f64 = <f64>row.vx + <f64>accel.ax * dt,
    vy: f64 = <f64>row.vy + <f64>accel.ay * dt,
    vz: f64 = <f64>row.vz + <f64>accel.az * dt;
  const wx: f64 = <f64>row.wx + <f64>accel.bx * dt,
    wy: f64 = <f64>row.wy + <f64>accel.by * dt,
    wz: f64 = <f64>row.wz + <f64>accel.bz * dt;
  const speed: f64 = length(vx, vy, vz),
    spin: f64 = length(wx, wy, wz);
  if (speed <= maxSpeed && spin <= maxSpin) return;
  if (!(speed + spin < Infinity)) {
    memory.fill(changetype<usize>(accel), 0, offsetof<BodyAccel>());
    stopBody(body, STOPPED_BY_FORCE);
    return;
  }
  countLimited();
  if (speed > maxSpeed) {
    const k: f64 = (maxSpeed * INSIDE) / speed;
    accel.ax = <f32>((vx * k - <f64>row.vx) / dt);
    accel.ay = <f32>((vy * k - <f64>row.vy) / dt);
    accel.az = <f32>((vz * k - <f64>row.vz) / dt);
  }
  if (spin > maxSpin) {
    const k: f64 = (maxSpin * INSIDE) / spin;
    accel.bx = <f32>((wx * k - <f64>row.wx) / dt);
    accel.by = <f32>((wy * k - <f64>row.wy) / dt);
    accel.bz = <f32>((wz * k - <f64>row.wz) / dt);
  }
}

/** Keeps the velocity of a dynamic body within its limits when its motion of the step is made. */
export function limitVelocity(body: u32): void {
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & FLAG_TYPE) != BODY_DYNAMIC) return;
  const row: BodyRow = rowAt(body);
  const im: f32 = row.invMass;
  const v: v128 = row.v,
    w: v128 = row.w;
  const slower: v128 = f32x4.replace_lane(limitedTo(v, speedLimit(cold)), 3, im),
    calmer: v128 = limitedTo(w, spinLimit(cold));
  if (!v128.any_true(v128.or(f32x4.ne(slower, v), f32x4.ne(calmer, w)))) return;
  countLimited();
  row.v = slower;
  row.w = calmer;
}

/** A revolution, rad. */
const REVOLUTION: f64 = 6.283185307179586;

/**
 * Spin (rad/s) that a sweep over `time` follows for w: one that turns through all that w does and ends where it does. Kinematic
 * bodies may make thousands of revolutions in a step, which pass the same places again and again: more than two are as many less.
 */
export function sweptSpin(w: v128, time: f32): v128 {
  const spin: f64 = length(<f64>f32x4.extract_lane(w, 0), <f64>f32x4.extract_lane(w, 1), <f64>f32x4.extract_lane(w, 2));
  const angle: f64 = spin * <f64>time;
  if (!(angle > 2 * REVOLUTION)) return w;
  const rest: f64 = angle - floor<f64>(angle / REVOLUTION) * REVOLUTION;
  return f32x4.mul(w, f32x4.splat(<f32>((REVOLUTION + rest) / angle)));
}

/** A body was limited: by any thread. */
export function countLimited(): void {
  atomic.add<u32>(changetype<usize>(header()) + offsetof<Header>('limitedCount'), 1);
}

/**
 * Puts a body to rest at its pose and counts it, by any thread. why: STOPPED_BY_*; the first cause in a step stays. Bodies of a
 * pass are gone through in ascending order, so the last one is the largest.
 */
export function stopBody(body: u32, why: u32): void {
  const h: Header = header();
  const row: BodyRow = rowAt(body);
  const im: f32 = row.invMass;
  memory.fill(changetype<usize>(row), 0, BODY_ROW_STRIDE);
  row.invMass = im;
  memory.fill(<usize>h.bodyDeltas + <usize>body * BODY_DELTA_STRIDE, 0, BODY_DELTA_STRIDE);
  const cold: BodyCold = coldAt(body);
  if ((cold.flags & FLAG_STOPPED) == 0) cold.flags |= FLAG_STOPPED | (why << STOPPED_SHIFT);
  const at: usize = changetype<usize>(h);
  atomic.add<u32>(at + offsetof<Header>('stoppedCount'), 1);
  raise(at + offsetof<Header>('stoppedBody'), body);
}
