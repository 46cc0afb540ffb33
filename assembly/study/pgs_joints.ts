// Joints of the scalar oracle: the rows of joint_rows.ts on whole bodies, one joint after the other in the order of their slots.
// Input: jointLinks, BodyRow, BodyDelta. Output: velocities, impulses of joints.
import { freeLanes, freeTurns, lockShares, locksOf } from '../bodies/locks';
import { deltaAt, inertiaAt, rowAt } from '../bodies/rows';
import { jointAt } from '../constraints/joints';
import {
  BodyDelta,
  BodyInertia,
  BodyRow,
  JOINT_ROW_IMPULSES,
  Joint,
  LOCAL_BODY_STRIDE,
  LocalBody,
  NONE,
  OrderState,
  SPLIT_RELAX,
  SPLIT_STEP_SLOT,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { mulW, splatW } from '../math/lane';
import { header } from '../memory/header';
import { splitRoom, splitState } from '../memory/split_state';
import { at32 } from '../memory/words';
import { listJoints } from '../ordering/joint_links';
import { orderState } from '../ordering/state';
import { prepareJoint, softenJoints } from '../split/joint';
import { jointRows, packJoint, reserveJointRows, unpackJoint } from '../split/joint_rows';
import { kickJoint, solveJoint } from '../split/joints';
import { keepLocal, xyz } from '../split/local_body';
import { turnJoint } from '../split/turn';

/** One of the two bodies of the joint at work. */
export function local(place: u32): LocalBody {
  return changetype<LocalBody>(<usize>splitState().localBodies + <usize>place * LOCAL_BODY_STRIDE);
}
/** What joints read of a pass. */
export function parameters(): SplitStep {
  return changetype<SplitStep>(<usize>splitState().steps);
}

/** Rows of all joints at work. False without memory. */
export function prepareJoints(h: f32): bool {
  return listJoints() && prepareListed(h);
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

function giveBody(body: u32, from: LocalBody): void {
  if (body == NONE || rowAt(body).invMass == 0) return;
  keepLocal(from);
  const row: BodyRow = rowAt(body);
  row.v = f32x4.replace_lane(from.v, 3, row.invMass);
  row.w = xyz(from.w);
}

/** Before the sweeps of a pass: all turn, then the bodies take what that has found. */
export function turnJoints(mode: u32): void {
  const s: OrderState = orderState();
  const visits: u32 = mode == SPLIT_RELAX ? s.jointCount : 2 * s.jointCount;
  for (let i: u32 = 0; i < visits; i++) {
    const index: u32 = at32(s.jointLinks, i < s.jointCount ? i : i - s.jointCount);
    const joint: Joint = jointAt(index);
    const a: LocalBody = local(0),
      b: LocalBody = local(1);
    takeBody(joint.bodyA, a);
    takeBody(joint.bodyB, b);
    if (i < s.jointCount) {
      turnJoint(jointRows(index), a, b, a.w, b.w, parameters(), mode);
    } else {
      kickJoint(jointRows(index), a, b);
      giveBody(joint.bodyA, a);
      giveBody(joint.bodyB, b);
    }
  }
}

/** A sweep over all joints. */
export function sweepJoints(mode: u32, isLast: bool): void {
  const s: OrderState = orderState();
  for (let i: u32 = 0; i < s.jointCount; i++) {
    const index: u32 = at32(s.jointLinks, i);
    const joint: Joint = jointAt(index);
    takeBody(joint.bodyA, local(0));
    takeBody(joint.bodyB, local(1));
    solveJoint(jointRows(index), local(0), local(1), parameters(), mode, isLast);
    giveBody(joint.bodyA, local(0));
    giveBody(joint.bodyB, local(1));
  }
}

/** Impulses to the joints. */
export function keepJoints(): void {
  const s: OrderState = orderState();
  for (let i: u32 = 0; i < s.jointCount; i++) {
    const index: u32 = at32(s.jointLinks, i);
    unpackJoint(index, jointRows(index) + ((<usize>JOINT_ROW_IMPULSES) << 4));
  }
}
