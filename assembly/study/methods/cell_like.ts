// Cell-like ordering (Tsuda 2009, CellLikeOrdering and SearchAroundBody): batches of blocks that share no dynamic body;
// a block is a run of links grown breadth first over the contact graph up to a granularity. The first batch holds
// "volumes", the next ones the links between them ("faces", "lines").
// Output in OrderState: cellOrder (links by batch and block, in the order they were found), orderBlocks, orderBatches.
//
// The paper's L, B, Q, L_ij, B_ij are here: `linkTaken` (linkColors reused as a flag), the scan over bodies, `queue`,
// the run of cellOrder, and `bodyOwners` (number of the block that took the body; older than the batch means free).
// The granularity is kept exactly: a body's list is left half done when the block is full.
import { NONE, OrderState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { orderRoom, orderState } from '../../ordering/state';

/** Orders all links; writes header().batchCount and cellCount. `granularity` >= 1 links a block. False without memory. */
export function orderCellLike(granularity: u32): bool {
  const h = header();
  const s: OrderState = orderState();
  const links: u32 = s.linkCount;
  if (!orderRoom(offsetof<OrderState>('cellOrder'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('orderBlocks'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('orderBatches'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('bodyOwners'), 4, s.bodyCount)) return false;
  if (!orderRoom(offsetof<OrderState>('queue'), 4, links * 2 + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('linkColors'), 4, links)) return false;
  memory.fill(s.bodyOwners, 0, (<usize>s.bodyCount) << 2);
  memory.fill(s.linkColors, 0, (<usize>links) << 2);
  const most: u32 = max<u32>(granularity, 1);
  let blocks: u32 = 0; // blocks so far; block number j owns bodies as j + 1
  let batches: u32 = 0;
  let done: u32 = 0;
  // Links between bodies that impulses do not move have no owner: they form one block of their own at the front.
  for (let l: u32 = 0; l < links; l++) {
    if (at32(s.linkBodies, l * 2) == NONE && at32(s.linkBodies, l * 2 + 1) == NONE) {
      put32(s.linkColors, l, 1);
      put32(s.cellOrder, done++, l);
    }
  }
  if (done > 0) {
    put32(s.orderBatches, batches++, 0);
    put32(s.orderBlocks, blocks++, 0);
  }
  while (done < links) {
    const oldest: u32 = blocks + 1; // owners below this belong to earlier batches
    put32(s.orderBatches, batches++, blocks);
    for (let body: u32 = 0; body < s.bodyCount; body++) {
      if (at32(s.bodyOwners, body) >= oldest) continue;
      const start: u32 = done;
      done = searchAroundBody(s, body, blocks + 1, oldest, done, most);
      if (done > start) put32(s.orderBlocks, blocks++, start);
    }
  }
  put32(s.orderBlocks, blocks, links);
  put32(s.orderBatches, batches, blocks);
  s.orderBlockCount = blocks;
  s.orderBatchCount = batches;
  h.batchCount = batches;
  h.cellCount = blocks;
  return true;
}

/** Grows block `owner` from `seed`; appends its links to cellOrder from `done` on and returns the new end. */
function searchAroundBody(s: OrderState, seed: u32, owner: u32, oldest: u32, done: u32, most: u32): u32 {
  const owners: usize = s.bodyOwners;
  const linkTaken: usize = s.linkColors;
  const limit: u32 = done + most;
  let head: u32 = 0;
  let tail: u32 = 0;
  let body: u32 = seed;
  while (true) {
    const end: u32 = at32(s.bodyStarts, body + 1);
    for (let i: u32 = at32(s.bodyStarts, body); i < end; i++) {
      if (done >= limit) return done;
      const l: u32 = at32(s.bodyLinks, i);
      if (at32(linkTaken, l) != 0) continue;
      const a: u32 = at32(s.linkBodies, l * 2);
      const b: u32 = at32(s.linkBodies, l * 2 + 1);
      const ownerA: u32 = a == NONE ? 0 : at32(owners, a);
      const ownerB: u32 = b == NONE ? 0 : at32(owners, b);
      if ((ownerA >= oldest && ownerA != owner) || (ownerB >= oldest && ownerB != owner)) continue;
      put32(linkTaken, l, 1);
      put32(s.cellOrder, done++, l);
      if (a != NONE && ownerA != owner) {
        put32(owners, a, owner);
        put32(s.queue, tail++, a);
      }
      if (b != NONE && ownerB != owner) {
        put32(owners, b, owner);
        put32(s.queue, tail++, b);
      }
    }
    if (head == tail) return done;
    body = at32(s.queue, head++);
  }
}
