// Contacts and joints of bodies that were stopped because their motion was not finite (bodies/limits.ts). They are computed
// again, and drop impulses that could lead the next step to the same end.
import { BodyCold, ERROR_NOT_FINITE, Header, Manifold } from '../layout.generated';
import { FLAG_STOPPED, STOPPED_BY, STOPPED_SHIFT, coldAt, isDynamic, rowAt } from '../bodies/rows';
import { noteChange } from '../constraints/held';
import { dropStoppedJoints } from '../constraints/joints';
import { manifoldAt } from '../constraints/manifolds';
import { markDirty } from '../lanes/lanes';
import { clearState, frictionOf, impulseOf, largestImpulseOf, rollingOf, separationOf } from '../lanes/state';
import { header } from '../memory/header';
import { EVENT_STOPPED, pushEvent } from '../events/events';
import { renewBodyContacts } from './renew';

/**
 * Sets values that are not finite to zero in the row of a body that impulses do not move: an infinite impulse times no mobility
 * is NaN, and would spread to all bodies that it touches.
 */
function clearNotFinite(body: u32): void {
  const row: usize = changetype<usize>(rowAt(body));
  for (let k: usize = 0; k < 64; k += 16) {
    const v: v128 = v128.load(row + k);
    v128.store(row + k, v128.and(v, f32x4.eq(f32x4.sub(v, v), f32x4.splat(0))));
  }
}

/** The next pair walk computes the contacts of stopped bodies again. */
export function renewStopped(): void {
  const h: Header = header();
  if (h.stoppedCount == 0) return;
  for (let i: u32 = 0; i < h.bodyCount; i++) if ((coldAt(i).flags & FLAG_STOPPED) != 0) renewBodyContacts(i);
}

/**
 * End of a step that stopped bodies: reports them; their contacts, and others whose numbers are not finite, start from nothing.
 * The same of contacts in a `wild` step, in which a body was faster than numbers can be squared.
 */
export function dropStopped(wild: bool): void {
  const h: Header = header();
  if (h.stoppedCount == 0 && !wild) return;
  renewStopped();
  if (h.stoppedCount != 0) h.error |= ERROR_NOT_FINITE;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0) continue;
    const rest: v128 = f32x4.add(f32x4.abs(frictionOf(m)), f32x4.abs(rollingOf(m)));
    let sum: f32 = f32x4.extract_lane(rest, 0) + f32x4.extract_lane(rest, 1) + f32x4.extract_lane(rest, 2);
    for (let k: u32 = 0; k < m.count; k++)
      sum += abs<f32>(impulseOf(m, k)) + abs<f32>(separationOf(m, k)) + abs<f32>(largestImpulseOf(m, k));
    if (sum < Infinity && ((coldAt(m.bodyA).flags | coldAt(m.bodyB).flags) & FLAG_STOPPED) == 0) continue;
    clearState(m);
    noteChange(i);
    markDirty(m);
  }
  if (h.jointAlive != 0) dropStoppedJoints();
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & FLAG_STOPPED) != 0) pushEvent(EVENT_STOPPED, i, (cold.flags & STOPPED_BY) >> STOPPED_SHIFT);
    cold.flags &= ~(FLAG_STOPPED | STOPPED_BY);
    if (!isDynamic(i)) clearNotFinite(i);
    else if (!(rowAt(i).invMass < Infinity)) rowAt(i).invMass = coldAt(i).mass > 0 ? 1 / coldAt(i).mass : 0;
  }
}
