// A long floor of beams with pits between them: rims are bevelled, and all tops are level. What slides over it without friction meets
// nothing; an engine that takes the bevel on the far side of a pit for an endless slope throws it up.
import { SceneBuilder } from './builder';
import type { Scene, SceneOptions, Vec3 } from './types';

const INCH = 0.0254;
/** From the end of a bevel to that of the next one, m. */
const BEAM = 50 * INCH;
const PIT = 10 * INCH;
const BEVEL = { run: 1.5 * INCH, fall: INCH };
const DEEP = 24 * INCH;
/** Half the width of a lane, m. */
const LANE = 0.8;
const BEAMS = 60;

const TINTS: Vec3[] = [
  [226, 149, 120],
  [150, 190, 150],
  [96, 150, 180],
  [242, 193, 104],
];

/** Speeds of the lanes, m/s. */
export const STRIP_SPEEDS = [1.5, 3, 5.1, 8.9] as const;

/** A hull whose upper rims across x are bevelled, its top at y = 0. */
function bevelled(length: number, half: number): Float32Array {
  const x = length / 2;
  const points: number[] = [];
  for (const z of [-half, half]) {
    for (const side of [-1, 1]) {
      points.push(side * x, -DEEP, z, side * x, -BEVEL.fall, z, side * (x - BEVEL.run), 0, z);
    }
  }
  return new Float32Array(points);
}

/** Four lanes, in each a box, a compound and a hull that slide along x, one behind the other. */
export function strip(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder(0);
  // The bevels belong to the pits.
  const beam = builder.shape({ type: 'hull', points: bevelled(BEAM + 2 * BEVEL.run, STRIP_SPEEDS.length * LANE) });
  const width = STRIP_SPEEDS.length * LANE;
  for (let i = 0; i < BEAMS; i++) builder.fixed(beam, [i * (BEAM + PIT), 0, 0]);
  builder.fixed(builder.box((BEAMS * (BEAM + PIT)) / 2 + 20, 0.25, width + 2), [(BEAMS * (BEAM + PIT)) / 2, -DEEP - 0.25, 0]);
  const box = builder.box(0.4, 0.6, 0.4);
  const half = builder.box(0.25, 0.25, 0.4);
  const pair = builder.compound([
    { shape: half, position: [-0.25, 0, 0], rotation: [0, 0, 0, 1] },
    { shape: half, position: [0.25, 0, 0], rotation: [0, 0, 0, 1] },
  ]);
  const eight: number[] = [];
  for (const y of [-0.3, 0.3]) {
    for (const [x, z] of [
      [0.5, 0.2],
      [0.5, -0.2],
      [0.2, 0.5],
      [-0.2, 0.5],
      [-0.5, 0.2],
      [-0.5, -0.2],
      [0.2, -0.5],
      [-0.2, -0.5],
    ] as const) {
      eight.push(x, y, z);
    }
  }
  const hull = builder.shape({ type: 'hull', points: new Float32Array(eight) });
  for (const [i, speed] of STRIP_SPEEDS.entries()) {
    const z = (2 * i + 1) * LANE - width;
    const options = { linearVelocity: [speed, 0, 0] as Vec3, tint: TINTS[i] };
    builder.dynamic(box, [0, 0.6, z], options);
    builder.dynamic(pair, [1.5, 0.25, z], options);
    builder.dynamic(hull, [3, 0.3, z], options);
  }
  return builder.build('strip', 'what slides over level bevelled beams is not thrown up', 0, {
    touching: true,
    bounds: { min: [-500, -500, -500], max: [1500, 500, 500] },
  });
}
