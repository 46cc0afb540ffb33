// Tracks which manifolds the GPU holds: frame, arms, material and impulses as last uploaded. A manifold whose copy on the GPU is
// current carries the epoch of the GPU's memory. Code that changes a manifold marks it dirty, and it is uploaded again.
//
// Only manifolds with a copy get into the list, each once, so there is always room: the packer reserves it (split/gpu_pack.ts).
// Output: Manifold.held, Header.changed, changedCount.
import { Header, Manifold } from '../layout.generated';
import { header } from '../memory/header';
import { manifoldAt } from './manifolds';

/** Whether the GPU holds a manifold as it is. */
export function isHeld(m: Manifold): bool {
  return m.held != 0 && m.held == header().heldEpoch;
}

/** A manifold has changed: what the GPU holds of it is old. */
export function noteChange(index: u32): void {
  const m: Manifold = manifoldAt(index);
  if (!isHeld(m)) return;
  m.held = 0;
  const h: Header = header();
  store<u32>(<usize>h.changed + ((<usize>h.changedCount) << 2), index);
  h.changedCount++;
}

/** The GPU holds nothing any more. */
export function forgetHeld(): void {
  const h: Header = header();
  h.heldEpoch++;
  h.changedCount = 0;
}
