// The product, with any source of its core: inlined (world/create_world.ts) or as a file (slim/create_world.ts).

import { providedGpu } from '../gpu/host';
import { wasmHash } from '../wasm/hash.generated';
import type { Edition } from './edition';
import {
  checkBackend,
  checkOptions,
  checkSettings,
  type Product,
  resolveSettings,
  resolveSolver,
  SOLVER_CODES,
  writeSettings,
} from './options';

export function productWith(load: Edition<Product>['load']): Edition<Product> {
  return {
    mark: { entry: 'talus', hash: wasmHash },
    load,
    checkOptions,
    checkSettings,
    checkBackend,
    resolve: resolveSettings,
    write: writeSettings,
    codeOf: (settings) => SOLVER_CODES[resolveSolver(settings.solver, false)],
    activeOf: (settings, onGpu) => resolveSolver(settings.solver, onGpu),
    jointSolvers: { wasm: ['wide', 'cell-split'], webgpu: ['cell-split'] },
    familyOf: () => 'cells',
    gpu: providedGpu,
    configure: () => undefined,
  };
}
