// Arithmetic for one number or four: T is f32 (one row) or v128 (four rows side by side, one a lane). What is written with these
// stands once and gives the same bits in both forms: one rounding an operation, no fused multiply-add. Four lanes: lane.ts.
// Least and greatest are those of `pmin` and `pmax`: the first operand where either is no number.
import { absW, addW, blendW, divW, greaterW, maxW, minW, mulW, negW, splatW, sqrtW, subW } from './lane';

// @ts-ignore: decorator
@inline
export function numberOf<T>(x: f32): T {
  if (isVector<T>()) return changetype<T>(splatW(x));
  return <T>x;
}
// @ts-ignore: decorator
@inline
export function add<T>(a: T, b: T): T {
  if (isVector<T>()) return changetype<T>(addW(changetype<v128>(a), changetype<v128>(b)));
  return a + b;
}
// @ts-ignore: decorator
@inline
export function sub<T>(a: T, b: T): T {
  if (isVector<T>()) return changetype<T>(subW(changetype<v128>(a), changetype<v128>(b)));
  return a - b;
}
// @ts-ignore: decorator
@inline
export function mul<T>(a: T, b: T): T {
  if (isVector<T>()) return changetype<T>(mulW(changetype<v128>(a), changetype<v128>(b)));
  return a * b;
}
// @ts-ignore: decorator
@inline
export function div<T>(a: T, b: T): T {
  if (isVector<T>()) return changetype<T>(divW(changetype<v128>(a), changetype<v128>(b)));
  return a / b;
}
// @ts-ignore: decorator
@inline
export function neg<T>(a: T): T {
  if (isVector<T>()) return changetype<T>(negW(changetype<v128>(a)));
  return -a;
}
// @ts-ignore: decorator
@inline
export function root<T>(a: T): T {
  if (isVector<T>()) return changetype<T>(sqrtW(changetype<v128>(a)));
  return sqrt<T>(a);
}
// @ts-ignore: decorator
@inline
export function magnitude<T>(a: T): T {
  if (isVector<T>()) return changetype<T>(absW(changetype<v128>(a)));
  return abs<T>(a);
}
/** a < b ? b : a */
// @ts-ignore: decorator
@inline
export function most<T>(a: T, b: T): T {
  if (isVector<T>()) return changetype<T>(maxW(changetype<v128>(a), changetype<v128>(b)));
  return a < b ? b : a;
}
/** b < a ? b : a */
// @ts-ignore: decorator
@inline
export function least<T>(a: T, b: T): T {
  if (isVector<T>()) return changetype<T>(minW(changetype<v128>(a), changetype<v128>(b)));
  return b < a ? b : a;
}
/** a > b ? x : y */
// @ts-ignore: decorator
@inline
export function ifGreater<T>(a: T, b: T, x: T, y: T): T {
  if (isVector<T>()) {
    const mask: v128 = greaterW(changetype<v128>(a), changetype<v128>(b));
    return changetype<T>(blendW(mask, changetype<v128>(x), changetype<v128>(y)));
  }
  return a > b ? x : y;
}
/** Whether a > b, in any lane. */
// @ts-ignore: decorator
@inline
export function anyGreater<T>(a: T, b: T): bool {
  if (isVector<T>()) return v128.any_true(greaterW(changetype<v128>(a), changetype<v128>(b)));
  return a > b;
}
/** x with its sign changed where s has the sign bit: -0 too. */
// @ts-ignore: decorator
@inline
export function flipBy<T>(x: T, s: T): T {
  if (isVector<T>()) return changetype<T>(v128.xor(changetype<v128>(x), v128.and(changetype<v128>(s), splatW(-0.0))));
  return reinterpret<f32>(reinterpret<u32>(x) ^ (reinterpret<u32>(s) & 0x80000000));
}
/** The nearest whole number, the even one of two. */
// @ts-ignore: decorator
@inline
export function nearestOf<T>(x: T): T {
  if (isVector<T>()) return changetype<T>(f32x4.nearest(changetype<v128>(x)));
  return nearest<T>(x);
}
/** 1 / x where x > 0, else 0. Less than 1e-35 is inverted as if it were that: of bodies too heavy for squares of their masses. */
export function inverseOf<T>(x: T): T {
  const zero: T = numberOf<T>(0);
  return ifGreater<T>(x, zero, div<T>(numberOf<T>(1), most<T>(x, numberOf<T>(1e-35))), zero);
}
/** The number, or the column of four, at an address. */
// @ts-ignore: decorator
@inline
export function numberAt<T>(at: usize): T {
  if (isVector<T>()) return changetype<T>(v128.load(at));
  return load<T>(at);
}
// @ts-ignore: decorator
@inline
export function keepNumber<T>(at: usize, x: T): void {
  if (isVector<T>()) v128.store(at, changetype<v128>(x));
  else store<T>(at, x);
}
