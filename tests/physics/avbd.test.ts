// Augmented Vertex Block Descent: contacts against closed forms, stacks, mass ratios, what it carries from step to step, refusals.
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../scenes/index';
import { type BodyId, createWorld, type ShapeId, type World, type WorldOptions } from '../../src/study/index';
import { DT, faultsOf, GRAVITY, groundWorld, NO_FAULTS, position, spin, steps, velocity } from '../helpers/ground';
import { ballMass, boxMass, ghost } from '../helpers/joint_worlds';
import { sceneWorld } from '../helpers/scene_world';

const avbd = (options: WorldOptions = {}) => createWorld({ solver: 'avbd', sleep: false, warn: false, ...options });

/** Both ways to correct errors: by an iteration of its own, and by a share of the error in each step. */
const WAYS = [
  ['post-stabilization', {}],
  ['a share of the error', { avbdPostStabilize: false, avbdErrorKept: 0.95 }],
] as const;

const ground = (options: WorldOptions = {}) =>
  groundWorld({ solver: 'avbd', sleep: false, warn: false, ...options }, {}, createWorld);

const cubeOf = (world: World, shape: ShapeId, at: [number, number, number], mass: number): BodyId =>
  world.createBody({ shape, position: at, mass: boxMass(mass, [0.5, 0.5, 0.5]) });

/** Boxes of 1 m on top of each other, and by how much the last one is too high. */
async function stack(masses: readonly number[], options: WorldOptions = {}) {
  const { world, cube } = await ground(options);
  const boxes = masses.map((mass, i) => cubeOf(world, cube, [0, 0.5 + i, 0], mass));
  return { world, boxes, top: () => position(world, boxes.at(-1)!)[1] - (masses.length - 0.5) };
}

const fastest = (world: World, ids: readonly BodyId[]) => Math.max(...ids.map((id) => Math.hypot(...velocity(world, id))));

describe('free motion', () => {
  it('keeps velocity and falls by implicit Euler', async () => {
    const world = await avbd();
    const id = ghost(world, [0, 0, 0], ballMass(2, 0.5), { linearVelocity: [1, 2, 3] });
    steps(world, 60);
    const v = velocity(world, id);
    expect(v[0]).toBeCloseTo(1, 6);
    expect(v[1]).toBeCloseTo(2 - GRAVITY, 4);
    expect(v[2]).toBeCloseTo(3, 6);
    expect(position(world, id)[1]).toBeCloseTo(2 - (GRAVITY / 2) * (1 + DT), 3);
  });

  it('keeps angular momentum and energy of a body that tumbles', async () => {
    const world = await avbd({ gravity: [0, 0, 0] });
    const id = ghost(world, [0, 0, 0], { mass: 1, inertia: [1, 2, 3, 0, 0, 0] }, { angularVelocity: [0.1, 3, 0.1] });
    const energy = () => world.measure().kineticEnergy;
    const before = energy();
    steps(world, 300);
    expect(Math.abs(energy() / before - 1)).toBeLessThan(1e-4);
    expect(Math.hypot(...spin(world, id))).toBeGreaterThan(1);
  });
});

describe.each(WAYS)('contacts with %s', (_, way) => {
  it('a box rests at its place', async () => {
    const { world, boxes, top } = await stack([1000], way);
    steps(world, 120);
    // No deeper than the margin of contacts.
    expect(Math.abs(top())).toBeLessThan(7e-4);
    expect(fastest(world, boxes)).toBeLessThan(1e-4);
    expect(world.measure().penetrationMax).toBeLessThan(7e-4);
  });

  it('a stack of ten stands, and deviates by less than 2 mm a box', async () => {
    const { world, boxes, top } = await stack(Array(10).fill(1000), way);
    steps(world, 300);
    expect(Math.abs(top())).toBeLessThan(0.02);
    expect(fastest(world, boxes)).toBeLessThan(5e-3);
    for (const id of boxes) expect(Math.abs(position(world, id)[0])).toBeLessThan(1e-3);
  });

  it('a wall of eight layers stands calmly', async () => {
    const world = await sceneWorld(buildScene('wall', { scale: 8 / 30 }), { solver: 'avbd', sleep: false, ...way }, createWorld);
    const before = Float32Array.from(world.positions);
    steps(world, 240);
    let farthest = 0;
    for (let i = 0; i < before.length; i++) farthest = Math.max(farthest, Math.abs(world.positions[i]! - before[i]!));
    expect(farthest).toBeLessThan(0.01);
    expect(world.measure().rmsSpeed).toBeLessThan(2e-3);
  });
});

it.each([
  [-1, 0],
  [-0.3, 0],
  [1, 1],
  [5, 1],
])('on a slope %s degrees above the angle of friction a box slides: %s', async (degrees, slides) => {
  const mu = 0.5;
  const angle = Math.atan(mu) + (degrees * Math.PI) / 180;
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const world = await avbd({ gravity: [GRAVITY * s, -GRAVITY * c, 0] });
  const floor = world.createShape({ type: 'box', halfExtents: [50, 0.5, 10] });
  const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.25, 0.5] });
  world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0], friction: mu });
  const id = world.createBody({ shape, position: [0, 0.25, 0], friction: mu });
  steps(world, 60);
  const [x, v] = [position(world, id)[0], velocity(world, id)[0]];
  steps(world, 60);
  const gain = velocity(world, id)[0] - v;
  const exact = slides ? GRAVITY * (s - mu * c) : 0;
  expect(Math.abs(gain - exact)).toBeLessThan(0.01 * GRAVITY * mu * c);
  // What sticks comes back to where it was: it does not creep.
  if (!slides) expect(Math.abs(position(world, id)[0] - x)).toBeLessThan(1e-4);
});

it('a ball rolls out by its rolling resistance, and its spin by the friction of its patch', async () => {
  const run = async (solver: 'avbd' | 'pgs') => {
    const world = await createWorld({ solver, sleep: false });
    const floor = world.createShape({ type: 'box', halfExtents: [100, 0.5, 10] });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0], rollingResistance: 0.1 });
    const more = { linearVelocity: [2, 0, 0], angularVelocity: [0, 3, -4], rollingResistance: 0.1 };
    const id = world.createBody({ shape, position: [0, 0.5, 0], ...more });
    steps(world, 90);
    return { v: velocity(world, id), w: spin(world, id) };
  };
  const [ours, oracle] = [await run('avbd'), await run('pgs')];
  expect(oracle.v[0]).toBeLessThan(1.5);
  for (let k = 0; k < 3; k++) {
    expect(Math.abs(ours.v[k]! - oracle.v[k]!)).toBeLessThan(0.005);
    expect(Math.abs(ours.w[k]! - oracle.w[k]!)).toBeLessThan(0.01);
  }
});

it('restitution comes from the stage of impacts, as with all solvers', async () => {
  const world = await avbd();
  const floor = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0], restitution: 0.5 });
  const id = world.createBody({ shape, position: [0, 1.5, 0], restitution: 0.5 });
  let highest = 0;
  for (let i = 0; i < 90; i++) {
    world.step();
    if (i > 40) highest = Math.max(highest, position(world, id)[1] - 0.5);
  }
  expect(highest).toBeGreaterThan(0.2);
  expect(highest).toBeLessThan(0.3);
});

it('momentum of a collision comes back with iterations', async () => {
  const change = async (iterations: number) => {
    const world = await avbd({ gravity: [0, 0, 0], iterations });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const boxes = [0, 1, 2, 3, 4].map((i) =>
      world.createBody({ shape, position: [1.05 * i, 0.1 * i, 0], linearVelocity: [i === 0 ? 5 : 0, 0, 0] }),
    );
    let worst = 0;
    for (let i = 0; i < 60; i++) {
      world.step();
      const sum = boxes.map((id) => velocity(world, id)).reduce((p, v) => [p[0] + v[0], p[1] + v[1], p[2] + v[2]], [-5, 0, 0]);
      worst = Math.max(worst, Math.hypot(...sum) / 5);
    }
    return worst;
  };
  expect(await change(10)).toBeLessThan(0.02);
  expect(await change(40)).toBeLessThan(1e-3);
});

describe('masses', () => {
  it('a box 100 times as heavy as those below sinks in at first and comes up again', async () => {
    const { world, boxes, top } = await stack([1, 1, 1, 1, 100]);
    let deepest = 0;
    for (let i = 0; i < 300; i++) {
      world.step();
      deepest = Math.min(deepest, top());
    }
    expect(deepest).toBeGreaterThan(-0.1);
    expect(top()).toBeGreaterThan(-0.006);
    expect(fastest(world, boxes)).toBeLessThan(1e-3);
  });

  it('a pile with bodies of 1 and of 100 kg comes to rest', async () => {
    const { world, cube } = await ground();
    const boxes = Array.from({ length: 27 }, (_, i) => {
      const [x, y, z] = [i % 3, Math.floor(i / 9), Math.floor(i / 3) % 3];
      return cubeOf(world, cube, [1.2 * x + 0.1 * (i % 2), 0.6 + 1.2 * y, 1.2 * z], i % 2 ? 100 : 1);
    });
    steps(world, 500);
    expect(world.measure().rmsSpeed).toBeLessThan(0.05);
    expect(fastest(world, boxes)).toBeLessThan(0.2);
    expect(world.measure().penetrationMax).toBeLessThan(0.02);
    expect({ ...faultsOf(world), speedLimited: 0 }).toEqual(NO_FAULTS);
  });

  it('without avbdByMass the ramp has to suit the masses, as in the paper', async () => {
    const plain = { avbdByMass: false };
    const light = await stack([1], plain);
    const heavy = await stack([1000], plain);
    const suited = await stack([1000], { ...plain, avbdRamp: 1e8 });
    for (const { world } of [light, heavy, suited]) steps(world, 20);
    expect(light.top()).toBeGreaterThan(-2e-3);
    expect(heavy.top()).toBeLessThan(-5e-3);
    expect(suited.top()).toBeGreaterThan(-2e-3);
  });
});

describe('what is carried', () => {
  it('gives the same bits twice, and goes on from a snapshot as without one', async () => {
    const worlds = await Promise.all(
      [0, 1, 2].map(() => sceneWorld(buildScene('boxes-small', { count: 20, seed: 3 }), { solver: 'avbd' }, createWorld)),
    );
    const [a, b, c] = worlds as [World, World, World];
    steps(a, 90);
    steps(b, 90);
    expect(b.hash()).toBe(a.hash());
    c.restore(a.snapshot());
    steps(a, 60);
    steps(c, 60);
    expect(c.hash()).toBe(a.hash());
  });

  it('another solver goes on with its impulses, and it with theirs', async () => {
    const { world, boxes, top } = await stack(Array(3).fill(1000));
    steps(world, 120);
    world.set({ solver: 'pgs' });
    steps(world, 5);
    expect(fastest(world, boxes)).toBeLessThan(0.02);
    world.set({ solver: 'avbd' });
    steps(world, 60);
    expect(Math.abs(top())).toBeLessThan(2e-3);
  });

  it('substeps take the place of iterations', async () => {
    const { world, boxes, top } = await stack(Array(5).fill(1000), { integration: 'substeps', substeps: 4, sweeps: 5 });
    steps(world, 240);
    expect(Math.abs(top())).toBeLessThan(0.01);
    expect(fastest(world, boxes)).toBeLessThan(0.02);
  });

  it('locked axes do not move', async () => {
    const { world, boxes } = await stack([1000, 1000]);
    world.setLocks(boxes[1]!, { translation: 'xz' });
    world.applyImpulse(boxes[1]!, [500, 0, 0]);
    steps(world, 60);
    expect(position(world, boxes[1]!)[0]).toBe(0);
  });
});

describe('settings', () => {
  it('has defaults of its own', async () => {
    const world = await avbd();
    expect(world.settings).toMatchObject({
      integration: 'one-step',
      iterations: 10,
      avbdErrorKept: 0.99,
      avbdRamp: 1e5,
      avbdDecay: 0.999,
    });
    expect(world.activeSolver).toBe('avbd');
  });

  it.each([{ avbdErrorKept: 1.5 }, { avbdRamp: -1 }, { avbdDecay: Number.NaN }, { avbdPostStabilize: 1 as unknown as boolean }])(
    'refuses %o',
    async (options) => {
      await expect(avbd(options)).rejects.toMatchObject({ code: 'invalid-argument' });
    },
  );

  it.each([
    { stabilization: 'baumgarte' },
    { frictionModel: 'pyramid' },
    { permutation: true },
    { relax: false },
  ] as WorldOptions[])('refuses %o, which it does not have', async (options) => {
    await expect(avbd(options)).rejects.toMatchObject({ code: 'unsupported' });
    const world = await createWorld();
    world.set({ solver: 'avbd' });
    expect(() => world.set(options as object)).toThrow(/avbd/);
  });
});
