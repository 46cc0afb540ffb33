// Internal edges: static colliders that lie side by side act as one surface.
//
// Why edges are felt: a body that moves over a row of boxes sinks some micrometers into the box it is on, so it meets the side
// face of the next one. A sphere meets the edge of the next box too early, with a tilted normal. Neither contact belongs to the
// surface of both boxes.
//
// A manifold of the body B with the collider T is internal if a neighbor K takes its place:
//   - K touches B, with the normal m (from K to B), and T does not rise above K's plane along m. B is on the far side of that
//     plane, so T can only push B as K does already, along m.
//   - K rises above T's plane along T's normal n. So n is not a normal of the union of both (it is outside the normal cone of K).
//   - The points of the manifold lie on K: the two meet there, with no gap for B to dip into.
// Such a manifold is dropped. A manifold that reaches beyond K may support B there. It is kept, with normal m if n is m except
// for a small angle, unless n is far from m. A wall on a floor, a curb and a stair rise above the plane of the floor; of two
// colliders at most one replaces the other. Faces in one plane go a step further (shared_faces.ts).
//
// Meshes use the same normal cones (narrowphase/surface.ts). Here neighbors are not known in advance but found in the tree of
// statics, and the cones follow from support functions. The idea of correcting the normals of internal edges: Bullet's
// btInternalEdgeUtility (Coumans), "enhanced internal edge removal" of Jolt Physics (Rouwé).
// Input: the narrow phase's output for one pair, poses in the contact scratch. Output: the same with fewer manifolds.
import {
  AHEAD_OUTPUTS,
  BODY_CENTER_STRIDE,
  BoxTree,
  Collider,
  Header,
  K_CACHE,
  K_COLUMNS,
  K_OUTPUTS,
  K_REL,
  K_SUPPORT,
  MANIFOLD_OUT_STRIDE,
  ManifoldOut,
  NONE,
  Neighborhood,
  OUTPUTS,
  PairCold,
  SHAPE_BOX,
  SHAPE_HULL,
  SHAPE_MESH,
  Shape,
  SupportRow,
  T_SUPPORT,
} from '../layout.generated';
import { colliderAt, isDynamic } from '../bodies/rows';
import { queryTree } from '../broadphase/bvh4';
import { broadphaseState } from '../broadphase/state';
import { pairCold } from '../constraints/pair_rows';
import { dot3 } from '../math/lane';
import { inverseRotate3, rotate3 } from '../math/quat';
import { withW3 } from '../math/vec3';
import { header } from '../memory/header';
import { collide } from '../narrowphase/dispatch';
import { supportCore, writeSupport } from '../narrowphase/support';
import {
  FLUSH,
  SAME_NORMAL,
  endBeside,
  holds,
  neighborhoodOf,
  normalOf,
  placeNeighbor,
  pointOf,
  shapeOf,
  storePose,
} from './neighbors';
import { BORNE_BESIDE, PLANE, isAbove, restingNormal, shareFace, shareNothing } from './shared_faces';
import { contactState } from '../scratch/contact_state';

// A normal farther than this (cosine) from that of the neighbor carries nothing against it: one common point is enough.
const CROSS_NORMAL: f32 = 0.7;
// Rounding of supports, as a fraction of the extents.
const ROUNDING: f32 = 1e-6;

/** Height of a shape above its origin along the world direction d: its core is at `row`, its world rotation at `columns`. */
function rise(row: usize, columns: usize, d: v128): f32 {
  const local: v128 = inverseRotate3(columns, d);
  return dot3(supportCore(row, local), local) + changetype<SupportRow>(row).margin;
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
  const end: u32 = endBeside(c, indexK);
  if (end == NONE) return;
  const first: bool = (end & 1) != 0;
  const cold: PairCold = pairCold(end >> 1);
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
      if (first) storePose(scratch + K_REL, columnsK, c.columnsB, inverseRotate3(columnsK, d));
      else storePose(scratch + K_REL, c.columnsB, columnsK, inverseRotate3(c.columnsB, f32x4.neg(d)));
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

/**
 * Drops the manifolds of the pair at hand that static neighbors cover and corrects normals, see the head of the file. `found`
 * manifolds lie at OUTPUTS, the poses of the pair in the scratch; `margin` is the one they were made with. Returns how many
 * are left; with none, the first output's gap is `gap`, its pad0 BORNE_BESIDE where T touches B for all that. `found` may be
 * 0 if the pair has manifolds.
 */
export function dropInternalEdges(cold: PairCold, ca: Collider, cb: Collider, found: u32, margin: f32, gap: f32): u32 {
  const statics: BoxTree = changetype<BoxTree>(<usize>broadphaseState().statics);
  if (statics.leafCount - statics.empty < 2) return found;
  const dynamicA: bool = isDynamic(ca.body);
  if (dynamicA && isDynamic(cb.body)) return found;
  const near: Neighborhood | null = neighborhoodOf(cold, ca, cb, margin);
  if (near === null) return found;
  const c: Neighborhood = near;
  const s: usize = contactState();
  const outs: usize = s + OUTPUTS;
  const n: v128 = found != 0 ? normalOf(c, outs) : f32x4.splat(0);
  // Outputs on planes that T shares: the plane that B lies on, and the plane that was found.
  const atRest: usize = s + AHEAD_OUTPUTS,
    atFound: usize = atRest + MANIFOLD_OUT_STRIDE;
  let aside: u32 = 0,
    shared: u32 = NONE;
  if (c.shapeT.type == SHAPE_BOX || c.shapeT.type == SHAPE_HULL) {
    const rest: v128 = restingNormal(c, n);
    if (dot3(rest, rest) != 0) {
      const resting: u32 = shareFace(c, rest, atRest);
      // B is above that plane, and T does not rise above it: they can meet nowhere else.
      if (resting != NONE && isAbove(c)) {
        memory.copy(outs, atRest, MANIFOLD_OUT_STRIDE);
        if (resting == 0) leaveBare(outs, gap, dot3(rest, n) > SAME_NORMAL);
        return resting;
      }
      if (resting != NONE && dot3(rest, n) < <f32>0.9) aside = resting;
    }
    if (found == 1) shared = shareFace(c, n, atFound);
  }
  c.flush = shared != NONE ? PLANE : 0;
  let left: u32 = found != 0 ? dropCovered(c, outs, found) : 0;
  const touching: bool = left != 0;
  if (shared != NONE) {
    if (touching) {
      left = shared;
      memory.copy(outs, atFound, MANIFOLD_OUT_STRIDE);
    } else {
      shareNothing(c); // the sides of tiles below a body are in one plane, too
    }
  }
  if (aside != 0) memory.copy(outs + <usize>left * MANIFOLD_OUT_STRIDE, atRest, MANIFOLD_OUT_STRIDE);
  if (found != 0 && left + aside == 0) leaveBare(outs, gap, touching);
  return left + aside;
}

/** Writes the output of a pair whose manifolds are all dropped; `touching`: the tiles beside T carry the points of B on it. */
function leaveBare(outs: usize, gap: f32, touching: bool): void {
  changetype<ManifoldOut>(outs).gap = gap;
  changetype<ManifoldOut>(outs).pad0 = touching ? BORNE_BESIDE : 0;
}

/** Drops the manifolds of the pair at hand that neighbors cover; returns how many are left. */
function dropCovered(c: Neighborhood, outs: usize, found: u32): u32 {
  const h: Header = header();
  const statics: BoxTree = changetype<BoxTree>(<usize>broadphaseState().statics);
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
