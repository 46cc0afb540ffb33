// The torture scenes: five mechanical problems whose outcome is known from a closed form (closed_forms.ts), so that a run can be judged
// against the truth and not only beside another engine. The bench measures them (bench/compare.mjs --torture).
import { SceneBuilder } from './builder';
import { ALONG_X, degrees } from './frames';
import { domino } from './stacks';
import { cosSin } from './trig';
import { type Scene, type SceneOptions, type Vec3, WORLD } from './types';

/** Other engines have no friction in joints, and the closed forms have none either. */
const FRICTIONLESS = { frictionLever: 0 } as const;

/** The arch: stones of a semicircle, mean radius and depth (m), thickness over the mean radius. */
export const ARCH = { stones: 15, radius: 5, depth: 0.5, thickness: 0.12 } as const;

/**
 * A free-standing semicircular arch of `count` 15 wedge-shaped stones without mortar; the ring has a mean
 * `radius` of 5 m and is `thickness` 0.12 times as thick.
 */
export function arch(options: SceneOptions = {}): Scene {
  const stones = options.count ?? ARCH.stones;
  const thickness = options.thickness ?? ARCH.thickness;
  const radius = options.radius ?? ARCH.radius;
  const builder = new SceneBuilder(1);
  builder.floor(40);
  const ring = [1 - thickness / 2, 1 + thickness / 2];
  for (let i = 0; i < stones; i++) {
    const [c, s] = cosSin(((i + 0.5) / stones) * Math.PI);
    const points: number[] = [];
    for (const side of [i, i + 1]) {
      const [cos, sin] = cosSin((side / stones) * Math.PI);
      for (const r of ring)
        for (const z of [-0.5, 0.5]) points.push((r * cos - c) * radius, (r * sin - s) * radius, z * ARCH.depth);
    }
    builder.dynamic(builder.shape({ type: 'hull', points: Float32Array.from(points) }), [radius * c, radius * s, 0]);
  }
  return builder.build('arch', `arch of ${stones} stones, ${thickness} radii thick`, 0, {
    touching: true,
    stands: true,
    bounds: { min: [-40, -1, -40], max: [40, 40, 40] },
  });
}

/** The gyroscope: a disc (m) that spins about its axis (rad/s), which is level, and hangs by a point of the axis `arm` (m) from its center. */
export const GYROSCOPE = { radius: 0.25, halfHeight: 0.03, arm: 0.3, spin: 40, pivot: [0, 1.5, 0], gravity: 9.81 } as const;

/** Steady precession of the gyroscope, rad/s: m g r / (I w), exact while the axis is level. */
export const PRECESSION = (GYROSCOPE.gravity * GYROSCOPE.arm) / (0.5 * GYROSCOPE.radius * GYROSCOPE.radius * GYROSCOPE.spin);

/** A fast disc on one end of a level axis, started in steady precession: it goes round, and neither sinks nor nods. */
export function gyroscope(_options: SceneOptions = {}): Scene {
  const { radius, halfHeight, arm, spin, pivot } = GYROSCOPE;
  const builder = new SceneBuilder();
  const disc = builder.dynamic(builder.shape({ type: 'cylinder', radius, halfHeight }), [pivot[0] + arm, pivot[1], pivot[2]], {
    rotation: ALONG_X,
    density: 7800,
    angularVelocity: [spin, PRECESSION, 0],
    linearVelocity: [0, 0, -PRECESSION * arm],
  });
  builder.joint('ball', WORLD, disc, { at: pivot }, FRICTIONLESS);
  return builder.build('gyroscope', 'gyroscope', 0, { bounds: { min: [-5, -5, -5], max: [5, 5, 5] } }, { disc });
}

/** The wrecking ball: links of the chain, their length and radius, radius of the ball (m), its mass over that of a link, angle at the start. */
export const WRECKING_BALL = {
  links: 20,
  pitch: 0.5,
  linkRadius: 0.05,
  radius: 0.4,
  massRatio: 1000,
  angle: degrees(45),
} as const;

/**
 * A ball of `massRatio` 1,000 times the mass of a link swings on a chain of `count` 20 links, from 45 degrees. The last link holds
 * the center of the ball, so that its rotation plays no part.
 */
export function wreckingBall(options: SceneOptions = {}): Scene {
  const { pitch, linkRadius, radius, angle } = WRECKING_BALL;
  const links = options.count ?? WRECKING_BALL.links;
  const ratio = options.massRatio ?? WRECKING_BALL.massRatio;
  const builder = new SceneBuilder();
  const halfHeight = pitch / 2 - linkRadius;
  const link = builder.shape({ type: 'capsule', radius: linkRadius, halfHeight });
  const [c, s] = cosSin(angle);
  const [ch, sh] = cosSin(angle / 2);
  const top = links * pitch + 2;
  const along = (distance: number): Vec3 => [distance * s, top - distance * c, 0];
  const joints: number[] = [];
  let last = WORLD;
  for (let i = 0; i < links; i++) {
    const body = builder.dynamic(link, along((i + 0.5) * pitch), { rotation: [0, 0, sh, ch], density: 7800 });
    joints.push(builder.joint('ball', last, body, { at: along(i * pitch) }, FRICTIONLESS));
    last = body;
  }
  // Volumes over pi.
  const linkVolume = 2 * halfHeight * linkRadius * linkRadius + (4 / 3) * linkRadius * linkRadius * linkRadius;
  const density = (ratio * 7800 * linkVolume) / ((4 / 3) * radius * radius * radius);
  const ball = builder.dynamic(builder.shape({ type: 'sphere', radius }), along(links * pitch), { density });
  joints.push(builder.joint('ball', last, ball, { at: along(links * pitch) }, FRICTIONLESS));
  return builder.build(
    'wrecking-ball',
    `ball of ${ratio} times the mass of a link swings on a chain of ${links}`,
    0,
    { bounds: { min: [-40, -40, -40], max: [40, 40, 40] }, chain: joints },
    { ball },
  );
}

/** The racket: spin about the stem and about the crossbar, rad/s. */
export const RACKET = { spin: 8, wobble: 0.05 } as const;

/** A T-shaped handle in free flight spins about its stem, the axis of its middle moment of inertia: it turns over, again and again. */
export function racket(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  const handle = builder.compound([
    { shape: builder.box(0.3, 0.05, 0.05), position: [0, 0, 0], rotation: [0, 0, 0, 1] },
    { shape: builder.box(0.05, 0.15, 0.05), position: [0, -0.2, 0], rotation: [0, 0, 0, 1] },
  ]);
  const body = builder.dynamic(handle, [0, 2, 0], { angularVelocity: [RACKET.wobble, RACKET.spin, 0] });
  const scene = builder.build(
    'racket',
    'T-shaped handle in free flight (Dzhanibekov)',
    0,
    { bounds: { min: [-5, -5, -5], max: [5, 5, 5] } },
    { handle: body },
  );
  return { ...scene, gravity: [0, 0, 0] };
}

export interface TortureScene {
  build: (options: SceneOptions) => Scene;
  /** Steps of a run. */
  steps: number;
}

/** Torture scenes by name, in the order of the table. `domino` is also in the list of all scenes. */
export const TORTURE: Readonly<Record<string, TortureScene>> = {
  arch: { build: arch, steps: 1800 },
  gyroscope: { build: gyroscope, steps: 1800 },
  'wrecking-ball': { build: wreckingBall, steps: 2400 },
  racket: { build: racket, steps: 3600 },
  domino: { build: domino, steps: 900 },
};
