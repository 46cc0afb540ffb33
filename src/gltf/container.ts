// Bytes of a file: the GLB container, and buffers that are written into the JSON as data URIs.
import { TalusError } from '../checks/errors';
import { fail } from '../checks/validate';
import type { GltfJson } from './json';

const MAGIC = 0x46546c67;
const CHUNK_JSON = 0x4e4f534a;
const CHUNK_BIN = 0x004e4942;

/** The parts of a GLB file. */
export interface GlbParts {
  /** The parsed JSON. */
  json: GltfJson;
  /** Buffer 0 of the file, if it has one: pass it on as `buffers`. */
  buffers: Uint8Array[];
}

/** Returns a view of bytes in any form. */
export function bytesOf(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value as ArrayBuffer);
}

/** Returns whether a value is raw bytes, of any realm. */
export function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

function parse(text: string): GltfJson {
  try {
    return JSON.parse(text) as GltfJson;
  } catch (error) {
    throw new TalusError('invalid-argument', `the glTF file is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Splits a GLB file into its JSON and its buffer. A file that is plain JSON text is parsed and has no buffers.
 * @throws TalusError `invalid-argument` if the bytes are neither, or are cut off
 */
export function readGlb(file: ArrayBuffer | ArrayBufferView): GlbParts {
  if (!isBytes(file)) fail('file', 'an ArrayBuffer or a typed array', file);
  const bytes = bytesOf(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint32(0, true) !== MAGIC) {
    return { json: parse(new TextDecoder().decode(bytes)), buffers: [] };
  }
  const broken = (what: string): never => {
    throw new TalusError('invalid-argument', `the GLB file ${what}`);
  };
  if (bytes.length < 20) broken('is cut off');
  const version = view.getUint32(4, true);
  if (version !== 2) broken(`has version ${version}; only version 2 can be read`);
  const end = view.getUint32(8, true);
  if (end > bytes.length) broken(`is cut off: it should have ${end} bytes and has ${bytes.length}`);
  let json: GltfJson | undefined;
  const buffers: Uint8Array[] = [];
  for (let at = 12; at + 8 <= end; ) {
    const length = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + length > end) broken('has a chunk that reaches beyond its end');
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (type === CHUNK_JSON && !json) json = parse(new TextDecoder().decode(chunk));
    if (type === CHUNK_BIN && buffers.length === 0) buffers.push(chunk);
    at += 8 + length;
  }
  return { json: json ?? broken('has no JSON'), buffers };
}

/** Returns the bytes of a `data:` URI. */
export function dataUri(uri: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (!/;base64$/i.test(uri.slice(0, comma))) return new TextEncoder().encode(decodeURIComponent(uri.slice(comma + 1)));
  return Uint8Array.from(atob(uri.slice(comma + 1)), (character) => character.charCodeAt(0));
}
