// Sine and cosine of half a turn vector, four at once. No tables.
import { mulAddW, splatW } from './lane';

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
