// Faces that lie in one plane: what a body has on them is what it has on the whole plane.
//
// The points of B are those on the plane without borders, wherever the boxes are cut, and each box bears those that lie on it.
// With points of their own on every box, soft contacts would sag by more or less at every seam. A point goes over to the next box
// with its impulse, when that box is tested (hand_over.ts); until then the one that had it keeps it. So each is borne once, at
// any time.
// Input: a pair (neighbors.ts) and a direction that its contact may have. Output: its manifold of points on the plane.
import { Collider, ManifoldOut, NONE, PairCold, Shape, SHAPE_BOX, SHAPE_STRIDE } from '../layout.generated';
import { firstEnd, nextEnd } from '../broadphase/pair_lists';
import { dot3 } from '../math/lane';
import { inverseRotate3 } from '../math/quat';
import { addScaled3, withW3, x3, y3, z3 } from '../math/vec3';
import { collide } from '../narrowphase/dispatch';
import { pointNear, reachOf } from './hand_over';
import {
  fixedAt,
  holds,
  K_CACHE,
  K_COLUMNS,
  K_OUTPUTS,
  Neighborhood,
  normalOf,
  placeNeighbor,
  pointOf,
  SAME_NORMAL,
  shapeOf,
  WIDE_SHAPE,
} from './neighbors';
import { contactState, REL_POSE } from './state';

/** ManifoldOut.pad0: the pair touches; what of B lies on it is borne by the boxes beside it, if not in the output. */
export const BORNE_BESIDE: u32 = 0x10000;
/** Boxes have one plane in common where they are parallel to this (sine) and flush to PLANE (m). */
export const PARALLEL: f32 = 1e-5;
export const PLANE: f32 = 2e-5;
// What touches T with a normal nearer to a face than this (sine) may lie on the plane of that face.
const FACING: f32 = 0.4;

/**
 * Points of B on the plane of T that faces along `near` (world) and of the boxes beside it, as far as T bears them, to the output
 * at `to`. Returns the number of manifolds; NONE where there is no such plane: nothing was changed.
 */
export function shareFace(c: Neighborhood, cold: PairCold, near: v128, to: usize): u32 {
  const local: v128 = inverseRotate3(c.columnsT, near);
  const axis: i32 = axisOf(local, FACING);
  if (axis < 0) return NONE;
  const column: v128 = v128.load(c.columnsT + ((<usize>axis) << 4));
  const n: v128 = withW3(dot3(column, near) < 0 ? f32x4.neg(column) : column, 0);
  const first: u32 = firstEnd(c.indexB);
  if (nextEnd(first) == NONE) return NONE; // nothing is beside T

  // The points of B on all of the plane.
  const scratch: usize = changetype<usize>(c);
  const wide: Shape = changetype<Shape>(scratch + WIDE_SHAPE);
  memory.copy(scratch + WIDE_SHAPE, changetype<usize>(c.shapeT), SHAPE_STRIDE);
  const reach: f32 = c.shapeT.extent + sqrt<f32>(dot3(c.originB, c.originB)) + c.shapeB.extent;
  if (axis != 0) wide.p0 = reach;
  if (axis != 1) wide.p1 = reach;
  if (axis != 2) wide.p2 = reach;
  wide.extent = 2 * reach;
  store<u32>(scratch + K_CACHE, cold.cache);
  const outW: usize = scratch + K_OUTPUTS;
  const sa: usize = changetype<usize>(c.dynamicA ? c.shapeB : wide),
    sb: usize = changetype<usize>(c.dynamicA ? wide : c.shapeB);
  if (collide(sa, sb, contactState() + REL_POSE, outW, scratch + K_CACHE, c.margin) != 1) return NONE;
  const result: ManifoldOut = changetype<ManifoldOut>(outW);
  const up: v128 = normalOf(c, outW);
  if (dot3(up, n) < SAME_NORMAL || result.count == 0) return NONE;
  const all: u32 = (1 << result.count) - 1;

  // Which of them lie on T, on other boxes, and which those have.
  const columnsK: usize = scratch + K_COLUMNS;
  const height: f32 = boxRise(c.shapeT, axis);
  let onT: u32 = 0,
    covered: u32 = 0,
    borne: u32 = 0,
    kept: u32 = 0;
  for (let j: u32 = 0; j < result.count; j++)
    if (holds(c.shapeT, inverseRotate3(c.columnsT, pointOf(c, outW, j)), c.near)) onT |= 1 << j;
  for (let end: u32 = first; end != NONE; end = nextEnd(end)) {
    const k: Collider | null = fixedAt(end);
    if (k === null || k == c.t) continue;
    const shapeK: Shape = shapeOf(k);
    if (shapeK.type != SHAPE_BOX || k.friction != c.t.friction || k.restitution != c.t.restitution || k.combine != c.t.combine)
      continue;
    const originK: v128 = placeNeighbor(c, k);
    const axisK: i32 = axisOf(inverseRotate3(columnsK, n), PARALLEL);
    if (axisK < 0 || abs<f32>(dot3(n, originK) + boxRise(shapeK, axisK) - height) > PLANE) continue;
    for (let j: u32 = 0; j < result.count; j++) {
      const p: v128 = pointOf(c, outW, j);
      const on: bool = holds(shapeK, inverseRotate3(columnsK, f32x4.sub(p, originK)), c.near);
      if (on) covered |= 1 << j;
      const onB: v128 = addScaled3(p, up, load<f32>(outW + ((<usize>j) << 4), offsetof<ManifoldOut>('s0')));
      const at: v128 = inverseRotate3(c.bodyB, withW3(f32x4.sub(onB, c.centerB), 0));
      if (pointNear(end, at, up, reachOf(c.shapeB)) == NONE) continue;
      if (on) borne |= 1 << j;
      else kept |= 1 << j;
    }
  }
  if ((covered | onT) != all || (covered | kept) == 0) return NONE;
  const mine: u32 = (onT & ~borne) | (all & ~onT & ~borne & ~kept);
  let count: u32 = 0;
  for (let j: u32 = 0; j < result.count; j++) {
    if ((mine & (1 << j)) == 0) continue;
    v128.store(
      to + ((<usize>count) << 4),
      v128.load(outW + ((<usize>j) << 4), offsetof<ManifoldOut>('x0')),
      offsetof<ManifoldOut>('x0'),
    );
    count++;
  }
  v128.store(to, v128.load(outW, offsetof<ManifoldOut>('nx')), offsetof<ManifoldOut>('nx'));
  const out: ManifoldOut = changetype<ManifoldOut>(to);
  out.feature = result.feature;
  out.gap = result.gap;
  out.count = count;
  return count != 0 ? 1 : 0;
}

/** Axis of a box that a unit vector of its frame lies along, -1 if none: its parts along the others are less than `off`. */
export function axisOf(n: v128, off: f32): i32 {
  const x: f32 = abs<f32>(x3(n)),
    y: f32 = abs<f32>(y3(n)),
    z: f32 = abs<f32>(z3(n));
  if (max<f32>(y, z) < off) return 0;
  if (max<f32>(x, z) < off) return 1;
  return max<f32>(x, y) < off ? 2 : -1;
}

function boxRise(shape: Shape, axis: i32): f32 {
  return axis == 0 ? shape.p0 : axis == 1 ? shape.p1 : shape.p2;
}
