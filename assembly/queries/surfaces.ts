// Shape casts, overlaps and distances against meshes and heightfields: each triangle near the path, or within reach, is treated
// as a convex shape of its own (narrowphase/distance.ts). Boxes are visited nearest first, and boxes that cannot improve the best
// result are skipped. Both sides of a triangle count; a surface has no inside.
// In: the pair as pairs.ts sets it (rel, way, centerB, halfB, wayB), `found` = reach. Out: found, foundFeature, foundNormal, ...
import {
  BoxWalk,
  HEIGHT_RANGE_STRIDE,
  HeightRange,
  HeightfieldBlob,
  MESH_LEAF,
  MESH_TRIANGLE_STRIDE,
  MESH_WIDE_NODE_STRIDE,
  ManifoldOut,
  MeshBlob,
  MeshTriangle,
  MeshWideNode,
  NONE,
  QUERY_CAST,
  QUERY_LEAVES,
  QUERY_OVERLAP,
  QueryState,
  SHAPE_MESH,
} from '../layout.generated';
import { cross3, dot3, vec3W } from '../math/lane';
import { rotate3 } from '../math/quat';
import { NOTHING, beginWalk, boxDistance2, entered, enteredBox, inverse, near, nearestOf, nextOf } from '../narrowphase/boxes';
import { castOf, distanceOf, touches } from '../narrowphase/distance';
import { sampleAt } from '../narrowphase/surface';
import { outputsOf, surfaceStack, surfaceWalk } from './state';

/** Whether the triangle in t0 t1 t2 ends the search. */
function visit(q: QueryState, feature: u32): bool {
  const at: usize = changetype<usize>(q);
  const normal: v128 = cross3(f32x4.sub(q.t1, q.t0), f32x4.sub(q.t2, q.t0));
  const n2: f32 = dot3(normal, normal);
  if (!(n2 > 0)) return false;
  const rel: usize = at + offsetof<QueryState>('rel0');
  const out: usize = outputsOf(q);
  const triangle: usize = at + offsetof<QueryState>('t0');
  const cache: usize = at + offsetof<QueryState>('cache');
  if (q.kind == QUERY_OVERLAP) {
    if (!touches()) return false;
    q.found = 0;
    q.foundFeature = feature;
    return true;
  }
  let t: f32;
  let depth: f32 = 0;
  if (q.kind == QUERY_CAST) {
    const k: f32 = (dot3(normal, f32x4.sub(q.centerB, q.t0)) > 0 ? <f32>-1 : <f32>1) / sqrt<f32>(n2);
    const guess: v128 = f32x4.replace_lane(rotate3(rel, f32x4.mul(normal, f32x4.splat(k))), 3, 0);
    t = castOf(q.shapeA, 0, triangle, rel, out, cache, q.way, q.found, guess, (q.flags & QUERY_LEAVES) != 0);
    if (t < 0) return false;
    depth = 0 - changetype<ManifoldOut>(out).s0;
  } else {
    t = distanceOf(q.shapeA, 0, triangle, rel, out, cache, q.found);
  }
  if (t > q.found || (t == q.found && q.foundFeature != NONE && depth <= q.foundDepth)) return false;
  q.found = t;
  q.foundDepth = depth;
  q.foundFeature = feature;
  q.foundNormal = v128.load(out, offsetof<ManifoldOut>('nx'));
  q.foundPoint = v128.load(out, offsetof<ManifoldOut>('x0'));
  return false;
}

/** Whether the box low..high may contain a better result than the present one. */
function mayHold(q: QueryState, along: bool, low: v128, high: v128): bool {
  if (along) return enteredBox(low, high, q.centerB, q.ray0, q.halfB, q.found) >= 0;
  const reach: f32 = max<f32>(q.found, 0);
  return boxDistance2(low, high, q.centerB, q.halfB) <= reach * reach;
}

function visitBox(q: QueryState, along: bool, feature: u32): bool {
  const low: v128 = f32x4.pmin(f32x4.pmin(q.t0, q.t1), q.t2);
  const high: v128 = f32x4.pmax(f32x4.pmax(q.t0, q.t1), q.t2);
  return mayHold(q, along, low, high) && visit(q, feature);
}

/** Keys beyond it are of no use any more. */
function limitOf(q: QueryState, along: bool): f32 {
  if (along) return q.found;
  const reach: f32 = max<f32>(q.found, 0);
  return reach * reach;
}

function walkMesh(q: QueryState, along: bool): void {
  const blob: usize = q.blob;
  const h = changetype<MeshBlob>(blob);
  const triangles: usize = blob + h.trianglesOffset;
  const vertices: usize = blob + h.verticesOffset;
  const w: BoxWalk = surfaceWalk(q);
  beginWalk(w, along, q.centerB, q.ray0, q.halfB, surfaceStack(q));
  const keys: usize = changetype<usize>(w) + offsetof<BoxWalk>('keys0');
  let link: u32 = 0;
  while (true) {
    if ((link & MESH_LEAF) != 0) {
      const first: u32 = (link & ~MESH_LEAF) >> 3;
      const end: u32 = first + (link & 7);
      for (let k: u32 = first; k < end; ++k) {
        const t = changetype<MeshTriangle>(triangles + <usize>k * MESH_TRIANGLE_STRIDE);
        q.t0 = v128.load(vertices + ((<usize>t.a) << 4));
        q.t1 = v128.load(vertices + ((<usize>t.b) << 4));
        q.t2 = v128.load(vertices + ((<usize>t.c) << 4));
        if (visitBox(q, along, t.source)) return;
      }
    } else {
      const node: usize = blob + h.wideOffset + <usize>link * MESH_WIDE_NODE_STRIDE;
      const behind: usize = node + offsetof<MeshWideNode>('minX1');
      const best: f32 = limitOf(q, along);
      const hits: u32 = along
        ? entered(w, node, best, keys) | (entered(w, behind, best, keys + 16) << 4)
        : near(w, node, best, keys) | (near(w, behind, best, keys + 16) << 4);
      const nearest: i64 = nearestOf(w, node + offsetof<MeshWideNode>('children0'), hits);
      if (nearest != NOTHING) {
        link = <u32>nearest;
        continue;
      }
    }
    const next: i64 = nextOf(w, limitOf(q, along));
    if (next == NOTHING) return;
    link = <u32>next;
  }
}

// The two triangles of a cell; true ends the search.
function visitCell(q: QueryState, along: bool, blob: usize, i: i32, j: i32): bool {
  const index: u32 = (<u32>j * (changetype<HeightfieldBlob>(blob).nx - 1) + <u32>i) << 1;
  const a: v128 = sampleAt(blob, i, j),
    d: v128 = sampleAt(blob, i + 1, j + 1);
  for (let half: u32 = 0; half < 2; ++half) {
    const e: v128 = half == 0 ? sampleAt(blob, i, j + 1) : sampleAt(blob, i + 1, j);
    // A hole has NaN for a height.
    if (!(f32x4.extract_lane(a, 1) + f32x4.extract_lane(d, 1) + f32x4.extract_lane(e, 1) < Infinity)) continue;
    q.t0 = a;
    q.t1 = half == 0 ? e : d;
    q.t2 = half == 0 ? d : e;
    if (visitBox(q, along, index + half)) return true;
  }
  return false;
}

function visitBlock(q: QueryState, along: bool, blob: usize, bi: i32, bj: i32): bool {
  const h = changetype<HeightfieldBlob>(blob);
  const block: usize = <u32>bj * h.blocksX + <u32>bi;
  const range = changetype<HeightRange>(blob + h.blocksOffset + block * HEIGHT_RANGE_STRIDE);
  const low: f32 = range.low;
  const high: f32 = range.high;
  if (!(low <= high)) return false; // all holes
  const endI: i32 = min<i32>((bi << 3) + 8, <i32>h.nx - 1);
  const endJ: i32 = min<i32>((bj << 3) + 8, <i32>h.nz - 1);
  const x: f32 = h.originX,
    z: f32 = h.originZ;
  const dx: f32 = h.spacingX,
    dz: f32 = h.spacingZ;
  const from: v128 = vec3W(x + <f32>(bi << 3) * dx, low, z + <f32>(bj << 3) * dz);
  if (!mayHold(q, along, from, vec3W(x + <f32>endI * dx, high, z + <f32>endJ * dz))) return false;
  for (let j: i32 = bj << 3; j < endJ; ++j) {
    for (let i: i32 = bi << 3; i < endI; ++i) {
      const least: v128 = vec3W(x + <f32>i * dx, low, z + <f32>j * dz);
      if (!mayHold(q, along, least, vec3W(x + <f32>(i + 1) * dx, high, z + <f32>(j + 1) * dz))) continue;
      if (visitCell(q, along, blob, i, j)) return true;
    }
  }
  return false;
}

function blockOf(x: f32, last: i32): i32 {
  const b: f32 = x * 0.125;
  return b > 0 ? (b < <f32>last ? <i32>b : last) : 0;
}

function walkHeightfield(q: QueryState, along: bool): void {
  const blob: usize = q.blob;
  const h = changetype<HeightfieldBlob>(blob);
  const ox: f32 = f32x4.extract_lane(q.centerB, 0),
    oz: f32 = f32x4.extract_lane(q.centerB, 2);
  const hx: f32 = f32x4.extract_lane(q.halfB, 0),
    hz: f32 = f32x4.extract_lane(q.halfB, 2);
  const lastX: i32 = <i32>h.blocksX - 1,
    lastZ: i32 = <i32>h.blocksZ - 1;
  // The block under the start first: a result there bounds the others.
  const startX: i32 = blockOf((ox - h.originX) * h.invSpacingX, lastX),
    startZ: i32 = blockOf((oz - h.originZ) * h.invSpacingZ, lastZ);
  if (visitBlock(q, along, blob, startX, startZ)) return;
  const wx: f32 = f32x4.extract_lane(q.wayB, 0),
    wz: f32 = f32x4.extract_lane(q.wayB, 2);
  const iz: f32 = f32x4.extract_lane(q.ray0, 2);
  const forwardX: bool = wx >= 0,
    forwardZ: bool = wz >= 0;
  for (let row: i32 = 0; row <= lastZ; ++row) {
    const bj: i32 = forwardZ ? row : lastZ - row;
    const rowLow: f32 = h.originZ + <f32>(bj << 3) * h.spacingZ - hz;
    const rowHigh: f32 = h.originZ + <f32>((bj << 3) + 8) * h.spacingZ + hz;
    const found: f32 = max<f32>(q.found, 0);
    let fromX: f32 = ox - hx - found,
      toX: f32 = ox + hx + found;
    if (along) {
      // Where the middle is while the shape is over the row, a hair more.
      const a: f32 = (rowLow - oz) * iz,
        b: f32 = (rowHigh - oz) * iz;
      const tIn: f32 = max<f32>(min<f32>(a, b), 0),
        tOut: f32 = min<f32>(max<f32>(a, b), found);
      if (tIn > tOut + <f32>1e-5 * (abs<f32>(a) + abs<f32>(b))) continue;
      fromX = ox + min<f32>(tIn * wx, tOut * wx) - hx;
      toX = ox + max<f32>(tIn * wx, tOut * wx) + hx;
    } else if (rowLow > oz + found || rowHigh < oz - found) {
      continue;
    }
    const b0: i32 = blockOf((fromX - h.originX) * h.invSpacingX - 1, lastX);
    const b1: i32 = blockOf((toX - h.originX) * h.invSpacingX + 1, lastX);
    for (let k: i32 = 0; k <= b1 - b0; ++k) {
      if (visitBlock(q, along, blob, forwardX ? b0 + k : b1 - k, bj)) return;
    }
  }
}

/** Asks the surface of the collider at hand; foundFeature stays NONE if nothing is found within `found`. */
export function askSurface(q: QueryState): void {
  const along: bool = q.kind == QUERY_CAST;
  q.foundFeature = NONE;
  q.foundDepth = 0;
  q.ray0 = inverse(q.wayB);
  if (q.typeB == SHAPE_MESH) walkMesh(q, along);
  else walkHeightfield(q, along);
}
