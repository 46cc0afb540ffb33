// Vectors and symmetric 3x3 matrices of four lanes as columns of 16 bytes: products, factors, what factors solve.
import { addW, divW, maxW, mulAddW, mulSubW, mulW, splatW, subW } from '../math/lane';

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

/** x, y, z of v to one lane of three columns. */
// @ts-ignore: decorator
@inline
export function put3(at: usize, v: v128): void {
  store<f32>(at, f32x4.extract_lane(v, 0));
  store<f32>(at, f32x4.extract_lane(v, 1), 16);
  store<f32>(at, f32x4.extract_lane(v, 2), 32);
}

/** One lane of three columns. */
// @ts-ignore: decorator
@inline
export function take3(at: usize): v128 {
  return f32x4(load<f32>(at), load<f32>(at, 16), load<f32>(at, 32), 0);
}

/** A row of a matrix times (x, y, z). */
// @ts-ignore: decorator
@inline
export function symX(xx: v128, xy: v128, xz: v128, x: v128, y: v128, z: v128): v128 {
  return addW(addW(mulW(xx, x), mulW(xy, y)), mulW(xz, z));
}

/** Of what a pivot is of its diagonal entry: what is less is rounding. A larger pivot gives way less, and pushes less. */
const LEAST_PIVOT: f32 = 1e-6;

/**
 * L D L' of a positive symmetric matrix to six columns: 1 / D 3, then l10 l20 l21. An inverse by cofactors would lose the
 * smallest axis where the others are ten thousand times larger, as in chains with a heavy end. A pivot that is none does nothing.
 */
export function factor3(to: usize, xx: v128, yy: v128, zz: v128, xy: v128, xz: v128, yz: v128): void {
  const i0: v128 = inverseOf(xx, xx);
  const l10: v128 = mulW(xy, i0),
    l20: v128 = mulW(xz, i0);
  const i1: v128 = inverseOf(mulSubW(l10, xy, yy), yy);
  const b: v128 = mulSubW(l10, xz, yz);
  const l21: v128 = mulW(b, i1);
  const i2: v128 = inverseOf(mulSubW(l21, b, mulSubW(l20, xz, zz)), zz);
  v128.store(to, i0);
  v128.store(to, i1, 16);
  v128.store(to, i2, 32);
  v128.store(to, l10, 48);
  v128.store(to, l20, 64);
  v128.store(to, l21, 80);
}

/** 1 / d of a pivot whose entry was `whole`; 0 of none. */
// @ts-ignore: decorator
@inline
export function inverseOf(d: v128, whole: v128): v128 {
  const pivot: v128 = maxW(d, mulW(whole, splatW(LEAST_PIVOT)));
  return v128.and(divW(splatW(1), pivot), f32x4.gt(pivot, splatW(0)));
}

/** Solves the matrix factored at `factor` for (x, y, z): three columns to `to`. */
// @ts-ignore: decorator
@inline
export function solve3(factor: usize, to: usize, x: v128, y: v128, z: v128): void {
  const l10: v128 = v128.load(factor, 48),
    l20: v128 = v128.load(factor, 64),
    l21: v128 = v128.load(factor, 80);
  const y1: v128 = mulSubW(l10, x, y);
  const z1: v128 = mulSubW(l21, y1, mulSubW(l20, x, z));
  const z2: v128 = mulW(z1, v128.load(factor, 32));
  const y2: v128 = mulSubW(l21, z2, mulW(y1, v128.load(factor, 16)));
  v128.store(to, mulSubW(l20, z2, mulSubW(l10, y2, mulW(x, v128.load(factor)))));
  v128.store(to, y2, 16);
  v128.store(to, z2, 32);
}
