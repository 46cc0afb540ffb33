// Stacks of light plates under blocks of 10, 100 and 1,000 times the mass of one plate. A stack must carry its block without sinking.
import { IDENTITY, SceneBuilder } from './builder';
import { join } from './frames';
import type { Quat, Scene, SceneOptions, Vec3 } from './types';

const PLATES = 20;
/** Half extents, m, and mass, kg. */
const PLATE: Vec3 = [1, 0.125, 1.5];
const PLATE_MASS = 1;
const BLOCK: Vec3 = [1.4, 0.5, 1.4];
/** From stack to stack, m. */
export const APART = 4;
/** Each plate is turned by 9 degrees against the one below: cosine and sine of half of it. */
const TURN: Quat = [0, 0.07845909572784494, 0, 0.996917333733128];
const FRICTION = 1;

const PALE: Vec3 = [222, 214, 200];
const SHADES: Vec3 = [196, 199, 204];
const BLOCKS: readonly Vec3[] = [
  [150, 190, 150],
  [242, 193, 104],
  [226, 149, 120],
];

/** Masses of the blocks, kg. */
export const BLOCK_MASSES = [10, 100, 1000] as const;

const volume = ([x, y, z]: Vec3) => 8 * x * y * z;

/** `parts.blocks` lists the blocks in the order of their masses; `scale` is for the number of plates. */
export function plates(options: SceneOptions = {}): Scene {
  const count = Math.max(2, Math.round(PLATES * (options.scale ?? 1)));
  const builder = new SceneBuilder(FRICTION);
  builder.floor(30);
  const plate = builder.box(...PLATE);
  const block = builder.box(...BLOCK);
  const blocks = BLOCK_MASSES.map((mass, stack) => {
    const x = APART * (stack - 1);
    let rotation: Quat = IDENTITY;
    for (let i = 0; i < count; i++) {
      builder.dynamic(plate, [x, PLATE[1] * (2 * i + 1), 0], {
        rotation,
        density: PLATE_MASS / volume(PLATE),
        tint: i % 2 ? PALE : SHADES,
      });
      rotation = join(TURN, rotation);
    }
    const y = 2 * PLATE[1] * count + BLOCK[1];
    return builder.dynamic(block, [x, y, 0], { density: mass / volume(BLOCK), tint: BLOCKS[stack] });
  });
  return builder.build(
    'plates',
    `stacks of ${count} light plates under heavy blocks`,
    0,
    { touching: true, stands: true, bounds: { min: [-30, -1, -30], max: [30, 30, 30] } },
    { blocks },
  );
}
