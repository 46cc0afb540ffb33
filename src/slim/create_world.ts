// `createWorld` of `talus/slim`: the product with its core as a file.
import { openWorld } from '../options/edition';
import type { WorldOptions } from '../options/options';
import { productWith } from '../options/product';
import { type CoreFile, loadCore } from '../wasm/load';
import type { WasmSource } from '../wasm/source';
import { unawaited } from '../world/unawaited';
import { World } from '../world/world';
import { fetchBytes, fetchCore, sourceOf } from './fetch_core';
import type { SlimWorldOptions } from './options';

/**
 * `new URL('./talus.wasm', import.meta.url)`, the form that bundlers recognize. vite.config.ts writes it into the built package,
 * since the sources have no such file.
 */
declare const __TALUS_WASM__: URL;

/** The address in one place: bundlers copy the file for each occurrence. */
const addressOfCore = () => __TALUS_WASM__;

const core: CoreFile = {
  file: 'talus.wasm',
  call: 'reserveSlots',
  compile: () => fetchCore(addressOfCore()),
  bytes: () => fetchBytes(addressOfCore()),
};

/**
 * Creates an empty world. Returns a promise: `const world = await createWorld()`. If you forget `await`, the first use says so.
 * @throws TalusError as `createWorld` of `talus`; `unsupported` if the core cannot be loaded
 */
export function createWorld(options: SlimWorldOptions = {}): Promise<World> {
  return unawaited(
    openWorld(
      productWith(async (source, threads) =>
        loadCore(core, source === undefined ? source : ((await sourceOf(source, threads)) as WasmSource), threads),
      ),
      World,
      options as WorldOptions,
    ),
    World,
    'createWorld',
  );
}
