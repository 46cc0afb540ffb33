// Rows of manifolds in their own frames, made four at a time: from the manifolds of a group to its lanes.
//
// All rows of a manifold (up to four normals, two tangents, twist) act at its mean point and see only the relative twist of the
// two bodies there, in the frame t, u = n x t, n. With W the response of that twist to a unit wrench (6 x 6, symmetric),
//   W_ij = (1/m_A + 1/m_B) d_ij + J_Ai I_A^-1 J_Aj + J_Bi I_B^-1 J_Bj,   J = r x e for a force along e, e for a torque about e,
// everything a sweep needs are entries of W (docs/contact_rows.md, "A manifold in its own frame"). Point i lies at (a_i, b_i)
// along t, u from the mean point, the same for both bodies: its normal row is r_i = (n: 1, w_t: b_i, w_u: -a_i).
//
// The contacts stage only lists groups whose manifolds have changed; here, at the start of the solver, each is written once, with
// full width. Impulses and separations are not touched: they live in the lane (lanes/state.ts).
// Input: listed groups, Manifold (world-frame data), BodyRow, BodyInertia. Output: lanes (lane_layout.ts).
import {
  BODY_INERTIA_STRIDE,
  BODY_ROW_STRIDE,
  BodyRow,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  Header,
  MANIFOLD_POINT_STRIDE,
  Manifold,
  ManifoldPoint,
  NONE,
  SymmetricLanes,
  WordList,
} from '../layout.generated';
import { LOCK_DROP, LOCK_SHARE, locksOf } from '../bodies/locks';
import { manifoldAt } from '../constraints/manifolds';
import {
  couplingsOf,
  groupAt,
  markedGroups,
  pointsOf,
  pointsOfGroup,
  rowOfA,
  rowOfB,
  rowsOf,
  sideAt,
} from '../lanes/lane_layout';
import { addW, divW, greaterW, mulW, negW, splatW, subW } from '../math/lane';
import { inverseOf } from '../math/number';
import { VectorW, cross, dot, masked, minus, plus, times, timesEach, zeroVector } from '../math/vector';
import { header } from '../memory/header';
import { FrameW, PointResponse, frameBy, pointCoupling } from '../rows/frame';
import { columnW, columnX, columnY, columnZ } from '../lanes/columns';
import { JOB_LANES, closeJob, finishTask, isAlone, openJob, takeTask } from '../threads/team';
import { AddressW, behind, fourthsAt, inertiaA, inertiaB, symmetricTimes, vectorsAt } from './group_bodies';

// Groups of a task; with fewer than several of them there is one thread.
const RANGE: u32 = 16;

/** Writes the rows of all listed groups. */
export function prepareGroups(): void {
  const list: WordList = markedGroups();
  const tasks: u32 = (list.count + RANGE - 1) / RANGE;
  if (isAlone() || tasks < 4) {
    for (let task: u32 = 0; task < tasks; task++) prepareRange(task);
  } else {
    openJob(JOB_LANES, tasks);
    for (let task: u32 = takeTask(); task != NONE; task = takeTask()) {
      prepareRange(task);
      finishTask();
    }
    closeJob();
  }
  list.count = 0;
}

/** A task of the job: a group, which is in the list once, writes its own lanes alone. */
export function prepareRange(task: u32): void {
  const words: usize = markedGroups().words;
  const end: u32 = min<u32>((task + 1) * RANGE, markedGroups().count);
  for (let i: u32 = task * RANGE; i < end; i++) prepareGroup(load<u32>(words + ((<usize>i) << 2)));
}

/** 1 / m of four bodies, named by the offsets of their rows. */
function inverseMasses(rows: usize, bodies: v128): v128 {
  let m: v128 = f32x4.splat(0);
  m = f32x4.replace_lane(m, 0, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 0))).invMass);
  m = f32x4.replace_lane(m, 1, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 1))).invMass);
  m = f32x4.replace_lane(m, 2, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 2))).invMass);
  return f32x4.replace_lane(m, 3, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 3))).invMass);
}

/** Inverse inertias of four bodies, named by the offsets of their rows, into columns. */
function gatherInertias(bodies: v128, to: SymmetricLanes): void {
  const base: usize = header().bodyInertias;
  const i0: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 0) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE,
    i1: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 1) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE,
    i2: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 2) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE,
    i3: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 3) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE;
  const r0: v128 = v128.load(i0),
    r1: v128 = v128.load(i1),
    r2: v128 = v128.load(i2),
    r3: v128 = v128.load(i3);
  to.xx = columnX(r0, r1, r2, r3);
  to.yy = columnY(r0, r1, r2, r3);
  to.zz = columnZ(r0, r1, r2, r3);
  to.xy = columnW(r0, r1, r2, r3);
  const q0: v128 = v128.load(i0, 16),
    q1: v128 = v128.load(i1, 16),
    q2: v128 = v128.load(i2, 16),
    q3: v128 = v128.load(i3, 16);
  to.xz = columnX(q0, q1, q2, q3);
  to.yz = columnY(q0, q1, q2, q3);
}

/** Bits of lanes whose body A (0-3), B (4-7) has locked axes. */
export function lockedLanes(g: ContactGroup): u32 {
  let bits: u32 = 0;
  for (let i: u32 = 0; i < 8; i++) if (locksAt(g, i) != 0) bits |= 1 << i;
  return bits;
}

function locksAt(g: ContactGroup, i: u32): u32 {
  return locksOf((i < 4 ? rowOfA(g, i) : rowOfB(g, i - 4)) / <u32>BODY_ROW_STRIDE);
}

/** Inverse masses of four bodies along x, y, z of the world; `first`: 0 for the bodies A, 4 for B. */
function massesByAxis(g: ContactGroup, first: u32, mass: v128): VectorW {
  return new VectorW(mulW(mass, sharesAt(g, first, 0)), mulW(mass, sharesAt(g, first, 1)), mulW(mass, sharesAt(g, first, 2)));
}
function sharesAt(g: ContactGroup, first: u32, axis: u32): v128 {
  return f32x4(shareAt(g, first, axis), shareAt(g, first + 1, axis), shareAt(g, first + 2, axis), shareAt(g, first + 3, axis));
}
function shareAt(g: ContactGroup, i: u32, axis: u32): f32 {
  return ((locksAt(g, i) >> axis) & 1) != 0 ? LOCK_SHARE : 1;
}

/** A float of four manifolds. */
function floatsOf(m: AddressW, field: usize): v128 {
  return f32x4(load<f32>(m.at0 + field), load<f32>(m.at1 + field), load<f32>(m.at2 + field), load<f32>(m.at3 + field));
}

/** The manifolds of a group. Lanes that are not in use read the manifold of lane 0, which is: used lanes are the first ones. */
function manifoldsOf(owners: v128): AddressW {
  const first: u32 = i32x4.extract_lane(owners, 0);
  return new AddressW(
    changetype<usize>(manifoldAt(first)),
    changetype<usize>(manifoldAt(ownerOr(i32x4.extract_lane(owners, 1), first))),
    changetype<usize>(manifoldAt(ownerOr(i32x4.extract_lane(owners, 2), first))),
    changetype<usize>(manifoldAt(ownerOr(i32x4.extract_lane(owners, 3), first))),
  );
}

/** The linear part of W: 1 / m along t, u, n, and between them where axes are locked. */
@value
class LinearW {
  constructor(
    public tt: v128,
    public uu: v128,
    public nn: v128,
    public tu: v128,
    public tn: v128,
    public un: v128,
  ) {}
}

/** Of inverse masses that differ by the axis of the world. */
function linearByAxis(f: FrameW, masses: VectorW): LinearW {
  const alongT: VectorW = timesEach(masses, f.t),
    alongU: VectorW = timesEach(masses, f.u),
    alongN: VectorW = timesEach(masses, f.n);
  return new LinearW(dot(alongT, f.t), dot(alongU, f.u), dot(alongN, f.n), dot(alongT, f.u), dot(alongT, f.n), dot(alongN, f.u));
}

/** Torques r x e of unit forces along t, u, n at an arm r. */
function torquesAt(r: VectorW, f: FrameW): FrameW {
  return new FrameW(cross(r, f.t), cross(r, f.u), cross(r, f.n));
}
/** S of the three vectors. */
function symmetricTimesEach(s: SymmetricLanes, f: FrameW): FrameW {
  return new FrameW(symmetricTimes(s, f.t), symmetricTimes(s, f.u), symmetricTimes(s, f.n));
}
function plusEach(a: FrameW, b: FrameW): FrameW {
  return new FrameW(plus(a.t, b.t), plus(a.u, b.u), plus(a.n, b.n));
}

/** Writes the rows of a group that is listed. */
function prepareGroup(word: u32): void {
  const h: Header = header();
  const k: u32 = pointsOfGroup(word);
  const g: ContactGroup = groupAt(word),
    side: ContactSide = sideAt(word);
  side.listed = 0;
  const used: v128 = i32x4.ne(side.manifold, i32x4.splat(NONE));
  if (!v128.any_true(used)) return;
  const m: AddressW = manifoldsOf(side.manifold);
  const frame: FrameW = frameBy(
    masked(vectorsAt(behind(m, offsetof<Manifold>('nx'))), used),
    masked(vectorsAt(behind(m, offsetof<Manifold>('tx'))), used),
  );
  takeManifolds(g, side, m, used, frame);
  gatherInertias(g.bodyA, inertiaA(g));
  gatherInertias(g.bodyB, inertiaB(g));

  // Means of the arms; the offsets from them along t and u that both bodies share, first from the centers of mass and twice.
  const massA: v128 = inverseMasses(h.bodyRows, g.bodyA),
    massB: v128 = inverseMasses(h.bodyRows, g.bodyB);
  const total: v128 = addW(massA, massB);
  const shareA: v128 = divW(addW(massA, massA), total),
    shareB: v128 = divW(addW(massB, massB), total);
  let a: VectorW = zeroVector(),
    b: VectorW = zeroVector();
  for (let i: u32 = 0; i < k; i++) {
    const points: AddressW = behind(m, offsetof<Manifold>('lax0') + <usize>i * MANIFOLD_POINT_STRIDE);
    const onA: VectorW = vectorsAt(behind(points, offsetof<ManifoldPoint>('rax'))),
      onB: VectorW = vectorsAt(behind(points, offsetof<ManifoldPoint>('rbx')));
    a = plus(a, onA);
    b = plus(b, onB);
    if (k > 1) {
      const offset: VectorW = plus(times(onA, shareA), times(onB, shareB));
      rowsOf(g, k, i).alongT = dot(frame.t, offset);
      rowsOf(g, k, i).alongU = dot(frame.u, offset);
    }
  }
  a = times(a, splatW(1 / <f32>k));
  b = times(b, splatW(1 / <f32>k));
  storeVector(changetype<usize>(g) + offsetof<ContactGroup>('armsX'), minus(b, a));
  storeVector(changetype<usize>(g) + offsetof<ContactGroup>('armBX'), b);

  // Linear part of W.
  const zero: v128 = splatW(0);
  g.isStatic = v128.or(f32x4.eq(massA, zero), f32x4.eq(massB, zero));
  const mass: v128 = v128.and(total, used);
  let linear: LinearW = new LinearW(mass, mass, mass, zero, zero, zero);
  const locked: u32 = h.anyLocks != 0 ? lockedLanes(g) : 0;
  if (h.anyLocks != 0) side.locked = locked;
  if (locked != 0) {
    const masses: VectorW = masked(plus(massesByAxis(g, 0, massA), massesByAxis(g, 4, massB)), used);
    linear = linearByAxis(frame, masses);
  }

  // Angular part: torques of unit forces, and the spins that they make; then spins by unit torques.
  const torqueA: FrameW = torquesAt(a, frame),
    torqueB: FrameW = torquesAt(b, frame);
  const spinA: FrameW = symmetricTimesEach(inertiaA(g), torqueA),
    spinB: FrameW = symmetricTimesEach(inertiaB(g), torqueB);
  const byForce: FrameW = plusEach(spinA, spinB);
  const byTorque: FrameW = plusEach(symmetricTimesEach(inertiaA(g), frame), symmetricTimesEach(inertiaB(g), frame));

  // Friction and twist, and what normal impulses change there.
  const wtt: v128 = addW(linear.tt, addW(dot(torqueA.t, spinA.t), dot(torqueB.t, spinB.t))),
    wuu: v128 = addW(linear.uu, addW(dot(torqueA.u, spinA.u), dot(torqueB.u, spinB.u))),
    wnn: v128 = addW(linear.nn, addW(dot(torqueA.n, spinA.n), dot(torqueB.n, spinB.n)));
  let wtu: v128 = addW(dot(torqueA.t, spinA.u), dot(torqueB.t, spinB.u)),
    wtn: v128 = addW(dot(torqueA.t, spinA.n), dot(torqueB.t, spinB.n)),
    wun: v128 = addW(dot(torqueA.u, spinA.n), dot(torqueB.u, spinB.n));
  if (locked != 0) {
    wtu = addW(wtu, linear.tu);
    wtn = addW(wtn, linear.tn);
    wun = addW(wun, linear.un);
  }
  storeInverse(changetype<usize>(g) + offsetof<ContactGroup>('tangentMass11'), wtt, wtu, wuu);
  g.twistMass = inverseOf<v128>(dot(frame.n, byTorque.n));
  storeVector(changetype<usize>(g) + offsetof<ContactGroup>('couplingN1'), new VectorW(wtn, wun, dot(frame.n, byForce.n)));
  // Rolling resistance: spins about t and u.
  const w11: v128 = dot(frame.t, byTorque.t),
    w12: v128 = dot(frame.u, byTorque.t),
    w22: v128 = dot(frame.u, byTorque.u);
  storeInverse(changetype<usize>(side) + offsetof<ContactSide>('rollMass11'), w11, w12, w22);

  const least: v128 = mulW(mass, splatW(LOCK_DROP));
  if (k == 1) {
    storeMass(rowsOf(g, 1), pointsOf(g, 1), wnn, least, locked);
    return;
  }
  storeVector(
    changetype<usize>(g) + offsetof<ContactGroup>('couplingT1'),
    new VectorW(dot(frame.t, byForce.t), dot(frame.t, byForce.u), dot(frame.t, byTorque.n)),
  );
  storeVector(
    changetype<usize>(g) + offsetof<ContactGroup>('couplingU1'),
    new VectorW(dot(frame.u, byForce.t), dot(frame.u, byForce.u), dot(frame.u, byTorque.n)),
  );
  const mean: VectorW = plus(times(a, shareA), times(b, shareB));
  placePoints(k, g, dot(frame.t, mean), dot(frame.u, mean));
  const wn1: v128 = dot(frame.t, byForce.n),
    wn2: v128 = dot(frame.u, byForce.n);
  prepareNormals(k, g, new PointResponse<v128>(wnn, wn1, wn2, w11, w12, w22), least, locked);
}

/** Copies the data that a group needs unchanged from its manifolds. */
function takeManifolds(g: ContactGroup, side: ContactSide, m: AddressW, used: v128, frame: FrameW): void {
  // They lie behind normals and tangents, which have been read already, and behind the local normals.
  const friction: v128 = fourthsAt(behind(m, offsetof<Manifold>('nx'))),
    restitution: v128 = fourthsAt(behind(m, offsetof<Manifold>('tx'))),
    twistRadius: v128 = fourthsAt(behind(m, offsetof<Manifold>('lnx')));
  storeVector(changetype<usize>(g) + offsetof<ContactGroup>('normalX'), frame.n);
  storeVector(changetype<usize>(g) + offsetof<ContactGroup>('tangentX'), frame.t);
  g.friction = friction;
  g.twistFriction = mulW(friction, twistRadius);
  g.pushShare = subW(splatW(1), floatsOf(m, offsetof<Manifold>('pushCut')));
  g.rollArm = v128.and(floatsOf(m, offsetof<Manifold>('rollArm')), used);
  side.restitution = v128.and(restitution, used);
  if (header().anySurface == 0) return;
  const surface: VectorW = masked(vectorsAt(behind(m, offsetof<Manifold>('surface1'))), used);
  side.surface1 = surface.x;
  side.surface2 = surface.y;
  side.surfaceTwist = surface.z;
  side.surfaceRate1 = v128.and(floatsOf(m, offsetof<Manifold>('surfaceRate1')), used);
  side.surfaceRate2 = v128.and(floatsOf(m, offsetof<Manifold>('surfaceRate2')), used);
}

/** Offsets of points from the mean point; rows have twice those from the centers of mass, `meanT` and `meanU` are its own. */
function placePoints(k: u32, g: ContactGroup, meanT: v128, meanU: v128): void {
  const half: v128 = splatW(0.5);
  for (let i: u32 = 0; i < k; i++) {
    const r: ContactRows = rowsOf(g, k, i);
    r.alongT = mulW(half, subW(r.alongT, meanT));
    r.alongU = mulW(half, subW(r.alongU, meanU));
  }
}

/** Normal rows of several points: effective masses and couplings. */
function prepareNormals(k: u32, g: ContactGroup, w: PointResponse<v128>, least: v128, locked: u32): void {
  let coupling: usize = couplingsOf(g, k);
  for (let i: u32 = 0; i < k; i++) {
    const r: ContactRows = rowsOf(g, k, i);
    const a: v128 = r.alongT,
      b: v128 = r.alongU;
    for (let j: u32 = 0; j < i; j++) {
      const other: ContactRows = rowsOf(g, k, j);
      v128.store(coupling, pointCoupling<v128>(a, b, other.alongT, other.alongU, w));
      coupling += 16;
    }
    storeMass(r, pointsOf(g, k, i), pointCoupling<v128>(a, b, a, b, w), least, locked);
  }
}

/** Writes a vector to three columns. */
// @ts-ignore: decorator
@inline
function storeVector(at: usize, v: VectorW): void {
  v128.store(at, v.x);
  v128.store(at, v.y, 16);
  v128.store(at, v.z, 32);
}

/** Writes the inverse of the symmetric block k11 k12 k22, in the same order. */
function storeInverse(at: usize, k11: v128, k12: v128, k22: v128): void {
  const scale: v128 = inverseOf<v128>(subW(mulW(k11, k22), mulW(k12, k12)));
  storeVector(at, new VectorW(mulW(k22, scale), mulW(negW(k12), scale), mulW(k11, scale)));
}

/** Effective mass of a normal row; one that could move its bodies along locked axes alone pushes nothing. */
function storeMass(row: ContactRows, point: ContactPoints, w: v128, least: v128, locked: u32): void {
  let mass: v128 = inverseOf<v128>(w);
  if (locked != 0) {
    const moves: v128 = greaterW(w, least);
    mass = v128.and(mass, moves);
    point.impulse = v128.and(point.impulse, moves);
  }
  row.mass = mass;
}

function ownerOr(owner: u32, other: u32): u32 {
  return owner == NONE ? other : owner;
}
