// Islands: sets of dynamic bodies that constraints couple, directly or through others. Static and kinematic bodies couple
// nothing.
//
// Islands live from step to step. A constraint that begins merges two islands at once (disjoint sets; their rings of bodies
// become one ring). A constraint that ends is only counted, in the root: an island may be larger than the set of coupled bodies,
// never smaller. Before an island falls asleep, or is laid out for the solver, it must be exact. It is then split, at the cost of
// its own constraints. The root is the smallest index in the set, so results of an exact island depend on what is coupled and not
// on the order of merging. A freed slot stays in its ring until the next split, together with its next owner.
// Input: constraints that begin and end (contact.ts, edits/joints.ts). Output: islandParents, BodyNode.next, cuts.
import { BODY_NODE_STRIDE, BodyNode, Header, NONE } from '../layout.generated';
import { isDynamic } from '../bodies/rows';
import { join, rootOf } from '../math/union_find';
import { header } from '../memory/header';
import { firstJoint, isEnabled, nextJoint, otherSide } from './joints';
import { firstConstraint, nextConstraint, nodeAt, otherBody } from './lists';

function entry(base: u32, i: u32): usize {
  return <usize>base + ((<usize>i) << 2);
}

/** The slot of a body that was never used: an island of its own. */
export function initNode(body: u32): void {
  const node: BodyNode = nodeAt(body);
  memory.fill(changetype<usize>(node), 0, BODY_NODE_STRIDE);
  node.firstEnd = NONE;
  node.firstJoint = NONE;
  node.next = body;
  node.least = f32.MAX_VALUE;
  store<u32>(entry(header().islandParents, body), body);
}

/** The root of the island of a body: its smallest index. */
export function islandOf(body: u32): u32 {
  return rootOf(header().islandParents, body);
}

/** The next body in the ring of an island. */
export function nextInIsland(body: u32): u32 {
  return nodeAt(body).next;
}

/** A constraint couples two bodies from now on; NONE: the world. */
export function couple(a: u32, b: u32): void {
  if (a == NONE || b == NONE || !isDynamic(a) || !isDynamic(b)) return;
  const rootA: u32 = islandOf(a),
    rootB: u32 = islandOf(b);
  if (rootA == rootB) return;
  const first: BodyNode = nodeAt(rootA),
    second: BodyNode = nodeAt(rootB);
  const next: u32 = first.next;
  first.next = second.next;
  second.next = next;
  join(header().islandParents, rootA, rootB);
  nodeAt(min<u32>(rootA, rootB)).cuts = first.cuts + second.cuts;
}

/** A constraint between two bodies has ended. */
export function cut(a: u32, b: u32): void {
  if (a != NONE && b != NONE && isDynamic(a) && isDynamic(b)) nodeAt(islandOf(a)).cuts++;
}

/**
 * Makes the island of a body exact: as many islands as its bodies are coupled to. Not if that was done less than `patience`
 * steps ago.
 */
export function splitIsland(body: u32, patience: u32): void {
  const h: Header = header();
  const root: u32 = islandOf(body);
  if (nodeAt(root).cuts == 0 || h.stepCount - nodeAt(root).split < patience) return;
  const members: u32 = h.islandMembers;
  let count: u32 = 0;
  let member: u32 = root;
  do {
    store<u32>(entry(members, count++), member);
    member = nodeAt(member).next;
  } while (member != root);
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = load<u32>(entry(members, k));
    const node: BodyNode = nodeAt(i);
    node.next = i;
    node.cuts = 0;
    node.split = h.stepCount;
    store<u32>(entry(h.islandParents, i), i);
  }
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = load<u32>(entry(members, k));
    if (!isDynamic(i)) continue;
    for (let end: u32 = firstConstraint(i); end != NONE; end = nextConstraint(end)) {
      if ((end & 1) == 0) couple(i, otherBody(end));
    }
    for (let end: u32 = firstJoint(i); end != NONE; end = nextJoint(end)) {
      if ((end & 1) == 0 && isEnabled(end >> 1)) couple(i, otherSide(end));
    }
  }
}
