// Gather and scatter of the solver on lanes (wide_sweep.ts): rows of four bodies to columns of four lanes, and back.
//
// Between rows and columns lies a 4x4 transpose in two levels (math/lane.ts). Every function returns one column and names all its
// inputs; the compiler shares the four zips that columns of the same rows have in common.
import { joinHighW, joinLowW, zipHighW, zipLowW } from '../math/lane';

/** First column of four rows. */
// @ts-ignore: decorator
@inline
export function columnX(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
  return joinLowW(zipLowW(r0, r1), zipLowW(r2, r3));
}
/** Second column. */
// @ts-ignore: decorator
@inline
export function columnY(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
  return joinHighW(zipLowW(r0, r1), zipLowW(r2, r3));
}
/** Third column. */
// @ts-ignore: decorator
@inline
export function columnZ(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
  return joinLowW(zipHighW(r0, r1), zipHighW(r2, r3));
}

/** Fourth column. */
// @ts-ignore: decorator
@inline
export function columnW(r0: v128, r1: v128, r2: v128, r3: v128): v128 {
  return joinHighW(zipHighW(r0, r1), zipHighW(r2, r3));
}

/** B - A of the 16 bytes at two addresses. */
// @ts-ignore: decorator
@inline
export function differenceOf(a: usize, b: usize): v128 {
  return f32x4.sub(v128.load(b), v128.load(a));
}

/**
 * Pushes four pairs of bodies by the forces (fx, fy, fz): +f / m on B, -f / m on A. The fourth float of a row is 1 / m. Rows
 * are read again before each is written: unused lanes name the bodies of lane 0, and add zero.
 */
// @ts-ignore: decorator
@inline
export function push(
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  fx: v128,
  fy: v128,
  fz: v128,
): void {
  const zero: v128 = f32x4.splat(0);
  const low: v128 = zipLowW(fx, fy),
    high: v128 = zipHighW(fx, fy),
    lowZ: v128 = zipLowW(fz, zero),
    highZ: v128 = zipHighW(fz, zero);
  pushPair(a0, b0, joinLowW(low, lowZ));
  pushPair(a1, b1, joinHighW(low, lowZ));
  pushPair(a2, b2, joinLowW(high, highZ));
  pushPair(a3, b3, joinHighW(high, highZ));
}

// @ts-ignore: decorator
@inline
function pushPair(a: usize, b: usize, f: v128): void {
  const va: v128 = v128.load(a);
  v128.store(a, f32x4.sub(va, f32x4.mul(f, v128.shuffle<f32>(va, va, 3, 3, 3, 3))));
  const vb: v128 = v128.load(b);
  v128.store(b, f32x4.add(vb, f32x4.mul(f, v128.shuffle<f32>(vb, vb, 3, 3, 3, 3))));
}

/** Adds (x, y, z) to the 16 bytes of four rows, one lane a row. */
// @ts-ignore: decorator
@inline
export function addColumns(r0: usize, r1: usize, r2: usize, r3: usize, x: v128, y: v128, z: v128): void {
  const zero: v128 = f32x4.splat(0);
  const low: v128 = zipLowW(x, y),
    high: v128 = zipHighW(x, y),
    lowZ: v128 = zipLowW(z, zero),
    highZ: v128 = zipHighW(z, zero);
  v128.store(r0, f32x4.add(v128.load(r0), joinLowW(low, lowZ)));
  v128.store(r1, f32x4.add(v128.load(r1), joinHighW(low, lowZ)));
  v128.store(r2, f32x4.add(v128.load(r2), joinLowW(high, highZ)));
  v128.store(r3, f32x4.add(v128.load(r3), joinHighW(high, highZ)));
}
