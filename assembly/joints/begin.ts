// Joints at the start and at the end of a step. Start: poses of the bodies, impulses scaled to the length of the substeps. End:
// impulses back to the records, and joints that break.
// Input: BodyCenter, Joint records. Output: columns of head and units; Joint records; for joints that break: events, islands to
// split, colliders to look at again.
import {
  BODY_CENTER_STRIDE,
  BodyCenter,
  Header,
  JOINT_BROKEN,
  JOINT_ENABLED,
  JOINT_UNIT_STRIDE,
  Joint,
  JointBody,
  JointGroup,
  JointState,
  JointUnit,
  NONE,
} from '../layout.generated';
import { coldAt, colliderAt } from '../bodies/rows';
import { markMoved } from '../broadphase/broadphase';
import { cut } from '../constraints/islands';
import { jointAt, jointsChanged } from '../constraints/joints';
import { EVENT_JOINT_BREAK, pushEvent } from '../events/events';
import { header } from '../memory/header';
import { at32 } from '../memory/words';
import { COLUMN, put3, take3 } from './columns';
import {
  FORM_FLOATS,
  FORM_PULLEY,
  IMPULSES,
  IMPULSES_END,
  UNIT_IMPULSES,
  UNIT_IMPULSES_END,
  driven,
  firstUnit,
  isCoupling,
  nextUnit,
} from './layout';
import { jointState } from './state';

// Bodies that lie to each other as the last step left them do so to this (m): far from the origin centers are no finer.
const SAME_PLACE: f32 = 1e-5;

function centerOf(body: u32): usize {
  return <usize>header().bodyCenters + <usize>body * BODY_CENTER_STRIDE;
}

/** Center of a body seen from a point, x y z _. */
function centerFrom(body: u32, point: v128): v128 {
  const at: usize = centerOf(body);
  return f32x4.add(f32x4.sub(v128.load(at), point), v128.load(at, offsetof<BodyCenter>('lx')));
}

/**
 * The groups at places [from, to) of JointState.order at the start of a step with substeps of h seconds. Returns whether
 * bodies lie to each other as the last step left them, by JointBody.travel.
 */
export function beginGroupsOfJoints(from: u32, to: u32, h: f32): bool {
  const s: JointState = jointState();
  let same: bool = true;
  for (let k: u32 = from; k < to; k++) {
    const g: JointGroup = changetype<JointGroup>(at32(s.order, k));
    if ((g.form & FORM_FLOATS) != 0) continue;
    g.peak = f32x4.splat(0);
    g.angularPeak = f32x4.splat(0);
    for (let lane: usize = 0; lane < 4; lane++) {
      const index: u32 = jointOf(g, lane);
      if (index != NONE && !beginLane(g, lane, jointAt(index), h)) same = false;
    }
  }
  return same;
}

/** Joint of a lane, NONE. */
export function jointOf(g: JointGroup, lane: usize): u32 {
  return load<u32>(changetype<usize>(g) + (lane << 2), offsetof<JointGroup>('joint'));
}

/** Returns whether its bodies lie to each other as the last step left them; of a pulley, whose place is another, never. */
function beginLane(g: JointGroup, lane: usize, joint: Joint, h: f32): bool {
  const record: usize = changetype<usize>(joint),
    at: usize = changetype<usize>(g) + (lane << 2);
  let same: bool = false;
  if ((g.form & FORM_PULLEY) != 0) {
    put3(at + offsetof<JointGroup>('frameAX'), centerFrom(joint.bodyA, v128.load(record + offsetof<Joint>('frameAx'))));
    put3(at + offsetof<JointGroup>('frameBX'), centerFrom(joint.bodyB, v128.load(record + offsetof<Joint>('frameBx'))));
  } else {
    const a: u32 = joint.bodyA;
    const from: v128 = a == NONE ? v128.load(record + offsetof<Joint>('anchorAx')) : v128.load(centerOf(a));
    let between: v128 = centerFrom(joint.bodyB, from);
    if (a != NONE) between = f32x4.sub(between, v128.load(centerOf(a), offsetof<BodyCenter>('lx')));
    const bodyA: JointBody = changetype<JointBody>(load<u32>(at, offsetof<JointGroup>('bodyA'))),
      bodyB: JointBody = changetype<JointBody>(load<u32>(at, offsetof<JointGroup>('bodyB')));
    const left: v128 = f32x4.add(take3(at + offsetof<JointGroup>('betweenX')), f32x4.sub(bodyB.travel, bodyA.travel));
    const off: v128 = f32x4.abs(f32x4.replace_lane(f32x4.sub(between, left), 3, 0));
    same = i32x4.all_true(f32x4.lt(off, f32x4.splat(SAME_PLACE)));
    put3(at + offsetof<JointGroup>('betweenX'), between);
  }
  const old: f32 = joint.impulseStep;
  if (old == h) return same;
  // Impulses of substeps of another length: the same forces.
  const scale: f32 = old > 0 ? h / old : 0;
  joint.impulseStep = h;
  rescale(at, IMPULSES, IMPULSES_END, scale);
  let unit: usize = changetype<usize>(firstUnit(g)) + (lane << 2);
  for (let u: u32 = g.units; u != 0; u--) {
    rescale(unit, UNIT_IMPULSES, UNIT_IMPULSES_END, scale);
    unit += JOINT_UNIT_STRIDE;
  }
  return same;
}

/** One lane of the columns from `first` up to `end`. */
function rescale(lane: usize, first: usize, end: usize, scale: f32): void {
  for (let at: usize = lane + first; at < lane + end; at += COLUMN) store<f32>(at, load<f32>(at) * scale);
}

/** The groups at places [from, to) at the end of a step: to their records. */
export function endGroupsOfJoints(from: u32, to: u32, h: f32): void {
  const s: JointState = jointState();
  for (let k: u32 = from; k < to; k++) {
    const g: JointGroup = changetype<JointGroup>(at32(s.order, k));
    if ((g.form & FORM_FLOATS) != 0) continue;
    for (let lane: usize = 0; lane < 4; lane++) {
      const index: u32 = jointOf(g, lane);
      if (index != NONE) endLane(g, lane, jointAt(index), h);
    }
  }
}

function endLane(g: JointGroup, lane: usize, joint: Joint, h: f32): void {
  const record: usize = changetype<usize>(joint),
    at: usize = changetype<usize>(g) + (lane << 2);
  const j: v128 = take3(at + offsetof<JointGroup>('impulseX')),
    t: v128 = take3(at + offsetof<JointGroup>('angularImpulseX')),
    f: v128 = take3(at + offsetof<JointGroup>('frictionX'));
  v128.store(record + offsetof<Joint>('jx'), f32x4.replace_lane(j, 3, load<f32>(at, offsetof<JointGroup>('previous'))));
  v128.store(record + offsetof<Joint>('tx'), f32x4.replace_lane(t, 3, load<f32>(at, offsetof<JointGroup>('angularPrevious'))));
  v128.store(record + offsetof<Joint>('fx'), f32x4.replace_lane(f, 3, h));
  joint.peakForce = sqrt<f32>(load<f32>(at, offsetof<JointGroup>('peak'))) / h;
  joint.peakTorque = sqrt<f32>(load<f32>(at, offsetof<JointGroup>('angularPeak'))) / h;
  const twist: f32 = load<f32>(at, offsetof<JointGroup>('twist'));
  joint.twist = abs<f32>(twist) < Infinity ? twist : 0;
  let unit: usize = changetype<usize>(firstUnit(g)) + (lane << 2);
  if (isCoupling(g.form)) {
    joint.limit0 = load<f32>(unit, offsetof<JointUnit>('limit'));
    return;
  }
  for (let axis: u32 = 0; axis < 7; axis++) {
    if ((driven(g.form) & (1 << axis)) == 0) continue;
    const to: usize = record + ((<usize>axis) << 2);
    store<f32>(to, load<f32>(unit, offsetof<JointUnit>('limit')), offsetof<Joint>('limit0'));
    if (axis < 6) {
      store<f32>(to, load<f32>(unit, offsetof<JointUnit>('drive')), offsetof<Joint>('drive0'));
      store<f32>(to, load<f32>(unit, offsetof<JointUnit>('friction')), offsetof<Joint>('rub0'));
    }
    unit += JOINT_UNIT_STRIDE;
  }
}

/** The groups at places [from, to) have no impulses. */
export function clearGroupsOfJoints(from: u32, to: u32): void {
  for (let k: u32 = from; k < to; k++) {
    const g: JointGroup = changetype<JointGroup>(at32(jointState().order, k));
    memory.fill(changetype<usize>(g) + IMPULSES, 0, IMPULSES_END - IMPULSES);
    let unit: JointUnit = firstUnit(g);
    for (let u: u32 = g.units; u != 0; u--) {
      memory.fill(changetype<usize>(unit) + UNIT_IMPULSES, 0, UNIT_IMPULSES_END - UNIT_IMPULSES);
      unit = nextUnit(unit);
    }
  }
}

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
