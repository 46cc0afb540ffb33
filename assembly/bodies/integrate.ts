// First and last stage of a step for bodies: accelerations before the solver, poses after it.
//
// Input: BodyRow, BodyCold (forces, damping). Output of beginBodies: BodyAccel, BodyDelta = 0. The solver moves BodyRow
// and BodyDelta. Output of finishBodies: BodyCenter, positions, rotations, BodyInertia, and the path every body went,
// which is the budget that spares resting pairs any work.
//
// Inertia is frozen in the world frame during a step, so the solver conserves I(q0) w. At the end w is chosen so that
// angular momentum I(q1) w1 = I(q0) w0 is kept exactly: that is the gyroscopic torque. The rotation itself is advanced
// with the implicit midpoint rule, which also keeps the kinetic energy of a free body (no secular drift).
import {
  BODY_ACCEL_STRIDE,
  BODY_CENTER_STRIDE,
  BODY_COLD_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_DYNAMIC,
  BODY_INERTIA_STRIDE,
  BODY_ROW_STRIDE,
  BODY_STATIC,
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyInertia,
  BodyRow,
  ERROR_NOT_FINITE,
  Header,
} from '../layout.generated';
import { broadphaseState } from '../broadphase/state';
import { quatFromRotationVector, quatMul, quatNormalize, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';

// @ts-ignore: decorator
@inline export const FLAG_TYPE: u32 = 3;
// @ts-ignore: decorator
@inline export const FLAG_ALIVE: u32 = 1 << 8;
// @ts-ignore: decorator
@inline export const FLAG_ANISOTROPIC: u32 = 1 << 9;
// @ts-ignore: decorator
@inline export const FLAG_FORCED: u32 = 1 << 10;
// @ts-ignore: decorator
@inline export const FLAG_MASS_CHANGED: u32 = 1 << 11;
// @ts-ignore: decorator
@inline export const FLAG_ASLEEP: u32 = 1 << 12;

// Slower spin than this has no gyroscopic effect that f32 could hold (rad a step, squared).
// @ts-ignore: decorator
@inline const GYRO_MIN_ANGLE2: f32 = 1e-8;

/** World inverse inertia R J R' of a body, J = the body-frame inverse inertia in its cold row, R = columns at `rotation`. */
export function updateWorldInertia(body: u32, rotation: usize): void {
  const h: Header = header();
  const cold: BodyCold = changetype<BodyCold>(<usize>h.bodyColds + <usize>body * BODY_COLD_STRIDE);
  const out: BodyInertia = changetype<BodyInertia>(<usize>h.bodyInertias + <usize>body * BODY_INERTIA_STRIDE);
  const c0: v128 = v128.load(rotation),
    c1: v128 = v128.load(rotation, 16),
    c2: v128 = v128.load(rotation, 32);
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
}

/** R M R' v for a symmetric body-frame matrix M given by its six elements at `m` (xx yy zz xy xz yz). */
// @ts-ignore: decorator
@inline
export function applyRotated(rotation: usize, m: usize, v: v128): v128 {
  const c0: v128 = v128.load(rotation),
    c1: v128 = v128.load(rotation, 16),
    c2: v128 = v128.load(rotation, 32);
  const p0: v128 = f32x4.mul(c0, v),
    p1: v128 = f32x4.mul(c1, v),
    p2: v128 = f32x4.mul(c2, v);
  const x: f32 = f32x4.extract_lane(p0, 0) + f32x4.extract_lane(p0, 1) + f32x4.extract_lane(p0, 2);
  const y: f32 = f32x4.extract_lane(p1, 0) + f32x4.extract_lane(p1, 1) + f32x4.extract_lane(p1, 2);
  const z: f32 = f32x4.extract_lane(p2, 0) + f32x4.extract_lane(p2, 1) + f32x4.extract_lane(p2, 2);
  const xx: f32 = load<f32>(m),
    yy: f32 = load<f32>(m, 4),
    zz: f32 = load<f32>(m, 8),
    xy: f32 = load<f32>(m, 12),
    xz: f32 = load<f32>(m, 16),
    yz: f32 = load<f32>(m, 20);
  return rotate3(rotation, f32x4(xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z, 0));
}

/** Accelerations of the step from gravity, forces and damping; deltas to zero. */
export function beginBodies(): void {
  const h: Header = header();
  const count: u32 = h.bodyCount;
  const dt: f32 = h.dt;
  const gravity: v128 = f32x4(h.gravityX, h.gravityY, h.gravityZ, 0);
  const rows: usize = h.bodyRows,
    colds: usize = h.bodyColds,
    accels: usize = h.bodyAccels;
  memory.fill(<usize>h.bodyDeltas, 0, <usize>count * BODY_DELTA_STRIDE);
  for (let i: u32 = 0; i < count; i++) {
    const cold: BodyCold = changetype<BodyCold>(colds + <usize>i * BODY_COLD_STRIDE);
    const accel: usize = accels + <usize>i * BODY_ACCEL_STRIDE;
    const flags: u32 = cold.flags;
    if ((flags & (FLAG_TYPE | FLAG_ALIVE | FLAG_ASLEEP)) != (BODY_DYNAMIC | FLAG_ALIVE)) {
      v128.store(accel, f32x4.splat(0));
      v128.store(accel, f32x4.splat(0), 16);
      continue;
    }
    if ((flags & FLAG_FORCED) == 0) {
      v128.store(accel, gravity);
      v128.store(accel, f32x4.splat(0), 16);
      continue;
    }
    const row: usize = rows + <usize>i * BODY_ROW_STRIDE;
    const inertia: BodyInertia = changetype<BodyInertia>(<usize>h.bodyInertias + <usize>i * BODY_INERTIA_STRIDE);
    // Damping as an acceleration that gives exactly v / (1 + c dt) over the step.
    const linear: f32 = -cold.linearDamping / (1 + cold.linearDamping * dt);
    const angular: f32 = -cold.angularDamping / (1 + cold.angularDamping * dt);
    const body: BodyRow = changetype<BodyRow>(row);
    const im: f32 = body.invMass;
    const out: BodyAccel = changetype<BodyAccel>(accel);
    const s: f32 = cold.gravityScale;
    out.ax = h.gravityX * s + cold.fx * im + linear * body.vx;
    out.ay = h.gravityY * s + cold.fy * im + linear * body.vy;
    out.az = h.gravityZ * s + cold.fz * im + linear * body.vz;
    const tx: f32 = cold.tx,
      ty: f32 = cold.ty,
      tz: f32 = cold.tz;
    out.bx = inertia.xx * tx + inertia.xy * ty + inertia.xz * tz + angular * body.wx;
    out.by = inertia.xy * tx + inertia.yy * ty + inertia.yz * tz + angular * body.wy;
    out.bz = inertia.xz * tx + inertia.yz * ty + inertia.zz * tz + angular * body.wz;
    cold.fx = 0;
    cold.fy = 0;
    cold.fz = 0;
    cold.tx = 0;
    cold.ty = 0;
    cold.tz = 0;
    if (cold.linearDamping == 0 && cold.angularDamping == 0 && s == 1) cold.flags = flags & ~FLAG_FORCED;
  }
}

/** Moves every body by its delta: centres with a compensated sum, rotations, inertia, view arrays, paths. */
export function finishBodies(): void {
  const h: Header = header();
  const count: u32 = h.bodyCount;
  const dt: f32 = h.dt;
  const state = broadphaseState();
  const paths: usize = state.paths,
    motions: usize = h.motions;
  const rotation: usize = state.scratch; // columns of the old rotation
  const middle: usize = state.scratch + 48; // columns halfway
  const maxSpeed2: f32 = h.maxLinearSpeed * h.maxLinearSpeed;
  for (let i: u32 = 0; i < count; i++) {
    const cold: BodyCold = changetype<BodyCold>(<usize>h.bodyColds + <usize>i * BODY_COLD_STRIDE);
    const flags: u32 = cold.flags;
    if ((flags & (FLAG_ALIVE | FLAG_ASLEEP)) != FLAG_ALIVE || (flags & FLAG_TYPE) == BODY_STATIC) continue;
    const row: usize = <usize>h.bodyRows + <usize>i * BODY_ROW_STRIDE;
    const deltaPtr: usize = <usize>h.bodyDeltas + <usize>i * BODY_DELTA_STRIDE;
    let v: v128 = v128.load(row);
    let w: v128 = v128.load(row, 16);
    const d: v128 = v128.load(deltaPtr);
    let p: v128 = v128.load(deltaPtr, 16);
    const vv: v128 = f32x4.mul(v, v),
      ww: v128 = f32x4.mul(w, w);
    const speed2: f32 = f32x4.extract_lane(vv, 0) + f32x4.extract_lane(vv, 1) + f32x4.extract_lane(vv, 2);
    const spin2: f32 = f32x4.extract_lane(ww, 0) + f32x4.extract_lane(ww, 1) + f32x4.extract_lane(ww, 2);
    const dd: v128 = f32x4.mul(d, d),
      pp: v128 = f32x4.mul(p, p);
    const distance2: f32 = f32x4.extract_lane(dd, 0) + f32x4.extract_lane(dd, 1) + f32x4.extract_lane(dd, 2);
    let angle2: f32 = f32x4.extract_lane(pp, 0) + f32x4.extract_lane(pp, 1) + f32x4.extract_lane(pp, 2);
    // One comparison catches NaN and infinity; the body is stopped where it was, the host reports it.
    if (!(speed2 + spin2 + distance2 + angle2 < <f32>1e30)) {
      const im: f32 = changetype<BodyRow>(row).invMass;
      memory.fill(row, 0, BODY_ROW_STRIDE);
      changetype<BodyRow>(row).invMass = im;
      h.error |= ERROR_NOT_FINITE;
      continue;
    }
    if (speed2 > maxSpeed2) {
      const k: f32 = h.maxLinearSpeed / sqrt<f32>(speed2);
      const clamped: v128 = f32x4.mul(v, f32x4.splat(k));
      v = f32x4.replace_lane(clamped, 3, changetype<BodyRow>(row).invMass);
      v128.store(row, v);
    }
    const qPtr: usize = <usize>h.rotations + ((<usize>i) << 4);
    const q: v128 = v128.load(qPtr);
    if ((flags & FLAG_ANISOTROPIC) != 0 && angle2 > GYRO_MIN_ANGLE2) {
      const inertia: usize = changetype<usize>(cold) + offsetof<BodyCold>('ixx');
      const inverse: usize = changetype<usize>(cold) + offsetof<BodyCold>('jxx');
      storeRotation(q, rotation);
      const momentum: v128 = applyRotated(rotation, inertia, w);
      // Implicit midpoint by fixed-point iteration: w_mid = I(q_mid)^-1 L with q_mid = exp(turn / 2) q. The part of the
      // turn that contacts made within the step is kept: only the change of w with the rotation is added.
      let turn: v128 = p;
      let wm: v128 = w;
      for (let k: i32 = 0; k < 3; k++) {
        storeRotation(quatNormalize(quatMul(quatFromRotationVector(f32x4.mul(turn, f32x4.splat(0.5))), q)), middle);
        wm = applyRotated(middle, inverse, momentum);
        turn = f32x4.add(p, f32x4.mul(f32x4.sub(wm, w), f32x4.splat(dt)));
      }
      p = turn;
      const pp2: v128 = f32x4.mul(p, p);
      angle2 = f32x4.extract_lane(pp2, 0) + f32x4.extract_lane(pp2, 1) + f32x4.extract_lane(pp2, 2);
      const q1: v128 = quatNormalize(quatMul(quatFromRotationVector(p), q));
      v128.store(qPtr, q1);
      storeRotation(q1, rotation);
      w = applyRotated(rotation, inverse, momentum);
      v128.store(row, w, 16);
    } else {
      const q1: v128 = quatNormalize(quatMul(quatFromRotationVector(p), q));
      v128.store(qPtr, q1);
      storeRotation(q1, rotation);
    }
    if ((flags & FLAG_TYPE) == BODY_DYNAMIC) updateWorldInertia(i, rotation);

    // Two-sum: x + d = high + low exactly, so that motion below one ulp of x adds up instead of getting lost.
    const centerPtr: usize = <usize>h.bodyCenters + <usize>i * BODY_CENTER_STRIDE;
    const x: v128 = v128.load(centerPtr);
    const y: v128 = f32x4.add(d, v128.load(centerPtr, 16));
    const sum: v128 = f32x4.add(x, y);
    const yy: v128 = f32x4.sub(sum, x);
    const low: v128 = f32x4.add(f32x4.sub(x, f32x4.sub(sum, yy)), f32x4.sub(y, yy));
    v128.store(centerPtr, sum);
    v128.store(centerPtr, low, 16);

    const com: v128 = rotate3(rotation, f32x4(cold.comX, cold.comY, cold.comZ, 0));
    v128.store(<usize>h.positions + ((<usize>i) << 4), f32x4.replace_lane(f32x4.sub(sum, com), 3, 1));

    const extent: f32 = cold.extent;
    const path: f64 = load<f64>(paths + ((<usize>i) << 3)) + <f64>(sqrt<f32>(distance2) + sqrt<f32>(angle2) * extent);
    store<f64>(paths + ((<usize>i) << 3), path);
    store<f64>(motions + ((<usize>i) << 3), path + <f64>((sqrt<f32>(speed2) + sqrt<f32>(spin2) * extent) * dt));
  }
}
