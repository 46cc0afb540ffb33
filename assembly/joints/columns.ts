// Vectors and symmetric 3x3 matrices of four lanes as columns of 16 bytes: products, factors, and solving by factors.
import { FactorLanes, SymmetricLanes, VectorLanes } from '../layout.generated';
import { addW, divW, maxW, mulAddW, mulSubW, mulW, splatW, subW } from '../math/lane';

/** Bytes of a column: four lanes. */
export const COLUMN: usize = sizeof<v128>();

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

/** Returns column k of the columns that begin at `at`. */
// @ts-ignore: decorator
@inline
export function col(at: usize, k: usize): v128 {
  return v128.load(at + (k << 4));
}

// @ts-ignore: decorator
@inline
export function setCol(at: usize, k: usize, v: v128): void {
  v128.store(at + (k << 4), v);
}

/** x, y, z of v to one lane of three columns. */
// @ts-ignore: decorator
@inline
export function put3(at: usize, v: v128): void {
  store<f32>(at, f32x4.extract_lane(v, 0), offsetof<VectorLanes>('x'));
  store<f32>(at, f32x4.extract_lane(v, 1), offsetof<VectorLanes>('y'));
  store<f32>(at, f32x4.extract_lane(v, 2), offsetof<VectorLanes>('z'));
}

/** One lane of three columns. */
// @ts-ignore: decorator
@inline
export function take3(at: usize): v128 {
  const z: f32 = load<f32>(at, offsetof<VectorLanes>('z'));
  return f32x4(load<f32>(at, offsetof<VectorLanes>('x')), load<f32>(at, offsetof<VectorLanes>('y')), z, 0);
}

/** A row of a matrix times (x, y, z). */
// @ts-ignore: decorator
@inline
export function symX(xx: v128, xy: v128, xz: v128, x: v128, y: v128, z: v128): v128 {
  return addW(addW(mulW(xx, x), mulW(xy, y)), mulW(xz, z));
}

/** Row 0, 1 or 2 of a symmetric matrix times (x, y, z). */
// @ts-ignore: decorator
@inline
export function symRow(m: SymmetricLanes, row: u32, x: v128, y: v128, z: v128): v128 {
  if (row == 0) return symX(m.xx, m.xy, m.xz, x, y, z);
  if (row == 1) return symX(m.xy, m.yy, m.yz, x, y, z);
  return symX(m.xz, m.yz, m.zz, x, y, z);
}

/** to += k n. */
// @ts-ignore: decorator
@inline
export function addAlong(to: VectorLanes, k: v128, n: VectorLanes): void {
  to.x = mulAddW(k, n.x, to.x);
  to.y = mulAddW(k, n.y, to.y);
  to.z = mulAddW(k, n.z, to.z);
}

/**
 * Smallest pivot, as a share of its diagonal entry: smaller ones are rounding. A larger pivot gives way less, and pushes less.
 */
const LEAST_PIVOT: f32 = 1e-6;

/**
 * L D L' of a positive symmetric matrix. An inverse by cofactors would lose the smallest axis where the others are ten thousand
 * times larger, as in chains with a heavy end. A pivot that is none does nothing.
 */
export function factor3(to: FactorLanes, xx: v128, yy: v128, zz: v128, xy: v128, xz: v128, yz: v128): void {
  const i0: v128 = inverseOf(xx, xx);
  const l10: v128 = mulW(xy, i0),
    l20: v128 = mulW(xz, i0);
  const i1: v128 = inverseOf(mulSubW(l10, xy, yy), yy);
  const b: v128 = mulSubW(l10, xz, yz);
  const l21: v128 = mulW(b, i1);
  const i2: v128 = inverseOf(mulSubW(l21, b, mulSubW(l20, xz, zz)), zz);
  to.inverse0 = i0;
  to.inverse1 = i1;
  to.inverse2 = i2;
  to.l10 = l10;
  to.l20 = l20;
  to.l21 = l21;
}
/** In place. */
export function factorInPlace(m: SymmetricLanes): void {
  factor3(changetype<FactorLanes>(changetype<usize>(m)), m.xx, m.yy, m.zz, m.xy, m.xz, m.yz);
}

/** 1 / d of a pivot whose entry was `whole`; 0 of none. */
// @ts-ignore: decorator
@inline
export function inverseOf(d: v128, whole: v128): v128 {
  const pivot: v128 = maxW(d, mulW(whole, splatW(LEAST_PIVOT)));
  return v128.and(divW(splatW(1), pivot), f32x4.gt(pivot, splatW(0)));
}

/** Solves the factored matrix for (x, y, z). */
// @ts-ignore: decorator
@inline
export function solve3(factors: FactorLanes, to: VectorLanes, x: v128, y: v128, z: v128): void {
  const l10: v128 = factors.l10,
    l20: v128 = factors.l20,
    l21: v128 = factors.l21;
  const y1: v128 = mulSubW(l10, x, y);
  const z1: v128 = mulSubW(l21, y1, mulSubW(l20, x, z));
  const z2: v128 = mulW(z1, factors.inverse2);
  const y2: v128 = mulSubW(l21, z2, mulW(y1, factors.inverse1));
  to.x = mulSubW(l20, z2, mulSubW(l10, y2, mulW(x, factors.inverse0)));
  to.y = y2;
  to.z = z2;
}
