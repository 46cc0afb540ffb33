// Locked axes hold: pairs of bodies on joints of every type are shaken at random for a minute; tests of loops, gears and pulleys.
import { describe, expect, test } from 'vitest';
import type { BodyId, JointAxis, JointDesc, JointId } from '../../src/study/index';
import { DT, GRAVITY, position, steps, turn, type V3, velocity } from '../helpers/ground';
import { ballMass, bar, boxMass, DEGREE, errors, ghost, JOINT_SOLVERS, jointWorld, settingsOf } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';

const MILLIMETER = 1e-3;
const TENTH = 0.1 * DEGREE;

const locked: JointAxis = { locked: true };
type Kind = Omit<JointDesc, 'bodyA' | 'bodyB' | 'anchor'>;
/** Joints and their locked axes: bits 0-5. */
const KINDS: [string, Kind, number][] = [
  ['ball', { type: 'ball' }, 0b000111],
  ['hinge', { type: 'hinge', axis: [0.6, 0, 0.8] }, 0b011111],
  ['fixed', { type: 'fixed' }, 0b111111],
  ['slider', { type: 'slider', axis: [0, 1, 0], limit: { min: -0.5, max: 0.5 } }, 0b111011],
  ['cylindrical', { type: 'cylindrical', axis: [1, 0, 0], limit: { min: -0.5, max: 0.5 } }, 0b011011],
  ['cone-twist', { type: 'cone-twist', axis: [0, 1, 0], cone: 0.6, limit: { min: -0.5, max: 0.5 } }, 0b000111],
  ['wheel', { type: 'wheel', axis: [1, 0, 0], limit: { min: -0.2, max: 0.2 }, spring: { frequency: 3 } }, 0b011101],
  [
    'six-axis, all',
    { type: 'six-axis', axes: { x: locked, y: locked, z: locked, swingX: locked, swingY: locked, twist: locked } },
    0b111111,
  ],
  [
    'six-axis, plane',
    {
      type: 'six-axis',
      axes: { z: locked, swingX: locked, swingY: locked, x: { limit: { min: -1, max: 1 } }, y: { limit: { min: -1, max: 1 } } },
    },
    0b011100,
  ],
  [
    'six-axis, universal',
    {
      type: 'six-axis',
      axes: {
        x: locked,
        y: locked,
        z: locked,
        twist: locked,
        swingX: { limit: { min: -0.8, max: 0.8 } },
        swingY: { limit: { min: -0.8, max: 0.8 } },
      },
    },
    0b100111,
  ],
  ['hinge with limits', { type: 'hinge', axis: [0, 0, 1], limit: { min: -0.4, max: 0.4 } }, 0b011111],
];

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  test('locked axes drift less than 1 mm and 0.1 degree in a minute of random shaking', async () => {
    const world = await jointWorld({ solver, gravity: [0, -9.81, 0] });
    const random = seeded(12);
    const vector = (size: number) => [0, 1, 2].map(() => size * (2 * random() - 1)) as V3;
    const pairs: { name: string; mask: number; bodies: BodyId[]; joint: JointId; desc: JointDesc; gap: number; angle: number }[] =
      [];
    for (const hangs of [false, true]) {
      KINDS.forEach(([name, kind, mask], i) => {
        const at: V3 = [10 * i, 0, hangs ? 10 : 0];
        const a = hangs ? null : ghost(world, at, boxMass(2, [0.3, 0.2, 0.25]), { gravityScale: 0 });
        const b = ghost(world, [at[0] + 0.6, at[1] + 0.2, at[2]], boxMass(1.5, [0.25, 0.2, 0.3]), {
          rotation: turn([0, 0.6, 0.8], 0.5),
          gravityScale: hangs ? 1 : 0,
        });
        const joint = world.createJoint({ ...kind, bodyA: a, bodyB: b, anchor: [at[0] + 0.3, at[1] + 0.1, at[2]] });
        const desc = settingsOf(world, joint);
        pairs.push({
          name: `${name}${hangs ? ' at the world' : ''}`,
          mask,
          bodies: a === null ? [b] : [a, b],
          joint,
          desc,
          gap: 0,
          angle: 0,
        });
      });
    }
    for (const { bodies } of pairs) for (const id of bodies) world.setDamping(id, 1, 1);
    /** Errors of the locked axes. */
    const read = (pair: (typeof pairs)[0]) => {
      const e = errors(world, pair.desc);
      const gap = Math.hypot(...e.offset.map((x, k) => (pair.mask & (1 << k) ? x : 0)));
      const swings = (pair.mask & 0b011000) === 0b011000;
      const angle =
        (pair.mask & 0b111000) === 0b111000
          ? e.turn
          : Math.max(swings ? e.swing : 0, pair.mask & 0b100000 ? Math.abs(e.twist) : 0);
      return { gap, angle };
    };
    for (let i = 0; i < 3600; i++) {
      for (const { bodies } of pairs) {
        for (const id of bodies) {
          world.addForce(id, vector(40 * world.getMass(id)));
          world.addTorque(id, vector(5));
        }
      }
      world.step();
      for (const pair of pairs) {
        const { gap, angle } = read(pair);
        pair.gap = Math.max(pair.gap, gap);
        pair.angle = Math.max(pair.angle, angle);
      }
    }
    for (const pair of pairs) {
      const { gap, angle } = read(pair);
      bar(`shaken, ${pair.name}: gap after 60 s (m; largest ${pair.gap.toPrecision(3)})`, gap, MILLIMETER);
      bar(`shaken, ${pair.name}: angle after 60 s (rad; largest ${pair.angle.toPrecision(3)})`, angle, TENTH);
      // While it is shaken, too.
      bar(`shaken, ${pair.name}: largest gap (m)`, pair.gap, 2 * MILLIMETER);
    }
  });

  test('a four-bar loop keeps closed and its rocker goes as its crank says', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    // Ground, crank, coupler, rocker: a crank that goes round.
    const [ground, crank, coupler, rocker] = [1, 0.3, 0.9, 0.7] as const;
    /** Angle of the rocker about its ground joint, for an angle of the crank. */
    const exact = (t: number) => {
      const [px, py] = [crank * Math.cos(t) - ground, crank * Math.sin(t)];
      const way = Math.hypot(px, py);
      return Math.atan2(py, px) - Math.acos((rocker ** 2 + way ** 2 - coupler ** 2) / (2 * rocker * way));
    };
    const p: V3 = [crank, 0, 0];
    const a = exact(0);
    const q: V3 = [ground + rocker * Math.cos(a), rocker * Math.sin(a), 0];
    const rod = (from: V3, to: V3) => {
      const way = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
      return ghost(world, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, 0], boxMass(2 * way, [way / 2, 0.03, 0.03]), {
        rotation: turn([0, 0, 1], angle),
      });
    };
    const [first, middle, last] = [rod([0, 0, 0], p), rod(p, q), rod([ground, 0, 0], q)];
    const hinge = (bodyA: BodyId | null, bodyB: BodyId, anchor: V3, more: object = {}) =>
      world.createJoint({ type: 'hinge', bodyA, bodyB, anchor, axis: [0, 0, 1], frictionLever: 0, ...more });
    const driven = hinge(null, first, [0, 0, 0], { motor: { velocity: 3 } });
    const joints = [driven, hinge(first, middle, p), hinge(middle, last, q), hinge(null, last, [ground, 0, 0])];
    const rest = world.getJoint(joints[3]!);
    let [off, gap] = [0, 0];
    for (let i = 0; i < 900; i++) {
      world.step();
      const turned = world.getJoint(driven).place;
      const rock = world.getJoint(joints[3]!).place - rest.place;
      off = Math.max(off, Math.abs(Math.atan2(Math.sin(rock + a - exact(turned)), Math.cos(rock + a - exact(turned)))));
      for (const id of joints) gap = Math.max(gap, world.getJoint(id).gap);
    }
    expect(world.getJoint(driven).place).toBeGreaterThan(0.97 * 3 * 15); // seven turns
    bar('four-bar: rocker off (rad)', off, 0.5 * DEGREE);
    bar('four-bar: gap (m)', gap, MILLIMETER);
    bar(
      'four-bar: out of its plane (m)',
      Math.max(...[first, middle, last].map((id) => Math.abs(position(world, id)[2]))),
      MILLIMETER,
    );
  });

  test('a gear train keeps its ratios, in rate and in angle', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const ratios = [2, 1.5, -3];
    const radii = [0.2, 0.4, 0.6, 0.2];
    const wheels = radii.map((r, i) =>
      ghost(world, [i, 0, 0], { mass: 10 * r * r, inertia: [5 * r ** 4, 5 * r ** 4, 10 * r ** 4, 0, 0, 0] }),
    );
    const hinges = wheels.map((bodyB, i) =>
      world.createJoint({
        type: 'hinge',
        bodyB,
        anchor: [i, 0, 0],
        axis: [0, 0, 1],
        frictionLever: 0,
        ...(i === 0 ? { motor: { velocity: 20, maxForce: 1 } } : {}),
      }),
    );
    const gears = ratios.map((ratio, i) =>
      world.createJoint({ type: 'gear', bodyA: wheels[i]!, bodyB: wheels[i + 1]!, axis: [0, 0, 1], ratio }),
    );
    let slip = 0;
    for (let i = 0; i < 600; i++) {
      world.step();
      for (const [k, ratio] of ratios.entries()) {
        const [a, b] = [hinges[k]!, hinges[k + 1]!].map((id) => world.getJoint(id).place);
        slip = Math.max(slip, Math.abs(a! + ratio * b!));
      }
    }
    const rates = wheels.map((id) => world.getAngularVelocity(id, [0, 0, 0])[2]!);
    expect(world.getJoint(hinges[0]!).place).toBeGreaterThan(20 * 2 * Math.PI);
    ratios.forEach((ratio, i) => {
      bar(`gear ${ratio}: rate off`, Math.abs((ratio * rates[i + 1]!) / -rates[i]! - 1), 1e-3);
    });
    bar('gears: slip after 25 turns (rad)', slip, 0.5 * DEGREE);
    bar('gears: their own error (rad)', Math.max(...gears.map((id) => Math.abs(world.getJoint(id).place))), 0.5 * DEGREE);
  });

  test('a motor of torque 1 on one wheel gives the other its ratio of torque', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const inertia = [1, 1, 1, 0, 0, 0];
    const [a, b] = [0, 1].map((x) => ghost(world, [x, 0, 0], { mass: 1, inertia }));
    for (const [i, bodyB] of [a!, b!].entries())
      world.createJoint({
        type: 'hinge',
        bodyB,
        anchor: [i, 0, 0],
        axis: [0, 0, 1],
        frictionLever: 0,
        ...(i === 0 ? { motor: { velocity: 100, maxForce: 1 } } : {}),
      });
    world.createJoint({ type: 'gear', bodyA: a!, bodyB: b!, axis: [0, 0, 1], ratio: 2 });
    steps(world, 60);
    // (I + I / 4) dw = 1
    bar('gear: acceleration off', Math.abs(world.getAngularVelocity(a!, [0, 0, 0])[2]! / 0.8 - 1), 0.01);
  });

  test.each([1, 2])('a pulley of ratio %s keeps its rope, and its masses fall as Atwood says', async (ratio) => {
    const world = await jointWorld({ solver });
    const [mA, mB] = [3, 4];
    const a = ghost(world, [-1, 0, 0], ballMass(mA, 0.1));
    const b = ghost(world, [1, -1, 0], ballMass(mB, 0.1));
    const joint = world.createJoint({
      type: 'pulley',
      bodyA: a,
      bodyB: b,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      groundA: [-1, 5, 0],
      groundB: [1, 5, 0],
      ratio,
    });
    const length = 5 + ratio * 6;
    let off = 0;
    const count = 45;
    for (let i = 0; i < count; i++) {
      world.step();
      off = Math.max(off, Math.abs(5 - position(world, a)[1] + ratio * (5 - position(world, b)[1]) - length));
    }
    bar(`pulley ${ratio}: rope off (m)`, off, MILLIMETER);
    // y_A + ratio y_B stays: tension T on A, ratio T on B.
    const tension = ((1 + ratio) * GRAVITY) / (1 / mA + ratio ** 2 / mB);
    const acceleration = tension / mA - GRAVITY;
    bar(`pulley ${ratio}: velocity off`, Math.abs(velocity(world, a)[1] / (acceleration * count * DT) - 1), 0.01);
    bar(`pulley ${ratio}: tension off`, Math.abs(Math.abs(world.getJoint(joint).axisForce) / tension - 1), 0.01);
    expect(world.getJoint(joint).place).toBeCloseTo(length, 2);
  });

  test('a wheel rolls on its spin, springs on its suspension and stands on its steering', async () => {
    const world = await jointWorld({ solver });
    const car = ghost(world, [0, 1, 0], boxMass(100, [1, 0.2, 0.6]), { type: 'kinematic' });
    const wheel = ghost(world, [1, 0.8, 0.6], boxMass(10, [0.2, 0.2, 0.1]));
    const joint = world.createJoint({
      type: 'wheel',
      bodyA: car,
      bodyB: wheel,
      anchor: [1, 0.8, 0.6],
      axis: [0, 0, 1],
      limit: { min: -0.3, max: 0.2 },
      spring: { target: 0, frequency: 2, dampingRatio: 1 },
    });
    world.setVelocity(wheel, [0, 0, 0], [0, 0, 30]);
    steps(world, 240);
    const state = world.getJoint(joint);
    bar('wheel: suspension off', Math.abs(-state.place / (GRAVITY / (4 * Math.PI) ** 2) - 1), 0.01);
    bar('wheel: force of the suspension off', Math.abs(state.axisForce / (10 * GRAVITY) - 1), 0.01);
    bar('wheel: spin lost', Math.abs(world.getAngularVelocity(wheel, [0, 0, 0])[2]! / 30 - 1), 0.01);
    expect(state.gap).toBeLessThan(MILLIMETER);
    world.setJoint(joint, { steering: 0.4 });
    world.setVelocity(wheel, [0, 0, 0], [0, 0, 0]);
    steps(world, 60);
    const desc = settingsOf(world, joint);
    expect(desc.steering).toBeCloseTo(0.4, 6);
    // Its axis has turned about y.
    const q = world.getRotation(wheel, [0, 0, 0, 1]);
    const axis = [2 * (q[0]! * q[2]! + q[3]! * q[1]!), 1 - 2 * (q[0]! ** 2 + q[1]! ** 2)];
    bar('wheel: steering off (rad)', Math.abs(Math.atan2(axis[0]!, axis[1]!) - 0.4), 0.5 * DEGREE);
  });
});
