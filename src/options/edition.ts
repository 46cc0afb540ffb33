// What sets the product and `talus/study` apart, as a world sees it: which solvers and options there are, and what runs them.
// Each entry of the package has one edition (world/create_world.ts, slim/create_world.ts, study/create_world.ts).
import type { GpuHost } from '../gpu/host';
import type { StepSolver } from '../gpu/step_solver';
import type { CoreMark } from '../state/snapshot';
import { threadsOf } from '../threads/count';
import type { LoadedCore } from '../wasm/load';
import type { LinearMemory } from '../wasm/memory';
import type { WasmSource } from '../wasm/source';
import type { BackendName, EditionTypes, OpenOptions } from './options';

export interface Edition<T extends EditionTypes> {
  /** Tells snapshots of this core from others. */
  readonly mark: CoreMark;
  /** A fresh core, initialised, for so many threads. */
  load(source: WasmSource | undefined, threads: number): Promise<LoadedCore>;
  /** Throws 'invalid-argument' for anything unknown or out of range, 'unsupported' as `checkBackend`. */
  checkOptions(options: T['asked'] & OpenOptions): void;
  checkSettings(settings: T['asked']): void;
  /** Throws 'unsupported' for what the backend does not have. */
  checkBackend(backend: BackendName, asked: T['asked']): void;
  /** The settings that follow from all that was ever asked for, on WebGPU or on WASM. */
  resolve(asked: T['asked'], onGpu: boolean): T['settings'];
  /** Writes settings to the header, except for the solver, which changes by a call. */
  write(memory: LinearMemory, settings: T['settings']): void;
  /** SOLVER_* of the next step on WASM. */
  codeOf(settings: T['settings']): number;
  /** What solves the next step. */
  activeOf(settings: T['settings'], onGpu: boolean): T['solver'];
  /** What the settings run on WebGPU. */
  familyOf(settings: T['settings']): string;
  /** What opens devices and sets up solvers on them. Throws TalusError 'gpu' where there is none. */
  gpu(): GpuHost;
  /** Tells a solver on WebGPU what the settings ask for, before each step. */
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
