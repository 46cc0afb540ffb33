// Poses before the last step: all bodies have room for them, and those that a step moves have the one from before it.
import { expect, it } from 'vitest';
import { BODY_STATIC, BodyCold, BodyDelta, BodyRow, Header, PastPose } from '../../../src/layout.generated';
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

it.each([0, 1])(
  'are not kept of bodies that the solver has left out, unless something else moves them; marks are read: %d',
  (someMarked) => {
    const world = coreBodies();
    const { core } = world;
    const bodies = Array.from({ length: 14 }, (_, i) => world.body({ at: [3 * i, 2 * i, -i] }));
    core.keepPoses();
    core.listAwake();
    const velocity = [1, -2, 3, 0.5, 4, -5, 6, 0];
    for (const body of bodies) world.set('row', body, 0, [...velocity, ...velocity]);
    // Lane 3 of what is compared counts for nothing.
    world.set('row', bodies[1]!, BodyRow.pad1, [9]);
    world.set('delta', bodies[1]!, BodyDelta.pad1, [9]);
    const moves: ['row' | 'delta', number][] = [
      ['row', BodyRow.vx],
      ['row', BodyRow.svz],
      ['row', BodyRow.wy],
      ['row', BodyRow.swx],
      ['delta', BodyDelta.dx],
      ['delta', BodyDelta.dz],
      ['delta', BodyDelta.py],
      ['delta', BodyDelta.pz],
    ];
    for (const [i, [array, field]] of moves.entries()) world.set(array, bodies[2 + i]!, field, [0.01]);
    // Held by joints; alone on the GPU; another mark.
    for (const [i, bit] of [14, 17, 13].entries()) {
      const at = world.header(Header.bodyColds) + bodies[10 + i]! * BodyCold.STRIDE + BodyCold.flags;
      new Uint32Array(world.memory.buffer, at, 1)[0]! |= 1 << bit;
    }
    world.setHeader(Header.someQuiet, 1);
    world.setHeader(Header.someMarked, someMarked);
    world.setHeader(Header.stepCount, 6);
    core.storePastPoses();
    const step = (body: number) => world.readWords(world.header(Header.pastPoses) + body * PastPose.STRIDE + PastPose.step, 1)[0];
    const kept = bodies.filter((body) => step(body) === 7);
    expect(kept).toEqual([...bodies.slice(2, 10), ...(someMarked ? bodies.slice(10, 12) : [])]);
    // Where all report, all are kept.
    world.setHeader(Header.someQuiet, 0);
    world.setHeader(Header.stepCount, 7);
    core.storePastPoses();
    expect(bodies.every((body) => step(body) === 8)).toBe(true);
  },
);
