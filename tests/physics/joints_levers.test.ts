// A single free body that is driven at a lever of many times its size: both solvers take it the same way.
import { describe, expect, test } from 'vitest';
import type { JointDesc } from '../../src/index';
import { bar, boxMass, ghost, jointWorld } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';

const motor = { velocity: 1 };
const LOCKED = { locked: true };
const LIMIT = { min: -0.3, max: 0.3 };
const AXIS: [number, number, number] = [0, 0, 1];

const DRIVEN: Record<string, Omit<JointDesc, 'bodyB'>> = {
  hinge: { type: 'hinge', axis: AXIS, motor },
  'hinge with a limit': { type: 'hinge', axis: AXIS, motor, limit: LIMIT },
  slider: { type: 'slider', axis: AXIS, motor },
  'slider upwards': { type: 'slider', axis: [0, 1, 0], motor },
  'slider with a limit': { type: 'slider', axis: AXIS, motor, limit: LIMIT },
  'slider upwards with a limit': { type: 'slider', axis: [0, 1, 0], motor, limit: LIMIT },
  wheel: { type: 'wheel', axis: AXIS, suspensionAxis: [0, 1, 0], twist: { motor }, spring: { frequency: 2, dampingRatio: 1 } },
  'wheel on a driven suspension': { type: 'wheel', axis: AXIS, suspensionAxis: [0, 1, 0], motor, twist: { motor } },
  cylindrical: { type: 'cylindrical', axis: AXIS, motor, twist: { motor } },
  'cone-twist': { type: 'cone-twist', axis: AXIS, motor, limit: LIMIT, cone: 0.5 },
  'six-axis': {
    type: 'six-axis',
    axes: { x: LOCKED, y: LOCKED, z: { motor }, swingX: LOCKED, swingY: LOCKED, twist: { motor } },
  },
};

/** Velocity and spin of the box after each half second, and how often a body had to be stopped. */
async function driven(
  solver: 'wide' | 'cell-split',
  joint: Omit<JointDesc, 'bodyB'>,
  lever: number,
  halfExtents: [number, number, number],
) {
  const world = await jointWorld({ solver, substeps: 'auto' });
  const body = ghost(world, [0, 3, 0], boxMass(40, halfExtents));
  world.createJoint({ ...joint, bodyB: body, anchor: [lever, 3, 0] });
  const looks: number[][] = [];
  let fastest = 0;
  for (let i = 1; i <= 120; i++) {
    world.step();
    const v = world.getLinearVelocity(body, [0, 0, 0]);
    fastest = Math.max(fastest, Math.hypot(...v));
    if (i % 30 === 0) looks.push([...v, ...world.getAngularVelocity(body, [0, 0, 0])]);
  }
  return { looks, fastest, stopped: world.faults.stopped };
}

describe.each(Object.entries(DRIVEN))('%s', (_, joint) => {
  test.each([0, 0.5, 1, 2, 4])('with a motor of the default force, lever %s m', async (lever) => {
    const random = seeded(17 + 100 * lever);
    for (let k = 0; k < 3; k++) {
      const half: [number, number, number] = [0.2 + 0.3 * random(), 0.1 + 0.2 * random(), 0.2 + 0.3 * random()];
      const [wide, split] = [await driven('wide', joint, lever, half), await driven('cell-split', joint, lever, half)];
      expect([wide.stopped, split.stopped]).toEqual([0, 0]);
      bar('fastest, apart (share)', Math.abs(split.fastest - wide.fastest) / Math.max(wide.fastest, 0.01), 0.1);
      // Against what a point of the body does at 1 rad/s or 1 m/s.
      const scale = 1 + lever;
      for (const [i, look] of wide.looks.entries()) {
        const off = look.map((value, axis) => Math.abs(value - split.looks[i]![axis]!) / (axis < 3 ? scale : 1));
        bar('velocities, apart (share)', Math.max(...off), 0.1);
      }
    }
  });
});
