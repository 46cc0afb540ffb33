// Rows of the oracle of SOLVER_WIDE (wide_oracle.ts): those that sweep/lane_rows.ts makes four at a time, for one manifold in the
// words of its lane. An entry of W, the response of the relative twist at the mean point, is what a unit force or torque does to
// the motion along another (docs/contact_rows.md, "A manifold in its own frame").
// Input: marked groups, manifolds, BodyRow, BodyInertia. Output: rows in the lanes.
import {
  BODY_ROW_STRIDE,
  BodyInertia,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  Manifold,
  ManifoldPoint,
  WordList,
} from '../layout.generated';
import { LOCK_DROP, lockShares, locksOf } from '../bodies/locks';
import { inertiaAt, rowAt } from '../bodies/rows';
import { manifoldAt, pointOf } from '../constraints/manifolds';
import {
  couplingsOf,
  groupAt,
  lanesUsed,
  markedGroups,
  pointsOf,
  pointsOfGroup,
  rowsOf,
  sideAt,
  sidePointsOf,
} from '../lanes/lane_layout';
import { laneGroup, laneSide } from '../lanes/state';
import { cross3, dot3, splatW } from '../math/lane';
import { inverseOf } from '../math/number';
import { header } from '../memory/header';
import { PointResponse, pointCoupling } from '../rows/frame';
import { lockedLanes } from '../sweep/lane_rows';
import { at32 } from '../memory/words';

// The words of a lane.

/** Manifolds of a group: its lanes in use. */
export function usedOf(word: u32): u32 {
  return lanesUsed(sideAt(word));
}
/** Lane i of a group, as in Manifold.lane. */
export function laneOf(word: u32, i: u32): u32 {
  return (word << 2) + i;
}
export function bodyA(g: usize): u32 {
  return load<u32>(g, offsetof<ContactGroup>('bodyA')) / <u32>BODY_ROW_STRIDE;
}
export function bodyB(g: usize): u32 {
  return load<u32>(g, offsetof<ContactGroup>('bodyB')) / <u32>BODY_ROW_STRIDE;
}
/** Addresses of the words of point i: state, rows, beside them. */
export function pointAt(lane: u32, i: u32): usize {
  return changetype<usize>(pointsOf(changetype<ContactGroup>(laneGroup(lane)), pointsOfGroup(lane >> 2), i));
}
export function rowOfPoint(lane: u32, i: u32): usize {
  return changetype<usize>(rowsOf(changetype<ContactGroup>(laneGroup(lane)), pointsOfGroup(lane >> 2), i));
}
export function sidePointAt(lane: u32, i: u32): usize {
  return changetype<usize>(sidePointsOf(changetype<ContactSide>(laneSide(lane)), i));
}
/** Address of the coupling of normal rows i and j < i. */
export function couplingAt(lane: u32, i: u32, j: u32): usize {
  const first: usize = couplingsOf(changetype<ContactGroup>(laneGroup(lane)), pointsOfGroup(lane >> 2));
  return first + ((<usize>(((i * (i - 1)) >> 1) + j)) << 4);
}
export function impulseAt(lane: u32, i: u32): f32 {
  return load<f32>(pointAt(lane, i), offsetof<ContactPoints>('impulse'));
}
export function setImpulse(lane: u32, i: u32, z: f32): void {
  store<f32>(pointAt(lane, i), z, offsetof<ContactPoints>('impulse'));
}
/** Offsets of a point along t and u; 0 where it is the only one. */
export function alongT(lane: u32, i: u32): f32 {
  return pointsOfGroup(lane >> 2) == 1 ? <f32>0 : load<f32>(rowOfPoint(lane, i), offsetof<ContactRows>('alongT'));
}
export function alongU(lane: u32, i: u32): f32 {
  return pointsOfGroup(lane >> 2) == 1 ? <f32>0 : load<f32>(rowOfPoint(lane, i), offsetof<ContactRows>('alongU'));
}

// Vectors.

export function scaled(v: v128, x: f32): v128 {
  return f32x4.mul(v, f32x4.splat(x));
}
/** A vector whose components lie side by side. */
function vectorAt(at: usize): v128 {
  return f32x4.replace_lane(v128.load(at), 3, 0);
}
/** Writes one whose components lie 16 bytes apart (laneVector). */
function storeVector(at: usize, v: v128): void {
  store<f32>(at, f32x4.extract_lane(v, 0));
  store<f32>(at, f32x4.extract_lane(v, 1), 16);
  store<f32>(at, f32x4.extract_lane(v, 2), 32);
}
/** I^-1 v, with xx yy zz xy xz yz at `i`, 16 bytes apart. */
export function turned(i: usize, v: v128): v128 {
  const xx: f32 = load<f32>(i),
    yy: f32 = load<f32>(i, 16),
    zz: f32 = load<f32>(i, 32);
  const xy: f32 = load<f32>(i, 48),
    xz: f32 = load<f32>(i, 64),
    yz: f32 = load<f32>(i, 80);
  return f32x4(dot3(f32x4(xx, xy, xz, 0), v), dot3(f32x4(xy, yy, yz, 0), v), dot3(f32x4(xz, yz, zz, 0), v), 0);
}

// Rows of a manifold.

/** Makes the rows of the groups that are marked; none is then. */
export function prepareMarked(): void {
  const list: WordList = markedGroups();
  for (let at: u32 = 0; at < list.count; at++) {
    const word: u32 = at32(list.words, at);
    const side: ContactSide = sideAt(word);
    side.listed = 0;
    if (usedOf(word) == 0) continue;
    let byAxis: bool = false;
    if (header().anyLocks != 0) {
      side.locked = lockedLanes(groupAt(word));
      byAxis = side.locked != 0;
    }
    for (let i: u32 = 0; i < usedOf(word); i++) prepareLane(laneOf(word, i), byAxis);
  }
  list.count = 0;
}

/** `byAxis`: the bodies of a lane of the group have locked axes. */
function prepareLane(lane: u32, byAxis: bool): void {
  const g: usize = laneGroup(lane),
    s: usize = laneSide(lane);
  const k: u32 = pointsOfGroup(lane >> 2);
  const m: Manifold = manifoldAt(load<u32>(s, offsetof<ContactSide>('manifold')));
  const record: usize = changetype<usize>(m);
  const n: v128 = vectorAt(record + offsetof<Manifold>('nx')),
    t: v128 = vectorAt(record + offsetof<Manifold>('tx'));
  const u: v128 = cross3(n, t);
  storeVector(g + offsetof<ContactGroup>('normalX'), n);
  storeVector(g + offsetof<ContactGroup>('tangentX'), t);
  store<f32>(g, m.friction, offsetof<ContactGroup>('friction'));
  store<f32>(g, m.friction * m.twistRadius, offsetof<ContactGroup>('twistFriction'));
  store<f32>(g, 1 - m.pushCut, offsetof<ContactGroup>('pushShare'));
  store<f32>(g, m.rollArm, offsetof<ContactGroup>('rollArm'));
  store<f32>(s, m.restitution, offsetof<ContactSide>('restitution'));
  if (header().anySurface != 0) {
    store<f32>(s, m.surface1, offsetof<ContactSide>('surface1'));
    store<f32>(s, m.surface2, offsetof<ContactSide>('surface2'));
    store<f32>(s, m.surfaceTwist, offsetof<ContactSide>('surfaceTwist'));
    store<f32>(s, m.surfaceRate1, offsetof<ContactSide>('surfaceRate1'));
    store<f32>(s, m.surfaceRate2, offsetof<ContactSide>('surfaceRate2'));
  }

  // The mean point from both bodies, and the points from it: what both bodies share of their offsets, by mass.
  const massA: f32 = rowAt(m.bodyA).invMass,
    massB: f32 = rowAt(m.bodyB).invMass;
  const shareA: f32 = (massA + massA) / (massA + massB),
    shareB: f32 = (massB + massB) / (massA + massB);
  store<u32>(g, massA == 0 || massB == 0 ? 0xffffffff : 0, offsetof<ContactGroup>('isStatic'));
  let a: v128 = splatW(0),
    b: v128 = splatW(0);
  for (let i: u32 = 0; i < k; i++) {
    a = f32x4.add(a, armA(m, i));
    b = f32x4.add(b, armB(m, i));
  }
  a = scaled(a, 1 / <f32>k);
  b = scaled(b, 1 / <f32>k);
  storeVector(g + offsetof<ContactGroup>('armsX'), f32x4.sub(b, a));
  storeVector(g + offsetof<ContactGroup>('armBX'), b);
  if (k > 1) {
    const mean: v128 = f32x4.add(scaled(a, shareA), scaled(b, shareB));
    for (let i: u32 = 0; i < k; i++) {
      const twice: v128 = f32x4.add(scaled(armA(m, i), shareA), scaled(armB(m, i), shareB));
      store<f32>(rowOfPoint(lane, i), 0.5 * (dot3(t, twice) - dot3(t, mean)), offsetof<ContactRows>('alongT'));
      store<f32>(rowOfPoint(lane, i), 0.5 * (dot3(u, twice) - dot3(u, mean)), offsetof<ContactRows>('alongU'));
    }
  }

  // W: what unit forces along t, u, n do to the motion along them, linear part.
  let mtt: f32 = massA + massB,
    muu: f32 = massA + massB,
    mnn: f32 = massA + massB;
  let mtu: f32 = 0,
    mtn: f32 = 0,
    mun: f32 = 0;
  if (byAxis) {
    const axes: v128 = f32x4.add(massByAxis(m.bodyA), massByAxis(m.bodyB));
    mtt = dot3(f32x4.mul(axes, t), t);
    mtu = dot3(f32x4.mul(axes, t), u);
    mtn = dot3(f32x4.mul(axes, t), n);
    muu = dot3(f32x4.mul(axes, u), u);
    mun = dot3(f32x4.mul(axes, n), u);
    mnn = dot3(f32x4.mul(axes, n), n);
  }
  // Angular part: torques of these forces, and the spins that they make.
  const ia: usize = g + offsetof<ContactGroup>('inertiaAXX'),
    ib: usize = g + offsetof<ContactGroup>('inertiaBXX');
  storeInertia(ia, inertiaAt(m.bodyA));
  storeInertia(ib, inertiaAt(m.bodyB));
  const at: v128 = cross3(a, t),
    au: v128 = cross3(a, u),
    an: v128 = cross3(a, n);
  const bt: v128 = cross3(b, t),
    bu: v128 = cross3(b, u),
    bn: v128 = cross3(b, n);
  const spinAT: v128 = turned(ia, at),
    spinAU: v128 = turned(ia, au),
    spinAN: v128 = turned(ia, an);
  const spinBT: v128 = turned(ib, bt),
    spinBU: v128 = turned(ib, bu),
    spinBN: v128 = turned(ib, bn);
  const wtt: f32 = mtt + (dot3(at, spinAT) + dot3(bt, spinBT)),
    wuu: f32 = muu + (dot3(au, spinAU) + dot3(bu, spinBU)),
    wnn: f32 = mnn + (dot3(an, spinAN) + dot3(bn, spinBN));
  const wtu: f32 = dot3(at, spinAU) + dot3(bt, spinBU) + mtu,
    wtn: f32 = dot3(at, spinAN) + dot3(bt, spinBN) + mtn,
    wun: f32 = dot3(au, spinAN) + dot3(bu, spinBN) + mun;
  storeInverse(g + offsetof<ContactGroup>('tangentMass11'), wtt, wtu, wuu);

  // Spin of B against A by unit forces, by unit torques.
  const byT: v128 = f32x4.add(spinAT, spinBT),
    byU: v128 = f32x4.add(spinAU, spinBU),
    byN: v128 = f32x4.add(spinAN, spinBN);
  const aboutT: v128 = f32x4.add(turned(ia, t), turned(ib, t)),
    aboutU: v128 = f32x4.add(turned(ia, u), turned(ib, u)),
    aboutN: v128 = f32x4.add(turned(ia, n), turned(ib, n));
  const w11: f32 = dot3(t, aboutT),
    w12: f32 = dot3(u, aboutT),
    w22: f32 = dot3(u, aboutU);
  store<f32>(g, inverseOf<f32>(dot3(n, aboutN)), offsetof<ContactGroup>('twistMass'));
  storeInverse(s + offsetof<ContactSide>('rollMass11'), w11, w12, w22);
  storeVector(g + offsetof<ContactGroup>('couplingN1'), f32x4(wtn, wun, dot3(n, byN), 0));
  if (k > 1) {
    storeVector(g + offsetof<ContactGroup>('couplingT1'), f32x4(dot3(t, byT), dot3(t, byU), dot3(t, aboutN), 0));
    storeVector(g + offsetof<ContactGroup>('couplingU1'), f32x4(dot3(u, byT), dot3(u, byU), dot3(u, aboutN), 0));
  }

  const response: PointResponse<f32> = new PointResponse<f32>(wnn, dot3(t, byN), dot3(u, byN), w11, w12, w22);
  prepareNormals(lane, k, response, byAxis ? (massA + massB) * LOCK_DROP : 0);
}

/** Normal rows, r_i W r_j. One of an entry up to `least` could move its bodies along locked axes alone, and pushes nothing. */
function prepareNormals(lane: u32, k: u32, response: PointResponse<f32>, least: f32): void {
  for (let i: u32 = 0; i < k; i++) {
    for (let j: u32 = 0; j < i; j++) {
      store<f32>(couplingAt(lane, i, j), entry(lane, i, j, response));
    }
    const w: f32 = k == 1 ? response.nn : entry(lane, i, i, response);
    const barred: bool = least > 0 && !(w > least);
    store<f32>(rowOfPoint(lane, i), barred ? 0 : inverseOf<f32>(w), offsetof<ContactRows>('mass'));
    if (barred) setImpulse(lane, i, 0);
  }
}

function armA(m: Manifold, i: u32): v128 {
  return vectorAt(changetype<usize>(pointOf(m, i)) + offsetof<ManifoldPoint>('rax'));
}
function armB(m: Manifold, i: u32): v128 {
  return vectorAt(changetype<usize>(pointOf(m, i)) + offsetof<ManifoldPoint>('rbx'));
}

/** Inverse mass of a body along x y z. */
function massByAxis(body: u32): v128 {
  return f32x4.replace_lane(scaled(lockShares(locksOf(body)), rowAt(body).invMass), 3, 0);
}

function storeInertia(at: usize, i: BodyInertia): void {
  store<f32>(at, i.xx);
  store<f32>(at, i.yy, 16);
  store<f32>(at, i.zz, 32);
  store<f32>(at, i.xy, 48);
  store<f32>(at, i.xz, 64);
  store<f32>(at, i.yz, 80);
}

/** The inverse of the symmetric block k11 k12 k22, in the same order. */
function storeInverse(at: usize, k11: f32, k12: f32, k22: f32): void {
  const inverse: f32 = inverseOf<f32>(k11 * k22 - k12 * k12);
  store<f32>(at, k22 * inverse);
  store<f32>(at, -k12 * inverse, 16);
  store<f32>(at, k11 * inverse, 32);
}

function entry(lane: u32, i: u32, j: u32, w: PointResponse<f32>): f32 {
  const a: f32 = alongT(lane, i),
    b: f32 = alongU(lane, i);
  return pointCoupling<f32>(a, b, alongT(lane, j), alongU(lane, j), w);
}
