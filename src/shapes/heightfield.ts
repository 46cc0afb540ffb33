// Cooks a heightfield into a HeightfieldBlob (layout in docs/memory-map.md): the samples, and the least and largest height of
// every block of 8 x 8 cells. Triangles are found from the grid, so there is no tree and no index.
//
// Frame: x and z run along the grid, y is up; fronts face up. Cell (i, j) is cut along its diagonal from (i, j) to
// (i + 1, j + 1). A NaN height is a hole: it removes the triangles that touch it.
import { TalusError } from '../checks/errors';
import { HeightfieldBlob } from '../layout.generated';

/** Grid of a heightfield: sample (i, j) lies at x = origin[0] + i spacing[0], y = origin[1] + height, z = origin[2] + j spacing[1]. */
export interface HeightfieldGrid {
  /** Samples along x, at least 2. */
  nx: number;
  /** Samples along z, at least 2. */
  nz: number;
  /** Distance between samples along x and z (m); one number for both. */
  spacing: number | readonly [number, number];
  /** Position of sample (0, 0) at height 0 in the shape frame (m); default 0 0 0. */
  origin?: readonly [number, number, number];
}

/** A cooked heightfield: the blob to copy into linear memory (16-byte aligned) and its bounds in the shape frame (m). */
export interface CookedHeightfield {
  blob: ArrayBuffer;
  min: [number, number, number];
  max: [number, number, number];
}

/** Cells along a side of a block. */
const BLOCK = 8;
const MAX_SAMPLES = 2 ** 27;

/**
 * Cooks a heightfield. `heights` holds nz rows of nx samples (m), NaN for holes. Throws TalusError 'invalid-argument' for
 * sizes that do not fit, spacing that is not positive, or a height that is infinite (named by its index), and
 * 'degenerate-shape' if holes leave no triangle.
 */
export function cookHeightfield(heights: ArrayLike<number>, grid: HeightfieldGrid): CookedHeightfield {
  const { nx, nz } = grid;
  const [spacingX, spacingZ] = typeof grid.spacing === 'number' ? [grid.spacing, grid.spacing] : grid.spacing;
  const [originX, originY, originZ] = grid.origin ?? [0, 0, 0];
  for (const [name, n] of [
    ['nx', nx],
    ['nz', nz],
  ] as const) {
    if (!Number.isInteger(n) || n < 2)
      throw new TalusError('invalid-argument', `A heightfield needs an integer ${name} of at least 2; got ${n}.`);
  }
  if (nx * nz > MAX_SAMPLES)
    throw new TalusError('unsupported', `A heightfield can have at most ${MAX_SAMPLES} samples; got ${nx * nz}.`);
  if (heights.length !== nx * nz)
    throw new TalusError('invalid-argument', `A heightfield of ${nx} x ${nz} needs ${nx * nz} heights; got ${heights.length}.`);
  for (const s of [spacingX, spacingZ]) {
    if (!(s > 0 && s < 1e9))
      throw new TalusError('invalid-argument', `Heightfield spacing must be positive and finite; got ${s}.`);
  }
  for (const o of [originX, originY, originZ]) {
    if (!Number.isFinite(o)) throw new TalusError('invalid-argument', `Heightfield origin must be finite; got ${o}.`);
  }

  const blocksX = Math.ceil((nx - 1) / BLOCK);
  const blocksZ = Math.ceil((nz - 1) / BLOCK);
  const heightsOffset = HeightfieldBlob.STRIDE;
  const blocksOffset = (heightsOffset + 4 * nx * nz + 15) & ~15;
  const bytes = (blocksOffset + 8 * blocksX * blocksZ + 15) & ~15;
  const blob = new ArrayBuffer(bytes);
  const u32 = new Uint32Array(blob);
  const f32 = new Float32Array(blob);
  const samples = f32.subarray(heightsOffset / 4, heightsOffset / 4 + nx * nz);
  for (let i = 0; i < nx * nz; i++) {
    const h = heights[i];
    if (Number.isNaN(h)) {
      samples[i] = Number.NaN;
      continue;
    }
    if (!(Math.abs(h + originY) < 1e18))
      throw new TalusError('invalid-argument', `Height ${i} (column ${i % nx}, row ${Math.floor(i / nx)}) is not finite: ${h}.`);
    samples[i] = h + originY + 0;
  }

  let minY = Number.POSITIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  let triangles = 0;
  const blocks = f32.subarray(blocksOffset / 4, blocksOffset / 4 + 2 * blocksX * blocksZ);
  for (let b = 0; b < blocksX * blocksZ; b++) {
    blocks[2 * b] = Number.POSITIVE_INFINITY;
    blocks[2 * b + 1] = Number.NEGATIVE_INFINITY;
  }
  for (let j = 0; j < nz - 1; j++) {
    for (let i = 0; i < nx - 1; i++) {
      const b = 2 * (Math.floor(j / BLOCK) * blocksX + Math.floor(i / BLOCK));
      const p00 = samples[j * nx + i];
      const p10 = samples[j * nx + i + 1];
      const p01 = samples[(j + 1) * nx + i];
      const p11 = samples[(j + 1) * nx + i + 1];
      for (const other of [p01, p10]) {
        const low = Math.min(p00, p11, other); // NaN if any is
        if (Number.isNaN(low)) continue;
        triangles++;
        const high = Math.max(p00, p11, other);
        if (low < blocks[b]) blocks[b] = low;
        if (high > blocks[b + 1]) blocks[b + 1] = high;
        if (low < minY) minY = low;
        if (high > maxY) maxY = high;
      }
    }
  }
  if (triangles === 0)
    throw new TalusError('degenerate-shape', 'The heightfield has no triangle: every cell touches a hole (NaN).');

  u32[HeightfieldBlob.nx / 4] = nx;
  u32[HeightfieldBlob.nz / 4] = nz;
  u32[HeightfieldBlob.blocksX / 4] = blocksX;
  u32[HeightfieldBlob.blocksZ / 4] = blocksZ;
  u32[HeightfieldBlob.blobBytes / 4] = bytes;
  u32[HeightfieldBlob.heightsOffset / 4] = heightsOffset;
  u32[HeightfieldBlob.blocksOffset / 4] = blocksOffset;
  f32[HeightfieldBlob.originX / 4] = originX;
  f32[HeightfieldBlob.originZ / 4] = originZ;
  f32[HeightfieldBlob.spacingX / 4] = spacingX;
  f32[HeightfieldBlob.spacingZ / 4] = spacingZ;
  f32[HeightfieldBlob.invSpacingX / 4] = 1 / spacingX;
  f32[HeightfieldBlob.invSpacingZ / 4] = 1 / spacingZ;
  f32[HeightfieldBlob.minY / 4] = minY;
  f32[HeightfieldBlob.maxY / 4] = maxY;
  // The grid as the core sees it: products of single-precision numbers.
  const x0 = Math.fround(originX);
  const z0 = Math.fround(originZ);
  const x1 = Math.fround(x0 + Math.fround((nx - 1) * Math.fround(spacingX)));
  const z1 = Math.fround(z0 + Math.fround((nz - 1) * Math.fround(spacingZ)));
  return { blob, min: [x0, minY, z0], max: [x1, maxY, z1] };
}
