// Structures that should stand: wall, pyramid, stack, columns, slabs, dominoes. Everything starts just touching
// (spacing 1.000): an overlap at the start would be pushed out and shake the structure.
import { SceneBuilder } from './builder';
import { Random } from './random';
import type { Scene, SceneOptions, Vec3 } from './types';

function standing(half: number, height: number): { touching: true; stands: true; bounds: { min: Vec3; max: Vec3 } } {
  return { touching: true, stands: true, bounds: { min: [-half, -1, -half], max: [half, height, half] } };
}

/** Scale for counts of layers: never below 2. */
function scaled(count: number, options: SceneOptions): number {
  return Math.max(2, Math.round(count * (options.scale ?? 1)));
}

/**
 * Wall of 30 layers x 10 bricks of 1 x 0.5 x 0.5 m in running bond, each layer a quarter of a brick beside the one below.
 * (With half a brick the last brick of the top layer would balance on an edge, its center exactly over it.)
 */
export function wall(options: SceneOptions = {}): Scene {
  const layers = scaled(30, options);
  const builder = new SceneBuilder();
  builder.floor(40);
  const brick = builder.box(0.5, 0.25, 0.25);
  for (let layer = 0; layer < layers; layer++) {
    const shift = layer & 1 ? 0.125 : -0.125;
    for (let i = 0; i < 10; i++) builder.dynamic(brick, [i - 4.5 + shift, 0.25 + 0.5 * layer, 0]);
  }
  return builder.build('wall', `wall of ${layers} x 10 bricks`, 0, standing(40, 40));
}

/** Flat pyramid of 1 m boxes, 60 in the lowest row: 1,830 boxes. */
export function pyramid(options: SceneOptions = {}): Scene {
  const base = scaled(60, options);
  const builder = new SceneBuilder();
  builder.floor(100);
  const box = builder.box(0.5, 0.5, 0.5);
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) builder.dynamic(box, [i - (base - row - 1) / 2, 0.5 + row, 0]);
  }
  return builder.build('pyramid', `pyramid with a base of ${base}`, 0, standing(100, 100));
}

/** Tower of 20 boxes of 1 m, each moved sideways by up to 4 cm. */
export function stack(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = scaled(20, options);
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.floor(40);
  const box = builder.box(0.5, 0.5, 0.5);
  for (let i = 0; i < count; i++) builder.dynamic(box, [random.range(-0.04, 0.04), 0.5 + i, random.range(-0.04, 0.04)]);
  return builder.build('stack', `tower of ${count} boxes`, seed, standing(40, 40));
}

/** 720 boxes of 1 m in 72 towers of ten, 0.3 m apart, each box moved sideways by up to 1 cm. */
export function boxes720(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const rows = Math.max(1, Math.round(8 * (options.scale ?? 1)));
  const random = new Random(seed);
  const builder = new SceneBuilder();
  const half = Math.max(60, 0.65 * rows + 10);
  builder.floor(half);
  const box = builder.box(0.5, 0.5, 0.5);
  for (let iz = 0; iz < rows; iz++) {
    for (let ix = 0; ix < 9; ix++) {
      for (let iy = 0; iy < 10; iy++) {
        const x = (ix - 4) * 1.3 + random.range(-0.01, 0.01);
        const z = (iz - (rows - 1) / 2) * 1.3 + random.range(-0.01, 0.01);
        builder.dynamic(box, [x, 0.5 + iy, z]);
      }
    }
  }
  return builder.build('boxes720', `${rows * 90} boxes in towers of ten`, seed, standing(half, 40));
}

/** A 1 m block of `massRatio` (default 100) times the mass of a slab on five thin slabs of 1.2 x 0.1 x 1.2 m. */
export function slabs(options: SceneOptions = {}): Scene {
  const ratio = options.massRatio ?? 100;
  const builder = new SceneBuilder();
  builder.floor(40);
  const slab = builder.box(0.6, 0.05, 0.6);
  const slabMass = 1.2 * 0.1 * 1.2 * 1000;
  for (let i = 0; i < 5; i++) builder.dynamic(slab, [0, 0.05 + 0.1 * i, 0]);
  builder.dynamic(builder.box(0.5, 0.5, 0.5), [0, 1, 0], { density: slabMass * ratio });
  return builder.build('slabs', `block on five slabs, mass ratio 1:${ratio}`, 0, standing(40, 40));
}

/** A row of 60 dominoes, the first of which is pushed over. */
export function domino(options: SceneOptions = {}): Scene {
  const count = scaled(60, options);
  const builder = new SceneBuilder();
  builder.floor(60);
  const tile = builder.box(0.06, 0.5, 0.25);
  for (let i = 0; i < count; i++) {
    builder.dynamic(
      tile,
      [(i - (count - 1) / 2) * 0.5, 0.5, 0],
      i === 0 ? { angularVelocity: [0, 0, -2], linearVelocity: [1, 0, 0] } : {},
    );
  }
  return builder.build('domino', `${count} dominoes`, 0, { ...standing(60, 20), stands: false });
}
