// Lists of the pairs of every collider, doubly linked through PairLinks: whoever removes, wakes or changes a body reaches its
// pairs without looking at any other. A pair has two ends, one in the list of each collider; an end is pair << 1 | side, so
// that a walk needs no look at the pair to find its way on (contact edges as in Box2D, Erin Catto).
//
// Called where pairs are made, dropped and moved (pair_store.ts). Walk: for (let e = firstEnd(c); e != NONE; e = nextEnd(e)).
import { Collider, Header, NONE, PAIR_COLD_STRIDE, PAIR_LINKS_STRIDE, PairLinks } from '../layout.generated';
import { coldAt, colliderAt } from '../bodies/rows';
import { PREVIOUS, joinAcross, putFirst } from '../memory/ends';
import { header } from '../memory/header';

// Bytes of an end: next, previous.
const END_STRIDE: usize = offsetof<PairLinks>('nextB');
if (PAIR_LINKS_STRIDE != 2 * END_STRIDE) ERROR('PairLinks: size');

function endAt(end: u32): usize {
  return <usize>header().pairLinks + <usize>end * END_STRIDE;
}

function ownerOf(end: u32): Collider {
  const h: Header = header();
  const collider: u32 = load<u32>(<usize>h.pairColds + <usize>(end >> 1) * PAIR_COLD_STRIDE + ((<usize>(end & 1)) << 2));
  return colliderAt(collider);
}

/** First end in the list of a collider, NONE if it has no pairs. */
export function firstEnd(collider: u32): u32 {
  return colliderAt(collider).firstPair;
}

/** The end behind another in its list, NONE after the last. */
export function nextEnd(end: u32): u32 {
  return load<u32>(endAt(end));
}

/** First end of a pair of a body, over all its colliders; NONE if it has no pairs. */
export function firstEndOf(body: u32): u32 {
  const h: Header = header();
  return firstFrom(coldAt(body).firstCollider);
}

/** The end behind another among those of its body. */
export function nextEndOf(end: u32): u32 {
  const next: u32 = nextEnd(end);
  return next != NONE ? next : firstFrom(ownerOf(end).next);
}

function firstFrom(collider: u32): u32 {
  for (let c: u32 = collider; c != NONE; c = colliderAt(c).next) if (firstEnd(c) != NONE) return firstEnd(c);
  return NONE;
}

function headOf(end: u32): usize {
  return changetype<usize>(ownerOf(end)) + offsetof<Collider>('firstPair');
}

function linkEnd(end: u32): void {
  putFirst(headOf(end), end, endAt(end), endAt(load<u32>(headOf(end))));
}

function unlinkEnd(end: u32): void {
  const next: u32 = nextEnd(end),
    previous: u32 = load<u32>(endAt(end), PREVIOUS);
  joinAcross(headOf(end), previous, next, endAt(previous), endAt(next));
}

/** A pair was made: its cold row names its colliders. */
export function linkPair(pair: u32): void {
  linkEnd(pair << 1);
  linkEnd((pair << 1) | 1);
}

/** A pair is about to go. */
export function unlinkPair(pair: u32): void {
  unlinkEnd(pair << 1);
  unlinkEnd((pair << 1) | 1);
}

/** A pair takes another index; its cold row is at both, the place it takes is in no list. */
export function moveLinks(from: u32, to: u32): void {
  for (let side: u32 = 0; side < 2; side++) {
    const old: u32 = (from << 1) | side,
      end: u32 = (to << 1) | side;
    const next: u32 = load<u32>(endAt(old)),
      previous: u32 = load<u32>(endAt(old), PREVIOUS);
    store<u32>(endAt(end), next);
    store<u32>(endAt(end), previous, PREVIOUS);
    // Both neighbors name the new place.
    if (previous == NONE) ownerOf(end).firstPair = end;
    else store<u32>(endAt(previous), end);
    if (next != NONE) store<u32>(endAt(next), end, PREVIOUS);
  }
}
