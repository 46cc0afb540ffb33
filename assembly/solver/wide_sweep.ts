// Sweeps over groups of four manifolds: warm start, spikes, soft and relax pass.
//
// All of them are one function, sweepGroup: bodies in, friction, points in order, bodies out. What differs is the impulse of a
// row, chosen by a mode that is constant where sweepGroup is inlined, so that each sweep is compiled to its own code.
// Input: groups (lanes.ts), BodyRow, parameters. Output: velocities in BodyRow; impulses, separations, excess in the groups.
import { addW, blendW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, negW, splatW, sqrtW, subW } from '../math/lane';
import {
  G_ARM_A1,
  G_ARM_A2,
  G_ARM_B1,
  G_ARM_B2,
  G_BODY_A,
  G_BODY_B,
  G_COUNT,
  G_EXCESS,
  G_FRICTION,
  G_MAX_IMPULSE,
  G_NORMAL,
  G_POINTS,
  G_PUSH_SHARE,
  G_RESTITUTION,
  G_STATIC,
  G_STEP_IMPULSE,
  G_TANGENT,
  G_TANGENT_IMPULSE,
  G_TANGENT_MASS,
  G_TURN_A1,
  G_TURN_A2,
  G_TURN_AN,
  G_TURN_B1,
  G_TURN_B2,
  G_TURN_BN,
  G_TWIST_FRICTION,
  G_TWIST_IMPULSE,
  G_TWIST_MASS,
  GROUP_STRIDE,
  HIT_LIST,
  PARAMS,
  P_ARM_A,
  P_ARM_B,
  P_IMPULSE,
  P_MASS,
  P_PREVIOUS,
  P_SEPARATION,
  P_STRIDE,
  P_TURN_A,
  P_TURN_B,
  START_ROWS,
} from './lane_layout';
import { header } from '../memory/header';
import { columnW, columnX, columnY, columnZ, storeColumns } from './wide_columns';

// Parameters of a step, in all four lanes each: byte offsets.
// @ts-ignore: decorator
@inline export const STEP_H: usize = 0; // length of a substep
// @ts-ignore: decorator
@inline export const STEP_INV_H: usize = 16;
// @ts-ignore: decorator
@inline export const STEP_SOFT: usize = 32; // soft contact: rate, mass scale, impulse scale
// @ts-ignore: decorator
@inline export const STEP_SOFT_STATIC: usize = 80; // the same against static bodies
// @ts-ignore: decorator
@inline export const STEP_PUSH: usize = 128; // least bias: -pushSpeed
// @ts-ignore: decorator
@inline export const STEP_SLOP: usize = 144;
// @ts-ignore: decorator
@inline export const STEP_WARM_START: usize = 160;

// What a sweep does.
// @ts-ignore: decorator
@inline const WARM: u32 = 0;
// @ts-ignore: decorator
@inline const TAKE_BACK: u32 = 1;
// @ts-ignore: decorator
@inline const SOFT: u32 = 2;
// @ts-ignore: decorator
@inline const RELAX: u32 = 3;

// Two arms lie one behind the other, that of A first; a turn about t1 is followed by those about t2 and n.
// @ts-ignore: decorator
@inline const ARM_B: usize = P_ARM_B - P_ARM_A;
// @ts-ignore: decorator
@inline const TURN_2: usize = G_TURN_A2 - G_TURN_A1;
// @ts-ignore: decorator
@inline const TURN_N: usize = G_TURN_AN - G_TURN_A1;
if (STEP_WARM_START + 16 > START_ROWS - PARAMS) ERROR('room for parameters');
if (G_ARM_B1 - G_ARM_A1 != ARM_B || G_ARM_B2 - G_ARM_A2 != ARM_B) ERROR('arms of A and B');
if (G_TURN_B2 - G_TURN_B1 != TURN_2 || G_TURN_BN - G_TURN_B1 != TURN_N) ERROR('turns of A and B');

/** Applies the stored impulses of the groups in [g, end), less their excess, times the warm start factor. */
export function warmGroups(g: usize, end: usize, rows: usize, step: usize): void {
  for (; g < end; g += GROUP_STRIDE) if (hasLanes(g)) sweepGroup(WARM, g, rows, step, false, false);
}

/** A soft pass over the groups in [g, end), at the separations in the lanes. */
export function softGroups(g: usize, end: usize, rows: usize, step: usize): void {
  for (; g < end; g += GROUP_STRIDE) if (hasLanes(g)) sweepGroup(SOFT, g, rows, step, false, false);
}

/**
 * A relax pass over the groups in [g, end). `advance` first moves separations by what the bodies have just integrated; `last`
 * finds the excess of impulses and appends groups that have any to the list that ends at `spiked`; then `watched` also adds the
 * impulses of the substep to those of the step. Returns the new end of the list.
 */
export function relaxGroups(
  g: usize,
  end: usize,
  rows: usize,
  step: usize,
  advance: bool,
  last: bool,
  watched: bool,
  spiked: usize,
): usize {
  for (; g < end; g += GROUP_STRIDE) {
    if (!hasLanes(g)) continue;
    const excess: v128 = sweepGroup(RELAX, g, rows, step, advance, last);
    if (last && watched) addImpulses(g);
    if (last && v128.any_true(excess)) {
      store<u32>(spiked, <u32>g);
      spiked += 4;
    }
  }
  return spiked;
}

/**
 * Takes back what an impact left in the warm start. The warm start of a substep repeats every impulse of the last one; an
 * impulse that stopped a motion would start it again, backwards, and one sweep does not undo that where several contacts
 * share a body: boxes then rattle between their supports for ever. So an impulse is repeated up to twice its value of the
 * substep before; a load that stays is back one substep later. [list, end): addresses of groups.
 */
export function takeBackSpikes(list: usize, end: usize, rows: usize, step: usize): void {
  for (; list < end; list += 4) sweepGroup(TAKE_BACK, load<u32>(list), rows, step, false, false);
}

/** Largest impulses to zero in groups in which something bounces. */
export function clearLargest(g: usize, end: usize): void {
  const zero: v128 = splatW(0);
  for (; g < end; g += GROUP_STRIDE) {
    if (!bounces(g)) continue;
    for (let i: usize = 0; i < 64; i += 16) v128.store(g + i, zero, G_MAX_IMPULSE);
  }
}

/** Keeps the largest impulse of every point in groups in which something bounces. */
export function recordImpulses(g: usize, end: usize): void {
  for (; g < end; g += GROUP_STRIDE) {
    if (!bounces(g)) continue;
    const points: u32 = groupPoints(g);
    for (let i: u32 = 0; i < points; i++) {
      const q: usize = g + ((<usize>i) << 4);
      v128.store(q, maxW(v128.load(q, G_MAX_IMPULSE), v128.load(g + G_POINTS + <usize>i * P_STRIDE, P_IMPULSE)), G_MAX_IMPULSE);
    }
  }
}

/** Whether a group holds anything: its lanes in use are the first ones. Groups that a crowd has left stay in the list. */
// @ts-ignore: decorator
@inline
function hasLanes(g: usize): bool {
  return load<u32>(g, G_COUNT) != 0;
}

/** Whether something in the group bounces. */
// @ts-ignore: decorator
@inline
export function bounces(g: usize): bool {
  return v128.any_true(v128.load(g, G_RESTITUTION));
}

/** Adds the impulses that a substep ended with, which are all that it did, to those of the step, where they are asked for. */
// @ts-ignore: decorator
@inline
function addImpulses(g: usize): void {
  const before: v128 = v128.load(g, G_STEP_IMPULSE);
  if (v128.any_true(greaterW(before, splatW(-f32.MAX_VALUE)))) sumImpulses(g, before);
}

function sumImpulses(g: usize, before: v128): void {
  const points: u32 = groupPoints(g);
  let total: v128 = before;
  for (let i: u32 = 0; i < points; i++) total = addW(total, v128.load(g + G_POINTS + <usize>i * P_STRIDE, P_IMPULSE));
  v128.store(g, total, G_STEP_IMPULSE);
  const zero: v128 = splatW(0);
  if (v128.any_true(greaterW(before, zero)) || !v128.any_true(greaterW(total, zero))) return;
  const state: usize = header().coloredState;
  const hits: u32 = load<u32>(state, HIT_LIST + 8);
  store<u32>(<usize>load<u32>(state, HIT_LIST) + ((<usize>hits) << 2), <u32>g);
  store<u32>(state, hits + 1, HIT_LIST + 8);
}

/** Most points in any lane of a group. */
// @ts-ignore: decorator
@inline
function groupPoints(g: usize): u32 {
  return max<u32>(
    max<u32>(load<u32>(g, G_COUNT), load<u32>(g, G_COUNT + 4)),
    max<u32>(load<u32>(g, G_COUNT + 8), load<u32>(g, G_COUNT + 12)),
  );
}

/** One sweep over a group. Returns the excess found by the last relax pass: lanes of all points or-ed together. */
// @ts-ignore: decorator
@inline
function sweepGroup(mode: u32, g: usize, rows: usize, step: usize, advance: bool, last: bool): v128 {
  const zero: v128 = splatW(0);
  const points: u32 = groupPoints(g);
  const a0: usize = rows + <usize>load<u32>(g, G_BODY_A),
    a1: usize = rows + <usize>load<u32>(g, G_BODY_A + 4),
    a2: usize = rows + <usize>load<u32>(g, G_BODY_A + 8),
    a3: usize = rows + <usize>load<u32>(g, G_BODY_A + 12);
  const b0: usize = rows + <usize>load<u32>(g, G_BODY_B),
    b1: usize = rows + <usize>load<u32>(g, G_BODY_B + 4),
    b2: usize = rows + <usize>load<u32>(g, G_BODY_B + 8),
    b3: usize = rows + <usize>load<u32>(g, G_BODY_B + 12);
  let avx: v128 = columnX(a0, a1, a2, a3, 0),
    avy: v128 = columnY(a0, a1, a2, a3, 0),
    avz: v128 = columnZ(a0, a1, a2, a3, 0);
  const am: v128 = columnW(a0, a1, a2, a3, 0);
  let awx: v128 = columnX(a0, a1, a2, a3, 16),
    awy: v128 = columnY(a0, a1, a2, a3, 16),
    awz: v128 = columnZ(a0, a1, a2, a3, 16);
  let bvx: v128 = columnX(b0, b1, b2, b3, 0),
    bvy: v128 = columnY(b0, b1, b2, b3, 0),
    bvz: v128 = columnZ(b0, b1, b2, b3, 0);
  const bm: v128 = columnW(b0, b1, b2, b3, 0);
  let bwx: v128 = columnX(b0, b1, b2, b3, 16),
    bwy: v128 = columnY(b0, b1, b2, b3, 16),
    bwz: v128 = columnZ(b0, b1, b2, b3, 16);
  const nx: v128 = v128.load(g, G_NORMAL),
    ny: v128 = v128.load(g, G_NORMAL + 16),
    nz: v128 = v128.load(g, G_NORMAL + 32);

  if (mode == WARM || mode == SOFT || mode == RELAX) {
    const tx: v128 = v128.load(g, G_TANGENT),
      ty: v128 = v128.load(g, G_TANGENT + 16),
      tz: v128 = v128.load(g, G_TANGENT + 32);
    const ux: v128 = subW(mulW(ny, tz), mulW(nz, ty)),
      uy: v128 = subW(mulW(nz, tx), mulW(nx, tz)),
      uz: v128 = subW(mulW(nx, ty), mulW(ny, tx));
    const old1: v128 = v128.load(g, G_TANGENT_IMPULSE),
      old2: v128 = v128.load(g, G_TANGENT_IMPULSE + 16),
      old3: v128 = v128.load(g, G_TWIST_IMPULSE);
    let z1: v128, z2: v128, z3: v128; // new impulses
    let d1: v128, d2: v128, d3: v128; // what is applied
    if (mode == WARM) {
      const factor: v128 = v128.load(step, STEP_WARM_START);
      z1 = mulW(old1, factor);
      z2 = mulW(old2, factor);
      z3 = mulW(old3, factor);
      d1 = z1;
      d2 = z2;
      d3 = z3;
    } else {
      // A 2x2 block at the mean of the points, clamped to the circle of radius mu N; then spin about the normal.
      let load4: v128 = zero;
      for (let i: u32 = 0; i < points; i++) load4 = addW(load4, v128.load(g + G_POINTS + <usize>i * P_STRIDE, P_IMPULSE));
      const dx: v128 = subW(bvx, avx),
        dy: v128 = subW(bvy, avy),
        dz: v128 = subW(bvz, avz);
      const v1: v128 = addW(dotW(tx, ty, tz, dx, dy, dz), spinAlong(g + G_ARM_A1, awx, awy, awz, bwx, bwy, bwz));
      const v2: v128 = addW(dotW(ux, uy, uz, dx, dy, dz), spinAlong(g + G_ARM_A2, awx, awy, awz, bwx, bwy, bwz));
      const v3: v128 = dotW(nx, ny, nz, subW(bwx, awx), subW(bwy, awy), subW(bwz, awz));
      const m11: v128 = v128.load(g, G_TANGENT_MASS),
        m12: v128 = v128.load(g, G_TANGENT_MASS + 16),
        m22: v128 = v128.load(g, G_TANGENT_MASS + 32);
      z1 = subW(old1, addW(mulW(m11, v1), mulW(m12, v2)));
      z2 = subW(old2, addW(mulW(m12, v1), mulW(m22, v2)));
      const bound: v128 = mulW(v128.load(g, G_FRICTION), load4);
      const slips: v128 = greaterW(addW(mulW(z1, z1), mulW(z2, z2)), mulW(bound, bound));
      if (v128.any_true(slips)) {
        // What slips is held against its motion: one step length for both directions ends there, the block would not.
        const length: v128 = slipStep(m11, m12, m22);
        const s1: v128 = subW(old1, mulW(length, v1)),
          s2: v128 = subW(old2, mulW(length, v2));
        const scale: v128 = toCircle(s1, s2, bound);
        z1 = blendW(slips, mulW(s1, scale), z1);
        z2 = blendW(slips, mulW(s2, scale), z2);
      }
      const bound3: v128 = mulW(v128.load(g, G_TWIST_FRICTION), load4);
      z3 = maxW(negW(bound3), minW(bound3, subW(old3, mulW(v128.load(g, G_TWIST_MASS), v3))));
      d1 = subW(z1, old1);
      d2 = subW(z2, old2);
      d3 = subW(z3, old3);
    }
    v128.store(g, z1, G_TANGENT_IMPULSE);
    v128.store(g, z2, G_TANGENT_IMPULSE + 16);
    v128.store(g, z3, G_TWIST_IMPULSE);
    const fx: v128 = addW(mulW(tx, d1), mulW(ux, d2)),
      fy: v128 = addW(mulW(ty, d1), mulW(uy, d2)),
      fz: v128 = addW(mulW(tz, d1), mulW(uz, d2));
    avx = mulSubW(fx, am, avx);
    avy = mulSubW(fy, am, avy);
    avz = mulSubW(fz, am, avz);
    bvx = mulAddW(fx, bm, bvx);
    bvy = mulAddW(fy, bm, bvy);
    bvz = mulAddW(fz, bm, bvz);
    awx = subW(awx, frictionTurn(g + G_TURN_A1, d1, d2, d3));
    awy = subW(awy, frictionTurn(g + G_TURN_A1 + 16, d1, d2, d3));
    awz = subW(awz, frictionTurn(g + G_TURN_A1 + 32, d1, d2, d3));
    bwx = addW(bwx, frictionTurn(g + G_TURN_B1, d1, d2, d3));
    bwy = addW(bwy, frictionTurn(g + G_TURN_B1 + 16, d1, d2, d3));
    bwz = addW(bwz, frictionTurn(g + G_TURN_B1 + 32, d1, d2, d3));
  }

  if (mode == RELAX && advance) advanceGroup(g, points, step, nx, ny, nz, a0, a1, a2, a3, b0, b1, b2, b3);

  const rate: v128 = mode == SOFT ? softness(g, step, 0) : zero,
    massScale: v128 = mode == SOFT ? softness(g, step, 16) : zero,
    impulseScale: v128 = mode == SOFT ? softness(g, step, 32) : zero,
    pushShare: v128 = mode == SOFT ? v128.load(g, G_PUSH_SHARE) : zero;
  let spikes: v128 = zero;
  for (let i: u32 = 0; i < points; i++) {
    const p: usize = g + G_POINTS + <usize>i * P_STRIDE,
      q: usize = g + ((<usize>i) << 4);
    const old: v128 = v128.load(p, P_IMPULSE);
    let z: v128, d: v128;
    if (mode == WARM) {
      z = mulW(subW(old, v128.load(q, G_EXCESS)), v128.load(step, STEP_WARM_START));
      d = z;
      v128.store(q, zero, G_EXCESS);
    } else if (mode == TAKE_BACK) {
      const excess: v128 = v128.load(q, G_EXCESS);
      d = negW(excess);
      z = subW(old, excess);
    } else {
      const vn: v128 = addW(
        dotW(nx, ny, nz, subW(bvx, avx), subW(bvy, avy), subW(bvz, avz)),
        spinAlong(p + P_ARM_A, awx, awy, awz, bwx, bwy, bwz),
      );
      if (mode == SOFT) {
        z = softImpulse(p, step, vn, old, rate, massScale, impulseScale, pushShare);
        d = subW(z, old);
      } else {
        z = relaxImpulse(p, step, vn, old);
        d = subW(z, old);
        if (last) spikes = v128.or(spikes, findExcess(p, q, z));
      }
    }
    v128.store(p, z, P_IMPULSE);
    const ex: v128 = mulW(nx, d),
      ey: v128 = mulW(ny, d),
      ez: v128 = mulW(nz, d);
    avx = mulSubW(ex, am, avx);
    avy = mulSubW(ey, am, avy);
    avz = mulSubW(ez, am, avz);
    bvx = mulAddW(ex, bm, bvx);
    bvy = mulAddW(ey, bm, bvy);
    bvz = mulAddW(ez, bm, bvz);
    awx = mulSubW(v128.load(p, P_TURN_A), d, awx);
    awy = mulSubW(v128.load(p, P_TURN_A + 16), d, awy);
    awz = mulSubW(v128.load(p, P_TURN_A + 32), d, awz);
    bwx = mulAddW(v128.load(p, P_TURN_B), d, bwx);
    bwy = mulAddW(v128.load(p, P_TURN_B + 16), d, bwy);
    bwz = mulAddW(v128.load(p, P_TURN_B + 32), d, bwz);
  }

  storeColumns(a0, a1, a2, a3, avx, avy, avz, am);
  storeColumns(a0 + 16, a1 + 16, a2 + 16, a3 + 16, awx, awy, awz, zero);
  storeColumns(b0, b1, b2, b3, bvx, bvy, bvz, bm);
  storeColumns(b0 + 16, b1 + 16, b2 + 16, b3 + 16, bwx, bwy, bwz, zero);
  return spikes;
}

/** Separations follow the motion of the substep: the velocities that the bodies moved with, kept in their rows. */
// @ts-ignore: decorator
@inline
function advanceGroup(
  g: usize,
  points: u32,
  step: usize,
  nx: v128,
  ny: v128,
  nz: v128,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
): void {
  const avx: v128 = columnX(a0, a1, a2, a3, 32),
    avy: v128 = columnY(a0, a1, a2, a3, 32),
    avz: v128 = columnZ(a0, a1, a2, a3, 32);
  const awx: v128 = columnX(a0, a1, a2, a3, 48),
    awy: v128 = columnY(a0, a1, a2, a3, 48),
    awz: v128 = columnZ(a0, a1, a2, a3, 48);
  const bvx: v128 = columnX(b0, b1, b2, b3, 32),
    bvy: v128 = columnY(b0, b1, b2, b3, 32),
    bvz: v128 = columnZ(b0, b1, b2, b3, 32);
  const bwx: v128 = columnX(b0, b1, b2, b3, 48),
    bwy: v128 = columnY(b0, b1, b2, b3, 48),
    bwz: v128 = columnZ(b0, b1, b2, b3, 48);
  const base: v128 = dotW(nx, ny, nz, subW(bvx, avx), subW(bvy, avy), subW(bvz, avz));
  const h: v128 = v128.load(step, STEP_H);
  for (let i: u32 = 0; i < points; i++) {
    const p: usize = g + G_POINTS + <usize>i * P_STRIDE;
    const moved: v128 = addW(base, spinAlong(p + P_ARM_A, awx, awy, awz, bwx, bwy, bwz));
    v128.store(p, mulAddW(h, moved, v128.load(p, P_SEPARATION)), P_SEPARATION);
  }
}

/** What angular velocities add to the speed of B against A along a row; `arms`: r x c of A, then of B. */
// @ts-ignore: decorator
@inline
function spinAlong(arms: usize, awx: v128, awy: v128, awz: v128, bwx: v128, bwy: v128, bwz: v128): v128 {
  return subW(
    dotW(v128.load(arms, ARM_B), v128.load(arms, ARM_B + 16), v128.load(arms, ARM_B + 32), bwx, bwy, bwz),
    dotW(v128.load(arms), v128.load(arms, 16), v128.load(arms, 32), awx, awy, awz),
  );
}

/** One component of the turn by impulses of the three friction rows. */
// @ts-ignore: decorator
@inline
function frictionTurn(turn: usize, d1: v128, d2: v128, d3: v128): v128 {
  return addW(addW(mulW(v128.load(turn), d1), mulW(v128.load(turn, TURN_2), d2)), mulW(v128.load(turn, TURN_N), d3));
}

/** Step length for friction that slips (rows.ts has the scalar one). */
// @ts-ignore: decorator
@inline
function slipStep(m11: v128, m12: v128, m22: v128): v128 {
  const d: v128 = subW(m11, m22);
  const root: v128 = sqrtW(addW(mulW(d, d), mulW(splatW(4), mulW(m12, m12))));
  return mulW(splatW(0.5), subW(addW(m11, m22), root));
}

/** Factor that brings (z1, z2) back to the circle of radius `bound`; 1 inside of it. */
// @ts-ignore: decorator
@inline
function toCircle(z1: v128, z2: v128, bound: v128): v128 {
  const length: v128 = sqrtW(addW(mulW(z1, z1), mulW(z2, z2)));
  return minW(splatW(1), divW(bound, maxW(length, splatW(1e-30)))); // 1e-30 keeps 0 / 0 away
}

/** A soft-contact coefficient of each lane; `offset` in STEP_SOFT. */
// @ts-ignore: decorator
@inline
function softness(g: usize, step: usize, offset: usize): v128 {
  return blendW(v128.load(g, G_STATIC), v128.load(step + STEP_SOFT_STATIC + offset), v128.load(step + STEP_SOFT + offset));
}

/** Impulse of a soft row: old - mass (vn + bias) - impulseScale old; a rigid one where the point is apart. */
// @ts-ignore: decorator
@inline
function softImpulse(
  p: usize,
  step: usize,
  vn: v128,
  old: v128,
  rate: v128,
  massScale: v128,
  impulseScale: v128,
  pushShare: v128,
): v128 {
  const zero: v128 = splatW(0);
  const s: v128 = v128.load(p, P_SEPARATION);
  const apart: v128 = greaterW(s, zero);
  const pushed: v128 = maxW(mulW(rate, minW(addW(s, v128.load(step, STEP_SLOP)), zero)), v128.load(step, STEP_PUSH));
  const bias: v128 = blendW(apart, mulW(s, v128.load(step, STEP_INV_H)), mulW(pushed, pushShare));
  const mass: v128 = mulW(v128.load(p, P_MASS), blendW(apart, splatW(1), massScale));
  return maxW(zero, subW(subW(old, mulW(mass, addW(vn, bias))), mulW(v128.andnot(impulseScale, apart), old)));
}

/** Impulse of a rigid row, without push. */
// @ts-ignore: decorator
@inline
function relaxImpulse(p: usize, step: usize, vn: v128, old: v128): v128 {
  const zero: v128 = splatW(0);
  const bias: v128 = mulW(maxW(v128.load(p, P_SEPARATION), zero), v128.load(step, STEP_INV_H));
  return maxW(zero, subW(old, mulW(v128.load(p, P_MASS), addW(vn, bias))));
}

/** Part of a final impulse above twice that of the substep before, kept for takeBackSpikes and the next warm start. */
// @ts-ignore: decorator
@inline
function findExcess(p: usize, q: usize, z: v128): v128 {
  const before: v128 = v128.load(p, P_PREVIOUS);
  const excess: v128 = maxW(splatW(0), subW(z, addW(before, before)));
  v128.store(q, excess, G_EXCESS);
  v128.store(p, z, P_PREVIOUS);
  return excess;
}
