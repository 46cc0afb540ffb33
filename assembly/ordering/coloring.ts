// Greedy multi-color ordering: walked in the given order, each link takes the smallest color that no earlier link of its
// two dynamic bodies has. Any number of colors: 64 at a time as bits of one word a body; a link that finds its 64 colors
// taken waits for the next round, which gives the same colors as an unbounded word.
// Output: linkColors. Links of a color share no dynamic body.
import { NONE, OrderState } from '../layout.generated';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { orderRoom, orderState } from './state';

/** Colors that a body has. */
function maskAt(masks: usize, body: u32): u64 {
  return body == NONE ? 0 : load<u64>(masks + ((<usize>body) << 3));
}

/** Makes room for colors of all links; false without memory. */
function reserveColors(): bool {
  const s: OrderState = orderState();
  if (!orderRoom(offsetof<OrderState>('linkColors'), 4, s.linkCount)) return false;
  if (!orderRoom(offsetof<OrderState>('bodyMasks'), 8, s.bodyCount)) return false;
  return orderRoom(offsetof<OrderState>('pending'), 4, s.linkCount);
}

/**
 * Colors the `count` links listed at `list` (u32 each) in that order. Bodies outside the list are not looked at. Returns the
 * number of colors. Needs reserveColors().
 */
function colorLinks(list: usize, count: u32): u32 {
  const s: OrderState = orderState();
  const masks: usize = s.bodyMasks;
  const ends: usize = s.linkBodies;
  const colors: usize = s.linkColors;
  const pending: usize = s.pending;
  let from: usize = list;
  let left: u32 = count;
  let base: u32 = 0;
  let used: u32 = 0;
  while (left > 0) {
    for (let i: u32 = 0; i < left; i++) {
      const l: u32 = at32(from, i);
      const a: u32 = at32(ends, l * 2);
      const b: u32 = at32(ends, l * 2 + 1);
      if (a != NONE) store<u64>(masks + ((<usize>a) << 3), 0);
      if (b != NONE) store<u64>(masks + ((<usize>b) << 3), 0);
    }
    let waiting: u32 = 0;
    for (let i: u32 = 0; i < left; i++) {
      const l: u32 = at32(from, i);
      const a: u32 = at32(ends, l * 2);
      const b: u32 = at32(ends, l * 2 + 1);
      const maskA: u64 = maskAt(masks, a),
        maskB: u64 = maskAt(masks, b);
      const taken: u64 = maskA | maskB;
      if (taken == u64.MAX_VALUE) {
        put32(pending, waiting++, l);
        continue;
      }
      const color: u32 = <u32>ctz<u64>(~taken);
      const bit: u64 = (<u64>1) << color;
      if (a != NONE) store<u64>(masks + ((<usize>a) << 3), maskA | bit);
      if (b != NONE) store<u64>(masks + ((<usize>b) << 3), maskB | bit);
      put32(colors, l, base + color);
      used = max<u32>(used, base + color + 1);
    }
    from = pending;
    left = waiting;
    base += 64;
  }
  return used;
}

/** Multi-color ordering of all links; writes header().colorCount. False without memory. Needs buildGraph(). */
export function colorAll(): bool {
  const s: OrderState = orderState();
  if (!reserveColors()) return false;
  if (!orderRoom(offsetof<OrderState>('segments'), 4, s.linkCount)) return false;
  for (let l: u32 = 0; l < s.linkCount; l++) put32(s.segments, l, l);
  const colors: u32 = colorLinks(s.segments, s.linkCount);
  s.colorCount = colors;
  header().colorCount = colors;
  return true;
}
