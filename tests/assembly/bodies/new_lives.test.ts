// What a body starts with: a slot that is used again, and velocities that are too fast.
import { expect, it } from 'vitest';
import { BodyRow, Header } from '../../../src/layout.generated';
import { coreBodies } from '../../helpers/core_bodies';

it('a slot that is used again has moved and turned by nothing', () => {
  const world = coreBodies();
  const { core } = world;
  world.body({ at: [1, 2, 3] });
  const body = world.body({ at: [4, 5, 6], extent: 0.5 });
  core.setVelocity(body, 3, -4, 5, 6, 1, -2);
  for (let i = 0; i < 4; i++) core.step();
  const paths = [Header.paths, Header.turnPaths, Header.motions];
  for (const field of paths) expect(world.double(field, body)).toBeGreaterThan(0.05);
  core.removeBody(body);
  expect(core.createBody(2, 7, 8, 9, 0, 0, 0, 1) >>> 0).toBe(body);
  for (const field of paths) expect(world.double(field, body)).toBe(0);
});

it('all bodies start a step within the limits of speed', () => {
  const world = coreBodies();
  world.setHeaderFloat(Header.maxLinearSpeed, 30);
  world.setHeaderFloat(Header.maxAngularSpeed, 8);
  const bodies = [0, 1, 2, 3].map((i) => world.body({ at: [2 * i, 0, i] }));
  for (const body of bodies) world.core.setVelocity(body, 30 + body, 40, -50, 3, 14, 15 + body);
  world.core.limitSpeeds();
  for (const body of bodies) {
    expect(Math.hypot(...world.get('row', body, BodyRow.vx))).toBeCloseTo(30, 3);
    expect(Math.hypot(...world.get('row', body, BodyRow.wx))).toBeCloseTo(8, 3);
  }
});
