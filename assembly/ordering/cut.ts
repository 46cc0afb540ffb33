// Cuts a set of bodies into cells: parts of about equal size whose bodies lie near each other, by recursive bisection of
// positions across the longest axis of a part. The lanes, their threads (sweep/cut_cells.ts) and mass splitting (partition.ts)
// cut here.
//
// Parts come one by one, from left to right. Whoever takes them knows what its cells may hold, and has a part that is too much
// cut again. Where a cell of links is wanted, the links of a part are those of its bodies that no part before it has taken.
// Input: numbers of bodies at bodiesToCut(), positions. Output: the same numbers part by part; OrderState.partFirst, partSize.
import { CUT_PART_STRIDE, CutPart, OrderState } from '../layout.generated';
import { splitAt } from '../math/bisect';
import { header } from '../memory/header';
import { initOrdering, orderRoom, orderState } from './state';

/** Parts that wait: one a level, and a part may be cut until a body is left. */
const WAITING: u32 = 96;

function partAt(i: u32): CutPart {
  return changetype<CutPart>(<usize>orderState().waitingParts + <usize>i * CUT_PART_STRIDE);
}

/** Room for so many bodies. False without memory (header error set). */
export function roomToCut(bodies: u32): bool {
  if (!initOrdering()) return false;
  if (!orderRoom(offsetof<OrderState>('cutBodies'), 4, bodies)) return false;
  if (!orderRoom(offsetof<OrderState>('sortKeys'), 8, bodies)) return false;
  return orderRoom(offsetof<OrderState>('waitingParts'), CUT_PART_STRIDE, WAITING);
}

/** Where the bodies lie, u32 each. */
export function bodiesToCut(): usize {
  return orderState().cutBodies;
}

function wait(first: u32, size: u32, cells: u32): void {
  const part: CutPart = partAt(orderState().waitingCount++);
  part.first = first;
  part.size = size;
  part.cells = cells;
}

/** Begins to cut `size` of the bodies into so many cells. */
export function beginCut(first: u32, size: u32, cells: u32): void {
  orderState().waitingCount = 0;
  wait(first, size, cells);
}

/** The next part; false behind the last. */
export function nextPart(): bool {
  const s: OrderState = orderState();
  if (s.waitingCount == 0) return false;
  const part: CutPart = partAt(--s.waitingCount);
  const first: u32 = part.first;
  let size: u32 = part.size,
    cells: u32 = part.cells;
  while (cells > 1 && size > 1) {
    const half: u32 = cells >> 1;
    const left: u32 = max<u32>(<u32>((<u64>size * <u64>half) / <u64>cells), 1);
    splitAt(<usize>s.cutBodies + ((<usize>first) << 2), size, left, header().positions, s.sortKeys);
    wait(first + left, size - left, cells - half);
    size = left;
    cells = half;
  }
  s.partFirst = first;
  s.partSize = size;
  return true;
}

/** The part at hand is too much for a cell. */
export function cutAgain(): void {
  wait(orderState().partFirst, orderState().partSize, 2);
}
