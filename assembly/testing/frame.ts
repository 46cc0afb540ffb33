// Test entry of the rows of a manifold in its own frame, for one and for four.
import { PointResponse, frictionChange, pointCoupling, pointSpeed } from '../rows/frame';

/** a b vn w1 w2 at the address. */
export function testPointSpeed(at: usize): f32 {
  return pointSpeed<f32>(load<f32>(at), load<f32>(at, 4), load<f32>(at, 8), load<f32>(at, 12), load<f32>(at, 16));
}
/** Three couplings 16 bytes apart, three impulses behind each other. */
export function testFrictionChange(c: usize, at: usize): f32 {
  return frictionChange<f32>(c, load<f32>(at), load<f32>(at, 4), load<f32>(at, 8));
}
/** The same of four: columns. */
export function testFrictionChange4(c: usize, at: usize, out: usize): void {
  v128.store(out, frictionChange<v128>(c, v128.load(at), v128.load(at, 16), v128.load(at, 32)));
}
/** a b c d, then nn n1 n2 t11 t12 t22. */
export function testPointCoupling(at: usize): f32 {
  const w: PointResponse<f32> = new PointResponse<f32>(
    load<f32>(at, 16),
    load<f32>(at, 20),
    load<f32>(at, 24),
    load<f32>(at, 28),
    load<f32>(at, 32),
    load<f32>(at, 36),
  );
  return pointCoupling<f32>(load<f32>(at), load<f32>(at, 4), load<f32>(at, 8), load<f32>(at, 12), w);
}
