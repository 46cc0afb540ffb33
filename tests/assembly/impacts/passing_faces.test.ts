// A small box that flies at the near face of a large plate, which another body touches: it bounces where its nearest corner meets the
// face, and goes on from there with its new velocity for the rest of the step.
import { expect, it } from 'vitest';
import { Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { add, norm, rotationOf, scale, sub, turned } from '../../helpers/vectors';

const DT = 1 / 60;
const HALF = [0.2, 0.15, 0.25];
const PLATE = [2, 0.3, 2.5];

it.each([
  [0.02, 0.03],
  [-0.03, 0.02],
  [0.02, -0.03],
  [-0.02, -0.03],
  [0, 0],
])('with a tilt of %d and %d', (tiltX, tiltZ) => {
  for (const [speed, gap, restitution] of [
    [60, 0.1, 0.6],
    [80, 0.2, 0.3],
  ] as const) {
    const world = new BoxWorld();
    world.setF32(Header.gravityY, 0);
    const options = { friction: 0, restitution, density: 400 };
    const q = rotationOf([tiltX, 0, tiltZ]) as [number, number, number, number];
    world.box([1, 2, 3], PLATE, options);
    world.box([-0.6, 2 - PLATE[1]! - 0.3, 1.2], [0.3, 0.3, 0.4], options);
    const corners = [-1, 1].flatMap((x) => [-1, 1].map((z) => turned(q, [x * HALF[0]!, -HALF[1]!, z * HALF[2]!])));
    const low = Math.min(...corners.map((c) => c[1]!));
    const start = [1.2, 2 + PLATE[1]! - low + gap, 2.7];
    const body = world.box(start, HALF, { ...options, rotation: q });
    const came = [3, -speed, -2];
    world.core.setVelocity(body, ...came, 0, 0, 0);
    world.step();
    const after = world.linearVelocity(body);
    expect(after[1]!).toBeGreaterThan(0.05 * speed);
    const time = gap / speed;
    const expected = add(start, add(scale(came, time), scale(after, DT - time)));
    expect(norm(sub(world.position(body), expected)), `${speed} m/s`).toBeLessThan(0.015);
  }
});
