// Half-space clipping and the scenes made with it: cells of a column fill it, chess pieces are cut into convex runs.
import { describe, expect, it } from 'vitest';
import { convexRuns } from '../../scenes/chess';
import { buildScene } from '../../scenes/index';
import { clip, cornersOf, type Polyhedron, prism, unitCircle, volumeOf, voronoi } from '../../scenes/polyhedron';
import { Random } from '../../scenes/random';
import type { Vec3 } from '../../scenes/types';

const cube: Polyhedron = [
  [
    [0, 0, 0],
    [0, 0, 1],
    [0, 1, 1],
    [0, 1, 0],
  ],
  [
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 1],
    [1, 0, 1],
  ],
  [
    [0, 0, 0],
    [1, 0, 0],
    [1, 0, 1],
    [0, 0, 1],
  ],
  [
    [0, 1, 0],
    [0, 1, 1],
    [1, 1, 1],
    [1, 1, 0],
  ],
  [
    [0, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [1, 0, 0],
  ],
  [
    [0, 0, 1],
    [1, 0, 1],
    [1, 1, 1],
    [0, 1, 1],
  ],
];

describe('polyhedra', () => {
  it('cuts a corner off a cube', () => {
    const k = 1 / Math.sqrt(3);
    const rest = clip(cube, [k, k, k], 2.5 * k, 1e-9);
    expect(volumeOf(rest).volume).toBeCloseTo(1 - 0.5 ** 3 / 6, 12);
    expect(cornersOf(rest, 1e-9).length).toBe(10);
  });

  it('cuts through corners without slivers, leaves what is inside and drops what is outside', () => {
    const k = Math.SQRT1_2;
    const half = clip(cube, [k, -k, 0], 0, 1e-9);
    expect(volumeOf(half).volume).toBeCloseTo(0.5, 12);
    expect(cornersOf(half, 1e-9).length).toBe(6);
    expect(clip(cube, [1, 0, 0], 1, 1e-9)).toBe(cube);
    expect(clip(cube, [1, 0, 0], -0.5, 1e-9)).toEqual([]);
  });

  it('has points on the circle and a closed prism', () => {
    for (const [x, z] of unitCircle(16)) expect(x * x + z * z).toBeCloseTo(1, 14);
    // A regular polygon of n sides has the area n/2 sin(2 pi / n).
    expect(volumeOf(prism(0.5, 2, 16)).volume).toBeCloseTo(2 * 0.25 * 8 * Math.sin(Math.PI / 8), 12);
    expect(volumeOf(prism(0.5, 2, 16)).center[1]).toBeCloseTo(1, 12);
  });

  it('Voronoi cells fill the body and hold the points nearest to their sites', () => {
    const random = new Random(5);
    const sites = Array.from({ length: 40 }, (): Vec3 => [random.unit(), random.unit(), random.unit()]);
    const cells = voronoi(cube, sites, 1e-9);
    expect(cells.reduce((sum, cell) => sum + volumeOf(cell).volume, 0)).toBeCloseTo(1, 9);
    cells.forEach((cell, i) => {
      const { center } = volumeOf(cell);
      const distance = (s: Vec3) => Math.hypot(center[0] - s[0], center[1] - s[1], center[2] - s[2]);
      for (const other of sites) expect(distance(sites[i])).toBeLessThanOrEqual(distance(other) + 1e-9);
    });
  });
});

describe('scenes of the laboratory', () => {
  it('fracture: 277 hulls of very different sizes', () => {
    for (const seed of [1, 2]) {
      const scene = buildScene('fracture', { seed });
      const cubes: number[] = [];
      for (const shape of scene.shapes) {
        if (shape.type !== 'hull') continue;
        expect(shape.points.length).toBeGreaterThanOrEqual(12);
        expect(shape.points.length).toBeLessThanOrEqual(3 * 128);
        let extent = 0;
        for (let i = 0; i < shape.points.length; i += 3)
          extent = Math.max(extent, Math.hypot(shape.points[i], shape.points[i + 1], shape.points[i + 2]));
        cubes.push(extent ** 3);
      }
      expect(cubes.length).toBe(278); // and the ball
      expect(Math.max(...cubes) / Math.min(...cubes)).toBeGreaterThan(30);
    }
  });

  it('chess: runs of a profile are convex and follow each other', () => {
    const runs = convexRuns([
      [0, 0.3],
      [0.1, 0.3],
      [0.2, 0.1],
      [0.5, 0.1],
      [0.6, 0.2],
      [0.7, 0.2],
      [0.8, 0.1],
    ]);
    expect(runs.map((run) => run.length)).toEqual([3, 2, 4]);
    for (let i = 1; i < runs.length; i++) expect(runs[i][0]).toEqual(runs[i - 1][runs[i - 1].length - 1]);
  });

  it('chain: neighboring rings are threaded through each other', () => {
    const { bodies, shapes } = buildScene('chain');
    expect(shapes.filter((s) => s.type === 'compound').length).toBe(1);
    for (let i = 2; i < bodies.count; i++) {
      const step = bodies.position[3 * i] - bodies.position[3 * i - 3];
      // Nearer than the inner length of a ring and farther than half of it.
      expect(step).toBeGreaterThan(0.3);
      expect(step).toBeLessThan(2 * 0.3 - 2 * 0.07);
    }
  });
});
