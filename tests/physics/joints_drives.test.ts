// Motors, springs and friction of joints against their closed forms.
import { describe, expect, test } from 'vitest';
import type { JointDesc, JointId, World } from '../../src/study/index';
import { DT, GRAVITY, position, steps, type V3, velocity } from '../helpers/ground';
import { ballMass, bar, boxMass, ghost, JOINT_SOLVERS, jointWorld, oscillation } from '../helpers/joint_worlds';

const HALF: V3 = [0.5, 0.05, 0.1];
/** Moment of the lever about its end, per kg. */
const MOMENT = (HALF[0] ** 2 + HALF[1] ** 2) / 3 + HALF[0] ** 2;

/** A lever of 4 kg that is hinged at its end, along x. */
function lever(world: World, more: Partial<JointDesc>): { body: ReturnType<typeof ghost>; joint: JointId } {
  const body = ghost(world, [0.5, 0, 0], boxMass(4, HALF));
  const joint = world.createJoint({
    type: 'hinge',
    bodyB: body,
    anchor: [0, 0, 0],
    axis: [0, 0, 1],
    frictionLever: 0,
    ...more,
  } as JointDesc);
  return { body, joint };
}

/** A box of 4 kg on a slider along an axis. */
function sled(world: World, axis: V3, more: Partial<JointDesc>) {
  const body = ghost(world, [0, 0, 0], boxMass(4, [0.2, 0.2, 0.2]));
  const joint = world.createJoint({ type: 'slider', bodyB: body, anchor: [0, 0, 0], axis, ...more } as JointDesc);
  return { body, joint };
}

const TORQUE = 4 * GRAVITY * 0.5;

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  test('a motor of 1.01 of the torque holds a lever, one of 0.99 lets it sink', async () => {
    for (const share of [1.01, 0.99]) {
      const world = await jointWorld({ solver });
      const { joint } = lever(world, { motor: { velocity: 0, maxForce: share * TORQUE } });
      steps(world, 30);
      const { place, axisForce } = world.getJoint(joint);
      if (share > 1) {
        bar('motor holds: angle after 0.5 s', Math.abs(place), 1e-4);
        bar('motor holds: torque off', Math.abs(axisForce / TORQUE - 1), 0.01);
      } else {
        const exact = (0.5 * 0.01 * TORQUE * 0.5 * (0.5 + DT / 12)) / (4 * MOMENT);
        bar('motor too weak: angle sunk off', Math.abs(-place / exact - 1), 0.05);
        bar('motor too weak: torque off', Math.abs(axisForce / (0.99 * TORQUE) - 1), 0.01);
      }
    }
  });

  test('a slider motor of 1.01 of the weight holds it, one of 0.99 lets it sink at a hundredth of g', async () => {
    for (const share of [1.01, 0.99]) {
      const world = await jointWorld({ solver });
      const { joint } = sled(world, [0, 1, 0], { motor: { velocity: 0, maxForce: share * 4 * GRAVITY } });
      steps(world, 60);
      const { place, axisForce } = world.getJoint(joint);
      if (share > 1) bar('slider motor holds: way after 1 s', Math.abs(place), 1e-5);
      else bar('slider motor too weak: way off', Math.abs(-place / (0.5 * 0.01 * GRAVITY) - 1), 0.01);
      bar('slider motor: force off', Math.abs(axisForce / (Math.min(share, 1) * 4 * GRAVITY) - 1), 0.01);
    }
  });

  test('a motor turns up at its torque over the moment, and keeps its velocity', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const { joint, body } = lever(world, { motor: { velocity: 6, maxForce: 2 * 4 * MOMENT } }); // 2 rad/s2
    steps(world, 120);
    bar('motor: rate after 2 s', Math.abs(world.getAngularVelocity(body, [0, 0, 0])[2] / 4 - 1), 0.01);
    steps(world, 120);
    bar('motor: rate reached', Math.abs(world.getAngularVelocity(body, [0, 0, 0])[2] / 6 - 1), 0.01);
    bar('motor: angle', Math.abs(world.getJoint(joint).place / (6 * 4 - 0.5 * 6 * 3) - 1), 0.01);
  });

  test('motors of six-axis joints, cones, wheels and cylinders turn too', async () => {
    const motor = { velocity: 3, maxForce: 100 };
    const kinds: [Partial<JointDesc> & { type: JointDesc['type'] }, 'twist' | 'x'][] = [
      [{ type: 'cone-twist', axis: [0, 0, 1], motor }, 'twist'],
      [{ type: 'cylindrical', axis: [0, 0, 1], twist: { motor } }, 'twist'],
      [{ type: 'wheel', axis: [0, 0, 1], twist: { motor }, spring: { frequency: 3 } }, 'twist'],
      [{ type: 'six-axis', axes: { x: { locked: true }, y: { locked: true }, z: { locked: true }, twist: { motor } } }, 'twist'],
      [{ type: 'six-axis', axes: { x: { motor } } }, 'x'],
      [{ type: 'slider', axis: [1, 0, 0], motor }, 'x'],
    ];
    for (const [kind, axis] of kinds) {
      const world = await jointWorld({ solver, gravity: [0, 0, 0] });
      const body = ghost(world, [0, 0, 0], boxMass(4, [0.2, 0.2, 0.2]));
      world.createJoint({ ...kind, bodyB: body, anchor: [0, 0, 0] });
      steps(world, 60);
      const reached = axis === 'x' ? velocity(world, body)[0] : world.getAngularVelocity(body, [0, 0, 0])[2]!;
      bar(`motor of ${kind.type}: velocity`, Math.abs(reached / 3 - 1), 0.01);
    }
  });

  test('a motor between two bodies keeps their angular momentum', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const [a, b] = [ghost(world, [0, 0, 0], ballMass(1, 0.5)), ghost(world, [0, 0, 0], ballMass(3, 0.5))];
    const joint = { type: 'hinge', bodyA: a, bodyB: b, anchor: [0, 0, 0], axis: [0, 0, 1], frictionLever: 0 } as const;
    world.createJoint({ ...joint, motor: { velocity: 8 } });
    steps(world, 60);
    const [wA, wB] = [a, b].map((id) => world.getAngularVelocity(id, [0, 0, 0])[2]!);
    bar('motor of two: relative rate', Math.abs((wB! - wA!) / 8 - 1), 0.01);
    bar('motor of two: momentum', Math.abs(wA! + 3 * wB!), 1e-4);
  });

  type Sprung = [string, (world: World, spring: object) => JointId, (world: World, joint: JointId) => number];
  /** Oscillators that start 0.1 (m, rad) off their rest. */
  const SPRINGS: Sprung[] = [
    ['hinge', (world, spring) => lever(world, { spring: { target: 0.1, ...spring } }).joint, (w, j) => w.getJoint(j).place - 0.1],
    [
      'slider',
      (world, spring) => sled(world, [0.6, 0, 0.8], { spring: { target: 0.1, ...spring } }).joint,
      (w, j) => w.getJoint(j).place - 0.1,
    ],
    [
      'distance',
      (world, spring) => {
        const bodyB = ghost(world, [1, 0, 0], ballMass(2, 0.1));
        const anchors = { anchorA: [0, 0, 0], anchorB: [0, 0, 0] };
        return world.createJoint({ type: 'distance', bodyB, ...anchors, spring: { target: 1.1, ...spring } });
      },
      (w, j) => w.getJoint(j).place - 1.1,
    ],
    [
      'six-axis, y',
      (world, spring) => {
        const bodyB = ghost(world, [0, 0, 0], boxMass(4, [0.2, 0.2, 0.2]));
        return world.createJoint({
          type: 'six-axis',
          bodyB,
          anchor: [0, 0, 0],
          axes: { y: { spring: { target: 0.1, ...spring } } },
        });
      },
      (w, j) => w.getJoint(j).offset[1] - 0.1,
    ],
    [
      'six-axis, swing of a lever',
      (world, spring) => {
        const bodyB = ghost(world, [0.5, 0, 0], boxMass(4, HALF));
        const locked = { locked: true };
        const axes = {
          x: locked,
          y: locked,
          z: locked,
          swingX: locked,
          twist: locked,
          swingY: { spring: { target: 0.1, ...spring } },
        };
        return world.createJoint({ type: 'six-axis', bodyB, anchor: [0, 0, 0], axes, frictionLever: 0 });
      },
      (w, j) => w.getJoint(j).swing - 0.1,
    ],
    [
      'two free bodies on a slider',
      (world, spring) => {
        const [bodyA, bodyB] = [ghost(world, [0, 0, 0], ballMass(1, 0.2)), ghost(world, [1, 0, 0], ballMass(3, 0.2))];
        return world.createJoint({
          type: 'slider',
          bodyA,
          bodyB,
          anchor: [0, 0, 0],
          axis: [1, 0, 0],
          spring: { target: 0.1, ...spring },
        });
      },
      (w, j) => w.getJoint(j).place - 0.1,
    ],
  ];

  test.each(SPRINGS)('a spring of 2 Hz swings at 2 Hz with its damping ratio: %s', async (name, make, read) => {
    for (const dampingRatio of [0.1, 0.3, 0.6]) {
      const world = await jointWorld({ solver, gravity: [0, 0, 0] });
      const joint = make(world, { frequency: 2, dampingRatio });
      const samples: number[] = [];
      for (let i = 0; i < (dampingRatio > 0.5 ? 40 : 90); i++) {
        world.step();
        samples.push(read(world, joint));
      }
      const found = oscillation(samples, DT);
      bar(`spring ${name}, zeta ${dampingRatio}: frequency off`, Math.abs(found.frequency / 2 - 1), 0.01);
      bar(`spring ${name}, zeta ${dampingRatio}: damping off`, Math.abs(found.damping / dampingRatio - 1), 0.05);
    }
  });

  test.each([0.5, 1, 4, 8])('a slider spring of %s Hz', async (frequency) => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const { joint } = sled(world, [0, 0, 1], { spring: { target: 0.1, frequency, dampingRatio: 0.2 } });
    const samples: number[] = [];
    for (let i = 0; i < Math.min(180, (3 / frequency) * 60); i++) {
      world.step();
      samples.push(world.getJoint(joint).place - 0.1);
    }
    const found = oscillation(samples, DT);
    bar(`spring ${frequency} Hz: frequency off`, Math.abs(found.frequency / frequency - 1), 0.01);
    bar(`spring ${frequency} Hz: damping off`, Math.abs(found.damping / 0.2 - 1), 0.05);
  });

  test('stiffness and damping in newtons give what they must', async () => {
    const world = await jointWorld({ solver, gravity: [0, 0, 0] });
    const omega = 2 * Math.PI * 1.5;
    const { joint } = sled(world, [0, 1, 0], {
      spring: { target: 0.1, stiffness: 4 * omega ** 2, damping: 2 * 0.25 * 4 * omega },
    });
    const samples: number[] = [];
    for (let i = 0; i < 90; i++) {
      world.step();
      samples.push(world.getJoint(joint).place - 0.1);
    }
    const found = oscillation(samples, DT);
    bar('spring by stiffness: frequency off', Math.abs(found.frequency / 1.5 - 1), 0.01);
    bar('spring by stiffness: damping off', Math.abs(found.damping / 0.25 - 1), 0.05);
  });

  test('a spring hangs down by g over the square of its frequency', async () => {
    for (const spring of [
      { frequency: 2, dampingRatio: 1 },
      { stiffness: 4 * (4 * Math.PI) ** 2, damping: 2 * 4 * 4 * Math.PI },
    ]) {
      const world = await jointWorld({ solver });
      const { joint } = sled(world, [0, 1, 0], { spring: { target: 0, ...spring } });
      steps(world, 240);
      bar('spring under weight: place off', Math.abs(-world.getJoint(joint).place / (GRAVITY / (4 * Math.PI) ** 2) - 1), 0.01);
      bar('spring under weight: force off', Math.abs(world.getJoint(joint).axisForce / (4 * GRAVITY) - 1), 0.01);
    }
  });

  test('a spring gives no more than its largest force', async () => {
    const world = await jointWorld({ solver });
    const { joint } = sled(world, [0, 1, 0], { spring: { target: 0, frequency: 5, maxForce: 0.5 * 4 * GRAVITY } });
    steps(world, 60);
    bar('weak spring: way off', Math.abs(-world.getJoint(joint).place / (0.25 * GRAVITY) - 1), 0.02);
  });

  test('dry friction of an axis holds what is weaker and slows the rest', async () => {
    for (const share of [1.01, 0.99]) {
      const world = await jointWorld({ solver });
      const slide = sled(world, [0, 1, 0], { friction: share * 4 * GRAVITY });
      const other = await jointWorld({ solver });
      const turn = lever(other, { friction: share * TORQUE });
      steps(world, 60);
      steps(other, 30);
      const [way, angle] = [-world.getJoint(slide.joint).place, -other.getJoint(turn.joint).place];
      if (share > 1) {
        bar('friction holds: way', Math.abs(way), 1e-5);
        // The first steps find the force; from then on nothing creeps.
        bar('friction holds: angle', Math.abs(angle), 2e-3);
        steps(other, 120);
        bar('friction holds: angle that creeps in 2 s', Math.abs(-other.getJoint(turn.joint).place - angle), 1e-5);
      } else {
        bar('friction too weak: way off', Math.abs(way / (0.5 * 0.01 * GRAVITY) - 1), 0.02);
        bar('friction too weak: angle off', Math.abs(angle / ((0.5 * 0.01 * TORQUE * 0.25) / (4 * MOMENT)) - 1), 0.05);
      }
    }
  });

  test('friction by load stops a pendulum; without it, it swings', async () => {
    const rest: number[] = [];
    for (const frictionLever of [0, 0.02]) {
      const world = await jointWorld({ solver });
      const bob = ghost(world, [0.2, -1, 0], ballMass(1, 0.1));
      world.createJoint({ type: 'ball', bodyB: bob, anchor: [0, 0, 0], frictionLever });
      steps(world, 1200);
      rest.push(Math.hypot(...velocity(world, bob), position(world, bob)[0]));
    }
    expect(rest[0]).toBeGreaterThan(0.05);
    expect(rest[1]).toBeLessThan(0.03); // within the friction's angle, 0.02 m of lever on 1 m
  });

  test('a powered arm lifts its load to the angle asked for', async () => {
    const world = await jointWorld({ solver });
    const arm = ghost(world, [0.5, 0, 0], boxMass(2, HALF));
    const load = ghost(world, [1, -0.5, 0], ballMass(20, 0.2));
    const joint = world.createJoint({
      type: 'hinge',
      bodyB: arm,
      anchor: [0, 0, 0],
      axis: [0, 0, 1],
      spring: { target: 0.8, frequency: 6, dampingRatio: 1 },
    });
    world.createJoint({ type: 'ball', bodyA: arm, bodyB: load, anchor: [1, 0, 0] });
    steps(world, 600);
    const state = world.getJoint(joint);
    const torque = GRAVITY * Math.cos(state.place) * (2 * 0.5 + 20);
    bar('powered arm: torque off', Math.abs(state.axisForce / torque - 1), 0.01);
    // The spring is that of the arm alone: k (target - place) is the torque.
    const stiffness = 2 * MOMENT * (2 * Math.PI * 6) ** 2;
    bar('powered arm: angle off', Math.abs((stiffness * (0.8 - state.place)) / torque - 1), 0.02);
  });
});
