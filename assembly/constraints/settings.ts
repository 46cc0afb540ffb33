// Changes of settings that budgets and sleeping bodies depend on. Budgets of boxes and pairs depend on the length of a step and
// on the speculative margin. Sleeping bodies depend on the gravity under which they fell asleep.
// Input: Header.dt, speculativeMargin, gravity. Output: motions, budgets of boxes and pairs, bodies that woke.
import { BroadphaseState, Header, SleepState } from '../layout.generated';
import { foreseeMotion } from '../bodies/motions';
import { broadphaseState } from '../broadphase/state';
import { header } from '../memory/header';
import { pairHot } from './pair_rows';
import { sleepState, wakeAll } from './sleep';

/**
 * At the start of a step, and before a call puts a body to sleep: recomputes budgets that were made for another length of step or
 * another margin, and wakes sleepers that another gravity concerns.
 */
export function followSettings(): void {
  const h: Header = header();
  const s: BroadphaseState = broadphaseState();
  if (s.dt != h.dt) {
    s.dt = h.dt;
    for (let i: u32 = 0; i < h.bodyCount; i++) foreseeMotion(i);
  }
  if (s.margin != h.speculativeMargin) {
    s.margin = h.speculativeMargin;
    wakeAll();
    for (let i: u32 = 0; i < h.bodyCount; i++) store<f64>(<usize>s.boxBudgets + ((<usize>i) << 3), -1);
    for (let i: u32 = 0; i < h.pairCount; i++) pairHot(i).budget = -1;
  }
  const rest: SleepState = sleepState();
  if (rest.gravityX != h.gravityX || rest.gravityY != h.gravityY || rest.gravityZ != h.gravityZ) {
    rest.gravityX = h.gravityX;
    rest.gravityY = h.gravityY;
    rest.gravityZ = h.gravityZ;
    wakeAll();
  }
}
