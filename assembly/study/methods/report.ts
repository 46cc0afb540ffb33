// How much of the contact problem each ordering lets run at once (Tsuda 2009, "Result (Parallelization)"): rows of every
// batch, a synchronization between batches. Rows are those of a friction pyramid, three a contact, whatever friction model
// is in use: that is what the published tables count.
//   algebraic   greedy colors of the matrix: rows that share a dynamic body differ, those of one contact too
//   geometric   greedy colors of links (body pairs): all rows of a link lie in one batch
//   cell-like   batches of blocks of header().granularity links that share no dynamic body
// Input: manifolds. Output: MethodState.report: batches, then rows, links and blocks of each.
import { Manifold, MethodState, NONE, OrderState } from '../../layout.generated';
import { listActiveManifolds } from '../../constraints/manifolds';
import { allocate, release } from '../../memory/allocator';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { orderCellLike } from './cell_like';
import { colorAll } from '../../ordering/coloring';
import { buildGraph, manifoldOfLink } from '../../ordering/graph';
import { orderState } from '../../ordering/state';
import { initMethods, methodRoom, methodState } from './state';

const ROWS_PER_CONTACT: u32 = 3;

/** Address of the report of an ordering (0 algebraic, 1 geometric, 2 cell-like), 0 without memory. */
export function orderReport(kind: u32): u32 {
  if (!initMethods() || !listActiveManifolds() || !buildGraph()) return 0;
  const ok: bool = kind == 0 ? algebraic() : kind == 1 ? geometric() : cellLike();
  return ok ? methodState().report : 0;
}

/** Room for `batches` batches, all counts zero. */
function start(batches: u32): bool {
  if (!methodRoom(offsetof<MethodState>('report'), 4, 1 + batches * 3)) return false;
  const report: usize = methodState().report;
  memory.fill(report, 0, (<usize>batches * 3 + 1) << 2);
  put32(report, 0, batches);
  return true;
}

function count(batch: u32, rows: u32, links: u32, blocks: u32): void {
  const report: usize = methodState().report;
  const at: u32 = 1 + batch * 3;
  put32(report, at, at32(report, at) + rows);
  put32(report, at + 1, at32(report, at + 1) + links);
  put32(report, at + 2, at32(report, at + 2) + blocks);
}

/** Batches are colors of links; a link is a block. */
function geometric(): bool {
  const o: OrderState = orderState();
  if (!colorAll() || !start(o.colorCount)) return false;
  for (let l: u32 = 0; l < o.linkCount; l++) count(at32(o.linkColors, l), manifoldOfLink(l).count * ROWS_PER_CONTACT, 1, 1);
  return true;
}

/** Batches of blocks. */
function cellLike(): bool {
  const o: OrderState = orderState();
  if (!orderCellLike(header().granularity) || !start(o.orderBatchCount)) return false;
  for (let batch: u32 = 0; batch < o.orderBatchCount; batch++) {
    const last: u32 = at32(o.orderBatches, batch + 1);
    for (let block: u32 = at32(o.orderBatches, batch); block < last; block++) {
      const end: u32 = at32(o.orderBlocks, block + 1);
      for (let i: u32 = at32(o.orderBlocks, block); i < end; i++) {
        count(batch, manifoldOfLink(at32(o.cellOrder, i)).count * ROWS_PER_CONTACT, 1, 0);
      }
      count(batch, 0, 0, 1);
    }
  }
  return true;
}

/** Colors of rows; a row is a block. Colors in use by a body are bits, as many words as any body may need. */
function algebraic(): bool {
  const o: OrderState = orderState();
  let most: u32 = 0;
  for (let body: u32 = 0; body < o.bodyCount; body++) {
    let rows: u32 = 0;
    const end: u32 = at32(o.bodyStarts, body + 1);
    for (let i: u32 = at32(o.bodyStarts, body); i < end; i++)
      rows += manifoldOfLink(at32(o.bodyLinks, i)).count * ROWS_PER_CONTACT;
    most = max<u32>(most, rows);
  }
  // Two bodies of `most` rows each take at most 2 most - 1 colors.
  const words: usize = (<usize>most * 2 + 63) >> 6;
  const bytes: usize = ((<usize>o.bodyCount * words) << 3) + 16;
  const masks: usize = allocate(bytes);
  if (masks == 0) return false;
  memory.fill(masks, 0, bytes);
  const ok: bool = start(most * 2);
  let colors: u32 = 0;
  for (let l: u32 = 0; ok && l < o.linkCount; l++) {
    const m: Manifold = manifoldOfLink(l);
    const a: u32 = at32(o.linkBodies, l * 2);
    const b: u32 = at32(o.linkBodies, l * 2 + 1);
    if (a == NONE && b == NONE) continue;
    const rows: u32 = m.count * ROWS_PER_CONTACT;
    for (let r: u32 = 0; r < rows; r++) {
      for (let word: usize = 0; word < words; word++) {
        const atA: usize = masks + ((<usize>a * words + word) << 3);
        const atB: usize = masks + ((<usize>b * words + word) << 3);
        const taken: u64 = (a != NONE ? load<u64>(atA) : 0) | (b != NONE ? load<u64>(atB) : 0);
        if (taken == u64.MAX_VALUE) continue;
        const bit: u64 = ~taken & (taken + 1);
        if (a != NONE) store<u64>(atA, load<u64>(atA) | bit);
        if (b != NONE) store<u64>(atB, load<u64>(atB) | bit);
        const color: u32 = <u32>(word << 6) + <u32>ctz<u64>(bit);
        colors = max<u32>(colors, color + 1);
        count(color, 1, 0, 1);
        break;
      }
    }
  }
  release(masks, bytes);
  if (ok) put32(methodState().report, 0, colors);
  return ok;
}
