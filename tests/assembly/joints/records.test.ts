// What a step leaves in the record of a joint, against statics: the impulses that hold a body that hangs askew, and dry friction that
// brakes a body whose spin has all three components.
import { describe, expect, it } from 'vitest';
import { SOLVER_CELL_SPLIT, SOLVER_PGS, SOLVER_WIDE } from '../../../src/layout.generated';
import { addBody, addJoint, ball, fixed, recordOf } from '../../helpers/core_joints';
import { boxWorld } from '../../helpers/core_world';

const MASS = 3;
const GRAVITY = [2.3, -9.1, 4.7];
/** From the anchor to the center of mass. */
const ARM: [number, number, number] = [0.31, -0.17, 0.23];

function emptyWorld(solver: number, gravity = GRAVITY) {
  const world = boxWorld([]);
  world.core.setSolver(solver);
  for (const [i, axis] of (['gravityX', 'gravityY', 'gravityZ'] as const).entries()) world.setHeaderFloat(axis, gravity[i]!);
  return world;
}

describe.each([
  ['wide', SOLVER_WIDE],
  ['pgs', SOLVER_PGS],
  ['cell-split', SOLVER_CELL_SPLIT],
])('%s', (_, solver) => {
  it.each([false, true])('a fixed joint holds force and torque of a body that is askew; as body A: %s', (first) => {
    const world = emptyWorld(solver);
    const at = ARM.map((x, i) => x + [1, 20, -2][i]!) as [number, number, number];
    const body = addBody(world, at, MASS, [0.1, 0.2, 0.3]);
    // A body of the world's side that nothing moves.
    const post = world.core.createBody(0, 1, 20, -2, 0, 0, 0, 1) >>> 0;
    const arm = ARM.map((x) => -x) as [number, number, number];
    const ends = first
      ? { bodyA: body, bodyB: post, anchorA: arm, anchorB: [0, 0, 0] as [number, number, number] }
      : { bodyA: post, bodyB: body, anchorA: [0, 0, 0] as [number, number, number], anchorB: arm };
    const joint = addJoint(world, { ...fixed, ...ends });
    for (let i = 0; i < 240; i++) world.core.step();
    const read = recordOf(world, joint);
    const side = first ? -1 : 1;
    const force = GRAVITY.map((g) => -side * MASS * g);
    const [x, y, z] = ARM;
    const torque = [y * force[2]! - z * force[1]!, z * force[0]! - x * force[2]!, x * force[1]! - y * force[0]!];
    const h = read('impulseStep');
    for (const [i, axis] of (['x', 'y', 'z'] as const).entries()) {
      expect(read(`j${axis}`) / h, `force ${axis}`).toBeCloseTo(force[i]!, 1);
      expect(read(`t${axis}`) / h, `torque ${axis}`).toBeCloseTo(torque[i]!, 1);
      expect(read(`f${axis}`)).toBe(0);
    }
  });

  it('friction of a ball joint brakes against the spin, by its torque, in a record of its own', () => {
    const world = emptyWorld(solver, [0, 0, 0]);
    const body = addBody(world, [1, 20, -2], MASS, [0.4, 0.4, 0.4]);
    const spin = [3, -7, 5];
    world.core.setVelocity(body, 0, 0, 0, ...spin);
    const joint = addJoint(world, {
      ...ball,
      bodyA: null,
      bodyB: body,
      anchorA: [1, 20, -2],
      anchorB: [0, 0, 0],
      frictionTorque: 0.9,
    });
    const steps = 20;
    for (let i = 0; i < steps; i++) world.core.step();
    const read = recordOf(world, joint);
    const h = read('impulseStep');
    const speed = Math.hypot(...spin);
    for (const [i, axis] of (['x', 'y', 'z'] as const).entries()) {
      expect(read(`f${axis}`) / h, axis).toBeCloseTo((-0.9 * spin[i]!) / speed, 2);
      expect(read(`j${axis}`)).toBeCloseTo(0, 6);
      expect(read(`t${axis}`)).toBe(0);
      const left = spin[i]! * (1 - (0.9 * (steps / 60)) / (0.4 * speed));
      expect(world.state()[body * 20 + 4 + i]).toBeCloseTo(left, 2);
    }
  });
});
