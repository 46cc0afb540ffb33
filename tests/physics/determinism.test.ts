// The same calls give the same bits with every solver; bodies made in another order give the same motion to rounding where
// the solver does not depend on order (pair splitting).
import { describe, expect, test } from 'vitest';
import { buildScene, type Scene } from '../../scenes/index';
import type { World } from '../../src/study/index';
import { SOLVERS, steps } from '../helpers/ground';
import { seeded } from '../helpers/random';
import { sceneWorld } from '../helpers/scene_world';

/** FNV-1a of poses, velocities and events; worlds number their ids apart, slots are the same. */
function hash(world: World): number {
  let sum = 2166136261;
  for (const view of [world.positions, world.rotations, world.velocities]) {
    for (const word of new Uint32Array(view.buffer, view.byteOffset, view.length)) sum = Math.imul(sum ^ word, 16777619);
  }
  for (const event of world.events) {
    sum = Math.imul(sum ^ (world.indexOf(event.bodyA) * 31 + world.indexOf(event.bodyB)), 16777619);
  }
  return sum >>> 0;
}

describe.each(SOLVERS)('%s', (solver) => {
  test('all shapes fall on a mesh: the same bits twice, while other worlds run', async () => {
    const scene = buildScene('mixed', { seed: 3, count: 50 });
    const [first, second] = [await sceneWorld(scene, { solver }), await sceneWorld(scene, { solver })];
    const hashes: number[] = [];
    for (let i = 0; i < 15; i++) {
      steps(first, 10);
      hashes.push(hash(first));
    }
    expect(new Set(hashes).size).toBe(15);
    expect(first.measure().touchingCount).toBeGreaterThan(50);
    hashes.forEach((expected, i) => {
      steps(second, 10);
      // Measures and rays look and do not touch.
      second.measure();
      second.castRay([0, 20, 0], [0, -1, 0]);
      expect(hash(second), `step ${10 * i + 10}`).toBe(expected);
    });
  });
});

/** The scene with its dynamic bodies in another order; `places[i]` is where body i of the scene went. */
function shuffled(scene: Scene, seed: number): { scene: Scene; places: number[] } {
  const random = seeded(seed);
  const { count } = scene.bodies;
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  const bodies = Object.fromEntries(
    Object.entries(scene.bodies).map(([key, values]) => {
      if (typeof values === 'number') return [key, values];
      const size = values.length / count;
      const copy = values.slice();
      order.forEach((from, to) => {
        for (let k = 0; k < size; k++) copy[to * size + k] = values[from * size + k]!;
      });
      return [key, copy];
    }),
  ) as unknown as Scene['bodies'];
  const places: number[] = [];
  order.forEach((from, to) => {
    places[from] = to;
  });
  return { scene: { ...scene, bodies }, places };
}

describe('pair splitting does not depend on the order of bodies', () => {
  // To rounding, as long as nothing tumbles, and to what the order of the points within a pair makes: it follows which of
  // two boxes comes first.
  test.each([
    ['wall', { scale: 0.2 }, 60],
    ['stack', {}, 120],
  ])('%s', async (name, options, count) => {
    const scene = buildScene(name, { seed: 1, ...options });
    const other = shuffled(scene, 77);
    const [a, b] = [await sceneWorld(scene, { solver: 'pair-split' }), await sceneWorld(other.scene, { solver: 'pair-split' })];
    steps(a, count);
    steps(b, count);
    expect(a.measure().touchingCount).toBeGreaterThan(20);
    let position = 0;
    let velocity = 0;
    other.places.forEach((to, from) => {
      for (let k = 0; k < 3; k++) position = Math.max(position, Math.abs(a.positions[4 * from + k]! - b.positions[4 * to + k]!));
      for (let k = 0; k < 7; k++)
        velocity = Math.max(velocity, Math.abs(a.velocities[16 * from + k]! - b.velocities[16 * to + k]!));
    });
    // Eight orders leave a wall within 5 um, and a stack of twenty, which sways, within 0.2 mm.
    expect(position).toBeLessThan(name === 'wall' ? 2e-5 : 4e-4);
    expect(velocity).toBeLessThan(5e-3);
  });
});
