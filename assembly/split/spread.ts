// State of every slot at the start of a step, from its body. A body that has been quiet since its last report has its velocity
// in its GpuMotion. Twin: shaders/spread.wgsl.
import { locksOf } from '../bodies/locks';
import { accelAt, inertiaAt, rowAt } from '../bodies/rows';
import { header } from '../memory/header';
import {
  BodyAccel,
  BodyInertia,
  BodyRow,
  GpuMotion,
  SPLIT_SLOT_STATE_STRIDE,
  SPLIT_SLOT_STRIDE,
  SplitSlot,
  SplitSlotState,
  SplitState,
} from '../layout.generated';
import { vec3W } from '../math/lane';
import { withW3 } from '../math/vec3';
import { isQuietSince, motionAt, reachOf } from './body_hash';

/** State of a slot at the start of a step: twin of spread.wgsl. */
export function spreadBody(s: SplitState, slot: u32): void {
  const own: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>slot * SPLIT_SLOT_STRIDE);
  const body: u32 = own.body;
  const row: BodyRow = rowAt(body);
  const inertia: BodyInertia = inertiaAt(body);
  const accel: BodyAccel = accelAt(body);
  const state: SplitSlotState = changetype<SplitSlotState>(<usize>s.slotStates + <usize>slot * SPLIT_SLOT_STATE_STRIDE);
  let v: v128 = vec3W(row.vx, row.vy, row.vz),
    w: v128 = vec3W(row.wx, row.wy, row.wz);
  let mark: f32 = 0;
  if (header().reportChanges != 0) {
    const motion: GpuMotion = motionAt(s, body);
    const pushed: v128 = v128.or(v128.xor(v, motion.v), v128.xor(w, motion.w));
    if (isQuietSince(s, body)) {
      v = withW3(motion.v, 0);
      w = withW3(motion.w, 0);
      mark = 1;
    } else if (!v128.any_true(i32x4.replace_lane(pushed, 3, 0))) {
      mark = 2; // it has another pose alone
    }
  }
  const zero: v128 = f32x4.splat(0);
  state.v = v;
  state.w = w;
  state.vStart = v;
  state.wStart = w;
  state.d = zero;
  state.p = zero;
  state.marks = f32x4(0, <f32>locksOf(body), reachOf(body), mark);
  state.inertia0 = f32x4(inertia.xx, inertia.xy, inertia.xz, inertia.yy);
  state.inertia1 = f32x4(inertia.yz, inertia.zz, row.invMass, <f32>1 / <f32>max<u32>(own.copies, 1));
  state.accel = vec3W(accel.ax, accel.ay, accel.az);
  state.angularAccel = vec3W(accel.bx, accel.by, accel.bz);
}
