// Writing a ManifoldOut: the few stores that all tests of round shapes share. Rows of points are x y z separation.
import { ManifoldOut } from '../layout.generated';
import { withW3, x3, y3, z3 } from '../math/vec3';

/** No contact: `gap` (m) is a lower bound of the distance, greater than the margin. Returns 0 manifolds. */
export function writeGap(out: usize, gap: f32): u32 {
  const m = changetype<ManifoldOut>(out);
  m.count = 0;
  m.gap = gap;
  return 0;
}

/** Head of a manifold with `count` points: unit normal from A to B in the frame of A, least separation. */
export function writeHead(out: usize, count: u32, n: v128, separation: f32): void {
  const m = changetype<ManifoldOut>(out);
  m.count = count;
  m.gap = separation;
  m.feature = 0;
  m.nx = x3(n);
  m.ny = y3(n);
  m.nz = z3(n);
}

/** Point `index` (0..3) on the surface of A and its separation. */
export function writePoint(out: usize, index: u32, p: v128, separation: f32): void {
  v128.store(out + ((<usize>index) << 4), withW3(p, separation), offsetof<ManifoldOut>('x0'));
}

/** A manifold of one point. Returns 1 manifold. */
export function writeSingle(out: usize, n: v128, p: v128, separation: f32): u32 {
  writeHead(out, 1, n, separation);
  writePoint(out, 0, p, separation);
  return 1;
}
