// Options that choose among published methods instead of the defaults: integration, stabilization, friction, order, aids for
// stacks. Their ranges and defaults, which of them need the scalar rows of the core (assembly/study/methods), and
// how they get into the header. docs/methods.md says what each does and where it was published.

import { checkBoolean, checkWord } from '../checks/validate';
import { Header } from '../layout.generated';
import { checkRanges, type Range } from '../options/options';
import type { LinearMemory } from '../wasm/memory';
import { type ActiveSolver, type SolverCode, solverOf } from './solvers';

/** Kind of solver on WebGPU: cell splitting, or methods on rows. */
export type GpuFamily = 'cells' | 'rows';

/** Returns the family of a solver on WebGPU; null if it does not run there. */
export function gpuFamily(solver: SolverCode | 'auto'): GpuFamily | null {
  if (solver === 'auto') return 'cells';
  const { gpu } = solverOf(solver);
  return typeof gpu === 'object' ? 'rows' : (gpu ?? null);
}

/** `substeps`: many short steps of few sweeps. `one-step`: one step of `iterations` sweeps, as in the papers. */
export type Integration = 'substeps' | 'one-step';

/**
 * How overlap is corrected.
 * - `soft`: implicit springs; a second pass removes their speed again
 * - `baumgarte`: a velocity that would correct `stabilizationFactor` of it in a substep
 * - `projection`: a second solve that moves positions only, by `stabilizationFactor` of it
 */
export type Stabilization = 'soft' | 'baumgarte' | 'projection';

/**
 * Model of friction.
 * - `patch`: per manifold, a circle around its center and a twist
 * - `pyramid`: per point, two tangents
 * - `pyramid-staggered`: the same, normals and friction solved in turn
 * - `random-tangent`: per point, one new random tangent in each step, coefficient times pi / 2
 */
export type FrictionModel = 'patch' | 'pyramid' | 'pyramid-staggered' | 'random-tangent';

/**
 * When splitting by blocks takes the mean of the parts of a body, in substeps.
 * - `iteration`: after every sweep of the blocks, as published
 * - `pass`: after all sweeps of a pass
 */
export type Mean = 'iteration' | 'pass';

/** How `jacobi-spectral` finds the spectral radius: bound by the largest row sum, or power iteration. */
export type SpectralRadius = 'norm' | 'power';

/**
 * How Jacobi on WebGPU adds the impulses of the rows of a body.
 * - `segmented`: body by body, in the order of its rows: the same bits every time, those of WASM
 * - `fixed-point`: atomic addition of integers: the same bits every time on one device
 * - `compare-exchange`: atomic addition of floats, in the order of arrival: different last bits every time
 */
export type Accumulation = 'segmented' | 'fixed-point' | 'compare-exchange';
export const ACCUMULATIONS: readonly Accumulation[] = ['segmented', 'fixed-point', 'compare-exchange'];

/** Options of the published methods. */
export interface MethodParameters {
  /** Substeps or one step; default `substeps`. With `one-step`, `substeps` and `sweeps` have no effect. */
  integration: Integration;
  /** Sweeps of `one-step`, 1 to 4096; default 30. */
  iterations: number;
  /** How overlap is corrected; default `soft`. */
  stabilization: Stabilization;
  /** Share of the overlap that a substep corrects, 0 to 1; default 0.2 for `baumgarte`, 0.8 for `projection`. */
  stabilizationFactor: number;
  /** Whether a rigid pass follows each substep; default true for `soft` and false for the others. */
  relax: boolean;
  /** Model of friction; default `patch`. */
  frictionModel: FrictionModel;
  /** Whether each step has a new order of contacts, drawn from `seed`; default false. */
  permutation: boolean;
  /**
   * Factor on the mass of the lower body of every contact, and of the body that bears a joint (Tsuda: 1.4), 1 to 10; default 1. Breaks
   * momentum.
   */
  weightAmplification: number;
  /** Share of a second solution in which lower bodies do not move, 0 to 1; default 0. Breaks momentum. */
  shockPropagation: number;
  /** When splitting takes its means; default `iteration`, with `cell-split` `pass` unless it is accelerated. */
  mean: Mean;
  /** How the spectral radius is found; default `norm`. */
  spectralRadius: SpectralRadius;
  /**
   * How impulses are added; default `segmented`. The others need WebGPU. `jacobi-assembled` adds only at the end and is always
   * segmented.
   */
  accumulation: Accumulation;
  /**
   * Whether each iteration goes on in the direction of the last one (Nesterov's acceleration, with restarts); default false. Solvers
   * that step all rows at once, in body pairs, in cells, or one after the other take it.
   */
  nesterov: boolean;
  /** Factor on the step of the Jacobi family, 0.01 to 1; default 1. */
  omega: number;
  /**
   * Whether contacts and joints between two bodies at rest keep the impulse of the last step; default false. With true a body rests
   * if the repeated impulses leave it at rest; with `literal` if it begins the step slower than `sleepSpeed`, as the slides say.
   */
  aggressiveSleep: boolean | 'literal';
}

type Words = 'mean' | 'integration' | 'stabilization' | 'frictionModel' | 'spectralRadius' | 'accumulation';
type Switches = 'relax' | 'permutation' | 'nesterov';

const WORDS: { readonly [K in Words]: readonly MethodParameters[K][] } = {
  mean: ['iteration', 'pass'],
  integration: ['substeps', 'one-step'],
  stabilization: ['soft', 'baumgarte', 'projection'],
  frictionModel: ['patch', 'pyramid', 'pyramid-staggered', 'random-tangent'],
  spectralRadius: ['norm', 'power'],
  accumulation: ACCUMULATIONS,
};
const WORD_KEYS = Object.keys(WORDS) as Words[];
const SWITCH_KEYS: readonly Switches[] = ['relax', 'permutation', 'nesterov'];

/** Ranges of the numbers of this file: smallest, largest, and whether it is whole. */
const METHOD_RANGES: Record<Exclude<keyof MethodParameters, Words | Switches | 'aggressiveSleep'>, Range> = {
  iterations: [1, 4096, true],
  stabilizationFactor: [0, 1, false],
  weightAmplification: [1, 10, false],
  shockPropagation: [0, 1, false],
  omega: [0.01, 1, false],
};

/** Keys of all options of this file. */
export const METHOD_KEYS: readonly (keyof MethodParameters)[] = [
  ...(Object.keys(METHOD_RANGES) as (keyof typeof METHOD_RANGES)[]),
  ...WORD_KEYS,
  ...SWITCH_KEYS,
  'aggressiveSleep',
];

/** Steps of the power iteration. */
const POWER_ITERATIONS = 20;

/** Throws 'invalid-argument' for a word or switch that does not exist, and for a number out of its range. */
export function checkMethods(settings: Partial<MethodParameters>, name: string): void {
  for (const key of WORD_KEYS) if (settings[key] !== undefined) checkWord(settings[key], `${name}.${key}`, WORDS[key]);
  for (const key of SWITCH_KEYS) if (settings[key] !== undefined) checkBoolean(settings[key], `${name}.${key}`);
  const { aggressiveSleep } = settings;
  if (aggressiveSleep !== undefined && aggressiveSleep !== 'literal') {
    if (typeof aggressiveSleep === 'string') checkWord(aggressiveSleep, `${name}.aggressiveSleep`, ['literal']);
    checkBoolean(aggressiveSleep, `${name}.aggressiveSleep`);
  }
  checkRanges(settings, name, METHOD_RANGES);
}

/** Returns all options of this file, from the requested ones. */
export function resolveMethods(asked: Partial<MethodParameters>, solver: SolverCode): MethodParameters {
  const stabilization = asked.stabilization ?? 'soft';
  return {
    integration: asked.integration ?? 'substeps',
    iterations: asked.iterations ?? 30,
    stabilization,
    stabilizationFactor: asked.stabilizationFactor ?? (stabilization === 'projection' ? 0.8 : 0.2),
    relax: asked.relax ?? stabilization === 'soft',
    frictionModel: asked.frictionModel ?? 'patch',
    permutation: asked.permutation ?? false,
    weightAmplification: asked.weightAmplification ?? 1,
    shockPropagation: asked.shockPropagation ?? 0,
    mean: asked.mean ?? (asked.nesterov ? 'iteration' : solverOf(solver).mean),
    spectralRadius: asked.spectralRadius ?? 'norm',
    accumulation: asked.accumulation ?? 'segmented',
    aggressiveSleep: asked.aggressiveSleep ?? false,
    nesterov: asked.nesterov ?? false,
    omega: asked.omega ?? 1,
  };
}

/** Returns whether settings ask for features that only the scalar rows have. */
export function needsRows(m: MethodParameters): boolean {
  return (
    m.stabilization !== 'soft' ||
    !m.relax ||
    m.frictionModel === 'pyramid-staggered' ||
    m.frictionModel === 'random-tangent' ||
    m.permutation ||
    m.weightAmplification > 1 ||
    m.shockPropagation > 0 ||
    m.aggressiveSleep !== false ||
    m.nesterov
  );
}

/** Returns the solver that replaces one on WASM for these settings, if any: SIMD solvers have scalar counterparts in the same order. */
const scalarOf = (solver: SolverCode, m: MethodParameters, joints: boolean) => {
  const { scalar } = solverOf(solver);
  return needsRows(m) || m.frictionModel !== 'patch' || (joints && scalar?.joints) ? scalar : undefined;
};

/** Returns the SOLVER_* for a solver with these settings. */
export function solverCode(solver: SolverCode, m: MethodParameters, joints: boolean): number {
  return (scalarOf(solver, m, joints) ?? solverOf(solver)).code;
}

/** Returns the SOLVER_* of the twin of a solver on WebGPU: all on rows. */
export function gpuCode(solver: SolverCode): number {
  const { gpu, code } = solverOf(solver);
  return typeof gpu === 'object' ? gpu.code : code;
}

/** Returns the name of the solver that runs for these settings. */
export function activeSolver(solver: SolverCode, m: MethodParameters, onGpu: boolean, joints: boolean): ActiveSolver {
  const { gpu } = solverOf(solver);
  const other = onGpu ? typeof gpu === 'object' && gpu.name : scalarOf(solver, m, joints)?.name;
  return (other || solver) as ActiveSolver;
}

/** Writes the options to the header; with one step only, `substeps` and `sweeps` too. */
export function writeMethods(memory: LinearMemory, m: MethodParameters): void {
  if (m.integration === 'one-step') {
    memory.setHeaderU32(Header.autoSubsteps, 0);
    memory.setHeaderU32(Header.substeps, 1);
    memory.setHeaderU32(Header.sweeps, m.iterations);
  }
  memory.setHeaderU32(Header.onRows, needsRows(m) ? 1 : 0);
  // An iteration of one step is one sweep in every cell, then the mean.
  memory.setHeaderU32(Header.meanEachSweep, m.integration === 'one-step' || m.mean === 'iteration' ? 1 : 0);
  memory.setHeaderU32(Header.stabilization, WORDS.stabilization.indexOf(m.stabilization));
  memory.setHeaderF32(Header.stabilizationFactor, m.stabilizationFactor);
  memory.setHeaderU32(Header.frictionModel, WORDS.frictionModel.indexOf(m.frictionModel));
  memory.setHeaderF32(Header.weightAmplification, m.weightAmplification);
  memory.setHeaderF32(Header.shockPropagation, m.shockPropagation);
  memory.setHeaderF32(Header.omegaFactor, m.omega);
  memory.setHeaderU32(Header.powerIterations, m.spectralRadius === 'power' ? POWER_ITERATIONS : 0);
  memory.setHeaderU32(Header.aggressiveSleep, m.aggressiveSleep === 'literal' ? 2 : m.aggressiveSleep ? 1 : 0);
  for (const key of SWITCH_KEYS) memory.setHeaderU32(Header[key], m[key] ? 1 : 0);
}

/**
 * Ways to find contacts that can be solved at once (Tsuda 2009): colors of the rows of the matrix, colors of links, batches of
 * blocks of `granularity` links.
 */
export type OrderingName = 'algebraic' | 'geometric' | 'cell-like';
export const ORDERING_NAMES: readonly OrderingName[] = ['algebraic', 'geometric', 'cell-like'];

/** The batches of an ordering for the contacts of the last step. Between two batches all threads wait for each other. */
export interface OrderingReport {
  batches: number;
  /** Number of rows in each batch, three per contact. */
  rows: number[];
  /** Number of links (manifolds) in each batch; zeros for `algebraic`. */
  links: number[];
  /** Number of independent blocks in each batch, which may run at once. */
  blocks: number[];
}

/** Reads the result of orderReport() of the core. */
export function readOrdering(memory: LinearMemory, address: number): OrderingReport {
  const at = address >>> 2;
  const u32 = memory.u32;
  const batches = u32[at]!;
  const column = (k: number) => Array.from({ length: batches }, (_, i) => u32[at + 1 + i * 3 + k]!);
  return { batches, rows: column(0), links: column(1), blocks: column(2) };
}
