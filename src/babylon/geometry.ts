// Shapes from Babylon.js's parameters, meshes and grounds.

import { Matrix, TmpVectors, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { GroundMesh } from '@babylonjs/core/Meshes/groundMesh.js';
import type { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { type PhysicsShapeParameters, PhysicsShapeType } from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import { TalusError } from '../checks/errors';
import { type PlacedField, placeGrid, readGrid } from '../engines/grid';
import type { ShapeDesc } from '../index';
import { arc, NO_TURN, type Turn, type Vector } from '../rigs/turns';
import { turnOf, vectorOf } from './vectors';

/** Half the smallest thickness of a box, m. */
const THINNEST = 5e-4;

/** A shape and its pose in the body. */
export interface PlacedShape {
  desc: ShapeDesc | null;
  position: Vector;
  rotation: Turn;
  /** Name of the mesh that it was read from. */
  meshName?: string;
}

const POSITIONS = 'position';

/** Returns a capsule or cylinder from one end to the other. */
function along(type: 'capsule' | 'cylinder', options: PhysicsShapeParameters): PlacedShape {
  const a = vectorOf(options.pointA);
  const b = vectorOf(options.pointB, [0, 1, 0]);
  const way: Vector = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length = Math.hypot(...way);
  return {
    desc: { type, radius: options.radius ?? 0, halfHeight: length / 2 },
    position: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2],
    rotation: length > 0 ? arc([0, 1, 0], [way[0] / length, way[1] / length, way[2] / length]) : NO_TURN,
  };
}

/** Returns vertices and triangles of a mesh, and of children without a body, in the frame of its body: scaled, not rotated. */
function readMesh(mesh: Mesh, withChildren: boolean): { positions: number[]; indices: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  // Babylon's fronts are clockwise seen from outside where axes are left-handed.
  const isRightHanded = mesh.getScene().useRightHandedSystem;
  const read = (part: AbstractMesh, toBody: Matrix): void => {
    const vertices = part.getVerticesData(POSITIONS);
    if (!vertices) return;
    const base = positions.length / 3;
    const p = TmpVectors.Vector3[0]!;
    for (let i = 0; i < vertices.length; i += 3) {
      Vector3.TransformCoordinatesFromFloatsToRef(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!, toBody, p);
      positions.push(p.x, p.y, p.z);
    }
    const isMirrored = toBody.determinant() < 0;
    const triangles = part.getIndices() ?? Array.from({ length: vertices.length / 3 }, (_, i) => i);
    for (let i = 0; i + 2 < triangles.length; i += 3) {
      const [a, b, c] = [base + triangles[i]!, base + triangles[i + 1]!, base + triangles[i + 2]!];
      if (isRightHanded === isMirrored) indices.push(c, b, a);
      else indices.push(a, b, c);
    }
  };
  const world = mesh.computeWorldMatrix(true);
  const { x, y, z } = mesh.absoluteScaling;
  const size = Matrix.Scaling(x, y, z);
  read(mesh, size);
  if (withChildren) {
    const toBody = Matrix.Invert(world).multiply(size);
    for (const child of mesh.getChildMeshes(false)) {
      if (!child.physicsBody) read(child, child.computeWorldMatrix(true).multiply(toBody));
    }
  }
  return { positions, indices };
}

/** Returns the heightfield with the triangles of a ground mesh, in the frame of its body. */
function readGround(mesh: GroundMesh): PlacedField {
  mesh.computeWorldMatrix(true);
  const { x, y, z } = mesh.absoluteScaling;
  const grid = readGrid(mesh.getVerticesData(POSITIONS) ?? [], mesh.getIndices() ?? []);
  if (!grid) {
    throw new TalusError(
      'invalid-argument',
      `groundMesh: the vertices of '${mesh.name}' are not on an even grid along x and z with two triangles per cell; use PhysicsShapeType.MESH`,
    );
  }
  return placeGrid(grid, [x, y, z]);
}

/**
 * Returns samples in the order of Babylon.js: rows along x, from the far end of z on. The middle of the field is the origin of
 * the body.
 */
function readHeights(options: PhysicsShapeParameters): ShapeDesc {
  const { heightFieldData: data, numHeightFieldSamplesX: nx, numHeightFieldSamplesZ: nz } = options;
  const { heightFieldSizeX: sizeX, heightFieldSizeZ: sizeZ } = options;
  if (!(data && nx && nz && sizeX && sizeZ)) {
    throw new TalusError(
      'invalid-argument',
      'a heightfield needs groundMesh, or heightFieldData with its sizes and numbers of samples along x and z',
    );
  }
  const heights: number[] = [];
  for (let j = nz - 1; j >= 0; j--) for (let i = 0; i < nx; i++) heights.push(data[j * nx + i]!);
  const spacing = [sizeX / (nx - 1), sizeZ / (nz - 1)];
  return { type: 'heightfield', nx, nz, heights, spacing, origin: [-sizeX / 2, 0, -sizeZ / 2] };
}

/** Returns the shape for `type` and `options` of a `PhysicsShape`. */
export function readShape(type: PhysicsShapeType, options: PhysicsShapeParameters): PlacedShape {
  const position = vectorOf(options.center);
  const placed = (desc: ShapeDesc | null): PlacedShape => ({ desc, position: [0, 0, 0], rotation: NO_TURN });
  switch (type) {
    case PhysicsShapeType.SPHERE:
      return { ...placed({ type: 'sphere', radius: options.radius || 1 }), position };
    case PhysicsShapeType.BOX: {
      // A ground is as thin as its mesh, which is a plane.
      const halfExtents = vectorOf(options.extents, [1, 1, 1]).map((x) => Math.max(x / 2, THINNEST));
      return { desc: { type: 'box', halfExtents }, position, rotation: turnOf(options.rotation) };
    }
    case PhysicsShapeType.CAPSULE:
      return along('capsule', options);
    case PhysicsShapeType.CYLINDER:
      return along('cylinder', options);
    case PhysicsShapeType.CONTAINER:
      return placed(null);
    case PhysicsShapeType.CONVEX_HULL:
    case PhysicsShapeType.MESH: {
      if (!options.mesh) throw new TalusError('invalid-argument', 'a mesh or convex hull shape needs parameters.mesh');
      const { positions, indices } = readMesh(options.mesh, !!options.includeChildMeshes);
      if (type === PhysicsShapeType.CONVEX_HULL) return placed({ type: 'hull', points: positions, maxVertices: 64 });
      return { ...placed({ type: 'mesh', positions, indices, degenerate: 'skip' }), meshName: options.mesh.name };
    }
    case PhysicsShapeType.HEIGHTFIELD: {
      const isGround = options.mesh?.getClassName() === 'GroundMesh';
      const ground = options.groundMesh ?? (isGround ? (options.mesh as GroundMesh) : undefined);
      return ground ? { ...readGround(ground), meshName: ground.name } : placed(readHeights(options));
    }
    default:
      throw new TalusError('invalid-argument', `shape.type must be a PhysicsShapeType, got ${type}`);
  }
}
