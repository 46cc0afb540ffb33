// Anchors alone, solved alone, with friction by load or without: ball joints of nets and grids. What units.ts and block.ts do for
// all forms, for this one: a joint takes its bodies in and out once a pass, friction first, then three rows along the axes of the
// world.
// Input: columns of turn.ts, factors of block.ts, BodyRow. Output: impulses, BodyRow.
import { addColumns, columnX, columnY, columnZ, differenceOf, push } from '../lanes/columns';
import { addW, blendW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, negW, splatW, sqrtW, subW } from '../math/lane';
import { noteImpulse } from './anchors';
import { col, crossAddW, crossW, setCol, symX } from './columns';
import {
  FORM_RUB,
  J_FORM,
  J_GAP,
  J_IMPULSE,
  J_INVERSE_A,
  J_INVERSE_B,
  J_LEVER_A,
  J_LEVER_B,
  J_ROW_A,
  J_ROW_B,
  J_RUB,
  J_RUB_LEVER,
  J_RUB_MASS,
  J_RUB_STEP,
  J_RUB_TORQUE,
  isPlain,
} from './layout';
import { JOINT_H, JOINT_IMPULSE_SCALE, JOINT_MASS_SCALE, JOINT_RATE, PUSH } from './parameters';

/** A row of the inverse inertia at `at` (xx yy zz xy xz yz) times (x, y, z): that of x, y, z. */
// @ts-ignore: decorator
@inline
function spinX(g: usize, at: usize, x: v128, y: v128, z: v128): v128 {
  return symX(col(g, at, 0), col(g, at, 3), col(g, at, 4), x, y, z);
}
// @ts-ignore: decorator
@inline
function spinY(g: usize, at: usize, x: v128, y: v128, z: v128): v128 {
  return symX(col(g, at, 3), col(g, at, 1), col(g, at, 5), x, y, z);
}
// @ts-ignore: decorator
@inline
function spinZ(g: usize, at: usize, x: v128, y: v128, z: v128): v128 {
  return symX(col(g, at, 4), col(g, at, 5), col(g, at, 2), x, y, z);
}

/** A pass over a group that locks its anchors alone; units of other forms have had their friction (units.ts). */
export function solveBall(g: usize, soft: bool, step: usize): void {
  const a0: usize = <usize>load<u32>(g, J_ROW_A),
    a1: usize = <usize>load<u32>(g, J_ROW_A + 4),
    a2: usize = <usize>load<u32>(g, J_ROW_A + 8),
    a3: usize = <usize>load<u32>(g, J_ROW_A + 12);
  const b0: usize = <usize>load<u32>(g, J_ROW_B),
    b1: usize = <usize>load<u32>(g, J_ROW_B + 4),
    b2: usize = <usize>load<u32>(g, J_ROW_B + 8),
    b3: usize = <usize>load<u32>(g, J_ROW_B + 12);
  const r0: v128 = v128.load(a0, 16),
    r1: v128 = v128.load(a1, 16),
    r2: v128 = v128.load(a2, 16),
    r3: v128 = v128.load(a3, 16);
  let ax: v128 = columnX(r0, r1, r2, r3),
    ay: v128 = columnY(r0, r1, r2, r3),
    az: v128 = columnZ(r0, r1, r2, r3);
  const s0: v128 = v128.load(b0, 16),
    s1: v128 = v128.load(b1, 16),
    s2: v128 = v128.load(b2, 16),
    s3: v128 = v128.load(b3, 16);
  let bx: v128 = columnX(s0, s1, s2, s3),
    by: v128 = columnY(s0, s1, s2, s3),
    bz: v128 = columnZ(s0, s1, s2, s3);
  let jx: v128 = col(g, J_IMPULSE, 0),
    jy: v128 = col(g, J_IMPULSE, 1),
    jz: v128 = col(g, J_IMPULSE, 2);
  // What the turns of A and B get.
  let cx: v128 = splatW(0),
    cy: v128 = cx,
    cz: v128 = cx;
  let dx: v128 = cx,
    dy: v128 = cx,
    dz: v128 = cx;
  const form: u32 = load<u32>(g, J_FORM);
  if ((form & FORM_RUB) != 0 && isPlain(form)) {
    // As solveRub (units.ts).
    const load0: v128 = sqrtW(dotW(jx, jy, jz, jx, jy, jz));
    const bound: v128 = mulAddW(v128.load(g, J_RUB_LEVER), load0, mulW(v128.load(step, JOINT_H), v128.load(g, J_RUB_TORQUE)));
    const wx: v128 = subW(bx, ax),
      wy: v128 = subW(by, ay),
      wz: v128 = subW(bz, az);
    const ox: v128 = col(g, J_RUB, 0),
      oy: v128 = col(g, J_RUB, 1),
      oz: v128 = col(g, J_RUB, 2);
    const m10: v128 = col(g, J_RUB_MASS, 3),
      m20: v128 = col(g, J_RUB_MASS, 4),
      m21: v128 = col(g, J_RUB_MASS, 5);
    const hy: v128 = mulSubW(m10, wx, wy);
    const hz: v128 = mulW(mulSubW(m21, hy, mulSubW(m20, wx, wz)), col(g, J_RUB_MASS, 2));
    const iy: v128 = mulSubW(m21, hz, mulW(hy, col(g, J_RUB_MASS, 1)));
    let zx: v128 = subW(ox, mulSubW(m20, hz, mulSubW(m10, iy, mulW(wx, col(g, J_RUB_MASS, 0))))),
      zy: v128 = subW(oy, iy),
      zz: v128 = subW(oz, hz);
    const mass: v128 = v128.load(g, J_RUB_STEP);
    const slips: v128 = greaterW(dotW(zx, zy, zz, zx, zy, zz), mulW(bound, bound));
    zx = blendW(slips, mulSubW(mass, wx, ox), zx);
    zy = blendW(slips, mulSubW(mass, wy, oy), zy);
    zz = blendW(slips, mulSubW(mass, wz, oz), zz);
    const length: v128 = sqrtW(dotW(zx, zy, zz, zx, zy, zz));
    const share: v128 = minW(splatW(1), divW(bound, maxW(length, splatW(1e-30))));
    zx = mulW(zx, share);
    zy = mulW(zy, share);
    zz = mulW(zz, share);
    setCol(g, J_RUB, 0, zx);
    setCol(g, J_RUB, 1, zy);
    setCol(g, J_RUB, 2, zz);
    zx = subW(zx, ox);
    zy = subW(zy, oy);
    zz = subW(zz, oz);
    dx = spinX(g, J_INVERSE_B, zx, zy, zz);
    dy = spinY(g, J_INVERSE_B, zx, zy, zz);
    dz = spinZ(g, J_INVERSE_B, zx, zy, zz);
    bx = addW(bx, dx);
    by = addW(by, dy);
    bz = addW(bz, dz);
    cx = spinX(g, J_INVERSE_A, zx, zy, zz);
    cy = spinY(g, J_INVERSE_A, zx, zy, zz);
    cz = spinZ(g, J_INVERSE_A, zx, zy, zz);
    ax = subW(ax, cx);
    ay = subW(ay, cy);
    az = subW(az, cz);
  }
  const px: v128 = col(g, J_LEVER_A, 0),
    py: v128 = col(g, J_LEVER_A, 1),
    pz: v128 = col(g, J_LEVER_A, 2);
  const qx: v128 = col(g, J_LEVER_B, 0),
    qy: v128 = col(g, J_LEVER_B, 1),
    qz: v128 = col(g, J_LEVER_B, 2);
  const v0: v128 = differenceOf(a0, b0),
    v1: v128 = differenceOf(a1, b1),
    v2: v128 = differenceOf(a2, b2),
    v3: v128 = differenceOf(a3, b3);
  let ux: v128 = subW(crossAddW(by, qz, bz, qy, columnX(v0, v1, v2, v3)), crossW(ay, pz, az, py)),
    uy: v128 = subW(crossAddW(bz, qx, bx, qz, columnY(v0, v1, v2, v3)), crossW(az, px, ax, pz)),
    uz: v128 = subW(crossAddW(bx, qy, by, qx, columnZ(v0, v1, v2, v3)), crossW(ax, py, ay, px));
  if (soft) {
    // The push is capped and the block stays soft: what cannot be reached pulls with a bounded force.
    const ex: v128 = col(g, J_GAP, 0),
      ey: v128 = col(g, J_GAP, 1),
      ez: v128 = col(g, J_GAP, 2);
    const length: v128 = sqrtW(dotW(ex, ey, ez, ex, ey, ez));
    const rate: v128 = minW(v128.load(step, JOINT_RATE), divW(splatW(PUSH), maxW(length, splatW(1e-30))));
    ux = mulAddW(rate, ex, ux);
    uy = mulAddW(rate, ey, uy);
    uz = mulAddW(rate, ez, uz);
  }
  // -K^-1 u (columns.ts, solve3).
  const k: usize = g + load<u32>(g, J_FORM + 12);
  const l10: v128 = col(k, 0, 3),
    l20: v128 = col(k, 0, 4),
    l21: v128 = col(k, 0, 5);
  uy = mulSubW(l10, ux, uy);
  uz = mulSubW(l21, uy, mulSubW(l20, ux, uz));
  let z: v128 = mulW(uz, col(k, 0, 2));
  let y: v128 = mulSubW(l21, z, mulW(uy, col(k, 0, 1)));
  let x: v128 = negW(mulSubW(l20, z, mulSubW(l10, y, mulW(ux, col(k, 0, 0)))));
  y = negW(y);
  z = negW(z);
  if (soft) {
    const share: v128 = v128.load(step, JOINT_MASS_SCALE),
      keep: v128 = v128.load(step, JOINT_IMPULSE_SCALE);
    x = mulSubW(keep, jx, mulW(share, x));
    y = mulSubW(keep, jy, mulW(share, y));
    z = mulSubW(keep, jz, mulW(share, z));
  }
  jx = addW(jx, x);
  jy = addW(jy, y);
  jz = addW(jz, z);
  setCol(g, J_IMPULSE, 0, jx);
  setCol(g, J_IMPULSE, 1, jy);
  setCol(g, J_IMPULSE, 2, jz);
  noteImpulse(g, dotW(jx, jy, jz, jx, jy, jz), !soft);
  push(a0, a1, a2, a3, b0, b1, b2, b3, x, y, z);
  const fx: v128 = crossW(pz, y, py, z),
    fy: v128 = crossW(px, z, pz, x),
    fz: v128 = crossW(py, x, px, y);
  addColumns(
    a0 + 16,
    a1 + 16,
    a2 + 16,
    a3 + 16,
    subW(spinX(g, J_INVERSE_A, fx, fy, fz), cx),
    subW(spinY(g, J_INVERSE_A, fx, fy, fz), cy),
    subW(spinZ(g, J_INVERSE_A, fx, fy, fz), cz),
  );
  const gx: v128 = crossW(qy, z, qz, y),
    gy: v128 = crossW(qz, x, qx, z),
    gz: v128 = crossW(qx, y, qy, x);
  addColumns(
    b0 + 16,
    b1 + 16,
    b2 + 16,
    b3 + 16,
    addW(spinX(g, J_INVERSE_B, gx, gy, gz), dx),
    addW(spinY(g, J_INVERSE_B, gx, gy, gz), dy),
    addW(spinZ(g, J_INVERSE_B, gx, gy, gz), dz),
  );
}
