// Callbacks: when they run, in which order, what they may do, what becomes of what they throw; sleep and wake events.
import { expect, test } from 'vitest';
import { type BodyId, createWorld, type EventKind, TalusError, type World } from '../../src/index';
import { seeded } from '../helpers/random';

async function ground(options = {}): Promise<{ world: World; floor: BodyId; ball: (x: number, y?: number) => BodyId }> {
  const world = await createWorld(options);
  const slab = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
  const floor = world.createBody({ type: 'static', shape: slab, position: [0, -1, 0] });
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  return { world, floor, ball: (x, y = 0.52) => world.createBody({ shape, position: [x, y, 0] }) };
}

const steps = (world: World, count: number) => {
  for (let i = 0; i < count; i++) world.step();
};

test('callbacks hear what the list has, in its order, when the step is done', async () => {
  const { world, ball } = await ground({ hitSpeed: 0.1 });
  const heard: unknown[] = [];
  for (const kind of ['begin', 'end', 'hit'] as const) {
    world.on(kind, (event) => {
      expect(world.stepCount).toBe(step + 1);
      heard.push(event);
    });
  }
  for (let i = 0; i < 6; i++) ball(2 * i, 0.6 + 0.1 * i);
  let step = 0;
  for (; step < 60; step++) {
    heard.length = 0;
    world.step();
    expect(heard).toEqual([...world.events]);
  }
});

test('on, once, off, and what on returns', async () => {
  const { world, ball } = await ground();
  const calls: string[] = [];
  const hear = (name: string) => () => calls.push(name);
  const a = hear('a');
  const endB = world.on('begin', hear('b'));
  world.on('begin', a);
  world.once('begin', hear('once'));
  world.once('begin', a);
  ball(0);
  steps(world, 20);
  expect(calls).toEqual(['b', 'a', 'once', 'a']);
  endB();
  endB();
  ball(3);
  steps(world, 20);
  expect(calls.slice(4)).toEqual(['a']);
  world.off('begin', a);
  ball(6);
  steps(world, 20);
  expect(calls.length).toBe(5);
  for (const [kind, listener, message] of [
    ['began', a, /kind must be one of 'begin'/],
    ['begin', 3, /listener must be a function, got 3/],
  ] as const) {
    for (const call of ['on', 'once', 'off'] as const)
      expect(() => world[call](kind as EventKind, listener as never)).toThrow(message);
  }
  world.dispose();
  for (const call of ['on', 'once', 'off'] as const) expect(() => world[call]('begin', a)).toThrow(/disposed/);
});

test('a callback may make and remove bodies, and end callbacks; they are there or gone at once', async () => {
  const { world, floor, ball } = await ground();
  const made: BodyId[] = [];
  let later = 0;
  const end = world.on('end', () => later++);
  world.on('begin', (event) => {
    const body = event.bodyA === floor ? event.bodyB : event.bodyA;
    if (world.isAlive(body)) world.removeBody(body);
    const copy = ball(3 * made.length + 30, 3);
    expect(world.isAlive(copy)).toBe(true);
    expect(world.getPosition(copy, [0, 0, 0])[1]).toBe(3);
    made.push(copy);
    world.on('begin', () => later++); // hears the next steps, not what is left of this one
  });
  for (let i = 0; i < 5; i++) ball(3 * i);
  const count = world.bodyCount;
  while (made.length === 0) world.step();
  expect(made.length).toBe(5);
  expect(later).toBe(0);
  expect(world.events.count).toBe(5);
  expect(world.bodyCount).toBe(count);
  end();
  world.step(); // its list has the five ends
  expect([...world.events].map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'end'));
  expect(later).toBe(0);
});

test('an end that a listener is dropped before is not heard; a closed world calls nobody', async () => {
  const { world, ball } = await ground();
  const calls: number[] = [];
  let endSecond = () => {};
  world.on('begin', () => {
    calls.push(1);
    endSecond();
  });
  endSecond = world.on('begin', () => calls.push(2));
  world.on('begin', () => {
    calls.push(3);
    if (calls.length > 3) world.dispose();
  });
  ball(0);
  ball(3);
  ball(6);
  expect(() => steps(world, 20)).toThrow(/disposed/);
  expect(calls).toEqual([1, 3, 1, 3]);
});

test('what callbacks throw is thrown by step when all were called, and the world goes on; step in a callback is refused', async () => {
  const { world, ball } = await ground();
  let heard = 0;
  const first = world.on('begin', () => {
    throw new Error('mine');
  });
  world.on('begin', () => heard++);
  ball(0);
  const before = world.stepCount;
  expect(() => steps(world, 30)).toThrow('mine');
  expect(heard).toBe(1);
  expect(world.events.count).toBe(1);
  expect(world.stepCount).toBeGreaterThan(before);
  ball(3);
  ball(6);
  expect(() => steps(world, 30)).toThrow(AggregateError);
  expect(heard).toBe(3);
  first();
  world.on('begin', () => world.step());
  ball(9);
  let error: unknown;
  try {
    steps(world, 30);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(TalusError);
  expect((error as TalusError).message).toMatch(/step\(\) inside an event listener/);
  const count = world.stepCount;
  steps(world, 5);
  expect(world.stepCount).toBe(count + 5);
  ball(12);
  await expect(
    (async () => {
      for (let i = 0; i < 30; i++) await world.stepAsync();
    })(),
  ).rejects.toThrow(/step\(\) inside an event listener/);
});

test('joint breaks', async () => {
  const { world, ball } = await ground();
  const [a, b] = [ball(0, 5), ball(1, 5)];
  const joint = world.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor: [0.5, 5, 0], breakForce: 5 });
  const heard: unknown[] = [];
  world.on('joint-break', (event) => heard.push(event));
  world.applyImpulse(a, [-5000, 0, 0]);
  steps(world, 3);
  expect(heard).toEqual([{ kind: 'joint-break', joint }]);
});

test('sleep and wake events keep the set of sleepers, in random scenes with removals, teleports, wakes and other types', async () => {
  let sleeps = 0;
  let wakes = 0;
  for (const solver of ['wide', 'cell-split'] as const) {
    for (let seed = 1; seed <= 6; seed++) {
      const random = seeded(seed);
      const { world, ball } = await ground({ solver, sleepEvents: true, sleepTime: seed % 2 === 0 ? 0.2 : 0 });
      const bodies: BodyId[] = [];
      for (let i = 0; i < 40; i++) bodies.push(ball(10 * random() - 5, 0.5 + 3 * random()));
      const asleep = new Set<BodyId>();
      const heard: BodyId[] = [];
      if (seed % 2 === 0) world.on('wake', ({ body }) => heard.push(body));
      for (let i = 0; i < 400; i++) {
        const k = Math.floor(bodies.length * random());
        const call = random();
        if (call < 0.02) world.removeBody(bodies.splice(k, 1)[0]!);
        else if (call < 0.04) bodies.push(ball(10 * random() - 5, 3));
        else if (call < 0.06) world.teleport(bodies[k]!, [10 * random() - 5, 2, 0]);
        else if (call < 0.08) world.wake(bodies[k]!);
        else if (call < 0.09) world.setType(bodies[k]!, world.getType(bodies[k]!) === 'dynamic' ? 'static' : 'dynamic');
        else if (call < 0.095) world.applyImpulse(bodies.find((id) => world.getType(id) === 'dynamic')!, [200, 200, 0]);
        heard.length = 0;
        world.step();
        const { events } = world;
        if (seed % 2 === 0) expect(heard).toEqual([...events.wakes]);
        expect(new Set(events.sleeps).size).toBe(events.sleeps.count);
        expect(new Set(events.wakes).size).toBe(events.wakes.count);
        for (const id of asleep) if (!world.isAlive(id)) asleep.delete(id);
        for (const id of events.wakes) {
          expect(asleep.delete(id)).toBe(true);
          wakes++;
        }
        for (const id of events.sleeps) {
          expect(asleep.has(id)).toBe(false);
          asleep.add(id);
          sleeps++;
        }
        expect([...asleep].sort()).toEqual(bodies.filter((id) => world.isAsleep(id)).sort());
      }
    }
  }
  expect(sleeps).toBeGreaterThan(300);
  expect(wakes).toBeGreaterThan(100);
});

test('nobody asks for sleep: the lists are empty; who listens asks as long as it does', async () => {
  const { world, ball } = await ground();
  const id = ball(0, 0.5);
  const sleep = () => {
    for (let i = 0; i < 200 && !world.isAsleep(id); i++) world.step();
    expect(world.isAsleep(id)).toBe(true);
  };
  sleep();
  expect(world.events.sleeps.count).toBe(0);
  world.wake(id);
  world.step();
  expect(world.events.wakes.count).toBe(0);
  const heard: unknown[] = [];
  world.once('sleep', (event) => heard.push(event));
  sleep();
  expect(heard).toEqual([{ kind: 'sleep', body: id }]);
  expect([...world.events.sleeps]).toEqual([id]);
  expect(world.events.sleeps.at(0)).toBe(id);
  expect(() => world.events.sleeps.at(1)).toThrow(/entry 1 does not exist: there are 1/);
  world.wake(id);
  world.step();
  expect(world.events.wakes.count).toBe(0);
  const end = world.on('wake', (event) => heard.push(event));
  sleep();
  world.wake(id);
  world.step();
  expect(heard.length).toBe(2);
  end();
  sleep();
  expect(world.events.sleeps.count).toBe(0);
});
