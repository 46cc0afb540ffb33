// Ids: of a thing of another kind, of another world, of something that was removed: always stale, always with the reason.
import { expect, test } from 'vitest';
import { type BodyId, type ColliderId, createWorld, type JointId, type ShapeId, TalusError, type World } from '../../src/index';

async function small() {
  const world = await createWorld();
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  const body = world.createBody({ shape });
  const joint = world.createJoint({ type: 'ball', bodyB: body, anchor: [0, 0, 0] });
  return { world, shape, body, collider: world.collidersOf(body)[0]!, joint };
}

function stale(call: () => unknown, words: RegExp): void {
  let error: unknown;
  try {
    call();
  } catch (caught) {
    error = caught;
  }
  expect(error, String(call)).toBeInstanceOf(TalusError);
  expect((error as TalusError).code).toBe('stale-handle');
  expect((error as TalusError).message).toMatch(words);
}

/** All calls that take an id of each kind. */
const BODY_CALLS: ((world: World, id: BodyId) => unknown)[] = [
  (world, id) => world.getPosition(id, [0, 0, 0]),
  (world, id) => world.getMass(id),
  (world, id) => world.indexOf(id),
  (world, id) => world.removeBody(id),
  (world, id) => world.applyImpulse(id, [1, 0, 0]),
  (world, id) => world.collidersOf(id),
  (world, id) => world.setType(id, 'static'),
];
const SHAPE_CALLS: ((world: World, id: ShapeId) => unknown)[] = [
  (world, id) => world.removeShape(id),
  (world, id) => world.createBody({ shape: id }),
  (world, id) => world.createBodies({ count: 1, shapes: [id], positions: [0, 0, 0] }),
];
const COLLIDER_CALLS: ((world: World, id: ColliderId) => unknown)[] = [
  (world, id) => world.bodyOf(id),
  (world, id) => world.removeCollider(id),
  (world, id) => world.setMaterial(id, {}),
];
const JOINT_CALLS: ((world: World, id: JointId) => unknown)[] = [
  (world, id) => world.getJoint(id),
  (world, id) => world.setJoint(id, {}),
  (world, id) => world.removeJoint(id),
];

test('the id of another kind of thing is refused by name', async () => {
  const { world, shape, body, collider, joint } = await small();
  for (const call of BODY_CALLS) {
    stale(() => call(world, joint as unknown as BodyId), /id of a joint, but the id of a body/);
    stale(() => call(world, shape as unknown as BodyId), /id of a shape, but the id of a body/);
    stale(() => call(world, collider as unknown as BodyId), /id of a collider/);
  }
  for (const call of SHAPE_CALLS) {
    stale(() => call(world, body as unknown as ShapeId), /id of a body, but the id of a shape/);
    stale(() => call(world, collider as unknown as ShapeId), /id of a collider/);
  }
  for (const call of COLLIDER_CALLS) {
    stale(() => call(world, body as unknown as ColliderId), /id of a body/);
    stale(() => call(world, shape as unknown as ColliderId), /id of a shape/);
  }
  for (const call of JOINT_CALLS) {
    stale(() => call(world, body as unknown as JointId), /id of a body, but the id of a joint/);
    stale(() => call(world, collider as unknown as JointId), /id of a collider/);
  }
  expect(world.isAlive(shape as unknown as BodyId)).toBe(false);
  expect(world.isAlive(body)).toBe(true);
});

test('the id of another world is refused, whatever slots were used again there', async () => {
  const worlds = await Promise.all(Array.from({ length: 30 }, small));
  for (let i = 0; i < worlds.length; i++) {
    // So many lives that generations overlap if they alone told worlds apart.
    for (let k = 0; k < 3 * i; k++) {
      worlds[i]!.world.removeBody(worlds[i]!.body);
      worlds[i]!.body = worlds[i]!.world.createBody({ shape: worlds[i]!.shape });
    }
    worlds[i]!.collider = worlds[i]!.world.collidersOf(worlds[i]!.body)[0]!;
    for (let k = 0; k < 3 * i; k++) {
      if (worlds[i]!.world.hasJoint(worlds[i]!.joint)) worlds[i]!.world.removeJoint(worlds[i]!.joint);
      worlds[i]!.joint = worlds[i]!.world.createJoint({ type: 'ball', bodyB: worlds[i]!.body, anchor: [0, 0, 0] });
    }
  }
  for (const { world, body } of worlds) {
    for (const other of worlds) {
      if (other.world === world) continue;
      expect(world.isAlive(other.body)).toBe(false);
      for (const call of BODY_CALLS) stale(() => call(world, other.body), /another world|removed/);
      for (const call of SHAPE_CALLS) stale(() => call(world, other.shape), /another world|removed/);
      for (const call of COLLIDER_CALLS) stale(() => call(world, other.collider), /another world|removed/);
      for (const call of JOINT_CALLS) stale(() => call(world, other.joint), /another world|removed/);
    }
    expect(world.isAlive(body)).toBe(true);
  }
  stale(() => worlds[3]!.world.getMass(worlds[9]!.body), /another world/);
});

test('ids are safe integers, no small numbers, and slots do not depend on the world', async () => {
  const [first, second] = [await small(), await small()];
  for (const id of [first.body, first.shape, first.collider, first.joint]) {
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(id).toBeGreaterThan(2 ** 24);
  }
  expect(first.world.isAlive(0 as BodyId)).toBe(false);
  expect(first.world.indexOf(first.body)).toBe(second.world.indexOf(second.body));
  expect(first.world.bodyAt(0)).toBe(first.body);
});

test('a clone knows the ids of its original', async () => {
  const { world, shape, body, collider } = await small();
  const twin = await (await world.clone()).clone();
  expect(twin.isAlive(body)).toBe(true);
  expect(twin.bodyOf(collider)).toBe(body);
  expect(twin.createBody({ shape })).toBe(world.createBody({ shape }));
});

test('ids stay stale over many lives of their slot', async () => {
  const { world, shape } = await small();
  const body = world.createBody({ type: 'static' });
  const first = world.addCollider(body, { shape });
  // As many as 16 bits count, and some more.
  let id = first;
  for (let k = 0; k < 2 ** 16 + 3; k++) {
    world.removeCollider(id);
    id = world.addCollider(body, { shape });
    if (id === first) throw new Error(`collider id is used again after ${k + 1} lives`);
  }
  stale(() => world.bodyOf(first), /removed/);
  expect(world.bodyOf(id)).toBe(body);
});
