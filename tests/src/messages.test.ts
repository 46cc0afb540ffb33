// Mistakes that many make: what the message must tell them.
import { beforeAll, expect, test } from 'vitest';
import { createWorld, type ShapeId, TalusError, type TalusErrorCode, type World } from '../../src/index';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the subject
type Wrong = any;

let world: World;
let shape: ShapeId;

beforeAll(async () => {
  world = await createWorld();
  shape = world.createShape({ type: 'sphere', radius: 1 });
});

const cases: [string, () => unknown, TalusErrorCode, RegExp][] = [
  ['step(1 / 120)', () => (world as Wrong).step(1 / 120), 'invalid-argument', /setting dt.*set\(\{ dt: 1 \/ 120 \}\)/],
  ['stepAsync(0.1)', () => (world as Wrong).stepAsync(0.1), 'invalid-argument', /setting dt/],
  [
    'mass of a static body',
    () => world.createBody({ type: 'static', shape, mass: 5 }),
    'invalid-argument',
    /body\.mass .*static/,
  ],
  [
    'velocity of a static body',
    () => world.createBody({ type: 'static', shape, linearVelocity: [1, 0, 0] }),
    'invalid-argument',
    /body\.linearVelocity .*static/,
  ],
  [
    'shape: undefined',
    () => world.createBody({ shape: undefined as Wrong }),
    'invalid-argument',
    /body\.shape is undefined.*createShape/,
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
  ],
  [
    'wasm: an address',
    () => createWorld({ wasm: '/talus.wasm' as Wrong }),
    'invalid-argument',
    /options\.wasm .*arrayBuffer\(\).*'\/talus/,
  ],
  ['wasm: a response', () => createWorld({ wasm: {} as Wrong }), 'invalid-argument', /options\.wasm must be the bytes/],
  [
    'wasm: a page of the server',
    () => createWorld({ wasm: new TextEncoder().encode('<!DOCTYPE html><html>') }),
    'unsupported',
    /holds no WebAssembly.*<!DOCTYPE html>/,
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
  ['device: {}', () => createWorld({ device: {} as Wrong }), 'invalid-argument', /options\.device must be a GPUDevice/],
  ['event 99', () => world.events.kind(99), 'invalid-argument', /event 99 .*there are 0/],
];

test.each(cases)('%s', async (_name, call, code, words) => {
  let error: unknown;
  try {
    await call();
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(TalusError);
  expect((error as TalusError).message).toMatch(words);
  expect((error as TalusError).message).not.toMatch(/SIMD/);
  expect((error as TalusError).code).toBe(code);
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
