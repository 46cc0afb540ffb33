// Ragdolls that lie: calm, closed, and on fewer substeps.
import { describe, expect, test } from 'vitest';
import { ragdolls150 } from '../../scenes/ragdolls';
import { DYNAMIC } from '../../scenes/types';
import { createRagdoll } from '../../src/rigs/index';
import { spin, steps, velocity } from '../helpers/ground';
import { bar, errors, JOINT_SOLVERS, jointWorld, settingsOf } from '../helpers/joint_worlds';
import { isLong } from '../helpers/long';
import { sceneWorld } from '../helpers/scene_world';

describe.each(JOINT_SOLVERS)('%s', (solver) => {
  // One fall in six to ten ends in a pose that keeps rocking at up to 3 cm/s, so the middle of nine falls is taken.
  test('ragdolls on the floor come to rest, with fewer substeps than while they fall', async () => {
    const speeds: number[] = [];
    for (let fall = 0; fall < 9; fall++) {
      const world = await jointWorld({ solver, substeps: 'auto' });
      const floor = world.createShape({ type: 'box', halfExtents: [5, 0.5, 5] });
      world.createBody({ type: 'static', position: [0, -0.5, 0], colliders: [{ shape: floor }] });
      const doll = createRagdoll(world, { position: [0, 1.5 + 0.01 * fall, 0] });
      let most = 0;
      for (let i = 0; i < 20; i++) {
        world.step();
        most = Math.max(most, world.profile.substeps);
      }
      expect(most).toBeGreaterThanOrEqual(8);
      steps(world, 880);
      expect(world.profile.substeps).toBe(6);
      let [speed, gap] = [0, 0];
      for (let i = 0; i < 60; i++) {
        world.step();
        for (const id of doll.bodies)
          speed = Math.max(speed, Math.hypot(...velocity(world, id)), 0.1 * Math.hypot(...spin(world, id)));
        for (const id of doll.joints) gap = Math.max(gap, errors(world, settingsOf(world, id)).gap);
      }
      speeds.push(speed);
      bar('a ragdoll on the floor, largest gap (m)', gap, 5e-5);
    }
    speeds.sort((a, b) => a - b);
    bar('ragdolls on the floor, fastest of the middle one (m/s)', speeds[4]!, 1e-3);
  });
});

// Where a contact and a limit work against each other a limb ends each step with a velocity at which it does not move.
test.each(isLong ? [1, 6, 9] : [6])('a heap of 150 ragdolls sleeps within 15 s (seed %i)', async (seed) => {
  const scene = ragdolls150({ seed });
  const world = await sceneWorld(scene, { seed });
  const bodies = Array.from(scene.bodies.type, (type, i) => (type === DYNAMIC ? world.bodyAt(i) : null)).filter(
    (id) => id !== null,
  );
  let seconds = 0;
  while (seconds < 20 && !bodies.every((id) => world.isAsleep(id))) {
    steps(world, 60);
    seconds++;
  }
  bar('asleep after (s)', seconds, 15);
});
