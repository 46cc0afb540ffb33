// Cells that live from step to step. While the graph stays the same, cells stay as they are. If links come or go, cells are
// updated: a removed link leaves its cell, a new link joins the cell of one of its bodies, and only changed cells are colored
// again. All is cut again (partition.ts) once an eighth of the links has changed, after a number of steps, or when no cell has
// room for a new link. Cells kept for 120 steps are as calm as cells cut in every step (docs/cells.md).
// Input: header().activeManifolds, joints. Output in OrderState: that of partition.ts, and cellsChanged. A sequence of steps
// gives the same cells with any solver, since only the graph matters.
// A sub-body takes at most LINK_CAP links; a body with more has several sub-bodies in the cell (partition.ts). This
// about halves the colors of piles and leaves their convergence as it is; with a cap of 4 walls shake.
import { Header, KEPT_CELL_STRIDE, KEPT_LINK_STRIDE, KeptCell, KeptLink, NONE, OrderState } from '../layout.generated';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { linkBodies, linkEnds } from './graph';
import { listJoints } from './joint_links';
import { BUSY, JOINTED, PLAIN, countParts, cutCells, emitCell, kindOfIsland, reserveCells } from './partition';
import { initOrdering, orderRoom, orderState } from './state';

const KEEP_STEPS: u32 = 120;
/** Share of the links (as a shift) that may come and go before everything is cut again. */
const CHANGES: u32 = 3;
/** Links that a sub-body takes. */
const LINK_CAP: u32 = 8;
/** A cell takes new links up to granularity + granularity >> SLACK. */
const SLACK: u32 = 2;

const JOINT_BIT: u32 = 0x80000000;

/** Manifold of a link, or joint + JOINT_BIT. */
function idOf(s: OrderState, l: u32): u32 {
  return l < s.contactCount ? at32(header().activeManifolds, l) : JOINT_BIT | at32(s.jointLinks, l - s.contactCount);
}
/** Place of an id in linkOf: joints lie behind all manifolds. */
function placeOf(id: u32): u32 {
  return (id & JOINT_BIT) == 0 ? id : header().manifoldCapacity + (id ^ JOINT_BIT);
}

function keptLink(i: u32): KeptLink {
  return changetype<KeptLink>(<usize>orderState().kept + <usize>i * KEPT_LINK_STRIDE);
}
function keptCell(i: u32): KeptCell {
  return changetype<KeptCell>(<usize>orderState().keptCells + <usize>i * KEPT_CELL_STRIDE);
}

/**
 * Cells of this step's links; cellsChanged says whether they differ from those of the last call. `moversChanged`: other bodies
 * move than in the last call. False without memory.
 */
export function updateCells(moversChanged: bool): bool {
  if (!initOrdering()) return false;
  const s: OrderState = orderState();
  const h: Header = header();
  s.cellsChanged = 0;
  if (!moversChanged && s.standing == h.graphStamp && s.standingJoints == h.jointStamp && isValid(s)) return true;
  if (!listJoints() || !linkEnds(true)) return false;
  if (isSame(s)) {
    stand(s);
    return true;
  }
  const mended: u32 = mend(s);
  if (mended == NONE) return false;
  if (mended == 0) {
    if (!linkBodies(true) || !cutCells(LINK_CAP)) return false;
    s.cutStep = h.stepCount;
    s.changes = 0;
  }
  s.cellsChanged = 1;
  if (!keep(s)) return false;
  stand(s);
  return true;
}

/** The cells are those of this graph. */
function stand(s: OrderState): void {
  s.standing = header().graphStamp;
  s.standingJoints = header().jointStamp;
}

/** Whether the kept cells were cut with the present settings. */
function isValid(s: OrderState): bool {
  const h: Header = header();
  return s.keptGranularity != 0 && s.keptGranularity == h.granularity && s.keptBodyCap == h.cellBodyCap;
}

/** Whether link l is the kept one. */
function isKept(s: OrderState, k: KeptLink, l: u32): bool {
  return k.moverA == at32(s.linkMovers, 2 * l) && k.moverB == at32(s.linkMovers, 2 * l + 1) && k.coupling == couplingOf(s, l);
}

function couplingOf(s: OrderState, l: u32): u32 {
  return (at32(s.linkBodies, 2 * l) != NONE ? 1 : 0) | (at32(s.linkBodies, 2 * l + 1) != NONE ? 2 : 0);
}

function isSame(s: OrderState): bool {
  if (!isValid(s) || s.keptLinks != s.linkCount) return false;
  for (let i: u32 = 0; i < s.linkCount; i++) {
    const l: u32 = at32(s.cellLinks, i);
    if (l >= s.linkCount || idOf(s, l) != keptLink(i).id || !isKept(s, keptLink(i), l)) return false;
  }
  return true;
}

/** Updates the kept cells. Returns 1, 0 if everything must be cut again, NONE without memory. */
function mend(s: OrderState): u32 {
  const h: Header = header();
  const links: u32 = s.linkCount;
  if (!isValid(s) || h.stepCount - s.cutStep >= KEEP_STEPS) return 0;
  if (!orderRoom(offsetof<OrderState>('linkOf'), 4, h.manifoldCapacity + h.jointsCapacity)) return NONE;
  if (!orderRoom(offsetof<OrderState>('keptCells'), KEPT_CELL_STRIDE, s.keptCellCount + links)) return NONE;
  const granularity: u32 = s.granularity,
    bodyCap: u32 = s.bodyCap;
  if (!reserveCells(s, mostLinks(granularity))) return NONE;
  s.granularity = granularity;
  s.bodyCap = bodyCap;
  memory.fill(s.linkOf, 0, (<usize>(h.manifoldCapacity + h.jointsCapacity)) << 2);
  memory.fill(s.homes, 0, (<usize>s.bodyCount) << 2);
  for (let l: u32 = 0; l < links; l++) {
    put32(s.linkOf, placeOf(idOf(s, l)), l + 1);
    put32(s.linkCells, l, NONE);
  }
  s.changes += dropLinks(s);
  const cells: u32 = addLinks(s);
  if (cells == NONE) return 0;
  listLinks(s, cells);
  findShared(s, cells);
  for (let c: u32 = 0; c < cells; c++) {
    const k: KeptCell = keptCell(c);
    k.kind = kindOf(s, k);
    if (k.touched == 0 || k.kind != BUSY) continue;
    if (countParts(s, <usize>s.segments + ((<usize>k.first) << 2), k.links, LINK_CAP) > bodyCap) return 0;
  }
  // Closed cells come first, cells of one kind in their old order.
  emitKind(s, cells, PLAIN);
  s.plainCellCount = s.cellCount;
  emitKind(s, cells, JOINTED);
  s.closedCellCount = s.cellCount;
  emitKind(s, cells, BUSY);
  h.cellCount = s.cellCount;
  return 1;
}

/** Finds the links that are still there in their cells, and what the cells hold. Returns how many are gone. */
function dropLinks(s: OrderState): u32 {
  let gone: u32 = 0;
  for (let c: u32 = 0; c < s.keptCellCount; c++) {
    const cell: KeptCell = keptCell(c);
    cell.links = 0;
    cell.bodies = 0;
    cell.touched = 0;
    s.stamp++;
    for (let i: u32 = cell.start; i < cell.end; i++) {
      const k: KeptLink = keptLink(i);
      const l: u32 = at32(s.linkOf, placeOf(k.id)) - 1;
      if (l == NONE || !isKept(s, k, l)) {
        gone++;
        cell.touched = 1;
        continue;
      }
      put32(s.linkCells, l, c);
      cell.links++;
      for (let side: u32 = 0; side < 2; side++) {
        const mover: u32 = at32(s.linkMovers, 2 * l + side),
          body: u32 = at32(s.linkBodies, 2 * l + side);
        if (body != NONE) put32(s.homes, body, c + 1);
        if (mover == NONE || at32(s.bodyStamps, mover) == s.stamp) continue;
        put32(s.bodyStamps, mover, s.stamp);
        cell.bodies++;
      }
    }
  }
  return gone;
}

/** Gives every new link a cell. Returns the number of cells, NONE if everything must be cut again. */
function addLinks(s: OrderState): u32 {
  const limit: u32 = s.linkCount >> CHANGES;
  let cells: u32 = s.keptCellCount;
  let extra: u32 = NONE; // the cell of links whose bodies had none
  for (let l: u32 = 0; l < s.linkCount; l++) {
    if (at32(s.linkCells, l) != NONE) continue;
    if (++s.changes > limit) return NONE;
    const a: u32 = at32(s.linkBodies, 2 * l),
      b: u32 = at32(s.linkBodies, 2 * l + 1);
    const homeA: u32 = a == NONE ? 0 : at32(s.homes, a),
      homeB: u32 = b == NONE ? 0 : at32(s.homes, b);
    let cell: u32 = NONE;
    if (homeA != 0 && takes(s, homeA - 1, l)) cell = homeA - 1;
    else if (homeB != 0 && takes(s, homeB - 1, l)) cell = homeB - 1;
    else if ((homeA | homeB) != 0) return NONE;
    else {
      if (extra == NONE || !takes(s, extra, l)) {
        extra = cells++;
        memory.fill(changetype<usize>(keptCell(extra)), 0, KEPT_CELL_STRIDE);
      }
      cell = extra;
    }
    const k: KeptCell = keptCell(cell);
    k.links++;
    k.bodies += newBodies(s, cell, l);
    k.touched = 1;
    put32(s.linkCells, l, cell);
    if (a != NONE && homeA == 0) put32(s.homes, a, cell + 1);
    if (b != NONE && homeB == 0) put32(s.homes, b, cell + 1);
  }
  return cells;
}

/** How many bodies a link brings to a cell, at most. */
function newBodies(s: OrderState, cell: u32, l: u32): u32 {
  let bodies: u32 = 0;
  for (let side: u32 = 0; side < 2; side++) {
    const mover: u32 = at32(s.linkMovers, 2 * l + side);
    if (mover != NONE && at32(s.homes, mover) != cell + 1) bodies++;
  }
  return bodies;
}

/** Links that a cell of so many may grow to. */
function mostLinks(granularity: u32): u32 {
  return granularity + (granularity >> SLACK);
}

function takes(s: OrderState, cell: u32, l: u32): bool {
  const k: KeptCell = keptCell(cell);
  return k.links < mostLinks(s.granularity) && k.bodies + newBodies(s, cell, l) <= s.bodyCap;
}

/** Links cell by cell, ascending, in segments. */
function listLinks(s: OrderState, cells: u32): void {
  let sum: u32 = 0;
  for (let c: u32 = 0; c < cells; c++) {
    keptCell(c).first = sum;
    sum += keptCell(c).links;
    keptCell(c).links = 0;
  }
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const k: KeptCell = keptCell(at32(s.linkCells, l));
    put32(s.segments, k.first + k.links, l);
    k.links++;
  }
}

/** Bodies of several cells get no home. */
function findShared(s: OrderState, cells: u32): void {
  memory.fill(s.homes, 0, (<usize>s.bodyCount) << 2);
  for (let c: u32 = 0; c < cells; c++) {
    const k: KeptCell = keptCell(c);
    for (let i: u32 = 0; i < 2 * k.links; i++) {
      const body: u32 = at32(s.linkBodies, 2 * at32(s.segments, k.first + (i >> 1)) + (i & 1));
      if (body == NONE) continue;
      const home: u32 = at32(s.homes, body);
      put32(s.homes, body, home == 0 || home == c + 1 ? c + 1 : NONE);
    }
  }
}

/** Kind of a cell: closed if no body of it is in another one, or has several sub-bodies in this one. */
function kindOf(s: OrderState, k: KeptCell): u32 {
  if (k.links == 0) return BUSY;
  for (let i: u32 = 0; i < 2 * k.links; i++) {
    const body: u32 = at32(s.linkBodies, 2 * at32(s.segments, k.first + (i >> 1)) + (i & 1));
    if (body != NONE && at32(s.homes, body) == NONE) return BUSY;
  }
  return kindOfIsland(s, <usize>s.segments + ((<usize>k.first) << 2), k.links, LINK_CAP);
}

function emitKind(s: OrderState, cells: u32, kind: u32): void {
  for (let c: u32 = 0; c < cells; c++) if (keptCell(c).kind == kind) emit(s, c);
}

/** Appends a cell: unchanged, or colored again. */
function emit(s: OrderState, c: u32): void {
  const k: KeptCell = keptCell(c);
  if (k.links == 0) return;
  if (k.touched != 0) {
    emitCell(s, <usize>s.segments + ((<usize>k.first) << 2), k.links);
    return;
  }
  const start: u32 = at32(s.cellStarts, s.cellCount),
    color: u32 = at32(s.cellColorStarts, s.cellCount);
  for (let i: u32 = 0; i < k.links; i++) put32(s.cellLinks, start + i, at32(s.linkOf, placeOf(keptLink(k.start + i).id)) - 1);
  for (let i: u32 = 0; i < k.colors; i++) put32(s.cellColorEnds, color + i, at32(s.keptColors, k.colorStart + i));
  put32(s.cellContactColors, s.cellCount, k.contactColors);
  s.cellCount++;
  s.cellColorCount = color + k.colors;
  s.colorCount = max<u32>(s.colorCount, k.colors);
  header().colorCount = s.colorCount;
  put32(s.cellStarts, s.cellCount, start + k.links);
  put32(s.cellColorStarts, s.cellCount, s.cellColorCount);
}

/** Remembers the cells of this step. False without memory. */
function keep(s: OrderState): bool {
  const h: Header = header();
  const links: u32 = s.linkCount,
    cells: u32 = s.cellCount;
  s.keptGranularity = 0;
  if (!orderRoom(offsetof<OrderState>('kept'), KEPT_LINK_STRIDE, links)) return false;
  if (!orderRoom(offsetof<OrderState>('keptCells'), KEPT_CELL_STRIDE, cells)) return false;
  if (!orderRoom(offsetof<OrderState>('keptColors'), 4, s.cellColorCount)) return false;
  for (let i: u32 = 0; i < links; i++) {
    const l: u32 = at32(s.cellLinks, i);
    const k: KeptLink = keptLink(i);
    k.id = idOf(s, l);
    k.moverA = at32(s.linkMovers, 2 * l);
    k.moverB = at32(s.linkMovers, 2 * l + 1);
    k.coupling = couplingOf(s, l);
  }
  for (let c: u32 = 0; c < cells; c++) {
    const k: KeptCell = keptCell(c);
    k.start = at32(s.cellStarts, c);
    k.end = at32(s.cellStarts, c + 1);
    k.colorStart = at32(s.cellColorStarts, c);
    k.colors = at32(s.cellColorStarts, c + 1) - k.colorStart;
    k.contactColors = at32(s.cellContactColors, c);
  }
  memory.copy(s.keptColors, s.cellColorEnds, (<usize>s.cellColorCount) << 2);
  s.keptLinks = links;
  s.keptCellCount = cells;
  s.keptGranularity = h.granularity;
  s.keptBodyCap = h.cellBodyCap;
  return true;
}
