// The adapter for isaac-mason/js-physics-benchmarks does what that page asks of an engine: bodies, poses, contacts, rays, a mesh that is
// turned by hand, worlds made one after another.
import { beforeAll, expect, test, vi } from 'vitest';
import { MotionType, type PhysicsImpl, type Quat, ShapeType, type Vec3 } from '../../bench/js-physics-benchmarks/api';
import * as adapter from '../../bench/js-physics-benchmarks/impls/talus-impl';
import type { BodyId, ShapeId } from '../../src/index';

vi.mock('talus', () => import('../../src/index'));

// The page uses the module as a whole, as one of these.
const impl: PhysicsImpl<ReturnType<typeof adapter.createWorld>, ShapeId, BodyId> = adapter;
const DT = 1 / 60;

beforeAll(() => impl.init());

function withFloor() {
  const world = impl.createWorld();
  const slab = impl.createShape(world, { type: ShapeType.BOX, halfExtents: [10, 0.5, 10], convexRadius: 0.05 });
  const floor = impl.createRigidBody(world, { shape: 0, motionType: MotionType.STATIC, position: [0, -0.5, 0] }, slab);
  return { world, floor };
}

test('a box falls on the floor, rests there and is told of once', () => {
  const { world, floor } = withFloor();
  const cube = impl.createShape(world, { type: ShapeType.BOX, halfExtents: [0.25, 0.25, 0.25] });
  const options = {
    shape: 1,
    motionType: MotionType.DYNAMIC,
    position: [0, 2, 0] as Vec3,
    mass: 1,
    friction: 0.5,
    restitution: 0,
  };
  const box = impl.createRigidBody(world, options, cube);
  const met: BodyId[][] = [];
  impl.onContactAdded(world, (a, b) => met.push([a, b].sort((x, y) => x - y)));
  for (let i = 0; i < 120; i++) impl.stepSimulation(world, DT);
  const place: Vec3 = [0, 0, 0];
  impl.getBodyPosition(place, world, box);
  expect(place[1]).toBeCloseTo(0.25, 2);
  expect(met).toEqual([[floor, box].sort((x, y) => x - y)]);
  impl.getBodyLinearVelocity(place, world, box);
  expect(Math.hypot(...place)).toBeLessThan(1e-3);

  // Respawned, as the heaps do.
  impl.setBodyTranslationRotation(world, box, [1, 3, 1], [0, 1, 0, 0]);
  impl.setBodyLinearVelocity(world, box, [0, 0, 0]);
  impl.stepSimulation(world, DT);
  const rotation: Quat = [0, 0, 0, 1];
  impl.getBodyQuaternion(rotation, world, box);
  impl.getBodyPosition(place, world, box);
  expect(place[1]).toBeCloseTo(3, 1);
  expect(Math.abs(rotation[1])).toBeCloseTo(1, 5);
  impl.setBodyPosition(world, box, [0, 5, 0]);
  impl.setBodyQuaternion(world, box, [0, 0, 0, 1]);
  impl.getBodyPosition(place, world, box);
  expect(place).toEqual([0, 5, 0]);

  impl.disposeContactListener(world);
  impl.removeRigidBody(world, box);
  impl.destroyShape(world, cube);
  impl.stepSimulation(world, DT);
  expect(met.length).toBe(1);
  impl.disposeWorld(world);
});

test('spheres and hulls fall, with the gravity that is set', () => {
  const { world } = withFloor();
  impl.setGravity(world, 0, -1, 0);
  const ball = impl.createShape(world, { type: ShapeType.SPHERE, radius: 0.5 });
  // An octahedron.
  const hull = impl.createShape(world, {
    type: ShapeType.CONVEX_HULL,
    points: [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1],
  });
  const bodies = [ball, hull].map((shape, i) =>
    impl.createRigidBody(world, { shape: 1 + i, motionType: MotionType.DYNAMIC, position: [4 * i, 5, 0], mass: 1 }, shape),
  );
  for (let i = 0; i < 60; i++) impl.stepSimulation(world, DT);
  for (const body of bodies) {
    const place: Vec3 = [0, 0, 0];
    impl.getBodyPosition(place, world, body);
    expect(place[1]).toBeCloseTo(4.5, 1);
  }
  impl.disposeWorld(world);
});

test('rays meet a mesh where it was turned to', () => {
  const world = impl.createWorld();
  const square = impl.createShape(world, {
    type: ShapeType.TRIANGLE_MESH,
    positions: Float32Array.of(-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  });
  const body = impl.createRigidBody(world, { shape: 0, motionType: MotionType.STATIC, position: [0, 0, 0] }, square);
  const result = { hit: false, fraction: 0 };
  impl.raycastClosest(result, world, [0, 4, 0], [0, -1, 0], 8);
  expect(result).toEqual({ hit: true, fraction: 0.5 });
  // A quarter turn about z: its plane is that of y and z.
  impl.setBodyTranslationRotation(world, body, [2, 0, 0], [0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  impl.stepSimulation(world, DT);
  impl.raycastClosest(result, world, [0, 4, 0], [0, -1, 0], 8);
  expect(result).toEqual({ hit: false, fraction: 0 });
  impl.raycastClosest(result, world, [-2, 0, 0.5], [1, 0, 0], 8);
  expect(result.hit).toBe(true);
  expect(result.fraction).toBeCloseTo(0.5, 5);
  impl.disposeWorld(world);
});

test('worlds come one after another, at any pace of a person', async () => {
  for (let i = 0; i < 4; i++) {
    const world = impl.createWorld();
    impl.disposeWorld(world);
    await impl.init();
  }
});
