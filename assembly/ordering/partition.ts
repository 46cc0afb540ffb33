// Cells for mass splitting: every link in exactly one cell, at most `granularity` links and `bodyCap` moving bodies a cell.
// Islands that fit are packed whole, several a cell, and come first (closed cells share no body with any other cell).
// Larger islands are cut by header().partition:
// - bisection: recursive coordinate bisection of link midpoints. Keys are integers with ties broken by the link, so the cut
//   does not depend on how the sort walks.
// - cell-like: blocks of cell-like ordering (Tsuda 2009; cell_like.ts), those of all batches at once, packed as islands are.
//   Looks at the graph alone.
// Inside a cell links are colored and sorted by (color, link).
// With a cap on the links of a sub-body a body of more links in an open cell counts as so many parts there: the busiest body
// sets the colors of a cell, and with them its barriers.
// Output in OrderState: cellLinks, cellStarts, cellColorStarts, cellColorEnds (relative to the cell's first link).
import { BODY_CENTER_STRIDE, BodyCenter, Manifold, OrderState, PARTITION_CELL_LIKE, SPLIT_BODY_CAP } from '../layout.generated';
import { header } from '../memory/header';
import { splitAt } from '../math/bisect';
import { at32, put32 } from '../memory/words';
import { growBlocks, reserveBlocks } from './cell_like';
import { NO_LINK_CAP, colorLinks, reserveColors } from './coloring';
import { clearStamps, jointOfLink, manifoldOfLink, stampParts } from './graph';
import { findIslands } from './islands';
import { orderRoom, orderState } from './state';

/** Room for the cells of all links; none yet, and nothing is kept (kept_cells.ts). False without memory. */
export function reserveCells(s: OrderState): bool {
  const links: u32 = s.linkCount;
  if (!reserveColors()) return false;
  if (!orderRoom(offsetof<OrderState>('cellLinks'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('cellStarts'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('cellColorStarts'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('cellColorEnds'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('cellContactColors'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('midpoints'), 16, links)) return false;
  if (!orderRoom(offsetof<OrderState>('sortKeys'), 8, links)) return false;
  if (!orderRoom(offsetof<OrderState>('segments'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('stack'), 8, 128)) return false;
  if (!clearStamps(s)) return false;
  s.cellCount = 0;
  s.keptGranularity = 0;
  s.closedCellCount = 0;
  s.cellColorCount = 0;
  s.colorCount = 0; // most colors of a cell
  header().colorCount = 0;
  put32(s.cellStarts, 0, 0);
  put32(s.cellColorStarts, 0, 0);
  return true;
}

/**
 * Cells of at most header().granularity links and header().cellBodyCap bodies; writes header().cellCount and colorCount
 * (most colors of a cell). False without memory.
 */
export function partitionCells(): bool {
  return cutCells(NO_LINK_CAP);
}

/** The same with parts of `linkCap` links in open cells; cellBodyCap counts parts. */
export function cutCells(linkCap: u32): bool {
  const h = header();
  const s: OrderState = orderState();
  if (!findIslands() || !reserveCells(s)) return false;
  s.linkCap = linkCap;
  // A GPU dispatch takes at most 65,535 workgroups, so cells must not be too many.
  s.granularity = max<u32>(max<u32>(h.granularity, 1), s.linkCount >> 14);
  s.bodyCap = min<u32>(max<u32>(h.cellBodyCap, 2), SPLIT_BODY_CAP);
  packRuns(s, s.islandLinkStarts, s.islandLinks, s.islandCount, NO_LINK_CAP);
  s.closedCellCount = s.cellCount;
  if (h.partition == PARTITION_CELL_LIKE) {
    if (!growCells(s)) return false;
  } else {
    for (let island: u32 = 0; island < s.islandCount; island++) {
      const start: u32 = at32(s.islandLinkStarts, island);
      const count: u32 = at32(s.islandLinkStarts, island + 1) - start;
      const list: usize = <usize>s.islandLinks + ((<usize>start) << 2);
      // Islands that fit uncut have a closed cell.
      if (!fits(s, list, count, NO_LINK_CAP)) bisectIsland(s, list, count);
    }
  }
  h.cellCount = s.cellCount;
  return true;
}

/** Pair partition: each contact block (body pair) is one cell. Writes header().cellCount. False without memory. */
export function partitionPairs(): bool {
  const s: OrderState = orderState();
  if (!reserveCells(s)) return false;
  s.granularity = s.linkCount;
  s.bodyCap = 2;
  s.linkCap = NO_LINK_CAP;
  for (let block: u32 = 0; block < s.blockCount; block++) {
    const start: u32 = at32(s.blockStarts, block);
    emitCell(s, <usize>s.blockLinks + ((<usize>start) << 2), at32(s.blockStarts, block + 1) - start, NO_LINK_CAP);
  }
  header().cellCount = s.cellCount;
  return true;
}

/** Moving bodies of a list of links, each counted once, dynamic ones once for every `linkCap` of their links. */
export function countParts(s: OrderState, list: usize, count: u32, linkCap: u32): u32 {
  s.stamp++;
  let parts: u32 = 0;
  for (let i: u32 = 0; i < count; i++) parts += stampParts(s, at32(list, i), linkCap);
  return parts;
}

function fits(s: OrderState, list: usize, count: u32, linkCap: u32): bool {
  return count <= s.granularity && countParts(s, list, count, linkCap) <= s.bodyCap;
}

/** Next fit: runs of a list of links in order, a new cell whenever the next does not fit any more. Runs above the caps stay. */
function packRuns(s: OrderState, starts: usize, list: usize, runs: u32, linkCap: u32): void {
  let links: u32 = 0;
  let bodies: u32 = 0;
  for (let run: u32 = 0; run < runs; run++) {
    const start: u32 = at32(starts, run);
    const count: u32 = at32(starts, run + 1) - start;
    const from: usize = list + ((<usize>start) << 2);
    if (count > s.granularity) continue;
    const more: u32 = countParts(s, from, count, linkCap);
    if (more > s.bodyCap) continue;
    if (links + count > s.granularity || bodies + more > s.bodyCap) {
      emitCell(s, s.segments, links, linkCap);
      links = 0;
      bodies = 0;
    }
    memory.copy(<usize>s.segments + ((<usize>links) << 2), from, (<usize>count) << 2);
    links += count;
    bodies += more;
  }
  if (links > 0) emitCell(s, s.segments, links, linkCap);
}

/** Blocks of cell-like ordering as cells, from the links that are in no cell yet. False without memory. */
function growCells(s: OrderState): bool {
  if (!reserveBlocks(s)) return false;
  const closed: u32 = at32(s.cellStarts, s.cellCount);
  for (let i: u32 = 0; i < closed; i++) put32(s.linkColors, at32(s.cellLinks, i), 1);
  growBlocks(s, 0, s.linkCount - closed, s.granularity, s.bodyCap, s.linkCap);
  packRuns(s, s.orderBlocks, s.cellOrder, s.orderBlockCount, s.linkCap);
  return true;
}

/** Appends one cell with these links: sorts them, colors them, contacts before joints, sorts by color. */
export function emitCell(s: OrderState, list: usize, count: u32, linkCap: u32): void {
  const cell: u32 = s.cellCount;
  const start: u32 = at32(s.cellStarts, cell);
  const out: usize = <usize>s.cellLinks + ((<usize>start) << 2);
  sortAscending(list, count);
  let contacts: u32 = count;
  while (contacts > 0 && at32(list, contacts - 1) >= s.contactCount) contacts--;
  const contactColors: u32 = colorLinks(list, contacts, linkCap);
  const joints: usize = list + ((<usize>contacts) << 2);
  const colors: u32 = contactColors + colorLinks(joints, count - contacts, linkCap);
  for (let i: u32 = 0; i < count - contacts; i++) {
    const l: u32 = at32(joints, i);
    put32(s.linkColors, l, contactColors + at32(s.linkColors, l));
  }
  put32(s.cellContactColors, cell, contactColors);
  const firstColor: u32 = at32(s.cellColorStarts, cell);
  const ends: usize = <usize>s.cellColorEnds + ((<usize>firstColor) << 2);
  memory.fill(ends, 0, (<usize>colors) << 2);
  for (let i: u32 = 0; i < count; i++) {
    const color: u32 = at32(s.linkColors, at32(list, i));
    put32(ends, color, at32(ends, color) + 1);
  }
  let sum: u32 = 0;
  for (let c: u32 = 0; c < colors; c++) {
    const size: u32 = at32(ends, c);
    put32(ends, c, sum);
    sum += size;
  }
  for (let i: u32 = 0; i < count; i++) {
    const l: u32 = at32(list, i);
    const color: u32 = at32(s.linkColors, l);
    put32(out, at32(ends, color), l);
    put32(ends, color, at32(ends, color) + 1);
  }
  s.cellCount = cell + 1;
  s.cellColorCount = firstColor + colors;
  s.colorCount = max<u32>(s.colorCount, colors);
  header().colorCount = s.colorCount;
  put32(s.cellStarts, cell + 1, start + count);
  put32(s.cellColorStarts, cell + 1, firstColor + colors);
}

/** Shell sort: lists are short and mostly sorted already. */
function sortAscending(list: usize, count: u32): void {
  let gap: u32 = 1;
  while (gap < count) gap = gap * 3 + 1;
  for (; gap > 0; gap /= 3) {
    for (let i: u32 = gap; i < count; i++) {
      const value: u32 = at32(list, i);
      let j: u32 = i;
      while (j >= gap && at32(list, j - gap) > value) {
        put32(list, j, at32(list, j - gap));
        j -= gap;
      }
      put32(list, j, value);
    }
  }
}

/** Mean contact point of each link in the world, of a joint its second body: only a place to cut at, so high parts are enough. */
function findMidpoints(s: OrderState, list: usize, count: u32): void {
  const h = header();
  for (let i: u32 = 0; i < count; i++) {
    const l: u32 = at32(list, i);
    const out: usize = <usize>s.midpoints + ((<usize>l) << 4);
    if (l >= s.contactCount) {
      const body: u32 = jointOfLink(l).bodyB;
      memory.copy(out, <usize>h.bodyCenters + <usize>body * BODY_CENTER_STRIDE, 12);
      continue;
    }
    const m: Manifold = manifoldOfLink(l);
    const center: BodyCenter = changetype<BodyCenter>(<usize>h.bodyCenters + <usize>m.bodyA * BODY_CENTER_STRIDE);
    let x: f32 = m.rax0;
    let y: f32 = m.ray0;
    let z: f32 = m.raz0;
    const points: u32 = m.count;
    if (points > 1) {
      x += m.rax1;
      y += m.ray1;
      z += m.raz1;
    }
    if (points > 2) {
      x += m.rax2;
      y += m.ray2;
      z += m.raz2;
    }
    if (points > 3) {
      x += m.rax3;
      y += m.ray3;
      z += m.raz3;
    }
    const scale: f32 = <f32>1 / <f32>max<u32>(points, 1);
    store<f32>(out, center.x + x * scale);
    store<f32>(out, center.y + y * scale, 4);
    store<f32>(out, center.z + z * scale, 8);
  }
}

/** Cuts one island into cells; left parts come first. */
function bisectIsland(s: OrderState, links: usize, count: u32): void {
  const list: usize = s.segments;
  memory.copy(list, links, (<usize>count) << 2);
  findMidpoints(s, list, count);
  const stack: usize = s.stack;
  let depth: u32 = 0;
  put32(stack, 0, 0);
  put32(stack, 1, count);
  depth = 1;
  while (depth > 0) {
    depth--;
    const start: u32 = at32(stack, depth * 2);
    const size: u32 = at32(stack, depth * 2 + 1);
    const part: usize = list + ((<usize>start) << 2);
    if (fits(s, part, size, s.linkCap)) {
      emitCell(s, part, size, s.linkCap);
      continue;
    }
    // Cells of equal size: the left part gets its share of the number of cells that are needed at least.
    const cells: u32 = max<u32>((size + s.granularity - 1) / s.granularity, 2);
    const left: u32 = <u32>((<u64>size * <u64>(cells >> 1)) / <u64>cells);
    splitAt(part, size, left, s.midpoints, s.sortKeys);
    put32(stack, depth * 2, start + left);
    put32(stack, depth * 2 + 1, size - left);
    depth++;
    put32(stack, depth * 2, start);
    put32(stack, depth * 2 + 1, left);
    depth++;
  }
}
