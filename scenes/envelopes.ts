// Scenes of the limits (docs/limits.md): small problems with one value that grows until they fail. `bench/limits.mjs` plays them.
// A seed moves the bodies a little, so that a limit does not hang on one arrangement.
import { SceneBuilder } from './builder';
import { Random } from './random';
import { wreckingBall } from './torture';
import { cosSin } from './trig';
import type { Scene, SceneChecks, Vec3 } from './types';

/** Sizes, m. */
export const ENVELOPE = {
  slabs: 5,
  slab: 0.1,
  boulder: 1,
  pebblesPerSide: 3,
  ball: 0.1,
  wall: 0.02,
  plate: 0.05,
  links: 20,
} as const;

const checks = (half: number, height: number, at = 0): Partial<SceneChecks> & Pick<SceneChecks, 'bounds'> => ({
  stands: true,
  bounds: { min: [at - half, -2, -half], max: [at + half, height, half] },
});

/** An offset sideways of at most `most`, m. */
const aside = (random: Random, most: number): Vec3 => [random.range(-most, most), 0, random.range(-most, most)];

/** A 1 m block of `ratio` times the mass of a slab lies on five slabs of 1.2 x 0.1 x 1.2 m. */
function massRatio(ratio: number, seed: number): Scene {
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.floor(40);
  const { slabs, slab } = ENVELOPE;
  const shape = builder.box(0.6, slab / 2, 0.6);
  for (let i = 0; i < slabs; i++) {
    const [x, , z] = aside(random, 0.02);
    builder.dynamic(shape, [x, slab * (i + 0.5), z]);
  }
  const [x, , z] = aside(random, 0.02);
  const block = builder.dynamic(builder.box(0.5, 0.5, 0.5), [x, slab * slabs + 0.5, z], { density: 144 * ratio });
  return builder.build('mass-ratio', `block of ${ratio} times the mass of a slab`, seed, checks(40, 40), { watched: block });
}

/** A 1 m boulder lies on a bed of nine cubes whose edge is `ratio` times smaller; all of one density. */
function sizeRatio(ratio: number, seed: number): Scene {
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.floor(40);
  const { boulder, pebblesPerSide: side } = ENVELOPE;
  const edge = boulder / ratio;
  const shape = builder.box(edge / 2, edge / 2, edge / 2);
  // Below a boulder of twice their size they would touch each other: they stand as far apart as it allows.
  const reach = Math.max(boulder / 2 - edge, 0.55 * edge * (side - 1));
  for (let i = 0; i < side; i++) {
    for (let k = 0; k < side; k++) {
      const [x, , z] = aside(random, 0.02 * edge);
      builder.dynamic(shape, [((2 * i) / (side - 1) - 1) * reach + x, edge / 2, ((2 * k) / (side - 1) - 1) * reach + z]);
    }
  }
  const block = builder.dynamic(builder.box(boulder / 2, boulder / 2, boulder / 2), [0, edge + boulder / 2, 0]);
  return builder.build('size-ratio', `boulder on cubes ${ratio} times smaller`, seed, checks(40, 40), { watched: block });
}

/** A ball of 10 cm radius without gravity flies at `speed` (m/s) against a wall, up to 30 degrees off its normal. */
function shot(name: string, speed: number, seed: number, isFixed: boolean): Scene {
  const random = new Random(seed);
  const builder = new SceneBuilder();
  const { ball: radius, wall, plate } = ENVELOPE;
  const half = (isFixed ? wall : plate) / 2;
  const size = isFixed ? 20 : 2;
  const target = builder.box(size, size, half);
  const at: Vec3 = [0, 0, 0];
  const board = isFixed ? builder.fixed(target, at) : builder.dynamic(target, at);
  const [c, s] = cosSin(random.range(-Math.PI / 6, Math.PI / 6));
  // The distance varies by more than a step's way, so that steps end at every depth.
  const distance = 2 + random.range(0, 1) * Math.max(0.5, speed / 60);
  // Off center it also hits the plate, at any angle.
  const [ox, , oz] = aside(random, 0.5);
  const ball = builder.dynamic(builder.shape({ type: 'sphere', radius }), [-distance * s + ox, oz, -distance * c], {
    linearVelocity: [speed * s, 0, speed * c],
    ...(isFixed ? {} : { bullet: true }),
  });
  const far = 10 + 4 * speed;
  const scene = builder.build(
    name,
    `ball at ${speed} m/s`,
    seed,
    { bounds: { min: [-far, -far, -far], max: [far, far, far] } },
    { watched: ball, board },
  );
  return { ...scene, gravity: [0, 0, 0] };
}

/** A tower of `count` boxes of 1 m, each moved sideways by up to 2 cm; `dt` s a step. */
function tower(name: string, title: string, count: number, seed: number, dt = 1 / 60): Scene {
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.floor(40);
  const box = builder.box(0.5, 0.5, 0.5);
  let top = 0;
  for (let i = 0; i < count; i++) {
    const [x, , z] = aside(random, 0.02);
    top = builder.dynamic(box, [x, 0.5 + i, z]);
  }
  const scene = builder.build(name, title, seed, checks(Math.max(40, 2 * count), 2 * count + 10), { watched: top });
  return { ...scene, dt };
}

/** A flat box slides along x on a floor at x = `at`, at 2 to 4 m/s: it stops after v^2 / (2 mu g). */
function slide(at: number, seed: number): Scene {
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.fixed(builder.box(40, 0.5, 40), [at, -0.5, 0]);
  const slab = builder.box(0.5, 0.1, 0.5);
  // Not on a round number, or single precision would be exact.
  const body = builder.dynamic(slab, [at + random.range(-1, 1), 0.1, random.range(-1, 1)], {
    linearVelocity: [random.range(2, 4), 0, 0],
  });
  return builder.build('distance', `sliding box, ${at} m from the origin`, seed, checks(40, 40, at), { watched: body });
}

/** The chain of the wrecking ball, released at 45 degrees. It has no chance. */
const jointLoad = (ratio: number) => ({ ...wreckingBall({ massRatio: ratio, count: ENVELOPE.links }), name: 'joint-load' });

/** A tower of ten in steps of `milliseconds`. */
const stepLength = (milliseconds: number, seed: number) =>
  tower('step-length', `tower of 10, steps of ${milliseconds} ms`, 10, seed, milliseconds / 1000);

export const ENVELOPES = {
  'mass-ratio': massRatio,
  'size-ratio': sizeRatio,
  'stack-height': (count: number, seed: number) => tower('stack-height', `tower of ${count}`, count, seed),
  'joint-load': jointLoad,
  distance: slide,
  'step-length': stepLength,
  speed: (speed: number, seed: number) => shot('speed', speed, seed, true),
  'speed-moving': (speed: number, seed: number) => shot('speed-moving', speed, seed, false),
} as const satisfies Record<string, (value: number, seed: number) => Scene>;
