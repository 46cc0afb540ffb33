// First and last stage of a step for bodies: accelerations before the solver, poses after it.
//
// Input: BodyRow, BodyCold (forces, damping). Output of beginBodies: BodyAccel, BodyDelta = 0. The solver changes BodyRow and
// BodyDelta. Output of finishBodies: BodyCenter, positions, rotations, BodyInertia, and the path of every body. Paths are
// compared with budgets, so that resting pairs need no work.
//
// Inertia is frozen in the world frame during a step, so the solver conserves I(q0) w. At the end, turn.ts adds the gyroscopic
// torque: it turns bodies of unequal moments so that angular momentum and energy of free motion are kept.
//
// Speeds, and with them the motion of the step, are limited before a body moves (limits.ts). A body whose motion is not finite
// stays in place.
import {
  BLOCK_FINDINGS,
  BODY_ACCEL_STRIDE,
  BODY_COLD_STRIDE,
  BODY_DYNAMIC,
  BODY_ROW_STRIDE,
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyFindings,
  BodyInertia,
  BodyRow,
  Header,
  LOCK_SHIFT,
  NONE,
  ROTATION_STRIDE,
  Rotation,
  TurnedBody,
} from '../layout.generated';
import { quatFromRotationVector, quatMul, quatNormalize, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import {
  JOB_BEGIN,
  JOB_FINISH,
  blockOf,
  closeJob,
  finishTask,
  isAlone,
  openJob,
  takeTask,
  team,
  threadBlock,
} from '../threads/team';
import { awakeBody } from './awake';
import { countLimited, limitAcceleration, limitedTo, speedLimit, spinLimit, stopBody } from './limits';
import { applyLocks, lockInertia, locksOf } from './locks';
import {
  FLAG_ANISOTROPIC,
  FLAG_FORCED,
  FLAG_HELD,
  FLAG_LIMITED,
  FLAG_LOCKS,
  FLAG_LONE,
  FLAG_TYPE,
  STOPPED_BY_MOTION,
  centerAt,
  coldAt,
  deltaAt,
  inertiaAt,
  rowAt,
} from './rows';
import { turnBody } from './turn';
import { isUnmoved } from './unmoved';

// Bodies of a task.
const RANGE: u32 = 128;
// Slower spin than this has no gyroscopic effect that f32 could hold (rad a step, squared).
const GYRO_MIN_ANGLE2: f32 = 1e-8;

function findingsOf(block: usize): BodyFindings {
  return changetype<BodyFindings>(block + BLOCK_FINDINGS);
}

function square3(v: v128): f32 {
  const p: v128 = f32x4.mul(v, v);
  return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

/** World inverse inertia R J R' of a body, J = the body-frame inverse inertia in its cold row, R = columns at `rotation`. */
export function updateWorldInertia(body: u32, rotation: usize): void {
  const h: Header = header();
  const cold: BodyCold = coldAt(body);
  const out: BodyInertia = inertiaAt(body);
  const columns = changetype<Rotation>(rotation);
  const c0: v128 = columns.x,
    c1: v128 = columns.y,
    c2: v128 = columns.z;
  // Columns of R J.
  const b0: v128 = f32x4.add(
    f32x4.add(f32x4.mul(c0, f32x4.splat(cold.jxx)), f32x4.mul(c1, f32x4.splat(cold.jxy))),
    f32x4.mul(c2, f32x4.splat(cold.jxz)),
  );
  const b1: v128 = f32x4.add(
    f32x4.add(f32x4.mul(c0, f32x4.splat(cold.jxy)), f32x4.mul(c1, f32x4.splat(cold.jyy))),
    f32x4.mul(c2, f32x4.splat(cold.jyz)),
  );
  const b2: v128 = f32x4.add(
    f32x4.add(f32x4.mul(c0, f32x4.splat(cold.jxz)), f32x4.mul(c1, f32x4.splat(cold.jyz))),
    f32x4.mul(c2, f32x4.splat(cold.jzz)),
  );
  // Columns 0 and 1 of (R J) R', and the last diagonal element.
  const w0: v128 = f32x4.add(
    f32x4.add(f32x4.mul(b0, f32x4.splat(f32x4.extract_lane(c0, 0))), f32x4.mul(b1, f32x4.splat(f32x4.extract_lane(c1, 0)))),
    f32x4.mul(b2, f32x4.splat(f32x4.extract_lane(c2, 0))),
  );
  const w1: v128 = f32x4.add(
    f32x4.add(f32x4.mul(b0, f32x4.splat(f32x4.extract_lane(c0, 1))), f32x4.mul(b1, f32x4.splat(f32x4.extract_lane(c1, 1)))),
    f32x4.mul(b2, f32x4.splat(f32x4.extract_lane(c2, 1))),
  );
  out.xx = f32x4.extract_lane(w0, 0);
  out.xy = f32x4.extract_lane(w0, 1);
  out.xz = f32x4.extract_lane(w0, 2);
  out.yy = f32x4.extract_lane(w1, 1);
  out.yz = f32x4.extract_lane(w1, 2);
  out.zz =
    f32x4.extract_lane(b0, 2) * f32x4.extract_lane(c0, 2) +
    f32x4.extract_lane(b1, 2) * f32x4.extract_lane(c1, 2) +
    f32x4.extract_lane(b2, 2) * f32x4.extract_lane(c2, 2);
  if ((cold.flags & FLAG_LOCKS) != 0) lockInertia(out, locksOf(body));
}

/** Does a job on all awake bodies. Returns the largest number that its tasks have found, at least 0. */
function overBodies(kind: u32): f32 {
  const h: Header = header();
  const count: u32 = h.awakeCount;
  const threads: u32 = team().capacity;
  const stopped: u32 = h.stoppedCount,
    last: u32 = h.stoppedBody;
  h.stoppedBody = 0;
  let largest: f32 = 0;
  if (isAlone() || count < 4 * RANGE) {
    largest = kind == JOB_BEGIN ? beginRange(0, count) : finishRange(0, count);
  } else {
    for (let i: u32 = 0; i < threads; i++) findingsOf(blockOf(i)).largest = 0;
    openJob(kind, (count + RANGE - 1) / RANGE);
    for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
      bodyTask(kind, task);
      finishTask();
    }
    closeJob();
    for (let i: u32 = 0; i < threads; i++) largest = max<f32>(largest, findingsOf(blockOf(i)).largest);
  }
  if (h.stoppedCount == stopped) h.stoppedBody = last;
  return largest;
}

/** A task of JOB_BEGIN or JOB_FINISH. */
export function bodyTask(kind: u32, task: u32): void {
  const first: u32 = task * RANGE;
  const end: u32 = min<u32>(first + RANGE, header().awakeCount);
  const largest: f32 = kind == JOB_BEGIN ? beginRange(first, end) : finishRange(first, end);
  const found: BodyFindings = findingsOf(threadBlock());
  found.largest = max<f32>(largest, found.largest);
}

/** Accelerations of the step from gravity, forces and damping; deltas to zero. */
export function beginBodies(): void {
  const h: Header = header();
  const gravity: f32 = sqrt<f32>(square3(f32x4(h.gravityX, h.gravityY, h.gravityZ, 0)));
  h.hardest = max<f32>(gravity, overBodies(JOB_BEGIN)) * h.dt;
  h.someQuiet = 0;
  h.someMarked = h.jointAlive != 0 ? 1 : 0;
}

/** The same of bodies first to end - 1 of the list. Returns the hardest acceleration by forces (m/s^2). */
function beginRange(first: u32, end: u32): f32 {
  const h: Header = header();
  const dt: f32 = h.dt;
  const gravity: v128 = f32x4(h.gravityX, h.gravityY, h.gravityZ, 0);
  let hardest: f32 = 0;
  const rows: usize = h.bodyRows,
    colds: usize = h.bodyColds,
    accels: usize = h.bodyAccels;
  for (let k: u32 = first; k < end; k++) {
    const i: u32 = awakeBody(k);
    const delta: BodyDelta = deltaAt(i);
    delta.d = f32x4.splat(0);
    delta.p = f32x4.splat(0);
    const cold: BodyCold = changetype<BodyCold>(colds + <usize>i * BODY_COLD_STRIDE);
    const accel: BodyAccel = changetype<BodyAccel>(accels + <usize>i * BODY_ACCEL_STRIDE);
    const flags: u32 = cold.flags;
    if ((flags & FLAG_TYPE) != BODY_DYNAMIC) {
      accel.a = f32x4.splat(0);
      accel.b = f32x4.splat(0);
      continue;
    }
    const body: BodyRow = changetype<BodyRow>(rows + <usize>i * BODY_ROW_STRIDE);
    const locks: u32 = (flags & FLAG_LOCKS) >> LOCK_SHIFT;
    if (locks != 0) applyLocks(changetype<usize>(body), locks);
    if ((flags & FLAG_FORCED) == 0) {
      accel.a = gravity;
      accel.b = f32x4.splat(0);
      if (locks != 0) applyLocks(changetype<usize>(accel), locks);
      continue;
    }
    const inertia: BodyInertia = inertiaAt(i);
    // Damping as an acceleration that gives exactly v / (1 + c dt) over the step.
    const linear: f32 = -cold.linearDamping / (1 + cold.linearDamping * dt);
    const angular: f32 = -cold.angularDamping / (1 + cold.angularDamping * dt);
    const im: f32 = body.invMass;
    const s: f32 = cold.gravityScale;
    accel.ax = h.gravityX * s + cold.fx * im + linear * body.vx;
    accel.ay = h.gravityY * s + cold.fy * im + linear * body.vy;
    accel.az = h.gravityZ * s + cold.fz * im + linear * body.vz;
    const tx: f32 = cold.tx,
      ty: f32 = cold.ty,
      tz: f32 = cold.tz;
    accel.bx = inertia.xx * tx + inertia.xy * ty + inertia.xz * tz + angular * body.wx;
    accel.by = inertia.xy * tx + inertia.yy * ty + inertia.yz * tz + angular * body.wy;
    accel.bz = inertia.xz * tx + inertia.yz * ty + inertia.zz * tz + angular * body.wz;
    cold.fx = 0;
    cold.fy = 0;
    cold.fz = 0;
    cold.tx = 0;
    cold.ty = 0;
    cold.tz = 0;
    limitAcceleration(i, accel);
    if (locks != 0) applyLocks(changetype<usize>(accel), locks);
    hardest = max<f32>(hardest, sqrt<f32>(square3(accel.a)) + sqrt<f32>(square3(accel.b)) * cold.extent);
    if (cold.linearDamping == 0 && cold.angularDamping == 0 && s == 1) cold.flags &= ~FLAG_FORCED;
  }
  return hardest;
}

/** Whether all numbers of a velocity and a motion are finite: x - x is 0 for those alone. Lane 3 of v is none of them. */
function isFinite(v: v128, w: v128, d: v128, p: v128): bool {
  const u: v128 = f32x4.replace_lane(v, 3, 0);
  const sum: v128 = f32x4.add(f32x4.add(f32x4.sub(u, u), f32x4.sub(w, w)), f32x4.add(f32x4.sub(d, d), f32x4.sub(p, p)));
  return !v128.any_true(f32x4.ne(sum, f32x4.splat(0)));
}

/** Whether a body passes limits of its own; sums over substeps are rounded. */
function exceeds(cold: BodyCold, speed2: f32, spin2: f32, distance2: f32, angle2: f32, dt: f32): bool {
  const maxSpeed: f32 = speedLimit(cold),
    maxSpin: f32 = spinLimit(cold);
  const top: f32 = max<f32>(speed2, distance2 / (dt * dt)),
    topSpin: f32 = max<f32>(spin2, angle2 / (dt * dt));
  return top > maxSpeed * maxSpeed * <f32>1.00001 || topSpin > maxSpin * maxSpin * <f32>1.00001;
}

/**
 * Moves every body by its delta: centers with a compensated sum, rotations, inertia, view arrays, paths. Returns whether any was
 * so fast that the square of its speed overflows: then impulses of the bodies it met may have overflowed too.
 */
export function finishBodies(): bool {
  for (let i: u32 = 0; i < team().capacity; i++) findingsOf(blockOf(i)).wild = 0;
  header().fastest = overBodies(JOB_FINISH);
  let wild: u32 = 0;
  for (let i: u32 = 0; i < team().capacity; i++) wild |= findingsOf(blockOf(i)).wild;
  return wild != 0;
}

/** The same of bodies first to end - 1 of the list. Returns the fastest speed of a point (m/s). */
function finishRange(first: u32, end: u32): f32 {
  const h: Header = header();
  const dt: f32 = h.dt;
  const paths: usize = h.paths,
    turnPaths: usize = h.turnPaths,
    motions: usize = h.motions;
  const rotation: usize = threadBlock(); // columns of the new rotation
  const turned = changetype<TurnedBody>(rotation + ROTATION_STRIDE);
  const maxSpeed2: f32 = h.maxLinearSpeed * h.maxLinearSpeed,
    maxSpin2: f32 = h.maxAngularSpeed * h.maxAngularSpeed;
  // Sums over substeps are rounded.
  const maxDistance2: f32 = maxSpeed2 * dt * dt * <f32>1.00001,
    maxAngle2: f32 = maxSpin2 * dt * dt * <f32>1.00001;
  // What a quiet body moved by in this step, and its motion before, are within the tolerance.
  const someQuiet: bool = h.someQuiet != 0;
  let fastest: f32 = someQuiet ? (2 * h.readbackTolerance) / dt : 0;
  for (let k: u32 = first; k < end; k++) {
    const i: u32 = awakeBody(k);
    if (someQuiet && isUnmoved(i)) continue;
    const cold: BodyCold = coldAt(i);
    const flags: u32 = cold.flags;
    const row: BodyRow = rowAt(i);
    const delta: BodyDelta = deltaAt(i);
    const locks: u32 = (flags & FLAG_TYPE) == BODY_DYNAMIC ? (flags & FLAG_LOCKS) >> LOCK_SHIFT : 0;
    if (locks != 0) {
      applyLocks(changetype<usize>(row), locks);
      applyLocks(changetype<usize>(delta), locks);
    }
    let v: v128 = row.v;
    let w: v128 = row.w;
    let d: v128 = delta.d;
    let p: v128 = delta.p;
    let speed2: f32 = square3(v),
      spin2: f32 = square3(w),
      distance2: f32 = square3(d),
      angle2: f32 = square3(p);
    const isDynamic: bool = (flags & FLAG_TYPE) == BODY_DYNAMIC;
    const sv: v128 = row.sv,
      sw: v128 = row.sw;
    // One comparison catches NaN and infinity; the pose is not finite then. A body with finite motion whose square overflows is
    // limited instead, and so is a body that something else has held while the velocities of its substeps were lost.
    let finite: bool = speed2 + spin2 + distance2 + angle2 + square3(sv) + square3(sw) < <f32>1e30;
    if (!finite && isDynamic && isFinite(v, w, d, p)) {
      finite = true;
      findingsOf(threadBlock()).wild = 1;
      row.sv = f32x4.splat(0);
      row.sw = f32x4.splat(0);
    }
    if (!finite) d = f32x4.splat(NaN);
    const fast: bool = speed2 > maxSpeed2 || spin2 > maxSpin2 || distance2 > maxDistance2 || angle2 > maxAngle2;
    if (finite && isDynamic && (fast || ((flags & FLAG_LIMITED) != 0 && exceeds(cold, speed2, spin2, distance2, angle2, dt)))) {
      const maxSpeed: f32 = speedLimit(cold),
        maxSpin: f32 = spinLimit(cold);
      countLimited();
      // Within the step it may have been so fast that gaps of its contacts overflowed.
      findingsOf(threadBlock()).wild = 1;
      v = f32x4.replace_lane(limitedTo(v, maxSpeed), 3, row.invMass);
      w = limitedTo(w, maxSpin);
      d = limitedTo(d, maxSpeed * dt);
      p = limitedTo(p, maxSpin * dt);
      row.v = v;
      row.w = w;
      speed2 = square3(v);
      spin2 = square3(w);
      distance2 = square3(d);
      angle2 = square3(p);
    }
    const qPtr: usize = <usize>h.rotations + ((<usize>i) << 4);
    let q: v128 = v128.load(qPtr);
    let angle: f32 = sqrt<f32>(angle2);
    // A body with a locked rotation keeps its angular velocity instead of its angular momentum.
    let turns: bool = (flags & (FLAG_ANISOTROPIC | FLAG_HELD)) == FLAG_ANISOTROPIC && angle2 > GYRO_MIN_ANGLE2 && locks < 8;
    if ((flags & (FLAG_HELD | FLAG_LONE)) != 0) cold.flags &= ~(FLAG_HELD | FLAG_LONE);
    if (turns) {
      const way: f32 = turnBody(cold, q, w, p, dt, changetype<usize>(turned));
      turns = way < <f32>1e15; // not where the moments are none of a body, or too far apart for single precision
      if (turns) angle = way;
    }
    if (turns) q = turned.rotation;
    else if (locks < 56) q = quatNormalize(quatMul(quatFromRotationVector(p), q));

    // Two-sum: x + d = high + low exactly, so that motion below one ulp of x adds up instead of getting lost.
    const center: BodyCenter = centerAt(i);
    const x: v128 = center.xyz;
    const y: v128 = f32x4.add(d, center.l);
    const sum: v128 = f32x4.add(x, y);
    const yy: v128 = f32x4.sub(sum, x);
    const low: v128 = f32x4.add(f32x4.sub(x, f32x4.sub(sum, yy)), f32x4.sub(y, yy));
    storeRotation(q, rotation);
    const com: v128 = rotate3(rotation, f32x4(cold.comX, cold.comY, cold.comZ, 0));
    const origin: v128 = f32x4.sub(sum, com);
    // No pose is written before it is known to be finite: z - z is zero for finite numbers alone.
    if (v128.any_true(f32x4.ne(f32x4.add(f32x4.sub(origin, origin), f32x4.sub(q, q)), f32x4.splat(0)))) {
      stopBody(i, STOPPED_BY_MOTION);
      continue;
    }
    if (turns) {
      // Free motion changes the spin of a body at the limit by a little.
      w = limitedTo(turned.velocity, spinLimit(cold));
      spin2 = square3(w);
      const rest: v128 = turned.low;
      row.w = w;
      cold.wlx = f32x4.extract_lane(rest, 0);
      cold.wly = f32x4.extract_lane(rest, 1);
      cold.wlz = f32x4.extract_lane(rest, 2);
    }
    v128.store(qPtr, q);
    if (isDynamic) updateWorldInertia(i, rotation);
    center.xyz = sum;
    center.l = low;
    v128.store(<usize>h.positions + ((<usize>i) << 4), f32x4.replace_lane(origin, 3, 1));

    const extent: f32 = cold.extent;
    const swing: f32 = angle * extent;
    const path: f64 = load<f64>(paths + ((<usize>i) << 3)) + <f64>(sqrt<f32>(distance2) + swing);
    store<f64>(paths + ((<usize>i) << 3), path);
    store<f64>(turnPaths + ((<usize>i) << 3), load<f64>(turnPaths + ((<usize>i) << 3)) + <f64>swing);
    const speed: f32 = sqrt<f32>(speed2) + sqrt<f32>(spin2) * extent;
    store<f64>(motions + ((<usize>i) << 3), path + <f64>(speed * dt));
    fastest = max<f32>(fastest, speed);
  }
  return fastest;
}
