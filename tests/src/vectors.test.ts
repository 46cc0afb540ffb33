// Vectors as objects: what three.js and others have in x, y, z (and w), fields or accessors, in every place that takes or fills
// a vector, with the same result as arrays.
import { Euler, Quaternion, Vector3, Vector4 } from 'three';
import { expect, test } from 'vitest';
import { createWorld, TalusError, type World } from '../../src/index';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the subject
type Wrong = any;
type Make3 = (x: number, y: number, z: number) => ArrayLike<number> | { x: number; y: number; z: number };
type Make4 = (x: number, y: number, z: number, w: number) => ArrayLike<number> | { x: number; y: number; z: number; w: number };

/** Uses every input; the bits of what comes out. */
async function run(v: Make3, q: Make4): Promise<{ world: World; state: number[] }> {
  const world = await createWorld({ gravity: v(0, -5, 1) });
  const box = world.createShape({ type: 'box', halfExtents: v(0.5, 0.4, 0.3) });
  const hills = world.createShape({
    type: 'heightfield',
    heights: [0, 0, 0, 0.1],
    nx: 2,
    nz: 2,
    spacing: [20, 30],
    origin: v(-10, -1, -15),
  });
  const turn = q(0, Math.SQRT1_2, 0, Math.SQRT1_2);
  world.createBody({ type: 'static', shape: hills });
  const a = world.createBody({
    shape: box,
    position: v(0, 2, 0),
    rotation: turn,
    linearVelocity: v(1, 0, 0),
    angularVelocity: v(0, 1, 0),
    mass: { mass: 3, center: v(0.1, 0, 0), inertia: [1, 1, 1, 0, 0, 0] },
  });
  const b = world.createBody({ colliders: [{ shape: box, position: v(0, 0.2, 0), rotation: turn }], position: v(3, 2, 0) });
  const lift = world.createBody({ type: 'kinematic', shape: box, position: v(-3, 2, 0) });
  world.teleport(b, v(3, 2.5, 0), turn);
  world.setVelocity(b, v(0, 1, 0), v(0, 0, 1));
  world.addForce(a, v(1, 2, 3), v(0, 2, 0.1));
  world.addTorque(a, v(0, 1, 0));
  world.applyImpulse(b, v(0, 1, 0), v(3, 2, 0));
  world.applyAngularImpulse(b, v(0, 0.1, 0));
  world.moveKinematic(lift, v(-3, 2.1, 0), turn);
  world.addCollider(b, { shape: box, position: v(0, 1, 0), rotation: turn });
  for (let i = 0; i < 30; i++) world.step();
  world.set({ gravity: v(0, -9, 0) });
  for (let i = 0; i < 30; i++) world.step();
  const hit = world.castRay(v(3, 20, 0), v(0, -1, 0))!;
  return { world, state: [...world.positions, ...world.rotations, ...world.velocities, ...hit.point, hit.distance] };
}

test('objects with x, y, z, w give the bits of arrays', async () => {
  const arrays = await run(
    (...a) => a,
    (...a) => a,
  );
  const typed = await run(
    (...a) => Float64Array.of(...a),
    (...a) => Float64Array.of(...a),
  );
  const plain = await run(
    (x, y, z) => ({ x, y, z }),
    (x, y, z, w) => ({ x, y, z, w }),
  );
  const three = await run(
    (...a) => new Vector3(...a),
    (...a) => new Quaternion(...a),
  );
  expect(typed.state).toEqual(arrays.state);
  expect(plain.state).toEqual(arrays.state);
  expect(three.state).toEqual(arrays.state);
});

test('results are written to x, y, z, w, and to nothing else', async () => {
  const { world } = await run(
    (...a) => a,
    (...a) => a,
  );
  const body = world.bodyAt(1)!;
  const array = world.getPosition(body, [0, 0, 0]);
  const vector = new Vector3();
  expect(world.getPosition(body, vector)).toBe(vector);
  expect(vector.toArray()).toEqual(array);
  expect(Object.keys(vector)).toEqual(['x', 'y', 'z']);
  let changes = 0;
  const turn = new Quaternion()._onChange(() => changes++);
  expect(world.getRotation(body, turn).toArray()).toEqual(world.getRotation(body, [0, 0, 0, 0]));
  expect(changes).toBeGreaterThan(0);
  expect(Object.keys(turn)).not.toContain('0');
  expect(world.getRotation(body, new Vector4()).toArray()).toEqual(turn.toArray());
  for (const get of ['getLinearVelocity', 'getAngularVelocity', 'getCenterOfMass'] as const) {
    expect(world[get](body, new Vector3()).toArray(), get).toEqual(world[get](body, [0, 0, 0]));
  }
  expect(world.getPosition(body, { x: 0, y: 0, z: 0 })).toEqual({ x: array[0], y: array[1], z: array[2] });
});

test('events write to objects', async () => {
  const world = await createWorld();
  const shape = world.createShape({ type: 'box', halfExtents: [1, 1, 1] });
  world.createBody({ type: 'static', shape });
  world.createBody({ shape, position: [0, 2, 0] });
  world.step();
  expect(world.events.count).toBe(1);
  expect(world.events.point(0, new Vector3()).toArray()).toEqual(world.events.point(0, [0, 0, 0]));
  expect(world.events.normal(0, new Vector3()).toArray()).toEqual(world.events.normal(0, [0, 0, 0]));
});

test('what is no vector is refused with what is missing', async () => {
  const world = await createWorld();
  const body = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 1 }) });
  const refused = (call: () => unknown, words: RegExp) => {
    expect(call).toThrow(TalusError);
    expect(call).toThrow(words);
  };
  refused(() => world.teleport(body, new Vector3(0, Number.NaN, 0)), /position\.y must be a finite number/);
  refused(() => world.teleport(body, { x: 1, y: 2 } as Wrong), /position\.z .* undefined/);
  refused(() => world.teleport(body, new Vector3(), new Euler() as Wrong), /rotation\.w .* quaternions/);
  refused(() => world.teleport(body, {} as Wrong), /array of 3 numbers or \{ x, y, z \}/);
  refused(() => world.getPosition(body, {} as Wrong), /out must be .* \{ x, y, z \}/);
  refused(() => world.getPosition(body, new Float32Array(2)), /a Float32Array of 2/);
  refused(() => world.getPosition(body, Object.freeze([0, 0, 0]) as Wrong), /cannot be written/);
  refused(() => world.getPosition(body, Object.freeze(new Vector3())), /cannot be written/);
});

test('gravity is copied: what the caller does with his vector later means nothing', async () => {
  const gravity = new Vector3(0, -1, 0);
  const world = await createWorld({ gravity });
  gravity.set(Number.NaN, 0, 0);
  world.set({ substeps: 4 });
  expect(world.settings.gravity).toEqual([0, -1, 0]);
});
