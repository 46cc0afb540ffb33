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
 * `new URL('./talus.wasm', import.meta.url)`, the form that bundlers know: vite.config.ts writes it in the built package, for there
 * is no such file among the sources.
 */
declare const __TALUS_WASM__: URL;

/** In one place: bundlers copy the file for each. */
const addressOfCore = () => __TALUS_WASM__;

const core: CoreFile = {
  file: 'talus.wasm',
  call: 'reserveSlots',
  compile: () => fetchCore(addressOfCore()),
  bytes: () => fetchBytes(addressOfCore()),
};

/**
 * Makes an empty world. Await it: the promise itself only says so when it is used as a world.
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
