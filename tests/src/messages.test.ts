// Mistakes that many make: what the message must tell them.
import { beforeAll, expect, test } from 'vitest';
import { Character, Vehicle } from '../../src/controllers/index';
import { type BodyId, createWorld, type ShapeId, TalusError, type TalusErrorCode, type World } from '../../src/index';
import { createRagdoll } from '../../src/rigs/index';
import * as study from '../../src/study/index';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the subject
type Wrong = any;

let world: World;
let disposed: World;
let shape: ShapeId;
let floor: BodyId;
let gone: BodyId;
let foreign: BodyId;

beforeAll(async () => {
  world = await createWorld();
  shape = world.createShape({ type: 'sphere', radius: 1 });
  floor = world.createBody({ type: 'static', shape });
  gone = world.createBody({ shape });
  world.removeBody(gone);
  const other = await createWorld();
  foreign = other.createBody({ shape: other.createShape({ type: 'sphere', radius: 1 }) });
  disposed = await createWorld();
  disposed.dispose();
});

/** A joint with a cone of some angle. */
const coneOf = (cone: number) => {
  const bodyB = world.createBody({ shape, position: [0, 9, 0] });
  return world.createJoint({ type: 'cone-twist', bodyA: floor, bodyB, anchor: [0, 0, 0], axis: [0, 0, 1], cone });
};

/** Call, code, and what the message must say: what was given, what is wanted, what to do. */
type Case = [name: string, call: () => unknown, code: TalusErrorCode, ...words: RegExp[]];

const STEPS: Case[] = [
  [
    'step(1 / 120)',
    () => (world as Wrong).step(1 / 120),
    'invalid-argument',
    /got 0\.0083/,
    /setting dt/,
    /set\(\{ dt: 1 \/ 120 \}\)/,
  ],
  ['stepAsync(0.1)', () => (world as Wrong).stepAsync(0.1), 'invalid-argument', /got 0\.1/, /setting dt/],
  ['advance()', () => (world as Wrong).advance(), 'invalid-argument', /seconds must be a finite number/, /got undefined/],
  ['dt of a whole second', () => world.set({ dt: 1 }), 'invalid-argument', /settings\.dt/, /from 0\.00001 to 0\.1/, /got 1$/],
];

const BODIES: Case[] = [
  [
    'mass of a static body',
    () => world.createBody({ type: 'static', shape, mass: 5 }),
    'invalid-argument',
    /body\.mass .*static/,
    /leave it out, or make it 'dynamic'/,
  ],
  [
    'velocity of a static body',
    () => world.createBody({ type: 'static', shape, linearVelocity: [1, 0, 0] }),
    'invalid-argument',
    /body\.linearVelocity .*static/,
    /leave it out/,
  ],
  [
    'velocities of static bodies',
    () => world.createBodies({ count: 1, type: 'static', shape, positions: [0, 0, 0], linearVelocities: [1, 0, 0] }),
    'invalid-argument',
    /bodies\.linearVelocities .*static/,
    /leave it out/,
  ],
  [
    'a dynamic body without mass',
    () => world.createBody({ shape, density: 0 }),
    'invalid-argument',
    /needs mass/,
    /density > 0, or mass/,
  ],
  ['a force on a static body', () => world.addForce(floor, [0, 1, 0]), 'unsupported', /is static/, /dynamic bodies only/],
  [
    'shape: undefined',
    () => world.createBody({ shape: undefined as Wrong }),
    'invalid-argument',
    /body\.shape is undefined/,
    /world\.createShape/,
  ],
  [
    'shape: undefined in bulk',
    () => world.createBodies({ count: 1, shape: undefined as Wrong, positions: [0, 0, 0] }),
    'invalid-argument',
    /bodies\.shape is undefined.*createShape/,
  ],
  [
    'shape: undefined of a collider',
    () => world.createBody({ colliders: [{ shape }, {} as Wrong] }),
    'invalid-argument',
    /colliders\[1\]\.shape is undefined/,
  ],
  [
    'a description for a shape',
    () => world.createBody({ shape: { type: 'sphere', radius: 1 } as Wrong }),
    'invalid-argument',
    /createShape first/,
    /an object with type, radius/,
  ],
  ['an id for a description', () => world.createBody(shape as Wrong), 'invalid-argument', /body must be an object/, /got [0-9]+/],
  ['createBody()', () => (world as Wrong).createBody(), 'invalid-argument', /body must be an object/, /got undefined/],
  [
    'half of a bulk',
    () => world.createBodies({ count: 2, shape, positions: [0, 0, 0] }),
    'invalid-argument',
    /bodies\.positions must hold 6 numbers, got 3/,
  ],
];

const IDS: Case[] = [
  [
    'a shape id for a body id',
    () => world.getPosition(shape as Wrong, [0, 0, 0]),
    'stale-handle',
    /is the id of a shape/,
    /id of a body is needed/,
    /world\.createBody\(\)/,
  ],
  [
    'a body id for a shape id',
    () => world.createBody({ shape: floor as Wrong }),
    'stale-handle',
    /is the id of a body/,
    /world\.createShape\(\)/,
  ],
  [
    'a body id for a collider id',
    () => world.setMaterial(floor as Wrong, {}),
    'stale-handle',
    /is the id of a body/,
    /world\.collidersOf\(id\)/,
  ],
  [
    'a collider id for a body id',
    () => world.wake(world.collidersOf(floor)[0] as Wrong),
    'stale-handle',
    /is the id of a collider/,
    /world\.bodyOf\(id\)/,
  ],
  ['an id of another world', () => world.wake(foreign), 'stale-handle', /belongs to another world/, /valid only there/],
  ['an id of what was removed', () => world.wake(gone), 'stale-handle', /does not exist/, /was removed/],
  [
    'an index for an id',
    () => world.wake(0 as Wrong),
    'stale-handle',
    /^body 0 does not exist/,
    /ids come from world\.createBody\(\)/,
  ],
  ['undefined for an id', () => world.wake(undefined as Wrong), 'stale-handle', /^undefined is not the id of a body/],
  ['a promise for an id', () => world.wake(Promise.resolve(floor) as Wrong), 'stale-handle', /a promise \(await is missing\)/],
  [
    'a promise for a shape',
    () => world.createBody({ shape: Promise.resolve(shape) as Wrong }),
    'invalid-argument',
    /a promise \(await is missing\)/,
  ],
];

const VALUES: Case[] = [
  [
    'NaN',
    () => world.teleport(floor, [0, Number.NaN, 0]),
    'invalid-argument',
    /position\[1\] must be a finite number/,
    /got NaN/,
  ],
  [
    'NaN in an object',
    () => world.teleport(floor, { x: 0, y: Number.NaN, z: 0 }),
    'invalid-argument',
    /position\.y must be a finite number/,
    /got NaN/,
  ],
  [
    'a string for a number',
    () => world.createShape({ type: 'sphere', radius: '1' as Wrong }),
    'invalid-argument',
    /radius must be a finite number/,
    /got '1'/,
    /Number\(\.\.\.\)/,
  ],
  ['two numbers for three', () => world.teleport(floor, [1, 2]), 'invalid-argument', /position must hold 3 numbers, got 2/],
  [
    'one number for three',
    () => world.createShape({ type: 'box', halfExtents: 1 as Wrong }),
    'invalid-argument',
    /halfExtents must be an array of 3 numbers or \{ x, y, z \}, got 1/,
  ],
  [
    'Euler angles',
    () => world.teleport(floor, [0, 0, 0], [0, 90, 0]),
    'invalid-argument',
    /rotation must hold 4 numbers, got 3/,
    /quaternions/,
  ],
  [
    'no out',
    () => (world as Wrong).getPosition(floor),
    'invalid-argument',
    /out must be an array that takes 3 numbers or \{ x, y, z \}/,
    /got undefined/,
  ],
  [
    'degrees of a cone',
    () => coneOf(45),
    'invalid-argument',
    /joint\.cone must be an angle from 0 to 3\.1416 rad, got 45/,
    /45 \* Math\.PI \/ 180/,
  ],
  [
    'degrees of a character',
    () => new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.5 }, position: [0, 0, 0], maxSlope: 45 }),
    'invalid-argument',
    /character\.maxSlope must be an angle/,
    /got 45: angles are in radians/,
  ],
];

const NAMES: Case[] = [
  [
    'a slip in a key',
    () => world.createBody({ shape, restituton: 1 } as Wrong),
    'invalid-argument',
    /body has no 'restituton'/,
    /did you mean 'restitution'\?/,
    /known: /,
  ],
  [
    'a word of another engine',
    () => world.createBody({ shape, linvel: [1, 0, 0] } as Wrong),
    'invalid-argument',
    /no 'linvel'/,
    /did you mean 'linearVelocity'\?/,
  ],
  [
    'capitals',
    () => world.createBody({ shape, type: 'Static' } as Wrong),
    'invalid-argument',
    /one of 'static', 'kinematic', 'dynamic', got 'Static'/,
    /did you mean 'static'\?/,
  ],
  [
    'a shape of another engine',
    () => world.createShape({ type: 'cuboid' } as Wrong),
    'invalid-argument',
    /got 'cuboid'/,
    /did you mean 'box'\?/,
  ],
  [
    'a type of a joint',
    () => world.createJoint({ type: 'hingee', bodyB: floor } as Wrong),
    'invalid-argument',
    /joint\.type/,
    /did you mean 'hinge'\?/,
  ],
  [
    'an option of createWorld',
    () => createWorld({ gravty: [0, 0, 0] } as Wrong),
    'invalid-argument',
    /options has no 'gravty'/,
    /did you mean 'gravity'\?/,
  ],
  [
    'a setting',
    () => world.set({ timestep: 0.01 } as Wrong),
    'invalid-argument',
    /settings has no 'timestep'/,
    /did you mean 'dt'\?/,
  ],
  [
    'an option of a query',
    () => world.castRay([0, 0, 0], [0, 1, 0], { maxDist: 3 } as Wrong),
    'invalid-argument',
    /options has no 'maxDist'/,
    /did you mean 'maxDistance'\?/,
  ],
  ['nothing near', () => world.createBody({ shape, zzz: 1 } as Wrong), 'invalid-argument', /no 'zzz'; known: /],
  [
    'a number for options',
    () => world.castRay([0, 0, 0], [0, 1, 0], 100 as Wrong),
    'invalid-argument',
    /options must be an object, got 100/,
  ],
  [
    'warn: a word',
    () => createWorld({ warn: 'no' as Wrong }),
    'invalid-argument',
    /options\.warn must be true, false or a function/,
    /got 'no'/,
  ],
  ['event 99', () => world.events.kind(99), 'invalid-argument', /event 99 .*there are 0/],
  [
    'device: {}',
    () => createWorld({ device: {} as Wrong }),
    'invalid-argument',
    /options\.device must be a GPUDevice/,
    /requestDevice/,
  ],
];

const WASM: Case[] = [
  [
    'wasm: an address',
    () => createWorld({ wasm: '/talus.wasm' as Wrong }),
    'invalid-argument',
    /options\.wasm must be the bytes/,
    /arrayBuffer\(\)/,
    /got '\/talus/,
  ],
  [
    'wasm: an object',
    () => createWorld({ wasm: {} as Wrong }),
    'invalid-argument',
    /options\.wasm must be the bytes/,
    /an object without fields/,
  ],
  [
    'wasm: a response',
    () => createWorld({ wasm: new Response('') as Wrong }),
    'invalid-argument',
    /await response\.arrayBuffer\(\)/,
    /got a Response/,
  ],
  [
    'wasm: a promise',
    () => createWorld({ wasm: Promise.resolve(new ArrayBuffer(8)) as Wrong }),
    'invalid-argument',
    /a promise \(await is missing\)/,
  ],
  [
    'wasm: a page of the server',
    () => createWorld({ wasm: new TextEncoder().encode('<!DOCTYPE html><html>') }),
    'unsupported',
    /is not WebAssembly.*<!DOCTYPE html>/,
  ],
  [
    'wasm: another module',
    () => createWorld({ wasm: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0) }),
    'unsupported',
    /not the talus\.wasm of this version/,
  ],
  [
    'wasm: damaged',
    () => createWorld({ wasm: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 77) }),
    'unsupported',
    /does not compile/,
  ],
];

const WORLDS: Case[] = [
  [
    'a method of the promise',
    () => (createWorld() as Wrong).createShape({}),
    'invalid-argument',
    /createWorld\(\) returns a promise/,
    /'createShape'/,
    /const world = await createWorld/,
  ],
  ['a getter of the promise', () => (createWorld() as Wrong).positions, 'invalid-argument', /'positions'/, /await createWorld/],
  ['a field of the promise', () => (createWorld() as Wrong).events.count, 'invalid-argument', /'events'/, /await createWorld/],
  ['the promise of talus/study', () => (study.createWorld() as Wrong).step(), 'invalid-argument', /'step'/, /await createWorld/],
  ['a promise for a world', () => createRagdoll(createWorld() as Wrong), 'invalid-argument', /await createWorld/],
  [
    'no world',
    () => createRagdoll(undefined as Wrong),
    'invalid-argument',
    /world must be the world of a rig/,
    /await createWorld\(\)/,
    /got undefined/,
  ],
  [
    'no world for a character',
    () => new Character(undefined as Wrong, {} as Wrong),
    'invalid-argument',
    /world must be the world of a character/,
  ],
  [
    'no world for a vehicle',
    () => new Vehicle(null as Wrong, {} as Wrong),
    'invalid-argument',
    /world must be the world of a vehicle/,
  ],
  ['after dispose', () => disposed.step(), 'disposed', /was disposed/, /createWorld\(\)/],
];

test.each([...STEPS, ...BODIES, ...IDS, ...VALUES, ...NAMES, ...WASM, ...WORLDS])('%s', async (_name, call, code, ...words) => {
  let error: unknown;
  try {
    await call();
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(TalusError);
  const { message } = error as TalusError;
  for (const word of words) expect(message).toMatch(word);
  expect(message).not.toMatch(/SIMD|\[object/);
  expect((error as TalusError).code).toBe(code);
});

test('the promise of a world is one like any other', async () => {
  const promise = createWorld();
  expect(promise).toBeInstanceOf(Promise);
  expect(Object.keys(promise)).toEqual([]);
  expect(promise.then((made) => made.bodyCount)).not.toHaveProperty('createBody');
  const [made, same] = await Promise.all([promise, promise.finally(() => undefined)]);
  expect(made).toBe(same);
  expect(made.step()).toBe(true);
  await expect(createWorld({ dt: -1 })).rejects.toMatchObject({ code: 'invalid-argument' });
});

test('what is allowed stays so: mass of a kinematic body, no velocity of a static one', () => {
  const lift = world.createBody({ type: 'kinematic', shape, mass: 5 });
  world.setType(lift, 'dynamic');
  expect(world.getMass(lift)).toBe(5);
  world.createBody({ type: 'static', shape, linearVelocity: [0, 0, 0] });
});

test('room that is refused is not taken: memory is as large as before', async () => {
  const fresh = await createWorld();
  const cube = fresh.createShape({ type: 'sphere', radius: 1 });
  const { memory } = (fresh as Wrong).memory as { memory: WebAssembly.Memory };
  const before = memory.buffer.byteLength;
  const count = 2 ** 24 - 1;
  const positions = new Float32Array(3 * count);
  expect(() => fresh.createBodies({ count, shape: cube, type: 'static', positions })).toThrow(
    expect.objectContaining({ code: 'out-of-memory' }),
  );
  expect(memory.buffer.byteLength).toBe(before);
  fresh.createBody({ shape: cube });
  fresh.step();
  await expect(createWorld({ bodyCapacity: count })).rejects.toMatchObject({ code: 'out-of-memory' });
});
