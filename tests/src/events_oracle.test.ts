// Events of random scenes against slow oracles: what touches is counted by hand from begins and ends and held against the contacts
// of each step, what persists is what touched before and after; sensors against distances of spheres, all against all; momentum
// against the impulses that the events tell. The same calls give the same events; WebGPU gives those of its twin.
import { describe, expect, inject, test } from 'vitest';
import type { BodyId, ColliderId, ContactEvent, World, WorldOptions } from '../../src/study/index';
import { useDevice } from '../helpers/gpu';
import { isLong } from '../helpers/long';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

const gpu = useDevice();

interface Ball {
  id: BodyId;
  collider: ColliderId;
  sensor: boolean;
  seesStatic: boolean;
  persists: boolean;
  radius: number;
  mask: number;
}

/** A player that makes random calls on a world of balls over a floor; the same seed makes the same calls. */
class Player {
  readonly balls: Ball[] = [];
  readonly random: () => number;
  floor: BodyId;
  constructor(
    readonly world: World,
    seed: number,
    private readonly friction: number,
  ) {
    this.random = seeded(seed);
    const slab = world.createShape({ type: 'box', halfExtents: [30, 1, 30] });
    // The oracle does not know the floor as a sphere: sensors do not see it.
    this.floor = world.createBody({ type: 'static', shape: slab, position: [0, -1, 0], category: 2, friction });
    for (let i = 0; i < 50; i++) this.create();
  }
  place(): [number, number, number] {
    return [4 * this.random() - 2, 0.2 + 3 * this.random(), 4 * this.random() - 2];
  }
  create(): void {
    const { random, world, friction } = this;
    const sensor = random() < 0.2;
    const seesStatic = sensor && random() < 0.5;
    const persists = random() < 0.6;
    const radius = 0.15 + 0.3 * random();
    const mask = sensor ? 1 : 3;
    const type = random() < 0.6 ? 'dynamic' : random() < 0.5 ? 'kinematic' : 'static';
    const id = world.createBody({
      type,
      shape: world.createShape({ type: 'sphere', radius }),
      position: this.place(),
      sensor,
      density: 1000,
      friction,
      rollingResistance: 0,
      restitution: random() < 0.3 ? 0.5 : 0,
      gravityScale: sensor ? 0 : 1,
      seesStatic,
      persistEvents: persists,
      mask,
    });
    this.balls.push({ id, collider: world.collidersOf(id)[0]!, sensor, seesStatic, persists, radius, mask });
  }
  /** Calls between two steps; returns the bodies that they pushed. */
  play(): Set<BodyId> {
    const { random, world, balls } = this;
    const pushed = new Set<BodyId>();
    const count = random() < 0.5 ? 0 : 3;
    for (let i = 0; i < count; i++) {
      const k = Math.floor(balls.length * random());
      const ball = balls[k]!;
      pushed.add(ball.id);
      const type = world.getType(ball.id);
      switch (Math.floor(8 * random())) {
        case 0:
          world.removeBody(ball.id);
          balls.splice(k, 1);
          break;
        case 1:
          this.create();
          break;
        case 2:
          world.teleport(ball.id, this.place());
          break;
        case 3:
          if (type !== 'static') world.setVelocity(ball.id, [2 * random() - 1, 4 * random(), 2 * random() - 1]);
          break;
        case 4:
          world.setType(ball.id, (['static', 'kinematic', 'dynamic'] as const)[Math.floor(3 * random())]!);
          break;
        case 5:
          ball.mask ^= 1;
          world.setMaterial(ball.collider, { mask: ball.mask });
          break;
        case 6:
          ball.persists = !ball.persists;
          world.setColliderEvents(ball.collider, { persistEvents: ball.persists });
          break;
        default:
          ball.seesStatic = ball.sensor && !ball.seesStatic;
          world.setColliderEvents(ball.collider, { seesStatic: ball.seesStatic });
      }
    }
    return pushed;
  }
}

const key = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);

// The short form has the solvers of the product, and one of the study, all of which tell events by the same code.
const SOLVERS = ['wide', 'cell-split', 'pgs', ...(isLong ? (['pair-split', 'jacobi'] as const) : [])] as const;

describe.each(SOLVERS)('%s', (solver) => {
  test('touching, persists and sensors', async () => {
    let persists = 0;
    let sensed = 0;
    for (let seed = 1; seed <= 2; seed++) {
      const world = await createWorld({ solver, sleepTime: 0.1, sleepEvents: true });
      const player = new Player(world, seed, 0.5);
      const touching = new Set<string>();
      const overlapping = new Set<string>();
      for (let step = 0; step < 250; step++) {
        player.play();
        const { balls } = player;
        const byId = new Map(balls.map((ball) => [ball.id, ball]));
        const at = balls.map(({ id }) => world.getPosition(id, [0, 0, 0]));
        const before = new Set(touching);
        world.step();
        const persisted = new Set<string>();
        for (const { kind, bodyA, bodyB, force, impulse } of world.events) {
          const pair = key(bodyA, bodyB);
          if (kind === 'begin') {
            expect(touching.has(pair)).toBe(false);
            touching.add(pair);
          } else if (kind === 'end') expect(touching.delete(pair)).toBe(true);
          else if (kind === 'sensor-begin') {
            expect(overlapping.has(pair)).toBe(false);
            overlapping.add(pair);
          } else if (kind === 'sensor-end') expect(overlapping.delete(pair)).toBe(true);
          else if (kind === 'persist') {
            expect(persisted.has(pair)).toBe(false);
            persisted.add(pair);
            expect(Number.isFinite(force) && force >= 0 && impulse >= 0).toBe(true);
          }
        }
        // What persists: touched before and after, asked for, with something awake in this step.
        const slept = new Set(world.events.sleeps);
        const expected = [...touching].filter((pair) => {
          const ids = pair.split(' ').map(Number) as BodyId[];
          const asked = ids.some((id) => byId.get(id)?.persists);
          const active = ids.some((id) => world.getType(id) === 'dynamic' && (!world.isAsleep(id) || slept.has(id)));
          return before.has(pair) && asked && active;
        });
        // A pair that ended and began again in one step, as after a change of type, has begun.
        const anew = new Set([...world.events].filter(({ kind }) => kind === 'begin').map((e) => key(e.bodyA, e.bodyB)));
        expect([...persisted].sort()).toEqual(expected.filter((pair) => !anew.has(pair)).sort());
        persists += persisted.size;
        // Contacts that press are of pairs that touch.
        const contacts = world.readContacts();
        for (let i = 0; i < contacts.count; i++) {
          if (!(contacts.separations[i]! < -1e-4 && contacts.impulses[i]! > 1e-3)) continue;
          const [a, b] = [world.bodyAt(contacts.bodyA[i]!)!, world.bodyAt(contacts.bodyB[i]!)!];
          expect(touching.has(key(a, b))).toBe(true);
        }
        // Sensors, all against all, but for a hair.
        for (let i = 0; i < balls.length; i++) {
          for (let j = 0; j < i; j++) {
            const [a, b] = [balls[i]!, balls[j]!];
            if (!a.sensor && !b.sensor) continue;
            const types = [world.getType(a.id), world.getType(b.id)];
            const statics =
              types.every((type) => type === 'static') && !(a.sensor && a.seesStatic) && !(b.sensor && b.seesStatic);
            const filtered = (a.mask & 1) === 0 || (b.mask & 1) === 0 || statics;
            const gap = Math.hypot(...[0, 1, 2].map((k) => at[i]![k]! - at[j]![k]!)) - a.radius - b.radius;
            if (!filtered && Math.abs(gap) < 1e-4) continue;
            const overlaps = !filtered && gap < 0;
            if (overlaps) sensed++;
            // Asked a million times, and slow: only where it is about to fail.
            const told = overlapping.has(key(a.id, b.id));
            if (told !== overlaps) expect([told, types, gap]).toEqual([overlaps, types, gap]);
          }
        }
      }
      world.dispose();
    }
    expect(persists).toBeGreaterThan(1000);
    expect(sensed).toBeGreaterThan(500);
  });

  test('impulses of begins and persists are what changes the velocities', async () => {
    let checked = 0;
    const world = await createWorld({ solver, sleep: false });
    const player = new Player(world, 5, 0);
    for (const ball of player.balls) world.setColliderEvents(ball.collider, { persistEvents: true });
    world.setColliderEvents(world.collidersOf(player.floor)[0]!, { persistEvents: true });
    const touching = new Set<string>();
    for (let step = 0; step < 150; step++) {
      const dynamic = player.balls.filter(({ id, sensor }) => !sensor && world.getType(id) === 'dynamic').map(({ id }) => id);
      const change = new Map(dynamic.map((id) => [id, world.getLinearVelocity(id, [0, 0, 0]).map((v) => -v)]));
      world.step();
      for (const id of dynamic) {
        const v = world.getLinearVelocity(id, [0, 0, 0]);
        for (let k = 0; k < 3; k++) change.get(id)![k]! += v[k]!;
      }
      for (const id of dynamic) change.get(id)![1]! += 9.81 / 60;
      const size = new Map(dynamic.map((id) => [id, 0]));
      for (const { kind, bodyA, bodyB, normal, impulse } of world.events) {
        if (kind === 'begin') touching.add(key(bodyA, bodyB));
        if (kind === 'end') touching.delete(key(bodyA, bodyB));
        for (const [id, sign] of [
          [bodyA, 1],
          [bodyB, -1],
        ] as const) {
          if (!change.has(id)) continue;
          const m = world.getMass(id);
          for (let k = 0; k < 3; k++) change.get(id)![k]! += (sign * normal[k]! * impulse) / m;
          size.set(id, size.get(id)! + impulse / m);
        }
      }
      // Pairs that were braked ahead of their contact tell of it a step later.
      const contacts = world.readContacts();
      const begun = [...world.events].filter(({ kind }) => kind === 'begin');
      const unsure = new Set(begun.flatMap(({ bodyA, bodyB }) => [bodyA, bodyB]));
      for (let i = 0; i < contacts.count; i++) {
        const [a, b] = [world.bodyAt(contacts.bodyA[i]!)!, world.bodyAt(contacts.bodyB[i]!)!];
        if (!touching.has(key(a, b))) unsure.add(a).add(b);
      }
      for (const id of dynamic) {
        if (unsure.has(id)) continue;
        checked++;
        expect(Math.hypot(...change.get(id)!)).toBeLessThan(2e-3 + 0.02 * size.get(id)!);
      }
    }
    expect(checked).toBeGreaterThan(500);
  });
});

/** All events of a run, with slots instead of ids. */
async function run(options: WorldOptions, seed: number): Promise<{ events: Omit<ContactEvent, 'bodyA'>[]; rest: number[] }> {
  const world = await createWorld({ sleepTime: 0.1, sleepEvents: true, hitSpeed: 0.5, ...options });
  const player = new Player(world, seed, 0.5);
  const events: ContactEvent[] = [];
  const rest: number[] = [];
  const slot = (id: number) => id % 2 ** 24;
  const onGpu = options.backend === 'webgpu';
  for (let step = 0; step < (onGpu || options.solver === 'cell-split' ? 40 : 200); step++) {
    player.play();
    if (onGpu) await world.stepAsync();
    else world.step();
    for (const event of world.events) {
      events.push({
        ...event,
        bodyA: (world.isAlive(event.bodyA) ? slot(event.bodyA) : 0) as BodyId,
        bodyB: (world.isAlive(event.bodyB) ? slot(event.bodyB) : 0) as BodyId,
        colliderA: slot(event.colliderA) as ColliderId,
        colliderB: slot(event.colliderB) as ColliderId,
      });
    }
    rest.push(...[...world.events.sleeps].map(slot), -1, ...[...world.events.wakes].map(slot), -2);
  }
  world.dispose();
  return { events, rest };
}

test('the same calls give the same events in the same order', async () => {
  const first = await run({}, 9);
  expect(new Set(first.events.map(({ kind }) => kind))).toEqual(
    new Set(['begin', 'end', 'persist', 'hit', 'sensor-begin', 'sensor-end']),
  );
  expect(await run({}, 9)).toEqual(first);
});

test('WebGPU gives the events of its twin', async () => {
  const twin = await run({ solver: 'cell-split' }, 3);
  const onGpu = await run({ backend: 'webgpu', device: gpu.device, readbackTolerance: 0 }, 3);
  if (inject('adapter').software) expect(onGpu).toEqual(twin);
  else {
    const count = ({ events }: typeof twin, kind: string) => events.filter((event) => event.kind === kind).length;
    for (const kind of ['begin', 'persist', 'hit', 'sensor-begin']) {
      expect(Math.abs(count(onGpu, kind) - count(twin, kind))).toBeLessThan(4 + 0.05 * count(twin, kind));
    }
  }
});
