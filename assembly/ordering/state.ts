// The ordering's own header and its arrays. Every array is a base and a capacity (two u32) in OrderState; stages make
// room before they run, so that a pointer held by a loop stays good.
import { ORDER_STATE_STRIDE, OrderState } from '../layout.generated';
import { hasVelocity, isDisabled, isMoved } from '../bodies/rows';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';

/** Allocates the ordering's state; harmless when it exists. Returns false (header error set) without memory. */
export function initOrdering(): bool {
  if (header().orderState != 0) return true;
  const block: usize = allocate(ORDER_STATE_STRIDE);
  header().orderState = <u32>block;
  return block != 0;
}

/** The ordering's state. */
export function orderState(): OrderState {
  return changetype<OrderState>(<usize>header().orderState);
}

/** Room for `needed` elements of `stride` bytes in the array whose base is the field at `offset`. */
export function orderRoom(offset: usize, stride: usize, needed: u32): bool {
  const at: usize = <usize>header().orderState + offset;
  return ensureArray(at, stride, needed);
}

/** True if the body moves during a step: dynamic, or kinematic with a velocity; and enabled. */
export function isMoving(body: u32): bool {
  return (isMoved(body) || hasVelocity(body)) && (header().disabledCount == 0 || !isDisabled(body));
}
