// `talus/study`: its core, its solvers, `createWorld`.

import { openDevice } from '../gpu/device';
import { GpuSolver } from '../gpu/gpu_solver';
import type { GpuHost } from '../gpu/host';
import { type Edition, openWorld } from '../options/edition';
import { bytesOf, type CoreFile, loadCore } from '../wasm/load';
import { unawaited } from '../world/unawaited';
import { wasmHash, wasmText } from './binary.generated';
import type { StudyExports } from './core';
import { RowSolver } from './gpu/row_solver';
import { gpuFamily } from './methods';
import {
  activeOf,
  checkBackend,
  checkOptions,
  checkSettings,
  codeOf,
  gpuCodeOf,
  resolveSettings,
  type WorldOptions,
  writeSettings,
} from './options';
import { JOINT_SOLVERS } from './solvers';
import { type Study, World } from './world';

const core: CoreFile = {
  file: 'study.wasm',
  call: 'packRows',
  compile: () => WebAssembly.compile(bytesOf(wasmText)),
  bytes: async () => bytesOf(wasmText),
};

/** Built in, without an entry of its own: this is not the entry for small pages. */
const gpu: GpuHost = {
  openDevice,
  openSolver: (family, device, memory, exports, options) =>
    family === 'rows'
      ? RowSolver.create(device, memory, exports as StudyExports, options)
      : GpuSolver.create(device, memory, exports, options),
};

const study: Edition<Study> = {
  mark: { entry: 'talus/study', hash: wasmHash },
  load: (source, threads) => loadCore(core, source, threads),
  checkOptions,
  checkSettings,
  checkBackend,
  resolve: resolveSettings,
  write: writeSettings,
  codeOf,
  activeOf,
  jointSolvers: JOINT_SOLVERS,
  // Solvers that do not run there give way to cell splitting.
  familyOf: (settings) => gpuFamily(settings.solver) ?? 'cells',
  gpu: () => gpu,
  configure(gpu, settings) {
    if (gpu instanceof RowSolver) gpu.configure(gpuCodeOf(settings), settings.accumulation);
  },
};

/** As `createWorld` of `talus`, with the solvers and options of the published methods (docs/methods.md). */
export function createWorld(options: WorldOptions = {}): Promise<World> {
  return unawaited(openWorld(study, World, options), World, 'createWorld');
}
