// Masses: how light and how heavy a body may be by each way to say so, and what sensors weigh.
import { expect, test } from 'vitest';
import { type BodyId, createWorld, type ShapeId, type World } from '../../src/index';

const invalid = expect.objectContaining({ name: 'TalusError', code: 'invalid-argument' });

/** Ways to make a body, or to change one, of a density, a mass or an inertia. */
const WAYS: [string, (world: World, shape: ShapeId, value: number) => BodyId][] = [
  ['density', (world, shape, density) => world.createBody({ shape, density })],
  ['density of many', (world, shape, density) => world.createBodies({ count: 1, shape, positions: [0, 0, 0], density })[0]!],
  [
    'densities',
    (world, shape, density) =>
      world.createBodies({ count: 2, shape, positions: [0, 0, 0, 5, 0, 0], densities: [1000, density] })[1]!,
  ],
  ['mass', (world, shape, mass) => world.createBody({ shape, mass })],
  ['density of a collider', (world, shape, density) => world.createBody({ colliders: [{ shape, density }] })],
  ['mass of a collider', (world, shape, mass) => world.createBody({ colliders: [{ shape, mass }] })],
  ['inertia', (world, shape, i) => world.createBody({ shape, mass: { mass: 1, inertia: [i, i, i, 0, 0, 0] } })],
  ['setMass', (world, shape, mass) => change(world, shape, (body) => world.setMass(body, mass))],
  [
    'setCollider',
    (world, shape, density) => change(world, shape, (body) => world.setCollider(world.collidersOf(body)[0]!, { density })),
  ],
  [
    'setType',
    (world, shape, density) => {
      const body = world.createBody({ type: 'static', shape, density });
      world.setType(body, 'dynamic');
      return body;
    },
  ],
];

function change(world: World, shape: ShapeId, act: (body: BodyId) => void): BodyId {
  const body = world.createBody({ shape });
  act(body);
  return body;
}

const SHAPES = [
  { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  { type: 'sphere', radius: 1e-4 },
  { type: 'capsule', radius: 1e-4, halfHeight: 1 },
  { type: 'box', halfExtents: [1e5, 1e5, 1e5] },
] as const;
const VALUES = [1e-320, 1e-45, 1e-39, 1e-30, 1e-22, 1e-12, 1e-6, 1, 1e6, 1e9, 1e12, 1e20, 1e40, 1e300];

test.each(WAYS)('%s: a body has an inverse mass, or is refused', async (_, make) => {
  const world = await createWorld({ warn: false, gravity: [0, 0, 0] });
  for (const desc of SHAPES) {
    const shape = world.createShape(desc);
    for (const value of VALUES) {
      let body: BodyId;
      try {
        body = make(world, shape, value);
      } catch (error) {
        expect(error).toEqual(invalid);
        continue;
      }
      world.applyImpulse(body, [1e-9, 0, 0]);
      world.step();
      const at = 16 * world.indexOf(body);
      const inverse = world.velocities[at + 3]!;
      expect(inverse, `${JSON.stringify(desc)} ${value}`).toBeGreaterThan(1e-38);
      expect(inverse).toBeLessThan(2e15);
      const { mass, inertia } = world.getMassProperties(body);
      for (const number of [mass, inertia[0]!, inertia[1]!, inertia[2]!]) {
        expect(number).toBeGreaterThan(0);
        expect(Number.isFinite(number) && Number.isFinite(1 / number)).toBe(true);
      }
      for (let k = 0; k < 16; k++) expect(Number.isFinite(world.velocities[at + k]!)).toBe(true);
      world.removeBody(body);
    }
  }
});

test('a dynamic body that has only sensors takes a mass, spread over their volumes', async () => {
  const world = await createWorld();
  const box = world.createShape({ type: 'box', halfExtents: [1, 0.5, 0.25] });
  const ghost = world.createBody({ shape: box, sensor: true, mass: 2 });
  const solid = world.createBody({ shape: box, mass: 2, position: [9, 0, 0] });
  expect(world.getMassProperties(ghost)).toEqual(world.getMassProperties(solid));
  const pair = { colliders: [1, -3].map((x) => ({ shape: box, sensor: true, position: [x, 0, 0] as const })), mass: 4 };
  expect(world.getMassProperties(world.createBody(pair)).center).toEqual([-1, 0, 0]);
  world.setMass(ghost, 5);
  expect(world.getMass(ghost)).toBe(5);
  expect(() => world.setMass(ghost, undefined)).toThrow(invalid);
  expect(() => world.createBody({ shape: box, sensor: true })).toThrow(invalid);
  world.step();
  expect(world.getLinearVelocity(ghost, [0, 0, 0])[1]).toBeCloseTo(-9.81 / 60, 5);
});

test('colliders of a body come in the order in which they were made', async () => {
  const world = await createWorld();
  const shape = world.createShape({ type: 'sphere', radius: 0.1 });
  const body = world.createBody({ colliders: [0, 1, 2].map((x) => ({ shape, position: [x, 0, 0] as const })) });
  const places = () => world.collidersOf(body).map((id) => Math.round(world.getCollider(id).position[0]!));
  expect(places()).toEqual([0, 1, 2]);
  const more = world.addCollider(body, { shape, position: [3, 0, 0] });
  expect(world.collidersOf(body).at(-1)).toBe(more);
  world.removeCollider(world.collidersOf(body)[1]!);
  world.addCollider(body, { shape, position: [4, 0, 0] });
  expect(places()).toEqual([0, 2, 3, 4]);
  expect(world.getBody(body).colliders).toEqual(world.collidersOf(body));
});
