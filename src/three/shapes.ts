// Shapes from geometries of three.js. By default a geometry becomes the shape that its class names (a BoxGeometry a box), if its
// points, scaled, moved or rotated, still have that form. Other geometry becomes a hull, or a mesh on bodies that do not move.
import { type BufferGeometry, Quaternion, Vector3 } from 'three';
import { convexParts, type Decompose, type Decomposer } from '../engines/decompose';
import { type BodyType, type ShapeDesc, TalusError } from '../index';
import { boundsOf, type GeometryRange, type Surface, surfaceOf } from './points';

/**
 * How a geometry becomes a shape.
 * - `auto`: by the class of the geometry, see above
 * - `box`, `sphere`, `capsule`, `cylinder`, `cone`: the geometry itself if it has that form, else one around its bounds (axis y,
 *   capsules along the longest)
 * - `hull`: the convex hull
 * - `mesh`: the triangles; for static and kinematic bodies
 * - `heightfield`: a PlaneGeometry whose points were moved along its normal; for static and kinematic bodies
 * - `decomposition`: several hulls by `decompose`
 */
export type ShapeKind =
  | 'auto'
  | 'box'
  | 'sphere'
  | 'capsule'
  | 'cylinder'
  | 'cone'
  | 'hull'
  | 'mesh'
  | 'heightfield'
  | 'decomposition';

/** Options for turning geometry into shapes. */
export interface ShapeOptions {
  /** Kind of shape, default `auto`; or a shape of your own about the origin of the geometry. */
  shape?: ShapeKind | ShapeDesc;
  /** Largest number of vertices of a hull, 4 to 128; default 64. */
  maxVertices?: number;
  /** The function that cuts a mesh into convex parts, for `decomposition`. */
  decompose?: Decomposer | Decompose;
}

/** A shape and its pose. */
export interface ShapePart {
  shape: ShapeDesc;
  position: Vector3;
  rotation: Quaternion;
}

const KINDS: readonly ShapeKind[] = [
  'auto',
  'box',
  'sphere',
  'capsule',
  'cylinder',
  'cone',
  'hull',
  'mesh',
  'heightfield',
  'decomposition',
];
const HULL_VERTICES = 64;
/** How far points may be from the form that they are taken for, as a share of the size. */
const NEAR = 1e-3;
const HALF = Math.SQRT1_2;
/** Turns y to x, y, z. */
const AXES: readonly (readonly [number, number, number, number])[] = [
  [0, 0, -HALF, HALF],
  [0, 0, 0, 1],
  [HALF, 0, 0, HALF],
];

/** Geometry as the parameters of three.js' classes describe it. */
type Parameters = Record<string, number | boolean | undefined> | undefined;

function part(shape: ShapeDesc, at: readonly number[] = [0, 0, 0], turn: readonly number[] = [0, 0, 0, 1]): ShapePart {
  return { shape, position: new Vector3(at[0], at[1], at[2]), rotation: new Quaternion(turn[0], turn[1], turn[2], turn[3]) };
}

/** Returns the box, if all eight corners of the bounds are points. */
function fitBox(surface: Surface): ShapePart | null {
  const { min, max } = boundsOf(surface);
  const size = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  let corners = 0;
  const { positions } = surface;
  for (let i = 0; i < positions.length && corners !== 255; i += 3) {
    let corner = 0;
    for (let k = 0; k < 3; k++) {
      if (positions[i + k]! - min[k]! < NEAR * size) continue;
      if (max[k]! - positions[i + k]! < NEAR * size) corner |= 1 << k;
      else corner = -1 << 8;
    }
    if (corner >= 0) corners |= 1 << corner;
  }
  return corners === 255 ? boxAround(surface) : null;
}

function boxAround(surface: Surface): ShapePart {
  const { min, max } = boundsOf(surface);
  const halfExtents = [0, 1, 2].map((k) => Math.max((max[k]! - min[k]!) / 2, 0.005));
  return part(
    { type: 'box', halfExtents },
    [0, 1, 2].map((k) => (max[k]! + min[k]!) / 2),
  );
}

/** Returns the sphere whose poles are the first and the last point, if all points lie on it. */
function fitSphere({ positions }: Surface): ShapePart | null {
  const last = positions.length - 3;
  const center = [0, 1, 2].map((k) => (positions[k]! + positions[last + k]!) / 2);
  const distance = (i: number) =>
    Math.hypot(positions[i]! - center[0]!, positions[i + 1]! - center[1]!, positions[i + 2]! - center[2]!);
  const radius = distance(0);
  for (let i = 0; i < positions.length; i += 3) if (Math.abs(distance(i) - radius) > NEAR * radius) return null;
  return part({ type: 'sphere', radius }, center);
}

/** Returns a sphere around the middle of the bounds. */
function sphereAround(surface: Surface): ShapePart {
  const { min, max } = boundsOf(surface);
  const center = [0, 1, 2].map((k) => (min[k]! + max[k]!) / 2);
  let radius = 0;
  const { positions } = surface;
  for (let i = 0; i < positions.length; i += 3) {
    radius = Math.max(
      radius,
      Math.hypot(positions[i]! - center[0]!, positions[i + 1]! - center[1]!, positions[i + 2]! - center[2]!),
    );
  }
  return part({ type: 'sphere', radius }, center);
}

/** Whether a point at height y (from the middle) and distance r from the axis is on the surface. Sizes are those of the whole. */
const ON: Record<'capsule' | 'cylinder' | 'cone', (y: number, r: number, radius: number, half: number) => boolean> = {
  cylinder: (y, r, radius, half) => {
    const near = NEAR * (radius + half);
    return Math.abs(y) < half + near && (Math.abs(r - radius) < near || (r < near && Math.abs(Math.abs(y) - half) < near));
  },
  cone: (y, r, radius, half) => {
    const near = NEAR * (radius + half);
    return Math.abs(r - (radius * (half - y)) / (2 * half)) < near || (r < near && Math.abs(y + half) < near);
  },
  capsule: (y, r, radius, half) =>
    Math.abs(Math.hypot(r, Math.max(0, Math.abs(y) - (half - radius))) - radius) < NEAR * (radius + half),
};

/** Returns the round shape about an axis of the geometry, if all points are on it. */
function fitRound(surface: Surface, type: 'capsule' | 'cylinder' | 'cone'): ShapePart | null {
  const { positions } = surface;
  const { min, max } = boundsOf(surface);
  const middle = [0, 1, 2].map((k) => (min[k]! + max[k]!) / 2);
  for (const axis of [1, 0, 2]) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    // Bounds of a ring of few points are not about its center: geometry that was not moved is about its origin.
    for (const center of [[0, 0, 0], middle]) {
      const at = [...center];
      at[axis] = middle[axis]!;
      const half = (max[axis]! - min[axis]!) / 2;
      let radius = 0;
      const distance = (i: number) => Math.hypot(positions[i + u]! - at[u]!, positions[i + v]! - at[v]!);
      for (let i = 0; i < positions.length; i += 3) radius = Math.max(radius, distance(i));
      for (const sign of type === 'cone' ? [1, -1] : [1]) {
        let isOn = half > 0 && (type !== 'capsule' || half >= radius);
        for (let i = 0; isOn && i < positions.length; i += 3) {
          isOn = ON[type](sign * (positions[i + axis]! - middle[axis]!), distance(i), radius, half);
        }
        if (isOn) return round(type, radius, half, at, axis, sign);
      }
    }
  }
  return null;
}

/** `half` is half the height of the whole shape. */
function round(
  type: 'capsule' | 'cylinder' | 'cone',
  radius: number,
  half: number,
  at: readonly number[],
  axis: number,
  sign = 1,
): ShapePart {
  const turn = new Quaternion(...AXES[axis]!);
  if (sign < 0) turn.multiply(new Quaternion(1, 0, 0, 0));
  const halfHeight = type === 'capsule' ? Math.max(0, half - radius) : half;
  return part({ type, radius, halfHeight }, at, turn.toArray());
}

function roundAround(surface: Surface, type: 'capsule' | 'cylinder' | 'cone'): ShapePart {
  const { min, max } = boundsOf(surface);
  const size = [0, 1, 2].map((k) => (max[k]! - min[k]!) / 2);
  const axis = type === 'capsule' ? size.indexOf(Math.max(...size)) : 1;
  const radius = Math.max(size[(axis + 1) % 3]!, size[(axis + 2) % 3]!);
  const middle = [0, 1, 2].map((k) => (min[k]! + max[k]!) / 2);
  return round(type, radius, Math.max(size[axis]!, 0.005), middle, axis);
}

function hullOf(points: ArrayLike<number>, { maxVertices = HULL_VERTICES }: ShapeOptions): ShapePart {
  return part({ type: 'hull', points, maxVertices });
}

function decomposed({ positions, indices }: Surface, options: ShapeOptions): ShapePart[] {
  const { decompose } = options;
  if (!decompose) {
    throw new TalusError(
      'invalid-argument',
      "shape 'decomposition' needs the option decompose: a library that cuts meshes into convex parts, such as vhacd-js",
    );
  }
  return convexParts(decompose, positions, indices).map((points) => hullOf(points, options));
}

/**
 * Returns the heightfield of a PlaneGeometry, flat in x and y with heights along z, or turned to lie in x and z. The engine cuts
 * its cells along the other diagonal, so its x runs along the columns of the plane.
 */
function heightfieldOf(geometry: BufferGeometry, scale: Vector3): ShapePart {
  const { widthSegments, heightSegments } = (geometry as { parameters?: Parameters }).parameters ?? {};
  const attribute = geometry.getAttribute('position');
  const nx = Number(widthSegments) + 1;
  const nz = Number(heightSegments) + 1;
  if (!(nx >= 2 && nz >= 2) || attribute?.count !== nx * nz) {
    throw new TalusError('invalid-argument', "shape 'heightfield' needs a PlaneGeometry with all of its points");
  }
  const at = (i: number, j: number): [number, number, number] => {
    const k = j * nx + i;
    return [scale.x * attribute.getX(k), scale.y * attribute.getY(k), scale.z * attribute.getZ(k)];
  };
  const [first, right, down] = [at(0, 0), at(nx - 1, 0), at(0, nz - 1)];
  const isTurned = Math.abs(down[2] - first[2]) > Math.abs(down[1] - first[1]);
  // Along a column and up, in the frame of the geometry.
  const [along, up] = isTurned ? [2, 1] : [1, 2];
  const stepX = (right[0] - first[0]) / (nx - 1);
  const stepZ = (down[along]! - first[along]!) / (nz - 1);
  const near = 1e-3 * (Math.abs(stepX) + Math.abs(stepZ));
  const heights = new Float32Array(nx * nz);
  for (let j = 0; j < nz; j++) {
    for (let i = 0; i < nx; i++) {
      const point = at(i, j);
      if (Math.abs(point[0] - first[0] - i * stepX) > near || Math.abs(point[along]! - first[along]! - j * stepZ) > near) {
        throw new TalusError('invalid-argument', "shape 'heightfield': the points of the plane are moved sideways, use 'mesh'");
      }
      // Of (i', j') = (j, nx - 1 - i): rows of the engine have nz samples.
      heights[(nx - 1 - i) * nz + j] = point[up]!;
    }
  }
  if (stepX <= 0 || (isTurned ? stepZ <= 0 : stepZ >= 0)) {
    throw new TalusError('invalid-argument', "shape 'heightfield': the plane is mirrored or lies face down, use 'mesh'");
  }
  // x of the field along the columns, z against the rows: about y by -90 degrees; a plane that stands is laid down first.
  const turn = new Quaternion(0, -HALF, 0, HALF);
  if (!isTurned) turn.premultiply(new Quaternion(HALF, 0, 0, HALF));
  const corner = new Vector3(right[0], isTurned ? 0 : down[1] - (nz - 1) * stepZ, isTurned ? first[2] : 0);
  return {
    shape: { type: 'heightfield', heights, nx: nz, nz: nx, spacing: [Math.abs(stepZ), stepX] },
    position: corner,
    rotation: turn,
  };
}

/** Returns the shape of a geometry, if its class names it and its points agree. */
function recognize(geometry: BufferGeometry, surface: Surface): ShapePart | null {
  const parameters: Parameters = (geometry as { parameters?: Parameters }).parameters;
  switch (geometry.type) {
    case 'BoxGeometry':
    case 'RoundedBoxGeometry':
      return fitBox(surface);
    case 'SphereGeometry':
      // Parts of spheres have all their points on one, too.
      return Number(parameters?.phiLength) < 6.28 || Number(parameters?.thetaLength) < 3.14 ? null : fitSphere(surface);
    case 'IcosahedronGeometry':
      return Number(parameters?.detail) >= 2 ? fitBall(surface) : null;
    case 'CapsuleGeometry':
      return fitRound(surface, 'capsule');
    case 'ConeGeometry':
      return fitRound(surface, 'cone');
    case 'CylinderGeometry':
      return fitRound(surface, parameters?.radiusTop === 0 ? 'cone' : 'cylinder');
    default:
      return null;
  }
}

/** Returns a ball if all points lie on it, in any order. */
function fitBall(surface: Surface): ShapePart | null {
  const ball = sphereAround(surface);
  const { x, y, z } = ball.position;
  const { radius } = ball.shape as { radius: number };
  const { positions } = surface;
  for (let i = 0; i < positions.length; i += 3) {
    const distance = Math.hypot(positions[i]! - x, positions[i + 1]! - y, positions[i + 2]! - z);
    if (Math.abs(distance - radius) > 0.01 * radius) return null;
  }
  return ball;
}

/**
 * Returns the shapes of a geometry, with their poses in its frame: one, or several of a decomposition. `scale` is that of the
 * mesh. `type` is that of the body, since dynamic bodies take no meshes.
 * @throws TalusError `invalid-argument`
 */
export function shapesFromGeometry(
  geometry: BufferGeometry,
  options: ShapeOptions = {},
  scale: Vector3 = new Vector3(1, 1, 1),
  type: BodyType = 'dynamic',
  range?: GeometryRange,
): ShapePart[] {
  const { shape: kind = 'auto' } = options;
  if (typeof kind === 'object') return [part(kind)];
  if (!KINDS.includes(kind)) {
    throw new TalusError('invalid-argument', `shape must be one of ${KINDS.join(', ')}, or a description; got '${String(kind)}'`);
  }
  if (kind === 'heightfield') return [heightfieldOf(geometry, scale)];
  const surface = surfaceOf(geometry, scale, range);
  switch (kind) {
    case 'box':
      return [boxAround(surface)];
    case 'sphere':
      return [(geometry.type === 'SphereGeometry' && fitSphere(surface)) || sphereAround(surface)];
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return [fitRound(surface, kind) ?? roundAround(surface, kind)];
    case 'hull':
      return [hullOf(surface.positions, options)];
    case 'mesh':
      return [meshOf(surface)];
    case 'decomposition':
      return decomposed(surface, options);
    default: {
      const known = range ? null : recognize(geometry, surface);
      if (known) return [known];
      if (type === 'static') return [meshOf(surface)];
      return [isFlat(surface) ? boxAround(surface) : hullOf(surface.positions, options)];
    }
  }
}

function meshOf({ positions, indices }: Surface): ShapePart {
  return part({ type: 'mesh', positions, indices, degenerate: 'skip' });
}

function isFlat(surface: Surface): boolean {
  const { min, max } = boundsOf(surface);
  const size = [0, 1, 2].map((k) => max[k]! - min[k]!);
  return Math.min(...size) < 1e-4 * Math.max(...size);
}
