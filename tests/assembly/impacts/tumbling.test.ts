// A ball and a plate that tumbles fast, in one step: they hit each other where a fine integration of their free motion overlaps, and
// where it does not nothing happens to them.
import { expect, it } from 'vitest';
import { Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { add, multiply, norm, scale, sub, turned, turnedBack, unit } from '../../helpers/vectors';

type V = number[];
const DT = 1 / 60;
const HALF = [0.9, 0.1, 0.5];
const RADIUS = 0.25;
/** Moments by mass. */
const MOMENTS = [(HALF[1]! ** 2 + HALF[2]! ** 2) / 3, (HALF[0]! ** 2 + HALF[2]! ** 2) / 3, (HALF[0]! ** 2 + HALF[1]! ** 2) / 3];

/** Distance of a ball from a box at the origin. */
function distance(q: V, ball: V): number {
  const local = turnedBack(q, ball).map(Math.abs);
  const out = local.map((x, i) => x - HALF[i]!);
  const outside = Math.hypot(...out.map((x) => Math.max(x, 0)));
  return (outside > 0 ? outside : Math.max(...out)) - RADIUS;
}

/** Least distance in a step of free motion; the ball moves against the box. */
function least(q0: V, w: V, from: V, v: V): number {
  const momentum = turned(
    q0,
    turnedBack(q0, w).map((x, i) => x * MOMENTS[i]!),
  );
  const rate = (q: V) => {
    const spin = turned(
      q,
      turnedBack(q, momentum).map((x, i) => x / MOMENTS[i]!),
    );
    return multiply([...spin, 0], q).map((x) => x / 2);
  };
  const steps = 200;
  const h = DT / steps;
  let q = q0;
  let most = distance(q, from);
  for (let i = 0; i < steps; i++) {
    const a = rate(q);
    const b = rate(add(q, scale(a, h / 2)));
    q = unit(add(q, scale(b, h)));
    most = Math.min(most, distance(q, add(from, scale(v, (i + 1) * h))));
  }
  return most;
}

it('a ball and a tumbling plate hit each other where their free motion overlaps, and nowhere else', () => {
  const random = seeded(77);
  const some = (size: number): V => [0, 0, 0].map(() => Math.fround((2 * random() - 1) * size));
  const seen = { hit: 0, passed: 0 };
  const wrong: string[] = [];
  for (let round = 0; round < 60; round++) {
    const q = unit([...some(1), random()]).map(Math.fround) as [number, number, number, number];
    const w = scale(unit(some(1)), 150 + 250 * random());
    const way = unit(some(1));
    const v = scale(way, 40 + 60 * random());
    const from = add(scale(v, -DT * (0.4 + 0.5 * random())), scale(unit(some(1)), 0.4 + 1.2 * random()));
    if (distance(unit(q), from) < 0.1) continue;
    const world = new BoxWorld();
    world.setF32(Header.gravityY, 0);
    world.setF32(Header.maxAngularSpeed, 1e4);
    const options = { friction: 0, restitution: 0.5, density: 300 };
    world.box([9, 9, 9], HALF, { ...options, rotation: q });
    world.sphere(add([9, 9, 9], from), RADIUS, options);
    world.core.setVelocity(0, 0, 0, 0, ...w);
    world.core.setVelocity(1, ...v, 0, 0, 0);
    const gap = least(unit(q), w, from, v);
    world.step();
    const isHit = norm(sub(world.linearVelocity(1), v)) > 0.2;
    if (Math.abs(gap) < 0.03) continue;
    seen[gap < 0 ? 'hit' : 'passed']++;
    if (isHit !== gap < 0) wrong.push(`round ${round}: ${gap}`);
  }
  expect(wrong).toEqual([]);
  expect(Math.min(seen.hit, seen.passed)).toBeGreaterThan(8);
});
