// Packs a step for the mass-splitting solver, in the bytes that the GPU takes and that its twins here work on.
//
// layOutCells   what follows from the cells alone and holds as long as they do: cells, members, slots, owners
// prepare       what a step needs besides, made by spread.ts, prepare.ts and joint.ts, on the GPU by their twins: states of
//               slots, links and points, the carried impulses
// A body touched by k cells has k sub-bodies (slots) of mass m / k (Tonge 2012, eq. 35-37, with cells as blocks); more where
// it has more links in a cell than a sub-body takes (OrderState.linkCap), with its links dealt out in turn. Effective
// masses take k times the inverse mass of each side, gamma that of whole bodies. Velocities of a body with k > 1 pass
// between cells through k contiguous rows; two halves are written and read in turn. Static bodies have no slot: their local
// index is SPLIT_BODY_CAP. Kinematic bodies have a private slot of zero inverse mass in every cell. Bodies without contacts
// get a slot behind those of the cells, with k = 0.
// Input: active manifolds, bodies, the cells of ordering/. Output: SplitState.
import { rowAt } from '../bodies/rows';
import { forgetHeld } from '../constraints/held';
import { pointFriction } from '../constraints/point_friction';
import {
  BODY_SLOTS_STRIDE,
  BodySlots,
  GPU_BODY_STRIDE,
  GPU_MOTION_STRIDE,
  Header,
  JOINT_STATE_ROWS,
  LOCAL_BODY_STRIDE,
  NONE,
  OrderState,
  REPORTED_CONTACT_STRIDE,
  SPLIT_BODY_CAP,
  SPLIT_CELL_STRIDE,
  SPLIT_CONTINUED,
  SPLIT_FIRST_SUBSTEP,
  SPLIT_LAST,
  SPLIT_LINK_STRIDE,
  SPLIT_MEMBER_STRIDE,
  SPLIT_MORE_STEPS,
  SPLIT_POINT_FRICTION,
  SPLIT_RELAX,
  SPLIT_ROLLING,
  SPLIT_ROW_STRIDE,
  SPLIT_SLOT_STATE_STRIDE,
  SPLIT_SLOT_STRIDE,
  SPLIT_SOFT,
  SPLIT_STEP_SLOT,
  SPLIT_SUBSTEP,
  SPLIT_UNFINISHED,
  SPLIT_WARM,
  SplitCell,
  SplitMember,
  SplitSlot,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { initSplit, splitRoom, splitState } from '../memory/split_state';
import { at32, put32 } from '../memory/words';
import { NO_LINK_CAP } from '../ordering/cell_coloring';
import { manifoldOfLink } from '../ordering/graph';
import { updateCells } from '../ordering/kept_cells';
import { isMoving, orderState } from '../ordering/state';
import { biasRate, gammaScale } from '../rows/softness';
import { prepareJointLink, softenJoints } from './joint';
import { reserveJointRows } from './joint_rows';
import {
  STEP_COLLECT,
  STEP_EDIT,
  STEP_FINALISE,
  STEP_ISLAND,
  STEP_ISLAND_JOINTS,
  STEP_PREPARE,
  STEP_SPREAD,
  stepAt,
} from './packed';
import { prepareLink } from './prepare';
import { spreadBody } from './spread';

/** Bodies are reported when their speed has changed by Header.readbackTolerance, this many times a second (2 mm/s of 0.1 mm). */
const REPORT_RATE: f32 = 20;

function cellAt(s: SplitState, cell: u32): SplitCell {
  return changetype<SplitCell>(<usize>s.cells + <usize>cell * SPLIT_CELL_STRIDE);
}

function slotsOf(body: u32): BodySlots {
  return changetype<BodySlots>(<usize>splitState().bodySlots + <usize>body * BODY_SLOTS_STRIDE);
}

/** Orders the active manifolds into cells and packs them. Writes the counts to the header. False without memory. */
export function packSplit(): bool {
  return layOutCells() && prepare();
}

/** Cells, members, slots and steps. False without memory. */
export function layOutCells(): bool {
  if (!initSplit()) return false;
  const movers: bool = moversChanged(splitState());
  return updateCells(movers) && layOut(movers);
}

/**
 * The same for the GPU, which then has none of the contacts that came since it was reset. `jointIslands`: it has the kernel for
 * islands with joints; without it these go through the passes.
 */
export function layOutGpu(jointIslands: bool): bool {
  if (!initSplit()) return false;
  const s: SplitState = splitState();
  if (s.heldEpoch != header().heldEpoch) s.layout = 0;
  s.jointIslands = jointIslands ? 1 : 0;
  return layOutCells();
}

/** Slots and steps of the cells there are; `moversChanged`: other bodies move than at the last time. False without memory. */
export function layOut(moversChanged: bool): bool {
  const h = header();
  const s: SplitState = splitState();
  const order: OrderState = orderState();
  const stride: u32 = pointFriction().isOn() ? 8 : 6;
  if (s.impulseStride != stride || s.rolling != h.anyRolling) {
    s.layout = 0;
    forgetHeld(); // impulses lie elsewhere now
  }
  s.impulseStride = stride;
  s.pointRows = stride == 8 ? 9 : 5;
  s.rolling = h.anyRolling;
  // The manifold, its points, the others: rolling resistance only where anything rolls.
  s.linkReportWords = 1 + 4 * (s.impulseStride - (s.rolling != 0 ? 0 : 1));
  s.jointCount = order.jointCount;
  if (s.jointCount != 0) h.oneMean = 0; // was tried on contacts alone
  if (order.cellsChanged != 0 || s.bodyCount != h.bodyCount || s.layout == 0 || moversChanged) {
    if (!layOutSlots(s, order)) return false;
  }
  h.slotCount = s.slotCount;
  return fillSteps(s);
}

/** Whether the moving bodies differ from those that got slots. */
function moversChanged(s: SplitState): bool {
  for (let i: u32 = 0; i < s.bodyCount; i++) if ((load<u8>(<usize>s.moving + <usize>i) != 0) != isMoving(i)) return true;
  return false;
}

function layOutSlots(s: SplitState, order: OrderState): bool {
  const bodies: u32 = header().bodyCount;
  s.layout = 0; // holds again at the end
  s.layouts++;
  s.cellCount = order.cellCount;
  s.closedCellCount = order.closedCellCount;
  s.plainCellCount = order.plainCellCount;
  s.linkCount = order.linkCount;
  s.bodyCount = bodies;
  s.colorEndCount = order.cellColorCount;
  s.cellBytes = order.cellCount * <u32>SPLIT_CELL_STRIDE + order.cellColorCount * 4;
  if (!splitRoom(offsetof<SplitState>('bodySlots'), BODY_SLOTS_STRIDE, bodies)) return false;
  if (!splitRoom(offsetof<SplitState>('moving'), 1, bodies)) return false;
  if (!splitRoom(offsetof<SplitState>('owners'), 4, bodies)) return false;
  countSlots(s, order);
  if (!splitRoom(offsetof<SplitState>('cells'), 4, order.cellCount * (<u32>SPLIT_CELL_STRIDE / 4) + order.cellColorCount))
    return false;
  if (!splitRoom(offsetof<SplitState>('members'), SPLIT_MEMBER_STRIDE, s.linkCount)) return false;
  if (!splitRoom(offsetof<SplitState>('slots'), SPLIT_SLOT_STRIDE, s.slotCount)) return false;
  if (!splitRoom(offsetof<SplitState>('jointMembers'), 4, s.jointCount)) return false;
  fillSlots(s, order);
  s.layout = s.layouts;
  return true;
}

/** States, links and points of this step. False without memory. */
export function prepare(): bool {
  const s: SplitState = splitState();
  if (!pointFriction().reserve()) return false;
  if (!splitRoom(offsetof<SplitState>('localBodies'), <u32>LOCAL_BODY_STRIDE, SPLIT_BODY_CAP + 1)) return false;
  if (!splitRoom(offsetof<SplitState>('links'), SPLIT_LINK_STRIDE, s.linkCount)) return false;
  if (!splitRoom(offsetof<SplitState>('points'), 16, s.pointRows * s.linkCount)) return false;
  if (!splitRoom(offsetof<SplitState>('impulses'), 16, s.impulseStride * header().manifoldCapacity)) return false;
  if (!splitRoom(offsetof<SplitState>('slotStates'), SPLIT_SLOT_STATE_STRIDE, s.slotCount)) return false;
  if (!splitRoom(offsetof<SplitState>('rows'), SPLIT_ROW_STRIDE, s.rowCount * 4)) return false;
  if (header().reportChanges != 0 && !reserveReports(s)) return false;
  for (let slot: u32 = 0; slot < s.slotCount; slot++) spreadBody(s, slot);
  if (s.jointCount != 0 && !reserveJointRows()) return false;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const member: SplitMember = changetype<SplitMember>(<usize>s.members + <usize>l * SPLIT_MEMBER_STRIDE);
    if (member.room == NONE) prepareJointLink(s, l, member);
    else prepareLink(s, l, member);
  }
  return true;
}

/** Room for what stays here of quiet bodies and manifolds, as on the GPU. False without memory. */
function reserveReports(s: SplitState): bool {
  const h = header();
  if (h.heldEpoch == 0) h.heldEpoch = 1;
  h.changedCount = 0; // prepare.ts asks each manifold
  return (
    splitRoom(offsetof<SplitState>('bodies'), GPU_BODY_STRIDE, h.bodyCapacity) &&
    splitRoom(offsetof<SplitState>('motions'), GPU_MOTION_STRIDE, h.bodyCapacity) &&
    splitRoom(offsetof<SplitState>('reported'), REPORTED_CONTACT_STRIDE, h.manifoldCapacity) &&
    ensureArray(changetype<usize>(h) + offsetof<Header>('changed'), 4, h.manifoldCapacity)
  );
}

/** Links that a sub-body of the body at this end takes. */
function linkCap(order: OrderState, end: u32): u32 {
  return at32(order.linkBodies, end) == NONE ? NO_LINK_CAP : order.linkCap;
}

/** Counts the links of each body of a cell. */
function countLinks(order: OrderState, cell: u32): void {
  const end: u32 = at32(order.cellStarts, cell + 1);
  for (let i: u32 = at32(order.cellStarts, cell); i < end; i++) {
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = at32(order.linkMovers, at32(order.cellLinks, i) * 2 + side);
      if (body == NONE) continue;
      const b: BodySlots = slotsOf(body);
      if (b.lastCell != cell + 1) b.links = 0;
      b.lastCell = cell + 1;
      b.links++;
      b.local = NONE;
    }
  }
}

/** k of every body, boundary rows, and how many slots there are. */
function countSlots(s: SplitState, order: OrderState): void {
  const bodies: u32 = s.bodyCount;
  memory.fill(s.bodySlots, 0, <usize>bodies * BODY_SLOTS_STRIDE);
  let slots: u32 = 0;
  for (let cell: u32 = 0; cell < s.cellCount; cell++) {
    const end: u32 = at32(order.cellStarts, cell + 1);
    for (let i: u32 = at32(order.cellStarts, cell); i < end; i++) {
      const l: u32 = at32(order.cellLinks, i);
      for (let side: u32 = 0; side < 2; side++) {
        const body: u32 = at32(order.linkMovers, l * 2 + side);
        if (body == NONE) continue;
        const b: BodySlots = slotsOf(body);
        if (b.lastCell != cell + 1) {
          b.lastCell = cell + 1;
          b.links = 0;
        }
        if (b.links++ % linkCap(order, l * 2 + side) != 0) continue;
        b.k++;
        slots++;
      }
    }
  }
  s.cellSlotCount = slots;
  let rows: u32 = 0;
  let split: u32 = 0;
  for (let body: u32 = 0; body < bodies; body++) {
    const b: BodySlots = slotsOf(body);
    b.lastCell = 0;
    b.firstSlot = NONE;
    store<u8>(<usize>s.moving + <usize>body, isMoving(body) ? 1 : 0);
    if (b.k == 0) {
      if (isMoving(body)) slots++;
      continue;
    }
    if (rowAt(body).invMass == 0) b.k = 1; // kinematic: every copy is whole
    if (b.k == 1) continue;
    b.firstRow = rows;
    rows += b.k;
    split++;
  }
  s.slotCount = slots;
  s.rowCount = rows;
  const h = header();
  h.slotCount = slots;
  h.splitBodyCount = split;
}

function writeSlot(s: SplitState, slot: u32, body: u32, k: u32, firstRow: u32, own: u32): void {
  const out: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>slot * SPLIT_SLOT_STRIDE);
  out.firstRow = firstRow;
  out.copies = k;
  out.place = own;
  out.body = body;
}

/** Slots cell by cell in the order in which links name bodies, then bodies without contacts; cells with their colors. */
function fillSlots(s: SplitState, order: OrderState): void {
  const cells: usize = s.cells;
  let slot: u32 = 0;
  let rows: u32 = 0,
    joints: u32 = 0;
  for (let cell: u32 = 0; cell < s.cellCount; cell++) {
    const start: u32 = at32(order.cellStarts, cell);
    const end: u32 = at32(order.cellStarts, cell + 1);
    const slotBase: u32 = slot;
    countLinks(order, cell);
    for (let i: u32 = start; i < end; i++) {
      const l: u32 = at32(order.cellLinks, i);
      const member: SplitMember = changetype<SplitMember>(<usize>s.members + <usize>i * SPLIT_MEMBER_STRIDE);
      if (l < order.contactCount) {
        member.manifold = at32(header().activeManifolds, l);
        member.room = manifoldOfLink(l).count;
      } else {
        member.manifold = at32(order.jointLinks, l - order.contactCount);
        member.room = NONE;
        member.result = rows;
        rows += JOINT_STATE_ROWS;
        put32(s.jointMembers, joints++, i);
      }
      let locals: u32 = 0;
      for (let side: u32 = 0; side < 2; side++) {
        const body: u32 = at32(order.linkMovers, l * 2 + side);
        let local: u32 = SPLIT_BODY_CAP;
        let own: u32 = NONE,
          k: u32 = 1;
        if (body != NONE) {
          const b: BodySlots = slotsOf(body);
          if (b.local == NONE) {
            b.local = slot - slotBase;
            if (b.firstSlot == NONE) b.firstSlot = slot;
            b.links = 1 + (b.links - 1) / linkCap(order, l * 2 + side);
            b.dealt = 0;
            for (let part: u32 = 0; part < b.links; part++) {
              writeSlot(s, slot++, body, b.k, b.firstRow, b.k > 1 ? b.own++ : 0);
            }
          }
          // In turn: a color has at most one link of each part of a body (cell_coloring.ts), and its links lie behind each other.
          local = b.local + (b.dealt++ % b.links);
          own = slotBase + local;
          k = b.k;
        }
        locals |= local << (side << 4);
        store<u32>(changetype<usize>(member) + ((<usize>side) << 2), own, offsetof<SplitMember>('slotA'));
        store<f32>(changetype<usize>(member) + ((<usize>side) << 2), <f32>k, offsetof<SplitMember>('kA'));
      }
      member.locals = locals;
    }
    const out: SplitCell = cellAt(s, cell);
    const colors: u32 = at32(order.cellColorStarts, cell);
    out.firstLink = start;
    out.links = end - start;
    out.firstSlot = slotBase;
    out.slots = slot - slotBase;
    out.colors = s.cellCount * (<u32>SPLIT_CELL_STRIDE / 4) + colors;
    out.colorCount = at32(order.cellColorStarts, cell + 1) - colors;
    out.closed = cell < s.closedCellCount ? 1 : 0;
    out.contactColors = at32(order.cellContactColors, cell);
  }
  memory.copy(cells + <usize>s.cellCount * SPLIT_CELL_STRIDE, order.cellColorEnds, (<usize>s.colorEndCount) << 2);
  s.jointResultRows = rows;
  const owners: usize = s.owners;
  for (let body: u32 = 0; body < s.bodyCount; body++) {
    const b: BodySlots = slotsOf(body);
    if (b.k == 0 && isMoving(body)) {
      b.firstSlot = slot;
      writeSlot(s, slot++, body, 0, 0, 0);
    }
    put32(owners, body, b.firstSlot);
  }
}

/**
 * Parameters of every pass: warm, (soft, relax) a substep or both in one (Header.oneMean); then those of the other kernels.
 * With `meanEachSweep` a soft or relax pass of n sweeps is n passes of one, and the mean of the sub-bodies comes after each.
 */
function fillSteps(s: SplitState): bool {
  const h = header();
  const substeps: u32 = h.stepSubsteps;
  const sweeps: u32 = max<u32>(h.sweeps, 1);
  const parts: u32 = h.meanEachSweep != 0 ? sweeps : 1;
  const sweepsEach: u32 = h.meanEachSweep != 0 ? 1 : sweeps;
  const oneMean: bool = h.oneMean != 0;
  const last: u32 = oneMean ? substeps : 2 * substeps * parts;
  const passes: u32 = 1 + last;
  if (!splitRoom(offsetof<SplitState>('steps'), <usize>SPLIT_STEP_SLOT, passes + SPLIT_MORE_STEPS)) return false;
  s.passCount = passes;
  const islands: u32 = s.jointIslands != 0 ? s.closedCellCount : s.plainCellCount;
  const open: u32 = s.cellCount - islands;
  const firstLink: u32 = open != 0 ? cellAt(s, islands).firstLink : s.linkCount;
  s.islandCellCount = islands;
  for (let i: u32 = 0; i < passes; i++) {
    let mode: u32 = SPLIT_WARM;
    let flags: u32 = 0;
    if (i > 0 && oneMean) {
      mode = SPLIT_SUBSTEP;
      if (i == 1) flags = SPLIT_FIRST_SUBSTEP;
    } else if (i > 0) {
      const part: u32 = (i - 1) % parts;
      mode = (((i - 1) / parts) & 1) == 0 ? SPLIT_SOFT : SPLIT_RELAX;
      if (i <= 2 * parts) flags |= SPLIT_FIRST_SUBSTEP;
      if (part != 0) flags |= SPLIT_CONTINUED;
      if (part + 1 != parts) flags |= SPLIT_UNFINISHED;
    }
    if (i == last) flags |= SPLIT_LAST;
    fillStep(s, i, mode, sweepsEach, flags, i + 1, islands, open);
    stepAt(i).firstLink = firstLink;
    if (i > 0) stepAt(i).time = (<f32>(oneMean ? i - 1 : (i - 1) / (2 * parts)) + 0.5) * stepAt(i).h;
  }
  fillStep(s, passes + STEP_EDIT, SPLIT_WARM, 1, 0, 0, 0, 0); // count: gpu_pack.ts
  fillStep(s, passes + STEP_SPREAD, SPLIT_WARM, 1, 0, 0, 0, s.slotCount);
  fillStep(s, passes + STEP_PREPARE, SPLIT_WARM, 1, 0, 0, 0, s.linkCount);
  const plain: u32 = s.plainCellCount;
  fillStep(s, passes + STEP_ISLAND, SPLIT_WARM, sweeps, 0, 0, 0, plain);
  fillStep(s, passes + STEP_ISLAND_JOINTS, SPLIT_WARM, sweeps, 0, 0, plain, islands - plain);
  fillStep(s, passes + STEP_FINALISE, SPLIT_WARM, 1, 0, passes, 0, s.bodyCount);
  fillStep(s, passes + STEP_COLLECT, SPLIT_WARM, 1, 0, 0, 0, s.linkCount);
  return true;
}

/** `turn`: passes done before this one, plus 1; it reads the rows of the pass before. */
function fillStep(s: SplitState, index: u32, mode: u32, sweeps: u32, flags: u32, turn: u32, firstCell: u32, count: u32): void {
  const h = header();
  const substeps: u32 = h.stepSubsteps;
  const dt: f32 = h.dt / <f32>substeps;
  const step: SplitStep = stepAt(index);
  // Finalise comes after the last pass (turn = passes) and reads its output.
  const isFinalise: bool = index == s.passCount + STEP_FINALISE;
  const write: u32 = (turn + 1) & 1;
  step.mode = mode;
  step.sweeps = sweeps;
  step.rowRead = (isFinalise ? write : 1 - write) * s.rowCount;
  step.rowWrite = write * s.rowCount;
  step.flags = flags | (pointFriction().isOn() ? SPLIT_POINT_FRICTION : 0) | (s.rolling != 0 ? SPLIT_ROLLING : 0);
  step.firstCell = firstCell;
  step.substeps = substeps;
  step.count = count;
  step.h = dt;
  step.invH = <f32>1 / dt;
  step.rate = biasRate(false, dt);
  step.rateStatic = biasRate(true, dt);
  step.pushSpeed = h.pushSpeed;
  step.slop = h.linearSlop;
  step.warmStart = h.warmStart;
  step.gammaScale = gammaScale(false, dt);
  step.gammaScaleStatic = gammaScale(true, dt);
  step.impulseStride = s.impulseStride;
  step.impulseScale = h.impulseScale;
  step.zero = 0;
  step.reportDistance = h.reportChanges != 0 && h.readbackTolerance > 0 ? h.readbackTolerance : -1;
  step.reportSpeed = REPORT_RATE * max<f32>(step.reportDistance, 0);
  softenJoints(step, dt);
  step.linkCount = s.linkCount;
  step.pointRows = s.pointRows;
  step.firstLink = 0;
  step.softRows = h.oneMean != 0 ? 2 * s.rowCount : 0;
}
