// Joints of Augmented Vertex Block Descent: every type against what it says, closed forms, chains under load.
import { describe, expect, it } from 'vitest';
import { createWorld, type JointDesc, type World, type WorldOptions } from '../../src/study/index';
import { DT, faultsOf, GRAVITY, NO_FAULTS, position, spin, steps } from '../helpers/ground';
import { ballMass, boxMass, errors, ghost, oscillation, period } from '../helpers/joint_worlds';

const avbd = (options: WorldOptions = {}) => createWorld({ solver: 'avbd', sleep: false, warn: false, ...options });

const HALF: [number, number, number] = [0.5, 0.05, 0.1];
/** N m: weight of the lever about its end. */
const TORQUE = 4 * GRAVITY * 0.5;

/** A lever of 4 kg, hinged at its end, along x. */
function lever(world: World, more: Partial<JointDesc> = {}) {
  const body = ghost(world, [0.5, 0, 0], boxMass(4, HALF));
  const desc = { type: 'hinge', bodyB: body, anchor: [0, 0, 0], axis: [0, 0, 1], frictionLever: 0, ...more } as JointDesc;
  return { body, joint: world.createJoint(desc) };
}

/** A chain of bars along x that hangs from the world, with a box at its end. */
async function chain(links: number, ratio: number, options: WorldOptions = {}) {
  const world = await avbd(options);
  let last: ReturnType<typeof ghost> | null = null;
  for (let i = 0; i < links; i++) {
    const id = ghost(world, [0.2 * i + 0.1, 0, 0], boxMass(1, [0.1, 0.03, 0.03]));
    world.createJoint({ type: 'ball', bodyA: last, bodyB: id, anchor: [0.2 * i, 0, 0], frictionLever: 0 });
    last = id;
  }
  const end = ghost(world, [0.2 * links + 0.25, 0, 0], boxMass(ratio, [0.25, 0.25, 0.25]));
  world.createJoint({ type: 'ball', bodyA: last, bodyB: end, anchor: [0.2 * links, 0, 0], frictionLever: 0 });
  const length = 0.2 * links + 0.25;
  return { world, stretch: () => Math.hypot(...position(world, end)) - length };
}

it('a pendulum has the period of its swing, and loses amplitude as implicit Euler does', async () => {
  const world = await avbd();
  const [swing, i] = [0.2, 0.4 * 0.01];
  const id = ghost(world, [Math.sin(swing), -Math.cos(swing), 0], ballMass(1, 0.1));
  world.createJoint({ type: 'ball', bodyB: id, anchor: [0, 0, 0], frictionLever: 0 });
  const xs = Array.from({ length: 300 }, () => {
    world.step();
    return position(world, id)[0];
  });
  // The first swings are near to the amplitude.
  const exact = 2 * Math.PI * Math.sqrt((1 + i) / GRAVITY);
  expect(Math.abs(period(xs, DT) / exact - 1)).toBeLessThan(0.01);
  expect(Math.abs(Math.hypot(...position(world, id)) - 1)).toBeLessThan(1e-3);
  // Implicit Euler: exp(-omega^2 h t / 2).
  const left = Math.exp(-0.5 * (GRAVITY / (1 + i)) * DT * 5);
  expect(Math.max(...xs.slice(-125)) / Math.sin(swing)).toBeGreaterThan(0.8 * left);
  expect(Math.max(...xs.slice(-125)) / Math.sin(swing)).toBeLessThan(1.3 * left);
});

describe('hinge', () => {
  it('a limit holds the lever', async () => {
    const world = await avbd();
    const { joint } = lever(world, { limit: { min: -0.5, max: 0.5 } });
    steps(world, 120);
    expect(Math.abs(world.getJoint(joint).place + 0.5)).toBeLessThan(1e-3);
  });

  it('the other side of the limit holds it too', async () => {
    const world = await avbd({ gravity: [0, GRAVITY, 0] });
    const { joint } = lever(world, { limit: { min: -0.5, max: 0.5 } });
    steps(world, 120);
    expect(Math.abs(world.getJoint(joint).place - 0.5)).toBeLessThan(1e-3);
  });

  it('a motor keeps its velocity, whole turns counted', async () => {
    const world = await avbd();
    const { joint } = lever(world, { motor: { velocity: 4 } });
    steps(world, 240);
    expect(Math.abs(world.getJoint(joint).place - 16)).toBeLessThan(0.1);
  });

  it('a motor of 1.5 of the torque holds the lever once its force has grown, one of 0.9 does not', async () => {
    for (const share of [1.5, 0.9]) {
      const world = await avbd();
      const { body, joint } = lever(world, { motor: { velocity: 0, maxForce: share * TORQUE } });
      steps(world, 30);
      const first = world.getJoint(joint).place;
      steps(world, 30);
      const { place, axisForce } = world.getJoint(joint);
      if (share > 1) {
        expect(Math.abs(place - first)).toBeLessThan(1e-3);
        expect(Math.abs(spin(world, body)[2])).toBeLessThan(1e-3);
      } else {
        expect(place).toBeLessThan(first - 0.1);
        expect(Math.abs(axisForce / (0.9 * TORQUE) - 1)).toBeLessThan(0.01);
      }
    }
  });

  it('dry friction below the torque slows the fall, above it stops it', async () => {
    const fall = async (friction: number) => {
      const world = await avbd();
      const { joint } = lever(world, { friction });
      steps(world, 60);
      return -world.getJoint(joint).place;
    };
    const [none, some, much] = [await fall(0), await fall(0.5 * TORQUE), await fall(1.2 * TORQUE)];
    expect(some).toBeLessThan(0.8 * none);
    expect(much).toBeLessThan(0.05);
  });

  it('breaks by its load', async () => {
    const world = await avbd();
    const { joint } = lever(world, { breakForce: 20 });
    steps(world, 60);
    expect(world.getJoint(joint).broken).toBe(true);
  });
});

it.each([
  [1, 0.1],
  [3, 0.5],
])('a spring of %s Hz and a damping ratio of %s swings as it says', async (frequency, dampingRatio) => {
  const world = await avbd({ gravity: [0, 0, 0], dt: 1 / 480 });
  const id = ghost(world, [0, 0, 0], boxMass(4, [0.2, 0.2, 0.2]));
  const spring = { target: -0.1, frequency, dampingRatio };
  world.createJoint({ type: 'slider', bodyB: id, anchor: [0, 0, 0], axis: [1, 0, 0], spring });
  const xs = Array.from({ length: 480 }, () => {
    world.step();
    return position(world, id)[0] + 0.1;
  });
  // Implicit Euler adds omega h / 2 to the damping ratio.
  const added = (2 * Math.PI * frequency) / 960;
  const seen = oscillation(xs, 1 / 480);
  expect(Math.abs(seen.frequency / frequency - 1)).toBeLessThan(0.03);
  expect(Math.abs(seen.damping - dampingRatio - added)).toBeLessThan(0.02);
});

it('a spring of a stiffness gives way by load / stiffness', async () => {
  const world = await avbd();
  const id = ghost(world, [0, 0, 0], boxMass(4, [0.2, 0.2, 0.2]));
  world.createJoint({ type: 'slider', bodyB: id, anchor: [0, 0, 0], axis: [0, 1, 0], spring: { stiffness: 1000, damping: 100 } });
  steps(world, 240);
  expect(position(world, id)[1] / ((-4 * GRAVITY) / 1000)).toBeCloseTo(1, 2);
});

/** Two boxes, the first of them held by the world, with a joint of each type between. */
const TYPES: [string, Partial<JointDesc>][] = [
  ['ball', {}],
  ['hinge', { axis: [0, 0, 1] }],
  ['fixed', {}],
  ['slider', { axis: [0, 1, 0], limit: { min: -0.3, max: 0.3 } }],
  ['cylindrical', { axis: [0, 1, 0], limit: { min: -0.3, max: 0.3 } }],
  ['cone-twist', { axis: [1, 0, 0], cone: 0.4 }],
  ['distance', { length: 1 }],
];

describe('all types', () => {
  it.each(TYPES)('%s', async (type, more) => {
    const world = await avbd();
    const a = ghost(world, [0, 0, 0], boxMass(4, [0.2, 0.2, 0.2]));
    const b = ghost(world, [1, 0, 0], boxMass(2, [0.3, 0.2, 0.2]));
    world.createJoint({ type: 'fixed', bodyB: a, anchor: [0, 0, 0] });
    const anchors = type === 'distance' ? { anchorA: [0, 0, 0], anchorB: [0, 0, 0] } : { anchor: [0.5, 0, 0] };
    const joint = world.createJoint({ type, bodyA: a, bodyB: b, ...anchors, ...more } as JointDesc);
    steps(world, 180);
    expect(Math.hypot(...position(world, a))).toBeLessThan(0.02);
    const { place } = world.getJoint(joint);
    const [x, y, z] = position(world, b);
    if (type === 'slider' || type === 'cylindrical') {
      expect(Math.abs(place + 0.3)).toBeLessThan(0.01);
      expect(Math.hypot(x - 1, z)).toBeLessThan(0.02);
    } else if (type === 'distance') {
      expect(Math.abs(Math.hypot(x, y, z) - 1)).toBeLessThan(0.01);
    } else if (type === 'fixed') {
      expect(Math.hypot(x - 1, y, z)).toBeLessThan(0.03);
    } else {
      const desc = { type, bodyA: a, bodyB: b, anchorA: [0.5, 0, 0], anchorB: [-0.5, 0, 0] } as unknown as JointDesc;
      expect(errors(world, desc).gap).toBeLessThan(0.01);
      expect(y).toBeLessThan(-0.05);
    }
    if (type === 'cone-twist') expect(Math.atan2(-y, x - 0.5)).toBeLessThan(0.45);
    expect({ ...faultsOf(world), speedLimited: 0 }).toEqual(NO_FAULTS);
  });

  it('gear', async () => {
    const world = await avbd({ gravity: [0, 0, 0] });
    const [a, b] = [0, 2].map((x) => ghost(world, [x, 0, 0], ballMass(2, 0.5)));
    const hinge = { type: 'hinge', axis: [0, 0, 1], frictionLever: 0 } as const;
    world.createJoint({ ...hinge, bodyB: a!, anchor: [0, 0, 0], motor: { velocity: 2 } });
    world.createJoint({ ...hinge, bodyB: b!, anchor: [2, 0, 0] });
    world.createJoint({ type: 'gear', bodyA: a!, bodyB: b!, axis: [0, 0, 1], ratio: 2 });
    steps(world, 120);
    expect(Math.abs(spin(world, a!)[2] - 2)).toBeLessThan(0.02);
    expect(Math.abs(spin(world, a!)[2] + 2 * spin(world, b!)[2])).toBeLessThan(0.02);
  });

  it('pulley', async () => {
    const world = await avbd();
    const [a, b] = [3, 1].map((mass, i) => ghost(world, [2 * i, -1, 0], ballMass(mass, 0.2)));
    const ends = { anchorA: [0, 0, 0], anchorB: [0, 0, 0], groundA: [0, 1, 0], groundB: [2, 1, 0] };
    world.createJoint({ type: 'pulley', bodyA: a!, bodyB: b!, ...ends } as JointDesc);
    steps(world, 30);
    // Atwood: a = g (3 - 1) / (3 + 1).
    const fallen = 0.5 * (GRAVITY / 2) * 0.25;
    expect(Math.abs((-1 - position(world, a!)[1]) / fallen - 1)).toBeLessThan(0.1);
    expect(Math.abs(position(world, a!)[1] + position(world, b!)[1] + 2)).toBeLessThan(0.01);
  });
});

describe('chains', () => {
  it('twenty links with a box of ten links hold together with more iterations', async () => {
    const { world, stretch } = await chain(20, 10, { iterations: 40, avbdRamp: 1e6 });
    let worst = 0;
    for (let i = 0; i < 300; i++) {
      world.step();
      worst = Math.max(worst, stretch());
    }
    expect(worst).toBeLessThan(0.05);
  });

  it('a box of 1000 links stretches the chain, and it recovers', async () => {
    const { world, stretch } = await chain(20, 1000, { iterations: 30, avbdRamp: 1e7 });
    let worst = 0;
    for (let i = 0; i < 300; i++) {
      world.step();
      worst = Math.max(worst, stretch());
    }
    expect(worst).toBeLessThan(0.4);
    expect(stretch()).toBeLessThan(0.1);
    expect(faultsOf(world).notFinite).toBe(false);
  });
});
