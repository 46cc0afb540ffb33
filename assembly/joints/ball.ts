// A kernel for ball joints that are solved alone, as in nets and grids: anchors only, with or without friction by load. It does
// the work of units.ts and block.ts for this one form. Each pass loads and stores the bodies of a joint once: friction first,
// then three rows along the axes of the world.
// Input: columns of turn.ts, factors of block.ts, BodyRow. Output: impulses, BodyRow.
import { AddressLanes, FactorLanes, JointGroup, JointParameters } from '../layout.generated';
import { columnX, columnY, columnZ, differenceOf, push } from '../lanes/columns';
import { addW, blendW, dotW, greaterW, mulAddW, mulSubW, mulW, negW, splatW, sqrtW, subW } from '../math/lane';
import { addSpins, noteImpulse } from './anchors';
import { crossAddW, crossW, symRow } from './columns';
import { FORM_FRICTION, ROW_SPIN, ballBlockOf, inverseA, inverseB, isPlain, rowsA, rowsB } from './layout';
import { loadBound } from '../rows/joint_drive';
import { cappedRate } from '../rows/joint_softness';
import { boundedShare } from '../rows/row';

/** A pass over a group that locks its anchors alone; units of other forms have had their friction (units.ts). */
export function solveBall(g: JointGroup, soft: bool, step: JointParameters): void {
  const rowsOfA: AddressLanes = rowsA(g);
  const a0: usize = rowsOfA.at0,
    a1: usize = rowsOfA.at1,
    a2: usize = rowsOfA.at2,
    a3: usize = rowsOfA.at3;
  const rowsOfB: AddressLanes = rowsB(g);
  const b0: usize = rowsOfB.at0,
    b1: usize = rowsOfB.at1,
    b2: usize = rowsOfB.at2,
    b3: usize = rowsOfB.at3;
  const r0: v128 = v128.load(a0, ROW_SPIN),
    r1: v128 = v128.load(a1, ROW_SPIN),
    r2: v128 = v128.load(a2, ROW_SPIN),
    r3: v128 = v128.load(a3, ROW_SPIN);
  let ax: v128 = columnX(r0, r1, r2, r3),
    ay: v128 = columnY(r0, r1, r2, r3),
    az: v128 = columnZ(r0, r1, r2, r3);
  const s0: v128 = v128.load(b0, ROW_SPIN),
    s1: v128 = v128.load(b1, ROW_SPIN),
    s2: v128 = v128.load(b2, ROW_SPIN),
    s3: v128 = v128.load(b3, ROW_SPIN);
  let bx: v128 = columnX(s0, s1, s2, s3),
    by: v128 = columnY(s0, s1, s2, s3),
    bz: v128 = columnZ(s0, s1, s2, s3);
  let jx: v128 = g.impulseX,
    jy: v128 = g.impulseY,
    jz: v128 = g.impulseZ;
  // Changes of the spins of A and B.
  let cx: v128 = splatW(0),
    cy: v128 = cx,
    cz: v128 = cx;
  let dx: v128 = cx,
    dy: v128 = cx,
    dz: v128 = cx;
  const form: u32 = g.form;
  if ((form & FORM_FRICTION) != 0 && isPlain(form)) {
    // As solveLoadFriction (units.ts).
    const load0: v128 = sqrtW(dotW(jx, jy, jz, jx, jy, jz));
    const bound: v128 = loadBound<v128>(g.frictionArm, load0, g.frictionTorque, step.h);
    const wx: v128 = subW(bx, ax),
      wy: v128 = subW(by, ay),
      wz: v128 = subW(bz, az);
    const ox: v128 = g.frictionX,
      oy: v128 = g.frictionY,
      oz: v128 = g.frictionZ;
    const m10: v128 = g.frictionMass10,
      m20: v128 = g.frictionMass20,
      m21: v128 = g.frictionMass21;
    const hy: v128 = mulSubW(m10, wx, wy);
    const hz: v128 = mulW(mulSubW(m21, hy, mulSubW(m20, wx, wz)), g.frictionMass2);
    const iy: v128 = mulSubW(m21, hz, mulW(hy, g.frictionMass1));
    let zx: v128 = subW(ox, mulSubW(m20, hz, mulSubW(m10, iy, mulW(wx, g.frictionMass0)))),
      zy: v128 = subW(oy, iy),
      zz: v128 = subW(oz, hz);
    const mass: v128 = g.frictionStep;
    const slips: v128 = greaterW(dotW(zx, zy, zz, zx, zy, zz), mulW(bound, bound));
    zx = blendW(slips, mulSubW(mass, wx, ox), zx);
    zy = blendW(slips, mulSubW(mass, wy, oy), zy);
    zz = blendW(slips, mulSubW(mass, wz, oz), zz);
    const length: v128 = sqrtW(dotW(zx, zy, zz, zx, zy, zz));
    const share: v128 = boundedShare<v128>(length, bound);
    zx = mulW(zx, share);
    zy = mulW(zy, share);
    zz = mulW(zz, share);
    g.frictionX = zx;
    g.frictionY = zy;
    g.frictionZ = zz;
    zx = subW(zx, ox);
    zy = subW(zy, oy);
    zz = subW(zz, oz);
    dx = symRow(inverseB(g), 0, zx, zy, zz);
    dy = symRow(inverseB(g), 1, zx, zy, zz);
    dz = symRow(inverseB(g), 2, zx, zy, zz);
    bx = addW(bx, dx);
    by = addW(by, dy);
    bz = addW(bz, dz);
    cx = symRow(inverseA(g), 0, zx, zy, zz);
    cy = symRow(inverseA(g), 1, zx, zy, zz);
    cz = symRow(inverseA(g), 2, zx, zy, zz);
    ax = subW(ax, cx);
    ay = subW(ay, cy);
    az = subW(az, cz);
  }
  const px: v128 = g.armAX,
    py: v128 = g.armAY,
    pz: v128 = g.armAZ;
  const qx: v128 = g.armBX,
    qy: v128 = g.armBY,
    qz: v128 = g.armBZ;
  const v0: v128 = differenceOf(a0, b0),
    v1: v128 = differenceOf(a1, b1),
    v2: v128 = differenceOf(a2, b2),
    v3: v128 = differenceOf(a3, b3);
  let ux: v128 = subW(crossAddW(by, qz, bz, qy, columnX(v0, v1, v2, v3)), crossW(ay, pz, az, py)),
    uy: v128 = subW(crossAddW(bz, qx, bx, qz, columnY(v0, v1, v2, v3)), crossW(az, px, ax, pz)),
    uz: v128 = subW(crossAddW(bx, qy, by, qx, columnZ(v0, v1, v2, v3)), crossW(ax, py, ay, px));
  if (soft) {
    // The push is capped and the block stays soft: what cannot be reached pulls with a bounded force.
    const ex: v128 = g.gapX,
      ey: v128 = g.gapY,
      ez: v128 = g.gapZ;
    const rate: v128 = cappedRate<v128>(step.rate, dotW(ex, ey, ez, ex, ey, ez));
    ux = mulAddW(rate, ex, ux);
    uy = mulAddW(rate, ey, uy);
    uz = mulAddW(rate, ez, uz);
  }
  // -K^-1 u (columns.ts, solve3).
  const k: FactorLanes = ballBlockOf(g);
  const l10: v128 = k.l10,
    l20: v128 = k.l20,
    l21: v128 = k.l21;
  uy = mulSubW(l10, ux, uy);
  uz = mulSubW(l21, uy, mulSubW(l20, ux, uz));
  let z: v128 = mulW(uz, k.inverse2);
  let y: v128 = mulSubW(l21, z, mulW(uy, k.inverse1));
  let x: v128 = negW(mulSubW(l20, z, mulSubW(l10, y, mulW(ux, k.inverse0))));
  y = negW(y);
  z = negW(z);
  if (soft) {
    const share: v128 = step.massScale,
      keep: v128 = step.impulseScale;
    x = mulSubW(keep, jx, mulW(share, x));
    y = mulSubW(keep, jy, mulW(share, y));
    z = mulSubW(keep, jz, mulW(share, z));
  }
  jx = addW(jx, x);
  jy = addW(jy, y);
  jz = addW(jz, z);
  g.impulseX = jx;
  g.impulseY = jy;
  g.impulseZ = jz;
  noteImpulse(g, dotW(jx, jy, jz, jx, jy, jz), !soft);
  push(a0, a1, a2, a3, b0, b1, b2, b3, x, y, z);
  const fx: v128 = crossW(pz, y, py, z),
    fy: v128 = crossW(px, z, pz, x),
    fz: v128 = crossW(py, x, px, y);
  addSpins(
    rowsOfA,
    subW(symRow(inverseA(g), 0, fx, fy, fz), cx),
    subW(symRow(inverseA(g), 1, fx, fy, fz), cy),
    subW(symRow(inverseA(g), 2, fx, fy, fz), cz),
  );
  const gx: v128 = crossW(qy, z, qz, y),
    gy: v128 = crossW(qz, x, qx, z),
    gz: v128 = crossW(qx, y, qy, x);
  addSpins(
    rowsOfB,
    addW(symRow(inverseB(g), 0, gx, gy, gz), dx),
    addW(symRow(inverseB(g), 1, gx, gy, gz), dy),
    addW(symRow(inverseB(g), 2, gx, gy, gz), dz),
  );
}
