// Impacts by closed forms, for every solver: bounce heights, no bounce without restitution, two-body collisions, and
// momentum and angular momentum of collisions with friction and spin, to rounding.
import { describe, expect, test } from 'vitest';
import type { BodyId, ShapeDesc, World } from '../../src/study/index';
import {
  cross,
  GRAVITY,
  groundWorld,
  length,
  position,
  rotate,
  SOLVERS,
  speed,
  spin,
  steps,
  type V3,
  velocity,
} from '../helpers/ground';
import { columnsOf, seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

/** Heights above rest that a body reaches after each of its bounces. */
function peaks(world: World, id: BodyId, rest: number, count: number): number[] {
  const heights: number[] = [];
  let rising = false;
  let last = position(world, id)[1];
  for (let i = 0; i < 1200 && heights.length < count; i++) {
    world.step();
    const y = position(world, id)[1];
    if (rising && y < last) heights.push(last - rest);
    rising = y > last + 1e-6;
    last = y;
  }
  return heights;
}

describe.each(SOLVERS)('%s', (solver) => {
  test.each([0.5, 0.9])('with restitution %f each bounce is e2 as high as the one before', async (e) => {
    const { world } = await groundWorld({ solver, restitutionThreshold: 0.5 });
    const shape = world.createShape({ type: 'sphere', radius: 0.25 });
    const ball = world.createBody({ shape, position: [0, 5.25, 0], restitution: e });
    const heights = peaks(world, ball, 0.25, 3);
    expect(heights.length).toBe(3);
    let before = 5;
    for (const height of heights) {
      // The speed that counts is that at the start of the step of the impact, up to g dt below that of the impact itself.
      const slack = (2 * GRAVITY * (1 / 60)) / Math.sqrt(2 * GRAVITY * before);
      const ratio = height / (e * e * before);
      expect(ratio).toBeGreaterThan(1 - slack - 0.01);
      expect(ratio).toBeLessThan(1.01);
      before = height;
    }
  });

  test('a box that falls flat with restitution bounces up straight', async () => {
    const { world, cube } = await groundWorld({ solver });
    const box = world.createBody({ shape: cube, position: [0, 3, 0], restitution: 0.6 });
    const [height] = peaks(world, box, 0.5, 1);
    expect(Math.abs(height! / (0.36 * 2.5) - 1)).toBeLessThan(0.06);
    expect(length(spin(world, box))).toBeLessThan(0.02);
  });

  test('without restitution nothing bounces', async () => {
    const { world, cube } = await groundWorld({ solver });
    const box = world.createBody({ shape: cube, position: [0, 3, 0] });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [5, 3, 0] });
    let landed = 0;
    for (let i = 0; i < 180; i++) {
      world.step();
      for (const id of [box, ball]) {
        if (position(world, id)[1] > 0.505) continue;
        landed++;
        // It lands at 7 m/s. A box may rock by the error of one sweep over its four corners.
        expect(velocity(world, id)[1]).toBeLessThan(id === ball ? 1e-4 : 0.07);
      }
    }
    expect(landed).toBeGreaterThan(200);
    for (const id of [box, ball]) {
      expect(Math.abs(position(world, id)[1] - 0.5)).toBeLessThan(1e-3);
      expect(speed(world, id)).toBeLessThan(1e-5);
    }
  });

  test.each([0, 0.5, 1])('a ball that hits another head-on, restitution %f: the two-body formula', async (restitution) => {
    const world = await createWorld({ solver, gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'sphere', radius: 0.5 });
    const a = world.createBody({ shape, position: [-2, 0, 0], linearVelocity: [4, 0, 0], mass: 2, restitution });
    const b = world.createBody({ shape, position: [0, 0, 0], mass: 6, restitution });
    steps(world, 40);
    const center = (2 * 4) / 8;
    expect(velocity(world, a)[0]).toBeCloseTo(center - restitution * 4 * (6 / 8), 3);
    expect(velocity(world, b)[0]).toBeCloseTo(center + restitution * 4 * (2 / 8), 3);
    expect(Math.hypot(velocity(world, a)[1], velocity(world, a)[2], ...spin(world, a))).toBeLessThan(1e-5);
  });

  test.each([0, 0.4])('touching cubes and balls, friction and spin, restitution %f: one step keeps both momenta', async (e) => {
    const next = seeded(99);
    const unit = (): V3 => {
      for (;;) {
        const v: V3 = [2 * next() - 1, 2 * next() - 1, 2 * next() - 1];
        const l = length(v);
        if (l > 0.1 && l < 1) return [v[0] / l, v[1] / l, v[2] / l];
      }
    };
    for (let trial = 0; trial < 20; trial++) {
      const world = await createWorld({ solver, gravity: [0, 0, 0] });
      const ball = world.createShape({ type: 'sphere', radius: 0.5 });
      const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
      // A ball that touches the upper face of a turned cube, another one below. Isotropic inertia: L = x m v + I w.
      const q = [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5];
      const [, up] = columnsOf(q);
      const touch = { friction: 0.8, restitution: e };
      const bodies = [
        world.createBody({ shape: cube, rotation: q, linearVelocity: unit(), angularVelocity: unit(), ...touch }),
        ...[1, -1].map((side) =>
          world.createBody({
            shape: ball,
            position: up.map((x) => side * x) as V3,
            linearVelocity: up.map((x, k) => -3 * side * x + unit()[k]!),
            angularVelocity: unit().map((x) => 5 * x),
            ...touch,
          }),
        ),
      ];
      const inertia = bodies.map((id, i) => world.getMass(id) * (i === 0 ? 1 / 6 : 0.1));
      const at = bodies.map((id) => position(world, id));
      const total = () => {
        const sum = [0, 0, 0, 0, 0, 0];
        bodies.forEach((id, i) => {
          const p = velocity(world, id).map((x) => x * world.getMass(id));
          const l = cross(at[i]!, p).map((x, k) => x + inertia[i]! * spin(world, id)[k]!);
          for (let k = 0; k < 3; k++) {
            sum[k]! += p[k]!;
            sum[k + 3]! += l[k]!;
          }
        });
        return sum;
      };
      const before = total();
      const was = velocity(world, bodies[0]!);
      world.step();
      const after = total();
      expect(length(velocity(world, bodies[0]!).map((x, k) => x - was[k]!))).toBeGreaterThan(0.01);
      const size = 4 * world.getMass(bodies[0]!);
      for (let k = 0; k < 6; k++) expect(Math.abs(after[k]! - before[k]!) / size, `trial ${trial}, ${k}`).toBeLessThan(3e-6);
    }
  });

  // Bound by mu m v (1 + e): 4 or 6 m/s off 6, less what sticks.
  test.each<[string, ShapeDesc, number, number, number]>([
    ['cube', { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, 0.5, 2, 0],
    ['ball', { type: 'sphere', radius: 0.5 }, 0.5, (6 * 5) / 7, (6 * 5) / 7],
  ])(
    '%s: an oblique impact at any time in a step loses mu m v (1 + e) along the surface, or what sticks',
    async (_, desc, rise, flat, bounced) => {
      for (const [restitution, expected] of [
        [0, flat],
        [0.5, bounced],
      ] as const) {
        for (let k = 0; k < 24; k++) {
          const { world } = await groundWorld({ solver, gravity: [0, 0, 0] }, { friction: 0.5, restitution });
          const body = world.createBody({
            shape: world.createShape(desc),
            mass: 1,
            position: [0, rise + (8 / 60) * (2 + (k + 0.5) / 24), 0],
            linearVelocity: [6, -8, 0],
            friction: 0.5,
            restitution,
            linearDamping: 0,
            angularDamping: 0,
          });
          steps(world, 3);
          const label = `e ${restitution}, impact at ${k + 0.5} of 24`;
          expect(Math.abs(velocity(world, body)[0] - expected), label).toBeLessThan(0.005 * 6);
          expect(Math.abs(velocity(world, body)[1] - 8 * restitution), label).toBeLessThan(0.005 * 8);
          // What the substeps have left askew is put right within 2 %.
          steps(world, 3);
          expect(Math.abs(velocity(world, body)[0] - expected), label).toBeLessThan(0.02 * 6);
          world.dispose();
        }
      }
    },
  );

  test('a cloud of bodies of all shapes that collide in space keeps its momentum to rounding for 3 s', async () => {
    const world = await createWorld({ solver, gravity: [0, 0, 0] });
    const shapes = [
      world.createShape({ type: 'sphere', radius: 0.4 }),
      world.createShape({ type: 'box', halfExtents: [0.5, 0.3, 0.4] }),
      world.createShape({ type: 'capsule', radius: 0.25, halfHeight: 0.4 }),
      world.createShape({ type: 'cylinder', radius: 0.4, halfHeight: 0.3 }),
      world.createShape({ type: 'cone', radius: 0.4, halfHeight: 0.4 }),
    ];
    const next = seeded(5);
    const ids: BodyId[] = [];
    for (let i = 0; i < 27; i++) {
      const p = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)].map((x) => 1.4 * (x - 1) + 0.1 * next());
      ids.push(
        world.createBody({
          shape: shapes[i % 5]!,
          position: p,
          rotation: [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5],
          linearVelocity: p.map((x) => -2 * x + next()),
          angularVelocity: [4 * next(), 4 * next(), 4 * next()],
          restitution: 0.3,
        }),
      );
    }
    const momentum = () => {
      const sum: V3 = [0, 0, 0];
      for (const id of ids) {
        const v = velocity(world, id);
        for (let k = 0; k < 3; k++) sum[k]! += v[k]! * world.getMass(id);
      }
      return sum;
    };
    const size = ids.reduce((sum, id) => sum + world.getMass(id) * speed(world, id), 0);
    const energy = world.measure().kineticEnergy;
    const before = momentum();
    let most = 0;
    for (let i = 0; i < 180; i++) {
      world.step();
      // Collisions and friction take energy and never add any.
      const now = world.measure().kineticEnergy;
      most = Math.max(most, now / energy);
    }
    const after = momentum();
    // Rounding adds up: pair splitting takes 160 means per step, the others at most 24.
    const rounding = solver === 'pair-split' ? 1e-4 : 2e-5;
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k]! - before[k]!) / size).toBeLessThan(rounding);
    expect(most).toBeLessThan(1.001);
    expect(world.measure().kineticEnergy).toBeLessThan(0.8 * energy);
  });
});

test('a glancing hit of smooth balls exchanges the normal velocity only', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  const material = { friction: 0, restitution: 1, frictionCombine: 'min' as const };
  const a = world.createBody({ shape, position: [-2, 0.5, 0], linearVelocity: [3, 0, 0], ...material });
  const b = world.createBody({ shape, position: [0, 0, 0], ...material });
  steps(world, 60);
  // They touch where the line of centers is 30 degrees off: b leaves along it with v cos 30.
  const n = rotate([0, 0, Math.sin(-Math.PI / 12), Math.cos(Math.PI / 12)], [1, 0, 0]);
  const share = 3 * Math.cos(Math.PI / 6);
  expect(length(velocity(world, b).map((x, k) => x - share * n[k]!))).toBeLessThan(0.12);
  expect(Math.abs(velocity(world, a)[0] + velocity(world, b)[0] - 3)).toBeLessThan(1e-5);
  expect(Math.abs(speed(world, a) ** 2 + speed(world, b) ** 2 - 9)).toBeLessThan(0.05);
  expect(length(spin(world, b))).toBe(0);
});

describe.each(['wide', 'cell-split'] as const)('a flat impact, %s', (solver) => {
  test.each([20, 60, 200])('a body that comes in at %i m/s ends its step flat on the floor', async (v) => {
    for (const desc of [
      { type: 'sphere', radius: 0.25 },
      { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
    ] as const) {
      for (let k = 0; k < 24; k++) {
        const world = await createWorld({ gravity: [0, 0, 0], solver });
        const floor = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
        world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
        const shape = world.createShape(desc);
        const body = world.createBody({ shape, position: [0, 2 + (k * v) / 60 / 24, 0], linearVelocity: [0, -v, 0] });
        for (let i = 0; i < 60 && velocity(world, body)[1] < -0.9 * v; i++) world.step();
        const [x, y, z] = world.getRotation(body, [0, 0, 0, 1]);
        const what = `${desc.type} ${k}`;
        expect(2 * Math.hypot(x, y, z), `tilt, ${what}`).toBeLessThan(1e-3);
        expect(position(world, body)[1] - 0.25, `height, ${what}`).toBeLessThan(1e-3);
        expect(position(world, body)[1] - 0.25, `height, ${what}`).toBeGreaterThan(-4e-3);
        world.dispose();
      }
    }
  });

  test.each([2, 5.4, 20, 40])('what comes in at %d m/s and bounces turns round at the surface', async (v) => {
    for (const desc of [
      { type: 'sphere', radius: 0.25 },
      { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
    ] as const) {
      for (let k = 0; k < 24; k++) {
        const world = await createWorld({ gravity: [0, 0, 0], solver });
        const floor = world.createShape({ type: 'box', halfExtents: [10, 0.5, 10] });
        world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0], restitution: 1 });
        const shape = world.createShape(desc);
        const start: V3 = [0, 2 + (k * v) / 60 / 24, 0];
        const body = world.createBody({ shape, position: start, linearVelocity: [0, -v, 0], restitution: 1 });
        for (let i = 0; i < 120 && velocity(world, body)[1] < 0; i++) world.step();
        expect(Math.abs(velocity(world, body)[1] / v - 1), `speed, ${desc.type} ${k}`).toBeLessThan(1e-5);
        expect(Math.abs(position(world, body)[1] - 0.25), `height, ${desc.type} ${k}`).toBeLessThan(1e-3);
        world.dispose();
      }
    }
  });
});
