// Whatever a body or collider is made with can be read, and set later; a refused call changes nothing.
import { describe, expect, test } from 'vitest';
import { type BodyDesc, type ColliderDesc, createWorld, TalusError, type World } from '../../../src/index';

const round = (value: number) => Math.fround(value);
const code = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (error instanceof TalusError) return error.code;
    throw error;
  }
  return 'none';
};

async function setUp(): Promise<{ world: World; box: ReturnType<World['createShape']>; ball: ReturnType<World['createShape']> }> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  return {
    world,
    box: world.createShape({ type: 'box', halfExtents: [0.5, 0.25, 1] }),
    ball: world.createShape({ type: 'sphere', radius: 0.5 }),
  };
}

describe('bodies', () => {
  test('all that a body is made with can be read', async () => {
    const { world, box, ball } = await setUp();
    const colliders: ColliderDesc[] = [
      { shape: box, position: [1, 0, 0], rotation: [0, 0, 0.6, 0.8], mass: 3, friction: 0.3, frictionCombine: 'min' },
      { shape: ball, density: 10, sensor: true, enabled: false, category: 4, mask: 6, restitution: 0.5 },
    ];
    const desc: BodyDesc = {
      type: 'dynamic',
      position: [1, 2, 3],
      rotation: [0, 1, 0, 0],
      linearVelocity: [4, 5, 6],
      angularVelocity: [0.5, 0.25, 0.125],
      gravityScale: 0.5,
      linearDamping: 0.25,
      angularDamping: 2,
      allowSleep: false,
      maxLinearSpeed: 20,
      maxAngularSpeed: 4,
      tag: 0xfedcba98,
      userData: { name: 'crate' },
      colliders,
    };
    const id = world.createBody(desc);
    const state = world.getBody(id);
    const { colliders: ids, mass, userData, ...rest } = state;
    const { colliders: _, userData: given, ...expected } = desc;
    expect(userData).toBe(given);
    expect(rest).toEqual({ ...expected, enabled: true, asleep: false, bullet: false, locks: { translation: '', rotation: '' } });
    expect(world.getTag(id)).toBe(0xfedcba98);
    expect(world.tags[world.indexOf(id)]).toBe(0xfedcba98);
    expect(mass.mass).toBeCloseTo(3 + (10 * Math.PI) / 6, 5);
    expect(world.getMassProperties(id)).toEqual(mass);
    expect([world.getGravityScale(id), world.getLinearDamping(id), world.getAngularDamping(id)]).toEqual([0.5, 0.25, 2]);
    const [solid, sensor] = ids.map((collider) => world.getCollider(collider));
    expect(solid!.mass).toBeCloseTo(3, 5);
    for (const [given, found] of [
      [colliders[0]!, solid!],
      [colliders[1]!, sensor!],
    ] as const) {
      expect(found.body).toBe(id);
      for (const [key, value] of Object.entries(given)) {
        const read = found[key as keyof typeof found];
        if (Array.isArray(value)) for (const [k, x] of value.entries()) expect((read as number[])[k]).toBeCloseTo(x as number, 5);
        else if (key !== 'mass') expect(read).toBe(typeof value === 'number' && key !== 'shape' ? round(value) : value);
      }
    }
    // What was read makes the same body again.
    const { asleep: _asleep, ...again } = state;
    const twin = world.createBody({
      ...again,
      colliders: ids.toReversed().map((collider) => {
        const { body: _body, mass: _mass, ...own } = world.getCollider(collider);
        return own;
      }),
    });
    const { colliders: twins, ...copy } = world.getBody(twin);
    const { colliders: _ids, ...original } = world.getBody(id);
    expect(copy).toEqual(original);
    expect(twins.length).toBe(2);
  });

  test('setters are read back, for every type', async () => {
    const { world, ball } = await setUp();
    for (const type of ['dynamic', 'kinematic', 'static'] as const) {
      const id = world.createBody({ type, shape: ball });
      world.setGravityScale(id, 3);
      world.setDamping(id, 0.5, 0.75);
      world.setSpeedLimits(id, { linear: 7 });
      world.setSpeedLimits(id, { angular: 9 });
      world.setAllowSleep(id, false);
      world.setTag(id, -1);
      world.setUserData(id, 'mine');
      expect(world.getBody(id)).toMatchObject({
        type,
        gravityScale: 3,
        linearDamping: 0.5,
        angularDamping: 0.75,
        maxLinearSpeed: 7,
        maxAngularSpeed: 9,
        allowSleep: false,
        tag: 0xffffffff,
        userData: 'mine',
      });
      expect(world.getSpeedLimits(id)).toEqual({ linear: 7, angular: 9 });
      expect(world.getAllowSleep(id)).toBe(false);
      if (type === 'static') {
        expect(code(() => world.setAngularVelocity(id, [1, 0, 0]))).toBe('unsupported');
        continue;
      }
      world.setLinearVelocity(id, [1, 2, 3]);
      world.setAngularVelocity(id, [4, 5, 6]);
      expect(world.getLinearVelocity(id, [0, 0, 0])).toEqual([1, 2, 3]);
      expect(world.getAngularVelocity(id, [0, 0, 0])).toEqual([4, 5, 6]);
    }
  });

  test('tags and user data end with the body, and go with a clone', async () => {
    const { world, ball } = await setUp();
    const ids = world.createBodies({ count: 3, shape: ball, positions: new Float32Array(9), tags: [7, 8, 9] });
    world.setUserData(ids[1]!, ids);
    expect(Array.from(world.tags)).toEqual([7, 8, 9]);
    const twin = await world.clone();
    expect(twin.getTag(ids[2]!)).toBe(9);
    expect(twin.getUserData(ids[1]!)).toBe(ids);
    world.removeBody(ids[1]!);
    const next = world.createBody({ shape: ball });
    expect(world.indexOf(next)).toBe(1);
    expect([world.getTag(next), world.getUserData(next)]).toEqual([0, undefined]);
    expect(code(() => world.getTag(ids[1]!))).toBe('stale-handle');
  });

  test('a body does not pass its own limits, and others do', async () => {
    const { world, ball } = await setUp();
    const slow = world.createBody({ shape: ball, linearVelocity: [40, 0, 0], maxLinearSpeed: 10, maxAngularSpeed: 1 });
    const fast = world.createBody({ shape: ball, position: [0, 5, 0], linearVelocity: [40, 0, 0] });
    world.setAngularVelocity(slow, [0, 0, 5]);
    for (let i = 0; i < 60; i++) {
      world.addForce(slow, [1e5, 0, 0]);
      world.step();
    }
    expect(world.getPosition(slow, [0, 0, 0])[0]).toBeCloseTo(10, 3);
    expect(world.getPosition(fast, [0, 0, 0])[0]).toBeCloseTo(40, 3);
    expect(Math.hypot(...world.getAngularVelocity(slow, [0, 0, 0]))).toBeLessThanOrEqual(1);
    expect(world.faults.speedLimited).toBeGreaterThan(0);
  });
});

describe('sleeping', () => {
  test('a body is put to sleep in the air, and wakes', async () => {
    const { world, ball } = await setUp();
    world.set({ gravity: [0, -10, 0] });
    const id = world.createBody({ shape: ball, position: [0, 5, 0] });
    world.step();
    world.sleep(id);
    const y = world.getPosition(id, [0, 0, 0])[1];
    for (let i = 0; i < 30; i++) world.step();
    expect(world.isAsleep(id)).toBe(true);
    expect(world.getPosition(id, [0, 0, 0])[1]).toBe(y);
    // Woken and put to sleep again before a step.
    world.wake(id);
    world.sleep(id);
    world.step();
    expect(world.sleepingCount).toBe(1);
    world.wake(id);
    world.step();
    expect(world.getPosition(id, [0, 0, 0])[1]).toBeLessThan(y!);
    expect(code(() => world.sleep(world.createBody({ type: 'static' })))).toBe('unsupported');
    world.set({ sleep: false });
    expect(code(() => world.sleep(id))).toBe('unsupported');
  });

  test('an island is put to sleep whole; what may not sleep keeps its island awake', async () => {
    const { world, box } = await setUp();
    world.set({ gravity: [0, -10, 0] });
    world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: [9, 1, 9] }), position: [0, -1, 0] });
    const stack = [0, 1, 2].map((i) => world.createBody({ shape: box, position: [0, 0.25 + 0.5 * i, 0] }));
    for (let i = 0; i < 5; i++) world.step();
    world.sleep(stack[2]!);
    world.step();
    expect(world.sleepingCount).toBe(3);
    world.setAllowSleep(stack[0]!, false);
    for (let i = 0; i < 90; i++) world.step();
    expect(world.sleepingCount).toBe(0);
    world.setAllowSleep(stack[0]!, true);
    for (let i = 0; i < 60; i++) world.step();
    expect(world.sleepingCount).toBe(3);
    expect(world.getPosition(stack[2]!, [0, 0, 0])[1]).toBeCloseTo(1.25, 2);
  });
});

describe('colliders', () => {
  test('each field of a collider can be set, and mass follows', async () => {
    const { world, box, ball } = await setUp();
    const id = world.createBody({ shape: box });
    const [collider] = world.collidersOf(id);
    world.setCollider(collider!, { density: 10 });
    expect(world.getMass(id)).toBeCloseTo(10, 5);
    world.setCollider(collider!, { mass: 4 });
    expect(world.getMass(id)).toBeCloseTo(4, 5);
    expect(world.getCollider(collider!).density).toBeCloseTo(4, 5);
    world.setCollider(collider!, { position: [0, 2, 0] });
    expect(world.getCenterOfMass(id, [0, 0, 0])[1]).toBeCloseTo(2, 5);
    world.setCollider(collider!, { shape: ball, density: 1 });
    expect(world.getMass(id)).toBeCloseTo(Math.PI / 6, 5);
    expect(world.getCollider(collider!)).toMatchObject({ shape: ball, position: [0, 2, 0], rotation: [0, 0, 0, 1] });
    world.removeShape(box);
    expect(code(() => world.removeShape(ball))).toBe('in-use');
    world.setCollider(collider!, { category: 2, mask: 3, friction: 0.125, rollingResistanceCombine: 'max' });
    expect(world.getMaterial(collider!)).toMatchObject({
      category: 2,
      mask: 3,
      friction: 0.125,
      rollingResistanceCombine: 'max',
    });
  });

  test('a refused call changes nothing', async () => {
    const { world, box, ball } = await setUp();
    const hills = world.createShape({ type: 'heightfield', heights: [0, 0, 0, 0], nx: 2, nz: 2, spacing: 1 });
    const id = world.createBody({ shape: box });
    const [collider] = world.collidersOf(id);
    const before = JSON.stringify([world.getBody(id), world.getCollider(collider!)]);
    const calls: [() => void, string][] = [
      [() => world.setCollider(collider!, { density: 0 }), 'invalid-argument'],
      [() => world.setCollider(collider!, { density: 1, mass: 1 }), 'invalid-argument'],
      [() => world.setCollider(collider!, { shape: hills }), 'unsupported'],
      [() => world.setCollider(collider!, { shape: ball, mask: 0.5 }), 'invalid-argument'],
      [() => world.setCollider(collider!, { weight: 1 } as never), 'invalid-argument'],
      [() => world.setCollider(id as never, {}), 'stale-handle'],
      [() => world.setSpeedLimits(id, { linear: -1 }), 'invalid-argument'],
      [() => world.setSpeedLimits(id, { linear: 1, angular: Number.NaN }), 'invalid-argument'],
      [() => world.setTag(id, 2 ** 32), 'invalid-argument'],
      [() => world.setEnabled(id, 1 as never), 'invalid-argument'],
      [() => world.setAllowSleep(id, 'no' as never), 'invalid-argument'],
    ];
    for (const [call, expected] of calls) expect(code(call)).toBe(expected);
    expect(JSON.stringify([world.getBody(id), world.getCollider(collider!)])).toBe(before);
  });
});
