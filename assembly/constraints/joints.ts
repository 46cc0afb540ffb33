// The store of joints and the list of joints of every body. Joints are the second kind of constraint beside manifolds, in lists
// of the same form (lists.ts), so that walks over contacts meet no joints.
//
// A slot has a generation; free slots are linked. An end of a joint is index << 1 | side, 0 at body A, 1 at body B; the world has
// no list. Enabled joints couple their bodies (islands.ts). Code that changes anything the solver has copied from joints raises
// Header.jointStamp.
// Input: edits (edits/joints.ts). Output: Joint records, BodyNode.firstJoint.
import {
  BodyNode,
  Header,
  JOINT_ALIVE,
  JOINT_COLLIDES,
  JOINT_ENABLED,
  JOINT_STRIDE,
  Joint,
  JointState,
  NONE,
} from '../layout.generated';
import { FLAG_STOPPED, coldAt, isAsleep, isMoved } from '../bodies/rows';
import { seenRootOf } from '../math/union_find';
import { ensureArray } from '../memory/allocator';
import { PREVIOUS, joinAcross, putFirst } from '../memory/ends';
import { header } from '../memory/header';
import { nodeAt } from './lists';

const SIDE: usize = offsetof<Joint>('nextB') - offsetof<Joint>('nextA');
if (offsetof<Joint>('previousA') - offsetof<Joint>('nextA') != PREVIOUS) ERROR('end of a joint');

export function jointAt(index: u32): Joint {
  return changetype<Joint>(<usize>header().joints + <usize>index * JOINT_STRIDE);
}

/** Marks the solver's copy of the joints as out of date. */
export function jointsChanged(): void {
  header().jointStamp++;
}

/** Makes room for `count` joints in all. False without memory (header error set). */
export function reserveJoints(count: u32): bool {
  const h: usize = changetype<usize>(header());
  return ensureArray(h + offsetof<Header>('joints'), JOINT_STRIDE, count);
}

/** A cleared slot, alive and not enabled. NONE without memory (header error set). */
export function allocateJoint(): u32 {
  const h: Header = header();
  let index: u32 = h.jointFree;
  let generation: u32 = 0;
  if (index != NONE) {
    h.jointFree = jointAt(index).next;
    generation = jointAt(index).generation;
  } else {
    index = h.jointCount;
    if (!reserveJoints(index + 1)) return NONE;
    h.jointCount = index + 1;
  }
  const joint: Joint = jointAt(index);
  memory.fill(changetype<usize>(joint), 0, JOINT_STRIDE);
  joint.generation = generation;
  joint.flags = JOINT_ALIVE;
  joint.row = NONE;
  h.jointAlive++;
  return index;
}

/** A slot whose ends are in no list any more. */
export function freeJoint(index: u32): void {
  const h: Header = header();
  const joint: Joint = jointAt(index);
  joint.flags = 0;
  joint.generation++;
  joint.next = h.jointFree;
  h.jointFree = index;
  h.jointAlive--;
}

function endAt(end: u32): usize {
  return end == NONE ? 0 : changetype<usize>(jointAt(end >> 1)) + offsetof<Joint>('nextA') + <usize>(end & 1) * SIDE;
}

/** First end in the list of a body, NONE without joints. */
export function firstJoint(body: u32): u32 {
  return nodeAt(body).firstJoint;
}
/** The next end in the same list, NONE behind the last. */
export function nextJoint(end: u32): u32 {
  return load<u32>(endAt(end));
}
/** The body at the other side of an end, NONE: the world. */
export function otherSide(end: u32): u32 {
  const joint: Joint = jointAt(end >> 1);
  return (end & 1) == 0 ? joint.bodyB : joint.bodyA;
}

function headOf(body: u32): usize {
  return changetype<usize>(nodeAt(body)) + offsetof<BodyNode>('firstJoint');
}

function linkEnd(body: u32, end: u32): void {
  if (body != NONE) putFirst(headOf(body), end, endAt(end), endAt(firstJoint(body)));
}

function unlinkEnd(body: u32, end: u32): void {
  if (body == NONE) return;
  const next: u32 = nextJoint(end),
    previous: u32 = load<u32>(endAt(end), PREVIOUS);
  joinAcross(headOf(body), previous, next, endAt(previous), endAt(next));
}

/** Enters a joint, whose bodies are known, into their lists. */
export function linkJoint(index: u32): void {
  linkEnd(jointAt(index).bodyA, index << 1);
  linkEnd(jointAt(index).bodyB, (index << 1) | 1);
}

/** Takes a joint out of the lists of its bodies. */
export function unlinkJoint(index: u32): void {
  unlinkEnd(jointAt(index).bodyA, index << 1);
  unlinkEnd(jointAt(index).bodyB, (index << 1) | 1);
}

export function isEnabled(index: u32): bool {
  return (jointAt(index).flags & JOINT_ENABLED) != 0;
}

/** Whether joints move a body in this step: impulses do, and it is awake. NONE: the world. */
export function worksOn(body: u32): bool {
  return body != NONE && isMoved(body) && !isAsleep(body);
}

/** Whether a joint is at work in this step: enabled, with a body that it moves. */
export function isAtWork(joint: Joint): bool {
  return (joint.flags & JOINT_ENABLED) != 0 && (worksOn(joint.bodyA) || worksOn(joint.bodyB));
}

/** Whether an enabled joint keeps two bodies from colliding with each other. */
export function keepsApart(a: u32, b: u32): bool {
  if (header().jointAlive == 0) return false;
  for (let end: u32 = firstJoint(a); end != NONE; end = nextJoint(end)) {
    if (otherSide(end) != b) continue;
    if ((jointAt(end >> 1).flags & (JOINT_ENABLED | JOINT_COLLIDES)) == JOINT_ENABLED) return true;
  }
  return false;
}

/** Whether joints hold two bodies together, over others too, as far as the solver's copy of the joints is up to date. */
export function isOneRig(a: u32, b: u32): bool {
  const h: Header = header();
  if (h.jointState == 0 || firstJoint(a) == NONE || firstJoint(b) == NONE) return false;
  const s: JointState = changetype<JointState>(<usize>h.jointState);
  return s.stamp == h.jointStamp && seenRootOf(s.parts, a) == seenRootOf(s.parts, b);
}

/** Impulses of a joint to zero: jx, to the step that they belong to, and those of its axes behind. */
export function forgetImpulses(joint: Joint): void {
  const base: usize = changetype<usize>(joint);
  memory.fill(base + offsetof<Joint>('jx'), 0, offsetof<Joint>('impulseStep') + 4 - offsetof<Joint>('jx'));
  memory.fill(base + offsetof<Joint>('limit0'), 0, 28);
  memory.fill(base + offsetof<Joint>('drive0'), 0, 24);
  memory.fill(base + offsetof<Joint>('rub0'), 0, 24);
  joint.peakForce = 0;
  joint.peakTorque = 0;
}

/** Joints of bodies that were stopped, and others whose numbers are not finite, start from nothing. */
export function dropStoppedJoints(): void {
  const h: Header = header();
  for (let i: u32 = 0; i < h.jointCount; i++) {
    const joint: Joint = jointAt(i);
    if ((joint.flags & JOINT_ENABLED) == 0) continue;
    let sum: f32 = abs<f32>(joint.jx) + abs<f32>(joint.jy) + abs<f32>(joint.jz) + abs<f32>(joint.twist);
    sum += abs<f32>(joint.tx) + abs<f32>(joint.ty) + abs<f32>(joint.tz);
    const flags: u32 = coldAt(joint.bodyB).flags | (joint.bodyA == NONE ? 0 : coldAt(joint.bodyA).flags);
    if (sum < Infinity && (flags & FLAG_STOPPED) == 0) continue;
    forgetImpulses(joint);
    if (!(abs<f32>(joint.twist) < Infinity)) joint.twist = 0;
    jointsChanged();
  }
}
