// Active joints of a step: enabled, with an awake body that impulses move. They are links after those of the manifolds.
// Output in OrderState: jointLinks, ascending, jointCount.
import { OrderState } from '../layout.generated';
import { isAtWork, jointAt } from '../constraints/joints';
import { header } from '../memory/header';
import { put32 } from '../memory/words';
import { initOrdering, orderRoom, orderState } from './state';

/** Lists the joints of a step. False without memory (header error set). */
export function listJoints(): bool {
  if (!initOrdering()) return false;
  const s: OrderState = orderState();
  s.standing = 0;
  const joints: u32 = header().jointAlive == 0 ? 0 : header().jointCount;
  if (!orderRoom(offsetof<OrderState>('jointLinks'), 4, joints)) return false;
  let count: u32 = 0;
  for (let i: u32 = 0; i < joints; i++) {
    if (isAtWork(jointAt(i))) put32(s.jointLinks, count++, i);
  }
  s.jointCount = count;
  return true;
}
