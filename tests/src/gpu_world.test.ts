// Worlds on WebGPU: the same API, the twin's results, calls while a step is in flight, a lost device.
import { expect, inject, test } from 'vitest';
import { Character, Vehicle } from '../../src/controllers/index';
import type { BodyId, World as ProductWorld } from '../../src/index';
import { createWorld as createStudy, type World, type WorldOptions } from '../../src/study/index';
import { losableDevice, readBuffer, useDevice } from '../helpers/gpu';
import { isLong } from '../helpers/long';
import { createWorld } from '../helpers/worlds';

const gpu = useDevice();

const close = (actual: number, expected: number, tolerance: number) =>
  expect(Math.abs(actual - expected)).toBeLessThan(tolerance);

async function pile(options: WorldOptions, count = 40, create = createWorld): Promise<World> {
  // All is read back, so that results are those of the twin to the bit.
  const world = await create({ readbackTolerance: 0, ...options });
  const cube = world.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] });
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 1 ? 0.5 + i / 12 : Math.sin(i * 3) * 1.2));
  world.createBodies({ count, shape: cube, positions });
  return world;
}

/** Events of a step without ids. */
const impacts = (world: World) =>
  [...world.events].map(({ kind, impulse, approachSpeed, point }) => ({ kind, impulse, approachSpeed, point }));

const idle = () => new Promise((resolve) => setTimeout(resolve, 1));

test('stepAsync on the GPU gives what the twin gives on WASM', async () => {
  const world = await pile({ backend: 'webgpu', device: gpu.device });
  const twin = await pile({ solver: 'cell-split' });
  expect(world.settings).toEqual({ ...twin.settings, solver: 'auto' });
  let begins = 0;
  for (let i = 0; i < 40; i++) {
    await world.stepAsync();
    twin.step();
    begins += world.events.count;
    if (inject('adapter').software) expect(impacts(world)).toEqual(impacts(twin));
  }
  expect(begins).toBeGreaterThan(20);
  expect(world.profile.backend).toBe('webgpu');
  expect(world.profile.dispatches).toBeGreaterThan(2);
  expect(world.profile.bytesDown).toBeGreaterThan(0);
  expect(world.activeBackend).toBe('webgpu');
  expect(world.stepCount).toBe(40);
  if (inject('adapter').software) {
    expect(world.positions).toEqual(twin.positions);
    expect(world.events.count).toBe(twin.events.count);
  }
  world.dispose();
});

test('only changes come back: bodies at rest cost no bytes, and a lost device loses nothing of them', async () => {
  const own = await losableDevice();
  // Four stacks of four.
  const stacks = async (options: WorldOptions) => {
    const world = await createWorld({ sleep: false, ...options });
    const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
    const positions = Float32Array.from(
      { length: 48 },
      (_, i) => [3 * ((i / 12) | 0) - 4, 0.5 + 1.05 * ((i / 3) & 3), 0][i % 3]!,
    );
    world.createBodies({ count: 16, shape: world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }), positions });
    return world;
  };
  const quiet = await stacks({ backend: 'webgpu', device: own.device });
  const exact = await stacks({ solver: 'cell-split' });
  const speed = (id: BodyId) => Math.hypot(...(quiet.getLinearVelocity(id, [0, 0, 0]) as number[]));
  const apart = () => Math.max(...quiet.positions.map((x, i) => Math.abs(x - exact.positions[i]!)));
  const steps = async (count: number) => {
    let bytes = 0;
    for (let i = 0; i < count; i++) {
      await quiet.stepAsync();
      exact.step();
      bytes += quiet.profile.bytesDown / count;
    }
    return bytes;
  };
  expect(await steps(1)).toBeGreaterThan(16 * 64);
  await steps(isLong ? 100 : 60);
  const ids = [3, 8, 16].map((slot) => quiet.bodyAt(slot)!);
  const bytes = await steps(isLong ? 64 : 24);
  // Room for 32 reports of bodies and of contacts that may come, and few that do.
  expect(bytes).toBeLessThan(33 * 64 + 33 * 84 + 100);
  expect(apart()).toBeLessThan(1e-3);
  for (const id of ids) expect(speed(id)).toBeLessThan(5e-3);
  const at = quiet.positions.slice();
  const flight = quiet.stepAsync();
  own.device.destroy();
  await flight;
  expect(quiet.profile.backend).toBe('wasm');
  for (let i = 0; i < 60; i++) quiet.step();
  expect(Math.max(...quiet.positions.map((x, i) => Math.abs(x - at[i]!)))).toBeLessThan(1e-3);
  for (const id of ids) expect(speed(id)).toBeLessThan(5e-3);
  for (const world of [quiet, exact]) world.dispose();
});

test('two worlds on one device: the steps of one are found while the other waits, and each is as if it were alone', async () => {
  const worlds = [
    await pile({ backend: 'webgpu', device: gpu.device }),
    await pile({ backend: 'webgpu', device: gpu.device }, 25),
  ];
  const twins = [await pile({ solver: 'cell-split' }), await pile({ solver: 'cell-split' }, 25)];
  for (let i = 0; i < 12; i++) {
    const steps = worlds.map((world) => world.stepAsync());
    // Both are in flight, once they have their device: neither has waited for the other.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    if (i > 0) for (const world of worlds) expect(world.step()).toBe(false);
    await Promise.all(steps);
    for (const twin of twins) twin.step();
  }
  for (const [i, world] of worlds.entries()) {
    expect(world.stepCount).toBe(12);
    expect(world.profile.backend).toBe('webgpu');
    if (inject('adapter').software) expect(world.positions).toEqual(twins[i]!.positions);
    world.dispose();
    twins[i]!.dispose();
  }
});

test('fast bodies stop at a thin wall, and one that is held up is uploaded again', async () => {
  const rods = async (options: WorldOptions) => {
    const world = await createWorld({ gravity: [0, 0, 0], ...options });
    const wall = world.createShape({ type: 'box', halfExtents: [2, 0.005, 2] });
    const rod = world.createShape({ type: 'box', halfExtents: [0.02, 0.5, 0.02] });
    const ids = Array.from({ length: 8 }, (_, k) => {
      world.createBody({ type: 'static', shape: wall, position: [20 * k, 0, 0] });
      return world.createBody({
        shape: rod,
        position: [20 * k, 0.7 + 0.2 * k, 0],
        rotation: [0, 0, Math.sin(0.2 + 0.1 * k), Math.cos(0.2 + 0.1 * k)],
        linearVelocity: [0, -100, 0],
        angularVelocity: [3 * k, 5, 20],
      });
    });
    return { world, ids };
  };
  const { world, ids } = await rods({ backend: 'webgpu', device: gpu.device });
  const twin = await rods({ solver: 'cell-split' });
  for (let i = 0; i < 12; i++) {
    await world.stepAsync();
    twin.world.step();
    for (const [k, id] of ids.entries()) {
      const [x, y] = world.getPosition(id, [0, 0, 0]) as [number, number, number];
      if (Math.abs(x - 20 * k) < 1.5) expect(y).toBeGreaterThan(-0.02);
    }
  }
  expect(world.profile.backend).toBe('webgpu');
  if (inject('adapter').software) expect(world.positions).toEqual(twin.world.positions);
  world.dispose();
  twin.world.dispose();
});

test.each(['patch', 'pyramid'] as const)('begin events carry the impact (friction: %s)', async (frictionModel) => {
  const world = await createWorld({
    backend: 'webgpu',
    device: gpu.device,
    gravity: [0, 0, 0],
    ...(frictionModel === 'patch' ? {} : { frictionModel }),
  });
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  const sphere = world.createShape({ type: 'sphere', radius: 0.5 });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const bounces = [0, 0.5, 1].map((restitution) =>
    world.createBody({ shape: sphere, mass: 2, position: [4 * restitution, 1.1, 0], restitution, linearVelocity: [0, -8, 0] }),
  );
  const seen: number[] = [];
  for (let i = 0; i < 8; i++) {
    const before = bounces.map((id) => world.getLinearVelocity(id, [0, 0, 0])[1]);
    await world.stepAsync();
    for (const event of world.events) {
      if (event.kind !== 'begin') continue;
      const ball = bounces.findIndex((id) => id === event.bodyA || id === event.bodyB);
      seen.push(ball);
      close(event.impulse / (2 * 8 * (1 + 0.5 * ball)), 1, 0.01);
      close(event.impulse / (2 * (world.getLinearVelocity(bounces[ball]!, [0, 0, 0])[1] - before[ball]!)), 1, 1e-3);
      close(event.approachSpeed, 8, 1e-3);
    }
  }
  expect(seen.sort()).toEqual([0, 1, 2]);
  world.dispose();
});

test('step never waits: it says false until the result is there', async () => {
  const world = await pile({ backend: 'webgpu', device: gpu.device }, 10);
  const alongside = await pile({ backend: 'webgpu', device: gpu.device }, 10);
  expect(world.step()).toBe(true);
  expect(world.stepCount).toBe(0);
  expect(world.step()).toBe(false);
  let begun = 1;
  while (begun < 6) {
    await idle();
    if (world.step()) begun++;
  }
  expect(world.stepCount).toBe(5);
  for (let i = 0; i < 5; i++) await alongside.stepAsync();
  expect(world.positions).toEqual(alongside.positions);
  // A step in flight is finished first.
  await world.stepAsync();
  expect(world.stepCount).toBe(7);
  world.dispose();
  alongside.dispose();
});

test('poses on the GPU are those of the step that was begun, and none on WASM', async () => {
  const world = await pile({ backend: 'webgpu', device: gpu.device }, 10);
  expect(world.gpuPoses).toBeNull();
  const read = async () => new Float32Array(await readBuffer(gpu.device, world.gpuPoses!.buffer, world.gpuPoses!.count * 32));
  const expectLevel = async () => {
    expect(world.gpuPoses).toMatchObject({ device: gpu.device, count: world.positions.length / 4, step: world.stepCount });
    const poses = await read();
    for (let slot = 0; slot < world.gpuPoses!.count; slot++) {
      for (let k = 0; k < 4; k++) {
        close(poses[8 * slot + k]!, world.positions[4 * slot + k]!, 1e-6);
        close(poses[8 * slot + 4 + k]!, world.rotations[4 * slot + k]!, 1e-6);
      }
    }
  };
  for (let i = 0; i < 5; i++) await world.stepAsync();
  await expectLevel();

  const before = [...world.positions];
  expect(world.step()).toBe(true);
  expect(world.gpuPoses).toMatchObject({ step: world.stepCount + 1, since: 1 });
  const ahead = await read();
  expect(ahead[8 * 5 + 1]).toBeLessThan(before[4 * 5 + 1]!);
  const cube = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
  world.createBody({ shape: cube, position: [5, 5, 5] });
  expect(world.gpuPoses!.count).toBe(11);
  await world.stepAsync();
  await expectLevel();
  expect(world.gpuPoses!.count).toBe(12);

  await world.setBackend('wasm');
  await world.stepAsync();
  expect(world.gpuPoses).toBeNull();
  await world.setBackend('webgpu');
  await world.stepAsync();
  expect(world.gpuPoses).toMatchObject({ step: world.stepCount, since: world.stepCount });
  world.dispose();
});

test('calls while a step is in flight', async () => {
  const world = await pile({ backend: 'webgpu', device: gpu.device, gravity: [0, 0, 0] }, 6);
  const ids = Array.from({ length: 6 }, (_, i) => world.bodyAt(i + 1)!);
  const cube = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
  await world.stepAsync();
  expect(world.step()).toBe(true);
  const slot = world.indexOf(ids[0]!);
  world.removeBody(ids[0]!);
  const fresh = world.createBody({ shape: cube, position: [50, 0, 0], linearVelocity: [6, 0, 0] });
  expect(world.indexOf(fresh)).toBe(slot);
  world.teleport(ids[1]!, [30, 0, 0]);
  world.setVelocity(ids[1]!, [0, 3, 0]);
  world.applyImpulse(fresh, [0, 0, world.getMass(fresh)]);
  world.setMass(ids[2]!, 5);
  world.setType(ids[3]!, 'static');
  const extra = world.addCollider(ids[4]!, { shape: cube, position: [0, 2, 0] });
  world.set({ substeps: 4 });
  expect(world.settings.substeps).toBe(4);
  await world.stepAsync();
  await world.stepAsync();
  const p = world.getPosition(fresh, [0, 0, 0]);
  close(p[0]!, 50.2, 1e-4);
  close(p[2]!, 2 / 60, 1e-4);
  expect(world.getPosition(ids[1]!, [0, 0, 0])[0]).toBe(30);
  close(world.getPosition(ids[1]!, [0, 0, 0])[1]!, 0.1, 1e-4);
  expect(world.getMass(ids[2]!)).toBe(5);
  expect(world.getType(ids[3]!)).toBe('static');
  expect(world.bodyOf(extra)).toBe(ids[4]);
  close(world.getCenterOfMass(ids[4]!, [0, 0, 0])[1]!, (2 * 64) / (64 + 512), 1e-5);
  world.dispose();
});

test('kinematic targets set while a step is in flight belong to the next one', async () => {
  const world = await createWorld({ backend: 'webgpu', device: gpu.device });
  const shape = world.createShape({ type: 'box', halfExtents: [1, 0.1, 1] });
  const lift = world.createBody({ type: 'kinematic', shape });
  for (let i = 1; i <= 5; i++) {
    world.moveKinematic(lift, [i / 10, 0, 0]);
    while (!world.step()) await idle();
  }
  await world.stepAsync();
  close(world.getPosition(lift, [0, 0, 0])[0]!, 0.5, 1e-6);
  expect(world.stepCount).toBe(6);
  world.dispose();
});

test('a lost device: the step goes on with WASM, nothing is lost', async () => {
  const own = await losableDevice();
  const world = await pile({ backend: 'webgpu', device: own.device });
  const twin = await pile({ solver: 'cell-split' });
  for (let i = 0; i < 10; i++) {
    await world.stepAsync();
    twin.step();
  }
  expect(world.step()).toBe(true);
  own.device.destroy();
  await world.stepAsync();
  expect(world.stepCount).toBe(12);
  expect(world.profile.backend).toBe('wasm');
  expect(world.activeBackend).toBe('wasm');
  expect(world.faults.deviceLost).not.toBe(null);
  twin.step();
  twin.set({ solver: 'auto' });
  twin.step();
  if (inject('adapter').software) expect(world.positions).toEqual(twin.positions);
  for (let i = 0; i < 60; i++) expect(world.step()).toBe(true);
  expect(world.faults.notFinite).toBe(false);
  world.dispose();
});

test('auto decides between the two and keeps going', async () => {
  const world = await pile({ backend: 'auto', device: gpu.device }, 30);
  for (let i = 0; i < 20; i++) await world.stepAsync();
  expect(world.stepCount).toBe(20);
  // Too few contacts for a GPU, or a software adapter.
  expect(world.activeBackend).toBe('wasm');
  world.dispose();
});

test('solvers that the GPU does not have are refused', async () => {
  for (const [create, solver] of [
    [createWorld, 'wide'],
    [createStudy, 'pgs'],
  ] as const) {
    const refused = expect.objectContaining({ code: 'unsupported' });
    await expect(create({ backend: 'webgpu', device: gpu.device, solver })).rejects.toEqual(refused);
    const world = await pile({ backend: 'webgpu', device: gpu.device }, 2, create);
    expect(() => world.set({ solver: solver === 'pgs' ? 'cell-order' : solver })).toThrow(refused);
    world.dispose();
  }
});

test('a world changes its backend as it runs', async () => {
  const world = await pile({}, 20);
  for (let i = 0; i < 30; i++) world.step();
  const twin = await world.clone();
  twin.set({ solver: 'cell-split' });
  await world.setBackend('webgpu', gpu.device);
  for (let i = 0; i < 10; i++) {
    await world.stepAsync();
    twin.step();
  }
  expect(world.profile.backend).toBe('webgpu');
  if (inject('adapter').software) expect(world.positions).toEqual(twin.positions);
  await world.setBackend('wasm');
  await world.stepAsync();
  expect(world.profile.backend).toBe('wasm');
  expect(world.stepCount).toBe(41);
  expect(world.settings.substeps).toBe('auto');
  world.dispose();
});

test('controllers act on steps in flight as on those of WASM: before each is begun and when it has landed', async () => {
  const worlds = [await pile({ backend: 'webgpu', device: gpu.device }, 6), await pile({ solver: 'cell-split' }, 6)];
  const play = (worlds as unknown as ProductWorld[]).map((world) => {
    const who = new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [-5, 0, 0] });
    const shape = world.createShape({ type: 'box', halfExtents: [0.9, 0.3, 2] });
    const body = world.createBody({ shape, mass: 1200, position: [6, 0.8, 0] });
    const wheels = [0.8, -0.8].flatMap((x) => [1.3, -1.3].map((z) => ({ position: [x, -0.45, z], radius: 0.35, driven: true })));
    const car = new Vehicle(world, { body, drive: { torque: 1500 }, wheels });
    car.controls.throttle = 1;
    who.walk({ velocity: [0.5, 0, 2] });
    return { who, car };
  });
  const [gpuSide, wasmSide] = [play[0]!, play[1]!];
  // Begun by one call and taken over by a later one, until as many are done.
  while (worlds[0]!.stepCount < 6) {
    worlds[0]!.step();
    await idle();
  }
  await worlds[0]!.settle();
  for (let i = worlds[0]!.stepCount; i < 16; i++) await worlds[0]!.stepAsync();
  for (let i = 0; i < 16; i++) worlds[1]!.step();
  expect(worlds[0]!.stepCount).toBe(16);
  const feet = gpuSide.who.getPosition([0, 0, 0]);
  expect(feet[2]).toBeGreaterThan(0.4);
  for (const [k, x] of wasmSide.who.getPosition([0, 0, 0]).entries()) close(feet[k]!, x, 1e-5);
  const at = worlds[0]!.getPosition(gpuSide.car.body, [0, 0, 0]);
  for (const [k, x] of worlds[1]!.getPosition(wasmSide.car.body, [0, 0, 0]).entries()) close(at[k]!, x, 1e-3);
  expect(gpuSide.car.wheels[0]!.grounded).toBe(true);
  for (const world of worlds) world.dispose();
});
