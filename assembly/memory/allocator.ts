// Memory of a world: one arena of 64-byte aligned blocks, each as long as what it holds, and a list of the holes between them.
//
// The list goes up in address; holes that touch are one, and the last hole, behind all blocks, reaches to the end of all
// addresses. A block goes to the smallest hole that holds it. An array that grows stays in its place if the hole behind it is
// large enough, else slides down if the hole before it helps: a growing scene does not leave behind a copy of every size that
// its arrays had, and what it leaves is used again by any size.
//
// Stages call `ensureArray` before they run, never inside a kernel, so pointers held by a kernel stay good: growing moves
// the array that grows and no other.
// Nothing here is kept in a WASM global, so several instances may share one memory.
import { ERROR_OUT_OF_MEMORY, HEADER_PTR, HEADER_STRIDE, Header } from '../layout.generated';
import { header } from './header';

const UNIT: usize = 64; // blocks and holes are so many cache lines
const MOST_BYTES: u64 = 1 << 31; // largest block
const ADDRESSES: usize = 0xffff0000; // end of the last hole
// Arrays of fewer bytes double, larger ones grow by a quarter: room that is never used would cost more than copies do.
const SMALL_ARRAY: u64 = 1 << 16;

/** The first bytes of a hole. */
@unmanaged
class Hole {
  bytes: u32;
  next: u32; // the hole behind it, 0 for the last one
}

/** Clears the header and starts an empty arena behind it. */
export function initMemory(): void {
  memory.fill(<usize>HEADER_PTR, 0, HEADER_STRIDE);
  const h: Header = header();
  // The host may have used what memory there is.
  h.arenaTop = (<u32>memory.size()) << 16;
  const first: usize = roundUp(<usize>HEADER_PTR + HEADER_STRIDE);
  cut(linkOf(0), first, ADDRESSES, 0);
}

function roundUp(bytes: usize): usize {
  return bytes <= UNIT ? UNIT : (bytes + UNIT - 1) & ~(UNIT - 1);
}

/** Bytes that a block of `bytes` takes; more than there can be where it is too large for one. */
export function blockBytes(bytes: u64): u64 {
  return bytes > MOST_BYTES ? 1 << 40 : <u64>roundUp(<usize>bytes);
}

/** Elements of `stride` bytes that an array gets room for when it has `capacity` and needs `needed`. */
export function grownCapacity(capacity: u32, needed: u32, stride: usize): u32 {
  const small: bool = <u64>capacity * <u64>stride < SMALL_ARRAY;
  const grown: u32 = max<u32>(16, capacity + (small ? capacity : capacity >> 3));
  return max<u32>(grown, needed);
}

/** Sets ERROR_OUT_OF_MEMORY: `bytes` (as many as fit into 32 bits) were wanted. */
function refuse(bytes: u64): void {
  const h: Header = header();
  h.error |= ERROR_OUT_OF_MEMORY;
  h.errorSize = bytes > 0xffffffff ? 0xffffffff : <u32>bytes;
}

/** Makes linear memory reach beyond `end`, by 1/64 more than it has if it can: a growing scene does not grow page by page. */
function growTo(end: u64): bool {
  const have: u64 = (<u64>memory.size()) << 16;
  const wanted: u64 = end + UNIT; // the last hole has its first bytes there
  if (wanted <= have) return true;
  if (wanted > ADDRESSES) return false;
  const pages: u64 = (wanted - have + 0xffff) >> 16;
  const more: u64 = <u64>memory.size() >> 6;
  return (more > pages && memory.grow(<i32>more) >= 0) || memory.grow(<i32>pages) >= 0;
}

/**
 * Makes sure that blocks of `bytes` in all (each as `blockBytes` says) can be taken. Memory grows at once or not at all:
 * returns false (header error set) without it.
 */
export function ensureRoom(bytes: u64): bool {
  if (growTo(<u64>holeBelow(ADDRESSES) + bytes)) return true;
  refuse(bytes);
  return false;
}

/** The last hole below an address, 0 if there is none. */
function holeBelow(address: usize): usize {
  let below: usize = 0;
  for (let at: usize = header().firstHole; at != 0 && at < address; at = changetype<Hole>(at).next) below = at;
  return below;
}

/** Address of the word that names the hole behind another one; the first one for 0. */
function linkOf(hole: usize): usize {
  return hole == 0 ? changetype<usize>(header()) + offsetof<Header>('firstHole') : hole + offsetof<Hole>('next');
}

/** Stores the rest of a hole that the word at `link` names: from..to, or nothing; `next` is the hole after it. */
function cut(link: usize, from: usize, to: usize, next: u32): void {
  store<u32>(link, from == to ? next : <u32>from);
  if (from == to) return;
  const hole: Hole = changetype<Hole>(from);
  hole.bytes = <u32>(to - from);
  hole.next = next;
}

/**
 * Zeros memory that is handed out, before a cut: memory beyond the highest address ever used is zero already, and need not be
 * touched.
 */
function clear(from: usize, to: usize): void {
  const h: Header = header();
  const used: usize = min<usize>(to, h.arenaTop);
  if (used > from) memory.fill(from, 0, used - from);
  h.arenaTop = <u32>max<usize>(h.arenaTop, to + UNIT);
}

/**
 * A zeroed block of at least `bytes` bytes, 64-byte aligned. Returns 0 and sets ERROR_OUT_OF_MEMORY and errorSize in the
 * header if linear memory cannot grow.
 */
export function allocate(bytes: usize): usize {
  const size: usize = roundUp(bytes);
  let link: usize = 0,
    room: usize = ~0;
  for (let at: usize = linkOf(0); load<u32>(at) != 0; at = linkOf(load<u32>(at))) {
    const has: usize = changetype<Hole>(<usize>load<u32>(at)).bytes;
    if (has < size || has >= room) continue;
    link = at;
    room = has;
    if (has == size) break;
  }
  const block: usize = link == 0 ? 0 : load<u32>(link);
  if (bytes > MOST_BYTES || block == 0 || !growTo(<u64>block + <u64>size)) {
    refuse(bytes);
    return 0;
  }
  cut(link, block + size, block + room, changetype<Hole>(block).next);
  clear(block, block + size);
  header().memoryUsed += <u32>size;
  return block;
}

/** Gives a block of `bytes` (the size it was asked for) back. */
export function release(block: usize, bytes: usize): void {
  if (block == 0) return;
  const size: usize = roundUp(bytes);
  header().memoryUsed -= <u32>size;
  const below: usize = holeBelow(block);
  const next: usize = load<u32>(linkOf(below));
  const joins: bool = below != 0 && below + changetype<Hole>(below).bytes == block;
  let hole: usize = block,
    end: usize = block + size,
    behind: u32 = <u32>next;
  if (end == next) {
    end += changetype<Hole>(next).bytes;
    behind = changetype<Hole>(next).next;
  }
  if (joins) hole = below;
  else store<u32>(linkOf(below), <u32>block);
  changetype<Hole>(hole).bytes = <u32>(end - hole);
  changetype<Hole>(hole).next = behind;
}

/**
 * Grows a block of `size` bytes to `grown`, both from `roundUp`, in its place or down into the hole before it; new bytes are
 * zero. Returns its address, 0 (nothing changed) if there is no room.
 */
function stretch(block: usize, size: usize, grown: usize): usize {
  const below: usize = holeBelow(block);
  const next: usize = load<u32>(linkOf(below));
  let start: usize = block,
    link: usize = linkOf(below),
    end: usize = block + size,
    behind: u32 = <u32>next;
  if (end == next) {
    end += changetype<Hole>(next).bytes;
    behind = changetype<Hole>(next).next;
  }
  if (end - start < grown && below != 0 && below + changetype<Hole>(below).bytes == block) {
    start = below;
    link = linkOf(holeBelow(below));
  }
  if (end - start < grown || !growTo(<u64>start + <u64>grown)) return 0;
  if (start != block) memory.copy(start, block, size);
  cut(link, start + grown, end, behind);
  clear(start + size, start + grown);
  header().memoryUsed += <u32>(grown - size);
  return start;
}

/**
 * Grows an array. `basePtr` is the address of the u32 that holds the array's base; `stride` bytes an element; elements
 * 0..capacity-1 are kept and new ones are zero. Returns false (header error set, array unchanged) without memory.
 */
export function growArray(basePtr: usize, stride: usize, capacity: u32, newCapacity: u32): bool {
  const bytes: u64 = <u64>stride * <u64>newCapacity;
  if (bytes > MOST_BYTES) {
    refuse(bytes);
    return false;
  }
  const old: usize = load<u32>(basePtr);
  const used: usize = stride * <usize>capacity;
  let fresh: usize = old != 0 ? stretch(old, roundUp(used), roundUp(<usize>bytes)) : 0;
  if (fresh == 0) {
    fresh = allocate(<usize>bytes);
    if (fresh == 0) return false;
    memory.copy(fresh, old, used);
    release(old, used);
  }
  store<u32>(basePtr, <u32>fresh);
  return true;
}

/**
 * Makes room for `needed` elements of `stride` bytes in an array, and for some more; `array`: address of its address, behind
 * which its capacity lies (u32 each). Returns false (header error set) without memory.
 */
export function ensureArray(array: usize, stride: usize, needed: u32): bool {
  const capacity: u32 = load<u32>(array, 4);
  if (needed <= capacity) return true;
  const grown: u32 = grownCapacity(capacity, needed, stride);
  if (!growArray(array, stride, capacity, grown)) return false;
  store<u32>(array, grown, 4);
  return true;
}
