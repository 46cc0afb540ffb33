// Coulomb friction by its closed forms, for every solver: the slope at which a box starts to slide, the way a sliding box
// needs to stop, spheres and cylinders that come from sliding into rolling, platforms and turntables that carry.
import { describe, expect, test } from 'vitest';
import type { FrictionModel, SolverName } from '../../src/study/index';
import {
  flatHeightfield,
  flatMesh,
  GRAVITY,
  groundWorld,
  length,
  position,
  SOLVERS,
  speed,
  spin,
  steps,
  turn,
  velocity,
} from '../helpers/ground';
import { createWorld } from '../helpers/worlds';

const DEGREE = Math.PI / 180;

/** Whether a flat box that lies on a slope slides within 1.5 s. Gravity is tilted instead of the floor. */
async function slides(angle: number, friction: number, heading: number, solver: SolverName, frictionModel: FrictionModel) {
  const along = GRAVITY * Math.sin(angle);
  const gravity = [along * Math.cos(heading), -GRAVITY * Math.cos(angle), along * Math.sin(heading)];
  const { world } = await groundWorld({ solver, frictionModel, gravity }, { friction });
  const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.1, 0.5] });
  const box = world.createBody({ shape, position: [0, 0.1, 0], friction });
  steps(world, 90);
  // Half a degree above the angle it moves 8 cm in this time, half a degree below it may settle, but not move on.
  return Math.hypot(position(world, box)[0], position(world, box)[2]) > 0.03;
}

async function slidingAngle(friction: number, heading: number, solver: SolverName, frictionModel: FrictionModel = 'patch') {
  let low = Math.atan(friction) - 5 * DEGREE;
  let high = low + 10 * DEGREE;
  expect(await slides(low, friction, heading, solver, frictionModel)).toBe(false);
  expect(await slides(high, friction, heading, solver, frictionModel)).toBe(true);
  while (high - low > 0.1 * DEGREE) {
    const middle = (low + high) / 2;
    if (await slides(middle, friction, heading, solver, frictionModel)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

describe.each(SOLVERS)('%s', (solver) => {
  test.each([0.2, 0.6, 1])(
    'with friction %f a box starts to slide at atan(friction), within 1 degree, any way down',
    async (mu) => {
      for (const heading of [0, Math.PI / 4]) {
        const angle = await slidingAngle(mu, heading, solver);
        expect(Math.abs(angle - Math.atan(mu)) / DEGREE, `heading ${heading}`).toBeLessThan(1);
      }
    },
  );

  test('a sliding box stops after v2 / (2 mu g) and stays', async () => {
    const { world } = await groundWorld({ solver });
    const shape = world.createShape({ type: 'box', halfExtents: [0.6, 0.1, 0.6] });
    const box = world.createBody({ shape, position: [0, 0.1, 0] });
    steps(world, 20);
    const from = position(world, box);
    world.setVelocity(box, [3.2, 0, 2.4]);
    steps(world, 60);
    const p = position(world, box);
    const way = Math.hypot(p[0] - from[0], p[2] - from[2]);
    expect(Math.abs(way / (16 / (2 * 0.6 * GRAVITY)) - 1)).toBeLessThan(0.02);
    expect((p[2] - from[2]) / (p[0] - from[0])).toBeCloseTo(0.75, 2);
    steps(world, 60);
    expect(length(position(world, box).map((x, k) => x - p[k]!))).toBeLessThan(2e-4);
    expect(speed(world, box)).toBeLessThan(1e-5);
  });

  test('a long box slides straight, askew to its sides', async () => {
    const { world } = await groundWorld({ solver });
    const shape = world.createShape({ type: 'box', halfExtents: [1.2, 0.15, 0.2] });
    const box = world.createBody({ shape, position: [0, 0.15, 0], rotation: turn([0, 1, 0], 0.4) });
    steps(world, 20);
    const from = position(world, box);
    world.setVelocity(box, [3.2, 0, 2.4]);
    steps(world, 60);
    const [x, , z] = position(world, box).map((p, k) => p - from[k]!) as [number, number, number];
    expect(Math.abs(Math.hypot(x, z) / (16 / (2 * 0.6 * GRAVITY)) - 1)).toBeLessThan(0.03);
    expect(Math.abs(Math.atan2(z, x) - Math.atan2(2.4, 3.2)) / DEGREE).toBeLessThan(1);
  });

  test.each([
    ['sphere', { type: 'sphere', radius: 0.5 } as const, 5 / 7],
    ['cylinder', { type: 'cylinder', radius: 0.5, halfHeight: 0.4 } as const, 2 / 3],
  ])('a sliding %s ends up rolling, at its share of the speed', async (_, desc, share) => {
    const { world } = await groundWorld({ solver }, { rollingResistance: 0 });
    // Axis along z; it rolls along x.
    const roller = world.createBody({
      shape: world.createShape(desc),
      position: [0, 0.5, 0],
      rotation: turn([1, 0, 0], Math.PI / 2),
      linearVelocity: [7, 0, 0],
    });
    steps(world, 60);
    expect(Math.abs(velocity(world, roller)[0] / (7 * share) - 1)).toBeLessThan(0.01);
    expect(Math.abs(velocity(world, roller)[0] + 0.5 * spin(world, roller)[2])).toBeLessThan(2e-3);
    const v = velocity(world, roller)[0];
    steps(world, 180);
    // Nothing slows rolling without rolling resistance.
    expect(Math.abs(velocity(world, roller)[0] / v - 1)).toBeLessThan(0.005);
    expect(Math.abs(position(world, roller)[1] - 0.5)).toBeLessThan(2e-3);
    expect(Math.abs(velocity(world, roller)[2])).toBeLessThan(5e-3);
  });

  test('a platform and a turntable carry a box', async () => {
    const { world, cube } = await groundWorld({ solver });
    const slab = world.createShape({ type: 'box', halfExtents: [3, 0.25, 3] });
    const platform = world.createBody({ type: 'kinematic', shape: slab, position: [0, 5, 0] });
    const table = world.createBody({ type: 'kinematic', shape: slab, position: [20, 5, 0] });
    const onPlatform = world.createBody({ shape: cube, position: [1, 5.75, 0] });
    const onTable = world.createBody({ shape: cube, position: [21.5, 5.75, 0] });
    steps(world, 30);
    // 1 rad/s at 1.5 m needs 1.5 m/s2 of the 5.9 that friction has.
    world.setVelocity(platform, [2, 0, 1]);
    world.setVelocity(table, [0, 0, 0], [0, 1, 0]);
    world.setVelocity(onTable, [0, 0, -1.5], [0, 1, 0]);
    steps(world, 90);
    expect(Math.abs(position(world, platform)[0] - 3)).toBeLessThan(1e-4);
    expect(Math.abs(velocity(world, onPlatform)[0] - 2)).toBeLessThan(1e-3);
    expect(Math.abs(velocity(world, onPlatform)[2] - 1)).toBeLessThan(1e-3);
    const p = position(world, onTable);
    const radius = Math.hypot(p[0] - 20, p[2]);
    // A step goes along the tangent: 1.519 m after 90 of them.
    // It stays with the solvers that are told how surfaces turn, and drifts with the scalar ones, whose levers are frozen.
    const drift = Math.abs(radius - 1.5 * (1 + 1 / 3600) ** 45);
    expect(Math.min(Math.abs(radius - 1.5), drift)).toBeLessThan(0.005);
    expect(Math.abs(Math.atan2(-p[2], p[0] - 20) - 1.5)).toBeLessThan(0.01);
    expect(spin(world, onTable)[1]).toBeCloseTo(1, 2);
    // A platform that slows down faster than friction can hold loses its load.
    world.setVelocity(platform, [0, 0, 0]);
    world.step();
    const v = speed(world, onPlatform);
    expect(Math.abs(v - (Math.sqrt(5) - (0.6 * GRAVITY) / 60))).toBeLessThan(0.01);
  });
});

test.each(['pgs', 'cell-order', 'pair-split', 'cell-split'] as const)(
  '%s with friction per point: the same slope',
  async (solver) => {
    // The pyramid is exact along its axes; across it holds up to a factor of sqrt 2.
    const angle = await slidingAngle(0.6, 0, solver, 'pyramid');
    expect(Math.abs(angle - Math.atan(0.6)) / DEGREE).toBeLessThan(1);
  },
);

test.each([0.2, 0.5, 0.8])(
  'with friction %f a box rests 0.05 degrees below atan(friction) and slides 0.05 degrees above',
  async (mu) => {
    const way = async (angle: number) => {
      const gravity = [GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0];
      const { world } = await groundWorld({ gravity, sleep: false }, { friction: mu });
      const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.1, 0.5] });
      const box = world.createBody({ shape, position: [0, 0.1, 0], friction: mu });
      steps(world, 60);
      const from = position(world, box)[0];
      steps(world, 300);
      return position(world, box)[0] - from;
    };
    const off = 0.05 * DEGREE;
    expect(await way(Math.atan(mu) - off)).toBeLessThan(1e-3);
    // g sin(off) / cos(atan(mu)) over the 5 s, and the second before.
    const expected = ((GRAVITY * Math.sin(off)) / Math.cos(Math.atan(mu))) * (6 ** 2 / 2 - 1 / 2);
    const missed = Math.abs((await way(Math.atan(mu) + off)) / expected - 1) * off;
    expect(missed / DEGREE).toBeLessThan(0.02);
  },
);

test('rolling down a slope: 5/7 g sin', async () => {
  const angle = 20 * DEGREE;
  const gravity = [GRAVITY * Math.sin(angle), -GRAVITY * Math.cos(angle), 0];
  const { world } = await groundWorld({ gravity }, { rollingResistance: 0 });
  const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [0, 0.5, 0] });
  steps(world, 120);
  expect(Math.abs(velocity(world, ball)[0] / ((5 / 7) * GRAVITY * Math.sin(angle) * 2) - 1)).toBeLessThan(0.01);
});

describe.each([
  ['mesh', flatMesh],
  ['heightfield', flatHeightfield],
] as const)('over the edges of a flat %s', (_, surface) => {
  test('a sphere rolls straight and level', async () => {
    const { world } = await groundWorld();
    world.createBody({ type: 'static', shape: world.createShape(surface(20, 40)), position: [0, 3, 0] });
    const shape = world.createShape({ type: 'sphere', radius: 0.4 });
    const ball = world.createBody({
      shape,
      position: [-8, 3.4, 0.13],
      linearVelocity: [5, 0, 1],
      angularVelocity: [2.5, 0, -12.5],
      rollingResistance: 0,
    });
    for (let i = 0; i < 180; i++) {
      world.step();
      expect(Math.abs(position(world, ball)[1] - 3.4), `step ${i}`).toBeLessThan(1e-3);
    }
    expect(Math.abs(velocity(world, ball)[0] - 5)).toBeLessThan(0.02);
    expect(Math.abs(velocity(world, ball)[2] - 1)).toBeLessThan(0.02);
  });

  test('a box slides as on one plane: as far, the same way, level', async () => {
    const { world } = await groundWorld({}, { friction: 0.1 });
    world.createBody({ type: 'static', shape: world.createShape(surface(20, 40)), position: [0, 3, 0], friction: 0.1 });
    const shape = world.createShape({ type: 'box', halfExtents: [0.6, 0.2, 0.45] });
    const box = world.createBody({ shape, position: [-8, 3.2, 0.2], friction: 0.1 });
    const twin = world.createBody({ shape, position: [-8, 0.2, 90.2], friction: 0.1 });
    steps(world, 20);
    const from = position(world, box);
    for (const body of [box, twin]) world.setVelocity(body, [3.2, 0, 2.4]);
    for (let i = 0; i < 300; i++) {
      world.step();
      const p = position(world, box);
      const q = position(world, twin);
      expect(Math.abs(p[1] - 3.2), `step ${i}`).toBeLessThan(1e-3);
      expect(Math.hypot(p[0] - q[0], p[2] - (q[2] - 90)), `step ${i}`).toBeLessThan(5e-3);
    }
    const p = position(world, box);
    expect(Math.abs(Math.hypot(p[0] - from[0], p[2] - from[2]) / (16 / (2 * 0.1 * GRAVITY)) - 1)).toBeLessThan(0.02);
    expect(speed(world, box)).toBeLessThan(1e-5);
  });
});

// An impact lasts for one pass of a solver: its friction must come all the same, whatever the moment in the step.
describe('oblique impacts', () => {
  const hit = async (solver: SolverName, friction: number, phase: number): Promise<{ v: number; w: number }> => {
    const world = await createWorld({ solver, gravity: [0, 0, 0] });
    const floor = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0], friction });
    const ball = world.createBody({
      shape: world.createShape({ type: 'sphere', radius: 0.5 }),
      position: [0, 0.9 + phase, 0],
      linearVelocity: [6, -8, 0],
      friction,
      rollingResistance: 0,
    });
    steps(world, 30);
    return { v: velocity(world, ball)[0], w: spin(world, ball)[2] };
  };
  const PHASES = [0, 0.023, 0.051, 0.078, 0.11];

  test.each(SOLVERS)('%s: a ball that sticks rolls away at 5/7 of its speed', async (solver) => {
    for (const phase of PHASES) {
      const { v, w } = await hit(solver, 0.5, phase);
      expect(v).toBeCloseTo((5 / 7) * 6, 2);
      expect(w).toBeCloseTo((-5 / 7) * 12, 1);
    }
  });

  test.each(SOLVERS)('%s: a ball that slips loses mu times its normal speed', async (solver) => {
    for (const phase of PHASES) {
      const { v, w } = await hit(solver, 0.1, phase);
      expect(Math.abs(v / (6 - 0.1 * 8) - 1)).toBeLessThan(0.01);
      expect(Math.abs(w / ((-2.5 * 0.1 * 8) / 0.5) - 1)).toBeLessThan(0.03);
    }
  });
});
