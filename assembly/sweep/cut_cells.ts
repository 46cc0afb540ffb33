// Cuts batches (lanes/batches.ts) into cells when they are laid out: sets of bodies that are near each other, numbered so that
// neighbors have numbers far apart.
//
// A batch of more bodies than UNCUT is cut (ordering/cut.ts). Cells with manifolds between them are neighbors. A cell takes the
// first color that no neighbor has, and cells are solved color by color. So at any time many of them can be solved at once, and
// the sweep carries no motion through a pile: a sweep of short pieces in mixed order has no direction (docs/threads.md has the
// measurements). The cut depends on the state of the world alone.
// Input: bodies in the order of batches, BatchState.cellOfBody with the batch of each, groups. Output: Cell[], cellOfBody.
// Source: Tsuda 2009, cell-like ordering; bisection and colors of cells are ours.
import { ContactGroup, NONE, SolverBatch, BatchState } from '../layout.generated';
import { isMoved } from '../bodies/rows';
import { bodyOfA, bodyOfB, groupAt, lanesUsed, sideAt } from '../lanes/lane_layout';
import { addCell, cellAt, cellOf, batchAt, batchState } from '../lanes/batches';
import { ensureArray } from '../memory/allocator';
import { at32, put32 } from '../memory/words';
import { beginCut, bodiesToCut, nextPart, roomToCut } from '../ordering/cut';
import { orderState } from '../ordering/state';

/** Bodies of a batch that is not cut: a batch of small islands, with groups of some 200 KB. */
export const UNCUT: u32 = 128;
/** Bodies of a cell. */
const CELL: u32 = 64;
/** A cell of more bodies is too large. */
export const CROWDED: u32 = 2 * CELL;
// Neighbors of a cell that are known; more could only have the color of one that they wait for.
const NEIGHBORS: u32 = 32;
// Of a cell in BatchState.links: number of neighbors, neighbors, color, new number.
const COLOR: u32 = NEIGHBORS + 1;
const NUMBER: u32 = NEIGHBORS + 2;
const WORDS: u32 = NEIGHBORS + 3;

function linksOf(cell: u32): usize {
  return <usize>batchState().links + ((<usize>(cell * WORDS)) << 2);
}

/** Cells of all batches; `groups`: those in BatchState.words. False without memory (header error set). */
export function cutCells(groups: u32): bool {
  const s: BatchState = batchState();
  if (!roomToCut(s.listed)) return false;
  const bodies: usize = bodiesToCut();
  let first: u32 = 0;
  for (let i: u32 = 0; i < s.count; i++) {
    batchAt(i).firstBody = first;
    first += batchAt(i).bodyEnd;
    batchAt(i).bodyEnd = batchAt(i).firstBody;
  }
  for (let k: u32 = 0; k < s.listed; k++) {
    const body: u32 = at32(s.bodies, k);
    put32(bodies, batchAt(cellOf(body)).bodyEnd++, body);
  }
  s.cellCount = 0;
  for (let i: u32 = 0; i < s.count; i++) {
    const batch: SolverBatch = batchAt(i);
    const size: u32 = batch.bodyEnd - batch.firstBody;
    batch.firstCell = s.cellCount;
    beginCut(batch.firstBody, size, size > UNCUT ? (size + CELL - 1) / CELL : 1);
    while (nextPart()) if (!takePart(i)) return false;
    batch.cellEnd = s.cellCount;
  }
  return s.cellCount == s.count || colorCells(s, groups);
}

/** A cell of the part at hand. False without memory. */
function takePart(batch: u32): bool {
  const cell: u32 = addCell(batch);
  if (cell == NONE) return false;
  const size: u32 = orderState().partSize;
  const part: usize = bodiesToCut() + ((<usize>orderState().partFirst) << 2);
  for (let k: u32 = 0; k < size; k++) put32(batchState().cellOfBody, at32(part, k), cell);
  cellAt(cell).bodies = size;
  return true;
}

function addNeighbor(cell: u32, neighbor: u32): void {
  const links: usize = linksOf(cell);
  const count: u32 = load<u32>(links);
  for (let k: u32 = 1; k <= count; k++) if (at32(links, k) == neighbor) return;
  if (count == NEIGHBORS) return;
  put32(links, count + 1, neighbor);
  store<u32>(links, count + 1);
}

/** Cells of a batch in the order of their colors, then of the cut. False without memory. */
function colorCells(s: BatchState, groups: u32): bool {
  const at: usize = changetype<usize>(s) + offsetof<BatchState>('links');
  if (!ensureArray(at, 4, s.cellCount * WORDS)) return false;
  for (let c: u32 = 0; c < s.cellCount; c++) store<u32>(linksOf(c), 0);
  findNeighbors(s, groups);
  let next: u32 = 0;
  for (let i: u32 = 0; i < s.count; i++) {
    const batch: SolverBatch = batchAt(i);
    let left: u32 = batch.cellEnd - batch.firstCell;
    for (let c: u32 = batch.firstCell; c < batch.cellEnd; c++) {
      const links: usize = linksOf(c);
      let taken: u64 = 0;
      for (let k: u32 = load<u32>(links); k != 0; k--) {
        const neighbor: u32 = at32(links, k);
        if (neighbor < c) taken |= (<u64>1) << (<u64>at32(linksOf(neighbor), COLOR));
      }
      const color: u32 = <u32>ctz<u64>(~taken);
      put32(links, COLOR, color);
    }
    for (let color: u32 = 0; left != 0; color++) {
      for (let c: u32 = batch.firstCell; c < batch.cellEnd; c++) {
        if (at32(linksOf(c), COLOR) != color) continue;
        put32(linksOf(c), NUMBER, next++);
        left--;
      }
    }
  }
  for (let k: u32 = 0; k < s.listed; k++) {
    const body: u32 = at32(bodiesToCut(), k);
    put32(s.cellOfBody, body, at32(linksOf(cellOf(body)), NUMBER));
  }
  // The sizes follow; the color is no longer asked for.
  for (let c: u32 = 0; c < s.cellCount; c++) put32(linksOf(at32(linksOf(c), NUMBER)), COLOR, cellAt(c).bodies);
  for (let c: u32 = 0; c < s.cellCount; c++) cellAt(c).bodies = at32(linksOf(c), COLOR);
  return true;
}

/** Which cells have manifolds between them. */
function findNeighbors(s: BatchState, groups: u32): void {
  const end: usize = <usize>s.words + ((<usize>groups) << 2);
  for (let word: usize = s.words; word < end; word += 4) {
    const group: ContactGroup = groupAt(load<u32>(word));
    const used: u32 = lanesUsed(sideAt(load<u32>(word)));
    for (let lane: usize = 0; lane < <usize>used; lane++) {
      const a: u32 = bodyOfA(group, lane),
        b: u32 = bodyOfB(group, lane);
      if (!isMoved(a) || !isMoved(b) || cellOf(a) == cellOf(b)) continue;
      addNeighbor(cellOf(a), cellOf(b));
      addNeighbor(cellOf(b), cellOf(a));
    }
  }
}
