// Small machines on joints: a car on four wheels, an arm that lifts a load, a four-bar linkage, a train of gears, pulleys.
import { SceneBuilder } from './builder';
import { ALONG_Z, degrees } from './frames';
import { Random } from './random';
import { type Scene, type SceneOptions, type Vec3, WORLD } from './types';

const Z: Vec3 = [0, 0, 1];
const X: Vec3 = [1, 0, 0];

/** A car of about 900 kg drives along x over bumps: four wheel joints with springs, the rear wheels driven. */
export function car(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const random = new Random(seed);
  const builder = new SceneBuilder(0.9);
  builder.floor(60);
  // Cylinders across the way, most of them below the floor.
  for (let x = -40; x < 50; x += 5) {
    const radius = 0.6;
    const bump = random.range(0.05, 0.14);
    const shape = builder.shape({ type: 'cylinder', radius, halfHeight: 3 });
    builder.fixed(shape, [x + random.range(-1, 1), bump - radius, 0], { rotation: ALONG_Z });
  }
  const start = -50;
  const radius = 0.35;
  const body = builder.dynamic(builder.box(1.9, 0.28, 0.8), [start, 0.75, 0], { density: 240 });
  const wheel = builder.shape({ type: 'cylinder', radius, halfHeight: 0.11 });
  for (const [x, driven] of [
    [1.3, false],
    [-1.3, true],
  ] as const) {
    for (const side of [0.95, -0.95]) {
      const at: Vec3 = [start + x, radius + 0.002, side];
      const turning = builder.dynamic(wheel, at, { rotation: ALONG_Z, density: 250 });
      builder.joint(
        'wheel',
        body,
        turning,
        { at, axis: Z, side: X },
        {
          limit: { min: -0.15, max: 0.15 },
          // A quarter of the body, 204 kg, swings at 1.8 Hz, half damped, and rests near the middle of the way.
          spring: { stiffness: 26000, damping: 2300, target: -0.075 },
          // A wheel that rolls towards +x turns about -z.
          twist: driven ? { motor: { velocity: -15, maxForce: 400 } } : {},
        },
      );
    }
  }
  return builder.build('car', 'car on four wheel joints over bumps', seed, {
    bounds: { min: [-60, -0.5, -60], max: [60, 20, 60] },
  });
}

/** An arm of two links on motors lifts a load that hangs on a rope: a hinge driven by velocity, one by position. */
export function arm(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.floor(10);
  const column = builder.fixed(builder.box(0.2, 0.9, 0.2), [0, 0.9, 0]);
  const link = builder.box(0.6, 0.08, 0.08);
  const height = 2;
  const upper = builder.dynamic(link, [0.6, height, 0]);
  const lower = builder.dynamic(link, [1.8, height, 0]);
  const load = builder.dynamic(builder.box(0.2, 0.2, 0.2), [2.4, height - 0.8, 0]);
  // Level, the arm and its load need 2,230 N m at the column.
  builder.joint(
    'hinge',
    column,
    upper,
    { at: [0, height, 0], axis: Z, side: X },
    { limit: { min: degrees(-20), max: degrees(60) }, motor: { velocity: 0.4, maxForce: 4000 } },
  );
  builder.joint(
    'hinge',
    upper,
    lower,
    { at: [1.2, height, 0], axis: Z, side: X },
    { limit: { min: degrees(-120), max: degrees(60) }, spring: { target: 0, frequency: 4, dampingRatio: 1 } },
  );
  builder.joint('distance', lower, load, { at: [2.4, height, 0], atB: [2.4, height - 0.6, 0] }, { limit: { min: 0, max: 0.6 } });
  return builder.build('arm', 'powered arm lifts a load on a rope', 0, {
    bounds: { min: [-10, -0.5, -10], max: [10, 20, 10] },
  });
}

/** Crank, coupler and rocker on four parallel hinges: a closed loop, the crank driven at 2 rad/s. */
export function fourBar(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  const [crank, coupler, rocker, base, height] = [0.5, 1.5, 1.2, 1.5, 1];
  const bar = (a: Vec3, b: Vec3): number => {
    const d = [b[0] - a[0], b[1] - a[1]];
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1]);
    const half = { x: d[0] / length, y: d[1] / length };
    const w = Math.sqrt((1 + half.x) / 2);
    const s = Math.sqrt((1 - half.x) / 2) * (half.y < 0 ? -1 : 1);
    // All in one plane: crank and rocker never meet, and neighbors do not touch.
    return builder.dynamic(builder.box(length / 2, 0.06, 0.06), [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0], {
      rotation: [0, 0, s, w],
    });
  };
  const a: Vec3 = [0, height, 0];
  const d: Vec3 = [base, height, 0];
  const p: Vec3 = [0, height + crank, 0];
  // Where the circles of coupler and rocker meet, above.
  const away = [d[0] - p[0], d[1] - p[1]];
  const distance = Math.sqrt(away[0] * away[0] + away[1] * away[1]);
  const along = (coupler * coupler - rocker * rocker + distance * distance) / (2 * distance);
  const across = Math.sqrt(coupler * coupler - along * along);
  const q: Vec3 = [
    p[0] + (along * away[0] - across * away[1]) / distance,
    p[1] + (along * away[1] + across * away[0]) / distance,
    0,
  ];
  const first = bar(a, p);
  const second = bar(p, q);
  const third = bar(q, d);
  builder.joint('hinge', WORLD, first, { at: a, axis: Z, side: X }, { motor: { velocity: 2, maxForce: 500 } });
  builder.joint('hinge', first, second, { at: p, axis: Z, side: X });
  builder.joint('hinge', second, third, { at: q, axis: Z, side: X });
  builder.joint('hinge', WORLD, third, { at: d, axis: Z, side: X });
  return builder.build('four-bar', 'four-bar linkage, crank driven', 0, {
    bounds: { min: [-4, -4, -4], max: [6, 6, 4] },
  });
}

/** Five gears in a row, each on a hinge to the world; the first is driven at 3 rad/s and the last is the heaviest. */
export function gearTrain(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  const radii = [0.3, 0.5, 0.25, 0.6, 0.8];
  const gears: number[] = [];
  let x = 0;
  for (let i = 0; i < radii.length; i++) {
    if (i > 0) x += radii[i - 1] + radii[i];
    const shape = builder.shape({ type: 'cylinder', radius: radii[i], halfHeight: 0.06 });
    const gear = builder.dynamic(shape, [x, 1, 0], { rotation: ALONG_Z });
    const place = { at: [x, 1, 0] as Vec3, axis: Z, side: X };
    builder.joint('hinge', WORLD, gear, place, i === 0 ? { motor: { velocity: 3, maxForce: 300 } } : {});
    if (i > 0) builder.joint('gear', gears[i - 1], gear, place, { ratio: radii[i] / radii[i - 1] });
    gears.push(gear);
  }
  return builder.build('gear-train', 'train of five gears', 0, {
    bounds: { min: [-2, -2, -2], max: [x + 2, 4, 2] },
  });
}

/** Two pulleys with a pair of boxes each: 3 against 2 on a plain rope, and 1 against 2 on a tackle of ratio 2, which balances. */
export function pulley(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.floor(10);
  const box = builder.box(0.2, 0.2, 0.2);
  const top = 5;
  for (const [z, ratio, densityB] of [
    [-1, 1, (DENSITY_A * 2) / 3],
    [1, 2, DENSITY_A * 2],
  ]) {
    const a: Vec3 = [-0.6, 2, z];
    const b: Vec3 = [0.6, 2, z];
    const bodyA = builder.dynamic(box, a, { density: DENSITY_A });
    const bodyB = builder.dynamic(box, b, { density: densityB });
    const up = (p: Vec3, y: number): Vec3 => [p[0], y, p[2]];
    const length = top - 2.2 + ratio * (top - 2.2);
    builder.joint(
      'pulley',
      bodyA,
      bodyB,
      { at: up(a, 2.2), atB: up(b, 2.2) },
      { ratio, length, groundA: up(a, top), groundB: up(b, top) },
    );
  }
  return builder.build('pulley', 'boxes on two pulleys', 0, {
    bounds: { min: [-10, -0.5, -10], max: [10, 10, 10] },
  });
}

/** kg/m3 */
const DENSITY_A = 600;
