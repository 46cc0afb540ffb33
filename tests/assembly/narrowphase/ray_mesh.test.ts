// Rays against meshes and heightfields equal a brute-force search in double precision, and do not slip through edges.
import { describe, expect, test } from 'vitest';
import { Ray, RayHit } from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { cookMesh } from '../../../src/shapes/mesh';
import { isLong } from '../../helpers/long';
import { add, dot, gridMesh, random, sub, surfaceWorld, type Vec } from '../../helpers/surfaces';

const world = surfaceWorld();
const ray = world.core.allocate(64);
const out = world.core.allocate(64);

function cast(surface: number, o: Vec, d: Vec, maxT: number, field: boolean) {
  const f = new Float32Array(world.memory.buffer);
  f.set([...o, maxT, ...d], ray / 4 + Ray.x / 4);
  const t = (field ? world.core.rayHeightfield : world.core.rayMesh)(surface, ray, out, out + 32) as number;
  const g = new Float32Array(world.memory.buffer);
  return {
    t,
    normal: [g[out / 4 + RayHit.nx / 4], g[out / 4 + RayHit.ny / 4], g[out / 4 + RayHit.nz / 4]] as Vec,
    triangle: new Uint32Array(world.memory.buffer)[out / 4 + 8],
  };
}

const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Nearest hit over all triangles; `clear` is false where an edge or the end of the ray is too near to call. */
function brute(triangles: Vec[][], o: Vec, d: Vec, maxT: number) {
  let best = Infinity;
  let normal: Vec = [0, 0, 0];
  let clear = true;
  for (const [a, b, c] of triangles) {
    const n = cross(sub(b, a), sub(c, a));
    const slope = dot(n, d);
    if (Math.abs(slope) < 1e-9) continue;
    const t = dot(n, sub(a, o)) / slope;
    const p = add(o, d, t);
    const area = Math.hypot(...n);
    const inside = Math.min(
      dot(cross(sub(b, a), sub(p, a)), n) / area,
      dot(cross(sub(c, b), sub(p, b)), n) / area,
      dot(cross(sub(a, c), sub(p, c)), n) / area,
    );
    if (inside > -1e-4 && (Math.abs(t) < 1e-4 || Math.abs(t - maxT) < 1e-4)) clear = false;
    if (inside > 0 && t >= 0 && t <= maxT && t < best) {
      best = t;
      normal = n.map((x) => (slope > 0 ? -x : x) / area) as Vec;
    }
  }
  return { t: best, normal, clear };
}

function trianglesOf(positions: ArrayLike<number>, indices: ArrayLike<number>): Vec[][] {
  const v = (i: number): Vec => [0, 1, 2].map((k) => Math.fround(positions[3 * i + k])) as Vec;
  return Array.from({ length: indices.length / 3 }, (_, t) => [v(indices[3 * t]), v(indices[3 * t + 1]), v(indices[3 * t + 2])]);
}

function compare(surface: number, triangles: Vec[][], field: boolean, size: number, seed: number) {
  const next = random(seed);
  let hits = 0;
  let differ = 0;
  for (let i = 0; i < (isLong ? 1200 : 500); i++) {
    const o: Vec = [0, 1, 2].map(() => 3 * size * (2 * next() - 1)) as Vec;
    const target: Vec = [0, 1, 2].map((k) => (k === 1 ? 0.3 : 1) * size * (2 * next() - 1)) as Vec;
    const d = sub(target, o);
    if (i % 7 === 0) d[i % 3] = 0;
    if (i % 11 === 0) d[(i + 1) % 3] = 0;
    if (Math.hypot(...d) < 0.1) continue;
    const maxT = i % 3 === 0 ? 0.5 + next() : 10;
    const want = brute(triangles, o.map(Math.fround) as Vec, d.map(Math.fround) as Vec, maxT);
    const got = cast(surface, o, d, maxT, field);
    if (!want.clear) continue;
    if (want.t === Infinity ? got.t !== -1 : Math.abs(got.t - want.t) > 1e-4 || dot(got.normal, want.normal) < 0.999) differ++;
    if (want.t < Infinity) hits++;
  }
  expect(hits).toBeGreaterThan(200);
  // Rays through an edge may fall to either side of the rounding.
  expect(differ).toBeLessThanOrEqual(2);
}

describe('rays', () => {
  const next = random(2);
  const bumpy = gridMesh(24, 5, () => 2 * next() - 1);
  const mesh = world.mesh(cookMesh(bumpy.positions, bumpy.indices));

  test('mesh: nearest hit, normal and misses equal brute force', () => {
    compare(mesh, trianglesOf(bumpy.positions, bumpy.indices), false, 5, 11);
  });

  test('soup of triangles: the same', () => {
    const positions: number[] = [];
    for (let i = 0; i < 300; i++) {
      const c = [0, 1, 2].map(() => 4 * (2 * next() - 1));
      for (let v = 0; v < 3; v++) positions.push(...c.map((x) => x + 2 * next() - 1));
    }
    const indices = positions.slice(0, 900).map((_, i) => i);
    compare(world.mesh(cookMesh(positions, indices)), trianglesOf(positions, indices), false, 4, 12);
  });

  test('heightfield with holes: the same', () => {
    const nx = 41;
    const nz = 27;
    const heights = Array.from({ length: nx * nz }, () => (next() < 0.03 ? Number.NaN : 2 * next() - 1));
    const grid = { nx, nz, spacing: [0.25, 0.4] as [number, number], origin: [-5, 0.2, -5.2] as Vec };
    const triangles: Vec[][] = [];
    const p = (i: number, j: number): Vec => [
      -5 + 0.25 * i,
      Math.fround(heights[j * nx + i] + 0.2),
      Math.fround(-5.2) + j * Math.fround(0.4),
    ];
    for (let j = 0; j < nz - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        triangles.push([p(i, j), p(i, j + 1), p(i + 1, j + 1)], [p(i, j), p(i + 1, j + 1), p(i + 1, j)]);
      }
    }
    const whole = triangles.filter((t) => t.every((v) => !Number.isNaN(v[1])));
    compare(world.heightfield(cookHeightfield(heights, grid)), whole, true, 5, 13);
  });

  test('no ray slips through an edge or a vertex', () => {
    const flat = gridMesh(10, 5);
    const plane = world.mesh(cookMesh(flat.positions, flat.indices));
    const field = world.heightfield(cookHeightfield(new Array(121).fill(0), { nx: 11, nz: 11, spacing: 1, origin: [-5, 0, -5] }));
    for (let i = 0; i < (isLong ? 1500 : 500); i++) {
      // Through lattice points and diagonals, from odd places.
      const target: Vec = [Math.floor(9 * next()) - 4, 0, Math.floor(9 * next()) - 4];
      if (i % 2 === 0) {
        const s = next();
        target[0] += s;
        target[2] += i % 4 === 0 ? s : 0;
      }
      const o: Vec = [20 * next() - 10, 1 + 5 * next(), 20 * next() - 10];
      const d = sub(target, o);
      for (const got of [cast(plane, o, d, 2, false), cast(field, o, d, 2, true)]) {
        expect(Math.abs(got.t - 1)).toBeLessThan(1e-5);
        expect(got.normal).toEqual([0, 1, 0].map((x) => expect.closeTo(x, 6)));
      }
    }
  });

  test('both sides are hit, and the normal looks against the ray', () => {
    const one = world.mesh(cookMesh([0, 0, 0, 0, 0, 1, 1, 0, 0], [0, 1, 2]));
    expect(cast(one, [0.2, 1, 0.2], [0, -2, 0], 5, false)).toMatchObject({ t: 0.5, normal: [0, 1, 0], triangle: 0 });
    expect(cast(one, [0.2, -1, 0.2], [0, 4, 0], 5, false)).toMatchObject({ t: 0.25, triangle: 0 });
    expect(cast(one, [0.2, -1, 0.2], [0, 4, 0], 5, false).normal[1]).toBe(-1);
    expect(cast(one, [0.2, -1, 0.2], [0, 4, 0], 0.2, false).t).toBe(-1);
    expect(cast(one, [0.2, -1, 0.2], [0, -4, 0], 5, false).t).toBe(-1);
  });
});
