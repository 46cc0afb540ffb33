// Impacts of two free bodies against the closed form of one impulse along the normal: speeds, momentum, angular momentum and energy.
import { describe, expect, it } from 'vitest';
import { Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { add, cross, dot, scale, sub, turned, turnedBack, unit } from '../../helpers/vectors';

type V = number[];
const close = (found: V, expected: V, tolerance: number) => {
  const size = Math.max(...expected.map(Math.abs));
  for (const [i, v] of expected.entries()) expect(Math.abs(found[i]! - v)).toBeLessThan(tolerance * Math.max(size, 0.1));
};

interface Setting {
  restitution: number;
  /** Where on the face +x of the box, and how fast the ball comes along its normal; velocity of the box. */
  y: number;
  z: number;
  speed: number;
  drift: V;
}

/** A ball that flies at a face of a tilted box in free space, along the normal of that face. */
function meet({ restitution, y, z, speed, drift }: Setting) {
  const world = new BoxWorld();
  world.setF32(Header.gravityY, 0);
  const q = unit([0.3, -0.2, 0.4, 0.8]) as [number, number, number, number];
  const half = [0.4, 0.6, 0.9];
  const [massA, radius] = [8 * half[0]! * half[1]! * half[2]! * 50, 0.25];
  const massB = (4 / 3) * Math.PI * radius ** 3 * 700;
  const center = [1, 2, -1];
  const n = turned(q, [1, 0, 0]);
  const options = { friction: 0, restitution };
  world.box(center, half, { ...options, density: 50, rotation: q });
  const at = add(center, turned(q, [half[0]! + radius + 0.05, y, z]));
  world.sphere(at, radius, { ...options, density: 700 });
  world.core.setVelocity(0, ...drift, 0, 0, 0);
  const came = add(drift, scale(n, -speed));
  world.core.setVelocity(1, ...came, 0, 0, 0);
  const moments = [half[1]! ** 2 + half[2]! ** 2, half[0]! ** 2 + half[2]! ** 2, half[0]! ** 2 + half[1]! ** 2].map(
    (m) => (m * massA) / 3,
  );
  const read = () => {
    const rotation = Array.from(new Float32Array(world.memory.buffer, world.u32(Header.rotations), 4));
    const bodies = [0, 1].map((i) => ({ x: world.position(i), v: world.linearVelocity(i), w: world.angularVelocity(i) }));
    const spin = turned(
      rotation,
      turnedBack(rotation, bodies[0]!.w).map((c, k) => c * moments[k]!),
    );
    const ballSpin = scale(bodies[1]!.w, 0.4 * massB * radius * radius);
    const momentum = add(scale(bodies[0]!.v, massA), scale(bodies[1]!.v, massB));
    const turning = [
      add(cross(bodies[0]!.x, scale(bodies[0]!.v, massA)), cross(bodies[1]!.x, scale(bodies[1]!.v, massB))),
      add(spin, ballSpin),
    ].reduce(add);
    const energy =
      0.5 * (massA * dot(bodies[0]!.v, bodies[0]!.v) + massB * dot(bodies[1]!.v, bodies[1]!.v)) +
      0.5 * (dot(spin, bodies[0]!.w) + dot(ballSpin, bodies[1]!.w));
    return { bodies, momentum, turning, energy };
  };
  // One impulse at the point of the face.
  const arm = turned(q, [half[0]!, y, z]);
  const lever = turnedBack(q, cross(arm, n));
  const inverse = 1 / massA + 1 / massB + lever.reduce((sum, c, k) => sum + (c * c) / moments[k]!, 0);
  const impulse = ((1 + restitution) * speed) / inverse;
  const expected = {
    box: sub(drift, scale(n, impulse / massA)),
    ball: add(came, scale(n, impulse / massB)),
    spin: turned(
      q,
      lever.map((c, k) => (-impulse * c) / moments[k]!),
    ),
    lost: ((1 - restitution ** 2) * speed * speed) / 2 / inverse,
  };
  return { world, read, expected };
}

const settings: [string, Setting][] = [
  ['in the middle', { restitution: 0.6, y: 0, z: 0, speed: 4, drift: [0, 0, 0] }],
  ['off the middle', { restitution: 0.8, y: 0.35, z: -0.2, speed: 5, drift: [0, 0, 0] }],
  ['far off, of bodies on their way', { restitution: 0.5, y: -0.2, z: 0.7, speed: 3.5, drift: [0.8, -0.5, 0.3] }],
  ['full', { restitution: 1, y: 0.3, z: 0.5, speed: 4.5, drift: [-0.4, 0.2, 0.1] }],
];

describe('an impact of a ball on a free box', () => {
  it.each(settings)('%s: is that of one impulse along the normal', (_, setting) => {
    const { world, read, expected } = meet(setting);
    const before = read();
    world.step(4);
    const after = read();
    close(after.bodies[0]!.v, expected.box, 3e-3);
    close(after.bodies[1]!.v, expected.ball, 3e-3);
    expect(Math.hypot(...after.bodies[1]!.w)).toBeLessThan(1e-4);
    // The box has turned since: its angular velocity has moved by no more than its turn.
    close(after.bodies[0]!.w, expected.spin, 0.1);
    close(after.momentum, before.momentum, 1e-5);
    close(after.turning, before.turning, 5e-3);
    expect(Math.abs(before.energy - after.energy - expected.lost)).toBeLessThan(4e-3 * before.energy);
  });

  it('below the least speed of bounces has no restitution', () => {
    const setting = { restitution: 0.8, y: 0.1, z: 0.2, speed: 0.9, drift: [0, 0, 0] };
    const { world, read } = meet(setting);
    const { expected } = meet({ ...setting, restitution: 0 });
    world.step(12);
    close(read().bodies[1]!.v, expected.ball, 2e-2);
    close(read().bodies[0]!.v, expected.box, 2e-2);
  });
});
