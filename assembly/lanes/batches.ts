// Solver batches: the units that the solver takes through all its substeps at once. A batch is a set of awake bodies that
// contacts move, with the groups of their manifolds; no manifold couples two batches. So each batch has its own number of
// substeps, and small ones stay in the cache from their first substep to their last.
//
// Batches are laid out now and then from the islands of the world (batch_layout.ts). In between they only merge: a manifold
// between two of them joins them, and a body without a batch goes to the one open batch. Joined batches are one set
// (math/union_find.ts), represented by its root.
//
// A large batch is cut into cells, small sets of bodies that are near each other (Tsuda 2009, cell-like ordering; cut_cells.ts).
// A manifold is in the lower-numbered cell of its two bodies, and a group in the cell of its manifolds. Groups are solved cell by
// cell, in the order of their numbers, on any number of threads: a cell may start as soon as the cells that it shares bodies with
// have come as far as in that order (sweep/schedule.ts).
// Input: bodies of manifolds that get a lane (lanes.ts), awake bodies. Output: lists of bodies and groups in the order of the
// batches, ranges of each batch and of its cells in them.
import { awakeBody } from '../bodies/awake';
import { isMoved } from '../bodies/rows';
import { substepsInStep } from '../constraints/soft_step';
import {
  BATCH_STATE_STRIDE,
  BatchState,
  CELL_STRIDE,
  Cell,
  ContactGroup,
  Header,
  NONE,
  SOLVER_BATCH_STRIDE,
  SOLVER_WIDE,
  SolverBatch,
  WordList,
} from '../layout.generated';
import { join, rootOf, seenRootOf } from '../math/union_find';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { bodyOfA, bodyOfB, groupAt, groupList, groupsEnd, isEmpty } from './lane_layout';

const LEAST: u32 = 6;

/** Fewest substeps of a number that the core chooses (ordering/substeps.ts). */
export function fewestSubsteps(): u32 {
  return max<u32>(LEAST, header().autoSubsteps);
}

export function batchState(): BatchState {
  return changetype<BatchState>(<usize>header().batchState);
}
export function batchAt(i: u32): SolverBatch {
  return changetype<SolverBatch>(<usize>batchState().batches + <usize>i * SOLVER_BATCH_STRIDE);
}
export function cellAt(i: u32): Cell {
  return changetype<Cell>(<usize>batchState().cells + <usize>i * CELL_STRIDE);
}

/** Part of initWorld. False without memory. */
export function initBatches(): bool {
  header().batchState = <u32>allocate(BATCH_STATE_STRIDE);
  if (header().batchState == 0) return false;
  batchState().open = NONE;
  return true;
}

/** Whether a solver works batch by batch. */
export function usesBatches(solver: u32): bool {
  return solver == SOLVER_WIDE;
}

/** Room for an entry a body in the array at `field`. False without memory. */
export function roomForBodies(field: usize, stride: usize): bool {
  const at: usize = changetype<usize>(batchState()) + field;
  return ensureArray(at, stride, header().bodyCapacity);
}

/** Room for the cell and the substep length of each body. False without memory. */
export function reserveBatches(): bool {
  const h: Header = header();
  const s: BatchState = batchState();
  const known: u32 = s.cellOfBodyCapacity;
  if (!roomForBodies(offsetof<BatchState>('cellOfBody'), 4)) return false;
  if (s.cellOfBodyCapacity != known)
    memory.fill(<usize>s.cellOfBody + ((<usize>known) << 2), 0xff, (<usize>(s.cellOfBodyCapacity - known)) << 2);
  const at: usize = changetype<usize>(h) + offsetof<Header>('bodySubsteps');
  return ensureArray(at, 4, h.bodyCapacity);
}

/** A new batch. NONE without memory. */
export function addBatch(substeps: u32): u32 {
  const s: BatchState = batchState();
  const at: usize = changetype<usize>(s);
  const index: u32 = s.count;
  if (!ensureArray(at + offsetof<BatchState>('batches'), SOLVER_BATCH_STRIDE, index + 1)) return NONE;
  if (!ensureArray(at + offsetof<BatchState>('parents'), 4, index + 1)) return NONE;
  put32(s.parents, index, index);
  memory.fill(changetype<usize>(batchAt(index)), 0xff, SOLVER_BATCH_STRIDE);
  batchAt(index).substeps = substeps;
  batchAt(index).wanted = 0;
  batchAt(index).peak = 0;
  s.count = index + 1;
  return index;
}

/** A new cell of a batch. NONE without memory. */
export function addCell(batch: u32): u32 {
  const s: BatchState = batchState();
  const at: usize = changetype<usize>(s);
  const index: u32 = s.cellCount;
  if (!ensureArray(at + offsetof<BatchState>('cells'), CELL_STRIDE, index + 1)) return NONE;
  memory.fill(changetype<usize>(cellAt(index)), 0xff, CELL_STRIDE);
  cellAt(index).batch = batch;
  cellAt(index).bodies = 0;
  s.cellCount = index + 1;
  return index;
}

/** All batches go; bodies have none. */
export function dropBatches(): void {
  const s: BatchState = batchState();
  memory.fill(<usize>s.cellOfBody, 0xff, (<usize>s.cellOfBodyCapacity) << 2);
  s.count = 0;
  s.cellCount = 0;
  s.open = NONE;
  s.stale = 1;
  s.layouts++;
}

/** Substeps of bodies without a batch, in a step of Header.softStep. */
export function openSubsteps(): u32 {
  const h: Header = header();
  return h.autoSubsteps != 0 && usesBatches(h.solver) ? fewestSubsteps() : h.substeps;
}

/** Fewest substeps that a body goes through in this step. */
export function leastSubsteps(): u32 {
  return usesBatches(header().solver) ? substepsInStep(openSubsteps()) : header().stepSubsteps;
}

/** SolverBatch that a body was put into, NONE if it has none. */
function batchOfBody(body: u32): u32 {
  const s: BatchState = batchState();
  if (body >= s.cellOfBodyCapacity) return NONE;
  const cell: u32 = at32(s.cellOfBody, body);
  return cell == NONE ? NONE : cellAt(cell).batch;
}

/** Root of the batch of a body, NONE if it has none. */
export function rootOfBody(body: u32): u32 {
  const batch: u32 = batchOfBody(body);
  return batch == NONE ? NONE : rootOf(batchState().parents, batch);
}

/** Substeps that a body goes through in this step, as far as is known before its contacts are. Several threads may ask. */
export function substepsOf(body: u32): u32 {
  const h: Header = header();
  if (!usesBatches(h.solver)) return h.stepSubsteps;
  const batch: u32 = batchOfBody(body);
  return batch == NONE ? leastSubsteps() : substepsInStep(batchAt(seenRootOf(batchState().parents, batch)).substeps);
}

/** Substeps a second that a pair of bodies goes through. */
export function substepRateOf(bodyA: u32, bodyB: u32): f32 {
  return <f32>max<u32>(max<u32>(substepsOf(bodyA), substepsOf(bodyB)), 1) / header().dt;
}

/** s: length of the substep that the impulses on a body belong to, 0 before its first step. */
export function impulseStepOf(body: u32): f32 {
  const h: Header = header();
  const own: f32 = body < h.bodySubstepsCapacity ? load<f32>(<usize>h.bodySubsteps + ((<usize>body) << 2)) : <f32>0;
  return own > 0 ? own : h.impulseStep;
}

/** s: the same of a manifold; contacts move one of its bodies at least. */
export function impulseStepBetween(bodyA: u32, bodyB: u32): f32 {
  return impulseStepOf(isMoved(bodyA) ? bodyA : bodyB);
}

/** The cell that is open to all, of a batch of its own at first. NONE without memory. */
function openCell(): u32 {
  const s: BatchState = batchState();
  if (s.open != NONE) return s.open;
  const batch: u32 = addBatch(openSubsteps());
  if (batch != NONE) s.open = addCell(batch);
  return s.open;
}

/** A body comes to a cell. */
function putBody(body: u32, cell: u32): void {
  put32(batchState().cellOfBody, body, cell);
  cellAt(cell).bodies++;
}

/** A batch takes over another one that was joined to it: the larger number of substeps. */
function takeBatch(root: u32, joined: u32): void {
  const batch: SolverBatch = batchAt(root);
  batch.substeps = max<u32>(batch.substeps, batchAt(joined).substeps);
  batch.wanted = max<u32>(batch.wanted, batchAt(joined).wanted);
  batch.peak = max<u32>(batch.peak, batchAt(joined).peak);
}

/** Root of the batch for a manifold: those of its bodies become one. NONE: a body contacts do not move. NONE without memory. */
export function batchFor(bodyA: u32, bodyB: u32): u32 {
  if (!reserveBatches()) return NONE;
  const s: BatchState = batchState();
  let a: u32 = bodyA == NONE ? NONE : rootOfBody(bodyA),
    b: u32 = bodyB == NONE ? NONE : rootOfBody(bodyB);
  if (a == NONE && b == NONE) {
    const open: u32 = openCell();
    if (open == NONE) return NONE;
    a = rootOf(s.parents, cellAt(open).batch);
    putBody(bodyA == NONE ? bodyB : bodyA, open);
    if (bodyA == NONE || bodyB == NONE) return a;
  }
  if (a == NONE && bodyA != NONE) putBody(bodyA, cellOf(bodyB));
  if (b == NONE && bodyB != NONE) putBody(bodyB, cellOf(bodyA));
  if (a == NONE || b == NONE || a == b) return a == NONE ? b : a;
  join(s.parents, a, b);
  const root: u32 = rootOf(s.parents, a);
  takeBatch(root, root == a ? b : a);
  s.stale = 1;
  s.changed = 1;
  s.layouts++;
  return root;
}

/** The cell of a body that has a batch. */
export function cellOf(body: u32): u32 {
  return at32(batchState().cellOfBody, body);
}

/** The cell of a constraint between two bodies of a batch: the first of theirs. NONE: a body that contacts do not move. */
export function cellBetween(bodyA: u32, bodyB: u32): u32 {
  const a: u32 = bodyA == NONE ? NONE : cellOf(bodyA),
    b: u32 = bodyB == NONE ? NONE : cellOf(bodyB);
  return min<u32>(a, b); // NONE is the largest
}

/** Groups of the lists of open ones are in no list any more, and no cell has places. */
export function closeBatches(): void {
  for (let i: u32 = 0; i < batchState().cellCount; i++) {
    memory.fill(openGroups(i, 1), 0xff, 16);
    memory.fill(sparePlaces(i, 1), 0xff, 32);
  }
}

/** Address of the next of the places that a cell has for groups of k points. */
export function sparePlaces(cell: u32, k: u32): usize {
  return changetype<usize>(cellAt(cell)) + offsetof<Cell>('spare1') + ((<usize>(k - 1)) << 2);
}

/** Address of where these places end. */
export function spareEnd(cell: u32, k: u32): usize {
  return changetype<usize>(cellAt(cell)) + offsetof<Cell>('spareEnd1') + ((<usize>(k - 1)) << 2);
}

/** Address of the newest open group of manifolds with k points of a cell. */
export function openGroups(cell: u32, k: u32): usize {
  return changetype<usize>(cellAt(cell)) + offsetof<Cell>('open1') + ((<usize>(k - 1)) << 2);
}

/** The cell of a group, which all of its manifolds share; NONE if their bodies have none. */
export function cellOfGroup(group: ContactGroup): u32 {
  const s: BatchState = batchState();
  for (let lane: usize = 0; lane < 4; lane++) {
    const a: u32 = bodyOfA(group, lane),
      b: u32 = bodyOfB(group, lane);
    let cell: u32 = NONE;
    if (isMoved(a) && a < s.cellOfBodyCapacity) cell = cellOf(a);
    if (isMoved(b) && b < s.cellOfBodyCapacity) cell = min<u32>(cell, cellOf(b));
    if (cell != NONE) return cell;
  }
  return NONE;
}

/** Lists of bodies and groups in the order of their batches, if anything has changed. False without memory (header error set). */
export function listBatches(): bool {
  const h: Header = header();
  const s: BatchState = batchState();
  if (s.stale == 0 && s.awakeLists == h.awakeLists) return true;
  const at: usize = changetype<usize>(s);
  if (!reserveBatches()) return false;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const body: u32 = awakeBody(k);
    if (!isMoved(body) || rootOfBody(body) != NONE) continue;
    const open: u32 = openCell();
    if (open == NONE) return false;
    putBody(body, open);
  }
  const list: WordList = groupList();
  const begin: usize = list.words,
    end: usize = groupsEnd(list);
  if (!roomForBodies(offsetof<BatchState>('bodies'), 4)) return false;
  const count: u32 = list.count;
  if (!ensureArray(at + offsetof<BatchState>('words'), 4, count)) return false;
  if (!ensureArray(at + offsetof<BatchState>('order'), 4, count)) return false;
  const order: usize = at + offsetof<BatchState>('cellOrder');
  if (!ensureArray(order, 4, s.cellCount)) return false;
  for (let i: u32 = 0; i < s.count; i++) {
    const batch: SolverBatch = batchAt(i);
    batch.bodyEnd = 0;
    batch.cellEnd = 0;
  }
  for (let c: u32 = 0; c < s.cellCount; c++) {
    cellAt(c).groupEnd = 0;
    batchAt(rootOfCell(c)).cellEnd++;
  }
  for (let k: u32 = 0; k < h.awakeCount; k++) if (isMoved(awakeBody(k))) batchAt(rootOfBody(awakeBody(k))).bodyEnd++;
  const known: usize = <usize>s.order - begin;
  for (let word: usize = begin; word < end; word += 4) {
    const cell: u32 = cellOfListed(load<u32>(word));
    store<u32>(known + word, cell);
    if (cell != NONE) cellAt(cell).groupEnd++;
  }
  let bodies: u32 = 0,
    cells: u32 = 0;
  for (let i: u32 = 0; i < s.count; i++) {
    const batch: SolverBatch = batchAt(i);
    batch.firstBody = bodies;
    batch.firstCell = cells;
    bodies += batch.bodyEnd;
    cells += batch.cellEnd;
    batch.bodyEnd = batch.firstBody;
    batch.cellEnd = batch.firstCell;
  }
  for (let c: u32 = 0; c < s.cellCount; c++) put32(s.cellOrder, batchAt(rootOfCell(c)).cellEnd++, c);
  let groups: u32 = 0;
  for (let i: u32 = 0; i < s.count; i++) {
    const batch: SolverBatch = batchAt(i);
    batch.firstGroup = groups;
    for (let k: u32 = batch.firstCell; k < batch.cellEnd; k++) {
      const cell: Cell = cellAt(at32(s.cellOrder, k));
      cell.firstGroup = groups;
      groups += cell.groupEnd;
      cell.groupEnd = cell.firstGroup;
    }
    batch.groupEnd = groups;
  }
  s.listed = bodies;
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const body: u32 = awakeBody(k);
    put32(s.bodies, isMoved(body) ? batchAt(rootOfBody(body)).bodyEnd++ : bodies++, body);
  }
  for (let word: usize = begin; word < end; word += 4) {
    const cell: u32 = load<u32>(known + word);
    if (cell != NONE) put32(s.words, cellAt(cell).groupEnd++, load<u32>(word));
  }
  s.stale = 0;
  s.lists++;
  s.awakeLists = h.awakeLists;
  return true;
}

/** Root of the batch of a cell. */
function rootOfCell(cell: u32): u32 {
  return rootOf(batchState().parents, cellAt(cell).batch);
}

/** The cell of the group that a word names, NONE of an empty one. */
function cellOfListed(word: u32): u32 {
  const group: ContactGroup = groupAt(word);
  return isEmpty(group) ? NONE : cellOfGroup(group);
}
