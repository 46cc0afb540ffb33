// Scratch memory of the narrow phase: one NarrowState at header().narrowState holds the address of each family's block.
//
// Every family allocates its own block once through `narrowState()` at start-up; tests read it and never allocate, so
// addresses stay good for the life of the world.
import { NARROW_STATE_STRIDE, NarrowState } from '../layout.generated';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';

/** Makes the NarrowState (all sub-pointers 0) unless it exists. Call before the init functions of the families. */
export function initNarrowState(): void {
  if (header().narrowState == 0) header().narrowState = <u32>allocate(NARROW_STATE_STRIDE);
}

/** The sub-pointers of the narrow phase. */
export function narrowState(): NarrowState {
  return changetype<NarrowState>(<usize>header().narrowState);
}
