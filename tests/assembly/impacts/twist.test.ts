// An impact of two faces with friction, of boxes that spin about its normal: the total angular momentum stays, and both are braked.
import { expect, it } from 'vitest';
import { Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

/** Two boxes that meet with these spins about the normal. */
function meet(spinA: number, spinB: number) {
  const world = new BoxWorld();
  world.setF32(Header.gravityY, 0);
  const options = { friction: 0.6, restitution: 0.5, density: 400 };
  world.box([0, 0, 0], [0.5, 0.4, 0.6], options);
  world.box([0, 0.4 + 0.3 + 0.04, 0], [0.4, 0.3, 0.45], options);
  const half = [
    [0.5, 0.4, 0.6],
    [0.4, 0.3, 0.45],
  ] as const;
  const moments = half.map(([x, y, z]) => ((8 * x * y * z * 400) / 3) * (x * x + z * z));
  world.core.setVelocity(0, 0, 1, 0, 0, spinA, 0);
  world.core.setVelocity(1, 0, -5, 0, 0, spinB, 0);
  world.step(4);
  const after = [0, 1].map((body) => world.angularVelocity(body)[1]!) as [number, number];
  const all = (w: number[]) => w.reduce((sum, x, i) => sum + x * moments[i]!, 0);
  expect(world.linearVelocity(1)[1]!).toBeGreaterThan(world.linearVelocity(0)[1]! + 1);
  expect(Math.abs(all(after) / all([spinA, spinB]) - 1)).toBeLessThan(2e-3);
  return after;
}

it('friction about the normal turns one box as it brakes the other', () => {
  const [a, b] = meet(0.4, 3);
  expect(a).toBeGreaterThan(0.6);
  expect(b).toBeLessThan(2.8);
});

it('boxes that spin nearly alike stop turning against each other', () => {
  const [a, b] = meet(2.8, 3);
  expect(Math.abs(a - b)).toBeLessThan(0.05);
});
