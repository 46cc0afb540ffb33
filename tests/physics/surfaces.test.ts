// Surfaces that move, colliders open to one side, friction against spin, contact rules: against closed forms, with both solvers;
// the GPU path has the bits of its twin.
import { describe, expect, inject, test } from 'vitest';
import { type BodyId, createWorld, type World } from '../../src/index';
import { useDevice } from '../helpers/gpu';

const gpu = useDevice();

const G = 9.81;
const DT = 1 / 60;
const position = (world: World, id: BodyId) => world.getPosition(id, [0, 0, 0]);
const velocity = (world: World, id: BodyId) => world.getLinearVelocity(id, [0, 0, 0]);
const spin = (world: World, id: BodyId) => world.getAngularVelocity(id, [0, 0, 0]);

function run(world: World, steps: number): void {
  for (let i = 0; i < steps; i++) world.step();
}

describe.each(['wide', 'cell-split'] as const)('%s', (solver) => {
  test('a belt accelerates a box by mu g up to its speed, and sets a ball rolling at 2/7 of it', async () => {
    const world = await createWorld({ solver });
    const belt = world.createShape({ type: 'box', halfExtents: [40, 0.5, 5] });
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const floor = world.createBody({
      type: 'static',
      shape: belt,
      position: [0, -0.5, 0],
      friction: 0.5,
      surfaceVelocity: [2, 0, 0],
    });
    const box = world.createBody({ shape: cube, position: [0, 0.5, 0], friction: 0.5 });
    const ball = world.createBody({
      shape: world.createShape({ type: 'sphere', radius: 0.5 }),
      position: [0, 0.5, 3],
      friction: 0.5,
      rollingResistance: 0,
      rollingResistanceCombine: 'min',
    });
    run(world, 12);
    expect(velocity(world, box)[0]! / (0.5 * G * 12 * DT)).toBeCloseTo(1, 2);
    run(world, 60);
    expect(velocity(world, box)[0]).toBeCloseTo(2, 3);
    expect(velocity(world, ball)[0]).toBeCloseTo(4 / 7, 2);
    expect(spin(world, ball)[2]).toBeCloseTo((2 - 4 / 7) / 0.5, 2);
    // It stops, and what rests on it sleeps; it starts, and wakes it.
    const [collider] = world.collidersOf(floor);
    world.setCollider(collider!, { surfaceVelocity: [0, 0, 0] });
    run(world, 150);
    expect(world.isAsleep(box)).toBe(true);
    world.setCollider(collider!, { surfaceVelocity: [0, 0, 1] });
    run(world, 60);
    expect(velocity(world, box)[2]).toBeCloseTo(1, 3);
  });

  test('a surface that turns carries a box round with it', async () => {
    const world = await createWorld({ solver });
    const disc = world.createShape({ type: 'cylinder', radius: 10, halfHeight: 0.5 });
    world.createBody({ type: 'static', shape: disc, position: [0, -0.5, 0], friction: 1, surfaceSpin: [0, 1, 0] });
    const plate = world.createShape({ type: 'box', halfExtents: [0.5, 0.1, 0.5] });
    const box = world.createBody({ shape: plate, position: [2, 0.1, 0], friction: 1 });
    run(world, 120);
    const [x, , z] = position(world, box) as [number, number, number];
    const speed = Math.hypot(...velocity(world, box));
    expect(spin(world, box)[1]).toBeCloseTo(1, 2);
    expect(speed / Math.hypot(x, z)).toBeCloseTo(1, 2);
  });

  test.each([
    [1, 2],
    [2, 1.5],
    [3, 0.8],
  ])('on a turntable at %f rad/s a body stays at %f m for 10 s, where friction holds it', async (w, r) => {
    const world = await createWorld({ solver });
    const disc = world.createShape({ type: 'cylinder', radius: 10, halfHeight: 0.5 });
    world.createBody({ type: 'kinematic', shape: disc, position: [0, -0.5, 0], friction: 1, angularVelocity: [0, w, 0] });
    const plate = world.createShape({ type: 'box', halfExtents: [0.3, 0.1, 0.3] });
    const common = { shape: plate, friction: 1, angularVelocity: [0, w, 0] };
    const held = world.createBody({ ...common, position: [r, 0.1, 0], linearVelocity: [0, 0, -w * r] });
    // Farther out than mu g / w^2 nothing holds.
    const far = (1.3 * G) / (w * w);
    const lost = far < 9 ? world.createBody({ ...common, position: [-far, 0.1, 0], linearVelocity: [0, 0, w * far] }) : null;
    run(world, 120);
    if (lost) expect(Math.hypot(position(world, lost)[0]!, position(world, lost)[2]!)).toBeGreaterThan(1.2 * far);
    run(world, 480);
    const [x, , z] = position(world, held) as [number, number, number];
    expect(Math.abs(Math.hypot(x, z) - r)).toBeLessThan(5e-4);
    expect(spin(world, held)[1]).toBeCloseTo(w, 4);
  });

  test.each([
    [1, 2, 1e5],
    [1, 2, 1000],
    [5, 0.3, 1000],
  ])(
    'on a table that turns freely at %f rad/s a body stays at %f m for 10 s, and the table of %f kg keeps its speed',
    async (w, r, mass) => {
      for (const held of ['hinge', 'locks'] as const) {
        const world = await createWorld({ solver, warn: false });
        const disc = world.createShape({ type: 'cylinder', radius: 10, halfHeight: 0.5 });
        const table = world.createBody({
          shape: disc,
          position: [0, -0.5, 0],
          mass,
          friction: 1,
          angularVelocity: [0, w, 0],
          ...(held === 'locks' ? { locks: { translation: 'xyz', rotation: 'xz' } as const } : {}),
        });
        const up = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
        const hinge = { type: 'hinge', bodyA: null, bodyB: table, frameA: up, frameB: up, frictionLever: 0 } as const;
        if (held === 'hinge') world.createJoint({ ...hinge, anchorA: [0, -0.5, 0], anchorB: [0, 0, 0] });
        const half = Math.min(0.3, r / 3);
        const box = world.createBody({
          shape: world.createShape({ type: 'box', halfExtents: [half, 0.05, half] }),
          mass: 10,
          friction: 1,
          position: [r, 0.05, 0],
          linearVelocity: [0, 0, -w * r],
          angularVelocity: [0, w, 0],
        });
        run(world, 600);
        const [x, , z] = position(world, box) as [number, number, number];
        expect(Math.abs(Math.hypot(x, z) - r)).toBeLessThan(5e-4);
        expect(Math.abs(spin(world, table)[1]! / w - 1)).toBeLessThan(1e-3);
      }
    },
  );

  test('a platform open from below lets bodies through at any speed, and bears what lands on it', async () => {
    const world = await createWorld({ solver });
    const plate = world.createShape({ type: 'box', halfExtents: [5, 0.05, 5] });
    world.createBody({ type: 'static', shape: plate, position: [0, 2, 0], oneWay: [0, 3, 0] });
    const ball = world.createShape({ type: 'sphere', radius: 0.2 });
    const jumper = world.createBody({
      shape: world.createShape({ type: 'capsule', radius: 0.3, halfHeight: 0.5 }),
      linearVelocity: [0, 9, 0],
      locks: { rotation: 'xyz' },
    });
    const falling = world.createBody({ shape: ball, position: [3, 60, 0] });
    const rising = world.createBody({ shape: ball, position: [-3, -3, 0], linearVelocity: [0, 200, 0], gravityScale: 0 });
    let top = 0;
    for (let i = 0; i < 300; i++) {
      world.step();
      top = Math.max(top, position(world, jumper)[1]!);
    }
    // The peak of the way in steps lies under the parabola by up to v dt / 2.
    expect(81 / (2 * G) - top).toBeLessThan(0.08);
    expect(position(world, jumper)[1]).toBeCloseTo(2.85, 2);
    expect(position(world, falling)[1]).toBeCloseTo(2.25, 2);
    expect(position(world, rising)[1]).toBeCloseTo(997, 0);
    // Nothing is open any more: it bears from below, too.
    world.setCollider(world.collidersOf(world.bodyAt(0)!)[0]!, { oneWay: [0, 0, 0] });
    world.teleport(jumper, [0, 0, 0]);
    world.setVelocity(jumper, [0, 9, 0], [0, 0, 0]);
    run(world, 30);
    expect(position(world, jumper)[1]).toBeLessThan(1.2);
  });

  test('spinning friction: a ball on its pole slows down by its lever times the weight over its moment', async () => {
    const world = await createWorld({ solver });
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'box', halfExtents: [5, 0.5, 5] }),
      position: [0, -0.5, 0],
    });
    const ball = world.createShape({ type: 'sphere', radius: 0.5 });
    const id = world.createBody({ shape: ball, position: [0, 0.5, 0], angularVelocity: [0, 20, 0], spinningFriction: 0.1 });
    run(world, 30);
    // A point contact has 5 mm of patch.
    const slowed = ((0.1 + 0.6 * 0.005) * G * 30 * DT) / (0.4 * 0.25);
    expect(spin(world, id)[1]! / (20 - slowed)).toBeCloseTo(1, 3);
    expect(world.getMaterial(world.collidersOf(id)[0]!)).toMatchObject({
      spinningFriction: Math.fround(0.1),
      spinningFrictionCombine: 'max',
    });
  });

  test('contact rules replace what materials come to, wake, and forbid', async () => {
    const world = await createWorld({ solver });
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'box', halfExtents: [50, 0.5, 5] }),
      position: [0, -0.5, 0],
      group: 1,
    });
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const [id] = world.createBodies({ count: 1, shape: cube, positions: [0, 0.5, 0], group: 2 });
    world.setContactRule(2, 1, { friction: 0 });
    run(world, 90);
    expect(world.isAsleep(id!)).toBe(true);
    world.applyImpulse(id!, [1000, 0, 0]);
    run(world, 30);
    expect(velocity(world, id!)[0]).toBeCloseTo(1, 5);
    world.setContactRule(1, 2, { friction: 0.5, restitution: 0.25 });
    expect(world.getContactRule(2, 1)).toEqual({ friction: 0.5, restitution: 0.25 });
    run(world, 6);
    expect(velocity(world, id!)[0]).toBeCloseTo(1 - 0.5 * G * 0.1, 2);
    world.setContactRule(1, 2, null);
    run(world, 60);
    expect(velocity(world, id!)[0]).toBeCloseTo(0, 3);
    world.setContactRule(1, 2, { collide: false });
    world.step();
    expect(Array.from(world.events, (event) => event.kind)).toEqual(['end']);
    run(world, 29);
    expect(position(world, id!)[1]).toBeLessThan(-0.5);
    expect(() => world.setContactRule(64, 0, null)).toThrow('groupA');
    expect(() => world.setContactRule(0, 0, { friction: -1 })).toThrow('rule.friction');
    expect(world.getContactRule(0, 0)).toBeNull();
  });
});

test('WebGPU has the bits of its twin, on hardware nearly', async () => {
  const worlds = [
    await createWorld({ solver: 'cell-split' }),
    await createWorld({ backend: 'webgpu', device: gpu.device, readbackTolerance: 0 }),
  ];
  for (const world of worlds) {
    const disc = world.createShape({ type: 'cylinder', radius: 10, halfHeight: 0.5 });
    world.createBody({
      type: 'static',
      shape: disc,
      position: [0, -0.5, 0],
      surfaceSpin: [0, 2, 0],
      surfaceVelocity: [0.5, 0, 0],
      spinningFriction: 0.05,
    });
    const shapes = [
      world.createShape({ type: 'box', halfExtents: [0.3, 0.2, 0.3] }),
      world.createShape({ type: 'sphere', radius: 0.3 }),
    ];
    world.createBody({ type: 'kinematic', shape: disc, position: [30, -0.5, 0], angularVelocity: [0, 2, 0] });
    for (let i = 0; i < 6; i++) world.createBody({ shape: shapes[i % 2]!, position: [28 + i, 0.4, 0] });
    for (let i = 0; i < 20; i++)
      world.createBody({ shape: shapes[i % 2]!, position: [(i % 5) - 2, 0.3 + (i >> 3), (i % 3) - 1] });
  }
  for (let i = 0; i < 30; i++) for (const world of worlds) await world.stepAsync();
  expect(worlds[1]!.faults.gpuFailures).toBe(0);
  const [twin, onGpu] = worlds.map(({ positions, rotations }) => [...positions, ...rotations]);
  if (inject('adapter').software) expect(onGpu).toEqual(twin);
  // Half a second, in which what the last bits make of a step has grown.
  else expect(Math.max(...onGpu!.map((x, i) => Math.abs(x - twin![i]!)))).toBeLessThan(0.05);
});
