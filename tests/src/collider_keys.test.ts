// What a collider is made with arrives, whichever way its description takes: alone, on a body, from a mesh of three.js, as props of React.
// A new field of `ColliderDesc` does not compile until it is in `GIVEN` here and in src/bodies/keys.ts.
import { BoxGeometry, Group, InstancedMesh, Matrix4, Mesh } from 'three';
import { beforeEach, expect, test } from 'vitest';
import { COLLIDER_TRAITS, type ColliderTrait, EVENT_KEYS, MATERIAL_KEYS } from '../../src/bodies/keys';
import { type ColliderDesc, type ColliderId, createWorld, type ShapeId, type World } from '../../src/index';
import { colliderTraits } from '../../src/react/traits';
import { ThreePhysics } from '../../src/three/index';

/** None is a default; all are numbers of single precision. */
const GIVEN: Required<Pick<ColliderDesc, ColliderTrait>> = {
  density: 250,
  sensor: true,
  surfaceVelocity: [1, 2, 3],
  surfaceSpin: [0.5, 0.25, 0.125],
  oneWay: [0, 1, 0],
  persistEvents: true,
  hitSpeed: 2,
  hitImpulse: 4,
  seesStatic: true,
  friction: 0.75,
  restitution: 0.5,
  rollingResistance: 0.125,
  frictionCombine: 'min',
  restitutionCombine: 'multiply',
  rollingResistanceCombine: 'max',
  spinningFriction: 0.25,
  spinningFrictionCombine: 'average',
  group: 7,
  category: 6,
  mask: 3,
};

let world: World;
let shape: ShapeId;

beforeEach(async () => {
  world = await createWorld();
  shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
});

function expectGiven(collider: ColliderId | undefined): void {
  expect(world.getCollider(collider!)).toMatchObject(GIVEN);
}

test('the lists have each field once, and all that the engine tells of a collider', () => {
  expect([...COLLIDER_TRAITS].sort()).toEqual(Object.keys(GIVEN).sort());
  expect([...EVENT_KEYS, ...MATERIAL_KEYS].every((key) => COLLIDER_TRAITS.includes(key))).toBe(true);
  const body = world.createBody({ shape });
  const told = Object.keys(world.getCollider(world.collidersOf(body)[0]!));
  const own = ['body', 'shape', 'position', 'rotation', 'mass', 'enabled'];
  expect(told.filter((key) => !own.includes(key)).sort()).toEqual([...COLLIDER_TRAITS].sort());
});

test('a body of one shape and one of several', () => {
  expectGiven(world.collidersOf(world.createBody({ shape, ...GIVEN }))[0]);
  expectGiven(world.collidersOf(world.createBody({ colliders: [{ shape, ...GIVEN }] }))[0]);
  const plain = world.collidersOf(world.createBody({ shape }))[0]!;
  world.setCollider(plain, GIVEN);
  expectGiven(plain);
});

test('meshes of three.js: each collider of a group, each instance', () => {
  const physics = new ThreePhysics(world);
  const group = new Group();
  const [a, b] = [new Mesh(new BoxGeometry()), new Mesh(new BoxGeometry())];
  b.position.x = 3;
  group.add(a, b);
  const colliders = world.collidersOf(physics.add(group, GIVEN));
  expect(colliders).toHaveLength(2);
  for (const collider of colliders) expectGiven(collider);
  const many = new InstancedMesh(new BoxGeometry(), undefined, 2);
  for (let i = 0; i < 2; i++) many.setMatrixAt(i, new Matrix4().makeTranslation(3 * i, 5, 0));
  for (const body of physics.add(many, GIVEN)) expectGiven(world.collidersOf(body)[0]);
});

test('props of React', () => {
  expect(colliderTraits(GIVEN, {}, '')).toEqual(GIVEN);
  expect(colliderTraits({ collisionGroups: 0x00050003 }, { onContactForce: () => undefined }, '')).toEqual({
    category: 5,
    mask: 3,
    persistEvents: true,
  });
});
