// Piles of the benchmark that Box3D publishes (erincatto/box3d, shared/benchmarks.c): many small pyramids, a tower of hulls that falls
// apart, rocks that a pillar ploughs through. Sizes, places and orders are as published; gravity is 10 m/s2.
import { IDENTITY, SceneBuilder } from './builder';
import { cosSin } from './trig';
import type { Scene, SceneOptions, Vec3 } from './types';

/** Gravity of Box3D's scenes, m/s2. */
export const BOX3D_GRAVITY: Vec3 = [0, -10, 0];

/** A side of a square of `side` by `side` for a number of bodies that scales. */
export function scaledSide(side: number, options: SceneOptions, least: number): number {
  return Math.max(least, Math.round(side * Math.sqrt(options.scale ?? 1)));
}

/** 14 by 14 flat pyramids of 55 cubes of 1 m. */
export function manyPyramids(options: SceneOptions = {}): Scene {
  const side = scaledSide(14, options, 2);
  const base = 10;
  const builder = new SceneBuilder();
  const ground = (side * (base + 1)) / 2;
  builder.fixed(builder.box(ground, 1, ground), [0, -1, 0]);
  const cube = builder.box(0.5, 0.5, 0.5);
  const tops: number[] = [];
  for (let row = 0; row < side; row++) {
    const z = -ground + 1 + (row * 2 * (ground - 1)) / (side - 1);
    for (let column = 0; column < side; column++) {
      const left = -ground + column * (base + 1) + 0.5;
      let top = 0;
      for (let i = 0; i < base; i++) {
        for (let j = i; j < base; j++) top = builder.dynamic(cube, [left + (i + 1) / 2 + (j - i), i + 0.5, z], { density: 100 });
      }
      tops.push(top);
    }
  }
  const scene = builder.build('many-pyramids', `${side * side} pyramids of ${base} rows`, 0, {
    touching: true,
    stands: true,
    tops,
    bounds: { min: [-ground - 1, -1, -ground - 1], max: [ground + 1, base + 10, ground + 1] },
  });
  return { ...scene, gravity: BOX3D_GRAVITY };
}

/** Points on a sphere of radius 2 m, 32 of them, drawn as published: a linear congruential generator and rejection from a cube. */
function pileHull(): Float32Array {
  let state = 42;
  const draw = () => {
    state = (Math.imul(state, 2147001325) + 715136305) >>> 0;
    return (state & 0xffff) / 65535 - 0.5;
  };
  const points: number[] = [];
  while (points.length < 3 * 32) {
    const [x, y, z] = [draw(), draw(), draw()];
    const square = x * x + y * y + z * z;
    if (square > 0.25) continue;
    const k = 2 / Math.sqrt(square);
    points.push(k * x, k * y, k * z);
  }
  return Float32Array.from(points);
}

/** A tower of 8 by 8 columns of 80 equal hulls of 32 points, which falls apart. */
export function convexPile(options: SceneOptions = {}): Scene {
  const layers = Math.max(1, Math.round(80 * (options.scale ?? 1)));
  const builder = new SceneBuilder();
  builder.fixed(builder.box(250, 1, 250), [0, -1, 0]);
  const hull = builder.shape({ type: 'hull', points: pileHull() });
  for (let layer = 0; layer < layers; layer++) {
    for (let z = 0; z < 8; z++) for (let x = 0; x < 8; x++) builder.dynamic(hull, [4 * (x - 4), 2 + 4 * layer, 4 * (z - 4)]);
  }
  const scene = builder.build('convex-pile', `${64 * layers} hulls of 32 points, a tower that falls apart`, 42, {
    bounds: { min: [-250, -1, -250], max: [250, 4 * layers + 50, 250] },
  });
  return { ...scene, gravity: BOX3D_GRAVITY };
}

/** Hull of ten points of a Fibonacci lattice on a sphere. */
function rock(radius: number): Float32Array {
  const [turnCos, turnSin] = cosSin((2 * Math.PI) / ((1 + Math.sqrt(5)) / 2));
  const points: number[] = [];
  let [cos, sin] = [1, 0];
  for (let i = 0; i < 10; i++) {
    const z = 1 - (2 * i + 1) / 10;
    const across = radius * Math.sqrt(1 - z * z);
    points.push(across * cos, across * sin, radius * z);
    [cos, sin] = [turnCos * cos - turnSin * sin, turnSin * cos + turnCos * sin];
  }
  return Float32Array.from(points);
}

/** A prism of 16 sides on y = 0. */
function pillar(radius: number, height: number): Float32Array {
  const points: number[] = [];
  for (let i = 0; i < 16; i++) {
    const [cos, sin] = cosSin((2 * Math.PI * i) / 16);
    points.push(radius * cos, 0, radius * sin, radius * cos, height, radius * sin);
  }
  return Float32Array.from(points);
}

/** Path of the pillar about the origin: its radius, m, and how fast it goes round, degrees per second. */
const PATH = { radius: 35, speed: -6 };

/** 24 layers of 21 by 21 rocks fall into a yard, where a pillar of 8 m ploughs through them in a circle. */
export function junkyard(options: SceneOptions = {}): Scene {
  const layers = Math.max(1, Math.round(24 * (options.scale ?? 1)));
  const builder = new SceneBuilder();
  const walls = [
    [-50, 0, builder.box(1, 8, 50)],
    [50, 0, builder.box(1, 8, 50)],
    [0, -50, builder.box(50, 8, 1)],
    [0, 50, builder.box(50, 8, 1)],
  ] as const;
  const yard = builder.compound([
    { shape: builder.box(120, 1, 120), position: [0, 0, 0], rotation: IDENTITY },
    ...walls.map(([x, z, shape]) => ({ shape, position: [x, 8, z] as Vec3, rotation: IDENTITY })),
  ]);
  builder.fixed(yard, [0, -1, 0]);
  const stone = builder.shape({ type: 'hull', points: rock(1.5) });
  for (let layer = 0; layer < layers; layer++) {
    for (let x = 0; x <= 20; x++) for (let z = 0; z <= 20; z++) builder.dynamic(stone, [4 * x - 40, 4 * layer + 25, 4 * z - 40]);
  }
  const pusher = builder.kinematic(builder.shape({ type: 'hull', points: pillar(4, 24) }), [PATH.radius, 0, 0]);
  const scene = builder.build('junkyard', `${441 * layers} rocks and a pillar that ploughs through them`, 0, {
    bounds: { min: [-120, -1, -120], max: [120, 4 * layers + 50, 120] },
  });
  return { ...scene, gravity: BOX3D_GRAVITY, orbits: [{ body: pusher, ...PATH }] };
}
