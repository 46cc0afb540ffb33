// Belts in a loop that never ends: crates go round below, a lift takes them up through a platform that lets them pass from below, a bar
// above the upper belt sends the tall ones down a short way and lets the small ones go on to the end. Beside it a fast turntable on
// which everything stays where it was put. conveyor_act.ts moves lift and slats.
import { SceneBuilder } from './builder';
import { frameOf, unit } from './frames';
import type { Scene, SceneOptions, Vec3 } from './types';

/** Of all belts, m/s. */
export const BELT_SPEED = 1.1;
/** rad/s */
export const TURNTABLE_SPIN = 2.8;
/** Top of the turntable, where its axis is, and how far out friction holds, m. */
export const TURNTABLE = { x: 0, y: 0.7, z: -4.2, radius: 1.7 };
/** Top of the lift, m, and its time table, s. */
export const LIFT = { low: 0.97, high: 3.12, wait: 2.6, rise: 1.4, rest: 0.6, fall: 1.2 };
/** Top of the platform above the lift, m. */
const PLATFORM = 3;

/** From the middle of the upper edge of its start to that of its end, half its width, m. */
export interface Belt {
  from: Vec3;
  to: Vec3;
  half: number;
  /** Speed to its right, m/s. */
  drift?: number;
}

/** Each a little lower than the one before it: nothing meets an edge. */
export const BELTS: readonly Belt[] = [
  { from: [-5, 1, 0], to: [3, 1, 0], half: 0.7 },
  { from: [3.7, 2.95, 0.72], to: [3.7, 2.95, 3.88], half: 0.75 },
  { from: [2.93, 2.88, 4.6], to: [-4.4, 2.88, 4.6], half: 0.7, drift: 0.2 },
  // Down: the long way for small ones, the short way for tall ones.
  { from: [-5.7, 2.845, 3.95], to: [-5.7, 1.08, 0.72], half: 0.7 },
  { from: [-1.2, 2.85, 3.88], to: [-1.2, 1.05, 0.75], half: 0.95 },
];

/** Half the heights of crates, m. */
const SMALL = 0.14;
const TALL = 0.3;

const BELT: Vec3 = [84, 90, 100];
const RAIL: Vec3 = [150, 165, 190];
const STEEL: Vec3 = [120, 140, 160];
const SLAT: Vec3 = [242, 193, 104];

export function conveyor(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder(0.5);
  builder.fixed(builder.box(14, 0.5, 11), [0, -0.5, 0]);
  const thick = 0.12;
  const slats: number[] = [];
  for (const belt of BELTS) {
    const { from, to, half } = belt;
    const { along, side, up, length, slats: n } = frameOfBelt(belt);
    // Axis x along the belt.
    const rotation = frameOf([-side[0], -side[1], -side[2]], along);
    const center = [0, 1, 2].map((k) => (from[k]! + to[k]!) / 2 - up[k]! * thick) as unknown as Vec3;
    builder.fixed(builder.box(length / 2, thick, half), center, {
      rotation,
      surfaceVelocity: [BELT_SPEED, 0, -(belt.drift ?? 0)],
      tint: BELT,
    });
    const slat = builder.box(0.05, 0.012, half - 0.06);
    for (let i = 0; i < n; i++) {
      const t = (i + 0.5) / n;
      const at = [0, 1, 2].map((k) => from[k]! + t * length * along[k]! - 0.008 * up[k]!) as unknown as Vec3;
      slats.push(builder.kinematic(slat, at, { rotation, scenery: true, tint: SLAT }));
    }
  }
  const plate = (x: readonly [number, number], y: readonly [number, number], z: readonly [number, number], more: object = {}) =>
    builder.fixed(
      builder.box((x[1] - x[0]) / 2, (y[1] - y[0]) / 2, (z[1] - z[0]) / 2),
      [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2, (z[0] + z[1]) / 2],
      { tint: RAIL, finish: 'glass', friction: 0, ...more },
    );
  const FLOOR = { tint: BELT, finish: undefined, friction: 0.5 };
  // Where the ways down meet the lower belt, and where the upper one turns down.
  plate([-6.4, -5.02], [0.8, 1.04], [-0.7, 0.7], { surfaceVelocity: [BELT_SPEED, 0, -0.15], ...FLOOR });
  plate([-6.4, -4.42], [2.63, 2.865], [3.97, 5.3], { surfaceVelocity: [-0.8, 0, -0.8], ...FLOOR });
  plate([2.95, 4.4], [2.67, 2.91], [3.9, 5.3], { surfaceVelocity: [-BELT_SPEED, 0, 0.2], ...FLOOR });
  plate([-2.15, -0.25], [2.6, 2.86], [3.88, 3.9], { ...FLOOR });
  // Rails: of the lower belt,
  plate([-6.5, 3], [0.8, 1.5], [-0.8, -0.7]);
  plate([-5, -2.2], [0.8, 1.5], [0.7, 0.8]);
  plate([-0.2, 3], [0.8, 1.5], [0.7, 0.8]);
  plate([-6.5, -6.4], [0.8, 1.5], [-0.7, 0.7]);
  // of the shaft,
  plate([3, 4.5], [0.8, 3.7], [-0.8, -0.7]);
  plate([4.4, 4.5], [0.8, 3.7], [-0.7, 5.4]);
  plate([3, 4.4], [0.8, 2.8], [0.7, 0.8]);
  // and of the upper one, open where the tall ones leave it.
  plate([2.85, 2.95], [2.7, 3.4], [0.8, 3.9]);
  plate([-6.4, 4.5], [2.7, 3.5], [5.3, 5.4]);
  plate([-0.2, 2.95], [2.7, 3.4], [3.8, 3.9]);
  plate([-4.9, -2.2], [2.7, 3.4], [3.8, 3.9]);
  plate([-6.5, -6.4], [2.7, 3.4], [0.7, 5.4]);
  // The bar: tall ones slide along it to the side, small ones pass below it. It ends inside the rail: an edge in front of the rail
  // would stop what comes along there.
  const bar = unit([1.15, 0, 1]);
  builder.fixed(builder.box(1.25, 0.15, 0.06), [-1.5 + 0.1 * bar[0], 2.9 + 0.32 + 0.15, 4.55 + 0.1 * bar[2]], {
    rotation: frameOf([-bar[2], 0, bar[0]], bar),
    tint: [222, 80, 70],
    friction: 0,
  });
  builder.fixed(builder.box(0.68, 0.04, 0.69), [3.7, PLATFORM - 0.04, 0], {
    oneWay: [0, 1, 0],
    surfaceVelocity: [0, 0, BELT_SPEED],
    tint: [163, 140, 188],
    finish: 'glass',
  });
  // Taller than its way: what waits does not come under it.
  const lift = builder.kinematic(builder.box(0.66, 1.6, 0.66), [3.7, LIFT.low - 1.6, 0], {
    surfaceVelocity: [BELT_SPEED, 0, 0],
    tint: STEEL,
  });
  // Legs.
  for (const [x, z, top] of [
    [-4.6, 0, 0.76],
    [0, 0, 0.76],
    [2.5, 0, 0.76],
    [3.7, 2.5, 2.7],
    [3.7, 5, 2.7],
    [1, 4.6, 2.65],
    [-3.5, 4.6, 2.65],
    [-5.7, 4.8, 2.6],
  ]) {
    builder.fixed(builder.box(0.08, top / 2, 0.3), [x, top / 2, z], { tint: STEEL, scenery: true });
  }

  const small = builder.box(SMALL, SMALL, SMALL);
  const tall = builder.box(0.24, TALL, 0.24);
  const crates: number[] = [];
  for (let i = 0; i < 9; i++) {
    const isTall = i % 2 === 1;
    const hy = isTall ? TALL : SMALL;
    const lower = i < 6;
    const at: Vec3 = lower ? [-4.4 + 0.82 * i, 1.02 + hy, 0.1 * ((i % 3) - 1)] : [2.4 - 1.1 * (i - 6), 2.92 + hy, 4.7];
    crates.push(builder.dynamic(isTall ? tall : small, at, { density: 200, tint: isTall ? [214, 116, 116] : [131, 178, 154] }));
  }

  const { x, y, z, radius } = TURNTABLE;
  builder.fixed(builder.shape({ type: 'cylinder', radius: 0.5, halfHeight: 0.25 }), [x, 0.25, z], { tint: STEEL });
  builder.kinematic(builder.shape({ type: 'cylinder', radius, halfHeight: 0.1 }), [x, y - 0.1, z], {
    angularVelocity: [0, TURNTABLE_SPIN, 0],
    tint: [96, 150, 180],
  });
  const riders: number[] = [];
  const cube = builder.box(0.15, 0.15, 0.15);
  for (let k = 0; k < 5; k++) riders.push(builder.dynamic(cube, [x, y + 0.15 + 0.3 * k, z], { density: 300 }));
  // At 0.55 m the turntable asks for 4.3 m/s2; friction has 4.9.
  for (const [dx, dz] of [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ]) {
    riders.push(builder.dynamic(cube, [x + 0.55 * dx, y + 0.15, z + 0.55 * dz], { density: 300 }));
  }
  return builder.build(
    'conveyor',
    'belts, lift and turntable',
    0,
    { bounds: { min: [-14, -1, -11], max: [14, 12, 11] } },
    { lift, slats, crates, riders },
  );
}

export interface BeltFrame {
  along: Vec3;
  side: Vec3;
  up: Vec3;
  length: number;
  /** How many slats go along it. */
  slats: number;
}

export function frameOfBelt({ from, to }: Belt): BeltFrame {
  const d: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const along = unit(d);
  const side = unit([along[2], 0, -along[0]]);
  const up: Vec3 = [
    along[1] * side[2] - along[2] * side[1],
    along[2] * side[0] - along[0] * side[2],
    along[0] * side[1] - along[1] * side[0],
  ];
  return { along, side, up, length, slats: Math.round(length) };
}
