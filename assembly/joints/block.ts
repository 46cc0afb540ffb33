// Locked axes solved alone: joints that close loops, nets, and those that are asked for (JOINT_FREE). One soft block a joint: an
// implicit spring whose stiffness follows the substep, so that what a cut or another number of substeps does to convergence does
// not move the place of rest. Anchors alone are a 3x3 block along the axes of the world; other forms are up to six rows along the
// axes of the joint, factored as L D L'.
// The same rows give the mass and the speed that an axis has while the locked ones hold (units.ts).
// Input: columns of turn.ts, JointBody. Output: K_*, U_MASS_HELD, U_LOCKED_SHARE; impulses, BodyRow.
import { push } from '../lanes/columns';
import { addW, blendW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, negW, splatW, sqrtW, subW } from '../math/lane';
import { S_RESPONSE, S_ROWS, noteImpulse, relativeVelocity, respond, spinSide } from './anchors';
import { solveBall } from './ball';
import { col, crossAddW, crossW, factor3, inverseOf, setCol, solve3, symX } from './columns';
import {
  FORM_DISTANCE,
  FORM_FLOATS,
  FORM_HELD,
  FORM_LOCKED,
  FORM_TREE,
  HEAD_BYTES,
  J_AXES,
  J_ERROR,
  J_FORM,
  J_GAP,
  J_IMPULSE,
  J_INVERSE_A,
  J_INVERSE_B,
  J_LEVER_A,
  J_LEVER_B,
  J_MASSES,
  J_PEAK,
  J_REST,
  J_ROW_A,
  J_ROW_B,
  J_SWING,
  UNIT_BYTES,
  U_LOCKED_SHARE,
  U_LIMIT,
  U_LINEAR_A,
  U_LINEAR_B,
  U_LOWER,
  U_MASS,
  U_MASS_HELD,
  U_PLACE,
  U_RUB_MOST,
  U_SPIN_A,
  U_SPIN_B,
  U_SPRING,
  U_UPPER,
  U_VELOCITY,
  isBall,
} from './layout';
import { JOINT_IMPULSE_SCALE, JOINT_MASS_SCALE, JOINT_RATE, PUSH } from './parameters';
import { jointScratch } from './state';

// In the section: entries of L by rows, 1 / D.
const K_PIVOTS: usize = 240;
// A driven axis that its locked ones hold keeps this share of its mobility.
const LEAST_SHARE: f32 = 1e-4;
// A limit this far (m, rad) is not reached in a substep.
const NEAR: f32 = 0.2;

/** Rows of the locked axes of a group, where they are solved alone or a drive needs them. */
export function factorBlock(g: usize): void {
  const form: u32 = load<u32>(g, J_FORM);
  if ((form & FORM_LOCKED) == 0 || (form & FORM_FLOATS) != 0) return;
  if ((form & FORM_TREE) != 0 && ((form & FORM_HELD) == 0 || !anyWorks(g))) return;
  const block: usize = g + load<u32>(g, J_FORM + 12);
  if (isBall(form)) factorBall(g, block);
  else factorRows(g, form, block);
  if ((form & FORM_HELD) != 0) holdUnits(g, form, block);
}

/** Whether a unit of a group may do something in this substep: a drive, friction, a limit at work or near. */
function anyWorks(g: usize): bool {
  let unit: usize = g + HEAD_BYTES;
  for (let n: u32 = load<u32>(g, J_FORM + 4); n != 0; n--) {
    const place: v128 = v128.load(unit, U_PLACE);
    const gap: v128 = minW(subW(place, v128.load(unit, U_LOWER)), subW(v128.load(unit, U_UPPER), place));
    const near: v128 = v128.or(f32x4.lt(gap, splatW(NEAR)), f32x4.ne(v128.load(unit, U_LIMIT), splatW(0)));
    const driven: v128 = v128.or(v128.load(unit, U_VELOCITY), v128.load(unit, U_SPRING));
    if (v128.any_true(v128.or(v128.or(near, driven), f32x4.ne(v128.load(unit, U_RUB_MOST), splatW(0))))) return true;
    unit += UNIT_BYTES;
  }
  return false;
}

/** Adds -[r] I^-1 [r] of one side to the six columns at `k`. */
function addLever(k: usize, inverse: usize, lever: usize): void {
  const xx: v128 = v128.load(inverse),
    yy: v128 = v128.load(inverse, 16),
    zz: v128 = v128.load(inverse, 32),
    xy: v128 = v128.load(inverse, 48),
    xz: v128 = v128.load(inverse, 64),
    yz: v128 = v128.load(inverse, 80);
  const x: v128 = v128.load(lever),
    y: v128 = v128.load(lever, 16),
    z: v128 = v128.load(lever, 32);
  // I^-1 [r], columns r x e: of e_x (0, z, -y), of e_y (-z, 0, x), of e_z (y, -x, 0).
  const a0: v128 = crossW(z, xy, y, xz),
    a1: v128 = crossW(z, yy, y, yz),
    a2: v128 = crossW(z, yz, y, zz);
  const b0: v128 = crossW(x, xz, z, xx),
    b1: v128 = crossW(x, yz, z, xy),
    b2: v128 = crossW(x, zz, z, xz);
  const c0: v128 = crossW(y, xx, x, xy),
    c1: v128 = crossW(y, xy, x, yy),
    c2: v128 = crossW(y, xz, x, yz);
  v128.store(k, crossAddW(a1, z, a2, y, v128.load(k)));
  v128.store(k, crossAddW(b2, x, b0, z, v128.load(k, 16)), 16);
  v128.store(k, crossAddW(c0, y, c1, x, v128.load(k, 32)), 32);
  v128.store(k, crossAddW(b1, z, b2, y, v128.load(k, 48)), 48);
  v128.store(k, crossAddW(c1, z, c2, y, v128.load(k, 64)), 64);
  v128.store(k, crossAddW(c2, x, c0, z, v128.load(k, 80)), 80);
}

/** K of the anchors alone, factored. */
function factorBall(g: usize, k: usize): void {
  const m: v128 = addW(v128.load(g, J_MASSES), v128.load(g, J_MASSES + 16));
  const zero: v128 = splatW(0);
  v128.store(k, m);
  v128.store(k, m, 16);
  v128.store(k, m, 32);
  v128.store(k, zero, 48);
  v128.store(k, zero, 64);
  v128.store(k, zero, 80);
  addLever(k, g + J_INVERSE_A, g + J_LEVER_A);
  addLever(k, g + J_INVERSE_B, g + J_LEVER_B);
  factor3(k, v128.load(k), v128.load(k, 16), v128.load(k, 32), v128.load(k, 48), v128.load(k, 64), v128.load(k, 80));
}

/** The response to an impulse of 1 along a locked axis. */
function respondToAxis(g: usize, s: usize, axis: u32): void {
  const linear: bool = axis < 3;
  const at: usize = 3 * <usize>(linear ? axis : axis - 3);
  const nx: v128 = col(g, J_AXES, at),
    ny: v128 = col(g, J_AXES, at + 1),
    nz: v128 = col(g, J_AXES, at + 2);
  let ax: v128 = nx,
    ay: v128 = ny,
    az: v128 = nz;
  let bx: v128 = nx,
    by: v128 = ny,
    bz: v128 = nz;
  let m: v128 = splatW(0);
  if (linear) {
    const px: v128 = col(g, J_LEVER_A, 0),
      py: v128 = col(g, J_LEVER_A, 1),
      pz: v128 = col(g, J_LEVER_A, 2);
    const qx: v128 = col(g, J_LEVER_B, 0),
      qy: v128 = col(g, J_LEVER_B, 1),
      qz: v128 = col(g, J_LEVER_B, 2);
    ax = crossW(py, nz, pz, ny);
    ay = crossW(pz, nx, px, nz);
    az = crossW(px, ny, py, nx);
    bx = crossW(qy, nz, qz, ny);
    by = crossW(qz, nx, qx, nz);
    bz = crossW(qx, ny, qy, nx);
    m = addW(v128.load(g, J_MASSES), v128.load(g, J_MASSES + 16));
  }
  const iax: v128 = col(g, J_INVERSE_A, 3),
    iay: v128 = col(g, J_INVERSE_A, 4),
    iaz: v128 = col(g, J_INVERSE_A, 5);
  const ibx: v128 = col(g, J_INVERSE_B, 3),
    iby: v128 = col(g, J_INVERSE_B, 4),
    ibz: v128 = col(g, J_INVERSE_B, 5);
  respond(
    g,
    s,
    negW(symX(col(g, J_INVERSE_A, 0), iax, iay, ax, ay, az)),
    negW(symX(iax, col(g, J_INVERSE_A, 1), iaz, ax, ay, az)),
    negW(symX(iay, iaz, col(g, J_INVERSE_A, 2), ax, ay, az)),
    symX(col(g, J_INVERSE_B, 0), ibx, iby, bx, by, bz),
    symX(ibx, col(g, J_INVERSE_B, 1), ibz, bx, by, bz),
    symX(iby, ibz, col(g, J_INVERSE_B, 2), bx, by, bz),
    mulW(m, nx),
    mulW(m, ny),
    mulW(m, nz),
  );
}

/** What the response is along an axis. */
function along(g: usize, s: usize, axis: u32): v128 {
  const linear: bool = axis < 3;
  const at: usize = 3 * <usize>(linear ? axis : axis - 3);
  const r: usize = linear ? 0 : 3;
  return dotW(
    col(g, J_AXES, at),
    col(g, J_AXES, at + 1),
    col(g, J_AXES, at + 2),
    col(s, S_RESPONSE, r),
    col(s, S_RESPONSE, r + 1),
    col(s, S_RESPONSE, r + 2),
  );
}

/** Address of entry (i, j), j < i, of L. */
// @ts-ignore: decorator
@inline
function entry(k: usize, i: u32, j: u32): usize {
  return k + ((<usize>((i * (i - 1)) >> 1) + <usize>j) << 4);
}
// @ts-ignore: decorator
@inline
function pivot(k: usize, i: u32): usize {
  return k + K_PIVOTS + ((<usize>i) << 4);
}

/** The next locked axis from `axis` on. */
function lockedFrom(form: u32, axis: u32): u32 {
  return <u32>ctz<u32>((form & FORM_LOCKED) >> axis) + axis;
}

/** L D L' of the locked rows, row by row. */
function factorRows(g: usize, form: u32, k: usize): void {
  const s: usize = jointScratch();
  const rows: u32 = <u32>popcnt<u32>(form & FORM_LOCKED);
  let axis: u32 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    axis = lockedFrom(form, axis);
    respondToAxis(g, s, axis);
    let other: u32 = 0;
    for (let j: u32 = 0; j < i; j++) {
      other = lockedFrom(form, other);
      let sum: v128 = along(g, s, other);
      for (let m: u32 = 0; m < j; m++)
        sum = mulSubW(mulW(v128.load(entry(k, i, m)), v128.load(entry(k, j, m))), col(s, S_ROWS, <usize>m), sum);
      // Still times D: divided below, when all of the row is there.
      v128.store(entry(k, i, j), mulW(sum, v128.load(pivot(k, j))));
      other++;
    }
    let d: v128 = along(g, s, axis);
    const whole: v128 = d;
    for (let j: u32 = 0; j < i; j++) {
      const l: v128 = v128.load(entry(k, i, j));
      d = mulSubW(mulW(l, l), col(s, S_ROWS, <usize>j), d);
    }
    setCol(s, S_ROWS, <usize>i, d);
    v128.store(pivot(k, i), inverseOf(d, whole));
    axis++;
  }
}

/** Solves K x = S_ROWS in place. */
function solveRows(k: usize, s: usize, rows: u32): void {
  for (let i: u32 = 1; i < rows; i++) {
    let x: v128 = col(s, S_ROWS, <usize>i);
    for (let j: u32 = 0; j < i; j++) x = mulSubW(v128.load(entry(k, i, j)), col(s, S_ROWS, <usize>j), x);
    setCol(s, S_ROWS, <usize>i, x);
  }
  for (let i: u32 = rows; i-- > 0; ) {
    let x: v128 = mulW(col(s, S_ROWS, <usize>i), v128.load(pivot(k, i)));
    for (let j: u32 = i + 1; j < rows; j++) x = mulSubW(v128.load(entry(k, j, i)), col(s, S_ROWS, <usize>j), x);
    setCol(s, S_ROWS, <usize>i, x);
  }
}

/**
 * What units are while the locked axes hold: mobility K - k' K_locked^-1 k, speed u - k' K_locked^-1 times that of the locked
 * axes.
 */
function holdUnits(g: usize, form: u32, k: usize): void {
  const s: usize = jointScratch();
  const rows: u32 = <u32>popcnt<u32>(form & FORM_LOCKED);
  let unit: usize = g + HEAD_BYTES;
  for (let n: u32 = load<u32>(g, J_FORM + 4); n != 0; n--) {
    const ma: v128 = v128.load(g, J_MASSES),
      mb: v128 = v128.load(g, J_MASSES + 16);
    respond(
      g,
      s,
      negW(col(unit, U_SPIN_A, 0)),
      negW(col(unit, U_SPIN_A, 1)),
      negW(col(unit, U_SPIN_A, 2)),
      col(unit, U_SPIN_B, 0),
      col(unit, U_SPIN_B, 1),
      col(unit, U_SPIN_B, 2),
      addW(mulW(ma, col(unit, U_LINEAR_A, 0)), mulW(mb, col(unit, U_LINEAR_B, 0))),
      addW(mulW(ma, col(unit, U_LINEAR_A, 1)), mulW(mb, col(unit, U_LINEAR_B, 1))),
      addW(mulW(ma, col(unit, U_LINEAR_A, 2)), mulW(mb, col(unit, U_LINEAR_B, 2))),
    );
    let held: v128 = splatW(0);
    if (isBall(form)) {
      const x: v128 = col(s, S_RESPONSE, 0),
        y: v128 = col(s, S_RESPONSE, 1),
        z: v128 = col(s, S_RESPONSE, 2);
      solve3(k, s + S_ROWS, x, y, z);
      held = dotW(x, y, z, col(s, S_ROWS, 0), col(s, S_ROWS, 1), col(s, S_ROWS, 2));
      for (let i: usize = 0; i < 3; i++) setCol(unit, U_LOCKED_SHARE, i, col(s, S_ROWS, i));
    } else {
      for (let i: u32 = 0, axis: u32 = 0; i < rows; i++, axis++) {
        axis = lockedFrom(form, axis);
        setCol(s, S_ROWS, <usize>i, along(g, s, axis));
      }
      solveRows(k, s, rows);
      for (let i: u32 = 0, axis: u32 = 0; i < rows; i++, axis++) {
        axis = lockedFrom(form, axis);
        const c: v128 = col(s, S_ROWS, <usize>i);
        held = mulAddW(c, along(g, s, axis), held);
        const at: usize = 3 * <usize>(axis < 3 ? axis : axis - 3);
        const to: usize = axis < 3 ? 0 : 3;
        for (let i: usize = 0; i < 3; i++)
          setCol(unit, U_LOCKED_SHARE, to + i, mulAddW(c, col(g, J_AXES, at + i), col(unit, U_LOCKED_SHARE, to + i)));
      }
    }
    const mass: v128 = v128.load(unit, U_MASS);
    const mobility: v128 = divW(splatW(1), maxW(mass, splatW(1e-30)));
    const left: v128 = maxW(subW(mobility, held), mulW(mobility, splatW(LEAST_SHARE)));
    v128.store(unit, v128.and(divW(splatW(1), left), greaterW(mass, splatW(0))), U_MASS_HELD);
    unit += UNIT_BYTES;
  }
}

/** Errors of the locked axes to S_ROWS; of anchors alone along the axes of the world. Returns their number. */
export function lockedErrors(g: usize, form: u32, s: usize): u32 {
  if (isBall(form)) {
    for (let i: usize = 0; i < 3; i++) setCol(s, S_ROWS, i, col(g, J_GAP, i));
    return 3;
  }
  let rows: usize = 0;
  for (let axis: u32 = 0; axis < 6; axis++) {
    if ((form & (1 << axis)) == 0) continue;
    let error: v128;
    if (axis >= 3) {
      error = col(g, J_ERROR, <usize>(axis - 3));
    } else if ((form & FORM_DISTANCE) != 0) {
      error = subW(v128.load(g, J_SWING), v128.load(g, J_REST));
    } else {
      const at: usize = 3 * <usize>axis;
      error = dotW(
        col(g, J_AXES, at),
        col(g, J_AXES, at + 1),
        col(g, J_AXES, at + 2),
        col(g, J_GAP, 0),
        col(g, J_GAP, 1),
        col(g, J_GAP, 2),
      );
    }
    setCol(s, S_ROWS, rows++, error);
  }
  return <u32>rows;
}

/** A pass over the blocks named in [list, end). */
export function solveBlocks(list: usize, end: usize, soft: bool, step: usize): void {
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    if (isBall(load<u32>(g, J_FORM))) solveBall(g, soft, step);
    else solveBlock(g, soft, step);
  }
}

function solveBlock(g: usize, soft: bool, step: usize): void {
  const form: u32 = load<u32>(g, J_FORM);
  const k: usize = g + load<u32>(g, J_FORM + 12);
  const s: usize = jointScratch();
  const one: v128 = splatW(1),
    zero: v128 = splatW(0);
  let massScale: v128 = one,
    keep: v128 = zero;
  let rows: u32 = <u32>popcnt<u32>(form & FORM_LOCKED);
  if (soft) {
    rows = lockedErrors(g, form, s);
    // The push is capped and the block stays soft: what cannot be reached pulls with a bounded force.
    let square: v128 = zero;
    for (let i: u32 = 0; i < rows; i++) {
      const e: v128 = col(s, S_ROWS, <usize>i);
      square = mulAddW(e, e, square);
    }
    const rate: v128 = v128.load(step, JOINT_RATE);
    const scaled: v128 = minW(rate, divW(splatW(PUSH), maxW(sqrtW(square), splatW(1e-30))));
    massScale = v128.load(step, JOINT_MASS_SCALE);
    keep = v128.load(step, JOINT_IMPULSE_SCALE);
    for (let i: u32 = 0; i < rows; i++) {
      const at: usize = S_ROWS + ((<usize>i) << 4);
      v128.store(s + at, mulW(scaled, v128.load(s + at)));
    }
  } else {
    for (let i: u32 = 0; i < rows; i++) setCol(s, S_ROWS, <usize>i, zero);
  }
  relativeVelocity(g, s);
  let x: v128 = zero,
    y: v128 = zero,
    z: v128 = zero;
  let tx: v128 = zero,
    ty: v128 = zero,
    tz: v128 = zero;
  let axis: u32 = 0;
  for (let i: u32 = 0; i < rows; i++) {
    axis = lockedFrom(form, axis);
    const at: usize = S_ROWS + ((<usize>i) << 4);
    v128.store(s + at, addW(v128.load(s + at), along(g, s, axis)));
    axis++;
  }
  solveRows(k, s, rows);
  axis = 0;
  for (let i: u32 = 0; i < rows; i++) {
    axis = lockedFrom(form, axis);
    const d: v128 = negW(mulW(massScale, col(s, S_ROWS, <usize>i)));
    const at: usize = 3 * <usize>(axis < 3 ? axis : axis - 3);
    const nx: v128 = col(g, J_AXES, at),
      ny: v128 = col(g, J_AXES, at + 1),
      nz: v128 = col(g, J_AXES, at + 2);
    if (axis < 3) {
      x = mulAddW(d, nx, x);
      y = mulAddW(d, ny, y);
      z = mulAddW(d, nz, z);
    } else {
      tx = mulAddW(d, nx, tx);
      ty = mulAddW(d, ny, ty);
      tz = mulAddW(d, nz, tz);
    }
    axis++;
  }
  x = mulSubW(keep, col(g, J_IMPULSE, 0), x);
  y = mulSubW(keep, col(g, J_IMPULSE, 1), y);
  z = mulSubW(keep, col(g, J_IMPULSE, 2), z);
  tx = mulSubW(keep, col(g, J_IMPULSE, 3), tx);
  ty = mulSubW(keep, col(g, J_IMPULSE, 4), ty);
  tz = mulSubW(keep, col(g, J_IMPULSE, 5), tz);
  addImpulse(g, x, y, z, tx, ty, tz, !soft);
  push(
    <usize>load<u32>(g, J_ROW_A),
    <usize>load<u32>(g, J_ROW_A + 4),
    <usize>load<u32>(g, J_ROW_A + 8),
    <usize>load<u32>(g, J_ROW_A + 12),
    <usize>load<u32>(g, J_ROW_B),
    <usize>load<u32>(g, J_ROW_B + 4),
    <usize>load<u32>(g, J_ROW_B + 8),
    <usize>load<u32>(g, J_ROW_B + 12),
    x,
    y,
    z,
  );
  const px: v128 = col(g, J_LEVER_A, 0),
    py: v128 = col(g, J_LEVER_A, 1),
    pz: v128 = col(g, J_LEVER_A, 2);
  spinSide(
    g,
    J_INVERSE_A,
    J_ROW_A,
    negW(crossAddW(py, z, pz, y, tx)),
    negW(crossAddW(pz, x, px, z, ty)),
    negW(crossAddW(px, y, py, x, tz)),
  );
  const qx: v128 = col(g, J_LEVER_B, 0),
    qy: v128 = col(g, J_LEVER_B, 1),
    qz: v128 = col(g, J_LEVER_B, 2);
  spinSide(g, J_INVERSE_B, J_ROW_B, crossAddW(qy, z, qz, y, tx), crossAddW(qz, x, qx, z, ty), crossAddW(qx, y, qy, x, tz));
}

/** Adds to the impulse of the locked axes; `last`: in the relax pass. */
export function addImpulse(g: usize, x: v128, y: v128, z: v128, tx: v128, ty: v128, tz: v128, last: bool): void {
  const jx: v128 = addW(col(g, J_IMPULSE, 0), x),
    jy: v128 = addW(col(g, J_IMPULSE, 1), y),
    jz: v128 = addW(col(g, J_IMPULSE, 2), z);
  const kx: v128 = addW(col(g, J_IMPULSE, 3), tx),
    ky: v128 = addW(col(g, J_IMPULSE, 4), ty),
    kz: v128 = addW(col(g, J_IMPULSE, 5), tz);
  setCol(g, J_IMPULSE, 0, jx);
  setCol(g, J_IMPULSE, 1, jy);
  setCol(g, J_IMPULSE, 2, jz);
  setCol(g, J_IMPULSE, 3, kx);
  setCol(g, J_IMPULSE, 4, ky);
  setCol(g, J_IMPULSE, 5, kz);
  noteImpulse(g, dotW(jx, jy, jz, jx, jy, jz), last);
  if (last) v128.store(g, maxW(v128.load(g, J_PEAK + 16), dotW(kx, ky, kz, kx, ky, kz)), J_PEAK + 16);
}
