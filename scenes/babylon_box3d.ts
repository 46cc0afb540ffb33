// The scenes of the benchmark that babylon-box3d publishes (Pryme8/babylon-box3d, bench/scenes.ts): pyramids, and piles of boxes and
// spheres in a bin. Places, sizes and random draws are as published, so that figures can be set side by side.
import { SceneBuilder } from './builder';
import { join } from './frames';
import { cosSin } from './trig';
import type { Quat, Scene, SceneOptions } from './types';

/** The generator of the published piles, by its public constants (mulberry32): uniform in [0, 1). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** Turn about z, then x, then y: what Babylon.js makes of three Euler angles. */
function fromEuler(x: number, y: number, z: number): Quat {
  const [cx, sx] = cosSin(x / 2);
  const [cy, sy] = cosSin(y / 2);
  const [cz, sz] = cosSin(z / 2);
  return join(join([0, sy, 0, cy], [sx, 0, 0, cx]), [0, 0, sz, cz]);
}

/** Flat pyramid of 1 m cubes, `rows` in the lowest row. Box3D calls the one of 100 rows 'large pyramid'. */
export function publishedPyramid(rows: number, options: SceneOptions): Scene {
  const base = Math.max(3, Math.round(rows * (options.scale ?? 1)));
  const builder = new SceneBuilder();
  const ground = Math.max(40, 2 * base + 20) / 2;
  builder.floor(ground);
  const cube = builder.box(0.5, 0.5, 0.5);
  let top = 0;
  for (let row = 0; row < base; row++) {
    for (let i = row; i < base; i++) top = builder.dynamic(cube, [(row + 1) / 2 + (i - row) - base / 2, row + 0.5, 0]);
  }
  return builder.build(`pyramid-${rows}`, `pyramid of ${base} rows`, 0, {
    touching: true,
    stands: true,
    tops: [top],
    bounds: { min: [-ground, -1, -ground], max: [ground, base + 10, ground] },
  });
}

const PER_SIDE = 20;
const SPACING = 1.1;
const PILE_SEED = 1234;

/** `count` cubes of 0.9 m and spheres of that diameter, half and half, fall into a bin of 23 m in layers of 400. */
export function publishedPile(count: number, options: SceneOptions): Scene {
  const bodies = Math.max(20, Math.round(count * (options.scale ?? 1)));
  const random = mulberry32(PILE_SEED);
  const builder = new SceneBuilder();
  const half = (PER_SIDE * SPACING + 1) / 2;
  const height = 4 + 1.2 * SPACING * Math.ceil(bodies / (PER_SIDE * PER_SIDE));
  builder.floor(half + 2);
  const wallX = builder.box(0.5, height / 2, half + 1);
  const wallZ = builder.box(half, height / 2, 0.5);
  for (const side of [-1, 1]) builder.fixed(wallX, [side * (half + 0.5), height / 2, 0]);
  for (const side of [-1, 1]) builder.fixed(wallZ, [0, height / 2, side * (half + 0.5)]);
  const cube = builder.box(0.45, 0.45, 0.45);
  const ball = builder.shape({ type: 'sphere', radius: 0.45 });
  const middle = (PER_SIDE - 1) / 2;
  for (let i = 0; i < bodies; i++) {
    const layer = Math.floor(i / (PER_SIDE * PER_SIDE));
    const cell = i % (PER_SIDE * PER_SIDE);
    const ix = cell % PER_SIDE;
    const iz = Math.floor(cell / PER_SIDE);
    const x = (ix - middle) * SPACING + (random() - 0.5) * 0.1;
    const z = (iz - middle) * SPACING + (random() - 0.5) * 0.1;
    const [rx, ry, rz] = [random() * Math.PI, random() * Math.PI, random() * Math.PI];
    const shape = (ix + iz + layer) % 2 === 0 ? cube : ball;
    builder.dynamic(shape, [x, 2 + SPACING * layer, z], { rotation: fromEuler(rx, ry, rz) });
  }
  return builder.build(`pile-${count}`, `${bodies} boxes and spheres in a bin`, PILE_SEED, {
    bounds: { min: [-half - 0.5, -1, -half - 0.5], max: [half + 0.5, 1000, half + 0.5] },
  });
}
