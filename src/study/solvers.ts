// The solvers of `talus/study`: one entry each says all that the host knows of it. Its counterpart in the core are the lists of
// assembly/study/step_solver.ts and assembly/study/methods/registry.ts.

import {
  SOLVER_AVBD,
  SOLVER_CELL_ORDER,
  SOLVER_CELL_SPLIT,
  SOLVER_COLOR_ORDER,
  SOLVER_COLORED,
  SOLVER_JACOBI,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_LINE_SEARCH,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_NNCG,
  SOLVER_OWN,
  SOLVER_PAIR_ROWS,
  SOLVER_PAIR_SPLIT,
  SOLVER_PAIR_SPLIT_PRINTED,
  SOLVER_PGS,
  SOLVER_SCALAR_SPLIT,
  SOLVER_WIDE,
} from '../layout.generated';
import { CELL_SPLITTING, type Effort, type PresetName, SEQUENTIAL } from '../options/options';

/**
 * Passes of a method on rows on WebGPU.
 * - `jacobi`: all rows of an iteration at once, then the sums of each body
 * - `assembled`: all rows, on the matrix
 * - `pairs`: a sweep in each body pair, then the means
 * - `colors`: a sweep of each color
 */
export type RowPasses = 'jacobi' | 'assembled' | 'pairs' | 'colors';

type Place = 'wasm' | 'webgpu';

/** What the host knows of a solver. */
export interface SolverEntry {
  /** SOLVER_* on WASM. */
  code: number;
  /**
   * The solver that replaces it on WASM where settings need the scalar rows or another friction model, with `joints` also where there are
   * joints: SOLVER_* and name.
   */
  scalar?: { code: number; name: string; joints?: true };
  /** Its kernels on WebGPU: cells, or rows with the SOLVER_* of their twin on WASM; left out if it does not run there. */
  gpu?: 'cells' | { code: number; passes: RowPasses; name?: string };
  /** When it takes the mean of the parts of a body, if it splits bodies (setting `mean`). */
  mean: 'iteration' | 'pass';
  /** Backends on which its iterations can be accelerated (setting `nesterov`). */
  nesterov: readonly Place[];
  /** The friction model that it has if none is asked for, `patch` if left out. */
  frictionModel?: 'pyramid-staggered';
  /** Backends on which it takes joints. */
  joints: readonly Place[];
  /** Its presets. */
  efforts: Record<PresetName, Effort>;
}

/** Methods that need several sweeps of a problem to be more than Gauss-Seidel. */
const MANY_SWEEPS = effort(0.125);

/**
 * A body that is split by pairs has many more parts than one that is split by cells. It needs softer contacts and more substeps:
 * from 0.07 on walls of six layers and pyramids shake; at 0.05 stacks of 20 lean by over 1 cm, at 0.04 by 8 cm.
 */
const PAIR_SPLITTING = effort(0.065);

/** Solvers kept for comparison, at the stiffness where line search and the printed form do best. */
const STIFF = effort(0.08);

/**
 * Bodies are split by rows, and steps scaled down to the spectral radius, so impulses spread slower still. At 0.08 a wall of six
 * layers shakes at 6 cm/s; at half of it, it rests.
 */
const ROW_SPLITTING = effort(0.04);

function effort(contactHertzRatio: number): Record<PresetName, Effort> {
  const of = (substeps: number): Effort => ({ substeps, sweeps: 4, contactHertzRatio });
  return { fast: of(10), balanced: of(20), high: of(30) };
}

const WASM: readonly Place[] = ['wasm'];
const BOTH: readonly Place[] = ['wasm', 'webgpu'];

/** All rows of an iteration see the same velocities. */
const atOnce = (code: number, efforts: Record<PresetName, Effort>, nesterov: readonly Place[], passes: RowPasses = 'jacobi') => ({
  code,
  gpu: { code, passes },
  mean: 'iteration' as const,
  nesterov,
  joints: BOTH,
  efforts,
});

/** All solvers by name. */
export const SOLVERS = {
  wide: {
    code: SOLVER_WIDE,
    scalar: { code: SOLVER_PGS, name: 'pgs' },
    mean: 'iteration',
    nesterov: WASM,
    joints: WASM,
    efforts: SEQUENTIAL,
  },
  colored: {
    code: SOLVER_COLORED,
    scalar: { code: SOLVER_COLOR_ORDER, name: 'color-order', joints: true },
    gpu: { code: SOLVER_COLOR_ORDER, passes: 'colors', name: 'color-order' },
    mean: 'iteration',
    nesterov: WASM,
    joints: BOTH,
    efforts: SEQUENTIAL,
  },
  pgs: { code: SOLVER_PGS, mean: 'iteration', nesterov: WASM, joints: WASM, efforts: SEQUENTIAL },
  nncg: { code: SOLVER_NNCG, mean: 'iteration', nesterov: [], joints: WASM, efforts: MANY_SWEEPS },
  'cell-order': { code: SOLVER_CELL_ORDER, mean: 'iteration', nesterov: WASM, joints: WASM, efforts: SEQUENTIAL },
  'pair-split': {
    code: SOLVER_PAIR_SPLIT,
    gpu: { code: SOLVER_PAIR_ROWS, passes: 'pairs' },
    mean: 'iteration',
    nesterov: WASM,
    joints: BOTH,
    efforts: PAIR_SPLITTING,
  },
  'cell-split': { code: SOLVER_CELL_SPLIT, gpu: 'cells', mean: 'pass', nesterov: WASM, joints: BOTH, efforts: CELL_SPLITTING },
  jacobi: atOnce(SOLVER_JACOBI, STIFF, []),
  'jacobi-line-search': { code: SOLVER_JACOBI_LINE_SEARCH, mean: 'iteration', nesterov: [], joints: WASM, efforts: STIFF },
  'jacobi-spectral': atOnce(SOLVER_JACOBI_SPECTRAL, ROW_SPLITTING, BOTH),
  'jacobi-average': atOnce(SOLVER_JACOBI_AVERAGE, STIFF, BOTH),
  'jacobi-assembled': atOnce(SOLVER_JACOBI_ASSEMBLED, ROW_SPLITTING, [], 'assembled'),
  'jacobi-accumulate': atOnce(SOLVER_JACOBI_ACCUMULATE, ROW_SPLITTING, BOTH),
  'scalar-split': atOnce(SOLVER_SCALAR_SPLIT, ROW_SPLITTING, BOTH),
  'pair-split-printed': atOnce(SOLVER_PAIR_SPLIT_PRINTED, STIFF, [], 'pairs'),
  avbd: { code: SOLVER_AVBD, mean: 'iteration', nesterov: [], joints: WASM, efforts: SEQUENTIAL },
} as const satisfies Record<string, SolverEntry>;

/** Name of a solver that runs, without `auto`. */
export type SolverCode = keyof typeof SOLVERS;

/** Name of a solver of `defineSolver`. */
export type OwnName = string & Record<never, never>;

/** A solver that runs: the named ones, the scalar counterpart of `colored`, and solvers of your own by their names. */
export type ActiveSolver = SolverCode | 'color-order' | OwnName;

/** Names of all solvers. */
export const RUNNING_SOLVERS = Object.keys(SOLVERS) as SolverCode[];

/** All solvers of own_solver.ts. */
const OWN: SolverEntry = {
  code: SOLVER_OWN,
  mean: 'iteration',
  frictionModel: 'pyramid-staggered',
  nesterov: [],
  joints: [],
  efforts: SEQUENTIAL,
};

/** Returns the entry of a solver, by its name or the name of a solver of `defineSolver`. */
export function solverOf(name: SolverCode | OwnName): SolverEntry {
  return Object.hasOwn(SOLVERS, name) ? SOLVERS[name as SolverCode] : OWN;
}

/** Solvers that take joints, by backend, with the names of their replacements. */
export const JOINT_SOLVERS: Record<Place, readonly string[]> = {
  wasm: jointSolvers('wasm', ({ scalar }) => scalar?.name),
  webgpu: jointSolvers('webgpu', ({ gpu }) => (typeof gpu === 'object' ? gpu.name : undefined)),
};

function jointSolvers(backend: Place, other: (entry: SolverEntry) => string | undefined): string[] {
  return RUNNING_SOLVERS.filter((name) => solverOf(name).joints.includes(backend)).flatMap((name) => {
    const replacement = other(solverOf(name));
    return replacement === undefined ? [name] : [name, replacement];
  });
}

/** Returns the passes on WebGPU of the twin with a SOLVER_* code. */
export function passesOf(code: number): RowPasses {
  for (const name of RUNNING_SOLVERS) {
    const { gpu } = solverOf(name);
    if (typeof gpu === 'object' && gpu.code === code) return gpu.passes;
  }
  return 'jacobi';
}

/** Returns the names of the solvers whose iterations can be accelerated on a backend. */
export const acceleratedSolvers = (place: Place): string[] =>
  RUNNING_SOLVERS.filter((name) => solverOf(name).nesterov.includes(place));
