// Makes room for many bodies and colliders at once. The memory that the arrays of all stages would need is added up first, and
// linear memory grows once or not at all. So a refused call leaves it unchanged.
import { ensureRoom } from '../memory/allocator';
import { reserveContactStates } from '../scratch/contact_state';
import { initNarrowPhase } from '../narrowphase/dispatch';
import { reserveNarrowStates } from '../narrowphase/state';
import { joinTeam, reserveThreads, team } from '../threads/team';
import { bodyCapacityFor, colliderCapacityFor, reserveBodies, reserveColliders, slotBytes } from './bodies';

/** Makes room for `bodies` and `colliders` in all. Returns false (header error set, nothing changed) without memory. */
export function reserveSlots(bodies: u32, colliders: u32): bool {
  const bytes: u64 = slotBytes(bodyCapacityFor(bodies), colliderCapacityFor(colliders));
  return ensureRoom(bytes) && reserveBodies(bodies) && reserveColliders(colliders);
}

/** Scratch of all stages for so many threads, while no other thread is at work. False (header error set) without memory. */
export function reserveTeam(threads: u32): bool {
  const had: u32 = team().capacity;
  if (had >= threads) return true;
  if (!reserveContactStates(threads, had) || !reserveNarrowStates(threads, had)) return false;
  let ready: bool = true;
  for (let thread: u32 = had; thread < threads && ready; thread++) {
    // initNarrowPhase allocates for the thread that it runs as.
    joinTeam(thread);
    ready = initNarrowPhase();
  }
  joinTeam(0);
  return ready && reserveThreads(threads);
}
