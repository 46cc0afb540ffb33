// Meshes and heightfields against double-precision oracles: which triangles a box touches, how deep convex shapes are in
// single triangles, the bound of the distance, ridges and valleys, and the side from which a body came.
import { describe, expect, test } from 'vitest';
import { MeshBlob, MeshTriangle } from '../../../src/layout.generated';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { convexHull, cookHull } from '../../../src/shapes/hull';
import { cookMesh } from '../../../src/shapes/mesh';
import { isLong } from '../../helpers/long';
import {
  about,
  add,
  columns,
  dot,
  gridMesh,
  type Quat,
  random,
  randomQuat,
  type SurfaceResult,
  sub,
  surfaceWorld,
  turn,
  turnBack,
  type Vec,
} from '../../helpers/surfaces';

const world = surfaceWorld();
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Vec): Vec => {
  const l = Math.hypot(...a);
  return [a[0] / l, a[1] / l, a[2] / l];
};
const identity: Quat = [0, 0, 0, 1];

/** A convex body: its shape in the core and its support function (largest w . p, shape frame). */
interface Body {
  name: string;
  shape: number;
  reach: (w: Vec) => number;
  /** A point farthest along w. */
  point: (w: Vec) => Vec;
  size: number;
}
function bodiesOf(scale: number, next: () => number): Body[] {
  const r = scale * (0.3 + 0.4 * next());
  const h = scale * (0.2 + 0.6 * next());
  const e = [1, 2, 3].map(() => scale * (0.2 + 0.6 * next())) as Vec;
  const points = Array.from({ length: 16 }, () => e.map((x) => x * (2 * next() - 1)) as Vec);
  const f = points.map((p) => p.map(Math.fround) as Vec);
  const rho = (w: Vec) => Math.hypot(w[0], w[2]);
  const rim = (w: Vec, k: number) => (rho(w) > 0 ? (r * w[k]) / rho(w) : 0);
  const list: Omit<Body, 'reach'>[] = [
    { name: 'sphere', shape: world.sphere(r), point: (w) => w.map((x) => (r * x) / Math.hypot(...w)) as Vec, size: r },
    {
      name: 'capsule',
      shape: world.capsule(r, h),
      point: (w) => add([0, w[1] > 0 ? h : -h, 0], w, r / Math.hypot(...w)),
      size: h + r,
    },
    { name: 'box', shape: world.box(...e), point: (w) => e.map((x, k) => (w[k] > 0 ? x : -x)) as Vec, size: scale },
    {
      name: 'hull',
      shape: world.hull(cookHull(convexHull(points.flat()))),
      point: (w) => f.reduce((a, b) => (dot(b, w) > dot(a, w) ? b : a)),
      size: scale,
    },
    { name: 'cylinder', shape: world.cylinder(r, h), point: (w) => [rim(w, 0), w[1] > 0 ? h : -h, rim(w, 2)], size: h + r },
    {
      name: 'cone',
      shape: world.cone(r, h),
      point: (w) => (h * w[1] > r * rho(w) - h * w[1] ? [0, h, 0] : [rim(w, 0), -h, rim(w, 2)]),
      size: h + r,
    },
  ];
  return list.map((b) => ({ ...b, reach: (w: Vec) => dot(w, b.point(w)) }));
}

/** Point of least norm in the hull of up to four points, by trying every subset; and the subset. */
function leastNorm(points: Vec[]): { point: Vec; used: Vec[] } {
  let best = { point: points[0], used: [points[0]] };
  let least = Infinity;
  for (let mask = 1; mask < 1 << points.length; mask++) {
    const used = points.filter((_, i) => (mask >> i) & 1);
    // Weights w_i of used[0] + sum w_i (used[i] - used[0]) from the normal equations, by Gauss elimination.
    const edges = used.slice(1).map((p) => sub(p, used[0]));
    const n = edges.length;
    const rows = edges.map((e) => [...edges.map((g) => dot(e, g)), -dot(e, used[0])]);
    let singular = false;
    for (let i = 0; i < n && !singular; i++) {
      let pivot = i;
      for (let j = i + 1; j < n; j++) if (Math.abs(rows[j][i]) > Math.abs(rows[pivot][i])) pivot = j;
      [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
      if (Math.abs(rows[i][i]) < 1e-14) singular = true;
      for (let j = 0; j < n && !singular; j++) {
        if (j === i) continue;
        const factor = rows[j][i] / rows[i][i];
        for (let k = i; k <= n; k++) rows[j][k] -= factor * rows[i][k];
      }
    }
    if (singular) continue;
    const weights = rows.map((row, i) => row[n] / row[i]);
    if (weights.some((w) => w < 0) || weights.reduce((a, b) => a + b, 0) > 1) continue;
    const point = edges.reduce((p, e, i) => add(p, e, weights[i]), used[0]);
    const norm = Math.hypot(...point);
    if (norm < least) {
      least = norm;
      best = { point, used };
    }
  }
  return best;
}

/** Distance of A at (p, q) to a triangle (Gilbert, Johnson and Keerthi 1988, double precision): 0 if they overlap. */
function distance(body: Body, p: Vec, q: Quat, triangle: Vec[]): number {
  const c = columns(q);
  const support = (w: Vec): Vec => {
    const a = add(turn(c, body.point(turnBack(c, w))), p);
    return sub(
      a,
      triangle.reduce((s, t) => (dot(t, w) < dot(s, w) ? t : s)),
    );
  };
  let simplex = [support([0, 1, 0])];
  let nearest = simplex[0];
  let lower = 0;
  for (let i = 0; i < 200; i++) {
    const length = Math.hypot(...nearest);
    if (length < 1e-12) return 0;
    const s = support(nearest.map((x) => -x) as Vec);
    lower = Math.max(lower, dot(s, nearest) / length);
    if (length - lower < 1e-9 * length) break;
    const next = leastNorm([...simplex, s]);
    if (Math.hypot(...next.point) >= length) break;
    nearest = next.point;
    simplex = next.used.length === 4 ? next.used.slice(0, 4) : next.used;
    if (next.used.length === 4) return 0;
  }
  return Math.hypot(...nearest);
}

/** Largest separation over directions m (triangle to A) of A at (p, q) from a triangle: a local search from many starts. */
function oracle(body: Body, p: Vec, q: Quat, triangle: Vec[], allowed: (m: Vec) => boolean) {
  const c = columns(q);
  const f = (m: Vec) =>
    dot(m, p) - body.reach(turnBack(c, m.map((x) => -x) as Vec)) - Math.max(...triangle.map((v) => dot(m, v)));
  const starts: Vec[] = [];
  const n = unit(cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0])));
  const edges = [0, 1, 2].map((k) => unit(sub(triangle[(k + 1) % 3], triangle[k])));
  starts.push(n, ...c, unit(sub(p, triangle[0])), unit(sub(p, triangle[1])), unit(sub(p, triangle[2])));
  for (const e of edges) for (const a of [...c, n]) if (Math.hypot(...cross(e, a)) > 1e-6) starts.push(unit(cross(e, a)));
  let best = -Infinity;
  let direction: Vec = n;
  for (const s of starts.flatMap((s) => [s, s.map((x) => -x) as Vec])) {
    if (!allowed(s)) continue;
    const value = f(s);
    if (value > best) {
      best = value;
      direction = s;
    }
  }
  const next = random(9);
  for (let radius = 0.3; radius > 1e-6; ) {
    const before = best;
    for (let i = 0; i < 60; i++) {
      const m = unit(add(direction, [2 * next() - 1, 2 * next() - 1, 2 * next() - 1], radius));
      if (!allowed(m)) continue;
      const value = f(m);
      if (value > best) {
        best = value;
        direction = m;
      }
    }
    if (best === before) radius *= 0.7;
  }
  return { separation: best, direction };
}

function sane({ manifolds, gap }: SurfaceResult): void {
  for (const { normal, contacts } of manifolds) {
    expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThan(1e-5);
    expect(contacts.length).toBeGreaterThan(0);
    for (const { point, separation } of contacts) for (const x of [...point, separation]) expect(Number.isFinite(x)).toBe(true);
  }
  if (manifolds.length === 0) expect(gap).toBeGreaterThanOrEqual(0);
}

test('a box query equals brute force', () => {
  const next = random(21);
  const { positions, indices } = gridMesh(20, 5, () => 2 * next() - 1);
  const mesh = cookMesh(positions, indices);
  const blob = world.blobOf(world.mesh(mesh));
  const u = new Uint32Array(mesh.blob);
  const buffer = world.core.allocate(4 * mesh.triangleCount);
  for (let i = 0; i < 400; i++) {
    const center = [0, 1, 2].map((k) => (k === 1 ? 1.5 : 6) * (2 * next() - 1));
    const half = [0, 1, 2].map(() => (i % 4 === 0 ? 3 : 0.3) * next());
    const low = center.map((x, k) => Math.fround(x - half[k]));
    const high = center.map((x, k) => Math.fround(x + half[k]));
    const count = world.core.meshQuery(blob, ...low, ...high, buffer, mesh.triangleCount);
    const got = [...new Uint32Array(world.memory.buffer, buffer, count)].map(
      (t) => u[(u[MeshBlob.trianglesOffset / 4] + t * MeshTriangle.STRIDE + MeshTriangle.source) / 4],
    );
    const want: number[] = [];
    for (let t = 0; t < indices.length / 3; t++) {
      const touches = [0, 1, 2].every((k) => {
        const x = [0, 1, 2].map((v) => Math.fround(positions[3 * indices[3 * t + v] + k]));
        return Math.min(...x) <= high[k] && Math.max(...x) >= low[k];
      });
      if (touches) want.push(t);
    }
    expect(got.sort((a, b) => a - b)).toEqual(want);
  }
});

describe('one triangle', () => {
  for (const scale of [1, 1e-2, 50]) {
    test(`depth and distance against the oracle, bodies of ${scale} m`, () => {
      const next = random(31);
      const margin = 0.02 * scale;
      const triangle: Vec[] = [
        [-1.1, 0.1, -0.7],
        [0.2, -0.2, 1.2],
        [1.3, 0.05, -0.4],
      ].map((v) => v.map((x) => Math.fround(x * scale)) as Vec);
      const n = unit(cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0])));
      const mesh = world.mesh(cookMesh(triangle.flat(), [0, 1, 2]));
      const tally = { touching: 0, apart: 0, reported: 0, deeper: 0, missed: 0 };
      for (let round = 0; round < 8; round++) {
        for (const body of bodiesOf(scale, next)) {
          for (let i = 0; i < 12; i++) {
            const q = randomQuat(next);
            // Near the surface: start over the triangle, on either side, and slide to a chosen distance.
            const a = next();
            const b = next() * (1 - a);
            const foot = add(
              add(triangle[0], sub(triangle[1], triangle[0]), a * 1.3 - 0.15),
              sub(triangle[2], triangle[0]),
              b * 1.3 - 0.15,
            );
            const side = i % 4 === 0 ? -1 : 1;
            const up = n.map((x) => x * side) as Vec;
            const reachDown = body.reach(turnBack(columns(q), up.map((x) => -x) as Vec));
            const gap = scale * (i % 3 === 0 ? 0.3 * next() : 0.06 * next() - 0.05);
            if (reachDown + gap < 0.02 * scale) continue;
            const p = add(foot, up, reachDown + gap).map(Math.fround) as Vec;
            const result = world.collide(body.shape, mesh, p, q, margin);
            sane(result);
            const front = (m: Vec) => dot(m, up) >= -1e-3;
            const want = oracle(body, p, q, triangle, front);
            const where = `${body.name} ${round}.${i}: oracle ${want.separation}, gap ${result.gap}`;
            if (result.manifolds.length === 0) {
              // A true lower bound.
              expect(result.gap, where).toBeLessThanOrEqual(distance(body, p, q, triangle) + 1e-5 * scale);
              // Corners of A beside the triangle's boundary may be missed while they are shallow.
              expect(want.separation, where).toBeGreaterThan((body.name.startsWith('c') ? -0.03 : -0.02) * scale);
              if (want.separation < -2e-3 * scale) tally.missed++;
              tally.apart++;
              continue;
            }
            tally.reported++;
            const deepest = Math.min(...result.manifolds.flatMap((m) => m.contacts.map((c) => c.separation)));
            // Hardly ever deeper than the way out and the bias towards the face; never a contact out of reach.
            expect(want.separation, where).toBeLessThan(margin + 1e-4 * scale);
            const overlap = Math.min(0, want.separation);
            expect(deepest, where).toBeGreaterThan(4 * overlap - margin - 6e-4);
            if (deepest < want.separation + 0.5 * overlap - Math.max(6e-4, 6e-4 * scale)) tally.deeper++;
            for (const { normal, contacts } of result.manifolds) {
              expect(dot(normal, up), where).toBeLessThan(2e-3);
              for (const { point, separation } of contacts) {
                // The point lies on A, its partner on the triangle.
                const inBody = turnBack(columns(q), sub(point, p));
                for (let k = 0; k < 20; k++) {
                  const w = unit([2 * next() - 1, 2 * next() - 1, 2 * next() - 1]);
                  expect(dot(inBody, w), where).toBeLessThan(body.reach(w) + 2e-4 * scale);
                }
                const partner = add(point, normal, separation);
                for (let k = 0; k < 3; k++) {
                  const inward = unit(cross(n, sub(triangle[(k + 1) % 3], triangle[k])));
                  expect(dot(inward, sub(partner, triangle[k])), where).toBeGreaterThan(-1e-3 * scale);
                }
                expect(Math.abs(dot(n, sub(partner, triangle[0]))), where).toBeLessThan(1e-3 * scale);
              }
            }
            if (want.separation < 0) tally.touching++;
          }
        }
      }
      expect(tally.touching).toBeGreaterThan(150);
      expect(tally.deeper).toBeLessThan(0.02 * tally.reported);
      expect(tally.missed).toBeLessThan(0.01 * tally.reported);
      expect(tally.apart).toBeGreaterThan(40);
    });
  }
});

describe('ridges, valleys, steps', () => {
  // A roof along z: slopes of 30 degrees, triangulated.
  const slope = Math.tan(Math.PI / 6);
  const roof = gridMesh(8, 4, (x) => -slope * Math.abs(x));
  const valley = gridMesh(8, 4, (x) => slope * Math.abs(x));
  const roofMesh = world.mesh(cookMesh(roof.positions, roof.indices));
  const valleyMesh = world.mesh(cookMesh(valley.positions, valley.indices));
  const roofField = world.heightfield(
    cookHeightfield(
      Array.from({ length: 81 }, (_, i) => -slope * Math.abs((i % 9) - 4)),
      { nx: 9, nz: 9, spacing: 1, origin: [-4, 0, -4] },
    ),
  );
  const valleyField = world.heightfield(
    cookHeightfield(
      Array.from({ length: 81 }, (_, i) => slope * Math.abs((i % 9) - 4)),
      { nx: 9, nz: 9, spacing: 1, origin: [-4, 0, -4] },
    ),
  );

  test('a sphere goes over a ridge at its true distance, vertices and all', () => {
    const sphere = world.sphere(0.4);
    const next = random(41);
    for (const surface of [roofMesh, roofField]) {
      for (let i = 0; i < 600; i++) {
        // Along the ridge line through its vertices, at angles between and beyond the two normals.
        const angle = (next() - 0.5) * 1.4;
        const z = i % 3 === 0 ? Math.round(4 * next() - 2) : 4 * next() - 2;
        const distance = 0.4 + 0.015 * (2 * next() - 1);
        const p: Vec = [Math.sin(angle) * distance, Math.cos(angle) * distance, z];
        const { manifolds } = world.collide(sphere, surface, p);
        const limit = Math.PI / 6;
        const clamped = Math.max(-limit, Math.min(limit, angle));
        const separation = distance * Math.cos(angle - clamped) - 0.4;
        for (const m of manifolds) expect(Math.abs(m.normal[2])).toBeLessThan(2e-3);
        if (separation > 0.02) continue;
        const s = manifolds.flatMap((m) => m.contacts.map((c) => c.separation));
        expect(Math.abs(Math.min(...s) - separation), `${angle} ${z}`).toBeLessThan(1e-5);
        for (const m of manifolds) {
          const tilt = Math.atan2(-m.normal[0], -m.normal[1]);
          expect(Math.abs(tilt - clamped), `${angle} ${z}`).toBeLessThan(3e-3);
        }
      }
    }
  });

  test('a sphere in a valley touches both slopes with their normals', () => {
    const sphere = world.sphere(0.4);
    for (const surface of [valleyMesh, valleyField]) {
      for (let i = 0; i < 50; i++) {
        const { manifolds } = world.collide(sphere, surface, [0, (0.4 - 1e-3) / Math.cos(Math.PI / 6), -1.7 + 0.07 * i]);
        expect(manifolds.length).toBe(2);
        for (const { normal, contacts } of manifolds) {
          expect(Math.abs(Math.abs(normal[0]) - 0.5)).toBeLessThan(1e-5);
          expect(Math.abs(normal[2])).toBeLessThan(1e-5);
          expect(Math.abs(contacts[0].separation + 1e-3)).toBeLessThan(1e-5);
        }
      }
    }
  });

  test('a box, a hull, a cylinder and a lying capsule balance on a ridge with upward normals', () => {
    const next = random(42);
    const cube = cookHull(
      convexHull([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 0.6 : -0.6, i & 2 ? 0.3 : -0.3, i & 4 ? 0.6 : -0.6])),
    );
    const bodies: [string, number, Quat][] = [
      ['box', world.box(0.6, 0.3, 0.6), identity],
      ['hull', world.hull(cube), identity],
      ['cylinder', world.cylinder(0.6, 0.3), identity],
      ['capsule', world.capsule(0.3, 0.6), about([0, 0, 1], Math.PI / 2)],
      ['lying cylinder', world.cylinder(0.3, 0.6), about([0, 0, 1], Math.PI / 2)],
    ];
    for (const surface of [roofMesh, roofField]) {
      for (const [name, body, stand] of bodies) {
        for (let i = 0; i < 40; i++) {
          const x = 0.2 * (2 * next() - 1);
          const all = world.collide(body, surface, [x, 0.3 - 1e-3, 2 * next() - 1], stand).manifolds;
          // A slope may report the line above it, apart but within the margin.
          const manifolds = all.filter((m) => m.contacts.some((c) => c.separation < -9e-4));
          const where = `${name} ${x}`;
          expect(manifolds.length, where).toBe(1);
          expect(manifolds[0].normal[1], where).toBeLessThan(-0.9999);
          for (const { point, separation } of manifolds[0].contacts) {
            // On the ridge, or a point of the slopes within the margin.
            expect(Math.abs(separation + 1e-3 - slope * Math.abs(point[0])), where).toBeLessThan(2e-5);
          }
          const onRidge = manifolds[0].contacts.filter((c) => Math.abs(c.point[0]) < 1e-3);
          expect(onRidge.length, where).toBe(name.includes('apsule') || name.includes('lying') ? 1 : 2);
        }
      }
    }
  });

  test('a box at the edge of a table, flat or tilted a little, is pushed up, not sideways', () => {
    const next = random(43);
    // A solid block 2 x 1 x 2, top at y = 0.
    const positions = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 1 : -1, i & 2 ? 0 : -1, i & 4 ? 1 : -1]);
    const indices = [
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 2, 3, 1],
      [4, 5, 7, 6],
    ].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
    const table = world.mesh(cookMesh(positions, indices));
    for (const [body, half] of [
      [world.box(0.5, 0.2, 0.5), 0.2],
      [world.box(3, 0.2, 3), 0.2], // wider than the table
    ]) {
      for (let i = 0; i < 200; i++) {
        const tilt = i % 2 === 0 ? 0 : 0.02 * (2 * next() - 1);
        const x = 0.45 + 0.95 * next();
        const { manifolds } = world.collide(body, table, [x, half - 1e-3, 0.5 * next()], about([0, 0, 1], tilt));
        for (const { normal, contacts } of manifolds) {
          expect(normal[1], `tilt ${tilt}`).toBeLessThan(-0.99);
          for (const c of contacts) expect(c.separation).toBeGreaterThan(-0.08);
        }
        if (tilt === 0) expect(manifolds.length).toBe(1);
      }
    }
  });

  test('a box on a cliff of a heightfield does not feel the cliff from within', () => {
    const next = random(44);
    const heights = Array.from({ length: 81 }, (_, i) => (i % 9 < 5 ? 0 : -3));
    const cliff = world.heightfield(cookHeightfield(heights, { nx: 9, nz: 9, spacing: 1, origin: [-4, 0, -4] }));
    const box = world.box(0.5, 0.3, 0.5);
    for (let i = 0; i < 300; i++) {
      // The front of the box near the edge at x = 0, sunk in by up to 5 mm.
      const depth = 5e-3 * next();
      const p: Vec = [-0.5 + 0.06 * (next() - 0.5), 0.3 - depth, 4 * next() - 2];
      const { manifolds } = world.collide(box, cliff, p);
      expect(manifolds.length).toBe(1);
      expect(manifolds[0].normal[1]).toBeLessThan(-0.99999);
      for (const c of manifolds[0].contacts) expect(Math.abs(c.separation + depth)).toBeLessThan(1e-5);
    }
  });

  test('a box in the corner of floor and wall touches both with their own normals', () => {
    const floor = gridMesh(8, 4);
    const positions = [...floor.positions];
    const indices = [...floor.indices];
    const base = positions.length / 3;
    for (let j = 0; j <= 8; j++) for (let i = 0; i <= 8; i++) positions.push(-4, j, -4 + i);
    for (let j = 0; j < 8; j++) {
      for (let i = 0; i < 8; i++) {
        const a = base + j * 9 + i;
        indices.push(a, a + 9, a + 10, a, a + 10, a + 1);
      }
    }
    const room = world.mesh(cookMesh(positions, indices));
    const box = world.box(0.5, 0.5, 0.5);
    for (let i = 0; i < 60; i++) {
      const { manifolds } = world.collide(box, room, [-3.5 - 1e-3, 0.5 - 2e-3, -2 + 0.07 * i]);
      expect(manifolds.length).toBe(2);
      for (const { normal, contacts } of manifolds) {
        const down = normal[1] < -0.5;
        expect(normal[down ? 1 : 0]).toBeLessThan(-0.99999);
        expect(contacts.length).toBe(4);
        for (const c of contacts) expect(Math.abs(c.separation + (down ? 2e-3 : 1e-3))).toBeLessThan(1e-5);
      }
    }
  });
});

describe('sides', () => {
  const flat = gridMesh(8, 4);
  const mesh = world.mesh(cookMesh(flat.positions, flat.indices));
  const field = world.heightfield(cookHeightfield(new Array(81).fill(0), { nx: 9, nz: 9, spacing: 1, origin: [-4, 0, -4] }));
  const bodies: [string, number, number][] = [
    ['sphere', world.sphere(0.3), 0.3],
    ['capsule', world.capsule(0.1, 0.2), 0.3],
    ['box', world.box(0.3, 0.3, 0.3), 0.3],
    ['cylinder', world.cylinder(0.2, 0.3), 0.3],
    ['cone', world.cone(0.2, 0.3), 0.3],
    [
      'hull',
      world.hull(
        cookHull(
          convexHull([0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, i & 4 ? 0.3 : -0.3])),
        ),
      ),
      0.3,
    ],
  ];
  for (const [name, body, half] of bodies) {
    for (const [surfaceName, surface] of [
      ['mesh', mesh],
      ['heightfield', field],
    ] as [string, number][]) {
      test(`${name} that sinks through a ${surfaceName} is pushed back to where it came from, from either side`, () => {
        for (const side of [1, -1]) {
          world.forget();
          for (const height of [0.29, 0.15, 0.01, -0.01, -0.1, -0.25]) {
            const p: Vec = [0.13 + 0.1 * height, side * height, 0.21];
            const { manifolds } = world.collide(body, surface, p, identity, 0.02, true);
            expect(manifolds.length, `side ${side} height ${height}`).toBe(1);
            const { normal, contacts } = manifolds[0];
            expect(Math.abs(normal[1] + side), `side ${side} height ${height}`).toBeLessThan(1e-5);
            expect(Math.abs(Math.min(...contacts.map((c) => c.separation)) - (height - half))).toBeLessThan(1e-5);
          }
          // Quite through: apart, and forgotten.
          expect(world.collide(body, surface, [0.1, -side * (half + 0.1), 0.2], identity, 0.02, true).manifolds.length).toBe(0);
          const back = world.collide(body, surface, [0.1, -side * (half - 0.01), 0.2], identity, 0.02, true);
          expect(Math.abs(back.manifolds[0].normal[1] - side)).toBeLessThan(1e-5);
        }
      });
    }
  }

  test('between two sheets with the same front a body is held by both', () => {
    const positions = [...flat.positions, ...flat.positions.map((x, i) => (i % 3 === 1 ? 1 : x))];
    const indices = [...flat.indices, ...flat.indices.map((i) => i + flat.positions.length / 3)];
    const sheets = world.mesh(cookMesh(positions, indices));
    const box = world.box(0.5, 0.501, 0.5);
    world.forget();
    for (let i = 0; i < 20; i++) {
      const { manifolds } = world.collide(box, sheets, [0.05 * i, 0.5, 0.3], identity, 0.02, true);
      expect(manifolds.map((m) => Math.round(m.normal[1])).sort()).toEqual([-1, 1]);
    }
  });
});

test('far from the origin of a large mesh a plane stays a plane', () => {
  const grid = gridMesh(40, 20);
  const shifted = grid.positions.map((x, i) => (i % 3 === 1 ? x + 3 : x + 900));
  const mesh = world.mesh(cookMesh(shifted, grid.indices));
  const box = world.box(0.5, 0.5, 0.5);
  const next = random(51);
  for (let i = 0; i < 200; i++) {
    const p: Vec = [900 + 4 * next(), 3.5, 900 + 4 * next()];
    const { manifolds } = world.collide(box, mesh, p, about([0, 1, 0], 6 * next()));
    expect(manifolds.length).toBe(1);
    expect(Math.hypot(manifolds[0].normal[0], manifolds[0].normal[2])).toBeLessThan(2e-6);
    const s = manifolds[0].contacts.map((c) => c.separation);
    expect(manifolds[0].contacts.length).toBe(4);
    expect(Math.max(...s) - Math.min(...s)).toBeLessThan(2e-6);
  }
});

test('rough ground, any pose: finite numbers, a true bound, contacts wherever the body cuts the ground', () => {
  const next = random(61);
  const ground = gridMesh(16, 4, (x, z) => 0.4 * Math.sin(2 * x) * Math.cos(3 * z) + 0.1 * next());
  const mesh = world.mesh(cookMesh(ground.positions, ground.indices));
  const v = (i: number): Vec => [0, 1, 2].map((k) => Math.fround(ground.positions[3 * i + k])) as Vec;
  const triangles = Array.from({ length: ground.indices.length / 3 }, (_, t) =>
    [0, 1, 2].map((k) => v(ground.indices[3 * t + k])),
  );
  let apart = 0;
  for (let round = 0; round < (isLong ? 8 : 3); round++) {
    for (const body of bodiesOf(0.5, next)) {
      for (let i = 0; i < 12; i++) {
        const q = randomQuat(next);
        const p: Vec = [4 * next() - 2, 1.6 * next() - 0.2, 4 * next() - 2];
        const result = world.collide(body.shape, mesh, p, q);
        sane(result);
        expect(result.manifolds.length).toBeLessThanOrEqual(32);
        if (result.manifolds.length !== 0) continue;
        apart++;
        for (const triangle of triangles) {
          if (Math.min(...triangle.map((c) => Math.hypot(...sub(c, p)))) > 2) continue;
          expect(result.gap).toBeLessThanOrEqual(distance(body, p, q, triangle) + 1e-5);
        }
      }
    }
  }
  expect(apart).toBeGreaterThan(30);
});

test('degenerate poses give no NaN', () => {
  const flat = gridMesh(4, 2);
  const mesh = world.mesh(cookMesh(flat.positions, flat.indices));
  const next = random(71);
  for (const body of bodiesOf(1, next)) {
    for (const p of [
      [0, 0, 0],
      [1, 0, 1],
      [0.5, 0, 0.5],
      [-2, 0, -2],
      [0, 1e-7, 0],
      [0, -1e-7, 0],
      [0, -0.5, 0],
      [2, 0, 0.3],
    ] as Vec[]) {
      for (const q of [identity, about([1, 0, 0], Math.PI / 2), about([0, 0, 1], Math.PI), about([0, 1, 0], Math.PI / 4)])
        sane(world.collide(body.shape, mesh, p, q));
    }
  }
});

test('a huge box over many triangles fits into the manifolds', () => {
  const next = random(81);
  const rough = gridMesh(60, 6, () => 0.2 * next());
  const mesh = world.mesh(cookMesh(rough.positions, rough.indices));
  const result = world.collide(world.box(5, 1, 5), mesh, [0, 1.1, 0]);
  sane(result);
  expect(result.manifolds.length).toBeGreaterThan(0);
  expect(result.manifolds.length).toBeLessThanOrEqual(32);
});
