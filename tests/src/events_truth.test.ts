// The truth table of events: what each kind of event tells of each pair of body types, sensors or not; and the ends that are sent
// when a body or collider goes, or is put elsewhere.
import { expect, test } from 'vitest';
import type { ColliderEvents } from '../../src/index';
import type { BodyId, BodyType, ContactEventKind, World } from '../../src/study/index';
import { createWorld } from '../helpers/worlds';

const STATES = ['dynamic', 'asleep', 'kinematic', 'static'] as const;
type State = (typeof STATES)[number];

const SLEEPY = { sleepTime: 0, sleepSpeed: 1 } as const;

/** Puts two balls inside each other, and returns the kinds of events of the next steps, each with how often it came. */
async function meet(a: State, b: State, sensors: [boolean, boolean], asks: ColliderEvents, solver: 'wide' | 'cell-split') {
  const world = await createWorld({
    solver,
    gravity: [0, 0, 0],
    hitSpeed: 0,
    sleep: a === 'asleep' || b === 'asleep',
    ...SLEEPY,
  });
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  const make = (state: State, x: number, sensor: boolean): BodyId =>
    world.createBody({
      type: state === 'asleep' ? 'dynamic' : (state as BodyType),
      shape,
      sensor,
      density: 1000,
      position: [x, 0, 0],
      ...asks,
    });
  const first = make(a, 0, sensors[0]);
  const second = make(b, 5, sensors[1]);
  // Each by itself: what sleeps is at rest, what is awake is kept so.
  const keep = () => {
    for (const [id, state] of [
      [first, a],
      [second, b],
    ] as const) {
      if (state === 'dynamic') world.wake(id);
    }
  };
  world.step();
  keep();
  expect(world.isAsleep(first)).toBe(a === 'asleep');
  // A sleeping body stays where it is: the other one comes.
  const [comes, stays] = b === 'asleep' && a !== 'asleep' ? [first, second] : [second, first];
  world.teleport(comes, comes === second ? [0.97, 0, 0] : [4.03, 0, 0]);
  const kinds = new Map<ContactEventKind, number>();
  for (let i = 0; i < 4; i++) {
    keep();
    world.step();
    for (const { kind, bodyA, bodyB } of world.events) {
      expect(new Set([bodyA, bodyB])).toEqual(new Set([first, second]));
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
  expect(stays).toBeDefined();
  return { world, comes, kinds };
}

const isDynamic = (state: State) => state === 'dynamic' || state === 'asleep';

for (const solver of ['wide', 'cell-split'] as const) {
  for (const a of STATES) {
    for (const b of STATES) {
      test(`${solver}: ${a} and ${b}`, async () => {
        for (const sensors of [
          [false, false],
          [true, false],
          [false, true],
          [true, true],
        ] as [boolean, boolean][]) {
          for (const asks of [{}, { persistEvents: true }, { seesStatic: true }] as ColliderEvents[]) {
            const { world, comes, kinds } = await meet(a, b, sensors, asks, solver);
            const label = JSON.stringify([sensors, asks, [...kinds]]);
            const sensor = sensors[0] || sensors[1];
            const touches = isDynamic(a) || isDynamic(b);
            const moves = touches || a === 'kinematic' || b === 'kinematic';
            expect(kinds.get('begin') ?? 0, label).toBe(!sensor && touches ? 1 : 0);
            expect(kinds.get('sensor-begin') ?? 0, label).toBe(sensor && (moves || asks.seesStatic) ? 1 : 0);
            expect(kinds.get('hit') ?? 0, label).toBeLessThan(!sensor && touches ? 5 : 1);
            if (!(!sensor && touches && asks.persistEvents)) expect(kinds.get('persist') ?? 0, label).toBe(0);
            // A dynamic body that is kept awake.
            else if (a === 'dynamic' || b === 'dynamic') expect(kinds.get('persist'), label).toBe(3);
            const ends: [ContactEventKind, number][] = [];
            world.removeBody(comes);
            world.step();
            for (const { kind } of world.events) ends.push([kind, 1]);
            const expected = sensor ? (moves || asks.seesStatic ? 'sensor-end' : null) : touches ? 'end' : null;
            expect(ends, label).toEqual(expected === null ? [] : [[expected, 1]]);
            world.dispose();
          }
        }
      });
    }
  }
}

async function zone(type: BodyType, other: BodyType): Promise<{ world: World; zone: BodyId; prop: BodyId }> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'box', halfExtents: [1, 1, 1] });
  const id = world.createBody({ type, shape, sensor: true, seesStatic: true, density: 1 });
  const prop = world.createBody({ type: other, shape, position: [5, 0, 0] });
  world.step();
  expect(world.events.count).toBe(0);
  return { world, zone: id, prop };
}

test.each([
  ['static', 'static'],
  ['static', 'kinematic'],
  ['kinematic', 'static'],
  ['kinematic', 'kinematic'],
  ['dynamic', 'static'],
] as const)('a %s sensor sees a %s body come, go, be removed, change its type and filter', async (type, other) => {
  const { world, zone: id, prop } = await zone(type, other);
  const kinds = () => {
    world.step();
    return [...world.events].map(({ kind }) => kind);
  };
  world.teleport(prop, [1.5, 0, 0]);
  expect(kinds()).toEqual(['sensor-begin']);
  expect(kinds()).toEqual([]);
  expect(world.profile.fullTests).toBeLessThan(type === 'static' && other === 'static' ? 1 : 2);
  world.teleport(prop, [5, 0, 0]);
  expect(kinds()).toEqual(['sensor-end']);
  world.teleport(id, [4, 0, 0]);
  expect(kinds()).toEqual(['sensor-begin']);
  world.setMaterial(world.collidersOf(prop)[0]!, { category: 2, mask: 2 });
  expect(kinds()).toEqual(['sensor-end']);
  world.setMaterial(world.collidersOf(prop)[0]!, { category: 1, mask: 1 });
  expect(kinds()).toEqual(['sensor-begin']);
  world.setType(prop, other === 'static' ? 'kinematic' : 'static');
  expect(kinds()).toEqual(['sensor-end', 'sensor-begin']);
  world.setType(prop, 'static');
  if (type === 'static') {
    kinds();
    const [collider] = world.collidersOf(id);
    world.setColliderEvents(collider!, { seesStatic: false });
    expect(kinds()).toEqual(['sensor-end']);
    world.setColliderEvents(collider!, { seesStatic: true });
    expect(kinds()).toEqual(['sensor-begin']);
  } else kinds();
  const late = world.createBody({ type: 'static', shape: world.createShape({ type: 'sphere', radius: 1 }), position: [4, 0, 0] });
  expect(kinds()).toEqual(['sensor-begin']);
  world.removeBody(late);
  world.removeBody(prop);
  expect(kinds()).toEqual(['sensor-end', 'sensor-end']);
});

test('a static body beside a sleeper is put into it, and a sensor off it: both are told, though their pairs were laid aside', async () => {
  const world = await createWorld({ gravity: [0, 0, 0], sleepTime: 0 });
  const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const body = world.createBody({ shape });
  const wall = world.createBody({ type: 'static', shape, position: [1.015, 0, 0] });
  const sensor = world.createBody({ type: 'static', shape, sensor: true, position: [-0.9, 0, 0] });
  const kinds = () => {
    world.step();
    return [...world.events].map(({ kind }) => kind);
  };
  expect(kinds()).toEqual(['sensor-begin']);
  expect(world.isAsleep(body)).toBe(true);
  world.teleport(sensor, [-1.1, 0, 0]);
  expect(kinds()).toEqual(['sensor-end']);
  expect(world.isAsleep(body)).toBe(true);
  world.teleport(wall, [0.98, 0, 0]);
  expect(kinds()).toEqual(['begin']);
});
