// Cells for mass splitting: every link in exactly one cell, `granularity` links (or a little more) and `bodyCap` moving bodies at
// most per cell.
// Islands (constraints/islands.ts) that fit are packed whole, several per cell. Those come first in which no body is split, and
// of them those without joints: a closed cell shares no body with any other cell, and has no body with more links than a sub-body
// takes. Bodies of larger islands are cut into parts (cut.ts). The cell of a part takes the links among its bodies, free links to
// bodies of earlier parts, and as many links to later parts as it has room for; later cells take the others. So cells are full,
// and a body with more links than a cell can take has them in the cells of its neighbors. Where the busiest body needs fewer
// colors than a full cell has, cells take fewer links. Inside a cell links are colored and sorted by (color, link).
// If there is a cap on the links of a sub-body, a body of more links in a cell counts as several parts there: the busiest part
// determines the number of colors of a cell, and so of its barriers.
// Output in OrderState: cellLinks, cellStarts, cellColorStarts, cellColorEnds (relative to the cell's first link).
import { CELL_LANES, NONE, OrderState, SPLIT_BODY_CAP } from '../layout.generated';
import { islandOf, splitIsland } from '../constraints/islands';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { NO_LINK_CAP, colorCell, reserveCellColors } from './cell_coloring';
import { beginCut, bodiesToCut, cutAgain, nextPart, roomToCut } from './cut';
import { clearStamps, stampParts } from './graph';
import { orderRoom, orderState } from './state';

/** Of a link in linkCells: it is listed for the cell at hand. */
const LISTED: u32 = NONE - 1;
/** Kinds of islands: two that share no body with other cells, without joints and with some, and islands with split bodies. */
export const PLAIN: u32 = 1;
export const JOINTED: u32 = 2;
export const BUSY: u32 = 0;
/**
 * Links that a cell of an island takes at least, where granularity allows. Smaller ones would split more bodies than they save
 * colors.
 */
const FEWEST_LINKS: u32 = 128;
/**
 * A part stays whole if its own links are more than a cell takes by this share at most (as a shift), and its colors have the
 * lanes for them. Halves of it would be two cells half empty.
 */
const OVERFULL: u32 = 3;

/**
 * Room for the cells of all links, at most `most` in a cell; none yet, and nothing is kept (kept_cells.ts). False without memory.
 */
export function reserveCells(s: OrderState, most: u32): bool {
  const links: u32 = s.linkCount;
  if (!reserveCellColors(min<u32>(links, most))) return false;
  if (!orderRoom(offsetof<OrderState>('pending'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('cellLinks'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('cellStarts'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('cellColorStarts'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('cellColorEnds'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('cellContactColors'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('segments'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('linkCells'), 4, links)) return false;
  if (!orderRoom(offsetof<OrderState>('homes'), 4, s.bodyCount)) return false;
  if (!clearStamps(s)) return false;
  s.cellCount = 0;
  s.keptGranularity = 0;
  s.closedCellCount = 0;
  s.plainCellCount = 0;
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

/** The same with parts of `linkCap` links; cellBodyCap counts parts, and cells may be OVERFULL. */
export function cutCells(linkCap: u32): bool {
  const h = header();
  const s: OrderState = orderState();
  // A GPU dispatch takes at most 65,535 workgroups, so cells must not be too many.
  const granularity: u32 = max<u32>(max<u32>(h.granularity, 1), s.linkCount >> 14);
  const most: u32 = granularity + (granularity >> OVERFULL);
  if (!reserveCells(s, most) || !roomToCut(s.bodyCount) || !listIslands(s)) return false;
  s.linkCap = linkCap;
  s.granularity = granularity;
  s.bodyCap = min<u32>(max<u32>(h.cellBodyCap, 2), SPLIT_BODY_CAP);
  packIslands(s, PLAIN);
  s.plainCellCount = s.cellCount;
  packIslands(s, JOINTED);
  s.closedCellCount = s.cellCount;
  packIslands(s, BUSY);
  memory.fill(s.linkCells, 0xff, (<usize>s.linkCount) << 2);
  memory.fill(s.homes, 0, (<usize>s.bodyCount) << 2);
  for (let island: u32 = 0; island < s.islandCount; island++) {
    const start: u32 = at32(s.islandLinkStarts, island);
    const count: u32 = at32(s.islandLinkStarts, island + 1) - start;
    const list: usize = <usize>s.islandLinks + ((<usize>start) << 2);
    if (fits(s, list, count, granularity)) continue;
    // A color more than the busiest body asks for is often needed.
    const colors: u32 = min<u32>(busiestOf(s, list, count), linkCap - 1) + 1;
    s.granularity = min<u32>(granularity, max<u32>(FEWEST_LINKS, colors * CELL_LANES));
    s.mostLinks = s.granularity;
    if (linkCap != NO_LINK_CAP) s.mostLinks = max<u32>(s.granularity, min<u32>(most, colors * CELL_LANES));
    cutIsland(s, list, count);
  }
  s.granularity = granularity;
  h.cellCount = s.cellCount;
  return true;
}

/** Pair partition: each contact block (body pair) is one cell. Writes header().cellCount. False without memory. */
export function partitionPairs(): bool {
  const s: OrderState = orderState();
  if (!reserveCells(s, s.linkCount)) return false;
  s.granularity = s.linkCount;
  s.mostLinks = s.linkCount;
  s.bodyCap = 2;
  s.linkCap = NO_LINK_CAP;
  for (let block: u32 = 0; block < s.blockCount; block++) {
    const start: u32 = at32(s.blockStarts, block);
    emitCell(s, <usize>s.blockLinks + ((<usize>start) << 2), at32(s.blockStarts, block + 1) - start);
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

function fits(s: OrderState, list: usize, count: u32, most: u32): bool {
  return count <= most && countParts(s, list, count, s.linkCap) <= s.bodyCap;
}

/** Whether a dynamic body has more of these links than a sub-body takes. */
function isBusy(s: OrderState, list: usize, count: u32, linkCap: u32): bool {
  return countParts(s, list, count, linkCap) != countParts(s, list, count, NO_LINK_CAP);
}

/** Most links of a dynamic body of an island. */
function busiestOf(s: OrderState, list: usize, count: u32): u32 {
  let most: u32 = 1;
  for (let i: u32 = 0; i < 2 * count; i++) {
    const body: u32 = at32(s.linkBodies, 2 * at32(list, i >> 1) + (i & 1));
    if (body != NONE) most = max<u32>(most, at32(s.bodyStarts, body + 1) - at32(s.bodyStarts, body));
  }
  return most;
}

/** The kind of an island or a cell of whole islands with these links, in ascending order. */
export function kindOfIsland(s: OrderState, list: usize, count: u32, linkCap: u32): u32 {
  if (isBusy(s, list, count, linkCap)) return BUSY;
  return at32(list, count - 1) >= s.contactCount ? JOINTED : PLAIN;
}

/**
 * Packs islands of a kind that one cell holds. Next fit: in their order, a new cell whenever the next does not fit
 * any more. As many colors as the busiest body has links, all of them full, are enough for a cell; more links would take more
 * colors.
 */
function packIslands(s: OrderState, kind: u32): void {
  const linkCap: u32 = s.linkCap;
  let links: u32 = 0;
  let bodies: u32 = 0;
  let colors: u32 = 0;
  for (let island: u32 = 0; island < s.islandCount; island++) {
    const start: u32 = at32(s.islandLinkStarts, island);
    const count: u32 = at32(s.islandLinkStarts, island + 1) - start;
    const from: usize = <usize>s.islandLinks + ((<usize>start) << 2);
    if (count > s.granularity || kindOfIsland(s, from, count, linkCap) != kind) continue;
    const more: u32 = countParts(s, from, count, linkCap);
    if (more > s.bodyCap) continue;
    const own: u32 = min<u32>(busiestOf(s, from, count), linkCap);
    const most: u32 = min<u32>(s.granularity, max<u32>(colors, own) * CELL_LANES);
    if (links > 0 && (links + count > most || bodies + more > s.bodyCap)) {
      emitCell(s, s.segments, links);
      links = 0;
      bodies = 0;
      colors = 0;
    }
    colors = max<u32>(colors, own);
    memory.copy(<usize>s.segments + ((<usize>links) << 2), from, (<usize>count) << 2);
    links += count;
    bodies += more;
  }
  if (links > 0) emitCell(s, s.segments, links);
}

/** Appends one cell with these links: sorts them, colors them, contacts before joints, sorts by color. */
export function emitCell(s: OrderState, list: usize, count: u32): void {
  const cell: u32 = s.cellCount;
  const start: u32 = at32(s.cellStarts, cell);
  const out: usize = <usize>s.cellLinks + ((<usize>start) << 2);
  sortAscending(list, count);
  let contacts: u32 = count;
  while (contacts > 0 && at32(list, contacts - 1) >= s.contactCount) contacts--;
  const contactColors: u32 = colorCell(list, contacts);
  const joints: usize = list + ((<usize>contacts) << 2);
  const colors: u32 = contactColors + colorCell(joints, count - contacts);
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

/**
 * Lists links island by island, in the order of their first links; one without a dynamic body is an island. False without
 * memory.
 */
function listIslands(s: OrderState): bool {
  const links: u32 = s.linkCount;
  if (!orderRoom(offsetof<OrderState>('islandOfBody'), 4, s.bodyCount)) return false;
  if (!orderRoom(offsetof<OrderState>('islandLinkStarts'), 4, links + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('islandLinks'), 4, links)) return false;
  const numbers: usize = s.islandOfBody;
  const islandOfLink: usize = s.linkCells; // scratch here
  const starts: usize = s.islandLinkStarts;
  for (let i: u32 = 0; i < 2 * links; i++) if (at32(s.linkBodies, i) != NONE) splitIsland(at32(s.linkBodies, i), 0);
  memory.fill(numbers, 0xff, (<usize>s.bodyCount) << 2);
  let islands: u32 = 0;
  for (let l: u32 = 0; l < links; l++) {
    const body: u32 = min<u32>(at32(s.linkBodies, 2 * l), at32(s.linkBodies, 2 * l + 1)); // NONE is the largest
    const root: u32 = body == NONE ? NONE : islandOf(body);
    let island: u32 = root == NONE ? NONE : at32(numbers, root);
    if (island == NONE) {
      island = islands++;
      put32(starts, island, 0);
      if (root != NONE) put32(numbers, root, island);
    }
    put32(islandOfLink, l, island);
    put32(starts, island, at32(starts, island) + 1);
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

/** Cells of an island that one does not hold. */
function cutIsland(s: OrderState, list: usize, count: u32): void {
  const bodies: usize = bodiesToCut();
  let size: u32 = 0;
  s.stamp++;
  for (let i: u32 = 0; i < 2 * count; i++) {
    const body: u32 = at32(s.linkBodies, 2 * at32(list, i >> 1) + (i & 1));
    if (body == NONE || at32(s.bodyStamps, body) == s.stamp) continue;
    put32(s.bodyStamps, body, s.stamp);
    put32(bodies, size++, body);
  }
  beginCut(0, size, (count + s.granularity - 1) / s.granularity);
  while (nextPart()) takePart(s);
}

/** The cell of the part at hand, or none if that has more links than a cell takes. */
function takePart(s: OrderState): void {
  const part: usize = bodiesToCut() + ((<usize>s.partFirst) << 2);
  const list: usize = s.segments,
    free: usize = s.pending;
  // Parts that have been reached are home to their bodies.
  for (let k: u32 = 0; k < s.partSize; k++) put32(s.homes, at32(part, k), 1);
  let own: u32 = 0,
    outward: u32 = 0;
  for (let k: u32 = 0; k < s.partSize; k++) {
    const body: u32 = at32(part, k);
    const end: u32 = at32(s.bodyStarts, body + 1);
    for (let i: u32 = at32(s.bodyStarts, body); i < end; i++) {
      const l: u32 = at32(s.bodyLinks, i);
      if (at32(s.linkCells, l) != NONE) continue;
      const a: u32 = at32(s.linkBodies, 2 * l),
        b: u32 = at32(s.linkBodies, 2 * l + 1);
      if ((a != NONE && at32(s.homes, a) == 0) || (b != NONE && at32(s.homes, b) == 0)) {
        put32(free, outward++, l);
        continue;
      }
      put32(s.linkCells, l, LISTED);
      put32(list, own++, l);
    }
  }
  if (s.partSize > 1 && !fits(s, list, own, s.mostLinks)) {
    for (let k: u32 = 0; k < s.partSize; k++) put32(s.homes, at32(part, k), 0);
    for (let i: u32 = 0; i < own; i++) put32(s.linkCells, at32(list, i), NONE);
    cutAgain();
    return;
  }
  let parts: u32 = countParts(s, list, own, s.linkCap);
  for (let i: u32 = 0; i < outward && own < s.granularity; i++) {
    parts += stampParts(s, at32(free, i), s.linkCap);
    if (parts > s.bodyCap) break;
    put32(list, own++, at32(free, i));
  }
  emitCells(s, list, own);
}

/** A cell of these links, or several where they are too many for one, as those of one body may be. */
function emitCells(s: OrderState, list: usize, count: u32): void {
  if (count == 0) return;
  if (!fits(s, list, count, s.mostLinks)) {
    const half: u32 = count >> 1;
    emitCells(s, list, half);
    emitCells(s, list + ((<usize>half) << 2), count - half);
    return;
  }
  for (let i: u32 = 0; i < count; i++) put32(s.linkCells, at32(list, i), s.cellCount);
  emitCell(s, list, count);
}
