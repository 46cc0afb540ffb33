// Bodies whose moments of inertia are far apart: free rotation keeps energy and angular momentum at any speed, contacts make
// no motion out of frozen inertia. All aspects, speeds and directions for a minute: bench/free_motion.mjs.
import { describe, expect, test } from 'vitest';
import type { WorldOptions } from '../../src/study/index';
import { DT, length, position, rotation, SOLVERS, spin, steps, turn, type V3, velocity } from '../helpers/ground';
import { createWorld } from '../helpers/worlds';

/** Direction i of n, evenly over the sphere and on none of its axes. */
function direction(i: number, n: number): V3 {
  const y = 1 - (2 * i + 1) / n;
  const r = Math.sqrt(1 - y * y);
  const angle = i * Math.PI * (3 - Math.sqrt(5)) + 0.3;
  return [r * Math.cos(angle), y, r * Math.sin(angle)];
}

describe('free boxes keep energy and angular momentum', () => {
  test.each<[string, V3]>([
    ['1:2 rod', [1, 0.5, 0.5]],
    ['1:10 rod', [1, 0.1, 0.1]],
    ['1:25 rod', [1, 0.04, 0.04]],
    ['1:50 rod', [1, 0.02, 0.02]],
    ['1:100 rod', [1, 0.01, 0.01]],
    ['1:100 plate', [1, 1, 0.01]],
    ['1:100 lath', [1, 0.1, 0.01]],
    ['1:100 bar of unequal sides', [1, 0.02, 0.01]],
    ['1:10 board', [1, 0.55, 0.1]],
  ])('%s, 0.1 to 100 rad/s', async (_name, edges) => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'box', halfExtents: edges.map((e) => e / 2) as V3 });
    const n = 6;
    const bodies = [0.1, 1, 5, 15, 30, 60, 100].flatMap((speed, k) =>
      Array.from({ length: n }, (_, i) => {
        const id = world.createBody({
          shape,
          mask: 0,
          position: [3 * i, 3 * k, 0],
          rotation: [...direction(n - 1 - i, n), 0.7],
          angularVelocity: direction(i, n).map((x) => x * speed) as V3,
        });
        const [x, y, z] = edges.map((e) => e * e) as V3;
        const m = world.getMass(id) / 12;
        const moments: V3 = [m * (y + z), m * (x + z), m * (x + y)];
        return { id, moments, start: rotation(world, id, moments) };
      }),
    );
    let up = 0;
    let down = 0;
    let momentum = 0;
    for (let k = 0; k < 600; k++) {
      world.step();
      if (k % 4 !== 3) continue;
      for (const { id, moments, start } of bodies) {
        const now = rotation(world, id, moments);
        up = Math.max(up, now.energy / start.energy - 1);
        down = Math.max(down, 1 - now.energy / start.energy);
        momentum = Math.max(momentum, length(now.momentum.map((x, c) => x - start.momentum[c]!)) / length(start.momentum));
      }
    }
    expect(up).toBeLessThan(1e-5);
    expect(down).toBeLessThan(1e-5);
    expect(momentum).toBeLessThan(1e-4);
  });
});

test('a wheel at 100 rad/s turns as far as it should, a rod precesses at L / I', async () => {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const wheel = world.createBody({
    shape: world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.05] }),
    angularVelocity: [0, 0, 100],
  });
  const rod = world.createBody({
    shape: world.createShape({ type: 'box', halfExtents: [0.02, 0.02, 1] }),
    position: [5, 0, 0],
    angularVelocity: [0, 20, 60],
  });
  steps(world, 60);
  const q = world.getRotation(wheel, [0, 0, 0, 0]);
  const off = 2 * Math.atan2(q[2]!, q[3]!) - 100 * 60 * DT;
  expect(Math.abs(off - 2 * Math.PI * Math.round(off / (2 * Math.PI)))).toBeLessThan(1e-3);
  // The axis of a symmetric top goes around L at L / I.
  const thin = 2 * 0.02 ** 2;
  const across = 0.02 ** 2 + 1;
  const l = [0, across * 20, thin * 60];
  const rate = length(l) / across;
  const axis = l.map((x) => x / length(l)) as V3;
  const end = turn(axis, rate * 60 * DT);
  const expected = turned(end, [0, 0, 1]);
  const now = turned(world.getRotation(rod, [0, 0, 0, 0]) as [number, number, number, number], [0, 0, 1]);
  // Second order in the angle of a part: 0.5 % of 20 rad.
  expect(length(now.map((x, k) => x - expected[k]!))).toBeLessThan(0.2);
});

function turned([x, y, z, w]: [number, number, number, number], [a, b, c]: V3): V3 {
  const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)] as const;
  return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]];
}

/**
 * 40 poles of 2 m dropped from 3 m, 4 s: fastest spin, greatest height and speed, and the energy (of motion and height over the
 * floor): the largest and the largest rise in a step, in units of that at the start.
 */
async function dropPoles(options: WorldOptions, half: number) {
  const world = await createWorld(options);
  const floor = world.createShape({ type: 'box', halfExtents: [50, 1, 50] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const shape = world.createShape({ type: 'box', halfExtents: [half, 1, half] });
  const ids = Array.from({ length: 40 }, (_, i) =>
    world.createBody({
      shape,
      position: [(i % 4) * 1.2, 3 + (i >> 4) * 1.5, ((i >> 2) % 4) * 1.2],
      rotation: [Math.sin(i), Math.sin(2 * i), Math.sin(3 * i), Math.cos(i)],
    }),
  );
  const mass = world.getMass(ids[0]!);
  const across = (mass / 3) * (1 + half * half);
  const moments: V3 = [across, (mass / 3) * 2 * half * half, across];
  const energyOf = () => {
    let sum = 0;
    for (const id of ids) {
      sum += mass * (9.81 * position(world, id)[1] + 0.5 * length(velocity(world, id)) ** 2);
      sum += rotation(world, id, moments).energy;
    }
    return sum;
  };
  const start = energyOf();
  const most = { spin: 0, top: 0, speed: 0, energy: 0, rise: 0 };
  let last = start;
  for (let k = 0; k < 240; k++) {
    world.step();
    for (const id of ids) {
      most.spin = Math.max(most.spin, length(spin(world, id)));
      most.top = Math.max(most.top, position(world, id)[1]);
      most.speed = Math.max(most.speed, length(velocity(world, id)));
    }
    const energy = energyOf();
    most.energy = Math.max(most.energy, energy / start);
    most.rise = Math.max(most.rise, (energy - last) / start);
    last = energy;
  }
  expect(world.faults.notFinite).toBe(false);
  return most;
}

// The energy of falling is lost, never gained; the spin is what friction at a corner gives a pole, at most the limit of 150 rad/s.
test.each(SOLVERS)('%s: poles that fall do not gain energy', async (solver) => {
  const most = await dropPoles({ solver }, 0.02);
  expect(most.energy).toBeLessThan(1.0001);
  expect(most.rise).toBeLessThan(1e-3);
  expect(most.spin).toBeLessThan(160);
  expect(most.top).toBeLessThan(6);
  expect(most.speed).toBeLessThan(12);
});

test.each([0.1, 0.05, 0.01, 0.005])('nor do those of half width %f m', async (half) => {
  const most = await dropPoles({}, half);
  // Some overlap at the start and are pushed apart.
  expect(most.energy).toBeLessThan(1.001);
  expect(most.rise).toBeLessThan(1e-3);
  expect(most.spin).toBeLessThan(Math.min(10 / half, 150.001));
  expect(most.top).toBeLessThan(6.01);
  expect(most.speed).toBeLessThan(12);
});

/** A disc on a thin leg, leaning by 0.2 rad, at 100 rad/s: how far it has precessed in 2 s, and how much it leans then. */
async function spinTop(dt: number): Promise<{ angle: number; lean: number }> {
  const world = await createWorld({ dt });
  const floor = world.createShape({ type: 'box', halfExtents: [5, 1, 5] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0], friction: 1 });
  const q = turn([0, 0, 1], 0.2);
  const up = turned(q, [0, 1, 0]);
  const disc = world.createShape({ type: 'cylinder', radius: 0.2, halfHeight: 0.02 });
  const tip = world.createShape({ type: 'sphere', radius: 0.02 });
  const top = world.createBody({
    position: [up[0] * 0.3, up[1] * 0.3 + 0.02, 0],
    rotation: q,
    colliders: [
      { shape: disc, friction: 1 },
      { shape: tip, position: [0, -0.3, 0], density: 1, friction: 1 },
    ],
    angularVelocity: up.map((x) => x * 100) as V3,
  });
  const axis = () => turned(world.getRotation(top, [0, 0, 0, 0]) as [number, number, number, number], [0, 1, 0]);
  let angle = 0;
  let last = axis();
  for (let k = 0; k < 2 / dt; k++) {
    world.step();
    const now = axis();
    angle += Math.atan2(last[2] * now[0] - last[0] * now[2], last[0] * now[0] + last[2] * now[2]);
    last = now;
  }
  return { angle, lean: Math.acos(last[1]) };
}

test('a top on a table precesses and stays up as it does at a sixteenth of the step', async () => {
  const [coarse, fine] = [await spinTop(DT), await spinTop(DT / 16)];
  expect(fine.angle).toBeGreaterThan(2);
  expect(Math.abs(coarse.angle / fine.angle - 1)).toBeLessThan(0.1);
  expect(Math.abs(coarse.lean - fine.lean)).toBeLessThan(0.05);
});
