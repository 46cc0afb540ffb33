// The core of `talus/slim`: a file that is fetched and compiled as it comes in, or what the caller has. No text of it is in the
// program, and nothing is evaluated: a content security policy needs `script-src 'wasm-unsafe-eval'` and `connect-src` of the file.
import { TalusError } from '../errors';
import { messageOf } from '../show';
import { fail } from '../validate';
import type { SlimWasmSource } from './options';

/** What reads files in Node, whose `fetch` does not. */
interface NodeFiles {
  readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
}
const node = (globalThis as { process?: { getBuiltinModule?(name: string): unknown } }).process;

const HELP = 'serve talus.wasm there, or pass options.wasm: its address, a Response, its bytes or a WebAssembly.Module';

/** By the address, or by the object that was given: what is fetched is fetched once, and a Response can be read once. */
const modules = new Map<string, Promise<WebAssembly.Module>>();
const given = new WeakMap<object, Promise<WebAssembly.Module>>();

/** Works for responses of other realms and libraries too, unlike instanceof. */
const isResponse = (value: unknown): value is Response => typeof (value as Response | null)?.arrayBuffer === 'function';

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  const name = `talus.wasm (${response.url || 'options.wasm'})`;
  if (!response.ok) throw new TalusError('unsupported', `${name} could not be loaded: status ${response.status}; ${HELP}`);
  const type = response.headers?.get('content-type') ?? '';
  if (/^application\/wasm\b/.test(type) && typeof WebAssembly.compileStreaming === 'function') {
    return WebAssembly.compileStreaming(response);
  }
  // A server that knows no WebAssembly: all bytes first.
  const bytes = await response.arrayBuffer();
  if (new Uint32Array(bytes.slice(0, 4))[0] !== 0x6d736100) {
    throw new TalusError('unsupported', `${name} is no WebAssembly but ${type || 'something else'}; ${HELP}`);
  }
  return WebAssembly.compile(bytes);
}

async function compileAddress(address: string): Promise<WebAssembly.Module> {
  const files = address.startsWith('file:') ? (node?.getBuiltinModule?.('node:fs/promises') as NodeFiles | undefined) : undefined;
  let response: Response;
  try {
    if (files) return await WebAssembly.compile(await files.readFile(new URL(address)));
    response = await fetch(address);
  } catch (error) {
    throw new TalusError('unsupported', `talus.wasm could not be loaded from ${address} (${messageOf(error)}); ${HELP}`);
  }
  return compileResponse(response);
}

/** The module at an address, fetched once; again after a failure. */
export function fetchCore(address: URL | string): Promise<WebAssembly.Module> {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  let href: string;
  try {
    href = new URL(address, base).href;
  } catch {
    fail('options.wasm', 'an address', address);
  }
  let module = modules.get(href);
  if (!module) {
    module = compileAddress(href);
    modules.set(href, module);
    module.catch(() => modules.delete(href));
  }
  return module;
}

/** What `createWorld` of `talus/slim` takes, as what that of `talus` does. */
export async function sourceOf(
  source: SlimWasmSource,
): Promise<Exclude<SlimWasmSource, string | URL | Response | Promise<Response>>> {
  if (typeof source === 'string' || Object.prototype.toString.call(source) === '[object URL]') {
    return fetchCore(source as string | URL);
  }
  if (!isResponse(source) && typeof (source as Promise<Response> | null)?.then !== 'function') return source as ArrayBuffer;
  let module = given.get(source as object);
  if (!module) {
    module = Promise.resolve(source as Promise<Response>).then((response) =>
      isResponse(response) ? compileResponse(response) : fail('options.wasm', 'a promise of a Response', response),
    );
    given.set(source as object, module);
  }
  return module;
}
