// Internal edges: static colliders that lie side by side are felt as one surface.
//
// A body that moves over a row of boxes sinks some micrometers into the one it is on, and so meets the side face of the next
// one; a sphere meets its edge ahead of time, with a normal that is tilted against it. Neither belongs to the surface of both.
//
// A manifold of the body B with the collider T is internal if a neighbor K takes its place:
//   - K touches B, with the normal m (from K to B), and T does not rise above K's plane along m: B is on the far side of that
//     plane, so all that T can do to B is what K does already, along m;
//   - K rises above T's plane along T's normal n: n is no normal of the union of both (it is outside the normal cone of K);
//   - the points of the manifold lie on K: the two meet there, with no gap for B to dip into.
// Such a manifold is dropped. One that reaches beyond K may carry B there: it is kept, with m for its normal if n is m but for
// a small angle, unless n is far from m. A wall on a floor, a curb and a stair rise above the plane of the floor, and of two
// colliders at most one gives way to the other.
//
// Boxes with one plane in common go farther (shareFace): the points of B are those that it has on the whole plane, wherever the
// boxes are cut, and each box bears those that lie on it. Otherwise soft contacts would sag by more or less with every seam.
// A point goes over to the next box with its impulse, when that box is tested; until then the one that had it keeps it. So each
// is borne once, at any time.
//
// The normal cones are what meshes use (narrowphase/surface.ts); here neighbors are not known in advance but found in the
// tree of statics, and the cones follow from support functions. The idea of correcting the normals of internal edges: Bullet's
// btInternalEdgeUtility (Coumans), "enhanced internal edge removal" of Jolt Physics (Rouwé).
// Input: the narrow phase's output for one pair, poses in the contact scratch. Output: the same with fewer manifolds; points that
// other pairs have given up.
import {
  BODY_CENTER_STRIDE,
  BODY_COLD_STRIDE,
  BODY_DYNAMIC,
  BODY_STATIC,
  BodyCold,
  COLLIDER_ALIGNED,
  COLLIDER_STRIDE,
  Collider,
  Header,
  MANIFOLD_OUT_STRIDE,
  Manifold,
  ManifoldOut,
  NONE,
  PAIR_COLD_STRIDE,
  PairCold,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_SPHERE,
  SHAPE_STRIDE,
  HullBlob,
  Shape,
} from '../layout.generated';
import { FLAG_TYPE } from '../bodies/integrate';
import { queryTree } from '../broadphase/bvh4';
import { firstEnd, nextEnd } from '../broadphase/pair_lists';
import { findPair } from '../broadphase/pair_map';
import { Tree, broadphaseState } from '../broadphase/state';
import { dot3, vec3W } from '../math/lane';
import { inverseRotate3, rotate3, storeRotation } from '../math/quat';
import { addScaled3, withW3, x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { collide } from '../narrowphase/dispatch';
import { fetchLane, markLane, releaseLane } from '../solver/lanes';
import { unwatch } from './impacts';
import { ManifoldPoint, POINT_STRIDE, freeManifold, manifoldAt, pointOf as manifoldPoint, setContactCount } from './manifolds';
import { SUPPORT_ROW_STRIDE, SupportRow, supportCore, writeSupport } from '../narrowphase/support';
import {
  AHEAD_OUTPUTS,
  BODY_A_COLUMNS,
  BODY_B_COLUMNS,
  GIVEN_UP,
  GIVEN_UP_COUNT,
  INTERNAL_EDGES,
  INTERNAL_EDGES_BYTES,
  MAX_GIVEN_UP,
  MAX_OUTPUTS,
  OUTPUTS,
  REL_POSE,
  SHAPE_A_COLUMNS,
  SHAPE_B_COLUMNS,
  contactState,
} from './state';

// A collider that rises above its neighbor by less than this (m) is flush with it.
const FLUSH: f32 = 5e-4;
// A point lies on the neighbor within this fraction of the size of B (extent), up to a bound (m): no gap that B would feel.
const ON_FRACTION: f32 = 0.01;
const ON_MAX: f32 = 5e-3;
// Normals nearer than this (cosine of 2 mrad, the slack of meshes) are one and the same.
const SAME_NORMAL: f32 = 0.999998;
// A normal farther than this (cosine) from that of the neighbor carries nothing against it: one common point is enough.
const CROSS_NORMAL: f32 = 0.7;
// Boxes have one plane in common where they are parallel to this (sine) and flush to this (m).
const PARALLEL: f32 = 1e-5;
// What touches T with a normal nearer to a face than this (sine) may lie on the plane of that face.
const FACING: f32 = 0.4;
const PLANE: f32 = 2e-5;
/** ManifoldOut.pad0: the pair touches; what of B lies on it is borne by the boxes beside it, if not in the output. */
export const BORNE_BESIDE: u32 = 0x10000;
// Rounding of supports, as a fraction of the extents.
const ROUNDING: f32 = 1e-6;

/** The pair at hand and the neighbor that is looked at; all vectors in world axes about the origin of T's shape. */
@unmanaged
class Neighborhood {
  originB: v128; // origin of the shape of B
  t: Collider;
  shapeT: Shape;
  shapeB: Shape;
  columnsT: usize; // world rotations of the shapes
  columnsB: usize;
  columnsA: usize;
  originT: v128; // from the center of mass of T's body to T's shape
  indexB: u32; // collider
  dynamicA: bool; // B is A of the pair
  hasSupport: bool; // the support row of T is written
  margin: f32;
  near: f32; // a point nearer than this to a neighbor lies on it
  bodyB: usize; // world rotation of the body of B
  flush: f32; // what rises above T by less is on one plane with it
  centerB: v128; // its center of mass
}
// Offsets in the block INTERNAL_EDGES of the contact scratch.
const K_COLUMNS: usize = 128; // world rotation of the shape of K
const K_BODY: usize = 176; // world rotation of the body of K
const K_REL: usize = 224; // RelPose of the pair of K and B
const T_SUPPORT: usize = 272;
const K_SUPPORT: usize = 304;
const K_CACHE: usize = 336; // copy of the axis cache of that pair
const K_OUTPUTS: usize = 352; // ManifoldOut[MAX_OUTPUTS]
const WIDE_SHAPE: usize = K_OUTPUTS + MANIFOLD_OUT_STRIDE * <usize>MAX_OUTPUTS; // T without its borders
if (offsetof<Neighborhood>() > K_COLUMNS || T_SUPPORT + SUPPORT_ROW_STRIDE != K_SUPPORT) ERROR('scratch of internal edges');
if (WIDE_SHAPE + SHAPE_STRIDE > INTERNAL_EDGES_BYTES) ERROR('scratch of internal edges');

function colliderAt(index: u32): Collider {
  return changetype<Collider>(<usize>header().colliders + <usize>index * COLLIDER_STRIDE);
}
function shapeOf(c: Collider): Shape {
  return changetype<Shape>(<usize>header().shapes + <usize>c.shape * SHAPE_STRIDE);
}
function typeOf(body: u32): u32 {
  return changetype<BodyCold>(<usize>header().bodyColds + <usize>body * BODY_COLD_STRIDE).flags & FLAG_TYPE;
}
function isDynamic(body: u32): bool {
  return typeOf(body) == BODY_DYNAMIC;
}

/** Height of a shape above its origin along the world direction d: its core is at `row`, its world rotation at `columns`. */
function rise(row: usize, columns: usize, d: v128): f32 {
  const local: v128 = inverseRotate3(columns, d);
  return dot3(supportCore(row, local), local) + changetype<SupportRow>(row).margin;
}

/** Whether the point p (frame of the shape) is in the convex shape grown by `tolerance`. */
function holds(shape: Shape, p: v128, tolerance: f32): bool {
  const x: f32 = x3(p),
    y: f32 = y3(p),
    z: f32 = z3(p);
  const p0: f32 = shape.p0,
    p1: f32 = shape.p1;
  switch (shape.type) {
    case SHAPE_BOX:
      return abs<f32>(x) <= p0 + tolerance && abs<f32>(y) <= p1 + tolerance && abs<f32>(z) <= shape.p2 + tolerance;
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE: {
      const over: f32 = shape.type == SHAPE_CAPSULE ? max<f32>(0, abs<f32>(y) - p1) : y;
      return sqrt<f32>(x * x + over * over + z * z) <= p0 + tolerance;
    }
    case SHAPE_CYLINDER:
      return abs<f32>(y) <= p1 + tolerance && sqrt<f32>(x * x + z * z) <= p0 + tolerance;
    case SHAPE_CONE: {
      // Distance to the side is along its normal (2 p1, p0) / side.
      const side: f32 = sqrt<f32>(p0 * p0 + 4 * p1 * p1);
      const over: f32 = (2 * p1 * sqrt<f32>(x * x + z * z) + p0 * (y - p1)) / side;
      return y >= -p1 - tolerance && over <= tolerance;
    }
    case SHAPE_HULL: {
      const blob: usize = <usize>shape.dataPtr;
      const h = changetype<HullBlob>(blob);
      let plane: usize = blob + <usize>h.planesOffset;
      const end: usize = plane + ((<usize>h.faceCount) << 4);
      for (; plane < end; plane += 16) if (dot3(v128.load(plane), p) - load<f32>(plane, 12) > tolerance) return false;
      return true;
    }
  }
  return false;
}

/** Writes the world columns of the shape of K; returns its origin. */
function placeNeighbor(c: Neighborhood, k: Collider): v128 {
  const h: Header = header();
  const columns: usize = changetype<usize>(c) + K_COLUMNS,
    body: usize = changetype<usize>(c) + K_BODY;
  const pt: usize = <usize>h.bodyCenters + <usize>c.t.body * BODY_CENTER_STRIDE,
    pk: usize = <usize>h.bodyCenters + <usize>k.body * BODY_CENTER_STRIDE;
  // High and low parts of the centers.
  let d: v128 = f32x4.add(f32x4.sub(v128.load(pk), v128.load(pt)), f32x4.sub(v128.load(pk, 16), v128.load(pt, 16)));
  storeRotation(v128.load(<usize>h.rotations + ((<usize>k.body) << 4)), body);
  if ((k.flags & COLLIDER_ALIGNED) != 0) {
    memory.copy(columns, body, 48);
  } else {
    const at: usize = changetype<usize>(k);
    storeRotation(v128.load(at, offsetof<Collider>('qx')), columns);
    for (let i: usize = 0; i < 48; i += 16) v128.store(columns + i, rotate3(body, v128.load(columns + i)));
    d = f32x4.add(d, rotate3(body, v128.load(at, offsetof<Collider>('x'))));
  }
  return withW3(f32x4.sub(d, c.originT), 0);
}

/** RelPose of a shape (columns q) in the frame of another (columns p), `d` from that to this in world axes. */
function storeRelative(rel: usize, p: usize, q: usize, d: v128): void {
  const t: v128 = inverseRotate3(p, d);
  for (let i: usize = 0; i < 48; i += 16) v128.store(rel + i, inverseRotate3(p, v128.load(q + i)));
  store<f32>(rel, x3(t), 12);
  store<f32>(rel, y3(t), 28);
  store<f32>(rel, z3(t), 44);
}

/** Normal of a manifold of the pair at hand, from T to B. */
function normalOf(c: Neighborhood, out: usize): v128 {
  const n: v128 = rotate3(c.columnsA, v128.load(out, offsetof<ManifoldOut>('nx')));
  return withW3(c.dynamicA ? f32x4.neg(n) : n, 0);
}

/** Point j of a manifold of the pair at hand, on T. */
function pointOf(c: Neighborhood, out: usize, j: u32): v128 {
  const raw: v128 = v128.load(out + ((<usize>j) << 4), offsetof<ManifoldOut>('x0'));
  if (!c.dynamicA) return withW3(rotate3(c.columnsA, raw), 0);
  const onB: v128 = addScaled3(raw, v128.load(out, offsetof<ManifoldOut>('nx')), f32x4.extract_lane(raw, 3));
  return withW3(f32x4.add(c.originB, rotate3(c.columnsA, onB)), 0);
}

/**
 * Looks at neighbor `indexK` of the pair at hand: marks the points of the `found` manifolds at `outs` that it covers in pad0
 * (all of them where one is enough) and turns normals that are nearly its own.
 */
function coverBy(c: Neighborhood, indexK: u32, outs: usize, found: u32): void {
  const scratch: usize = changetype<usize>(c);
  const h: Header = header();
  const k: Collider = colliderAt(indexK);
  const shapeK: Shape = shapeOf(k);
  if (shapeK.type >= SHAPE_MESH) return;
  // K counts only if it collides with B: then their fat boxes made a pair.
  const typeK: u32 = shapeK.type,
    typeB: u32 = c.shapeB.type;
  const first: bool = typeK == typeB ? indexK < c.indexB : typeK < typeB;
  const pair: u32 = first ? findPair(indexK, c.indexB) : findPair(c.indexB, indexK);
  if (pair == NONE) return;
  const cold: PairCold = changetype<PairCold>(<usize>h.pairColds + <usize>pair * PAIR_COLD_STRIDE);
  if ((cold.flags & 2) != 0) return;

  const columnsK: usize = scratch + K_COLUMNS,
    rowK: usize = scratch + K_SUPPORT,
    rowT: usize = scratch + T_SUPPORT;
  const originK: v128 = placeNeighbor(c, k);
  if (!c.hasSupport) {
    writeSupport(rowT, changetype<usize>(c.shapeT), false);
    c.hasSupport = true;
  }
  writeSupport(rowK, changetype<usize>(shapeK), false);
  const noise: f32 = max<f32>(c.flush, ROUNDING * (c.shapeT.extent + shapeK.extent));
  let manifolds: u32 = NONE;
  for (let i: u32 = 0; i < found; i++) {
    const out: usize = outs + <usize>i * MANIFOLD_OUT_STRIDE;
    const result = changetype<ManifoldOut>(out);
    const all: u32 = (1 << result.count) - 1;
    if (result.pad0 == all) continue;
    const n: v128 = normalOf(c, out);
    const over: f32 = dot3(n, originK) + rise(rowK, columnsK, n) - rise(rowT, c.columnsT, n);
    if (over <= noise) continue;
    let on: u32 = 0;
    for (let j: u32 = 0; j < result.count; j++) {
      const p: v128 = inverseRotate3(columnsK, f32x4.sub(pointOf(c, out, j), originK));
      if (holds(shapeK, p, c.near)) on |= 1 << j;
    }
    if (on == 0) continue;
    if (manifolds == NONE) {
      // The narrow phase as the pair of K and B has it, on a copy of its cache.
      const d: v128 = f32x4.sub(c.originB, originK);
      if (first) storeRelative(scratch + K_REL, columnsK, c.columnsB, d);
      else storeRelative(scratch + K_REL, c.columnsB, columnsK, f32x4.neg(d));
      store<u32>(scratch + K_CACHE, cold.cache);
      const sa: usize = changetype<usize>(first ? shapeK : c.shapeB),
        sb: usize = changetype<usize>(first ? c.shapeB : shapeK);
      manifolds = collide(sa, sb, scratch + K_REL, scratch + K_OUTPUTS, scratch + K_CACHE, c.margin);
    }
    if (manifolds == 0) return;
    let m: v128 = v128.load(scratch + K_OUTPUTS, offsetof<ManifoldOut>('nx'));
    m = first ? rotate3(columnsK, m) : f32x4.neg(rotate3(c.columnsB, m));
    const above: f32 = max<f32>(0, rise(rowT, c.columnsT, m) - dot3(m, originK) - rise(rowK, columnsK, m));
    if (above > FLUSH || over <= 2 * above + noise) continue;
    const cosine: f32 = dot3(n, m);
    result.pad0 |= cosine < CROSS_NORMAL ? all : on;
    if (cosine > SAME_NORMAL) {
      const turned: v128 = inverseRotate3(c.columnsA, m);
      const kept: f32 = load<f32>(out, offsetof<ManifoldOut>('nx') + 12);
      v128.store(out, withW3(c.dynamicA ? f32x4.neg(turned) : turned, kept), offsetof<ManifoldOut>('nx'));
    }
  }
}

/** Collider at the other end of a pair, which must be fixed and no sensor; null if it is not. */
function fixedAt(end: u32): Collider | null {
  const cold: PairCold = changetype<PairCold>(<usize>header().pairColds + <usize>(end >> 1) * PAIR_COLD_STRIDE);
  const other: Collider = colliderAt((end & 1) != 0 ? cold.colliderA : cold.colliderB);
  return (cold.flags & 2) == 0 && typeOf(other.body) == BODY_STATIC ? other : null;
}

/** How far from each other (m) points of B are one: round shapes roll, corners stay. */
function reachOf(b: Shape): f32 {
  return (b.type == SHAPE_BOX || b.type == SHAPE_HULL ? <f32>0.02 : <f32>0.2) * b.extent;
}

/**
 * The point of the pair at `end` of B near `at` (body frame of B) with the world normal n (towards B): manifold << 2 | index,
 * NONE if there is none.
 */
function pointNear(end: u32, at: v128, n: v128, reach: f32): u32 {
  const ofB: usize = (end & 1) != 0 ? offsetof<ManifoldPoint>('lbx') : 0;
  let k: u32 = changetype<PairCold>(<usize>header().pairColds + <usize>(end >> 1) * PAIR_COLD_STRIDE).manifold;
  let best: f32 = reach * reach;
  let found: u32 = NONE;
  for (; k != NONE; k = manifoldAt(k).next) {
    const m: Manifold = manifoldAt(k);
    const cosine: f32 = dot3(n, v128.load(changetype<usize>(m), offsetof<Manifold>('nx')));
    if (((end & 1) != 0 ? cosine : -cosine) < <f32>0.99) continue;
    for (let i: u32 = 0; i < m.count; i++) {
      const e: v128 = f32x4.sub(v128.load(changetype<usize>(manifoldPoint(m, i)) + ofB), at);
      if (dot3(e, e) >= best) continue;
      best = dot3(e, e);
      found = (k << 2) | i;
    }
  }
  return found;
}

/**
 * A pair gives up manifold `m` in this step: what a fixed collider has borne waits for the one that bears it now. Impulses
 * must be in the manifold.
 */
export function giveUp(cold: PairCold, m: Manifold): void {
  const a: bool = typeOf(m.bodyA) == BODY_STATIC;
  if (!a && typeOf(m.bodyB) != BODY_STATIC) return;
  const n: v128 = withW3(v128.load(changetype<usize>(m), offsetof<Manifold>('nx')), 0);
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = manifoldPoint(m, i);
    if (p.impulse <= 0) continue;
    const count: u32 = givenUp();
    store<u32>(contactState(), count + 1, GIVEN_UP_COUNT);
    const at: usize = contactState() + GIVEN_UP + ((<usize>(count % MAX_GIVEN_UP)) << 5);
    v128.store(at, f32x4.replace_lane(v128.load(changetype<usize>(p) + (a ? offsetof<ManifoldPoint>('lbx') : 0)), 3, p.impulse));
    v128.store(at, f32x4.replace_lane(a ? n : f32x4.neg(n), 3, reinterpret<f32>(a ? cold.colliderB : cold.colliderA)), 16);
  }
}

/** Points given up in this step; the last MAX_GIVEN_UP of them are kept. */
function givenUp(): u32 {
  return load<u32>(contactState(), GIVEN_UP_COUNT);
}

/** A new step: what was given up before is lost. */
export function forgetGivenUp(): void {
  store<u32>(contactState(), 0, GIVEN_UP_COUNT);
}

/** Takes a point that was given up near `at`: its impulse, 0 if there is none. */
function takeGivenUp(b: u32, at: v128, n: v128, reach: f32): f32 {
  let best: f32 = reach * reach,
    found: usize = 0;
  const list: usize = contactState() + GIVEN_UP;
  const count: u32 = min<u32>(givenUp(), MAX_GIVEN_UP);
  for (let i: u32 = 0; i < count; i++) {
    const entry: usize = list + ((<usize>i) << 5);
    if (load<u32>(entry, 28) != b || dot3(v128.load(entry, 16), n) < <f32>0.99) continue;
    const e: v128 = f32x4.sub(v128.load(entry), at);
    if (dot3(e, e) >= best) continue;
    best = dot3(e, e);
    found = entry;
  }
  if (found == 0) return 0;
  store<u32>(found, NONE, 28);
  return load<f32>(found, 12);
}

/**
 * Takes the point of a body near `at` (body frame) from the other fixed colliders that its collider `b` touches: the impulse, 0
 * if none has it. n: world normal towards the body.
 */
export function takeOver(b: u32, t: u32, at: v128, n: v128): f32 {
  const h: Header = header();
  const reach: f32 = reachOf(shapeOf(colliderAt(b)));
  for (let end: u32 = firstEnd(b); end != NONE; end = nextEnd(end)) {
    const cold: PairCold = changetype<PairCold>(<usize>h.pairColds + <usize>(end >> 1) * PAIR_COLD_STRIDE);
    if (cold.manifold == NONE || cold.colliderA == t || cold.colliderB == t) continue;
    const near: u32 = fixedAt(end) === null ? NONE : pointNear(end, at, n, reach);
    if (near == NONE) continue;
    const index: u32 = near >> 2,
      point: u32 = near & 3;
    const m: Manifold = manifoldAt(index);
    if (m.count == 1 && cold.manifold != index) continue; // the last one of a second manifold stays: that is seldom
    fetchLane(index);
    const impulse: f32 = manifoldPoint(m, point).impulse;
    const last: u32 = m.count - 1;
    if (point != last)
      memory.copy(changetype<usize>(manifoldPoint(m, point)), changetype<usize>(manifoldPoint(m, last)), POINT_STRIDE);
    setContactCount(m, last);
    m.maxDrift = -1;
    if (last != 0) {
      if (m.lane != NONE) markLane(index);
      return impulse;
    }
    cold.manifold = m.next;
    releaseLane(index);
    freeManifold(index);
    if (cold.manifold == NONE) unwatch(cold);
    return impulse;
  }
  return takeGivenUp(b, at, n, reach);
}

/**
 * Points of B on the plane of T that faces along `near` (world) and of the boxes beside it, as far as T bears them, to the output
 * at `to`. Returns the number of manifolds; NONE where there is no such plane: nothing was changed.
 */
function shareFace(c: Neighborhood, cold: PairCold, near: v128, to: usize): u32 {
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
function axisOf(n: v128, off: f32): i32 {
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

/**
 * Drops the manifolds of the pair at hand that static neighbors cover and corrects normals, see the head of the file. `found`
 * manifolds lie at OUTPUTS, the poses of the pair in the scratch; `margin` is the one they were made with. Returns how many
 * are left; with none, the first output's gap is `gap`, its pad0 BORNE_BESIDE where T touches B for all that. `found` may be
 * 0 if the pair has manifolds.
 */
export function dropInternalEdges(cold: PairCold, ca: Collider, cb: Collider, found: u32, margin: f32, gap: f32): u32 {
  const statics: Tree = changetype<Tree>(<usize>broadphaseState().statics);
  if (statics.leafCount - statics.empty < 2) return found;
  const dynamicA: bool = isDynamic(ca.body);
  if (dynamicA && isDynamic(cb.body)) return found;
  const h: Header = header();
  const s: usize = contactState();
  const c = changetype<Neighborhood>(s + INTERNAL_EDGES);
  const t: Collider = dynamicA ? cb : ca;
  c.shapeT = shapeOf(t);
  if (c.shapeT.type >= SHAPE_MESH) return found;
  c.t = t;
  c.shapeB = shapeOf(dynamicA ? ca : cb);
  c.indexB = dynamicA ? cold.colliderA : cold.colliderB;
  c.dynamicA = dynamicA;
  c.hasSupport = false;
  c.margin = margin;
  c.near = max<f32>(FLUSH, min<f32>(ON_MAX, ON_FRACTION * c.shapeB.extent));
  c.columnsA = s + SHAPE_A_COLUMNS;
  c.columnsT = s + (dynamicA ? SHAPE_B_COLUMNS : SHAPE_A_COLUMNS);
  c.columnsB = s + (dynamicA ? SHAPE_A_COLUMNS : SHAPE_B_COLUMNS);
  const rel: usize = s + REL_POSE;
  const d: v128 = rotate3(c.columnsA, vec3W(load<f32>(rel, 12), load<f32>(rel, 28), load<f32>(rel, 44)));
  c.originB = dynamicA ? f32x4.neg(d) : d;
  c.originT = f32x4.splat(0);
  if ((t.flags & COLLIDER_ALIGNED) == 0)
    c.originT = rotate3(
      s + (dynamicA ? BODY_B_COLUMNS : BODY_A_COLUMNS),
      v128.load(changetype<usize>(t), offsetof<Collider>('x')),
    );

  c.bodyB = s + (dynamicA ? BODY_A_COLUMNS : BODY_B_COLUMNS);
  c.centerB = c.originB;
  const own: Collider = dynamicA ? ca : cb;
  if ((own.flags & COLLIDER_ALIGNED) == 0)
    c.centerB = f32x4.sub(c.originB, rotate3(c.bodyB, v128.load(changetype<usize>(own), offsetof<Collider>('x'))));

  const outs: usize = s + OUTPUTS;
  // The plane that was found, or the one that B has just left, beside what was found.
  let aside: u32 = 0;
  c.flush = 0;
  if (c.shapeT.type == SHAPE_BOX && found < 2) {
    const n: v128 = found != 0 ? normalOf(c, outs) : f32x4.splat(0);
    const shared: u32 = found != 0 ? shareFace(c, cold, n, outs) : NONE;
    if (shared == 0) {
      changetype<ManifoldOut>(outs).gap = gap;
      if (axisOf(inverseRotate3(c.columnsT, n), PARALLEL) >= 0) changetype<ManifoldOut>(outs).pad0 = BORNE_BESIDE;
      return 0;
    }
    if (shared != NONE) c.flush = PLANE;
    else if (cold.manifold != NONE) {
      let old: v128 = withW3(v128.load(changetype<usize>(manifoldAt(cold.manifold)), offsetof<Manifold>('nx')), 0);
      if (dynamicA) old = f32x4.neg(old);
      if (dot3(old, n) < <f32>0.9) {
        const left: u32 = shareFace(c, cold, old, s + AHEAD_OUTPUTS);
        if (left != NONE) aside = left;
      }
    }
  }
  const left: u32 = found != 0 ? dropCovered(c, outs, found) : 0;
  if (aside != 0) memory.copy(outs + <usize>left * MANIFOLD_OUT_STRIDE, s + AHEAD_OUTPUTS, MANIFOLD_OUT_STRIDE);
  if (found != 0 && left + aside == 0) changetype<ManifoldOut>(outs).gap = gap;
  return left + aside;
}

/** Drops the manifolds of the pair at hand that neighbors cover; returns how many are left. */
function dropCovered(c: Neighborhood, outs: usize, found: u32): u32 {
  const h: Header = header();
  const statics: Tree = changetype<Tree>(<usize>broadphaseState().statics);
  const t: Collider = c.t;
  let low: v128 = f32x4.splat(f32.MAX_VALUE),
    high: v128 = f32x4.splat(-f32.MAX_VALUE);
  for (let i: u32 = 0; i < found; i++) {
    const out: usize = outs + <usize>i * MANIFOLD_OUT_STRIDE;
    changetype<ManifoldOut>(out).pad0 = 0;
    for (let j: u32 = 0; j < changetype<ManifoldOut>(out).count; j++) {
      const p: v128 = pointOf(c, out, j);
      low = f32x4.pmin(low, p);
      high = f32x4.pmax(high, p);
    }
  }
  // Boxes of the tree are rounded to single precision in the world.
  const world: v128 = f32x4.add(v128.load(<usize>h.bodyCenters + <usize>t.body * BODY_CENTER_STRIDE), c.originT);
  const reach: v128 = f32x4.add(f32x4.splat(c.near), f32x4.mul(f32x4.abs(world), f32x4.splat(<f32>2.5e-7)));
  const hits: usize = broadphaseState().hits;
  const near: u32 = queryTree(statics, f32x4.sub(f32x4.add(world, low), reach), f32x4.add(f32x4.add(world, high), reach), hits);
  if (near < 2) return found;
  for (let i: u32 = 0; i < near; i++) {
    const indexK: u32 = load<u32>(hits + ((<usize>i) << 2));
    if (colliderAt(indexK) != t) coverBy(c, indexK, outs, found);
  }
  let left: u32 = 0;
  for (let i: u32 = 0; i < found; i++) {
    const out: usize = outs + <usize>i * MANIFOLD_OUT_STRIDE;
    if (changetype<ManifoldOut>(out).pad0 == <u32>(1 << changetype<ManifoldOut>(out).count) - 1) continue;
    if (left != i) memory.copy(outs + <usize>left * MANIFOLD_OUT_STRIDE, out, MANIFOLD_OUT_STRIDE);
    left++;
  }
  return left;
}
