// A course for a character: stairs, slopes at and beyond its limit, a platform that moves and one that turns, a crate to push, a low
// ceiling, a ledge to jump on. It goes along x; course_act.ts walks it.
import { rotationAboutZ, SceneBuilder } from './builder';
import type { Scene, SceneOptions, Vec3 } from './types';

const TAN_30 = 1 / Math.sqrt(3);
const TAN_20 = 0.3639702342662024;

/** Half the width of most of it, m. */
const WIDE = 2;
/** Height of the landings, m. */
export const HIGH = 2;
/** Where the moving platform turns back, and how long it takes there and back, s. */
export const FERRY = { from: 18.1, to: 21.9, half: 1.05, seconds: 8 };
/** rad/s */
const CAROUSEL_SPIN = 0.7;
/** Under the low ceiling, m: a character of 1.8 m has to crouch. */
const CLEAR = 1.35;
export const END = 61;

const STONE: Vec3 = [196, 199, 204];
const EASY: Vec3 = [150, 190, 150];
const STEEP: Vec3 = [226, 149, 120];
const MOVING: Vec3 = [96, 150, 180];

/** A floor lies under all of it. */
export function course(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.fixed(builder.box(50, 0.5, 14), [28, -0.5, 0]);
  /** From and to x, its top, from and to z. */
  const block = (x0: number, x1: number, top: number, z0 = -WIDE, z1 = WIDE, tint = STONE) =>
    builder.fixed(builder.box((x1 - x0) / 2, top / 2, (z1 - z0) / 2), [(x0 + x1) / 2, top / 2, (z0 + z1) / 2], { tint });
  /** A slope of a rise over a run from (x, y); `run` < 0 falls towards +x. */
  const slope = (x: number, y: number, run: number, rise: number, z0: number, z1: number, tint: Vec3) => {
    const length = Math.sqrt(run * run + rise * rise);
    const [c, s] = [run / length, rise / length];
    const thick = 0.15;
    builder.fixed(
      builder.box(length / 2, thick, (z1 - z0) / 2),
      [x + run / 2 + s * thick, y + rise / 2 - c * thick, (z0 + z1) / 2],
      { rotation: rotationAboutZ(c, s), tint },
    );
  };
  // Stairs of 0.2 m, down a slope of 30 degrees.
  for (let i = 0; i < 10; i++) block(3 + 0.3 * i, 3.3 + 0.3 * i, 0.2 * (i + 1), -WIDE, WIDE, i % 2 ? STONE : EASY);
  block(6, 8, HIGH);
  slope(8, HIGH, 2 / TAN_30, -2, -WIDE, WIDE, EASY);
  // Beside each other: 60 degrees, which is too steep, and 45.
  block(15, 17, HIGH, -WIDE, 5);
  slope(15 - 2 * TAN_30, 0, 2 * TAN_30, 2, WIDE, 5, STEEP);
  slope(13, 0, 2, 2, -WIDE, WIDE, EASY);
  // A gap of 6 m with a ferry, then a carousel.
  block(23, 25, HIGH);
  const ferry = builder.kinematic(builder.box(FERRY.half, 0.15, 1.2), [FERRY.from, HIGH - 0.15, 0], { tint: MOVING });
  builder.kinematic(builder.shape({ type: 'cylinder', radius: 2.4, halfHeight: 0.15 }), [27.5, HIGH - 0.15, 0], {
    angularVelocity: [0, CAROUSEL_SPIN, 0],
    tint: MOVING,
  });
  block(30, 32, HIGH);
  slope(32, HIGH, 2 / TAN_20, -2, -WIDE, WIDE, EASY);
  // A crate fills a passage that opens after 5 m; others stand behind it.
  for (const z of [-1.1, 1.1]) builder.fixed(builder.box(3, 0.6, 0.3), [43, 0.6, z], { tint: STONE });
  const crate = builder.box(0.45, 0.45, 0.45);
  const crates = [builder.dynamic(crate, [42, 0.45, 0], { density: 60 })];
  for (const [x, y, z] of [
    [48, 0.45, 1.3],
    [48, 0.45, 2.25],
    [48, 1.35, 1.8],
    [48, 0.45, -2],
  ]) {
    crates.push(builder.dynamic(crate, [x, y, z], { density: 60 }));
  }
  // Low ceiling on two walls.
  for (const z of [-1.5, 1.5]) builder.fixed(builder.box(2, CLEAR / 2, 0.3), [53, CLEAR / 2, z], { tint: STONE });
  builder.fixed(builder.box(2, 0.1, 1.8), [53, CLEAR + 0.1, 0], { tint: STEEP, finish: 'glass' });
  // A ledge too high for a step, and the goal.
  block(57, 60, 0.8, -WIDE, WIDE, EASY);
  builder.fixed(builder.box(1.5, 0.02, 2), [END + 1, 0.02, 0], { tint: [242, 193, 104], scenery: true });
  for (const z of [-2, 2]) {
    builder.fixed(builder.shape({ type: 'cylinder', radius: 0.05, halfHeight: 1.6 }), [END + 1, 1.6, z], {
      tint: [242, 193, 104],
      scenery: true,
    });
  }
  builder.fixed(builder.box(0.05, 0.25, 2), [END + 1, 3, 0], { tint: [214, 116, 116], scenery: true });
  // The walker, as it is seen.
  const skin: Vec3 = [248, 214, 180];
  const shirt: Vec3 = [240, 140, 110];
  const trousers: Vec3 = [110, 130, 165];
  const capsule = (radius: number, halfHeight: number) => builder.shape({ type: 'capsule', radius, halfHeight });
  const upright = [0, 0, 0, 1] as const;
  const upper = builder.kinematic(
    builder.compound([
      { shape: capsule(0.2, 0.16), position: [0, 0.3, 0], rotation: upright },
      { shape: capsule(0.065, 0.2), position: [0.27, 0.28, 0], rotation: upright },
      { shape: capsule(0.065, 0.2), position: [-0.27, 0.28, 0], rotation: upright },
    ]),
    [0, 0.8, 0],
    { scenery: true, tint: shirt },
  );
  const head = builder.kinematic(
    builder.compound([
      { shape: builder.shape({ type: 'sphere', radius: 0.16 }), position: [0, 0, 0], rotation: upright },
      { shape: builder.box(0.1, 0.03, 0.06), position: [0, 0.03, -0.14], rotation: upright },
    ]),
    [0, 1.62, 0],
    { scenery: true, tint: skin },
  );
  const leg = capsule(0.09, 0.31);
  const legs = [0.11, -0.11].map((z) => builder.kinematic(leg, [0, 0.4, z], { scenery: true, tint: trousers })) as [
    number,
    number,
  ];
  return builder.build(
    'course',
    'course for a character',
    0,
    { bounds: { min: [-30, -1, -20], max: [90, 20, 20] } },
    { upper, head, legs, ferry, crates },
  );
}
