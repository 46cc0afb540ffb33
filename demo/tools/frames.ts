// Boxes about what each scene of the page shows, for its camera: writes demo/src/scene_frames.ts. Run it after a scene was added or
// changed in size: node demo/tools/run.mjs frames
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DYNAMIC, type Scene, STATIC, type Vec3 } from '../../scenes/types';
import { ENTRIES } from '../src/catalog';
import { Simulation } from '../src/simulation';

const STEPS = 300;
const EVERY = 20;
/** Steps after which a pile that was dropped has landed. */
const LANDED = 200;
/** Share of the points on either side of an axis that may lie outside: a few boxes that rolled away do not set the camera. */
const OUTSIDE = 0.01;
/** Half size of what counts as ground or wall rather than as a part of the subject, m. */
const GROUND = 9;

/** By hand, where bodies go far, or what they hang from should be seen. */
const GIVEN: Readonly<Record<string, string>> = {
  'cardhouse-hit': '[[-4.5, 0, -1.5], [4.5, 4.6, 1.5]]',
  conveyor: '[[-6.5, 0, -6], [4.5, 3.7, 5.5]]',
  slopes: '[[-3, 0, -5.4], [4.2, 4.3, 5.4]]',
  strip: '[[-1, -0.6, -3.2], [13, 1.2, 3.2]]',
  'euler-disc': '[[-2.2, 0, -2.2], [3.4, 1, 1]]',
  car: '[[-53, 0, -1.5], [-46.5, 1.6, 1.5]]',
  'four-bar': '[[-0.75, 0, -0.35], [2, 2.3, 0.1]]',
  'gear-train': '[[-0.95, -0.1, -0.3], [5.25, 2.15, 0.1]]',
  pulley: '[[-2, 0, -1.3], [2, 6.2, 1.3]]',
  arm: '[[-0.5, 0, -0.5], [2.7, 3.9, 0.3]]',
  cradle: '[[-4.6, 0, -2.9], [2.6, 3.3, 2.7]]',
  bridge: '[[-14, -1, -2], [14, 3.4, 2]]',
  chain: '[[-1.6, 0, -0.5], [11.4, 6.2, 0.5]]',
  gyroscope: '[[-0.7, 0, -0.7], [0.7, 1.9, 0.7]]',
  'wrecking-ball': '[[-7.6, -1, -2], [7.6, 12.5, 0.5]]',
  racket: '[[-0.5, 1, -0.5], [0.5, 2.5, 0.5]]',
  arch: '[[-5.5, 0, -0.5], [5.5, 5.5, 0.5]]',
  'arch-thin': '[[-5.5, 0, -0.5], [5.5, 5.5, 0.5]]',
};

/** Points of a shape in the frame of its body whose box is that of the shape. */
function points(scene: Scene, index: number): Vec3[] {
  const def = scene.shapes[index]!;
  const corners = (x: number, y: number, z: number): Vec3[] =>
    [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c): Vec3 => [a, b, c])));
  switch (def.type) {
    case 'sphere':
      return corners(0.6 * def.radius, 0.6 * def.radius, 0.6 * def.radius);
    case 'capsule':
      return corners(0.6 * def.radius, def.halfHeight + def.radius, 0.6 * def.radius);
    case 'cylinder':
    case 'cone':
      return corners(0.75 * def.radius, def.halfHeight, 0.75 * def.radius);
    case 'box':
      return corners(...def.halfExtents);
    case 'hull':
      return Array.from(
        { length: def.points.length / 3 },
        (_, i) => [...def.points.subarray(3 * i, 3 * i + 3)] as unknown as Vec3,
      );
    case 'compound':
      return def.children.flatMap((child) =>
        points(scene, child.shape).map((p): Vec3 => {
          const r = turn(child.rotation, p);
          return [r[0] + child.position[0], r[1] + child.position[1], r[2] + child.position[2]];
        }),
      );
    default:
      return [];
  }
}

function turn(q: ArrayLike<number>, v: Vec3): Vec3 {
  const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as const;
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

export async function main(names: readonly string[]): Promise<number> {
  const rows: string[] = [];
  for (const entry of ENTRIES) {
    if (entry.steer || (names.length > 0 && !names.includes(entry.name))) continue;
    const key = entry.name.includes('-') ? `'${entry.name}'` : entry.name;
    if (GIVEN[entry.name]) {
      rows.push(`  ${key}: ${GIVEN[entry.name]},`);
      continue;
    }
    const scene = entry.build({ seed: 1 });
    const simulation = await Simulation.create(scene, { preset: 'fast' });
    const { bodies } = scene;
    const drops =
      entry.adaptive || (entry.count !== undefined && scene.joints === undefined) || entry.name.startsWith('ragdolls');
    const axes: number[][] = [[], [], []];
    const sample = () => {
      const { positions, rotations } = simulation.world;
      for (let i = 0; i < bodies.count; i++) {
        const list = points(scene, bodies.shape[i]!);
        if (bodies.type[i] === STATIC && list.some((p) => Math.max(...p.map(Math.abs)) > GROUND)) continue;
        if (bodies.type[i] !== DYNAMIC && drops) continue;
        for (const p of list) {
          const r = turn(rotations.subarray(4 * i, 4 * i + 4), p);
          for (let k = 0; k < 3; k++) axes[k]!.push(r[k]! + positions[4 * i + k]!);
        }
      }
    };
    if (!drops) sample();
    for (let step = 1; step <= STEPS; step++) {
      simulation.step();
      if (step % EVERY === 0 && (!drops || step >= LANDED)) sample();
    }
    simulation.dispose();
    const round = (x: number) => Number(x.toFixed(2));
    const ends = axes.map((values) => {
      values.sort((a, b) => a - b);
      const cut = bodies.count > 100 ? Math.floor(OUTSIDE * values.length) : 0;
      return [round(values[cut]!), round(values[values.length - 1 - cut]!)] as const;
    });
    rows.push(`  ${key}: [[${ends.map((e) => e[0]).join(', ')}], [${ends.map((e) => e[1]).join(', ')}]],`);
    console.log(rows.at(-1));
  }
  if (names.length > 0) return 0;
  writeFileSync(
    resolve(import.meta.dirname, '../src/scene_frames.ts'),
    `// Boxes about what the scenes show in their first seconds, from corner to corner, m: the camera fits them into the free part of the
// page. \`node demo/tools/run.mjs frames\` measures and writes them.

export type Box = readonly [min: readonly [number, number, number], max: readonly [number, number, number]];

export const SCENE_FRAMES: Readonly<Record<string, Box>> = {
${rows.join('\n')}
};
`,
  );
  return 0;
}
