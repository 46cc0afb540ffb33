// The engine's methods as the laboratory runs them: one step of many iterations with velocity stabilization. A small pile
// must come near to rest and stay in its basin.
import { expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import type { SolverName } from '../../src/study/index';
import { sceneWorld } from '../helpers/scene_world';

const SOLVERS: SolverName[] = [
  'pgs',
  'colored',
  'cell-order',
  'pair-split',
  'cell-split',
  'pair-split-printed',
  'scalar-split',
  'jacobi-line-search',
];

test.each(SOLVERS)('%s, 30 iterations a step', async (solver) => {
  const scene = buildScene('boxes-small', { seed: 1, count: 40 });
  const world = await sceneWorld(scene, { solver, integration: 'one-step', iterations: 30, stabilization: 'baumgarte' });
  for (let i = 0; i < 300; i++) world.step();
  const { min, max } = scene.checks.bounds;
  for (let i = 1; i < scene.bodies.count; i++) {
    for (let k = 0; k < 3; k++) {
      expect(world.positions[4 * i + k]).toBeGreaterThan(min[k]);
      expect(world.positions[4 * i + k]).toBeLessThan(max[k]);
    }
  }
  // Carried impulses that act on the parts of a body instead of the whole throw the pile up.
  expect(world.measure().rmsSpeed).toBeLessThan(0.5);
});
