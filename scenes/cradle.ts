// Newton's cradles and columns of bouncing balls, all of restitution 1 and without friction. Where the balls hang apart, they hit each other
// one after the other; where they touch, an impact goes through the whole row in one step. Neither may add energy.
import { IDENTITY, SceneBuilder } from './builder';
import { type Scene, type SceneOptions, type Vec3, WORLD } from './types';

/** Radius of a ball and half the thickness of a rod, m. */
const BALL = 0.15;
const ROD = 0.006;
/** Distance from a pivot to the center of its ball, m. */
const LENGTH = 2;
/** Height of the pivots, m. */
const PIVOT = 2.6;
const STEEL = 7800;
/** The rod of a pulled ball is 53 degrees off the vertical; at 60, it would cut its neighbor. With half of that angle. */
const ANGLE = { cos: 0.6, sin: 0.8 };
const PULLED = { cos: Math.sqrt(0.8), sin: Math.sqrt(0.2) };

const FRAME: Vec3 = [120, 130, 145];
const TINTS: readonly Vec3[] = [
  [96, 150, 180],
  [242, 193, 104],
  [226, 149, 120],
  [150, 190, 150],
];

/**
 * The balls of each cradle, how many of them are pulled, and the gaps between hanging balls (m): 0, or more than what the pulled ball
 * covers in a step.
 */
export const CRADLES = [
  { balls: 5, pulled: 1, gap: 0.02 },
  { balls: 5, pulled: 2, gap: 0.02 },
  { balls: 7, pulled: 3, gap: 0 },
] as const;
/** The balls of each column, 5 mm apart. The lowest ball starts 2 m above the floor. */
export const COLUMNS = [1, 2, 3, 5] as const;

/** `parts.cradles` and `parts.columns` list the balls one row after the other. */
export function cradle(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder(0);
  builder.fixed(builder.box(8, 0.5, 5), [0, -0.5, 0]);
  // A ball and its rod are one body with its origin in the center of the ball.
  const sphere = builder.shape({ type: 'sphere', radius: BALL });
  const bob = builder.compound([
    { shape: sphere, position: [0, 0, 0], rotation: IDENTITY },
    { shape: builder.box(ROD, (LENGTH - BALL) / 2, ROD), position: [0, (LENGTH + BALL) / 2, 0], rotation: IDENTITY },
  ]);
  const cradles: number[] = [];
  for (const [row, { balls, pulled, gap }] of CRADLES.entries()) {
    const [middle, z] = [-1.2, 2.2 * (row - 1)];
    for (let i = 0; i < balls; i++) {
      const x = middle + (i - (balls - 1) / 2) * (2 * BALL + gap);
      const isPulled = i < pulled;
      const at: Vec3 = isPulled ? [x - LENGTH * ANGLE.sin, PIVOT - LENGTH * ANGLE.cos, z] : [x, PIVOT - LENGTH, z];
      const ball = builder.dynamic(bob, at, {
        rotation: isPulled ? [0, 0, -PULLED.sin, PULLED.cos] : IDENTITY,
        density: STEEL,
        restitution: 1,
        tint: TINTS[isPulled ? 1 : 0],
      });
      builder.joint('ball', WORLD, ball, { at: [x, PIVOT, z] });
      cradles.push(ball);
    }
    // A gantry that stands clear of the swinging balls and rods.
    const [half, clear] = [balls * BALL + 0.2, 0.35];
    builder.fixed(builder.box(half, 0.03, 0.03), [middle, PIVOT + 0.04, z], { scenery: true, tint: FRAME });
    for (const end of [-half, half]) {
      builder.fixed(builder.box(0.03, 0.03, clear), [middle + end, PIVOT + 0.04, z], { scenery: true, tint: FRAME });
      for (const side of [-clear, clear]) {
        builder.fixed(builder.box(0.03, PIVOT / 2 + 0.035, 0.03), [middle + end, PIVOT / 2 + 0.035, z + side], {
          scenery: true,
          tint: FRAME,
        });
      }
    }
  }
  const columns: number[] = [];
  for (const [column, balls] of COLUMNS.entries()) {
    for (let i = 0; i < balls; i++) {
      const at: Vec3 = [2.2, 2 + BALL + i * (2 * BALL + 0.005), 1.4 * (column - 1.5)];
      columns.push(builder.dynamic(sphere, at, { density: STEEL, restitution: 1, tint: TINTS[i % TINTS.length] }));
    }
  }
  const scene = builder.build(
    'cradle',
    "Newton's cradles and columns of bouncing balls",
    0,
    { bounds: { min: [-30, -1, -30], max: [30, 30, 30] } },
    { cradles, columns },
  );
  return { ...scene, dt: 1 / 240 };
}
