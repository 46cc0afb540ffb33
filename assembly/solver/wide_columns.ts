// Rows of four bodies as columns of four lanes, and back: the gather and scatter of the solver on lanes (wide_sweep.ts).
//
// Between rows and columns lies a 4x4 transpose in two levels (math/lane.ts). Every function makes one column and names all
// that it needs; what the columns of the same rows share, four loads and four zips, the compiler keeps (it does so where no
// store comes between them: ask for all columns at once).
import { joinHighW, joinLowW, zipHighW, zipLowW } from '../math/lane';

/** First column of the 16 bytes at `offset` of four rows. */
// @ts-ignore: decorator
@inline
export function columnX(r0: usize, r1: usize, r2: usize, r3: usize, offset: usize): v128 {
  return joinLowW(zipLowRows(r0 + offset, r1 + offset), zipLowRows(r2 + offset, r3 + offset));
}
/** Second column. */
// @ts-ignore: decorator
@inline
export function columnY(r0: usize, r1: usize, r2: usize, r3: usize, offset: usize): v128 {
  return joinHighW(zipLowRows(r0 + offset, r1 + offset), zipLowRows(r2 + offset, r3 + offset));
}
/** Third column. */
// @ts-ignore: decorator
@inline
export function columnZ(r0: usize, r1: usize, r2: usize, r3: usize, offset: usize): v128 {
  return joinLowW(zipHighRows(r0 + offset, r1 + offset), zipHighRows(r2 + offset, r3 + offset));
}
/** Fourth column. */
// @ts-ignore: decorator
@inline
export function columnW(r0: usize, r1: usize, r2: usize, r3: usize, offset: usize): v128 {
  return joinHighW(zipHighRows(r0 + offset, r1 + offset), zipHighRows(r2 + offset, r3 + offset));
}

// @ts-ignore: decorator
@inline
function zipLowRows(a: usize, b: usize): v128 {
  return zipLowW(v128.load(a), v128.load(b));
}
// @ts-ignore: decorator
@inline
function zipHighRows(a: usize, b: usize): v128 {
  return zipHighW(v128.load(a), v128.load(b));
}

/** Writes four columns to the 16 bytes at the given addresses. Row 0 is last: unused lanes name the bodies of lane 0. */
// @ts-ignore: decorator
@inline
export function storeColumns(r0: usize, r1: usize, r2: usize, r3: usize, x: v128, y: v128, z: v128, w: v128): void {
  const xy01: v128 = zipLowW(x, y),
    zw01: v128 = zipLowW(z, w),
    xy23: v128 = zipHighW(x, y),
    zw23: v128 = zipHighW(z, w);
  v128.store(r3, joinHighW(xy23, zw23));
  v128.store(r2, joinLowW(xy23, zw23));
  v128.store(r1, joinHighW(xy01, zw01));
  v128.store(r0, joinLowW(xy01, zw01));
}
