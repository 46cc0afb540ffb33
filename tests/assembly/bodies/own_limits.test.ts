// Bodies with limits of their own at the end of a step, the cause for which a body was stopped, and turns of very many revolutions.
import { expect, it } from 'vitest';
import { BodyDelta, BodyRow, Header } from '../../../src/layout.generated';
import { coreBodies } from '../../helpers/core_bodies';
import { farthest } from '../../helpers/core_memory';
import { multiply, rotationOf, scale, unit } from '../../helpers/vectors';

const [SPEED, SPIN] = [14, 3];
const f = Math.fround;

it.each([
  ['moved too far', [1, 2, -1], [0.5, 0, 1], [0.6, -0.9, 0.3], [0.01, 0, 0.02]],
  ['turned too far', [1, 2, -1], [0.5, 0, 1], [0.05, 0, 0.02], [0.4, -0.7, 0.2]],
  ['ended too fast', [20, 9, -30], [0.5, 0, 1], [0.05, 0, 0.02], [0.01, 0, 0.02]],
  ['ended with too much spin', [1, 2, -1], [5, -4, 1], [0.05, 0, 0.02], [0.01, 0, 0.02]],
  ['kept within them', [1, 2, -1], [0.5, 0, 1], [0.05, 0, 0.02], [0.01, 0, 0.02]],
])('a body that %s ends within its own limits, of speeds and of the motion of the step', (_, v, w, d, p) => {
  const world = coreBodies();
  world.body({ at: [9, 9, 9] });
  const q = unit([0.3, -0.2, 0.5, 0.7]).map(f);
  const body = world.body({ at: [1, 2, 3], q, inertia: [2, 2, 2, 0, 0, 0] });
  world.core.limitBody(body, SPEED, SPIN);
  world.core.listAwake();
  world.core.beginBodies();
  world.set('row', body, BodyRow.vx, v);
  world.set('row', body, BodyRow.wx, w);
  world.set('delta', body, BodyDelta.dx, d);
  world.set('delta', body, BodyDelta.px, p);
  const dt = world.headerFloat(Header.dt);
  world.core.finishBodies();
  // Where one passes its limit, each is cut to its own.
  const cut = (x: readonly number[], most: number) => scale(x, Math.min(1, most / Math.hypot(...x)));
  expect(farthest(world.get('row', body), cut(v, SPEED))).toBeLessThan(1e-4);
  expect(farthest(world.get('row', body, BodyRow.wx), cut(w, SPIN))).toBeLessThan(1e-4);
  expect(
    farthest(
      world.get('position', body),
      cut(d, SPEED * dt).map((x, i) => x + i + 1),
    ),
  ).toBeLessThan(1e-5);
  expect(farthest(world.get('rotation', body, 0, 4), multiply(rotationOf(cut(p, SPIN * dt)), q))).toBeLessThan(1e-5);
});

it('the cause for which a body was stopped lies in the last two bits of its flags, and clears nothing else', () => {
  const world = coreBodies();
  const bodies = [0, 1, 2].map((i) => world.body({ at: [3 * i, 0, 0] })) as [number, number, number];
  const before = bodies.map(world.flags);
  world.core.setVelocity(bodies[0], Number.NaN, 0, 0, 0, 0, 0);
  for (let i = 0; i < 2; i++) world.core.addForce(bodies[1], 3e38, 0, 0, 0, 0, 0);
  world.core.limitSpeeds();
  world.core.listAwake();
  world.core.beginBodies();
  world.set('delta', bodies[2], BodyDelta.dy, [Number.NaN]);
  world.core.finishBodies();
  expect(bodies.map((body) => world.flags(body) >>> 30)).toEqual([0, 1, 2]);
  const stopped = 1 << 13;
  // Bits below those of the cause, but for what forces leave.
  const rest = (flags: number) => flags & ~stopped & ~(3 << 30) & ~(1 << 10);
  for (const [i, body] of bodies.entries()) {
    expect(world.flags(body) & stopped).toBe(stopped);
    expect(rest(world.flags(body))).toBe(rest(before[i]!));
  }
});

it('a turn of any number of revolutions ends soon, at the velocity that it had', () => {
  const world = coreBodies();
  const body = world.body({ inertia: [1, 2, 2.5, 0, 0, 0] });
  for (const speed of [3, 400, 1e6, 3e9]) {
    const w = [0, f(speed), 0];
    const out = world.room(48);
    const angle = world.core.testTurnBody(
      body,
      world.floats([0, 0, 0, 1]),
      world.floats([...w, 0]),
      world.floats([...w, 0]),
      1,
      out,
    );
    expect(angle / w[1]!).toBeCloseTo(1, 5);
    expect(world.readFloats(out + 16, 3)).toEqual(w);
  }
});
