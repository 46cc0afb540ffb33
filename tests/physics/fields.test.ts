// Explosions, gravity fields and water against closed forms.
import { expect, test } from 'vitest';
import { type BodyId, createWorld, type World } from '../../src/index';

const position = (world: World, id: BodyId) => world.getPosition(id, [0, 0, 0]) as [number, number, number];
const velocity = (world: World, id: BodyId) => world.getLinearVelocity(id, [0, 0, 0]) as [number, number, number];

test('an explosion pushes by its impulse, less with the distance, and what its mask has', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const make = (x: number, category: number) => world.createBody({ shape: ball, position: [x, 0, 0], mass: 2, category });
  const [near, far, other, out] = [make(2, 1), make(-5, 1), make(4, 2), make(11, 1)];
  expect(world.applyExplosion({ position: [0, 0, 0], radius: 10, impulse: 100, mask: 1 })).toBe(2);
  expect(velocity(world, near!)[0]).toBeCloseTo(40, 4);
  expect(velocity(world, far!)[0]).toBeCloseTo(-25, 4);
  expect([velocity(world, other!), velocity(world, out!)]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(world.applyExplosion({ position: [4, 0, 0], radius: 1, impulse: 4, falloff: 'none' })).toBe(1);
  expect(velocity(world, other!)[1]).toBeCloseTo(2, 5);
  expect(() => world.applyExplosion({ position: [0, 0, 0], radius: 0, impulse: 1 })).toThrow('radius');
  expect(() => world.applyExplosion({ position: [0, 0, 0], radius: 1, impulse: 1, falloff: 'cubic' as never })).toThrow(
    'falloff',
  );
});

test('a satellite stays on its circle in the field of a point', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const id = world.createBody({ shape: ball, position: [10, 0, 0], linearVelocity: [0, 0, Math.sqrt(10)] });
  let worst = 0;
  const round = (2 * Math.PI * 10) / Math.sqrt(10);
  for (let i = 0; i < Math.round(60 * round); i++) {
    world.applyGravityField({ position: [0, 0, 0], strength: 1, reference: 10 });
    world.step();
    worst = Math.max(worst, Math.abs(Math.hypot(...position(world, id)) - 10));
  }
  expect(worst).toBeLessThan(0.06);
  expect(Math.hypot(position(world, id)[0] - 10, position(world, id)[2])).toBeLessThan(0.3);
});

test('what is lighter than water floats as deep as its density says, what is heavier sinks', async () => {
  const world = await createWorld({});
  const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), density: 500, position: [0, 1, 0] });
  const raft = world.createShape({ type: 'box', halfExtents: [1, 0.25, 1] });
  const tilt: [number, number, number, number] = [0, 0, 0.15, 1];
  const light = world.createBody({ shape: raft, density: 600, position: [5, 0, 0], rotation: tilt });
  const heavy = world.createBody({ shape: raft, density: 2000, position: [10, 0, 0] });
  const dry = world.createBody({ shape: raft, density: 600, position: [40, 0, 0] });
  for (let i = 0; i < 900; i++) {
    world.applyBuoyancy({
      level: 0,
      drag: 2,
      angularDrag: 2,
      bounds: { min: [-20, -100, -20], max: [20, 0, 20] },
      flow: [0, 0, 0.1],
    });
    world.step();
  }
  expect(position(world, ball)[1]).toBeCloseTo(0, 3);
  expect(position(world, light)[1]).toBeCloseTo(0.25 - 0.6 * 0.5, 3);
  expect(Math.abs(world.getRotation(light, [0, 0, 0, 0])[2]!)).toBeLessThan(1e-3);
  expect(velocity(world, light)[2]).toBeCloseTo(0.1, 3);
  // Lift takes half of its weight, drag the rest.
  expect(velocity(world, heavy)[1]).toBeLessThan(-1);
  expect(position(world, dry)[1]).toBeLessThan(-500);
});

test('a surface may be a function of place; one that is refused in the middle has done nothing', async () => {
  const world = await createWorld({ sleep: false });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const ids = [-6, 0, 6].map((x) => world.createBody({ shape: cube, density: 800, position: [x, 0.2, 0] }));
  const level = (x: number) => 0.1 * x;
  for (let i = 0; i < 900; i++) {
    world.applyBuoyancy({ level: (x) => level(Math.round(x)), drag: 3, angularDrag: 3 });
    world.step();
  }
  for (const [i, x] of [-6, 0, 6].entries()) {
    expect(position(world, ids[i]!)[1]! - level(x)).toBeCloseTo(0.5 - 0.8, 2);
  }
  const hash = world.hash();
  const broken = (x: number) => (x > 3 ? NaN : 0);
  expect(() => world.applyBuoyancy({ level: broken })).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  expect(world.hash()).toBe(hash);
});
