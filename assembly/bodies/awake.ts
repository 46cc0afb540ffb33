// The list of bodies that a step works on: alive, enabled, not static, not asleep; in ascending order. Stages go over this list
// instead of over all slots, so static bodies, sleeping bodies and free slots cost nothing. Code that changes its members calls
// awakeChanged; the list is then rebuilt before its next use. A body outside of the list has zero velocity, delta and
// acceleration.
// Input: flags of BodyCold. Output: Header.awakeBodies, awakeCount.
import { BODY_STATIC, Header } from '../layout.generated';
import { ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { FLAG_ALIVE, FLAG_ASLEEP, FLAG_DISABLED, FLAG_TYPE, coldAt } from './rows';

/** A body was made, removed, put to sleep or woken, or its type changed. */
export function awakeChanged(): void {
  header().awakeStale = 1;
}

/** Returns the present list. False without memory (header error set). */
export function listAwake(): bool {
  const h: Header = header();
  if (h.awakeStale == 0) return true;
  const base: usize = changetype<usize>(h) + offsetof<Header>('awakeBodies');
  if (!ensureArray(base, 4, h.bodyCapacity)) return false;
  const out: usize = h.awakeBodies;
  let n: u32 = 0;
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const flags: u32 = coldAt(i).flags;
    if ((flags & (FLAG_ALIVE | FLAG_ASLEEP | FLAG_DISABLED)) != FLAG_ALIVE || (flags & FLAG_TYPE) == BODY_STATIC) continue;
    store<u32>(out + ((<usize>n) << 2), i);
    n++;
  }
  h.awakeCount = n;
  h.awakeStale = 0;
  h.awakeLists++;
  h.graphStamp++;
  return true;
}

/** Body at place k of the list. */
export function awakeBody(k: u32): u32 {
  return load<u32>(<usize>header().awakeBodies + ((<usize>k) << 2));
}
