// The store of manifolds: slots with a free list, so that an index stays good while its pair touches.
import { Header, MANIFOLD_STRIDE, Manifold, NONE } from '../layout.generated';
import { ensureCapacity } from '../memory/allocator';
import { isResting } from '../bodies/sleep';
import { header } from '../memory/header';

/** Offset of point 0 in a Manifold: rows of 16 bytes anchor A + adjust, anchor B + separation, rA + impulse, rB + maxImpulse. */
// @ts-ignore: decorator
@inline export const POINTS: usize = offsetof<Manifold>('lax0');
// @ts-ignore: decorator
@inline export const POINT_STRIDE: usize = 64;
if (offsetof<Manifold>('lax1') != offsetof<Manifold>('lax0') + 64) ERROR('Manifold points are 64 bytes apart');

// @ts-ignore: decorator
@inline
export function manifoldAt(index: u32): Manifold {
  return changetype<Manifold>(<usize>header().manifolds + <usize>index * MANIFOLD_STRIDE);
}

/** A cleared slot, NONE without memory (header error set). */
export function allocateManifold(): u32 {
  const h: Header = header();
  let index: u32 = h.manifoldFree;
  if (index != NONE) {
    h.manifoldFree = manifoldAt(index).next;
  } else {
    index = h.manifoldCount;
    const base: usize = changetype<usize>(h);
    if (
      !ensureCapacity(
        base + offsetof<Header>('manifolds'),
        base + offsetof<Header>('manifoldCapacity'),
        MANIFOLD_STRIDE,
        index + 1,
      )
    )
      return NONE;
    h.manifoldCount = index + 1;
  }
  memory.fill(changetype<usize>(manifoldAt(index)), 0, MANIFOLD_STRIDE);
  const m: Manifold = manifoldAt(index);
  m.lane = NONE;
  m.next = NONE;
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
  h.manifoldFree = index;
  h.manifoldAlive--;
}

/** Sets the number of contacts of a manifold and keeps the count of all of them. */
// @ts-ignore: decorator
@inline
export function setContactCount(m: Manifold, count: u32): void {
  const h: Header = header();
  h.contactCount = h.contactCount + count - m.count;
  m.count = count;
}

/** Lists the live manifolds that do not sleep, in ascending order, for solvers that walk the store. False without memory. */
export function listActiveManifolds(): bool {
  const h: Header = header();
  const base: usize = changetype<usize>(h);
  if (!ensureCapacity(base + offsetof<Header>('activeManifolds'), base + offsetof<Header>('activeCapacity'), 4, h.manifoldCount))
    return false;
  const out: usize = h.activeManifolds;
  let n: u32 = 0;
  const asleep: bool = h.sleepingCount != 0;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    if (manifoldAt(i).count == 0 || (asleep && isResting(manifoldAt(i)))) continue;
    store<u32>(out + ((<usize>n) << 2), i);
    n++;
  }
  h.activeCount = n;
  return true;
}
