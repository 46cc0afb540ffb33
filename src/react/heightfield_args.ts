// Arguments of heightfields in the order of Rapier and in that of this engine.
import { type ShapeDesc, TalusError } from '../index';

interface Size {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
type Args = readonly [number, number, ArrayLike<number>, Size | number | readonly [number, number]];

/**
 * Returns the heightfield about its middle.
 * @throws TalusError `invalid-argument` if the number of heights does not match the other arguments
 */
export function heightfieldShape([first, second, heights, last]: Args): ShapeDesc {
  if (typeof last === 'object' && 'x' in last) return fromCells(first, second, heights, last);
  const [x, z] = typeof last === 'number' ? [last, last] : last;
  return centered(first, second, heights, x, z);
}

function centered(nx: number, nz: number, heights: ArrayLike<number>, x: number, z: number): ShapeDesc {
  return { type: 'heightfield', nx, nz, heights, spacing: [x, z], origin: [-((nx - 1) * x) / 2, 0, -((nz - 1) * z) / 2] };
}

/** Converts Rapier's matrix in columns, whose rows run along z. */
function fromCells(cellsZ: number, cellsX: number, heights: ArrayLike<number>, size: Size): ShapeDesc {
  const [nx, nz] = [cellsX + 1, cellsZ + 1];
  if (heights.length !== nx * nz) {
    throw new TalusError(
      'invalid-argument',
      `HeightfieldCollider of ${cellsZ} x ${cellsX} cells needs ${nx * nz} heights, got ${heights.length}`,
    );
  }
  const rows = new Float32Array(nx * nz);
  for (let i = 0; i < nx; i++) for (let j = 0; j < nz; j++) rows[j * nx + i] = size.y * heights[i * nz + j]!;
  return centered(nx, nz, rows, size.x / cellsX, size.z / cellsZ);
}
