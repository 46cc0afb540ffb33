// Test entry of the graph of constraints.
import { BroadphaseState, Header } from '../layout.generated';
import { couple, initNode, islandOf, nextInIsland, splitIsland } from '../constraints/islands';
import { broadphaseState } from '../broadphase/state';
import { firstConstraint, nextConstraint } from '../constraints/lists';
import { header } from '../memory/header';

export { forgetHeld, noteChange } from '../constraints/held';
export { dropStoppedJoints } from '../constraints/joints';
export { countSubsteps, followStep, softLength, substepsInStep } from '../constraints/soft_step';

/** For bodies and manifolds that a test writes by itself. */
export function testInitNode(body: u32): void {
  initNode(body);
}
export function testCouple(a: u32, b: u32): void {
  couple(a, b);
}

export function testIslandOf(body: u32): u32 {
  return islandOf(body);
}
export function testNextInIsland(body: u32): u32 {
  return nextInIsland(body);
}
/** First end in the list of a body and the end behind another; NONE at the end. */
export function testFirstConstraint(body: u32): u32 {
  return firstConstraint(body);
}
export function testNextConstraint(end: u32): u32 {
  return nextConstraint(end);
}
/** Makes all islands exact. */
export function testSplitIslands(): void {
  const h: Header = header();
  for (let i: u32 = 0; i < h.bodyCount; i++) splitIsland(i, 0);
}
/** Address of the word that holds the base of the list of colliders that moved; its capacity, the number in it. */
export function testMovedList(): usize {
  return changetype<usize>(broadphaseState()) + offsetof<BroadphaseState>('moved');
}
