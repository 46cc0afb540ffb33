// Sweeps over groups of four manifolds: warm start, growth clamp, soft and relax pass.
//
// A group is solved in the frames of its manifolds: bodies in, the relative twist of each pair at its mean point (six numbers a
// lane), friction, points in order by their couplings, one wrench out. Soft and relax pass, which run in every substep,
// are one function, solveGroup, compiled for each pass and number of points; what runs seldom is applyStored, with loops.
// Input: groups (lanes.ts), BodyRow, parameters. Output: velocities in BodyRow; impulses, separations, excess in the groups.
import {
  BODY_ROW_STRIDE,
  CONTACT_POINTS_STRIDE,
  CONTACT_ROWS_STRIDE,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  ContactSidePoints,
  FACE_SWEEPS,
  Header,
  ImpactState,
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
import {
  BOUNCES,
  groupAt,
  hitGroups,
  isEmpty,
  nextPoints,
  nextRows,
  nextSidePoints,
  pointsOf,
  pointsOfGroup,
  rowOfA,
  rowOfB,
  rowsOf,
  sideAt,
  sidePointsOf,
} from '../lanes/lane_layout';
import { impulseStepBetween } from '../lanes/batches';
import { addW, blendW, cross3, dotW, greaterW, maxW, mulAddW, mulW, negW, splatW, subW } from '../math/lane';
import { header } from '../memory/header';
import { frictionChange, pointSpeed } from '../rows/frame';
import {
  boundRow,
  circleRow,
  gapBias,
  growthExcess,
  isStruckRow,
  isUnsettled,
  rigidNormalRow,
  softBias,
  softNormalRow,
} from '../rows/row';
import { addColumns, columnX, columnY, columnZ, differenceOf, push } from '../lanes/columns';
import { put32 } from '../memory/words';

// Passes of solveGroup, and what a pass that does not look there gets for the side.
const SOFT: u32 = 0;
const RELAX: u32 = 1;
const NO_SIDE: ContactSide = changetype<ContactSide>(0);

/**
 * Surfaces that move: the bodies of a group are given the velocity of their surfaces for the time of its rows (sign 1), and it is
 * taken off again (-1). It lies along the tangents and about the normal, so normal rows do not see it.
 */
function shiftGroup(word: u32, g: ContactGroup, rows: usize, sign: f32, step: usize): void {
  if (header().anySurface == 0) return;
  const time: f32 = load<f32>(step, STEP_TIME);
  const side: ContactSide = sideAt(word);
  const any: v128 = v128.or(v128.or(side.surface1, side.surface2), side.surfaceTwist);
  if (!v128.any_true(v128.or(any, v128.or(side.surfaceRate1, side.surfaceRate2)))) return;
  for (let lane: usize = 0; lane < 4; lane++)
    shiftLane(changetype<usize>(g) + (lane << 2), changetype<usize>(side) + (lane << 2), rows, sign, time);
}

/** The same of a lane: its words in the group are at `at`, those beside it at `beside`. */
export function shiftLane(at: usize, beside: usize, rows: usize, sign: f32, time: f32): void {
  const rate1: f32 = load<f32>(beside, offsetof<ContactSide>('surfaceRate1')),
    rate2: f32 = load<f32>(beside, offsetof<ContactSide>('surfaceRate2'));
  const s1: f32 = (load<f32>(beside, offsetof<ContactSide>('surface1')) + time * rate1) * sign,
    s2: f32 = (load<f32>(beside, offsetof<ContactSide>('surface2')) + time * rate2) * sign,
    s3: f32 = load<f32>(beside, offsetof<ContactSide>('surfaceTwist')) * sign;
  if (s1 == 0 && s2 == 0 && s3 == 0) return;
  const n: v128 = laneVector(at + offsetof<ContactGroup>('normalX')),
    t: v128 = laneVector(at + offsetof<ContactGroup>('tangentX'));
  let arm: v128 = laneVector(at + offsetof<ContactGroup>('armBX'));
  let row: usize = rows + <usize>load<u32>(at, offsetof<ContactGroup>('bodyB'));
  const ofA: bool = !(load<f32>(row, 12) > 0);
  if (ofA) {
    arm = f32x4.sub(arm, laneVector(at + offsetof<ContactGroup>('armsX')));
    row = rows + <usize>load<u32>(at, offsetof<ContactGroup>('bodyA'));
  }
  const spin: v128 = f32x4.mul(n, f32x4.splat(s3));
  let v: v128 = f32x4.add(f32x4.mul(t, f32x4.splat(s1)), f32x4.mul(cross3(n, t), f32x4.splat(s2)));
  v = f32x4.sub(v, cross3(spin, arm));
  const way: v128 = f32x4.splat(ofA ? -1 : 1);
  v128.store(row, f32x4.add(v128.load(row), f32x4.replace_lane(f32x4.mul(v, way), 3, 0)));
  v128.store(row, f32x4.add(v128.load(row, 16), f32x4.mul(spin, way)), 16);
}

/** The vector of a lane whose components lie in three columns. */
export function laneVector(at: usize): v128 {
  return f32x4(load<f32>(at), load<f32>(at, 16), load<f32>(at, 32), 0);
}

/** What locked axes of the bodies of a group have got is taken off. */
function keepGroup(word: u32, g: ContactGroup, rows: usize, half: u32): void {
  if (header().anyLocks == 0) return;
  let bits: u32 = sideAt(word).locked;
  for (let at: usize = changetype<usize>(g) + offsetof<ContactGroup>('bodyA'); bits != 0; bits >>= 1) {
    if ((bits & 1) != 0) applyLocks(rows + <usize>(load<u32>(at) >> half), locksOf(load<u32>(at) / <u32>BODY_ROW_STRIDE));
    at += 4;
  }
}

/** A soft pass over a group of several points. A function of its own: it is called in two places. */
function softFace(k: u32, g: ContactGroup, rows: usize, step: usize): void {
  solveGroup(SOFT, false, k, g, NO_SIDE, rows, step, false, false);
}

/** A relax pass over such a group. */
function relaxFace(k: u32, g: ContactGroup, side: ContactSide, rows: usize, step: usize, advance: bool, last: bool): v128 {
  return solveGroup(RELAX, false, k, g, side, rows, step, advance, last);
}

/**
 * Whether an impulse of a group that bounces is another than the warm start gave: something strikes it, or has just done so.
 * Where a fast impact is awaited every impulse of the step may be a part of it: it comes in two, one that brakes down to what
 * is left of the way in a substep, and one that stops.
 */
function isStruck(word: u32, g: ContactGroup, k: u32): bool {
  if (!bounces(word)) return false;
  const awaited: bool = sideAt(word).struck != 0;
  let p: ContactPoints = pointsOf(g, k),
    q: ContactSidePoints = sidePointsOf(sideAt(word));
  for (let i: u32 = 0; i < k; i++) {
    const z: v128 = p.impulse,
      warm: v128 = subW(q.previous, q.excess);
    if (isStruckRow<v128>(z, warm) || (awaited && v128.any_true(greaterW(z, splatW(0))))) return true;
    p = nextPoints(p);
    q = nextSidePoints(q);
  }
  return false;
}

/**
 * Repeats the rows of a group until its points agree. A sweep takes the points of a face one after the other, so the first one
 * takes most of an impact and turns the body; the body moves before the next sweep and keeps that tilt when it bounces off.
 */
function settleFace(pass: u32, word: u32, k: u32, g: ContactGroup, rows: usize, step: usize, special: bool): void {
  const p1: ContactPoints = pointsOf(g, k),
    p2: ContactPoints = nextPoints(p1),
    p3: ContactPoints = nextPoints(p2),
    p4: ContactPoints = nextPoints(p3);
  for (let i: u32 = 0; i < FACE_SWEEPS; i++) {
    if (special) keepGroup(word, g, rows, 0);
    const z1: v128 = p1.impulse,
      z2: v128 = p2.impulse;
    const z3: v128 = k > 2 ? p3.impulse : z1,
      z4: v128 = k > 3 ? p4.impulse : z2;
    if (pass == SOFT) softFace(k, g, rows, step);
    else relaxFace(k, g, NO_SIDE, rows, step, false, false);
    let open: bool = isUnsettled<v128>(p1.impulse, z1) || isUnsettled<v128>(p2.impulse, z2);
    if (k > 2) open = open || isUnsettled<v128>(p3.impulse, z3);
    if (k > 3) open = open || isUnsettled<v128>(p4.impulse, z4);
    if (!open) break;
  }
}

/** The last relax pass of a group that bounces; returns its excess as solveGroup does. */
function relaxStruck(
  word: u32,
  k: u32,
  g: ContactGroup,
  side: ContactSide,
  rows: usize,
  step: usize,
  advance: bool,
  special: bool,
): v128 {
  relaxFace(k, g, side, rows, step, advance, false);
  if (isStruck(word, g, k)) settleFace(RELAX, word, k, g, rows, step, special);
  let excess: v128 = splatW(0);
  let p: ContactPoints = pointsOf(g, k),
    q: ContactSidePoints = sidePointsOf(side);
  for (let i: u32 = 0; i < k; i++) {
    excess = v128.or(excess, findExcess(q, p.impulse));
    p = nextPoints(p);
    q = nextSidePoints(q);
  }
  return excess;
}

/**
 * A soft pass over the groups named in [list, end), at the separations in the lanes. `special`: surfaces may move, or bodies have
 * locked axes; one flag, so that worlds without them pay for one. `bouncing`: some groups may have restitution.
 */
export function softGroups(list: usize, end: usize, rows: usize, step: usize, bouncing: bool, special: bool): void {
  for (; list < end; list += 4) {
    const word: u32 = load<u32>(list);
    const g: ContactGroup = groupAt(word);
    if (isEmpty(g)) continue;
    const k: u32 = pointsOfGroup(word);
    if (special) shiftGroup(word, g, rows, 1, step);
    if (k == 1) solveGroup(SOFT, true, 1, g, NO_SIDE, rows, step, false, false);
    else {
      softFace(k, g, rows, step);
      if (bouncing && isStruck(word, g, k)) settleFace(SOFT, word, k, g, rows, step, special);
    }
    if (special) shiftGroup(word, g, rows, -1, step);
    if (special) keepGroup(word, g, rows, 0);
  }
}

/**
 * A relax pass over the groups named in [list, end). `advance` first moves separations by what the bodies have just integrated;
 * `last` finds the excess of impulses, and `starts`, where it is not 0, are rid of it (takeBackExcess); then `watched` also adds
 * the impulses of the substep to those of the step, and `bouncing` keeps the largest.
 */
export function relaxGroups(
  list: usize,
  end: usize,
  rows: usize,
  step: usize,
  advance: bool,
  last: bool,
  watched: bool,
  bouncing: bool,
  starts: usize,
  special: bool,
): void {
  for (; list < end; list += 4) {
    const word: u32 = load<u32>(list);
    const g: ContactGroup = groupAt(word),
      side: ContactSide = sideAt(word);
    if (isEmpty(g)) continue;
    const k: u32 = pointsOfGroup(word);
    if (special) shiftGroup(word, g, rows, 1, step);
    let excess: v128;
    if (k == 1) excess = solveGroup(RELAX, true, 1, g, side, rows, step, advance, last);
    else if (last && bouncing && bounces(word)) excess = relaxStruck(word, k, g, side, rows, step, advance, special);
    else excess = relaxFace(k, g, side, rows, step, advance, last);
    if (special) shiftGroup(word, g, rows, -1, step);
    if (v128.any_true(g.rollArm)) rollGroup(k, g, side, rows);
    if (special) keepGroup(word, g, rows, 0);
    if (last && watched) addImpulses(word);
    if (last && bouncing) recordImpulse(word);
    if (last && starts != 0 && v128.any_true(excess)) takeBackExcess(word, starts, step, special);
  }
}

/** Brings stored impulses to substeps of length h (s), from those that they belong to. */
export function rescaleGroups(list: usize, end: usize, h: f32, step: usize): void {
  for (; list < end; list += 4) {
    const word: u32 = load<u32>(list);
    const g: ContactGroup = groupAt(word),
      side: ContactSide = sideAt(word);
    if (isEmpty(g)) continue;
    for (let lane: usize = 0; lane < 4; lane++) {
      const old: f32 = impulseStepBetween(rowOfA(g, lane) / <u32>BODY_ROW_STRIDE, rowOfB(g, lane) / <u32>BODY_ROW_STRIDE);
      store<f32>(step + (lane << 2), old > 0 ? h / old : 1, STEP_FACTORS);
    }
    const f: v128 = v128.load(step, STEP_FACTORS);
    if (!v128.any_true(f32x4.ne(f, splatW(1)))) continue;
    const k: u32 = pointsOfGroup(word);
    rescaleFields(changetype<usize>(g) + offsetof<ContactGroup>('tangentImpulse1'), 3, f); // twist behind
    rescaleFields(changetype<usize>(side) + offsetof<ContactSide>('rollImpulse1'), 2, f);
    for (let i: u32 = 0; i < k; i++) {
      const p: ContactPoints = pointsOf(g, k, i);
      p.impulse = mulW(p.impulse, f);
      rescaleFields(changetype<usize>(sidePointsOf(side, i)), 2, f); // previous and excess
    }
  }
}

function rescaleFields(at: usize, count: u32, f: v128): void {
  for (; count != 0; count--) {
    v128.store(at, mulW(v128.load(at), f));
    at += 16;
  }
}

/** Applies the stored impulses of the groups named in [list, end), less their excess, times the warm start factor. */
export function warmGroups(list: usize, end: usize, rows: usize, step: usize, special: bool): void {
  for (; list < end; list += 4) applyStored(true, load<u32>(list), rows, 0, step, special);
}

/**
 * Takes back what an impact left in the warm start. The warm start of a substep repeats every impulse of the last one; an
 * impulse that stopped a motion would start it again, backwards, and one sweep does not undo that where several contacts
 * share a body: boxes then rattle between their supports for ever. So an impulse is repeated up to twice its value of the
 * substep before; a load that stays is back one substep later. What is repeated is the motion since the start of the substep, so
 * the excess goes to that start (rows of 32 bytes a body).
 */
function takeBackExcess(word: u32, starts: usize, step: usize, special: bool): void {
  applyStored(false, word, starts, 1, step, special);
}

/** Marks the words of groups in which something bounces, or a fast impact is awaited. Returns whether there is one. */
export function markBounces(list: usize, end: usize): bool {
  const h: Header = header();
  const may: bool = h.anyRestitution != 0 || (h.impactState != 0 && changetype<ImpactState>(<usize>h.impactState).linkCount != 0);
  let any: bool = false;
  for (; list < end; list += 4) {
    const word: u32 = load<u32>(list) & ~BOUNCES;
    const marked: bool = may && (v128.any_true(sideAt(word).restitution) || sideAt(word).struck != 0);
    store<u32>(list, marked ? word | BOUNCES : word);
    if (!marked) continue;
    any = true;
    clearLargest(word);
  }
  return any;
}

/** Largest impulses of a group to zero. */
function clearLargest(word: u32): void {
  const k: u32 = pointsOfGroup(word);
  let q: ContactSidePoints = sidePointsOf(sideAt(word));
  for (let i: u32 = 0; i < k; i++) {
    q.maxImpulse = splatW(0);
    q = nextSidePoints(q);
  }
}

/** Keeps the largest impulse of every point in groups in which something bounces. */
export function recordImpulses(list: usize, end: usize): void {
  for (; list < end; list += 4) recordImpulse(load<u32>(list));
}

function recordImpulse(word: u32): void {
  if (!bounces(word)) return;
  const k: u32 = pointsOfGroup(word);
  let p: ContactPoints = pointsOf(groupAt(word), k),
    q: ContactSidePoints = sidePointsOf(sideAt(word));
  for (let i: u32 = 0; i < k; i++) {
    q.maxImpulse = maxW(q.maxImpulse, p.impulse);
    p = nextPoints(p);
    q = nextSidePoints(q);
  }
}

// @ts-ignore: decorator
@inline
function bounces(word: u32): bool {
  return (word & BOUNCES) != 0;
}

/**
 * A soft or relax pass over a group with k points; `single`: one, known when this is compiled. Returns the excess found by the
 * last relax pass, all points or-ed together.
 */
// @ts-ignore: decorator
@inline
function solveGroup(
  pass: u32,
  single: bool,
  k: u32,
  g: ContactGroup,
  side: ContactSide,
  rows: usize,
  step: usize,
  advance: bool,
  last: bool,
): v128 {
  const a0: usize = rows + <usize>rowOfA(g, 0),
    a1: usize = rows + <usize>rowOfA(g, 1),
    a2: usize = rows + <usize>rowOfA(g, 2),
    a3: usize = rows + <usize>rowOfA(g, 3);
  const b0: usize = rows + <usize>rowOfB(g, 0),
    b1: usize = rows + <usize>rowOfB(g, 1),
    b2: usize = rows + <usize>rowOfB(g, 2),
    b3: usize = rows + <usize>rowOfB(g, 3);
  const nx: v128 = g.normalX,
    ny: v128 = g.normalY,
    nz: v128 = g.normalZ;
  const tx: v128 = g.tangentX,
    ty: v128 = g.tangentY,
    tz: v128 = g.tangentZ;
  const ux: v128 = subW(mulW(ny, tz), mulW(nz, ty)),
    uy: v128 = subW(mulW(nz, tx), mulW(nx, tz)),
    uz: v128 = subW(mulW(nx, ty), mulW(ny, tx));
  const points: ContactPoints = pointsOf(g, single ? 1 : 2);
  const effective: usize = changetype<usize>(points) + <usize>k * CONTACT_POINTS_STRIDE,
    couplings: usize = effective + <usize>k * CONTACT_ROWS_STRIDE;
  if (pass == RELAX && advance)
    advanceGroup(
      single,
      k,
      g,
      step,
      a0 + 32,
      a1 + 32,
      a2 + 32,
      a3 + 32,
      b0 + 32,
      b1 + 32,
      b2 + 32,
      b3 + 32,
      nx,
      ny,
      nz,
      tx,
      ty,
      tz,
      ux,
      uy,
      uz,
    );

  // Relative twist at the mean point: (v1, v2, vn) of the velocity, (w1, w2, w3) of the spin, along t, u, n.
  const s0: v128 = differenceOf(a0 + 16, b0 + 16),
    s1: v128 = differenceOf(a1 + 16, b1 + 16),
    s2: v128 = differenceOf(a2 + 16, b2 + 16),
    s3: v128 = differenceOf(a3 + 16, b3 + 16);
  const ex: v128 = columnX(s0, s1, s2, s3),
    ey: v128 = columnY(s0, s1, s2, s3),
    ez: v128 = columnZ(s0, s1, s2, s3);
  const dx: v128 = relativeX(g, a0, a1, a2, a3, b0, b1, b2, b3, ex, ey, ez),
    dy: v128 = relativeY(g, a0, a1, a2, a3, b0, b1, b2, b3, ex, ey, ez),
    dz: v128 = relativeZ(g, a0, a1, a2, a3, b0, b1, b2, b3, ex, ey, ez);
  let v1: v128 = dotW(tx, ty, tz, dx, dy, dz),
    v2: v128 = dotW(ux, uy, uz, dx, dy, dz),
    w3: v128 = dotW(nx, ny, nz, ex, ey, ez);
  let vn: v128 = dotW(nx, ny, nz, dx, dy, dz);
  let w1: v128 = splatW(0),
    w2: v128 = splatW(0);
  if (!single) {
    w1 = dotW(tx, ty, tz, ex, ey, ez);
    w2 = dotW(ux, uy, uz, ex, ey, ez);
  }

  const zero: v128 = splatW(0);
  const old1: v128 = points.impulse;
  const old2: v128 = !single ? pointsOf(g, 2, 1).impulse : zero;
  const old3: v128 = k > 2 ? pointsOf(g, 2, 2).impulse : zero;
  const old4: v128 = k > 3 ? pointsOf(g, 2, 3).impulse : zero;
  let load4: v128 = old1;
  if (!single) load4 = addW(load4, old2);
  if (k > 2) load4 = addW(load4, old3);
  if (k > 3) load4 = addW(load4, old4);
  let sumN: v128 = zero,
    sumT: v128 = zero,
    sumU: v128 = zero;
  let f1: v128 = zero,
    f2: v128 = zero,
    f3: v128 = zero;
  let excesses: v128 = zero;
  // The relax pass of a single point goes backwards, normal first: friction so knows the impulse of an impact that this pass
  // has met.
  if (pass == SOFT || !single) {
    const was1: v128 = g.tangentImpulse1,
      was2: v128 = g.tangentImpulse2,
      was3: v128 = g.twistImpulse;
    solveFriction(g, v1, v2, w3, load4);
    f1 = subW(g.tangentImpulse1, was1);
    f2 = subW(g.tangentImpulse2, was2);
    f3 = subW(g.twistImpulse, was3);
    vn = addW(vn, frictionChange<v128>(changetype<usize>(g) + offsetof<ContactGroup>('couplingN1'), f1, f2, f3));
    if (!single) {
      w1 = addW(w1, frictionChange<v128>(changetype<usize>(g) + offsetof<ContactGroup>('couplingT1'), f1, f2, f3));
      w2 = addW(w2, frictionChange<v128>(changetype<usize>(g) + offsetof<ContactGroup>('couplingU1'), f1, f2, f3));
    }
  }

  // Normal rows, in order.
  const rate: v128 = pass == SOFT ? softness(g, step, 0) : zero,
    massScale: v128 = pass == SOFT ? softness(g, step, 16) : zero,
    impulseScale: v128 = pass == SOFT ? softness(g, step, 32) : zero,
    pushShare: v128 = pass == SOFT ? g.pushShare : zero;
  let p: ContactPoints = points,
    r: ContactRows = changetype<ContactRows>(effective);
  {
    const x: v128 = single ? vn : speedAt(r, vn, w1, w2);
    const z: v128 =
      pass == SOFT
        ? softImpulse(p, r, step, x, old1, rate, massScale, impulseScale, pushShare)
        : relaxImpulse(p, r, step, x, old1);
    p.impulse = z;
    if (pass == RELAX && last) excesses = findExcess(sidePointsOf(side), z);
    const g1: v128 = subW(z, old1);
    sumN = g1;
    sumT = !single ? mulW(r.alongT, g1) : zero;
    sumU = !single ? mulW(r.alongU, g1) : zero;
    if (!single) {
      p = nextPoints(p);
      r = nextRows(r);
      const x2: v128 = addW(speedAt(r, vn, w1, w2), mulW(v128.load(couplings), g1));
      const zz2: v128 =
        pass == SOFT
          ? softImpulse(p, r, step, x2, old2, rate, massScale, impulseScale, pushShare)
          : relaxImpulse(p, r, step, x2, old2);
      p.impulse = zz2;
      if (pass == RELAX && last) excesses = v128.or(excesses, findExcess(sidePointsOf(side, 1), zz2));
      const g2: v128 = subW(zz2, old2);
      sumN = addW(sumN, g2);
      sumT = addW(sumT, mulW(r.alongT, g2));
      sumU = addW(sumU, mulW(r.alongU, g2));
      if (k > 2) {
        p = nextPoints(p);
        r = nextRows(r);
        const x3: v128 = addW(
          addW(speedAt(r, vn, w1, w2), mulW(v128.load(couplings, 16), g1)),
          mulW(v128.load(couplings, 32), g2),
        );
        const zz3: v128 =
          pass == SOFT
            ? softImpulse(p, r, step, x3, old3, rate, massScale, impulseScale, pushShare)
            : relaxImpulse(p, r, step, x3, old3);
        p.impulse = zz3;
        if (pass == RELAX && last) excesses = v128.or(excesses, findExcess(sidePointsOf(side, 2), zz3));
        const g3: v128 = subW(zz3, old3);
        sumN = addW(sumN, g3);
        sumT = addW(sumT, mulW(r.alongT, g3));
        sumU = addW(sumU, mulW(r.alongU, g3));
        if (k > 3) {
          p = nextPoints(p);
          r = nextRows(r);
          const x4: v128 = addW(
            addW(addW(speedAt(r, vn, w1, w2), mulW(v128.load(couplings, 48), g1)), mulW(v128.load(couplings, 64), g2)),
            mulW(v128.load(couplings, 80), g3),
          );
          const zz4: v128 =
            pass == SOFT
              ? softImpulse(p, r, step, x4, old4, rate, massScale, impulseScale, pushShare)
              : relaxImpulse(p, r, step, x4, old4);
          p.impulse = zz4;
          if (pass == RELAX && last) excesses = v128.or(excesses, findExcess(sidePointsOf(side, 3), zz4));
          const g4: v128 = subW(zz4, old4);
          sumN = addW(sumN, g4);
          sumT = addW(sumT, mulW(r.alongT, g4));
          sumU = addW(sumU, mulW(r.alongU, g4));
        }
      }
    }
  }

  if (pass == RELAX && single) {
    // What the normal impulses have changed of the motion that friction holds; the couplings are symmetric.
    load4 = addW(load4, sumN);
    v1 = addW(v1, mulW(g.couplingN1, sumN));
    v2 = addW(v2, mulW(g.couplingN2, sumN));
    w3 = addW(w3, mulW(g.couplingN3, sumN));
    const was1: v128 = g.tangentImpulse1,
      was2: v128 = g.tangentImpulse2,
      was3: v128 = g.twistImpulse;
    solveFriction(g, v1, v2, w3, load4);
    f1 = subW(g.tangentImpulse1, was1);
    f2 = subW(g.tangentImpulse2, was2);
    f3 = subW(g.twistImpulse, was3);
  }
  applyWrench(single, g, a0, a1, a2, a3, b0, b1, b2, b3, nx, ny, nz, tx, ty, tz, ux, uy, uz, f1, f2, f3, sumN, sumT, sumU);
  return excesses;
}

/** Friction of a group at its mean point, then spin about the normal, bound by the normal impulses; impulses in place. */
// @ts-ignore: decorator
@inline
function solveFriction(g: ContactGroup, v1: v128, v2: v128, w3: v128, normals: v128): void {
  const m11: v128 = g.tangentMass11,
    m12: v128 = g.tangentMass12,
    m22: v128 = g.tangentMass22;
  circleRow<v128>(
    changetype<usize>(g) + offsetof<ContactGroup>('tangentImpulse1'),
    m11,
    m12,
    m22,
    v1,
    v2,
    mulW(g.friction, normals),
  );
  const twist: v128 = subW(g.twistImpulse, mulW(g.twistMass, w3));
  g.twistImpulse = boundRow<v128>(twist, mulW(g.twistFriction, normals));
}

/**
 * Rolling resistance of a group, after its contact rows: relative spins about t and u, bound by the arm times the normal
 * impulses (docs/contact_rows.md, "Rolling resistance").
 */
function rollGroup(k: u32, g: ContactGroup, side: ContactSide, rows: usize): void {
  let borne: v128 = pointsOf(g, k).impulse;
  for (let i: u32 = 1; i < k; i++) borne = addW(borne, pointsOf(g, k, i).impulse);
  const old1: v128 = side.rollImpulse1,
    old2: v128 = side.rollImpulse2;
  const bound: v128 = mulW(g.rollArm, borne);
  if (!v128.any_true(v128.or(v128.or(bound, old1), old2))) return;
  const a0: usize = rows + <usize>rowOfA(g, 0) + 16,
    a1: usize = rows + <usize>rowOfA(g, 1) + 16,
    a2: usize = rows + <usize>rowOfA(g, 2) + 16,
    a3: usize = rows + <usize>rowOfA(g, 3) + 16;
  const b0: usize = rows + <usize>rowOfB(g, 0) + 16,
    b1: usize = rows + <usize>rowOfB(g, 1) + 16,
    b2: usize = rows + <usize>rowOfB(g, 2) + 16,
    b3: usize = rows + <usize>rowOfB(g, 3) + 16;
  const nx: v128 = g.normalX,
    ny: v128 = g.normalY,
    nz: v128 = g.normalZ;
  const tx: v128 = g.tangentX,
    ty: v128 = g.tangentY,
    tz: v128 = g.tangentZ;
  const ux: v128 = subW(mulW(ny, tz), mulW(nz, ty)),
    uy: v128 = subW(mulW(nz, tx), mulW(nx, tz)),
    uz: v128 = subW(mulW(nx, ty), mulW(ny, tx));
  const s0: v128 = differenceOf(a0, b0),
    s1: v128 = differenceOf(a1, b1),
    s2: v128 = differenceOf(a2, b2),
    s3: v128 = differenceOf(a3, b3);
  const ex: v128 = columnX(s0, s1, s2, s3),
    ey: v128 = columnY(s0, s1, s2, s3),
    ez: v128 = columnZ(s0, s1, s2, s3);
  const w1: v128 = dotW(tx, ty, tz, ex, ey, ez),
    w2: v128 = dotW(ux, uy, uz, ex, ey, ez);
  const m11: v128 = side.rollMass11,
    m12: v128 = side.rollMass12,
    m22: v128 = side.rollMass22;
  circleRow<v128>(changetype<usize>(side) + offsetof<ContactSide>('rollImpulse1'), m11, m12, m22, w1, w2, bound);
  const d1: v128 = subW(side.rollImpulse1, old1),
    d2: v128 = subW(side.rollImpulse2, old2);
  const qx: v128 = addW(mulW(tx, d1), mulW(ux, d2)),
    qy: v128 = addW(mulW(ty, d1), mulW(uy, d2)),
    qz: v128 = addW(mulW(tz, d1), mulW(uz, d2));
  const a: usize = changetype<usize>(g) + offsetof<ContactGroup>('inertiaAXX'),
    b: usize = changetype<usize>(g) + offsetof<ContactGroup>('inertiaBXX');
  addColumns(b0, b1, b2, b3, turnX(b, qx, qy, qz), turnY(b, qx, qy, qz), turnZ(b, qx, qy, qz));
  addColumns(a0, a1, a2, a3, negW(turnX(a, qx, qy, qz)), negW(turnY(a, qx, qy, qz)), negW(turnZ(a, qx, qy, qz)));
}

/** Speed along the normal at a point. */
// @ts-ignore: decorator
@inline
function speedAt(row: ContactRows, vn: v128, w1: v128, w2: v128): v128 {
  return pointSpeed<v128>(row.alongT, row.alongU, vn, w1, w2);
}

// Relative velocity of the mean points, x y z: v_B - v_A + e x rB + w_A x (rB - rA), e = w_B - w_A. Rows at r: v, at r + 16: w.
// @ts-ignore: decorator
@inline
function relativeX(
  g: ContactGroup,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  ex: v128,
  ey: v128,
  ez: v128,
): v128 {
  const v: v128 = columnX(differenceOf(a0, b0), differenceOf(a1, b1), differenceOf(a2, b2), differenceOf(a3, b3));
  const wy: v128 = columnY(v128.load(a0, 16), v128.load(a1, 16), v128.load(a2, 16), v128.load(a3, 16)),
    wz: v128 = columnZ(v128.load(a0, 16), v128.load(a1, 16), v128.load(a2, 16), v128.load(a3, 16));
  return addW(v, addW(subW(mulW(ey, g.armBZ), mulW(ez, g.armBY)), subW(mulW(wy, g.armsZ), mulW(wz, g.armsY))));
}
// @ts-ignore: decorator
@inline
function relativeY(
  g: ContactGroup,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  ex: v128,
  ey: v128,
  ez: v128,
): v128 {
  const v: v128 = columnY(differenceOf(a0, b0), differenceOf(a1, b1), differenceOf(a2, b2), differenceOf(a3, b3));
  const wx: v128 = columnX(v128.load(a0, 16), v128.load(a1, 16), v128.load(a2, 16), v128.load(a3, 16)),
    wz: v128 = columnZ(v128.load(a0, 16), v128.load(a1, 16), v128.load(a2, 16), v128.load(a3, 16));
  return addW(v, addW(subW(mulW(ez, g.armBX), mulW(ex, g.armBZ)), subW(mulW(wz, g.armsX), mulW(wx, g.armsZ))));
}
// @ts-ignore: decorator
@inline
function relativeZ(
  g: ContactGroup,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  ex: v128,
  ey: v128,
  ez: v128,
): v128 {
  const v: v128 = columnZ(differenceOf(a0, b0), differenceOf(a1, b1), differenceOf(a2, b2), differenceOf(a3, b3));
  const wx: v128 = columnX(v128.load(a0, 16), v128.load(a1, 16), v128.load(a2, 16), v128.load(a3, 16)),
    wy: v128 = columnY(v128.load(a0, 16), v128.load(a1, 16), v128.load(a2, 16), v128.load(a3, 16));
  return addW(v, addW(subW(mulW(ex, g.armBY), mulW(ey, g.armBX)), subW(mulW(wx, g.armsY), mulW(wy, g.armsX))));
}

/** Separations follow the motion of the substep: the velocities that the bodies moved with, rows at a0 to b3. */
// @ts-ignore: decorator
@inline
function advanceGroup(
  single: bool,
  k: u32,
  g: ContactGroup,
  step: usize,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  nx: v128,
  ny: v128,
  nz: v128,
  tx: v128,
  ty: v128,
  tz: v128,
  ux: v128,
  uy: v128,
  uz: v128,
): void {
  const s0: v128 = differenceOf(a0 + 16, b0 + 16),
    s1: v128 = differenceOf(a1 + 16, b1 + 16),
    s2: v128 = differenceOf(a2 + 16, b2 + 16),
    s3: v128 = differenceOf(a3 + 16, b3 + 16);
  const ex: v128 = columnX(s0, s1, s2, s3),
    ey: v128 = columnY(s0, s1, s2, s3),
    ez: v128 = columnZ(s0, s1, s2, s3);
  const vn: v128 = dotW(
    nx,
    ny,
    nz,
    relativeX(g, a0, a1, a2, a3, b0, b1, b2, b3, ex, ey, ez),
    relativeY(g, a0, a1, a2, a3, b0, b1, b2, b3, ex, ey, ez),
    relativeZ(g, a0, a1, a2, a3, b0, b1, b2, b3, ex, ey, ez),
  );
  const h: v128 = v128.load(step, STEP_H);
  const points: ContactPoints = pointsOf(g, single ? 1 : 2),
    row: ContactRows = changetype<ContactRows>(changetype<usize>(points) + <usize>k * CONTACT_POINTS_STRIDE);
  if (single) {
    points.separation = mulAddW(h, vn, points.separation);
    return;
  }
  const w1: v128 = dotW(tx, ty, tz, ex, ey, ez),
    w2: v128 = dotW(ux, uy, uz, ex, ey, ez);
  advancePoint(points, row, h, vn, w1, w2);
  advancePoint(nextPoints(points), nextRows(row), h, vn, w1, w2);
  if (k > 2) advancePoint(pointsOf(g, 2, 2), nextRows(nextRows(row)), h, vn, w1, w2);
  if (k > 3) advancePoint(pointsOf(g, 2, 3), nextRows(nextRows(nextRows(row))), h, vn, w1, w2);
}

// @ts-ignore: decorator
@inline
function advancePoint(p: ContactPoints, row: ContactRows, h: v128, vn: v128, w1: v128, w2: v128): void {
  p.separation = mulAddW(h, speedAt(row, vn, w1, w2), p.separation);
}

/**
 * Bodies take up the wrench of a manifold at its mean point: the force t f1 + u f2 + n sumN and the torque n f3 + t sumU - u
 * sumT (sumT, sumU: normal impulses times their offsets along t and u).
 */
// @ts-ignore: decorator
@inline
function applyWrench(
  single: bool,
  g: ContactGroup,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  nx: v128,
  ny: v128,
  nz: v128,
  tx: v128,
  ty: v128,
  tz: v128,
  ux: v128,
  uy: v128,
  uz: v128,
  f1: v128,
  f2: v128,
  f3: v128,
  sumN: v128,
  sumT: v128,
  sumU: v128,
): void {
  // Force along the surface, apart: an arm along the normal gets no torque from normal impulses, not by rounding either.
  const fx: v128 = addW(mulW(tx, f1), mulW(ux, f2)),
    fy: v128 = addW(mulW(ty, f1), mulW(uy, f2)),
    fz: v128 = addW(mulW(tz, f1), mulW(uz, f2));
  push(a0, a1, a2, a3, b0, b1, b2, b3, addW(fx, mulW(nx, sumN)), addW(fy, mulW(ny, sumN)), addW(fz, mulW(nz, sumN)));
  let tqx: v128 = mulW(nx, f3),
    tqy: v128 = mulW(ny, f3),
    tqz: v128 = mulW(nz, f3);
  if (!single) {
    tqx = addW(tqx, subW(mulW(tx, sumU), mulW(ux, sumT)));
    tqy = addW(tqy, subW(mulW(ty, sumU), mulW(uy, sumT)));
    tqz = addW(tqz, subW(mulW(tz, sumU), mulW(uz, sumT)));
  }
  let rx: v128 = g.armBX,
    ry: v128 = g.armBY,
    rz: v128 = g.armBZ;
  let qx: v128 = addW(tqx, torqueOf(ry, rz, fy, fz, ny, nz, sumN)),
    qy: v128 = addW(tqy, torqueOf(rz, rx, fz, fx, nz, nx, sumN)),
    qz: v128 = addW(tqz, torqueOf(rx, ry, fx, fy, nx, ny, sumN));
  const b: usize = changetype<usize>(g) + offsetof<ContactGroup>('inertiaBXX');
  addColumns(b0 + 16, b1 + 16, b2 + 16, b3 + 16, turnX(b, qx, qy, qz), turnY(b, qx, qy, qz), turnZ(b, qx, qy, qz));
  rx = subW(rx, g.armsX);
  ry = subW(ry, g.armsY);
  rz = subW(rz, g.armsZ);
  qx = negW(addW(tqx, torqueOf(ry, rz, fy, fz, ny, nz, sumN)));
  qy = negW(addW(tqy, torqueOf(rz, rx, fz, fx, nz, nx, sumN)));
  qz = negW(addW(tqz, torqueOf(rx, ry, fx, fy, nx, ny, sumN)));
  const a: usize = changetype<usize>(g) + offsetof<ContactGroup>('inertiaAXX');
  addColumns(a0 + 16, a1 + 16, a2 + 16, a3 + 16, turnX(a, qx, qy, qz), turnY(a, qx, qy, qz), turnZ(a, qx, qy, qz));
}

/** A component of r x (f + n s): those of the next two axes are given. */
// @ts-ignore: decorator
@inline
function torqueOf(r1: v128, r2: v128, f1: v128, f2: v128, n1: v128, n2: v128, s: v128): v128 {
  return addW(subW(mulW(r1, f2), mulW(r2, f1)), mulW(subW(mulW(r1, n2), mulW(r2, n1)), s));
}

// Inverse inertia xx yy zz xy xz yz at `i` times (x, y, z).
// @ts-ignore: decorator
@inline
function turnX(i: usize, x: v128, y: v128, z: v128): v128 {
  return dotW(v128.load(i), v128.load(i, 48), v128.load(i, 64), x, y, z);
}
// @ts-ignore: decorator
@inline
function turnY(i: usize, x: v128, y: v128, z: v128): v128 {
  return dotW(v128.load(i, 48), v128.load(i, 16), v128.load(i, 80), x, y, z);
}
// @ts-ignore: decorator
@inline
function turnZ(i: usize, x: v128, y: v128, z: v128): v128 {
  return dotW(v128.load(i, 64), v128.load(i, 80), v128.load(i, 32), x, y, z);
}

/**
 * Applies stored impulses of a group. Warm start: all of them, less their excess, times the factor; else the excess, backwards in
 * time, and the stored ones lose it. `half`: 1 if the rows are half as long as BodyRow.
 */
function applyStored(warm: bool, word: u32, rows: usize, half: u32, step: usize, special: bool): void {
  const k: u32 = pointsOfGroup(word);
  const g: ContactGroup = groupAt(word),
    side: ContactSide = sideAt(word);
  if (isEmpty(g)) return;
  const a0: usize = rows + <usize>(rowOfA(g, 0) >> half),
    a1: usize = rows + <usize>(rowOfA(g, 1) >> half),
    a2: usize = rows + <usize>(rowOfA(g, 2) >> half),
    a3: usize = rows + <usize>(rowOfA(g, 3) >> half);
  const b0: usize = rows + <usize>(rowOfB(g, 0) >> half),
    b1: usize = rows + <usize>(rowOfB(g, 1) >> half),
    b2: usize = rows + <usize>(rowOfB(g, 2) >> half),
    b3: usize = rows + <usize>(rowOfB(g, 3) >> half);
  const nx: v128 = g.normalX,
    ny: v128 = g.normalY,
    nz: v128 = g.normalZ;
  const tx: v128 = g.tangentX,
    ty: v128 = g.tangentY,
    tz: v128 = g.tangentZ;
  const ux: v128 = subW(mulW(ny, tz), mulW(nz, ty)),
    uy: v128 = subW(mulW(nz, tx), mulW(nx, tz)),
    uz: v128 = subW(mulW(nx, ty), mulW(ny, tx));
  const zero: v128 = splatW(0);
  const factor: v128 = v128.load(step, STEP_WARM_START);
  let f1: v128 = zero,
    f2: v128 = zero,
    f3: v128 = zero;
  if (warm) {
    f1 = mulW(g.tangentImpulse1, factor);
    f2 = mulW(g.tangentImpulse2, factor);
    f3 = mulW(g.twistImpulse, factor);
    g.tangentImpulse1 = f1;
    g.tangentImpulse2 = f2;
    g.twistImpulse = f3;
  }
  let sumN: v128 = zero,
    sumT: v128 = zero,
    sumU: v128 = zero;
  for (let i: u32 = 0; i < k; i++) {
    const p: ContactPoints = pointsOf(g, k, i),
      q: ContactSidePoints = sidePointsOf(side, i),
      r: ContactRows = rowsOf(g, k, i);
    const old: v128 = p.impulse,
      excess: v128 = q.excess;
    let change: v128;
    if (warm) {
      change = mulW(subW(old, excess), factor);
      p.impulse = change;
      q.excess = zero;
    } else {
      // The start that would have led to where the substep ended without it: further on.
      change = excess;
      p.impulse = subW(old, excess);
    }
    sumN = addW(sumN, change);
    if (k > 1) {
      sumT = addW(sumT, mulW(r.alongT, change));
      sumU = addW(sumU, mulW(r.alongU, change));
    }
  }
  if (warm && v128.any_true(g.rollArm)) {
    const q1: v128 = mulW(side.rollImpulse1, factor),
      q2: v128 = mulW(side.rollImpulse2, factor);
    side.rollImpulse1 = q1;
    side.rollImpulse2 = q2;
    sumU = addW(sumU, q1);
    sumT = subW(sumT, q2);
  }
  applyWrench(false, g, a0, a1, a2, a3, b0, b1, b2, b3, nx, ny, nz, tx, ty, tz, ux, uy, uz, f1, f2, f3, sumN, sumT, sumU);
  if (special) keepGroup(word, g, rows, half);
}

/** Adds the impulses that a substep ended with, which are all that it did, to those of the step, where they are asked for. */
// @ts-ignore: decorator
@inline
function addImpulses(word: u32): void {
  const before: v128 = sideAt(word).stepImpulse;
  if (v128.any_true(greaterW(before, splatW(-f32.MAX_VALUE)))) sumImpulses(word, before);
}

function sumImpulses(word: u32, before: v128): void {
  const k: u32 = pointsOfGroup(word);
  let total: v128 = before;
  const zero: v128 = splatW(0);
  // Largest impulses start anew with the first hit of a step, where not all are kept (recordImpulses).
  const known: v128 = v128.or(greaterW(before, zero), greaterW(sideAt(word).restitution, zero));
  let p: ContactPoints = pointsOf(groupAt(word), k),
    q: ContactSidePoints = sidePointsOf(sideAt(word));
  for (let i: u32 = 0; i < k; i++) {
    const z: v128 = p.impulse;
    total = addW(total, z);
    q.maxImpulse = maxW(z, v128.and(known, q.maxImpulse));
    p = nextPoints(p);
    q = nextSidePoints(q);
  }
  sideAt(word).stepImpulse = total;
  if (v128.any_true(greaterW(before, zero)) || !v128.any_true(greaterW(total, zero))) return;
  const list: WordList = hitGroups();
  // Several threads come here; nobody asks for the order.
  const hits: u32 = atomic.add<u32>(changetype<usize>(list) + offsetof<WordList>('count'), 1);
  put32(list.words, hits, word);
}

/** A soft-contact coefficient of each lane; `offset` in STEP_SOFT. */
// @ts-ignore: decorator
@inline
function softness(g: ContactGroup, step: usize, offset: usize): v128 {
  return blendW(g.isStatic, v128.load(step + STEP_SOFT_STATIC + offset), v128.load(step + STEP_SOFT + offset));
}

/** Normal row of a point in a soft pass. */
// @ts-ignore: decorator
@inline
function softImpulse(
  p: ContactPoints,
  row: ContactRows,
  step: usize,
  vn: v128,
  old: v128,
  rate: v128,
  massScale: v128,
  impulseScale: v128,
  pushShare: v128,
): v128 {
  const s: v128 = p.separation;
  const invH: v128 = v128.load(step, STEP_INV_H);
  const bias: v128 = softBias<v128>(s, invH, rate, v128.load(step, STEP_SLOP), v128.load(step, STEP_PUSH), pushShare);
  const mass: v128 = row.mass;
  return softNormalRow<v128>(s, old, addW(vn, bias), mass, mulW(mass, massScale), impulseScale);
}

/** Normal row of a point in a relax pass: rigid, without push. */
// @ts-ignore: decorator
@inline
function relaxImpulse(p: ContactPoints, row: ContactRows, step: usize, vn: v128, old: v128): v128 {
  const bias: v128 = gapBias<v128>(p.separation, v128.load(step, STEP_INV_H));
  return rigidNormalRow<v128>(old, addW(vn, bias), row.mass, splatW(0));
}

/** Growth clamp of a final impulse: the excess is kept for takeBackExcess and the next warm start. */
// @ts-ignore: decorator
@inline
function findExcess(q: ContactSidePoints, z: v128): v128 {
  const excess: v128 = growthExcess<v128>(z, q.previous);
  q.excess = excess;
  q.previous = z;
  return excess;
}
