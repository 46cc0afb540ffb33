// Three guns: the outer ones fire steel balls at plates of 2 cm that hang on rods, the middle one at a wall of bricks. Nothing passes
// that is not knocked out of the way. bullets_act.ts fires.
import { SceneBuilder } from './builder';
import { ALONG_Z } from './frames';
import { type Scene, type SceneOptions, type Vec3, WORLD } from './types';

/** Of a ball, m, and where the muzzles are. */
export const BALL = 0.06;
export const GUNS: readonly Vec3[] = [
  [-5.5, 1.9, 13],
  [0, 1.5, 13],
  [5.5, 1.9, 13],
];
/** Plates: half width, height and thickness, m; they hang in the plane z = 0. */
export const PLATE: Vec3 = [0.9, 0.7, 0.01];
const PLATE_HEIGHT = 1.9;
const STEEL = 7800;
const BALLS = 24;
const BRICK: Vec3 = [0.3, 0.15, 0.14];
const LAYERS = 12;
const ROW = 8;

export function bullets(options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.floor(24);
  // A stop behind everything.
  builder.fixed(builder.box(14, 2.5, 0.3), [0, 2.5, -9], { tint: [206, 212, 222] });
  const layers = Math.max(2, Math.round(LAYERS * (options.scale ?? 1)));
  const brick = builder.box(...BRICK);
  const half = builder.box(BRICK[0] / 2, BRICK[1], BRICK[2]);
  const bricks: number[] = [];
  const gap = 0.004;
  const red = (k: number): Vec3 => [226 - 9 * ((k * 5) % 4), 150 - 8 * ((k * 3) % 5), 120 - 6 * (k % 4)];
  for (let layer = 0; layer < layers; layer++) {
    const y = BRICK[1] + 2 * BRICK[1] * layer;
    const wide = 2 * BRICK[0] + gap;
    // Every other layer begins and ends with half a brick.
    const shifted = layer % 2 === 1;
    for (let i = 0; i < ROW - (shifted ? 1 : 0); i++) {
      bricks.push(
        builder.dynamic(brick, [(i - (ROW - 1) / 2 + (shifted ? 0.5 : 0)) * wide, y, 0], { density: 1200, tint: red(layer + i) }),
      );
    }
    if (!shifted) continue;
    for (const side of [-1, 1]) {
      bricks.push(
        builder.dynamic(half, [side * ((ROW / 2) * wide - BRICK[0] / 2 - gap / 2), y, 0], {
          density: 1200,
          tint: red(layer + 1),
        }),
      );
    }
  }
  const plates: number[] = [];
  for (const x of [-5.5, 5.5]) {
    const plate = builder.dynamic(builder.box(...PLATE), [x, PLATE_HEIGHT, 0], { density: STEEL, tint: [150, 170, 190] });
    plates.push(plate);
    for (const side of [-0.8, 0.8]) {
      const top = PLATE_HEIGHT + PLATE[1];
      builder.joint('distance', WORLD, plate, { at: [x + side, top + 0.9, 0], atB: [x + side, top, 0] }, { length: 0.9 });
    }
    // The gallows that it hangs on.
    for (const side of [-1.08, 1.08]) {
      builder.fixed(builder.box(0.05, 1.8, 0.05), [x + side, 1.8, 0], { scenery: true, tint: [120, 130, 145] });
    }
    builder.fixed(builder.box(1.13, 0.05, 0.05), [x, 3.55, 0], { scenery: true, tint: [120, 130, 145] });
  }
  for (const [x, y, z] of GUNS) {
    const barrel = builder.shape({ type: 'cylinder', radius: 0.13, halfHeight: 0.7 });
    builder.fixed(barrel, [x, y, z + 0.75], { rotation: ALONG_Z, scenery: true, tint: [90, 96, 106] });
    builder.fixed(builder.box(0.25, y / 2 - 0.05, 0.35), [x, y / 2 - 0.05, z + 0.9], { scenery: true, tint: [120, 130, 145] });
  }
  // Balls lie ready in a rack beside the guns.
  const ball = builder.shape({ type: 'sphere', radius: BALL });
  const balls: number[] = [];
  builder.fixed(builder.box(0.7, 0.2, 0.5), [2.6, 0.2, 14], { tint: [120, 130, 145] });
  for (const [dx, dz, x, z] of [
    [0.02, 0.5, 1.92, 14],
    [0.02, 0.5, 3.28, 14],
    [0.7, 0.02, 2.6, 13.52],
    [0.7, 0.02, 2.6, 14.48],
  ]) {
    builder.fixed(builder.box(dx, 0.1, dz), [x, 0.45, z], { tint: [120, 130, 145] });
  }
  for (let i = 0; i < BALLS; i++) {
    const at: Vec3 = [2.05 + 0.2 * (i % 6), 0.4 + BALL, 13.7 + 0.2 * Math.floor(i / 6)];
    balls.push(builder.dynamic(ball, at, { density: STEEL, bullet: true, tint: [60, 64, 72] }));
  }
  return builder.build(
    'bullets',
    'fast balls at a wall and at thin plates',
    0,
    { bounds: { min: [-60, -1, -60], max: [60, 60, 60] } },
    { bricks, plates, balls },
  );
}
