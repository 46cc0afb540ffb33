// Characters at the foot of smooth slopes, one within their limit of 50 degrees and five beyond it; slopes_act.ts walks them.
import { IDENTITY, SceneBuilder } from './builder';
import type { Scene, SceneOptions, Vec3 } from './types';

/** Degrees, and run over rise (the cotangent), in the order of the lanes. */
export const SLOPES = [
  { angle: 45, run: 1 },
  { angle: 51, run: 0.8097840331950071 },
  { angle: 60, run: 0.5773502691896258 },
  { angle: 65, run: 0.46630765815499864 },
  { angle: 75, run: 0.2679491924311227 },
  { angle: 85, run: 0.08748866352592401 },
] as const;
/** Height of the slopes, m; all of them begin at x = 0. */
export const RISE = 2.5;
/** Depth of the landings behind them, m. */
export const LANDING = 1.6;
/** Width of a lane, m. */
const LANE = 1.8;
/** x at which the characters start, m. */
export const HOME = -2.5;

const EASY: Vec3 = [150, 190, 150];
const STEEP: Vec3 = [226, 149, 120];
const FIGURES: Vec3 = [96, 150, 180];

/** z of the middle of a lane, m. */
export function laneOf(i: number): number {
  return LANE * (i - (SLOPES.length - 1) / 2);
}

/** `parts.figures` are the characters as they are drawn, with their origins at the feet. */
export function slopes(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.fixed(builder.box(9, 0.5, 8), [0, -0.5, 0]);
  for (const [i, { angle, run }] of SLOPES.entries()) {
    const [foot, back, half] = [RISE * run, RISE * run + LANDING, LANE / 2 - 0.05];
    const points: number[] = [];
    for (const z of [-half, half]) points.push(0, 0, z, foot, RISE, z, back, RISE, z, back, 0, z);
    builder.fixed(builder.shape({ type: 'hull', points: new Float32Array(points) }), [0, 0, laneOf(i)], {
      tint: angle <= 50 ? EASY : STEEP,
    });
  }
  const figure = builder.compound([
    { shape: builder.shape({ type: 'capsule', radius: 0.3, halfHeight: 0.6 }), position: [0, 0.9, 0], rotation: IDENTITY },
    { shape: builder.box(0.08, 0.05, 0.18), position: [0.27, 1.45, 0], rotation: IDENTITY },
  ]);
  const figures = SLOPES.map((_, i) => builder.kinematic(figure, [HOME, 0, laneOf(i)], { scenery: true, tint: FIGURES }));
  return builder.build(
    'slopes',
    'characters at slopes within and beyond their limit',
    0,
    { bounds: { min: [-20, -1, -20], max: [20, 20, 20] } },
    { figures },
  );
}
