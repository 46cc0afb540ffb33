// Packs a step for the mass-splitting solver: cells, links, points, sub-bodies and their state, in the bytes that the GPU
// takes and that the twin in split_solve.ts works on. Input: active manifolds, bodies, the cells of ordering/partition.ts.
//
// A body touched by k cells has k sub-bodies (slots) of mass m / k (Tonge 2012, eq. 35-37, with cells as blocks): effective
// masses take k times the inverse mass of each side, gamma that of whole bodies. Velocities of a body with k > 1 pass
// between cells through k contiguous rows; two halves are written and read in turn. Static bodies have no slot: their local
// index is SPLIT_BODY_CAP. Kinematic bodies have a private slot of zero inverse mass in every cell. Bodies without contacts
// get a slot behind those of the cells, with k = 0.
import {
  BODY_ACCEL_STRIDE,
  BodyAccel,
  BodyInertia,
  BodyRow,
  Manifold,
  NONE,
  OrderState,
  SPLIT_BODY_CAP,
  SPLIT_LINK_STRIDE,
  SPLIT_POINT_STRIDE,
  SPLIT_RELAX,
  SPLIT_ROW_STRIDE,
  SPLIT_SLOT_STATE_STRIDE,
  SPLIT_SLOT_STRIDE,
  SPLIT_SOFT,
  SPLIT_STEP_SLOT,
  SPLIT_WARM,
  SplitLink,
  SplitPoint,
  SplitSlot,
  SplitSlotState,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { inertiaAt, rowAt } from '../bodies/rows';
import { ManifoldPoint, pointOf } from '../constraints/manifolds';
import { STUDY } from '../edition';
import { vec3W } from '../math/lane';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { buildGraph, manifoldOfLink } from '../ordering/graph';
import { partitionCells, partitionPairs } from '../ordering/partition';
import { isMoving, orderState } from '../ordering/state';
import { frictionBlock, meanLeverA, meanLeverB, twistMass } from './friction_block';
import { carriedExcess, reserveSpikes } from './point_spikes';
import { pointTangents, reservePointTangents } from './point_tangents';
import { effective, effectivePair, inverse } from './rows';
import { biasRate, gammaScale } from './softness';
import { initSplit, splitRoom, splitState } from './state';

/** Words of a body while slots are handed out (SplitState.bodySlots). */
@unmanaged
class BodySlots {
  k: u32;
  firstRow: u32;
  lastCell: u32; // cell + 1 that counted it last
  local: u32; // its local index there
  own: u32; // rows given so far
  firstSlot: u32;
  pad0: u32;
  pad1: u32;
}
const BODY_SLOTS_STRIDE: usize = 32;

// Steps behind the solve passes.
/** Index of the pass that loads bodies into slots, relative to passCount. */
export const STEP_SPREAD: u32 = 0;
export const STEP_REMAP: u32 = 1;
export const STEP_ISLAND: u32 = 2;
export const STEP_FINALISE: u32 = 3;

function slotsOf(body: u32): BodySlots {
  return changetype<BodySlots>(<usize>splitState().bodySlots + <usize>body * BODY_SLOTS_STRIDE);
}

/** Flags of a pass (SplitStep.flags), also in split.wgsl. The first two: of the first, of the last substep. */
export const SPLIT_FIRST_SUBSTEP: u32 = 1;
export const SPLIT_LAST_SUBSTEP: u32 = 2;
/** Links have roll states. */
export const SPLIT_ROLLING: u32 = 8;
/** Not the first, not the last part of a pass that is cut into its sweeps. */
export const SPLIT_CONTINUED: u32 = 16;
export const SPLIT_UNFINISHED: u32 = 32;

/** A parameter block of this step. */
export function stepAt(index: u32): SplitStep {
  return changetype<SplitStep>(<usize>splitState().steps + <usize>index * <usize>SPLIT_STEP_SLOT);
}

/** Address of the roll state of a link, behind the link states that start at `linkStates`. */
export function rollState(s: SplitState, linkStates: usize, link: u32): usize {
  return linkStates + ((<usize>s.linkCount * <usize>s.linkStateSize + <usize>link) << 4);
}

/** x y z of a packed vector and a fourth value. */
function vec4W(x: f32, y: f32, z: f32, w: f32): v128 {
  return f32x4.replace_lane(vec3W(x, y, z), 3, w);
}

/** Orders the active manifolds into cells and packs them. Writes the counts to the header. False without memory. */
export function packSplit(): bool {
  return initSplit() && buildGraph() && partitionCells() && pack();
}

/** The same with one cell a body pair. */
export function packSplitPairs(): bool {
  return initSplit() && buildGraph() && partitionPairs() && pack();
}

function pack(): bool {
  const h = header();
  const s: SplitState = splitState();
  const order: OrderState = orderState();
  const bodies: u32 = h.bodyCount;
  const links: u32 = order.linkCount;
  s.cellCount = order.cellCount;
  s.closedCellCount = order.closedCellCount;
  s.linkCount = links;
  s.bodyCount = bodies;
  s.linkStateSize = STUDY && h.frictionModel == 1 ? 3 : 1;
  s.rolling = h.anyRolling;
  s.colorEndCount = order.cellColorCount;
  s.cellBytes = (order.cellCount * 8 + order.cellColorCount) * 4;
  if (STUDY && h.frictionModel == 1 && !reservePointTangents()) return false;
  if (!reserveSpikes()) return false;
  if (!splitRoom(offsetof<SplitState>('bodySlots'), BODY_SLOTS_STRIDE, bodies)) return false;
  if (!splitRoom(offsetof<SplitState>('owners'), 4, bodies)) return false;
  if (!splitRoom(offsetof<SplitState>('localBodies'), 96, SPLIT_BODY_CAP + 1)) return false;
  countSlots(s, order);
  let points: u32 = 0;
  for (let l: u32 = 0; l < links; l++) points += manifoldOfLink(l).count;
  s.pointCount = points;
  if (!splitRoom(offsetof<SplitState>('cells'), 4, order.cellCount * 8 + order.cellColorCount)) return false;
  if (!splitRoom(offsetof<SplitState>('links'), SPLIT_LINK_STRIDE, links)) return false;
  if (!splitRoom(offsetof<SplitState>('points'), SPLIT_POINT_STRIDE, points)) return false;
  if (!splitRoom(offsetof<SplitState>('pointStates'), 16, points)) return false;
  if (!splitRoom(offsetof<SplitState>('linkStates'), 16, links * (s.linkStateSize + s.rolling))) return false;
  if (!splitRoom(offsetof<SplitState>('slots'), SPLIT_SLOT_STRIDE, s.slotCount)) return false;
  if (!splitRoom(offsetof<SplitState>('slotStates'), SPLIT_SLOT_STATE_STRIDE, s.slotCount)) return false;
  if (!splitRoom(offsetof<SplitState>('rows'), SPLIT_ROW_STRIDE, s.rowCount * 2)) return false;
  fillSlots(s, order);
  fillLinks(s, order);
  return fillSteps(s);
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
        if (b.lastCell == cell + 1) continue;
        b.lastCell = cell + 1;
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
  const h = header();
  const row: BodyRow = rowAt(body);
  const inertia: BodyInertia = inertiaAt(body);
  const accel: BodyAccel = changetype<BodyAccel>(<usize>h.bodyAccels + <usize>body * BODY_ACCEL_STRIDE);
  const out: SplitSlot = changetype<SplitSlot>(<usize>s.slots + <usize>slot * SPLIT_SLOT_STRIDE);
  const f: f32 = <f32>max<u32>(k, 1);
  out.inertia0 = vec4W(f * inertia.xx, f * inertia.xy, f * inertia.xz, f * inertia.yy);
  out.inertia1 = vec4W(f * inertia.yz, f * inertia.zz, f * row.invMass, <f32>1 / f);
  store<u32>(changetype<usize>(out), firstRow, offsetof<SplitSlot>('ids'));
  store<u32>(changetype<usize>(out), k, offsetof<SplitSlot>('ids') + 4);
  store<u32>(changetype<usize>(out), own, offsetof<SplitSlot>('ids') + 8);
  store<u32>(changetype<usize>(out), body, offsetof<SplitSlot>('ids') + 12);
  out.accel = vec3W(accel.ax, accel.ay, accel.az);
  out.angularAccel = vec3W(accel.bx, accel.by, accel.bz);
  const state: SplitSlotState = changetype<SplitSlotState>(<usize>s.slotStates + <usize>slot * SPLIT_SLOT_STATE_STRIDE);
  const v: v128 = vec3W(row.vx, row.vy, row.vz);
  const w: v128 = vec3W(row.wx, row.wy, row.wz);
  const zero: v128 = f32x4.splat(0);
  state.v = v;
  state.w = w;
  state.vStart = v;
  state.wStart = w;
  state.d = zero;
  state.p = zero;
  state.marks = zero;
}

/** Slots cell by cell in the order in which links name bodies, then bodies without contacts; cells with their colors. */
function fillSlots(s: SplitState, order: OrderState): void {
  const cells: usize = s.cells;
  let slot: u32 = 0;
  for (let cell: u32 = 0; cell < s.cellCount; cell++) {
    const start: u32 = at32(order.cellStarts, cell);
    const end: u32 = at32(order.cellStarts, cell + 1);
    const slotBase: u32 = slot;
    for (let i: u32 = start; i < end; i++) {
      const l: u32 = at32(order.cellLinks, i);
      let locals: u32 = 0;
      for (let side: u32 = 0; side < 2; side++) {
        const body: u32 = at32(order.linkMovers, l * 2 + side);
        let local: u32 = SPLIT_BODY_CAP;
        if (body != NONE) {
          const b: BodySlots = slotsOf(body);
          if (b.lastCell != cell + 1) {
            b.lastCell = cell + 1;
            b.local = slot - slotBase;
            if (b.firstSlot == NONE) b.firstSlot = slot;
            writeSlot(s, slot++, body, b.k, b.firstRow, b.k > 1 ? b.own++ : 0);
          }
          local = b.local;
        }
        locals |= local << (side << 4);
      }
      const link: usize = <usize>s.links + <usize>i * SPLIT_LINK_STRIDE;
      store<u32>(link, locals, offsetof<SplitLink>('ids'));
    }
    const out: usize = cells + ((<usize>cell) << 5);
    const colors: u32 = at32(order.cellColorStarts, cell);
    store<u32>(out, start);
    store<u32>(out, end - start, 4);
    store<u32>(out, slotBase, 8);
    store<u32>(out, slot - slotBase, 12);
    store<u32>(out, s.cellCount * 8 + colors, 16);
    store<u32>(out, at32(order.cellColorStarts, cell + 1) - colors, 20);
    store<u32>(out, cell < s.closedCellCount ? 1 : 0, 24);
    store<u32>(out, 0, 28);
  }
  memory.copy(cells + ((<usize>s.cellCount) << 5), order.cellColorEnds, (<usize>s.colorEndCount) << 2);
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

/** Links and points in the order of the cells, with the effective masses of split bodies. */
function fillLinks(s: SplitState, order: OrderState): void {
  const h = header();
  let point: u32 = 0;
  for (let i: u32 = 0; i < s.linkCount; i++) {
    const l: u32 = at32(order.cellLinks, i);
    const manifold: u32 = at32(h.activeManifolds, l);
    const m: Manifold = manifoldOfLink(l);
    const out: SplitLink = changetype<SplitLink>(<usize>s.links + <usize>i * SPLIT_LINK_STRIDE);
    const a: u32 = m.bodyA;
    const b: u32 = m.bodyB;
    const kA: f32 = <f32>max<u32>(slotsOf(a).k, 1);
    const kB: f32 = <f32>max<u32>(slotsOf(b).k, 1);
    const isStatic: bool = rowAt(a).invMass == 0 || rowAt(b).invMass == 0;
    const gamma: f32 = gammaScale(isStatic);
    const count: u32 = m.count;
    const nx: f32 = m.nx;
    const ny: f32 = m.ny;
    const nz: f32 = m.nz;
    const tx: f32 = m.tx;
    const ty: f32 = m.ty;
    const tz: f32 = m.tz;
    const sx: f32 = ny * tz - nz * ty;
    const sy: f32 = nz * tx - nx * tz;
    const sz: f32 = nx * ty - ny * tx;
    store<u32>(changetype<usize>(out), point, offsetof<SplitLink>('ids') + 4);
    store<u32>(changetype<usize>(out), count | (isStatic ? 256 : 0), offsetof<SplitLink>('ids') + 8);
    store<u32>(changetype<usize>(out), manifold, offsetof<SplitLink>('ids') + 12);
    out.normal = vec4W(nx, ny, nz, m.friction);
    out.tangent = vec4W(tx, ty, tz, 1 - m.pushCut);
    for (let j: u32 = 0; j < count; j++) {
      const p: ManifoldPoint = pointOf(m, j);
      const rax: f32 = p.rax;
      const ray: f32 = p.ray;
      const raz: f32 = p.raz;
      const rbx: f32 = p.rbx;
      const rby: f32 = p.rby;
      const rbz: f32 = p.rbz;
      const wholeA: f32 = effective(a, rax, ray, raz, nx, ny, nz, nx, ny, nz);
      const wholeB: f32 = effective(b, rbx, rby, rbz, nx, ny, nz, nx, ny, nz);
      const k: f32 = kA * wholeA + kB * wholeB;
      const soft: f32 = (wholeA + wholeB) * gamma;
      let tangent1: f32 = 0;
      let tangent2: f32 = 0;
      if (STUDY && h.frictionModel == 1) {
        tangent1 = inverse(effectivePair(m, kA, kB, rax, ray, raz, rbx, rby, rbz, tx, ty, tz, tx, ty, tz));
        tangent2 = inverse(effectivePair(m, kA, kB, rax, ray, raz, rbx, rby, rbz, sx, sy, sz, sx, sy, sz));
      }
      const at: SplitPoint = changetype<SplitPoint>(<usize>s.points + <usize>(point + j) * SPLIT_POINT_STRIDE);
      at.anchorA = vec4W(rax, ray, raz, p.separation);
      at.anchorB = vec4W(rbx, rby, rbz, soft);
      at.masses = vec4W(inverse(k + soft), inverse(k), tangent1, tangent2);
      const state: usize = <usize>s.pointStates + ((<usize>(point + j)) << 4);
      v128.store(state, vec4W(p.impulse, 0, p.separation, carriedExcess(manifold, m, j)));
    }
    const rA: v128 = meanLeverA(m);
    const rB: v128 = meanLeverB(m);
    out.centerA = f32x4.replace_lane(rA, 3, m.twistRadius);
    out.centerB = f32x4.replace_lane(rB, 3, twistMass(m, kA, kB));
    out.block = f32x4.replace_lane(frictionBlock(m, kA, kB, rA, rB), 3, m.rollLever);
    const state: usize = <usize>s.linkStates + ((<usize>i * <usize>s.linkStateSize) << 4);
    v128.store(state, vec3W(m.tangentImpulse1, m.tangentImpulse2, m.twistImpulse));
    if (STUDY && h.frictionModel == 1) memory.copy(state + 16, pointTangents(manifold), 32);
    if (s.rolling != 0) v128.store(rollState(s, s.linkStates, i), f32x4(m.rollImpulse1, m.rollImpulse2, 0, 0));
    point += count;
  }
}

/**
 * Parameters of every pass: warm, (soft, relax) a substep; then spread, remap, island, finalise. With
 * `meanEachSweep` a soft or relax pass of n sweeps is n passes of one, and the mean of the sub-bodies comes after each.
 */
function fillSteps(s: SplitState): bool {
  const h = header();
  const substeps: u32 = max<u32>(h.substeps, 1);
  const sweeps: u32 = max<u32>(h.sweeps, 1);
  const parts: u32 = STUDY && h.meanEachSweep != 0 ? sweeps : 1;
  const sweepsEach: u32 = STUDY && h.meanEachSweep != 0 ? 1 : sweeps;
  const last: u32 = 2 * substeps * parts;
  const passes: u32 = 1 + last;
  if (!splitRoom(offsetof<SplitState>('steps'), <usize>SPLIT_STEP_SLOT, passes + 4)) return false;
  s.passCount = passes;
  const open: u32 = s.cellCount - s.closedCellCount;
  for (let i: u32 = 0; i < passes; i++) {
    let mode: u32 = SPLIT_WARM;
    let flags: u32 = 0;
    if (i > 0) {
      const part: u32 = (i - 1) % parts;
      mode = (((i - 1) / parts) & 1) == 0 ? SPLIT_SOFT : SPLIT_RELAX;
      if (i <= 2 * parts) flags |= SPLIT_FIRST_SUBSTEP;
      if (i > last - 2 * parts) flags |= SPLIT_LAST_SUBSTEP;
      if (part != 0) flags |= SPLIT_CONTINUED;
      if (part + 1 != parts) flags |= SPLIT_UNFINISHED;
    }
    fillStep(s, i, mode, sweepsEach, flags, i + 1, s.closedCellCount, open);
  }
  fillStep(s, passes + STEP_SPREAD, SPLIT_WARM, 1, 0, 0, 0, s.slotCount);
  fillStep(s, passes + STEP_REMAP, SPLIT_WARM, 1, 0, 0, 0, s.linkCount);
  fillStep(s, passes + STEP_ISLAND, SPLIT_WARM, sweeps, 0, 0, 0, s.closedCellCount);
  fillStep(s, passes + STEP_FINALISE, SPLIT_WARM, 1, 0, passes, 0, s.bodyCount);
  return true;
}

/** `turn`: passes done before this one, plus 1; it reads the rows of the pass before. */
function fillStep(s: SplitState, index: u32, mode: u32, sweeps: u32, flags: u32, turn: u32, firstCell: u32, count: u32): void {
  const h = header();
  const substeps: u32 = max<u32>(h.substeps, 1);
  const dt: f32 = h.dt / <f32>substeps;
  const step: SplitStep = stepAt(index);
  // Finalise comes after the last pass (turn = passes) and reads what it wrote.
  const isFinalise: bool = index == s.passCount + STEP_FINALISE;
  const write: u32 = (turn + 1) & 1;
  step.mode = mode;
  step.sweeps = sweeps;
  step.rowRead = (isFinalise ? write : 1 - write) * s.rowCount;
  step.rowWrite = write * s.rowCount;
  step.flags = flags | (STUDY && h.frictionModel == 1 ? 4 : 0) | (s.rolling << 3);
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
  step.pad2 = 0;
  step.linkStates = s.pointCount;
  step.oldLinkStates = s.oldPointCount;
  step.rollStates = s.pointCount + s.linkCount * s.linkStateSize;
  step.oldRollStates = s.oldPointCount + s.oldCount * s.oldLinkStateSize;
}
