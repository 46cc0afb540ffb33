// Options of a world: backend, solver, preset and every parameter of the step; their ranges, and writing them to the header. All
// can be changed between steps.
import { TalusError } from '../checks/errors';
import { checkBits, checkBoolean, checkInteger, checkKeys, checkNumber, checkVec3, checkWord, fail } from '../checks/validate';
import { checkWarn, type WarningListener } from '../debug/warnings';
import type { WebGpuDevice } from '../gpu/types';
import { Header, SOLVER_CELL_SPLIT, SOLVER_WIDE, SPLIT_BODY_CAP } from '../layout.generated';
import { MOST_THREADS } from '../threads/count';
import type { ThreadChoiceName, ThreadCount, ThreadWorker } from '../threads/types';
import type { Vec3 } from '../types';
import type { LinearMemory } from '../wasm/memory';
import type { WasmSource } from '../wasm/source';

/** SOLVER_* of each solver. */
export const SOLVER_CODES = { wide: SOLVER_WIDE, 'cell-split': SOLVER_CELL_SPLIT } as const;

/** Name of a solver that runs, without `auto`. */
export type ActiveSolver = keyof typeof SOLVER_CODES;

/**
 * Contact solver.
 * - `auto`: `wide` on WASM, `cell-split` on WebGPU
 * - `wide`: sequential Gauss-Seidel, four independent manifolds at once (SIMD)
 * - `cell-split`: mass splitting by cells of many contacts; runs on WebGPU, and its twin on WASM
 * The entry `talus/study` has more, published ones and references (docs/methods.md).
 */
export type SolverName = 'auto' | ActiveSolver;

/** Where contacts are solved. `auto` measures both on the running scene and takes the faster one; `wasm` is always available. */
export type BackendName = 'auto' | 'wasm' | 'webgpu';

/**
 * Effort of the solver. A preset sets `substeps`, `sweeps` and `contactHertzRatio` to fit the solver.
 * - `fast`: for piles and debris; tall walls and stacks sway or fall
 * - `balanced`: walls, stacks and card houses stand; as many substeps as they need (`auto`) if the solver supports it
 * - `high`: stiffer, for large mass ratios and tall stacks
 */
export type PresetName = 'fast' | 'balanced' | 'high';

/** All parameters of the step. */
export interface StepParameters {
  /** Length of a step, s, 1e-5 to 0.1; default 1/60. Keep it fixed: results depend on it. */
  dt: number;
  /**
   * Substeps per step, 1 to 64, or `auto`. More substeps make everything stiffer: stacks, mass ratios, fast rotation. `auto` uses
   * as many as standing structures need, 6 to 20 and more under heavy loads (docs/substeps.md#how-many-substeps);
   * `profile.substeps` is the largest number in use. If `dt` changes, a step shorter than recent ones has fewer substeps, of
   * about the same length.
   */
  substeps: number | 'auto';
  /** Sweeps over all contacts in each of the two passes of a substep, 1 to 32. */
  sweeps: number;
  /** Stiffness of contacts: their frequency divided by the rate of substeps, 0.01 to 0.5. */
  contactHertzRatio: number;
  /** Damping ratio of contacts, 0 to 100; default 10. */
  dampingRatio: number;
  /** Largest speed at which overlapping bodies are pushed apart, m/s, 0 to 1000; default 3. */
  pushSpeed: number;
  /** Distance (m) at which contacts are found before bodies touch, 1e-4 to 10; default 0.02. */
  speculativeMargin: number;
  /** Relative motion up to which a contact is reused instead of recomputed, m, 0 to 1; default 0.005. */
  recycleDistance: number;
  /**
   * WebGPU: a body is read back when it has moved by this distance since it was last read back, or its speed has changed by this
   * distance 20 times a second; m, 0 to 0.01, default 1e-4 (0.1 mm, 2 mm/s). So bodies at rest cost no bandwidth. With 0, all bodies
   * are read back in every step. Joined and kinematic ones always are when they move (docs/gpu.md#reports).
   */
  readbackTolerance: number;
  /** Impact speed below which nothing bounces, m/s, 0 to 1e6; default 1. */
  restitutionThreshold: number;
  /** Factor on impulses carried from step to step, 0 to 1; default 1. */
  warmStart: number;
  /** Overlap that is not pushed out, m, 0 to 1; default 0. Above 0, loaded contacts creep until they have used it up. */
  linearSlop: number;
  /** Speed limit of dynamic bodies, m/s, 1 to 1e5; default 500. It also limits the motion in a step. */
  maxLinearSpeed: number;
  /**
   * Spin limit of dynamic bodies, rad/s, 1 to 1e5; default 150 (2.5 rad per step at 60 Hz). It also limits the rotation in a
   * step.
   */
  maxAngularSpeed: number;
  /** Splitting solvers: largest number of contact manifolds in a cell, 1 to 65536; default 224. */
  granularity: number;
  /** Splitting solvers: largest number of dynamic bodies in a cell, 2 to 127; default 127. */
  cellBodyCap: number;
  /** Seed of all permutations, 32 bits; default 1. */
  seed: number;
  /** Whether islands at rest sleep until something touches them; default true. */
  sleep: boolean;
  /** A body counts as at rest if no point of it is faster than this, m/s, 0 to 100; default 0.03. */
  sleepSpeed: number;
  /** An island falls asleep when all of its bodies have been at rest this long, s, 0 to 3600; default 0.5. */
  sleepTime: number;
  /**
   * Impacts at this speed or faster send hit events, m/s, 0 to 1e6. Default null: only colliders with thresholds of their own
   * send them.
   */
  hitSpeed: number | null;
  /** Whether bodies that fall asleep or wake are listed in `events.sleeps` and `events.wakes`; default false. */
  sleepEvents: boolean;
}

/** Settings that do not depend on the solver. */
export interface CommonSettings extends Partial<StepParameters> {
  /** Acceleration by gravity, m/s2; default 0 -9.81 0. */
  gravity?: Vec3;
  /** Effort of the solver; default `balanced`. Parameters that you give beside it win over those of the preset. */
  preset?: PresetName;
  /**
   * Number of threads that share a step, including the calling one: 1 to 64, or `auto` (one per core, 8 at most); default 1.
   * Results are the same bits with any number. Pages need cross-origin isolation for it. Without it a world has one thread, and
   * `world.settings.threadsReason` says why (docs/threads.md). `world.set` may lower the number, and raise it up to the number at
   * creation.
   */
  threads?: ThreadCount;
}

/** Settings that you can change at any time between steps. */
export interface WorldSettings extends CommonSettings {
  /** Contact solver; default `auto`. */
  solver?: SolverName;
}

/** Options of `createWorld` that cannot be changed later by `world.set`. */
export interface OpenOptions {
  /** Where contacts are solved; default `wasm`. */
  backend?: BackendName;
  /** Number of bodies to reserve memory for; memory grows by itself beyond that. */
  bodyCapacity?: number;
  /** A WebGPU device to use instead of requesting one. It stays yours: `dispose` does not destroy it. */
  device?: WebGpuDevice;
  /** The core as bytes or a module, instead of the copy inlined in the package. */
  wasm?: WasmSource;
  /**
   * Where development warnings go, each kind once per world: to `console.warn` (true), nowhere (false), or to your function.
   * Default true, and false in production builds (`process.env.NODE_ENV`).
   */
  warn?: boolean | WarningListener;
  /**
   * How many of the threads a step uses: by default the number that the clock shows to be fastest; or all, for benchmarks and
   * tests.
   */
  threadChoice?: ThreadChoiceName;
  /**
   * The address of `talus/thread`, or a function that starts a worker with it, for pages whose content security policy forbids
   * workers from a Blob. By default the package starts threads by itself.
   */
  threadWorker?: ThreadWorker;
}

/** Options of `createWorld`. */
export interface WorldOptions extends WorldSettings, OpenOptions {}

export const SOLVER_NAMES: readonly SolverName[] = ['auto', 'wide', 'cell-split'];
const THREAD_CHOICES: readonly ThreadChoiceName[] = ['measured', 'always'];
export const BACKEND_NAMES: readonly BackendName[] = ['auto', 'wasm', 'webgpu'];
export const PRESET_NAMES: readonly PresetName[] = ['fast', 'balanced', 'high'];

/** The settings that a preset sets. */
export type Effort = Pick<StepParameters, 'substeps' | 'sweeps' | 'contactHertzRatio'>;

// Settings with which the stack, wall, card house and mass ratio scenes stand and stay calm (docs/substeps.md). Splitting needs
// more sweeps per pass than Gauss-Seidel: its blocks affect each other only through the mean.
export const SEQUENTIAL: Record<PresetName, Effort> = {
  fast: { substeps: 6, sweeps: 1, contactHertzRatio: 0.125 },
  balanced: { substeps: 'auto', sweeps: 1, contactHertzRatio: 0.125 },
  high: { substeps: 'auto', sweeps: 1, contactHertzRatio: 0.125 },
};
export const CELL_SPLITTING: Record<PresetName, Effort> = {
  fast: { substeps: 5, sweeps: 2, contactHertzRatio: 0.16 },
  balanced: { substeps: 'auto', sweeps: 2, contactHertzRatio: 0.125 },
  high: { substeps: 'auto', sweeps: 2, contactHertzRatio: 0.125 },
};

/** Least number of substeps, by preset, where the core chooses the number. The core has a minimum of its own. */
const FEWEST: Record<PresetName, number> = { fast: 1, balanced: 1, high: 20 };

const DEFAULTS: Omit<StepParameters, keyof Effort> = {
  dt: 1 / 60,
  dampingRatio: 10,
  pushSpeed: 3,
  speculativeMargin: 0.02,
  recycleDistance: 0.005,
  readbackTolerance: 1e-4,
  restitutionThreshold: 1,
  warmStart: 1,
  linearSlop: 0,
  maxLinearSpeed: 500,
  maxAngularSpeed: 150,
  granularity: 224,
  cellBodyCap: SPLIT_BODY_CAP,
  seed: 1,
  sleep: true,
  sleepSpeed: 0.03,
  sleepTime: 0.5,
  hitSpeed: null,
  sleepEvents: false,
};

/** Range of a number: least, most, and whether it is whole. */
export type Range = readonly [number, number, boolean, ...number[]];

/** Ranges of the numeric parameters, each with its place in the header. (By name it would need the whole layout table.) */
const RANGES: Record<
  Exclude<keyof StepParameters, 'seed' | 'sleep' | 'hitSpeed' | 'sleepEvents'>,
  readonly [...Range, number]
> = {
  dt: [1e-5, 0.1, false, Header.dt],
  substeps: [1, 64, true, Header.substeps],
  sweeps: [1, 32, true, Header.sweeps],
  contactHertzRatio: [0.01, 0.5, false, Header.contactHertzRatio],
  dampingRatio: [0, 100, false, Header.dampingRatio],
  pushSpeed: [0, 1000, false, Header.pushSpeed],
  speculativeMargin: [1e-4, 10, false, Header.speculativeMargin],
  recycleDistance: [0, 1, false, Header.recycleDistance],
  readbackTolerance: [0, 0.01, false, Header.readbackTolerance],
  restitutionThreshold: [0, 1e6, false, Header.restitutionThreshold],
  warmStart: [0, 1, false, Header.warmStart],
  linearSlop: [0, 1, false, Header.linearSlop],
  maxLinearSpeed: [1, 1e5, false, Header.maxLinearSpeed],
  maxAngularSpeed: [1, 1e5, false, Header.maxAngularSpeed],
  granularity: [1, 65536, true, Header.granularity],
  cellBodyCap: [2, SPLIT_BODY_CAP, true, Header.cellBodyCap],
  sleepSpeed: [0, 100, false, Header.sleepSpeed],
  sleepTime: [0, 3600, false, Header.sleepTime],
};
const RANGE_KEYS = Object.keys(RANGES) as (keyof typeof RANGES)[];

/** Names of the settings, without the solver's. */
export const COMMON_KEYS: readonly string[] = [
  'gravity',
  'solver',
  'preset',
  'seed',
  'sleep',
  'hitSpeed',
  'sleepEvents',
  'threads',
  'threadsReason', // settings in force may be passed on as they are
  ...RANGE_KEYS,
];
/** Names of the options that are not settings. */
export const OPEN_KEYS: readonly string[] = ['backend', 'bodyCapacity', 'device', 'wasm', 'warn', 'threadChoice', 'threadWorker'];

/** Throws 'invalid-argument' for a number out of its range. */
export function checkRanges<K extends string>(
  settings: { [k in K]?: number | 'auto' },
  name: string,
  ranges: Record<K, Range>,
): void {
  for (const key of Object.keys(ranges) as K[]) {
    const value = settings[key];
    if (value === undefined || (key === 'substeps' && value === 'auto')) continue;
    const [least, most, whole] = ranges[key];
    if (whole) checkInteger(value, `${name}.${key}`, least, most);
    else checkNumber(value, `${name}.${key}`, least, most);
  }
}

/** Throws 'invalid-argument' for a setting out of range, for any solver. */
export function checkCommon(settings: CommonSettings, name: string): void {
  if (settings.gravity !== undefined) checkVec3(settings.gravity, `${name}.gravity`, 1e6);
  if (settings.preset !== undefined) checkWord(settings.preset, `${name}.preset`, PRESET_NAMES);
  if (settings.seed !== undefined) checkBits(settings.seed, `${name}.seed`);
  if (settings.sleep !== undefined) checkBoolean(settings.sleep, `${name}.sleep`);
  if (settings.hitSpeed !== undefined && settings.hitSpeed !== null) checkNumber(settings.hitSpeed, `${name}.hitSpeed`, 0, 1e6);
  if (settings.sleepEvents !== undefined) checkBoolean(settings.sleepEvents, `${name}.sleepEvents`);
  if (settings.threads !== undefined && settings.threads !== 'auto') {
    checkInteger(settings.threads, `${name}.threads`, 1, MOST_THREADS, "'auto' or ");
  }
  checkRanges(settings, name, RANGES);
}

/** Throws 'invalid-argument' for an option out of range. */
export function checkOpen(options: OpenOptions): void {
  if (options.backend !== undefined) checkWord(options.backend, 'options.backend', BACKEND_NAMES);
  if (options.device !== undefined) checkDevice(options.device, 'options.device');
  checkWarn(options.warn);
  if (options.threadChoice !== undefined) checkWord(options.threadChoice, 'options.threadChoice', THREAD_CHOICES);
  const { threadWorker } = options;
  if (threadWorker !== undefined && typeof threadWorker !== 'function' && typeof threadWorker !== 'string') {
    fail('options.threadWorker', 'an address of talus/thread or a function that starts a worker with it', threadWorker);
  }
  if (options.bodyCapacity !== undefined) checkInteger(options.bodyCapacity, 'options.bodyCapacity', 0, 2 ** 24 - 1);
}

/** Throws 'invalid-argument' for anything unknown or out of range. */
export function checkSettings(settings: WorldSettings, name = 'settings', keys: readonly string[] = COMMON_KEYS): void {
  checkKeys(settings, name, keys);
  if (settings.solver !== undefined) checkWord(settings.solver, `${name}.solver`, SOLVER_NAMES);
  checkCommon(settings, name);
}

/** As checkSettings, for the options of `createWorld`. */
export function checkOptions(options: WorldOptions): void {
  checkSettings(options, 'options', [...COMMON_KEYS, ...OPEN_KEYS]);
  checkOpen(options);
  checkBackend(options.backend ?? 'wasm', options);
}

/** Checks that a value looks like a WebGPU device; only its use shows more. */
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

/** Throws 'unsupported' for a solver that takes no joints on WASM. `wasm`: names of the solvers that do. */
export function checkTakesJoints(solver: string, wasm: readonly string[]): void {
  if (wasm.includes(solver)) return;
  throw new TalusError('unsupported', `solver '${solver}' takes no joints; use 'auto', '${wasm.join("', '")}'`);
}

/** Throws 'unsupported' for a solver that the backend does not have. */
export function checkBackend(backend: BackendName, { solver = 'auto' }: WorldSettings): void {
  if (backend === 'webgpu' && solver === 'wide') {
    throw new TalusError('unsupported', `WebGPU solves by cell-split; solver '${solver}' needs the backend 'wasm'`);
  }
}

/** All settings of a world at one time, for any solver. */
export interface CommonInForce extends StepParameters {
  /** Number of threads that may share steps: as requested, or as available. `profile.threads` is the number in the last step. */
  threads: number;
  /** Why there are fewer threads than requested, as a sentence for people; '' if there are not. */
  threadsReason: string;
  gravity: readonly [number, number, number];
  preset: PresetName;
}

/** All settings of a world at one time. */
export interface Settings extends CommonInForce {
  solver: SolverName;
}

/** The types in which `talus` and `talus/study` differ. */
export interface EditionTypes {
  /** Settings that you may pass. */
  asked: CommonSettings;
  /** All settings in force. */
  settings: CommonInForce;
  /** Name of a solver that runs. */
  solver: string;
}

/** Types of the product. */
export interface Product extends EditionTypes {
  asked: WorldSettings;
  settings: Settings;
  solver: ActiveSolver;
}

/** Returns the solver that `auto` stands for on a backend. */
export function resolveSolver(solver: SolverName, onGpu: boolean): ActiveSolver {
  if (onGpu) return 'cell-split';
  return solver === 'auto' ? 'wide' : solver;
}

/** Returns the settings that result from the requested ones and the values of the preset: parameters given by name win. */
export function resolveCommon<T extends CommonSettings>(asked: T, efforts: Record<PresetName, Effort>): T & CommonInForce {
  const preset = asked.preset ?? 'balanced';
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as T;
  const g = asked.gravity === undefined ? [0, -9.81, 0] : (asked.gravity as ArrayLike<number>);
  // Threads are the world's to count.
  return { ...DEFAULTS, ...efforts[preset], ...given, gravity: [g[0]!, g[1]!, g[2]!], preset, threads: 1, threadsReason: '' };
}

/** Returns the settings that result from all requested ones (`asked`, merged over all calls). Presets fit the solver in use. */
export function resolveSettings(asked: WorldSettings, onGpu: boolean): Settings {
  const solver = asked.solver ?? 'auto';
  const efforts = resolveSolver(solver, onGpu) === 'cell-split' ? CELL_SPLITTING : SEQUENTIAL;
  return { ...resolveCommon(asked, efforts), solver };
}

/** Copies the settings, with their vectors, so that the world does not depend on later changes by the caller. */
export function ownSettings<T extends CommonSettings>(settings: T): T {
  const own: T & { threadsReason?: string } = { ...settings };
  delete own.threadsReason;
  if (settings.gravity !== undefined) own.gravity = Array.from(checkVec3(settings.gravity, 'gravity'));
  return own;
}

/** Sets who needs the events of sleeping: bit 1 the settings, bit 2 the listeners. */
export function askForSleep(memory: LinearMemory, bit: 1 | 2, isAsked: boolean): void {
  const others = memory.headerU32(Header.sleepEvents) & ~bit;
  memory.setHeaderU32(Header.sleepEvents, isAsked ? others | bit : others);
}

/** Writes settings to the header, except for the solver, which changes by a call. */
export function writeSettings(memory: LinearMemory, settings: CommonInForce): void {
  memory.setHeaderF32(Header.gravityX, settings.gravity[0]);
  memory.setHeaderF32(Header.gravityY, settings.gravity[1]);
  memory.setHeaderF32(Header.gravityZ, settings.gravity[2]);
  memory.setHeaderU32(Header.seed, settings.seed >>> 0);
  memory.setHeaderU32(Header.sleep, settings.sleep ? 1 : 0);
  memory.setHeaderF32(Header.hitSpeed, settings.hitSpeed ?? Infinity);
  askForSleep(memory, 1, settings.sleepEvents);
  memory.setHeaderU32(Header.autoSubsteps, settings.substeps === 'auto' ? FEWEST[settings.preset] : 0);
  for (const key of RANGE_KEYS) {
    const value = settings[key];
    if (value === 'auto') continue; // the core goes on from the number it has
    const [, , isWhole, at] = RANGES[key];
    if (isWhole) memory.setHeaderU32(at, value);
    else memory.setHeaderF32(at, value);
  }
}
