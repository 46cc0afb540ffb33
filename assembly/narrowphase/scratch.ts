// Scratch memory of the narrow phase: one block at header().narrowState, split by fixed offsets between the modules that
// test shapes. Nothing in it lives longer than one test, except the constant parts of the box polyhedra.
//
// Byte map: 0..48 KiB polyhedra (polyhedron.ts, hull_hull.ts), 48..80 KiB round shapes (gjk.ts, epa.ts),
// 80..128 KiB meshes and heightfields.
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';

// @ts-ignore: decorator
@inline export const NARROW_SCRATCH_BYTES: usize = 131072;
/** Bytes from the start of the block: what polyhedron tests own (48 KiB). */
// @ts-ignore: decorator
@inline export const SCRATCH_POLYHEDRON: usize = 0;
/** What the tests of round shapes own (32 KiB). */
// @ts-ignore: decorator
@inline export const SCRATCH_ROUND: usize = 49152;
/** What the tests of meshes and heightfields own (48 KiB). */
// @ts-ignore: decorator
@inline export const SCRATCH_MESH: usize = 81920;

/** Address of the narrow phase's scratch block. */
// @ts-ignore: decorator
@inline
export function narrowScratch(): usize {
  return header().narrowState;
}

/** Takes the block once per world; false (header error set) without memory. */
export function allocateNarrowScratch(): bool {
  const h = header();
  if (h.narrowState != 0) return true;
  h.narrowState = <u32>allocate(NARROW_SCRATCH_BYTES);
  return h.narrowState != 0;
}
