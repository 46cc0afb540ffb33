// Compiles the core once and makes one instance with one memory per world, so that dropping a world frees all of it.
import { TalusError } from '../errors';
import { LinearMemory } from '../memory';
import { fail } from '../validate';
import type { CoreExports } from './core';
import type { WasmSource } from './source';

/** A core that is inlined in the package. */
export interface Inlined {
  /** The code of each character, less `SHIFT`, modulo 256, is a byte. */
  readonly text: string;
  /** Name of the file with the same bytes. */
  readonly file: string;
  /** A call by which this core is told from other modules. */
  readonly call: string;
  /** Set by the first that needs it. */
  compiled?: Promise<WebAssembly.Module> | undefined;
}

/** As in scripts/build_wasm.mjs. */
const SHIFT = 43;

/** The bytes of an inlined core. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
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

/** Works for modules of other realms too, unlike instanceof. */
function isModule(value: unknown): value is WebAssembly.Module {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]';
}

/** Bytes of a caller's own copy of the core. */
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
    throw new TalusError('unsupported', `options.wasm holds no WebAssembly: its ${bytes.length} bytes start with "${start}"`);
  }
  return bytes;
}

/** A module of the core: the inlined one, compiled once, or the caller's own copy of it. */
async function compile(inlined: Inlined, source: WasmSource | undefined): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== 'object') throw new TalusError('unsupported', 'this machine has no WebAssembly');
  if (isModule(source)) return source;
  const bytes = source === undefined ? undefined : givenBytes(source);
  try {
    if (bytes) return await WebAssembly.compile(bytes);
    inlined.compiled ??= WebAssembly.compile(bytesOf(inlined.text));
    return await inlined.compiled;
  } catch (error) {
    inlined.compiled = undefined;
    if (!WebAssembly.validate(SIMD_PROBE)) {
      throw new TalusError('unsupported', `this machine has no WebAssembly SIMD, which the core needs (${String(error)})`);
    }
    if (bytes) throw new TalusError('unsupported', `options.wasm does not compile: ${String(error)}`);
    throw new TalusError('unsupported', `the core does not compile here: ${String(error)}`);
  }
}

/** Memory that may grow as far as this machine allows: some refuse to reserve 4 GiB of addresses. */
function makeMemory(): WebAssembly.Memory {
  for (const maximum of [65536, 32768, 16384, 8192]) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum });
    } catch {
      // The next smaller one.
    }
  }
  throw new TalusError('out-of-memory', 'no memory of at most 512 MiB could be reserved');
}

/** An instance of a module that may be something else than this version of the core. */
async function instantiate(
  { file, call }: Inlined,
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<CoreExports> {
  let exports: Record<string, unknown> = {};
  let reason = 'it lacks calls of the core';
  try {
    exports = (await WebAssembly.instantiate(module, { env: { memory } })).exports;
  } catch (error) {
    reason = String(error);
  }
  if (typeof exports.initWorld !== 'function' || typeof exports[call] !== 'function') {
    throw new TalusError('unsupported', `options.wasm is not the ${file} of this version: ${reason}`);
  }
  return exports as unknown as CoreExports;
}

/** A fresh core: its exports and its memory, initialised. */
export async function loadCore(inlined: Inlined, source?: WasmSource): Promise<{ exports: CoreExports; memory: LinearMemory }> {
  const module = await compile(inlined, source);
  const memory = makeMemory();
  const exports = await instantiate(inlined, module, memory);
  if (exports.initWorld() === 0) throw new TalusError('out-of-memory', 'there is no memory for an empty world');
  return { exports, memory: new LinearMemory(memory) };
}
