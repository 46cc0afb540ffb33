// One view of meshes and heightfields for the triangle tests: a Surface in scratch holds what is constant over a call and
// the triangle at hand, posed in the frame of shape A.
//
// Vertices are taken relative to the center of A while still in the frame of B: far from the origin of a large mesh every
// triangle then has the same rounding error, so coplanar triangles stay coplanar.
//
// Normal cones. A contact normal m (from the surface towards A) can belong to edge k of a triangle only if it lies between
// the normals of the two triangles there, and to a vertex only if no edge of the fan around it leads towards m. What does not
// is a contact with a feature that the neighbor covers: the internal edges that bodies would trip over.
import {
  EDGE_BOUNDARY,
  EDGE_CONCAVE,
  EDGE_CONVEX,
  EDGE_FLAT,
  HeightfieldBlob,
  MESH_TRIANGLE_STRIDE,
  MeshBlob,
  MeshTriangle,
  NONE,
  RelPose,
  SHAPE_MESH,
  SURFACE_CLIP,
  SURFACE_CLUSTERS,
  SURFACE_FEATURE,
  SURFACE_STACK,
  SURFACE_STRIDE,
  SURFACE_WORK,
  Surface,
  SurfaceWork,
} from '../layout.generated';
import { cross3, dot3, splatW, vec3W } from '../math/lane';
import { allocate } from '../memory/allocator';
import { poseDirection } from './polyhedron';
import { initNarrowState, narrowState } from './state';

/** Slack of normal cones (sine): below it a direction counts as inside. */
export const CONE_SLACK: f32 = 1e-3;
/** A direction nearer than this to the triangle's normal is the triangle's normal (cosine of 2 mrad). */
export const NORMAL_COSINE: f32 = 0.999998;
/** Neighbors whose normals agree to this cosine (0.8 degrees) continue the plane. */
const FLAT_COSINE: f32 = 0.9999;

/** The surface state in scratch. */
export function surface(): Surface {
  return changetype<Surface>(<usize>narrowState().meshScratch);
}
/** Polygon of the feature of A, kept between triangles. */
export function featureBuffer(c: Surface): usize {
  return changetype<usize>(c) + SURFACE_FEATURE;
}
/** Polygon that is clipped. */
export function clipBuffer(c: Surface): usize {
  return changetype<usize>(c) + SURFACE_CLIP;
}
/** Second buffer of clipping. */
export function workBuffer(c: Surface): usize {
  return changetype<usize>(c) + SURFACE_WORK;
}
/** Data that steps of a test leave for each other in that buffer. */
export function workOf(c: Surface): SurfaceWork {
  return changetype<SurfaceWork>(workBuffer(c));
}
/** Stack of a tree traversal: 256 words. */
export function stackBuffer(c: Surface): usize {
  return changetype<usize>(c) + SURFACE_STACK;
}
/** Clusters of contact candidates (cluster.ts). */
export function clusterBuffer(c: Surface): usize {
  return changetype<usize>(c) + SURFACE_CLUSTERS;
}

/** Takes the scratch of surface tests; once a world. False without memory. */
export function initSurface(): bool {
  initNarrowState();
  const state = narrowState();
  if (state.meshScratch != 0) return true;
  const block: usize = allocate(SURFACE_STRIDE);
  if (block == 0) return false;
  state.meshScratch = <u32>block;
  return true;
}

/** a + b f. */
export function along(a: v128, b: v128, f: f32): v128 {
  return f32x4.add(a, f32x4.mul(b, splatW(f)));
}
/** a scaled to unit length. */
export function unit(a: v128): v128 {
  return f32x4.mul(a, splatW(1 / sqrt<f32>(dot3(a, a))));
}
export function negate(a: v128): v128 {
  return f32x4.neg(a);
}

/** A direction of the frame of A in the frame of B. */
export function toB(rel: usize, m: v128): v128 {
  const r = changetype<RelPose>(rel);
  return vec3W(dot3(r.c0, m), dot3(r.c1, m), dot3(r.c2, m));
}

// Vertex k of the triangle at hand.
export function vertexAt(c: Surface, k: u32): v128 {
  return v128.load(changetype<usize>(c) + ((<usize>k) << 4), offsetof<Surface>('v0'));
}
export function edgeAt(c: Surface, k: u32): v128 {
  return v128.load(changetype<usize>(c) + ((<usize>k) << 4), offsetof<Surface>('d0'));
}
export function inwardAt(c: Surface, k: u32): v128 {
  return v128.load(changetype<usize>(c) + ((<usize>k) << 4), offsetof<Surface>('u0'));
}
export function neighborAt(c: Surface, k: u32): v128 {
  return v128.load(changetype<usize>(c) + ((<usize>k) << 4), offsetof<Surface>('nn0'));
}
export function kindAt(c: Surface, k: u32): u32 {
  return (c.edges >> (k << 1)) & 3;
}
export function nextOf(k: u32): u32 {
  return k == 2 ? 0 : k + 1;
}

// A point of B, relative to the center of A in the frame of B, in the frame of A.
function posed(c: Surface, p: v128): v128 {
  return f32x4.add(poseDirection(c.rel, f32x4.sub(p, c.centerB)), c.center);
}

/** Makes the edge directions and inward directions of the triangle at hand. */
export function frameEdges(c: Surface): void {
  if (c.framed != 0) return;
  c.framed = 1;
  const n: v128 = c.n;
  c.d0 = unit(f32x4.sub(c.v1, c.v0));
  c.d1 = unit(f32x4.sub(c.v2, c.v1));
  c.d2 = unit(f32x4.sub(c.v0, c.v2));
  c.u0 = cross3(n, c.d0);
  c.u1 = cross3(n, c.d1);
  c.u2 = cross3(n, c.d2);
}

/** Loads triangle `index` of a mesh. */
export function loadMeshTriangle(c: Surface, index: u32): void {
  const blob: usize = c.blob;
  const h = changetype<MeshBlob>(blob);
  const row: usize = blob + h.trianglesOffset + <usize>index * MESH_TRIANGLE_STRIDE;
  const t = changetype<MeshTriangle>(row);
  const vertices: usize = blob + h.verticesOffset;
  c.v0 = posed(c, v128.load(vertices + ((<usize>t.a) << 4)));
  c.v1 = posed(c, v128.load(vertices + ((<usize>t.b) << 4)));
  c.v2 = posed(c, v128.load(vertices + ((<usize>t.c) << 4)));
  const n: v128 = poseDirection(c.rel, t.n);
  c.n = n;
  const edges: u32 = t.edges;
  c.edges = edges;
  c.triangle = index;
  c.framed = 0;
  if ((edges & 63) == 0) return; // flat all round
  for (let k: u32 = 0; k < 3; ++k) {
    const kind: u32 = (edges >> (k << 1)) & 3;
    let nn: v128 = n;
    if (kind == EDGE_CONVEX || kind == EDGE_CONCAVE) {
      const other: u32 = load<u32>(row + ((<usize>k) << 2), offsetof<MeshTriangle>('neighbor0'));
      nn = poseDirection(c.rel, changetype<MeshTriangle>(blob + h.trianglesOffset + <usize>other * MESH_TRIANGLE_STRIDE).n);
      if ((edges >> (8 + k)) & 1) nn = negate(nn);
    }
    v128.store(changetype<usize>(c) + ((<usize>k) << 4), nn, offsetof<Surface>('nn0'));
  }
}

/** Sample (i, j) of a heightfield as a point x y z 0 of B; y is NaN outside the grid and at holes. */
export function sampleAt(blob: usize, i: i32, j: i32): v128 {
  const h = changetype<HeightfieldBlob>(blob);
  let y: f32 = NaN;
  if (<u32>i < h.nx && <u32>j < h.nz) y = load<f32>(blob + h.heightsOffset + ((<usize>(<u32>j * h.nx + <u32>i)) << 2));
  return vec3W(h.originX + <f32>i * h.spacingX, y, h.originZ + <f32>j * h.spacingZ);
}

function heightOf(p: v128): f32 {
  return f32x4.extract_lane(p, 1);
}

// Neighbor of a heightfield triangle over edge a -> b with the third vertex w: stores its normal, returns the kind.
function heightfieldEdge(c: Surface, k: u32, nB: v128, a: v128, b: v128, w: v128): u32 {
  let kind: u32 = EDGE_BOUNDARY;
  let nn: v128 = c.n;
  if (heightOf(w) == heightOf(w)) {
    const m: v128 = unit(cross3(f32x4.sub(a, b), f32x4.sub(w, b)));
    if (dot3(m, nB) > FLAT_COSINE) {
      kind = EDGE_FLAT;
    } else {
      kind = dot3(nB, f32x4.sub(w, a)) < 0 ? EDGE_CONVEX : EDGE_CONCAVE;
      nn = poseDirection(c.rel, m);
    }
  }
  v128.store(changetype<usize>(c) + ((<usize>k) << 4), nn, offsetof<Surface>('nn0'));
  return kind << (k << 1);
}

/** Loads a triangle of a heightfield. Returns false if it is a hole. */
export function loadHeightfieldTriangle(c: Surface, i: i32, j: i32, half: u32): bool {
  const blob: usize = c.blob;
  const a: v128 = sampleAt(blob, i, j);
  const d: v128 = sampleAt(blob, i + 1, j + 1);
  const e: v128 = half == 0 ? sampleAt(blob, i, j + 1) : sampleAt(blob, i + 1, j);
  if (!(heightOf(a) + heightOf(d) + heightOf(e) < Infinity)) return false;
  const p1: v128 = half == 0 ? e : d;
  const p2: v128 = half == 0 ? d : e;
  const nB: v128 = unit(cross3(f32x4.sub(p1, a), f32x4.sub(p2, a)));
  c.v0 = posed(c, a);
  c.v1 = posed(c, p1);
  c.v2 = posed(c, p2);
  c.n = poseDirection(c.rel, nB);
  c.triangle = ((<u32>j * (changetype<HeightfieldBlob>(blob).nx - 1) + <u32>i) << 1) + half;
  c.framed = 0;
  if (half == 0) {
    c.edges =
      heightfieldEdge(c, 0, nB, a, p1, sampleAt(blob, i - 1, j)) |
      heightfieldEdge(c, 1, nB, p1, p2, sampleAt(blob, i + 1, j + 2)) |
      heightfieldEdge(c, 2, nB, p2, a, sampleAt(blob, i + 1, j));
  } else {
    c.edges =
      heightfieldEdge(c, 0, nB, a, p1, sampleAt(blob, i, j + 1)) |
      heightfieldEdge(c, 1, nB, p1, p2, sampleAt(blob, i + 2, j + 1)) |
      heightfieldEdge(c, 2, nB, p2, a, sampleAt(blob, i, j - 1));
  }
  return true;
}

/** Loads a triangle of either kind of surface by its index; false for a hole. */
export function loadTriangle(c: Surface, index: u32): bool {
  if (c.typeB == SHAPE_MESH) {
    loadMeshTriangle(c, index);
    return true;
  }
  const cells: u32 = changetype<HeightfieldBlob>(c.blob).nx - 1;
  const cell: u32 = index >> 1;
  return loadHeightfieldTriangle(c, <i32>(cell % cells), <i32>(cell / cells), index & 1);
}

/** Number of triangles, holes included. */
export function triangleCountOf(c: Surface): u32 {
  if (c.typeB == SHAPE_MESH) return changetype<MeshBlob>(c.blob).triangleCount;
  const h = changetype<HeightfieldBlob>(c.blob);
  return (h.nx - 1) * (h.nz - 1) * 2;
}

/** May unit direction m (surface to A) be the normal of a contact at edge k? frameEdges first. */
export function edgeAllows(c: Surface, k: u32, m: v128): bool {
  const kind: u32 = kindAt(c, k);
  if (kind == EDGE_FLAT || dot3(m, inwardAt(c, k)) > CONE_SLACK) return false;
  if (kind == EDGE_BOUNDARY) return dot3(m, c.n) * c.sideSign >= -CONE_SLACK;
  // Into the neighbor, perpendicular to the edge.
  return dot3(m, cross3(edgeAt(c, k), neighborAt(c, k))) <= CONE_SLACK;
}

/** May unit direction m (surface to A) be the normal of a contact at vertex k: does no edge from there lead along m? */
export function vertexAllows(c: Surface, k: u32, m: v128): bool {
  const w: v128 = toB(c.rel, m);
  if (c.typeB != SHAPE_MESH) {
    const cells: u32 = changetype<HeightfieldBlob>(c.blob).nx - 1;
    const cell: u32 = c.triangle >> 1;
    let i: i32 = <i32>(cell % cells);
    let j: i32 = <i32>(cell / cells);
    const half: u32 = c.triangle & 1;
    if (k == 1 + half) {
      // vertex (i, j + 1) of half 0 is its vertex 1; vertex (i + 1, j) of half 1 is its vertex 2
      if (half == 0) j += 1;
      else i += 1;
    } else if (k != 0) {
      i += 1;
      j += 1;
    }
    const p: v128 = sampleAt(c.blob, i, j);
    return (
      leadsAway(w, p, sampleAt(c.blob, i + 1, j)) &&
      leadsAway(w, p, sampleAt(c.blob, i - 1, j)) &&
      leadsAway(w, p, sampleAt(c.blob, i, j + 1)) &&
      leadsAway(w, p, sampleAt(c.blob, i, j - 1)) &&
      leadsAway(w, p, sampleAt(c.blob, i + 1, j + 1)) &&
      leadsAway(w, p, sampleAt(c.blob, i - 1, j - 1))
    );
  }
  const h = changetype<MeshBlob>(c.blob);
  const triangles: usize = c.blob + h.trianglesOffset;
  const vertices: usize = c.blob + h.verticesOffset;
  const row: usize = triangles + <usize>c.triangle * MESH_TRIANGLE_STRIDE;
  const v: u32 = load<u32>(row + ((<usize>k) << 2));
  const p: v128 = v128.load(vertices + ((<usize>v) << 4));
  const ahead: u32 = nextOf(k);
  const behind: u32 = nextOf(ahead);
  // First round the fan over edge k, then, if that ended at a boundary, over edge k + 2.
  for (let turn: u32 = 0; turn < 2; ++turn) {
    let edge: u32 = turn == 0 ? k : behind;
    let x: u32 = load<u32>(row + ((<usize>(turn == 0 ? ahead : behind)) << 2));
    let at: usize = row;
    for (let steps: u32 = 0; ; ++steps) {
      if (!leadsAway(w, p, v128.load(vertices + ((<usize>x) << 4)))) return false;
      const other: u32 = load<u32>(at + ((<usize>edge) << 2), offsetof<MeshTriangle>('neighbor0'));
      if (other == NONE || steps > 64) break;
      if (other == c.triangle) return true;
      at = triangles + <usize>other * MESH_TRIANGLE_STRIDE;
      edge = leavingEdge(at, v, x);
      x = otherEnd(at, edge, v);
    }
  }
  return true;
}

/**
 * Is A outside, around a ridge of the triangle at hand, though its center is behind the triangle's plane? True if a ridge at
 * one of its edges or vertices has a triangle that A is in front of: a box that has sunk a little into the top of a block
 * then does not feel the block's sides from within. For a heightfield simply: is the center above it?
 */
export function outsideAround(c: Surface): bool {
  if (c.typeB != SHAPE_MESH) return aboveHeightfield(c);
  for (let k: u32 = 0; k < 3; ++k) {
    if (kindAt(c, k) == EDGE_CONVEX && dot3(neighborAt(c, k), f32x4.sub(c.center, vertexAt(c, k))) > 0) return true;
  }
  const h = changetype<MeshBlob>(c.blob);
  const triangles: usize = c.blob + h.trianglesOffset;
  const row: usize = triangles + <usize>c.triangle * MESH_TRIANGLE_STRIDE;
  for (let k: u32 = 0; k < 3; ++k) {
    const v: u32 = load<u32>(row + ((<usize>k) << 2));
    const away: v128 = f32x4.sub(c.centerB, v128.load(c.blob + h.verticesOffset + ((<usize>v) << 4)));
    for (let turn: u32 = 0; turn < 2; ++turn) {
      let edge: u32 = turn == 0 ? k : nextOf(nextOf(k));
      let at: usize = row;
      for (let steps: u32 = 0; steps < 64; ++steps) {
        const other: u32 = load<u32>(at + ((<usize>edge) << 2), offsetof<MeshTriangle>('neighbor0'));
        if (other == NONE || other == c.triangle) break;
        const kinds: u32 = changetype<MeshTriangle>(at).edges;
        const x: u32 = otherEnd(at, edge, v);
        at = triangles + <usize>other * MESH_TRIANGLE_STRIDE;
        if (
          ((kinds >> (edge << 1)) & 3) == EDGE_CONVEX &&
          ((kinds >> (8 + edge)) & 1) == 0 &&
          dot3(changetype<MeshTriangle>(at).n, away) > 0
        )
          return true;
        edge = leavingEdge(at, v, x);
      }
    }
  }
  return false;
}

// Is the center of A above the heightfield? False outside of the grid and over holes.
function aboveHeightfield(c: Surface): bool {
  const h = changetype<HeightfieldBlob>(c.blob);
  const p: v128 = c.centerB;
  const x: f32 = (f32x4.extract_lane(p, 0) - h.originX) * h.invSpacingX;
  const z: f32 = (f32x4.extract_lane(p, 2) - h.originZ) * h.invSpacingZ;
  if (!(x >= 0 && z >= 0 && x < <f32>(h.nx - 1) && z < <f32>(h.nz - 1))) return false;
  const i: i32 = <i32>x;
  const j: i32 = <i32>z;
  const u: f32 = x - <f32>i;
  const w: f32 = z - <f32>j;
  const a: f32 = heightOf(sampleAt(c.blob, i, j));
  const d: f32 = heightOf(sampleAt(c.blob, i + 1, j + 1));
  // Triangle 0 lies on the side of larger z.
  const e: f32 = heightOf(w > u ? sampleAt(c.blob, i, j + 1) : sampleAt(c.blob, i + 1, j));
  const height: f32 = w > u ? a + (e - a) * w + (d - e) * u : a + (e - a) * u + (d - e) * w;
  return f32x4.extract_lane(p, 1) > height;
}

// The vertex at the other end of edge `edge` (one end is v) of the MeshTriangle at `row`.
function otherEnd(row: usize, edge: u32, v: u32): u32 {
  const a: u32 = load<u32>(row + ((<usize>edge) << 2));
  return a == v ? load<u32>(row + ((<usize>nextOf(edge)) << 2)) : a;
}

// The edge of the MeshTriangle at `row` that has vertex v but not vertex x.
function leavingEdge(row: usize, v: u32, x: u32): u32 {
  const t = changetype<MeshTriangle>(row);
  const q: u32 = t.a == v ? 0 : t.b == v ? 1 : 2;
  const q1: u32 = nextOf(q);
  return load<u32>(row + ((<usize>q1) << 2)) == x ? nextOf(q1) : q;
}

// Does the edge p -> x not lead along w? True where x is a hole.
function leadsAway(w: v128, p: v128, x: v128): bool {
  const e: v128 = f32x4.sub(x, p);
  const d: f32 = dot3(w, e);
  return !(d > 0 && d * d > CONE_SLACK * CONE_SLACK * dot3(e, e));
}

/** The direction nearest to unit m that edge k allows: the triangle's own normal, the neighbor's, or between. */
export function clampToEdge(c: Surface, k: u32, m: v128): v128 {
  const own: v128 = f32x4.mul(c.n, splatW(c.sideSign));
  const kind: u32 = kindAt(c, k);
  if (kind == EDGE_FLAT || (kind == EDGE_CONCAVE && c.sideSign > 0)) return own;
  if (kind == EDGE_CONVEX && c.sideSign < 0 && c.knownSide < 0) return own;
  // The side on which this edge sticks out.
  const outer: f32 = kind == EDGE_CONVEX ? 1 : kind == EDGE_CONCAVE ? -1 : c.sideSign;
  const base: v128 = f32x4.mul(c.n, splatW(outer));
  const d: v128 = edgeAt(c, k);
  const flat: v128 = along(m, d, -dot3(m, d));
  const length2: f32 = dot3(flat, flat);
  if (!(length2 > 1e-8)) return own;
  const p: v128 = f32x4.mul(flat, splatW(1 / sqrt<f32>(length2)));
  if (dot3(p, inwardAt(c, k)) > 0) return base;
  if (kind == EDGE_BOUNDARY) return dot3(p, own) >= 0 ? p : negate(inwardAt(c, k));
  if (dot3(p, cross3(d, neighborAt(c, k))) > 0) return f32x4.mul(neighborAt(c, k), splatW(outer));
  return p;
}
