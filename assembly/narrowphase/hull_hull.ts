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
  BEST_SEPARATION,
  CORNER_CACHE,
  EDGE_LIST,
  FACE_HEIGHTS,
  FOUND_EDGES,
  HULL_EDGE_STRIDE,
  HullBlob,
  HullEdge,
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
import { at32 } from '../memory/words';
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
  loopStart,
  pairScratch,
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

function translation(pose: usize): v128 {
  const r = changetype<RelPose>(pose);
  return vec3W(r.tx, r.ty, r.tz);
}

function centroid(blob: usize): v128 {
  const h = changetype<HullBlob>(blob);
  return vec3W(h.centroidX, h.centroidY, h.centroidZ);
}

// Separation of Q from face `face` of P; `pose` is the pose of P in the frame of Q.
function faceSeparation(p: usize, q: usize, pose: usize, face: u32): f32 {
  const plane: v128 = facePlane(p, face);
  const n: v128 = poseDirection(pose, plane);
  const d: f32 = f32x4.extract_lane(plane, 3) + dot3(n, translation(pose));
  return -supportMax(q, -f32x4.extract_lane(n, 0), -f32x4.extract_lane(n, 1), -f32x4.extract_lane(n, 2)) - d;
}

/**
 * Face of P with the largest separation from Q, if larger than `floor`, else NO_FACE; the separation goes to `best`.
 * `pose`: of P in the frame of Q; `c`: centroid of Q and `w`: a point of Q, in the frame of P; their heights over all
 * faces go to `heights` and `pointHeights`.
 */
function queryFaces(
  p: usize,
  q: usize,
  pose: usize,
  c: v128,
  w: v128,
  heights: usize,
  pointHeights: usize,
  best: usize,
  floor: f32,
): u32 {
  const h = changetype<HullBlob>(p);
  const groups: u32 = h.faceGroups;
  const radius: v128 = splatW(changetype<HullBlob>(q).innerRadius);
  const cx: v128 = v128.shuffle<f32>(c, c, 0, 0, 0, 0);
  const cy: v128 = v128.shuffle<f32>(c, c, 1, 1, 1, 1);
  const cz: v128 = v128.shuffle<f32>(c, c, 2, 2, 2, 2);
  const wx: v128 = v128.shuffle<f32>(w, w, 0, 0, 0, 0);
  const wy: v128 = v128.shuffle<f32>(w, w, 1, 1, 1, 1);
  const wz: v128 = v128.shuffle<f32>(w, w, 2, 2, 2, 2);
  let face: u32 = NO_FACE;
  let at: usize = p + h.planesWOffset;
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
      const s: f32 = faceSeparation(p, q, pose, f);
      if (s > floor) {
        floor = s;
        face = f;
      }
    }
  }
  store<f32>(best, floor);
  return face;
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

// One contact where two edges cross: the points of both nearest to each other. False, with nothing written, if these points
// are farther from each other than the separation and `slack`: then the edges are not what is near.
function edgeContact(a: usize, b: usize, rel: usize, out: usize, edgeA: u32, edgeB: u32, slack: f32): bool {
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
function facePoints(
  a: usize,
  b: usize,
  rel: usize,
  inverse: usize,
  ofB: bool,
  face: u32,
  depth: f32,
  bias: f32,
  margin: f32,
  m: ManifoldOut,
): u32 {
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

/**
 * Two polyhedra given by their blobs: contract of every narrow-phase test otherwise, except that 0 may come with a gap within
 * the margin (see collideCorners). Blobs of boxes must be in different slots.
 */
export function collidePolyhedra(a: usize, b: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const m = changetype<ManifoldOut>(out);
  const ha = changetype<HullBlob>(a);
  const hb = changetype<HullBlob>(b);
  const scratch: usize = pairScratch();
  const inverse: usize = scratch + INVERSE_POSE;
  const t: v128 = translation(rel);
  const centerA: v128 = centroid(a);
  const centerB: v128 = posePoint(rel, centroid(b));

  const apart: v128 = f32x4.sub(centerB, centerA);
  const spheres: f32 = sqrt<f32>(dot3(apart, apart)) - (ha.outerRadius + hb.outerRadius);
  if (spheres > 2 * margin) {
    m.gap = spheres * <f32>0.999999;
    return 0;
  }

  // Pose of A in the frame of B: the transpose, and -R^T t.
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

  // The axis of the last test.
  const before: u32 = load<u32>(cache);
  const kind: u32 = before >> 30;
  const first: u32 = (before >> 15) & 0x7fff;
  const second: u32 = before & 0x7fff;
  let kept: f32 = -Infinity;
  let axis: v128 = apart; // away from A
  if (kind == FACE_A && first < ha.faceCount) kept = faceSeparation(a, b, inverse, first);
  else if (kind == FACE_B && first < hb.faceCount) kept = faceSeparation(b, a, rel, first);
  else if (kind == EDGES && first < ha.edgeCount && second < hb.edgeCount) {
    const n: v128 = edgePairNormal(a, first, poseDirection(rel, edgeDirection(b, second)));
    if (dot3(n, n) > 0) {
      axis = n;
      const nb: v128 = poseDirection(inverse, n);
      kept =
        dot3(n, t) -
        supportMax(b, -f32x4.extract_lane(nb, 0), -f32x4.extract_lane(nb, 1), -f32x4.extract_lane(nb, 2)) -
        supportMax(a, f32x4.extract_lane(n, 0), f32x4.extract_lane(n, 1), f32x4.extract_lane(n, 2));
    }
  }
  if (kept > margin) {
    m.gap = kept;
    return 0;
  }

  // Faces. A good first guess (the cached face, or the one towards B) and the vertices that it finds rule out most others.
  const ofA: bool = kept > -Infinity && kind == FACE_A;
  const ofKeptB: bool = kept > -Infinity && kind == FACE_B;
  if (ofKeptB) axis = f32x4.neg(poseDirection(rel, facePlane(b, first)));
  const guess: u32 = ofA ? first : supportFaceAlong(a, axis);
  if (!ofKeptB && kind != EDGES) axis = facePlane(a, guess);
  const witnessA: v128 = supportPoint(a, axis);
  const witnessB: v128 = supportPoint(b, f32x4.neg(poseDirection(inverse, axis)));
  let faceA: u32 = queryFaces(
    a,
    b,
    inverse,
    centerB,
    posePoint(rel, witnessB),
    scratch + TABLES_A + FACE_HEIGHTS,
    scratch + TABLES_A + POINT_HEIGHTS,
    scratch + BEST_SEPARATION,
    ofA ? kept : faceSeparation(a, b, inverse, guess),
  );
  if (faceA == NO_FACE) faceA = guess;
  const bestA: f32 = load<f32>(scratch + BEST_SEPARATION);
  // Faces of B that are no better than A's best are not told apart, except the cached one.
  let faceB: u32 = queryFaces(
    b,
    a,
    rel,
    posePoint(inverse, centerA),
    posePoint(inverse, witnessA),
    scratch + TABLES_B + FACE_HEIGHTS,
    scratch + TABLES_B + POINT_HEIGHTS,
    scratch + BEST_SEPARATION,
    max<f32>(bestA, kind == FACE_B ? kept : -Infinity),
  );
  if (faceB == NO_FACE && kind == FACE_B && kept > bestA) faceB = first;
  const bestB: f32 = load<f32>(scratch + BEST_SEPARATION);
  let gap: f32 = max<f32>(bestA, bestB);
  if (gap > 2 * margin) {
    store<u32>(cache, bestA >= bestB ? (FACE_A << 30) | (faceA << 15) : (FACE_B << 30) | (faceB << 15));
    m.gap = gap;
    return 0;
  }

  // Edges.
  const face: f32 = gap;
  const bias: f32 = <f32>0.5 * SIZE_BIAS * min<f32>(ha.minExtent, hb.minExtent) + DEPTH_BIAS * max<f32>(0, -face);
  let bestEdge: f32 = -Infinity;
  let keptEdge: f32 = -Infinity;
  let edgeA: u32 = 0;
  let edgeB: u32 = 0;
  let floor: f32 = face + min<f32>(ROUNDING * (ha.outerRadius + hb.outerRadius), <f32>0.25 * bias);
  if (kind == EDGES && kept > floor && edgesCross(a, b, rel, first, second)) {
    bestEdge = kept;
    keptEdge = kept;
    edgeA = first;
    edgeB = second;
    floor += kept - face;
  }
  // P has the best face (or is A), Q is the other. Edges of P by a point of Q first; if there are any, those of Q by a point of
  // theirs.
  const swapped: bool = bestB > bestA && keptEdge < face;
  const p: usize = swapped ? b : a;
  const q: usize = swapped ? a : b;
  const poseP: usize = swapped ? rel : inverse;
  const poseQ: usize = swapped ? inverse : rel;
  const atP: usize = scratch + (swapped ? TABLES_B : TABLES_A);
  const atQ: usize = scratch + (swapped ? TABLES_A : TABLES_B);
  let point: v128 = posePoint(poseQ, swapped ? witnessA : witnessB);
  if (keptEdge > face) {
    point = nearestPoint(a, b, rel, first, second);
    storeHeights(p, point, atP + POINT_HEIGHTS);
  } else if (swapped ? !ofKeptB || faceB != first : ofKeptB || kind == EDGES || faceA != guess) {
    // Another face than the one whose farthest vertex is known.
    const n: v128 = poseDirection(poseP, facePlane(p, swapped ? faceB : faceA));
    point = posePoint(poseQ, supportPoint(q, f32x4.neg(n)));
    storeHeights(p, point, atP + POINT_HEIGHTS);
  }
  const countP: u32 = listEdges(
    p,
    changetype<HullBlob>(q).innerRadius,
    atP + FACE_HEIGHTS,
    atP + POINT_HEIGHTS,
    atP + EDGE_LIST,
    floor,
  );
  if (countP != 0) {
    storeHeights(q, posePoint(poseP, nearestOnEdges(p, atP + EDGE_LIST, countP, point)), atQ + POINT_HEIGHTS);
    const countQ: u32 = listEdges(
      q,
      changetype<HullBlob>(p).innerRadius,
      atQ + FACE_HEIGHTS,
      atQ + POINT_HEIGHTS,
      atQ + EDGE_LIST,
      floor,
    );
    if (countQ != 0) {
      const found: usize = scratch + FOUND_EDGES;
      const countA: u32 = swapped ? countQ : countP;
      const countB: u32 = swapped ? countP : countQ;
      const best: f32 = searchEdges(
        a,
        b,
        rel,
        scratch + TABLES_A + EDGE_LIST,
        countA,
        scratch + TABLES_B + EDGE_LIST,
        countB,
        found,
        floor,
      );
      if (best > floor) {
        bestEdge = best;
        edgeA = at32(found, 0);
        edgeB = at32(found, 1);
      }
    }
  }
  gap = max<f32>(gap, bestEdge);
  if (gap > margin) {
    store<u32>(
      cache,
      bestEdge > face
        ? (EDGES << 30) | (edgeA << 15) | edgeB
        : bestA >= bestB
          ? (FACE_A << 30) | (faceA << 15)
          : (FACE_B << 30) | (faceB << 15),
    );
    m.gap = gap;
    return 0;
  }
  m.gap = gap;

  if (bestEdge > face + (kind == EDGES ? <f32>0.5 * bias : bias)) {
    if (keptEdge >= bestEdge - <f32>0.5 * bias) {
      edgeA = first;
      edgeB = second;
    }
    store<u32>(cache, (EDGES << 30) | (edgeA << 15) | edgeB);
    edgeContact(a, b, rel, out, edgeA, edgeB, Infinity);
    // The patch of the best face, if that is nearly parallel (patch.ts).
    const ofB: bool = bestB > bestA;
    const patch: usize = out + MANIFOLD_OUT_STRIDE;
    const normal: v128 = ofB ? f32x4.neg(poseDirection(rel, facePlane(b, faceB))) : facePlane(a, faceA);
    if (!nearlyParallel(out, normal, NEAR_COSINE)) return 1;
    const found: u32 = facePoints(
      a,
      b,
      rel,
      inverse,
      ofB,
      ofB ? faceB : faceA,
      face,
      bias,
      margin,
      changetype<ManifoldOut>(patch),
    );
    return 1 + writePatch(polygonBufferA(), found, out, bias, nearOf(margin), nearOf(margin));
  }

  // The reference face: the cached one while it is nearly the best, else A's unless B's is better by the bias.
  let useB: bool = bestB > bestA + bias && faceB != NO_FACE;
  let reference: u32 = useB ? faceB : faceA;
  let depth: f32 = useB ? bestB : bestA;
  if ((kind == FACE_A || kind == FACE_B) && kept >= face - <f32>0.5 * bias) {
    useB = kind == FACE_B;
    reference = first;
    depth = kept;
  }

  const polygon: usize = polygonBufferA();
  let count: u32 = facePoints(a, b, rel, inverse, useB, reference, depth, bias, margin, m);
  // Where the faces do not meet over each other, edges hardly better than this face may be what is near.
  if (count == 0 && bestEdge > -Infinity && edgeContact(a, b, rel, out, edgeA, edgeB, bias)) {
    store<u32>(cache, (EDGES << 30) | (edgeA << 15) | edgeB);
    return 1;
  }
  store<u32>(cache, ((useB ? FACE_B : FACE_A) << 30) | (reference << 15));
  if (count == 0 && depth <= 0) {
    // Shapes that overlap only beyond the rim of the face, or by rounding: the deepest vertex stands in.
    const n: v128 = vec3W(m.nx, m.ny, m.nz);
    const nb: v128 = poseDirection(inverse, n);
    const q: v128 = useB
      ? vertexOf(a, supportVertex(a, m.nx, m.ny, m.nz))
      : posePoint(
          rel,
          vertexOf(b, supportVertex(b, -f32x4.extract_lane(nb, 0), -f32x4.extract_lane(nb, 1), -f32x4.extract_lane(nb, 2))),
        );
    v128.store(polygon, f32x4.replace_lane(useB ? q : f32x4.sub(q, f32x4.mul(n, splatW(depth))), 3, depth));
    count = 1;
  }
  if (count == 0) return 0;
  let deepest: f32 = Infinity;
  for (let k: u32 = 0; k < count; ++k) deepest = min<f32>(deepest, separationAt(polygon, k));
  const written: u32 = writePoints(polygon, count, out, nearOf(margin));
  if (deepest <= depth + <f32>0.5 * bias || depth > nearOf(margin)) return written;
  // The deepest vertex lies beyond the rim of the face, where the axis that is really the best bears: a neighbour of the face
  // that looks nearly the same way, or an edge. Without a contact there the shapes sink into each other and no one objects.
  const more: usize = out + <usize>written * MANIFOLD_OUT_STRIDE;
  const mm = changetype<ManifoldOut>(more);
  mm.gap = gap;
  mm.feature = 1;
  const least: f32 = deepest - <f32>0.5 * bias;
  if (bestEdge > face) return bestEdge < least && edgeContact(a, b, rel, more, edgeA, edgeB, Infinity) ? written + 1 : written;
  const ofB: bool = bestB > bestA;
  const other: u32 = ofB ? faceB : faceA;
  if (other == NO_FACE || (ofB == useB && other == reference)) return written;
  const found: u32 = facePoints(a, b, rel, inverse, ofB, other, face, bias, margin, mm);
  // A large face below a small one is deeper only far away from it.
  if (reducePoints(polygon, found, more, nearOf(margin)) == 0) return written;
  let lowest: f32 = Infinity;
  for (let q: u32 = 0; q < mm.count; ++q)
    lowest = min<f32>(lowest, load<f32>(more + ((<usize>q) << 4), offsetof<ManifoldOut>('s0')));
  return lowest < least ? written + 1 : written;
}

/**
 * What is left when the best axis is within the margin but the features found along it do not lie over each other (corners
 * that pass by): the true distance and its direction, from GJK. Also for box_box.ts.
 */
export function collideCorners(shapeA: usize, shapeB: usize, rel: usize, out: usize, margin: f32): u32 {
  const cache: usize = pairScratch() + CORNER_CACHE;
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
