// The patch beside a contact of crossed edges: a second manifold for faces at a small angle.
//
// Faces at a small angle touch where two edges cross, but are near each other all around. Without the points in between a body
// that rocks falls through the gap within a step, is pushed out and rocks for ever: they are a manifold of their own.
// In: the manifold of the edges (one point), candidates of the best face. Out: the manifold after it. For box_box.ts,
// hull_hull.ts.
import { MANIFOLD_OUT_STRIDE, ManifoldOut } from '../layout.generated';
import { dot3 } from '../math/lane';
import { writePoints } from './reduce';

/** Is the unit axis `normal`, of either sign, within an angle of that cosine of the normal of the manifold at `out`? */
export function nearlyParallel(out: usize, normal: v128, cosine: f32): bool {
  return abs<f32>(dot3(v128.load(out, offsetof<ManifoldOut>('nx')), normal)) >= cosine;
}

/**
 * Writes the candidates (rows x y z s at `points`, reordered) of a face nearly parallel to the edge contact at `out` to the
 * manifold after it, whose normal is set. Those more than `bias` deeper than the edges lie where the faces pass each other, and
 * are dropped, as are those more than `above` less deep. Returns the number of manifolds written, 0 to 2.
 */
export function writePatch(points: usize, count: u32, out: usize, bias: f32, above: f32, near: f32): u32 {
  const m = changetype<ManifoldOut>(out + MANIFOLD_OUT_STRIDE);
  const least: f32 = changetype<ManifoldOut>(out).s0 - bias;
  const most: f32 = changetype<ManifoldOut>(out).s0 + above;
  let left: u32 = 0;
  for (let k: u32 = 0; k < count; ++k) {
    const point: v128 = v128.load(points + ((<usize>k) << 4));
    const s: f32 = f32x4.extract_lane(point, 3);
    if (s < least || s > most) continue;
    v128.store(points + ((<usize>left) << 4), point);
    ++left;
  }
  m.gap = changetype<ManifoldOut>(out).gap;
  m.feature = 1;
  return writePoints(points, left, out + MANIFOLD_OUT_STRIDE, near);
}
