// `createWorld` of `talus`: the product with its core inlined.
import { openWorld } from '../options/edition';
import type { WorldOptions } from '../options/options';
import { productWith } from '../options/product';
import { wasmText } from '../wasm/binary.generated';
import { bytesOf, type CoreFile, loadCore } from '../wasm/load';
import { unawaited } from './unawaited';
import { World } from './world';

const core: CoreFile = {
  file: 'talus.wasm',
  call: 'reserveSlots',
  compile: () => WebAssembly.compile(bytesOf(wasmText)),
  bytes: async () => bytesOf(wasmText),
};

/**
 * Creates an empty world. Returns a promise: `const world = await createWorld()`. If you forget `await`, the first use says so.
 * @throws TalusError `invalid-argument`; `unsupported` without WebAssembly SIMD or with a `wasm` that is not this core;
 * `out-of-memory`; `gpu` if `backend` is 'webgpu' and there is no device, or without `import 'talus/gpu'`
 */
export function createWorld(options: WorldOptions = {}): Promise<World> {
  return unawaited(
    openWorld(
      productWith((source, threads) => loadCore(core, source, threads)),
      World,
      options,
    ),
    World,
    'createWorld',
  );
}
