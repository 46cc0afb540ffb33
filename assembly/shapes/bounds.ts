// Tight world bounds of a collider from its shape and its body's pose.
import {
  AABB_STRIDE,
  Aabb,
  BODY_CENTER_STRIDE,
  COLLIDER_ALIGNED,
  COLLIDER_STRIDE,
  Collider,
  Header,
  ROTATION_STRIDE,
  Rotation,
  SHAPE_HULL,
  SHAPE_PLANE,
  SHAPE_STRIDE,
  Shape,
} from '../layout.generated';
import { dot3 } from '../math/lane';
import { quatMul, rotate3, storeRotation } from '../math/quat';
import { header } from '../memory/header';
import { hullBounds } from './hull_aabb';
import { roundBounds } from './round_bounds';

/** Largest distance of a point of a collider from the center of mass of its body (a bound), m. */
export function extentOf(c: Collider): f32 {
  const shape: Shape = changetype<Shape>(<usize>header().shapes + <usize>c.shape * SHAPE_STRIDE);
  return sqrt<f32>(c.x * c.x + c.y * c.y + c.z * c.z) + shape.extent;
}

/** Writes the bounds of the collider to the Aabb at `out`; 96 bytes behind it are scratch. */
export function colliderBounds(index: u32, out: usize): void {
  const h: Header = header();
  const c: usize = <usize>h.colliders + <usize>index * COLLIDER_STRIDE;
  const collider: Collider = changetype<Collider>(c);
  const body: usize = collider.body;
  const shape: Shape = changetype<Shape>(<usize>h.shapes + <usize>collider.shape * SHAPE_STRIDE);
  const columns: usize = out + AABB_STRIDE;
  let origin: v128 = v128.load(<usize>h.bodyCenters + body * BODY_CENTER_STRIDE);
  let q: v128 = v128.load(<usize>h.rotations + (body << 4));
  storeRotation(q, columns);
  if ((collider.flags & COLLIDER_ALIGNED) == 0) {
    origin = f32x4.add(origin, rotate3(columns, v128.load(c, offsetof<Collider>('x'))));
    q = quatMul(q, v128.load(c, offsetof<Collider>('qx')));
    storeRotation(q, columns);
  }
  const box: usize = columns + ROTATION_STRIDE;
  if (shape.type == SHAPE_HULL) hullBounds(shape.dataPtr, columns, box);
  else if (shape.type == SHAPE_PLANE) planeBounds(changetype<usize>(shape), columns, box);
  else if (!roundBounds(changetype<usize>(shape), columns, box)) turnedBounds(shape, columns, box);
  const bounds = changetype<Aabb>(out),
    own = changetype<Aabb>(box);
  bounds.min = f32x4.replace_lane(f32x4.add(origin, own.min), 3, 0);
  bounds.max = f32x4.replace_lane(f32x4.add(origin, own.max), 3, 0);
}

/** How far the bounds of a plane go (m): farther than anything else that there is. */
export const PLANE_REACH: f32 = 1e9;

/** Bounds of a half-space: all of the world, up to the plane where that lies along two axes. */
function planeBounds(shape: usize, columns: usize, box: usize): void {
  const n: v128 = rotate3(columns, v128.load(shape, offsetof<Shape>('p0')));
  const p: v128 = rotate3(columns, v128.load(shape, offsetof<Shape>('minX')));
  const one: v128 = f32x4.splat(1),
    far: v128 = f32x4.splat(PLANE_REACH);
  changetype<Aabb>(box).min = v128.bitselect(p, f32x4.neg(far), f32x4.eq(n, f32x4.neg(one)));
  changetype<Aabb>(box).max = v128.bitselect(p, far, f32x4.eq(n, one));
}

/** Whether the box [low, high] (world) lies outside of the half-space of a collider that is a plane; 96 bytes at `scratch`. */
export function isBeyondPlane(index: u32, low: v128, high: v128, scratch: usize): bool {
  const h: Header = header();
  const c: Collider = changetype<Collider>(<usize>h.colliders + <usize>index * COLLIDER_STRIDE);
  const shape: usize = <usize>h.shapes + <usize>c.shape * SHAPE_STRIDE;
  let q: v128 = v128.load(<usize>h.rotations + ((<usize>c.body) << 4));
  storeRotation(q, scratch);
  let origin: v128 = v128.load(<usize>h.bodyCenters + <usize>c.body * BODY_CENTER_STRIDE);
  if ((c.flags & COLLIDER_ALIGNED) == 0) {
    origin = f32x4.add(origin, rotate3(scratch, c.xyz));
    q = quatMul(q, c.q);
    storeRotation(q, scratch);
  }
  const n: v128 = rotate3(scratch, v128.load(shape, offsetof<Shape>('p0')));
  const p: v128 = f32x4.add(origin, rotate3(scratch, v128.load(shape, offsetof<Shape>('minX'))));
  // The lowest corner, a hair lower: coordinates this far from the origin are rounded.
  const corner: v128 = v128.bitselect(low, high, f32x4.gt(n, f32x4.splat(0)));
  const d: v128 = f32x4.sub(corner, p);
  return dot3(n, d) > <f32>1e-6 * (dot3(f32x4.abs(n), f32x4.abs(corner)) + dot3(f32x4.abs(n), f32x4.abs(p)));
}

/** Bounds of the turned local box: for meshes and heightfields, whose vertices are too many. */
function turnedBounds(shape: Shape, columns: usize, box: usize): void {
  const lo: v128 = f32x4(shape.minX, shape.minY, shape.minZ, 0);
  const hi: v128 = f32x4(shape.maxX, shape.maxY, shape.maxZ, 0);
  const half: v128 = f32x4.mul(f32x4.sub(hi, lo), f32x4.splat(0.5));
  const center: v128 = rotate3(columns, f32x4.mul(f32x4.add(lo, hi), f32x4.splat(0.5)));
  const axes = changetype<Rotation>(columns);
  const x: v128 = f32x4.mul(f32x4.abs(axes.x), f32x4.splat(f32x4.extract_lane(half, 0)));
  const y: v128 = f32x4.mul(f32x4.abs(axes.y), f32x4.splat(f32x4.extract_lane(half, 1)));
  const z: v128 = f32x4.mul(f32x4.abs(axes.z), f32x4.splat(f32x4.extract_lane(half, 2)));
  const size: v128 = f32x4.add(f32x4.add(x, y), z);
  changetype<Aabb>(box).min = f32x4.sub(center, size);
  changetype<Aabb>(box).max = f32x4.add(center, size);
}
