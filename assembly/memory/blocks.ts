// Rows in blocks that never move, for the longest lists of a world: such a list grows without a copy, keeps no room for more
// than a block, and its blocks fill the holes that arrays leave. Base and capacity of the array of their addresses are two
// words of the header; the rows of a block are a power of two.
import { allocate, ensureArray } from './allocator';

/** Address of a row; `blocks` is the base of the array of addresses. */
export function rowInBlocks(blocks: usize, index: u32, perBlock: u32, stride: usize): usize {
  return <usize>load<u32>(blocks + ((<usize>(index / perBlock)) << 2)) + <usize>(index % perBlock) * stride;
}

/**
 * Makes room for `needed` rows of `stride` bytes. `listPtr` is the address of base and capacity (u32 each) of the array of
 * addresses and of the number of rows in all blocks, side by side. Returns false (header error set) without memory.
 */
export function ensureBlocks(listPtr: usize, needed: u32, perBlock: u32, stride: usize): bool {
  while (load<u32>(listPtr, 8) < needed) {
    const rows: u32 = load<u32>(listPtr, 8);
    const count: u32 = rows / perBlock;
    if (!ensureArray(listPtr, 4, count + 1)) return false;
    const block: usize = allocate(<usize>perBlock * stride);
    if (block == 0) return false;
    store<u32>(<usize>load<u32>(listPtr) + ((<usize>count) << 2), <u32>block);
    store<u32>(listPtr, rows + perBlock, 8);
  }
  return true;
}
