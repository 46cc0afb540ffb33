// The narrow phase against an oracle in double precision, over random pairs of each two types of convex shapes, and of each type and
// triangles: worst errors, divided by the size. The size of a pair is the sum of the extents of its shapes (m).
//
// The rule of tolerances (LIMITS) follows from how a pair is tested. Coordinates in single precision carry 6e-8 of the size.
// - exact: spheres against all and capsules against each other have closed forms, or the distance of a point: rounding alone, of some
//   operations.
// - faces: box and hull compare faces and edges. An axis of a face is kept over one of edges, and the last axis over a new one, that is up to
//   0.5e-3 of the width and 2% of the depth better (box_box.ts, hull_hull.ts): its points may then lie short of the deepest corner, and
//   beside the other shape by as much.
// - rounded: GJK is exact while cores are apart; deeper, EPA ends at an angle of a rim, and a point is one of a polygon that stands for a
//   round face. The depth keeps its place to 1% of the size, a point to 3%.
// - triangles: the normal of a triangle is kept over a direction that is up to 2% of the inner ball of the shape better (triangle.ts), and
//   that ball is at most a quarter of the size.
import { SHAPE_HEIGHTFIELD, SHAPE_HULL, SHAPE_MESH } from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { type ConvexHull, convexHull } from '../../../src/shapes/hull';
import { cookMesh } from '../../../src/shapes/mesh';
import { signedDistance } from './depth_oracle';
import {
  add,
  box,
  capsule,
  cone,
  cylinder,
  Driver,
  extentOf,
  hullOf,
  len,
  mul,
  type Pose,
  pointDistance,
  poseOf,
  random,
  randomDirection,
  randomRotation,
  type Solid,
  separationAlong,
  sphere,
  sub,
  unrotate,
  type Vec,
} from './round_oracle';

const f = Math.fround;

/** How the shapes of a pair are drawn. */
export const FAMILIES = ['regular', 'coplanar', 'needle', 'tiny', 'huge', 'uneven'] as const;
type Family = (typeof FAMILIES)[number];

const cloud = (size: Vec, rnd: () => number): Solid => {
  const points: number[] = [];
  for (let i = 8 + Math.floor(16 * rnd()); i > 0; i--) {
    const u = randomDirection(rnd);
    points.push(f(u[0] * size[0]), f(u[1] * size[1]), f(u[2] * size[2]));
  }
  return hullOf(convexHull(points));
};
const MAKERS: Record<string, (x: number, y: number, z: number, rnd: () => number) => Solid> = {
  sphere: (x) => sphere(x),
  capsule: (x, y) => capsule(x, y),
  box: (x, y, z) => box(x, y, z),
  hull: (x, y, z, rnd) => cloud([x, y, z], rnd),
  cylinder: (x, y) => cylinder(x, y),
  cone: (x, y) => cone(x, y),
};

export const TYPES = Object.keys(MAKERS);
/** Pairs of types, in the order that the core wants. */
export const PAIRS: [string, string][] = TYPES.flatMap((a, i) => TYPES.slice(i).map((b) => [a, b] as [string, string]));

function draw(type: string, family: Family, rnd: () => number): Solid {
  const unit = { tiny: 1e-3, huge: 1e3, uneven: 10 ** (3 * rnd() - 1.5) }[family as string] ?? 1;
  const sizes = [0, 1, 2].map(() => f(unit * (0.2 + rnd())));
  if (family === 'needle') {
    // Twice as often one side is thin as two are: a plate, a needle.
    sizes[0] = f(sizes[0]! * 0.01);
    if (rnd() < 0.5) sizes[2] = f(sizes[2]! * 0.01);
  }
  return MAKERS[type]!(sizes[0]!, sizes[1]!, sizes[2]!, rnd);
}

/** A pose of B: apart, touching or overlapping, along a random direction or an axis. */
function place(a: Solid, b: Solid, family: Family, rnd: () => number): Pose {
  const isFlush = family === 'coplanar';
  const quarter = Math.SQRT1_2;
  const turns: [number, number, number, number][] = [
    [0, 0, 0, 1],
    [quarter, 0, 0, quarter],
    [0, quarter, 0, quarter],
    [0.5, 0.5, 0.5, 0.5],
  ];
  const axes: Vec[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, -1],
  ];
  const q = isFlush ? turns[Math.floor(4 * rnd())]! : randomRotation(rnd);
  const d = isFlush ? axes[Math.floor(3 * rnd())]! : randomDirection(rnd);
  const small = Math.min(extentOf(a), extentOf(b));
  const gap = small * [0.2, 0.02, 0, -0.02, -0.2, -0.6][Math.floor(6 * rnd())]! * (isFlush ? 1 : rnd());
  const s = separationAlong(a, b, poseOf(...q, [0, 0, 0]), d);
  const side = mul(randomDirection(rnd), isFlush ? 0.3 * small : 0);
  const flat = sub(side, mul(d, side[0] * d[0] + side[1] * d[1] + side[2] * d[2]));
  return poseOf(...q, add(mul(d, gap - s), flat));
}

/** Worst errors, divided by the size. */
export interface Worst {
  pairs: number;
  /** Of the distance along the normal, while apart. */
  apart: number;
  /** By how much another direction is less deep than the normal, and the same divided by the depth. */
  deep: number;
  deepShare: number;
  /** Of the deepest point from the separation along the normal. */
  depth: number;
  /** Of the deepest point from the surfaces of A and of B. */
  witness: number;
  /** By how much the bound of the distance exceeds it, and by how much a contact within the margin is missed. */
  gap: number;
  missed: number;
}

/** Compares `count` random pairs of two types. */
export function comparePair(driver: Driver, typeA: string, typeB: string, count: number, seed: number): Worst {
  const rnd = random(seed);
  const worst: Worst = { pairs: 0, apart: 0, deep: 0, deepShare: 0, depth: 0, witness: 0, gap: 0, missed: 0 };
  for (let i = 0; i < count; i++) {
    const family = FAMILIES[i % FAMILIES.length]!;
    const [a, b] = [draw(typeA, family, rnd), draw(typeB, family, rnd)];
    driver.setShape(0, a);
    driver.setShape(1, b);
    const pose = driver.setPose(place(a, b, family, rnd));
    driver.setCache(0);
    const size = extentOf(a) + extentOf(b);
    const margin = f(0.02 * Math.min(extentOf(a), extentOf(b)));
    const r = driver.run('collide', margin);
    const { least, most } = signedDistance(a, b, pose);
    worst.pairs++;
    const note = (name: keyof Worst, error: number) => {
      // What is not a number counts as the largest error.
      worst[name] = Math.max(worst[name], Number.isNaN(error) ? Number.POSITIVE_INFINITY : error);
    };
    if (r.manifolds === 0) {
      note('gap', (r.gap - most) / size);
      note('missed', (margin - most) / size);
      continue;
    }
    const s = separationAlong(a, b, pose, mul(r.n, 1 / len(r.n)));
    note('apart', Math.abs(len(r.n) - 1));
    if (least > 0) note('apart', (least - s) / size);
    else {
      note('deep', (least - s) / size);
      if (-most > 1e-3 * size) note('deepShare', (least - s) / -most);
    }
    const deepest = r.points.reduce((best, one) => (one.s < best.s ? one : best));
    note('depth', Math.abs(deepest.s - s) / size);
    note('witness', Math.abs(pointDistance(a, deepest.p)) / size);
    note('witness', Math.abs(pointDistance(b, unrotate(pose, sub(add(deepest.p, mul(r.n, deepest.s)), pose.t)))) / size);
  }
  return worst;
}

/** A triangle as a hull without inside. */
const triangleOf = (positions: readonly number[], corners: readonly number[]): Solid => ({
  type: SHAPE_HULL,
  p: [0, 0, 0],
  hull: { vertices: Float32Array.from(corners.flatMap((k) => positions.slice(3 * k, 3 * k + 3))) } as unknown as ConvexHull,
});

/** Corners of the triangles of a surface. */
const CORNERS = [
  [0, 3, 4],
  [0, 4, 1],
  [1, 4, 5],
  [1, 5, 2],
];
/** Corners of the outline of a surface, in turn; all six are on it. */
const OUTLINE = [0, 1, 2, 5, 4, 3];

/** Whether the point of the surface that is nearest to a shape apart from it lies on the outline, by the slope of the distance. */
function isAtOutline(a: Solid, triangles: readonly Solid[], pose: Pose, step: number): boolean {
  const at = (t: Vec) => triangles.map((one) => signedDistance(a, one, { ...pose, t }).most);
  const distances = at(pose.t);
  const nearest = distances.indexOf(Math.min(...distances));
  const slope = [0, 1, 2].map((axis) => {
    const moved = (by: number) => at(pose.t.map((x, i) => (i === axis ? x + by : x)) as unknown as Vec)[nearest]!;
    return moved(step) - moved(-step);
  }) as unknown as Vec;
  // Up to how far the corners of the triangle lie along the way to the shape.
  const way = mul(unrotate(pose, slope), -1 / len(slope));
  const { vertices } = triangles[nearest]!.hull!;
  const heights = [0, 3, 6].map((k) => way[0] * vertices[k]! + way[1] * vertices[k + 1]! + way[2] * vertices[k + 2]!);
  const top = Math.max(...heights);
  const touched = CORNERS[nearest]!.filter((_, k) => heights[k]! > top - 10 * step);
  if (touched.length !== 2) return touched.length === 1;
  const [i, j] = touched.map((corner) => OUTLINE.indexOf(corner));
  return Math.abs(i! - j!) === 1 || Math.abs(i! - j!) === OUTLINE.length - 1;
}

/**
 * Compares a type with meshes of four triangles, by the nearest one. `apart` is the error of the least separation, `missed` that of a
 * contact which is not found, `gap` that of the bound. No contact is asked for at the outline of the surface, where the rule of its edges
 * may leave one out until the shape cuts the surface (triangle.ts). Where a shape overlaps a triangle only the bound is compared, which must be 0:
 * contacts with a surface push to the side that the shape came from, and touches behind its border are none (triangle.ts).
 */
export function compareTriangles(type: string, count: number, seed: number): Worst {
  const rnd = random(seed);
  const driver = new Driver();
  const worst: Worst = { pairs: 0, apart: 0, deep: 0, deepShare: 0, depth: 0, witness: 0, gap: 0, missed: 0 };
  for (let i = 0; i < count; i++) {
    const family = FAMILIES[i % FAMILIES.length]!;
    const a = draw(type, family, rnd);
    const reach = extentOf(a);
    driver.setShape(0, a);
    // Two rows of three corners: four triangles with a ridge or a valley between them; every other pair a heightfield.
    const cell = f(reach * (0.3 + 1.5 * rnd()));
    const heights = Array.from({ length: 6 }, () => f(cell * 0.4 * (rnd() - 0.5) * (i % 3)));
    const positions = heights.flatMap((y, k) => [(k % 3) * cell, y, Math.floor(k / 3) * cell]);
    const indices = CORNERS.flat();
    const triangles = CORNERS.map((corners) => triangleOf(positions, corners));
    if (i % 2 === 0) driver.setSurface(SHAPE_MESH, cookMesh(positions, indices));
    else driver.setSurface(SHAPE_HEIGHTFIELD, cookHeightfield(heights, { nx: 3, nz: 2, spacing: cell }));
    const size = reach + Math.max(...triangles.map(extentOf));
    const d = randomDirection(rnd);
    const q = randomRotation(rnd);
    const s = Math.min(...triangles.map((one) => separationAlong(a, one, poseOf(...q, [0, 0, 0]), d)));
    const gap = reach * [0.2, 0.02, 0.01, 0, -0.02, -0.2][Math.floor(6 * rnd())]!;
    const pose = driver.setPose(poseOf(...q, mul(d, gap - s)));
    driver.setCache(0);
    const margin = f(0.02 * reach);
    const r = driver.run('collide', margin);
    const all = triangles.map((one) => signedDistance(a, one, pose));
    const [least, most] = [Math.min(...all.map((one) => one.least)), Math.min(...all.map((one) => one.most))];
    worst.pairs++;
    const note = (name: keyof Worst, error: number) => {
      worst[name] = Math.max(worst[name], Number.isNaN(error) ? Number.POSITIVE_INFINITY : error);
    };
    if (r.manifolds === 0) {
      note('gap', (r.gap - Math.max(most, 0)) / size);
      if (least > 0 && most < margin && !isAtOutline(a, triangles, pose, 1e-5 * size)) note('missed', (margin - most) / size);
      continue;
    }
    if (least > 0) note('apart', Math.abs(driver.leastSeparation(r.manifolds) - least) / size);
  }
  return worst;
}

/** Bounds of the errors. */
export type Rule = 'exact' | 'faces' | 'rounded' | 'triangles';
export const LIMITS: Record<Rule, Omit<Worst, 'pairs'>> = {
  exact: { apart: 1e-6, deep: 1e-6, deepShare: 1e-3, depth: 1e-6, witness: 4e-6, gap: 1e-6, missed: 1e-6 },
  faces: { apart: 1e-3, deep: 0.02, deepShare: 0.06, depth: 0.02, witness: 6e-3, gap: 1e-6, missed: 1e-6 },
  triangles: { apart: 5e-3, deep: 0, deepShare: 0, depth: 0, witness: 0, gap: 1e-6, missed: 1e-6 },
  rounded: { apart: 1e-3, deep: 0.01, deepShare: 0.06, depth: 1e-3, witness: 0.05, gap: 1e-6, missed: 1e-6 },
};

/** The rule of a pair of types. */
export function ruleOf(a: string, b: string): Rule {
  if (b === 'triangles') return 'triangles';
  if (a === 'sphere' || `${a} ${b}` === 'capsule capsule') return 'exact';
  return ['box', 'hull'].includes(a) && ['box', 'hull'].includes(b) ? 'faces' : 'rounded';
}

/** Errors that exceed the rule. */
export const excessOf = (a: string, b: string, worst: Worst): string[] =>
  Object.entries(LIMITS[ruleOf(a, b)])
    .filter(([name, limit]) => worst[name as keyof Worst] > limit)
    .map(([name, limit]) => `${a} ${b}: ${name} ${worst[name as keyof Worst].toExponential(1)} exceeds ${limit}`);

/** Compares all pairs of types and prints the worst errors as a table. Returns whether none exceeds its rule. */
export function compareAll({ seed, pairs, log }: { seed: number; pairs: number; log: (line: string) => void }): boolean {
  const names = Object.keys(LIMITS.exact) as (keyof Worst)[];
  const row = (cells: readonly string[]) => log(cells.map((cell, i) => (i < 2 ? cell.padEnd(18) : cell.padStart(10))).join(''));
  log(`${pairs} pairs of each two types, seed ${seed}: worst errors, divided by the size; of deepShare by the depth`);
  row(['pair', 'rule', ...names]);
  const excess: string[] = [];
  const driver = new Driver();
  for (const [a, b] of PAIRS) {
    const worst = comparePair(driver, a, b, pairs, seed);
    row([`${a} ${b}`, ruleOf(a, b), ...names.map((name) => worst[name].toExponential(1))]);
    excess.push(...excessOf(a, b, worst));
  }
  for (const type of TYPES) {
    const worst = compareTriangles(type, pairs, seed);
    row([`${type} triangles`, 'triangles', ...names.map((name) => worst[name].toExponential(1))]);
    excess.push(...excessOf(type, 'triangles', worst));
  }
  for (const line of excess) log(line);
  return excess.length === 0;
}
