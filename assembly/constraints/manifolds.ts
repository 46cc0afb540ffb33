// The store of manifolds: slots in blocks, with a free list, so that an index stays valid while its pair touches.
import {
  BODY_DYNAMIC,
  Header,
  MANIFOLD_BLOCK,
  MANIFOLD_POINT_STRIDE,
  MANIFOLD_STRIDE,
  Manifold,
  ManifoldPoint,
  NONE,
} from '../layout.generated';
import { FLAG_ASLEEP, FLAG_TYPE, coldAt } from '../bodies/rows';
import { ensureArray } from '../memory/allocator';
import { ensureBlocks, rowInBlocks } from '../memory/blocks';
import { header } from '../memory/header';

if (offsetof<Manifold>('lax1') - offsetof<Manifold>('lax0') != MANIFOLD_POINT_STRIDE) ERROR('ManifoldPoint: stride');
if (offsetof<Manifold>('maxImpulse0') - offsetof<Manifold>('lax0') != offsetof<ManifoldPoint>('maxImpulse'))
  ERROR('ManifoldPoint: fields');

export function pointOf(m: Manifold, i: u32): ManifoldPoint {
  return changetype<ManifoldPoint>(changetype<usize>(m) + offsetof<Manifold>('lax0') + <usize>i * MANIFOLD_POINT_STRIDE);
}

/** Address of the excess of a point in the record. */
export function excessIn(m: Manifold, i: u32): usize {
  return changetype<usize>(m) + offsetof<Manifold>('excess0') + ((<usize>i) << 2);
}

export function manifoldAt(index: u32): Manifold {
  return changetype<Manifold>(rowInBlocks(header().manifoldBlocks, index, MANIFOLD_BLOCK, MANIFOLD_STRIDE));
}

/** A cleared slot, NONE without memory (header error set). */
export function allocateManifold(): u32 {
  const h: Header = header();
  let index: u32 = h.manifoldFree;
  let held: u32 = 0; // what the GPU holds at this place: of the manifold before
  if (index != NONE) {
    h.manifoldFree = manifoldAt(index).next;
    held = manifoldAt(index).held;
  } else {
    index = h.manifoldCount;
    const list: usize = changetype<usize>(h) + offsetof<Header>('manifoldBlocks');
    if (!ensureBlocks(list, index + 1, MANIFOLD_BLOCK, MANIFOLD_STRIDE)) return NONE;
    h.manifoldCount = index + 1;
  }
  memory.fill(changetype<usize>(manifoldAt(index)), 0, MANIFOLD_STRIDE);
  const m: Manifold = manifoldAt(index);
  m.lane = NONE;
  m.next = NONE;
  m.held = held;
  m.index = index;
  h.graphStamp++;
  h.manifoldAlive++;
  return index;
}

export function freeManifold(index: u32): void {
  const h: Header = header();
  const m: Manifold = manifoldAt(index);
  h.contactCount -= m.count;
  m.count = 0;
  m.lane = NONE;
  m.next = h.manifoldFree;
  h.graphStamp++;
  h.manifoldFree = index;
  h.manifoldAlive--;
}

/** Whether no solver has to look at a manifold: one body sleeps, and the other does too or is not dynamic. */
export function isResting(m: Manifold): bool {
  const a: u32 = coldAt(m.bodyA).flags;
  const b: u32 = coldAt(m.bodyB).flags;
  if (((a | b) & FLAG_ASLEEP) == 0) return false;
  const restA: bool = (a & FLAG_ASLEEP) != 0 || (a & FLAG_TYPE) != BODY_DYNAMIC;
  const restB: bool = (b & FLAG_ASLEEP) != 0 || (b & FLAG_TYPE) != BODY_DYNAMIC;
  return restA && restB;
}

/** Sets the number of contacts of a manifold and keeps the count of all of them. */
export function setContactCount(m: Manifold, count: u32): void {
  const h: Header = header();
  h.contactCount = h.contactCount + count - m.count;
  m.count = count;
}

/** Lists the live manifolds that do not sleep, in ascending order, for solvers that walk the store. False without memory. */
export function listActiveManifolds(): bool {
  const h: Header = header();
  if (h.activeStamp == h.graphStamp) return true;
  const base: usize = changetype<usize>(h);
  if (!ensureArray(base + offsetof<Header>('activeManifolds'), 4, h.manifoldCount)) return false;
  const out: usize = h.activeManifolds;
  let n: u32 = 0;
  const asleep: bool = h.sleepingCount != 0;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    if (manifoldAt(i).count == 0 || (asleep && isResting(manifoldAt(i)))) continue;
    store<u32>(out + ((<usize>n) << 2), i);
    n++;
  }
  h.activeCount = n;
  h.activeStamp = h.graphStamp;
  return true;
}
