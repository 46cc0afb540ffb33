// Joints at work in a step: enabled, with a body that impulses move and that is awake. Links behind the manifolds.
// Output in OrderState: jointLinks, ascending, jointCount.
import { Joint, NONE, OrderState } from '../layout.generated';
import { isAsleep, isMoved } from '../bodies/rows';
import { isEnabled, jointAt } from '../constraints/joints';
import { header } from '../memory/header';
import { put32 } from '../memory/words';
import { initOrdering, orderRoom, orderState } from './state';

function isActive(body: u32): bool {
  return body != NONE && isMoved(body) && !isAsleep(body);
}

/** Lists the joints of a step. False without memory (header error set). */
export function listJoints(): bool {
  if (!initOrdering()) return false;
  const s: OrderState = orderState();
  s.standing = 0;
  const joints: u32 = header().jointAlive == 0 ? 0 : header().jointCount;
  if (!orderRoom(offsetof<OrderState>('jointLinks'), 4, joints)) return false;
  let count: u32 = 0;
  for (let i: u32 = 0; i < joints; i++) {
    const joint: Joint = jointAt(i);
    if (isEnabled(i) && (isActive(joint.bodyA) || isActive(joint.bodyB))) put32(s.jointLinks, count++, i);
  }
  s.jointCount = count;
  return true;
}
