// Rows of the angles of a joint that is swung: their speeds by the exact rate of swing and twist, and the masses of rows of any
// length.
import { describe, expect, it } from 'vitest';
import { JointUnit, SOLVER_WIDE } from '../../../src/layout.generated';
import { addBody, addJoint, ball, coneTwist, hinge, type Quat, recordOf } from '../../helpers/core_joints';
import { boxWorld } from '../../helpers/core_world';
import { swingRate, swingTwist } from '../../helpers/joint_oracle';
import type { Vec3 } from '../../helpers/manifold_builder';
import { seeded } from '../../helpers/random';
import { conjugate, dot, multiply, rotationOf, sub, turned } from '../../helpers/vectors';

const UNIT = JointUnit.STRIDE;

it.each([0.3, 1.1, 2.2])('limits of both swings and the twist see their rates: swing of %d rad', (size) => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = seeded(seed);
    const some = (k: number): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 2 * k * x) as Vec3;
    const world = boxWorld([]);
    world.core.setSolver(SOLVER_WIDE);
    world.setHeaderFloat('gravityY', 0);
    const [qA, qB] = [rotationOf(some(2)) as Quat, rotationOf(some(2)) as Quat];
    const frame = rotationOf(some(2)) as Quat;
    const angle = 6 * random();
    const turn = multiply(
      rotationOf([size * Math.cos(angle), size * Math.sin(angle), 0]),
      rotationOf([0, 0, 1.4 * random() - 0.7]),
    );
    const a = addBody(world, [0, 20, 0], 1.5, [0.1, 0.2, 0.3], qA);
    const b = addBody(world, [0, 20, 0], 0.7, [0.3, 0.2, 0.1], qB);
    const frameA = multiply(conjugate(qA), frame) as Quat;
    const frameB = multiply(conjugate(qB), multiply(frame, turn)) as Quat;
    const axes = Object.fromEntries([3, 4, 5].map((axis) => [axis, { lower: -3, upper: 3 }]));
    const joint = addJoint(world, { ...ball, bodyA: a, bodyB: b, anchorA: [0, 0, 0], anchorB: [0, 0, 0], frameA, frameB, axes });
    world.core.step();
    const unit = world.core.testUnitOf(joint) >>> 0;
    const float = (offset: number) => new DataView(world.memory.buffer).getFloat32(unit + offset, true);
    const row = (k: number, side: 'A' | 'B') =>
      (['X', 'Y', 'Z'] as const).map((axis) => float(k * UNIT + JointUnit[`angular${side}${axis}`]));
    const at = swingTwist(multiply(qA, frameA), multiply(qB, frameB));
    const places = [...at.swing, at.twist];
    for (const k of [0, 1, 2]) expect(float(k * UNIT + JointUnit.place)).toBeCloseTo(places[k]!, 5);
    for (let n = 0; n < 4; n++) {
      const [wA, wB] = [some(3), some(3)];
      const relative = sub(wB, wA);
      const rates = swingRate(
        at.swing,
        at.axes.map((axis) => dot(axis, relative)),
      );
      for (const [k, rate] of [...rates, dot(at.twistAxis, relative)].entries())
        expect(dot(row(k, 'B'), wB) - dot(row(k, 'A'), wA), `axis ${k + 3}`).toBeCloseTo(rate, 4);
    }
  }
});

describe.each([
  ['hinge', hinge, 5],
  ['ball', ball, 4],
  ['cone', coneTwist, 6],
] as const)('a limit of a %s that carries others', (_, type, axis) => {
  const make = (childIsA: boolean) => {
    const world = boxWorld([]);
    world.core.setSolver(SOLVER_WIDE);
    world.setHeaderFloat('gravityY', 0);
    const rotation = rotationOf([0.4, -0.7, 1.1]) as Quat;
    // The cone is swung.
    const swing = rotationOf(axis === 6 ? [0.3, -0.2, 0] : [0, 0, 0]);
    const frameB = multiply(conjugate(rotation), swing) as Quat;
    const first = addBody(world, [0, 20, 0], 2, [0.02, 0.05, 0.08], rotation);
    const arm = turned(rotation, [0.3, -0.2, 0.1]);
    const second = addBody(world, arm.map((x, i) => x + [0.1, 20.2, -0.3][i]!) as Vec3, 5, [0.3, 0.2, 0.1]);
    const world0 = turned(rotation, [-0.2, 0.4, 0.15]).map((x, i) => x + [0, 20, 0][i]!) as Vec3;
    const limits = axis === 6 ? { cone: 0.5 } : { axes: { [axis]: { lower: -0.1, upper: 0.15 } } };
    const anchorB: Vec3 = [-0.2, 0.4, 0.15];
    // The parent hangs from the world.
    const post = addBody(world, world0, 3, [0.2, 0.3, 0.4]);
    const above = world0.map((x, i) => x + [0.2, 0.5, -0.1][i]!) as Vec3;
    addJoint(world, { ...ball, bodyA: null, bodyB: post, anchorA: above, anchorB: [0.2, 0.5, -0.1] });
    const zero: Vec3 = [0, 0, 0];
    const joint = childIsA
      ? addJoint(world, { ...type, bodyA: first, bodyB: post, anchorA: anchorB, anchorB: zero, frameA: frameB, ...limits })
      : addJoint(world, { ...type, bodyA: post, bodyB: first, anchorA: zero, anchorB, frameB, ...limits });
    addJoint(world, { ...ball, bodyA: first, bodyB: second, anchorA: [0.3, -0.2, 0.1], anchorB: [-0.1, -0.2, 0.3] });
    world.core.step();
    const unit = world.core.testUnitOf(joint) >>> 0;
    const floats = () => new Float32Array(world.memory.buffer);
    return { world, joint, unit, floats };
  };

  it('has one mass, whichever of its bodies is A', () => {
    const [b, a] = [make(false), make(true)];
    for (const field of [JointUnit.mass, JointUnit.heldMass, JointUnit.carriedMass])
      expect(a.floats()[(a.unit + field) / 4]! / b.floats()[(b.unit + field) / 4]!).toBeCloseTo(1, 4);
  });

  it('has a mass by the square of the length of its row', () => {
    const { world, joint, unit, floats } = make(false);
    const [carried, held] = [floats()[(unit + JointUnit.carriedMass) / 4]!, floats()[(unit + JointUnit.heldMass) / 4]!];
    expect(carried).not.toBeCloseTo(held, 4);
    for (const size of [1.3, 0.6]) {
      for (let k = 0; k < 3; k++) floats()[(unit + JointUnit.angularBX + 16 * k) / 4]! *= size;
      floats()[(unit + JointUnit.heldMass) / 4]! /= size * size;
      world.core.factorTree((world.core.testGroupOf(joint) >>> 0) & ~15, 1);
      const by = size === 1.3 ? 1.3 : 1.3 * 0.6;
      expect((floats()[(unit + JointUnit.carriedMass) / 4]! * by * by) / carried).toBeCloseTo(1, 4);
    }
  });
});

it('the record of a cone has the impulse by which its limit bears the weight', () => {
  const world = boxWorld([]);
  world.core.setSolver(SOLVER_WIDE);
  const held = addBody(world, [5, 10, 0.5], 2, [0.05, 0.05, 0.05]);
  const ends = { bodyA: null, bodyB: held, anchorA: [5, 10, 0] as Vec3, anchorB: [0, 0, -0.5] as Vec3 };
  const joint = addJoint(world, { ...coneTwist, ...ends, cone: 0.6, frictionLever: 0.005 });
  for (let i = 0; i < 240; i++) world.core.step();
  const torque = Math.abs(recordOf(world, joint)('limit6')) / recordOf(world, joint)('impulseStep');
  // It still sways a little.
  expect(Math.abs(torque / (2 * 9.81 * 0.5 * Math.cos(0.6)) - 1)).toBeLessThan(0.03);
});
