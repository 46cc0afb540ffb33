// Test entry of the rows of a manifold in its own frame, for one and for four.
import { PointResponse, frictionChange, pointCoupling, pointSpeed } from '../rows/frame';

export function testPointSpeed(a: f32, b: f32, vn: f32, w1: f32, w2: f32): f32 {
  return pointSpeed<f32>(a, b, vn, w1, w2);
}
/** c: three couplings 16 bytes apart. */
export function testFrictionChange(c: usize, f1: f32, f2: f32, f3: f32): f32 {
  return frictionChange<f32>(c, f1, f2, f3);
}
/** The same of four: each impulse is a row of four at its address. */
export function testFrictionChange4(c: usize, f1: usize, f2: usize, f3: usize, out: usize): void {
  v128.store(out, frictionChange<v128>(c, v128.load(f1), v128.load(f2), v128.load(f3)));
}
export function testPointCoupling(a: f32, b: f32, c: f32, d: f32, nn: f32, n1: f32, n2: f32, t11: f32, t12: f32, t22: f32): f32 {
  return pointCoupling<f32>(a, b, c, d, new PointResponse<f32>(nn, n1, n2, t11, t12, t22));
}
