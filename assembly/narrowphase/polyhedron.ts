// One view of boxes and hulls as polyhedra: both are HullBlobs (see the memory map). A box writes its own blob into scratch.
//
// polyhedronOf    blob of a box or hull shape
// supportVertex, supportMax   farthest vertex along a direction, by lane groups
// supportFace     face whose normal is most parallel to a direction
// facePolygon, facePolygonPosed   the face as a polygon (rows x y z 0) for clip.ts
//
// Directions are in the frame of the polyhedron and need not be unit length unless said. Buffers for polygons:
// polygonBufferA, polygonBufferB, polygonWork; each holds 256 vertices (a face of 128 clipped by 128 planes).
import {
  BOX_BLOB_STRIDE,
  BOX_EDGES,
  BOX_EDGE_COSINES,
  BOX_LOOPS,
  BOX_LOOP_STARTS,
  BOX_PLANES,
  BOX_PLANES_W,
  BOX_VERTICES,
  BOX_VERTICES_W,
  HULL_EDGE_STRIDE,
  HULL_PAIR,
  HullBlob,
  HullEdge,
  HullPair,
  PLANE_LANES_STRIDE,
  PLANE_STRIDE,
  POLYGON_A,
  POLYGON_B,
  POLYGON_WORK,
  POLYHEDRON_SCRATCH_STRIDE,
  Plane,
  PlaneLanes,
  RelPose,
  SHAPE_BOX,
  Shape,
  VECTOR_LANES_STRIDE,
  VectorLanes,
} from '../layout.generated';
import { dotW, splatW, vec3W } from '../math/lane';
import { allocate } from '../memory/allocator';
import { put32, putVector } from '../memory/words';
import { initNarrowState, narrowState } from './state';

function scratch(): usize {
  return narrowState().hullScratch;
}

/** First polygon buffer in scratch. */
export function polygonBufferA(): usize {
  return scratch() + POLYGON_A;
}
/** Second polygon buffer in scratch. */
export function polygonBufferB(): usize {
  return scratch() + POLYGON_B;
}
/** The buffer that clipping needs beside the polygon. */
export function polygonWork(): usize {
  return scratch() + POLYGON_WORK;
}
/** Scratch of hull_hull.ts. */
export function hullPair(): HullPair {
  return changetype<HullPair>(scratch() + HULL_PAIR);
}

/** Scratch of polyhedron tests and the constant parts of the two box blobs; once a world. False without memory. */
export function initPolyhedra(): bool {
  initNarrowState();
  const state = narrowState();
  if (state.hullScratch != 0) return true;
  const block: usize = allocate(POLYHEDRON_SCRATCH_STRIDE);
  if (block == 0) return false;
  state.hullScratch = <u32>block;
  initBoxBlob(block);
  initBoxBlob(block + BOX_BLOB_STRIDE);
  return true;
}

// Vertex i of a box has +x if bit 0 is set, +y for bit 1, +z for bit 2. Faces are -x +x -y +y -z +z. Constants go through
// stores because the core has no data segment.
function initBoxBlob(blob: usize): void {
  const h = changetype<HullBlob>(blob);
  h.vertexCount = 8;
  h.faceCount = 6;
  h.edgeCount = 12;
  h.blobBytes = <u32>BOX_BLOB_STRIDE;
  h.vertexGroups = 2;
  h.faceGroups = 2;
  h.maxFaceVertices = 4;
  h.verticesOffset = <u32>BOX_VERTICES;
  h.verticesWOffset = <u32>BOX_VERTICES_W;
  h.planesOffset = <u32>BOX_PLANES;
  h.planesWOffset = <u32>BOX_PLANES_W;
  h.loopStartsOffset = <u32>BOX_LOOP_STARTS;
  h.loopsOffset = <u32>BOX_LOOPS;
  h.edgesOffset = <u32>BOX_EDGES;
  h.edgeCosinesOffset = <u32>BOX_EDGE_COSINES;
  for (let i: usize = 0; i <= 6; ++i) store<u16>(blob + BOX_LOOP_STARTS + (i << 1), <u16>(i << 2));
  const loops: usize = blob + BOX_LOOPS;
  put32(loops, 0, 0x02060400); // -x: 0 4 6 2
  put32(loops, 1, 0x05070301); // +x: 1 3 7 5
  put32(loops, 2, 0x04050100); // -y: 0 1 5 4
  put32(loops, 3, 0x03070602); // +y: 2 6 7 3
  put32(loops, 4, 0x01030200); // -z: 0 2 3 1
  put32(loops, 5, 0x06070504); // +z: 4 5 7 6
  // Edges from the loops: a -> b in the loop of one face, b -> a in that of the other.
  let edge: usize = blob + BOX_EDGES;
  for (let f: u32 = 0; f < 6; ++f) {
    for (let i: u32 = 0; i < 4; ++i) {
      const a: u8 = load<u8>(loops + (f << 2) + i);
      const b: u8 = load<u8>(loops + (f << 2) + ((i + 1) & 3));
      for (let g: u32 = f + 1; g < 6; ++g) {
        for (let j: u32 = 0; j < 4; ++j) {
          if (load<u8>(loops + (g << 2) + j) != b || load<u8>(loops + (g << 2) + ((j + 1) & 3)) != a) continue;
          const e = changetype<HullEdge>(edge);
          e.a = a;
          e.b = b;
          e.left = <u8>f;
          e.right = <u8>g;
          edge += HULL_EDGE_STRIDE;
        }
      }
    }
  }
  for (let i: usize = 0; i < 12; ++i) store<f32>(blob + BOX_EDGE_COSINES + (i << 2), 0);
  for (let f: usize = 0; f < 8; ++f) {
    const g: usize = f < 6 ? f : 5; // the last group repeats the last plane
    const sign: f32 = (g & 1) != 0 ? 1 : -1;
    for (let k: usize = 0; k < 3; ++k) {
      const v: f32 = g >> 1 == k ? sign : 0;
      store<f32>(blob + BOX_PLANES_W + (f >> 2) * 64 + (k << 4) + ((f & 3) << 2), v);
      if (f < 6) store<f32>(blob + BOX_PLANES + (f << 4) + (k << 2), v);
    }
  }
}

/** Writes half extents (m) into the box blob of `slot` (0 or 1) in scratch and returns its address. */
export function boxBlob(slot: u32, hx: f32, hy: f32, hz: f32): usize {
  const blob: usize = scratch() + <usize>slot * BOX_BLOB_STRIDE;
  const h = changetype<HullBlob>(blob);
  const least: f32 = min<f32>(hx, min<f32>(hy, hz));
  h.innerRadius = least;
  h.minExtent = 2 * least;
  h.outerRadius = sqrt<f32>(hx * hx + hy * hy + hz * hz);
  h.minX = -hx;
  h.minY = -hy;
  h.minZ = -hz;
  h.maxX = hx;
  h.maxY = hy;
  h.maxZ = hz;
  const x: v128 = f32x4.mul(f32x4(-1, 1, -1, 1), splatW(hx));
  const y: v128 = f32x4.mul(f32x4(-1, -1, 1, 1), splatW(hy));
  const back = changetype<VectorLanes>(blob + BOX_VERTICES_W);
  back.x = x;
  back.y = y;
  back.z = splatW(-hz);
  const front = changetype<VectorLanes>(blob + BOX_VERTICES_W + VECTOR_LANES_STRIDE);
  front.x = x;
  front.y = y;
  front.z = splatW(hz);
  const vertices: usize = blob + BOX_VERTICES;
  putVector(vertices, 0, vec3W(-hx, -hy, -hz));
  putVector(vertices, 1, vec3W(hx, -hy, -hz));
  putVector(vertices, 2, vec3W(-hx, hy, -hz));
  putVector(vertices, 3, vec3W(hx, hy, -hz));
  putVector(vertices, 4, vec3W(-hx, -hy, hz));
  putVector(vertices, 5, vec3W(hx, -hy, hz));
  putVector(vertices, 6, vec3W(-hx, hy, hz));
  putVector(vertices, 7, vec3W(hx, hy, hz));
  const planes: usize = blob + BOX_PLANES;
  changetype<Plane>(planes).d = hx;
  changetype<Plane>(planes + PLANE_STRIDE).d = hx;
  changetype<Plane>(planes + 2 * PLANE_STRIDE).d = hy;
  changetype<Plane>(planes + 3 * PLANE_STRIDE).d = hy;
  changetype<Plane>(planes + 4 * PLANE_STRIDE).d = hz;
  changetype<Plane>(planes + 5 * PLANE_STRIDE).d = hz;
  const planesW: usize = blob + BOX_PLANES_W;
  changetype<PlaneLanes>(planesW).d = f32x4.replace_lane(f32x4.replace_lane(splatW(hx), 2, hy), 3, hy);
  changetype<PlaneLanes>(planesW + PLANE_LANES_STRIDE).d = splatW(hz);
  return blob;
}

/** HullBlob of a box or hull shape. A box writes the scratch blob of `slot` (0 or 1), valid until that slot is used again. */
export function polyhedronOf(shape: usize, slot: u32): usize {
  const s = changetype<Shape>(shape);
  if (s.type == SHAPE_BOX) return boxBlob(slot, s.p0, s.p1, s.p2);
  return s.dataPtr;
}

/** Largest n . v over the vertices of a polyhedron. */
export function supportMax(blob: usize, nx: f32, ny: f32, nz: f32): f32 {
  const h = changetype<HullBlob>(blob);
  let at: usize = blob + h.verticesWOffset;
  const end: usize = at + <usize>h.vertexGroups * VECTOR_LANES_STRIDE;
  const x: v128 = splatW(nx);
  const y: v128 = splatW(ny);
  const z: v128 = splatW(nz);
  let best: v128 = splatW(-Infinity);
  for (; at < end; at += VECTOR_LANES_STRIDE) {
    const v = changetype<VectorLanes>(at);
    best = f32x4.pmax(best, dotW(x, y, z, v.x, v.y, v.z));
  }
  return max<f32>(
    max<f32>(f32x4.extract_lane(best, 0), f32x4.extract_lane(best, 1)),
    max<f32>(f32x4.extract_lane(best, 2), f32x4.extract_lane(best, 3)),
  );
}

// Index of the largest of the four running maxima: `value` by lane, `group` the lane group it came from.
// Ties go to the lowest index.
function bestLane(value: v128, group: v128): u32 {
  let most: v128 = f32x4.pmax(value, v128.shuffle<f32>(value, value, 2, 3, 0, 1));
  most = f32x4.pmax(most, v128.shuffle<f32>(most, most, 1, 0, 3, 2));
  const index: v128 = i32x4.add(i32x4.shl(group, 2), i32x4(0, 1, 2, 3));
  let least: v128 = v128.or(index, v128.not(f32x4.eq(value, most)));
  least = i32x4.min_u(least, v128.shuffle<i32>(least, least, 2, 3, 0, 1));
  least = i32x4.min_u(least, v128.shuffle<i32>(least, least, 1, 0, 3, 2));
  return i32x4.extract_lane(least, 0);
}

/** Index of a vertex farthest along n. */
export function supportVertex(blob: usize, nx: f32, ny: f32, nz: f32): u32 {
  const h = changetype<HullBlob>(blob);
  const start: usize = blob + h.verticesWOffset;
  const groups: u32 = h.vertexGroups;
  const x: v128 = splatW(nx);
  const y: v128 = splatW(ny);
  const z: v128 = splatW(nz);
  let best: v128 = splatW(-Infinity);
  let where: v128 = i32x4.splat(0);
  for (let g: u32 = 0; g < groups; ++g) {
    const v = changetype<VectorLanes>(start + <usize>g * VECTOR_LANES_STRIDE);
    const d: v128 = dotW(x, y, z, v.x, v.y, v.z);
    where = v128.bitselect(i32x4.splat(g), where, f32x4.gt(d, best));
    best = f32x4.pmax(best, d);
  }
  return min<u32>(bestLane(best, where), h.vertexCount - 1); // copies behind the last vertex are the last vertex
}

/** Index of the face whose outward normal has the largest dot product with n: the face that looks most along n. */
export function supportFace(blob: usize, nx: f32, ny: f32, nz: f32): u32 {
  const h = changetype<HullBlob>(blob);
  const start: usize = blob + h.planesWOffset;
  const groups: u32 = h.faceGroups;
  const x: v128 = splatW(nx);
  const y: v128 = splatW(ny);
  const z: v128 = splatW(nz);
  let best: v128 = splatW(-Infinity);
  let where: v128 = i32x4.splat(0);
  for (let g: u32 = 0; g < groups; ++g) {
    const p = changetype<PlaneLanes>(start + <usize>g * PLANE_LANES_STRIDE);
    const d: v128 = dotW(x, y, z, p.nX, p.nY, p.nZ);
    where = v128.bitselect(i32x4.splat(g), where, f32x4.gt(d, best));
    best = f32x4.pmax(best, d);
  }
  return min<u32>(bestLane(best, where), h.faceCount - 1);
}

/** Plane of a face: outward unit normal and offset (n . p = d) as nx ny nz d. */
export function facePlane(blob: usize, face: u32): v128 {
  return v128.load(blob + changetype<HullBlob>(blob).planesOffset + ((<usize>face) << 4));
}

/** A vertex as x y z 0. */
export function vertexOf(blob: usize, vertex: u32): v128 {
  return v128.load(blob + changetype<HullBlob>(blob).verticesOffset + ((<usize>vertex) << 4));
}

/** Place in the loops of the first vertex of a face; the vertices of a face end where those of the next one begin. */
export function loopStart(blob: usize, face: u32): u32 {
  return load<u16>(blob + changetype<HullBlob>(blob).loopStartsOffset + ((<usize>face) << 1));
}

/** Writes a face as a polygon (rows x y z 0, counterclockwise from outside) in the frame of the polyhedron; returns its size. */
export function facePolygon(blob: usize, face: u32, out: usize): u32 {
  const h = changetype<HullBlob>(blob);
  const first: u32 = loopStart(blob, face);
  const last: u32 = loopStart(blob, face + 1);
  const loops: usize = blob + h.loopsOffset;
  const vertices: usize = blob + h.verticesOffset;
  for (let i: u32 = first; i < last; ++i) {
    v128.store(out, v128.load(vertices + ((<usize>load<u8>(loops + i)) << 4)));
    out += 16;
  }
  return last - first;
}

/** A point x y z _ of B in the frame of A as x y z 0. */
export function posePoint(rel: usize, p: v128): v128 {
  const r = changetype<RelPose>(rel);
  const q: v128 = f32x4.add(
    f32x4.add(f32x4.mul(r.c0, v128.shuffle<f32>(p, p, 0, 0, 0, 0)), f32x4.mul(r.c1, v128.shuffle<f32>(p, p, 1, 1, 1, 1))),
    f32x4.add(f32x4.mul(r.c2, v128.shuffle<f32>(p, p, 2, 2, 2, 2)), vec3W(r.tx, r.ty, r.tz)),
  );
  return f32x4.replace_lane(q, 3, 0);
}

/** A direction x y z _ of B in the frame of A as x y z 0. */
export function poseDirection(rel: usize, p: v128): v128 {
  const r = changetype<RelPose>(rel);
  const q: v128 = f32x4.add(
    f32x4.add(f32x4.mul(r.c0, v128.shuffle<f32>(p, p, 0, 0, 0, 0)), f32x4.mul(r.c1, v128.shuffle<f32>(p, p, 1, 1, 1, 1))),
    f32x4.mul(r.c2, v128.shuffle<f32>(p, p, 2, 2, 2, 2)),
  );
  return f32x4.replace_lane(q, 3, 0);
}

/** facePolygon of B in the frame of A: every vertex through `rel` (a RelPose). */
export function facePolygonPosed(blob: usize, face: u32, rel: usize, out: usize): u32 {
  const count: u32 = facePolygon(blob, face, out);
  const end: usize = out + ((<usize>count) << 4);
  for (let at: usize = out; at < end; at += 16) v128.store(at, posePoint(rel, v128.load(at)));
  return count;
}
