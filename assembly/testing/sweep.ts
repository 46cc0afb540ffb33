// Test entry of the sweep of two moving shapes.
import { GjkState, MOTION_STRIDE, Motion, SUPPORT_ROW_STRIDE, SupportRow } from '../layout.generated';
import { meetingOf } from '../ccd/speculative';
import { allocate } from '../memory/allocator';
import { gjkOf, setPose } from '../narrowphase/advance';
import { CORES, GJK_OVERLAP, gjkOn } from '../narrowphase/gjk';

/** A Motion: qa qb oa ob d dv wa wb n as rows of four floats, written by the test. */
export function sweepMotion(): u32 {
  return <u32>allocate(MOTION_STRIDE);
}
export function sweepMeeting(motion: u32, shapeA: u32, shapeB: u32, reachA: f32, reachB: f32, time: f32, slow: f32): f32 {
  const m: Motion = changetype<Motion>(<usize>motion);
  m.reachA = reachA;
  m.reachB = reachB;
  return meetingOf(m, shapeA, shapeB, time, slow, 0xffffffff);
}
export function sweepTarget(motion: u32): f32 {
  return changetype<Motion>(<usize>motion).target;
}
export function sweepSkin(motion: u32): f32 {
  return changetype<Motion>(<usize>motion).skin;
}
/** Distance of the cores of the last sweep less their margins at time t; their depth is not measured. */
export function sweepDistance(motion: u32, t: f32): f32 {
  const m: Motion = changetype<Motion>(<usize>motion);
  const g: usize = gjkOf(m);
  setPose(m, t);
  const margins: f32 = changetype<SupportRow>(g + CORES).margin + changetype<SupportRow>(g + CORES + SUPPORT_ROW_STRIDE).margin;
  if (gjkOn(g, CORES, f32x4(1, 0, 0, 0)) == GJK_OVERLAP) return -margins;
  return changetype<GjkState>(g).distance - margins;
}
