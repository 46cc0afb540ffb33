// Passes over bodies, and the parameters of a substep, of PGS on lanes (wide_batch.ts has the order of all passes). Rows, masses
// and accelerations are frozen, so the final impulses of a substep change a body by exactly v_end - v_start (less gravity). The
// warm start of the next substep is therefore u = v_end + (v_end - v_start), a pass over bodies instead of one over contacts.
// Input: lists of bodies, BodyRow, BodyAccel. Output: BodyRow, BodyDelta, velocities at the start of the substep.
import {
  BODY_ACCEL_STRIDE,
  BODY_DELTA_STRIDE,
  BODY_ROW_STRIDE,
  Header,
  STEP_H,
  STEP_INV_H,
  STEP_PUSH,
  STEP_SLOP,
  STEP_SOFT,
  STEP_SOFT_STATIC,
  STEP_WARM_START,
} from '../layout.generated';
import { addW, boundSpinW, boundW, mulAddW, splatW, subW } from '../math/lane';
import { header } from '../memory/header';

function bodyAt(bodies: usize, k: u32): usize {
  return <usize>load<u32>(bodies + ((<usize>k) << 2));
}

/** First substep: v_start = v, v += h a. `starts`: rows of 32 bytes, by body. */
export function startBodies(bodies: usize, count: u32, rows: usize, starts: usize, accels: usize, h: v128): void {
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = bodyAt(bodies, k);
    const row: usize = rows + i * BODY_ROW_STRIDE,
      accel: usize = accels + i * BODY_ACCEL_STRIDE,
      start: usize = starts + (i << 5);
    const v: v128 = v128.load(row),
      w: v128 = v128.load(row, 16);
    v128.store(start, v);
    v128.store(start, w, 16);
    v128.store(row, mulAddW(h, v128.load(accel), v));
    v128.store(row, mulAddW(h, v128.load(accel, 16), w), 16);
  }
}

/** Later substeps: gravity, forces and the impulses of the last substep at once. */
export function repeatBodies(bodies: usize, count: u32, rows: usize, starts: usize): void {
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = bodyAt(bodies, k);
    const row: usize = rows + i * BODY_ROW_STRIDE,
      start: usize = starts + (i << 5);
    const v: v128 = boundW(v128.load(row)),
      w: v128 = boundSpinW(v128.load(row, 16));
    v128.store(row, addW(v, subW(v, v128.load(start))));
    v128.store(row, addW(w, subW(w, v128.load(start, 16))), 16);
    v128.store(start, v);
    v128.store(start, w, 16);
  }
}

/** Positions: the velocity is kept in the row for the relax pass, the motion is summed in the delta. */
export function moveBodies(bodies: usize, count: u32, rows: usize, deltas: usize, h: v128): void {
  const xyz: v128 = i32x4(-1, -1, -1, 0);
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = bodyAt(bodies, k);
    const row: usize = rows + i * BODY_ROW_STRIDE,
      delta: usize = deltas + i * BODY_DELTA_STRIDE;
    const v: v128 = v128.and(v128.load(row), xyz),
      w: v128 = v128.load(row, 16);
    v128.store(row, v, 32);
    v128.store(row, w, 48);
    v128.store(delta, mulAddW(h, v, v128.load(delta)));
    v128.store(delta, mulAddW(h, w, v128.load(delta, 16)), 16);
  }
}

/** Bodies that contacts do not move go through the step at once, before the others, which see their velocities. */
export function moveFixed(bodies: usize, count: u32): void {
  const h: Header = header();
  const dt: v128 = splatW(h.dt);
  for (let k: u32 = 0; k < count; k++) {
    const i: usize = bodyAt(bodies, k);
    const row: usize = <usize>h.bodyRows + i * BODY_ROW_STRIDE,
      accel: usize = <usize>h.bodyAccels + i * BODY_ACCEL_STRIDE;
    v128.store(row, mulAddW(dt, v128.load(accel), v128.load(row)));
    v128.store(row, mulAddW(dt, v128.load(accel, 16), v128.load(row, 16)), 16);
  }
  moveBodies(bodies, count, h.bodyRows, h.bodyDeltas, dt);
}

/** Whether impulses on bodies belong to substeps of another length than h. */
export function changesSubsteps(bodies: usize, count: u32, h: f32): bool {
  const lengths: usize = header().bodySubsteps;
  for (let k: u32 = 0; k < count; k++) if (load<f32>(lengths + (bodyAt(bodies, k) << 2)) != h) return true;
  return false;
}

export function setSubsteps(bodies: usize, count: u32, h: f32): void {
  const lengths: usize = header().bodySubsteps;
  for (let k: u32 = 0; k < count; k++) store<f32>(lengths + (bodyAt(bodies, k) << 2), h);
}

/** Soft-contact coefficients for angular frequency omega: bias rate, mass scale, impulse scale. */
function storeSoftness(params: usize, omega: f32, zeta: f32, h: f32): void {
  const a1: f32 = 2 * zeta + h * omega;
  const a2: f32 = h * omega * a1;
  v128.store(params, splatW(omega / a1));
  v128.store(params, splatW(a2 / (1 + a2)), 16);
  v128.store(params, splatW(1 / (1 + a2)), 32);
}

/** Parameters of a batch with substeps of h seconds, whose contacts are soft for those of `soft` seconds (STEP_*). */
export function storeParameters(params: usize, h: f32, soft: f32): void {
  const hd: Header = header();
  const omega: f32 = (<f32>6.2831853 * hd.contactHertzRatio) / soft;
  v128.store(params, splatW(h), STEP_H);
  v128.store(params, splatW(1 / h), STEP_INV_H);
  storeSoftness(params + STEP_SOFT, omega, hd.dampingRatio, h);
  storeSoftness(params + STEP_SOFT_STATIC, 2 * omega, hd.dampingRatio, h);
  v128.store(params, splatW(-hd.pushSpeed), STEP_PUSH);
  v128.store(params, splatW(hd.linearSlop), STEP_SLOP);
  v128.store(params, splatW(hd.warmStart), STEP_WARM_START);
}
