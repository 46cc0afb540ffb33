// Persist and hit events against closed forms, for every solver: forces of what rests, speeds and impulses of impacts, of bodies
// that touch already too; each impact once. Asking for events changes no bit of the motion.
import { describe, expect, test } from 'vitest';
import { createWorld as createProduct } from '../../src/index';
import type { BodyId, ContactEventKind, SolverName, World } from '../../src/study/index';
import { DT, GRAVITY, groundWorld, SOLVERS, steps } from '../helpers/ground';
import { seeded } from '../helpers/random';

const METHODS = ['jacobi', 'pair-split-printed', 'scalar-split'] as const satisfies readonly SolverName[];

const close = (actual: number, expected: number, tolerance: number) =>
  expect(Math.abs(actual - expected)).toBeLessThan(tolerance);

/** Steps a world and returns its events of some kinds, with the number of the step. */
function record(world: World, count: number, ...kinds: ContactEventKind[]) {
  const seen: { step: number; kind: ContactEventKind; impulse: number; force: number; speed: number; bodies: BodyId[] }[] = [];
  for (let step = 0; step < count; step++) {
    world.step();
    for (const { kind, impulse, force, approachSpeed: speed, bodyA, bodyB } of world.events) {
      if (kinds.includes(kind)) seen.push({ step, kind, impulse, force, speed, bodies: [bodyA, bodyB] });
    }
  }
  return seen;
}

describe.each([...SOLVERS, ...METHODS])('%s', (solver) => {
  test('persist: the weight of what rests, in every step from the second of the touch on', async () => {
    const { world, cube } = await groundWorld({ solver, sleep: false });
    const lower = world.createBody({ shape: cube, mass: 3, position: [0, 0.5, 0], persistEvents: true });
    const upper = world.createBody({ shape: cube, mass: 2, position: [0, 1.5, 0] });
    const other = world.createBody({ shape: cube, mass: 2, position: [5, 0.5, 0] });
    steps(world, 90);
    const seen = record(world, 10, 'persist');
    expect(seen.length).toBe(20);
    for (const { bodies, force, impulse, speed } of seen) {
      expect(bodies).not.toContain(other);
      close(force, (bodies.includes(upper) ? 2 : 5) * GRAVITY, 0.02 * 5 * GRAVITY);
      close(impulse, force * DT, 1e-4);
      expect(speed).toBe(0);
    }
    for (let i = 0; i < world.events.count; i++) {
      const sign = world.events.bodyA(i) === lower || world.events.bodyA(i) === upper ? -1 : 1;
      close(Math.abs(world.events.normal(i, [0, 0, 0])[1]!), 1, 1e-3);
      if (!world.events.ids.subarray(4 * i, 4 * i + 2).includes(upper)) close(world.events.normal(i, [0, 0, 0])[1]!, sign, 1e-3);
    }
    // The step of a begin has no persist, nor has that of an end.
    world.teleport(upper, [5, 1.6, 0]);
    expect(record(world, 1, 'persist', 'end').map(({ kind }) => kind)).toEqual(['end', 'persist']);
    const [collider] = world.collidersOf(lower);
    world.setColliderEvents(collider!, { persistEvents: false });
    expect(record(world, 5, 'persist')).toEqual([]);
    world.setColliderEvents(world.collidersOf(other)[0]!, { persistEvents: true });
    const landing = record(world, 60, 'begin', 'end', 'persist').filter(({ bodies }) => bodies.includes(upper));
    // Some solvers let it bounce: between a begin and an end every step has one.
    let touches = false;
    for (let step = 0; step < 60; step++) {
      const kinds = landing.filter((event) => event.step === step).map(({ kind }) => kind);
      if (kinds.length === 0) expect(touches).toBe(false);
      else expect(kinds.length).toBe(1);
      if (kinds[0] === 'persist') expect(touches).toBe(true);
      if (kinds.length === 1) touches = kinds[0] !== 'end';
    }
    expect(touches).toBe(true);
  });

  test('hit: with the begin of an impact at or above the threshold, with its numbers', async () => {
    for (const [hitSpeed, hits] of [
      [3.9, 1],
      [4.1, 0],
    ] as const) {
      const { world, cube } = await groundWorld({ solver, gravity: [0, 0, 0], hitSpeed });
      world.createBody({ shape: cube, mass: 2, position: [0, 0.75, 0], linearVelocity: [0, -4, 0] });
      const seen = record(world, 20, 'begin', 'hit');
      expect(seen.map(({ kind }) => kind)).toEqual(hits === 1 ? ['begin', 'hit'] : ['begin']);
      expect({ ...seen[0], kind: '' }).toEqual({ ...seen.at(-1), kind: '' });
      close(seen[0]!.impulse, 8, 0.1);
      close(seen[0]!.speed, 4, 0.01);
    }
  });

  test('hit: a box that stands on an edge and falls on the other one, once, at the speed of that edge', async () => {
    let found = 0;
    for (let k = 0; k < 12; k++) {
      const { world, cube } = await groundWorld({ solver, sleep: false }, { friction: 1 });
      // It turns about the edge x = -0.5 on the floor.
      const angle = 0.2 + 0.005 * k;
      const w = -1.5;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const box = world.createBody({
        shape: cube,
        mass: 1,
        friction: 1,
        position: [-0.5 + 0.5 * c - 0.5 * s, 0.5 * s + 0.5 * c, 0],
        rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
        linearVelocity: [-w * (0.5 * s + 0.5 * c), w * (0.5 * c - 0.5 * s), 0],
        angularVelocity: [0, 0, w],
        hitSpeed: 1.5,
      });
      const hits: { speed: number; expected: number; impulse: number }[] = [];
      let last = 0;
      let touched = false;
      for (let i = 0; i < 24; i++) {
        const v = world.getLinearVelocity(box, [0, 0, 0])[1]!;
        const spin = world.getAngularVelocity(box, [0, 0, 0])[2]!;
        const wasTouching = touched;
        // What was met ahead of the surface is told a step later, with the speed before.
        const now = Math.abs(v + spin * 0.5);
        const expected = Math.max(last, now);
        last = now;
        world.step();
        for (const { kind, approachSpeed: speed, impulse } of world.events) {
          if (kind === 'begin') touched = true;
          if (kind === 'end') touched = false;
          if (kind === 'hit' && wasTouching) hits.push({ speed, expected, impulse });
        }
      }
      if (hits.length > 0) found++;
      expect(hits.length).toBeLessThan(2);
      for (const { speed, expected, impulse } of hits) {
        close(speed, expected, 0.05 * expected);
        expect(impulse).toBeGreaterThan(0.1);
      }
    }
    expect(found).toBe(12);
  });
});

test('thresholds: of the world, of colliders, of impulses; either collider is enough; what is set can be read', async () => {
  const fall = async (world: { hitSpeed?: number | null }, box: object, floor: object) => {
    const scene = await groundWorld({ gravity: [0, 0, 0], ...world }, floor);
    scene.world.createBody({ shape: scene.cube, mass: 2, position: [0, 0.75, 0], linearVelocity: [0, -4, 0], ...box });
    return record(scene.world, 20, 'hit').length;
  };
  expect(await fall({}, {}, {})).toBe(0);
  expect(await fall({ hitSpeed: null }, { hitSpeed: 3 }, {})).toBe(1);
  expect(await fall({}, {}, { hitSpeed: 3 })).toBe(1);
  expect(await fall({}, { hitSpeed: 5 }, { hitSpeed: 3 })).toBe(1);
  expect(await fall({}, { hitSpeed: 5 }, { hitSpeed: 6 })).toBe(0);
  expect(await fall({ hitSpeed: 3 }, { hitSpeed: 5 }, { hitSpeed: 6 })).toBe(0);
  expect(await fall({ hitSpeed: 5 }, { hitSpeed: 3 }, {})).toBe(1);
  expect(await fall({}, { hitImpulse: 7 }, {})).toBe(1);
  expect(await fall({}, { hitImpulse: 9 }, {})).toBe(0);
  expect(await fall({ hitSpeed: 5 }, { hitImpulse: 7 }, {})).toBe(0);
  expect(await fall({}, { hitSpeed: 3, hitImpulse: 9 }, {})).toBe(0);

  const { world, cube, floor } = await groundWorld();
  const [collider] = world.collidersOf(floor);
  expect(world.getColliderEvents(collider!)).toEqual({
    persistEvents: false,
    hitSpeed: null,
    hitImpulse: null,
    seesStatic: false,
  });
  world.setColliderEvents(collider!, { hitSpeed: 2.5, persistEvents: true });
  world.setColliderEvents(collider!, { hitImpulse: 4, seesStatic: true });
  expect(world.getColliderEvents(collider!)).toEqual({ persistEvents: true, hitSpeed: 2.5, hitImpulse: 4, seesStatic: true });
  world.setColliderEvents(collider!, { hitSpeed: null });
  expect(world.getColliderEvents(collider!)).toEqual({ persistEvents: true, hitSpeed: null, hitImpulse: 4, seesStatic: true });
  const [id] = world.createBodies({ count: 2, shape: cube, positions: [0, 5, 0, 3, 5, 0], hitSpeed: 8, persistEvents: true });
  expect(world.getColliderEvents(world.collidersOf(id!)[0]!)).toMatchObject({ persistEvents: true, hitSpeed: 8 });
  for (const [events, message] of [
    [{ hitSpeed: -1 }, /events.hitSpeed must be a finite number from 0/],
    [{ hitImpulse: NaN }, /events.hitImpulse/],
    [{ persistEvents: 1 }, /events.persistEvents must be true or false/],
    [{ persist: true }, /events has no 'persist'/],
    [null, /events must be an object/],
  ] as const) {
    expect(() => world.setColliderEvents(collider!, events as never)).toThrow(message);
  }
  expect(() => world.set({ hitSpeed: -1 })).toThrow(/settings.hitSpeed/);
  expect(() => world.set({ sleepEvents: 1 as never })).toThrow(/settings.sleepEvents/);
  expect(() => world.createBody({ shape: cube, hitSpeed: Infinity })).toThrow(/body.hitSpeed/);
  expect(world.getColliderEvents(collider!)).toEqual({ persistEvents: true, hitSpeed: null, hitImpulse: 4, seesStatic: true });
  expect(world.settings).toMatchObject({ hitSpeed: null, sleepEvents: false });
});

test.each(['wide', 'cell-split'] as const)('%s: asking for events changes no bit, and tells the same begins', async (solver) => {
  const run = async (asks: boolean) => {
    const random = seeded(7);
    const world = await createProduct({ solver, ...(asks ? { hitSpeed: 0.5, sleepEvents: true } : {}) });
    const cube = world.createShape({ type: 'box', halfExtents: [0.4, 0.3, 0.35] });
    const ball = world.createShape({ type: 'sphere', radius: 0.3 });
    const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0], restitution: 0.4 });
    const ids: BodyId[] = [];
    for (let i = 0; i < 120; i++) {
      ids.push(
        world.createBody({
          shape: i % 3 === 0 ? ball : cube,
          position: [2 * random() - 1, 0.5 + i / 4, 2 * random() - 1],
          restitution: i % 5 === 0 ? 0.6 : 0,
          persistEvents: asks && i % 2 === 0,
        }),
      );
    }
    const told: unknown[] = [];
    for (let i = 0; i < 400; i++) {
      if (i % 40 === 20) world.removeBody(ids[i / 4]!);
      world.step();
      for (const event of world.events)
        if (event.kind === 'begin' || event.kind === 'end')
          told.push({ ...event, bodyA: 0, bodyB: 0, colliderA: 0, colliderB: 0 });
    }
    return { positions: [...world.positions], rotations: [...world.rotations], told };
  };
  const plain = await run(false);
  expect(plain.told.length).toBeGreaterThan(200);
  expect(await run(true)).toEqual(plain);
});
