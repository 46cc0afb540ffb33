// Vectors, quaternions and symmetric matrices of four lanes as columns, and rows of four bodies as columns and back.
import { addW, divW, mulAddW, mulSubW, mulW, splatW, subW } from '../math/lane';

/** c + a x b, one component: c + a1 b2 - a2 b1. */
// @ts-ignore: decorator
@inline
export function crossAddW(a1: v128, b2: v128, a2: v128, b1: v128, c: v128): v128 {
  return mulSubW(a2, b1, mulAddW(a1, b2, c));
}
/** a1 b2 - a2 b1. */
// @ts-ignore: decorator
@inline
export function crossW(a1: v128, b2: v128, a2: v128, b1: v128): v128 {
  return subW(mulW(a1, b2), mulW(a2, b1));
}

/** Column `at` of a group. */
// @ts-ignore: decorator
@inline
export function col(g: usize, at: usize, k: usize): v128 {
  return v128.load(g + at + (k << 4));
}

// @ts-ignore: decorator
@inline
export function setCol(g: usize, at: usize, k: usize, v: v128): void {
  v128.store(g + at + (k << 4), v);
}

/** A row of a matrix times (x, y, z). */
// @ts-ignore: decorator
@inline
export function symX(xx: v128, xy: v128, xz: v128, x: v128, y: v128, z: v128): v128 {
  return addW(addW(mulW(xx, x), mulW(xy, y)), mulW(xz, z));
}

/** The inverse of a symmetric matrix as six columns xx yy zz xy xz yz to `to`; zero where the matrix is. */
export function storeInverse3(to: usize, xx: v128, yy: v128, zz: v128, xy: v128, xz: v128, yz: v128): void {
  // Scaled by the trace: cubes of small numbers are no floats.
  const trace: v128 = addW(addW(xx, yy), zz);
  const scale: v128 = v128.and(divW(splatW(1), trace), f32x4.gt(trace, splatW(0)));
  xx = mulW(xx, scale);
  yy = mulW(yy, scale);
  zz = mulW(zz, scale);
  xy = mulW(xy, scale);
  xz = mulW(xz, scale);
  yz = mulW(yz, scale);
  const c0: v128 = crossW(yy, zz, yz, yz),
    c1: v128 = crossW(xz, yz, xy, zz),
    c2: v128 = crossW(xy, yz, yy, xz);
  const determinant: v128 = symX(xx, xy, xz, c0, c1, c2);
  const known: v128 = f32x4.gt(determinant, splatW(0));
  const inverse: v128 = v128.and(divW(scale, determinant), known);
  v128.store(to, mulW(inverse, c0));
  v128.store(to, mulW(inverse, crossW(xx, zz, xz, xz)), 16);
  v128.store(to, mulW(inverse, crossW(xx, yy, xy, xy)), 32);
  v128.store(to, mulW(inverse, c1), 48);
  v128.store(to, mulW(inverse, c2), 64);
  v128.store(to, mulW(inverse, crossW(xy, xz, xx, yz)), 80);
}
