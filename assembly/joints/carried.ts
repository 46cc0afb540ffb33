// The mass of limits, motors and dry friction in a tree, which includes all bodies beyond the joint's child. A spring keeps the
// mass of its two bodies, which its frequency refers to.
//
// The row of a unit moves two bodies; the tree, solved after it, moves all bodies beyond them too. A limit that carries ten times
// its limb would push with a tenth of the needed impulse, and the limb would bounce on it for seconds. So in the mobility of the
// axis, the part of the child alone is replaced by that of the child with everything beyond it, held by its parent: n' C^-1 n
// with the articulated angular mass C at the anchor (for a hinge 1 / n' C n). The parent counts as if it were alone. That is less
// than the row has to move, so no row is too strong.
// Input: articulated masses of the children at the anchors (tree.ts), axes of units, inverse inertia of the head. Output:
// JointUnit.carriedMass.
import {
  FactorLanes,
  JointBody,
  JointGroup,
  JointScratch,
  JointUnit,
  SYMMETRIC_LANES_STRIDE,
  SymmetricLanes,
  TreeSection,
  VectorLanes,
} from '../layout.generated';
import { addW, blendW, divW, dotW, greaterW, maxW, minW, mulAddW, mulSubW, mulW, splatW, subW } from '../math/lane';
import { factorInPlace, solve3, symRow } from './columns';
import {
  FORM_LOCKED,
  LINEAR_AXES,
  aloneMass,
  angularOf,
  children,
  driven,
  firstUnit,
  inverseA,
  inverseB,
  isBall,
  nextUnit,
  response,
  treeMass,
  wholeMass,
} from './layout';
import { jointScratch } from './state';

/** Whether anchors are locked and one angular axis is free. */
function isHinge(form: u32): bool {
  return (form & LINEAR_AXES) == LINEAR_AXES && popcnt<u32>((form & FORM_LOCKED) >> 3) == 2;
}

/** Whether something hangs from a child of the group. */
function carries(t: TreeSection): bool {
  const bodies = children(t);
  return (
    (changetype<JointBody>(bodies.at0).carries |
      changetype<JointBody>(bodies.at1).carries |
      changetype<JointBody>(bodies.at2).carries |
      changetype<JointBody>(bodies.at3).carries) !=
    0
  );
}

/** Units of a group whose child carries more than itself, before its free axes are eliminated (factorTree). */
export function carryUnits(g: JointGroup, t: TreeSection, form: u32): void {
  const ball: bool = isBall(form);
  if ((!ball && !isHinge(form)) || !carries(t)) return;
  const s: JointScratch = jointScratch();
  const alone: SymmetricLanes = aloneMass(s),
    whole: SymmetricLanes = wholeMass(s);
  massAlone(g, t, alone, whole);
  memory.copy(changetype<usize>(whole), changetype<usize>(angularOf(treeMass(t))), SYMMETRIC_LANES_STRIDE);
  if (ball) {
    factorInPlace(alone);
    factorInPlace(whole);
  }
  let unit: JointUnit = firstUnit(g);
  for (let axis: u32 = 0; axis < 7; axis++) {
    if ((driven(form) & (1 << axis)) == 0) continue;
    if (axis >= 3) carryUnit(unit, mobilityOf(unit, alone, ball, s), mobilityOf(unit, whole, ball, s));
    unit = nextUnit(unit);
  }
}

/** Inertia of the children alone about the anchors; `scratch` is overwritten. */
function massAlone(g: JointGroup, t: TreeSection, to: SymmetricLanes, scratch: SymmetricLanes): void {
  const isB: v128 = greaterW(g.side, splatW(0));
  const a: SymmetricLanes = inverseA(g),
    b: SymmetricLanes = inverseB(g);
  scratch.xx = blendW(isB, b.xx, a.xx);
  scratch.yy = blendW(isB, b.yy, a.yy);
  scratch.zz = blendW(isB, b.zz, a.zz);
  scratch.xy = blendW(isB, b.xy, a.xy);
  scratch.xz = blendW(isB, b.xz, a.xz);
  scratch.yz = blendW(isB, b.yz, a.yz);
  factorInPlace(scratch);
  const factors: FactorLanes = changetype<FactorLanes>(changetype<usize>(scratch));
  const column: VectorLanes = response(jointScratch());
  const one: v128 = splatW(1),
    zero: v128 = splatW(0);
  const inverse: v128 = blendW(isB, g.invMassB, g.invMassA);
  const m: v128 = v128.and(divW(one, inverse), greaterW(inverse, zero));
  const x: v128 = t.armX,
    y: v128 = t.armY,
    z: v128 = t.armZ;
  // I + m (r.r 1 - r r').
  solve3(factors, column, one, zero, zero);
  to.xx = mulAddW(m, addW(mulW(y, y), mulW(z, z)), column.x);
  to.xy = mulSubW(m, mulW(x, y), column.y);
  to.xz = mulSubW(m, mulW(x, z), column.z);
  solve3(factors, column, zero, one, zero);
  to.yy = mulAddW(m, addW(mulW(x, x), mulW(z, z)), column.y);
  to.yz = mulSubW(m, mulW(y, z), column.z);
  solve3(factors, column, zero, zero, one);
  to.zz = mulAddW(m, addW(mulW(x, x), mulW(y, y)), column.z);
}

/** Mobility of the axis of a unit by an angular mass at the anchor: of all turns, factored, or of that axis alone. */
function mobilityOf(unit: JointUnit, mass: SymmetricLanes, ball: bool, s: JointScratch): v128 {
  const x: v128 = unit.angularBX,
    y: v128 = unit.angularBY,
    z: v128 = unit.angularBZ;
  if (ball) {
    const turn: VectorLanes = response(s);
    solve3(changetype<FactorLanes>(changetype<usize>(mass)), turn, x, y, z);
    return dotW(x, y, z, turn.x, turn.y, turn.z);
  }
  const along: v128 = dotW(x, y, z, symRow(mass, 0, x, y, z), symRow(mass, 1, x, y, z), symRow(mass, 2, x, y, z));
  const length: v128 = dotW(x, y, z, x, y, z);
  return v128.and(divW(mulW(length, length), along), greaterW(along, splatW(0)));
}

/** Of the mobility of a unit the part of the child `alone` becomes that of the `whole`. */
function carryUnit(unit: JointUnit, alone: v128, whole: v128): void {
  const mass: v128 = unit.heldMass;
  const works: v128 = v128.and(greaterW(mass, splatW(0)), greaterW(whole, splatW(0)));
  const mobility: v128 = divW(splatW(1), maxW(mass, splatW(1e-30)));
  const carried: v128 = minW(maxW(addW(subW(mobility, alone), whole), whole), mobility);
  unit.carriedMass = blendW(works, divW(splatW(1), carried), mass);
}
