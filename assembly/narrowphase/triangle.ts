// One convex shape A against the triangle at hand (surface.ts): finds the contact normal that the surface allows there and
// adds the contact points to the clusters. Frame of A; m is the unit direction from the surface to A, so the normal of the
// manifold (A to B) is -m.
//
// Order of thought, for every shape:
// 1. The direction of least penetration (or of separation) among: the triangle's normal on A's side, the faces of A, and the
//    directions that each ridge or boundary edge allows. Edges that neighbors continue (flat) or shield (concave) are never
//    asked: only the face can push there.
// 2. If a face of A wins, the vertex or edge of the triangle it touches must allow that direction; else the nearest allowed
//    direction at that feature is taken.
//    If A would be deep along the best of these, a GJK tells whether it is apart: then there is no contact.
// 3. The points are those of A's feature over the triangle (or over the edge), so each triangle reports the contact over its
//    own area only, and the union over a triangulated plane is the contact with one plane.
//
// Sides. A is on the side of the triangle's plane where its center is, unless the pair remembers (cache) that it was on the
// other side of this triangle, or of one that continues it, and it still cuts the plane: then it is pushed back to where it
// came from. A body whose center is behind without such a memory is behind, and is held there: surfaces are solid from
// both sides, and a body that came from the front is not lost when its center sinks through. It is not behind where a ridge
// of the triangle has another side that A is in front of (outsideAround).
import {
  EDGE_BOUNDARY,
  EDGE_CONCAVE,
  EDGE_CONVEX,
  EDGE_FLAT,
  HULL_EDGE_STRIDE,
  HullBlob,
  HullEdge,
  PLANE_DOTS,
  PLANE_LANES_STRIDE,
  PlaneLanes,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  SUPPORT_ROW_STRIDE,
  Shape,
  Surface,
  SurfaceWork,
} from '../layout.generated';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { putVector, vectorAt } from '../memory/words';
import { clipPolygonToFace, keepNearPlane } from './clip';
import { REGION_FACE, REGION_VERTEX, closestOnTriangle, segmentTriangle } from './closest';
import { addContacts } from './cluster';
import { GJK_APART, SOLIDS, gjkOn, setSameFrame, supportA } from './gjk';
import { facePlane } from './polyhedron';
import { narrowState } from './state';
import { writeSupport, writeTriangleSupport } from './support';
import {
  CONE_SLACK,
  NORMAL_COSINE,
  along,
  clampToEdge,
  clipBuffer,
  edgeAllows,
  edgeAt,
  featureBuffer,
  frameEdges,
  inwardAt,
  kindAt,
  negate,
  neighborAt,
  nextOf,
  outsideAround,
  unit,
  vertexAllows,
  vertexAt,
  workBuffer,
  workOf,
} from './surface';
import { capFeature, faceFeature, farthest, feature, reach, sideRadius } from './surface_feature';

/** The triangle's normal is taken unless another direction is better by this (m), or this fraction of A's inner ball. */
const FACE_BIAS: f32 = 5e-4;
const FACE_BIAS_FRACTION: f32 = 0.02;
/** Near parallel lines touch where they are no farther apart sideways than this part of A's inner ball. */
const PARTED: f32 = 0.02;
/** A solid that would be deeper than this part of its inner ball may as well be apart: that is asked. */
const PARTED_DEPTH: f32 = 0.05;
/** Lines over a triangle are cut this fraction of A's size outside its edges: two neighbors may not both lose a point. */
const LINE_SLACK: f32 = 1e-5;
/**
 * Sine and cosine of the largest angle across an edge that still counts as flat (surface.ts), with a little to spare. Seen along
 * its own normal, a round side over such an edge lies beside each of the two triangles, by up to the sine of its radius.
 */
const FLAT_WEDGE_SINE: f32 = 0.0145;
const FLAT_WEDGE_COSINE: f32 = 0.999895;

/** Cosine of the angle up to which a face of A lies over a triangle. */
const NEAR_COSINE: f32 = 0.94;
/** Points of that face may lie deeper than the edge that wins by this part of A's inner ball. */
const NEAR_DEPTH: f32 = 1e-3;

/** Decides on which side of the triangle A is (see the head of this file). */
export function decideSide(c: Surface): void {
  const n: v128 = c.n;
  const height: f32 = dot3(n, f32x4.sub(c.center, c.v0));
  let side: f32 = height < 0 ? -1 : 1;
  c.recalled = 0;
  const known: f32 = c.knownSide;
  if (known != 0 && known != side && dot3(n, c.knownNormal) > 0.7) {
    if (
      abs<f32>(dot3(n, f32x4.sub(c.knownPoint, c.v0))) < 0.5 * c.inner &&
      reach(c, f32x4.mul(n, splatW(known))) > known * dot3(n, c.v0)
    ) {
      side = known;
      c.recalled = 1;
    }
  }
  c.sideSign = side;
}

/** A lower bound of the distance of A to the triangle at hand, no side preferred. */
export function triangleBound(c: Surface): f32 {
  if (c.typeA == SHAPE_SPHERE) {
    const q: v128 = closestOnTriangle(c, splatW(0));
    return sqrt<f32>(dot3(q, q)) - changetype<Shape>(c.shape).p0;
  }
  const n: v128 = c.n;
  const d: f32 = dot3(n, c.v0);
  let bound: f32 = max<f32>(d - reach(c, n), -d - reach(c, negate(n)));
  if (c.typeA == SHAPE_CAPSULE) {
    segmentTriangle(c, changetype<Shape>(c.shape).p1);
    const e: v128 = f32x4.sub(workOf(c).point, workOf(c).found);
    bound = max<f32>(bound, sqrt<f32>(dot3(e, e)) - changetype<Shape>(c.shape).p0);
  } else if (c.hull != 0) {
    bound = max<f32>(bound, bestFace(c));
  }
  return bound;
}

/** Adds the contacts of A with the triangle at hand; nothing if they are farther apart than the margin. */
export function collideTriangle(c: Surface): void {
  decideSide(c);
  if (c.sideSign < 0 && c.recalled == 0 && c.knownSide >= 0 && outsideAround(c)) return;
  if (c.typeA == SHAPE_SPHERE) sphereTriangle(c);
  else if (c.typeA == SHAPE_CAPSULE) capsuleTriangle(c);
  else solidTriangle(c);
}

// --- sphere ----------------------------------------------------------------------------------------------------------

function sphereTriangle(c: Surface): void {
  const r: f32 = changetype<Shape>(c.shape).p0;
  const side: f32 = c.sideSign;
  const height: f32 = -dot3(c.n, c.v0);
  if (side * height - r > c.margin) return;
  frameEdges(c);
  const q: v128 = closestOnTriangle(c, splatW(0));
  const region: u32 = workOf(c).region;
  const distance: f32 = sqrt<f32>(dot3(q, q));
  if (distance - r > c.margin) return;
  const own: v128 = f32x4.mul(c.n, splatW(side));
  let m: v128 = own;
  let s: f32 = side * height - r;
  if (region != REGION_FACE && distance > <f32>1e-6 * r) {
    const away: v128 = f32x4.mul(q, splatW(-1 / distance));
    const cosine: f32 = dot3(away, c.n);
    if (abs<f32>(cosine) < NORMAL_COSINE) {
      const k: u32 = workOf(c).index;
      if (region == REGION_VERTEX) {
        if (!vertexAllows(c, k, away)) return;
      } else if (kindAt(c, k) == EDGE_FLAT) {
        if (abs<f32>(cosine) < FLAT_WEDGE_COSINE) return;
      } else {
        // The side rule of boundary edges does not matter here: the nearest feature decides.
        if (kindAt(c, k) != EDGE_BOUNDARY && !edgeAllows(c, k, away)) return;
      }
      const back: bool = cosine * side < 0;
      // In the wedge over a nearly flat edge the face's own normal serves.
      if (region == REGION_VERTEX || kindAt(c, k) != EDGE_FLAT) m = back ? negate(away) : away;
      s = (back ? -distance : distance) - r;
      if (back && kindAt(c, k) == EDGE_BOUNDARY && c.knownSide == 0) return;
    }
  }
  if (s > c.margin) return;
  v128.store(clipBuffer(c), f32x4.replace_lane(f32x4.mul(m, splatW(-r)), 3, s));
  addContacts(c, f32x4.replace_lane(negate(m), 3, 0), clipBuffer(c), 1);
}

// --- capsule ---------------------------------------------------------------------------------------------------------

function capsuleTriangle(c: Surface): void {
  const shape = changetype<Shape>(c.shape);
  const r: f32 = shape.p0;
  const side: f32 = c.sideSign;
  const own: v128 = f32x4.mul(c.n, splatW(side));
  const faceSeparation: f32 = -reach(c, negate(own)) - dot3(own, c.v0);
  if (faceSeparation > c.margin) return;
  segmentTriangle(c, shape.p1);
  const p: v128 = workOf(c).point;
  const q: v128 = workOf(c).found;
  const e: v128 = f32x4.sub(p, q);
  const distance: f32 = sqrt<f32>(dot3(e, e));
  if (distance - r > c.margin) return;
  if (distance <= <f32>1e-5 * (r + shape.p1)) {
    solidTriangle(c); // the core line cuts the triangle
    return;
  }
  const region: u32 = workOf(c).region;
  const m: v128 = f32x4.mul(e, splatW(1 / distance));
  if (region == REGION_FACE || dot3(m, own) > NORMAL_COSINE) {
    faceContacts(c, own);
    return;
  }
  frameEdges(c);
  const k: u32 = workOf(c).index;
  if (region == REGION_VERTEX) {
    if (vertexAllows(c, k, m)) {
      v128.store(clipBuffer(c), f32x4.replace_lane(along(p, m, -r), 3, distance - r));
      addContacts(c, f32x4.replace_lane(negate(m), 3, 0), clipBuffer(c), 1);
      return;
    }
  } else if (kindAt(c, k) == EDGE_BOUNDARY || edgeAllows(c, k, m)) {
    if (edgeContacts(c, k, m)) return;
    v128.store(clipBuffer(c), f32x4.replace_lane(along(p, m, -r), 3, distance - r));
    addContacts(c, f32x4.replace_lane(negate(m), 3, 0), clipBuffer(c), 1);
    return;
  }
  faceContacts(c, own);
}

// --- box, hull, cylinder, cone; capsule whose core cuts the triangle ----------------------------------------------------

// Separation of a face of the polyhedron from the triangle, the largest over all faces; the face goes to SurfaceWork.
function bestFace(c: Surface): f32 {
  const work: SurfaceWork = workOf(c);
  const v0: v128 = c.v0;
  const v1: v128 = c.v1;
  const v2: v128 = c.v2;
  if (c.typeA == SHAPE_BOX) {
    const s = changetype<Shape>(c.shape);
    const h: v128 = vec3W(s.p0, s.p1, s.p2);
    const high: v128 = f32x4.sub(f32x4.pmin(f32x4.pmin(v0, v1), v2), h);
    const low: v128 = f32x4.sub(f32x4.neg(h), f32x4.pmax(f32x4.pmax(v0, v1), v2));
    const best: v128 = f32x4.pmax(high, low);
    let axis: u32 = 0;
    let value: f32 = f32x4.extract_lane(best, 0);
    if (f32x4.extract_lane(best, 1) > value) {
      value = f32x4.extract_lane(best, 1);
      axis = 1;
    }
    if (f32x4.extract_lane(best, 2) > value) {
      value = f32x4.extract_lane(best, 2);
      axis = 2;
    }
    const up: u32 = (<u32>i32x4.bitmask(f32x4.ge(high, low)) >> axis) & 1;
    work.face = (axis << 1) | up;
    return value;
  }
  const blob: usize = c.hull;
  const hull = changetype<HullBlob>(blob);
  const planes: usize = blob + hull.planesWOffset;
  const groups: u32 = hull.faceGroups;
  let best: v128 = splatW(-Infinity);
  let where: v128 = i32x4.splat(0);
  for (let g: u32 = 0; g < groups; ++g) {
    const four = changetype<PlaneLanes>(planes + <usize>g * PLANE_LANES_STRIDE);
    const x: v128 = four.nX;
    const y: v128 = four.nY;
    const z: v128 = four.nZ;
    const least: v128 = f32x4.pmin(f32x4.pmin(planeDots(x, y, z, v0), planeDots(x, y, z, v1)), planeDots(x, y, z, v2));
    const value: v128 = f32x4.sub(least, four.d);
    where = v128.bitselect(i32x4.splat(g), where, f32x4.gt(value, best));
    best = f32x4.pmax(best, value);
  }
  let value: f32 = f32x4.extract_lane(best, 0);
  let face: u32 = i32x4.extract_lane(where, 0) << 2;
  if (f32x4.extract_lane(best, 1) > value) {
    value = f32x4.extract_lane(best, 1);
    face = (i32x4.extract_lane(where, 1) << 2) + 1;
  }
  if (f32x4.extract_lane(best, 2) > value) {
    value = f32x4.extract_lane(best, 2);
    face = (i32x4.extract_lane(where, 2) << 2) + 2;
  }
  if (f32x4.extract_lane(best, 3) > value) {
    value = f32x4.extract_lane(best, 3);
    face = (i32x4.extract_lane(where, 3) << 2) + 3;
  }
  work.face = min<u32>(face, hull.faceCount - 1);
  return value;
}

function planeDots(x: v128, y: v128, z: v128, p: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(x, v128.shuffle<f32>(p, p, 0, 0, 0, 0)), f32x4.mul(y, v128.shuffle<f32>(p, p, 1, 1, 1, 1))),
    f32x4.mul(z, v128.shuffle<f32>(p, p, 2, 2, 2, 2)),
  );
}

// The same for the flat faces of cylinder (both caps) and cone (base): face 0 looks along -y, 1 along +y. -Infinity if none.
function bestCap(c: Surface): f32 {
  const h: f32 = changetype<Shape>(c.shape).p1;
  const y0: f32 = f32x4.extract_lane(c.v0, 1);
  const y1: f32 = f32x4.extract_lane(c.v1, 1);
  const y2: f32 = f32x4.extract_lane(c.v2, 1);
  workOf(c).face = 0;
  if (c.typeA == SHAPE_CAPSULE) return -Infinity;
  const below: f32 = -h - max<f32>(y0, max<f32>(y1, y2));
  if (c.typeA == SHAPE_CONE) return below;
  const above: f32 = min<f32>(y0, min<f32>(y1, y2)) - h;
  if (above <= below) return below;
  workOf(c).face = 1;
  return above;
}

// Separation along m of A from edge k, if the triangle lies behind the edge along m: -reach(-m) - m . v.
function axisSeparation(c: Surface, k: u32, m: v128): f32 {
  return -reach(c, negate(m)) - dot3(m, vertexAt(c, k));
}

// Best allowed direction of edge k against a polyhedron: crossed edges. Direction to SurfaceWork, -Infinity if none.
function bestCrossing(c: Surface, k: u32): f32 {
  const work: SurfaceWork = workOf(c);
  const d: v128 = edgeAt(c, k);
  let best: f32 = -Infinity;
  if (c.typeA == SHAPE_BOX) {
    for (let i: u32 = 0; i < 3; ++i) {
      const axis: v128 = i == 0 ? f32x4(1, 0, 0, 0) : i == 1 ? f32x4(0, 1, 0, 0) : f32x4(0, 0, 1, 0);
      const x: v128 = cross3(axis, d);
      const length2: f32 = dot3(x, x);
      if (length2 < 1e-6) continue;
      let m: v128 = f32x4.mul(x, splatW(1 / sqrt<f32>(length2)));
      for (let turn: u32 = 0; turn < 2; ++turn) {
        if (edgeAllows(c, k, m)) {
          const s: f32 = axisSeparation(c, k, m);
          if (s > best) {
            best = s;
            work.found = m;
          }
        }
        m = negate(m);
      }
    }
    return best;
  }
  // Only edges of A whose two faces look to different sides along d can be extreme across it (Gauss map).
  const blob: usize = c.hull;
  const hull = changetype<HullBlob>(blob);
  const dots: usize = changetype<usize>(work) + PLANE_DOTS;
  const planes: usize = blob + hull.planesWOffset;
  const groups: u32 = hull.faceGroups;
  for (let g: u32 = 0; g < groups; ++g) {
    const four = changetype<PlaneLanes>(planes + <usize>g * PLANE_LANES_STRIDE);
    putVector(dots, g, planeDots(four.nX, four.nY, four.nZ, d));
  }
  let edge: usize = blob + hull.edgesOffset;
  const end: usize = edge + <usize>hull.edgeCount * HULL_EDGE_STRIDE;
  const vertices: usize = blob + hull.verticesOffset;
  const normals: usize = blob + hull.planesOffset;
  const corner: v128 = vertexAt(c, k);
  for (; edge < end; edge += HULL_EDGE_STRIDE) {
    const ends = changetype<HullEdge>(edge);
    const f: usize = ends.left;
    const g: usize = ends.right;
    if (load<f32>(dots + (f << 2)) * load<f32>(dots + (g << 2)) > 0) continue;
    const a: v128 = vectorAt(vertices, ends.a);
    const e: v128 = f32x4.sub(vectorAt(vertices, ends.b), a);
    const x: v128 = cross3(e, d);
    const length2: f32 = dot3(x, x);
    if (length2 < <f32>1e-6 * dot3(e, e)) continue;
    let m: v128 = f32x4.mul(x, splatW(1 / sqrt<f32>(length2)));
    if (dot3(m, f32x4.add(v128.load(normals + (f << 4)), v128.load(normals + (g << 4)))) > 0) m = negate(m);
    if (!edgeAllows(c, k, m)) continue;
    const s: f32 = dot3(m, f32x4.sub(a, corner));
    if (s > best) {
      best = s;
      work.found = m;
    }
  }
  return best;
}

function between(a: v128, b: v128, t: f32): v128 {
  return unit(f32x4.add(f32x4.mul(a, splatW(1 - t)), f32x4.mul(b, splatW(t))));
}

// Best allowed direction of edge k against any shape: the largest separation over the arc of normals there, by samples and a
// golden-section search around the best. Direction to SurfaceWork, -Infinity if the edge allows none.
function bestOnArc(c: Surface, k: u32): f32 {
  const kind: u32 = kindAt(c, k);
  let first: v128 = f32x4.mul(c.n, splatW(c.sideSign));
  let last: v128 = negate(inwardAt(c, k));
  if (kind == EDGE_CONVEX) {
    first = c.n;
    last = neighborAt(c, k);
  } else if (kind == EDGE_CONCAVE) {
    first = negate(c.n);
    last = negate(neighborAt(c, k));
  }
  // A wide arc goes over its middle: interpolation would miss a knife edge.
  let best: f32;
  if (dot3(first, last) > 0) {
    best = searchArc(c, k, first, last, -Infinity);
  } else {
    const middle: v128 = unit(f32x4.add(f32x4.add(first, last), f32x4.mul(inwardAt(c, k), splatW(-1e-3))));
    best = searchArc(c, k, middle, last, searchArc(c, k, first, middle, -Infinity));
  }
  if (c.typeA != SHAPE_CONE) {
    // The edge across a side line: a kink, where the search stops a hair beside the exact direction.
    const x: v128 = cross3(edgeAt(c, k), f32x4(0, 1, 0, 0));
    const length2: f32 = dot3(x, x);
    if (length2 > 1e-6) {
      const sign: f32 = dot3(x, workOf(c).found) < 0 ? -1 : 1;
      const m: v128 = f32x4.mul(x, splatW(sign / sqrt<f32>(length2)));
      const s: f32 = axisSeparation(c, k, m);
      if (s > best - <f32>1e-5 * c.extent && edgeAllows(c, k, m)) {
        best = max<f32>(best, s);
        workOf(c).found = m;
      }
    }
  }
  return best;
}

// Largest separation from edge k over the directions from a to b. If above `best`, its direction goes to SurfaceWork;
// returns the larger of both.
function searchArc(c: Surface, k: u32, a: v128, b: v128, best: f32): f32 {
  let top: f32 = -Infinity;
  let at: f32 = 0;
  for (let i: u32 = 0; i <= 4; ++i) {
    const s: f32 = axisSeparation(c, k, between(a, b, <f32>i * 0.25));
    if (s > top) {
      top = s;
      at = <f32>i * 0.25;
    }
  }
  const golden: f32 = 0.61803399;
  let low: f32 = max<f32>(0, at - 0.25);
  let high: f32 = min<f32>(1, at + 0.25);
  let x1: f32 = high - (high - low) * golden;
  let x2: f32 = low + (high - low) * golden;
  let s1: f32 = axisSeparation(c, k, between(a, b, x1));
  let s2: f32 = axisSeparation(c, k, between(a, b, x2));
  for (let i: u32 = 0; i < 12; ++i) {
    if (s1 >= s2) {
      high = x2;
      x2 = x1;
      s2 = s1;
      x1 = high - (high - low) * golden;
      s1 = axisSeparation(c, k, between(a, b, x1));
    } else {
      low = x1;
      x1 = x2;
      s1 = s2;
      x2 = low + (high - low) * golden;
      s2 = axisSeparation(c, k, between(a, b, x2));
    }
  }
  if (max<f32>(s1, s2) > top) {
    top = max<f32>(s1, s2);
    at = s1 >= s2 ? x1 : x2;
  }
  if (top > best) workOf(c).found = between(a, b, at);
  return max<f32>(top, best);
}

// Normal of the round side of a cylinder or cone towards point v; zero on the axis, and above or below the side.
function sideNormal(c: Surface, v: v128): v128 {
  const s = changetype<Shape>(c.shape);
  const x: f32 = f32x4.extract_lane(v, 0);
  const z: f32 = f32x4.extract_lane(v, 2);
  const rho: f32 = sqrt<f32>(x * x + z * z);
  if (rho < <f32>1e-6 * s.p0 || abs<f32>(f32x4.extract_lane(v, 1)) > s.p1) return splatW(0);
  return c.typeA == SHAPE_CYLINDER ? vec3W(x / rho, 0, z / rho) : unit(vec3W((2 * s.p1 * x) / rho, s.p0, (2 * s.p1 * z) / rho));
}

// A vertex against the round side of a cylinder or cone, if the vertex allows it. Direction and
// vertex to SurfaceWork; -Infinity if none.
function bestVertex(c: Surface): f32 {
  const work: SurfaceWork = workOf(c);
  let best: f32 = -Infinity;
  if (c.typeA == SHAPE_CAPSULE) return best;
  for (let k: u32 = 0; k < 3; ++k) {
    const v: v128 = vertexAt(c, k);
    const w: v128 = sideNormal(c, v);
    if (dot3(w, w) == 0) continue;
    const m: v128 = negate(w);
    const separation: f32 = dot3(w, v) - reach(c, w);
    if (separation <= best || !vertexAllows(c, k, m)) continue;
    best = separation;
    work.found = m;
    work.index = k;
  }
  return best;
}

// The winning feature: the triangle's face, a face of A, an edge, a vertex.
const FACE: u32 = 0;
const FACE_OF_A: u32 = 1;
const EDGE: u32 = 2;
const VERTEX: u32 = 3;
// A face of A wins but may not: the nearest direction that an edge allows.
const CLAMPED: u32 = 4;

function solidTriangle(c: Surface): void {
  const work: SurfaceWork = workOf(c);
  const margin: f32 = c.margin;
  const own: v128 = f32x4.mul(c.n, splatW(c.sideSign));
  const faceSeparation: f32 = -reach(c, negate(own)) - dot3(own, c.v0);
  if (faceSeparation > margin) return;
  const polyhedron: bool = c.hull != 0;
  const faceOfA: f32 = polyhedron ? bestFace(c) : bestCap(c);
  if (faceOfA > margin) return;
  const face: u32 = work.face;
  const outward: v128 = polyhedron ? f32x4.replace_lane(facePlane(c.hull, face), 3, 0) : vec3W(0, face == 0 ? -1 : 1, 0);
  const m: v128 = negate(outward);
  const bias: f32 = min<f32>(FACE_BIAS, FACE_BIAS_FRACTION * c.inner);

  let kind: u32 = FACE;
  let best: f32 = faceSeparation + bias;
  let direction: v128 = own;
  let index: u32 = 0;
  const edges: u32 = c.edges & 63;
  // The best edge even if it does not win.
  let edgeBest: f32 = -Infinity;
  let edgeDirection: v128 = own;
  let edgeIndex: u32 = 0;
  if (edges != 0) {
    frameEdges(c);
    for (let k: u32 = 0; k < 3; ++k) {
      const e: u32 = (edges >> (k << 1)) & 3;
      if (e == EDGE_FLAT || (e == EDGE_CONCAVE && c.sideSign > 0) || (e == EDGE_CONVEX && c.sideSign < 0 && c.knownSide < 0))
        continue;
      const s: f32 = polyhedron ? bestCrossing(c, k) : bestOnArc(c, k);
      if (s > edgeBest) {
        edgeBest = s;
        edgeDirection = work.found;
        edgeIndex = k;
      }
    }
    if (edgeBest > best) {
      best = edgeBest;
      kind = EDGE;
      direction = edgeDirection;
      index = edgeIndex;
    }
    if (!polyhedron) {
      const s: f32 = bestVertex(c);
      if (s > best) {
        best = s;
        kind = VERTEX;
        direction = work.found;
        index = work.index;
      }
    }
    if (best > margin + bias) return;
  }
  // A capsule is here only where its core line cuts the triangle.
  const mayPart: bool = c.typeA != SHAPE_CAPSULE;
  if (mayPart && max<f32>(best, faceOfA) < -PARTED_DEPTH * c.inner && isParted(c)) return;

  // A face of A separates best, or nearly as well as an edge. With the triangle's normal it says nothing new, and against it
  // it would push to the wrong side.
  const cosine: f32 = dot3(m, own);
  if (faceOfA > faceSeparation + bias && faceOfA > best - bias && cosine < NORMAL_COSINE && cosine > -CONE_SLACK) {
    if (allowsSupport(c, m)) {
      kind = FACE_OF_A;
    } else if (kind == FACE || faceOfA > best + bias) {
      // The neighbor covers the feature that A's face touches. Take the nearest direction that is allowed there, unless
      // that is the triangle's own.
      const k: u32 = nearestEdge(c, m);
      if (k < 3) {
        kind = CLAMPED;
        index = k;
        direction = clampToEdge(c, k, m);
      }
    }
  }
  if (kind == FACE_OF_A) {
    faceOfAContacts(c, face, outward);
    return;
  }
  // A face of A that lies over the triangle at a small angle touches it at an edge only, but is near all of it: without the
  // points in between, it would fall through the gap in one step, be pushed out and rock for ever.
  const near: bool = polyhedron && cosine > NEAR_COSINE;
  if (kind == CLAMPED) {
    edgeContacts(c, index, direction);
    if (near) facePatch(c, own, best - NEAR_DEPTH * c.inner);
    return;
  }
  // Pushed out one way though another is far shorter: only where A is shallow enough to have come that way. A body behind
  // without a memory has not, and at a ridge or boundary the shorter way is that over the edge, which another triangle
  // reports.
  const other: f32 = -4 * min<f32>(0, faceOfA) + margin;
  const came: f32 = kind == FACE && (c.sideSign > 0 || c.knownSide < 0) && !hasRidge(edges) ? c.inner : 0;
  const depth: f32 = kind == FACE ? -faceSeparation : -best;
  if (c.recalled == 0 && depth > came + other) return;
  if (kind == FACE) {
    const deepest: f32 = faceContacts(c, own);
    // The face of a needle that looks most at the triangle may lack the lowest corner.
    if (polyhedron && deepest == Infinity && cornerContact(c, own, faceSeparation)) return;
    if (deepest < Infinity || !hasRidge(edges)) {
      // A round side that rests on a blunt ridge: seen along either normal its lowest point lies beyond the edge.
      const blunt: bool = !polyhedron && edgeBest > faceSeparation - bias && kindAt(c, edgeIndex) == EDGE_CONVEX;
      if (blunt && faceSeparation < bias && deepest > faceSeparation + bias) {
        if (!edgeContacts(c, edgeIndex, edgeDirection)) rimContact(c, edgeIndex, edgeDirection, edgeBest);
      }
      return;
    }
    // A's lowest feature lies beside the triangle, where no neighbor takes it, but the rest of A may cut the triangle.
    if (polyhedron) {
      insideContacts(c, own);
      return;
    }
    if (mayPart && isParted(c)) return;
    const least: f32 = 4 * min<f32>(0, faceSeparation) - margin;
    if (faceOfA > least && cosine > -CONE_SLACK && allowsSupport(c, m) && faceOfAContacts(c, face, outward)) return;
    if (edgeBest > least) edgeContacts(c, edgeIndex, edgeDirection);
  } else if (kind == EDGE) {
    if (!edgeContacts(c, index, direction) && !polyhedron) rimContact(c, index, direction, best);
    if (near) facePatch(c, own, best - NEAR_DEPTH * c.inner);
  } else if (best <= margin) {
    v128.store(clipBuffer(c), f32x4.replace_lane(along(vertexAt(c, index), direction, best), 3, best));
    addContacts(c, f32x4.replace_lane(negate(direction), 3, 0), clipBuffer(c), 1);
  }
}

// One contact at the corner of a polyhedron farthest along -m, if that lies over the triangle.
function cornerContact(c: Surface, m: v128, separation: f32): bool {
  const g: usize = narrowState().roundScratch;
  writeSupport(g + SOLIDS, c.shape, false);
  const p: v128 = supportA(g, SOLIDS, negate(m));
  frameEdges(c);
  for (let k: u32 = 0; k < 3; ++k) if (dot3(inwardAt(c, k), f32x4.sub(p, vertexAt(c, k))) < 0) return false;
  v128.store(clipBuffer(c), f32x4.replace_lane(p, 3, separation));
  addContacts(c, f32x4.replace_lane(negate(m), 3, 0), clipBuffer(c), 1);
  return true;
}

// Is A apart from the whole triangle? The directions that features allow do not always tell: the side of a cone may look at an
// edge from below, where A counts as above.
function isParted(c: Surface): bool {
  const g: usize = narrowState().roundScratch;
  writeSupport(g + SOLIDS, c.shape, false);
  writeTriangleSupport(g + SOLIDS + SUPPORT_ROW_STRIDE, changetype<usize>(c) + offsetof<Surface>('v0'));
  setSameFrame(g);
  return gjkOn(g, SOLIDS, c.n) == GJK_APART;
}

// Contacts of the edges that no neighbor continues where they run inside polyhedron A: the middle of that part, as deep as A
// reaches below it along -m.
function insideContacts(c: Surface, m: v128): void {
  const hull = changetype<HullBlob>(c.hull);
  const planes: usize = c.hull + hull.planesOffset;
  const end: usize = planes + ((<usize>hull.faceCount) << 4);
  const rows: usize = clipBuffer(c);
  let kept: u32 = 0;
  for (let k: u32 = 0; k < 3; ++k) {
    if ((kindAt(c, k) & 1) == 0) continue;
    const a: v128 = vertexAt(c, k);
    const e: v128 = f32x4.sub(vertexAt(c, nextOf(k)), a);
    let low: f32 = 0;
    let high: f32 = 1;
    for (let at: usize = planes; at < end && low < high; at += 16) {
      const plane: v128 = v128.load(at);
      const h: f32 = dot3(plane, a) - f32x4.extract_lane(plane, 3);
      const g: f32 = dot3(plane, e);
      if (g > 0) high = min<f32>(high, -h / g);
      else if (g < 0) low = max<f32>(low, -h / g);
      else if (h > 0) high = -1;
    }
    if (!(low < high)) continue;
    const q: v128 = along(a, e, 0.5 * (low + high));
    let depth: f32 = Infinity;
    for (let at: usize = planes; at < end; at += 16) {
      const plane: v128 = v128.load(at);
      const g: f32 = -dot3(plane, m);
      if (g > 0) depth = min<f32>(depth, (f32x4.extract_lane(plane, 3) - dot3(plane, q)) / g);
    }
    if (!(depth < Infinity)) continue;
    v128.store(rows + ((<usize>kept) << 4), f32x4.replace_lane(along(q, m, -depth), 3, -depth));
    kept++;
  }
  addContacts(c, f32x4.replace_lane(negate(m), 3, 0), rows, kept);
}

// One contact of a round shape with edge k, where its polygon (which lies inside the round rim) missed the edge: the point
// of A farthest along -m, if the edge passes there.
function rimContact(c: Surface, k: u32, m: v128, separation: f32): void {
  if (separation > c.margin) return;
  const p: v128 = along(farthest(c, negate(m)), m, -c.featureRadius);
  const d: v128 = edgeAt(c, k);
  const q0: v128 = vertexAt(c, k);
  const t: f32 = dot3(d, f32x4.sub(p, q0));
  const length: f32 = dot3(d, f32x4.sub(vertexAt(c, nextOf(k)), q0));
  const q: v128 = along(q0, d, max<f32>(0, min<f32>(length, t)));
  const e: v128 = f32x4.sub(p, q);
  const aside: v128 = along(e, m, -dot3(e, m));
  if (dot3(aside, aside) > <f32>0.0025 * c.inner * c.inner) return;
  v128.store(clipBuffer(c), f32x4.replace_lane(along(q, m, separation), 3, separation));
  addContacts(c, f32x4.replace_lane(negate(m), 3, 0), clipBuffer(c), 1);
}

// Is an edge of these kinds (2 bits each) convex or a boundary: EDGE_CONVEX and EDGE_BOUNDARY have bit 0 set.
function hasRidge(edges: u32): bool {
  return (edges & 0x15) != 0;
}

// Does the feature of the triangle farthest along m (vertex or edge) allow m? Sets the two edges beside it
// (SurfaceWork.beside; equal for an edge).
function allowsSupport(c: Surface, m: v128): bool {
  frameEdges(c);
  const a: f32 = dot3(m, c.v0);
  const b: f32 = dot3(m, c.v1);
  const d: f32 = dot3(m, c.v2);
  const top: u32 = a >= b && a >= d ? 0 : b >= d ? 1 : 2;
  const behind: u32 = top == 0 ? 2 : top - 1;
  const work: SurfaceWork = workOf(c);
  work.beside0 = top;
  work.beside1 = behind;
  // Slopes of the two edges that leave the vertex.
  const out: f32 = -dot3(m, edgeAt(c, top));
  const into: f32 = dot3(m, edgeAt(c, behind));
  if (out < CONE_SLACK && into < CONE_SLACK) return false; // m is nearly the face's normal: the face itself serves
  if (out < CONE_SLACK) {
    work.beside1 = top;
    return edgeAllows(c, top, m);
  }
  if (into < CONE_SLACK) {
    work.beside0 = behind;
    return edgeAllows(c, behind, m);
  }
  return vertexAllows(c, top, m);
}

// After allowsSupport: the edge beside that feature whose nearest allowed direction is nearer to m than the face's; 3 if none.
function nearestEdge(c: Surface, m: v128): u32 {
  allowsSupport(c, m);
  const work: SurfaceWork = workOf(c);
  let result: u32 = 3;
  let best: f32 = max<f32>(0.7, dot3(m, c.n) * c.sideSign + 1e-4);
  for (let i: usize = 0; i < 2; ++i) {
    const k: u32 = i == 0 ? work.beside0 : work.beside1;
    const near: f32 = dot3(m, clampToEdge(c, k, m));
    if (near > best) {
      best = near;
      result = k;
    }
  }
  return result;
}

// Contacts of A's feature along -m over the triangle, m = the triangle's normal on A's side. Returns the least separation of
// them, Infinity without any.
function faceContacts(c: Surface, m: v128): f32 {
  return facePatch(c, m, -Infinity);
}

// The same without the points deeper than `least`.
function facePatch(c: Surface, m: v128, least: f32): f32 {
  const count: u32 = feature(c, negate(m));
  const from: usize = featureBuffer(c);
  const rows: usize = clipBuffer(c);
  const margin: f32 = c.margin;
  let kept: u32 = 0;
  let deepest: f32 = Infinity;
  if (count == 2) {
    frameEdges(c);
    const r: f32 = c.featureRadius;
    const a: v128 = v128.load(from);
    const e: v128 = f32x4.sub(vectorAt(from, 1), a);
    const slack: f32 = LINE_SLACK * c.extent;
    const wedge: f32 = FLAT_WEDGE_SINE * sideRadius(c);
    let low: f32 = 0;
    let high: f32 = 1;
    // The same, past the flat edges by the wedge.
    let lowPast: f32 = 0;
    let highPast: f32 = 1;
    for (let k: u32 = 0; k < 3; ++k) {
      const h: f32 = dot3(inwardAt(c, k), f32x4.sub(a, vertexAt(c, k))) + slack;
      const g: f32 = dot3(inwardAt(c, k), e);
      const past: f32 = kindAt(c, k) == EDGE_FLAT ? h + wedge : h;
      if (g > 0) {
        low = max<f32>(low, -h / g);
        lowPast = max<f32>(lowPast, -past / g);
      } else if (g < 0) {
        high = min<f32>(high, -h / g);
        highPast = min<f32>(highPast, -past / g);
      } else {
        if (h < 0) high = -1;
        if (past < 0) return Infinity;
      }
    }
    if (lowPast > highPast) return Infinity;
    // The wedge counts only where the lowest point of the line lies in it.
    const fall: f32 = dot3(m, e);
    const lowest: f32 = min<f32>(0, fall) + slack;
    if (low > high || (fall < 0 ? fall * high : fall * low) > lowest) {
      if ((fall < 0 ? fall * highPast : fall * lowPast) <= lowest) {
        low = lowPast;
        high = highPast;
      } else if (low > high) {
        return Infinity;
      }
    }
    for (let i: u32 = 0; i < 2; ++i) {
      const p: v128 = along(a, e, i == 0 ? low : high);
      const s: f32 = dot3(m, f32x4.sub(p, c.v0)) - r;
      if (s > margin || s < least) continue;
      v128.store(rows + ((<usize>kept) << 4), f32x4.replace_lane(along(p, m, -r), 3, s));
      deepest = min<f32>(deepest, s);
      kept++;
    }
  } else {
    for (let i: u32 = 0; i < count; ++i) v128.store(rows + ((<usize>i) << 4), v128.load(from + ((<usize>i) << 4)));
    const n: v128 = c.n;
    const left: u32 = clipPolygonToFace(
      rows,
      count,
      changetype<usize>(c),
      3,
      f32x4.extract_lane(n, 0),
      f32x4.extract_lane(n, 1),
      f32x4.extract_lane(n, 2),
      workBuffer(c),
    );
    // Heights from a vertex of the triangle, which is near.
    for (let i: u32 = 0; i < left; ++i) {
      const p: v128 = v128.load(rows + ((<usize>i) << 4));
      const s: f32 = dot3(m, f32x4.sub(p, c.v0));
      if (!(s <= margin && s >= least)) continue;
      v128.store(rows + ((<usize>kept) << 4), f32x4.replace_lane(p, 3, s));
      deepest = min<f32>(deepest, s);
      kept++;
    }
  }
  addContacts(c, f32x4.replace_lane(negate(m), 3, 0), rows, kept);
  return deepest;
}

// Contacts of the triangle over a face of A.
function faceOfAContacts(c: Surface, face: u32, outward: v128): bool {
  const count: u32 = c.hull != 0 ? faceFeature(c, face) : capFeature(c, face == 1, outward);
  const rows: usize = clipBuffer(c);
  putVector(rows, 0, f32x4.replace_lane(c.v0, 3, 0));
  putVector(rows, 1, f32x4.replace_lane(c.v1, 3, 0));
  putVector(rows, 2, f32x4.replace_lane(c.v2, 3, 0));
  const x: f32 = f32x4.extract_lane(outward, 0);
  const y: f32 = f32x4.extract_lane(outward, 1);
  const z: f32 = f32x4.extract_lane(outward, 2);
  const left: u32 = clipPolygonToFace(rows, 3, featureBuffer(c), count, x, y, z, workBuffer(c));
  let kept: u32 = keepNearPlane(rows, left, x, y, z, f32x4.extract_lane(c.featurePlane, 3), c.margin, true);
  if (kept == 0 && c.hull == 0) {
    // A vertex under the cap between its polygon and its rim.
    const r: f32 = changetype<Shape>(c.shape).p0;
    const d: f32 = f32x4.extract_lane(c.featurePlane, 3);
    for (let k: u32 = 0; k < 3; ++k) {
      const v: v128 = vertexAt(c, k);
      const vx: f32 = f32x4.extract_lane(v, 0);
      const vz: f32 = f32x4.extract_lane(v, 2);
      const s: f32 = dot3(outward, v) - d;
      if (vx * vx + vz * vz > r * r || s > c.margin) continue;
      v128.store(rows + ((<usize>kept) << 4), f32x4.replace_lane(along(v, outward, -s), 3, s));
      kept++;
    }
  }
  addContacts(c, outward, rows, kept);
  return kept != 0;
}

// Contacts of A's feature along -m with edge k. Returns false if they do not meet along m within the margin.
function edgeContacts(c: Surface, k: u32, m: v128): bool {
  const w: v128 = negate(m);
  const count: u32 = feature(c, w);
  const from: usize = featureBuffer(c);
  const rows: usize = clipBuffer(c);
  const margin: f32 = c.margin;
  const q0: v128 = vertexAt(c, k);
  const q1: v128 = vertexAt(c, nextOf(k));
  let kept: u32 = 0;
  if (count > 2) {
    putVector(rows, 0, f32x4.replace_lane(q0, 3, 0));
    putVector(rows, 1, f32x4.replace_lane(q1, 3, 0));
    const left: u32 = clipPolygonToFace(
      rows,
      2,
      from,
      count,
      f32x4.extract_lane(w, 0),
      f32x4.extract_lane(w, 1),
      f32x4.extract_lane(w, 2),
      workBuffer(c),
    );
    const plane: v128 = c.featurePlane;
    const slope: f32 = dot3(plane, m);
    if (slope > -0.05) return false; // a feature seen from its edge has no area
    for (let i: u32 = 0; i < left; ++i) {
      const q: v128 = v128.load(rows + ((<usize>i) << 4));
      const s: f32 = (f32x4.extract_lane(plane, 3) - dot3(plane, q)) / slope;
      if (!(s <= margin)) continue;
      v128.store(rows + ((<usize>kept) << 4), f32x4.replace_lane(along(q, m, s), 3, s));
      kept++;
    }
  } else {
    const r: f32 = c.featureRadius;
    const a: v128 = v128.load(from);
    const e: v128 = f32x4.sub(vectorAt(from, 1), a);
    const d: v128 = edgeAt(c, k);
    const eLength2: f32 = dot3(e, e);
    const x: v128 = cross3(e, d);
    const crossing: f32 = dot3(x, m);
    if (eLength2 > 0 && crossing * crossing < <f32>0.01 * eLength2) {
      // Near parallel: both ends of the overlap.
      const length: f32 = dot3(d, f32x4.sub(q1, q0));
      const reachA: f32 = dot3(d, e);
      if (reachA == 0) return false;
      const start: f32 = dot3(d, f32x4.sub(a, q0));
      const low: f32 = max<f32>(0, min<f32>(start, start + reachA));
      const high: f32 = min<f32>(length, max<f32>(start, start + reachA));
      for (let i: u32 = 0; i < 2 && low <= high; ++i) {
        const t: f32 = i == 0 ? low : high;
        const p: v128 = along(a, e, (t - start) / reachA);
        const away: v128 = f32x4.sub(p, along(q0, d, t));
        const height: f32 = dot3(m, away);
        const s: f32 = height - r;
        // Where the lines have parted sideways there is no contact.
        if (s > margin || dot3(away, away) - height * height > PARTED * PARTED * c.inner * c.inner) continue;
        v128.store(rows + ((<usize>kept) << 4), f32x4.replace_lane(along(p, m, -r), 3, s));
        kept++;
      }
    }
    if (kept == 0 && eLength2 > 0 && crossing * crossing > <f32>1e-8 * eLength2) {
      // Where the lines cross seen along m: a + e t = q0 + d u + (along m).
      const t: f32 = dot3(cross3(d, m), f32x4.sub(q0, a)) / dot3(cross3(d, m), e);
      const u: f32 = dot3(cross3(e, m), f32x4.sub(a, q0)) / dot3(cross3(e, m), d);
      const length: f32 = dot3(d, f32x4.sub(q1, q0));
      const slack: f32 = LINE_SLACK * c.extent;
      if (!(t >= -LINE_SLACK && t <= 1 + LINE_SLACK && u >= -slack && u <= length + slack)) return false;
      const p: v128 = along(a, e, t);
      const s: f32 = dot3(m, f32x4.sub(p, q0)) - r;
      if (s <= margin) {
        v128.store(rows, f32x4.replace_lane(along(p, m, -r), 3, s));
        kept = 1;
      }
    }
  }
  addContacts(c, f32x4.replace_lane(w, 3, 0), rows, kept);
  return kept != 0;
}
