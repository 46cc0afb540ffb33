// Piles: many bodies dropped in layers on the basin mesh or into a container. Nothing overlaps at the start because the
// bodies sit on a lattice wider than their diameters.
import { type BodyOptions, SceneBuilder } from './builder';
import { Random } from './random';
import { basinHalf, basinHeightfield, basinMesh } from './terrain';
import type { Scene, SceneOptions, Vec3 } from './types';

/** Lattice of `perRow` x `perRow` columns with a little jitter, filled layer by layer from `bottom` upwards. */
function dropLattice(count: number, perRow: number, spacing: number, bottom: number, jitter: number, random: Random): Vec3[] {
  const points: Vec3[] = [];
  const shift = ((perRow - 1) * spacing) / 2;
  for (let i = 0; i < count; i++) {
    const layer = Math.floor(i / (perRow * perRow));
    const inLayer = i % (perRow * perRow);
    points.push([
      (inLayer % perRow) * spacing - shift + random.range(-jitter, jitter),
      bottom + layer * spacing + random.range(-jitter, jitter),
      Math.floor(inLayer / perRow) * spacing - shift + random.range(-jitter, jitter),
    ]);
  }
  return points;
}

function scaledCount(options: SceneOptions, standard: number): number {
  return Math.max(1, Math.round((options.count ?? standard) * (options.scale ?? 1)));
}

function basinBounds(half: number): Scene['checks']['bounds'] {
  return { min: [-half, -3, -half], max: [half, 80, half] };
}

/** A basin that holds more than twice its number of bodies grows with them, so that the pile does not get higher. */
function grownCells(cells: number, count: number, standardCount: number): number {
  return count <= 2 * standardCount ? cells : 2 * Math.round((cells / 2) * Math.sqrt(count / standardCount));
}

/** Cells of the basin for a number of bodies of about 0.24 m3: full size holds 5,160 to 10,000, the small one 1,000. */
function basinCells(count: number): number {
  return count > 1500 ? grownCells(64, count, 5160) : 32;
}

function boxesOnBasin(name: string, title: string, standardCount: number, standardCells: number, options: SceneOptions): Scene {
  const seed = options.seed ?? 1;
  const count = scaledCount(options, standardCount);
  // A scaled-down pile gets a smaller basin, so that it still is a pile.
  const cells =
    count >= 0.7 * standardCount
      ? grownCells(standardCells, count, standardCount)
      : Math.max(12, 2 * Math.round((standardCells / 2) * Math.sqrt(count / standardCount)));
  const half = basinHalf(cells);
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.fixed(builder.shape(basinMesh(cells, 7)), [0, 0, 0]);
  // Half extents 0.2..0.42 m: mean mass 238 kg, longest diagonal 1.455 m.
  const spacing = 1.5;
  const perRow = Math.max(2, Math.floor((1.5 * half) / spacing));
  for (const position of dropLattice(count, perRow, spacing, 3.6, 0.02, random)) {
    const shape = builder.box(random.range(0.2, 0.42), random.range(0.2, 0.42), random.range(0.2, 0.42));
    builder.dynamic(shape, position, { rotation: random.rotation() });
  }
  return builder.build(name, title, seed, { bounds: basinBounds(half) });
}

/** 5,160 boxes of mixed sizes dropped on a non-convex mesh of 8,192 triangles (the sizes of Tonge et al. 2012, figure 1). */
export function boxes(options: SceneOptions = {}): Scene {
  return boxesOnBasin('boxes', '5,160 boxes on a mesh of 8,192 triangles', 5160, 64, options);
}

/** 1,000 boxes on a mesh of 2,048 triangles. */
export function boxesSmall(options: SceneOptions = {}): Scene {
  return boxesOnBasin('boxes-small', '1,000 boxes on a mesh of 2,048 triangles', 1000, 32, options);
}

/** Spheres of radius 0.2..0.35 m dropped into a container; `count` 5,000. */
export function spheres(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = scaledCount(options, 5000);
  const half = 7 * Math.max(0.35, Math.cbrt(count / 5000));
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.container(half, 20);
  const perRow = Math.max(2, Math.floor((2 * half - 0.4) / 0.75));
  for (const position of dropLattice(count, perRow, 0.75, 0.6, 0.02, random)) {
    builder.dynamic(builder.shape({ type: 'sphere', radius: random.range(0.2, 0.35) }), position);
  }
  return builder.build('spheres', `${count} spheres in a container`, seed, containerChecks(half));
}

function containerChecks(half: number): Pick<Scene['checks'], 'bounds'> {
  return { bounds: { min: [-half - 0.1, -0.1, -half - 0.1], max: [half + 0.1, 80, half + 0.1] } };
}

/** Points well spread over an ellipsoid (best of 12 candidates each), so every point is a vertex of the hull. */
function ellipsoidPoints(count: number, radii: Vec3, random: Random): Float32Array {
  const directions: Vec3[] = [];
  while (directions.length < count) {
    let best: Vec3 = [1, 0, 0];
    let bestDistance = -1;
    for (let c = 0; c < 12; c++) {
      const p = random.direction();
      let nearest = 9;
      for (const q of directions) nearest = Math.min(nearest, (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2);
      if (nearest > bestDistance) {
        bestDistance = nearest;
        best = p;
      }
    }
    directions.push(best);
  }
  return Float32Array.from(directions.flatMap((d) => [d[0] * radii[0], d[1] * radii[1], d[2] * radii[2]]));
}

function randomHull(builder: SceneBuilder, random: Random, low: number, high: number): number {
  const radii: Vec3 = [random.range(low, high), random.range(low, high), random.range(low, high)];
  return builder.shape({ type: 'hull', points: ellipsoidPoints(random.integer(8, 32), radii, random) });
}

/** 2,000 random hulls of 8 to 32 vertices, each its own shape, dropped into a container. */
export function hulls(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = scaledCount(options, 2000);
  const half = 8 * Math.max(0.35, Math.cbrt(count / 2000));
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.container(half, 20);
  const perRow = Math.max(2, Math.floor((2 * half - 0.4) / 1.1));
  for (const position of dropLattice(count, perRow, 1.1, 0.9, 0.02, random)) {
    builder.dynamic(randomHull(builder, random, 0.3, 0.5), position, { rotation: random.rotation() });
  }
  return builder.build('hulls', `${count} random hulls in a container`, seed, containerChecks(half));
}

/** A bone (capsule and two spheres), a table (box on four legs) or an L of two boxes; about 0.5 m in radius. */
function randomCompound(builder: SceneBuilder, random: Random): number {
  const q = [0, 0, 0, 1] as const;
  const kind = random.integer(0, 2);
  if (kind === 0) {
    const ball = builder.shape({ type: 'sphere', radius: 0.18 });
    return builder.compound([
      { shape: builder.shape({ type: 'capsule', radius: 0.1, halfHeight: 0.3 }), position: [0, 0, 0], rotation: q },
      { shape: ball, position: [0, 0.34, 0], rotation: q },
      { shape: ball, position: [0, -0.34, 0], rotation: q },
    ]);
  }
  if (kind === 1) {
    const leg = builder.box(0.05, 0.17, 0.05);
    return builder.compound([
      { shape: builder.box(0.36, 0.05, 0.26), position: [0, 0.17, 0], rotation: q },
      { shape: leg, position: [0.3, -0.05, 0.2], rotation: q },
      { shape: leg, position: [-0.3, -0.05, 0.2], rotation: q },
      { shape: leg, position: [0.3, -0.05, -0.2], rotation: q },
      { shape: leg, position: [-0.3, -0.05, -0.2], rotation: q },
    ]);
  }
  return builder.compound([
    { shape: builder.box(0.4, 0.12, 0.14), position: [0.1, -0.2, 0], rotation: q },
    { shape: builder.box(0.12, 0.26, 0.14), position: [-0.18, 0.18, 0], rotation: q },
  ]);
}

/** All shapes together on the basin; `count` 2,000, `ground` 'mesh' or 'heightfield'. */
export function mixed(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = scaledCount(options, 2000);
  const cells = basinCells(count);
  const half = basinHalf(cells);
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.fixed(builder.shape(options.ground === 'heightfield' ? basinHeightfield(cells, 7) : basinMesh(cells, 7)), [0, 0, 0]);
  const spacing = 1.4;
  const perRow = Math.max(2, Math.floor((1.45 * half) / spacing));
  for (const position of dropLattice(count, perRow, spacing, 3.6, 0.02, random)) {
    const kind = random.integer(0, 6);
    const pose: BodyOptions = { rotation: random.rotation() };
    let shape: number;
    if (kind === 0) shape = builder.shape({ type: 'sphere', radius: random.range(0.2, 0.45) });
    else if (kind === 1)
      shape = builder.shape({ type: 'capsule', radius: random.range(0.12, 0.25), halfHeight: random.range(0.1, 0.35) });
    else if (kind === 2) shape = builder.box(random.range(0.15, 0.38), random.range(0.15, 0.38), random.range(0.15, 0.38));
    else if (kind === 3)
      shape = builder.shape({ type: 'cylinder', radius: random.range(0.15, 0.35), halfHeight: random.range(0.15, 0.4) });
    else if (kind === 4)
      shape = builder.shape({ type: 'cone', radius: random.range(0.25, 0.4), halfHeight: random.range(0.2, 0.4) });
    else if (kind === 5) shape = randomHull(builder, random, 0.25, 0.5);
    else shape = randomCompound(builder, random);
    builder.dynamic(shape, position, pose);
  }
  return builder.build('mixed', `${count} bodies of all shapes on a ${options.ground ?? 'mesh'}`, seed, {
    bounds: basinBounds(half),
  });
}
