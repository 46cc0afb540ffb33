// Joints of different kinds on the ground in one world: what one bears does not reach the bodies of another.
import { expect, test } from 'vitest';
import type { JointDesc } from '../../src/index';
import { createWorld } from '../helpers/worlds';

const spring = { target: 0.6, frequency: 2, dampingRatio: 1 };
const DRIVEN: Partial<JointDesc>[] = [
  { type: 'slider', axis: [1, 0, 0], spring },
  { type: 'slider', axis: [1, 0, 0], motor: { velocity: 1 } },
  { type: 'hinge', axis: [0, 1, 0], spring },
  { type: 'cylindrical', axis: [1, 0, 0], spring },
];
const FREE: Partial<JointDesc>[] = [
  { type: 'slider', axis: [1, 0, 0] },
  { type: 'cylindrical', axis: [1, 0, 0] },
  { type: 'hinge', axis: [0, 1, 0] },
  { type: 'ball' },
];

test.each(DRIVEN.flatMap((driven) => FREE.map((free) => [driven, free] as const)))('%j beside %j', async (driven, free) => {
  const run = async (list: Partial<JointDesc>[]) => {
    const world = await createWorld({ gravity: [0, 0, 0], sleep: false });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.1, 0.2] });
    list.forEach((desc, i) => {
      const bodyB = world.createBody({
        shape,
        position: [0, 0, 3 * i],
        linearVelocity: [2 * i, 0, 0],
        angularVelocity: [0, 2 * i, 0],
      });
      world.createJoint({ ...desc, bodyB, anchor: [0, 0, 3 * i] } as JointDesc);
    });
    for (let i = 0; i < 60; i++) world.step();
    expect(world.faults.notFinite).toBe(false);
    return [Array.from(world.positions.subarray(0, 3)), Array.from(world.rotations.subarray(0, 4))].flat();
  };
  expect(await run([driven, free])).toEqual(await run([driven]));
});
