// Rolling resistance by its closed forms, for every solver: how far a ball rolls, on which slopes round bodies rest, momentum and
// energy, combine rules; and that worlds of round bodies come to rest.
import { describe, expect, test } from 'vitest';
import type { BodyId, ShapeDesc, SolverName, World, WorldOptions } from '../../src/study/index';
import { cross, GRAVITY, groundWorld, position, SOLVERS, speed, spin, steps, turn, velocity } from '../helpers/ground';
import { createWorld } from '../helpers/worlds';

const RADIUS = 0.3;
const C = 0.05;
/** Of a full ball: m v' = -F, I w' = F r - c r m g. */
const DECELERATION = (GRAVITY * 5) / 7;

function ball(world: World, v: number, material = {}): BodyId {
  return world.createBody({
    shape: world.createShape({ type: 'sphere', radius: RADIUS }),
    position: [0, RADIUS, 0],
    linearVelocity: [v, 0, 0],
    angularVelocity: [0, 0, -v / RADIUS],
    ...material,
  });
}

const ROUND: [string, ShapeDesc][] = [
  ['sphere', { type: 'sphere', radius: RADIUS }],
  ['capsule', { type: 'capsule', radius: RADIUS, halfHeight: 0.5 }],
  ['cylinder', { type: 'cylinder', radius: RADIUS, halfHeight: 0.5 }],
];

/** A round body across a slope (gravity is tilted instead of the floor), and how far it has gone after two seconds. */
async function onSlope(desc: ShapeDesc, slope: number, options: WorldOptions) {
  const angle = Math.atan(slope);
  const gravity = [GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0];
  const { world } = await groundWorld({ ...options, gravity }, { rollingResistance: C });
  const shape = world.createShape(desc);
  const rotation = turn([1, 0, 0], Math.PI / 2);
  const body = world.createBody({ shape, position: [0, RADIUS, 0], rotation, rollingResistance: C });
  steps(world, 120);
  return { way: position(world, body)[0], speed: speed(world, body) };
}

describe.each(SOLVERS)('%s', (solver: SolverName) => {
  test('a ball stops after v2 / (2 c g 5/7) and stays', async () => {
    const { world } = await groundWorld({ solver }, { rollingResistance: C });
    const body = ball(world, 1, { rollingResistance: C });
    steps(world, 180);
    const way = position(world, body)[0];
    expect(Math.abs(way * 2 * C * DECELERATION - 1)).toBeLessThan(0.02);
    steps(world, 60);
    expect(position(world, body)[0]).toBeCloseTo(way, 6);
    expect(speed(world, body)).toBeLessThan(1e-8);
    expect(Math.hypot(...spin(world, body))).toBeLessThan(1e-8);
  });

  test.each(ROUND)('a %s rests on slopes below c and rolls down steeper ones', async (name, desc) => {
    const below = await onSlope(desc, 0.9 * C, { solver });
    expect(below.way).toBeLessThan(1e-3);
    expect(below.speed).toBeLessThan(1e-7);
    const above = await onSlope(desc, 1.1 * C, { solver });
    const inertia = name === 'cylinder' ? 1.5 : name === 'sphere' ? 1.4 : undefined;
    expect(above.speed).toBeGreaterThan(0.03);
    if (inertia) expect(above.speed).toBeCloseTo((2 * 0.1 * C * GRAVITY * Math.cos(Math.atan(1.1 * C))) / inertia, 2);
  });
});

test('a ball at 4 m/s rolls tens of meters by default; with 0 it goes on', async () => {
  const { world } = await groundWorld();
  const usual = ball(world, 4);
  const free = ball(world, 4, { rollingResistance: 0, position: [0, RADIUS, 3] });
  steps(world, 120);
  const slowed = (4 - velocity(world, usual)[0]) / 2;
  expect(slowed).toBeCloseTo(0.02 * DECELERATION, 3);
  expect(16 / (2 * slowed)).toBeGreaterThan(50);
  expect(velocity(world, free)[0]).toBeGreaterThan(3.999);
  const smooth = ball(world, 4, { friction: 0, position: [0, RADIUS, 6] });
  steps(world, 60);
  expect(spin(world, smooth)[2]).toBeCloseTo(-4 / RADIUS, 5);
});

test('on a mesh of many triangles as on a plane', async () => {
  const world = await createWorld();
  const n = 60;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= n; i++) for (let k = 0; k <= n; k++) positions.push(i * 0.2 - 2, 0, k * 0.2 - 6);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const a = i * (n + 1) + k;
      indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
    }
  }
  const shape = world.createShape({ type: 'mesh', positions: Float32Array.from(positions), indices: Uint32Array.from(indices) });
  world.createBody({ type: 'static', shape, rollingResistance: C });
  const body = ball(world, 1, { rollingResistance: C });
  steps(world, 240);
  expect(Math.abs(position(world, body)[0] * 2 * C * DECELERATION - 1)).toBeLessThan(0.1);
  expect(speed(world, body)).toBeLessThan(1e-7);
});

test('a slow ball is not driven: its energy never grows', async () => {
  const { world } = await groundWorld({}, { rollingResistance: 0 });
  const body = ball(world, 0.05, { rollingResistance: 0 });
  steps(world, 30);
  let last = velocity(world, body)[0];
  for (let i = 0; i < 20; i++) {
    steps(world, 30);
    const now = velocity(world, body)[0];
    expect(now).toBeLessThan(last * 1.0005);
    last = now;
  }
  expect(last).toBeGreaterThan(0.048);
});

test('momentum and angular momentum are kept between two bodies, energy falls', async () => {
  const run = async (rollingResistance: number) => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const a = world.createBody({ shape, position: [-0.501, 0, 0], angularVelocity: [0, 8, 0], rollingResistance });
    const b = world.createBody({ shape, position: [0.501, 0, 0], angularVelocity: [0, -5, 3], rollingResistance });
    for (const [id, x] of [
      [a, 1],
      [b, -1],
    ] as const)
      world.setVelocity(id, [x, 0, 0]);
    const mass = world.getMass(a);
    const inertia = 0.4 * mass * 0.25;
    const state = () => {
      const p = [0, 0, 0];
      const l = [0, 0, 0];
      let energy = 0;
      for (const id of [a, b]) {
        const v = velocity(world, id);
        const w = spin(world, id);
        const x = cross(position(world, id), v);
        for (let k = 0; k < 3; k++) {
          p[k]! += mass * v[k]!;
          l[k]! += mass * x[k]! + inertia * w[k]!;
          energy += 0.5 * mass * v[k]! ** 2 + 0.5 * inertia * w[k]! ** 2;
        }
      }
      return { p, l, energy };
    };
    const before = state();
    let energy = before.energy;
    for (let i = 0; i < 10; i++) {
      world.step();
      const now = state();
      expect(now.energy).toBeLessThanOrEqual(energy * (1 + 1e-6));
      energy = now.energy;
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(now.p[k]! - before.p[k]!)).toBeLessThan(1e-5 * mass);
        expect(Math.abs(now.l[k]! - before.l[k]!)).toBeLessThan(2e-4 * mass);
      }
    }
    return energy;
  };
  expect(await run(0.5)).toBeLessThan((await run(0)) * 0.99);
});

test.each([
  ['geometric', Math.sqrt(0.02 * 0.08)],
  ['average', 0.05],
  ['min', 0.02],
  ['max', 0.08],
  ['multiply', 0.0016],
] as const)('combine rule %s', async (rollingResistanceCombine, c) => {
  const { world } = await groundWorld({}, { rollingResistance: 0.02, rollingResistanceCombine });
  const body = ball(world, 3, { rollingResistance: 0.08, rollingResistanceCombine });
  steps(world, 60);
  expect(3 - velocity(world, body)[0]).toBeCloseTo(c * DECELERATION, 2);
});

test('between two balls the radius is that of both', async () => {
  // A ball on top of a fixed one of the same size rests a little off the top: up to c r / 2 in angle of the normal against r.
  const world = await createWorld();
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  const c = 0.2;
  world.createBody({ type: 'static', shape, rollingResistance: c });
  const at = (angle: number) => [Math.sin(angle), Math.cos(angle), 0];
  // Torque about the contact: m g r sin(angle) against c (r / 2) m g cos(angle).
  const critical = Math.atan(c / 2);
  const body = world.createBody({ shape, position: at(0.9 * critical), rollingResistance: c });
  steps(world, 240);
  expect(speed(world, body)).toBeLessThan(1e-6);
  world.teleport(body, at(1.2 * critical));
  world.setVelocity(body, [0, 0, 0]);
  steps(world, 240);
  expect(position(world, body)[1]).toBeLessThan(0.5);
});

test('a heap of round bodies on bumps comes to rest, and sleeps', async () => {
  const world = await createWorld({ sleep: true });
  const rows = 21;
  const heights = Float32Array.from(
    { length: rows * rows },
    (_, i) => 0.15 * Math.sin(i * 2.3) + 0.1 * Math.cos((i % rows) * 1.7),
  );
  const field = { type: 'heightfield', nx: rows, nz: rows, spacing: 0.5, heights } as ShapeDesc;
  world.createBody({ type: 'static', shape: world.createShape(field), position: [-5, 0, -5] });
  const shapes = [...ROUND.map(([, desc]) => desc), { type: 'cone', radius: 0.3, halfHeight: 0.3 } as ShapeDesc].map((d) =>
    world.createShape(d),
  );
  for (let i = 0; i < 40; i++) {
    const layer = Math.floor(i / 16);
    const position = [((i % 4) - 1.5) * 1.3, 1.2 + 1.5 * layer, ((Math.floor(i / 4) % 4) - 1.5) * 1.3];
    world.createBody({ shape: shapes[i % 4]!, position, rotation: turn([1, 0, 0], i) });
  }
  steps(world, 1200);
  expect(world.sleepingCount).toBe(40);
});
