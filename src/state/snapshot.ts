// The state of a world as bytes, and back: the host's state, then the live ranges of linear memory as they are
// (assembly/queries/live.ts). All addresses stay valid, so nothing has to be walked or rebuilt.
//
//   head    64 bytes, u32 each: HEAD below
//   ranges  u32[2] per range: first byte in memory, first byte after it; padded to 64 bytes, as all parts are
//   host    f64[]: the world's own numbers; then its settings as JSON
//   memory  the ranges, one after the other
//
// The checksum covers everything but itself. It detects damage, not malice: anyone who can write the bytes can compute it. Local
// snapshots are for the page that made them and have no geometry.
import { TalusError } from '../checks/errors';
import { fail } from '../checks/validate';
import { HEADER_PTR, LiveState, STAGING_BYTES } from '../layout.generated';
import type { CoreExports } from '../wasm/core';
import { copyRanges, type Image, listRanges, sizeOf } from '../wasm/image';
import type { LinearMemory } from '../wasm/memory';

/** The core that a snapshot belongs to: only the same core continues with the same bits. */
export interface CoreMark {
  /** Entry of the package. */
  readonly entry: string;
  /** A hash of the binary. */
  readonly hash: number;
}

/** The part of a snapshot that the host adds to memory. */
export interface HostPart {
  numbers: Float64Array;
  settings: string;
  /** Whether it is valid only in this page: it has no geometry. */
  isLocal: boolean;
}

/** A snapshot that passed all checks. */
export interface Checked extends HostPart, Image {}

const LINE = 64;
/** 'TALS' */
const MAGIC = 0x534c4154;
/** Version of this format; the hash of the core covers the layout of memory. */
const FORMAT = 1;
const ENTRIES = ['talus', 'talus/study'];
// Words of the head.
const SUM = 4;
const RANGES = 6;
const NUMBERS = 7;
const LETTERS = 8;
const PAGE = 9;

/** Identifies this page in the head of local snapshots; 0 in others. */
const page = 1 + Math.floor(Math.random() * 0xfffffffe);

const padded = (bytes: number) => Math.ceil(bytes / LINE) * LINE;

/** Buffers that snapshots allocated: they may be written beyond the returned bytes. */
const own = new WeakSet<ArrayBufferLike>();

/** Returns room for a snapshot: `out` if it is large enough, else new bytes, with some to spare if `out` was too short. */
function roomFor(size: number, out: Uint8Array | undefined): Uint8Array {
  if (out && own.has(out.buffer) && out.buffer.byteLength >= size) return new Uint8Array(out.buffer, 0, size);
  if (out && out.byteLength >= size) return out.subarray(0, size);
  const bytes = new Uint8Array(out ? size + padded(size / 8) : size);
  own.add(bytes.buffer);
  return bytes.subarray(0, size);
}

/** Sums bytes outside of linear memory, a block at a time. */
class Sum {
  private readonly core: CoreExports;
  private readonly u8: Uint8Array;
  private readonly staging: number;
  private readonly sums: Uint32Array;

  /** `live` is the result of `listLive`. */
  constructor(core: CoreExports, memory: LinearMemory, live: number) {
    this.core = core;
    this.u8 = new Uint8Array(memory.memory.buffer);
    this.staging = memory.u32[(live + LiveState.staging) >>> 2]!;
    const sums = (this.staging + STAGING_BYTES) >>> 2;
    this.sums = memory.u32.subarray(sums, sums + 32);
    core.beginSum();
  }

  add(bytes: Uint8Array, from: number, end: number): void {
    for (let at = from; at < end; at += STAGING_BYTES) {
      const size = Math.min(STAGING_BYTES, end - at);
      this.u8.set(bytes.subarray(at, at + size), this.staging);
      this.core.addSum(this.staging, size);
    }
  }

  /** Returns two words that depend on every bit of the sums. */
  take(): [number, number] {
    let low = 0;
    let high = 0;
    for (const word of this.sums) {
      low = Math.imul(low ^ word, 0x9e3779b1);
      low ^= low >>> 15;
      high = Math.imul(high + low + word, 0x85ebca6b);
      high ^= high >>> 13;
    }
    return [low >>> 0, high >>> 0];
  }
}

/** Writes a snapshot to `out` if it is large enough, else to new bytes. Throws 'out-of-memory'. */
export function writeSnapshot(
  core: CoreExports,
  memory: LinearMemory,
  mark: CoreMark,
  { numbers, settings, isLocal }: HostPart,
  out: Uint8Array | undefined,
): Uint8Array {
  const [live, ranges] = listRanges(core, memory.memory, !isLocal);
  const letters = new TextEncoder().encode(settings);
  const hostAt = LINE + padded(ranges.byteLength);
  const at = hostAt + padded(numbers.byteLength + letters.byteLength);
  const bytes = roomFor(sizeOf(ranges, at), out);
  const head = new Uint32Array(LINE / 4);
  const entry = ENTRIES.indexOf(mark.entry);
  head.set([MAGIC, FORMAT, mark.hash, entry, 0, 0, ranges.length, numbers.length, letters.length, isLocal ? page : 0]);
  bytes.fill(0, 0, at);
  bytes.set(new Uint8Array(head.buffer));
  bytes.set(new Uint8Array(ranges.buffer), LINE);
  bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), hostAt);
  bytes.set(letters, hostAt + numbers.byteLength);
  const sum = new Sum(core, memory, live);
  sum.add(bytes, 0, at);
  core.sumLive();
  head.set(sum.take(), SUM);
  bytes.set(new Uint8Array(head.buffer));
  copyRanges(memory.memory, ranges, bytes, at);
  return bytes;
}

/** Returns whether the checksum in the head matches the bytes. */
function isWhole(core: CoreExports, memory: LinearMemory, bytes: Uint8Array, head: Uint32Array): boolean {
  const live = core.listLive(1) >>> 0;
  if (live === 0) throw new TalusError('out-of-memory', 'there is no memory to check a snapshot');
  const sum = new Sum(core, memory, live);
  sum.add(bytes.slice(0, LINE).fill(0, 4 * SUM, 4 * SUM + 8), 0, LINE);
  sum.add(bytes, LINE, bytes.length);
  const [low, high] = sum.take();
  return low === head[SUM] && high === head[SUM + 1];
}

/**
 * Checks that bytes are an undamaged snapshot of this core; changes nothing. Throws 'invalid-argument' for other or damaged
 * bytes, 'unsupported' for another version or entry of the package.
 */
export function checkSnapshot(core: CoreExports, memory: LinearMemory, mark: CoreMark, given: unknown): Checked {
  if (!(ArrayBuffer.isView(given) && Object.prototype.toString.call(given) === '[object Uint8Array]')) {
    fail('bytes', 'a Uint8Array from world.snapshot()', given);
  }
  const { buffer, byteOffset, byteLength } = given as Uint8Array;
  const damaged = (why: string): never => {
    throw new TalusError('invalid-argument', `bytes are not an intact snapshot: ${why}`);
  };
  if (byteLength < LINE) damaged(`they are only ${byteLength} (0 where their buffer was transferred)`);
  // A Buffer of Node would share its bytes where an array copies them.
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const head = new Uint32Array(bytes.slice(0, LINE).buffer);
  if (head[0] !== MAGIC) damaged('they do not start like one');
  const [, format, hash, entry] = head;
  if (format !== FORMAT || entry !== ENTRIES.indexOf(mark.entry) || hash !== mark.hash) {
    const from = ENTRIES[entry!];
    const other = from !== undefined && from !== mark.entry ? `'${from}'` : `another version of '${mark.entry}'`;
    const names = [hash!, mark.hash].map((number) => number.toString(16).padStart(8, '0'));
    throw new TalusError(
      'unsupported',
      `the snapshot is of ${other} (format ${format}, core ${names[0]}; here ${FORMAT}, ${names[1]}): only the same build can restore it`,
    );
  }
  const [rangeWords, numberCount, letterCount] = [head[RANGES]!, head[NUMBERS]!, head[LETTERS]!];
  const hostAt = LINE + padded(4 * rangeWords);
  const at = hostAt + padded(8 * numberCount + letterCount);
  if (at > bytes.length || rangeWords % 2 !== 0 || rangeWords === 0) damaged('their head is wrong');
  const ranges = new Uint32Array(bytes.slice(LINE, LINE + 4 * rangeWords).buffer);
  let end = HEADER_PTR;
  for (const [i, address] of ranges.entries()) {
    if (address < end || address % LINE !== 0 || (i === 0 && address !== HEADER_PTR)) damaged('their ranges are wrong');
    end = address;
  }
  const size = sizeOf(ranges, at);
  if (size !== bytes.length) damaged(`they are ${bytes.length} where ${size} belong`);
  if (head[PAGE] !== 0 && head[PAGE] !== page) {
    throw new TalusError(
      'unsupported',
      'the snapshot is a local one of another page: take one without { local: true } to send or keep',
    );
  }
  if (!isWhole(core, memory, bytes, head)) damaged('their sum is another, so something in them has changed');
  const letters = hostAt + 8 * numberCount;
  return {
    bytes,
    ranges,
    at,
    isLocal: head[PAGE] !== 0,
    numbers: new Float64Array(bytes.slice(hostAt, letters).buffer),
    settings: new TextDecoder().decode(bytes.subarray(letters, letters + letterCount)),
  };
}
