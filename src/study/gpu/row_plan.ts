// The passes of a step on rows in order, as solve.ts of the core (their twin) makes them: what is dispatched with which
// parameters. Input: settings. Output: a list for the encoder; the kinds of passes in it, of which each is one uniform.
import type { RowKernel } from './shader';

/** Settings that decide which passes there are. */
export interface PlanSettings {
  substeps: number;
  sweeps: number;
  /** Whether each substep has a rigid pass at its end. */
  relax: boolean;
  /** Whether a second solve moves positions. */
  projection: boolean;
  /** Whether normals and friction are solved in turn. */
  staggered: boolean;
  /** Whether the assembled matrix is used. */
  assembled: boolean;
  /** Whether sums of rows use atomic operations. */
  atomic: boolean;
  /** Whether rows between bodies at rest keep their impulses. */
  rest: boolean;
  /** Whether Gauss-Seidel runs in body pairs on their sub-bodies, followed by the mean. */
  pairs: boolean;
  /** With pairs: whether all sweeps of a pass come before one mean. */
  meanAPass: boolean;
  /** Number of graph colors of Gauss-Seidel, one dispatch each; null: another method. */
  colors: number | null;
  /** Whether iterations of Jacobi extrapolate. */
  momentum: boolean;
  /** Whether relax passes of Gauss-Seidel begin with the normal of a manifold of one point. */
  backwards: boolean;
}

/** The fields that one kind of pass has in its own JacobiStep. */
export interface PassKind {
  flags: number;
  mode: number;
  /** Rows to solve: 0 all, 1 normals, 2 friction. */
  part: number;
  /** Which half of the impulses is read. */
  half: number;
  /** For kernel `color`: the color. */
  color: number;
}

export interface Plan {
  kinds: PassKind[];
  /** Kernel and index of the kind of every dispatch. */
  passes: { kernel: RowKernel; kind: number }[];
  /** The half that holds the impulses at the end. */
  half: number;
}

// Names of shaders/shared/rows.wgsl; tests/shaders/jacobi.test.ts compares them.
export const MODE = { MAIN: 0, RELAX: 1, PROJECT: 2, NONE: 4, REST: 5, SOLVE: 0, SCATTER: 1, FREE: 2 } as const;
export const FLAG = {
  FIRST: 1,
  WARM: 2,
  FIND_EXCESS: 4,
  RESTORE: 8,
  KEEP: 16,
  ACCELERATE: 32,
  ADVANCE: 64,
  SNAPSHOT: 128,
  SAVE: 256,
  RELOAD: 512,
  DIFFERENCE: 1024,
  SOLVED: 2048,
  BACKWARDS: 4096,
  MOMENTUM: 8192,
  START: 16384,
  ODD: 32768,
  EXTRAPOLATE: 65536,
} as const;

/** Returns all passes of a step. */
export function planStep(p: PlanSettings): Plan {
  const kinds: PassKind[] = [];
  const passes: Plan['passes'] = [];
  const known = new Map<string, number>();
  let half = 0;
  const add = (kernel: RowKernel, flags: number, mode: number = MODE.SOLVE, part = 0, color = 0) => {
    const key = `${flags} ${mode} ${part} ${half} ${color}`;
    let kind = known.get(key);
    if (kind === undefined) {
      kind = kinds.push({ flags, mode, part, half, color }) - 1;
      known.set(key, kind);
    }
    passes.push({ kernel, kind });
  };
  const parts = p.staggered ? [1, 2] : [0];
  // Momentum of iteration i of `count`: of the kernel that solves rows, and of the one that brings their bodies on.
  const rowFlags = (i: number) => (p.momentum ? FLAG.MOMENTUM | (i === 0 ? FLAG.START : 0) | (i % 2 === 1 ? FLAG.ODD : 0) : 0);
  const bodyFlags = (i: number, count: number) =>
    p.momentum && i < count - 1 ? FLAG.EXTRAPOLATE | (rowFlags(i) & ~FLAG.MOMENTUM) : 0;
  // Impulses change in place: every row is written by the lane of its block alone.
  const sweep = (sweeps: number, after: number, order: number) => {
    const count = p.pairs && p.meanAPass ? 1 : sweeps;
    for (let i = 0; i < count; i++) {
      for (const part of parts) {
        const last = i === count - 1 && part === parts.at(-1);
        if (p.pairs) {
          add('pair', order, MODE.SOLVE, part);
          add('mean', last ? after : 0);
        }
        for (let color = 0; color < (p.colors ?? 0); color++) add('color', order, MODE.SOLVE, part, color);
      }
    }
    if (!p.pairs && after !== 0) add('apply', FLAG.SOLVED | after);
  };
  const iterate = (count: number, after: number, order = 0) => {
    if (p.pairs || p.colors !== null) {
      sweep(count, after, order);
      return;
    }
    if (p.assembled) add('product', 0, MODE.FREE);
    for (let i = 0; i < count; i++) {
      for (const part of parts) {
        add(p.assembled ? 'product' : 'rows', p.assembled ? 0 : rowFlags(i), MODE.SOLVE, part);
        half ^= 1;
        const ends = part === parts.at(-1);
        if (!p.assembled) add('apply', ends ? (i === count - 1 ? after : bodyFlags(i, count)) : 0);
      }
    }
    if (p.assembled) add('apply', FLAG.DIFFERENCE | after);
  };
  if (p.assembled) add('assemble', 0);
  // Flags for the next pass, whichever that is.
  let pending: number = FLAG.FIRST;
  const prepare = (flags: number, mode: number) => {
    add('prepare', flags | pending, mode);
    pending = 0;
  };
  for (let i = 0; i < p.substeps; i++) {
    prepare(FLAG.WARM, MODE.MAIN);
    if (p.atomic && !p.assembled) add('rows', 0, MODE.SCATTER);
    add('apply', FLAG.ACCELERATE);
    if (p.rest && i === 0) add('prepare', 0, MODE.REST);
    iterate(p.sweeps, FLAG.ADVANCE | FLAG.SNAPSHOT | (p.projection ? FLAG.SAVE : 0));
    if (p.projection) {
      prepare(FLAG.KEEP, MODE.PROJECT);
      iterate(p.sweeps, FLAG.ADVANCE | FLAG.RELOAD);
      pending |= FLAG.RESTORE;
    }
    if (p.relax) {
      prepare(0, MODE.RELAX);
      iterate(p.sweeps, 0, p.backwards ? FLAG.BACKWARDS : 0);
      pending |= FLAG.FIND_EXCESS;
    }
  }
  if (pending !== 0) prepare(0, MODE.NONE);
  add('pose', 0);
  return { kinds, passes, half };
}
