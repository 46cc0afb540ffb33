// The core in the form that takes shared memory, such memory, and whether a machine supports it. The binary of the package has
// the flag of its memory import cleared (scripts/build_wasm.mjs); the two forms differ in nothing else.
import { TalusError } from '../checks/errors';
import type { Scope } from './scope';

/** The import of memory (module env, name memory, kind memory); its flags follow. */
const MEMORY_IMPORT = [3, 101, 110, 118, 6, 109, 101, 109, 111, 114, 121, 2];
const SHARED = 2;
/** Sizes to try, in pages of 64 KiB: 2 GiB to 256 MiB. All of it is reserved as addresses. */
const MOST_PAGES = [32768, 16384, 8192, 4096];

const scope = globalThis as unknown as Scope & { Worker?: unknown; navigator?: { hardwareConcurrency?: number } };

/** Returns Node's worker module, null elsewhere. */
export function nodeThreads() {
  const { process } = scope;
  if (!process?.versions?.node || process.type === 'renderer') return null;
  return process.getBuiltinModule?.('node:worker_threads') ?? null;
}

/** Returns the number of cores of this machine, as far as it is known. */
export function coresHere(): number {
  return scope.navigator?.hardwareConcurrency ?? scope.process?.getBuiltinModule?.('node:os').availableParallelism() ?? 1;
}

/** Returns why a world can have only one thread on this machine; '' if it can have more. */
export function whyAlone(): string {
  if (typeof SharedArrayBuffer !== 'function' || scope.crossOriginIsolated === false) {
    return 'there is no shared memory: the page is not cross-origin isolated (headers COOP and COEP, docs/threads.md)';
  }
  if (typeof scope.Worker !== 'function' && !nodeThreads()) return 'there are no workers here';
  return '';
}

/** Compiles the shared form of a binary. Throws TalusError 'unsupported' if there is none. */
export async function compileShared(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  const own = bytes.slice();
  const at = own.findIndex((_, i) => MEMORY_IMPORT.every((byte, k) => own[i + k] === byte)) + MEMORY_IMPORT.length;
  if (at < MEMORY_IMPORT.length) throw new TalusError('unsupported', 'the binary imports no memory');
  own[at]! |= SHARED;
  return WebAssembly.compile(own);
}

/** Returns shared memory that may grow as far as this machine allows; null if it allows none. */
export function makeSharedMemory(): WebAssembly.Memory | null {
  for (const maximum of MOST_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum, shared: true });
    } catch {
      // The next smaller one.
    }
  }
  return null;
}
