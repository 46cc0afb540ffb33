// Compiles the core once and creates the memory and exports of worlds; a world that is dropped is garbage collected.
import { TalusError } from '../checks/errors';
import { messageOf } from '../checks/show';
import { fail } from '../checks/validate';
import { compileShared, makeSharedMemory, whyAlone } from '../platform/shared_core';
import type { CoreExports } from './core';
import { LinearMemory } from './memory';
import type { Instantiate } from './seats';
import type { WasmSource } from './source';

/** A core of the package. */
export interface CoreFile {
  /** Its file name. */
  readonly file: string;
  /** A call that only this core has, not other modules. */
  readonly call: string;
  /** Functions that this core calls beside those of threads. */
  readonly imports?: WebAssembly.Imports;
  /** Compiles the package's own copy. */
  compile(): Promise<WebAssembly.Module>;
  /** Returns its bytes, for the form that takes shared memory. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Set by the first user. */
  compiled?: Promise<WebAssembly.Module> | undefined;
  shared?: Promise<WebAssembly.Module> | undefined;
}

/** A core that was loaded. */
export interface LoadedCore {
  exports: CoreExports;
  memory: LinearMemory;
  /** The module, if memory is shared. */
  shared: WebAssembly.Module | null;
  /** Why memory is not shared, if that was requested; '' otherwise. */
  alone: string;
}

/** As in scripts/build_wasm.mjs. */
const SHIFT = 43;

/** The second byte of every binary as a character. */
const SECOND = 97 + SHIFT;

/**
 * Restores the text of a script. A classic script of a page that names no charset (`<meta charset="utf-8">`) is read as
 * windows-1252 in most of the world, two characters for one; that can be undone.
 */
function asUtf8(text: string): string {
  if (text.charCodeAt(1) === SECOND) return text;
  const all = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i));
  const codes = new Map(Array.from(all, (character, i) => [character, i]));
  const meant = new TextDecoder().decode(Uint8Array.from(text, (character) => codes.get(character) ?? 0));
  if (meant.charCodeAt(1) === SECOND) return meant;
  throw new TalusError(
    'unsupported',
    'the script with talus in it was not read as UTF-8: put <meta charset="utf-8"> into the page',
  );
}

/** Returns the bytes of an inlined core: the code of each character, less `SHIFT`, modulo 256, is a byte. */
export function bytesOf(inlined: string): Uint8Array<ArrayBuffer> {
  const text = asUtf8(inlined);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i) - SHIFT;
  return bytes;
}

/** The smallest module with an instruction of WebAssembly SIMD: `i32.const 0, i8x16.splat, drop`. */
const SIMD_PROBE = Uint8Array.of(
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0,
  1,
  4,
  1,
  96,
  0,
  0,
  3,
  2,
  1,
  0,
  10,
  9,
  1,
  7,
  0,
  65,
  0,
  253,
  15,
  26,
  11,
);
/** `\0asm`: every binary starts with it. */
const MAGIC = [0, 97, 115, 109];

/** Also recognizes modules of other realms, unlike instanceof. */
function isModule(value: unknown): value is WebAssembly.Module {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]';
}

/** Returns the bytes of a caller's own copy of the core. */
function givenBytes(source: unknown): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array<ArrayBuffer>;
  if (ArrayBuffer.isView(source)) bytes = new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
  else if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(source))) {
    bytes = new Uint8Array(source as ArrayBuffer);
  } else {
    fail('options.wasm', 'the bytes of talus.wasm or a WebAssembly.Module of them (await response.arrayBuffer())', source);
  }
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) {
    const start = String.fromCharCode(...bytes.subarray(0, 16)).replace(/[^ -~]/g, '.');
    throw new TalusError('unsupported', `options.wasm is not WebAssembly: its ${bytes.length} bytes start with "${start}"`);
  }
  return bytes;
}

/** Returns a module of the core: the package's, compiled once, or the caller's own copy. */
async function compile(core: CoreFile, source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== 'object') throw new TalusError('unsupported', 'this machine has no WebAssembly');
  if (isModule(source)) return source;
  const bytes = source === undefined ? undefined : givenBytes(source);
  try {
    if (bytes) return await WebAssembly.compile(bytes);
    core.compiled ??= core.compile();
    return await core.compiled;
  } catch (error) {
    core.compiled = undefined;
    if (error instanceof TalusError) throw error;
    if (!WebAssembly.validate(SIMD_PROBE)) {
      throw new TalusError('unsupported', `this machine has no WebAssembly SIMD, which the core needs (${String(error)})`);
    }
    if (bytes) throw new TalusError('unsupported', `options.wasm does not compile: ${String(error)}`);
    throw new TalusError('unsupported', `the core does not compile here: ${String(error)}`);
  }
}

/** The thread that steps does not sleep (threads/thread_code.js has the naps of the others). */
const nap = () => undefined;

/** Returns a function that creates instances of a module, which may be something else than this version of the core. */
function instantiator({ file, call, imports }: CoreFile, module: WebAssembly.Module): Instantiate {
  return (memory) => {
    let exports: Record<string, unknown> = {};
    let reason = 'it lacks calls of the core';
    try {
      exports = new WebAssembly.Instance(module, { env: { memory }, team: { nap }, ...imports }).exports;
    } catch (error) {
      reason = String(error);
    }
    if (typeof exports.initWorld !== 'function' || typeof exports[call] !== 'function') {
      throw new TalusError('unsupported', `options.wasm is not the ${file} of this version: ${reason}`);
    }
    return exports as unknown as CoreExports;
  };
}

/** One for each module and core, so that worlds of a module share instances. */
const instantiators = new WeakMap<WebAssembly.Module, Map<CoreFile, Instantiate>>();

/** Returns the form that takes shared memory: of the package, compiled once, or of the caller's own copy. */
function compileForThreads(core: CoreFile, source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (source !== undefined) return compileShared(givenBytes(source));
  if (!core.shared) {
    core.shared = core.bytes().then(compileShared);
    core.shared.catch(() => {
      core.shared = undefined;
    });
  }
  return core.shared;
}

/** Returns module and memory for threads, or why there are none. */
async function share(core: CoreFile, source: WasmSource | undefined): Promise<[WebAssembly.Module, WebAssembly.Memory] | string> {
  if (isModule(source)) return 'options.wasm is a compiled module, which cannot take shared memory: pass its bytes';
  const alone = whyAlone();
  if (alone !== '') return alone;
  try {
    const module = await compileForThreads(core, source);
    const memory = makeSharedMemory();
    return memory ? [module, memory] : 'no shared memory could be reserved';
  } catch (error) {
    return `the core does not compile for shared memory here: ${messageOf(error)}`;
  }
}

/** Returns a fresh core: its exports and its initialized memory; shared memory for several threads, if available. */
export async function loadCore(core: CoreFile, source?: WasmSource, threads = 1): Promise<LoadedCore> {
  const found = threads > 1 ? await share(core, source) : '';
  const [shared, own] = typeof found === 'string' ? [null, null] : found;
  const module = shared ?? (await compile(core, source));
  const known = instantiators.get(module) ?? new Map<CoreFile, Instantiate>();
  instantiators.set(module, known);
  const instantiate = known.get(core) ?? instantiator(core, module);
  known.set(core, instantiate);
  const memory = new LinearMemory(instantiate, own);
  const { exports } = memory.tenant;
  if (exports.initWorld() === 0) throw new TalusError('out-of-memory', 'there is no memory for an empty world');
  return { exports, memory, shared, alone: typeof found === 'string' ? found : '' };
}
