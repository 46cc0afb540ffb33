// A method on the rows of MethodState: a hook (memory/hook.ts) of which each step has one class, by the code of its solver
// (registry.ts). This one is sequential Gauss-Seidel (Tonge 2012, eq. 14): what a class does not override is as there.
//
// Mass factors (f multiplies a body's inverse mass in the divisor of the step, s where the impulse acts), n parts of the body:
//   Gauss-Seidel, Jacobi (Tonge 2012, eq. 9, 14)     f = 1     s = 1
//   Bridson's average (eq. 12)                       f = 1     s = 1 / n, n rows on the body; see countParts of build.ts
//   scalar splitting (eq. 15)                        f = n     s = 1, n rows on the body
//   block splitting (eq. 35-38)                      f = n     s = n inside the block, n blocks on the body; then the mean
//   block splitting as printed (eq. 16, Algorithm 1) f = n     s = 1 inside the block; all impulses add up
import { MethodState } from '../../layout.generated';
import { header } from '../../memory/header';
import { put32 } from '../../memory/words';
import { orderState } from '../../ordering/state';
import { beginMomentum, extrapolateOrdered } from './momentum';
import { methodState } from './state';
import { sweepUnits } from './sweep_color';

// What the masses of bodies are divided among.
export const PARTS_NONE: u32 = 0;
export const PARTS_ROWS: u32 = 1;
export const PARTS_BLOCKS: u32 = 2;

export class RowMethod {
  /** Writes linkOrder, and the ends of the blocks that sub-bodies work in. False without memory. */
  orderLinks(s: MethodState): bool {
    const links: u32 = orderState().linkCount;
    for (let l: u32 = 0; l < links; l++) put32(s.linkOrder, l, l);
    return true;
  }
  /** Whether a permutation is one of the rows, not of the links. */
  permutesRows(): bool {
    return true;
  }
  /** PARTS_*. */
  parts(): u32 {
    return PARTS_NONE;
  }
  /** f of a body of n parts. */
  inDivisor(n: f32): f32 {
    return 1;
  }
  /** s of a body of n parts. */
  inEffect(n: f32): f32 {
    return 1;
  }
  /** Whether a body is the mean of its parts: then impulses that act on the whole body leave s out. */
  takesMean(): bool {
    return false;
  }
  /** Whether rows are solved one after the other: then those of a relax pass run backwards (listUnits of build.ts). */
  isOrdered(): bool {
    return true;
  }
  /** Before the first substep: omega, a matrix. `onGpu`: for kernels, which do what they can themselves. False without memory. */
  start(s: MethodState, onGpu: bool): bool {
    return true;
  }
  /**
   * An iteration over the units [from, to) of a pass: all rows, or with staggered friction first the normals, then the others.
   */
  pass(s: MethodState, pass: u32, from: u32, to: u32): void {
    sweepUnits(s, from, to);
  }
  /** After an iteration with momentum, but the last: what the next one leaves from (momentum.ts). */
  extrapolate(s: MethodState): void {
    extrapolateOrdered(s);
  }
  /** `count` iterations. */
  iterate(s: MethodState, count: u32): void {
    const h = header();
    const moved: bool = h.nesterov != 0;
    if (moved) beginMomentum(s);
    // All sweeps of a pass in the blocks, then one mean: one iteration.
    s.sweepsEach = this.parts() == PARTS_BLOCKS && h.meanEachSweep == 0 ? count : 1;
    const iterations: u32 = count / s.sweepsEach;
    for (let i: u32 = 0; i < iterations; i++) {
      for (let pass: u32 = 0; pass < s.passes; pass++) {
        const from: u32 = pass == 0 ? 0 : s.units0;
        const to: u32 = pass == 0 ? s.units0 : s.units1;
        this.pass(s, pass, from, to);
      }
      if (moved && i + 1 < iterations) this.extrapolate(s);
    }
  }
  /** Lists that its kernels need beside the rows (gpu_lists.ts). False without memory. */
  listForGpu(s: MethodState): bool {
    return true;
  }
}

/** The method of this step. */
export function rowMethod(): RowMethod {
  // As hookAt, in MethodState: the id of the class lies 8 bytes before the object.
  return changetype<RowMethod>(changetype<usize>(methodState()) + offsetof<MethodState>('methodClass') + 8);
}

/** `count` iterations over all rows. */
export function iterate(count: u32): void {
  header().iterationCount += count;
  rowMethod().iterate(methodState(), count);
}
