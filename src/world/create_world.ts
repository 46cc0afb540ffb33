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
 * Makes an empty world. Await it: the promise itself only says so when it is used as a world.
 * @throws TalusError `invalid-argument`; `unsupported` without WebAssembly SIMD or with a `wasm` that is not this core;
 * `out-of-memory`; `gpu` if `backend` is 'webgpu' and there is none, or without `import 'talus/gpu'`
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
