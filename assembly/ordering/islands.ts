// The islands of this step's links (constraints/islands.ts), numbered by their first links. Output: islandOfBody,
// islandLinkStarts, islandLinks (ascending), islandBodyCounts. A link without a dynamic body is an island of its own.
import { NONE, OrderState } from '../layout.generated';
import { exactIsland, islandOf } from '../constraints/islands';
import { at32, put32 } from '../memory/words';
import { orderRoom, orderState } from './state';

/** Finds the islands of this step's links. False without memory. Needs buildGraph(). */
export function findIslands(): bool {
  const s: OrderState = orderState();
  const links: u32 = s.linkCount;
  const bodies: u32 = s.bodyCount;
  if (!orderRoom(offsetof<OrderState>('islandOfBody'), 4, bodies)) return false;
  if (!orderRoom(offsetof<OrderState>('islandLinkStarts'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('islandLinks'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('islandBodyCounts'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('pending'), 4, links)) return false;
  const numbers: usize = s.islandOfBody;
  const islandOfLink: usize = s.pending;
  const starts: usize = s.islandLinkStarts;
  const bodyCounts: usize = s.islandBodyCounts;
  memory.fill(numbers, 0xff, (<usize>bodies) << 2);
  let islands: u32 = 0;
  for (let l: u32 = 0; l < links; l++) {
    const a: u32 = at32(s.linkBodies, l * 2);
    const body: u32 = a != NONE ? a : at32(s.linkBodies, l * 2 + 1);
    let island: u32 = NONE;
    if (body != NONE) island = at32(numbers, exactIsland(body));
    if (island == NONE) {
      island = islands++;
      put32(starts, island, 0);
      put32(bodyCounts, island, 0);
      if (body != NONE) put32(numbers, islandOf(body), island);
    }
    put32(islandOfLink, l, island);
    put32(starts, island, at32(starts, island) + 1);
  }
  // Roots carry the number; give it to all members that have links.
  for (let b: u32 = 0; b < bodies; b++) {
    if (at32(s.bodyStarts, b) == at32(s.bodyStarts, b + 1)) continue;
    const island: u32 = at32(numbers, islandOf(b));
    put32(numbers, b, island);
    put32(bodyCounts, island, at32(bodyCounts, island) + 1);
  }
  let sum: u32 = 0;
  for (let i: u32 = 0; i < islands; i++) {
    sum += at32(starts, i);
    put32(starts, i, sum);
  }
  put32(starts, islands, sum);
  for (let l: u32 = links; l > 0; l--) {
    const island: u32 = at32(islandOfLink, l - 1);
    const slot: u32 = at32(starts, island) - 1;
    put32(starts, island, slot);
    put32(s.islandLinks, slot, l - 1);
  }
  s.islandCount = islands;
  return true;
}
