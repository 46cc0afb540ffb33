// The oracle of SOLVER_WIDE (sweep/): the same rows, lists and passes, one manifold after the other, with the same bits.
//
// sweep/ prepares and sweeps four manifolds at once. Here each is taken alone, in the order of its lists (words of a batch, then
// lanes), with numbers (f32) and vectors (v128: x y z 0) in place of columns. So it finds what the wide form may get wrong: a
// column that is gathered or scattered amiss, lanes of a group that share a body, an unused lane that acts, a shortcut for groups
// that is none. Equations of rows stand once for both (rows/row.ts, rows/frame.ts), as do passes over bodies, which take one body
// after the other anyway (sweep/wide_bodies.ts), and the shift by moving surfaces. Signs of zeros are no part of the promise: an
// unused lane adds 0 to the bodies of lane 0, which makes 0 of -0, and sums here begin at 0. study/pgs.ts is another oracle: rows
// of single points in the world frame, with joints and point friction of its own, for all solvers. They agree with it within a
// tolerance where sweeps have come to an end.
//
// Rows (wide_oracle_rows.ts) and state lie in the words of a lane, as with SOLVER_WIDE: either can go on from what the other
// leaves. Two things belong to a group and not to a manifold. With locked axes in one lane the rows of all four are made with
// masses by axis. What strikes in one lane has all four swept until they agree.
// Joints are solved by joints/, in their places between the passes. Not here: several threads, which have the bits of one
// (sweep/schedule.ts); largest impulses of manifolds for which nobody asks, which SOLVER_WIDE keeps beside others of a group.
// Input: marked groups, manifolds, batches, BodyRow, BodyAccel. Output: rows and state in the lanes, BodyRow, BodyDelta.
import {
  BLOCK_STEP,
  BodyRow,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  ContactSidePoints,
  FACE_SWEEPS,
  Header,
  SolverBatch,
  BatchState,
  STEP_FACTORS,
  STEP_H,
  STEP_INV_H,
  STEP_PUSH,
  STEP_SLOP,
  STEP_SOFT,
  STEP_SOFT_STATIC,
  STEP_TIME,
  STEP_WARM_START,
  WordList,
} from '../layout.generated';
import { applyLocks, locksOf } from '../bodies/locks';
import { softLength, substepsInStep } from '../constraints/soft_step';
import { NO_JOINTS, beginJoints, endJoints, jointsOfBatch, moveJoints, solveJoints, startJoints } from '../joints/solve';
import { BOUNCES, groupList, hitGroups, pointsOfGroup, sideAt } from '../lanes/lane_layout';
import { impulseStepBetween, batchAt, batchState } from '../lanes/batches';
import { laneGroup, laneSide } from '../lanes/state';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { frictionChange, pointSpeed } from '../rows/frame';
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
import { beginLanes, endLanes } from '../sweep/wide';
import { changesSubsteps, moveBodies, repeatBodies, setSubsteps, startBodies, storeParameters } from '../sweep/wide_bodies';
import { isWatched, startRows } from '../sweep/wide_batch';
import { laneVector, markBounces, shiftLane } from '../sweep/wide_sweep';
import { threadBlock } from '../threads/team';
import {
  bodyA,
  bodyB,
  pointAt,
  rowOfPoint,
  sidePointAt,
  couplingAt,
  impulseAt,
  setImpulse,
  alongT,
  alongU,
  scaled,
  turned,
  prepareMarked,
  usedOf,
  laneOf,
} from './wide_oracle_rows';
import { put32 } from '../memory/words';

const SOFT: u32 = 0;
const RELAX: u32 = 1;

/** The solve stage of a step. False without memory (nothing was solved). */
export function solveWideOracle(): bool {
  prepareMarked();
  const batches: BatchState = batchState();
  if (!beginLanes(groupList().count, true)) return false;
  for (let i: u32 = 0; i < batches.count; i++) if (batchAt(i).bodyEnd != batchAt(i).firstBody) solveBatch(i);
  endLanes();
  return true;
}

/** A batch through all substeps. */
function solveBatch(index: u32): void {
  const hd: Header = header();
  const batch: SolverBatch = batchAt(index);
  const batches: BatchState = batchState();
  const bodies: usize = <usize>batches.bodies + ((<usize>batch.firstBody) << 2);
  const count: u32 = batch.bodyEnd - batch.firstBody;
  const words: usize = <usize>batches.words + ((<usize>batch.firstGroup) << 2),
    end: usize = <usize>batches.words + ((<usize>batch.groupEnd) << 2);
  const rows: usize = hd.bodyRows,
    starts: usize = startRows();
  const substeps: u32 = substepsInStep(batch.substeps);
  const h: f32 = hd.dt / <f32>substeps;
  const step: usize = threadBlock() + BLOCK_STEP;
  storeParameters(step, h, softLength(batch.substeps));
  markBounces(words, end);
  if (changesSubsteps(bodies, count, h)) {
    for (let w: usize = words; w < end; w += 4) rescaleGroup(load<u32>(w), h);
    setSubsteps(bodies, count, h);
  }
  startBodies(bodies, count, rows, starts, hd.bodyAccels, splatW(h));
  for (let w: usize = words; w < end; w += 4) warmGroup(load<u32>(w), rows, step);
  const joints: u32 = jointsOfBatch(index);
  const jointed: bool = joints != NO_JOINTS;
  if (jointed) beginJoints(joints, h, softLength(batch.substeps));
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
  const list: WordList = hitGroups();
  put32(list.words, list.count, word);
  list.count++;
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
      const warm: f32 =
        load<f32>(q, offsetof<ContactSidePoints>('previous')) - load<f32>(q, offsetof<ContactSidePoints>('excess'));
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

/** Rescales impulses to substeps of h seconds. */
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

/** Applies axis locks. */
function keepLane(lane: u32, rows: usize, half: u32): void {
  if (header().anyLocks == 0) return;
  const g: usize = laneGroup(lane);
  const locked: u32 = sideAt(lane >> 2).locked >> (lane & 3);
  if ((locked & 1) != 0) applyLocks(rows + rowOfA(g, half), locksOf(bodyA(g)));
  if ((locked & 16) != 0) applyLocks(rows + rowOfB(g, half), locksOf(bodyB(g)));
}

/** Velocity of B against A at the mean point: of the velocities at a and b, v then w. */
function relative(g: usize, a: usize, b: usize): v128 {
  const e: v128 = f32x4.sub(v128.load(b, 16), v128.load(a, 16));
  const ofB: v128 = cross3(e, laneVector(g + offsetof<ContactGroup>('armBX'))),
    ofA: v128 = cross3(v128.load(a, 16), laneVector(g + offsetof<ContactGroup>('armsX')));
  return f32x4.add(f32x4.sub(v128.load(b), v128.load(a)), f32x4.add(ofB, ofA));
}

/**
 * The wrench of a manifold at its mean point on the rows at a and b: friction along t and u, and about n; of normal impulses the
 * sums of them times the offsets of their points along t and u, and their sum.
 */
function applyWrench(g: usize, a: usize, b: usize, friction: v128, normals: v128): void {
  const n: v128 = laneVector(g + offsetof<ContactGroup>('normalX')),
    t: v128 = laneVector(g + offsetof<ContactGroup>('tangentX'));
  const u: v128 = cross3(n, t);
  const along: v128 = f32x4.add(scaled(t, x3(friction)), scaled(u, y3(friction)));
  const force: v128 = f32x4.add(along, scaled(n, z3(normals)));
  v128.store(a, f32x4.sub(v128.load(a), scaled(force, load<f32>(a, offsetof<BodyRow>('invMass')))));
  v128.store(b, f32x4.add(v128.load(b), scaled(force, load<f32>(b, offsetof<BodyRow>('invMass')))));
  const torque: v128 = f32x4.add(scaled(n, z3(friction)), f32x4.sub(scaled(t, y3(normals)), scaled(u, x3(normals))));
  const armB: v128 = laneVector(g + offsetof<ContactGroup>('armBX'));
  const armA: v128 = f32x4.sub(armB, laneVector(g + offsetof<ContactGroup>('armsX')));
  const onB: v128 = f32x4.add(torque, torqueOf(armB, along, n, z3(normals))),
    onA: v128 = f32x4.neg(f32x4.add(torque, torqueOf(armA, along, n, z3(normals))));
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
  const friction: v128 = laneVector(g + offsetof<ContactGroup>('tangentImpulse1'));
  applyWrench(g, rows + rowOfA(g, 0), rows + rowOfB(g, 0), friction, vec3W(sumT, sumU, sumN));
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
  applyWrench(g, starts + rowOfA(g, 1), starts + rowOfB(g, 1), splatW(0), vec3W(sumT, sumU, sumN));
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
  applyWrench(g, a, b, vec3W(f1, f2, f3), vec3W(sumT, sumU, sumN));
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

/** Rolling resistance: relative spins about t and u, bound by the arm times the normal impulses. */
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
