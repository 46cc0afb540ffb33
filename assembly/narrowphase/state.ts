// Scratch of the narrow phase: a NarrowState for each thread at header().narrowState holds the address of each family's block.
//
// Every family allocates its own block once through `narrowState()` at start-up; tests read it and never allocate, so
// addresses stay good for the life of the world.
import { Header, NARROW_STATE_STRIDE, NarrowState } from '../layout.generated';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';
import { thisThread } from '../threads/team';

/** Makes the NarrowState (all sub-pointers 0) unless it exists. Call before the init functions of the families. */
export function initNarrowState(): void {
  if (header().narrowState == 0) header().narrowState = <u32>allocate(NARROW_STATE_STRIDE);
}

/** Room for the NarrowStates of so many threads; those of the first `had` stay. False without memory. */
export function reserveNarrowStates(count: u32, had: u32): bool {
  const h: Header = header();
  const fresh: usize = allocate(<usize>count * NARROW_STATE_STRIDE);
  if (fresh == 0) return false;
  memory.copy(fresh, h.narrowState, <usize>had * NARROW_STATE_STRIDE);
  release(h.narrowState, <usize>had * NARROW_STATE_STRIDE);
  h.narrowState = <u32>fresh;
  return true;
}

/** The sub-pointers of the narrow phase, for this thread. */
export function narrowState(): NarrowState {
  return changetype<NarrowState>(<usize>header().narrowState + <usize>thisThread() * NARROW_STATE_STRIDE);
}
