// TalusWorker in Node: the same answers as a world in this thread, ids at once, errors by code, poses in shared memory or by message.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker as NodeWorker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Character, Vehicle } from '../../src/controllers/index';
import { type BodyId, createWorld, type World } from '../../src/index';
import { BATCHES, COMMANDS, GETTERS, LEFT_OUT, LISTS, MAKERS, OWN, READS, VECTORS } from '../../src/worker/calls';
import type * as Package from '../../src/worker/index';
import { World as ProductWorld } from '../../src/world/world';
import { makeProject, type Project } from '../helpers/worker_package';
import { membersOf } from '../helpers/world_class';

let project: Project;
let module: typeof Package;
const open: Package.TalusWorker[] = [];

beforeAll(async () => {
  project = await makeProject();
  module = await import(/* @vite-ignore */ pathToFileURL(join(project.dist, 'worker.js')).href);
});
afterAll(() => project.remove());
afterEach(() => {
  for (const world of open.splice(0)) world.dispose();
});

async function create(options: Package.TalusWorkerOptions = {}) {
  const world = await module.TalusWorker.create(options);
  open.push(world);
  const refused: string[] = [];
  world.onerror = (error, call) => refused.push(`${call}: ${error.code}`);
  return { world, refused };
}

const rejected = async (promise: Promise<unknown>): Promise<Package.TalusError> => {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(module.TalusError);
    return error as Package.TalusError;
  }
  throw new Error('it was not refused');
};

/** The same scene through either API. */
function build(world: World | Package.TalusWorker) {
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const floor = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
  const ground = world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const positions = Float32Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? 0.6 + 0.4 * i : Math.sin(i)));
  const ids = world.createBodies({ count: 20, shape: cube, positions });
  const door = world.createBody({ shape: cube, position: { x: 5, y: 5, z: 0 } });
  const hinge = world.createJoint({ type: 'hinge', bodyB: door, anchor: [5, 6, 0], axis: [0, 0, 1] });
  world.applyImpulse(door, [500, 0, 0]);
  return { cube, floor, ground, ids, door, hinge };
}

test('every member of World is accounted for', () => {
  const own: readonly string[] = [
    ...COMMANDS,
    ...MAKERS,
    ...READS,
    ...VECTORS,
    ...LISTS,
    ...BATCHES,
    ...GETTERS,
    ...OWN,
    ...LEFT_OUT,
  ];
  const members = [...membersOf(ProductWorld), 'profile', 'faults', 'events'];
  // Methods that are private or internal: no part of the types.
  const internal = new Set<string>(INTERNAL);
  expect(members.filter((name) => !own.includes(name) && !internal.has(name)).sort()).toEqual([]);
  expect(own.filter((name) => !members.includes(name))).toEqual([]);
  expect(INTERNAL.filter((name) => !members.includes(name))).toEqual([]);
});

const INTERNAL = [
  'hasJoints',
  'movingPoint',
  'shiftFlight',
  'warnAngles',
  'coldNumber',
  'fieldWorld',
  'writeMaterial',
  'constructor',
  'open',
  'applySettings',
  'resolve',
  'countThreads',
  'fitBackend',
  'family',
  'chooseGpu',
  'barred',
  'checkTakesJoints',
  'afterFlight',
  'jointImage',
  'posesOf',
  'stepper',
  'arrive',
  'hostState',
  'calm',
  'listen',
  'askForSleep',
  'callBefore',
  'callAfter',
  'checkIdle',
  'roomForHits',
  'ask',
  'landed',
  'stepHere',
  'resumeLater',
  'launch',
  'land',
  'refused',
  'splitSolve',
  'finishOnWasm',
  'runDeferred',
  'beginStep',
  'endStep',
  'reportStopped',
  'sibling',
  'alive',
  'onBody',
  'shield',
  'moving',
  'dynamic',
  'outOfMemory',
  'checkMemory',
  'roomFor',
  'reserve',
  'writeMass',
  'massWith',
  'attach',
  'readCollider',
  'readColliders',
];

describe.each([true, false])('shared memory: %s', (shared) => {
  test('the same scene goes on with the same bits as in this thread', async () => {
    const { world, refused } = await create({ shared });
    const there = build(world);
    const here = await createWorld();
    const same = build(here);
    for (let i = 0; i < 120; i++) {
      here.step();
      if (i % 30 !== 29) void world.step();
      else {
        await world.step();
        for (const [k, id] of [...same.ids, same.door, same.ground].entries()) {
          const twin = [...there.ids, there.door, there.ground][k]!;
          expect(world.getPosition(twin, [0, 0, 0])).toEqual(here.getPosition(id, [0, 0, 0]));
          expect(world.getRotation(twin, [0, 0, 0, 0])).toEqual(here.getRotation(id, [0, 0, 0, 0]));
        }
      }
    }
    expect(world.stepCount).toBe(120);
    expect(world.bodyCount).toBe(22);
    expect(refused).toEqual([]);
    // Answers, with ids of this side.
    expect(await world.castRay([5, 20, 0], [0, -1, 0])).toMatchObject({ body: there.door });
    const under = await world.castRayAll([5, 20, 0], [0, -1, 0], {});
    expect(under.map((hit) => hit.body)).toEqual([there.door, there.ground]);
    expect(await world.overlapPoint([0, -1, 0], { types: ['static'] })).toHaveLength(1);
    const rays = await world.castRays([5, 20, 0, 50, 20, 0], [0, -1, 0, 0, -1, 0], {});
    expect([rays.bodies[0], rays.distances[1]]).toEqual([there.door, Number.POSITIVE_INFINITY]);
    expect(await world.getLinearVelocity(there.ids[3]!)).toEqual(here.getLinearVelocity(same.ids[3]!, [0, 0, 0]));
    expect(await world.getMass(there.door)).toBe(here.getMass(same.door));
    expect(await world.getType(there.ground)).toBe('static');
    expect((await world.settings).dt).toBe(here.settings.dt);
    expect(await world.jointCount).toBe(1);
    expect(await world.jointsOf(there.door)).toEqual([there.hinge]);
    expect(await world.getJoint(there.hinge)).toMatchObject({
      bodyA: null,
      bodyB: there.door,
      place: here.getJoint(same.hinge).place,
    });
    expect(await world.measure()).toEqual(here.measure());
    expect((await world.readBounds()).length).toBe(here.readBounds().length);
    const contacts = await world.readContacts();
    expect(contacts.count).toBe(here.readContacts().count);
    const touched = new Set([...contacts.bodyA, ...contacts.bodyB].slice(0, contacts.count).map((slot) => world.bodyAt(slot)));
    expect(touched.has(there.ground) || touched.has(there.ids[0]!)).toBe(true);
    expect(await world.collidersOf(there.door)).toHaveLength(1);
    const extra = world.addCollider(there.door, { shape: there.cube, position: [0, 1, 0] });
    expect(await world.collidersOf(there.door)).toContain(extra);
    expect(await world.bodyOf(extra)).toBe(there.door);
    expect(await world.readLabels('contacts')).toHaveLength(22);
  });

  test('events of all steps, with ids of this side, once', async () => {
    const { world } = await create({ shared });
    const { ids, ground } = build(world);
    const told: number[] = [];
    world.onevents = (events) => told.push(events.step);
    const begun: number[] = [];
    world.on('begin', (event) => begun.push(event.bodyA));
    let first = 0;
    world.once('begin', () => first++);
    for (let i = 0; i < 90; i++) void world.step();
    await world.flushed();
    const here = await createWorld();
    const same = build(here);
    const want: unknown[] = [];
    const names = new Map<number, number>([...same.ids.map((id, k): [number, number] => [id, ids[k]!]), [same.ground, ground]]);
    for (let i = 1; i <= 90; i++) {
      here.step();
      for (const e of here.events) want.push([i, e.kind, names.get(e.bodyA), names.get(e.bodyB), e.impulse]);
    }
    const got = world
      .takeEvents()
      .flatMap(({ step, contacts }) => contacts.map((e) => [step, e.kind, e.bodyA, e.bodyB, e.impulse]));
    expect(want.length).toBeGreaterThan(10);
    expect(got).toEqual(want);
    expect(told.length).toBeGreaterThan(0);
    expect(begun.length).toBe(got.filter(([, kind]) => kind === 'begin').length);
    expect(first).toBe(1);
    expect(world.takeEvents()).toEqual([]);
  });

  test('advance, and poses between steps', async () => {
    const { world } = await create({ shared, gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const body = world.createBody({ shape, position: [1, 2, 3], linearVelocity: [60, 0, 0], angularVelocity: [0, 6, 0] });
    // Before the thread knows of it.
    expect(world.getPosition(body, [0, 0, 0])).toEqual([1, 2, 3]);
    const frame = await world.advance(2.25 / 60);
    expect(frame).toMatchObject({ steps: 2, dropped: 0, waiting: false });
    expect(frame.alpha).toBeCloseTo(0.25, 4);
    expect(world.frame().steps).toBe(2);
    const at = { x: 0, y: 0, z: 0 };
    world.getPose(body, at);
    expect(at.x).toBeCloseTo(1 + 1.25, 4);
    // Against the same world here, which the core mixes.
    const here = await createWorld({ gravity: [0, 0, 0] });
    here.createBody({
      shape: here.createShape({ type: 'sphere', radius: 0.5 }),
      position: [1, 2, 3],
      linearVelocity: [60, 0, 0],
      angularVelocity: [0, 6, 0],
    });
    here.advance(2.25 / 60);
    const list = Uint32Array.of(0xffffffff, world.indexOf(body));
    const scales = Float32Array.of(1, 1, 1, 2, 3, 4);
    const [mine, theirs] = [new Float32Array(32), new Float32Array(32)];
    expect(world.readMatrices(mine, { bodies: list, scales })).toBe(2);
    here.readMatrices(theirs, { bodies: Uint32Array.of(0xffffffff, 0), scales });
    for (let k = 0; k < 32; k++) expect(mine[k]).toBeCloseTo(theirs[k]!, 5);
    const [p, q] = [new Float32Array(4), new Float32Array(4)];
    expect(world.readPoses(p, q)).toBe(1);
    expect(p[0]).toBeCloseTo(2.25, 4);
    expect(p[3]).toBe(1);
    expect(() => world.readMatrices(mine.subarray(0, 31), { bodies: list })).toThrow(/hold 32/);
    // A jump is not shown on the way.
    world.teleport(body, [100, 0, 0]);
    await world.flushed();
    world.getPose(body, at);
    expect(at.x).toBe(100);
  });

  test('bodies come and go, slots are used again, buffers grow', async () => {
    const { world, refused } = await create({ shared, gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'sphere', radius: 0.1 });
    const alive = new Map<BodyId, number>();
    let made = 0;
    for (let round = 0; round < 12; round++) {
      for (let k = 0; k < 150; k++) {
        alive.set(world.createBody({ shape, position: [made, 0, 0] }), made);
        made += 1;
      }
      for (const id of [...alive.keys()].filter((_, k) => k % 3 === round % 3)) {
        world.removeBody(id);
        alive.delete(id);
        expect(world.isAlive(id)).toBe(false);
        expect(() => world.getPosition(id, [0, 0, 0])).toThrow(/does not exist/);
      }
      if (round % 2 === 0) await world.step();
      for (const [id, x] of alive) expect(world.getPosition(id, [0, 0, 0])).toEqual([x, 0, 0]);
    }
    await world.flushed();
    expect(world.bodyCount).toBe(alive.size);
    expect(world.slotCount).toBeLessThan(1000);
    for (const id of alive.keys()) expect(world.bodyAt(world.indexOf(id))).toBe(id);
    expect(refused).toEqual([]);
  });

  test('runs by itself; pictures follow the clock without jumps', async () => {
    const { world } = await create({ shared, gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const body = world.createBody({ shape, linearVelocity: [10, 0, 0] });
    world.start();
    const samples: [number, number][] = [];
    while (samples.length < 90) {
      await new Promise((done) => setTimeout(done, 9));
      world.frame();
      const at = [0, 0, 0];
      world.getPose(body, at);
      samples.push([performance.now() / 1000, at[0]!]);
    }
    for (let i = 1; i < samples.length; i++) {
      expect(samples[i]![1]).toBeGreaterThanOrEqual(samples[i - 1]![1]);
    }
    const [first, last] = [samples[20]!, samples.at(-1)!];
    const rate = (last[1] - first[1]) / (last[0] - first[0]);
    // The machine may be busy: what it could not make up for was let go.
    expect(rate).toBeLessThan(12);
    expect(rate).toBeGreaterThan(5);
    expect((await rejected(world.step())).code).toBe('unsupported');
    await world.stop();
    const stopped = world.stepCount;
    await new Promise((done) => setTimeout(done, 60));
    world.frame();
    expect(world.stepCount).toBe(stopped);
    await world.step();
    expect(world.stepCount).toBe(stopped + 1);
    world.start({ speed: 3, maxSteps: 20 });
    await new Promise((done) => setTimeout(done, 600));
    world.frame();
    expect(world.stepCount - stopped).toBeGreaterThan(40);
  });

  test('refusals: by promise, by onerror, at once for what this side knows', async () => {
    const { world, refused } = await create({ shared });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const wrong = world.createShape({ type: 'sphere', radius: -1 });
    const body = world.createBody({ shape });
    const lost = world.createBody({ shape: wrong });
    world.applyImpulse(body, [Number.NaN, 0, 0]);
    world.set({ dt: -1 });
    expect((await rejected(world.castRay([0, 0, 0], [0, 0, 0]))).code).toBe('invalid-argument');
    expect(refused).toEqual(
      [
        'createShape: degenerate-shape',
        'createBody: stale-handle',
        'applyImpulse: invalid-argument',
        'set: invalid-argument',
      ].map((line) => (line.startsWith('createShape') ? expect.stringMatching(/^createShape: /) : line)),
    );
    // What was refused is none: its id is stale from then on.
    expect(world.isAlive(lost)).toBe(false);
    expect(() => world.removeBody(lost)).toThrow(module.TalusError);
    expect(world.isAlive(body)).toBe(true);
    const filter = { maxDistance: 5, predicate: () => true };
    expect((await rejected(world.castRay([0, 0, 0], [0, 1, 0], filter as object))).code).toBe('unsupported');
    // Another worker's ids.
    const other = await create({ shared });
    expect(() => other.world.removeBody(body)).toThrow(/another world/);
    expect((await rejected(world.advance(-1))).code).toBe('invalid-argument');
    expect(() => world.start({ speed: 0 })).toThrow(module.TalusError);
    expect(() => world.start({ sped: 2 } as object)).toThrow(/known: speed/);
    await world.step();
    expect(world.bodyCount).toBe(1);
  });

  test('a shift of the origin holds at once for all that the page reads, whatever the thread has done', async () => {
    const { world, refused } = await create({ shared, gravity: [0, 0, 0] });
    const ball = world.createShape({ type: 'sphere', radius: 0.5 });
    const body = world.createBody({ shape: ball, position: [1, 2, 3], linearVelocity: [6, 0, 0] });
    const floor = world.createShape({ type: 'box', halfExtents: [5, 0.5, 5] });
    world.createBody({ type: 'static', shape: floor, position: [0, -9.5, 0] });
    const capsule = { type: 'capsule', radius: 0.3, halfHeight: 0.5 } as const;
    const who = world.createCharacter({ shape: capsule, position: [0, -9, 0] });
    const frame = world.createBody({ shape: world.createShape({ type: 'box', halfExtents: [1, 0.3, 2] }), position: [0, -8, 3] });
    const wheel = (x: number, z: number) => ({ position: [x, -0.2, z], radius: 0.3 });
    const car = world.createVehicle({ body: frame, wheels: [wheel(-1, 1), wheel(1, 1), wheel(-1, -1), wheel(1, -1)] });
    await world.step();
    world.frame();
    const place = () => world.getPosition(body, [0, 0, 0]).map((x) => Math.round(x * 1e3) / 1e3);
    const wheelFrom = () => {
      const [p, q] = [
        [0, 0, 0],
        [0, 0, 0, 1],
      ];
      car.getWheelPose(1, p, q);
      return p.map((x, k) => Math.round(1e3 * (x - world.getPosition(frame, [0, 0, 0])[k]!)) / 1e3);
    };
    expect(place()).toEqual([1.1, 2, 3]);
    const wheelBefore = wheelFrom();
    world.shift([100, 0, -50]);
    const late = world.createBody({ shape: ball, position: [107, 2, -47] });
    expect(place()).toEqual([101.1, 2, -47]);
    expect(world.positions[4 * world.indexOf(body)]).toBeCloseTo(101.1, 4);
    const drawn = [0, 0, 0];
    world.getPose(body, drawn, null, 0);
    expect(drawn[0]).toBeCloseTo(101, 4);
    expect(who.getPosition([0, 0, 0])[0]).toBeCloseTo(100, 4);
    expect(wheelFrom()).toEqual(wheelBefore);
    world.shift({ x: 0, y: 32, z: 0 });
    world.frame();
    expect(place()).toEqual([101.1, 34, -47]);
    expect(world.getPosition(late, [0, 0, 0])).toEqual([107, 34, -47]);
    await world.flushed();
    world.frame();
    expect(place()).toEqual([101.1, 34, -47]);
    expect(world.getPosition(late, [0, 0, 0])).toEqual([107, 34, -47]);
    expect(wheelFrom()).toEqual(wheelBefore);
    // Points of events that are under way or wait lie where all lies by now.
    world.applyImpulse(body, [4000, 0, 0]);
    const steps = Array.from({ length: 30 }, () => world.step());
    await steps[3];
    world.shift([1000, 0, 0]);
    await Promise.all(steps);
    world.shift([0, 0, 1000]);
    await world.flushed();
    const begins = world.takeEvents().flatMap(({ contacts }) => contacts.filter(({ kind }) => kind === 'begin'));
    const met = begins.find(({ bodyA, bodyB }) => bodyA === late || bodyB === late)!;
    expect(met.point[0]).toBeGreaterThan(1105);
    expect(met.point[0]).toBeLessThan(1108);
    expect(met.point[2]).toBeCloseTo(953, 0);
    // The thread knows who would leave: then nothing has moved.
    world.createBody({ type: 'static', shape: ball, position: [-999_000, 0, 0] });
    await world.flushed();
    world.frame();
    const before = world.getPosition(late, [0, 0, 0]);
    world.shift([-5000, 0, 0]);
    await world.flushed();
    world.frame();
    expect(world.getPosition(late, [0, 0, 0])).toEqual(before);
    expect(refused).toEqual(['shift: invalid-argument']);
    expect(() => world.shift([Number.NaN, 0, 0])).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
    // While the thread steps by itself.
    world.start();
    for (let i = 0; i < 10; i++) {
      world.shift([i % 2 === 0 ? 500 : -500, 0, 0]);
      const [x] = world.getPosition(late, [0, 0, 0]);
      await new Promise((done) => setTimeout(done, 3));
      world.frame();
      expect(Math.abs(world.getPosition(late, [0, 0, 0])[0]! - x!)).toBeLessThan(100);
    }
    await world.stop();
  });
});

test('arguments are taken when the call is made, and left to the caller', async () => {
  const { world } = await create();
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  class Turn {
    _x = 0;
    get x() {
      return this._x;
    }
    y = 0;
    z = 0;
    w = 1;
  }
  const position = { x: 1, y: 2, z: 3 };
  const positions = Float32Array.of(4, 5, 6);
  const one = world.createBody({ shape, position, rotation: new Turn() });
  const [two] = world.createBodies({ count: 1, shape, positions });
  position.x = 50;
  positions[0] = 50;
  await world.flushed();
  expect(world.getPosition(one, [0, 0, 0])).toEqual([1, 2, 3]);
  expect(world.getPosition(two!, [0, 0, 0])).toEqual([4, 5, 6]);
  expect(positions.length).toBe(3);
});

test('options are checked, by this side and by the other', async () => {
  expect((await rejected(module.TalusWorker.create({ dt: 5 }))).code).toBe('invalid-argument');
  expect((await rejected(module.TalusWorker.create({ device: {} } as object))).code).toBe('unsupported');
  expect((await rejected(module.TalusWorker.create({ wasm: new Uint8Array(8) }))).code).toBe('unsupported');
});

test('dispose ends the thread; what waits and what comes is refused', async () => {
  const { world } = await create();
  const pending = world.step();
  world.dispose();
  expect((await rejected(pending)).code).toBe('disposed');
  expect((await rejected(world.step())).code).toBe('disposed');
  expect(() => world.stepCount).toThrow(/disposed/);
  expect(() => world.createShape({ type: 'sphere', radius: 1 })).toThrow(/disposed/);
  world.dispose();
});

test('a thread that ends by itself is told of, once, and to all that wait', async () => {
  let thread: NodeWorker | undefined;
  const { world, refused } = await create({
    worker: () => {
      thread = new NodeWorker(join(project.dist, 'worker_thread.js'));
      return thread;
    },
  });
  const pending = world.step().then(() => world.step());
  await world.flushed();
  const never = rejected(
    new Promise((_, reject) => {
      const tick = (): void => void world.measure().then(tick, reject);
      tick();
    }),
  );
  await pending.catch(() => undefined);
  await thread!.terminate();
  const error = await never;
  expect(error.code).toBe('worker');
  expect(error.message).toMatch(/has ended/);
  expect((await rejected(world.step())).code).toBe('worker');
  expect(refused).toEqual(['thread: worker']);
  const missing = () => new NodeWorker(join(project.dist, 'nothing.js'));
  expect((await rejected(module.TalusWorker.create({ worker: missing }))).code).toBe('worker');
});

describe.each([true, false])('controllers, shared memory: %s', (shared) => {
  const capsule = { type: 'capsule', radius: 0.3, halfHeight: 0.6 } as const;
  const wheel = (x: number, z: number, more = {}) => ({ position: [x, -0.45, z], radius: 0.35, ...more });
  const wheels = [wheel(0.8, 1.3, { steered: true }), wheel(-0.8, 1.3, { steered: true })].concat(
    wheel(0.8, -1.3, { driven: true }),
    wheel(-0.8, -1.3, { driven: true }),
  );
  const prepare = (world: World | Package.TalusWorker) => {
    const floor = world.createShape({ type: 'box', halfExtents: [200, 1, 200] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
    const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const door = world.createBody({ type: 'static', shape: box, position: [0, 0.5, -2], sensor: true });
    const body = world.createBody({
      shape: world.createShape({ type: 'box', halfExtents: [0.9, 0.3, 2] }),
      mass: 1200,
      position: [5, 0.8, 0],
    });
    return { door, car: { body, drive: { torque: 1500 }, wheels } };
  };

  test('they go the same way as in this thread, between steps too', async () => {
    const { world, refused } = await create({ shared });
    const here = await createWorld();
    const [there, same] = [prepare(world), prepare(here)];
    const desc = { shape: capsule, position: [0, 0, 0] };
    const [remote, local] = [world.createCharacter(desc), new Character(here, desc)];
    const [far, near] = [world.createVehicle(there.car), new Vehicle(here, same.car)];
    expect(remote.getPosition([9, 9, 9])).toEqual([0, 0, 0]);
    for (let frame = 0; frame < 100; frame++) {
      const wish = { velocity: [0.5 * Math.sin(frame / 20), 0, -3], jump: frame === 30 ? 3 : 0 };
      remote.walk(wish);
      local.walk(wish);
      far.controls.throttle = 1;
      far.controls.steering = 0.01 * frame;
      Object.assign(near.controls, { throttle: 1, steering: 0.01 * frame });
      const frames = [await world.advance(1 / 144), here.advance(1 / 144)];
      expect(frames[0]!.alpha).toBe(frames[1]!.alpha);
      world.frame();
      const feet = remote.getPose([0, 0, 0]);
      for (const [k, v] of local.getPose([0, 0, 0]).entries()) expect(Math.abs(feet[k]! - v)).toBeLessThan(1e-6);
      for (const index of [0, 1, 2, 3]) {
        const [p, q, P, Q] = [
          [0, 0, 0],
          [0, 0, 0, 1],
          [0, 0, 0],
          [0, 0, 0, 1],
        ];
        far.getWheelPose(index, p, q);
        near.getWheelPose(index, P, Q);
        for (let k = 0; k < 3; k++) expect(Math.abs(p[k]! - P[k]!)).toBeLessThan(2e-6);
        for (let k = 0; k < 4; k++) expect(Math.abs(q[k]! - Q[k]!)).toBeLessThan(1e-5);
      }
    }
    expect(remote.grounded).toBe(local.grounded);
    expect(far.isGrounded(2)).toBe(near.wheels[2]!.grounded);
    expect(await world.hash()).toBe(here.hash());
    expect(refused).toEqual([]);
  });

  test('the thread moves them as it steps by itself; sensors tell of their bodies; shapes, switches, ends', async () => {
    const { world, refused } = await create({ shared });
    const { door, car } = prepare(world);
    const who = world.createCharacter({ shape: capsule, position: [0, 0, 0] });
    const crate = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [9, 0.5, 0] });
    const met: BodyId[] = [];
    world.on('sensor-begin', ({ bodyA, bodyB }) => met.push(bodyA === door ? bodyB : bodyA));
    who.walk({ velocity: [0, 0, -4] });
    world.start();
    const until = Date.now() + 10_000;
    while (world.stepCount < 60 && Date.now() < until) {
      await new Promise((done) => setTimeout(done, 5));
      world.frame();
    }
    await world.stop();
    world.frame();
    expect(who.getPosition([0, 0, 0])[2]).toBeLessThan(-2.5);
    expect(met).toEqual([who.body]);
    expect(who.grounded).toBe(true);
    expect(await who.setShape({ type: 'capsule', radius: 0.3, halfHeight: 0.2 })).toBe(true);
    who.setVelocity([0, 0, 0]);
    who.teleport([0, 0, 3]);
    who.walk();
    await world.step();
    expect(who.getPosition([0, 0, 0])[2]).toBeCloseTo(3, 5);
    expect(await world.getType(who.body!)).toBe('kinematic');
    who.enabled = false;
    who.walk({ velocity: [3, 0, 0] });
    for (let i = 0; i < 10; i++) await world.step();
    expect(who.getPosition([0, 0, 0])[2]).toBeCloseTo(3, 5);
    const bodies = world.bodyCount;
    who.dispose();
    who.dispose();
    await world.step();
    expect(world.bodyCount).toBe(bodies - 1);
    expect(() => who.walk()).toThrow(expect.objectContaining({ code: 'disposed' }));
    expect(world.getPosition(crate, [0, 0, 0])[0]).toBeCloseTo(9, 3);
    expect(() => world.createCharacter({ shape: capsule, position: [0, Number.NaN, 0] })).toThrow(/position/);
    expect(() => world.createVehicle({ ...car, grip: () => 1 })).toThrow(expect.objectContaining({ code: 'unsupported' }));
    expect(() => world.createVehicle({ ...car, wheels: [] })).toThrow(/wheels/);
    expect(refused).toEqual([]);
    const vehicle = world.createVehicle({ ...car, body: crate });
    world.setType(crate, 'static');
    vehicle.dispose();
    world.createVehicle({ ...car, body: crate });
    await world.flushed();
    expect(refused).toEqual(['createVehicle: unsupported']);
  });
});
