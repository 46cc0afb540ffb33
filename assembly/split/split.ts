// The work in a cell of the mass-splitting solver. Twin: shaders/shared/split.wgsl, the same operations in the same order, so
// that both agree to the bit wherever + - * / sqrt are rounded once (SwiftShader; not every GPU). Change both together.
//
// Theory: Tonge, Benevolenski, Voroshilov 2012, "Mass splitting for jitter-free parallel rigid body simulation", eq. 35-38 in the
// corrected form. A cell works on sub-bodies of mass m / k and updates their velocities with k M^-1 as well; the mean of the
// sub-bodies then applies every impulse with the whole mass and conserves momentum. The reader computes the mean: one pass is
// mean, sweeps over the cell's links color by color, boundary velocities to the rows. A pass is the soft or the relax part of a
// substep, or (SPLIT_SUBSTEP) both, with one mean before them. In that case sub-bodies move by their own velocities after the
// soft sweeps, and the body by the mean of these, which the next pass computes.
// Input, output: slots, links, points, impulses and rows of SplitState.
import { freeLanes, freeTurns, lockShares } from '../bodies/locks';
import { pointFriction } from '../constraints/point_friction';
import {
  FACE_SWEEPS,
  LOCAL_BODY_STRIDE,
  LocalBody,
  PatchImpulse,
  PointImpulses,
  RollImpulse,
  SPLIT_BODY_CAP,
  SPLIT_CELL_STRIDE,
  SPLIT_CONTINUED,
  SPLIT_FIRST_SUBSTEP,
  SPLIT_LINK_LOCKED,
  SPLIT_LINK_ROLLING,
  SPLIT_LINK_ROW,
  SPLIT_LINK_STATIC,
  SPLIT_LINK_STRUCK,
  SPLIT_LINK_SURFACE,
  SPLIT_RELAX,
  SPLIT_ROW_STRIDE,
  SPLIT_SLOT_STATE_STRIDE,
  SPLIT_SLOT_STRIDE,
  SPLIT_SOFT,
  SPLIT_SUBSTEP,
  SPLIT_UNFINISHED,
  SPLIT_WARM,
  SplitCell,
  SplitLink,
  SplitPoints,
  SplitRow,
  SplitSlot,
  SplitSlotState,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { addW, boundSpinW, boundW, cross3, dot3, maxW, mulW, splatW, subW } from '../math/lane';
import { rotate3, x3, y3, z3 } from '../math/vec3';
import { at32 } from '../memory/words';
import { inverse } from '../rows/mass';
import { boundRow, growthExcess, isUnsettled, oneCircleRow, softBias, softNormalRow } from '../rows/row';
import { kickLink, sweepJoint } from './joints';
import {
  blockOf,
  bodyA,
  bodyB,
  countOf,
  lever,
  normalOf,
  pushShareOf,
  softShareOf,
  tangentOf,
  twistRadiusOf,
  unitOf,
} from './link';
import { keepPair, localBody, pushPair, turned, twistPair, xyz } from './local_body';
import { linkAt, pointsOf, rollRow } from './packed';
import { turnLink } from './turn';

/** The static body of a cell. */
export function clearDummy(): void {
  memory.fill(changetype<usize>(localBody(SPLIT_BODY_CAP)), 0, LOCAL_BODY_STRIDE);
}

/** One pass over one cell. */
export function solveCell(s: SplitState, step: SplitStep, index: u32): void {
  const cell: SplitCell = changetype<SplitCell>(<usize>s.cells + <usize>index * SPLIT_CELL_STRIDE);
  const isSubstep: bool = step.mode == SPLIT_SUBSTEP;
  const mode: u32 = isSubstep ? SPLIT_SOFT : step.mode;
  const firstSlot: u32 = cell.firstSlot;
  const slots: u32 = cell.slots;
  for (let i: u32 = 0; i < slots; i++) loadBody(s, step, mode, firstSlot + i, localBody(i));
  sweepCell(s, step, mode, cell, firstSlot);
  if (isSubstep) {
    for (let i: u32 = 0; i < slots; i++) advanceBody(s, step, firstSlot + i, localBody(i));
    sweepCell(s, step, SPLIT_RELAX, cell, firstSlot);
  }
  for (let i: u32 = 0; i < slots; i++) storeBody(s, step, firstSlot + i, localBody(i));
}

/** The sweeps of a pass over the links of a cell. */
function sweepCell(s: SplitState, step: SplitStep, mode: u32, cell: SplitCell, firstSlot: u32): void {
  const firstLink: u32 = cell.firstLink;
  const colorEnds: usize = <usize>s.cells + ((<usize>cell.colors) << 2);
  const colors: u32 = cell.colorCount;
  const sweeps: u32 = mode == SPLIT_WARM ? 1 : step.sweeps;
  const contactColors: u32 = cell.contactColors;
  const links: u32 = contactColors != 0 ? firstLink + at32(colorEnds, contactColors - 1) : firstLink;
  const joints: u32 = firstLink + at32(colorEnds, colors - 1); // the end of those behind the contacts
  const excessFlag: usize = <usize>s.slotStates + <usize>firstSlot * SPLIT_SLOT_STATE_STRIDE + offsetof<SplitSlotState>('marks');
  // Colors lie behind each other; their order is all that matters in one thread.
  const continued: bool = (step.flags & SPLIT_CONTINUED) != 0;
  const unfinished: bool = (step.flags & SPLIT_UNFINISHED) != 0;
  if (mode == SPLIT_SOFT && (step.flags & SPLIT_FIRST_SUBSTEP) == 0 && !continued && load<f32>(excessFlag) > 0) {
    for (let l: u32 = firstLink; l < links; l++) takeBackExcess(s, l);
  }
  // In the first substep the warm pass has been the start of it.
  if (!continued && (mode == SPLIT_RELAX || (mode == SPLIT_SOFT && (step.flags & SPLIT_FIRST_SUBSTEP) == 0))) {
    for (let l: u32 = links; l < joints; l++) turnLink(s, step, l, mode);
    if (mode == SPLIT_SOFT) for (let l: u32 = links; l < joints; l++) kickLink(s, l);
  }
  if (mode == SPLIT_WARM) for (let l: u32 = links; l < joints; l++) turnLink(s, step, l, mode);
  let hasExcess: bool = false;
  for (let sweep: u32 = 0; sweep < sweeps; sweep++) {
    for (let l: u32 = firstLink; l < links; l++) {
      if (mode == SPLIT_WARM) warmLink(s, step, l);
      else hasExcess = sweepLink(s, step, mode, l, sweep == 0 && !continued, sweep == sweeps - 1 && !unfinished) || hasExcess;
    }
    for (let l: u32 = links; l < joints; l++) {
      if (mode == SPLIT_WARM) kickLink(s, l);
      else sweepJoint(s, step, mode, l, sweep == sweeps - 1 && !unfinished);
    }
  }
  if (mode == SPLIT_RELAX) store<f32>(excessFlag, hasExcess ? <f32>1 : <f32>0);
}

/** Velocity of a slot's body: the mean of its sub-bodies, summed in row order, or the slot's own. `part` 0: v, 1: w. */
export function meanOf(s: SplitState, slot: SplitSlot, state: SplitSlotState, rowRead: u32, part: usize): v128 {
  const k: u32 = slot.copies;
  if (k < 2) return v128.load(changetype<usize>(state) + part * 16);
  const base: usize = <usize>s.rows + <usize>(rowRead + slot.firstRow) * SPLIT_ROW_STRIDE + part * 16;
  let sum: v128 = v128.load(base);
  for (let j: u32 = 1; j < k; j++) sum = addW(sum, v128.load(base + <usize>j * SPLIT_ROW_STRIDE));
  return mulW(sum, splatW(f32x4.extract_lane(state.inertia1, 3)));
}

/** Moves a shared body by the mean velocity that its sub-bodies had after the soft sweeps, where that is still to be done. */
export function moveShared(s: SplitState, step: SplitStep, slot: SplitSlot, state: SplitSlotState): void {
  if (step.softRows == 0 || slot.copies < 2) return;
  const h: v128 = splatW(step.h);
  state.d = addW(state.d, mulW(h, meanOf(s, slot, state, step.rowRead + step.softRows, 0)));
  state.p = addW(state.p, mulW(h, boundSpinW(meanOf(s, slot, state, step.rowRead + step.softRows, 1))));
}

/** Start of a pass for one sub-body. */
function loadBody(s: SplitState, step: SplitStep, mode: u32, index: u32, local: LocalBody): void {
  const slot: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>index * SPLIT_SLOT_STRIDE);
  const state: SplitSlotState = changetype<SplitSlotState>(<usize>s.slotStates + <usize>index * SPLIT_SLOT_STATE_STRIDE);
  const k: v128 = splatW(<f32>max<u32>(slot.copies, 1));
  local.inertia0 = mulW(k, state.inertia0);
  local.inertia1 = mulW(k, state.inertia1);
  const locks: u32 = <u32>y3(state.marks);
  local.mass = f32x4.replace_lane(mulW(splatW(z3(local.inertia1)), lockShares(locks)), 3, 0);
  local.free = freeLanes(locks);
  local.freeTurn = freeTurns(locks);
  if (mode == SPLIT_WARM) {
    // Links gather the carried impulses on bodies at rest.
    local.v = splatW(0);
    local.w = splatW(0);
    local.d = splatW(0);
    local.p = splatW(0);
    return;
  }
  let v: v128 = meanOf(s, slot, state, step.rowRead, 0);
  let w: v128 = meanOf(s, slot, state, step.rowRead, 1);
  const h: v128 = splatW(step.h);
  if ((step.flags & SPLIT_CONTINUED) != 0) {
    // The substep has begun.
  } else if (mode == SPLIT_SOFT) {
    if ((step.flags & SPLIT_FIRST_SUBSTEP) != 0) {
      v = addW(addW(state.vStart, mulW(h, state.accel)), v);
      w = addW(addW(state.wStart, mulW(h, state.angularAccel)), w);
    } else {
      moveShared(s, step, slot, state);
      const vEnd: v128 = boundW(v);
      const wEnd: v128 = boundSpinW(w);
      v = addW(vEnd, subW(vEnd, state.vStart));
      w = addW(wEnd, subW(wEnd, state.wStart));
      state.vStart = vEnd;
      state.wStart = wEnd;
    }
  } else if (mode == SPLIT_RELAX) {
    state.d = addW(state.d, mulW(h, v));
    state.p = addW(state.p, mulW(h, boundSpinW(w)));
  }
  local.v = v;
  local.w = w;
  local.d = state.d;
  local.p = state.p;
}

/** Between the soft and the relax sweeps of one pass: motion of one sub-body. */
function advanceBody(s: SplitState, step: SplitStep, index: u32, local: LocalBody): void {
  const slot: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>index * SPLIT_SLOT_STRIDE);
  const h: v128 = splatW(step.h);
  local.d = addW(local.d, mulW(h, local.v));
  local.p = addW(local.p, mulW(h, boundSpinW(local.w)));
  if (slot.copies > 1) {
    writeRow(s, step.rowWrite + step.softRows, slot, local);
  } else {
    const state: SplitSlotState = changetype<SplitSlotState>(<usize>s.slotStates + <usize>index * SPLIT_SLOT_STATE_STRIDE);
    state.d = local.d;
    state.p = local.p;
  }
}

/** Velocity of a sub-body to its row. */
function writeRow(s: SplitState, first: u32, slot: SplitSlot, local: LocalBody): void {
  const place: u32 = first + slot.firstRow + slot.place;
  const row: SplitRow = changetype<SplitRow>(<usize>s.rows + <usize>place * SPLIT_ROW_STRIDE);
  row.v = local.v;
  row.w = local.w;
}

/** End of a pass for one sub-body. */
function storeBody(s: SplitState, step: SplitStep, index: u32, local: LocalBody): void {
  const slot: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>index * SPLIT_SLOT_STRIDE);
  if (slot.copies > 1) {
    writeRow(s, step.rowWrite, slot, local);
  } else {
    const state: SplitSlotState = changetype<SplitSlotState>(<usize>s.slotStates + <usize>index * SPLIT_SLOT_STATE_STRIDE);
    state.v = local.v;
    state.w = local.w;
  }
}

/** Impulses of a link: those of its points first. */
function impulsesAt(s: SplitState, link: SplitLink): PointImpulses {
  return changetype<PointImpulses>(<usize>s.impulses + ((<usize>link.impulses) << 4));
}

/** Row of a manifold behind those of its points. */
function patchOf(rows: PointImpulses): PatchImpulse {
  return changetype<PatchImpulse>(changetype<usize>(rows) + ((<usize>SPLIT_LINK_ROW) << 4));
}

/** Number i of a row of points. */
// @ts-ignore: decorator
@inline
function pointOf(row: usize, i: u32): f32 {
  return load<f32>(row + ((<usize>i) << 2));
}

/** SplitPoints.places of point i. */
// @ts-ignore: decorator
@inline
function placesOf(points: SplitPoints, i: u32): u32 {
  return load<u32>(changetype<usize>(points) + ((<usize>i) << 2));
}

/** Impulse z on B along n and its opposite on A, at arms whose cross products with n are jA and jB. */
function pushAlong(a: LocalBody, b: LocalBody, n: v128, jA: v128, jB: v128, z: f32): void {
  const impulse: v128 = mulW(n, splatW(z));
  a.v = subW(a.v, mulW(impulse, a.mass));
  a.w = subW(a.w, mulW(turned(a, jA), splatW(z)));
  b.v = addW(b.v, mulW(impulse, b.mass));
  b.w = addW(b.w, mulW(turned(b, jB), splatW(z)));
}

/** Applies the carried impulses of a link, without their excess. */
function warmLink(s: SplitState, step: SplitStep, l: u32): void {
  const link: SplitLink = linkAt(s, l);
  const a: LocalBody = bodyA(link);
  const b: LocalBody = bodyB(link);
  const rows: PointImpulses = impulsesAt(s, link);
  const points: SplitPoints = pointsOf(s, l);
  const count: u32 = countOf(link.marks);
  const n: v128 = normalOf(link);
  const t1: v128 = tangentOf(link.turn, n);
  const t2: v128 = cross3(n, t1);
  const unit: f32 = unitOf(link.turn);
  const factor: f32 = step.warmStart;
  const patch: usize = changetype<usize>(patchOf(rows));
  if (pointFriction().isOn()) {
    pointFriction().warm(step, l);
  } else {
    const z: v128 = mulW(v128.load(patch), splatW(factor));
    v128.store(patch, z);
    const z1: v128 = v128.shuffle<f32>(z, z, 0, 0, 0, 0);
    const z2: v128 = v128.shuffle<f32>(z, z, 1, 1, 1, 1);
    const zw: v128 = v128.shuffle<f32>(z, z, 2, 2, 2, 2);
    twistPair(a, b, mulW(n, zw));
    pushPair(a, b, link.centerA, link.centerB, addW(mulW(t1, z1), mulW(t2, z2)));
  }
  if ((link.marks & SPLIT_LINK_ROLLING) != 0) {
    const roll: usize = rollRow(s, changetype<usize>(rows));
    const q: v128 = mulW(v128.load(roll), splatW(factor));
    v128.store(roll, q);
    twistPair(a, b, addW(mulW(t1, splatW(x3(q))), mulW(t2, splatW(y3(q)))));
  }
  const carried: v128 = rows.impulse;
  const kept: v128 = mulW(maxW(subW(carried, rows.excess), splatW(0)), splatW(factor));
  rows.impulse = kept;
  rows.largest = splatW(0);
  rows.excess = subW(carried, kept);
  const centerA: v128 = cross3(link.centerA, n);
  const centerB: v128 = cross3(link.centerB, n);
  for (let i: u32 = 0; i < count; i++) {
    const arm: v128 = lever(t1, t2, placesOf(points, i), unit);
    pushAlong(a, b, n, addW(centerA, arm), addW(centerB, arm), pointOf(changetype<usize>(rows), i));
  }
  if ((link.marks & SPLIT_LINK_LOCKED) != 0) keepPair(a, b);
}

/** Takes the excess of a link's impulses off its bodies, which were started with all of it. */
function takeBackExcess(s: SplitState, l: u32): void {
  const link: SplitLink = linkAt(s, l);
  const rows: PointImpulses = impulsesAt(s, link);
  const excess: v128 = rows.excess;
  if (!v128.any_true(f32x4.gt(excess, splatW(0)))) return;
  const a: LocalBody = bodyA(link);
  const b: LocalBody = bodyB(link);
  const points: SplitPoints = pointsOf(s, l);
  const n: v128 = normalOf(link);
  const t1: v128 = tangentOf(link.turn, n);
  const t2: v128 = cross3(n, t1);
  const unit: f32 = unitOf(link.turn);
  const centerA: v128 = cross3(link.centerA, n);
  const centerB: v128 = cross3(link.centerB, n);
  const count: u32 = countOf(link.marks);
  rows.impulse = subW(rows.impulse, excess);
  for (let i: u32 = 0; i < count; i++) {
    const arm: v128 = lever(t1, t2, placesOf(points, i), unit);
    const z: f32 = pointOf(changetype<usize>(rows) + offsetof<PointImpulses>('excess'), i);
    if (z > 0) pushAlong(a, b, n, addW(centerA, arm), addW(centerB, arm), -z);
  }
  if ((link.marks & SPLIT_LINK_LOCKED) != 0) keepPair(a, b);
}

/** One sweep over the rows of a link, or as many as its points need to agree. Returns whether it leaves an excess. */
function sweepLink(s: SplitState, step: SplitStep, mode: u32, l: u32, isFirst: bool, isLast: bool): bool {
  const link: SplitLink = linkAt(s, l);
  const rows: PointImpulses = impulsesAt(s, link);
  // From here to the end of the substep: the impulse of the substep before, excess and all.
  if (mode == SPLIT_SOFT && isFirst) rows.excess = addW(rows.impulse, rows.excess);
  let starts: bool = isFirst;
  if ((link.marks & SPLIT_LINK_STRUCK) != 0) {
    settleFace(s, step, mode, l, isFirst);
    starts = false;
  }
  solveLink(s, step, mode, l, starts);
  if (!isLast || mode != SPLIT_RELAX) return false;
  const z: v128 = rows.impulse;
  rows.largest = maxW(rows.largest, z);
  const excess: v128 = growthExcess<v128>(z, rows.excess);
  rows.excess = excess;
  patchOf(rows).step += f32x4.extract_lane(z, 0) + f32x4.extract_lane(z, 1) + f32x4.extract_lane(z, 2) + f32x4.extract_lane(z, 3);
  return v128.any_true(f32x4.gt(excess, splatW(0)));
}

/**
 * Repeats the rows of a link that is hit until its points agree. A sweep solves the points of a face one after the other, so the
 * first one takes most of an impact and turns the body; the body moves before the next sweep and keeps that tilt.
 */
function settleFace(s: SplitState, step: SplitStep, mode: u32, l: u32, isFirst: bool): void {
  const rows: PointImpulses = impulsesAt(s, linkAt(s, l));
  for (let i: u32 = 0; i < FACE_SWEEPS; i++) {
    const old: v128 = rows.impulse;
    solveLink(s, step, mode, l, isFirst && i == 0);
    if (!isUnsettled<v128>(rows.impulse, old)) break;
  }
}

/**
 * One sweep over the rows of a link: twist, friction, normals. Velocities and inertia of the two bodies are held in locals
 * over all rows.
 */
function solveLink(s: SplitState, step: SplitStep, mode: u32, l: u32, isFirst: bool): void {
  const link: SplitLink = linkAt(s, l);
  const a: LocalBody = bodyA(link);
  const b: LocalBody = bodyB(link);
  const rows: PointImpulses = impulsesAt(s, link);
  const marks: u32 = link.marks;
  const count: u32 = countOf(marks);
  const n: v128 = normalOf(link);
  const t1: v128 = tangentOf(link.turn, n);
  const t2: v128 = cross3(n, t1);
  const unit: f32 = unitOf(link.turn);
  const points: SplitPoints = pointsOf(s, l);
  const patch: PatchImpulse = patchOf(rows);
  const pointwise: bool = pointFriction().isOn();
  const backwards: bool = mode == SPLIT_RELAX && count == 1;
  if (pointwise && !backwards) pointFriction().sweep(s, l);

  let va: v128 = a.v;
  let wa: v128 = a.w;
  let vb: v128 = b.v;
  let wb: v128 = b.w;
  const ia0: v128 = a.inertia0;
  const ia1: v128 = a.inertia1;
  const a0: v128 = xyz(ia0); // xx xy xz
  const a1: v128 = xyz(v128.shuffle<f32>(ia0, ia1, 1, 3, 4, 0)); // xy yy yz
  const a2: v128 = xyz(v128.shuffle<f32>(ia0, ia1, 2, 4, 5, 0)); // xz yz zz
  const ma: v128 = a.mass;
  const ib0: v128 = b.inertia0;
  const ib1: v128 = b.inertia1;
  const b0: v128 = xyz(ib0);
  const b1: v128 = xyz(v128.shuffle<f32>(ib0, ib1, 1, 3, 4, 0));
  const b2: v128 = xyz(v128.shuffle<f32>(ib0, ib1, 2, 4, 5, 0));
  const mb: v128 = b.mass;

  const rA: v128 = link.centerA;
  const rB: v128 = link.centerB;
  const isSoft: bool = mode == SPLIT_SOFT;
  const pushShare: f32 = pushShareOf(marks);
  const rate: f32 = !isSoft ? 0 : (marks & SPLIT_LINK_STATIC) != 0 ? step.rateStatic : step.rate;
  const share: f32 = isSoft ? softShareOf(link) : 0;
  // The relax pass of a single point goes backwards, normal first: friction so knows the impulse of an impact that this pass
  // has met.
  for (let half: u32 = 0; half < 2; half++) {
    const isNormal: bool = (half == 0) == backwards;
    if (!isNormal && !pointwise) {
      let borne: f32 = 0;
      for (let i: u32 = 0; i < count; i++) borne += pointOf(changetype<usize>(rows), i);
      const limit: f32 = f32x4.extract_lane(rA, 3) * borne;
      const old: v128 = v128.load(changetype<usize>(patch));
      const oldTwist: f32 = f32x4.extract_lane(old, 2);
      const turnA: v128 = rotate3(a0, a1, a2, n);
      const turnB: v128 = rotate3(b0, b1, b2, n);
      let spin: f32 = dot3(n, subW(wb, wa));
      const moves: bool = (marks & SPLIT_LINK_SURFACE) != 0;
      if (moves) spin += points.surfaceTwist;
      const twistMass: f32 = inverse(dot3(n, addW(turnA, turnB)));
      const twist: f32 = boundRow<f32>(oldTwist - twistMass * spin, limit * twistRadiusOf(f32x4.extract_lane(rB, 3)));
      const turn: v128 = splatW(twist - oldTwist);
      wa = subW(wa, mulW(turnA, turn));
      wb = addW(wb, mulW(turnB, turn));

      const motion: v128 = subW(addW(vb, cross3(wb, rB)), addW(va, cross3(wa, rA)));
      let v1: f32 = dot3(t1, motion);
      let v2: f32 = dot3(t2, motion);
      if (moves) {
        v1 += points.surface1 + step.time * points.rate1;
        v2 += points.surface2 + step.time * points.rate2;
      }
      const old1: f32 = f32x4.extract_lane(old, 0);
      const old2: f32 = f32x4.extract_lane(old, 1);
      const block: v128 = blockOf(link);
      oneCircleRow(changetype<usize>(patch), x3(block), y3(block), z3(block), v1, v2, limit);
      patch.twist = twist;
      const d1: f32 = patch.tangent1 - old1;
      const d2: f32 = patch.tangent2 - old2;
      const impulse: v128 = addW(mulW(t1, splatW(d1)), mulW(t2, splatW(d2)));
      va = subW(va, mulW(impulse, ma));
      wa = subW(wa, rotate3(a0, a1, a2, cross3(rA, impulse)));
      vb = addW(vb, mulW(impulse, mb));
      wb = addW(wb, rotate3(b0, b1, b2, cross3(rB, impulse)));
    }
    if (!isNormal) continue;
    const centerA: v128 = cross3(rA, n);
    const centerB: v128 = cross3(rB, n);
    for (let i: u32 = 0; i < count; i++) {
      const arm: v128 = lever(t1, t2, placesOf(points, i), unit);
      const jA: v128 = addW(centerA, arm);
      const jB: v128 = addW(centerB, arm);
      const row: usize = changetype<usize>(rows) + ((<usize>i) << 2);
      const old: f32 = load<f32>(row);
      if (isFirst) {
        const moved: f32 = dot3(n, subW(b.d, a.d)) + dot3(jB, b.p) - dot3(jA, a.p);
        const start: f32 = pointOf(changetype<usize>(points) + offsetof<SplitPoints>('separation'), i);
        store<f32>(row, start + moved, offsetof<PointImpulses>('separation'));
      }
      const separation: f32 = load<f32>(row, offsetof<PointImpulses>('separation'));
      const u: f32 = dot3(n, subW(vb, va)) + dot3(jB, wb) - dot3(jA, wa);
      const bias: f32 = softBias<f32>(separation, step.invH, rate, step.slop, -step.pushSpeed, pushShare);
      const mass: f32 = pointOf(changetype<usize>(points) + offsetof<SplitPoints>('mass'), i);
      const z: f32 = softNormalRow<f32>(separation, old, u + bias, mass, mass - mass * share, share);
      if (z == old) continue; // idle, as most points within the margin are: nothing would change but signs of zero
      store<f32>(row, z);
      const d: v128 = splatW(z - old);
      const impulse: v128 = mulW(n, d);
      va = subW(va, mulW(impulse, ma));
      wa = subW(wa, mulW(rotate3(a0, a1, a2, jA), d));
      vb = addW(vb, mulW(impulse, mb));
      wb = addW(wb, mulW(rotate3(b0, b1, b2, jB), d));
    }
  }
  a.v = va;
  a.w = wa;
  b.v = vb;
  b.w = wb;
  if (pointwise && backwards) pointFriction().sweep(s, l);
  if (mode == SPLIT_RELAX && (marks & SPLIT_LINK_ROLLING) != 0) {
    rollLink(a, b, t1, t2, count, changetype<usize>(rows), rollRow(s, changetype<usize>(rows)), points.rollArm);
  }
  if ((marks & SPLIT_LINK_LOCKED) != 0) keepPair(a, b);
}

/**
 * Rolling resistance: spins about the two tangents as a 2x2 block, bound by rollArm times the normal impulses
 * (rolling.ts).
 */
function rollLink(a: LocalBody, b: LocalBody, t1: v128, t2: v128, count: u32, states: usize, roll: usize, rollArm: f32): void {
  let borne: f32 = 0;
  for (let i: u32 = 0; i < count; i++) borne += pointOf(states, i);
  const rolled = changetype<RollImpulse>(roll);
  const old1: f32 = rolled.roll1;
  const old2: f32 = rolled.roll2;
  if (borne == 0 && old1 == 0 && old2 == 0) return;
  const a1: v128 = turned(a, t1);
  const a2: v128 = turned(a, t2);
  const b1: v128 = turned(b, t1);
  const b2: v128 = turned(b, t2);
  const k11: f32 = dot3(t1, addW(a1, b1));
  const k12: f32 = dot3(t1, addW(a2, b2));
  const k22: f32 = dot3(t2, addW(a2, b2));
  const inv: f32 = inverse(k11 * k22 - k12 * k12);
  const spin: v128 = subW(b.w, a.w);
  const w1: f32 = dot3(t1, spin);
  const w2: f32 = dot3(t2, spin);
  oneCircleRow(roll, k22 * inv, -k12 * inv, k11 * inv, w1, w2, rollArm * borne);
  const d1: v128 = splatW(rolled.roll1 - old1);
  const d2: v128 = splatW(rolled.roll2 - old2);
  a.w = subW(a.w, addW(mulW(a1, d1), mulW(a2, d2)));
  b.w = addW(b.w, addW(mulW(b1, d1), mulW(b2, d2)));
}
