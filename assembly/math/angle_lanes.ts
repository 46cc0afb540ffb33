// Angles, four at once: the arctangent that measures joints, sine and cosine of half a turn vector. No tables.
import { absW, addW, blendW, divW, greaterW, maxW, minW, mulAddW, mulW, splatW, subW } from './lane';

/**
 * Angle of (c, s) in 0 to pi / 2 for s, c >= 0, within 3e-7 rad; 0 where both are 0. The polynomial is that of Abramowitz and
 * Stegun, 4.4.49.
 */
export function angleW(s: v128, c: v128): v128 {
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

/** The same for any sign of s, with the sign of s. */
export function signedAngleW(s: v128, c: v128): v128 {
  const sign: v128 = v128.and(s, splatW(-0.0));
  return v128.or(angleW(absW(s), c), sign);
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
