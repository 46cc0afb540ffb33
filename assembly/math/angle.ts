// Arctangent, of one point or four (number.ts). No tables: the same bits on every machine.
import { add, div, flipBy, ifGreater, least, magnitude, most, mul, numberOf, sub } from './number';

/**
 * Angle of (c, s) in 0 to pi / 2 for s, c >= 0, within 3e-7 rad; 0 where both are 0. The polynomial is that of Abramowitz and
 * Stegun, 4.4.49.
 */
export function angleOf<T>(s: T, c: T): T {
  const t: T = div<T>(least<T>(s, c), most<T>(most<T>(s, c), numberOf<T>(1e-30)));
  const t2: T = mul<T>(t, t);
  let p: T = add<T>(mul<T>(numberOf<T>(0.0028662257), t2), numberOf<T>(-0.0161657367));
  p = add<T>(mul<T>(p, t2), numberOf<T>(0.0429096138));
  p = add<T>(mul<T>(p, t2), numberOf<T>(-0.07528964));
  p = add<T>(mul<T>(p, t2), numberOf<T>(0.1065626393));
  p = add<T>(mul<T>(p, t2), numberOf<T>(-0.1420889944));
  p = add<T>(mul<T>(p, t2), numberOf<T>(0.1999355085));
  p = add<T>(mul<T>(p, t2), numberOf<T>(-0.3333314528));
  const a: T = add<T>(t, mul<T>(t, mul<T>(t2, p)));
  return ifGreater<T>(s, c, sub<T>(numberOf<T>(1.5707964), a), a);
}

/** The same for any sign of s, with the sign of s. */
export function signedAngleOf<T>(s: T, c: T): T {
  return flipBy<T>(angleOf<T>(magnitude<T>(s), c), s);
}
