// Reads the description of a shape back from the core: `createShape` creates the same shape from it.
import {
  HeightfieldBlob,
  HullBlob,
  MeshBlob,
  MeshTriangle,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { LinearMemory } from '../wasm/memory';
import type { ShapeDesc } from './shape';

/** x y z of rows of four floats. */
function points(f32: Float32Array, at: number, count: number): Float32Array {
  const out = new Float32Array(3 * count);
  for (let i = 0; i < 3 * count; i++) out[i] = f32[at + 4 * Math.floor(i / 3) + (i % 3)]!;
  return out;
}

/** Triangles in the order in which they were given; vertices that were welded are one. */
function meshOf(f32: Float32Array, u32: Uint32Array, blob: number): ShapeDesc {
  const count = u32[blob + MeshBlob.triangleCount / 4]!;
  const first = blob + u32[blob + MeshBlob.trianglesOffset / 4]! / 4;
  const rows = Array.from({ length: count }, (_, i) => first + (i * MeshTriangle.STRIDE) / 4);
  rows.sort((a, b) => u32[a + MeshTriangle.source / 4]! - u32[b + MeshTriangle.source / 4]!);
  const indices = new Uint32Array(3 * count);
  for (const [i, row] of rows.entries()) indices.set(u32.subarray(row + MeshTriangle.a / 4, row + MeshTriangle.a / 4 + 3), 3 * i);
  const vertices = blob + u32[blob + MeshBlob.verticesOffset / 4]! / 4;
  return { type: 'mesh', positions: points(f32, vertices, u32[blob + MeshBlob.vertexCount / 4]!), indices };
}

function heightfieldOf(f32: Float32Array, u32: Uint32Array, blob: number): ShapeDesc {
  const nx = u32[blob + HeightfieldBlob.nx / 4]!;
  const nz = u32[blob + HeightfieldBlob.nz / 4]!;
  const first = blob + u32[blob + HeightfieldBlob.heightsOffset / 4]! / 4;
  return {
    type: 'heightfield',
    nx,
    nz,
    heights: f32.slice(first, first + nx * nz),
    spacing: [f32[blob + HeightfieldBlob.spacingX / 4]!, f32[blob + HeightfieldBlob.spacingZ / 4]!],
    origin: [f32[blob + HeightfieldBlob.originX / 4]!, 0, f32[blob + HeightfieldBlob.originZ / 4]!],
  };
}

/** The description of the shape in a slot, in single precision. */
export function readShape(memory: LinearMemory, registry: Registry, index: number): ShapeDesc {
  const { f32, u32 } = memory;
  const at = registry.shapeWord(index, 0);
  const type = u32[at + Shape.type / 4]!;
  const [radius, halfHeight, depth] = f32.subarray(at + Shape.p0 / 4, at + Shape.p0 / 4 + 3) as unknown as [
    number,
    number,
    number,
  ];
  const blob = u32[at + Shape.dataPtr / 4]! / 4;
  switch (type) {
    case SHAPE_SPHERE:
      return { type: 'sphere', radius };
    case SHAPE_BOX:
      return { type: 'box', halfExtents: [radius, halfHeight, depth] };
    case SHAPE_HULL: {
      const vertices = blob + u32[blob + HullBlob.verticesOffset / 4]! / 4;
      return { type: 'hull', points: points(f32, vertices, u32[blob + HullBlob.vertexCount / 4]!) };
    }
    case SHAPE_MESH:
      return meshOf(f32, u32, blob);
    case SHAPE_HEIGHTFIELD:
      return heightfieldOf(f32, u32, blob);
    case SHAPE_PLANE: {
      const normal = [radius, halfHeight, depth];
      return { type: 'plane', normal, offset: normal.reduce((sum, n, k) => sum + n * f32[at + Shape.minX / 4 + k]!, 0) };
    }
    default:
      return { type: type === SHAPE_CAPSULE ? 'capsule' : type === SHAPE_CYLINDER ? 'cylinder' : 'cone', radius, halfHeight };
  }
}
