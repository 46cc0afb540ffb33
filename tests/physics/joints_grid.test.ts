// Nets of small bodies under loads of thousands of them: the joints at their corners hold.
import { describe, expect, test } from 'vitest';
import type { BodyId, JointId } from '../../src/index';
import { position, type V3 } from '../helpers/ground';
import { ballMass, bar, ghost, JOINT_SOLVERS, jointWorld } from '../helpers/joint_worlds';

const SIDE = 50;
const SPACING = 0.2;

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  test('a grid of 50 x 50, level at first, swings down on two corners', async () => {
    // Half of 2,500 bodies hangs from each corner: they swing the body next to it at 1,300 rad/s, which is 2.7 rad in one of these
    // substeps. Beyond 2 rad such a swing gains energy in each.
    const world = await jointWorld({ solver, substeps: 8 });
    const bodies: BodyId[] = [];
    const joints: JointId[] = [];
    for (let row = 0; row < SIDE; row++) {
      for (let column = 0; column < SIDE; column++) {
        const at: V3 = [column * SPACING, 0, row * SPACING];
        const held = row === 0 && (column === 0 || column === SIDE - 1);
        const body = held ? world.createBody({ type: 'static', position: at }) : ghost(world, at, ballMass(1, 0.06));
        const join = (bodyA: BodyId, anchor: V3) => joints.push(world.createJoint({ type: 'ball', bodyA, bodyB: body, anchor }));
        if (column > 0) join(bodies[bodies.length - 1]!, [at[0] - SPACING / 2, 0, at[2]]);
        if (row > 0) join(bodies[bodies.length - SIDE]!, [at[0], 0, at[2] - SPACING / 2]);
        bodies.push(body);
      }
    }
    let worst = 0;
    let low = 0;
    for (let i = 0; i < 130; i++) {
      world.step();
      worst = Math.max(worst, world.getJoint(joints[0]!).gap);
      low = Math.min(low, position(world, bodies.at(-SIDE / 2)!)[1]);
      if (i % 10 === 9) worst = joints.reduce((most, id) => Math.max(most, world.getJoint(id).gap), worst);
    }
    bar('grid of 50 x 50: largest gap (m)', worst, 0.15);
    expect(low).toBeLessThan(-0.8 * SIDE * SPACING);
  });
});
