// Sweeps over groups of four manifolds: warm start, growth clamp, soft and relax pass. The work of a pass in one group is in
// solve_group.ts.
//
// Soft and relax pass, which run in every substep, are one function, solveGroup, compiled for each pass and number of points. The
// rarely needed applyStored has loops instead.
// Input: groups (lanes.ts), BodyRow, parameters. Output: velocities in BodyRow; impulses, separations, excess in the groups.
import {
  BODY_ROW_STRIDE,
  ContactGroup,
  ContactPoints,
  ContactSide,
  ContactSidePoints,
  FACE_SWEEPS,
  Header,
  ImpactState,
  STEP_FACTORS,
  STEP_TIME,
  WordList,
} from '../layout.generated';
import { applyLocks, locksOf } from '../bodies/locks';
import {
  BOUNCES,
  groupAt,
  hitGroups,
  isEmpty,
  nextPoints,
  nextSidePoints,
  pointsOf,
  pointsOfGroup,
  rowOfA,
  rowOfB,
  sideAt,
  sidePointsOf,
} from '../lanes/lane_layout';
import { impulseStepBetween } from '../lanes/batches';
import { addW, cross3, greaterW, maxW, mulW, splatW, subW } from '../math/lane';
import { header } from '../memory/header';
import { isStruckRow, isUnsettled } from '../rows/row';
import { put32 } from '../memory/words';
import { ADVANCE, LAST, NO_SIDE, RELAX, SOFT, applyStored, findExcess, rollGroup, solveGroup } from './solve_group';

// Additions of a relax pass over a list beside those of solveGroup (ADVANCE, LAST). In a last pass WATCHED adds impulses to those
// of the step, and BOUNCING keeps the largest. SPECIAL: surfaces may move, or bodies have locked axes; one flag, so that worlds
// without them pay for one.
export const WATCHED: u32 = 4;
export const BOUNCING: u32 = 8;
export const SPECIAL: u32 = 16;

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

/** Applies the axis locks of the bodies of a group. */
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
  solveGroup(SOFT, false, k, g, NO_SIDE, rows, step, 0);
}

/** A relax pass over such a group. */
function relaxFace(k: u32, g: ContactGroup, side: ContactSide, rows: usize, step: usize, mode: u32): v128 {
  return solveGroup(RELAX, false, k, g, side, rows, step, mode);
}

/**
 * Whether an impulse of a bouncing group differs from its warm start: something hits it, or has just done so. If a fast impact is
 * expected, every impulse of the step may be a part of it: it comes in two parts, one that brakes the body to the remaining
 * distance of a substep, and one that stops it.
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
    else relaxFace(k, g, NO_SIDE, rows, step, 0);
    let open: bool = isUnsettled<v128>(p1.impulse, z1) || isUnsettled<v128>(p2.impulse, z2);
    if (k > 2) open = open || isUnsettled<v128>(p3.impulse, z3);
    if (k > 3) open = open || isUnsettled<v128>(p4.impulse, z4);
    if (!open) break;
  }
}

/** The last relax pass of a group that bounces; returns its excess as solveGroup does. */
function relaxStruck(word: u32, k: u32, g: ContactGroup, rows: usize, step: usize, mode: u32): v128 {
  const side: ContactSide = sideAt(word);
  relaxFace(k, g, side, rows, step, mode & ADVANCE);
  if (isStruck(word, g, k)) settleFace(RELAX, word, k, g, rows, step, (mode & SPECIAL) != 0);
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
    if (k == 1) solveGroup(SOFT, true, 1, g, NO_SIDE, rows, step, 0);
    else {
      softFace(k, g, rows, step);
      if (bouncing && isStruck(word, g, k)) settleFace(SOFT, word, k, g, rows, step, special);
    }
    if (special) shiftGroup(word, g, rows, -1, step);
    if (special) keepGroup(word, g, rows, 0);
  }
}

/**
 * A relax pass over the groups named in [list, end); `mode`: what else it does (ADVANCE to SPECIAL). `starts`, where it is not 0,
 * are rid of the excess of impulses.
 */
export function relaxGroups(list: usize, end: usize, rows: usize, step: usize, starts: usize, mode: u32): void {
  const last: bool = (mode & LAST) != 0,
    watched: bool = (mode & WATCHED) != 0,
    bouncing: bool = (mode & BOUNCING) != 0,
    special: bool = (mode & SPECIAL) != 0;
  for (; list < end; list += 4) {
    const word: u32 = load<u32>(list);
    const g: ContactGroup = groupAt(word),
      side: ContactSide = sideAt(word);
    if (isEmpty(g)) continue;
    const k: u32 = pointsOfGroup(word);
    if (special) shiftGroup(word, g, rows, 1, step);
    let excess: v128;
    if (k == 1) excess = solveGroup(RELAX, true, 1, g, side, rows, step, mode);
    else if (last && bouncing && bounces(word)) excess = relaxStruck(word, k, g, rows, step, mode);
    else excess = relaxFace(k, g, side, rows, step, mode);
    if (special) shiftGroup(word, g, rows, -1, step);
    if (v128.any_true(g.rollArm)) rollGroup(k, g, side, rows);
    if (special) keepGroup(word, g, rows, 0);
    if (last && watched) addImpulses(word);
    if (last && bouncing) recordImpulse(word);
    if (last && starts != 0 && v128.any_true(excess)) takeBackExcess(word, starts, step, special);
  }
}

/** Rescales stored impulses to substeps of length h (s). */
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
  for (; list < end; list += 4) giveStored(true, load<u32>(list), rows, 0, step, special);
}

/**
 * Growth clamp: removes the share of an impact from the warm start. The warm start of a substep repeats every impulse of the last
 * one. An impulse that stopped a motion would start it again, backwards, and one sweep does not undo that if several contacts
 * share a body: boxes then rattle between their supports for ever. So an impulse is repeated up to twice its value of the substep
 * before; a lasting load is back one substep later. The motion since the start of the substep is repeated, so the excess is added
 * to that start (rows of 32 bytes per body).
 */
function takeBackExcess(word: u32, starts: usize, step: usize, special: bool): void {
  giveStored(false, word, starts, 1, step, special);
}

function giveStored(warm: bool, word: u32, rows: usize, half: u32, step: usize, special: bool): void {
  const g: ContactGroup = groupAt(word);
  if (isEmpty(g)) return;
  applyStored(warm, pointsOfGroup(word), g, sideAt(word), rows, half, step);
  if (special) keepGroup(word, g, rows, half);
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
  // Largest impulses start again with the first hit of a step, if not all are kept (recordImpulses).
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
  // Several threads run this; the order does not matter.
  const hits: u32 = atomic.add<u32>(changetype<usize>(list) + offsetof<WordList>('count'), 1);
  put32(list.words, hits, word);
}
