// Settings that change between steps: another margin looks at all pairs again; gravity along any axis keeps bodies from resting in air.
import { expect, it } from 'vitest';
import { BODY_STATIC, Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

it('a pair that was too far apart is looked at again with another margin', () => {
  const world = new BoxWorld();
  world.setF32(Header.gravityY, 0);
  world.setF32(Header.speculativeMargin, 0.01);
  world.box([0, -0.5, 0], [5, 0.5, 5], { type: BODY_STATIC });
  world.box([1, 0.33, 2], [0.4, 0.3, 0.2]);
  world.step(4);
  expect(world.u32(Header.pairCount)).toBe(1);
  expect(world.u32(Header.contactCount)).toBe(0);
  world.setF32(Header.speculativeMargin, 0.1);
  world.step();
  expect(world.u32(Header.contactCount)).toBeGreaterThan(0);
});

it.each([
  ['gravityX', 0],
  ['gravityY', 0],
  ['gravityZ', 0],
  ['gravityZ', 1],
] as const)('a slow body in the air does not fall asleep under %s alone, but without gravity', (axis, none) => {
  const world = new BoxWorld();
  world.setF32(Header.gravityY, 0);
  world.setU32(Header.sleep, 1);
  world.setF32(Header.sleepSpeed, 5);
  world.setF32(Header.sleepTime, 0.05);
  if (!none) world.setF32(Header[axis], -2);
  world.box([0, 9, 0], [0.4, 0.3, 0.2]);
  world.step(20);
  expect(world.u32(Header.sleepingCount)).toBe(none);
});
