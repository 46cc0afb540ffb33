// Exact bounds of rotated round shapes and boxes: what the broad phase needs of a shape in any orientation.
//
// In: a Shape row and a rotation as three columns of 16 bytes (x y z _ each). Out: an Aabb about the shape's own origin, in
// the rotated frame; the caller adds the position. Row i of the rotation holds the i-th coordinates of the shape's axes.
// A disc of radius r with unit normal a spans r sqrt(1 - a_i^2) along axis i; cylinder and cone are hulls of discs and points.
import {
  AABB_STRIDE,
  Aabb,
  Rotation,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import { vec3W } from '../math/lane';
import { scale3, x3, y3, z3 } from '../math/vec3';

if (AABB_STRIDE != 32) ERROR('round bounds write two rows');

/**
 * Bounds of a sphere, capsule, box, cylinder or cone rotated by the columns at `rotation` (48 bytes), in metres about the
 * shape's origin, to the Aabb at `out`. Returns false, writing nothing, for other shape types.
 */
export function roundBounds(shape: usize, rotation: usize, out: usize): bool {
  const s = changetype<Shape>(shape);
  const type: u32 = s.type;
  const p0: f32 = s.p0;
  const p1: f32 = s.p1;
  const axes = changetype<Rotation>(rotation);
  const axis: v128 = axes.y;
  let low: v128;
  let high: v128;
  if (type == SHAPE_SPHERE) {
    high = vec3W(p0, p0, p0);
    low = f32x4.neg(high);
  } else if (type == SHAPE_CAPSULE) {
    high = f32x4.add(scale3(f32x4.abs(axis), p1), f32x4.splat(p0));
    low = f32x4.neg(high);
  } else if (type == SHAPE_BOX) {
    high = f32x4.add(f32x4.add(scale3(f32x4.abs(axes.x), p0), scale3(f32x4.abs(axis), p1)), scale3(f32x4.abs(axes.z), s.p2));
    low = f32x4.neg(high);
  } else if (type == SHAPE_CYLINDER || type == SHAPE_CONE) {
    // 1 - a_i^2 as the other two entries of the row: exact where a_i is near 1.
    const c0: v128 = axes.x;
    const c2: v128 = axes.z;
    const disc: v128 = scale3(f32x4.sqrt(f32x4.add(f32x4.mul(c0, c0), f32x4.mul(c2, c2))), p0);
    const top: v128 = scale3(axis, p1);
    const bottom: v128 = f32x4.neg(top);
    if (type == SHAPE_CYLINDER) {
      high = f32x4.add(f32x4.abs(top), disc);
      low = f32x4.neg(high);
    } else {
      high = f32x4.max(top, f32x4.add(bottom, disc));
      low = f32x4.min(top, f32x4.sub(bottom, disc));
    }
  } else {
    return false;
  }
  const b = changetype<Aabb>(out);
  b.minX = x3(low);
  b.minY = y3(low);
  b.minZ = z3(low);
  b.maxX = x3(high);
  b.maxY = y3(high);
  b.maxZ = z3(high);
  return true;
}
