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

/** A pool with a floor at y = 0, and boxes in it: heavy ones at rest on the floor, light ones that float, all of 1 m. */
async function pool(options: object = {}) {
  const world = await createWorld({ sleep: true, ...options });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const slab = world.createShape({ type: 'box', halfExtents: [50, 0.5, 50] });
  world.createBody({ type: 'static', shape: slab, position: [0, -0.5, 0] });
  const make = (i: number, y: number, density: number) => world.createBody({ shape: cube, position: [3 * i, y, 0], density });
  const play = (steps: number, fields?: () => void) => {
    for (let k = 0; k < steps; k++) {
      fields?.();
      world.step();
    }
  };
  return { world, cube, make, play };
}
const SOLVERS = ['wide', 'cell-split'] as const;

test.each(SOLVERS)(
  'a pool that fills wakes what sleeps in it, and what floats or lies there falls asleep: %s',
  async (solver) => {
    const { world, make, play } = await pool({ solver });
    const light = make(0, 0.5, 400);
    const heavy = make(1, 0.5, 3000);
    play(120);
    expect(world.sleepingCount).toBe(2);
    let level = -1;
    const water = () => world.applyBuoyancy({ level, drag: 3, angularDrag: 3 });
    play(60, water); // under the floor
    expect(world.sleepingCount).toBe(2);
    for (let k = 0; k < 240; k++) {
      level += 5 / 240;
      play(1, water);
    }
    expect(position(world, light)[1]).toBeGreaterThan(2.5);
    play(900, water);
    // In still water both sleep, at the height that their weight asks for, and stay there.
    expect([light, heavy].map((id) => world.isAsleep(id))).toEqual([true, true]);
    expect(Math.abs(position(world, light)[1] - (4 + 0.5 - 0.4))).toBeLessThan(0.03);
    const before = [...world.positions];
    play(120, water);
    expect([...world.positions]).toEqual(before);
    // A stone in the water, a rising level and the end of the water wake what they concern.
    level += 0.02;
    play(1, water);
    expect([light, heavy].map((id) => world.isAsleep(id))).toEqual([false, true]);
    play(900, water);
    expect(world.sleepingCount).toBe(2);
    play(1);
    expect(world.isAsleep(light)).toBe(false);
    play(120);
    expect(position(world, light)[1]).toBeLessThan(1);
  },
);

test('what begins to sleep in water that goes in the very next step falls', async () => {
  const { world, make, play } = await pool();
  const id = make(0, 3.1, 400);
  const water = () => world.applyBuoyancy({ level: 3, drag: 3, angularDrag: 3 });
  for (let k = 0; k < 2000 && !world.isAsleep(id); k++) play(1, water);
  expect(world.isAsleep(id)).toBe(true);
  play(30);
  expect(position(world, id)[1]).toBeLessThan(2.5);
});

test('a touched sleeper that floats keeps its lift in the step that wakes it', async () => {
  const { world, cube, make, play } = await pool();
  const id = make(0, 3.1, 400);
  const water = () => world.applyBuoyancy({ level: 3, drag: 3, angularDrag: 3 });
  for (let k = 0; k < 2000 && !world.isAsleep(id); k++) play(1, water);
  const y = position(world, id)[1];
  world.createBody({ type: 'kinematic', shape: cube, position: [-1.1, y, 0], linearVelocity: [0.6, 0, 0] });
  let fastest = 0;
  for (let k = 0; k < 30; k++) {
    play(1, water);
    fastest = Math.max(fastest, Math.abs(velocity(world, id)[1]));
  }
  expect(world.isAsleep(id)).toBe(false);
  expect(position(world, id)[0]).toBeGreaterThan(0.1);
  expect(fastest).toBeLessThan(0.06);
});

test('a raft asleep with its load wakes as a whole, and one that is built asleep in the water stays so', async () => {
  const { world, make, play } = await pool();
  const raft = make(0, 3.1, 400);
  const load = make(0, 4.1, 100);
  const water = () => world.applyBuoyancy({ level: 3, drag: 6, angularDrag: 6 });
  world.sleep(raft);
  world.sleep(load);
  play(60, water);
  expect(world.sleepingCount).toBe(2);
  world.wake(raft);
  play(2000, water);
  expect(world.sleepingCount).toBe(2);
  expect(Math.abs(position(world, raft)[1] - 3)).toBeLessThan(0.02);
  world.removeBody(load);
  play(1, water);
  expect(world.isAsleep(raft)).toBe(false);
});

test('bodies on a planet sleep in its steady field, and wake when it changes; those in the air never sleep', async () => {
  const world = await createWorld({ sleep: true, gravity: [0, 0, 0] });
  const rock = world.createShape({ type: 'sphere', radius: 5 });
  const cube = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
  world.createBody({ type: 'static', shape: rock, position: [0, 0, 0] });
  const ids = [0, 1, 2, 3].map((k) => {
    const angle = (k * Math.PI) / 2;
    const at = [5.3 * Math.cos(angle), 5.3 * Math.sin(angle), 0];
    return world.createBody({
      shape: cube,
      position: at,
      rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
      friction: 1,
    });
  });
  const far = world.createBody({ shape: cube, position: [0, 90, 0] });
  const pull = (strength: number) => world.applyGravityField({ position: [0, 0, 0], strength, reference: 5 });
  for (let k = 0; k < 300; k++) {
    pull(9);
    world.step();
    expect(world.isAsleep(far)).toBe(false);
  }
  expect(ids.map((id) => world.isAsleep(id))).toEqual([true, true, true, true]);
  pull(9.05);
  world.step();
  expect(world.sleepingCount).toBe(4);
  pull(9.2);
  world.step();
  expect(world.sleepingCount).toBe(0);
  expect(position(world, far)[1]).toBeLessThan(90 - 0.2);
});

test('fields are part of the state: a snapshot between a field and its step goes on bit by bit', async () => {
  const { world, make, play } = await pool();
  for (let k = 0; k < 4; k++) make(k, 2 + k, 300 + 300 * k);
  const water = (of: World) => of.applyBuoyancy({ level: 3, drag: 3 });
  play(500, () => water(world));
  water(world);
  const other = await world.clone();
  for (let k = 0; k < 60; k++) {
    world.step();
    other.step();
    expect(other.hash()).toBe(world.hash());
    if (k < 20) water(world);
    if (k < 20) water(other);
  }
});

test('the function of a water level may change the world: bodies that it makes wait for the next call', async () => {
  const { world, cube, make, play } = await pool({ bodyCapacity: 4 });
  const ids = [0, 1, 2].map((k) => make(k, 1, 400));
  let calls = 0;
  const level = (x: number, z: number) => {
    calls++;
    if (calls < 4000) world.createBody({ shape: cube, position: [x, 100 + calls, z] });
    if (calls === 70) world.removeBody(ids[1]!);
    if (calls === 100) world.setType(ids[2]!, 'static');
    return 3;
  };
  world.applyBuoyancy({ level });
  expect(calls).toBeLessThan(1 + 3 * 64 + 1);
  play(1);
  expect(velocity(world, ids[0]!)[1]).toBeGreaterThan(0.1);
  expect(velocity(world, ids[2]!)[1]).toBe(0);
  const end = () => {
    world.dispose();
    return 1;
  };
  expect(() => world.applyBuoyancy({ level: end })).toThrow(expect.objectContaining({ code: 'disposed' }));
});
