// Options of a world: backend, solver, preset and every parameter of the step; their ranges, and how they get into the
// header. All can be changed between steps.
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

/** A solver that runs, as opposed to `auto`. */
export type ActiveSolver = keyof typeof SOLVER_CODES;

/**
 * Contact solver.
 * - `auto`: `wide` on WASM, `cell-split` on WebGPU
 * - `wide`: sequential Gauss-Seidel, four independent manifolds at once (SIMD)
 * - `cell-split`: mass splitting by cells of many contacts; what runs on WebGPU, and its twin on WASM
 *
 * The entry `talus/study` has more, published ones and references (docs/methods.md).
 */
export type SolverName = 'auto' | ActiveSolver;

/** Where contacts are solved. `auto` measures both on the running scene and takes the faster; `wasm` is always there. */
export type BackendName = 'auto' | 'wasm' | 'webgpu';

/**
 * Effort of the solver; a preset sets `substeps`, `sweeps` and `contactHertzRatio` to fit the solver.
 * - `fast`: piles and debris; tall walls and stacks sway or fall
 * - `balanced`: walls, stacks and card houses stand; as many substeps as they need (`auto`) where the solver allows it
 * - `high`: stiffer, for large mass ratios and long stacks
 */
export type PresetName = 'fast' | 'balanced' | 'high';

/** Every parameter of the step. */
export interface StepParameters {
  /** Length of a step, s, 1e-5 to 0.1; default 1/60. Keep it fixed: results depend on it. */
  dt: number;
  /**
   * Substeps of a step, 1 to 64. More of them make everything stiffer: stacks, mass ratios, fast rotation. `auto` takes as many
   * as what stands needs, 6 to 20 (docs/substeps.md#how-many-substeps); `profile.substeps` tells the largest number in use. Where
   * `dt` changes, a step that is shorter than those of late has fewer, of about the same length.
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
  /** Relative motion up to which a contact is carried over instead of recomputed, m, 0 to 1; default 0.005. */
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
  /** Islands at rest are left out until something touches them; default true. */
  sleep: boolean;
  /** Bodies with no point faster than this are at rest, m/s, 0 to 100; default 0.03. */
  sleepSpeed: number;
  /** An island sleeps when all of it has been at rest this long, s, 0 to 3600; default 0.5. */
  sleepTime: number;
  /** Impacts at least as fast send hit events, m/s, 0 to 1e6; default null: only those of colliders with thresholds of their own. */
  hitSpeed: number | null;
  /** Bodies that fall asleep or wake are listed in `events.sleeps` and `events.wakes`; default false. */
  sleepEvents: boolean;
}

/** Settings whatever the solvers are. */
export interface CommonSettings extends Partial<StepParameters> {
  /** m/s2; default 0 -9.81 0. */
  gravity?: Vec3;
  /** Default `balanced`. Parameters given beside it win over those of the preset. */
  preset?: PresetName;
  /**
   * Threads that share a step, the calling thread included: 1 to 64, or as many as the machine has cores (`auto`, 8 at most);
   * default 1. Results are the same bits with any number. In pages it needs cross-origin isolation; where there are no threads a
   * world has one, and `world.settings.threadsReason` says why (docs/threads.md). `world.set` may lower it, and raise it to what the
   * world was made with.
   */
  threads?: ThreadCount;
}

/** Settings that can be changed at any time between steps. */
export interface WorldSettings extends CommonSettings {
  /** Default `auto`. */
  solver?: SolverName;
}

/** Options of `createWorld` that are no settings. */
export interface OpenOptions {
  /** Default `wasm`. */
  backend?: BackendName;
  /** Bodies to make room for at once; memory grows by itself beyond that. */
  bodyCapacity?: number;
  /** The WebGPU device to use instead of asking for one; the caller keeps it. */
  device?: WebGpuDevice;
  /** The core as bytes or a module, instead of the copy inlined in the package. */
  wasm?: WasmSource;
  /**
   * Where development warnings go, each kind once a world: `console.warn` (true), nowhere (false), or to a function. Default true, and
   * false in production builds (`process.env.NODE_ENV`).
   */
  warn?: boolean | WarningListener;
  /** How many of the threads a step takes: as many as are fastest by the clock, the default; or all, for benchmarks and tests. */
  threadChoice?: ThreadChoiceName;
  /**
   * The address of `talus/thread`, or what starts a worker with it, for pages whose content security policy allows no worker of a Blob.
   * Default: the package starts threads by itself.
   */
  threadWorker?: ThreadWorker;
}

/** Options of `createWorld`. */
export interface WorldOptions extends WorldSettings, OpenOptions {}

export const SOLVER_NAMES: readonly SolverName[] = ['auto', 'wide', 'cell-split'];
const THREAD_CHOICES: readonly ThreadChoiceName[] = ['measured', 'always'];
export const BACKEND_NAMES: readonly BackendName[] = ['auto', 'wasm', 'webgpu'];
export const PRESET_NAMES: readonly PresetName[] = ['fast', 'balanced', 'high'];

/** What a preset sets. */
export type Effort = Pick<StepParameters, 'substeps' | 'sweeps' | 'contactHertzRatio'>;

// What stays calm and stands, measured on stack, wall, card house and mass ratio (docs/substeps.md). Splitting needs more sweeps
// a pass than Gauss-Seidel: its blocks see each other only through the mean.
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

/** Where the core chooses the number of substeps: at least this many, and its own least number. */
const FEWEST: Record<PresetName, number> = { fast: 1, balanced: 1, high: 20 };

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
  sleep: true,
  sleepSpeed: 0.03,
  sleepTime: 0.5,
  hitSpeed: null,
  sleepEvents: false,
};

/** Range of a number: least, most, and whether it is whole. */
export type Range = readonly [number, number, boolean, ...number[]];

/** Ranges of the parameters that are numbers, each with its place in the header: by name it would need the table of all. */
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
/** Names of the options that are no settings. */
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

/** Throws 'invalid-argument' for a setting out of range, whatever the solver. */
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

/** The same for options that are no settings. */
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

/** Solvers that take joints, by what solves a step. Where WebGPU has none, worlds with joints are solved on WASM. */
export const JOINT_SOLVERS: Record<'wasm' | 'webgpu', readonly string[]> = {
  wasm: ['wide', 'cell-split'],
  webgpu: ['cell-split'],
};

/** Throws 'unsupported' for a solver, on WASM, that does not take joints. */
export function checkTakesJoints(solver: string): void {
  const { wasm } = JOINT_SOLVERS;
  if (wasm.includes(solver)) return;
  throw new TalusError('unsupported', `solver '${solver}' takes no joints; those that do: 'auto', '${wasm.join("', '")}'`);
}

/** Throws 'unsupported' for a solver that the backend does not have. */
export function checkBackend(backend: BackendName, { solver = 'auto' }: WorldSettings): void {
  if (backend === 'webgpu' && solver === 'wide') {
    throw new TalusError('unsupported', `WebGPU solves by cell-split; solver '${solver}' needs the backend 'wasm'`);
  }
}

/** All settings of a world at one time, whatever the solvers. */
export interface CommonInForce extends StepParameters {
  /** Threads that steps may be shared among: as asked for, or what can be had. `profile.threads` says what the last step took. */
  threads: number;
  /** Why those are fewer than were asked for, for people to read; '' if they are not. */
  threadsReason: string;
  gravity: readonly [number, number, number];
  preset: PresetName;
}

/** All settings of a world at one time. */
export interface Settings extends CommonInForce {
  solver: SolverName;
}

/** The types that `talus` and `talus/study` differ in. */
export interface EditionTypes {
  /** Settings that a caller may give. */
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

/** What a solver named `auto` stands for on a backend. */
export function resolveSolver(solver: SolverName, onGpu: boolean): ActiveSolver {
  if (onGpu) return 'cell-split';
  return solver === 'auto' ? 'wide' : solver;
}

/** The settings that follow from those asked for, given what the preset stands for: parameters asked for by name win over it. */
export function resolveCommon<T extends CommonSettings>(asked: T, efforts: Record<PresetName, Effort>): T & CommonInForce {
  const preset = asked.preset ?? 'balanced';
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as T;
  const g = asked.gravity === undefined ? [0, -9.81, 0] : (asked.gravity as ArrayLike<number>);
  // Threads are the world's to count.
  return { ...DEFAULTS, ...efforts[preset], ...given, gravity: [g[0]!, g[1]!, g[2]!], preset, threads: 1, threadsReason: '' };
}

/**
 * The settings that follow from all that was ever asked for (`asked`, own settings, later calls merged over earlier ones): presets fit
 * the solver that is in use.
 */
export function resolveSettings(asked: WorldSettings, onGpu: boolean): Settings {
  const solver = asked.solver ?? 'auto';
  const efforts = resolveSolver(solver, onGpu) === 'cell-split' ? CELL_SPLITTING : SEQUENTIAL;
  return { ...resolveCommon(asked, efforts), solver };
}

/** Settings of the world's own: a vector that the caller goes on using is copied. */
export function ownSettings<T extends CommonSettings>(settings: T): T {
  const own: T & { threadsReason?: string } = { ...settings };
  delete own.threadsReason;
  if (settings.gravity !== undefined) own.gravity = Array.from(checkVec3(settings.gravity, 'gravity'));
  return own;
}

/** Who asks for the events of sleeping: bit 1 the settings, bit 2 the listeners. */
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
