// Locked axes: exactly zero motion along them whatever happens, and the response of an axis that is held on the others, against
// closed forms; the GPU path has the bits of its twin.
import { describe, expect, inject, test } from 'vitest';
import { type BodyId, createWorld, type World } from '../../src/index';
import { useDevice } from '../helpers/gpu';
import { seeded } from '../helpers/random';

const gpu = useDevice();

const SOLVERS = ['wide', 'cell-split'] as const;
const G = 9.81;

const position = (world: World, id: BodyId) => world.getPosition(id, [0, 0, 0]);
const rotation = (world: World, id: BodyId) => world.getRotation(id, [0, 0, 0, 0]);
const velocity = (world: World, id: BodyId) => world.getLinearVelocity(id, [0, 0, 0]);
const spin = (world: World, id: BodyId) => world.getAngularVelocity(id, [0, 0, 0]);

/** A heap of boxes, balls and a net of joints with random locks, shaken and hit. */
function fill(world: World): { ids: BodyId[]; locks: { translation: string; rotation: string }[] } {
  const next = seeded(5);
  const shapes = [
    world.createShape({ type: 'box', halfExtents: [0.3, 0.2, 0.5] }),
    world.createShape({ type: 'sphere', radius: 0.35 }),
    world.createShape({ type: 'capsule', radius: 0.2, halfHeight: 0.3 }),
  ];
  world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'box', halfExtents: [20, 1, 20] }),
    position: [0, -1, 0],
    restitution: 0.3,
  });
  const pick = (share: number) => ['x', 'y', 'z'].filter(() => next() < share).join('');
  const ids: BodyId[] = [];
  const locks: { translation: string; rotation: string }[] = [];
  for (let i = 0; i < 48; i++) {
    const lock = i % 4 === 0 ? { translation: '', rotation: '' } : { translation: pick(0.3), rotation: pick(0.5) };
    if (i === 7) lock.rotation = 'xyz';
    locks.push(lock);
    ids.push(
      world.createBody({
        shape: shapes[i % 3]!,
        position: [(i % 4) * 0.5, 0.5 + Math.floor(i / 8) * 0.6, (Math.floor(i / 4) % 2) * 0.6],
        linearVelocity: [next() - 0.5, -3 * next(), next() - 0.5],
        angularVelocity: [4 * next(), 4 * next(), 4 * next()],
        restitution: next() < 0.3 ? 0.5 : 0,
        locks: lock,
      }),
    );
  }
  for (let i = 0; i < 12; i++) {
    const [a, b] = [ids[4 * i]!, ids[4 * i + 1 + (i % 3)]!];
    const joint = { bodyA: a, bodyB: b, anchor: position(world, a) };
    world.createJoint(i % 2 === 0 ? { ...joint, type: 'ball' } : { ...joint, type: 'hinge', axis: [0, 1, 0] });
  }
  return { ids, locks };
}

describe.each(SOLVERS)('%s', (solver) => {
  test('locked axes do not move by a bit, in heaps with friction, restitution, rolling and joints', async () => {
    const world = await createWorld({ solver });
    const { ids, locks } = fill(world);
    const before = ids.map((id) => position(world, id));
    for (let i = 0; i < 240; i++) {
      if (i % 40 === 20) for (const id of ids) world.applyImpulse(id, [3, 200, -2], [0, 1, 0]);
      world.step();
      for (const [k, id] of ids.entries()) {
        const lock = locks[k]!;
        for (const [axis, letter] of ['x', 'y', 'z'].entries()) {
          if (lock.translation.includes(letter)) {
            expect(position(world, id)[axis]).toBe(before[k]![axis]);
            expect(Math.abs(velocity(world, id)[axis]!)).toBe(0);
          }
          if (lock.rotation.includes(letter)) expect(Math.abs(spin(world, id)[axis]!)).toBe(0);
        }
        if (lock.rotation === 'xyz') expect(rotation(world, id)).toEqual([0, 0, 0, 1]);
        if (lock.rotation === 'xz') {
          const q = rotation(world, id);
          expect([Math.abs(q[0]!), Math.abs(q[2]!)]).toEqual([0, 0]);
        }
      }
    }
    expect(world.faults.notFinite).toBe(false);
    expect(world.measure().maxSpeed).toBeLessThan(60);
  });

  test('a weight that may only fall pushes a wedge that may only slide: a = m g t / (M + m t^2)', async () => {
    const world = await createWorld({ solver });
    const wedge = world.createShape({ type: 'hull', points: [-4, 0, -1, 4, 0, -1, -4, 4, -1, -4, 0, 1, 4, 0, 1, -4, 4, 1] });
    const tip = world.createShape({ type: 'sphere', radius: 0.25 });
    const t = 0.5;
    const [M, m] = [30, 20];
    const slide = { translation: 'yz', rotation: 'xyz' };
    const base = world.createBody({ shape: wedge, mass: M, friction: 0, locks: slide });
    const y = 2 + 0.25 / Math.cos(Math.atan(t));
    const weight = world.createBody({
      shape: tip,
      mass: m,
      friction: 0,
      position: [0, y, 0],
      locks: { translation: 'xz', rotation: 'xyz' },
    });
    for (let i = 0; i < 30; i++) world.step();
    const a = (m * G * t) / (M + m * t * t);
    // One step less of the way: contacts push from the first step on, the way is summed by substeps.
    const x = position(world, base)[0]!;
    expect(Math.abs(Math.abs(x) / (0.5 * a * 0.25) - 1)).toBeLessThan(0.02);
    expect(velocity(world, base)[0]! * -1).toBeCloseTo(-Math.abs(a * 0.5) * Math.sign(x), 1);
    expect((y - position(world, weight)[1]!) / Math.abs(x)).toBeCloseTo(t, 2);
  });

  test('a cart on a line with a weight on a rod swings at sqrt(g / L (1 + m / M))', async () => {
    const world = await createWorld({ solver, substeps: 16 });
    const ball = world.createShape({ type: 'sphere', radius: 0.1 });
    const [M, m, L, angle] = [3, 2, 1, 0.05];
    const cart = world.createBody({ shape: ball, mass: M, locks: { translation: 'yz', rotation: 'xyz' } });
    const start = [L * Math.sin(angle), -L * Math.cos(angle), 0];
    const bob = world.createBody({ shape: ball, mass: m, position: start, locks: { rotation: 'xyz' } });
    world.createJoint({ type: 'distance', bodyA: cart, bodyB: bob, anchorA: [0, 0, 0], anchorB: [0, 0, 0] });
    const crossings: number[] = [];
    let last = 1;
    for (let i = 1; i <= 600; i++) {
      world.step();
      const d = position(world, bob)[0]! - position(world, cart)[0]!;
      if (d < 0 !== last < 0) crossings.push(i + d / (last - d));
      last = d;
    }
    const half = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1) / 60;
    expect(Math.PI / half / Math.sqrt((G / L) * (1 + m / M))).toBeCloseTo(1, 2);
  });

  test('what may turn about one axis alone has the moment about that axis', async () => {
    const world = await createWorld({ solver, gravity: [0, 0, 0] });
    const box = world.createShape({ type: 'box', halfExtents: [0.1, 0.2, 1] });
    const turn: [number, number, number, number] = [0.3, 0.2, 0.5, 0.8];
    const id = world.createBody({ shape: box, rotation: turn, locks: { translation: 'xyz', rotation: 'xz' } });
    const [xx, yy, zz] = world.getMassProperties(id).inertia as number[];
    const q = rotation(world, id);
    const [x, y, z, w] = q as [number, number, number, number];
    // y axis of the world in the body.
    const u = [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)];
    const moment = xx! * u[0]! ** 2 + yy! * u[1]! ** 2 + zz! * u[2]! ** 2;
    world.applyAngularImpulse(id, [5, 7, 9]);
    const [a, b, c] = spin(world, id);
    expect([Math.abs(a!), Math.abs(c!)]).toEqual([0, 0]);
    expect(b).toBeCloseTo(7 / moment, 4);
    const speed = b!;
    for (let i = 0; i < 600; i++) world.step();
    expect(spin(world, id)[1]).toBe(speed);
    // The axis has stayed where it was in the body.
    const [x2, y2, z2, w2] = rotation(world, id) as [number, number, number, number];
    const after = [2 * (x2 * y2 + w2 * z2), 1 - 2 * (x2 * x2 + z2 * z2), 2 * (y2 * z2 - w2 * x2)];
    for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(u[k]!, 5);
  });

  test('in a plane: a ball rolls at 5/7 of its speed and bounces to e^2 of its height', async () => {
    const world = await createWorld({ solver });
    const ball = world.createShape({ type: 'sphere', radius: 0.5 });
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'box', halfExtents: [50, 1, 5] }),
      position: [0, -1, 0],
      friction: 1,
    });
    const plane = { translation: 'z', rotation: 'xy' };
    const common = { shape: ball, rollingResistance: 0, rollingResistanceCombine: 'min', locks: plane } as const;
    const rolling = world.createBody({ ...common, position: [-20, 0.5, 0], linearVelocity: [7, 0, 3] });
    const bouncing = world.createBody({ ...common, position: [20, 5.5, 0], restitution: 0.8 });
    let top = 0;
    let wasDown = false;
    for (let i = 0; i < 130; i++) {
      world.step();
      const y = position(world, bouncing)[1]! - 0.5;
      if (y < 0.1) wasDown = true;
      if (wasDown) top = Math.max(top, y);
    }
    expect(velocity(world, rolling)[0]! / 5).toBeCloseTo(1, 2);
    expect(spin(world, rolling)[2]! / -10).toBeCloseTo(1, 2);
    expect(top / 3.2).toBeGreaterThan(0.95);
    expect(top / 3.2).toBeLessThan(1.01);
  });

  test('a wall along a locked axis neither throws nor holds, and locks come and go', async () => {
    const world = await createWorld({ solver });
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const slab = world.createShape({ type: 'box', halfExtents: [50, 5, 0.5] });
    const floor = world.createShape({ type: 'box', halfExtents: [50, 1, 5] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0], friction: 0 });
    // It stands 5 cm deep in a wall behind it.
    world.createBody({ type: 'static', shape: slab, position: [0, 5, -0.95], friction: 1 });
    const id = world.createBody({
      shape: cube,
      position: [0, 0.5, 0],
      linearVelocity: [2, 0, 0],
      friction: 0.6,
      locks: { translation: 'z', rotation: 'xyz' },
    });
    for (let i = 0; i < 60; i++) world.step();
    expect(velocity(world, id)[0]).toBeCloseTo(2, 3);
    expect(position(world, id)[2]).toBe(0);
    world.setLocks(id, { translation: '' });
    expect(world.getLocks(id)).toEqual({ translation: '', rotation: 'xyz' });
    for (let i = 0; i < 60; i++) world.step();
    expect(position(world, id)[2]).toBeGreaterThan(0.04);
    world.setLocks(id, { translation: 'xyz' });
    expect(velocity(world, id).map(Math.abs)).toEqual([0, 0, 0]);
    expect(() => world.setLocks(id, { rotation: 'xx' })).toThrow('letters');
    expect(() => world.setLocks(id, { rotation: 'w' })).toThrow('letters');
  });
});

test.each(SOLVERS)('%s: what a step leaves beside the velocity of a body with locked rotations is zero', async (solver) => {
  // Infinite torque times the lever of a word that has none is not a number, and a locked axis hides the torque.
  const world = await createWorld({ solver, sleep: false });
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: box, position: [0, -0.5, 0] });
  const id = world.createBody({ type: 'dynamic', shape: box, position: [0, 0.49, 0] });
  world.setLocks(id, { rotation: 'xyz' });
  const row = 16 * world.indexOf(id);
  for (let i = 0; i < 3; i++) {
    for (const word of [7, 11, 15]) world.velocities[row + word] = Number.NaN;
    world.step();
    expect([7, 15].map((word) => world.velocities[row + word])).toEqual([0, 0]);
    expect(world.velocities.subarray(row, row + 7).every(Number.isFinite)).toBe(true);
    expect(world.faults.stopped).toBe(0);
  }
  world.dispose();
});

test('locks mean nothing to bodies that are not dynamic, until they are', async () => {
  const world = await createWorld({});
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const id = world.createBody({ type: 'kinematic', shape: cube, locks: { translation: 'xyz', rotation: 'xyz' } });
  world.setVelocity(id, [1, 0, 0], [0, 1, 0]);
  for (let i = 0; i < 60; i++) world.step();
  expect(position(world, id)[0]).toBeCloseTo(1, 4);
  world.setType(id, 'dynamic');
  const at = position(world, id);
  for (let i = 0; i < 30; i++) world.step();
  expect(position(world, id)).toEqual(at);
});

test('WebGPU has the bits of its twin, on hardware nearly', async () => {
  const [wasm, webgpu] = [
    await createWorld({ solver: 'cell-split' }),
    await createWorld({ backend: 'webgpu', device: gpu.device, readbackTolerance: 0 }),
  ];
  const { ids } = fill(wasm);
  fill(webgpu);
  for (let i = 0; i < 30; i++) {
    wasm.step();
    await webgpu.stepAsync();
  }
  expect(webgpu.faults.gpuFailures).toBe(0);
  for (const [k, id] of ids.entries()) {
    const other = webgpu.bodyAt(wasm.indexOf(id))!;
    const onGpu = [k, ...position(webgpu, other), ...rotation(webgpu, other)];
    const twin = [k, ...position(wasm, id), ...rotation(wasm, id)];
    if (inject('adapter').software) expect(onGpu).toEqual(twin);
    else for (const [i, x] of onGpu.entries()) expect(Math.abs(x - twin[i]!), `body ${k}`).toBeLessThan(0.01);
  }
});
