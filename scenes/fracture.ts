// Three marble columns, each already cut into the Voronoi cells of points strewn around its impact points, and a ball of steel
// thrown at them (a polyhedron with 26 faces: a true sphere would roll on for ever): the fracture scene of Tonge et al. 2012 (277 bodies of very different sizes and masses). The cells stand
// in contact, face on face, with nothing but friction between them.
import { SceneBuilder } from './builder';
import { cornersOf, prism, unitCircle, volumeOf, voronoi } from './polyhedron';
import { Random } from './random';
import type { Scene, SceneOptions, Vec3 } from './types';

const MARBLE = 2700;
const STEEL = 7800;
const BALL = 0.35;
const RADIUS = 0.4;
const HEIGHT = 3;
const SIDES = 16;
const PITCH = 2;
/** Cells of the three columns: 277. */
const CELLS = [93, 92, 92];
/** Heights at which the columns are hit, share of the height, and on which side. */
const IMPACTS: readonly (readonly [number, number])[] = [
  [0.62, -1],
  [0.3, 1],
];
/** Sites keep this distance, so that no cell is thinner than about half of it, m. */
const APART = 0.07;
const TOLERANCE = 1e-7;

/** Sites of one column in its own frame: three quarters near the impact points, the rest anywhere. */
function sitesOf(count: number, random: Random): Vec3[] {
  const sites: Vec3[] = [];
  while (sites.length < count) {
    let p: Vec3;
    if (sites.length % 4 === 3) p = [random.range(-RADIUS, RADIUS), random.range(0, HEIGHT), random.range(-RADIUS, RADIUS)];
    else {
      const [level, side] = IMPACTS[sites.length % IMPACTS.length];
      // The mean of three uniform numbers: dense in the middle, no farther than 0.6 m.
      const near = () => 0.4 * (random.range(-0.5, 0.5) + random.range(-0.5, 0.5) + random.range(-0.5, 0.5));
      p = [side * 0.7 * RADIUS + near(), level * HEIGHT + 1.4 * near(), near()];
    }
    if (p[0] * p[0] + p[2] * p[2] > 0.9 * RADIUS * RADIUS || p[1] < 0.02 || p[1] > HEIGHT - 0.02) continue;
    if (sites.every((q) => (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2 >= APART * APART)) sites.push(p);
  }
  return sites;
}

/** Four rings of eight points on a sphere. */
function ball(builder: SceneBuilder): number {
  const points = [-0.8, -0.28, 0.28, 0.8].flatMap((y) => {
    const r = BALL * Math.sqrt(1 - y * y);
    return unitCircle(8).flatMap(([x, z]) => [r * x, BALL * y, r * z]);
  });
  return builder.shape({ type: 'hull', points: Float32Array.from(points) });
}

/** 277 cells of three columns and a ball of 10 m/s; `scale` thins the cells out, not the columns. */
export function fracture(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const random = new Random(seed);
  const builder = new SceneBuilder(0.6);
  builder.floor(40);
  const column = prism(RADIUS, HEIGHT, SIDES);
  let count = 0;
  for (let c = 0; c < CELLS.length; c++) {
    const sites = sitesOf(Math.max(4, Math.round(CELLS[c] * (options.scale ?? 1))), random);
    for (const cell of voronoi(column, sites, TOLERANCE)) {
      const { center } = volumeOf(cell);
      const corners = cornersOf(cell, 1e-5);
      const points = Float32Array.from(corners.flatMap((p) => [p[0] - center[0], p[1] - center[1], p[2] - center[2]]));
      const position: Vec3 = [center[0] + (c - 1) * PITCH, center[1], center[2]];
      builder.dynamic(builder.shape({ type: 'hull', points }), position, { density: MARBLE });
      count++;
    }
  }
  const [level] = IMPACTS[0];
  builder.dynamic(ball(builder), [-PITCH - 4, level * HEIGHT, 0], { density: STEEL, linearVelocity: [10, 1.6, 0] });
  return builder.build('fracture', `three columns of ${count} Voronoi cells and a ball`, seed, {
    touching: true,
    bounds: { min: [-40, -0.5, -40], max: [40, 20, 40] },
  });
}
