// Builds trees: which joints are solved exactly, together, and in which order.
//
// Bodies and joints of a batch form a graph; bodies that impulses do not move are only its ends. Each connected part gets a root:
// the first joint to such an end, or else the body in the middle of its longest path, so that the tree is shallow. The joints
// that lead on from there, breadth first, are its tree, by level. A joint that closes a loop becomes a block. A part with many
// loops consists of blocks only: a tree through a net would send loads the long way round its meshes (docs/joint_trees.md).
// Input: active joints. Output: levels of bodies and ends to their parents, IN_TREE in joints, JointState.queue and rootEnd, from
// which build.ts makes entries.
import { Joint, JointState, NONE } from '../layout.generated';
import { isMoved } from '../bodies/rows';
import { firstJoint, isEnabled, jointAt, nextJoint, otherSide } from '../constraints/joints';
import { at32, put32 } from '../memory/words';
import { mayBeTree } from './forms';
import { jointState } from './state';

// Joint.row while groups are made: it is part of a tree.
export const IN_TREE: u32 = 0xfffffffe;
// A part with more loops than this share of its joints has no tree.
const LOOPS: u32 = 8;

/** Level of a body in its tree, NONE: not looked at. */
export function levelOf(body: u32): u32 {
  return at32(jointState().bodyWords, 4 * body);
}
function setLevel(body: u32, level: u32): void {
  put32(jointState().bodyWords, 4 * body, level);
}
function markOf(body: u32): u32 {
  return at32(jointState().bodyWords, 4 * body + 1);
}
function setMark(body: u32, mark: u32): void {
  put32(jointState().bodyWords, 4 * body + 1, mark);
}

/** Breadth first from a body over all bodies with mark `from`, which becomes `to`; words 2: the body before. Returns how many. */
function spread(body: u32, from: u32, to: u32): u32 {
  const s: JointState = jointState();
  const queue: u32 = s.queue;
  let n: u32 = 1;
  put32(queue, 0, body);
  setMark(body, to);
  put32(s.bodyWords, 4 * body + 2, NONE);
  for (let k: u32 = 0; k < n; k++) {
    const at: u32 = at32(queue, k);
    for (let end: u32 = firstJoint(at); end != NONE; end = nextJoint(end)) {
      const other: u32 = otherSide(end);
      if (other == NONE || !isMoved(other) || markOf(other) != from) continue;
      if (!isEnabled(end >> 1) || !mayBeTree(jointAt(end >> 1))) continue;
      setMark(other, to);
      put32(s.bodyWords, 4 * other + 2, at);
      put32(queue, n++, other);
    }
  }
  return n;
}

/** Counts the joints of the n bodies that spread has found; finds the first of them that leads to an end. */
function countPart(n: u32): void {
  const s: JointState = jointState();
  s.ends = 0;
  s.rootEnd = NONE;
  let halves: u32 = 0;
  for (let k: u32 = 0; k < n; k++) {
    for (let end: u32 = firstJoint(at32(s.queue, k)); end != NONE; end = nextJoint(end)) {
      if (!isEnabled(end >> 1) || !mayBeTree(jointAt(end >> 1))) continue;
      const other: u32 = otherSide(end);
      if (other != NONE && isMoved(other)) {
        halves++;
      } else {
        s.ends++;
        if (s.rootEnd == NONE || end >> 1 < s.rootEnd >> 1) s.rootEnd = end;
      }
    }
  }
  s.partJoints = (halves >> 1) + s.ends;
}

/**
 * The tree of the part that a body belongs to: levels of its bodies, IN_TREE in its joints; JointState.queue, treeCount: its
 * bodies; rootEnd: end of the joint that holds the root, at the root, NONE if it floats. Returns false if the part has none.
 */
export function growTree(body: u32): bool {
  const s: JointState = jointState();
  let n: u32 = spread(body, NONE, 0);
  countPart(n);
  const loops: u32 = s.partJoints - (n - 1) - (s.ends != 0 ? 1 : 0);
  if (loops * LOOPS > s.partJoints && loops > 1) {
    for (let k: u32 = 0; k < n; k++) setLevel(at32(s.queue, k), NONE - 1);
    return false;
  }
  let root: u32 = body;
  if (s.rootEnd != NONE) {
    const joint: Joint = jointAt(s.rootEnd >> 1);
    root = (s.rootEnd & 1) == 0 ? joint.bodyA : joint.bodyB;
    joint.row = IN_TREE;
  } else {
    // The middle of a longest way: from the body farthest from any to the one farthest from that.
    n = spread(at32(s.queue, n - 1), 0, 1);
    let steps: u32 = 0;
    root = at32(s.queue, n - 1);
    for (let b: u32 = root; b != NONE; b = at32(s.bodyWords, 4 * b + 2)) steps++;
    for (let k: u32 = steps >> 1; k > 0; k--) root = at32(s.bodyWords, 4 * root + 2);
  }
  setLevel(root, 0);
  put32(s.queue, 0, root);
  s.treeCount = 1;
  for (let k: u32 = 0; k < s.treeCount; k++) {
    const at: u32 = at32(s.queue, k);
    for (let end: u32 = firstJoint(at); end != NONE; end = nextJoint(end)) {
      const other: u32 = otherSide(end);
      if (other == NONE || !isMoved(other) || levelOf(other) != NONE) continue;
      if (!isEnabled(end >> 1) || !mayBeTree(jointAt(end >> 1))) continue;
      jointAt(end >> 1).row = IN_TREE;
      setLevel(other, levelOf(at) + 1);
      // The end that the child is at.
      put32(s.bodyWords, 4 * other + 2, end ^ 1);
      put32(s.queue, s.treeCount++, other);
    }
  }
  return true;
}

/** End of the joint that leads from a body that is not the root to its parent, at that body. */
export function endToParent(body: u32): u32 {
  return at32(jointState().bodyWords, 4 * body + 2);
}
