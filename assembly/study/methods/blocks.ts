// Mass splitting by blocks (Tonge 2012): Gauss-Seidel in each block on sub-bodies of its own, then their mean; or as printed.
import { MethodState, OrderState } from '../../layout.generated';
import { at32, put32 } from '../../memory/words';
import { partitionCells } from '../../ordering/partition';
import { orderState } from '../../ordering/state';
import { listPairs } from './gpu_lists';
import { PARTS_BLOCKS, RowMethod } from './method';
import { blockPass } from './sweep_pair';

/** Eq. 35-38: a block is a body pair. */
export class PairSplit extends RowMethod {
  orderLinks(s: MethodState): bool {
    const o: OrderState = orderState();
    memory.copy(s.linkOrder, o.blockLinks, (<usize>o.linkCount) << 2);
    s.linkBlocks = o.blockCount;
    for (let k: u32 = 0; k < o.blockCount; k++) put32(s.linkBlockEnds, k, at32(o.blockStarts, k + 1));
    return true;
  }
  permutesRows(): bool {
    return false;
  }
  parts(): u32 {
    return PARTS_BLOCKS;
  }
  inDivisor(n: f32): f32 {
    return n;
  }
  inEffect(n: f32): f32 {
    return n;
  }
  takesMean(): bool {
    return true;
  }
  pass(s: MethodState, pass: u32, from: u32, to: u32): void {
    blockPass(s, pass, from, this.takesMean());
  }
  listForGpu(s: MethodState): bool {
    return listPairs(s);
  }
}

/** Eq. 16, Algorithm 1: the whole inverse mass in the block, and all changes add up. */
export class PrintedPairSplit extends PairSplit {
  inEffect(n: f32): f32 {
    return 1;
  }
  takesMean(): bool {
    return false;
  }
}

/** A block is a cell of many pairs. */
export class CellSplit extends PairSplit {
  orderLinks(s: MethodState): bool {
    const o: OrderState = orderState();
    if (!partitionCells()) return false;
    memory.copy(s.linkOrder, o.cellLinks, (<usize>o.linkCount) << 2);
    s.linkBlocks = o.cellCount;
    for (let k: u32 = 0; k < o.cellCount; k++) put32(s.linkBlockEnds, k, at32(o.cellStarts, k + 1));
    return true;
  }
}
