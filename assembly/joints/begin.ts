// Joints at the start and at the end of a step: where the bodies are, impulses for the length of the substeps; back to the
// records, and joints that break.
// Input: BodyCenter, Joint records. Output: columns of head and units; Joint records; of joints that break events, islands to be
// split, colliders to be looked at.
import { BODY_CENTER_STRIDE, Header, JOINT_BROKEN, JOINT_ENABLED, Joint, NONE } from '../layout.generated';
import { coldAt, colliderAt } from '../bodies/rows';
import { markMoved } from '../broadphase/broadphase';
import { cut } from '../constraints/islands';
import { jointAt, jointsChanged } from '../constraints/joints';
import { EVENT_JOINT_BREAK, pushEvent } from '../events/events';
import { header } from '../memory/header';
import { at32 } from '../memory/words';
import { put3, take3 } from './columns';
import {
  FORM_DRIVEN_SHIFT,
  FORM_FLOATS,
  FORM_PULLEY,
  HEAD_BYTES,
  J_BETWEEN,
  J_FORM,
  J_FRAME_A,
  J_FRAME_B,
  J_IMPULSE,
  J_JOINT,
  J_PEAK,
  J_PREVIOUS,
  J_RUB,
  J_TWIST,
  UNIT_BYTES,
  U_BASE,
  U_DRIVE,
  U_LIMIT,
  U_PREVIOUS,
  U_RUB,
  isCoupling,
} from './layout';
import { JointState, jointState } from './state';

function centerOf(body: u32): usize {
  return <usize>header().bodyCenters + <usize>body * BODY_CENTER_STRIDE;
}

/** Center of a body seen from a point, x y z _. */
function centerFrom(body: u32, point: v128): v128 {
  const at: usize = centerOf(body);
  return f32x4.add(f32x4.sub(v128.load(at), point), v128.load(at, 16));
}

/** The groups at places [from, to) of JointState.order at the start of a step with substeps of h seconds. */
export function beginGroupsOfJoints(from: u32, to: u32, h: f32): void {
  const s: JointState = jointState();
  for (let k: u32 = from; k < to; k++) {
    const g: usize = at32(s.order, k);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_FLOATS) != 0) continue;
    v128.store(g, f32x4.splat(0), J_PEAK);
    v128.store(g, f32x4.splat(0), J_PEAK + 16);
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const index: u32 = load<u32>(g + lane, J_JOINT);
      if (index != NONE) beginLane(g + lane, form, jointAt(index), h);
    }
  }
}

function beginLane(at: usize, form: u32, joint: Joint, h: f32): void {
  const record: usize = changetype<usize>(joint);
  if ((form & FORM_PULLEY) != 0) {
    put3(at + J_FRAME_A, centerFrom(joint.bodyA, v128.load(record + offsetof<Joint>('frameAx'))));
    put3(at + J_FRAME_B, centerFrom(joint.bodyB, v128.load(record + offsetof<Joint>('frameBx'))));
  } else {
    const a: u32 = joint.bodyA;
    const from: v128 = a == NONE ? v128.load(record + offsetof<Joint>('anchorAx')) : v128.load(centerOf(a));
    let between: v128 = centerFrom(joint.bodyB, from);
    if (a != NONE) between = f32x4.sub(between, v128.load(centerOf(a), 16));
    put3(at + J_BETWEEN, between);
  }
  const old: f32 = joint.impulseStep;
  if (old == h) return;
  // Impulses of substeps of another length: the same forces.
  const scale: f32 = old > 0 ? h / old : 0;
  joint.impulseStep = h;
  for (let k: usize = 0; k < 8; k++) rescale(at + J_IMPULSE + (k << 4), scale);
  for (let k: usize = 0; k < 3; k++) rescale(at + J_RUB + (k << 4), scale);
  let unit: usize = at + HEAD_BYTES;
  const count: u32 = load<u32>(at & ~15, J_FORM + 4);
  for (let u: u32 = 0; u < count; u++) {
    for (let k: usize = 0; k < 5; k++) rescale(unit + U_LIMIT + (k << 4), scale);
    unit += UNIT_BYTES;
  }
}
if (J_PREVIOUS != J_IMPULSE + 96 || U_PREVIOUS != U_LIMIT + 48 || U_BASE != U_LIMIT + 64) ERROR('order of impulses');

function rescale(at: usize, scale: f32): void {
  store<f32>(at, load<f32>(at) * scale);
}

/** The groups at places [from, to) at the end of a step: to their records. */
export function endGroupsOfJoints(from: u32, to: u32, h: f32): void {
  const s: JointState = jointState();
  for (let k: u32 = from; k < to; k++) {
    const g: usize = at32(s.order, k);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_FLOATS) != 0) continue;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      const index: u32 = load<u32>(g + lane, J_JOINT);
      if (index != NONE) endLane(g + lane, form, jointAt(index), h);
    }
  }
}

function endLane(at: usize, form: u32, joint: Joint, h: f32): void {
  const record: usize = changetype<usize>(joint);
  const j: v128 = take3(at + J_IMPULSE),
    t: v128 = take3(at + J_IMPULSE + 48),
    f: v128 = take3(at + J_RUB);
  v128.store(record + offsetof<Joint>('jx'), f32x4.replace_lane(j, 3, load<f32>(at, J_PREVIOUS)));
  v128.store(record + offsetof<Joint>('tx'), f32x4.replace_lane(t, 3, load<f32>(at, J_PREVIOUS + 16)));
  v128.store(record + offsetof<Joint>('fx'), f32x4.replace_lane(f, 3, h));
  joint.peakForce = sqrt<f32>(load<f32>(at, J_PEAK)) / h;
  joint.peakTorque = sqrt<f32>(load<f32>(at, J_PEAK + 16)) / h;
  const twist: f32 = load<f32>(at, J_TWIST);
  joint.twist = abs<f32>(twist) < Infinity ? twist : 0;
  let unit: usize = at + HEAD_BYTES;
  if (isCoupling(form)) {
    joint.limit0 = load<f32>(unit, U_LIMIT);
    return;
  }
  for (let axis: u32 = 0; axis < 7; axis++) {
    if (((form >> FORM_DRIVEN_SHIFT) & (1 << axis)) == 0) continue;
    const to: usize = record + ((<usize>axis) << 2);
    store<f32>(to, load<f32>(unit, U_LIMIT), offsetof<Joint>('limit0'));
    if (axis < 6) {
      store<f32>(to, load<f32>(unit, U_DRIVE), offsetof<Joint>('drive0'));
      store<f32>(to, load<f32>(unit, U_RUB), offsetof<Joint>('rub0'));
    }
    unit += UNIT_BYTES;
  }
}

/** The groups at places [from, to) have no impulses. */
export function clearGroupsOfJoints(from: u32, to: u32): void {
  for (let k: u32 = from; k < to; k++) {
    const g: usize = at32(jointState().order, k);
    memory.fill(g + J_IMPULSE, 0, J_RUB + 48 - J_IMPULSE);
    let unit: usize = g + HEAD_BYTES;
    for (let u: u32 = load<u32>(g, J_FORM + 4); u != 0; u--) {
      memory.fill(unit + U_LIMIT, 0, U_BASE + 16 - U_LIMIT);
      unit += UNIT_BYTES;
    }
  }
}
if (J_RUB != J_PREVIOUS + 32) ERROR('order of impulses');

/** After a step: joints whose force or torque passed their thresholds are at work no more, and say so. */
export function breakJoints(): void {
  const h: Header = header();
  for (let i: u32 = 0; i < h.jointCount; i++) {
    const joint: Joint = jointAt(i);
    if ((joint.flags & JOINT_ENABLED) == 0) continue;
    if (!(joint.peakForce > joint.breakForce || joint.peakTorque > joint.breakTorque)) continue;
    joint.flags = (joint.flags & ~JOINT_ENABLED) | JOINT_BROKEN;
    cut(joint.bodyA, joint.bodyB);
    jointsChanged();
    pushEvent(EVENT_JOINT_BREAK, i, NONE);
    // Its bodies may collide from now on.
    for (let c: u32 = coldAt(joint.bodyB).firstCollider; c != NONE; c = colliderAt(c).next) markMoved(c);
  }
}
