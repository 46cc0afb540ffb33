// The rows of a manifold in its own frame t, u = n x t, n (docs/contact_rows.md, "A manifold in its own frame"): what they see of
// the relative twist of the bodies at its mean point, and what an impulse of one changes at another. T is f32 for one manifold,
// v128 for four (math/number.ts), with the same bits.
//
// Point i lies at (a, b) along t, u from the mean point; its normal row is r_i = (n: 1, w_t: b, w_u: -a).
import { add, mul, sub } from '../math/number';
import { VectorW, cross, dot } from '../math/vector';

/** The axes of four manifolds, or a vector for each of them. */
@value
export class FrameW {
  constructor(
    public t: VectorW,
    public u: VectorW,
    public n: VectorW,
  ) {}
}

/** The frame of normals and tangents. */
export function frameBy(n: VectorW, t: VectorW): FrameW {
  return new FrameW(t, cross(n, t), n);
}

/** The components of a vector along t, u, n, as x, y, z. */
export function inFrame(f: FrameW, v: VectorW): VectorW {
  return new VectorW(dot(f.t, v), dot(f.u, v), dot(f.n, v));
}

/** Entries of W: motion along n and spins about t and u (1, 2), by a unit force along n and unit torques about t and u. */
@value
export class PointResponse<T> {
  constructor(
    public nn: T,
    public n1: T,
    public n2: T,
    public t11: T,
    public t12: T,
    public t22: T,
  ) {}
}

/** Speed of B against A along the normal at a point of offsets (a, b): vn + b w1 - a w2. */
// @ts-ignore: decorator
@inline
export function pointSpeed<T>(a: T, b: T, vn: T, w1: T, w2: T): T {
  return sub<T>(add<T>(mul<T>(b, w1), vn), mul<T>(a, w2));
}

/** Change at a row by friction impulses along t, u and about n; its three couplings lie at `c`, 16 bytes apart. */
// @ts-ignore: decorator
@inline
export function frictionChange<T>(c: usize, f1: T, f2: T, f3: T): T {
  return add<T>(add<T>(mul<T>(load<T>(c), f1), mul<T>(load<T>(c, 16), f2)), mul<T>(load<T>(c, 32), f3));
}

/** r_i W r_j of the points at (a, b) and (c, d). */
// @ts-ignore: decorator
@inline
export function pointCoupling<T>(a: T, b: T, c: T, d: T, w: PointResponse<T>): T {
  const rigid: T = add<T>(w.nn, add<T>(mul<T>(mul<T>(b, d), w.t11), mul<T>(mul<T>(a, c), w.t22)));
  const turned: T = add<T>(rigid, sub<T>(mul<T>(add<T>(b, d), w.n1), mul<T>(add<T>(a, c), w.n2)));
  return sub<T>(turned, mul<T>(add<T>(mul<T>(a, d), mul<T>(b, c)), w.t12));
}
