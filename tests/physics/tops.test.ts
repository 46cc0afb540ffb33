// Heavy tops on a frictionless ball joint: their precession in closed form, and none of the nutation that they did not start with. And
// a top that turns over by friction.
import { expect, test } from 'vitest';
import { cross, DT, GRAVITY, groundWorld, position, rotate, turn, type V3 } from '../helpers/ground';
import { bar, DEGREE, ghost, jointWorld } from '../helpers/joint_worlds';

const RADIUS = 0.2;
const LEVER = 0.2;
const SPIN = 100;
/** Of a thin disc, about its axis and across, of 1 kg. */
const AXIAL = (RADIUS * RADIUS) / 2;
const ACROSS = (RADIUS * RADIUS) / 4;

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
  let last = at;
  for (let i = 0; i < 600; i++) {
    world.step();
    const now = position(world, disc);
    angle += Math.atan2(last[2] * now[0] - last[0] * now[2], last[0] * now[0] + last[2] * now[2]);
    nutation = Math.max(nutation, Math.abs(Math.acos(now[1] / Math.hypot(...now)) - lean));
    last = now;
  }
  bar('precession off', Math.abs(angle / (rate * 600 * DT) - 1), 0.02);
  bar('nutation (degrees)', nutation / DEGREE, 0.5);
  expect(angle).toBeGreaterThan(0);
});

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
