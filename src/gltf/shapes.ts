// Shapes of talus for the geometry of a collider, at the place and scale of its node in its body.
import { convexParts, type Decompose, type Decomposer } from '../engines/decompose';
import type { BodyType, ShapeDesc } from '../index';
import { arc, type Turn, type Vector } from '../rigs/turns';
import type { Geometry, ImplicitShape } from './document';
import type { Issues } from './issues';
import { join, type Triangles } from './meshes';
import { type Affine, applyLinear, compose, takeApart } from './nodes';

/** A shape and its pose in its body. */
export interface PlacedDesc {
  desc: ShapeDesc;
  position: Vector;
  rotation: Turn;
}

export interface ShapeRequest {
  geometry: Geometry;
  node: number;
  /** Matrix from the space of the node to the body, scale included. */
  matrix: Affine;
  type: BodyType;
  /** Triangles of the geometry in the space of the node, if it comes from meshes. */
  triangles: readonly { triangles: Triangles; matrix: Affine }[];
  maxVertices: number;
  decompose: Decomposer | Decompose | undefined;
}

const NO_TURN: Turn = [0, 0, 0, 1];
/** Scales that differ by less count as equal. */
const EQUAL = 1e-3;
/** Length (m) of shapes that are endless on one side only. */
const ENDLESS = 4000;
/** Number of points about the axis of a round shape that becomes a hull. */
const AROUND = 20;

const same = (a: number, b: number) => Math.abs(a - b) <= EQUAL * Math.max(a, b);

/** Returns the shapes of a collider; none if that is impossible (an issue says why, unless its node is scaled to nothing). */
export function shapesOf(request: ShapeRequest, issues: Issues): PlacedDesc[] {
  const { scale } = takeApart(request.matrix);
  // A node without size is one that is switched off.
  if (scale.every((length) => length < 1e-9)) return [];
  const { path, shape } = request.geometry;
  if (scale.some((length) => length < 1e-9)) {
    issues.skipped(path, request.node, 'its node is scaled to nothing along one axis only: no shape is that flat');
    return [];
  }
  return shape ? implicit(shape, request, issues) : ofTriangles(request, issues);
}

function implicit(shape: ImplicitShape, request: ShapeRequest, issues: Issues): PlacedDesc[] {
  const { geometry, node, matrix } = request;
  if (shape.type === 'plane') return planeOf(shape, request, issues);
  const { rotation, scale, isSheared } = takeApart(matrix);
  const position = matrix.at;
  const [x, y, z] = scale;
  const isEven = same(x, y) && same(y, z);
  const asHull = (why: string): PlacedDesc[] => {
    issues.approximated(geometry.path, node, `${why}: it is a convex hull`);
    const points = pointsOf(shape).flatMap((point) => applyLinear(matrix, point));
    return [{ desc: { type: 'hull', points }, position, rotation: NO_TURN }];
  };
  if (isSheared) return asHull(`its node is scaled across its axes, which no ${shape.type} can be`);
  switch (shape.type) {
    case 'box': {
      const halfExtents = shape.size.map((edge, k) => (edge / 2) * scale[k]!);
      return [{ desc: { type: 'box', halfExtents }, position, rotation }];
    }
    case 'sphere':
      if (!isEven) return asHull('a sphere scaled unevenly is an ellipsoid');
      return [{ desc: { type: 'sphere', radius: shape.radius * x }, position, rotation }];
    case 'capsule': {
      const { radiusTop, radiusBottom, height } = shape;
      if (!isEven) return asHull('a capsule scaled unevenly has no round ends');
      if (!same(radiusTop, radiusBottom)) return asHull('a capsule with two radii');
      return [{ desc: { type: 'capsule', radius: radiusTop * x, halfHeight: (height / 2) * y }, position, rotation }];
    }
    case 'cylinder': {
      const { radiusTop, radiusBottom, height } = shape;
      const halfHeight = (height / 2) * y;
      if (!same(x, z)) return asHull('a cylinder scaled unevenly across its axis is not round');
      if (same(radiusTop, radiusBottom))
        return [{ desc: { type: 'cylinder', radius: radiusTop * x, halfHeight }, position, rotation }];
      if (radiusTop === 0) return [{ desc: { type: 'cone', radius: radiusBottom * x, halfHeight }, position, rotation }];
      if (radiusBottom === 0) {
        const [a, b, c, d] = rotation;
        // The rotation after half a turn about x.
        return [{ desc: { type: 'cone', radius: radiusTop * x, halfHeight }, position, rotation: [d, c, -b, -a] }];
      }
      return asHull('a cylinder with two radii');
    }
  }
}

/** Returns points whose hull is a shape with other faces than planes. */
function pointsOf(shape: Exclude<ImplicitShape, { type: 'plane' }>): Vector[] {
  const out: Vector[] = [];
  const ring = (y: number, radius: number) => {
    if (radius <= 0) out.push([0, y, 0]);
    else
      for (let i = 0; i < AROUND; i++) {
        const angle = (2 * Math.PI * i) / AROUND;
        out.push([radius * Math.cos(angle), y, radius * Math.sin(angle)]);
      }
  };
  /** Returns a part of a ball from one height of its unit ball to another. */
  const cap = (y: number, radius: number, from: number, to: number) => {
    const rings = 3;
    for (let i = 0; i <= rings; i++) {
      const angle = from + ((to - from) * i) / rings;
      ring(y + radius * Math.sin(angle), Math.abs(Math.cos(angle)) < 1e-6 ? 0 : radius * Math.cos(angle));
    }
  };
  switch (shape.type) {
    case 'box': {
      const [x, y, z] = shape.size.map((edge) => edge / 2) as Vector;
      for (let i = 0; i < 8; i++) out.push([i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z]);
      break;
    }
    case 'sphere':
      for (const [from, to] of [
        [-Math.PI / 2, -Math.PI / 12],
        [Math.PI / 12, Math.PI / 2],
      ] as const)
        cap(0, shape.radius, from, to);
      break;
    case 'cylinder':
      ring(-shape.height / 2, shape.radiusBottom);
      ring(shape.height / 2, shape.radiusTop);
      break;
    case 'capsule': {
      const { height, radiusBottom, radiusTop } = shape;
      if (Math.abs(radiusTop - radiusBottom) >= height) {
        // The larger ball has the smaller one in it.
        const isTop = radiusTop > radiusBottom;
        cap(((isTop ? 1 : -1) * height) / 2, Math.max(radiusTop, radiusBottom), -Math.PI / 2, Math.PI / 2);
        break;
      }
      // The side touches both balls where its normal leaves the horizontal by this angle.
      const tilt = Math.asin((radiusBottom - radiusTop) / height);
      cap(-height / 2, radiusBottom, -Math.PI / 2, tilt);
      cap(height / 2, radiusTop, tilt, Math.PI / 2);
    }
  }
  return out;
}

function planeOf(shape: Extract<ImplicitShape, { type: 'plane' }>, request: ShapeRequest, issues: Issues): PlacedDesc[] {
  const { geometry, node, matrix, type } = request;
  const { path } = geometry;
  const { sizeX, sizeZ } = shape;
  if (sizeX === undefined && sizeZ === undefined) {
    if (type === 'dynamic') {
      issues.skipped(path, node, 'an endless plane cannot be on a body that moves by forces');
      return [];
    }
    if (shape.doubleSided) issues.approximated(path, node, 'an endless plane has one side: all below it is solid');
    // The normal of the transformed plane, for any matrix.
    const [x, , z] = matrix.linear;
    const [ux, uy, uz] = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
    const length = Math.hypot(ux, uy, uz);
    const rotation = arc([0, 1, 0], [ux / length, uy / length, uz / length]);
    return [{ desc: { type: 'plane' }, position: matrix.at, rotation }];
  }
  if (sizeX === undefined || sizeZ === undefined)
    issues.approximated(path, node, `a plane that ends along one axis only is ${ENDLESS} m long along the other`);
  const [hx, hz] = [(sizeX ?? ENDLESS) / 2, (sizeZ ?? ENDLESS) / 2];
  if (type === 'dynamic') {
    const halfHeight = 0.01 * Math.min(hx, hz);
    issues.approximated(path, node, 'a plane on a body that moves by forces is a thin box');
    const box: ImplicitShape = { type: 'box', size: [2 * hx, 2 * halfHeight, 2 * hz] };
    return implicit(box, request, issues);
  }
  const corners: Triangles = {
    positions: [-hx, 0, -hz, -hx, 0, hz, hx, 0, hz, hx, 0, -hz],
    indices: shape.doubleSided ? [0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2] : [0, 1, 2, 0, 2, 3],
  };
  const linear: Affine = { linear: matrix.linear, at: [0, 0, 0] };
  return [{ desc: { type: 'mesh', ...join([{ triangles: corners, matrix: linear }]) }, position: matrix.at, rotation: NO_TURN }];
}

function ofTriangles(request: ShapeRequest, issues: Issues): PlacedDesc[] {
  const { geometry, node, matrix, type, triangles, maxVertices, decompose } = request;
  const { path, convexHull } = geometry;
  if (triangles.length === 0) return [];
  // About the origin of the body: meshes need no place of their own.
  const surface = join(triangles.map((part) => ({ triangles: part.triangles, matrix: compose(matrix, part.matrix) })));
  const placed = (desc: ShapeDesc): PlacedDesc => ({ desc, position: [0, 0, 0], rotation: NO_TURN });
  const hull = () => placed({ type: 'hull', points: surface.positions, maxVertices });
  if (convexHull) return [hull()];
  if (type !== 'dynamic') return [placed({ type: 'mesh', ...surface, degenerate: 'skip' })];
  if (decompose) {
    const parts = convexParts(decompose, Float64Array.from(surface.positions), Uint32Array.from(surface.indices));
    return parts.map((points) => placed({ type: 'hull', points, maxVertices }));
  }
  issues.approximated(
    path,
    node,
    'a mesh on a body that moves by forces is its convex hull: pass options.decompose to cut it into convex parts',
  );
  return [hull()];
}

/** Returns a flat set of points with a thickness of a hundredth of its size, along its thinnest axis. */
export function thickened(points: ArrayLike<number>): number[] {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, points[i]!);
    max[i % 3] = Math.max(max[i % 3]!, points[i]!);
  }
  const size = min.map((x, k) => max[k]! - x);
  const thin = size.indexOf(Math.min(...size));
  const half = 0.005 * Math.max(...size);
  const out: number[] = [];
  for (const side of [-half, half]) for (let i = 0; i < points.length; i++) out.push(points[i]! + (i % 3 === thin ? side : 0));
  return out;
}
