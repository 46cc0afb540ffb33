// Edge pairs of polyhedra as separating axes, for hull_hull.ts: which edges matter, which pairs are axes, the best of them.
//
// Only pairs whose arcs cross on the Gauss map of the Minkowski difference are axes (Gregorius, "The separating axis test between
// convex polyhedra", GDC 2013). Before that an edge of P is dropped if no normal on its arc can separate Q by more than is known
// already. A point of Q bounds that: over the arc between the face normals n0, n1 (cosine c) its height over the edge is at most
// max(d0, d1), or sqrt((d0^2 + d1^2 - 2 c d0 d1) / (1 - c^2)) where the steepest direction lies inside of the arc, with d0, d1
// its heights over the two faces. The point of Q nearest to P leaves hardly more than the edges that may win; the centroid of
// Q bounds by its height less the inner radius of Q.
//
// In: HullTables of both. Out: their lists of edges, the best pair.
import {
  EDGE_GROUPS,
  EDGE_GROUP_STRIDE,
  EDGE_LIST,
  EdgeGroup,
  FACE_HEIGHTS,
  HULL_EDGE_STRIDE,
  HullBlob,
  HullEdge,
  HullPair,
  HullTables,
  PLANE_LANES_STRIDE,
  POINT_HEIGHTS,
  PlaneLanes,
} from '../layout.generated';
import { cross3, dot3, dotW, splatW } from '../math/lane';
import { facePlane, poseDirection, posePoint, vertexOf } from './polyhedron';

/** Edge crosses with a squared sine below this are parallel: the faces decide. */
const MIN_SINE2: f32 = 1e-6;

/** End 0 or 1 of an edge as x y z 0. */
export function edgeVertex(blob: usize, edge: u32, end: usize): v128 {
  return vertexOf(blob, load<u8>(blob + changetype<HullBlob>(blob).edgesOffset + <usize>edge * HULL_EDGE_STRIDE + end));
}

// The face left (side 0) or right (side 1) of edge k of those at `edges`.
function faceBeside(edges: usize, k: usize, side: usize): u32 {
  return load<u8>(edges + k * HULL_EDGE_STRIDE + side, offsetof<HullEdge>('left'));
}

function edgeNormal(blob: usize, edge: u32, side: usize): v128 {
  return f32x4.replace_lane(facePlane(blob, faceBeside(blob + changetype<HullBlob>(blob).edgesOffset, edge, side)), 3, 0);
}

function unit(v: v128): v128 {
  return f32x4.div(v, splatW(sqrt<f32>(dot3(v, v))));
}

// An edge, from its first end to the second.
function edgeVector(blob: usize, edge: u32): v128 {
  return f32x4.sub(edgeVertex(blob, edge, 1), edgeVertex(blob, edge, 0));
}

/** Unit direction of an edge, from its first end to the second. */
export function edgeDirection(blob: usize, edge: u32): v128 {
  return unit(edgeVector(blob, edge));
}

/** Unit normal of an edge pair, away from A; zero if the edges are parallel. All in the frame of A. */
export function edgePairNormal(a: usize, ea: u32, directionB: v128): v128 {
  const raw: v128 = cross3(edgeDirection(a, ea), directionB);
  const length2: f32 = dot3(raw, raw);
  if (!(length2 > MIN_SINE2)) return splatW(0);
  const n: v128 = f32x4.div(raw, splatW(sqrt<f32>(length2)));
  return dot3(n, f32x4.add(edgeNormal(a, ea, 0), edgeNormal(a, ea, 1))) < 0 ? f32x4.neg(n) : n;
}

/** Do the arcs of an edge of A and of one of B cross on the same half of the sphere? */
export function edgesCross(a: usize, b: usize, rel: usize, edgeA: u32, edgeB: u32): bool {
  const da: v128 = edgeVector(a, edgeA);
  const db: v128 = poseDirection(rel, edgeVector(b, edgeB));
  const b0: f32 = -dot3(da, poseDirection(rel, edgeNormal(b, edgeB, 0)));
  const b1: f32 = -dot3(da, poseDirection(rel, edgeNormal(b, edgeB, 1)));
  const a0: f32 = dot3(edgeNormal(a, edgeA, 0), db);
  const a1: f32 = dot3(edgeNormal(a, edgeA, 1), db);
  return b0 * b1 < 0 && a0 * a1 < 0 && b0 * a1 > 0;
}

/** Point of an edge of B nearest to an edge of A, frame of A. */
export function nearestPoint(a: usize, b: usize, rel: usize, edgeA: u32, edgeB: u32): v128 {
  const da: v128 = edgeDirection(a, edgeA);
  const pa: v128 = edgeVertex(a, edgeA, 0);
  const pb: v128 = posePoint(rel, edgeVertex(b, edgeB, 0));
  const along: v128 = f32x4.sub(posePoint(rel, edgeVertex(b, edgeB, 1)), pb);
  const lengthB: f32 = sqrt<f32>(dot3(along, along));
  const db: v128 = f32x4.div(along, splatW(lengthB));
  const d: v128 = f32x4.sub(pb, pa);
  const length: f32 = dot3(da, f32x4.sub(edgeVertex(a, edgeA, 1), pa));
  const r: f32 = dot3(da, db);
  const raw: v128 = cross3(da, db);
  // Closest points of the two segments: apart, the lines may meet beyond an end.
  const alpha: f32 = max<f32>(0, min<f32>(length, (dot3(da, d) - r * dot3(db, d)) / dot3(raw, raw)));
  const beta: f32 = max<f32>(0, min<f32>(lengthB, alpha * r - dot3(db, d)));
  return f32x4.add(pb, f32x4.mul(db, splatW(beta)));
}

/** Writes the heights of the point `w` over the faces of P (POINT_HEIGHTS), both in the frame of P. */
export function storeHeights(p: HullTables, w: v128): void {
  const h = changetype<HullBlob>(<usize>p.blob);
  const heights: usize = changetype<usize>(p) + POINT_HEIGHTS;
  const wx: v128 = v128.shuffle<f32>(w, w, 0, 0, 0, 0);
  const wy: v128 = v128.shuffle<f32>(w, w, 1, 1, 1, 1);
  const wz: v128 = v128.shuffle<f32>(w, w, 2, 2, 2, 2);
  const end: usize = heights + ((<usize>h.faceGroups) << 4);
  let at: usize = <usize>p.blob + h.planesWOffset;
  for (let to: usize = heights; to < end; to += 16, at += PLANE_LANES_STRIDE) {
    const four = changetype<PlaneLanes>(at);
    v128.store(to, f32x4.sub(dotW(four.nX, four.nY, four.nZ, wx, wy, wz), four.d));
  }
}

// Can the height of a point over an edge pass `limit` for a normal of its arc? d0, d1: its heights over the faces of four edges.
function arcReaches(d0: v128, d1: v128, c: v128, limit: v128): v128 {
  const reach: v128 = f32x4.gt(f32x4.pmax(d0, d1), limit);
  const inside: v128 = v128.and(f32x4.gt(d0, f32x4.mul(c, d1)), f32x4.gt(d1, f32x4.mul(c, d0)));
  if (!v128.any_true(inside)) return reach;
  const square: v128 = f32x4.sub(f32x4.add(f32x4.mul(d0, d0), f32x4.mul(d1, d1)), f32x4.mul(f32x4.mul(f32x4.add(c, c), d0), d1));
  const sine2: v128 = f32x4.pmax(f32x4.sub(splatW(1), f32x4.mul(c, c)), splatW(1e-9));
  const most: v128 = f32x4.mul(f32x4.mul(limit, limit), f32x4.mul(sine2, splatW(0.999)));
  return v128.or(reach, v128.and(inside, v128.or(f32x4.le(limit, splatW(0)), f32x4.gt(square, most))));
}

// Four heights, over face `side` (0 or 1) of the four edges at `edges`.
function gatherHeights(heights: usize, edges: usize, side: usize): v128 {
  let d: v128 = v128.load32_zero(heights + ((<usize>faceBeside(edges, 0, side)) << 2));
  d = v128.load_lane<f32>(heights + ((<usize>faceBeside(edges, 1, side)) << 2), d, 1);
  d = v128.load_lane<f32>(heights + ((<usize>faceBeside(edges, 2, side)) << 2), d, 2);
  return v128.load_lane<f32>(heights + ((<usize>faceBeside(edges, 3, side)) << 2), d, 3);
}

/**
 * Lists the edges of P that may separate Q by more than `floor`; returns how many. The tables of P hold the heights of Q's
 * centroid and of any point of Q over the faces of P.
 */
export function listEdges(p: HullTables, q: HullTables, floor: f32): u32 {
  const blob: usize = p.blob;
  const h = changetype<HullBlob>(blob);
  const heights: usize = changetype<usize>(p) + FACE_HEIGHTS,
    pointHeights: usize = changetype<usize>(p) + POINT_HEIGHTS,
    list: usize = changetype<usize>(p) + EDGE_LIST;
  const radius: f32 = changetype<HullBlob>(<usize>q.blob).innerRadius;
  const edges: usize = blob + h.edgesOffset;
  const cosines: usize = blob + h.edgeCosinesOffset;
  const last: u32 = h.edgeCount - 4; // a polyhedron has six edges at least
  const limit: v128 = splatW(floor);
  const limitC: v128 = splatW(floor + radius);
  let out: usize = list;
  let e: u32 = 0;
  let fresh: u32 = 15;
  while (true) {
    const four: usize = edges + ((<usize>e) << 2);
    const c: v128 = v128.load(cosines + ((<usize>e) << 2));
    let mask: u32 =
      fresh & i32x4.bitmask(arcReaches(gatherHeights(pointHeights, four, 0), gatherHeights(pointHeights, four, 1), c, limit));
    if (mask != 0) mask &= i32x4.bitmask(arcReaches(gatherHeights(heights, four, 0), gatherHeights(heights, four, 1), c, limitC));
    while (mask != 0) {
      store<u16>(out, <u16>(e + ctz<u32>(mask)));
      mask &= mask - 1;
      out += 2;
    }
    if (e == last) break;
    e += 4;
    if (e > last) {
      fresh = (15 << (e - last)) & 15; // the first ones of the last four have been looked at
      e = last;
    }
  }
  p.edges = <u32>((out - list) >> 1);
  return p.edges;
}

/** Point of the listed edges of P nearest to `w`, frame of P. */
export function nearestOnEdges(p: HullTables, w: v128): v128 {
  const blob: usize = p.blob,
    list: usize = changetype<usize>(p) + EDGE_LIST;
  const count: u32 = p.edges;
  let best: v128 = w;
  let least: f32 = Infinity;
  for (let k: u32 = 0; k < count; ++k) {
    const e: u32 = load<u16>(list + ((<usize>k) << 1));
    const v: v128 = edgeVertex(blob, e, 0);
    const along: v128 = f32x4.sub(edgeVertex(blob, e, 1), v);
    const share: f32 = max<f32>(0, min<f32>(1, dot3(along, f32x4.sub(w, v)) / dot3(along, along)));
    const q: v128 = f32x4.add(v, f32x4.mul(along, splatW(share)));
    const off: v128 = f32x4.sub(q, w);
    const distance2: f32 = dot3(off, off);
    if (distance2 < least) {
      least = distance2;
      best = q;
    }
  }
  return best;
}

function lane(v: v128, k: u32): f32 {
  return k == 0
    ? f32x4.extract_lane(v, 0)
    : k == 1
      ? f32x4.extract_lane(v, 1)
      : k == 2
        ? f32x4.extract_lane(v, 2)
        : f32x4.extract_lane(v, 3);
}

/**
 * The best axis among the pairs of listed edges of A and B: its separation if larger than `floor`, else `floor`. The edges of a
 * better one go to the pair.
 */
export function searchEdges(pair: HullPair, tablesA: HullTables, tablesB: HullTables, floor: f32): f32 {
  const a: usize = tablesA.blob,
    b: usize = tablesB.blob,
    rel: usize = tablesB.pose;
  const listA: usize = changetype<usize>(tablesA) + EDGE_LIST,
    listB: usize = changetype<usize>(tablesB) + EDGE_LIST;
  const countA: u32 = tablesA.edges,
    countB: u32 = tablesB.edges;
  const groups: usize = changetype<usize>(pair) + EDGE_GROUPS;
  // Lanes after the last edge hold old values and are ignored.
  for (let k: u32 = 0; k < countB; ++k) {
    const e: u32 = load<u16>(listB + ((<usize>k) << 1));
    const n0: v128 = poseDirection(rel, edgeNormal(b, e, 0));
    const n1: v128 = poseDirection(rel, edgeNormal(b, e, 1));
    const d: v128 = poseDirection(rel, edgeVector(b, e));
    const p: v128 = posePoint(rel, edgeVertex(b, e, 0));
    const at: usize = groups + <usize>(k >> 2) * EDGE_GROUP_STRIDE + ((<usize>(k & 3)) << 2);
    store<f32>(at, -f32x4.extract_lane(n0, 0));
    store<f32>(at, -f32x4.extract_lane(n0, 1), offsetof<EdgeGroup>('n0Y'));
    store<f32>(at, -f32x4.extract_lane(n0, 2), offsetof<EdgeGroup>('n0Z'));
    store<f32>(at, -f32x4.extract_lane(n1, 0), offsetof<EdgeGroup>('n1X'));
    store<f32>(at, -f32x4.extract_lane(n1, 1), offsetof<EdgeGroup>('n1Y'));
    store<f32>(at, -f32x4.extract_lane(n1, 2), offsetof<EdgeGroup>('n1Z'));
    store<f32>(at, f32x4.extract_lane(d, 0), offsetof<EdgeGroup>('vectorX'));
    store<f32>(at, f32x4.extract_lane(d, 1), offsetof<EdgeGroup>('vectorY'));
    store<f32>(at, f32x4.extract_lane(d, 2), offsetof<EdgeGroup>('vectorZ'));
    store<f32>(at, f32x4.extract_lane(p, 0), offsetof<EdgeGroup>('pointX'));
    store<f32>(at, f32x4.extract_lane(p, 1), offsetof<EdgeGroup>('pointY'));
    store<f32>(at, f32x4.extract_lane(p, 2), offsetof<EdgeGroup>('pointZ'));
  }
  const end: usize = groups + <usize>((countB + 3) >> 2) * EDGE_GROUP_STRIDE;
  const zero: v128 = splatW(0);
  for (let k: u32 = 0; k < countA; ++k) {
    const e: u32 = load<u16>(listA + ((<usize>k) << 1));
    const a0: v128 = edgeNormal(a, e, 0);
    const a1: v128 = edgeNormal(a, e, 1);
    const da: v128 = edgeVector(a, e);
    const pa: v128 = edgeVertex(a, e, 0);
    const sum: v128 = f32x4.add(a0, a1);
    const least: v128 = splatW(MIN_SINE2 * dot3(da, da));
    const a0x: v128 = v128.shuffle<f32>(a0, a0, 0, 0, 0, 0);
    const a0y: v128 = v128.shuffle<f32>(a0, a0, 1, 1, 1, 1);
    const a0z: v128 = v128.shuffle<f32>(a0, a0, 2, 2, 2, 2);
    const a1x: v128 = v128.shuffle<f32>(a1, a1, 0, 0, 0, 0);
    const a1y: v128 = v128.shuffle<f32>(a1, a1, 1, 1, 1, 1);
    const a1z: v128 = v128.shuffle<f32>(a1, a1, 2, 2, 2, 2);
    const dax: v128 = v128.shuffle<f32>(da, da, 0, 0, 0, 0);
    const day: v128 = v128.shuffle<f32>(da, da, 1, 1, 1, 1);
    const daz: v128 = v128.shuffle<f32>(da, da, 2, 2, 2, 2);
    const sx: v128 = v128.shuffle<f32>(sum, sum, 0, 0, 0, 0);
    const sy: v128 = v128.shuffle<f32>(sum, sum, 1, 1, 1, 1);
    const sz: v128 = v128.shuffle<f32>(sum, sum, 2, 2, 2, 2);
    const pax: v128 = v128.shuffle<f32>(pa, pa, 0, 0, 0, 0);
    const pay: v128 = v128.shuffle<f32>(pa, pa, 1, 1, 1, 1);
    const paz: v128 = v128.shuffle<f32>(pa, pa, 2, 2, 2, 2);
    let index: u32 = 0;
    for (let at: usize = groups; at < end; at += EDGE_GROUP_STRIDE, index += 4) {
      const g: EdgeGroup = changetype<EdgeGroup>(at);
      const dbx: v128 = g.vectorX;
      const dby: v128 = g.vectorY;
      const dbz: v128 = g.vectorZ;
      // Do the arcs a0 a1 and b0 b1 cross on the same half of the sphere?
      const b0: v128 = dotW(g.n0X, g.n0Y, g.n0Z, dax, day, daz);
      const b1: v128 = dotW(g.n1X, g.n1Y, g.n1Z, dax, day, daz);
      const s0: v128 = dotW(a0x, a0y, a0z, dbx, dby, dbz);
      const s1: v128 = dotW(a1x, a1y, a1z, dbx, dby, dbz);
      const across: v128 = v128.and(
        v128.and(f32x4.lt(f32x4.mul(b0, b1), zero), f32x4.lt(f32x4.mul(s0, s1), zero)),
        f32x4.gt(f32x4.mul(b0, s1), zero),
      );
      if (!v128.any_true(across)) continue;
      const nx: v128 = f32x4.sub(f32x4.mul(day, dbz), f32x4.mul(daz, dby));
      const ny: v128 = f32x4.sub(f32x4.mul(daz, dbx), f32x4.mul(dax, dbz));
      const nz: v128 = f32x4.sub(f32x4.mul(dax, dby), f32x4.mul(day, dbx));
      const length2: v128 = dotW(nx, ny, nz, nx, ny, nz);
      const away: v128 = dotW(nx, ny, nz, sx, sy, sz);
      const height: v128 = f32x4.div(
        dotW(nx, ny, nz, f32x4.sub(g.pointX, pax), f32x4.sub(g.pointY, pay), f32x4.sub(g.pointZ, paz)),
        f32x4.sqrt(length2),
      );
      const s: v128 = v128.bitselect(f32x4.neg(height), height, f32x4.lt(away, zero));
      let mask: u32 = i32x4.bitmask(
        v128.and(
          across,
          v128.and(f32x4.gt(length2, f32x4.mul(least, dotW(dbx, dby, dbz, dbx, dby, dbz))), f32x4.gt(s, splatW(floor))),
        ),
      );
      while (mask != 0) {
        const l: u32 = ctz<u32>(mask);
        mask &= mask - 1;
        if (index + l >= countB) break;
        const value: f32 = lane(s, l);
        if (value > floor) {
          floor = value;
          pair.edgeA = e;
          pair.edgeB = load<u16>(listB + ((<usize>(index + l)) << 1));
        }
      }
    }
  }
  return floor;
}
