// What goes through a sensor within one step is told, with the times at which it comes into it and leaves it.
import { expect, test } from 'vitest';
import type { ShapeDesc } from '../../src/index';
import type { BodyId, World } from '../../src/study/index';
import { seeded as random } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

const SPEEDS = [20, 60, 150, 400];
// Half of the depth of each along x.
const MOVERS: readonly (readonly [ShapeDesc, number])[] = [
  [{ type: 'sphere', radius: 0.1 }, 0.1],
  [{ type: 'box', halfExtents: [0.08, 0.15, 0.05] }, 0.08],
  [{ type: 'capsule', radius: 0.06, halfHeight: 0.2 }, 0.06],
];
const SQUARE = new Float32Array([0, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2]);
const SENSORS: readonly (readonly [ShapeDesc, number])[] = [
  [{ type: 'box', halfExtents: [0.01, 2, 2] }, 0.01],
  [{ type: 'sphere', radius: 0.05 }, 0.05],
  [{ type: 'mesh', positions: SQUARE, indices: new Uint32Array([0, 1, 2, 0, 2, 3]) }, 0],
];
// m: overlaps below the skin of a sweep do not count.
const NEAR = 2e-3;

interface Told {
  kind: string;
  x: number;
  inStep: boolean;
  sensor: BodyId;
}

/** Steps until the body is past `far`, and tells where it was at each event of a sensor. */
function fly(world: World, body: BodyId, speed: number, far: number): Told[] {
  const told: Told[] = [];
  for (let x = -Infinity; x < far; ) {
    x = world.getPosition(body, [0, 0, 0])[0];
    world.step();
    for (const { kind, time, bodyA, bodyB } of world.events) {
      expect(time).toBeGreaterThanOrEqual(0);
      expect(time).toBeLessThanOrEqual(world.settings.dt);
      told.push({ kind, x: x + speed * time, inStep: time > 0, sensor: bodyA === body ? bodyB : bodyA });
    }
  }
  return told;
}

test.each(SPEEDS)('at %i m/s every sensor tells of what goes through it', async (speed) => {
  const next = random(speed);
  let within = 0;
  for (const [mover, half] of MOVERS) {
    for (const [shape, depth] of SENSORS) {
      for (let seed = 0; seed < 12; seed++) {
        const world = await createWorld({ gravity: [0, 0, 0] });
        world.createBody({ type: 'static', shape: world.createShape(shape), sensor: true });
        const body = world.createBody({
          shape: world.createShape(mover),
          position: [-1 - (speed / 60) * next(), 0.01, 0.003],
          linearVelocity: [speed, 0, 0],
        });
        const told = fly(world, body, speed, 1);
        const label = `${mover.type} through ${shape.type}, ${seed}`;
        expect(
          told.map(({ kind }) => kind),
          label,
        ).toEqual(['sensor-begin', 'sensor-end']);
        if (told[0]!.inStep) {
          within++;
          expect(Math.abs(told[0]!.x + half + depth), label).toBeLessThan(NEAR + 2e-3);
          expect(Math.abs(told[1]!.x - half - depth), label).toBeLessThan(NEAR + 2e-3);
        }
        world.dispose();
      }
    }
  }
  expect(within).toBeGreaterThan(speed > 30 ? 80 : 10);
});

test('sensors that are gone through in one step tell so in the order of time', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'box', halfExtents: [0.01, 1, 1] });
  const sensors = [3, 1, 0, 2].map((k) => world.createBody({ type: 'static', shape, sensor: true, position: [0.5 * k, 0, 0] }));
  const body = world.createBody({
    shape: world.createShape({ type: 'sphere', radius: 0.1 }),
    position: [-1, 0, 0],
    linearVelocity: [200, 0, 0],
  });
  const told = fly(world, body, 200, 3);
  expect(told.map(({ kind, sensor }) => `${kind} ${sensors.indexOf(sensor)}`)).toEqual(
    [2, 1, 3, 0].flatMap((k) => [`sensor-begin ${k}`, `sensor-end ${k}`]),
  );
  const heard: number[] = told.map(({ x }) => x);
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
});

test('a sensor that is fast itself tells of what it goes through', async () => {
  for (const type of ['kinematic', 'dynamic'] as const) {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const sensor = world.createBody({
      type,
      shape: world.createShape({ type: 'box', halfExtents: [0.01, 1, 1] }),
      sensor: true,
      position: [-1.3, 0, 0],
      linearVelocity: [150, 0, 0],
      ...(type === 'dynamic' ? { mass: 1 } : {}),
    });
    world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.1 }) });
    expect(
      fly(world, sensor, 150, 2).map(({ kind }) => kind),
      type,
    ).toEqual(['sensor-begin', 'sensor-end']);
  }
});

test('what is stopped before a sensor, or passes beside it, is not told of', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'box', halfExtents: [0.01, 1, 1] });
  world.createBody({ type: 'static', shape, position: [-0.1, 0, 0] });
  world.createBody({ type: 'static', shape, sensor: true, position: [0.2, 0, 0] });
  const ball = world.createShape({ type: 'sphere', radius: 0.1 });
  world.createBody({ shape: ball, position: [-1, 0, 0], linearVelocity: [100, 0, 0] });
  world.createBody({ shape: ball, position: [-1, 1.11, 0], linearVelocity: [100, 0, 0] });
  for (let i = 0; i < 10; i++) {
    world.step();
    for (const { kind } of world.events) expect(kind).not.toMatch(/sensor/);
  }
});
