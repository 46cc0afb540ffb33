// Colors of the links of a cell. A group of CELL_LANES lanes solves a cell color by color, and all lanes wait for each other
// behind a color. So a cell takes the least time with as few colors as its busiest sub-body allows, none of which has more links
// than there are lanes.
//
// Links take the first color that both their sub-bodies have free and that has room. A link without such a color gets one by a
// swap (Kempe 1879): the links of two colors that hang together form chains, and in a chain both colors may change places. At the
// end the same swaps move links from colors with more than CELL_LANES links to the smallest ones.
// Output: linkColors. Links of a color share no sub-body.
import { CELL_LANES, CELL_PART_STRIDE, CellPart, NONE, OrderState } from '../layout.generated';
import { at32, put32 } from '../memory/words';
import { orderRoom, orderState } from './state';

/** A sub-body may have any number of links. */
export const NO_LINK_CAP: u32 = NONE;

function cellPart(s: OrderState, body: u32): CellPart {
  return changetype<CellPart>(<usize>s.cellParts + <usize>body * CELL_PART_STRIDE);
}

/** Makes room for cells of at most `most` links; false without memory. */
export function reserveCellColors(most: u32): bool {
  const s: OrderState = orderState();
  if (!orderRoom(offsetof<OrderState>('linkColors'), 4, s.linkCount)) return false;
  if (!orderRoom(offsetof<OrderState>('cellParts'), CELL_PART_STRIDE, s.bodyCount)) return false;
  if (!orderRoom(offsetof<OrderState>('linkParts'), 8, most)) return false;
  if (!orderRoom(offsetof<OrderState>('partStarts'), 4, 2 * most + 1)) return false;
  if (!orderRoom(offsetof<OrderState>('partLinks'), 8, most)) return false;
  if (!orderRoom(offsetof<OrderState>('placeColors'), 4, most)) return false;
  if (!orderRoom(offsetof<OrderState>('colorSizes'), 4, most)) return false;
  if (!orderRoom(offsetof<OrderState>('colorStamps'), 4, most)) return false;
  return orderRoom(offsetof<OrderState>('chain'), 4, most);
}

/**
 * Colors the `count` links of a cell listed at `list` (u32 each). A body has a sub-body for every OrderState.linkCap of its links
 * there (pack.ts deals them out alike). Returns the number of colors. Needs reserveCellColors().
 */
export function colorCell(list: usize, count: u32): u32 {
  const s: OrderState = orderState();
  const busiest: u32 = dealLinks(s, list, count);
  let colors: u32 = max<u32>(busiest, (count + CELL_LANES - 1) / CELL_LANES);
  memory.fill(s.placeColors, 0xff, (<usize>count) << 2);
  memory.fill(s.colorSizes, 0, (<usize>count) << 2);
  memory.fill(s.colorStamps, 0, (<usize>count) << 2);
  for (let place: u32 = 0; place < count; place++) {
    let color: u32 = freeColor(s, place, colors);
    if (color == NONE) color = swappedColor(s, place, colors);
    if (color == NONE) color = colors++;
    paint(s, place, color);
  }
  fillLanes(s, count, colors);
  colors = dropEmpty(s, count, colors);
  for (let place: u32 = 0; place < count; place++) put32(s.linkColors, at32(list, place), at32(s.placeColors, place));
  return colors;
}

/** Deals links out to sub-bodies, and lists those of each. Returns the most links of a sub-body. */
function dealLinks(s: OrderState, list: usize, count: u32): u32 {
  for (let i: u32 = 0; i < 2 * count; i++) {
    const body: u32 = bodyAt(s, list, i);
    if (body != NONE) cellPart(s, body).links = 0;
  }
  for (let i: u32 = 0; i < 2 * count; i++) {
    const body: u32 = bodyAt(s, list, i);
    if (body == NONE) continue;
    cellPart(s, body).links++;
    cellPart(s, body).first = NONE;
  }
  const starts: usize = s.partStarts;
  let parts: u32 = 0;
  for (let i: u32 = 0; i < 2 * count; i++) {
    const body: u32 = bodyAt(s, list, i);
    let part: u32 = NONE;
    if (body != NONE) {
      const b: CellPart = cellPart(s, body);
      if (b.first == NONE) {
        b.first = parts;
        b.parts = 1 + (b.links - 1) / s.linkCap;
        b.dealt = 0;
        memory.fill(starts + ((<usize>parts) << 2), 0, (<usize>b.parts) << 2);
        parts += b.parts;
      }
      part = b.first + (b.dealt++ % b.parts);
      put32(starts, part, at32(starts, part) + 1);
    }
    put32(s.linkParts, i, part);
  }
  let busiest: u32 = 0,
    sum: u32 = 0;
  for (let part: u32 = 0; part < parts; part++) {
    busiest = max<u32>(busiest, at32(starts, part));
    sum += at32(starts, part);
    put32(starts, part, sum);
  }
  put32(starts, parts, sum);
  for (let i: u32 = 2 * count; i > 0; i--) {
    const part: u32 = at32(s.linkParts, i - 1);
    if (part == NONE) continue;
    const at: u32 = at32(starts, part) - 1;
    put32(starts, part, at);
    put32(s.partLinks, at, (i - 1) >> 1);
  }
  return busiest;
}

/** Dynamic body at an end of the links of a list, NONE for others. */
function bodyAt(s: OrderState, list: usize, end: u32): u32 {
  return at32(s.linkBodies, 2 * at32(list, end >> 1) + (end & 1));
}

/** First color that both sub-bodies of a link have free and that has room, the smallest one where none has room; or NONE. */
function freeColor(s: OrderState, place: u32, colors: u32): u32 {
  const stamps: usize = s.colorStamps;
  for (let side: u32 = 0; side < 2; side++) {
    const part: u32 = at32(s.linkParts, 2 * place + side);
    if (part == NONE) continue;
    const end: u32 = at32(s.partStarts, part + 1);
    for (let i: u32 = at32(s.partStarts, part); i < end; i++) {
      const other: u32 = at32(s.partLinks, i);
      if (other >= place) break; // in ascending order: later links have no color yet
      put32(stamps, at32(s.placeColors, other), place + 1);
    }
  }
  let best: u32 = NONE,
    least: u32 = NONE;
  for (let color: u32 = 0; color < colors; color++) {
    if (at32(stamps, color) == place + 1) continue;
    const size: u32 = at32(s.colorSizes, color);
    if (size < CELL_LANES) return color;
    if (size >= least) continue;
    least = size;
    best = color;
  }
  return best;
}

/** A color that a swap frees for a link, or NONE. */
function swappedColor(s: OrderState, place: u32, colors: u32): u32 {
  const partA: u32 = at32(s.linkParts, 2 * place),
    partB: u32 = at32(s.linkParts, 2 * place + 1);
  for (let a: u32 = 0; a < colors; a++) {
    if (linkOfColor(s, partA, a) != NONE) continue;
    for (let b: u32 = 0; b < colors; b++) {
      if (linkOfColor(s, partB, b) != NONE) continue;
      // A chain that starts at B and ends at A would take the color from A.
      const length: u32 = follow(s, 0, partB, a, b, partA, NONE);
      if (length == NONE) continue;
      swap(s, length, a, b);
      return a;
    }
  }
  return NONE;
}

/** The link of a color at a sub-body, or NONE. */
function linkOfColor(s: OrderState, part: u32, color: u32): u32 {
  const end: u32 = at32(s.partStarts, part + 1);
  for (let i: u32 = at32(s.partStarts, part); i < end; i++) {
    const place: u32 = at32(s.partLinks, i);
    if (at32(s.placeColors, place) == color) return place;
  }
  return NONE;
}

/**
 * Appends to a chain of `length` links: from a sub-body on, first `color`, then `other`, in turn. Returns the new length; NONE if
 * the chain comes to the sub-body `lastPart` or the link `lastLink`.
 */
function follow(s: OrderState, length: u32, from: u32, color: u32, other: u32, lastPart: u32, lastLink: u32): u32 {
  let part: u32 = from,
    next: u32 = color;
  while (part != NONE) {
    if (part == lastPart) return NONE;
    const place: u32 = linkOfColor(s, part, next);
    if (place == NONE) break;
    if (place == lastLink) return NONE;
    put32(s.chain, length++, place);
    const partA: u32 = at32(s.linkParts, 2 * place);
    part = partA == part ? at32(s.linkParts, 2 * place + 1) : partA;
    next = next == color ? other : color;
  }
  return length;
}

/** Swaps two colors in the chain. */
function swap(s: OrderState, length: u32, a: u32, b: u32): void {
  for (let i: u32 = 0; i < length; i++) {
    const place: u32 = at32(s.chain, i);
    const old: u32 = at32(s.placeColors, place);
    put32(s.colorSizes, old, at32(s.colorSizes, old) - 1);
    paint(s, place, old == a ? b : a);
  }
}

function paint(s: OrderState, place: u32, color: u32): void {
  put32(s.placeColors, place, color);
  put32(s.colorSizes, color, at32(s.colorSizes, color) + 1);
}

/** Moves links out of colors with more links than there are lanes. */
function fillLanes(s: OrderState, count: u32, colors: u32): void {
  for (let color: u32 = 0; color < colors; color++) {
    while (at32(s.colorSizes, color) > CELL_LANES && moveLink(s, count, colors, color)) {}
  }
}

/** Makes a color a link smaller, and the smallest one a link larger. Chains with one more link of this color do so. */
function moveLink(s: OrderState, count: u32, colors: u32, color: u32): bool {
  let smallest: u32 = 0;
  for (let c: u32 = 1; c < colors; c++) if (at32(s.colorSizes, c) < at32(s.colorSizes, smallest)) smallest = c;
  for (let place: u32 = 0; place < count; place++) {
    if (at32(s.placeColors, place) != color) continue;
    put32(s.chain, 0, place);
    // To both sides of the link there must be an even number of others.
    let length: u32 = follow(s, 1, at32(s.linkParts, 2 * place), smallest, color, NONE, place);
    if (length == NONE || (length & 1) == 0) continue;
    length = follow(s, length, at32(s.linkParts, 2 * place + 1), smallest, color, NONE, place);
    if (length == NONE || (length & 1) == 0) continue;
    swap(s, length, color, smallest);
    return true;
  }
  return false;
}

/** Gives the numbers of colors that swaps have emptied to the last ones. Returns the number of colors left. */
function dropEmpty(s: OrderState, count: u32, colors: u32): u32 {
  for (let color: u32 = colors; color-- > 0; ) {
    if (at32(s.colorSizes, color) != 0) continue;
    colors--;
    for (let place: u32 = 0; place < count; place++) {
      if (at32(s.placeColors, place) == colors) put32(s.placeColors, place, color);
    }
  }
  return colors;
}
