// Trees of joints solved exactly: the velocities that hold all locked axes of a tree at once, with the least change of kinetic
// energy, in two ways through it. Its cost grows with the number of joints, and heavy bodies on light ones cost nothing.
//
// A joint sees its child with all that hangs from it as one articulated mass, a 6x6 matrix at anchor B: what free axes let go is
// eliminated (a partial L D L'), the rest is handed to the parent. With e the relative velocity that is to vanish (child -
// parent, with a share of the error in the soft pass), g the impulse handed up, S the free axes, M the articulated mass:
//   factor, leaves to root:  M' = M - M S (S' M S)^-1 S' M, added to the parent's mass
//   up:    y = M' e + (1 - M S (S' M S)^-1 S') g, added to the parent's g
//   down:  d = d_parent - e + S x, S' (M d - g) = 0;   impulse on the child: M' d_parent - y
// Source: Featherstone, "Rigid Body Dynamics Algorithms" (2008), chapter 7, in the velocities of the bodies themselves.
// Input: columns of turn.ts, JointBody. Output: BodyRow, impulses of the locked axes.
import { addColumns, columnW, columnX, columnY, columnZ } from '../lanes/columns';
import {
  addW,
  blendW,
  divW,
  dotW,
  greaterW,
  joinHighW,
  joinLowW,
  maxW,
  minW,
  mulAddW,
  mulSubW,
  mulW,
  negW,
  splatW,
  sqrtW,
  subW,
  zipHighW,
  zipLowW,
} from '../math/lane';
import { S_RESPONSE, S_ROWS, relativeVelocity } from './anchors';
import { addImpulse, lockedErrors } from './block';
import { col, crossAddW, crossW, factor3, inverseOf, setCol, solve3, symX } from './columns';
import {
  B_CHANGE,
  B_FORCE,
  B_MASS,
  B_SPIN,
  FORM_DISTANCE,
  FORM_FLOATS,
  FORM_LOCKED,
  HEAD_BYTES,
  JOINT_BODY_BYTES,
  J_AXES,
  J_BODY_A,
  J_BODY_B,
  J_ERROR,
  J_FORM,
  J_GAP,
  J_LEVER_A,
  J_LEVER_B,
  J_MISS,
  J_SIDE,
  J_SWING,
  LINEAR_AXES,
  PIVOT_BYTES,
  T_CHILD,
  T_CHILD_ROW,
  T_FREE,
  T_LEVER,
  T_MASS,
  T_PARENT,
  T_PIVOTS,
  T_PULL,
  T_RATE,
  UNIT_BYTES,
  U_LIMIT,
  U_LOWER,
  U_PLACE,
  U_UPPER,
  isBall,
} from './layout';
import { JOINT_H, JOINT_TREE_RATE, PUSH, cappedRate } from './parameters';
import { jointScratch } from './state';

// Columns of T_MASS for anchors alone and roots: factors of the angular mass 6; linear-angular over it 9; linear mass with free
// turns 6 (of a root its factors).
const INVERSE: usize = T_MASS;
const LEVERAGE: usize = T_MASS + 96;
const LINEAR: usize = T_MASS + 240;
// Columns of a whole mass.
const CROSS: usize = T_MASS + 96;
const ANGULAR: usize = T_MASS + 240;
// Scratch (block.ts and anchors.ts have 0 to 208).
const S_MASS: usize = 208; // 21

/** Articulated masses of a group; those of the leaves come first. */
export function factorTree(g: usize): void {
  const form: u32 = load<u32>(g, J_FORM);
  const t: usize = g + load<u32>(g, J_FORM + 8);
  if ((form & FORM_FLOATS) != 0) {
    gatherMass(t, t + T_MASS);
    eliminateTurns(t);
    factor3(
      t + LINEAR,
      v128.load(t, LINEAR),
      v128.load(t, LINEAR + 16),
      v128.load(t, LINEAR + 32),
      v128.load(t, LINEAR + 48),
      v128.load(t, LINEAR + 64),
      v128.load(t, LINEAR + 80),
    );
    return;
  }
  const s: usize = jointScratch();
  chooseLevers(g, t);
  gatherMass(t, t + T_MASS);
  shiftMass(t + T_MASS, col(t, T_LEVER, 0), col(t, T_LEVER, 1), col(t, T_LEVER, 2));
  const m: usize = s + S_MASS;
  if (isBall(form)) {
    eliminateTurns(t);
    for (let k: usize = 0; k < 6; k++) setCol(m, 0, k, col(t, LINEAR, k));
    for (let k: usize = 6; k < 21; k++) setCol(m, 0, k, splatW(0));
  } else {
    eliminateFree(g, t, form);
    memory.copy(m, t + T_MASS, 336);
  }
  shiftMass(m, negW(col(t, T_LEVER, 3)), negW(col(t, T_LEVER, 4)), negW(col(t, T_LEVER, 5)));
  scatterMass(t, m);
}

/** Trace of the linear mass that a joint hands to its parent. */
export function handedMass(t: usize, form: u32): v128 {
  const m: usize = t + (isBall(form) ? LINEAR : T_MASS);
  return addW(addW(v128.load(m), v128.load(m, 16)), v128.load(m, 32));
}

/** Levers of child and parent. */
function chooseLevers(g: usize, t: usize): void {
  const isB: v128 = greaterW(v128.load(g, J_SIDE), splatW(0));
  for (let k: usize = 0; k < 3; k++) {
    const a: v128 = col(g, J_LEVER_A, k),
      b: v128 = col(g, J_LEVER_B, k);
    setCol(t, T_LEVER, k, blendW(isB, b, a));
    setCol(t, T_LEVER, k + 3, blendW(isB, a, b));
  }
}

/** Articulated masses of the children as columns to `m`. */
function gatherMass(t: usize, m: usize): void {
  const p0: usize = <usize>load<u32>(t, T_CHILD) + B_MASS,
    p1: usize = <usize>load<u32>(t, T_CHILD + 4) + B_MASS,
    p2: usize = <usize>load<u32>(t, T_CHILD + 8) + B_MASS,
    p3: usize = <usize>load<u32>(t, T_CHILD + 12) + B_MASS;
  for (let k: usize = 0; k < 5; k++) {
    const at: usize = k << 4;
    const r0: v128 = v128.load(p0 + at),
      r1: v128 = v128.load(p1 + at),
      r2: v128 = v128.load(p2 + at),
      r3: v128 = v128.load(p3 + at);
    const to: usize = m + (k << 6);
    v128.store(to, columnX(r0, r1, r2, r3));
    v128.store(to, columnY(r0, r1, r2, r3), 16);
    v128.store(to, columnZ(r0, r1, r2, r3), 32);
    v128.store(to, columnW(r0, r1, r2, r3), 48);
  }
  v128.store(m, f32x4(load<f32>(p0, 80), load<f32>(p1, 80), load<f32>(p2, 80), load<f32>(p3, 80)), 320);
}

/** Adds the masses of columns at `m` to those of the parents. */
function scatterMass(t: usize, m: usize): void {
  const p0: usize = <usize>load<u32>(t, T_PARENT) + B_MASS,
    p1: usize = <usize>load<u32>(t, T_PARENT + 4) + B_MASS,
    p2: usize = <usize>load<u32>(t, T_PARENT + 8) + B_MASS,
    p3: usize = <usize>load<u32>(t, T_PARENT + 12) + B_MASS;
  for (let k: usize = 0; k < 5; k++) {
    const at: usize = k << 4,
      from: usize = m + (k << 6);
    const x: v128 = v128.load(from),
      y: v128 = v128.load(from, 16),
      z: v128 = v128.load(from, 32),
      w: v128 = v128.load(from, 48);
    const l0: v128 = zipLowW(x, y),
      h0: v128 = zipHighW(x, y),
      l1: v128 = zipLowW(z, w),
      h1: v128 = zipHighW(z, w);
    v128.store(p0 + at, addW(v128.load(p0 + at), joinLowW(l0, l1)));
    v128.store(p1 + at, addW(v128.load(p1 + at), joinHighW(l0, l1)));
    v128.store(p2 + at, addW(v128.load(p2 + at), joinLowW(h0, h1)));
    v128.store(p3 + at, addW(v128.load(p3 + at), joinHighW(h0, h1)));
  }
  const last: v128 = v128.load(m, 320);
  store<f32>(p0, load<f32>(p0, 80) + f32x4.extract_lane(last, 0), 80);
  store<f32>(p1, load<f32>(p1, 80) + f32x4.extract_lane(last, 1), 80);
  store<f32>(p2, load<f32>(p2, 80) + f32x4.extract_lane(last, 2), 80);
  store<f32>(p3, load<f32>(p3, 80) + f32x4.extract_lane(last, 3), 80);
}

/** A mass at a point as seen from another, r away: B += A [r], C += B' [r] - [r] B with the new B. */
function shiftMass(m: usize, x: v128, y: v128, z: v128): void {
  const xx: v128 = v128.load(m),
    yy: v128 = v128.load(m, 16),
    zz: v128 = v128.load(m, 32),
    xy: v128 = v128.load(m, 48),
    xz: v128 = v128.load(m, 64),
    yz: v128 = v128.load(m, 80);
  const b00: v128 = v128.load(m, 96),
    b01: v128 = v128.load(m, 112),
    b02: v128 = v128.load(m, 128);
  const b10: v128 = v128.load(m, 144),
    b11: v128 = v128.load(m, 160),
    b12: v128 = v128.load(m, 176);
  const b20: v128 = v128.load(m, 192),
    b21: v128 = v128.load(m, 208),
    b22: v128 = v128.load(m, 224);
  const n00: v128 = crossAddW(xy, z, xz, y, b00),
    n01: v128 = crossAddW(xz, x, xx, z, b01),
    n02: v128 = crossAddW(xx, y, xy, x, b02);
  const n10: v128 = crossAddW(yy, z, yz, y, b10),
    n11: v128 = crossAddW(yz, x, xy, z, b11),
    n12: v128 = crossAddW(xy, y, yy, x, b12);
  const n20: v128 = crossAddW(yz, z, zz, y, b20),
    n21: v128 = crossAddW(zz, x, xz, z, b21),
    n22: v128 = crossAddW(xz, y, yz, x, b22);
  v128.store(m, n00, 96);
  v128.store(m, n01, 112);
  v128.store(m, n02, 128);
  v128.store(m, n10, 144);
  v128.store(m, n11, 160);
  v128.store(m, n12, 176);
  v128.store(m, n20, 192);
  v128.store(m, n21, 208);
  v128.store(m, n22, 224);
  // B' [r] by the old B, [r] B by the new one.
  v128.store(m, crossAddW(b10, z, b20, y, crossAddW(z, n10, y, n20, v128.load(m, 240))), 240);
  v128.store(m, crossAddW(b21, x, b01, z, crossAddW(x, n21, z, n01, v128.load(m, 256))), 256);
  v128.store(m, crossAddW(b02, y, b12, x, crossAddW(y, n02, x, n12, v128.load(m, 272))), 272);
  v128.store(m, crossAddW(b20, x, b00, z, crossAddW(z, n11, y, n21, v128.load(m, 288))), 288);
  v128.store(m, crossAddW(b00, y, b10, x, crossAddW(z, n12, y, n22, v128.load(m, 304))), 304);
  v128.store(m, crossAddW(b01, y, b11, x, crossAddW(x, n22, z, n02, v128.load(m, 320))), 320);
}

/** All turns are free: T_MASS becomes INVERSE, LEVERAGE, LINEAR. */
function eliminateTurns(t: usize): void {
  const b00: v128 = col(t, CROSS, 0),
    b01: v128 = col(t, CROSS, 1),
    b02: v128 = col(t, CROSS, 2);
  const b10: v128 = col(t, CROSS, 3),
    b11: v128 = col(t, CROSS, 4),
    b12: v128 = col(t, CROSS, 5);
  const b20: v128 = col(t, CROSS, 6),
    b21: v128 = col(t, CROSS, 7),
    b22: v128 = col(t, CROSS, 8);
  const axx: v128 = col(t, T_MASS, 0),
    ayy: v128 = col(t, T_MASS, 1),
    azz: v128 = col(t, T_MASS, 2),
    axy: v128 = col(t, T_MASS, 3),
    axz: v128 = col(t, T_MASS, 4),
    ayz: v128 = col(t, T_MASS, 5);
  factor3(
    t + INVERSE,
    col(t, ANGULAR, 0),
    col(t, ANGULAR, 1),
    col(t, ANGULAR, 2),
    col(t, ANGULAR, 3),
    col(t, ANGULAR, 4),
    col(t, ANGULAR, 5),
  );
  solve3(t + INVERSE, t + LEVERAGE, b00, b01, b02);
  solve3(t + INVERSE, t + LEVERAGE + 48, b10, b11, b12);
  solve3(t + INVERSE, t + LEVERAGE + 96, b20, b21, b22);
  const l00: v128 = col(t, LEVERAGE, 0),
    l01: v128 = col(t, LEVERAGE, 1),
    l02: v128 = col(t, LEVERAGE, 2);
  const l10: v128 = col(t, LEVERAGE, 3),
    l11: v128 = col(t, LEVERAGE, 4),
    l12: v128 = col(t, LEVERAGE, 5);
  const l20: v128 = col(t, LEVERAGE, 6),
    l21: v128 = col(t, LEVERAGE, 7),
    l22: v128 = col(t, LEVERAGE, 8);
  setCol(t, LINEAR, 0, subW(axx, dotW(l00, l01, l02, b00, b01, b02)));
  setCol(t, LINEAR, 1, subW(ayy, dotW(l10, l11, l12, b10, b11, b12)));
  setCol(t, LINEAR, 2, subW(azz, dotW(l20, l21, l22, b20, b21, b22)));
  setCol(t, LINEAR, 3, subW(axy, dotW(l00, l01, l02, b10, b11, b12)));
  setCol(t, LINEAR, 4, subW(axz, dotW(l00, l01, l02, b20, b21, b22)));
  setCol(t, LINEAR, 5, subW(ayz, dotW(l10, l11, l12, b20, b21, b22)));
}

/** Eliminates the free axes of a form one by one; each leaves a pivot. */
function eliminateFree(g: usize, t: usize, form: u32): void {
  let p: usize = t + T_PIVOTS;
  const m: usize = t + T_MASS;
  const linear: v128 = addW(addW(v128.load(m), v128.load(m, 16)), v128.load(m, 32)),
    angular: v128 = addW(addW(v128.load(m, 240), v128.load(m, 256)), v128.load(m, 272));
  for (let axis: u32 = 0; axis < 6; axis++) {
    if ((form & (1 << axis)) != 0) continue;
    const at: usize = 3 * <usize>(axis < 3 ? axis : axis - 3);
    eliminate(m, p, axis < 3, axis < 3 ? linear : angular, col(g, J_AXES, at), col(g, J_AXES, at + 1), col(g, J_AXES, at + 2));
    p += PIVOT_BYTES;
  }
}

function eliminate(m: usize, p: usize, linear: bool, whole: v128, x: v128, y: v128, z: v128): void {
  // Column M s: of a linear axis A s, B' s; of an angular one B s, C s.
  const i: usize = linear ? 0 : 240;
  const sx: v128 = symX(v128.load(m + i), v128.load(m + i, 48), v128.load(m + i, 64), x, y, z),
    sy: v128 = symX(v128.load(m + i, 48), v128.load(m + i, 16), v128.load(m + i, 80), x, y, z),
    sz: v128 = symX(v128.load(m + i, 64), v128.load(m + i, 80), v128.load(m + i, 32), x, y, z);
  const row: usize = linear ? 16 : 48,
    step: usize = linear ? 48 : 16;
  const b: usize = m + 96;
  const cx: v128 = symX(v128.load(b), v128.load(b + step), v128.load(b + 2 * step), x, y, z),
    cy: v128 = symX(v128.load(b + row), v128.load(b + row + step), v128.load(b + row + 2 * step), x, y, z),
    cz: v128 = symX(v128.load(b + 2 * row), v128.load(b + 2 * row + step), v128.load(b + 2 * row + 2 * step), x, y, z);
  const pivot: v128 = dotW(sx, sy, sz, x, y, z);
  const inverse: v128 = inverseOf(pivot, whole);
  const ux: v128 = linear ? sx : cx,
    uy: v128 = linear ? sy : cy,
    uz: v128 = linear ? sz : cz;
  const wx: v128 = linear ? cx : sx,
    wy: v128 = linear ? cy : sy,
    wz: v128 = linear ? cz : sz;
  setCol(p, 0, 0, x);
  setCol(p, 0, 1, y);
  setCol(p, 0, 2, z);
  setCol(p, 0, 3, ux);
  setCol(p, 0, 4, uy);
  setCol(p, 0, 5, uz);
  setCol(p, 0, 6, wx);
  setCol(p, 0, 7, wy);
  setCol(p, 0, 8, wz);
  setCol(p, 0, 9, inverse);
  const kx: v128 = mulW(inverse, ux),
    ky: v128 = mulW(inverse, uy),
    kz: v128 = mulW(inverse, uz);
  const lx: v128 = mulW(inverse, wx),
    ly: v128 = mulW(inverse, wy),
    lz: v128 = mulW(inverse, wz);
  take(m, 0, kx, ux);
  take(m, 16, ky, uy);
  take(m, 32, kz, uz);
  take(m, 48, kx, uy);
  take(m, 64, kx, uz);
  take(m, 80, ky, uz);
  take(m, 96, kx, wx);
  take(m, 112, kx, wy);
  take(m, 128, kx, wz);
  take(m, 144, ky, wx);
  take(m, 160, ky, wy);
  take(m, 176, ky, wz);
  take(m, 192, kz, wx);
  take(m, 208, kz, wy);
  take(m, 224, kz, wz);
  take(m, 240, lx, wx);
  take(m, 256, ly, wy);
  take(m, 272, lz, wz);
  take(m, 288, lx, wy);
  take(m, 304, lx, wz);
  take(m, 320, ly, wz);
}

// @ts-ignore: decorator
@inline
function take(m: usize, at: usize, a: v128, b: v128): void {
  v128.store(m + at, mulSubW(a, b, v128.load(m + at)));
}

/**
 * Bodies have moved and rows stay: what the soft pass took out of errors is gone. step: parameters of the substep. For forms that
 * lock all linear axes.
 */
export function settleTrees(list: usize, end: usize, step: usize): void {
  const left: v128 = mulSubW(v128.load(step, JOINT_H), v128.load(step, JOINT_TREE_RATE), splatW(1));
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_FLOATS) != 0) continue;
    for (let k: usize = 0; k < 3; k++) {
      setCol(g, J_GAP, k, mulW(left, col(g, J_GAP, k)));
      if ((form & (8 << (<u32>k))) != 0) setCol(g, J_ERROR, k, mulW(left, col(g, J_ERROR, k)));
    }
    let unit: usize = g + HEAD_BYTES;
    for (let k: u32 = load<u32>(g, J_FORM + 4); k != 0; k--) {
      // Limits that hold.
      const place: v128 = v128.load(unit, U_PLACE);
      const nearest: v128 = maxW(v128.load(unit, U_LOWER), minW(place, v128.load(unit, U_UPPER)));
      const held: v128 = f32x4.ne(v128.load(unit, U_LIMIT), splatW(0));
      v128.store(unit, blendW(held, mulAddW(left, subW(place, nearest), nearest), place), U_PLACE);
      unit += UNIT_BYTES;
    }
  }
}

/** Passes over trees. */
export const TREE_RELAX: u32 = 0;
export const TREE_SOFT: u32 = 1; // rows stay
export const TREE_SOFT_TURNING: u32 = 2; // bodies move enough for their rows to turn
export const TREE_MISS: u32 = 3; // what the soft pass would miss is made up for (missOf); nothing else changes
export const TREE_HOLD: u32 = 4; // before the soft pass: velocities that the rows allow, no errors taken out

/** A pass over the trees whose groups are named in [list, end); bodies: JointBody of their batch. */
export function solveTrees(list: usize, end: usize, first: usize, bodyEnd: usize, pass: u32, step: usize): void {
  if (list == end) return;
  for (let b: usize = first; b < bodyEnd; b += JOINT_BODY_BYTES) {
    v128.store(b, splatW(0), B_FORCE);
    v128.store(b, splatW(0), B_FORCE + 16);
  }
  for (let at: usize = list; at < end; at += 4) goUp(<usize>load<u32>(at), pass, step);
  for (let at: usize = end; at > list; at -= 4) goDown(<usize>load<u32>(at - 4), pass == TREE_RELAX);
}

function goUp(g: usize, pass: u32, step: usize): void {
  const form: u32 = load<u32>(g, J_FORM);
  const t: usize = g + load<u32>(g, J_FORM + 8);
  const f0: usize = <usize>load<u32>(t, T_CHILD) + B_FORCE,
    f1: usize = <usize>load<u32>(t, T_CHILD + 4) + B_FORCE,
    f2: usize = <usize>load<u32>(t, T_CHILD + 8) + B_FORCE,
    f3: usize = <usize>load<u32>(t, T_CHILD + 12) + B_FORCE;
  const r0: v128 = v128.load(f0),
    r1: v128 = v128.load(f1),
    r2: v128 = v128.load(f2),
    r3: v128 = v128.load(f3);
  const s0: v128 = v128.load(f0, 16),
    s1: v128 = v128.load(f1, 16),
    s2: v128 = v128.load(f2, 16),
    s3: v128 = v128.load(f3, 16);
  let gx: v128 = columnX(r0, r1, r2, r3),
    gy: v128 = columnY(r0, r1, r2, r3),
    gz: v128 = columnZ(r0, r1, r2, r3);
  let hx: v128 = columnX(s0, s1, s2, s3),
    hy: v128 = columnY(s0, s1, s2, s3),
    hz: v128 = columnZ(s0, s1, s2, s3);
  if ((form & FORM_FLOATS) != 0) {
    const qx: v128 = subW(gx, dotW(col(t, LEVERAGE, 0), col(t, LEVERAGE, 1), col(t, LEVERAGE, 2), hx, hy, hz)),
      qy: v128 = subW(gy, dotW(col(t, LEVERAGE, 3), col(t, LEVERAGE, 4), col(t, LEVERAGE, 5), hx, hy, hz)),
      qz: v128 = subW(gz, dotW(col(t, LEVERAGE, 6), col(t, LEVERAGE, 7), col(t, LEVERAGE, 8), hx, hy, hz));
    solve3(t + INVERSE, t + T_FREE, hx, hy, hz);
    solve3(t + LINEAR, t + T_PULL, qx, qy, qz);
    return;
  }
  const s: usize = jointScratch();
  const cx: v128 = col(t, T_LEVER, 0),
    cy: v128 = col(t, T_LEVER, 1),
    cz: v128 = col(t, T_LEVER, 2);
  const px: v128 = col(t, T_LEVER, 3),
    py: v128 = col(t, T_LEVER, 4),
    pz: v128 = col(t, T_LEVER, 5);
  hx = subW(hx, crossW(cy, gz, cz, gy));
  hy = subW(hy, crossW(cz, gx, cx, gz));
  hz = subW(hz, crossW(cx, gy, cy, gx));
  if (pass == TREE_MISS) {
    for (let k: usize = 0; k < 3; k++) {
      setCol(s, S_RESPONSE, k, col(g, J_MISS, k));
      setCol(s, S_RESPONSE, k + 3, splatW(0));
    }
  } else {
    relativeVelocity(g, s);
    if (pass != TREE_RELAX && pass != TREE_HOLD) addErrors(g, form, s, v128.load(step, JOINT_TREE_RATE));
    if (pass == TREE_SOFT_TURNING) addCentripetal(g, form, s, v128.load(step, JOINT_H));
  }
  const side: v128 = v128.load(g, J_SIDE);
  let ex: v128 = mulW(side, col(s, S_RESPONSE, 0)),
    ey: v128 = mulW(side, col(s, S_RESPONSE, 1)),
    ez: v128 = mulW(side, col(s, S_RESPONSE, 2));
  let yx: v128, yy: v128, yz: v128;
  let tx: v128 = splatW(0),
    ty: v128 = tx,
    tz: v128 = tx;
  if (isBall(form)) {
    setCol(t, T_RATE, 0, ex);
    setCol(t, T_RATE, 1, ey);
    setCol(t, T_RATE, 2, ez);
    const xy: v128 = col(t, LINEAR, 3),
      xz: v128 = col(t, LINEAR, 4),
      yz0: v128 = col(t, LINEAR, 5);
    gx = subW(gx, dotW(col(t, LEVERAGE, 0), col(t, LEVERAGE, 1), col(t, LEVERAGE, 2), hx, hy, hz));
    gy = subW(gy, dotW(col(t, LEVERAGE, 3), col(t, LEVERAGE, 4), col(t, LEVERAGE, 5), hx, hy, hz));
    gz = subW(gz, dotW(col(t, LEVERAGE, 6), col(t, LEVERAGE, 7), col(t, LEVERAGE, 8), hx, hy, hz));
    yx = addW(gx, symX(col(t, LINEAR, 0), xy, xz, ex, ey, ez));
    yy = addW(gy, symX(xy, col(t, LINEAR, 1), yz0, ex, ey, ez));
    yz = addW(gz, symX(xz, yz0, col(t, LINEAR, 2), ex, ey, ez));
    solve3(t + INVERSE, t + T_FREE, hx, hy, hz);
    setCol(t, T_PULL, 0, yx);
    setCol(t, T_PULL, 1, yy);
    setCol(t, T_PULL, 2, yz);
  } else {
    let wx: v128 = mulW(side, col(s, S_RESPONSE, 3)),
      wy: v128 = mulW(side, col(s, S_RESPONSE, 4)),
      wz: v128 = mulW(side, col(s, S_RESPONSE, 5));
    let p: usize = t + T_PIVOTS;
    for (let axis: u32 = 0; axis < 6; axis++) {
      if ((form & (1 << axis)) != 0) continue;
      const nx: v128 = col(p, 0, 0),
        ny: v128 = col(p, 0, 1),
        nz: v128 = col(p, 0, 2);
      let q: v128;
      if (axis < 3) {
        q = dotW(nx, ny, nz, gx, gy, gz);
        const u: v128 = dotW(nx, ny, nz, ex, ey, ez);
        ex = mulSubW(u, nx, ex);
        ey = mulSubW(u, ny, ey);
        ez = mulSubW(u, nz, ez);
      } else {
        q = dotW(nx, ny, nz, hx, hy, hz);
        const u: v128 = dotW(nx, ny, nz, wx, wy, wz);
        wx = mulSubW(u, nx, wx);
        wy = mulSubW(u, ny, wy);
        wz = mulSubW(u, nz, wz);
      }
      q = mulW(q, col(p, 0, 9));
      setCol(p, 0, 10, q);
      gx = mulSubW(q, col(p, 0, 3), gx);
      gy = mulSubW(q, col(p, 0, 4), gy);
      gz = mulSubW(q, col(p, 0, 5), gz);
      hx = mulSubW(q, col(p, 0, 6), hx);
      hy = mulSubW(q, col(p, 0, 7), hy);
      hz = mulSubW(q, col(p, 0, 8), hz);
      p += PIVOT_BYTES;
    }
    setCol(t, T_RATE, 0, ex);
    setCol(t, T_RATE, 1, ey);
    setCol(t, T_RATE, 2, ez);
    setCol(t, T_RATE, 3, wx);
    setCol(t, T_RATE, 4, wy);
    setCol(t, T_RATE, 5, wz);
    yx = addW(gx, massTimes(t, 0, ex, ey, ez, wx, wy, wz));
    yy = addW(gy, massTimes(t, 1, ex, ey, ez, wx, wy, wz));
    yz = addW(gz, massTimes(t, 2, ex, ey, ez, wx, wy, wz));
    tx = addW(hx, massTimes(t, 3, ex, ey, ez, wx, wy, wz));
    ty = addW(hy, massTimes(t, 4, ex, ey, ez, wx, wy, wz));
    tz = addW(hz, massTimes(t, 5, ex, ey, ez, wx, wy, wz));
    setCol(t, T_PULL, 0, yx);
    setCol(t, T_PULL, 1, yy);
    setCol(t, T_PULL, 2, yz);
    setCol(t, T_PULL, 3, tx);
    setCol(t, T_PULL, 4, ty);
    setCol(t, T_PULL, 5, tz);
  }
  const p0: usize = <usize>load<u32>(t, T_PARENT) + B_FORCE,
    p1: usize = <usize>load<u32>(t, T_PARENT + 4) + B_FORCE,
    p2: usize = <usize>load<u32>(t, T_PARENT + 8) + B_FORCE,
    p3: usize = <usize>load<u32>(t, T_PARENT + 12) + B_FORCE;
  addColumns(p0, p1, p2, p3, yx, yy, yz);
  addColumns(
    p0 + 16,
    p1 + 16,
    p2 + 16,
    p3 + 16,
    crossAddW(py, yz, pz, yy, tx),
    crossAddW(pz, yx, px, yz, ty),
    crossAddW(px, yy, py, yx, tz),
  );
}

/** Row `row` of the mass handed on times a velocity. */
// @ts-ignore: decorator
@inline
function massTimes(t: usize, row: u32, x: v128, y: v128, z: v128, wx: v128, wy: v128, wz: v128): v128 {
  const m: usize = t + T_MASS;
  if (row < 3) {
    const a: usize = row == 0 ? 0 : row == 1 ? 48 : 64,
      b: usize = row == 0 ? 48 : row == 1 ? 16 : 80,
      c: usize = row == 0 ? 64 : row == 1 ? 80 : 32;
    const k: usize = m + 96 + 48 * <usize>row;
    return addW(
      symX(v128.load(m + a), v128.load(m + b), v128.load(m + c), x, y, z),
      symX(v128.load(k), v128.load(k, 16), v128.load(k, 32), wx, wy, wz),
    );
  }
  const a: usize = row == 3 ? 240 : row == 4 ? 288 : 304,
    b: usize = row == 3 ? 288 : row == 4 ? 256 : 320,
    c: usize = row == 3 ? 304 : row == 4 ? 320 : 272;
  const k: usize = m + 96 + 16 * <usize>(row - 3);
  return addW(
    symX(v128.load(k), v128.load(k, 48), v128.load(k, 96), x, y, z),
    symX(v128.load(m + a), v128.load(m + b), v128.load(m + c), wx, wy, wz),
  );
}

/** Adds the speed at which errors are taken out to the relative velocity of the scratch. */
function addErrors(g: usize, form: u32, s: usize, rate: v128): void {
  const count: u32 = lockedErrors(g, form, s);
  let linear: v128 = splatW(0),
    angular: v128 = splatW(0);
  const ball: bool = isBall(form);
  const lines: u32 = ball ? 3 : <u32>popcnt<u32>(form & LINEAR_AXES);
  for (let i: u32 = 0; i < count; i++) {
    const e: v128 = col(s, S_ROWS, <usize>i);
    if (i < lines) linear = mulAddW(e, e, linear);
    else angular = mulAddW(e, e, angular);
  }
  linear = cappedRate(rate, linear);
  angular = cappedRate(rate, angular);
  let axis: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const c: v128 = mulW(i < lines ? linear : angular, col(s, S_ROWS, <usize>i));
    if (ball) {
      setCol(s, S_RESPONSE, <usize>i, addW(col(s, S_RESPONSE, <usize>i), c));
      continue;
    }
    axis = <u32>ctz<u32>((form & FORM_LOCKED) >> axis) + axis;
    const at: usize = 3 * <usize>(axis < 3 ? axis : axis - 3);
    const to: usize = axis < 3 ? 0 : 3;
    for (let k: usize = 0; k < 3; k++)
      setCol(s, S_RESPONSE, to + k, mulAddW(c, col(g, J_AXES, at + k), col(s, S_RESPONSE, to + k)));
    axis++;
  }
}

/**
 * Adds half of what the turn of levers and axes does to the relative velocity within a substep of h seconds: the anchors then go
 * along the chord of their way and meet at its end, not off its tangent. Anchors: w x (w x r); axes, which turn with A:
 * (w_B - w_A) x w_A. The spins are those of the last
 * motion: what the warm start has left of velocities is no motion.
 */
function addCentripetal(g: usize, form: u32, s: usize, h: v128): void {
  const a0: usize = <usize>load<u32>(g, J_BODY_A) + B_SPIN,
    a1: usize = <usize>load<u32>(g, J_BODY_A + 4) + B_SPIN,
    a2: usize = <usize>load<u32>(g, J_BODY_A + 8) + B_SPIN,
    a3: usize = <usize>load<u32>(g, J_BODY_A + 12) + B_SPIN;
  const b0: usize = <usize>load<u32>(g, J_BODY_B) + B_SPIN,
    b1: usize = <usize>load<u32>(g, J_BODY_B + 4) + B_SPIN,
    b2: usize = <usize>load<u32>(g, J_BODY_B + 8) + B_SPIN,
    b3: usize = <usize>load<u32>(g, J_BODY_B + 12) + B_SPIN;
  const c0: v128 = v128.load(a0),
    c1: v128 = v128.load(a1),
    c2: v128 = v128.load(a2),
    c3: v128 = v128.load(a3);
  const d0: v128 = v128.load(b0),
    d1: v128 = v128.load(b1),
    d2: v128 = v128.load(b2),
    d3: v128 = v128.load(b3);
  const ax: v128 = columnX(c0, c1, c2, c3),
    ay: v128 = columnY(c0, c1, c2, c3),
    az: v128 = columnZ(c0, c1, c2, c3);
  const bx: v128 = columnX(d0, d1, d2, d3),
    by: v128 = columnY(d0, d1, d2, d3),
    bz: v128 = columnZ(d0, d1, d2, d3);
  const px: v128 = col(g, J_LEVER_A, 0),
    py: v128 = col(g, J_LEVER_A, 1),
    pz: v128 = col(g, J_LEVER_A, 2);
  const qx: v128 = col(g, J_LEVER_B, 0),
    qy: v128 = col(g, J_LEVER_B, 1),
    qz: v128 = col(g, J_LEVER_B, 2);
  // w x (w x r) = w (w . r) - r (w . w).
  const ar: v128 = dotW(ax, ay, az, px, py, pz),
    aa: v128 = dotW(ax, ay, az, ax, ay, az);
  const br: v128 = dotW(bx, by, bz, qx, qy, qz),
    bb: v128 = dotW(bx, by, bz, bx, by, bz);
  const k: v128 = mulW(h, splatW(0.5));
  const x: v128 = subW(subW(mulW(bx, br), mulW(qx, bb)), subW(mulW(ax, ar), mulW(px, aa))),
    y: v128 = subW(subW(mulW(by, br), mulW(qy, bb)), subW(mulW(ay, ar), mulW(py, aa))),
    z: v128 = subW(subW(mulW(bz, br), mulW(qz, bb)), subW(mulW(az, ar), mulW(pz, aa)));
  if ((form & FORM_DISTANCE) != 0) {
    addTurnOfDistance(g, s, k);
    return;
  }
  setCol(s, S_RESPONSE, 0, mulAddW(k, x, col(s, S_RESPONSE, 0)));
  setCol(s, S_RESPONSE, 1, mulAddW(k, y, col(s, S_RESPONSE, 1)));
  setCol(s, S_RESPONSE, 2, mulAddW(k, z, col(s, S_RESPONSE, 2)));
  if (isBall(form)) return;
  const ux: v128 = subW(bx, ax),
    uy: v128 = subW(by, ay),
    uz: v128 = subW(bz, az);
  setCol(s, S_RESPONSE, 3, mulAddW(k, crossW(uy, az, uz, ay), col(s, S_RESPONSE, 3)));
  setCol(s, S_RESPONSE, 4, mulAddW(k, crossW(uz, ax, ux, az), col(s, S_RESPONSE, 4)));
  setCol(s, S_RESPONSE, 5, mulAddW(k, crossW(ux, ay, uy, ax), col(s, S_RESPONSE, 5)));
}

/** The same of a distance, whose axis turns with the anchors: what they move across it, squared, over its length. */
function addTurnOfDistance(g: usize, s: usize, k: v128): void {
  const x: v128 = col(s, S_RESPONSE, 0),
    y: v128 = col(s, S_RESPONSE, 1),
    z: v128 = col(s, S_RESPONSE, 2);
  const nx: v128 = col(g, J_AXES, 0),
    ny: v128 = col(g, J_AXES, 1),
    nz: v128 = col(g, J_AXES, 2);
  const along: v128 = dotW(x, y, z, nx, ny, nz);
  const across: v128 = maxW(mulSubW(along, along, dotW(x, y, z, x, y, z)), splatW(0));
  const turn: v128 = minW(mulW(k, divW(across, maxW(v128.load(g, J_SWING), splatW(1e-3)))), splatW(PUSH));
  setCol(s, S_RESPONSE, 0, mulAddW(turn, nx, x));
  setCol(s, S_RESPONSE, 1, mulAddW(turn, ny, y));
  setCol(s, S_RESPONSE, 2, mulAddW(turn, nz, z));
}

function goDown(g: usize, last: bool): void {
  const form: u32 = load<u32>(g, J_FORM);
  const t: usize = g + load<u32>(g, J_FORM + 8);
  const c0: usize = <usize>load<u32>(t, T_CHILD) + B_CHANGE,
    c1: usize = <usize>load<u32>(t, T_CHILD + 4) + B_CHANGE,
    c2: usize = <usize>load<u32>(t, T_CHILD + 8) + B_CHANGE,
    c3: usize = <usize>load<u32>(t, T_CHILD + 12) + B_CHANGE;
  let ux: v128, uy: v128, uz: v128;
  let wx: v128, wy: v128, wz: v128;
  if ((form & FORM_FLOATS) != 0) {
    ux = col(t, T_PULL, 0);
    uy = col(t, T_PULL, 1);
    uz = col(t, T_PULL, 2);
    wx = subW(col(t, T_FREE, 0), dotW(col(t, LEVERAGE, 0), col(t, LEVERAGE, 3), col(t, LEVERAGE, 6), ux, uy, uz));
    wy = subW(col(t, T_FREE, 1), dotW(col(t, LEVERAGE, 1), col(t, LEVERAGE, 4), col(t, LEVERAGE, 7), ux, uy, uz));
    wz = subW(col(t, T_FREE, 2), dotW(col(t, LEVERAGE, 2), col(t, LEVERAGE, 5), col(t, LEVERAGE, 8), ux, uy, uz));
    giveChange(t, c0, c1, c2, c3, ux, uy, uz, wx, wy, wz);
    return;
  }
  const cx: v128 = col(t, T_LEVER, 0),
    cy: v128 = col(t, T_LEVER, 1),
    cz: v128 = col(t, T_LEVER, 2);
  const px: v128 = col(t, T_LEVER, 3),
    py: v128 = col(t, T_LEVER, 4),
    pz: v128 = col(t, T_LEVER, 5);
  const p0: usize = <usize>load<u32>(t, T_PARENT) + B_CHANGE,
    p1: usize = <usize>load<u32>(t, T_PARENT + 4) + B_CHANGE,
    p2: usize = <usize>load<u32>(t, T_PARENT + 8) + B_CHANGE,
    p3: usize = <usize>load<u32>(t, T_PARENT + 12) + B_CHANGE;
  const v0: v128 = v128.load(p0),
    v1: v128 = v128.load(p1),
    v2: v128 = v128.load(p2),
    v3: v128 = v128.load(p3);
  const w0: v128 = v128.load(p0, 16),
    w1: v128 = v128.load(p1, 16),
    w2: v128 = v128.load(p2, 16),
    w3: v128 = v128.load(p3, 16);
  wx = columnX(w0, w1, w2, w3);
  wy = columnY(w0, w1, w2, w3);
  wz = columnZ(w0, w1, w2, w3);
  // The parent's change at anchor B.
  ux = crossAddW(wy, pz, wz, py, columnX(v0, v1, v2, v3));
  uy = crossAddW(wz, px, wx, pz, columnY(v0, v1, v2, v3));
  uz = crossAddW(wx, py, wy, px, columnZ(v0, v1, v2, v3));
  const side: v128 = v128.load(g, J_SIDE);
  if (isBall(form)) {
    const xy: v128 = col(t, LINEAR, 3),
      xz: v128 = col(t, LINEAR, 4),
      yz: v128 = col(t, LINEAR, 5);
    const zero: v128 = splatW(0);
    addImpulse(
      g,
      mulW(side, subW(symX(col(t, LINEAR, 0), xy, xz, ux, uy, uz), col(t, T_PULL, 0))),
      mulW(side, subW(symX(xy, col(t, LINEAR, 1), yz, ux, uy, uz), col(t, T_PULL, 1))),
      mulW(side, subW(symX(xz, yz, col(t, LINEAR, 2), ux, uy, uz), col(t, T_PULL, 2))),
      zero,
      zero,
      zero,
      last,
    );
    ux = subW(ux, col(t, T_RATE, 0));
    uy = subW(uy, col(t, T_RATE, 1));
    uz = subW(uz, col(t, T_RATE, 2));
    wx = subW(col(t, T_FREE, 0), dotW(col(t, LEVERAGE, 0), col(t, LEVERAGE, 3), col(t, LEVERAGE, 6), ux, uy, uz));
    wy = subW(col(t, T_FREE, 1), dotW(col(t, LEVERAGE, 1), col(t, LEVERAGE, 4), col(t, LEVERAGE, 7), ux, uy, uz));
    wz = subW(col(t, T_FREE, 2), dotW(col(t, LEVERAGE, 2), col(t, LEVERAGE, 5), col(t, LEVERAGE, 8), ux, uy, uz));
  } else {
    addImpulse(
      g,
      mulW(side, subW(massTimes(t, 0, ux, uy, uz, wx, wy, wz), col(t, T_PULL, 0))),
      mulW(side, subW(massTimes(t, 1, ux, uy, uz, wx, wy, wz), col(t, T_PULL, 1))),
      mulW(side, subW(massTimes(t, 2, ux, uy, uz, wx, wy, wz), col(t, T_PULL, 2))),
      mulW(side, subW(massTimes(t, 3, ux, uy, uz, wx, wy, wz), col(t, T_PULL, 3))),
      mulW(side, subW(massTimes(t, 4, ux, uy, uz, wx, wy, wz), col(t, T_PULL, 4))),
      mulW(side, subW(massTimes(t, 5, ux, uy, uz, wx, wy, wz), col(t, T_PULL, 5))),
      last,
    );
    ux = subW(ux, col(t, T_RATE, 0));
    uy = subW(uy, col(t, T_RATE, 1));
    uz = subW(uz, col(t, T_RATE, 2));
    wx = subW(wx, col(t, T_RATE, 3));
    wy = subW(wy, col(t, T_RATE, 4));
    wz = subW(wz, col(t, T_RATE, 5));
    let p: usize = t + T_PIVOTS + <usize>(6 - popcnt<u32>(form & FORM_LOCKED)) * PIVOT_BYTES;
    for (let axis: u32 = 6; axis-- > 0; ) {
      if ((form & (1 << axis)) != 0) continue;
      p -= PIVOT_BYTES;
      const sum: v128 = addW(
        dotW(col(p, 0, 3), col(p, 0, 4), col(p, 0, 5), ux, uy, uz),
        dotW(col(p, 0, 6), col(p, 0, 7), col(p, 0, 8), wx, wy, wz),
      );
      const x: v128 = mulSubW(col(p, 0, 9), sum, col(p, 0, 10));
      if (axis < 3) {
        ux = mulAddW(x, col(p, 0, 0), ux);
        uy = mulAddW(x, col(p, 0, 1), uy);
        uz = mulAddW(x, col(p, 0, 2), uz);
      } else {
        wx = mulAddW(x, col(p, 0, 0), wx);
        wy = mulAddW(x, col(p, 0, 1), wy);
        wz = mulAddW(x, col(p, 0, 2), wz);
      }
    }
  }
  // From anchor B to the center of the child: v = u + r x w.
  giveChange(
    t,
    c0,
    c1,
    c2,
    c3,
    crossAddW(cy, wz, cz, wy, ux),
    crossAddW(cz, wx, cx, wz, uy),
    crossAddW(cx, wy, cy, wx, uz),
    wx,
    wy,
    wz,
  );
}

/** The change of the children, for their own children, and to their velocities. */
// @ts-ignore: decorator
@inline
function giveChange(
  t: usize,
  c0: usize,
  c1: usize,
  c2: usize,
  c3: usize,
  vx: v128,
  vy: v128,
  vz: v128,
  wx: v128,
  wy: v128,
  wz: v128,
): void {
  const zero: v128 = splatW(0);
  const l0: v128 = zipLowW(vx, vy),
    h0: v128 = zipHighW(vx, vy),
    l1: v128 = zipLowW(vz, zero),
    h1: v128 = zipHighW(vz, zero);
  const m0: v128 = zipLowW(wx, wy),
    n0: v128 = zipHighW(wx, wy),
    m1: v128 = zipLowW(wz, zero),
    n1: v128 = zipHighW(wz, zero);
  change(c0, <usize>load<u32>(t, T_CHILD_ROW), joinLowW(l0, l1), joinLowW(m0, m1));
  change(c1, <usize>load<u32>(t, T_CHILD_ROW + 4), joinHighW(l0, l1), joinHighW(m0, m1));
  change(c2, <usize>load<u32>(t, T_CHILD_ROW + 8), joinLowW(h0, h1), joinLowW(n0, n1));
  change(c3, <usize>load<u32>(t, T_CHILD_ROW + 12), joinHighW(h0, h1), joinHighW(n0, n1));
}

// @ts-ignore: decorator
@inline
function change(c: usize, row: usize, v: v128, w: v128): void {
  v128.store(c, v);
  v128.store(c, w, 16);
  v128.store(row, addW(v128.load(row), v));
  v128.store(row, addW(v128.load(row, 16), w), 16);
}
