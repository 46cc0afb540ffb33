// Bodies that touch nothing: free fall, projectiles, slow motion far from the origin, and free rotation, which must keep
// angular momentum and kinetic energy and precess at the rate of the closed form.
import { describe, expect, test } from 'vitest';
import type { BodyId, ShapeDesc, World } from '../../src/study/index';
import {
  cross,
  DT,
  GRAVITY,
  length,
  position,
  rotate,
  rotation,
  SOLVERS,
  spin,
  steps,
  type V3,
  velocity,
} from '../helpers/ground';
import { createWorld } from '../helpers/worlds';

describe.each(SOLVERS)('%s', (solver) => {
  test('free fall is the sum over substeps, and g t2 / 2 up to g t h / 2', async () => {
    const world = await createWorld({ solver, substeps: 12 });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [1, 50, 2] });
    steps(world, 120);
    const t = 120 * DT;
    const h = DT / 12;
    const y = position(world, ball)[1];
    expect(Math.abs(y - (50 - (GRAVITY * t * (t + h)) / 2))).toBeLessThan(2e-4);
    expect(Math.abs(y - (50 - (GRAVITY * t * t) / 2))).toBeLessThan((GRAVITY * t * h) / 2 + 2e-4);
    // Up to 2400 additions in single precision.
    expect(Math.abs(velocity(world, ball)[1] + GRAVITY * t)).toBeLessThan(5e-4);
    expect([position(world, ball)[0], position(world, ball)[2]]).toEqual([1, 2]);
  });

  test('a projectile keeps its horizontal velocity and follows the parabola, turning at a constant rate', async () => {
    const world = await createWorld({ solver, substeps: 12 });
    const shape = world.createShape({ type: 'box', halfExtents: [0.3, 0.3, 0.3] });
    const box = world.createBody({ shape, linearVelocity: [5, 12, -3], angularVelocity: [0, 0, 2] });
    steps(world, 90);
    const t = 90 * DT;
    const h = DT / 12;
    const p = position(world, box);
    expect(Math.abs(p[0] - 5 * t)).toBeLessThan(2e-5);
    expect(Math.abs(p[1] - (12 * t - (GRAVITY * t * (t + h)) / 2))).toBeLessThan(2e-4);
    expect(Math.abs(p[2] + 3 * t)).toBeLessThan(2e-5);
    const q = world.getRotation(box, [0, 0, 0, 0]);
    expect(Math.abs(2 * Math.atan2(q[2]!, q[3]!) - 2 * t)).toBeLessThan(1e-5);
    expect(spin(world, box)).toEqual([0, 0, 2]);
  });
});

test('motion far below a rounding step of the coordinate adds up', async () => {
  const world = await createWorld({ sleep: false, gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  // The spacing of floats at 1000 is 6.1e-5 m; a step moves the body by 1.7e-7 m.
  const body = world.createBody({ shape, position: [1000, 0, 0], linearVelocity: [1e-5, 0, 0] });
  steps(world, 3600);
  expect(Math.abs(position(world, body)[0] - (1000 + 1e-5 * 60))).toBeLessThan(3.1e-5);
});

interface Spinner {
  world: World;
  body: BodyId;
  moments: V3;
}

async function spinner(desc: ShapeDesc, moments: (mass: number) => V3, angularVelocity: V3): Promise<Spinner> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const body = world.createBody({ shape: world.createShape(desc), angularVelocity });
  return { world, body, moments: moments(world.getMass(body)) };
}

const boxMoments = (a: number, b: number, c: number) => (m: number) =>
  [(m / 3) * (b * b + c * c), (m / 3) * (a * a + c * c), (m / 3) * (a * a + b * b)] as V3;
const cylinderMoments = (r: number, h: number) => (m: number) => {
  const side = m * ((r * r) / 4 + (h * h) / 3);
  return [side, (m * r * r) / 2, side] as V3;
};

// Largest drift measured: momentum 1.9e-4 (needle), energy 7.0e-4 (about the middle axis), both relative; it is that of single
// precision, 600 steps.
describe('a free body that spins for 10 s keeps angular momentum and energy', () => {
  test.each<[string, ShapeDesc, (m: number) => V3, V3]>([
    ['box about its long axis', { type: 'box', halfExtents: [0.2, 0.5, 1] }, boxMoments(0.2, 0.5, 1), [0.1, 0.2, 6]],
    ['box about its middle axis', { type: 'box', halfExtents: [0.2, 0.5, 1] }, boxMoments(0.2, 0.5, 1), [0.01, 5, 0.01]],
    ['box about its short axis', { type: 'box', halfExtents: [0.2, 0.5, 1] }, boxMoments(0.2, 0.5, 1), [5, 0.3, 0.3]],
    ['a plate', { type: 'box', halfExtents: [1, 0.05, 1] }, boxMoments(1, 0.05, 1), [1, 8, 0]],
    ['a needle', { type: 'box', halfExtents: [0.02, 1, 0.02] }, boxMoments(0.02, 1, 0.02), [2, 3, 0]],
    ['a cylinder', { type: 'cylinder', radius: 0.3, halfHeight: 0.8 }, cylinderMoments(0.3, 0.8), [1, 6, 1]],
    ['a coin', { type: 'cylinder', radius: 0.8, halfHeight: 0.05 }, cylinderMoments(0.8, 0.05), [1, 8, 1]],
  ])('%s', async (_name, desc, moments, angularVelocity) => {
    const { world, body, moments: i } = await spinner(desc, moments, angularVelocity);
    const start = rotation(world, body, i);
    let momentum = 0;
    let energy = 0;
    for (let k = 0; k < 600; k++) {
      world.step();
      const now = rotation(world, body, i);
      momentum = Math.max(momentum, length(now.momentum.map((x, c) => x - start.momentum[c]!)) / length(start.momentum));
      energy = Math.max(energy, Math.abs(now.energy / start.energy - 1));
    }
    expect(momentum).toBeLessThan(5e-4);
    expect(energy).toBeLessThan(2e-3);
  });

  test('a box about its middle axis turns over, as it must', async () => {
    const { world, body } = await spinner({ type: 'box', halfExtents: [0.2, 0.5, 1] }, boxMoments(0.2, 0.5, 1), [0.01, 5, 0.01]);
    let least = 1;
    for (let k = 0; k < 600; k++) {
      world.step();
      const q = world.getRotation(body, [0, 0, 0, 0]);
      least = Math.min(least, 1 - 2 * (q[0]! ** 2 + q[2]! ** 2)); // body y axis along world y
    }
    expect(least).toBeLessThan(-0.95);
  });

  test('and it does so at the interval of the elliptic integral, for a minute', async () => {
    const { world, body, moments } = await spinner(
      { type: 'box', halfExtents: [0.2, 0.5, 1] },
      boxMoments(0.2, 0.5, 1),
      [0.01, 5, 0.01],
    );
    const [longest, middle, least] = moments;
    const start = rotation(world, body, moments);
    const twice = 2 * start.energy;
    const square = start.momentum.reduce((sum, x) => sum + x * x, 0);
    // Landau and Lifshitz, Mechanics, section 37. Of the two ways round the separatrix, the one that this start takes.
    const [a, c] = square > twice * middle ? [least, longest] : [longest, least];
    const rate = Math.sqrt(((c - middle) * (square - twice * a)) / (a * middle * c));
    const modulus2 = ((middle - a) * (twice * c - square)) / ((c - middle) * (square - twice * a));
    // K(k) = pi / (2 agm(1, k')).
    let [x, y] = [1, Math.sqrt(1 - modulus2)];
    for (let k = 0; k < 20; k++) [x, y] = [(x + y) / 2, Math.sqrt(x * y)];
    const interval = Math.PI / x / rate;
    const flips: number[] = [];
    let last = 0;
    let momentum = 0;
    for (let k = 1; k <= 3600; k++) {
      world.step();
      const [qx, qy, qz, qw] = world.getRotation(body, [0, 0, 0, 0]) as [number, number, number, number];
      const w = rotate([-qx, -qy, -qz, qw], spin(world, body))[1];
      if (last * w < 0) flips.push((k - w / (w - last)) * DT);
      last = w;
      const now = rotation(world, body, moments).momentum;
      momentum = Math.max(momentum, length(now.map((v, i) => v - start.momentum[i]!)) / Math.sqrt(square));
    }
    expect(flips.length).toBe(Math.floor(60 / interval + 0.5));
    const measured = (flips.at(-1)! - flips[0]!) / (flips.length - 1);
    expect(Math.abs(measured / interval - 1)).toBeLessThan(5e-3);
    expect(momentum).toBeLessThan(5e-4);
  });

  test('a symmetric top precesses about its angular momentum at L / I', async () => {
    const { world, body, moments } = await spinner(
      { type: 'cylinder', radius: 0.3, halfHeight: 0.8 },
      cylinderMoments(0.3, 0.8),
      [1, 6, 0],
    );
    const { momentum } = rotation(world, body, moments);
    const axis = momentum.map((x) => x / length(momentum));
    const rate = length(momentum) / moments[0];
    const side = (v: V3) => v.map((x, k) => x - axis[k]! * v.reduce((sum, y, c) => sum + y * axis[c]!, 0)) as V3;
    const top = (): V3 => {
      const [x, y, z, w] = world.getRotation(body, [0, 0, 0, 0]) as [number, number, number, number];
      return side([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)]);
    };
    let angle = 0;
    let last = top();
    for (let k = 0; k < 300; k++) {
      world.step();
      const now = top();
      angle += Math.atan2(
        cross(last, now).reduce((sum, x, c) => sum + x * axis[c]!, 0),
        last.reduce((sum, x, c) => sum + x * now[c]!, 0),
      );
      last = now;
    }
    expect(angle / (rate * 300 * DT)).toBeCloseTo(1, 2);
  });
});
