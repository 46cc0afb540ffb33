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
import { addW, divW, dotW, greaterW, mulAddW, mulW, negW, splatW, subW } from '../math/lane';
import { inverseOf } from '../math/number';
import { header } from '../memory/header';
import { pointCoupling } from '../rows/frame';
import { columnW, columnX, columnY, columnZ } from '../lanes/columns';
import { JOB_LANES, closeJob, finishTask, isAlone, openJob, takeTask } from '../threads/team';

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

// Cross product, one component a call.
function crossW(ay: v128, az: v128, by: v128, bz: v128): v128 {
  return subW(mulW(ay, bz), mulW(az, by));
}

/** 1 / m of four bodies, named by the offsets of their rows. */
function inverseMasses(rows: usize, bodies: v128): v128 {
  let m: v128 = f32x4.splat(0);
  m = f32x4.replace_lane(m, 0, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 0))).invMass);
  m = f32x4.replace_lane(m, 1, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 1))).invMass);
  m = f32x4.replace_lane(m, 2, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 2))).invMass);
  return f32x4.replace_lane(m, 3, changetype<BodyRow>(rows + <usize>(<u32>i32x4.extract_lane(bodies, 3))).invMass);
}

/** Inverse inertias of four bodies, named by the offsets of their rows, into the six columns at `out`. */
function gatherInertias(bodies: v128, out: usize): void {
  const base: usize = header().bodyInertias;
  const i0: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 0) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE,
    i1: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 1) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE,
    i2: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 2) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE,
    i3: usize = base + <usize>(<u32>i32x4.extract_lane(bodies, 3) / <u32>BODY_ROW_STRIDE) * BODY_INERTIA_STRIDE;
  const r0: v128 = v128.load(i0),
    r1: v128 = v128.load(i1),
    r2: v128 = v128.load(i2),
    r3: v128 = v128.load(i3);
  v128.store(out, columnX(r0, r1, r2, r3));
  v128.store(out, columnY(r0, r1, r2, r3), 16);
  v128.store(out, columnZ(r0, r1, r2, r3), 32);
  v128.store(out, columnW(r0, r1, r2, r3), 48);
  const q0: v128 = v128.load(i0, 16),
    q1: v128 = v128.load(i1, 16),
    q2: v128 = v128.load(i2, 16),
    q3: v128 = v128.load(i3, 16);
  v128.store(out, columnX(q0, q1, q2, q3), 64);
  v128.store(out, columnY(q0, q1, q2, q3), 80);
}

// Inverse inertia xx yy zz xy xz yz at `i` times (x, y, z).
function turnX(i: usize, x: v128, y: v128, z: v128): v128 {
  return dotW(v128.load(i), v128.load(i, 48), v128.load(i, 64), x, y, z);
}
function turnY(i: usize, x: v128, y: v128, z: v128): v128 {
  return dotW(v128.load(i, 48), v128.load(i, 16), v128.load(i, 80), x, y, z);
}
function turnZ(i: usize, x: v128, y: v128, z: v128): v128 {
  return dotW(v128.load(i, 64), v128.load(i, 80), v128.load(i, 32), x, y, z);
}

/** Rolling resistance: arm of the manifolds at m0 to m3, inverse of the block of their spins about t and u. */
function prepareRolling(
  g: ContactGroup,
  side: ContactSide,
  m0: usize,
  m1: usize,
  m2: usize,
  m3: usize,
  used: v128,
  k11: v128,
  k12: v128,
  k22: v128,
): void {
  const arms: v128 = f32x4(
    changetype<Manifold>(m0).rollArm,
    changetype<Manifold>(m1).rollArm,
    changetype<Manifold>(m2).rollArm,
    changetype<Manifold>(m3).rollArm,
  );
  g.rollArm = v128.and(arms, used);
  const scale: v128 = inverseOf<v128>(subW(mulW(k11, k22), mulW(k12, k12)));
  side.rollMass11 = mulW(k22, scale);
  side.rollMass12 = mulW(negW(k12), scale);
  side.rollMass22 = mulW(k11, scale);
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

/** Inverse masses of four bodies along an axis of the world. */
function massAlong(g: ContactGroup, first: u32, axis: u32, mass: v128): v128 {
  return mulW(
    mass,
    f32x4(shareAt(g, first, axis), shareAt(g, first + 1, axis), shareAt(g, first + 2, axis), shareAt(g, first + 3, axis)),
  );
}
function shareAt(g: ContactGroup, i: u32, axis: u32): f32 {
  return ((locksAt(g, i) >> axis) & 1) != 0 ? LOCK_SHARE : 1;
}

function pushCuts(m0: usize, m1: usize, m2: usize, m3: usize): v128 {
  return f32x4(
    changetype<Manifold>(m0).pushCut,
    changetype<Manifold>(m1).pushCut,
    changetype<Manifold>(m2).pushCut,
    changetype<Manifold>(m3).pushCut,
  );
}

function prepareGroup(word: u32): void {
  const h: Header = header();
  const k: u32 = pointsOfGroup(word);
  const g: ContactGroup = groupAt(word),
    side: ContactSide = sideAt(word);
  side.listed = 0;
  const owners: v128 = side.manifold;
  const used: v128 = i32x4.ne(owners, i32x4.splat(NONE));
  if (!v128.any_true(used)) return;
  // Lanes that are not in use read the manifold of lane 0, which is: used lanes are the first ones.
  const first: u32 = i32x4.extract_lane(owners, 0);
  const m0: usize = changetype<usize>(manifoldAt(first)),
    m1: usize = changetype<usize>(manifoldAt(ownerOr(i32x4.extract_lane(owners, 1), first))),
    m2: usize = changetype<usize>(manifoldAt(ownerOr(i32x4.extract_lane(owners, 2), first))),
    m3: usize = changetype<usize>(manifoldAt(ownerOr(i32x4.extract_lane(owners, 3), first)));
  const n0: v128 = v128.load(m0, offsetof<Manifold>('nx')),
    n1: v128 = v128.load(m1, offsetof<Manifold>('nx')),
    n2: v128 = v128.load(m2, offsetof<Manifold>('nx')),
    n3: v128 = v128.load(m3, offsetof<Manifold>('nx'));
  const nx: v128 = v128.and(columnX(n0, n1, n2, n3), used),
    ny: v128 = v128.and(columnY(n0, n1, n2, n3), used),
    nz: v128 = v128.and(columnZ(n0, n1, n2, n3), used),
    friction: v128 = columnW(n0, n1, n2, n3);
  const t0: v128 = v128.load(m0, offsetof<Manifold>('tx')),
    t1: v128 = v128.load(m1, offsetof<Manifold>('tx')),
    t2: v128 = v128.load(m2, offsetof<Manifold>('tx')),
    t3: v128 = v128.load(m3, offsetof<Manifold>('tx'));
  const tx: v128 = v128.and(columnX(t0, t1, t2, t3), used),
    ty: v128 = v128.and(columnY(t0, t1, t2, t3), used),
    tz: v128 = v128.and(columnZ(t0, t1, t2, t3), used);
  side.restitution = v128.and(columnW(t0, t1, t2, t3), used);
  const ux: v128 = crossW(ny, nz, ty, tz),
    uy: v128 = crossW(nz, nx, tz, tx),
    uz: v128 = crossW(nx, ny, tx, ty);
  g.normalX = nx;
  g.normalY = ny;
  g.normalZ = nz;
  g.tangentX = tx;
  g.tangentY = ty;
  g.tangentZ = tz;
  const l0: v128 = v128.load(m0, offsetof<Manifold>('lnx')),
    l1: v128 = v128.load(m1, offsetof<Manifold>('lnx')),
    l2: v128 = v128.load(m2, offsetof<Manifold>('lnx')),
    l3: v128 = v128.load(m3, offsetof<Manifold>('lnx'));
  g.friction = friction;
  g.twistFriction = mulW(friction, columnW(l0, l1, l2, l3));
  g.pushShare = subW(splatW(1), pushCuts(m0, m1, m2, m3));

  // Points: separation, impulse; arms, their means, the offset from them along t and u that both bodies share.
  const massA: v128 = inverseMasses(h.bodyRows, g.bodyA),
    massB: v128 = inverseMasses(h.bodyRows, g.bodyB);
  const total: v128 = addW(massA, massB);
  const shareA: v128 = divW(addW(massA, massA), total),
    shareB: v128 = divW(addW(massB, massB), total);
  let ax: v128 = splatW(0),
    ay: v128 = splatW(0),
    az: v128 = splatW(0);
  let bx: v128 = splatW(0),
    by: v128 = splatW(0),
    bz: v128 = splatW(0);
  for (let i: u32 = 0; i < k; i++) {
    const at: usize = offsetof<Manifold>('lax0') + <usize>i * MANIFOLD_POINT_STRIDE;
    const r: ContactRows = rowsOf(g, k, i);
    const a0: v128 = v128.load(m0 + at, offsetof<ManifoldPoint>('rax')),
      a1: v128 = v128.load(m1 + at, offsetof<ManifoldPoint>('rax')),
      a2: v128 = v128.load(m2 + at, offsetof<ManifoldPoint>('rax')),
      a3: v128 = v128.load(m3 + at, offsetof<ManifoldPoint>('rax'));
    const b0: v128 = v128.load(m0 + at, offsetof<ManifoldPoint>('rbx')),
      b1: v128 = v128.load(m1 + at, offsetof<ManifoldPoint>('rbx')),
      b2: v128 = v128.load(m2 + at, offsetof<ManifoldPoint>('rbx')),
      b3: v128 = v128.load(m3 + at, offsetof<ManifoldPoint>('rbx'));
    const pax: v128 = columnX(a0, a1, a2, a3),
      pay: v128 = columnY(a0, a1, a2, a3),
      paz: v128 = columnZ(a0, a1, a2, a3);
    const pbx: v128 = columnX(b0, b1, b2, b3),
      pby: v128 = columnY(b0, b1, b2, b3),
      pbz: v128 = columnZ(b0, b1, b2, b3);
    ax = addW(ax, pax);
    ay = addW(ay, pay);
    az = addW(az, paz);
    bx = addW(bx, pbx);
    by = addW(by, pby);
    bz = addW(bz, pbz);
    if (k > 1) {
      // Twice the offset, still from the centers of mass.
      const sx: v128 = mulAddW(shareA, pax, mulW(shareB, pbx)),
        sy: v128 = mulAddW(shareA, pay, mulW(shareB, pby)),
        sz: v128 = mulAddW(shareA, paz, mulW(shareB, pbz));
      r.alongT = dotW(tx, ty, tz, sx, sy, sz);
      r.alongU = dotW(ux, uy, uz, sx, sy, sz);
    }
  }
  const share: v128 = splatW(1 / <f32>k);
  ax = mulW(ax, share);
  ay = mulW(ay, share);
  az = mulW(az, share);
  bx = mulW(bx, share);
  by = mulW(by, share);
  bz = mulW(bz, share);
  g.armsX = subW(bx, ax);
  g.armsY = subW(by, ay);
  g.armsZ = subW(bz, az);
  g.armBX = bx;
  g.armBY = by;
  g.armBZ = bz;

  // Arms of forces along t, u, n, and what they turn, for both bodies.
  const zero: v128 = splatW(0);
  g.isStatic = v128.or(f32x4.eq(massA, zero), f32x4.eq(massB, zero));
  const mass: v128 = v128.and(addW(massA, massB), used);
  // Along t, u, n, where axes are locked; between them, too.
  let mtt: v128 = mass,
    muu: v128 = mass,
    mnn: v128 = mass;
  let mtu: v128 = zero,
    mtn: v128 = zero,
    mun: v128 = zero;
  let locked: u32 = 0;
  if (h.anySurface != 0) {
    const s0: v128 = v128.load(m0, offsetof<Manifold>('surface1')),
      s1: v128 = v128.load(m1, offsetof<Manifold>('surface1')),
      s2: v128 = v128.load(m2, offsetof<Manifold>('surface1')),
      s3: v128 = v128.load(m3, offsetof<Manifold>('surface1'));
    side.surface1 = v128.and(columnX(s0, s1, s2, s3), used);
    side.surface2 = v128.and(columnY(s0, s1, s2, s3), used);
    side.surfaceTwist = v128.and(columnZ(s0, s1, s2, s3), used);
    const r0: v128 = v128.load(m0, offsetof<Manifold>('surfaceRate1')),
      r1: v128 = v128.load(m1, offsetof<Manifold>('surfaceRate1')),
      r2: v128 = v128.load(m2, offsetof<Manifold>('surfaceRate1')),
      r3: v128 = v128.load(m3, offsetof<Manifold>('surfaceRate1'));
    side.surfaceRate1 = v128.and(columnX(r0, r1, r2, r3), used);
    side.surfaceRate2 = v128.and(columnY(r0, r1, r2, r3), used);
  }
  if (h.anyLocks != 0) {
    locked = lockedLanes(g);
    side.locked = locked;
  }
  if (locked != 0) {
    const mx: v128 = v128.and(addW(massAlong(g, 0, 0, massA), massAlong(g, 4, 0, massB)), used),
      my: v128 = v128.and(addW(massAlong(g, 0, 1, massA), massAlong(g, 4, 1, massB)), used),
      mz: v128 = v128.and(addW(massAlong(g, 0, 2, massA), massAlong(g, 4, 2, massB)), used);
    const itx: v128 = mulW(mx, tx),
      ity: v128 = mulW(my, ty),
      itz: v128 = mulW(mz, tz);
    const inx: v128 = mulW(mx, nx),
      iny: v128 = mulW(my, ny),
      inz: v128 = mulW(mz, nz);
    mtt = dotW(itx, ity, itz, tx, ty, tz);
    mtu = dotW(itx, ity, itz, ux, uy, uz);
    mtn = dotW(itx, ity, itz, nx, ny, nz);
    mnn = dotW(inx, iny, inz, nx, ny, nz);
    mun = dotW(inx, iny, inz, ux, uy, uz);
    muu = dotW(mulW(mx, ux), mulW(my, uy), mulW(mz, uz), ux, uy, uz);
  }
  const ia: usize = changetype<usize>(g) + offsetof<ContactGroup>('inertiaAXX'),
    ib: usize = changetype<usize>(g) + offsetof<ContactGroup>('inertiaBXX');
  gatherInertias(g.bodyA, ia);
  gatherInertias(g.bodyB, ib);
  const atx: v128 = crossW(ay, az, ty, tz),
    aty: v128 = crossW(az, ax, tz, tx),
    atz: v128 = crossW(ax, ay, tx, ty);
  const aux: v128 = crossW(ay, az, uy, uz),
    auy: v128 = crossW(az, ax, uz, ux),
    auz: v128 = crossW(ax, ay, ux, uy);
  const anx: v128 = crossW(ay, az, ny, nz),
    any: v128 = crossW(az, ax, nz, nx),
    anz: v128 = crossW(ax, ay, nx, ny);
  const btx: v128 = crossW(by, bz, ty, tz),
    bty: v128 = crossW(bz, bx, tz, tx),
    btz: v128 = crossW(bx, by, tx, ty);
  const bux: v128 = crossW(by, bz, uy, uz),
    buy: v128 = crossW(bz, bx, uz, ux),
    buz: v128 = crossW(bx, by, ux, uy);
  const bnx: v128 = crossW(by, bz, ny, nz),
    bny: v128 = crossW(bz, bx, nz, nx),
    bnz: v128 = crossW(bx, by, nx, ny);
  const tatx: v128 = turnX(ia, atx, aty, atz),
    taty: v128 = turnY(ia, atx, aty, atz),
    tatz: v128 = turnZ(ia, atx, aty, atz);
  const taux: v128 = turnX(ia, aux, auy, auz),
    tauy: v128 = turnY(ia, aux, auy, auz),
    tauz: v128 = turnZ(ia, aux, auy, auz);
  const tanx: v128 = turnX(ia, anx, any, anz),
    tany: v128 = turnY(ia, anx, any, anz),
    tanz: v128 = turnZ(ia, anx, any, anz);
  const tbtx: v128 = turnX(ib, btx, bty, btz),
    tbty: v128 = turnY(ib, btx, bty, btz),
    tbtz: v128 = turnZ(ib, btx, bty, btz);
  const tbux: v128 = turnX(ib, bux, buy, buz),
    tbuy: v128 = turnY(ib, bux, buy, buz),
    tbuz: v128 = turnZ(ib, bux, buy, buz);
  const tbnx: v128 = turnX(ib, bnx, bny, bnz),
    tbny: v128 = turnY(ib, bnx, bny, bnz),
    tbnz: v128 = turnZ(ib, bnx, bny, bnz);
  const wtt: v128 = addW(mtt, addW(dotW(atx, aty, atz, tatx, taty, tatz), dotW(btx, bty, btz, tbtx, tbty, tbtz)));
  const wuu: v128 = addW(muu, addW(dotW(aux, auy, auz, taux, tauy, tauz), dotW(bux, buy, buz, tbux, tbuy, tbuz)));
  const wnn: v128 = addW(mnn, addW(dotW(anx, any, anz, tanx, tany, tanz), dotW(bnx, bny, bnz, tbnx, tbny, tbnz)));
  let wtu: v128 = addW(dotW(atx, aty, atz, taux, tauy, tauz), dotW(btx, bty, btz, tbux, tbuy, tbuz));
  if (locked != 0) wtu = addW(wtu, mtu);
  const inverse: v128 = inverseOf<v128>(subW(mulW(wtt, wuu), mulW(wtu, wtu)));
  g.tangentMass11 = mulW(wuu, inverse);
  g.tangentMass12 = mulW(negW(wtu), inverse);
  g.tangentMass22 = mulW(wtt, inverse);
  g.couplingN1 = addW(dotW(atx, aty, atz, tanx, tany, tanz), dotW(btx, bty, btz, tbnx, tbny, tbnz));
  g.couplingN2 = addW(dotW(aux, auy, auz, tanx, tany, tanz), dotW(bux, buy, buz, tbnx, tbny, tbnz));
  if (locked != 0) {
    g.couplingN1 = addW(g.couplingN1, mtn);
    g.couplingN2 = addW(g.couplingN2, mun);
  }
  // Spin of B against A by unit forces along t, u, n.
  const ftx: v128 = addW(tatx, tbtx),
    fty: v128 = addW(taty, tbty),
    ftz: v128 = addW(tatz, tbtz);
  const fux: v128 = addW(taux, tbux),
    fuy: v128 = addW(tauy, tbuy),
    fuz: v128 = addW(tauz, tbuz);
  const fnx: v128 = addW(tanx, tbnx),
    fny: v128 = addW(tany, tbny),
    fnz: v128 = addW(tanz, tbnz);
  g.couplingN3 = dotW(nx, ny, nz, fnx, fny, fnz);
  // Spin by a unit torque about n.
  const qnx: v128 = addW(turnX(ia, nx, ny, nz), turnX(ib, nx, ny, nz)),
    qny: v128 = addW(turnY(ia, nx, ny, nz), turnY(ib, nx, ny, nz)),
    qnz: v128 = addW(turnZ(ia, nx, ny, nz), turnZ(ib, nx, ny, nz));
  g.twistMass = inverseOf<v128>(dotW(nx, ny, nz, qnx, qny, qnz));
  // Spins along t and u by torques about them.
  const qtx: v128 = addW(turnX(ia, tx, ty, tz), turnX(ib, tx, ty, tz)),
    qty: v128 = addW(turnY(ia, tx, ty, tz), turnY(ib, tx, ty, tz)),
    qtz: v128 = addW(turnZ(ia, tx, ty, tz), turnZ(ib, tx, ty, tz));
  const w11: v128 = dotW(tx, ty, tz, qtx, qty, qtz),
    w12: v128 = dotW(ux, uy, uz, qtx, qty, qtz);
  const w22: v128 = dotW(
    ux,
    uy,
    uz,
    addW(turnX(ia, ux, uy, uz), turnX(ib, ux, uy, uz)),
    addW(turnY(ia, ux, uy, uz), turnY(ib, ux, uy, uz)),
    addW(turnZ(ia, ux, uy, uz), turnZ(ib, ux, uy, uz)),
  );
  prepareRolling(g, side, m0, m1, m2, m3, used, w11, w12, w22);
  const least: v128 = mulW(mass, splatW(LOCK_DROP));
  if (k == 1) {
    storeMass(rowsOf(g, 1), pointsOf(g, 1), wnn, least, locked);
    return;
  }

  // The same by friction.
  g.couplingT1 = dotW(tx, ty, tz, ftx, fty, ftz);
  g.couplingT2 = dotW(tx, ty, tz, fux, fuy, fuz);
  g.couplingT3 = dotW(tx, ty, tz, qnx, qny, qnz);
  g.couplingU1 = dotW(ux, uy, uz, ftx, fty, ftz);
  g.couplingU2 = dotW(ux, uy, uz, fux, fuy, fuz);
  g.couplingU3 = dotW(ux, uy, uz, qnx, qny, qnz);
  const wn1: v128 = dotW(tx, ty, tz, fnx, fny, fnz),
    wn2: v128 = dotW(ux, uy, uz, fnx, fny, fnz);
  const half: v128 = splatW(0.5);
  const mx: v128 = mulAddW(shareA, ax, mulW(shareB, bx)),
    my: v128 = mulAddW(shareA, ay, mulW(shareB, by)),
    mz: v128 = mulAddW(shareA, az, mulW(shareB, bz));
  const meanT: v128 = dotW(tx, ty, tz, mx, my, mz),
    meanU: v128 = dotW(ux, uy, uz, mx, my, mz);
  let coupling: usize = couplingsOf(g, k);
  for (let i: u32 = 0; i < k; i++) {
    const r: ContactRows = rowsOf(g, k, i);
    const a: v128 = mulW(half, subW(r.alongT, meanT)),
      b: v128 = mulW(half, subW(r.alongU, meanU));
    r.alongT = a;
    r.alongU = b;
    for (let j: u32 = 0; j <= i; j++) {
      const other: ContactRows = rowsOf(g, k, j);
      const c: v128 = other.alongT,
        d: v128 = other.alongU;
      const w: v128 = pointCoupling<v128>(a, b, c, d, wnn, wn1, wn2, w11, w12, w22);
      if (j == i) {
        storeMass(r, pointsOf(g, k, i), w, least, locked);
      } else {
        v128.store(coupling, w);
        coupling += 16;
      }
    }
  }
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
