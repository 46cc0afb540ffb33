// The bodies of a group of four manifolds: addresses of their rows, their data in the group, and vectors read from rows and added
// to them.
import { BodyRow, ContactGroup, SymmetricLanes } from '../layout.generated';
import { addColumns, columnW, columnX, columnY, columnZ, differenceOf, push } from '../lanes/columns';
import { rowOfA, rowOfB } from '../lanes/lane_layout';
import { dotW } from '../math/lane';
import { VectorW } from '../math/vector';

/** From the row of a body to its angular velocity; to the velocities that it moved with in the substep. */
export const SPIN: usize = offsetof<BodyRow>('wx');
export const MOVED: usize = offsetof<BodyRow>('svx');

/** Four addresses, one a lane. */
@value
export class AddressW {
  constructor(
    public at0: usize,
    public at1: usize,
    public at2: usize,
    public at3: usize,
  ) {}
}

/** Rows of the bodies A of a group, of the bodies B; `half`: 1 if rows are half as long as BodyRow. */
export function groupRowsA(g: ContactGroup, rows: usize, half: u32): AddressW {
  return new AddressW(
    rows + <usize>(rowOfA(g, 0) >> half),
    rows + <usize>(rowOfA(g, 1) >> half),
    rows + <usize>(rowOfA(g, 2) >> half),
    rows + <usize>(rowOfA(g, 3) >> half),
  );
}
export function groupRowsB(g: ContactGroup, rows: usize, half: u32): AddressW {
  return new AddressW(
    rows + <usize>(rowOfB(g, 0) >> half),
    rows + <usize>(rowOfB(g, 1) >> half),
    rows + <usize>(rowOfB(g, 2) >> half),
    rows + <usize>(rowOfB(g, 3) >> half),
  );
}

/** So many bytes behind four addresses. */
export function behind(a: AddressW, bytes: usize): AddressW {
  return new AddressW(a.at0 + bytes, a.at1 + bytes, a.at2 + bytes, a.at3 + bytes);
}

/** The first three of the four floats at each address. */
export function vectorsAt(a: AddressW): VectorW {
  const r0: v128 = v128.load(a.at0),
    r1: v128 = v128.load(a.at1),
    r2: v128 = v128.load(a.at2),
    r3: v128 = v128.load(a.at3);
  return new VectorW(columnX(r0, r1, r2, r3), columnY(r0, r1, r2, r3), columnZ(r0, r1, r2, r3));
}

/** The last of the four floats at each address. */
// @ts-ignore: decorator
@inline
export function fourthsAt(a: AddressW): v128 {
  return columnW(v128.load(a.at0), v128.load(a.at1), v128.load(a.at2), v128.load(a.at3));
}

/** B - A of the first three. */
export function differences(a: AddressW, b: AddressW): VectorW {
  const r0: v128 = differenceOf(a.at0, b.at0),
    r1: v128 = differenceOf(a.at1, b.at1),
    r2: v128 = differenceOf(a.at2, b.at2),
    r3: v128 = differenceOf(a.at3, b.at3);
  return new VectorW(columnX(r0, r1, r2, r3), columnY(r0, r1, r2, r3), columnZ(r0, r1, r2, r3));
}

/** Adds a vector to the floats at each address. */
// @ts-ignore: decorator
@inline
export function addTo(a: AddressW, v: VectorW): void {
  addColumns(a.at0, a.at1, a.at2, a.at3, v.x, v.y, v.z);
}

/** Pushes the bodies at rows b by an impulse, and those at a against it. */
// @ts-ignore: decorator
@inline
export function pushApart(a: AddressW, b: AddressW, impulse: VectorW): void {
  push(a.at0, a.at1, a.at2, a.at3, b.at0, b.at1, b.at2, b.at3, impulse.x, impulse.y, impulse.z);
}

/** Inverse inertias of the bodies of a group, in the world frame. */
export function inertiaA(g: ContactGroup): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(g) + offsetof<ContactGroup>('inertiaAXX'));
}
export function inertiaB(g: ContactGroup): SymmetricLanes {
  return changetype<SymmetricLanes>(changetype<usize>(g) + offsetof<ContactGroup>('inertiaBXX'));
}

/** S v of symmetric matrices. */
export function symmetricTimes(s: SymmetricLanes, v: VectorW): VectorW {
  return new VectorW(
    dotW(s.xx, s.xy, s.xz, v.x, v.y, v.z),
    dotW(s.xy, s.yy, s.yz, v.x, v.y, v.z),
    dotW(s.xz, s.yz, s.zz, v.x, v.y, v.z),
  );
}

/** From the means of the points on A to those on B, both from the centers of mass: rB - rA. */
export function armDifference(g: ContactGroup): VectorW {
  return new VectorW(g.armsX, g.armsY, g.armsZ);
}
/** The mean point from the center of mass of B: rB. */
export function armOfB(g: ContactGroup): VectorW {
  return new VectorW(g.armBX, g.armBY, g.armBZ);
}
