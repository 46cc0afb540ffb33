// Flat bodies that come down on their edge and go on rocking, as a coin does: the other side of the face hits the ground within
// one step, from above what counts as near when everything rests. No point of the rim may be seen below the ground.
import { describe, expect, test } from 'vitest';
import { createWorld, type ShapeDesc } from '../../src/index';
import { flatMesh, position, rotate, turn, type V3 } from '../helpers/ground';

const RADIUS = 0.35;
/** Points of the outline at height y of the body. */
const ring = (y: number, sides: number): V3[] =>
  Array.from({ length: sides }, (_, i) => {
    const a = (2 * Math.PI * i) / sides;
    return [RADIUS * Math.cos(a), y, RADIUS * Math.sin(a)];
  });
const corners: V3[] = [-1, 1].flatMap((x) => [-1, 1].map((z): V3 => [x * RADIUS, -0.1, z * RADIUS]));

/** Name, shape, height of its origin over its base, points of its base. */
const BODIES: [string, ShapeDesc, number, V3[]][] = [
  ['cylinder', { type: 'cylinder', radius: RADIUS, halfHeight: 0.1 }, 0.1, ring(-0.1, 64)],
  ['cone', { type: 'cone', radius: RADIUS, halfHeight: 0.25 }, 0.25, ring(-0.25, 64)],
  ['box', { type: 'box', halfExtents: [RADIUS, 0.1, RADIUS] }, 0.1, corners],
  ['hull', { type: 'hull', points: [...ring(-0.1, 16), ...ring(0.1, 16)].flat() }, 0.1, ring(-0.1, 16)],
];
const GROUNDS: [string, ShapeDesc, number][] = [
  ['box', { type: 'box', halfExtents: [3, 1, 3] }, -1],
  ['mesh', flatMesh(1.8, 12), 0],
];

describe.each(GROUNDS)('rocking on a %s', (_ground, ground, y) => {
  test.each(BODIES)('%s: less than 6 mm deep in every step', async (_name, desc, height, outline) => {
    let lowest = 0;
    for (let k = 0; k < 24; k++) {
      const world = await createWorld();
      world.createBody({ type: 'static', shape: world.createShape(ground), position: [0, y, 0] });
      const angle = 0.05 + 0.02 * (k % 6);
      const axis: V3 = [Math.cos(0.7 * k), 0, Math.sin(0.7 * k)];
      const id = world.createBody({
        shape: world.createShape(desc),
        position: [0.013 * k, height + 0.4 * Math.sin(angle) + 0.05, -0.013 * k],
        rotation: turn(axis, angle),
        angularVelocity: [3 * axis[0], 2, 3 * axis[2]],
      });
      for (let step = 0; step < 90; step++) {
        world.step();
        const q = world.getRotation(id, [0, 0, 0, 0]);
        const at = position(world, id)[1];
        for (const p of outline) lowest = Math.min(lowest, at + rotate(q, p)[1]);
      }
      world.dispose();
    }
    expect(lowest).toBeGreaterThan(-0.006);
  });
});
