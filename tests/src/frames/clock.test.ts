// world.advance: frames of any length become steps of dt; nothing is lost below the bound, and nothing spirals above it.
import { expect, test } from 'vitest';
import { createWorld, TalusError } from '../../../src/index';
import { seeded } from '../../helpers/random';

async function falling(dt = 1 / 60) {
  const world = await createWorld({ dt });
  const body = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [0, 10, 0] });
  return { world, body };
}

test('random frames make the steps that their sum is due, and the rest is kept', async () => {
  const { world } = await falling();
  const next = seeded(7);
  let sum = 0;
  for (let i = 0; i < 2000; i++) {
    const seconds = next() * 0.05;
    sum += seconds;
    const frame = world.advance(seconds);
    expect(frame.dropped).toBe(0);
    expect(frame.waiting).toBe(false);
    expect(frame.alpha).toBeGreaterThanOrEqual(0);
    expect(frame.alpha).toBeLessThanOrEqual(1);
    expect(world.stepCount + frame.alpha).toBeCloseTo(60 * sum, 4);
  }
});

test('frames as long as a step make one step each, whatever their rounding', async () => {
  const { world } = await falling();
  for (let i = 0; i < 600; i++) expect(world.advance(Math.fround(1 / 60)).steps).toBe(1);
  const half = await falling(1 / 120);
  for (let i = 0; i < 600; i++) expect(half.world.advance(1 / 60).steps).toBe(2);
});

test('the steps are those of step()', async () => {
  const [one, two] = [await falling(), await falling()];
  for (let i = 0; i < 100; i++) one.world.step();
  while (two.world.stepCount < 100) two.world.advance(0.011, { maxSteps: 1 });
  expect([...two.world.positions]).toEqual([...one.world.positions]);
});

test('a long frame is let go beyond the bound, in whole steps', async () => {
  const { world } = await falling();
  const frame = world.advance(10.005);
  expect(frame.steps).toBe(6);
  expect(frame.dropped).toBeCloseTo(9.9, 6);
  expect(frame.alpha).toBeCloseTo(0.3, 6);
  expect(world.advance(0.5, { maxSteps: 2 })).toMatchObject({ steps: 2 });
  expect(world.advance(0)).toMatchObject({ steps: 0, dropped: 0 });
  // A bound in time ends the call after the step that passes it, and the next calls make up for it.
  const slow = await falling();
  expect(slow.world.advance(0.055, { maxMs: 0 })).toMatchObject({ steps: 1, dropped: 0, alpha: 1 });
  expect(slow.world.advance(0, { maxMs: 0 })).toMatchObject({ steps: 1, dropped: 0 });
  expect(slow.world.advance(0).steps).toBe(1);
  expect(slow.world.advance(1e6, { maxMs: 0 }).dropped).toBeCloseTo(1e6 - 6 / 60, 1);
});

test('a shorter dt takes effect with the next call', async () => {
  const { world } = await falling();
  expect(world.advance(0.1).steps).toBe(6);
  world.set({ dt: 1 / 240 });
  expect(world.advance(0.1).steps).toBe(24);
});

test('calls before and after every step', async () => {
  const { world, body } = await falling();
  const order: string[] = [];
  world.set({ gravity: [0, 0, 0] });
  world.advance(3.5 / 60, {
    beforeStep: () => {
      order.push(`before ${world.stepCount}`);
      world.addForce(body, [1, 0, 0]);
    },
    afterStep: () => order.push(`after ${world.stepCount}`),
  });
  expect(order).toEqual(['before 0', 'after 1', 'before 1', 'after 2', 'before 2', 'after 3']);
  const [vx] = world.getLinearVelocity(body, [0, 0, 0]);
  expect(vx).toBeCloseTo(3 / 60 / world.getMass(body), 6);
  let refused: unknown;
  world.advance(1 / 60, {
    beforeStep: () => {
      try {
        world.advance(1);
      } catch (error) {
        refused = error;
      }
    },
  });
  expect((refused as TalusError).code).toBe('unsupported');
  // What such a call throws comes out, and the world goes on.
  expect(() =>
    world.advance(1 / 60, {
      afterStep: () => {
        throw new Error('mine');
      },
    }),
  ).toThrow('mine');
  expect(world.advance(1 / 60).steps).toBe(1);
});

test('refuses what is no time and no option', async () => {
  const { world } = await falling();
  const wrong: [unknown, unknown][] = [
    [-1, {}],
    [Number.NaN, {}],
    [Number.POSITIVE_INFINITY, {}],
    ['1', {}],
    [undefined, {}],
    [0.1, { maxSteps: 0 }],
    [0.1, { maxSteps: 1.5 }],
    [0.1, { maxMs: -1 }],
    [0.1, { maxMs: Number.NaN }],
    [0.1, { beforeStep: 1 }],
    [0.1, { afterStep: {} }],
    [0.1, { interpolate: 1 }],
    [0.1, { steps: 1 }],
    [0.1, null],
  ];
  for (const [seconds, options] of wrong) {
    try {
      world.advance(seconds as number, options as object);
      expect.unreachable(`${seconds} ${JSON.stringify(options)}`);
    } catch (error) {
      expect(error).toBeInstanceOf(TalusError);
      expect((error as TalusError).code).toBe('invalid-argument');
    }
  }
  expect(world.stepCount).toBe(0);
  expect(world.advance(0)).toMatchObject({ steps: 0, alpha: 0 });
  world.dispose();
  expect(() => world.advance(0.1)).toThrow(TalusError);
});
