// Components in headless Chromium: React Three Fiber in StrictMode on the real engine.
import { beforeEach, expect, test } from 'vitest';
import { countColors, shoot, usePage } from '../helpers/pictures';
import type { Harness } from './page/main';

declare const talus: Harness;
const open = usePage('tests/react/page/main.ts', { width: 320, height: 200 });

beforeEach(() => {
  open.host.errors.length = 0;
});
/** What the software renderer says for itself. */
const NOISE = /GPU stall|software WebGL|Automatic fallback|THREE.Clock|PCFSoftShadowMap|swiftshader/i;
const said = () => open.host.errors.filter((text) => !NOISE.test(text));

test('a body falls, hits, sleeps and is drawn where it is; the ref has the calls that users of Rapier know', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('basics');
    const { world, physics } = talus.context;
    const count = world.bodyCount;
    await talus.until(() => talus.log.includes('sleep'));
    const { crate } = talus.refs;
    const mesh = talus.meshes.crate!;
    const at = mesh.getWorldPosition(new talus.Vector3());
    const rest = crate!.translation();
    const isBound = physics.objectOf(crate!.id) === mesh.parent;
    const hits = [...talus.log];
    talus.log.length = 0;
    crate!.applyImpulse({ x: 0, y: 100 * 6, z: 0 }, true);
    const speed = crate!.linvel().y;
    await talus.until(() => talus.log.includes('left'));
    const events = [...talus.log];
    crate!.setTranslation({ x: 2, y: 5, z: 0 }, true);
    crate!.setRotation({ x: 0, y: 0, z: 0, w: 1 }, true);
    crate!.setAngvel([0, 1, 0]);
    const moved = crate!.translation().toArray();
    return {
      count,
      hits,
      events,
      at: at.toArray(),
      rest: rest.toArray(),
      isBound,
      speed,
      moved,
      spin: crate!.angvel().y,
      mass: crate!.mass(),
      type: crate!.type,
      number: crate!.bodyType(),
      colliders: crate!.numColliders(),
      userData: crate!.userData,
      valid: crate!.isValid(),
    };
  });
  expect(found).toMatchObject({
    count: 2,
    isBound: true,
    type: 'dynamic',
    number: 0,
    colliders: 1,
    userData: { loot: 3 },
    valid: true,
  });
  expect(found.hits[0]).toBe('hit true static true');
  expect(found.events[0]).toBe('wake');
  expect(found.mass).toBeCloseTo(100, 3);
  expect(found.speed).toBeCloseTo(6, 4);
  expect(found.rest[1]).toBeCloseTo(0.5, 2);
  for (const k of [0, 1, 2]) expect(found.at[k]).toBeCloseTo(found.rest[k]!, 4);
  expect(found.moved).toEqual([2, 5, 0]);
  expect(found.spin).toBeCloseTo(1, 5);
  expect(said()).toEqual([]);
});

test('props change what there is: pose, type, mass, damping, surface; and the world', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('basics', { physics: { gravity: [0, 0, 0] }, gravityScale: 1 });
    const { world } = talus.context;
    const { crate } = talus.refs;
    const id = crate!.id;
    await talus.until(() => world.settings.gravity[1] === 0);
    talus.set({
      position: [3, 4, 5],
      density: 200,
      linearDamping: 2,
      ccd: true,
      lockRotations: true,
      linearVelocity: [0, 0, 1],
      friction: 0.3,
      canSleep: false,
    });
    await talus.until(() => crate!.translation().x === 3);
    const body = world.getBody(id);
    const material = world.getMaterial(crate!.collider(0).id);
    talus.set({ type: 'kinematicPosition' });
    await talus.until(() => crate!.isKinematic());
    crate!.setNextKinematicTranslation([0, 1, 0]);
    crate!.setNextKinematicRotation([0, 1, 0, 0]);
    await talus.until(() => crate!.translation().y === 1);
    const turned = crate!.rotation().y;
    talus.set({ physics: { gravity: [0, -3, 0], substeps: 12, paused: true } });
    await talus.until(() => world.settings.gravity[1] === -3);
    const { stepCount } = world;
    await new Promise((done) => setTimeout(done, 200));
    const paused = world.stepCount - stepCount;
    const { before, after } = talus.counts;
    return {
      same: crate!.id === id,
      body,
      material,
      turned,
      paused,
      substeps: world.settings.substeps,
      before,
      after,
      steps: world.stepCount,
    };
  });
  expect(found.same).toBe(true);
  expect(found.body).toMatchObject({ linearDamping: 2, bullet: true, allowSleep: false, locks: { rotation: 'xyz' } });
  expect(found.material.friction).toBeCloseTo(0.3, 5);
  expect(Math.abs(found.turned)).toBeCloseTo(1, 4);
  expect(found).toMatchObject({ paused: 0, substeps: 12 });
  expect(found.before).toBe(found.after);
  expect(found.steps - found.after).toBeLessThan(3);
  expect(said()).toEqual([]);
});

test('colliders: components, meshes of their own kind, sensors, without a body', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('colliders');
    const { world } = talus.context;
    const shapes = (name: string) => talus.refs[name]!.colliders.map((id) => world.getCollider(id));
    await talus.until(() => talus.log.includes('enter true'));
    const compound = shapes('compound').map(({ position, density }) => ({ position: Array.from(position as number[]), density }));
    talus.refs.compound!.setTranslation([0, 30, 0]);
    await talus.until(() => talus.log.includes('exit'));
    return {
      compound,
      mixed: shapes('mixed').length,
      zone: shapes('zone').map(({ sensor }) => sensor),
      mass: talus.refs.compound!.mass(),
      statics: world.bodyCount,
      ground: world.castRay([-6.5, 5, 0.2], [0, -1, 0])?.distance,
      field: world.castRay([1.5, -5, 1.5], [0, -1, 0])?.distance,
      log: talus.log.filter((line) => line === 'wrong'),
    };
  });
  expect(found.compound).toHaveLength(4);
  expect(found.compound.some(({ density }) => density === 100)).toBe(true);
  expect(found.compound.map(({ position }) => Math.round(position[1]!)).sort()).toEqual([0, 0, 0, 1]);
  expect(found).toMatchObject({ mixed: 2, zone: [true], statics: 6, log: [] });
  expect(found.ground).toBeCloseTo(5, 4);
  expect(found.field).toBeCloseTo(4, 4);
  expect(said()).toEqual([]);
});

test('joints hold what they say', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('joints');
    const { world } = talus.context;
    await talus.until(() => world.stepCount > 240);
    const states = Object.fromEntries(Object.entries(talus.joints).map(([name, { current }]) => [name, current!.state()]));
    const pick = ({ type, gap, place }: { type: string; gap: number; place: number }) => ({ type, gap, place });
    const count = world.jointCount;
    talus.joints.hinge!.current!.setLimits(0, 0);
    await talus.hide();
    return { count, states: Object.fromEntries(Object.entries(states).map(([name, state]) => [name, pick(state)])) };
  });
  expect(found.count).toBe(7);
  for (const [name, { gap }] of Object.entries(found.states)) expect(gap, name).toBeLessThan(0.01);
  expect(found.states.hinge!.place).toBeCloseTo(-0.5, 1);
  expect(found.states.rope!.place).toBeCloseTo(2, 2);
  expect(found.states.slider!.place).toBeCloseTo(-1, 2);
  expect(found.states.spring).toMatchObject({ type: 'distance' });
  expect(said()).toEqual([]);
});

test('instances: a list of bodies, which keeps those whose keys stay', async () => {
  const found = await open.page.evaluate(async () => {
    const list = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => ({
        key: from + i,
        position: [((from + i) % 20) - 10, 1 + Math.floor((from + i) / 20), 0] as [number, number, number],
        scale: [1, 1 + ((from + i) % 2), 1] as [number, number, number],
      }));
    await talus.show('instances', { instances: list(0, 200) });
    const { world } = talus.context;
    await talus.until(() => talus.instances.length === 200);
    const first = talus.instances.map((api) => api!.id);
    const masses = talus.instances.slice(0, 2).map((api) => Math.round(api!.mass()));
    await talus.until(() => talus.log.length > 3);
    talus.set({ instances: list(100, 300) });
    await talus.until(() => talus.instances[199]?.isValid() && talus.instances[0]!.id === first[100]);
    const second = talus.instances.map((api) => api!.id);
    const at = talus.instanced;
    talus.context.physics.sync(1);
    const y = talus.instances[150]!.translation().y;
    const bodies = world.bodyCount;
    talus.set({ instances: [] });
    await talus.until(() => world.bodyCount === 1);
    return {
      bodies,
      masses,
      kept: second.slice(0, 100).every((id, i) => id === first[100 + i]),
      drawn: Math.abs(at.instanceMatrix.array[16 * 150 + 13]! - y),
      count: at.count,
    };
  });
  expect(found).toMatchObject({ bodies: 201, masses: [125, 250], kept: true, count: 0 });
  expect(found.drawn).toBeLessThan(1e-4);
  expect(said()).toEqual([]);
});

test('a character of a component walks at its speed, is drawn between steps, and keeps frames on demand going', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('walking', { canvas: { frameloop: 'demand' }, physics: { timeStep: 1 / 20 } });
    const { world } = talus.context;
    const isStill = async (ms: number) => {
      talus.takeFeet();
      await new Promise((done) => setTimeout(done, ms));
      return talus.takeFeet().length === 0;
    };
    while (!(await isStill(500)));
    const { stepCount } = world;
    talus.walker().walk({ velocity: [2, 0, 0] });
    await talus.until(() => world.stepCount > stepCount + 10);
    const feet = talus.takeFeet();
    const made = world.controllers.length;
    const at = talus.walker().getPosition([0, 0, 0])[0]!;
    const way = (world.stepCount - stepCount) / 20;
    talus.walker().walk();
    while (!(await isStill(500)));
    return { feet, at, way, made, rest: world.stepCount - stepCount };
  });
  expect(found.made).toBe(1);
  expect(found.at).toBeGreaterThan(2 * found.way - 0.2);
  expect(found.at).toBeLessThan(2 * found.way + 1e-3);
  // Every picture has it elsewhere.
  const moving = found.feet.filter((x) => x > 0.3);
  expect(moving.length).toBeGreaterThan(2);
  expect(new Set(moving).size).toBe(moving.length);
  expect(said()).toEqual([]);
});

test('frames on demand end when all is at rest, and begin again, without a jump, with what is woken, made or unpaused', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('resting', { canvas: { frameloop: 'demand' } });
    const { world, physics } = talus.context;
    const { crate, lift } = talus.refs;
    const isStill = async (ms: number) => {
      const { length } = talus.frames;
      await new Promise((done) => setTimeout(done, ms));
      return talus.frames.length === length;
    };
    const drawn = (name: string) => talus.meshes[name]!.getWorldPosition(new talus.Vector3()).y;
    const ends = async () => {
      while (!(await isStill(300)));
    };
    const rests = async () => {
      await talus.until(() => crate!.isSleeping());
      await ends();
      return isStill(700);
    };
    /** Steps of the frame that comes after a rest of a second, and whether others follow. */
    const begins = async (act: () => void) => {
      const { stepCount } = world;
      const { length } = talus.frames;
      act();
      await talus.until(() => talus.frames.length > length + 4);
      return { first: talus.frames[length]!.steps - stepCount, rested: talus.frames[length]!.delta };
    };
    const first = await rests();
    const impulse = await begins(() => crate!.applyImpulse({ x: 0, y: 3000, z: 0 }));
    const rose = crate!.linvel().y !== 0;
    const second = await rests();
    const off = Math.abs(drawn('crate') - crate!.translation().y);
    const byWorld = await begins(() => world.setVelocity(crate!.id, [0, 2, 0]));
    await rests();
    const byProp = await begins(() => talus.set({ linearVelocity: [0, 3, 0] }));
    await rests();
    const byCreation = await begins(() =>
      world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.2 }), position: [3, 1, 3] }),
    );
    await ends();
    const platform = await begins(() => lift!.setLinvel([0, 1, 0]));
    lift!.setLinvel([0, 0, 0]);
    await ends();
    const lifted = Math.abs(drawn('lift') - lift!.translation().y);
    talus.set({ physics: { paused: true } });
    crate!.applyImpulse({ x: 0, y: 3000, z: 0 });
    await ends();
    const paused = world.stepCount;
    const { length } = talus.frames;
    talus.context.step(1 / 100);
    await talus.until(() => talus.frames.length > length);
    const byHand = { steps: world.stepCount - paused, dt: world.settings.dt, still: await isStill(500) };
    const height = Math.abs(drawn('crate') - crate!.translation().y);
    const unpaused = await begins(() => talus.set({ physics: {} }));
    const errors = physics.bodiesOf(talus.meshes.crate!.parent!).length;
    return { first, impulse, rose, second, off, byWorld, byProp, byCreation, platform, lifted, byHand, height, unpaused, errors };
  });
  expect(found).toMatchObject({ first: true, rose: true, second: true, errors: 1 });
  for (const begun of [found.impulse, found.byWorld, found.byProp, found.byCreation, found.unpaused]) {
    expect(begun.rested).toBeGreaterThan(0.2);
    expect(begun.first).toBeLessThanOrEqual(1);
  }
  expect(found.platform.first).toBeLessThanOrEqual(1);
  for (const gap of [found.off, found.lifted, found.height]) expect(gap).toBeLessThan(1e-3);
  expect(found.byHand).toEqual({ steps: 1, dt: 1 / 60, still: true });
  expect(said()).toEqual([]);
});

test('a time step that varies: one step a frame, as long as it; then steps of their own length again', async () => {
  const found = await open.page.evaluate(async () => {
    await talus.show('basics', { physics: { timeStep: 'vary' }, position: [0, 500, 0], canSleep: false });
    const { world } = talus.context;
    const { crate } = talus.refs;
    const { length } = talus.frames;
    await talus.until(() => talus.frames.length > length + 30);
    const frames = talus.frames.slice(length, length + 30);
    const { counts } = talus;
    const told = { before: counts.before, after: counts.after, steps: world.stepCount };
    const sum = (list: { delta: number }[]) => list.reduce((all, { delta }) => all + Math.min(Math.max(delta, 1e-3), 0.1), 0);
    const now = talus.frames.length;
    const speed = crate!.linvel().y;
    await talus.until(() => talus.frames.length > now + 20);
    const gained = crate!.linvel().y - speed;
    const time = sum(talus.frames.slice(now, talus.frames.length));
    talus.set({ physics: { timeStep: 1 / 60 } });
    await talus.until(() => world.settings.dt === 1 / 60);
    talus.set({ physics: { timeStep: 1 / 120 } });
    await talus.until(() => world.settings.dt === 1 / 120);
    return { frames, told, gained, time };
  });
  for (const [i, { delta, dt, steps }] of found.frames.entries()) {
    expect(dt).toBeCloseTo(Math.min(Math.max(delta, 1e-3), 0.1), 9);
    const next = found.frames[i + 1];
    if (next) expect(next.steps - steps).toBe(1);
  }
  expect(new Set(found.frames.map(({ dt }) => dt)).size).toBeGreaterThan(5);
  expect(Math.abs(found.told.before - found.told.after)).toBeLessThanOrEqual(1);
  expect(found.told.steps - found.told.after).toBeLessThan(3);
  expect(found.gained / (-9.81 * found.time)).toBeCloseTo(1, 2);
  expect(said()).toEqual([]);
});

test('a child that suspends without a boundary of its own: the world that was shown goes on, in StrictMode too', async () => {
  const { at, contexts } = await open.page.evaluate(async () => {
    await talus.show('suspends');
    await talus.until(() => talus.refs.late?.isValid() && talus.context.world.stepCount > 120);
    return { at: talus.refs.late!.translation().toArray(), contexts: talus.contexts.size };
  });
  expect(at[1]).toBeCloseTo(0.5, 2);
  expect(contexts).toBe(1);
  expect(said()).toEqual([]);
});

test('what is unmounted leaves nothing behind, also in StrictMode', async () => {
  const found = await open.page.evaluate(async () => {
    // Without weight: what bodies touch leaves room for contacts behind, more or less of it by when they are taken away.
    await talus.show('toggles', { isOn: true, physics: { gravity: [0, 0, 0] } });
    const { world } = talus.context;
    await talus.until(() => world.bodyCount === 11);
    const slots = world.slotCount;
    const off = async () => {
      talus.set({ isOn: false });
      await talus.until(() => world.bodyCount === 1);
      // A snapshot has what waits for the next step.
      const last = world.stepCount + 3;
      await talus.until(() => world.stepCount > last);
      return world.snapshot().length;
    };
    const bytes = await off();
    for (let round = 0; round < 5; round++) {
      talus.set({ isOn: true });
      await talus.until(() => world.bodyCount === 11);
      if (round < 4) await off();
    }
    const { size } = talus.context.bodies;
    const more = world.slotCount - slots;
    const grown = (await off()) - bytes;
    await talus.hide();
    let error = '';
    try {
      world.step();
    } catch (thrown) {
      error = (thrown as { code: string }).code;
    }
    return { more, size, grown, error, bodies: talus.context.bodies.size, colliders: talus.context.colliders.size };
  });
  expect(found).toMatchObject({ more: 0, grown: 0, size: 11, error: 'disposed', bodies: 0, colliders: 0 });
  expect(said()).toEqual([]);
});

test('the picture', async () => {
  await open.page.evaluate(async () => {
    await talus.show('picture', { physics: { debug: true } });
    const { world } = talus.context;
    await talus.until(() => world.stepCount > 70);
    talus.set({ physics: { debug: true, paused: true } });
    await new Promise((done) => setTimeout(done, 300));
  });
  expect(countColors(await shoot(open.page, 'react'))).toBeGreaterThan(200);
  expect(said()).toEqual([]);
});
