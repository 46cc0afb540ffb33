// Surfaces over a square, by a function of height: the same triangles as a mesh and as a heightfield.
import type { ShapeDesc } from '../../src/index';

type Height = (x: number, z: number) => number;

/** `n` x `n` cells over `size` x `size` m about the origin, y up. */
export function gridMesh(n: number, size: number, height: Height): ShapeDesc {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const x = (i / n - 0.5) * size;
      const z = (j / n - 0.5) * size;
      positions.push(x, height(x, z), z);
    }
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + n + 2, a, a + n + 2, a + 1);
    }
  }
  return { type: 'mesh', positions, indices };
}

export function gridField(n: number, size: number, height: Height): ShapeDesc {
  const heights: number[] = [];
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) heights.push(height((i / n - 0.5) * size, (j / n - 0.5) * size));
  return { type: 'heightfield', heights, nx: n + 1, nz: n + 1, spacing: size / n, origin: [-size / 2, 0, -size / 2] };
}
