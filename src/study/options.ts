// Options of a world of `talus/study`: those of the product with more solvers, and the published methods of methods.ts.
import { TalusError } from '../checks/errors';
import { checkKeys, checkWord } from '../checks/validate';
import {
  type BackendName,
  COMMON_KEYS,
  type CommonInForce,
  type CommonSettings,
  checkCommon,
  checkOpen,
  OPEN_KEYS,
  type OpenOptions,
  resolveCommon,
  writeSettings as writeCommon,
} from '../options/options';
import type { LinearMemory } from '../wasm/memory';
import {
  activeSolver,
  checkMethods,
  gpuCode,
  gpuFamily,
  METHOD_KEYS,
  type MethodParameters,
  needsRows,
  resolveMethods,
  solverCode,
  writeMethods,
} from './methods';
import { type ActiveSolver, acceleratedSolvers, RUNNING_SOLVERS, type SolverCode, solverOf } from './solvers';

/**
 * Contact solver. Of the product:
 * - `auto`: `wide` on WASM, `cell-split` on WebGPU
 * - `wide`: sequential Gauss-Seidel, four independent manifolds at once (SIMD)
 * - `cell-split`: mass splitting by cells of many contacts; the solver of WebGPU
 * References and published ones (docs/methods.md):
 * - `pgs`: sequential Gauss-Seidel, scalar; the reference for the others
 * - `colored`: graph-colored Gauss-Seidel, four manifolds at once (SIMD); on WebGPU scalar, one dispatch per color and sweep
 * - `cell-order`: Gauss-Seidel in cell-like order (Tsuda 2009)
 * - `pair-split`: mass splitting by body pair (Tonge 2012, eq. 35-38); on WebGPU too
 * Scalar and slow on WASM; on WebGPU too, except for `jacobi-line-search`:
 * - `jacobi` (Tonge 2012, eq. 9; diverges on piles), `jacobi-line-search` (eq. 10), `jacobi-spectral` (eq. 11), `jacobi-average`
 *   (eq. 12), `scalar-split` (eq. 15), `pair-split-printed` (eq. 16; diverges)
 * - `jacobi-accumulate`, `jacobi-assembled` (Datta 2017, approaches 1 and 2)
 */
export type SolverName = 'auto' | SolverCode;

/** Settings that you can change at any time between steps. */
export interface WorldSettings extends CommonSettings, Partial<MethodParameters> {
  /** Contact solver; default `auto`. */
  solver?: SolverName;
}

/** Options of `createWorld`. */
export interface WorldOptions extends WorldSettings, OpenOptions {}

/** All settings of a world at one time. */
export interface Settings extends CommonInForce, MethodParameters {
  solver: SolverName;
}

export const SOLVER_NAMES = ['auto', ...RUNNING_SOLVERS] as SolverName[];

const SETTING_KEYS = [...COMMON_KEYS, ...METHOD_KEYS];

/** Throws 'invalid-argument' for anything unknown or out of range. */
export function checkSettings(settings: WorldSettings, name = 'settings', keys: readonly string[] = SETTING_KEYS): void {
  checkKeys(settings, name, keys);
  if (settings.solver !== undefined) checkWord(settings.solver, `${name}.solver`, SOLVER_NAMES);
  checkCommon(settings, name);
  checkMethods(settings, name);
}

/** As checkSettings, for the options of `createWorld`. */
export function checkOptions(options: WorldOptions): void {
  checkSettings(options, 'options', [...SETTING_KEYS, ...OPEN_KEYS]);
  checkOpen(options);
  checkBackend(options.backend ?? 'wasm', options);
}

/** Throws 'unsupported' for a solver or a method that the backend does not have. */
export function checkBackend(backend: BackendName, { solver = 'auto', ...settings }: WorldSettings): void {
  const methods = resolveMethods(settings, resolveSolver(solver, backend !== 'wasm'));
  if (methods.nesterov) checkNesterov(solver, backend);
  if (backend === 'wasm') {
    if (methods.accumulation === 'segmented') return;
    throw new TalusError('unsupported', `accumulation '${methods.accumulation}' needs the backend 'webgpu'; WASM adds in order`);
  }
  const family = gpuFamily(solver);
  if (backend === 'webgpu' && family === null) {
    throw new TalusError('unsupported', `solver '${solver}' does not run on WebGPU: it needs the backend 'wasm'`);
  }
  // Solvers on rows on the GPU use the rows of these methods; only shock propagation solves them in another order.
  if (family === 'rows' ? methods.shockPropagation > 0 : needsRows(methods)) {
    throw new TalusError('unsupported', `these methods (docs/methods.md) need the backend 'wasm', not '${backend}'`);
  }
}

/** Throws 'unsupported' for a solver whose iterations cannot be accelerated. */
function checkNesterov(solver: SolverName, backend: BackendName): void {
  // 'auto' of WebGPU is cell splitting, which is refused with all methods there.
  const place = backend !== 'wasm' && gpuFamily(solver) === 'rows' ? 'webgpu' : 'wasm';
  if (solver === 'auto' || solverOf(solver).nesterov.includes(place)) return;
  const others = acceleratedSolvers(place).join("', '");
  throw new TalusError('unsupported', `solver '${solver}' takes no nesterov on '${place}'; these do: '${others}'`);
}

/**
 * Returns the solver that `auto` stands for on a backend. Solvers that WebGPU does not have are replaced by cell splitting there.
 */
export function resolveSolver(solver: SolverName, onGpu: boolean): SolverCode {
  if (onGpu && gpuFamily(solver) !== 'rows') return 'cell-split';
  return solver === 'auto' ? 'wide' : solver;
}

/** Returns the settings that result from all requested ones. */
export function resolveSettings(asked: WorldSettings, onGpu: boolean): Settings {
  const solver = asked.solver ?? 'auto';
  const runs = resolveSolver(solver, onGpu);
  return { ...resolveCommon(asked, solverOf(runs).efforts), ...resolveMethods(asked, runs), solver };
}

/** Writes settings to the header, except for the solver, which changes by a call. */
export function writeSettings(memory: LinearMemory, settings: Settings): void {
  writeCommon(memory, settings);
  writeMethods(memory, settings);
}

/** Returns the solver of the next step. If a solver has no code for an option, another one of the same order replaces it. */
export function activeOf(settings: Settings, onGpu: boolean, joints: boolean): ActiveSolver {
  return activeSolver(resolveSolver(settings.solver, onGpu), settings, onGpu, joints);
}

/** Returns the SOLVER_* for the rows of the next step on WebGPU. */
export function gpuCodeOf(settings: Settings): number {
  return gpuCode(resolveSolver(settings.solver, true));
}

/** Returns the SOLVER_* of the next step on WASM. */
export function codeOf(settings: Settings, joints: boolean): number {
  return solverCode(resolveSolver(settings.solver, false), settings, joints);
}
