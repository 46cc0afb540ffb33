// The bias of contacts as the methods of the papers leave it (queries/measure.ts): without relax the velocities were solved for
// the gap before they moved the bodies, s - h v_n, and with the Baumgarte push against overlap. (With s itself a contact that
// closes its gap within the step would count with its whole approach speed.)
import { Header, STABILIZE_BAUMGARTE } from '../layout.generated';
import { header } from '../memory/header';
import { GapBias } from '../queries/measure';

class MethodBias extends GapBias {
  of(gap: f32, u: f32, substepRate: f32): f32 {
    const h: Header = header();
    if (h.onRows == 0 || h.relax != 0) return super.of(gap, u, substepRate);
    const before: f32 = gap * substepRate - u;
    if (before > 0) return before;
    if (h.stabilization != STABILIZE_BAUMGARTE) return 0;
    const depth: f32 = min<f32>(before + h.linearSlop * substepRate, 0);
    return max<f32>(h.stabilizationFactor * depth, -h.pushSpeed);
  }
}

export function initGapBias(): void {
  header().gapBias = idof<MethodBias>();
}
