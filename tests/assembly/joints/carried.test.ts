// The masses of the rows of limits, alone and with all that hangs from the child, against a dense solve in double precision: a unit
// impulse about the axis, then one exact pass over the locked axes (tests/helpers/joint_oracle.ts).
import { expect, it } from 'vitest';
import { JointUnit, SOLVER_WIDE } from '../../../src/layout.generated';
import { addBody, addJoint, ball, hinge, type Quat } from '../../helpers/core_joints';
import { boxWorld } from '../../helpers/core_world';
import { type OracleBody, type OracleJoint, projectVelocities, turnedInertia } from '../../helpers/joint_oracle';
import type { Vec3 } from '../../helpers/manifold_builder';
import { seeded } from '../../helpers/random';
import { conjugate, dot, multiply, rotationOf, turned } from '../../helpers/vectors';

interface Link {
  position: Vec3;
  rotation: Quat;
  mass: number;
  moments: Vec3;
  /** Joint to the link before, in the frames of both. */
  anchorA: Vec3;
  anchorB: Vec3;
}

/** A chain whose anchors meet, with links that are turned any way and have three different moments. */
function chain(random: () => number, masses: number[]): Link[] {
  const some = (size: number): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => x * size) as Vec3;
  const links: Link[] = [];
  for (const mass of masses) {
    const before = links.at(-1);
    const rotation = rotationOf(some(4)) as Quat;
    const anchorA: Vec3 = before ? some(0.8) : [0.3, 20, -0.2];
    const anchorB = some(0.8);
    const joint = before ? turned(before.rotation, anchorA).map((x, i) => x + before.position[i]!) : anchorA;
    const arm = turned(rotation, anchorB);
    links.push({
      position: joint.map((x, i) => x - arm[i]!) as Vec3,
      rotation,
      mass,
      moments: [0.02, 0.035, 0.05].map((x) => x * mass * (0.7 + random())) as Vec3,
      anchorA,
      anchorB,
    });
  }
  return links;
}

/** Mobility (1 / mass) about an axis in world coordinates of the first link, with the locked axes of the first `count` joints held. */
function mobility(links: Link[], locked: number, frames: [Quat, Quat], axis: number[], count: number): number {
  const bodies: OracleBody[] = links.map(({ position, rotation, mass, moments }) => ({
    mass,
    inertia: turnedInertia(moments, rotation),
    position,
    rotation,
    velocity: [0, 0, 0],
    spin: [0, 0, 0],
  }));
  const joints: OracleJoint[] = links.slice(0, count).map(({ anchorA, anchorB }, i) => ({
    bodyA: i - 1,
    bodyB: i,
    anchorA,
    anchorB,
    locked: i === 0 ? locked : ball.locked,
    ...(i === 0 ? { frameA: frames[0], frameB: frames[1] } : {}),
  }));
  // The spin of a unit impulse.
  const { rotation, moments } = links[0]!;
  const local = turned(conjugate(rotation), axis);
  bodies[0]!.spin = turned(
    rotation,
    local.map((x, i) => x / moments[i]!),
  );
  const { velocities } = projectVelocities(bodies, joints);
  return dot(axis, [...velocities.slice(3, 6)]);
}

const cases: [string, { kind: number; locked: number }, number, number[]][] = [
  ['a hinge that carries nothing', hinge, 5, [2]],
  ['a hinge that carries three links', hinge, 5, [2, 3, 7, 4]],
  ['a hinge that carries a feather', hinge, 5, [2, 1e-5]],
  ['the swing of a ball that carries three links', ball, 3, [2, 3, 7, 4]],
  ['the twist of a ball that carries ten times its mass', ball, 5, [1, 10]],
  ['the swing of a ball that carries a feather', ball, 4, [2, 1e-5]],
];

it.each(cases)('%s: masses of its limit', (_, type, axis, masses) => {
  for (let seed = 1; seed <= 6; seed++) {
    const random = seeded(seed);
    const links = chain(random, masses);
    const world = boxWorld([]);
    world.core.setSolver(SOLVER_WIDE);
    world.setHeaderFloat('gravityY', 0);
    // The frame of the joint: turned in the world, so that all axes are at 0.
    const frame = rotationOf([1.1 * random(), -0.7, 2 * random()]) as Quat;
    const inLink = (q: Quat): Quat => [...multiply(conjugate(q), frame)] as Quat;
    let last: number | null = null;
    const joints = links.map((link, i) => {
      const body = addBody(world, link.position, link.mass, link.moments, link.rotation);
      const frames =
        i === 0 ? { frameA: frame, frameB: inLink(link.rotation), axes: { [axis]: { lower: -0.1, upper: 0.15 } } } : {};
      const { anchorA, anchorB } = link;
      const index = addJoint(world, { ...(i === 0 ? type : ball), bodyA: last, bodyB: body, anchorA, anchorB, ...frames });
      last = body;
      return index;
    });
    world.core.step();
    const unit = world.core.testUnitOf(joints[0]) >>> 0;
    expect(unit).not.toBe(0);
    const view = new DataView(world.memory.buffer);
    const read = (field: keyof typeof JointUnit) => view.getFloat32(unit + JointUnit[field], true);
    const direction = ['angularBX', 'angularBY', 'angularBZ'].map((name) => read(name as keyof typeof JointUnit));
    const frames: [Quat, Quat] = [frame, inLink(links[0]!.rotation)];
    const near = (mass: number, expected: number, what: string) =>
      expect(Math.abs(mass * expected - 1), `${what} of seed ${seed}: ${mass} is not ${1 / expected}`).toBeLessThan(1e-4);
    near(read('mass'), mobility(links, 0, frames, direction, 0), 'alone');
    near(read('heldMass'), mobility(links, type.locked, frames, direction, 1), 'with its locked axes held');
    near(read('carriedMass'), mobility(links, type.locked, frames, direction, links.length), 'with all that it carries');
  }
});
