// Scratch of the contacts stage: rotations and relative pose of the present pair, outputs of the narrow phase, old points.
import {
  CONTACT_MARKS,
  CONTACT_STATE_STRIDE,
  ContactMarks,
  Header,
  OLD_MANIFOLDS,
  OLD_MANIFOLD_STRIDE,
  OldManifold,
} from '../layout.generated';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';
import { thisThread } from '../threads/team';

/** The block of this thread. */
export function contactState(): usize {
  return <usize>header().contactState + <usize>thisThread() * CONTACT_STATE_STRIDE;
}

/** Its numbers. */
export function contactMarks(): ContactMarks {
  return changetype<ContactMarks>(contactState() + CONTACT_MARKS);
}

export function oldManifold(k: u32): OldManifold {
  return changetype<OldManifold>(contactState() + OLD_MANIFOLDS + <usize>k * OLD_MANIFOLD_STRIDE);
}

/** Blocks for so many threads, that of the first as it is. False without memory (header error set). */
export function reserveContactStates(count: u32, had: u32): bool {
  const fresh: usize = allocate(<usize>count * CONTACT_STATE_STRIDE);
  if (fresh == 0) return false;
  const h: Header = header();
  if (h.contactState != 0) {
    memory.copy(fresh, h.contactState, CONTACT_STATE_STRIDE);
    release(h.contactState, <usize>had * CONTACT_STATE_STRIDE);
  }
  h.contactState = <u32>fresh;
  return true;
}
