// Round shapes on ridges so blunt that they hardly are: seen along the normal of either slope the lowest point of the shape lies
// beyond the edge, and still it has a contact as deep as it is. Angles on both sides of the one up to which an edge is flat.
import { describe, expect, test } from 'vitest';
import { cookHeightfield } from '../../../src/shapes/heightfield';
import { cookMesh } from '../../../src/shapes/mesh';
import { about, type Quat, surfaceWorld } from '../../helpers/surfaces';

const world = surfaceWorld();
const DEPTH = 1e-3;

/** A roof with its ridge along z at height 0; the normals of its slopes differ by `angle`. */
function roof(angle: number): [string, number][] {
  const y = -4 * Math.tan(angle / 2);
  const mesh = cookMesh([-4, y, -4, -4, y, 4, 0, 0, -4, 0, 0, 4, 4, y, -4, 4, y, 4], [0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4]);
  const heights = [y, 0, y, y, 0, y, y, 0, y];
  return [
    ['mesh', world.mesh(mesh)],
    ['heightfield', world.heightfield(cookHeightfield(heights, { nx: 3, nz: 3, spacing: 4, origin: [-4, 0, -4] }))],
  ];
}

const alongZ: Quat = about([1, 0, 0], Math.PI / 2);
const half = Math.atan2(0.4, 1);
// A cone (radius 0.4, half height 0.5) with its side line along z, downwards: its distance from the middle of the axis.
const coneLow = (0.5 * 0.4) / Math.hypot(1, 0.4);
/** Name, shape, how it stands, height of its origin over its lowest point, radius of curvature there. */
const bodies: [string, number, Quat, number, number][] = [
  ['sphere', world.sphere(0.4), [0, 0, 0, 1], 0.4, 0.4],
  ['lying capsule', world.capsule(0.3, 0.4), alongZ, 0.3, 0.3],
  ['standing capsule', world.capsule(0.3, 0.4), [0, 0, 0, 1], 0.7, 0.3],
  ['lying cylinder', world.cylinder(0.3, 0.4), alongZ, 0.3, 0.3],
  ['lying cone', world.cone(0.4, 0.5), about([1, 0, 0], Math.PI / 2 + half), coneLow, coneLow],
  ['lying cone, the other way', world.cone(0.4, 0.5), about([1, 0, 0], -Math.PI / 2 - half), coneLow, coneLow],
];

for (const degrees of [0.3, 0.6, 0.75, 0.9, 1.5, 3]) {
  const angle = (degrees * Math.PI) / 180;
  for (const [surfaceName, surface] of roof(angle)) {
    describe(`${surfaceName}, ridge of ${degrees} degrees`, () => {
      test.each(bodies)('%s', (name, body, q, low, radius) => {
        for (let i = -8; i <= 8; i++) {
          // Across the wedge between the normals and a little beyond.
          const x = (i / 8) * 0.7 * angle * radius;
          const { manifolds } = world.collide(body, surface, [x, low - DEPTH, 0.013], q);
          const deepest = Math.min(...manifolds.flatMap((m) => m.contacts.map((c) => c.separation)));
          // Distance of the round side's center to the ridge or to a slope.
          const height = radius - DEPTH;
          const beyond = Math.abs(x) > height * Math.tan(angle / 2);
          const distance = beyond ? height * Math.cos(angle / 2) + Math.abs(x) * Math.sin(angle / 2) : Math.hypot(x, height);
          expect(Math.abs(deepest - (distance - radius)), `${name} at ${x}: ${deepest}`).toBeLessThan(2e-4);
        }
      });
    });
  }
}
