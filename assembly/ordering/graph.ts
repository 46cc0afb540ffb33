// Contact graph of a step. Input: header().activeManifolds. Output in OrderState: link -> bodies, body -> links (CSR over
// dynamic bodies), contact blocks (links grouped by body pair, Tonge 2012: the unit alpha) with link -> block,
// block -> links and body -> blocks (CSR). A link is an entry of activeManifolds; everything is in ascending link order.
// Static and kinematic bodies are never shared work: they appear as NONE.
import { isMoved } from '../bodies/rows';
import { jointAt } from '../constraints/joints';
import { manifoldAt } from '../constraints/manifolds';
import { Joint, Manifold, NONE, OrderState, PAIR_BUCKET_STRIDE, PairBucket } from '../layout.generated';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { initOrdering, isMoving, orderRoom, orderState } from './state';

/** Manifold of a link. */
export function manifoldOfLink(link: u32): Manifold {
  return manifoldAt(at32(header().activeManifolds, link));
}

/** Joint of a link behind the manifolds. */
export function jointOfLink(link: u32): Joint {
  const s: OrderState = orderState();
  return jointAt(at32(s.jointLinks, link - s.contactCount));
}

/** Ends of all links; `joints`: behind the manifolds those of jointLinks. False without memory (header error set). */
export function linkEnds(joints: bool): bool {
  if (!initOrdering()) return false;
  const h = header();
  const s: OrderState = orderState();
  if (!joints) s.jointCount = 0;
  const contacts: u32 = h.activeCount;
  const links: u32 = contacts + s.jointCount;
  s.standing = 0;
  s.linkCount = links;
  s.contactCount = contacts;
  s.bodyCount = h.bodyCount;
  if (!orderRoom(offsetof<OrderState>('linkBodies'), 8, links)) return false;
  if (!orderRoom(offsetof<OrderState>('linkMovers'), 8, links)) return false;
  for (let l: u32 = 0; l < contacts; l++) {
    const m: Manifold = manifoldOfLink(l);
    put32(s.linkBodies, l * 2, isMoved(m.bodyA) ? m.bodyA : NONE);
    put32(s.linkBodies, l * 2 + 1, isMoved(m.bodyB) ? m.bodyB : NONE);
    put32(s.linkMovers, l * 2, isMoving(m.bodyA) ? m.bodyA : NONE);
    put32(s.linkMovers, l * 2 + 1, isMoving(m.bodyB) ? m.bodyB : NONE);
  }
  for (let l: u32 = contacts; l < links; l++) {
    const joint: Joint = jointOfLink(l);
    const a: u32 = joint.bodyA,
      b: u32 = joint.bodyB;
    put32(s.linkBodies, l * 2, a != NONE && isMoved(a) ? a : NONE);
    put32(s.linkBodies, l * 2 + 1, isMoved(b) ? b : NONE);
    put32(s.linkMovers, l * 2, a != NONE && isMoving(a) ? a : NONE);
    put32(s.linkMovers, l * 2 + 1, isMoving(b) ? b : NONE);
  }
  return true;
}

/** No body has a stamp; false without memory. Every count of bodies takes the next stamp. */
export function clearStamps(s: OrderState): bool {
  if (!orderRoom(offsetof<OrderState>('bodyStamps'), 4, s.bodyCount)) return false;
  if (!orderRoom(offsetof<OrderState>('bodyMasks'), 8, s.bodyCount)) return false;
  memory.fill(s.bodyStamps, 0, (<usize>s.bodyCount) << 2);
  s.stamp = 0;
  return true;
}

/**
 * Counts a link for its moving bodies; returns how many of their parts it is the first link of. A dynamic body has a part for
 * every `linkCap` of its links with this stamp, others have one.
 */
export function stampParts(s: OrderState, link: u32, linkCap: u32): u32 {
  const linksOf: usize = s.bodyMasks; // scratch here
  let parts: u32 = 0;
  for (let side: u32 = 0; side < 2; side++) {
    const body: u32 = at32(s.linkMovers, link * 2 + side);
    if (body == NONE) continue;
    if (at32(s.bodyStamps, body) != s.stamp) {
      put32(s.bodyStamps, body, s.stamp);
      put32(linksOf, body, 1);
      parts++;
    } else if (at32(s.linkBodies, link * 2 + side) != NONE) {
      if (at32(linksOf, body) % linkCap == 0) parts++;
      put32(linksOf, body, at32(linksOf, body) + 1);
    }
  }
  return parts;
}

/** Ends of all links, and the links of each body. False without memory (header error set). */
export function linkBodies(joints: bool): bool {
  if (!linkEnds(joints)) return false;
  const s: OrderState = orderState();
  if (!orderRoom(offsetof<OrderState>('bodyStarts'), 4, s.bodyCount + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('bodyLinks'), 4, s.linkCount * 2)) return false;
  listBodyLinks(s, s.linkCount, s.bodyCount);
  return true;
}

/** Builds the contact graph and the contact blocks; writes header().blockCount. False without memory (header error set). */
export function buildGraph(): bool {
  return buildBlocks(false);
}

/** The same with the joints of jointLinks as links behind the manifolds. */
export function buildJointedGraph(): bool {
  return buildBlocks(true);
}

function buildBlocks(joints: bool): bool {
  if (!linkBodies(joints)) return false;
  const h = header();
  const s: OrderState = orderState();
  const links: u32 = s.linkCount;
  const bodies: u32 = s.bodyCount;
  let buckets: u32 = 16;
  while (buckets < links * 2) buckets <<= 1;
  if (!orderRoom(offsetof<OrderState>('linkBlocks'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('blockStarts'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('blockLinks'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('bodyBlockStarts'), 4, bodies + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('bodyBlocks'), 4, links * 2)) return false;
  if (!orderRoom(offsetof<OrderState>('hash'), 16, buckets)) return false;

  const blocks: u32 = groupByPair(s, links, buckets);
  s.blockCount = blocks;
  h.blockCount = blocks;
  blockLists(s, links, bodies, blocks);
  return true;
}

/** body -> links. */
function listBodyLinks(s: OrderState, links: u32, bodies: u32): void {
  const ends: usize = s.linkBodies;
  const starts: usize = s.bodyStarts;
  memory.fill(starts, 0, (<usize>bodies + 1) << 2);
  for (let i: u32 = 0; i < links * 2; i++) {
    const body: u32 = at32(ends, i);
    if (body != NONE) put32(starts, body, at32(starts, body) + 1);
  }
  toStarts(starts, bodies);
  const list: usize = s.bodyLinks;
  for (let i: u32 = links * 2; i > 0; i--) {
    const body: u32 = at32(ends, i - 1);
    if (body == NONE) continue;
    const slot: u32 = at32(starts, body) - 1;
    put32(starts, body, slot);
    put32(list, slot, (i - 1) >> 1);
  }
}

/** Turns counts into the ends of their runs: filling from the back then leaves the starts, and ascending order. */
function toStarts(counts: usize, n: u32): void {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    sum += at32(counts, i);
    put32(counts, i, sum);
  }
  put32(counts, n, sum);
}

/** Numbers body pairs in the order of their first link; returns how many there are. */
function groupByPair(s: OrderState, links: u32, buckets: u32): u32 {
  const table: usize = s.hash;
  const mask: u32 = buckets - 1;
  memory.fill(table, 0xff, <usize>buckets * PAIR_BUCKET_STRIDE);
  let blocks: u32 = 0;
  for (let l: u32 = 0; l < links; l++) {
    const isJoint: bool = l >= s.contactCount;
    const a: u32 = isJoint ? jointOfLink(l).bodyA : manifoldOfLink(l).bodyA;
    const b: u32 = isJoint ? jointOfLink(l).bodyB : manifoldOfLink(l).bodyB;
    const low: u32 = min<u32>(a, b);
    const high: u32 = max<u32>(a, b);
    let bucket: u32 = ((low * 0x9e3779b1) ^ (high * 0x85ebca6b)) & mask;
    bucket = (bucket ^ (bucket >> 7)) & mask;
    let block: u32 = NONE;
    while (true) {
      const at = changetype<PairBucket>(table + <usize>bucket * PAIR_BUCKET_STRIDE);
      block = at.block;
      if (block == NONE) {
        block = blocks++;
        at.low = low;
        at.high = high;
        at.block = block;
        break;
      }
      if (at.low == low && at.high == high) break;
      bucket = (bucket + 1) & mask;
    }
    put32(s.linkBlocks, l, block);
  }
  return blocks;
}

/** block -> links and body -> blocks. */
function blockLists(s: OrderState, links: u32, bodies: u32, blocks: u32): void {
  const starts: usize = s.blockStarts;
  const list: usize = s.blockLinks;
  const blockOf: usize = s.linkBlocks;
  memory.fill(starts, 0, (<usize>blocks + 1) << 2);
  for (let l: u32 = 0; l < links; l++) put32(starts, at32(blockOf, l), at32(starts, at32(blockOf, l)) + 1);
  toStarts(starts, blocks);
  for (let l: u32 = links; l > 0; l--) {
    const slot: u32 = at32(starts, at32(blockOf, l - 1)) - 1;
    put32(starts, at32(blockOf, l - 1), slot);
    put32(list, slot, l - 1);
  }
  const bodyStarts: usize = s.bodyBlockStarts;
  memory.fill(bodyStarts, 0, (<usize>bodies + 1) << 2);
  for (let k: u32 = 0; k < blocks; k++) {
    const l: u32 = at32(list, at32(starts, k));
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = at32(s.linkBodies, l * 2 + side);
      if (body != NONE) put32(bodyStarts, body, at32(bodyStarts, body) + 1);
    }
  }
  toStarts(bodyStarts, bodies);
  for (let k: u32 = blocks; k > 0; k--) {
    const l: u32 = at32(list, at32(starts, k - 1));
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = at32(s.linkBodies, l * 2 + side);
      if (body == NONE) continue;
      const slot: u32 = at32(bodyStarts, body) - 1;
      put32(bodyStarts, body, slot);
      put32(s.bodyBlocks, slot, k - 1);
    }
  }
}
