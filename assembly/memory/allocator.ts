// Memory of a world: blocks in powers of two with a free list a size, 64-byte aligned, the cursor in linear memory.
//
// Stages call `ensureCapacity` before they run, never inside a kernel, so pointers held by a kernel stay good.
// A block that outgrew its size goes back to its free list: memory is stable once a scene has reached its size.
// Nothing here is kept in a WASM global, so several instances may share one memory.
import { ERROR_OUT_OF_MEMORY, Header, HEADER_PTR, HEADER_STRIDE } from '../layout.generated';
import { header } from './header';

const MIN_SHIFT: u32 = 6; // smallest block: one cache line
const SHIFT_COUNT: u32 = 32;
const MOST_BYTES: u64 = 1 << 31; // largest block

/** Clears the header and starts an empty arena behind it. */
export function initMemory(): void {
  memory.fill(<usize>HEADER_PTR, 0, HEADER_STRIDE);
  const h: Header = header();
  const lists: usize = (<usize>HEADER_PTR + HEADER_STRIDE + 63) & ~63;
  memory.fill(lists, 0, <usize>SHIFT_COUNT * 4);
  h.freeLists = <u32>lists;
  h.arenaCursor = (<u32>lists + SHIFT_COUNT * 4 + 63) & ~63;
}

function shiftOf(bytes: usize): u32 {
  const needed: u32 = bytes <= 64 ? MIN_SHIFT : 32 - clz<u32>(<u32>bytes - 1);
  return needed;
}

/** Bytes that a block of `bytes` takes; more than there can be where it is too large for one. */
export function blockBytes(bytes: u64): u64 {
  if (bytes > MOST_BYTES) return 1 << 40;
  return (<u64>1) << shiftOf(<usize>bytes);
}

/** Sets ERROR_OUT_OF_MEMORY: `bytes` (as many as fit into 32 bits) were wanted. */
function refuse(bytes: u64): void {
  const h: Header = header();
  h.error |= ERROR_OUT_OF_MEMORY;
  h.errorSize = bytes > 0xffffffff ? 0xffffffff : <u32>bytes;
}

/** Makes linear memory reach up to `end`, by an eighth more if it can, so that a growing scene does not grow page by page. */
function growTo(end: u64): bool {
  const have: u64 = (<u64>memory.size()) << 16;
  if (end <= have) return true;
  if (end > 0xffff0000) return false;
  const pages: u64 = (end - have + 0xffff) >> 16;
  const eighth: u64 = <u64>memory.size() >> 3;
  return (eighth > pages && memory.grow(<i32>eighth) >= 0) || memory.grow(<i32>pages) >= 0;
}

/**
 * Makes sure that blocks of `bytes` in all (each as `blockBytes` says) can be taken. Memory grows at once or not at all:
 * returns false (header error set) without it.
 */
export function ensureRoom(bytes: u64): bool {
  if (growTo(<u64>header().arenaCursor + bytes)) return true;
  refuse(bytes);
  return false;
}

/**
 * A zeroed block of at least `bytes` bytes, 64-byte aligned. Returns 0 and sets ERROR_OUT_OF_MEMORY and errorSize in the
 * header if linear memory cannot grow.
 */
export function allocate(bytes: usize): usize {
  const h: Header = header();
  if (bytes > MOST_BYTES) {
    refuse(bytes);
    return 0;
  }
  const shift: u32 = shiftOf(bytes);
  const size: usize = (<usize>1) << shift;
  const list: usize = <usize>h.freeLists + ((<usize>shift) << 2);
  let block: usize = load<u32>(list);
  if (block != 0) {
    store<u32>(list, load<u32>(block));
  } else {
    block = h.arenaCursor;
    const end: u64 = <u64>block + <u64>size;
    if (!growTo(end)) {
      refuse(bytes);
      return 0;
    }
    h.arenaCursor = <u32>end;
  }
  h.memoryUsed += <u32>size;
  memory.fill(block, 0, size);
  return block;
}

/** Gives a block of `bytes` (the size it was asked for) back. */
export function release(block: usize, bytes: usize): void {
  if (block == 0) return;
  const h: Header = header();
  const shift: u32 = shiftOf(bytes);
  const list: usize = <usize>h.freeLists + ((<usize>shift) << 2);
  store<u32>(block, load<u32>(list));
  store<u32>(list, <u32>block);
  h.memoryUsed -= <u32>((<usize>1) << shift);
}

/**
 * Grows an array. `basePtr` is the address of the u32 that holds the array's base; `stride` bytes an element; elements
 * 0..capacity-1 are kept and new ones are zero. Returns false (header error set, array unchanged) without memory.
 */
export function growArray(basePtr: usize, stride: usize, capacity: u32, newCapacity: u32): bool {
  const old: usize = load<u32>(basePtr);
  const fresh: usize = allocate(stride * <usize>newCapacity);
  if (fresh == 0) return false;
  if (old != 0) {
    memory.copy(fresh, old, stride * <usize>capacity);
    release(old, stride * <usize>capacity);
  }
  store<u32>(basePtr, <u32>fresh);
  return true;
}

/**
 * Makes room for `needed` elements in an array whose base and capacity live at `basePtr` and `capacityPtr` (u32 each):
 * doubles until it fits. Returns false (header error set) without memory.
 */
export function ensureCapacity(basePtr: usize, capacityPtr: usize, stride: usize, needed: u32): bool {
  const capacity: u32 = load<u32>(capacityPtr);
  if (needed <= capacity) return true;
  let grown: u32 = capacity < 16 ? 16 : capacity;
  while (grown < needed) grown <<= 1;
  if (!growArray(basePtr, stride, capacity, grown)) return false;
  store<u32>(capacityPtr, grown);
  return true;
}
