// The vehicle on rays by closed forms: rest, heave, drive, brakes, turning circle, slopes, slip, and a lap of a course.
import { describe, expect, test } from 'vitest';
import { Vehicle, type VehicleDesc } from '../../src/controllers/index';
import { type BodyId, createWorld, type World } from '../../src/index';

const MASS = 1200;
const GRAVITY = 9.81;
const RADIUS = 0.35;
const BASE = 2.6;

async function carWorld(more: Partial<VehicleDesc> = {}, wheelMore: object = {}) {
  const world = await createWorld();
  world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'box', halfExtents: [500, 1, 500] }),
    position: [0, -1, 0],
  });
  const body = world.createBody({
    shape: world.createShape({ type: 'box', halfExtents: [0.9, 0.3, 2] }),
    mass: MASS,
    position: [0, 0.8, 0],
  });
  const wheel = (x: number, z: number, own: object) => ({ position: [x, RADIUS - 0.8, z], radius: RADIUS, ...own, ...wheelMore });
  const car = new Vehicle(world, {
    body,
    drive: { torque: 1500, topSpeed: 40 },
    wheels: [
      wheel(0.8, BASE / 2, { steered: true }),
      wheel(-0.8, BASE / 2, { steered: true }),
      wheel(0.8, -BASE / 2, { driven: true, handbrake: true }),
      wheel(-0.8, -BASE / 2, { driven: true, handbrake: true }),
    ],
    ...more,
  });
  return { world, body, car };
}

function run(world: World, steps: number): void {
  for (let i = 0; i < steps; i++) world.step();
}

const at = (world: World, body: BodyId) => world.getPosition(body, [0, 0, 0]);
const speedOf = (world: World, body: BodyId) => Math.hypot(...world.getLinearVelocity(body, [0, 0, 0]));

describe('rest', () => {
  test('it stands where its wheels were put, each with its share of the weight', async () => {
    const { world, body, car } = await carWorld();
    run(world, 300);
    expect(at(world, body)[1]).toBeCloseTo(0.8, 4);
    for (const wheel of car.wheels) {
      expect(wheel.grounded).toBe(true);
      expect(Math.abs(wheel.load / ((MASS * GRAVITY) / 4) - 1)).toBeLessThan(1e-3);
      expect(Math.abs(wheel.travel)).toBeLessThan(1e-4);
    }
  });

  test('loads follow a center of mass that is off the middle', async () => {
    const { world, body, car } = await carWorld();
    const { inertia } = world.getMassProperties(body);
    world.setMass(body, { mass: MASS, center: [0.1, 0, 0.4], inertia });
    run(world, 300);
    const [fl, fr, rl, rr] = car.wheels.map((wheel) => wheel.load / (MASS * GRAVITY));
    expect(fl! + fr!).toBeCloseTo(0.5 + 0.4 / BASE, 2);
    expect(fl! + rl!).toBeCloseTo(0.5 + 0.1 / 1.6, 2);
    expect(fl! + fr! + rl! + rr!).toBeCloseTo(1, 3);
    expect(Math.abs(at(world, body)[1]! - 0.8)).toBeLessThan(1e-3);
  });

  test('its springs have their frequency', async () => {
    const { world, body } = await carWorld({}, { dampingRatio: 0, frequency: 1.5, bump: 0.3, droop: 0.3 });
    world.teleport(body, [0, 0.84, 0]);
    const crossings: number[] = [];
    let last = 0.04;
    for (let i = 0; i < 240; i++) {
      run(world, 1);
      const y = at(world, body)[1]! - 0.8;
      if (last > 0 && y <= 0) crossings.push(i + last / (last - y));
      last = y;
    }
    const period = (crossings[2]! - crossings[0]!) / 2 / 60;
    expect(Math.abs(period * 1.5 - 1)).toBeLessThan(0.02);
  });

  test('with its brakes on it does not creep on a slope', async () => {
    const { world, body, car } = await carWorld();
    world.set({ gravity: [GRAVITY * Math.sin(0.2), -GRAVITY * Math.cos(0.2), 0.5] });
    car.controls.brake = 1;
    run(world, 300);
    const before = at(world, body);
    run(world, 600);
    expect(Math.hypot(...at(world, body).map((x, i) => x - before[i]!))).toBeLessThan(1e-3);
  });
});

describe('drive', () => {
  test('torque over radius pushes car and wheels', async () => {
    const { world, car, body } = await carWorld({ drive: { torque: 1500, topSpeed: 1000 }, rollingResistance: 0 });
    run(world, 60);
    car.controls.throttle = 1;
    run(world, 60);
    const from = speedOf(world, body);
    run(world, 60);
    const rotating = (4 * 0.5 * 15 * RADIUS ** 2) / RADIUS ** 2;
    const expected = 1500 / RADIUS / (MASS + rotating);
    expect(Math.abs((speedOf(world, body) - from) / expected - 1)).toBeLessThan(0.02);
  });

  test('it does not pass its top speed, and rolls out', async () => {
    const { world, body, car } = await carWorld({ drive: { torque: 6000, topSpeed: 12 } });
    car.controls.throttle = 1;
    run(world, 900);
    expect(speedOf(world, body)).toBeGreaterThan(10);
    expect(speedOf(world, body)).toBeLessThan(12);
    car.controls.throttle = 0;
    run(world, 1800);
    expect(speedOf(world, body)).toBeLessThan(0.01);
    expect(car.wheels.every((wheel) => Math.abs(wheel.spin) < 0.05)).toBe(true);
  });

  test.each([0.5, 1])('brakes stop it within what grip %f allows', async (friction) => {
    // Brakes below what would lock the wheels: each holds as much as its tire.
    const { world, body, car } = await carWorld({ brakeTorque: 1e6 }, { friction, slidingGrip: 1 });
    world.setVelocity(body, [0, 0, 15]);
    car.controls.brake = 1;
    const from = at(world, body)[2]!;
    for (let i = 0; i < 600 && speedOf(world, body) > 0.02; i++) run(world, 1);
    const way = at(world, body)[2]! - from;
    const ideal = 15 ** 2 / (2 * friction * GRAVITY);
    expect(way / ideal).toBeGreaterThan(0.97);
    expect(way / ideal).toBeLessThan(1.06);
  });

  test('at a walk it turns about the center of its wheels', async () => {
    const { world, body, car } = await carWorld();
    car.controls.throttle = 0.05;
    car.controls.steering = 0.5;
    run(world, 600);
    const spin = world.getAngularVelocity(body, [0, 0, 0])[1]!;
    const angle = 0.6 * 0.5;
    expect(Math.abs(speedOf(world, body) / spin / Math.hypot(BASE / Math.tan(angle), BASE / 2) - 1)).toBeLessThan(0.03);
    // Ackermann: the inner wheel is turned more.
    expect(car.wheels[0]!.steer).toBeGreaterThan(car.wheels[1]!.steer);
  });

  test('too much torque spins the wheels, less pulls better; ice lets it slide', async () => {
    const { world, body, car } = await carWorld({ drive: { torque: 20000, topSpeed: 60 } });
    run(world, 30);
    car.controls.throttle = 1;
    run(world, 60);
    expect(car.wheels[2]!.sliding).toBe(true);
    expect(car.wheels[2]!.slip).toBeGreaterThan(2);
    // Half of the weight and more is on the driven axle, of which sliding leaves 0.8.
    expect(speedOf(world, body)).toBeLessThan(0.75 * GRAVITY);
    const ice = await carWorld({ grip: () => 0.05 });
    ice.car.controls.throttle = 1;
    run(ice.world, 60);
    expect(speedOf(ice.world, ice.body)).toBeLessThan(0.06 * GRAVITY);
  });

  test('what it stands on feels it', async () => {
    const { world, car } = await carWorld({}, {});
    const raft = world.createBody({
      shape: world.createShape({ type: 'box', halfExtents: [3, 0.2, 4] }),
      mass: 500,
      position: [50, 3, 0],
    });
    const joint = world.createJoint({
      type: 'slider',
      bodyB: raft,
      anchor: [50, 3, 0],
      axis: [0, 1, 0],
      spring: { stiffness: 4e5, damping: 2e4 },
    });
    world.teleport(car.body, [50, 4, 0]);
    run(world, 400);
    expect(world.getJoint(joint).place).toBeCloseTo((-1700 * GRAVITY) / 4e5, 3);
  });
});

test('it goes on in the same way after a restore and in a clone', async () => {
  const { world, car } = await carWorld();
  Object.assign(car.controls, { throttle: 1, steering: 0.4 });
  run(world, 120);
  const saved = car.save();
  expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
  const bytes = world.snapshot();
  const copy = await world.clone();
  const twin = car.clone(copy);
  const go = (w: World, one: Vehicle) =>
    Array.from({ length: 60 }, () => {
      run(w, 1);
      return [w.hash(), ...one.wheels.map((wheel) => wheel.angle)];
    });
  const expected = go(world, car);
  expect(go(copy, twin)).toEqual(expected);
  world.restore(bytes);
  expect(go(world, car)).toEqual(expected);
  for (const wrong of [null, {}, saved.slice(1), saved.map(() => Number.NaN)]) {
    expect(() => car.load(wrong as never)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  }
});

test('it drives a lap of a course with a bump and a ramp', async () => {
  const { world, body, car } = await carWorld();
  const block = (halfExtents: number[], position: number[], rotation = [0, 0, 0, 1]) =>
    world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents }), position, rotation });
  block([4, 0.05, 0.2], [0, 0.05, 15]);
  block([4, 0.2, 4], [40, 0.1, 0], [Math.sin(0.04), 0, 0, Math.cos(0.04)]);
  const corners = [
    [0, 30],
    [20, 45],
    [40, 30],
    [40, -30],
    [20, -45],
    [0, -30],
    [0, 0],
  ];
  let next = 0;
  let steps = 0;
  for (; next < corners.length && steps < 3600; steps++) {
    const [x, , z] = at(world, body) as [number, number, number];
    const [tx, tz] = corners[next]!;
    if (Math.hypot(tx! - x, tz! - z) < 5) next++;
    const [qx, qy, qz, qw] = world.getRotation(body, [0, 0, 0, 1]) as [number, number, number, number];
    const heading = Math.atan2(2 * (qx * qz + qw * qy), 1 - 2 * (qx * qx + qy * qy));
    let turn = Math.atan2(tx! - x, tz! - z) - heading;
    turn = Math.atan2(Math.sin(turn), Math.cos(turn));
    car.controls.steering = Math.max(-1, Math.min(1, turn / 0.6));
    car.controls.throttle = car.speed < (Math.abs(turn) > 0.3 ? 6 : 12) ? 0.7 : 0;
    car.controls.brake = car.speed > 14 ? 0.3 : 0;
    run(world, 1);
    expect(at(world, body)[1]).toBeGreaterThan(0.5);
  }
  expect(next).toBe(corners.length);
  expect(steps / 60).toBeLessThan(40);
});

test.each([
  [{ wheels: [] }, /vehicle\.wheels/],
  [{ wheels: [{ position: [0, 0, 0] }] }, /wheels\[0\]\.radius/],
  [{ forward: [0, 1, 0] }, /forward/],
  [{ drive: { torque: -1 } }, /torque/],
  [{ brakes: 3 }, /brakes/],
])('refused: %o', async (wrong, message) => {
  await expect(carWorld(wrong as object)).rejects.toThrow(message);
});
