// Joints of the scalar oracle: the rows of joint_rows.ts on whole bodies, one joint after the other in the order of their slots.
// Input: jointLinks, BodyRow, BodyDelta. Output: velocities, impulses of joints.
import { rowAt } from '../bodies/rows';
import { jointAt } from '../constraints/joints';
import { BodyRow, JOINT_ROW_IMPULSES, Joint, LocalBody, NONE, OrderState, SPLIT_RELAX } from '../layout.generated';
import { at32 } from '../memory/words';
import { listJoints } from '../ordering/joint_links';
import { orderState } from '../ordering/state';
import { jointRows, unpackJoint } from '../split/joint_rows';
import { kickJoint, solveJoint } from '../split/joints';
import { keepLocal, xyz } from '../split/local_body';
import { tellMotion, turnJoint } from '../split/turn';
import { local, parameters, prepareListed, takeBody } from './methods/joint_bodies';

/** Rows of all joints at work. False without memory. */
export function prepareJoints(h: f32): bool {
  return listJoints() && prepareListed(h);
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
      tellMotion(a, b);
      turnJoint(jointRows(index), a, b, parameters(), mode);
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
