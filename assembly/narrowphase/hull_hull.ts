// Boxes and hulls against hulls: separating axes over face normals and edge crosses, then clipping. A box takes part
// through its blob (polyhedron.ts).
//
// Order of work: spheres around the centroids; the cached axis; the faces of both; the edge pairs; the manifold.
// Faces and edges: what is known of the best axis so far and one point of the other hull (its vertex farthest along that axis)
// rule out most of the rest, as does the inner sphere around its centroid (hull_edges.ts).
//
// cache: kind in bits 30-31 (1 face of A, 2 face of B, 3 edges), index of the face or of A's edge in bits 15-29, of B's edge
// in bits 0-14. Hysteresis as in box_box.ts.
import {
  CORNER_CACHE,
  FACE_HEIGHTS,
  HULL_EDGE_STRIDE,
  HullBlob,
  HullEdge,
  HullPair,
  HullTables,
  INVERSE_POSE,
  MANIFOLD_OUT_STRIDE,
  ManifoldOut,
  PLANE_LANES_STRIDE,
  POINT_HEIGHTS,
  PlaneLanes,
  RelPose,
  TABLES_A,
  TABLES_B,
} from '../layout.generated';
import { dot3, dotW, splatW, vec3W } from '../math/lane';
import { clipPolygonToFace, keepNearPlane } from './clip';
import { collideConvexConvex } from './convex';
import {
  edgeDirection,
  edgePairNormal,
  edgeVertex,
  edgesCross,
  listEdges,
  nearestOnEdges,
  nearestPoint,
  searchEdges,
  storeHeights,
} from './hull_edges';
import { nearlyParallel, writePatch } from './patch';
import {
  facePlane,
  facePolygon,
  facePolygonPosed,
  hullPair,
  loopStart,
  polygonBufferA,
  polygonBufferB,
  polygonWork,
  polyhedronOf,
  poseDirection,
  posePoint,
  supportFace,
  supportMax,
  supportVertex,
  vertexOf,
} from './polyhedron';
import { nearOf, reducePoints, separationAt, writePoints } from './reduce';

const FACE_A: u32 = 1;
const FACE_B: u32 = 2;
const EDGES: u32 = 3;
const NO_FACE: u32 = 0xffff;
/** Edges that are better by less than this fraction of the size of the shapes are so by rounding. */
const ROUNDING: f32 = 4e-6;
/** Bias between axes as a fraction of half the least width of both shapes. */
const SIZE_BIAS: f32 = 1e-3;
/** Bias as a fraction of the depth. */
const DEPTH_BIAS: f32 = 0.02;
/**
 * Cosine between the normals of crossed edges and of a face up to which the faces count as nearly parallel (3 degrees). Less than
 * for boxes: faces of hulls are small, and a point that cannot bear before the next test only costs.
 */
const NEAR_COSINE: f32 = 0.9985;

function tablesA(h: HullPair): HullTables {
  return changetype<HullTables>(changetype<usize>(h) + TABLES_A);
}
function tablesB(h: HullPair): HullTables {
  return changetype<HullTables>(changetype<usize>(h) + TABLES_B);
}

function translation(pose: usize): v128 {
  const r = changetype<RelPose>(pose);
  return vec3W(r.tx, r.ty, r.tz);
}

function centroid(blob: usize): v128 {
  const h = changetype<HullBlob>(blob);
  return vec3W(h.centroidX, h.centroidY, h.centroidZ);
}

// Separation of Q from a face of P.
function faceSeparation(p: HullTables, q: HullTables, face: u32): f32 {
  const plane: v128 = facePlane(p.blob, face);
  const n: v128 = poseDirection(p.pose, plane);
  const d: f32 = f32x4.extract_lane(plane, 3) + dot3(n, translation(p.pose));
  return -supportMax(q.blob, -f32x4.extract_lane(n, 0), -f32x4.extract_lane(n, 1), -f32x4.extract_lane(n, 2)) - d;
}

/**
 * The face of P with the largest separation from Q, if larger than `floor`, else NO_FACE, and that separation, to the tables of
 * P. `c`: centroid of Q and `w`: a point of Q, in the frame of P; their heights over all faces go there, too.
 */
function queryFaces(p: HullTables, q: HullTables, c: v128, w: v128, floor: f32): void {
  const blob: usize = p.blob;
  const h = changetype<HullBlob>(blob);
  const heights: usize = changetype<usize>(p) + FACE_HEIGHTS,
    pointHeights: usize = changetype<usize>(p) + POINT_HEIGHTS;
  const groups: u32 = h.faceGroups;
  const radius: v128 = splatW(changetype<HullBlob>(<usize>q.blob).innerRadius);
  const cx: v128 = v128.shuffle<f32>(c, c, 0, 0, 0, 0);
  const cy: v128 = v128.shuffle<f32>(c, c, 1, 1, 1, 1);
  const cz: v128 = v128.shuffle<f32>(c, c, 2, 2, 2, 2);
  const wx: v128 = v128.shuffle<f32>(w, w, 0, 0, 0, 0);
  const wy: v128 = v128.shuffle<f32>(w, w, 1, 1, 1, 1);
  const wz: v128 = v128.shuffle<f32>(w, w, 2, 2, 2, 2);
  let face: u32 = NO_FACE;
  let at: usize = blob + h.planesWOffset;
  for (let g: u32 = 0; g < groups; ++g, at += PLANE_LANES_STRIDE) {
    const four = changetype<PlaneLanes>(at);
    const nx: v128 = four.nX;
    const ny: v128 = four.nY;
    const nz: v128 = four.nZ;
    const d: v128 = four.d;
    const height: v128 = f32x4.sub(dotW(nx, ny, nz, cx, cy, cz), d);
    v128.store(heights + ((<usize>g) << 4), height);
    const pointHeight: v128 = f32x4.sub(dotW(nx, ny, nz, wx, wy, wz), d);
    v128.store(pointHeights + ((<usize>g) << 4), pointHeight);
    const bound: v128 = f32x4.pmin(f32x4.sub(height, radius), pointHeight);
    let mask: u32 = i32x4.bitmask(f32x4.gt(bound, splatW(floor)));
    while (mask != 0) {
      const f: u32 = min<u32>((g << 2) + ctz<u32>(mask), h.faceCount - 1);
      mask &= mask - 1;
      const s: f32 = faceSeparation(p, q, f);
      if (s > floor) {
        floor = s;
        face = f;
      }
    }
  }
  p.face = face;
  p.best = floor;
}

// Vertex of P farthest along n.
function supportPoint(p: usize, n: v128): v128 {
  return vertexOf(p, supportVertex(p, f32x4.extract_lane(n, 0), f32x4.extract_lane(n, 1), f32x4.extract_lane(n, 2)));
}

function supportFaceAlong(p: usize, n: v128): u32 {
  return supportFace(p, f32x4.extract_lane(n, 0), f32x4.extract_lane(n, 1), f32x4.extract_lane(n, 2));
}

// Face of P for clipping against a plane whose separation from P is `depth`: the face that looks most against n (frame of
// P); if that face does not reach the deepest vertex, the best face around that vertex. n . p is measured from `base`.
function incidentFace(p: usize, nx: f32, ny: f32, nz: f32, base: f32, depth: f32, tolerance: f32): u32 {
  const n: v128 = vec3W(nx, ny, nz);
  const face: u32 = supportFace(p, -nx, -ny, -nz);
  const h = changetype<HullBlob>(p);
  const loops: usize = p + h.loopsOffset;
  const last: u32 = loopStart(p, face + 1);
  for (let i: u32 = loopStart(p, face); i < last; ++i) {
    if (dot3(n, vertexOf(p, load<u8>(loops + i))) - base <= depth + tolerance) return face;
  }
  const deepest: u32 = supportVertex(p, -nx, -ny, -nz);
  const edges: usize = p + h.edgesOffset;
  const count: u32 = h.edgeCount;
  let best: f32 = Infinity;
  let chosen: u32 = face;
  for (let e: u32 = 0; e < count; ++e) {
    const edge = changetype<HullEdge>(edges + <usize>e * HULL_EDGE_STRIDE);
    if (edge.a != deepest && edge.b != deepest) continue;
    for (let side: u32 = 0; side < 2; ++side) {
      const f: u32 = side == 0 ? edge.left : edge.right;
      const along: f32 = dot3(n, facePlane(p, f));
      if (along < best) {
        best = along;
        chosen = f;
      }
    }
  }
  return chosen;
}

// One contact where the best edges cross: the points of both nearest to each other. False, with nothing written, if these points
// are farther apart than the separation and `slack`: then other features are nearer than the edges.
function edgeContact(h: HullPair, out: usize, slack: f32): bool {
  const a: usize = tablesA(h).blob,
    b: usize = tablesB(h).blob,
    rel: usize = tablesB(h).pose;
  const edgeA: u32 = h.edgeA,
    edgeB: u32 = h.edgeB;
  const m = changetype<ManifoldOut>(out);
  const da: v128 = edgeDirection(a, edgeA);
  const n: v128 = edgePairNormal(a, edgeA, poseDirection(rel, edgeDirection(b, edgeB)));
  const pa: v128 = edgeVertex(a, edgeA, 0);
  const onB: v128 = nearestPoint(a, b, rel, edgeA, edgeB);
  const length: f32 = dot3(da, f32x4.sub(edgeVertex(a, edgeA, 1), pa));
  const alpha: f32 = max<f32>(0, min<f32>(length, dot3(da, f32x4.sub(onB, pa))));
  const point: v128 = f32x4.add(pa, f32x4.mul(da, splatW(alpha)));
  const separation: f32 = dot3(n, f32x4.sub(posePoint(rel, edgeVertex(b, edgeB, 0)), pa));
  const across: v128 = f32x4.sub(onB, point);
  if (sqrt<f32>(dot3(across, across)) > abs<f32>(separation) + slack) return false;
  m.nx = f32x4.extract_lane(n, 0);
  m.ny = f32x4.extract_lane(n, 1);
  m.nz = f32x4.extract_lane(n, 2);
  v128.store(out, f32x4.replace_lane(point, 3, separation), offsetof<ManifoldOut>('x0'));
  m.count = 1;
  return true;
}

/**
 * Candidates of a reference face, `face` of A or (`ofB`) of B, to the first polygon buffer: the incident face clipped against it.
 * `depth`: separation of the other shape from the face. The normal goes to `m`. Returns the number of candidates.
 */
function facePoints(h: HullPair, ofB: bool, face: u32, depth: f32, m: ManifoldOut): u32 {
  const a: usize = tablesA(h).blob,
    b: usize = tablesB(h).blob,
    rel: usize = tablesB(h).pose,
    inverse: usize = tablesA(h).pose;
  const bias: f32 = h.bias,
    margin: f32 = h.margin;
  const polygon: usize = polygonBufferA();
  const base: usize = polygonBufferB();
  const t: v128 = translation(rel);
  if (!ofB) {
    const plane: v128 = facePlane(a, face);
    const nx: f32 = f32x4.extract_lane(plane, 0);
    const ny: f32 = f32x4.extract_lane(plane, 1);
    const nz: f32 = f32x4.extract_lane(plane, 2);
    const d: f32 = f32x4.extract_lane(plane, 3);
    m.nx = nx;
    m.ny = ny;
    m.nz = nz;
    const nb: v128 = poseDirection(inverse, plane);
    const bx: f32 = f32x4.extract_lane(nb, 0);
    const by: f32 = f32x4.extract_lane(nb, 1);
    const bz: f32 = f32x4.extract_lane(nb, 2);
    const incident: u32 = incidentFace(b, bx, by, bz, d - dot3(plane, t), depth, bias);
    const count: u32 = facePolygonPosed(b, incident, rel, polygon);
    const left: u32 = clipPolygonToFace(polygon, count, base, facePolygon(a, face, base), nx, ny, nz, polygonWork());
    return keepNearPlane(polygon, left, nx, ny, nz, d, margin, true);
  }
  const plane: v128 = facePlane(b, face);
  const na: v128 = poseDirection(rel, plane);
  const nx: f32 = f32x4.extract_lane(na, 0);
  const ny: f32 = f32x4.extract_lane(na, 1);
  const nz: f32 = f32x4.extract_lane(na, 2);
  const d: f32 = f32x4.extract_lane(plane, 3) + dot3(na, t);
  m.nx = -nx;
  m.ny = -ny;
  m.nz = -nz;
  const incident: u32 = incidentFace(a, nx, ny, nz, d, depth, bias);
  const count: u32 = facePolygon(a, incident, polygon);
  const left: u32 = clipPolygonToFace(polygon, count, base, facePolygonPosed(b, face, rel, base), nx, ny, nz, polygonWork());
  return keepNearPlane(polygon, left, nx, ny, nz, d, margin, false);
}

/** Pose of A in the frame of B: the transpose, and -R^T t. */
function invertPose(rel: usize, inverse: usize): void {
  const t: v128 = translation(rel);
  const pose = changetype<RelPose>(rel);
  const c0: v128 = pose.c0;
  const c1: v128 = pose.c1;
  const c2: v128 = pose.c2;
  const i = changetype<RelPose>(inverse);
  i.c0x = f32x4.extract_lane(c0, 0);
  i.c0y = f32x4.extract_lane(c1, 0);
  i.c0z = f32x4.extract_lane(c2, 0);
  i.c1x = f32x4.extract_lane(c0, 1);
  i.c1y = f32x4.extract_lane(c1, 1);
  i.c1z = f32x4.extract_lane(c2, 1);
  i.c2x = f32x4.extract_lane(c0, 2);
  i.c2y = f32x4.extract_lane(c1, 2);
  i.c2z = f32x4.extract_lane(c2, 2);
  i.tx = -dot3(c0, t);
  i.ty = -dot3(c1, t);
  i.tz = -dot3(c2, t);
}

/** The axis of the last test, and the separation along it now. */
function measureKept(h: HullPair, before: u32): void {
  const a: HullTables = tablesA(h),
    b: HullTables = tablesB(h);
  const ha = changetype<HullBlob>(<usize>a.blob);
  const hb = changetype<HullBlob>(<usize>b.blob);
  const kind: u32 = before >> 30;
  const first: u32 = (before >> 15) & 0x7fff;
  const second: u32 = before & 0x7fff;
  h.kind = kind;
  h.first = first;
  h.second = second;
  h.kept = -Infinity;
  if (kind == FACE_A && first < ha.faceCount) h.kept = faceSeparation(a, b, first);
  else if (kind == FACE_B && first < hb.faceCount) h.kept = faceSeparation(b, a, first);
  else if (kind == EDGES && first < ha.edgeCount && second < hb.edgeCount) {
    const n: v128 = edgePairNormal(a.blob, first, poseDirection(b.pose, edgeDirection(b.blob, second)));
    if (dot3(n, n) > 0) {
      h.axis = n;
      const nb: v128 = poseDirection(a.pose, n);
      h.kept =
        dot3(n, translation(b.pose)) -
        supportMax(b.blob, -f32x4.extract_lane(nb, 0), -f32x4.extract_lane(nb, 1), -f32x4.extract_lane(nb, 2)) -
        supportMax(a.blob, f32x4.extract_lane(n, 0), f32x4.extract_lane(n, 1), f32x4.extract_lane(n, 2));
    }
  }
}

/** Whether the axis of the last test is a face of B that is still there. */
function keepsFaceOfB(h: HullPair): bool {
  return h.kept > -Infinity && h.kind == FACE_B;
}

/**
 * The best faces of both. A good first guess (the face of the last test, or the one towards B) and the vertices that it finds
 * rule out most others. Centroids in the frame of A.
 */
function findFaces(h: HullPair, centerA: v128, centerB: v128): void {
  const a: HullTables = tablesA(h),
    b: HullTables = tablesB(h);
  const kind: u32 = h.kind;
  const ofA: bool = h.kept > -Infinity && kind == FACE_A;
  const ofKeptB: bool = keepsFaceOfB(h);
  let axis: v128 = ofKeptB ? f32x4.neg(poseDirection(b.pose, facePlane(b.blob, h.first))) : h.axis;
  const guess: u32 = ofA ? h.first : supportFaceAlong(a.blob, axis);
  if (!ofKeptB && kind != EDGES) axis = facePlane(a.blob, guess);
  h.guess = guess;
  h.witnessA = supportPoint(a.blob, axis);
  h.witnessB = supportPoint(b.blob, f32x4.neg(poseDirection(a.pose, axis)));
  queryFaces(a, b, centerB, posePoint(b.pose, h.witnessB), ofA ? h.kept : faceSeparation(a, b, guess));
  if (a.face == NO_FACE) a.face = guess;
  // Faces of B that are no better than A's best are not compared, except the cached one.
  const floor: f32 = max<f32>(a.best, kind == FACE_B ? h.kept : -Infinity);
  queryFaces(b, a, posePoint(a.pose, centerA), posePoint(a.pose, h.witnessA), floor);
  if (b.face == NO_FACE && kind == FACE_B && h.kept > a.best) b.face = h.first;
}

/** The best pair of edges, if it is better than the faces. */
function findEdges(h: HullPair): void {
  const a: HullTables = tablesA(h),
    b: HullTables = tablesB(h);
  const face: f32 = h.face;
  h.bestEdge = -Infinity;
  h.keptEdge = -Infinity;
  h.edgeA = 0;
  h.edgeB = 0;
  const size: f32 = changetype<HullBlob>(<usize>a.blob).outerRadius + changetype<HullBlob>(<usize>b.blob).outerRadius;
  let floor: f32 = face + min<f32>(ROUNDING * size, <f32>0.25 * h.bias);
  if (h.kind == EDGES && h.kept > floor && edgesCross(a.blob, b.blob, b.pose, h.first, h.second)) {
    h.bestEdge = h.kept;
    h.keptEdge = h.kept;
    h.edgeA = h.first;
    h.edgeB = h.second;
    floor += h.kept - face;
  }
  // P has the best face (or is A), Q is the other. Edges of P by a point of Q first; if there are any, those of Q by a point of
  // theirs.
  const swapped: bool = b.best > a.best && h.keptEdge < face;
  const p: HullTables = swapped ? b : a;
  const q: HullTables = swapped ? a : b;
  let point: v128 = posePoint(q.pose, swapped ? h.witnessA : h.witnessB);
  if (h.keptEdge > face) {
    point = nearestPoint(a.blob, b.blob, b.pose, h.first, h.second);
    storeHeights(p, point);
  } else if (swapped ? !keepsFaceOfB(h) || b.face != h.first : keepsFaceOfB(h) || h.kind == EDGES || a.face != h.guess) {
    // Another face than the one whose farthest vertex is known.
    const n: v128 = poseDirection(p.pose, facePlane(p.blob, p.face));
    point = posePoint(q.pose, supportPoint(q.blob, f32x4.neg(n)));
    storeHeights(p, point);
  }
  if (listEdges(p, q, floor) == 0) return;
  storeHeights(q, posePoint(p.pose, nearestOnEdges(p, point)));
  if (listEdges(q, p, floor) == 0) return;
  const best: f32 = searchEdges(h, a, b, floor);
  if (best > floor) h.bestEdge = best;
}

/** The cache entry of a face, and of the best edges. */
function keptFace(ofB: bool, face: u32): u32 {
  return ((ofB ? FACE_B : FACE_A) << 30) | (face << 15);
}
function keptEdges(h: HullPair): u32 {
  return (EDGES << 30) | (h.edgeA << 15) | h.edgeB;
}

/** The contact of the best edges; and the patch of the best face, if that is nearly parallel (patch.ts). */
function edgeManifold(h: HullPair, out: usize): u32 {
  const a: HullTables = tablesA(h),
    b: HullTables = tablesB(h);
  edgeContact(h, out, Infinity);
  const ofB: bool = b.best > a.best;
  const patch = changetype<ManifoldOut>(out + MANIFOLD_OUT_STRIDE);
  const normal: v128 = ofB ? f32x4.neg(poseDirection(b.pose, facePlane(b.blob, b.face))) : facePlane(a.blob, a.face);
  if (!nearlyParallel(out, normal, NEAR_COSINE)) return 1;
  const found: u32 = facePoints(h, ofB, ofB ? b.face : a.face, h.face, patch);
  return 1 + writePatch(polygonBufferA(), found, out, h.bias, nearOf(h.margin), nearOf(h.margin));
}

/** Shapes that overlap only beyond the rim of a face, or by rounding: the deepest vertex stands in, as the one candidate. */
function deepestVertex(h: HullPair, ofB: bool, depth: f32, m: ManifoldOut): void {
  const a: HullTables = tablesA(h),
    b: HullTables = tablesB(h);
  const n: v128 = vec3W(m.nx, m.ny, m.nz);
  const q: v128 = ofB ? supportPoint(a.blob, n) : posePoint(b.pose, supportPoint(b.blob, f32x4.neg(poseDirection(a.pose, n))));
  v128.store(polygonBufferA(), f32x4.replace_lane(ofB ? q : f32x4.sub(q, f32x4.mul(n, splatW(depth))), 3, depth));
}

/** The contacts of a reference face: the cached one while it is nearly the best, else A's unless B's is better by the bias. */
function faceManifold(h: HullPair, out: usize, cache: usize): u32 {
  const a: HullTables = tablesA(h),
    b: HullTables = tablesB(h);
  const m = changetype<ManifoldOut>(out);
  const bias: f32 = h.bias,
    near: f32 = nearOf(h.margin);
  let useB: bool = b.best > a.best + bias && b.face != NO_FACE;
  let reference: u32 = useB ? b.face : a.face;
  let depth: f32 = useB ? b.best : a.best;
  if ((h.kind == FACE_A || h.kind == FACE_B) && h.kept >= h.face - <f32>0.5 * bias) {
    useB = h.kind == FACE_B;
    reference = h.first;
    depth = h.kept;
  }
  const polygon: usize = polygonBufferA();
  let count: u32 = facePoints(h, useB, reference, depth, m);
  // If the faces do not overlap along the normal, edges that are hardly better than this face may be the nearest features.
  if (count == 0 && h.bestEdge > -Infinity && edgeContact(h, out, bias)) {
    store<u32>(cache, keptEdges(h));
    return 1;
  }
  store<u32>(cache, keptFace(useB, reference));
  if (count == 0 && depth <= 0) {
    deepestVertex(h, useB, depth, m);
    count = 1;
  }
  if (count == 0) return 0;
  let deepest: f32 = Infinity;
  for (let k: u32 = 0; k < count; ++k) deepest = min<f32>(deepest, separationAt(polygon, k));
  const gap: f32 = m.gap;
  const written: u32 = writePoints(polygon, count, out, near);
  if (deepest <= depth + <f32>0.5 * bias || depth > near) return written;
  // The deepest vertex lies beyond the rim of the face, where the truly best axis belongs to another feature: a neighboring face
  // with nearly the same normal, or an edge. Without a contact there the shapes would sink into each other unnoticed.
  const more: usize = out + <usize>written * MANIFOLD_OUT_STRIDE;
  const mm = changetype<ManifoldOut>(more);
  mm.gap = gap;
  mm.feature = 1;
  const least: f32 = deepest - <f32>0.5 * bias;
  if (h.bestEdge > h.face) return h.bestEdge < least && edgeContact(h, more, Infinity) ? written + 1 : written;
  const ofB: bool = b.best > a.best;
  const other: u32 = ofB ? b.face : a.face;
  if (other == NO_FACE || (ofB == useB && other == reference)) return written;
  const found: u32 = facePoints(h, ofB, other, h.face, mm);
  // A large face below a small one is deeper only far away from it.
  if (reducePoints(polygon, found, more, near) == 0) return written;
  let lowest: f32 = Infinity;
  for (let q: u32 = 0; q < mm.count; ++q)
    lowest = min<f32>(lowest, load<f32>(more + ((<usize>q) << 4), offsetof<ManifoldOut>('s0')));
  return lowest < least ? written + 1 : written;
}

/**
 * Two polyhedra given by their blobs: contract of every narrow-phase test otherwise, except that 0 may come with a gap within
 * the margin (see collideCorners). Blobs of boxes must be in different slots.
 */
export function collidePolyhedra(blobA: usize, blobB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const m = changetype<ManifoldOut>(out);
  const ha = changetype<HullBlob>(blobA);
  const hb = changetype<HullBlob>(blobB);
  const centerA: v128 = centroid(blobA);
  const centerB: v128 = posePoint(rel, centroid(blobB));
  const apart: v128 = f32x4.sub(centerB, centerA);
  const spheres: f32 = sqrt<f32>(dot3(apart, apart)) - (ha.outerRadius + hb.outerRadius);
  if (spheres > 2 * margin) {
    m.gap = spheres * <f32>0.999999;
    return 0;
  }

  const h: HullPair = hullPair();
  const a: HullTables = tablesA(h),
    b: HullTables = tablesB(h);
  const inverse: usize = changetype<usize>(h) + INVERSE_POSE;
  invertPose(rel, inverse);
  a.blob = <u32>blobA;
  a.pose = <u32>inverse;
  b.blob = <u32>blobB;
  b.pose = <u32>rel;
  h.margin = margin;
  h.axis = apart;
  measureKept(h, load<u32>(cache));
  if (h.kept > margin) {
    m.gap = h.kept;
    return 0;
  }

  findFaces(h, centerA, centerB);
  h.face = max<f32>(a.best, b.best);
  if (h.face > 2 * margin) {
    const ofB: bool = !(a.best >= b.best);
    store<u32>(cache, keptFace(ofB, ofB ? b.face : a.face));
    m.gap = h.face;
    return 0;
  }

  h.bias = <f32>0.5 * SIZE_BIAS * min<f32>(ha.minExtent, hb.minExtent) + DEPTH_BIAS * max<f32>(0, -h.face);
  findEdges(h);
  m.gap = max<f32>(h.face, h.bestEdge);
  if (m.gap > margin) {
    const ofB: bool = !(a.best >= b.best);
    store<u32>(cache, h.bestEdge > h.face ? keptEdges(h) : keptFace(ofB, ofB ? b.face : a.face));
    return 0;
  }
  if (h.bestEdge > h.face + (h.kind == EDGES ? <f32>0.5 * h.bias : h.bias)) {
    if (h.keptEdge >= h.bestEdge - <f32>0.5 * h.bias) {
      h.edgeA = h.first;
      h.edgeB = h.second;
    }
    store<u32>(cache, keptEdges(h));
    return edgeManifold(h, out);
  }
  return faceManifold(h, out, cache);
}

/**
 * The fallback when the best axis is within the margin but the features along it do not overlap (corners that pass by): the true
 * distance and its direction, from GJK. Also for box_box.ts.
 */
export function collideCorners(shapeA: usize, shapeB: usize, rel: usize, out: usize, margin: f32): u32 {
  const cache: usize = changetype<usize>(hullPair()) + CORNER_CACHE;
  store<u32>(cache, 0);
  return collideConvexConvex(shapeA, shapeB, rel, out, cache, margin);
}

/** Box (A) against hull (B): contract of every narrow-phase test. */
export function collideBoxHull(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  return collideHullHull(shapeA, shapeB, rel, out, cache, margin);
}

/** Hull (A) against hull (B): contract of every narrow-phase test. Boxes may take part too: the oracle of box_box.ts. */
export function collideHullHull(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const found: u32 = collidePolyhedra(polyhedronOf(shapeA, 0), polyhedronOf(shapeB, 1), rel, out, cache, margin);
  if (found == 0 && changetype<ManifoldOut>(out).gap <= margin) return collideCorners(shapeA, shapeB, rel, out, margin);
  return found;
}
