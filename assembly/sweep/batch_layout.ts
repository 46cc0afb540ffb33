// Layout of batches: which bodies go through their substeps together, and with how many substeps.
//
// An island (constraints/islands.ts) of more than UNCUT bodies is a batch by itself. Smaller islands that ask for the same number
// of substeps share batches, in the order of their first bodies. If the core chooses the number of substeps, a batch takes the
// number of its most demanding island: more at once, fewer one by one and only now and then, so that contacts settle to their new
// depth without a visible motion (ordering/substeps.ts). A layout moves every manifold to a new lane, batch by batch, with its
// impulses, in the old order. This costs about as much as a substep, so it is done only if it pays: fewer substeps in all,
// smaller batches, or cells (cut_cells.ts) that have become bad.
// Input: lanes, wanted substeps. Output: batches and cells (batches.ts), lanes.
import {
  Cell,
  ContactGroup,
  ContactSide,
  Header,
  ISLAND_STRIDE,
  Island,
  Manifold,
  NONE,
  BATCH_QUEUES,
  BATCH_STATE_STRIDE,
  SolverBatch,
  BatchState,
} from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { isMoved } from '../bodies/rows';
import { islandOf, splitIsland } from '../constraints/islands';
import { manifoldAt } from '../constraints/manifolds';
import { CLASSES, bodyOfA, bodyOfB, groupAt, groupList, laneState, lanesUsed, manifoldOf, sideAt } from '../lanes/lane_layout';
import { insertAllLanes, emptyLanes, groupsMade, keepPlaces, putBack, takeOut } from '../lanes/lanes';
import {
  addBatch,
  cellAt,
  cellBetween,
  dropBatches,
  fewestSubsteps,
  listBatches,
  reserveBatches,
  roomForBodies,
  rootOfBody,
  batchAt,
  batchState,
} from '../lanes/batches';
import { rootOf } from '../math/union_find';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { areWoken, isLookDue, look, substepsHidden, substepsWanted } from '../ordering/substeps';
import { CROWDED, UNCUT, cutCells } from './cut_cells';

// Spare places in a cell for future groups: so many for each number of points, and this share of the present ones.
const SPARE: u32 = 2;
const SPARE_SHARE: u32 = 3;
// Steps between two layouts, and until a batch takes one substep less.
const EVERY: u32 = 16;
const URGENT: u32 = 4;

function islandAt(body: u32): Island {
  return changetype<Island>(<usize>batchState().islands + <usize>islandOf(body) * ISLAND_STRIDE);
}
/**
 * Before the contacts stage: batches of this step and their substeps, as far as they are known. False without memory (error
 * set).
 */
export function chooseBatches(): bool {
  const h: Header = header();
  const s: BatchState = batchState();
  if (!reserveBatches()) return false;
  if (s.incomplete != 0) {
    if (!insertAllLanes()) return false;
    s.incomplete = 0;
  }
  if (h.autoSubsteps == 0) {
    for (let i: u32 = 0; i < s.count; i++) batchAt(i).substeps = h.substeps;
  } else if (isLookDue()) {
    if (!look()) return false;
    raiseBatches();
  }
  const due: bool = h.stepCount - s.laidOut >= EVERY;
  if (!due && !isUrgent(s)) return true;
  if (due) {
    s.laidOut = h.stepCount;
    if (h.autoSubsteps != 0) lowerBatches();
  }
  return s.changed == 0 || layOut();
}

/** After the contacts stage: islands that it woke may need more substeps at once. False without memory (error set). */
export function raiseWokenBatches(): bool {
  if (header().autoSubsteps == 0 || !areWoken()) return true;
  if (!look()) return false;
  raiseBatches();
  return true;
}

/** Batches take at least what the last look asks for. */
function raiseBatches(): void {
  const h: Header = header();
  const count: u32 = batchState().count;
  for (let i: u32 = 0; i < count; i++) {
    batchAt(i).wanted = fewestSubsteps();
    batchAt(i).hides = NONE;
  }
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const root: u32 = rootOfBody(awakeBody(k));
    if (root == NONE) continue;
    const batch: SolverBatch = batchAt(root);
    batch.wanted = max<u32>(batch.wanted, substepsWanted(awakeBody(k)));
    batch.hides = min<u32>(batch.hides, substepsHidden(awakeBody(k)));
  }
  for (let i: u32 = 0; i < count; i++) {
    const batch: SolverBatch = batchAt(i);
    batch.peak = max<u32>(batch.peak, batch.wanted);
    batch.substeps = max<u32>(batch.substeps, batch.wanted);
  }
}

/** Batches that have had more substeps than they needed since the last time take fewer, unseen. */
function lowerBatches(): void {
  for (let i: u32 = 0; i < batchState().count; i++) {
    const batch: SolverBatch = batchAt(i);
    const enough: u32 = max<u32>(batch.peak, fewestSubsteps());
    if (batch.substeps > enough) batch.substeps -= min<u32>(batch.hides, batch.substeps - enough);
    batch.peak = batch.wanted;
  }
}

/** The cell of a lane. */
function cellOfLane(group: ContactGroup, lane: usize): Cell {
  const a: u32 = bodyOfA(group, lane),
    b: u32 = bodyOfB(group, lane);
  return cellAt(cellBetween(isMoved(a) ? a : NONE, isMoved(b) ? b : NONE));
}

/** Makes the islands of the listed bodies exact; counts their bodies and substeps. */
function measureIslands(s: BatchState): void {
  const h: Header = header();
  for (let k: u32 = 0; k < s.listed; k++) splitIsland(at32(s.bodies, k), 0);
  memory.fill(s.islands, 0, <usize>h.bodyCount * ISLAND_STRIDE);
  const auto: bool = h.autoSubsteps != 0;
  for (let k: u32 = 0; k < s.listed; k++) {
    const body: u32 = at32(s.bodies, k);
    const island: Island = islandAt(body);
    island.members++;
    island.wanted = auto ? max<u32>(island.wanted, substepsWanted(body)) : h.substeps;
    island.substeps = max<u32>(island.substeps, batchAt(rootOfBody(body)).substeps);
    island.batch = NONE;
  }
}

/** Groups in the lists of this moment. */
function listedGroups(s: BatchState): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < s.count; i++) if (rootOf(s.parents, i) == i) n = max<u32>(n, batchAt(i).groupEnd);
  return n;
}

/** Whether many lanes of groups are empty. */
function isLoose(groups: u32): bool {
  const lanes: u32 = laneState().lanesUsed;
  return groups << 2 > lanes + (lanes >> 3);
}

/** Whether so many groups have come since the last layout that the next cannot wait. */
function isUrgent(s: BatchState): bool {
  const groups: u32 = groupList().count;
  return (header().stepCount & (URGENT - 1)) == 0 && s.strayed > groups >> 2 && groups > UNCUT;
}

/** Whether the cut of large batches is old: many bodies in cells that are too large, or many groups that it did not know. */
function isCutOld(s: BatchState, groups: u32): bool {
  let large: u32 = 0,
    crowded: u32 = 0;
  for (let i: u32 = 0; i < s.count; i++) {
    const batch: SolverBatch = batchAt(i);
    const bodies: u32 = batch.bodyEnd - batch.firstBody;
    if (rootOf(s.parents, i) != i || bodies <= UNCUT) continue;
    large += bodies;
    for (let k: u32 = batch.firstCell; k < batch.cellEnd; k++) {
      const size: u32 = cellAt(at32(s.cellOrder, k)).bodies;
      if (size > CROWDED) crowded += size;
    }
  }
  return crowded > large >> 3 || (large != 0 && (s.strayed > groups >> 4 || isLoose(groups)));
}

/** Whether new batches are worth their cost. */
function pays(s: BatchState, groups: u32): bool {
  if (isCutOld(s, groups)) return true;
  const auto: bool = header().autoSubsteps != 0;
  let before: u32 = 0,
    after: u32 = 0;
  let largest: u32 = 0,
    largestIsland: u32 = UNCUT;
  for (let i: u32 = 0; i < s.count; i++) {
    if (rootOf(s.parents, i) != i) continue;
    const bodies: u32 = batchAt(i).bodyEnd - batchAt(i).firstBody;
    before += bodies * (auto ? max<u32>(batchAt(i).wanted, fewestSubsteps()) : fewestSubsteps());
    largest = max<u32>(largest, bodies);
  }
  for (let k: u32 = 0; k < s.listed; k++) {
    const island: Island = islandAt(at32(s.bodies, k));
    after += auto ? island.wanted : fewestSubsteps();
    largestIsland = max<u32>(largestIsland, island.members);
  }
  return after < before - (before >> 5) || largestIsland <= largest >> 1;
}

/** Gives every island its batch: one of its own, or one that it shares. False without memory. */
function makeBatches(s: BatchState): bool {
  dropBatches();
  const open: usize = changetype<usize>(s) + BATCH_QUEUES;
  memory.fill(open, 0xff, BATCH_STATE_STRIDE - BATCH_QUEUES);
  for (let k: u32 = 0; k < s.listed; k++) {
    const body: u32 = at32(s.bodies, k);
    const island: Island = islandAt(body);
    if (island.batch == NONE) {
      let batch: u32 = at32(open, island.wanted);
      if (batch == NONE || batchAt(batch).bodyEnd + island.members > UNCUT) {
        batch = addBatch(0);
        if (batch == NONE) return false;
        batchAt(batch).bodyEnd = 0;
        batchAt(batch).groupEnd = 0;
        // The fuller of the two is closed.
        const last: u32 = at32(open, island.wanted);
        if (last == NONE || batchAt(last).bodyEnd >= island.members) put32(open, island.wanted, batch);
      }
      batchAt(batch).bodyEnd += island.members;
      batchAt(batch).substeps = max<u32>(batchAt(batch).substeps, island.substeps);
      batchAt(batch).wanted = island.wanted;
      batchAt(batch).peak = island.wanted;
      island.batch = batch;
    }
    put32(s.cellOfBody, body, island.batch); // its cell comes later
  }
  return true;
}

/** Lists the manifolds in lanes, cell by cell, in the order of their groups. Returns their number. */
function orderLanes(s: BatchState, groups: u32): u32 {
  const end: usize = <usize>s.words + ((<usize>groups) << 2);
  for (let c: u32 = 0; c < s.cellCount; c++) cellAt(c).groupEnd = 0;
  for (let word: usize = s.words; word < end; word += 4) {
    const group: ContactGroup = groupAt(load<u32>(word));
    const used: u32 = lanesUsed(sideAt(load<u32>(word)));
    for (let lane: usize = 0; lane < <usize>used; lane++) cellOfLane(group, lane).groupEnd++;
  }
  let lanes: u32 = 0;
  for (let c: u32 = 0; c < s.cellCount; c++) {
    const count: u32 = cellAt(c).groupEnd;
    cellAt(c).groupEnd = lanes;
    lanes += count;
  }
  for (let word: usize = s.words; word < end; word += 4) {
    const group: ContactGroup = groupAt(load<u32>(word)),
      side: ContactSide = sideAt(load<u32>(word));
    const used: u32 = lanesUsed(side);
    for (let lane: usize = 0; lane < <usize>used; lane++)
      put32(s.order, cellOfLane(group, lane).groupEnd++, manifoldOf(side, lane));
  }
  return lanes;
}

// Colors of the manifolds of a cell, in the upper bits of an entry of BatchState.order.
const COLOR_SHIFT: u32 = 27;
const COLORS: u32 = 32;

/** Bits of the colors that manifolds of the cell have given a body: scratch in BatchState.members, cell and bits a body. */
function colorsAt(body: u32, cell: u32): usize {
  const at: usize = <usize>batchState().members + ((<usize>body) << 3);
  if (load<u32>(at) != cell) {
    store<u32>(at, cell);
    store<u32>(at, 0, 4);
  }
  return at + 4;
}

/**
 * The manifolds of each cell color by color, no two of a color on one body: groups that come one after the other then hardly
 * share one, and a core can begin the next before it is through with the last. Behind the `lanes` entries of BatchState.order.
 */
function spreadLanes(s: BatchState, lanes: u32): void {
  const bodies: u32 = header().bodyCount;
  memory.fill(s.members, 0xff, (<usize>bodies) << 3);
  const counts: usize = header().scratch;
  let begin: u32 = 0;
  for (let c: u32 = 0; c < s.cellCount; c++) {
    const end: u32 = cellAt(c).groupEnd;
    memory.fill(counts, 0, COLORS << 2);
    for (let i: u32 = begin; i < end; i++) {
      const m: Manifold = manifoldAt(at32(s.order, i));
      const a: usize = isMoved(m.bodyA) ? colorsAt(m.bodyA, c) : 0,
        b: usize = isMoved(m.bodyB) ? colorsAt(m.bodyB, c) : 0;
      const free: u32 = ~((a == 0 ? 0 : load<u32>(a)) | (b == 0 ? 0 : load<u32>(b)));
      const color: u32 = min<u32>(<u32>ctz<u32>(free), COLORS - 1);
      if (a != 0) store<u32>(a, load<u32>(a) | (1 << color));
      if (b != 0) store<u32>(b, load<u32>(b) | (1 << color));
      put32(s.order, i, at32(s.order, i) | (color << COLOR_SHIFT));
      put32(counts, color, at32(counts, color) + 1);
    }
    let place: u32 = lanes + begin;
    for (let color: u32 = 0; color < COLORS; color++) {
      const count: u32 = at32(counts, color);
      put32(counts, color, place);
      place += count;
    }
    for (let i: u32 = begin; i < end; i++) {
      const color: u32 = at32(s.order, i) >> COLOR_SHIFT;
      const to: u32 = at32(counts, color);
      put32(counts, color, to + 1);
      put32(s.order, to, at32(s.order, i) & ((1 << COLOR_SHIFT) - 1));
    }
    begin = end;
  }
}

/** Lays out batches for the present islands, if that pays. False without memory (error set). */
function layOut(): bool {
  const s: BatchState = batchState();
  const at: usize = changetype<usize>(s);
  if (!listBatches()) return false;
  if (!roomForBodies(offsetof<BatchState>('islands'), ISLAND_STRIDE)) return false;
  if (!roomForBodies(offsetof<BatchState>('members'), 8)) return false;
  if (!ensureArray(at + offsetof<BatchState>('order'), 4, 2 * header().manifoldCapacity)) return false;
  const groups: u32 = listedGroups(s);
  measureIslands(s);
  s.changed = 0;
  if (!pays(s, groups)) return true;
  if (!makeBatches(s) || !cutCells(groups)) {
    dropBatches(); // no manifold may couple two batches
    return false;
  }
  const made: usize = header().scratch;
  const lanes: u32 = orderLanes(s, groups);
  spreadLanes(s, lanes);
  for (let i: u32 = lanes; i < 2 * lanes; i++) takeOut(at32(s.order, i));
  emptyLanes();
  s.incomplete = 1;
  for (let c: u32 = 0, i: u32 = lanes; c < s.cellCount; c++) {
    for (let k: u32 = 1; k <= CLASSES; k++) put32(made, k, groupsMade(k));
    for (const end: u32 = lanes + cellAt(c).groupEnd; i < end; i++) if (!putBack(at32(s.order, i))) return false;
    // Room for future groups beside the present ones of the cell.
    const batch: SolverBatch = batchAt(cellAt(c).batch);
    if (batch.cellEnd - batch.firstCell == 1) continue;
    for (let k: u32 = 1; k <= CLASSES; k++) {
      const count: u32 = groupsMade(k) - at32(made, k);
      if (!keepPlaces(c, k, SPARE + count / SPARE_SHARE)) return false;
    }
  }
  s.incomplete = 0;
  s.changed = 0;
  s.strayed = 0;
  return true;
}
