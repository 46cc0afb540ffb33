// Events of bodies that woke or fell asleep, if the world requests them. A body that woke between two steps, or in a step, is
// reported with that step, if it still exists and is awake. A body that a call wakes while a step is in flight is reported with
// the next step.
// Input: SleepState.woken, awake bodies. Output: EVENT_WAKE and EVENT_SLEEP rows.
import { Header, NONE, SleepState } from '../layout.generated';
import { awakeBody } from '../bodies/awake';
import { FLAG_ALIVE, FLAG_ASLEEP, FLAG_SLEPT, coldAt, isAsleep } from '../bodies/rows';
import { sleepState } from '../constraints/sleep';
import { header } from '../memory/header';
import { at32 } from '../memory/words';
import { EVENT_SLEEP, EVENT_WAKE, pushEvent, reserveEvents } from './events';

/** Before the list of bodies that woke is read; takes room for all that may fall asleep. False without memory. */
export function emitWakeEvents(): bool {
  const h: Header = header();
  if (h.sleepEvents == 0) return true;
  const s: SleepState = sleepState();
  if (!reserveEvents(s.wokenCount + h.awakeCount + s.wokenCount)) return false;
  for (let i: u32 = 0; i < s.wokenCount; i++) {
    const body: u32 = at32(s.woken, i);
    // Its slot may have come free since, and have another owner, who never slept.
    if ((coldAt(body).flags & (FLAG_SLEPT | FLAG_ALIVE | FLAG_ASLEEP)) != (FLAG_SLEPT | FLAG_ALIVE)) continue;
    coldAt(body).flags &= ~FLAG_SLEPT;
    pushEvent(EVENT_WAKE, body, NONE);
  }
  return true;
}

/** After islands were put to sleep: those of the bodies that were awake in this step. */
export function emitSleepEvents(): void {
  const h: Header = header();
  if (h.sleepEvents == 0) return;
  for (let k: u32 = 0; k < h.awakeCount; k++) if (isAsleep(awakeBody(k))) pushEvent(EVENT_SLEEP, awakeBody(k), NONE);
}
