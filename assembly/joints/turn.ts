// Updates joints after bodies have moved: arms, gaps, axes and angles from the present poses. At the start of a substep it also
// corrects the warm start for the rotation of the bodies.
//
// Bodies move between the soft pass and the relax pass. The relax pass has the rows of the new poses, and so does the next soft
// pass. With half of the centripetal motion in the soft pass (tree.ts) this is RATTLE, which loses no energy to the turn of rows.
// The warm start repeats the effect of the last substep's impulses on velocities. Impulses of its soft pass acted with the arms
// and the inertia from before the move. So their effect is removed with these and added again with the new ones. Inertia matters
// as much as arms: a torque on a top, repeated with the old inertia, has a part along the new axis, and the top would gain spin
// in each substep.
// An impulse of locked axes or a limit that more than doubled is repeated up to twice its previous value, as for contacts
// (wide_sweep.ts). In the first substep it is applied whole.
// Input: JointBody, BodyRow, impulses. Output: columns of the head and of units; BodyRow.
// Source: angles and their axes as docs/joint_solver.md, "Six axes".
import {
  AddressLanes,
  JointBody,
  JointGroup,
  JointParameters,
  JointScratch,
  JointUnit,
  SymmetricLanes,
  VECTOR_LANES_STRIDE,
  VectorLanes,
} from '../layout.generated';
import { columnW, columnX, columnY, columnZ } from '../lanes/columns';
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
import { flipBy } from '../math/number';
import { VectorW } from '../math/vector';
import {
  AxisZ,
  HeldTurn,
  SwingAxis,
  SwingRow,
  Turn,
  axisZ,
  countedTwist,
  hasSingularity,
  heldSwingX,
  heldSwingY,
  heldX,
  heldY,
  heldZ,
  inverseLength,
  isRegular,
  swingAxis,
  swingFactor,
  swingOf,
  swingRowX,
  swingRowY,
  swingSine,
  swingSquare,
  turnFactor,
  twistAxisShare,
  twistOf,
} from '../rows/joint_angles';
import { addSpins, loadBodies, pushBodies, pushSide } from './anchors';
import { crossW, factor3, setCol, symRow, symX } from './columns';
import {
  FORM_DISTANCE,
  FORM_FLOATS,
  FORM_FRICTION,
  FORM_GEAR,
  FORM_LOCKED,
  FORM_PULLEY,
  FORM_TREE,
  LINEAR_AXES,
  angularA,
  angularB,
  angularImpulse,
  armA,
  armB,
  axisAt,
  bodiesA,
  bodiesB,
  driven,
  errorAt,
  firstUnit,
  frictionMass,
  givenA,
  givenB,
  givenSpinA,
  givenSpinB,
  givenTurnA,
  givenTurnB,
  hasAxes,
  heldA,
  heldB,
  inverseA,
  inverseB,
  isPlain,
  linearA,
  linearB,
  linearImpulse,
  nextUnit,
  rowsA,
  rowsB,
  shareOf,
  spinA,
  spinB,
} from './layout';
import { ropeLength, ropeShare } from '../rows/joint_drive';
import { cappedRate } from '../rows/joint_softness';
import { boundRow, boundedShare } from '../rows/row';
import { jointScratch } from './state';

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
 * Start of a substep for the groups named in [list, end): the warm start. `first`: of the first substep; `anew`: impulses of the
 * locked axes of trees are not repeated, since their exact solve would remove them again (docs/joint_trees.md, "Light links under
 * loads").
 */
export function warmJoints(list: usize, end: usize, first: bool, anew: bool): void {
  for (; list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    const form: u32 = g.form;
    if ((form & FORM_FLOATS) != 0) continue;
    if (!first && isPlain(form)) {
      warmPlain(g, anew);
      continue;
    }
    // The locked axes of a tree are repeated whole: nothing of them changes here, except parts that are not along them any more.
    const alone: bool = first || anew || (form & FORM_TREE) == 0;
    const pushes: bool = alone || isPartial(form & 7) || (driven(form) & LINEAR_AXES) != 0;
    const axes: bool = alone || isPartial(form & 7) || isPartial((form & FORM_LOCKED) >> 3);
    if (first) clearGiven(g);
    else addHeld(g, form, splatW(-1), axes);
    limitRepeats(g, form);
    if (anew && (form & FORM_TREE) != 0) memory.fill(changetype<usize>(linearImpulse(g)), 0, 2 * VECTOR_LANES_STRIDE);
    if (first && (form & FORM_FRICTION) != 0) addFriction(g, splatW(1));
    addHeld(g, form, splatW(1), axes);
    giveAgain(g, pushes);
  }
}

/** The same where rows have not been turned since the last pass: only impulses of limits that more than doubled change. */
export function repeatUnits(list: usize, end: usize): void {
  for (; list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    const form: u32 = g.form;
    let grows: v128 = splatW(0);
    let unit: JointUnit = firstUnit(g);
    for (let k: u32 = g.units; k != 0; k--) {
      const z: v128 = absW(unit.limit),
        before: v128 = unit.previous;
      grows = v128.or(grows, greaterW(z, addW(before, before)));
      unit = nextUnit(unit);
    }
    if (!v128.any_true(grows)) {
      unit = firstUnit(g);
      for (let k: u32 = g.units; k != 0; k--) {
        unit.previous = absW(unit.limit);
        unit = nextUnit(unit);
      }
      continue;
    }
    clearGiven(g);
    addHeld(g, form, splatW(-1), false);
    limitRepeats(g, form);
    addHeld(g, form, splatW(1), false);
    giveAgain(g, true);
  }
}

/** Updates a group to the present poses and inertia; `first`: at the start of a step, when nothing is corrected. */
export function turnGroup(g: JointGroup, first: bool): void {
  const form: u32 = g.form;
  if ((form & FORM_FLOATS) != 0) return;
  const plain: bool = isPlain(form & ~FORM_TREE);
  if (!first) {
    // Removes the effect of impulses with the old arms and the old inertia.
    clearGiven(g);
    if (plain) addTorques(g, splatW(-1));
    else addHeld(g, form, splatW(-1), true);
    if ((form & FORM_FRICTION) != 0) addFriction(g, splatW(-1));
    spinTurns(inverseA(g), givenTurnA(g), givenSpinA(g));
    spinTurns(inverseB(g), givenTurnB(g), givenSpinB(g));
  }
  const s: JointScratch = jointScratch();
  placeAnchors(g, s);
  if ((form & FORM_PULLEY) != 0) {
    turnPulley(g, s);
  } else {
    const px: v128 = addW(s.anchorAX, s.gapX),
      py: v128 = addW(s.anchorAY, s.gapY),
      pz: v128 = addW(s.anchorAZ, s.gapZ);
    g.gapX = s.gapX;
    g.gapY = s.gapY;
    g.gapZ = s.gapZ;
    g.armAX = px;
    g.armAY = py;
    g.armAZ = pz;
    if ((form & FORM_DISTANCE) != 0) turnDistance(g);
    else if (hasAxes(form) || (form & FORM_GEAR) != 0) turnAxes(g, form, s);
  }
  g.armBX = s.anchorBX;
  g.armBY = s.anchorBY;
  g.armBZ = s.anchorBZ;
  loadBodies(g);
  turnUnits(g, form);
  if ((form & FORM_FRICTION) != 0) turnFriction(g);
  if (first) return;
  if (plain) addTorques(g, splatW(1));
  else addHeld(g, form, splatW(1), true);
  if ((form & FORM_FRICTION) != 0) addFriction(g, splatW(1));
}

/** Writes rotations, anchors and their gap at the present poses to the scratch. */
function placeAnchors(g: JointGroup, s: JointScratch): void {
  const ofA: AddressLanes = bodiesA(g),
    ofB: AddressLanes = bodiesB(g);
  const a0: JointBody = changetype<JointBody>(ofA.at0),
    a1: JointBody = changetype<JointBody>(ofA.at1),
    a2: JointBody = changetype<JointBody>(ofA.at2),
    a3: JointBody = changetype<JointBody>(ofA.at3);
  const b0: JointBody = changetype<JointBody>(ofB.at0),
    b1: JointBody = changetype<JointBody>(ofB.at1),
    b2: JointBody = changetype<JointBody>(ofB.at2),
    b3: JointBody = changetype<JointBody>(ofB.at3);
  const qa0: v128 = a0.rotation,
    qa1: v128 = a1.rotation,
    qa2: v128 = a2.rotation,
    qa3: v128 = a3.rotation;
  const ax: v128 = columnX(qa0, qa1, qa2, qa3),
    ay: v128 = columnY(qa0, qa1, qa2, qa3),
    az: v128 = columnZ(qa0, qa1, qa2, qa3),
    aw: v128 = columnW(qa0, qa1, qa2, qa3);
  const qb0: v128 = b0.rotation,
    qb1: v128 = b1.rotation,
    qb2: v128 = b2.rotation,
    qb3: v128 = b3.rotation;
  const bx: v128 = columnX(qb0, qb1, qb2, qb3),
    by: v128 = columnY(qb0, qb1, qb2, qb3),
    bz: v128 = columnZ(qb0, qb1, qb2, qb3),
    bw: v128 = columnW(qb0, qb1, qb2, qb3);
  s.rotationAX = ax;
  s.rotationAY = ay;
  s.rotationAZ = az;
  s.rotationAW = aw;
  s.rotationBX = bx;
  s.rotationBY = by;
  s.rotationBZ = bz;
  s.rotationBW = bw;
  const px: v128 = g.anchorAX,
    py: v128 = g.anchorAY,
    pz: v128 = g.anchorAZ;
  const rax: v128 = turnX(ax, ay, az, aw, px, py, pz),
    ray: v128 = turnX(ay, az, ax, aw, py, pz, px),
    raz: v128 = turnX(az, ax, ay, aw, pz, px, py);
  const sx: v128 = g.anchorBX,
    sy: v128 = g.anchorBY,
    sz: v128 = g.anchorBZ;
  const rbx: v128 = turnX(bx, by, bz, bw, sx, sy, sz),
    rby: v128 = turnX(by, bz, bx, bw, sy, sz, sx),
    rbz: v128 = turnX(bz, bx, by, bw, sz, sx, sy);
  s.anchorAX = rax;
  s.anchorAY = ray;
  s.anchorAZ = raz;
  s.anchorBX = rbx;
  s.anchorBY = rby;
  s.anchorBZ = rbz;
  const d0: v128 = subW(b0.travel, a0.travel),
    d1: v128 = subW(b1.travel, a1.travel),
    d2: v128 = subW(b2.travel, a2.travel),
    d3: v128 = subW(b3.travel, a3.travel);
  s.gapX = addW(addW(g.betweenX, columnX(d0, d1, d2, d3)), subW(rbx, rax));
  s.gapY = addW(addW(g.betweenY, columnY(d0, d1, d2, d3)), subW(rby, ray));
  s.gapZ = addW(addW(g.betweenZ, columnZ(d0, d1, d2, d3)), subW(rbz, raz));
}

/**
 * Bodies are at the end of a motion of a substep that is tried: the speed by which the anchors of a group miss where the soft
 * pass means them to be, all of the gap but JointParameters.treeRate of it gone. For forms that lock all linear axes; 0 for
 * others.
 */
export function missOf(g: JointGroup, step: JointParameters): void {
  const form: u32 = g.form;
  if ((form & FORM_FLOATS) != 0) return;
  if ((form & LINEAR_AXES) != LINEAR_AXES || (form & FORM_DISTANCE) != 0) {
    g.missX = splatW(0);
    g.missY = splatW(0);
    g.missZ = splatW(0);
    return;
  }
  const s: JointScratch = jointScratch();
  placeAnchors(g, s);
  const gx: v128 = g.gapX,
    gy: v128 = g.gapY,
    gz: v128 = g.gapZ;
  const taken: v128 = cappedRate<v128>(step.treeRate, dotW(gx, gy, gz, gx, gy, gz));
  const invH: v128 = step.invH;
  const x: v128 = mulAddW(taken, gx, mulW(invH, subW(s.gapX, gx))),
    y: v128 = mulAddW(taken, gy, mulW(invH, subW(s.gapY, gy))),
    z: v128 = mulAddW(taken, gz, mulW(invH, subW(s.gapZ, gz)));
  const most: v128 = divW(splatW(MOST_MISS), maxW(sqrtW(dotW(x, y, z, x, y, z)), splatW(MOST_MISS)));
  g.missX = mulW(most, x);
  g.missY = mulW(most, y);
  g.missZ = mulW(most, z);
}

/** Adds `sign` times the torques of a plain form, by its impulse on its arms, to the given turns. */
// @ts-ignore: decorator
@inline
function addTorques(g: JointGroup, sign: v128): void {
  const x: v128 = g.impulseX,
    y: v128 = g.impulseY,
    z: v128 = g.impulseZ;
  const px: v128 = g.armAX,
    py: v128 = g.armAY,
    pz: v128 = g.armAZ;
  addTo(givenTurnA(g), sign, crossW(py, z, pz, y), crossW(pz, x, px, z), crossW(px, y, py, x));
  const qx: v128 = g.armBX,
    qy: v128 = g.armBY,
    qz: v128 = g.armBZ;
  addTo(givenTurnB(g), sign, crossW(qy, z, qz, y), crossW(qz, x, qx, z), crossW(qx, y, qy, x));
}

/** The warm start of a plain form in substeps but the first, as by the functions for all forms. */
function warmPlain(g: JointGroup, anew: bool): void {
  const x: v128 = g.impulseX,
    y: v128 = g.impulseY,
    z: v128 = g.impulseZ;
  g.previous = limitRepeat(linearImpulse(g), g.previous);
  if (anew && (g.form & FORM_TREE) != 0) memory.fill(changetype<usize>(linearImpulse(g)), 0, VECTOR_LANES_STRIDE);
  const nx: v128 = g.impulseX,
    ny: v128 = g.impulseY,
    nz: v128 = g.impulseZ;
  const dx: v128 = subW(nx, x),
    dy: v128 = subW(ny, y),
    dz: v128 = subW(nz, z);
  const changes: v128 = f32x4.ne(v128.or(dx, v128.or(dy, dz)), splatW(0));
  const px: v128 = g.armAX,
    py: v128 = g.armAY,
    pz: v128 = g.armAZ;
  const qx: v128 = g.armBX,
    qy: v128 = g.armBY,
    qz: v128 = g.armBZ;
  if (v128.any_true(changes)) pushBodies(g, dx, dy, dz);
  giveSpin(
    inverseA(g),
    rowsA(g),
    givenSpinA(g),
    splatW(-1),
    addW(crossW(py, nz, pz, ny), subW(g.givenTurnAX, crossW(py, z, pz, y))),
    addW(crossW(pz, nx, px, nz), subW(g.givenTurnAY, crossW(pz, x, px, z))),
    addW(crossW(px, ny, py, nx), subW(g.givenTurnAZ, crossW(px, y, py, x))),
  );
  giveSpin(
    inverseB(g),
    rowsB(g),
    givenSpinB(g),
    splatW(1),
    addW(crossW(qy, nz, qz, ny), subW(g.givenTurnBX, crossW(qy, z, qz, y))),
    addW(crossW(qz, nx, qx, nz), subW(g.givenTurnBY, crossW(qz, x, qx, z))),
    addW(crossW(qx, ny, qy, nx), subW(g.givenTurnBZ, crossW(qx, y, qy, x))),
  );
}

/** Distance: the first axis points from anchor A to anchor B, the others are at right angles. */
function turnDistance(g: JointGroup): void {
  const ex: v128 = g.gapX,
    ey: v128 = g.gapY,
    ez: v128 = g.gapZ;
  const length: v128 = sqrtW(dotW(ex, ey, ez, ex, ey, ez));
  const inverse: v128 = inverseLength<v128>(length);
  const x: v128 = mulW(ex, inverse),
    y: v128 = blendW(greaterW(inverse, splatW(0)), mulW(ey, inverse), splatW(1)),
    z: v128 = mulW(ez, inverse);
  const b: AcrossAxis = acrossAxis(x, y, z);
  g.axesXX = x;
  g.axesXY = y;
  g.axesXZ = z;
  g.axesYX = b.ux;
  g.axesYY = b.uy;
  g.axesYZ = b.uz;
  g.axesZX = b.vx;
  g.axesZY = b.vy;
  g.axesZZ = b.vz;
  g.swing = length;
}

/** Axes of frame A in the world, angles of frame B in it, the axes of swing and twist. */
function turnAxes(g: JointGroup, form: u32, scratch: JointScratch): void {
  const ax: v128 = scratch.rotationAX,
    ay: v128 = scratch.rotationAY,
    az: v128 = scratch.rotationAZ,
    aw: v128 = scratch.rotationAW;
  const bx: v128 = scratch.rotationBX,
    by: v128 = scratch.rotationBY,
    bz: v128 = scratch.rotationBZ,
    bw: v128 = scratch.rotationBW;
  const fx: v128 = g.frameAX,
    fy: v128 = g.frameAY,
    fz: v128 = g.frameAZ,
    fw: v128 = g.frameAW;
  // Frames in the world: q f.
  const x: v128 = addW(addW(mulW(aw, fx), mulW(ax, fw)), crossW(ay, fz, az, fy)),
    y: v128 = addW(addW(mulW(aw, fy), mulW(ay, fw)), crossW(az, fx, ax, fz)),
    z: v128 = addW(addW(mulW(aw, fz), mulW(az, fw)), crossW(ax, fy, ay, fx)),
    w: v128 = subW(mulW(aw, fw), dotW(ax, ay, az, fx, fy, fz));
  const kx: v128 = g.frameBX,
    ky: v128 = g.frameBY,
    kz: v128 = g.frameBZ,
    kw: v128 = g.frameBW;
  const ux: v128 = addW(addW(mulW(bw, kx), mulW(bx, kw)), crossW(by, kz, bz, ky)),
    uy: v128 = addW(addW(mulW(bw, ky), mulW(by, kw)), crossW(bz, kx, bx, kz)),
    uz: v128 = addW(addW(mulW(bw, kz), mulW(bz, kw)), crossW(bx, ky, by, kx)),
    uw: v128 = subW(mulW(bw, kw), dotW(bx, by, bz, kx, ky, kz));
  const one: v128 = splatW(1);
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
  g.axesXX = xx;
  g.axesXY = xy;
  g.axesXZ = xz;
  g.axesYX = yx;
  g.axesYY = yy;
  g.axesYZ = yz;
  g.axesZX = zx;
  g.axesZY = zy;
  g.axesZZ = zz;
  // Frame B in frame A.
  const gw: v128 = addW(mulW(w, uw), dotW(x, y, z, ux, uy, uz));
  const turn: Turn<v128> = new Turn<v128>(
    flipBy<v128>(subW(subW(mulW(w, ux), mulW(x, uw)), crossW(y, uz, z, uy)), gw),
    flipBy<v128>(subW(subW(mulW(w, uy), mulW(y, uw)), crossW(z, ux, x, uz)), gw),
    flipBy<v128>(subW(subW(mulW(w, uz), mulW(z, uw)), crossW(x, uy, y, ux)), gw),
    absW(gw),
  );
  if ((form & FORM_LOCKED) >> 3 == 7) {
    // All locked: the rotation vector.
    const k: v128 = turnFactor<v128>(sqrtW(dotW(turn.x, turn.y, turn.z, turn.x, turn.y, turn.z)), turn.w);
    g.errorX = mulW(k, turn.x);
    g.errorY = mulW(k, turn.y);
    g.errorZ = mulW(k, turn.z);
    return;
  }
  const square: v128 = swingSquare<v128>(turn);
  const swing: v128 = swingOf<v128>(turn, square);
  const c: AxisZ<v128> = axisZ<v128>(turn, square);
  const s: v128 = swingSine<v128>(c);
  const k: v128 = swingFactor<v128>(swing, s);
  const raw: v128 = twistOf<v128>(turn);
  const counted: v128 = countedTwist<v128>(raw, g.twist);
  if ((form & FORM_GEAR) != 0) {
    g.axesYX = dotW(xx, yx, zx, c.x, c.y, c.z);
    g.axesYY = dotW(xy, yy, zy, c.x, c.y, c.z);
    g.axesYZ = dotW(xz, yz, zz, c.x, c.y, c.z);
    return;
  }
  const swingX: v128 = negW(mulW(k, c.y)),
    swingY: v128 = mulW(k, c.x);
  const sum: v128 = addW(one, c.z);
  const regular: v128 = isRegular<v128>(sum);
  const locked: u32 = (form & FORM_LOCKED) >> 3;
  g.errorX = swingX;
  g.errorY = swingY;
  g.errorZ = (locked & 4) != 0 ? raw : counted;
  g.twist = (locked & 4) != 0 ? raw : blendW(greaterW(regular, splatW(0)), counted, g.twist);
  g.swing = swing;
  g.regular = regular;
  const n: SwingAxis<v128> = swingAxis<v128>(c, inverseLength<v128>(s));
  const both: bool = (locked & 3) == 0;
  const d: u32 = driven(form);
  if ((d & 120) != 0) {
    // Axes of units: they are left in the units that have them.
    let unit: JointUnit = firstUnit(g);
    for (let axis: u32 = 0; axis < 7; axis++) {
      if ((d & (1 << axis)) == 0) continue;
      if (axis >= 3) {
        // The cone's, unless it is another axis.
        let rx: v128 = n.x,
          ry: v128 = n.y,
          rz: v128 = splatW(0);
        if (axis == 5) {
          const share: v128 = twistAxisShare<v128>(sum);
          rx = mulW(c.x, share);
          ry = mulW(c.y, share);
          rz = mulW(sum, share);
        } else if (axis < 5 && !both) {
          rx = splatW(axis == 3 ? 1 : 0);
          ry = splatW(axis == 3 ? 0 : 1);
        } else if (axis == 3) {
          const row: SwingRow<v128> = swingRowX<v128>(n, c, k, swingY);
          rx = row.x;
          ry = row.y;
          rz = row.z;
        } else if (axis == 4) {
          const row: SwingRow<v128> = swingRowY<v128>(n, c, k, swingX);
          rx = row.x;
          ry = row.y;
          rz = row.z;
        }
        const way: VectorW = inWorld(g, rx, ry, rz);
        unit.angularAX = way.x;
        unit.angularAY = way.y;
        unit.angularAZ = way.z;
      }
      unit = nextUnit(unit);
    }
  }
  // The linear axes are those of frame A, unless all or none are used: then any three at right angles do.
  if (isPartial(locked) && locked != 3 && !isPartial((form | d) & LINEAR_AXES) && (d & LINEAR_AXES) == 0)
    holdTurn(g, locked, turn, c);
}

/** Axes and errors of locked angles that others go with: the rows that hold them pass a swing of half a turn. */
function holdTurn(g: JointGroup, locked: u32, turn: Turn<v128>, c: AxisZ<v128>): void {
  // The first two axes in frame A; the third is their product.
  let x: v128 = splatW(1),
    y: v128 = splatW(0),
    z: v128 = y;
  let ux: v128 = y,
    uy: v128 = x,
    uz: v128 = y;
  if (locked == 1) {
    const held: HeldTurn<v128> = heldSwingX<v128>(c);
    g.errorX = held.error;
    x = held.x;
    y = held.y;
    z = held.z;
  } else if (locked == 2) {
    const held: HeldTurn<v128> = heldSwingY<v128>(c);
    g.errorY = held.error;
    ux = held.x;
    uy = held.y;
    uz = held.z;
  } else {
    const twist: HeldTurn<v128> = heldZ<v128>(turn);
    g.errorZ = twist.error;
    if (locked == 4) {
      const b: AcrossAxis = acrossAxis(twist.x, twist.y, twist.z);
      x = b.ux;
      y = b.uy;
      z = b.uz;
      ux = b.vx;
      uy = b.vy;
      uz = b.vz;
    } else if (locked == 5) {
      const held: HeldTurn<v128> = heldX<v128>(turn);
      g.errorX = held.error;
      x = held.x;
      y = held.y;
      z = held.z;
      ux = crossW(twist.y, z, twist.z, y);
      uy = crossW(twist.z, x, twist.x, z);
      uz = crossW(twist.x, y, twist.y, x);
    } else {
      const held: HeldTurn<v128> = heldY<v128>(turn);
      g.errorY = held.error;
      ux = held.x;
      uy = held.y;
      uz = held.z;
      x = crossW(uy, twist.z, uz, twist.y);
      y = crossW(uz, twist.x, ux, twist.z);
      z = crossW(ux, twist.y, uy, twist.x);
    }
  }
  const a: VectorW = inWorld(g, x, y, z),
    b: VectorW = inWorld(g, ux, uy, uz);
  g.axesXX = a.x;
  g.axesXY = a.y;
  g.axesXZ = a.z;
  g.axesYX = b.x;
  g.axesYY = b.y;
  g.axesYZ = b.z;
  g.axesZX = crossW(a.y, b.z, a.z, b.y);
  g.axesZY = crossW(a.z, b.x, a.x, b.z);
  g.axesZZ = crossW(a.x, b.y, a.y, b.x);
}

/** Two directions at right angles to a third and to each other: u x v is the third. */
@value
class AcrossAxis {
  constructor(
    public ux: v128,
    public uy: v128,
    public uz: v128,
    public vx: v128,
    public vy: v128,
    public vz: v128,
  ) {}
}

/** Source: Duff et al., "Building an Orthonormal Basis, Revisited" (2017). */
function acrossAxis(x: v128, y: v128, z: v128): AcrossAxis {
  const sign: v128 = blendW(lessW(z, splatW(0)), splatW(-1), splatW(1));
  const a: v128 = divW(splatW(-1), addW(sign, z));
  const b: v128 = mulW(mulW(x, y), a);
  return new AcrossAxis(
    mulAddW(mulW(sign, mulW(x, x)), a, splatW(1)),
    mulW(sign, b),
    negW(mulW(sign, x)),
    b,
    mulAddW(mulW(y, y), a, sign),
    negW(y),
  );
}

/** A direction in frame A in the world, while the axes are those of the frame. */
function inWorld(g: JointGroup, x: v128, y: v128, z: v128): VectorW {
  return new VectorW(
    dotW(g.axesXX, g.axesYX, g.axesZX, x, y, z),
    dotW(g.axesXY, g.axesYY, g.axesZY, x, y, z),
    dotW(g.axesXZ, g.axesYZ, g.axesZZ, x, y, z),
  );
}

/** A pulley: its unit's row from wheels to anchors; the gap is not used. */
function turnPulley(g: JointGroup, s: JointScratch): void {
  const unit: JointUnit = firstUnit(g);
  const ofA: AddressLanes = bodiesA(g),
    ofB: AddressLanes = bodiesB(g);
  const da0: v128 = travelOf(ofA.at0),
    da1: v128 = travelOf(ofA.at1),
    da2: v128 = travelOf(ofA.at2),
    da3: v128 = travelOf(ofA.at3);
  const db0: v128 = travelOf(ofB.at0),
    db1: v128 = travelOf(ofB.at1),
    db2: v128 = travelOf(ofB.at2),
    db3: v128 = travelOf(ofB.at3);
  g.armAX = s.anchorAX;
  g.armAY = s.anchorAY;
  g.armAZ = s.anchorAZ;
  // From the wheels: centers seen from them at the start of the step lie in the frames (begin.ts).
  const ax: v128 = addW(addW(g.frameAX, columnX(da0, da1, da2, da3)), s.anchorAX),
    ay: v128 = addW(addW(g.frameAY, columnY(da0, da1, da2, da3)), s.anchorAY),
    az: v128 = addW(addW(g.frameAZ, columnZ(da0, da1, da2, da3)), s.anchorAZ);
  const bx: v128 = addW(addW(g.frameBX, columnX(db0, db1, db2, db3)), s.anchorBX),
    by: v128 = addW(addW(g.frameBY, columnY(db0, db1, db2, db3)), s.anchorBY),
    bz: v128 = addW(addW(g.frameBZ, columnZ(db0, db1, db2, db3)), s.anchorBZ);
  const lengthA: v128 = sqrtW(dotW(ax, ay, az, ax, ay, az)),
    lengthB: v128 = sqrtW(dotW(bx, by, bz, bx, by, bz));
  const ratio: v128 = unit.target;
  const sa: v128 = ropeShare<v128>(splatW(-1), lengthA),
    sb: v128 = ropeShare<v128>(ratio, lengthB);
  unit.linearAX = mulW(sa, ax);
  unit.linearAY = mulW(sa, ay);
  unit.linearAZ = mulW(sa, az);
  unit.linearBX = mulW(sb, bx);
  unit.linearBY = mulW(sb, by);
  unit.linearBZ = mulW(sb, bz);
  unit.place = ropeLength<v128>(lengthA, lengthB, ratio);
}

function travelOf(body: usize): v128 {
  return changetype<JointBody>(body).travel;
}

/** Nothing is given to velocities yet. */
export function clearGiven(g: JointGroup): void {
  for (let k: usize = 0; k < 18; k++) setCol(changetype<usize>(givenA(g)), k, splatW(0));
}

/** Adds `sign` times friction by load, which has no arm, to the sum of impulses. */
function addFriction(g: JointGroup, sign: v128): void {
  const x: v128 = g.frictionX,
    y: v128 = g.frictionY,
    z: v128 = g.frictionZ;
  addTo(givenTurnA(g), sign, x, y, z);
  addTo(givenTurnB(g), sign, x, y, z);
}

/**
 * Adds `sign` times the impulses of a joint to the sum of impulses: those of units and, with `axes`, of locked axes, with the
 * present arms and axes.
 */
export function addHeld(g: JointGroup, form: u32, sign: v128, axes: bool): void {
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
    ax = g.impulseX;
    ay = g.impulseY;
    az = g.impulseZ;
    bx = ax;
    by = ay;
    bz = az;
    const ix: v128 = g.angularImpulseX,
      iy: v128 = g.angularImpulseY,
      iz: v128 = g.angularImpulseZ;
    const lx: v128 = g.armAX,
      ly: v128 = g.armAY,
      lz: v128 = g.armAZ;
    const mx: v128 = g.armBX,
      my: v128 = g.armBY,
      mz: v128 = g.armBZ;
    ux = addW(addW(ux, ix), crossW(ly, az, lz, ay));
    uy = addW(addW(uy, iy), crossW(lz, ax, lx, az));
    uz = addW(addW(uz, iz), crossW(lx, ay, ly, ax));
    vx = addW(addW(vx, ix), crossW(my, az, mz, ay));
    vy = addW(addW(vy, iy), crossW(mz, ax, mx, az));
    vz = addW(addW(vz, iz), crossW(mx, ay, my, ax));
  }
  let unit: JointUnit = firstUnit(g);
  for (let k: u32 = g.units; k != 0; k--) {
    const z: v128 = addW(addW(unit.limit, unit.drive), unit.friction);
    if (!v128.any_true(f32x4.ne(z, splatW(0)))) {
      unit = nextUnit(unit);
      continue;
    }
    holds = true;
    ax = mulAddW(z, unit.linearAX, ax);
    ay = mulAddW(z, unit.linearAY, ay);
    az = mulAddW(z, unit.linearAZ, az);
    bx = mulAddW(z, unit.linearBX, bx);
    by = mulAddW(z, unit.linearBY, by);
    bz = mulAddW(z, unit.linearBZ, bz);
    ux = mulAddW(z, unit.angularAX, ux);
    uy = mulAddW(z, unit.angularAY, uy);
    uz = mulAddW(z, unit.angularAZ, uz);
    vx = mulAddW(z, unit.angularBX, vx);
    vy = mulAddW(z, unit.angularBY, vy);
    vz = mulAddW(z, unit.angularBZ, vz);
    unit = nextUnit(unit);
  }
  if (!holds) return;
  addTo(givenA(g), sign, ax, ay, az);
  addTo(givenB(g), sign, bx, by, bz);
  addTo(givenTurnA(g), sign, ux, uy, uz);
  addTo(givenTurnB(g), sign, vx, vy, vz);
}

// @ts-ignore: decorator
@inline
function addTo(to: VectorLanes, sign: v128, x: v128, y: v128, z: v128): void {
  to.x = mulAddW(sign, x, to.x);
  to.y = mulAddW(sign, y, to.y);
  to.z = mulAddW(sign, z, to.z);
}

/** I^-1 times the given turn of one side to its given spin; the turn is 0 then. */
function spinTurns(inverse: SymmetricLanes, turn: VectorLanes, spin: VectorLanes): void {
  const x: v128 = turn.x,
    y: v128 = turn.y,
    z: v128 = turn.z;
  spin.x = symRow(inverse, 0, x, y, z);
  spin.y = symRow(inverse, 1, x, y, z);
  spin.z = symRow(inverse, 2, x, y, z);
  turn.x = splatW(0);
  turn.y = splatW(0);
  turn.z = splatW(0);
}

/** Whether some of three axes are locked, and not all. */
function isPartial(mask: u32): bool {
  return mask != 0 && mask != 7;
}

/**
 * Limits repeated impulses to twice those of the substep before, along the present locked axes. Those of a tree are repeated
 * whole: its joints balance each other, and a share of each would not.
 */
function limitRepeats(g: JointGroup, form: u32): void {
  const locked: u32 = form & FORM_LOCKED;
  const tree: bool = (form & FORM_TREE) != 0;
  if (locked != 0) {
    if (!tree) g.previous = limitRepeat(linearImpulse(g), g.previous);
    if (isPartial(locked & 7)) projectImpulse(g, linearImpulse(g), locked & 7);
    if (locked >> 3 != 0) {
      if (!tree) g.angularPrevious = limitRepeat(angularImpulse(g), g.angularPrevious);
      if (isPartial(locked >> 3)) projectImpulse(g, angularImpulse(g), locked >> 3);
    }
  }
  let unit: JointUnit = firstUnit(g);
  for (let k: u32 = g.units; k != 0; k--) {
    const z: v128 = unit.limit;
    const twice: v128 = mulW(unit.previous, splatW(2));
    unit.previous = absW(z);
    unit.limit = boundRow<v128>(z, twice);
    unit = nextUnit(unit);
  }
}

/** An impulse of locked axes; returns its length before. */
// @ts-ignore: decorator
@inline
function limitRepeat(impulse: VectorLanes, previous: v128): v128 {
  const x: v128 = impulse.x,
    y: v128 = impulse.y,
    z: v128 = impulse.z;
  const length: v128 = sqrtW(dotW(x, y, z, x, y, z));
  const share: v128 = boundedShare<v128>(length, mulW(previous, splatW(2)));
  impulse.x = mulW(x, share);
  impulse.y = mulW(y, share);
  impulse.z = mulW(z, share);
  return length;
}

/** The part of an impulse along the axes of a mask. */
function projectImpulse(g: JointGroup, impulse: VectorLanes, mask: u32): void {
  const x: v128 = impulse.x,
    y: v128 = impulse.y,
    z: v128 = impulse.z;
  let px: v128 = splatW(0),
    py: v128 = splatW(0),
    pz: v128 = splatW(0);
  for (let axis: u32 = 0; axis < 3; axis++) {
    if ((mask & (1 << axis)) == 0) continue;
    const n: VectorLanes = axisAt(g, axis);
    const nx: v128 = n.x,
      ny: v128 = n.y,
      nz: v128 = n.z;
    const along: v128 = dotW(nx, ny, nz, x, y, z);
    px = mulAddW(along, nx, px);
    py = mulAddW(along, ny, py);
    pz = mulAddW(along, nz, pz);
  }
  impulse.x = px;
  impulse.y = py;
  impulse.z = pz;
}

/** Rows of the units: directions, arms, places, effective masses. Angular ones have their axes in angularA. */
function turnUnits(g: JointGroup, form: u32): void {
  const count: u32 = g.units;
  if (count == 0) return;
  let unit: JointUnit = firstUnit(g);
  if ((form & FORM_PULLEY) != 0) {
    crossArm(angularA(unit), armA(g), linearA(unit));
    crossArm(angularB(unit), armB(g), linearB(unit));
    unitMass(g, unit);
    return;
  }
  if ((form & FORM_GEAR) != 0) {
    // z of frame A on A, ratio times z of frame B on B: u = ratio zB . wB + zA . wA.
    const ratio: v128 = unit.target;
    unit.angularAX = negW(g.axesZX);
    unit.angularAY = negW(g.axesZY);
    unit.angularAZ = negW(g.axesZZ);
    unit.angularBX = mulW(ratio, g.axesYX);
    unit.angularBY = mulW(ratio, g.axesYY);
    unit.angularBZ = mulW(ratio, g.axesYZ);
    unit.place = g.twist;
    unitMass(g, unit);
    return;
  }
  for (let axis: u32 = 0; axis < 7; axis++) {
    if ((driven(form) & (1 << axis)) == 0) continue;
    if (axis < 3) {
      const n: VectorLanes = axisAt(g, axis);
      copyTo(linearA(unit), n);
      copyTo(linearB(unit), n);
      crossArm(angularA(unit), armA(g), linearA(unit));
      crossArm(angularB(unit), armB(g), linearB(unit));
      const along: v128 = dotW(unit.linearAX, unit.linearAY, unit.linearAZ, g.gapX, g.gapY, g.gapZ);
      unit.place = along;
    } else {
      copyTo(angularB(unit), angularA(unit));
      unit.place = axis == 6 ? g.swing : errorAt(g, axis - 3);
    }
    unitMass(g, unit);
    if (hasSingularity(axis, form)) release(unit, greaterW(g.regular, splatW(0)));
    unit = nextUnit(unit);
  }
}

/** Releases an angle near its singularity: mass and impulses are 0 where not `regular`. */
function release(unit: JointUnit, regular: v128): void {
  const mass: v128 = v128.and(unit.mass, regular);
  unit.mass = mass;
  unit.heldMass = mass;
  unit.carriedMass = mass;
  unit.limit = v128.and(unit.limit, regular);
  unit.base = v128.and(unit.base, regular);
  unit.drive = v128.and(unit.drive, regular);
  unit.friction = v128.and(unit.friction, regular);
}

function copyTo(to: VectorLanes, from: VectorLanes): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}

/** Arm x direction. */
function crossArm(to: VectorLanes, arm: VectorLanes, direction: VectorLanes): void {
  const lx: v128 = arm.x,
    ly: v128 = arm.y,
    lz: v128 = arm.z;
  const nx: v128 = direction.x,
    ny: v128 = direction.y,
    nz: v128 = direction.z;
  to.x = crossW(ly, nz, lz, ny);
  to.y = crossW(lz, nx, lx, nz);
  to.z = crossW(lx, ny, ly, nx);
}

/**
 * Computes I^-1 times the angular part of a row on one side; returns its contribution to K, together with the linear part with 1
 * / m.
 */
function spinRow(to: VectorLanes, inverse: SymmetricLanes, mass: v128, linear: VectorLanes, angular: VectorLanes): v128 {
  const x: v128 = angular.x,
    y: v128 = angular.y,
    z: v128 = angular.z;
  const sx: v128 = symRow(inverse, 0, x, y, z),
    sy: v128 = symRow(inverse, 1, x, y, z),
    sz: v128 = symRow(inverse, 2, x, y, z);
  to.x = sx;
  to.y = sy;
  to.z = sz;
  const nx: v128 = linear.x,
    ny: v128 = linear.y,
    nz: v128 = linear.z;
  return addW(mulW(mass, dotW(nx, ny, nz, nx, ny, nz)), dotW(sx, sy, sz, x, y, z));
}

/** Effective mass of a unit; heldMass is that of block.ts where locked axes hold. */
function unitMass(g: JointGroup, unit: JointUnit): void {
  const a: v128 = spinRow(spinA(unit), inverseA(g), g.invMassA, linearA(unit), angularA(unit));
  const k: v128 = addW(a, spinRow(spinB(unit), inverseB(g), g.invMassB, linearB(unit), angularB(unit)));
  const mass: v128 = v128.and(divW(splatW(1), k), greaterW(k, splatW(0)));
  unit.mass = mass;
  unit.heldMass = mass;
  unit.carriedMass = mass;
  for (let i: usize = 0; i < 3; i++) setCol(changetype<usize>(shareOf(unit)), i, splatW(0));
  copyTo(heldA(unit), angularA(unit));
  copyTo(heldB(unit), angularB(unit));
}

/** Friction by load: factors of the angular mobility, I_A^-1 + I_B^-1, and the step where it slips. */
function turnFriction(g: JointGroup): void {
  const xx: v128 = addW(g.inverseAXX, g.inverseBXX),
    yy: v128 = addW(g.inverseAYY, g.inverseBYY),
    zz: v128 = addW(g.inverseAZZ, g.inverseBZZ),
    xy: v128 = addW(g.inverseAXY, g.inverseBXY),
    xz: v128 = addW(g.inverseAXZ, g.inverseBXZ),
    yz: v128 = addW(g.inverseAYZ, g.inverseBYZ);
  factor3(frictionMass(g), xx, yy, zz, xy, xz, yz);
  let trace: v128 = addW(addW(xx, yy), zz);
  if ((g.form & FORM_LOCKED) >> 3 == 3) {
    // One row along the axis of a hinge.
    const nx: v128 = g.axesZX,
      ny: v128 = g.axesZY,
      nz: v128 = g.axesZZ;
    trace = dotW(nx, ny, nz, symX(xx, xy, xz, nx, ny, nz), symX(xy, yy, yz, nx, ny, nz), symX(xz, yz, zz, nx, ny, nz));
  }
  g.frictionStep = v128.and(divW(splatW(1), trace), greaterW(trace, splatW(0)));
}

/** Applies the sum of impulses to the velocities; without `pushes` there is no linear impulse in it. */
function giveAgain(g: JointGroup, pushes: bool): void {
  if (pushes) {
    pushSide(rowsA(g), givenA(g), splatW(-1));
    pushSide(rowsB(g), givenB(g), splatW(1));
  }
  giveSpin(inverseA(g), rowsA(g), givenSpinA(g), splatW(-1), g.givenTurnAX, g.givenTurnAY, g.givenTurnAZ);
  giveSpin(inverseB(g), rowsB(g), givenSpinB(g), splatW(1), g.givenTurnBX, g.givenTurnBY, g.givenTurnBZ);
}

/** sign times a change of spin and what the angular impulse (x, y, z) makes of one, to the bodies of one side. */
// @ts-ignore: decorator
@inline
function giveSpin(inverse: SymmetricLanes, rows: AddressLanes, spin: VectorLanes, sign: v128, x: v128, y: v128, z: v128): void {
  addSpins(
    rows,
    mulW(sign, addW(spin.x, symRow(inverse, 0, x, y, z))),
    mulW(sign, addW(spin.y, symRow(inverse, 1, x, y, z))),
    mulW(sign, addW(spin.z, symRow(inverse, 2, x, y, z))),
  );
}
