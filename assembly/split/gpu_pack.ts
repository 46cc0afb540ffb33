// The CPU's side of the GPU path. packGpu packs all changes since the last upload; applyGpuResult applies the result.
//
// The GPU holds bodies, contacts with their impulses, cells and slots. Uploaded are:
// - manifolds that are new or have changed (constraints/held.ts);
// - cells and slots after a new layout;
// - bodies whose state has other bits than the GPU holds (a hash comes back with each report);
// - masses and forces that differ.
// Back come bodies and manifolds that have changed by more than a tolerance (finalise.wgsl, collect.wgsl), and all joints.
// Effective masses are computed on the GPU. If another solver stepped the world in between, or the device was lost (forgetGpu),
// everything is uploaded again.
import { locksOf } from '../bodies/locks';
import { accelAt, coldAt, deltaAt, rowAt } from '../bodies/rows';
import { forgetHeld } from '../constraints/held';
import { isEnabled, jointAt } from '../constraints/joints';
import { manifoldAt } from '../constraints/manifolds';
import { pointFriction } from '../constraints/point_friction';
import {
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyRow,
  DIRTY_RANGE_STRIDE,
  DirtyRange,
  GPU_BODY_STRIDE,
  GPU_CONTACT_ROWS,
  GPU_CONTACT_STRIDE,
  GPU_EDIT_ROWS,
  GPU_EDIT_STRIDE,
  GPU_MOTION_STRIDE,
  GPU_RANGES,
  GPU_TRAITS_STRIDE,
  GpuBody,
  GpuMotion,
  GpuTraits,
  Header,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_PEAKS,
  JOINT_STATE_ROWS,
  JOINT_TOLD_ROWS,
  NONE,
  OrderState,
  SPLIT_JOINT_STRIDE,
  SplitMember,
  SplitState,
  ToldJoint,
} from '../layout.generated';
import { withW3 } from '../math/vec3';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { splitRoom, splitState } from '../memory/split_state';
import { at32 } from '../memory/words';
import { orderState } from '../ordering/state';
import { hashIn, hashOf, imageOf, reachOf } from './body_hash';
import { collectEdits } from './edit';
import { unpackImpulses } from './impulse_rows';
import { numberOf, putRow } from './joint_block';
import { jointRows, packJoint, reserveJointRows, unpackJoint } from './joint_rows';
import { memberAt } from './packed';

// Ranges of dirty bodies closer than this are uploaded as one.
const RANGE_GAP: u32 = 16;
if (GPU_CONTACT_STRIDE != <usize>GPU_CONTACT_ROWS * 16 || GPU_EDIT_STRIDE != <usize>GPU_EDIT_ROWS * 16) ERROR('GpuEdit: rows');

/**
 * Packs the step for the GPU, after layOutGpu: edits, ranges of bodies and traits, room for the result. False without memory.
 */
export function packGpu(): bool {
  const h = header();
  const s: SplitState = splitState();
  const base: usize = changetype<usize>(h);
  if (!pointFriction().reserve()) return false;
  if (!splitRoom(offsetof<SplitState>('bodies'), GPU_BODY_STRIDE, h.bodyCapacity)) return false;
  if (!splitRoom(offsetof<SplitState>('traits'), GPU_TRAITS_STRIDE, h.bodyCapacity)) return false;
  if (!splitRoom(offsetof<SplitState>('hashes'), 16, h.bodyCapacity)) return false;
  if (!splitRoom(offsetof<SplitState>('dirty'), 8, 3 * GPU_RANGES)) return false;
  if (h.heldEpoch == 0) h.heldEpoch = 1;
  if (s.jointCount != 0 && !reserveJointRows()) return false;
  if (!collectEdits(s)) return false;
  // From here on the books are ahead of the GPU: forgetGpu() if the step does not get there.
  const most: u32 = s.bodyCount * <u32>GPU_MOTION_STRIDE + 4 * s.linkCount * s.linkReportWords + 16 * s.jointResultRows;
  if (
    !ensureArray(base + offsetof<Header>('changed'), 4, h.manifoldCapacity) ||
    !splitRoom(offsetof<SplitState>('readback'), 1, most)
  ) {
    forgetGpu();
    return false;
  }
  compareJoints(s);
  compareBodies(s);
  s.heldBodies = s.bodyCount;
  return true;
}

/** The GPU, or its twin, holds nothing any more (device lost, or a new one): the next step uploads everything. */
export function forgetGpu(): void {
  forgetHeld();
  if (header().splitState == 0) return;
  const s: SplitState = splitState();
  s.heldBodies = 0;
  s.heldLayout = 0;
  memory.fill(s.motions, 0, <usize>s.motionsCapacity * GPU_MOTION_STRIDE);
}

function rangeAt(s: SplitState, k: u32): DirtyRange {
  return changetype<DirtyRange>(<usize>s.dirty + <usize>k * DIRTY_RANGE_STRIDE);
}

/** Lists body i in the ranges of `dirty` from entry `first` on. Returns the number of ranges. */
function addToRanges(s: SplitState, first: u32, ranges: u32, i: u32): u32 {
  if (ranges != 0) {
    const last: DirtyRange = rangeAt(s, first + ranges - 1);
    if (i - (last.first + last.count) <= RANGE_GAP || ranges == GPU_RANGES) {
      last.count = i + 1 - last.first;
      return ranges;
    }
  }
  const fresh: DirtyRange = rangeAt(s, first + ranges);
  fresh.first = i;
  fresh.count = 1;
  return ranges + 1;
}

if (SPLIT_JOINT_STRIDE < (<usize>JOINT_TOLD_ROWS) << 4) ERROR('SplitState.jointScratch also takes the image of a joint');

/** When a joint was uploaded, in the image of it. */
function told(rows: usize): ToldJoint {
  return changetype<ToldJoint>(rows + ((<usize>JOINT_TOLD_ROWS) << 4));
}

/** Joints as they are now; lists those of which the GPU holds something else. */
function compareJoints(s: SplitState): void {
  const h = header();
  const order: OrderState = orderState();
  s.jointRanges = 0;
  if (s.heldLayout == s.layout && s.heldJoints == h.jointStamp) return;
  s.heldJoints = h.jointStamp;
  let ranges: u32 = 0;
  const fresh: usize = s.jointScratch;
  for (let i: u32 = 0; i < order.jointCount; i++) {
    const index: u32 = at32(order.jointLinks, i);
    const rows: usize = jointRows(index);
    packJoint(index, fresh);
    const isTold: bool = told(rows).epoch == h.heldEpoch;
    if (isTold && memory.compare(rows, fresh, (<usize>JOINT_TOLD_ROWS) << 4) == 0) continue;
    memory.copy(rows, fresh, (<usize>JOINT_TOLD_ROWS) << 4);
    told(rows).epoch = h.heldEpoch;
    told(rows).generation = jointAt(index).generation;
    ranges = addToRanges(s, 2 * GPU_RANGES, ranges, index);
  }
  s.jointRanges = ranges;
}

/** Impulses of joints from the result, whose rows begin at `results`. */
function takeJoints(s: SplitState, results: usize): void {
  for (let i: u32 = 0; i < s.jointCount; i++) {
    const member: SplitMember = memberAt(at32(s.jointMembers, i));
    const index: u32 = member.manifold;
    const rows: usize = jointRows(index),
      result: usize = results + ((<usize>member.result) << 4);
    // Copies the impulses on the GPU, even if the host has changed them since.
    memory.copy(rows + ((<usize>JOINT_ROW_IMPULSES) << 4), result, (<usize>JOINT_STATE_ROWS) << 4);
    const twist: f32 = numberOf(rows, JOINT_ROW_PEAKS, 3);
    putRow(rows, JOINT_ROW_PEAKS, f32x4(0, 0, twist, twist));
    const isSame: bool = isEnabled(index) && jointAt(index).generation == told(rows).generation;
    if (isSame) unpackJoint(index, result);
  }
}

/** Compares the present bodies and traits with those on the GPU, and lists the ones that differ. */
function compareBodies(s: SplitState): void {
  const held: u32 = s.heldBodies;
  let ranges: u32 = 0,
    traitRanges: u32 = 0,
    dirty: u32 = 0;
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const cold: BodyCold = coldAt(i);
    if (bodyDiffers(s, i) || i >= held) {
      dirty++;
      ranges = addToRanges(s, 0, ranges, i);
    }
    if (traitsDiffer(s, i, cold, i >= held)) traitRanges = addToRanges(s, GPU_RANGES, traitRanges, i);
  }
  s.dirtyCount = ranges;
  s.dirtyBodies = dirty;
  s.traitRanges = traitRanges;
}

/** Writes a body as it is now; whether the GPU has come to another state. From now on it holds this one. */
function bodyDiffers(s: SplitState, i: u32): bool {
  const hash: v128 = hashOf(imageOf(s, i), i);
  const held: usize = <usize>s.hashes + ((<usize>i) << 4);
  const differs: bool = v128.any_true(v128.xor(hash, v128.load(held)));
  v128.store(held, hash);
  return differs;
}

/** Brings the image of a body's traits up to date; whether it had others. */
function traitsDiffer(s: SplitState, i: u32, cold: BodyCold, isNew: bool): bool {
  const out: GpuTraits = changetype<GpuTraits>(<usize>s.traits + <usize>i * GPU_TRAITS_STRIDE);
  const accels: BodyAccel = accelAt(i);
  const inertia0: v128 = f32x4(cold.jxx, cold.jxy, cold.jxz, cold.jyy),
    inertia1: v128 = f32x4(cold.jyz, cold.jzz, <f32>locksOf(i), reachOf(i)),
    accel: v128 = withW3(accels.a, 0),
    angular: v128 = withW3(accels.b, 0);
  const differ: v128 = v128.or(
    v128.or(v128.xor(inertia0, out.inertia0), v128.xor(inertia1, out.inertia1)),
    v128.or(v128.xor(accel, out.accel), v128.xor(angular, out.angularAccel)),
  );
  if (!isNew && !v128.any_true(differ)) return false;
  out.inertia0 = inertia0;
  out.inertia1 = inertia1;
  out.accel = accel;
  out.angularAccel = angular;
  return true;
}

/**
 * Applies a result that the host has copied to splitState.readback: bodyReports GpuMotions, linkReports manifolds, the rows of
 * all joints. Bodies that are not among them have not moved. Call once a step, before the poses are integrated.
 */
export function applyGpuResult(): void {
  const h = header();
  const s: SplitState = splitState();
  h.someQuiet = h.reportChanges;
  let at: usize = s.readback;
  for (let k: u32 = 0; k < s.bodyReports; k++) {
    takeMotion(s, changetype<GpuMotion>(at));
    at += GPU_MOTION_STRIDE;
  }
  const linkBytes: usize = (<usize>s.linkReportWords) << 2;
  for (let k: u32 = 0; k < s.linkReports; k++) {
    const index: u32 = load<u32>(at);
    if (index < h.manifoldCount && manifoldAt(index).count != 0) unpackImpulses(index, at + 4);
    at += linkBytes;
  }
  s.heldLayout = s.layout;
  takeJoints(s, at);
}

/** Velocity and motion of a body from its report. */
function takeMotion(s: SplitState, motion: GpuMotion): void {
  const hash: v128 = hashIn(motion);
  const i: u32 = i32x4.extract_lane(hash, 3);
  if (i >= s.bodyCount) return;
  v128.store(<usize>s.hashes + ((<usize>i) << 4), hash);
  if (at32(s.owners, i) == NONE) return;
  const row: BodyRow = rowAt(i);
  const v: v128 = withW3(motion.v, row.invMass);
  const w: v128 = withW3(motion.w, 0);
  row.v = v;
  row.w = w;
  row.sv = withW3(v, 0);
  row.sw = w;
  const delta: BodyDelta = deltaAt(i);
  delta.d = withW3(motion.d, 0);
  delta.p = withW3(motion.p, 0);
}
