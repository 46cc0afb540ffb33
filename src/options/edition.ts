// The differences between the product and `talus/study`, for a world: solvers, options, and the code that runs them. Each entry
// of the package has one edition (world/create_world.ts, slim/create_world.ts, study/create_world.ts).
import type { GpuHost } from '../gpu/host';
import type { StepSolver } from '../gpu/step_solver';
import type { CoreMark } from '../state/snapshot';
import { threadsOf } from '../threads/count';
import type { LoadedCore } from '../wasm/load';
import type { LinearMemory } from '../wasm/memory';
import type { WasmSource } from '../wasm/source';
import type { BackendName, EditionTypes, OpenOptions } from './options';

export interface Edition<T extends EditionTypes> {
  /** Distinguishes snapshots of this core from others. */
  readonly mark: CoreMark;
  /** Loads a fresh, initialized core for so many threads. */
  load(source: WasmSource | undefined, threads: number): Promise<LoadedCore>;
  /** Throws 'invalid-argument' for anything unknown or out of range, 'unsupported' as `checkBackend`. */
  checkOptions(options: T['asked'] & OpenOptions): void;
  checkSettings(settings: T['asked']): void;
  /** Throws 'unsupported' for settings that the backend does not support. */
  checkBackend(backend: BackendName, asked: T['asked']): void;
  /** Returns the settings that result from all requested ones, on WebGPU or on WASM. */
  resolve(asked: T['asked'], onGpu: boolean): T['settings'];
  /** Writes settings to the header, except for the solver, which changes by a call. */
  write(memory: LinearMemory, settings: T['settings']): void;
  /** SOLVER_* of the next step on WASM; `joints`: the world has some. */
  codeOf(settings: T['settings'], joints: boolean): number;
  /** Name of the solver of the next step. */
  activeOf(settings: T['settings'], onGpu: boolean, joints: boolean): T['solver'];
  /** Solvers that take joints, by backend. If WebGPU has none, worlds with joints are solved on WASM. */
  readonly jointSolvers: Record<'wasm' | 'webgpu', readonly string[]>;
  /** Name of the solver that the settings select on WebGPU. */
  familyOf(settings: T['settings']): string;
  /** Returns the host that opens devices and sets up solvers on them. Throws TalusError 'gpu' if there is none. */
  gpu(): GpuHost;
  /** Passes the settings to a solver on WebGPU, before each step. */
  configure(gpu: StepSolver, settings: T['settings']): void;
}

/** Makes a world of an edition. */
export async function openWorld<T extends EditionTypes, W extends { open(): Promise<void> }>(
  edition: Edition<T>,
  Made: new (loaded: LoadedCore, options: T['asked'] & OpenOptions, edition: Edition<T>) => W,
  options: T['asked'] & OpenOptions,
): Promise<W> {
  edition.checkOptions(options);
  const world = new Made(await edition.load(options.wasm, threadsOf(options.threads)), options, edition);
  await world.open();
  return world;
}
