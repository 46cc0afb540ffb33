// The oracle of SOLVER_WIDE (sweep/): the same rows, lists and passes, one manifold after the other, with the same bits.
//
// sweep/ prepares and sweeps four manifolds at once. Here each is taken alone, in the order of its lists: words of a run, then
// lanes, with numbers (f32) and vectors (v128: x y z 0) in place of columns. So it finds what the wide form may get wrong: a
// column that is gathered or scattered amiss, lanes of a group that share a body, an unused lane that acts, a shortcut for groups
// that is none. Equations of rows stand once for both (rows/row.ts, rows/frame.ts), as do passes over bodies, which take one body
// after the other anyway (sweep/wide_bodies.ts), and the shift by moving surfaces. Signs of zeros are no part of the promise: an
// unused lane adds 0 to the bodies of lane 0, which makes 0 of -0. study/pgs.ts is the other oracle: rows of single points in the
// world frame, for all solvers, which agree with it within a tolerance at the end of many sweeps.
//
// Rows and state lie in the words of a lane, where SOLVER_WIDE has them: either can go on from what the other leaves. Two things
// belong to a group and not to a manifold. With locked axes in one lane the rows of all four are made with masses by axis. What
// bounces in one lane has all four swept until they agree.
// Joints are those of SOLVER_WIDE (joints/), in their places between the passes; for them there is pgs_joints.ts. Not here: several
// threads, which have the bits of one (sweep/schedule.ts); the largest impulses that SOLVER_WIDE keeps of a manifold for which
// nobody asks, beside others of its group.
// Input: marked groups, manifolds, runs, BodyRow, BodyAccel. Output: rows and state in the lanes, BodyRow, BodyDelta.
import {
  BODY_ROW_STRIDE,
  BodyInertia,
  BodyRow,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  ContactSidePoints,
  FACE_SWEEPS,
  Header,
  Manifold,
} from '../layout.generated';
import { LOCK_DROP, keepLocks, lockShares, locksOf } from '../bodies/locks';
import { inertiaAt, rowAt } from '../bodies/rows';
import { softLength, substepsInStep } from '../constraints/soft_step';
import { ManifoldPoint, manifoldAt, pointOf } from '../constraints/manifolds';
import { NO_JOINTS, beginJoints, endJoints, jointsOfRun, moveJoints, solveJoints, startJoints } from '../joints/solve';
import {
  BOUNCES,
  HIT_LIST,
  MARKED,
  couplingsOf,
  groupAt,
  groupList,
  lanesUsed,
  pointsOf,
  pointsOfGroup,
  rowsOf,
  sideAt,
  sidePointsOf,
} from '../lanes/lane_layout';
import { Run, RunState, impulseStepBetween, runAt, runState } from '../lanes/runs';
import { laneGroup, laneSide } from '../lanes/state';
import { cross3, dot3, splatW } from '../math/lane';
import { inverseOf } from '../math/number';
import { header } from '../memory/header';
import { frictionChange, pointCoupling, pointSpeed } from '../rows/frame';
import {
  boundRow,
  gapBias,
  growthExcess,
  isStruckRow,
  isUnsettled,
  oneCircleRow,
  rigidNormalRow,
  softBias,
  softNormalRow,
} from '../rows/row';
import { lockedLanes } from '../sweep/lane_rows';
import { beginLanes, endLanes } from '../sweep/wide';
import { changesSubsteps, moveBodies, repeatBodies, setSubsteps, startBodies, storeParameters } from '../sweep/wide_bodies';
import { isWatched, startRows } from '../sweep/wide_run';
import {
  STEP_FACTORS,
  STEP_H,
  STEP_INV_H,
  STEP_PUSH,
  STEP_SLOP,
  STEP_SOFT,
  STEP_SOFT_STATIC,
  STEP_TIME,
  STEP_WARM_START,
  laneVector,
  markBounces,
  shiftLane,
} from '../sweep/wide_sweep';
import { BLOCK_STEP, threadBlock } from '../threads/team';

const SOFT: u32 = 0;
const RELAX: u32 = 1;

/** The solve stage of a step. False without memory (nothing was solved). */
export function solveWideOracle(): bool {
  prepareMarked();
  const runs: RunState = runState();
  if (!beginLanes(load<u32>(groupList(), 8), true)) return false;
  for (let i: u32 = 0; i < runs.count; i++) if (runAt(i).bodyEnd != runAt(i).firstBody) solveRun(i);
  endLanes();
  return true;
}

/** A run through all substeps. */
function solveRun(index: u32): void {
  const hd: Header = header();
  const run: Run = runAt(index);
  const runs: RunState = runState();
  const bodies: usize = <usize>runs.bodies + ((<usize>run.firstBody) << 2);
  const count: u32 = run.bodyEnd - run.firstBody;
  const words: usize = <usize>runs.words + ((<usize>run.firstGroup) << 2),
    end: usize = <usize>runs.words + ((<usize>run.groupEnd) << 2);
  const rows: usize = hd.bodyRows,
    starts: usize = startRows();
  const substeps: u32 = substepsInStep(run.substeps);
  const h: f32 = hd.dt / <f32>substeps;
  const step: usize = threadBlock() + BLOCK_STEP;
  storeParameters(step, h, softLength(run.substeps));
  markBounces(words, end);
  if (changesSubsteps(bodies, count, h)) {
    for (let w: usize = words; w < end; w += 4) rescaleGroup(load<u32>(w), h);
    setSubsteps(bodies, count, h);
  }
  startBodies(bodies, count, rows, starts, hd.bodyAccels, splatW(h));
  for (let w: usize = words; w < end; w += 4) warmGroup(load<u32>(w), rows, step);
  const joints: u32 = jointsOfRun(index);
  const jointed: bool = joints != NO_JOINTS;
  if (jointed) beginJoints(joints, h, softLength(run.substeps));
  for (let s: u32 = 0; s < substeps; s++) {
    if (s != 0) repeatBodies(bodies, count, rows, starts);
    if (jointed) startJoints(joints, s == 0);
    store<f32>(step, (<f32>s + 0.5) * h, STEP_TIME);
    for (let i: u32 = 0; i < hd.sweeps; i++) {
      for (let w: usize = words; w < end; w += 4) softGroup(load<u32>(w), rows, step);
      if (jointed) solveJoints(joints, true);
    }
    for (let w: usize = words; w < end; w += 4) recordGroup(load<u32>(w));
    moveBodies(bodies, count, rows, hd.bodyDeltas, splatW(h));
    if (jointed) moveJoints(joints, h);
    const isLast: bool = s + 1 == substeps;
    for (let i: u32 = 0; i < hd.sweeps; i++) {
      const last: bool = i == hd.sweeps - 1;
      for (let w: usize = words; w < end; w += 4) relaxGroup(load<u32>(w), rows, isLast ? 0 : starts, step, i == 0, last);
      if (jointed) solveJoints(joints, false);
    }
  }
  if (jointed) endJoints(joints, h);
}

// Passes over the manifolds of a group.

/** Manifolds of a group: its lanes in use. */
function usedOf(word: u32): u32 {
  return lanesUsed(sideAt(word));
}
/** Lane i of a group, as in Manifold.lane. */
function laneOf(word: u32, i: u32): u32 {
  return (word << 2) + i;
}
function bounces(word: u32): bool {
  return (word & BOUNCES) != 0;
}

function warmGroup(word: u32, rows: usize, step: usize): void {
  for (let i: u32 = 0; i < usedOf(word); i++) {
    warmLane(laneOf(word, i), rows, step);
    keepLane(laneOf(word, i), rows, 0);
  }
}

function softGroup(word: u32, rows: usize, step: usize): void {
  for (let i: u32 = 0; i < usedOf(word); i++) {
    shift(laneOf(word, i), rows, 1, step);
    solveLane(SOFT, laneOf(word, i), rows, step, false);
  }
  if (pointsOfGroup(word) > 1 && isStruck(word)) settle(SOFT, word, rows, step);
  for (let i: u32 = 0; i < usedOf(word); i++) {
    shift(laneOf(word, i), rows, -1, step);
    keepLane(laneOf(word, i), rows, 0);
  }
}

/** `starts`: rows at the start of the substep, which lose the excess of impulses, 0 in the last substep. */
function relaxGroup(word: u32, rows: usize, starts: usize, step: usize, advance: bool, last: bool): void {
  for (let i: u32 = 0; i < usedOf(word); i++) {
    shift(laneOf(word, i), rows, 1, step);
    solveLane(RELAX, laneOf(word, i), rows, step, advance);
  }
  if (last && pointsOfGroup(word) > 1 && isStruck(word)) settle(RELAX, word, rows, step);
  let any: bool = false;
  for (let i: u32 = 0; i < usedOf(word); i++) {
    const lane: u32 = laneOf(word, i);
    const excess: bool = last && findExcess(lane);
    shift(lane, rows, -1, step);
    rollLane(lane, rows, step);
    keepLane(lane, rows, 0);
    if (excess) any = true;
  }
  if (!last) return;
  if (isWatched()) sumGroup(word);
  recordGroup(word);
  if (!any || starts == 0) return;
  for (let i: u32 = 0; i < usedOf(word); i++) {
    takeBackExcess(laneOf(word, i), starts);
    keepLane(laneOf(word, i), starts, 1);
  }
}

/** Sums of the step, of manifolds for which they are asked; the first sum above 0 lists the group. */
function sumGroup(word: u32): void {
  let was: bool = false,
    is: bool = false;
  for (let i: u32 = 0; i < usedOf(word); i++) {
    const lane: u32 = laneOf(word, i);
    const s: usize = laneSide(lane);
    const before: f32 = load<f32>(s, offsetof<ContactSide>('stepImpulse'));
    if (before == f32.NEGATIVE_INFINITY) continue;
    let total: f32 = before;
    for (let p: u32 = 0; p < pointsOfGroup(word); p++) {
      const q: usize = sidePointAt(lane, p);
      // Without restitution largest impulses are kept from the first hit on.
      const isKept: bool = before > 0 || load<f32>(s, offsetof<ContactSide>('restitution')) > 0;
      const most: f32 = isKept ? load<f32>(q, offsetof<ContactSidePoints>('maxImpulse')) : 0;
      total += impulseAt(lane, p);
      store<f32>(q, max<f32>(most, impulseAt(lane, p)), offsetof<ContactSidePoints>('maxImpulse'));
    }
    store<f32>(s, total, offsetof<ContactSide>('stepImpulse'));
    if (before > 0) was = true;
    if (total > 0) is = true;
  }
  if (was || !is) return;
  const list: usize = <usize>header().laneState + HIT_LIST;
  const hits: u32 = load<u32>(list, 8);
  store<u32>(<usize>load<u32>(list) + ((<usize>hits) << 2), word);
  store<u32>(list, hits + 1, 8);
}

/** The largest impulses of the step, in groups in which something bounces. */
function recordGroup(word: u32): void {
  if (!bounces(word)) return;
  for (let i: u32 = 0; i < usedOf(word); i++) {
    const lane: u32 = laneOf(word, i);
    for (let p: u32 = 0; p < pointsOfGroup(word); p++) {
      const q: usize = sidePointAt(lane, p);
      const most: f32 = load<f32>(q, offsetof<ContactSidePoints>('maxImpulse'));
      store<f32>(q, max<f32>(most, impulseAt(lane, p)), offsetof<ContactSidePoints>('maxImpulse'));
    }
  }
}

/** Whether something strikes a group that bounces. */
function isStruck(word: u32): bool {
  if (!bounces(word)) return false;
  const awaited: bool = sideAt(word).struck != 0;
  for (let i: u32 = 0; i < usedOf(word); i++) {
    for (let p: u32 = 0; p < pointsOfGroup(word); p++) {
      const q: usize = sidePointAt(laneOf(word, i), p);
      const z: f32 = impulseAt(laneOf(word, i), p);
      const warm: f32 = load<f32>(q, offsetof<ContactSidePoints>('previous')) - load<f32>(q, offsetof<ContactSidePoints>('excess'));
      if (isStruckRow<f32>(z, warm) || (awaited && z > 0)) return true;
    }
  }
  return false;
}

/** Repeats the rows of a group until the points of all its manifolds agree. */
function settle(pass: u32, word: u32, rows: usize, step: usize): void {
  for (let sweep: u32 = 0; sweep < FACE_SWEEPS; sweep++) {
    let open: bool = false;
    for (let i: u32 = 0; i < usedOf(word); i++) {
      const lane: u32 = laneOf(word, i);
      keepLane(lane, rows, 0);
      const z0: f32 = impulseAt(lane, 0),
        z1: f32 = impulseAt(lane, 1);
      const z2: f32 = pointsOfGroup(word) > 2 ? impulseAt(lane, 2) : 0,
        z3: f32 = pointsOfGroup(word) > 3 ? impulseAt(lane, 3) : 0;
      solveLane(pass, lane, rows, step, false);
      if (isUnsettled<f32>(impulseAt(lane, 0), z0) || isUnsettled<f32>(impulseAt(lane, 1), z1)) open = true;
      if (pointsOfGroup(word) > 2 && isUnsettled<f32>(impulseAt(lane, 2), z2)) open = true;
      if (pointsOfGroup(word) > 3 && isUnsettled<f32>(impulseAt(lane, 3), z3)) open = true;
    }
    if (!open) return;
  }
}

/** Impulses for substeps of h seconds, from those that they belong to. */
function rescaleGroup(word: u32, h: f32): void {
  for (let i: u32 = 0; i < usedOf(word); i++) {
    const lane: u32 = laneOf(word, i);
    const g: usize = laneGroup(lane),
      s: usize = laneSide(lane);
    const old: f32 = impulseStepBetween(bodyA(g), bodyB(g));
    const f: f32 = old > 0 ? h / old : 1;
    scale(g + offsetof<ContactGroup>('tangentImpulse1'), f);
    scale(g + offsetof<ContactGroup>('tangentImpulse2'), f);
    scale(g + offsetof<ContactGroup>('twistImpulse'), f);
    scale(s + offsetof<ContactSide>('rollImpulse1'), f);
    scale(s + offsetof<ContactSide>('rollImpulse2'), f);
    for (let p: u32 = 0; p < pointsOfGroup(word); p++) {
      scale(pointAt(lane, p) + offsetof<ContactPoints>('impulse'), f);
      scale(sidePointAt(lane, p) + offsetof<ContactSidePoints>('previous'), f);
      scale(sidePointAt(lane, p) + offsetof<ContactSidePoints>('excess'), f);
    }
  }
}
function scale(at: usize, f: f32): void {
  store<f32>(at, load<f32>(at) * f);
}

// The words of a lane.

function bodyA(g: usize): u32 {
  return load<u32>(g, offsetof<ContactGroup>('bodyA')) / <u32>BODY_ROW_STRIDE;
}
function bodyB(g: usize): u32 {
  return load<u32>(g, offsetof<ContactGroup>('bodyB')) / <u32>BODY_ROW_STRIDE;
}
/** Addresses of the words of point i: state, rows, beside them. */
function pointAt(lane: u32, i: u32): usize {
  return changetype<usize>(pointsOf(changetype<ContactGroup>(laneGroup(lane)), pointsOfGroup(lane >> 2), i));
}
function rowOfPoint(lane: u32, i: u32): usize {
  return changetype<usize>(rowsOf(changetype<ContactGroup>(laneGroup(lane)), pointsOfGroup(lane >> 2), i));
}
function sidePointAt(lane: u32, i: u32): usize {
  return changetype<usize>(sidePointsOf(changetype<ContactSide>(laneSide(lane)), i));
}
/** Address of the coupling of normal rows i and j < i. */
function couplingAt(lane: u32, i: u32, j: u32): usize {
  const first: usize = couplingsOf(changetype<ContactGroup>(laneGroup(lane)), pointsOfGroup(lane >> 2));
  return first + ((<usize>(((i * (i - 1)) >> 1) + j)) << 4);
}
function impulseAt(lane: u32, i: u32): f32 {
  return load<f32>(pointAt(lane, i), offsetof<ContactPoints>('impulse'));
}
function setImpulse(lane: u32, i: u32, z: f32): void {
  store<f32>(pointAt(lane, i), z, offsetof<ContactPoints>('impulse'));
}
/** Offsets of a point along t and u; 0 where it is the only one. */
function alongT(lane: u32, i: u32): f32 {
  return pointsOfGroup(lane >> 2) == 1 ? <f32>0 : load<f32>(rowOfPoint(lane, i), offsetof<ContactRows>('alongT'));
}
function alongU(lane: u32, i: u32): f32 {
  return pointsOfGroup(lane >> 2) == 1 ? <f32>0 : load<f32>(rowOfPoint(lane, i), offsetof<ContactRows>('alongU'));
}

// Vectors.

function scaled(v: v128, x: f32): v128 {
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
function turned(i: usize, v: v128): v128 {
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
function prepareMarked(): void {
  const list: usize = <usize>header().laneState + MARKED;
  for (let at: u32 = 0; at < load<u32>(list, 8); at++) {
    const word: u32 = load<u32>(<usize>load<u32>(list) + ((<usize>at) << 2));
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
  store<u32>(list, 0, 8);
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
  store<f32>(g, m.rollLever, offsetof<ContactGroup>('rollArm'));
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
    a = f32x4.add(a, leverA(m, i));
    b = f32x4.add(b, leverB(m, i));
  }
  a = scaled(a, 1 / <f32>k);
  b = scaled(b, 1 / <f32>k);
  storeVector(g + offsetof<ContactGroup>('armsX'), f32x4.sub(b, a));
  storeVector(g + offsetof<ContactGroup>('armBX'), b);
  if (k > 1) {
    const mean: v128 = f32x4.add(scaled(a, shareA), scaled(b, shareB));
    for (let i: u32 = 0; i < k; i++) {
      const twice: v128 = f32x4.add(scaled(leverA(m, i), shareA), scaled(leverB(m, i), shareB));
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

  // Normal rows, r_i W r_j.
  const wn1: f32 = dot3(t, byN),
    wn2: f32 = dot3(u, byN);
  for (let i: u32 = 0; i < k; i++) {
    for (let j: u32 = 0; j < i; j++) {
      const w: f32 = entry(lane, i, j, wnn, wn1, wn2, w11, w12, w22);
      store<f32>(couplingAt(lane, i, j), w);
    }
    const w: f32 = k == 1 ? wnn : entry(lane, i, i, wnn, wn1, wn2, w11, w12, w22);
    // A row that could move its bodies along locked axes alone pushes nothing.
    const barred: bool = byAxis && !(w > (massA + massB) * LOCK_DROP);
    store<f32>(rowOfPoint(lane, i), barred ? 0 : inverseOf<f32>(w), offsetof<ContactRows>('mass'));
    if (barred) setImpulse(lane, i, 0);
  }
}

function leverA(m: Manifold, i: u32): v128 {
  return vectorAt(changetype<usize>(pointOf(m, i)) + offsetof<ManifoldPoint>('rax'));
}
function leverB(m: Manifold, i: u32): v128 {
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

function entry(lane: u32, i: u32, j: u32, wnn: f32, wn1: f32, wn2: f32, w11: f32, w12: f32, w22: f32): f32 {
  const a: f32 = alongT(lane, i),
    b: f32 = alongU(lane, i);
  return pointCoupling<f32>(a, b, alongT(lane, j), alongU(lane, j), wnn, wn1, wn2, w11, w12, w22);
}

// Sweeps over a manifold.

/** Offset of the row of a body of a lane; `half`: 1 if rows are half as long as BodyRow. */
function rowOfA(g: usize, half: u32): usize {
  return <usize>(load<u32>(g, offsetof<ContactGroup>('bodyA')) >> half);
}
function rowOfB(g: usize, half: u32): usize {
  return <usize>(load<u32>(g, offsetof<ContactGroup>('bodyB')) >> half);
}

function shift(lane: u32, rows: usize, sign: f32, step: usize): void {
  if (header().anySurface != 0) shiftLane(laneGroup(lane), laneSide(lane), rows, sign, load<f32>(step, STEP_TIME));
}

/** What locked axes have got is taken off. */
function keepLane(lane: u32, rows: usize, half: u32): void {
  if (header().anyLocks == 0) return;
  const g: usize = laneGroup(lane);
  const locked: u32 = sideAt(lane >> 2).locked >> (lane & 3);
  if ((locked & 1) != 0) keepLocks(rows + rowOfA(g, half), locksOf(bodyA(g)));
  if ((locked & 16) != 0) keepLocks(rows + rowOfB(g, half), locksOf(bodyB(g)));
}

/** Velocity of B against A at the mean point: of the velocities at a and b, v then w. */
function relative(g: usize, a: usize, b: usize): v128 {
  const e: v128 = f32x4.sub(v128.load(b, 16), v128.load(a, 16));
  const ofB: v128 = cross3(e, laneVector(g + offsetof<ContactGroup>('armBX'))),
    ofA: v128 = cross3(v128.load(a, 16), laneVector(g + offsetof<ContactGroup>('armsX')));
  return f32x4.add(f32x4.sub(v128.load(b), v128.load(a)), f32x4.add(ofB, ofA));
}

/**
 * The wrench of a manifold at its mean point on the rows at a and b: friction f1 f2 along t u and f3 about n; normal impulses: their
 * sum, the sums of them times the offsets of their points along t and u.
 */
function applyWrench(g: usize, a: usize, b: usize, f1: f32, f2: f32, f3: f32, sumN: f32, sumT: f32, sumU: f32): void {
  const n: v128 = laneVector(g + offsetof<ContactGroup>('normalX')),
    t: v128 = laneVector(g + offsetof<ContactGroup>('tangentX'));
  const u: v128 = cross3(n, t);
  const along: v128 = f32x4.add(scaled(t, f1), scaled(u, f2));
  const force: v128 = f32x4.add(along, scaled(n, sumN));
  v128.store(a, f32x4.sub(v128.load(a), scaled(force, load<f32>(a, offsetof<BodyRow>('invMass')))));
  v128.store(b, f32x4.add(v128.load(b), scaled(force, load<f32>(b, offsetof<BodyRow>('invMass')))));
  const torque: v128 = f32x4.add(scaled(n, f3), f32x4.sub(scaled(t, sumU), scaled(u, sumT)));
  const armB: v128 = laneVector(g + offsetof<ContactGroup>('armBX'));
  const armA: v128 = f32x4.sub(armB, laneVector(g + offsetof<ContactGroup>('armsX')));
  const onB: v128 = f32x4.add(torque, torqueOf(armB, along, n, sumN)),
    onA: v128 = f32x4.neg(f32x4.add(torque, torqueOf(armA, along, n, sumN)));
  v128.store(b, f32x4.add(v128.load(b, 16), turned(g + offsetof<ContactGroup>('inertiaBXX'), onB)), 16);
  v128.store(a, f32x4.add(v128.load(a, 16), turned(g + offsetof<ContactGroup>('inertiaAXX'), onA)), 16);
}

/** r x (f + n s). */
function torqueOf(r: v128, f: v128, n: v128, s: f32): v128 {
  return f32x4.add(cross3(r, f), scaled(cross3(r, n), s));
}

/** Stored impulses of a manifold, less their excess, times the factor of warm starts. */
function warmLane(lane: u32, rows: usize, step: usize): void {
  const g: usize = laneGroup(lane),
    s: usize = laneSide(lane);
  const factor: f32 = load<f32>(step, STEP_WARM_START);
  scale(g + offsetof<ContactGroup>('tangentImpulse1'), factor);
  scale(g + offsetof<ContactGroup>('tangentImpulse2'), factor);
  scale(g + offsetof<ContactGroup>('twistImpulse'), factor);
  let sumN: f32 = 0,
    sumT: f32 = 0,
    sumU: f32 = 0;
  for (let i: u32 = 0; i < pointsOfGroup(lane >> 2); i++) {
    const q: usize = sidePointAt(lane, i);
    const z: f32 = (impulseAt(lane, i) - load<f32>(q, offsetof<ContactSidePoints>('excess'))) * factor;
    setImpulse(lane, i, z);
    store<f32>(q, 0, offsetof<ContactSidePoints>('excess'));
    sumN += z;
    sumT += alongT(lane, i) * z;
    sumU += alongU(lane, i) * z;
  }
  if (load<f32>(g, offsetof<ContactGroup>('rollArm')) != 0) {
    scale(s + offsetof<ContactSide>('rollImpulse1'), factor);
    scale(s + offsetof<ContactSide>('rollImpulse2'), factor);
    sumU += load<f32>(s, offsetof<ContactSide>('rollImpulse1'));
    sumT -= load<f32>(s, offsetof<ContactSide>('rollImpulse2'));
  }
  applyWrench(
    g,
    rows + rowOfA(g, 0),
    rows + rowOfB(g, 0),
    load<f32>(g, offsetof<ContactGroup>('tangentImpulse1')),
    load<f32>(g, offsetof<ContactGroup>('tangentImpulse2')),
    load<f32>(g, offsetof<ContactGroup>('twistImpulse')),
    sumN,
    sumT,
    sumU,
  );
}

/** The part of each impulse above twice that of the substep before; whether there is one. */
function findExcess(lane: u32): bool {
  let any: bool = false;
  for (let i: u32 = 0; i < pointsOfGroup(lane >> 2); i++) {
    const q: usize = sidePointAt(lane, i);
    const z: f32 = impulseAt(lane, i);
    const excess: f32 = growthExcess<f32>(z, load<f32>(q, offsetof<ContactSidePoints>('previous')));
    store<f32>(q, excess, offsetof<ContactSidePoints>('excess'));
    store<f32>(q, z, offsetof<ContactSidePoints>('previous'));
    if (excess != 0) any = true;
  }
  return any;
}

/** The start that would have led to where the substep ended without the excess: further on. */
function takeBackExcess(lane: u32, starts: usize): void {
  const g: usize = laneGroup(lane);
  let sumN: f32 = 0,
    sumT: f32 = 0,
    sumU: f32 = 0;
  for (let i: u32 = 0; i < pointsOfGroup(lane >> 2); i++) {
    const excess: f32 = load<f32>(sidePointAt(lane, i), offsetof<ContactSidePoints>('excess'));
    setImpulse(lane, i, impulseAt(lane, i) - excess);
    sumN += excess;
    sumT += alongT(lane, i) * excess;
    sumU += alongU(lane, i) * excess;
  }
  applyWrench(g, starts + rowOfA(g, 1), starts + rowOfB(g, 1), 0, 0, 0, sumN, sumT, sumU);
}

/** One sweep over a manifold. `advance`: its separations first follow the motion of the substep. */
function solveLane(pass: u32, lane: u32, rows: usize, step: usize, advance: bool): void {
  const g: usize = laneGroup(lane);
  const k: u32 = pointsOfGroup(lane >> 2);
  const a: usize = rows + rowOfA(g, 0),
    b: usize = rows + rowOfB(g, 0);
  const n: v128 = laneVector(g + offsetof<ContactGroup>('normalX')),
    t: v128 = laneVector(g + offsetof<ContactGroup>('tangentX'));
  const u: v128 = cross3(n, t);
  if (advance) advanceLane(lane, a + offsetof<BodyRow>('svx'), b + offsetof<BodyRow>('svx'), n, t, u, load<f32>(step, STEP_H));

  // Relative twist at the mean point.
  const d: v128 = relative(g, a, b),
    e: v128 = f32x4.sub(v128.load(b, 16), v128.load(a, 16));
  let v1: f32 = dot3(t, d),
    v2: f32 = dot3(u, d),
    vn: f32 = dot3(n, d);
  let w1: f32 = dot3(t, e),
    w2: f32 = dot3(u, e),
    w3: f32 = dot3(n, e);
  let normals: f32 = impulseAt(lane, 0);
  for (let i: u32 = 1; i < k; i++) normals += impulseAt(lane, i);
  const old1: f32 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse1')),
    old2: f32 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse2')),
    old3: f32 = load<f32>(g, offsetof<ContactGroup>('twistImpulse'));

  // The relax pass of a single point takes friction last, all others first.
  const backwards: bool = pass == RELAX && k == 1;
  if (!backwards) {
    solveFriction(g, step, v1, v2, w3, normals);
    const f1: f32 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse1')) - old1,
      f2: f32 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse2')) - old2,
      f3: f32 = load<f32>(g, offsetof<ContactGroup>('twistImpulse')) - old3;
    vn += frictionChange<f32>(g + offsetof<ContactGroup>('couplingN1'), f1, f2, f3);
    if (k > 1) {
      w1 += frictionChange<f32>(g + offsetof<ContactGroup>('couplingT1'), f1, f2, f3);
      w2 += frictionChange<f32>(g + offsetof<ContactGroup>('couplingU1'), f1, f2, f3);
    }
  }

  // Normal rows in order; each sees what those before it have changed.
  let sumN: f32 = 0,
    sumT: f32 = 0,
    sumU: f32 = 0;
  let g0: f32 = 0,
    g1: f32 = 0,
    g2: f32 = 0;
  for (let i: u32 = 0; i < k; i++) {
    let x: f32 = k == 1 ? vn : pointSpeed<f32>(alongT(lane, i), alongU(lane, i), vn, w1, w2);
    if (i > 0) x += load<f32>(couplingAt(lane, i, 0)) * g0;
    if (i > 1) x += load<f32>(couplingAt(lane, i, 1)) * g1;
    if (i > 2) x += load<f32>(couplingAt(lane, i, 2)) * g2;
    const old: f32 = impulseAt(lane, i);
    const z: f32 = pass == SOFT ? softImpulse(lane, i, step, x) : relaxImpulse(lane, i, step, x);
    setImpulse(lane, i, z);
    const change: f32 = z - old;
    if (i == 0) g0 = change;
    if (i == 1) g1 = change;
    if (i == 2) g2 = change;
    sumN += change;
    sumT += alongT(lane, i) * change;
    sumU += alongU(lane, i) * change;
  }

  if (backwards) {
    v1 += load<f32>(g, offsetof<ContactGroup>('couplingN1')) * sumN;
    v2 += load<f32>(g, offsetof<ContactGroup>('couplingN2')) * sumN;
    w3 += load<f32>(g, offsetof<ContactGroup>('couplingN3')) * sumN;
    solveFriction(g, step, v1, v2, w3, normals + sumN);
  }
  const f1: f32 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse1')) - old1,
    f2: f32 = load<f32>(g, offsetof<ContactGroup>('tangentImpulse2')) - old2,
    f3: f32 = load<f32>(g, offsetof<ContactGroup>('twistImpulse')) - old3;
  applyWrench(g, a, b, f1, f2, f3, sumN, sumT, sumU);
}

/** Separations follow the motion of the substep, whose velocities are at a and b. */
function advanceLane(lane: u32, a: usize, b: usize, n: v128, t: v128, u: v128, h: f32): void {
  const e: v128 = f32x4.sub(v128.load(b, 16), v128.load(a, 16));
  const vn: f32 = dot3(n, relative(laneGroup(lane), a, b));
  for (let i: u32 = 0; i < pointsOfGroup(lane >> 2); i++) {
    const p: usize = pointAt(lane, i);
    const speed: f32 =
      pointsOfGroup(lane >> 2) == 1 ? vn : pointSpeed<f32>(alongT(lane, i), alongU(lane, i), vn, dot3(t, e), dot3(u, e));
    store<f32>(p, h * speed + load<f32>(p, offsetof<ContactPoints>('separation')), offsetof<ContactPoints>('separation'));
  }
}

/** A coefficient of soft contacts; `offset` in STEP_SOFT. */
function softness(g: usize, step: usize, offset: usize): f32 {
  const at: usize = load<u32>(g, offsetof<ContactGroup>('isStatic')) != 0 ? STEP_SOFT_STATIC : STEP_SOFT;
  return load<f32>(step + at + offset);
}

/** Impulse of the normal row of point i, which sees speed x. */
function softImpulse(lane: u32, i: u32, step: usize, x: f32): f32 {
  const g: usize = laneGroup(lane);
  const s: f32 = load<f32>(pointAt(lane, i), offsetof<ContactPoints>('separation')),
    mass: f32 = load<f32>(rowOfPoint(lane, i), offsetof<ContactRows>('mass'));
  const invH: f32 = load<f32>(step, STEP_INV_H),
    slop: f32 = load<f32>(step, STEP_SLOP),
    push: f32 = load<f32>(step, STEP_PUSH);
  const pushShare: f32 = load<f32>(g, offsetof<ContactGroup>('pushShare'));
  const bias: f32 = softBias<f32>(s, invH, softness(g, step, 0), slop, push, pushShare);
  return softNormalRow<f32>(s, impulseAt(lane, i), x + bias, mass, mass * softness(g, step, 16), softness(g, step, 32));
}
function relaxImpulse(lane: u32, i: u32, step: usize, x: f32): f32 {
  const s: f32 = load<f32>(pointAt(lane, i), offsetof<ContactPoints>('separation')),
    mass: f32 = load<f32>(rowOfPoint(lane, i), offsetof<ContactRows>('mass'));
  return rigidNormalRow<f32>(impulseAt(lane, i), x + gapBias<f32>(s, load<f32>(step, STEP_INV_H)), mass, 0);
}

/** Friction at the mean point and about the normal, bound by the normal impulses; impulses in place. */
function solveFriction(g: usize, step: usize, v1: f32, v2: f32, w3: f32, normals: f32): void {
  const friction: f32 = load<f32>(g, offsetof<ContactGroup>('friction')),
    twistFriction: f32 = load<f32>(g, offsetof<ContactGroup>('twistFriction'));
  const blocks: usize = g + offsetof<ContactGroup>('tangentMass11');
  circle(g + offsetof<ContactGroup>('tangentImpulse1'), blocks, step, v1, v2, friction * normals);
  const old: f32 = load<f32>(g, offsetof<ContactGroup>('twistImpulse')),
    mass: f32 = load<f32>(g, offsetof<ContactGroup>('twistMass'));
  store<f32>(g, boundRow<f32>(old - mass * w3, twistFriction * normals), offsetof<ContactGroup>('twistImpulse'));
}

/** A circle row whose two impulses lie 16 bytes apart, as do the entries of the inverse of its block. */
function circle(at: usize, block: usize, step: usize, v1: f32, v2: f32, bound: f32): void {
  const pair: usize = step + STEP_FACTORS;
  store<f32>(pair, load<f32>(at));
  store<f32>(pair, load<f32>(at, 16), 4);
  oneCircleRow(pair, load<f32>(block), load<f32>(block, 16), load<f32>(block, 32), v1, v2, bound);
  store<f32>(at, load<f32>(pair));
  store<f32>(at, load<f32>(pair, 4), 16);
}

/** Rolling resistance: relative spins about t and u, bound by the lever times the normal impulses. */
function rollLane(lane: u32, rows: usize, step: usize): void {
  const g: usize = laneGroup(lane),
    s: usize = laneSide(lane);
  const arm: f32 = load<f32>(g, offsetof<ContactGroup>('rollArm'));
  if (arm == 0) return;
  let borne: f32 = impulseAt(lane, 0);
  for (let i: u32 = 1; i < pointsOfGroup(lane >> 2); i++) borne += impulseAt(lane, i);
  const old1: f32 = load<f32>(s, offsetof<ContactSide>('rollImpulse1')),
    old2: f32 = load<f32>(s, offsetof<ContactSide>('rollImpulse2'));
  const a: usize = rows + rowOfA(g, 0),
    b: usize = rows + rowOfB(g, 0);
  const t: v128 = laneVector(g + offsetof<ContactGroup>('tangentX'));
  const u: v128 = cross3(laneVector(g + offsetof<ContactGroup>('normalX')), t);
  const e: v128 = f32x4.sub(v128.load(b, 16), v128.load(a, 16));
  const block: usize = s + offsetof<ContactSide>('rollMass11');
  circle(s + offsetof<ContactSide>('rollImpulse1'), block, step, dot3(t, e), dot3(u, e), arm * borne);
  const d1: f32 = load<f32>(s, offsetof<ContactSide>('rollImpulse1')) - old1,
    d2: f32 = load<f32>(s, offsetof<ContactSide>('rollImpulse2')) - old2;
  const q: v128 = f32x4.add(scaled(t, d1), scaled(u, d2));
  v128.store(b, f32x4.add(v128.load(b, 16), turned(g + offsetof<ContactGroup>('inertiaBXX'), q)), 16);
  v128.store(a, f32x4.sub(v128.load(a, 16), turned(g + offsetof<ContactGroup>('inertiaAXX'), q)), 16);
}
