// Islands of the contact graph that a solver was given, over dynamic bodies (static and kinematic bodies do not connect).
// Union-find with path halving; an island is numbered by its first link. Output: islandOfBody, islandLinkStarts,
// islandLinks (ascending), islandBodyCounts. A link without a dynamic body is an island of its own.
import { NONE, OrderState } from '../layout.generated';
import { join, rootOf } from '../math/union_find';
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
  if (!orderRoom(offsetof<OrderState>('bodyOwners'), 4, bodies)) return false;
  if (!orderRoom(offsetof<OrderState>('pending'), 4, links)) return false;
  const parents: usize = s.bodyOwners;
  const islandOf: usize = s.islandOfBody;
  const islandOfLink: usize = s.pending;
  const starts: usize = s.islandLinkStarts;
  const bodyCounts: usize = s.islandBodyCounts;
  for (let b: u32 = 0; b < bodies; b++) put32(parents, b, b);
  for (let l: u32 = 0; l < links; l++) {
    const a: u32 = at32(s.linkBodies, l * 2);
    const b: u32 = at32(s.linkBodies, l * 2 + 1);
    if (a == NONE || b == NONE) continue;
    join(parents, a, b);
  }
  memory.fill(islandOf, 0xff, (<usize>bodies) << 2);
  let islands: u32 = 0;
  for (let l: u32 = 0; l < links; l++) {
    const a: u32 = at32(s.linkBodies, l * 2);
    const body: u32 = a != NONE ? a : at32(s.linkBodies, l * 2 + 1);
    let island: u32 = NONE;
    if (body != NONE) island = at32(islandOf, rootOf(parents, body));
    if (island == NONE) {
      island = islands++;
      put32(starts, island, 0);
      put32(bodyCounts, island, 0);
      if (body != NONE) put32(islandOf, rootOf(parents, body), island);
    }
    put32(islandOfLink, l, island);
    put32(starts, island, at32(starts, island) + 1);
  }
  // Roots carry the number; give it to all members that have links.
  for (let b: u32 = 0; b < bodies; b++) {
    if (at32(s.bodyStarts, b) == at32(s.bodyStarts, b + 1)) continue;
    const island: u32 = at32(islandOf, rootOf(parents, b));
    put32(islandOf, b, island);
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
