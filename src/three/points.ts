// Points and triangles of a geometry of three.js as plain arrays, scaled: interleaved and quantized attributes, draw ranges and the parts
// of a BatchedMesh included.
import type { BufferGeometry, Vector3 } from 'three';
import { TalusError } from '../index';

/** The part of a geometry to use. */
export interface GeometryRange {
  /** First index, or first vertex if there are no indices. */
  start: number;
  count: number;
}

/** A surface in the frame of a body or mesh. */
export interface Surface {
  /** Vertices that triangles use, x y z each. */
  positions: Float64Array;
  /** Three indices per triangle, counterclockwise viewed from the front. */
  indices: Uint32Array;
}

/** Returns the surface of a geometry, scaled about its origin. A mirroring scale keeps fronts in front. */
export function surfaceOf(geometry: BufferGeometry, scale: Vector3, range?: GeometryRange): Surface {
  const position = geometry.getAttribute('position');
  if (!position || position.count === 0) {
    throw new TalusError('invalid-argument', `the geometry '${geometry.name || geometry.type}' has no positions`);
  }
  const index = geometry.getIndex();
  const all = index ? index.count : position.count;
  const { start, count } = range ?? geometry.drawRange;
  const end = Math.min(all, start + (Number.isFinite(count) ? count : all));
  const used = new Map<number, number>();
  const triangles = Math.max(0, Math.floor((end - start) / 3));
  const indices = new Uint32Array(3 * triangles);
  for (let i = 0; i < 3 * triangles; i++) {
    const vertex = index ? index.getX(start + i) : start + i;
    let at = used.get(vertex);
    if (at === undefined) {
      at = used.size;
      used.set(vertex, at);
    }
    indices[i] = at;
  }
  if (scale.x * scale.y * scale.z < 0) {
    for (let i = 0; i < indices.length; i += 3) [indices[i + 1], indices[i + 2]] = [indices[i + 2]!, indices[i + 1]!];
  }
  const positions = new Float64Array(3 * used.size);
  for (const [vertex, at] of used) {
    positions[3 * at] = scale.x * position.getX(vertex);
    positions[3 * at + 1] = scale.y * position.getY(vertex);
    positions[3 * at + 2] = scale.z * position.getZ(vertex);
  }
  if (triangles === 0)
    throw new TalusError('invalid-argument', `the geometry '${geometry.name || geometry.type}' has no triangles`);
  return { positions, indices };
}

/** Returns the smallest and largest coordinates. */
export function boundsOf({ positions }: Surface): { min: [number, number, number]; max: [number, number, number] } {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k]!, positions[i + k]!);
      max[k] = Math.max(max[k]!, positions[i + k]!);
    }
  }
  return { min, max };
}
