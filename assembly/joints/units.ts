// Driven and limited axes and friction by load: the rows of a joint beside its locked axes, solved before these in every pass.
//
// - A limit is like a contact: rigid while the axis is inside, soft beyond the limit (relax: rigid, without push).
// - A velocity drive is a row with a bounded impulse in both passes.
// - A spring is solved in the soft pass alone, implicitly, with the stiffness for which this is the exact step of a free spring;
//   relax keeps its impulse.
// - Dry friction opposes the motion of an axis, up to its force. Friction by load does so for the free angular axes, up to arm
//   times the impulse of the locked axes. It lets ragdolls come to rest.
// - A gear is a row held both ways, a pulley one with an upper limit.
// All of them use the mass and the speed that the axis has while the locked axes hold (block.ts). Friction by load comes first
// (of balls solved alone: ball.ts), then axis by axis dry friction, drive, limit.
// Input: columns of turn.ts. Output: impulses, BodyRow.
import {
  AddressLanes,
  JointGroup,
  JointParameters,
  JointScratch,
  JointUnit,
  SymmetricLanes,
  VectorLanes,
} from '../layout.generated';
import { columnX, columnY, columnZ } from '../lanes/columns';
import { addW, blendW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, negW, splatW, sqrtW, subW } from '../math/lane';
import { addSpins, pushSide, speedAlong } from './anchors';
import { solve3, symRow } from './columns';
import {
  FORM_FRICTION,
  FORM_GEAR,
  FORM_HELD,
  FORM_LOCKED,
  ROW_SPIN,
  addedA,
  addedB,
  axisAt,
  driven,
  firstUnit,
  frictionMass,
  inverseA,
  inverseB,
  isCoupling,
  isPlain,
  linearA,
  linearB,
  nextUnit,
  response,
  rowsA,
  rowsB,
  scratchSpinA,
  scratchSpinB,
  shareOf,
} from './layout';
import {
  Spring,
  cancelling,
  drivenRow,
  limitSide,
  loadBound,
  speedGain,
  springByFrequency,
  springByStiffness,
  springHold,
  springRow,
} from '../rows/joint_drive';
import { PUSH } from '../rows/joint_softness';
import { boundRow, boundedShare, gapBias, rigidNormalRow } from '../rows/row';
import { jointScratch } from './state';

// A limit that would not be reached in a substep at twice the present speed plus this (m/s, rad/s) does nothing in this pass.
const REACH: f32 = 5;
// Speed (rad/s) at which a limit may come nearer.
const FASTEST: f32 = 150;
// The lasting load of a limit: this share of its impulse, approached by this share of the difference per substep.
export const BORNE: f32 = 0.95;
const FOLLOWS: f32 = 0.02;
// A limit that is passed by less than this (rad, m) is soft, by RIGID more it is rigid.
const PASSED: f32 = 0.015;
const RIGID: f32 = 0.03;

/**
 * A pass over the units of the groups named in [list, end). It loads the spins of a group's bodies once, and stores their changes
 * once.
 */
export function solveUnits(list: usize, end: usize, soft: bool, step: JointParameters): void {
  const s: JointScratch = jointScratch();
  const reach: v128 = mulW(step.h, splatW(FASTEST));
  for (; list < end; list += 4) {
    const g: JointGroup = changetype<JointGroup>(load<u32>(list));
    const form: u32 = g.form;
    const rubs: bool = (form & FORM_FRICTION) != 0 && !isPlain(form);
    const linear: bool = (driven(form) & 7) != 0 || isCoupling(form);
    if (!rubs && !linear && !anyNear(g, reach)) continue;
    takeSpins(g, s);
    if (rubs) solveLoadFriction(g, s, form, step);
    let unit: JointUnit = firstUnit(g);
    for (let k: u32 = g.units; k != 0; k--) {
      if (linear || !isFar(unit, reach)) solveUnit(g, s, unit, form, linear, soft, step);
      unit = nextUnit(unit);
    }
    giveSpins(g, s);
  }
}

function anyNear(g: JointGroup, reach: v128): bool {
  let unit: JointUnit = firstUnit(g);
  for (let k: u32 = g.units; k != 0; k--) {
    if (!isFar(unit, reach)) return true;
    unit = nextUnit(unit);
  }
  return false;
}

/** Spins of the bodies of a group to the scratch. */
function takeSpins(g: JointGroup, s: JointScratch): void {
  takeSide(rowsA(g), scratchSpinA(s), addedA(s));
  takeSide(rowsB(g), scratchSpinB(s), addedB(s));
}
// @ts-ignore: decorator
@inline
function takeSide(rows: AddressLanes, spin: VectorLanes, added: VectorLanes): void {
  const r0: v128 = v128.load(<usize>rows.at0 + ROW_SPIN),
    r1: v128 = v128.load(<usize>rows.at1 + ROW_SPIN),
    r2: v128 = v128.load(<usize>rows.at2 + ROW_SPIN),
    r3: v128 = v128.load(<usize>rows.at3 + ROW_SPIN);
  spin.x = columnX(r0, r1, r2, r3);
  spin.y = columnY(r0, r1, r2, r3);
  spin.z = columnZ(r0, r1, r2, r3);
  const zero: v128 = splatW(0);
  added.x = zero;
  added.y = zero;
  added.z = zero;
}

/** Adds the changes of spins to the rows of bodies. */
function giveSpins(g: JointGroup, s: JointScratch): void {
  addSpins(rowsA(g), s.addedAX, s.addedAY, s.addedAZ);
  addSpins(rowsB(g), s.addedBX, s.addedBY, s.addedBZ);
}

/** w += (x, y, z), for the bodies of one side in the scratch. */
// @ts-ignore: decorator
@inline
function turnSide(spin: VectorLanes, added: VectorLanes, x: v128, y: v128, z: v128): void {
  spin.x = addW(spin.x, x);
  spin.y = addW(spin.y, y);
  spin.z = addW(spin.z, z);
  added.x = addW(added.x, x);
  added.y = addW(added.y, y);
  added.z = addW(added.z, z);
}

function solveUnit(
  g: JointGroup,
  s: JointScratch,
  unit: JointUnit,
  form: u32,
  linear: bool,
  soft: bool,
  step: JointParameters,
): void {
  const h: v128 = step.h;
  // The speed that the axis would have if the locked ones held.
  let u: v128 = subW(
    dotW(unit.heldBX, unit.heldBY, unit.heldBZ, s.spinBX, s.spinBY, s.spinBZ),
    dotW(unit.heldAX, unit.heldAY, unit.heldAZ, s.spinAX, s.spinAY, s.spinAZ),
  );
  if (linear) u = addW(u, subW(speedAlong(rowsB(g), linearB(unit)), speedAlong(rowsA(g), linearA(unit))));
  if ((form & FORM_HELD) != 0) u = subW(u, subW(speedAlong(rowsB(g), shareOf(unit)), speedAlong(rowsA(g), shareOf(unit))));
  const zero: v128 = splatW(0);
  const mass: v128 = unit.carriedMass;
  const place: v128 = unit.place;
  let change: v128 = zero;
  if ((form & FORM_GEAR) != 0) {
    // Held both ways; the error is the integral of its speed.
    if (soft) {
      change = negW(mulW(mass, mulAddW(step.rate, place, u)));
      u = addW(u, divW(change, maxW(mass, splatW(1e-30))));
      g.twist = mulAddW(h, u, place);
    } else {
      change = negW(mulW(mass, u));
    }
    unit.limit = addW(unit.limit, change);
  } else {
    const most: v128 = mulW(h, unit.mostForce);
    const friction: v128 = mulW(h, unit.mostFriction);
    if (v128.any_true(f32x4.ne(friction, zero))) {
      const old: v128 = unit.friction;
      const z: v128 = drivenRow<v128>(old, u, mass, friction);
      unit.friction = z;
      const d: v128 = subW(z, old);
      change = addW(change, d);
      u = addW(u, speedGain<v128>(d, mass));
    }
    const turned: v128 = unit.turned;
    if (v128.any_true(turned)) {
      const old: v128 = unit.drive;
      const z: v128 = drivenRow<v128>(old, subW(u, unit.target), mass, most);
      const d: v128 = v128.and(subW(z, old), turned);
      unit.drive = addW(old, d);
      change = addW(change, d);
      u = addW(u, speedGain<v128>(d, mass));
    }
    const sprung: v128 = unit.sprung;
    if (soft && v128.any_true(sprung)) {
      // By the mass of the two bodies alone, while the locked axes hold.
      const alone: v128 = unit.heldMass,
        firm: v128 = unit.stiffness,
        damping: v128 = unit.damping,
        byStiffness: v128 = unit.byStiffness;
      const byMass: Spring<v128> = springByStiffness<v128>(h, alone, firm, damping),
        bySwing: Spring<v128> = springByFrequency<v128>(h, firm, damping);
      const square: v128 = blendW(byStiffness, byMass.square, bySwing.square),
        share: v128 = blendW(byStiffness, byMass.damping, bySwing.damping);
      const hold: v128 = mulW(alone, springHold<v128>(new Spring<v128>(square, share)));
      const pull: v128 = mulW(mulW(alone, square), mulW(step.invH, subW(place, unit.target)));
      const old: v128 = unit.drive;
      const bounded: v128 = boundRow<v128>(springRow<v128>(old, u, alone, hold, pull), most);
      const d: v128 = v128.and(subW(bounded, old), sprung);
      unit.drive = addW(old, d);
      change = addW(change, d);
      u = addW(u, speedGain<v128>(d, mass));
    }
    // The limit comes last: no drive is stronger.
    const before: v128 = unit.limit;
    const lower: v128 = subW(place, unit.lower),
      upper: v128 = subW(unit.upper, place);
    const reach: v128 = mulW(h, addW(addW(f32x4.abs(u), f32x4.abs(u)), splatW(REACH)));
    const near: v128 = v128.or(f32x4.lt(minW(lower, upper), reach), f32x4.ne(before, zero));
    if (v128.any_true(near)) {
      // The nearer side: s is the gap there, `sign` is 1 at the lower end.
      const gap: v128 = minW(lower, upper);
      const sign: v128 = limitSide<v128>(lower, upper);
      const old: v128 = maxW(zero, mulW(sign, before));
      const apart: v128 = greaterW(gap, zero);
      const speed: v128 = mulW(sign, u);
      let z: v128;
      if (soft) {
        const pushed: v128 = maxW(mulW(step.rate, gap), splatW(-PUSH));
        const bias: v128 = blendW(apart, mulW(gap, step.invH), pushed);
        // The deeper it is passed, the more rigid: a blow must not turn a limb far beyond it in one substep.
        const give: v128 = minW(maxW(mulAddW(splatW(1 / RIGID), gap, splatW(1 + PASSED / RIGID)), splatW(0)), splatW(1));
        const share: v128 = blendW(apart, splatW(1), mulAddW(give, subW(step.massScale, splatW(1)), splatW(1)));
        const scale: v128 = v128.andnot(mulW(give, step.impulseScale), apart);
        // Soft against changes of its load, not against its lasting load.
        const base: v128 = minW(maxW(mulW(sign, unit.base), zero), old);
        z = maxW(zero, subW(mulSubW(mulW(mass, share), addW(speed, bias), old), mulW(scale, subW(old, base))));
        const most: v128 = mulW(splatW(BORNE), z);
        unit.base = mulW(sign, minW(mulAddW(splatW(FOLLOWS), subW(most, base), base), most));
      } else {
        z = rigidNormalRow<v128>(old, addW(speed, gapBias<v128>(gap, step.invH)), mass, zero);
      }
      z = mulW(sign, z);
      change = addW(change, subW(z, before));
      // A motor that runs against its limit would push ever harder, and the limit with it: the part that cancels is dropped.
      const both: v128 = cancelling<v128>(v128.and(unit.drive, turned), z);
      unit.drive = subW(unit.drive, both);
      unit.limit = addW(z, both);
    }
  }
  if (linear && !soft) {
    const all: v128 = addW(unit.limit, unit.drive);
    const x: v128 = unit.linearBX,
      y: v128 = unit.linearBY,
      z: v128 = unit.linearBZ;
    g.peak = maxW(g.peak, mulW(mulW(all, all), dotW(x, y, z, x, y, z)));
  }
  if (!v128.any_true(f32x4.ne(change, zero))) return;
  if (linear) {
    pushSide(rowsA(g), linearA(unit), negW(change));
    pushSide(rowsB(g), linearB(unit), change);
  }
  const back: v128 = negW(change);
  turnSide(scratchSpinA(s), addedA(s), mulW(back, unit.spinAX), mulW(back, unit.spinAY), mulW(back, unit.spinAZ));
  turnSide(scratchSpinB(s), addedB(s), mulW(change, unit.spinBX), mulW(change, unit.spinBY), mulW(change, unit.spinBZ));
}

/** Whether the axis of a unit is driven by nothing and `reach` and more away from its limits. */
function isFar(unit: JointUnit, reach: v128): bool {
  const place: v128 = unit.place;
  const gap: v128 = minW(subW(place, unit.lower), subW(unit.upper, place));
  const works: v128 = v128.or(v128.or(unit.turned, unit.sprung), v128.or(unit.mostFriction, unit.limit));
  return !v128.any_true(v128.or(works, v128.not(greaterW(gap, reach))));
}

function solveLoadFriction(g: JointGroup, s: JointScratch, form: u32, step: JointParameters): void {
  let wx: v128 = subW(s.spinBX, s.spinAX),
    wy: v128 = subW(s.spinBY, s.spinAY),
    wz: v128 = subW(s.spinBZ, s.spinAZ);
  const ix: v128 = g.impulseX,
    iy: v128 = g.impulseY,
    iz: v128 = g.impulseZ;
  const load0: v128 = sqrtW(dotW(ix, iy, iz, ix, iy, iz));
  const bound: v128 = loadBound<v128>(g.frictionArm, load0, g.frictionTorque, step.h);
  const ox: v128 = g.frictionX,
    oy: v128 = g.frictionY,
    oz: v128 = g.frictionZ;
  const locked: u32 = (form & FORM_LOCKED) >> 3;
  let zx: v128, zy: v128, zz: v128;
  let mass: v128 = g.frictionStep;
  if (locked == 3) {
    // A hinge: one row along its axis.
    const nx: v128 = g.axesZX,
      ny: v128 = g.axesZY,
      nz: v128 = g.axesZZ;
    const u: v128 = dotW(wx, wy, wz, nx, ny, nz);
    const old: v128 = dotW(ox, oy, oz, nx, ny, nz);
    const along: v128 = mulSubW(mass, u, old);
    zx = mulW(along, nx);
    zy = mulW(along, ny);
    zz = mulW(along, nz);
  } else {
    if (locked != 0) {
      for (let axis: u32 = 0; axis < 3; axis++) {
        if ((locked & (1 << axis)) == 0) continue;
        const n: VectorLanes = axisAt(g, axis);
        const nx: v128 = n.x,
          ny: v128 = n.y,
          nz: v128 = n.z;
        const u: v128 = dotW(wx, wy, wz, nx, ny, nz);
        wx = mulSubW(u, nx, wx);
        wy = mulSubW(u, ny, wy);
        wz = mulSubW(u, nz, wz);
      }
    }
    const d: VectorLanes = response(s);
    solve3(frictionMass(g), d, wx, wy, wz);
    zx = subW(ox, d.x);
    zy = subW(oy, d.y);
    zz = subW(oz, d.z);
    const slips: v128 = greaterW(dotW(zx, zy, zz, zx, zy, zz), mulW(bound, bound));
    zx = blendW(slips, mulSubW(mass, wx, ox), zx);
    zy = blendW(slips, mulSubW(mass, wy, oy), zy);
    zz = blendW(slips, mulSubW(mass, wz, oz), zz);
  }
  mass = sqrtW(dotW(zx, zy, zz, zx, zy, zz));
  const share: v128 = boundedShare<v128>(mass, bound);
  zx = mulW(zx, share);
  zy = mulW(zy, share);
  zz = mulW(zz, share);
  g.frictionX = zx;
  g.frictionY = zy;
  g.frictionZ = zz;
  zx = subW(zx, ox);
  zy = subW(zy, oy);
  zz = subW(zz, oz);
  if (!v128.any_true(f32x4.ne(v128.or(zx, v128.or(zy, zz)), splatW(0)))) return;
  const ofA: SymmetricLanes = inverseA(g),
    ofB: SymmetricLanes = inverseB(g);
  turnSide(scratchSpinB(s), addedB(s), symRow(ofB, 0, zx, zy, zz), symRow(ofB, 1, zx, zy, zz), symRow(ofB, 2, zx, zy, zz));
  zx = negW(zx);
  zy = negW(zy);
  zz = negW(zz);
  turnSide(scratchSpinA(s), addedA(s), symRow(ofA, 0, zx, zy, zz), symRow(ofA, 1, zx, zy, zz), symRow(ofA, 2, zx, zy, zz));
}
