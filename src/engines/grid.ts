// Heightfields from meshes of grids: finds the samples under the vertices of a terrain, and builds a field with exactly the
// triangles of the mesh, at any scale.
import type { ShapeDesc } from '../index';
import { NO_TURN, type Turn, type Vector } from '../rigs/turns';

/** Samples on a grid along x and z. */
export interface Grid {
  /** Samples along x. */
  nx: number;
  /** Samples along z. */
  nz: number;
  /** Heights, m: nz rows of nx; NaN is a hole. */
  heights: ArrayLike<number>;
  /** Distance between samples along x and z, m. */
  spacing: readonly [number, number];
  /** Position of height 0 at the first sample, which has the smallest x and z. */
  origin: Vector;
  /** Whether cells are cut from (x + dx, z) to (x, z + dz). The world cuts its fields from (x, z) to (x + dx, z + dz). */
  isCutAcross: boolean;
}

/** A heightfield of the world, and its pose in the frame of the grid. */
export interface PlacedField {
  desc: Extract<ShapeDesc, { type: 'heightfield' }>;
  position: Vector;
  rotation: Turn;
}

/** Vertices closer than this share of the extent along an axis lie on the same line. */
const SAME = 1e-5;
/** How far a line of vertices may be from its place, as a share of the spacing. */
const OFF = 0.01;

interface Lines {
  first: number;
  step: number;
  count: number;
}

/** Returns the lines on which the vertices lie along one axis; null if their distances differ. */
function linesOf(positions: ArrayLike<number>, axis: number): Lines | null {
  const distinct = new Set<number>();
  for (let i = axis; i < positions.length; i += 3) distinct.add(positions[i]!);
  const values = Float64Array.from(distinct).sort();
  const first = values[0] ?? 0;
  const extent = (values[values.length - 1] ?? 0) - first;
  const lines: number[] = [];
  for (const value of values) if (lines.length === 0 || value - lines[lines.length - 1]! > SAME * extent) lines.push(value);
  const count = lines.length;
  if (count < 2) return null;
  const step = extent / (count - 1);
  const isEven = lines.every((value, k) => Math.abs(value - first - k * step) <= OFF * step);
  return isEven ? { first, step, count } : null;
}

/**
 * Reads the grid of a mesh: positions x y z each, three indices per triangle. Null if the vertices do not lie on evenly spaced
 * lines along x and z, or if cells lack triangles.
 */
export function readGrid(positions: ArrayLike<number>, indices: ArrayLike<number>): Grid | null {
  const columns = linesOf(positions, 0);
  const rows = linesOf(positions, 2);
  if (!columns || !rows) return null;
  const [nx, nz] = [columns.count, rows.count];
  const sampleOf = Uint32Array.from({ length: positions.length / 3 }, (_, vertex) => {
    const column = Math.round((positions[3 * vertex]! - columns.first) / columns.step);
    const row = Math.round((positions[3 * vertex + 2]! - rows.first) / rows.step);
    return row * nx + column;
  });
  const heights = new Float64Array(nx * nz).fill(Number.NaN);
  sampleOf.forEach((sample, vertex) => {
    const height = positions[3 * vertex + 1]!;
    if (!(heights[sample]! >= height)) heights[sample] = height;
  });
  let along = 0;
  let across = 0;
  for (let i = 0; i + 2 < indices.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [sampleOf[indices[i + k]!]!, sampleOf[indices[i + ((k + 1) % 3)]!]!];
      const dx = (b % nx) - (a % nx);
      const dz = Math.floor(b / nx) - Math.floor(a / nx);
      if (Math.abs(dx) > 1 || Math.abs(dz) > 1) return null;
      if (dx * dz > 0) along++;
      else if (dx * dz < 0) across++;
    }
  }
  let cells = 0;
  for (let j = 0; j + 1 < nz; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const at = j * nx + i;
      if (heights[at]! + heights[at + 1]! + heights[at + nx]! + heights[at + nx + 1]! > -Infinity) cells++;
    }
  }
  // Each of the two triangles of a cell has its diagonal once.
  if (along + across !== 2 * cells) return null;
  const origin: Vector = [columns.first, 0, rows.first];
  return { nx, nz, heights, spacing: [columns.step, rows.step], origin, isCutAcross: across > along };
}

/** Returns the heightfield of a grid that is scaled along its axes; x and z may be mirrored, y may not. */
export function placeGrid(grid: Grid, [sx, sy, sz]: Vector): PlacedField {
  const { nx, nz, heights, spacing, origin } = grid;
  const [isTurnedX, isTurnedZ] = [sx < 0, sz < 0];
  const [dx, dz] = [Math.abs(sx) * spacing[0], Math.abs(sz) * spacing[1]];
  const corner: Vector = [
    sx * (origin[0] + (isTurnedX ? (nx - 1) * spacing[0] : 0)),
    sy * origin[1],
    sz * (origin[2] + (isTurnedZ ? (nz - 1) * spacing[1] : 0)),
  ];
  const out = new Float32Array(nx * nz);
  const fill = (indexOf: (i: number, j: number) => number): void => {
    for (let j = 0; j < nz; j++) {
      for (let i = 0; i < nx; i++) {
        const from = (isTurnedZ ? nz - 1 - j : j) * nx + (isTurnedX ? nx - 1 - i : i);
        out[indexOf(i, j)] = sy * heights[from]!;
      }
    }
  };
  if (grid.isCutAcross === (isTurnedX !== isTurnedZ)) {
    fill((i, j) => j * nx + i);
    const desc = { type: 'heightfield', nx, nz, heights: out, spacing: [dx, dz], origin: corner } as const;
    return { desc, position: [0, 0, 0], rotation: NO_TURN };
  }
  // A quarter turn about y gives the other diagonal: x of the field runs along z of the grid, its z against x.
  fill((i, j) => (nx - 1 - i) * nz + j);
  const desc = { type: 'heightfield', nx: nz, nz: nx, heights: out, spacing: [dz, dx] } as const;
  return {
    desc,
    position: [corner[0] + (nx - 1) * dx, corner[1], corner[2]],
    rotation: [0, -Math.SQRT1_2, 0, Math.SQRT1_2],
  };
}
