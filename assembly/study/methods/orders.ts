// Gauss-Seidel in other orders of links: by blocks of Tsuda 2009, by graph colors (Tonge 2012, section 3.4.1).
import { MethodState, OrderState } from '../../layout.generated';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { colorAll } from '../../ordering/coloring';
import { orderState } from '../../ordering/state';
import { orderCellLike } from './cell_like';
import { listColors } from './gpu_lists';
import { RowMethod } from './method';

export class CellOrder extends RowMethod {
  orderLinks(s: MethodState): bool {
    const h = header();
    if (!orderCellLike(h.granularity)) return false;
    memory.copy(s.linkOrder, orderState().cellOrder, (<usize>h.activeCount) << 2);
    return true;
  }
  permutesRows(): bool {
    return false;
  }
}

export class ColorOrder extends RowMethod {
  orderLinks(s: MethodState): bool {
    const o: OrderState = orderState();
    const links: u32 = header().activeCount;
    if (!colorAll()) return false;
    let n: u32 = 0;
    for (let color: u32 = 0; color < o.colorCount; color++) {
      for (let l: u32 = 0; l < links; l++) if (at32(o.linkColors, l) == color) put32(s.linkOrder, n++, l);
    }
    return true;
  }
  permutesRows(): bool {
    return false;
  }
  listForGpu(s: MethodState): bool {
    return listColors(s);
  }
}
