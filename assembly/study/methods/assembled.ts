// Jacobi on the assembled matrix (Datta 2017, approach 2), masses as in scalar splitting.
import { MethodState } from '../../layout.generated';
import { ScalarSplit } from './jacobi';
import { assemble } from './jacobi_assemble';
import { iterateAssembled } from './jacobi_product';
import { listSpans } from './gpu_lists';

export class AssembledJacobi extends ScalarSplit {
  start(s: MethodState, onGpu: bool): bool {
    return super.start(s, onGpu) && (onGpu || assemble());
  }
  iterate(s: MethodState, count: u32): void {
    iterateAssembled(count);
  }
  listForGpu(s: MethodState): bool {
    return listSpans(s);
  }
}
