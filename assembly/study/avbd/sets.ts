// Constraints of a step and the bodies that they hold: rows of each constraint, and for each body the constraints on it, so that
// a body finds all its rows (the adjacency of AVBD algorithm 1, line "for each force of the body").
// Input: active manifolds, OrderState.jointLinks. Output: AvbdState.setStarts, rows (room), bodyStarts, bodySets.
import { jointAt } from '../../constraints/joints';
import {
  AVBD_BODY_STRIDE,
  AVBD_JOINT_STRIDE,
  AVBD_MANIFOLD_STRIDE,
  AVBD_ROW_STRIDE,
  AvbdState,
  Joint,
  Manifold,
  NONE,
} from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { listJoints } from '../../ordering/joint_links';
import { orderState } from '../../ordering/state';
import { rowsOfAvbdJoint } from './joint_rows';
import { rowsOfContact } from './turn_rows';
import { avbdBody, avbdRoom, avbdState } from './state';

/** Lists constraints and makes room for all of AVBD. False without memory. */
export function listSets(): bool {
  if (!listJoints()) return false;
  const h = header();
  const s: AvbdState = avbdState();
  s.links = h.activeCount;
  s.sets = h.activeCount + orderState().jointCount;
  const ok: bool =
    avbdRoom(offsetof<AvbdState>('bodies'), AVBD_BODY_STRIDE, h.bodyCount + 1) &&
    avbdRoom(offsetof<AvbdState>('manifolds'), AVBD_MANIFOLD_STRIDE, h.manifoldCount) &&
    avbdRoom(offsetof<AvbdState>('joints'), AVBD_JOINT_STRIDE, h.jointCount) &&
    avbdRoom(offsetof<AvbdState>('setStarts'), 4, s.sets + 1) &&
    avbdRoom(offsetof<AvbdState>('bodyStarts'), 4, h.bodyCount + 2) &&
    avbdRoom(offsetof<AvbdState>('bodySets'), 4, 2 * s.sets);
  if (!ok) return false;
  let rows: u32 = 0;
  for (let set: u32 = 0; set < s.sets; set++) {
    put32(s.setStarts, set, rows);
    rows += set < s.links ? rowsOfContact(manifoldOfLink(set)) : rowsOfAvbdJoint(jointOfSet(set));
  }
  put32(s.setStarts, s.sets, rows);
  s.rowCount = rows;
  return avbdRoom(offsetof<AvbdState>('rows'), AVBD_ROW_STRIDE, rows);
}

/** The joint of a constraint that is one. */
export function jointOfSet(set: u32): u32 {
  return at32(orderState().jointLinks, set - avbdState().links);
}

/** Body A or B (side 0, 1) of a constraint, NONE: the world. */
function bodyOf(set: u32, side: u32): u32 {
  if (set < avbdState().links) {
    const m: Manifold = manifoldOfLink(set);
    return side == 0 ? m.bodyA : m.bodyB;
  }
  const joint: Joint = jointAt(jointOfSet(set));
  return side == 0 ? joint.bodyA : joint.bodyB;
}

function isHeld(body: u32): bool {
  return body != NONE && avbdBody(body).mass > 0;
}

/** Constraints of each body with mass, in their order: call when bodies are weighed. */
export function sortSets(): void {
  const s: AvbdState = avbdState();
  const bodies: u32 = header().bodyCount;
  const starts: usize = s.bodyStarts;
  memory.fill(starts, 0, (<usize>bodies + 2) << 2);
  // Counts two places ahead become starts one place ahead, which the entries then fill up.
  for (let i: u32 = 0; i < 2 * s.sets; i++) {
    const body: u32 = bodyOf(i >> 1, i & 1);
    if (isHeld(body)) put32(starts, body + 2, at32(starts, body + 2) + 1);
  }
  for (let b: u32 = 2; b < bodies + 2; b++) put32(starts, b, at32(starts, b) + at32(starts, b - 1));
  for (let i: u32 = 0; i < 2 * s.sets; i++) {
    const body: u32 = bodyOf(i >> 1, i & 1);
    if (!isHeld(body)) continue;
    const place: u32 = at32(starts, body + 1);
    put32(s.bodySets, place, i);
    put32(starts, body + 1, place + 1);
  }
}
