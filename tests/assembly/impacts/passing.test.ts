// A body that bounces far ahead in a step goes on with its new velocity from where it met the other one, for the rest of the step.
import { expect, it } from 'vitest';
import { Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { add, dot, norm, scale, sub } from '../../helpers/vectors';

const DT = 1 / 60;

/** A ball that flies at a second one, which touches a third one. */
function shoot(speed: number, share: number, restitution: number) {
  const world = new BoxWorld();
  world.setF32(Header.gravityY, 0);
  const options = { friction: 0, restitution, density: 500 };
  const [ra, rb] = [0.2, 0.35];
  const target = [1, 2, -1];
  // Off the middle.
  const side = [0.6, 0.64, -0.48];
  const way = [0.8, -0.6, 0];
  const met = add(target, scale(sub(scale(side, 0.3), scale(way, 1)), (ra + rb) / norm(sub(scale(side, 0.3), way))));
  const start = sub(met, scale(way, speed * DT * share));
  world.sphere(start, ra, options);
  world.sphere(target, rb, options);
  world.sphere(add(target, [0, 0, rb + 0.25]), 0.25, options);
  world.core.setVelocity(0, ...scale(way, speed), 0, 0, 0);
  return { world, met, start, velocity: scale(way, speed) };
}

it.each([
  [60, 0.35, 0.7],
  [90, 0.6, 0.4],
  [45, 0.8, 1],
])('at %d m/s, met at %d of the step, restitution %d', (speed, share, restitution) => {
  const { world, met, velocity } = shoot(speed, share, restitution);
  world.step();
  const after = world.linearVelocity(0);
  expect(dot(after, velocity)).toBeLessThan(0.6 * speed * speed);
  expect(norm(sub(after, velocity))).toBeGreaterThan(0.2 * speed);
  const expected = add(met, scale(after, DT * (1 - share)));
  for (const [i, x] of expected.entries()) expect(Math.abs(world.position(0)[i]! - x)).toBeLessThan(0.01);
});
