// End of a step: the mean of the sub-bodies of every body and its motion. Bodies without contacts run their substeps here. Twin:
// shaders/finalise.wgsl, which also makes poses; here bodies/integrate.ts does, as for all solvers.
// Input: slots and rows. Output: BodyRow, BodyDelta.
import { deltaAt, rowAt } from '../bodies/rows';
import {
  BodyDelta,
  BodyRow,
  NONE,
  SPLIT_SLOT_STATE_STRIDE,
  SPLIT_SLOT_STRIDE,
  SplitSlot,
  SplitSlotState,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { addW, mulW, splatW } from '../math/lane';
import { at32 } from '../memory/words';
import { STEP_FINALISE, stepAt } from './packed';
import { meanOf, moveShared } from './split';

/** Velocities and motion of the bodies. */
export function finaliseBodies(s: SplitState): void {
  const step: SplitStep = stepAt(s.passCount + STEP_FINALISE);
  for (let body: u32 = 0; body < s.bodyCount; body++) {
    const owner: u32 = at32(s.owners, body);
    if (owner == NONE) continue;
    const slot: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>owner * SPLIT_SLOT_STRIDE);
    const state: SplitSlotState = changetype<SplitSlotState>(<usize>s.slotStates + <usize>owner * SPLIT_SLOT_STATE_STRIDE);
    if (slot.copies == 0) flyBody(state, step);
    moveShared(s, step, slot, state);
    const v: v128 = meanOf(s, slot, state, step.rowRead, 0);
    const w: v128 = meanOf(s, slot, state, step.rowRead, 1);
    const row: BodyRow = rowAt(body);
    row.vx = f32x4.extract_lane(v, 0);
    row.vy = f32x4.extract_lane(v, 1);
    row.vz = f32x4.extract_lane(v, 2);
    row.wx = f32x4.extract_lane(w, 0);
    row.wy = f32x4.extract_lane(w, 1);
    row.wz = f32x4.extract_lane(w, 2);
    row.sv = f32x4.replace_lane(v, 3, 0);
    row.sw = f32x4.replace_lane(w, 3, 0);
    const delta: BodyDelta = deltaAt(body);
    delta.d = state.d;
    delta.p = state.p;
  }
}

/** A body without contacts: the substeps of a free body. */
function flyBody(state: SplitSlotState, step: SplitStep): void {
  let v: v128 = state.vStart;
  let w: v128 = state.wStart;
  let d: v128 = splatW(0);
  let p: v128 = splatW(0);
  const h: v128 = splatW(step.h);
  const a: v128 = mulW(h, state.accel);
  const b: v128 = mulW(h, state.angularAccel);
  for (let i: u32 = 0; i < step.substeps; i++) {
    v = addW(v, a);
    w = addW(w, b);
    d = addW(d, mulW(h, v));
    p = addW(p, mulW(h, w));
  }
  state.v = v;
  state.w = w;
  state.vStart = v;
  state.wStart = w;
  state.d = d;
  state.p = p;
}
