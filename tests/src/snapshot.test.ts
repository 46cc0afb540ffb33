// Snapshots: the run goes on bit by bit from any step, in the same world, in a new one and in a browser; what is restored, what is
// refused; damaged bytes; hashes.
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { buildScene, type SceneOptions } from '../../scenes/index';
import { createWorld, type World } from '../../src/index';
import { createWorld as createStudy, type WorldOptions } from '../../src/study/index';
import { withPackagePage } from '../helpers/chromium';
import { useDevice } from '../helpers/gpu';
import { isLong } from '../helpers/long';
import { seeded } from '../helpers/random';
import { sceneWorld } from '../helpers/scene_world';

type AnyWorld = Awaited<ReturnType<typeof sceneWorld>>;

/** What a step leaves: the hash, and the events that it sent. */
function stepped(world: AnyWorld): string {
  world.step();
  const events = [...world.events].map((e) => [e.kind, e.colliderA, e.colliderB, e.impulse, e.approachSpeed].join());
  return [world.hash(), ...events, ...world.events.jointBreaks].join(' ');
}

/** All that can be seen of a world after a run. */
function sight(world: AnyWorld) {
  const contacts = world.readContacts();
  return {
    positions: [...world.positions],
    rotations: [...world.rotations],
    velocities: [...world.velocities],
    impulses: [...contacts.impulses.subarray(0, contacts.count)],
    separations: [...contacts.separations.subarray(0, contacts.count)],
    bounds: [...world.readBounds()],
    islands: [...world.readLabels('island')],
    asleep: world.sleepingCount,
    settings: world.settings,
    stepCount: world.stepCount,
    measures: world.measure(),
  };
}

const SCENES: [string, SceneOptions, WorldOptions, number][] = [
  ['mixed', { count: 60 }, {}, 200],
  ['mixed', { count: 40, ground: 'heightfield' }, { sleep: false }, 150],
  ['ragdolls150', { count: 5 }, {}, 200],
  ['bridge', {}, {}, 200],
  ['pyramid', { scale: 0.2 }, {}, 120],
  ['chess', { scale: 0.2 }, {}, 150],
  ['car', {}, {}, 150],
  ['capsule-chain', {}, {}, 120],
  ['cardhouse-hit', {}, {}, 120],
  ['wall', { scale: 0.3 }, { solver: 'cell-split' }, 80],
];

describe('the run goes on bit by bit', () => {
  test.each(SCENES)('%s %j %j', async (name, sceneOptions, options, length) => {
    const scene = buildScene(name, { seed: 3, ...sceneOptions });
    const random = seeded(length);
    // Ten steps a scene, a hundred in all; in the short form four.
    const marks = new Set<number>();
    while (marks.size < (isLong ? 10 : 4)) marks.add(1 + Math.floor(random() * (length - 16)));
    const world = await sceneWorld(scene, options);
    const run: string[] = [];
    const taken: [number, Uint8Array, number][] = [];
    for (let i = 0; i < length; i++) {
      if (marks.has(i)) taken.push([i, world.snapshot(), world.hash()]);
      run.push(stepped(world));
    }
    const end = sight(world);
    const fresh = await createWorld();
    for (const [step, bytes, hash] of taken.reverse()) {
      for (const other of [world, fresh]) {
        other.restore(bytes);
        expect(other.hash()).toBe(hash);
        expect(other.stepCount).toBe(step);
        for (let i = step; i < step + 16; i++) expect(stepped(other as AnyWorld), `step ${i} from ${step}`).toBe(run[i]);
      }
    }
    // The whole rest, from the last one.
    const [step, bytes] = taken[0]!;
    const last = await createWorld();
    last.restore(bytes);
    for (let i = step; i < length; i++) stepped(last as AnyWorld);
    expect(sight(last as AnyWorld)).toEqual(end);
  });

  test.each(['pgs', 'colored', 'pair-split', 'jacobi'] as const)('talus/study: %s', async (solver) => {
    const world = await sceneWorld(buildScene('mixed', { seed: 2, count: 30 }), { solver }, createStudy as never);
    for (let i = 0; i < 70; i++) world.step();
    const bytes = world.snapshot();
    const other = await createStudy();
    other.restore(bytes);
    expect(other.settings).toEqual(world.settings);
    for (let i = 0; i < 30; i++) expect(stepped(other as AnyWorld)).toBe(stepped(world));
  });

  test('with things made and removed before and after it', async () => {
    const world = await createWorld();
    const box = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
    world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: [9, 1, 9] }), position: [0, -1, 0] });
    const random = seeded(5);
    const live: number[] = [];
    /** One round of a script that both runs take: the same calls, the same ids. */
    const round = (draw: () => number, list: number[], on: World) => {
      for (let k = 0; k < 3; k++) list.push(on.createBody({ shape: box, position: [draw() * 4, 1 + draw() * 3, draw() * 4] }));
      if (list.length > 12)
        for (let k = 0; k < 3; k++) on.removeBody(list.splice(Math.floor(draw() * list.length), 1)[0] as never);
      if (list.length > 3 && draw() < 0.3)
        on.createJoint({ type: 'ball', bodyA: list[0] as never, bodyB: list[1] as never, anchor: [0, 2, 0] });
      on.step();
      return `${on.hash()} ${list.join()} ${on.events.count}`;
    };
    for (let i = 0; i < 40; i++) round(random, live, world);
    const bytes = world.snapshot();
    const [listA, listB, listC] = [[...live], [...live], [...live]];
    const a = Array.from({ length: 40 }, seedRound(world, listA));
    world.restore(bytes);
    const b = Array.from({ length: 40 }, seedRound(world, listB));
    const fresh = await createWorld();
    fresh.restore(bytes);
    const c = Array.from({ length: 40 }, seedRound(fresh, listC));
    expect(b).toEqual(a);
    expect(c).toEqual(a);
    function seedRound(on: World, list: number[]) {
      const draw = seeded(77);
      return () => round(draw, list, on);
    }
  });
});

/** A floor, a crate on it, a kinematic plate, a pendulum. */
async function yard(options: WorldOptions = {}) {
  const world = await createWorld(options as object);
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const hull = world.createShape({ type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1] });
  const floor = world.createBody({ type: 'static', shape: box, position: [0, -0.5, 0] });
  const crate = world.createBody({ shape: box, position: [0, 0.5, 0], mass: 3 });
  const plate = world.createBody({ type: 'kinematic', shape: box, position: [5, 0, 0] });
  const bob = world.createBody({ shape: hull, position: [0, 8, 0] });
  const joint = world.createJoint({ type: 'ball', bodyB: bob, anchor: [0, 9, 0] });
  return { world, box, hull, floor, crate, plate, bob, joint };
}

describe('what is restored', () => {
  test('forces, targets, masses, settings, materials, events that wait; the ids of everything', async () => {
    const s = await yard({ dt: 1 / 50, gravity: [0, -5, 0], preset: 'high' });
    const { world } = s;
    for (let i = 0; i < 20; i++) world.step();
    world.addForce(s.bob, [30, 0, 0], [0, 8.5, 0]);
    world.addTorque(s.crate, [0, 2, 0]);
    world.applyImpulse(s.bob, [1, 0, 0]);
    world.moveKinematic(s.plate, [5, 1, 0]);
    const gone = world.createBody({ shape: s.box, position: [0, 1.5, 0] });
    for (let i = 0; i < 2; i++) world.step();
    world.moveKinematic(s.plate, [5, 1.5, 0]);
    world.addForce(s.bob, [0, 0, 7]);
    world.removeBody(gone); // its end waits for the step
    const [collider] = world.collidersOf(s.crate);
    const bytes = world.snapshot();
    const hash = world.hash();
    const later = world.createBody({ shape: s.box, position: [9, 9, 9] });
    world.setMaterial(collider!, { friction: 0 });
    world.setMass(s.crate, 8);
    world.set({ dt: 1 / 100, gravity: [1, 0, 0] });
    world.removeJoint(s.joint);
    world.removeBody(s.bob);
    world.removeShape(s.hull);
    for (let i = 0; i < 5; i++) world.step();
    const fresh = await createWorld();
    world.restore(bytes);
    fresh.restore(bytes);
    const seen = [];
    for (const w of [world, fresh]) {
      expect(w.hash()).toBe(hash);
      expect(w.events.count).toBe(0);
      expect(w.settings).toEqual(expect.objectContaining({ dt: 1 / 50, gravity: [0, -5, 0], preset: 'high', substeps: 'auto' }));
      expect([s.floor, s.crate, s.plate, s.bob].map((id) => w.isAlive(id))).toEqual([true, true, true, true]);
      expect(w.isAlive(gone) || w.isAlive(later)).toBe(false);
      expect(w.hasJoint(s.joint)).toBe(true);
      expect(w.bodyOf(collider!)).toBe(s.crate);
      expect(() => w.removeShape(s.hull)).toThrow(expect.objectContaining({ code: 'in-use' }));
      expect(w.getMass(s.crate)).toBe(3);
      w.step();
      const ends = [...w.events];
      expect(ends.map((e) => e.kind)).toContain('end');
      w.setType(s.crate, 'kinematic');
      w.setType(s.crate, 'dynamic');
      expect(w.getMass(s.crate)).toBe(3);
      w.set({ sleep: false }); // what was asked for before goes on
      expect(w.settings.dt).toBe(1 / 50);
      const y = w.positions[4 * w.indexOf(s.plate) + 1];
      expect(y).toBeCloseTo(1.5, 5);
      const body = w.createBody({ shape: s.hull, position: [20, 20, 20], density: 2 });
      seen.push([w.hash(), ends, body, w.getMass(body), [...w.velocities]]);
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  test('sleepers sleep on, and wake', async () => {
    const s = await yard({ sleep: true });
    while (!s.world.isAsleep(s.crate)) s.world.step();
    const bytes = s.world.snapshot();
    s.world.wake(s.crate);
    const fresh = await createWorld();
    for (const world of [s.world, fresh]) {
      world.restore(bytes);
      expect(world.isAsleep(s.crate)).toBe(true);
      for (let i = 0; i < 30; i++) world.step();
      expect(world.isAsleep(s.crate)).toBe(true);
      world.applyImpulse(s.crate, [0, 9, 0]);
      world.step();
      expect(world.isAsleep(s.crate)).toBe(false);
    }
    expect(fresh.hash()).toBe(s.world.hash());
  });

  test('an empty world, and one that had more', async () => {
    const empty = (await createWorld()).snapshot();
    const { world, crate } = await yard();
    world.restore(empty);
    expect([world.bodyCount, world.jointCount, world.isAlive(crate), world.stepCount]).toEqual([0, 0, false, 0]);
    world.step();
    const shape = world.createShape({ type: 'sphere', radius: 1 });
    world.createBody({ shape });
    world.step();
    const big = await sceneWorld(buildScene('mixed', { seed: 1, count: 80 }));
    for (let i = 0; i < 30; i++) big.step();
    const reference = await yard();
    big.restore(reference.world.snapshot());
    for (let i = 0; i < 40; i++) expect(stepped(big)).toBe(stepped(reference.world as never));
  });

  test('a world restored into itself takes no memory, and its views stay', async () => {
    const world = await sceneWorld(buildScene('mixed', { seed: 1, count: 60 }));
    for (let i = 0; i < 60; i++) world.step();
    const bytes = world.snapshot();
    for (let i = 0; i < 5; i++) world.step();
    const { positions } = world;
    const { memory } = world.profile;
    world.restore(bytes);
    expect(world.positions).toBe(positions);
    world.step();
    expect(world.profile.memory).toBeLessThanOrEqual(memory);
    // Bytes are used again.
    const again = world.snapshot(bytes);
    const short = world.snapshot(new Uint8Array(8));
    expect(short.length).toBe(again.length);
    expect(Buffer.compare(short, again)).toBe(0);
    expect(world.snapshot(short).buffer).toBe(short.buffer);
    const large = new Uint8Array(2 * short.length);
    const into = world.snapshot(large.subarray(64));
    expect([into.buffer, into.byteOffset, into.length]).toEqual([large.buffer, 64, short.length]);
    expect(Buffer.compare(into, again)).toBe(0);
  });
});

describe('local snapshots', () => {
  test('300 single bits that flip are all refused, and change nothing', async () => {
    const scene = buildScene('mixed', { seed: 1, count: 40 });
    const world = await sceneWorld(scene, {});
    for (let k = 0; k < 90; k++) world.step();
    const bytes = world.snapshot(undefined, { local: true });
    const hash = world.hash();
    const random = seeded(7);
    for (let k = 0; k < 300; k++) {
      // The head and the host's part as well as memory.
      const at = Math.floor(random() * (k % 3 === 0 ? 4096 : bytes.length));
      const bit = 1 << Math.floor(random() * 8);
      bytes[at]! ^= bit;
      expect(() => world.restore(bytes), `byte ${at}, bit ${bit}`).toThrow(
        expect.objectContaining({ name: 'TalusError', code: expect.stringMatching(/invalid-argument|unsupported/) }),
      );
      bytes[at]! ^= bit;
      expect(world.hash()).toBe(hash);
    }
    world.step();
    world.restore(bytes);
    expect(world.hash()).toBe(hash);
  });

  test('bytes whose buffer was transferred are refused, as bytes and as room for others', async () => {
    const world = await createWorld();
    for (const local of [false, true]) {
      const bytes = world.snapshot(undefined, { local });
      structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      expect(() => world.restore(bytes)).toThrow(expect.objectContaining({ name: 'TalusError', code: 'invalid-argument' }));
      expect(world.snapshot(bytes, { local }).length).toBeGreaterThan(64);
    }
  });

  test('are smaller, go on bit by bit, and want their shapes', async () => {
    const scene = buildScene('mixed', { seed: 1, count: 60 });
    const world = await sceneWorld(scene);
    for (let i = 0; i < 60; i++) world.step();
    const whole = world.snapshot();
    const bytes = world.snapshot(undefined, { local: true });
    expect(bytes.length).toBeLessThan(whole.length);
    const run = Array.from({ length: 20 }, () => stepped(world));
    world.restore(bytes);
    expect(Array.from({ length: 20 }, () => stepped(world))).toEqual(run);
    const refused = expect.objectContaining({ code: 'unsupported' });
    const state = world.hash();
    const other = await sceneWorld(scene);
    expect(() => other.restore(bytes)).toThrow(refused);
    // Another shape does no harm; one that is gone does, also where another came in its place.
    const shape = world.createShape({ type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] });
    const withShape = world.snapshot(undefined, { local: true });
    world.restore(bytes);
    expect(() => world.removeShape(shape)).toThrow(expect.objectContaining({ code: 'stale-handle' }));
    world.createShape({ type: 'hull', points: [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2] });
    expect(() => world.restore(withShape)).toThrow(refused);
    world.restore(whole);
    expect(() => world.restore(bytes)).toThrow(refused);
    for (let i = 0; i < 20; i++) world.step();
    expect(world.hash()).toBe(state);
    // Of another page.
    const foreign = bytes.slice();
    foreign[4 * 9]! ^= 1;
    expect(() => world.restore(foreign)).toThrow(refused);
  });
});

describe('what is refused', () => {
  test('what is none, is damaged, is of another version or entry; then nothing changes', async () => {
    const s = await yard();
    const { world } = s;
    for (let i = 0; i < 30; i++) world.step();
    const bytes = world.snapshot();
    world.step();
    const hash = world.hash();
    const state = world.snapshot();
    const code = (code: string) => expect.objectContaining({ code });
    for (const wrong of [
      null,
      undefined,
      7,
      'bytes',
      {},
      [],
      bytes.buffer,
      new Float32Array(9),
      new Uint8Array(0),
      new Uint8Array(64),
    ]) {
      expect(() => world.restore(wrong as Uint8Array)).toThrow(code('invalid-argument'));
    }
    for (const length of [1, 63, 64, 100, bytes.length - 64, bytes.length - 1]) {
      expect(() => world.restore(bytes.subarray(0, length))).toThrow(code('invalid-argument'));
    }
    expect(() => world.restore(new Uint8Array([...bytes, 0]))).toThrow(code('invalid-argument'));
    const changed = (word: number, value: number) => {
      const copy = bytes.slice();
      new DataView(copy.buffer).setUint32(4 * word, value, true);
      return copy;
    };
    expect(() => world.restore(changed(1, 2))).toThrow(/another version of 'talus' \(format 2/);
    expect(() => world.restore(changed(2, 5))).toThrow(/another version.*core 00000005/);
    const study = await createStudy();
    expect(() => study.restore(bytes)).toThrow(/of 'talus'/);
    expect(() => world.restore(study.snapshot())).toThrow(/of 'talus\/study'/);
    expect(() => world.restore(study.snapshot())).toThrow(code('unsupported'));
    expect(() => world.snapshot(7 as never)).toThrow(code('invalid-argument'));
    expect(() => world.snapshot(undefined, { local: 1 } as never)).toThrow(code('invalid-argument'));
    expect(() => world.snapshot(undefined, { locale: true } as never)).toThrow(code('invalid-argument'));
    // Random flips anywhere, one or some.
    const random = seeded(11);
    for (let i = 0; i < 1500; i++) {
      const copy = bytes.slice();
      const flips = 1 + Math.floor(random() * 3);
      for (let k = 0; k < flips; k++) {
        const at = i < 500 ? Math.floor(random() * 600) : Math.floor(random() * copy.length);
        copy[at]! ^= 1 << Math.floor(random() * 8);
      }
      if (Buffer.compare(copy, bytes) === 0) continue;
      expect(() => world.restore(copy), `flip ${i}`).toThrow(expect.objectContaining({ name: 'TalusError' }));
    }
    // Parts that changed places.
    const swapped = bytes.slice();
    const half = Math.floor(bytes.length / 128) * 64;
    swapped.copyWithin(half, half + 64, half + 128);
    swapped.set(bytes.subarray(half, half + 64), half + 64);
    if (Buffer.compare(swapped, bytes) !== 0) expect(() => world.restore(swapped)).toThrow(code('invalid-argument'));
    expect(world.hash()).toBe(hash);
    expect(Buffer.compare(world.snapshot(), state)).toBe(0);
    // A Buffer of Node, anywhere in its pool, is a Uint8Array.
    world.restore(Buffer.concat([Buffer.from([1, 2, 3]), bytes]).subarray(3));
    world.step();
    expect(world.hash()).toBe(hash);
    world.dispose();
    expect(() => world.snapshot()).toThrow(code('disposed'));
    expect(() => world.restore(bytes)).toThrow(code('disposed'));
    expect(() => world.hash()).toThrow(code('disposed'));
    await expect(world.settle()).rejects.toEqual(code('disposed'));
  });
});

describe('hash', () => {
  test('is the same for the same run and tells every change of state', async () => {
    const [a, b] = [await yard(), await yard({ bodyCapacity: 500 } as never)];
    const seen = new Set<number>();
    for (let i = 0; i < 60; i++) {
      a.world.step();
      b.world.step();
      expect(a.world.hash()).toBe(b.world.hash());
      expect(Number.isSafeInteger(a.world.hash())).toBe(true);
      seen.add(a.world.hash());
    }
    expect(seen.size).toBe(60);
    const before = a.world.hash();
    // What is not state: queries, garbage in slots that were used and are free again.
    a.world.castRay([0, 5, 0], [0, -1, 0]);
    a.world.measure();
    expect(a.world.hash()).toBe(before);
    const changes: ((s: typeof a) => void)[] = [
      (s) => s.world.addForce(s.bob, [1e-6, 0, 0]),
      (s) => s.world.setVelocity(s.crate, [0, 1e-7, 0]),
      (s) => s.world.teleport(s.plate, [5, 1e-4, 0]),
      (s) => s.world.setType(s.plate, 'static'),
      (s) => s.world.removeJoint(s.joint),
    ];
    let hash = before;
    for (const change of changes) {
      change(a);
      change(b);
      expect(a.world.hash()).not.toBe(hash);
      expect(a.world.hash()).toBe(b.world.hash());
      hash = a.world.hash();
    }
    const c = await a.world.clone();
    expect(c.hash()).toBe(hash);
  });
});

test('from Node to Chromium: the same bits, the same hashes', async () => {
  const taken: { bytes: string; hashes: number[]; back: Uint8Array }[] = [];
  for (const [name, options, settings] of SCENES.slice(0, 5)) {
    const world = await sceneWorld(buildScene(name, { seed: 4, ...options }), settings);
    for (let i = 0; i < 70; i++) world.step();
    const bytes = Buffer.from(world.snapshot()).toString('base64');
    const hashes = Array.from({ length: 40 }, () => {
      world.step();
      return world.hash();
    });
    taken.push({ bytes, hashes, back: world.snapshot() });
  }
  await withPackagePage(async (page) => {
    for (const { bytes, hashes, back } of taken) {
      const there = await page.evaluate(
        async ([text, count]) => {
          const scope = globalThis as unknown as { createWorld: typeof createWorld };
          const world = await scope.createWorld();
          world.restore(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
          const hashes: number[] = [];
          for (let i = 0; i < count; i++) {
            world.step();
            hashes.push(world.hash());
          }
          let out = '';
          for (const byte of world.snapshot()) out += String.fromCharCode(byte);
          return { hashes, bytes: btoa(out) };
        },
        [bytes, hashes.length] as const,
      );
      expect(there.hashes).toEqual(hashes);
      // And back again.
      const [one, other] = [await createWorld(), await createWorld()];
      one.restore(Buffer.from(there.bytes, 'base64'));
      other.restore(back);
      for (let i = 0; i < 20; i++) expect(stepped(one as AnyWorld)).toBe(stepped(other as AnyWorld));
    }
  });
});

describe('on WebGPU', () => {
  const gpu = useDevice();
  let wide: Uint8Array;
  beforeAll(async () => {
    wide = (await createWorld({ solver: 'wide' })).snapshot();
  });

  test('refused while a step is in flight; the residents are loaded again', async () => {
    const scenes: [string, SceneOptions][] = [
      ['mixed', { count: 12 }],
      ['ragdolls150', { count: 1 }],
    ];
    for (const [name, options] of scenes) {
      const world = await sceneWorld(buildScene(name, { seed: 1, ...options }), {
        backend: 'webgpu',
        device: gpu.device,
      } as never);
      const stepAsync = async (w: AnyWorld) => {
        await w.stepAsync();
        return w.hash();
      };
      for (let i = 0; i < 25; i++) await world.stepAsync();
      world.step();
      const busy = expect.objectContaining({ code: 'busy' });
      expect(() => world.snapshot()).toThrow(busy);
      expect(() => world.restore(new Uint8Array(64))).toThrow(busy);
      await world.settle();
      expect(world.stepCount).toBe(26);
      const bytes = world.snapshot();
      const run: number[] = [];
      for (let i = 0; i < 6; i++) run.push(await stepAsync(world));
      expect(world.gpuPoses).not.toBe(null);
      world.restore(bytes);
      expect(world.gpuPoses).toBe(null);
      expect(world.activeBackend).toBe('webgpu');
      const again: number[] = [];
      for (let i = 0; i < 6; i++) again.push(await stepAsync(world));
      expect(again).toEqual(run);
      const fresh = (await createWorld({ backend: 'webgpu', device: gpu.device })) as AnyWorld;
      fresh.restore(bytes);
      for (let i = 0; i < 6; i++) expect(await stepAsync(fresh)).toBe(run[i]);
      // On WASM the twin goes on from there, on a software adapter with the same bits.
      const twin = (await createWorld()) as AnyWorld;
      twin.restore(bytes);
      twin.set({ solver: 'cell-split' });
      for (let i = 0; i < 6; i++) {
        const hash = await stepAsync(twin);
        if (inject('adapter').software) expect(hash).toBe(run[i]);
      }
      expect(() => fresh.restore(wide)).toThrow(expect.objectContaining({ code: 'unsupported' }));
      world.dispose();
      fresh.dispose();
    }
  });
});
