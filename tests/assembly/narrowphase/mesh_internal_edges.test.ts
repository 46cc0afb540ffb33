// A body on a triangulated plane feels the plane, not its triangles: only vertical normals, no contact deeper than on one
// plane, at any place and heading, over straight and diagonal edges, touching, apart and 1 mm deep. On a mesh and on a
// heightfield.
import { describe, expect, test } from 'vitest';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { convexHull, cookHull } from '../../../src/shapes/hull';
import { cookMesh } from '../../../src/shapes/mesh';
import { about, gridMesh, type Quat, random, surfaceWorld, type Vec } from '../../helpers/surfaces';

const world = surfaceWorld();
const grid = gridMesh(8, 4); // 128 triangles of 1 m
const fine = gridMesh(20, 2); // 0.2 m: many under one body
const surfaces: [string, number][] = [
  ['mesh', world.mesh(cookMesh(grid.positions, grid.indices))],
  ['fine mesh', world.mesh(cookMesh(fine.positions, fine.indices))],
  ['heightfield', world.heightfield(cookHeightfield(new Array(81).fill(0), { nx: 9, nz: 9, spacing: 1, origin: [-4, 0, -4] }))],
];
const points: number[] = [];
for (let i = 0; i < 10; i++) {
  const a = (2 * Math.PI * i) / 10;
  for (const y of [-0.4, 0.4]) points.push(0.5 * Math.cos(a), y, 0.5 * Math.sin(a));
}
const hull = cookHull(convexHull(points));

/** Name, shape, how it stands, height of its lowest point below its origin, points that a rest contact must have. */
const lying = about([0, 0, 1], Math.PI / 2);
const coneSlant = Math.atan2(0.4, 1);
const bodies: [string, number, Quat, number, number][] = [
  ['box', world.box(0.5, 0.4, 0.3), [0, 0, 0, 1], 0.4, 4],
  ['sphere', world.sphere(0.5), about([0.6, 0.8, 0], 1), 0.5, 1],
  ['lying capsule', world.capsule(0.25, 0.5), lying, 0.25, 2],
  ['standing capsule', world.capsule(0.25, 0.5), [0, 0, 0, 1], 0.75, 1],
  ['standing cylinder', world.cylinder(0.4, 0.5), [0, 0, 0, 1], 0.5, 4],
  ['lying cylinder', world.cylinder(0.4, 0.5), lying, 0.4, 2],
  ['standing cone', world.cone(0.4, 0.5), [0, 0, 0, 1], 0.5, 4],
  ['lying cone', world.cone(0.4, 0.5), about([0, 0, 1], Math.PI / 2 + coneSlant / 1), Number.NaN, 2],
  ['hull', world.hull(hull), [0, 0, 0, 1], 0.4, 4],
];

function multiply([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

for (const [surfaceName, surface] of surfaces) {
  describe(surfaceName, () => {
    for (const [name, body, stand, lowest, wanted] of bodies) {
      test(`${name} slides without a bump`, () => {
        const next = random(7);
        // A lying cone: its side line is horizontal; the distance of its middle (y = 0) from that line.
        const height = Number.isNaN(lowest) ? (0.5 * 0.4) / Math.hypot(1, 0.4) : lowest;
        for (const heading of [0, 0.3, Math.PI / 4, 1.1, Math.PI / 2, 2.5]) {
          for (const depth of [1e-3, 0, -5e-3, 1e-4]) {
            for (let step = 0; step < 30; step++) {
              const along = -1.2 + (2.4 * step) / 29 + (step % 3 === 0 ? 0 : 1e-4 * next());
              const across = step % 5 === 0 ? 0 : 0.3 * next();
              const p: Vec = [
                along * Math.cos(heading) - across * Math.sin(heading),
                height - depth,
                along * Math.sin(heading) + across * Math.cos(heading),
              ];
              const q = multiply(about([0, 1, 0], heading * 1.7), stand);
              const { manifolds } = world.collide(body, surface, p, q);
              const where = `${name} at ${p} heading ${heading} depth ${depth}`;
              expect(manifolds.length, where).toBe(1);
              const { normal, contacts } = manifolds[0];
              expect(Math.hypot(normal[0], normal[2]), where).toBeLessThan(2e-6);
              expect(normal[1], where).toBeLessThan(-0.999999);
              expect(contacts.length, where).toBe(wanted);
              for (const { point, separation } of contacts) {
                expect(Math.abs(separation + depth), where).toBeLessThan(2e-6);
                expect(Math.abs(point[1] - separation), where).toBeLessThan(2e-6);
              }
            }
          }
        }
      });
    }

    test('a box keeps its four corners', () => {
      const next = random(3);
      for (let i = 0; i < 200; i++) {
        const q = about([0, 1, 0], 6 * next());
        const p: Vec = [2 * next() - 1, 0.4 - 1e-3, 2 * next() - 1];
        const { manifolds } = world.collide(bodies[0][1], surface, p, q);
        const xs = manifolds[0].contacts.map((c) => Math.hypot(c.point[0] - p[0], c.point[2] - p[2]));
        for (const x of xs) expect(Math.abs(x - Math.hypot(0.5, 0.3))).toBeLessThan(1e-3);
      }
    });

    test('tilted boxes touch with their lowest corner or edge, vertically and no deeper', () => {
      const next = random(5);
      for (let i = 0; i < 500; i++) {
        const tilt = i % 5 === 0 ? 1e-3 * next() : i % 5 === 1 ? 0.01 * next() : 1.5 * next();
        const a = 6.3 * next();
        const q = multiply(about([Math.cos(a), 0, Math.sin(a)], tilt), about([0, 1, 0], 6 * next()));
        const m = [0, 1, 2].map((k) => {
          const c = [2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]), 2 * (q[1] * q[2] - q[0] * q[3])];
          return Math.abs(c[k]);
        });
        const reach = 0.5 * m[0] + 0.4 * m[1] + 0.3 * m[2];
        const depth = 2e-3 * next();
        const p: Vec = [2 * next() - 1, reach - depth, 2 * next() - 1];
        const { manifolds } = world.collide(bodies[0][1], surface, p, q);
        expect(manifolds.length).toBe(1);
        expect(Math.hypot(manifolds[0].normal[0], manifolds[0].normal[2])).toBeLessThan(2e-6);
        const deepest = Math.min(...manifolds[0].contacts.map((c) => c.separation));
        expect(Math.abs(deepest + depth), `tilt ${tilt}`).toBeLessThan(2e-6);
      }
    });
  });
}
