// The contents of a world's memory as bytes, and back: the live ranges that the core lists (assembly/queries/live.ts). All
// addresses stay valid, so nothing has to be walked or rebuilt.
import { TalusError } from '../checks/errors';
import { HEADER_PTR, Header, LiveState } from '../layout.generated';
import type { CoreExports } from './core';

/** Memory of a world: its ranges, and bytes with their contents. */
export interface Image {
  bytes: Uint8Array;
  ranges: Uint32Array;
  /** Start of the ranges in the bytes. */
  at: number;
}

/** Returns the address of LiveState, and the ranges in it. Throws 'out-of-memory'. */
export function listRanges(core: CoreExports, memory: WebAssembly.Memory, geometry: boolean): [number, Uint32Array<ArrayBuffer>] {
  const live = core.listLive(geometry ? 1 : 0) >>> 0;
  if (live === 0) throw new TalusError('out-of-memory', 'there is no memory for the contents of the snapshot');
  const first = (live + LiveState.STRIDE) >>> 2;
  const u32 = new Uint32Array(memory.buffer);
  return [live, u32.slice(first, first + 2 * u32[(live + LiveState.count) >>> 2]!)];
}

/** Returns the number of bytes up to `at` plus those of the ranges. */
export function sizeOf(ranges: Uint32Array, at: number): number {
  let size = at;
  for (let i = 0; i < ranges.length; i += 2) size += ranges[i + 1]! - ranges[i]!;
  return size;
}

/** Copies the contents of the ranges, from `at` on. */
export function copyRanges(memory: WebAssembly.Memory, ranges: Uint32Array, bytes: Uint8Array, at: number): void {
  const u8 = new Uint8Array(memory.buffer);
  for (let i = 0, to = at; i < ranges.length; i += 2) {
    bytes.set(u8.subarray(ranges[i], ranges[i + 1]), to);
    to += ranges[i + 1]! - ranges[i]!;
  }
}

/** Returns an image of the present memory of a world. Throws 'out-of-memory'. */
export function readImage(core: CoreExports, memory: WebAssembly.Memory): Image {
  const [, ranges] = listRanges(core, memory, true);
  const bytes = new Uint8Array(sizeOf(ranges, 0));
  copyRanges(memory, ranges, bytes, 0);
  return { bytes, ranges, at: 0 };
}

/** Restores memory from an image. Throws 'out-of-memory', and then has changed nothing. */
export function loadImage(core: CoreExports, memory: WebAssembly.Memory, { bytes, ranges, at }: Image): void {
  const end = ranges[ranges.length - 1]!;
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) {
    try {
      memory.grow(Math.ceil(missing / 65536));
    } catch {
      throw new TalusError('out-of-memory', `there is no memory for the ${end} bytes of the snapshot`);
    }
  }
  const top = (HEADER_PTR + Header.arenaTop) >>> 2;
  const u32 = new Uint32Array(memory.buffer);
  const u8 = new Uint8Array(memory.buffer);
  const touched = u32[top]!;
  for (let i = 0, from = at; i < ranges.length; i += 2) {
    const size = ranges[i + 1]! - ranges[i]!;
    u8.set(bytes.subarray(from, from + size), ranges[i]);
    from += size;
  }
  // This world's memory beyond the image's blocks is not zero.
  u32[top] = Math.max(touched, u32[top]!);
  core.clearDead();
  core.forgetGpu();
}
