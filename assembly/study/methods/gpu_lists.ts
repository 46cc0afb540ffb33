// Lists that kernels on rows need beside the rows: links of each color or pair, sub-bodies of each body, room of the matrix.
// Input: graph, rows. Output: MethodState.gpu*.
import { MethodRow, MethodState, OrderState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { orderState } from '../../ordering/state';
import { methodRoom, methodRow } from './state';

/** Rows on a body; none on one that impulses do not move. */
export function rowsOf(s: MethodState, body: u32): u32 {
  return at32(s.bodyRowStarts, body + 1) - at32(s.bodyRowStarts, body);
}

/** Rows of the links in the order of the solver. False without memory. */
function listLinkRows(s: MethodState): bool {
  const links: u32 = header().activeCount;
  if (!methodRoom(offsetof<MethodState>('gpuLinkRows'), 8, links)) return false;
  for (let i: u32 = 0; i < links; i++) {
    const link: u32 = at32(s.linkOrder, i);
    put32(s.gpuLinkRows, i * 2, at32(s.linkRows, link));
    put32(s.gpuLinkRows, i * 2 + 1, at32(s.linkRows, link + 1));
  }
  return true;
}

/** Links of each color, which lie behind each other. False without memory. */
export function listColors(s: MethodState): bool {
  const links: u32 = header().activeCount;
  const o: OrderState = orderState();
  const colors: u32 = o.colorCount;
  if (!listLinkRows(s) || !methodRoom(offsetof<MethodState>('gpuBlocks'), 4, colors + 1)) return false;
  let color: u32 = 0;
  for (let i: u32 = 0; i < links; i++) {
    while (color <= at32(o.linkColors, at32(s.linkOrder, i))) put32(s.gpuBlocks, color++, i);
  }
  put32(s.gpuBlocks, colors, links);
  s.gpuBlockCount = colors;
  return true;
}

/** Links of each pair, and the sub-bodies of each dynamic body in the order in which their changes are added. */
export function listPairs(s: MethodState): bool {
  const bodies: u32 = header().bodyCount;
  const o: OrderState = orderState();
  const blocks: u32 = o.blockCount;
  const parts: u32 = at32(o.bodyBlockStarts, bodies);
  if (!listLinkRows(s)) return false;
  if (!methodRoom(offsetof<MethodState>('gpuBlocks'), 4, blocks + 1)) return false;
  if (!methodRoom(offsetof<MethodState>('gpuParts'), 4, bodies + 1 + parts)) return false;
  memory.copy(s.gpuBlocks, o.blockStarts, (<usize>blocks + 1) << 2);
  memory.copy(s.gpuParts, o.bodyBlockStarts, (<usize>bodies + 1) << 2);
  for (let b: u32 = 0; b < bodies; b++) {
    const end: u32 = at32(o.bodyBlockStarts, b + 1);
    for (let i: u32 = at32(o.bodyBlockStarts, b); i < end; i++) {
      const block: u32 = at32(o.bodyBlocks, i);
      const first: u32 = at32(o.blockLinks, at32(o.blockStarts, block));
      put32(s.gpuParts, bodies + 1 + i, block * 2 + (manifoldOfLink(first).bodyA == b ? 0 : 1));
    }
  }
  s.gpuBlockCount = blocks;
  return true;
}

/** Room of each row of A: at most the rows of its two bodies. False without memory. */
export function listSpans(s: MethodState): bool {
  if (!methodRoom(offsetof<MethodState>('gpuSpans'), 8, s.rowCount)) return false;
  let total: u32 = 0;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    put32(s.gpuSpans, r * 2, total);
    // The end is written where the entries are.
    put32(s.gpuSpans, r * 2 + 1, total);
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = side == 0 ? row.bodyA : row.bodyB;
      total += rowsOf(s, body);
    }
  }
  s.gpuEntries = total;
  return true;
}
