// The core of `talus/slim`: a file that is fetched and compiled while it arrives, or the caller's own copy. The program contains
// no text of it, and nothing is evaluated: a content security policy needs `script-src 'wasm-unsafe-eval'` and `connect-src` for
// the file.
import { TalusError } from '../checks/errors';
import { messageOf } from '../checks/show';
import { fail } from '../checks/validate';
import { whyAlone } from '../platform/shared_core';
import type { SlimWasmSource } from './options';

/** Node's functions for reading files, since its `fetch` cannot. */
interface NodeFiles {
  readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
}
const node = (globalThis as { process?: { getBuiltinModule?(name: string): unknown } }).process;

const HELP = 'serve talus.wasm there, or pass options.wasm: its address, a Response, its bytes or a WebAssembly.Module';

/** Modules by address, or by the given object: each file is fetched once, and a Response can be read only once. */
const modules = new Map<string, Promise<WebAssembly.Module>>();
const given = new WeakMap<object, Promise<WebAssembly.Module | Uint8Array<ArrayBuffer>>>();

/** Also recognizes responses of other realms and libraries, unlike instanceof. */
const isResponse = (value: unknown): value is Response => typeof (value as Response | null)?.arrayBuffer === 'function';

function isWasm(bytes: ArrayBuffer): boolean {
  return new Uint32Array(bytes.slice(0, 4))[0] === 0x6d736100;
}

async function bytesOfResponse(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const name = `talus.wasm (${response.url || 'options.wasm'})`;
  if (!response.ok) throw new TalusError('unsupported', `${name} could not be loaded: status ${response.status}; ${HELP}`);
  const bytes = await response.arrayBuffer();
  if (!isWasm(bytes)) {
    const type = response.headers?.get('content-type') || 'something else';
    throw new TalusError('unsupported', `${name} is not WebAssembly but ${type}; ${HELP}`);
  }
  return new Uint8Array(bytes);
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  const type = response.headers?.get('content-type') ?? '';
  if (response.ok && /^application\/wasm\b/.test(type) && typeof WebAssembly.compileStreaming === 'function') {
    return WebAssembly.compileStreaming(response);
  }
  // A server that knows no WebAssembly: all bytes first.
  return WebAssembly.compile(await bytesOfResponse(response));
}

/** Loads an address: a file in Node as its bytes, else a response. */
async function load(address: string): Promise<Uint8Array<ArrayBuffer> | Response> {
  const files = address.startsWith('file:') ? (node?.getBuiltinModule?.('node:fs/promises') as NodeFiles | undefined) : undefined;
  try {
    return await (files ? files.readFile(new URL(address)) : fetch(address));
  } catch (error) {
    throw notLoaded(address, error);
  }
}

function notLoaded(address: string, error: unknown): TalusError {
  return new TalusError('unsupported', `talus.wasm could not be loaded from ${address} (${messageOf(error)}); ${HELP}`);
}

async function compileAddress(address: string): Promise<WebAssembly.Module> {
  const found = await load(address);
  if (isResponse(found)) return compileResponse(found);
  return WebAssembly.compile(found).catch((error) => {
    throw notLoaded(address, error);
  });
}

function hrefOf(address: URL | string): string {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  try {
    return new URL(address, base).href;
  } catch {
    fail('options.wasm', 'an address', address);
  }
}

/** Returns the bytes at an address. */
export async function fetchBytes(address: URL | string): Promise<Uint8Array<ArrayBuffer>> {
  const found = await load(hrefOf(address));
  return isResponse(found) ? bytesOfResponse(found) : found;
}

/** Returns the module at an address, fetched once; again after a failure. */
export function fetchCore(address: URL | string): Promise<WebAssembly.Module> {
  const href = hrefOf(address);
  let module = modules.get(href);
  if (!module) {
    module = compileAddress(href);
    modules.set(href, module);
    module.catch(() => modules.delete(href));
  }
  return module;
}

/**
 * Returns the core in a form that `createWorld` of `talus` takes. For several threads these are bytes, where threads are
 * possible: a module cannot take shared memory.
 */
export async function sourceOf(
  source: SlimWasmSource,
  threads = 1,
): Promise<Exclude<SlimWasmSource, string | URL | Response | Promise<Response>>> {
  const isForThreads = threads > 1 && whyAlone() === '';
  if (typeof source === 'string' || Object.prototype.toString.call(source) === '[object URL]') {
    return (isForThreads ? fetchBytes : fetchCore)(source as string | URL);
  }
  if (!isResponse(source) && typeof (source as Promise<Response> | null)?.then !== 'function') return source as ArrayBuffer;
  let found = given.get(source as object);
  if (!found) {
    const read = isForThreads ? bytesOfResponse : compileResponse;
    found = Promise.resolve(source as Promise<Response>).then((response) =>
      isResponse(response) ? read(response) : fail('options.wasm', 'a promise of a Response', response),
    );
    given.set(source as object, found);
  }
  return found;
}
