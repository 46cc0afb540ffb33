// Joints when bodies have moved: levers, gaps, axes and angles from the poses of now; and at the start of a substep, the warm
// start corrected for the turn.
//
// Bodies move between the soft pass and the relax pass. The relax pass has the rows of the new poses, the next soft pass the same
// ones: with half of the centripetal motion in the soft pass (tree.ts) that is RATTLE, which loses no energy to the turn of rows.
// The warm start repeats what the impulses of the last substep did to velocities. Those of its soft pass had the levers of then;
// so they are taken back and given again with those of now. An impulse of locked axes or a limit that more than doubled is
// repeated up to twice its value before, as for contacts (wide_sweep.ts). In the first substep all of it is given.
// Input: JointBody, BodyRow, impulses. Output: columns of the head and of units; BodyRow.
// Source: angles and their axes as docs/solvers.md, "Joints".
import { columnW, columnX, columnY, columnZ, push } from '../lanes/columns';
import { angleW, signedAngleW } from '../math/angle_lanes';
import {
  absW,
  addW,
  blendW,
  divW,
  dotW,
  greaterW,
  lessW,
  maxW,
  minW,
  mulAddW,
  mulW,
  negW,
  splatW,
  sqrtW,
  subW,
} from '../math/lane';
import { loadBodies, pushSide, spinSide } from './anchors';
import { cappedRate } from './parameters';
import { col, crossW, factor3, setCol, symX } from './columns';
import {
  B_RAISE,
  B_TRAVEL,
  FORM_DISTANCE,
  FORM_FLOATS,
  FORM_GEAR,
  FORM_LOCKED,
  FORM_PULLEY,
  FORM_RUB,
  FORM_TREE,
  HEAD_BYTES,
  J_ANCHOR_A,
  J_ANCHOR_B,
  J_AXES,
  J_BETWEEN,
  J_BODY_A,
  J_BODY_B,
  J_ERROR,
  J_FADE,
  J_FORM,
  J_FRAME_A,
  J_FRAME_B,
  J_GAP,
  J_IMPULSE,
  J_INVERSE_A,
  J_INVERSE_B,
  J_LEVER_A,
  J_LEVER_B,
  J_MASSES,
  J_MISS,
  J_PREVIOUS,
  J_ROW_A,
  J_ROW_B,
  J_RUB,
  J_RUB_MASS,
  J_RUB_STEP,
  J_SWING,
  J_TORQUE,
  J_TWIST,
  LINEAR_AXES,
  UNIT_BYTES,
  U_ANGULAR_A,
  U_ANGULAR_B,
  U_DRIVE,
  U_LOCKED_SHARE,
  U_LIMIT,
  U_LINEAR_A,
  U_LINEAR_B,
  U_MASS,
  U_MASS_HELD,
  U_PLACE,
  U_PREVIOUS,
  U_RUB,
  U_SPIN_A,
  U_SPIN_B,
  U_TARGET,
  driven,
  hasAxes,
  isPlain,
} from './layout';

const FULL_TURN: f32 = 6.2831855;
// Below this the axis of a swing is not known; that of frame A does.
const LEAST_SWING: f32 = 1e-6;

// Most of a miss that is made up for (m/s): beyond it rows of the start of the motion say little of its end.
const MOST_MISS: f32 = 1;

/** x of the vector v turned by the quaternion (x, y, z, w); the others by turning the letters. */
// @ts-ignore: decorator
@inline
export function turnX(x: v128, y: v128, z: v128, w: v128, vx: v128, vy: v128, vz: v128): v128 {
  const tx: v128 = crossW(y, vz, z, vy),
    ty: v128 = crossW(z, vx, x, vz),
    tz: v128 = crossW(x, vy, y, vx);
  const r: v128 = addW(crossW(y, tz, z, ty), mulW(w, tx));
  return addW(vx, addW(r, r));
}

/**
 * Start of a substep for the groups named in [list, end): the warm start. `first`: of the first one; `anew`: nothing of the
 * locked axes of trees is repeated, which their exact solve would take out again (docs/solvers.md, "Light links under loads").
 */
export function warmJoints(list: usize, end: usize, first: bool, anew: bool): void {
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_FLOATS) != 0) continue;
    if (!first && isPlain(form)) {
      warmPlain(g, anew);
      continue;
    }
    // The locked axes of a tree repeat whole: nothing of theirs changes here, but for what is not along them any more.
    const axes: bool = first || anew || (form & FORM_TREE) == 0 || isPartial(form & 7) || isPartial((form & FORM_LOCKED) >> 3);
    if (!first) addHeld(g, form, splatW(-1), axes);
    limitRepeats(g, form);
    if (anew && (form & FORM_TREE) != 0) memory.fill(g + J_IMPULSE, 0, 96);
    if (first && (form & FORM_RUB) != 0) addRub(g, splatW(1));
    addHeld(g, form, splatW(1), axes);
    giveAgain(g);
  }
}

/** The same where rows have not been turned since the last pass: only impulses of limits that more than doubled change. */
export function repeatUnits(list: usize, end: usize): void {
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    let grows: v128 = splatW(0);
    let unit: usize = g + HEAD_BYTES;
    for (let k: u32 = load<u32>(g, J_FORM + 4); k != 0; k--) {
      const z: v128 = absW(v128.load(unit, U_LIMIT)),
        before: v128 = v128.load(unit, U_PREVIOUS);
      grows = v128.or(grows, greaterW(z, addW(before, before)));
      unit += UNIT_BYTES;
    }
    if (!v128.any_true(grows)) {
      for (unit -= UNIT_BYTES; unit >= g + HEAD_BYTES; unit -= UNIT_BYTES)
        v128.store(unit, absW(v128.load(unit, U_LIMIT)), U_PREVIOUS);
      continue;
    }
    for (let k: usize = 0; k < 12; k++) setCol(g, J_TORQUE, k, splatW(0));
    addHeld(g, form, splatW(-1), false);
    limitRepeats(g, form);
    addHeld(g, form, splatW(1), false);
    giveAgain(g);
  }
}

/**
 * A group at the poses of now; `first`: at the start of a step, when nothing is corrected; `raised`: inertia of bodies rose by
 * B_RAISE, so that what was given to them before was that much too large.
 */
export function turnGroup(g: usize, first: bool, raised: bool): void {
  const form: u32 = load<u32>(g, J_FORM);
  if ((form & FORM_FLOATS) != 0) return;
  const a0: usize = <usize>load<u32>(g, J_BODY_A),
    a1: usize = <usize>load<u32>(g, J_BODY_A + 4),
    a2: usize = <usize>load<u32>(g, J_BODY_A + 8),
    a3: usize = <usize>load<u32>(g, J_BODY_A + 12);
  const b0: usize = <usize>load<u32>(g, J_BODY_B),
    b1: usize = <usize>load<u32>(g, J_BODY_B + 4),
    b2: usize = <usize>load<u32>(g, J_BODY_B + 8),
    b3: usize = <usize>load<u32>(g, J_BODY_B + 12);
  const qa0: v128 = v128.load(a0),
    qa1: v128 = v128.load(a1),
    qa2: v128 = v128.load(a2),
    qa3: v128 = v128.load(a3);
  const ax: v128 = columnX(qa0, qa1, qa2, qa3),
    ay: v128 = columnY(qa0, qa1, qa2, qa3),
    az: v128 = columnZ(qa0, qa1, qa2, qa3),
    aw: v128 = columnW(qa0, qa1, qa2, qa3);
  const qb0: v128 = v128.load(b0),
    qb1: v128 = v128.load(b1),
    qb2: v128 = v128.load(b2),
    qb3: v128 = v128.load(b3);
  const bx: v128 = columnX(qb0, qb1, qb2, qb3),
    by: v128 = columnY(qb0, qb1, qb2, qb3),
    bz: v128 = columnZ(qb0, qb1, qb2, qb3),
    bw: v128 = columnW(qb0, qb1, qb2, qb3);
  // What was given to velocities with the levers of before.
  const plain: bool = !first && !raised && isPlain(form);
  if (!plain) {
    for (let k: usize = 0; k < 12; k++) setCol(g, J_TORQUE, k, splatW(0));
    if (!first) addHeld(g, form, splatW(-1), true);
  }
  const rubbed: bool = raised && (form & FORM_RUB) != 0;
  if (rubbed) addRub(g, splatW(-1));
  if (raised) raiseTorques(g);
  if (rubbed) addRub(g, splatW(1));
  // Levers.
  const px: v128 = col(g, J_ANCHOR_A, 0),
    py: v128 = col(g, J_ANCHOR_A, 1),
    pz: v128 = col(g, J_ANCHOR_A, 2);
  const rax: v128 = turnX(ax, ay, az, aw, px, py, pz),
    ray: v128 = turnX(ay, az, ax, aw, py, pz, px),
    raz: v128 = turnX(az, ax, ay, aw, pz, px, py);
  const sx: v128 = col(g, J_ANCHOR_B, 0),
    sy: v128 = col(g, J_ANCHOR_B, 1),
    sz: v128 = col(g, J_ANCHOR_B, 2);
  const rbx: v128 = turnX(bx, by, bz, bw, sx, sy, sz),
    rby: v128 = turnX(by, bz, bx, bw, sy, sz, sx),
    rbz: v128 = turnX(bz, bx, by, bw, sz, sx, sy);
  const da0: v128 = v128.load(a0 + B_TRAVEL),
    da1: v128 = v128.load(a1 + B_TRAVEL),
    da2: v128 = v128.load(a2 + B_TRAVEL),
    da3: v128 = v128.load(a3 + B_TRAVEL);
  const db0: v128 = v128.load(b0 + B_TRAVEL),
    db1: v128 = v128.load(b1 + B_TRAVEL),
    db2: v128 = v128.load(b2 + B_TRAVEL),
    db3: v128 = v128.load(b3 + B_TRAVEL);
  const d0: v128 = subW(db0, da0),
    d1: v128 = subW(db1, da1),
    d2: v128 = subW(db2, da2),
    d3: v128 = subW(db3, da3);
  if ((form & FORM_PULLEY) != 0) {
    turnPulley(g, rax, ray, raz, rbx, rby, rbz, da0, da1, da2, da3, db0, db1, db2, db3);
  } else {
    const ex: v128 = addW(addW(col(g, J_BETWEEN, 0), columnX(d0, d1, d2, d3)), subW(rbx, rax)),
      ey: v128 = addW(addW(col(g, J_BETWEEN, 1), columnY(d0, d1, d2, d3)), subW(rby, ray)),
      ez: v128 = addW(addW(col(g, J_BETWEEN, 2), columnZ(d0, d1, d2, d3)), subW(rbz, raz));
    setCol(g, J_GAP, 0, ex);
    setCol(g, J_GAP, 1, ey);
    setCol(g, J_GAP, 2, ez);
    if (plain) swapTorques(g, addW(rax, ex), addW(ray, ey), addW(raz, ez), rbx, rby, rbz);
    setCol(g, J_LEVER_A, 0, addW(rax, ex));
    setCol(g, J_LEVER_A, 1, addW(ray, ey));
    setCol(g, J_LEVER_A, 2, addW(raz, ez));
    if ((form & FORM_DISTANCE) != 0) turnDistance(g, ex, ey, ez);
    else if (hasAxes(form) || (form & FORM_GEAR) != 0) turnAxes(g, form, ax, ay, az, aw, bx, by, bz, bw);
  }
  setCol(g, J_LEVER_B, 0, rbx);
  setCol(g, J_LEVER_B, 1, rby);
  setCol(g, J_LEVER_B, 2, rbz);
  loadBodies(g);
  turnUnits(g, form);
  if ((form & FORM_RUB) != 0) turnRub(g);
  if (!first && !plain) addHeld(g, form, splatW(1), true);
}

/**
 * Bodies are at the end of a motion of h seconds that is tried: the speed by which the anchors of a group miss where the soft
 * pass means them to be, all of the gap but `rate` of it gone (JOINT_TREE_RATE). For forms that lock all linear axes; 0 for
 * others.
 */
export function missOf(g: usize, invH: v128, rate: v128): void {
  const form: u32 = load<u32>(g, J_FORM);
  if ((form & FORM_FLOATS) != 0) return;
  if ((form & LINEAR_AXES) != LINEAR_AXES || (form & FORM_DISTANCE) != 0) {
    for (let k: usize = 0; k < 3; k++) setCol(g, J_MISS, k, splatW(0));
    return;
  }
  const a0: usize = <usize>load<u32>(g, J_BODY_A),
    a1: usize = <usize>load<u32>(g, J_BODY_A + 4),
    a2: usize = <usize>load<u32>(g, J_BODY_A + 8),
    a3: usize = <usize>load<u32>(g, J_BODY_A + 12);
  const b0: usize = <usize>load<u32>(g, J_BODY_B),
    b1: usize = <usize>load<u32>(g, J_BODY_B + 4),
    b2: usize = <usize>load<u32>(g, J_BODY_B + 8),
    b3: usize = <usize>load<u32>(g, J_BODY_B + 12);
  const qa0: v128 = v128.load(a0),
    qa1: v128 = v128.load(a1),
    qa2: v128 = v128.load(a2),
    qa3: v128 = v128.load(a3);
  const ax: v128 = columnX(qa0, qa1, qa2, qa3),
    ay: v128 = columnY(qa0, qa1, qa2, qa3),
    az: v128 = columnZ(qa0, qa1, qa2, qa3),
    aw: v128 = columnW(qa0, qa1, qa2, qa3);
  const qb0: v128 = v128.load(b0),
    qb1: v128 = v128.load(b1),
    qb2: v128 = v128.load(b2),
    qb3: v128 = v128.load(b3);
  const bx: v128 = columnX(qb0, qb1, qb2, qb3),
    by: v128 = columnY(qb0, qb1, qb2, qb3),
    bz: v128 = columnZ(qb0, qb1, qb2, qb3),
    bw: v128 = columnW(qb0, qb1, qb2, qb3);
  const px: v128 = col(g, J_ANCHOR_A, 0),
    py: v128 = col(g, J_ANCHOR_A, 1),
    pz: v128 = col(g, J_ANCHOR_A, 2);
  const sx: v128 = col(g, J_ANCHOR_B, 0),
    sy: v128 = col(g, J_ANCHOR_B, 1),
    sz: v128 = col(g, J_ANCHOR_B, 2);
  const d0: v128 = subW(v128.load(b0, B_TRAVEL), v128.load(a0, B_TRAVEL)),
    d1: v128 = subW(v128.load(b1, B_TRAVEL), v128.load(a1, B_TRAVEL)),
    d2: v128 = subW(v128.load(b2, B_TRAVEL), v128.load(a2, B_TRAVEL)),
    d3: v128 = subW(v128.load(b3, B_TRAVEL), v128.load(a3, B_TRAVEL));
  const ex: v128 = addW(
      addW(col(g, J_BETWEEN, 0), columnX(d0, d1, d2, d3)),
      subW(turnX(bx, by, bz, bw, sx, sy, sz), turnX(ax, ay, az, aw, px, py, pz)),
    ),
    ey: v128 = addW(
      addW(col(g, J_BETWEEN, 1), columnY(d0, d1, d2, d3)),
      subW(turnX(by, bz, bx, bw, sy, sz, sx), turnX(ay, az, ax, aw, py, pz, px)),
    ),
    ez: v128 = addW(
      addW(col(g, J_BETWEEN, 2), columnZ(d0, d1, d2, d3)),
      subW(turnX(bz, bx, by, bw, sz, sx, sy), turnX(az, ax, ay, aw, pz, px, py)),
    );
  const gx: v128 = col(g, J_GAP, 0),
    gy: v128 = col(g, J_GAP, 1),
    gz: v128 = col(g, J_GAP, 2);
  const taken: v128 = cappedRate(rate, dotW(gx, gy, gz, gx, gy, gz));
  const x: v128 = mulAddW(taken, gx, mulW(invH, subW(ex, gx))),
    y: v128 = mulAddW(taken, gy, mulW(invH, subW(ey, gy))),
    z: v128 = mulAddW(taken, gz, mulW(invH, subW(ez, gz)));
  const most: v128 = divW(splatW(MOST_MISS), maxW(sqrtW(dotW(x, y, z, x, y, z)), splatW(MOST_MISS)));
  setCol(g, J_MISS, 0, mulW(most, x));
  setCol(g, J_MISS, 1, mulW(most, y));
  setCol(g, J_MISS, 2, mulW(most, z));
}

/** Angular J_TORQUE of a plain form: what its impulse does with new levers (p of A, q of B) less that with those of before. */
// @ts-ignore: decorator
@inline
function swapTorques(g: usize, px: v128, py: v128, pz: v128, qx: v128, qy: v128, qz: v128): void {
  const x: v128 = col(g, J_IMPULSE, 0),
    y: v128 = col(g, J_IMPULSE, 1),
    z: v128 = col(g, J_IMPULSE, 2);
  const lx: v128 = col(g, J_LEVER_A, 0),
    ly: v128 = col(g, J_LEVER_A, 1),
    lz: v128 = col(g, J_LEVER_A, 2);
  setCol(g, J_TORQUE, 6, subW(crossW(py, z, pz, y), crossW(ly, z, lz, y)));
  setCol(g, J_TORQUE, 7, subW(crossW(pz, x, px, z), crossW(lz, x, lx, z)));
  setCol(g, J_TORQUE, 8, subW(crossW(px, y, py, x), crossW(lx, y, ly, x)));
  const mx: v128 = col(g, J_LEVER_B, 0),
    my: v128 = col(g, J_LEVER_B, 1),
    mz: v128 = col(g, J_LEVER_B, 2);
  setCol(g, J_TORQUE, 9, subW(crossW(qy, z, qz, y), crossW(my, z, mz, y)));
  setCol(g, J_TORQUE, 10, subW(crossW(qz, x, qx, z), crossW(mz, x, mx, z)));
  setCol(g, J_TORQUE, 11, subW(crossW(qx, y, qy, x), crossW(mx, y, my, x)));
}

/** The warm start of a plain form in substeps but the first, as by the functions for all forms. */
function warmPlain(g: usize, anew: bool): void {
  const x: v128 = col(g, J_IMPULSE, 0),
    y: v128 = col(g, J_IMPULSE, 1),
    z: v128 = col(g, J_IMPULSE, 2);
  limitRepeat(g, 0);
  if (anew && (load<u32>(g, J_FORM) & FORM_TREE) != 0) memory.fill(g + J_IMPULSE, 0, 48);
  const nx: v128 = col(g, J_IMPULSE, 0),
    ny: v128 = col(g, J_IMPULSE, 1),
    nz: v128 = col(g, J_IMPULSE, 2);
  const dx: v128 = subW(nx, x),
    dy: v128 = subW(ny, y),
    dz: v128 = subW(nz, z);
  const changes: v128 = f32x4.ne(v128.or(dx, v128.or(dy, dz)), splatW(0));
  const px: v128 = col(g, J_LEVER_A, 0),
    py: v128 = col(g, J_LEVER_A, 1),
    pz: v128 = col(g, J_LEVER_A, 2);
  const qx: v128 = col(g, J_LEVER_B, 0),
    qy: v128 = col(g, J_LEVER_B, 1),
    qz: v128 = col(g, J_LEVER_B, 2);
  if (v128.any_true(changes)) {
    push(
      <usize>load<u32>(g, J_ROW_A),
      <usize>load<u32>(g, J_ROW_A + 4),
      <usize>load<u32>(g, J_ROW_A + 8),
      <usize>load<u32>(g, J_ROW_A + 12),
      <usize>load<u32>(g, J_ROW_B),
      <usize>load<u32>(g, J_ROW_B + 4),
      <usize>load<u32>(g, J_ROW_B + 8),
      <usize>load<u32>(g, J_ROW_B + 12),
      dx,
      dy,
      dz,
    );
  }
  spinSide(
    g,
    J_INVERSE_A,
    J_ROW_A,
    negW(addW(crossW(py, nz, pz, ny), subW(col(g, J_TORQUE, 6), crossW(py, z, pz, y)))),
    negW(addW(crossW(pz, nx, px, nz), subW(col(g, J_TORQUE, 7), crossW(pz, x, px, z)))),
    negW(addW(crossW(px, ny, py, nx), subW(col(g, J_TORQUE, 8), crossW(px, y, py, x)))),
  );
  spinSide(
    g,
    J_INVERSE_B,
    J_ROW_B,
    addW(crossW(qy, nz, qz, ny), subW(col(g, J_TORQUE, 9), crossW(qy, z, qz, y))),
    addW(crossW(qz, nx, qx, nz), subW(col(g, J_TORQUE, 10), crossW(qz, x, qx, z))),
    addW(crossW(qx, ny, qy, nx), subW(col(g, J_TORQUE, 11), crossW(qx, y, qy, x))),
  );
}

/** Distance: the first axis points from anchor A to anchor B, the others are at right angles. */
function turnDistance(g: usize, ex: v128, ey: v128, ez: v128): void {
  const length: v128 = sqrtW(dotW(ex, ey, ez, ex, ey, ez));
  const known: v128 = greaterW(length, splatW(LEAST_SWING));
  const inverse: v128 = divW(splatW(1), maxW(length, splatW(LEAST_SWING)));
  const x: v128 = v128.and(mulW(ex, inverse), known),
    y: v128 = blendW(known, mulW(ey, inverse), splatW(1)),
    z: v128 = v128.and(mulW(ez, inverse), known);
  // Duff et al., "Building an Orthonormal Basis, Revisited" (2017).
  const sign: v128 = blendW(lessW(z, splatW(0)), splatW(-1), splatW(1));
  const a: v128 = divW(splatW(-1), addW(sign, z));
  const b: v128 = mulW(mulW(x, y), a);
  setCol(g, J_AXES, 0, x);
  setCol(g, J_AXES, 1, y);
  setCol(g, J_AXES, 2, z);
  setCol(g, J_AXES, 3, mulAddW(mulW(sign, mulW(x, x)), a, splatW(1)));
  setCol(g, J_AXES, 4, mulW(sign, b));
  setCol(g, J_AXES, 5, negW(mulW(sign, x)));
  setCol(g, J_AXES, 6, b);
  setCol(g, J_AXES, 7, mulAddW(mulW(y, y), a, sign));
  setCol(g, J_AXES, 8, negW(y));
  setCol(g, J_SWING, 0, length);
}

/** Axes of frame A in the world, angles of frame B in it, the axes of swing and twist. */
function turnAxes(g: usize, form: u32, ax: v128, ay: v128, az: v128, aw: v128, bx: v128, by: v128, bz: v128, bw: v128): void {
  const fx: v128 = col(g, J_FRAME_A, 0),
    fy: v128 = col(g, J_FRAME_A, 1),
    fz: v128 = col(g, J_FRAME_A, 2),
    fw: v128 = col(g, J_FRAME_A, 3);
  // Frames in the world: q f.
  const x: v128 = addW(addW(mulW(aw, fx), mulW(ax, fw)), crossW(ay, fz, az, fy)),
    y: v128 = addW(addW(mulW(aw, fy), mulW(ay, fw)), crossW(az, fx, ax, fz)),
    z: v128 = addW(addW(mulW(aw, fz), mulW(az, fw)), crossW(ax, fy, ay, fx)),
    w: v128 = subW(mulW(aw, fw), dotW(ax, ay, az, fx, fy, fz));
  const kx: v128 = col(g, J_FRAME_B, 0),
    ky: v128 = col(g, J_FRAME_B, 1),
    kz: v128 = col(g, J_FRAME_B, 2),
    kw: v128 = col(g, J_FRAME_B, 3);
  const ux: v128 = addW(addW(mulW(bw, kx), mulW(bx, kw)), crossW(by, kz, bz, ky)),
    uy: v128 = addW(addW(mulW(bw, ky), mulW(by, kw)), crossW(bz, kx, bx, kz)),
    uz: v128 = addW(addW(mulW(bw, kz), mulW(bz, kw)), crossW(bx, ky, by, kx)),
    uw: v128 = subW(mulW(bw, kw), dotW(bx, by, bz, kx, ky, kz));
  const one: v128 = splatW(1),
    two: v128 = splatW(2);
  const x2: v128 = addW(x, x),
    y2: v128 = addW(y, y),
    z2: v128 = addW(z, z);
  const xx: v128 = subW(one, addW(mulW(y, y2), mulW(z, z2))),
    xy: v128 = addW(mulW(x, y2), mulW(w, z2)),
    xz: v128 = subW(mulW(x, z2), mulW(w, y2));
  const yx: v128 = subW(mulW(x, y2), mulW(w, z2)),
    yy: v128 = subW(one, addW(mulW(x, x2), mulW(z, z2))),
    yz: v128 = addW(mulW(y, z2), mulW(w, x2));
  const zx: v128 = addW(mulW(x, z2), mulW(w, y2)),
    zy: v128 = subW(mulW(y, z2), mulW(w, x2)),
    zz: v128 = subW(one, addW(mulW(x, x2), mulW(y, y2)));
  setCol(g, J_AXES, 0, xx);
  setCol(g, J_AXES, 1, xy);
  setCol(g, J_AXES, 2, xz);
  setCol(g, J_AXES, 3, yx);
  setCol(g, J_AXES, 4, yy);
  setCol(g, J_AXES, 5, yz);
  setCol(g, J_AXES, 6, zx);
  setCol(g, J_AXES, 7, zy);
  setCol(g, J_AXES, 8, zz);
  // Frame B in frame A.
  let gx: v128 = subW(subW(mulW(w, ux), mulW(x, uw)), crossW(y, uz, z, uy)),
    gy: v128 = subW(subW(mulW(w, uy), mulW(y, uw)), crossW(z, ux, x, uz)),
    gz: v128 = subW(subW(mulW(w, uz), mulW(z, uw)), crossW(x, uy, y, ux)),
    gw: v128 = addW(mulW(w, uw), dotW(x, y, z, ux, uy, uz));
  const flip: v128 = v128.and(gw, splatW(-0.0));
  gx = v128.xor(gx, flip);
  gy = v128.xor(gy, flip);
  gz = v128.xor(gz, flip);
  gw = v128.xor(gw, flip);
  if ((form & FORM_LOCKED) >> 3 == 7) {
    // All locked: the rotation vector.
    const s: v128 = sqrtW(dotW(gx, gy, gz, gx, gy, gz));
    const angle: v128 = mulW(two, angleW(s, gw));
    const k: v128 = blendW(greaterW(s, splatW(LEAST_SWING)), divW(angle, maxW(s, splatW(LEAST_SWING))), two);
    setCol(g, J_ERROR, 0, mulW(k, gx));
    setCol(g, J_ERROR, 1, mulW(k, gy));
    setCol(g, J_ERROR, 2, mulW(k, gz));
    return;
  }
  const swing: v128 = mulW(two, angleW(sqrtW(addW(mulW(gx, gx), mulW(gy, gy))), sqrtW(addW(mulW(gz, gz), mulW(gw, gw)))));
  const twist: v128 = mulW(two, signedAngleW(gz, gw));
  // z of frame B in frame A: its cross product with z of A is the axis of the swing.
  const cx: v128 = mulW(two, addW(mulW(gx, gz), mulW(gw, gy))),
    cy: v128 = mulW(two, subW(mulW(gy, gz), mulW(gw, gx))),
    cz: v128 = subW(one, mulW(two, addW(mulW(gx, gx), mulW(gy, gy))));
  const s: v128 = sqrtW(addW(mulW(cx, cx), mulW(cy, cy)));
  const known: v128 = greaterW(s, splatW(LEAST_SWING));
  const k: v128 = blendW(known, divW(swing, maxW(s, splatW(LEAST_SWING))), one);
  const turns: v128 = f32x4.nearest(mulW(subW(col(g, J_TWIST, 0), twist), splatW(1 / FULL_TURN)));
  const counted: v128 = mulAddW(turns, splatW(FULL_TURN), twist);
  if ((form & FORM_GEAR) != 0) {
    for (let i: usize = 0; i < 3; i++)
      setCol(
        g,
        J_AXES,
        3 + i,
        addW(addW(mulW(col(g, J_AXES, i), cx), mulW(col(g, J_AXES, 3 + i), cy)), mulW(col(g, J_AXES, 6 + i), cz)),
      );
    return;
  }
  setCol(g, J_ERROR, 0, negW(mulW(k, cy)));
  setCol(g, J_ERROR, 1, mulW(k, cx));
  setCol(g, J_ERROR, 2, counted);
  setCol(g, J_TWIST, 0, counted);
  setCol(g, J_SWING, 0, swing);
  // Axes of units in the world: of the twist, (z + z_B) / (1 + z . z_B); of the swing, z x z_B, x of A where that is nothing.
  // They are left in the units that have them.
  const d: u32 = driven(form);
  if ((d & 96) == 0 && (form & FORM_LOCKED & 32) == 0) return;
  const bxw: v128 = addW(addW(mulW(xx, cx), mulW(yx, cy)), mulW(zx, cz)),
    byw: v128 = addW(addW(mulW(xy, cx), mulW(yy, cy)), mulW(zy, cz)),
    bzw: v128 = addW(addW(mulW(xz, cx), mulW(yz, cy)), mulW(zz, cz));
  const share: v128 = divW(one, maxW(addW(one, cz), splatW(0.05)));
  const tx: v128 = mulW(addW(zx, bxw), share),
    ty: v128 = mulW(addW(zy, byw), share),
    tz: v128 = mulW(addW(zz, bzw), share);
  v128.store(g, minW(one, mulW(maxW(addW(one, cz), splatW(0)), splatW(20))), J_FADE);
  if ((form & FORM_LOCKED & 32) != 0) {
    // Twist locked, swing not: along the twist axis, of length 1, and two at right angles to it.
    const n: v128 = divW(one, sqrtW(maxW(dotW(tx, ty, tz, tx, ty, tz), splatW(1e-6))));
    const ox: v128 = mulW(tx, n),
      oy: v128 = mulW(ty, n),
      oz: v128 = mulW(tz, n);
    const along: v128 = dotW(xx, xy, xz, ox, oy, oz);
    let vx: v128 = subW(xx, mulW(along, ox)),
      vy: v128 = subW(xy, mulW(along, oy)),
      vz: v128 = subW(xz, mulW(along, oz));
    const m: v128 = divW(one, sqrtW(maxW(dotW(vx, vy, vz, vx, vy, vz), splatW(1e-12))));
    vx = mulW(vx, m);
    vy = mulW(vy, m);
    vz = mulW(vz, m);
    if ((form & FORM_LOCKED & LINEAR_AXES) == 0 || (form & FORM_LOCKED & LINEAR_AXES) == LINEAR_AXES) {
      setCol(g, J_AXES, 0, vx);
      setCol(g, J_AXES, 1, vy);
      setCol(g, J_AXES, 2, vz);
      setCol(g, J_AXES, 3, crossW(oy, vz, oz, vy));
      setCol(g, J_AXES, 4, crossW(oz, vx, ox, vz));
      setCol(g, J_AXES, 5, crossW(ox, vy, oy, vx));
      setCol(g, J_AXES, 6, ox);
      setCol(g, J_AXES, 7, oy);
      setCol(g, J_AXES, 8, oz);
      setCol(g, J_ERROR, 2, mulW(counted, n));
    }
  }
  const inverse: v128 = divW(one, maxW(s, splatW(LEAST_SWING)));
  const nx: v128 = v128.and(mulW(cx, inverse), known),
    ny: v128 = blendW(known, negW(mulW(cy, inverse)), one); // axis -cy x + cx y
  let unit: usize = g + HEAD_BYTES;
  for (let axis: u32 = 0; axis < 7; axis++) {
    if ((d & (1 << axis)) == 0) continue;
    if (axis == 5) setAxis(unit, tx, ty, tz);
    if (axis == 6)
      setAxis(unit, addW(mulW(xx, ny), mulW(yx, nx)), addW(mulW(xy, ny), mulW(yy, nx)), addW(mulW(xz, ny), mulW(yz, nx)));
    unit += UNIT_BYTES;
  }
}

// @ts-ignore: decorator
@inline
function setAxis(unit: usize, x: v128, y: v128, z: v128): void {
  setCol(unit, U_ANGULAR_A, 0, x);
  setCol(unit, U_ANGULAR_A, 1, y);
  setCol(unit, U_ANGULAR_A, 2, z);
}

/** A pulley: its unit's row from wheels to anchors; J_GAP is not used. */
function turnPulley(
  g: usize,
  rax: v128,
  ray: v128,
  raz: v128,
  rbx: v128,
  rby: v128,
  rbz: v128,
  da0: v128,
  da1: v128,
  da2: v128,
  da3: v128,
  db0: v128,
  db1: v128,
  db2: v128,
  db3: v128,
): void {
  const unit: usize = g + HEAD_BYTES;
  setCol(g, J_LEVER_A, 0, rax);
  setCol(g, J_LEVER_A, 1, ray);
  setCol(g, J_LEVER_A, 2, raz);
  // From the wheels: centers seen from them at the start of the step lie in J_FRAME_A and J_FRAME_B (begin.ts).
  const ax: v128 = addW(addW(col(g, J_FRAME_A, 0), columnX(da0, da1, da2, da3)), rax),
    ay: v128 = addW(addW(col(g, J_FRAME_A, 1), columnY(da0, da1, da2, da3)), ray),
    az: v128 = addW(addW(col(g, J_FRAME_A, 2), columnZ(da0, da1, da2, da3)), raz);
  const bx: v128 = addW(addW(col(g, J_FRAME_B, 0), columnX(db0, db1, db2, db3)), rbx),
    by: v128 = addW(addW(col(g, J_FRAME_B, 1), columnY(db0, db1, db2, db3)), rby),
    bz: v128 = addW(addW(col(g, J_FRAME_B, 2), columnZ(db0, db1, db2, db3)), rbz);
  const lengthA: v128 = sqrtW(dotW(ax, ay, az, ax, ay, az)),
    lengthB: v128 = sqrtW(dotW(bx, by, bz, bx, by, bz));
  const ratio: v128 = v128.load(unit, U_TARGET);
  const sa: v128 = divW(splatW(-1), maxW(lengthA, splatW(1e-6))),
    sb: v128 = divW(ratio, maxW(lengthB, splatW(1e-6)));
  setCol(unit, U_LINEAR_A, 0, mulW(sa, ax));
  setCol(unit, U_LINEAR_A, 1, mulW(sa, ay));
  setCol(unit, U_LINEAR_A, 2, mulW(sa, az));
  setCol(unit, U_LINEAR_B, 0, mulW(sb, bx));
  setCol(unit, U_LINEAR_B, 1, mulW(sb, by));
  setCol(unit, U_LINEAR_B, 2, mulW(sb, bz));
  v128.store(unit, mulAddW(ratio, lengthB, lengthA), U_PLACE);
}

/** Adds `sign` times friction by load, which has no lever, to J_TORQUE. */
function addRub(g: usize, sign: v128): void {
  const x: v128 = col(g, J_RUB, 0),
    y: v128 = col(g, J_RUB, 1),
    z: v128 = col(g, J_RUB, 2);
  addTo(g, 6, sign, x, y, z);
  addTo(g, 9, sign, x, y, z);
}

/**
 * Adds `sign` times what a joint holds to J_TORQUE: impulses on A and B, torques on A and B, of units and, with `axes`, of locked
 * axes, with levers and axes as they lie there.
 */
export function addHeld(g: usize, form: u32, sign: v128, axes: bool): void {
  let ax: v128 = splatW(0),
    ay: v128 = splatW(0),
    az: v128 = splatW(0);
  let bx: v128 = ax,
    by: v128 = ax,
    bz: v128 = ax;
  let ux: v128 = ax,
    uy: v128 = ax,
    uz: v128 = ax;
  let vx: v128 = ax,
    vy: v128 = ax,
    vz: v128 = ax;
  let holds: bool = axes && (form & FORM_LOCKED) != 0;
  if (holds) {
    ax = col(g, J_IMPULSE, 0);
    ay = col(g, J_IMPULSE, 1);
    az = col(g, J_IMPULSE, 2);
    bx = ax;
    by = ay;
    bz = az;
    const ix: v128 = col(g, J_IMPULSE, 3),
      iy: v128 = col(g, J_IMPULSE, 4),
      iz: v128 = col(g, J_IMPULSE, 5);
    const lx: v128 = col(g, J_LEVER_A, 0),
      ly: v128 = col(g, J_LEVER_A, 1),
      lz: v128 = col(g, J_LEVER_A, 2);
    const mx: v128 = col(g, J_LEVER_B, 0),
      my: v128 = col(g, J_LEVER_B, 1),
      mz: v128 = col(g, J_LEVER_B, 2);
    ux = addW(addW(ux, ix), crossW(ly, az, lz, ay));
    uy = addW(addW(uy, iy), crossW(lz, ax, lx, az));
    uz = addW(addW(uz, iz), crossW(lx, ay, ly, ax));
    vx = addW(addW(vx, ix), crossW(my, az, mz, ay));
    vy = addW(addW(vy, iy), crossW(mz, ax, mx, az));
    vz = addW(addW(vz, iz), crossW(mx, ay, my, ax));
  }
  let unit: usize = g + HEAD_BYTES;
  for (let k: u32 = load<u32>(g, J_FORM + 4); k != 0; k--) {
    const z: v128 = addW(addW(v128.load(unit, U_LIMIT), v128.load(unit, U_DRIVE)), v128.load(unit, U_RUB));
    if (!v128.any_true(f32x4.ne(z, splatW(0)))) {
      unit += UNIT_BYTES;
      continue;
    }
    holds = true;
    ax = mulAddW(z, col(unit, U_LINEAR_A, 0), ax);
    ay = mulAddW(z, col(unit, U_LINEAR_A, 1), ay);
    az = mulAddW(z, col(unit, U_LINEAR_A, 2), az);
    bx = mulAddW(z, col(unit, U_LINEAR_B, 0), bx);
    by = mulAddW(z, col(unit, U_LINEAR_B, 1), by);
    bz = mulAddW(z, col(unit, U_LINEAR_B, 2), bz);
    ux = mulAddW(z, col(unit, U_ANGULAR_A, 0), ux);
    uy = mulAddW(z, col(unit, U_ANGULAR_A, 1), uy);
    uz = mulAddW(z, col(unit, U_ANGULAR_A, 2), uz);
    vx = mulAddW(z, col(unit, U_ANGULAR_B, 0), vx);
    vy = mulAddW(z, col(unit, U_ANGULAR_B, 1), vy);
    vz = mulAddW(z, col(unit, U_ANGULAR_B, 2), vz);
    unit += UNIT_BYTES;
  }
  if (!holds) return;
  addTo(g, 0, sign, ax, ay, az);
  addTo(g, 3, sign, bx, by, bz);
  addTo(g, 6, sign, ux, uy, uz);
  addTo(g, 9, sign, vx, vy, vz);
}

// @ts-ignore: decorator
@inline
function addTo(g: usize, k: usize, sign: v128, x: v128, y: v128, z: v128): void {
  setCol(g, J_TORQUE, k, mulAddW(sign, x, col(g, J_TORQUE, k)));
  setCol(g, J_TORQUE, k + 1, mulAddW(sign, y, col(g, J_TORQUE, k + 1)));
  setCol(g, J_TORQUE, k + 2, mulAddW(sign, z, col(g, J_TORQUE, k + 2)));
}

/** What is taken back from bodies whose inertia rose. */
function raiseTorques(g: usize): void {
  const a: v128 = raiseOf(g, J_BODY_A),
    b: v128 = raiseOf(g, J_BODY_B);
  for (let k: usize = 6; k < 9; k++) {
    setCol(g, J_TORQUE, k, mulW(a, col(g, J_TORQUE, k)));
    setCol(g, J_TORQUE, k + 3, mulW(b, col(g, J_TORQUE, k + 3)));
  }
}
function raiseOf(g: usize, bodies: usize): v128 {
  return f32x4(
    load<f32>(<usize>load<u32>(g + bodies), B_RAISE),
    load<f32>(<usize>load<u32>(g + bodies, 4), B_RAISE),
    load<f32>(<usize>load<u32>(g + bodies, 8), B_RAISE),
    load<f32>(<usize>load<u32>(g + bodies, 12), B_RAISE),
  );
}

/** Whether some of three axes are locked, and not all. */
function isPartial(mask: u32): bool {
  return mask != 0 && mask != 7;
}

/**
 * Impulses that are repeated: at most twice those of the substep before, and along what is locked now. Those of a tree are
 * repeated whole: its joints balance each other, and a share of each would not.
 */
function limitRepeats(g: usize, form: u32): void {
  const locked: u32 = form & FORM_LOCKED;
  const tree: bool = (form & FORM_TREE) != 0;
  if (locked != 0) {
    if (!tree) limitRepeat(g, 0);
    if (isPartial(locked & 7)) projectImpulse(g, 0, locked & 7);
    if (locked >> 3 != 0) {
      if (!tree) limitRepeat(g, 1);
      if (isPartial(locked >> 3)) projectImpulse(g, 3, locked >> 3);
    }
  }
  let unit: usize = g + HEAD_BYTES;
  for (let k: u32 = load<u32>(g, J_FORM + 4); k != 0; k--) {
    const z: v128 = v128.load(unit, U_LIMIT);
    const twice: v128 = mulW(v128.load(unit, U_PREVIOUS), splatW(2));
    v128.store(unit, absW(z), U_PREVIOUS);
    v128.store(unit, maxW(negW(twice), minW(z, twice)), U_LIMIT);
    unit += UNIT_BYTES;
  }
}

/** part 0: linear, 1: angular. */
// @ts-ignore: decorator
@inline
function limitRepeat(g: usize, part: usize): void {
  const at: usize = g + J_IMPULSE + part * 48;
  const x: v128 = v128.load(at),
    y: v128 = v128.load(at, 16),
    z: v128 = v128.load(at, 32);
  const length: v128 = sqrtW(dotW(x, y, z, x, y, z));
  const previous: usize = g + J_PREVIOUS + part * 16;
  const twice: v128 = mulW(v128.load(previous), splatW(2));
  v128.store(previous, length);
  const share: v128 = minW(splatW(1), divW(twice, maxW(length, splatW(1e-30))));
  v128.store(at, mulW(x, share));
  v128.store(at, mulW(y, share), 16);
  v128.store(at, mulW(z, share), 32);
}

/** The part of an impulse along the axes of a mask. */
function projectImpulse(g: usize, k: usize, mask: u32): void {
  const x: v128 = col(g, J_IMPULSE, k),
    y: v128 = col(g, J_IMPULSE, k + 1),
    z: v128 = col(g, J_IMPULSE, k + 2);
  let px: v128 = splatW(0),
    py: v128 = splatW(0),
    pz: v128 = splatW(0);
  for (let axis: usize = 0; axis < 3; axis++) {
    if ((mask & (1 << (<u32>axis))) == 0) continue;
    const nx: v128 = col(g, J_AXES, 3 * axis),
      ny: v128 = col(g, J_AXES, 3 * axis + 1),
      nz: v128 = col(g, J_AXES, 3 * axis + 2);
    const along: v128 = dotW(nx, ny, nz, x, y, z);
    px = mulAddW(along, nx, px);
    py = mulAddW(along, ny, py);
    pz = mulAddW(along, nz, pz);
  }
  setCol(g, J_IMPULSE, k, px);
  setCol(g, J_IMPULSE, k + 1, py);
  setCol(g, J_IMPULSE, k + 2, pz);
}

/** Rows of the units: directions, levers, places, effective masses. Twist and cone have their axes in U_ANGULAR_A. */
function turnUnits(g: usize, form: u32): void {
  const count: u32 = load<u32>(g, J_FORM + 4);
  if (count == 0) return;
  let unit: usize = g + HEAD_BYTES;
  if ((form & FORM_PULLEY) != 0) {
    crossLever(unit, U_ANGULAR_A, g + J_LEVER_A, unit + U_LINEAR_A);
    crossLever(unit, U_ANGULAR_B, g + J_LEVER_B, unit + U_LINEAR_B);
    unitMass(g, unit);
    return;
  }
  if ((form & FORM_GEAR) != 0) {
    // z of frame A on A, ratio times z of frame B on B: u = ratio zB . wB + zA . wA.
    const ratio: v128 = v128.load(unit, U_TARGET);
    for (let k: usize = 0; k < 3; k++) setCol(unit, U_ANGULAR_A, k, negW(col(g, J_AXES, 6 + k)));
    const share: v128 = ratio;
    for (let k: usize = 0; k < 3; k++) setCol(unit, U_ANGULAR_B, k, mulW(share, col(g, J_AXES, 3 + k)));
    v128.store(unit, v128.load(g, J_TWIST), U_PLACE);
    unitMass(g, unit);
    return;
  }
  for (let axis: u32 = 0; axis < 7; axis++) {
    if ((driven(form) & (1 << axis)) == 0) continue;
    if (axis < 3) {
      for (let k: usize = 0; k < 3; k++) {
        const n: v128 = col(g, J_AXES, 3 * <usize>axis + k);
        setCol(unit, U_LINEAR_A, k, n);
        setCol(unit, U_LINEAR_B, k, n);
      }
      crossLever(unit, U_ANGULAR_A, g + J_LEVER_A, unit + U_LINEAR_A);
      crossLever(unit, U_ANGULAR_B, g + J_LEVER_B, unit + U_LINEAR_B);
      const along: v128 = dotW(
        col(unit, U_LINEAR_A, 0),
        col(unit, U_LINEAR_A, 1),
        col(unit, U_LINEAR_A, 2),
        col(g, J_GAP, 0),
        col(g, J_GAP, 1),
        col(g, J_GAP, 2),
      );
      v128.store(unit, along, U_PLACE);
    } else {
      for (let k: usize = 0; k < 3; k++) {
        if (axis < 5) setCol(unit, U_ANGULAR_A, k, col(g, J_AXES, 3 * <usize>(axis - 3) + k));
        setCol(unit, U_ANGULAR_B, k, col(unit, U_ANGULAR_A, k));
      }
      v128.store(unit, axis == 6 ? v128.load(g, J_SWING) : col(g, J_ERROR, <usize>(axis - 3)), U_PLACE);
    }
    unitMass(g, unit);
    if (axis == 5) {
      v128.store(unit, mulW(v128.load(unit, U_MASS), v128.load(g, J_FADE)), U_MASS);
      v128.store(unit, v128.load(unit, U_MASS), U_MASS_HELD);
    }
    unit += UNIT_BYTES;
  }
}

/** To column `to` of a unit: lever x direction. */
function crossLever(unit: usize, to: usize, lever: usize, direction: usize): void {
  const lx: v128 = v128.load(lever),
    ly: v128 = v128.load(lever, 16),
    lz: v128 = v128.load(lever, 32);
  const nx: v128 = v128.load(direction),
    ny: v128 = v128.load(direction, 16),
    nz: v128 = v128.load(direction, 32);
  setCol(unit, to, 0, crossW(ly, nz, lz, ny));
  setCol(unit, to, 1, crossW(lz, nx, lx, nz));
  setCol(unit, to, 2, crossW(lx, ny, ly, nx));
}

/** I^-1 times the angular part of a row on one side, to column `to`; adds what it and 1 / m give to K. Bodies: of the head. */
function spin(unit: usize, inverse: usize, mass: v128, linear: usize, angular: usize, to: usize, k: v128): v128 {
  const x: v128 = col(unit, angular, 0),
    y: v128 = col(unit, angular, 1),
    z: v128 = col(unit, angular, 2);
  const xy: v128 = v128.load(inverse, 48),
    xz: v128 = v128.load(inverse, 64),
    yz: v128 = v128.load(inverse, 80);
  const sx: v128 = symX(v128.load(inverse), xy, xz, x, y, z),
    sy: v128 = symX(xy, v128.load(inverse, 16), yz, x, y, z),
    sz: v128 = symX(xz, yz, v128.load(inverse, 32), x, y, z);
  setCol(unit, to, 0, sx);
  setCol(unit, to, 1, sy);
  setCol(unit, to, 2, sz);
  const nx: v128 = col(unit, linear, 0),
    ny: v128 = col(unit, linear, 1),
    nz: v128 = col(unit, linear, 2);
  return addW(k, addW(mulW(mass, dotW(nx, ny, nz, nx, ny, nz)), dotW(sx, sy, sz, x, y, z)));
}

/** Effective mass of a unit; U_MASS_HELD is that of block.ts where locked axes hold. */
function unitMass(g: usize, unit: usize): void {
  let k: v128 = spin(unit, g + J_INVERSE_A, v128.load(g, J_MASSES), U_LINEAR_A, U_ANGULAR_A, U_SPIN_A, splatW(0));
  k = spin(unit, g + J_INVERSE_B, v128.load(g, J_MASSES + 16), U_LINEAR_B, U_ANGULAR_B, U_SPIN_B, k);
  const mass: v128 = v128.and(divW(splatW(1), k), greaterW(k, splatW(0)));
  v128.store(unit, mass, U_MASS);
  v128.store(unit, mass, U_MASS_HELD);
  for (let i: usize = 0; i < 6; i++) setCol(unit, U_LOCKED_SHARE, i, splatW(0));
}

/** Friction by load: factors of the angular mobility, I_A^-1 + I_B^-1, and the step where it slips. */
function turnRub(g: usize): void {
  const xx: v128 = addW(col(g, J_INVERSE_A, 0), col(g, J_INVERSE_B, 0)),
    yy: v128 = addW(col(g, J_INVERSE_A, 1), col(g, J_INVERSE_B, 1)),
    zz: v128 = addW(col(g, J_INVERSE_A, 2), col(g, J_INVERSE_B, 2)),
    xy: v128 = addW(col(g, J_INVERSE_A, 3), col(g, J_INVERSE_B, 3)),
    xz: v128 = addW(col(g, J_INVERSE_A, 4), col(g, J_INVERSE_B, 4)),
    yz: v128 = addW(col(g, J_INVERSE_A, 5), col(g, J_INVERSE_B, 5));
  factor3(g + J_RUB_MASS, xx, yy, zz, xy, xz, yz);
  let trace: v128 = addW(addW(xx, yy), zz);
  if ((load<u32>(g, J_FORM) & FORM_LOCKED) >> 3 == 3) {
    // One row along the axis of a hinge.
    const nx: v128 = col(g, J_AXES, 6),
      ny: v128 = col(g, J_AXES, 7),
      nz: v128 = col(g, J_AXES, 8);
    trace = dotW(nx, ny, nz, symX(xx, xy, xz, nx, ny, nz), symX(xy, yy, yz, nx, ny, nz), symX(xz, yz, zz, nx, ny, nz));
  }
  v128.store(g, v128.and(divW(splatW(1), trace), greaterW(trace, splatW(0))), J_RUB_STEP);
}

/** Applies J_TORQUE. */
function giveAgain(g: usize): void {
  give(g, J_INVERSE_A, J_ROW_A, 0, 6, splatW(-1));
  give(g, J_INVERSE_B, J_ROW_B, 3, 9, splatW(1));
}

/** sign times the impulse at column p and the torque at column t of J_TORQUE, to the bodies of one side. */
function give(g: usize, inverse: usize, rows: usize, p: usize, t: usize, sign: v128): void {
  const x: v128 = mulW(sign, col(g, J_TORQUE, t)),
    y: v128 = mulW(sign, col(g, J_TORQUE, t + 1)),
    z: v128 = mulW(sign, col(g, J_TORQUE, t + 2));
  pushSide(g + rows, g + J_TORQUE + (p << 4), sign);
  spinSide(g, inverse, rows, x, y, z);
}
