// Tight world bounds of a collider from its shape and its body's pose.
import { BODY_CENTER_STRIDE, COLLIDER_ALIGNED, COLLIDER_STRIDE, Collider, Header, SHAPE_SPHERE, SHAPE_CAPSULE, SHAPE_STRIDE, Shape } from '../layout.generated';
import { quatMul, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';

/** Writes min (16 bytes) and max (16 bytes) of the collider's bounds to `out`; 96 bytes behind it are scratch. */
export function colliderBounds(index: u32, out: usize): void {
  const h: Header = header();
  const c: usize = <usize>h.colliders + <usize>index * COLLIDER_STRIDE;
  const collider: Collider = changetype<Collider>(c);
  const body: usize = collider.body;
  const shape: Shape = changetype<Shape>(<usize>h.shapes + <usize>collider.shape * SHAPE_STRIDE);
  const columns: usize = out + 32;
  let origin: v128 = v128.load(<usize>h.bodyCenters + body * BODY_CENTER_STRIDE);
  let q: v128 = v128.load(<usize>h.rotations + (body << 4));
  storeRotation(q, columns);
  if ((collider.flags & COLLIDER_ALIGNED) == 0) {
    origin = f32x4.add(origin, rotate3(columns, v128.load(c, offsetof<Collider>('x'))));
    q = quatMul(q, v128.load(c, offsetof<Collider>('qx')));
    storeRotation(q, columns);
  }
  let center: v128, half: v128;
  if (shape.type == SHAPE_SPHERE) {
    center = origin;
    half = f32x4.splat(shape.p0);
  } else if (shape.type == SHAPE_CAPSULE) {
    center = origin;
    half = f32x4.add(f32x4.mul(f32x4.abs(v128.load(columns, 16)), f32x4.splat(shape.p1)), f32x4.splat(shape.p0));
  } else {
    const lo: v128 = f32x4(shape.minX, shape.minY, shape.minZ, 0);
    const hi: v128 = f32x4(shape.maxX, shape.maxY, shape.maxZ, 0);
    const mid: v128 = f32x4.mul(f32x4.add(lo, hi), f32x4.splat(0.5));
    const size: v128 = f32x4.mul(f32x4.sub(hi, lo), f32x4.splat(0.5));
    center = f32x4.add(origin, rotate3(columns, mid));
    half = f32x4.add(
      f32x4.add(f32x4.mul(f32x4.abs(v128.load(columns)), f32x4.splat(f32x4.extract_lane(size, 0))), f32x4.mul(f32x4.abs(v128.load(columns, 16)), f32x4.splat(f32x4.extract_lane(size, 1)))),
      f32x4.mul(f32x4.abs(v128.load(columns, 32)), f32x4.splat(f32x4.extract_lane(size, 2))),
    );
  }
  v128.store(out, f32x4.replace_lane(f32x4.sub(center, half), 3, 0));
  v128.store(out, f32x4.replace_lane(f32x4.add(center, half), 3, 0), 16);
}
