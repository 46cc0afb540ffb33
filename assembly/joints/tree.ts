// Trees of joints solved exactly: the velocities that satisfy all locked axes of a tree at once, with the least change of kinetic
// energy, in two walks through it. The cost is proportional to the number of joints, and heavy bodies on light ones cost nothing
// extra.
//
// A joint sees its child, with all bodies beyond it, as one articulated mass, a 6x6 matrix at anchor B. The part that free axes
// release is eliminated (a partial L D L'); the rest is handed to the parent. With e the relative velocity that has to become
// zero (child - parent, with a share of the error in the soft pass), g the impulse handed up, S the free axes, M the articulated
// mass:
//   factor, leaves to root:  M' = M - M S (S' M S)^-1 S' M, added to the parent's mass
//   up:    y = M' e + (1 - M S (S' M S)^-1 S') g, added to the parent's g
//   down:  d = d_parent - e + S x, S' (M d - g) = 0;   impulse on the child: M' d_parent - y
// Source: Featherstone, "Rigid Body Dynamics Algorithms" (2008), chapter 7, in the velocities of the bodies themselves.
// Input: columns of turn.ts, JointBody. Output: BodyRow, impulses of the locked axes.
import {
  AddressLanes,
  BallMass,
  FactorLanes,
  JOINT_BODY_STRIDE,
  JointBody,
  JointGroup,
  JointParameters,
  JointScratch,
  JointUnit,
  SymmetricLanes,
  TREE_MASS_STRIDE,
  TreeMass,
  TreePivot,
  TreeSection,
  VectorLanes,
} from '../layout.generated';
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
  subW,
  zipHighW,
  zipLowW,
} from '../math/lane';
import { relativeVelocity } from './anchors';
import { addImpulse, lockedErrors } from './block';
import { carryUnits } from './carried';
import {
  COLUMN,
  addAlong,
  col,
  crossAddW,
  crossW,
  factor3,
  factorInPlace,
  inverseOf,
  setCol,
  solve3,
  symRow,
  symX,
} from './columns';
import { freeAxes } from './forms';
import {
  FORM_DISTANCE,
  FORM_FLOATS,
  FORM_LOCKED,
  LINEAR_AXES,
  ROW_SPIN,
  angularOf,
  angularResponse,
  axisAt,
  ballInverse,
  ballLinear,
  ballMassOf,
  bodiesA,
  bodiesB,
  childRows,
  children,
  crossRow,
  firstPivot,
  firstUnit,
  freeOf,
  isBall,
  linearOf,
  nextUnit,
  parents,
  pivotAfter,
  pullOf,
  ratioOf,
  response,
  scratchMass,
  scratchRows,
  treeMass,
  treeSection,
} from './layout';
import { PUSH, cappedRate } from '../rows/joint_softness';
import { jointScratch } from './state';

/** Articulated masses of a group; those of the leaves come first. `works`: a unit of it may do something in this substep. */
export function factorTree(g: JointGroup, works: bool): void {
  const form: u32 = g.form;
  const t: TreeSection = treeSection(g);
  const own: TreeMass = treeMass(t);
  gatherMass(t, own);
  if ((form & FORM_FLOATS) != 0) {
    eliminateTurns(t);
    factorInPlace(ballLinear(t));
    return;
  }
  chooseArms(g, t);
  shiftMass(own, t.armX, t.armY, t.armZ);
  if (works) carryUnits(g, t, form);
  const m: TreeMass = scratchMass(jointScratch());
  if (isBall(form)) {
    eliminateTurns(t);
    for (let k: usize = 0; k < 6; k++) setCol(changetype<usize>(m), k, col(changetype<usize>(ballLinear(t)), k));
    for (let k: usize = 6; k < 21; k++) setCol(changetype<usize>(m), k, splatW(0));
  } else {
    eliminateFree(g, t, form);
    memory.copy(changetype<usize>(m), changetype<usize>(own), TREE_MASS_STRIDE);
  }
  shiftMass(m, negW(t.parentArmX), negW(t.parentArmY), negW(t.parentArmZ));
  scatterMass(t, m);
}

/** Trace of the linear mass that a joint hands to its parent. */
export function handedMass(t: TreeSection, form: u32): v128 {
  const m: SymmetricLanes = isBall(form) ? ballLinear(t) : linearOf(treeMass(t));
  return addW(addW(m.xx, m.yy), m.zz);
}

/** Arms of child and parent. */
function chooseArms(g: JointGroup, t: TreeSection): void {
  const isB: v128 = greaterW(g.side, splatW(0));
  t.armX = blendW(isB, g.armBX, g.armAX);
  t.armY = blendW(isB, g.armBY, g.armAY);
  t.armZ = blendW(isB, g.armBZ, g.armAZ);
  t.parentArmX = blendW(isB, g.armAX, g.armBX);
  t.parentArmY = blendW(isB, g.armAY, g.armBY);
  t.parentArmZ = blendW(isB, g.armAZ, g.armBZ);
}

/** Articulated masses of the children. */
function gatherMass(t: TreeSection, m: TreeMass): void {
  const bodies: AddressLanes = children(t);
  const p0: usize = bodies.at0,
    p1: usize = bodies.at1,
    p2: usize = bodies.at2,
    p3: usize = bodies.at3;
  for (let k: usize = 0; k < 5; k++) {
    const at: usize = offsetof<JointBody>('mass0') + k * COLUMN,
      to: usize = changetype<usize>(m) + 4 * k * COLUMN;
    const r0: v128 = v128.load(p0 + at),
      r1: v128 = v128.load(p1 + at),
      r2: v128 = v128.load(p2 + at),
      r3: v128 = v128.load(p3 + at);
    setCol(to, 0, columnX(r0, r1, r2, r3));
    setCol(to, 1, columnY(r0, r1, r2, r3));
    setCol(to, 2, columnZ(r0, r1, r2, r3));
    setCol(to, 3, columnW(r0, r1, r2, r3));
  }
  m.angularYZ = f32x4(lastMass(p0), lastMass(p1), lastMass(p2), lastMass(p3));
}
function lastMass(body: usize): f32 {
  return load<f32>(body, offsetof<JointBody>('mass5'));
}

/** Adds masses to those of the parents. */
function scatterMass(t: TreeSection, m: TreeMass): void {
  const bodies: AddressLanes = parents(t);
  const p0: usize = bodies.at0,
    p1: usize = bodies.at1,
    p2: usize = bodies.at2,
    p3: usize = bodies.at3;
  for (let k: usize = 0; k < 5; k++) {
    const at: usize = offsetof<JointBody>('mass0') + k * COLUMN,
      from: usize = changetype<usize>(m) + 4 * k * COLUMN;
    const x: v128 = col(from, 0),
      y: v128 = col(from, 1),
      z: v128 = col(from, 2),
      w: v128 = col(from, 3);
    const l0: v128 = zipLowW(x, y),
      h0: v128 = zipHighW(x, y),
      l1: v128 = zipLowW(z, w),
      h1: v128 = zipHighW(z, w);
    v128.store(p0 + at, addW(v128.load(p0 + at), joinLowW(l0, l1)));
    v128.store(p1 + at, addW(v128.load(p1 + at), joinHighW(l0, l1)));
    v128.store(p2 + at, addW(v128.load(p2 + at), joinLowW(h0, h1)));
    v128.store(p3 + at, addW(v128.load(p3 + at), joinHighW(h0, h1)));
  }
  const last: v128 = m.angularYZ;
  addLastMass(p0, f32x4.extract_lane(last, 0));
  addLastMass(p1, f32x4.extract_lane(last, 1));
  addLastMass(p2, f32x4.extract_lane(last, 2));
  addLastMass(p3, f32x4.extract_lane(last, 3));
}
function addLastMass(body: usize, mass: f32): void {
  store<f32>(body, lastMass(body) + mass, offsetof<JointBody>('mass5'));
}

/** A mass at a point as seen from another, r away: B += A [r], C += B' [r] - [r] B with the new B. */
function shiftMass(m: TreeMass, x: v128, y: v128, z: v128): void {
  const xx: v128 = m.linearXX,
    yy: v128 = m.linearYY,
    zz: v128 = m.linearZZ,
    xy: v128 = m.linearXY,
    xz: v128 = m.linearXZ,
    yz: v128 = m.linearYZ;
  const b00: v128 = m.cross00,
    b01: v128 = m.cross01,
    b02: v128 = m.cross02;
  const b10: v128 = m.cross10,
    b11: v128 = m.cross11,
    b12: v128 = m.cross12;
  const b20: v128 = m.cross20,
    b21: v128 = m.cross21,
    b22: v128 = m.cross22;
  const n00: v128 = crossAddW(xy, z, xz, y, b00),
    n01: v128 = crossAddW(xz, x, xx, z, b01),
    n02: v128 = crossAddW(xx, y, xy, x, b02);
  const n10: v128 = crossAddW(yy, z, yz, y, b10),
    n11: v128 = crossAddW(yz, x, xy, z, b11),
    n12: v128 = crossAddW(xy, y, yy, x, b12);
  const n20: v128 = crossAddW(yz, z, zz, y, b20),
    n21: v128 = crossAddW(zz, x, xz, z, b21),
    n22: v128 = crossAddW(xz, y, yz, x, b22);
  m.cross00 = n00;
  m.cross01 = n01;
  m.cross02 = n02;
  m.cross10 = n10;
  m.cross11 = n11;
  m.cross12 = n12;
  m.cross20 = n20;
  m.cross21 = n21;
  m.cross22 = n22;
  // B' [r] by the old B, [r] B by the new one.
  m.angularXX = crossAddW(b10, z, b20, y, crossAddW(z, n10, y, n20, m.angularXX));
  m.angularYY = crossAddW(b21, x, b01, z, crossAddW(x, n21, z, n01, m.angularYY));
  m.angularZZ = crossAddW(b02, y, b12, x, crossAddW(y, n02, x, n12, m.angularZZ));
  m.angularXY = crossAddW(b20, x, b00, z, crossAddW(z, n11, y, n21, m.angularXY));
  m.angularXZ = crossAddW(b00, y, b10, x, crossAddW(z, n12, y, n22, m.angularXZ));
  m.angularYZ = crossAddW(b01, y, b11, x, crossAddW(x, n22, z, n02, m.angularYZ));
}

/** All turns are free: the mass becomes a BallMass. */
function eliminateTurns(t: TreeSection): void {
  const b00: v128 = t.cross00,
    b01: v128 = t.cross01,
    b02: v128 = t.cross02;
  const b10: v128 = t.cross10,
    b11: v128 = t.cross11,
    b12: v128 = t.cross12;
  const b20: v128 = t.cross20,
    b21: v128 = t.cross21,
    b22: v128 = t.cross22;
  const axx: v128 = t.linearXX,
    ayy: v128 = t.linearYY,
    azz: v128 = t.linearZZ,
    axy: v128 = t.linearXY,
    axz: v128 = t.linearXZ,
    ayz: v128 = t.linearYZ;
  const ball: BallMass = ballMassOf(t);
  const factors: FactorLanes = ballInverse(ball);
  factor3(factors, t.angularXX, t.angularYY, t.angularZZ, t.angularXY, t.angularXZ, t.angularYZ);
  solve3(factors, ratioOf(ball, 0), b00, b01, b02);
  solve3(factors, ratioOf(ball, 1), b10, b11, b12);
  solve3(factors, ratioOf(ball, 2), b20, b21, b22);
  const l00: v128 = ball.ratio00,
    l01: v128 = ball.ratio01,
    l02: v128 = ball.ratio02;
  const l10: v128 = ball.ratio10,
    l11: v128 = ball.ratio11,
    l12: v128 = ball.ratio12;
  const l20: v128 = ball.ratio20,
    l21: v128 = ball.ratio21,
    l22: v128 = ball.ratio22;
  ball.linearXX = subW(axx, dotW(l00, l01, l02, b00, b01, b02));
  ball.linearYY = subW(ayy, dotW(l10, l11, l12, b10, b11, b12));
  ball.linearZZ = subW(azz, dotW(l20, l21, l22, b20, b21, b22));
  ball.linearXY = subW(axy, dotW(l00, l01, l02, b10, b11, b12));
  ball.linearXZ = subW(axz, dotW(l00, l01, l02, b20, b21, b22));
  ball.linearYZ = subW(ayz, dotW(l10, l11, l12, b20, b21, b22));
}

/** Eliminates the free axes of a form one by one; each leaves a pivot. */
function eliminateFree(g: JointGroup, t: TreeSection, form: u32): void {
  let p: TreePivot = firstPivot(t);
  const m: TreeMass = treeMass(t);
  const linear: v128 = addW(addW(t.linearXX, t.linearYY), t.linearZZ),
    angular: v128 = addW(addW(t.angularXX, t.angularYY), t.angularZZ);
  for (let axis: u32 = 0; axis < 6; axis++) {
    if ((form & (1 << axis)) != 0) continue;
    const n: VectorLanes = axisAt(g, axis);
    eliminate(m, p, axis < 3, axis < 3 ? linear : angular, n.x, n.y, n.z);
    p = pivotAfter(p, 1);
  }
}

function eliminate(m: TreeMass, p: TreePivot, linear: bool, whole: v128, x: v128, y: v128, z: v128): void {
  // Column M s: of a linear axis A s, B' s; of an angular one B s, C s.
  const own: SymmetricLanes = linear ? linearOf(m) : angularOf(m);
  const sx: v128 = symRow(own, 0, x, y, z),
    sy: v128 = symRow(own, 1, x, y, z),
    sz: v128 = symRow(own, 2, x, y, z);
  const row: usize = linear ? 1 : 3,
    step: usize = linear ? 3 : 1;
  const b: usize = changetype<usize>(m) + offsetof<TreeMass>('cross00');
  const cx: v128 = symX(col(b, 0), col(b, step), col(b, 2 * step), x, y, z),
    cy: v128 = symX(col(b, row), col(b, row + step), col(b, row + 2 * step), x, y, z),
    cz: v128 = symX(col(b, 2 * row), col(b, 2 * row + step), col(b, 2 * row + 2 * step), x, y, z);
  const pivot: v128 = dotW(sx, sy, sz, x, y, z);
  const inverse: v128 = inverseOf(pivot, whole);
  const ux: v128 = linear ? sx : cx,
    uy: v128 = linear ? sy : cy,
    uz: v128 = linear ? sz : cz;
  const wx: v128 = linear ? cx : sx,
    wy: v128 = linear ? cy : sy,
    wz: v128 = linear ? cz : sz;
  p.axisX = x;
  p.axisY = y;
  p.axisZ = z;
  p.linearX = ux;
  p.linearY = uy;
  p.linearZ = uz;
  p.angularX = wx;
  p.angularY = wy;
  p.angularZ = wz;
  p.inverse = inverse;
  const kx: v128 = mulW(inverse, ux),
    ky: v128 = mulW(inverse, uy),
    kz: v128 = mulW(inverse, uz);
  const lx: v128 = mulW(inverse, wx),
    ly: v128 = mulW(inverse, wy),
    lz: v128 = mulW(inverse, wz);
  m.linearXX = mulSubW(kx, ux, m.linearXX);
  m.linearYY = mulSubW(ky, uy, m.linearYY);
  m.linearZZ = mulSubW(kz, uz, m.linearZZ);
  m.linearXY = mulSubW(kx, uy, m.linearXY);
  m.linearXZ = mulSubW(kx, uz, m.linearXZ);
  m.linearYZ = mulSubW(ky, uz, m.linearYZ);
  m.cross00 = mulSubW(kx, wx, m.cross00);
  m.cross01 = mulSubW(kx, wy, m.cross01);
  m.cross02 = mulSubW(kx, wz, m.cross02);
  m.cross10 = mulSubW(ky, wx, m.cross10);
  m.cross11 = mulSubW(ky, wy, m.cross11);
  m.cross12 = mulSubW(ky, wz, m.cross12);
  m.cross20 = mulSubW(kz, wx, m.cross20);
  m.cross21 = mulSubW(kz, wy, m.cross21);
  m.cross22 = mulSubW(kz, wz, m.cross22);
  m.angularXX = mulSubW(lx, wx, m.angularXX);
  m.angularYY = mulSubW(ly, wy, m.angularYY);
  m.angularZZ = mulSubW(lz, wz, m.angularZZ);
  m.angularXY = mulSubW(lx, wy, m.angularXY);
  m.angularXZ = mulSubW(lx, wz, m.angularXZ);
  m.angularYZ = mulSubW(ly, wz, m.angularYZ);
}

/**
 * Bodies have moved and rows stay: what the soft pass took out of errors is gone. step: parameters of the substep. For forms that
 * lock all linear axes.
 */
export function settleTrees(list: usize, end: usize, step: JointParameters): void {
  const left: v128 = mulSubW(step.h, step.treeRate, splatW(1));
  for (; list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    const form: u32 = g.form;
    if ((form & FORM_FLOATS) != 0) continue;
    g.gapX = mulW(left, g.gapX);
    g.gapY = mulW(left, g.gapY);
    g.gapZ = mulW(left, g.gapZ);
    if ((form & 8) != 0) g.errorX = mulW(left, g.errorX);
    if ((form & 16) != 0) g.errorY = mulW(left, g.errorY);
    if ((form & 32) != 0) g.errorZ = mulW(left, g.errorZ);
    let unit: JointUnit = firstUnit(g);
    for (let k: u32 = g.units; k != 0; k--) {
      // Limits that hold.
      const place: v128 = unit.place;
      const nearest: v128 = maxW(unit.lower, minW(place, unit.upper));
      const held: v128 = f32x4.ne(unit.limit, splatW(0));
      unit.place = blendW(held, mulAddW(left, subW(place, nearest), nearest), place);
      unit = nextUnit(unit);
    }
  }
}

/** Passes over trees. */
export const TREE_RELAX: u32 = 0;
export const TREE_SOFT: u32 = 1; // rows stay
export const TREE_SOFT_TURNING: u32 = 2; // bodies move enough for their rows to turn
export const TREE_MISS: u32 = 3; // what the soft pass would miss is made up for (missOf); nothing else changes
export const TREE_MEETING: u32 = 5; // TREE_SOFT_TURNING that makes up for the miss, too
export const TREE_HOLD: u32 = 4; // before the soft pass: velocities that the rows allow, no errors taken out

/** A pass over the trees whose groups are named in [list, end); bodies: JointBody of their batch. */
export function solveTrees(list: usize, end: usize, first: usize, bodyEnd: usize, pass: u32, step: JointParameters): void {
  if (list == end) return;
  for (let at: usize = first; at < bodyEnd; at += JOINT_BODY_STRIDE) {
    const b: JointBody = changetype<JointBody>(at);
    b.force = splatW(0);
    b.torque = splatW(0);
  }
  for (let at: usize = list; at < end; at += 4) goUp(changetype<JointGroup>(load<u32>(at)), pass, step);
  for (let at: usize = end; at > list; at -= 4) goDown(changetype<JointGroup>(load<u32>(at - 4)), pass == TREE_RELAX);
}

function goUp(g: JointGroup, pass: u32, step: JointParameters): void {
  const form: u32 = g.form;
  const t: TreeSection = treeSection(g);
  const ball: BallMass = ballMassOf(t);
  const bodies: AddressLanes = children(t);
  const c0: JointBody = changetype<JointBody>(bodies.at0),
    c1: JointBody = changetype<JointBody>(bodies.at1),
    c2: JointBody = changetype<JointBody>(bodies.at2),
    c3: JointBody = changetype<JointBody>(bodies.at3);
  const r0: v128 = c0.force,
    r1: v128 = c1.force,
    r2: v128 = c2.force,
    r3: v128 = c3.force;
  const s0: v128 = c0.torque,
    s1: v128 = c1.torque,
    s2: v128 = c2.torque,
    s3: v128 = c3.torque;
  let gx: v128 = columnX(r0, r1, r2, r3),
    gy: v128 = columnY(r0, r1, r2, r3),
    gz: v128 = columnZ(r0, r1, r2, r3);
  let hx: v128 = columnX(s0, s1, s2, s3),
    hy: v128 = columnY(s0, s1, s2, s3),
    hz: v128 = columnZ(s0, s1, s2, s3);
  if ((form & FORM_FLOATS) != 0) {
    const qx: v128 = subW(gx, dotW(ball.ratio00, ball.ratio01, ball.ratio02, hx, hy, hz)),
      qy: v128 = subW(gy, dotW(ball.ratio10, ball.ratio11, ball.ratio12, hx, hy, hz)),
      qz: v128 = subW(gz, dotW(ball.ratio20, ball.ratio21, ball.ratio22, hx, hy, hz));
    solve3(ballInverse(ball), freeOf(t), hx, hy, hz);
    // Those of its linear mass are factors here.
    solve3(changetype<FactorLanes>(changetype<usize>(ballLinear(t))), pullOf(t), qx, qy, qz);
    return;
  }
  const s: JointScratch = jointScratch();
  const cx: v128 = t.armX,
    cy: v128 = t.armY,
    cz: v128 = t.armZ;
  const px: v128 = t.parentArmX,
    py: v128 = t.parentArmY,
    pz: v128 = t.parentArmZ;
  hx = subW(hx, crossW(cy, gz, cz, gy));
  hy = subW(hy, crossW(cz, gx, cx, gz));
  hz = subW(hz, crossW(cx, gy, cy, gx));
  if (pass == TREE_MISS) {
    s.responseX = g.missX;
    s.responseY = g.missY;
    s.responseZ = g.missZ;
    s.angularResponseX = splatW(0);
    s.angularResponseY = splatW(0);
    s.angularResponseZ = splatW(0);
  } else {
    relativeVelocity(g, s);
    if (pass != TREE_RELAX && pass != TREE_HOLD) addErrors(g, form, s, step.treeRate);
    if (pass == TREE_SOFT_TURNING || pass == TREE_MEETING) addCentripetal(g, form, s, step.h);
    if (pass == TREE_MEETING) {
      s.responseX = addW(s.responseX, g.missX);
      s.responseY = addW(s.responseY, g.missY);
      s.responseZ = addW(s.responseZ, g.missZ);
    }
  }
  const side: v128 = g.side;
  let ex: v128 = mulW(side, s.responseX),
    ey: v128 = mulW(side, s.responseY),
    ez: v128 = mulW(side, s.responseZ);
  let yx: v128, yy: v128, yz: v128;
  let tx: v128 = splatW(0),
    ty: v128 = tx,
    tz: v128 = tx;
  if (isBall(form)) {
    t.rateX = ex;
    t.rateY = ey;
    t.rateZ = ez;
    const m: SymmetricLanes = ballLinear(t);
    gx = subW(gx, dotW(ball.ratio00, ball.ratio01, ball.ratio02, hx, hy, hz));
    gy = subW(gy, dotW(ball.ratio10, ball.ratio11, ball.ratio12, hx, hy, hz));
    gz = subW(gz, dotW(ball.ratio20, ball.ratio21, ball.ratio22, hx, hy, hz));
    yx = addW(gx, symRow(m, 0, ex, ey, ez));
    yy = addW(gy, symRow(m, 1, ex, ey, ez));
    yz = addW(gz, symRow(m, 2, ex, ey, ez));
    solve3(ballInverse(ball), freeOf(t), hx, hy, hz);
    t.pullX = yx;
    t.pullY = yy;
    t.pullZ = yz;
  } else {
    let wx: v128 = mulW(side, s.angularResponseX),
      wy: v128 = mulW(side, s.angularResponseY),
      wz: v128 = mulW(side, s.angularResponseZ);
    let p: TreePivot = firstPivot(t);
    for (let axis: u32 = 0; axis < 6; axis++) {
      if ((form & (1 << axis)) != 0) continue;
      const nx: v128 = p.axisX,
        ny: v128 = p.axisY,
        nz: v128 = p.axisZ;
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
      q = mulW(q, p.inverse);
      p.value = q;
      gx = mulSubW(q, p.linearX, gx);
      gy = mulSubW(q, p.linearY, gy);
      gz = mulSubW(q, p.linearZ, gz);
      hx = mulSubW(q, p.angularX, hx);
      hy = mulSubW(q, p.angularY, hy);
      hz = mulSubW(q, p.angularZ, hz);
      p = pivotAfter(p, 1);
    }
    t.rateX = ex;
    t.rateY = ey;
    t.rateZ = ez;
    t.angularRateX = wx;
    t.angularRateY = wy;
    t.angularRateZ = wz;
    yx = addW(gx, massTimes(t, 0, ex, ey, ez, wx, wy, wz));
    yy = addW(gy, massTimes(t, 1, ex, ey, ez, wx, wy, wz));
    yz = addW(gz, massTimes(t, 2, ex, ey, ez, wx, wy, wz));
    tx = addW(hx, massTimes(t, 3, ex, ey, ez, wx, wy, wz));
    ty = addW(hy, massTimes(t, 4, ex, ey, ez, wx, wy, wz));
    tz = addW(hz, massTimes(t, 5, ex, ey, ez, wx, wy, wz));
    t.pullX = yx;
    t.pullY = yy;
    t.pullZ = yz;
    t.angularPullX = tx;
    t.angularPullY = ty;
    t.angularPullZ = tz;
  }
  const above: AddressLanes = parents(t);
  addToBodies(above, offsetof<JointBody>('force'), yx, yy, yz);
  const ux: v128 = crossAddW(py, yz, pz, yy, tx),
    uy: v128 = crossAddW(pz, yx, px, yz, ty);
  addToBodies(above, offsetof<JointBody>('torque'), ux, uy, crossAddW(px, yy, py, yx, tz));
}

// @ts-ignore: decorator
@inline
function addToBodies(bodies: AddressLanes, field: usize, x: v128, y: v128, z: v128): void {
  const b0: usize = bodies.at0,
    b1: usize = bodies.at1,
    b2: usize = bodies.at2,
    b3: usize = bodies.at3;
  addColumns(b0 + field, b1 + field, b2 + field, b3 + field, x, y, z);
}

/** Row `row` of the mass handed on times a velocity. */
// @ts-ignore: decorator
@inline
function massTimes(t: TreeSection, row: u32, x: v128, y: v128, z: v128, wx: v128, wy: v128, wz: v128): v128 {
  const m: TreeMass = treeMass(t);
  if (row < 3) {
    const k: VectorLanes = crossRow(m, <usize>row);
    return addW(symRow(linearOf(m), row, x, y, z), symX(k.x, k.y, k.z, wx, wy, wz));
  }
  const k: usize = changetype<usize>(m) + offsetof<TreeMass>('cross00') + <usize>(row - 3) * COLUMN;
  return addW(symX(col(k, 0), col(k, 3), col(k, 6), x, y, z), symRow(angularOf(m), row - 3, wx, wy, wz));
}

/** Adds the speed at which errors are taken out to the relative velocity of the scratch. */
function addErrors(g: JointGroup, form: u32, s: JointScratch, rate: v128): void {
  const count: u32 = lockedErrors(g, form, s);
  let linear: v128 = splatW(0),
    angular: v128 = splatW(0);
  const ball: bool = isBall(form);
  const lines: u32 = ball ? 3 : <u32>popcnt<u32>(form & LINEAR_AXES);
  for (let i: u32 = 0; i < count; i++) {
    const e: v128 = col(scratchRows(s), <usize>i);
    if (i < lines) linear = mulAddW(e, e, linear);
    else angular = mulAddW(e, e, angular);
  }
  linear = cappedRate<v128>(rate, linear);
  angular = cappedRate<v128>(rate, angular);
  let axis: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const c: v128 = mulW(i < lines ? linear : angular, col(scratchRows(s), <usize>i));
    if (ball) {
      const to: usize = changetype<usize>(response(s));
      setCol(to, <usize>i, addW(col(to, <usize>i), c));
      continue;
    }
    axis = <u32>ctz<u32>((form & FORM_LOCKED) >> axis) + axis;
    addAlong(axis < 3 ? response(s) : angularResponse(s), c, axisAt(g, axis));
    axis++;
  }
}

/**
 * Adds half of what the turn of arms and axes does to the relative velocity within a substep of h seconds: the anchors then go
 * along the chord of their way and meet at its end, not off its tangent. Anchors: w x (w x r); axes, which turn with A:
 * (w_B - w_A) x w_A. The spins are those of the last motion: what the warm start has left of velocities is no motion.
 */
function addCentripetal(g: JointGroup, form: u32, s: JointScratch, h: v128): void {
  const ofA: AddressLanes = bodiesA(g),
    ofB: AddressLanes = bodiesB(g);
  const c0: v128 = lastSpin(ofA.at0),
    c1: v128 = lastSpin(ofA.at1),
    c2: v128 = lastSpin(ofA.at2),
    c3: v128 = lastSpin(ofA.at3);
  const d0: v128 = lastSpin(ofB.at0),
    d1: v128 = lastSpin(ofB.at1),
    d2: v128 = lastSpin(ofB.at2),
    d3: v128 = lastSpin(ofB.at3);
  const ax: v128 = columnX(c0, c1, c2, c3),
    ay: v128 = columnY(c0, c1, c2, c3),
    az: v128 = columnZ(c0, c1, c2, c3);
  const bx: v128 = columnX(d0, d1, d2, d3),
    by: v128 = columnY(d0, d1, d2, d3),
    bz: v128 = columnZ(d0, d1, d2, d3);
  const px: v128 = g.armAX,
    py: v128 = g.armAY,
    pz: v128 = g.armAZ;
  const qx: v128 = g.armBX,
    qy: v128 = g.armBY,
    qz: v128 = g.armBZ;
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
    addTurnOfDistance(g, s, k, dotW(x, y, z, g.axesXX, g.axesXY, g.axesXZ), ax, ay, az);
    return;
  }
  s.responseX = mulAddW(k, x, s.responseX);
  s.responseY = mulAddW(k, y, s.responseY);
  s.responseZ = mulAddW(k, z, s.responseZ);
  if (isBall(form)) return;
  const ux: v128 = subW(bx, ax),
    uy: v128 = subW(by, ay),
    uz: v128 = subW(bz, az);
  s.angularResponseX = mulAddW(k, crossW(uy, az, uz, ay), s.angularResponseX);
  s.angularResponseY = mulAddW(k, crossW(uz, ax, ux, az), s.angularResponseY);
  s.angularResponseZ = mulAddW(k, crossW(ux, ay, uy, ax), s.angularResponseZ);
}

function lastSpin(body: usize): v128 {
  return changetype<JointBody>(body).spin;
}

/**
 * The same for a distance of length L along n from anchor A to anchor B: half of what a substep changes of its speed,
 * L'' = pull + |d|^2 / L + 2 d . (w x n). pull: w x (w x r) along n, B - A, and d: the relative velocity across n, both with A
 * at anchor B, where the arm of A ends; w: spin of A. At most PUSH either way.
 */
function addTurnOfDistance(g: JointGroup, s: JointScratch, k: v128, pull: v128, wx: v128, wy: v128, wz: v128): void {
  const x: v128 = s.responseX,
    y: v128 = s.responseY,
    z: v128 = s.responseZ;
  const nx: v128 = g.axesXX,
    ny: v128 = g.axesXY,
    nz: v128 = g.axesXZ;
  const along: v128 = dotW(x, y, z, nx, ny, nz);
  const across: v128 = maxW(mulSubW(along, along, dotW(x, y, z, x, y, z)), splatW(0));
  const turned: v128 = dotW(x, y, z, crossW(wy, nz, wz, ny), crossW(wz, nx, wx, nz), crossW(wx, ny, wy, nx));
  const sum: v128 = addW(mulAddW(splatW(2), turned, pull), divW(across, maxW(g.swing, splatW(1e-3))));
  const turn: v128 = minW(maxW(mulW(k, sum), splatW(-PUSH)), splatW(PUSH));
  s.responseX = mulAddW(turn, nx, x);
  s.responseY = mulAddW(turn, ny, y);
  s.responseZ = mulAddW(turn, nz, z);
}

function goDown(g: JointGroup, last: bool): void {
  const form: u32 = g.form;
  const t: TreeSection = treeSection(g);
  const ball: BallMass = ballMassOf(t);
  let ux: v128, uy: v128, uz: v128;
  let wx: v128, wy: v128, wz: v128;
  if ((form & FORM_FLOATS) != 0) {
    ux = t.pullX;
    uy = t.pullY;
    uz = t.pullZ;
    wx = subW(t.freeX, dotW(ball.ratio00, ball.ratio10, ball.ratio20, ux, uy, uz));
    wy = subW(t.freeY, dotW(ball.ratio01, ball.ratio11, ball.ratio21, ux, uy, uz));
    wz = subW(t.freeZ, dotW(ball.ratio02, ball.ratio12, ball.ratio22, ux, uy, uz));
    giveChange(t, ux, uy, uz, wx, wy, wz);
    return;
  }
  const cx: v128 = t.armX,
    cy: v128 = t.armY,
    cz: v128 = t.armZ;
  const px: v128 = t.parentArmX,
    py: v128 = t.parentArmY,
    pz: v128 = t.parentArmZ;
  const above: AddressLanes = parents(t);
  const p0: JointBody = changetype<JointBody>(above.at0),
    p1: JointBody = changetype<JointBody>(above.at1),
    p2: JointBody = changetype<JointBody>(above.at2),
    p3: JointBody = changetype<JointBody>(above.at3);
  const v0: v128 = p0.change,
    v1: v128 = p1.change,
    v2: v128 = p2.change,
    v3: v128 = p3.change;
  const w0: v128 = p0.spinChange,
    w1: v128 = p1.spinChange,
    w2: v128 = p2.spinChange,
    w3: v128 = p3.spinChange;
  wx = columnX(w0, w1, w2, w3);
  wy = columnY(w0, w1, w2, w3);
  wz = columnZ(w0, w1, w2, w3);
  // The parent's change at anchor B.
  ux = crossAddW(wy, pz, wz, py, columnX(v0, v1, v2, v3));
  uy = crossAddW(wz, px, wx, pz, columnY(v0, v1, v2, v3));
  uz = crossAddW(wx, py, wy, px, columnZ(v0, v1, v2, v3));
  const side: v128 = g.side;
  if (isBall(form)) {
    const m: SymmetricLanes = ballLinear(t);
    const zero: v128 = splatW(0);
    addImpulse(
      g,
      mulW(side, subW(symRow(m, 0, ux, uy, uz), t.pullX)),
      mulW(side, subW(symRow(m, 1, ux, uy, uz), t.pullY)),
      mulW(side, subW(symRow(m, 2, ux, uy, uz), t.pullZ)),
      zero,
      zero,
      zero,
      last,
    );
    ux = subW(ux, t.rateX);
    uy = subW(uy, t.rateY);
    uz = subW(uz, t.rateZ);
    wx = subW(t.freeX, dotW(ball.ratio00, ball.ratio10, ball.ratio20, ux, uy, uz));
    wy = subW(t.freeY, dotW(ball.ratio01, ball.ratio11, ball.ratio21, ux, uy, uz));
    wz = subW(t.freeZ, dotW(ball.ratio02, ball.ratio12, ball.ratio22, ux, uy, uz));
  } else {
    addImpulse(
      g,
      mulW(side, subW(massTimes(t, 0, ux, uy, uz, wx, wy, wz), t.pullX)),
      mulW(side, subW(massTimes(t, 1, ux, uy, uz, wx, wy, wz), t.pullY)),
      mulW(side, subW(massTimes(t, 2, ux, uy, uz, wx, wy, wz), t.pullZ)),
      mulW(side, subW(massTimes(t, 3, ux, uy, uz, wx, wy, wz), t.angularPullX)),
      mulW(side, subW(massTimes(t, 4, ux, uy, uz, wx, wy, wz), t.angularPullY)),
      mulW(side, subW(massTimes(t, 5, ux, uy, uz, wx, wy, wz), t.angularPullZ)),
      last,
    );
    ux = subW(ux, t.rateX);
    uy = subW(uy, t.rateY);
    uz = subW(uz, t.rateZ);
    wx = subW(wx, t.angularRateX);
    wy = subW(wy, t.angularRateY);
    wz = subW(wz, t.angularRateZ);
    let left: usize = <usize>freeAxes(form);
    for (let axis: u32 = 6; axis-- > 0; ) {
      if ((form & (1 << axis)) != 0) continue;
      const p: TreePivot = pivotAfter(firstPivot(t), --left);
      const sum: v128 = addW(
        dotW(p.linearX, p.linearY, p.linearZ, ux, uy, uz),
        dotW(p.angularX, p.angularY, p.angularZ, wx, wy, wz),
      );
      const x: v128 = mulSubW(p.inverse, sum, p.value);
      if (axis < 3) {
        ux = mulAddW(x, p.axisX, ux);
        uy = mulAddW(x, p.axisY, uy);
        uz = mulAddW(x, p.axisZ, uz);
      } else {
        wx = mulAddW(x, p.axisX, wx);
        wy = mulAddW(x, p.axisY, wy);
        wz = mulAddW(x, p.axisZ, wz);
      }
    }
  }
  // From anchor B to the center of the child: v = u + r x w.
  giveChange(t, crossAddW(cy, wz, cz, wy, ux), crossAddW(cz, wx, cx, wz, uy), crossAddW(cx, wy, cy, wx, uz), wx, wy, wz);
}

/** The change of the children, for their own children, and to their velocities. */
// @ts-ignore: decorator
@inline
function giveChange(t: TreeSection, vx: v128, vy: v128, vz: v128, wx: v128, wy: v128, wz: v128): void {
  const bodies: AddressLanes = children(t),
    rows: AddressLanes = childRows(t);
  const zero: v128 = splatW(0);
  const l0: v128 = zipLowW(vx, vy),
    h0: v128 = zipHighW(vx, vy),
    l1: v128 = zipLowW(vz, zero),
    h1: v128 = zipHighW(vz, zero);
  const m0: v128 = zipLowW(wx, wy),
    n0: v128 = zipHighW(wx, wy),
    m1: v128 = zipLowW(wz, zero),
    n1: v128 = zipHighW(wz, zero);
  change(changetype<JointBody>(bodies.at0), rows.at0, joinLowW(l0, l1), joinLowW(m0, m1));
  change(changetype<JointBody>(bodies.at1), rows.at1, joinHighW(l0, l1), joinHighW(m0, m1));
  change(changetype<JointBody>(bodies.at2), rows.at2, joinLowW(h0, h1), joinLowW(n0, n1));
  change(changetype<JointBody>(bodies.at3), rows.at3, joinHighW(h0, h1), joinHighW(n0, n1));
}

// @ts-ignore: decorator
@inline
function change(c: JointBody, row: usize, v: v128, w: v128): void {
  c.change = v;
  c.spinChange = w;
  v128.store(row, addW(v128.load(row), v));
  v128.store(row, addW(v128.load(row, ROW_SPIN), w), ROW_SPIN);
}
