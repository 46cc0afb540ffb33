// Faces in one plane: a body on several tiles gets the contact points that it would have on the whole plane.
//
// Faces of boxes and hulls belong together if they look the same way, are flush and of one material. B gets its points on the
// whole plane, however that is cut into tiles, and each tile carries the points that lie on it. If every tile had points of its
// own, soft contacts would sag more or less at every seam. The plane ends at the rectangle around the tiles that B may touch. If
// a point of B falls into a notch or a hole of it, all tiles keep their own points.
//
// A point moves to the next tile, with its impulse, when that tile is tested (transfer.ts); until then its old tile keeps it. So
// each point is carried exactly once at any time. The points are found once per pair walk for all tiles under a body: a plate on
// thousands of tiles looks at each of them once, and all use exactly the same points.
// Input: a pair (neighbors.ts) and a possible direction of its contact. Output: its manifold of points on the plane.
import { colliderAt } from '../bodies/rows';
import { boxesOverlap } from '../broadphase/broadphase';
import { manifoldAt } from '../constraints/manifolds';
import { firstEnd, nextEnd } from '../constraints/pair_lists';
import { pairCold } from '../constraints/pair_rows';
import {
  Collider,
  FACE_ANCHORS,
  FACE_POINTS,
  K_CACHE,
  K_COLUMNS,
  K_OUTPUTS,
  K_REL,
  ManifoldOut,
  NONE,
  Neighborhood,
  PairCold,
  Rotation,
  SHAPE_BOX,
  SHAPE_HULL,
  SHARED_FACES,
  SHARED_FACE_COUNT,
  SHARED_FACE_STRIDE,
  Shape,
  SharedFace,
  WIDE_SHAPE,
} from '../layout.generated';
import { cross3, dot3, vec3W } from '../math/lane';
import { inverseRotate3, rotate3 } from '../math/quat';
import { addScaled3, perpendicular3, w3, withW3, x3, y3, z3 } from '../math/vec3';
import { collide } from '../narrowphase/dispatch';
import { facePlane, facePolygon, polygonBufferA, polyhedronOf, supportFace } from '../narrowphase/polyhedron';
import { contactMarks, contactState } from '../scratch/contact_state';
import { SAME_NORMAL, endBeside, fixedAt, holds, placeNeighbor, shapeOf, storePose } from './neighbors';
import { pointNear, reachOf } from './transfer';

/** ManifoldOut.pad0: the pair touches; the tiles beside it carry the points of B on it that are not in the output. */
export const BORNE_BESIDE: u32 = 0x10000;
/** Faces have one plane in common where their normals differ by less than this and they are flush to PLANE (m). */
export const PARALLEL: f32 = 1e-5;
export const PLANE: f32 = 2e-5;
// A body that touches T with a normal that differs from a face's by less than this may lie on the plane of that face.
const FACING: f32 = 0.4;

/** Starts a new walk: bodies have moved, so earlier results are void. */
export function forgetSharedFaces(): void {
  contactMarks().sharedFaceWalk++;
}

/** Face of a polyhedron whose normal is n (unit, its frame) but for a difference of less than `slack`; NONE if none is. */
function faceAlong(blob: usize, n: v128, slack: f32): u32 {
  const face: u32 = supportFace(blob, x3(n), y3(n), z3(n));
  const e: v128 = f32x4.sub(facePlane(blob, face), n);
  return dot3(e, e) < slack * slack ? face : NONE;
}

function faceOf(b: u32): SharedFace {
  return changetype<SharedFace>(contactState() + SHARED_FACES + <usize>(b % SHARED_FACE_COUNT) * SHARED_FACE_STRIDE);
}

/**
 * Returns the world normal of a plane that B may lie on: the plane that it shared in this walk or the last, else that of a
 * contact with a fixed collider other than n; 0 if there is none.
 */
export function restingNormal(c: Neighborhood, n: v128): v128 {
  const f: SharedFace = faceOf(c.indexB);
  if (f.b == c.indexB && f.count != 0 && contactMarks().sharedFaceWalk - f.walk < 2) return withW3(f.plane, 0);
  for (let end: u32 = firstEnd(c.indexB); end != NONE; end = nextEnd(end)) {
    const index: u32 = pairCold(end >> 1).manifold;
    if (index == NONE || fixedAt(end) === null) continue;
    const m: v128 = withW3(manifoldAt(index).n, 0);
    const up: v128 = (end & 1) != 0 ? m : f32x4.neg(m);
    if (dot3(up, n) < <f32>0.9) return up;
  }
  return f32x4.splat(0);
}

/** Whether nothing is kept where a collider would keep a shared face, of this walk or of another collider. */
export function keepsNoFace(b: u32): bool {
  const f: SharedFace = faceOf(b);
  return f.count == 0 && (f.b == b || f.walk != contactMarks().sharedFaceWalk);
}

/** The plane that was shared just now is none in this walk. */
export function shareNothing(c: Neighborhood): void {
  faceOf(c.indexB).count = 0;
}

/** Whether all of B is above the plane that was shared just now, except for the depth to which it may sink in. */
export function isAbove(c: Neighborhood): bool {
  return faceOf(c.indexB).least >= -c.near;
}

/**
 * Face of the collider k on the plane of `f`, NONE if it has none or is of another material than the tile of `f`; its
 * polyhedron is that of slot 0, its pose that of the neighbor.
 */
function flushFace(c: Neighborhood, f: SharedFace, k: Collider): u32 {
  const shape: Shape = shapeOf(k);
  if (shape.type != SHAPE_BOX && shape.type != SHAPE_HULL) return NONE;
  const t: Collider = colliderAt(f.tile);
  if (k.friction != t.friction || k.restitution != t.restitution || k.combine != t.combine) return NONE;
  c.originK = placeNeighbor(c, k);
  const blob: usize = polyhedronOf(changetype<usize>(shape), 0);
  const face: u32 = faceAlong(blob, inverseRotate3(changetype<usize>(c) + K_COLUMNS, f.plane), PARALLEL);
  if (face == NONE) return NONE;
  const height: f32 = w3(facePlane(blob, face)) + dot3(f.plane, f32x4.sub(c.originK, c.originB));
  return abs<f32>(height - w3(f.plane)) <= PLANE ? face : NONE;
}

/** Point j on the plane, in world axes about the origin of T. */
function onPlane(c: Neighborhood, f: SharedFace, j: u32): v128 {
  const p: v128 = v128.load(changetype<usize>(f) + ((<usize>j) << 4), FACE_POINTS);
  return withW3(addScaled3(f32x4.add(c.originB, rotate3(c.columnsB, p)), f.plane, -w3(p)), 0);
}

function bearerOf(f: SharedFace, j: u32): u32 {
  return load<u32>(changetype<usize>(f) + ((<usize>j) << 2), offsetof<SharedFace>('bearer0'));
}
function setBearer(f: SharedFace, j: u32, k: u32, settled: bool): void {
  store<u32>(changetype<usize>(f) + ((<usize>j) << 2), k, offsetof<SharedFace>('bearer0'));
  const bit: u32 = 1 << j;
  f.settled = settled ? f.settled | bit : f.settled & ~bit;
}

/** Whether the pair at `end` of B has point j. */
function hasPoint(c: Neighborhood, f: SharedFace, end: u32, j: u32): bool {
  const at: v128 = v128.load(changetype<usize>(f) + ((<usize>j) << 4), FACE_ANCHORS);
  return pointNear(end, at, f.plane, reachOf(c.shapeB)) != NONE;
}

/**
 * The points of B on the part of the plane of `f` around the tiles. Columns of the frame of that part: u, normal, v; its origin
 * is beside that of B. False if B has no contact with it alone.
 */
function findPoints(c: Neighborhood, f: SharedFace): bool {
  const scratch: usize = changetype<usize>(c);
  const n: v128 = withW3(f.plane, 0),
    under: f32 = w3(f.plane);
  // Along the axes of T if the plane is: exact where the world is.
  const local: v128 = f32x4.abs(inverseRotate3(c.columnsT, n));
  const largest: f32 = max<f32>(x3(local), max<f32>(y3(local), z3(local)));
  const axis: usize = x3(local) == largest ? 1 : y3(local) == largest ? 2 : 0;
  const u: v128 = largest > 1 - 1e-6 ? withW3(v128.load(c.columnsT + (axis << 4)), 0) : perpendicular3(n);
  const v: v128 = cross3(u, n);
  const far: f32 = 2 * c.shapeB.extent + c.margin;
  let lowU: f32 = far,
    lowV: f32 = far,
    highU: f32 = -far,
    highV: f32 = -far;
  let tiles: u32 = 0;
  for (let end: u32 = firstEnd(c.indexB); end != NONE; end = nextEnd(end)) {
    const k: Collider | null = fixedAt(end);
    if (k === null) continue;
    const face: u32 = flushFace(c, f, k);
    if (face == NONE) continue;
    tiles++;
    const polygon: usize = polygonBufferA();
    const last: usize = polygon + ((<usize>facePolygon(polyhedronOf(changetype<usize>(shapeOf(k)), 0), face, polygon)) << 4);
    const center: v128 = f32x4.sub(c.originK, c.originB);
    for (let at: usize = polygon; at < last; at += 16) {
      const p: v128 = f32x4.add(center, rotate3(scratch + K_COLUMNS, v128.load(at)));
      const pu: f32 = dot3(u, p),
        pv: f32 = dot3(v, p);
      lowU = min<f32>(lowU, pu);
      lowV = min<f32>(lowV, pv);
      highU = max<f32>(highU, pu);
      highV = max<f32>(highV, pv);
    }
  }
  if (tiles < 2) return false;
  lowU = max<f32>(lowU, -far);
  lowV = max<f32>(lowV, -far);
  highU = min<f32>(highU, far);
  highV = min<f32>(highV, far);
  if (lowU >= highU || lowV >= highV) return false;

  const thick: f32 = max<f32>(abs<f32>(under), 0.25 * c.shapeB.extent);
  const wide: Shape = changetype<Shape>(scratch + WIDE_SHAPE);
  wide.type = SHAPE_BOX;
  wide.p0 = 0.5 * (highU - lowU);
  wide.p1 = thick;
  wide.p2 = 0.5 * (highV - lowV);
  wide.extent = wide.p0 + thick + wide.p2;
  const d: v128 = vec3W(-0.5 * (highU + lowU), thick - under, -0.5 * (highV + lowV)); // to B, in the frame of the box
  const rel: usize = scratch + K_REL,
    columns: usize = scratch + K_COLUMNS,
    out: usize = scratch + K_OUTPUTS;
  const axes = changetype<Rotation>(columns);
  axes.x = u;
  axes.y = n;
  axes.z = v;
  store<u32>(scratch + K_CACHE, 0);
  const shapeB: usize = changetype<usize>(c.shapeB);
  const round: bool = c.shapeB.type < SHAPE_BOX;
  let found: u32;
  if (round) {
    storePose(rel, c.columnsB, columns, f32x4.neg(inverseRotate3(c.columnsB, rotate3(columns, d))));
    found = collide(shapeB, changetype<usize>(wide), rel, out, scratch + K_CACHE, c.margin);
  } else {
    storePose(rel, columns, c.columnsB, d);
    found = collide(changetype<usize>(wide), shapeB, rel, out, scratch + K_CACHE, c.margin);
  }
  const result: ManifoldOut = changetype<ManifoldOut>(out);
  if (found != 1 || result.count == 0) return false;
  const m: v128 = v128.load(out, offsetof<ManifoldOut>('nx'));
  if ((round ? -dot3(rotate3(c.columnsB, m), n) : y3(m)) < SAME_NORMAL) return false;
  f.gap = result.gap;
  f.feature = result.feature;
  f.count = result.count;
  f.least = f32.MAX_VALUE;
  for (let j: u32 = 0; j < result.count; j++) {
    const at: usize = (<usize>j) << 4;
    const raw: v128 = v128.load(out + at, offsetof<ManifoldOut>('x0'));
    const s: f32 = w3(raw);
    f.least = min<f32>(f.least, s);
    const p: v128 = round ? raw : inverseRotate3(rel, f32x4.sub(addScaled3(raw, m, s), d));
    v128.store(changetype<usize>(f) + at, withW3(p, s), FACE_POINTS);
    const arm: v128 = f32x4.add(f32x4.sub(c.originB, c.centerB), rotate3(c.columnsB, p));
    v128.store(changetype<usize>(f) + at, inverseRotate3(c.bodyB, withW3(arm, 0)), FACE_ANCHORS);
  }
  return true;
}

/** Makes `f` for the plane that it names: points, and which tiles have them. */
function makeFace(c: Neighborhood, f: SharedFace): void {
  f.count = 0;
  f.settled = 0;
  if (!findPoints(c, f)) {
    f.count = 0;
    return;
  }
  let covered: u32 = 0;
  for (let j: u32 = 0; j < f.count; j++) setBearer(f, j, NONE, false);
  for (let end: u32 = firstEnd(c.indexB); end != NONE; end = nextEnd(end)) {
    const k: Collider | null = fixedAt(end);
    if (k === null || flushFace(c, f, k) == NONE) continue;
    const cold: PairCold = pairCold(end >> 1);
    for (let j: u32 = 0; j < f.count; j++) {
      const p: v128 = f32x4.sub(onPlane(c, f, j), c.originK);
      const on: bool = holds(shapeOf(k), inverseRotate3(changetype<usize>(c) + K_COLUMNS, p), c.near);
      if (on) covered |= 1 << j;
      if (cold.manifold == NONE || (!on && bearerOf(f, j) != NONE) || !hasPoint(c, f, end, j)) continue;
      setBearer(f, j, (end & 1) != 0 ? cold.colliderA : cold.colliderB, on);
    }
  }
  if (covered != <u32>(1 << f.count) - 1) f.count = 0;
}

/**
 * Writes the points of B on the plane of T that faces along `near` (world), and of the tiles beside it, as far as T carries them,
 * to the output at `to`. Returns the number of manifolds; NONE if there is no such plane: nothing was changed.
 */
export function shareFace(c: Neighborhood, near: v128, to: usize): u32 {
  const first: u32 = firstEnd(c.indexB);
  if (nextEnd(first) == NONE) return NONE; // nothing is beside T
  const blob: usize = polyhedronOf(changetype<usize>(c.shapeT), 0);
  const face: u32 = faceAlong(blob, inverseRotate3(c.columnsT, near), FACING);
  if (face == NONE) return NONE;
  const plane: v128 = facePlane(blob, face);
  const n: v128 = withW3(rotate3(c.columnsT, plane), 0);
  const o: v128 = c.originB;
  const up: f64 = <f64>x3(n) * <f64>x3(o) + <f64>y3(n) * <f64>y3(o) + <f64>z3(n) * <f64>z3(o);
  const height: f32 = <f32>(<f64>w3(plane) - up);
  const walk: u32 = contactMarks().sharedFaceWalk;
  const f: SharedFace = faceOf(c.indexB);
  const e: v128 = f32x4.sub(f.plane, n);
  const t: Collider = c.t;
  let known: bool =
    f.walk == walk && f.b == c.indexB && dot3(e, e) < PARALLEL * PARALLEL && abs<f32>(height - w3(f.plane)) <= PLANE;
  if (known && f.tile != c.indexT) {
    const k: Collider = colliderAt(f.tile);
    known = k.friction == t.friction && k.restitution == t.restitution && k.combine == t.combine;
  }
  if (!known) {
    f.plane = withW3(n, height);
    f.b = c.indexB;
    f.tile = c.indexT;
    f.walk = walk;
    makeFace(c, f);
  }
  if (f.count == 0) return NONE;

  const out: ManifoldOut = changetype<ManifoldOut>(to);
  const step: f32 = w3(f.plane) - height; // T lies lower by this
  let count: u32 = 0;
  for (let j: u32 = 0; j < f.count; j++) {
    const p: v128 = onPlane(c, f, j);
    const on: bool = holds(c.shapeT, inverseRotate3(c.columnsT, p), c.near);
    const k: u32 = bearerOf(f, j);
    if (k != NONE && k != c.indexT && (!on || (f.settled & (1 << j)) != 0)) {
      const end: u32 = endBeside(c, k);
      if (end != NONE && boxesOverlap(k, c.indexB) && hasPoint(c, f, end, j)) continue; // or that pair ends in this walk
    }
    setBearer(f, j, c.indexT, on);
    const local: v128 = inverseRotate3(c.columnsT, p);
    const onT: v128 = addScaled3(local, plane, w3(plane) - dot3(plane, local)); // exactly
    const row: v128 = v128.load(changetype<usize>(f) + ((<usize>j) << 4), FACE_POINTS);
    v128.store(to + ((<usize>count) << 4), withW3(c.dynamicA ? row : onT, w3(row) + step), offsetof<ManifoldOut>('x0'));
    count++;
  }
  const m: v128 = c.dynamicA ? inverseRotate3(c.columnsB, f32x4.neg(n)) : plane;
  out.nx = x3(m);
  out.ny = y3(m);
  out.nz = z3(m);
  out.feature = f.feature;
  out.gap = f.gap;
  out.count = count;
  return count != 0 ? 1 : 0;
}
