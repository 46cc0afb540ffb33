// The interface to the contact solver on WebGPU for the rest of the engine. That solver is a quarter of the JavaScript and most
// worlds do not need it, so the product does not import it: `talus/gpu` (index.ts) provides it, and a bundle without that entry
// does not contain it.

import { TalusError } from '../checks/errors';
import type { CoreExports } from '../wasm/core';
import type { DeviceOptions, GpuDevice } from './device';
import type { GpuSolverOptions, StepSolver } from './step_solver';

export type OpenSolver = (
  family: string,
  device: GpuDevice,
  memory: WebAssembly.Memory,
  core: CoreExports,
  options: GpuSolverOptions,
) => Promise<StepSolver>;

export interface GpuHost {
  /** Opens a device. Throws TalusError 'gpu' if there is no WebGPU, no adapter, or the adapter refuses. */
  openDevice(options?: DeviceOptions): Promise<GpuDevice>;
  /** Sets up the solver of a family on a device. Throws TalusError 'gpu'. */
  openSolver: OpenSolver;
}

let provided: GpuHost | null = null;

/** Provides the GPU host for all worlds of this copy of the package, from now on. */
export function provideGpu(host: GpuHost): void {
  provided = host;
}

/** Returns the GPU host. Throws TalusError 'gpu' if no import has provided it. */
export function providedGpu(): GpuHost {
  if (!provided) throw new TalusError('gpu', "WebGPU is an entry of its own: add `import 'talus/gpu'` to the program");
  return provided;
}
