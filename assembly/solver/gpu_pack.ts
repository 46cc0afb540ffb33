// The CPU's side of the GPU path. packGpu: packs a step for upload and finds what the GPU already has; applyGpuResult: takes
// what it read back. Bodies and impulses stay on the GPU; a comparison of bits with the last result says what changed here.
//
// Links: the impulses of a manifold that was solved on the GPU and still holds the very bits read back are moved there by an
// index map (SplitMap); all others are uploaded (SplitFresh). Bodies: those whose pose, velocity or mass differ from what the
// GPU holds are uploaded in ranges. Nothing depends on who changed a value, or why; a world that was stepped by another
// solver in between, or whose device was lost (forgetGpu), uploads more and goes on.
import {
  BODY_CENTER_STRIDE,
  BODY_DELTA_STRIDE,
  BodyCold,
  BodyRow,
  GPU_BODY_STRIDE,
  GPU_DELTA_STRIDE,
  GpuBody,
  NONE,
  SPLIT_FRESH,
  SPLIT_FRESH_STRIDE,
  SPLIT_LINK_STRIDE,
  SPLIT_MAP_STRIDE,
  SplitFresh,
  SplitLink,
  SplitMap,
  SplitState,
} from '../layout.generated';
import { coldAt, rowAt } from '../bodies/rows';
import { STUDY } from '../edition';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { packSplit, rollState } from './split_pack';
import { unpackImpulses } from './split_solve';
import { splitRoom, splitState } from './state';

// Ranges of dirty bodies closer than this are uploaded as one.
const RANGE_GAP: u32 = 16;
const MAX_RANGES: u32 = 64;

/**
 * Packs the step for the GPU: buffers of packSplit, maps, fresh impulses, dirty bodies, room for the result. False without
 * memory.
 */
export function packGpu(): bool {
  if (!packSplit()) return false;
  const h = header();
  const s: SplitState = splitState();
  if (!splitRoom(offsetof<SplitState>('maps'), SPLIT_MAP_STRIDE, s.linkCount)) return false;
  if (!splitRoom(offsetof<SplitState>('fresh'), SPLIT_FRESH_STRIDE, s.linkCount)) return false;
  if (!splitRoom(offsetof<SplitState>('bodies'), GPU_BODY_STRIDE, h.bodyCapacity)) return false;
  if (!splitRoom(offsetof<SplitState>('dirty'), 8, MAX_RANGES)) return false;
  if (!splitRoom(offsetof<SplitState>('oldLinks'), 8, h.manifoldCapacity)) return false;
  mapLinks(s);
  compareBodies(s);
  // The old result has been read: its block may now move and be written over.
  // Whatever fails from here on, the image of bodies is ahead of the GPU: forgetGpu() in that case.
  s.readbackBytes =
    s.bodyCount * <u32>(GPU_BODY_STRIDE + GPU_DELTA_STRIDE) +
    s.pointCount * 16 +
    s.linkCount * (s.linkStateSize + s.rolling) * 16;
  if (splitRoom(offsetof<SplitState>('readback'), 1, s.readbackBytes)) return true;
  forgetGpu();
  return false;
}

/** The GPU holds nothing any more (device lost, or a new one): the next step uploads everything. */
export function forgetGpu(): void {
  if (header().splitState == 0) return;
  splitState().oldCount = 0;
  splitState().oldBodyCount = 0;
}

// Offsets in the result of the last GPU step.
function oldPointStates(s: SplitState): usize {
  return <usize>s.readback + <usize>s.oldBodyCount * (GPU_BODY_STRIDE + GPU_DELTA_STRIDE);
}
function oldLinkStates(s: SplitState): usize {
  return oldPointStates(s) + ((<usize>s.oldPointCount) << 4);
}

/** Source of every link's impulses. */
function mapLinks(s: SplitState): void {
  const size: u32 = s.linkStateSize;
  const known: bool = s.oldCount > 0 && s.oldLinkStateSize == size && s.oldRolling == s.rolling;
  let fresh: u32 = 0;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const ids: usize = <usize>s.links + <usize>l * SPLIT_LINK_STRIDE + offsetof<SplitLink>('ids');
    const manifold: u32 = load<u32>(ids, 12);
    const state: usize = <usize>s.linkStates + ((<usize>l * <usize>size) << 4);
    const points: usize = <usize>s.pointStates + ((<usize>load<u32>(ids, 4)) << 4);
    const count: u32 = load<u32>(ids, 8) & 255;
    const map: SplitMap = changetype<SplitMap>(<usize>s.maps + <usize>l * SPLIT_MAP_STRIDE);
    if (known && manifold < s.oldManifoldCount) {
      const link: u32 = at32(s.oldLinks, manifold * 2);
      const point: u32 = at32(s.oldLinks, manifold * 2 + 1);
      if (link != NONE && sameImpulses(s, l, link, point, state, points, count, size)) {
        map.source = link;
        map.sourcePoint = point;
        continue;
      }
    }
    const out: SplitFresh = changetype<SplitFresh>(<usize>s.fresh + <usize>fresh * SPLIT_FRESH_STRIDE);
    memory.fill(changetype<usize>(out), 0, SPLIT_FRESH_STRIDE);
    memory.copy(changetype<usize>(out), state, 16);
    for (let i: u32 = 0; i < count; i++) {
      store<f32>(
        changetype<usize>(out) + ((<usize>i) << 2),
        load<f32>(points + ((<usize>i) << 4)),
        offsetof<SplitFresh>('normals'),
      );
      store<f32>(
        changetype<usize>(out) + ((<usize>i) << 2),
        load<f32>(points + ((<usize>i) << 4), 12),
        offsetof<SplitFresh>('excess'),
      );
    }
    if (STUDY && size == 3) memory.copy(changetype<usize>(out) + offsetof<SplitFresh>('tangents0'), state + 16, 32);
    if (s.rolling != 0)
      v128.store(changetype<usize>(out), v128.load(rollState(s, s.linkStates, l)), offsetof<SplitFresh>('roll'));
    map.source = SPLIT_FRESH | fresh;
    map.sourcePoint = 0;
    fresh++;
  }
  s.freshCount = fresh;
}

/** True if the impulses packed now for link `now` are bit for bit those that the GPU holds for a link of the last step. */
function sameImpulses(s: SplitState, now: u32, link: u32, point: u32, state: usize, points: usize, count: u32, size: u32): bool {
  if (point + count > s.oldPointCount) return false;
  const oldState: usize = oldLinkStates(s) + ((<usize>link * <usize>size) << 4);
  // The fourth number is the normal impulse of the last step, which is not carried.
  if (memory.compare(oldState, state, 12) != 0) return false;
  if (STUDY && size == 3 && memory.compare(oldState + 16, state + 16, 32) != 0) return false;
  if (s.rolling != 0) {
    const oldRoll: usize = oldLinkStates(s) + ((<usize>(s.oldCount * size + link)) << 4);
    if (memory.compare(oldRoll, rollState(s, s.linkStates, now), 8) != 0) return false;
  }
  const old: usize = oldPointStates(s) + ((<usize>point) << 4);
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(old + ((<usize>i) << 4)) != load<u32>(points + ((<usize>i) << 4))) return false;
    if (load<u32>(old + ((<usize>i) << 4), 12) != load<u32>(points + ((<usize>i) << 4), 12)) return false;
  }
  return true;
}

/** Brings the image of GPU bodies up to date and lists the ranges that changed. */
function compareBodies(s: SplitState): void {
  const h = header();
  const bodies: u32 = s.bodyCount;
  const held: u32 = s.oldBodyCount;
  let ranges: u32 = 0;
  let start: u32 = NONE;
  let end: u32 = 0;
  let dirty: u32 = 0;
  for (let i: u32 = 0; i < bodies; i++) {
    const out: GpuBody = changetype<GpuBody>(<usize>s.bodies + <usize>i * GPU_BODY_STRIDE);
    const row: BodyRow = rowAt(i);
    const cold: BodyCold = coldAt(i);
    const center: usize = <usize>h.bodyCenters + <usize>i * BODY_CENTER_STRIDE;
    const now: v128 = f32x4.replace_lane(v128.load(center), 3, row.invMass);
    const low: v128 = f32x4.replace_lane(v128.load(center, 16), 3, cold.comX);
    const rotation: v128 = v128.load(<usize>h.rotations + ((<usize>i) << 4));
    const v: v128 = f32x4.replace_lane(v128.load(changetype<usize>(row)), 3, cold.comY);
    const w: v128 = f32x4.replace_lane(v128.load(changetype<usize>(row), 16), 3, cold.comZ);
    if (i < held) {
      const differ: v128 = v128.or(
        v128.or(v128.xor(now, out.center), v128.xor(low, out.centerLow)),
        v128.or(v128.xor(rotation, out.rotation), v128.or(v128.xor(v, out.v), v128.xor(w, out.w))),
      );
      if (!v128.any_true(differ)) continue;
    }
    out.center = now;
    out.centerLow = low;
    out.rotation = rotation;
    out.v = v;
    out.w = w;
    dirty++;
    if (start != NONE && (i - end <= RANGE_GAP || ranges == MAX_RANGES - 1)) {
      end = i + 1;
      continue;
    }
    if (start != NONE) {
      put32(s.dirty, ranges * 2, start);
      put32(s.dirty, ranges * 2 + 1, end - start);
      ranges++;
    }
    start = i;
    end = i + 1;
  }
  if (start != NONE) {
    put32(s.dirty, ranges * 2, start);
    put32(s.dirty, ranges * 2 + 1, end - start);
    ranges++;
  }
  s.dirtyCount = ranges;
  s.dirtyBodies = dirty;
}

/**
 * Applies a result that the host has copied to splitState.readback (readbackBytes of it): velocities and deltas to the
 * bodies, impulses and end separations to the manifolds. Call once a step, before the poses are integrated.
 */
export function applyGpuResult(): void {
  const h = header();
  const s: SplitState = splitState();
  const bodies: u32 = s.bodyCount;
  memory.copy(s.bodies, s.readback, <usize>bodies * GPU_BODY_STRIDE);
  const deltas: usize = <usize>s.readback + <usize>bodies * GPU_BODY_STRIDE;
  for (let i: u32 = 0; i < bodies; i++) {
    if (at32(s.owners, i) == NONE) continue;
    const body: GpuBody = changetype<GpuBody>(<usize>s.bodies + <usize>i * GPU_BODY_STRIDE);
    const row: BodyRow = rowAt(i);
    const v: v128 = f32x4.replace_lane(body.v, 3, row.invMass);
    const w: v128 = f32x4.replace_lane(body.w, 3, 0);
    v128.store(changetype<usize>(row), v);
    v128.store(changetype<usize>(row), w, 16);
    v128.store(changetype<usize>(row), f32x4.replace_lane(v, 3, 0), offsetof<BodyRow>('svx'));
    v128.store(changetype<usize>(row), w, offsetof<BodyRow>('swx'));
    const delta: usize = <usize>h.bodyDeltas + <usize>i * BODY_DELTA_STRIDE;
    const from: usize = deltas + <usize>i * GPU_DELTA_STRIDE;
    v128.store(delta, f32x4.replace_lane(v128.load(from), 3, 0));
    v128.store(delta, f32x4.replace_lane(v128.load(from, 16), 3, 0), 16);
  }
  s.oldBodyCount = bodies;
  s.oldPointCount = s.pointCount;
  s.oldCount = s.linkCount;
  s.oldLinkStateSize = s.linkStateSize;
  s.oldRolling = s.rolling;
  unpackImpulses(oldPointStates(s), oldLinkStates(s));
  const manifolds: u32 = h.manifoldCapacity;
  s.oldManifoldCount = manifolds;
  memory.fill(s.oldLinks, 0xff, (<usize>manifolds) << 3);
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const ids: usize = <usize>s.links + <usize>l * SPLIT_LINK_STRIDE + offsetof<SplitLink>('ids');
    put32(s.oldLinks, load<u32>(ids, 12) * 2, l);
    put32(s.oldLinks, load<u32>(ids, 12) * 2 + 1, load<u32>(ids, 4));
  }
}
