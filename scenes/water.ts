// A basin of water that sloshes: crates and balls of different density float as deep as Archimedes says, boats carry crates, stones
// lie on the ground. water_act.ts makes the water.
import { SceneBuilder } from './builder';
import { ALONG_X } from './frames';
import { Random } from './random';
import type { Scene, SceneOptions, Vec3 } from './types';

/** Half length and width of the basin, its depth, and the water above its ground, m. */
export const BASIN = { x: 8, z: 5, wall: 3.1, level: 2.2 };

export function water(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const random = new Random(seed);
  const builder = new SceneBuilder(0.4);
  const { x, z, wall, level } = BASIN;
  builder.fixed(builder.box(x + 8, 0.5, z + 8), [0, -0.5, 0]);
  const glass = { finish: 'glass', tint: [150, 190, 215] } as const;
  for (const side of [-1, 1]) {
    builder.fixed(builder.box(0.15, wall / 2, z + 0.3), [side * (x + 0.15), wall / 2, 0], glass);
    builder.fixed(builder.box(x, wall / 2, 0.15), [0, wall / 2, side * (z + 0.15)], glass);
  }
  const surface = builder.kinematic(builder.box(x - 0.02, level / 2, z - 0.02), [0, level / 2, 0], {
    scenery: true,
    finish: 'water',
    tint: [70, 140, 190],
  });
  // Crates from light to heavy, in two rows; light ones are light in color.
  const crates: number[] = [];
  const crate = builder.box(0.4, 0.4, 0.4);
  for (let i = 0; i < 8; i++) {
    const density = 150 + 100 * i;
    const shade = 1 - 0.65 * (i / 7);
    crates.push(
      builder.dynamic(crate, [-6.3 + 1.8 * i, level + 0.1, 2.9 + 0.4 * (i % 2)], {
        density,
        tint: [236 * shade, 190 * shade, 130 * shade],
      }),
    );
  }
  const balls: number[] = [];
  for (let i = 0; i < 6; i++) {
    const radius = random.range(0.25, 0.5);
    balls.push(
      builder.dynamic(builder.shape({ type: 'sphere', radius }), [-6 + 2.4 * i, level + 0.6, -3.3], {
        density: 200 + 120 * i,
        tint: [222, 90 + 20 * i, 80],
      }),
    );
  }
  for (let i = 0; i < 4; i++) {
    builder.dynamic(builder.shape({ type: 'cylinder', radius: 0.22, halfHeight: 0.9 }), [-5 + 3 * i, level + 1.6, -1.2], {
      density: 550,
      rotation: ALONG_X,
      tint: [150, 110, 80],
    });
  }
  const upright = [0, 0, 0, 1] as const;
  // Hull of a boat: pointed in front, wider on deck.
  const outline: Vec3[] = [];
  for (const [y, k] of [
    [-0.35, 0.7],
    [0.25, 1],
  ]) {
    for (const [px, pz] of [
      [-1.4, -0.6],
      [-1.4, 0.6],
      [0.8, 0.6],
      [0.8, -0.6],
      [1.7, 0],
    ]) {
      outline.push([px * k, y, pz * k]);
    }
  }
  const boat = builder.compound([
    { shape: builder.shape({ type: 'hull', points: Float32Array.from(outline.flat()) }), position: [0, 0, 0], rotation: upright },
    { shape: builder.box(1.1, 0.12, 0.04), position: [-0.3, 0.37, 0.55], rotation: upright },
    { shape: builder.box(1.1, 0.12, 0.04), position: [-0.3, 0.37, -0.55], rotation: upright },
    { shape: builder.box(0.04, 0.12, 0.51), position: [-1.36, 0.37, 0], rotation: upright },
    { shape: builder.box(0.3, 0.25, 0.35), position: [-0.9, 0.5, 0], rotation: upright },
  ]);
  const boats: number[] = [];
  for (const [bx, bz, tint] of [
    [-3.5, 0.6, [96, 150, 180]],
    [3, 0.9, [214, 116, 116]],
  ] as const) {
    boats.push(builder.dynamic(boat, [bx, level + 0.15, bz], { density: 320, tint }));
    const cargo = builder.box(0.2, 0.2, 0.2);
    for (const [dx, dz] of [
      [-0.2, 0.22],
      [-0.2, -0.22],
      [0.3, 0],
    ]) {
      builder.dynamic(cargo, [bx + dx, level + 0.65, bz + dz], { density: 250 });
    }
  }
  for (let i = 0; i < 5; i++) {
    const radius = random.range(0.25, 0.4);
    builder.dynamic(builder.box(radius, 0.8 * radius, radius), [-5 + 2.4 * i, level + 1, 4.1 * (i % 2 ? 0.5 : -0.9)], {
      density: 2600,
      rotation: random.rotation(),
      tint: [130, 132, 138],
    });
  }
  return builder.build(
    'water',
    'floating crates, boats and stones',
    seed,
    { bounds: { min: [-16, -1, -13], max: [16, 20, 13] } },
    { surface, crates, balls, boats },
  );
}
