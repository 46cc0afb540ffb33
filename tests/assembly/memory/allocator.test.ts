// The arena: blocks as long as asked for, holes that join and are used again, arrays that grow where they are.
import { beforeEach, expect, test } from 'vitest';
import { Random } from '../../../scenes/random';
import { HEADER_PTR, Header } from '../../../src/layout.generated';
import { type CoreExports, loadCore } from '../../helpers/core';

let core: CoreExports;
let memory: WebAssembly.Memory;
beforeEach(() => {
  ({ core, memory } = loadCore());
});

const word = (address: number) => new DataView(memory.buffer).getUint32(address, true);
const put = (address: number, value: number) => new DataView(memory.buffer).setUint32(address, value, true);
const header = (field: keyof typeof Header) => word(HEADER_PTR + Header[field]);
const bytes = (address: number, length: number) => new Uint8Array(memory.buffer, address, length);
const take = (length: number): number => core.allocate(length) >>> 0;

/** Holes as pairs of address and end, the last one, which is open, left out. */
function holes(): [number, number][] {
  const out: [number, number][] = [];
  for (let at = header('firstHole'); word(at + 4) !== 0; at = word(at + 4)) out.push([at, at + word(at)]);
  return out;
}

test('blocks take what they hold, rounded up to a cache line', () => {
  const used = header('memoryUsed');
  const a = take(65);
  const b = take(100_000);
  expect(header('memoryUsed') - used).toBe(128 + 100_032);
  expect(a % 64).toBe(0);
  expect(b % 64).toBe(0);
});

test('holes join, and a block goes to the smallest that holds it', () => {
  const [a, b, c, , large] = [1000, 1000, 1000, 64, 4096, 64].map(take) as number[];
  const before = holes().length;
  core.release(a, 1000);
  core.release(c, 1000);
  core.release(b, 1000);
  expect(holes().length).toBe(before + 1);
  core.release(large, 4096);
  expect(take(3 * 1024)).toBe(a);
  expect(take(4096)).toBe(large);
  expect(holes().length).toBe(before);
});

test('an array grows in its place at the end of the arena, and down into a hole before it', () => {
  const record = take(64);
  const before = take(16_384);
  core.ensureArray(record, 4, 1024);
  const base = word(record);
  bytes(base, 4096).fill(7);
  core.ensureArray(record, 4, 1500);
  expect(word(record)).toBe(base);
  take(64); // what lies behind it now
  core.release(before, 16_384);
  const rows = word(record + 4);
  core.ensureArray(record, 4, rows + 1);
  expect(word(record)).toBe(before);
  const data = bytes(before, 4 * word(record + 4));
  expect(data.subarray(0, 4096).every((x) => x === 7)).toBe(true);
  expect(data.subarray(4096).every((x) => x === 0)).toBe(true);
});

test('any order of calls: blocks are zero, keep what is written, and never overlap; all of it comes back', () => {
  const random = new Random(5);
  const used = header('memoryUsed');
  const first = holes();
  const blocks: { at: number; length: number; mark: number }[] = [];
  const arrays = Array.from({ length: 6 }, () => take(64));
  const wanted = arrays.map(() => 0);
  const check = (at: number, length: number, mark: number) => bytes(at, length).every((x) => x === mark);
  for (let i = 0; i < 3000; i++) {
    const kind = Math.floor(random.unit() * 5);
    if (kind < 2) {
      const length = 1 + Math.floor(random.unit() ** 4 * 40_000);
      const at = take(length);
      expect(check(at, length, 0)).toBe(true);
      bytes(at, length).fill((i % 255) + 1);
      blocks.push({ at, length, mark: (i % 255) + 1 });
    } else if (kind < 4 && blocks.length > 0) {
      const [block] = blocks.splice(Math.floor(random.unit() * blocks.length), 1);
      expect(check(block!.at, block!.length, block!.mark)).toBe(true);
      core.release(block!.at, block!.length);
    } else {
      const k = Math.floor(random.unit() * arrays.length);
      const old = wanted[k]!;
      wanted[k] = old + Math.floor(random.unit() * 200);
      core.ensureArray(arrays[k], 16, wanted[k]);
      const at = word(arrays[k]!);
      expect(check(at, 16 * old, 200 + k)).toBe(true);
      expect(check(at + 16 * old, 16 * (wanted[k]! - old), 0)).toBe(true);
      bytes(at, 16 * wanted[k]!).fill(200 + k);
    }
  }
  for (const { at, length, mark } of blocks) {
    expect(check(at, length, mark)).toBe(true);
    core.release(at, length);
  }
  for (const record of arrays) {
    core.release(word(record), 16 * word(record + 4));
    core.release(record, 64);
  }
  expect(header('memoryUsed')).toBe(used);
  expect(holes()).toEqual(first);
});

test('without memory a block is refused and nothing changes', () => {
  const used = header('memoryUsed');
  const record = take(64);
  put(record + 8, 1);
  expect(core.allocate(0x90000000)).toBe(0);
  expect(header('error')).toBe(1);
  expect(core.ensureArray(record, 0x10000, 0x10000)).toBe(0);
  expect(word(record)).toBe(0);
  expect(word(record + 8)).toBe(1);
  expect(header('memoryUsed')).toBe(used + 64);
});
