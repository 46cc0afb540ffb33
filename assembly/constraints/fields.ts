// Sleep in force fields. Fields (gravity of a point, water) push bodies in every step, even sleeping ones. A sleeping body
// remembers the total force of all fields in the step in which it fell asleep (or in the next step, if a call put it to sleep).
// It sleeps on as long as the force stays the same, and wakes when it changes by more than FIELD_CHANGE: the pool fills, or the
// field is switched on or off.
//
// addField sums the forces of a step in BodyCold.fx to tz; any other force would wake the body first. While a body is awake,
// followFields keeps the sum of the fields in BodyCold.restX to restZ; for a sleeping body this is the remembered force.
// Input: forces of fields since the last step. Output: bodies that woke; BodyCold.rest*, SleepState.fields.
import { BODY_DYNAMIC, BodyCold, Header, SleepState } from '../layout.generated';
import { FLAG_ALIVE, FLAG_ASLEEP, FLAG_DOZED, FLAG_FIELD, FLAG_FORCED, FLAG_LAID, FLAG_TYPE, coldAt } from '../bodies/rows';
import { dot3 } from '../math/lane';
import { header } from '../memory/header';
import { sleepState, wakeBody } from './sleep';

/** Change of a force that wakes, as a share of the force itself or of the weight, whichever is larger. */
const FIELD_CHANGE: f32 = 0.01;
/**
 * The same in the step behind that in which a body fell asleep by itself: it moved a little then, and the drag of that is gone.
 */
const DOZED_CHANGE: f32 = 0.5;

/** Adds the force of a field at the center of mass (N) and its torque (N m), world frame, to the next step; wakes nothing. */
export function addField(body: u32, fx: f32, fy: f32, fz: f32, tx: f32, ty: f32, tz: f32): void {
  const cold: BodyCold = coldAt(body);
  cold.fx += fx;
  cold.fy += fy;
  cold.fz += fz;
  cold.tx += tx;
  cold.ty += ty;
  cold.tz += tz;
  if ((cold.flags & FLAG_ASLEEP) == 0) {
    const first: bool = (cold.flags & FLAG_FIELD) == 0;
    cold.restX = first ? fx : cold.restX + fx;
    cold.restY = first ? fy : cold.restY + fy;
    cold.restZ = first ? fz : cold.restZ + fz;
  }
  cold.flags |= FLAG_FORCED | FLAG_FIELD;
  sleepState().fields = 1;
}

function isDynamicAlive(flags: u32): bool {
  return (flags & (FLAG_ALIVE | FLAG_TYPE)) == (FLAG_ALIVE | BODY_DYNAMIC);
}

/** Whether the fields on a sleeping body differ from those that it fell asleep in. */
function isOther(cold: BodyCold): bool {
  const h: Header = header();
  const now: v128 = f32x4(cold.fx, cold.fy, cold.fz, 0),
    rest: v128 = f32x4(cold.restX, cold.restY, cold.restZ, 0);
  const weight: f32 = cold.mass * cold.gravityScale;
  const weight2: f32 = weight * weight * (h.gravityX * h.gravityX + h.gravityY * h.gravityY + h.gravityZ * h.gravityZ);
  const most2: f32 = max<f32>(max<f32>(dot3(now, now), dot3(rest, rest)), weight2);
  const share: f32 = (cold.flags & FLAG_DOZED) != 0 ? DOZED_CHANGE : FIELD_CHANGE;
  const change: v128 = f32x4.sub(now, rest);
  return dot3(change, change) > share * share * most2;
}

/** At the start of a step: wakes sleeping bodies whose fields have changed, and stores the fields of the others. */
export function followFields(): void {
  const h: Header = header();
  const s: SleepState = sleepState();
  if (s.fields == 0) return;
  if (h.sleepingCount != 0) {
    for (let i: u32 = 0; i < h.bodyCount; i++) {
      const flags: u32 = coldAt(i).flags;
      if ((flags & (FLAG_ASLEEP | FLAG_LAID)) == FLAG_ASLEEP && isDynamicAlive(flags) && isOther(coldAt(i))) wakeBody(i);
    }
  }
  let fields: u32 = 0;
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const cold: BodyCold = coldAt(i);
    if (!isDynamicAlive(cold.flags)) continue;
    const isResting: bool = (cold.flags & FLAG_ASLEEP) != 0;
    if (isResting && (cold.flags & (FLAG_LAID | FLAG_DOZED)) != 0) {
      cold.restX = cold.fx;
      cold.restY = cold.fy;
      cold.restZ = cold.fz;
    } else if (!isResting && (cold.flags & FLAG_FIELD) == 0) cold.restX = cold.restY = cold.restZ = 0;
    cold.flags &= ~(FLAG_FIELD | FLAG_DOZED);
    if (cold.restX != 0 || cold.restY != 0 || cold.restZ != 0) fields = 1;
  }
  s.fields = fields;
}

/** When bodies have taken the forces of the step: those of fields on bodies that sleep in it are done with. */
export function dropFields(): void {
  const h: Header = header();
  if (sleepState().fields == 0 || h.sleepingCount == 0) return;
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & FLAG_ASLEEP) == 0) continue;
    cold.fx = cold.fy = cold.fz = 0;
    cold.tx = cold.ty = cold.tz = 0;
  }
}
