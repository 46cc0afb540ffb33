// Locked axes solved alone: joints that close loops, nets, and joints that ask for it (JOINT_FREE). One soft block per joint: an
// implicit spring whose stiffness follows the substep. So a cut, or another number of substeps, may change convergence but not
// the place of rest. Anchors alone are a 3x3 block along the axes of the world. Other forms are up to six rows along the axes of
// the joint, factored as L D L'.
// The same rows give the mass and the speed that an axis has while the locked ones hold (units.ts).
// Input: columns of turn.ts, JointBody. Output: FactorLanes or LockedRows, JointUnit.heldMass, share, heldA and heldB; impulses,
// BodyRow.
import {
  JointGroup,
  JointParameters,
  JointScratch,
  JointUnit,
  LockedRows,
  SymmetricLanes,
  VectorLanes,
} from '../layout.generated';
import { addW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, negW, splatW, subW } from '../math/lane';
import { noteImpulse, pushBodies, relativeVelocity, respond, spinSide } from './anchors';
import { solveBall } from './ball';
import { COLUMN, addAlong, col, crossAddW, crossW, factorInPlace, inverseOf, setCol, solve3, symRow } from './columns';
import {
  FORM_DISTANCE,
  FORM_FLOATS,
  FORM_HELD,
  FORM_LOCKED,
  FORM_TREE,
  angularResponse,
  armA,
  armB,
  axisAt,
  ballBlockOf,
  errorAt,
  firstUnit,
  heldA,
  heldB,
  inverseA,
  inverseB,
  isBall,
  lockedRowsOf,
  nextUnit,
  response,
  rowsA,
  rowsB,
  scratchRows,
  shareOf,
} from './layout';
import { cappedRate } from '../rows/joint_softness';
import { jointScratch } from './state';

// A driven axis that its locked ones hold keeps this share of its mobility.
const LEAST_SHARE: f32 = 1e-4;
// A limit this far (m, rad) is not reached in a substep.
const NEAR: f32 = 0.2;

/**
 * Rows of the locked axes of a group, where they are solved alone or a unit needs them. Returns whether a unit may do something
 * in this substep.
 */
export function factorBlock(g: JointGroup): bool {
  const form: u32 = g.form;
  if ((form & FORM_LOCKED) == 0 || (form & FORM_FLOATS) != 0) return false;
  if ((form & FORM_TREE) != 0 && ((form & FORM_HELD) == 0 || !anyWorks(g))) return false;
  if (isBall(form)) factorBall(g);
  else factorRows(g, form, lockedRowsOf(g));
  if ((form & FORM_HELD) == 0) return false;
  holdUnits(g, form);
  return true;
}

/** Whether a unit of a group may do something in this substep: a drive, friction, a limit at work or near. */
function anyWorks(g: JointGroup): bool {
  let unit: JointUnit = firstUnit(g);
  for (let n: u32 = g.units; n != 0; n--) {
    const place: v128 = unit.place;
    const gap: v128 = minW(subW(place, unit.lower), subW(unit.upper, place));
    const near: v128 = v128.or(f32x4.lt(gap, splatW(NEAR)), f32x4.ne(unit.limit, splatW(0)));
    const driven: v128 = v128.or(unit.turned, unit.sprung);
    if (v128.any_true(v128.or(v128.or(near, driven), f32x4.ne(unit.mostFriction, splatW(0))))) return true;
    unit = nextUnit(unit);
  }
  return false;
}

/** Adds -[r] I^-1 [r] of one side to a mobility. */
function addArm(k: SymmetricLanes, inverse: SymmetricLanes, arm: VectorLanes): void {
  const xx: v128 = inverse.xx,
    yy: v128 = inverse.yy,
    zz: v128 = inverse.zz,
    xy: v128 = inverse.xy,
    xz: v128 = inverse.xz,
    yz: v128 = inverse.yz;
  const x: v128 = arm.x,
    y: v128 = arm.y,
    z: v128 = arm.z;
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
  k.xx = crossAddW(a1, z, a2, y, k.xx);
  k.yy = crossAddW(b2, x, b0, z, k.yy);
  k.zz = crossAddW(c0, y, c1, x, k.zz);
  k.xy = crossAddW(b1, z, b2, y, k.xy);
  k.xz = crossAddW(c1, z, c2, y, k.xz);
  k.yz = crossAddW(c2, x, c0, z, k.yz);
}

/** K of the anchors alone, factored. */
function factorBall(g: JointGroup): void {
  const k: SymmetricLanes = changetype<SymmetricLanes>(changetype<usize>(ballBlockOf(g)));
  const m: v128 = addW(g.invMassA, g.invMassB);
  const zero: v128 = splatW(0);
  k.xx = m;
  k.yy = m;
  k.zz = m;
  k.xy = zero;
  k.xz = zero;
  k.yz = zero;
  addArm(k, inverseA(g), armA(g));
  addArm(k, inverseB(g), armB(g));
  factorInPlace(k);
}

/** The response to an impulse of 1 along a locked axis. */
function respondToAxis(g: JointGroup, s: JointScratch, axis: u32): void {
  const n: VectorLanes = axisAt(g, axis);
  const nx: v128 = n.x,
    ny: v128 = n.y,
    nz: v128 = n.z;
  let ax: v128 = nx,
    ay: v128 = ny,
    az: v128 = nz;
  let bx: v128 = nx,
    by: v128 = ny,
    bz: v128 = nz;
  let m: v128 = splatW(0);
  if (axis < 3) {
    const px: v128 = g.armAX,
      py: v128 = g.armAY,
      pz: v128 = g.armAZ;
    const qx: v128 = g.armBX,
      qy: v128 = g.armBY,
      qz: v128 = g.armBZ;
    ax = crossW(py, nz, pz, ny);
    ay = crossW(pz, nx, px, nz);
    az = crossW(px, ny, py, nx);
    bx = crossW(qy, nz, qz, ny);
    by = crossW(qz, nx, qx, nz);
    bz = crossW(qx, ny, qy, nx);
    m = addW(g.invMassA, g.invMassB);
  }
  const ofA: SymmetricLanes = inverseA(g),
    ofB: SymmetricLanes = inverseB(g);
  s.responseX = mulW(m, nx);
  s.responseY = mulW(m, ny);
  s.responseZ = mulW(m, nz);
  respond(
    g,
    s,
    negW(symRow(ofA, 0, ax, ay, az)),
    negW(symRow(ofA, 1, ax, ay, az)),
    negW(symRow(ofA, 2, ax, ay, az)),
    symRow(ofB, 0, bx, by, bz),
    symRow(ofB, 1, bx, by, bz),
    symRow(ofB, 2, bx, by, bz),
  );
}

/** The response along an axis. */
function along(g: JointGroup, s: JointScratch, axis: u32): v128 {
  const n: VectorLanes = axisAt(g, axis),
    u: VectorLanes = axis < 3 ? response(s) : angularResponse(s);
  return dotW(n.x, n.y, n.z, u.x, u.y, u.z);
}

/** Address of entry (i, j), j < i, of L. */
// @ts-ignore: decorator
@inline
function entry(k: LockedRows, i: u32, j: u32): usize {
  return changetype<usize>(k) + offsetof<LockedRows>('l10') + <usize>(((i * (i - 1)) >> 1) + j) * COLUMN;
}
/** Address of entry i of 1 / D. */
// @ts-ignore: decorator
@inline
function pivot(k: LockedRows, i: u32): usize {
  return changetype<usize>(k) + offsetof<LockedRows>('inverse0') + <usize>i * COLUMN;
}

/** The next locked axis from `axis` on. */
function lockedFrom(form: u32, axis: u32): u32 {
  return <u32>ctz<u32>((form & FORM_LOCKED) >> axis) + axis;
}

/** L D L' of the locked rows, row by row. */
function factorRows(g: JointGroup, form: u32, k: LockedRows): void {
  const s: JointScratch = jointScratch();
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
        sum = mulSubW(mulW(v128.load(entry(k, i, m)), v128.load(entry(k, j, m))), col(scratchRows(s), <usize>m), sum);
      // Still times D: divided below, when all of the row is there.
      v128.store(entry(k, i, j), mulW(sum, v128.load(pivot(k, j))));
      other++;
    }
    let d: v128 = along(g, s, axis);
    const whole: v128 = d;
    for (let j: u32 = 0; j < i; j++) {
      const l: v128 = v128.load(entry(k, i, j));
      d = mulSubW(mulW(l, l), col(scratchRows(s), <usize>j), d);
    }
    setCol(scratchRows(s), <usize>i, d);
    v128.store(pivot(k, i), inverseOf(d, whole));
    axis++;
  }
}

/** Solves K x = rows of the scratch in place. */
function solveRows(k: LockedRows, s: JointScratch, rows: u32): void {
  for (let i: u32 = 1; i < rows; i++) {
    let x: v128 = col(scratchRows(s), <usize>i);
    for (let j: u32 = 0; j < i; j++) x = mulSubW(v128.load(entry(k, i, j)), col(scratchRows(s), <usize>j), x);
    setCol(scratchRows(s), <usize>i, x);
  }
  for (let i: u32 = rows; i-- > 0; ) {
    let x: v128 = mulW(col(scratchRows(s), <usize>i), v128.load(pivot(k, i)));
    for (let j: u32 = i + 1; j < rows; j++) x = mulSubW(v128.load(entry(k, j, i)), col(scratchRows(s), <usize>j), x);
    setCol(scratchRows(s), <usize>i, x);
  }
}

/**
 * Computes mass and speed of units while the locked axes hold: mobility K - k' K_locked^-1 k, speed u - k' K_locked^-1 times that
 * of the locked axes.
 */
function holdUnits(g: JointGroup, form: u32): void {
  const s: JointScratch = jointScratch();
  const rows: u32 = <u32>popcnt<u32>(form & FORM_LOCKED);
  let unit: JointUnit = firstUnit(g);
  for (let n: u32 = g.units; n != 0; n--) {
    const ma: v128 = g.invMassA,
      mb: v128 = g.invMassB;
    s.responseX = addW(mulW(ma, unit.linearAX), mulW(mb, unit.linearBX));
    s.responseY = addW(mulW(ma, unit.linearAY), mulW(mb, unit.linearBY));
    s.responseZ = addW(mulW(ma, unit.linearAZ), mulW(mb, unit.linearBZ));
    respond(g, s, negW(unit.spinAX), negW(unit.spinAY), negW(unit.spinAZ), unit.spinBX, unit.spinBY, unit.spinBZ);
    let held: v128 = splatW(0);
    if (isBall(form)) {
      const x: v128 = s.responseX,
        y: v128 = s.responseY,
        z: v128 = s.responseZ;
      solve3(ballBlockOf(g), shareOf(unit), x, y, z);
      held = dotW(x, y, z, unit.shareX, unit.shareY, unit.shareZ);
    } else {
      for (let i: u32 = 0, axis: u32 = 0; i < rows; i++, axis++) {
        axis = lockedFrom(form, axis);
        setCol(scratchRows(s), <usize>i, along(g, s, axis));
      }
      solveRows(lockedRowsOf(g), s, rows);
      for (let i: u32 = 0, axis: u32 = 0; i < rows; i++, axis++) {
        axis = lockedFrom(form, axis);
        const c: v128 = col(scratchRows(s), <usize>i);
        held = mulAddW(c, along(g, s, axis), held);
        if (axis < 3) {
          addAlong(shareOf(unit), c, axisAt(g, axis));
        } else {
          addAlong(heldA(unit), negW(c), axisAt(g, axis));
          addAlong(heldB(unit), negW(c), axisAt(g, axis));
        }
      }
    }
    takeArm(heldA(unit), armA(g), shareOf(unit));
    takeArm(heldB(unit), armB(g), shareOf(unit));
    const mass: v128 = unit.mass;
    const mobility: v128 = divW(splatW(1), maxW(mass, splatW(1e-30)));
    const left: v128 = maxW(subW(mobility, held), mulW(mobility, splatW(LEAST_SHARE)));
    unit.heldMass = v128.and(divW(splatW(1), left), greaterW(mass, splatW(0)));
    unit.carriedMass = unit.heldMass;
    unit = nextUnit(unit);
  }
}

/** Takes what holding the linear axes has of the speed of an axis from its row: (w x arm) . share = w . (arm x share). */
function takeArm(row: VectorLanes, arm: VectorLanes, share: VectorLanes): void {
  const rx: v128 = arm.x,
    ry: v128 = arm.y,
    rz: v128 = arm.z;
  const x: v128 = share.x,
    y: v128 = share.y,
    z: v128 = share.z;
  row.x = subW(row.x, crossW(ry, z, rz, y));
  row.y = subW(row.y, crossW(rz, x, rx, z));
  row.z = subW(row.z, crossW(rx, y, ry, x));
}

/** Errors of the locked axes to rows of the scratch; of anchors alone along the axes of the world. Returns their number. */
export function lockedErrors(g: JointGroup, form: u32, s: JointScratch): u32 {
  if (isBall(form)) {
    s.row0 = g.gapX;
    s.row1 = g.gapY;
    s.row2 = g.gapZ;
    return 3;
  }
  let rows: usize = 0;
  for (let axis: u32 = 0; axis < 6; axis++) {
    if ((form & (1 << axis)) == 0) continue;
    let error: v128;
    if (axis >= 3) {
      error = errorAt(g, axis - 3);
    } else if ((form & FORM_DISTANCE) != 0) {
      error = subW(g.swing, g.rest);
    } else {
      const n: VectorLanes = axisAt(g, axis);
      error = dotW(n.x, n.y, n.z, g.gapX, g.gapY, g.gapZ);
    }
    setCol(scratchRows(s), rows++, error);
  }
  return <u32>rows;
}

/** A pass over the blocks named in [list, end). */
export function solveBlocks(list: usize, end: usize, soft: bool, step: JointParameters): void {
  for (; list < end; list += 4) {
    solveBlock(changetype<JointGroup>(load<u32>(list)), soft, step);
  }
}

/** A pass over the block of a group. */
export function solveBlock(g: JointGroup, soft: bool, step: JointParameters): void {
  const form: u32 = g.form;
  if (isBall(form)) return solveBall(g, soft, step);
  const k: LockedRows = lockedRowsOf(g);
  const s: JointScratch = jointScratch();
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
      const e: v128 = col(scratchRows(s), <usize>i);
      square = mulAddW(e, e, square);
    }
    const scaled: v128 = cappedRate<v128>(step.rate, square);
    massScale = step.massScale;
    keep = step.impulseScale;
    for (let i: u32 = 0; i < rows; i++) {
      setCol(scratchRows(s), <usize>i, mulW(scaled, col(scratchRows(s), <usize>i)));
    }
  } else {
    for (let i: u32 = 0; i < rows; i++) setCol(scratchRows(s), <usize>i, zero);
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
    setCol(scratchRows(s), <usize>i, addW(col(scratchRows(s), <usize>i), along(g, s, axis)));
    axis++;
  }
  solveRows(k, s, rows);
  axis = 0;
  for (let i: u32 = 0; i < rows; i++) {
    axis = lockedFrom(form, axis);
    const d: v128 = negW(mulW(massScale, col(scratchRows(s), <usize>i)));
    const n: VectorLanes = axisAt(g, axis);
    const nx: v128 = n.x,
      ny: v128 = n.y,
      nz: v128 = n.z;
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
  x = mulSubW(keep, g.impulseX, x);
  y = mulSubW(keep, g.impulseY, y);
  z = mulSubW(keep, g.impulseZ, z);
  tx = mulSubW(keep, g.angularImpulseX, tx);
  ty = mulSubW(keep, g.angularImpulseY, ty);
  tz = mulSubW(keep, g.angularImpulseZ, tz);
  addImpulse(g, x, y, z, tx, ty, tz, !soft);
  pushBodies(g, x, y, z);
  const px: v128 = g.armAX,
    py: v128 = g.armAY,
    pz: v128 = g.armAZ;
  spinSide(
    inverseA(g),
    rowsA(g),
    negW(crossAddW(py, z, pz, y, tx)),
    negW(crossAddW(pz, x, px, z, ty)),
    negW(crossAddW(px, y, py, x, tz)),
  );
  const qx: v128 = g.armBX,
    qy: v128 = g.armBY,
    qz: v128 = g.armBZ;
  spinSide(inverseB(g), rowsB(g), crossAddW(qy, z, qz, y, tx), crossAddW(qz, x, qx, z, ty), crossAddW(qx, y, qy, x, tz));
}

/** Adds to the impulse of the locked axes; `last`: in the relax pass. */
export function addImpulse(g: JointGroup, x: v128, y: v128, z: v128, tx: v128, ty: v128, tz: v128, last: bool): void {
  const jx: v128 = addW(g.impulseX, x),
    jy: v128 = addW(g.impulseY, y),
    jz: v128 = addW(g.impulseZ, z);
  const kx: v128 = addW(g.angularImpulseX, tx),
    ky: v128 = addW(g.angularImpulseY, ty),
    kz: v128 = addW(g.angularImpulseZ, tz);
  g.impulseX = jx;
  g.impulseY = jy;
  g.impulseZ = jz;
  g.angularImpulseX = kx;
  g.angularImpulseY = ky;
  g.angularImpulseZ = kz;
  noteImpulse(g, dotW(jx, jy, jz, jx, jy, jz), last);
  if (last) g.angularPeak = maxW(g.angularPeak, dotW(kx, ky, kz, kx, ky, kz));
}
