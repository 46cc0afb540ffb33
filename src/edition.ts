// What sets the product and `talus/study` apart, as a world sees it: which solvers and options there are, and what runs them.
// Each entry of the package has one edition (create_world.ts, study/create_world.ts).
import type { GpuDevice } from './gpu/device';
import type { GpuSolverOptions, StepSolver } from './gpu/step_solver';
import type { WebGpuDevice } from './gpu/types';
import type { LinearMemory } from './memory';
import type { ActiveSolver, BackendName, CommonSettings, Settings, StepParameters, WorldSettings } from './options';
import type { CoreExports } from './wasm/core';
import type { WasmSource } from './wasm/source';

/** The types that differ. */
export interface EditionTypes {
  /** What may be asked for. */
  asked: CommonSettings;
  /** All settings in force. */
  settings: StepParameters;
  /** Name of a solver that runs. */
  solver: string;
}

/** Types of the product. */
export interface Product extends EditionTypes {
  asked: WorldSettings;
  settings: Settings;
  solver: ActiveSolver;
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
}

export interface Edition<T extends EditionTypes> {
  /** A fresh core, initialised. */
  load(source: WasmSource | undefined): Promise<{ exports: CoreExports; memory: LinearMemory }>;
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
  /** Sets up what solves a family on a device. Throws TalusError 'gpu'. */
  openSolver: OpenSolver;
  /** Tells a solver on WebGPU what the settings ask for, before each step. */
  configure(gpu: StepSolver, settings: T['settings']): void;
}

export type OpenSolver = (
  family: string,
  device: GpuDevice,
  memory: WebAssembly.Memory,
  core: CoreExports,
  options: GpuSolverOptions,
) => Promise<StepSolver>;
