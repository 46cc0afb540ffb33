// Small versions of the scenes on every solver at its preset 'balanced': what should stand stands, piles come to rest inside
// of their container, overlap stays small. Larger and longer runs are the bench's.
import { describe, expect, test } from 'vitest';
import { buildScene, type Scene } from '../../scenes/index';
import type { SolverName, World } from '../../src/study/index';
import { faultsOf, NO_FAULTS } from '../helpers/ground';
import { everyNth, isLong } from '../helpers/long';
import { sceneWorld } from '../helpers/scene_world';

const solvers: SolverName[] = ['wide', 'colored', 'pgs', 'cell-order', 'pair-split', 'cell-split'];

function run(world: World, steps: number): void {
  for (let i = 0; i < steps; i++) world.step();
  expect(faultsOf(world)).toEqual(NO_FAULTS);
}

/** Largest distance of a body from where it started, m. */
function drift(world: World, scene: Scene): number {
  let most = 0;
  const p = world.positions;
  for (let i = 0; i < scene.bodies.count; i++) {
    const q = scene.bodies.position.subarray(3 * i, 3 * i + 3);
    most = Math.max(most, Math.hypot(p[4 * i]! - q[0]!, p[4 * i + 1]! - q[1]!, p[4 * i + 2]! - q[2]!));
  }
  return most;
}

/** Dynamic bodies outside of the bounds of the scene. */
function lost(world: World, scene: Scene): number {
  const { min, max } = scene.checks.bounds;
  let count = 0;
  for (let i = 0; i < scene.bodies.count; i++) {
    if (scene.bodies.type[i] !== 2) continue;
    for (let k = 0; k < 3; k++) {
      const x = world.positions[4 * i + k]!;
      if (!(x >= min[k]! && x <= max[k]!)) {
        count++;
        break;
      }
    }
  }
  return count;
}

describe.each(solvers)('%s', (solver) => {
  /** In the short form the solvers share out the piles. */
  const place = solvers.indexOf(solver);
  test.each([
    ['stack', {}, 0.04],
    ['wall', { scale: 0.34 }, 0.01],
    ['cardhouse', {}, 0.02],
  ])('%s stands', async (name, options, limit) => {
    const scene = buildScene(name, { seed: 1, ...options });
    const world = await sceneWorld(scene, { solver });
    run(world, 240);
    expect(drift(world, scene)).toBeLessThan(limit);
    expect(world.measure().penetrationMax).toBeLessThan(4e-3);
  });

  test('a block on slabs of a hundredth of its mass stands', async () => {
    const scene = buildScene('slabs', { seed: 1 });
    const world = await sceneWorld(scene, { solver });
    run(world, 240);
    expect(drift(world, scene)).toBeLessThan(0.1);
    expect(world.measure().penetrationMax).toBeLessThan(0.02);
  });

  const piles: [string, object, number][] = [
    ['boxes-small', { scale: isLong ? 0.1 : 0.06 }, 1e-2],
    ['hulls', { count: 60 }, 1e-4],
  ];
  test.each(everyNth(piles, 2, place))('%s come to rest', async (name, options, limit) => {
    const scene = buildScene(name, { seed: 1, ...options });
    const world = await sceneWorld(scene, solver === 'pair-split' ? { solver } : { solver, substeps: 12 });
    run(world, 480);
    expect(lost(world, scene)).toBe(0);
    const m = world.measure();
    expect(m.rmsSpeed).toBeLessThan(limit);
    expect(m.penetrationMax).toBeLessThan(5e-3);
    expect(m.residualRms).toBeLessThan(1e-3);
  });
});

test.each(['mesh', 'heightfield'] as const)('all shapes and compounds fall on a %s and stay on it', async (ground) => {
  const scene = buildScene('mixed', { seed: 2, count: 60, ground });
  const world = await sceneWorld(scene);
  run(world, 300);
  expect(lost(world, scene)).toBe(0);
  expect(world.measure().penetrationMax).toBeLessThan(5e-3);
});
