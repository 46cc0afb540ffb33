// Convex shapes against a triangle mesh: the triangles that the bounds of A touch, each tested by triangle.ts, gathered into
// manifolds by cluster.ts.
//
// The tree is walked in the frame of B, four boxes at once; leaves test the box of each triangle before it is posed. Without
// contacts a second walk with a larger box gives the bound of the distance: the least over the triangles found there, and at
// most the growth of the box, beyond which nothing was looked at.
import {
  MESH_LEAF,
  MESH_NODE_STRIDE,
  MESH_TRIANGLE_STRIDE,
  ManifoldOut,
  MeshBlob,
  MeshNode,
  MeshTriangle,
  NONE,
  RelPose,
  Shape,
  Surface,
} from '../layout.generated';
import { dot3, splatW, vec3W } from '../math/lane';
import { writeManifolds } from './cluster';
import { initPolyhedra } from './polyhedron';
import { initSurface, loadMeshTriangle, loadTriangle, stackBuffer, surface, toB, triangleCountOf } from './surface';
import { setShape } from './surface_feature';
import { collideTriangle, triangleBound } from './triangle';

/** The second walk looks this fraction of A's extent farther than the margin. */
export const GAP_FRACTION: f32 = 0.25;

/** Takes the scratch of mesh and heightfield tests; once a world. False without memory. */
export function initMeshTests(): bool {
  return initPolyhedra() && initSurface();
}

/** Fills the surface state for one call. `center` and `halfB` bound A in the frame of B. */
export function beginSurface(shapeA: usize, shapeB: usize, rel: usize, cache: usize, margin: f32): Surface {
  const c = surface();
  const a = changetype<Shape>(shapeA);
  const b = changetype<Shape>(shapeB);
  c.rel = rel;
  c.blob = b.dataPtr;
  c.typeB = b.type;
  c.margin = margin;
  c.clusterCount = 0;
  setShape(c, shapeA);

  const low: v128 = vec3W(a.minX, a.minY, a.minZ);
  const high: v128 = vec3W(a.maxX, a.maxY, a.maxZ);
  const half: v128 = f32x4.mul(f32x4.sub(high, low), splatW(0.5));
  const center: v128 = f32x4.mul(f32x4.add(high, low), splatW(0.5));
  c.center = center;
  const pose = changetype<RelPose>(rel);
  const t: v128 = vec3W(pose.tx, pose.ty, pose.tz);
  c.centerB = toB(rel, f32x4.sub(center, t));
  c.halfB = vec3W(dot3(f32x4.abs(pose.c0), half), dot3(f32x4.abs(pose.c1), half), dot3(f32x4.abs(pose.c2), half));
  c.extent = max<f32>(f32x4.extract_lane(half, 0), max<f32>(f32x4.extract_lane(half, 1), f32x4.extract_lane(half, 2)));
  c.planeTolerance = 2 * margin + <f32>0.05 * c.extent;

  // The memory of the pair: triangle + 1 in the upper bits, the side in bit 0.
  c.knownSide = 0;
  const memory: u32 = load<u32>(cache);
  if (memory != 0) {
    const index: u32 = (memory >> 1) - 1;
    if (index < triangleCountOf(c) && loadTriangle(c, index)) {
      c.known = index;
      c.knownSide = (memory & 1) != 0 ? -1 : 1;
      c.knownNormal = c.n;
      c.knownPoint = c.v0;
    }
  }
  return c;
}

/** The same blob at 0 manifolds: forgets the side and writes the bound (never negative). */
export function endWithoutContact(out: usize, cache: usize, bound: f32): u32 {
  store<u32>(cache, 0);
  const m = changetype<ManifoldOut>(out);
  m.count = 0;
  m.gap = max<f32>(0, bound);
  return 0;
}

// Distance of the box of A (frame of B) to the box low..high.
export function boxDistance(c: Surface, low: v128, high: v128): f32 {
  const gap: v128 = f32x4.pmax(f32x4.sub(low, f32x4.add(c.centerB, c.halfB)), f32x4.sub(f32x4.sub(c.centerB, c.halfB), high));
  const out: v128 = f32x4.replace_lane(f32x4.pmax(gap, splatW(0)), 3, 0);
  return sqrt<f32>(dot3(out, out));
}

/** Contact pass (`bounding` false): tests every triangle within `grow` of A's box. Bound pass: lowers c.bound instead. */
function walk(c: Surface, grow: f32, bounding: bool): void {
  const blob: usize = c.blob;
  const h = changetype<MeshBlob>(blob);
  const nodes: usize = blob + h.nodesOffset;
  const triangles: usize = blob + h.trianglesOffset;
  const vertices: usize = blob + h.verticesOffset;
  const reachB: v128 = f32x4.add(c.halfB, splatW(grow));
  const low: v128 = f32x4.sub(c.centerB, reachB);
  const high: v128 = f32x4.add(c.centerB, reachB);
  const lowX: v128 = v128.shuffle<f32>(low, low, 0, 0, 0, 0);
  const lowY: v128 = v128.shuffle<f32>(low, low, 1, 1, 1, 1);
  const lowZ: v128 = v128.shuffle<f32>(low, low, 2, 2, 2, 2);
  const highX: v128 = v128.shuffle<f32>(high, high, 0, 0, 0, 0);
  const highY: v128 = v128.shuffle<f32>(high, high, 1, 1, 1, 1);
  const highZ: v128 = v128.shuffle<f32>(high, high, 2, 2, 2, 2);
  const stack: usize = stackBuffer(c);
  store<u32>(stack, 0);
  let top: usize = stack + 4;
  while (top > stack) {
    top -= 4;
    const node: usize = nodes + <usize>load<u32>(top) * MESH_NODE_STRIDE;
    const boxes = changetype<MeshNode>(node);
    const x: v128 = v128.and(f32x4.le(boxes.minX, highX), f32x4.ge(boxes.maxX, lowX));
    const y: v128 = v128.and(f32x4.le(boxes.minY, highY), f32x4.ge(boxes.maxY, lowY));
    const z: v128 = v128.and(f32x4.le(boxes.minZ, highZ), f32x4.ge(boxes.maxZ, lowZ));
    let hits: u32 = <u32>i32x4.bitmask(v128.and(v128.and(x, y), z));
    while (hits != 0) {
      const lane: u32 = ctz<u32>(hits);
      hits &= hits - 1;
      const child: u32 = load<u32>(node + ((<usize>lane) << 2), offsetof<MeshNode>('children'));
      if ((child & MESH_LEAF) == 0) {
        store<u32>(top, child);
        top += 4;
        continue;
      }
      if (child == NONE) continue;
      const first: u32 = (child & ~MESH_LEAF) >> 3;
      const end: u32 = first + (child & 7);
      for (let i: u32 = first; i < end; ++i) {
        const t = changetype<MeshTriangle>(triangles + <usize>i * MESH_TRIANGLE_STRIDE);
        const a: v128 = v128.load(vertices + ((<usize>t.a) << 4));
        const b: v128 = v128.load(vertices + ((<usize>t.b) << 4));
        const d: v128 = v128.load(vertices + ((<usize>t.c) << 4));
        const min3: v128 = f32x4.pmin(f32x4.pmin(a, b), d);
        const max3: v128 = f32x4.pmax(f32x4.pmax(a, b), d);
        const apart: v128 = v128.or(f32x4.gt(min3, high), f32x4.lt(max3, low));
        if ((i32x4.bitmask(apart) & 7) != 0) continue;
        loadMeshTriangle(c, i);
        if (bounding) c.bound = min<f32>(c.bound, max<f32>(boxDistance(c, min3, max3), triangleBound(c)));
        else collideTriangle(c);
      }
    }
  }
}

/**
 * Convex shape A (sphere, capsule, box, hull, cylinder, cone) against mesh B: contract of the narrow phase with up to
 * MAX_MESH_MANIFOLDS manifolds; ManifoldOut.feature is the triangle (blob order). Without manifolds gap is a lower bound of
 * the distance to every triangle; 0 if they touch where no contact is allowed. The cache keeps the side of the deepest
 * triangle that A was on (triangle.ts).
 */
export function collideConvexMesh(shapeA: usize, shapeB: usize, rel: usize, out: usize, cache: usize, margin: f32): u32 {
  const c = beginSurface(shapeA, shapeB, rel, cache, margin);
  walk(c, margin, false);
  if (c.clusterCount != 0) return writeManifolds(c, out, cache);
  const grow: f32 = margin + GAP_FRACTION * c.extent;
  c.bound = grow;
  walk(c, grow, true);
  return endWithoutContact(out, cache, c.bound);
}

/**
 * For tests: writes the triangles (blob order, u32 each, at most `capacity`) whose box touches the box low..high (m, frame of
 * the mesh) to `out`; returns how many touch.
 */
export function meshQuery(
  blob: usize,
  lowX: f32,
  lowY: f32,
  lowZ: f32,
  highX: f32,
  highY: f32,
  highZ: f32,
  out: usize,
  capacity: u32,
): u32 {
  const h = changetype<MeshBlob>(blob);
  const low: v128 = vec3W(lowX, lowY, lowZ);
  const high: v128 = vec3W(highX, highY, highZ);
  const stack: usize = stackBuffer(surface());
  store<u32>(stack, 0);
  let top: usize = stack + 4;
  let count: u32 = 0;
  while (top > stack) {
    top -= 4;
    const node: usize = blob + h.nodesOffset + <usize>load<u32>(top) * MESH_NODE_STRIDE;
    for (let lane: usize = 0; lane < 4; ++lane) {
      const at: usize = node + (lane << 2);
      if (load<f32>(at, offsetof<MeshNode>('minX')) > highX || load<f32>(at, offsetof<MeshNode>('maxX')) < lowX) continue;
      if (load<f32>(at, offsetof<MeshNode>('minY')) > highY || load<f32>(at, offsetof<MeshNode>('maxY')) < lowY) continue;
      if (load<f32>(at, offsetof<MeshNode>('minZ')) > highZ || load<f32>(at, offsetof<MeshNode>('maxZ')) < lowZ) continue;
      const child: u32 = load<u32>(at, offsetof<MeshNode>('children'));
      if ((child & MESH_LEAF) == 0) {
        store<u32>(top, child);
        top += 4;
        continue;
      }
      const first: u32 = (child & ~MESH_LEAF) >> 3;
      for (let i: u32 = first; i < first + (child & 7); ++i) {
        const t = changetype<MeshTriangle>(blob + h.trianglesOffset + <usize>i * MESH_TRIANGLE_STRIDE);
        const a: v128 = v128.load(blob + h.verticesOffset + ((<usize>t.a) << 4));
        const b: v128 = v128.load(blob + h.verticesOffset + ((<usize>t.b) << 4));
        const d: v128 = v128.load(blob + h.verticesOffset + ((<usize>t.c) << 4));
        const apart: v128 = v128.or(
          f32x4.gt(f32x4.pmin(f32x4.pmin(a, b), d), high),
          f32x4.lt(f32x4.pmax(f32x4.pmax(a, b), d), low),
        );
        if ((i32x4.bitmask(apart) & 7) != 0) continue;
        if (count < capacity) store<u32>(out + ((<usize>count) << 2), i);
        count++;
      }
    }
  }
  return count;
}
