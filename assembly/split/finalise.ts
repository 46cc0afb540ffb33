// End of a step: the mean of the sub-bodies of every body and its motion. Bodies without contacts run their substeps here. With
// Header.reportChanges, bodies that have hardly moved are quiet, as on the GPU: their motion is summed up apart, and nobody
// sees it.
// Twin: shaders/finalise.wgsl, which also makes poses; here bodies/integrate.ts does, as for all solvers.
// Input: slots and rows, GpuMotion. Output: BodyRow, BodyDelta, GpuMotion, Header.someQuiet.
import { deltaAt, rowAt } from '../bodies/rows';
import {
  BodyDelta,
  BodyRow,
  GPU_REPORT_BEAT,
  GpuBody,
  GpuMotion,
  Header,
  NONE,
  SPLIT_SLOT_STATE_STRIDE,
  SPLIT_SLOT_STRIDE,
  SplitSlot,
  SplitSlotState,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { addW, mulW, splatW, subW } from '../math/lane';
import { quatFromRotationVector, quatMul, quatNormalize } from '../math/quat';
import { w3, withW3, x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { at32 } from '../memory/words';
import { hashOf, imageOf, motionAt } from './body_hash';
import { STEP_FINALISE, stepAt } from './packed';
import { meanOf, moveShared } from './split';

/** Velocities and motion of the bodies. */
export function finaliseBodies(s: SplitState): void {
  const h: Header = header();
  const step: SplitStep = stepAt(s.passCount + STEP_FINALISE);
  s.bodyReports = 0;
  for (let body: u32 = 0; body < s.bodyCount; body++) {
    const owner: u32 = at32(s.owners, body);
    if (owner == NONE) continue;
    const slot: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>owner * SPLIT_SLOT_STRIDE);
    const state: SplitSlotState = changetype<SplitSlotState>(<usize>s.slotStates + <usize>owner * SPLIT_SLOT_STATE_STRIDE);
    if (slot.copies == 0) flyBody(state, step);
    moveShared(s, step, slot, state);
    const v: v128 = meanOf(s, slot, state, step.rowRead, 0);
    const w: v128 = meanOf(s, slot, state, step.rowRead, 1);
    let d: v128 = state.d,
      p: v128 = state.p;
    if (h.reportChanges != 0) {
      const motion: GpuMotion = motionAt(s, body);
      if (w3(state.marks) == 1) {
        d = addW(d, withW3(motion.d, 0));
        p = addW(p, withW3(motion.p, 0));
      }
      if (isQuiet(step, state.marks, body, v, w, d, p)) {
        if (w3(state.marks) != 1) putHash(motion, hashOf(imageOf(s, body), body));
        keepMotion(motion, v, w, d, p);
        h.someQuiet = 1;
        continue;
      }
      s.bodyReports++;
      beginMotion(s, motion, body, v, w, d, p);
    }
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
    delta.d = d;
    delta.p = p;
  }
}

/** Whether a body is quiet, with its velocity now and its motion since its last report. */
function isQuiet(step: SplitStep, marks: v128, body: u32, v: v128, w: v128, d: v128, p: v128): bool {
  if (w3(marks) == 0 || step.reportDistance < 0) return false;
  if (((body + header().stepCount) & (GPU_REPORT_BEAT - 1)) == 0) return false;
  const row: BodyRow = rowAt(body);
  const reach: v128 = splatW(z3(marks));
  const speed2: f32 = step.reportSpeed * step.reportSpeed,
    distance2: f32 = step.reportDistance * step.reportDistance;
  const dv2: f32 = square(subW(v, row.v)),
    dw2: f32 = square(mulW(subW(w, row.w), reach)),
    d2: f32 = square(d),
    p2: f32 = square(mulW(p, reach));
  const sum: f32 = dv2 + dw2 + d2 + p2;
  if (!isFinite<f32>(sum)) return false;
  if (z3(marks) < 0) return sum == 0;
  return dv2 <= speed2 && dw2 <= speed2 && d2 <= distance2 && p2 <= distance2;
}

function square(v: v128): f32 {
  return x3(v) * x3(v) + y3(v) * y3(v) + z3(v) * z3(v);
}

/** A body reports: its motion starts again, from the GpuBody that the report leads to. */
function beginMotion(s: SplitState, motion: GpuMotion, body: u32, v: v128, w: v128, d: v128, p: v128): void {
  const b: GpuBody = imageOf(s, body);
  b.v = v128.shuffle<f32>(v, b.v, 0, 1, 2, 7);
  b.w = v128.shuffle<f32>(w, b.w, 0, 1, 2, 7);
  b.rotation = quatNormalize(quatMul(quatFromRotationVector(p), b.rotation));
  const x: v128 = b.center;
  const y: v128 = addW(d, b.centerLow);
  const sum: v128 = addW(x, y);
  const yy: v128 = subW(sum, x);
  const low: v128 = addW(subW(x, subW(sum, yy)), subW(y, yy));
  b.center = v128.shuffle<f32>(sum, b.center, 0, 1, 2, 7);
  b.centerLow = v128.shuffle<f32>(low, b.centerLow, 0, 1, 2, 7);
  putHash(motion, hashOf(b, body));
  keepMotion(motion, v, w, splatW(0), splatW(0));
}

function putHash(motion: GpuMotion, hash: v128): void {
  motion.v = v128.shuffle<i32>(motion.v, hash, 0, 1, 2, 4);
  motion.w = v128.shuffle<i32>(motion.w, hash, 0, 1, 2, 5);
  motion.d = v128.shuffle<i32>(motion.d, hash, 0, 1, 2, 6);
  motion.p = v128.shuffle<i32>(motion.p, hash, 0, 1, 2, 7);
}

/** The motion of a quiet body; its hash stays. */
function keepMotion(motion: GpuMotion, v: v128, w: v128, d: v128, p: v128): void {
  motion.v = v128.shuffle<i32>(v, motion.v, 0, 1, 2, 7);
  motion.w = v128.shuffle<i32>(w, motion.w, 0, 1, 2, 7);
  motion.d = v128.shuffle<i32>(d, motion.d, 0, 1, 2, 7);
  motion.p = v128.shuffle<i32>(p, motion.p, 0, 1, 2, 7);
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
