// Cylinders that roll on their rim: Euler's disc against its closed form, a wheel that leans.
import { describe, expect, test } from 'vitest';
import { createWorld } from '../helpers/worlds';

type Quat = [number, number, number, number];
type Vec = [number, number, number];

function turn([x, y, z, w]: Quat, v: Vec): Vec {
  const [a, b, c] = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * a + y * c - z * b, v[1] + w * b + z * a - x * c, v[2] + w * c + x * b - y * a];
}

/** Precession of a disc over sqrt(4 g / (R sin a)) in a quarter of a second, and its inclination then (degrees). */
async function euler(degrees: number, dt: number, heading: number) {
  const [radius, half, a] = [0.5, 0.01, (degrees * Math.PI) / 180];
  const rate = Math.sqrt((4 * 9.81) / (radius * Math.sin(a)));
  const [s, c, u, v] = [Math.sin(a / 2), Math.cos(a / 2), Math.sin(heading / 2), Math.cos(heading / 2)];
  const rotation: Quat = [u * s, u * c, v * s, v * c]; // heading about y, then the tilt about z
  const world = await createWorld({ sleep: false, dt });
  const plane = world.createShape({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  world.createBody({ type: 'static', shape: plane, friction: 0.8 });
  const disc = world.createBody({
    shape: world.createShape({ type: 'cylinder', radius, halfHeight: half }),
    position: [0, radius * Math.sin(a) + half * Math.cos(a), 0],
    rotation,
    friction: 0.8,
    rollingResistance: 0,
    angularVelocity: turn(rotation, [-1, 0, 0]).map((x) => x * rate * Math.sin(a)) as Vec,
  });
  let last = Number.NaN;
  let angle = 0;
  let count = 0;
  let up: Vec = [0, 1, 0];
  for (let i = 0; i < Math.round(0.25 / dt); i++) {
    world.step();
    up = turn(world.getRotation(disc, [0, 0, 0, 0]) as Quat, [0, 1, 0]);
    const place = Math.atan2(up[2], up[0]);
    if (!Number.isNaN(last)) {
      const d = place - last;
      angle += d - 2 * Math.PI * Math.round(d / (2 * Math.PI));
      count++;
    }
    last = place;
  }
  return { precession: Math.abs(angle) / (count * dt * rate), inclination: (Math.acos(Math.abs(up[1])) * 180) / Math.PI };
}

describe("Euler's disc", () => {
  test.each([20, 40, 60])('at %s degrees goes round as its closed form says', async (degrees) => {
    for (let k = 0; k < 12; k++) {
      const heading = 0.1 + 0.523 * k;
      const [coarse, fine] = [await euler(degrees, 1 / 60, heading), await euler(degrees, 1 / 240, heading)];
      expect(coarse.precession).toBeGreaterThan(0.93);
      expect(fine.precession).toBeGreaterThan(0.975);
      expect(Math.abs(fine.inclination - degrees)).toBeLessThan(1.5);
    }
  });
});

test.each([0.02, 0.05, 0.1])('a wheel of half width %s that leans rolls on, the same with any step', async (half) => {
  const [radius, lean, speed] = [0.4, (20 * Math.PI) / 180, 5];
  const a = Math.PI / 2 - lean;
  const leans: number[] = [];
  for (const dt of [1 / 60, 1 / 240]) {
    const world = await createWorld({ sleep: false, dt });
    const plane = world.createShape({ type: 'plane', normal: [0, 1, 0], offset: 0 });
    world.createBody({ type: 'static', shape: plane, friction: 0.8 });
    const wheel = world.createBody({
      shape: world.createShape({ type: 'cylinder', radius, halfHeight: half }),
      position: [0, radius * Math.cos(lean) + half * Math.sin(lean), 0],
      rotation: [Math.sin(a / 2), 0, 0, Math.cos(a / 2)],
      friction: 0.8,
      rollingResistance: 0,
      linearVelocity: [speed, 0, 0],
      angularVelocity: [0, (-speed / radius) * Math.cos(a), (-speed / radius) * Math.sin(a)],
    });
    for (let i = 0; i < Math.round(3 / dt); i++) world.step();
    const axis = turn(world.getRotation(wheel, [0, 0, 0, 0]) as Quat, [0, 1, 0]);
    leans.push((Math.asin(Math.abs(axis[1])) * 180) / Math.PI);
  }
  for (const angle of leans) expect(Math.abs(angle / 13 - 1)).toBeLessThan(0.1);
  expect(Math.abs(leans[0]! - leans[1]!)).toBeLessThan(1);
});

test('a cylinder that falls askew comes to rest on its cap or its side', async () => {
  for (let k = 0; k < 12; k++) {
    const world = await createWorld({ sleep: false });
    const plane = world.createShape({ type: 'plane', normal: [0, 1, 0], offset: 0 });
    world.createBody({ type: 'static', shape: plane });
    const [radius, half] = [0.05 + 0.04 * k, 0.02 + 0.03 * (k % 5)];
    const tilt = 0.05 + 0.12 * k;
    const body = world.createBody({
      shape: world.createShape({ type: 'cylinder', radius, halfHeight: half }),
      position: [0, 1, 0],
      rotation: [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)],
    });
    for (let i = 0; i < 600; i++) world.step();
    const axis = Math.abs(turn(world.getRotation(body, [0, 0, 0, 0]) as Quat, [0, 1, 0])[1]);
    const height = world.getPosition(body, [0, 0, 0])[1];
    expect(Math.abs(height - (axis > 0.5 ? half : radius))).toBeLessThan(1e-3);
    if (axis > 0.5) expect(Math.hypot(...world.getLinearVelocity(body, [0, 0, 0]))).toBeLessThan(1e-4);
  }
});
