// Levels of bodies: contacts and joints between a body and the nearest body that impulses do not move. Shock propagation goes up
// by them; at a joint the body of the lower level bears the other one.
// Input: graph. Output: MethodState.levels.
import { MethodState, NONE, OrderState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { orderState } from '../../ordering/state';
import { methodRoom, methodState, movesByImpulses } from './state';

/** Level of every body: breadth first over contacts and joints from bodies that do not move by impulses. False without memory. */
export function findLevels(): bool {
  const h = header();
  const s: MethodState = methodState();
  const o: OrderState = orderState();
  const bodies: u32 = h.bodyCount;
  const links: u32 = o.linkCount;
  if (!methodRoom(offsetof<MethodState>('levels'), 4, bodies)) return false;
  const levels: usize = s.levels;
  const queue: usize = s.touched;
  memory.fill(levels, 0xff, (<usize>bodies) << 2);
  let tail: u32 = 0;
  for (let l: u32 = 0; l < links; l++) {
    const a: u32 = at32(o.linkBodies, l * 2),
      b: u32 = at32(o.linkBodies, l * 2 + 1);
    if ((a == NONE) == (b == NONE)) continue;
    const body: u32 = a != NONE ? a : b;
    if (at32(levels, body) != NONE) continue;
    put32(levels, body, 1);
    put32(queue, tail++, body);
  }
  for (let head: u32 = 0; head < tail; head++) {
    const body: u32 = at32(queue, head);
    const end: u32 = at32(o.bodyStarts, body + 1);
    for (let i: u32 = at32(o.bodyStarts, body); i < end; i++) {
      const l: u32 = at32(o.bodyLinks, i);
      for (let side: u32 = 0; side < 2; side++) {
        const other: u32 = at32(o.linkBodies, l * 2 + side);
        if (other == NONE || at32(levels, other) != NONE) continue;
        put32(levels, other, at32(levels, body) + 1);
        put32(queue, tail++, other);
      }
    }
  }
  return true;
}

/** Level of a body of a row, 0 if impulses do not move it, NONE without a way to such a body. */
export function levelOf(s: MethodState, body: u32): u32 {
  return movesByImpulses(body) ? at32(s.levels, body) : 0;
}

/** Level of a link: that of its higher body; links that hang in the air come first. */
export function linkLevel(s: MethodState, link: u32): u32 {
  const o: OrderState = orderState();
  let level: u32 = 0;
  for (let side: u32 = 0; side < 2; side++) {
    const body: u32 = at32(o.linkBodies, link * 2 + side);
    const at: u32 = body != NONE ? at32(s.levels, body) : 0;
    if (at != NONE) level = max<u32>(level, at);
  }
  return level;
}
