// The vehicle on rays in a hand-made world, against a model in double precision (vehicle_model.ts) and closed forms: forces of springs,
// tires, engine and brakes on turned bodies with wheels that all differ, on sloping, moving and missing ground; its state and wheel poses.
import { describe, expect, test } from 'vitest';
import { balance, Vehicle } from '../../../src/controllers/vehicle';
import type { VehicleDesc } from '../../../src/controllers/vehicle_desc';
import { about } from '../../../src/controllers/wheel_pose';
import type { BodyId } from '../../../src/index';
import { columnsOf, seeded } from '../../helpers/random';
import { cross, dot, scale, unit } from '../../helpers/vectors';
import {
  type FakeBody,
  FakeWorld,
  into,
  type ModelDesc,
  type ModelWheel,
  out,
  plus,
  sharesOf,
  turnBy,
  type V,
  VehicleModel,
} from './vehicle_model';

const CAR = 7 as unknown as BodyId;
const [ROCK, BELT, RAFT] = [11, 12, 13] as unknown as [BodyId, BodyId, BodyId];
const GRIP = new Map([
  [ROCK, 1],
  [BELT, 0.7],
  [RAFT, 1.3],
]);
const DT = 1 / 50;

type Random = () => number;
const between = (random: Random, a: number, b: number) => a + (b - a) * random();
const vectorOf = (random: Random, size: number): V => [0, 1, 2].map(() => between(random, -size, size)) as V;
const directionOf = (random: Random): V => {
  for (;;) {
    const v = vectorOf(random, 1);
    if (Math.hypot(...v) > 0.3) return unit(v) as V;
  }
};
const turnOf = (random: Random): number[] => {
  const [axis, half] = [directionOf(random), between(random, 0.2, 1.4)];
  return [...scale(axis, Math.sin(half)), Math.cos(half)];
};
const bodyOf = (random: Random, type: FakeBody['type']): FakeBody => ({
  type,
  position: vectorOf(random, 5),
  rotation: turnOf(random),
  velocity: vectorOf(random, 4),
  spin: vectorOf(random, 0.7),
  center: vectorOf(random, 0.3),
  mass: between(random, 700, 1500),
  inertia: [900, 1300, 1700, ...vectorOf(random, 250)],
  gravityScale: between(random, 0.6, 1.4),
});

/** A vehicle whose wheels all differ, in a frame of its own. */
function descOf(random: Random, center: V): ModelDesc {
  const up = directionOf(random);
  const forward = unit(cross(up, directionOf(random))) as V;
  const left = cross(up, forward);
  const fixedOnes = random() < 0.2 ? 0 : 2;
  const wheel = (i: number, x: number, y: number): ModelWheel => ({
    position: plus(plus(plus(center, forward, x), left, y), up, between(random, -0.6, -0.3)),
    radius: between(random, 0.25, 0.5),
    bump: between(random, 0.08, 0.2),
    droop: between(random, 0.1, 0.25),
    frequency: between(random, 1.2, 2.4),
    dampingRatio: between(random, 0.2, 0.8),
    friction: between(random, 0.4, 1.6),
    slidingGrip: between(random, 0.5, 0.95),
    mass: between(random, 8, 25),
    steered: i < fixedOnes ? 0 : [1, 0.6, -0.8][i % 3]!,
    driven: i !== 1,
    braked: i !== 2,
    handbrake: i % 2 === 0,
  });
  const places = [
    [-1.4, 0.8],
    [-1.2, -0.9],
    [1.5, 0.7],
    [1.3, -0.75],
    [0.3, 1.1],
  ].slice(0, 3 + Math.floor(3 * random()));
  const off = random() < 0.15 ? 3 : 0;
  const wheels = places.map(([x, y], i) => wheel(i, x! + off + between(random, -0.2, 0.2), y! + between(random, -0.2, 0.2)));
  const pick = random() < 0.3 ? between(random, 1, 4) : between(random, 8, 40);
  return {
    wheels,
    drive: {
      torque: between(random, 400, 4000),
      topSpeed: pick,
      reverseSpeed: between(random, 1, 6),
      engineBrake: between(random, 20, 200),
    },
    up,
    forward,
    steering: between(random, 0.2, 1.2),
    brakeTorque: between(random, 200, 2500),
    handbrakeTorque: between(random, 500, 5000),
    rollingResistance: between(random, 0, 0.05),
    grip: (body) => GRIP.get(body)!,
  };
}

const descriptionOf = (desc: ModelDesc): VehicleDesc => ({
  ...desc,
  body: CAR,
  // Not quite perpendicular, and not of length 1.
  forward: plus(scale(desc.forward, 3), desc.up, 0.4),
  up: scale(desc.up, 2),
  mask: 0xf0,
  grip: (hit) => desc.grip(hit.body),
});

/** Puts a plane under each wheel at some travel of its spring: some beyond its ends, some too steep, some missing. */
function putGround(random: Random, world: FakeWorld, desc: ModelDesc): void {
  const { position, rotation } = world.body(CAR);
  const frame = columnsOf(rotation);
  world.grounds = desc.wheels.map((wheel) => {
    if (random() < 0.08) return null;
    const travel = between(random, -wheel.droop - 0.08, wheel.bump + (random() < 0.2 ? 0.4 : 0.05));
    const top = plus(position, out(frame, plus(wheel.position, desc.up, wheel.bump + wheel.radius)));
    const point = plus(top, out(frame, desc.up), travel - wheel.bump - 2 * wheel.radius);
    const normal = unit(plus(out(frame, desc.up), directionOf(random), random() < 0.1 ? 0.97 : 0.4 * random())) as V;
    return { body: [ROCK, BELT, RAFT][Math.floor(3 * random())]!, point, normal };
  });
}

/** Expects numbers to agree but for rounding, and for the trifle that keeps loads of wheels in one line definite. */
function near(actual: ArrayLike<number>, expected: readonly number[], size = 1): void {
  const isNear = expected.every((x, i) => Math.abs(actual[i]! - x) < 1e-7 * (size + Math.abs(x)));
  if (!isNear) expect(Array.from(actual)).toEqual(expected);
}

/** A vehicle and its model side by side. */
function pairOf(seed: number) {
  const random = seeded(seed);
  const world = new FakeWorld();
  world.settings.gravity = vectorOf(random, 9);
  const types = { [ROCK]: 'static', [BELT]: 'kinematic', [RAFT]: 'dynamic' } as const;
  for (const id of [ROCK, BELT, RAFT]) world.bodies.set(id, bodyOf(random, types[id]!));
  world.bodies.set(CAR, bodyOf(random, 'dynamic'));
  const desc = descOf(random, world.body(CAR).center);
  const car = new Vehicle(world.asWorld, descriptionOf(desc));
  return { random, world, desc, car, model: new VehicleModel(desc) };
}

type Pair = ReturnType<typeof pairOf>;

function drive({ random, car }: Pair): void {
  const some = (least: number) => (random() < 0.4 ? 0 : between(random, least, 1.2));
  Object.assign(car.controls, { throttle: some(-1.2), brake: some(-0.2), handbrake: some(-0.2), steering: some(-1.2) });
}

/** One step of both, compared: what bodies feel, and all that wheels know. */
function step({ world, car, model, desc }: Pair, dt: number, moves?: () => void): void {
  for (const list of [world.forces, world.torques, world.rays]) list.length = 0;
  const past = model.wheels.map(({ travel, steer }) => ({ travel, steer }));
  world.controller!.beforeStep(dt);
  const expected = model.step(world, CAR, car.controls, dt);
  const theirs = world.forces.filter(({ body }) => body !== CAR);
  expect(theirs.length).toBe(expected.onGround.length);
  for (const [i, { body, force, point }] of expected.onGround.entries()) {
    expect(theirs[i]!.body).toBe(body);
    near(theirs[i]!.force, force, 1000);
    near(theirs[i]!.point!, point);
  }
  const own = world.forces.filter(({ body }) => body === CAR);
  expect([own.length, world.torques.length, own[0]!.point, world.torques[0]!.body]).toEqual([1, 1, undefined, CAR]);
  near(own[0]!.force, expected.force, 1000);
  near(world.torques[0]!.torque, expected.torque, 1000);
  moves?.();
  world.controller!.afterStep(dt);
  model.follow(world, CAR, dt);
  for (const [i, wheel] of model.wheels.entries()) {
    const { grounded, sliding, body, turned, travel, steer, angle, point, normal } = wheel;
    const actual = car.wheels[i]!;
    expect({ grounded: actual.grounded, sliding: actual.sliding, body: actual.body }).toEqual({ grounded, sliding, body });
    near(actual.point, point);
    near(actual.normal, normal);
    for (const key of ['travel', 'load', 'steer', 'angle', 'spin', 'slip', 'sideSlip'] as const)
      near([actual[key]], [wheel[key]], key === 'load' ? 1000 : 1);
    const { now, before } = car.drawn(i);
    near([now.travel, now.steer, now.angle], [travel, steer, angle]);
    near([before.travel, before.steer, before.angle], [past[i]!.travel, past[i]!.steer, angle - turned]);
  }
  for (const [i, { options }] of world.rays.entries()) {
    const { radius, bump, droop } = desc.wheels[i % desc.wheels.length]!;
    expect({ ...options, maxDistance: 0 }).toEqual({ mask: 0xf0, excludeBody: CAR, maxDistance: 0 });
    near([options.maxDistance as number], [2 * radius + bump + droop]);
  }
  expect(world.rays.length).toBe(2 * desc.wheels.length);
}

describe('against the model', () => {
  const SEEDS = Array.from({ length: 24 }, (_, i) => 11 + 97 * i);
  const cases: Record<string, number> = {};

  test('forces and wheels are those of the model, on all kinds of ground', () => {
    for (const seed of SEEDS) {
      const pair = pairOf(seed);
      const { random, world, model, desc } = pair;
      for (let i = 0; i < 4; i++) {
        drive(pair);
        putGround(random, world, desc);
        const body = world.body(CAR);
        const size = random() < 0.5 ? 0.3 : 5;
        body.velocity = vectorOf(random, size);
        body.spin = vectorOf(random, 0.2 * size);
        step(pair, i % 2 === 0 ? DT : 1 / 33, () => {
          body.position = plus(body.position, vectorOf(random, 0.05));
          body.rotation = [...unitOf(body.rotation.map((x) => x + between(random, -0.02, 0.02)))];
        });
      }
      for (const [name, count] of Object.entries(model.cases)) cases[name] = (cases[name] ?? 0) + count;
    }
    // All that can happen to a wheel has happened, often.
    const names = [
      'in the air',
      'no load',
      'beyond the travel',
      'far beyond the travel',
      'slides',
      'sticks',
      'held',
      'rolls back',
    ];
    const more = ['rolls forward', 'beyond top speed', 'against the throttle', 'up to top speed', 'pulls'];
    for (const name of [...names, ...more, 'balanced loads', 'equal loads'])
      expect([name, (cases[name] ?? 0) > 4]).toEqual([name, true]);
  });

  test('its mass may change from step to step', () => {
    const pair = pairOf(5);
    const { random, world, desc } = pair;
    for (let i = 0; i < 3; i++) {
      Object.assign(world.body(CAR), {
        mass: 500 + 300 * i,
        center: vectorOf(random, 0.2),
        inertia: [700, 800, 900, 90, -80, 70],
      });
      putGround(random, world, desc);
      step(pair, DT);
    }
  });
});

const unitOf = (q: readonly number[]) => q.map((x) => x / Math.hypot(...q));

/** A vehicle at rest upright on level ground, its frame that of the world, with simple wheels. */
function upright(wheels: object[], more: object = {}, body: Partial<FakeBody> = {}) {
  const world = new FakeWorld();
  world.bodies.set(CAR, {
    type: 'dynamic',
    position: [0, 0.8, 0],
    rotation: [0, 0, 0, 1],
    velocity: [0, 0, 0],
    spin: [0, 0, 0],
    center: [0, 0, 0],
    mass: 1000,
    inertia: [1e13, 1e13, 1e13, 0, 0, 0],
    gravityScale: 1,
    ...body,
  });
  world.bodies.set(ROCK, { ...world.body(CAR), type: 'static', position: [0, 0, 0] });
  const car = new Vehicle(world.asWorld, { body: CAR, wheels: wheels as never, rollingResistance: 0, ...more });
  world.grounds = wheels.map(() => ({ body: ROCK, point: [0, 0, 0], normal: [0, 1, 0] }));
  return { world, car };
}

/** A wheel at rest on the ground at y = 0 under a body at y = 0.8. */
const wheelAt = (x: number, z: number, more: object = {}) => ({ position: [x, -0.45, z], radius: 0.35, ...more });
const four = (more: object = {}) => [
  wheelAt(0.8, 1.3, { steered: true, ...more }),
  wheelAt(-0.8, 1.3, { steered: true, ...more }),
  wheelAt(0.8, -1.3, more),
  wheelAt(-0.8, -1.3, more),
];
const forceOn = (world: FakeWorld) => world.forces.find(({ body }) => body === CAR)!.force;

describe('closed forms', () => {
  test('at rest its springs carry its weight, and nothing else acts', () => {
    const { world, car } = upright(four());
    world.controller!.beforeStep(DT);
    near(forceOn(world), [0, 9810, 0]);
    near(world.torques[0]!.torque, [0, 0, 0]);
    for (const wheel of car.wheels) near([wheel.load, wheel.travel, wheel.spin], [9810 / 4, 0, 0]);
  });

  test('a spring pushes with its stiffness at the end of the step', () => {
    // One wheel under the center: J = dt (m g + k x - (dt k + c) v), with v = v0 - dt g + J / m.
    const [frequency, ratio, x, v0] = [1.8, 0.35, 0.07, -0.3];
    const wheel = wheelAt(0, 0, { frequency, dampingRatio: ratio, friction: 0 });
    const { world } = upright([wheel], {}, { position: [0, 0.8 - x, 0], velocity: [0, v0, 0] });
    world.controller!.beforeStep(DT);
    const omega = 2 * Math.PI * frequency;
    const [k, c] = [1000 * omega ** 2, 2 * ratio * omega * 1000];
    const force = forceOn(world)[1];
    const v = v0 - DT * 9.81 + (DT * force) / 1000;
    near([force], [9810 + k * x - (DT * k + c) * v], 1000);
  });

  test.each([
    [0.02, (0.25 * 0.02) / DT],
    [0.3, 2],
  ])('%f m beyond its travel it is pushed back at %f m/s', (over, speed) => {
    const wheel = wheelAt(0, 0, { bump: 0.1, frequency: 0.1 });
    const { world } = upright([wheel], {}, { position: [0, 0.8 - 0.1 - over, 0] });
    world.controller!.beforeStep(DT);
    near([DT * (forceOn(world)[1] / 1000 - 9.81)], [speed]);
  });

  test('a tire takes at most friction times load, and less while it slides', () => {
    const wheels = four({ friction: 0.5, slidingGrip: 0.6 });
    const { world, car } = upright(wheels, { grip: () => 0.8 }, { velocity: [3, 0, 0] });
    world.controller!.beforeStep(DT);
    near(forceOn(world), [-9810 * 0.5 * 0.8 * 0.6, 9810, 0]);
    expect(car.wheels.map((wheel) => wheel.sliding)).toEqual([true, true, true, true]);
    // Slow, it sticks: nothing of the motion is left.
    world.body(CAR).velocity = [0.04, 0, 0];
    world.forces.length = 0;
    world.controller!.beforeStep(DT);
    near(forceOn(world), [(-1000 * 0.04) / DT, 9810, 0]);
    expect(car.wheels.map((wheel) => wheel.sliding)).toEqual([false, false, false, false]);
  });

  test('its engine accelerates body and wheels, less at speed', () => {
    const top = 30;
    const { world, car } = upright(four({ driven: true }), { drive: { torque: 1200, topSpeed: top } });
    car.controls.throttle = 0.5;
    let speed = 0;
    const rotating = 4 * (0.5 * 15);
    for (let i = 0; i < 3; i++) {
      world.forces.length = 0;
      world.body(CAR).velocity = [0, 0, speed];
      world.controller!.beforeStep(DT);
      const force = (0.5 * 1200 * (1 - speed / top)) / 0.35;
      near([forceOn(world)[2]], [(force * 1000) / (1000 + rotating)]);
      speed += (DT * force) / (1000 + rotating);
      for (const wheel of car.wheels) near([wheel.spin, wheel.slip], [speed / 0.35, 0]);
    }
  });

  test('wheels in the air fall at 5 m/s, and spin by engine and brakes alone', () => {
    const drives = { drive: { torque: 100, topSpeed: 20, engineBrake: 30 }, brakeTorque: 40, handbrakeTorque: 15 };
    const wheel = wheelAt(0, 0, { driven: true, handbrake: true, droop: 0.25, radius: 0.4 });
    const { world, car } = upright([wheel], drives);
    world.grounds = [null];
    const inertia = 0.5 * 15 * 0.4 ** 2;
    car.controls.throttle = -0.5;
    let spin = 0;
    for (let i = 1; i <= 3; i++) {
      spin -= ((50 * (1 + (spin * 0.4) / 5)) / inertia) * DT;
      world.controller!.beforeStep(DT);
      world.controller!.afterStep(DT);
      near([car.wheels[0]!.spin, car.wheels[0]!.travel], [spin, Math.max(-5 * DT * i, -0.25)]);
    }
    Object.assign(car.controls, { throttle: 0, brake: 0.2, handbrake: 0.3 });
    world.controller!.beforeStep(DT);
    near([car.wheels[0]!.spin], [spin + ((30 + 0.2 * 40 + 0.3 * 15) / inertia) * DT]);
    Object.assign(car.controls, { brake: 1, handbrake: 1 });
    for (let i = 0; i < 20; i++) world.controller!.beforeStep(DT);
    expect(car.wheels[0]!.spin === 0).toBe(true);
    near(forceOn(world), [0, 0, 0]);
  });

  test.each([1, -1])('the angle of a wheel that turns %i times round and on stays within one turn', (way) => {
    const { world, car } = upright([wheelAt(0, 0, { driven: true })], { drive: { torque: 1e4, topSpeed: 14, reverseSpeed: 14 } });
    world.grounds = [null];
    car.controls.throttle = way;
    let turned = 0;
    for (let i = 0; i < 30; i++) {
      world.controller!.beforeStep(DT);
      turned += car.wheels[0]!.spin * DT;
      const { angle } = car.wheels[0]!;
      expect(Math.abs(angle)).toBeLessThanOrEqual(2 * Math.PI);
      near([Math.cos(angle), Math.sin(angle)], [Math.cos(turned), Math.sin(turned)]);
    }
    expect(Math.abs(turned)).toBeGreaterThan(6 * Math.PI);
    expect(Math.sign(car.wheels[0]!.angle)).toBe(way);
  });

  test('ground whose normal has a cosine of 0.2 to the spring is too steep, a little less steep is not', () => {
    for (const [cosine, grounded] of [
      [0.2, false],
      [0.201, true],
      [0.199, false],
    ] as const) {
      const { world, car } = upright([wheelAt(0, 0)]);
      world.grounds = [{ body: ROCK, point: [0, 0, 0], normal: [Math.sqrt(1 - cosine ** 2), cosine, 0] }];
      world.controller!.beforeStep(DT);
      expect([car.wheels[0]!.grounded, car.wheels[0]!.body]).toEqual([grounded, grounded ? ROCK : null]);
    }
  });

  test('all axles meet in one point while it turns, wherever wheels are', () => {
    const wheels = [
      wheelAt(0.7, 1.5, { steered: 1 }),
      wheelAt(-0.9, 1.1, { steered: 1 }),
      wheelAt(0.8, -1.2),
      wheelAt(-0.8, -1.6),
    ];
    for (const steering of [0.7, -0.9, 0.3]) {
      const { world, car } = upright(wheels, { steering: 0.8 });
      car.controls.steering = steering;
      world.controller!.beforeStep(DT);
      near([car.wheels[2]!.steer], [0]);
      // Left is +x, forward +z; the line of the fixed wheels is at z = -1.4. Each wheel alone would turn about a center at its x.
      for (const i of [0, 1]) {
        const [x, , z] = wheels[i]!.position as [number, number, number];
        const center = (z + 1.4) / Math.tan(0.8 * steering);
        near([Math.tan(car.wheels[i]!.steer) * (center - x)], [z + 1.4]);
        expect(Math.sign(car.wheels[i]!.steer)).toBe(Math.sign(steering));
      }
    }
  });

  test('a wheel that would have to turn about a center on its other side takes the angle as it is', () => {
    // Turned by 1.2, a wheel 0.5 m ahead turns about a center 0.19 m to its side.
    const wheels = (x: number) => [wheelAt(x, 0.5, { steered: 1 }), wheelAt(-x, 0.5, { steered: 1 }), wheelAt(0, 0)];
    for (const way of [1, -1]) {
      const { world, car } = upright(wheels(0.3 * way), { steering: 1.2 });
      car.controls.steering = way;
      world.controller!.beforeStep(DT);
      near([car.wheels[0]!.steer], [1.2 * way]);
      near([Math.tan(car.wheels[1]!.steer)], [0.5 / (way * (0.5 / Math.tan(1.2) + 0.3))]);
    }
  });

  test('wheels on the line of the fixed ones, and vehicles without fixed wheels, take the angle as it is', () => {
    for (const [base, isPlain] of [
      [0.0009, true],
      [0.00105, false],
      [-0.0009, true],
    ] as const) {
      const { world, car } = upright([
        wheelAt(0.8, 1 + base, { steered: -0.5 }),
        wheelAt(-0.8, 1),
        wheelAt(0, -1, { steered: 1 }),
      ]);
      car.controls.steering = 1;
      world.controller!.beforeStep(DT);
      expect(car.wheels[0]!.steer === -0.3).toBe(isPlain);
    }
    const { world, car } = upright([wheelAt(0.8, 1, { steered: -0.5 }), wheelAt(-0.8, -1, { steered: 1 })]);
    car.controls.steering = 0.5;
    world.controller!.beforeStep(DT);
    expect(car.wheels.map((wheel) => wheel.steer)).toEqual([-0.15, 0.3]);
    for (const [steering, isPlain] of [
      [0.95e-6, true],
      [1.05e-6, false],
    ] as const) {
      const small = upright(four({ steered: undefined }).concat([wheelAt(0.3, 1.3, { steered: true })] as never), {
        steering: 1,
      });
      small.car.controls.steering = steering;
      small.world.controller!.beforeStep(DT);
      expect(small.car.wheels[4]!.steer === steering).toBe(isPlain);
    }
  });
});

describe('balance', () => {
  test('shares are those of the least squares, also of wheels in one line; equal where one would have to pull', () => {
    const random = seeded(3);
    for (let i = 0; i < 20; i++) {
      const levers = [
        [1.5, 0.7],
        [1.2, -0.9],
        [-1.3, 0.8],
        [-1.6, -0.6],
        [0.2, 1.1],
      ].map(([x, y]) => [x! + between(random, -0.2, 0.2), y! + between(random, -0.3, 0.3)] as const);
      for (const count of [3, 4, 5]) {
        const ideal = sharesOf(levers.slice(0, count));
        if (ideal.every((share) => share > 0.03)) near(balance(levers.slice(0, count)), ideal, 100);
      }
    }
    // On a line the lever rule: along x, and along y.
    near(
      balance([
        [1, 0],
        [-3, 0],
      ]),
      [0.75, 0.25],
      100,
    );
    near(
      balance([
        [0, 2],
        [0, -3],
      ]),
      [0.6, 0.4],
      100,
    );
    expect(balance([[0.4, 0.1]])).toEqual([1]);
    expect(
      balance([
        [1, 0.3],
        [2, -0.2],
        [3, 0.1],
      ]),
    ).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  test('the least share is a fiftieth of an equal one', () => {
    for (const share of [0.0101, 0.0104]) {
      near(
        balance([
          [share, 0],
          [share - 1, 0],
        ]),
        [1 - share, share],
        100,
      );
    }
    for (const share of [0.0099, 0.0095]) {
      expect(
        balance([
          [share, 0],
          [share - 1, 0],
        ]),
      ).toEqual([0.5, 0.5]);
    }
  });
});

describe('its state', () => {
  test('what it saved goes on in another vehicle with the same numbers', () => {
    for (const seed of [3, 14, 159, 2653]) {
      const pair = pairOf(seed);
      const { random, world, desc, car } = pair;
      for (let i = 0; i < 3; i++) {
        drive(pair);
        putGround(random, world, desc);
        step(pair, DT);
      }
      car.enabled = seed !== 14;
      const saved = car.save();
      expect(saved).toEqual(world.controller!.save());
      expect(saved.length).toBe(5 + 19 * desc.wheels.length);
      const other = new FakeWorld();
      Object.assign(other, { bodies: world.bodies, grounds: world.grounds });
      other.settings.gravity = world.settings.gravity;
      const twin = car.clone(other.asWorld);
      expect(twin.save()).toEqual(saved);
      expect(twin.controls).toEqual(car.controls);
      expect(twin.enabled).toBe(seed !== 14);
      for (const [i, wheel] of car.wheels.entries()) {
        for (const key of ['grounded', 'sliding', 'body', 'point', 'normal', 'travel', 'load', 'steer'] as const)
          expect(twin.wheels[i]![key]).toEqual(wheel[key]);
        for (const key of ['angle', 'spin', 'slip', 'sideSlip'] as const) expect(twin.wheels[i]![key]).toBe(wheel[key]);
        expect(twin.drawn(i)).toEqual(car.drawn(i));
      }
      world.forces.length = world.torques.length = 0;
      for (const one of [world, other]) one.controller!.beforeStep(DT);
      expect(other.forces).toEqual(world.forces);
      expect(other.torques).toEqual(world.torques);
      expect(twin.save()).toEqual(car.save());
    }
  });

  test('it refuses what is no state of it', () => {
    const { car } = pairOf(8);
    const saved = car.save();
    for (const wrong of [null, {}, [...saved, 0], saved.slice(1), saved.map((x, i) => (i === 4 ? Number.NaN : x)), []])
      expect(() => car.load(wrong as never)).toThrow(/^state must be the result of `save` of a vehicle with \d wheels/);
    expect(car.save()).toEqual(saved);
  });

  test('restored to a time before it was created it does nothing, until a state of it comes', () => {
    const { world, car } = upright(four());
    const saved = car.save();
    const pushes = () => {
      world.forces.length = world.rays.length = 0;
      world.controller!.beforeStep(DT);
      world.controller!.afterStep(DT);
      return world.forces.length + world.rays.length > 0;
    };
    expect(pushes()).toBe(true);
    world.controller!.load(null);
    expect(pushes()).toBe(false);
    world.controller!.load(saved);
    expect(pushes()).toBe(true);
    world.controller!.load(saved.slice(1));
    expect(pushes()).toBe(false);
    car.load(saved);
    expect(pushes()).toBe(true);
    car.enabled = false;
    expect([car.enabled, pushes()]).toEqual([false, false]);
    car.enabled = true;
    expect(pushes()).toBe(true);
    expect(() => {
      car.enabled = 1 as never;
    }).toThrow(/^enabled must be true or false/);
    world.body(CAR).type = 'kinematic';
    expect(pushes()).toBe(false);
    world.body(CAR).type = 'dynamic';
    world.bodies.delete(CAR);
    expect(pushes()).toBe(false);
    car.dispose();
    expect(world.controller).toBe(null);
  });

  test('switched off its wheels stay as they are', () => {
    const pair = pairOf(21);
    const { random, world, desc, car } = pair;
    drive(pair);
    putGround(random, world, desc);
    step(pair, DT);
    car.enabled = false;
    world.controller!.beforeStep(DT);
    for (const i of car.wheels.keys()) expect(car.drawn(i).before).toEqual(car.drawn(i).now);
  });

  test('its points follow a shift of the origin', () => {
    const pair = pairOf(31);
    const { random, world, desc, car } = pair;
    putGround(random, world, desc);
    step(pair, DT);
    const points = car.wheels.map(({ point }) => point);
    world.controller!.shift([10, -20, 30]);
    for (const [i, { point }] of car.wheels.entries()) near(point, plus(points[i]!, [10, -20, 30]));
  });

  test('its speed is along its forward direction', () => {
    for (const seed of [1, 2, 3]) {
      const { world, desc, car } = pairOf(seed);
      const { rotation, velocity } = world.body(CAR);
      near([car.speed], [dot(into(columnsOf(rotation), velocity), desc.forward)]);
    }
  });

  test('only dynamic bodies, and only worlds', () => {
    const world = new FakeWorld();
    world.bodies.set(CAR, bodyOf(seeded(1), 'kinematic'));
    const desc = { body: CAR, wheels: [wheelAt(0, 0)] };
    expect(() => new Vehicle(world.asWorld, desc)).toThrow(expect.objectContaining({ code: 'unsupported' }));
    expect(() => new Vehicle({} as never, desc)).toThrow(/^world must be the world of a vehicle/);
  });
});

describe('wheel poses', () => {
  test('a wheel is drawn between its last two states, turned by steering and then about its axle', () => {
    for (const seed of [4, 5, 6]) {
      const pair = pairOf(seed);
      const { random, world, desc, car } = pair;
      for (let i = 0; i < 2; i++) {
        drive(pair);
        putGround(random, world, desc);
        step(pair, DT);
      }
      const { position, rotation } = world.body(CAR);
      const frame = columnsOf(rotation);
      const left = cross(desc.up, desc.forward);
      for (const [i, wheel] of desc.wheels.entries()) {
        const { now, before } = car.drawn(i);
        for (const alpha of [undefined, 0, 0.3, 1]) {
          // Longer arrays keep what is beyond.
          const [place, turned] = [
            [0, 0, 0, 8],
            [0, 0, 0, 1, 9],
          ];
          car.getWheelPose(i, place, turned, alpha);
          expect([place[3], turned[4]]).toEqual([8, 9]);
          const [at, q] = [place.slice(0, 3), turned.slice(0, 4)];
          const a = alpha ?? 0.25;
          const [travel, steer, angle] = (['travel', 'steer', 'angle'] as const).map(
            (key) => a * now[key] + (1 - a) * before[key],
          );
          near(at, plus(plus(position, [a, 0, 0]), out(frame, plus(wheel.position, desc.up, travel))));
          for (const v of [desc.up, desc.forward, left])
            near(out(columnsOf(q), v), out(frame, out(turnBy(desc.up, steer!), out(turnBy(left, angle!), v))));
          near([Math.hypot(...q)], [1]);
        }
      }
      for (const wrong of [-0.01, 1.01, Number.NaN])
        expect(() => car.getWheelPose(0, [0, 0, 0], [0, 0, 0, 1], wrong)).toThrow(/^alpha must be/);
      for (const wrong of [-1, desc.wheels.length, 0.5])
        expect(() => car.getWheelPose(wrong, [0, 0, 0], [0, 0, 0, 1])).toThrow(/^the vehicle has wheels 0 to \d, no wheel/);
    }
  });

  test('a rotation about an axis by hand', () => {
    // A third of a turn about 1 1 1 takes x to y, y to z, z to x.
    const k = Math.sqrt(1 / 3);
    near(about([k, k, k], (2 * Math.PI) / 3), [0.5, 0.5, 0.5, 0.5]);
    near(about([0, 0.6, 0.8], -1), [0, -0.6 * Math.sin(0.5), -0.8 * Math.sin(0.5), Math.cos(0.5)]);
  });
});
