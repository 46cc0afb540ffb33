// Heavy tops on a frictionless ball joint: their precession in closed form, their spin kept, and none of the nutation that they did not
// start with. A wheel on a swinging arm and a pair of tumbling rods: no joint may make spin. And a top that turns over by friction.
import { expect, test } from 'vitest';
import type { BodyId } from '../../src/index';
import { cross, DT, GRAVITY, groundWorld, position, rotate, spin, turn, type V3 } from '../helpers/ground';
import { bar, boxMass, DEGREE, ghost, jointWorld, totals } from '../helpers/joint_worlds';
import type { AnyWorld } from '../helpers/worlds';

const RADIUS = 0.2;
const LEVER = 0.2;
const SPIN = 100;
/** Of a thin disc, about its axis and across, of 1 kg. */
const AXIAL = (RADIUS * RADIUS) / 2;
const ACROSS = (RADIUS * RADIUS) / 4;

/** Angular velocity (rad/s) of a body about an axis of its own. */
function ownSpin(world: AnyWorld, body: BodyId, axis: V3): number {
  const along = rotate(world.getRotation(body, [0, 0, 0, 1]), axis);
  return spin(world, body).reduce((sum, x, k) => sum + x * along[k]!, 0);
}

/** Steady precession (rad/s) of a top that leans by `lean` from the vertical and spins at `SPIN` about its own axis in all. */
function precession(lean: number): number {
  const pivot = ACROSS + LEVER * LEVER;
  const load = GRAVITY * LEVER;
  const a = pivot * Math.cos(lean);
  const b = AXIAL * SPIN;
  // The slow root of a x^2 - b x + load = 0, in the form that holds for a = 0.
  return (2 * load) / (b + Math.sqrt(b * b - 4 * a * load));
}

test.each([30, 60, 90, 120, 150])('a top that leans by %s degrees goes round as it must, and level', async (degrees) => {
  const world = await jointWorld({ substeps: 'auto' });
  const lean = degrees * DEGREE;
  const axis: V3 = [Math.sin(lean), Math.cos(lean), 0];
  const at = axis.map((x) => LEVER * x) as V3;
  const rate = precession(lean);
  // `SPIN` is all that turns about the axis: its own spin and the part of the precession along it.
  const own = SPIN - rate * Math.cos(lean);
  const disc = ghost(
    world,
    at,
    { mass: 1, inertia: [ACROSS, AXIAL, ACROSS, 0, 0, 0] },
    {
      rotation: turn([0, 0, 1], -lean),
      angularVelocity: [own * axis[0], own * axis[1] + rate, 0],
      linearVelocity: cross([0, rate, 0], at),
      maxAngularSpeed: 1000,
    },
  );
  world.createJoint({ type: 'ball', bodyA: null, bodyB: disc, anchorA: [0, 0, 0], anchorB: [0, -LEVER, 0], frictionLever: 0 });
  let angle = 0;
  let nutation = 0;
  let gained = 0;
  let last = at;
  for (let i = 0; i < 600; i++) {
    world.step();
    const now = position(world, disc);
    angle += Math.atan2(last[2] * now[0] - last[0] * now[2], last[0] * now[0] + last[2] * now[2]);
    nutation = Math.max(nutation, Math.abs(Math.acos(now[1] / Math.hypot(...now)) - lean));
    gained = Math.max(gained, Math.abs(ownSpin(world, disc, [0, 1, 0]) / SPIN - 1));
    last = now;
  }
  bar('precession off', Math.abs(angle / (rate * 600 * DT) - 1), 0.005);
  bar('spin off', gained, 0.002);
  bar('nutation (degrees)', nutation / DEGREE, 0.1);
  expect(angle).toBeGreaterThan(0);
});

test('a fast wheel on a swinging arm keeps its spin', async () => {
  const world = await jointWorld({ substeps: 20 });
  const arm = ghost(world, [LEVER, 0, 0], boxMass(1, [LEVER, 0.05, 0.05]));
  const more = { angularVelocity: [SPIN, 0, 0] as V3, maxAngularSpeed: 1000 };
  const wheel = ghost(world, [2 * LEVER, 0, 0], { mass: 1, inertia: [AXIAL, ACROSS, ACROSS, 0, 0, 0] }, more);
  const hinge = (bodyA: BodyId | null, bodyB: BodyId, at: V3, axis: V3) =>
    world.createJoint({ type: 'hinge', bodyA, bodyB, anchor: at, axis, frictionLever: 0 });
  hinge(null, arm, [0, 0, 0], [0, 0, 1]);
  hinge(arm, wheel, [2 * LEVER, 0, 0], [1, 0, 0]);
  const energy = () => {
    const sum = totals(world, [arm, wheel]);
    return sum.kinetic + sum.potential;
  };
  const start = energy();
  for (let i = 0; i < 600; i++) world.step();
  bar('spin off', Math.abs(ownSpin(world, wheel, [1, 0, 0]) / SPIN - 1), 0.01);
  bar('energy off', Math.abs(energy() / start - 1), 0.02);
});

test.each(['ball', 'hinge'] as const)(
  'two rods on a %s joint tumble in free space with the angular momentum they had',
  async (type) => {
    const world = await jointWorld({ substeps: 'auto', gravity: [0, 0, 0] });
    const rod = (x: number, angularVelocity: V3) => ghost(world, [x, 0, 0], boxMass(1, [0.25, 0.05, 0.05]), { angularVelocity });
    const rods = [rod(-0.25, [10, 4, 3]), rod(0.25, [-3, 2, 8])];
    const axis = type === 'hinge' ? { axis: [0, 1, 0] as V3 } : {};
    world.createJoint({ type, bodyA: rods[0]!, bodyB: rods[1]!, anchor: [0, 0, 0], frictionLever: 0, ...axis });
    // The joint takes up the velocities that it does not allow in the first step.
    world.step();
    const start = totals(world, rods);
    for (let i = 0; i < 600; i++) world.step();
    const end = totals(world, rods);
    bar(
      'angular momentum off',
      Math.hypot(...end.angular.map((x, k) => x - start.angular[k]!)) / Math.hypot(...start.angular),
      1e-3,
    );
    bar('energy off', Math.abs(end.kinetic / start.kinetic - 1), 2e-3);
  },
);

test('a tippe top turns over, one with its center in the middle does not', async () => {
  /** Largest lean (degrees) in some seconds of a ball at 100 rad/s, its center of mass `low` radii below the middle. */
  const lean = async (low: number, seconds: number) => {
    const { world } = await groundWorld({ sleep: false });
    const radius = 0.1;
    const inertia = 0.4 * radius * radius;
    const ball = world.createBody({
      shape: world.createShape({ type: 'sphere', radius }),
      position: [0, radius, 0],
      rotation: turn([0, 0, 1], 0.1),
      mass: { mass: 1, center: [0, -low * radius, 0], inertia: [inertia, inertia, inertia, 0, 0, 0] },
      angularVelocity: [0, 100, 0],
      rollingResistance: 0,
    });
    let most = 0;
    for (let i = 0; i < 60 * seconds; i++) {
      world.step();
      const up = rotate(world.getRotation(ball, [0, 0, 0, 1]), [0, 1, 0]);
      most = Math.max(most, Math.atan2(Math.hypot(up[0], up[2]), up[1]) / DEGREE);
    }
    return most;
  };
  expect(await lean(0.3, 12)).toBeGreaterThan(150);
  expect(await lean(0, 12)).toBeLessThan(30);
});
