// Options of `createWorld` of `talus/slim`: those of `talus`, and the place of the core.
import type { WorldOptions } from '../options/options';
import type { WasmSource } from '../wasm/source';

/** A `URL`, or a `Response` of `fetch`, if the types of the platform have them. */
type Platform<Name extends string> = typeof globalThis extends { [name in Name]: { prototype: infer Made } } ? Made : never;

/** The address of `talus/talus.wasm`, a response with it or the promise of one (`fetch(url)`), its bytes, or its module. */
export type SlimWasmSource = string | Platform<'URL'> | Platform<'Response'> | Promise<Platform<'Response'>> | WasmSource;

/** Options of `createWorld` of `talus/slim`. */
export interface SlimWorldOptions extends Omit<WorldOptions, 'wasm'> {
  /** Where the core is. Default: `talus.wasm` beside this module (`new URL('./talus.wasm', import.meta.url)`), fetched once. */
  wasm?: SlimWasmSource;
}
