// Descriptions of shapes, checked and cooked into the form that the core needs: parameters, bounds, blob, mass properties.
import { TalusError } from '../checks/errors';
import {
  checkArray,
  checkBoolean,
  checkInteger,
  checkKeys,
  checkLength,
  checkNumber,
  checkNumbers,
  checkPosition,
  checkVec3,
  checkWord,
  fail,
  MAX_COORDINATE,
  MAX_LENGTH,
} from '../checks/validate';
import {
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_SPHERE,
} from '../layout.generated';
import type { Vec3 } from '../types';
import { cookHeightfield, type HeightfieldGrid } from './heightfield';
import { convexHull, cookHull, type HullOptions, MAX_HULL_VERTICES } from './hull';
import { boxMass, capsuleMass, coneMass, cylinderMass, type MassProperties, sphereMass } from './mass';
import { cookMesh, type MeshOptions } from './mesh';

/** A ball of `radius` (m) about the shape origin. */
export interface SphereDesc {
  type: 'sphere';
  radius: number;
}

/** A box about the shape origin; half its edges (m) along x, y, z. */
export interface BoxDesc {
  type: 'box';
  halfExtents: Vec3;
}

/** A capsule along y: a segment from -halfHeight to +halfHeight (m, may be 0), with `radius` (m) around it. */
export interface CapsuleDesc {
  type: 'capsule';
  radius: number;
  halfHeight: number;
}

/** A cylinder along y, from -halfHeight to +halfHeight (m), `radius` (m). Truly round: it rolls without facets. */
export interface CylinderDesc {
  type: 'cylinder';
  radius: number;
  halfHeight: number;
}

/** A cone along y: base of `radius` (m) at -halfHeight, apex at +halfHeight (m). */
export interface ConeDesc {
  type: 'cone';
  radius: number;
  halfHeight: number;
}

/** The convex hull of `points`, x y z each (m). At most 128 vertices, unless `maxVertices` simplifies it. */
export interface HullDesc extends HullOptions {
  type: 'hull';
  points: ArrayLike<number>;
}

/**
 * A triangle mesh: `positions` x y z per vertex (m), `indices` three per triangle, counterclockwise viewed from the front. For
 * static and kinematic bodies. Triangles with equal positions become neighbors, so that bodies do not feel edges inside the
 * surface.
 */
export interface MeshDesc extends MeshOptions {
  type: 'mesh';
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/** A heightfield: `heights` are nz rows of nx samples (m), y up; NaN is a hole. For static and kinematic bodies. */
export interface HeightfieldDesc extends Omit<HeightfieldGrid, 'spacing' | 'origin'> {
  type: 'heightfield';
  /** Distance between samples along x and z (m); one number for both. */
  spacing: number | ArrayLike<number>;
  /** Position of sample (0, 0) at height 0 in the shape frame (m); default 0 0 0. */
  origin?: Vec3;
  heights: ArrayLike<number>;
}

/**
 * Everything below an infinite plane: the points x with normal . x <= offset (shape frame). Use it for endless ground and walls;
 * it is the cheapest and most exact shape to stand on. For static and kinematic bodies.
 */
export interface PlaneDesc {
  type: 'plane';
  /** Normal out of the half-space, of any length; default 0 1 0. */
  normal?: Vec3;
  /** Distance of the plane from the shape origin along the normal, m, either sign; default 0. */
  offset?: number;
}

/** Geometry in its own frame: m, right-handed, the axis of round shapes along y. */
export type ShapeDesc =
  | SphereDesc
  | BoxDesc
  | CapsuleDesc
  | CylinderDesc
  | ConeDesc
  | HullDesc
  | MeshDesc
  | HeightfieldDesc
  | PlaneDesc;

/** A shape in the form that the core needs. */
export interface CookedShape {
  /** SHAPE_* */
  type: number;
  p: readonly [number, number, number];
  min: ArrayLike<number>;
  max: ArrayLike<number>;
  blob: ArrayBuffer | null;
  /** Mass properties at unit density; null for surfaces, which have no mass. */
  mass: MassProperties | null;
}

const KEYS: Record<ShapeDesc['type'], readonly string[]> = {
  sphere: ['type', 'radius'],
  box: ['type', 'halfExtents'],
  capsule: ['type', 'radius', 'halfHeight'],
  cylinder: ['type', 'radius', 'halfHeight'],
  cone: ['type', 'radius', 'halfHeight'],
  hull: ['type', 'points', 'maxVertices'],
  mesh: ['type', 'positions', 'indices', 'weld', 'degenerate'],
  heightfield: ['type', 'heights', 'nx', 'nz', 'spacing', 'origin'],
  plane: ['type', 'normal', 'offset'],
};
const TYPES = Object.keys(KEYS);
/** Bound of the distances up to which a plane that turns is considered (m). */
const PLANE_EXTENT = 1e6;
/** Largest number of samples along a side of a heightfield. */
const MAX_SIDE = 2 ** 26;
const DEGENERATE = ['error', 'skip'];

/** Checks cooked geometry by its bounds: finite but absurdly large or small geometry would be noise in f32. */
function checkBounds(cooked: CookedShape): CookedShape {
  for (let i = 0; i < 3; i++) {
    const far = Math.max(Math.abs(cooked.min[i]!), Math.abs(cooked.max[i]!));
    if (!(far <= MAX_LENGTH)) {
      throw new TalusError(
        'invalid-argument',
        `A shape must lie within ${MAX_LENGTH} m of its origin; this one reaches ${far} m.`,
      );
    }
  }
  return cooked;
}

/**
 * Checks and cooks a shape in double precision.
 * @throws TalusError `invalid-argument`, `degenerate-shape` or `unsupported`
 */
export function cookShape(desc: ShapeDesc): CookedShape {
  if (desc === null || typeof desc !== 'object') fail('shape', 'an object with a type', desc);
  checkWord(desc.type, 'shape.type', TYPES);
  checkKeys(desc, `a shape of type '${desc.type}'`, KEYS[desc.type]);
  switch (desc.type) {
    case 'sphere': {
      const r = checkLength(desc.radius, 'radius');
      return { type: SHAPE_SPHERE, p: [r, 0, 0], min: [-r, -r, -r], max: [r, r, r], blob: null, mass: sphereMass(r) };
    }
    case 'box': {
      const half = checkVec3(desc.halfExtents, 'halfExtents');
      const x = checkLength(half[0], 'halfExtents[0]');
      const y = checkLength(half[1], 'halfExtents[1]');
      const z = checkLength(half[2], 'halfExtents[2]');
      return { type: SHAPE_BOX, p: [x, y, z], min: [-x, -y, -z], max: [x, y, z], blob: null, mass: boxMass(x, y, z) };
    }
    case 'capsule': {
      const r = checkLength(desc.radius, 'radius');
      const h = checkLength(desc.halfHeight, 'halfHeight', 0);
      const y = h + r;
      return { type: SHAPE_CAPSULE, p: [r, h, 0], min: [-r, -y, -r], max: [r, y, r], blob: null, mass: capsuleMass(r, h) };
    }
    case 'cylinder':
    case 'cone': {
      const r = checkLength(desc.radius, 'radius');
      const h = checkLength(desc.halfHeight, 'halfHeight');
      const round = { p: [r, h, 0] as const, min: [-r, -h, -r], max: [r, h, r], blob: null };
      if (desc.type === 'cylinder') return { type: SHAPE_CYLINDER, ...round, mass: cylinderMass(r, h) };
      return { type: SHAPE_CONE, ...round, mass: coneMass(r, h) };
    }
    case 'hull': {
      const points = checkNumbers(desc.points, 'points');
      const most = desc.maxVertices;
      if (most !== undefined) checkInteger(most, 'maxVertices', 4, MAX_HULL_VERTICES);
      const hull = convexHull(points, most === undefined ? {} : { maxVertices: most });
      const min = [Infinity, Infinity, Infinity];
      const max = [-Infinity, -Infinity, -Infinity];
      hull.vertices.forEach((x, i) => {
        min[i % 3] = Math.min(min[i % 3]!, x);
        max[i % 3] = Math.max(max[i % 3]!, x);
      });
      return checkBounds({ type: SHAPE_HULL, p: [0, 0, 0], min, max, blob: cookHull(hull), mass: hull.mass });
    }
    case 'mesh': {
      const { positions, indices, weld, degenerate } = desc;
      if (weld !== undefined) checkBoolean(weld, 'weld');
      if (degenerate !== undefined) checkWord(degenerate, 'degenerate', DEGENERATE);
      const { blob, min, max } = cookMesh(checkNumbers(positions, 'positions'), checkNumbers(indices, 'indices'), {
        ...(weld === undefined ? {} : { weld }),
        ...(degenerate === undefined ? {} : { degenerate }),
      });
      return checkBounds({ type: SHAPE_MESH, p: [0, 0, 0], min, max, blob, mass: null });
    }
    case 'heightfield': {
      const { heights, nx, nz, spacing, origin } = desc;
      checkInteger(nx, 'nx', 2, MAX_SIDE);
      checkInteger(nz, 'nz', 2, MAX_SIDE);
      const s = typeof spacing === 'number' ? [spacing, spacing] : checkArray(spacing, 'spacing', 2);
      const o = origin === undefined ? [0, 0, 0] : checkPosition(origin, 'origin');
      const { blob, min, max } = cookHeightfield(checkNumbers(heights, 'heights'), {
        nx,
        nz,
        spacing: [s[0]!, s[1]!],
        origin: [o[0]!, o[1]!, o[2]!],
      });
      return checkBounds({ type: SHAPE_HEIGHTFIELD, p: [0, 0, 0], min, max, blob, mass: null });
    }
    case 'plane': {
      const n = desc.normal === undefined ? [0, 1, 0] : checkVec3(desc.normal, 'normal');
      const length = Math.hypot(n[0]!, n[1]!, n[2]!);
      if (!(length > 0)) fail('normal', 'a vector that is not zero', desc.normal);
      const offset = desc.offset === undefined ? 0 : checkNumber(desc.offset, 'offset', -MAX_COORDINATE, MAX_COORDINATE);
      const p = [n[0]! / length, n[1]! / length, n[2]! / length] as const;
      const foot = p.map((x) => x * offset);
      return { type: SHAPE_PLANE, p, min: foot, max: foot, blob: null, mass: null };
    }
  }
}

/** Returns a bound of the distance of any point of the shape from its origin, rounded up to f32. */
export function shapeExtent(shape: CookedShape): number {
  let extent: number;
  if (shape.type === SHAPE_SPHERE) extent = shape.p[0];
  else if (shape.type === SHAPE_PLANE) extent = PLANE_EXTENT;
  else if (shape.type === SHAPE_CAPSULE) extent = shape.p[0] + shape.p[1];
  else if (shape.type === SHAPE_CYLINDER || shape.type === SHAPE_CONE) extent = Math.hypot(shape.p[0], shape.p[1]);
  else {
    const far = [0, 1, 2].map((i) => Math.max(Math.abs(shape.min[i]!), Math.abs(shape.max[i]!)));
    extent = Math.hypot(...far);
  }
  return extent * (1 + 2 ** -22);
}
