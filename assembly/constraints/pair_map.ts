// Map from two colliders to their pair: open addressing with linear probing over u32 entries (pair index + 1, 0 = empty).
// Keys are read from the pairs themselves. Removal shifts entries back, so there are no tombstones.
import { Header, NONE, PairCold } from '../layout.generated';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';
import { pairCold } from './pair_rows';

function hashPair(a: u32, b: u32): u32 {
  let x: u32 = a * 0x9e3779b1 + b * 0x85ebca77;
  x ^= x >> 15;
  x *= 0x2c1b3c6d;
  x ^= x >> 13;
  return x;
}

/** Room for `count` pairs at a load of at most one half. Returns false without memory. */
export function reservePairMap(count: u32): bool {
  const h: Header = header();
  if (h.pairMapCapacity >= count * 2) return true;
  let capacity: u32 = h.pairMapCapacity < 64 ? 64 : h.pairMapCapacity;
  while (capacity < count * 2) capacity <<= 1;
  const fresh: usize = allocate((<usize>capacity) << 2);
  if (fresh == 0) return false;
  release(h.pairMap, (<usize>h.pairMapCapacity) << 2);
  h.pairMap = <u32>fresh;
  h.pairMapCapacity = capacity;
  const pairs: u32 = h.pairCount;
  for (let i: u32 = 0; i < pairs; i++) {
    const p: PairCold = pairCold(i);
    insertPair(p.colliderA, p.colliderB, i);
  }
  return true;
}

/** The pair of two colliders in the order they are stored, NONE if there is none. */
export function findPair(a: u32, b: u32): u32 {
  const h: Header = header();
  const mask: u32 = h.pairMapCapacity - 1;
  const map: usize = h.pairMap;
  let i: u32 = hashPair(a, b) & mask;
  while (true) {
    const entry: u32 = load<u32>(map + ((<usize>i) << 2));
    if (entry == 0) return NONE;
    const p: PairCold = pairCold(entry - 1);
    if (p.colliderA == a && p.colliderB == b) return entry - 1;
    i = (i + 1) & mask;
  }
}

export function insertPair(a: u32, b: u32, pair: u32): void {
  const h: Header = header();
  const mask: u32 = h.pairMapCapacity - 1;
  const map: usize = h.pairMap;
  let i: u32 = hashPair(a, b) & mask;
  while (load<u32>(map + ((<usize>i) << 2)) != 0) i = (i + 1) & mask;
  store<u32>(map + ((<usize>i) << 2), pair + 1);
}

function slotOf(a: u32, b: u32, pair: u32): u32 {
  const h: Header = header();
  const mask: u32 = h.pairMapCapacity - 1;
  let i: u32 = hashPair(a, b) & mask;
  while (load<u32>(<usize>h.pairMap + ((<usize>i) << 2)) != pair + 1) i = (i + 1) & mask;
  return i;
}

/** The pair moved to another index (dense arrays are kept dense by swapping). Call while its cold row is at `to` or `from`. */
export function renamePair(a: u32, b: u32, from: u32, to: u32): void {
  store<u32>(<usize>header().pairMap + ((<usize>slotOf(a, b, from)) << 2), to + 1);
}

export function erasePair(a: u32, b: u32, pair: u32): void {
  const h: Header = header();
  const mask: u32 = h.pairMapCapacity - 1;
  const map: usize = h.pairMap;
  let hole: u32 = slotOf(a, b, pair);
  let i: u32 = hole;
  while (true) {
    i = (i + 1) & mask;
    const entry: u32 = load<u32>(map + ((<usize>i) << 2));
    if (entry == 0) break;
    const p: PairCold = pairCold(entry - 1);
    const home: u32 = hashPair(p.colliderA, p.colliderB) & mask;
    // The entry may move into the hole unless its home lies cyclically after the hole.
    if (((i - home) & mask) >= ((i - hole) & mask)) {
      store<u32>(map + ((<usize>hole) << 2), entry);
      hole = i;
    }
  }
  store<u32>(map + ((<usize>hole) << 2), 0);
}
