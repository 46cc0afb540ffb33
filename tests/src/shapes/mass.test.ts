import { describe, expect, it } from 'vitest';
import { convexHull } from '../../../src/shapes/hull';
import {
  boxMass,
  capsuleMass,
  combineMass,
  coneMass,
  cylinderMass,
  inertiaAbout,
  type MassProperties,
  polyhedronMass,
  rotateMass,
  scaleMass,
  sphereMass,
  translateMass,
} from '../../../src/shapes/mass';
import { seeded } from '../../helpers/random';

function expectSame(a: MassProperties, b: MassProperties, tolerance = 1e-12): void {
  const scale = Math.max(...b.inertia.map(Math.abs), 1e-30);
  expect(Math.abs(a.mass - b.mass)).toBeLessThanOrEqual(tolerance * b.mass);
  for (let i = 0; i < 3; i++)
    expect(Math.abs(a.center[i]! - b.center[i]!)).toBeLessThanOrEqual(tolerance * Math.cbrt(b.mass) * 10);
  for (let i = 0; i < 6; i++) expect(Math.abs(a.inertia[i]! - b.inertia[i]!)).toBeLessThanOrEqual(tolerance * scale);
}

const cube = (hx: number, hy: number, hz: number): number[] =>
  [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1].map((v, i) => v * [hx, hy, hz][i % 3]!);

/** Prism of n sides that has the volume of a cylinder and, for n -> infinity, its inertia. */
function lathe(profile: readonly (readonly [radius: number, y: number])[], n: number): MassProperties {
  const vertices: number[] = [];
  for (const [r, y] of profile)
    for (let i = 0; i < n; i++) vertices.push(r * Math.cos((2 * Math.PI * i) / n), y, r * Math.sin((2 * Math.PI * i) / n));
  const faces: number[][] = [];
  for (let k = 0; k + 1 < profile.length; k++) {
    for (let i = 0; i < n; i++) faces.push([k * n + i, (k + 1) * n + i, (k + 1) * n + ((i + 1) % n), k * n + ((i + 1) % n)]);
  }
  faces.push(Array.from({ length: n }, (_, i) => i));
  faces.push(Array.from({ length: n }, (_, i) => (profile.length - 1) * n + (n - 1 - i)));
  return polyhedronMass(vertices, faces);
}

describe('mass properties', () => {
  it('knows the textbook values', () => {
    expectSame(
      sphereMass(2),
      {
        mass: (32 / 3) * Math.PI,
        center: [0, 0, 0],
        inertia: [17.0667 * Math.PI, 17.0667 * Math.PI, 17.0667 * Math.PI, 0, 0, 0],
      },
      3e-6,
    );
    expectSame(boxMass(1, 2, 3), { mass: 48, center: [0, 0, 0], inertia: [208, 160, 80, 0, 0, 0] });
    expectSame(cylinderMass(1, 0.5), {
      mass: Math.PI,
      center: [0, 0, 0],
      inertia: [Math.PI / 3, Math.PI / 2, Math.PI / 3, 0, 0, 0],
    });
    // Cone of height 4 and radius 2: m = 16 pi / 3, axis 3/10 m r2, across through the centroid 3/20 m r2 + 3/80 m h2.
    const m = (16 * Math.PI) / 3;
    expectSame(coneMass(2, 2), { mass: m, center: [0, -1, 0], inertia: [1.2 * m, 1.2 * m, 1.2 * m, 0, 0, 0] });
  });

  it('makes a ball of a capsule without segment and adds its parts exactly', () => {
    expectSame(capsuleMass(1.5, 0), sphereMass(1.5));
    // Against a body of revolution cut into many slices.
    const profile: [number, number][] = [];
    for (let i = 0; i <= 400; i++) {
      const a = (Math.PI * i) / 400 - Math.PI / 2;
      profile.push([Math.max(1e-9, 0.7 * Math.cos(a)), 0.7 * Math.sin(a) + (i < 200 ? -1.1 : 1.1)]);
      if (i === 200) profile.splice(profile.length - 1, 0, [0.7, -1.1]);
    }
    expectSame(lathe(profile, 400), capsuleMass(0.7, 1.1), 2e-4);
  });

  it('agrees with prisms and pyramids of many sides', () => {
    expectSame(
      lathe(
        [
          [1.3, -0.4],
          [1.3, 0.4],
        ],
        2000,
      ),
      cylinderMass(1.3, 0.4),
      1e-5,
    );
    expectSame(
      lathe(
        [
          [1.3, -0.4],
          [1e-9, 0.4],
        ],
        2000,
      ),
      coneMass(1.3, 0.4),
      1e-5,
    );
  });

  it('integrates polyhedra exactly, near and far from the origin', () => {
    expectSame(convexHull(cube(1, 2, 3)).mass, boxMass(1, 2, 3));
    // Unit tetrahedron: volume 1/6, centroid 1/4, inertia about the centroid 1/80 and products 1/480.
    const t = polyhedronMass(
      [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
      [
        [0, 2, 1],
        [0, 1, 3],
        [0, 3, 2],
        [1, 2, 3],
      ],
    );
    expectSame(t, { mass: 1 / 6, center: [0.25, 0.25, 0.25], inertia: [1 / 80, 1 / 80, 1 / 80, 1 / 480, 1 / 480, 1 / 480] });
    const far = cube(1, 2, 3).map((v, i) => v + [1e4, -2e4, 3e4][i % 3]!);
    expectSame(convexHull(far).mass, translateMass(boxMass(1, 2, 3), [1e4, -2e4, 3e4]), 1e-9);
  });

  it('cuts a hull by moving parts: a box of two halves', () => {
    const half = boxMass(0.5, 2, 3);
    const whole = combineMass([translateMass(half, [-0.5, 0, 0]), translateMass(half, [0.5, 0, 0])]);
    expectSame(whole, boxMass(1, 2, 3));
    // A dumbbell of different densities.
    const d = combineMass([
      translateMass(scaleMass(sphereMass(1), 3), [2, 0, 0]),
      translateMass(scaleMass(sphereMass(1), 1), [-2, 0, 0]),
    ]);
    const m = (4 / 3) * Math.PI;
    expectSame(d, { mass: 4 * m, center: [1, 0, 0], inertia: [1.6 * m, 1.6 * m + 12 * m, 1.6 * m + 12 * m, 0, 0, 0] });
    expect(combineMass([])).toEqual({ mass: 0, center: [0, 0, 0], inertia: [0, 0, 0, 0, 0, 0] });
  });

  it('turns tensors and centres like the shape itself', () => {
    const random = seeded(4);
    for (let k = 0; k < 50; k++) {
      const points = Array.from({ length: 60 }, () => random() * 4 - 1);
      const hull = convexHull(points);
      const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
      const length = Math.hypot(...q);
      const [x, y, z, w] = q.map((v) => v / length) as [number, number, number, number];
      const turned: number[] = [];
      for (let i = 0; i < hull.vertices.length; i += 3) {
        const [px, py, pz] = hull.vertices.subarray(i, i + 3) as unknown as [number, number, number];
        // q p q*, by t = 2 u x p.
        const t = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)] as const;
        turned.push(
          px + w * t[0] + y * t[2] - z * t[1],
          py + w * t[1] + z * t[0] - x * t[2],
          pz + w * t[2] + x * t[1] - y * t[0],
        );
      }
      expectSame(rotateMass(hull.mass, [x, y, z, w]), polyhedronMass(turned, hull.faces), 1e-10);
    }
  });

  it('moves inertia to other points', () => {
    expect(inertiaAbout(boxMass(1, 1, 1), [1, 0, 0])).toEqual(
      [16 / 3, 16 / 3 + 8, 16 / 3 + 8, 0, 0, 0].map((v) => expect.closeTo(v, 12)),
    );
    expect(inertiaAbout(boxMass(1, 1, 1), [1, 2, 0])[3]).toBeCloseTo(-16, 12);
  });
});
