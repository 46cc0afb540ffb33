// Joints at the start of a step, for the scalar oracle (../pgs_joints.ts) and for rows (joint_rows.ts): the rows of
// ../../split/joint_rows.ts, filled, and the two bodies of the joint at work.
// Input: jointLinks, BodyRow, BodyDelta. Output: SplitState.joints, localBodies, steps.
import { freeLanes, freeTurns, lockShares, locksOf } from '../../bodies/locks';
import { deltaAt, inertiaAt, rowAt } from '../../bodies/rows';
import {
  BodyDelta,
  BodyInertia,
  BodyRow,
  LOCAL_BODY_STRIDE,
  LocalBody,
  NONE,
  OrderState,
  SPLIT_STEP_SLOT,
  SplitState,
  SplitStep,
} from '../../layout.generated';
import { mulW, splatW } from '../../math/lane';
import { header } from '../../memory/header';
import { splitRoom, splitState } from '../../memory/split_state';
import { at32 } from '../../memory/words';
import { orderState } from '../../ordering/state';
import { prepareJoint, softenJoints } from '../../split/joint';
import { jointRows, packJoint, reserveJointRows } from '../../split/joint_rows';
import { xyz } from '../../split/local_body';

/** One of the two bodies of the joint at work. */
export function local(place: u32): LocalBody {
  return changetype<LocalBody>(<usize>splitState().localBodies + <usize>place * LOCAL_BODY_STRIDE);
}
/** What joints read of a pass. */
export function parameters(): SplitStep {
  return changetype<SplitStep>(<usize>splitState().steps);
}

/** Rows of the joints in jointLinks, with substeps of h seconds. False without memory. */
export function prepareListed(h: f32): bool {
  if (!reserveJointRows()) return false;
  if (!splitRoom(offsetof<SplitState>('localBodies'), LOCAL_BODY_STRIDE, 2)) return false;
  if (!splitRoom(offsetof<SplitState>('steps'), <usize>SPLIT_STEP_SLOT, 1)) return false;
  const step: SplitStep = parameters();
  step.h = h;
  step.invH = <f32>1 / h;
  step.warmStart = header().warmStart;
  softenJoints(step, h);
  const s: OrderState = orderState();
  for (let i: u32 = 0; i < s.jointCount; i++) {
    const index: u32 = at32(s.jointLinks, i);
    packJoint(index, jointRows(index));
    prepareJoint(jointRows(index), 1, 1, h);
  }
  return true;
}

/** Copies a body to one of the two places; NONE is the world. */
export function takeBody(body: u32, to: LocalBody): void {
  memory.fill(changetype<usize>(to), 0, LOCAL_BODY_STRIDE);
  if (body == NONE) return;
  const row: BodyRow = rowAt(body);
  const i: BodyInertia = inertiaAt(body);
  const delta: BodyDelta = deltaAt(body);
  to.v = xyz(row.v);
  to.w = xyz(row.w);
  to.d = delta.d;
  to.p = delta.p;
  to.inertia0 = f32x4(i.xx, i.xy, i.xz, i.yy);
  to.inertia1 = f32x4(i.yz, i.zz, row.invMass, 0);
  const locks: u32 = locksOf(body);
  to.mass = xyz(mulW(splatW(row.invMass), lockShares(locks)));
  to.free = freeLanes(locks);
  to.freeTurn = freeTurns(locks);
}
