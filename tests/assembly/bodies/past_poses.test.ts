// Poses before the last step: all bodies have room for them, and those that a step moves have the one from before it.
import { expect, it } from 'vitest';
import { BODY_STATIC, Header, PastPose } from '../../../src/layout.generated';
import { coreBodies } from '../../helpers/core_bodies';
import { rotationOf } from '../../helpers/vectors';

it('are kept of the bodies that a step moves, of those made later too, and not of one that was teleported', () => {
  const world = coreBodies();
  const { core } = world;
  const make = (i: number, type?: number) =>
    world.body({ at: [i, 2 * i, -i], q: rotationOf([0.1 * i, 0.3, -0.2]), ...(type === undefined ? {} : { type }) });
  const bodies = Array.from({ length: 40 }, (_, i) => make(i));
  const wall = make(40, BODY_STATIC);
  expect(world.header(Header.pastPoses)).toBe(0);
  expect(core.growPastPoses()).toBe(1);
  expect(world.header(Header.pastPoses)).toBe(0);
  expect(core.keepPoses()).toBe(1);
  expect(world.header(Header.pastPosesCapacity)).toBeGreaterThanOrEqual(world.header(Header.bodyCapacity));
  const past = (body: number) => {
    const at = world.header(Header.pastPoses) + body * PastPose.STRIDE;
    return {
      place: world.readFloats(at, 3),
      rotation: world.readFloats(at + PastPose.rotation, 4),
      step: world.readWords(at + PastPose.step, 1)[0],
    };
  };
  for (let round = 0; round < 2; round++) {
    for (const body of bodies) core.setVelocity(body, 1 + body, -2, 3, 0.5, body, -1);
    const before = bodies.map((body) => ({ place: world.get('position', body), rotation: world.get('rotation', body, 0, 4) }));
    core.step();
    const step = world.header(Header.stepCount);
    for (const [i, body] of bodies.entries()) {
      expect(past(body)).toEqual({ ...before[i], step });
      expect(world.get('position', body)).not.toEqual(before[i]!.place);
    }
    expect(past(wall).step).toBe(0);
    core.setPose(bodies[23 + round], 9, 8, 7, 0, 0, 0, 1);
    expect(past(bodies[23 + round]!).step).toBe(0);
    expect(past(bodies[22]!).step).toBe(step);
    // More bodies than there was room for.
    while (bodies.length < 40 + 60 * (round + 1)) bodies.push(make(bodies.length));
    expect(core.growPastPoses()).toBe(1);
    expect(world.header(Header.pastPosesCapacity)).toBeGreaterThanOrEqual(world.header(Header.bodyCapacity));
  }
});
