// Contact candidates of many triangles gathered into manifolds: points whose normals nearly agree and that lie near one plane
// share a cluster; each cluster becomes one manifold of at most 4 points.
//
// A patch that is cut by many triangles has many points inside; reduce.ts chooses the four that carry.
import {
  CLUSTER_POINTS,
  CLUSTER_ROWS,
  CLUSTER_STRIDE,
  Cluster,
  MANIFOLD_OUT_STRIDE,
  MAX_MESH_MANIFOLDS,
  ManifoldOut,
  SHAPE_SPHERE,
  Surface,
} from '../layout.generated';
import { cross3, dot3, splatW } from '../math/lane';
import { header } from '../memory/header';
import { nearOf, reducePoints, separationAt, writePoints } from './reduce';
import { clusterBuffer, unit } from './surface';

/**
 * Normals within half a degree share a cluster. Wider clusters make fewer manifolds, but a ridge of a degree inside a patch
 * is then one normal for two planes: the normal flips with the deepest point, and the box rocks on the ridge for ever.
 */
const CLUSTER_COSINE: f32 = 0.99995;
/** A patch smaller than this part of A is one point. */
const WELD: f32 = 2e-4;

function clusterAt(c: Surface, index: u32): Cluster {
  return changetype<Cluster>(clusterBuffer(c) + <usize>index * CLUSTER_STRIDE);
}

/**
 * Adds `count` candidates (rows x y z s: point on A and separation) of the triangle at hand with unit normal n (A to B). If
 * all clusters are taken, the one whose deepest point is shallowest gives way to a deeper one.
 */
export function addContacts(c: Surface, n: v128, rows: usize, count: u32): void {
  if (count == 0) return;
  let deepest: f32 = Infinity;
  for (let i: u32 = 0; i < count; ++i) deepest = min<f32>(deepest, separationAt(rows, i));
  const first: v128 = v128.load(rows);
  const height: f32 = dot3(n, first) + f32x4.extract_lane(first, 3);

  let found: u32 = c.clusterCount;
  for (let i: u32 = 0; i < c.clusterCount; ++i) {
    const k = clusterAt(c, i);
    if (dot3(k.seed, n) > CLUSTER_COSINE && abs<f32>(k.height - height) < c.planeTolerance) {
      found = i;
      break;
    }
  }
  if (found == c.clusterCount) {
    if (found == MAX_MESH_MANIFOLDS) {
      found = 0;
      for (let i: u32 = 1; i < MAX_MESH_MANIFOLDS; ++i) if (clusterAt(c, i).deepest > clusterAt(c, found).deepest) found = i;
      if (clusterAt(c, found).deepest <= deepest) return;
    } else {
      c.clusterCount = found + 1;
    }
    const fresh = clusterAt(c, found);
    fresh.seed = n;
    fresh.height = height;
    fresh.deepest = Infinity;
    fresh.count = 0;
  }
  const k = clusterAt(c, found);
  if (deepest < k.deepest) {
    k.deepest = deepest;
    k.best = n;
    k.triangle = c.triangle;
    k.side = c.sideSign;
  }
  const points: usize = changetype<usize>(k) + CLUSTER_ROWS;
  if (c.typeA == SHAPE_SPHERE) {
    // A sphere has one point on a plane, whichever triangles report it.
    if (k.count == 0 || deepest < separationAt(points, 0)) v128.store(points, first);
    k.count = 1;
    return;
  }
  let have: u32 = k.count;
  for (let i: u32 = 0; i < count; ++i) {
    if (have == CLUSTER_POINTS) {
      k.count = have;
      have = keepOutline(k, nearOf(min<f32>(c.margin, header().speculativeMargin)));
    }
    v128.store(points + ((<usize>have) << 4), v128.load(rows + ((<usize>i) << 4)));
    have++;
  }
  k.count = have;
}

// A unit vector perpendicular to unit n.
function perpendicular(n: v128): v128 {
  const x: f32 = abs<f32>(f32x4.extract_lane(n, 0));
  const axis: v128 = x < 0.6 ? f32x4(1, 0, 0, 0) : f32x4(0, 1, 0, 0);
  return unit(cross3(n, axis));
}

// Keeps the deepest point and the extreme points in eight directions of the contact plane, both of all points and of those within
// `near` of the deepest: a body that reaches over a rim stands on the rim, and not on the points below it farther out. Returns
// how many.
function keepOutline(k: Cluster, near: f32): u32 {
  const points: usize = changetype<usize>(k) + CLUSTER_ROWS;
  const count: u32 = k.count;
  let deepest: u32 = 0;
  for (let i: u32 = 1; i < count; ++i) {
    if (separationAt(points, i) < separationAt(points, deepest)) deepest = i;
  }
  const limit: f32 = separationAt(points, deepest) + near;
  const keep: u64 = ((<u64>1) << deepest) | outlineOf(k, Infinity) | outlineOf(k, limit);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; ++i) {
    if (((keep >> i) & 1) == 0) continue;
    v128.store(points + ((<usize>kept) << 4), v128.load(points + ((<usize>i) << 4)));
    kept++;
  }
  return kept;
}

// The extreme points in eight directions of the contact plane of those not above `limit`: bits.
function outlineOf(k: Cluster, limit: f32): u64 {
  const points: usize = changetype<usize>(k) + CLUSTER_ROWS;
  const count: u32 = k.count;
  const t1: v128 = perpendicular(k.seed);
  const t2: v128 = cross3(k.seed, t1);
  let keep: u64 = 0;
  for (let turn: u32 = 0; turn < 4; ++turn) {
    const a: f32 = turn == 0 ? 1 : turn == 2 ? 0 : 0.70710678;
    const b: f32 = turn == 0 ? 0 : turn == 2 ? 1 : turn == 1 ? 0.70710678 : -0.70710678;
    const d: v128 = f32x4.add(f32x4.mul(t1, splatW(a)), f32x4.mul(t2, splatW(b)));
    let low: u32 = 0;
    let high: u32 = 0;
    let least: f32 = Infinity;
    let most: f32 = -Infinity;
    for (let i: u32 = 0; i < count; ++i) {
      const p: v128 = v128.load(points + ((<usize>i) << 4));
      if (f32x4.extract_lane(p, 3) > limit) continue;
      const x: f32 = dot3(d, p);
      if (x < least) {
        least = x;
        low = i;
      }
      if (x > most) {
        most = x;
        high = i;
      }
    }
    keep |= ((<u64>1) << low) | ((<u64>1) << high);
  }
  return keep;
}

// One point, reported by several triangles, becomes one; returns how many points there are.
function weld(c: Surface, k: Cluster): u32 {
  const points: usize = changetype<usize>(k) + CLUSTER_ROWS;
  const count: u32 = k.count;
  const end: usize = points + ((<usize>count) << 4);
  let deepest: usize = points;
  for (let at: usize = points + 16; at < end; at += 16) if (separationAt(at, 0) < separationAt(deepest, 0)) deepest = at;
  const p: v128 = v128.load(deepest);
  const limit: f32 = WELD * WELD * c.extent * c.extent;
  for (let at: usize = points; at < end; at += 16) {
    const e: v128 = f32x4.sub(v128.load(at), p);
    if (dot3(e, e) > limit) return count;
  }
  v128.store(points, p);
  return 1;
}

/**
 * Writes one ManifoldOut a cluster from `out` on (feature: triangle index in the blob) and the pair's cache (the deepest
 * triangle and the side A was on; 0 without contacts). Returns the number of manifolds.
 */
export function writeManifolds(c: Surface, out: usize, cache: usize): u32 {
  const total: u32 = c.clusterCount;
  let deepest: f32 = Infinity;
  let memory: u32 = 0;
  let spare: u32 = MAX_MESH_MANIFOLDS - total;
  for (let i: u32 = 0; i < total; ++i) {
    const k = clusterAt(c, i);
    const m = changetype<ManifoldOut>(out);
    v128.store(out, f32x4.replace_lane(k.best, 3, 0), offsetof<ManifoldOut>('nx'));
    m.gap = k.deepest;
    m.feature = k.triangle;
    const near: f32 = nearOf(c.margin);
    const points: usize = changetype<usize>(k) + CLUSTER_ROWS;
    const count: u32 = weld(c, k);
    if (spare == 0) {
      reducePoints(points, count, out, near);
    } else if (writePoints(points, count, out, near) == 2) {
      out += MANIFOLD_OUT_STRIDE;
      --spare;
    }
    if (k.deepest < deepest) {
      deepest = k.deepest;
      memory = ((k.triangle + 1) << 1) | (k.side < 0 ? 1 : 0);
    }
    out += MANIFOLD_OUT_STRIDE;
  }
  store<u32>(cache, memory);
  return MAX_MESH_MANIFOLDS - spare;
}
