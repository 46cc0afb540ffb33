// The ground of the piles: a shallow basin with hills and hollows inside a steep rim, on a square grid, as a non-convex
// triangle mesh (two triangles a cell) or as a heightfield of the same heights.
import { Random } from './random';
import type { ShapeDef } from './types';

/** Edge of a grid cell, m. */
export const CELL = 0.625;
/** The rim rises over the outer fifth of the half size. */
const RIM_START = 0.8;
const RIM_HEIGHT = 9;

/** Height of the basin, m; `half` is half the edge of the square. Bumps are (1 - r2)^2 hills, smooth and exact to compute. */
function basinHeight(x: number, z: number, half: number, bumps: Float64Array): number {
  let y = 0;
  for (let i = 0; i < bumps.length; i += 4) {
    const dx = (x - bumps[i]) / bumps[i + 2];
    const dz = (z - bumps[i + 1]) / bumps[i + 2];
    const r2 = dx * dx + dz * dz;
    if (r2 < 1) y += bumps[i + 3] * (1 - r2) * (1 - r2);
  }
  const edge = Math.max(Math.abs(x), Math.abs(z)) / half;
  const t = Math.max(0, (edge - RIM_START) / (1 - RIM_START));
  return y + RIM_HEIGHT * t * t * (3 - 2 * t) + 1.5 * Math.min(1, edge) ** 2;
}

/** (cells + 1)^2 heights, row by row in z. */
function basinHeights(cells: number, seed: number): Float32Array {
  const random = new Random(seed ^ 0x51ed270b);
  const half = (cells * CELL) / 2;
  const bumpCount = Math.max(4, Math.round((cells * cells) / 120));
  const bumps = new Float64Array(bumpCount * 4);
  for (let i = 0; i < bumps.length; i += 4) {
    bumps[i] = random.range(-0.8, 0.8) * half;
    bumps[i + 1] = random.range(-0.8, 0.8) * half;
    bumps[i + 2] = random.range(1.8, 4.2);
    bumps[i + 3] = random.range(-0.7, 1.3);
  }
  const n = cells + 1;
  const heights = new Float32Array(n * n);
  for (let iz = 0; iz < n; iz++) {
    for (let ix = 0; ix < n; ix++) heights[ix + n * iz] = basinHeight(ix * CELL - half, iz * CELL - half, half, bumps);
  }
  return heights;
}

/** Basin of exactly `cells * cells * 2` triangles, centered on the origin, normals up; diagonals alternate. */
export function basinMesh(cells: number, seed: number): ShapeDef {
  const n = cells + 1;
  const half = (cells * CELL) / 2;
  const heights = basinHeights(cells, seed);
  const positions = new Float32Array(n * n * 3);
  for (let iz = 0; iz < n; iz++) {
    for (let ix = 0; ix < n; ix++) {
      const v = ix + n * iz;
      positions[3 * v] = ix * CELL - half;
      positions[3 * v + 1] = heights[v];
      positions[3 * v + 2] = iz * CELL - half;
    }
  }
  const indices = new Uint32Array(cells * cells * 6);
  let o = 0;
  for (let iz = 0; iz < cells; iz++) {
    for (let ix = 0; ix < cells; ix++) {
      const a = ix + n * iz;
      const b = a + 1;
      const c = a + n;
      const d = c + 1;
      indices.set((ix + iz) & 1 ? [a, c, b, b, c, d] : [a, c, d, a, d, b], o);
      o += 6;
    }
  }
  return { type: 'mesh', positions, indices };
}

/** The same heights as a heightfield. */
export function basinHeightfield(cells: number, seed: number): ShapeDef {
  const n = cells + 1;
  const half = (cells * CELL) / 2;
  return { type: 'heightfield', nx: n, nz: n, spacing: CELL, originX: -half, originZ: -half, heights: basinHeights(cells, seed) };
}

/** Half edge of a basin of that many cells, m. */
export function basinHalf(cells: number): number {
  return (cells * CELL) / 2;
}
