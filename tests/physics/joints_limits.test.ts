// Limits: hinges, cones, twists, sliders, ropes are thrown and pressed against them and stay within.
import { describe, expect, test } from 'vitest';
import { GRAVITY, position, steps, turn, type V3, velocity } from '../helpers/ground';
import { ballMass, bar, boxMass, DEGREE, errors, ghost, JOINT_SOLVERS, jointWorld, settingsOf } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';

const HALF_DEGREE = 0.5 * DEGREE;

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  test('a lever falls on its limit and lies there', async () => {
    const world = await jointWorld({ solver });
    const lever = ghost(world, [0.5, 3, 0], boxMass(4, [0.5, 0.05, 0.05]));
    const joint = world.createJoint({
      type: 'hinge',
      bodyB: lever,
      anchor: [0, 3, 0],
      axis: [0, 0, 1],
      limit: { min: -30 * DEGREE, max: 20 * DEGREE },
      // By load it would carry a percent of the torque.
      frictionLever: 0,
    });
    let least = 0;
    for (let i = 0; i < 300; i++) {
      world.step();
      least = Math.min(least, world.getJoint(joint).place);
    }
    bar('hinge limit, falling, beyond (rad)', -30 * DEGREE - least, HALF_DEGREE);
    bar('hinge limit, at rest, off (rad)', Math.abs(world.getJoint(joint).place + 30 * DEGREE), HALF_DEGREE);
    const p = position(world, lever);
    expect(Math.abs(Math.atan2(p[1] - 3, p[0]) + 30 * DEGREE)).toBeLessThan(HALF_DEGREE);
    // The limit carries the torque of the weight about the hinge.
    const torque = 4 * GRAVITY * 0.5 * Math.cos(30 * DEGREE);
    bar('hinge limit, torque off', Math.abs(world.getJoint(joint).axisForce / torque - 1), 0.01);
  });

  test.each([
    ['lower', 1],
    ['upper', -1],
  ] as const)('what lies in its %s limit stays there while joints come and go', async (_, side) => {
    const world = await jointWorld({ solver, sleep: false });
    const lever = ghost(world, [0.5, 3, 0], boxMass(4, [0.5, 0.05, 0.05]));
    const limit = { min: -30 * DEGREE, max: 30 * DEGREE };
    const joint = world.createJoint({ type: 'hinge', bodyB: lever, anchor: [0, 3, 0], axis: [0, 0, side], limit });
    const load = ghost(world, [1.5, 3, 0], boxMass(40, [0.5, 0.05, 0.05]));
    world.createJoint({ type: 'fixed', bodyA: lever, bodyB: load, anchor: [1, 3, 0] });
    steps(world, 300);
    let off = 0;
    for (let i = 0; i < 100; i++) {
      // Another joint, far away: the solver's groups are made anew.
      const ball = ghost(world, [50 + i, 0, 0], ballMass(1, 0.1));
      const other = world.createJoint({ type: 'ball', bodyB: ball, anchor: [50 + i, 1, 0] });
      world.step();
      if (i % 2 === 0) world.removeJoint(other);
      off = Math.max(off, Math.abs(side * world.getJoint(joint).place + limit.max));
    }
    bar('limit while joints come and go, off (rad)', off, DEGREE);
  });

  test.each([0.1, 1, 10, 100])('a limb on its limit bears %s times its mass', async (ratio) => {
    const world = await jointWorld({ solver, sleep: false, warn: false });
    const limb = ghost(world, [0.5, 3, 0], boxMass(4, [0.5, 0.05, 0.05]));
    const limit = { min: -30 * DEGREE, max: 30 * DEGREE };
    const joint = world.createJoint({ type: 'hinge', bodyB: limb, anchor: [0, 3, 0], axis: [0, 0, 1], limit });
    const load = ghost(world, [1.5, 3, 0], boxMass(4 * ratio, [0.5, 0.05, 0.05]));
    world.createJoint({ type: 'fixed', bodyA: limb, bodyB: load, anchor: [1, 3, 0] });
    let beyond = 0;
    for (let i = 0; i < 180; i++) {
      world.step();
      beyond = Math.max(beyond, limit.min - world.getJoint(joint).place);
    }
    const place = world.getJoint(joint).place;
    steps(world, 30);
    bar('loaded limit, falling, beyond (rad)', beyond, 0.05 * DEGREE);
    bar('loaded limit, at rest, off (rad)', Math.abs(world.getJoint(joint).place - place), 1e-6);
    bar('loaded limit, speed of the limb (m/s)', Math.hypot(...velocity(world, limb)), 1e-4);
    const torque = 4 * (0.5 + 1.5 * ratio) * GRAVITY * Math.cos(30 * DEGREE);
    bar('loaded limit, torque off', Math.abs(world.getJoint(joint).axisForce / torque - 1), 0.01);
  });

  test.each([2, 10, 30])('a hinge thrown at %s rad/s to and fro stays within its limits', async (rate) => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const box = ghost(world, [0.5, 0, 0], boxMass(4, [0.5, 0.1, 0.2]));
    const limit = { min: -0.7, max: 0.9 };
    const joint = world.createJoint({ type: 'hinge', bodyB: box, anchor: [0, 0, 0], axis: [0, 0, 1], limit });
    let beyond = 0;
    for (let i = 0; i < 240; i++) {
      if (i % 60 === 0) {
        const w = i % 120 === 0 ? rate : -rate;
        const a = world.getJoint(joint).place;
        world.setVelocity(box, [-0.5 * w * Math.sin(a), 0.5 * w * Math.cos(a), 0], [0, 0, w]);
      }
      world.step();
      const { place } = world.getJoint(joint);
      beyond = Math.max(beyond, place - limit.max, limit.min - place);
    }
    bar(`hinge thrown at ${rate} rad/s, beyond (rad)`, beyond, HALF_DEGREE);
  });

  test.each([1, 5, 15])('a body thrown at %s rad/s stays within its cone and its twist', async (rate) => {
    const random = seeded(3 + rate);
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const box = ghost(world, [0, -0.4, 0], boxMass(2, [0.1, 0.4, 0.15]));
    const joint = world.createJoint({
      type: 'cone-twist',
      bodyB: box,
      anchor: [0, 0, 0],
      axis: [0, -1, 0],
      cone: 35 * DEGREE,
      limit: { min: -25 * DEGREE, max: 40 * DEGREE },
    });
    const desc = settingsOf(world, joint);
    let [cone, twist, gap] = [0, 0, 0];
    for (let i = 0; i < 600; i++) {
      if (i % 20 === 0) {
        const w = [0, 1, 2].map(() => rate * (2 * random() - 1)) as V3;
        world.setVelocity(box, [0, 0, 0], w);
      }
      world.step();
      const e = errors(world, desc);
      cone = Math.max(cone, e.swing - 35 * DEGREE);
      twist = Math.max(twist, e.twist - 40 * DEGREE, -25 * DEGREE - e.twist);
      gap = Math.max(gap, e.gap);
    }
    bar(`cone thrown at ${rate} rad/s, beyond (rad)`, cone, HALF_DEGREE);
    bar(`twist thrown at ${rate} rad/s, beyond (rad)`, twist, HALF_DEGREE);
    bar(`cone thrown at ${rate} rad/s, gap (m)`, gap, 1e-3 * Math.max(1, rate));
  });

  test('a heavy arm rests on the rim of its cone', async () => {
    const world = await jointWorld({ solver });
    const arm = ghost(world, [0.5, 0, 0], boxMass(5, [0.5, 0.05, 0.05]));
    const joint = world.createJoint({ type: 'cone-twist', bodyB: arm, anchor: [0, 0, 0], axis: [1, 0, 0], cone: 40 * DEGREE });
    let most = 0;
    for (let i = 0; i < 300; i++) {
      world.step();
      most = Math.max(most, world.getJoint(joint).swing);
    }
    bar('cone under weight, beyond (rad)', most - 40 * DEGREE, HALF_DEGREE);
    bar('cone under weight, off at rest (rad)', Math.abs(world.getJoint(joint).swing - 40 * DEGREE), HALF_DEGREE);
    expect(Math.hypot(...velocity(world, arm))).toBeLessThan(1e-3);
  });

  test.each([60, 120, 175])('a cone takes back a body that starts %s degrees away', async (start) => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const cone = 29 * DEGREE;
    const box = ghost(world, [0, 0, 0], boxMass(1, [0.1, 0.3, 0.2]), { rotation: turn([1, 0, 0], start * DEGREE) });
    const frame = turn([1, 0, 0], -Math.PI / 2); // z of the frames along y of the body
    const joint = world.createJoint({
      type: 'cone-twist',
      bodyB: box,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      frameA: frame,
      frameB: frame,
      cone,
    });
    expect(world.getJoint(joint).swing).toBeCloseTo(start * DEGREE, 4);
    steps(world, 60);
    bar(`cone from ${start} degrees, beyond after 1 s (rad)`, world.getJoint(joint).swing - cone, DEGREE);
  });

  test('a slider stays between its ends', async () => {
    const world = await jointWorld({ solver });
    const box = ghost(world, [0, 2, 0], boxMass(3, [0.2, 0.2, 0.2]));
    const joint = world.createJoint({
      type: 'slider',
      bodyB: box,
      anchor: [0, 2, 0],
      axis: [0, 1, 0],
      limit: { min: -0.5, max: 0.25 },
    });
    let least = 0;
    for (let i = 0; i < 180; i++) {
      world.step();
      least = Math.min(least, world.getJoint(joint).place);
    }
    bar('slider, falling, beyond (m)', -0.5 - least, 2e-3);
    bar('slider, at rest, off (m)', Math.abs(world.getJoint(joint).place + 0.5), 1e-3);
    bar('slider, force of the end', Math.abs(world.getJoint(joint).axisForce / (3 * GRAVITY) - 1), 0.01);
    world.setVelocity(box, [0, 8, 0]);
    let most = 0;
    for (let i = 0; i < 30; i++) {
      world.step();
      most = Math.max(most, world.getJoint(joint).place);
    }
    bar('slider, thrown, beyond (m)', most - 0.25, 2e-3);
  });

  test('a rope is slack until it is taut, and a rod keeps its length', async () => {
    const world = await jointWorld({ solver });
    const bob = ghost(world, [0, -0.3, 0], ballMass(1, 0.05));
    const rope = world.createJoint({
      type: 'distance',
      bodyB: bob,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      limit: { min: 0, max: 1 },
    });
    steps(world, 12);
    // Free fall of 0.2 s.
    expect(velocity(world, bob)[1]).toBeCloseTo(-GRAVITY * 0.2, 3);
    let most = 0;
    for (let i = 0; i < 240; i++) {
      world.step();
      most = Math.max(most, Math.hypot(...position(world, bob)));
    }
    bar('rope, falling into it, beyond (m)', most - 1, 1e-3);
    world.setVelocity(bob, [3, 0, 1]);
    for (let i = 0; i < 600; i++) {
      world.step();
      most = Math.max(most, Math.hypot(...position(world, bob)));
    }
    bar('rope, swinging, beyond (m)', most - 1, 1e-3);
    expect(world.getJoint(rope).place).toBeCloseTo(Math.hypot(...position(world, bob)), 5);

    const second = await jointWorld({ solver });
    const end = ghost(second, [0.8, 0, 0], ballMass(1, 0.05));
    second.createJoint({ type: 'distance', bodyB: end, anchorA: [0, 0, 0], anchorB: [0, 0, 0], length: 0.8 });
    let off = 0;
    for (let i = 0; i < 600; i++) {
      second.step();
      off = Math.max(off, Math.abs(Math.hypot(...position(second, end)) - 0.8));
    }
    bar('rod, swinging, off (m)', off, 1e-3);
  });

  test('a least distance holds too', async () => {
    const world = await jointWorld({ solver });
    const bob = ghost(world, [0, 1, 0], ballMass(1, 0.05));
    world.createJoint({ type: 'distance', bodyB: bob, anchorA: [0, 0, 0], anchorB: [0, 0, 0], limit: { min: 0.6, max: 2 } });
    let least = 1;
    for (let i = 0; i < 60; i++) {
      world.step();
      least = Math.min(least, Math.hypot(...position(world, bob)));
    }
    bar('least distance, beyond (m)', 0.6 - least, 2e-3);
  });

  test('limits that are equal lock', async () => {
    const world = await jointWorld({ solver });
    const lever = ghost(world, [0.5, 0, 0], boxMass(2, [0.5, 0.1, 0.1]));
    const limit = { min: 0, max: 0 };
    const joint = world.createJoint({ type: 'hinge', bodyB: lever, anchor: [0, 0, 0], axis: [0, 0, 1], limit });
    steps(world, 120);
    bar('locked by equal limits, off (rad)', Math.abs(world.getJoint(joint).place), 0.1 * DEGREE);
    expect(Math.hypot(...velocity(world, lever))).toBeLessThan(1e-4);
  });

  test('each axis of a six-axis joint has its own limit', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const random = seeded(8);
    const box = ghost(world, [0, 0, 0], boxMass(2, [0.2, 0.3, 0.15]));
    const [x, y, z] = [0.1, 0.2, 0.3].map((max) => ({ limit: { min: -max / 2, max } }));
    const [swingX, swingY, twist] = [0.2, 0.35, 0.5].map((max) => ({ limit: { min: -max / 2, max } }));
    const joint = world.createJoint({
      type: 'six-axis',
      bodyB: box,
      anchor: [0, 0, 0],
      axes: { x: x!, y: y!, z: z!, swingX: swingX!, swingY: swingY!, twist: twist! },
    });
    const desc = settingsOf(world, joint);
    let [way, angle] = [0, 0];
    for (let i = 0; i < 600; i++) {
      const some = (size: number) => [0, 1, 2].map(() => size * (2 * random() - 1)) as V3;
      if (i % 15 === 0) world.setVelocity(box, some(2), some(3));
      world.step();
      const e = errors(world, desc);
      e.offset.forEach((place, k) => {
        const max = [0.1, 0.2, 0.3][k]!;
        way = Math.max(way, place - max, -max / 2 - place);
      });
      angle = Math.max(angle, e.twist - 0.5, -0.25 - e.twist);
    }
    bar('six-axis, ways beyond (m)', way, 2e-3);
    bar('six-axis, twist beyond (rad)', angle, HALF_DEGREE);
  });
});

describe.each([
  ['wide', 1e-5],
  ['cell-split', 1e-3],
] as const)('%s: a rod of 1 m on a wheel that spins', (solver, most) => {
  /** Wheel and bob, thrown; how far the rod is off at most, m. */
  async function play(arm: number, spin: number, isFree: boolean): Promise<number> {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const [heavy, light] = [20, 1];
    const wheel = ghost(world, [0, 0, 0], ballMass(heavy, 0.1));
    const bob = ghost(world, [arm + 1, 0, 0], ballMass(light, 0.05));
    const anchors = { anchorA: [arm, 0, 0], anchorB: [0, 0, 0] } as const;
    const rod = world.createJoint({ type: 'distance', bodyA: wheel, bodyB: bob, ...anchors, length: 1 });
    const center = isFree ? 0 : ((arm + 1) * light) / (heavy + light);
    world.setVelocity(wheel, [0, -spin * center, 0], [0, 0, spin]);
    if (!isFree) world.setVelocity(bob, [0, spin * (arm + 1 - center), 0], [0, 0, spin]);
    let off = 0;
    for (let i = 0; i < 120; i++) {
      world.step();
      off = Math.max(off, Math.abs(world.getJoint(rod).place - 1));
    }
    return off;
  }

  test('keeps its length where all turns together', async () => {
    bar('rod, turning at 20 rad/s, off (m)', await play(0.5, 20, false), most);
  });

  test('does not see the spin of a wheel that it holds by the center', async () => {
    bar('rod, beside a wheel at 100 rad/s, off (m)', await play(0, 100, true), 1e-6);
  });
});
