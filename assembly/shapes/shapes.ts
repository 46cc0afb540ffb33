// Shape slots: geometry shared by any number of colliders. The host cooks and checks shapes; here they get a slot, and
// their blob (hull, mesh or heightfield) becomes owned by it.
//
// A free slot is linked through `users`; `generation` counts reuses so that stale ids are found. Never called in a step.
import { Header, NONE, SHAPE_STRIDE, Shape } from '../layout.generated';
import { ensureArray, release } from '../memory/allocator';
import { header } from '../memory/header';

export const SHAPE_ALIVE: u32 = 1;

/** Empties the free list; part of initWorld. */
export function initShapes(): void {
  header().shapeFree = NONE;
}

/** The row of a shape. */
export function shapeAt(index: u32): Shape {
  return changetype<Shape>(<usize>header().shapes + <usize>index * SHAPE_STRIDE);
}

/** Makes room for `count` shapes in all. Returns false (header error set, nothing changed) without memory. */
export function reserveShapes(count: u32): bool {
  const at: usize = changetype<usize>(header());
  return ensureArray(at + offsetof<Header>('shapes'), SHAPE_STRIDE, count);
}

/**
 * A new shape, local frame, m. p0 p1 p2 as the SHAPE_* constants say; `extent` bounds the distance of any point from the
 * shape's origin; dataPtr is a block of `dataBytes` from allocate() that the shape takes over, or 0; the box is the local
 * bound. Returns its index, NONE (header error set) without memory.
 */
export function createShape(
  type: u32,
  p0: f32,
  p1: f32,
  p2: f32,
  extent: f32,
  dataPtr: usize,
  dataBytes: u32,
  minX: f32,
  minY: f32,
  minZ: f32,
  maxX: f32,
  maxY: f32,
  maxZ: f32,
): u32 {
  const h: Header = header();
  let index: u32 = h.shapeFree;
  if (index == NONE) {
    if (!reserveShapes(h.shapeCount + 1)) return NONE;
    index = h.shapeCount++;
  } else {
    h.shapeFree = shapeAt(index).users;
  }
  const shape: Shape = shapeAt(index);
  shape.type = type;
  shape.flags = SHAPE_ALIVE;
  shape.users = 0;
  shape.p0 = p0;
  shape.p1 = p1;
  shape.p2 = p2;
  shape.extent = extent;
  shape.dataPtr = <u32>dataPtr;
  shape.dataBytes = dataBytes;
  shape.minX = minX;
  shape.minY = minY;
  shape.minZ = minZ;
  shape.maxX = maxX;
  shape.maxY = maxY;
  shape.maxZ = maxZ;
  return index;
}

/** Frees a shape that no collider uses, and its blob. */
export function removeShape(index: u32): void {
  const h: Header = header();
  const shape: Shape = shapeAt(index);
  release(shape.dataPtr, shape.dataBytes);
  const generation: u32 = shape.generation + 1;
  memory.fill(changetype<usize>(shape), 0, SHAPE_STRIDE);
  shape.generation = generation;
  shape.users = h.shapeFree;
  h.shapeFree = index;
}
