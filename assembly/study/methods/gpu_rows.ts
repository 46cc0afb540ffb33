// The CPU's side of the row methods on the GPU: Jacobi (Datta 2017; shaders/jacobi_*.wgsl), splitting by pairs (Tonge 2012) and
// Gauss-Seidel by colors (shaders/sweep_*.wgsl). packRows: the rows that build.ts makes, packed for upload once a step, with the
// bodies, the rows of each body, the room of the matrix, the links of each color or pair; applyRows: takes what came back.
// Joints are rows too (joint_rows.ts); where one has no body A, its rows name the world, a body that nothing moves behind the
// others.
// Input: active manifolds, joints, bodies. Output: MethodState.gpu*; then velocities, BodyDelta, impulses and end separations,
// impulses of joints as solve.ts, the twin of the shaders, leaves them. Nothing outside of MethodState changes before applyRows,
// so a step whose result never comes is solved by solveMethod after dropRows.
//
// Fixed-point sums (accumulation 'fixed-point'): a speed is counted in a power of two, chosen anew each step so that the range
// is what the step may need (rangeOf) or a little more: 1.5e-8 m/s for a range of 32 m/s. An angular speed is counted in the
// same over the radius of gyration, rounded down to a power of two, so that both cover the same speeds of the body's
// material; scaling is exact. Every addend is rounded to the nearest count, ties to even. A body of n rows takes addends up
// to JACOBI_RANGE / n counts: whatever their order, their sum stays within 32 bits. A larger one sets the flag of the step,
// whose result is then void.
import { accelAt, centerAt, coldAt, deltaAt, inertiaAt, rowAt } from '../../bodies/rows';
import { excessIn, listActiveManifolds, pointOf } from '../../constraints/manifolds';
import {
  BODY_ACCEL_STRIDE,
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyInertia,
  BodyRow,
  BodyVelocity,
  JACOBI_BODY_STATE_STRIDE,
  JACOBI_BODY_STRIDE,
  JACOBI_RANGE,
  JACOBI_ROW_STRIDE,
  JacobiBody,
  JacobiBodyState,
  JacobiRow,
  Manifold,
  MethodRow,
  MethodState,
  PgsLink,
} from '../../layout.generated';
import { header } from '../../memory/header';
import { splitState } from '../../memory/split_state';
import { at32 } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { isMoving } from '../../ordering/state';
import { PUSH } from '../../rows/joint_softness';
import { biasRate, gammaScale } from '../../rows/softness';
import { forgetGpu } from '../../split/gpu_pack';
import { recordOf, startClamp } from './growth_clamp';
import { rowsOf } from './gpu_lists';
import { listBodyRows } from './jacobi_assemble';
import { lengthOf, restLimit } from './jacobi_prepare';
import { rowMethod } from './method';
import { ROW_DRIVE, ROW_LIMIT, ROW_LOAD, ROW_LOCK, ROW_NORMAL, ROW_PAIR, ROW_PULLEY, ROW_SPRING, ROW_TWIST } from './row';
import { beginMethod, finish } from './solve';
import { methodRoom, methodRow, methodState, movesByImpulses, velocityAt } from './state';

// Bits of JacobiRow.ids.z above the kind and the number of normals.
const STATIC_SIDE: u32 = 1 << 16;

/** Packs the step for a SOLVER_* code. False without memory (header error set). */
export function packRows(solver: u32): bool {
  if (!beginMethod(solver, true)) return false;
  const h = header();
  const s: MethodState = methodState();
  if (h.relax != 0 && !startClamp()) return false;
  const rows: u32 = s.rowCount;
  const bodies: u32 = h.bodyCount;
  const links: u32 = h.activeCount;
  // No cells this step, for readers of labels.
  splitState().cellCount = 0;
  splitState().layout = 0;
  forgetGpu();
  if (!listBodyRows(s)) return false;
  s.gpuBodyCount = bodies;
  s.gpuLinkCount = links;
  s.gpuResultBytes = bodies * <u32>JACOBI_BODY_STATE_STRIDE + rows * 16;
  if (!methodRoom(offsetof<MethodState>('gpuRows'), JACOBI_ROW_STRIDE, rows)) return false;
  // The last one is the world.
  if (!methodRoom(offsetof<MethodState>('gpuBodies'), JACOBI_BODY_STRIDE, bodies + 1)) return false;
  // Impulses and excess in one block, as they are uploaded.
  if (!methodRoom(offsetof<MethodState>('gpuImpulses'), 8, rows)) return false;
  if (!methodRoom(offsetof<MethodState>('gpuLinks'), 4, links)) return false;
  if (!methodRoom(offsetof<MethodState>('gpuResult'), 1, s.gpuResultBytes)) return false;
  memory.copy(s.gpuLinks, h.activeManifolds, (<usize>links) << 2);
  const dt: f32 = h.dt / <f32>h.stepSubsteps;
  s.gpuRate = biasRate(false, dt);
  s.gpuRateStatic = biasRate(true, dt);
  s.gpuGamma = gammaScale(false, dt);
  s.gpuGammaStatic = gammaScale(true, dt);
  s.gpuRest = restLimit();
  for (let r: u32 = 0; r < rows; r++) packRow(s, r);
  const scale: f32 = floorPower(<f32>JACOBI_RANGE / rangeOf(s, dt));
  for (let b: u32 = 0; b < bodies; b++) packBody(s, b, scale);
  memory.fill(<usize>s.gpuBodies + <usize>bodies * JACOBI_BODY_STRIDE, 0, JACOBI_BODY_STRIDE);
  s.gpuEntries = 0;
  s.gpuBlockCount = 0;
  return rowMethod().listForGpu(s);
}

function packRow(s: MethodState, index: u32): void {
  const h = header();
  const row: MethodRow = methodRow(index);
  const out: JacobiRow = changetype<JacobiRow>(<usize>s.gpuRows + <usize>index * JACOBI_ROW_STRIDE);
  const fixedSide: bool = !movesByImpulses(row.bodyA) || !movesByImpulses(row.bodyB);
  let separation: f32 = 0;
  let pushShare: f32 = 1;
  let excess: f32 = 0;
  if (row.kind == ROW_PAIR) separation = row.cross;
  else if (row.kind == ROW_NORMAL) {
    const m: Manifold = manifoldOfLink(row.link);
    separation = pointOf(m, row.point).separation;
    pushShare = 1 - m.pushCut;
    if (h.relax != 0) excess = load<f32>(excessIn(m, row.point));
  }
  const bits: u32 = row.kind | (row.normalCount << 8) | (fixedSide ? STATIC_SIDE : 0);
  let last: u32 = row.firstNormal,
    fourth: f32 = row.mu,
    k: f32 = row.k;
  if (row.kind >= ROW_LOCK) {
    separation = row.error;
    pushShare = row.kind == ROW_SPRING ? row.rate : row.kind == ROW_LOAD ? row.bound : row.hold;
    if (row.kind == ROW_LOCK) fourth = row.rate;
    else if (row.kind == ROW_LIMIT) fourth = row.room;
    else if (row.kind == ROW_DRIVE || row.kind == ROW_SPRING) fourth = row.bound;
    if (row.kind == ROW_SPRING) k = row.hold;
    if (row.kind == ROW_PULLEY) {
      fourth = row.onAx;
      pushShare = row.onAy;
      last = reinterpret<u32>(row.onAz);
    }
  }
  out.ids = i32x4(row.bodyA, row.bodyB, bits, last);
  out.d = f32x4(row.dx, row.dy, row.dz, fourth);
  out.a = f32x4(row.ax, row.ay, row.az, row.split);
  out.b = f32x4(row.bx, row.by, row.bz, k);
  out.more = f32x4(row.scaleA, row.scaleB, separation, pushShare);
  store<f32>(<usize>s.gpuImpulses + ((<usize>index) << 2), row.z);
  store<f32>(<usize>s.gpuImpulses + ((<usize>(s.rowCount + index)) << 2), excess);
}

/**
 * Range of the sums of the step, m/s, at least 8e-3: eight times the speed of the fastest point of a body after the
 * accelerations of the step, or that which stabilization may add; twice what the repeated impulses of a body would add up to
 * if all had the size of the largest. Splitting divides the steps of an iteration by the rows on a body, so that together
 * they do not exceed the speeds that they take away.
 */
function rangeOf(s: MethodState, dt: f32): f32 {
  const h = header();
  let most: f32 = max<f32>(h.pushSpeed, <f32>1e-3);
  for (let b: u32 = 0; b < s.gpuBodyCount; b++) {
    const row: BodyRow = rowAt(b);
    const extent: f32 = coldAt(b).extent;
    const a: BodyAccel = changetype<BodyAccel>(<usize>h.bodyAccels + <usize>b * BODY_ACCEL_STRIDE);
    const speed: f32 = lengthOf(row.vx, row.vy, row.vz) + lengthOf(row.wx, row.wy, row.wz) * extent;
    most = max<f32>(most, speed + h.dt * (lengthOf(a.ax, a.ay, a.az) + lengthOf(a.bx, a.by, a.bz) * extent));
  }
  let carried: f32 = 0;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    const rows: u32 = max<u32>(rowsOf(s, row.bodyA), rowsOf(s, row.bodyB));
    let arm: f32 = 1;
    if (row.kind == ROW_NORMAL) most = max<f32>(most, -pointOf(manifoldOfLink(row.link), row.point).separation / dt);
    else if (row.kind >= ROW_LOCK) most = max<f32>(most, speedOfJoint(row, dt));
    else if (row.kind == ROW_TWIST) arm = max<f32>(extentOf(row.bodyA), extentOf(row.bodyB));
    carried = max<f32>(carried, abs<f32>(row.z) * row.k * arm * <f32>rows);
  }
  return max<f32>(<f32>8 * most, <f32>2 * carried);
}

/** Speed that the row of a joint may ask for: that of its motor, or what takes its error out. */
function speedOfJoint(row: MethodRow, dt: f32): f32 {
  if (row.kind == ROW_LIMIT) return -min<f32>(row.error, row.room) / dt;
  if (row.kind == ROW_LOCK || row.kind == ROW_PULLEY) return min<f32>(abs<f32>(row.error) / dt, PUSH);
  return row.kind == ROW_DRIVE ? abs<f32>(row.error) : abs<f32>(row.rate * row.error);
}

/** Largest distance of a point from the center of mass, 0 for bodies that impulses do not move. */
function extentOf(body: u32): f32 {
  if (!movesByImpulses(body)) return 0;
  return coldAt(body).extent;
}

/** The power of two at or below x. */
function floorPower(x: f32): f32 {
  return reinterpret<f32>(reinterpret<u32>(x) & 0x7f800000);
}

function packBody(s: MethodState, index: u32, scale: f32): void {
  const h = header();
  const row: BodyRow = rowAt(index);
  const cold: BodyCold = coldAt(index);
  const center: BodyCenter = centerAt(index);
  const accel: BodyAccel = accelAt(index);
  const i: BodyInertia = inertiaAt(index);
  const out: JacobiBody = changetype<JacobiBody>(<usize>s.gpuBodies + <usize>index * JACOBI_BODY_STRIDE);
  const moving: f32 = isMoving(index) ? 1 : 0;
  out.center = f32x4.replace_lane(center.xyz, 3, row.invMass);
  out.rotation = v128.load(<usize>h.rotations + ((<usize>index) << 4));
  out.v = f32x4.replace_lane(row.v, 3, cold.comX);
  out.w = f32x4.replace_lane(row.w, 3, cold.comY);
  out.inertia0 = f32x4(i.xx, i.yy, i.zz, i.xy);
  out.inertia1 = f32x4(i.xz, i.yz, moving, cold.comZ);
  out.accel = accel.a;
  out.angularAccel = f32x4.replace_lane(accel.b, 3, cold.extent);
  const trace: f32 = i.xx + i.yy + i.zz;
  const radius: f32 = trace > 0 && row.invMass > 0 ? sqrt<f32>((<f32>3 * row.invMass) / trace) : <f32>1;
  // Sizes beyond these limits would leave the exponents of the scales.
  const angular: f32 = scale * floorPower(min<f32>(max<f32>(radius, <f32>1e-6), <f32>1e6));
  // Both passes of staggered friction have the same pairs: every manifold has normals and tangents.
  const parts: u32 = rowMethod().takesMean() ? max<u32>(at32(s.counts, index * 2), 1) : 1;
  out.scales = f32x4(scale, angular, <f32>JACOBI_RANGE / <f32>max<u32>(rowsOf(s, index), 1), <f32>parts);
}

/** Drops a packed step that the GPU will not solve: the manifolds are listed again as the contacts stage left them. */
export function dropRows(): void {
  if (header().methodState == 0 || methodState().gpuLinkCount == 0) return;
  methodState().gpuLinkCount = 0;
  listActiveManifolds();
}

/**
 * Applies a result that the host has copied to MethodState.gpuResult: JacobiBodyState of every body, then of every row the
 * impulse, the largest impulse, the excess and the sum of the substeps before the last. Call once a step, before the poses are
 * integrated.
 */
export function applyRows(): void {
  const h = header();
  const s: MethodState = methodState();
  const bodies: u32 = s.gpuBodyCount;
  const rows: u32 = s.rowCount;
  // Queries may have listed the manifolds again while the step was in flight.
  memory.copy(h.activeManifolds, s.gpuLinks, (<usize>s.gpuLinkCount) << 2);
  h.activeCount = s.gpuLinkCount;
  for (let b: u32 = 0; b < bodies; b++) {
    const state: JacobiBodyState = changetype<JacobiBodyState>(<usize>s.gpuResult + <usize>b * JACOBI_BODY_STATE_STRIDE);
    const body: JacobiBody = changetype<JacobiBody>(<usize>s.gpuBodies + <usize>b * JACOBI_BODY_STRIDE);
    const v: BodyVelocity = velocityAt(s.velocities, b);
    const moving: bool = f32x4.extract_lane(body.inertia1, 2) != 0;
    // A body that was made in the slot of one that was removed since must not get its velocity.
    v.v = f32x4.replace_lane(state.v, 3, moving ? v.invMass : <f32>0);
    v.w = f32x4.replace_lane(state.w, 3, 0);
    if (!moving) continue;
    const row: BodyRow = rowAt(b);
    row.sv = f32x4.replace_lane(state.sv, 3, 0);
    row.sw = f32x4.replace_lane(state.sw, 3, 0);
    const delta: BodyDelta = deltaAt(b);
    delta.d = f32x4.replace_lane(state.d, 3, 0);
    delta.p = f32x4.replace_lane(state.p, 3, 0);
  }
  const impulses: usize = <usize>s.gpuResult + <usize>bodies * JACOBI_BODY_STATE_STRIDE;
  for (let r: u32 = 0; r < rows; r++) {
    const row: MethodRow = methodRow(r);
    const at: usize = impulses + ((<usize>r) << 2);
    row.z = load<f32>(at);
    row.most = load<f32>(at + ((<usize>rows) << 2));
    if (row.kind >= ROW_LOCK) row.peak = load<f32>(at + <usize>rows * 12);
    if (row.kind != ROW_NORMAL) continue;
    pointOf(manifoldOfLink(row.link), row.point).maxImpulse = load<f32>(at + <usize>rows * 12);
    if (h.relax != 0) {
      const excess: f32 = load<f32>(at + ((<usize>rows) << 3));
      store<f32>(recordOf(row.link) + ((<usize>row.point) << 2), excess, offsetof<PgsLink>('excess0'));
    }
  }
  s.gpuLinkCount = 0;
  finish(s, bodies);
}
