// The constraints of every body, as a list through their records: what a body is coupled to is found without looking at
// anything else. An end of a constraint is index << 1 | side (0 at body A, 1 at body B); the list of a body goes from end to
// end, the newest first. Whoever removes, wakes or changes a body pays for its own constraints.
// Input: records that begin and end (contact.ts). Output: BodyNode.firstEnd, nextA, previousA, nextB, previousB of the records.
import { BODY_NODE_STRIDE, BodyNode, Manifold, NONE } from '../layout.generated';
import { PREVIOUS, joinAcross, putFirst } from '../memory/ends';
import { header } from '../memory/header';
import { manifoldAt } from './manifolds';

/** From the words of one end of a record to those of the other. */
const SIDE: usize = offsetof<Manifold>('nextB') - offsetof<Manifold>('nextA');
if (offsetof<Manifold>('previousA') - offsetof<Manifold>('nextA') != PREVIOUS) ERROR('end of a constraint');

export function nodeAt(body: u32): BodyNode {
  return changetype<BodyNode>(<usize>header().bodyNodes + <usize>body * BODY_NODE_STRIDE);
}

/** Address of the next and the previous end. */
function endAt(end: u32): usize {
  return end == NONE ? 0 : changetype<usize>(manifoldAt(end >> 1)) + offsetof<Manifold>('nextA') + <usize>(end & 1) * SIDE;
}

/** First end in the list of a body, NONE without constraints. */
export function firstConstraint(body: u32): u32 {
  return nodeAt(body).firstEnd;
}
/** The end behind another in the same list, NONE behind the last. */
export function nextConstraint(end: u32): u32 {
  return load<u32>(endAt(end));
}
/** The body at the other side of an end. */
export function otherBody(end: u32): u32 {
  const m: Manifold = manifoldAt(end >> 1);
  return (end & 1) == 0 ? m.bodyB : m.bodyA;
}

function headOf(body: u32): usize {
  return changetype<usize>(nodeAt(body)) + offsetof<BodyNode>('firstEnd');
}

function linkEnd(body: u32, end: u32): void {
  putFirst(headOf(body), end, endAt(end), endAt(firstConstraint(body)));
}

function unlinkEnd(body: u32, end: u32): void {
  const next: u32 = nextConstraint(end),
    previous: u32 = load<u32>(endAt(end), PREVIOUS);
  joinAcross(headOf(body), previous, next, endAt(previous), endAt(next));
}

/** Enters a record, whose bodies are known, into the lists of both. */
export function link(index: u32): void {
  linkEnd(manifoldAt(index).bodyA, index << 1);
  linkEnd(manifoldAt(index).bodyB, (index << 1) | 1);
}

/** Takes a record out of both lists. */
export function unlink(index: u32): void {
  unlinkEnd(manifoldAt(index).bodyA, index << 1);
  unlinkEnd(manifoldAt(index).bodyB, (index << 1) | 1);
}
