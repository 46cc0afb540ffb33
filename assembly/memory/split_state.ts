// Address book of the splitting solver and of the scratch of the scalar solvers: SplitState at header().splitState.
import { SPLIT_STATE_STRIDE, SplitState } from '../layout.generated';
import { allocate, ensureArray } from './allocator';
import { header } from './header';

/** Allocates the state; harmless when it exists. Returns false (header error set) without memory. */
export function initSplit(): bool {
  if (header().splitState != 0) return true;
  const block: usize = allocate(SPLIT_STATE_STRIDE);
  header().splitState = <u32>block;
  return block != 0;
}

export function splitState(): SplitState {
  return changetype<SplitState>(<usize>header().splitState);
}

/** Room for `needed` elements of `stride` bytes in the array whose base is the field at `offset`. */
export function splitRoom(offset: usize, stride: usize, needed: u32): bool {
  const at: usize = <usize>header().splitState + offset;
  return ensureArray(at, stride, needed);
}
