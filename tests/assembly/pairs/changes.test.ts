// What changes between steps do to pairs: which end, which are tested again, which bodies wake; against lists made by hand.
import { describe, expect, it } from 'vitest';
import { EventRow, Header, NONE, PairCold, PairGap, PairHot } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';

// Kind of an event (assembly/events/events.ts).
const EVENT_END = 2;

/** Pairs by their colliders, lower one first. */
function pairsOf(world: BoxWorld) {
  const view = new DataView(world.memory.buffer);
  const found = new Map<string, { pair: number; manifold: number; budget: number; bodies: number[] }>();
  for (let pair = 0; pair < world.u32(Header.pairCount); pair++) {
    const cold = world.u32(Header.pairColds) + pair * PairCold.STRIDE;
    const hot = world.u32(Header.pairHots) + pair * PairHot.STRIDE;
    const colliders = [view.getUint32(cold, true), view.getUint32(cold + 4, true)].sort((a, b) => a - b);
    found.set(colliders.join(), {
      pair,
      manifold: view.getUint32(cold + PairCold.manifold, true),
      budget: view.getFloat64(hot + PairHot.budget, true),
      bodies: [view.getUint32(hot, true), view.getUint32(hot + 4, true)],
    });
  }
  return found;
}
const setBudgets = (world: BoxWorld, value: number) => {
  const view = new DataView(world.memory.buffer);
  for (let pair = 0; pair < world.u32(Header.pairCount); pair++)
    view.setFloat64(world.u32(Header.pairHots) + pair * PairHot.STRIDE + PairHot.budget, value, true);
};
const asleep = (world: BoxWorld, body: number) => world.core.isAsleep(body) === 1;

/** A floor, and on it a box, a ball, and a ball that hangs a little above; they sleep. */
function sleepers() {
  const world = new BoxWorld();
  world.setU32(Header.sleep, 1);
  world.box([0.4, -1, 0.2], [6, 1, 4], { type: 0 });
  const box = world.box([0, 0.1995, 0], [0.5, 0.2, 0.4]);
  const ball = world.sphere([2.1, 0.2995, 0.1], 0.3);
  const above = world.sphere([-2.1, 0.33, 0.1], 0.3);
  world.core.setMotion(above, 0, 0, 0);
  world.step(3);
  for (const body of [box, ball, above]) world.core.sleepBody(body);
  world.step(2);
  for (const body of [box, ball, above]) expect(asleep(world, body)).toBe(true);
  return { world, box, ball, above };
}

describe('sleepers', () => {
  it.each([true, false])(
    'wake where contacts that they lie on are computed again: %s; those without contacts sleep on',
    (wakes) => {
      const { world, box, ball, above } = sleepers();
      const before = pairsOf(world);
      expect(before.get(`0,${above}`)!.manifold).toBe(NONE);
      setBudgets(world, 1e6);
      world.core.testRenewContacts(0, wakes);
      expect([box, ball, above].map((body) => asleep(world, body))).toEqual([!wakes, !wakes, true]);
      for (const [key, { manifold, budget }] of pairsOf(world))
        expect([key, budget]).toEqual([key, manifold === NONE ? 1e6 : -1]);
    },
  );

  it('wake where a ball is the one that changes, and leave those that do not touch it', () => {
    const { world, box, ball } = sleepers();
    world.core.testRenewContacts(ball, true);
    expect([box, ball].map((body) => asleep(world, body))).toEqual([true, false]);
  });

  it('wake where a filter takes what they lie on from them; one that lies on nothing sleeps on', () => {
    const { world, box, ball, above } = sleepers();
    world.setU32(Header.eventCount, 0);
    world.core.setCollider(0, 0.6, 0, 0, 0, 1, 0);
    expect(pairsOf(world).size).toBe(0);
    expect([box, ball, above].map((body) => asleep(world, body))).toEqual([false, false, true]);
  });
});

describe('a filter', () => {
  /** A plate on many pillars, of which some end with it; two have no contact, one stands aside. */
  function plate(forbidden: readonly number[], tests: (world: BoxWorld, plate: number) => void) {
    const world = new BoxWorld();
    const pillars = 9;
    for (let i = 0; i < pillars; i++) world.sphere([0.8 * i - 3, -0.3, 0.3 * (i % 3)], 0.3, { type: i % 4 === 3 ? 2 : 0 });
    const body = world.box([0.1, 0.1495, 0.2], [4, 0.15, 1]);
    world.setF32(Header.gravityY, -0.5);
    world.step(2);
    for (const i of forbidden) world.core.setCollider(i, 0.6, 0, 0, 0, 4, 0xffffffff);
    world.setU32(Header.eventCount, 0);
    tests(world, body);
  }
  it.each([[[0]], [[8]], [[0, 1, 2]], [[2, 5, 8]], [[1, 3, 4, 7]], [[0, 1, 2, 3, 4, 5, 6, 7, 8]]])(
    'ends the pairs that it forbids and leaves the others with their contacts: %o',
    (forbidden) => {
      plate(forbidden, (world, body) => {
        const before = pairsOf(world);
        expect(before.size).toBe(9);
        // Bit 4 is none of the plate's any more.
        world.core.setCollider(body, 0.6, 0, 0, 0, 1, 0xffffffff ^ 4);
        const after = pairsOf(world);
        const left = [...before.keys()].filter((key) => !forbidden.includes(Number(key.split(',')[0])));
        expect([...after.keys()].sort()).toEqual(left.sort());
        for (const key of left) expect(after.get(key)!.manifold).toBe(before.get(key)!.manifold);
        const view = new DataView(world.memory.buffer);
        const ended = Array.from({ length: world.u32(Header.eventCount) }, (_, i) => {
          const at = world.u32(Header.events) + i * EventRow.STRIDE;
          return [EventRow.kind, EventRow.colliderA, EventRow.colliderB].map((k) => view.getUint32(at + k, true)).join();
        });
        expect(ended.sort()).toEqual(forbidden.map((i) => `${EVENT_END},${i},${body}`).sort());
        expect(world.u32(Header.manifoldAlive)).toBe(left.length);
      });
    },
  );
});

it('contacts of a collider that may not be recycled are tested anew in the next step, the others are recycled', () => {
  const world = new BoxWorld();
  const random = seeded(4);
  world.box([0.4, -1, 0.2], [9, 1, 9], { type: 0 });
  for (let i = 0; i < 6; i++) world.box([1.5 * i - 4, 0.1995, random()], [0.5, 0.2, 0.4]);
  world.box([-4, 0.549, 0.4], [0.3, 0.15, 0.3]);
  world.step(3);
  const tests = () => {
    setBudgets(world, -1);
    world.core.stepBroadphase();
    world.core.stepContacts();
    return world.u32(Header.fullTests);
  };
  tests();
  expect(tests()).toBe(0);
  // One on the floor with another on top; that on top alone; the floor.
  for (const [collider, count] of [
    [1, 2],
    [7, 1],
    [0, 6],
  ] as const) {
    world.core.testForbidRecycling(collider);
    expect(tests()).toBe(count);
    expect(tests()).toBe(0);
  }
});

it('budgets are the paths of both bodies and what a contact, or a gap, leaves to go', () => {
  const world = new BoxWorld();
  world.box([0.4, -1, 0.2], [9, 1, 9], { type: 0 });
  const random = seeded(14);
  for (let i = 0; i < 12; i++) {
    const body =
      i % 3 ? world.box([0.9 * i - 4, 0.2 + 0.1 * (i % 2), 0], [0.5, 0.2, 0.4]) : world.sphere([0.9 * i - 4, 0.3, 0], 0.3);
    world.core.setVelocity(body, random() - 0.5, 0, 2 * random(), random(), random(), 0);
  }
  world.step(4);
  setBudgets(world, -1);
  const view = new DataView(world.memory.buffer);
  world.core.stepBroadphase();
  world.core.stepContacts();
  let [contacts, gaps] = [0, 0];
  for (const { pair, manifold, budget, bodies } of pairsOf(world).values()) {
    const paths = bodies.map((body) => view.getFloat64(world.u32(Header.paths) + 8 * body, true));
    const gap = view.getUint32(world.u32(Header.pairGapBlocks), true) + pair * PairGap.STRIDE;
    const reach = view.getFloat32(gap + PairGap.reach, true);
    expect(budget).toBeCloseTo(paths[0]! + paths[1]! + (manifold === NONE ? reach : 5e-4), 9);
    if (manifold === NONE && reach > 0) gaps++;
    else contacts++;
  }
  expect(Math.min(contacts, gaps)).toBeGreaterThan(3);
});

it('deep pairs are those whose deepest point is deeper than a twentieth of the smaller extent', () => {
  for (const side of [1, -1]) {
    const world = new BoxWorld();
    world.box([0.4, -1, 0.2], [9, 1, 9], { type: 0 });
    const half = [0.3, 0.2, 0.25];
    let deep = 0;
    for (let i = 0; i < 12; i++) {
      const tilt = side * (i % 3 === 0 ? 0.1 : -0.12);
      const sink = 0.01 * i;
      const lowest = 0.3 * Math.abs(Math.sin(tilt)) + 0.2 * Math.cos(tilt);
      const axis = i % 2 ? [Math.sin(tilt / 2), 0, 0] : [0, 0, Math.sin(tilt / 2)];
      const reach = i % 2 ? 0.25 * Math.abs(Math.sin(tilt)) + 0.2 * Math.cos(tilt) : lowest;
      world.box([1.2 * i - 7, reach - sink, 0], half, { rotation: [axis[0]!, axis[1]!, axis[2]!, Math.cos(tilt / 2)] });
      if (sink > 0.05 * Math.hypot(...half)) deep++;
    }
    expect(deep).toBeGreaterThan(4);
    expect(deep).toBeLessThan(11);
    world.core.stepBroadphase();
    world.core.stepContacts();
    expect(world.u32(Header.deepVisits)).toBe(deep);
    // And by what they are once they are kept.
    setBudgets(world, -1);
    world.core.stepBroadphase();
    world.core.stepContacts();
    expect(world.u32(Header.fullTests)).toBe(0);
    expect(world.u32(Header.deepVisits)).toBe(deep);
  }
});

describe('a crowd', () => {
  const make = () => {
    const world = new BoxWorld();
    world.setF32(Header.gravityY, 0);
    world.sphere([0, 5, 0], 1);
    for (let i = 0; i < 6; i++) world.sphere([1.2 * Math.cos(i + 0.1), 5, 1.2 * Math.sin(i + 0.1)], 0.3);
    world.sphere([20, 5, 0], 0.5);
    const walk = () => {
      world.core.stepBroadphase();
      world.core.stepContacts();
    };
    const push = new DataView(world.memory.buffer).getFloat32(1024 + Header.pushSpeed, true);
    return { world, walk, push };
  };

  it('holds those that have one deep contact in it, and not what touches nothing', () => {
    const { world, walk, push } = make();
    walk();
    for (const body of [0, 1, 7]) world.core.setVelocity(body, 12 * push, -9 * push, 8 * push, 0, 0, 0);
    world.core.testHoldOverlap();
    const held = [12, -9, 8].map((v) => (v * 4 * push) / 17);
    for (const body of [0, 1]) for (const [i, v] of world.linearVelocity(body).entries()) expect(v).toBeCloseTo(held[i]!, 4);
    for (const [i, v] of world.linearVelocity(7).entries()) expect(v).toBeCloseTo([12, -9, 8][i]! * push, 4);
  });

  it('that has parted is one no more: the next two bodies in each other are free', () => {
    const { world, walk, push } = make();
    walk();
    expect(world.u32(Header.overlapping)).toBe(1);
    for (let i = 0; i < 8; i++) world.core.setPose(i, 4 * i, 5, 0, 0, 0, 0, 1);
    walk();
    expect(world.u32(Header.overlapping)).toBe(0);
    world.core.setPose(2, 4.3, 5, 0.1, 0, 0, 0, 1);
    walk();
    expect(world.u32(Header.deepVisits)).toBe(1);
    world.core.setVelocity(2, 0, 30 * push, 0, 0, 0, 0);
    world.core.testHoldOverlap();
    expect(world.linearVelocity(2)[1]).toBeCloseTo(30 * push, 3);
  });

  it('takes no memory that a world without one lacks', () => {
    const world = new BoxWorld();
    world.sphere([0, 5, 0], 1);
    world.step();
    expect(world.u32(Header.overlapCounts)).toBeGreaterThan(0);
  });
});
