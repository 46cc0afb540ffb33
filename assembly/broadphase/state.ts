// The broad phase's own block: two trees, the list of moved colliders. Its address is in
// the world header, so nothing here is a WASM global.
import { BROADPHASE_STATE_STRIDE, BoxTree, BroadphaseState } from '../layout.generated';
import { allocate, blockBytes, ensureArray, growArray, grownCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { team, thisThread } from '../threads/team';

export function broadphaseState(): BroadphaseState {
  return changetype<BroadphaseState>(<usize>header().broadphase);
}

export function initBroadphaseState(): bool {
  const block: usize = allocate(BROADPHASE_STATE_STRIDE);
  const trees: usize = allocate(256);
  const histogram: usize = allocate(2048 * 4);
  if (block == 0 || trees == 0 || histogram == 0) return false;
  header().broadphase = <u32>block;
  const s: BroadphaseState = broadphaseState();
  s.moving = <u32>trees;
  s.statics = <u32>trees + 128;
  changetype<BoxTree>(trees).levels = <u32>trees + 64;
  changetype<BoxTree>(trees + 128).levels = <u32>trees + 192;
  changetype<BoxTree>(trees + 128).statics = 1;
  s.histogram = <u32>histogram;
  s.stamp = 1;
  return true;
}

/** Room for the result of a query of this thread. */
export function ownHits(): usize {
  return <usize>broadphaseState().hits + <usize>(thisThread() * (header().colliderCapacity + 4)) * 4;
}

/** Bytes of an array of u32 that `ensureArray` would allocate again, 0 if it is large enough. */
function grownBytes(capacity: u32, needed: u32): u64 {
  return needed <= capacity ? 0 : blockBytes(4 * <u64>grownCapacity(capacity, needed, 4));
}

/** Bytes that `reserveBroadphase` would take at most for these capacities in the header. */
export function broadphaseBytes(bodies: u32, colliders: u32): u64 {
  const s: BroadphaseState = broadphaseState();
  let bytes: u64 = 0;
  if (s.boxBudgetsCapacity < bodies) bytes += blockBytes(8 * <u64>bodies);
  if (s.movedStampsCapacity < colliders) bytes += blockBytes(4 * <u64>colliders);
  bytes += grownBytes(s.movedCapacity, colliders + 4) + grownBytes(s.hitsCapacity, (colliders + 4) * team().capacity);
  return bytes + grownBytes(s.keysCapacity, 4 * colliders + 16);
}

/** Per-body and per-collider arrays of this stage follow the capacities in the header. */
export function reserveBroadphase(): bool {
  const h = header();
  const s: BroadphaseState = broadphaseState();
  if (s.boxBudgetsCapacity < h.bodyCapacity) {
    const state: usize = changetype<usize>(s);
    if (!growArray(state + offsetof<BroadphaseState>('boxBudgets'), 8, s.boxBudgetsCapacity, h.bodyCapacity)) return false;
    s.boxBudgetsCapacity = h.bodyCapacity;
  }
  if (s.movedStampsCapacity < h.colliderCapacity) {
    if (!growArray(changetype<usize>(s) + offsetof<BroadphaseState>('movedStamps'), 4, s.movedStampsCapacity, h.colliderCapacity))
      return false;
    s.movedStampsCapacity = h.colliderCapacity;
  }
  const state: usize = changetype<usize>(s);
  return (
    ensureArray(state + offsetof<BroadphaseState>('moved'), 4, h.colliderCapacity + 4) &&
    ensureArray(state + offsetof<BroadphaseState>('hits'), 4, (h.colliderCapacity + 4) * team().capacity) &&
    ensureArray(state + offsetof<BroadphaseState>('keys'), 4, 4 * h.colliderCapacity + 16)
  );
}
