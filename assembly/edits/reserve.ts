// Room for many bodies and colliders at once: what the arrays of all stages would take is added up first, and linear memory
// grows once or not at all, so a call that is refused leaves it as it was.
import { ensureRoom } from '../memory/allocator';
import { bodyCapacityFor, colliderCapacityFor, reserveBodies, reserveColliders, slotBytes } from './bodies';

/** Makes room for `bodies` and `colliders` in all. Returns false (header error set, nothing changed) without memory. */
export function reserveSlots(bodies: u32, colliders: u32): bool {
  const bytes: u64 = slotBytes(bodyCapacityFor(bodies), colliderCapacityFor(colliders));
  return ensureRoom(bytes) && reserveBodies(bodies) && reserveColliders(colliders);
}
