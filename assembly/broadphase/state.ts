// The broad phase's own block: two trees, the list of moved colliders. Its address is in
// the world header, so nothing here is a WASM global.
import { allocate, blockBytes, ensureArray, growArray, grownCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { team, thisThread } from '../threads/team';

/** A tree of collider boxes (bvh4.ts). */
@unmanaged
export class Tree {
  leaves: u32; // u32[]: collider of a leaf, NONE where it was removed
  leafCapacity: u32;
  leafCount: u32;
  nodes: u32; // Node[]: 96 bytes each, level by level, leaves' parents first
  nodeCapacity: u32;
  levelCount: u32;
  dirty: u32; // 1: leaves were added, build before the next query
  moved: u32; // leaves refitted since the last build
  levels: u32; // u32[16]: first node of each level
  statics: u32; // 1: holds colliders of static bodies
  empty: u32; // removed leaves since the last build
  built: u32; // leaves that the nodes know: those behind them were added since
}

@unmanaged
export class BroadphaseState {
  moving: u32; // Tree of kinematic and dynamic bodies
  statics: u32; // Tree of static bodies
  moved: u32; // u32[]: colliders that left their fat box or were added since the last update
  movedCapacity: u32;
  movedCount: u32;
  hits: u32; // u32[]: result of a query, one list for each thread
  hitsCapacity: u32;
  keys: u32; // scratch of the build: u32[2 n] keys and u32[2 n] colliders
  keysCapacity: u32;
  boxBudgets: u32; // f64[] per body: fat boxes hold until motion passes this
  bodyCapacity: u32; // capacity of boxBudgets
  movedStamps: u32; // u32[] per collider: step + 1 in which it moved
  colliderCapacity: u32;
  histogram: u32; // u32[2048]
  stamp: u32; // current value for movedStamps
  dt: f32; // settings that the budgets were made for
  margin: f32;
  found: u32; // FoundRange[], findRange
  foundCapacity: u32;
}

const STATE_BYTES: usize = 128;

export function broadphaseState(): BroadphaseState {
  return changetype<BroadphaseState>(<usize>header().broadphase);
}

export function initBroadphaseState(): bool {
  const block: usize = allocate(STATE_BYTES);
  const trees: usize = allocate(256);
  const histogram: usize = allocate(2048 * 4);
  if (block == 0 || trees == 0 || histogram == 0) return false;
  header().broadphase = <u32>block;
  const s: BroadphaseState = broadphaseState();
  s.moving = <u32>trees;
  s.statics = <u32>trees + 128;
  changetype<Tree>(trees).levels = <u32>trees + 64;
  changetype<Tree>(trees + 128).levels = <u32>trees + 192;
  changetype<Tree>(trees + 128).statics = 1;
  s.histogram = <u32>histogram;
  s.stamp = 1;
  return true;
}

/** Room for the result of a query of this thread. */
export function ownHits(): usize {
  return <usize>broadphaseState().hits + <usize>(thisThread() * (header().colliderCapacity + 4)) * 4;
}

/** Bytes of an array of u32 that `ensureArray` would make anew, 0 if it is large enough. */
function grownBytes(capacity: u32, needed: u32): u64 {
  return needed <= capacity ? 0 : blockBytes(4 * <u64>grownCapacity(capacity, needed, 4));
}

/** Bytes that `reserveBroadphase` would take at most for these capacities in the header. */
export function broadphaseBytes(bodies: u32, colliders: u32): u64 {
  const s: BroadphaseState = broadphaseState();
  let bytes: u64 = 0;
  if (s.bodyCapacity < bodies) bytes += blockBytes(8 * <u64>bodies);
  if (s.colliderCapacity < colliders) bytes += blockBytes(4 * <u64>colliders);
  bytes += grownBytes(s.movedCapacity, colliders + 4) + grownBytes(s.hitsCapacity, (colliders + 4) * team().capacity);
  return bytes + grownBytes(s.keysCapacity, 4 * colliders + 16);
}

/** Per-body and per-collider arrays of this stage follow the capacities in the header. */
export function reserveBroadphase(): bool {
  const h = header();
  const s: BroadphaseState = broadphaseState();
  if (s.bodyCapacity < h.bodyCapacity) {
    const state: usize = changetype<usize>(s);
    if (!growArray(state + offsetof<BroadphaseState>('boxBudgets'), 8, s.bodyCapacity, h.bodyCapacity)) return false;
    s.bodyCapacity = h.bodyCapacity;
  }
  if (s.colliderCapacity < h.colliderCapacity) {
    if (!growArray(changetype<usize>(s) + offsetof<BroadphaseState>('movedStamps'), 4, s.colliderCapacity, h.colliderCapacity))
      return false;
    s.colliderCapacity = h.colliderCapacity;
  }
  const state: usize = changetype<usize>(s);
  return (
    ensureArray(state + offsetof<BroadphaseState>('moved'), 4, h.colliderCapacity + 4) &&
    ensureArray(state + offsetof<BroadphaseState>('hits'), 4, (h.colliderCapacity + 4) * team().capacity) &&
    ensureArray(state + offsetof<BroadphaseState>('keys'), 4, 4 * h.colliderCapacity + 16)
  );
}
