// A chain of 25 closed links held at one end (Tonge et al. 2012): it swings down and its free end piles up on the floor.
// No joints: a link is a closed ring of four capsules, and only contact keeps the chain together.
import { SceneBuilder } from './builder';
import type { Quat, Scene, SceneOptions } from './types';

/** Half the distance between the axes of the two ends of a link, of its two sides, and radius of the wire, m. */
const HALF_LENGTH = 0.3;
const HALF_WIDTH = 0.17;
const WIRE = 0.07;
/** Play between the ends of neighboring links, m. */
const PLAY = 0.002;
const HALF = Math.sqrt(0.5);
/** A quarter turn about z lays a capsule, whose axis is y, along x; a further one about x turns the ring upright. */
const ALONG_X: Quat = [0, 0, HALF, HALF];
const ALONG_Z: Quat = [HALF, 0, 0, HALF];
const UPRIGHT: Quat = [HALF, 0, 0, HALF];

/** `count` 25 links, the first one static, laid out level at the height of half the chain. */
export function chain(options: SceneOptions = {}): Scene {
  const count = Math.max(3, Math.round((options.count ?? 25) * (options.scale ?? 1)));
  const builder = new SceneBuilder();
  builder.floor(30);
  const side = builder.shape({ type: 'capsule', radius: WIRE, halfHeight: HALF_LENGTH });
  const end = builder.shape({ type: 'capsule', radius: WIRE, halfHeight: HALF_WIDTH });
  // The ring lies in the plane of x (its length) and z.
  const link = builder.compound([
    { shape: side, position: [0, 0, HALF_WIDTH], rotation: ALONG_X },
    { shape: side, position: [0, 0, -HALF_WIDTH], rotation: ALONG_X },
    { shape: end, position: [HALF_LENGTH, 0, 0], rotation: ALONG_Z },
    { shape: end, position: [-HALF_LENGTH, 0, 0], rotation: ALONG_Z },
  ]);
  const pitch = 2 * HALF_LENGTH - 2 * WIRE - PLAY;
  const height = Math.max(1, 0.5 * pitch * count);
  for (let i = 0; i < count; i++) {
    const rotation = i % 2 === 0 ? ([0, 0, 0, 1] as const) : UPRIGHT;
    if (i === 0) builder.fixed(link, [0, height, 0], { rotation });
    else builder.dynamic(link, [i * pitch, height, 0], { rotation });
  }
  return builder.build('chain', `chain of ${count} closed links, held at one end`, 0, {
    bounds: { min: [-30, -0.5, -30], max: [30, 30, 30] },
  });
}
