// Compiles the core once and makes one instance with one memory per world, so that dropping a world frees all of it.
import { TalusError } from '../errors';
import { LinearMemory } from '../memory';
import { wasmBase64 } from './binary.generated';
import type { CoreExports } from './core';

let compiled: Promise<WebAssembly.Module> | undefined;

function inlinedBytes(): Uint8Array<ArrayBuffer> {
  const text = atob(wasmBase64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A module of the core: the inlined one, compiled once, or the caller's own copy of `talus/talus.wasm`. */
async function compile(source: BufferSource | WebAssembly.Module | undefined): Promise<WebAssembly.Module> {
  if (typeof WebAssembly !== 'object') throw new TalusError('unsupported', 'this machine has no WebAssembly');
  try {
    if (source instanceof WebAssembly.Module) return source;
    if (source !== undefined) return await WebAssembly.compile(source);
    compiled ??= WebAssembly.compile(inlinedBytes());
    return await compiled;
  } catch (error) {
    compiled = undefined;
    throw new TalusError('unsupported', `the core did not compile: WebAssembly SIMD is needed (${String(error)})`);
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

/** A fresh core: its exports and its memory, initialised. */
export async function loadCore(
  source?: BufferSource | WebAssembly.Module,
): Promise<{ exports: CoreExports; memory: LinearMemory }> {
  const module = await compile(source);
  const memory = makeMemory();
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  const exports = instance.exports as unknown as CoreExports;
  if (exports.initWorld() === 0) throw new TalusError('out-of-memory', 'there is no memory for an empty world');
  return { exports, memory: new LinearMemory(memory) };
}
