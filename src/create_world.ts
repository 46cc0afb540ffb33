// The product: its core, its solvers, `createWorld`.
import { type Edition, openWorld } from './edition';
import { GpuSolver } from './gpu/gpu_solver';
import {
  checkBackend,
  checkOptions,
  checkSettings,
  type Product,
  resolveSettings,
  resolveSolver,
  SOLVER_CODES,
  type WorldOptions,
  writeSettings,
} from './options';
import { unawaited } from './unawaited';
import { wasmHash, wasmText } from './wasm/binary.generated';
import { type Inlined, loadCore } from './wasm/load';
import { World } from './world';

const core: Inlined = { text: wasmText, file: 'talus.wasm', call: 'reserveSlots' };

const product: Edition<Product> = {
  mark: { entry: 'talus', hash: wasmHash },
  load: (source) => loadCore(core, source),
  checkOptions,
  checkSettings,
  checkBackend,
  resolve: resolveSettings,
  write: writeSettings,
  codeOf: (settings) => SOLVER_CODES[resolveSolver(settings.solver, false)],
  activeOf: (settings, onGpu) => resolveSolver(settings.solver, onGpu),
  familyOf: () => 'cells',
  openSolver: (_family, ...rest) => GpuSolver.create(...rest),
  configure: () => undefined,
};

/**
 * Makes an empty world. Await it: the promise itself only says so when it is used as a world.
 * @throws TalusError `invalid-argument`; `unsupported` without WebAssembly SIMD or with a `wasm` that is not this core;
 * `out-of-memory`; `gpu` if `backend` is 'webgpu' and there is none
 */
export function createWorld(options: WorldOptions = {}): Promise<World> {
  return unawaited(openWorld(product, World, options), World, 'createWorld');
}
