// Joints that no motion could meet: bodies of masses up to a million apart, thrown, on two or three times as many joints as they
// have room for, some of them on kinematic bodies that jump. Nothing is lost: no body is stopped, no speed passes the limits, and
// what hangs beside them on the same kinematic body hangs as if they were not there.
import { expect, test } from 'vitest';
import type { BodyId, JointDesc } from '../../src/study/index';
import { spin, type V3, velocity } from '../helpers/ground';
import { boxMass, ghost, jointWorld } from '../helpers/joint_worlds';
import { seeded } from '../helpers/random';

const TYPES = ['ball', 'hinge', 'fixed', 'slider', 'cone-twist', 'cylindrical', 'distance'] as const;

/**
 * Largest share of the limits of speed that a body has at the end of a step, NaN if one is none; how many were stopped; fastest
 * motion (m/s) of the body that hangs beside them.
 */
async function play(seed: number, ratio: number): Promise<{ share: number; stopped: number; aside: number }> {
  const random = seeded(7919 * seed);
  const range = (low: number, high: number) => low + (high - low) * random();
  const vector = (size: number) => [range(-size, size), range(-size, size), range(-size, size)] as V3;
  const world = await jointWorld();
  const { maxLinearSpeed, maxAngularSpeed } = world.settings;
  const hand = world.createBody({ type: 'kinematic', position: [0, 0, 5] });
  const quiet = ghost(world, [0, -1, 5], boxMass(1, [0.1, 0.1, 0.1]));
  world.createJoint({ type: 'ball', bodyA: hand, bodyB: quiet, anchor: [0, 0, 5] });
  const count = 2 + Math.floor(4 * random());
  const bodies: BodyId[] = Array.from({ length: count }, (_, i) => {
    const id = ghost(world, [0.9 * i, 0, 0], boxMass(ratio ** range(-1, 1), [0.3, 0.3, 0.3]));
    world.setVelocity(id, vector(30), vector(60));
    return id;
  });
  const held = [hand, world.createBody({ type: 'kinematic', position: [2, 0, 0] }), null, ...bodies];
  for (let k = count + Math.floor(2 * count * random()); k > 0; k--) {
    const bodyB = bodies[Math.floor(count * random())]!;
    const bodyA = held[Math.floor(held.length * random())]!;
    if (bodyA === bodyB) continue;
    const type = TYPES[Math.floor(TYPES.length * random())]!;
    const turn = () => [range(-1, 1), range(-1, 1), range(-1, 1), range(0.1, 1)] as [number, number, number, number];
    const frames = type === 'distance' ? { length: range(0.2, 2) } : type === 'ball' ? {} : { frameA: turn(), frameB: turn() };
    const cone = type === 'cone-twist' ? { cone: range(0, 1) } : {};
    world.createJoint({ type, bodyA, bodyB, anchorA: vector(1), anchorB: vector(0.5), ...frames, ...cone } as JointDesc);
  }
  let share = 0;
  let stopped = 0;
  let aside = 0;
  for (let step = 0; step < 240; step++) {
    if (step < 120 && step % 20 === 0) world.moveKinematic(held[1]!, vector(3));
    world.step();
    stopped += world.faults.stops.length;
    for (const id of bodies) {
      share = Math.max(
        share,
        Math.hypot(...velocity(world, id)) / maxLinearSpeed,
        Math.hypot(...spin(world, id)) / maxAngularSpeed,
      );
    }
    aside = Math.max(aside, Math.hypot(...velocity(world, quiet)));
  }
  return { share, stopped, aside };
}

test.each([1, 8, 64, 1000])('masses of 1:%s, each up and down', async (ratio) => {
  for (let seed = 1; seed <= 12; seed++) {
    const { share, stopped, aside } = await play(seed, ratio);
    expect(stopped, `seed ${seed}`).toBe(0);
    expect(share, `seed ${seed}`).toBeLessThan(1.001);
    expect(aside, `seed ${seed}`).toBeLessThan(1e-3);
  }
});
