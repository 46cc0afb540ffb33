// Arctangent, of one point or four (number.ts; one point runs as four equal ones), sine and cosine of four. No tables: the same
// bits on every machine.
import { absW, addW, blendW, divW, greaterW, maxW, minW, mulAddW, mulW, splatW, subW } from './lane';
import { flipBy, magnitude } from './number';

function angleW(s: v128, c: v128): v128 {
  const t: v128 = divW(minW(s, c), maxW(maxW(s, c), splatW(1e-30)));
  const t2: v128 = mulW(t, t);
  let p: v128 = mulAddW(splatW(0.0028662257), t2, splatW(-0.0161657367));
  p = mulAddW(p, t2, splatW(0.0429096138));
  p = mulAddW(p, t2, splatW(-0.07528964));
  p = mulAddW(p, t2, splatW(0.1065626393));
  p = mulAddW(p, t2, splatW(-0.1420889944));
  p = mulAddW(p, t2, splatW(0.1999355085));
  p = mulAddW(p, t2, splatW(-0.3333314528));
  const a: v128 = addW(t, mulW(t, mulW(t2, p)));
  return blendW(greaterW(s, c), subW(splatW(1.5707964), a), a);
}

/**
 * Angle of (c, s) in 0 to pi / 2 for s, c >= 0, within 3e-7 rad; 0 where both are 0. The polynomial is that of Abramowitz and
 * Stegun, 4.4.49.
 */
// @ts-ignore: decorator
@inline
export function angleOf<T>(s: T, c: T): T {
  if (isVector<T>()) return changetype<T>(angleW(changetype<v128>(s), changetype<v128>(c)));
  return <T>f32x4.extract_lane(angleW(f32x4.splat(<f32>s), f32x4.splat(<f32>c)), 0);
}

/** The same for any sign of s, with the sign of s. */
// @ts-ignore: decorator
@inline
export function signedAngleOf<T>(s: T, c: T): T {
  return flipBy<T>(angleOf<T>(magnitude<T>(s), c), s);
}

/** sin(x) / x of a half angle by its square, up to 1.6 rad. */
export function sincW(x2: v128): v128 {
  let p: v128 = mulAddW(splatW(-2.5052108e-8), x2, splatW(2.7557319e-6));
  p = mulAddW(p, x2, splatW(-1.984127e-4));
  p = mulAddW(p, x2, splatW(8.3333333e-3));
  p = mulAddW(p, x2, splatW(-1.6666667e-1));
  return mulAddW(p, x2, splatW(1));
}

/** Cosine of a half angle by its square, up to 1.6 rad. */
export function cosineW(x2: v128): v128 {
  let p: v128 = mulAddW(splatW(2.0876757e-9), x2, splatW(-2.7557319e-7));
  p = mulAddW(p, x2, splatW(2.4801587e-5));
  p = mulAddW(p, x2, splatW(-1.3888889e-3));
  p = mulAddW(p, x2, splatW(4.1666667e-2));
  p = mulAddW(p, x2, splatW(-0.5));
  return mulAddW(p, x2, splatW(1));
}
