// Each type of joint in motion, from the API: what it keeps, limits and drives, the forces it tells, breaking, switching it off,
// sleep, clones, a world that asked for WebGPU.
import { expect, test } from 'vitest';
import { type BodyId, createWorld, type JointDesc, type JointId, type World } from '../../src/index';
import { useDevice } from '../helpers/gpu';

const G = 9.81;

interface Scene {
  world: World;
  /** A box of 1 kg and 0.2 m. */
  box: (position: number[], more?: object) => BodyId;
  joint: (desc: Omit<JointDesc, 'bodyB'> & { bodyB?: BodyId }) => JointId;
  steps: (count: number) => void;
}

async function scene(options = {}): Promise<Scene> {
  const world = await createWorld({ sleep: false, ...options });
  const shape = world.createShape({ type: 'box', halfExtents: [0.1, 0.1, 0.1] });
  let last: BodyId;
  const box = (position: number[], more = {}) => {
    last = world.createBody({ shape, position, mass: 1, ...more });
    return last;
  };
  return {
    world,
    box,
    joint: (desc) => world.createJoint({ bodyB: last, ...desc }),
    steps: (count) => {
      for (let i = 0; i < count; i++) world.step();
    },
  };
}

const at = (world: World, id: BodyId) => world.getPosition(id, [0, 0, 0]) as [number, number, number];
const spin = (world: World, id: BodyId) => world.getAngularVelocity(id, [0, 0, 0]) as [number, number, number];

test('ball: a pendulum stays on its anchor and swings', async () => {
  const { world, box, joint, steps } = await scene();
  const bob = box([1, 0, 0]);
  const ball = joint({ type: 'ball', anchor: [0, 0, 0] });
  let lowest = 0;
  for (let i = 0; i < 180; i++) {
    steps(1);
    lowest = Math.min(lowest, at(world, bob)[1]);
    expect(world.getJoint(ball).gap).toBeLessThan(1e-3);
    expect(Math.hypot(...at(world, bob))).toBeCloseTo(1, 2);
  }
  expect(lowest).toBeLessThan(-0.99);
});

test('hinge: a motor counts turns up to the limit, and pushes against it', async () => {
  const { world, box, joint, steps } = await scene({ gravity: [0, 0, 0] });
  const rotor = box([0, 0, 0]);
  const motor = { velocity: 5, maxForce: 0.1 };
  const hinge = joint({ type: 'hinge', anchor: [0, 0, 0], axis: [0, 0, 1], motor, limit: { min: -1, max: 8 } });
  steps(60);
  expect(spin(world, rotor)[2]).toBeCloseTo(5, 1);
  steps(120);
  const { place, gap, swing, axisForce } = world.getJoint(hinge);
  expect(place).toBeGreaterThan(7.98);
  expect(place).toBeLessThan(8.02);
  expect(gap).toBeLessThan(1e-3);
  expect(swing).toBeLessThan(0.01);
  // The limit bears what the motor pushes.
  expect(Math.abs(axisForce)).toBeLessThan(0.01);
  world.setJoint(hinge, { motor: { velocity: -5, maxForce: 0.1 } });
  steps(180);
  expect(Math.abs(world.getJoint(hinge).place + 1)).toBeLessThan(0.02);
  world.setJoint(hinge, { motor: null, limit: null, spring: { target: 0.5, frequency: 2, dampingRatio: 1 } });
  steps(180);
  expect(world.getJoint(hinge).place).toBeCloseTo(0.5, 2);
});

test('fixed: carries weight and torque, and tells them', async () => {
  const { world, box, joint, steps } = await scene();
  box([0.5, 0, 0]);
  const weld = joint({ type: 'fixed', anchor: [0, 0, 0] });
  steps(120);
  const { force, torque, gap, swing } = world.getJoint(weld);
  expect(gap).toBeLessThan(1e-3);
  expect(swing).toBeLessThan(0.01);
  expect(force[1] / G).toBeCloseTo(1, 2);
  expect(torque[2] / (0.5 * G)).toBeCloseTo(1, 2);
});

test('slider: falls to its limit; a spring holds it where weight and stiffness say', async () => {
  const { world, box, joint, steps } = await scene();
  box([0, 0, 0]);
  const slider = joint({ type: 'slider', anchor: [0, 0, 0], axis: [0, 1, 0], limit: { min: -0.5, max: 1 } });
  steps(120);
  expect(Math.abs(world.getJoint(slider).place + 0.5)).toBeLessThan(2e-3);
  expect(world.getJoint(slider).axisForce / G).toBeCloseTo(1, 2);
  world.setJoint(slider, { spring: { target: 0.1, stiffness: 100, damping: 10 } });
  steps(240);
  expect(world.getJoint(slider).place).toBeCloseTo(0.1 - G / 100, 3);
  world.setJoint(slider, { motor: { velocity: 0.2, maxForce: 1.5 * G } });
  steps(60);
  expect(world.getJoint(slider).place).toBeCloseTo(0.1 - G / 100 + 0.2, 1);
});

test('cylindrical: slides and is spun', async () => {
  const { world, box, joint, steps } = await scene();
  const body = box([0, 0, 0]);
  const twist = { motor: { velocity: 3, maxForce: 10 } };
  const shaft = joint({ type: 'cylindrical', anchor: [0, 0, 0], axis: [0, -1, 0], limit: { min: 0, max: 5 }, twist });
  steps(30);
  expect(world.getJoint(shaft).place / (0.5 * G * 0.25)).toBeCloseTo(1, 1);
  expect(spin(world, body)[1]).toBeCloseTo(-3, 1);
  expect(world.getJoint(shaft).swing).toBeLessThan(0.01);
});

test('cone-twist: swing and twist stay within', async () => {
  const { world, box, joint, steps } = await scene({ gravity: [0, 0, 0] });
  const limb = box([0, -0.5, 0]);
  const shoulder = joint({
    type: 'cone-twist',
    anchor: [0, 0, 0],
    axis: [0, -1, 0],
    cone: 0.5,
    limit: { min: -0.2, max: 0.3 },
  });
  for (let i = 0; i < 240; i++) {
    if (i < 120) world.addForce(limb, [i % 60 < 30 ? 4 : -4, 0, 3]);
    world.addTorque(limb, [0, i % 80 < 40 ? 0.05 : -0.05, 0]);
    steps(1);
    const { swing, twist, gap } = world.getJoint(shoulder);
    expect(gap).toBeLessThan(2e-3);
    expect(swing).toBeLessThan(0.55);
    expect(twist).toBeGreaterThan(-0.25);
    expect(twist).toBeLessThan(0.35);
  }
});

test('distance: a rod, a rope, a spring', async () => {
  const { world, box, joint, steps } = await scene();
  const ends = { anchorA: [0, 0, 0], anchorB: [0, 0, 0] };
  const a = box([1, 0, 0]);
  const rod = joint({ type: 'distance', ...ends });
  const b = box([0, -0.5, 5]);
  const rope = joint({ type: 'distance', anchorA: [0, 0, 5], anchorB: [0, 0, 0], limit: { min: 0, max: 1 } });
  const c = box([0, -1, 9]);
  const spring = joint({
    type: 'distance',
    anchorA: [0, 0, 9],
    anchorB: [0, 0, 0],
    length: 1,
    spring: { stiffness: 50, damping: 10 },
  });
  for (let i = 0; i < 240; i++) {
    steps(1);
    expect(world.getJoint(rod).place).toBeCloseTo(1, 2);
    expect(world.getJoint(rope).place).toBeLessThan(1.01);
  }
  expect(at(world, a)[1]).toBeLessThan(0.1);
  expect(at(world, b)[1]).toBeCloseTo(-1, 2);
  expect(at(world, c)[1]).toBeCloseTo(-1 - G / 50, 2);
  expect(world.getJoint(spring).place).toBeCloseTo(1 + G / 50, 2);
  // It hangs from the upper end.
  expect(world.getJoint(rope).axisForce / -G).toBeCloseTo(1, 2);
});

test('six-axis: what is locked stays, what is limited ends, what is free moves', async () => {
  const { world, box, joint, steps } = await scene();
  const body = box([0, 0, 0], { angularVelocity: [0, 0, 2] });
  world.setVelocity(body, [1, 0, 1]);
  const lock = { locked: true };
  const axes = { x: lock, y: { limit: { min: -0.5, max: 0 } }, swingX: lock, swingY: lock };
  const six = joint({ type: 'six-axis', anchor: [0, 0, 0], axes });
  steps(120);
  const { offset, swing, gap } = world.getJoint(six);
  expect(Math.abs(offset[0])).toBeLessThan(2e-3);
  expect(Math.abs(offset[1] + 0.5)).toBeLessThan(2e-3);
  expect(offset[2]).toBeGreaterThan(1);
  expect(gap).toBeLessThan(3e-3);
  expect(swing).toBeLessThan(0.01);
});

test('wheel: springs, spins and is steered', async () => {
  const { world, box, joint, steps } = await scene();
  const chassis = box([0, 0, 0], { type: 'kinematic' });
  const wheel = box([0.5, -0.3, 0]);
  const axle = joint({
    type: 'wheel',
    bodyA: chassis,
    bodyB: wheel,
    anchor: [0.5, -0.3, 0],
    axis: [1, 0, 0],
    spring: { stiffness: 100, damping: 20 },
    twist: { motor: { velocity: 10, maxForce: 5 } },
  });
  steps(180);
  expect(world.getJoint(axle).place).toBeCloseTo(-G / 100, 2);
  expect(spin(world, wheel)[0]).toBeCloseTo(10, 1);
  world.setJoint(axle, { steering: Math.PI / 6, twist: { motor: { velocity: 0 } } });
  steps(120);
  expect(world.getJoint(axle).swing).toBeLessThan(0.01);
  expect(Math.hypot(...spin(world, wheel))).toBeLessThan(0.05);
  // The axis of the wheel, x of the world at first, is turned to the left: towards -z.
  const [x, y, z, w] = world.getRotation(wheel, [0, 0, 0, 0]) as [number, number, number, number];
  expect(2 * (x * z - w * y)).toBeCloseTo(-0.5, 2);
});

test('gear: spins go against each other by the ratio', async () => {
  const { world, box, joint, steps } = await scene({ gravity: [0, 0, 0] });
  const a = box([0, 0, 0]);
  joint({ type: 'hinge', anchor: [0, 0, 0], axis: [0, 0, 1], motor: { velocity: 6, maxForce: 10 } });
  const b = box([1, 0, 0]);
  joint({ type: 'hinge', anchor: [1, 0, 0], axis: [1, 0, 0] });
  const gear = joint({ type: 'gear', bodyA: a, bodyB: b, axisA: [0, 0, 1], axisB: [1, 0, 0], ratio: 2 });
  steps(180);
  expect(spin(world, a)[2]).toBeCloseTo(6, 1);
  expect(spin(world, b)[0]).toBeCloseTo(-3, 1);
  expect(Math.abs(world.getJoint(gear).place)).toBeLessThan(0.05);
});

test('pulley: the heavier side goes down, the rope stays', async () => {
  const { world, box, joint, steps } = await scene();
  const a = box([0, 0, 0], { mass: 2 });
  const b = box([1, 0, 0]);
  const ground = { groundA: [0, 5, 0], groundB: [1, 5, 0] };
  const pulley = joint({ type: 'pulley', bodyA: a, bodyB: b, anchorA: [0, 0, 0], anchorB: [0, 0, 0], ...ground });
  steps(60);
  expect(at(world, a)[1] / (0.5 * (-G / 3))).toBeCloseTo(1, 1);
  expect(at(world, b)[1]).toBeCloseTo(-at(world, a)[1], 2);
  expect(world.getJoint(pulley).gap).toBeLessThan(5e-3);
});

test('a joint breaks in the step that overloads it, says so once, and lets its bodies collide', async () => {
  const { world, box, joint, steps } = await scene();
  const holder = box([0, 0, 0], { type: 'kinematic' });
  const body = box([0.15, 0, 0]);
  const weld = joint({ type: 'fixed', bodyA: holder, anchor: [0.1, 0, 0], breakForce: 20 });
  steps(30);
  expect(world.readContacts().count).toBe(0);
  expect(world.events.jointBreaks).toEqual([]);
  world.addForce(body, [0, -100, 0]);
  steps(1);
  expect(world.events.jointBreaks).toEqual([weld]);
  expect(world.getJoint(weld)).toMatchObject({ broken: true, enabled: false, force: [0, 0, 0] });
  steps(1);
  expect(world.events.jointBreaks).toEqual([]);
  expect(world.readContacts().count).toBeGreaterThan(0);
  steps(60);
  expect(at(world, body)[1]).toBeLessThan(-1);
});

test('switched off it lets go, switched on it pulls back', async () => {
  const { world, box, joint, steps } = await scene();
  const body = box([0, 0, 0]);
  const ball = joint({ type: 'ball', anchor: [0, 0, 0] });
  steps(30);
  world.setJoint(ball, { enabled: false });
  steps(20);
  expect(at(world, body)[1]).toBeLessThan(-0.3);
  world.setJoint(ball, { enabled: true });
  steps(120);
  expect(world.getJoint(ball).gap).toBeLessThan(2e-3);
  world.removeJoint(ball);
  steps(20);
  expect(at(world, body)[1]).toBeLessThan(-0.3);
});

test('what hangs still falls asleep with its joints, and wakes by them', async () => {
  const { world, box, joint, steps } = await scene({ sleep: true });
  const links = [0, 1, 2].map((i) => {
    const link = box([0, -0.3 * i, 0]);
    joint({ type: 'ball', bodyA: i > 0 ? world.bodyAt(world.indexOf(link) - 1) : null, anchor: [0, 0.15 - 0.3 * i, 0] });
    return link;
  });
  const motor = joint({
    type: 'slider',
    bodyA: null,
    bodyB: box([3, 0, 0]),
    anchor: [3, 0, 0],
    axis: [0, 1, 0],
    limit: { min: 0, max: 1 },
  });
  steps(300);
  expect(world.sleepingCount).toBe(4);
  world.applyImpulse(links[2]!, [1, 0, 0]);
  steps(1);
  expect(links.every((link) => !world.isAsleep(link))).toBe(true);
  expect(world.sleepingCount).toBe(1);
  world.setJoint(motor, { motor: { velocity: 1, maxForce: 100 } });
  expect(world.sleepingCount).toBe(0);
  steps(30);
  expect(world.getJoint(motor).place).toBeGreaterThan(0.4);
});

test('a clone goes on with the same bits', async () => {
  const { world, box, joint, steps } = await scene();
  let last: BodyId | null = null;
  for (let i = 0; i < 6; i++) {
    const link: BodyId = box([0.3 * i, 0, 0]);
    joint({ type: i % 2 ? 'hinge' : 'ball', bodyA: last, anchor: [0.3 * i - 0.15, 0, 0], ...(i % 2 ? { axis: [0, 0, 1] } : {}) });
    last = link;
  }
  steps(20);
  const twin = await world.clone();
  for (let i = 0; i < 60; i++) {
    world.step();
    twin.step();
  }
  expect(twin.positions).toEqual(world.positions);
});

const gpu = useDevice();

test('with WebGPU asked for, joints hold and what touches rests', async () => {
  const { world, box, joint } = await scene({ backend: 'webgpu', device: gpu.device });
  const shape = world.createShape({ type: 'box', halfExtents: [5, 0.5, 5] });
  world.createBody({ type: 'static', shape, position: [0, -1.5, 0] });
  for (let i = 0; i < 10; i++) await world.stepAsync();
  const stack = [0, 1, 2].map((i) => box([2, -0.9 + 0.2 * i, 0]));
  for (let i = 0; i < 10; i++) await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  expect(world.step()).toBe(true);
  const body = box([0, 0, 0]);
  const ball = joint({ type: 'ball', anchor: [0, 0.2, 0] });
  for (let i = 0; i < 30; i++) await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  expect(world.getJoint(ball).gap).toBeLessThan(1e-3);
  expect(at(world, stack[2]!)[1]).toBeCloseTo(-0.5, 2);
  world.removeJoint(ball);
  for (let i = 0; i < 30; i++) await world.stepAsync();
  expect(world.profile.backend).toBe('webgpu');
  expect(at(world, body)[1]).toBeLessThan(-0.5);
  world.dispose();
});
