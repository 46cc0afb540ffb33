// Development warnings: each when it is due, once a world, where it was asked to go, and never in a world that is as most are.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildScene } from '../../scenes/index';
import { createWorld, type JointDesc, type ShapeId, type WarningCode, type World, type WorldOptions } from '../../src/index';
import { sceneWorld } from '../helpers/scene_world';

type Told = [WarningCode, string];

async function open(options: WorldOptions = {}): Promise<{ world: World; told: Told[]; ball: (radius: number) => ShapeId }> {
  const told: Told[] = [];
  const world = await createWorld({ warn: (message, code) => told.push([code, message]), ...options });
  return { world, told, ball: (radius) => world.createShape({ type: 'sphere', radius }) };
}

const run = (world: World, steps: number) => {
  for (let i = 0; i < steps; i++) world.step();
};
const codes = (told: Told[]) => told.map(([code]) => code);

describe('far from the origin', () => {
  test('a dynamic body beyond 4 km, once', async () => {
    const { world, told, ball } = await open();
    const body = world.createBody({ shape: ball(1), position: [5000, 0, 0] });
    world.createBody({ shape: ball(1), position: [0, 9000, 0] });
    run(world, 600);
    expect(codes(told)).toEqual(['far']);
    expect(told[0]![1]).toMatch(
      new RegExp(`body ${body} is 5 km from the origin: beyond 4\\.\\d+ km.*Bring the scene to the origin`),
    );
  });

  test('also one that falls out of the world, found later', async () => {
    const { world, told, ball } = await open({ gravity: [0, -1000, 0], maxLinearSpeed: 1000 });
    world.createBody({ shape: ball(1) });
    run(world, 120);
    expect(told).toEqual([]);
    run(world, 600);
    expect(codes(told)).toEqual(['far']);
  });

  test('not a static one, one that is removed, or one nearer', async () => {
    const { world, told, ball } = await open({ gravity: [0, 0, 0] });
    world.createBody({ type: 'static', shape: ball(1), position: [50_000, 0, 0] });
    world.createBody({ type: 'kinematic', shape: ball(1), position: [50_000, 9, 0] });
    world.createBody({ shape: ball(1), position: [4000, 0, 0] });
    world.removeBody(world.createBody({ shape: ball(1), position: [9000, 0, 0] }));
    run(world, 400);
    expect(told).toEqual([]);
  });
});

describe('sizes', () => {
  test.each([0.004, 100])('a ball of radius %d', async (radius) => {
    const { world, told, ball } = await open({ gravity: [0, 0, 0] });
    world.createBody({ shape: ball(radius) });
    run(world, 1);
    expect(codes(told)).toEqual(['size']);
    expect(told[0]![1]).toContain(`is about ${2 * radius} m across`);
    expect(told[0]![1]).toContain('1 cm to 100 m');
  });

  test('none for what measures 1 cm to 100 m, and for the ground', async () => {
    const { world, told, ball } = await open({ gravity: [0, 0, 0] });
    world.createBody({ shape: ball(0.005001), position: [0, 5, 0] });
    world.createBody({ shape: world.createShape({ type: 'box', halfExtents: [49, 49, 49] }), position: [0, 300, 0] });
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'box', halfExtents: [2000, 1, 2000] }),
      position: [0, -9, 0],
    });
    run(world, 200);
    expect(told).toEqual([]);
  });
});

describe('mass ratios', () => {
  test.each([
    [1001, 1],
    [999, 0],
  ])('bodies that touch, 1 to %d', async (mass, count) => {
    const { world, told, ball } = await open();
    const floor = world.createShape({ type: 'box', halfExtents: [5, 1, 5] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
    const light = world.createBody({ shape: ball(0.5), position: [0, 0.5, 0], mass: 1 });
    const heavy = world.createBody({ shape: ball(0.5), position: [0, 1.5, 0], mass });
    run(world, 40);
    expect(codes(told)).toEqual(count ? ['mass-ratio'] : []);
    if (!count) return;
    for (const words of [`${light} (1 kg)`, `${heavy} (1000 kg)`, 'touch: 1 to 1000', "preset 'high'"])
      expect(told[0]![1]).toContain(words);
  });

  test('bodies that share a joint', async () => {
    const { world, told, ball } = await open();
    const bodyA = world.createBody({ shape: ball(0.1), mass: 0.01 });
    const bodyB = world.createBody({ shape: ball(0.5), position: [3, 0, 0], mass: 100 });
    world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [0, 0, 0] });
    world.createJoint({ type: 'ball', bodyB: bodyA, anchor: [0, 0, 0] });
    run(world, 40);
    expect(codes(told)).toEqual(['mass-ratio']);
    expect(told[0]![1]).toContain('share a joint: 1 to 10000');
  });

  test('not bodies apart from each other, and not static ones', async () => {
    const { world, told, ball } = await open();
    world.createBody({ type: 'static', shape: ball(1), position: [0, -1, 0] });
    world.createBody({ shape: ball(0.1), position: [0, 0.1, 0], mass: 0.001 });
    world.createBody({ shape: ball(0.5), position: [9, 0, 0], mass: 1000 });
    run(world, 300);
    expect(told).toEqual([]);
  });
});

describe('loads', () => {
  /** Ten plates of 1 kg under a block; what is told besides masses. */
  async function plates(mass: number, options: WorldOptions): Promise<Told[]> {
    const { world, told } = await open({ sleep: false, ...options });
    const box = (halfExtents: [number, number, number]) => world.createShape({ type: 'box', halfExtents });
    world.createBody({ type: 'static', shape: box([50, 0.5, 50]), position: [0, -0.5, 0] });
    const plate = box([2, 0.25, 3]);
    for (let i = 0; i < 10; i++) world.createBody({ shape: plate, position: [0, 0.25 + 0.5 * i, 0], mass: 1 });
    world.createBody({ shape: box([4, 1, 4]), position: [0, 6, 0], mass });
    run(world, 200);
    world.dispose();
    return told.filter(([code]) => code !== 'mass-ratio');
  }

  test.each([
    [100, { preset: 'fast' }],
    [1000, { preset: 'fast' }],
    [1000, { substeps: 10 }],
    [20_000, {}],
  ] as const)('of %d kg that %o do not hold', async (mass, options) => {
    const told = await plates(mass, options);
    expect(codes(told)).toEqual(['overload']);
    expect(told[0]![1]).toMatch(
      /^the contact of bodies \d+ and \d+ carries \d+ N and has given way by [\d.]+ mm: .*more than these settings can hold/,
    );
  });

  test.each([
    [1, {}],
    [100, {}],
    [1000, {}],
    [1, { preset: 'fast' }],
  ] as const)('not of %d kg that %o hold', async (mass, options) => {
    expect(await plates(mass, options)).toEqual([]);
  });

  test('not of what was made overlapping, and is pushed apart', async () => {
    const { world, told } = await open({ sleep: false });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }) });
    for (let i = 0; i < 20; i++) world.createBody({ shape, position: [0.01 * i, 0.5, 0.2 * i] });
    run(world, 300);
    expect(told).toEqual([]);
  });

  test.each(['boxes-small', 'wall', 'pyramid', 'stack', 'cardhouse', 'slabs', 'heap', 'ragdolls150'])(
    'not in the scene %s',
    async (name) => {
      const told: Told[] = [];
      const scene = buildScene(name as 'wall', { seed: 1, scale: 0.3 });
      const world = await sceneWorld(scene, { sleep: false, warn: (message, code) => told.push([code, message]) });
      for (let i = 0; i < 300; i++) world.step();
      expect(codes(told).filter((code) => code === 'overload')).toEqual([]);
      world.dispose();
    },
  );
});

describe('running behind', () => {
  test('time that is let go ten times in a row', async () => {
    const { world, told } = await open();
    for (let i = 0; i < 9; i++) world.advance(0.2);
    world.advance(1 / 60);
    for (let i = 0; i < 9; i++) world.advance(0.2);
    expect(told).toEqual([]);
    for (let i = 0; i < 30; i++) world.advance(0.2);
    expect(codes(told)).toEqual(['behind']);
    expect(told[0]![1]).toMatch(/advance\(0\.2\) has dropped time 10 times, 0\.1 s.*frames take longer than 0\.1 s/);
  });

  test('milliseconds for seconds', async () => {
    const { world, told } = await open();
    for (let i = 0; i < 10; i++) world.advance(16.7);
    expect(told[0]![1]).toMatch(/advance\(16\.7\).*it takes seconds: divide milliseconds by 1000/);
  });
});

describe('degrees', () => {
  const pair = async () => {
    const made = await open();
    const bodyA = made.world.createBody({ type: 'static', shape: made.ball(0.5) });
    const bodyB = made.world.createBody({ shape: made.ball(0.5), position: [2, 0, 0] });
    return { ...made, base: { bodyA, bodyB, anchor: [1, 0, 0], axis: [0, 0, 1] } };
  };

  test.each<[string, Partial<JointDesc>]>([
    ['limit', { type: 'hinge', limit: { min: -90, max: 90 } }],
    ['spring', { type: 'hinge', spring: { target: 45, frequency: 2 } }],
    ['twist.limit', { type: 'cylindrical', twist: { limit: { min: 0, max: 180 } } }],
  ])('%s', async (place, desc) => {
    const { world, told, base } = await pair();
    const id = world.createJoint({ ...base, ...desc } as JointDesc);
    expect(codes(told)).toEqual(['degrees']);
    expect(told[0]![1]).toContain(`joint.${place} has an angle of `);
    expect(told[0]![1]).toContain('Math.PI / 180');
    world.setJoint(id, { limit: { min: -720, max: 720 } });
    expect(told.length).toBe(1);
  });

  test('a change of a joint; not turns in radians, and not ways', async () => {
    const { world, told, base } = await pair();
    const id = world.createJoint({ ...base, type: 'hinge', limit: { min: -20 * Math.PI, max: 6 } });
    world.createJoint({ ...base, type: 'slider', limit: { min: -90, max: 90 } });
    expect(told).toEqual([]);
    world.setJoint(id, { limit: { min: 0, max: 360 } });
    expect(codes(told)).toEqual(['degrees']);
  });
});

describe('where they go', () => {
  const log = vi.spyOn(console, 'warn');
  beforeEach(() => void log.mockReset().mockReturnValue(undefined));
  afterEach(() => void vi.unstubAllEnvs());
  const provoke = (world: World) => {
    world.createBody({ shape: world.createShape({ type: 'sphere', radius: 1 }), position: [9000, 0, 0] });
    world.step();
  };

  test('to the console, once each world', async () => {
    for (let i = 0; i < 2; i++) {
      const world = await createWorld();
      provoke(world);
      provoke(world);
    }
    expect(log.mock.calls.length).toBe(2);
    expect(log.mock.calls[0]![0]).toMatch(/^talus: body .*createWorld\(\{ warn: false \}\)/);
  });

  test('nowhere: warn: false, and in production where nothing is said', async () => {
    provoke(await createWorld({ warn: false }));
    vi.stubEnv('NODE_ENV', 'production');
    provoke(await createWorld());
    expect(log).not.toHaveBeenCalled();
    provoke(await createWorld({ warn: true }));
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('a clone has the choice of its world, and tells anew', async () => {
    const { world, told } = await open();
    provoke(world);
    (await world.clone()).step();
    expect(codes(told)).toEqual(['far', 'far']);
    const silent = await createWorld({ warn: false });
    provoke(await silent.clone());
    expect(log).not.toHaveBeenCalled();
  });

  test('what a function throws comes out of step when the step is done', async () => {
    const world = await createWorld({
      warn: (message) => {
        throw new Error(message);
      },
    });
    expect(() => provoke(world)).toThrow(/km from the origin/);
    expect(world.stepCount).toBe(1);
    world.step();
    expect(world.stepCount).toBe(2);
  });

  test('snapshots, hashes and settings know nothing of them', async () => {
    const { world } = await open();
    const silent = await createWorld({ warn: false });
    provoke(world);
    provoke(silent);
    expect(world.hash()).toBe(silent.hash());
    expect(world.settings).toEqual(silent.settings);
    expect(silent.restore(world.snapshot())).toBeUndefined();
  });
});
