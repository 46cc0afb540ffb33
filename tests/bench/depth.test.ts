// The independent measures of the bench against closed forms and a brute-force search over directions.
import { describe, expect, it } from 'vitest';
import { convexDepth, convexPiece, placed } from '../../bench/lib/convex.mjs';
import { sceneDepth } from '../../bench/lib/depth.mjs';
import { Ground } from '../../bench/lib/ground.mjs';
import { convexHull } from '../../bench/lib/hull.mjs';
import { volumeProperties } from '../../bench/lib/mass.mjs';
import { matrixOf } from '../../bench/lib/vec.mjs';
import { buildScene, Random, type ShapeDef, type Vec3 } from '../../scenes/index';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const box = (x: number, y: number, z: number): ShapeDef => ({ type: 'box', halfExtents: [x, y, z] });
const at = (shape: ShapeDef, p: number[], q?: readonly number[]) => placed(convexPiece(shape), q ? matrixOf(q) : IDENTITY, p);

type Placed = { vertices: number[][]; radius: number };

/** Least overlap of the projections over random directions, refined around the best: an upper bound of the depth. */
function searchedDepth(a: Placed, b: Placed, random: Random): number {
  const top = (x: Placed, n: number[]) => x.radius + Math.max(...x.vertices.map((v) => v[0] * n[0] + v[1] * n[1] + v[2] * n[2]));
  const overlap = (n: Vec3) =>
    top(a, [...n]) +
    top(
      b,
      n.map((c) => -c),
    );
  const starts = Array.from({ length: 1500 }, () => random.direction())
    .map((n) => ({ n, o: overlap(n) }))
    .sort((x, y) => x.o - y.o)
    .slice(0, 8);
  let best = Infinity;
  for (const start of starts) {
    let { n, o } = start;
    for (let i = 0; i < 800; i++) {
      const step = 0.3 * (1 - i / 800) ** 5;
      const m = n.map((c) => c + step * random.range(-1, 1));
      const size = Math.hypot(...m);
      const candidate: Vec3 = [m[0] / size, m[1] / size, m[2] / size];
      const value = overlap(candidate);
      if (value < o) {
        o = value;
        n = candidate;
      }
    }
    best = Math.min(best, o);
  }
  return best;
}

describe('depth', () => {
  it('has the closed forms', () => {
    expect(convexDepth(at(box(1, 1, 1), [0, 0, 0]), at(box(1, 1, 1), [0, 1.9, 0.3]))).toBeCloseTo(0.1, 12);
    expect(convexDepth(at(box(1, 1, 1), [0, 0, 0]), at(box(1, 1, 1), [0, 2.1, 0]))).toBeLessThan(0);
    const ball: ShapeDef = { type: 'sphere', radius: 0.5 };
    expect(convexDepth(at(ball, [0, 0, 0]), at(ball, [0.6, 0, 0.6]))).toBeCloseTo(1 - 0.6 * Math.SQRT2, 12);
    expect(convexDepth(at(ball, [0.2, 1.4, 0.1]), at(box(1, 1, 1), [0, 0, 0]))).toBeCloseTo(0.1, 12);
    // Center inside the box.
    expect(convexDepth(at(ball, [0, 0.7, 0.1]), at(box(1, 1, 1), [0, 0, 0]))).toBeCloseTo(0.8, 12);
    const rod: ShapeDef = { type: 'capsule', radius: 0.1, halfHeight: 1 };
    expect(convexDepth(at(rod, [0, 0, 0]), at(rod, [0.15, 0, 0], [Math.SQRT1_2, 0, 0, Math.SQRT1_2]))).toBeCloseTo(0.05, 12);
    // Edge against edge: cubes turned by 45 degrees about z and about x, one above the other.
    const half = Math.sin(Math.PI / 8);
    const turned = Math.cos(Math.PI / 8);
    const a = at(box(1, 1, 1), [0, 0, 0], [0, 0, half, turned]);
    const b = at(box(1, 1, 1), [0, 2 * Math.SQRT2 - 0.05, 0], [half, 0, 0, turned]);
    expect(convexDepth(a, b)).toBeCloseTo(0.05, 12);
  });

  it('agrees with a search over directions for random pairs of every kind', () => {
    const random = new Random(5);
    const hull = () => buildScene('hulls', { count: 1, seed: random.integer(1, 1e6) }).shapes.find((s) => s.type === 'hull')!;
    const kinds: (() => ShapeDef)[] = [
      () => ({ type: 'sphere', radius: random.range(0.2, 0.5) }),
      () => ({ type: 'capsule', radius: random.range(0.1, 0.3), halfHeight: random.range(0.1, 0.5) }),
      () => box(random.range(0.1, 0.5), random.range(0.1, 0.5), random.range(0.1, 0.5)),
      hull,
      () => ({ type: 'cylinder', radius: random.range(0.2, 0.5), halfHeight: random.range(0.2, 0.5) }),
      () => ({ type: 'cone', radius: random.range(0.2, 0.5), halfHeight: random.range(0.2, 0.5) }),
    ];
    let overlapping = 0;
    for (let trial = 0; trial < 120; trial++) {
      const shapes = [kinds[trial % 6](), kinds[Math.floor(trial / 6) % 6]()];
      const a = at(shapes[0], [0, 0, 0], random.rotation());
      const b = at(
        shapes[1],
        random.direction().map((c) => c * random.range(0.3, 0.9)),
        random.rotation(),
      );
      const depth = convexDepth(a, b);
      const searched = searchedDepth(a, b, random);
      if (depth <= 0) {
        expect(searched).toBeLessThan(2e-3);
        continue;
      }
      overlapping++;
      expect(searched).toBeGreaterThan(depth - 1e-9);
      expect(searched).toBeLessThan(depth + 3e-3);
    }
    expect(overlapping).toBeGreaterThan(40);
  });

  it('sees nothing in the structures that only touch', () => {
    for (const name of ['wall', 'cardhouse', 'stack']) {
      const scene = buildScene(name);
      const depth = sceneDepth(scene, scene.bodies.position, scene.bodies.rotation);
      expect(depth.pairs.max).toBeLessThan(1e-5);
    }
  });

  it('measures bodies in the ground', () => {
    const flat: ShapeDef = {
      type: 'heightfield',
      nx: 5,
      nz: 5,
      spacing: 1,
      originX: -2,
      originZ: -2,
      heights: new Float32Array(25),
    };
    const ground = new Ground(flat);
    expect(ground.depthOf(at(box(0.5, 0.5, 0.5), [0.1, 0.48, 0.2]))).toBeCloseTo(0.02, 12);
    expect(ground.depthOf(at(box(0.5, 0.5, 0.5), [0.1, 0.52, 0.2]))).toBe(0);
    expect(ground.depthOf(at({ type: 'sphere', radius: 0.3 }, [0.3, 0.25, 0.4]))).toBeCloseTo(0.05, 12);
    expect(ground.depthOf(at({ type: 'capsule', radius: 0.3, halfHeight: 0.2 }, [0, 0.45, 0]))).toBeCloseTo(0.05, 12);
    // A spike into a face: the vertex of the mesh lies inside the box.
    const spiky = { ...flat, heights: flat.heights.map((_, i) => (i === 12 ? 0.3 : 0)) };
    expect(new Ground(spiky).depthOf(at(box(0.4, 0.5, 0.4), [0, 0.77, 0]))).toBeCloseTo(0.03, 6);
  });
});

describe('mass properties', () => {
  it('of a hull with the points of a box are those of the box', () => {
    const [x, y, z] = [0.3, 0.5, 0.7];
    const points: number[] = [];
    for (let i = 0; i < 8; i++) points.push((i & 1 ? x : -x) + 0.2, i & 2 ? y : -y, i & 4 ? z : -z);
    const hull = volumeProperties([{ type: 'hull', points: Float64Array.from(points) }], 0);
    const exact = volumeProperties([box(x, y, z)], 0);
    expect(hull.volume).toBeCloseTo(exact.volume, 12);
    expect(hull.center[0]).toBeCloseTo(0.2, 12);
    for (let i = 0; i < 9; i++) expect(hull.inertia[i]).toBeCloseTo(exact.inertia[i], 12);
  });

  it('of round shapes agree with fine hulls', () => {
    const shapes: ShapeDef[] = [
      { type: 'cylinder', radius: 0.4, halfHeight: 0.3 },
      { type: 'cone', radius: 0.4, halfHeight: 0.3 },
    ];
    for (const shape of shapes) {
      const exact = volumeProperties([shape], 0);
      const hull = volumeProperties([{ type: 'hull', points: Float64Array.from(convexPiece(shape).vertices.flat()) }], 0);
      expect(hull.volume / exact.volume).toBeCloseTo(1, 2);
      expect(hull.center[1]).toBeCloseTo(exact.center[1], 6);
      for (let i = 0; i < 9; i += 4) expect(hull.inertia[i] / exact.inertia[i]).toBeCloseTo(1, 1.7);
    }
  });

  it('of a compound follow from its parts', () => {
    const q = [0, 0, 0, 1] as const;
    const shapes: ShapeDef[] = [
      box(0.5, 0.5, 0.5),
      {
        type: 'compound',
        children: [
          { shape: 0, position: [-0.5, 0, 0], rotation: q },
          { shape: 0, position: [0.5, 0, 0], rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] },
        ],
      },
    ];
    const pair = volumeProperties(shapes, 1);
    const whole = volumeProperties([box(1, 0.5, 0.5)], 0);
    expect(pair.volume).toBeCloseTo(whole.volume, 12);
    for (let i = 0; i < 9; i++) expect(pair.inertia[i]).toBeCloseTo(whole.inertia[i], 12);
  });

  it('hulls are closed and convex', () => {
    const random = new Random(2);
    for (let trial = 0; trial < 20; trial++) {
      const points = Array.from({ length: random.integer(4, 40) }, () => [...random.direction()]);
      const faces = convexHull(points);
      expect(faces.length).toBe(2 * points.length - 4);
      for (const f of faces)
        for (const p of points)
          expect(f.normal[0] * p[0] + f.normal[1] * p[1] + f.normal[2] * p[2] - f.offset).toBeLessThan(1e-9);
    }
  });
});
