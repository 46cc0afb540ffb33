// Options of a world: backend, solver, preset and every parameter of the step; their ranges, and how they get into the
// header. All can be changed between steps.
import { TalusError } from './errors';
import type { WebGpuDevice } from './gpu/types';
import { Header, SPLIT_BODY_CAP } from './layout.generated';
import type { LinearMemory } from './memory';
import {
  type ActiveSolver,
  activeSolver,
  checkMethods,
  gpuFamily,
  METHOD_KEYS,
  METHOD_RANGES,
  type MethodParameters,
  needsRows,
  resolveMethods,
  SOLVER_CODES,
  type SolverCode,
  solverCode,
  writeMethods,
} from './methods';
import type { Vec3 } from './types';
import { checkBits, checkInteger, checkKeys, checkNumber, checkVec3, checkWord, fail } from './validate';
import type { WasmSource } from './wasm/source';

/**
 * Contact solver.
 * - `auto`: `wide` on WASM, `cell-split` on WebGPU
 * - `wide`: sequential Gauss-Seidel, four independent manifolds at once (SIMD)
 * - `colored`: graph-colored Gauss-Seidel, four manifolds at once (SIMD)
 * - `pgs`: sequential Gauss-Seidel, scalar; the oracle of the others
 * - `cell-order`: Gauss-Seidel in cell-like order (Tsuda 2009)
 * - `pair-split`: mass splitting by body pair (Tonge 2012, eq. 35-38)
 * - `cell-split`: mass splitting by cells of many contacts; what runs on WebGPU
 *
 * Kept for comparison, scalar and slow on WASM (docs/methods.md); on WebGPU too, but for `jacobi-line-search` and
 * `pair-split-printed`:
 * - `jacobi` (Tonge 2012, eq. 9; diverges on piles), `jacobi-line-search` (eq. 10), `jacobi-spectral` (eq. 11),
 *   `jacobi-average` (eq. 12), `scalar-split` (eq. 15), `pair-split-printed` (eq. 16; diverges)
 * - `jacobi-accumulate`, `jacobi-assembled` (Datta 2017, approaches 1 and 2)
 */
export type SolverName = 'auto' | SolverCode;

/** Where contacts are solved. `auto` measures both on the running scene and takes the faster; `wasm` is always there. */
export type BackendName = 'auto' | 'wasm' | 'webgpu';

/**
 * Effort of the solver; a preset sets `substeps`, `sweeps` and `contactHertzRatio` to fit the solver.
 * - `fast`: piles and debris; tall walls and stacks sway or fall
 * - `balanced`: walls, stacks and card houses stand; as many substeps as they need (`auto`) where the solver allows it
 * - `high`: stiffer, for large mass ratios and long stacks
 */
export type PresetName = 'fast' | 'balanced' | 'high';

/** Every number of the step. */
export interface StepParameters {
  /** Length of a step, s, 1e-5 to 0.1; default 1/60. Keep it fixed: results depend on it. */
  dt: number;
  /**
   * Substeps of a step, 1 to 64. More of them make everything stiffer: stacks, mass ratios, fast rotation. `auto` takes as many
   * as what stands in the world needs, 6 to 20 (docs/solvers.md#how-many-substeps); `profile.substeps` says how many.
   */
  substeps: number | 'auto';
  /** Sweeps over all contacts in each of the two passes of a substep, 1 to 32. */
  sweeps: number;
  /** Stiffness of contacts: their frequency over the rate of substeps, 0.01 to 0.5. */
  contactHertzRatio: number;
  /** Damping ratio of contacts, 0 to 100; default 10. */
  dampingRatio: number;
  /** Largest speed at which overlap is pushed out, m/s, 0 to 1000; default 3. */
  pushSpeed: number;
  /** Contacts are made this far ahead of touching, m, 1e-4 to 10; default 0.02. */
  speculativeMargin: number;
  /** Relative motion up to which a contact is carried over instead of being found anew, m, 0 to 1; default 0.005. */
  recycleDistance: number;
  /** Slower impacts do not bounce, m/s, 0 to 1e6; default 1. */
  restitutionThreshold: number;
  /** Factor on impulses carried from step to step, 0 to 1; default 1. */
  warmStart: number;
  /** Overlap that is not pushed out, m, 0 to 1; default 0. Above 0 loaded contacts creep until they have used it up. */
  linearSlop: number;
  /** Faster dynamic bodies are slowed down to it, m/s, 1 to 1e5; default 500. The motion of a step is limited with it. */
  maxLinearSpeed: number;
  /** Dynamic bodies that spin faster are slowed down to it, rad/s, 1 to 1e5; default 150 (2.5 rad a step at 60 Hz). The turn of a step is limited with it. */
  maxAngularSpeed: number;
  /** Splitting solvers: most contacts manifolds in a cell, 1 to 65536; default 128. */
  granularity: number;
  /** Splitting solvers: most dynamic bodies in a cell, 2 to 96; default 96. */
  cellBodyCap: number;
  /** Seed of all permutations, 32 bits; default 1. */
  seed: number;
}

/** Settings that can be changed at any time between steps. */
export interface WorldSettings extends Partial<StepParameters>, Partial<MethodParameters> {
  /** m/s2; default 0 -9.81 0. */
  gravity?: Vec3;
  /** Default `auto`. */
  solver?: SolverName;
  /** Default `balanced`. Parameters given beside it win over those of the preset. */
  preset?: PresetName;
}

/** Options of `createWorld`. */
export interface WorldOptions extends WorldSettings {
  /** Default `wasm`. */
  backend?: BackendName;
  /** Bodies to make room for at once; memory grows by itself beyond that. */
  bodyCapacity?: number;
  /** The WebGPU device to use instead of asking for one; the caller keeps it. */
  device?: WebGpuDevice;
  /** The core as bytes or a module, instead of the copy inlined in the package. */
  wasm?: WasmSource;
}

export { SOLVER_CODES };
export const SOLVER_NAMES = ['auto', ...Object.keys(SOLVER_CODES)] as SolverName[];
export const BACKEND_NAMES: readonly BackendName[] = ['auto', 'wasm', 'webgpu'];
export const PRESET_NAMES: readonly PresetName[] = ['fast', 'balanced', 'high'];

type Effort = Pick<StepParameters, 'substeps' | 'sweeps' | 'contactHertzRatio'>;

// What stays calm and stands, measured on stack, wall, card house and mass ratio (docs/solvers.md). Splitting needs more sweeps
// a pass than Gauss-Seidel: its blocks see each other only through the mean. Split by pairs a body has many more parts than
// split by cells, and holds only with softer contacts and more substeps.
const SEQUENTIAL: Record<PresetName, Effort> = {
  fast: { substeps: 6, sweeps: 1, contactHertzRatio: 0.125 },
  balanced: { substeps: 'auto', sweeps: 1, contactHertzRatio: 0.125 },
  high: { substeps: 20, sweeps: 1, contactHertzRatio: 0.125 },
};
const CELL_SPLITTING: Record<PresetName, Effort> = {
  fast: { substeps: 5, sweeps: 2, contactHertzRatio: 0.16 },
  balanced: { substeps: 'auto', sweeps: 2, contactHertzRatio: 0.125 },
  high: { substeps: 20, sweeps: 2, contactHertzRatio: 0.125 },
};

/** From 0.07 on walls of six layers and pyramids shake; at 0.05 stacks of 20 lean by over 1 cm, at 0.04 by 8 cm. */
const PAIR_SPLITTING: Record<PresetName, Effort> = {
  fast: { substeps: 10, sweeps: 4, contactHertzRatio: 0.065 },
  balanced: { substeps: 20, sweeps: 4, contactHertzRatio: 0.065 },
  high: { substeps: 30, sweeps: 4, contactHertzRatio: 0.065 },
};

/** What is kept for comparison, at the stiffness where line search and the printed form do best. */
const STIFF: Record<PresetName, Effort> = {
  fast: { substeps: 10, sweeps: 4, contactHertzRatio: 0.08 },
  balanced: { substeps: 20, sweeps: 4, contactHertzRatio: 0.08 },
  high: { substeps: 30, sweeps: 4, contactHertzRatio: 0.08 },
};

/**
 * Bodies split by rows, and steps scaled down to the spectral radius: impulses spread slower still. At 0.08 a wall of six
 * layers shakes at 6 cm/s; at half of it, it rests.
 */
const ROW_SPLITTING: Record<PresetName, Effort> = {
  fast: { substeps: 10, sweeps: 4, contactHertzRatio: 0.04 },
  balanced: { substeps: 20, sweeps: 4, contactHertzRatio: 0.04 },
  high: { substeps: 30, sweeps: 4, contactHertzRatio: 0.04 },
};
const ROW_SPLITTERS: ReadonlySet<SolverCode> = new Set<SolverCode>([
  'jacobi-spectral',
  'jacobi-assembled',
  'jacobi-accumulate',
  'scalar-split',
]);

/** Their impulses spread as slowly as those of pair splitting, or more so. */
const SLOW_SOLVERS: ReadonlySet<SolverCode> = new Set<SolverCode>([
  'jacobi',
  'jacobi-line-search',
  'jacobi-average',
  'pair-split-printed',
]);

/** Effort of a preset for the solver that runs. */
function effortOf(solver: SolverCode, preset: PresetName): Effort {
  if (ROW_SPLITTERS.has(solver)) return ROW_SPLITTING[preset];
  if (solver === 'pair-split') return PAIR_SPLITTING[preset];
  if (SLOW_SOLVERS.has(solver)) return STIFF[preset];
  return (solver === 'cell-split' ? CELL_SPLITTING : SEQUENTIAL)[preset];
}

const DEFAULTS: Omit<StepParameters, keyof Effort> = {
  dt: 1 / 60,
  dampingRatio: 10,
  pushSpeed: 3,
  speculativeMargin: 0.02,
  recycleDistance: 0.005,
  restitutionThreshold: 1,
  warmStart: 1,
  linearSlop: 0,
  maxLinearSpeed: 500,
  maxAngularSpeed: 150,
  granularity: 128,
  cellBodyCap: SPLIT_BODY_CAP,
  seed: 1,
};

/** Range of each number: least, most, and whether it is whole. */
const RANGES: Record<Exclude<keyof StepParameters, 'seed'>, readonly [number, number, boolean]> = {
  dt: [1e-5, 0.1, false],
  substeps: [1, 64, true],
  sweeps: [1, 32, true],
  contactHertzRatio: [0.01, 0.5, false],
  dampingRatio: [0, 100, false],
  pushSpeed: [0, 1000, false],
  speculativeMargin: [1e-4, 10, false],
  recycleDistance: [0, 1, false],
  restitutionThreshold: [0, 1e6, false],
  warmStart: [0, 1, false],
  linearSlop: [0, 1, false],
  maxLinearSpeed: [1, 1e5, false],
  maxAngularSpeed: [1, 1e5, false],
  granularity: [1, 65536, true],
  cellBodyCap: [2, SPLIT_BODY_CAP, true],
};
const RANGE_KEYS = Object.keys(RANGES) as (keyof typeof RANGES)[];

const METHOD_RANGE_KEYS = Object.keys(METHOD_RANGES) as (keyof typeof METHOD_RANGES)[];

const SETTING_KEYS = ['gravity', 'solver', 'preset', 'seed', ...RANGE_KEYS, ...METHOD_RANGE_KEYS, ...METHOD_KEYS];
const OPTION_KEYS = [...SETTING_KEYS, 'backend', 'bodyCapacity', 'device', 'wasm'];

/** Throws 'invalid-argument' for anything unknown or out of range. */
export function checkSettings(settings: WorldSettings, name = 'settings', keys: readonly string[] = SETTING_KEYS): void {
  checkKeys(settings, name, keys);
  if (settings.gravity !== undefined) checkVec3(settings.gravity, `${name}.gravity`, 1e6);
  if (settings.solver !== undefined) checkWord(settings.solver, `${name}.solver`, SOLVER_NAMES);
  if (settings.preset !== undefined) checkWord(settings.preset, `${name}.preset`, PRESET_NAMES);
  checkMethods(settings, name);
  if (settings.seed !== undefined) checkBits(settings.seed, `${name}.seed`);
  const ranges = { ...RANGES, ...METHOD_RANGES };
  for (const key of [...RANGE_KEYS, ...METHOD_RANGE_KEYS]) {
    const value = settings[key];
    if (value === undefined || (key === 'substeps' && value === 'auto')) continue;
    const [least, most, whole] = ranges[key];
    if (whole) checkInteger(value, `${name}.${key}`, least, most);
    else checkNumber(value, `${name}.${key}`, least, most);
  }
}

/** As checkSettings, for the options of `createWorld`. */
export function checkOptions(options: WorldOptions): void {
  checkSettings(options, 'options', OPTION_KEYS);
  if (options.backend !== undefined) checkWord(options.backend, 'options.backend', BACKEND_NAMES);
  checkBackend(options.backend ?? 'wasm', options);
  if (options.device !== undefined) checkDevice(options.device, 'options.device');
  if (options.bodyCapacity !== undefined) checkInteger(options.bodyCapacity, 'options.bodyCapacity', 0, 2 ** 24 - 1);
}

/** A WebGPU device, as far as can be told without using it. */
export function checkDevice(value: unknown, name: string): void {
  const device = value as Partial<GPUDevice> | null;
  const isDevice =
    device !== null &&
    typeof device === 'object' &&
    typeof device.createBuffer === 'function' &&
    typeof device.queue?.submit === 'function' &&
    typeof device.lost?.then === 'function';
  if (!isDevice) fail(name, 'a GPUDevice (await adapter.requestDevice())', value);
}

/** Throws 'unsupported' for a solver or a method that the backend does not have. */
export function checkBackend(backend: BackendName, { solver = 'auto', ...settings }: WorldSettings): void {
  const methods = resolveMethods(settings);
  if (backend === 'wasm') {
    if (methods.accumulation === 'segmented') return;
    throw new TalusError('unsupported', `accumulation '${methods.accumulation}' needs the backend 'webgpu'; WASM adds in order`);
  }
  const family = gpuFamily(solver);
  if (backend === 'webgpu' && family === null) {
    throw new TalusError('unsupported', `WebGPU solves by cell-split or Jacobi; solver '${solver}' needs the backend 'wasm'`);
  }
  // Jacobi on the GPU works on the rows that these methods change; only shock propagation solves them in another order.
  if (family === 'jacobi' ? methods.shockPropagation > 0 : needsRows(methods)) {
    throw new TalusError('unsupported', `these methods (docs/methods.md) need the backend 'wasm', not '${backend}'`);
  }
}

/** All settings of a world at one time. */
export interface Settings extends StepParameters, MethodParameters {
  gravity: readonly [number, number, number];
  solver: SolverName;
  preset: PresetName;
}

/** What a solver named `auto` stands for on a backend. */
export function resolveSolver(solver: SolverName, onGpu: boolean): SolverCode {
  if (onGpu && gpuFamily(solver) !== 'jacobi') return 'cell-split';
  return solver === 'auto' ? 'wide' : solver;
}

/**
 * The settings that follow from all that was ever asked for (`asked`, own settings, later calls merged over earlier ones): presets fit
 * the solver that is in use, parameters asked for by name win over them.
 */
export function resolveSettings(asked: WorldSettings, onGpu: boolean): Settings {
  const solver = asked.solver ?? 'auto';
  const preset = asked.preset ?? 'balanced';
  const effort = effortOf(resolveSolver(solver, onGpu), preset);
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const g = asked.gravity === undefined ? [0, -9.81, 0] : (asked.gravity as ArrayLike<number>);
  return { ...DEFAULTS, ...effort, ...given, ...resolveMethods(asked), gravity: [g[0]!, g[1]!, g[2]!], solver, preset };
}

/** Settings of the world's own: a vector that the caller goes on using is copied. */
export function ownSettings(settings: WorldSettings): WorldSettings {
  if (settings.gravity === undefined) return { ...settings };
  return { ...settings, gravity: Array.from(checkVec3(settings.gravity, 'gravity')) };
}

/** Writes settings to the header, except for the solver, which changes by a call. */
export function writeSettings(memory: LinearMemory, settings: Settings): void {
  memory.setHeaderF32(Header.gravityX, settings.gravity[0]);
  memory.setHeaderF32(Header.gravityY, settings.gravity[1]);
  memory.setHeaderF32(Header.gravityZ, settings.gravity[2]);
  memory.setHeaderU32(Header.seed, settings.seed >>> 0);
  const fixed = settings.substeps !== 'auto' || settings.integration === 'one-step';
  memory.setHeaderU32(Header.autoSubsteps, fixed ? 0 : 1);
  for (const key of RANGE_KEYS) {
    const value = settings[key];
    if (value === 'auto') continue; // the core goes on from the number it has
    if (RANGES[key][2]) memory.setHeaderU32(Header[key], value);
    else memory.setHeaderF32(Header[key], value);
  }
  writeMethods(memory, settings);
}

/** What solves the next step: where a solver has no code for an option, another one of the same order takes over. */
export function activeOf(settings: Settings, onGpu: boolean): ActiveSolver {
  const solver = resolveSolver(settings.solver, onGpu);
  return onGpu ? solver : activeSolver(solver, settings);
}

/** SOLVER_* of the next step on WASM. */
export function codeOf(settings: Settings): number {
  return solverCode(resolveSolver(settings.solver, false), settings);
}
